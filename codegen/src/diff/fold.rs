//! Fold: findings in, changes out.
//!
//! A member that thirty types inherit is found thirty times: once in each of them. The findings are alike in every word,
//! so they are one change with thirty places, called after the base that the types have in common. What a change of a
//! method brings along (the lists of what each side sends, the envelope of a request that stands inside a result) are
//! places of that change.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sha2::{Digest, Sha256};

use super::edition::{Edition, Index, Step};
use super::flow::{self, Conditions, Effect, Flows, Meeting};
use super::report::{self, Change, Flow, Judged, Outcome, Place, Severity, TypePair, Verdict};
use super::rules::{Hit, Rule};
use super::walk::{Found, MethodPart, Owner, Site, Spot};
use super::wire::{self, Wire};
use crate::model::{Role, Shape};
use crate::names;

/// A rule that applied, and where.
pub(super) struct Finding<'a> {
    pub(super) rule: &'static Rule,
    pub(super) hit: Hit,
    /// It is large, and goes from hand to hand.
    pub(super) found: Box<Found<'a>>,
}

pub(super) struct Fold<'a> {
    pub(super) editions: (&'a Edition, &'a Edition),
    pub(super) old: &'a Index<'a>,
    pub(super) new: &'a Index<'a>,
    pub(super) flows: &'a Flows,
    pub(super) wire: &'a Wire<'a>,
    /// Definitions that no message contains, by edition (`true` for the new one) and member.
    pub(super) helpers: HashMap<(bool, &'a str), Vec<&'a str>>,
}

/// Definitions that no message contains, by their members.
pub(super) fn helpers<'a>(old: &Index<'a>, new: &Index<'a>, wire: &Wire<'a>) -> HashMap<(bool, &'a str), Vec<&'a str>> {
    let mut helpers: HashMap<(bool, &str), Vec<&str>> = HashMap::new();
    for (is_new, definition) in wire.hidden() {
        let index = if is_new { new } else { old };
        for member in index.members_of(definition.ty) {
            helpers.entry((is_new, member.wire.as_str())).or_default().push(definition.name);
        }
    }
    helpers
}

/// One change in the making.
struct Group<'a> {
    findings: Vec<Finding<'a>>,
    /// Places that come along.
    places: Vec<Spot<'a>>,
    /// What it is called, if not after its only place.
    path: Option<String>,
}

impl<'a> Fold<'a> {
    /// The changes, sorted, and the definitions they speak of.
    pub(super) fn fold(&self, findings: Vec<Finding<'a>>) -> (Vec<Change>, Vec<TypePair>) {
        let (methods, others) = self.attach(findings);
        let mut groups: Vec<Group<'a>> = methods;
        let mut alike: Vec<Vec<Finding<'a>>> = Vec::new();
        let mut positions: HashMap<String, usize> = HashMap::new();
        for finding in others {
            let position = *positions.entry(likeness(&finding)).or_insert(alike.len());
            match alike.get_mut(position) {
                Some(findings) => findings.push(finding),
                None => alike.push(vec![finding]),
            }
        }
        for findings in alike {
            self.split(findings, &mut groups);
        }
        let mut roots = BTreeSet::new();
        let mut changes: Vec<Change> = groups.into_iter().filter_map(|group| self.change(group, &mut roots)).collect();
        report::sort(&mut changes);
        let types = roots.into_iter().filter_map(|(old, new)| self.written(old, new)).collect();
        (changes, types)
    }

    /// Gives what follows from a change of a method to that change.
    fn attach(&self, findings: Vec<Finding<'a>>) -> (Vec<Group<'a>>, Vec<Finding<'a>>) {
        let mut methods: BTreeMap<&'a str, Group<'a>> = BTreeMap::new();
        let (mut groups, mut followers, mut lists, mut rest) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut batches = None;
        for finding in findings {
            match &finding.found.site {
                Site::Method { method, .. }
                | Site::MethodChanged {
                    new: method,
                    what: MethodPart::Kind { .. } | MethodPart::Senders | MethodPart::Results { .. },
                    ..
                } => {
                    let name = method.method.as_str();
                    // A method has one of these as a rule; where it has two, what follows belongs to the first.
                    match methods.contains_key(name) {
                        true => groups.push(Group::of(finding)),
                        false => drop(methods.insert(name, Group::of(finding))),
                    }
                }
                Site::Batches { .. } => batches = Some(Group::of(finding)),
                Site::Alternative { .. } | Site::Member { of: Owner::Envelope, .. } => followers.push(finding),
                Site::Type { definition, .. } if names::is_list_of_messages(definition) => lists.push(finding),
                _ => rest.push(finding),
            }
        }
        let mut listed: HashMap<(bool, &'a str), Option<HashSet<&str>>> = HashMap::new();
        for finding in followers {
            let spot = &finding.found.spot;
            let root = |is_new: bool| if is_new { spot.new_root } else { spot.old_root }.unwrap_or_default();
            let is_message = || root(false) == "JSONRPCMessage" || root(true) == "JSONRPCMessage";
            let leader = match &finding.found.site {
                Site::Alternative { label, .. } if label.contains("Batch") && is_message() => batches.as_mut(),
                Site::Alternative { label, is_new, .. } if names::is_list_of_messages(root(*is_new)) => {
                    let root = root(*is_new);
                    // A result that answers several methods is a place of each of them.
                    let mut leaders = self.methods_of(root, label, *is_new);
                    leaders.retain(|name| methods.contains_key(name));
                    // What a correction has added to a list is nothing that anybody finds in the schema.
                    let edition = if *is_new { self.editions.1 } else { self.editions.0 };
                    let listed = listed.entry((*is_new, root)).or_insert_with(|| edition.listed(root));
                    if !leaders.is_empty() && listed.as_ref().is_some_and(|all| !all.contains(label.as_str())) {
                        continue;
                    }
                    let last = leaders.pop();
                    for name in leaders {
                        if let Some(group) = methods.get_mut(name) {
                            group.places.push(labelled(&finding.found));
                        }
                    }
                    last.and_then(|name| methods.get_mut(name))
                }
                // Only a request that became one inside a result really loses its envelope.
                Site::Member { of: Owner::Envelope, .. } => {
                    let of = |index: &Index<'a>, root: &str| Some(index.method_of(root)?.method.as_str());
                    let method = match (of(self.old, root(false)), of(self.new, root(true))) {
                        (Some(before), Some(after)) => Some(after).filter(|after| *after == before),
                        (before, after) => before.or(after),
                    };
                    let moved = |group: &&mut Group<'a>| {
                        group.findings.iter().any(|finding| {
                            matches!(finding.found.site, Site::MethodChanged { what: MethodPart::Kind { .. }, .. })
                        })
                    };
                    method.and_then(|method| methods.get_mut(method)).filter(moved)
                }
                _ => None,
            };
            match leader {
                Some(group) => group.places.push(labelled(&finding.found)),
                None => rest.push(finding),
            }
        }
        for finding in lists {
            // A list that comes or goes as a whole is a place of the methods that it lists, too, unless messages contain it.
            let leaders = self.listed(&finding).filter(|all| all.iter().all(|(_, name)| methods.contains_key(name)));
            for (label, name) in leaders.into_iter().flatten() {
                let mut spot = finding.found.spot.clone();
                spot.path = format!("{} | {label}", spot.path);
                if let Some(group) = methods.get_mut(name) {
                    group.places.push(spot);
                }
            }
            rest.push(finding);
        }
        groups.extend(methods.into_values());
        groups.extend(batches);
        (groups, rest)
    }

    /// The messages of a list that is in one edition only and that no message contains, each with its method; nothing, if
    /// one of them has none.
    fn listed(&self, finding: &Finding<'a>) -> Option<Vec<(&'a str, &'a str)>> {
        let Site::Type { definition, is_new, .. } = finding.found.site else { return None };
        let index = if is_new { self.new } else { self.old };
        let found = index.find(definition)?;
        let number = Some(found.number);
        let travels = if is_new { self.flows.travels(None, number) } else { self.flows.travels(number, None) };
        let Shape::Union(union) = &Some(found.ty).filter(|_| !travels)?.shape else { return None };
        let mut listed = Vec::new();
        for variant in &union.variants {
            let message = index.used(&variant.ty)?;
            let methods = self.methods_of(definition, message, is_new);
            if methods.is_empty() {
                return None;
            }
            listed.extend(methods.into_iter().map(|method| (message, method)));
        }
        Some(listed)
    }

    /// The methods that a type is the message of, or a result of in this list of answers.
    fn methods_of(&self, list: &str, definition: &str, is_new: bool) -> Vec<&'a str> {
        let index = if is_new { self.new } else { self.old };
        if let Some(method) = index.method_of(definition) {
            return vec![&method.method];
        }
        let Some(name) = index.type_name(definition).filter(|name| index.is_result(name)) else { return Vec::new() };
        // Servers answer what clients send, and the other way round.
        let asking = match list {
            "ServerResult" => Some(Role::Client),
            "ClientResult" => Some(Role::Server),
            _ => None,
        };
        let answers = index.model.methods.iter().filter(|method| {
            let is_result = method.result.as_deref() == Some(name) || method.also.iter().any(|also| also == name);
            is_result && asking.is_none_or(|role| flow::senders(method).contains(&role))
        });
        answers.map(|method| method.method.as_str()).collect()
    }

    /// Findings that are alike are one change if they have one origin.
    fn split(&self, findings: Vec<Finding<'a>>, groups: &mut Vec<Group<'a>>) {
        // What is changed inside a definition that has a name on one side is changed there, wherever it is used.
        let mut by_name: BTreeMap<Option<String>, Vec<Finding<'a>>> = BTreeMap::new();
        for finding in findings {
            by_name.entry(finding.found.spot.named.clone()).or_default().push(finding);
        }
        let one_name = by_name.len() == 1;
        let mut unnamed = Vec::new();
        for (name, findings) in by_name {
            match name {
                Some(name) if one_name || !is_described(&findings) => {
                    groups.push(Group { findings, places: Vec::new(), path: Some(name) });
                }
                _ => unnamed.extend(findings),
            }
        }
        if unnamed.is_empty() {
            return;
        }
        let base = if unnamed.len() > 1 { self.base(&unnamed) } else { None };
        let is_shared = base.is_some() || is_described(&unnamed) || is_alternative(&unnamed);
        match (unnamed.len(), is_shared) {
            (1, _) | (_, false) => groups.extend(unnamed.into_iter().map(Group::of)),
            _ => {
                let path = base.unwrap_or_else(|| common_path(&unnamed));
                groups.push(Group { findings: unnamed, places: Vec::new(), path: Some(path) });
            }
        }
    }

    /// What a change of all these places is called if they have their member from one definition: that has it too, and
    /// nothing that they lack.
    fn base(&self, findings: &[Finding<'a>]) -> Option<String> {
        let mut member = None;
        for finding in findings {
            let spot = &finding.found.spot;
            let (_, wire) = spot.named.as_deref().unwrap_or(&spot.path).split_once('.')?;
            if wire.contains(['.', '[', '*']) || member.is_some_and(|known| known != wire) {
                return None;
            }
            member = Some(wire);
        }
        let wire = member?;
        self.base_in(true, findings, wire).or_else(|| {
            let base = self.base_in(false, findings, wire)?;
            // A definition of the past is no name for what is still there.
            Some(if findings.iter().all(|finding| finding.found.spot.new.is_none()) {
                base
            } else {
                common_path(findings)
            })
        })
    }

    /// The member in the definition of one edition from which all these places have it.
    fn base_in(&self, in_new: bool, findings: &[Finding<'a>], wire: &str) -> Option<String> {
        let index = if in_new { self.new } else { self.old };
        let owner = |finding: &'_ Finding<'a>| {
            let spot = &finding.found.spot;
            let (place, root) = if in_new { (&spot.new, spot.new_root) } else { (&spot.old, spot.old_root) };
            place.as_ref()?;
            spot.named.as_ref().and_then(|named| Some(index.find(named.split_once('.')?.0)?.name)).or(root)
        };
        let owners: Vec<&'a str> = findings.iter().map(owner).collect::<Option<_>>()?;
        let text = |name: &str| {
            let member = index.members(name).iter().find(|member| member.wire == wire)?;
            Some((index.member(member), member.doc.as_deref()))
        };
        let wanted = text(owners.first()?)?;
        let names = |name: &str| -> BTreeSet<&'a str> {
            index.members(name).iter().map(|member| member.wire.as_str()).collect()
        };
        // What all of them have, so that a base has nothing else.
        let mut shared = names(owners.first()?);
        for owner in &owners {
            let theirs = names(owner);
            shared.retain(|wire| theirs.contains(wire));
        }
        let is_base = |candidate: &str| {
            text(candidate).as_ref() == Some(&wanted)
                && index.members(candidate).iter().all(|member| shared.contains(member.wire.as_str()))
        };
        // A base among the places comes first, then one that no message contains.
        let is_visible = |owner: &str| self.wire.has(Some(owner), Some(owner));
        let among = owners.iter().copied().filter(|owner| is_base(owner));
        let among = among.min_by_key(|owner| (is_visible(owner), names(owner).len(), *owner));
        let helpers = || {
            let helpers = self.helpers.get(&(in_new, wire)).into_iter().flatten().copied();
            helpers.filter(|name| is_base(name)).max_by_key(|name| (names(name).len(), std::cmp::Reverse(*name)))
        };
        among.or_else(helpers).map(|base| format!("{base}.{wire}"))
    }

    fn change(&self, group: Group<'a>, roots: &mut BTreeSet<(Option<&'a str>, Option<&'a str>)>) -> Option<Change> {
        let Group { mut findings, places: more, path } = group;
        findings.sort_by(|left, right| left.found.spot.path.cmp(&right.found.spot.path));
        let mut spots: Vec<(&Spot<'a>, Option<Judged>)> = Vec::new();
        for finding in &findings {
            let judged = self.judge(finding);
            spots.push((&finding.found.spot, Some(judged.clone())));
            spots.extend(finding.found.inside.iter().map(|spot| (spot, Some(judged.clone()))));
        }
        spots.extend(more.iter().map(|spot| (spot, None)));
        for (spot, _) in &spots {
            roots.insert((spot.old_root, spot.new_root));
        }
        // A place is called after its own definition, unless others are called the same.
        let names: BTreeSet<&str> = spots.iter().map(|(spot, _)| spot.named.as_deref().unwrap_or(&spot.path)).collect();
        let by_name = names.len() == spots.len();
        let places: Vec<Place> = spots.into_iter().map(|(spot, judged)| self.place(spot, by_name, judged)).collect();
        let Finding { rule, hit, found } = findings.into_iter().next()?;
        let Found { spot, before, after, .. } = *found;
        let path = path.unwrap_or_else(|| spot.named.unwrap_or(spot.path));
        let message = match places.len() {
            1 => format!("`{path}` {}", hit.says),
            many => format!("`{path}` {} ({many} places)", hit.says),
        };
        let mut change = Change {
            rule: rule.id.to_owned(),
            fingerprint: fingerprint(rule.id, &path, &hit, &places),
            severity: rule.severity,
            area: String::new(),
            path,
            arguments: hit.arguments,
            message,
            reason: hit.reason.unwrap_or(rule.reason).to_owned(),
            before,
            after,
            note: hit.note,
            flow: Flow::default(),
            old_client_new_server: Verdict::default(),
            new_client_old_server: Verdict::default(),
            places,
        };
        change.judge_by_places();
        // What usually breaks something and does not needs a word: the messages around it came, went or moved.
        if rule.severity == Severity::Breaking
            && change.severity == Severity::Compatible
            && hit.effect != Effect::default()
        {
            change.note = change.note.or_else(|| Some("no message that both editions know contains it".to_owned()));
        }
        Some(change)
    }

    /// What a finding means for those who meet it.
    fn judge(&self, Finding { rule, hit, found }: &Finding<'a>) -> Judged {
        let Spot { old_root, new_root, .. } = found.spot;
        let old = old_root.and_then(|name| self.old.find(name)).map(|definition| definition.number);
        let new = new_root.and_then(|name| self.new.find(name)).map(|definition| definition.number);
        let [old_gate, new_gate] = self.gates(found);
        let is_outside = old_root.is_none() && new_root.is_none();
        let verdicts = Meeting::BOTH.map(|meeting| {
            let mut conditions: Conditions = self.flows.hurts(meeting, hit.effect, (old, old_gate), (new, new_gate));
            for (_, gate) in hit.meetings.iter().filter(|(known, _)| *known == meeting) {
                conditions |= self.flows.condition(gate.as_ref());
            }
            let verdict = self.flows.verdict(conditions, hit.reason.unwrap_or(rule.reason));
            match rule.severity == Severity::Unverified && (verdict.outcome != Outcome::Safe || is_outside) {
                true => Verdict { outcome: Outcome::Unverified, capabilities: Vec::new(), ..verdict },
                false => verdict,
            }
        });
        // The response of one method and the error with one code say again what is known from elsewhere. Where both
        // editions have them, a change of them says something new.
        let is_told = old_root
            .zip(new_root)
            .is_some_and(|(old, new)| wire::says_again(self.old, old) && wire::says_again(self.new, new));
        let is_visible = is_outside || is_told || self.wire.has(old_root, new_root);
        let safe = verdicts.iter().all(|verdict| verdict.outcome == Outcome::Safe);
        let severity = match rule.severity {
            Severity::Breaking | Severity::Compatible | Severity::Notice if !is_visible => Severity::Refactor,
            Severity::Breaking if safe => Severity::Compatible,
            severity => severity,
        };
        Judged { severity, area: self.area(found), flow: self.flow(found, [old, new]), verdicts }
    }

    /// Which way that travels which a finding is about. The types around it are given by their numbers in both
    /// editions.
    fn flow(&self, Found { site, .. }: &Found<'a>, [old, new]: [Option<usize>; 2]) -> Flow {
        match site {
            Site::MethodChanged { old, new, what } => {
                let [before, after] = [old, new].map(|method| Flow::from(flow::senders(method)));
                match what {
                    MethodPart::Results { .. } => Flow::over([before.back(), after.back()], None),
                    // Who no longer sends it is as much concerned as who still does.
                    MethodPart::Senders => before.or(after),
                    _ => Flow::over([before, after], None),
                }
            }
            Site::Code { name, old, new } => {
                let sent = [self.old, self.new].map(|index| {
                    let known = index.model.error_codes.iter().find(|code| code.name == *name);
                    let senders =
                        known.map(|code| code.sent_by.map_or(vec![Role::Client, Role::Server], |role| vec![role]));
                    Flow::from(&senders.unwrap_or_default())
                });
                Flow::over(sent, old.is_none().then_some(true).or(new.is_none().then_some(false)))
            }
            site => Flow::over(self.flows.of(old, new), site.only_in()),
        }
    }

    /// The capability that the place of a finding needs in each edition, where it is another one than that of the
    /// definition around it.
    fn gates(&self, found: &Found<'a>) -> [Option<&'a String>; 2] {
        let at = |index: &Index<'a>, place: &Option<(&'a str, Vec<Step>)>| {
            let (definition, steps) = place.as_ref()?;
            match steps.first() {
                Some(Step::Member(name)) => index.gate(definition, Some(name)),
                _ => None,
            }
        };
        match &found.site {
            Site::Alternative { label, is_new: false, .. } => [self.old.gate(label, None), None],
            Site::Alternative { label, is_new: true, .. } => [None, self.new.gate(label, None)],
            _ => [at(self.old, &found.spot.old), at(self.new, &found.spot.new)],
        }
    }

    fn place(&self, spot: &Spot<'a>, by_name: bool, judged: Option<Judged>) -> Place {
        let pointer = |edition: &Edition, place: &Option<(&'a str, Vec<Step>)>| {
            place.as_ref().map(|(definition, steps)| edition.pointer(definition, steps))
        };
        let path = spot.named.as_ref().filter(|_| by_name).unwrap_or(&spot.path).clone();
        Place {
            was: spot.old_path().filter(|old| *old != path),
            path,
            old: pointer(self.editions.0, &spot.old),
            new: pointer(self.editions.1, &spot.new),
            definitions: spot.definitions().map(|names| names.map(str::to_owned).collect()),
            judged,
            ..Place::default()
        }
    }

    fn area(&self, found: &Found<'a>) -> String {
        if let Site::Code { .. } = found.site {
            return "errors".to_owned();
        }
        let topic = |index: &Index<'a>, root: Option<&str>| Some(index.definition(root?)?.topic.as_str());
        let topics = (topic(self.old, found.spot.old_root), topic(self.new, found.spot.new_root));
        let topic = match topics {
            (Some("common") | None, topic) | (topic, Some("common") | None) => topic,
            // Neither edition decides for the other.
            (before, after) => before.filter(|_| before == after),
        };
        topic.unwrap_or("common").to_owned()
    }

    fn written(&self, old: Option<&str>, new: Option<&str>) -> Option<TypePair> {
        let (before, after) = (
            old.and_then(|name| Some((name, self.old.definition(name)?))),
            new.and_then(|name| Some((name, self.new.definition(name)?))),
        );
        let (name, ty) = after.or(before)?;
        Some(TypePair {
            name: name.to_owned(),
            area: ty.topic.clone(),
            before: before.map(|(name, ty)| self.old.whole(name, ty)),
            after: after.map(|(name, ty)| self.new.whole(name, ty)),
        })
    }
}

impl<'a> Group<'a> {
    fn of(finding: Finding<'a>) -> Self {
        Self { findings: vec![finding], places: Vec::new(), path: None }
    }
}

/// A place in a list of messages, with the message.
fn labelled<'a>(found: &Found<'a>) -> Spot<'a> {
    let mut spot = found.spot.clone();
    if let Site::Alternative { label, .. } = &found.site {
        spot.path = format!("{} | {label}", spot.path);
    }
    spot
}

/// Findings with the same likeness may be one change.
fn likeness(finding: &Finding<'_>) -> String {
    let Finding { rule, hit, found } = finding;
    let arguments = serde_json::to_string(&hit.arguments).unwrap_or_default();
    let last = found.spot.path.rsplit('.').next().unwrap_or_default();
    fn text(text: Option<&str>) -> &str {
        text.unwrap_or("\u{0}")
    }
    let (before, after) = (text(found.before.as_deref()), text(found.after.as_deref()));
    let parts = match &found.site {
        Site::Words => vec![rule.id, before, after],
        Site::Member { .. }
        | Site::Presence { .. }
        | Site::Value { .. }
        | Site::Null { .. }
        | Site::Limit { .. }
        | Site::Unheld { .. } => {
            vec![rule.id, last, &arguments, before, after, text(found.words.0), text(found.words.1)]
        }
        // The same alternative comes to several unions, the same warning to several types.
        Site::Deprecation { .. } | Site::Alternative { .. } | Site::Reference { .. } => vec![rule.id, &arguments],
        _ => vec![rule.id, found.spot.named.as_ref().unwrap_or(&found.spot.path), &arguments],
    };
    parts.join("\u{1}")
}

/// Whether the same words stand beside all of them.
fn is_described(findings: &[Finding<'_>]) -> bool {
    findings.first().is_some_and(|first| {
        first.found.words != (None, None) || matches!(first.found.site, Site::Words | Site::Deprecation { .. })
    })
}

fn is_alternative(findings: &[Finding<'_>]) -> bool {
    findings.first().is_some_and(|first| matches!(first.found.site, Site::Alternative { .. } | Site::Reference { .. }))
}

/// `*.title`, where all paths end alike; the first path otherwise.
fn common_path(findings: &[Finding<'_>]) -> String {
    let ends: BTreeSet<&str> =
        findings.iter().filter_map(|finding| Some(finding.found.spot.path.rsplit_once('.')?.1)).collect();
    let all = findings.iter().all(|finding| finding.found.spot.path.contains('.'));
    match ends.into_iter().collect::<Vec<_>>()[..] {
        [end] if all => format!("*.{end}"),
        _ => findings.iter().map(|finding| finding.found.spot.path.as_str()).min().unwrap_or_default().to_owned(),
    }
}

/// A hash of what a change is, not of how it is worded.
fn fingerprint(rule: &str, path: &str, hit: &Hit, places: &[Place]) -> String {
    let arguments = serde_json::to_string(&hit.arguments).unwrap_or_default();
    let mut text = format!("{rule}\u{0}{path}\u{0}{arguments}");
    // Where the places have no name in common, they are what there is to know it by.
    if path.starts_with("*.") {
        places.iter().for_each(|place| text.extend(["\u{0}", &place.path]));
    }
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
