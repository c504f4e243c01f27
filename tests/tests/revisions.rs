//! What spans revisions: their names and order, their methods, messages whose revision is known at run time only.

use std::process::Command;

use mcp_wire::{AnyClientMessage, AnyError, AnyServerMessage, METHODS, Opening, Pending, Revision, method_history};
use mcp_wire_judge::AnyOrder;
use mcp_wire_tests::{ALL, assert_pinned, difference, root, sources};
use serde_json::{Value, json};

/// The revisions with a handshake.
const SHAKING: &[Revision] =
    &[Revision::V2024_11_05, Revision::V2025_03_26, Revision::V2025_06_18, Revision::V2025_11_25];

#[test]
fn revisions_are_parsed_printed_and_ordered() {
    let sources = sources();
    let released: Vec<&str> =
        sources.revisions.iter().filter(|one| one.status == "released").map(|one| &*one.name).collect();
    assert!(Revision::ALL.iter().map(Revision::as_str).eq(sources.revisions.iter().map(|one| &*one.name)));
    assert_eq!(Revision::ENABLED, Revision::ALL, "the tests enable them all");
    assert_eq!(Some(&Revision::LATEST.as_str()), released.last());
    assert!(Revision::ALL.is_sorted());
    for revision in Revision::ALL {
        let parsed: Revision = revision.as_str().parse().expect("any name will do");
        assert_eq!((&parsed, parsed.to_string().as_str()), (revision, revision.as_str()));
        assert!(revision.is_known() && revision.is_enabled());
        assert_eq!(revision.has_handshake(), SHAKING.contains(revision));
        assert_eq!(revision.has_batches(), *revision == Revision::V2025_03_26);
        assert_eq!(String::from(parsed), revision.as_str());
        assert_eq!(format!("{revision:>12}"), format!("  {}", revision.as_str()));
    }
    let unknown = Revision::from("2025-09-01");
    assert!(!unknown.is_known() && !unknown.is_enabled() && !unknown.has_handshake());
    assert!(Revision::V2025_06_18 < unknown && unknown < Revision::V2025_11_25);
    assert_eq!(unknown.methods(), []);
}

#[test]
fn every_method_of_every_revision_is_in_the_table() {
    assert!(METHODS.is_sorted_by_key(|method| method.name));
    assert_pinned(ALL, "methods", METHODS.len());
    let mut pairs = 0;
    for method in METHODS {
        assert!(method.revisions.is_sorted());
        for revision in Revision::ALL {
            let listed = method.revisions.contains(revision);
            assert_eq!(revision.method(method.name).is_some(), listed, "{} {revision}", method.name);
            pairs += usize::from(listed);
        }
        assert_eq!(method_history(method.name), Some(method));
    }
    assert_eq!(pairs, Revision::ALL.iter().map(|revision| revision.methods().len()).sum::<usize>());
    assert_eq!(method_history("no/such"), None);
}

#[test]
fn the_revision_may_be_known_at_run_time_only() {
    let mut pending = Pending::new();
    pending.sent.insert(5, "tools/list", ()).expect("a fresh id");
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "completion/complete", "params": { "ref": 5 } });
    let list = json!({ "jsonrpc": "2.0", "id": 5, "result": { "tools": [], "ttlMs": 1 } });
    for revision in Revision::ALL {
        let notification =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 3 } });
        let message =
            AnyClientMessage::from_slice(revision, notification.to_string().as_bytes(), &()).expect("a message");
        assert_eq!((message.revision(), message.method()), (revision.clone(), Some("notifications/cancelled")));
        assert_eq!(difference(&notification.to_string(), &message.to_text(), AnyOrder), None);
        assert_eq!(message.check(), []);

        let message = AnyServerMessage::from_slice(revision, list.to_string().as_bytes(), &pending).expect("a message");
        assert_eq!(message.id(), Some(&5.into()));
        assert_eq!(difference(&list.to_string(), &message.to_text(), AnyOrder), None);

        let refused = AnyClientMessage::from_slice(revision, call.to_string().as_bytes(), &()).expect_err("bad params");
        let AnyError::Rejected(rejection) = refused else { panic!("{revision}: {refused}") };
        assert_eq!((rejection.id.clone(), rejection.error.code.clone()), (Some(1.into()), (-32602).into()));
    }
    let unknown = AnyClientMessage::from_slice(&"2031-01-01".into(), b"{}", &()).expect_err("no such revision");
    assert_eq!(unknown.to_string(), "revision \"2031-01-01\" is not known");
}

#[test]
fn a_first_look_finds_the_version_wherever_it_stands() {
    let look = |message: Value| Opening::of(message.to_string().as_bytes());
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2031-01-01" });
    let opening = look(
        json!({ "params": { "protocolVersion": "2025-06-18", "capabilities": {} }, "method": "initialize", "id": "a" }),
    );
    assert_eq!(
        (opening.id, opening.is_handshake, opening.version.as_deref()),
        (Some("a".into()), true, Some("2025-06-18"))
    );
    let opening = look(json!({ "id": 1, "method": "tools/list", "params": { "_meta": meta } }));
    assert_eq!(
        (opening.id, opening.is_handshake, opening.version.as_deref()),
        (Some(1.into()), false, Some("2031-01-01"))
    );
    // Whatever says nothing about a version, says nothing.
    let silent = [
        json!({ "id": 1, "method": "tools/list" }),
        json!({ "id": 1, "method": "tools/list", "params": { "protocolVersion": "2025-06-18" } }),
        json!({ "id": 1, "method": "tools/list", "params": { "_meta": 5 } }),
        json!({ "id": 1, "method": "initialize", "params": { "protocolVersion": 5, "_meta": meta } }),
        json!([{ "method": "initialize" }]),
        json!("initialize"),
        json!(null),
        json!(1.5),
        json!({}),
    ];
    assert_eq!(silent.len(), 9);
    for message in silent {
        assert_eq!(look(message.clone()).version, None, "{message}");
    }
    for text in [&b"{"[..], b"", b"\xff", b"{\"method\":\"initialize\"} trailing"] {
        assert_eq!(Opening::of(text), Opening::default());
    }
}

/// The most files that may name the newest revision. With each of them a new revision costs more.
const MOST: usize = 15;

/// What is generated or comes from upstream, what people read about each revision, and data of which each revision has its
/// own.
fn may_name_revisions(file: &str) -> bool {
    let folders = ["generated/", "docs/", "tests/examples/", "tests/pinned/", "codegen/tests/changes/"];
    folders.iter().any(|folder| file.starts_with(folder))
        || file.starts_with("schema/") && file.matches('/').count() > 1
        || file.ends_with("Cargo.lock")
}

#[test]
fn few_files_name_the_newest_revision() {
    let newest = Revision::LATEST.to_string();
    let names = [newest.clone(), newest.replace('-', "_")];
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().expect("git runs");
    if !listed.status.success() {
        println!("skipped: this is no checkout, so that nobody knows which files belong to the project");
        return;
    }
    let listed = String::from_utf8(listed.stdout).expect("UTF-8");
    let does_name = |file: &&str| {
        let text = std::fs::read(root().join(file)).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        names.iter().any(|name| text.contains(name))
    };
    let files = listed.split('\0').filter(|file| !file.is_empty() && !may_name_revisions(file));
    let naming: Vec<&str> = files.filter(does_name).collect();
    println!("{} files name {newest}: {naming:?}", naming.len());
    assert!(
        naming.len() <= MOST,
        "{} files name {newest}, and {MOST} may:\n  {}\nDerive it in some of them: `mcp_wire::Revision::ALL` and `LATEST`; \
         `REVISIONS`, `revisions!`, `each_revision!` and `stateless` of mcp_wire_tests; `newest()` of \
         codegen/tests/revisions; `assert_pinned` for what is expected of each revision. CONTRIBUTING.md, \"A new revision \
         appears\", says where a revision is named",
        naming.len(),
        naming.join("\n  ")
    );
    assert!(naming.contains(&"schema/sources.toml"), "{naming:?}");
}
