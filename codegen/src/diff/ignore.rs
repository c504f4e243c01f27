//! An ignore file and a report in, the report without what the file names out.
//!
//! ```toml
//! [[ignore]]
//! rule = "field.removed-optional"
//! path = 'Tool["io.example/rank"]'
//! reason = "nothing of ours reads it"
//! expires = "2027-01-31"
//! ```
//!
//! An entry names a rule and the path of a change or of one of its places, as the report writes it. If no change has
//! exactly this path, a `*` outside of quotation marks stands for any text. Every entry has a last day; after that it
//! only warns.

mod date;
mod pattern;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path as File;

use serde::Deserialize;

use super::nearest::nearest;
use super::path::Path;
use super::report::{Change, Ignored, Place, Report};
use crate::error::{Error, Result};
pub use date::{is_date, today};
use pattern::Pattern;

/// One entry of an ignore file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The rule whose changes are ignored.
    pub rule: String,
    /// The path of a change or of one of its places. If no change has it, `*` stands for any text.
    pub path: String,
    /// Why they are ignored.
    pub reason: String,
    /// The last day on which they are, as `YYYY-MM-DD`.
    pub expires: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IgnoreFile {
    #[serde(default)]
    ignore: Vec<Written>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    rule: String,
    path: String,
    reason: String,
    expires: toml::Value,
}

/// Reads an ignore file. `known_rules` is the catalogue that its entries may name.
pub fn read(path: &File, known_rules: &[&str]) -> Result<Vec<Entry>> {
    let bytes = std::fs::read(path).map_err(|error| Error::io(path, error, "check the path"))?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| Error::schema(path, "", format!("not UTF-8 ({error})"), "save it as UTF-8 text"))?;
    parse(path, text, known_rules)
}

/// Takes an ignore file from memory; `path` is what messages call it.
pub fn parse(path: &File, text: &str, known_rules: &[&str]) -> Result<Vec<Entry>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let IgnoreFile { ignore } = toml::from_str(text).map_err(|error| {
        Error::schema(
            path,
            "",
            error.to_string().trim_end().replace('\n', "\n  "),
            "every entry is a table [[ignore]] with the keys rule, path, reason and expires",
        )
    })?;
    let rules: BTreeSet<&str> = known_rules.iter().copied().collect();
    let mut seen: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut entries = Vec::with_capacity(ignore.len());
    for (index, written) in ignore.into_iter().enumerate() {
        let error = |key: &str, found: String, help: String| {
            Err(Error::schema(path, format!("/ignore/{index}/{key}"), found, help))
        };
        let Written { rule, path: pattern, reason, expires } = written;
        if !rules.contains(rule.as_str()) {
            let close: Vec<String> =
                nearest(&rule, rules.iter().copied()).into_iter().map(|name| format!("`{name}`")).collect();
            let help = if close.is_empty() {
                "use the id of a rule of the catalogue, as the report states it beside the change".to_owned()
            } else {
                format!("did you mean {}?", close.join(" or "))
            };
            return error("rule", format!("there is no rule `{rule}`"), help);
        }
        if pattern.trim().is_empty() {
            return error("path", "the path is empty".to_owned(), "name what changed, like `Tool.title`".to_owned());
        }
        if reason.trim().is_empty() {
            let found = format!("`{rule}` at `{pattern}` is ignored without a reason");
            return error("reason", found, "say why nobody needs to know about the change".to_owned());
        }
        // A date may have quotation marks. A date with a time of day is refused.
        let expires = match expires {
            toml::Value::String(text) => text,
            toml::Value::Datetime(date) => date.to_string(),
            other => format!("{} value", other.type_str()),
        };
        if !is_date(&expires) {
            let found = format!("`{expires}` is not a date");
            return error("expires", found, "write the last day as \"YYYY-MM-DD\"".to_owned());
        }
        if let Some(first) = seen.insert((rule.clone(), pattern.clone()), index) {
            let found = format!("`{rule}` at `{pattern}` is already ignored by entry {}", first + 1);
            return error("path", found, "keep one of the two entries".to_owned());
        }
        entries.push(Entry { rule, path: pattern, reason, expires });
    }
    Ok(entries)
}

/// Moves the changes and places that the entries name to `ignored`, and counts again.
///
/// Expired entries have no effect. They, and entries that match nothing, become warnings.
pub fn apply(report: &mut Report, entries: &[Entry], today: &str) {
    apply_all(std::slice::from_mut(report), entries, today);
}

/// The same for several reports with one ignore file: an entry has to match a change in one of them.
///
/// Warnings about entries stand in the first report.
pub fn apply_all(reports: &mut [Report], entries: &[Entry], today: &str) {
    // Dates of this form sort as texts.
    let expired = |entry: &Entry| entry.expires.as_str() < today;
    let mut by_rule: BTreeMap<&str, Vec<Pattern<'_>>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        if !expired(entry) {
            by_rule.entry(&entry.rule).or_default().push(Pattern::new(index, entry));
        }
    }
    for change in
        reports.iter().flat_map(|report| [&report.changes, &report.documentation, &report.refactors]).flatten()
    {
        let patterns = by_rule.get_mut(change.rule.as_str());
        patterns.into_iter().flatten().for_each(|pattern| pattern.look_at(change));
    }
    let mut used = BTreeSet::new();
    for report in &mut *reports {
        let Report { changes, documentation, refactors, ignored, .. } = report;
        let seen = ignored.len();
        for list in [changes, documentation, refactors] {
            list.retain_mut(|change| match by_rule.get(change.rule.as_str()) {
                Some(patterns) => keep(change, patterns, &mut used, ignored),
                None => true,
            });
        }
        if report.ignored.len() > seen {
            report.sort();
        }
        report.recount();
    }
    let warnings = entries.iter().enumerate().filter_map(|(index, entry)| {
        let Entry { rule, path, reason, expires } = entry;
        if expired(entry) {
            Some(format!(
                "`{rule}` at `{path}` expired on {expires}: remove the entry, or give it a later date if its reason \
                 still holds ({reason})"
            ))
        } else if used.contains(&index) {
            None
        } else {
            Some(format!("`{rule}` at `{path}` matches no change: remove the entry"))
        }
    });
    if let Some(first) = reports.first_mut() {
        first.warnings.extend(warnings);
    }
}

/// Takes the places that the entries name out of a change. Returns whether the change stays.
fn keep(change: &mut Change, patterns: &[Pattern<'_>], used: &mut BTreeSet<usize>, ignored: &mut Vec<Ignored>) -> bool {
    // Entries may overlap. Each entry that matches counts as used, whichever of them removes the change.
    let mut by = |path: &Path<'_>| {
        let written = path.to_string();
        let matching = patterns.iter().filter(|pattern| pattern.matches(path, &written));
        let matching: Vec<&Pattern<'_>> = matching.collect();
        used.extend(matching.iter().map(|pattern| pattern.index));
        matching.first().map(|pattern| pattern.entry)
    };
    let mut whole = by(&change.path);
    let partly: Vec<Option<&Entry>> = change.places.iter().map(|place| by(&place.path)).collect();
    // If every place is ignored, the change is ignored, for the reason of its first place.
    if !partly.is_empty() && partly.iter().all(Option::is_some) {
        whole = whole.or(partly.first().copied().flatten());
    }
    let mut ignore = |path: &Path<'static>, entry: &Entry| {
        ignored.push(Ignored {
            rule: change.rule.clone(),
            path: path.clone(),
            fingerprint: change.fingerprint.clone(),
            reason: entry.reason.clone(),
            expires: entry.expires.clone(),
        });
    };
    if let Some(entry) = whole {
        ignore(&change.path, entry);
        return false;
    }
    let all = change.places.len();
    let mut left: Vec<Place> = Vec::with_capacity(all);
    for (place, by) in std::mem::take(&mut change.places).into_iter().zip(partly) {
        match by {
            Some(entry) => ignore(&place.path, entry),
            None => left.push(place),
        }
    }
    let some = left.len() < all;
    change.places = left;
    if some {
        change.judge_by_places();
        change.call(change.path.clone(), all);
    }
    true
}
