//! Arbitrary bytes into every decoder of messages, and into the type that the first byte picks: nothing panics, and what is
//! read comes back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_wire::serde_json::{self, Value};
use mcp_wire::{AnyClientMessage, AnyServerMessage, Opening, Pending, Revision};

fuzz_target!(|data: &[u8]| {
    let Some((first, text)) = data.split_first() else { return };
    let revision = &Revision::ALL[usize::from(*first) % Revision::ALL.len()];
    // Some response is expected for each of these, so that results are read as what they should be.
    let mut pending = Pending::new();
    for (id, method) in revision.methods().iter().enumerate() {
        let _ = pending.sent.insert(id as u64, method.name, ());
    }
    let before: Option<Value> = serde_json::from_slice(text).ok();
    if let Ok(message) = AnyClientMessage::from_slice(revision, text, &pending) {
        let _ = message.check();
        assert_eq!(serde_json::from_str::<Value>(&message.to_text()).ok(), before);
    }
    if let Ok(message) = AnyServerMessage::from_slice(revision, text, &pending) {
        let _ = message.check();
        assert_eq!(serde_json::from_str::<Value>(&message.to_text()).ok(), before);
    }
    let _ = Opening::of(text);
    let types = revision.types();
    let entry = &types[usize::from(*first) / Revision::ALL.len() % types.len()];
    if let Ok(probe) = entry.read_slice(text) {
        assert_eq!(Some(probe.value), before, "{}", entry.name);
    }
});
