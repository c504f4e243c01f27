//! Interruptions of a swap, each in a process of its own: stopped at every named point, and killed at any time.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::*;

const FOLDERS: [&str; 3] = ["schema", "generated", "docs/changes"];

/// The points before the journal, in the order a process passes them.
const UNDECIDED: [&str; 3] = ["staging", "staged", "before-journal"];

/// The points from the journal on. `docs/changes` is new, so that there is no third old folder.
const DECIDED: [&str; 8] = [
    "after-journal",
    "moved-old-1",
    "moved-new-1",
    "moved-old-2",
    "moved-new-2",
    "moved-new-3",
    "before-cleanup",
    "journal-removed",
];

type Tree = BTreeMap<String, Vec<u8>>;

/// A project in a folder of its own, which goes when the test does.
struct Project(PathBuf);

impl Project {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("mcp-wire-swap-{}-{count}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        write(&root, &old_tree());
        Self(root)
    }

    fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        read(&self.0, &self.0, &mut tree);
        tree
    }

    /// That nothing but the project is there.
    fn is_clean(&self) -> bool {
        !self.0.join(FOLDER).exists()
    }

    fn recover(&self) -> Option<Recovered> {
        let recovered = Swap::recover(&self.0).unwrap();
        assert!(self.is_clean(), "after {recovered:?}");
        assert_eq!(Swap::recover(&self.0).unwrap(), None);
        recovered
    }

    fn child(&self, mode: &str) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["swap::tests::child_process", "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
        command.env("MCP_WIRE_SWAP_ROOT", &self.0).env("MCP_WIRE_SWAP_MODE", mode);
        command.env_remove("MCP_WIRE_STOP_AT").env_remove("MCP_WIRE_FAIL_AT");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Whether a process that is to stop at a point did; otherwise it must have succeeded.
    fn stops(&self, mode: &str, at: &str) -> bool {
        let output = self.child(mode).env("MCP_WIRE_STOP_AT", at).output().unwrap();
        assert_ran(&output);
        // A process that aborts has no exit code on Unix, and one that no test has elsewhere.
        let aborted = !matches!(output.status.code(), Some(0 | 101));
        assert!(aborted || output.status.success(), "{mode} at {at}: {output:?}");
        aborted
    }

    /// A process that has printed this line.
    fn until(&self, mode: &str, line: &str) -> Child {
        let mut child = self.child(mode).spawn().unwrap();
        wait_for(&mut child, line);
        child
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn assert_ran(output: &Output) {
    assert!(String::from_utf8_lossy(&output.stdout).contains("running 1 test"), "{output:?}");
}

fn wait_for(child: &mut Child, line: &str) {
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    assert!(lines.any(|read| read.unwrap().contains(line)), "the process never said `{line}`");
}

fn old_tree() -> Tree {
    let mut tree = Tree::from([
        ("schema/sources.toml".to_owned(), b"old".to_vec()),
        ("schema/2025-11-25/schema.json".to_owned(), b"{\"old\":1}".to_vec()),
        ("docs/README.md".to_owned(), b"stays".to_vec()),
    ]);
    tree.extend((0..12).map(|number| (format!("generated/crate/src/f{number}.rs"), vec![b'o'; 3000 + number])));
    tree
}

fn staged_tree() -> Tree {
    let mut tree = Tree::from([
        ("schema/sources.toml".to_owned(), b"new".to_vec()),
        ("schema/2031-01-01/schema.json".to_owned(), b"{\"new\":1}".to_vec()),
        ("docs/changes/index.md".to_owned(), b"changes".to_vec()),
    ]);
    tree.extend((6..18).map(|number| (format!("generated/crate/src/f{number}.rs"), vec![b'n'; 3000 + number])));
    tree
}

fn new_tree() -> Tree {
    let mut tree = staged_tree();
    tree.insert("docs/README.md".to_owned(), b"stays".to_vec());
    tree
}

fn write(root: &Path, tree: &Tree) {
    for (path, bytes) in tree {
        let path = root.join(path);
        fs::create_dir_all(parent(&path)).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

fn read(root: &Path, folder: &Path, tree: &mut Tree) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path == root.join(FOLDER) {
            continue;
        }
        if path.is_dir() {
            read(root, &path, tree);
        } else {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            tree.insert(name, fs::read(path).unwrap());
        }
    }
}

fn says(error: &anyhow::Error, parts: &[&str]) {
    let text = format!("{error:#}");
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
}

/// What the other tests start again as a process of its own.
#[test]
#[ignore = "only as a child process of the other tests"]
fn child_process() {
    let Some(root) = std::env::var_os("MCP_WIRE_SWAP_ROOT") else { return };
    let root = PathBuf::from(root);
    match std::env::var("MCP_WIRE_SWAP_MODE").unwrap().as_str() {
        "sync" => {
            let stage = Swap::stage(&root).unwrap();
            write(stage.path(), &staged_tree());
            println!("to commit");
            stage.commit(&FOLDERS).unwrap();
            println!("committed");
        }
        "recover" => {
            Swap::recover(&root).unwrap();
        }
        "hold" => {
            let _stage = Swap::stage(&root).unwrap();
            println!("held");
            // Until the parent closes the pipe.
            let _ = std::io::stdin().read_line(&mut String::new());
        }
        other => panic!("no mode {other}"),
    }
}

#[test]
fn commit_replaces_all_folders_and_leaves_nothing() {
    let project = Project::new();
    assert_eq!(Swap::recover(&project.0).unwrap(), None);
    let stage = Swap::stage(&project.0).unwrap();
    assert_eq!(stage.path(), project.0.join(".sync/stage"));
    write(stage.path(), &staged_tree());
    assert_eq!(project.tree(), old_tree());
    stage.commit(&FOLDERS).unwrap();
    assert_eq!(project.tree(), new_tree());
    assert!(project.is_clean());
    assert_eq!(project.recover(), None);
}

#[test]
fn a_stage_that_is_dropped_leaves_nothing() {
    let project = Project::new();
    let stage = Swap::stage(&project.0).unwrap();
    write(stage.path(), &staged_tree());
    drop(stage);
    assert!(project.is_clean());
    assert_eq!(project.tree(), old_tree());
}

#[test]
fn a_stop_before_the_journal_leaves_the_old_state() {
    let mut stopped = 0;
    for at in UNDECIDED {
        let project = Project::new();
        assert!(project.stops("sync", at), "{at}");
        stopped += 1;
        assert_eq!(project.tree(), old_tree(), "{at}");
        assert!(!project.is_clean());
        assert_eq!(project.recover(), Some(Recovered::Discarded), "{at}");
        assert_eq!(project.tree(), old_tree(), "{at}");
    }
    assert_eq!(stopped, 3);
}

#[test]
fn a_stop_after_the_journal_is_completed() {
    let (mut stopped, mut completed, mut tidied) = (0, 0, 0);
    for at in DECIDED {
        let project = Project::new();
        assert!(project.stops("sync", at), "{at}");
        stopped += 1;
        match project.recover() {
            Some(Recovered::Completed(folders)) => {
                assert_eq!(folders, FOLDERS);
                completed += 1;
            }
            Some(Recovered::Tidied) => tidied += 1,
            other => panic!("{at}: {other:?}"),
        }
        assert_eq!(project.tree(), new_tree(), "{at}");
    }
    assert_eq!((stopped, completed, tidied), (8, 7, 1));
}

#[test]
fn a_recovery_may_be_interrupted_too() {
    let (mut runs, mut stopped) = (0, 0);
    for first in DECIDED {
        for second in DECIDED {
            let project = Project::new();
            assert!(project.stops("sync", first), "{first}");
            runs += 1;
            stopped += usize::from(project.stops("recover", second));
            project.recover();
            assert_eq!(project.tree(), new_tree(), "{first}, then {second}");
        }
    }
    // A recovery passes the points that come after the first stop, and always those of the cleanup.
    assert_eq!((runs, stopped), (64, 7 + 6 + 5 + 4 + 3 + 2 + 2));
}

#[test]
fn a_stage_after_an_unfinished_one_starts_empty() {
    let project = Project::new();
    assert!(project.stops("sync", "staged"));
    let stage = Swap::stage(&project.0).unwrap();
    assert_eq!(fs::read_dir(stage.path()).unwrap().count(), 0);
    write(stage.path(), &staged_tree());
    stage.commit(&FOLDERS).unwrap();
    assert_eq!(project.tree(), new_tree());
    assert!(project.is_clean());
}

#[test]
fn a_stage_after_an_interrupted_swap_asks_for_its_completion() {
    let project = Project::new();
    assert!(project.stops("sync", "moved-old-2"));
    let error = Swap::stage(&project.0).err().unwrap();
    says(&error, &["an interrupted run has not been completed", "run any `cargo xtask` command"]);
    assert!(matches!(project.recover(), Some(Recovered::Completed(_))));
    assert_eq!(project.tree(), new_tree());
}

#[test]
fn an_error_at_any_point_leaves_old_or_completable() {
    let (mut old, mut incomplete, mut new) = (0, 0, 0);
    for at in UNDECIDED.into_iter().chain(DECIDED) {
        let project = Project::new();
        let output = project.child("sync").env("MCP_WIRE_FAIL_AT", at).output().unwrap();
        assert_ran(&output);
        let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        if output.status.success() {
            // The new state was complete; only leftovers are.
            assert_eq!(at, "journal-removed");
            assert_eq!(project.recover(), Some(Recovered::Tidied));
            new += 1;
        } else if UNDECIDED.contains(&at) {
            assert!(text.contains("nothing has been changed"), "{at}: {text}");
            assert!(project.is_clean(), "{at}");
            assert_eq!(project.tree(), old_tree(), "{at}");
            old += 1;
            continue;
        } else {
            assert!(text.contains("then run any `cargo xtask` command to complete it"), "{at}: {text}");
            assert!(matches!(project.recover(), Some(Recovered::Completed(_))), "{at}");
            incomplete += 1;
        }
        assert_eq!(project.tree(), new_tree(), "{at}");
    }
    assert_eq!((old, incomplete, new), (3, 7, 1));
}

/// The kernel refuses every write to a file here, as it would on a disk without space.
#[test]
#[cfg(unix)]
fn a_disk_that_takes_no_more_changes_nothing() {
    let project = Project::new();
    let template = project.child("sync");
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"]).arg(template.get_program());
    command.args(template.get_args()).stdin(Stdio::null());
    command.env("MCP_WIRE_SWAP_ROOT", &project.0).env("MCP_WIRE_SWAP_MODE", "sync");
    let output = command.output().unwrap();
    assert_ran(&output);
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("nothing has been changed"), "{text}");
    project.recover();
    assert_eq!(project.tree(), old_tree());
}

#[test]
fn a_kill_at_any_time_leaves_old_or_new() {
    let sample = Project::new();
    let begin = Instant::now();
    let mut child = sample.until("sync", "to commit");
    let staging = begin.elapsed();
    let begin = Instant::now();
    wait_for(&mut child, "committed");
    let committing = begin.elapsed();
    assert!(child.wait().unwrap().success());

    // The first run is killed at once and the last one when it is done; a fixed sequence spreads the others.
    let (mut old, mut completed, mut new) = (0_u32, 0_u32, 0_u32);
    let mut random = 12345_u32;
    for run in 0..40 {
        let project = Project::new();
        random = random.wrapping_mul(1_103_515_245).wrapping_add(12345);
        let share = f64::from(random >> 8) / f64::from(1 << 24);
        let mut child = match run {
            0 => project.child("sync").spawn().unwrap(),
            39 => project.until("sync", "committed"),
            run if run % 4 == 0 => {
                let child = project.child("sync").spawn().unwrap();
                std::thread::sleep(staging.mul_f64(share));
                child
            }
            // Replacing takes a moment only; the journal tells when it begins.
            run if run % 4 == 1 => {
                let child = project.until("sync", "to commit");
                let begin = Instant::now();
                while !project.0.join(".sync/journal").exists() && begin.elapsed() < committing {}
                child
            }
            _ => {
                let child = project.until("sync", "to commit");
                std::thread::sleep(committing.mul_f64(share * 1.2).min(Duration::from_secs(5)));
                child
            }
        };
        child.kill().unwrap();
        child.wait().unwrap();
        let before = project.tree();
        let recovered = project.recover();
        match recovered {
            Some(Recovered::Completed(_)) => {
                assert_eq!(project.tree(), new_tree(), "run {run}");
                completed += 1;
            }
            // Not even the sync's own folder, or leftovers without a journal: the tree was whole before the recovery.
            _ => {
                assert_eq!(project.tree(), before, "run {run}");
                match before == old_tree() {
                    true => old += 1,
                    false => {
                        assert_eq!(before, new_tree(), "run {run}: {recovered:?}");
                        new += 1;
                    }
                }
            }
        }
    }
    println!("{old} old, {completed} completed, {new} new");
    assert_eq!(old + completed + new, 40);
    assert!(old > 0 && completed + new > 0, "{old} old, {completed} completed, {new} new");
}

#[test]
fn a_second_sync_is_refused_while_one_is_running() {
    let project = Project::new();
    let mut child = project.until("hold", "held");
    let error = Swap::stage(&project.0).err().unwrap();
    says(&error, &["another run is under way", &format!("process {}", child.id()), "wait for it to end"]);
    // It has not changed anything yet, so that other commands may go on.
    assert_eq!(Swap::recover(&project.0).unwrap(), None);
    assert!(project.0.join(".sync/stage").is_dir());
    // Had it begun to replace folders, they could not.
    fs::write(project.0.join(".sync/journal"), "{}").unwrap();
    says(&Swap::recover(&project.0).err().unwrap(), &["another run is under way"]);
    fs::remove_file(project.0.join(".sync/journal")).unwrap();
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    assert!(project.is_clean());
    drop(Swap::stage(&project.0).unwrap());
    assert!(project.is_clean());
}

#[test]
fn a_process_is_locked_out_by_itself_as_well() {
    let project = Project::new();
    let stage = Swap::stage(&project.0).unwrap();
    says(&Swap::stage(&project.0).err().unwrap(), &["another run is under way"]);
    drop(stage);
    drop(Swap::stage(&project.0).unwrap());
}

#[test]
#[cfg(target_os = "linux")]
fn a_lock_of_a_dead_process_is_taken_over() {
    let project = Project::new();
    let mut child = project.until("hold", "held");
    child.kill().unwrap();
    // Before anyone waits for it, what remains of the process is not a holder any more.
    while fs::read_to_string(format!("/proc/{}/stat", child.id())).is_ok_and(|stat| !stat.contains(") Z ")) {
        std::thread::sleep(Duration::from_millis(1));
    }
    drop(Swap::stage(&project.0).unwrap());
    child.wait().unwrap();

    // The number is in use again, by a process that began at another time; or the file is no lock at all.
    let mut taken = 0;
    for text in [format!("{} 1\n", std::process::id()), "999999999 5\n".to_owned(), String::new(), "???".to_owned()] {
        fs::create_dir(project.0.join(FOLDER)).unwrap();
        fs::write(project.0.join(".sync/lock"), &text).unwrap();
        drop(Swap::stage(&project.0).unwrap());
        assert!(project.is_clean(), "{text}");
        taken += 1;
    }
    assert_eq!(taken, 4);
}

#[test]
fn of_many_at_once_one_is_let_in() {
    let project = Project::new();
    fs::create_dir(project.0.join(FOLDER)).unwrap();
    fs::write(project.0.join(".sync/lock"), "999999999 5\n").unwrap();
    let children: Vec<Child> = (0..8).map(|_| project.child("hold").spawn().unwrap()).collect();
    let begin = Instant::now();
    let mut holders = 0;
    let mut refused = 0;
    let mut waiting = children;
    // The one that holds the lock stays until its pipe is closed; the others end by themselves.
    while waiting.len() > 1 && begin.elapsed() < Duration::from_secs(60) {
        let mut still = Vec::new();
        for mut child in waiting {
            match child.try_wait().unwrap() {
                Some(status) if status.success() => holders += 1,
                Some(_) => refused += 1,
                None => still.push(child),
            }
        }
        waiting = still;
        std::thread::sleep(Duration::from_millis(5));
    }
    for child in waiting {
        holders += usize::from(child.wait_with_output().unwrap().status.success());
    }
    assert_eq!((holders, refused), (1, 7));
    assert!(project.is_clean());
}

#[test]
fn journals_that_do_not_say_what_to_do_are_errors() {
    let wrong = [
        "",
        "{",
        "[]",
        "{}",
        r#"{"version":1}"#,
        r#"{"version":2,"folders":["schema"]}"#,
        r#"{"version":1,"folders":[]}"#,
        r#"{"version":1,"folders":[1]}"#,
        r#"{"version":1,"folders":["../schema"]}"#,
        r#"{"version":1,"folders":["/etc"]}"#,
        r#"{"version":1,"folders":["a/../../b"]}"#,
        r#"{"version":1,"folders":["."]}"#,
        r#"{"version":1,"folders":[""]}"#,
        r#"{"version":1,"folders":["a\\..\\b"]}"#,
        r#"{"version":1,"folders":["c:x"]}"#,
        r#"{"version":1,"folders":[".git"]}"#,
        r#"{"version":1,"folders":[".sync/stage"]}"#,
        r#"{"version":1,"folders":["schema","schema"]}"#,
        r#"{"version":1,"folders":["schema/a","schema"]}"#,
        r#"{"version":1,"folders":[],"files":["../x"]}"#,
        r#"{"version":1,"folders":[],"files":[1]}"#,
        r#"{"version":1,"folders":[],"files":[".sync/lock"],"removed":[]}"#,
        r#"{"version":1,"folders":[],"files":[],"removed":["/etc/hostname"]}"#,
        r#"{"version":1,"folders":["schema"],"removed":["schema/sources.toml"]}"#,
        r#"{"version":1,"folders":[],"files":["docs/README.md"],"removed":["docs/README.md"]}"#,
    ];
    let project = Project::new();
    let journal = project.0.join(".sync/journal");
    fs::create_dir(project.0.join(FOLDER)).unwrap();
    let mut refused = 0;
    for text in wrong {
        fs::write(&journal, text).unwrap();
        let error = Swap::recover(&project.0).err().unwrap_or_else(|| panic!("{text} was accepted"));
        says(&error, &["does not say how to complete the interrupted run", "git checkout", "then remove .sync"]);
        assert_eq!(fs::read_to_string(&journal).unwrap(), text);
        assert_eq!(project.tree(), old_tree());
        refused += 1;
    }
    assert_eq!(refused, 25);
}

#[test]
fn what_cannot_be_replaced_is_found_before_anything_is_changed() {
    let mut refused = 0;
    let mut refuse = |folders: &[&str], prepare: &dyn Fn(&Path), parts: &[&str]| {
        let project = Project::new();
        let stage = Swap::stage(&project.0).unwrap();
        write(stage.path(), &staged_tree());
        prepare(&project.0);
        let before = project.tree();
        let error = stage.commit(folders).err().unwrap_or_else(|| panic!("{folders:?} was accepted"));
        says(&error, &["nothing has been changed"]);
        says(&error, parts);
        assert_eq!(project.tree(), before);
        assert!(project.is_clean());
        refused += 1;
    };
    let nothing = |_: &Path| {};
    refuse(&[], &nothing, &["no folders are named"]);
    refuse(&["../schema"], &nothing, &["is no folder below"]);
    refuse(&["/schema"], &nothing, &["is no folder below"]);
    refuse(&[".git"], &nothing, &["is no folder below"]);
    refuse(&["schema", "schema/x"], &nothing, &["not two separate folders"]);
    refuse(&["schema", "missing"], &nothing, &["no such folder has been staged"]);
    refuse(&["schema/sources.toml"], &nothing, &["no such folder has been staged"]);
    let file = |root: &Path| fs::write(root.join("docs/changes"), "a file").unwrap();
    refuse(&FOLDERS, &file, &["docs/changes", "it is a file", "move it away"]);
    if cfg!(unix) {
        let read_only = |root: &Path| {
            let folder = root.join("docs");
            let mut permissions = fs::metadata(&folder).unwrap().permissions();
            permissions.set_readonly(true);
            fs::set_permissions(folder, permissions).unwrap();
        };
        refuse(&FOLDERS, &read_only, &["docs: the folder is read-only", "make it writable"]);
    }
    #[cfg(unix)]
    {
        let link = |root: &Path| std::os::unix::fs::symlink("docs", root.join("other")).unwrap();
        refuse(&["other/changes"], &link, &["other is a symbolic link", "put a folder in its place"]);
        let link = |root: &Path| std::os::unix::fs::symlink("/etc", root.join(".sync/stage/schema/link")).unwrap();
        refuse(&FOLDERS, &link, &["neither a file nor a folder"]);
    }
    assert_eq!(refused, if cfg!(unix) { 11 } else { 8 });
}

#[test]
fn what_appeared_in_the_meantime_is_not_lost() {
    let project = Project::new();
    assert!(project.stops("sync", "moved-old-2"));
    // An empty folder is nothing to lose.
    fs::create_dir(project.0.join("generated")).unwrap();
    fs::create_dir_all(project.0.join("docs/changes/mine")).unwrap();
    fs::create_dir_all(project.0.join(".sync/old/3")).unwrap();
    let error = Swap::recover(&project.0).err().unwrap();
    says(&error, &["docs/changes", "something new stands there since; move it away", "to complete it"]);
    fs::remove_dir(project.0.join("docs/changes/mine")).unwrap();
    assert!(matches!(project.recover(), Some(Recovered::Completed(_))));
    assert_eq!(project.tree(), new_tree());
}

#[test]
fn a_folder_that_is_lost_altogether_is_named() {
    let project = Project::new();
    assert!(project.stops("sync", "moved-old-2"));
    fs::remove_dir_all(project.0.join(".sync/stage/generated")).unwrap();
    let error = Swap::recover(&project.0).err().unwrap();
    says(&error, &["generated", "neither it nor", "what it replaced is", "old/2"]);
    assert!(project.0.join(".sync/old/2/crate").is_dir());
}

#[test]
#[cfg(unix)]
fn a_link_in_place_of_the_folder_is_not_followed() {
    let project = Project::new();
    let elsewhere = project.0.join("docs");
    std::os::unix::fs::symlink(&elsewhere, project.0.join(FOLDER)).unwrap();
    says(&Swap::stage(&project.0).err().unwrap(), &["nothing has been changed", "it is not a folder"]);
    says(&Swap::recover(&project.0).err().unwrap(), &["it is not a folder", "remove the folder"]);
    assert_eq!(fs::read_dir(elsewhere).unwrap().count(), 1);
    fs::remove_file(project.0.join(FOLDER)).unwrap();
}

#[test]
fn what_was_recovered_is_said_in_words() {
    let texts = [
        Recovered::Completed(vec!["schema".to_owned(), "generated".to_owned()]),
        Recovered::Discarded,
        Recovered::Tidied,
    ]
    .map(|recovered| recovered.to_string());
    assert_eq!(texts[0], "a run was interrupted while it replaced files; completed: schema, generated");
    assert!(texts[1].contains("before it changed anything"));
    assert!(texts[2].contains("after its last change"));
}
