//! Checkouts that would run a command, or never end, if git were let near their configuration.
//!
//! Every command would leave a mark. None may, and what can be read without it is read.

use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::*;

/// A checkout whose every way to run a command leaves a mark.
struct Trap {
    scratch: Scratch,
    mark: PathBuf,
    /// A program that leaves the mark.
    program: String,
}

impl Trap {
    fn new() -> Self {
        let scratch = Scratch::new();
        history(&scratch);
        let mark = scratch.0.join("mark");
        let program = scratch.0.join("program");
        fs::write(&program, format!("#!/bin/sh\ntouch {}\nexit 1\n", mark.display())).unwrap();
        #[cfg(unix)]
        fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let program = program.to_str().unwrap().to_owned();
        Self { scratch, mark, program }
    }

    fn set(&self, name: &str, value: &str) {
        self.scratch.git(&["config", "--add", name, value]);
    }

    /// Removes the object of a file from the repository, as in a partial clone.
    fn lose(&self, rev: &str) {
        let blob = self.scratch.git(&["rev-parse", rev]);
        let (start, rest) = blob.split_at(2);
        fs::remove_file(self.scratch.from().join(".git/objects").join(start).join(rest)).unwrap();
    }

    /// All ways to name the checkout, and what came of each.
    fn results(&self) -> [Result<Upstream>; 4] {
        let _ = fs::remove_file(&self.mark);
        let bare = self.scratch.0.join("copy.git");
        let _ = fs::remove_dir_all(&bare);
        copy(&self.scratch.from().join(".git"), &bare);
        let results = [
            self.scratch.fetch(&self.scratch.path(), None),
            self.scratch.fetch(&self.scratch.path(), Some("main")),
            self.scratch.fetch(bare.to_str().unwrap(), None),
            self.scratch.fetch(&self.scratch.url(), None),
        ];
        assert!(!self.mark.exists(), "a command of the checkout was run");
        results
    }
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

/// Every setting of git that names a program, as far as reading or fetching could come near it.
#[test]
#[cfg(unix)]
fn no_setting_of_a_checkout_runs_a_command() {
    let plain = Trap::new();
    let expected: Vec<_> = plain.results().into_iter().map(|result| result.unwrap().revisions).collect();
    let lone = |name: &'static str| vec![(name, "PROGRAM")];
    let ways: Vec<(&str, Vec<(&str, &str)>)> = vec![
        ("fsmonitor", lone("core.fsmonitor")),
        ("a pager", vec![("core.pager", "PROGRAM"), ("pager.log", "true"), ("pager.cat-file", "true")]),
        ("an editor", vec![("core.editor", "PROGRAM"), ("sequence.editor", "PROGRAM")]),
        ("ssh", vec![("core.sshCommand", "PROGRAM"), ("ssh.variant", "simple")]),
        ("a proxy", vec![("core.gitProxy", "PROGRAM"), ("http.proxy", "PROGRAM")]),
        ("alternate refs", lone("core.alternateRefsCommand")),
        ("askpass", lone("core.askPass")),
        ("credentials", vec![("credential.helper", "!PROGRAM")]),
        (
            "filters",
            vec![
                ("filter.x.clean", "PROGRAM"),
                ("filter.x.smudge", "PROGRAM"),
                ("filter.x.process", "PROGRAM"),
                ("filter.x.required", "true"),
            ],
        ),
        ("diffs", vec![("diff.x.textconv", "PROGRAM"), ("diff.x.command", "PROGRAM"), ("diff.external", "PROGRAM")]),
        ("merges", vec![("merge.x.driver", "PROGRAM")]),
        (
            "signatures",
            vec![
                ("log.showSignature", "true"),
                ("gpg.program", "PROGRAM"),
                ("gpg.ssh.program", "PROGRAM"),
                ("gpg.x509.program", "PROGRAM"),
            ],
        ),
        ("trailers", vec![("trailer.x.command", "PROGRAM"), ("trailer.x.cmd", "PROGRAM")]),
        ("packing", vec![("uploadpack.packObjectsHook", "PROGRAM"), ("uploadpack.allowFilter", "true")]),
        ("an alias", vec![("alias.log", "!PROGRAM"), ("alias.cat-file", "!PROGRAM"), ("alias.rev-parse", "!PROGRAM")]),
        ("maintenance", vec![("gc.auto", "1"), ("maintenance.auto", "true"), ("gc.recentObjectsHook", "PROGRAM")]),
        (
            "submodules",
            vec![
                ("submodule.x.update", "!PROGRAM"),
                ("submodule.x.url", "ext::PROGRAM"),
                ("submodule.recurse", "true"),
            ],
        ),
        (
            "rewritten addresses",
            vec![("url.ext::PROGRAM /.insteadOf", "/"), ("protocol.ext.allow", "always"), ("protocol.allow", "always")],
        ),
        (
            "a remote",
            vec![
                ("remote.origin.url", "ext::PROGRAM"),
                ("remote.origin.uploadpack", "PROGRAM"),
                ("remote.origin.vcs", "ext"),
                ("protocol.ext.allow", "always"),
            ],
        ),
        ("hooks in a folder of their own", vec![("core.hooksPath", "HOOKS")]),
        ("a work tree elsewhere", vec![("core.worktree", "/"), ("core.fsmonitor", "PROGRAM")]),
        ("attributes", vec![("core.attributesFile", "ATTRIBUTES"), ("diff.x.textconv", "PROGRAM")]),
        ("an included file", vec![("include.path", "INCLUDED")]),
        ("a file included on a condition", vec![("includeIf.gitdir:/**.path", "INCLUDED")]),
        ("settings of a work tree", vec![("extensions.worktreeConfig", "true"), ("core.fsmonitor", "PROGRAM")]),
    ];
    let mut tried = 0;
    for (name, settings) in &ways {
        let trap = Trap::new();
        let folder = &trap.scratch.0;
        let hooks = folder.join("hooks");
        fs::create_dir_all(&hooks).unwrap();
        for hook in ["post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc", "fsmonitor-watchman"]
        {
            for place in [hooks.join(hook), trap.scratch.from().join(".git/hooks").join(hook)] {
                fs::create_dir_all(place.parent().unwrap()).unwrap();
                fs::copy(&trap.program, place).unwrap();
            }
        }
        fs::write(folder.join("attributes"), "* diff=x filter=x merge=x\n").unwrap();
        fs::create_dir_all(trap.scratch.from().join(".git/info")).unwrap();
        fs::copy(folder.join("attributes"), trap.scratch.from().join(".git/info/attributes")).unwrap();
        let program = &trap.program;
        let included = format!(
            "[core]\n\tfsmonitor = {program}\n\tpager = {program}\n\tsshCommand = {program}\n\thooksPath = {}\n",
            hooks.display()
        );
        fs::write(folder.join("included"), included).unwrap();
        let filled = |text: &str| {
            let pairs = [("HOOKS", "hooks"), ("ATTRIBUTES", "attributes"), ("INCLUDED", "included")];
            let text = text.replace("PROGRAM", program);
            pairs.iter().fold(text, |text, (name, file)| text.replace(name, folder.join(file).to_str().unwrap()))
        };
        for (key, value) in settings {
            trap.set(&filled(key), &filled(value));
        }
        let found: Vec<_> = trap.results().into_iter().map(|result| result.unwrap().revisions).collect();
        // The commits are the same, because nothing in them depends on the place.
        assert_eq!(found, expected, "{name}");
        tried += 1;
    }
    assert_eq!(tried, 25);
}

/// An object that is missing would be fetched with a command that the checkout names.
#[test]
#[cfg(unix)]
fn a_partial_clone_runs_nothing_to_complete_itself() {
    let ways: [&[(&str, &str)]; 4] = [
        &[("remote.origin.url", "/"), ("remote.origin.uploadpack", "PROGRAM")],
        &[("remote.origin.url", "ext::PROGRAM"), ("protocol.ext.allow", "always")],
        &[("remote.origin.url", "ssh://host/x"), ("core.sshCommand", "PROGRAM")],
        &[("remote.origin.url", "x"), ("remote.origin.vcs", "ext"), ("protocol.allow", "always")],
    ];
    let mut tried = 0;
    for way in ways {
        for lost in [format!("HEAD:schema/{NEW}/schema.json"), format!("HEAD:schema/{NEW}"), "HEAD~1".to_owned()] {
            let trap = Trap::new();
            for (name, value) in way {
                trap.set(name, &value.replace("PROGRAM", &trap.program));
            }
            trap.set("core.repositoryFormatVersion", "1");
            trap.set("extensions.partialClone", "origin");
            trap.set("remote.origin.promisor", "true");
            trap.lose(&lost);
            let [work_tree, commit, bare, url] = trap.results();
            // The files are there all the same; that they are those of a commit cannot be told.
            let work_tree = work_tree.unwrap();
            assert_eq!((&work_tree.commit, schema(&work_tree, NEW).as_str()), (&None, "{\"new\":2}"));
            for result in [commit, bare] {
                refused(result, &["git cannot read"]);
            }
            // What a commit is, is found out without its history.
            if lost == "HEAD~1" {
                assert!(url.is_ok() || format!("{:#}", url.unwrap_err()).contains("cannot be fetched"));
            } else {
                refused(url, &["cannot be fetched"]);
            }
            tried += 1;
        }
    }
    assert_eq!(tried, 12);
}

/// Objects as git writes them, written without git's own checks.
fn object(scratch: &Scratch, kind: &str, bytes: &[u8]) -> String {
    let mut command = Command::new("git");
    command.arg("-C").arg(scratch.from()).args(["hash-object", "-w", "--literally", "--stdin", "-t", kind]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn tree(scratch: &Scratch, items: &[(String, &str, &str)]) -> String {
    let mut bytes = Vec::new();
    for (name, mode, hash) in items {
        bytes.extend_from_slice(format!("{mode} {name}\0").as_bytes());
        bytes.extend(
            (0..hash.len() / 2).map(|at| u8::from_str_radix(hash.get(at * 2..at * 2 + 2).unwrap(), 16).unwrap()),
        );
    }
    object(scratch, "tree", &bytes)
}

/// A branch `hostile` whose `schema/` is this tree.
fn branch(scratch: &Scratch, schema: &str) {
    let root = tree(scratch, &[("schema".to_owned(), "40000", schema)]);
    let commit = scratch.git(&["commit-tree", "-m", "hostile", &root]);
    scratch.git(&["update-ref", "refs/heads/hostile", &commit]);
}

/// A tree of trees in which everything is the same: `wide` to the power of `deep` paths.
fn bomb(scratch: &Scratch, leaf: (&str, &str), wide: usize, deep: usize) -> String {
    let (mut mode, mut hash) = (leaf.0, leaf.1.to_owned());
    for _ in 0..deep {
        let items: Vec<_> = (0..wide).map(|number| (format!("d{number:04}"), mode, hash.as_str())).collect();
        hash = tree(scratch, &items);
        mode = "40000";
    }
    hash
}

#[test]
fn trees_without_end_are_noticed_in_time() {
    let scratch = Scratch::new();
    history(&scratch);
    let blob = scratch.git(&["rev-parse", &format!("HEAD:schema/{OLD}/schema.json")]);
    let empty = object(&scratch, "tree", b"");
    let date = |number: usize| format!("{:04}-{:02}-{:02}", 1000 + number / 300, 1 + number / 25 % 12, 1 + number % 25);
    let revision = |examples: &str| {
        tree(&scratch, &[("examples".to_owned(), "40000", examples), ("schema.json".to_owned(), "100644", &blob)])
    };
    let below = |examples: &str| tree(&scratch, &[(NEW.to_owned(), "40000", &revision(examples))]);
    let large = object(&scratch, "blob", &vec![b' '; 15 << 20]);
    let heavy = tree(&scratch, &[("schema.json".to_owned(), "100644", &large)]);
    let many = |count: usize, hash: &str| {
        let items: Vec<_> = (0..count).map(|number| (date(number), "40000", hash)).collect();
        tree(&scratch, &items)
    };
    let long = tree(&scratch, &[("n".repeat(3 << 20), "40000", empty.as_str())]);
    let cases: [(&str, String, &str); 9] = [
        ("10^12 files", below(&bomb(&scratch, ("100644", &blob), 10_000, 3)), "too many files"),
        ("10^12 empty folders", below(&bomb(&scratch, ("40000", &empty), 10_000, 3)), "too many files"),
        ("2^40 files", below(&bomb(&scratch, ("100644", &blob), 2, 40)), "too many"),
        ("folders in folders", below(&bomb(&scratch, ("100644", &blob), 1, 100)), "too many folders in folders"),
        ("a wide one", below(&bomb(&scratch, ("100644", &blob), 100_001, 1)), "too many files"),
        ("long names", below(&bomb(&scratch, ("40000", &long), 50, 1)), "too many"),
        ("2,001 revisions", many(2_001, &revision(&empty)), "more than 2000 revisions"),
        ("100 revisions of 15 MB", many(100, &heavy), "larger than 256 MB"),
        ("a folder that is none", tree(&scratch, &[(NEW.to_owned(), "40000", &blob)]), "cannot"),
    ];
    let mut refused = 0;
    for (name, schema, part) in cases {
        branch(&scratch, &schema);
        for from in [scratch.path(), scratch.url()] {
            let begin = Instant::now();
            let text = format!("{:#}", scratch.fetch(&from, Some("hostile")).expect_err(name));
            assert!(text.contains(part), "{name}: {text}");
            assert!(begin.elapsed() < Duration::from_secs(60), "{name}: {:?}", begin.elapsed());
            refused += 1;
        }
    }
    assert_eq!(refused, 18);
    // What is not asked for is not looked into.
    let aside = bomb(&scratch, ("100644", &blob), 10_000, 3);
    let schema = tree(&scratch, &[(NEW.to_owned(), "40000", &revision(&empty)), ("other".to_owned(), "40000", &aside)]);
    branch(&scratch, &schema);
    assert_eq!(names(&scratch.fetch(&scratch.path(), Some("hostile")).unwrap()), [NEW]);
}

/// A pipe in place of an object keeps git waiting for someone to write to it.
#[test]
#[cfg(unix)]
fn a_git_that_never_ends_is_ended() {
    let lost = [
        format!("HEAD:schema/{NEW}/schema.json"),
        format!("HEAD:schema/{NEW}"),
        "HEAD".to_owned(),
        "HEAD~1".to_owned(),
    ];
    let mut ended = 0;
    for lost in lost {
        let trap = Trap::new();
        let blob = trap.scratch.git(&["rev-parse", &lost]);
        trap.lose(&lost);
        let (start, rest) = blob.split_at(2);
        let pipe = trap.scratch.from().join(".git/objects").join(start).join(rest);
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let git = Git::default().within(Duration::from_secs(2));
        let begin = Instant::now();
        let result = fetch_with(&git, &trap.scratch.path(), Some("main"), &[], false, &trap.scratch.cache());
        let text = format!("{:#}", result.expect_err("it was read"));
        assert!(text.contains("too long") || text.contains("in time"), "{text}");
        assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
        ended += 1;
    }
    assert_eq!(ended, 4);
}

/// Files of a repository that are pipes or links are neither opened nor followed.
#[test]
#[cfg(unix)]
fn the_files_of_a_repository_are_files() {
    let mut refused = 0;
    for name in ["HEAD", "packed-refs", "shallow", "refs/heads/main", "objects/info/alternates"] {
        for link in [false, true] {
            let trap = Trap::new();
            trap.scratch.git(&["pack-refs", "--all"]);
            let path = trap.scratch.from().join(".git").join(name);
            let _ = fs::remove_file(&path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match link {
                true => std::os::unix::fs::symlink("/etc/passwd", &path).unwrap(),
                false => assert!(Command::new("mkfifo").arg(&path).status().unwrap().success()),
            }
            let part = if link { "is a symbolic link" } else { "is not a file of a repository" };
            trap.scratch.refuses(&trap.scratch.path(), Some("HEAD"), &[part]);
            refused += 1;
        }
    }
    assert_eq!(refused, 10);
}

#[test]
#[cfg(unix)]
fn a_checkout_does_not_lead_elsewhere() {
    let private = Trap::new();
    let theirs = private.scratch.from().join(".git");
    let scratch = Scratch::new();
    layout(&scratch);
    let git = scratch.from().join(".git");
    let mut refused = 0;
    let mut check = |parts: &[&str]| {
        scratch.refuses(&scratch.path(), Some("main"), parts);
        scratch.refuses(&scratch.path(), None, parts);
        refused += 2;
    };
    // A file that names any repository, and one whose parts are in two places.
    fs::write(&git, format!("gitdir: {}\n", theirs.display())).unwrap();
    check(&["points to a repository elsewhere that does not know of this folder"]);
    let fake = scratch.0.join("fake");
    fs::create_dir_all(&fake).unwrap();
    fs::write(fake.join("gitdir"), format!("{}\n", git.display())).unwrap();
    fs::write(fake.join("commondir"), format!("{}\n", theirs.display())).unwrap();
    fs::write(fake.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(&git, format!("gitdir: {}\n", fake.display())).unwrap();
    check(&["points to a repository elsewhere that does not know of this folder"]);
    fs::remove_file(&git).unwrap();
    // Links, of the whole and of a part.
    std::os::unix::fs::symlink(&theirs, &git).unwrap();
    check(&["is a symbolic link"]);
    fs::remove_file(&git).unwrap();
    copy(&theirs, &git);
    fs::remove_dir_all(git.join("objects")).unwrap();
    std::os::unix::fs::symlink(theirs.join("objects"), git.join("objects")).unwrap();
    check(&["objects is no folder"]);
    // Objects that are borrowed.
    fs::remove_file(git.join("objects")).unwrap();
    fs::create_dir_all(git.join("objects/info")).unwrap();
    fs::write(git.join("objects/info/alternates"), format!("{}\n", theirs.join("objects").display())).unwrap();
    check(&["takes objects from another repository", "git repack"]);
    // A name that climbs out.
    fs::remove_dir_all(&git).unwrap();
    copy(&theirs, &git);
    for name in ["refs/../../../x", "/etc/passwd", "refs/heads/main\0x", "HEAD"] {
        fs::write(git.join("HEAD"), format!("ref: {name}\n")).unwrap();
        scratch.refuses(&scratch.path(), Some("HEAD"), &["`HEAD` is ref: "]);
        refused += 1;
    }
    assert_eq!(refused, 14);
}

/// What the empty repository between git and a checkout must not take away.
#[test]
fn other_kinds_of_repositories_are_read() {
    let scratch = Scratch::new();
    let [first, _, third] = history(&scratch);
    scratch.git(&["pack-refs", "--all"]);
    scratch.git(&["gc", "--quiet"]);
    // A second work tree of the same repository, and a folder whose name has everything in it that a list could trip over.
    let odd = scratch.0.join("a:b \"c\" \\d\n#e");
    let linked = scratch.0.join("linked");
    scratch.git(&["worktree", "add", "--quiet", "--detach", linked.to_str().unwrap(), "v1"]);
    scratch.git(&["clone", "--quiet", "--no-local", &scratch.path(), odd.to_str().unwrap()]);
    let mut read = 0;
    for (from, rev, commit) in [
        (scratch.from(), "main", &third),
        (scratch.from(), "refs/heads/main", &third),
        (scratch.from(), "heads/main", &third),
        (scratch.from(), "v1-annotated", &first),
        (linked.clone(), "HEAD", &first),
        (linked, "main", &third),
    ] {
        let upstream = scratch.fetch(from.to_str().unwrap(), Some(rev)).unwrap();
        assert_eq!(upstream.commit.as_ref(), Some(commit), "{rev}");
        read += 1;
    }
    // Such a name is not one to be named on a command line, but the folder may be in one.
    for rev in ["HEAD", "origin/main", "origin"] {
        let git = Git::default();
        let (_, commit) = git.view(&odd, rev, &scratch.cache()).unwrap().unwrap();
        assert_eq!(commit, third, "{rev}");
        read += 1;
    }
    assert_eq!(read, 9);
    // The newer kind of hash, and the newer way to keep names.
    let newer = Scratch::new();
    layout(&newer);
    newer.git(&["init", "--quiet", "--object-format=sha256"]);
    let commit = newer.commit("all");
    assert_eq!(commit.len(), 64);
    for rev in [None, Some("main"), Some(commit.as_str()), commit.get(..12)] {
        assert_eq!(newer.fetch(&newer.path(), rev).unwrap().commit.as_ref(), Some(&commit), "{rev:?}");
    }
    let tables = Scratch::new();
    layout(&tables);
    tables.git(&["init", "--quiet", "--ref-format=reftable"]);
    let commit = tables.commit("all");
    assert_eq!(tables.fetch(&tables.path(), Some(&commit)).unwrap().commit.as_ref(), Some(&commit));
    tables.refuses(&tables.path(), Some("main"), &["reftable", "full hash"]);
    tables.refuses(&tables.path(), None, &["reftable", "full hash"]);
    assert_eq!(tables.fetch(&tables.url(), None).unwrap().commit.as_ref(), Some(&commit));
}

/// A graph beside the objects can say of a commit what the commit does not say.
#[test]
fn a_commit_is_what_its_object_says() {
    let scratch = Scratch::new();
    let [first, second, third] = history(&scratch);
    scratch.git(&["commit-graph", "write", "--reachable"]);
    let graph = scratch.from().join(".git/objects/info/commit-graph");
    assert!(graph.is_file());
    // The tree of the third commit becomes that of the first.
    let bytes = |rev: &str| -> Vec<u8> {
        let hash = scratch.git(&["rev-parse", &format!("{rev}^{{tree}}")]);
        (0..20).map(|at| u8::from_str_radix(hash.get(at * 2..at * 2 + 2).unwrap(), 16).unwrap()).collect()
    };
    let mut text = fs::read(&graph).unwrap();
    let (from, to) = (bytes(&third), bytes(&first));
    let at = text.windows(20).position(|window| window == from).unwrap();
    text.splice(at..at + 20, to);
    fs::remove_file(&graph).unwrap();
    fs::write(&graph, text).unwrap();
    let upstream = scratch.fetch(&scratch.path(), Some("main")).unwrap();
    assert_eq!(schema(&upstream, NEW), "{\"new\":2}");
    assert_eq!(commits(&upstream), [Some(first.as_str()), Some(second.as_str())]);
}
