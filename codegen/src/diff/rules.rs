//! Rules: a difference in, a finding out.
//!
//! The catalogue is a table of all rules. The other files decide which rule applies to a difference, what it says, and
//! which reader the difference hurts; each file is about one kind of differences. Every rule has a mirror, which
//! applies if the editions change places.

mod catalogue;
mod definitions;
mod members;
mod methods;
mod values;

use std::collections::BTreeMap;

use serde_json::Value;

use super::both::Both;
use super::difference::{Difference, Relation, What};
use super::flow::{Effect, Meeting};
use super::report::Severity;
pub use catalogue::CATALOGUE;

/// A kind of change.
#[derive(Debug)]
pub struct Rule {
    /// Its id, which never changes.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Why it matters.
    pub reason: &'static str,
    /// The worst severity. If nobody is hurt, the change is compatible.
    pub severity: Severity,
    /// The rule that applies when the editions change places.
    pub mirror: &'static str,
}

/// A rule by its id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    CATALOGUE.iter().find(|rule| rule.id == id)
}

/// What a rule says about a difference.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    pub(super) rule: &'static Rule,
    /// What follows the path in a sentence.
    pub(super) says: String,
    pub(super) arguments: BTreeMap<String, Value>,
    pub(super) note: Option<String>,
    /// Why it matters here.
    pub(super) reason: &'static str,
    /// Who cannot read whom, where the type travels.
    pub(super) effect: Effect,
    /// The meetings in which a request is unknown, or a result unexpected, and the capability that has to be declared
    /// for it.
    pub(super) meetings: Vec<(Meeting, Option<String>)>,
}

/// A rule applied to a difference.
pub(super) struct Finding<'a> {
    pub(super) claim: Claim,
    /// In a box, because it is large and moved several times.
    pub(super) difference: Box<Difference<'a>>,
}

impl<'a> Finding<'a> {
    /// Applies the rule for a difference. None if another finding reports it.
    pub(super) fn of(difference: Difference<'a>) -> Option<Self> {
        Some(Self { claim: claim(&difference.what)?, difference: Box::new(difference) })
    }
}

fn claim(what: &What<'_>) -> Option<Claim> {
    Some(match what {
        What::Definition { definition, only_in, purpose } => definitions::one_sided(definition, *only_in, *purpose),
        What::Redefined { definition, kinds, relation } => definitions::redefined(definition, *kinds, *relation),
        What::Renamed { names, evidence } => definitions::renamed(*names, evidence),
        What::Inlined { definition, only_in } => definitions::inlined(definition, *only_in),
        What::Reference { names } => definitions::reference(*names),
        What::Dialect { keywords } => definitions::dialect(*keywords),
        What::Rewritten { corrections } => definitions::rewritten(corrections),
        What::Description => definitions::described(),
        What::Deprecation { note, only_in } => definitions::deprecated(note, *only_in),
        What::Member { member, only_in, owner } => return members::one_sided(member, *only_in, *owner),
        What::Presence { member, is_required } => members::presence(member, *is_required),
        What::CapabilityMoved { paths, member } => members::capability_moved(paths, member),
        What::ObjectOpen { is_open } => members::open(*is_open),
        What::Value { relation } => return values::value(*relation),
        What::Null { allowed_in } => values::null(*allowed_in),
        What::Limit { keyword, values, relation } => return values::limit(keyword, values.clone(), *relation),
        What::Constant { values } => values::constant(*values),
        What::EnumValue { value, only_in, is_open } => values::enum_value(value, *only_in, *is_open),
        What::EnumOpen { is_open } => values::enum_open(*is_open),
        What::Alternative { label, only_in, passes_for, .. } => {
            values::alternative(label, *only_in, passes_for.as_deref())
        }
        What::Keyword { keyword, values } => values::keyword(keyword, values.clone()),
        What::Method { method, only_in } => methods::one_sided(method, *only_in),
        What::MethodChanged { methods, part } => methods::changed(*methods, part),
        What::ErrorCode { name, codes } => return methods::error_code(name, *codes),
        What::Batches { only_in } => methods::batches(*only_in),
    })
}

impl Rule {
    /// A claim with this sentence.
    fn says(&'static self, says: impl Into<String>) -> Claim {
        Claim {
            rule: self,
            says: says.into(),
            arguments: BTreeMap::new(),
            note: None,
            reason: self.reason,
            effect: Effect::default(),
            meetings: Vec::new(),
        }
    }
}

impl Claim {
    /// Adds an argument.
    fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.arguments.insert(name.to_owned(), value.into());
        self
    }

    /// Adds the arguments `old` and `new`.
    fn with_both(self, values: Both<impl Into<Value>>) -> Self {
        self.with("old", values.old).with("new", values.new)
    }

    fn noting(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Says which reader does not expect the values of the other edition.
    fn read_by(mut self, relation: Relation) -> Self {
        self.effect = Effect {
            old_reader: matches!(relation, Relation::Wider | Relation::Other),
            new_reader: matches!(relation, Relation::Narrower | Relation::Other),
        };
        self
    }
}
