//! With the `schemars` feature a crate states its own schema: the verdicts are those of the official one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jsonschema::Validator;
use mcp_wire_codegen::model::{Additional, Content, Revision, Shape, TypeRef};
use mcp_wire_codegen::{load, model_of};
use mcp_wire_tests::instances::Instances;
use mcp_wire_tests::mutants::Mutants;
use mcp_wire_tests::{Judge, REVISIONS, assert_pinned, model, revisions, root, sources};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

const MUTANTS: usize = 200;

fn validator<T: JsonSchema>() -> Validator {
    let schema = SchemaGenerator::default().into_root_schema_for::<T>();
    let base64 = |text: &str| mcp_wire_core::__private::is_base64(text);
    let options = jsonschema::options().should_validate_formats(true).with_format("byte", base64);
    options.build(schema.as_value()).expect("a valid schema")
}

/// Compares the two schemas of a definition on its family and on mutants; returns how many documents there were.
fn agrees<T: JsonSchema>(revision: &str, definition: &str) -> usize {
    let revision = mcp_wire_tests::revision(revision);
    let official = revision.schema();
    let mut judge = Judge::new(&official);
    let own = validator::<T>();
    let mut documents = Instances::new(&official.document).family(definition).documents;
    let mut mutants = Mutants::new(&official.document, 7);
    for index in 0..MUTANTS {
        let (mutant, _) = mutants.mutate(definition, &documents[index % documents.len()]);
        documents.push(mutant);
    }
    for document in &documents {
        let expected = judge.accepts(definition, document);
        assert_eq!(own.is_valid(document), expected, "{} {definition}: {document}", revision.name);
    }
    documents.len()
}

/// The definition that a type was made from.
fn definition(name: &str) -> &str {
    match name {
        "JSONRPCMessage" => name,
        _ => name.strip_suffix("Message").unwrap_or(name),
    }
}

macro_rules! compare {
    ($($test:ident: $facade:ident :: $module:ident $($name:ident)*;)*) => {$(
        #[test]
        fn $test() {
            use $facade::$module as types;
            let documents = [$(agrees::<types::$name>(types::REVISION, definition(stringify!($name)))),*];
            assert!(documents.iter().all(|count| *count > MUTANTS));
        }
    )*};
}

// Between them these types reach nearly every other one of their revision.

macro_rules! compare_all {
    ($($revision:ident)*) => {
        mod messages_of {
            use super::*;

            compare! { $($revision: mcp_wire::$revision
                JSONRPCMessage ClientRequestMessage ClientNotificationMessage ServerNotificationMessage ServerResult;)* }
        }
    };
}
revisions!(compare_all);

compare! {
    others_of_2024_11_05: mcp_wire::v2024_11_05 ServerRequestMessage ClientResult Tool;
    others_of_2025_03_26: mcp_wire::v2025_03_26 ServerRequestMessage ClientResult Tool;
    others_of_2025_06_18: mcp_wire::v2025_06_18 ServerRequestMessage ClientResult Tool;
    others_of_2025_11_25: mcp_wire::v2025_11_25 ServerRequestMessage ClientResult Task CreateTaskResult
        PrimitiveSchemaDefinition URLElicitationRequiredError;
    others_of_the_stateless_one: mcp_wire_tests::stateless InputRequest InputResponse CallToolResultResponse
        PrimitiveSchemaDefinition UnsupportedProtocolVersionError;
}

/// A model as far as a JSON schema can say it: aliases spelled out, without what belongs to Rust alone (pointers, names of
/// variants) and without documentation.
fn plain(model: &Revision) -> BTreeMap<String, Value> {
    let mut types = BTreeMap::new();
    for (name, ty) in &model.types {
        let shape = match &ty.shape {
            Shape::Alias(_) => continue,
            Shape::StringEnum(values) if values.open => json!({ "open": true }),
            Shape::StringEnum(values) => {
                let values: BTreeSet<&String> = values.values.iter().map(|value| &value.wire).collect();
                json!({ "values": values })
            }
            Shape::Union(union) => {
                let variants: Vec<Value> =
                    union.variants.iter().map(|variant| plain_type(model, &variant.ty)).collect();
                json!({ "variants": variants })
            }
            Shape::Struct(object) => {
                let members: BTreeMap<&String, Value> = object
                    .members
                    .iter()
                    .map(|member| {
                        let content = match &member.content {
                            Content::Constant(value) => json!({ "constant": value }),
                            Content::Field(field) => plain_type(model, &field.ty),
                        };
                        (&member.wire, json!({ "required": member.required, "content": content }))
                    })
                    .collect();
                let additional = match &object.additional {
                    Additional::Open => json!("open"),
                    Additional::Closed => json!("closed"),
                    Additional::Typed(ty) => plain_type(model, ty),
                };
                json!({ "members": members, "additional": additional })
            }
        };
        types.insert(name.clone(), shape);
    }
    types
}

fn plain_type(model: &Revision, ty: &TypeRef) -> Value {
    match ty {
        TypeRef::Boxed(inner) => plain_type(model, inner),
        TypeRef::Nullable(inner) => json!({ "nullable": plain_type(model, inner) }),
        TypeRef::List { items, length } => json!({ "items": plain_type(model, items), "length": length }),
        TypeRef::Map { values } => match plain_type(model, values) {
            // An object with any members, said in another way.
            any if any == json!("any") => json!("object"),
            values => json!({ "map": values }),
        },
        TypeRef::Named(name) => match model.types.get(name).map(|ty| &ty.shape) {
            Some(Shape::Alias(target)) => plain_type(model, target),
            _ => json!(name),
        },
        other => serde_json::to_value(other).expect("JSON"),
    }
}

/// The loop closed: official schema → model → crate → JSON schema → model.
#[test]
fn the_schemas_that_the_crates_write_lead_back_to_the_model() {
    macro_rules! written {
        ($($revision:ident)*) => { [$(mcp_wire::$revision::json_schema().to_value()),*] };
    }
    let written = revisions!(written);
    let sources = sources();
    let folder = root().join("schema");
    let mut compared = Vec::new();
    for (revision, written) in REVISIONS.iter().zip(written) {
        let name = revision.name;
        // What a generated JSON schema cannot say: the known values of strings that may have others. In the schema they
        // are strings, and the enum is a name for that. The facts have them for the same reason.
        let facts = sources.facts.about(name);
        let unsaid: Vec<&String> = facts.open_enum.iter().map(|fact| &fact.name).collect();
        assert_pinned(name, "open_enums", &unsaid);
        let mut before = plain(&model(name));
        let text = serde_json::to_vec(&written).expect("JSON");
        let again = load::bytes(Path::new("written.json"), "written", &text).expect("a schema");
        let mut after = plain(&model_of(&folder, &sources, again).expect("a model"));
        for unsaid in &unsaid {
            assert_eq!(before.remove(*unsaid), Some(json!({ "open": true })), "{name} {unsaid}");
            after.remove(*unsaid);
        }
        let names = |types: &BTreeMap<String, Value>| types.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&before), names(&after), "{name}");
        for (ty, shape) in &before {
            // Members that refer to such a string have lost the name on the way.
            let expected = unsaid.iter().fold(shape.to_string(), |text, unsaid| {
                text.replace(&format!("\"content\":\"{unsaid}\""), "\"content\":{\"string\":{}}")
            });
            let found = unsaid.iter().fold(after[ty].to_string(), |text, unsaid| {
                text.replace(&format!("\"content\":\"{unsaid}\""), "\"content\":{\"string\":{}}")
            });
            assert_eq!(expected, found, "{name} {ty}");
        }
        compared.push(before.len());
    }
    println!("{compared:?} types lead back");
    assert!(compared.iter().all(|count| *count > 100), "{compared:?}");
}
