//! Fix up: a schema in, the same schema with its errata fixed out.
//!
//! Two kinds, in two files: the schema is wrong (`upstream_bugs.rs`), or it is right but awkward in Rust
//! (`rust_shape.rs`; these never change what the schema accepts). Each fixup is one function that counts the places it
//! changed. One that changes nothing is an error, so that a fixup leaves when its reason does.

mod rust_shape;
mod upstream_bugs;

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::load::Schema;
use crate::model::AppliedFixup;

/// A correction of a schema.
pub struct Fixup {
    /// Name of the function.
    pub name: &'static str,
    /// The revisions it applies to.
    pub revisions: &'static [&'static str],
    /// Whether it mends an error, rather than reshaping what is right.
    pub erratum: bool,
    /// Where it looks first, for messages.
    pub place: &'static str,
    apply: fn(&mut Map<String, Value>, &str) -> usize,
}

macro_rules! fixups {
    ($($module:ident :: $name:ident($place:literal): $($revision:literal)*;)*) => {
        &[$(Fixup {
            name: stringify!($name),
            revisions: &[$($revision),*],
            erratum: fixups!(@erratum $module),
            place: $place,
            apply: $module::$name,
        }),*]
    };
    (@erratum upstream_bugs) => { true };
    (@erratum rust_shape) => { false };
}

/// Every fixup, with the place it mends and the revisions it applies to. They run in this order.
pub const FIXUPS: &[Fixup] = fixups! {
    upstream_bugs::elicit_content_numbers("ElicitResult"): "2025-06-18" "2025-11-25" "2026-07-28";
    upstream_bugs::number_schema_bounds("NumberSchema"): "2025-06-18" "2025-11-25";
    upstream_bugs::task_ttl_nullable("Task"): "2025-11-25";
    upstream_bugs::create_task_result_answers("ServerResult"): "2025-11-25";
    upstream_bugs::json_value_null_and_numbers("JSONValue"): "2026-07-28";
    upstream_bugs::doc_link_separators(""): "2026-07-28";
    rust_shape::json_value_is_any("JSONValue"): "2026-07-28";
    rust_shape::sampling_content_one_or_many("SamplingMessage"): "2025-11-25" "2026-07-28";
    rust_shape::batches_by_name("JSONRPCMessage"): "2025-03-26";
    rust_shape::client_notification_is_a_union("ClientNotification"): "2026-07-28";
};

/// Applies the fixups of an official revision; one that changes nothing is an error.
///
/// To a schema of one's own, the fixups of the newest revision apply where they find what they mend.
pub fn fix_up(schema: &mut Schema, newest: &str) -> Result<Vec<AppliedFixup>> {
    fix_up_with(FIXUPS.iter(), schema, newest)
}

/// Applies those fixups that mend an error, and not those that only reshape: this is the official schema with its errata
/// fixed, against which documents are judged.
pub fn fix_errata(schema: &mut Schema, newest: &str) -> Result<Vec<AppliedFixup>> {
    fix_up_with(FIXUPS.iter().filter(|fixup| fixup.erratum), schema, newest)
}

/// Applies those fixups that only reshape, where they find what they reshape: the errors of the schema stay.
pub fn reshape(schema: &mut Schema, like: &str) -> Result<Vec<AppliedFixup>> {
    fix_up_with(FIXUPS.iter().filter(|fixup| !fixup.erratum), schema, like)
}

fn fix_up_with<'a>(
    fixups: impl Iterator<Item = &'a Fixup>,
    schema: &mut Schema,
    newest: &str,
) -> Result<Vec<AppliedFixup>> {
    let revision = if schema.official { schema.name.clone() } else { newest.to_owned() };
    let mut applied = Vec::new();
    for fixup in fixups.filter(|fixup| fixup.revisions.contains(&revision.as_str())) {
        let keyword = schema.keyword;
        let changes = match schema.document.get_mut(keyword).and_then(Value::as_object_mut) {
            Some(definitions) => (fixup.apply)(definitions, keyword),
            None => 0,
        };
        if changes > 0 {
            applied.push(AppliedFixup { name: fixup.name.to_owned(), changes });
        } else if schema.official {
            return Err(Error::schema(
                &schema.file,
                format!("/{keyword}/{}", fixup.place).trim_end_matches('/'),
                format!("fixup `{}` changed nothing", fixup.name),
                format!("upstream has fixed it: take {revision} off the fixup's list in codegen/src/fixups.rs"),
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
