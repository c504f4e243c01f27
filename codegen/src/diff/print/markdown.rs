//! Markdown: reports in, Markdown out, for a release note, a pull request or `docs/changes`.

use super::text::by_area;
use super::{columns, listed, plain, plural, sentence, uncommanded};
use crate::diff::report::{Change, Outcome, Place, Report, Side, Verdict};

/// If a change has more places than this, the others are only counted.
const PLACES: usize = 40;

/// One report after the other. With `all`, descriptions are shown before and after.
pub fn markdown(reports: &[Report], all: bool) -> String {
    let reports: Vec<String> = reports.iter().map(|report| one(report, all)).collect();
    reports.join("\n")
}

fn one(report: &Report, all: bool) -> String {
    let mut lines: Vec<String> = vec![format!("# From {} to {}", safe(&report.old.name), safe(&report.new.name))];
    lines.push(String::new());
    if report.is_empty() {
        lines.push("No changes.".to_owned());
    } else {
        summary(report, &mut lines);
        for (area, changes) in by_area(&report.changes) {
            lines.extend([String::new(), format!("## {}", safe(area)), String::new()]);
            changes.into_iter().for_each(|each| change(each, &mut lines));
        }
        quiet("Documentation", "Descriptions in other words.", &report.documentation, all, &mut lines);
        let about = "Changes of the schema alone, not visible on the wire.";
        quiet("Refactors", about, &report.refactors, true, &mut lines);
        if !report.ignored.is_empty() {
            lines.extend([String::new(), "## Ignored".to_owned(), String::new()]);
            for ignored in &report.ignored {
                let (path, reason) = (code(&ignored.path.to_string()), safe(&ignored.reason));
                lines.push(format!("- {} at {path} until {}: {reason}", code(&ignored.rule), safe(&ignored.expires)));
            }
        }
    }
    if !report.warnings.is_empty() {
        lines.push(String::new());
        lines.extend(report.warnings.iter().map(|warning| format!("> Warning: {}", safe(warning))));
    }
    lines.push(String::new());
    lines.into_iter().map(uncommanded).collect::<Vec<_>>().join("\n")
}

fn summary(report: &Report, lines: &mut Vec<String>) {
    let summary = &report.summary;
    let columns = columns(summary);
    let row = |name: &str, cells: &mut dyn Iterator<Item = String>| {
        format!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "))
    };
    lines.push(row("area", &mut columns.iter().map(|(title, ..)| (*title).to_owned())));
    lines.push(format!("|---|{}", "--:|".repeat(columns.len())));
    for area in &summary.areas {
        lines.push(row(&safe(&area.name), &mut columns.iter().map(|(_, count, _)| count(area).to_string())));
    }
    lines.push(row("**all**", &mut columns.iter().map(|(.., total)| format!("**{total}**"))));
    lines.push(String::new());
    lines.push("| who | verdict |".to_owned());
    lines.push("|---|---|".to_owned());
    for (who, verdict) in [
        ("old client ↔ new server", &summary.old_client_new_server),
        ("new client ↔ old server", &summary.new_client_old_server),
    ] {
        let reason = verdict.reason.as_ref().map(|reason| format!(": {}", safe(reason))).unwrap_or_default();
        lines.push(format!("| {who} | {}{reason} |", words(verdict)));
    }
    lines.push(String::new());
    let mut also = Vec::new();
    if summary.documentation > 0 {
        also.push(plural(summary.documentation, "reworded description", "reworded descriptions"));
    }
    if summary.refactors > 0 {
        let hint = match (report.refactors.len(), summary.refactors) {
            (0, 1) => " (`--all` lists it)",
            (0, _) => " (`--all` lists them)",
            _ => "",
        };
        also.push(plural(summary.refactors, "change", "changes") + " of the schema alone" + hint);
    }
    if summary.ignored > 0 {
        also.push(format!("{} ignored", summary.ignored));
    }
    if !also.is_empty() {
        lines.push(format!("Besides: {}.", also.join(", ")));
        lines.push(String::new());
    }
    lines.push("The verdicts assume:".to_owned());
    lines.push(String::new());
    lines.extend(report.assumptions.iter().map(|assumption| format!("- {}", safe(assumption))));
    for side in [&report.old, &report.new] {
        lines.extend(about(side));
    }
}

fn about(side: &Side) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(like) = &side.read_as {
        parts.push(format!("compared as written, read with the facts about {}", safe(like)));
    }
    if !side.corrections.is_empty() {
        let names: Vec<String> = side.corrections.iter().map(|name| code(name)).collect();
        parts.push(format!("compared with known errors of its schema corrected ({})", names.join(", ")));
    }
    match parts.is_empty() {
        true => Vec::new(),
        false => vec![String::new(), format!("{} is {}.", safe(&side.name), parts.join("; "))],
    }
}

fn change(change: &Change, lines: &mut Vec<String>) {
    lines.push(format!(
        "- **{}** {} {} <sub>{}, {}</sub>",
        change.severity.name(),
        code(&change.path.to_string()),
        safe(&change.message.remainder()),
        change.rule,
        change.flow.name()
    ));
    lines.push(String::new());
    block(change, lines);
    let mut told = Vec::new();
    if let Some(note) = &change.note {
        told.push(remark(&safe(note)));
    }
    let verdicts = [&change.old_client_new_server, &change.new_client_old_server];
    if verdicts.iter().any(|verdict| verdict.outcome != Outcome::Safe) {
        let [first, second] = verdicts.map(words);
        told.push(format!(
            "Old client ↔ new server: {first}. New client ↔ old server: {second}. {}",
            safe(&change.reason)
        ));
    }
    match &change.places[..] {
        [Place { was: Some(was), .. }] => told.push(format!("It was called {}.", code(&was.to_string()))),
        [] | [_] => {}
        _ => told.push(format!("At {}.", places(change, PLACES))),
    }
    for line in told {
        lines.extend([format!("  {line}"), String::new()]);
    }
}

/// The old and the new text, as a block in the colours of a diff.
fn block(change: &Change, lines: &mut Vec<String>) {
    let mut diff = Vec::new();
    for (sign, text) in [('-', &change.before), ('+', &change.after)] {
        diff.extend(text.iter().flat_map(|text| text.lines()).map(|line| format!("  {sign} {}", plain(line))));
    }
    if diff.is_empty() {
        return;
    }
    let longest = diff.iter().map(|line| ticks(line)).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    lines.push(format!("  {fence}diff"));
    lines.append(&mut diff);
    lines.push(format!("  {fence}"));
    lines.push(String::new());
}

fn quiet(title: &str, about: &str, changes: &[Change], all: bool, lines: &mut Vec<String>) {
    if changes.is_empty() {
        return;
    }
    lines.extend([String::new(), format!("## {title}"), String::new(), about.to_owned(), String::new()]);
    for each in changes {
        if all {
            change(each, lines);
            continue;
        }
        let places = if each.places.len() < 2 { String::new() } else { format!(" ({})", places(each, 6)) };
        lines.push(format!("- {}{places}", code(&each.path.to_string())));
    }
}

fn words(verdict: &Verdict) -> String {
    let words = safe(&verdict.words());
    if verdict.outcome == Outcome::Breaks { format!("**{words}**") } else { words }
}

/// Places as code, so that stars and underscores in names are no emphasis.
fn places(change: &Change, shown: usize) -> String {
    let place = |place: &Place| match &place.was {
        Some(was) => format!("{} (it was called {})", code(&place.path.to_string()), code(&was.to_string())),
        None => code(&place.path.to_string()),
    };
    listed(change.places.iter().map(place), shown)
}

/// A note as a sentence.
fn remark(text: &str) -> String {
    let text = sentence(text);
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    first + letters.as_str()
}

/// Text without markup except for code between backticks: no HTML, no new line, no table cell, no link, no image.
fn safe(text: &str) -> String {
    let text = plain(text);
    let (mut escaped, mut rest) = (String::with_capacity(text.len()), text.as_str());
    while let Some(start) = rest.find('`') {
        let (before, code) = rest.split_at(start);
        escape(before, &mut escaped);
        let fence = code.len() - code.trim_start_matches('`').len();
        match end_of_code(code, fence).and_then(|end| code.split_at_checked(end)) {
            Some((code, after)) => {
                escaped.push_str(&code.replace('<', "&lt;").replace('|', "\\|"));
                rest = after;
            }
            None => {
                escaped.push_str(&"\\`".repeat(fence));
                rest = code.trim_start_matches('`');
            }
        }
    }
    escape(rest, &mut escaped);
    escaped
}

/// Escapes what would be markup outside of code.
fn escape(text: &str, escaped: &mut String) {
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '|' | '[' | ']' | '\\' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
}

/// Code is no longer than this. Looking for its end in all of a long text, again and again, would take too long.
const LONGEST: usize = 2000;

/// The end of code that begins with so many backticks: after as many of them.
fn end_of_code(code: &str, fence: usize) -> Option<usize> {
    let mut end = fence;
    loop {
        end += code.get(end..)?.bytes().take(LONGEST).position(|byte| byte == b'`')?;
        if end > LONGEST {
            return None;
        }
        let closing = code.get(end..).map_or(0, |rest| rest.len() - rest.trim_start_matches('`').len());
        end += closing;
        if closing == fence {
            return Some(end);
        }
    }
}

/// Text as code, whatever it contains.
fn code(text: &str) -> String {
    let text = plain(text);
    let fence = "`".repeat(ticks(&text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// The longest run of backticks.
fn ticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
