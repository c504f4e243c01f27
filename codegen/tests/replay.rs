//! The arrival of each revision, replayed: with everything about it and its successors taken out of the data files, the
//! official schema comes in once more. What comes out is what was finished by hand, or a task names the difference.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../../tests/src/pinned.rs"]
mod pinned;
mod revisions;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use mcp_wire_codegen::facts::Task;
use mcp_wire_codegen::load;
use mcp_wire_codegen::methods::{Row, rows};
use mcp_wire_codegen::model::Revision;
use mcp_wire_codegen::model_of;
use mcp_wire_codegen::sync::{Incoming, Plan, plan};
use pinned::assert_pinned;
use revisions::{newest, previous, revisions, stateless};
use serde_json::json;
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Value};

fn schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema")
}

/// A schema folder that knows only what came before a revision. It goes when the test does.
struct Past(PathBuf);

impl Drop for Past {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Past {
    fn before(revision: &str, test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("mcp-wire-replay-{test}-{revision}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let past = Self(folder);
        let is_past = |name: &Value| name.as_str().expect("a revision") < revision;
        let edit = |file: &str, edit: &dyn Fn(&mut DocumentMut)| {
            let mut document = fs::read_to_string(schemas().join(file)).expect("a data file").parse().expect("TOML");
            edit(&mut document);
            fs::write(past.0.join(file), document.to_string()).expect("a data file");
        };
        edit("sources.toml", &|sources| {
            let entries = sources["revision"].as_array_of_tables_mut().expect("revisions");
            entries.retain(|entry| is_past(entry["name"].as_value().expect("a name")));
            for entry in entries.iter() {
                let name = entry["name"].as_str().expect("a name");
                fs::create_dir_all(past.0.join(name)).expect("a folder");
                let file = format!("{name}/schema.json");
                fs::copy(schemas().join(&file), past.0.join(&file)).expect("a schema");
            }
        });
        edit("facts.toml", &|facts| {
            assert!(facts.get("task").is_none(), "the data files are finished");
            for (table, entries) in facts.iter_mut() {
                match entries.as_array_of_tables_mut() {
                    Some(entries) => open_again(entries, revision),
                    None => {
                        assert_eq!(&*table, "unconfirmed");
                        let lists = entries.as_table_mut().expect("lists");
                        let is_finished = |list: &Item| list.as_array().expect("a list").is_empty();
                        assert!(lists.iter().all(|(_, list)| is_finished(list)), "the data files are finished");
                        lists.retain(|name, _| name < revision);
                    }
                }
            }
        });
        edit("fixups.toml", &|fixups| {
            fixups.iter_mut().for_each(|(_, list)| list.as_array_mut().expect("revisions").retain(is_past));
        });
        for file in ["sources.toml", "facts.toml", "fixups.toml"] {
            assert!(!fs::read_to_string(past.0.join(file)).expect("a data file").contains(&format!("\"{revision}\"")));
        }
        past
    }

    fn sync(&self, revision: &str, bytes: Vec<u8>) -> Plan {
        let sources = load::sources(&self.0).expect("the schema folder");
        let path = format!("schema/{revision}/schema.json");
        let (name, commit) = (revision.to_owned(), Some("0123456789abcdef".to_owned()));
        let incoming = Incoming { name, path, repository: None, commit, date: None, bytes };
        plan(&self.0, &sources, vec![incoming]).expect("a plan")
    }

    /// Puts what a plan says into the folder.
    fn write(&self, plan: &Plan) {
        for (file, bytes) in &plan.files {
            let path = self.0.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, bytes).expect("a file");
        }
    }
}

/// What an array of entries said when a revision had not come in: those of later ones were not there, and what has ended
/// since then had not.
fn open_again(entries: &mut ArrayOfTables, revision: &str) {
    let previous = previous(revision);
    entries.retain(|entry| entry.get("since").and_then(Item::as_str).is_none_or(|since| since < revision));
    for entry in entries.iter_mut() {
        if entry.get("until").and_then(Item::as_str).is_some_and(|until| until >= previous) {
            entry.remove("until");
        }
    }
}

fn official(revision: &str) -> Vec<u8> {
    fs::read(schemas().join(revision).join("schema.json")).expect("a schema")
}

/// What was finished by hand.
fn finished(revision: &str) -> Revision {
    let sources = load::sources(&schemas()).expect("the schema folder");
    let source = sources.revisions.iter().find(|source| source.name == revision).expect("a revision");
    model_of(&schemas(), &sources, load::official(&schemas(), source).expect("a schema")).expect("a model")
}

/// The columns of the table of methods and of error codes, as text, by row and column.
fn table(model: &Revision) -> BTreeMap<(String, &'static str), String> {
    let mut cells = BTreeMap::new();
    for row in rows(model) {
        let Row { revision: _, method, kind, senders, params, params_required, result, capability, deprecated } = row;
        let phase = model.methods.iter().find(|known| known.method == method).expect("the method").phase;
        for (column, cell) in [
            ("kind", format!("{kind:?}")),
            ("senders", format!("{senders:?}")),
            ("params", format!("{params:?} {params_required}")),
            ("result", result.names().join(" | ")),
            ("capability", format!("{capability:?}")),
            ("deprecated", deprecated.to_string()),
            ("phase", format!("{phase:?}")),
        ] {
            cells.insert((method.clone(), column), cell);
        }
    }
    for code in &model.error_codes {
        cells.insert((code.name.clone(), "code"), code.code.to_string());
        cells.insert((code.name.clone(), "sent_by"), format!("{:?}", code.sent_by));
        cells.insert((code.name.clone(), "doc"), code.doc.clone());
    }
    cells
}

/// Cells that differ: row, column, as it came, as it is.
fn differences(came: &Revision, is: &Revision) -> Vec<(String, &'static str, Option<String>, Option<String>)> {
    let (came, is) = (table(came), table(is));
    let keys: std::collections::BTreeSet<_> = came.keys().chain(is.keys()).collect();
    let differing = keys.into_iter().filter(|key| came.get(key) != is.get(key));
    differing.map(|key| (key.0.clone(), key.1, came.get(key).cloned(), is.get(key).cloned())).collect()
}

/// Whether a task is about a cell: it names the row, and speaks of the column.
fn names(task: &Task, row: &str, column: &str) -> bool {
    let words: &[&str] = match column {
        "result" => &["result", "answer"],
        "capability" => &["capability"],
        "deprecated" => &["deprecated"],
        "phase" => &["phase"],
        "code" => &["code is", "no such thing"],
        "sent_by" => &["sent_by"],
        "doc" => &["doc is"],
        _ => panic!("nothing but the schema says the {column} of {row}"),
    };
    let text = task.to_string();
    text.contains(&format!("`{row}`")) && words.iter().any(|word| text.contains(word))
}

/// Replays the arrival of a revision. How many cells there are, how many differ, how many tasks there are.
fn replay(revision: &str) -> (usize, Vec<String>, usize) {
    let past = Past::before(revision, "arrival");
    let plan = past.sync(revision, official(revision));
    let [item] = &plan.items[..] else { panic!("one item") };
    let hand = finished(revision);
    let differences = differences(&item.models.1, &hand);
    let request = plan.pull_request(|_| String::new());
    for (row, column, came, is) in &differences {
        let task = item.tasks.iter().find(|task| names(task, row, column));
        let task = task.unwrap_or_else(|| panic!("{row}, {column}: {came:?}, and not {is:?}, without a task"));
        assert!(request.contains(&format!("- [ ] {task}")), "{task} is not in the pull request");
    }
    let count = item.tasks.len();
    assert_eq!(request.matches("\n- [ ] ").count(), count);
    assert!(count == 0 || request.contains(&format!("## Unfinished: {count} task")), "{request}");
    for task in &item.tasks {
        assert!(task.to_string().contains(revision), "{task}");
        let file = ["schema/facts.toml", "schema/fixups.toml", "of the schema, which is followed"];
        assert!(file.iter().any(|file| task.task.contains(file)), "what to write where? {task}");
    }
    let told = differences.iter().map(|(row, column, _, _)| format!("{row} {column}")).collect();
    (table(&hand).len(), told, count)
}

/// Every result, sender, parameter, capability and number that the schema has is right; the others differ with a task.
#[test]
fn every_arrival_brings_what_is_right_or_asks() {
    for revision in revisions().skip(1) {
        let (cells, differences, tasks) = replay(revision);
        assert_pinned(revision, "arrival", json!({ "cells": cells, "differences": differences, "tasks": tasks }));
    }
}

/// What was wrong or missing when this revision came in and nobody was told, and is in no table of methods or errors.
#[test]
fn what_else_was_missing_in_the_stateless_one_is_asked() {
    let past = Past::before(stateless(), "asked");
    let plan = past.sync(stateless(), official(stateless()));
    let asked = |about: &str, word: &str| {
        plan.tasks().any(|task| task.about == about && task.task.contains(word)).then_some(()).expect(about);
    };
    // The meaning of an absent member, an enum without its values, members that peers leave out.
    asked("`resultType`", "[[initial]]");
    asked("`ResultType`", "[[open_enum]]");
    asked("`ttlMs`", "[[lenient]]");
    asked("`cacheScope`", "[[lenient]]");
    // A number that only the revision before had, and one that is in no definition any more.
    asked("`RESOURCE_NOT_FOUND`", &format!("only {} vouches for that", previous(stateless())));
    asked("`URL_ELICITATION_REQUIRED`", "nothing was carried over");
    // A fact that the schema contradicts.
    asked("`tools/call`", "`CallToolResultResponse` of the schema, which is followed");
    for fixup in
        ["json_value_null_and_numbers", "doc_link_separators", "json_value_is_any", "client_notification_is_a_union"]
    {
        asked(&format!("`{fixup}`"), "schema/fixups.toml");
    }
    // All fixups that it needs, and no other.
    let lists = |folder: &Path| -> DocumentMut {
        fs::read_to_string(folder.join("fixups.toml")).expect("the lists").parse().expect("TOML")
    };
    past.write(&plan);
    for ((name, came), (_, is)) in lists(&past.0).iter().zip(lists(&schemas()).iter()) {
        let has =
            |list: &Item| list.as_array().expect("revisions").iter().any(|name| name.as_str() == Some(stateless()));
        assert_eq!(has(came), has(is), "{name}");
    }
}

/// The list of what nobody has confirmed for a revision.
fn unconfirmed<'a>(facts: &'a mut DocumentMut, revision: &str) -> &'a mut Array {
    facts["unconfirmed"][revision].as_array_mut().expect("a list")
}

/// Taking the line of a fact off the list settles its task; nothing else does.
#[test]
fn a_task_stays_until_somebody_has_edited_the_facts() {
    let past = Past::before(newest(), "settled");
    let plan = past.sync(newest(), official(newest()));
    past.write(&plan);
    let open = || load::sources(&past.0).expect("the schema folder").facts.tasks();
    assert_eq!(open(), plan.tasks().cloned().collect::<Vec<_>>(), "the files have every task of the report");
    // Bringing in the same once more is nothing to do, and forgets nothing.
    assert!(past.sync(newest(), official(newest())).is_empty());
    let file = past.0.join("facts.toml");
    let mut facts: DocumentMut = fs::read_to_string(&file).expect("the facts").parse().expect("TOML");
    let mut left = open().len();
    while !unconfirmed(&mut facts, newest()).is_empty() {
        let line = unconfirmed(&mut facts, newest()).remove(0);
        fs::write(&file, facts.to_string()).expect("the facts");
        left -= 1;
        assert_eq!(open().len(), left, "one task less: {line}");
    }
    facts.remove("task").expect("tasks");
    fs::write(&file, facts.to_string()).expect("the facts");
    assert_eq!(open(), []);
    // It is what it was all the time.
    let sources = load::sources(&past.0).expect("the schema folder");
    let source = sources.revisions.last().expect("the revision");
    let model = model_of(&past.0, &sources, load::official(&past.0, source).expect("a schema")).expect("a model");
    assert_eq!(table(&model), table(&plan.items[0].models.1));
}

/// The editions that a draft had on the way, each as if it were the first that is seen: every answer and every constant
/// in the file is in the model. `MCP_WIRE_EDITIONS` is a folder of schema files; upstream's history has them.
#[test]
fn editions_of_a_draft() {
    let Some(folder) = std::env::var_os("MCP_WIRE_EDITIONS") else {
        eprintln!("skipped: MCP_WIRE_EDITIONS names no folder of schema files");
        return;
    };
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let past = Past::before(stateless(), "editions");
    for file in &files {
        let bytes = fs::read(file).expect("a schema");
        let document: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
        let definitions = document["$defs"].as_object().expect("definitions");
        let plan = past.sync(stateless(), bytes);
        let model = &plan.items[0].models.1;
        let mut checked = 0;
        for (response, value) in definitions.iter().filter(|(name, _)| name.ends_with("ResultResponse")) {
            let request = definitions.get(&response.replace("ResultResponse", "Request"));
            let method = request.and_then(|request| request["properties"]["method"]["const"].as_str());
            let Some(method) = method else {
                assert!(
                    response == "JSONRPCResultResponse" || plan.tasks().any(|task| task.about.contains(response)),
                    "{response}"
                );
                continue;
            };
            let row = rows(model).into_iter().find(|row| row.method == method).expect("a row");
            let said = value["properties"]["result"].to_string();
            assert_eq!(row.result.names().len(), said.matches("$ref").count(), "{}: {method}", file.display());
            for name in row.result.names() {
                let name = if name == "EmptyResult" { "Result" } else { name };
                assert!(said.contains(&format!("/{name}\"")), "{}: {method}: {said}", file.display());
            }
            checked += 1;
        }
        let codes = definitions
            .iter()
            .filter(|(name, value)| name.ends_with("Error") && value.to_string().contains("\"code\":{\"const\":"));
        let codes = codes.count();
        let stated = model.error_codes.iter().filter(|code| plan_states(definitions, code.code)).count();
        assert!(stated >= codes, "{}: {stated} of {codes}", file.display());
        println!("{}: {checked} responses, {codes} constants, {} tasks", file.display(), plan.tasks().count());
    }
    // One after another, each a correction of the one before it.
    for file in &files {
        past.write(&past.sync(stateless(), fs::read(file).expect("a schema")));
    }
    let sources = load::sources(&past.0).expect("the schema folder");
    let source = sources.revisions.last().expect("the revision");
    let schema = load::official(&past.0, source).expect("a schema");
    if schema.provenance.sha256 == finished(stateless()).provenance.sha256 {
        let model = model_of(&past.0, &sources, schema).expect("a model");
        let tasks = sources.facts.tasks();
        let differences = differences(&model, &finished(stateless()));
        for (row, column, came, is) in &differences {
            assert!(tasks.iter().any(|task| names(task, row, column)), "{row}, {column}: {came:?}, and not {is:?}");
        }
        println!("one after another: {} differences, {} tasks", differences.len(), tasks.len());
    }
    assert!(!files.is_empty(), "a folder of schema files");
}

fn plan_states(definitions: &serde_json::Map<String, serde_json::Value>, code: i64) -> bool {
    definitions.values().any(|value| value.to_string().contains(&format!("\"const\":{code}")))
}
