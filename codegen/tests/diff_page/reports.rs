//! Reports made by hand: one that has something of everything, one in which every string is hostile, one that is long.

use std::collections::BTreeMap;

use mcp_wire_codegen::diff::path::Path;
use mcp_wire_codegen::diff::report::{
    Area, Change, Flow, Ignored, Message, Outcome, Place, Report, Severity, Side, Summary, TypePair, Verdict,
};
use serde_json::json;

const BOTH: Flow = Flow { client_to_server: true, server_to_client: true };
const UP: Flow = Flow { client_to_server: true, server_to_client: false };
const DOWN: Flow = Flow { client_to_server: false, server_to_client: true };

fn side(name: &str, methods: usize) -> Side {
    Side {
        name: name.to_owned(),
        file: format!("schema/{name}/schema.json"),
        sha256: "5a1f0b3c9d8e7f60".repeat(4),
        definitions: 148,
        methods,
        read_as: None,
        corrections: Vec::new(),
    }
}

fn safe() -> Verdict {
    Verdict::default()
}

fn unless(capability: &str) -> Verdict {
    Verdict {
        outcome: Outcome::Unless,
        capabilities: vec![capability.to_owned()],
        reason: Some("Only peers that agreed on it send this.".to_owned()),
    }
}

fn breaks(reason: &str) -> Verdict {
    Verdict { outcome: Outcome::Breaks, capabilities: Vec::new(), reason: Some(reason.to_owned()) }
}

fn at(path: &str) -> Path<'static> {
    path.parse().expect("a path")
}

fn place(path: &str) -> Place {
    let pointer = path.replacen('.', "/properties/", 1);
    Place { path: at(path), old: None, new: Some(format!("/$defs/{pointer}")), ..Place::default() }
}

fn change(severity: Severity, area: &str, rule: &str, path: &str, message: &str) -> Change {
    let number =
        path.bytes().chain(rule.bytes()).fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    Change {
        rule: rule.to_owned(),
        fingerprint: format!("{number:016x}"),
        severity,
        area: area.to_owned(),
        path: at(path),
        arguments: BTreeMap::new(),
        message: Message::new(at(path), message, 1),
        reason: "Readers ignore members that they do not know.".to_owned(),
        before: None,
        after: None,
        note: None,
        flow: BOTH,
        old_client_new_server: safe(),
        new_client_old_server: safe(),
        places: vec![place(path)],
    }
}

/// The counts as a comparison would fill them in.
pub fn count(mut report: Report) -> Report {
    let mut summary = Summary {
        documentation: report.documentation.len(),
        refactors: report.refactors.len(),
        ignored: report.ignored.len(),
        old_client_new_server: report.summary.old_client_new_server,
        new_client_old_server: report.summary.new_client_old_server,
        ..Summary::default()
    };
    for change in &report.changes {
        if !summary.areas.iter().any(|area| area.name == change.area) {
            summary.areas.push(Area { name: change.area.clone(), ..Area::default() });
        }
        let area = summary.areas.iter_mut().find(|area| area.name == change.area).expect("just added");
        let (one, all) = match change.severity {
            Severity::Breaking => (&mut area.breaking, &mut summary.breaking),
            Severity::Compatible => (&mut area.compatible, &mut summary.compatible),
            _ => (&mut area.notices, &mut summary.notices),
        };
        *one += 1;
        *all += 1;
        *summary.rules.entry(change.rule.clone()).or_default() += 1;
    }
    report.summary = summary;
    report
}

/// Nothing changed.
pub fn empty() -> Report {
    Report {
        format: 1,
        old: side("2025-06-18", 25),
        new: side("2025-11-25", 31),
        assumptions: vec![
            "Programs ignore members of objects that they do not know.".to_owned(),
            "Programs refuse a value that does not fit its type, and with it the message.".to_owned(),
        ],
        summary: Summary::default(),
        changes: Vec::new(),
        documentation: Vec::new(),
        refactors: Vec::new(),
        ignored: Vec::new(),
        warnings: Vec::new(),
        types: Vec::new(),
    }
}

/// Something of everything: 9 changes in 3 areas, 2 reworded descriptions, a refactor, an ignored change, a warning.
pub fn small() -> Report {
    let mut report = empty();
    report.old.corrections = vec!["`link_separators`: links in descriptions have lost their separators".to_owned()];
    report.new.read_as = Some("2025-11-25".to_owned());
    report.summary.old_client_new_server = unless("tasks");
    report.summary.new_client_old_server =
        breaks("`ElicitRequestURLParams.url` is required, and old servers do not send it.");
    report.changes = vec![
        Change {
            reason: "An old server knows no such method and answers with an error.".to_owned(),
            new_client_old_server: unless("tasks"),
            flow: UP,
            ..change(Severity::Compatible, "tasks", "method_added", "tasks/get", "The request `tasks/get` was added.")
        },
        Change {
            after: Some("interface Task {\n  taskId: string;\n  status: TaskStatus;\n  ttl: number | null;\n}".to_owned()),
            ..change(Severity::Compatible, "tasks", "type_added", "Task", "The type `Task` was added.")
        },
        Change {
            old_client_new_server: breaks("An old client does not send `taskId`, and a new server needs it."),
            reason: "A member that must be there is missing where it was not known before.".to_owned(),
            after: Some("taskId: string".to_owned()),
            flow: UP,
            ..change(
                Severity::Breaking,
                "tasks",
                "required_member_added",
                "GetTaskRequest.taskId",
                "The required member `taskId` was added.",
            )
        },
        Change {
            before: Some("inputSchema: { type: \"object\"; properties?: { [key: string]: object }; required?: string[] }".to_owned()),
            after: Some("inputSchema: { $schema?: string; type: \"object\"; properties?: { [key: string]: JSONValue }; required?: string[] }".to_owned()),
            old_client_new_server: breaks("A new server may send what an old client refuses."),
            flow: DOWN,
            reason: "The values that are allowed are others than before.".to_owned(),
            ..change(
                Severity::Breaking,
                "tools",
                "member_type_changed",
                "Tool.inputSchema",
                "The type of `Tool.inputSchema` changed.",
            )
        },
        Change {
            after: Some("icons?: Icon[]".to_owned()),
            note: Some("The types inherit it from `BaseMetadata`.".to_owned()),
            places: ["Implementation", "Prompt", "Resource", "ResourceTemplate", "Tool", "A", "B", "C", "D", "E"]
                .map(|name| place(&format!("{name}.icons")))
                .into(),
            ..change(
                Severity::Compatible,
                "tools",
                "optional_member_added",
                "*.icons",
                "The optional member `icons` was added to `Tool` and 9 other types.",
            )
        },
        Change {
            before: Some("title?: string".to_owned()),
            after: Some("/** @deprecated */ title?: string".to_owned()),
            ..change(Severity::Notice, "tools", "deprecated", "ToolAnnotations.title", "`ToolAnnotations.title` is deprecated.")
        },
        Change {
            before: Some("ttl?: number".to_owned()),
            new_client_old_server: unless("tasks"),
            ..change(Severity::Compatible, "tools", "member_removed", "Tool.ttl", "The optional member `ttl` was removed.")
        },
        Change {
            before: Some("action: \"accept\" | \"cancel\"".to_owned()),
            after: Some("action: \"accept\" | \"decline\" | \"cancel\"".to_owned()),
            old_client_new_server: breaks("A new peer may send `\"decline\"`, which an old one refuses."),
            new_client_old_server: breaks("A new client may answer `\"decline\"`, which an old server refuses."),
            reason: "A value was added to a closed list.".to_owned(),
            ..change(
                Severity::Breaking,
                "elicitation",
                "enum_value_added",
                "ElicitResult.action",
                "The value `\"decline\"` was added.",
            )
        },
        Change {
            new_client_old_server: breaks("Old servers do not send it."),
            reason: "A required member that an old server does not know.".to_owned(),
            flow: DOWN,
            after: Some("url: string".to_owned()),
            ..change(
                Severity::Breaking,
                "elicitation",
                "required_member_added",
                "ElicitRequestURLParams.url",
                "The required member `url` was added.",
            )
        },
    ];
    report.documentation = vec![
        Change {
            before: Some("A human-readable title for the tool.".to_owned()),
            after: Some("Intended for UI: a human-readable title of the tool.".to_owned()),
            ..change(Severity::Documentation, "tools", "description_changed", "Tool.title", "The description changed.")
        },
        change(Severity::Documentation, "tasks", "description_changed", "Task.ttl", "The description changed."),
    ];
    report.refactors = vec![change(
        Severity::Refactor,
        "tools",
        "definition_split",
        "ToolSchema",
        "`ToolSchema` has a name of its own now.",
    )];
    report.ignored = vec![Ignored {
        rule: "member_removed".to_owned(),
        path: at("Tool.legacy"),
        fingerprint: "00ff00ff00ff00ff".to_owned(),
        reason: "Never sent by anyone we know.".to_owned(),
        expires: "2026-12-31".to_owned(),
    }];
    report.warnings = vec!["`Tool.gone`: the entry matches no change".to_owned()];
    let pair = |name: &str, area: &str, before: Option<&str>, after: Option<&str>| TypePair {
        name: name.to_owned(),
        area: area.to_owned(),
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
    };
    report.types = vec![
        pair(
            "Task",
            "tasks",
            None,
            Some("interface Task {\n  taskId: string;\n  status: TaskStatus;\n  ttl: number | null;\n}"),
        ),
        pair("TaskStatus", "tasks", None, Some("type TaskStatus =\n  | \"working\"\n  | \"completed\";")),
        pair(
            "Tool",
            "tools",
            Some(
                "interface Tool extends BaseMetadata {\n  description?: string;\n  inputSchema: { type: \"object\" };\n  ttl?: number;\n  annotations?: ToolAnnotations;\n}",
            ),
            Some(
                "interface Tool extends BaseMetadata {\n  description?: string;\n  icons?: Icon[];\n  inputSchema: { $schema?: string; type: \"object\" };\n  execution?: { taskSupport?: \"forbidden\" | \"optional\" };\n  annotations?: ToolAnnotations;\n}",
            ),
        ),
        pair("ToolAnnotations", "tools", Some("interface ToolAnnotations {\n  title?: string;\n}"), None),
    ];
    count(report)
}

/// What a schema could contain to become part of the page. The name makes sure that each field is found again.
pub fn hostile(name: &str) -> String {
    format!(
        "[{name}]</title></style></script></pre></textarea>--><!--<script>window.pwned=1</script>\
         <img src=x onerror=window.pwned=2>\" autofocus onfocus=\"window.pwned=3\" ' onclick='window.pwned=4'\
         <a href=javascript:window.pwned=5>&lt;b&gt;{{{{7*7}}}}{{% raw %}}\u{2028}\u{2029}\u{202e}\0\u{feff}]]>"
    )
}

/// Every string is hostile, and everything that may be absent is there.
pub fn hostile_report() -> Report {
    let verdict = |name: &str| Verdict {
        outcome: Outcome::Unless,
        capabilities: vec![hostile(&format!("{name} capability"))],
        reason: Some(hostile(&format!("{name} reason"))),
    };
    let change = |kind: &str, severity: Severity| Change {
        rule: hostile(&format!("{kind} rule")),
        fingerprint: hostile(&format!("{kind} fp")),
        severity,
        area: hostile("area"),
        path: Path::of(hostile(&format!("{kind} path"))),
        arguments: BTreeMap::from([(hostile("key"), json!(hostile("value")))]),
        message: Message::new(Path::of(hostile(&format!("{kind} path"))), hostile(&format!("{kind} message")), 10),
        reason: hostile(&format!("{kind} reason")),
        before: Some(hostile(&format!("{kind} before"))),
        after: Some(hostile(&format!("{kind} after"))),
        note: Some(hostile(&format!("{kind} note"))),
        flow: BOTH,
        old_client_new_server: verdict(&format!("{kind} old")),
        new_client_old_server: verdict(&format!("{kind} new")),
        places: (0..10)
            .map(|number| Place {
                path: Path::of(hostile(&format!("{kind} place {number}"))),
                old: Some(hostile(&format!("{kind} old pointer {number}"))),
                new: Some(hostile(&format!("{kind} new pointer {number}"))),
                ..Place::default()
            })
            .collect(),
    };
    let side = |name: &str| Side {
        name: hostile(&format!("{name} name")),
        file: hostile(&format!("{name} file")),
        sha256: hostile(name),
        definitions: 1,
        methods: 1,
        read_as: Some(hostile(&format!("{name} read as"))),
        corrections: vec![hostile(&format!("{name} correction"))],
    };
    let mut report = Report {
        format: 1,
        old: side("OLD"),
        new: side("NEW"),
        assumptions: vec![hostile("assumption")],
        summary: Summary::default(),
        changes: vec![change("wire", Severity::Breaking)],
        documentation: vec![change("words", Severity::Documentation)],
        refactors: vec![change("schema", Severity::Refactor)],
        ignored: vec![Ignored {
            rule: hostile("ignored rule"),
            path: Path::of(hostile("ignored path")),
            fingerprint: hostile("ign"),
            reason: hostile("ignored reason"),
            expires: hostile("ignored expires"),
        }],
        warnings: vec![hostile("warning")],
        // A type whose name is a word of the page's other texts, so that there are links.
        types: ["pwned", &hostile("type")]
            .map(|name| TypePair {
                name: name.to_owned(),
                area: hostile("type area"),
                before: Some(hostile("type before")),
                after: Some(hostile("type after")),
            })
            .into(),
    };
    report.summary.old_client_new_server = verdict("summary old");
    report.summary.new_client_old_server = verdict("summary new");
    count(report)
}

/// So many changes in twelve areas, each like those of the small report.
pub fn long(length: usize) -> Report {
    let mut report = small();
    let patterns = std::mem::take(&mut report.changes);
    report.changes = patterns
        .iter()
        .cycle()
        .take(length)
        .enumerate()
        .map(|(number, pattern)| Change {
            fingerprint: format!("{number:032x}"),
            area: format!("area{}", number * 12 / length),
            path: at(&format!("{}{number}", pattern.path)),
            ..pattern.clone()
        })
        .collect();
    count(report)
}
