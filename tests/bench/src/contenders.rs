//! Who takes part. Each module says how its crate gets from text to a typed message, and back.
//!
//! Everybody takes the quickest documented way from text to a message whose kind is not known beforehand. A result is
//! read with the knowledge of what was asked wherever the crate has a use for it.

use std::hint::black_box;

use crate::{Order, Subject};

pub mod hand_written;
pub mod mcp_wire;
#[cfg(feature = "peers")]
pub mod rmcp;
#[cfg(feature = "peers")]
pub mod rust_mcp_schema;
#[cfg(feature = "peers")]
pub mod turbomcp;
pub mod value;

/// The work of one contender on one message, repeated as often as asked.
pub struct Work {
    /// Text to message, and the message dropped.
    pub parse: Box<dyn Fn(u32)>,
    /// Message to text, and the text dropped. A session has no such thing: it writes as it goes.
    pub write: Option<Box<dyn Fn(u32)>>,
    /// What it writes, to see that nothing was dropped on the way.
    pub written: String,
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
    let parse = move |times| {
        for _ in 0..times {
            // By reference: large values are not to be moved once more for this.
            black_box(&read(black_box(&text)));
        }
    };
    let write = move |times| {
        for _ in 0..times {
            black_box(&write(black_box(&message)));
        }
    };
    Some(Work { parse: Box::new(parse), write: Some(Box::new(write)), written })
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
    Work { parse: Box::new(parse), write: None, written }
}

/// Makes a contender's work, where it can do it.
pub type Maker = fn(Subject, Order) -> Option<Work>;

/// Everybody by name, mcp-wire first, the limit second.
pub const ALL: &[(&str, Maker)] = &[
    ("mcp-wire", mcp_wire::work),
    ("hand-written", hand_written::work),
    #[cfg(feature = "peers")]
    ("rmcp", rmcp::work),
    #[cfg(feature = "peers")]
    ("rust-mcp-schema", rust_mcp_schema::work),
    #[cfg(feature = "peers")]
    ("turbomcp-protocol", turbomcp::work),
    ("serde_json::Value", value::work),
];
