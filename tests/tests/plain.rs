//! Plain messages are read by another way than the rest. Whatever the way, the outcome is the same: every message here is
//! read as it is, and with an escape in the name of its first member, which makes it anything but plain.

use mcp_wire_core::{MethodKind, Rejection};
use mcp_wire_judge::AnyOrder;
use mcp_wire_tests::ends::{End, Seen, notification, request, response};
use mcp_wire_tests::mutants::Random;
use mcp_wire_tests::{ALL, REVISIONS, assert_pinned, difference};
use serde_json::{Value, json};

/// Ids of all sorts, usable or not.
fn ids() -> Vec<&'static str> {
    vec![
        "7",
        "0",
        "-3",
        "-0",
        "007",
        "7.0",
        "7e0",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551616",
        r#""seven""#,
        r#""""#,
        r#""a,b""#,
        r#""a\"b""#,
        r#""\u0061""#,
        r#""😀""#,
        "null",
        "true",
        "{}",
        "[7]",
    ]
}

/// The same message, with the first letter of its first name escaped; and that letter with its escape.
fn not_plain(text: &str) -> Option<(String, [String; 2])> {
    let quote = text.find('{').and_then(|brace| Some(brace + text[brace..].find('"')?))?;
    let letter = text[quote + 1..].chars().next().filter(char::is_ascii_alphabetic)?;
    let escape = format!("\\u{:04x}", u32::from(letter));
    Some((format!("{}{escape}{}", &text[..=quote], &text[quote + 2..]), [letter.to_string(), escape]))
}

/// The members in every order, compact and spaced out.
fn texts(members: &[(String, String)]) -> Vec<String> {
    fn orders(rest: &[(String, String)]) -> Vec<Vec<(String, String)>> {
        if rest.is_empty() {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for index in 0..rest.len() {
            let mut others = rest.to_vec();
            let first = others.remove(index);
            all.extend(orders(&others).into_iter().map(|order| [vec![first.clone()], order].concat()));
        }
        all
    }
    let mut texts = Vec::new();
    for order in orders(members) {
        let join = |colon: &str, comma: &str| {
            order.iter().map(|(name, value)| format!("{name:?}{colon}{value}")).collect::<Vec<_>>().join(comma)
        };
        texts.push(format!("{{{}}}", join(":", ",")));
        texts.push(format!(" {{\n\t{} }}\r\n", join(" : ", " ,\n ")));
    }
    texts
}

fn members(message: &Value, id: Option<&str>) -> Vec<(String, String)> {
    let text = |(name, value): (&String, &Value)| match (name.as_str(), id) {
        ("id", Some(id)) => (name.clone(), id.to_owned()),
        _ => (name.clone(), value.to_string()),
    };
    message.as_object().into_iter().flatten().map(text).collect()
}

/// What can be said of an outcome. Where a text stops being JSON is said in columns, which an escape moves.
fn outcome(read: Result<Seen, Rejection>) -> Result<Seen, Value> {
    read.map_err(|refused| match refused.error.code == -32700 {
        true => json!(-32700),
        false => {
            json!([refused.error, refused.id, refused.method, refused.pointer, refused.is_answered, refused.value])
        }
    })
}

/// Whether both ways agree; nothing where there is no other way.
fn compare(end: &End, text: &str) -> Option<bool> {
    let (escaped, [letter, escape]) = not_plain(text)?;
    // A name without a typed place is written back with its escapes.
    let unescaped = |mut seen: Seen| {
        seen.text = seen.text.replacen(&escape, &letter, 1);
        seen
    };
    let (plain, other) = (outcome(end.read(text)), outcome(end.read(escaped).map(unescaped)));
    assert_eq!(plain, other, "{} {}: {text}", end.revision.name, end.party);
    if let Ok(seen) = &plain {
        assert_eq!(difference(text, &seen.text, AnyOrder), None, "{text}");
    }
    Some(plain.is_ok())
}

/// Every message that an end can get: members as text.
fn messages(end: &End) -> Vec<Vec<(String, String)>> {
    let revision = end.revision.name;
    let mut all = Vec::new();
    for method in end.methods {
        let comes = method.senders.contains(&end.party.peer());
        match method.kind {
            MethodKind::Request if comes => all.push(members(&request(revision, 7, method.name), None)),
            MethodKind::Notification if comes => all.push(members(&notification(revision, method.name), None)),
            _ => {}
        }
        if method.kind == MethodKind::Request && method.senders.contains(&end.party) {
            let (_, asked) = end.ask(method.name).expect("nothing is gated");
            all.push(members(&response(revision, &asked), None));
        }
    }
    let known = end.methods.iter().find(|method| method.kind == MethodKind::Request);
    let known = request(revision, 7, known.map_or("ping", |method| method.name));
    all.extend(ids().into_iter().map(|id| members(&known, Some(id))));
    for odd in [
        json!({ "jsonrpc": "2.0", "id": 7, "method": "vendor/method", "params": {} }),
        json!({ "jsonrpc": "2.0", "method": "vendor/notification" }),
        json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": [] }),
        json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": "text" }),
        json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {}, "extra": {} }),
        json!({ "jsonrpc": "1.0", "id": 7, "method": "ping" }),
        json!({ "id": 7, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": 99, "result": { "content": [] } }),
        json!({ "jsonrpc": "2.0", "id": 1, "result": null }),
        json!({ "jsonrpc": "2.0", "id": 1, "result": {}, "error": null }),
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -1, "message": "no" } }),
        json!({ "jsonrpc": "2.0", "id": 7, "method": "ping", "result": {} }),
        json!({ "jsonrpc": "2.0", "result": { "nested": { "id": 1 } } }),
        json!({ "jsonrpc": "2.0", "id": 1, "result": { "text": "\",\"jsonrpc\":\"2.0\",\"id\":1}" } }),
    ] {
        all.push(members(&odd, None));
    }
    all
}

fn ends() -> impl Iterator<Item = End> {
    REVISIONS.iter().flat_map(|revision| [End::server(revision.name), End::client(revision.name)])
}

#[test]
fn the_form_of_a_message_makes_no_difference() {
    let (mut compared, mut read) = (0, 0);
    for end in ends() {
        for message in messages(&end) {
            for text in texts(&message) {
                let is_read = compare(&end, &text).unwrap_or_else(|| panic!("no other form of {text}"));
                compared += 1;
                read += usize::from(is_read);
            }
        }
    }
    println!("{compared} texts in two forms, {read} of them messages");
    assert_pinned(ALL, "texts_in_two_forms", json!({ "all": compared, "messages": read }));
}

#[test]
fn damage_makes_no_difference_either() {
    let mut random = Random::new(mcp_wire_tests::seed());
    let (mut compared, mut read) = (0, 0);
    for end in ends() {
        for message in messages(&end) {
            for text in texts(&message) {
                // What the envelope is made of, and what could be taken for it.
                let pieces = [
                    "\"",
                    "\\",
                    "{",
                    "}",
                    ",",
                    ":",
                    "0",
                    "-",
                    " ",
                    "\u{c}",
                    "\"id\":1",
                    ",\"jsonrpc\":\"2.0\"",
                    "\u{1}",
                    "ü",
                ];
                let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
                let mut number = |below: usize| (random.next() % below as u64) as usize;
                let (at, piece) = (bounds[number(bounds.len())], pieces[number(pieces.len())]);
                let until = bounds.iter().copied().find(|bound| *bound > at).unwrap_or(text.len());
                let damaged = match number(3) {
                    0 => format!("{}{piece}{}", &text[..at], &text[at..]),
                    1 => format!("{}{piece}{}", &text[..at], &text[until..]),
                    _ => format!("{}{}", &text[..at], &text[until..]),
                };
                if let Some(is_read) = compare(&end, &damaged) {
                    compared += 1;
                    read += usize::from(is_read);
                }
            }
        }
    }
    println!("{compared} damaged texts in two forms, {read} of them messages all the same");
    assert!(compared > 10_000 && read > 100 && compared > 2 * read, "{compared} {read}");
}
