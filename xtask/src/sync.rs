//! `cargo xtask sync`: schemas from upstream in, the whole project brought up to them.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use mcp_wire_codegen::diff::print::text::{self, Style};
use mcp_wire_codegen::facts::Facts;
use mcp_wire_codegen::load;
use mcp_wire_codegen::semver::{Bump, advise};
use mcp_wire_codegen::sync::{Incoming, Item, Plan, plan};

use crate::swap::Swap;
use crate::upstream::{self, Revision, Upstream};
use crate::{generate, project};

/// Bring in the schemas of upstream: new revisions and corrections of old ones.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask sync                                    from the official repository
  cargo xtask sync --from ../modelcontextprotocol     from a checkout
  cargo xtask sync --check                            change nothing, exit 1 if upstream has something newer
  cargo xtask sync --revision 2025-11-25 --rev 40f50ed5

Schemas are loaded, fixed up and lowered before anything is written. Then schema/, generated/ and docs/changes/ are
replaced together: an interruption leaves the old or the new state, at the latest after the next `cargo xtask`. The
examples of the specification are placed beside the schemas, where git ignores them. The text of a pull request is
written to target/sync/pull-request.md.

What the schemas do not say stands in schema/facts.toml, as a line in [unconfirmed] or as a [[task]], and is listed by every
run until somebody has looked at it and removed it there.

Exit codes: 0 done or up to date; 1 something newer (--check), or brought in but not verified; 2 wrong arguments or a
failure; 3 brought in or up to date, but unfinished: there are tasks.")]
pub struct Sync {
    /// A folder or a git URL with `schema/<revision>/schema.json`
    #[arg(long, value_name = "PATH|GIT-URL", default_value = upstream::OFFICIAL)]
    from: String,

    /// A commit, tag or branch, instead of the default branch
    #[arg(long, value_name = "COMMIT")]
    rev: Option<String>,

    /// Only this revision; may be repeated
    #[arg(long, value_name = "R")]
    revision: Vec<String>,

    /// Also the draft of the next revision, which is never the default of the facade
    #[arg(long)]
    draft: bool,

    /// Change nothing; exit 1 and say what upstream has that is newer, or 3 if there are tasks
    #[arg(long)]
    check: bool,

    /// Go on although schema/, generated/ or docs/changes/ have changes that are not committed
    #[arg(long)]
    allow_dirty: bool,

    /// Do not build the crates and verify them
    #[arg(long)]
    no_verify: bool,
}

/// The exit code of a run that leaves tasks.
const UNFINISHED: u8 = 3;

/// What is replaced together.
const FOLDERS: [&str; 3] = ["schema", "generated", "docs/changes"];

impl Sync {
    pub fn run(self) -> Result<ExitCode> {
        let root = project::root()?;
        if !self.check && !self.allow_dirty {
            refuse_changes(&root)?;
        }
        let place = root.join("target").join("sync");
        let upstream =
            upstream::fetch(&self.from, self.rev.as_deref(), &self.revision, self.draft, &place.join("cache"))?;
        let folder = root.join("schema");
        let sources = load::sources(&folder)?;
        let plan = plan(&folder, &sources, incoming(&upstream)).map_err(|error| {
            anyhow!("{error}\n  nothing has been changed; --revision brings in others meanwhile, --rev another commit")
        })?;
        report(&upstream, &plan)?;
        if self.check && !plan.is_empty() {
            project::say(&format!("run `cargo xtask sync{}` to bring it in", self.choice()))?;
            return Ok(ExitCode::from(1));
        }
        if plan.is_empty() {
            project::say("up to date")?;
            let others = upstream.revisions.iter().any(|revision| !has_examples(&folder, revision));
            if !self.check && others {
                replace(&root, &upstream, &plan)?;
                project::say("the examples of upstream are placed beside the schemas")?;
                if !self.no_verify && !verify(&root, &upstream, &plan)? {
                    return Ok(ExitCode::from(1));
                }
            }
            return finished(&sources.facts);
        }
        // Before the folders: an interruption must not cost the report on what is in place then.
        let request = place.join("pull-request.md");
        write(&request, plan.pull_request(advice).as_bytes())?;
        replace(&root, &upstream, &plan)?;
        project::say(&format!("replaced {}", FOLDERS.join(", ")))?;
        let reports: Vec<_> = plan
            .items
            .iter()
            .map(|item| {
                let mut report = item.report.clone();
                report.hide_refactors();
                report
            })
            .collect();
        let colour = std::io::IsTerminal::is_terminal(&std::io::stdout()) && std::env::var_os("NO_COLOR").is_none();
        project::print(&format!("\n{}", text::text(&reports, Style { colour, all: false })))?;
        project::say(&format!("\nthe text of a pull request is in {}", request.display()))?;
        if !self.no_verify && !verify(&root, &upstream, &plan)? {
            return Ok(ExitCode::from(1));
        }
        finished(&load::sources(&folder)?.facts)
    }

    /// The arguments that choose what is brought in, to be repeated in a message.
    fn choice(&self) -> String {
        let mut choice = String::new();
        if self.from != upstream::OFFICIAL {
            choice.push_str(&format!(" --from {}", word(&self.from)));
        }
        choice.extend(self.rev.iter().map(|rev| format!(" --rev {rev}")));
        choice.extend(self.revision.iter().map(|revision| format!(" --revision {revision}")));
        choice.push_str(if self.draft { " --draft" } else { "" });
        choice
    }
}

/// An argument as it is written in a shell.
fn word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:@+=,".contains(letter);
    match text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// What is not committed could not be told from what is brought in, and not be got back.
fn refuse_changes(root: &Path) -> Result<()> {
    let status = Command::new("git").arg("-C").arg(root).args(["status", "--porcelain", "--"]).args(FOLDERS).output();
    // Without git there is nothing to compare with; a copy of the project is as good as a checkout.
    let Ok(status) = status else { return Ok(()) };
    let changed = String::from_utf8_lossy(&status.stdout);
    if status.status.success() && !changed.trim().is_empty() {
        bail!(
            "there are changes that are not committed:\n{}\n  commit or stash them first, or add --allow-dirty",
            changed.trim_end()
        );
    }
    Ok(())
}

fn incoming(upstream: &Upstream) -> Vec<Incoming> {
    let repository = upstream.origin.contains("://").then(|| upstream.origin.clone());
    let revisions = upstream.revisions.iter();
    let incoming = revisions.map(|revision| Incoming {
        name: revision.name.clone(),
        path: revision.path.clone(),
        repository: repository.clone().filter(|url| url.starts_with("http")),
        commit: revision.commit.clone(),
        date: revision.date.clone(),
        bytes: revision.bytes.clone(),
    });
    incoming.collect()
}

fn report(upstream: &Upstream, plan: &Plan) -> Result<()> {
    let commit = upstream.commit.as_ref().map(|commit| format!(" at {commit}")).unwrap_or_default();
    let date = upstream.date.as_ref().map(|date| format!(" of {date}")).unwrap_or_default();
    project::say(&format!("{}{commit}{date}", upstream.origin))?;
    for name in &plan.unchanged {
        project::say(&format!("  {name} is as it is here"))?;
    }
    for item in &plan.items {
        project::say(&format!("  {}", item.told()))?;
        let advice = advice(item);
        if !advice.is_empty() {
            project::say(&format!("    {advice}"))?;
        }
        for line in item.expiries() {
            project::say(&format!("    {line}"))?;
        }
        for line in &item.notes {
            project::say(&format!("    {line}"))?;
        }
        if !item.tasks.is_empty() {
            project::say(&format!("    tasks for people: {}", item.tasks.len()))?;
        }
    }
    Ok(())
}

/// What semver demands of the crate of a revision that was corrected.
fn advice(item: &Item) -> String {
    let Some(old) = &item.models.0 else { return String::new() };
    let advice = advise(old, &item.models.1);
    let bump = match advice.bump {
        Bump::None => "no release is needed",
        Bump::Patch => "a patch release",
        Bump::Minor => "a minor release",
        Bump::Major => "a major release",
    };
    match advice.reasons.first() {
        Some(reason) => format!("the crate needs {bump}: {}: {}", reason.item, reason.what),
        None => format!("the crate: {bump}"),
    }
}

/// Prepares everything beside the project, then puts all of it in place.
fn replace(root: &Path, upstream: &Upstream, plan: &Plan) -> Result<()> {
    let stage = Swap::stage(root)?;
    let folder = stage.path().join("schema");
    copy(&root.join("schema"), &folder)?;
    for (path, bytes) in &plan.files {
        write(&folder.join(path), bytes)?;
    }
    for revision in upstream.revisions.iter().filter(|revision| !has_examples(&folder, revision)) {
        let examples = folder.join(&revision.name).join("examples");
        // Those that upstream has given up must not be verified for ever.
        if examples.exists() {
            fs::remove_dir_all(&examples).with_context(|| unchanged(&examples))?;
        }
        for (path, bytes) in &revision.examples {
            write(&examples.join(path), bytes)?;
        }
    }
    if plan.is_empty() {
        return stage.commit(&["schema"]);
    }
    let sources = load::sources(&folder)?;
    let (generated, docs) = generate::everything(&folder, &sources)?;
    generated.stage_all(&stage.path().join("generated"))?;
    docs.stage_all(&stage.path().join("docs"))?;
    stage.commit(&FOLDERS)
}

/// Whether the examples of a revision are here as upstream has them; where it has none, those that are here may stay.
fn has_examples(folder: &Path, revision: &Revision) -> bool {
    let examples = folder.join(&revision.name).join("examples");
    let same = |(path, bytes): &(String, Vec<u8>)| fs::read(examples.join(path)).is_ok_and(|here| here == *bytes);
    revision.examples.is_empty() || revision.examples.iter().all(same) && files(&examples) == revision.examples.len()
}

/// How many files there are in a folder and the folders in it.
fn files(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries.flatten().map(|entry| if entry.path().is_dir() { files(&entry.path()) } else { 1 }).sum()
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| unchanged(to))?;
    for entry in fs::read_dir(from).with_context(|| unchanged(from))? {
        let entry = entry.with_context(|| unchanged(from))?;
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target)?,
            false => drop(fs::copy(entry.path(), &target).with_context(|| unchanged(&target))?),
        }
    }
    Ok(())
}

/// What to say of a file that could not be written or read while everything is still as it was.
fn unchanged(path: &Path) -> String {
    format!("{}: check the disk and the permissions; nothing has been changed", path.display())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| unchanged(folder))?;
    }
    fs::write(path, bytes).with_context(|| unchanged(path))
}

/// The examples of the project, and those that came with the schemas.
fn verify(root: &Path, upstream: &Upstream, plan: &Plan) -> Result<bool> {
    let program = std::env::current_exe().context("this program")?;
    let mut runs: Vec<Vec<String>> = Vec::new();
    if !plan.is_empty() {
        runs.push(vec!["verify".to_owned()]);
    }
    for revision in &upstream.revisions {
        let examples = root.join("schema").join(&revision.name).join("examples");
        if !revision.examples.is_empty() && examples.is_dir() {
            let examples = examples.display().to_string();
            runs.push(["verify", "--revision", &revision.name, "--examples", &examples].map(str::to_owned).to_vec());
        }
    }
    for arguments in runs {
        project::say(&format!("\ncargo xtask {}", arguments.join(" ")))?;
        let status = Command::new(&program).args(&arguments).status().context("the verifier")?;
        if !status.success() {
            let folders = FOLDERS.join(" ");
            eprintln!(
                "error: what has been brought in is in place, but it is not verified; see above\n  correct what is \
                 reported, or go back with `git checkout -- {folders} && git clean -fd {folders}`"
            );
            return Ok(false);
        }
    }
    Ok(true)
}

/// The exit code of a run that has done all it can, after the tasks that are left to people.
pub fn finished(facts: &Facts) -> Result<ExitCode> {
    let tasks = facts.tasks();
    if tasks.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    project::say("")?;
    for task in &tasks {
        project::say(&format!("task: {task}"))?;
    }
    let count = if tasks.len() == 1 { "1 task".to_owned() } else { format!("{} tasks", tasks.len()) };
    project::say(&format!("unfinished: {count}; CONTRIBUTING.md says how to settle them"))?;
    Ok(ExitCode::from(UNFINISHED))
}
