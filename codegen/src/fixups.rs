//! Fix up: a schema in, the same schema with its errata fixed out.
//!
//! Two kinds, in two files: the schema is wrong (`upstream_bugs.rs`), or it is right but awkward in Rust
//! (`rust_shape.rs`; these never change what the schema accepts). Each fixup is one function that counts the places it
//! changed. `schema/fixups.toml` lists the revisions it applies to; one that changes nothing in them is an error, so that
//! a fixup leaves when its reason does.

mod rust_shape;
mod upstream_bugs;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::load::{Schema, Sources};
use crate::model::AppliedFixup;
use crate::newest;

/// A correction of a schema.
pub struct Fixup {
    /// Name of the function.
    pub name: &'static str,
    /// Whether it mends an error, rather than reshaping what is right.
    pub erratum: bool,
    /// Where it looks first, for messages.
    pub place: &'static str,
    apply: fn(&mut Map<String, Value>, &str) -> usize,
}

impl Fixup {
    /// Applies it, and says how many places it changed.
    pub fn apply(&self, schema: &mut Schema) -> usize {
        let keyword = schema.keyword;
        match schema.document.get_mut(keyword).and_then(Value::as_object_mut) {
            Some(definitions) => (self.apply)(definitions, keyword),
            None => 0,
        }
    }
}

macro_rules! fixups {
    ($($module:ident :: $name:ident($place:literal);)*) => {
        &[$(Fixup {
            name: stringify!($name),
            erratum: fixups!(@erratum $module),
            place: $place,
            apply: $module::$name,
        }),*]
    };
    (@erratum upstream_bugs) => { true };
    (@erratum rust_shape) => { false };
}

/// Every fixup, with the place it mends. They run in this order.
pub const FIXUPS: &[Fixup] = fixups! {
    upstream_bugs::elicit_content_numbers("ElicitResult");
    upstream_bugs::number_schema_bounds("NumberSchema");
    upstream_bugs::task_ttl_nullable("Task");
    upstream_bugs::create_task_result_answers("ServerResult");
    upstream_bugs::json_value_null_and_numbers("JSONValue");
    upstream_bugs::doc_link_separators("");
    rust_shape::json_value_is_any("JSONValue");
    rust_shape::sampling_content_one_or_many("SamplingMessage");
    rust_shape::batches_by_name("JSONRPCMessage");
    rust_shape::client_notification_is_a_union("ClientNotification");
};

/// Which revisions each fixup applies to: what `fixups.toml` says.
pub type Lists = BTreeMap<String, Vec<String>>;

/// Whether the lists are about the fixups there are, each of them once.
pub(crate) fn prove(file: &Path, lists: &Lists) -> Result<()> {
    let known = |name: &str| FIXUPS.iter().any(|fixup| fixup.name == name);
    if let Some(name) = lists.keys().find(|name| !known(name)) {
        let found = format!("there is no fixup `{name}`");
        return Err(Error::schema(file, "", found, "codegen/src/fixups.rs lists them; remove the entry, or write it"));
    }
    match FIXUPS.iter().find(|fixup| !lists.contains_key(fixup.name)) {
        Some(fixup) => {
            let found = format!("fixup `{}` has no entry", fixup.name);
            Err(Error::schema(file, "", found, "list the revisions it applies to, even if there are none"))
        }
        None => Ok(()),
    }
}

/// Applies the fixups of an official revision; one that changes nothing is an error.
///
/// To a schema of one's own, the fixups of the newest revision apply where they find what they mend.
pub fn fix_up(schema: &mut Schema, sources: &Sources) -> Result<Vec<AppliedFixup>> {
    fix_up_with(FIXUPS.iter(), schema, sources, newest(sources))
}

/// Applies those fixups that mend an error, and not those that only reshape: this is the official schema with its errata
/// fixed, against which documents are judged.
pub fn fix_errata(schema: &mut Schema, sources: &Sources) -> Result<Vec<AppliedFixup>> {
    fix_up_with(FIXUPS.iter().filter(|fixup| fixup.erratum), schema, sources, newest(sources))
}

/// Applies those fixups that only reshape, where they find what they reshape: the errors of the schema stay.
pub fn reshape(schema: &mut Schema, sources: &Sources, like: &str) -> Result<Vec<AppliedFixup>> {
    fix_up_with(FIXUPS.iter().filter(|fixup| !fixup.erratum), schema, sources, like)
}

/// The definitions that reshaping may change, as they are written.
pub(crate) fn before_reshaping(schema: &Schema) -> Vec<(&'static str, Value)> {
    let written = |name: &&'static str| Some((*name, schema.definitions().get(*name)?.clone()));
    rust_shape::CHANGED.iter().filter_map(written).collect()
}

/// Undoes the reshaping.
pub(crate) fn put_back(schema: &mut Schema, as_written: Vec<(&'static str, Value)>) {
    if let Some(definitions) = schema.document.get_mut(schema.keyword).and_then(Value::as_object_mut) {
        definitions.extend(as_written.into_iter().map(|(name, value)| (name.to_owned(), value)));
    }
}

fn fix_up_with<'a>(
    fixups: impl Iterator<Item = &'a Fixup>,
    schema: &mut Schema,
    sources: &Sources,
    like: &str,
) -> Result<Vec<AppliedFixup>> {
    let revision = if schema.official { schema.name.clone() } else { like.to_owned() };
    let listed = |fixup: &&Fixup| sources.fixups.get(fixup.name).is_some_and(|revisions| revisions.contains(&revision));
    let mut applied = Vec::new();
    for fixup in fixups.filter(listed) {
        let changes = fixup.apply(schema);
        if changes > 0 {
            applied.push(AppliedFixup { name: fixup.name.to_owned(), changes });
        } else if schema.official {
            return Err(Error::schema(
                &schema.file,
                format!("/{}/{}", schema.keyword, fixup.place).trim_end_matches('/'),
                format!("fixup `{}` changed nothing", fixup.name),
                format!("upstream has fixed it: take {revision} off its list in schema/fixups.toml"),
            ));
        }
    }
    Ok(applied)
}

/// Replaces a value where it is exactly what is expected; 1 if it was.
fn replace(place: Option<&mut Value>, from: &Value, to: Value) -> usize {
    match place {
        Some(value) if value == from => {
            *value = to;
            1
        }
        _ => 0,
    }
}

fn property<'a>(definitions: &'a mut Map<String, Value>, definition: &str, member: &str) -> Option<&'a mut Value> {
    definitions.get_mut(definition)?.get_mut("properties")?.get_mut(member)
}

fn reference(keyword: &str, definition: &str) -> Value {
    serde_json::json!({ "$ref": format!("#/{keyword}/{definition}") })
}
