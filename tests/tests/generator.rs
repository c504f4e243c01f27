//! The generator as a whole: the same bytes every time, nothing written that need not be, nothing lost when it fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use mcp_wire_codegen::facade;
use mcp_wire_codegen::fixups::{FIXUPS, Fixup, fix_up};
use mcp_wire_codegen::licences::LICENCES;
use mcp_wire_codegen::load::{self, Schema};
use mcp_wire_codegen::model::Revision;
use mcp_wire_codegen::output::{Changes, FileSet, MARK, UNMARKED};
use mcp_wire_codegen::{Error, Packaging, crate_of, model_of, package_name};
use mcp_wire_tests::{REVISIONS, assert_pinned, root, shared, sources, stateless};
use serde_json::{Map, Value, json};

type Files = BTreeMap<String, String>;

fn official(name: &str) -> Schema {
    let sources = sources();
    let source = sources.revisions.iter().find(|source| source.name == name).expect("a listed revision");
    load::official(&root().join("schema"), source).expect("an official schema")
}

fn model(schema: Schema) -> Revision {
    let name = schema.name.clone();
    model_of(&root().join("schema"), &sources(), schema).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn files(model: &Revision) -> Files {
    crate_of(model, &Packaging { package: package_name(&model.name), core: None }).expect("a crate")
}

/// A new, empty folder inside the build folder.
fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generator").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old folder");
    }
    fs::create_dir_all(&folder).expect("a folder for a test");
    folder
}

/// Makes a folder agree with a set, as the command line does in one step.
fn write(set: &FileSet, out: &Path) -> Changes {
    let changes = set.compare(out).expect("a comparison");
    let gone = changes.written.iter().map(|path| out.join(path)).filter(|path| path.exists());
    for path in gone.chain(changes.removed.iter().map(|path| out.join(path))) {
        fs::remove_file(path).expect("an old file");
    }
    set.stage(out, changes.written.iter().map(PathBuf::as_path)).expect("new files");
    changes
}

/// Every file below a folder with its bytes.
fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => drop(
                    found
                        .insert(path.strip_prefix(folder).expect("below").to_owned(), fs::read(&path).expect("a file")),
                ),
            }
        }
    }
    found
}

#[test]
fn documents_are_read_as_they_are() {
    let read = |text: &str| load::bytes(Path::new("odd.json"), "odd", text.as_bytes()).expect("a schema").document;
    let mut texts: Vec<String> = REVISIONS
        .iter()
        .map(|revision| {
            fs::read_to_string(root().join("schema").join(revision.name).join("schema.json")).expect("a schema")
        })
        .collect();
    texts.push(
        r#"{ "$defs": { "Twice": 1, "Numbers": [0, -1, 1.5, -0.0, 18446744073709551615, 1e300, -9223372036854775808],
            "Others": [null, true, false, "", "\u00e9\ud83e\udd80\n", [], {}, [[{ "a": { "b": [] } }]]], "Twice": {} } }"#
            .to_owned(),
    );
    for text in &texts {
        let expected: Value = serde_json::from_str(text).expect("JSON");
        let document = read(text);
        assert_eq!(document, expected);
        // Equality does not see the order of members.
        assert_eq!(document.to_string(), expected.to_string());
    }
    assert_eq!(texts.len(), REVISIONS.len() + 1);
}

#[test]
fn the_same_schema_gives_the_same_bytes() {
    for revision in &REVISIONS {
        assert_eq!(files(&model(official(revision.name))), files(&model(official(revision.name))), "{}", revision.name);
    }
}

#[test]
fn the_order_of_definitions_in_the_file_does_not_matter() {
    for revision in &REVISIONS {
        let schema = official(revision.name);
        let mut turned = schema.clone();
        let definitions: Map<String, Value> =
            schema.definitions().iter().rev().map(|(name, value)| (name.clone(), value.clone())).collect();
        turned.document[schema.keyword] = Value::Object(definitions);
        assert_eq!(files(&model(turned)), files(&model(schema)), "{}", revision.name);
    }
}

#[test]
fn every_definition_is_a_type() {
    for revision in &REVISIONS {
        let model = model(official(revision.name));
        let types = model.types.values().filter(|ty| ty.definition.is_some()).count();
        revision.assert_definitions(model.definitions);
        assert_eq!(types, model.definitions, "{}", revision.name);
        assert_eq!(model.folded, BTreeMap::new(), "{}", revision.name);
    }
}

fn everything() -> FileSet {
    let mut set = FileSet::default();
    let models: Vec<_> = REVISIONS.iter().map(|revision| model(official(revision.name))).collect();
    for (revision, model) in REVISIONS.iter().zip(&models) {
        set.add(Path::new(&package_name(revision.name)), files(model));
    }
    set.add(Path::new(facade::PACKAGE), facade::facade_of(&models.iter().collect::<Vec<_>>()).expect("the facade"));
    set
}

#[test]
fn the_committed_crates_are_what_the_generator_makes() {
    let generated = root().join("generated");
    let mut set = everything();
    set.is_everything(&generated).expect("the folder");
    let changes = set.compare(&generated).expect("a comparison");
    assert!(changes.is_empty(), "run `cargo xtask generate`: {changes:?}");
    // The comparison has something to compare, and the files say what they are.
    assert!(set.files().count() > 5 * 15);
    let unmarked = |path: &Path| UNMARKED.iter().any(|name| path.file_name().is_some_and(|file| file == *name));
    for (path, text) in set.files().filter(|(path, _)| !unmarked(path)) {
        assert!(text.lines().take(3).any(|line| line.contains(MARK)), "{} lacks the mark", path.display());
    }
}

#[test]
fn writing_again_writes_nothing_and_a_deleted_folder_comes_back() {
    let out = empty_folder("again");
    let set = everything();
    let count = set.files().count();
    let first = write(&set, &out);
    assert_eq!((first.written.len(), first.removed.len()), (count, 0));
    let before = snapshot(&out);
    assert_eq!(before.len(), count);
    assert!(write(&set, &out).is_empty());

    fs::remove_dir_all(out.join(package_name("2025-11-25")).join("src")).expect("a part");
    let restored = write(&set, &out);
    assert!(!restored.written.is_empty() && restored.written.len() < count);
    assert_eq!(snapshot(&out), before);

    fs::remove_dir_all(&out).expect("everything");
    assert_eq!(write(&set, &out).written.len(), count);
    assert_eq!(snapshot(&out), before);
}

/// A set of one small crate.
fn small(folder: &str) -> FileSet {
    let text = |name: &str| format!("// {MARK} from {name}. Do not edit.\n");
    let files = [("Cargo.toml", "# "), ("src/lib.rs", ""), ("src/common.rs", "")];
    let mut set = FileSet::default();
    set.add(Path::new(folder), files.map(|(path, start)| (path.to_owned(), format!("{start}{}", text(path)))).into());
    set
}

#[test]
fn stale_generated_files_go_and_all_others_stay() {
    // In a folder below, as for the revisions, and in the folder itself, as for a crate of one's own.
    for place in ["crate", ""] {
        let out = empty_folder(&format!("stale{place}"));
        let set = small(place);
        write(&set, &out);
        let folder = out.join(place);
        let stale = format!("// {MARK} from long ago. Do not edit.\n");
        fs::create_dir_all(folder.join("src/old")).expect("a folder");
        let outdated = ["src/tools.rs", "src/old/more.rs"];
        for path in outdated {
            fs::write(folder.join(path), &stale).expect("a stale file");
        }
        // A person's own files, one of which mentions the mark, but not where a generated file would.
        let late = format!("{}{stale}", "// mine\n".repeat(100));
        let kept = [
            ("src/mine.rs", "// mine\n"),
            ("notes.md", ""),
            ("src/late.rs", &late),
            ("target/x.rs", &stale),
            (".git/x.rs", &stale),
            // What does not say that it is generated may be anybody's.
            ("model.json", "{}"),
            ("src/model.json", "{}"),
            ("src/x.mcp-wire-new", "mine"),
            // Whoever owns the crate chooses its licence, which may be the one we have chosen.
            (LICENCES[0].0, LICENCES[0].1),
            (LICENCES[1].0, "Copyright: mine\n"),
        ];
        for (path, text) in kept {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file of one's own");
        }
        let changes = write(&set, &out);
        assert_eq!(changes.written, Vec::<PathBuf>::new());
        let mut expected: Vec<PathBuf> = outdated.iter().map(|path| Path::new(place).join(path)).collect();
        expected.sort();
        let mut removed = changes.removed;
        removed.sort();
        assert_eq!(removed, expected);
        for (path, text) in kept {
            assert_eq!(fs::read_to_string(folder.join(path)).expect("a file that stays"), text, "{path}");
        }
        assert_eq!(snapshot(&out).len(), 3 + kept.len());
    }
}

#[test]
fn a_crate_that_is_no_longer_generated_goes_and_a_foreign_one_stays() {
    let out = empty_folder("everything");
    write(&small("old"), &out);
    write(&small("new"), &out);
    fs::create_dir_all(out.join("foreign/src")).expect("a folder");
    fs::write(out.join("foreign/Cargo.toml"), "[package]\n").expect("a manifest");
    fs::write(out.join("foreign/src/lib.rs"), format!("// {MARK}\n")).expect("a file");
    // What is the same in every crate goes with its crate; what somebody has changed stays.
    fs::write(out.join("old").join(LICENCES[0].0), LICENCES[0].1).expect("a licence");
    fs::write(out.join("old/model.json"), "{}").expect("a model");
    fs::write(out.join("old/src/model.json"), "{}").expect("a file of one's own");
    // Only a set that says so is everything there should be.
    assert!(small("new").compare(&out).expect("a comparison").is_empty());
    let mut set = small("new");
    set.is_everything(&out).expect("the folder");
    assert_eq!(write(&set, &out).removed.len(), 5);
    assert_eq!(snapshot(&out).keys().filter(|path| path.starts_with("old")).count(), 1);
    assert_eq!(snapshot(&out).len(), 3 + 2 + 1);
}

#[test]
fn what_is_in_the_way_is_an_error_before_anything_is_written() {
    type Obstacle = (&'static str, fn(&Path));
    let obstacles: [Obstacle; 2] = [
        ("a folder in place of a file", |folder| {
            fs::create_dir_all(folder.join("crate/src/lib.rs/x")).expect("a folder")
        }),
        ("a file in place of a folder", |folder| {
            fs::create_dir_all(folder.join("crate")).expect("a folder");
            fs::write(folder.join("crate/src"), "mine").expect("a file");
        }),
    ];
    for (name, obstacle) in obstacles {
        let out = empty_folder("failed");
        obstacle(&out);
        let error = small("crate").compare(&out).expect_err(name);
        assert!(matches!(error, Error::Io { .. }), "{name}: {error}");
        assert!(error.to_string().contains("crate/src"), "{name}: {error}");
    }
    // What is staged is new, or it is not staged.
    let out = empty_folder("staged");
    small("crate").stage_all(&out).expect("an empty folder");
    let before = snapshot(&out);
    let error = small("crate").stage_all(&out).expect_err("files that are there");
    assert!(error.to_string().contains("nothing has been changed"), "{error}");
    assert_eq!(snapshot(&out), before);
}

#[test]
fn every_fixup_changes_what_it_is_known_to_change() {
    let mut total = 0;
    for revision in &REVISIONS {
        let applied = fix_up(&mut official(revision.name), &sources()).expect("fixups that apply");
        total += applied.len();
        let applied: Vec<(String, usize)> = applied.into_iter().map(|fixup| (fixup.name, fixup.changes)).collect();
        assert_pinned(revision.name, "fixups", applied);
    }
    // None is listed for a revision that does not exist, and none applies nowhere.
    let lists = sources().fixups;
    assert_eq!(lists.values().map(Vec::len).sum::<usize>(), total);
    for (name, revisions) in &lists {
        assert!(!revisions.is_empty(), "fixup `{name}` is not needed any more: remove it and its entry");
    }
}

#[test]
fn a_fixup_that_changes_nothing_is_an_error() {
    // Every fixup in turn meets a schema in which there is nothing to mend.
    let mut cases = 0;
    for revision in &REVISIONS {
        let lists = sources().fixups;
        let listed = |fixup: &&Fixup| lists[fixup.name].iter().any(|name| name == revision.name);
        let Some(first) = FIXUPS.iter().find(listed) else { continue };
        let mut schema = official(revision.name);
        schema.document[schema.keyword] = json!({ "A": { "type": "string" } });
        let error = fix_up(&mut schema, &sources()).expect_err("nothing to mend").to_string();
        let place = format!("{}#/{}/{}", schema.file.display(), schema.keyword, first.place);
        assert!(error.starts_with(&place), "{error}");
        assert!(error.contains(&format!("fixup `{}` changed nothing", first.name)), "{error}");
        assert!(error.contains(&format!("take {} off its list in schema/fixups.toml", revision.name)), "{error}");
        // The same in a schema of one's own is nothing to complain about.
        schema.official = false;
        assert_eq!(fix_up(&mut schema, &sources()).expect("no complaint"), []);
        cases += 1;
    }
    let lists = sources().fixups;
    assert_eq!(cases, lists.values().flatten().collect::<BTreeSet<_>>().len());
}

#[test]
fn a_fixup_complains_when_upstream_has_mended_the_schema() {
    let Some(file) = shared("spec/2025-11-25/schema.json") else { return };
    let mut schema = load::file(&file, "2025-11-25").expect("today's schema");
    schema.official = true;
    let error = fix_up(&mut schema, &sources()).expect_err("a fixup without a reason");
    let named = ["number_schema_bounds", "task_ttl_nullable"].iter().find(|name| error.to_string().contains(**name));
    assert!(named.is_some(), "{error}");
    assert!(
        error.pointer().is_some_and(|pointer| ["/$defs/NumberSchema", "/$defs/Task"].contains(&pointer)),
        "{error}"
    );
    assert!(error.to_string().contains(&file.display().to_string()), "{error}");
}

#[test]
fn changed_bytes_of_an_official_schema_are_refused() {
    let folder = empty_folder("sha256");
    let sources = sources();
    for source in &sources.revisions {
        let mut bytes = fs::read(root().join("schema").join(&source.name).join("schema.json")).expect("a schema");
        bytes.push(b'\n');
        fs::create_dir_all(folder.join(&source.name)).expect("a folder");
        let file = folder.join(&source.name).join("schema.json");
        fs::write(&file, &bytes).expect("a changed schema");
        let error = load::official(&folder, source).expect_err("one byte more").to_string();
        assert!(error.starts_with(&file.display().to_string()), "{error}");
        assert!(error.contains(&format!("sources.toml records {}", source.sha256)), "{error}");
        assert!(error.contains("restore the file"), "{error}");
    }
    assert_eq!(sources.revisions.len(), REVISIONS.len());
}

#[test]
fn a_fact_about_something_that_does_not_exist_is_an_error() {
    type Break = fn(&mut mcp_wire_codegen::facts::Facts);
    let cases: [(&str, Break); 16] = [
        ("[[open_enum]] for R: `Nobody.member` does not exist", |facts| {
            facts.open_enum[0].members.push("Nobody.member".to_owned())
        }),
        ("[[initial]] for R: `*.nobody` does not exist", |facts| facts.initial[0].members.push("*.nobody".to_owned())),
        ("[[lenient]] for R: `Tool.nobody` does not exist", |facts| {
            facts.lenient[0].members.push("Tool.nobody".to_owned())
        }),
        ("[[deprecated]] for R: `Nobody` does not exist", |facts| facts.deprecated[0].items.push("Nobody".to_owned())),
        ("[[order]] for R: `LoggingLevel` has the values", |facts| facts.order[0].values.push("worst".to_owned())),
        ("[[order]] for R: `Nobody` has the values []", |facts| facts.order[0].name = "Nobody".to_owned()),
        ("[[method]] for R: no message has the method `no/body`", |facts| {
            facts.method[0].method = "no/body".to_owned()
        }),
        ("is answered with `Nobody`, which does not exist", |facts| facts.method[0].result = Some("Nobody".to_owned())),
        ("is answered with `Nobody`, which does not exist", |facts| facts.method[0].also.push("Nobody".to_owned())),
        ("needs `nobody.here`, which ServerCapabilities lacks", |facts| {
            facts.method[0].server_capability = Some("nobody.here".to_owned())
        }),
        ("needs `nobody`, which ClientCapabilities lacks", |facts| {
            facts.method[0].client_capability = Some("nobody".to_owned())
        }),
        ("needs exactly one entry", |facts| drop(facts.method.pop())),
        ("[[gate]] for R: `Nobody` does not exist", |facts| facts.gate[0].items.push("Nobody".to_owned())),
        ("[[gate]] for R: `Tool.nobody` does not exist", |facts| facts.gate[0].items.push("Tool.nobody".to_owned())),
        ("`ElicitRequestURLParams` needs `elicitation.nobody`, which ClientCapabilities lacks", |facts| {
            facts.gate[0].client_capability = Some("elicitation.nobody".to_owned())
        }),
        ("`ElicitRequestURLParams` needs exactly one capability", |facts| {
            facts.gate[0].server_capability = Some("tools".to_owned())
        }),
    ];
    let file = root().join("schema/facts.toml");
    let schema = official(stateless::REVISION);
    let facts = sources().facts.about(stateless::REVISION);
    facts.prove(&file, &schema).expect("the facts as they are");
    for (expected, spoil) in cases {
        let expected = &expected.replace("for R:", &format!("for {}:", stateless::REVISION));
        let mut spoilt = facts.clone();
        spoil(&mut spoilt);
        let error = spoilt.prove(&file, &schema).expect_err(expected).to_string();
        assert!(error.starts_with(&file.display().to_string()), "{error}");
        assert!(error.contains(expected), "{error}");
        assert!(error.contains("correct the entry, or the revisions it holds for"), "{error}");
        // To a schema of one's own they apply as far as they can.
        let applicable = spoilt.where_applicable(&schema);
        // A method may have lost its only entry, which is no matter for such a schema.
        if let Err(error) = applicable.prove(&file, &schema) {
            assert!(error.to_string().contains("needs exactly one entry"), "{expected}: {error}");
        }
    }
}

// The command line, as a person runs it.

fn xtask(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO"))
        .args(["run", "-q", "--manifest-path", "xtask/Cargo.toml", "--"])
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("cargo")
}

fn assert_exit(output: &Output, code: i32) -> String {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{text}");
    text
}

#[test]
fn check_says_what_there_is_and_changes_nothing() {
    let text = assert_exit(&xtask(&["generate", "--check"]), 0);
    for revision in &REVISIONS {
        let count = revision.types.len();
        let line = format!("[{}] {count} definitions → {count} types + 0 folded; ", revision.name);
        assert_eq!(text.lines().filter(|found| found.starts_with(&line)).count(), 1, "{text}");
    }
    assert_eq!(text.lines().count(), REVISIONS.len() + 1, "{text}");
    assert_eq!(text.lines().last(), Some("up to date"));
    let one = assert_exit(&xtask(&["generate", "--check", "--revision", "2025-06-18"]), 0);
    assert_eq!(one.lines().count(), 2, "{one}");
}

#[test]
fn wrong_arguments_exit_with_2_and_say_what_is_right() {
    let known = REVISIONS.each_ref().map(|revision| revision.name).join(", ");
    let cases: [(&[&str], &str); 7] = [
        (&["generate", "--revision", "2023-01-01"], &known),
        (&["generate", "--schema", "x.json"], "--out <DIR>"),
        (&["generate", "--schema", "x.json", "--out", "x"], "--name <CRATE>"),
        (&["generate", "--out", "x"], "--schema <FILE>"),
        (&["generate", "--schema", "x.json", "--out", "x", "--name", "X y"], "lowercase letters"),
        (
            &["generate", "--schema", "x.json", "--out", "x", "--name", "x", "--revision", "2025-06-18"],
            "cannot be used with",
        ),
        (&["generate", "--nonsense"], "--nonsense"),
    ];
    for (arguments, expected) in cases {
        let text = assert_exit(&xtask(arguments), 2);
        assert!(text.starts_with("error: ") && text.contains(expected), "{arguments:?}: {text}");
    }
    assert!(!root().join("x").exists());
}

#[test]
fn a_schema_that_is_not_there_exits_with_1_and_is_named() {
    let out = empty_folder("not-there");
    let text = assert_exit(
        &xtask(&["generate", "--schema", "/nowhere/x.json", "--out", &out.display().to_string(), "--name", "x"]),
        1,
    );
    assert!(text.contains("/nowhere/x.json"), "{text}");
    assert_eq!(snapshot(&out).len(), 0);
}

/// Generates a crate from a schema, tests it with its own doctest, and changes a file to see whether that is noticed.
fn a_schema_of_ones_own(name: &str, schema: &Path, definitions: usize, doctests: usize, test: Option<&str>) {
    let out = empty_folder(name);
    let folder = out.display().to_string();
    let file = schema.display().to_string();
    let arguments = ["generate", "--schema", &file, "--out", &folder, "--name", name];
    let text = assert_exit(&xtask(&arguments), 0);
    assert!(text.contains(&format!("[{name}] {definitions} definitions → {definitions} types + 0 folded")), "{text}");
    let before = snapshot(&out);

    if let Some(test) = test {
        fs::create_dir_all(out.join("tests")).expect("a folder");
        fs::write(out.join("tests/mine.rs"), test).expect("a test of one's own");
    }
    fs::copy(root().join("Cargo.lock"), out.join("Cargo.lock")).expect("a lock file");
    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--features", "registry"])
        .current_dir(&out)
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("generator-target"))
        .env("RUSTFLAGS", "-D warnings -C debuginfo=0")
        .output()
        .expect("cargo");
    let text = assert_exit(&output, 0);
    assert!(text.contains("Doc-tests"), "{text}");
    assert!(text.contains(&format!("test result: ok. {doctests} passed")), "{doctests} doctests ran: {text}");

    let again = assert_exit(&xtask(&arguments), 0);
    assert!(again.contains("0 files written, 0 removed"), "{again}");
    let after = snapshot(&out);
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)));

    let lib = out.join("src/lib.rs");
    fs::write(&lib, fs::read_to_string(&lib).expect("a file") + "\n// edited\n").expect("an edited file");
    let mut check = arguments.to_vec();
    check.push("--check");
    let text = assert_exit(&xtask(&check), 1);
    assert!(text.contains("not as the generator left it, or not its own: src/lib.rs"), "{text}");
    assert!(fs::read_to_string(&lib).expect("a file").ends_with("// edited\n"), "--check wrote something");
}

#[test]
fn an_extension_schema_gives_a_crate_that_builds_and_tests_itself() {
    let file = empty_folder("extension-schema").join("extension.json");
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {
            "Colour": { "description": "A colour.", "enum": ["red", "dark-green"] },
            "Circle": { "type": "object", "properties": { "type": { "const": "circle" }, "radius": { "type": "number", "minimum": 0 } }, "required": ["type", "radius"] },
            "Square": { "type": "object", "properties": { "type": { "const": "square" }, "side": { "type": "number" }, "fill": { "$ref": "#/$defs/Colour" } }, "required": ["type", "side"] },
            "Shape": { "anyOf": [{ "$ref": "#/$defs/Circle" }, { "$ref": "#/$defs/Square" }] },
            "Drawing": { "type": "object", "properties": { "shapes": { "type": "array", "items": { "$ref": "#/$defs/Shape" } }, "title": { "type": "string" } }, "required": ["shapes"] },
        }
    });
    fs::write(&file, schema.to_string()).expect("a schema");
    let test = r##"
use extension_types::{Circle, Colour, Drawing, Json, Shape, Square, from_str, to_string};

#[test]
fn drawings() {
    let drawing = Drawing::new(vec![Circle::new(1.5).into(), Square::new(2).with_fill(Colour::DarkGreen).into()]).with_title("two");
    let text = r#"{"shapes":[{"type":"circle","radius":1.5},{"type":"square","side":2,"fill":"dark-green"}],"title":"two"}"#;
    assert_eq!(from_str::<Drawing>(text).unwrap(), drawing);
    assert!(drawing.check().is_empty());
    let odd: Drawing = from_str(r#"{"shapes":[{"type":"star"},{"type":"circle","radius":-1}]}"#).unwrap();
    assert!(matches!(odd.shapes[0], Shape::Unknown(_)));
    assert_eq!(odd.check().len(), 2);
}

#[test]
fn what_is_read_is_written_back() {
    for text in [
        r#"{"shapes":[{"type":"circle","radius":1.5},{"type":"square","side":2,"fill":"dark-green"}],"title":"two"}"#,
        r#"{"vendor":null,"shapes":[{"type":"star","x":[]},{"type":"circle","radius":-1.0},50],"title":5}"#,
    ] {
        let drawing: Drawing = from_str(text).unwrap();
        let back = to_string(&drawing);
        assert_eq!(back.parse::<Json>().unwrap(), text.parse::<Json>().unwrap());
        // The order of members may be another one, but each value has its form.
        assert_eq!(back.len(), text.len(), "{back}");
    }
}
"##;
    a_schema_of_ones_own("extension-types", &file, 5, 1, Some(test));
}

#[test]
fn todays_draft_gives_a_crate_that_builds_and_tests_itself() {
    let newest = REVISIONS.last().expect("a revision").name;
    let Some(file) = shared(&format!("spec/{newest}/schema.json")) else { return };
    let text = fs::read_to_string(&file).expect("a schema");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let definitions = document["$defs"].as_object().expect("definitions").len();
    a_schema_of_ones_own("draft-types", &file, definitions, 2, None);
}
