//! The revisions that the project has, for tests that need no list of them.
#![allow(dead_code, clippy::expect_used, reason = "each test uses a part of it")]

use std::path::Path;
use std::sync::LazyLock;

use mcp_wire_codegen::facts::Phase;
use mcp_wire_codegen::load::{self, Sources};

static SOURCES: LazyLock<Sources> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
    load::sources(&folder).expect("the schema folder")
});

/// All of them, the oldest first.
pub(crate) fn revisions() -> impl DoubleEndedIterator<Item = &'static str> {
    SOURCES.revisions.iter().map(|source| source.name.as_str())
}

/// The newest one.
pub(crate) fn newest() -> &'static str {
    revisions().next_back().expect("a revision")
}

/// The one before another.
pub(crate) fn previous(revision: &str) -> &'static str {
    revisions().rfind(|name| *name < revision).expect("an earlier revision")
}

/// The first one without a handshake. What is special about such a revision is tested with its schema.
pub(crate) fn stateless() -> &'static str {
    let has_handshake =
        |name: &str| SOURCES.facts.about(name).method.iter().any(|entry| entry.phase == Some(Phase::Handshake));
    revisions().find(|name| !has_handshake(name)).expect("a revision without a handshake")
}
