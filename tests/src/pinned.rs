//! What the tests expect of each revision: numbers and names that change only on purpose. They are in
//! `tests/pinned/<revision>.json`, and those that span revisions in `tests/pinned/all.json`.
//!
//! `UPDATE_EXPECT=1` writes what the tests have found into the files. Read the difference before you commit it.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::expect_used,
    clippy::panic,
    reason = "tests of other packages use it, too"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::Value;

/// The file of what spans revisions.
pub const ALL: &str = "all";

/// Asserts that a revision is what is expected of it.
pub fn assert_pinned(revision: &str, key: &str, found: impl Serialize) {
    // Tests run side by side, and each may write to the file.
    static WRITING: Mutex<()> = Mutex::new(());
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let found = serde_json::to_value(found).expect("JSON");
    let mut known = read(revision);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        known.insert(key.to_owned(), sorted(found));
        let text = serde_json::to_string_pretty(&known).expect("JSON");
        return fs::write(file(revision), text + "\n").expect("the file is written");
    }
    match known.get(key) {
        Some(known) => assert_eq!(found, *known, "found, and expected by `{key}` in {}", file(revision).display()),
        None => panic!(
            "{} has no `{key}`, which is {found} here: let `UPDATE_EXPECT=1 cargo test` write it, and read it",
            file(revision).display()
        ),
    }
}

fn file(revision: &str) -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = folders.find(|folder| folder.join("schema/sources.toml").is_file()).expect("the project's folder");
    root.join("tests/pinned").join(revision).with_extension("json")
}

fn read(revision: &str) -> BTreeMap<String, Value> {
    match fs::read(file(revision)) {
        Ok(bytes) => {
            serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", file(revision).display()))
        }
        Err(_) => BTreeMap::new(),
    }
}

/// The same value with its members in the order of their names, whatever the features of serde_json.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        Value::Object(members) => {
            let members: BTreeMap<String, Value> = members.into_iter().collect();
            members.into_iter().map(|(name, value)| (name, sorted(value))).collect()
        }
        other => other,
    }
}
