//! Folders of `<Type>/*.json`, the layout that the specification uses.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use mcp_wire::{DecodeError, Revision};
use serde_json::Value;

use crate::report::{Document, Outcome, Report};
use crate::value::value;
use crate::{Judges, Misuse};

/// What stands at the end of the name of a file that lists the violations of another.
pub const EXPECTED: &str = ".violations.json";

/// Verifies all documents of a folder.
pub fn verify(folder: &Path, revision: &Revision, judges: &Judges, report: &mut dyn Report) -> Result<(), Misuse> {
    let types = entries(folder)?;
    let types: Vec<&PathBuf> = types.iter().filter(|path| path.is_dir()).collect();
    let title = shown(folder);
    // The name of the revision is part of the path as a rule.
    let title = if title.contains(revision.as_str()) { title } else { format!("{title} ({revision})") };
    report.begin(&title, None);
    let mut documents = 0;
    for path in types {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let files: Vec<PathBuf> = entries(path)?.into_iter().filter(|path| is_document(path)).collect();
        if files.is_empty() {
            continue;
        }
        let Some(entry) = revision.types().iter().find(|entry| entry.name == name) else {
            return Err(Misuse(unknown_type(path, &name, revision)));
        };
        for file in files {
            let text = fs::read(&file).map_err(|error| Misuse(format!("{}: {error}", file.display())))?;
            // A file that a Windows editor has saved begins with a mark that is no part of the JSON.
            let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
            let mut document = Document::new(&shown(&file), None, Outcome::Exact);
            document.ty = Some(name.clone());
            match entry.read_slice(text) {
                Ok(probe) => {
                    let places = judges.places(revision)?;
                    // What was decoded is UTF-8.
                    let before = String::from_utf8_lossy(text);
                    document.judge(&before, &judges.written(&before, probe.text), places.definition(&name));
                    document.variant = probe.variant.map(str::to_owned);
                    document.is_unknown = probe.variant == Some("Unknown");
                    document.violations = probe.violations.into_iter().map(Into::into).collect();
                    if let Some(meant) = meant(&file)? {
                        let found: BTreeSet<_> =
                            document.violations.iter().map(|one| (one.pointer.clone(), one.rule.clone())).collect();
                        document.is_meant = found == meant;
                        if !document.is_meant {
                            report.remark(&format!("{}: other violations were expected", shown(&file)));
                        }
                    }
                }
                Err(error) => {
                    let accepted = match &error {
                        DecodeError::Syntax(_) => false,
                        _ => {
                            let text = String::from_utf8_lossy(text);
                            let value = value(&text).unwrap_or_default();
                            judges.accepts(revision, &name, &value)?
                        }
                    };
                    document.outcome = if accepted { Outcome::Rejected } else { Outcome::Invalid };
                    document.error = Some(error.to_string());
                }
            }
            documents += 1;
            report.document(document, 0);
        }
    }
    match documents {
        0 => Err(Misuse(format!(
            "{} has no examples\n  expected files like {}/CallToolRequest/call.json",
            folder.display(),
            folder.display()
        ))),
        _ => Ok(()),
    }
}

/// The violations that a document is meant to have, by pointer and rule, if it is meant to have any.
fn meant(document: &Path) -> Result<Option<BTreeSet<(String, String)>>, Misuse> {
    let name = document.display().to_string();
    let path = format!("{}{EXPECTED}", name.strip_suffix(".json").unwrap_or(&name));
    let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
    let list: Vec<Value> = serde_json::from_str(&text).map_err(|error| Misuse(format!("{path}: {error}")))?;
    let member = |item: &Value, name: &str| item[name].as_str().unwrap_or_default().to_owned();
    Ok(Some(list.iter().map(|item| (member(item, "pointer"), member(item, "rule"))).collect()))
}

/// A path as a person would write it: from here, if it lies here.
pub(crate) fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}

fn is_document(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    path.is_file() && name.ends_with(".json") && !name.ends_with(EXPECTED) && !name.starts_with('.')
}

/// The entries of a folder, sorted.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, Misuse> {
    let fail = |error: std::io::Error| Misuse(format!("{}: {error}", folder.display()));
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        paths.push(entry.map_err(fail)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn unknown_type(path: &Path, name: &str, revision: &Revision) -> String {
    let mut near: Vec<(usize, &str)> =
        revision.types().iter().map(|entry| (distance(name, entry.name), entry.name)).collect();
    near.sort();
    let near: Vec<&str> = near.into_iter().take(3).map(|(_, name)| name).collect();
    format!("{}: {revision} has no type `{name}`\n  the nearest are {}", path.display(), near.join(", "))
}

/// How many letters must be changed, added or left out; capitals count like others.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, a) in left.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, b) in right.iter().enumerate() {
            let changed = diagonal + usize::from(a != *b);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}
