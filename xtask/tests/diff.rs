//! `cargo xtask diff` as its users meet it: arguments and files in, exit code, output and messages out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../codegen/tests/revisions/mod.rs"]
mod revisions;

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use revisions::{newest, revisions, stateless};
use serde_json::{Value, json};

const FORMATS: [&str; 6] = ["text", "markdown", "json", "html", "sarif", "github"];
static REVISIONS: LazyLock<Vec<&str>> = LazyLock::new(|| revisions().collect());

/// A folder of one test, removed with everything in it when the test ends, however it ends.
struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("mcp-wire-xtask-diff-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        // The command resolves links, and on some systems the folder for temporary files is behind one.
        Self { folder: folder.canonicalize().unwrap() }
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        std::fs::write(self.folder.join(name), bytes).unwrap();
        name.to_owned()
    }

    fn schema(&self, name: &str, schema: &Value) -> String {
        self.write(name, serde_json::to_string_pretty(schema).unwrap())
    }

    /// Runs the command inside the folder.
    fn run(&self, arguments: &[&str]) -> Done {
        run_in(&self.folder, arguments)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays is no reason to fail a test, or to hide why it failed.
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

/// What a run of the command left behind.
struct Done {
    arguments: String,
    code: Option<i32>,
    out: String,
    err: String,
}

impl Done {
    /// The output of a run that succeeded.
    fn ok(self) -> String {
        self.exits(0)
    }

    /// The output of a run that compared, whatever `--fail-on` made of it: nothing is said beside it.
    #[track_caller]
    fn exits(self, code: i32) -> String {
        assert_eq!(self.err, "", "{}", self.arguments);
        assert_eq!(self.code, Some(code), "{}\n{}", self.arguments, self.out);
        self.out
    }

    fn json(self) -> Value {
        serde_json::from_str(&self.ok()).unwrap()
    }
}

fn run_in(folder: &Path, arguments: &[&str]) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let output = command.arg("diff").args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap();
    Done {
        arguments: arguments.join(" "),
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the command in the project's folder.
fn run(arguments: &[&str]) -> Done {
    run_in(root(), arguments)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The text of a revision's schema.
fn text_of(revision: &str) -> String {
    std::fs::read_to_string(root().join("schema").join(revision).join("schema.json")).unwrap()
}

/// A schema of the draft-07 kind, to be changed by a test.
fn schema() -> Value {
    serde_json::from_str(&text_of("2025-06-18")).unwrap()
}

/// The paths of a list of changes, with their rules.
fn changes<'a>(report: &'a Value, list: &str) -> BTreeSet<(&'a str, &'a str)> {
    let changes = report[list].as_array().unwrap().iter();
    changes.map(|change| (change["rule"].as_str().unwrap(), change["path"].as_str().unwrap())).collect()
}

// 1. Input that cannot be used.

#[test]
fn every_bad_input_is_named_with_a_next_step() {
    let scratch = Scratch::new();
    let good = scratch.schema("good.json", &schema());
    scratch.write("empty.json", "");
    scratch.write("text.json", "this is no JSON");
    scratch.write("half.json", "{\"$defs\": {\"A\": {");
    scratch.write("other.json", "{\"type\": \"object\"}");
    scratch.write("list.json", "[1, 2]");
    scratch.write("latin.json", b"{\"$defs\": {\"A\": {\"description\": \"\xe9\"}}}");
    let deep = format!("{{\"$defs\": {{\"A\": {}{{}}{}}}}}", "{\"items\": ".repeat(200), "}".repeat(200));
    scratch.write("deep.json", deep);
    scratch.write("both.json", "{\"$defs\": {\"A\": {\"type\": \"string\"}}, \"definitions\": {}}");
    scratch.write("dangling.json", "{\"$defs\": {\"A\": {\"$ref\": \"#/$defs/B\"}}}");
    std::fs::create_dir(scratch.folder.join("folder")).unwrap();
    let absolute = scratch.folder.join(&good).to_string_lossy().into_owned();

    let entry = |rule: &str, expires: &str| {
        format!("[[ignore]]\nrule = \"{rule}\"\npath = \"Tool.title\"\nreason = \"unused\"\nexpires = {expires}\n")
    };
    let known = "field.removed-optional";
    scratch.write("no.toml", "this is no TOML");
    scratch.write("key.toml", entry(known, "2027-01-31").replace("reason", "because"));
    scratch.write("reasonless.toml", entry(known, "2027-01-31").replace("reason = \"unused\"\n", ""));
    scratch.write("empty-reason.toml", entry(known, "2027-01-31").replace("unused", " "));
    scratch.write("soon.toml", entry(known, "\"soon\""));
    scratch.write("february.toml", entry(known, "\"2027-02-30\""));
    scratch.write("rule.toml", entry("removed-optional", "2027-01-31"));
    scratch.write("twice.toml", entry(known, "2027-01-31").repeat(2));
    scratch.write("latin.toml", b"# \xe9\n");

    let (old, new) = ("2025-11-25", stateless());
    let month = new.trim_end_matches(|letter| letter != '-').trim_end_matches('-');
    let (neither, mean) = (format!("`{month}` is neither"), format!("did you mean {new}?"));
    let like = format!("write it as FROM..TO, like 2024-11-05..{}", newest());
    let [back, nowhere, unknown] =
        [format!("{new}..2024-11-05"), format!("{}..", newest()), format!("2025-06-19..{new}")];
    // What is asked, what is wrong with it, and the next step.
    let mut cases: Vec<(Vec<&str>, &str, &str)> = vec![
        // A side that is nothing.
        (vec!["2025-11-26", new], "`2025-11-26` is neither a revision nor a file", "did you mean 2025-11-25"),
        (vec![old, month], &neither, &mean),
        (vec!["latest", new], "`latest` is neither", "the revisions are 2024-11-05, 2025-03-26"),
        (vec!["missing.json", new], "there is no file missing.json", "check the path"),
        (vec![old, "missing/schema"], "there is no file missing/schema", "check the path"),
        (vec!["folder", &good], "folder is a folder", "name the schema file in it"),
        (vec!["folder", "folder"], "folder is a folder", "name the schema file in it"),
        // A file that is no schema.
        (vec!["empty.json", &good], "empty.json: the file is empty", "check that it was written"),
        (vec![&good, "text.json"], "text.json: not JSON", "check that the file is complete"),
        (vec![&good, "half.json"], "half.json: not JSON (EOF", "check that the file is complete"),
        (vec!["other.json", &good], "other.json: no definitions", "under `$defs` (2020-12) or `definitions`"),
        (vec!["list.json", &good], "list.json: no definitions", "under `$defs` (2020-12) or `definitions`"),
        (vec!["latin.json", &good], "latin.json: not UTF-8", "save the schema as UTF-8"),
        (vec!["deep.json", &good], "deep.json: not JSON (recursion limit", "less than 128 levels deep"),
        (vec!["both.json", &good], "both `$defs` and `definitions`", "keep the types under one of the two"),
        (vec![old, "dangling.json"], "dangling.json#/$defs/A/$ref", "refer to one of its"),
        // The same file.
        (vec![&good, &good], "good.json and good.json are the same file", "name the file to compare it with"),
        (vec![&good, "./folder/../good.json"], "are the same file", "name the file to compare it with"),
        (vec![&absolute, &good], "are the same file", "name the file to compare it with"),
        // The ignore file.
        (vec![old, new, "--ignore", "no.toml"], "no.toml: TOML parse error", "every entry is a table [[ignore]]"),
        (vec![old, new, "--ignore", "key.toml"], "unknown field `because`", "every entry is a table"),
        (vec![old, new, "--ignore", "reasonless.toml"], "missing field `reason`", "every entry is a table"),
        (vec![old, new, "--ignore", "empty-reason.toml"], "without a reason", "say why"),
        (vec![old, new, "--ignore", "soon.toml"], "`soon` is not a date", "write the last day as \"YYYY-MM-DD\""),
        (vec![old, new, "--ignore", "february.toml"], "`2027-02-30` is not a date", "write the last day as"),
        (vec![old, new, "--ignore", "rule.toml"], "no rule `removed-optional`", "mean `field.removed-optional`?"),
        (vec![old, new, "--ignore", "twice.toml"], "already ignored by entry 1", "keep one of the two"),
        (vec![old, new, "--ignore", "latin.toml"], "latin.toml: not UTF-8", "save it as UTF-8"),
        (vec![old, new, "--ignore", "missing.toml"], "missing.toml: ", "check the path"),
        (vec![old, new, "--ignore", "folder"], "folder: ", "check the path"),
        // The chain.
        (vec!["--chain", "2025-06-18"], "`2025-06-18` is not a chain", &like),
        (vec!["--chain", "2025-06-18-2025-11-25"], "is not a chain", "write it as FROM..TO"),
        (vec!["--chain", &back], "compares nothing", "has to be later"),
        (vec!["--chain", &nowhere], "compares nothing", "has to be later"),
        (vec!["--chain", "2025-06-18..2025-06-18"], "compares nothing", "has to be later"),
        (vec!["--chain", &unknown], "`2025-06-19` is not a revision", "did you mean 2025-06-18"),
        (vec!["--chain", "2024-11-05..next"], "`next` is not a revision", "the revisions are 2024-11-05"),
        (vec!["--chain", "2024-11-05..good.json"], "`good.json` is not a revision", "the revisions are"),
        // The subject.
        (vec![old, new, "--only", "Tol"], "is called `Tol`", "did you mean Tool?"),
        (vec![old, new, "--only", "tools/cal"], "is called `tools/cal`", "did you mean tools/call?"),
        (vec![old, new, "--only", "tool"], "is called `tool`", "did you mean Tool?"),
        (vec![old, new, "--only", "Quaternion"], "is called `Quaternion`", "like Tool or tools/call"),
        // The arguments themselves.
        (vec![], "required arguments were not provided", "--help"),
        (vec![old], "required arguments were not provided", "<NEW>"),
        (vec![old, new, "--chain", ".."], "cannot be used with", "--help"),
        (vec![old, new, "--format", "xml"], "invalid value 'xml'", "possible values: text, markdown, json, html"),
        (vec![old, new, "--fail-on", "all"], "invalid value 'all'", "possible values: breaking, any"),
        (vec![old, new, "2025-06-18"], "unexpected argument '2025-06-18'", "--help"),
    ];
    let mut expected = 48;
    if cfg!(unix) {
        #[cfg(unix)]
        std::os::unix::fs::symlink(scratch.folder.join(&good), scratch.folder.join("link.json")).unwrap();
        cases.push((vec![&good, "link.json"], "good.json and link.json are the same file", "name the file"));
        expected += 1;
    }
    assert_eq!(cases.len(), expected);
    for (arguments, problem, step) in cases {
        let Done { arguments, code, out, err } = scratch.run(&arguments);
        assert_eq!(code, Some(2), "{arguments}\n{err}");
        assert_eq!(out, "", "{arguments}");
        assert!(err.starts_with("error: "), "{arguments}\n{err}");
        assert!(err.contains(problem), "{arguments}: `{problem}` is not in\n{err}");
        let rest = err.split_once(problem).unwrap().1;
        assert!(rest.contains(step), "{arguments}: `{step}` does not follow in\n{err}");
        assert!(!err.contains("panicked") && !err.contains('\u{1b}'), "{arguments}\n{err}");
        // What the system says is said once.
        assert!(err.matches("os error").count() <= 1, "{arguments}\n{err}");
    }
}

#[test]
fn formats_do_not_change_what_is_bad() {
    let scratch = Scratch::new();
    scratch.write("empty.json", "");
    for format in FORMATS {
        let done = scratch.run(&["2025-11-25", "empty.json", "--format", format, "--fail-on", "any"]);
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{format}");
        assert!(done.err.contains("empty.json: the file is empty"), "{format}: {}", done.err);
    }
}

// 2. Nothing changed.

/// A value without whitespace, and with the members of every object the other way round.
fn reversed(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut texts: Vec<String> =
                members.iter().map(|(name, value)| format!("{}:{}", json!(name), reversed(value))).collect();
            texts.reverse();
            format!("{{{}}}", texts.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(reversed).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

#[track_caller]
fn says_nothing(scratch: &Scratch, old: &str, new: &str) {
    for format in FORMATS {
        for all in [&[][..], &["--all"]] {
            let arguments = [&[old, new, "--format", format, "--fail-on", "any"], all].concat();
            let out = scratch.run(&arguments).ok();
            let what = arguments.join(" ");
            match format {
                "text" => assert!(out.ends_with("\nNo changes.\n") && !out.contains("breaking"), "{what}\n{out}"),
                "markdown" => {
                    assert!(out.ends_with("\n\nNo changes.\n") && out.lines().count() == 3, "{what}\n{out}")
                }
                "json" => {
                    let report: Value = serde_json::from_str(&out).unwrap();
                    for list in ["changes", "documentation", "refactors", "ignored", "warnings"] {
                        assert_eq!(report[list], json!([]), "{what}: {list}");
                    }
                    let summary = &report["summary"];
                    for count in ["breaking", "compatible", "notices", "documentation", "refactors", "ignored"] {
                        assert_eq!(summary[count], json!(0), "{what}: {count}");
                    }
                    assert_eq!(summary["areas"], json!([]), "{what}");
                    assert!(summary["rules"].as_object().unwrap().values().all(|count| *count == json!(0)), "{what}");
                    for pair in ["old_client_new_server", "new_client_old_server"] {
                        assert_eq!(summary[pair], json!({"outcome": "safe"}), "{what}");
                    }
                }
                "sarif" => {
                    let log: Value = serde_json::from_str(&out).unwrap();
                    assert_eq!(log["runs"][0]["results"], json!([]), "{what}");
                }
                "github" => assert_eq!(out, "", "{what}"),
                _ => assert!(out.contains(">No changes.<"), "{what}"),
            }
        }
    }
}

#[test]
fn a_revision_and_itself_are_equal() {
    let scratch = Scratch::new();
    for revision in revisions() {
        says_nothing(&scratch, revision, revision);
    }
}

#[test]
fn files_of_equal_content_are_equal_however_they_are_written() {
    let scratch = Scratch::new();
    for revision in ["2025-06-18", stateless()] {
        let text = text_of(revision);
        let value: Value = serde_json::from_str(&text).unwrap();
        scratch.write("old.json", &text);
        let (dense, back) = (serde_json::to_string(&value).unwrap(), reversed(&value));
        let windows = text.replace('\n', "\r\n");
        assert_ne!(dense, back);
        assert_eq!(serde_json::from_str::<Value>(&back).unwrap(), value);
        for (name, text) in [
            ("copy.json", text.clone()),
            ("dense.json", dense),
            ("reversed.json", back),
            ("crlf.json", windows.clone()),
            ("bom.json", format!("\u{feff}{text}")),
            ("both.json", format!("\u{feff}{windows}")),
        ] {
            scratch.write(name, text);
            says_nothing(&scratch, "old.json", name);
        }
        // A revision is as it is written, if it is compared with a file.
        says_nothing(&scratch, revision, "old.json");
        says_nothing(&scratch, "old.json", revision);
    }
}

// 3. The gate.

/// Changes a schema, and tells how the gates judge the two.
#[track_caller]
fn gates(change: impl FnOnce(&mut Value)) -> (Value, [Option<i32>; 3]) {
    let scratch = Scratch::new();
    let (old, mut new) = (schema(), schema());
    change(&mut new);
    assert_ne!(old, new);
    let (old, new) = (scratch.schema("old.json", &old), scratch.schema("new.json", &new));
    let report = scratch.run(&[&old, &new, "--format", "json", "--all"]).json();
    let gates = [&[][..], &["--fail-on", "breaking"], &["--fail-on", "any"]];
    let codes = gates.map(|gate| {
        let done = scratch.run(&[&[old.as_str(), new.as_str()], gate].concat());
        assert_eq!(done.err, "");
        assert_ne!(done.out, "");
        done.code
    });
    (report, codes)
}

#[test]
fn gates_tell_breaking_changes_from_compatible_ones() {
    let (report, codes) = gates(|new| {
        let tool = &mut new["definitions"]["Tool"];
        tool["properties"]["owner"] = json!({"type": "string"});
        tool["required"].as_array_mut().unwrap().push(json!("owner"));
    });
    assert_eq!(changes(&report, "changes"), [("field.added-required", "Tool.owner")].into());
    assert_eq!(report["changes"][0]["severity"], "breaking");
    assert_eq!(codes, [Some(0), Some(1), Some(1)]);

    let (report, codes) = gates(|new| {
        new["definitions"]["Tool"]["properties"]["owner"] = json!({"type": "string"});
    });
    assert_eq!(changes(&report, "changes"), [("field.added-optional", "Tool.owner")].into());
    assert_eq!(codes, [Some(0), Some(0), Some(1)]);

    for revisions in REVISIONS.windows(2) {
        let report = run(&[revisions, &["--format", "json"]].concat()).json();
        let breaking = report["summary"]["breaking"].as_u64().unwrap();
        run(&[revisions, &["--fail-on", "breaking"]].concat()).exits(i32::from(breaking > 0));
        run(&[revisions, &["--fail-on", "any"]].concat()).exits(1);
    }
    // One pair of a chain is enough.
    run(&["--chain", "..", "--only", "Tool", "--fail-on", "breaking"]).exits(1);
    run(&["--chain", "..2025-11-25", "--only", "Tool", "--fail-on", "breaking"]).exits(0);
}

#[test]
fn gates_mind_what_cannot_be_compared() {
    for (member, value) in [("format", json!("date-time")), ("default", json!("a")), ("x-of-ours", json!(1))] {
        let (report, codes) = gates(|new| new["definitions"]["Tool"]["properties"]["name"][member] = value);
        assert_eq!(changes(&report, "changes"), [("unverified.keyword", "Tool.name")].into());
        assert_eq!(
            (&report["changes"][0]["severity"], &report["summary"]["refactors"]),
            (&json!("unverified"), &json!(0))
        );
        assert_eq!(codes, [Some(0), Some(0), Some(1)]);
        let mut found = Vec::new();
        let schema = run(&["--print-schema"]).json();
        mistakes(&schema, &schema, &report, "", &mut found);
        assert_eq!(found, Vec::<String>::new());
    }
}

#[test]
fn gates_do_not_mind_words() {
    let (report, codes) = gates(|new| {
        new["definitions"]["Tool"]["properties"]["name"]["description"] = json!("The name, in other words.");
        new["definitions"]["Tool"]["description"] = json!("A tool, in other words.");
    });
    assert_eq!(changes(&report, "changes"), [].into());
    assert_eq!(report["summary"]["documentation"], 2);
    assert_eq!(codes, [Some(0); 3]);
}

#[test]
fn gates_do_not_mind_refactors() {
    let dialect = |new: &mut Value| {
        let text = new.to_string().replace("#/definitions/", "#/$defs/");
        *new = serde_json::from_str(&text).unwrap();
        let definitions = new.as_object_mut().unwrap().remove("definitions").unwrap();
        new["$defs"] = definitions;
        new["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    };
    let outlined = |new: &mut Value| {
        let definitions = &mut new["definitions"];
        let inline = definitions["Tool"]["properties"]["inputSchema"].take();
        let reference = json!({"$ref": "#/definitions/ToolInput", "description": inline["description"]});
        definitions["Tool"]["properties"]["inputSchema"] = reference;
        definitions["ToolInput"] = inline;
    };
    let renamed = |new: &mut Value| {
        let text = new.to_string().replace("#/definitions/ToolAnnotations\"", "#/definitions/ToolHints\"");
        *new = serde_json::from_str(&text).unwrap();
        let definition = new["definitions"].as_object_mut().unwrap().remove("ToolAnnotations").unwrap();
        new["definitions"]["ToolHints"] = definition;
    };
    type Refactor<'a> = &'a dyn Fn(&mut Value);
    let kinds: [(&str, Refactor); 4] = [
        ("dialect", &dialect),
        ("outlined", &outlined),
        ("renamed", &renamed),
        ("all", &|new| {
            outlined(new);
            renamed(new);
            dialect(new);
        }),
    ];
    for (name, change) in kinds {
        let (report, codes) = gates(change);
        assert_eq!(changes(&report, "changes"), [].into(), "{name}");
        assert_ne!(report["refactors"], json!([]), "{name}");
        assert_eq!(report["summary"]["refactors"], report["refactors"].as_array().unwrap().len(), "{name}");
        assert_eq!(codes, [Some(0); 3], "{name}");
    }
}

#[test]
fn refactors_are_listed_on_request_and_counted_always() {
    let pair = ["2025-11-25", stateless(), "--format", "json"];
    let (few, all) = (run(&pair).json(), run(&[&pair[..], &["--all"]].concat()).json());
    assert_eq!(few["refactors"], json!([]));
    assert_eq!(few["summary"], all["summary"]);
    assert_eq!(few["summary"]["refactors"], all["refactors"].as_array().unwrap().len());
    assert_eq!(few["changes"], all["changes"]);
}

// 4. The ignore file.

fn entry(rule: &str, path: &str, expires: &str) -> String {
    format!("[[ignore]]\nrule = \"{rule}\"\npath = \"{path}\"\nreason = \"nobody reads it\"\nexpires = {expires}\n\n")
}

/// Two changes, a breaking and a compatible one.
fn ignorable(scratch: &Scratch) -> [String; 2] {
    let (old, mut new) = (schema(), schema());
    let tool = &mut new["definitions"]["Tool"];
    tool["properties"]["owner"] = json!({"type": "string"});
    tool["required"].as_array_mut().unwrap().push(json!("owner"));
    new["definitions"]["Prompt"]["properties"]["mood"] = json!({"type": "string"});
    [scratch.schema("old.json", &old), scratch.schema("new.json", &new)]
}

#[test]
fn an_entry_removes_a_change_from_report_and_gate() {
    let scratch = Scratch::new();
    let [old, new] = ignorable(&scratch);
    let compare = |file: &str, more: &[&str]| {
        let always = [&old, &new, "--ignore", file, "--today", "2027-01-31"];
        scratch.run(&[&always[..], more].concat())
    };
    // The last day is a day on which the entry counts.
    scratch.write("one.toml", entry("field.added-required", "Tool.owner", "2027-01-31"));
    let report = compare("one.toml", &["--format", "json"]).json();
    assert_eq!(changes(&report, "changes"), [("field.added-optional", "Prompt.mood")].into());
    assert_eq!(report["summary"]["breaking"], 0);
    assert_eq!(report["summary"]["compatible"], 1);
    assert_eq!(report["summary"]["ignored"], 1);
    assert_eq!(report["summary"]["rules"]["field.added-required"], 0);
    assert_eq!(report["summary"]["old_client_new_server"], json!({"outcome": "safe"}));
    assert_eq!(report["summary"]["new_client_old_server"], json!({"outcome": "safe"}));
    assert_eq!(report["warnings"], json!([]));
    let ignored = &report["ignored"][0];
    assert_eq!(ignored["path"], "Tool.owner");
    assert_eq!(ignored["reason"], "nobody reads it");
    assert_eq!(ignored["expires"], "2027-01-31");
    compare("one.toml", &["--fail-on", "breaking"]).exits(0);
    compare("one.toml", &["--fail-on", "any"]).exits(1);
    let sarif: Value = compare("one.toml", &["--format", "sarif"]).json();
    let suppressed = sarif["runs"][0]["results"].as_array().unwrap().iter().filter(|it| it["suppressions"].is_array());
    assert_eq!(suppressed.count(), 1);
    for format in ["text", "markdown", "html", "github"] {
        let out = compare("one.toml", &["--format", format]).ok();
        assert!(out.contains("ignored"), "{format}\n{out}");
    }

    let both = entry("field.added-required", "Tool.owner", "2027-01-31")
        + &entry("field.added-optional", "Prompt.mood", "\"2027-01-31\"");
    scratch.write("both.toml", both);
    compare("both.toml", &["--fail-on", "any"]).exits(0);
}

#[test]
fn entries_that_do_nothing_warn_and_change_nothing() {
    let scratch = Scratch::new();
    let [old, new] = ignorable(&scratch);
    let entries = entry("field.added-required", "Tool.owner", "2027-01-31")
        + &entry("field.removed-optional", "Tool.owner", "2027-02-28")
        + &entry("field.added-required", "Tool.own", "2027-02-28");
    scratch.write("ignore.toml", entries);
    let always = [&old, &new, "--ignore", "ignore.toml", "--today", "2027-02-01"];
    let compare = |more: &[&str]| scratch.run(&[&always[..], more].concat());
    let report = compare(&["--format", "json"]).json();
    assert_eq!(report["summary"]["breaking"], 1);
    assert_eq!(report["ignored"], json!([]));
    let warnings: Vec<&str> = report["warnings"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert_eq!(warnings.len(), 3);
    assert!(warnings[0].contains("`field.added-required` at `Tool.owner` expired on 2027-01-31"), "{}", warnings[0]);
    assert!(warnings[1].contains("`field.removed-optional` at `Tool.owner` matches no change"), "{}", warnings[1]);
    assert!(warnings[2].contains("`field.added-required` at `Tool.own` matches no change"), "{}", warnings[2]);
    compare(&["--fail-on", "breaking"]).exits(1);
    for (format, said) in [
        ("text", "warning: `field.added-required` at `Tool.owner` expired"),
        ("markdown", "> Warning: "),
        ("sarif", "expired on 2027-01-31"),
        ("github", "::warning title=mcp-wire%3A ignore file::"),
        ("html", "expired on 2027-01-31"),
    ] {
        let out = compare(&["--format", format]).ok();
        assert!(out.contains(said), "{format}: `{said}` is not in\n{out}");
    }
    // Today is later than the first day of 1970, and earlier than this entry's last.
    scratch.write("late.toml", entry("field.added-required", "Tool.owner", "9999-12-31"));
    scratch.run(&[&old, &new, "--ignore", "late.toml", "--fail-on", "breaking"]).exits(0);
    scratch.write("early.toml", entry("field.added-required", "Tool.owner", "1970-01-01"));
    scratch.run(&[&old, &new, "--ignore", "early.toml", "--fail-on", "breaking"]).exits(1);
}

#[test]
fn stars_stand_for_any_run_of_characters() {
    let scratch = Scratch::new();
    let [old, new] = ignorable(&scratch);
    for (pattern, removes) in [
        ("*", true),
        ("Tool.*", true),
        ("*.owner", true),
        ("T*l.o*r", true),
        ("Tool.owner*", true),
        ("**Tool**owner**", true),
        ("Tool", false),
        ("*.own", false),
        ("tool.*", false),
        ("Tool.?wner", false),
        ("Tool.owner*r", false),
    ] {
        scratch.write("ignore.toml", entry("field.added-required", pattern, "2027-01-31"));
        let more = ["--ignore", "ignore.toml", "--today", "2026-01-01", "--format", "json"];
        let report = scratch.run(&[&[old.as_str(), new.as_str()], &more[..]].concat()).json();
        assert_eq!(report["summary"]["ignored"], u64::from(removes), "{pattern}");
        assert_eq!(report["summary"]["breaking"], u64::from(!removes), "{pattern}");
        assert_eq!(report["warnings"].as_array().unwrap().len(), usize::from(!removes), "{pattern}");
    }
}

#[test]
fn an_ignore_file_may_have_the_lines_of_windows() {
    let scratch = Scratch::new();
    let [old, new] = ignorable(&scratch);
    let unix = entry("field.added-required", "Tool.owner", "2027-01-31");
    let windows = unix.replace('\n', "\r\n");
    for text in [unix, windows.clone(), format!("\u{feff}{windows}")] {
        scratch.write("ignore.toml", text);
        let arguments = [&old, &new, "--ignore", "ignore.toml", "--today", "2026-01-01", "--fail-on", "breaking"];
        let out = scratch.run(&arguments).ok();
        assert!(!out.contains("warning:"), "{out}");
    }
    // No entries are entries too.
    scratch.write("ignore.toml", "");
    scratch.run(&[&old, &new, "--ignore", "ignore.toml", "--fail-on", "breaking"]).exits(1);
}

#[test]
fn a_chain_uses_an_entry_where_it_can() {
    let scratch = Scratch::new();
    let entries = entry("field.removed-optional", "Tool.execution", "2027-01-31")
        + &entry("field.removed-optional", "Tool.nothing", "2027-01-31");
    scratch.write("ignore.toml", entries);
    let history = history();
    let chain = ["--chain", &history, "--only", "Tool", "--format", "json"];
    let reports = scratch.run(&[&chain[..], &["--ignore", "ignore.toml", "--today", "2026-01-01"]].concat()).json();
    let ignored: Vec<usize> =
        reports.as_array().unwrap().iter().map(|it| it["ignored"].as_array().unwrap().len()).collect();
    assert_eq!(ignored, [0, 0, 0, 1]);
    let warnings: Vec<&Value> =
        reports.as_array().unwrap().iter().flat_map(|it| it["warnings"].as_array().unwrap()).collect();
    assert_eq!(warnings.len(), 1);
}

// 5. The formats.

/// What is wrong with a value, by the part of JSON Schema that the printed one uses.
fn mistakes(whole: &Value, schema: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
    for (keyword, wanted) in schema.as_object().unwrap() {
        match keyword.as_str() {
            "$ref" => {
                let target = whole.pointer(wanted.as_str().unwrap().strip_prefix('#').unwrap()).unwrap();
                mistakes(whole, target, value, place, found);
            }
            "type" => {
                let kind = match value {
                    Value::Null => "null",
                    Value::Bool(_) => "boolean",
                    Value::Number(number) if number.is_u64() || number.is_i64() => "integer",
                    Value::Number(_) => "number",
                    Value::String(_) => "string",
                    Value::Array(_) => "array",
                    Value::Object(_) => "object",
                };
                let among = wanted.as_array().is_some_and(|kinds| kinds.contains(&json!(kind)));
                if wanted != kind && !among {
                    found.push(format!("{place}: {kind} instead of {wanted}"));
                }
            }
            "required" => {
                for name in wanted.as_array().unwrap() {
                    if value.get(name.as_str().unwrap()).is_none() {
                        found.push(format!("{place}: no {name}"));
                    }
                }
            }
            "properties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    match wanted.get(name) {
                        Some(wanted) => mistakes(whole, wanted, member, &format!("{place}/{name}"), found),
                        // The schema is there to tell of everything that is printed.
                        None => found.push(format!("{place}: {name} is unheard of")),
                    }
                }
            }
            "additionalProperties" => {
                let schema = if wanted.is_object() { wanted } else { &json!({}) };
                for (name, member) in value.as_object().into_iter().flatten() {
                    mistakes(whole, schema, member, &format!("{place}/{name}"), found);
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    mistakes(whole, wanted, item, &format!("{place}/{index}"), found);
                }
            }
            "const" if wanted != value => found.push(format!("{place}: {value} instead of {wanted}")),
            "enum" if !wanted.as_array().unwrap().contains(value) => {
                found.push(format!("{place}: {value} is none of {wanted}"));
            }
            "oneOf" | "anyOf" => {
                let fits = wanted.as_array().unwrap().iter().filter(|each| {
                    let mut found = Vec::new();
                    mistakes(whole, each, value, place, &mut found);
                    found.is_empty()
                });
                if fits.count() == 0 {
                    found.push(format!("{place}: {value} fits nothing of {wanted}"));
                }
            }
            "minimum" if value.as_f64() < wanted.as_f64() => found.push(format!("{place}: {value} is too small")),
            "const" | "enum" | "minimum" => {}
            "$schema" | "$defs" | "title" | "description" | "format" | "default" => {}
            other => panic!("the schema uses `{other}`, which this test does not know"),
        }
    }
}

#[test]
fn json_is_all_that_the_printed_schema_says() {
    let schema = run(&["--print-schema"]).json();
    let mut found = Vec::new();
    let report = run(&["2025-11-25", stateless(), "--all", "--format", "json"]).json();
    mistakes(&schema, &schema, &report, "", &mut found);
    assert_eq!(found, Vec::<String>::new());
    // A place has a flow and verdicts of its own, where they are not those of its change.
    for name in ["flow", "old_client_new_server", "new_client_old_server"] {
        let described = &schema["$defs"]["Place"]["properties"][name]["description"];
        assert!(described.as_str().is_some_and(|text| text.len() > 20), "{name}: {described}");
        let places =
            report["changes"].as_array().unwrap().iter().flat_map(|change| change["places"].as_array().unwrap());
        assert!(places.filter(|place| place.get(name).is_some()).count() > 0, "no place has a {name} of its own");
    }
}

#[test]
fn json_is_what_the_printed_schema_says() {
    let scratch = Scratch::new();
    // The schema does not need sides, and a chain does not disturb it.
    let schema = scratch.run(&["--print-schema"]).json();
    assert_eq!(schema, scratch.run(&["--print-schema", "2025-11-25", stateless(), "--format", "html"]).json());
    let check = |report: &Value| {
        let mut found = Vec::new();
        mistakes(&schema, &schema, report, "", &mut found);
        found
    };
    let ignore =
        entry("field.removed-optional", "*", "2027-01-31") + &entry("field.added-optional", "Nothing", "2027-01-31");
    scratch.write("ignore.toml", ignore);
    let ignore = ["--ignore", "ignore.toml", "--today", "2026-01-01", "--all", "--format", "json"];
    let reports = scratch.run(&[&["--chain", ".."], &ignore[..]].concat()).json();
    assert_eq!(reports.as_array().unwrap().len(), REVISIONS.len() - 1);
    for report in reports.as_array().unwrap() {
        assert_eq!(check(report), Vec::<String>::new());
        let lists = ["changes", "documentation", "refactors", "ignored"];
        for (list, count) in lists.iter().zip([
            ["breaking", "unverified", "compatible", "notices"].as_slice(),
            &["documentation"],
            &["refactors"],
            &["ignored"],
        ]) {
            let counted: u64 = count.iter().map(|count| report["summary"][count].as_u64().unwrap()).sum();
            assert_eq!(report[list].as_array().unwrap().len() as u64, counted, "{list}");
        }
    }
    scratch.write("file.json", text_of("2025-06-18"));
    let mut report = scratch.run(&["file.json", stateless(), "--format", "json"]).json();
    assert_eq!(check(&report), Vec::<String>::new());

    // The check finds something if there is something.
    report["changes"][0]["severity"] = json!("terrible");
    report["changes"][1].as_object_mut().unwrap().remove("rule");
    report["new"]["sha256"] = json!(1);
    report["more"] = json!(true);
    assert_eq!(check(&report).len(), 4, "{:#?}", check(&report));
}

#[test]
fn every_format_is_the_same_in_every_run_and_free_of_escapes() {
    let scratch = Scratch::new();
    let mut outputs = BTreeSet::new();
    for format in FORMATS {
        for what in [&["2025-11-25", stateless()][..], &["--chain", ".."]] {
            let arguments = [what, &["--format", format, "--all"]].concat();
            let first = run(&arguments).ok();
            // Neither the run nor the folder matters.
            assert!(first == scratch.run(&arguments).ok(), "{} differs between runs", arguments.join(" "));
            assert!(first.len() > 1000 && first.ends_with('\n'), "{}", arguments.join(" "));
            assert!(!first.contains('\u{1b}'), "{}", arguments.join(" "));
            assert!(!first.contains(root().to_str().unwrap()), "{} names a folder", arguments.join(" "));
            assert!(outputs.insert(first), "{}", arguments.join(" "));
        }
    }
}

/// Two schemas, the second with a member whose name would steer a terminal and end a line.
fn hostile(scratch: &Scratch) -> [String; 2] {
    let (old, mut new) = (schema(), schema());
    new["definitions"]["Tool"]["properties"]["evil\u{1b}[31m\r\n::error::"] = json!({"type": "string"});
    // A method that the verdict over all changes names.
    new["definitions"]["EvilRequest"] = new["definitions"]["PingRequest"].clone();
    new["definitions"]["EvilRequest"]["properties"]["method"]["const"] = json!("evil\u{1b}[31m\r\n::error::");
    new["definitions"]["ClientRequest"]["anyOf"]
        .as_array_mut()
        .unwrap()
        .push(json!({"$ref": "#/definitions/EvilRequest"}));
    [scratch.schema("old.json", &old), scratch.schema("new.json", &new)]
}

#[track_caller]
fn is_harmless(text: &str) {
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{}", text.escape_debug());
    let is_command = |line: &str| {
        line.trim_start().starts_with("::") && !line.starts_with("::notice ") && !line.starts_with("::error file=")
    };
    assert!(!text.lines().any(is_command), "{}", text.escape_debug());
}

#[test]
fn what_a_schema_says_steers_no_terminal() {
    let scratch = Scratch::new();
    let [old, new] = hostile(&scratch);
    for format in FORMATS.iter().filter(|format| **format != "github") {
        let out = scratch.run(&[&old, &new, "--format", format]).ok();
        assert!(out.contains("evil"), "{format}");
        is_harmless(&out);
    }
    // Errors quote what they are about.
    let name = "evil\u{1b}[31m\n ::error::evil";
    scratch.schema("bad.json", &json!({"$defs": {name: {"$ref": "#/$defs/Nothing"}}}));
    scratch.write("bad.toml", format!("{name}\n"));
    let own = ["2025-11-25", stateless()];
    for arguments in [
        &[&old, "bad.json"][..],
        &[own[0], own[1], "--ignore", "bad.toml"],
        &[own[0], own[1], "--only", name],
        &[own[0], name],
        &["--chain", name],
    ] {
        let done = scratch.run(arguments);
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""));
        assert!(done.err.contains("evil"), "{}", done.err);
        is_harmless(&done.err);
    }
}

#[test]
fn what_a_schema_says_steers_no_log_of_a_workflow() {
    let scratch = Scratch::new();
    let [old, new] = hostile(&scratch);
    let out = scratch.run(&[&old, &new, "--format", "github"]).ok();
    is_harmless(&out);
    // The request that nobody knows, and nothing else.
    assert_eq!(out.lines().filter(|line| line.starts_with("::error")).count(), 1, "{out}");
}

/// One place of an output, as its format gives it.
struct Location {
    rule: String,
    path: String,
    file: String,
    line: usize,
    column: usize,
}

impl Location {
    /// The name of the member that stands there.
    #[track_caller]
    fn name(&self, folder: &Path) -> String {
        let text = std::fs::read_to_string(folder.join(&self.file)).unwrap();
        let line = text.lines().nth(self.line - 1).unwrap();
        let rest: String = line.chars().skip(self.column - 1).collect();
        let name = rest.strip_prefix('"').unwrap_or_else(|| panic!("{}: {line}", self.path));
        let (name, rest) = name.split_once('"').unwrap();
        assert!(rest.starts_with(':'), "{}: {line}", self.path);
        name.to_owned()
    }

    /// Whether the member that the path speaks of is of the type of that name.
    fn refers(&self, definitions: &Value, name: &str) -> bool {
        let (definition, member) = self.path.split_once('.').unwrap_or((&self.path, ""));
        let reference = |schema: &Value| schema["$ref"].as_str().is_some_and(|it| it.ends_with(&format!("/{name}")));
        let member = match member.strip_suffix("[]") {
            Some(list) => &definitions[definition]["properties"][list]["items"],
            None => &definitions[definition]["properties"][member],
        };
        definition == name || reference(member)
    }

    /// Whether what stands there is what the path speaks of.
    #[track_caller]
    fn check(&self, folder: &Path) {
        let Self { rule, path, file, .. } = self;
        let name = self.name(folder);
        let schema: Value = serde_json::from_str(&std::fs::read_to_string(folder.join(file)).unwrap()).unwrap();
        let definitions = schema.get("$defs").or_else(|| schema.get("definitions")).unwrap();
        let right = if let Some((union, _)) = path.split_once(" | ") {
            name == union
        } else if rule.starts_with("union.") && definitions[&name]["anyOf"].is_array() {
            // An alternative stands where the union is defined that the member refers to.
            self.refers(definitions, &name)
        } else if path.ends_with(".*") {
            name == "additionalProperties"
        } else if path.ends_with("[]") {
            name == "items"
        } else {
            // Methods stand where their messages are defined.
            let is_method = definitions[&name]["properties"]["method"]["const"] == path.as_str();
            // A member that is not listed any more is what any other member is.
            let (object, member) = path.rsplit_once('.').unwrap_or_default();
            let mut steps = object.split('.');
            let first = &definitions[steps.next().unwrap_or_default()];
            let listing = steps.fold(first, |schema, step| &schema["properties"][step]);
            let is_other = name == "additionalProperties" && listing[&name] == json!({});
            let is_other = is_other && listing["properties"].get(member).is_none();
            is_method || is_other || *path == name || path.ends_with(&format!(".{name}"))
        };
        assert!(right, "{rule} at {path} is shown at `{name}` in line {} of {file}", self.line);
    }
}

fn locations_of_sarif(text: &str) -> Vec<Location> {
    let log: Value = serde_json::from_str(text).unwrap();
    let mut found = Vec::new();
    for result in log["runs"][0]["results"].as_array().unwrap() {
        let related = result["relatedLocations"].as_array().into_iter().flatten();
        for location in result["locations"].as_array().unwrap().iter().chain(related) {
            let number = |name: &str| location["physicalLocation"]["region"][name].as_u64();
            // Codes of errors stand in no schema.
            let Some((line, column)) = number("startLine").zip(number("startColumn")) else {
                assert!(result["ruleId"].as_str().unwrap().starts_with("error-code."), "{result:#}");
                continue;
            };
            found.push(Location {
                rule: result["ruleId"].as_str().unwrap().to_owned(),
                path: location["logicalLocations"][0]["fullyQualifiedName"].as_str().unwrap().to_owned(),
                file: location["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap().to_owned(),
                line: usize::try_from(line).unwrap(),
                column: usize::try_from(column).unwrap(),
            });
        }
    }
    found
}

fn locations_of_github(text: &str) -> Vec<Location> {
    let mut found = Vec::new();
    for line in text.lines() {
        let (_, command) = line.strip_prefix("::").unwrap().split_once(' ').unwrap();
        let (properties, _) = command.split_once("::").unwrap();
        let property = |name: &str| {
            let mut all = properties.split(',').filter_map(|property| property.split_once('='));
            all.find(|(known, _)| *known == name).map(|(_, value)| value.replace("%3A", ":").replace("%2C", ","))
        };
        let (Some(file), Some(line), Some(column)) = (property("file"), property("line"), property("col")) else {
            let title = property("title").unwrap();
            assert!(title.starts_with("mcp-wire: ") || title.starts_with("error-code."), "{title}");
            continue;
        };
        let title = property("title").unwrap();
        let (rule, path) = title.split_once(": ").unwrap();
        let (rule, path) = (rule.to_owned(), path.to_owned());
        found.push(Location { rule, path, file, line: line.parse().unwrap(), column: column.parse().unwrap() });
    }
    found
}

#[test]
fn locations_are_where_the_schema_says_the_name() {
    let mut checked = (0, 0);
    for pair in REVISIONS.windows(2) {
        let sarif = locations_of_sarif(&run(&[pair, &["--format", "sarif"]].concat()).ok());
        let github = locations_of_github(&run(&[pair, &["--format", "github"]].concat()).ok());
        let least = if pair[1] <= stateless() { 20 } else { 1 };
        assert!(sarif.len() >= least, "{}", sarif.len());
        for location in &sarif {
            assert!(pair.iter().any(|side| location.file == format!("schema/{side}/schema.json")), "{}", location.file);
            location.check(root());
        }
        for location in &github {
            // The title has the path of the change. Where that is a base or stands for many, it is no place's own.
            if sarif.iter().any(|it| it.path == location.path && it.rule == location.rule) {
                location.check(root());
                checked.1 += 1;
            } else {
                location.name(root());
            }
        }
        checked.0 += sarif.len();
    }
    assert!(checked.0 >= 200 && checked.1 >= 100, "{checked:?}");
}

#[test]
fn locations_in_files_are_relative_to_where_the_command_runs() {
    let scratch = Scratch::new();
    let [old, new] = ignorable(&scratch);
    // The lines of a text with a byte order mark and the line ends of Windows are the same.
    let text = std::fs::read_to_string(scratch.folder.join(&new)).unwrap().replace('\n', "\r\n");
    scratch.write("windows.json", format!("\u{feff}{text}"));
    for new in [new.as_str(), "windows.json"] {
        let sarif = locations_of_sarif(&scratch.run(&[&old, new, "--format", "sarif"]).ok());
        let github = locations_of_github(&scratch.run(&[&old, new, "--format", "github"]).ok());
        assert_eq!((sarif.len(), github.len()), (2, 2));
        for location in sarif.iter().chain(&github) {
            assert_eq!(location.file, new);
            assert_eq!(location.name(&scratch.folder), location.path.split_once('.').unwrap().1);
        }
    }
    // A revision is in the project's folder, wherever the command runs.
    for format in ["sarif", "github"] {
        let out = scratch.run(&[stateless(), &new, "--format", format]).ok();
        let found = if format == "sarif" { locations_of_sarif(&out) } else { locations_of_github(&out) };
        let mut seen = BTreeSet::new();
        for location in found {
            let folder = if location.file == new { &scratch.folder } else { root() };
            location.name(folder);
            seen.insert(location.file);
        }
        assert_eq!(seen, [new.clone(), format!("schema/{}/schema.json", stateless())].into());
    }
}

// 6. Histories.

fn chain(arguments: &[&str]) -> Vec<Value> {
    match run(&[arguments, &["--format", "json"]].concat()).json() {
        Value::Array(reports) => reports,
        other => panic!("a chain is a list, even of one: {other:#}"),
    }
}

fn pairs(reports: &[Value]) -> Vec<(&str, &str)> {
    let name = |report: &'_ Value, side: &str| report[side]["name"].as_str().map(str::to_owned).unwrap();
    let known = |name: String| *REVISIONS.iter().find(|known| **known == name).unwrap();
    reports.iter().map(|report| (known(name(report, "old")), known(name(report, "new")))).collect()
}

fn neighbours() -> Vec<(&'static str, &'static str)> {
    REVISIONS.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// The revisions whose histories are written down here.
fn history() -> String {
    format!("2024-11-05..{}", stateless())
}

#[test]
fn the_history_of_a_type() {
    let reports = chain(&["--chain", &history(), "--only", "Tool"]);
    assert_eq!(pairs(&reports), neighbours()[..4]);
    let histories: [&[(&str, &str)]; 4] = [
        &[("field.added-optional", "Tool.annotations")],
        &[
            ("field.added-optional", "Tool.title"),
            ("field.added-optional", "Tool.outputSchema"),
            ("field.added-optional", "Tool._meta"),
        ],
        &[("field.added-optional", "Tool.icons"), ("field.added-optional", "Tool.execution")],
        &[("field.removed-optional", "Tool.execution")],
    ];
    for (report, history) in reports.iter().zip(histories) {
        let changes = changes(report, "changes");
        // Schemas inside of a tool have a history of their own.
        let own: BTreeSet<_> = changes.iter().filter(|(_, path)| path.matches('.').count() == 1).copied().collect();
        assert_eq!(own, history.iter().copied().collect());
        assert!(changes.iter().all(|(_, path)| path.starts_with("Tool.")), "{changes:?}");
    }
    let text = run(&["--chain", &history(), "--only", "Tool"]).ok();
    let titles: Vec<&str> = text.lines().filter(|line| line.starts_with("20") && line.contains(" → ")).collect();
    assert_eq!(titles, neighbours()[..4].iter().map(|(old, new)| format!("{old} → {new}")).collect::<Vec<_>>());
}

#[test]
fn the_history_of_a_method() {
    let reports = chain(&["--chain", &history(), "--only", "tools/call"]);
    assert_eq!(pairs(&reports), neighbours()[..4]);
    let answered: Vec<bool> = reports
        .iter()
        .map(|report| changes(report, "changes").contains(&("method.result-changed", "tools/call")))
        .collect();
    assert_eq!(answered, [false, false, true, true]);
    let after = |report: &Value| {
        let mut all = report["changes"].as_array().unwrap().iter();
        let change = all.find(|change| change["rule"] == "method.result-changed").unwrap();
        change["after"].as_str().unwrap().lines().next().unwrap().to_owned()
    };
    assert!(after(&reports[2]).ends_with(": CallToolResult | CreateTaskResult"), "{}", after(&reports[2]));
    assert!(after(&reports[3]).ends_with(": CallToolResult | InputRequiredResult"), "{}", after(&reports[3]));
    assert!(changes(&reports[1], "changes").contains(&("field.added-optional", "CallToolResult.structuredContent")));
    assert!(changes(&reports[3], "changes").contains(&("field.type-widened", "CallToolResult.structuredContent")));
}

#[test]
fn chains_may_be_open() {
    let all = neighbours();
    let pair = format!("2025-11-25..{}", stateless());
    for (text, expected) in
        [("..2025-06-18", &all[..2]), ("2025-06-18..", &all[2..]), ("..", &all[..]), (&pair, &all[3..4])]
    {
        assert_eq!(pairs(&chain(&["--chain", text])), expected, "{text}");
    }
    // A pair says the same by itself and in a chain.
    let alone = run(&["2025-11-25", stateless(), "--format", "json"]).json();
    assert_eq!(chain(&["--chain", &pair]), [alone]);
}

#[test]
fn a_pair_that_is_no_neighbour_is_compared_at_once() {
    let report = run(&["2024-11-05", stateless(), "--format", "json", "--only", "Tool"]).json();
    assert!(report.is_object());
    let changes = changes(&report, "changes");
    assert!(changes.contains(&("field.added-optional", "Tool.annotations")), "{changes:?}");
    // It came and went in between.
    assert!(!changes.iter().any(|(_, path)| *path == "Tool.execution"), "{changes:?}");
    // Backwards is a comparison too: what was added is removed.
    let back = run(&[stateless(), "2024-11-05", "--format", "json", "--only", "Tool"]).json();
    assert!(self::changes(&back, "changes").contains(&("field.removed-optional", "Tool.annotations")));
}

// 7. Readers that have seen enough.

#[test]
fn a_closed_pipe_is_no_error() {
    for format in FORMATS {
        for read in [0, 10] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
            // All of it is more than a pipe holds, so the command is still writing when the reader goes.
            command.args(["diff", "--chain", "..", "--all", "--format", format]).stdin(Stdio::null());
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            let mut reader = child.stdout.take().unwrap();
            reader.read_exact(&mut vec![0; read]).unwrap();
            drop(reader);
            let output = child.wait_with_output().unwrap();
            assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{format}");
            assert_eq!(output.status.code(), Some(0), "{format}");
        }
    }
    // What a gate found does not depend on who reads about it.
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["diff", "2025-11-25", stateless(), "--fail-on", "breaking"]).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(1));
}

// 8. Paths.

#[test]
fn files_are_found_by_any_path() {
    let scratch = Scratch::new();
    let names = ignorable(&scratch);
    std::fs::create_dir(scratch.folder.join("with a space")).unwrap();
    std::fs::copy(scratch.folder.join(&names[0]), scratch.folder.join("with a space/näme.json")).unwrap();
    let absolute = names.clone().map(|name| scratch.folder.join(name).to_string_lossy().into_owned());
    let [old, new] = names.each_ref().map(String::as_str);
    let [absolute_old, absolute_new] = absolute.each_ref().map(String::as_str);
    let expected = scratch.run(&[old, new, "--format", "json"]).json();
    for [old, new] in [
        [absolute_old, absolute_new],
        [old, absolute_new],
        [absolute_old, new],
        ["./old.json", "./new.json"],
        ["with a space/../old.json", new],
        ["with a space/näme.json", new],
    ] {
        let report = scratch.run(&[old, new, "--format", "json"]).json();
        // A side is called what it was called by.
        assert_eq!((report["old"]["name"].as_str(), report["new"]["name"].as_str()), (Some(old), Some(new)));
        assert_eq!((report["old"]["file"].as_str(), report["new"]["file"].as_str()), (Some(old), Some(new)));
        for part in ["summary", "changes", "documentation"] {
            assert_eq!(report[part], expected[part], "{old} {new}");
        }
        for format in FORMATS {
            assert_ne!(scratch.run(&[old, new, "--format", format]).ok(), "");
        }
    }
}

#[test]
fn a_revision_and_a_file_in_both_orders() {
    let scratch = Scratch::new();
    let [_, file] = ignorable(&scratch);
    let there = scratch.run(&["2025-06-18", &file, "--format", "json"]).json();
    let expected = [("field.added-required", "Tool.owner"), ("field.added-optional", "Prompt.mood")];
    assert_eq!(changes(&there, "changes"), expected.into());
    let back = scratch.run(&[&file, "2025-06-18", "--format", "json"]).json();
    let expected = [("field.removed-required", "Tool.owner"), ("field.removed-optional", "Prompt.mood")];
    assert_eq!(changes(&back, "changes"), expected.into());
    for (report, revision, other) in [(&there, "old", "new"), (&back, "new", "old")] {
        assert_eq!(report[revision]["name"], "2025-06-18");
        assert_eq!(report[revision]["file"], "schema/2025-06-18/schema.json");
        // Both are as they are written, and it is said with whose facts they were read.
        assert_eq!(report[revision]["corrections"], json!([]));
        assert_eq!(report[revision]["read_as"], "2025-06-18");
        assert_eq!(report[other]["name"], file.as_str());
        assert_eq!(report[other]["read_as"], "2025-06-18");
    }
    for sides in [["2025-06-18", file.as_str()], [file.as_str(), "2025-06-18"]] {
        for format in FORMATS {
            assert_ne!(scratch.run(&[&sides[..], &["--format", format]].concat()).ok(), "");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_side_may_be_a_pipe() {
    use std::io::Write;

    let scratch = Scratch::new();
    let [old, new] = ignorable(&scratch);
    for format in FORMATS {
        let expected = scratch.run(&[&old, &new, "--format", format]).ok();
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(["diff", &old, "/dev/stdin", "--format", format]).current_dir(&scratch.folder);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let text = std::fs::read(scratch.folder.join(&new)).unwrap();
        let mut writer = child.stdin.take().unwrap();
        let writing = std::thread::spawn(move || writer.write_all(&text));
        let output = child.wait_with_output().unwrap();
        writing.join().unwrap().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{format}");
        assert_eq!(output.status.code(), Some(0), "{format}");
        let out = String::from_utf8(output.stdout).unwrap();
        let lines = |text: &str| text.lines().count();
        assert_eq!(lines(&out), lines(&expected), "{format}");
    }
}

#[test]
fn the_help_says_what_there_is() {
    let help = run(&["--help"]).ok();
    for word in ["OLD", "NEW", "--chain", "--only", "--all", "--fail-on", "--ignore", "--print-schema", "Exit codes:"] {
        assert!(help.contains(word), "{word}");
    }
    for format in FORMATS {
        assert!(help.contains(&format!("- {format}: ")), "{format}");
    }
    // What only tests use is not for users.
    assert!(!help.contains("--today"));
    // The examples in it are examples of arguments that work.
    let examples: Vec<Vec<&str>> = help
        .lines()
        .filter_map(|line| line.trim().strip_prefix("cargo xtask diff "))
        .map(|line| line.split("  ").next().unwrap().split(" > ").next().unwrap().split_whitespace().collect())
        .collect();
    assert_eq!(examples.len(), 5);
    let scratch = Scratch::new();
    scratch.write("draft.json", text_of("2025-11-25"));
    scratch.write("old.json", text_of("2025-06-18"));
    scratch.write("new.json", text_of("2025-11-25"));
    for example in examples {
        assert_ne!(scratch.run(&example).ok(), "");
    }
}
