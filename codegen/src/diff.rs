//! Compare: two editions of the protocol in, what changed and whom it breaks out.

pub mod report;
