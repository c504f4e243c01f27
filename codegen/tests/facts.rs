//! From which revision to which a fact holds, who has confirmed it, and what a new or a corrected schema changes about that.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use mcp_wire_codegen::facts::Facts;
use mcp_wire_codegen::load::{self, Sources};
use mcp_wire_codegen::sync::{Incoming, Plan, plan};
use serde_json::{Value, json};

fn schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema")
}

/// A copy of the schema folder. It goes when the test does.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Scratch {
    fn new(test: &str) -> Self {
        let scratch = Self(std::env::temp_dir().join(format!("mcp-wire-facts-{test}-{}", std::process::id())));
        for source in &load::sources(&schemas()).expect("the schema folder").revisions {
            let file = format!("{}/schema.json", source.name);
            fs::create_dir_all(scratch.0.join(&source.name)).expect("a folder");
            fs::copy(schemas().join(&file), scratch.0.join(&file)).expect("a schema");
        }
        for file in ["sources.toml", "facts.toml", "fixups.toml"] {
            fs::copy(schemas().join(file), scratch.0.join(file)).expect("a data file");
        }
        scratch
    }

    fn sources(&self) -> Sources {
        load::sources(&self.0).expect("the schema folder")
    }

    fn facts(&self) -> String {
        fs::read_to_string(self.0.join("facts.toml")).expect("the facts")
    }

    /// What is wrong with other facts.
    fn error(&self, facts: &str) -> String {
        fs::write(self.0.join("facts.toml"), facts).expect("the facts");
        load::sources(&self.0).map(|_| ()).expect_err("facts that are refused").to_string()
    }

    fn schema(&self, revision: &str) -> Value {
        let bytes = fs::read(self.0.join(revision).join("schema.json")).expect("a schema");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    /// Brings a schema in.
    fn sync(&self, revision: &str, schema: &Value) -> Plan {
        let bytes = serde_json::to_vec_pretty(schema).expect("JSON");
        let (name, path) = (revision.to_owned(), format!("schema/{revision}/schema.json"));
        let incoming = Incoming { name, path, repository: None, commit: None, date: None, bytes };
        let plan = plan(&self.0, &self.sources(), vec![incoming]).expect("a plan");
        for (file, bytes) in &plan.files {
            let path = self.0.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, bytes).expect("a file");
        }
        plan
    }

    /// The facts about a revision, wherever they begin and end.
    fn about(&self, revision: &str) -> Facts {
        let mut facts = self.sources().facts.about(revision);
        macro_rules! without_spans {
            ($($table:ident)*) => {$(
                for entry in &mut facts.$table {
                    (entry.since, entry.until) = (None, None);
                }
            )*};
        }
        without_spans!(open_enum initial order lenient error_code deprecated method deferred gate);
        Facts { unconfirmed: Default::default(), ..facts }
    }
}

fn newest() -> String {
    load::sources(&schemas()).expect("the schema folder").revisions.pop().expect("a revision").name
}

#[test]
fn a_revision_whose_facts_nobody_was_asked_to_confirm_is_refused() {
    let (scratch, newest) = (Scratch::new("unasked"), newest());
    let list = format!("{newest} = []\n");
    let facts = scratch.facts();
    assert!(facts.contains(&list));
    let error = scratch.error(&facts.replace(&list, ""));
    assert!(error.contains(&format!("[unconfirmed] has no list for {newest}")), "{error}");
    assert!(error.contains("cargo xtask sync"), "{error}");
}

#[test]
fn a_line_that_names_no_entry_is_refused() {
    let (scratch, newest) = (Scratch::new("line"), newest());
    let (list, facts) = (format!("{newest} = []\n"), scratch.facts());
    for line in ["method tools/cull", "tool tools/call", "tools/call", ""] {
        let error = scratch.error(&facts.replace(&list, &format!("{newest} = [\"{line}\"]\n")));
        assert!(error.contains(&format!("lists `{line}` for {newest}, and there is no such entry")), "{error}");
    }
}

#[test]
fn an_entry_that_holds_for_no_revision_is_refused() {
    let scratch = Scratch::new("nowhere");
    let entry =
        |span: &str| format!("{}\n[[lenient]]\nmembers = [\"Tool.name\"]\n{span}\nsource = \"x\"\n", scratch.facts());
    for (span, found) in [
        ("since = \"2026-07-82\"", "`lenient Tool.name`: there is no revision 2026-07-82"),
        ("until = \"2025-11-2\"", "`lenient Tool.name`: there is no revision 2025-11-2"),
        ("since = \"2025-11-25\"\nuntil = \"2025-06-18\"", "`lenient Tool.name`: it holds for no revision"),
    ] {
        let facts = entry(span);
        let known = scratch.facts();
        let error = scratch.error(&facts);
        assert!(error.contains(found), "{error}");
        fs::write(scratch.0.join("facts.toml"), known).expect("the facts");
    }
}

#[test]
fn ending_an_entry_settles_its_task() {
    let (scratch, newest) = (Scratch::new("ended"), newest());
    scratch.sync("2099-01-01", &scratch.schema(&newest));
    let open = || scratch.sources().facts.tasks();
    let is_about_order = |task: &mcp_wire_codegen::facts::Task| task.about == "`LoggingLevel`";
    let before = open();
    assert!(before.iter().any(is_about_order), "{before:?}");
    let entry = "[[order]]\nenum = \"LoggingLevel\"\n";
    let facts = scratch.facts();
    assert!(facts.contains(entry));
    fs::write(scratch.0.join("facts.toml"), facts.replace(entry, &format!("{entry}until = \"{newest}\"\n")))
        .expect("the facts");
    let after = open();
    assert!(!after.iter().any(is_about_order), "{after:?}");
    assert_eq!(after.len(), before.len() - 1);
    assert!(scratch.about("2099-01-01").order.is_empty() && scratch.about(&newest).order.len() == 1);
}

/// The facts about a new revision are those about the one before, wherever it stands in the order of time.
#[test]
fn a_revision_between_two_others_changes_nothing_about_these() {
    let scratch = Scratch::new("between");
    let names: Vec<String> = scratch.sources().revisions.iter().map(|source| source.name.clone()).collect();
    let facts: Vec<Facts> = names.iter().map(|name| scratch.about(name)).collect();
    for (name, known) in names.iter().zip(&facts) {
        let between = format!("{name}-b");
        let plan = scratch.sync(&between, &scratch.schema(name));
        assert_eq!(plan.items[0].follows.as_deref(), Some(name.as_str()));
        let is_certain = |task: &&mcp_wire_codegen::facts::Task| task.about != "what is deprecated";
        let open: Vec<_> = plan.tasks().filter(is_certain).collect();
        assert!(!open.is_empty() && open.iter().all(|task| task.revision == between), "{open:?}");
        assert_eq!(scratch.about(&between), Facts { task: scratch.about(&between).task, ..known.clone() }, "{between}");
    }
    for (name, known) in names.iter().zip(facts) {
        assert_eq!(scratch.about(name), known, "{name}");
    }
}

/// A correction takes away what a fact speaks of. The facts about other revisions stay as they are.
#[test]
fn a_correction_changes_the_facts_about_its_revision_alone() {
    let scratch = Scratch::new("corrected");
    let names: Vec<String> = scratch.sources().revisions.iter().map(|source| source.name.clone()).collect();
    let facts: Vec<Facts> = names.iter().map(|name| scratch.about(name)).collect();
    // An entry in the middle of whose revisions this one is: `completion/complete` needs no capability there.
    let mut schema = scratch.schema("2025-06-18");
    let capabilities = &mut schema["definitions"]["ServerCapabilities"]["properties"];
    assert!(capabilities.as_object_mut().expect("capabilities").remove("completions").is_some());
    let plan = scratch.sync("2025-06-18", &schema);
    let tasks: Vec<String> = plan.tasks().map(ToString::to_string).collect();
    assert!(
        tasks.iter().any(|task| task.contains("`completion/complete`") && task.contains("lacks some")),
        "{tasks:?}"
    );
    for (name, known) in names.iter().zip(&facts) {
        let now = scratch.about(name);
        let changed = if name == "2025-06-18" { 1 } else { 0 };
        let is_new = |entry: &&mcp_wire_codegen::facts::Method| !known.method.contains(entry);
        let new: Vec<_> = now.method.iter().filter(is_new).collect();
        assert_eq!(new.len(), changed, "{name}");
        assert!(new.iter().all(|entry| entry.method == "completion/complete" && entry.server_capability.is_none()));
        assert_eq!(now.method.len(), known.method.len(), "{name}");
    }
    assert_eq!(scratch.facts().matches("method = \"completion/complete\"").count(), 4, "{}", scratch.facts());
}

#[test]
fn an_entry_that_nothing_is_left_of_goes_and_its_heading_stays() {
    let scratch = Scratch::new("gone");
    let heading = "# Completion. The capability came a revision later than the method.\n";
    assert!(
        scratch.facts().contains(&format!("{heading}\n[[method]]\nmethod = \"completion/complete\"\nuntil = \"2024"))
    );
    let mut schema = scratch.schema("2024-11-05");
    schema["definitions"]["CompleteRequest"]["properties"]["method"] = json!({ "type": "string" });
    let requests = schema["definitions"]["ClientRequest"]["anyOf"].as_array_mut().expect("requests");
    requests.retain(|request| request["$ref"] != "#/definitions/CompleteRequest");
    let plan = scratch.sync("2024-11-05", &schema);
    assert!(plan.items[0].models.1.methods.iter().all(|method| method.method != "completion/complete"));
    let facts = scratch.facts();
    let entry = format!("\n\n{heading}\n[[method]]\nmethod = \"completion/complete\"\nsince = \"2025-03-26\"\n");
    assert!(facts.contains(&entry), "{facts}");
    assert_eq!(facts.matches("method = \"completion/complete\"").count(), 1);
}
