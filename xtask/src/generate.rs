//! `cargo xtask generate`: schemas in, crates out.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use mcp_wire_codegen::diff::Edition;
use mcp_wire_codegen::load::{self, Source, Sources};
use mcp_wire_codegen::model::Revision;
use mcp_wire_codegen::output::{self, Changes, FileSet};
use mcp_wire_codegen::{Core, Packaging, VERSION, crate_of, model_of, package_name};
use mcp_wire_codegen::{changes, facade};

use crate::{project, sync};

/// Generate the type crates under `generated/` and the reports under `docs/changes/`, or a crate from a schema of your
/// own.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask generate                          all revisions
  cargo xtask generate --revision 2025-11-25    one of them
  cargo xtask generate --check                  change nothing, exit 1 if a file is stale
  cargo xtask generate --schema draft.json --out ../my-types --name my-types

Exit codes: 0 done or up to date, 1 stale files (--check) or an error, 2 wrong arguments, 3 up to date, but there are tasks
that sync has left (--check).")]
pub struct Generate {
    /// Write nothing; exit 1 and name the files that are stale
    #[arg(long)]
    check: bool,

    /// Only this revision; may be repeated
    #[arg(long, value_name = "R", conflicts_with = "schema")]
    revision: Vec<String>,

    /// Generate a stand-alone crate from this schema
    #[arg(long, value_name = "FILE", requires = "out", requires = "name")]
    schema: Option<PathBuf>,

    /// Folder of the stand-alone crate: new, empty, or generated before
    #[arg(long, value_name = "DIR", requires = "schema")]
    out: Option<PathBuf>,

    /// Package name of the stand-alone crate
    #[arg(long, value_name = "CRATE", requires = "schema", value_parser = package)]
    name: Option<String>,
}

impl Generate {
    pub fn run(self) -> Result<ExitCode> {
        let root = project::root()?;
        let folder = root.join("schema");
        let sources = load::sources(&folder)?;
        let start = Instant::now();
        let sets = match (&self.schema, &self.out, &self.name) {
            (Some(schema), Some(out), Some(name)) => {
                vec![(out.clone(), stand_alone(&root, &folder, &sources, schema, out, name)?)]
            }
            _ => self.official(&root, &folder, &sources)?,
        };
        if self.check {
            let mut stale = Changes::default();
            for (out, set) in &sets {
                stale.extend(out, set.compare(out)?);
            }
            let is_fresh = stale.is_empty();
            let code = self.report_stale(self.out.as_ref().unwrap_or(&root), &stale);
            // What is fresh may still be wrong: facts that nobody has confirmed.
            return if is_fresh && self.schema.is_none() { sync::finished(&sources.facts) } else { Ok(code) };
        }
        let (mut changes, mut files) = (Changes::default(), 0);
        for (out, set) in &sets {
            changes.extend(out, set.write(out)?);
            files += set.files().count();
        }
        let unchanged = files - changes.written.len();
        let memory = peak_memory().map(|megabytes| format!(", {megabytes} MB")).unwrap_or_default();
        println!(
            "{} files written, {} removed, {unchanged} unchanged in {} ms{memory}",
            changes.written.len(),
            changes.removed.len(),
            start.elapsed().as_millis()
        );
        Ok(ExitCode::SUCCESS)
    }

    /// The crates, and the reports on what each revision changed.
    fn official(&self, root: &Path, folder: &Path, sources: &Sources) -> Result<Vec<(PathBuf, FileSet)>> {
        let generated = root.join("generated");
        // What concerns several revisions needs all of them.
        if !self.revision.is_empty() {
            let mut set = FileSet::default();
            add_each(&mut set, folder, sources, &project::chosen(sources, &self.revision))?;
            return Ok(vec![(generated, set)]);
        }
        let (mut set, docs) = everything(folder, sources)?;
        set.is_everything(&generated)?;
        Ok(vec![(generated, set), (root.join("docs"), docs)])
    }

    /// The arguments that choose what is generated, to be repeated in a message.
    fn choice(&self) -> String {
        match (&self.schema, &self.out, &self.name) {
            (Some(schema), Some(out), Some(name)) => {
                format!(" --schema {} --out {} --name {name}", schema.display(), out.display())
            }
            _ => self.revision.iter().map(|revision| format!(" --revision {revision}")).collect(),
        }
    }

    fn report_stale(&self, base: &Path, changes: &Changes) -> ExitCode {
        let shown = |path: &PathBuf| path.strip_prefix(base).unwrap_or(path).display().to_string();
        if changes.is_empty() {
            println!("up to date");
            return ExitCode::SUCCESS;
        }
        for path in &changes.written {
            println!("stale: {}", shown(path));
        }
        for path in &changes.removed {
            println!("no longer generated: {}", shown(path));
        }
        println!(
            "{} files differ; run `cargo xtask generate{}`",
            changes.written.len() + changes.removed.len(),
            self.choice()
        );
        ExitCode::from(1)
    }
}

/// Everything that is generated from a schema folder: what belongs below `generated`, and what belongs below `docs`.
pub fn everything(folder: &Path, sources: &Sources) -> Result<(FileSet, FileSet)> {
    let mut set = FileSet::default();
    let editions = add_each(&mut set, folder, sources, &sources.revisions.iter().collect::<Vec<_>>())?;
    let models: Vec<&Revision> = editions.iter().map(|edition| &edition.model).collect();
    set.add(Path::new(facade::PACKAGE), facade::facade_of(&models)?);
    let mut docs = FileSet::default();
    docs.add(Path::new(changes::FOLDER), changes::changes_of(&editions));
    Ok((set, docs))
}

/// Adds the crates of these revisions.
fn add_each(set: &mut FileSet, folder: &Path, sources: &Sources, chosen: &[&Source]) -> Result<Vec<Edition>> {
    let mut editions = Vec::new();
    for source in chosen {
        let packaging = Packaging { package: package_name(&source.name), core: None };
        let schema = load::official(folder, source)?;
        let model = add(set, Path::new(&packaging.package), &packaging, folder, sources, schema.clone())?;
        editions.push(Edition::new(schema, model));
    }
    Ok(editions)
}

fn stand_alone(root: &Path, folder: &Path, sources: &Sources, file: &Path, out: &Path, name: &str) -> Result<FileSet> {
    output::claim_folder(out)?;
    let runtime = root.join("runtime").canonicalize().context("the runtime folder of mcp-wire")?;
    let core = Core { version: VERSION.to_owned(), path: Some(runtime.display().to_string()) };
    let packaging = Packaging { package: name.to_owned(), core: Some(core) };
    let schema = load::file(file, name)?;
    let mut set = FileSet::default();
    add(&mut set, Path::new(""), &packaging, folder, sources, schema)?;
    Ok(set)
}

/// One line per crate: definitions in, types out, and how long it took.
fn add(
    set: &mut FileSet,
    place: &Path,
    packaging: &Packaging,
    folder: &Path,
    sources: &Sources,
    schema: load::Schema,
) -> Result<Revision> {
    let start = Instant::now();
    let name = schema.name.clone();
    let model = model_of(folder, sources, schema)?;
    let files = crate_of(&model, packaging)?;
    let lines: usize = files.values().map(|text| text.lines().count()).sum();
    let inline = model.types.values().filter(|ty| ty.definition.is_none()).count();
    project::say(&format!(
        "[{name}] {} definitions → {} types + {} folded; {inline} inline types, {} fixups, {} files, {lines} lines, {} ms",
        model.definitions,
        model.types.len() - inline,
        model.folded.len(),
        model.fixups.len(),
        files.len(),
        start.elapsed().as_millis()
    ))?;
    set.add(place, files);
    Ok(model)
}

/// The most memory the run has had, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes.div_ceil(1024))
}

fn package(name: &str) -> Result<String, String> {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    match name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(letters) && name.len() <= 64 {
        true => Ok(name.to_owned()),
        false => Err("a package name has lowercase letters, digits, `-` and `_`, and starts with a letter".to_owned()),
    }
}
