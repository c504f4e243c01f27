//! What a published crate owes to others: the texts in the project's folder in, files for each crate out.
//!
//! A package holds only what lies in its own folder, so every crate needs copies.

use std::collections::BTreeMap;

/// The project's licences, by the names of their files.
pub const LICENCES: [(&str, &str); 2] =
    [("LICENSE-APACHE", include_str!("../../LICENSE-APACHE")), ("LICENSE-MIT", include_str!("../../LICENSE-MIT"))];

/// Adds the licences as they are. They are no work of the generator and do not say that they were generated.
pub(crate) fn add(files: &mut BTreeMap<String, String>) {
    files.extend(LICENCES.map(|(name, text)| (name.to_owned(), text.to_owned())));
}
