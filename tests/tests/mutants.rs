//! Near-valid documents: *decodes and `check()` is empty* must agree with a JSON Schema validator, each time.
//!
//! `MCP_WIRE_MUTANTS` sets the number per revision, `MCP_WIRE_SEED` the seed.

use mcp_wire_tests::instances::Instances;
use mcp_wire_tests::mutants::Mutants;
use mcp_wire_tests::{Judge, Revision, each_revision, number, seed};

fn agrees_with_the_schema(revision: &Revision) {
    let wanted = number("MCP_WIRE_MUTANTS").unwrap_or(12_000);
    let seed = seed();
    let schema = revision.schema();
    let instances = Instances::new(&schema.document);
    let mut judge = Judge::new(&schema);
    let mut mutants = Mutants::new(&schema.document, seed);
    let families: Vec<_> =
        instances.definitions().map(|definition| (definition, instances.family(definition).documents)).collect();

    let (mut seen, mut valid, mut decoded, mut round) = (0, 0, 0, 0);
    let mut problems = Vec::new();
    while seen < wanted {
        for (definition, documents) in &families {
            let instance = &documents[round % documents.len()];
            let (mutant, change) = mutants.mutate(definition, instance);
            seen += 1;
            let expected = judge.accepts(definition, &mutant);
            valid += u64::from(expected);
            let place = format!("{definition}, {change} (seed {seed}):\n  {mutant}");
            match revision.entry(definition).read(&mutant.to_string()) {
                Ok(probe) => {
                    decoded += 1;
                    if let Some(difference) = revision.difference(definition, &mutant.to_string(), &probe.text) {
                        problems.push(format!("lossy at {difference}: {place}"));
                    }
                    let written = probe.value.to_string();
                    if probe.text != written {
                        problems.push(format!("{} instead of {written}: {place}", probe.text));
                    }
                    if probe.violations.is_empty() != expected {
                        let verdict = if expected { "accepts" } else { "refuses" };
                        problems.push(format!("the schema {verdict}, check() says {:?}: {place}", probe.violations));
                    }
                    // A pointer must lead somewhere.
                    for violation in &probe.violations {
                        if mutant.pointer(&violation.pointer).is_none() {
                            problems.push(format!("{violation} leads nowhere: {place}"));
                        }
                    }
                }
                Err(error) if expected => problems.push(format!("the schema accepts, but {error}: {place}")),
                Err(error) => {
                    let pointer = error.pointer().unwrap_or_else(|| panic!("not a syntax error: {error}: {place}"));
                    if mutant.pointer(pointer).is_none() {
                        problems.push(format!("{error} leads nowhere: {place}"));
                    }
                }
            }
        }
        round += 1;
    }
    println!("{}: {seen} mutants, {valid} valid, {decoded} decoded, {} problems", revision.name, problems.len());
    assert!(problems.is_empty(), "{} of {seen}:\n{}", problems.len(), problems[..problems.len().min(10)].join("\n"));
    assert!(valid > seen / 10 && valid < seen * 9 / 10, "{valid} of {seen} mutants are valid, which proves little");
}

each_revision!(mutants_of: agrees_with_the_schema);
