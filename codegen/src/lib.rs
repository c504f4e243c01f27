//! From official MCP schemas to Rust crates.
//!
//! ```text
//! schema ─load→ fixups ─lower→ model ─view→ templates ─render, format, write→ generated
//! ```
//!
//! A library: bytes in, files out. It does not print and does not use the network. Each stage is a module whose first
//! line says what comes in and what goes out; [`model_of`] and [`crate_of`] below show all of them in order.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod changes;
pub mod definitions;
pub mod diff;
mod docs;
mod error;
pub mod facade;
pub mod facts;
pub mod fixups;
mod format;
pub mod licences;
mod lists;
pub mod load;
mod lower;
pub mod methods;
pub mod model;
pub mod names;
pub mod output;
pub mod plain;
mod render;
pub mod semver;
mod stated;
pub mod sync;
mod view;

use std::collections::BTreeMap;
use std::path::Path;

pub use error::{Error, Result};
use facts::Facts;
use load::{Schema, Sources};
use model::{AppliedFixup, Revision};
pub use view::{Core, Packaging};

/// The version of every published crate: that of the workspace, which this package shares.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a dependent writes to get it.
pub(crate) const REQUIREMENT: &str = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));

/// The name of a revision's package.
pub fn package_name(revision: &str) -> String {
    format!("mcp-wire-{revision}")
}

/// The newest revision: a schema of one's own is taken to be written in its style.
pub fn newest(sources: &Sources) -> &str {
    sources.revisions.last().map_or("", |source| &source.name)
}

/// Fix up, lower: the model of a schema.
pub fn model_of(folder: &Path, sources: &Sources, schema: Schema) -> Result<Revision> {
    model_lowered(folder, sources, schema, lower::lower)
}

/// The model of a schema with none of its errors corrected: what the file says, rather than what it means.
///
/// The facts and the reshaping are those of the revision it is `like`, as far as they apply.
pub fn model_as_written(folder: &Path, sources: &Sources, mut schema: Schema, like: &str) -> Result<Revision> {
    let facts = facts_of(folder, sources, like)?;
    model_as_named(sources, &mut schema, (like, facts), lower::lower)
}

/// How a model is made from a schema: [`lower::lower`] makes all of it, [`lower::wire`] what travels.
type Lower = fn(&Schema, &Facts, Vec<AppliedFixup>) -> Result<Revision>;

fn model_lowered(folder: &Path, sources: &Sources, mut schema: Schema, lower: Lower) -> Result<Revision> {
    let facts = facts_about(folder, sources, &schema)?;
    let fixups = fixups::fix_up(&mut schema, sources)?;
    lower(&schema, &facts, fixups)
}

/// The model of a schema as it is written, with the facts about the revision it is `like`.
///
/// The schema is the same afterwards. It is lent because a large one is not copied lightly.
fn model_as_named(
    sources: &Sources,
    schema: &mut Schema,
    (like, facts): (&str, Facts),
    lower: Lower,
) -> Result<Revision> {
    let official = std::mem::replace(&mut schema.official, false);
    let facts = facts.without_lost_results(schema).where_applicable(schema).completed(schema);
    let as_written = fixups::before_reshaping(schema);
    let fixups = fixups::reshape(schema, sources, like)?;
    let model = lower(schema, &facts, fixups);
    fixups::put_back(schema, as_written);
    schema.official = official;
    model
}

/// View, render, format: the files of a crate by their path inside it.
pub fn crate_of(revision: &Revision, packaging: &Packaging) -> Result<BTreeMap<String, String>> {
    let view = view::view(revision, packaging);
    let mut files = BTreeMap::new();
    for (path, text) in render::render(&view)? {
        let text = format::format(&path, &text)?;
        files.insert(path, text);
    }
    let model =
        serde_json::to_string_pretty(revision).map_err(|error| Error::internal(format!("model.json: {error}")))?;
    files.insert("model.json".to_owned(), model + "\n");
    // A crate from a schema of one's own is its owner's, who chooses the licence.
    if packaging.core.is_none() {
        licences::add(&mut files);
    }
    Ok(files)
}

fn facts_about(folder: &Path, sources: &Sources, schema: &Schema) -> Result<Facts> {
    if !schema.official {
        let facts = sources.newest_facts(|| facts_of(folder, sources, newest(sources)))?;
        return Ok(facts.clone().where_applicable(schema).completed(schema));
    }
    let facts = sources.facts.about(&schema.name);
    facts.prove(&folder.join("facts.toml"), schema)?;
    Ok(facts.completed(schema))
}

/// All that is known about a revision: what its schema says, and the facts.
fn facts_of(folder: &Path, sources: &Sources, revision: &str) -> Result<Facts> {
    let facts = sources.facts.about(revision);
    match sources.revisions.iter().find(|source| source.name == revision) {
        Some(source) => Ok(facts.completed(&load::official(folder, source)?)),
        None => Ok(facts),
    }
}
