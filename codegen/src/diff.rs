//! Compare: two editions of the protocol in, what changed and whom it breaks out.
//!
//! ```text
//! editions ─align→ pairs ─walk→ differences ─rules→ findings ─fold→ changes with their places, flows and verdicts
//! ```
//!
//! It works on the model, so that dialects, inlining and copied members do not show.

mod align;
mod both;
mod difference;
mod edition;
mod flow;
mod fold;
pub mod ignore;
mod index;
mod keywords;
pub mod lines;
pub mod nearest;
mod notation;
mod only;
pub mod path;
mod place;
pub mod print;
pub mod report;
pub mod rules;
mod shape;
mod visible;
mod walk;

pub use edition::Edition;
pub use only::Subject;

use align::Alignment;
use both::Both;
use flow::Flows;
use fold::Fold;
use index::Index;
use report::Report;
use rules::Finding;
use visible::Visible;

/// Compares two editions. Refactors are in the report; [`Report::hide_refactors`] keeps their number only.
pub fn compare(old: &Edition, new: &Edition) -> Report {
    let editions = Both { old, new };
    let index = editions.map(|edition| Index::new(&edition.model));
    let index = index.as_ref();
    let alignment = Alignment::new(index);
    let flows = Flows::new(index);
    let visible = Visible::new(index, &flows);
    let differences = walk::walk(editions, index, &alignment, &visible);
    let findings = differences.into_iter().filter_map(Finding::of).collect();
    let (changes, types) = Fold::new(editions, index, &flows, &visible).changes(findings);
    Report::new(editions, changes, types)
}
