//! The tables of a report, before anybody decides how a table looks.

use crate::bench::bars::{Bar, CLAIMS};
use crate::bench::compile::BASE;
use crate::bench::generator;
use crate::bench::report::Report;
use crate::bench::table::{Entry, LIMIT, Row, Table, What, round};

/// A heading, a sentence, and a table or a note on why there is none.
pub struct Part {
    pub title: &'static str,
    pub about: String,
    /// The header first; a first column of words, then numbers.
    pub grid: Vec<Vec<String>>,
}

/// All of them, the judgement left out.
pub fn parts(report: &Report) -> Vec<Part> {
    let mut parts = vec![
        ratios(
            "Parse",
            "Text to typed message, the message dropped; a session is read, handled and answered.",
            &report.times,
            What::Parse,
        ),
        ratios("Serialise", "Typed message to text.", &report.times, What::Write),
    ];
    match &report.instructions {
        Ok(table) => {
            let about = "Counted by callgrind, which hardly differs between runs.";
            parts.push(ratios("Instructions, parse", about, table, What::Parse));
            parts.push(ratios("Instructions, serialise", about, table, What::Write));
        }
        Err(note) => parts.push(Part { title: "Instructions", about: sentence(note), grid: Vec::new() }),
    }
    parts.push(allocations("Allocations, parse", &report.allocations, What::Parse));
    parts.push(allocations("Allocations, serialise", &report.allocations, What::Write));
    parts.push(builds(report));
    parts.push(generated(report));
    parts
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

fn allocations(title: &'static str, table: &Table, what: What) -> Part {
    let contenders = table.contenders();
    let mut grid = vec![header("message", &contenders)];
    let mut notes = Notes::default();
    for row in table.ways(what) {
        let cell = |name: &&str| notes.cell(row, name, row.of(name).map(|count| format!("{}", round(count))));
        let cells: Vec<String> = contenders.iter().map(cell).collect();
        grid.push(line(row, cells));
    }
    let about = format!("Requests for memory per message, growing included.{}", notes.text());
    Part { title, about, grid }
}

fn builds(report: &Report) -> Part {
    let title = "Compile";
    let builds = match &report.builds {
        Ok(builds) => builds,
        Err(note) => return Part { title, about: sentence(note), grid: Vec::new() },
    };
    let base = builds.iter().find(|build| build.name == BASE).map_or(1.0, |build| build.seconds);
    let mut grid = vec![header("dependency", &["user time", "packages", "lines"])];
    for build in builds {
        let ratio = format!("{:.2}", round(build.seconds / base.max(f64::EPSILON)));
        grid.push(vec![build.name.clone(), ratio, build.packages.to_string(), thousands(build.lines)]);
    }
    let about = "A clean release build of an empty crate with this dependency alone, the cheaper of two: user time, times that \
                 of serde (with derive) and serde_json; packages that are built, and their lines of Rust that are not blank."
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
    cells.into_iter().all(|text| text.chars().all(|c| c.is_ascii_digit() || " .,-–<≤†".contains(c)))
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
