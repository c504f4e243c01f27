//! `cargo xtask generate`: schemas in, crates out.

use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use mcp_wire_codegen::diff::Edition;
use mcp_wire_codegen::load::{self, Source, Sources};
use mcp_wire_codegen::model::Revision;
use mcp_wire_codegen::output::{Changes, FileSet};
use mcp_wire_codegen::{Core, Packaging, VERSION, crate_of, model_of, package_name};
use mcp_wire_codegen::{changes, facade, names};

use crate::swap::{FOLDER, OWN_FOLDER, Swap};
use crate::{project, sync};

/// Generate the type crates under `generated/` and the reports under `docs/changes/`, or a crate from a schema of your
/// own.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask generate                          all revisions
  cargo xtask generate --revision 2025-11-25    one of them
  cargo xtask generate --check                  change nothing, exit 1 if a file is stale
  cargo xtask generate --schema schema/2025-11-25/schema.json --out ../my-types --name my-types

Files are replaced together: an interruption leaves the old or the new ones, at the latest after the next run. A crate of
your own has a list of its files, .mcp-wire-files. Only what is on it, and is as it was written, is replaced or removed;
where something of yours is in the way, nothing is changed. The crate depends on the runtime of this checkout by a
relative path.

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

    /// Folder of the stand-alone crate: new, empty, or generated before; links in it are not followed
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
        let (base, set, changes) = match (&self.schema, &self.out, &self.name) {
            (Some(schema), Some(out), Some(name)) => {
                let out = resolved(out)?;
                if let Some(recovered) = Swap::recover_in(&out, OWN_FOLDER)? {
                    eprintln!("note: {recovered}");
                }
                let set = stand_alone(&root, &folder, &sources, schema, &out, name)?;
                let changes = set.compare_owned(&out)?;
                (out, set, changes)
            }
            _ => {
                let set = self.official(&root, &folder, &sources)?;
                let changes = set.compare(&root)?;
                (root, set, changes)
            }
        };
        if self.check {
            let code = self.report_stale(&changes);
            // What is fresh may still be wrong: facts that nobody has confirmed.
            return if changes.is_empty() && self.schema.is_none() { sync::finished(&sources.facts) } else { Ok(code) };
        }
        replace(&base, if self.out.is_some() { OWN_FOLDER } else { FOLDER }, &set, &changes)?;
        for path in &changes.kept {
            println!("kept: {}: nothing generates it any more, but it has been changed", path.display());
        }
        let unchanged = set.files().count() - changes.written.len();
        let memory = peak_memory().map(|megabytes| format!(", {megabytes} MB")).unwrap_or_default();
        println!(
            "{} files written, {} removed, {unchanged} unchanged in {} ms{memory}",
            changes.written.len(),
            changes.removed.len(),
            start.elapsed().as_millis()
        );
        Ok(ExitCode::SUCCESS)
    }

    /// The crates, and the reports on what each revision changed, by their paths in the project.
    fn official(&self, root: &Path, folder: &Path, sources: &Sources) -> Result<FileSet> {
        let mut all = FileSet::default();
        // What concerns several revisions needs all of them.
        if !self.revision.is_empty() {
            let mut set = FileSet::default();
            add_each(&mut set, folder, sources, &project::chosen(sources, &self.revision))?;
            all.extend(Path::new("generated"), set);
            return Ok(all);
        }
        let (mut set, docs) = everything(folder, sources)?;
        set.is_everything(&root.join("generated"))?;
        all.extend(Path::new("generated"), set);
        all.extend(Path::new("docs"), docs);
        Ok(all)
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

    fn report_stale(&self, changes: &Changes) -> ExitCode {
        if changes.is_empty() {
            println!("up to date");
            return ExitCode::SUCCESS;
        }
        for path in &changes.written {
            println!("stale: {}", path.display());
        }
        for path in &changes.removed {
            println!("no longer generated: {}", path.display());
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
    let runtime = root.join("runtime").canonicalize().context("the runtime folder of mcp-wire")?;
    let core = Core { version: VERSION.to_owned(), path: Some(way(out, &runtime)?) };
    let packaging = Packaging { package: name.to_owned(), core: Some(core) };
    let schema = load::file(file, name)?;
    let mut set = FileSet::default();
    add(&mut set, Path::new(""), &packaging, folder, sources, schema)?;
    Ok(set.listed())
}

/// Makes a folder agree with a set: everything is staged beside what it replaces, then all of it is swapped.
fn replace(base: &Path, swap: &str, set: &FileSet, changes: &Changes) -> Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    let is_new = !base.exists();
    std::fs::create_dir_all(base).with_context(|| format!("{}: check its permissions", base.display()))?;
    let replaced = swapped(base, swap, set, changes);
    if replaced.is_err() && is_new {
        // Only if it is empty: what has been decided is completed by the next run.
        let _ = std::fs::remove_dir(base);
    }
    replaced
}

fn swapped(base: &Path, swap: &str, set: &FileSet, changes: &Changes) -> Result<()> {
    let stage = Swap::stage_in(base, swap)?;
    set.stage(stage.path(), changes.written.iter().map(PathBuf::as_path))?;
    stage.commit_files(told(&changes.written)?, told(&changes.removed)?)
}

/// Paths as a journal has them.
fn told(paths: &[PathBuf]) -> Result<Vec<String>> {
    let mut told = Vec::new();
    for path in paths {
        let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
        told.push(parts.with_context(|| format!("{}: the name is not UTF-8", path.display()))?.join("/"));
    }
    Ok(told)
}

/// A folder that may be new, without links or dots on the way to it. It is named by the user, who may well name a link.
fn resolved(folder: &Path) -> Result<PathBuf> {
    let folder = std::path::absolute(folder).context("the folder of the crate")?;
    let mut known = folder.as_path();
    while !known.exists() {
        if known.is_symlink() {
            bail!("{} is a link to nowhere\n  remove it, or name another folder", known.display());
        }
        known = known.parent().with_context(|| format!("{} does not exist", folder.display()))?;
    }
    let rest = folder.strip_prefix(known).unwrap_or(Path::new(""));
    if rest.components().any(|part| !matches!(part, Component::Normal(_))) {
        bail!("{}: a folder on the way does not exist\n  name the folder without `..`", folder.display());
    }
    let known = known.canonicalize().with_context(|| format!("{} cannot be read", known.display()))?;
    match known.is_dir() {
        true => Ok(if rest.as_os_str().is_empty() { known } else { known.join(rest) }),
        false => bail!("{} is not a folder\n  name another one", known.display()),
    }
}

/// The way from one folder to another, as a manifest has it: a checkout and a crate that are moved together still fit.
fn way(from: &Path, to: &Path) -> Result<String> {
    let (here, there): (Vec<_>, Vec<_>) = (from.components().collect(), to.components().collect());
    let shared = here.iter().zip(&there).take_while(|(here, there)| here == there).count();
    let up = std::iter::repeat_n("..", here.len() - shared);
    let down = there.iter().skip(shared).map(|part| part.as_os_str().to_str());
    // Two drives have nothing in common.
    let parts = if shared == 0 { None } else { up.map(Some).chain(down).collect::<Option<Vec<_>>>() };
    match parts {
        Some(parts) => Ok(parts.join("/")),
        None => to.to_str().map(str::to_owned).with_context(|| format!("{}: not UTF-8", to.display())),
    }
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
    names::prove_package(name).map(|()| name.to_owned())
}
