//! No message costs more than three times the memory that serde_json's `Value` takes for the same text, nor more than in
//! proportion to its length: while it is read, while it is checked, and while it is dispatched and answered.

#[macro_use]
#[path = "../../src/revisions.rs"]
mod revisions;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use mcp_wire::{Connection, Handles, Message, Party, Side};
use mcp_wire_memory::peak;
use mcp_wire_memory::shapes::{SHAPES, Shape};
use serde_json::{Value, json};

/// How much more than a `Value` of the same text a message may take.
const FACTOR: f64 = 3.0;

/// How much more per byte a large message may take than a small one.
const SLACK: f64 = 0.05;
const SMALLEST: usize = 10 << 10;

/// A handler that takes nothing on: every method has its default.
struct Quiet;

struct Reader {
    revision: &'static str,
    party: Party,
    measure: fn(&Shape, &str) -> [usize; 3],
}

macro_rules! readers {
    ($($module:ident)*) => {
        $(
            impl mcp_wire::$module::ServerHandler for Quiet {}
            impl mcp_wire::$module::ClientHandler for Quiet {}
        )*

        const READERS: &[Reader] = &[$(
            Reader {
                revision: mcp_wire::$module::REVISION,
                party: Party::Server,
                measure: measure::<mcp_wire::$module::ServerSide>,
            },
            Reader {
                revision: mcp_wire::$module::REVISION,
                party: Party::Client,
                measure: measure::<mcp_wire::$module::ClientSide>,
            },
        )*];
    };
}

revisions!(readers);

const WORK: [&str; 3] = ["reading", "checking", "dispatching"];

/// The most memory that reading, checking and dispatching a message take, each with what comes of it.
fn measure<S: Side + Handles<Quiet>>(shape: &Shape, text: &str) -> [usize; 3] {
    let connection = || {
        let connection = Connection::<S>::new(|_| ());
        if let Some((method, params)) = shape.asked {
            let params: Value = serde_json::from_str(params).expect("params are JSON");
            let asked = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            // Where the revision has no such request, nobody has asked.
            if let Ok(Message::Request(call)) = Message::<S::Ask, S::Notification, S::Result>::from_value(&asked, &()) {
                connection.ask(call.request).expect("there are no gates");
            }
        }
        connection
    };
    let reader = connection();
    let (reading, message) = peak(|| reader.read(text.as_bytes()));
    drop(message);
    let (checking, _) = peak(|| reader.read(text.as_bytes()).map(|message| (message.check(), message).0));
    let (dispatching, _) = peak(|| {
        let mut work = pin!(reader.dispatch(&Quiet, text.as_bytes()));
        match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => answer,
            Poll::Pending => panic!("{}: nothing has to be waited for", shape.name),
        }
    });
    [reading, checking, dispatching]
}

/// Measures all shapes in some sizes with all readers, and says where too much is taken. Lists grow by doubling, so that
/// sizes are compared that are doublings of each other.
fn judge(sizes: &[usize]) {
    let mut problems = Vec::new();
    let mut worst = [(0.0, String::new()), (0.0, String::new()), (0.0, String::new())];
    let mut measured = 0;
    for shape in SHAPES {
        let mut smallest: Vec<Option<[f64; 3]>> = vec![None; READERS.len()];
        for size in sizes {
            let text = shape.text(*size);
            let (value, _) = peak(|| serde_json::from_str::<Value>(&text).map(drop));
            for (reader, smallest) in READERS.iter().zip(&mut smallest) {
                let bytes = (reader.measure)(shape, &text);
                measured += 1;
                let per_byte = bytes.map(|bytes| bytes as f64 / text.len() as f64);
                let small = *smallest.get_or_insert(per_byte);
                for (index, work) in WORK.iter().enumerate() {
                    let factor = bytes[index] as f64 / value as f64;
                    let place = format!(
                        "{work} {:?}, {} bytes, {} {:?}: {:.1} bytes per byte, {factor:.2} times a value",
                        shape.name,
                        text.len(),
                        reader.revision,
                        reader.party,
                        per_byte[index],
                    );
                    // Of a thousand members with one name a value keeps one, and an answer repeats the id it answers with
                    // all its escapes. Neither takes more than a copy or two of the text.
                    if bytes[index] < 2 * text.len() {
                        continue;
                    }
                    if factor > FACTOR {
                        problems.push(place.clone());
                    }
                    // A batch beyond the limit is kept as a value, which may be more than a small batch takes.
                    if factor > 1.0 + SLACK && per_byte[index] > small[index] * (1.0 + SLACK) {
                        problems.push(format!("{place}, and {:.1} for a small one", small[index]));
                    }
                    if factor > worst[index].0 {
                        worst[index] = (factor, place);
                    }
                }
            }
        }
    }
    assert_eq!(measured, SHAPES.len() * sizes.len() * READERS.len());
    for (_, place) in &worst {
        println!("the most: {place}");
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn hostile_messages_take_little_more_memory_than_a_value() {
    assert!(SHAPES.len() >= 100, "{} shapes", SHAPES.len());
    assert_eq!(READERS.len(), 2 * mcp_wire::Revision::ALL.len());
    judge(&[SMALLEST, SMALLEST << 4]);
    // Lists that have just grown, and lists that are full.
    judge(&[SMALLEST * 8 / 5]);
}

#[test]
#[ignore = "minutes of work, with --release"]
fn hostile_messages_of_ten_megabytes_take_little_more_memory_than_a_value() {
    judge(&[SMALLEST, SMALLEST << 5, SMALLEST << 10]);
}
