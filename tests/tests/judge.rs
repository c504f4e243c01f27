//! The judge of texts is written by hand, and could be wrong itself. What it takes for JSON is what serde_json takes for
//! JSON, but for what serde_json says it cannot hold.

use mcp_wire_judge::{FreeForm, compare};
use mcp_wire_tests::instances::Instances;
use mcp_wire_tests::mutants::Random;
use mcp_wire_tests::{REVISIONS, seed};
use serde_json::Value;

/// What serde_json refuses although it is JSON, in its words.
const BEYOND: [&str; 4] = [
    "number out of range",
    "lone leading surrogate in hex escape",
    "unexpected end of hex escape",
    "recursion limit exceeded",
];

#[test]
fn the_judge_knows_json_when_it_sees_it() {
    let revision = &REVISIONS[3];
    let schema = revision.schema();
    let instances = Instances::new(&schema.document);
    let mut random = Random::new(seed());
    let pieces = [
        "\"", "\\", "\\u", "\\ud83d", "{", "}", "[", "]", ",", ":", "0", "-", "1e400", ".", "e5", " ", "\u{c}",
        "\u{1}", "null", "é", "\u{feff}",
    ];
    let (mut texts, mut good, mut beyond) = (0, 0, 0);
    for definition in instances.definitions() {
        let text = instances.maximal(definition).expect(definition).to_string();
        let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        for _ in 0..100 {
            let mut number = |below: usize| (random.next() % below as u64) as usize;
            let (at, piece) = (number(bounds.len()), pieces[number(pieces.len())]);
            let until = bounds[(at + number(2)).min(bounds.len() - 1)];
            let damaged = format!("{}{piece}{}", &text[..bounds[at]], &text[until..]);
            let judged = compare(&damaged, &damaged, FreeForm);
            match serde_json::from_str::<Value>(&damaged) {
                Ok(value) => {
                    assert_eq!(judged.map(|verdict| verdict.findings), Ok(Vec::new()), "{damaged}");
                    // What serde_json writes of it says the same, unless a name came twice or a number is too long.
                    let again = compare(&damaged, &value.to_string(), FreeForm).expect("JSON");
                    let known = |kind: &str| kind.starts_with("number") || kind.starts_with("duplicate");
                    assert!(
                        again.findings.iter().all(|one| known(one.kind.as_str())),
                        "{:?}: {damaged}",
                        again.findings
                    );
                    good += 1;
                }
                Err(error) if BEYOND.iter().any(|words| error.to_string().contains(words)) => {
                    beyond += usize::from(judged.is_ok());
                }
                Err(error) => assert!(judged.is_err(), "{error}: {damaged}"),
            }
            texts += 1;
        }
    }
    println!("{texts} damaged texts, {good} of them JSON, {beyond} JSON that serde_json cannot hold");
    assert!(texts == 14_500 && good > 1_000 && good < 13_000 && beyond > 0, "{texts} {good} {beyond}");
}
