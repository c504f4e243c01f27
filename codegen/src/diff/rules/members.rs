//! Members: those of objects, of capabilities and of envelopes.

use super::Claim;
use super::catalogue::*;
use crate::diff::both::{Age, Both};
use crate::diff::difference::{Owner, Relation};
use crate::diff::path::Path;
use crate::model::{Content, Field, Member};

/// A member of one edition only. New params are reported with their method.
pub(super) fn one_sided(member: &Member, only_in: Age, owner: Owner) -> Option<Claim> {
    let claim = match owner {
        Owner::Object => of_object(member, only_in),
        Owner::Capabilities => of_capabilities(member, only_in),
        Owner::Envelope => of_envelope(only_in),
        Owner::Message => return None,
    };
    let argument = if owner == Owner::Capabilities { "capability" } else { "member" };
    Some(claim.with(argument, member.wire.as_str()))
}

fn of_object(member: &Member, only_in: Age) -> Claim {
    match (only_in, member.required) {
        (Age::New, false) => {
            deprecated_from_the_start(FIELD_ADDED_OPTIONAL.says("was added; it may be absent"), member)
        }
        (Age::Old, false) => FIELD_REMOVED_OPTIONAL.says("was removed; it could be absent"),
        (Age::New, true) => {
            let claim = deprecated_from_the_start(FIELD_ADDED_REQUIRED.says("was added; it must be there"), member);
            relied_on(claim, member, Relation::Narrower)
        }
        (Age::Old, true) => {
            relied_on(FIELD_REMOVED_REQUIRED.says("was removed; it had to be there"), member, Relation::Wider)
        }
    }
}

fn of_capabilities(member: &Member, only_in: Age) -> Claim {
    match (only_in, member.required) {
        (Age::New, false) => CAPABILITY_ADDED.says("can be declared now"),
        (Age::Old, false) => CAPABILITY_REMOVED.says("can no longer be declared"),
        (Age::New, true) => demanded(CAPABILITY_ADDED.says("has to be declared now"), member, Relation::Narrower),
        (Age::Old, true) => {
            let says = "had to be declared and no longer can be";
            demanded(CAPABILITY_REMOVED.says(says), member, Relation::Wider)
        }
    }
}

fn of_envelope(only_in: Age) -> Claim {
    match only_in {
        Age::New => ENVELOPE_WRITTEN_OUT.says("is written out here now; every message had it before"),
        Age::Old => ENVELOPE_IMPLIED.says("is no longer written out here; every message still has it"),
    }
}

pub(super) fn presence(member: &Member, is_required: bool) -> Claim {
    let (claim, relation) = match is_required {
        true => (FIELD_BECAME_REQUIRED.says("became required"), Relation::Narrower),
        false => (FIELD_BECAME_OPTIONAL.says("became optional"), Relation::Wider),
    };
    relied_on(claim.with("member", member.wire.as_str()), member, relation)
}

/// A capability that was removed in one place and added with the same content in another.
pub(super) fn capability_moved(paths: &Both<Path<'_>>, member: &Member) -> Claim {
    let claim = CAPABILITY_MOVED.says(format!("was `{}`, and is declared there now", paths.old));
    let claim = claim.with_both(paths.as_ref().map(Path::to_string));
    if member.required { demanded(claim, member, Relation::Other) } else { claim }
}

pub(super) fn open(is_open: bool) -> Claim {
    match is_open {
        true => OBJECT_OPENED.says("may have other members now"),
        false => OBJECT_CLOSED.says("must not have other members"),
    }
}

/// A member that is new and deprecated has no change of its own for that.
fn deprecated_from_the_start(claim: Claim, member: &Member) -> Claim {
    match &member.deprecated {
        Some(note) => claim.noting(format!("deprecated from the start: {note}")),
        None => claim,
    }
}

/// Readers of one edition rely on a member that writers of the other leave out, unless the absence has a meaning.
fn relied_on(claim: Claim, member: &Member, by: Relation) -> Claim {
    match &member.content {
        Content::Field(Field { absence: Some(value), .. }) => {
            claim.noting(format!("where it is absent, it means `{value}`, which is another object")).read_by(by)
        }
        Content::Field(Field { initial: Some(value), .. }) => {
            claim.noting(format!("where it is absent, it means `{value}`"))
        }
        _ => claim.read_by(by),
    }
}

/// A required capability is relied on like any other member.
fn demanded(mut claim: Claim, member: &Member, by: Relation) -> Claim {
    claim.reason = "A reader relies on what the writer does not know and leaves out.";
    relied_on(claim, member, by)
}
