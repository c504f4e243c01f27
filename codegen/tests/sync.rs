//! What a plan makes of schemas from upstream.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod made_up;
mod revisions;

use std::path::{Path, PathBuf};

use made_up::FUTURE;
use mcp_wire_codegen::facade;
use mcp_wire_codegen::load::{self, Sources};
use mcp_wire_codegen::sync::{Incoming, Plan, plan};
use revisions::{newest, revisions};
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema")
}

fn sources() -> Sources {
    load::sources(&folder()).expect("the schema folder")
}

fn incoming(name: &str, bytes: Vec<u8>) -> Incoming {
    let path = format!("schema/{name}/schema.json");
    let (commit, date) = (Some("0123456789abcdef".to_owned()), Some("2026-11-01".to_owned()));
    Incoming { name: name.to_owned(), path, repository: None, commit, date, bytes }
}

fn text(plan: &Plan, file: &str) -> String {
    String::from_utf8(plan.files[file].clone()).expect("UTF-8")
}

fn official(name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(folder().join(name).join("schema.json")).expect("a schema")).expect("JSON")
}

/// Lines that are only in one of two texts.
fn edited(before: &str, after: &str) -> (Vec<String>, Vec<String>) {
    let only = |these: &str, those: &str| -> Vec<String> {
        these.lines().filter(|line| !those.lines().any(|other| other == *line)).map(str::to_owned).collect()
    };
    (only(before, after), only(after, before))
}

#[test]
fn what_is_here_already_is_nothing_to_do() {
    let same = revisions()
        .map(|name| incoming(name, std::fs::read(folder().join(name).join("schema.json")).expect("a schema")));
    let plan = plan(&folder(), &sources(), same.collect()).expect("a plan");
    assert!(plan.is_empty() && plan.files.is_empty());
    assert!(plan.unchanged.iter().map(String::as_str).eq(revisions()));
}

#[test]
fn todays_official_files_expire_what_they_have_mended() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/spec");
    if !shared.is_dir() {
        eprintln!("skipped: ../shared/spec is not beside this checkout");
        return;
    }
    let today =
        revisions().map(|name| incoming(name, std::fs::read(shared.join(name).join("schema.json")).expect("a schema")));
    let plan = plan(&folder(), &sources(), today.collect()).expect("a plan");
    let changed = ["2024-11-05", "2025-06-18", "2025-11-25"];
    assert!(plan.unchanged.iter().map(String::as_str).eq(revisions().filter(|name| !changed.contains(name))));
    let expired: Vec<(&str, Vec<&str>)> =
        plan.items.iter().map(|item| (item.name.as_str(), item.expired.keys().map(String::as_str).collect())).collect();
    assert_eq!(
        expired,
        [
            ("2024-11-05", vec![]),
            ("2025-06-18", vec!["number_schema_bounds"]),
            ("2025-11-25", vec!["number_schema_bounds", "task_ttl_nullable"]),
        ]
    );
    assert_eq!(plan.items[2].expired["task_ttl_nullable"], "/$defs/Task");
    let counts: Vec<(usize, usize)> =
        plan.items.iter().map(|item| (item.report.changes.len(), item.report.documentation.len())).collect();
    assert_eq!(counts, [(0, 1), (2, 2), (4, 0)]);
    // The lists of two fixups became shorter, and nothing else in that file or in the facts.
    let before = std::fs::read_to_string(folder().join("fixups.toml")).expect("the lists");
    let (gone, came) = edited(&before, &text(&plan, "fixups.toml"));
    assert_eq!(
        gone,
        ["number_schema_bounds = [\"2025-06-18\", \"2025-11-25\"]", "task_ttl_nullable = [\"2025-11-25\"]"]
    );
    assert_eq!(came, ["number_schema_bounds = []", "task_ttl_nullable = []"]);
    assert_eq!(text(&plan, "facts.toml"), std::fs::read_to_string(folder().join("facts.toml")).expect("the facts"));
    let (_, came) =
        edited(&std::fs::read_to_string(folder().join("sources.toml")).expect("sources"), &text(&plan, "sources.toml"));
    assert_eq!(came.iter().filter(|line| line.starts_with("sha256 = ")).count(), 3, "{came:?}");
    assert!(
        came.contains(&"commit = \"0123456789abcdef\"".to_owned())
            && came.contains(&"date = \"2026-11-01\"".to_owned())
    );
    let request = plan.pull_request(|_| "patch".to_owned());
    assert!(request.contains("  - fixup `task_ttl_nullable` applies to no revision any more"), "{request}");
    assert_eq!(plan.tasks().count(), 0, "{request}");
    assert!(request.contains("## From 2025-11-25 as it was to 2025-11-25 as it is"));
}

#[test]
fn a_revision_that_was_never_seen() {
    let bytes = serde_json::to_vec_pretty(&made_up::future(official(newest()))).expect("JSON");
    let plan = plan(&folder(), &sources(), vec![incoming(FUTURE, bytes)]).expect("a plan");
    let [item] = &plan.items[..] else { panic!("one item") };
    assert_eq!((item.name.as_str(), item.follows.as_deref()), (FUTURE, Some(newest())));
    assert_eq!(item.models.1.methods.iter().filter(|method| method.method == "completion/complete").count(), 0);
    let rate = item.models.1.methods.iter().find(|method| method.method == "tools/rate").expect("the new method");
    assert_eq!((rate.result.as_deref(), rate.server_capability.as_deref()), (Some("RateToolResult"), Some("tools")));
    // Everything that held for the revision before and still can, holds for this one.
    assert_eq!(item.needed.len(), 6, "{:?}", item.needed);
    let task = item.tasks.iter().find(|task| task.about == "`tools/rate`").expect("a task").task.clone();
    assert!(task.starts_with("server_capability is `tools`, the result is `RateToolResult`; nobody vouches"), "{task}");
    let facts = text(&plan, "facts.toml");
    assert!(facts.contains(&format!("method = \"tools/rate\"\nsince = \"{FUTURE}\"\n")));
    assert!(facts.contains("\n    \"method tools/rate\",\n"), "it is listed as unconfirmed");
    // A value more has no place in the order that was known.
    let task = item.tasks.iter().find(|task| task.about == "`LoggingLevel`").expect("a task").task.clone();
    assert!(task.contains("[[order]]") && task.contains("nothing was carried over"), "{task}");
    let (gone, came) = edited(&std::fs::read_to_string(folder().join("facts.toml")).expect("the facts"), &facts);
    // Facts that hold on need no edit, and those that do not end with the revision before.
    assert_eq!(gone, [""; 0], "no line that was there is another one now");
    let ends: Vec<&String> = came.iter().filter(|line| line.starts_with("until = ")).collect();
    assert!(ends.iter().all(|line| **line == format!("until = \"{}\"", newest())), "{came:?}");
    let begins: Vec<&String> = came.iter().filter(|line| line.starts_with("since = ")).collect();
    assert!(begins.iter().all(|line| **line == format!("since = \"{FUTURE}\"")), "{came:?}");
    let sources = text(&plan, "sources.toml");
    assert!(sources.contains(&format!("name = \"{FUTURE}\"\nstatus = \"released\"")), "{sources}");
    let paths: Vec<String> = item.report.changes.iter().map(|change| change.path.to_string()).collect();
    for path in ["tools/rate", "completion/complete", "Tool.category", "Rating", "LoggingLevel"] {
        assert!(paths.iter().any(|known| known == path), "{path} is not in {paths:?}");
    }
}

#[test]
fn what_cannot_be_expressed_is_said_before_anything_is_written() {
    let mut schema = official(newest());
    schema["$defs"]["Tool"]["properties"]["odd"] = json!({ "not": {} });
    let bytes = serde_json::to_vec(&schema).expect("JSON");
    let Err(error) = plan(&folder(), &sources(), vec![incoming(FUTURE, bytes)]) else { panic!("no error") };
    assert_eq!(error.pointer(), Some("/$defs/Tool/properties/odd/not"), "{error}");
    let Err(error) = plan(&folder(), &sources(), vec![incoming(FUTURE, b"{".to_vec())]) else { panic!("no error") };
    assert!(error.to_string().contains(&format!("schema/{FUTURE}/schema.json: not JSON")), "{error}");
}

#[test]
fn a_vanished_definition_is_pointed_out() {
    let mut schema = official("2025-03-26");
    let definitions = schema["definitions"].as_object_mut().expect("definitions");
    definitions.shift_remove("Cursor");
    let plan = plan(&folder(), &sources(), vec![incoming("2025-03-26", serde_json::to_vec(&schema).expect("JSON"))]);
    let plan = plan.expect("a plan");
    let tasks: Vec<String> = plan.tasks().map(ToString::to_string).collect();
    assert!(tasks.iter().any(|task| task.contains("`/definitions/Cursor`: the definition is gone")), "{tasks:?}");
}

#[test]
fn comments_in_the_data_files_stay() {
    let mut schema = official("2024-11-05");
    schema["definitions"]["Tool"]["description"] = json!("Another text.");
    let plan = plan(&folder(), &sources(), vec![incoming("2024-11-05", serde_json::to_vec(&schema).expect("JSON"))]);
    let plan = plan.expect("a plan");
    for file in ["sources.toml", "facts.toml", "fixups.toml"] {
        let before = std::fs::read_to_string(folder().join(file)).expect("a data file");
        let opening: Vec<&str> = before.lines().take_while(|line| line.starts_with('#')).collect();
        assert!(opening.len() > 1, "{file} begins with a comment");
        assert!(text(&plan, file).starts_with(&opening.join("\n")), "{}", text(&plan, file));
    }
    // What was said about the bytes that are gone is gone.
    let sources = text(&plan, "sources.toml");
    let entry = sources.split("\n\n").find(|entry| entry.contains("name = \"2024-11-05\"")).expect("the entry");
    assert!(entry.starts_with("[[revision]]") && !entry.contains('#'), "{entry}");
}

#[test]
fn of_two_new_revisions_the_second_follows_the_first() {
    let bytes = serde_json::to_vec(&made_up::future(official(newest()))).expect("JSON");
    let both = vec![incoming("2099-08-01", bytes.clone()), incoming(FUTURE, bytes)];
    let plan = plan(&folder(), &sources(), both).expect("a plan");
    let follows: Vec<_> = plan.items.iter().map(|item| (item.name.as_str(), item.follows.as_deref())).collect();
    assert_eq!(follows, [(FUTURE, Some(newest())), ("2099-08-01", Some(FUTURE))]);
    assert_eq!(plan.items[1].report.changes.len(), 0, "the two are alike");
    // What nobody has confirmed for the first is not confirmed for the second, and the entry is the same.
    assert!(plan.items[1].tasks.iter().any(|task| task.about == "`tools/rate`"), "{:?}", plan.items[1].tasks);
    assert_eq!(text(&plan, "facts.toml").matches("method = \"tools/rate\"").count(), 1);
}

#[test]
fn bytes_without_a_commit_are_to_be_given_one() {
    let bytes = serde_json::to_vec(&official("2025-03-26")).expect("JSON");
    let plan = plan(&folder(), &sources(), vec![Incoming { commit: None, ..incoming("2025-03-26", bytes) }]);
    let confirm = plan.expect("a plan").items[0].notes.join("\n");
    assert!(confirm.contains("the commit of 2025-03-26 is not known"), "{confirm}");
    assert!(confirm.contains("schema/sources.toml"), "{confirm}");
}

#[test]
fn names_from_a_schema_steer_neither_a_terminal_nor_a_page() {
    let mut schema = made_up::future(official(newest()));
    schema["$defs"]["RateToolRequest"]["properties"]["method"]["const"] = json!("tools/\u{1b}[31m`\n# rate");
    let bytes = serde_json::to_vec(&schema).expect("JSON");
    let plan = plan(&folder(), &sources(), vec![incoming(FUTURE, bytes)]).expect("a plan");
    let confirm: Vec<String> = plan.tasks().map(ToString::to_string).collect();
    assert!(confirm.iter().any(|line| line.contains("tools/") && line.contains("# rate")), "{confirm:?}");
    let request = plan.pull_request(|_| String::new());
    for text in confirm.iter().flat_map(|line| line.chars()).chain(request.chars().filter(|letter| *letter != '\n')) {
        assert!(!text.is_control(), "{request:?}");
    }
    assert!(!request.contains("\n# rate"), "{request}");
    // What a name has of the marks of Markdown is inside the marks around it.
    let line = request.lines().find(|line| line.starts_with(&format!("- [ ] {FUTURE}: `tools/"))).expect("a task");
    assert_eq!(line.split(": ").nth(1).expect("a name").matches('`').count(), 2, "{line}");
}

#[test]
fn the_text_of_a_pull_request_is_never_too_long_for_one() {
    let old = std::fs::read(folder().join("2024-11-05/schema.json")).expect("a schema");
    let latest = std::fs::read(folder().join(newest()).join("schema.json")).expect("a schema");
    let everything = vec![
        incoming("2025-06-18", latest.clone()),
        incoming("2025-11-25", old.clone()),
        incoming(newest(), old),
        incoming(FUTURE, latest),
    ];
    let plan = plan(&folder(), &sources(), everything).expect("a plan");
    let request = plan.pull_request(|_| String::new());
    assert!(request.chars().count() < 65_536, "{}", request.chars().count());
    let report = format!("too long for a pull request: it is `docs/changes/{}..{FUTURE}.md`", newest());
    assert!(request.contains(&report), "{request}");
    let endless = plan.pull_request(|_| "a".repeat(50_000));
    assert!(endless.chars().count() < 65_536 && endless.ends_with("The rest is too long for a pull request.\n"));
}

#[test]
fn a_draft_is_a_revision_but_never_the_default() {
    let future = serde_json::to_vec(&made_up::future(official(newest()))).expect("JSON");
    let plan = plan(&folder(), &sources(), vec![incoming("draft", future)]).expect("a plan");
    assert!(text(&plan, "sources.toml").contains("name = \"draft\"\nstatus = \"draft\""));
    let sources = sources();
    let latest = sources.revisions.last().expect("a revision");
    let (variant, feature) = (latest.name.replace('-', "_"), format!("v{}", latest.name.replace('-', "_")));
    let latest = mcp_wire_codegen::model_of(&folder(), &sources, load::official(&folder(), latest).expect("a schema"));
    let files = facade::facade_of(&[&latest.expect("a model"), &plan.items[0].models.1]).expect("the facade");
    assert!(files["Cargo.toml"].contains(&format!("default = [\"{feature}\"]")), "{}", files["Cargo.toml"]);
    assert!(files["Cargo.toml"].contains("draft = [\"dep:mcp-wire-draft\"]"), "{}", files["Cargo.toml"]);
    let constant = format!("LATEST: Self = Self::V{variant};");
    assert!(files["src/revision.rs"].contains(&constant), "{}", files["src/revision.rs"]);
}

/// While folders are replaced, one of them may be missing. The command line that is to complete the work must build.
#[test]
fn nothing_that_sync_replaces_is_compiled_in() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![project.join("codegen/src"), project.join("xtask/src")];
    let mut found = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source file");
            for line in text.lines().filter(|line| line.contains("include_str!") || line.contains("include_bytes!")) {
                found += 1;
                for part in ["schema/", "generated/", "docs/"] {
                    assert!(!line.contains(&format!("../{part}")), "{}: {line}", path.display());
                }
            }
        }
    }
    assert!(found > 0, "the folders are the right ones");
}

#[test]
fn the_notice_beside_the_schemas_and_that_of_the_crates_are_one() {
    let notice = std::fs::read_to_string(folder().join("NOTICE.md")).expect("the notice");
    let template = std::fs::read_to_string(folder().join("../templates/NOTICE.md")).expect("the template");
    let (_, here) = notice.split_once("## Licence of the schema files\n").expect("a licence");
    let (_, there) = template.split_once("## Licence of the schema\n").expect("a licence");
    assert_eq!(here.trim(), there.trim());
}
