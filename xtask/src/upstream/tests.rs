//! Real repositories and folders, made for each test; nothing is taken from the machine's configuration or the network.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

mod hostile;

const OLD: &str = "2025-06-18";
const NEW: &str = "2025-11-25";

/// A folder that goes when the test does, with a cache beside it.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("mcp-wire-upstream-{}-{count}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("from")).unwrap();
        Self(folder)
    }

    fn from(&self) -> PathBuf {
        self.0.join("from")
    }

    fn path(&self) -> String {
        self.from().to_str().unwrap().to_owned()
    }

    fn url(&self) -> String {
        format!("file://{}", self.path())
    }

    fn cache(&self) -> PathBuf {
        self.0.join("cache")
    }

    /// What the cache has of the one address that was fetched, beside the empty repository that folders are read through.
    fn cached(&self) -> PathBuf {
        let caches = fs::read_dir(self.cache()).unwrap().map(|entry| entry.unwrap().path());
        let [cached] = &caches.filter(|path| !path.ends_with("view-sha1")).collect::<Vec<_>>()[..] else {
            panic!("one address, one repository")
        };
        cached.clone()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.from().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs git in the folder, as on a machine that nobody has configured.
    fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args([
            "-c",
            "user.name=Test",
            "-c",
            "user.email=test@example.invalid",
            "-c",
            "init.defaultBranch=main",
        ]);
        command.args(["-c", "protocol.file.allow=always", "-c", "core.autocrlf=false", "-C"]).arg(self.from());
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        command.env("GIT_COMMITTER_DATE", "2025-12-03T12:00:00Z").env("GIT_AUTHOR_DATE", "2020-01-01T00:00:00Z");
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(variable);
        }
        let output = command.args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all", "--force"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn fetch(&self, from: &str, rev: Option<&str>) -> Result<Upstream> {
        fetch(from, rev, &[], false, &self.cache())
    }

    fn refuses(&self, from: &str, rev: Option<&str>, parts: &[&str]) {
        refused(self.fetch(from, rev), parts);
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// That the error says all this, and what to do about it on a line of its own or after a semicolon.
fn refused<T: std::fmt::Debug>(result: Result<T>, parts: &[&str]) {
    let text = format!("{:#}", result.expect_err("it was accepted"));
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
    assert!(text.contains("\n  ") || text.contains("; check"), "no advice in: {text}");
    assert!(!text.replace('\n', "").chars().any(char::is_control), "{text:?}");
}

/// Two revisions, a draft, and what else there is in such a folder.
fn layout(scratch: &Scratch) {
    scratch.write(&format!("schema/{OLD}/schema.json"), "{\"old\":1}");
    scratch.write(&format!("schema/{OLD}/schema.ts"), "type");
    scratch.write(&format!("schema/{NEW}/schema.json"), "{\"new\":1}");
    scratch.write(&format!("schema/{NEW}/examples/Tool/b.json"), "{\"b\":1}");
    scratch.write(&format!("schema/{NEW}/examples/Tool/a.json"), "{\"a\":1}");
    scratch.write(&format!("schema/{NEW}/examples/Tool/note.md"), "not an example");
    scratch.write(&format!("schema/{NEW}/examples-old/Tool/c.json"), "{}");
    scratch.write("schema/draft/schema.json", "{\"draft\":1}");
    scratch.write("schema/2025-13-01/schema.json", "no month");
    scratch.write("schema/2024-01-01/schema.ts", "a revision without a JSON schema");
    scratch.write("schema/README.md", "readme");
    scratch.write("docs/index.md", "docs");
}

/// A repository with three commits, of which the first and the second changed schemas.
fn history(scratch: &Scratch) -> [String; 3] {
    layout(scratch);
    scratch.git(&["init", "--quiet"]);
    let first = scratch.commit("first");
    scratch.git(&["tag", "v1"]);
    scratch.git(&["tag", "--annotate", "--message", "annotated", "v1-annotated"]);
    scratch.write(&format!("schema/{NEW}/schema.json"), "{\"new\":2}");
    let second = scratch.commit("second");
    scratch.git(&["branch", "release/2"]);
    scratch.write("docs/index.md", "more");
    let third = scratch.commit("third");
    [first, second, third]
}

fn names(upstream: &Upstream) -> Vec<&str> {
    upstream.revisions.iter().map(|revision| revision.name.as_str()).collect()
}

fn schema(upstream: &Upstream, name: &str) -> String {
    let revision = upstream.revisions.iter().find(|revision| revision.name == name).unwrap();
    String::from_utf8(revision.bytes.clone()).unwrap()
}

fn commits(upstream: &Upstream) -> Vec<Option<&str>> {
    upstream.revisions.iter().map(|revision| revision.commit.as_deref()).collect()
}

#[test]
fn a_plain_folder_is_read_as_it_is() {
    let scratch = Scratch::new();
    layout(&scratch);
    let upstream = scratch.fetch(&scratch.path(), None).unwrap();
    assert_eq!((upstream.origin.as_str(), &upstream.commit, &upstream.date), (scratch.path().as_str(), &None, &None));
    assert_eq!(names(&upstream), [OLD, NEW]);
    let [old, new] = upstream.revisions.as_slice() else { panic!("two revisions") };
    assert_eq!((old.path.as_str(), old.bytes.as_slice()), ("schema/2025-06-18/schema.json", b"{\"old\":1}".as_slice()));
    assert_eq!(old.examples, []);
    let examples: Vec<&str> = new.examples.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(examples, ["Tool/a.json", "Tool/b.json"]);
    assert_eq!(new.examples.first().unwrap().1, b"{\"a\":1}");
    assert_eq!(commits(&upstream), [None, None]);
    assert!(!scratch.cache().exists());
}

#[test]
fn all_ways_to_the_same_commit_give_the_same_bytes() {
    let scratch = Scratch::new();
    let [first, second, third] = history(&scratch);
    let bare = scratch.0.join("bare.git");
    scratch.git(&["clone", "--quiet", "--bare", &scratch.url(), bare.to_str().unwrap()]);
    let (path, url, bare) = (scratch.path(), scratch.url(), bare.to_str().unwrap().to_owned());
    let short = second.get(..9).unwrap();
    let mut cases = 0;
    for from in [&path, &url, &bare] {
        for (rev, commit, text) in [
            (None, &third, "{\"new\":2}"),
            (Some("HEAD"), &third, "{\"new\":2}"),
            (Some("main"), &third, "{\"new\":2}"),
            (Some(second.as_str()), &second, "{\"new\":2}"),
            (Some(short), &second, "{\"new\":2}"),
            (Some("release/2"), &second, "{\"new\":2}"),
            (Some(first.as_str()), &first, "{\"new\":1}"),
            (Some("v1"), &first, "{\"new\":1}"),
            (Some("v1-annotated"), &first, "{\"new\":1}"),
        ] {
            let upstream = scratch.fetch(from, rev).unwrap();
            assert_eq!(upstream.origin, *from);
            assert_eq!(upstream.commit.as_ref(), Some(commit), "{from} {rev:?}");
            assert_eq!(upstream.date.as_deref(), Some("2025-12-03"));
            assert_eq!(names(&upstream), [OLD, NEW]);
            assert_eq!(schema(&upstream, NEW), text, "{from} {rev:?}");
            assert_eq!(upstream.revisions.last().unwrap().examples.len(), 2);
            // With the history at hand it is known which commit gave a file its bytes.
            let changed = if text == "{\"new\":1}" { &first } else { &second };
            let expected = if *from == url { [commit, commit] } else { [&first, changed] };
            assert_eq!(commits(&upstream), expected.map(|commit| Some(commit.as_str())), "{from} {rev:?}");
            cases += 1;
        }
    }
    assert_eq!(cases, 27);
    // One address, one repository, in which nothing is checked out.
    let cached = scratch.cached();
    assert!(!cached.join("schema").exists());
}

#[test]
fn the_tip_of_a_url_is_fetched_anew_and_without_history() {
    let scratch = Scratch::new();
    let [_, second, third] = history(&scratch);
    assert_eq!(scratch.fetch(&scratch.url(), None).unwrap().commit, Some(third));
    assert!(Git::default().view(&scratch.cached(), &second, &scratch.cache()).unwrap().is_none());
    scratch.write(&format!("schema/{OLD}/schema.json"), "{\"old\":2}");
    let fourth = scratch.commit("fourth");
    let upstream = scratch.fetch(&scratch.url(), None).unwrap();
    assert_eq!(upstream.commit.as_ref(), Some(&fourth));
    assert_eq!(schema(&upstream, OLD), "{\"old\":2}");
    // What has been fetched by its hash needs no server any more.
    fs::rename(scratch.from(), scratch.0.join("gone")).unwrap();
    assert_eq!(scratch.fetch(&scratch.url(), Some(&fourth)).unwrap(), upstream);
    scratch.refuses(&scratch.url(), None, &["cannot be fetched", "check the address, the network and your access"]);
}

#[test]
fn the_date_is_that_of_the_commit_that_is_recorded() {
    let scratch = Scratch::new();
    history(&scratch);
    // The last commit changes nothing below `schema/`.
    let amended = Command::new("git")
        .args(["-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-C"])
        .arg(scratch.from())
        .args(["commit", "--quiet", "--amend", "--no-edit"])
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_COMMITTER_DATE", "2026-02-03T12:00:00Z")
        .status()
        .unwrap();
    assert!(amended.success());
    let upstream = scratch.fetch(&scratch.path(), None).unwrap();
    assert_eq!(upstream.date.as_deref(), Some("2026-02-03"));
    let dates: Vec<_> = upstream.revisions.iter().map(|revision| revision.date.as_deref()).collect();
    assert_eq!(dates, [Some("2025-12-03"), Some("2025-12-03")]);
    // Without a history, both are those of the commit that was fetched.
    let upstream = scratch.fetch(&scratch.url(), None).unwrap();
    assert!(upstream.revisions.iter().all(|revision| revision.date == upstream.date && revision.date.is_some()));
}

#[test]
fn a_server_that_refuses_hashes_is_asked_for_its_history() {
    let scratch = Scratch::new();
    let [first, second, _] = history(&scratch);
    // The old protocol serves only what branches and tags point to; `second` is a branch, `hidden` is not.
    scratch.write(&format!("schema/{NEW}/schema.json"), "{\"new\":3}");
    let hidden = scratch.commit("hidden");
    scratch.write("docs/index.md", "even more");
    let tip = scratch.commit("tip");
    let git = Git::default().set("protocol.version=0");
    let mut fetched = 0;
    for (commit, text) in
        [(&hidden, "{\"new\":3}"), (&first, "{\"new\":1}"), (&second, "{\"new\":2}"), (&tip, "{\"new\":3}")]
    {
        let cache = scratch.0.join(format!("cache-{fetched}"));
        let upstream = fetch_with(&git, &scratch.url(), Some(commit), &[], false, &cache).unwrap();
        assert_eq!(upstream.commit.as_ref(), Some(commit));
        assert_eq!(schema(&upstream, NEW), text);
        assert_eq!(commits(&upstream), [Some(commit.as_str()), Some(commit.as_str())]);
        fetched += 1;
    }
    assert_eq!(fetched, 4);
}

#[test]
fn unknown_commits_are_named() {
    let scratch = Scratch::new();
    history(&scratch);
    let mut refused = 0;
    for from in [scratch.path(), scratch.url()] {
        for rev in ["0123456789012345678901234567890123456789", "abcdef1", "v9", "main2"] {
            let parts = [&format!("has no commit, branch or tag `{rev}`"), "check the spelling"];
            scratch.refuses(&from, Some(rev), &parts);
            refused += 1;
        }
        // A tag may stand for something that is no commit.
        scratch.git(&["tag", "--force", "readme", "HEAD:schema/README.md"]);
        scratch.refuses(&from, Some("readme"), &["has no commit, branch or tag `readme`"]);
        refused += 1;
    }
    assert_eq!(refused, 10);
}

#[test]
fn names_that_are_no_commits_never_reach_git() {
    let scratch = Scratch::new();
    history(&scratch);
    let mark = scratch.0.join("mark");
    let option = format!("--upload-pack=touch {}", mark.display());
    let wrong = [
        "",
        "-",
        "--all",
        &option,
        "main..v1",
        "v1:x",
        "+main",
        "^main",
        "main^",
        "main~1",
        "ma in",
        "main\n",
        "@{1}",
        "refs/heads/*",
        "main/",
        "a//b",
        "\u{1b}[31m",
        ":/first",
    ];
    let mut refused = 0;
    for from in [scratch.path(), scratch.url()] {
        for rev in wrong {
            scratch.refuses(&from, Some(rev), &["is not the name of a commit", "a hash, a branch or a tag"]);
            refused += 1;
        }
    }
    assert_eq!(refused, 36);
    assert!(!mark.exists());
}

#[test]
fn what_is_neither_a_folder_nor_a_url_is_said() {
    let scratch = Scratch::new();
    scratch.write("file", "text");
    let mark = scratch.0.join("mark");
    let helper = format!("ext::sh -c touch% {} ://x.git", mark.display());
    let upload = format!("--upload-pack=touch {}", mark.display());
    let file = scratch.from().join("file").to_str().unwrap().to_owned();
    let wrong = [
        "",
        "no-such-folder",
        "-",
        "--help",
        &upload,
        &helper,
        "ext::sh -c true",
        "fd::17/x.git",
        "ftp://host/repository",
        "javascript://x",
        "https:/host",
        "user@host:path",
        "folder\n.git",
        &file,
        // Neither says who is at the other end.
        "http://host/repository",
        "git://host/repository",
        "../no/such/repository.git",
        // What ssh would take for an option.
        "ssh://-oProxyCommand=touch/x",
        "ssh://%2doProxyCommand=touch/x",
        "ssh://-l@host/x",
        "ssh://host/-x",
        "git@-oProxyCommand=touch:x.git",
        "-oProxyCommand=touch:x.git",
        "git@host:-x.git",
        "host:%2dx.git",
        "https://",
        "https://host",
        "file://host/x",
        "file:///",
    ];
    let mut refused = 0;
    for from in wrong {
        scratch.refuses(from, None, &["is neither a folder nor a URL"]);
        refused += 1;
    }
    assert_eq!(refused, 29);
    assert!(!mark.exists());
    assert!(!scratch.cache().exists());
    let right = [
        (OFFICIAL, "https"),
        ("https://user@host:8443/x", "https"),
        ("ssh://git@host/x", "ssh"),
        ("ssh://host:22/x", "ssh"),
        ("file:///x", "file"),
        ("git@host:owner/x", "ssh"),
        ("host:x.git", "ssh"),
    ];
    assert_eq!(right.iter().filter(|(from, protocol)| git::protocol(from) == Some(protocol)).count(), 7);
}

#[test]
fn what_cannot_be_reached_is_said_without_prompting() {
    let scratch = Scratch::new();
    let mut refused = 0;
    for from in ["file:///no/such/repository", "https://127.0.0.1:1/x", "ssh://git@127.0.0.1:1/x"] {
        scratch.refuses(from, None, &[from, "cannot be fetched", "check the address"]);
        refused += 1;
    }
    // Passwords are neither shown nor recorded.
    let secret = "https://user:secret@127.0.0.1:1/x";
    let text = format!("{:#}", scratch.fetch(secret, None).unwrap_err());
    assert!(text.contains("https://127.0.0.1:1/x cannot be fetched") && !text.contains("secret"), "{text}");
    assert_eq!(refused, 3);
    for (from, shown) in [
        ("https://token@host/x@y", "https://host/x@y"),
        ("https://a:b@c@host", "https://host"),
        ("ssh://git:pw@host:22/x", "ssh://git@host:22/x"),
        ("ssh://git@host/x", "ssh://git@host/x"),
        ("git@host:x", "git@host:x"),
        (OFFICIAL, OFFICIAL),
    ] {
        assert_eq!(git::without_password(from), shown);
    }
    let names: Vec<String> =
        fs::read_dir(scratch.cache()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names.len(), 4);
    let plain = |name: &String| name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    assert!(names.iter().all(|name| plain(name) && !name.starts_with('-') && !name.contains("secret")), "{names:?}");
}

#[test]
fn a_missing_git_is_said() {
    let scratch = Scratch::new();
    history(&scratch);
    let git = || Git::default().program("git-that-is-not-installed");
    let parts = ["`git-that-is-not-installed` is not installed", "install git, or name a folder without `.git`"];
    let mut missing = 0;
    for (from, rev) in [(scratch.url(), None), (scratch.path(), None), (scratch.path(), Some("main"))] {
        refused(fetch_with(&git(), &from, rev, &[], false, &scratch.cache()), &parts);
        missing += 1;
    }
    assert_eq!(missing, 3);
    fs::remove_dir_all(scratch.from().join(".git")).unwrap();
    assert!(fetch_with(&git(), &scratch.path(), None, &[], false, &scratch.cache()).is_ok());
}

#[test]
fn a_changed_checkout_has_no_commit() {
    let scratch = Scratch::new();
    let [first, second, third] = history(&scratch);
    let fetch = || scratch.fetch(&scratch.path(), None).unwrap();
    let (mut clean, mut dirty) = (0, 0);
    let mut check = |expected: bool| {
        let upstream = fetch();
        match expected {
            true => {
                assert_eq!(upstream.commit.as_ref(), Some(&third));
                assert_eq!(commits(&upstream), [Some(first.as_str()), Some(second.as_str())]);
                clean += 1;
            }
            false => {
                assert_eq!((&upstream.commit, &upstream.date), (&None, &None));
                assert!(commits(&upstream).iter().all(Option::is_none));
                dirty += 1;
            }
        }
    };
    check(true);
    // Other files do not matter.
    scratch.write("docs/index.md", "changed");
    scratch.write(&format!("schema/{OLD}/schema.ts"), "changed");
    scratch.write("schema/draft/schema.json", "changed");
    check(true);
    scratch.write(&format!("schema/{NEW}/schema.json"), "{\"new\":9}");
    check(false);
    assert_eq!(schema(&fetch(), NEW), "{\"new\":9}");
    // Whether it has been staged makes no difference.
    scratch.git(&["add", "--all"]);
    check(false);
    scratch.git(&["reset", "--quiet", "--hard"]);
    check(true);
    scratch.write(&format!("schema/{NEW}/examples/Tool/new.json"), "{}");
    check(false);
    scratch.git(&["clean", "--quiet", "-df"]);
    fs::remove_file(scratch.from().join(format!("schema/{NEW}/examples/Tool/a.json"))).unwrap();
    check(false);
    scratch.git(&["reset", "--quiet", "--hard"]);
    scratch.write("schema/2031-01-01/schema.json", "{}");
    check(false);
    assert_eq!(names(&fetch()), [OLD, NEW, "2031-01-01"]);
    // A file that is hidden from `git status` is compared all the same.
    scratch.git(&["clean", "--quiet", "-df"]);
    scratch.git(&["update-index", "--assume-unchanged", &format!("schema/{NEW}/schema.json")]);
    scratch.write(&format!("schema/{NEW}/schema.json"), "{\"new\":8}");
    check(false);
    assert_eq!((clean, dirty), (3, 6));
    // The commit can be read whatever the checkout looks like.
    let upstream = scratch.fetch(&scratch.path(), Some("HEAD")).unwrap();
    assert_eq!((upstream.commit.as_ref(), schema(&upstream, NEW).as_str()), (Some(&third), "{\"new\":2}"));
}

#[test]
fn a_shallow_checkout_does_not_know_older_changes() {
    let scratch = Scratch::new();
    let [_, second, third] = history(&scratch);
    let mut seen = Vec::new();
    for depth in ["1", "2"] {
        let clone = scratch.0.join(format!("clone-{depth}"));
        scratch.git(&["clone", "--quiet", "--depth", depth, &scratch.url(), clone.to_str().unwrap()]);
        let upstream = scratch.fetch(clone.to_str().unwrap(), None).unwrap();
        assert_eq!(upstream.commit.as_ref(), Some(&third));
        seen.extend(commits(&upstream).into_iter().map(|commit| commit.unwrap().to_owned()));
    }
    // `second` is where the history of the second clone ends: it seems to have added everything.
    assert_eq!(seen, [&third, &third, &third, &third].map(String::clone));
    assert_ne!(second, third);
}

#[test]
fn repositories_without_commits_are_said() {
    let scratch = Scratch::new();
    scratch.git(&["init", "--quiet"]);
    scratch.refuses(&scratch.url(), None, &["has no commits", "check the address"]);
    scratch.refuses(&scratch.url(), Some("main"), &["has no commit, branch or tag `main`"]);
    scratch.refuses(&scratch.path(), Some("HEAD"), &["has no commits"]);
    scratch.refuses(&scratch.path(), None, &["has no folder `schema`"]);
    layout(&scratch);
    assert_eq!(scratch.fetch(&scratch.path(), None).unwrap().commit, None);
}

#[test]
fn a_folder_inside_a_repository_is_a_plain_folder() {
    let scratch = Scratch::new();
    history(&scratch);
    scratch.write("vendor/schema/2025-11-25/schema.json", "{}");
    scratch.commit("vendored");
    let vendor = scratch.from().join("vendor").to_str().unwrap().to_owned();
    assert_eq!(scratch.fetch(&vendor, None).unwrap().commit, None);
    scratch.refuses(&vendor, Some("main"), &["not the top folder of a git checkout", "leave out --rev"]);
}

#[test]
fn other_layouts_are_said() {
    let mut refused = 0;
    for with_git in [false, true] {
        let check = |prepare: &dyn Fn(&Scratch), parts: &[&str]| {
            let scratch = Scratch::new();
            scratch.write("README.md", "readme");
            prepare(&scratch);
            if with_git {
                scratch.git(&["init", "--quiet"]);
                scratch.commit("all");
            }
            scratch.refuses(&if with_git { scratch.url() } else { scratch.path() }, None, parts);
        };
        check(&|_| {}, &["has no folder `schema`", OFFICIAL]);
        check(&|scratch| scratch.write("schema", "a file"), &["`schema` is not a folder"]);
        check(&|scratch| scratch.write("schema/README.md", ""), &["has no revision", "laid out like the official one"]);
        check(&|scratch| scratch.write("schema/2025-1-1/schema.json", ""), &["has no revision"]);
        check(&|scratch| scratch.write("schema/draft/schema.json", ""), &["has no revision", "add --draft"]);
        refused += 5;
    }
    let scratch = Scratch::new();
    fs::create_dir(scratch.from().join("schema")).unwrap();
    scratch.refuses(&scratch.path(), None, &["has no revision"]);
    assert_eq!(refused + 1, 11);
}

#[test]
fn revisions_are_chosen_by_name() {
    let scratch = Scratch::new();
    history(&scratch);
    let mut chosen = 0;
    for from in [scratch.path(), scratch.url()] {
        let fetch = |wanted: &[&str], draft: bool| {
            let wanted: Vec<String> = wanted.iter().map(|name| (*name).to_owned()).collect();
            fetch(&from, None, &wanted, draft, &scratch.cache())
        };
        for (wanted, draft, expected) in [
            (vec![], false, vec![OLD, NEW]),
            (vec![], true, vec![OLD, NEW, "draft"]),
            (vec![NEW], false, vec![NEW]),
            (vec![NEW, OLD, NEW], false, vec![OLD, NEW]),
            (vec![OLD], true, vec![OLD, "draft"]),
            (vec!["draft"], true, vec!["draft"]),
        ] {
            assert_eq!(names(&fetch(&wanted, draft).unwrap()), expected);
            chosen += 1;
        }
        let there = "there are 2025-06-18, 2025-11-25, draft";
        refused(fetch(&["2025-11-26"], false), &["no revision `2025-11-26`", "did you mean 2025-11-25?", there]);
        refused(fetch(&[NEW, "2025-06"], false), &["no revision `2025-06`", "did you mean 2025-06-18?", there]);
        refused(fetch(&["something"], false), &["no revision `something`", there]);
        refused(fetch(&["../x"], false), &["no revision `../x`", there]);
        refused(fetch(&["2024-01-01"], false), &["no revision `2024-01-01`", there]);
        refused(fetch(&["draft"], false), &["not a released revision", "add --draft"]);
    }
    assert_eq!(chosen, 12);
    fs::remove_dir_all(scratch.from().join("schema/draft")).unwrap();
    let result = super::fetch(&scratch.path(), None, &[], true, &scratch.cache());
    refused(result, &["has no schema/draft/schema.json", "leave out --draft"]);
}

#[test]
#[cfg(unix)]
fn links_are_not_followed() {
    let link = |scratch: &Scratch, target: &str, path: &str| {
        let path = scratch.from().join(path);
        let _ = fs::remove_file(&path);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    };
    let places = [
        ("../docs", "schema"),
        ("2025-06-18", "schema/2025-11-25"),
        ("../2025-06-18/schema.json", "schema/2025-11-25/schema.json"),
        ("/etc/passwd", "schema/2025-11-25/schema.json"),
        ("/etc", "schema/2025-11-25/examples"),
        ("/etc", "schema/2025-11-25/examples/Other"),
        ("/etc/passwd", "schema/2025-11-25/examples/Tool/c.json"),
        ("nowhere", "schema/2025-11-25/examples/Tool/c.json"),
    ];
    let mut refused = 0;
    for (target, path) in places {
        let scratch = Scratch::new();
        layout(&scratch);
        link(&scratch, target, path);
        scratch.refuses(&scratch.path(), None, &[path]);
        scratch.git(&["init", "--quiet"]);
        scratch.commit("all");
        scratch.refuses(&scratch.url(), None, &[path]);
        scratch.refuses(&scratch.path(), Some("HEAD"), &[path]);
        refused += 3;
    }
    assert_eq!(refused, 24);
    // Those that nobody asked for are nobody's concern.
    let scratch = Scratch::new();
    layout(&scratch);
    link(&scratch, "/etc", "schema/draft");
    link(&scratch, "/etc", "schema/latest");
    link(&scratch, "/etc", "schema/2025-06-18");
    let result = fetch(&scratch.path(), None, &[NEW.to_owned()], false, &scratch.cache());
    assert_eq!(names(&result.unwrap()), [NEW]);
}

#[test]
#[cfg(unix)]
fn what_is_no_file_is_not_opened() {
    let scratch = Scratch::new();
    layout(&scratch);
    // To open a pipe that nobody writes to would never end.
    let pipe = scratch.from().join(format!("schema/{NEW}/examples/Tool/pipe.json"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    scratch.refuses(&scratch.path(), None, &["pipe.json is not a regular file"]);
    fs::remove_file(pipe).unwrap();
    fs::remove_file(scratch.from().join(format!("schema/{NEW}/schema.json"))).unwrap();
    fs::create_dir(scratch.from().join(format!("schema/{NEW}/schema.json"))).unwrap();
    scratch.refuses(&scratch.path(), None, &["schema.json is not a regular file"]);
}

#[test]
#[cfg(unix)]
fn what_cannot_be_read_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    layout(&scratch);
    let path = scratch.from().join(format!("schema/{NEW}/schema.json"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        eprintln!("skipped: this user may read every file");
        return;
    }
    scratch.refuses(&scratch.path(), None, &["schema.json cannot be read; check its permissions"]);
}

#[test]
fn bare_repositories_are_read_where_git_is_told_not_to_look_for_them() {
    let scratch = Scratch::new();
    let [_, _, third] = history(&scratch);
    let bare = scratch.0.join("bare.git");
    scratch.git(&["clone", "--quiet", "--bare", &scratch.url(), bare.to_str().unwrap()]);
    let git = Git::default().set("safe.bareRepository=explicit");
    let mut read = 0;
    for from in [bare.to_str().unwrap().to_owned(), scratch.url()] {
        let upstream = fetch_with(&git, &from, None, &[], false, &scratch.cache()).unwrap();
        assert_eq!(upstream.commit.as_ref(), Some(&third));
        read += 1;
    }
    assert_eq!(read, 2);
}

#[test]
fn files_that_are_too_large_are_not_read() {
    let scratch = Scratch::new();
    layout(&scratch);
    scratch.git(&["init", "--quiet"]);
    let grow = |path: &str, megabytes: u64, more: u64| {
        let path = scratch.from().join(path);
        fs::File::create(path).unwrap().set_len((megabytes << 20) + more).unwrap();
    };
    let mut refused = 0;
    let mut check = |parts: &[&str]| {
        scratch.commit("large");
        scratch.refuses(&scratch.path(), None, parts);
        scratch.refuses(&scratch.url(), None, parts);
        refused += 2;
    };
    grow(&format!("schema/{NEW}/schema.json"), 16, 1);
    check(&["schema/2025-11-25/schema.json is larger than 16 MB"]);
    grow(&format!("schema/{NEW}/schema.json"), 16, 0);
    grow(&format!("schema/{NEW}/examples/Tool/a.json"), 32, 0);
    grow(&format!("schema/{NEW}/examples/Tool/b.json"), 32, 1);
    check(&["schema/2025-11-25/examples is larger than 64 MB"]);
    grow(&format!("schema/{NEW}/examples/Tool/b.json"), 32, 0);
    scratch.commit("just not");
    let upstream = scratch.fetch(&scratch.url(), None).unwrap();
    assert_eq!(upstream.revisions.last().unwrap().bytes.len(), 16 << 20);
    assert_eq!(upstream.revisions, {
        let mut revisions = scratch.fetch(&scratch.path(), None).unwrap().revisions;
        revisions.iter_mut().for_each(|revision| revision.commit.clone_from(&upstream.commit));
        revisions
    });
    assert_eq!(refused, 4);
}

/// Git does not make such trees from files, but takes them when they are written directly.
#[test]
fn examples_that_climb_out_are_refused() {
    let scratch = Scratch::new();
    layout(&scratch);
    scratch.git(&["init", "--quiet"]);
    scratch.commit("all");
    let blob = scratch.git(&["rev-parse", &format!("HEAD:schema/{OLD}/schema.json")]);
    let tree = |entries: &str| {
        let file = scratch.0.join("tree");
        fs::write(&file, entries).unwrap();
        let mut command = Command::new("git");
        command.arg("-C").arg(scratch.from()).arg("mktree").stdin(fs::File::open(file).unwrap());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let mut refused = 0;
    for name in ["..", ".", ".git", ".GIT", "a\\b", "c:", "\u{7f}x", "\u{1b}[31m"] {
        let inner = tree(&format!("100644 blob {blob}\tx.json\n"));
        let examples = tree(&format!("040000 tree {inner}\t{name}\n"));
        let revision = tree(&format!("100644 blob {blob}\tschema.json\n040000 tree {examples}\texamples\n"));
        let schema = tree(&format!("040000 tree {revision}\t{NEW}\n"));
        let root = tree(&format!("040000 tree {schema}\tschema\n"));
        let commit = scratch.git(&["commit-tree", "-m", "hostile", &root]);
        scratch.git(&["update-ref", "refs/heads/hostile", &commit]);
        for from in [scratch.path(), scratch.url()] {
            scratch.refuses(&from, Some("hostile"), &["has a name that is not safe to write", "rename it there"]);
            refused += 1;
        }
    }
    assert_eq!(refused, 16);
    let safe = ["a.json", "Tool/a.json", "Tool/with space.json", "a..b/c.json", "…/x.json"];
    assert_eq!(safe.iter().filter(|path| is_safe(path)).count(), 5);
    let unsafe_paths =
        ["", "/a", "a//b", "a/", "../a", "a/../b", "./a", "a\\b", "c:/a", "a\0b", "\u{fffd}", "x/.git/config"];
    assert_eq!(unsafe_paths.iter().filter(|path| !is_safe(path)).count(), 12);
    #[cfg(unix)]
    {
        scratch.write(&format!("schema/{NEW}/examples/Tool/..\\..\\x.json"), "{}");
        scratch.refuses(&scratch.path(), None, &["has a name that is not safe to write"]);
    }
}

#[test]
fn folders_without_end_are_noticed() {
    let scratch = Scratch::new();
    layout(&scratch);
    scratch.write(&format!("schema/{NEW}/examples/{}x.json", "a/".repeat(20)), "{}");
    scratch.refuses(&scratch.path(), None, &["too many folders in folders"]);
}

#[test]
fn what_a_repository_is_configured_to_run_is_not_run() {
    let scratch = Scratch::new();
    history(&scratch);
    let mark = scratch.0.join("mark");
    let run = format!("touch {}", mark.display());
    scratch.write(".gitattributes", "* filter=mark diff=mark\n");
    for (name, value) in [
        ("core.fsmonitor", run.as_str()),
        ("filter.mark.clean", &run),
        ("filter.mark.smudge", &run),
        ("diff.mark.textconv", &run),
        ("core.pager", &run),
        ("core.sshCommand", &run),
        ("log.showSignature", "true"),
    ] {
        scratch.git(&["config", name, value]);
    }
    let _ = fs::remove_file(&mark);
    scratch.fetch(&scratch.path(), None).unwrap();
    scratch.fetch(&scratch.path(), Some("v1")).unwrap();
    scratch.fetch(&scratch.url(), None).unwrap();
    assert!(!mark.exists());
}

#[test]
fn a_damaged_cache_is_made_anew() {
    let scratch = Scratch::new();
    history(&scratch);
    let upstream = scratch.fetch(&scratch.url(), None).unwrap();
    let cache = scratch.cached();
    fs::remove_file(cache.join("HEAD")).unwrap();
    assert_eq!(scratch.fetch(&scratch.url(), None).unwrap(), upstream);
    // A disk that lost its power has files without contents; they are found only when they are needed.
    let commit = upstream.commit.clone().unwrap();
    for rev in [None, Some(commit.as_str())] {
        let mut emptied = 0;
        let mut folders = vec![cache.join("objects")];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                match path.is_dir() {
                    true => folders.push(path),
                    // The file may be read-only; a new one need not be.
                    false => {
                        fs::remove_file(&path).unwrap();
                        fs::write(&path, "").unwrap();
                        emptied += 1;
                    }
                }
            }
        }
        assert!(emptied > 0);
        assert_eq!(scratch.fetch(&scratch.url(), rev).unwrap(), upstream, "{rev:?}");
    }
    // What a git leaves behind that was killed while it fetched is named, with the way out.
    fs::write(cache.join("shallow.lock"), "").unwrap();
    scratch.write("docs/index.md", "changed");
    scratch.commit("fourth");
    scratch.refuses(&scratch.url(), None, &["cannot be fetched", "shallow.lock", "remove", "only a cache"]);
}

#[test]
fn dates_are_told_from_other_names() {
    let dates = ["2024-11-05", "2025-11-25", "0000-01-01", "9999-12-31"];
    let others = [
        "",
        "draft",
        "2024-11-5",
        "2024-13-05",
        "2024-00-05",
        "2024-11-00",
        "2024-11-32",
        "2024-11-05-x",
        "24-11-05",
        "2024_11_05",
        "+024-11-05",
        "2024-+1-05",
        "２０２４-11-05",
        " 2024-11-05",
    ];
    assert_eq!(dates.iter().filter(|name| is_date(name)).count(), 4);
    assert_eq!(others.iter().filter(|name| !is_date(name)).count(), 14);
}
