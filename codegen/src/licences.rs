//! What a published crate owes to others: the texts in the project's folder in, files for each crate out.
//!
//! A package holds only what lies in its own folder, so every crate needs copies.

use std::collections::BTreeMap;

use crate::error::{Error, Result};

/// The project's licences, by the names of their files.
pub const LICENCES: [(&str, &str); 2] =
    [("LICENSE-APACHE", include_str!("../../LICENSE-APACHE")), ("LICENSE-MIT", include_str!("../../LICENSE-MIT"))];

const NOTICE: &str = include_str!("../../schema/NOTICE.md");
const HEADING: &str = "## Licence of the schema files\n";

/// Adds the licences as they are. They are no work of the generator and do not say that they were generated.
pub(crate) fn add(files: &mut BTreeMap<String, String>) {
    files.extend(LICENCES.map(|(name, text)| (name.to_owned(), text.to_owned())));
}

/// The licence that the official schemas came under: names and descriptions in generated code are taken from them.
pub(crate) fn of_the_schemas() -> Result<&'static str> {
    match NOTICE.split_once(HEADING) {
        Some((_, text)) => Ok(text.trim()),
        None => Err(Error::internal(format!("schema/NOTICE.md has no `{}`", HEADING.trim()))),
    }
}
