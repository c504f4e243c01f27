//! Upstream: a folder or the address of a git repository in, the schemas of its revisions with their provenance out.
//!
//! Both are laid out like the official repository: `schema/<revision>/schema.json`, and perhaps
//! `schema/<revision>/examples/<Type>/*.json`. What they contain is hostile: names, links and sizes are judged before
//! anything is read, and nothing is ever checked out or run.

mod disk;
mod git;
mod layout;
#[cfg(test)]
mod tests;

use std::path::Path;

use anyhow::{Context, Result, bail};
use mcp_wire_codegen::diff::nearest::nearest;

use git::Git;

/// The repository of the specification.
pub const OFFICIAL: &str = "https://github.com/modelcontextprotocol/modelcontextprotocol";

/// The largest schema: ten times what the largest is after years would still be far below it.
const SCHEMA_BYTES: u64 = 16 << 20;
/// The largest examples, of one revision together.
const EXAMPLE_BYTES: u64 = 64 << 20;
/// The largest of everything that is read: all revisions with their examples.
const ALL_BYTES: u64 = 256 << 20;
/// The most files that are looked at, so that a tree without end is noticed.
const FILES: usize = 100_000;
/// The most revisions: one a day for years.
const REVISIONS: usize = 2_000;
/// The folder of what is not released.
const DRAFT: &str = "draft";

/// What was found, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upstream {
    /// The address or the folder, as it is to be recorded: without passwords.
    pub origin: String,
    /// The full hash of the commit, if the bytes are those of one.
    pub commit: Option<String>,
    /// The day of that commit, as YYYY-MM-DD.
    pub date: Option<String>,
    /// The revisions by name, `draft` last.
    pub revisions: Vec<Revision>,
}

/// One revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// The date that names it, or `draft`.
    pub name: String,
    /// The schema's path in the repository.
    pub path: String,
    /// The schema.
    pub bytes: Vec<u8>,
    /// The commit that gave the file these bytes, where the history is at hand; else the commit of the whole.
    pub commit: Option<String>,
    /// The day of that commit.
    pub date: Option<String>,
    /// The examples by their path below `examples/`.
    pub examples: Vec<(String, Vec<u8>)>,
}

/// Something below `schema/`.
#[derive(Debug, Clone)]
struct Entry {
    /// Its path below the project.
    path: String,
    kind: Kind,
    size: u64,
    /// What git calls its contents; empty on a disk.
    blob: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
    Link,
    Other,
}

/// Reads the contents of an entry.
type Reader<'a> = dyn FnMut(&Entry) -> Result<Vec<u8>> + 'a;

/// Reads the revisions that were asked for; all dated ones if none was, and the draft if it is wanted as well.
///
/// `cache` is a folder for the repositories of addresses; it may be removed at any time.
pub fn fetch(from: &str, rev: Option<&str>, wanted: &[String], draft: bool, cache: &Path) -> Result<Upstream> {
    fetch_with(&Git::default(), from, rev, wanted, draft, cache)
}

fn fetch_with(
    git: &Git,
    from: &str,
    rev: Option<&str>,
    wanted: &[String],
    draft: bool,
    cache: &Path,
) -> Result<Upstream> {
    let choice = Choice { origin: git::without_password(from), wanted, draft };
    if from.is_empty() || from.starts_with('-') || from.chars().any(char::is_control) {
        bail!(
            "`{}` is neither a folder nor a URL\n  a folder of such a name is written as ./NAME",
            from.escape_debug()
        );
    }
    if let Some(rev) = rev {
        git::prove_rev(rev)?;
    }
    let folder = Path::new(from);
    if folder.is_dir() {
        return match (git::kind(folder), rev) {
            (git::Place::WorkTree, None) => work_tree(git, folder, &choice, cache),
            (git::Place::Bare | git::Place::WorkTree, rev) => {
                let rev = rev.unwrap_or("HEAD");
                match git.view(folder, rev, cache)? {
                    Some((repository, commit)) => committed(&repository, &commit, true, &choice),
                    None if rev == "HEAD" => {
                        bail!("{from} has no commits\n  commit the schemas, or name another repository")
                    }
                    None => bail!("{}", git::unknown(rev, from)),
                }
            }
            (git::Place::Plain, Some(rev)) => bail!(
                "{from} is not the top folder of a git checkout, so that there is no commit `{rev}`\n  leave out --rev \
                 to take its files as they are, or name a checkout"
            ),
            (git::Place::Plain, None) => Ok(Upstream {
                revisions: choice.read(&disk::list(folder)?, &mut |entry| disk::read(folder, entry))?,
                origin: choice.origin,
                commit: None,
                date: None,
            }),
        };
    }
    if git::protocol(from).is_none() {
        let hint = match folder.exists() {
            true => "it is a file; name the folder that has `schema/` in it",
            false => {
                "check the path, or write the address out, like https://host/owner/repository; git is fetched over https \
                 and ssh, and from file:///folder"
            }
        };
        bail!("`{from}` is neither a folder nor a URL\n  {hint}");
    }
    let fetched = || {
        let (repository, commit) = git.fetch(from, &choice.origin, rev, cache)?;
        // The cache has as much history as earlier runs happened to need; what is recorded must not depend on it.
        committed(&repository, &commit, false, &choice)
    };
    match fetched() {
        // The fault may be with what an interrupted run or a full disk has left in the cache.
        Err(_) if git.forget_damaged(from, cache)? => fetched(),
        fetched => fetched,
    }
}

/// The files of a commit.
fn committed(repository: &git::Repository, commit: &str, history: bool, choice: &Choice) -> Result<Upstream> {
    let mut objects = git::Objects::new(repository, commit)?;
    let entries = objects.list().with_context(|| choice.origin.clone())?;
    let mut revisions = choice.read(&entries, &mut |entry| objects.read(entry))?;
    for revision in &mut revisions {
        let last = if history { repository.last_change(commit, &revision.path)? } else { None };
        let commit = last.unwrap_or_else(|| commit.to_owned());
        revision.date = Some(repository.date(&commit)?);
        revision.commit = Some(commit);
    }
    Ok(Upstream {
        origin: choice.origin.clone(),
        commit: Some(commit.to_owned()),
        date: Some(repository.date(commit)?),
        revisions,
    })
}

/// The files on the disk, which are those of a commit only if every byte is the same.
fn work_tree(git: &Git, folder: &Path, choice: &Choice, cache: &Path) -> Result<Upstream> {
    let revisions = choice.read(&disk::list(folder)?, &mut |entry| disk::read(folder, entry))?;
    let uncommitted = Upstream { origin: choice.origin.clone(), commit: None, date: None, revisions };
    let Some((repository, head)) = git.view(folder, "HEAD", cache)? else { return Ok(uncommitted) };
    // What the commit lacks or has in another form (a link, for one) cannot be what was read.
    let Ok(upstream) = committed(&repository, &head, true, choice) else { return Ok(uncommitted) };
    let contents = |upstream: &Upstream| -> Vec<_> {
        let revisions = upstream.revisions.iter();
        revisions.map(|revision| (revision.name.clone(), revision.bytes.clone(), revision.examples.clone())).collect()
    };
    Ok(if contents(&upstream) == contents(&uncommitted) { upstream } else { uncommitted })
}

/// What was asked for.
struct Choice<'a> {
    origin: String,
    wanted: &'a [String],
    draft: bool,
}

impl Choice<'_> {
    /// The chosen revisions, read.
    fn read(&self, entries: &[Entry], reader: &mut Reader<'_>) -> Result<Vec<Revision>> {
        let names = self.names(entries)?;
        if names.len() > REVISIONS {
            bail!("{}: more than {REVISIONS} revisions\n  choose some with --revision", self.origin);
        }
        let mut left = ALL_BYTES;
        let mut bounded = |entry: &Entry| {
            left = left.checked_sub(entry.size).with_context(|| too_large(&self.origin, "schema", ALL_BYTES))?;
            reader(entry)
        };
        names.iter().map(|name| self.revision(name, entries, &mut bounded)).collect()
    }

    /// The names of the chosen revisions.
    fn names(&self, entries: &[Entry]) -> Result<Vec<String>> {
        let origin = &self.origin;
        if entries.is_empty() {
            bail!(
                "{origin} has no folder `schema`\n  name a repository or a checkout that is laid out like {OFFICIAL}, \
                 with schema/<revision>/schema.json"
            );
        }
        let mut known: Vec<&str> = Vec::new();
        for entry in entries {
            if entry.path == "schema" {
                bail!("{origin}: `schema` is not a folder\n  links are not followed; name the folder that has it");
            }
            let mut parts = entry.path.split('/').skip(1);
            let (folder, rest) = (parts.next().unwrap_or_default(), parts.next());
            let is_revision = is_date(folder) || folder == DRAFT;
            if is_revision && rest.is_none() && entry.kind == Kind::Link && self.covers(folder) {
                bail!("{origin}: {} is a symbolic link\n  put the folder itself in its place", entry.path);
            }
            // A folder without a schema is not a revision yet.
            if is_revision && entry.path == schema_path(folder) && !known.contains(&folder) {
                known.push(folder);
            }
        }
        known.sort_unstable();
        let dated: Vec<&str> = known.iter().copied().filter(|name| *name != DRAFT).collect();
        let there = match known.is_empty() {
            true => "there is none: it has no schema/<YYYY-MM-DD>/schema.json".to_owned(),
            false => format!("there are {}", known.join(", ")),
        };
        let mut names: Vec<&str> = if self.wanted.is_empty() { dated } else { Vec::new() };
        for wanted in self.wanted {
            match known.iter().find(|known| *known == wanted) {
                Some(_) if wanted == DRAFT && !self.draft => {
                    bail!("`{DRAFT}` is not a released revision\n  add --draft to take it all the same")
                }
                Some(name) => names.push(name),
                None => {
                    let alike = nearest(wanted, known.iter().copied());
                    let alike = match alike.is_empty() {
                        true => String::new(),
                        false => format!("did you mean {}? ", alike.join(", ")),
                    };
                    bail!("no revision `{}` in {origin}\n  {alike}{there}", wanted.escape_debug());
                }
            }
        }
        if self.draft {
            match known.contains(&DRAFT) {
                true => names.push(DRAFT),
                false => bail!("{origin} has no {}\n  leave out --draft; {there}", schema_path(DRAFT)),
            }
        }
        if names.is_empty() {
            let hint = if known.is_empty() {
                "check that it is laid out like the official one"
            } else {
                "add --draft to take the draft"
            };
            bail!("{origin} has no revision: no schema/<YYYY-MM-DD>/schema.json\n  {hint}");
        }
        names.sort_unstable();
        names.dedup();
        Ok(names.into_iter().map(str::to_owned).collect())
    }

    /// Whether a revision is among those that were asked for, should it exist.
    fn covers(&self, name: &str) -> bool {
        match name {
            DRAFT => self.draft,
            name => self.wanted.is_empty() || self.wanted.iter().any(|wanted| wanted == name),
        }
    }

    fn revision(&self, name: &str, entries: &[Entry], reader: &mut Reader<'_>) -> Result<Revision> {
        let origin = &self.origin;
        let path = schema_path(name);
        let found = entries.iter().find(|entry| entry.path == path);
        let entry = found.with_context(|| format!("{origin} has no {path}"))?;
        self.prove(entry)?;
        if entry.size > SCHEMA_BYTES {
            bail!("{}", too_large(origin, &path, SCHEMA_BYTES));
        }
        let bytes = reader(entry)?;
        let folder = format!("schema/{name}/examples");
        let mut examples = Vec::new();
        let mut left = EXAMPLE_BYTES;
        for entry in entries {
            let Some(below) = entry.path.strip_prefix(&folder) else { continue };
            let Some(below) = below.strip_prefix('/') else {
                // Something else whose name only begins like this, or the folder itself, which then is none.
                if below.is_empty() {
                    self.prove(entry)?;
                }
                continue;
            };
            if entry.kind == Kind::File && !below.ends_with(".json") {
                continue;
            }
            self.prove(entry)?;
            if !is_safe(below) {
                bail!(
                    "{origin}: the example `{}` has a name that is not safe to write\n  rename it there",
                    entry.path.escape_debug()
                );
            }
            left = match left.checked_sub(entry.size) {
                Some(left) => left,
                None => bail!("{}", too_large(origin, &folder, EXAMPLE_BYTES)),
            };
            examples.push((below.to_owned(), reader(entry)?));
        }
        examples.sort();
        Ok(Revision { name: name.to_owned(), path, bytes, commit: None, date: None, examples })
    }

    /// That an entry is a file.
    fn prove(&self, entry: &Entry) -> Result<()> {
        let path = entry.path.escape_debug();
        match entry.kind {
            Kind::File => Ok(()),
            Kind::Link => {
                bail!("{}: {path} is a symbolic link\n  links are not followed; put the file in its place", self.origin)
            }
            Kind::Folder | Kind::Other => {
                bail!("{}: {path} is not a regular file\n  put a file in its place, or remove it", self.origin)
            }
        }
    }
}

fn schema_path(name: &str) -> String {
    format!("schema/{name}/schema.json")
}

fn too_large(origin: &str, path: &str, limit: u64) -> String {
    format!(
        "{origin}: {path} is larger than {} MB\n  no schema of the protocol comes near that; check what the file is",
        limit >> 20
    )
}

/// Whether a folder is named like a revision: YYYY-MM-DD.
fn is_date(name: &str) -> bool {
    let digits = |text: &str, length: usize| text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = name.split('-');
    let parts = (parts.next(), parts.next(), parts.next(), parts.next());
    let (Some(year), Some(month), Some(day), None) = parts else { return false };
    let within = |text: &str, last: u8| text.parse().is_ok_and(|number: u8| (1..=last).contains(&number));
    digits(year, 4) && digits(month, 2) && digits(day, 2) && within(month, 12) && within(day, 31)
}

/// Whether a relative path stays where it is put, on every system.
fn is_safe(path: &str) -> bool {
    path.split('/').all(|part| {
        !matches!(part, "" | "." | "..")
            && !part.contains(['\\', ':'])
            && !part.chars().any(char::is_control)
            && !part.eq_ignore_ascii_case(".git")
            // What is not UTF-8 has arrived as this.
            && !part.contains(char::REPLACEMENT_CHARACTER)
    })
}
