//! `cargo xtask generate` and the files of others: what is not its own stays, and an interruption leaves all or nothing.
//!
//! Both in the project, always a copy of it, and in a folder of a user's own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde_json::json;

const REVISION: &str = "2025-06-18";
const PROGRAM: &str = env!("CARGO_BIN_EXE_xtask");

type Tree = BTreeMap<PathBuf, Vec<u8>>;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A copy of the project as far as the generator sees it, and a place for a crate of one's own.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("mcp-wire-generate-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let scratch = Self(folder);
        copy(&project().join("schema"), &scratch.root().join("schema"));
        fs::create_dir_all(scratch.root().join("runtime")).unwrap();
        scratch.schema(&["Kept", "Dropped"]);
        scratch
    }

    fn root(&self) -> PathBuf {
        self.0.join("project")
    }

    fn out(&self) -> PathBuf {
        self.0.join("out")
    }

    /// A schema of one's own with these definitions.
    fn schema(&self, names: &[&str]) {
        let definition = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
        let definitions: serde_json::Map<_, _> =
            names.iter().map(|name| ((*name).to_owned(), definition.clone())).collect();
        fs::write(self.0.join("own.json"), json!({ "$defs": definitions }).to_string()).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.arg("generate").args(arguments).env("MCP_WIRE_ROOT", self.root()).stdin(Stdio::null());
        command
    }

    fn own(&self) -> Vec<String> {
        let (schema, out) = (self.0.join("own.json"), self.out());
        ["--schema", schema.to_str().unwrap(), "--out", out.to_str().unwrap(), "--name", "my-types"]
            .map(str::to_owned)
            .to_vec()
    }

    /// Generates a crate of one's own.
    fn generate_own(&self, more: &[&str]) -> (i32, String) {
        let own = self.own();
        let arguments: Vec<&str> = own.iter().map(String::as_str).chain(more.iter().copied()).collect();
        told(self.command(&arguments).output().unwrap())
    }

    fn refuses(&self, parts: &[&str]) {
        let before = tree(&self.0);
        let (code, text) = self.generate_own(&[]);
        assert_eq!(code, 1, "{text}");
        for part in parts {
            assert!(text.contains(part), "`{part}` is not in {text}");
        }
        assert_eq!(tree(&self.0), before, "{text}");
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.out().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.out().join(path)).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn told(output: Output) -> (i32, String) {
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap_or(-1), text)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}

/// Every file below a folder with its bytes, and every link with its target; empty folders as well.
fn tree(folder: &Path) -> Tree {
    let mut found = Tree::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(&next).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(folder).unwrap().to_owned();
            let metadata = path.symlink_metadata().unwrap();
            let bytes = if metadata.is_symlink() {
                fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
            } else if metadata.is_dir() {
                folders.push(path);
                b"a folder".to_vec()
            } else {
                fs::read(&path).unwrap()
            };
            found.insert(name, bytes);
        }
    }
    found
}

#[test]
fn what_a_user_has_put_there_stays() {
    let scratch = Scratch::new();
    assert_eq!(scratch.generate_own(&[]).0, 0);
    let first = tree(&scratch.out());
    let mine = [
        ("data/model.json", "{\"mine\":1}"),
        ("src/model.json", "{\"mine\":2}"),
        ("src/mine.rs", "// @generated by cargo xtask generate, copied and changed by me\n"),
        ("src/lib.mcp-wire-new", "mine"),
        ("notes.md", "mine"),
        ("LICENSE-MIT", "mine"),
    ];
    for (path, text) in mine {
        scratch.write(path, text);
    }
    // With the definitions, what is generated changes; `topics` come and go.
    scratch.schema(&["Kept", "CallToolRequest", "ListPromptsResult"]);
    let (code, text) = scratch.generate_own(&[]);
    assert_eq!(code, 0, "{text}");
    assert_ne!(tree(&scratch.out()), first);
    scratch.schema(&["Kept", "Dropped"]);
    let (code, text) = scratch.generate_own(&[]);
    assert_eq!(code, 0, "{text}");
    for (path, text) in mine {
        assert_eq!(scratch.read(path), text, "{path}");
    }
    // Its own files are the first ones again, and nothing else is there.
    let now: Tree = tree(&scratch.out()).into_iter().filter(|(path, _)| !path.starts_with("data")).collect();
    let of_mine = |path: &Path| mine.iter().any(|(mine, _)| Path::new(mine) == path);
    let now: Tree = now.into_iter().filter(|(path, _)| !of_mine(path)).collect();
    assert_eq!(now, first);
    assert!(scratch.generate_own(&["--check"]).1.ends_with("up to date\n"));
}

#[test]
fn stale_files_go_if_they_are_as_they_were() {
    let scratch = Scratch::new();
    scratch.schema(&["Kept", "CallToolRequest", "ListPromptsResult"]);
    assert_eq!(scratch.generate_own(&[]).0, 0);
    let before = tree(&scratch.out());
    scratch.schema(&["Kept"]);
    let probe = Scratch::new();
    probe.schema(&["Kept"]);
    assert_eq!(probe.generate_own(&[]).0, 0);
    let after = tree(&probe.out());
    let stale: Vec<&PathBuf> = before.keys().filter(|path| !after.contains_key(*path)).collect();
    let [edited, others @ ..] = stale.as_slice() else { panic!("nothing is stale") };
    assert!(!others.is_empty(), "{stale:?}");
    scratch.write(edited.to_str().unwrap(), "// mine now\n");
    let (code, text) = scratch.generate_own(&[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains(&format!("kept: {}", edited.display())), "{text}");
    assert!(text.contains(&format!("{} removed", others.len())), "{text}");
    assert_eq!(scratch.read(edited.to_str().unwrap()), "// mine now\n");
    assert!(others.iter().all(|path| !scratch.out().join(path).exists()));
    // From now on it is the user's.
    let (code, text) = scratch.generate_own(&[]);
    assert_eq!((code, text.contains("kept")), (0, false), "{text}");
    assert_eq!(scratch.read(edited.to_str().unwrap()), "// mine now\n");
}

#[test]
fn what_somebody_has_changed_is_not_overwritten() {
    let scratch = Scratch::new();
    assert_eq!(scratch.generate_own(&[]).0, 0);
    let mut refused = 0;
    for path in ["Cargo.toml", "src/lib.rs", "model.json", "README.md"] {
        let text = scratch.read(path);
        scratch.write(path, &format!("{text}\n"));
        scratch.refuses(&["not as the generator left it", path, "move away or delete", "nothing has been changed"]);
        fs::remove_file(scratch.out().join(path)).unwrap();
        let (code, said) = scratch.generate_own(&[]);
        assert_eq!((code, scratch.read(path)), (0, text), "{said}");
        refused += 1;
    }
    assert_eq!(refused, 4);
}

#[test]
fn a_folder_without_a_list_is_new_empty_or_an_older_generators() {
    let scratch = Scratch::new();
    scratch.write("notes.md", "mine");
    scratch.refuses(&["not empty and not a generated crate", "name an empty or new folder"]);
    fs::remove_file(scratch.out().join("notes.md")).unwrap();
    assert_eq!(scratch.generate_own(&[]).0, 0);
    let list = scratch.read(".mcp-wire-files");
    assert!(list.starts_with("# Files of this folder that `cargo xtask generate` of mcp-wire has written"), "{list}");
    let lines = list.lines().filter(|line| !line.starts_with('#')).count();
    let files = tree(&scratch.out()).values().filter(|bytes| *bytes != b"a folder").count();
    assert_eq!(lines, files - 1, "all files but the list");
    // As the generator was before it had a list: what has its mark is replaced, nothing is removed.
    fs::remove_file(scratch.out().join(".mcp-wire-files")).unwrap();
    scratch.write("src/lib.rs", "// @generated by cargo xtask generate, long ago\n");
    scratch.write("src/stale.rs", "// @generated by cargo xtask generate, long ago\n");
    scratch.write("model.json", "{}");
    scratch.write("data/model.json", "{}");
    let (code, text) = scratch.generate_own(&[]);
    assert_eq!(code, 0, "{text}");
    assert_eq!(scratch.read(".mcp-wire-files"), list);
    assert_eq!((scratch.read("data/model.json"), scratch.read("src/stale.rs").len() > 9), ("{}".to_owned(), true));
    // There, too, what has no mark is somebody's.
    fs::remove_file(scratch.out().join(".mcp-wire-files")).unwrap();
    scratch.write("src/lib.rs", "// mine\n");
    scratch.refuses(&["not as the generator left it", "src/lib.rs"]);
}

#[test]
fn a_list_does_not_lead_out_of_the_folder() {
    let scratch = Scratch::new();
    assert_eq!(scratch.generate_own(&[]).0, 0);
    let list = scratch.read(".mcp-wire-files");
    fs::write(scratch.0.join("victim"), "").unwrap();
    // Of no bytes at all.
    let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let mut refused = 0;
    for line in [
        format!("{hash}  ../victim"),
        format!("{hash}  /etc/hostname"),
        format!("{hash}  src/../../victim"),
        format!("{hash}  "),
        "nonsense".to_owned(),
        "123  src/lib.rs".to_owned(),
        "\u{1b}[31m".to_owned(),
    ] {
        scratch.write(".mcp-wire-files", &format!("{list}{line}\n"));
        scratch.refuses(&["it is not a list of generated files", "restore the file"]);
        refused += 1;
    }
    assert_eq!(refused, 7);
}

#[test]
#[cfg(unix)]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let elsewhere = |scratch: &Scratch| {
        let folder = scratch.0.join("elsewhere");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("lib.rs"), "mine").unwrap();
        folder
    };
    // In place of a folder, a file, the list, what is staged, and what an earlier generator called its new files.
    let mut refused = 0;
    for (path, target, says) in [
        ("src", "elsewhere", "symbolic link"),
        ("src/lib.rs", "elsewhere/lib.rs", "symbolic link"),
        ("model.json", "elsewhere/nowhere", "symbolic link"),
        (".mcp-wire-files", "elsewhere/lib.rs", "symbolic link"),
        (".mcp-wire-swap", "elsewhere", "it is not a folder"),
    ] {
        let scratch = Scratch::new();
        let folder = elsewhere(&scratch);
        assert_eq!(scratch.generate_own(&[]).0, 0);
        scratch.schema(&["Kept", "New"]);
        let path = scratch.out().join(path);
        if path.is_dir() {
            fs::remove_dir_all(&path).unwrap()
        } else {
            let _ = fs::remove_file(&path);
        }
        symlink(scratch.0.join(target), &path).unwrap();
        scratch.refuses(&[says]);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
        refused += 1;
    }
    assert_eq!(refused, 5);
    let scratch = Scratch::new();
    let folder = elsewhere(&scratch);
    assert_eq!(scratch.generate_own(&[]).0, 0);
    scratch.schema(&["Kept", "New"]);
    for name in ["Cargo.mcp-wire-new", "model.mcp-wire-new", "src/lib.mcp-wire-new", "src/common.mcp-wire-new"] {
        symlink(folder.join("lib.rs"), scratch.out().join(name)).unwrap();
    }
    assert_eq!(scratch.generate_own(&[]).0, 0);
    assert_eq!(fs::read_to_string(folder.join("lib.rs")).unwrap(), "mine");
    // Nor in the project.
    let generated = scratch.root().join("generated");
    symlink(&folder, &generated).unwrap();
    let (code, text) = told(scratch.command(&["--revision", REVISION]).output().unwrap());
    assert!(code == 1 && text.contains("symbolic link"), "{text}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    // The folder itself is the user's choice.
    let link = scratch.0.join("link");
    symlink(scratch.out(), &link).unwrap();
    let own = scratch.0.join("own.json");
    let arguments =
        ["--schema", own.to_str().unwrap(), "--out", link.to_str().unwrap(), "--name", "my-types", "--check"];
    assert_eq!(told(scratch.command(&arguments).output().unwrap()).0, 0);
}

#[test]
fn names_that_mean_something_else_are_refused() {
    let scratch = Scratch::new();
    let own = scratch.own();
    let mut refused = 0;
    for name in [
        "core",
        "std",
        "alloc",
        "test",
        "proc_macro",
        "proc-macro",
        "self",
        "super",
        "crate",
        "Self",
        "fn",
        "async",
        "gen",
        "con",
        "nul",
        "aux",
        "prn",
        "com1",
        "lpt9",
        "serde",
        "serde_json",
        "serde-json",
        "mcp-wire-core",
        "schemars",
        "deps",
        "build",
        "",
        "-x",
        "9x",
        "_x",
        "x y",
        "../x",
        "ünï",
        "x.y",
    ] {
        let name = format!("--name={name}");
        let arguments = [own[0].as_str(), &own[1], &own[2], &own[3], &name];
        let (code, text) = told(scratch.command(&arguments).output().unwrap());
        assert_eq!(code, 2, "{name}: {text}");
        assert!(!scratch.out().exists(), "{name}");
        refused += 1;
    }
    assert_eq!(refused, 34);
    let mut taken = 0;
    for name in ["my-types", "x", "comx", "com", "core-types", "selfish", "a1-b_2"] {
        let taken_name = mcp_wire_codegen::names::prove_package(name).is_ok();
        assert_eq!(taken_name, name != "com", "{name}");
        taken += 1;
    }
    assert_eq!(taken, 7);
}

#[test]
fn a_crate_of_ones_own_finds_the_runtime_by_a_relative_path() {
    let scratch = Scratch::new();
    assert_eq!(scratch.generate_own(&[]).0, 0);
    let manifest = scratch.read("Cargo.toml");
    assert!(manifest.contains("path = \"../project/runtime\""), "{manifest}");
    let everything = tree(&scratch.out());
    let place = scratch.0.to_str().unwrap().as_bytes();
    let named = |bytes: &Vec<u8>| bytes.windows(place.len()).any(|window| window == place);
    let names: Vec<_> = everything.iter().filter(|(_, bytes)| named(bytes)).collect();
    assert!(names.is_empty(), "a file names a folder of this machine: {names:?}");
}

/// Two states of the same place, and a way to run the generator there.
struct Case {
    name: &'static str,
    old: Tree,
    new: Tree,
    prepare: fn() -> (Scratch, PathBuf, Vec<String>),
}

/// The project with half of a crate's files changed, some missing and one too many.
fn in_the_project() -> (Scratch, PathBuf, Vec<String>) {
    let scratch = Scratch::new();
    let name = format!("generated/mcp-wire-{REVISION}");
    let folder = scratch.root().join(&name);
    copy(&project().join(name), &folder);
    for (number, path) in tree(&folder).into_keys().enumerate() {
        let path = folder.join(path);
        match number % 3 {
            _ if path.is_dir() => {}
            0 => fs::remove_file(path).unwrap(),
            1 => fs::write(path, "// @generated by cargo xtask generate, long ago\n").unwrap(),
            _ => {}
        }
    }
    fs::create_dir_all(folder.join("src/old")).unwrap();
    fs::write(folder.join("src/old/stale.rs"), "// @generated by cargo xtask generate, long ago\n").unwrap();
    fs::write(folder.join("src/mine.rs"), "mine").unwrap();
    let root = scratch.root();
    (scratch, root, vec!["--revision".to_owned(), REVISION.to_owned()])
}

fn in_a_folder_of_ones_own() -> (Scratch, PathBuf, Vec<String>) {
    let scratch = Scratch::new();
    scratch.schema(&["Kept", "CallToolRequest", "ListPromptsResult"]);
    assert_eq!(scratch.generate_own(&[]).0, 0);
    scratch.write("src/mine.rs", "mine");
    scratch.write("data/model.json", "mine");
    scratch.schema(&["Kept", "ReadResourceRequest"]);
    let (out, own) = (scratch.out(), scratch.own());
    (scratch, out, own)
}

fn cases() -> [Case; 2] {
    let case = |name, prepare: fn() -> (Scratch, PathBuf, Vec<String>)| {
        let (scratch, place, arguments) = prepare();
        let old = tree(&place);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (code, text) = told(scratch.command(&arguments).output().unwrap());
        assert_eq!(code, 0, "{text}");
        let new = tree(&place);
        let changed = new.iter().filter(|(path, bytes)| old.get(*path) != Some(bytes)).count();
        let gone = old.keys().filter(|path| !new.contains_key(*path)).count();
        assert!(changed > 3 && gone > 0, "{name}: {changed} changed, {gone} gone");
        Case { name, old, new, prepare }
    };
    [case("in the project", in_the_project), case("in a folder of one's own", in_a_folder_of_ones_own)]
}

/// What the next run, which only looks, makes of what an interrupted one has left: everything old, or everything new.
fn settle(case: &Case, scratch: &Scratch, place: &Path, arguments: &[&str], what: &str) -> bool {
    let (code, text) = told(scratch.command(&[arguments, &["--check"]].concat()).output().unwrap());
    let now = tree(place);
    let is_new = now == case.new;
    assert!(is_new || now == case.old, "{}, {what}: neither the old nor the new state: {text}", case.name);
    assert_eq!(code, i32::from(!is_new), "{}, {what}: {text}", case.name);
    is_new
}

#[test]
fn an_interruption_or_a_disk_error_at_any_point_leaves_all_or_nothing() {
    let points = [
        ("staging", false),
        ("staged", false),
        ("before-journal", false),
        ("after-journal", true),
        ("moved-file-1", true),
        ("moved-file-2", true),
        ("moved-file-4", true),
        ("removed-file-1", true),
        ("before-cleanup", true),
        ("journal-removed", true),
    ];
    let mut runs = 0;
    for case in &cases() {
        for (point, decided) in points {
            for variable in ["MCP_WIRE_STOP_AT", "MCP_WIRE_FAIL_AT"] {
                let (scratch, place, arguments) = (case.prepare)();
                let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                let output = scratch.command(&arguments).env(variable, point).output().unwrap();
                let (code, text) = told(output);
                // Nothing is lost when only leftovers cannot be removed.
                assert!(
                    code != 0 || point == "journal-removed" && variable == "MCP_WIRE_FAIL_AT",
                    "{point}: not reached"
                );
                if variable == "MCP_WIRE_FAIL_AT" && !decided {
                    assert!(text.contains("nothing has been changed"), "{point}: {text}");
                    assert_eq!(tree(&place), case.old, "{point}: something is left behind");
                }
                assert_eq!(settle(case, &scratch, &place, &arguments, point), decided, "{point}");
                // And the run can be repeated.
                assert_eq!(told(scratch.command(&arguments).output().unwrap()).0, 0);
                assert_eq!(tree(&place), case.new, "{point}");
                runs += 1;
            }
        }
    }
    assert_eq!(runs, 2 * 10 * 2);
}

#[test]
fn a_kill_at_any_time_leaves_all_or_nothing() {
    const KILLS: u32 = 24;
    for case in &cases() {
        let (scratch, _, arguments) = (case.prepare)();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let begin = Instant::now();
        assert_eq!(told(scratch.command(&arguments).output().unwrap()).0, 0);
        let whole = begin.elapsed();
        let (mut old, mut new) = (0, 0);
        for kill in 0..KILLS {
            let (scratch, place, arguments) = (case.prepare)();
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let swap = if place == scratch.root() { ".sync" } else { ".mcp-wire-swap" };
            let mut command = scratch.command(&arguments);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            // Most of the time goes into generating; what is replaced then is replaced in a moment.
            match kill % 4 {
                0 => std::thread::sleep(whole * kill / KILLS),
                1 => while !place.join(swap).exists() && child.try_wait().unwrap().is_none() {},
                2 => while !place.join(swap).join("journal").exists() && child.try_wait().unwrap().is_none() {},
                _ => {
                    while !place.join(swap).exists() && child.try_wait().unwrap().is_none() {}
                    std::thread::sleep(std::time::Duration::from_micros(u64::from(kill) * 700));
                }
            }
            let _ = child.kill();
            child.wait().unwrap();
            match settle(case, &scratch, &place, &arguments, &format!("kill {kill}")) {
                true => new += 1,
                false => old += 1,
            }
        }
        println!("{}: {old} old, {new} new", case.name);
        assert_eq!(old + new, KILLS);
        assert!(old > 0 && new > 0, "{}: {old} old, {new} new", case.name);
    }
}

/// The kernel refuses to let files grow beyond a size, as a full disk would.
#[test]
#[cfg(unix)]
fn a_full_disk_changes_nothing() {
    let mut full = 0;
    for case in &cases() {
        for blocks in [0, 1, 2, 3] {
            let (scratch, place, arguments) = (case.prepare)();
            let mut command = Command::new("sh");
            let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
            command.args(["-c", &limited, "sh", PROGRAM, "generate"]).args(&arguments);
            let (code, text) = told(command.env("MCP_WIRE_ROOT", scratch.root()).output().unwrap());
            assert_eq!(code, 1, "{}, {blocks}: {text}", case.name);
            assert!(text.contains("nothing has been changed"), "{text}");
            assert_eq!(tree(&place), case.old, "{}, {blocks}", case.name);
            full += 1;
        }
    }
    assert_eq!(full, 8);
    // A folder that did not exist does not exist afterwards.
    let scratch = Scratch::new();
    let limited = "trap '' XFSZ; ulimit -f 0; exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", limited, "sh", PROGRAM, "generate"]).args(scratch.own()).env("MCP_WIRE_ROOT", scratch.root());
    assert_eq!(told(command.output().unwrap()).0, 1);
    assert!(!scratch.out().exists());
}
