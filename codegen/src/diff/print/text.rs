//! Text: reports in, text for a terminal out.

use super::{columns, listed, plain, plural, uncommanded};
use crate::diff::report::{Change, Outcome, Place, Report, Severity, Side, Verdict};

/// How a report is printed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// With colours, for a terminal.
    pub colour: bool,
    /// With all places, and with the old and the new descriptions.
    pub all: bool,
}

const BOLD: &str = "1";
const DIM: &str = "2";
const RED: &str = "31";
const GREEN: &str = "32";
const YELLOW: &str = "33";

/// If a change has more places than this, the others are only counted. Most are listed, so that a search for
/// `Tool.title` finds it.
const PLACES: usize = 40;

/// The same for changed descriptions, which nobody searches for.
const DESCRIBED: usize = 6;

/// One report after the other.
pub fn text(reports: &[Report], style: Style) -> String {
    let mut printer = Printer { style, text: String::new(), has_assumed: false };
    for (index, report) in reports.iter().enumerate() {
        if index > 0 {
            printer.line(&[]);
        }
        printer.report(report);
    }
    printer.text
}

struct Printer {
    style: Style,
    text: String,
    has_assumed: bool,
}

/// A part of a line. `line` makes its text harmless.
enum Part<'p> {
    Plain(&'p str),
    Painted(&'static str, &'p str),
}

use Part::{Painted, Plain};

impl Printer {
    /// Prints a line. Nothing else writes to the text.
    fn line(&mut self, parts: &[Part<'_>]) {
        let mut line = String::new();
        for part in parts {
            match part {
                Painted(code, text) if self.style.colour => {
                    line.push_str(&format!("\u{1b}[{code}m{}\u{1b}[0m", plain(text)));
                }
                Plain(text) | Painted(_, text) => line.push_str(&plain(text)),
            }
        }
        self.text.push_str(uncommanded(line).trim_end());
        self.text.push('\n');
    }

    fn report(&mut self, report: &Report) {
        self.line(&[Painted(BOLD, &format!("{} → {}", report.old.name, report.new.name))]);
        for side in [&report.old, &report.new] {
            self.side(side);
        }
        if report.is_empty() {
            self.line(&[Plain("No changes.")]);
        } else {
            self.line(&[]);
            self.summary(report);
            for (area, changes) in by_area(&report.changes) {
                self.line(&[]);
                self.line(&[Painted(BOLD, area)]);
                changes.iter().for_each(|change| self.change(change));
            }
            let words = ["description in other words", "descriptions in other words"];
            self.quiet(words, &report.documentation);
            let schema = ["change of the schema alone", "changes of the schema alone"];
            self.quiet(schema.map(|text| format!("{text}, not visible on the wire")), &report.refactors);
            self.ignored(report);
        }
        for warning in &report.warnings {
            self.line(&[Painted(YELLOW, "warning:"), Plain(" "), Plain(warning)]);
        }
    }

    fn side(&mut self, side: &Side) {
        let mut parts = Vec::new();
        if let Some(like) = &side.read_as {
            parts.push(format!("as written; read with the facts about {like}"));
        }
        if !side.corrections.is_empty() {
            parts.push(format!("known errors corrected: {}", side.corrections.join(", ")));
        }
        if !parts.is_empty() {
            self.line(&[Painted(DIM, &format!("  {}: {}", side.name, parts.join("; ")))]);
        }
    }

    fn summary(&mut self, report: &Report) {
        let summary = &report.summary;
        let width = summary.areas.iter().map(|area| area.name.chars().count()).max().unwrap_or(0).max(5);
        let columns = columns(summary);
        let row = |name: &str, cell: &dyn Fn(usize) -> String| {
            let cells = columns
                .iter()
                .enumerate()
                .map(|(index, (title, ..))| format!("  {:>width$}", cell(index), width = title.len()));
            format!("  {:width$}{}", plain(name), cells.collect::<String>())
        };
        let column = |index: usize| columns.get(index).copied();
        let title = |index: usize| column(index).map(|(title, ..)| title.to_owned()).unwrap_or_default();
        self.line(&[Plain(&row("", &title))]);
        for area in &summary.areas {
            let count = |index: usize| column(index).map(|(_, count, _)| count(area).to_string()).unwrap_or_default();
            self.line(&[Plain(&row(&area.name, &count))]);
        }
        let total = |index: usize| column(index).map(|(.., total)| total.to_string()).unwrap_or_default();
        self.line(&[Painted(BOLD, &row("total", &total))]);
        self.line(&[]);
        for (who, verdict) in [
            ("old client ↔ new server", &summary.old_client_new_server),
            ("new client ↔ old server", &summary.new_client_old_server),
        ] {
            let reason = verdict.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            self.line(&[Plain(&format!("  {who}: ")), Painted(colour(verdict), &verdict.words()), Plain(&reason)]);
        }
        self.besides(report);
        // In a chain, all reports have the same assumptions.
        if !self.has_assumed {
            self.has_assumed = true;
            self.line(&[]);
            self.line(&[Painted(DIM, "  The verdicts assume:")]);
            for assumption in &report.assumptions {
                self.line(&[Painted(DIM, &format!("  - {assumption}"))]);
            }
        }
    }

    /// Counts the changes that need no action.
    fn besides(&mut self, report: &Report) {
        let summary = &report.summary;
        let mut also = Vec::new();
        if summary.documentation > 0 {
            also.push(plural(summary.documentation, "reworded description", "reworded descriptions"));
        }
        if summary.refactors > 0 {
            let hint = match (report.refactors.len(), summary.refactors) {
                (0, 1) => " (--all shows it)",
                (0, _) => " (--all shows them)",
                _ => "",
            };
            also.push(plural(summary.refactors, "change", "changes") + " of the schema alone" + hint);
        }
        if summary.ignored > 0 {
            also.push(format!("{} ignored", summary.ignored));
        }
        if !also.is_empty() {
            self.line(&[Plain(&format!("  besides: {}", also.join(", ")))]);
        }
    }

    fn change(&mut self, change: &Change) {
        let colour_of = match change.severity {
            Severity::Breaking => RED,
            Severity::Compatible => GREEN,
            Severity::Unverified | Severity::Notice => YELLOW,
            Severity::Documentation | Severity::Refactor => DIM,
        };
        let severity = format!("{:<13}", change.severity.name());
        self.line(&[Plain("  "), Painted(colour_of, &severity), Plain("  "), Plain(&change.message.to_string())]);
        let indent = " ".repeat(17);
        self.line(&[Painted(DIM, &format!("{indent}{} · {}", change.rule, change.flow.name()))]);
        for (sign, colour, text) in [("-", RED, &change.before), ("+", GREEN, &change.after)] {
            for line in text.iter().flat_map(|text| text.lines()) {
                self.line(&[Painted(colour, &format!("{indent}{sign} {line}"))]);
            }
        }
        if let Some(note) = &change.note {
            self.line(&[Plain(&indent), Plain(note)]);
        }
        let verdicts = [&change.old_client_new_server, &change.new_client_old_server];
        if verdicts.iter().any(|verdict| verdict.outcome != Outcome::Safe) {
            for (who, verdict) in ["old client ↔ new server: ", "new client ↔ old server: "].into_iter().zip(verdicts)
            {
                self.line(&[Plain(&indent), Plain(who), Painted(colour(verdict), &verdict.words())]);
            }
            self.line(&[Plain(&indent), Plain(&change.reason)]);
        }
        self.places(change, &indent);
    }

    fn places(&mut self, change: &Change, indent: &str) {
        if let [only] = &change.places[..] {
            if let Some(was) = &only.was {
                self.line(&[Plain(indent), Plain("it was called "), Plain(&was.to_string())]);
            }
            return;
        }
        if change.places.is_empty() {
            return;
        }
        let shown = if self.style.all { usize::MAX } else { PLACES };
        self.line(&[Plain(indent), Plain("at "), Plain(&places(change, shown))]);
    }

    /// Prints changes that need no action, one line each.
    fn quiet(&mut self, [one, many]: [impl AsRef<str>; 2], changes: &[Change]) {
        if changes.is_empty() {
            return;
        }
        self.line(&[]);
        self.line(&[Painted(BOLD, &plural(changes.len(), one.as_ref(), many.as_ref()))]);
        if self.style.all {
            changes.iter().for_each(|change| self.change(change));
            return;
        }
        for change in changes {
            let places =
                if change.places.len() < 2 { String::new() } else { format!(" ({})", places(change, DESCRIBED)) };
            self.line(&[Plain("  "), Plain(&change.path.to_string()), Plain(&places)]);
        }
    }

    fn ignored(&mut self, report: &Report) {
        if report.ignored.is_empty() {
            return;
        }
        self.line(&[]);
        self.line(&[Painted(BOLD, &format!("{} ignored", report.ignored.len()))]);
        for ignored in &report.ignored {
            let line = format!("  {} at {} until {}: {}", ignored.rule, ignored.path, ignored.expires, ignored.reason);
            self.line(&[Plain(&line)]);
        }
    }
}

fn colour(verdict: &Verdict) -> &'static str {
    match verdict.outcome {
        Outcome::Safe => GREEN,
        Outcome::Unless | Outcome::Unverified => YELLOW,
        Outcome::Breaks => RED,
    }
}

fn places(change: &Change, shown: usize) -> String {
    let place = |place: &Place| match &place.was {
        Some(was) => format!("{} (it was called {was})", place.path),
        None => place.path.to_string(),
    };
    listed(change.places.iter().map(place), shown)
}

/// Changes by area, in their order.
pub(super) fn by_area(changes: &[Change]) -> Vec<(&str, Vec<&Change>)> {
    let mut areas: Vec<(&str, Vec<&Change>)> = Vec::new();
    for change in changes {
        match areas.last_mut().filter(|(area, _)| *area == change.area) {
            Some((_, changes)) => changes.push(change),
            None => areas.push((&change.area, vec![change])),
        }
    }
    areas
}
