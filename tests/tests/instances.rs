//! Documents made from each schema: every definition, every branch, every enum value, there and back.

use mcp_wire_tests::instances::Instances;
use mcp_wire_tests::{Judge, Revision, each_revision};

fn every_instance_round_trips_and_conforms(revision: &Revision) {
    let schema = revision.schema();
    let instances = Instances::new(&schema.document);
    let mut judge = Judge::new(&schema);
    let mut definitions = 0;
    let mut documents = 0;
    for definition in instances.definitions() {
        let family = instances.family(definition);
        assert_eq!(family.visited, family.reachable, "{definition}: a branch or a value was not visited");
        assert!(family.documents.len() >= 2, "{definition}: a minimal and a maximal document at least");
        definitions += 1;
        let entry = revision.entry(definition);
        for document in &family.documents {
            documents += 1;
            assert!(judge.accepts(definition, document), "{definition}: the instance is not valid: {document}");
            // From text and from a value: the two ways must not differ.
            for probe in [entry.read(&document.to_string()), entry.convert(document.clone())] {
                let probe = probe.unwrap_or_else(|error| panic!("{definition}: {error}\n{document}"));
                if let Some(difference) = revision.difference(definition, &document.to_string(), &probe.text) {
                    panic!("{definition}: {difference}\n{document}");
                }
                assert!(probe.violations.is_empty(), "{definition}: {:?}\n{document}", probe.violations);
            }
        }
    }
    revision.assert_definitions(definitions);
    assert_eq!(revision.types.len(), definitions);
    println!("{}: {definitions} definitions, {documents} documents", revision.name);
    assert!(documents > 15 * definitions, "{documents} documents are too few for {definitions} definitions");
}

each_revision!(every_instance_of: every_instance_round_trips_and_conforms);
