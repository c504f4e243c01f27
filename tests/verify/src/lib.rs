//! Documents and recorded sessions against the generated types: is each one read, and written back as it came?
//!
//! `cargo xtask verify` builds and runs the program of this package, because the command line itself must work when there
//! are no generated crates.

mod examples;
mod judge;
mod places;
mod print;
mod report;
mod traffic;
mod value;

use std::fmt;
use std::path::PathBuf;

use mcp_wire::Revision;
use serde::{Deserialize, Serialize};

pub use judge::{Judges, Question};
pub use places::{Places, Spot};
pub use print::{Printing, run};
pub use report::{Difference, Document, Outcome, Report, Totals};

/// What to verify, and how to tell about it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Task {
    /// The project's folder.
    pub root: PathBuf,
    /// Only this revision; for traffic, the one it is in.
    pub revision: Option<String>,
    /// Folders of `<Type>/*.json`.
    pub examples: Vec<PathBuf>,
    /// Recorded sessions, files or folders.
    pub traffic: Vec<PathBuf>,
    /// The program of `mcp-wire-accepts`, for documents that are not read.
    pub accepts: Option<PathBuf>,
    /// Lines longer than this are not read.
    pub longest_line: usize,
}

/// Something that makes the task itself impossible.
#[derive(Debug)]
pub struct Misuse(pub String);

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misuse {}

/// Verifies everything that the task names, telling `report` about each document.
pub fn verify(task: &Task, report: &mut dyn Report) -> Result<(), Misuse> {
    verify_with(task, &Judges::new(task.root.join("schema"), task.accepts.clone()), report)
}

/// The same with judges of one's own.
pub fn verify_with(task: &Task, judges: &Judges, report: &mut dyn Report) -> Result<(), Misuse> {
    let revision = match &task.revision {
        Some(name) => Some(known(name)?),
        None => None,
    };
    if task.examples.is_empty() && task.traffic.is_empty() {
        let folder = task.root.join("tests/examples");
        for one in Revision::ENABLED.iter().filter(|one| revision.as_ref().is_none_or(|wanted| wanted == *one)) {
            let folder = folder.join(one.as_str());
            // A revision that has only just appeared has none of its own yet, unless it was asked for.
            if !folder.is_dir() && task.revision.is_none() {
                eprintln!("note: there are no examples of {one} yet; they belong into tests/examples/{one}/<Type>/");
                continue;
            }
            examples::verify(&folder, one, judges, report)?;
        }
    }
    for folder in &task.examples {
        let revision = revision.clone().or_else(|| in_path(folder)).unwrap_or(Revision::LATEST);
        examples::verify(folder, &revision, judges, report)?;
    }
    for path in &task.traffic {
        traffic::verify(path, revision.as_ref(), task.longest_line, judges, report)?;
    }
    Ok(())
}

fn known(name: &str) -> Result<Revision, Misuse> {
    let revision = Revision::from(name);
    if revision.is_enabled() {
        return Ok(revision);
    }
    let all: Vec<&str> = Revision::ENABLED.iter().map(Revision::as_str).collect();
    Err(Misuse(format!("no revision `{name}`\n  there are {}", all.join(", "))))
}

/// The revision that a path names, as recordings are kept.
pub(crate) fn in_path(path: &std::path::Path) -> Option<Revision> {
    // A relative path may stand inside a folder that names the revision.
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let names = full.iter().rev().filter_map(|part| part.to_str());
    names.map(Revision::from).find(Revision::is_enabled)
}
