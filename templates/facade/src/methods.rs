// {{ f.header }}

//! Methods and the revisions that have them.

use crate::Revision;

/// A method and the revisions that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MethodHistory {
    /// Its name on the wire.
    pub name: &'static str,
    /// The revisions that have it, the oldest first, whether their feature is enabled or not.
    pub revisions: &'static [Revision],
}

/// Every method of every revision, sorted by name.
pub const METHODS: &[MethodHistory] = &[
{%- for (method, revisions) in f.methods %}
    MethodHistory { name: {{ method }}, revisions: &[{{ revisions }}] },
{%- endfor %}
];

/// The revisions of a method.
pub fn method_history(name: &str) -> Option<&'static MethodHistory> {
    METHODS.binary_search_by(|method| method.name.cmp(name)).ok().and_then(|index| METHODS.get(index))
}
