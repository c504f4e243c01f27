//! Sync: the schema folder and schemas from upstream in, the new content of the folder and what it means out.
//!
//! Nothing is written here. A plan has been loaded, fixed up and lowered in memory with the new facts and the new lists
//! of fixups, so that what it says can be generated.

mod carry;
mod edits;
mod facts_file;
mod methods;
mod questions;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use crate::diff::print::{markdown, plural};
use crate::diff::report::Report;
use crate::diff::{Edition, compare};
use crate::error::{Error, Result};
use crate::facts::Task;
use crate::facts::tasks::quote;
use crate::fixups::{self, FIXUPS, Fixup};
use crate::load::{self, Schema, Source, Sources};
use crate::model::Revision;
use crate::model_of;
use carry::{Step, carry};
use edits::{FixupsFile, SourcesFile};
use facts_file::FactsFile;
use questions::questions;

/// The most letters of a pull request's text. GitHub takes 65536, and others no more.
const LONGEST: usize = 60_000;

/// A schema from upstream.
#[derive(Debug, Clone)]
pub struct Incoming {
    /// The revision.
    pub name: String,
    /// The file in the upstream repository.
    pub path: String,
    /// The upstream repository, where it is known.
    pub repository: Option<String>,
    /// The commit the bytes are from, where it is known.
    pub commit: Option<String>,
    /// The date of that commit.
    pub date: Option<String>,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// What to do about all schemas from upstream.
pub struct Plan {
    /// Files of the schema folder with their new content.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Revisions that are new or have changed, oldest first.
    pub items: Vec<Item>,
    /// Revisions that upstream has as they are here.
    pub unchanged: Vec<String>,
}

/// What to do about one revision.
pub struct Item {
    /// The revision.
    pub name: String,
    /// The revision before it, for one that was never seen.
    pub follows: Option<String>,
    /// What changed: against the file that was here, or against the revision before it.
    pub report: Report,
    /// The model of what was here, and of what will be.
    pub models: (Option<Revision>, Revision),
    /// Fixups that upstream has made unnecessary, by name, and the place each of them mended.
    pub expired: BTreeMap<String, String>,
    /// Fixups that a new revision still needs.
    pub needed: Vec<String>,
    /// What is good to know, and changes nothing about the crate.
    pub notes: Vec<String>,
    /// What a person has to find out before the crate is right.
    pub tasks: Vec<Task>,
}

/// What has to be asked about a revision.
struct Ask {
    about: String,
    what: String,
}

impl Plan {
    /// What a person has to find out, in all revisions that are brought in.
    pub fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.items.iter().flat_map(|item| &item.tasks)
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The text of a pull request: what is new, what has to be confirmed, what changed. `advice` says what semver demands
    /// of the crate of an item.
    pub fn pull_request(&self, advice: impl Fn(&Item) -> String) -> String {
        let mut text = String::from("# Schemas from upstream\n");
        for item in &self.items {
            let _ = writeln!(text, "\n- {}", item.told());
            let advice = advice(item);
            if !advice.is_empty() {
                let _ = writeln!(text, "  - {advice}");
            }
            for line in item.expiries() {
                let _ = writeln!(text, "  - {line}");
            }
            if !item.needed.is_empty() {
                let _ = writeln!(text, "  - fixups that it still needs: {}", item.needed.join(", "));
            }
            for line in &item.notes {
                let _ = writeln!(text, "  - {line}");
            }
        }
        text.push_str(&tasks(self.tasks()));
        for item in &self.items {
            let mut report = item.report.clone();
            report.hide_refactors();
            text.push('\n');
            // The headings of a report stand below the one of the request.
            let body = markdown::markdown(&[report], false);
            let body: String =
                body.lines().flat_map(|line| [if line.starts_with('#') { "#" } else { "" }, line, "\n"]).collect();
            match text.chars().count() + body.chars().count() <= LONGEST {
                true => text.push_str(&body),
                false => text.push_str(&item.elsewhere()),
            }
        }
        // A list of tasks alone can be too long; that there is more must be seen all the same.
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => {
                format!("{}\n\nThe rest is too long for a pull request.\n", text.get(..end).unwrap_or_default())
            }
            None => text,
        }
    }
}

impl Item {
    /// Fixups that upstream has made unnecessary, a sentence each.
    pub fn expiries(&self) -> impl Iterator<Item = String> {
        self.expired.iter().map(|(fixup, pointer)| {
            format!(
                "fixup `{fixup}` finds nothing to mend at `{pointer}` any more, and is not listed for {}: see that the \
                 schema is right there now",
                self.name
            )
        })
    }

    /// Where to read a report that is too long to be part of something else.
    fn elsewhere(&self) -> String {
        let place = match &self.follows {
            Some(previous) => format!("it is `docs/changes/{previous}..{}.md`", self.name),
            None => format!(
                "`cargo xtask diff` prints it for `schema/{}/schema.json` as it was before and as it is now",
                self.name
            ),
        };
        let (old, new) = (&self.report.old.name, &self.report.new.name);
        format!("## From {old} to {new}\n\nThe report is too long for a pull request: {place}.\n")
    }

    /// In a sentence.
    pub fn told(&self) -> String {
        let summary = &self.report.summary;
        let counts = format!(
            "{} breaking, {} compatible, {}, {}",
            summary.breaking,
            summary.compatible,
            plural(summary.notices, "notice", "notices"),
            plural(summary.documentation, "reworded description", "reworded descriptions")
        );
        match &self.follows {
            Some(previous) => format!("{} is new; against {previous}: {counts}", self.name),
            None => format!("{} was corrected: {counts}", self.name),
        }
    }
}

/// The part of a pull request that says what is unfinished.
fn tasks<'a>(tasks: impl Iterator<Item = &'a Task>) -> String {
    let lines: Vec<String> = tasks.map(|task| format!("- [ ] {task}\n")).collect();
    match lines.len() {
        0 => String::new(),
        count => format!(
            "\n## Unfinished: {}\n\nThe schemas do not say what follows. `schema/facts.toml` lists it as [unconfirmed] or as a \
             [[task]], and `cargo xtask generate --check` fails until nothing is left there.\n\n{}",
            plural(count, "task", "tasks"),
            lines.concat()
        ),
    }
}

/// Works out what to do.
pub fn plan(folder: &Path, sources: &Sources, incoming: Vec<Incoming>) -> Result<Plan> {
    let mut files = BTreeMap::new();
    let mut unchanged = Vec::new();
    let mut changed = Vec::new();
    for each in incoming {
        let known = sources.revisions.iter().find(|source| source.name == each.name);
        match known.is_some_and(|source| source.sha256 == load::hash(&each.bytes)) {
            true => unchanged.push(each.name),
            false => changed.push(each),
        }
    }
    changed.sort_by(|left, right| left.name.cmp(&right.name));
    unchanged.sort();

    let mut sources_file = SourcesFile::read(folder)?;
    let mut facts_file = FactsFile::read(folder, sources.revisions.iter().map(|source| source.name.as_str()))?;
    let mut fixups_file = FixupsFile::read(folder)?;
    let mut drafts = Vec::new();
    let mut names: BTreeSet<String> = sources.revisions.iter().map(|source| source.name.clone()).collect();
    let mut loaded: BTreeMap<String, Schema> = BTreeMap::new();
    for each in changed {
        let schema = schema_of(&each)?;
        let is_known = names.contains(&each.name);
        // A new revision starts from what is known of the one before it, which may be new itself.
        let previous = names.range(..each.name.clone()).next_back().or(names.first()).cloned();
        names.insert(each.name.clone());
        facts_file.arrive(&each.name);
        let mut draft = Draft::new(&each.name, previous.as_deref().filter(|_| !is_known));
        let from = draft.follows.clone().unwrap_or_else(|| each.name.clone());
        let before = match loaded.remove(&from) {
            Some(schema) => schema,
            None => load::official(folder, source_of(sources, &from)?)?,
        };
        draft.settle_fixups(&schema, &mut fixups_file);
        draft.settle_facts(&Step::new(&from, &before, &schema), &mut facts_file)?;
        if each.commit.is_none() {
            draft.notes.push(format!(
                "the commit of {} is not known, since it did not come from a commit: enter it in schema/sources.toml, or \
                 sync from the repository",
                each.name
            ));
        }
        sources_file.record(&each, previous.as_deref());
        files.insert(format!("{}/schema.json", each.name), each.bytes);
        loaded.insert(from, before);
        loaded.insert(each.name.clone(), schema.clone());
        drafts.push((draft, schema));
    }
    if drafts.is_empty() {
        return Ok(Plan { files, items: Vec::new(), unchanged });
    }
    let new_sources = Sources::new(sources_file.parse()?, facts_file.proved()?, fixups_file.parse()?);
    files.insert("sources.toml".to_owned(), sources_file.text().into_bytes());
    files.insert("facts.toml".to_owned(), facts_file.text().into_bytes());
    files.insert("fixups.toml".to_owned(), fixups_file.text().into_bytes());

    let mut items: Vec<Item> = Vec::new();
    let mut schemas = BTreeMap::new();
    for (draft, schema) in drafts {
        let item = draft.finish(folder, sources, &new_sources, schema.clone(), &schemas)?;
        schemas.insert(item.name.clone(), Edition::new(schema, item.models.1.clone()));
        items.push(item);
    }
    Ok(Plan { files, items, unchanged })
}

fn source_of<'a>(sources: &'a Sources, name: &str) -> Result<&'a Source> {
    let source = sources.revisions.iter().find(|source| source.name == name);
    source.ok_or_else(|| Error::internal(format!("no source of {name}")))
}

fn schema_of(incoming: &Incoming) -> Result<Schema> {
    let mut schema = load::bytes(Path::new(&incoming.path), &incoming.name, &incoming.bytes)?;
    schema.official = true;
    schema.provenance.file = format!("schema/{}/schema.json", incoming.name);
    schema.provenance.repository = incoming.repository.clone();
    schema.provenance.commit = incoming.commit.clone();
    Ok(schema)
}

/// An item in the making.
struct Draft {
    name: String,
    follows: Option<String>,
    expired: BTreeMap<String, String>,
    needed: Vec<String>,
    notes: Vec<String>,
    asks: Vec<Ask>,
}

impl Draft {
    fn new(name: &str, follows: Option<&str>) -> Self {
        Self {
            name: name.to_owned(),
            follows: follows.map(str::to_owned),
            expired: BTreeMap::new(),
            needed: Vec::new(),
            notes: Vec::new(),
            asks: Vec::new(),
        }
    }

    /// A fixup stays listed as long as it finds something to mend.
    fn settle_fixups(&mut self, schema: &Schema, lists: &mut FixupsFile) {
        let from = self.follows.clone().unwrap_or_else(|| self.name.clone());
        let mut schema = schema.clone();
        for fixup in FIXUPS {
            let (is_listed, is_new) = (lists.has(fixup.name, &from), self.follows.is_some());
            match (fixup.apply(&mut schema) > 0, is_listed) {
                (true, true) if is_new => {
                    lists.add(fixup.name, &self.name);
                    self.needed.push(fixup.name.to_owned());
                }
                (true, false) => {
                    lists.add(fixup.name, &self.name);
                    self.asks.push(self.first_use(fixup, &from));
                }
                (false, true) => self.expire(fixup, schema.keyword, lists),
                _ => {}
            }
        }
    }

    /// A fixup finds something to mend where it found nothing before.
    fn first_use(&self, fixup: &Fixup, from: &str) -> Ask {
        let what = format!(
            "the fixup finds something to mend that it did not in {from}, and is listed for {} in schema/fixups.toml. See \
             that it is right there, or take it off",
            self.name
        );
        Ask { about: format!("`{}`", fixup.name), what }
    }

    fn expire(&mut self, fixup: &Fixup, keyword: &str, lists: &mut FixupsFile) {
        lists.remove(fixup.name, &self.name);
        let pointer = format!("/{keyword}/{}", fixup.place);
        self.expired.insert(fixup.name.to_owned(), pointer.trim_end_matches('/').to_owned());
        if lists.is_empty(fixup.name) {
            let what = "applies to no revision any more: remove its function and its entry in schema/fixups.toml";
            self.notes.push(format!("fixup `{}` {what}", fixup.name));
        }
    }

    /// Makes the facts those about the schema, and notes what nobody knows.
    fn settle_facts(&mut self, step: &Step<'_>, file: &mut FactsFile) -> Result<()> {
        carry(file, step, &mut self.asks)?;
        self.asks.extend(questions(step, &file.parse()?.about(&self.name)));
        let gone = step.before.definitions().keys().filter(|name| !step.schema.definitions().contains_key(*name));
        self.asks.extend(gone.filter(|_| !step.is_new()).map(|name| Ask {
            about: quote(&format!("/{}/{name}", step.schema.keyword)),
            what:
                "the definition is gone: see that upstream meant it, and that nothing of ours speaks of it".to_owned(),
        }));
        for ask in &self.asks {
            file.ask(&self.name, ask);
        }
        Ok(())
    }

    fn finish(
        self,
        folder: &Path,
        sources: &Sources,
        new_sources: &Sources,
        schema: Schema,
        earlier: &BTreeMap<String, Edition>,
    ) -> Result<Item> {
        let model = model_of(folder, new_sources, schema.clone())?;
        let (report, old_model) = match &self.follows {
            Some(previous) => {
                let new = Edition::new(schema, model.clone());
                // The revision before may be new or have been corrected in the same run.
                let report = match earlier.get(previous) {
                    Some(old) => compare(old, &new),
                    None => {
                        let old = load::official(folder, source_of(sources, previous)?)?;
                        let old_model = model_of(folder, sources, old.clone())?;
                        compare(&Edition::new(old, old_model), &new)
                    }
                };
                (report, None)
            }
            None => {
                let old = load::official(folder, source_of(sources, &self.name)?)?;
                let old_model = model_of(folder, sources, old.clone())?;
                let written = |schema: Schema, name: &str| Edition::as_written(folder, sources, schema, name);
                let (before, after) = (format!("{} as it was", self.name), format!("{} as it is", self.name));
                (compare(&written(old, &before)?, &written(schema, &after)?), Some(old_model))
            }
        };
        let Self { name, follows, expired, needed, notes, .. } = self;
        let tasks = new_sources.facts.tasks().into_iter().filter(|task| task.revision == name).collect();
        Ok(Item { name, follows, report, models: (old_model, model), expired, needed, notes, tasks })
    }
}

/// Reads the lists of fixups from text.
fn lists(file: &Path, text: &str) -> Result<fixups::Lists> {
    let lists = load::parse_toml(file, text)?;
    fixups::prove(file, &lists)?;
    Ok(lists)
}
