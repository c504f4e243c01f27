//! Pattern: what the path of an entry stands for.

use super::Entry;
use crate::diff::path::Path;
use crate::diff::report::Change;

/// What an entry stands for.
pub(super) struct Pattern<'e> {
    /// The number of the entry.
    pub(super) index: usize,
    pub(super) entry: &'e Entry,
    path: Option<Path<'static>>,
    /// Whether something has exactly this path.
    is_exact: bool,
    /// The texts between its stars.
    parts: Vec<&'e str>,
}

impl<'e> Pattern<'e> {
    pub(super) fn new(index: usize, entry: &'e Entry) -> Self {
        let (mut is_quoted, mut is_escaped) = (false, false);
        let is_star = |c| {
            is_quoted ^= c == '"' && !is_escaped;
            is_escaped = c == '\\' && is_quoted && !is_escaped;
            c == '*' && !is_quoted
        };
        let parts = entry.path.split(is_star).collect();
        Self { index, entry, path: entry.path.parse().ok(), is_exact: false, parts }
    }

    pub(super) fn look_at(&mut self, change: &Change) {
        let mut paths = change.places.iter().map(|place| &place.path).chain([&change.path]);
        self.is_exact |= paths.any(|path| Some(path) == self.path.as_ref());
    }

    /// Whether it stands for a path, which is also given as it is written.
    pub(super) fn matches(&self, path: &Path<'_>, written: &str) -> bool {
        if self.is_exact {
            return Some(path) == self.path.as_ref();
        }
        let mut parts = self.parts.iter();
        let Some(mut rest) = parts.next().and_then(|first| written.strip_prefix(first)) else { return false };
        let Some(last) = parts.next_back() else { return rest.is_empty() };
        match rest.strip_suffix(last) {
            Some(middle) => rest = middle,
            None => return false,
        }
        // The first occurrence of each part leaves the most text for the parts after it.
        parts.all(|part| match rest.split_once(part) {
            Some((_, after)) => {
                rest = after;
                true
            }
            None => false,
        })
    }
}
