//! A schema is untrusted input: whatever it says, the generator answers with an error that has a place and a next step,
//! or with code that compiles without a warning and does nothing but describe data.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use mcp_wire_codegen::model::Revision;
use mcp_wire_codegen::{Core, Error, Packaging, VERSION, crate_of, load, model_of};
use mcp_wire_tests::{difference, root, sources};
use mcp_wire_verify::Places;
use serde_json::{Map, Value, json};

type Files = BTreeMap<String, String>;

/// A folder of its own for each test, inside the build folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile").join(name);
    std::fs::create_dir_all(&folder).expect("a folder for a test");
    folder
}

fn packaging() -> Packaging {
    let path = root().join("runtime").display().to_string();
    Packaging { package: "hostile".to_owned(), core: Some(Core { version: VERSION.to_owned(), path: Some(path) }) }
}

/// All stages but the last, from bytes in a file.
fn generate(file: &Path, bytes: &[u8]) -> Result<(Revision, Files), Error> {
    std::fs::write(file, bytes).expect("a schema file");
    let model = model_of(&root().join("schema"), &sources(), load::file(file, "hostile")?)?;
    let files = crate_of(&model, &packaging())?;
    Ok((model, files))
}

fn schema(definitions: Value) -> Vec<u8> {
    json!({ "$defs": definitions }).to_string().into_bytes()
}

/// Asserts that an error has all a person needs: the file, the place in it, what was found, and what to do.
fn assert_refused(name: &str, file: &Path, bytes: &[u8], place: &str, what: &str) {
    match generate(file, bytes) {
        Ok(_) => panic!("{name}: accepted, although {what:?} was expected"),
        Err(Error::Schema { file: named, pointer, found, help }) => {
            assert_eq!(named, file, "{name}");
            assert_eq!(pointer, place, "{name}: {found}");
            assert!(found.contains(what), "{name}: {found:?} does not mention {what:?}");
            assert!(help.len() >= 8, "{name}: no next step: {help:?}");
        }
        Err(other) => panic!("{name}: not an error about the schema: {other}"),
    }
}

fn object(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

/// A schema that copies the members of another one.
fn including(definition: &str) -> Value {
    json!({ "allOf": [reference(definition), { "type": "object" }] })
}

fn requiring(properties: Value, required: Value) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// Definitions `T0`, `T1`, …, each made from the name of the next; the last one is an empty object.
fn levels(count: usize, make: impl Fn(&str) -> Value) -> Value {
    let mut definitions = Map::new();
    for level in 0..count {
        definitions.insert(format!("T{level}"), make(&format!("T{}", level + 1)));
    }
    definitions.insert(format!("T{count}"), object(json!({ "end": { "type": "string" } })));
    Value::Object(definitions)
}

#[test]
fn an_all_of_with_nothing_but_a_reference_is_that_reference() {
    // Draft-07 has no other way to put a description beside a reference, so that this is no copy and may be a circle.
    let file = &folder("sole-reference").join("schema.json");
    let described = json!({ "description": "The next one.", "allOf": [reference("A")] });
    let (model, _) = generate(file, &schema(json!({ "A": object(json!({ "next": described })) }))).expect("a crate");
    assert_eq!(model.types.len(), 1, "{:?}", model.types.keys());
    let model = serde_json::to_value(&model.types["A"]).expect("a model");
    let next = &model["shape"]["struct"]["members"][0];
    assert_eq!(next["doc"], "The next one.");
    assert_eq!(next["content"]["field"]["ty"], json!({ "boxed": { "named": "A" } }));
}

#[test]
fn files_that_are_no_schema_are_refused_by_name() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", Vec::new(), "the file is empty"),
        ("white space", b" \n\t".to_vec(), "the file is empty"),
        ("byte order mark only", "\u{feff}".into(), "the file is empty"),
        ("truncated", br#"{"$defs": {"A": {"type": "obj"#.to_vec(), "not JSON (EOF"),
        ("trailing text", br#"{"$defs": {}} x"#.to_vec(), "trailing characters"),
        ("not UTF-8", b"{\"$defs\": {\"A\xff\": {}}}".to_vec(), "not UTF-8"),
        ("UTF-16", "{}".encode_utf16().flat_map(u16::to_le_bytes).collect(), "not JSON"),
        ("100,000 levels deep", nested(100_000).into(), "recursion limit"),
        ("128 levels deep", format!(r#"{{"$defs": {}}}"#, nested(127)).into(), "recursion limit"),
        ("a number beyond all bounds", br#"{"$defs": {"A": {"minimum": 1e400}}}"#.to_vec(), "number out of range"),
        ("half a surrogate", br#"{"$defs": {"\ud800": {}}}"#.to_vec(), "not JSON"),
        ("no object", b"[1, 2]".to_vec(), "no definitions"),
        ("a string", b"\"$defs\"".to_vec(), "no definitions"),
        ("no definitions", br#"{"type": "object"}"#.to_vec(), "no definitions"),
        ("definitions in an array", br#"{"$defs": [{}]}"#.to_vec(), "no definitions"),
        ("definitions are null", br#"{"definitions": null}"#.to_vec(), "no definitions"),
        ("both keywords", br#"{"$defs": {}, "definitions": {}}"#.to_vec(), "both `$defs` and `definitions`"),
        ("both, one an array", br#"{"$defs": [], "definitions": {}}"#.to_vec(), "both `$defs` and `definitions`"),
    ];
    assert_eq!(cases.len(), 18);
    let folder = folder("files");
    for (name, bytes, found) in &cases {
        assert_refused(name, &folder.join("schema.json"), bytes, "", found);
    }
    let missing = folder.join("missing.json");
    let error = load::file(&missing, "hostile").expect_err("there is no such file");
    assert!(error.to_string().starts_with(&format!("{}: ", missing.display())), "{error}");
    assert!(matches!(error, Error::Io { .. }), "{error}");
}

#[test]
fn schemas_that_cannot_be_expressed_are_refused_with_their_place() {
    let member = |schema: Value| json!({ "A": object(json!({ "m": schema })) });
    let mut cases: Vec<(String, Value, &str, &str)> = Vec::new();
    let mut refuse = |name: &str, definitions: Value, place: &'static str, found: &'static str| {
        cases.push((name.to_owned(), definitions, place, found));
    };

    // What is no schema at all.
    refuse("false", json!({ "A": false }), "/$defs/A", "false where a schema is expected");
    refuse("a number", json!({ "A": 1 }), "/$defs/A", "1 where a schema");
    refuse("null", json!({ "a/b~c": null }), "/$defs/a~1b~0c", "null where a schema");
    refuse("a string", member(json!("string")), "/$defs/A/properties/m", "\"string\" where a schema");
    refuse("unknown type", json!({ "A": { "type": "file" } }), "/$defs/A", "the type \"file\"");
    refuse("type of the wrong kind", json!({ "A": { "type": 1 } }), "/$defs/A", "the type 1");
    refuse("type in a list of the wrong kind", json!({ "A": { "type": [1] } }), "/$defs/A/type", "the type 1");
    refuse("no type", json!({ "A": { "type": [] } }), "/$defs/A", "no alternative");
    refuse("only null", json!({ "A": { "type": "null" } }), "/$defs/A", "only be null");
    refuse("only null in a list", json!({ "A": { "type": ["null"] } }), "/$defs/A", "no alternative");
    refuse(
        "members in a list",
        json!({ "A": { "type": "object", "properties": [] } }),
        "/$defs/A/properties",
        "not an object",
    );
    refuse(
        "required as a boolean",
        json!({ "A": { "type": "object", "required": true } }),
        "/$defs/A/required",
        "not a list of names",
    );
    refuse(
        "required numbers",
        json!({ "A": { "type": "object", "required": [1] } }),
        "/$defs/A/required",
        "not a list of names",
    );
    refuse(
        "required twice",
        json!({ "A": requiring(json!({}), json!(["x", "x"])) }),
        "/$defs/A/required",
        "listed twice",
    );
    refuse(
        "a bound that is no number",
        member(json!({ "type": "integer", "minimum": "0" })),
        "/$defs/A/properties/m/minimum",
        "\"0\"",
    );
    refuse(
        "a length that is no number",
        member(json!({ "type": "string", "maxLength": null })),
        "/$defs/A/properties/m/maxLength",
        "null",
    );
    refuse(
        "a count that is no number",
        member(json!({ "type": "array", "minItems": {} })),
        "/$defs/A/properties/m/minItems",
        "{}",
    );
    refuse(
        "additional members of a wrong kind",
        json!({ "A": { "type": "object", "additionalProperties": 5 } }),
        "/$defs/A/additionalProperties",
        "5 where a schema",
    );

    // References.
    refuse("unknown definition", member(reference("Missing")), "/$defs/A/properties/m/$ref", "\"#/$defs/Missing\"");
    refuse(
        "another file",
        member(json!({ "$ref": "other.json#/$defs/A" })),
        "/$defs/A/properties/m/$ref",
        "not a definition of this file",
    );
    refuse(
        "the web",
        member(json!({ "$ref": "https://example.com/evil.json" })),
        "/$defs/A/properties/m/$ref",
        "not a definition of this file",
    );
    refuse(
        "a path",
        member(json!({ "$ref": "../../etc/passwd" })),
        "/$defs/A/properties/m/$ref",
        "not a definition of this file",
    );
    refuse(
        "the other keyword",
        member(json!({ "$ref": "#/definitions/A" })),
        "/$defs/A/properties/m/$ref",
        "not a definition of this file",
    );
    refuse(
        "a place inside a definition",
        member(json!({ "$ref": "#/$defs/A/properties/m" })),
        "/$defs/A/properties/m/$ref",
        "not a definition of this file",
    );
    refuse(
        "a reference that is no string",
        member(json!({ "$ref": 1 })),
        "/$defs/A/properties/m/$ref",
        "1, which is not",
    );
    refuse(
        "a constraint beside a reference",
        json!({ "A": {}, "B": { "$ref": "#/$defs/A", "minLength": 1 } }),
        "/$defs/B/minLength",
        "`minLength` beside `$ref`",
    );
    refuse(
        "unknown definition in allOf",
        json!({ "A": { "allOf": [reference("B")] } }),
        "/$defs/A/allOf/0/$ref",
        "\"#/$defs/B\"",
    );

    // Circles and chains that no finite value or no finite code could follow.
    refuse("alias of itself", json!({ "A": reference("A") }), "/$defs/A", "spells itself out");
    refuse(
        "two aliases of each other",
        json!({ "A": reference("B"), "B": reference("A") }),
        "/$defs/A",
        "spells itself out",
    );
    refuse(
        "a list of itself",
        json!({ "A": { "type": "array", "items": reference("A") } }),
        "/$defs/A",
        "spells itself out",
    );
    refuse(
        "a map of itself",
        json!({ "A": { "type": "object", "additionalProperties": reference("A") } }),
        "/$defs/A",
        "spells itself out",
    );
    refuse(
        "null or itself",
        json!({ "A": { "anyOf": [reference("A"), { "type": "null" }] } }),
        "/$defs/A",
        "spells itself out",
    );
    refuse(
        "a union of itself",
        json!({ "A": { "anyOf": [reference("A"), { "type": "string" }] } }),
        "/$defs/A",
        "one of its own alternatives",
    );
    refuse(
        "two unions of each other",
        json!({ "A": { "anyOf": [reference("B"), { "type": "string" }] }, "B": { "anyOf": [reference("A"), { "type": "boolean" }] } }),
        "/$defs/A",
        "one of its own alternatives",
    );
    refuse(
        "an object that requires itself",
        json!({ "A": requiring(json!({ "m": reference("A") }), json!(["m"])) }),
        "/$defs/A",
        "requires itself",
    );
    refuse(
        "two objects that require each other",
        json!({ "A": requiring(json!({ "m": reference("B") }), json!(["m"])), "B": requiring(json!({ "m": reference("A") }), json!(["m"])) }),
        "/$defs/A",
        "requires itself",
    );
    refuse("allOf of itself", json!({ "A": including("A") }), "/$defs/A/allOf/0/allOf/0", "`A` includes itself");
    refuse(
        "allOf of each other",
        json!({ "A": including("B"), "B": including("A") }),
        "/$defs/A/allOf/0/allOf/0/allOf/0",
        "`B` includes itself",
    );
    refuse(
        "a member that copies its owner",
        member(including("A")),
        "/$defs/A/properties/m/properties/m/allOf",
        "`A` includes itself",
    );
    refuse("a chain of 10,000 references", levels(10_000, reference), "/$defs/T0", "a chain of more than 500");
    refuse(
        "a chain of 10,000 members",
        levels(10_000, |next| object(json!({ "m": reference(next) }))),
        "/$defs/T0",
        "a chain of more than 500",
    );
    refuse("a chain of 10,000 allOf", levels(10_000, including), "", "a chain of more than 500");
    refuse(
        "twice the next, 40 times",
        levels(40, |next| object(json!({ "l": reference(next), "r": reference(next) }))),
        "",
        "bytes of memory",
    );
    refuse(
        "twice the next, 80 times",
        levels(80, |next| requiring(json!({ "l": reference(next), "r": reference(next) }), json!(["l", "r"]))),
        "",
        "bytes of memory",
    );
    refuse(
        "copies of copies, 40 times",
        levels(40, |next| {
            object(
                json!({ "l": { "allOf": [reference(next), object(json!({ "x": true }))] }, "r": { "allOf": [reference(next), object(json!({ "y": true }))] } }),
            )
        }),
        "",
        "types inside definitions",
    );

    // Unions.
    refuse("no alternatives", json!({ "A": { "anyOf": [] } }), "/$defs/A/anyOf", "no alternative");
    refuse("alternatives in an object", json!({ "A": { "anyOf": {} } }), "/$defs/A/anyOf", "not a list");
    refuse(
        "a bare alternative",
        json!({ "A": { "anyOf": [{}, { "type": "string" }] } }),
        "/$defs/A/anyOf",
        "accepts any value",
    );
    refuse(
        "true as an alternative",
        json!({ "A": { "anyOf": [true, { "type": "string" }] } }),
        "/$defs/A/anyOf",
        "accepts any value",
    );
    refuse("false as an alternative", json!({ "A": { "anyOf": [false] } }), "/$defs/A/anyOf/0", "false where a schema");
    refuse(
        "any object beside an object",
        json!({ "A": { "anyOf": [{ "type": "object" }, object(json!({ "a": true }))] } }),
        "/$defs/A",
        "without declared members",
    );
    refuse(
        "a union of unions of objects",
        json!({ "A": { "anyOf": [{ "anyOf": [object(json!({ "a": true })), object(json!({ "b": true }))] }, object(json!({ "c": true }))] } }),
        "/$defs/A",
        "without declared members",
    );

    // Enums and constants.
    refuse("no values", json!({ "A": { "enum": [] } }), "/$defs/A/enum", "or none");
    refuse("values in an object", json!({ "A": { "enum": {} } }), "/$defs/A/enum", "not strings");
    refuse("numbers as values", json!({ "A": { "enum": [1, 2] } }), "/$defs/A/enum", "not strings");
    refuse("null among values", json!({ "A": { "enum": ["a", null] } }), "/$defs/A/enum", "not strings");
    refuse("strings as integers", json!({ "A": { "enum": ["a"], "type": "integer" } }), "/$defs/A/enum", "not strings");
    refuse("a value twice", json!({ "A": { "enum": ["a", "b", "a"] } }), "/$defs/A/enum", "listed twice");
    refuse("a constant definition", json!({ "A": { "const": 1 } }), "/$defs/A", "the constant 1 outside an object");
    refuse(
        "an array as a constant",
        member(json!({ "const": [] })),
        "/$defs/A/properties/m/const",
        "a list or an object",
    );
    refuse(
        "an object as a constant",
        member(json!({ "const": {} })),
        "/$defs/A/properties/m/const",
        "a list or an object",
    );
    refuse(
        "a fraction as a constant",
        member(json!({ "const": 0.5 })),
        "/$defs/A/properties/m/const",
        "the constant 0.5",
    );
    refuse(
        "too large a constant",
        member(json!({ "const": u64::MAX })),
        "/$defs/A/properties/m/const",
        "the constant 18446744073709551615",
    );
    refuse(
        "a constraint beside a constant",
        member(json!({ "const": "a", "not": {} })),
        "/$defs/A/properties/m/not",
        "`not` beside `const`",
    );
    let constants: Map<String, Value> = (0..70).map(|index| (format!("c{index}"), json!({ "const": index }))).collect();
    refuse("70 constants", json!({ "A": object(Value::Object(constants)) }), "/$defs/A", "more than 64 constants");

    // allOf whose branches cannot be merged.
    refuse("allOf in an object", json!({ "A": { "allOf": {} } }), "/$defs/A/allOf", "not a list");
    refuse("true in allOf", json!({ "A": { "allOf": [true] } }), "/$defs/A/allOf/0", "true where a schema");
    refuse(
        "two types at once",
        json!({ "A": { "allOf": [{ "type": "string" }, { "type": "object" }] } }),
        "/$defs/A/allOf/1/type",
        "both \"string\" and \"object\"",
    );
    refuse(
        "a closed branch",
        json!({ "A": { "allOf": [{ "type": "object", "additionalProperties": false }] } }),
        "/$defs/A/allOf/0/additionalProperties",
        "restricted members",
    );

    // Keywords that would change the meaning. Each stands where its kind of value is described.
    let keywords: [(&str, &str, Value); 28] = [
        ("object", "oneOf", json!([])),
        ("object", "not", json!({})),
        ("object", "if", json!({})),
        ("object", "then", json!({})),
        ("object", "else", json!({})),
        ("object", "patternProperties", json!({ ".*": {} })),
        ("object", "propertyNames", json!({})),
        ("object", "minProperties", json!(1)),
        ("object", "maxProperties", json!(1)),
        ("object", "dependentRequired", json!({})),
        ("object", "dependentSchemas", json!({})),
        ("object", "dependencies", json!({})),
        ("object", "unevaluatedProperties", json!(false)),
        ("object", "$anchor", json!("a")),
        ("object", "$dynamicRef", json!("#a")),
        ("object", "$dynamicAnchor", json!("a")),
        ("object", "$recursiveRef", json!("#")),
        ("object", "$defs", json!({})),
        ("object", "nullable", json!(true)),
        ("string", "pattern", json!("(a+)+$")),
        ("string", "contentEncoding", json!("base64")),
        ("array", "prefixItems", json!([])),
        ("array", "uniqueItems", json!(true)),
        ("array", "contains", json!({})),
        ("array", "additionalItems", json!(false)),
        ("number", "multipleOf", json!(2)),
        ("number", "exclusiveMinimum", json!(0)),
        ("integer", "exclusiveMaximum", json!(0)),
    ];
    for (kind, keyword, value) in keywords {
        let place: &'static str = format!("/$defs/A/{keyword}").leak();
        let found: &'static str = format!("the keyword `{keyword}` beside `type`").leak();
        refuse(keyword, json!({ "A": { "type": kind, keyword: value } }), place, found);
    }
    refuse("members without a type", json!({ "A": { "properties": {} } }), "/$defs/A/properties", "without a `type`");

    assert_eq!(cases.len(), 98);
    let file = folder("refused").join("schema.json");
    for (name, definitions, place, found) in &cases {
        // Where many places are equally to blame, which one is named is not promised; that one is named is.
        match place.is_empty() {
            false => assert_refused(name, &file, &schema(definitions.clone()), place, found),
            true => {
                let error = generate(&file, &schema(definitions.clone())).err();
                let error = error.unwrap_or_else(|| panic!("{name}: accepted"));
                assert!(error.pointer().is_some_and(|pointer| pointer.starts_with("/$defs/T")), "{name}: {error}");
                assert!(error.to_string().contains(found), "{name}: {error}");
            }
        }
    }
    // Schemas that would take an exponential time are among them: that the test ends is a claim of its own.
}

/// A schema that must give code, with documents that its types must read and write back: valid ones and others.
struct Accepted {
    claim: &'static str,
    definitions: Value,
    valid: Vec<(&'static str, Value)>,
    invalid: Vec<(&'static str, Value)>,
}

fn accept(claim: &'static str, definitions: Value) -> Accepted {
    Accepted { claim, definitions, valid: Vec::new(), invalid: Vec::new() }
}

impl Accepted {
    fn valid(mut self, definition: &'static str, document: Value) -> Self {
        self.valid.push((definition, document));
        self
    }

    fn invalid(mut self, definition: &'static str, document: Value) -> Self {
        self.invalid.push((definition, document));
        self
    }
}

/// What descriptions try. `pwned` in all of them is what must never become code.
fn descriptions() -> Vec<(&'static str, String)> {
    let long = "pwned ".repeat(20);
    vec![
        ("end of a comment", "*/ pub fn pwned() {} /*".to_owned()),
        ("quotes", "\" pub fn pwned() {} \"".to_owned()),
        ("backslashes", "\\\" \\\\ \\n pwned \\".to_owned()),
        ("end of an attribute", "\"] pub fn pwned() {} #[doc = \"".to_owned()),
        ("end of a raw string", "\"# pwned \"##".to_owned()),
        ("template expressions", "{{ pwned }} {% if pwned %} {# pwned #}".to_owned()),
        ("lines of code", "pwned\n\npub fn pwned() {}\n// pwned".to_owned()),
        ("carriage returns", "a\rpub fn pwned() {}\r\nb".to_owned()),
        ("control characters", "a\u{0}b\u{1b}[31mpwned\u{7}\u{8}\u{85}".to_owned()),
        ("line separators", "a\u{2028}pub fn pwned() {}\u{2029}b".to_owned()),
        ("reordering characters", "a\u{202e}denwp\u{202c}\u{2066}pwned\u{2069}\u{200f}".to_owned()),
        ("byte order mark", "\u{feff}pwned".to_owned()),
        ("unclosed fence", "```\nfn pwned() {".to_owned()),
        ("unclosed fence with a language", "```rust\nfn pwned() { loop {} }".to_owned()),
        ("a longer fence inside", "```\na\n````\n```\nfn pwned() { loop {} }\n```".to_owned()),
        ("tildes", "~~~\nfn pwned() { loop {} }\n~~~".to_owned()),
        ("tildes in a list", "- ~~~\n  fn pwned() { loop {} }".to_owned()),
        ("a fence that wrapping would make", format!("``` rust {long}\nfn pwned() {{ loop {{}} }} ```")),
        ("a fence in the middle", format!("{long} ``` rust {long} ``` {long}")),
        ("indented code", "a\n\n        fn pwned() { loop {} }".to_owned()),
        ("indented code by tabs", "\t\tfn pwned() { loop {} }".to_owned()),
        ("indented code in a list", "-      fn pwned() { loop {} }".to_owned()),
        ("indented code in a quotation", ">      fn pwned() { loop {} }".to_owned()),
        ("markup", "<script>pwned()</script><img onerror=pwned>".to_owned()),
        ("markup behind uneven code", "``<script>pwned</script>```b`".to_owned()),
        ("markup behind a link", "{@link Pwned}``<script>pwned</script>``".to_owned()),
        ("markup behind a label", "[`](https://a.b)`<script>pwned</script>`".to_owned()),
        ("a script as a link", "[pwned](javascript:alert(1)) [a]: javascript:pwned".to_owned()),
        ("unknown link", "{@link Pwned} {@link Pwned | a [b](c) `d}".to_owned()),
        ("unclosed link", "pwned {@link".to_owned()),
        ("unclosed link with a target", "pwned {@link Pwned".to_owned()),
        ("unclosed brackets", "[pwned [a][b] ](c) [`pwned".to_owned()),
        ("an item of the standard library", "[`std::process::exit`] pwned".to_owned()),
        ("only spaces", "   \n \n".to_owned()),
        ("headings", "# pwned\n\npwned\n===\n- \n1. ".to_owned()),
    ]
}

fn accepted() -> Vec<Accepted> {
    let mut all = Vec::new();

    let mut described = Map::new();
    let mut long = Map::new();
    for (index, (_, text)) in descriptions().into_iter().enumerate() {
        let member = json!({ "type": "string", "description": text });
        let kind = format!("k{index}");
        let object =
            json!({ "type": "object", "description": text, "properties": { "kind": { "const": kind }, "m": member } });
        described.insert(format!("Described{index}"), object);
        described.insert(format!("DescribedValue{index}"), json!({ "description": text, "enum": [text, "b"] }));
        described.insert(format!("DescribedAlias{index}"), json!({ "description": text, "type": "string" }));
    }
    let variants: Vec<Value> = (0..descriptions().len()).map(|index| reference(&format!("Described{index}"))).collect();
    described.insert("DescribedUnion".to_owned(), json!({ "anyOf": variants }));
    all.push(
        accept("no description becomes code", Value::Object(described))
            .valid("DescribedUnion", json!({ "kind": "k3", "m": "x" })),
    );

    long.insert("LongLine".to_owned(), json!({ "type": "string", "description": "x".repeat(100_000) }));
    long.insert("LongWords".to_owned(), json!({ "type": "string", "description": "word ".repeat(20_000) }));
    all.push(accept("a line of 100,000 characters is a line", Value::Object(long)).valid("LongLine", json!("a")));

    let long_name = "N".repeat(10_000);
    let names = [
        "../x",
        "self",
        "Self",
        "1abc",
        "Option",
        "Result",
        "Error",
        "String",
        "",
        "CaseOnly",
        "caseonly",
        "CASEONLY",
        "🦀",
        "a/b~c",
        "Vec",
        "Box",
        "Some",
        "Value",
        "Extra",
        "Violation",
        "Rule",
        "DecodeError",
        "PartialOrd",
        "Eq",
        "Hash",
        "Wire",
        "Entry",
        "TYPES",
        "REVISION",
        "fn",
        "std",
        "core",
        "crate",
        "common",
        "registry",
        "serde",
        "Type1abc",
        "pwned(); fn x",
        "a\nb",
        "a\"b",
        "`<script>`",
        "\u{202e}rtl",
    ];
    let mut named: Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), requiring(json!({ "n": { "type": "string" } }), json!(["n"]))))
        .collect();
    named.insert(long_name, json!({ "type": "string" }));
    let uses: Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), reference(&name.replace('~', "~0").replace('/', "~1")))).collect();
    named.insert("UsesAllNames".to_owned(), object(Value::Object(uses)));
    let whole: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), json!({ "n": "x" }))).collect();
    all.push(
        accept("any name of a definition gives a type", Value::Object(named))
            .valid("", json!({ "n": "x" }))
            .valid("a/b~c", json!({ "n": "x" }))
            .valid("CASEONLY", json!({ "n": "x", "other": null }))
            .invalid("UsesAllNames", json!({ "Option": 1 }))
            .valid("UsesAllNames", Value::Object(whole)),
    );

    let members = [
        "type",
        "Type",
        "self",
        "Self",
        "crate",
        "extra",
        "members",
        "index",
        "record",
        "checker",
        "",
        "1",
        "foo-bar",
        "foo_bar",
        "fooBar",
        "quote\"",
        "new\nline",
        "r#type",
        "value",
        "wire",
        "name",
        "item",
        "serializer",
        "deserializer",
        "new",
        "check",
        "with_type",
        "type_2",
        "async",
        "🦀",
        "\u{202e}",
        "`<script>`",
        "nul\u{0}nul",
        "a/b~c",
        "_",
        "__",
        "Ok",
        "None",
    ];
    // A type with a check of its own makes the most code of each member.
    for (name, kind) in [
        ("Strings", json!({ "type": "string", "format": "uri" })),
        ("Lists", json!({ "type": "array", "items": { "type": "string", "minLength": 1 }, "minItems": 1 })),
        ("Objects", object(json!({ "in": { "type": "integer", "minimum": 0 } }))),
    ] {
        let properties: Map<String, Value> =
            members.iter().map(|member| ((*member).to_owned(), kind.clone())).collect();
        let required = requiring(Value::Object(properties.clone()), json!(members.as_slice()));
        all.push(accept("any name of a member gives a field", json!({ format!("Optional{name}"): object(Value::Object(properties)), format!("Required{name}"): required })));
    }
    let full =
        |value: Value| Value::Object(members.iter().map(|member| ((*member).to_owned(), value.clone())).collect());
    all.push(
        accept(
            "members keep their names on the wire",
            json!({ "Wire2": object(full(json!({ "type": "integer", "maximum": 9 }))) }),
        )
        .valid("Wire2", full(json!(3)))
        .valid("Wire2", json!({ "foo-bar": 1, "foo_bar": 2, "fooBar": 3, "none of these": 4 }))
        .invalid("Wire2", full(json!(10)))
        .invalid("Wire2", full(json!("x"))),
    );

    let many: Map<String, Value> = (0..300).map(|index| (format!("m{index}"), json!({ "type": "string" }))).collect();
    let constants: Map<String, Value> =
        (0..64).map(|index| (format!("c{index}"), json!({ "const": format!("{index}") }))).collect();
    let written: Map<String, Value> = (0..64).map(|index| (format!("c{index}"), json!(format!("{index}")))).collect();
    all.push(
        accept(
            "300 members and 64 constants fit into an object",
            json!({ "Many": object(Value::Object(many)), "Constants": object(Value::Object(constants)) }),
        )
        .valid("Many", json!({ "m299": "x", "m300": 1 }))
        .valid("Constants", Value::Object(written))
        .invalid("Constants", json!({ "c63": "0" })),
    );

    all.push(
        accept("enum values of any text keep it", json!({ "Values": { "enum": ["", "\"", "\\", "Unknown", "unknown", "Self", "a b", "a-b", "a_b", "🦀", "\u{202e}", "new\nline", "1", "`<script>`", "pwned\"); fn x() {"] } }))
            .valid("Values", json!(""))
            .valid("Values", json!("Unknown"))
            .valid("Values", json!("a_b"))
            .valid("Values", json!("new\nline"))
            .invalid("Values", json!("none of these")),
    );
    all.push(
        accept("a constant may be any scalar", json!({ "Scalars": requiring(json!({ "s": { "const": "\"#" }, "i": { "const": i64::MIN }, "t": { "const": true }, "f": { "const": false }, "n": { "const": null }, "z": { "const": 0 } }), json!(["s", "i", "t", "f", "n"])), "OnlyString": { "const": "only" } }))
            .valid("Scalars", json!({ "s": "\"#", "i": i64::MIN, "t": true, "f": false, "n": null }))
            .invalid("Scalars", json!({ "s": "\"#", "i": i64::MIN, "t": true, "f": false }))
            .invalid("Scalars", json!({ "s": "\"", "i": 0, "t": 1, "f": null, "n": false }))
            .valid("OnlyString", json!("only"))
            .invalid("OnlyString", json!("other")),
    );

    all.push(
        accept("an object may hold itself where it may be absent", json!({
            "Node": object(json!({ "next": reference("Node"), "label": { "type": "string" } })),
            "ViaAlias": object(json!({ "next": reference("ViaAliasName") })), "ViaAliasName": reference("ViaAlias"),
            "ViaNull": requiring(json!({ "next": reference("ViaNullName") }), json!(["next"])), "ViaNullName": { "anyOf": [reference("ViaNull"), { "type": "null" }] },
            "InlineNull": requiring(json!({ "next": { "anyOf": [reference("InlineNull"), { "type": "null" }] } }), json!(["next"])),
            "ViaList": requiring(json!({ "children": { "type": "array", "items": reference("ViaList") } }), json!(["children"])),
            "ViaMap": requiring(json!({ "children": { "type": "object", "additionalProperties": reference("ViaMap") } }), json!(["children"])),
            "ViaUnion": requiring(json!({ "child": { "anyOf": [reference("ViaUnion"), { "type": "string" }] } }), json!(["child"])),
            "ViaOther": object(json!({ "other": reference("Other") })), "Other": object(json!({ "back": reference("ViaOther"), "pair": { "type": "array", "items": reference("Other") } })),
        }))
        .valid("Node", json!({ "next": { "next": { "label": "x" } } }))
        .valid("ViaAlias", json!({ "next": { "next": {} } }))
        .valid("ViaNull", json!({ "next": { "next": null } }))
        .invalid("ViaNull", json!({ "next": { "next": 1 } }))
        .valid("InlineNull", json!({ "next": { "next": null } }))
        .valid("ViaList", json!({ "children": [{ "children": [] }] }))
        .valid("ViaMap", json!({ "children": { "a": { "children": {} } } }))
        .valid("ViaUnion", json!({ "child": { "child": "leaf" } }))
        .invalid("ViaUnion", json!({ "child": { "child": 1 } }))
        .valid("ViaOther", json!({ "other": { "back": { "other": {} }, "pair": [{}] } })),
    );

    all.push(
        accept("alternatives may overlap, repeat and nest", json!({
            "Text": { "type": "string" }, "Words": { "type": "array", "items": { "type": "string" } }, "TextAgain": reference("Text"),
            "SameTwice": { "anyOf": [reference("Text"), { "type": "string" }, reference("TextAgain")] },
            "Numbers": { "type": ["integer", "number"] },
            "StringTwice": { "type": ["string", "string"] },
            "ListsTwice": { "anyOf": [reference("Words"), { "type": "array", "items": { "type": "string" } }, { "type": "array", "items": { "type": "integer" } }] },
            "One": { "anyOf": [{ "type": "string" }] },
            "Nested": { "anyOf": [{ "anyOf": [{ "type": "string" }, { "type": "boolean" }] }, { "type": "integer" }] },
            "Alike": { "anyOf": [requiring(json!({ "a": { "type": "string" } }), json!(["a"])), requiring(json!({ "a": { "type": "integer" } }), json!(["a"]))] },
            "Everything": { "type": ["string", "integer", "boolean", "array", "object", "null"] },
            "ObjectTwice": { "anyOf": [reference("Alpha"), reference("AlphaAgain")] }, "Alpha": requiring(json!({ "a": { "type": "string" } }), json!(["a"])), "AlphaAgain": reference("Alpha"),
            "Quoted": { "anyOf": [object(json!({ "type": { "const": "\"" }, "a\"b": true })), object(json!({ "type": { "const": "\\" } }))] },
        }))
        .valid("SameTwice", json!("x"))
        .invalid("SameTwice", json!(1))
        .valid("Numbers", json!(1))
        .valid("Numbers", json!(1.5))
        .valid("StringTwice", json!("x"))
        .valid("ListsTwice", json!(["x"]))
        .valid("ListsTwice", json!([1]))
        .valid("ListsTwice", json!([]))
        .valid("One", json!("x"))
        .invalid("One", json!(null))
        .valid("Nested", json!(true))
        .valid("Nested", json!(1))
        .invalid("Nested", json!([]))
        .valid("Alike", json!({ "a": "x" }))
        .valid("Alike", json!({ "a": 1 }))
        .invalid("Alike", json!({ "a": null }))
        .valid("Everything", json!(null))
        .valid("Everything", json!({ "a": [] }))
        .invalid("Everything", json!(0.5))
        .valid("ObjectTwice", json!({ "a": "x", "b": 1 }))
        .valid("Quoted", json!({ "type": "\\" }))
        .invalid("Quoted", json!({ "type": "?" })),
    );

    all.push(
        accept("null is kept apart from absence", json!({
            "NullableText": { "type": ["string", "null"] },
            "NullableObject": { "type": ["object", "null"], "properties": { "a": { "type": "string" } } },
            "Nulls": requiring(json!({ "a": reference("NullableText"), "b": { "type": ["integer", "null"], "minimum": 0 }, "c": reference("NullableObject"), "d": { "type": "array", "items": { "type": ["string", "null"] } } }), json!(["a"])),
        }))
        .valid("Nulls", json!({ "a": null }))
        .valid("Nulls", json!({ "a": "x", "b": null, "c": null, "d": ["x", null] }))
        .invalid("Nulls", json!({ "a": null, "b": -1 }))
        .valid("NullableText", json!(null))
        .valid("NullableObject", json!({ "a": "x" })),
    );

    all.push(
        accept("constraints are checked, also absurd ones", json!({
            "Closed": { "type": "object", "properties": { "a": true }, "additionalProperties": false },
            "ClosedEmpty": { "type": "object", "additionalProperties": false },
            "Typed": { "type": "object", "properties": { "a": true }, "additionalProperties": { "type": "integer" } },
            "Undeclared": requiring(json!({}), json!(["x", "extra"])),
            "Bounds": object(json!({
                "length": { "type": "string", "minLength": 2, "maxLength": 3 }, "huge": { "type": "string", "minLength": 1e300 }, "any": { "type": "string", "maxLength": 1e300 },
                "negative": { "type": "array", "minItems": -5, "maxItems": 18446744073709551615u64 }, "fraction": { "type": "array", "maxItems": 1.5 },
                "range": { "type": "number", "minimum": -1e300, "maximum": 1e-300 }, "empty": { "type": "integer", "minimum": 5, "maximum": 1 },
            })),
            "Anything": true, "AnythingToo": {}, "AnyObject": { "type": "object" }, "AnyList": { "type": "array" },
            "Merged": { "description": "pwned", "allOf": [reference("Typed2"), { "type": "object", "properties": { "b": { "type": "string" } }, "required": ["b"] }] }, "Typed2": object(json!({ "a": { "type": "integer" } })),
        }))
        .valid("Closed", json!({ "a": 1 }))
        .invalid("Closed", json!({ "b": 1 }))
        .invalid("ClosedEmpty", json!({ "b": 1 }))
        .valid("Typed", json!({ "a": "x", "b": 1 }))
        .invalid("Typed", json!({ "b": "x" }))
        .valid("Undeclared", json!({ "x": null, "extra": {} }))
        .invalid("Undeclared", json!({ "x": null }))
        .valid("Bounds", json!({ "length": "äöü", "any": "x", "negative": [], "fraction": [1], "range": 0 }))
        .invalid("Bounds", json!({ "length": "x" }))
        .invalid("Bounds", json!({ "huge": "x" }))
        .invalid("Bounds", json!({ "fraction": [1, 2] }))
        .invalid("Bounds", json!({ "empty": 3 }))
        .valid("Anything", json!({ "a": null }))
        .valid("AnyList", json!([1, "x"]))
        .valid("Merged", json!({ "a": 1, "b": "x" }))
        .invalid("Merged", json!({ "a": 1 })),
    );

    // The facts of the newest revision speak of these names, yet here they mean something else.
    all.push(
        accept("facts about a name do not apply to something else of that name", json!({
            "ResultType": object(json!({ "a": { "type": "integer" } })), "StopReason": { "type": "integer" }, "LoggingLevel": { "enum": ["debug"] },
            "CreateMessageResult": requiring(json!({ "stopReason": { "type": "string" }, "resultType": reference("ResultType") }), json!(["stopReason", "resultType"])),
            "InputRequiredResult": requiring(json!({ "resultType": { "type": "integer" } }), json!(["resultType"])),
            "JSONValue": { "type": "boolean" }, "RequestId": { "type": "boolean" }, "ProgressToken": object(json!({ "a": { "type": "string" } })),
            "Task": object(json!({ "ttl": { "type": "integer" } })),
        }))
        .valid("ResultType", json!({ "a": 1 }))
        .valid("CreateMessageResult", json!({ "stopReason": "any", "resultType": { "a": 1 } }))
        .valid("InputRequiredResult", json!({ "resultType": 7 }))
        .valid("RequestId", json!(true))
        .valid("ProgressToken", json!({ "a": "x" })),
    );

    // Nearly as deep as the reader of JSON goes, which is 127 levels: each object takes two.
    let mut deep = json!({ "type": "string" });
    let mut document = json!("x");
    for _ in 0..30 {
        deep = json!({ "type": "array", "items": deep });
        document = json!([document]);
    }
    all.push(
        accept("lists may be nested", json!({ "Deep": deep })).valid("Deep", document.clone()).valid("Deep", json!([])),
    );
    let mut deep = json!({ "type": "string" });
    for _ in 0..60 {
        deep = object(json!({ "m": deep }));
    }
    all.push(
        accept("objects may be nested 120 levels deep", json!({ "DeepObject": deep }))
            .valid("DeepObject", json!({ "m": { "m": {} } })),
    );
    let chain = levels(499, reference);
    all.push(accept("499 references may follow each other", chain).valid("T0", json!({ "end": "x" })));
    all
}

#[test]
fn every_other_schema_gives_code_that_says_nothing_of_its_own() {
    let cases = accepted();
    assert_eq!(cases.len(), 18);
    let file = folder("accepted").join("schema.json");
    for case in &cases {
        let (model, files) = generate(&file, &schema(case.definitions.clone()))
            .unwrap_or_else(|error| panic!("{}: {error}", case.claim));
        let definitions = case.definitions.as_object().expect("definitions");
        let typed: BTreeSet<&String> = model.types.values().filter_map(|ty| ty.definition.as_ref()).collect();
        assert_eq!(typed, definitions.keys().collect(), "{}", case.claim);
        assert_no_injection(case.claim, &files);
        // Definitions in another order give the same code: only the hash of the file differs.
        let turned: Map<String, Value> =
            definitions.iter().rev().map(|(name, value)| (name.clone(), value.clone())).collect();
        let (mut again, _) =
            generate(&file, &schema(Value::Object(turned))).unwrap_or_else(|error| panic!("{}: {error}", case.claim));
        again.provenance = model.provenance.clone();
        assert_eq!(again, model, "{}", case.claim);
    }
}

/// What a schema wrote stands in comments and string literals only.
fn assert_no_injection(claim: &str, files: &Files) {
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".rs")) {
        for line in text.lines() {
            let code = line.trim_start();
            if code.starts_with("//") {
                assert!(!code.contains("<script>") || is_escaped(code), "{claim}: {path}: {line}");
                continue;
            }
            let outside = outside_literals(code);
            for word in outside.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
                let foreign = ["pwned", "process", "unsafe", "macro_rules", "include", "extern"].contains(&word);
                assert!(!foreign, "{claim}: {path}: `{word}` is code: {line}");
            }
            assert!(!line.contains(['\u{0}', '\u{202e}', '\u{2028}', '\r']), "{claim}: {path}: {line:?}");
        }
        // Code in comments is text: rustdoc would compile and run anything else.
        let mut open = false;
        for line in text.lines().map(str::trim_start) {
            let comment = line.strip_prefix("///").map(|line| line.strip_prefix(' ').unwrap_or(line));
            let Some(comment) = comment else {
                assert!(!open, "{claim}: {path}: a fence is left open before {line}");
                continue;
            };
            match comment.trim_start().starts_with("```") {
                true if open => open = false,
                true => {
                    assert!(comment.trim_start_matches('`') == "text", "{claim}: {path}: {line}");
                    open = true;
                }
                false => assert!(open || !comment.starts_with("   "), "{claim}: {path}: {line:?} would be code"),
            }
            // Behind the marks of lists and quotations, a fence and an indentation count as well.
            let marks = |c: char| matches!(c, '-' | '*' | '+' | '>' | '.') || c.is_ascii_digit();
            let marked = comment.trim_start_matches(|c| c == ' ' || marks(c));
            assert!(open || !marked.starts_with("~~~"), "{claim}: {path}: {line}");
            let indented = comment.trim_start_matches(marks).starts_with("     ");
            assert!(open || !indented, "{claim}: {path}: {line:?} would be code");
        }
    }
}

/// A line of code without what stands in its string literals.
fn outside_literals(code: &str) -> String {
    let (mut outside, mut rest) = (String::new(), code);
    while let Some((before, inside)) = rest.split_once('"') {
        outside.push_str(before);
        let hashes = before.len() - before.trim_end_matches('#').len();
        let is_raw = before[..before.len() - hashes].ends_with('r');
        let end = if is_raw {
            let fence = format!("\"{}", "#".repeat(hashes));
            inside.find(&fence).map(|end| end + fence.len())
        } else {
            let is_escaped =
                |end: &usize| inside[..*end].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
            inside.match_indices('"').map(|(end, _)| end).find(|end| !is_escaped(end)).map(|end| end + 1)
        };
        rest = &inside[end.unwrap_or(inside.len())..];
    }
    outside + rest
}

/// Whether markup is escaped, or stands between as many backticks as there are on its left.
fn is_escaped(comment: &str) -> bool {
    let mut rest = comment;
    let mut code: Option<usize> = None;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let run = rest.len() - rest.trim_start_matches('`').len();
        if run > 0 {
            match code {
                Some(open) if open == run => code = None,
                None if before != '\\' && has_run(&rest[run..], run) => code = Some(run),
                _ => {}
            }
            rest = &rest[run..];
            before = '`';
            continue;
        }
        if rest.starts_with("<script>") && code.is_none() && before != '\\' {
            return false;
        }
        rest = &rest[c.len_utf8()..];
        before = c;
    }
    true
}

fn has_run(text: &str, length: usize) -> bool {
    text.split(|c| c != '`').any(|run| run.len() == length)
}

#[test]
fn an_absurdly_long_description_is_read_in_good_time() {
    // Each of these would take hours if every opening mark were followed to the end of the text.
    let marks = [
        "x", "word ", "{@link ", "{@link A", "[", "[a](", "`a ``b ", "- ", "https://", "<", "\n", "- ```\n", "```\n",
        "\\",
    ];
    assert_eq!(marks.len(), 14);
    let file = folder("long").join("schema.json");
    for mark in marks {
        let text = mark.repeat(2_000_000 / mark.len());
        let definitions = json!({ "A": object(json!({ "m": { "type": "string", "description": text } })) });
        let (model, files) = generate(&file, &schema(definitions)).unwrap_or_else(|error| panic!("{mark:?}: {error}"));
        assert_eq!(model.types.len(), 1);
        assert!(files.contains_key("src/common.rs"));
    }
    let definitions = json!({ "A": { "type": "string", "description": "x ".repeat(10_000_000) } });
    let (_, files) = generate(&file, &schema(definitions)).expect("20 MB of text");
    assert!(files["src/common.rs"].len() > 20_000_000);
}

#[test]
fn the_form_of_the_file_does_not_matter() {
    let text = "{\n  \"$defs\": {\n    \"A\": { \"type\": \"object\", \"properties\": { \"m\": { \"type\": \"string\" } } }\n  }\n}\n";
    let forms = [
        ("as it is", text.to_owned()),
        ("byte order mark", format!("\u{feff}{text}")),
        ("CRLF", text.replace('\n', "\r\n")),
        ("draft-07", text.replace("$defs", "definitions")),
        ("compact", text.split_whitespace().collect()),
        ("a member twice", text.replace("{\n  \"$defs\"", "{\n  \"$defs\": {}, \"$defs\"")),
    ];
    assert_eq!(forms.len(), 6);
    let file = folder("forms").join("schema.json");
    let (_, expected) = generate(&file, text.as_bytes()).expect("a plain schema");
    for (name, text) in &forms {
        let (_, files) = generate(&file, text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(files["src/common.rs"], expected["src/common.rs"], "{name}");
    }
    let (model, files) = generate(&file, &schema(json!({}))).expect("a schema without any types");
    assert_eq!((model.definitions, model.types.len()), (0, 0));
    assert!(files.contains_key("src/lib.rs"));
}

/// Compiles one crate from everything that is accepted, under a file name that is hostile as well, and lets its types
/// read and write documents. Warnings are errors.
#[test]
fn the_code_compiles_without_a_warning_and_keeps_every_document() {
    let folder = folder("compiled");
    let mut definitions = json!({ "Empty": {} });
    let mut documents = Vec::new();
    for case in accepted() {
        for (name, definition) in case.definitions.as_object().expect("definitions") {
            let known = definitions.as_object_mut().expect("definitions").insert(name.clone(), definition.clone());
            assert!(known.is_none(), "{name} is defined by two cases");
        }
        documents.extend(case.valid.into_iter().map(|(definition, document)| (definition, document, true)));
        documents.extend(case.invalid.into_iter().map(|(definition, document)| (definition, document, false)));
    }
    assert_eq!(documents.len(), 86);
    let file = folder.join("a\"b\\c`--><script>\n\u{202e}${x}.json");
    let bytes = schema(definitions);
    let (model, files) = generate(&file, &bytes).expect("all that is accepted, at once");
    assert_no_injection("all", &files);
    for (path, text) in &files {
        if path != "model.json" {
            assert!(!text.contains("--><") && !text.contains("\u{202e}"), "{path}");
        }
        let path = folder.join("hostile").join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a generated file");
    }
    assert_eq!(files["src/registry.rs"].matches("Entry::new").count(), model.definitions);

    let lines: Vec<String> =
        documents.iter().map(|(definition, document, _)| json!([definition, document]).to_string()).collect();
    let probe = folder.join("probe");
    std::fs::create_dir_all(probe.join("src")).expect("a folder");
    std::fs::write(probe.join("Cargo.toml"), PROBE_MANIFEST).expect("a manifest");
    std::fs::write(probe.join("src/main.rs"), PROBE).expect("a program");
    std::fs::write(probe.join("documents"), lines.join("\n")).expect("documents");
    // The versions that the project itself uses are there without a network.
    std::fs::copy(root().join("Cargo.lock"), probe.join("Cargo.lock")).expect("a lock file");
    let output = Command::new(env!("CARGO"))
        .args(["run", "-q", "--offline", "--", "documents"])
        .current_dir(&probe)
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile-target"))
        .env("RUSTFLAGS", "-D warnings -C debuginfo=0")
        .output()
        .expect("cargo");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(errors, "", "warnings");

    let answers: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("an answer"))
        .collect();
    assert_eq!(answers.len(), documents.len());
    let places = Places::new(&load::bytes(&file, "hostile", &bytes).expect("a schema"));
    for ((definition, document, valid), answer) in documents.iter().zip(&answers) {
        // A document that cannot be read at all is invalid as well.
        let Some(text) = answer["text"].as_str() else {
            assert!(!valid, "{definition}: {document} was refused: {answer}");
            continue;
        };
        assert_eq!(difference(&document.to_string(), text, places.definition(definition)), None, "{definition}");
        assert_eq!(answer["violations"] == json!([]), *valid, "{definition}: {document}: {answer}");
    }
}

const PROBE_MANIFEST: &str = r#"[package]
name = "probe"
version = "0.0.0"
edition = "2024"

[dependencies]
hostile = { path = "../hostile", features = ["registry"] }
serde_json = "1"

[workspace]
"#;

/// Reads `[definition, document]` lines and says what became of each document.
const PROBE: &str = r#"
use serde_json::{Value, json};

fn main() {
    let documents = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    for line in documents.lines() {
        let [definition, document]: [Value; 2] = serde_json::from_str(line).unwrap();
        let entry = hostile::registry::TYPES.iter().find(|entry| definition == entry.name).unwrap();
        let answer = match entry.read(&document.to_string()) {
            Ok(probe) => {
                let violations: Vec<String> = probe.violations.iter().map(ToString::to_string).collect();
                json!({ "text": probe.text, "violations": violations })
            }
            Err(error) => json!({ "error": error.to_string() }),
        };
        println!("{answer}");
    }
}
"#;
