//! Origin: decides which findings are one change, and what the change is called.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Draft, Fold};
use crate::diff::both::{Age, Both};
use crate::diff::difference::What;
use crate::diff::path::{Path, Step};
use crate::diff::rules::Finding;

/// Groups findings that may be one change.
pub(super) fn alike(findings: Vec<Finding<'_>>) -> Vec<Vec<Finding<'_>>> {
    let mut kinds: HashMap<Kind<'_>, usize> = HashMap::new();
    let number = |finding| {
        let next = kinds.len();
        *kinds.entry(kind(finding)).or_insert(next)
    };
    let numbers: Vec<usize> = findings.iter().map(number).collect();
    let mut alike: Vec<Vec<Finding<'_>>> = Vec::new();
    for (number, finding) in numbers.into_iter().zip(findings) {
        match alike.get_mut(number) {
            Some(findings) => findings.push(finding),
            None => alike.push(vec![finding]),
        }
    }
    alike
}

/// What findings that may be one change have in common.
#[derive(PartialEq, Eq, Hash)]
struct Kind<'f> {
    rule: &'static str,
    /// Where they stand, or the end of it.
    path: Option<&'f Path<'f>>,
    end: Option<&'f [Step<'f>]>,
    arguments: Option<String>,
    texts: Option<Both<Option<&'f str>>>,
    words: Option<Both<Option<&'f str>>>,
}

fn kind<'f>(Finding { claim, difference }: &'f Finding<'_>) -> Kind<'f> {
    let path = &difference.place.path;
    let arguments = Some(serde_json::to_string(&claim.arguments).unwrap_or_default());
    let texts = Some(difference.texts.as_ref().map(Option::as_deref));
    let none = Kind { rule: claim.rule.id, path: None, end: None, arguments: None, texts: None, words: None };
    match &difference.what {
        What::Description => Kind { texts, ..none },
        What::Member { .. }
        | What::Presence { .. }
        | What::Value { .. }
        | What::Null { .. }
        | What::Limit { .. }
        | What::Keyword { .. } => {
            let (end, whole) = (path.end(), path.end().is_none().then_some(path));
            Kind { end, path: whole, arguments, texts, words: Some(difference.words), ..none }
        }
        // The same alternative comes to several unions, the same warning to several types.
        What::Deprecation { .. } | What::Alternative { .. } | What::Reference { .. } => Kind { arguments, ..none },
        _ => Kind { path: Some(difference.place.name()), arguments, ..none },
    }
}

impl<'a> Fold<'a> {
    /// Makes one change or several of findings that are alike.
    pub(super) fn split(&self, findings: Vec<Finding<'a>>, drafts: &mut Vec<Draft<'a>>) {
        // A difference inside a definition that only one edition has is a change of that definition, wherever it is
        // used.
        let mut by_short: BTreeMap<Option<String>, Vec<Finding<'a>>> = BTreeMap::new();
        for finding in findings {
            let short = finding.difference.place.short.as_ref().map(Path::to_string);
            by_short.entry(short).or_default().push(finding);
        }
        let is_one = by_short.len() == 1;
        let mut others = Vec::new();
        for findings in by_short.into_values() {
            let short = findings.first().and_then(|finding| finding.difference.place.short.clone());
            match short {
                Some(path) if is_one || !is_described(&findings) => drafts.push(Draft::called(path, findings)),
                _ => others.extend(findings),
            }
        }
        let base = if others.len() > 1 { self.base(&others) } else { None };
        let is_shared = base.is_some() || is_described(&others) || is_alternative(&others);
        match others.len() {
            2.. if is_shared => {
                let path = base.unwrap_or_else(|| common_path(&others));
                drafts.push(Draft::called(path, others));
            }
            _ => drafts.extend(others.into_iter().map(Draft::of)),
        }
    }

    /// The path of a change of these places, if they inherit their member from one definition: a definition that has
    /// the same member, and no member that one of them lacks.
    fn base(&self, findings: &[Finding<'a>]) -> Option<Path<'a>> {
        let [Step::Member(name)] = findings.first()?.difference.place.name().steps() else { return None };
        let is_same = |finding: &Finding<'a>| finding.difference.place.name().steps() == [Step::Member(name.clone())];
        if !findings.iter().all(is_same) {
            return None;
        }
        let path = |base: &'a str| Path::of(base).then(Step::Member(name.clone()));
        if let Some(base) = self.base_in(Age::New, findings, name) {
            return Some(path(base));
        }
        let base = self.base_in(Age::Old, findings, name)?;
        // A definition of the old edition is no name for a member that the new edition still has.
        let is_removed = findings.iter().all(|finding| finding.difference.place.sides.new.is_none());
        Some(if is_removed { path(base) } else { common_path(findings) })
    }

    /// The definition of one edition from which all these places have a member.
    fn base_in(&self, age: Age, findings: &[Finding<'a>], name: &str) -> Option<&'a str> {
        let index = self.index.of(age);
        let owner = |finding: &'_ Finding<'a>| {
            let place = &finding.difference.place;
            place.sides.get(age).as_ref()?;
            let short = place.short.as_ref().and_then(|short| Some(index.find(short.root()?)?.name));
            short.or(place.roots.of(age))
        };
        let owners: Vec<&'a str> = findings.iter().map(owner).collect::<Option<_>>()?;
        let text = |owner: &str| {
            let member = index.members(owner).iter().find(|member| member.wire == name)?;
            Some((index.member(member), member.doc.as_deref()))
        };
        let wanted = text(owners.first()?)?;
        let names = |owner: &str| -> BTreeSet<&'a str> {
            index.members(owner).iter().map(|member| member.wire.as_str()).collect()
        };
        // The members that all of them have: a base has no others.
        let mut shared = names(owners.first()?);
        for owner in &owners {
            let theirs = names(owner);
            shared.retain(|name| theirs.contains(name));
        }
        let is_base = |candidate: &str| {
            text(candidate).as_ref() == Some(&wanted)
                && index.members(candidate).iter().all(|member| shared.contains(member.wire.as_str()))
        };
        // A base among the places comes first, then a helper that no message contains.
        let is_visible = |owner: &str| self.visible.has(Both { old: Some(owner), new: Some(owner) });
        let among = owners.iter().copied().filter(|owner| is_base(owner));
        let among = among.min_by_key(|owner| (is_visible(owner), names(owner).len(), *owner));
        among.or_else(|| {
            let helpers = self.helpers.get(&(age, name)).into_iter().flatten().copied();
            helpers.filter(|helper| is_base(helper)).max_by_key(|helper| (names(helper).len(), Reverse(*helper)))
        })
    }
}

/// Whether they have descriptions. Findings of one kind have the same ones.
fn is_described(findings: &[Finding<'_>]) -> bool {
    findings.first().is_some_and(|Finding { difference, .. }| {
        difference.words != Both::default() || matches!(difference.what, What::Description | What::Deprecation { .. })
    })
}

fn is_alternative(findings: &[Finding<'_>]) -> bool {
    let is_one = |what: &What<'_>| matches!(what, What::Alternative { .. } | What::Reference { .. });
    findings.first().is_some_and(|finding| is_one(&finding.difference.what))
}

/// `*.title`, where all paths end alike; the first path otherwise.
fn common_path<'a>(findings: &[Finding<'a>]) -> Path<'a> {
    let paths = || findings.iter().map(|finding| &finding.difference.place.path);
    let mut ends = paths().map(Path::end);
    let first = ends.next().flatten();
    match first {
        Some(end) if ends.all(|other| other == first) => Path::in_several(end),
        _ => paths().min_by_key(|path| path.to_string()).cloned().unwrap_or_default(),
    }
}
