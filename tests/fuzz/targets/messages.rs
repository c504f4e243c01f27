//! Arbitrary bytes into every decoder of messages, and into the type that the first byte picks: nothing panics, and what is
//! read comes back, as a judge sees it that shares no code with the readers.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use mcp_wire::serde_json::{self, Value};
use mcp_wire::{AnyClientMessage, AnyServerMessage, Opening, Pending, Revision};
use mcp_wire_judge::{AnyOrder, Place, compare};
use mcp_wire_verify::{Judges, KNOWN_LOSSES};

thread_local! {
    static JUDGES: Judges = Judges::new(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../schema")).to_owned(), None);
}

/// Nothing is lost but what is known to be.
fn comes_back(before: &str, after: &str, place: impl Place) {
    let verdict = compare(before, after, place).expect("JSON");
    let unknown = verdict.findings.iter().find(|finding| !KNOWN_LOSSES.contains(&finding.kind));
    assert_eq!(unknown, None, "{before}");
}

/// The same for a message, or for those of a batch.
fn message_comes_back(revision: &Revision, before: &str, after: &str) {
    // What nests too deep for a value is compared without looking at the order.
    let Ok(value) = serde_json::from_str::<Value>(before) else { return comes_back(before, after, AnyOrder) };
    let messages = value.as_array().map_or(std::slice::from_ref(&value), Vec::as_slice);
    let asked = |message: &Value| {
        let asked = revision.methods().get(usize::try_from(message["id"].as_u64()?).ok()?)?;
        message.get("method").is_none().then_some(asked.name)
    };
    let places = JUDGES.with(|judges| judges.places(revision)).expect("the schema folder");
    let place = places.messages(messages.iter().map(|message| (message["method"].as_str(), asked(message))));
    comes_back(before, after, place);
}

fuzz_target!(|data: &[u8]| {
    let Some((first, bytes)) = data.split_first() else { return };
    let revision = &Revision::ALL[usize::from(*first) % Revision::ALL.len()];
    // Some response is expected for each of these, so that results are read as what they should be.
    let mut pending = Pending::new();
    for (id, method) in revision.methods().iter().enumerate() {
        let _ = pending.sent.insert(id as u64, method.name, ());
    }
    // What is read is UTF-8.
    let text = String::from_utf8_lossy(bytes);
    if let Ok(message) = AnyClientMessage::from_slice(revision, bytes, &pending) {
        let _ = message.check();
        message_comes_back(revision, &text, &message.to_text());
    }
    if let Ok(message) = AnyServerMessage::from_slice(revision, bytes, &pending) {
        let _ = message.check();
        message_comes_back(revision, &text, &message.to_text());
    }
    let _ = Opening::of(bytes);
    let types = revision.types();
    let entry = &types[usize::from(*first) / Revision::ALL.len() % types.len()];
    if let Ok(probe) = entry.read_slice(bytes) {
        let places = JUDGES.with(|judges| judges.places(revision)).expect("the schema folder");
        comes_back(&text, &probe.text, places.definition(entry.name));
    }
});
