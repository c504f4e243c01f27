//! What a comparison costs: the official revisions, and made-up schemas of growing size.
//!
//! ```sh
//! cargo bench -p mcp-wire-codegen --bench diff
//! ```
//!
//! Each line is the cheapest of several runs, the sizes taking turns, in CPU time of this process where the system tells it.
//! What counts is the last column: twice the types should cost twice as much. Part of it is the machine: the larger size
//! fits less well into its caches. What the program itself does is told by its instructions, one size at a time:
//!
//! ```sh
//! valgrind --tool=callgrind target/release/deps/diff-… 5000
//! ```

#![allow(clippy::expect_used, clippy::indexing_slicing)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mcp_wire_codegen::diff::print::text::Style;
use mcp_wire_codegen::diff::print::{html, markdown, text};
use mcp_wire_codegen::diff::report::Report;
use mcp_wire_codegen::diff::{Edition, compare};
use mcp_wire_codegen::load::{self, Sources};
use serde_json::{Map, Value, json};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
    let sources = load::sources(&folder).expect("the schema folder");
    let compared = |(old, new): &(Vec<u8>, Vec<u8>)| {
        let report = compare(&edition(&folder, &sources, old, "old"), &edition(&folder, &sources, new, "new"));
        print(&report);
        report.changes.len()
    };
    // One size, once: for tools that count instructions.
    if let Some(types) = arguments.iter().find_map(|argument| argument.parse().ok()) {
        println!("{types} types, {} changes", compared(&(made_up(types, false), made_up(types, true))));
        return;
    }

    // `cargo test --benches` only wants to know that it runs.
    let quick = !arguments.iter().any(|argument| argument == "--bench");
    let mut cost = Cost::default();
    for _ in 0..if quick { 1 } else { 5 } {
        cost.add(|| official(&folder, &sources));
    }
    println!("all neighbouring revisions: {} changes, {:.3} s", cost.changes, cost.seconds());

    let (sizes, rounds) = if quick { ([100, 200, 400], 1) } else { ([2500, 5000, 10_000], 12) };
    let pairs = sizes.map(|types| (made_up(types, false), made_up(types, true)));
    let mut costs = sizes.map(|_| Cost::default());
    for _ in 0..rounds {
        for (pair, cost) in pairs.iter().zip(&mut costs) {
            cost.add(|| compared(pair));
        }
    }
    println!("\n{:>7}  {:>8}  {:>9}  {:>8}", "types", "changes", "seconds", "growth");
    let mut last: Option<f64> = None;
    for (types, cost) in sizes.iter().zip(costs) {
        let growth = last.map_or("–".to_owned(), |last| format!("{:.2} ×", cost.seconds() / last));
        println!("{types:>7}  {:>8}  {:>9.3}  {growth:>8}", cost.changes, cost.seconds());
        last = Some(cost.seconds());
    }
}

/// The least that some work has cost, and what it has found.
#[derive(Default)]
struct Cost {
    least: Option<Duration>,
    changes: usize,
}

impl Cost {
    fn add(&mut self, work: impl FnOnce() -> usize) {
        let start = cpu_time();
        self.changes = work();
        let cost = cpu_time().saturating_sub(start);
        self.least = Some(self.least.map_or(cost, |least| least.min(cost)));
    }

    fn seconds(&self) -> f64 {
        self.least.unwrap_or_default().as_secs_f64()
    }
}

fn official(folder: &Path, sources: &Sources) -> usize {
    let names = sources.revisions.iter().map(|source| source.name.as_str());
    let editions: Vec<Edition> =
        names.map(|name| Edition::revision(folder, sources, name).expect("a revision").expect("a known one")).collect();
    let pairs = editions.windows(2).map(|pair| compare(&pair[0], &pair[1]));
    pairs.inspect(print).map(|report| report.changes.len()).sum()
}

/// Every format that has to be worked for.
fn print(report: &Report) {
    let reports = std::slice::from_ref(report);
    black_box(text::text(reports, Style::default()));
    black_box(markdown::markdown(reports, false));
    black_box(serde_json::to_string_pretty(report).expect("JSON"));
    black_box(html::html(report).expect("a page"));
}

fn edition(folder: &Path, sources: &Sources, text: &[u8], name: &str) -> Edition {
    let schema = load::bytes(&PathBuf::from(format!("{name}.json")), name, text).expect("a schema");
    Edition::as_written(folder, sources, schema, name).expect("an edition")
}

/// A schema with requests, their params and results, objects that refer to each other, enums and unions. In the new
/// one, every tenth definition has changed in some way.
fn made_up(types: usize, is_new: bool) -> Vec<u8> {
    let mut definitions = Map::new();
    let mut requests = Vec::new();
    for index in 0..types {
        let changed = is_new && index % 10 == 3;
        // Some are gone, and some have another name.
        if changed && index % 100 == 13 {
            continue;
        }
        let name = if changed && index % 100 == 23 { format!("Renamed{index}") } else { format!("Type{index}") };
        // References stay among a hundred neighbours, so that no chain of them is long.
        let reference =
            |to: usize| json!({ "$ref": format!("#/$defs/Type{}", index / 100 * 100 + to % 100 / 10 * 10) });
        let definition = match index % 10 {
            8 => json!({ "type": "string", "enum": ["first", "second", format!("value{index}")] }),
            9 => json!({ "anyOf": [reference(index + 10), reference(index + 20)] }),
            7 => {
                requests.push(json!({ "$ref": format!("#/$defs/{name}") }));
                json!({
                    "type": "object",
                    "description": format!("Request number {index}."),
                    "properties": {
                        "method": { "type": "string", "const": format!("made-up/{index}") },
                        "params": reference(index),
                    },
                    "required": ["method", "params"],
                })
            }
            _ => {
                let mut properties = Map::new();
                for member in 0..8 {
                    properties.insert(format!("member{member}Of{}", index % 50), json!({ "type": "string" }));
                }
                properties.insert("title".to_owned(), json!({ "type": "string", "description": "A title." }));
                properties.insert("other".to_owned(), reference(index + 30));
                if changed {
                    properties.insert("added".to_owned(), json!({ "type": "integer", "minimum": index }));
                }
                let required: &[&str] = if changed { &["title", "added"] } else { &["title"] };
                json!({ "type": "object", "properties": properties, "required": required })
            }
        };
        definitions.insert(name, definition);
    }
    definitions.insert("ClientRequest".to_owned(), json!({ "anyOf": requests }));
    serde_json::to_vec(&Value::from(Map::from_iter([("$defs".to_owned(), Value::from(definitions))]))).expect("JSON")
}

/// The time this process has computed, or the time of day where the system does not tell.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    match text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok()) {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default(),
    }
}
