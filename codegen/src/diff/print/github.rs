//! GitHub: reports in, workflow commands out, which become annotations beside the lines of the schema.

use super::{Files, is_unseen, sentence, told, verdicts};
use crate::diff::report::{Change, Report, Severity, Summary};

/// How many annotations of one level GitHub shows per step. It silently drops the others.
const SHOWN: usize = 10;

/// All reports as workflow commands, one per line, the breaking changes first. Reports without changes give none.
///
/// A summary of each report ends the list. If there are too many compatible changes for GitHub to show it there, it
/// stands before the first of them that is not shown.
pub fn github(reports: &[Report], files: &Files) -> String {
    let (mut errors, mut warnings, mut notices, mut summaries) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for report in reports {
        for change in &report.changes {
            let (level, list) = match change.severity {
                Severity::Breaking => ("error", &mut errors),
                Severity::Unverified | Severity::Notice => ("warning", &mut warnings),
                Severity::Compatible => ("notice", &mut notices),
                // Nobody has to act on these, and they would take the place of others.
                Severity::Documentation | Severity::Refactor => continue,
            };
            list.push(annotation(level, report, change, files));
        }
        if !report.is_empty() {
            summaries.push(summary(report));
        }
    }
    // Warnings about the ignore file come after the deprecations, which are about the protocol.
    let ignore = reports.iter().flat_map(|report| &report.warnings);
    warnings.extend(ignore.map(|warning| command("warning", &[("title", "mcp-wire: ignore file")], warning)));

    let hidden = notices.split_off(notices.len().min(SHOWN.saturating_sub(summaries.len())));
    [errors, warnings, notices, summaries, hidden].concat().concat()
}

fn annotation(level: &str, report: &Report, change: &Change, files: &Files) -> String {
    let title = format!("{}: {}", change.rule, change.path);
    let mut message = told(report, change);
    let mut properties = Vec::new();
    let (line, column);
    match change.places.split_first() {
        Some((first, others)) => {
            let (side, position) = files.locate(report, first);
            properties.push(("file", side.file.as_str()));
            if let Some(position) = position {
                (line, column) = (position.line.to_string(), position.column.to_string());
                properties.extend([("line", line.as_str()), ("col", column.as_str())]);
            }
            match others.len() {
                0 => {}
                1 => message.push_str(" In 1 more place."),
                more => message.push_str(&format!(" In {more} more places.")),
            }
        }
        None => properties.push(("file", report.new.file.as_str())),
    }
    properties.push(("title", &title));
    command(level, &properties, &message)
}

/// The number of changes of each severity, and both verdicts.
fn summary(report: &Report) -> String {
    let Summary { breaking, unverified, compatible, notices, documentation, refactors, ignored, .. } = report.summary;
    let mut counts = format!("{breaking} breaking, {compatible} compatible, {notices} deprecated");
    // Rare severities, and those without annotations, are mentioned only if there are any.
    let rare = [(documentation, "reworded"), (refactors, "in the schema alone"), (ignored, "ignored")];
    for (count, what) in [(unverified, "unverified")].into_iter().chain(rare) {
        if count > 0 {
            counts.push_str(&format!(", {count} {what}"));
        }
    }
    let Summary { old_client_new_server, new_client_old_server, .. } = &report.summary;
    let [first, second] = verdicts(report, old_client_new_server, new_client_old_server);
    let message = [counts, first, second].map(|text| sentence(&text)).join("\n");
    let title = format!("mcp-wire: {} → {}", report.old.name, report.new.name);
    command("notice", &[("title", &title)], &message)
}

/// One command. Text of a schema never ends a line or a property, so it cannot begin another command.
fn command(level: &str, properties: &[(&str, &str)], message: &str) -> String {
    let properties: Vec<String> =
        properties.iter().map(|(name, value)| format!("{name}={}", escape_property(value))).collect();
    format!("::{level} {}::{}\n", properties.join(","), escape(message))
}

fn escape(text: &str) -> String {
    // Logs are shown in terminals, too. Ends of lines are escaped as GitHub asks.
    let text = text.replace(|c: char| is_unseen(c) && !matches!(c, '\r' | '\n'), "\u{fffd}");
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape(text).replace(':', "%3A").replace(',', "%2C")
}
