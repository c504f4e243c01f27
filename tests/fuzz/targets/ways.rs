//! One message in several spellings: with an escape in the name of its first member, with space around it and before its
//! colons, and with a first member that comes twice. Each is read in another way, and the outcome is the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_wire::{AnyClientMessage, AnyError, AnyServerMessage, Pending, Rejection, Revision};
use mcp_wire_judge::{AnyOrder, compare};

/// A message as it was written. It may nest one level deeper than a value, so that it is not read as one.
#[derive(Debug, Clone)]
struct Written(String);

impl PartialEq for Written {
    fn eq(&self, other: &Self) -> bool {
        compare(&self.0, &other.0, AnyOrder).expect("JSON").is_same()
    }
}

/// The same message, with the first letter of its first name escaped.
fn escaped(text: &str) -> Option<String> {
    let brace = text.find('{')?;
    let quote = brace + text[brace..].find('"')?;
    let letter = text[quote + 1..].chars().next().filter(char::is_ascii_alphabetic)?;
    Some(format!("{}\\u{:04x}{}", &text[..=quote], u32::from(letter), &text[quote + 2..]))
}

/// The same message with space before and after its colons, and at its ends: then nothing is found at the end of a text but
/// space. It has no escapes, so that every second quote ends a string.
fn spaced(text: &str) -> String {
    let mut spaced = String::from("\r\n ");
    for (index, part) in text.split('"').enumerate() {
        if index > 0 {
            spaced.push('"');
        }
        match part.strip_prefix(':') {
            Some(rest) if index > 0 && index % 2 == 0 => spaced.extend([" :\n", rest]),
            _ => spaced.push_str(part),
        }
    }
    spaced + "\t "
}

/// The same message with an id before all others, which does not count as there is one.
fn repeated(text: &str) -> Option<String> {
    let rest = text.trim_start().strip_prefix('{')?;
    rest.contains("\"id\":").then(|| format!("{{\"id\":\"earlier\",{rest}"))
}

/// A refusal. Where a text stops being JSON is said in columns, which an escape moves.
#[derive(Debug, Clone, PartialEq)]
enum Refusal {
    NotJson,
    Refused(Rejection),
    Other(String),
}

fn refusal(error: AnyError) -> Refusal {
    match error {
        AnyError::Rejected(refused) if refused.error.code == -32700 => Refusal::NotJson,
        AnyError::Rejected(refused) => Refusal::Refused(refused),
        other => Refusal::Other(other.to_string()),
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((first, bytes)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let revision = &Revision::ALL[usize::from(*first) % Revision::ALL.len()];
    let mut pending = Pending::new();
    for (id, method) in revision.methods().iter().enumerate() {
        let _ = pending.sent.insert(id as u64, method.name, ());
    }
    macro_rules! compare {
        ($message:ident) => {
            let outcome = |text: &str| {
                let read = $message::from_slice(revision, text.as_bytes(), &pending);
                read.map(|message| (message.variant_name(), Written(message.to_text()), message.check()))
                    .map_err(refusal)
            };
            let expected = outcome(text);
            if let Some(other) = escaped(text) {
                assert_eq!(outcome(&other), expected, "{text}");
            }
            // Inside a string a colon is no end of a name.
            if !text.contains('\\') {
                assert_eq!(outcome(&spaced(text)).map(|read| read.0), expected.clone().map(|read| read.0), "{text}");
            }
            if let Some(other) = repeated(text)
                && text.matches("\"id\"").count() == 1
                && mcp_wire::Peek::of(text).is_ok_and(|peek| peek.id.is_some())
            {
                assert_eq!(outcome(&other).map(|read| read.0), expected.map(|read| read.0), "{text}");
            }
        };
    }
    compare!(AnyClientMessage);
    compare!(AnyServerMessage);
});
