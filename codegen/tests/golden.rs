//! What the generator makes of small schemas. Open `golden/<case>`: `schema.json` goes in, `expected.rs` comes out.
//!
//! The files are compared, those of types are compiled here, and a document goes through them. After a change of the
//! generator that is meant, `UPDATE_EXPECT=1 cargo test -p mcp-wire-codegen --test golden` writes the files anew.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]
#![allow(missing_docs, unreachable_pub, reason = "generated types are modules here")]

use std::path::{Path, PathBuf};

use mcp_wire_codegen::{Packaging, crate_of, load, model_as_written};
use mcp_wire_core::__private::Wire;
use mcp_wire_core::{check, from_str, to_string};

// Types are compiled as they were generated.
#[rustfmt::skip]
#[path = "golden/lists_and_maps/expected.rs"]
mod lists_and_maps;
#[rustfmt::skip]
#[path = "golden/object/expected.rs"]
mod object;
#[rustfmt::skip]
#[path = "golden/strings/expected.rs"]
mod strings;
#[rustfmt::skip]
#[path = "golden/tagged_union/expected.rs"]
mod tagged_union;
#[rustfmt::skip]
#[path = "golden/union_by_members/expected.rs"]
mod union_by_members;

/// Each case: the file of the generated crate that it shows.
const CASES: [(&str, &str); 6] = [
    ("object", "src/common.rs"),
    ("tagged_union", "src/common.rs"),
    ("union_by_members", "src/common.rs"),
    ("strings", "src/common.rs"),
    ("lists_and_maps", "src/common.rs"),
    ("method", "src/dispatch.rs"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn generated(case: &str, file: &str) -> String {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
    let sources = load::sources(&schemas).expect("the schema folder");
    let latest = sources.revisions.last().expect("a revision").name.clone();
    let text = std::fs::read(folder().join(case).join("schema.json")).expect("a schema");
    let schema = load::bytes(Path::new("schema.json"), &latest, &text).expect("a schema");
    let model = model_as_written(&schemas, &sources, schema, &latest).expect("a model");
    let packaging = Packaging { package: format!("golden-{case}"), core: None };
    crate_of(&model, &packaging).expect("a crate").remove(file).expect("the file")
}

#[test]
fn a_schema_becomes_the_expected_file() {
    let is_meant = std::env::var_os("UPDATE_EXPECT").is_some();
    for (case, file) in CASES {
        let (path, generated) = (folder().join(case).join("expected.rs"), generated(case, file));
        if is_meant {
            std::fs::write(&path, &generated).expect("the expected file");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(generated, expected, "{case}: UPDATE_EXPECT=1 writes {} anew", path.display());
    }
    let cases = std::fs::read_dir(folder()).expect("a folder").count();
    assert_eq!(cases, CASES.len(), "every folder is a case");
}

/// Reads a document, asserts that it comes back and what `check()` says of it.
fn passes<T: Wire>(document: &str, problems: &[&str]) {
    let value: T = from_str(document).unwrap_or_else(|error| panic!("{error}: {document}"));
    assert_eq!(to_string(&value), document);
    let found: Vec<String> = check(&value).iter().map(|violation| violation.pointer.to_string()).collect();
    assert_eq!(found, problems, "{document}");
}

#[test]
fn what_is_generated_reads_writes_and_checks() {
    passes::<object::Paint>(r#"{"name":"moss","kind":"paint","litres":2.50,"maker":{"name":"m"},"x":1}"#, &[]);
    passes::<object::Paint>(r#"{"name":"moss","kind":"paint","litres":26}"#, &["/litres"]);
    passes::<tagged_union::Figure>(r#"{"radius":1,"shape":"circle"}"#, &[]);
    passes::<tagged_union::Figure>(r#"{"shape":"star"}"#, &[""]);
    passes::<union_by_members::Place>(r#"{"number":7}"#, &[]);
    passes::<union_by_members::Place>("\"corner\"", &[]);
    passes::<strings::Label>(r#"{"text":"a","finish":"matt","picture":"aGk="}"#, &[]);
    passes::<strings::Label>(r#"{"text":"","finish":"wet"}"#, &["/text", "/finish"]);
    passes::<lists_and_maps::Palette>(r#"{"colours":[{"name":"red"}],"byRoom":{"hall":{"name":"red"}}}"#, &[]);
    passes::<lists_and_maps::Palette>(r#"{"colours":[],"tags":["a",1]}"#, &["/colours", "/tags/1"]);
    assert_eq!(object::Paint::new("moss", 2).with_is_glossy(true).litres.as_f64(), 2.0);
}
