//! Difference: what the walk notes at a place.

use std::mem::Discriminant;

use serde_json::Value;

use super::both::{Age, Both};
use super::path::Path;
use super::place::Place;
use crate::model::{Member, Method};

/// Where two editions differ, and in what.
pub(super) struct Difference<'a> {
    pub(super) place: Place<'a>,
    pub(super) what: What<'a>,
    /// How it is written in each edition.
    pub(super) texts: Both<Option<String>>,
    /// The descriptions beside it. An inherited member has the same description wherever it stands.
    pub(super) words: Both<Option<&'a str>>,
    /// Places inside it that come, go or move together with it.
    pub(super) inside: Vec<Place<'a>>,
}

/// What differs.
pub(super) enum What<'a> {
    /// A definition of one edition only.
    Definition { definition: &'a str, only_in: Age, purpose: Purpose },
    /// A name that means something else now.
    Redefined { definition: &'a str, kinds: Both<&'static str>, relation: Relation },
    /// A definition under another name.
    Renamed { names: Both<&'a str>, evidence: String },
    /// A definition of one edition whose content the other edition writes out where it is used.
    Inlined { definition: &'a str, only_in: Age },
    /// A use of a definition replaced by the use of another one with the same content.
    Reference { names: Both<&'a str> },
    /// Another keyword for the definitions.
    Dialect { keywords: Both<&'static str> },
    /// A definition whose schema is written differently and says the same. Known errors may have been corrected in one
    /// edition.
    Rewritten { corrections: Vec<&'static str> },
    /// A member of one edition only.
    Member { member: &'a Member, only_in: Age, owner: Owner },
    /// A member that one edition requires and the other one does not, as the edition that requires it has it.
    Presence { member: &'a Member, is_required: bool },
    /// A value of another type.
    Value { relation: Relation },
    /// A value that may be null in one edition only.
    Null { allowed_in: Age },
    /// A limit that is not the same.
    Limit { keyword: &'static str, values: Both<Option<Value>>, relation: Relation },
    /// A constant with another value.
    Constant { values: Both<&'a Value> },
    /// A value of an enum.
    EnumValue { value: &'a str, only_in: Age, is_open: bool },
    /// An enum that takes values besides its own in one edition only: the new one if it is open.
    EnumOpen { is_open: bool },
    /// An object that takes members besides its own in one edition only: the new one if it is open.
    ObjectOpen { is_open: bool },
    /// An alternative of a union, its definition if it has one, and the alternative of the other edition that a reader
    /// takes it for who does not know it.
    Alternative { label: String, definition: Option<&'a str>, only_in: Age, passes_for: Option<String> },
    /// A method of one edition only.
    Method { method: &'a Method, only_in: Age },
    /// A method of both editions that is not the same.
    MethodChanged { methods: Both<&'a Method>, part: MethodPart<'a> },
    /// A capability that stands elsewhere.
    CapabilityMoved { paths: Both<Path<'a>>, member: &'a Member },
    /// An error code of one edition only, or with another number.
    ErrorCode { name: &'a str, codes: Both<Option<i64>> },
    /// Messages in one array.
    Batches { only_in: Age },
    /// A warning that something will be removed.
    Deprecation { note: &'a str, only_in: Age },
    /// A description in other words.
    Description,
    /// A keyword that the model does not hold, and what it says.
    Keyword { keyword: String, values: Both<Option<Value>> },
}

impl What<'_> {
    /// The edition that has it, if only one does.
    pub(super) fn only_in(&self) -> Option<Age> {
        match self {
            Self::Definition { only_in, .. }
            | Self::Inlined { only_in, .. }
            | Self::Member { only_in, .. }
            | Self::EnumValue { only_in, .. }
            | Self::Alternative { only_in, .. }
            | Self::Method { only_in, .. }
            | Self::Batches { only_in }
            | Self::Deprecation { only_in, .. } => Some(*only_in),
            _ => None,
        }
    }

    /// The kind of difference. If it is found in every place that uses a definition, it is a difference of the
    /// definition.
    pub(super) fn kind(&self) -> (Discriminant<Self>, String) {
        let detail = match self {
            Self::EnumValue { value, .. } => (*value).to_owned(),
            Self::Alternative { label, .. } => label.clone(),
            Self::Limit { keyword, .. } => (*keyword).to_owned(),
            Self::Keyword { keyword, .. } => keyword.clone(),
            _ => String::new(),
        };
        (std::mem::discriminant(self), detail)
    }
}

/// What a definition is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Messages contain it.
    Message,
    /// It repeats what another definition says: the response of one method, the error with one code.
    Restatement,
    /// Others are made from it.
    Base,
}

/// What a member belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// Any object.
    Object,
    /// The capabilities of a side.
    Capabilities,
    /// The JSON-RPC envelope: every message has the member, whether its definition lists it or not.
    Envelope,
    /// A message of a method of both editions. The member is its params, and the method reports that.
    Message,
}

/// The part of a method that changed.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum MethodPart<'a> {
    /// Whether it is a request of its own or one inside a result. A change of its results is part of this.
    Kind {
        same_results: bool,
    },
    Senders,
    Params,
    /// Its results. Some are only sent to a side that asked for them.
    Results {
        on_request: Vec<&'a str>,
    },
    Capability,
    Phase,
}

/// How the values that are valid now relate to those that were valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Same,
    /// All old values are valid, and others.
    Wider,
    /// Some old values are no longer valid, and no others are.
    Narrower,
    /// Neither set of values contains the other.
    Other,
}
