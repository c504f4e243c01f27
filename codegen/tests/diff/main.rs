//! What a comparison finds, on the official revisions and on made-up pairs.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use mcp_wire_codegen::diff::print::text::Style;
use mcp_wire_codegen::diff::print::{Files, github, html, markdown, sarif, text};
use mcp_wire_codegen::diff::report::{Change, Outcome, Report, Severity, Verdict};
use mcp_wire_codegen::diff::rules::{CATALOGUE, rule};
use mcp_wire_codegen::diff::{Edition, Subject, compare};
use mcp_wire_codegen::load::{self, Sources};
use mcp_wire_codegen::model::Phase;
use serde_json::{Map, Value, json};

mod hostile;
mod keywords;
mod odd_names;
mod only;
mod scale;
mod unsafe_claims;

const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const NEWEST: &str = REVISIONS[REVISIONS.len() - 1];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema")
}

static SOURCES: LazyLock<Sources> = LazyLock::new(|| load::sources(&folder()).expect("the schema folder"));

fn revision(name: &str) -> Edition {
    Edition::revision(&folder(), &SOURCES, name).expect("a revision").expect("a known one")
}

fn written(document: &Value, name: &str) -> Edition {
    let text = serde_json::to_vec(document).expect("JSON");
    let schema = load::bytes(Path::new(name), name, &text).expect("a schema");
    Edition::as_written(&folder(), &SOURCES, schema, name).expect("an edition")
}

fn official(name: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(name).join("schema.json")).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

fn all(report: &Report) -> impl Iterator<Item = &Change> {
    report.changes.iter().chain(&report.documentation).chain(&report.refactors)
}

/// `field.added-optional Tool.title`.
fn rule_and_path(change: &Change) -> String {
    format!("{} {}", change.rule, change.path)
}

fn has(report: &Report, rule: &str, path: &str) -> bool {
    all(report).any(|change| {
        change.rule == rule
            && (change.path.to_string() == path || change.places.iter().any(|place| place.path.to_string() == path))
    })
}

/// All pairs of different revisions, in both directions.
fn pairs() -> Vec<(Edition, Edition)> {
    let mut pairs = Vec::new();
    for old in REVISIONS {
        pairs.extend(REVISIONS.iter().filter(|new| **new != old).map(|new| (revision(old), revision(new))));
    }
    assert_eq!(pairs.len(), 20);
    pairs
}

#[test]
fn an_edition_as_written_keeps_its_document_as_it_was_read() {
    for source in &SOURCES.revisions {
        let schema = load::official(&folder(), source).expect("a schema");
        let edition = Edition::as_written(&folder(), &SOURCES, schema.clone(), &source.name).expect("an edition");
        // As text, so that the order of members counts too.
        assert_eq!(edition.document().to_string(), schema.document.to_string(), "{}", source.name);
    }
}

#[test]
fn every_rule_has_a_mirror_and_runs_on_every_pair() {
    let ids: BTreeSet<&str> = CATALOGUE.iter().map(|rule| rule.id).collect();
    assert_eq!((CATALOGUE.len(), ids.len()), (56, 56), "ids are unique");
    for each in CATALOGUE {
        let mirror = rule(each.mirror).unwrap_or_else(|| panic!("{} has no mirror", each.id));
        assert_eq!(mirror.mirror, each.id, "the mirror of the mirror");
        assert_eq!(mirror.severity, each.severity, "{} and its mirror", each.id);
        assert!(each.reason.ends_with('.') && !each.title.is_empty(), "{}", each.id);
    }
    for (old, new) in pairs() {
        let report = compare(&old, &new);
        let run: BTreeSet<&str> = report.summary.rules.keys().map(String::as_str).collect();
        assert_eq!(run, ids, "{} and {}", old.name, new.name);
        let found: usize = report.summary.rules.values().sum();
        assert_eq!(found, all(&report).count(), "every change is counted once");
    }
}

/// What a change is, seen from the other side.
fn seen(change: &Change, swapped: bool) -> Value {
    let places: BTreeSet<(Option<&str>, Option<&str>)> = change
        .places
        .iter()
        .map(|place| {
            let (old, new) = (place.old.as_deref(), place.new.as_deref());
            if swapped { (new, old) } else { (old, new) }
        })
        .collect();
    let verdict = |verdict: &Verdict| json!([verdict.outcome, verdict.capabilities]);
    let (first, second) = (verdict(&change.old_client_new_server), verdict(&change.new_client_old_server));
    // A client of the old edition is one of the new edition in the mirror.
    let verdicts = if swapped { [second, first] } else { [first, second] };
    let texts = if swapped { [&change.after, &change.before] } else { [&change.before, &change.after] };
    let mut arguments = change.arguments.clone();
    if swapped && arguments.contains_key("old") {
        let (old, new) = (arguments.remove("old"), arguments.remove("new"));
        arguments.extend(new.map(|new| ("old".to_owned(), new)));
        arguments.extend(old.map(|old| ("new".to_owned(), old)));
    }
    let id = if swapped { rule(&change.rule).expect("a rule").mirror } else { &change.rule };
    // Client and server stay what they are, whichever edition they speak.
    json!([
        id,
        change.severity,
        change.flow,
        change.area,
        places.into_iter().collect::<Vec<_>>(),
        verdicts,
        texts,
        arguments
    ])
}

/// The changes of either report that have no mirror in the other one.
fn not_mirrored(there: &Report, back: &Report) -> Vec<String> {
    let mut changes: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for (report, swapped) in [(there, false), (back, true)] {
        for change in all(report) {
            changes.entry(seen(change, swapped).to_string()).or_default()[usize::from(swapped)] += 1;
        }
    }
    let unequal = changes.into_iter().filter(|(_, [there, back])| there != back);
    unequal.map(|(change, counts)| format!("{counts:?} {change}")).collect()
}

#[test]
fn the_other_way_round_the_report_is_mirrored() {
    let mut compared = 0;
    for (index, old) in REVISIONS.iter().enumerate() {
        for new in &REVISIONS[index + 1..] {
            let (old, new) = (revision(old), revision(new));
            let (there, back) = (compare(&old, &new), compare(&new, &old));
            assert_eq!(not_mirrored(&there, &back), Vec::<String>::new(), "{} and {}", old.name, new.name);
            compared += all(&there).count();
        }
    }
    assert!(compared > 1000, "only {compared} changes compared");
}

#[test]
fn neighbours_differ_in_this_many_ways() {
    // Breaking, compatible, notices, reworded descriptions, refactors.
    let expected = [(2, 8, 0, 4, 2), (3, 17, 0, 15, 3), (14, 59, 2, 22, 35), (34, 77, 3, 53, 27)];
    for (pair, expected) in REVISIONS.windows(2).zip(expected) {
        let summary = compare(&revision(pair[0]), &revision(pair[1])).summary;
        let counts = (summary.breaking, summary.compatible, summary.notices, summary.documentation, summary.refactors);
        assert_eq!(counts, expected, "{} → {}", pair[0], pair[1]);
        assert_eq!(summary.old_client_new_server.outcome, Outcome::Breaks);
        assert_eq!(summary.new_client_old_server.outcome, Outcome::Breaks);
        // The README says the same.
        let [old, new] = [pair[0], pair[1]];
        let (breaking, compatible, notices, ..) = counts;
        let row = format!("| [{old} → {new}](docs/changes/{old}..{new}.md) | {breaking} | {compatible} | {notices} |");
        let readme = std::fs::read_to_string(folder().join("../README.md")).expect("the README");
        assert!(readme.lines().any(|line| line == row), "the README lacks {row}");
    }
}

#[test]
fn small_changes_that_are_easily_missed() {
    let expected = [
        ("2024-11-05", "2025-03-26", "batch.added", "JSONRPCMessage"),
        ("2024-11-05", "2025-03-26", "union.member-added", "SamplingMessage.content"),
        ("2024-11-05", "2025-03-26", "method.gate-changed", "completion/complete"),
        ("2025-03-26", "2025-06-18", "batch.removed", "JSONRPCMessage"),
        ("2025-03-26", "2025-06-18", "field.added-optional", "PromptReference.title"),
        ("2025-03-26", "2025-06-18", "refactor.type-renamed", "ResourceTemplateReference"),
        ("2025-06-18", "2025-11-25", "field.became-optional", "JSONRPCErrorResponse.id"),
        ("2025-06-18", "2025-11-25", "field.became-optional", "CancelledNotificationParams.requestId"),
        ("2025-06-18", "2025-11-25", "type.redefined", "JSONRPCResponse"),
        ("2025-06-18", "2025-11-25", "type.redefined", "EnumSchema"),
        ("2025-06-18", "2025-11-25", "enum.value-added", "CreateMessageResult.stopReason"),
        ("2025-06-18", "2025-11-25", "deprecated.added", "CreateMessageRequestParams.includeContext"),
        ("2025-11-25", "2026-07-28", "field.became-required", "CancelledNotificationParams.requestId"),
        ("2025-11-25", "2026-07-28", "method.direction-changed", "notifications/progress"),
        ("2025-11-25", "2026-07-28", "constraint.tightened", "CompleteResult.completion.values"),
        ("2025-11-25", "2026-07-28", "method.moved", "roots/list"),
        ("2025-11-25", "2026-07-28", "error-code.changed", "RESOURCE_NOT_FOUND"),
        ("2025-11-25", "2026-07-28", "field.added-required", "ListToolsResult.ttlMs"),
        ("2025-11-25", "2026-07-28", "capability.removed", "ServerCapabilities.tasks.requests.tools.call"),
    ];
    for (old, new, rule, path) in expected {
        assert!(has(&compare(&revision(old), &revision(new)), rule, path), "{rule} at {path} in {new}");
    }
}

#[test]
fn verdicts_name_who_breaks() {
    let verdicts = |old: &str, new: &str, path: &str| {
        let report = compare(&revision(old), &revision(new));
        let change =
            report.changes.iter().find(|change| change.path.to_string() == path).unwrap_or_else(|| panic!("{path}"));
        (change.old_client_new_server.words(), change.new_client_old_server.words())
    };
    let words = |first: &str, second: &str| (first.to_owned(), second.to_owned());
    // Servers send content to clients, so an old client meets what it does not know.
    assert_eq!(
        verdicts("2025-03-26", "2025-06-18", "ContentBlock"),
        words("safe unless `prompts` or `tools` is used", "safe")
    );
    // Clients send these, so an old client lacks what a new server needs.
    assert_eq!(
        verdicts("2025-11-25", "2026-07-28", "PaginatedRequest.params"),
        words("safe unless `prompts`, `resources` or `tools` is used", "safe")
    );
    // No capability guards the handshake, and a server that waits for it refuses a client that never heard of it.
    assert_eq!(verdicts("2025-11-25", "2026-07-28", "initialize"), words("breaks", "breaks"));
    assert_eq!(verdicts("2026-07-28", "2025-11-25", "initialize"), words("breaks", "breaks"));
    assert_eq!(verdicts("2025-06-18", "2025-11-25", "JSONRPCErrorResponse.id"), words("breaks", "breaks"));
    // The absence of the member has a meaning, so a new client can do without it.
    assert_eq!(verdicts("2025-11-25", "2026-07-28", "Result.resultType"), words("safe", "safe"));
    // A result that comes only to who asks for it surprises nobody.
    assert_eq!(verdicts("2025-06-18", "2025-11-25", "tools/call"), words("safe", "safe"));
    assert_eq!(verdicts("2025-11-25", "2026-07-28", "tools/call"), words("safe unless `tools` is used", "safe"));
}

#[test]
fn a_change_flows_as_what_changed_does() {
    let flow = |old: &str, new: &str, rule: &str, path: &str| {
        let report = compare(&revision(old), &revision(new));
        let is = |change: &&Change| change.rule == rule && change.path.to_string() == path;
        let change = report.changes.iter().find(is).unwrap_or_else(|| panic!("{rule} {path}"));
        change.flow.name()
    };
    let (to_server, to_client, both) = ("client → server", "server → client", "both ways");
    let expected = [
        // An error of the new edition carries capabilities back to the client, but not those that are gone.
        ("capability.removed", "ClientCapabilities.roots.listChanged", to_server),
        ("capability.removed", "ClientCapabilities.tasks", to_server),
        ("capability.added", "ClientCapabilities.extensions", both),
        // Requests of servers had these params before; they have not since there is something in them.
        ("field.added-required", "RequestMetaObject.io.modelcontextprotocol/clientCapabilities", to_server),
        ("field.added-optional", "RequestMetaObject.io.modelcontextprotocol/logLevel", to_server),
        ("field.became-required", "RequestParams._meta", to_server),
        // A result travels against its request.
        ("method.result-changed", "tools/call", to_client),
        // One side stopped sending it, the other one goes on.
        ("method.direction-changed", "notifications/progress", both),
        // Errors of one side.
        ("error-code.added", "HEADER_MISMATCH", to_client),
        ("error-code.changed", "RESOURCE_NOT_FOUND", to_client),
        ("error-code.removed", "URL_ELICITATION_REQUIRED", to_client),
        ("type.removed", "URLElicitationRequiredError", to_client),
    ];
    for (rule, path, words) in expected {
        assert_eq!(flow("2025-11-25", "2026-07-28", rule, path), words, "{rule} {path}");
    }
    assert_eq!(flow("2025-06-18", "2025-11-25", "method.result-changed", "sampling/createMessage"), to_server);
    assert_eq!(flow("2025-06-18", "2025-11-25", "type.added", "URLElicitationRequiredError"), to_client);
    assert_eq!(flow("2025-06-18", "2025-11-25", "field.became-optional", "JSONRPCErrorResponse.id"), both);
}

#[test]
fn a_place_says_where_it_differs_from_its_change() {
    let report = compare(&revision("2024-11-05"), &revision("2025-03-26"));
    let is = |change: &&Change| change.arguments.get("alternative") == Some(&json!("AudioContent"));
    let change = report.changes.iter().find(is).expect("the alternative");
    assert_eq!(change.flow.name(), "both ways");
    let json = serde_json::to_value(change).expect("JSON");
    let own = |path: &str| {
        let place = json["places"].as_array().expect("places").iter().find(|place| place["path"] == path);
        let mut place = place.unwrap_or_else(|| panic!("{path}")).as_object().expect("a place").clone();
        ["path", "old", "new"].iter().for_each(|name| drop(place.shift_remove(*name)));
        Value::from(place)
    };
    let (reason, to_client) = (&change.reason, json!({ "client_to_server": false, "server_to_client": true }));
    let unless = |name: &str| json!({ "outcome": "unless", "capabilities": [name], "reason": reason });
    let safe = json!({ "outcome": "safe" });
    // Tools are called by clients: no server reads what they answer.
    assert_eq!(
        own("CallToolResult.content[]"),
        json!({ "flow": to_client, "old_client_new_server": unless("tools"), "new_client_old_server": safe })
    );
    // One verdict is that of the change, to which no other place has anything to add.
    let sampled = own("CreateMessageResult.content");
    assert_eq!((&sampled["old_client_new_server"], sampled.get("new_client_old_server")), (&safe, None));
    // What is the same in all places is said once.
    for change in all(&report).filter(|change| change.places.len() == 1) {
        let place = &change.places[0];
        assert_eq!((place.flow, &place.old_client_new_server), (None, &None), "{}", change.path);
    }
    // What is left of a change speaks of the places that are left, and they have nothing to add.
    let (report, _) = about("CallToolResult", "2024-11-05", "2025-03-26");
    let change = report.changes.iter().find(is).expect("the alternative");
    assert_eq!((change.flow.name(), change.places[0].flow), ("server → client", None));
    assert_eq!(change.places[0].old_client_new_server, None);
}

#[test]
fn a_finer_capability_takes_the_place_of_the_methods() {
    let (old, new) = (revision("2025-06-18"), revision("2025-11-25"));
    let report = compare(&old, &new);
    let alternative = |name: &str| {
        let is = |change: &&Change| change.rule == "union.member-added" && change.arguments["alternative"] == name;
        let change = report.changes.iter().find(is).unwrap_or_else(|| panic!("{name}"));
        [change.old_client_new_server.words(), change.new_client_old_server.words()]
    };
    // Who enters a union through this alternative has been told that it is understood.
    assert_eq!(alternative("ElicitRequestURLParams"), ["safe unless `elicitation.url` is used", "safe"]);
    for name in ["ToolUseContent", "ToolResultContent"] {
        assert_eq!(alternative(name), ["safe unless `sampling.tools` is used"; 2], "{name}");
    }
    // The others need what the method needs.
    assert_eq!(alternative("TitledSingleSelectEnumSchema"), ["safe unless `elicitation` is used", "safe"]);

    let base = written(&official("2025-11-25"), "base");
    let verdicts = |definition: &str, required: Value| {
        let mut draft = official("2025-11-25");
        draft["$defs"][definition]["required"] = required;
        let report = compare(&base, &written(&draft, "draft"));
        let [change] = &report.changes[..] else { panic!("{:?}", report.changes) };
        [change.old_client_new_server.words(), change.new_client_old_server.words()]
    };
    // What stands inside such a definition needs it, too.
    let safe_unless = |names: &str| format!("safe unless {names} is used");
    let tool_use = json!(["_meta", "id", "input", "name", "type"]);
    assert_eq!(
        verdicts("ToolUseContent", tool_use),
        [safe_unless("`sampling.tools`"), safe_unless("`sampling.tools`")]
    );
    // A tool is offered by a server, or to a model.
    let tool = json!(["description", "inputSchema", "name"]);
    assert_eq!(verdicts("Tool", tool), ["safe".to_owned(), safe_unless("`sampling.tools` or `tools`")]);
    // The member alone needs it, not all params that it is a member of.
    let mut draft = official("2025-11-25");
    let params = &mut draft["$defs"]["CreateMessageRequestParams"];
    params["properties"]["tools"]["maxItems"] = json!(3);
    params["properties"]["maxTokens"]["maximum"] = json!(3);
    let report = compare(&base, &written(&draft, "draft"));
    let found: Vec<(String, String)> =
        report.changes.iter().map(|change| (change.path.to_string(), change.new_client_old_server.words())).collect();
    assert_eq!(
        found,
        [
            ("CreateMessageRequestParams.maxTokens".to_owned(), safe_unless("`sampling`")),
            ("CreateMessageRequestParams.tools".to_owned(), safe_unless("`sampling.tools`")),
        ]
    );
}

#[test]
fn revisions_that_are_no_neighbours() {
    for old in ["2024-11-05", "2025-03-26", "2025-06-18"] {
        let report = compare(&revision(old), &revision("2026-07-28"));
        // Before 2025-11-25 only the envelope of all requests said that params may have the member.
        let meta =
            |change: &&Change| change.rule == "field.became-required" && change.path.to_string().ends_with("._meta");
        let required: Vec<String> = report
            .changes
            .iter()
            .filter(meta)
            .flat_map(|change| &change.places)
            .map(|place| place.path.to_string())
            .collect();
        assert_eq!(required.len(), 9, "{old}: {required:?}");
        assert!(has(&report, "field.added-required", "RequestMetaObject.io.modelcontextprotocol/protocolVersion"));
        // The definition has another name, and refers to one that changed.
        assert!(has(&report, "refactor.type-renamed", "JSONRPCResultResponse"), "{old}");
        assert!(
            !all(&report)
                .any(|change| change.rule.starts_with("union.") && change.path.to_string() == "JSONRPCMessage")
        );
        // Two lists with the same messages are two lists; the methods of the one that is gone tell of it, too.
        assert!(has(&report, "type.added", "InputRequest") && has(&report, "type.removed", "ServerRequest"), "{old}");
        assert!(has(&report, "method.moved", "ServerRequest | ListRootsRequest"), "{old}");
    }
}

#[test]
fn what_hurts_nobody_says_why() {
    let (old, new) = (revision("2025-06-18"), revision("2025-11-25"));
    let report = compare(&old, &new);
    let alternative = |name: &str| {
        let is = |change: &&Change| change.rule == "union.member-added" && change.arguments["alternative"] == name;
        report.changes.iter().find(is).unwrap_or_else(|| panic!("{name}"))
    };
    // It is the old `EnumSchema` without names, so an old reader gets all there is.
    let untitled = alternative("UntitledSingleSelectEnumSchema");
    assert_eq!((untitled.severity, untitled.old_client_new_server.outcome), (Severity::Compatible, Outcome::Safe));
    assert_eq!(untitled.note.as_deref(), Some("who does not know it reads it as `EnumSchema`, and misses nothing"));
    // An old reader could take this one for a `StringSchema`, and would miss the choice.
    let titled = alternative("TitledSingleSelectEnumSchema");
    assert_eq!((titled.severity, titled.old_client_new_server.outcome), (Severity::Breaking, Outcome::Unless));

    // The message around it is another one now.
    let said = |method: &str, required: &[&str]| {
        let params = object(json!({ "told": { "$ref": "#/$defs/Told" } }), &[]);
        let message = object(json!({ "method": { "const": method }, "params": params }), &["method"]);
        let told = object(json!({ "answer": { "type": "string" } }), required);
        written(&small(json!({ "TellNotification": message, "Told": told })), "said")
    };
    let report = compare(&said("notifications/tell", &["answer"]), &said("notifications/say", &[]));
    let change = report.changes.iter().find(|change| change.path.to_string() == "Told.answer").expect("the member");
    assert_eq!((change.rule.as_str(), change.severity), ("field.became-optional", Severity::Compatible));
    assert_eq!(change.note.as_deref(), Some("no message that both editions know contains it"));
}

#[test]
fn what_moves_into_a_result_is_still_read() {
    let report = compare(&revision("2025-11-25"), &revision("2026-07-28"));
    let find = |path: &str, rule: &str| {
        let is = |change: &&Change| change.path.to_string() == path && change.rule == rule;
        let change = report.changes.iter().find(is).unwrap_or_else(|| panic!("{rule} {path}"));
        (change.severity, change.old_client_new_server.words(), change.new_client_old_server.words())
    };
    let unless = |names: &str| format!("safe unless `{names}` is used");
    // The request stands inside a result now; an old client relies on the member all the same.
    assert_eq!(
        find("ElicitRequestURLParams.elicitationId", "field.removed-required"),
        (Severity::Breaking, unless("elicitation.url"), "safe".to_owned())
    );
    // So do both sides of sampling, whose messages may have results of tools in them.
    assert_eq!(
        find("ToolResultContent.structuredContent", "field.type-widened"),
        (Severity::Breaking, unless("sampling.tools"), unless("sampling.tools"))
    );
    // The params of one such request have another definition now: what changed in the old one is not read there.
    let (_, _, with_old_server) = find("RequestParams._meta", "field.became-required");
    assert_eq!(with_old_server, "safe");
}

#[test]
fn a_wider_type_does_not_hide_a_limit() {
    let told = |member: Value| {
        let told = object(json!({ "x": member, "answer": { "type": "string" } }), &[]);
        written(&small(json!({ "Told": told })), "told")
    };
    let old = told(json!({ "type": "integer", "minimum": 0 }));
    let new = told(json!({ "type": "number", "minimum": 1 }));
    let report = compare(&old, &new);
    assert!(has(&report, "field.type-widened", "Told.x") && has(&report, "constraint.tightened", "Told.x"));
    assert_eq!(report.changes.len(), 2);
}

#[test]
fn what_an_open_object_still_takes_is_not_gone() {
    let report = compare(&revision("2025-11-25"), &revision("2026-07-28"));
    let found = |path: &str| -> Vec<(&str, &str, &str)> {
        let changes = report.changes.iter().filter(|change| change.path.to_string() == path);
        let told = |change| {
            let Change { rule, after, places, .. }: &Change = change;
            let pointer = places[0].new.as_deref().expect("a place");
            (rule.as_str(), after.as_deref().expect("a notation"), pointer)
        };
        changes.map(told).collect()
    };
    let any = "[key: string]: unknown";
    let input = "/$defs/Tool/properties/inputSchema/additionalProperties";
    let output = "/$defs/Tool/properties/outputSchema/additionalProperties";
    for path in ["Tool.inputSchema.properties", "Tool.inputSchema.required"] {
        assert_eq!(found(path), [("field.type-widened", any, input)], "{path}");
    }
    assert_eq!(
        found("Tool.outputSchema.type"),
        [("field.became-optional", any, output), ("field.type-widened", any, output)]
    );
    // Where another definition took the place of an open object, what it lists was not there before.
    assert!(has(&report, "field.added-optional", "RequestMetaObject.io.modelcontextprotocol/clientInfo"));
    // Where both are open, what one of them lists is there or not.
    assert!(has(&report, "field.added-required", "Result.resultType"));
}

#[test]
fn a_draft_may_change_what_a_method_is_answered_with() {
    let old = written(&official("2026-07-28"), "old");
    // The response of a method says which results it has.
    let mut draft = official("2026-07-28");
    draft["$defs"]["GetPromptResultResponse"]["properties"]["result"] = json!({ "$ref": "#/$defs/GetPromptResult" });
    let report = compare(&old, &written(&draft, "new"));
    let told: Vec<String> = report.changes.iter().map(rule_and_path).collect();
    assert_eq!(told, ["union.member-removed GetPromptResultResponse.result", "method.result-changed prompts/get"]);
    for change in &report.changes {
        assert_eq!(change.new_client_old_server.words(), "safe unless `prompts` is used");
    }
    // So does the error with one code.
    let mut draft = official("2026-07-28");
    draft["$defs"]["InvalidParamsError"]["required"] = json!(["code", "message", "data"]);
    let report = compare(&old, &written(&draft, "new"));
    let [change] = &report.changes[..] else { panic!("{:?}", report.changes) };
    assert_eq!(rule_and_path(change), "field.became-required InvalidParamsError.data");
    assert_eq!(change.severity, Severity::Breaking);
    // Facts go by names, and follow them: another name is no change.
    for (name, other) in
        [("CallToolResult", "ToolCallResult"), ("ToolUseContent", "ToolUse"), ("EmptyResult", "Result")]
    {
        let text =
            official("2025-11-25").to_string().replace(&format!("#/$defs/{name}\""), &format!("#/$defs/{other}\""));
        let mut draft: Value = serde_json::from_str(&text).expect("JSON");
        let definitions = draft["$defs"].as_object_mut().expect("definitions");
        if let Some(definition) = definitions.shift_remove(name)
            && name != "EmptyResult"
        {
            definitions.insert(other.to_owned(), definition);
        }
        let report = compare(&written(&official("2025-11-25"), "old"), &written(&draft, "new"));
        let visible: Vec<String> = report.changes.iter().map(|change| change.message.to_string()).collect();
        let expected: &[&str] = if name == "EmptyResult" { &["`EmptyResult` is gone"] } else { &[] };
        assert_eq!(visible, expected, "{name}");
    }
    // A result that no fact gives to a method is an answer nevertheless.
    let mut draft = official("2026-07-28");
    draft["$defs"]["WeatherResult"] = object(json!({ "degrees": { "type": "number" } }), &["degrees"]);
    let answers = draft["$defs"]["ServerResult"]["anyOf"].as_array_mut().expect("alternatives");
    answers.push(json!({ "$ref": "#/$defs/WeatherResult" }));
    let report = compare(&old, &written(&draft, "new"));
    assert!(has(&report, "type.added", "WeatherResult"));
}

#[test]
fn a_method_that_moves_is_one_change() {
    let report = compare(&revision("2025-11-25"), &revision("2026-07-28"));
    for (method, message) in
        [("sampling/createMessage", "CreateMessageRequest"), ("elicitation/create", "ElicitRequest")]
    {
        let changes: Vec<&Change> = report.changes.iter().filter(|change| change.path.to_string() == method).collect();
        let [change] = &changes[..] else { panic!("{method}: {changes:#?}") };
        assert_eq!(change.rule, "method.moved");
        let note = change.note.as_deref().unwrap_or_default();
        assert!(note.starts_with("it is answered with ") && note.ends_with(" or `CreateTaskResult`"), "{note}");
        let listed = format!("ServerRequest | {message}");
        assert!(
            change.places.iter().any(|place| place.path.to_string() == listed),
            "{method} and the list that is gone"
        );
    }
    // Nothing is noted about results that stay.
    let roots = report.changes.iter().find(|change| change.path.to_string() == "roots/list").expect("the method");
    assert_eq!((roots.rule.as_str(), roots.note.as_deref()), ("method.moved", None));
    // A list that goes without one of its methods is a type that is gone.
    let listing = |listed: bool| {
        let mut all = json!({ "AskResult": object(json!({ "answer": { "type": "string" } }), &[]) });
        if listed {
            all["ServerResult"] = json!({ "anyOf": [{ "$ref": "#/$defs/AskResult" }, { "$ref": "#/$defs/Told" }] });
        }
        written(&small(all), "listing")
    };
    assert!(has(&compare(&listing(true), &listing(false)), "type.removed", "ServerResult"));
}

#[test]
fn a_place_has_the_path_that_people_know() {
    let report = compare(&revision("2025-06-18"), &revision("2025-11-25"));
    let was = |path: &str| {
        let place =
            report.changes.iter().flat_map(|change| &change.places).find(|place| place.path.to_string() == path);
        place.unwrap_or_else(|| panic!("{path}")).was.as_ref().map(|was| was.to_string())
    };
    // What has a name of its own now, and what has another one.
    assert_eq!(was("CancelledNotificationParams.requestId"), Some("CancelledNotification.params.requestId".to_owned()));
    assert_eq!(was("JSONRPCErrorResponse.id"), Some("JSONRPCError.id".to_owned()));
    // What is called the same, and what is new.
    assert_eq!((was("CreateMessageResult.stopReason"), was("CallToolRequestParams.task")), (None, None));
    let [text, markdown, json, ..] = printed(&report);
    assert!(text.contains("it was called CancelledNotification.params.requestId\n"), "{text}");
    assert!(markdown.contains("It was called `CancelledNotification.params.requestId`."), "{markdown}");
    assert!(json.contains(r#""was":"CancelledNotification.params.requestId""#), "{json}");
    // The path leads somewhere: the pointer into the old schema has the same end.
    for place in all(&report).flat_map(|change| &change.places) {
        if let Some((was, pointer)) = place.was.as_ref().map(ToString::to_string).zip(place.old.as_ref()) {
            let last = was.rsplit(['.', '[']).next().unwrap_or_default();
            let is_there = pointer.ends_with(last) || was.ends_with(['*', ']']);
            assert!(is_there, "{was} at {pointer}");
        }
    }
}

#[test]
fn what_a_correction_added_to_a_list_is_no_place() {
    for (old, new) in pairs() {
        let report = compare(&old, &new);
        let mut places = all(&report).flat_map(|change| &change.places);
        let forgotten = places.find(|place| place.path.to_string().ends_with("Result | CreateTaskResult"));
        assert_eq!(forgotten.map(|place| &place.path), None, "{} → {}", old.name, new.name);
    }
    // Alternatives that are in the schema are places, whether or not a fixup has reshaped the list.
    let report = compare(&revision("2025-06-18"), &revision("2025-11-25"));
    assert!(has(&report, "method.added", "ServerResult | GetTaskResult"));
    let report = compare(&revision("2025-11-25"), &revision("2026-07-28"));
    assert!(has(&report, "method.direction-changed", "ClientNotification | ProgressNotification"));
}

#[test]
fn sentences_say_what_is_true_of_the_change() {
    let report = compare(&revision("2025-11-25"), &revision("2026-07-28"));
    let find = |rule: &str, path: &str| {
        let is = |change: &&Change| change.rule == rule && change.path.to_string() == path;
        all(&report).find(is).unwrap_or_else(|| panic!("{rule} {path}"))
    };
    // Messages do contain what these are names for.
    for name in ["ListToolsResultResponse", "ParseError"] {
        let says = format!("`{name}` is new, and only names what is valid without it");
        assert_eq!(find("refactor.helper-added", name).message.to_string(), says);
    }
    let base = find("refactor.helper-added", "CacheableResult");
    assert_eq!(base.message.to_string(), "`CacheableResult` is new, but no message contains it");
    // It would not say the same if it were not for the correction.
    let corrected = find("refactor.rewritten", "NumberSchema");
    assert!(corrected.message.says.ends_with("says the same once a known error is corrected"), "{}", corrected.message);
    assert_eq!(corrected.note.as_deref(), Some("corrected before the comparison: number_schema_bounds"));
    let reordered = find("refactor.rewritten", "ElicitRequestParams");
    assert!(reordered.message.says.ends_with("is written differently and says the same") && reordered.note.is_none());
    // A request is no notification, and the side that does not know it may be the old one.
    for (rule, path) in [("method.removed", "logging/setLevel"), ("method.added", "subscriptions/listen")] {
        let reason = "A receiver that does not know a request answers with an error.";
        assert_eq!(find(rule, path).reason, reason);
        let verdicts = [&find(rule, path).old_client_new_server, &find(rule, path).new_client_old_server];
        assert!(verdicts.iter().any(|verdict| verdict.reason.as_deref() == Some(reason)), "{path}");
    }
    let notified = find("method.removed", "notifications/roots/list_changed");
    assert_eq!(notified.reason, "An unknown notification is ignored.");
}

#[test]
fn every_place_of_a_change_is_printed() {
    let mut places = 0;
    for pair in REVISIONS.windows(2) {
        let report = compare(&revision(pair[0]), &revision(pair[1]));
        let reports = std::slice::from_ref(&report);
        let text = text::text(reports, Style::default());
        let markdown = markdown::markdown(reports, false);
        for place in report.changes.iter().flat_map(|change| &change.places) {
            assert!(text.contains(&place.path.to_string()), "{} in the text", place.path);
            assert!(markdown.contains(&place.path.to_string()), "{} in the Markdown", place.path);
            places += 1;
        }
    }
    assert!(places > 400, "only {places} places");
}

#[test]
fn what_is_inherited_is_one_change_with_many_places() {
    let places = |old: &str, new: &str, path: &str| {
        let report = compare(&revision(old), &revision(new));
        let change =
            report.changes.iter().find(|change| change.path.to_string() == path).unwrap_or_else(|| panic!("{path}"));
        change.places.len()
    };
    assert_eq!(places("2025-03-26", "2025-06-18", "BaseMetadata.title"), 7);
    assert_eq!(places("2025-06-18", "2025-11-25", "Icons.icons"), 6);
    assert_eq!(places("2025-11-25", "2026-07-28", "Result.resultType"), 10);
    assert_eq!(places("2025-11-25", "2026-07-28", "RequestMetaObject.io.modelcontextprotocol/protocolVersion"), 7);
    assert_eq!(places("2025-11-25", "2026-07-28", "ClientCapabilities.tasks"), 8);
}

#[test]
fn every_pointer_leads_somewhere() {
    let mut pointers = 0;
    for (old, new) in pairs() {
        let report = compare(&old, &new);
        for (change, place) in all(&report).flat_map(|change| change.places.iter().map(move |place| (change, place))) {
            for (edition, pointer) in [(&old, &place.old), (&new, &place.new)] {
                if let Some(pointer) = pointer {
                    let found = edition.document().pointer(pointer);
                    assert!(found.is_some(), "{}: {pointer} of {} at {}", edition.name, change.rule, place.path);
                    pointers += 1;
                }
            }
            let nowhere = place.old.is_none() && place.new.is_none();
            let general = ["error-code.", "refactor.dialect"].iter().any(|rule| change.rule.starts_with(rule));
            assert_eq!(nowhere, general, "{} at {}", change.rule, place.path);
        }
    }
    assert!(pointers > 5000, "only {pointers} pointers");
}

#[test]
fn fingerprints_are_unique_and_stay() {
    for (old, new) in pairs() {
        let (report, again) = (compare(&old, &new), compare(&old, &new));
        assert_eq!(report, again);
        let prints: BTreeSet<&str> = all(&report).map(|change| change.fingerprint.as_str()).collect();
        // The same base may have a member described in two ways in two groups of places.
        let wired: Vec<&str> = report.changes.iter().map(|change| change.fingerprint.as_str()).collect();
        let unique: BTreeSet<&str> = wired.iter().copied().collect();
        assert_eq!(unique.len(), wired.len(), "{} → {}", old.name, new.name);
        assert!(prints.iter().all(|print| print.len() == 16));
    }
}

/// Every format of a report.
fn printed(report: &Report) -> [String; 6] {
    let reports = std::slice::from_ref(report);
    let (files, rules) = (Files::new(), []);
    [
        text::text(reports, Style { colour: false, all: true }),
        markdown::markdown(reports, true),
        serde_json::to_string(report).expect("JSON"),
        html::html(report).expect("a page"),
        sarif::sarif(reports, &rules, &files).expect("SARIF"),
        github::github(reports, &files),
    ]
}

#[test]
fn an_unchanged_pair_reports_nothing() {
    for name in REVISIONS {
        let report = compare(&revision(name), &revision(name));
        assert!(report.is_empty() && all(&report).next().is_none(), "{name}");
        assert_eq!(report.summary.old_client_new_server.outcome, Outcome::Safe);
        let [text, markdown, _, html, _, github] = printed(&report);
        assert!(text.ends_with("No changes.\n"), "{text}");
        assert!(markdown.contains("No changes."));
        assert!(html.contains("No changes."));
        assert_eq!(github, "");
    }
}

/// The same schema, with everything that has no order in another one.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            members.iter().rev().map(|(name, value)| (name.clone(), reversed(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(reversed).collect(),
        other => other.clone(),
    }
}

#[test]
fn order_and_dialect_are_no_changes() {
    for name in REVISIONS {
        let document = official(name);
        let report = compare(&written(&document, "a"), &written(&reversed(&document), "b"));
        assert!(report.is_empty(), "{name}: {:?}", all(&report).map(|change| &change.message).collect::<Vec<_>>());

        let (from, to) = match document.get("$defs") {
            Some(_) => ("$defs", "definitions"),
            None => ("definitions", "$defs"),
        };
        let other = document.to_string().replace(&format!("#/{from}/"), &format!("#/{to}/"));
        let other = other.replacen(&format!("\"{from}\":"), &format!("\"{to}\":"), 1);
        let other: Value = serde_json::from_str(&other).expect("JSON");
        let report = compare(&written(&document, "a"), &written(&other, "b"));
        let found: Vec<&str> = all(&report).map(|change| change.rule.as_str()).collect();
        assert_eq!(found, ["refactor.dialect"], "{name}");
    }
}

#[test]
fn the_errata_of_todays_official_files() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/spec");
    if !shared.is_dir() {
        eprintln!("skipped: ../shared/spec is not beside this checkout");
        return;
    }
    let expected: [&[(&str, &str)]; 5] = [
        &[("documentation.changed", "SetLevelRequest.params.level")],
        &[],
        &[
            ("field.type-widened", "NumberSchema.maximum"),
            ("field.type-widened", "NumberSchema.minimum"),
            ("documentation.changed", "CreateMessageRequest.params.maxTokens"),
            ("documentation.changed", "*._meta"),
        ],
        &[
            ("field.type-widened", "NumberSchema.default"),
            ("field.type-widened", "NumberSchema.maximum"),
            ("field.type-widened", "NumberSchema.minimum"),
            ("field.null-allowed", "Task.ttl"),
        ],
        &[],
    ];
    for (name, expected) in REVISIONS.iter().zip(expected) {
        let text = std::fs::read(shared.join(name).join("schema.json")).expect("the official file");
        let today: Value = serde_json::from_slice(&text).expect("JSON");
        let report = compare(&written(&official(name), "ours"), &written(&today, "today"));
        let found: Vec<String> = all(&report).map(rule_and_path).collect();
        let expected: Vec<String> = expected.iter().map(|(rule, path)| format!("{rule} {path}")).collect();
        assert_eq!(found, expected, "{name}");
        let report = compare(&written(&today, "today"), &written(&official(name), "ours"));
        assert_eq!(all(&report).count(), expected.len(), "{name}, the other way round");
    }
}

/// A pair of small schemas: one message in each direction, and what the case adds to both.
fn small(definitions: Value) -> Value {
    let mut all = json!({
        "ClientRequest": { "anyOf": [{ "$ref": "#/$defs/AskRequest" }] },
        "ServerNotification": { "anyOf": [{ "$ref": "#/$defs/TellNotification" }] },
        "AskRequest": {
            "type": "object",
            "properties": {
                "method": { "type": "string", "const": "ask" },
                "params": { "type": "object", "properties": { "asked": { "$ref": "#/$defs/Asked" } } },
            },
            "required": ["method"],
        },
        "TellNotification": {
            "type": "object",
            "properties": {
                "method": { "type": "string", "const": "notifications/tell" },
                "params": { "type": "object", "properties": { "told": { "$ref": "#/$defs/Told" } } },
            },
            "required": ["method"],
        },
        "Asked": { "type": "object", "properties": { "question": { "type": "string" } } },
        "Told": { "type": "object", "properties": { "answer": { "type": "string" } } },
    });
    for (name, definition) in definitions.as_object().expect("definitions") {
        match definition.is_null() {
            true => drop(all.as_object_mut().expect("an object").shift_remove(name)),
            false => all[name] = definition.clone(),
        }
    }
    json!({ "$defs": all })
}

fn object(members: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": members, "required": required })
}

/// One case: the rule, its path, what the old and the new schema define, and the two verdicts.
struct Case(&'static str, &'static str, Value, Value, [Outcome; 2]);

fn cases() -> Vec<Case> {
    use Outcome::{Breaks, Safe, Unverified};
    // What clients write and servers read, and the other way round.
    let asked =
        |member: Value| json!({ "Asked": object(json!({ "x": member, "question": { "type": "string" } }), &[]) });
    let told = |member: Value| json!({ "Told": object(json!({ "x": member, "answer": { "type": "string" } }), &[]) });
    let (text, integer) = (json!({ "type": "string" }), json!({ "type": "integer" }));
    let values = |values: &[&str]| json!({ "type": "string", "enum": values });
    let (few, many) = (values(&["a", "b"]), values(&["a", "b", "c"]));
    let named = |definition: Value| {
        json!({
            "Told": object(json!({ "x": { "$ref": "#/$defs/Level" }, "answer": { "type": "string" } }), &[]),
            "Level": definition,
        })
    };
    let block = |name: &str| object(json!({ "type": { "type": "string", "const": name } }), &["type"]);
    let union = |names: &[&str]| {
        let variants: Vec<Value> = names.iter().map(|name| json!({ "$ref": format!("#/$defs/{name}") })).collect();
        json!({
            "Told": object(json!({ "x": { "anyOf": variants }, "answer": { "type": "string" } }), &[]),
            "One": block("one"), "Two": block("two"), "Three": block("three"),
        })
    };
    let closed = |open: bool| {
        let mut told = object(json!({ "answer": { "type": "string" } }), &[]);
        told["additionalProperties"] = json!(open);
        json!({ "Told": told })
    };
    let opened = |mut definitions: Value| {
        definitions["Told"]["additionalProperties"] = json!({ "description": "Anything." });
        definitions
    };
    let capabilities = |members: Value| {
        json!({
            "ClientCapabilities": object(members, &[]),
            "Asked": object(json!({ "can": { "$ref": "#/$defs/ClientCapabilities" }, "question": { "type": "string" } }), &[]),
        })
    };
    let member = |member: Value, required: &[&str]| json!({ "Told": object(json!({ "x": member, "answer": { "type": "string" } }), required) });
    let plain = || json!({});
    vec![
        // Enums: no closed one changed between official revisions.
        Case("enum.value-added", "Told.x", told(few.clone()), told(many.clone()), [Breaks, Safe]),
        Case("enum.value-removed", "Told.x", told(many.clone()), told(few.clone()), [Safe, Breaks]),
        Case("enum.value-added", "Asked.x", asked(few.clone()), asked(many.clone()), [Safe, Breaks]),
        Case("enum.value-removed", "Asked.x", asked(many.clone()), asked(few.clone()), [Breaks, Safe]),
        Case("enum.value-added", "Level", named(few.clone()), named(many.clone()), [Breaks, Safe]),
        Case("field.type-widened", "Told.x", told(few.clone()), told(text.clone()), [Breaks, Safe]),
        Case("field.type-narrowed", "Told.x", told(text.clone()), told(few.clone()), [Safe, Breaks]),
        // Values.
        Case("field.type-widened", "Told.x", told(integer.clone()), told(json!({ "type": "number" })), [Breaks, Safe]),
        Case("field.type-changed", "Told.x", told(integer.clone()), told(text.clone()), [Breaks, Breaks]),
        Case("field.type-changed", "Asked.x", asked(integer.clone()), asked(text.clone()), [Breaks, Breaks]),
        Case(
            "field.null-allowed",
            "Told.x",
            told(text.clone()),
            told(json!({ "type": ["string", "null"] })),
            [Breaks, Safe],
        ),
        Case(
            "field.null-forbidden",
            "Told.x",
            told(json!({ "type": ["string", "null"] })),
            told(text.clone()),
            [Safe, Breaks],
        ),
        Case("const.changed", "Told.x", told(json!({ "const": "a" })), told(json!({ "const": "b" })), [Breaks, Breaks]),
        // Limits.
        Case(
            "constraint.tightened",
            "Told.x",
            told(json!({ "type": "integer", "minimum": 0 })),
            told(json!({ "type": "integer", "minimum": 1 })),
            [Safe, Breaks],
        ),
        Case(
            "constraint.loosened",
            "Told.x",
            told(json!({ "type": "integer", "maximum": 5 })),
            told(json!({ "type": "integer", "maximum": 6 })),
            [Breaks, Safe],
        ),
        Case(
            "constraint.loosened",
            "Told.x",
            told(json!({ "type": "number", "minimum": 5 })),
            told(json!({ "type": "number" })),
            [Breaks, Safe],
        ),
        Case(
            "constraint.tightened",
            "Told.x",
            told(json!({ "type": "array", "items": text })),
            told(json!({ "type": "array", "items": text, "maxItems": 3 })),
            [Safe, Breaks],
        ),
        Case(
            "constraint.tightened",
            "Told.x",
            told(text.clone()),
            told(json!({ "type": "string", "format": "uri" })),
            [Safe, Breaks],
        ),
        Case(
            "constraint.changed",
            "Told.x",
            told(json!({ "type": "string", "format": "byte" })),
            told(json!({ "type": "string", "format": "uri" })),
            [Breaks, Breaks],
        ),
        // Members.
        Case("field.added-required", "Told.x", plain(), member(text.clone(), &["x"]), [Safe, Breaks]),
        Case("field.removed-required", "Told.x", member(text.clone(), &["x"]), plain(), [Breaks, Safe]),
        Case("field.added-optional", "Told.x", plain(), member(text.clone(), &[]), [Safe, Safe]),
        Case("field.removed-optional", "Told.x", member(text.clone(), &[]), plain(), [Safe, Safe]),
        Case(
            "field.became-required",
            "Told.x",
            member(text.clone(), &[]),
            member(text.clone(), &["x"]),
            [Safe, Breaks],
        ),
        Case(
            "field.became-optional",
            "Told.x",
            member(text.clone(), &["x"]),
            member(text.clone(), &[]),
            [Breaks, Safe],
        ),
        Case("object.closed", "Told.*", closed(true), closed(false), [Safe, Safe]),
        Case("object.opened", "Told.*", closed(false), closed(true), [Safe, Safe]),
        // A member that is not listed any more, where any member is declared to be valid, may be there and be anything.
        Case("field.type-widened", "Told.x", told(text.clone()), closed(true), [Breaks, Safe]),
        Case("field.type-narrowed", "Told.x", closed(true), told(text.clone()), [Safe, Breaks]),
        Case("field.removed-optional", "Told.x", opened(told(text.clone())), closed(true), [Safe, Safe]),
        // Unions.
        Case("union.member-added", "Told.x", union(&["One", "Two"]), union(&["One", "Two", "Three"]), [Breaks, Safe]),
        Case("union.member-removed", "Told.x", union(&["One", "Two", "Three"]), union(&["One", "Two"]), [Safe, Breaks]),
        Case("union.member-added", "Told.x", union(&["One"]), union(&["One", "Two"]), [Breaks, Safe]),
        Case(
            "union.member-removed",
            "Level",
            named(json!({ "type": ["string", "integer"] })),
            named(integer.clone()),
            [Safe, Breaks],
        ),
        // What cannot be compared.
        Case(
            "unverified.keyword",
            "Told.answer",
            plain(),
            json!({ "Told": object(json!({ "answer": { "type": "string", "format": "date" } }), &[]) }),
            [Unverified, Unverified],
        ),
        // Capabilities.
        Case(
            "capability.moved",
            "ClientCapabilities.b.y",
            capabilities(
                json!({ "a": object(json!({ "y": { "type": "boolean" } }), &[]), "b": object(json!({}), &[]) }),
            ),
            capabilities(
                json!({ "a": object(json!({}), &[]), "b": object(json!({ "y": { "type": "boolean" } }), &[]) }),
            ),
            [Safe, Safe],
        ),
        // Methods.
        Case(
            "method.params-changed",
            "ask",
            json!({ "AskRequest": object(json!({ "method": { "const": "ask" } }), &["method"]) }),
            plain(),
            [Safe, Safe],
        ),
        // Names and places.
        Case(
            "refactor.type-named",
            "Inner",
            told(object(json!({ "deep": { "type": "string" } }), &[])),
            json!({ "Told": object(json!({ "x": { "$ref": "#/$defs/Inner" }, "answer": { "type": "string" } }), &[]), "Inner": object(json!({ "deep": { "type": "string" } }), &[]) }),
            [Safe, Safe],
        ),
        Case(
            "refactor.type-inlined",
            "Inner",
            json!({ "Told": object(json!({ "x": { "$ref": "#/$defs/Inner" }, "answer": { "type": "string" } }), &[]), "Inner": object(json!({ "deep": { "type": "string" } }), &[]) }),
            told(object(json!({ "deep": { "type": "string" } }), &[])),
            [Safe, Safe],
        ),
        Case(
            "refactor.reference",
            "Told.x",
            json!({ "Told": object(json!({ "x": { "$ref": "#/$defs/One" } }), &[]), "One": object(json!({ "deep": { "type": "string" } }), &[]), "Two": object(json!({ "deep": { "type": "string" } }), &[]) }),
            json!({ "Told": object(json!({ "x": { "$ref": "#/$defs/Two" } }), &[]), "One": object(json!({ "deep": { "type": "string" } }), &[]), "Two": object(json!({ "deep": { "type": "string" } }), &[]) }),
            [Safe, Safe],
        ),
        Case(
            "refactor.type-renamed",
            "Spoken",
            plain(),
            json!({ "TellNotification": object(json!({ "method": { "const": "notifications/tell" }, "params": object(json!({ "told": { "$ref": "#/$defs/Spoken" } }), &[]) }), &["method"]), "Told": null, "Spoken": object(json!({ "answer": { "type": "string" }, "tone": { "type": "string" } }), &[]) }),
            [Safe, Safe],
        ),
        Case(
            "refactor.rewritten",
            "Told",
            told(json!({ "type": "string" })),
            told(json!({ "type": "string", "title": "X" })),
            [Safe, Safe],
        ),
        // What new code should not use, where the schema says so itself.
        Case(
            "deprecated.added",
            "Told.x",
            told(text.clone()),
            told(json!({ "type": "string", "deprecated": true })),
            [Safe, Safe],
        ),
        Case(
            "deprecated.removed",
            "Told",
            json!({ "Told": { "type": "object", "properties": { "answer": { "type": "string" } }, "deprecated": true } }),
            plain(),
            [Safe, Safe],
        ),
        Case(
            "refactor.rewritten",
            "Told",
            told(json!({ "type": "string", "const": "a" })),
            told(json!({ "type": "string", "enum": ["a"] })),
            [Safe, Safe],
        ),
        Case("type.redefined", "Level", named(few.clone()), named(block("level")), [Breaks, Breaks]),
    ]
}

#[test]
fn made_up_pairs_for_rules_that_official_revisions_do_not_show() {
    let cases = cases();
    assert_eq!(cases.len(), 46);
    for Case(id, path, old, new, outcomes) in cases {
        // A renaming needs enough content to be recognised by.
        let old = match id {
            "refactor.type-renamed" => small(
                json!({ "Told": object(json!({ "answer": { "type": "string" }, "tone": { "type": "string" } }), &[]) }),
            ),
            _ => small(old),
        };
        let (old, new) = (written(&old, "old"), written(&small(new), "new"));
        let report = compare(&old, &new);
        let all: Vec<&Change> = all(&report).collect();
        let found: Vec<String> = all.iter().map(|change| rule_and_path(change)).collect();
        let change = all.iter().find(|change| change.rule == id && change.path.to_string() == path);
        let change = change.unwrap_or_else(|| panic!("{id} at {path}: found {found:?}"));
        assert_eq!(
            [change.old_client_new_server.outcome, change.new_client_old_server.outcome],
            outcomes,
            "{id} at {path}"
        );
        let visible = all.iter().filter(|change| change.severity != Severity::Refactor).count();
        let rule = rule(id).expect("a rule");
        assert_eq!(
            visible,
            usize::from(rule.severity != Severity::Refactor),
            "{id} at {path} and nothing else: {found:?}"
        );
        let back = compare(&new, &old);
        assert!(shows(&back, rule.mirror), "{id}: the mirror is missing");
    }
}

fn shows(report: &Report, rule: &str) -> bool {
    all(report).any(|change| change.rule == rule)
}

#[test]
fn every_rule_is_shown_by_some_pair() {
    let mut shown: BTreeSet<String> = BTreeSet::new();
    let mut note = |report: &Report| shown.extend(all(report).map(|change| change.rule.clone()));
    pairs().iter().for_each(|(old, new)| note(&compare(old, new)));
    for Case(_, _, old, new, _) in cases() {
        let (old, new) = (written(&small(old), "old"), written(&small(new), "new"));
        note(&compare(&old, &new));
        note(&compare(&new, &old));
    }
    // What facts say cannot be written in a schema.
    let mut later = revision("2025-11-25");
    for method in later.model.methods.iter_mut().filter(|method| method.method == "ping") {
        method.phase = Phase::Operation;
    }
    note(&compare(&revision("2025-11-25"), &later));
    // Values of open enums are known from facts, too.
    let mut opened = revision("2025-11-25");
    let level = opened.model.types.get_mut("LoggingLevel").expect("the type");
    if let mcp_wire_codegen::model::Shape::StringEnum(values) = &mut level.shape {
        values.open = true;
    }
    note(&compare(&revision("2025-11-25"), &opened));
    note(&compare(&opened, &revision("2025-11-25")));
    let missing: Vec<&str> = CATALOGUE.iter().map(|rule| rule.id).filter(|id| !shown.contains(*id)).collect();
    assert!(missing.is_empty(), "no pair shows {missing:?}");
}

#[test]
fn only_one_subject() {
    let (old, new) = (revision("2025-06-18"), revision("2025-11-25"));
    let subject = Subject::find("Tool", [&old, &new].into_iter()).expect("a type");
    let mut report = compare(&old, &new);
    let before = report.summary.compatible;
    subject.keep(&mut report);
    let paths: Vec<String> = report.changes.iter().map(|change| change.path.to_string()).collect();
    assert_eq!(paths, ["Tool.execution", "Tool.icons", "Tool.inputSchema.$schema", "Tool.outputSchema.$schema"]);
    assert!(report.summary.compatible < before);
    let icons = &report.changes[1];
    assert_eq!(icons.message.to_string(), "`Tool.icons` was added; it may be absent");

    let subject = Subject::find("tools/call", [&old, &new].into_iter()).expect("a method");
    let mut report = compare(&old, &new);
    subject.keep(&mut report);
    let paths: Vec<String> = report.changes.iter().map(|change| change.path.to_string()).collect();
    let tasks = ["CreateTaskResult", "Task", "TaskMetadata", "TaskStatus"];
    let contained = [&tasks[..], &["Icon", "ResourceLink.icons"]].concat();
    assert_eq!(paths, [&["CallToolRequestParams.task", "tools/call"], &contained[..]].concat());
    // Changes that are about one area now stand among those of that area, the worst first.
    let (old, new) = (revision("2025-03-26"), revision("2025-06-18"));
    let subject = Subject::find("CallToolResult", [&old, &new].into_iter()).expect("a type");
    let mut report = compare(&old, &new);
    subject.keep(&mut report);
    let paths: Vec<String> = report.changes.iter().map(|change| change.path.to_string()).collect();
    assert_eq!(paths, ["CallToolResult.content[]", "CallToolResult.structuredContent"]);

    // Another name for a definition changes with it.
    let (old, new) = (revision("2025-11-25"), revision("2026-07-28"));
    let subject = Subject::find("EmptyResult", [&old, &new].into_iter()).expect("a type");
    let mut report = compare(&old, &new);
    subject.keep(&mut report);
    assert!(has(&report, "field.added-required", "Result.resultType"));

    assert_eq!(Subject::find("tools/cal", [&old].into_iter()), Err(vec!["tools/call".to_owned()]));
}

/// What a report on a pair of revisions says about a name, as `rule path`.
fn about(name: &str, old: &str, new: &str) -> (Report, Vec<String>) {
    let (old, new) = (revision(old), revision(new));
    let subject = Subject::find(name, [&old, &new].into_iter()).expect("a name");
    let mut report = compare(&old, &new);
    subject.keep(&mut report);
    let found = report.changes.iter().map(rule_and_path).collect();
    (report, found)
}

#[test]
fn a_name_finds_what_stands_in_its_definition_on_either_side() {
    let found = |name: &str, old: &str, new: &str, expected: &str| {
        let (report, found) = about(name, old, new);
        assert!(found.iter().any(|found| found == expected), "{name}: {expected} is not in {found:?}");
        report
    };
    // The params have a definition of their own now, and had none before: both names lead to them.
    for name in ["CancelledNotification", "CancelledNotificationParams", "notifications/cancelled"] {
        let request_id = "field.became-optional CancelledNotificationParams.requestId";
        let report = found(name, "2025-06-18", "2025-11-25", request_id);
        assert_eq!((report.summary.breaking, report.summary.new_client_old_server.outcome), (1, Outcome::Breaks));
    }
    // Where both editions have the definition, the message leads to its params all the same, and to its results.
    let request_id = "field.became-required CancelledNotificationParams.requestId";
    found("CancelledNotification", "2025-11-25", "2026-07-28", request_id);
    found("CallToolRequest", "2025-11-25", "2026-07-28", "field.type-widened CallToolResult.structuredContent");
    // So it does where the params are a union: its alternatives are params, too.
    let elicitation_id = "field.removed-required ElicitRequestURLParams.elicitationId";
    found("ElicitRequest", "2025-11-25", "2026-07-28", elicitation_id);
    found("elicitation/create", "2025-11-25", "2026-07-28", elicitation_id);
    found("ElicitRequest", "2025-06-18", "2025-11-25", "union.member-added ElicitRequestParams");
    // A message is as good a name as its method.
    for (message, method) in [("CallToolRequest", "tools/call"), ("CreateMessageRequest", "sampling/createMessage")] {
        for pair in REVISIONS.windows(2) {
            let of_message = about(message, pair[0], pair[1]).1;
            assert_eq!(of_message, about(method, pair[0], pair[1]).1, "{message} in {pair:?}");
        }
    }
    assert_eq!(
        about("CallToolRequest", "2025-06-18", "2025-11-25").1,
        [
            "field.added-optional CallToolRequestParams.task",
            "method.result-changed tools/call",
            "type.added CreateTaskResult",
            "type.added Task",
            "type.added TaskMetadata",
            "type.added TaskStatus",
            "type.added Icon",
            "field.added-optional ResourceLink.icons",
        ]
    );
    // The old name of a definition leads to it, as the new one does.
    for name in ["JSONRPCError", "JSONRPCErrorResponse"] {
        found(name, "2025-06-18", "2025-11-25", "field.became-optional JSONRPCErrorResponse.id");
    }
    // A definition that is new leads to what it took the place of.
    found("ContentBlock", "2025-03-26", "2025-06-18", "union.member-added ContentBlock");
    // A list of messages leads to the methods that it lists.
    let report = found("ServerRequest", "2025-06-18", "2025-11-25", "method.added tasks/get");
    let tasks = report.changes.iter().find(|change| change.path.to_string() == "tasks/get").expect("the method");
    let places: Vec<String> = tasks.places.iter().map(|place| place.path.to_string()).collect();
    assert_eq!(places, ["ServerRequest | GetTaskRequest"]);
    assert_eq!(tasks.old_client_new_server.words(), "safe unless `tasks` is used");
}

#[test]
fn a_name_is_followed_through_the_history() {
    let history = |name: &str, editions: &[Edition]| -> Vec<Vec<String>> {
        let subject = Subject::find(name, editions.iter()).expect("a name");
        let reports = editions.windows(2).map(|pair| {
            let mut report = compare(&pair[0], &pair[1]);
            subject.keep(&mut report);
            report.changes.iter().map(rule_and_path).collect()
        });
        reports.collect()
    };
    // Backwards: what was defined under another name, before it got this one.
    let editions: Vec<Edition> = REVISIONS.iter().map(|name| revision(name)).collect();
    assert_eq!(history("LegacyTitledEnumSchema", &editions)[1], ["type.added EnumSchema"]);
    // Forwards: what changed after it got another one.
    let mut later = official("2025-11-25");
    later["$defs"]["JSONRPCErrorResponse"]["required"] = json!(["error", "id", "jsonrpc"]);
    let editions = [revision("2025-06-18"), revision("2025-11-25"), written(&later, "later")];
    let [_, after] = &history("JSONRPCError", &editions)[..] else { panic!("two reports") };
    assert_eq!(after[..], ["field.became-required JSONRPCErrorResponse.id"]);
}

/// Markdown without its blocks of code.
fn outside_fences(markdown: &str) -> String {
    let mut fence: Option<&str> = None;
    let mut lines = Vec::new();
    for line in markdown.lines() {
        let start = line.trim_start();
        match fence {
            Some(open) if start == open => fence = None,
            Some(_) => {}
            None if start.starts_with("```") => fence = Some(start.trim_end_matches("diff")),
            None => lines.push(line),
        }
    }
    assert_eq!(fence, None, "a block is never closed");
    lines.join("\n")
}
