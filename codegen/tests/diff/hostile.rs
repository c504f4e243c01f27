//! Schemas that somebody has damaged: whatever they say, they are compared, and the other way round the same is found.

use std::path::Path;

use mcp_wire_codegen::diff::{Edition, compare};
use mcp_wire_codegen::load;
use serde_json::{Value, json};

use super::{NEWEST, REVISIONS, SOURCES, all, folder, not_mirrored, official, outside_fences, printed};

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
    let found: Vec<String> = report.changes.iter().map(|change| change.path.to_string()).collect();
    assert_eq!(found, ["Leaves.after", "Leaves.before", "Tree.after", "Tree.before"]);
    assert_eq!(not_mirrored(&report, &compare(&new, &old)), Vec::<String>::new());
}

/// What a schema could say to steer a terminal, a log, a page or a reader.
const POISON: [&str; 6] = [
    "\u{1b}[31m\u{7}\u{9b}2J\u{7f}",
    "\r\n::error::x\n  ::warning file=a,line=1::x",
    "\n##[error]x%0A::error::x",
    "\u{202e}\u{2066}\u{200f}\u{61c}\u{feff}\u{2028}x\u{85}",
    "![a](https://t.example/a.png)<img src=https://t.example/b.png><script>x</script>|",
    "`![a](https://t.example/a.png)``<iframe src=https://t.example>[b](https://t.example)`\\`",
];

/// Names that make messages of definitions: without them, nothing is known of methods.
fn is_kept(name: &str) -> bool {
    ["method", "params", "jsonrpc", "id", "2.0"].contains(&name)
        || ["Client", "Server"].iter().any(|side| {
            name.strip_prefix(side).is_some_and(|rest| ["Request", "Notification", "Result"].contains(&rest))
        })
}

/// The schema with poison in each of its strings: names, methods, values, words, defaults. Keywords and types stay.
fn poisoned(schema: &Value, poison: &str, before: bool, count: &mut usize) -> Value {
    let mut poison = |text: &str| match is_kept(text) {
        true => text.to_owned(),
        false if before => {
            *count += 1;
            format!("{poison}{text}")
        }
        false => {
            *count += 1;
            format!("{text}{poison}")
        }
    };
    fn all(schema: &Value, poison: &mut dyn FnMut(&str) -> String) -> Value {
        let Value::Object(members) = schema else { return schema.clone() };
        let said = members.iter().map(|(keyword, value)| {
            let value = match (keyword.as_str(), value) {
                ("properties" | "$defs", Value::Object(inner)) => inner
                    .iter()
                    .map(|(name, inner)| (poison(name), all(inner, poison)))
                    .collect::<serde_json::Map<_, _>>()
                    .into(),
                ("anyOf" | "allOf", Value::Array(branches)) => {
                    branches.iter().map(|branch| all(branch, poison)).collect()
                }
                ("items" | "additionalProperties", inner) => all(inner, poison),
                ("required" | "enum", Value::Array(names)) => {
                    names.iter().map(|name| poison(name.as_str().expect("a name"))).collect()
                }
                ("description" | "const" | "title" | "default", Value::String(text)) => poison(text).into(),
                ("$ref", Value::String(text)) => {
                    let name = poison(text.rsplit('/').next().expect("a name"));
                    format!("#/$defs/{}", name.replace('~', "~0").replace('/', "~1")).into()
                }
                (_, value) => value.clone(),
            };
            (keyword.clone(), value)
        });
        said.collect::<serde_json::Map<_, _>>().into()
    }
    all(schema, &mut poison)
}

fn is_unseen(c: char) -> bool {
    c.is_control() && c != '\n'
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Markdown without the code in it: what is left may be markup.
fn outside_code(markdown: &str) -> String {
    let text = outside_fences(markdown);
    let mut left = String::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some(start) = rest.find('`') {
            let escapes = rest[..start].len() - rest[..start].trim_end_matches('\\').len();
            if escapes % 2 == 1 {
                left.push_str(&rest[..=start]);
                rest = &rest[start + 1..];
                continue;
            }
            left.push_str(&rest[..start]);
            let ticks = rest[start..].chars().take_while(|c| *c == '`').count();
            let fence = "`".repeat(ticks);
            let inside = &rest[start + ticks..];
            let is_end = |end: &usize| !inside[..*end].ends_with('`') && !inside[*end + ticks..].starts_with('`');
            let end = inside.match_indices(&fence).map(|(end, _)| end).find(is_end);
            rest = end.map_or_else(|| panic!("code does not end: {line}"), |end| &inside[end + ticks..]);
        }
        left.push_str(rest);
        left.push('\n');
    }
    left
}

#[test]
fn no_string_of_a_schema_steers_anything() {
    let mut original = official(NEWEST);
    original["$defs"]["Tool"]["properties"]["title"]["default"] = json!("a");
    original["$defs"]["Tool"]["title"] = json!("a");
    let mut changed = original.clone();
    let definitions = changed["$defs"].as_object_mut().expect("definitions");
    // Something for every kind of sentence: methods, members, values, alternatives and words that come and go.
    for name in ["CompleteRequest", "CompleteRequestParams", "CompleteResultResponse", "CompleteResult", "Icon"] {
        definitions.shift_remove(name);
    }
    let text =
        serde_json::to_string(&changed).expect("JSON").replace("{\"$ref\":\"#/$defs/Icon\"}", "{\"type\":\"string\"}");
    let mut changed: Value = serde_json::from_str(&text.replace("\"warning\"", "\"warn\"")).expect("JSON");
    for list in ["ClientRequest", "ServerResult"] {
        let listed = changed["$defs"][list]["anyOf"].as_array_mut().expect("a list");
        listed.retain(|one| {
            !["#/$defs/CompleteRequest", "#/$defs/CompleteResult"].contains(&one["$ref"].as_str().expect("a name"))
        });
    }
    changed["$defs"]["Tool"]["properties"]["title"]["default"] = json!("b");
    changed["$defs"]["Tool"]["description"] = json!("b");
    let (mut strings, mut changes, mut lines) = (0, 0, 0);
    for (index, poison) in POISON.iter().enumerate() {
        for before in [false, true] {
            let other = POISON[(index + 1) % POISON.len()];
            let [old, new] = [(&original, *poison), (&changed, *poison)]
                .map(|(schema, poison)| poisoned(schema, poison, before, &mut strings));
            let another = poisoned(&changed, other, before, &mut strings);
            let [old, new, another] = [old, new, another].map(|document| edition(&document).expect("an edition"));
            for (old, new) in [(&old, &new), (&new, &old), (&old, &another)] {
                let mut report = compare(old, new);
                report.warnings.push(format!("{poison}warning"));
                changes += all(&report).count();
                let names = ["text", "markdown", "json", "html", "sarif", "github"];
                for (format, text) in names.into_iter().zip(printed(&report)) {
                    let text = if format == "json" { mcp_wire_codegen::plain::escaped_json(&text) } else { text };
                    for line in text.lines() {
                        lines += 1;
                        let told = || format!("{format}: {}", line.escape_debug());
                        assert!(!line.contains(is_unseen), "{}", told());
                        let is_own = ["::error ", "::warning ", "::notice "].iter().any(|own| line.starts_with(own));
                        assert!(!line.trim_start().starts_with("::") || format == "github" && is_own, "{}", told());
                        assert!(!line.contains("##[") || ["github", "json", "sarif"].contains(&format), "{}", told());
                    }
                    match format {
                        "markdown" => {
                            let markup = outside_code(&text);
                            assert!(!markup.replace("\\]", "").contains("]("), "{markup}");
                            assert!(
                                !markup.contains("<img") && !markup.contains("<iframe") && !markup.contains("<script"),
                                "{markup}"
                            );
                        }
                        "html" => {
                            for tag in ["<img", "<iframe", "<object", "<embed"] {
                                assert!(!text.contains(tag), "{tag}");
                            }
                            assert_eq!(["<script", "<style", "<link"].map(|tag| text.matches(tag).count()), [1; 3]);
                        }
                        "github" => assert_eq!(text.lines().filter(|line| !line.starts_with("::")).count(), 0),
                        _ => {}
                    }
                }
            }
        }
    }
    println!("{strings} strings, {changes} changes, {lines} lines");
    assert!(
        strings > 50_000 && changes > 1_000 && lines > 100_000,
        "{strings} strings, {changes} changes, {lines} lines"
    );
}

#[test]
fn images_in_descriptions_are_links() {
    let described = [
        ("![pixel](https://t.example/a.png)", "[pixel](https://t.example/a.png)"),
        ("![](https://t.example/b.png)", "<https://t.example/b.png>"),
        (
            "[![badge](https://t.example/c.png)](https://t.example)",
            "\\[[badge](https://t.example/c.png)\\](<https://t.example>)",
        ),
        ("![reference][d]", "\\!\\[reference\\]\\[d\\]"),
        ("[d]: https://t.example/d.png", "\\[d\\]: <https://t.example/d.png>"),
        ("<img src=\"https://t.example/e.png\">", "\\<img src=\"<https://t.example/e.png>\">"),
        (
            "<iframe src=x><script>x</script><link x><style>x</style>",
            "\\<iframe src=x>\\<script>x\\</script>\\<link x>\\<style>x\\</style>",
        ),
        ("!{@link Told | it}", "\\![`it`](crate::Told)"),
        (
            "Look! [here](https://t.example) https://t.example/f `![code](https://t.example)`",
            "Look! [here](https://t.example) <https://t.example/f> `![code](https://t.example)`",
        ),
    ];
    let text: Vec<&str> = described.iter().map(|(text, _)| *text).collect();
    let description = json!(text.join("\n\n"));
    let member = json!({ "type": "string", "description": description });
    let told = json!({ "type": "object", "description": description, "properties": { "answer": member } });
    let document = serde_json::to_vec(&super::small(json!({ "Told": told }))).expect("JSON");
    let schema = load::bytes(Path::new("images.json"), "images", &document).expect("a schema");
    let model = mcp_wire_codegen::model_as_written(&folder(), &SOURCES, schema, NEWEST).expect("a model");
    let packaging = mcp_wire_codegen::Packaging { package: "images".to_owned(), core: None };
    let files = mcp_wire_codegen::crate_of(&model, &packaging).expect("a crate");
    let docs = |line: &'_ str| line.trim_start().strip_prefix("/// ").map(str::to_owned);
    let lines: Vec<String> = files
        .iter()
        .filter(|(path, _)| path.ends_with(".rs"))
        .flat_map(|(_, text)| text.lines().filter_map(docs))
        .collect();
    for (from, expected) in described {
        // For the type, for its member, and wherever else they are said again.
        let found = lines.iter().filter(|line| *line == expected).count();
        assert!(found >= 2, "{from}: {expected} in {lines:#?}");
    }
    let outside = outside_code(&lines.join("\n"));
    assert!(!outside.replace("\\!", "").contains("!["), "{outside}");
    assert!(!outside.replace("\\<", "").contains("<i"), "{outside}");
}
