//! An ignore file and a report in, the report without what the file names out.
//!
//! ```toml
//! [[ignore]]
//! rule = "field.removed-optional"
//! path = "Tool.title"
//! reason = "nothing of ours reads it"
//! expires = "2027-01-31"
//! ```
//!
//! An entry names a rule and the path of a change, or of one of its places; in the path, `*` stands for any run of
//! characters. Nothing is ignored for ever: every entry has a last day, after which it only warns.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;

use super::nearest::nearest;
use super::report::{Change, Ignored, Place, Report};
use crate::error::{Error, Result};

/// One entry of an ignore file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The rule whose changes are ignored.
    pub rule: String,
    /// The path of a change or of one of its places. `*` stands for any run of characters.
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
    ignore: Vec<Raw>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    rule: String,
    path: String,
    reason: String,
    expires: toml::Value,
}

/// Reads an ignore file. `known_rules` is the catalogue that its entries may name.
pub fn read(path: &Path, known_rules: &[&str]) -> Result<Vec<Entry>> {
    let bytes = std::fs::read(path).map_err(|error| Error::io(path, error, "check the path"))?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| Error::schema(path, "", format!("not UTF-8 ({error})"), "save it as UTF-8 text"))?;
    parse(path, text, known_rules)
}

/// Takes an ignore file from memory; `path` is what messages call it.
pub fn parse(path: &Path, text: &str, known_rules: &[&str]) -> Result<Vec<Entry>> {
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
    for (index, raw) in ignore.into_iter().enumerate() {
        let error = |key: &str, found: String, help: String| {
            Err(Error::schema(path, format!("/ignore/{index}/{key}"), found, help))
        };
        let Raw { rule, path: pattern, reason, expires } = raw;
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
        // A date is the same with and without quotation marks; a time of day is not a date.
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

/// Moves what the entries name from the lists of a report to `ignored`, and counts again.
///
/// Entries that have expired do not count; they and those that match nothing become warnings.
pub fn apply(report: &mut Report, entries: &[Entry], today: &str) {
    apply_all(std::slice::from_mut(report), entries, today);
}

/// The same for several reports with one ignore file: an entry has to match a change in one of them.
///
/// What is wrong with an entry is said once, in the first report.
pub fn apply_all(reports: &mut [Report], entries: &[Entry], today: &str) {
    // Dates of this form are in the order of their texts.
    let expired = |entry: &Entry| entry.expires.as_str() < today;
    let mut by_rule: BTreeMap<&str, Vec<(usize, &Entry)>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        if !expired(entry) {
            by_rule.entry(&entry.rule).or_default().push((index, entry));
        }
    }
    let mut used = BTreeSet::new();
    for report in &mut *reports {
        let Report { changes, documentation, refactors, ignored, .. } = report;
        let seen = ignored.len();
        for list in [changes, documentation, refactors] {
            list.retain_mut(|change| match by_rule.get(change.rule.as_str()) {
                Some(entries) => keep(change, entries, &mut used, ignored),
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

/// Takes the places that the entries name out of a change. Returns whether anything of it is left.
fn keep(
    change: &mut Change,
    entries: &[(usize, &Entry)],
    used: &mut BTreeSet<usize>,
    ignored: &mut Vec<Ignored>,
) -> bool {
    // Entries may overlap. Each that matches has its use, whichever of them removes the change.
    let mut whole: Option<&Entry> = None;
    let mut partly: Vec<Option<&Entry>> = vec![None; change.places.len()];
    for (index, entry) in entries {
        if matches(&entry.path, &change.path) {
            used.insert(*index);
            whole = whole.or(Some(entry));
        }
        for (place, by) in change.places.iter().zip(&mut partly) {
            if matches(&entry.path, &place.path) {
                used.insert(*index);
                *by = by.or(Some(entry));
            }
        }
    }
    // Where every place is ignored the change is, for the reason of its first place.
    if !partly.is_empty() && partly.iter().all(Option::is_some) {
        whole = whole.or(partly.first().copied().flatten());
    }
    let mut ignore = |path: &str, entry: &Entry| {
        ignored.push(Ignored {
            rule: change.rule.clone(),
            path: path.to_owned(),
            fingerprint: change.fingerprint.clone(),
            reason: entry.reason.clone(),
            expires: entry.expires.clone(),
        });
    };
    if let Some(entry) = whole {
        ignore(&change.path, entry);
        return false;
    }
    let partly_count = change.places.len();
    let mut left: Vec<Place> = Vec::with_capacity(partly_count);
    for (place, by) in std::mem::take(&mut change.places).into_iter().zip(partly) {
        match by {
            Some(entry) => ignore(&place.path, entry),
            None => left.push(place),
        }
    }
    let some = left.len() < partly_count;
    change.places = left;
    if some {
        change.judge_by_places();
        change.call(change.path.clone(), partly_count);
    }
    true
}

/// Whether a pattern stands for the whole of a path.
fn matches(pattern: &str, path: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    match rest.strip_suffix(last) {
        Some(middle) => rest = middle,
        None => return false,
    }
    // The earliest occurrence of each part leaves the most for those after it.
    parts.all(|part| match rest.split_once(part) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

/// Today's date in UTC, as `YYYY-MM-DD`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

/// The date that is so many days after 1970-01-01.
fn date(mut days: u64) -> String {
    // The calendar repeats after 400 years, which keeps the loop short whatever the clock says.
    const CYCLE: u64 = 146_097;
    let mut year = 1970 + days / CYCLE * 400;
    days %= CYCLE;
    loop {
        for month in 1..=12 {
            let length = days_of(year, month);
            if days < length {
                return format!("{year:04}-{month:02}-{:02}", days + 1);
            }
            days -= length;
        }
        year += 1;
    }
}

/// Whether a text is a day of the calendar, written as `YYYY-MM-DD`.
pub fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut number = |digits: usize| {
        let part = parts.next()?;
        let plain = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        if plain { part.parse::<u64>().ok() } else { None }
    };
    let (Some(year), Some(month), Some(day)) = (number(4), number(2), number(2)) else { return false };
    parts.next().is_none() && (1..=days_of(year, month)).contains(&day)
}

/// How many days a month has; none, if there is no such month.
fn days_of(year: u64, month: u64) -> u64 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{date, is_date};

    #[test]
    fn days_since_1970_are_dates() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (19_782, "2024-02-29"),
            (19_783, "2024-03-01"),
            (20_453, "2025-12-31"),
            (47_541, "2100-03-01"),
            (146_097, "2370-01-01"),
        ] {
            assert_eq!(date(days), expected);
        }
        assert!((0..50_000).all(|days| is_date(&date(days)) && date(days) < date(days + 1)));
    }
}
