//! The report: what a comparison found, free of any format. As JSON, this is what `cargo xtask diff --format json`
//! prints; the published schema is made from these types.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::names;

/// What changed between two editions of the protocol.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Report {
    /// The version of this format. It grows when something that was there changes its meaning or goes.
    pub format: u32,
    /// What was compared.
    pub old: Side,
    /// With what.
    pub new: Side,
    /// What the verdicts assume of programs that read messages.
    pub assumptions: Vec<String>,
    /// Counts and the two verdicts.
    pub summary: Summary,
    /// What is visible on the wire, by area and path.
    pub changes: Vec<Change>,
    /// Reworded descriptions. They change nothing on the wire.
    pub documentation: Vec<Change>,
    /// What changed in the schema alone: names, places, dialect. Empty unless it was asked for.
    pub refactors: Vec<Change>,
    /// Changes that an ignore file names, with its reason.
    pub ignored: Vec<Ignored>,
    /// What is wrong with the entries of the ignore file.
    pub warnings: Vec<String>,
    /// The types that changes speak of, before and after.
    #[serde(skip)]
    pub types: Vec<TypePair>,
}

/// One of the two editions.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Side {
    /// The revision, or the file as it was given.
    pub name: String,
    /// The schema file.
    pub file: String,
    /// Hash of its bytes.
    pub sha256: String,
    /// How many definitions it has.
    pub definitions: usize,
    /// How many methods it has.
    pub methods: usize,
    /// For a file: the revision whose facts (results of requests, capabilities, error codes) are used to read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_as: Option<String>,
    /// The known errors of the schema that were corrected before the comparison.
    pub corrections: Vec<String>,
}

/// Counts and verdicts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Summary {
    /// Changes after which somebody cannot read somebody.
    pub breaking: usize,
    /// Changes that cannot be compared, of which nobody knows whom they hurt.
    pub unverified: usize,
    /// Changes that everybody can live with.
    pub compatible: usize,
    /// Changes that announce others: deprecations.
    pub notices: usize,
    /// Reworded descriptions.
    pub documentation: usize,
    /// Changes of the schema that are not visible on the wire.
    pub refactors: usize,
    /// Changes that were ignored on request.
    pub ignored: usize,
    /// Counts by area, in the order of the report.
    pub areas: Vec<Area>,
    /// How often each rule of the catalogue applied; every rule is listed.
    pub rules: BTreeMap<String, usize>,
    /// A client of the old edition with a server of the new one.
    pub old_client_new_server: Verdict,
    /// A client of the new edition with a server of the old one.
    pub new_client_old_server: Verdict,
}

/// Counts of one area.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Area {
    /// Its name: `tools`, `resources`, …
    pub name: String,
    /// Breaking changes.
    pub breaking: usize,
    /// Those that cannot be compared.
    pub unverified: usize,
    /// Compatible ones.
    pub compatible: usize,
    /// Deprecations.
    pub notices: usize,
}

/// One change with all its places.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    /// The rule that found it.
    pub rule: String,
    /// A hash of the rule, the path and the arguments: the same change has the same one in every run.
    pub fingerprint: String,
    /// How bad it is.
    pub severity: Severity,
    /// What part of the protocol it belongs to.
    pub area: String,
    /// What changed: `Tool.title`, `tools/call`. Where many types inherit a member, their base; `*.title` without one.
    pub path: String,
    /// What changed, as data.
    pub arguments: BTreeMap<String, Value>,
    /// What changed, as a sentence.
    pub message: String,
    /// Why it matters, as a sentence.
    pub reason: String,
    /// What it looked like, in the notation of TypeScript.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What it looks like now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// What else is worth knowing: the evidence of a renaming, for example.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Which way it travels.
    pub flow: Flow,
    /// A client of the old edition with a server of the new one.
    pub old_client_new_server: Verdict,
    /// A client of the new edition with a server of the old one.
    pub new_client_old_server: Verdict,
    /// Everywhere it occurs.
    pub places: Vec<Place>,
}

/// How bad a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Somebody cannot read somebody.
    Breaking,
    /// It cannot be compared: whether somebody is hurt is not known.
    Unverified,
    /// Everybody can live with it.
    Compatible,
    /// It announces another change.
    Notice,
    /// Words only.
    Documentation,
    /// The schema only.
    Refactor,
}

impl Severity {
    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Unverified => "unverified",
            Self::Compatible => "compatible",
            Self::Notice => "notice",
            Self::Documentation => "documentation",
            Self::Refactor => "refactor",
        }
    }
}

/// Which way values of a type travel, in either edition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Flow {
    /// Clients write it, servers read it.
    pub client_to_server: bool,
    /// Servers write it, clients read it.
    pub server_to_client: bool,
}

impl Flow {
    /// In words.
    pub fn name(self) -> &'static str {
        match (self.client_to_server, self.server_to_client) {
            (true, true) => "both ways",
            (true, false) => "client → server",
            (false, true) => "server → client",
            (false, false) => "no message",
        }
    }
}

/// Whether two programs understand each other after a change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Verdict {
    /// The verdict.
    pub outcome: Outcome,
    /// For `unless`: the capabilities that must not be used, as paths with dots.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<String>,
    /// Why it is not safe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The verdicts, the best first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// They understand each other.
    #[default]
    Safe,
    /// They do unless one of the capabilities is used.
    Unless,
    /// Nobody knows: something changed that cannot be compared.
    Unverified,
    /// They do not.
    Breaks,
}

impl Verdict {
    /// The verdict on both.
    fn join(&mut self, other: &Self) {
        if other.outcome > self.outcome {
            let mut worse = other.clone();
            // Capabilities are only named while nothing breaks without them.
            if worse.outcome == Outcome::Unless {
                worse.capabilities.append(&mut self.capabilities);
            }
            *self = worse;
        } else if other.outcome == self.outcome {
            self.capabilities.extend(other.capabilities.iter().cloned());
        }
        self.capabilities.sort();
        self.capabilities.dedup();
    }

    /// In words: `safe`, `breaks`, `safe unless tools or prompts is used`.
    pub fn words(&self) -> String {
        match self.outcome {
            Outcome::Safe => "safe".to_owned(),
            Outcome::Breaks => "breaks".to_owned(),
            Outcome::Unverified => "unverified".to_owned(),
            Outcome::Unless => {
                let names: Vec<String> = self.capabilities.iter().map(|name| format!("`{name}`")).collect();
                let names = match names.split_last() {
                    Some((last, [])) => last.clone(),
                    Some((last, first)) => format!("{} or {last}", first.join(", ")),
                    None => "a capability".to_owned(),
                };
                format!("safe unless {names} is used")
            }
        }
    }
}

/// One place of a change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Place {
    /// The path of the place.
    pub path: String,
    /// The path that the old edition has for it, where that is another one: its definition was renamed, or had no name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// JSON pointer into the old schema, where it has the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// JSON pointer into the new schema, where it has the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// Which way it travels in this place, where that is not what is said of the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<Flow>,
    /// A client of the old edition with a server of the new one that meet in this place only, where that is not what is
    /// said of the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_client_new_server: Option<Verdict>,
    /// A client of the new edition with a server of the old one, in the same way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_client_old_server: Option<Verdict>,
    /// The definitions it stands in, those of the old edition and those of the new one: a name of either leads to it.
    #[serde(skip)]
    pub definitions: [BTreeSet<String>; 2],
    /// What the change means in this place alone; nothing for a place that only follows from the others.
    #[serde(skip)]
    pub judged: Option<Judged>,
}

/// What a change means in one place. A report on some of the places is judged by those.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// How bad it is here.
    pub severity: Severity,
    /// What part of the protocol the place belongs to.
    pub area: String,
    /// Which way it travels.
    pub flow: Flow,
    /// A client of the old edition with a server of the new one, and the other way round.
    pub verdicts: [Verdict; 2],
}

impl Change {
    /// Takes severity, area, flow and verdicts from the places that there are, the worst of each, and has the places say
    /// where theirs differ.
    pub(crate) fn judge_by_places(&mut self) {
        let mut judged = self.places.iter().filter_map(|place| place.judged.as_ref());
        let Some(first) = judged.next().cloned() else { return };
        let Judged { mut severity, mut area, mut flow, verdicts: [mut one, mut other] } = first;
        for next in judged {
            severity = severity.min(next.severity);
            if area != next.area {
                area = "common".to_owned();
            }
            flow = flow.or(next.flow);
            let [next_one, next_other] = &next.verdicts;
            one.join(next_one);
            other.join(next_other);
        }
        (self.severity, self.area, self.flow) = (severity, area, flow);
        (self.old_client_new_server, self.new_client_old_server) = (one, other);
        for place in &mut self.places {
            let Some(Judged { flow, verdicts: [one, other], .. }) = &place.judged else { continue };
            place.flow = (*flow != self.flow).then_some(*flow);
            place.old_client_new_server = (*one != self.old_client_new_server).then(|| one.clone());
            place.new_client_old_server = (*other != self.new_client_old_server).then(|| other.clone());
        }
    }

    /// Gives it another path, and says how many of the places that it had are left.
    pub(crate) fn call(&mut self, path: String, all: usize) {
        let says = self.message.strip_prefix(&format!("`{}`", self.path)).unwrap_or(&self.message);
        let says = says.strip_suffix(&format!(" ({all} places)")).unwrap_or(says);
        self.message = match &self.places[..] {
            [only] if only.path == path => format!("`{path}`{says}"),
            left => format!("`{path}`{says} ({} of its {all} places)", left.len()),
        };
        self.path = path;
    }
}

/// A change that was ignored on request.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Ignored {
    /// The rule.
    pub rule: String,
    /// The path.
    pub path: String,
    /// The fingerprint of the change.
    pub fingerprint: String,
    /// Why it is ignored.
    pub reason: String,
    /// Until when, as a date.
    pub expires: String,
}

/// A definition that changes speak of, written out.
#[derive(Debug, Clone, PartialEq)]
pub struct TypePair {
    /// Its name: the new one, if it has two.
    pub name: String,
    /// The area it belongs to.
    pub area: String,
    /// What it looked like.
    pub before: Option<String>,
    /// What it looks like now.
    pub after: Option<String>,
}

impl Report {
    /// Whether there is nothing to report, not even a reworded description.
    pub fn is_empty(&self) -> bool {
        let Summary { breaking, unverified, compatible, notices, documentation, refactors, ignored, .. } =
            &self.summary;
        breaking + unverified + compatible + notices + documentation + refactors + ignored == 0
    }

    /// Puts the lists in order again, once changes have lost places: they may belong to another area without them.
    pub(super) fn sort(&mut self) {
        [&mut self.changes, &mut self.documentation, &mut self.refactors].into_iter().for_each(sort);
    }

    /// Counts what the lists of a report hold, and draws the two verdicts from it.
    ///
    /// Areas keep their order, new ones follow, and those without changes go; rules that do not occur stay, with 0.
    pub(crate) fn recount(&mut self) {
        let Self { summary, changes, documentation, refactors, ignored, .. } = self;
        let count = |severity| changes.iter().filter(|change| change.severity == severity).count();
        summary.breaking = count(Severity::Breaking);
        summary.unverified = count(Severity::Unverified);
        summary.compatible = count(Severity::Compatible);
        summary.notices = count(Severity::Notice);
        summary.documentation = documentation.len();
        summary.refactors = refactors.len();
        summary.ignored = ignored.len();
        count_areas(summary, changes);
        summary.rules.values_mut().for_each(|count| *count = 0);
        for change in changes.iter().chain(&*documentation).chain(&*refactors) {
            *summary.rules.entry(change.rule.clone()).or_default() += 1;
        }
        summary.old_client_new_server = overall(changes, |change| &change.old_client_new_server);
        summary.new_client_old_server = overall(changes, |change| &change.new_client_old_server);
    }

    /// Leaves out the refactors; their number stays.
    pub fn hide_refactors(&mut self) {
        self.refactors.clear();
    }

    /// The JSON Schema of a report.
    pub fn json_schema() -> Value {
        // What is left out where it is empty is not required: that is true of writing, not of reading.
        let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        settings.into_generator().into_root_schema_for::<Report>().to_value()
    }
}

/// By area, the worst first, then by what changed.
pub(super) fn sort(changes: &mut Vec<Change>) {
    fn order(change: &Change) -> (usize, &str, Severity, &str, &str, &str) {
        let Change { area, severity, path, rule, fingerprint, .. } = change;
        (names::area_rank(area), area, *severity, path, rule, fingerprint)
    }
    // What they are sorted by is looked up once for each, and a change is moved once: it is large.
    let mut places: Vec<_> = changes.iter().map(order).enumerate().collect();
    places.sort_by_key(|(_, order)| *order);
    let places: Vec<usize> = places.into_iter().map(|(place, _)| place).collect();
    let mut unsorted: Vec<Option<Change>> = std::mem::take(changes).into_iter().map(Some).collect();
    changes.extend(places.into_iter().filter_map(|place| unsorted.get_mut(place)?.take()));
}

fn count_areas(summary: &mut Summary, changes: &[Change]) {
    let mut areas: Vec<Area> =
        summary.areas.drain(..).map(|area| Area { name: area.name, ..Area::default() }).collect();
    let mut index: BTreeMap<String, usize> =
        areas.iter().enumerate().map(|(index, area)| (area.name.clone(), index)).collect();
    for change in changes {
        let index = *index.entry(change.area.clone()).or_insert_with(|| {
            areas.push(Area { name: change.area.clone(), ..Area::default() });
            areas.len() - 1
        });
        let Some(area) = areas.get_mut(index) else { continue };
        match change.severity {
            Severity::Breaking => area.breaking += 1,
            Severity::Unverified => area.unverified += 1,
            Severity::Compatible => area.compatible += 1,
            Severity::Notice => area.notices += 1,
            // These are not visible on the wire: they have lists of their own and no area's count.
            Severity::Documentation | Severity::Refactor => {}
        }
    }
    areas.retain(|area| area.breaking + area.unverified + area.compatible + area.notices > 0);
    summary.areas = areas;
}

/// The worst of the verdicts on all changes, with the changes that are to blame.
fn overall(changes: &[Change], verdict: fn(&Change) -> &Verdict) -> Verdict {
    let outcome = changes.iter().map(|change| verdict(change).outcome).max().unwrap_or_default();
    if outcome == Outcome::Safe {
        return Verdict::default();
    }
    let worst: Vec<&Change> = changes.iter().filter(|change| verdict(change).outcome == outcome).collect();
    let capabilities: BTreeSet<&String> = worst.iter().flat_map(|change| &verdict(change).capabilities).collect();
    let mut paths: Vec<String> = worst.iter().map(|change| format!("`{}`", change.path)).collect();
    paths.dedup();
    let more = paths.len().saturating_sub(BLAMED);
    paths.truncate(BLAMED);
    let reason = match more {
        0 => paths.join(", "),
        more => format!("{} and {more} more", paths.join(", ")),
    };
    Verdict { outcome, capabilities: capabilities.into_iter().cloned().collect(), reason: Some(reason) }
}

/// So many changes are named as the reason of a verdict over all of them.
const BLAMED: usize = 6;
