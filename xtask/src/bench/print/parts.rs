//! The tables of a report, before anybody decides how a table looks.

use crate::bench::bars::{self, Bar, CLAIMS};
use crate::bench::compile::{BASE, Build};
use crate::bench::generator;
use crate::bench::memory::Memory;
use crate::bench::report::Report;
use crate::bench::table::{Entry, Kind, LIMIT, OURS, OUTER, PEERS, Row, Table, What, round};

/// A heading, a sentence, and a table or a note on why there is none.
pub struct Part {
    pub title: &'static str,
    pub about: String,
    /// The header first; a first column of words, then numbers.
    pub grid: Vec<Vec<String>>,
}

/// All of them, the judgement left out.
pub fn parts(report: &Report) -> Vec<Part> {
    let mut parts = Vec::from(summaries(report));
    parts.push(ratios(
        "Parse",
        "Text to typed message, the message dropped; a proxy passes it on, and a session is read, handled and answered.",
        &report.times,
        What::Parse,
    ));
    parts.push(ratios("Serialise", "Typed message to text.", &report.times, What::Write));
    match &report.instructions {
        Ok(table) => {
            let about = "Counted by callgrind, which hardly differs between runs.";
            parts.push(ratios("Instructions, parse", about, table, What::Parse));
            parts.push(ratios("Instructions, serialise", about, table, What::Write));
        }
        Err(note) => parts.push(Part { title: "Instructions", about: sentence(note), grid: Vec::new() }),
    }
    parts.push(proxies(report));
    parts.push(distances(report));
    let memory = &report.memory;
    let about = "Requests for memory per message, growing included.";
    parts.push(counts("Requests for memory, parse", about, &memory.requests, What::Parse));
    parts.push(counts("Requests for memory, serialise", about, &memory.requests, What::Write));
    let about =
        "Bytes of all these requests per message; what grows counts with its new size, since it may have to be moved.";
    parts.push(counts("Bytes, parse", about, &memory.bytes, What::Parse));
    parts.push(counts("Bytes, serialise", about, &memory.bytes, What::Write));
    parts.push(peaks(memory));
    parts.push(builds(report));
    parts.push(generated(report));
    parts
}

/// Messages that most people send and receive, for the short table.
const USUAL: [&str; 8] = [
    "ping",
    "tools/call",
    "tools/call result, small",
    "tools/list result, 100 tools",
    "tools/call result, structuredContent 200 kB",
    "tools/call result, 1 MB text",
    "proxy: tools/call",
    "session of 10,000 messages",
];
/// How many cells the table of the worst has, per way.
const WORST: usize = 4;

/// Tables to be shown elsewhere, as they are: the usual messages, and those in which mcp-wire looks worst.
fn summaries(report: &Report) -> [Part; 2] {
    let ours = |row: &Row| row.ratio(OURS).unwrap_or(0.0);
    let (mut usual, mut worst): (Vec<&Row>, Vec<&Row>) = Default::default();
    for what in What::BOTH {
        // Of the orders of a message the one that is worse for mcp-wire.
        let mut rows: Vec<&Row> = Vec::new();
        for row in report.times.ways(what).filter(|row| row.ratio(OURS).is_some()) {
            match rows.iter_mut().find(|other| other.case.subject == row.case.subject) {
                Some(other) if ours(other) < ours(row) => *other = row,
                Some(_) => {}
                None => rows.push(row),
            }
        }
        usual.extend(rows.iter().filter(|row| USUAL.contains(&row.case.subject.as_str())));
        rows.sort_by(|one, other| ours(other).total_cmp(&ours(one)));
        worst.extend(rows.into_iter().take(WORST));
    }
    let about = "Time; of the orders of a message the one that is worse for mcp-wire.";
    [
        short("In short", about, report, &usual),
        short("At its worst", "The cells in which mcp-wire looks worst.", report, &worst),
    ]
}

fn short(title: &'static str, about: &str, report: &Report, rows: &[&Row]) -> Part {
    let present = report.times.contenders();
    let columns: Vec<&str> = [OURS].into_iter().chain(PEERS).filter(|name| present.contains(name)).collect();
    let mut grid = vec![header("times the hand-written struct", &columns)];
    let mut notes = Notes::default();
    for row in rows {
        let way = match (row.case.kind, row.what) {
            (Kind::Proxy | Kind::Exchange | Kind::Session, _) => "",
            (_, What::Parse) => "read ",
            (_, What::Write) => "write ",
        };
        let cell = |name: &&str| notes.cell(row, name, row.ratio(name).map(|ratio| format!("{ratio:.2}")));
        let cells: Vec<String> = columns.iter().map(cell).collect();
        grid.push(std::iter::once(format!("{way}{}", row.case.name())).chain(cells).collect());
    }
    Part { title, about: format!("{about}{}", notes.text()), grid }
}

/// What a proxy costs, beside reading alone.
fn proxies(report: &Report) -> Part {
    let mut grid = vec![header("message", &["time", "instructions"])];
    let cell = |table: Option<&Table>, row: &Row| {
        let figure = table.and_then(|table| bars::against_reading(table, &row.case));
        figure.map_or("–".to_owned(), |figure| format!("{figure:.2}"))
    };
    for row in report.times.rows.iter().filter(|row| row.case.kind == Kind::Proxy) {
        let instructions = report.instructions.as_ref().ok();
        grid.push(line(row, vec![cell(Some(&report.times), row), cell(instructions, row)]));
    }
    let about =
        "What it costs mcp-wire to look at a message and to pass it on, times what it costs to read that message into \
                 the hand-written struct, without writing it."
            .to_owned();
    Part { title: "Proxies", about, grid }
}

/// How far it is to what could be had by doing without something.
fn distances(report: &Report) -> Part {
    let instructions = report.instructions.as_ref().ok();
    let mut grid = vec![header("message", &[])];
    let mut columns: Vec<(&str, &Table)> = Vec::new();
    for outer in OUTER {
        for (name, table) in [("time", Some(&report.times)), ("instructions", instructions)] {
            let Some(table) = table.filter(|table| table.contenders().contains(&outer)) else { continue };
            columns.push((outer, table));
            grid.iter_mut().for_each(|header| header.push(format!("{outer}, {name}")));
        }
    }
    for row in report.times.ways(What::Parse) {
        let cell = |(outer, table): &(&str, &Table)| {
            let row = table.find(&row.case.subject, &row.case.order, row.what);
            row.and_then(|row| row.ratio_to(OURS, outer))
        };
        let cells: Vec<Option<f64>> = columns.iter().map(cell).collect();
        if cells.iter().any(Option::is_some) {
            let shown = |cell: Option<f64>| cell.map_or("–".to_owned(), |ratio| format!("{ratio:.2}"));
            grid.push(line(row, cells.into_iter().map(shown).collect()));
        }
    }
    let about = "mcp-wire's cost of reading as a multiple of theirs. A struct that borrows from the text copies next to nothing, and \
                 its message cannot outlive the text; sonic-rs is another parser, with SIMD. Nothing is judged by them."
        .to_owned();
    Part { title: "Distance to the outer limits", about, grid }
}

fn ratios(title: &'static str, about: &str, table: &Table, what: What) -> Part {
    let contenders: Vec<&str> = table.contenders().into_iter().filter(|name| *name != LIMIT).collect();
    let mut grid = vec![header("message", &contenders)];
    let mut notes = Notes::default();
    for row in table.ways(what) {
        let cell = |name: &&str| notes.cell(row, name, row.ratio(name).map(|ratio| format!("{ratio:.2}")));
        let cells: Vec<String> = contenders.iter().map(cell).collect();
        grid.push(line(row, cells));
    }
    let about = format!("{about} Times the hand-written struct; less is better.{}", notes.text());
    Part { title, about, grid }
}

fn counts(title: &'static str, about: &str, table: &Table, what: What) -> Part {
    let contenders = table.contenders();
    let mut grid = vec![header("message", &contenders)];
    let mut notes = Notes::default();
    for row in table.ways(what) {
        let shown = |count: f64| match count < 1000.0 {
            true => round(count).to_string(),
            false => thousands(count.round() as usize),
        };
        let cell = |name: &&str| notes.cell(row, name, row.of(name).map(shown));
        let cells: Vec<String> = contenders.iter().map(cell).collect();
        grid.push(line(row, cells));
    }
    Part { title, about: format!("{about}{}", notes.text()), grid }
}

fn peaks(memory: &Memory) -> Part {
    let contenders = memory.peak.contenders();
    let mut grid = vec![header("message", &contenders)];
    let mut notes = Notes::default();
    let has_text = |row: &&Row| !matches!(row.case.kind, Kind::Exchange | Kind::Session) && row.case.bytes > 0;
    for row in memory.peak.ways(What::Parse).filter(has_text) {
        let shown = |peak: f64| format!("{:.2}", round(peak / row.case.bytes as f64));
        let cells: Vec<String> = contenders.iter().map(|name| notes.cell(row, name, row.of(name).map(shown))).collect();
        grid.push(line(row, cells));
    }
    if let Some(row) = &memory.huge {
        let shown = |multiple: f64| format!("{multiple:.2}");
        let cells: Vec<String> = contenders.iter().map(|name| notes.cell(row, name, row.of(name).map(shown))).collect();
        grid.push(line(row, cells));
    }
    let about = format!(
        "The most memory that was held at once while a message was read, the message included and its text not: as a multiple \
         of the text.{}",
        notes.text()
    );
    Part { title: "Peak memory, parse", about, grid }
}

fn builds(report: &Report) -> Part {
    let title = "Compile";
    let builds = match &report.builds {
        Ok(builds) => builds,
        Err(note) => return Part { title, about: sentence(note), grid: Vec::new() },
    };
    let base = builds.iter().find(|build| build.name == BASE);
    let columns = ["clean build", "rebuild", "check", "binary, kB", "packages", "lines"];
    let mut grid = vec![header("a program with", &columns)];
    for build in builds {
        let ratio = |of: fn(&Build) -> f64| {
            let base = base.map_or(1.0, of);
            format!("{:.2}", round(of(build) / base.max(f64::EPSILON)))
        };
        grid.push(vec![
            build.name.clone(),
            ratio(|build| build.clean),
            ratio(|build| build.rebuild),
            ratio(|build| build.check),
            thousands((build.binary / 1000) as usize),
            build.packages.to_string(),
            thousands(build.lines),
        ]);
    }
    let about = "A program that builds a few results and reads and writes any message of the protocol: release build from \
                 nothing, release build after `main.rs` was touched, `cargo check` from nothing, each the cheapest of some \
                 and in user time, times that of a program with one type and serde and serde_json alone; the size of the \
                 program; packages that are built, and their lines of Rust that are not blank."
        .to_owned();
    Part { title, about, grid }
}

fn generated(report: &Report) -> Part {
    let growth = generator::growth(&report.generator);
    let mut grid = vec![header("schema", &["seconds", "MB", "growth"])];
    for run in &report.generator {
        let name = run.types.map_or("all revisions".to_owned(), |types| format!("{} made-up types", thousands(types)));
        let factor = growth.iter().find(|(_, to, _)| Some(*to) == run.types).map(|(_, _, factor)| round(*factor));
        grid.push(vec![
            name,
            format!("{:.2}", run.seconds),
            run.megabytes.map_or("–".to_owned(), |megabytes| megabytes.to_string()),
            factor.map_or("–".to_owned(), |factor| format!("{factor:.2}")),
        ]);
    }
    let about =
        "Schema to files, in a process of its own, as `cargo xtask generate` is built: processor time, the most memory, and the time as a \
                 multiple of that for a tenth of the types."
            .to_owned();
    Part { title: "Generator", about, grid }
}

/// Each claim with how many of its bars hold, and the bar that is nearest to failing or furthest beyond.
pub fn claims(bars: &[Bar]) -> Vec<Vec<String>> {
    let mut grid = vec![header("claim", &["holds", "nearest to its limit", "figure", "limit"])];
    for (index, claim) in CLAIMS.iter().enumerate() {
        let of: Vec<&Bar> = bars.iter().filter(|bar| bar.claim == index + 1).collect();
        let holding = of.iter().filter(|bar| bar.holds()).count();
        let margin = |bar: &Bar| bar.figure / bar.limit;
        let nearest = of.iter().max_by(|one, other| margin(one).total_cmp(&margin(other)));
        let mut line = vec![format!("{}. {claim}", index + 1)];
        match nearest {
            Some(bar) => line.extend([
                format!("{holding} of {}", of.len()),
                bar.what.clone(),
                format!("{:.2}", bar.figure),
                limit(bar),
            ]),
            None => line.extend(["not judged", "–", "–", "–"].map(str::to_owned)),
        }
        grid.push(line);
    }
    grid
}

/// Every bar on a line.
pub fn bars(bars: &[Bar]) -> Vec<Vec<String>> {
    let mut grid = vec![["", "claim", "what", "figure", "limit"].map(str::to_owned).to_vec()];
    for bar in bars {
        let verdict = if bar.holds() { "pass" } else { "FAIL" };
        grid.push(vec![
            verdict.to_owned(),
            bar.claim.to_string(),
            bar.what.clone(),
            format!("{:.2}", bar.figure),
            limit(bar),
        ]);
    }
    grid
}

/// Whether a column holds nothing but numbers, marks and limits, and so belongs to the right.
pub fn is_numeric(grid: &[Vec<String>], column: usize) -> bool {
    let cells = grid.iter().skip(1).filter_map(|row| row.get(column));
    cells.into_iter().all(|text| text.chars().all(|c| c.is_ascii_digit() || " .,-–<≤†‡".contains(c)))
}

fn limit(bar: &Bar) -> String {
    format!("{} {:.2}", if bar.is_strict { "<" } else { "≤" }, bar.limit)
}

fn header(first: &str, rest: &[&str]) -> Vec<String> {
    std::iter::once(first).chain(rest.iter().copied()).map(str::to_owned).collect()
}

fn line(row: &Row, cells: Vec<String>) -> Vec<String> {
    std::iter::once(row.case.name()).chain(cells).collect()
}

/// What a mark in a cell means, for those that occur.
#[derive(Default)]
struct Notes {
    cannot: bool,
    loses: bool,
}

impl Notes {
    fn cell(&mut self, row: &Row, name: &str, figure: Option<String>) -> String {
        let entry: Option<&Entry> = row.entries.iter().find(|entry| entry.contender == name);
        match figure {
            Some(figure) if entry.is_some_and(|entry| entry.is_lossless == Some(false)) => {
                self.loses = true;
                format!("{figure} †")
            }
            Some(figure) => figure,
            None => {
                self.cannot = true;
                "–".to_owned()
            }
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        if self.loses {
            text += " †: what is written is not what was read.";
        }
        if self.cannot {
            text += " –: does not read it as what it is, or was not measured.";
        }
        text
    }
}

fn sentence(note: &str) -> String {
    let mut letters = note.chars();
    let first: String = letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// 12,345
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
