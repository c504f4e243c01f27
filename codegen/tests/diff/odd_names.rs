//! Names that contain what paths are written with: dots, slashes, stars, brackets, quotes, backticks, spaces, bars. They are
//! reported, fingerprinted, ignored and found like any other.

use std::collections::BTreeSet;
use std::path::Path as File;

use mcp_wire_codegen::diff::path::Path;
use mcp_wire_codegen::diff::report::{Change, Report};
use mcp_wire_codegen::diff::rules::CATALOGUE;
use mcp_wire_codegen::diff::{Edition, Subject, compare, ignore};
use serde_json::{Map, Value, json};

use super::{all, has, not_mirrored, object, official, printed, small, written};

/// Names, and how paths have them: as a member, and as a definition or a method.
const NAMES: [(&str, &str, &str); 27] = [
    ("plain", ".plain", "plain"),
    ("$schema", ".$schema", "$schema"),
    ("io.modelcontextprotocol/rank", ".io.modelcontextprotocol/rank", r#""io.modelcontextprotocol/rank""#),
    ("io.example/rank", r#"["io.example/rank"]"#, r#""io.example/rank""#),
    ("modelcontextprotocol/rank", r#"["modelcontextprotocol/rank"]"#, "modelcontextprotocol/rank"),
    ("io", ".io", "io"),
    ("a.b", r#"["a.b"]"#, r#""a.b""#),
    ("a", ".a", "a"),
    (".", r#"["."]"#, r#"".""#),
    ("tools/call", r#"["tools/call"]"#, "tools/call"),
    ("content-type", r#"["content-type"]"#, "content-type"),
    ("2nd", r#"["2nd"]"#, "2nd"),
    ("*", r#"["*"]"#, r#""*""#),
    ("a*b", r#"["a*b"]"#, r#""a*b""#),
    ("a[]", r#"["a[]"]"#, r#""a[]""#),
    (r#"["x"]"#, r#"["[\"x\"]"]"#, r#""[\"x\"]""#),
    (r#""quoted""#, r#"["\"quoted\""]"#, r#""\"quoted\"""#),
    ("it's", r#"["it's"]"#, r#""it's""#),
    ("tick`tick", r#"["tick\u0060tick"]"#, r#""tick\u0060tick""#),
    ("a b", r#"["a b"]"#, r#""a b""#),
    ("a | b", r#"["a | b"]"#, r#""a | b""#),
    ("|", r#"["|"]"#, r#""|""#),
    ("#", r##"["#"]"##, r##""#""##),
    ("back\\slash", r#"["back\\slash"]"#, r#""back\\slash""#),
    ("two\nlines ##[x] ::", r###"["two\nlines ##\u005bx] ::"]"###, r###""two\nlines ##\u005bx] ::""###),
    ("<b>\u{202e}", r#"["<b>\u202e"]"#, r#""<b>\u202e""#),
    ("", r#"[""]"#, r#""""#),
];

fn refer(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{}", name.replace('~', "~0").replace('/', "~1")) })
}

/// An object of definitions or of members, one for each name. Nothing for a name whose value is null.
fn each(value: impl Fn(usize, &str) -> Value) -> Map<String, Value> {
    let all = NAMES.iter().enumerate().map(|(index, (name, ..))| ((*name).to_owned(), value(index, name)));
    all.filter(|(_, value)| !value.is_null()).collect()
}

/// A schema in which a member of each name has the same type. Those inside `a` look like others when they are written badly.
fn members(member: &Value, is_required: bool) -> Value {
    let told = each(|_, _| member.clone());
    let names: Vec<&str> = told.keys().map(String::as_str).filter(|_| is_required).collect();
    let mut told = object(json!(told), &names);
    told["properties"]["inside"] = told.clone();
    told["properties"]["answer"] = json!({ "type": "string" });
    let block = |name: &str| object(json!({ "type": { "const": name, "type": "string" } }), &["type"]);
    let equal = object(json!({ "deep": { "type": "string" } }), &[]);
    let mut definitions = json!({ "One": block("one"), "Two": block("two"), "Same": equal, "Equal": equal });
    definitions["Told"] = told;
    small(definitions)
}

/// Pairs of members: the rule, and what stands before and after it.
fn member_pairs() -> Vec<(&'static str, Value, Value)> {
    let (text, integer) = (json!({ "type": "string" }), json!({ "type": "integer" }));
    let list = |items: &Value| json!({ "type": "array", "items": items });
    let values = |values: &[&str]| json!({ "type": "string", "enum": values });
    let with = |keyword: &str, value: Value| json!({ "type": "string", keyword: value });
    let open = |others: Value| json!({ "type": "object", "additionalProperties": others });
    vec![
        ("field.added-optional", Value::Null, text.clone()),
        ("field.type-widened", integer.clone(), json!({ "type": "number" })),
        ("field.type-changed", integer.clone(), text.clone()),
        ("field.type-changed", list(&integer), list(&text)),
        ("field.type-changed", open(integer.clone()), open(text.clone())),
        ("field.null-allowed", text.clone(), json!({ "type": ["string", "null"] })),
        ("constraint.tightened", text.clone(), with("maxLength", json!(3))),
        ("constraint.changed", with("format", json!("byte")), with("format", json!("uri"))),
        ("const.changed", json!({ "const": "a" }), json!({ "const": "b" })),
        ("enum.value-added", values(&["a", "b"]), values(&["a", "b", "c"])),
        ("object.closed", open(json!(true)), open(json!(false))),
        ("union.member-added", refer("One"), json!({ "anyOf": [refer("One"), refer("Two")] })),
        ("refactor.reference", refer("Same"), refer("Equal")),
        ("unverified.keyword", with("default", json!("a")), with("default", json!("b"))),
        ("deprecated.added", text.clone(), with("deprecated", json!(true))),
        ("documentation.changed", with("description", json!("Some.")), with("description", json!("Other."))),
    ]
}

/// A schema in which a definition of each name is used.
fn definitions(definition: impl Fn(usize) -> Value) -> Value {
    let mut all = each(|index, _| definition(index));
    let used: Map<String, Value> =
        all.keys().enumerate().map(|(index, name)| (format!("use{index}"), refer(name))).collect();
    let mut told = object(json!(used), &[]);
    told["properties"]["answer"] = json!({ "type": "string" });
    all.insert("Told".to_owned(), told);
    small(json!(all))
}

/// An object with nothing in common with the others.
fn own(index: usize) -> Value {
    object(json!({ format!("own{index}"): { "type": "string" }, format!("other{index}"): { "type": "integer" } }), &[])
}

fn definition_pairs() -> Vec<(&'static str, Value, Value)> {
    let base = definitions(own);
    let with = |keyword: &str, value: Value| {
        definitions(|index| {
            let mut definition = own(index);
            definition[keyword] = value.clone();
            definition
        })
    };
    let values = |more: bool| {
        definitions(|index| {
            let values: Vec<String> = (0..if more { 4 } else { 3 }).map(|value| format!("v{index}{value}")).collect();
            json!({ "type": "string", "enum": values })
        })
    };
    // The same content where it is used, and no definition for it.
    let mut inline = base.clone();
    let defined = inline["$defs"].as_object_mut().expect("definitions");
    for (index, (name, ..)) in NAMES.iter().enumerate() {
        defined.shift_remove(*name);
        defined["Told"]["properties"][format!("use{index}")] = own(index);
    }
    // A schema that lists its answers says of nothing else that it might be one.
    let lists = json!({ "ServerResult": { "anyOf": [refer("Told")] } });
    let mut helpers = small(lists.clone());
    helpers["$defs"].as_object_mut().expect("definitions").extend(each(|index, _| {
        object(json!({ "method": { "type": "string" }, format!("helps{index}"): { "type": "string" } }), &["method"])
    }));
    // Definitions with plain names, and with odd ones.
    let text = inline.clone();
    let mut renamed = text.clone();
    let defined = renamed["$defs"].as_object_mut().expect("definitions");
    for (index, _) in NAMES.iter().enumerate() {
        defined.insert(format!("Plain{index}"), own(index));
        defined["Told"]["properties"][format!("use{index}")] = refer(&format!("Plain{index}"));
    }
    vec![
        ("type.added", small(json!({})), base.clone()),
        ("type.redefined", values(false), base.clone()),
        ("enum.value-added", values(false), values(true)),
        ("refactor.rewritten", base.clone(), with("title", json!("A title."))),
        ("documentation.changed", base.clone(), with("description", json!("Words."))),
        ("refactor.type-named", inline, base.clone()),
        ("refactor.type-renamed", renamed, base),
        ("refactor.helper-added", small(lists), helpers),
    ]
}

/// A schema with a method of each name, sent by a side, whose message has that name as well.
fn methods(list: &str, has_params: bool) -> Value {
    let message = |name: &str| {
        let mut members = json!({ "method": { "type": "string", "const": name } });
        if has_params {
            members["params"] = object(json!({ "word": { "type": "string" } }), &[]);
        }
        object(members, &["method"])
    };
    let mut all = each(|_, name| message(name));
    let mut listed: Vec<Value> = NAMES.iter().map(|(name, ..)| refer(name)).collect();
    // What every small schema has.
    if list == "ClientRequest" {
        listed.push(refer("AskRequest"));
    }
    all.insert(list.to_owned(), json!({ "anyOf": listed }));
    small(json!(all))
}

/// A schema in which clients declare a capability of each name, as members of another one.
fn capabilities(holder: &str, is_there: bool) -> Value {
    let flags = each(|_, _| if is_there { json!({ "type": "boolean" }) } else { Value::Null });
    let mut members = json!({ "from": object(json!({}), &[]), "to": object(json!({}), &[]) });
    members[holder] = object(json!(flags), &[]);
    small(json!({
        "ClientCapabilities": object(members, &[]),
        "Asked": object(json!({ "can": refer("ClientCapabilities"), "question": { "type": "string" } }), &[]),
    }))
}

/// What has been covered: rules, and changes that were pasted into an ignore file.
#[derive(Default)]
struct Covered {
    rules: BTreeSet<String>,
    changes: usize,
    places: usize,
}

impl Covered {
    /// Compares a pair in both directions. A change by the rule has to be at each of the paths.
    fn pair(&mut self, rule: &str, old: &Value, new: &Value, paths: impl Fn(&str, &str) -> Vec<String>) {
        let (old, new) = (written(old, "old"), written(new, "new"));
        let (there, back) = (compare(&old, &new), compare(&new, &old));
        assert_eq!(not_mirrored(&there, &back), Vec::<String>::new(), "{rule}");
        for (name, member, root) in NAMES {
            for path in paths(member, root) {
                let told: Vec<String> = all(&there).map(super::rule_and_path).collect();
                assert!(has(&there, rule, &path), "{name}: no {rule} at {path}: {told:#?}");
            }
        }
        for report in [there, back] {
            self.rules.extend(all(&report).map(|change| change.rule.clone()));
            paths_can_be_read(&report);
            fingerprints_tell_changes_apart(&report);
            formats_have_paths(&report);
            self.pasted(&report);
        }
    }

    /// The path of each change, and of each of its places, is pasted into an ignore file.
    fn pasted(&mut self, report: &Report) {
        for change in all(report) {
            let path = change.path.to_string();
            // A rule may say several things about one place.
            let same: BTreeSet<&str> = all(report)
                .filter(|other| other.rule == change.rule && other.path == change.path)
                .map(|other| other.fingerprint.as_str())
                .collect();
            let left = ignored(report, &change.rule, &path);
            let gone: BTreeSet<&str> = left.ignored.iter().map(|ignored| ignored.fingerprint.as_str()).collect();
            assert_eq!(gone, same, "{} {path}", change.rule);
            assert_eq!(all(&left).count() + same.len(), all(report).count(), "{} {path}", change.rule);
            self.changes += 1;
            for place in change.places.iter().filter(|place| place.path != change.path && change.places.len() > 1) {
                let path = place.path.to_string();
                let left = ignored(report, &change.rule, &path);
                let places = |report: &Report| all(report).map(|change| change.places.len()).sum::<usize>();
                assert_eq!(places(&left) + 1, places(report), "{} {path}", change.rule);
                let [gone] = &left.ignored[..] else { panic!("{:?}", left.ignored) };
                assert_eq!((&gone.path, &gone.fingerprint), (&place.path, &change.fingerprint), "{path}");
                self.places += 1;
            }
        }
    }
}

/// The report without what an ignore file with one entry names.
fn ignored(report: &Report, rule: &str, path: &str) -> Report {
    // As people paste it: between the quotation marks that need no escapes, if it does not contain them.
    let path = if path.contains('\'') { Value::from(path).to_string() } else { format!("'{path}'") };
    let entry = format!("[[ignore]]\nrule = \"{rule}\"\npath = {path}\nreason = \"why\"\nexpires = 2027-01-31\n");
    let rules: Vec<&str> = CATALOGUE.iter().map(|rule| rule.id).collect();
    let entries = ignore::parse(File::new("ignore.toml"), &entry, &rules).expect("an ignore file");
    let mut report = report.clone();
    ignore::apply(&mut report, &entries, "2026-01-01");
    assert_eq!(report.warnings, Vec::<String>::new(), "{rule} {path}");
    report
}

/// Each path is read as what was written, and no two are written alike.
fn paths_can_be_read(report: &Report) {
    let places = all(report).flat_map(|change| &change.places);
    let all = all(report)
        .map(|change| &change.path)
        .chain(places.flat_map(|place| [&place.path].into_iter().chain(&place.was)));
    for path in all {
        assert_eq!(path.to_string().parse().as_ref(), Ok(path));
    }
}

fn fingerprints_tell_changes_apart(report: &Report) {
    let prints: BTreeSet<&str> = all(report).map(|change| change.fingerprint.as_str()).collect();
    assert_eq!(prints.len(), all(report).count());
}

/// Every format has the path of every change as it is written.
fn formats_have_paths(report: &Report) {
    let [text, markdown, json, html, sarif, github] = printed(report);
    let paths: Vec<String> = all(report).map(|change| change.path.to_string()).collect();
    for (change, path) in all(report).zip(&paths) {
        assert!(text.contains(&format!("{:<13}  `{path}` ", change.severity.name())), "{path}\n{text}");
        assert!(markdown.contains(&format!("- **{}** `{path}` ", change.severity.name())), "{path}\n{markdown}");
    }
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let lists = ["changes", "documentation", "refactors"].map(|list| json[list].as_array().expect("a list").clone());
    let found: Vec<Value> = lists.concat().iter().map(|change| change["path"].clone()).collect();
    assert_eq!(found, paths);
    let cards = html.split("<code class=\"path\">").skip(1).filter(|card| !card.starts_with("type")).map(|card| {
        let card = card.split_once("</code>").expect("an end").0;
        let text = card.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect::<String>();
        text.replace("&#34;", "\"")
            .replace("&#39;", "'")
            .replace("&#60;", "<")
            .replace("&#62;", ">")
            .replace("&#38;", "&")
    });
    let found: Vec<String> = cards.take(paths.len()).collect();
    assert_eq!(found, paths);
    let sarif: Value = serde_json::from_str(&sarif).expect("SARIF");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let found: Vec<&Value> = results.iter().map(|result| &result["properties"]["path"]).collect();
    assert_eq!(found, paths.iter().collect::<Vec<_>>());
    let encoded = |path: &str| {
        let path = path.replace('%', "%25");
        path.replace(':', "%3A").replace(',', "%2C")
    };
    for change in &report.changes {
        let title = format!("title={}%3A {}::", change.rule, encoded(&change.path.to_string()));
        assert!(github.contains(&title), "{title}\n{github}");
    }
}

#[test]
fn odd_names_are_names_like_any_other() {
    let mut covered = Covered::default();
    let below_told = |member: &str, end: &str| vec![format!("Told{member}{end}"), format!("Told.inside{member}{end}")];
    let text = json!({ "type": "string" });
    for (rule, old, new) in member_pairs() {
        let end = match (&new["type"], rule) {
            (_, "object.closed") => ".*",
            (Value::String(kind), "field.type-changed") if kind == "array" => "[]",
            (Value::String(kind), "field.type-changed") if kind == "object" => ".*",
            _ => "",
        };
        covered.pair(rule, &members(&old, false), &members(&new, false), |member, _| below_told(member, end));
    }
    let (absent, optional, required) = (members(&Value::Null, false), members(&text, false), members(&text, true));
    covered.pair("field.added-required", &absent, &required, |member, _| below_told(member, ""));
    covered.pair("field.became-required", &optional, &required, |member, _| below_told(member, ""));
    for (rule, old, new) in definition_pairs() {
        covered.pair(rule, &old, &new, |_, root| vec![root.to_owned()]);
    }
    let (client, server) = (methods("ClientRequest", true), methods("ServerRequest", true));
    let listed = |list: &str, root: &str| vec![root.to_owned(), format!("{list} | {root}")];
    covered.pair("method.added", &small(json!({})), &client, |_, root| listed("ClientRequest", root));
    covered.pair("method.direction-changed", &client, &server, |_, root| listed("ServerRequest", root));
    let silent = methods("ClientRequest", false);
    covered.pair("method.params-changed", &client, &silent, |_, root| vec![root.to_owned()]);
    let embedded = methods("InputRequest", true);
    covered.pair("method.moved", &client, &embedded, |_, root| listed("InputRequest", root));
    let none = capabilities("from", false);
    let [from, to] = ["from", "to"].map(|holder| capabilities(holder, true));
    let declared = |holder: &str, member: &str| vec![format!("ClientCapabilities.{holder}{member}")];
    covered.pair("capability.added", &none, &from, |member, _| declared("from", member));
    covered.pair("capability.moved", &from, &to, |member, _| declared("to", member));
    assert_eq!(NAMES.len(), 27);
    let names: BTreeSet<&str> = NAMES.iter().flat_map(|(_, member, root)| [*member, *root]).collect();
    assert_eq!(names.len(), 54, "no two names are written alike");
    let Covered { rules, changes, places } = covered;
    // The others are about what no schema gives a name to.
    let others: Vec<&str> = CATALOGUE.iter().map(|rule| rule.id).filter(|id| !rules.contains(*id)).collect();
    assert_eq!((rules.len(), changes, places), (43, 2340, 800), "{others:?}");
}

#[test]
fn a_name_finds_its_definition_however_it_is_written() {
    let with = |more: bool| {
        definitions(|index| {
            let mut definition = own(index);
            if more {
                definition["properties"][format!("more{index}")] = json!({ "type": "string" });
            }
            definition
        })
    };
    let (old, new) = (written(&with(false), "old"), written(&with(true), "new"));
    let found = |wanted: &str, editions: [&Edition; 2]| -> Vec<String> {
        let [old, new] = editions;
        let subject = Subject::find(wanted, editions.into_iter()).unwrap_or_else(|alike| panic!("{wanted}: {alike:?}"));
        let mut report = compare(old, new);
        subject.keep(&mut report);
        report.changes.iter().map(super::rule_and_path).collect()
    };
    for (index, (name, _, root)) in NAMES.into_iter().enumerate() {
        let expected = [format!("field.added-optional {root}.more{index}")];
        assert_eq!(found(root, [&old, &new]), expected, "{name} as paths have it");
        // No other name is written like this one is spelled.
        assert_eq!(found(name, [&old, &new]), expected, "{name} as it is");
    }
    let (none, all) = (written(&small(json!({})), "old"), written(&methods("ClientRequest", true), "new"));
    for (name, _, root) in NAMES {
        for wanted in [name, root] {
            let found = found(wanted, [&none, &all]);
            assert!(found.contains(&format!("method.added {root}")), "{wanted}: {found:?}");
        }
    }
    assert_eq!(Subject::find("a.c", [&old].into_iter()), Err(vec!["\"a.b\"".to_owned()]));
}

#[test]
fn a_member_that_looks_like_two_steps_is_one() {
    let with_rank = |definitions: &[&str]| {
        let mut schema = official("2025-11-25");
        for definition in definitions {
            schema["$defs"][definition]["properties"]["io.example/rank"] =
                json!({ "type": "integer", "description": "Its rank." });
            let required = schema["$defs"][definition]["required"].as_array_mut().expect("required members");
            required.push(json!("io.example/rank"));
        }
        written(&schema, "ranked")
    };
    let (old, new) = (with_rank(&[]), with_rank(&["Tool", "Prompt", "Resource"]));
    let report = compare(&old, &new);
    let [change] = &report.changes[..] else { panic!("{:?}", report.changes) };
    assert_eq!(super::rule_and_path(change), r#"field.added-required *["io.example/rank"]"#);
    let places: Vec<String> = change.places.iter().map(|place| place.path.to_string()).collect();
    assert_eq!(places, ["Prompt", "Resource", "Tool"].map(|name| format!(r#"{name}["io.example/rank"]"#)));
    assert_eq!(ignored(&report, &change.rule, &change.path.to_string()).changes, []);
    // What other members are called makes no difference to it, whatever they look like when they are written badly.
    let two = |inner: &str, dotted: &str| {
        let inner = object(json!({ inner: { "type": "string" } }), &[]);
        let told = object(json!({ "a": inner, dotted: { "type": "string" }, "answer": { "type": "string" } }), &[]);
        written(&small(json!({ "Told": told })), "two")
    };
    let report = compare(&two("x", "y"), &two("b", "a.b"));
    let of = |path: &str| -> &Change {
        report.changes.iter().find(|change| change.path.to_string() == path).unwrap_or_else(|| panic!("{path}"))
    };
    assert_ne!(of("Told.a.b").fingerprint, of(r#"Told["a.b"]"#).fingerprint);
    // Outside of quotation marks, a star still stands for any text where nothing has exactly that path.
    for (pattern, gone) in [("Told.*", 1), ("Told*", 2), (r#"Told["*"]"#, 0), (r#"*["a.b"]"#, 1), ("*.b*", 2), ("*", 2)]
    {
        let mut left = report.clone();
        let entry = ignore::Entry {
            rule: "field.added-optional".to_owned(),
            path: pattern.to_owned(),
            reason: "why".to_owned(),
            expires: "2027-01-31".to_owned(),
        };
        ignore::apply(&mut left, &[entry], "2026-01-01");
        assert_eq!((left.ignored.len(), left.warnings.len()), (gone, usize::from(gone == 0)), "{pattern}");
    }
}

#[test]
fn a_path_with_a_star_names_one_change_where_there_is_one() {
    let told = |kind: &str| {
        let value = json!({ "type": kind });
        let mut told = object(json!({ "x": value, "y": value }), &[]);
        told["additionalProperties"] = value;
        written(&small(json!({ "Told": told })), kind)
    };
    let report = compare(&told("integer"), &told("string"));
    let paths: Vec<String> = report.changes.iter().map(|change| change.path.to_string()).collect();
    assert_eq!(paths, ["Told.*", "Told.x", "Told.y"]);
    let left = ignored(&report, "field.type-changed", "Told.*");
    assert_eq!(left.changes.iter().map(|change| change.path.to_string()).collect::<Vec<_>>(), ["Told.x", "Told.y"]);
    // Where the values are as they were, it stands for the members again.
    let mut members = report.clone();
    members.changes.remove(0);
    assert_eq!(ignored(&members, "field.type-changed", "Told.*").changes, []);
}

#[test]
fn what_stands_beside_the_definitions_is_no_definition() {
    let noted = |note: &str| {
        let mut schema = small(json!({ "x-note": { "type": "string", "default": note }, "Told": refer("x-note") }));
        schema["x-note"] = json!(note);
        written(&schema, note)
    };
    let report = compare(&noted("a"), &noted("b"));
    let paths: BTreeSet<String> = report.changes.iter().map(|change| change.path.to_string()).collect();
    assert_eq!(paths, [r##"#["x-note"]"##, "x-note"].map(str::to_owned).into());
    Covered::default().pasted(&report);
}

#[test]
fn a_text_that_is_no_path_is_not_read() {
    for text in [
        "",
        ".",
        ".a",
        "Tool.",
        "Tool..a",
        "Tool.a-b",
        "Tool.2",
        "Tool[",
        "Tool[]]",
        "Tool[a]",
        "Tool[\"a]",
        "Tool[\"a\"",
        "Tool[\"\\x\"]",
        "Tool |",
        "Tool | ",
        "Tool|A",
        "Tool a",
        "\"Tool",
        "Tool\"",
        "**",
        "Tool.io.modelcontextprotocol/",
        "#a",
    ] {
        assert!(text.parse::<Path<'_>>().is_err(), "{text}");
    }
    // Quotation marks are never wrong, and go where there is no need for them.
    for (text, plain) in [
        (r#""Tool"["title"]"#, "Tool.title"),
        (r#"Tool["io.modelcontextprotocol/a"][]"#, "Tool.io.modelcontextprotocol/a[]"),
    ] {
        assert_eq!(text.parse::<Path<'_>>().expect("a path").to_string(), plain);
    }
}
