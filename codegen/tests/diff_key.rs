//! The comparison of neighbouring revisions against lists of what changed, which were made by reading the schemas.
//!
//! The lists are in `changes/`. They are compared both ways: what is listed has to be found, and what is found has to be
//! listed. Where the two differ for a reason, the reason is in [`EXCEPTIONS`].

#![allow(clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use mcp_wire_codegen::diff::report::{Change, Report};
use mcp_wire_codegen::diff::rules::rule;
use mcp_wire_codegen::diff::{Edition, compare};
use mcp_wire_codegen::load;
use serde_json::Value;

const PAIRS: [(&str, &str); 4] = [
    ("2024-11-05", "2025-03-26"),
    ("2025-03-26", "2025-06-18"),
    ("2025-06-18", "2025-11-25"),
    ("2025-11-25", "2026-07-28"),
];

/// A kind of change in the lists.
struct Kind {
    name: &'static str,
    /// The rules that find it where it is visible on the wire.
    wire: &'static [&'static str],
    /// The rules that find it where only the schema changed.
    refactor: &'static [&'static str],
    /// The argument of a change that is the first word of the detail.
    argument: Option<&'static str>,
}

const fn kind(name: &'static str, wire: &'static [&'static str], refactor: &'static [&'static str]) -> Kind {
    Kind { name, wire, refactor, argument: None }
}

const fn kind_with(
    name: &'static str,
    argument: &'static str,
    wire: &'static [&'static str],
    refactor: &'static [&'static str],
) -> Kind {
    Kind { name, wire, refactor, argument: Some(argument) }
}

/// Which rules find what the lists speak of.
///
/// The lists of messages are unions, and the envelope of a request is made of members; a change of a method or of batches
/// has these as places of its own.
const KINDS: &[Kind] = &[
    kind("type-added", &["type.added"], &["refactor.type-named", "refactor.helper-added"]),
    kind("type-removed", &["type.removed"], &["refactor.helper-removed"]),
    kind("type-renamed", &[], &["refactor.type-renamed"]),
    kind("type-redefined", &["type.redefined"], &[]),
    kind("type-changed", &[], &["refactor.type-named", "refactor.dialect"]),
    // A value that may be one thing more is wider, whether or not the schema called it a union before.
    kind("type-widened", &["field.type-widened", "union.member-added"], &[]),
    kind("type-narrowed", &["field.type-narrowed"], &[]),
    kind("null-allowed", &["field.null-allowed"], &[]),
    kind("constraint-loosened", &["constraint.loosened"], &[]),
    kind("constraint-tightened", &["constraint.tightened"], &[]),
    kind("field-added-optional", &["field.added-optional"], &["refactor.envelope-written-out"]),
    kind("field-added-required", &["field.added-required"], &["refactor.envelope-written-out"]),
    kind("field-removed-optional", &["field.removed-optional"], &["refactor.envelope-implied"]),
    kind("field-removed-required", &["field.removed-required", "method.moved"], &[]),
    kind("became-optional", &["field.became-optional"], &[]),
    kind("became-required", &["field.became-required"], &[]),
    kind_with("enum-value-added", "value", &["enum.value-added"], &[]),
    kind_with(
        "union-member-added",
        "alternative",
        &["union.member-added", "method.added", "method.result-changed", "batch.added"],
        &["refactor.type-renamed"],
    ),
    kind_with(
        "union-member-removed",
        "alternative",
        &["union.member-removed", "method.removed", "method.moved", "method.direction-changed", "batch.removed"],
        &["refactor.type-renamed"],
    ),
    kind("capability-added", &["capability.added"], &[]),
    kind("capability-removed", &["capability.removed"], &[]),
    kind("method-added", &["method.added"], &[]),
    kind("method-removed", &["method.removed"], &[]),
    kind("method-moved", &["method.moved"], &[]),
    kind("method-direction-changed", &["method.direction-changed"], &[]),
    kind_with("error-code-added", "code", &["error-code.added"], &[]),
    kind_with("error-code-removed", "code", &["error-code.removed"], &[]),
    kind_with("error-code-changed", "old", &["error-code.changed"], &[]),
    kind("batch-added", &["batch.added"], &[]),
    kind("batch-removed", &["batch.removed"], &[]),
    kind("deprecated", &["deprecated.added"], &[]),
];

/// How a list and a comparison may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    /// A line of class `wire` that no change is about.
    Missing,
    /// A change, or a place of one, that no line is about.
    Unlisted,
    /// A line of class `refactor` that is reported as visible on the wire.
    Visible,
    /// A line of class `refactor` that is not reported at all.
    Silent,
}

/// Differences that are matters of judgement.
struct Exception {
    pair: &'static str,
    difference: Difference,
    /// Lines as `kind path`, followed by the alternative of a union; places of changes as `rule path`.
    subjects: &'static [&'static str],
    reason: &'static str,
}

const EXCEPTIONS: &[Exception] = &[
    Exception {
        pair: "2024-11-05..2025-03-26",
        difference: Difference::Unlisted,
        subjects: &["method.gate-changed completion/complete"],
        reason: "The list has the new capability and not what it is needed for, which only the specification says.",
    },
    Exception {
        pair: "2025-03-26..2025-06-18",
        difference: Difference::Silent,
        subjects: &[
            "constraint-loosened JSONRPCRequest.params._meta",
            "constraint-loosened ListRootsRequest.params._meta",
            "constraint-loosened PingRequest.params._meta",
            "constraint-loosened Request.params._meta",
        ],
        reason: "An object that is open by default and one that is declared to be open are the same in the model.",
    },
    Exception {
        pair: "2025-06-18..2025-11-25",
        difference: Difference::Silent,
        subjects: &["type-changed $schema"],
        reason: "The dialect is reported once, at its most visible sign, the keyword of the definitions.",
    },
    Exception {
        pair: "2025-06-18..2025-11-25",
        difference: Difference::Silent,
        subjects: &["type-changed ClientCapabilities.elicitation", "type-changed ClientCapabilities.sampling"],
        reason: "An open object that declares members now is no change beside the members, which are reported.",
    },
    Exception {
        pair: "2025-06-18..2025-11-25",
        difference: Difference::Unlisted,
        subjects: &[
            "method.result-changed elicitation/create",
            "method.result-changed sampling/createMessage",
            "method.result-changed tools/call",
        ],
        reason: "The list has the new result type and the members that ask for it; which methods it answers is known \
                 from descriptions only.",
    },
    Exception {
        pair: "2025-06-18..2025-11-25",
        difference: Difference::Visible,
        subjects: &["type-redefined JSONRPCResponse"],
        reason: "No message shows it, but whoever looks the definition up by its name finds another one, as with \
                 EnumSchema; it hurts nobody.",
    },
    Exception {
        pair: "2025-06-18..2025-11-25",
        difference: Difference::Unlisted,
        subjects: &["refactor.rewritten JSONRPCMessage"],
        reason: "The list has the alternatives with new names one by one; the union that names them is one change more.",
    },
    Exception {
        pair: "2025-11-25..2026-07-28",
        difference: Difference::Missing,
        subjects: &[
            "null-allowed CallToolResult.structuredContent",
            "null-allowed ToolResultContent.structuredContent",
        ],
        reason: "A member that may be any value may be null, so that its wider type says it already.",
    },
    Exception {
        pair: "2025-11-25..2026-07-28",
        difference: Difference::Missing,
        subjects: &["constraint-loosened Tool.inputSchema", "constraint-loosened Tool.outputSchema"],
        reason: "Both objects were open before and now say so; what this means for the members that are declared no more \
                 is reported.",
    },
    Exception {
        pair: "2025-11-25..2026-07-28",
        difference: Difference::Missing,
        subjects: &["deprecated CreateMessageRequestParams.includeContext"],
        reason: "The list has both steps, soft-deprecated and deprecated for good; new code should leave the values alone \
                 from the first one on, where it is reported.",
    },
    Exception {
        pair: "2025-11-25..2026-07-28",
        difference: Difference::Missing,
        subjects: &["deprecated RequestMetaObject.io.modelcontextprotocol/logLevel"],
        reason: "The member is new and deprecated at once; it is reported as new, since nobody can have used it.",
    },
    Exception {
        pair: "2025-11-25..2026-07-28",
        difference: Difference::Missing,
        subjects: &["type-added DiscoverResultResponse", "type-added SubscriptionsListenResultResponse"],
        reason: "They repeat the envelope around results that are reported with their methods, as the responses of older \
                 methods do, which the list has as refactors.",
    },
    Exception {
        pair: "2025-11-25..2026-07-28",
        difference: Difference::Unlisted,
        subjects: &[
            "refactor.helper-added DiscoverResultResponse",
            "refactor.helper-added SubscriptionsListenResultResponse",
        ],
        reason: "This is how the two responses are reported that the list has as visible.",
    },
    Exception {
        pair: "2025-11-25..2026-07-28",
        difference: Difference::Unlisted,
        subjects: &[
            "method.result-changed prompts/get",
            "method.result-changed resources/read",
            "method.result-changed tools/call",
        ],
        reason: "The list has the result types that came and went and not which methods they answer.",
    },
    Exception {
        pair: "2025-11-25..2026-07-28",
        difference: Difference::Unlisted,
        subjects: &[
            "method.moved ServerRequest | CreateMessageRequest",
            "method.moved ServerRequest | ElicitRequest",
            "method.moved ServerRequest | ListRootsRequest",
            "method.removed ServerRequest | CancelTaskRequest",
            "method.removed ServerRequest | GetTaskPayloadRequest",
            "method.removed ServerRequest | GetTaskRequest",
            "method.removed ServerRequest | ListTasksRequest",
            "method.removed ServerRequest | PingRequest",
        ],
        reason: "This is how the list of messages is reported that is gone as a whole.",
    },
    Exception {
        pair: "2025-11-25..2026-07-28",
        difference: Difference::Visible,
        subjects: &["type-added ResultType"],
        reason: "The schema repeats a plain string where its source refers to this type, which is corrected before the \
                 comparison; so messages contain it.",
    },
    Exception {
        pair: "2025-11-25..2026-07-28",
        difference: Difference::Silent,
        subjects: &[
            "type-changed ClientNotification",
            "union-member-removed ClientNotification | CancelledNotification",
            "field-added-required ClientNotification.jsonrpc",
            "field-added-required ClientNotification.method",
            "field-added-required ClientNotification.params",
            "type-changed ClientResult",
        ],
        reason: "A union that is written as its only alternative is read as the union that it stands for.",
    },
    Exception {
        pair: "2025-11-25..2026-07-28",
        difference: Difference::Silent,
        subjects: &["type-narrowed JSONObject.*"],
        reason: "The schema forgets some values by mistake, which is corrected before the comparison.",
    },
    Exception {
        pair: "2025-11-25..2026-07-28",
        difference: Difference::Silent,
        subjects: &["type-changed ListRootsRequest.params"],
        reason: "One use of a definition that others still use is written out; what it lost is reported.",
    },
    Exception {
        pair: "2025-11-25..2026-07-28",
        difference: Difference::Unlisted,
        subjects: &["refactor.rewritten ElicitRequestParams", "refactor.rewritten NumberSchema"],
        reason: "The list has neither the order of alternatives nor the correction of a known error of the old schema.",
    },
];

/// A line of a list.
struct Line {
    kind: &'static Kind,
    path: String,
    is_wire: bool,
    detail: String,
}

impl Line {
    /// The first word of the detail.
    fn word(&self) -> &str {
        self.detail.split_whitespace().next().unwrap_or_default()
    }

    fn subject(&self) -> String {
        match self.kind.argument {
            Some("alternative") => format!("{} {} | {}", self.kind.name, self.path, self.word()),
            _ => format!("{} {}", self.kind.name, self.path),
        }
    }

    /// The definitions that took the place of the path.
    fn references(&self) -> impl Iterator<Item = &str> {
        let after = self.detail.split_once("->").map_or("", |(_, after)| after);
        let names = after.split("$ref ").skip(1);
        names.map(|text| text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default())
    }

    /// Whether a change is what the line says, as far as one of its places goes.
    fn is_wire_at(&self, change: &Change, place: &Spellings) -> bool {
        if !self.kind.wire.contains(&change.rule.as_str()) {
            return false;
        }
        match self.kind.argument {
            Some("alternative") if !change.rule.starts_with("union.") => {
                place.has(&format!("{} | {}", self.path, self.word()))
            }
            Some(argument) => place.has(&self.path) && text(change, argument) == self.word(),
            None => place.has(&self.path),
        }
    }

    /// The same for a change of the schema alone.
    fn is_refactor_at(&self, change: &Change, place: &Spellings) -> bool {
        if !self.kind.refactor.contains(&change.rule.as_str()) {
            return false;
        }
        // An alternative that has another name now is the alternative that it was: the renaming tells it all.
        match self.kind.name {
            "union-member-added" => text(change, "new") == self.word(),
            "union-member-removed" => text(change, "old") == self.word(),
            _ => place.has(&self.path),
        }
    }
}

fn text(change: &Change, argument: &str) -> String {
    match change.arguments.get(argument) {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => String::new(),
    }
}

/// A path as it is, and as it is called where a part of it has a name of its own in the new revision.
struct Spellings(Vec<String>);

impl Spellings {
    fn new(path: &str, lines: &[Line]) -> Self {
        let mut all = vec![path.to_owned()];
        for line in lines.iter().filter(|line| line.kind.name == "type-changed") {
            if let Some(rest) = path.strip_prefix(&line.path)
                && (rest.is_empty() || rest.starts_with(['.', '[']))
            {
                all.extend(line.references().map(|name| format!("{name}{rest}")));
            }
        }
        Self(all)
    }

    fn has(&self, path: &str) -> bool {
        self.0.iter().any(|known| known == path)
    }
}

fn lines(pair: &str) -> Vec<Line> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/changes").join(format!("{pair}.tsv"));
    let text = std::fs::read_to_string(file).expect("the list");
    let mut seen = BTreeSet::new();
    let lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [kind, path, class @ ("wire" | "refactor"), detail] = columns.as_slice() else {
            panic!("{pair}: not kind, path, class and detail: {line}")
        };
        let Some(kind) = KINDS.iter().find(|known| known.name == *kind) else {
            panic!("{pair}: an unknown kind: {line}")
        };
        let is_wire = *class == "wire";
        let line = Line { kind, path: (*path).to_owned(), is_wire, detail: (*detail).to_owned() };
        assert!(seen.insert(line.subject()), "{pair}: listed twice: {}", line.subject());
        line
    });
    lines.collect()
}

/// A change with its places, each in all its spellings.
struct Seen<'a> {
    change: &'a Change,
    path: Spellings,
    places: Vec<(String, Spellings)>,
}

fn seen<'a>(changes: &'a [Change], lines: &[Line]) -> Vec<Seen<'a>> {
    let places = |change: &'a Change| {
        let paths = change.places.iter().map(|place| place.path.to_string());
        paths.map(|path| (path.clone(), Spellings::new(&path, lines))).collect()
    };
    let seen = |change: &'a Change| Seen {
        change,
        path: Spellings::new(&change.path.to_string(), lines),
        places: places(change),
    };
    changes.iter().map(seen).collect()
}

impl Seen<'_> {
    fn is(&self, line: &Line, at: fn(&Line, &Change, &Spellings) -> bool) -> bool {
        at(line, self.change, &self.path) || self.places.iter().any(|(_, place)| at(line, self.change, place))
    }
}

/// What a comparison with a list comes to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    wire_lines: usize,
    wire_lines_found: usize,
    refactor_lines: usize,
    refactor_lines_found: usize,
    changes: usize,
    places: usize,
    refactors: usize,
    refactored_places: usize,
}

/// The differences between a list and a report, each with what it is about and with a remark for people.
fn differences(lines: &[Line], report: &Report) -> (Vec<(Difference, String, String)>, Counts) {
    let (changes, refactors) = (seen(&report.changes, lines), seen(&report.refactors, lines));
    let mut found = Vec::new();
    let mut add = |difference, subject, remark: &str| found.push((difference, subject, remark.to_owned()));
    let mut counts = Counts {
        changes: changes.len(),
        places: changes.iter().map(|change| change.places.len()).sum(),
        refactors: refactors.len(),
        refactored_places: refactors.iter().map(|change| change.places.len()).sum(),
        ..Counts::default()
    };

    // A change is visible by a line that says so; one that only lines about the schema are about should not be.
    let is_wire = |change: &Seen<'_>| lines.iter().any(|line| line.is_wire && change.is(line, Line::is_wire_at));
    let (agreed, alone): (Vec<&Seen<'_>>, Vec<&Seen<'_>>) = changes.iter().partition(|change| is_wire(change));

    for line in lines {
        let times = agreed.iter().filter(|change| change.is(line, Line::is_wire_at)).count();
        if line.is_wire {
            counts.wire_lines += 1;
            // One line is one change: what is reported twice is reported wrongly once. Only a result that answers
            // several methods is a place of each of them.
            let may_repeat = line.path == "ServerResult" || line.path == "ClientResult";
            match times {
                1 => counts.wire_lines_found += 1,
                2.. if may_repeat => counts.wire_lines_found += 1,
                _ => add(Difference::Missing, line.subject(), &format!("found {times} times: {}", line.detail)),
            }
            continue;
        }
        counts.refactor_lines += 1;
        if let Some(Seen { change, .. }) = alone.iter().find(|change| change.is(line, Line::is_wire_at)) {
            add(Difference::Visible, line.subject(), &change.message.to_string());
        } else if times > 0 || refactors.iter().any(|change| change.is(line, Line::is_refactor_at)) {
            // A base that no message contains may be a place of a change that other places make visible.
            counts.refactor_lines_found += 1;
        } else {
            add(Difference::Silent, line.subject(), &line.detail);
        }
    }

    for Seen { change, places, .. } in &changes {
        for (path, place) in places {
            if !lines.iter().any(|line| line.is_wire_at(change, place)) {
                add(Difference::Unlisted, format!("{} {path}", change.rule), &change.message.to_string());
            }
        }
    }
    for Seen { change, places, .. } in &refactors {
        for (path, place) in places {
            if !lines.iter().any(|line| !line.is_wire && line.is_refactor_at(change, place)) {
                add(Difference::Unlisted, format!("{} {path}", change.rule), &change.message.to_string());
            }
        }
    }
    (found, counts)
}

fn report(old: &str, new: &str) -> Report {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
    let sources = load::sources(&folder).expect("the schema folder");
    let edition =
        |name| Edition::revision(&folder, &sources, name).expect("a revision").expect("a revision of the project");
    compare(&edition(old), &edition(new))
}

fn check(old: &str, new: &str, expected: &Counts) {
    let report = report(old, new);
    let pair = format!("{old}..{new}");
    let lines = lines(&pair);
    let (differences, counts) = differences(&lines, &report);

    let mut open: BTreeSet<(Difference, &str)> = BTreeSet::new();
    let mut reasons = Vec::new();
    for exception in EXCEPTIONS.iter().filter(|exception| exception.pair == pair) {
        for subject in exception.subjects {
            assert!(open.insert((exception.difference, subject)), "{pair}: two exceptions for {subject}");
            reasons.push((exception.difference, *subject, exception.reason));
        }
    }
    let mut message = String::new();
    for (difference, subject, remark) in &differences {
        let is_known = reasons.iter().any(|(kind, known, _)| kind == difference && known == subject);
        open.remove(&(*difference, subject.as_str()));
        if !is_known {
            let _ = writeln!(message, "{difference:?}: {subject}: {remark}");
        }
    }
    for (difference, subject, reason) in &reasons {
        if open.contains(&(*difference, *subject)) {
            let _ = writeln!(message, "an exception that nothing needs: {difference:?}: {subject}: {reason}");
        }
    }
    assert!(message.is_empty(), "{pair}: the list and the comparison differ:\n{message}{counts:#?}");
    assert_eq!(&counts, expected, "{pair}");
}

#[test]
fn from_2024_11_05_to_2025_03_26() {
    check(
        "2024-11-05",
        "2025-03-26",
        &Counts {
            wire_lines: 14,
            wire_lines_found: 14,
            refactor_lines: 7,
            refactor_lines_found: 7,
            changes: 10,
            places: 15,
            refactors: 2,
            refactored_places: 7,
        },
    );
}

#[test]
fn from_2025_03_26_to_2025_06_18() {
    check(
        "2025-03-26",
        "2025-06-18",
        &Counts {
            wire_lines: 40,
            wire_lines_found: 40,
            refactor_lines: 12,
            refactor_lines_found: 8,
            changes: 20,
            places: 42,
            refactors: 3,
            refactored_places: 5,
        },
    );
}

#[test]
fn from_2025_06_18_to_2025_11_25() {
    check(
        "2025-06-18",
        "2025-11-25",
        &Counts {
            wire_lines: 112,
            wire_lines_found: 112,
            refactor_lines: 127,
            refactor_lines_found: 123,
            changes: 75,
            places: 116,
            refactors: 35,
            refactored_places: 123,
        },
    );
}

#[test]
fn from_2025_11_25_to_2026_07_28() {
    check(
        "2025-11-25",
        "2026-07-28",
        &Counts {
            wire_lines: 219,
            wire_lines_found: 211,
            refactor_lines: 84,
            refactor_lines_found: 75,
            changes: 114,
            places: 265,
            refactors: 27,
            refactored_places: 76,
        },
    );
}

/// If this failed, a change could be lost, or a line could be wrong, without anybody noticing.
#[test]
fn every_change_and_every_visible_line_counts() {
    for (old, new) in PAIRS {
        let (mut lines, mut report) = (lines(&format!("{old}..{new}")), report(old, new));
        let (all, _) = differences(&lines, &report);
        for index in 0..report.changes.len() {
            let change = report.changes.remove(index);
            assert_ne!(differences(&lines, &report).0, all, "nobody misses {} {}", change.rule, change.path);
            report.changes.insert(index, change);
        }
        for index in 0..lines.len() {
            let line = lines.remove(index);
            if line.is_wire {
                assert_ne!(differences(&lines, &report).0, all, "nobody misses {}", line.subject());
            }
            lines.insert(index, line);
        }
    }
}

#[test]
fn the_tables_name_what_exists() {
    for kind in KINDS {
        for id in kind.wire.iter().chain(kind.refactor) {
            assert!(rule(id).is_some(), "{}: no rule is called {id}", kind.name);
        }
    }
    let pairs = PAIRS.map(|(old, new)| format!("{old}..{new}"));
    for exception in EXCEPTIONS {
        assert!(pairs.iter().any(|pair| pair == exception.pair), "no list is called {}", exception.pair);
        assert!(!exception.subjects.is_empty() && exception.reason.ends_with('.'), "{}", exception.reason);
    }
}
