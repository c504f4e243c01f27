//! Reports in, text for a terminal out.

use super::{listed, plain, plural};
use crate::diff::report::{Change, Outcome, Place, Report, Severity, Side, Verdict};

/// How a report is printed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// With colours, for a terminal.
    pub colour: bool,
    /// With all places, and with the words of descriptions before and after.
    pub all: bool,
}

const BOLD: &str = "1";
const DIM: &str = "2";
const RED: &str = "31";
const GREEN: &str = "32";
const YELLOW: &str = "33";

/// More places than this are counted rather than listed: whoever looks for `Tool.title` shall find it here.
const PLACES: usize = 40;

/// The same for descriptions, which nobody looks for.
const DESCRIBED: usize = 6;

/// One report after the other.
pub fn text(reports: &[Report], style: Style) -> String {
    let mut printer = Printer { style, text: String::new(), has_assumed: false };
    for (index, report) in reports.iter().enumerate() {
        if index > 0 {
            printer.line("");
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

impl Printer {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.style.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn report(&mut self, report: &Report) {
        let title = format!("{} → {}", plain(&report.old.name), plain(&report.new.name));
        self.line(&self.paint(BOLD, &title));
        for side in [&report.old, &report.new] {
            self.side(side);
        }
        if report.is_empty() {
            self.line("No changes.");
        } else {
            self.line("");
            self.summary(report);
            for (area, changes) in by_area(&report.changes) {
                self.line("");
                self.line(&self.paint(BOLD, &plain(area)));
                changes.iter().for_each(|change| self.change(change));
            }
            let words = ["description in other words", "descriptions in other words"];
            self.quiet(words, &report.documentation);
            let schema = ["change of the schema alone", "changes of the schema alone"];
            self.quiet(schema.map(|text| format!("{text}, not visible on the wire")), &report.refactors);
            self.ignored(report);
        }
        for warning in &report.warnings {
            let word = self.paint(YELLOW, "warning:");
            self.line(&format!("{word} {}", plain(warning)));
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
            let line = format!("  {}: {}", plain(&side.name), plain(&parts.join("; ")));
            self.line(&self.paint(DIM, &line));
        }
    }

    fn summary(&mut self, report: &Report) {
        let summary = &report.summary;
        let width = summary.areas.iter().map(|area| area.name.chars().count()).max().unwrap_or(0).max(5);
        self.line(&format!("  {:width$}  breaking  compatible  notices", ""));
        for area in &summary.areas {
            let row = format!(
                "  {:width$}  {:>8}  {:>10}  {:>7}",
                plain(&area.name),
                area.breaking,
                area.compatible,
                area.notices
            );
            self.line(&row);
        }
        let total = format!(
            "  {:width$}  {:>8}  {:>10}  {:>7}",
            "total", summary.breaking, summary.compatible, summary.notices
        );
        self.line(&self.paint(BOLD, &total));
        self.line("");
        for (who, verdict) in [
            ("old client ↔ new server", &summary.old_client_new_server),
            ("new client ↔ old server", &summary.new_client_old_server),
        ] {
            let reason = verdict.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            let words = self.verdict(verdict);
            self.line(&format!("  {who}: {words}{reason}"));
        }
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
            self.line(&format!("  besides: {}", also.join(", ")));
        }
        // In a chain they are the same for all.
        if !self.has_assumed {
            self.has_assumed = true;
            self.line("");
            self.line(&self.paint(DIM, "  The verdicts assume:"));
            for assumption in &report.assumptions {
                self.line(&self.paint(DIM, &format!("  - {}", plain(assumption))));
            }
        }
    }

    fn verdict(&self, verdict: &Verdict) -> String {
        let colour = match verdict.outcome {
            Outcome::Safe => GREEN,
            Outcome::Unless => YELLOW,
            Outcome::Breaks => RED,
        };
        self.paint(colour, &plain(&verdict.words()))
    }

    fn change(&mut self, change: &Change) {
        let colour = match change.severity {
            Severity::Breaking => RED,
            Severity::Compatible => GREEN,
            Severity::Notice => YELLOW,
            Severity::Documentation | Severity::Refactor => DIM,
        };
        let severity = self.paint(colour, &format!("{:<13}", change.severity.name()));
        self.line(&format!("  {severity}  {}", plain(&change.message)));
        let indent = " ".repeat(17);
        let rule = format!("{indent}{} · {}", change.rule, change.flow.name());
        self.line(&self.paint(DIM, &rule));
        for (sign, colour, text) in [("-", RED, &change.before), ("+", GREEN, &change.after)] {
            for line in text.iter().flat_map(|text| text.lines()) {
                let line = format!("{indent}{sign} {}", plain(line));
                self.line(&self.paint(colour, &line));
            }
        }
        if let Some(note) = &change.note {
            self.line(&format!("{indent}{}", plain(note)));
        }
        if change.old_client_new_server.outcome != Outcome::Safe
            || change.new_client_old_server.outcome != Outcome::Safe
        {
            let (first, second) =
                (self.verdict(&change.old_client_new_server), self.verdict(&change.new_client_old_server));
            self.line(&format!("{indent}old client ↔ new server: {first}"));
            self.line(&format!("{indent}new client ↔ old server: {second}"));
            self.line(&format!("{indent}{}", plain(&change.reason)));
        }
        self.places(change, &indent);
    }

    fn places(&mut self, change: &Change, indent: &str) {
        if let [only] = &change.places[..] {
            if let Some(was) = &only.was {
                self.line(&format!("{indent}it was called {}", plain(was)));
            }
            return;
        }
        if change.places.is_empty() {
            return;
        }
        let shown = if self.style.all { usize::MAX } else { PLACES };
        let line = format!("{indent}at {}", plain(&places(change, shown)));
        self.line(&line);
    }

    /// Changes that nobody has to act upon: a line each.
    fn quiet(&mut self, [one, many]: [impl AsRef<str>; 2], changes: &[Change]) {
        if changes.is_empty() {
            return;
        }
        self.line("");
        self.line(&self.paint(BOLD, &plural(changes.len(), one.as_ref(), many.as_ref())));
        if self.style.all {
            changes.iter().for_each(|change| self.change(change));
            return;
        }
        for change in changes {
            let places =
                if change.places.len() < 2 { String::new() } else { format!(" ({})", places(change, DESCRIBED)) };
            self.line(&plain(&format!("  {}{places}", change.path)));
        }
    }

    fn ignored(&mut self, report: &Report) {
        if report.ignored.is_empty() {
            return;
        }
        self.line("");
        self.line(&self.paint(BOLD, &format!("{} ignored", report.ignored.len())));
        for ignored in &report.ignored {
            let line = format!("  {} at {} until {}: {}", ignored.rule, ignored.path, ignored.expires, ignored.reason);
            self.line(&plain(&line));
        }
    }
}

fn places(change: &Change, shown: usize) -> String {
    let place = |place: &Place| match &place.was {
        Some(was) => format!("{} (it was called {was})", place.path),
        None => place.path.clone(),
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
