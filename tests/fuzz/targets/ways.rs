//! The two ways to read a message: plain ones are taken apart without a parser, all others are read by one. An escape in the
//! name of its first member makes a message anything but plain; whatever it is, the outcome is the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_wire::serde_json::{Value, json};
use mcp_wire::{AnyClientMessage, AnyError, AnyServerMessage, Pending, Revision};

/// The same message, with the first letter of its first name escaped.
fn not_plain(text: &str) -> Option<String> {
    let brace = text.find('{')?;
    let quote = brace + text[brace..].find('"')?;
    let letter = text[quote + 1..].chars().next().filter(char::is_ascii_alphabetic)?;
    Some(format!("{}\\u{:04x}{}", &text[..=quote], u32::from(letter), &text[quote + 2..]))
}

/// What can be said of a refusal. Where a text stops being JSON is said in columns, which an escape moves.
fn refusal(error: AnyError) -> Value {
    match error {
        AnyError::Rejected(refused) if refused.error.code == -32700 => json!(-32700),
        AnyError::Rejected(refused) => {
            json!([refused.error, refused.id, refused.method, refused.pointer, refused.is_answered, refused.value])
        }
        other => json!(other.to_string()),
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((first, bytes)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some(other) = not_plain(text) else { return };
    let revision = &Revision::ALL[usize::from(*first) % Revision::ALL.len()];
    let mut pending = Pending::new();
    for (id, method) in revision.methods().iter().enumerate() {
        let _ = pending.sent.insert(id as u64, method.name, ());
    }
    macro_rules! compare {
        ($message:ident) => {
            let outcome = |text: &str| {
                let read = $message::from_slice(revision, text.as_bytes(), &pending);
                read.map(|message| (message.variant_name(), message.to_text(), message.check())).map_err(refusal)
            };
            assert_eq!(outcome(text), outcome(&other), "{text}");
        };
    }
    compare!(AnyClientMessage);
    compare!(AnyServerMessage);
});
