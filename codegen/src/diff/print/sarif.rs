//! SARIF: reports in, a log in the format of code scanners out (SARIF 2.1.0).

mod log;

use std::collections::{BTreeMap, BTreeSet};

use super::{Files, escaped_json, sentence, told};
use crate::diff::report::{Change, Ignored, Place, Report, Severity};
use crate::diff::rules::Rule;
use crate::error::{Error, Result};
use log::{
    Configuration, Descriptor, Driver, Expiry, Fingerprints, Invocation, Location, Log, Message, Notification,
    Properties, Run, SarifResult, Suppression, Tool,
};

/// All reports as one run. Ignored changes are suppressed results.
///
/// All given rules are listed. A rule that occurs but was not given comes after them, with its id only.
pub fn sarif(reports: &[Report], rules: &[Rule], files: &Files) -> Result<String> {
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

/// The rules and their positions in the list.
struct Catalogue {
    rules: Vec<Descriptor>,
    index: BTreeMap<String, usize>,
}

impl Catalogue {
    fn new(given: &[Rule]) -> Self {
        let mut catalogue = Self { rules: Vec::new(), index: BTreeMap::new() };
        for rule in given {
            catalogue.index(rule.id, |id| Descriptor {
                id,
                short_description: Some(Message::new(&sentence(rule.title))),
                full_description: Some(Message::new(&sentence(rule.reason))),
                default_configuration: Some(Configuration { level: level(rule.severity) }),
            });
        }
        catalogue
    }

    fn index(&mut self, id: &str, descriptor: impl FnOnce(String) -> Descriptor) -> usize {
        if let Some(index) = self.index.get(id) {
            return *index;
        }
        let index = self.rules.len();
        self.index.insert(id.to_owned(), index);
        self.rules.push(descriptor(id.to_owned()));
        index
    }

    fn find(&mut self, id: &str) -> usize {
        self.index(id, |id| Descriptor {
            id,
            short_description: None,
            full_description: None,
            default_configuration: None,
        })
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
                // Consumers show a related location only if it has a message.
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
    // If only some places of a change are ignored, the suppressed result must not have the fingerprint of the change
    // that stays.
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
