//! What the figures must show.

use super::compile::{ALL, BARE_PEER, Build, ONE};
use super::generator::{self, Run};
use super::table::{Case, Kind, LIMIT, OURS, PEERS, Table, What, round};

/// One demand, and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The number of the claim in [`CLAIMS`], from 1.
    pub claim: usize,
    pub what: String,
    /// As it is printed; it is judged as printed.
    pub figure: f64,
    pub limit: f64,
    /// Whether the figure must be below the limit, rather than at most the limit.
    pub is_strict: bool,
}

impl Bar {
    pub fn holds(&self) -> bool {
        if self.is_strict { self.figure < self.limit } else { self.figure <= self.limit }
    }
}

/// The claims, in the order of their numbers.
pub const CLAIMS: [&str; 5] = [
    "as fast as the hand-written struct",
    "ahead of every peer",
    "two allocations more than the hand-written struct at most",
    "cheap to compile",
    "the generator grows with its input",
];

/// Time: claims 1 and 2.
pub fn of_times(table: &Table) -> Vec<Bar> {
    let mut bars = Vec::new();
    // A session is no struct: between reading and writing, `dispatch` notes what is in flight, checks params and can
    // cancel, which the hand-written loop does not. It is compared with the peers alone.
    for row in table.rows.iter().filter(|row| row.case.kind != Kind::Session) {
        if let Some(figure) = row.ratio(OURS) {
            let limit = limit(&row.case, row.what);
            bars.push(Bar {
                claim: 1,
                what: format!("{}, times {LIMIT}", row.name()),
                figure,
                limit,
                is_strict: false,
            });
        }
    }
    for row in &table.rows {
        // The quickest of the peers stands for all of them.
        let ratios = PEERS.iter().filter_map(|peer| Some((row.ratio_to(OURS, peer)?, *peer)));
        if let Some((figure, peer)) = ratios.max_by(|(one, _), (other, _)| one.total_cmp(other)) {
            let what = format!("{}, times {peer}", row.name());
            bars.push(Bar { claim: 2, what, figure, limit: 1.0, is_strict: true });
        }
    }
    bars
}

/// The multiple of the hand-written struct's time that is allowed. A result that comes before its id is read without
/// knowing what was asked.
fn limit(case: &Case, what: What) -> f64 {
    match (what, case.kind, case.order.as_str()) {
        (What::Parse, Kind::Result, "result first") if case.is_large() => 1.9,
        (What::Parse, Kind::Result, "result first") => 1.35,
        _ => 1.1,
    }
}

/// Allocations: claim 3.
pub fn of_allocations(table: &Table) -> Vec<Bar> {
    let more = |row: &super::table::Row| Some(round(row.of(OURS)? - row.of(LIMIT)?));
    let bar = |row: &super::table::Row| {
        let what = format!("{}, more than {LIMIT}", row.name());
        Some(Bar { claim: 3, what, figure: more(row)?, limit: 2.0, is_strict: false })
    };
    table.rows.iter().filter_map(bar).collect()
}

/// Compile cost: claim 4.
pub fn of_builds(builds: &[Build]) -> Vec<Bar> {
    let seconds = |name: &str| builds.iter().find(|build| build.name == name).map(|build| build.seconds);
    let bar = |mine: &str, other: &str, limit| {
        let figure = round(seconds(mine)? / seconds(other)?);
        Some(Bar { claim: 4, what: format!("build {mine}, times {other}"), figure, limit, is_strict: false })
    };
    [bar(ONE, BARE_PEER, 1.0), bar(ALL, ONE, 2.5)].into_iter().flatten().collect()
}

/// The generator: claim 5.
pub fn of_generator(runs: &[Run]) -> Vec<Bar> {
    let bar = |(from, to, factor)| Bar {
        claim: 5,
        what: format!("generate {to} types, times {from} types"),
        figure: round(factor),
        limit: 12.0,
        is_strict: false,
    };
    generator::growth(runs).into_iter().map(bar).collect()
}
