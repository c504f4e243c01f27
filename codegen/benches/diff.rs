//! What a comparison costs: the official revisions, and made-up schemas of growing size.
//!
//! ```sh
//! cargo bench -p mcp-wire-codegen --bench diff
//! ```
//!
//! Each line is the quickest of several runs, which take turns, each in a process of its own. `command` is the whole of
//! `cargo xtask diff OLD NEW --format html` as a user waits for it, with cargo's own start; it reads both schemas at once.
//! `library` does one thing after the other, from two texts in memory to the reports in all formats that have to be worked
//! for. What counts is the growth: twice the types should take no more than twice the time.
//!
//! Some of it is the machine's, whose caches hold less of a larger schema. The instructions tell how much:
//!
//! ```sh
//! valgrind --tool=cachegrind target/release/deps/diff-… OLD.json NEW.json
//! ```
//!
//! The schemas are left in the folder `tmp/diff` beside the programs.

#![allow(clippy::expect_used, clippy::indexing_slicing)]

use std::ffi::{OsStr, OsString};
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
    if let [old, new] = arguments.as_slice() {
        let (changes, seconds) = once(&folder, &sources, [old, new]);
        println!("{changes} changes, {seconds} seconds");
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

    let sizes: &[usize] = if quick { &[100, 200] } else { &[5000, 10_000, 20_000] };
    let command = Command::new();
    let mut rows: Vec<Row> = Vec::new();
    for kind in &KINDS {
        rows.extend(sizes.iter().map(|types| Row::new(kind, *types)));
    }
    for _ in 0..if quick { 1 } else { 8 } {
        for row in &mut rows {
            let (changes, seconds) = in_a_process_of_its_own(&row.files);
            row.library.add(changes, seconds);
            row.command.add(changes, command.run(&row.files, row.types));
        }
    }
    println!(
        "\n{:22} {:>6} {:>8} {:>9} {:>8} {:>9} {:>8}",
        "", "types", "changes", "library", "growth", "command", "growth"
    );
    for (index, row) in rows.iter().enumerate() {
        let half = index.checked_sub(1).map(|before| &rows[before]).filter(|half| half.name == row.name);
        let name = if half.is_none() { row.name } else { "" };
        print!("{name:22} {:>6} {:>8}", row.types, row.library.changes);
        for cost in [|row: &Row| row.library.seconds, |row: &Row| row.command.seconds] {
            let growth = half.map_or("–".to_owned(), |half| format!("{:.2} ×", cost(row) / cost(half)));
            print!(" {:>7.3} s {growth:>8}", cost(row));
        }
        println!();
    }
}

/// Schemas of one kind and size, in files, and what it costs to compare them.
struct Row {
    name: &'static str,
    types: usize,
    files: [PathBuf; 2],
    library: Cost,
    command: Cost,
}

impl Row {
    fn new(kind: &Kind, types: usize) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("diff").join(kind.name.replace(' ', "-"));
        std::fs::create_dir_all(&folder).expect("a folder for schemas");
        let files = [false, true].map(|is_new| {
            let file = folder.join(format!("{types}-{}.json", if is_new { "new" } else { "old" }));
            std::fs::write(&file, made_up(kind, types, is_new)).expect("a schema");
            file
        });
        Self { name: kind.name, types, files, library: Cost::default(), command: Cost::default() }
    }
}

/// `cargo xtask diff`.
struct Command {
    cargo: OsString,
}

impl Command {
    fn new() -> Self {
        let command = Self { cargo: std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()) };
        // The first time may build it.
        command.start(["--help".as_ref()]);
        command
    }

    fn run(&self, files: &[PathBuf; 2], types: usize) -> f64 {
        let [old, new] = files;
        let start = Instant::now();
        let page = self.start(["--format".as_ref(), "html".as_ref(), old.as_os_str(), new.as_os_str()]);
        let seconds = start.elapsed().as_secs_f64();
        assert!(page.len() > types * 100, "a page that shows the changes");
        seconds
    }

    fn start<'a>(&self, arguments: impl IntoIterator<Item = &'a OsStr>) -> Vec<u8> {
        let mut command = std::process::Command::new(&self.cargo);
        command.args(["xtask", "diff"]).args(arguments);
        command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
        let output = command.output().expect("cargo xtask diff");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
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
fn once(folder: &Path, sources: &Sources, files: [&String; 2]) -> (usize, f64) {
    let [old, new] = files.map(|file| std::fs::read(file).expect("a schema"));
    let start = Instant::now();
    let editions = [edition(folder, sources, &old, "old"), edition(folder, sources, &new, "new")];
    let [old, new] = &editions;
    let report = compare(old, new);
    print(&report);
    let seconds = start.elapsed().as_secs_f64();
    std::mem::forget(editions);
    (report.changes.len(), seconds)
}

fn in_a_process_of_its_own(files: &[PathBuf; 2]) -> (usize, f64) {
    let this = std::env::current_exe().expect("the path of this program");
    let output = std::process::Command::new(this).args(files).output().expect("this program again");
    let text = String::from_utf8(output.stdout).expect("text");
    let numbers: Vec<f64> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [changes, seconds] = numbers.try_into().expect("what a run of one size prints");
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

/// A kind of made-up schemas.
struct Kind {
    name: &'static str,
    /// One of so many definitions has changed.
    changed: usize,
    /// Which definition another one refers to, of those whose numbers are multiples of ten.
    target: fn(index: usize, offset: usize, types: usize) -> usize,
}

const KINDS: [Kind; 4] = [
    Kind { name: "a tenth changed", changed: 10, target: near },
    Kind { name: "everything changed", changed: 1, target: near },
    Kind { name: "references anywhere", changed: 10, target: anywhere },
    Kind { name: "one long chain", changed: 10, target: next },
];

/// One of a hundred neighbours.
fn near(index: usize, offset: usize, _: usize) -> usize {
    index / 100 * 100 + (index + offset) % 100
}

fn anywhere(index: usize, offset: usize, types: usize) -> usize {
    (index * 7919 + offset * 104_729) % types
}

fn next(index: usize, _: usize, types: usize) -> usize {
    (index + 10) % types
}

/// A schema with requests, their params, objects that refer to each other, enums and unions. In the new one, some of the
/// definitions have changed in some way.
fn made_up(kind: &Kind, types: usize, is_new: bool) -> Vec<u8> {
    let mut definitions = Map::new();
    let mut requests = Vec::new();
    for index in 0..types {
        let changed = is_new && index % kind.changed == 3 % kind.changed;
        // Some are gone, and some have another name.
        if changed && index % 100 == 13 {
            continue;
        }
        let name = if changed && index % 100 == 23 { format!("Renamed{index}") } else { format!("Type{index}") };
        let reference = |offset: usize| {
            let target = (kind.target)(index, offset, types) / 10 * 10;
            json!({ "$ref": format!("#/$defs/Type{target}") })
        };
        let definition = match index % 10 {
            8 if changed => json!({ "type": "string", "enum": ["first", "second", "third", format!("value{index}")] }),
            8 => json!({ "type": "string", "enum": ["first", "second", format!("value{index}")] }),
            9 if changed => json!({ "anyOf": [reference(10), reference(20), { "type": "string" }] }),
            9 => json!({ "anyOf": [reference(10), reference(20)] }),
            7 => {
                requests.push(json!({ "$ref": format!("#/$defs/{name}") }));
                let required: &[&str] = if changed { &["method"] } else { &["method", "params"] };
                json!({
                    "type": "object",
                    "description": format!("Request number {index}."),
                    "properties": {
                        "method": { "type": "string", "const": format!("made-up/{index}") },
                        "params": reference(0),
                    },
                    "required": required,
                })
            }
            _ => {
                let mut properties = Map::new();
                for member in 0..8 {
                    properties.insert(format!("member{member}Of{}", index % 50), json!({ "type": "string" }));
                }
                properties.insert("title".to_owned(), json!({ "type": "string", "description": "A title." }));
                properties.insert("other".to_owned(), reference(30));
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
