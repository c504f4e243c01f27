//! Arbitrary bytes into every decoder of messages, and into the type that the first byte picks: nothing panics, and what is
//! read comes back, as a judge sees it that shares no code with the readers.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use mcp_wire::{AnyClientMessage, AnyServerMessage, Json, JsonRef, Opening, Peek, Pending, Revision};
use mcp_wire_judge::{AnyOrder, Place, compare};
use mcp_wire_verify::Judges;

thread_local! {
    static JUDGES: Judges = Judges::new(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../schema")).to_owned(), None);
}

/// Nothing is lost.
fn comes_back(before: &str, after: &str, place: impl Place) {
    let verdict = compare(before, after, place).expect("JSON");
    assert_eq!(verdict.findings.first(), None, "{before}");
}

/// The same for a message, or for those of a batch.
fn message_comes_back(revision: &Revision, before: &str, after: &str) {
    // What nests too deep for a value is compared without looking at the order.
    let Ok(value) = before.parse::<Json>() else { return comes_back(before, after, AnyOrder) };
    let messages: Vec<JsonRef<'_>> = if value.is_array() { value.items().collect() } else { vec![value.as_ref()] };
    let asked = |message: &JsonRef<'_>| {
        let asked = revision.methods().get(usize::try_from(message.get("id")?.as_u64()?).ok()?)?;
        message.get("method").is_none().then_some(asked.name)
    };
    let methods: Vec<_> =
        messages.iter().map(|message| (message.get("method").and_then(JsonRef::as_str), asked(message))).collect();
    let places = JUDGES.with(|judges| judges.places(revision)).expect("the schema folder");
    let place = places.messages(methods.iter().map(|(method, asked)| (method.as_deref(), *asked)));
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
    if let Ok(peek) = Peek::from_slice(bytes) {
        assert_eq!(peek.text, text);
        // Whoever reads it sees the same method.
        if let Ok(message) = AnyClientMessage::from_slice(revision, bytes, &()) {
            assert_eq!(message.method(), peek.method.as_deref(), "{text}");
        }
    }
    let types = revision.types();
    let entry = &types[usize::from(*first) / Revision::ALL.len() % types.len()];
    if let Ok(probe) = entry.read_slice(bytes) {
        let places = JUDGES.with(|judges| judges.places(revision)).expect("the schema folder");
        comes_back(&text, &probe.text, places.definition(entry.name));
    }
});
