//! Reports in, SARIF 2.1.0 out: the format in which code scanners exchange what they found.
//!
//! The types below are the part of SARIF that is used here, under its own names.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Files, escaped_json, sentence, told};
use crate::diff::lines::Position;
use crate::diff::report::{Change, Flow, Ignored, Place, Report, Severity, Side, Verdict};
use crate::error::{Error, Result};

/// A rule of the catalogue, as SARIF presents it.
#[derive(Debug, Clone, Copy)]
pub struct RuleInfo {
    /// Its id: `field.removed-optional`.
    pub id: &'static str,
    /// What it finds, in a few words.
    pub title: &'static str,
    /// Why that matters, as a sentence.
    pub reason: &'static str,
    /// How bad it is, as a rule.
    pub severity: Severity,
}

/// All reports as one run. Ignored changes are among the results, as suppressed ones.
///
/// All given rules are listed; one that occurs without being given is listed after them, by its id alone.
pub fn sarif(reports: &[Report], rules: &[RuleInfo], files: &Files) -> Result<String> {
    let mut catalogue = Catalogue::new(rules);
    let mut results = Vec::new();
    for report in reports {
        let Report { changes, documentation, refactors, ignored, .. } = report;
        let mut present = BTreeSet::new();
        for change in changes.iter().chain(documentation).chain(refactors) {
            present.insert(change.fingerprint.as_str());
            results.push(of_change(report, change, &mut catalogue, files));
        }
        results.extend(ignored.iter().map(|ignored| of_ignored(report, ignored, &present, &mut catalogue)));
    }
    let warnings = reports.iter().flat_map(|report| &report.warnings);
    let notifications: Vec<Notification> =
        warnings.map(|warning| Notification { level: "warning", message: Message::new(warning) }).collect();
    let run = Run {
        tool: Tool {
            driver: Driver {
                name: "mcp-wire",
                version: env!("CARGO_PKG_VERSION"),
                information_uri: env!("CARGO_PKG_REPOSITORY"),
                rules: catalogue.rules,
            },
        },
        invocations: [Invocation { execution_successful: true, tool_configuration_notifications: notifications }],
        column_kind: "unicodeCodePoints",
        results,
    };
    let log = Log { schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
    let text = serde_json::to_string_pretty(&log)
        .map_err(|error| Error::internal(format!("a report cannot be written as SARIF ({error})")))?;
    Ok(escaped_json(&text) + "\n")
}

/// The rules and where they stand in the list.
struct Catalogue {
    rules: Vec<Rule>,
    index: BTreeMap<String, usize>,
}

impl Catalogue {
    fn new(given: &[RuleInfo]) -> Self {
        let mut catalogue = Self { rules: Vec::new(), index: BTreeMap::new() };
        for rule in given {
            catalogue.index(rule.id, |id| Rule {
                id,
                short_description: Some(Message::new(&sentence(rule.title))),
                full_description: Some(Message::new(&sentence(rule.reason))),
                default_configuration: Some(Configuration { level: level(rule.severity) }),
            });
        }
        catalogue
    }

    fn index(&mut self, id: &str, rule: impl FnOnce(String) -> Rule) -> usize {
        if let Some(index) = self.index.get(id) {
            return *index;
        }
        let index = self.rules.len();
        self.index.insert(id.to_owned(), index);
        self.rules.push(rule(id.to_owned()));
        index
    }

    fn find(&mut self, id: &str) -> usize {
        self.index(id, |id| Rule { id, short_description: None, full_description: None, default_configuration: None })
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Breaking => "error",
        Severity::Unverified | Severity::Notice => "warning",
        Severity::Compatible | Severity::Documentation | Severity::Refactor => "note",
    }
}

fn of_change<'a>(report: &'a Report, change: &'a Change, catalogue: &mut Catalogue, files: &Files) -> SarifResult<'a> {
    let mut related_locations: Vec<Location> = Vec::new();
    let location = match change.places.split_first() {
        Some((first, others)) => {
            for (index, place) in others.iter().enumerate() {
                // Consumers show a related location only if it has something to say.
                let message = Message::new(&format!("`{}`", place.path));
                let location = at(report, place, files);
                related_locations.push(Location { id: Some(index + 1), message: Some(message), ..location });
            }
            at(report, first, files)
        }
        None => Location::new(&report.new, None, &change.path),
    };
    SarifResult {
        rule_index: catalogue.find(&change.rule),
        rule_id: &change.rule,
        level: level(change.severity),
        message: Message::new(&told(report, change)),
        locations: [location],
        related_locations,
        partial_fingerprints: Fingerprints { change: change.fingerprint.clone() },
        suppressions: Vec::new(),
        properties: Properties {
            old: &report.old.name,
            new: &report.new.name,
            path: &change.path,
            severity: Some(change.severity),
            area: Some(&change.area),
            flow: Some(change.flow),
            old_client_new_server: Some(&change.old_client_new_server),
            new_client_old_server: Some(&change.new_client_old_server),
            before: change.before.as_deref(),
            after: change.after.as_deref(),
            note: change.note.as_deref(),
        },
    }
}

fn of_ignored<'a>(
    report: &'a Report,
    ignored: &'a Ignored,
    present: &BTreeSet<&str>,
    catalogue: &mut Catalogue,
) -> SarifResult<'a> {
    let rule_index = catalogue.find(&ignored.rule);
    let rule = catalogue.rules.get(rule_index);
    let level = rule.and_then(|rule| rule.default_configuration.as_ref()).map_or("note", |it| it.level);
    // Where only some places of a change are ignored, the suppressed result must not be taken for the one that stays.
    let change = if present.contains(ignored.fingerprint.as_str()) {
        format!("{}/{}", ignored.fingerprint, ignored.path)
    } else {
        ignored.fingerprint.clone()
    };
    let text =
        format!("`{}` at `{}` is ignored until {}: {}", ignored.rule, ignored.path, ignored.expires, ignored.reason);
    SarifResult {
        rule_id: &ignored.rule,
        rule_index,
        level,
        message: Message::new(&sentence(&text)),
        locations: [Location::new(&report.new, None, &ignored.path)],
        related_locations: Vec::new(),
        partial_fingerprints: Fingerprints { change },
        suppressions: vec![Suppression {
            kind: "external",
            status: "accepted",
            justification: &ignored.reason,
            properties: Expiry { expires: &ignored.expires },
        }],
        properties: Properties {
            old: &report.old.name,
            new: &report.new.name,
            path: &ignored.path,
            severity: None,
            area: None,
            flow: None,
            old_client_new_server: None,
            new_client_old_server: None,
            before: None,
            after: None,
            note: None,
        },
    }
}

fn at(report: &Report, place: &Place, files: &Files) -> Location {
    let (side, position) = files.locate(report, place);
    Location::new(side, position, &place.path)
}

/// A path as a URI: relative as it is, absolute as a `file` URI.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut path = path.as_str();
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    let mut letters = path.chars();
    let drive = match (letters.next(), letters.next(), letters.next()) {
        (Some(drive), Some(':'), Some('/')) if drive.is_ascii_alphabetic() => Some(drive),
        _ => None,
    };
    match drive {
        // The colon of a drive stays, as everybody writes it; any other would look like the end of a scheme.
        Some(drive) => format!("file:///{drive}:/{}", encode(letters.as_str())),
        None if path.starts_with("//") => format!("file:{}", encode(path)),
        None if path.starts_with('/') => format!("file://{}", encode(path)),
        None => encode(path),
    }
}

/// Percent-encodes everything that has or may have a meaning in a URI, except for slashes.
fn encode(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'.' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    invocations: [Invocation; 1],
    /// What a column counts; without it, consumers count as they like.
    column_kind: &'static str,
    results: Vec<SarifResult<'a>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    information_uri: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    short_description: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_description: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_configuration: Option<Configuration>,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    /// What is wrong with the ignore file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_configuration_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

impl Message {
    fn new(text: &str) -> Self {
        // In a message, braces stand for arguments unless they are doubled (3.11.5), and `[…](…)` for a link (3.11.6).
        // Nothing a schema says should become a link.
        Self { text: text.replace('{', "{{").replace('}', "}}").replace("](", "] (") }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Suppression<'a>>,
    properties: Properties<'a>,
}

#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "mcpWireChange/v1")]
    change: String,
}

#[derive(Serialize)]
struct Suppression<'a> {
    kind: &'static str,
    status: &'static str,
    justification: &'a str,
    properties: Expiry<'a>,
}

#[derive(Serialize)]
struct Expiry<'a> {
    expires: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    logical_locations: [LogicalLocation; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

impl Location {
    fn new(side: &Side, position: Option<Position>, path: &str) -> Self {
        let region = position.map(|Position { line, column }| Region { start_line: line, start_column: column });
        Self {
            id: None,
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri: uri(&side.file) },
                region,
            },
            logical_locations: [LogicalLocation { fully_qualified_name: path.to_owned() }],
            message: None,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
}

/// What SARIF has no place for, under the names of the report.
#[derive(Serialize)]
struct Properties<'a> {
    old: &'a str,
    new: &'a str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<Severity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flow: Option<Flow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_client_new_server: Option<&'a Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_client_old_server: Option<&'a Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}
