//! Random sessions made from the model: whatever the official schema accepts is read, and what is read comes back.
//!
//! `MCP_WIRE_DOCUMENTS` sets the number of messages per revision, `MCP_WIRE_SEED` a seed to repeat.

mod common;

use std::fmt::Write as _;
use std::fs;

use arbitrary::Unstructured;
use common::{folder, run, task};
use mcp_wire::Revision;
use mcp_wire_codegen::model::{self, Content, MethodKind, Role, Shape};
use mcp_wire_tests::documents::Documents;
use mcp_wire_tests::mutants::Random;
use mcp_wire_tests::{model, number, seeds};
use mcp_wire_verify::{Outcome, Task};
use serde_json::json;

/// The definitions of messages and of envelopes.
fn messages(model: &model::Revision) -> Vec<String> {
    let has_method = |shape: &Shape| match shape {
        Shape::Struct(object) => object
            .members
            .iter()
            .any(|member| member.wire == "method" && matches!(member.content, Content::Constant(_))),
        _ => false,
    };
    let types = model.types.values();
    let definitions = types.filter_map(|ty| Some((ty.definition.clone()?, has_method(&ty.shape))));
    definitions.filter(|(name, is_message)| *is_message || name.starts_with("JSONRPC")).map(|(name, _)| name).collect()
}

fn session(revision: &Revision, seed: u64, wanted: u64) -> String {
    let model = model(revision.as_str());
    let documents = Documents::new(&model);
    let definitions = messages(&model);
    assert!(definitions.len() > 20, "{definitions:?}");
    let asked: Vec<(&model::Method, &str)> = model
        .methods
        .iter()
        .filter(|method| method.kind == MethodKind::Request)
        .filter_map(|method| Some((method, method.result.as_deref()?)))
        .collect();
    let mut random = Random::new(seed);
    let mut buffer = vec![0; 2048];
    let mut text = String::new();
    for index in 0..wanted {
        buffer.iter_mut().for_each(|byte| *byte = random.next() as u8);
        let mut bytes = Unstructured::new(&buffer);
        let near = index.is_multiple_of(3);
        let mut make = |definition: &str| {
            let made =
                if near { documents.near(definition, &mut bytes) } else { documents.document(definition, &mut bytes) };
            made.expect("enough bytes")
        };
        let mut dir = if random.next().is_multiple_of(2) { "c2s" } else { "s2c" };
        let message = if random.next().is_multiple_of(4) {
            // A result of a method that was asked on the line before, by one who may ask it.
            let (method, result) = asked[random.next() as usize % asked.len()];
            let asker = method.senders[random.next() as usize % method.senders.len()];
            let (ask, answer) = if asker == Role::Client { ("c2s", "s2c") } else { ("s2c", "c2s") };
            let mut request =
                documents.document(&method.message, &mut Unstructured::new(&buffer)).expect("enough bytes");
            request["jsonrpc"] = json!("2.0");
            request["id"] = json!(index);
            let _ = writeln!(text, "{}", json!({ "dir": ask, "msg": request }));
            dir = answer;
            json!({ "jsonrpc": "2.0", "id": index, "result": make(result) })
        } else {
            let mut message = make(&definitions[random.next() as usize % definitions.len()]);
            // Up to 2025-06-18 the definitions of messages leave the envelope to others.
            if let Some(members) = message.as_object_mut().filter(|members| members.contains_key("method")) {
                members.entry("jsonrpc").or_insert_with(|| json!("2.0"));
                if random.next().is_multiple_of(2) {
                    members.entry("id").or_insert_with(|| json!(index));
                }
            }
            message
        };
        let _ = writeln!(text, "{}", json!({ "dir": dir, "msg": message }));
    }
    text
}

#[test]
fn what_the_schema_accepts_is_read_and_comes_back() {
    let wanted = number("MCP_WIRE_DOCUMENTS").unwrap_or(3000);
    let seeds = seeds();
    let place = folder("random");
    for revision in Revision::ALL {
        for seed in &seeds {
            let path = place.join(format!("{revision}-{seed}.jsonl"));
            fs::write(&path, session(revision, *seed, wanted / seeds.len() as u64)).expect("a file");
            let task = Task { revision: Some(revision.to_string()), traffic: vec![path.clone()], ..task() };
            let (result, kept) = run(&task);
            result.expect("a recording");
            let totals = kept.totals();
            println!("{revision}, seed {seed}: {totals:?}");
            let lines = fs::read_to_string(&path).expect("the file");
            for document in &kept.documents {
                let line = || lines.lines().nth(document.line.unwrap_or(1) - 1).unwrap_or_default().to_owned();
                let is_good = !matches!(document.outcome, Outcome::Lossy | Outcome::Rejected);
                assert!(is_good, "{revision}, seed {seed}: {document:?}: {}", line());
            }
            assert!(totals.exact > totals.documents / 2, "{totals:?} proves little");
        }
    }
}
