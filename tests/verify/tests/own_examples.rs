//! The project's own examples: each is read and written back exactly, and departs from the schema where it is meant to.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use common::{judges, root, run, task};
use mcp_wire::Revision;
use mcp_wire_judge::compare;
use mcp_wire_tests::assert_pinned;
use mcp_wire_verify::{Outcome, Task};
use serde_json::{Value, json};

/// The violations that a document is meant to have.
fn expected(document: &str) -> Option<BTreeSet<(String, String)>> {
    let path = document.strip_suffix(".json")?.to_owned() + ".violations.json";
    let list: Value = serde_json::from_str(&fs::read_to_string(path).ok()?).expect("a list of violations");
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let pairs: BTreeSet<_> =
        list.as_array().expect("a list").iter().map(|item| (text(&item["pointer"]), text(&item["rule"]))).collect();
    assert!(!pairs.is_empty(), "{document} is meant to fail, but does not say how");
    Some(pairs)
}

#[test]
fn every_example_is_exact_and_fails_only_where_it_is_meant_to() {
    for revision in Revision::ALL {
        let (result, kept) = run(&Task { revision: Some(revision.to_string()), ..task() });
        result.expect("examples");
        let mut failed = 0;
        for document in &kept.documents {
            assert_eq!(document.outcome, Outcome::Exact, "{document:?}");
            let found: BTreeSet<_> =
                document.violations.iter().map(|one| (one.pointer.clone(), one.rule.clone())).collect();
            let meant = expected(&document.source);
            assert_eq!(document.is_meant, meant.is_some(), "{}", document.source);
            failed += usize::from(meant.is_some());
            // Other types of results than the two that the schema knows are allowed, and kept as unknown ones.
            let is_open = document.source.ends_with("/ResultType/partial.json");
            assert!(meant.is_some() || is_open == document.is_unknown, "{} is of no known variant", document.source);
            assert_eq!(found, meant.unwrap_or_default(), "{}", document.source);
        }
        println!("{revision}: {} documents, {failed} of them meant to fail", kept.documents.len());
        let counts = json!({ "documents": kept.documents.len(), "meant_to_fail": failed });
        assert_pinned(revision.as_str(), "own_examples", counts);
    }
}

#[test]
fn every_definition_has_an_example() {
    for revision in Revision::ALL {
        let folder = root().join("tests/examples").join(revision.as_str());
        for entry in revision.types() {
            let files = fs::read_dir(folder.join(entry.name)).map(|files| files.count()).unwrap_or(0);
            assert!(files > 0, "{revision} has no example of {}", entry.name);
        }
        let readme = fs::read_to_string(folder.join("README.md")).expect("where the examples come from");
        assert!(readme.contains(revision.as_str()), "{readme}");
    }
}

#[test]
fn the_messages_of_the_specification_are_among_the_examples() {
    let (mut found, mut absent) = (0, 0);
    for revision in Revision::ALL {
        let Ok(lines) = fs::read_to_string(root().join(format!("tests/messages/{revision}.jsonl"))) else { continue };
        let mut examples: BTreeSet<String> = BTreeSet::new();
        collect(&root().join("tests/examples").join(revision.as_str()), &mut examples);
        for line in lines.lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            // Two are official examples of a later revision as well, of which the project keeps no copy: they are in
            // `tests/messages` only.
            let elsewhere =
                matches!(line["msg"]["method"].as_str(), Some("notifications/cancelled" | "notifications/message"));
            if examples.contains(&line["msg"].to_string()) {
                found += 1;
            } else {
                assert!(elsewhere, "{revision}: {}", line["msg"]);
                absent += 1;
            }
        }
    }
    assert_eq!((found, absent), (50 + 42 + 1, 4));
}

fn collect(folder: &Path, documents: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, documents);
        } else if path.extension().is_some_and(|end| end == "json") {
            let text = fs::read_to_string(&path).expect("a document");
            documents.insert(serde_json::from_str::<Value>(&text).expect("JSON").to_string());
        }
    }
}

/// All places in a document.
fn places(value: &Value, pointer: String, found: &mut Vec<String>) {
    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Object(members) => {
            for (name, inner) in members {
                places(inner, format!("{pointer}/{}", escaped(name)), found);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                places(inner, format!("{pointer}/{index}"), found);
            }
        }
        _ => {}
    }
    found.push(pointer);
}

/// Whether one place lies in the other.
fn related(left: &str, right: &str) -> bool {
    let inside = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    inside(left, right) || inside(right, left)
}

/// Any one member is replaced by something else: where the schema minds, the answer points at the place.
#[test]
fn a_corrupted_member_is_pointed_at() {
    let judges = judges();
    let mut totals = BTreeMap::new();
    for revision in Revision::ALL {
        let folder = root().join("tests/examples").join(revision.as_str());
        let official = judges.places(revision).expect("a schema");
        let (mut minded, mut ignored) = (0, 0);
        for entry in revision.types() {
            // One example of each definition: the first in the alphabet that is not meant to fail.
            let mut files: Vec<_> = fs::read_dir(folder.join(entry.name))
                .expect("examples")
                .map(|file| file.expect("a file").path())
                .filter(|path| !path.to_string_lossy().ends_with(".violations.json"))
                .filter(|path| expected(&path.display().to_string()).is_none())
                .collect();
            files.sort();
            let Some(file) = files.first() else { continue };
            let document: Value = serde_json::from_str(&fs::read_to_string(file).expect("a file")).expect("JSON");
            let mut pointers = Vec::new();
            places(&document, String::new(), &mut pointers);
            for pointer in pointers {
                for other in
                    [json!(null), json!(-1.5), json!("\u{1}corrupted"), json!([[]]), json!({ "corrupted": {} })]
                {
                    let mut corrupted = document.clone();
                    let place = corrupted.pointer_mut(&pointer).expect("a place");
                    if *place == other {
                        continue;
                    }
                    *place = other;
                    let accepted = judges.accepts(revision, entry.name, &corrupted).expect("a schema");
                    let named: Vec<String> = match entry.convert(corrupted.clone()) {
                        Ok(probe) => {
                            let verdict = compare(&corrupted.to_string(), &probe.text, official.definition(entry.name));
                            assert_eq!(verdict.expect("JSON").findings, [], "{revision} {} {pointer}", entry.name);
                            probe.violations.into_iter().map(|violation| violation.pointer.into()).collect()
                        }
                        Err(error) => vec![error.pointer().expect("a pointer").to_owned()],
                    };
                    assert_eq!(named.is_empty(), accepted, "{revision} {} {pointer}: {corrupted}", entry.name);
                    if accepted {
                        ignored += 1;
                    } else {
                        minded += 1;
                        assert!(
                            named.iter().any(|named| related(named, &pointer)),
                            "{revision} {} {pointer}: {named:?} in {corrupted}",
                            entry.name
                        );
                    }
                }
            }
        }
        println!("{revision}: {minded} corruptions found, {ignored} that the schema allows");
        totals.insert(revision.to_string(), minded);
    }
    assert!(totals.values().all(|minded| *minded > 1800), "{totals:?}");
}
