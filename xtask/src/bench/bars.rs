//! What the figures must show.
//!
//! Reading, writing, proxies and the peers are judged by time. Instructions are shown beside it, and guarded by
//! `--check`.

use anyhow::{Result, bail};

use super::compile::{ALL, Build, ONE, TOWER};
use super::generator::{self, Run};
use super::memory::Memory;
use super::table::{Case, Kind, LIMIT, OURS, PEERS, PROXY, Table, What, round};

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
pub const CLAIMS: [&str; 7] = [
    "reads as fast as the hand-written struct, and faster where JSON stays open",
    "writes faster than the hand-written struct",
    "a proxy costs a quarter of reading",
    "ahead of every peer",
    "asks for little memory",
    "cheap to compile",
    "the generator grows with its input",
];

/// What reading may cost, as a multiple of the hand-written struct's time. Where most of a message is open JSON, which
/// stays the text it is, it must cost much less; a long string is copied once by both.
const READING: [(&str, f64); 7] = [
    ("tools/list result, 100 tools", 0.55),
    ("tools/call result, structuredContent 200 kB", 0.3),
    ("tools/call", 0.75),
    ("tools/call with _meta", 0.75),
    ("tools/call result, 1 MB text", 1.0),
    ("CJK text 1 MB, from bytes", 1.0),
    ("resources/read result, 1 MB blob", 1.0),
];
/// And of every other message.
const READING_OTHERS: f64 = 1.1;
const WRITING: f64 = 0.9;
const PROXIES: f64 = 0.25;

/// So many requests more than the hand-written struct, or one more for ten: a large variant of a union has an allocation of
/// its own, so that a hostile list of small ones takes little memory. It takes fewer bytes in all.
const MORE_REQUESTS: f64 = 2.0;
const MORE_IN_MANY: f64 = 0.1;

/// The bytes that `tools/list result, 100 tools` asked for before open JSON was kept as text: measured with the program
/// `allocations` on commit 1702ad7, id first.
const BYTES_BEFORE: f64 = 314_074.0;
const LIST: &str = "tools/list result, 100 tools";

/// Time: claims 1 to 4.
pub fn of_times(table: &Table) -> Vec<Bar> {
    let mut bars = Vec::new();
    for row in &table.rows {
        let ratio = match row.case.kind {
            Kind::Proxy => against_reading(table, &row.case),
            _ => row.ratio(OURS),
        };
        let Some(figure) = ratio else { continue };
        let (claim, limit, base) = match (row.case.kind, row.what) {
            (Kind::Proxy, _) => (3, PROXIES, "reading into hand-written"),
            (_, What::Write) => (2, WRITING, LIMIT),
            (_, What::Parse) => (1, reading(&row.case), LIMIT),
        };
        bars.push(Bar { claim, what: format!("{}, times {base}", row.name()), figure, limit, is_strict: false });
    }
    bars.sort_by_key(|bar| bar.claim);
    for row in &table.rows {
        // The quickest of the peers stands for all of them.
        let ratios = PEERS.iter().filter_map(|peer| Some((row.ratio_to(OURS, peer)?, *peer)));
        if let Some((figure, peer)) = ratios.max_by(|(one, _), (other, _)| one.total_cmp(other)) {
            let what = format!("{}, times {peer}", row.name());
            bars.push(Bar { claim: 4, what, figure, limit: 1.0, is_strict: true });
        }
    }
    bars
}

fn reading(case: &Case) -> f64 {
    READING.iter().find(|(subject, _)| *subject == case.subject).map_or(READING_OTHERS, |(_, limit)| *limit)
}

/// What a proxy costs, as a multiple of reading the message into the hand-written struct, without writing it.
pub fn against_reading(table: &Table, proxy: &Case) -> Option<f64> {
    let of = |subject: &str| table.find(subject, &proxy.order, What::Parse);
    let ours = of(&proxy.subject)?.of(OURS)?;
    let theirs = of(proxy.subject.strip_prefix(PROXY)?)?.of(LIMIT)?;
    (theirs > 0.0).then(|| round(ours / theirs))
}

/// A bar of a message that there is not would be no bar.
pub fn are_named_well(cases: &[Case]) -> Result<()> {
    let carried = cases.iter().filter_map(|case| case.subject.strip_prefix(PROXY));
    for subject in READING.iter().map(|(subject, _)| *subject).chain([LIST]).chain(carried) {
        if !cases.iter().any(|case| case.subject == subject) {
            bail!("tests/bench has no message `{subject}`, which a bar of xtask/src/bench/bars.rs needs");
        }
    }
    Ok(())
}

/// Memory: claim 5.
pub fn of_memory(memory: &Memory) -> Vec<Bar> {
    let bar = |what: String, figure: f64, limit: f64| Bar { claim: 5, what, figure, limit, is_strict: false };
    let more = |row: &super::table::Row| {
        let theirs = row.of(LIMIT)?;
        let limit = MORE_REQUESTS.max(round(theirs * MORE_IN_MANY));
        Some(bar(format!("requests to {}, more than {LIMIT}", row.name()), round(row.of(OURS)? - theirs), limit))
    };
    let mut bars: Vec<Bar> = memory.requests.rows.iter().filter_map(more).collect();
    if let Some(bytes) = memory.bytes.find(LIST, "id first", What::Parse).and_then(|row| row.of(OURS)) {
        bars.push(bar(format!("bytes to parse {LIST}, times those before"), round(bytes / BYTES_BEFORE), 0.4));
    }
    if let Some(row) = &memory.huge
        && let Some(peak) = row.of(OURS)
    {
        bars.push(bar(format!("peak of {}, times its text", row.case.subject), peak, 1.3));
    }
    bars
}

/// Compile cost: claim 6.
pub fn of_builds(builds: &[Build]) -> Vec<Bar> {
    let seconds = |name: &str| builds.iter().find(|build| build.name == name).map(|build| build.rebuild);
    let bar = |mine: &str, other: &str, limit| {
        let figure = round(seconds(mine)? / seconds(other)?);
        Some(Bar { claim: 6, what: format!("rebuild with {mine}, times {other}"), figure, limit, is_strict: false })
    };
    [bar(ONE, TOWER, 2.0), bar(ALL, ONE, 2.0)].into_iter().flatten().collect()
}

/// The generator: claim 7.
pub fn of_generator(runs: &[Run]) -> Vec<Bar> {
    let bar = |(from, to, factor)| Bar {
        claim: 7,
        what: format!("generate {to} types, times {from} types"),
        figure: round(factor),
        limit: 12.0,
        is_strict: false,
    };
    generator::growth(runs).into_iter().map(bar).collect()
}
