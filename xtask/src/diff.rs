//! `cargo xtask diff`: what changed between two revisions, and whom it breaks.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use mcp_wire_codegen::diff::lines::Lines;
use mcp_wire_codegen::diff::nearest::nearest;
use mcp_wire_codegen::diff::print::text::Style;
use mcp_wire_codegen::diff::print::{Files, escaped_json, github, html, markdown, sarif, text};
use mcp_wire_codegen::diff::report::Report;
use mcp_wire_codegen::diff::rules::CATALOGUE;
use mcp_wire_codegen::diff::{Edition, Subject, compare, ignore};
use mcp_wire_codegen::load::{self, Sources};

use crate::project;

/// Compare two revisions of the protocol: what changed, and whom it breaks.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask diff 2025-06-18 2025-11-25                       what a new revision changed
  cargo xtask diff 2025-06-18 2025-11-25 --only tools/call     the same for one method or one type
  cargo xtask diff 2025-11-25 draft.json --fail-on breaking    a gate for a draft
  cargo xtask diff --chain 2024-11-05..2025-11-25 --only Tool  the history of a type
  cargo xtask diff old.json new.json --format html > changes.html

Two revisions are compared with the known errors of their schemas corrected. If one side is a file, both are compared
as they are written.

The ignore file (TOML) has a table for each entry:
  [[ignore]]
  rule = \"field.removed-optional\"
  path = \"Tool.title\"
  reason = \"nothing of ours reads it\"
  expires = 2027-01-31
The path is that of a change or of one of its places, as the report writes it. Names that are not plain are quoted:
path = 'Tool[\"io.example/rank\"]'. If no change has exactly this path, * stands for any text.

Exit codes: 0 done, 1 a change that --fail-on names was found, 2 wrong arguments or unusable input.")]
pub struct Diff {
    /// The old side: a revision, or a schema file
    #[arg(required_unless_present_any = ["chain", "print_schema"], requires = "new")]
    old: Option<String>,

    /// The new side: a revision, or a schema file
    new: Option<String>,

    /// Compare each revision with the next one, from one revision to another
    #[arg(long, value_name = "FROM..TO", conflicts_with_all = ["old", "new"])]
    chain: Option<String>,

    /// Show only what is about this type or method
    #[arg(long, value_name = "NAME")]
    only: Option<String>,

    /// The format of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Also show changes of the schema alone: renamed types, other places, dialects
    #[arg(long)]
    all: bool,

    /// Exit with 1 if there is a breaking change, or any change that is visible on the wire
    #[arg(long, value_enum, value_name = "WHAT")]
    fail_on: Option<FailOn>,

    /// Ignore the changes that this file names
    #[arg(long, value_name = "FILE")]
    ignore: Option<PathBuf>,

    /// The date to compare the expiry dates of the ignore file with
    #[arg(long, value_name = "YYYY-MM-DD", hide = true, value_parser = date)]
    today: Option<String>,

    /// Print the JSON Schema of `--format json` and do nothing else. A chain prints a list of such reports
    #[arg(long)]
    print_schema: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a terminal
    Text,
    /// For a release note or a pull request
    Markdown,
    /// Everything, for programs
    Json,
    /// One HTML page without other files
    Html,
    /// For code scanners
    Sarif,
    /// GitHub annotations
    Github,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// A breaking change
    Breaking,
    /// Any change that is visible on the wire, or that cannot be compared
    Any,
}

impl Diff {
    pub fn run(self) -> Result<ExitCode> {
        match self.compare() {
            Ok(code) => Ok(code),
            Err(error) => {
                project::complain("error", &told(&error));
                Ok(ExitCode::from(2))
            }
        }
    }

    fn compare(self) -> Result<ExitCode> {
        if self.print_schema {
            project::print(&(serde_json::to_string_pretty(&Report::json_schema())? + "\n"))?;
            return Ok(ExitCode::SUCCESS);
        }
        let folder = project::root()?.join("schema");
        let sources = load::sources(&folder)?;
        let Sides { editions, texts } = match (&self.old, &self.new, &self.chain) {
            (_, _, Some(chain)) => chained(&folder, &sources, chain)?.into(),
            (Some(old), Some(new), None) => two(&folder, &sources, old, new)?,
            _ => bail!("two sides are needed: `cargo xtask diff OLD NEW`"),
        };
        let entries = match &self.ignore {
            Some(file) => {
                let rules: Vec<&str> = CATALOGUE.iter().map(|rule| rule.id).collect();
                ignore::read(file, &rules).context("the ignore file cannot be used")?
            }
            None => Vec::new(),
        };
        let subject = match &self.only {
            Some(name) => Some(Subject::find(name, editions.iter()).map_err(|alike| {
                let hint = match alike.is_empty() {
                    true => "write it as the schema does, like Tool or tools/call".to_owned(),
                    false => format!("did you mean {}?", alike.join(", ")),
                };
                anyhow!("neither a type nor a method is called `{name}`\n  {hint}")
            })?),
            None => None,
        };
        let mut reports: Vec<Report> = editions
            .windows(2)
            .filter_map(|pair| match pair {
                [old, new] => Some(compare(old, new)),
                _ => None,
            })
            .collect();
        if let Some(subject) = &subject {
            reports.iter_mut().for_each(|report| subject.keep(report));
        }
        if !entries.is_empty() {
            let today = self.today.clone().unwrap_or_else(ignore::today);
            ignore::apply_all(&mut reports, &entries, &today);
        }
        if !self.all {
            reports.iter_mut().for_each(Report::hide_refactors);
        }
        project::print(&self.print(&reports, &texts)?)?;
        let failed = reports.iter().any(|report| match self.fail_on {
            Some(FailOn::Breaking) => report.summary.breaking > 0,
            Some(FailOn::Any) => !report.changes.is_empty(),
            None => false,
        });
        // The process ends here. Dropping these first would take a good part of its time.
        std::mem::forget((editions, reports));
        Ok(ExitCode::from(u8::from(failed)))
    }

    fn print(&self, reports: &[Report], texts: &Texts) -> Result<String> {
        Ok(match self.format {
            Format::Text => {
                let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
                text::text(reports, Style { colour, all: self.all })
            }
            Format::Markdown => markdown::markdown(reports, self.all),
            Format::Json => {
                let text = match (reports, &self.chain) {
                    ([report], None) => serde_json::to_string_pretty(report)?,
                    _ => serde_json::to_string_pretty(reports)?,
                };
                escaped_json(&text) + "\n"
            }
            Format::Html => match (reports, &self.chain) {
                ([report], None) => html::html(report)? + "\n",
                _ => {
                    let ends = reports.first().zip(reports.last());
                    let title = ends.map(|(first, last)| format!("{} → {}", first.old.name, last.new.name));
                    html::html_chain(&title.unwrap_or_default(), reports)? + "\n"
                }
            },
            Format::Sarif => sarif::sarif(reports, CATALOGUE, &files(reports, texts)?)?,
            Format::Github => github::github(reports, &files(reports, texts)?),
        })
    }
}

/// The editions to compare, in order.
struct Sides {
    editions: Vec<Edition>,
    texts: Texts,
}

/// The texts of the schema files that were given, by their hashes. They are read once, because a pipe cannot be read again.
type Texts = BTreeMap<String, String>;

impl From<Vec<Edition>> for Sides {
    fn from(editions: Vec<Edition>) -> Self {
        Self { editions, texts: Texts::new() }
    }
}

/// An error and its causes. Some errors already include the text of their cause, which is not repeated.
fn told(error: &anyhow::Error) -> String {
    let mut told = String::new();
    for cause in error.chain().map(ToString::to_string).filter(|cause| !cause.is_empty()) {
        if !told.contains(&cause) {
            let colon = if told.is_empty() { "" } else { ": " };
            told.push_str(&format!("{colon}{cause}"));
        }
    }
    told
}

/// The lines of the schema files, for formats that point to them.
fn files(reports: &[Report], texts: &Texts) -> Result<Files> {
    let root = project::root()?;
    let mut files = Files::new();
    for side in reports.iter().flat_map(|report| [&report.old, &report.new]) {
        let lines = match texts.get(&side.sha256) {
            Some(text) => Lines::new(text),
            // A revision's file is relative to the project's folder.
            None => {
                let path = root.join(&side.file);
                let text = std::fs::read_to_string(&path)
                    .with_context(|| format!("{} cannot be read again", path.display()))?;
                Lines::new(&text)
            }
        };
        files.add(side, lines);
    }
    Ok(files)
}

fn known(sources: &Sources) -> Vec<&str> {
    sources.revisions.iter().map(|source| source.name.as_str()).collect()
}

/// Reads two sides. If one of them is a file, both are taken as they are written.
fn two(folder: &Path, sources: &Sources, old: &str, new: &str) -> Result<Sides> {
    let known = known(sources);
    let is_revision = |name: &str| known.contains(&name);
    if is_revision(old) && is_revision(new) {
        let editions: Result<Vec<Edition>> =
            [old, new].into_iter().map(|name| revision(folder, sources, name)).collect();
        return Ok(editions?.into());
    }
    let path = |name: &str| match is_revision(name) {
        true => folder.join(name).join("schema.json"),
        false => PathBuf::from(name),
    };
    for (name, path) in [old, new].map(|name| (name, path(name))) {
        if path.is_dir() {
            bail!("{name} is a folder\n  name the schema file in it");
        }
        if !path.exists() {
            bail!("{}", missing(name, &known));
        }
    }
    if !is_revision(old) && !is_revision(new) {
        // A pipe has no path of its own, and two pipes are never the same.
        let same = Path::new(old).canonicalize().ok().zip(Path::new(new).canonicalize().ok());
        if same.is_some_and(|(old, new)| old == new) {
            bail!("{old} and {new} are the same file\n  name the file to compare it with");
        }
    }
    let read = |name: &str| {
        std::fs::read(path(name))
            .map_err(|error| anyhow!("{name}: {error}\n  check that it is a file that may be read"))
    };
    let texts = [read(old)?, read(new)?];
    let edition = |name: &str, text: &[u8]| -> Result<Edition> {
        let schema = load::bytes(&path(name), name, text)?;
        let mut edition = Edition::as_written(folder, sources, schema, name)?;
        if is_revision(name) {
            edition.file = format!("schema/{name}/schema.json");
        }
        Ok(edition)
    };
    let [old_text, new_text] = &texts;
    let (old, new) = at_once(|| edition(old, old_text), || edition(new, new_text));
    let editions = vec![old?, new?];
    let hashes = editions.iter().map(|edition| edition.model.provenance.sha256.clone());
    let texts = texts.iter().map(|text| String::from_utf8_lossy(text).into_owned());
    Ok(Sides { texts: hashes.zip(texts).collect(), editions })
}

/// Does two independent things at the same time.
fn at_once<T: Send>(one: impl Fn() -> T + Sync, other: impl FnOnce() -> T) -> (T, T) {
    // The usual size for the first thread of a process.
    const STACK: usize = 8 << 20;
    std::thread::scope(|scope| match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &one) {
        Ok(running) => {
            let other = other();
            (running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), other)
        }
        // Without a thread, one after the other.
        Err(_) => (one(), other()),
    })
}

fn revision(folder: &Path, sources: &Sources, name: &str) -> Result<Edition> {
    match Edition::revision(folder, sources, name)? {
        Some(edition) => Ok(edition),
        None => bail!("{}", unknown(name, &known(sources))),
    }
}

/// Reads `FROM..TO`, and all revisions between them.
fn chained(folder: &Path, sources: &Sources, chain: &str) -> Result<Vec<Edition>> {
    let known = known(sources);
    let Some((from, to)) = chain.split_once("..") else {
        bail!("`{chain}` is not a chain\n  write it as FROM..TO, like {}..{}", first(&known), last(&known));
    };
    let place = |name: &str, default: usize| match name {
        "" => Ok(default),
        name => match known.iter().position(|known| *known == name) {
            Some(place) => Ok(place),
            None => bail!("{}", unknown(name, &known)),
        },
    };
    let (start, end) = (place(from, 0)?, place(to, known.len().saturating_sub(1))?);
    if start >= end {
        bail!("`{chain}` compares nothing\n  the revision after `..` has to be later than the one before it");
    }
    let names = known.iter().skip(start).take(end - start + 1);
    names.map(|name| revision(folder, sources, name)).collect()
}

fn first<'a>(known: &[&'a str]) -> &'a str {
    known.first().copied().unwrap_or_default()
}

fn last<'a>(known: &[&'a str]) -> &'a str {
    known.last().copied().unwrap_or_default()
}

/// The error for a side that is neither a revision nor a file.
fn missing(name: &str, known: &[&str]) -> String {
    if name.contains(['/', '\\']) || name.ends_with(".json") {
        return format!("there is no file {name}\n  check the path, or name a revision: {}", known.join(", "));
    }
    format!("`{name}` is neither a revision nor a file\n  {}", meant(name, known))
}

/// The error for a name that is not a revision.
fn unknown(name: &str, known: &[&str]) -> String {
    format!("`{name}` is not a revision\n  {}", meant(name, known))
}

fn meant(name: &str, known: &[&str]) -> String {
    let alike = nearest(name, known.iter().copied());
    match alike.is_empty() {
        true => format!("the revisions are {}", known.join(", ")),
        false => format!("did you mean {}?", alike.join(", ")),
    }
}

fn date(text: &str) -> Result<String, String> {
    match ignore::is_date(text) {
        true => Ok(text.to_owned()),
        false => Err("write the date as YYYY-MM-DD".to_owned()),
    }
}
