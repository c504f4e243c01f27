//! What a comparison costs: the official revisions, and made-up schemas of growing size.
//!
//! ```sh
//! cargo bench -p mcp-wire-codegen --bench diff
//! ```
//!
//! Each line is the quickest of several runs, the sizes taking turns, each in a process of its own. `library` goes from
//! two texts in memory to the reports in all formats that have to be worked for; `command` is the whole of
//! `cargo xtask diff OLD NEW --format html` as a user waits for it, with cargo's own start. What counts is the growth: twice
//! the types should cost no more than twice as much. What part of it is the machine, whose caches hold less of the larger
//! size, is told by the instructions, one size at a time:
//!
//! ```sh
//! valgrind --tool=callgrind target/release/deps/diff-… 5000
//! ```

#![allow(clippy::expect_used, clippy::indexing_slicing)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

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
    if let Some(types) = arguments.iter().find_map(|argument| argument.parse().ok()) {
        let (changes, seconds) = once(&folder, &sources, types);
        println!("{types} types, {changes} changes, {seconds} seconds");
        return;
    }

    // `cargo test --benches` only wants to know that it runs.
    let quick = !arguments.iter().any(|argument| argument == "--bench");
    let mut cost = Cost::default();
    for _ in 0..if quick { 1 } else { 5 } {
        let start = Instant::now();
        let changes = official(&folder, &sources);
        cost.add(changes, start.elapsed().as_secs_f64());
    }
    println!("all neighbouring revisions: {} changes, {:.3} s", cost.changes, cost.seconds);

    let (sizes, rounds): (&[usize], usize) = if quick { (&[100, 200], 1) } else { (&[2500, 5000, 10_000, 20_000], 12) };
    let command = Command::new(sizes);
    let mut costs: Vec<[Cost; 2]> = sizes.iter().map(|_| Default::default()).collect();
    for _ in 0..rounds {
        for (types, [library, whole]) in sizes.iter().zip(&mut costs) {
            let (changes, seconds) = in_a_process_of_its_own(*types);
            library.add(changes, seconds);
            whole.add(changes, command.run(*types));
        }
    }
    println!(
        "\n{:>7}  {:>8}  {:>9}  {:>8}  {:>9}  {:>8}",
        "types", "changes", "library", "growth", "command", "growth"
    );
    let mut last: Option<&[Cost; 2]> = None;
    for (types, costs) in sizes.iter().zip(&costs) {
        print!("{types:>7}  {:>8}", costs[0].changes);
        for (column, cost) in costs.iter().enumerate() {
            let growth = last.map_or("–".to_owned(), |last| format!("{:.2} ×", cost.seconds / last[column].seconds));
            print!("  {:>7.3} s  {growth:>8}", cost.seconds);
        }
        println!();
        last = Some(costs);
    }
}

/// The command, and schemas for it in files.
struct Command {
    folder: PathBuf,
}

impl Command {
    fn new(sizes: &[usize]) -> Self {
        let command = Self { folder: Path::new(env!("CARGO_TARGET_TMPDIR")).join("diff") };
        std::fs::create_dir_all(&command.folder).expect("a folder for schemas");
        for types in sizes {
            for is_new in [false, true] {
                std::fs::write(command.file(*types, is_new), made_up(*types, is_new)).expect("a schema");
            }
        }
        // The first time may build it.
        command.run(sizes[0]);
        command
    }

    fn file(&self, types: usize, is_new: bool) -> PathBuf {
        self.folder.join(format!("{types}-{}.json", if is_new { "new" } else { "old" }))
    }

    fn run(&self, types: usize) -> f64 {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = std::process::Command::new(cargo);
        command.args(["xtask", "diff", "--format", "html"]).args([false, true].map(|is_new| self.file(types, is_new)));
        command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
        let start = Instant::now();
        let output = command.output().expect("cargo xtask diff");
        let seconds = start.elapsed().as_secs_f64();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stdout.len() > types * 100, "a page that shows the changes");
        seconds
    }
}

/// What some work has found, and the least time that it took.
struct Cost {
    changes: usize,
    seconds: f64,
}

impl Default for Cost {
    fn default() -> Self {
        Self { changes: 0, seconds: f64::INFINITY }
    }
}

impl Cost {
    fn add(&mut self, changes: usize, seconds: f64) {
        (self.changes, self.seconds) = (changes, self.seconds.min(seconds));
    }
}

/// From the texts of two schemas to every report about them. Like the command, it does not tidy up what ends with it.
fn once(folder: &Path, sources: &Sources, types: usize) -> (usize, f64) {
    let (old, new) = (made_up(types, false), made_up(types, true));
    let start = Instant::now();
    let editions = [edition(folder, sources, &old, "old"), edition(folder, sources, &new, "new")];
    let [old, new] = &editions;
    let report = compare(old, new);
    print(&report);
    let seconds = start.elapsed().as_secs_f64();
    std::mem::forget(editions);
    (report.changes.len(), seconds)
}

fn in_a_process_of_its_own(types: usize) -> (usize, f64) {
    let this = std::env::current_exe().expect("the path of this program");
    let output = std::process::Command::new(this).arg(types.to_string()).output().expect("this program again");
    let text = String::from_utf8(output.stdout).expect("text");
    let numbers: Vec<f64> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [_, changes, seconds] = numbers.try_into().expect("what a run of one size prints");
    (changes as usize, seconds)
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
