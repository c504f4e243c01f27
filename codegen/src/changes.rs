//! The committed reports: the revisions in, the files of `docs/changes` out.

use std::collections::BTreeMap;

use crate::diff::print::markdown;
use crate::diff::report::Report;
use crate::diff::rules::{CATALOGUE, Rule};
use crate::diff::{Edition, compare};
use crate::output::MARK;

/// The folder they stand in, below `docs`.
pub const FOLDER: &str = "changes";

/// A report for each pair of neighbours, and an index of them. The editions are sorted, oldest first.
pub fn changes_of(editions: &[Edition]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut rows = String::new();
    for pair in editions.windows(2) {
        let [old, new] = pair else { continue };
        let mut report = compare(old, new);
        report.hide_refactors();
        let name = format!("{}..{}.md", old.name, new.name);
        rows.push_str(&row(&report, &name));
        let header = format!("<!-- {MARK} from {} and {}: do not edit. -->\n\n", old.file, new.file);
        files.insert(name, header + &markdown::markdown(&[report], false));
    }
    files.insert("README.md".to_owned(), index(&rows));
    files.insert("rules.md".to_owned(), rules());
    files
}

/// The catalogue of rules.
fn rules() -> String {
    let mut text = format!(
        "<!-- {MARK} from codegen/src/diff/rules: do not edit. -->\n\n\
         # The rules of `cargo xtask diff`\n\n\
         Every rule has a mirror, which applies when the two sides change places. The severity is the worst case: where\n\
         nobody is hurt, because no message carries the type that way, a breaking rule reports a compatible change. What\n\
         is unverified cannot be compared, so that nobody knows; `--fail-on any` counts it.\n\n\
         | rule | what it finds | severity | mirror | why it matters |\n\
         |---|---|---|---|---|\n"
    );
    for Rule { id, title, reason, severity, mirror, .. } in CATALOGUE {
        let mirror = if mirror == id { "itself".to_owned() } else { format!("`{mirror}`") };
        text.push_str(&format!("| `{id}` | {title} | {} | {mirror} | {reason} |\n", severity.name()));
    }
    text
}

fn row(report: &Report, file: &str) -> String {
    let summary = &report.summary;
    let verdicts = [&summary.old_client_new_server, &summary.new_client_old_server].map(|verdict| verdict.words());
    format!(
        "| [{} → {}]({file}) | {} | {} | {} | {} | {} |\n",
        report.old.name,
        report.new.name,
        summary.breaking,
        summary.compatible,
        summary.notices,
        verdicts[0],
        verdicts[1]
    )
}

fn index(rows: &str) -> String {
    format!(
        "<!-- {MARK} from schema/: do not edit. -->\n\n\
         # What each revision changed\n\n\
         | from, to | breaking | compatible | notices | old client ↔ new server | new client ↔ old server |\n\
         |---|--:|--:|--:|---|---|\n\
         {rows}\n\
         `cargo xtask diff OLD NEW` prints these, and compares any two revisions or schema files; with `--format html` it\n\
         makes a page with filters and search. A change that many types inherit is one change with many places.\n\
         [rules.md](rules.md) lists the rules by which changes are told apart.\n"
    )
}
