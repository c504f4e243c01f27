//! Random documents made from the model: what is read comes back, the verdict is that of a JSON Schema validator, and
//! nothing panics.
//!
//! `MCP_WIRE_DOCUMENTS` sets the number per revision, `MCP_WIRE_SEED` a seed to repeat. A run without a seed takes a fixed
//! one and a fresh one, and prints both.

use arbitrary::Unstructured;
use mcp_wire_tests::documents::Documents;
use mcp_wire_tests::mutants::Random;
use mcp_wire_tests::{Judge, Revision, each_revision, model, number, seeds};

fn keeps_its_promises(revision: &Revision) {
    let wanted = number("MCP_WIRE_DOCUMENTS").unwrap_or(10_000);
    let seeds = seeds();
    let model = model(revision.name);
    let documents = Documents::new(&model);
    let schema = revision.schema();
    let mut judge = Judge::new(&schema);

    for seed in &seeds {
        let mut random = Random::new(*seed);
        let (mut seen, mut valid, mut decoded) = (0, 0, 0);
        let mut buffer = vec![0; 2048];
        while seen < wanted / seeds.len() as u64 {
            for entry in revision.types {
                buffer.iter_mut().for_each(|byte| *byte = random.next() as u8);
                let mut bytes = Unstructured::new(&buffer);
                let document = match seen % 2 {
                    0 => documents.document(entry.name, &mut bytes),
                    _ => documents.near(entry.name, &mut bytes),
                };
                let document = document.expect("enough bytes");
                seen += 1;
                let accepted = judge.accepts(entry.name, &document);
                valid += u64::from(accepted);
                let text = document.to_string();
                let place = format!("{} {} (seed {seed}): {text}", revision.name, entry.name);
                match entry.read(&text) {
                    Ok(probe) => {
                        decoded += 1;
                        assert_eq!(revision.difference(entry.name, &text, &probe.text), None, "lossy: {place}");
                        assert_eq!(probe.text, probe.value.to_string(), "{place}");
                        assert_eq!(probe.violations.is_empty(), accepted, "{:?}: {place}", probe.violations);
                        for violation in &probe.violations {
                            assert!(
                                document.pointer(&violation.pointer).is_some(),
                                "{violation} leads nowhere: {place}"
                            );
                        }
                        assert!(entry.is_stable(&text), "read again, it is another value: {place}");
                    }
                    Err(error) => {
                        assert!(!accepted, "the schema accepts, but {error}: {place}");
                        let pointer = error.pointer().unwrap_or_else(|| panic!("no syntax error: {error}: {place}"));
                        assert!(document.pointer(pointer).is_some(), "{error} leads nowhere: {place}");
                    }
                }
            }
        }
        println!("{}: seed {seed}, {seen} documents, {valid} valid, {decoded} decoded", revision.name);
        assert!(valid > seen / 5 && valid < seen * 19 / 20, "{valid} of {seen} are valid, which proves little");
    }
}

each_revision!(documents_of: keeps_its_promises);
