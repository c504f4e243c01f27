//! Definitions, and what is said about them: names, words, warnings.

use super::Claim;
use super::catalogue::*;
use crate::diff::both::{Age, Both};
use crate::diff::difference::{Purpose, Relation};

pub(super) fn one_sided(definition: &str, only_in: Age, purpose: Purpose) -> Claim {
    let (rule, says) = match (purpose, only_in) {
        (Purpose::Message, Age::New) => (&TYPE_ADDED, "is new"),
        (Purpose::Message, Age::Old) => (&TYPE_REMOVED, "is gone"),
        (Purpose::Restatement, Age::New) => (&HELPER_ADDED, "is new, and only names what is valid without it"),
        (Purpose::Restatement, Age::Old) => (&HELPER_REMOVED, "is gone, and only named what is valid without it"),
        (Purpose::Base, Age::New) => (&HELPER_ADDED, "is new, but no message contains it"),
        (Purpose::Base, Age::Old) => (&HELPER_REMOVED, "is gone, but no message contained it"),
    };
    rule.says(says).with("type", definition)
}

/// A name that means something of another kind.
pub(super) fn redefined(definition: &str, kinds: Both<&str>, relation: Relation) -> Claim {
    let Both { old, new } = kinds.map(article);
    let claim = TYPE_REDEFINED.says(format!("means something else: it was {old}, and is {new} now"));
    claim.with("type", definition).with_both(kinds).read_by(relation)
}

fn article(kind: &str) -> String {
    match kind.starts_with(['a', 'e', 'i', 'o']) {
        true if kind.starts_with("any") => kind.to_owned(),
        true => format!("an {kind}"),
        false => format!("a {kind}"),
    }
}

/// Other changes of the definition are findings of their own.
pub(super) fn renamed(names: Both<&str>, evidence: &str) -> Claim {
    TYPE_RENAMED.says(format!("was called `{}`", names.old)).with_both(names).noting(evidence)
}

pub(super) fn inlined(definition: &str, only_in: Age) -> Claim {
    let (rule, says) = match only_in {
        Age::New => (&TYPE_NAMED, "is a definition now; it stood inside others"),
        Age::Old => (&TYPE_INLINED, "is no definition any more; it stands inside others"),
    };
    rule.says(says).with("type", definition)
}

pub(super) fn reference(names: Both<&str>) -> Claim {
    let says = format!("refers to `{}` now, it was `{}`; both say the same", names.new, names.old);
    REFERENCE.says(says).with_both(names)
}

pub(super) fn dialect(keywords: Both<&str>) -> Claim {
    DIALECT.says(format!("holds the definitions now, it was `{}`", keywords.old)).with_both(keywords)
}

pub(super) fn rewritten(corrections: &[&str]) -> Claim {
    match corrections {
        [] => REWRITTEN.says("is written differently and says the same"),
        names => REWRITTEN
            .says("is written differently, and says the same once a known error is corrected")
            .noting(format!("corrected before the comparison: {}", names.join(", "))),
    }
}

pub(super) fn described() -> Claim {
    DOCUMENTATION_CHANGED.says("is described in other words")
}

pub(super) fn deprecated(note: &str, only_in: Age) -> Claim {
    let (rule, says) = match only_in {
        Age::New => (&DEPRECATED_ADDED, "is deprecated"),
        Age::Old => (&DEPRECATED_REMOVED, "is no longer deprecated"),
    };
    rule.says(says).with("note", note)
}
