//! `cargo xtask diff`: what changed between two revisions, and whom it breaks.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use mcp_wire_codegen::diff::lines::Lines;
use mcp_wire_codegen::diff::nearest::nearest;
use mcp_wire_codegen::diff::print::sarif::RuleInfo;
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
  cargo xtask diff 2025-11-25 2026-07-28                       what a new revision changed
  cargo xtask diff 2025-11-25 2026-07-28 --only tools/call     for one method, or one type
  cargo xtask diff 2026-07-28 draft.json --fail-on breaking    a draft of one's own, as a gate
  cargo xtask diff --chain 2024-11-05..2026-07-28 --only Tool  the history of a type
  cargo xtask diff old.json new.json --format html > changes.html

Revisions are compared with the known errors of their schemas corrected. As soon as one side is a file, both are
compared as they are written.

The ignore file (TOML) has a table per entry:
  [[ignore]]
  rule = \"field.removed-optional\"
  path = \"Tool.title\"
  reason = \"nothing of ours reads it\"
  expires = 2027-01-31

Exit codes: 0 done, 1 something that --fail-on asks about, 2 wrong arguments or unusable input.")]
pub struct Diff {
    /// The old side: a revision, or a schema file
    #[arg(required_unless_present_any = ["chain", "print_schema"], requires = "new")]
    old: Option<String>,

    /// The new side: a revision, or a schema file
    new: Option<String>,

    /// All neighbouring revisions from one to another, each pair by itself
    #[arg(long, value_name = "FROM..TO", conflicts_with_all = ["old", "new"])]
    chain: Option<String>,

    /// Only what concerns this type or method
    #[arg(long, value_name = "NAME")]
    only: Option<String>,

    /// How to print the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Also what is not visible on the wire: renamed types, other places, dialects
    #[arg(long)]
    all: bool,

    /// Exit with 1 if there is a breaking change, or any change that is visible on the wire
    #[arg(long, value_enum, value_name = "WHAT")]
    fail_on: Option<FailOn>,

    /// Leave out the changes that this file names
    #[arg(long, value_name = "FILE")]
    ignore: Option<PathBuf>,

    /// The date that entries of the ignore file expire by
    #[arg(long, value_name = "YYYY-MM-DD", hide = true, value_parser = date)]
    today: Option<String>,

    /// Print the JSON Schema of `--format json` and do nothing else; a chain is a list of such reports
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
    /// One page that needs nothing else
    Html,
    /// For code scanners
    Sarif,
    /// Annotations of a GitHub workflow
    Github,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// A breaking change
    Breaking,
    /// Any change that is visible on the wire, and any that cannot be compared
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
        // The process ends with them: taking them apart first would be a good part of its time.
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
            Format::Sarif => {
                let rules: Vec<RuleInfo> = CATALOGUE
                    .iter()
                    .map(|rule| RuleInfo {
                        id: rule.id,
                        title: rule.title,
                        reason: rule.reason,
                        severity: rule.severity,
                    })
                    .collect();
                sarif::sarif(reports, &rules, &files(reports, texts)?)?
            }
            Format::Github => github::github(reports, &files(reports, texts)?),
        })
    }
}

/// What is compared.
struct Sides {
    editions: Vec<Edition>,
    texts: Texts,
}

/// The texts of schema files that were given, by their hashes. They are read once: a pipe has nothing to say twice.
type Texts = BTreeMap<String, String>;

impl From<Vec<Edition>> for Sides {
    fn from(editions: Vec<Edition>) -> Self {
        Self { editions, texts: Texts::new() }
    }
}

/// An error and its causes, without those that it has told already: some errors do, and some do not.
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
            // What was not given is a revision, whose file is named from the project's folder.
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

/// Two sides. Where one of them is a file, both are taken as they are written.
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
        // Pipes have no path of their own, and no two of them are the same.
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

/// Does two things that have nothing to do with each other at the same time, as far as the machine can.
fn at_once<T: Send>(one: impl Fn() -> T + Sync, other: impl FnOnce() -> T) -> (T, T) {
    // As much as the first thread of a process usually has.
    const STACK: usize = 8 << 20;
    std::thread::scope(|scope| match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &one) {
        Ok(running) => {
            let other = other();
            (running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), other)
        }
        // One after the other is slower, and that is all.
        Err(_) => (one(), other()),
    })
}

fn revision(folder: &Path, sources: &Sources, name: &str) -> Result<Edition> {
    match Edition::revision(folder, sources, name)? {
        Some(edition) => Ok(edition),
        None => bail!("{}", unknown(name, &known(sources))),
    }
}

/// `FROM..TO` and everything between.
fn chained(folder: &Path, sources: &Sources, chain: &str) -> Result<Vec<Edition>> {
    let known = known(sources);
    let Some((from, to)) = chain.split_once("..") else {
        bail!("`{chain}` is no chain\n  write it as FROM..TO, like {}..{}", first(&known), last(&known));
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
        bail!("`{chain}` goes nowhere\n  the revision after `..` has to be later than the one before it");
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

/// What to say about a side that is neither a revision nor a file.
fn missing(name: &str, known: &[&str]) -> String {
    if name.contains(['/', '\\']) || name.ends_with(".json") {
        return format!("there is no file {name}\n  check the path, or name a revision: {}", known.join(", "));
    }
    format!("`{name}` is neither a revision nor a file\n  {}", meant(name, known))
}

/// What to say about a name that has to be a revision's and is not.
fn unknown(name: &str, known: &[&str]) -> String {
    format!("`{name}` is no revision\n  {}", meant(name, known))
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
