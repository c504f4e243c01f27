//! mcp-wire beside the other crates that read and write the protocol, on the same messages, in one process.
//!
//! [`Subject`] has the messages, [`contenders`] one module per crate, [`measure`] the interleaved sampling.

pub mod contenders;
pub mod measure;
mod subjects;

pub use subjects::{BATCH, Kind, MESSAGES, Order, Subject};
