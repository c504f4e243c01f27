//! `cargo xtask sync` as its users meet it, always on a copy of the project.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../codegen/tests/revisions/mod.rs"]
mod revisions;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use revisions::{newest, revisions, stateless};
use serde_json::{Value, json};

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A copy of what sync replaces, in a repository of its own, and a place for an upstream.
struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("mcp-wire-sync-{}-{number}", std::process::id()));
        let scratch = Self { folder };
        for part in ["schema", "generated", "docs/changes"] {
            copy(&project().join(part), &scratch.root().join(part));
        }
        fs::write(scratch.root().join(".gitignore"), "target\n.sync/\nschema/*/examples/\n").unwrap();
        git(&scratch.root(), &["init", "-q"]);
        commit(&scratch.root(), "the project");
        scratch
    }

    fn root(&self) -> PathBuf {
        self.folder.join("project")
    }

    fn upstream(&self) -> PathBuf {
        self.folder.join("upstream")
    }

    /// Upstream as it is here, with some schemas of its own.
    fn publish(&self, schemas: &[(&str, String)]) {
        for name in revisions() {
            let file = self.upstream().join("schema").join(name).join("schema.json");
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::copy(project().join("schema").join(name).join("schema.json"), file).unwrap();
        }
        for (name, text) in schemas {
            let file = self.upstream().join("schema").join(name).join("schema.json");
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
    }

    fn xtask(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(arguments).env("MCP_WIRE_ROOT", self.root()).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        told(self.xtask(arguments).output().unwrap())
    }

    fn sync(&self, arguments: &[&str]) -> (i32, String, String) {
        let from = self.upstream().display().to_string();
        self.run(&[&["sync", "--from", &from, "--no-verify"], arguments].concat())
    }

    /// What sync replaces, byte for byte.
    fn state(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        for part in ["schema", "generated", "docs/changes"] {
            collect(&self.root(), &self.root().join(part), &mut files);
        }
        files
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn told(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
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

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => collect(root, &path, files),
            false => drop(files.insert(path.strip_prefix(root).unwrap().to_owned(), fs::read(&path).unwrap())),
        }
    }
}

/// Git without anything that the machine has set.
fn git(folder: &Path, arguments: &[&str]) -> String {
    let settings = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "init.defaultBranch=main"];
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(settings)
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn commit(folder: &Path, message: &str) -> String {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", message]);
    git(folder, &["rev-parse", "HEAD"])
}

fn official(name: &str) -> Value {
    serde_json::from_slice(&fs::read(project().join("schema").join(name).join("schema.json")).unwrap()).unwrap()
}

/// A corrected schema: one member of `Tool` more.
fn corrected() -> (&'static str, String) {
    let mut schema = official(newest());
    schema["$defs"]["Tool"]["properties"]["category"] = json!({ "type": "string", "description": "What it is for." });
    (newest(), serde_json::to_string_pretty(&schema).unwrap())
}

#[test]
fn what_upstream_has_comes_in_and_nothing_is_left_to_do() {
    let scratch = Scratch::new();
    scratch.publish(&[corrected()]);
    let before = scratch.state();
    let (code, out, err) = scratch.sync(&["--check"]);
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    assert!(out.contains(&format!("{} was corrected: 0 breaking, 1 compatible", newest())), "{out}");
    assert!(out.contains("  2025-11-25 is as it is here"), "{out}");
    assert_eq!(scratch.state(), before, "--check wrote something");

    let (code, out, err) = scratch.sync(&[]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("`Tool.category` was added; it may be absent"), "{out}");
    let after = scratch.state();
    let tools = format!("generated/mcp-wire-{}/src/tools.rs", newest());
    let source = String::from_utf8(after[Path::new(&tools)].clone()).unwrap();
    assert!(source.contains("pub category: Option<String>"));
    let request = fs::read_to_string(scratch.root().join("target/sync/pull-request.md")).unwrap();
    assert!(
        request.contains(&format!("{} was corrected", newest())) && request.contains("`Tool.category` was added"),
        "{request}"
    );
    assert!(!scratch.root().join(".sync").exists());

    let (code, out, _) = scratch.run(&["generate", "--check"]);
    assert_eq!(code, 0, "{out}");
    commit(&scratch.root(), "in");
    let (code, out, _) = scratch.sync(&[]);
    assert_eq!(code, 0);
    assert!(out.ends_with("up to date\n"), "{out}");
    assert_eq!(scratch.sync(&["--check"]).0, 0);
    assert_eq!(scratch.state(), after);
}

#[test]
fn todays_official_files_are_the_known_errata() {
    let spec = project().join("../shared/spec");
    if !spec.is_dir() {
        eprintln!("skipped: ../shared/spec is not beside this checkout");
        return;
    }
    let scratch = Scratch::new();
    copy(&spec, &scratch.upstream().join("schema"));
    let (code, out, err) = scratch.sync(&[]);
    assert_eq!(code, 0, "{out}{err}");
    let expired: Vec<&str> = out.lines().filter(|line| line.contains("finds nothing to mend")).map(str::trim).collect();
    assert_eq!(
        expired,
        [
            "fixup `number_schema_bounds` finds nothing to mend at `/definitions/NumberSchema` any more, and is not listed for 2025-06-18: see that the schema is right there now",
            "fixup `number_schema_bounds` finds nothing to mend at `/$defs/NumberSchema` any more, and is not listed for 2025-11-25: see that the schema is right there now",
            "fixup `task_ttl_nullable` finds nothing to mend at `/$defs/Task` any more, and is not listed for 2025-11-25: see that the schema is right there now",
        ]
    );
    for line in
        ["`NumberSchema.maximum` accepts more", "`Task.ttl` may be null now", "2024-11-05 was corrected: 0 breaking"]
    {
        assert!(out.contains(line), "{line} is not in {out}");
    }
    assert_eq!(out.matches("a patch release").count(), 3, "{out}");
    let examples = |folder: PathBuf| fs::read_dir(folder.join(stateless()).join("examples")).unwrap().count();
    assert_eq!(examples(scratch.root().join("schema")), examples(spec));
    assert!(
        !git(&scratch.root(), &["status", "--porcelain"]).contains("examples"),
        "examples are not for the repository"
    );
    assert_eq!(scratch.run(&["generate", "--check"]).0, 0);
}

#[test]
fn from_a_git_repository_at_a_commit_and_at_the_tip() {
    let scratch = Scratch::new();
    scratch.publish(&[]);
    git(&scratch.upstream(), &["init", "-q"]);
    let first = commit(&scratch.upstream(), "as it is");
    scratch.publish(&[corrected()]);
    let tip = commit(&scratch.upstream(), "corrected");
    let url = format!("file://{}", scratch.upstream().display());

    let (code, out, err) = scratch.run(&["sync", "--from", &url, "--rev", &first, "--no-verify"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains(&first) && out.ends_with("up to date\n"), "{out}");
    let (code, out, err) = scratch.run(&["sync", "--from", &url, "--no-verify"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains(&tip), "{out}");
    let sources = fs::read_to_string(scratch.root().join("schema/sources.toml")).unwrap();
    assert!(sources.contains(&format!("commit = \"{tip}\"")) && sources.contains("date = \"20"), "{sources}");
}

#[test]
fn every_failure_says_what_to_do() {
    let scratch = Scratch::new();
    scratch.publish(&[corrected()]);
    let before = scratch.state();
    let nothing = scratch.folder.join("nothing");
    fs::create_dir_all(&nothing).unwrap();
    let corrupt = scratch.folder.join("corrupt");
    let revision = corrupt.join("schema").join(newest());
    fs::create_dir_all(&revision).unwrap();
    fs::write(revision.join("schema.json"), "{\"$defs\": ").unwrap();
    let repository = scratch.folder.join("repository");
    fs::create_dir_all(repository.join("schema")).unwrap();
    fs::write(repository.join("schema/README"), "empty").unwrap();
    git(&repository, &["init", "-q"]);
    commit(&repository, "nothing");
    let (nothing, corrupt) = (nothing.display().to_string(), corrupt.display().to_string());
    let missing = format!("file://{}/missing", scratch.folder.display());
    let repository = format!("file://{}", repository.display());
    let upstream = scratch.upstream().display().to_string();
    let misspelt = format!("{}x", newest());
    let cases: [(&[&str], &str); 6] = [
        (&["--from", &nothing], "schema"),
        (&["--from", &corrupt], "not JSON"),
        (&["--from", &missing], "missing"),
        (&["--from", &repository, "--rev", "0123456789012345678901234567890123456789"], "0123456789"),
        (&["--from", &upstream, "--revision", &misspelt], newest()),
        (&["--from", "no such thing"], "no such thing"),
    ];
    for (arguments, problem) in cases {
        let (code, out, err) = scratch.run(&[&["sync", "--no-verify"], arguments].concat());
        assert_eq!(code, 2, "{arguments:?}: {out}{err}");
        // A scheduled job must not take a failure for news.
        assert_eq!(scratch.run(&[&["sync", "--check"], arguments].concat()).0, 2, "{arguments:?}");
        assert!(err.starts_with("error: ") && err.contains(problem), "{arguments:?}: {err}");
        assert!(err.trim_end().lines().count() > 1, "no next step in {err}");
        assert_eq!(scratch.state(), before, "{arguments:?}");
    }
    // Changes that are not committed.
    fs::write(scratch.root().join("schema/facts.toml"), fs::read(project().join("schema/facts.toml")).unwrap())
        .unwrap();
    fs::write(scratch.root().join("schema/new.txt"), "mine").unwrap();
    let (code, _, err) = scratch.sync(&[]);
    assert_eq!(code, 2);
    assert!(err.contains("schema/new.txt") && err.contains("--allow-dirty"), "{err}");
    fs::remove_file(scratch.root().join("schema/new.txt")).unwrap();
    // No room for what is written.
    let program = env!("CARGO_BIN_EXE_xtask");
    let limited = format!("ulimit -f 64; trap '' XFSZ; exec {program} sync --from {upstream} --no-verify");
    let output = Command::new("sh").arg("-c").arg(limited).env("MCP_WIRE_ROOT", scratch.root()).output().unwrap();
    let (code, out, err) = told(output);
    assert_eq!(code, 2, "{out}{err}");
    assert!(err.contains("nothing has been changed"), "{err}");
    assert_eq!(scratch.state(), before);
}

#[test]
fn an_interruption_leaves_the_old_or_the_new_state() {
    let finished = Scratch::new();
    finished.publish(&[corrected()]);
    let old = finished.state();
    assert_eq!(finished.sync(&[]).0, 0);
    let new = finished.state();
    assert_ne!(old, new);
    let stages = [
        "staged",
        "before-journal",
        "after-journal",
        "moved-old-1",
        "moved-new-1",
        "moved-old-2",
        "moved-new-2",
        "moved-old-3",
        "moved-new-3",
        "before-cleanup",
    ];
    let (mut stayed, mut came) = (0, 0);
    for stage in stages {
        let scratch = Scratch::new();
        scratch.publish(&[corrected()]);
        let from = scratch.upstream().display().to_string();
        let mut command = scratch.xtask(&["sync", "--from", &from, "--no-verify"]);
        let output = command.env("MCP_WIRE_STOP_AT", stage).output().unwrap();
        assert!(!output.status.success(), "{stage}: the run was not stopped");
        // Any command that follows settles what was begun.
        let (code, out, err) = scratch.run(&["generate", "--check"]);
        assert_eq!(code, 0, "{stage}: {out}{err}");
        let state = scratch.state();
        assert!(state == old || state == new, "{stage}: neither the old nor the new state");
        assert!(!scratch.root().join(".sync").exists(), "{stage}: something is left behind");
        stayed += usize::from(state == old);
        came += usize::from(state == new);
        // And the run can be repeated.
        let (code, out, err) = scratch.sync(&["--allow-dirty"]);
        assert_eq!(code, 0, "{stage}: {out}{err}");
        assert_eq!(scratch.state(), new, "{stage}");
    }
    assert_eq!((stayed, came), (2, 8));
}

#[test]
fn a_kill_at_any_time_leaves_the_old_or_the_new_state() {
    let finished = Scratch::new();
    finished.publish(&[corrected()]);
    let old = finished.state();
    let begin = Instant::now();
    assert_eq!(finished.sync(&[]).0, 0);
    let whole = begin.elapsed();
    let new = finished.state();
    const KILLS: u32 = 8;
    for kill in 1..=KILLS {
        let scratch = Scratch::new();
        scratch.publish(&[corrected()]);
        let from = scratch.upstream().display().to_string();
        let mut command = scratch.xtask(&["sync", "--from", &from, "--no-verify"]);
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole * kill / KILLS);
        child.kill().unwrap();
        child.wait().unwrap();
        let (code, out, err) = scratch.run(&["generate", "--check"]);
        assert_eq!(code, 0, "{kill}: {out}{err}");
        let state = scratch.state();
        assert!(state == old || state == new, "{kill}: neither the old nor the new state");
        assert!(!scratch.root().join(".sync").exists(), "{kill}: something is left behind");
    }
}

#[test]
fn examples_come_with_schemas_that_are_here_already() {
    let scratch = Scratch::new();
    scratch.publish(&[]);
    let theirs = scratch.upstream().join("schema").join(newest()).join("examples/Tool");
    fs::create_dir_all(&theirs).unwrap();
    fs::write(theirs.join("a.json"), "{}").unwrap();
    let ours = scratch.root().join("schema").join(newest()).join("examples/Tool");
    assert_eq!(scratch.sync(&["--check"]).0, 0, "examples are not what upstream is asked for");
    assert!(!ours.exists());
    let (code, out, err) = scratch.sync(&[]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("up to date\nthe examples of upstream are placed"), "{out}");
    assert_eq!(fs::read_to_string(ours.join("a.json")).unwrap(), "{}");
    // One that upstream has renamed is not here twice.
    fs::rename(theirs.join("a.json"), theirs.join("b.json")).unwrap();
    assert_eq!(scratch.sync(&[]).0, 0);
    assert!(!ours.join("a.json").exists() && ours.join("b.json").exists());
    assert!(scratch.sync(&[]).1.ends_with("up to date\n"));
    assert_eq!(git(&scratch.root(), &["status", "--porcelain"]), "", "git knows nothing of examples");
}

#[test]
fn what_is_run_next_can_be_copied_from_the_message() {
    let scratch = Scratch::new();
    scratch.publish(&[corrected()]);
    let odd = scratch.folder.join("up stream");
    fs::rename(scratch.upstream(), &odd).unwrap();
    let from = odd.display().to_string();
    let (code, out, _) = scratch.run(&["sync", "--from", &from, "--revision", newest(), "--check"]);
    assert_eq!(code, 1);
    assert!(out.contains(&format!("run `cargo xtask sync --from '{from}' --revision {}`", newest())), "{out}");
}

#[test]
fn a_reader_that_has_seen_enough_does_not_stop_a_sync() {
    let scratch = Scratch::new();
    scratch.publish(&[corrected()]);
    let from = scratch.upstream().display().to_string();
    let mut child = scratch
        .xtask(&["sync", "--from", &from, "--no-verify"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let (code, _, err) = told(child.wait_with_output().unwrap());
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(scratch.run(&["sync", "--from", &from, "--check"]).0, 0, "it is brought in");
}
