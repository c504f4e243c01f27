//! What surrounds a comparison: positions in schema files, ignore files, and the formats for other programs.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

#[path = "../../tests/src/pinned.rs"]
mod pinned;
mod revisions;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path as File;

use mcp_wire_codegen::diff::ignore::{self, Entry};
use mcp_wire_codegen::diff::lines::{Lines, Position};
use mcp_wire_codegen::diff::nearest::nearest;
use mcp_wire_codegen::diff::path::Path;
use mcp_wire_codegen::diff::print::Files;
use mcp_wire_codegen::diff::print::github::github;
use mcp_wire_codegen::diff::print::sarif::sarif;
use mcp_wire_codegen::diff::report::{
    Area, Change, Flow, Message, Outcome, Place, Report, Severity, Side, Summary, Verdict,
};
use mcp_wire_codegen::diff::rules::Rule;
use pinned::assert_pinned;
use revisions::revisions;
use serde_json::{Value, json};

mod lines {
    use super::*;

    fn schema(revision: &str) -> String {
        let path = File::new(env!("CARGO_MANIFEST_DIR")).join("../schema").join(revision).join("schema.json");
        std::fs::read_to_string(path).unwrap()
    }

    /// Every pointer of a document with the name of its last step, if it is a member.
    fn pointers(document: &Value) -> Vec<(String, Option<String>)> {
        let mut found = Vec::new();
        let mut open = vec![(String::new(), None, document)];
        while let Some((pointer, name, value)) = open.pop() {
            match value {
                Value::Object(members) => open.extend(members.iter().map(|(name, value)| {
                    let step = name.replace('~', "~0").replace('/', "~1");
                    (format!("{pointer}/{step}"), Some(name.clone()), value)
                })),
                Value::Array(items) => {
                    let items = items.iter().enumerate();
                    open.extend(items.map(|(index, value)| (format!("{pointer}/{index}"), None, value)));
                }
                _ => {}
            }
            found.push((pointer, name));
        }
        found
    }

    /// The text from a position on.
    fn text_at<'a>(lines: &[&'a str], Position { line, column }: Position) -> &'a str {
        let line = lines[line - 1];
        let start = line.char_indices().nth(column - 1).unwrap().0;
        &line[start..]
    }

    /// Checks every pointer of a text and returns how many there are.
    fn check(text: &str) -> usize {
        let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
        let document: Value = serde_json::from_str(bare).unwrap();
        let split: Vec<&str> = bare.split('\n').collect();
        let lines = Lines::new(text);
        let mut seen = BTreeSet::new();
        let pointers = pointers(&document);
        for (pointer, name) in &pointers {
            let position = lines.find(pointer).unwrap();
            assert!(seen.insert(position), "{pointer} is found where something else is");
            let rest = text_at(&split, position);
            if let Some(name) = name {
                let read = serde_json::Deserializer::from_str(rest).into_iter::<String>().next().unwrap().unwrap();
                assert_eq!(&read, name, "{pointer}");
            } else {
                let start = match document.pointer(pointer).unwrap() {
                    Value::Object(_) => "{".to_owned(),
                    Value::Array(_) => "[".to_owned(),
                    scalar => scalar.to_string(),
                };
                assert!(rest.starts_with(&start), "{pointer}: {start} and not {rest}");
            }
        }
        pointers.len()
    }

    #[test]
    fn every_pointer_of_the_official_schemas_is_found_where_it_stands() {
        for revision in revisions() {
            let text = schema(revision);
            let count = check(&text);
            // The same file as an editor on Windows would save it.
            assert_eq!(check(&format!("\u{feff}{}", text.replace('\n', "\r\n"))), count);
            assert_pinned(revision, "pointers", count);
        }
    }

    #[test]
    fn names_are_compared_as_what_they_mean() {
        let text = "\u{feff}{\"a/b~c\": {\"\\u0041\\n\\\"\\\\\\/\": 1},\r\n \"\\ud83d\\ude00\": [0,\t{\"ä\": null, \"x\": 2}], \"\": {\"\": true}}";
        assert_eq!(check(text), 10);
        let lines = Lines::new(text);
        let at = |line, column| Some(Position { line, column });
        assert_eq!(lines.find(""), at(1, 1));
        assert_eq!(lines.find("/a~1b~0c"), at(1, 2));
        assert_eq!(lines.find("/a~1b~0c/A\n\"\\~1"), at(1, 12));
        assert_eq!(lines.find("/😀"), at(2, 2));
        assert_eq!(lines.find("/😀/0"), at(2, 19));
        assert_eq!(lines.find("/😀/1/x"), at(2, 34));
        assert_eq!(lines.find("//"), at(2, 49));
    }

    #[test]
    fn a_pointer_to_nowhere_finds_what_is_around_it() {
        let lines = Lines::new("{\n  \"a\": [\n    7\n  ]\n}");
        let at = |line, column| Some(Position { line, column });
        assert_eq!(lines.find("/a/0"), at(3, 5));
        assert_eq!(lines.find("/a/0/b/c"), at(3, 5));
        for missing in ["/a/1", "/a/00", "/a/+0", "/a/-", "/a/x/0"] {
            assert_eq!(lines.find(missing), at(2, 3), "{missing}");
        }
        for missing in ["", "/", "/b/0", "a", "nonsense"] {
            assert_eq!(lines.find(missing), at(1, 1), "{missing}");
        }
    }

    #[test]
    fn the_last_of_repeated_names_counts() {
        let text = r#"{"a": {"x": 1, "y": 2}, "a": {"x": 3}}"#;
        let lines = Lines::new(text);
        assert_eq!(lines.find("/a"), Some(Position { line: 1, column: 25 }));
        assert_eq!(lines.find("/a/x"), Some(Position { line: 1, column: 31 }));
        assert_eq!(lines.find("/a/y"), lines.find("/a"));
        assert_eq!(check(text), 3);
    }

    #[test]
    fn no_text_makes_it_panic() {
        let base = "{\"a\": [1, \"\\ud83d\\ude00\\u00\", {\"\\ud800\\ud800x\\u\": null}], \"b\\";
        for (cut, _) in base.char_indices() {
            Lines::new(&base[..cut]).find("/a/1");
            Lines::new(&base[cut..]).find("/a/1");
        }
        for text in ["", " ", "\u{feff}", "]", "}}{", "{:", "[,,]", "{\"a\" \"b\" 1}", "1 2 3", "\"\\", "{\"\\u", "\0"]
        {
            let lines = Lines::new(text);
            lines.find("");
            lines.find("/a/b");
        }
        assert_eq!(Lines::new(" \u{feff}").find(""), Some(Position { line: 1, column: 2 }));
        assert_eq!(Lines::new("\n").find("/a"), None);
    }

    #[test]
    fn depth_and_width_cost_no_more_than_their_size() {
        let deep = "[".repeat(300_000) + &"]".repeat(300_000);
        let pointer = "/0".repeat(299_999);
        assert_eq!(Lines::new(&deep).find(&pointer), Some(Position { line: 1, column: 300_000 }));
        let wide: Vec<String> = (0..200_000).map(|index| format!("\"m{index}\":0")).collect();
        let lines = Lines::new(&format!("{{{}}}", wide.join("\n,")));
        for index in 0..200_000 {
            assert_eq!(lines.find(&format!("/m{index}")).unwrap().line, index + 1);
        }
    }
}

fn side(name: &str) -> Side {
    Side {
        name: name.to_owned(),
        file: format!("schema/{name}/schema.json"),
        sha256: format!("hash of {name}"),
        definitions: 1,
        methods: 1,
        read_as: None,
        corrections: Vec::new(),
    }
}

fn verdict(outcome: Outcome, capabilities: &[&str]) -> Verdict {
    let capabilities = capabilities.iter().map(|name| (*name).to_owned()).collect();
    Verdict { outcome, capabilities, reason: None }
}

fn at(path: &str) -> Path<'static> {
    path.parse().unwrap()
}

fn place(path: &str, old: Option<&str>, new: Option<&str>) -> Place {
    Place { path: at(path), old: old.map(str::to_owned), new: new.map(str::to_owned), ..Place::default() }
}

fn change(rule: &str, severity: Severity, area: &str, path: &str, places: Vec<Place>) -> Change {
    Change {
        rule: rule.to_owned(),
        fingerprint: format!("{rule}@{path}"),
        severity,
        area: area.to_owned(),
        path: at(path),
        arguments: BTreeMap::new(),
        message: Message::new(at(path), "changed", 1),
        reason: "It matters.".to_owned(),
        before: None,
        after: None,
        note: None,
        flow: Flow { client_to_server: false, server_to_client: true },
        old_client_new_server: match severity {
            Severity::Breaking => verdict(Outcome::Breaks, &[]),
            _ => Verdict::default(),
        },
        new_client_old_server: match severity {
            Severity::Breaking => verdict(Outcome::Unless, &[area]),
            _ => Verdict::default(),
        },
        places,
    }
}

fn empty() -> Report {
    Report {
        format: 1,
        old: side("2025-06-18"),
        new: side("2025-11-25"),
        assumptions: Vec::new(),
        summary: Summary::default(),
        changes: Vec::new(),
        documentation: Vec::new(),
        refactors: Vec::new(),
        ignored: Vec::new(),
        warnings: Vec::new(),
        types: Vec::new(),
    }
}

/// One change of every kind.
fn report() -> Report {
    let old = "/$defs/Tool/properties/title";
    let mut report = empty();
    report.changes = vec![
        change(
            "enum.value-added",
            Severity::Compatible,
            "logging",
            "Level",
            vec![place("Level", Some("/$defs/Level"), Some("/$defs/Level"))],
        ),
        change(
            "field.removed",
            Severity::Breaking,
            "tools",
            "Base.title",
            vec![
                place("Tool.title", Some(old), None),
                place("Prompt.title", Some("/$defs/Prompt/properties/title"), None),
                place("Level.title", None, Some("/$defs/Level")),
            ],
        ),
        change("method.removed", Severity::Breaking, "prompts", "prompts/get", vec![]),
        change("deprecated", Severity::Notice, "tools", "Tool", vec![place("Tool", None, Some("/$defs/Tool"))]),
    ];
    report.documentation = vec![change(
        "description",
        Severity::Documentation,
        "tools",
        "Tool",
        vec![place("Tool", None, Some("/$defs/Tool"))],
    )];
    report.refactors = vec![change("renamed", Severity::Refactor, "tools", "Tool", vec![])];
    report.summary.rules.insert("never".to_owned(), 0);
    for name in ["tools", "logging", "prompts"] {
        report.summary.areas.push(Area { name: name.to_owned(), ..Area::default() });
    }
    // Nothing is ignored by nothing, but everything is counted.
    ignore::apply(&mut report, &[], "2026-01-01");
    report
}

const OLD: &str = r#"{"$defs": {
  "Level": {},
  "Prompt": {"properties": {"title": {}}},
  "Tool": {"properties": {"title": {}}}
}}"#;
const NEW: &str = r#"{"$defs": {

  "Level": {},
  "Prompt": {}, "Tool": {}
}}"#;

fn files(report: &Report) -> Files {
    let mut files = Files::new();
    files.add(&report.old, Lines::new(OLD));
    files.add(&report.new, Lines::new(NEW));
    files
}

mod counting {
    use super::*;

    #[test]
    fn counts_and_verdicts_come_from_the_lists() {
        let summary = report().summary;
        let Summary { breaking, compatible, notices, documentation, refactors, ignored, .. } = summary;
        assert_eq!([breaking, compatible, notices, documentation, refactors, ignored], [2, 1, 1, 1, 1, 0]);
        let areas: Vec<_> =
            summary.areas.iter().map(|it| (it.name.as_str(), it.breaking, it.compatible, it.notices)).collect();
        assert_eq!(areas, [("tools", 1, 0, 1), ("logging", 0, 1, 0), ("prompts", 1, 0, 0)]);
        assert_eq!(summary.rules.values().sum::<usize>(), 6);
        assert_eq!(summary.rules["never"], 0);
        assert_eq!(summary.old_client_new_server.outcome, Outcome::Breaks);
        assert_eq!(summary.old_client_new_server.reason.as_deref(), Some("`Base.title`, `prompts/get`"));
        assert_eq!(summary.new_client_old_server.capabilities, ["prompts", "tools"]);
        assert_eq!(summary.new_client_old_server.reason.as_deref(), Some("`Base.title`, `prompts/get`"));
    }

    #[test]
    fn areas_that_were_not_listed_follow_in_the_order_of_the_changes() {
        let mut report = report();
        report.summary.areas.clear();
        ignore::apply(&mut report, &[], "2026-01-01");
        let names: Vec<&str> = report.summary.areas.iter().map(|area| area.name.as_str()).collect();
        assert_eq!(names, ["logging", "tools", "prompts"]);
    }

    #[test]
    fn nothing_is_safe() {
        let mut report = empty();
        ignore::apply(&mut report, &[], "2026-01-01");
        assert_eq!(report, empty());
    }
}

mod ignoring {
    use super::*;

    const RULES: [&str; 5] = ["field.removed", "field.removed-optional", "method.removed", "description", "renamed"];

    fn parse(text: &str) -> Result<Vec<Entry>, String> {
        ignore::parse(File::new("ignore.toml"), text, &RULES).map_err(|error| error.to_string())
    }

    fn entry(rule: &str, path: &str, expires: &str) -> Entry {
        Entry { rule: rule.to_owned(), path: path.to_owned(), reason: "why".to_owned(), expires: expires.to_owned() }
    }

    fn with(rule: &str, path: &str, reason: &str, expires: &str) -> String {
        format!("[[ignore]]\nrule = \"{rule}\"\npath = \"{path}\"\nreason = \"{reason}\"\nexpires = {expires}\n")
    }

    #[test]
    fn dates_are_read_with_and_without_quotation_marks() {
        let text = with("field.removed", "Tool.title", "why", "2027-01-31")
            + &with("field.removed", "Tool.*", "why", "\"2028-02-29\"");
        let expected =
            [entry("field.removed", "Tool.title", "2027-01-31"), entry("field.removed", "Tool.*", "2028-02-29")];
        assert_eq!(parse(&text).unwrap(), expected);
        assert_eq!(parse(&format!("\u{feff}{}", text.replace('\n', "\r\n"))).unwrap(), expected);
        assert_eq!(parse("").unwrap(), []);
    }

    #[test]
    fn a_file_is_read_or_named_in_the_error() {
        let folder = std::env::temp_dir().join(format!("mcp-wire-ignore-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("ignore.toml");
        std::fs::write(&path, with("renamed", "Tool", "why", "2027-01-31")).unwrap();
        let read = ignore::read(&path, &RULES).unwrap();
        std::fs::write(&path, b"\xff").unwrap();
        let error = ignore::read(&path, &RULES).unwrap_err().to_string();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(read, [entry("renamed", "Tool", "2027-01-31")]);
        assert!(error.contains("ignore.toml: not UTF-8"), "{error}");
        let error = ignore::read(&path, &RULES).unwrap_err().to_string();
        assert!(error.contains("ignore.toml: ") && error.ends_with("check the path"), "{error}");
    }

    #[test]
    fn days_that_do_not_exist_are_refused() {
        for date in [
            "2027-02-29",
            "2100-02-29",
            "2027-04-31",
            "2027-13-01",
            "2027-00-01",
            "2027-01-00",
            "2027-01-32",
            "2027-1-1",
            "27-01-01",
            "+027-01-01",
            "2027-01-01-",
            "2027-01-01T00:00:00Z",
            "tomorrow",
            "",
            "２０２７-01-01",
            "2027/01/01",
        ] {
            let error = parse(&with("renamed", "Tool", "why", &format!("\"{date}\""))).unwrap_err();
            let expected = format!(
                "ignore.toml#/ignore/0/expires: `{date}` is not a date\n  write the last day as \"YYYY-MM-DD\""
            );
            assert_eq!(error, expected);
        }
        for date in ["2027-01-01T00:00:00Z", "2027-01-01 00:00:00", "12:00:00", "20270101", "true", "[]"] {
            let error = parse(&with("renamed", "Tool", "why", date)).unwrap_err();
            assert!(error.contains("is not a date"), "{error}");
        }
        for date in ["2024-02-29", "2000-02-29", "2027-12-31", "0000-01-01", "9999-12-31"] {
            parse(&with("renamed", "Tool", "why", &format!("\"{date}\""))).unwrap();
        }
    }

    #[test]
    fn errors_say_what_was_found_and_what_to_do() {
        let good = with("field.removed", "Tool.title", "why", "2027-01-31");
        for (text, expected) in [
            ("[[ignored]]\n".to_owned(), "unknown field `ignored`"),
            (good.clone() + "until = 1\n", "unknown field `until`"),
            (good.replace("reason = \"why\"\n", ""), "missing field `reason`"),
            (good.replace("expires = 2027-01-31\n", ""), "missing field `expires`"),
            (good.replace("\"why\"", "7"), "invalid type: integer"),
            (good.replace("2027-01-31", "2027-02-30"), "line 5"),
            ("[[ignore".to_owned(), "line 1"),
            (
                good.replace("why", " "),
                "#/ignore/0/reason: `field.removed` at `Tool.title` is ignored without a reason",
            ),
            (good.replace("Tool.title", ""), "#/ignore/0/path: the path is empty"),
            (
                good.replace("field.removed", "field.remved"),
                "#/ignore/0/rule: there is no rule `field.remved`\n  did you mean `field.removed`?",
            ),
            (
                good.replace("field.removed", "removed"),
                "did you mean `field.removed` or `field.removed-optional` or `method.removed`?",
            ),
            (
                good.replace("field.removed", "nonsense"),
                "there is no rule `nonsense`\n  use the id of a rule of the catalogue, as the report states it beside the change",
            ),
            (
                good.clone() + &good,
                "#/ignore/1/path: `field.removed` at `Tool.title` is already ignored by entry 1\n  keep one of the two",
            ),
        ] {
            let error = parse(&text).unwrap_err();
            assert!(error.starts_with("ignore.toml") && error.contains(expected), "{error}\n\nexpected {expected}");
        }
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let text = format!("ignore = {}", "[".repeat(100_000));
        assert!(parse(&text).is_err());
    }

    #[test]
    fn a_change_goes_by_its_own_path() {
        let mut report = report();
        ignore::apply(&mut report, &[entry("field.removed", "Base.title", "2026-01-01")], "2026-01-01");
        assert_eq!(report.warnings, [""; 0]);
        assert_eq!(report.changes.len(), 3);
        assert_eq!(report.ignored.len(), 1);
        let ignored = &report.ignored[0];
        assert_eq!((ignored.rule.as_str(), &ignored.path), ("field.removed", &at("Base.title")));
        assert_eq!((ignored.reason.as_str(), ignored.expires.as_str()), ("why", "2026-01-01"));
        assert_eq!(ignored.fingerprint, "field.removed@Base.title");
        let summary = &report.summary;
        assert_eq!((summary.breaking, summary.ignored, summary.rules["field.removed"]), (1, 1, 0));
        assert_eq!(summary.areas.iter().map(|it| it.breaking).collect::<Vec<_>>(), [0, 0, 1]);
        assert_eq!(summary.old_client_new_server.reason.as_deref(), Some("`prompts/get`"));
        assert_eq!(summary.new_client_old_server.words(), "safe unless `prompts` is used");
    }

    #[test]
    fn a_change_goes_when_all_its_places_do() {
        for entries in [
            vec![entry("field.removed", "*.title", "2027-01-01")],
            ["Tool.title", "Prompt.*", "L*l.t*e"].map(|path| entry("field.removed", path, "2027-01-01")).to_vec(),
        ] {
            let mut report = report();
            // `*.title` must not match because of the change's own path here.
            report.changes[1].path = at("Base");
            ignore::apply(&mut report, &entries, "2026-01-01");
            assert_eq!(report.warnings, [""; 0]);
            assert_eq!(report.ignored.iter().map(|it| it.path.to_string()).collect::<Vec<_>>(), ["Base"]);
            assert!(report.changes.iter().all(|change| change.rule != "field.removed"));
        }
    }

    #[test]
    fn a_change_stays_with_the_places_that_are_not_ignored() {
        let mut report = report();
        ignore::apply(&mut report, &[entry("field.removed", "Prompt.*", "2027-01-01")], "2026-01-01");
        let change = report.changes.iter().find(|change| change.path.to_string() == "Base.title").expect("the change");
        let paths: Vec<String> = change.places.iter().map(|place| place.path.to_string()).collect();
        assert_eq!(paths, ["Tool.title", "Level.title"]);
        assert_eq!(change.message.to_string(), "`Base.title` changed (2 of its 3 places)");
        assert_eq!(report.ignored.iter().map(|it| it.path.to_string()).collect::<Vec<_>>(), ["Prompt.title"]);
        assert_eq!((report.summary.breaking, report.summary.ignored), (2, 1));
    }

    #[test]
    fn all_lists_are_searched_and_rules_are_told_apart() {
        let mut report = report();
        let entries = [entry("description", "T*", "2027-01-01"), entry("renamed", "*", "2027-01-01")];
        ignore::apply(&mut report, &entries, "2026-01-01");
        assert_eq!((report.changes.len(), report.documentation.len(), report.refactors.len()), (4, 0, 0));
        assert_eq!(report.ignored.len(), 2);
        assert_eq!(report.warnings, [""; 0]);
        // Without places, only the path of the change itself counts.
        ignore::apply(&mut report, &[entry("method.removed", "prompts", "2027-01-01")], "2026-01-01");
        assert_eq!(report.changes.len(), 4);
    }

    #[test]
    fn patterns_match_whole_paths() {
        for (pattern, path, expected) in [
            ("Tool", "Tool.title", false),
            ("title", "Tool.title", false),
            ("*title", "Tool.title", true),
            ("Tool*", "Tool", true),
            ("*", "\"\"", true),
            ("**", "x", true),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*ab*ab", "xabab", true),
            ("*ab*ab", "xab", false),
            ("a*b*c", "a-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("*.title", "*.title", true),
            ("tool.title", "Tool.title", false),
        ] {
            let mut report = report();
            report.changes.truncate(1);
            report.changes[0].path = at(path);
            report.changes[0].places.clear();
            ignore::apply(&mut report, &[entry("enum.value-added", pattern, "2027-01-01")], "2026-01-01");
            assert_eq!(report.changes.is_empty(), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn expired_entries_and_those_without_a_change_only_warn() {
        let mut report = report();
        let before = report.changes.clone();
        let entries =
            [entry("field.removed", "Base.title", "2026-01-01"), entry("field.removed", "Nothing.title", "2026-01-02")];
        ignore::apply(&mut report, &entries, "2026-01-02");
        assert_eq!(report.changes, before);
        assert_eq!(
            report.warnings,
            [
                "`field.removed` at `Base.title` expired on 2026-01-01: remove the entry, or give it a later date if its \
                 reason still holds (why)",
                "`field.removed` at `Nothing.title` matches no change: remove the entry",
            ]
        );
    }

    #[test]
    fn overlapping_entries_are_both_of_use() {
        let mut report = report();
        let entries = [entry("field.removed", "*", "2027-01-01"), entry("field.removed", "Tool.title", "2027-01-01")];
        ignore::apply(&mut report, &entries, "2026-01-01");
        assert_eq!(report.warnings, [""; 0]);
        assert_eq!(report.ignored.len(), 1);
    }

    #[test]
    fn an_entry_has_to_match_in_one_of_several_reports() {
        let mut reports = [empty(), report(), report()];
        let entries = [entry("field.removed", "Base.title", "2027-01-01"), entry("renamed", "No", "2027-01-01")];
        ignore::apply_all(&mut reports, &entries, "2026-01-01");
        assert_eq!(reports.each_ref().map(|report| report.ignored.len()), [0, 1, 1]);
        assert_eq!(reports.each_ref().map(|report| report.warnings.len()), [1, 0, 0]);
    }

    #[test]
    fn today_is_a_date() {
        let today = ignore::today();
        parse(&with("renamed", "Tool", "why", &today)).unwrap();
        assert!(today.as_str() > "2025-01-01", "{today}");
    }
}

#[test]
fn close_names_are_suggested_and_others_are_not() {
    let near = |wanted| nearest(wanted, revisions());
    assert_eq!(near("2025-11-26"), ["2025-11-25", "2025-03-26"]);
    assert_eq!(near("2025"), ["2025-03-26", "2025-06-18", "2025-11-25"]);
    assert_eq!(near("20251125"), ["2025-11-25"]);
    assert_eq!(near("latest"), [""; 0]);
    assert_eq!(near(""), [""; 0]);
    assert_eq!(near(&"2025-11-25".repeat(100_000)), [""; 0]);
    let rules = ["field.removed", "field.removed", "field.added", "Tool.title"];
    assert_eq!(nearest("Field.Removed ", rules.into_iter()), ["field.removed"]);
    assert_eq!(nearest("filed.removed", rules.into_iter()), ["field.removed"]);
    assert_eq!(nearest("added", rules.into_iter()), ["field.added"]);
    assert_eq!(nearest("x", ["", "y", "ab"].into_iter()), ["", "y"]);
}

mod annotations {
    use super::*;

    const TAIL: &str =
        "Client of 2025-06-18 with server of 2025-11-25: safe. Client of 2025-11-25 with server of 2025-06-18: safe.";

    #[test]
    fn every_level_has_its_command_and_breaking_ones_come_first() {
        let report = report();
        let text = github(std::slice::from_ref(&report), &files(&report));
        let breaks = |area: &str| {
            format!(
                "Client of 2025-06-18 with server of 2025-11-25: breaks. \
                 Client of 2025-11-25 with server of 2025-06-18: safe unless `{area}` is used."
            )
        };
        let expected = [
            format!("::error file=schema/2025-06-18/schema.json,line=4,col=27,title=field.removed%3A Base.title::`Base.title` changed. It matters. {} In 2 more places.", breaks("tools")),
            format!("::error file=schema/2025-11-25/schema.json,title=method.removed%3A prompts/get::`prompts/get` changed. It matters. {}", breaks("prompts")),
            format!("::warning file=schema/2025-11-25/schema.json,line=4,col=17,title=deprecated%3A Tool::`Tool` changed. It matters. {TAIL}"),
            format!("::notice file=schema/2025-11-25/schema.json,line=3,col=3,title=enum.value-added%3A Level::`Level` changed. It matters. {TAIL}"),
            "::notice title=mcp-wire%3A 2025-06-18 → 2025-11-25::2 breaking, 1 compatible, 1 deprecated, 1 reworded, 1 in the schema alone.%0AClient of 2025-06-18 with server of 2025-11-25: breaks.%0AClient of 2025-11-25 with server of 2025-06-18: safe unless `prompts` or `tools` is used.".to_owned(),
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        assert!(text.ends_with('\n'));
    }

    #[test]
    fn nothing_comes_of_nothing() {
        assert_eq!(github(&[], &Files::new()), "");
        assert_eq!(github(&[empty(), empty()], &Files::new()), "");
    }

    #[test]
    fn a_schema_cannot_give_commands() {
        let mut report = report();
        report.changes.truncate(1);
        report.new.file = "a,b:c%\n.json".to_owned();
        let path = Path::of("x,line=7::\r\n::error::y");
        report.changes[0].message = Message::new(path.clone(), "50% of it:\n::error::fail\r\n::stop-commands::x", 1);
        report.changes[0].path = path;
        report.warnings.push("first\n::error::second".to_owned());
        let text = github(std::slice::from_ref(&report), &Files::new());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], "::warning title=mcp-wire%3A ignore file::first%0A::error::second");
        let start = "::notice file=a%2Cb%3Ac%25%0A.json,title=enum.value-added%3A \"x%2Cline=7%3A%3A\\r\\n%3A%3Aerror%3A%3Ay\"::\
                     `\"x,line=7::\\r\\n::error::y\"` 50%25 of it:%0A::error::fail%0D%0A::stop-commands::x. It matters.";
        assert!(lines[1].starts_with(start), "{}", lines[1]);
        assert_eq!(text.matches('\r').count(), 0);
    }

    #[test]
    fn the_summary_is_among_the_notices_that_are_shown() {
        let mut report = report();
        let compatible = report.changes[0].clone();
        for (count, expected) in [(9, 9), (10, 9), (40, 9)] {
            report.changes = vec![compatible.clone(); count];
            let text = github(&[report.clone()], &Files::new());
            assert_eq!(text.lines().count(), count + 1);
            assert_eq!(text.lines().position(|line| line.starts_with("::notice title=mcp-wire")), Some(expected));
            let text = github(&vec![report.clone(); 12], &Files::new());
            assert_eq!(text.lines().count(), 12 * (count + 1));
        }
    }
}

mod sarif_log {
    use super::*;

    const fn rule(id: &'static str, title: &'static str, reason: &'static str, severity: Severity) -> Rule {
        Rule { id, title, reason, severity, mirror: id }
    }

    const RULES: [Rule; 4] = [
        rule("never", "never", "It never applies", Severity::Breaking),
        rule("field.removed", "a member is gone", "Whoever reads {it} waits.", Severity::Breaking),
        rule("enum.value-added", "a new value", "New.", Severity::Compatible),
        rule("deprecated", "deprecated", "It will go.", Severity::Notice),
    ];

    fn keys(value: &Value) -> Vec<&str> {
        value.as_object().unwrap().keys().map(String::as_str).collect()
    }

    /// Whether an object has all of the first keys, and others only of the second.
    fn shape(value: &Value, required: &[&str], optional: &[&str]) {
        for key in required {
            assert!(value.get(key).is_some(), "{key} is missing in {value}");
        }
        for key in keys(value) {
            assert!(required.contains(&key) || optional.contains(&key), "{key} is not expected in {value}");
        }
    }

    fn check_message(message: &Value) {
        shape(message, &["text"], &[]);
        let text = message["text"].as_str().unwrap();
        assert!(!text.is_empty());
        assert!(!text.contains("]("), "a link in {text}");
        let single = text.replace("{{", "").replace("}}", "");
        assert!(!single.contains(['{', '}']), "a placeholder in {text}");
    }

    fn check_uri(uri: &str) {
        let path = uri.strip_prefix("file:").unwrap_or(uri);
        let legal = |character: char| character.is_ascii_alphanumeric() || "/-._~%:".contains(character);
        assert!(!uri.is_empty() && path.chars().all(legal), "{uri}");
        for (index, _) in path.match_indices('%') {
            assert!(path[index + 1..index + 3].chars().all(|it| it.is_ascii_hexdigit()), "{uri}");
        }
    }

    fn check_location(location: &Value, related: bool) {
        let own = ["physicalLocation", "logicalLocations"];
        if related {
            shape(location, &[own[0], own[1], "id", "message"], &[]);
            check_message(&location["message"]);
            assert!(location["id"].is_u64());
        } else {
            shape(location, &own, &[]);
        }
        let physical = &location["physicalLocation"];
        shape(physical, &["artifactLocation"], &["region"]);
        shape(&physical["artifactLocation"], &["uri"], &[]);
        check_uri(physical["artifactLocation"]["uri"].as_str().unwrap());
        if let Some(region) = physical.get("region") {
            shape(region, &["startLine", "startColumn"], &[]);
            assert!(region["startLine"].as_u64().unwrap() >= 1 && region["startColumn"].as_u64().unwrap() >= 1);
        }
        let logical = location["logicalLocations"].as_array().unwrap();
        assert_eq!(logical.len(), 1);
        shape(&logical[0], &["fullyQualifiedName"], &[]);
        assert!(logical[0]["fullyQualifiedName"].is_string());
    }

    /// What SARIF 2.1.0 requires of the objects that are used, and that nothing else is used.
    fn check(text: &str) -> Value {
        let log: Value = serde_json::from_str(text).unwrap();
        shape(&log, &["$schema", "version", "runs"], &[]);
        assert_eq!(log["version"], "2.1.0");
        assert!(log["$schema"].as_str().unwrap().ends_with("/sarif-2.1.0.json"));
        assert_eq!(log["runs"].as_array().unwrap().len(), 1);
        let run = &log["runs"][0];
        shape(run, &["tool", "results", "columnKind", "invocations"], &[]);
        assert_eq!(run["columnKind"], "unicodeCodePoints");
        shape(&run["invocations"][0], &["executionSuccessful"], &["toolConfigurationNotifications"]);
        assert_eq!(run["invocations"][0]["executionSuccessful"], true);
        for notification in run["invocations"][0]["toolConfigurationNotifications"].as_array().into_iter().flatten() {
            shape(notification, &["message", "level"], &[]);
            check_message(&notification["message"]);
        }
        shape(&run["tool"], &["driver"], &[]);
        let driver = &run["tool"]["driver"];
        shape(driver, &["name", "version", "informationUri", "rules"], &[]);
        assert_eq!(driver["name"], "mcp-wire");
        assert_eq!(driver["version"], env!("CARGO_PKG_VERSION"));
        assert!(driver["informationUri"].as_str().unwrap().starts_with("https://"));
        let levels = ["none", "note", "warning", "error"];
        let mut ids = BTreeSet::new();
        for rule in driver["rules"].as_array().unwrap() {
            shape(rule, &["id"], &["shortDescription", "fullDescription", "defaultConfiguration"]);
            assert!(ids.insert(rule["id"].as_str().unwrap()), "{rule} is listed twice");
            if rule.get("shortDescription").is_some() {
                check_message(&rule["shortDescription"]);
                check_message(&rule["fullDescription"]);
                shape(&rule["defaultConfiguration"], &["level"], &[]);
                assert!(levels.contains(&rule["defaultConfiguration"]["level"].as_str().unwrap()));
            }
        }
        for result in run["results"].as_array().unwrap() {
            let required =
                ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints", "properties"];
            shape(result, &required, &["relatedLocations", "suppressions"]);
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(driver["rules"][index]["id"], result["ruleId"]);
            assert!(levels.contains(&result["level"].as_str().unwrap()));
            check_message(&result["message"]);
            assert_eq!(result["locations"].as_array().unwrap().len(), 1);
            check_location(&result["locations"][0], false);
            let related: Vec<&Value> = result["relatedLocations"].as_array().into_iter().flatten().collect();
            related.iter().for_each(|location| check_location(location, true));
            let ids: BTreeSet<u64> = related.iter().map(|location| location["id"].as_u64().unwrap()).collect();
            assert_eq!(ids.len(), related.len());
            assert_eq!(keys(&result["partialFingerprints"]), ["mcpWireChange/v1"]);
            assert!(result["partialFingerprints"]["mcpWireChange/v1"].is_string());
            assert!(result["properties"].is_object());
            for suppression in result["suppressions"].as_array().into_iter().flatten() {
                shape(suppression, &["kind", "status", "justification", "properties"], &[]);
                assert_eq!((&suppression["kind"], &suppression["status"]), (&json!("external"), &json!("accepted")));
            }
        }
        log
    }

    #[test]
    fn every_change_is_a_result_with_its_rule_level_and_places() {
        let report = report();
        let text = sarif(std::slice::from_ref(&report), &RULES, &files(&report)).unwrap();
        assert!(text.ends_with("}\n"));
        let log = check(&text);
        let run = &log["runs"][0];
        let rules: Vec<&str> = run["tool"]["driver"]["rules"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rule| rule["id"].as_str().unwrap())
            .collect();
        let expected =
            ["never", "field.removed", "enum.value-added", "deprecated", "method.removed", "description", "renamed"];
        assert_eq!(rules, expected);
        assert_eq!(
            run["tool"]["driver"]["rules"][1],
            json!({
                "id": "field.removed",
                "shortDescription": {"text": "a member is gone."},
                "fullDescription": {"text": "Whoever reads {{it}} waits."},
                "defaultConfiguration": {"level": "error"},
            })
        );
        let results = run["results"].as_array().unwrap();
        let levels: Vec<&str> = results.iter().map(|result| result["level"].as_str().unwrap()).collect();
        assert_eq!(levels, ["note", "error", "error", "warning", "note", "note"]);
        let at = |file: &str, line: usize, column: usize, path: &str| {
            json!({
                "physicalLocation": {
                    "artifactLocation": {"uri": format!("schema/{file}/schema.json")},
                    "region": {"startLine": line, "startColumn": column},
                },
                "logicalLocations": [{"fullyQualifiedName": path}],
            })
        };
        let related = |id: usize, mut location: Value| {
            let path = format!("`{}`", location["logicalLocations"][0]["fullyQualifiedName"].as_str().unwrap());
            location["id"] = json!(id);
            location["message"] = json!({"text": path});
            location
        };
        assert_eq!(
            results[1],
            json!({
                "ruleId": "field.removed",
                "ruleIndex": 1,
                "level": "error",
                "message": {"text": "`Base.title` changed. It matters. Client of 2025-06-18 with server of 2025-11-25: breaks. \
                    Client of 2025-11-25 with server of 2025-06-18: safe unless `tools` is used."},
                "locations": [at("2025-06-18", 4, 27, "Tool.title")],
                "relatedLocations": [
                    related(1, at("2025-06-18", 3, 29, "Prompt.title")),
                    related(2, at("2025-11-25", 3, 3, "Level.title")),
                ],
                "partialFingerprints": {"mcpWireChange/v1": "field.removed@Base.title"},
                "properties": {
                    "old": "2025-06-18",
                    "new": "2025-11-25",
                    "path": "Base.title",
                    "severity": "breaking",
                    "area": "tools",
                    "flow": {"client_to_server": false, "server_to_client": true},
                    "old_client_new_server": {"outcome": "breaks"},
                    "new_client_old_server": {"outcome": "unless", "capabilities": ["tools"]},
                },
            })
        );
        assert_eq!(results[4]["properties"]["severity"], "documentation");
        assert_eq!(results[5]["properties"]["severity"], "refactor");
    }

    #[test]
    fn ignored_changes_are_suppressed_and_told_apart_from_what_stays() {
        let mut report = report();
        let entries = [("field.removed", "Tool.title"), ("method.removed", "*")].map(|(rule, path)| Entry {
            rule: rule.to_owned(),
            path: path.to_owned(),
            reason: "nobody uses it".to_owned(),
            expires: "2027-01-31".to_owned(),
        });
        ignore::apply(&mut report, &entries, "2026-01-01");
        report.warnings.push("an {entry} is [stale](x)".to_owned());
        let log = check(&sarif(&[report], &RULES, &Files::new()).unwrap());
        let run = &log["runs"][0];
        let results = run["results"].as_array().unwrap();
        let suppressed: Vec<&Value> = results.iter().filter(|result| result.get("suppressions").is_some()).collect();
        assert_eq!((results.len(), suppressed.len()), (7, 2));
        assert_eq!(suppressed[0]["level"], "error");
        assert_eq!(
            suppressed[0]["suppressions"],
            json!([{
                "kind": "external",
                "status": "accepted",
                "justification": "nobody uses it",
                "properties": {"expires": "2027-01-31"},
            }])
        );
        assert_eq!(
            suppressed[0]["message"]["text"],
            "`field.removed` at `Tool.title` is ignored until 2027-01-31: nobody uses it."
        );
        let prints =
            suppressed.iter().map(|result| result["partialFingerprints"]["mcpWireChange/v1"].as_str().unwrap());
        let expected = ["field.removed@Base.title/Tool.title", "method.removed@prompts/get"];
        assert_eq!(prints.collect::<Vec<_>>(), expected);
        assert_eq!(
            run["invocations"][0]["toolConfigurationNotifications"],
            json!([{"level": "warning", "message": {"text": "an {{entry}} is [stale] (x)"}}])
        );
    }

    #[test]
    fn files_are_written_as_uris() {
        for (file, expected) in [
            ("schema/draft.json", "schema/draft.json"),
            ("./a/./b.json", "a/./b.json"),
            (".//b.json", "b.json"),
            ("../b.json", "../b.json"),
            ("a b/ä#?%.json", "a%20b/%C3%A4%23%3F%25.json"),
            ("a\\b.json", "a/b.json"),
            ("x:y.json", "x%3Ay.json"),
            ("/tmp/a b.json", "file:///tmp/a%20b.json"),
            ("C:\\my schemas\\b.json", "file:///C:/my%20schemas/b.json"),
            ("\\\\host\\share\\b.json", "file://host/share/b.json"),
        ] {
            let mut report = report();
            report.new.file = file.to_owned();
            let log = check(&sarif(&[report], &[], &Files::new()).unwrap());
            let location = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
            assert_eq!(location, &json!({"artifactLocation": {"uri": expected}}));
        }
    }

    #[test]
    fn nothing_is_a_run_without_results() {
        let log = check(&sarif(&[], &RULES, &Files::new()).unwrap());
        assert_eq!(log["runs"][0]["results"], json!([]));
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap().len(), 4);
        check(&sarif(&[empty()], &[], &Files::new()).unwrap());
    }

    #[test]
    fn hostile_names_stay_text() {
        let mut report = report();
        for change in &mut report.changes {
            let name = "[x](https://example.com){0}\"\u{0}\n";
            change.path = Path::of(name);
            change.message = Message::new(change.path.clone(), name, 1);
            change.places.iter_mut().for_each(|place| place.path = change.path.clone());
        }
        let log = check(&sarif(&[report.clone(), report], &RULES, &Files::new()).unwrap());
        assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 12);
    }
}
