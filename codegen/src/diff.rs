//! Compare: two editions of the protocol in, what changed and whom it breaks out.
//!
//! ```text
//! editions ─align→ pairs ─walk→ sites ─rules→ findings ─fold→ changes with their places, flows and verdicts
//! ```
//!
//! It works on the model, so that dialects, inlining and copied members do not show.

mod align;
mod edition;
mod flow;
mod fold;
pub mod ignore;
pub mod lines;
pub mod nearest;
mod notation;
mod only;
pub mod print;
mod raw;
pub mod report;
pub mod rules;
mod walk;
mod wire;

pub use edition::Edition;
pub use only::Subject;

use align::Alignment;
use edition::Index;
use flow::Flows;
use fold::{Finding, Fold};
use report::{Report, Severity, Summary};
use rules::CATALOGUE;
use wire::Wire;

/// What the verdicts take for granted.
pub const ASSUMPTIONS: &[&str] = &[
    "A reader ignores members it does not know.",
    "A reader fails on a required member that is missing, on an unknown value of a closed enum, on an unknown alternative \
     of a union and on a value of another type or beyond a limit.",
    "A request with an unknown method is answered with an error; an unknown notification is ignored.",
    "A method that a capability guards is used only where the capability has been declared.",
];

/// Compares two editions. Refactors are in the report; [`Report::hide_refactors`] keeps their number only.
pub fn compare(old: &Edition, new: &Edition) -> Report {
    let (before, after) = (Index::new(&old.model), Index::new(&new.model));
    let alignment = Alignment::new(&before, &after);
    let flows = Flows::new(&before, &after);
    let wire = Wire::new(&before, &after, &flows);
    let mut findings = Vec::new();
    for found in walk::walk((old, new), (&before, &after), &alignment, &wire) {
        let hit = CATALOGUE.iter().find_map(|rule| Some((rule, (rule.check)(&found.site)?)));
        if let Some((rule, hit)) = hit {
            findings.push(Finding { rule, hit, found: Box::new(found) });
        }
    }
    let helpers = fold::helpers(&before, &after, &wire);
    let fold = Fold { editions: (old, new), old: &before, new: &after, flows: &flows, wire: &wire, helpers };
    let (changes, types) = fold.fold(findings);
    let mut report = Report {
        format: 1,
        old: old.side(),
        new: new.side(),
        assumptions: ASSUMPTIONS.iter().map(|text| (*text).to_owned()).collect(),
        summary: Summary::default(),
        changes: Vec::new(),
        documentation: Vec::new(),
        refactors: Vec::new(),
        ignored: Vec::new(),
        warnings: Vec::new(),
        types,
    };
    for change in changes {
        match change.severity {
            Severity::Refactor => report.refactors.push(change),
            Severity::Documentation => report.documentation.push(change),
            _ => report.changes.push(change),
        }
    }
    report.summary.rules = CATALOGUE.iter().map(|rule| (rule.id.to_owned(), 0)).collect();
    report.recount();
    report
}
