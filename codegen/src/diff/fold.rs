//! Fold: findings in, changes out.
//!
//! A member that thirty types inherit is found thirty times, once in each type. The findings are alike in every word,
//! so they become one change with thirty places, called after the base of these types. A change of a method also
//! changes lists of messages and may take away an envelope; those findings become places of that change.

mod followers;
mod judge;
mod origin;

use std::collections::{BTreeSet, HashMap, HashSet};

use sha2::{Digest, Sha256};

use super::both::{Age, Both};
use super::difference::Difference;
use super::edition::Edition;
use super::flow::{Effect, Flows};
use super::index::Index;
use super::path::Path;
use super::place;
use super::report::{self, Change, Flow, Judged, Message, Place, Severity, TypePair, Verdict};
use super::rules::{Claim, Finding};
use super::visible::Visible;

pub(super) struct Fold<'a> {
    editions: Both<&'a Edition>,
    index: Both<&'a Index<'a>>,
    flows: &'a Flows,
    visible: &'a Visible<'a>,
    /// Definitions that no message contains, by their members.
    helpers: HashMap<(Age, &'a str), Vec<&'a str>>,
}

/// A change in the making.
struct Draft<'a> {
    findings: Vec<Finding<'a>>,
    /// Places of findings that follow from these.
    followers: Vec<place::Place<'a>>,
    /// The path of the change, if it is not that of its first place.
    path: Option<Path<'a>>,
}

impl<'a> Draft<'a> {
    fn of(finding: Finding<'a>) -> Self {
        Self { findings: vec![finding], followers: Vec::new(), path: None }
    }

    fn called(path: Path<'a>, findings: Vec<Finding<'a>>) -> Self {
        Self { findings, followers: Vec::new(), path: Some(path) }
    }
}

impl<'a> Fold<'a> {
    pub(super) fn new(
        editions: Both<&'a Edition>,
        index: Both<&'a Index<'a>>,
        flows: &'a Flows,
        visible: &'a Visible<'a>,
    ) -> Self {
        let mut helpers: HashMap<(Age, &str), Vec<&str>> = HashMap::new();
        for (age, definition) in visible.hidden() {
            for member in index.of(age).members_of(definition.ty) {
                helpers.entry((age, member.wire.as_str())).or_default().push(definition.name);
            }
        }
        Self { editions, index, flows, visible, helpers }
    }

    /// The changes, sorted, and the definitions they speak of.
    pub(super) fn changes(&self, findings: Vec<Finding<'a>>) -> (Vec<Change>, Vec<TypePair>) {
        let (mut drafts, others) = self.follow(findings);
        for findings in origin::alike(others) {
            self.split(findings, &mut drafts);
        }
        let mut roots = BTreeSet::new();
        let mut changes: Vec<Change> = drafts.into_iter().filter_map(|draft| self.change(draft, &mut roots)).collect();
        report::sort(&mut changes);
        let types = roots.into_iter().filter_map(|(old, new)| self.types(Both { old, new })).collect();
        (changes, types)
    }

    fn change(&self, draft: Draft<'a>, roots: &mut BTreeSet<(Option<&'a str>, Option<&'a str>)>) -> Option<Change> {
        let Draft { mut findings, followers, path } = draft;
        findings.sort_by_cached_key(|finding| finding.difference.place.path.to_string());
        let mut places: Vec<(&place::Place<'a>, Option<Judged>)> = Vec::new();
        for finding in &findings {
            let judged = self.judge(finding);
            places.push((&finding.difference.place, Some(judged.clone())));
            places.extend(finding.difference.inside.iter().map(|place| (place, Some(judged.clone()))));
        }
        places.extend(followers.iter().map(|place| (place, None)));
        roots.extend(places.iter().map(|(place, _)| (place.roots.old, place.roots.new)));
        // Places have their short paths, unless two of them would have the same path.
        let names = || places.iter().map(|(place, _)| place.name()).collect::<HashSet<&Path<'_>>>();
        let is_short = places.len() == 1 || names().len() == places.len();
        let places: Vec<Place> =
            places.into_iter().map(|(place, judged)| self.place(place, is_short, judged)).collect();
        let Finding { claim, difference } = findings.into_iter().next()?;
        let Difference { place, texts, .. } = *difference;
        let path = path.as_ref().unwrap_or(place.name()).owned();
        let usual = claim.rule.severity;
        let hurts_somebody = claim.effect != Effect::default();
        let mut change = Change {
            rule: claim.rule.id.to_owned(),
            fingerprint: fingerprint(&path, &claim, &places),
            severity: usual,
            area: String::new(),
            message: Message::new(path.clone(), claim.says, places.len()),
            path,
            arguments: claim.arguments,
            reason: claim.reason.to_owned(),
            before: texts.old,
            after: texts.new,
            note: claim.note,
            flow: Flow::default(),
            old_client_new_server: Verdict::default(),
            new_client_old_server: Verdict::default(),
            places,
        };
        change.judge_by_places();
        // If a change would break something and does not, a note says why: no message that both editions know has it.
        if usual == Severity::Breaking && change.severity == Severity::Compatible && hurts_somebody {
            change.note = change.note.or_else(|| Some("no message that both editions know contains it".to_owned()));
        }
        Some(change)
    }

    fn place(&self, place: &place::Place<'a>, is_short: bool, judged: Option<Judged>) -> Place {
        let sides = self.editions.zip(place.sides.as_ref());
        let pointers = sides.map(|(edition, side)| side.as_ref().map(|path| edition.pointer(path)));
        let path = if is_short { place.name() } else { &place.path };
        Place {
            was: place.old_path().filter(|old| old != path).map(|old| old.owned()),
            path: path.owned(),
            old: pointers.old,
            new: pointers.new,
            definitions: place.definitions().map(|names| names.map(str::to_owned).collect()).each(),
            judged,
            ..Place::default()
        }
    }

    /// A definition as each edition has it.
    fn types(&self, names: Both<Option<&str>>) -> Option<TypePair> {
        let found = self.index.zip(names).map(|(index, name)| name.and_then(|name| index.find(name)));
        let definition = found.newest()?;
        let texts = self.index.zip(found).map(|(index, found)| found.map(|found| index.whole(found.name, found.ty)));
        Some(TypePair {
            name: definition.name.to_owned(),
            area: definition.ty.topic.clone(),
            before: texts.old,
            after: texts.new,
        })
    }
}

/// A hash of what a change is, not of how it is worded.
fn fingerprint(path: &Path<'_>, claim: &Claim, places: &[Place]) -> String {
    let arguments = serde_json::to_string(&claim.arguments).unwrap_or_default();
    let mut text = format!("{}\u{0}{path}\u{0}{arguments}", claim.rule.id);
    // If the places have no definition in common, their paths are part of what the change is.
    if path.is_in_several() {
        places.iter().for_each(|place| text.push_str(&format!("\u{0}{}", place.path)));
    }
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
