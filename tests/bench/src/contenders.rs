//! Who takes part. Each module says how its crate gets from text to a typed message, and back.
//!
//! Everybody takes the quickest documented way from text to a message whose kind is not known beforehand. A result is
//! read with the knowledge of what was asked wherever the crate has a use for it.

use std::hint::black_box;
use std::rc::Rc;

use crate::{Order, Subject};

pub mod borrowed;
pub mod hand_written;
pub mod mcp_wire;
#[cfg(feature = "peers")]
pub mod rmcp;
#[cfg(feature = "peers")]
pub mod rust_mcp_schema;
#[cfg(feature = "peers")]
pub mod sonic;
mod structs;
#[cfg(feature = "peers")]
pub mod turbomcp;
pub mod value;

/// Does something so many times.
pub type Repeat = Box<dyn Fn(u32)>;

/// The work of one contender on one message, repeated as often as asked.
pub struct Work {
    /// Text to message, and the message dropped. For a proxy, an exchange and a session it is the whole of it.
    pub parse: Repeat,
    /// Message to text, and the text dropped, where that is something of its own.
    pub write: Option<Repeat>,
    /// Text to message to text, as a proxy does that has nothing better.
    pass_on: Option<Repeat>,
    /// What it writes, to see that nothing was dropped on the way.
    pub written: String,
}

impl Work {
    /// The same as a proxy: read and written back, as one piece of work.
    fn into_proxy(self) -> Option<Self> {
        Some(Self { parse: self.pass_on?, write: None, pass_on: None, written: self.written })
    }
}

/// Reads and writes one message. Where the first reading fails, or is not what was `meant`, there is nothing to measure.
pub fn work<M: 'static, E>(
    text: String,
    read: impl Fn(&str) -> Result<M, E> + 'static,
    meant: impl Fn(&M) -> bool,
    write: impl Fn(&M) -> String + 'static,
) -> Option<Work> {
    let message = read(&text).ok().filter(meant)?;
    let written = write(&message);
    let it = Rc::new((text, read, write));
    let (reading, passing) = (Rc::clone(&it), Rc::clone(&it));
    let parse = move |times| {
        let (text, read, _) = &*reading;
        for _ in 0..times {
            // By reference: large values are not to be moved once more for this.
            black_box(&read(black_box(text)));
        }
    };
    let pass_on = move |times| {
        let (text, read, write) = &*passing;
        for _ in 0..times {
            black_box(&read(black_box(text)).map(|message| write(black_box(&message))).ok());
        }
    };
    let write = move |times| {
        for _ in 0..times {
            black_box(&(it.2)(black_box(&message)));
        }
    };
    Some(Work { parse: Box::new(parse), write: Some(Box::new(write)), pass_on: Some(Box::new(pass_on)), written })
}

/// Passes a message on.
pub fn proxy(text: String, pass_on: impl Fn(&str) -> Option<String> + 'static) -> Option<Work> {
    let written = pass_on(&text)?;
    let parse = move |times| {
        for _ in 0..times {
            black_box(&pass_on(black_box(&text)));
        }
    };
    Some(Work { parse: Box::new(parse), write: None, pass_on: None, written })
}

/// Asks, answers, and reads the answer. `ask` returns the text that the client finds in it.
pub fn exchange(ask: impl Fn() -> Option<String> + 'static) -> Option<Work> {
    let written = ask()?;
    let parse = move |times| {
        for _ in 0..times {
            black_box(&ask());
        }
    };
    Some(Work { parse: Box::new(parse), write: None, pass_on: None, written })
}

/// Answers the messages of a session, one after another.
pub fn session(text: String, answer: impl Fn(&str) -> Option<String> + 'static) -> Work {
    let written = text.lines().filter_map(&answer).collect::<Vec<_>>().join("\n");
    let parse = move |times| {
        for _ in 0..times {
            for line in text.lines() {
                black_box(&answer(black_box(line)));
            }
        }
    };
    Work { parse: Box::new(parse), write: None, pass_on: None, written }
}

/// Who takes part, and how.
pub struct Contender {
    /// Its name in reports.
    pub name: &'static str,
    work: fn(Subject, Order) -> Option<Work>,
}

impl Contender {
    /// Its work, where it can do it. Who has no way of its own to pass a message on reads it and writes it back.
    pub fn work(&self, subject: Subject, order: Order) -> Option<Work> {
        let into_proxy = || (self.work)(subject.carried()?, order)?.into_proxy();
        (self.work)(subject, order).or_else(into_proxy)
    }
}

const fn contender(name: &'static str, work: fn(Subject, Order) -> Option<Work>) -> Contender {
    Contender { name, work }
}

/// Everybody, mcp-wire first, the hand-written struct second, and at last those who show what could be had if one did
/// without something: without a message of one's own, or without serde_json.
pub const ALL: &[Contender] = &[
    contender("mcp-wire", mcp_wire::work),
    contender("hand-written", hand_written::work),
    #[cfg(feature = "peers")]
    contender("rmcp", rmcp::work),
    #[cfg(feature = "peers")]
    contender("rust-mcp-schema", rust_mcp_schema::work),
    #[cfg(feature = "peers")]
    contender("turbomcp-protocol", turbomcp::work),
    contender("serde_json::Value", value::work),
    contender("hand-written, borrowed", borrowed::work),
    #[cfg(feature = "peers")]
    contender("sonic-rs", sonic::work),
];
