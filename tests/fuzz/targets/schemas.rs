//! Arbitrary bytes as a schema: refused with a place and a next step, or turned into Rust that parses.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mcp_wire_codegen::load::{self, Sources};
use mcp_wire_codegen::{Core, Packaging, VERSION, crate_of, model_of};

static SOURCES: LazyLock<Sources> = LazyLock::new(|| load::sources(folder()).expect("the schema folder"));

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../schema"))
}

fuzz_target!(|data: &[u8]| {
    let Ok(schema) = load::bytes(Path::new("fuzz.json"), "fuzz", data) else { return };
    let core = Core { version: VERSION.to_owned(), path: None };
    let packaging = Packaging { package: "fuzz".to_owned(), core: Some(core) };
    if let Ok(model) = model_of(folder(), &SOURCES, schema) {
        // An internal error is a defect of the generator: what it writes must be Rust.
        if let Err(error) = crate_of(&model, &packaging) {
            panic!("{error}");
        }
    }
});
