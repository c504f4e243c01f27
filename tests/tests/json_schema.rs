//! With the `schemars` feature a crate states its own schema: the verdicts are those of the official one.

use jsonschema::Validator;
use mcp_wire_tests::instances::Instances;
use mcp_wire_tests::mutants::Mutants;
use mcp_wire_tests::{Judge, REVISIONS};
use schemars::{JsonSchema, SchemaGenerator};

const MUTANTS: usize = 200;

fn validator<T: JsonSchema>() -> Validator {
    let schema = SchemaGenerator::default().into_root_schema_for::<T>();
    let base64 = |text: &str| mcp_wire_core::wire::is_base64(text);
    let options = jsonschema::options().should_validate_formats(true).with_format("byte", base64);
    options.build(schema.as_value()).expect("a valid schema")
}

/// Compares the two schemas of a definition on its family and on mutants; returns how many documents there were.
fn agrees<T: JsonSchema>(revision: &str, definition: &str) -> usize {
    let revision = REVISIONS.iter().find(|known| known.name == revision).expect("a revision");
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
    ($($test:ident: $krate:ident $revision:literal $($name:ident)*;)*) => {$(
        #[test]
        fn $test() {
            let documents = [$(agrees::<$krate::$name>($revision, definition(stringify!($name)))),*];
            assert!(documents.iter().all(|count| *count > MUTANTS));
        }
    )*};
}

// Between them these types reach nearly every other one of their revision.
compare! {
    the_schema_of_2024_11_05: mcp_wire_2024_11_05 "2024-11-05"
        JSONRPCMessage ClientRequestMessage ServerRequestMessage ClientNotificationMessage ServerNotificationMessage ClientResult ServerResult Tool;
    the_schema_of_2025_03_26: mcp_wire_2025_03_26 "2025-03-26"
        JSONRPCMessage ClientRequestMessage ServerRequestMessage ClientNotificationMessage ServerNotificationMessage ClientResult ServerResult Tool;
    the_schema_of_2025_06_18: mcp_wire_2025_06_18 "2025-06-18"
        JSONRPCMessage ClientRequestMessage ServerRequestMessage ClientNotificationMessage ServerNotificationMessage ClientResult ServerResult Tool;
    the_schema_of_2025_11_25: mcp_wire_2025_11_25 "2025-11-25"
        JSONRPCMessage ClientRequestMessage ServerRequestMessage ClientNotificationMessage ServerNotificationMessage ClientResult ServerResult Task
        CreateTaskResult PrimitiveSchemaDefinition URLElicitationRequiredError;
    the_schema_of_2026_07_28: mcp_wire_2026_07_28 "2026-07-28"
        JSONRPCMessage ClientRequestMessage InputRequest ClientNotificationMessage ServerNotificationMessage InputResponse ServerResult
        CallToolResultResponse PrimitiveSchemaDefinition UnsupportedProtocolVersionError;
}
