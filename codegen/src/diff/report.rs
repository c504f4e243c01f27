//! Report: what a comparison found, without any format. `cargo xtask diff --format json` prints it as JSON, and the
//! published schema is made from these types.

mod message;
mod summary;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::both::Both;
use super::edition::Edition;
use super::path::Path;
use super::rules::CATALOGUE;
pub use message::{Message, Places};
pub(super) use summary::sort;
pub use verdict::{Flow, Outcome, Verdict};

/// What changed between two editions of the protocol.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Report {
    /// The version of this format. It grows when a member changes its meaning or is removed.
    pub format: u32,
    /// The old edition.
    pub old: Side,
    /// The new edition.
    pub new: Side,
    /// What the verdicts assume of programs that read messages.
    pub assumptions: Vec<String>,
    /// Counts and the two verdicts.
    pub summary: Summary,
    /// The changes that are visible on the wire, by area and path.
    pub changes: Vec<Change>,
    /// Reworded descriptions. They change nothing on the wire.
    pub documentation: Vec<Change>,
    /// Changes of the schema alone: names, places, dialect. Empty unless they were asked for.
    pub refactors: Vec<Change>,
    /// Changes that an ignore file names, with its reason.
    pub ignored: Vec<Ignored>,
    /// Warnings about entries of the ignore file.
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
    /// Changes after which a reader fails on what a writer may write.
    pub breaking: usize,
    /// Changes that cannot be compared, so nobody knows whether they break something.
    pub unverified: usize,
    /// Changes that break nothing.
    pub compatible: usize,
    /// Deprecations.
    pub notices: usize,
    /// Reworded descriptions.
    pub documentation: usize,
    /// Changes of the schema that are not visible on the wire.
    pub refactors: usize,
    /// Changes that were ignored on request.
    pub ignored: usize,
    /// Counts by area, in the order of the report.
    pub areas: Vec<Area>,
    /// How often each rule of the catalogue applied. Every rule is listed.
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
    /// Changes that cannot be compared.
    pub unverified: usize,
    /// Compatible changes.
    pub compatible: usize,
    /// Deprecations.
    pub notices: usize,
}

/// One change with all its places.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    /// The rule that found it.
    pub rule: String,
    /// A hash of the rule, the path and the arguments. The same change has the same fingerprint in every run.
    pub fingerprint: String,
    /// How bad it is.
    pub severity: Severity,
    /// The part of the protocol that it belongs to.
    pub area: String,
    /// What changed: `Tool.title`, `tools/call`. If many types inherit a member, it is the member of their base, or
    /// `*.title` if they have none. Names that are not plain are quoted: `Tool["io.example/rank"]`.
    pub path: Path<'static>,
    /// What changed, as data.
    pub arguments: BTreeMap<String, Value>,
    /// What changed, as a sentence.
    pub message: Message,
    /// Why it matters, as a sentence.
    pub reason: String,
    /// The old edition's text, in the notation of TypeScript.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The new text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// A remark, such as the evidence for a renaming.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Which way it travels.
    pub flow: Flow,
    /// A client of the old edition with a server of the new one.
    pub old_client_new_server: Verdict,
    /// A client of the new edition with a server of the old one.
    pub new_client_old_server: Verdict,
    /// All its places.
    pub places: Vec<Place>,
}

/// How bad a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// A reader fails on what a writer may write.
    Breaking,
    /// It cannot be compared, so nobody knows whether it breaks something.
    Unverified,
    /// It breaks nothing.
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

/// One place of a change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Place {
    /// The path of the place.
    pub path: Path<'static>,
    /// The path in the old edition, if it is another one: the definition was renamed, or had no name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<Path<'static>>,
    /// JSON pointer into the old schema, if that has the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// JSON pointer into the new schema, if that has the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// Which way it travels in this place, if that differs from the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<Flow>,
    /// The verdict for this place alone on a client of the old edition with a server of the new one, if it differs from
    /// that of the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_client_new_server: Option<Verdict>,
    /// The same for a client of the new edition with a server of the old one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_client_old_server: Option<Verdict>,
    /// The definitions that it is in, those of the old edition and those of the new one. `--only` finds it by each of
    /// them.
    #[serde(skip)]
    pub definitions: [BTreeSet<String>; 2],
    /// What the change means in this place alone. None for a place that only follows from the others.
    #[serde(skip)]
    pub judged: Option<Judged>,
}

/// What a change means in one place. If a report has only some of the places, these decide.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// How bad it is here.
    pub severity: Severity,
    /// The part of the protocol that the place belongs to.
    pub area: String,
    /// Which way it travels.
    pub flow: Flow,
    /// The verdicts on both meetings.
    pub verdicts: [Verdict; 2],
}

impl Change {
    /// Takes severity, area, flow and verdicts from the places, the worst of each. Places whose own ones differ keep
    /// them.
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

    /// Changes the path, and says how many of its places are left.
    pub(crate) fn call(&mut self, path: Path<'static>, all: usize) {
        let is_its_place = matches!(&self.places[..], [only] if only.path == path);
        self.message.places = if is_its_place { Places::All(1) } else { Places::Left(self.places.len(), all) };
        self.message.path = path.clone();
        self.path = path;
    }
}

/// A change that was ignored on request.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Ignored {
    /// The rule.
    pub rule: String,
    /// The path.
    pub path: Path<'static>,
    /// The fingerprint of the change.
    pub fingerprint: String,
    /// Why it is ignored.
    pub reason: String,
    /// Until when, as a date.
    pub expires: String,
}

/// A definition around a change, written out in both editions.
#[derive(Debug, Clone, PartialEq)]
pub struct TypePair {
    /// Its name, the new one if it was renamed.
    pub name: String,
    /// The area it belongs to.
    pub area: String,
    /// The old text.
    pub before: Option<String>,
    /// The new text.
    pub after: Option<String>,
}

/// What the verdicts assume.
const ASSUMPTIONS: [&str; 4] = [
    "A reader ignores members it does not know.",
    "A reader fails on a required member that is missing, on an unknown value of a closed enum, on an unknown alternative \
     of a union and on a value of another type or beyond a limit.",
    "A request with an unknown method is answered with an error; an unknown notification is ignored.",
    "A method that a capability guards is used only where the capability has been declared.",
];

impl Report {
    /// A report of these changes, which are sorted already.
    pub(super) fn new(editions: Both<&Edition>, changes: Vec<Change>, types: Vec<TypePair>) -> Self {
        let sides = editions.map(Edition::side);
        let mut report = Self {
            format: 1,
            old: sides.old,
            new: sides.new,
            assumptions: ASSUMPTIONS.map(str::to_owned).into(),
            summary: Summary::default(),
            changes: Vec::new(),
            documentation: Vec::new(),
            refactors: Vec::new(),
            ignored: Vec::new(),
            warnings: Vec::new(),
            types,
        };
        for change in changes {
            match change.severity {
                Severity::Refactor => report.refactors.push(change),
                Severity::Documentation => report.documentation.push(change),
                _ => report.changes.push(change),
            }
        }
        report.summary.rules = CATALOGUE.iter().map(|rule| (rule.id.to_owned(), 0)).collect();
        report.recount();
        report
    }

    /// Whether there is nothing to report, not even a reworded description.
    pub fn is_empty(&self) -> bool {
        let Summary { breaking, unverified, compatible, notices, documentation, refactors, ignored, .. } =
            &self.summary;
        breaking + unverified + compatible + notices + documentation + refactors + ignored == 0
    }

    /// Removes the refactors. Their number stays in the summary.
    pub fn hide_refactors(&mut self) {
        self.refactors.clear();
    }

    /// The JSON Schema of a report.
    pub fn json_schema() -> Value {
        // The schema describes what is written: members that are left out if they are empty are optional.
        let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        settings.into_generator().into_root_schema_for::<Report>().to_value()
    }
}
