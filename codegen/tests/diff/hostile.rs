//! Schemas that somebody has damaged: whatever they say, they are compared, and the other way round the same is found.

use std::path::Path;

use mcp_wire_codegen::diff::{Edition, compare};
use mcp_wire_codegen::load;
use serde_json::{Value, json};

use super::{REVISIONS, SOURCES, all, folder, not_mirrored, official, outside_fences, printed};

/// Numbers that look random and are always the same.
struct Random(u64);

impl Random {
    /// A number below a bound.
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).expect("small")
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

const ODD: [&str; 6] = ["\u{1b}[31m<script>`|\u{202e}\n", "__proto__", "", "a.b[]*", "constructor", "Tool"];

/// An official schema, with its places.
struct Original {
    document: Value,
    keyword: &'static str,
    places: Vec<String>,
}

impl Original {
    fn new(revision: &str) -> Self {
        let document = official(revision);
        let keyword = if document.get("$defs").is_some() { "$defs" } else { "definitions" };
        let mut places = Vec::new();
        collect(&document, String::new(), &mut places);
        Self { document, keyword, places }
    }

    /// A copy that differs in up to so many ways.
    fn damaged(&self, random: &mut Random, ways: usize) -> Value {
        let mut damaged = self.document.clone();
        for _ in 0..random.below(ways + 1) {
            let (place, other) = (random.one_of(&self.places), random.one_of(&self.places));
            // The definitions themselves may be gone by now.
            let Some(Value::Object(definitions)) = damaged.get(self.keyword) else { break };
            let names: Vec<String> = definitions.keys().cloned().collect();
            if names.is_empty() {
                break;
            }
            let (name, another) = (random.one_of(&names).as_str(), random.one_of(&names).as_str());
            let replacement = match random.below(9) {
                0 => json!({}),
                1 => json!({ "type": "string", "enum": ODD }),
                2 => json!({ "type": "object", "properties": { *random.one_of(&ODD): { "type": "null" } } }),
                3 => json!({ "$ref": format!("#/{}/{name}", self.keyword) }),
                4 => self.document.pointer(other).cloned().unwrap_or_default(),
                5 => {
                    damaged = self.renamed(&damaged, |each| if each == name { format!("{each}New") } else { each });
                    continue;
                }
                6 => {
                    // Two names change places wherever they are used, and where they are defined.
                    damaged = self.renamed(&damaged, |each| match each {
                        each if each == name => another.to_owned(),
                        each if each == another => name.to_owned(),
                        each => each,
                    });
                    continue;
                }
                7 => {
                    // Two definitions change places under their names.
                    let definitions = &mut damaged[self.keyword];
                    let (one, two) = (definitions[name].take(), definitions[another].clone());
                    (definitions[name], definitions[another]) = (two, one);
                    continue;
                }
                _ => {
                    let (owner, member) = place.rsplit_once('/').expect("a place inside something");
                    if let Some(Value::Object(members)) = damaged.pointer_mut(owner) {
                        members.shift_remove(member);
                    }
                    continue;
                }
            };
            if let Some(place) = damaged.pointer_mut(place) {
                *place = replacement;
            }
        }
        damaged
    }

    /// The schema with other names for its definitions.
    fn renamed(&self, document: &Value, rename: impl Fn(String) -> String) -> Value {
        fn refer(value: &mut Value, rename: &dyn Fn(String) -> String) {
            match value {
                Value::Object(members) => {
                    for (name, value) in members {
                        match value {
                            Value::String(to) if name == "$ref" => {
                                if let Some((path, to_name)) = to.rsplit_once('/') {
                                    *to = format!("{path}/{}", rename(to_name.to_owned()));
                                }
                            }
                            value => refer(value, rename),
                        }
                    }
                }
                Value::Array(items) => items.iter_mut().for_each(|item| refer(item, rename)),
                _ => {}
            }
        }
        let mut renamed = document.clone();
        refer(&mut renamed, &rename);
        if let Some(Value::Object(definitions)) = renamed.get_mut(self.keyword) {
            let all = std::mem::take(definitions).into_iter();
            definitions.extend(all.map(|(name, definition)| (rename(name), definition)));
        }
        renamed
    }
}

fn collect(value: &Value, pointer: String, places: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                collect(value, format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")), places);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                collect(value, format!("{pointer}/{index}"), places);
            }
        }
        _ => {}
    }
    if pointer.len() > 8 {
        places.push(pointer);
    }
}

fn edition(document: &Value) -> Option<Edition> {
    let text = serde_json::to_vec(document).expect("JSON");
    let schema = load::bytes(Path::new("damaged.json"), "damaged", &text).ok()?;
    Edition::as_written(&folder(), &SOURCES, schema, "damaged").ok()
}

#[test]
fn damaged_schemas_are_compared_without_a_panic_and_mirrored() {
    let originals = REVISIONS.map(Original::new);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut compared, mut changes) = (0, 0);
    for round in 0..900 {
        // Two thirds are two versions of one revision, one third are two of any.
        let one = random.one_of(&originals);
        let other = if round % 3 == 0 { random.one_of(&originals) } else { one };
        let documents = [one.damaged(&mut random, 3), other.damaged(&mut random, 3)];
        let [Some(old), Some(new)] = documents.each_ref().map(edition) else { continue };
        let (there, back) = (compare(&old, &new), compare(&new, &old));
        assert_eq!(not_mirrored(&there, &back), Vec::<String>::new(), "{round}: {documents:#?}");
        assert_eq!(all(&compare(&old, &old)).count(), 0, "{round}: {documents:#?}");
        for report in [&there, &back] {
            let [text, markdown, ..] = printed(report);
            assert!(!text.contains('\u{1b}') && !outside_fences(&markdown).contains("<script>"));
        }
        compared += 1;
        changes += all(&there).count();
    }
    assert!(compared > 300 && changes > 15_000, "{compared} compared, {changes} changes");
}

#[test]
fn objects_whose_other_members_are_of_their_own_kind() {
    let document = |member: &str| {
        json!({ "$defs": {
            "Tree": {
                "type": "object",
                "properties": { member: { "type": "string" } },
                "additionalProperties": { "$ref": "#/$defs/Tree" },
            },
            "Node": {
                "type": "object",
                "properties": { "leaf": { "$ref": "#/$defs/Tree" } },
                "additionalProperties": { "type": "array", "items": { "$ref": "#/$defs/Leaves" } },
            },
            "Leaves": {
                "type": "object",
                "properties": { member: { "$ref": "#/$defs/Node" } },
                "additionalProperties": { "$ref": "#/$defs/Node" },
            },
        } })
    };
    let [old, new] = ["before", "after"].map(|member| edition(&document(member)).expect("an edition"));
    let report = compare(&old, &new);
    let found: Vec<&str> = report.changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!(found, ["Leaves.after", "Leaves.before", "Tree.after", "Tree.before"]);
    assert_eq!(not_mirrored(&report, &compare(&new, &old)), Vec::<String>::new());
}
