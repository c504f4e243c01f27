//! Followers: a finding that follows from the change of a method becomes a place of that change.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Draft, Fold};
use crate::definitions::{Part, is_list_of_messages};
use crate::diff::both::{Age, Both};
use crate::diff::difference::{Difference, MethodPart, Owner, What};
use crate::diff::flow;
use crate::diff::index::results;
use crate::diff::path::Step;
use crate::diff::place::Place;
use crate::diff::rules::Finding;
use crate::model::{MethodKind, Shape};

/// Changes that others follow.
#[derive(Default)]
struct Leaders<'a> {
    /// Most methods have one change. If there are two, the first one gets the followers.
    methods: BTreeMap<&'a str, Draft<'a>>,
    batches: Option<Draft<'a>>,
    /// The alternatives that the schema files list in unions. An alternative that only a correction has added is no
    /// place: nobody finds it in the file.
    listed: HashMap<(Age, &'a str), Option<HashSet<String>>>,
}

impl<'a> Leaders<'a> {
    fn give(&mut self, method: &str, place: Place<'a>) {
        if let Some(draft) = self.methods.get_mut(method) {
            draft.followers.push(place);
        }
    }
}

impl<'a> Fold<'a> {
    /// Gives followers to their changes. Returns the changes that may have followers, and the other findings.
    pub(super) fn follow(&self, findings: Vec<Finding<'a>>) -> (Vec<Draft<'a>>, Vec<Finding<'a>>) {
        let mut leaders = Leaders::default();
        let (mut drafts, mut followers, mut lists, mut rest) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for finding in findings {
            match &finding.difference.what {
                What::Method { method, .. }
                | What::MethodChanged {
                    methods: Both { new: method, .. },
                    part: MethodPart::Kind { .. } | MethodPart::Senders | MethodPart::Results { .. },
                } => {
                    let name = method.method.as_str();
                    match leaders.methods.contains_key(name) {
                        true => drafts.push(Draft::of(finding)),
                        false => drop(leaders.methods.insert(name, Draft::of(finding))),
                    }
                }
                What::Batches { .. } => leaders.batches = Some(Draft::of(finding)),
                What::Alternative { .. } | What::Member { owner: Owner::Envelope, .. } => followers.push(finding),
                What::Definition { definition, .. } if is_list_of_messages(definition) => lists.push(finding),
                _ => rest.push(finding),
            }
        }
        rest.extend(followers.into_iter().filter_map(|finding| self.follower(finding, &mut leaders)));
        for finding in lists {
            self.list(&finding.difference, &mut leaders);
            rest.push(finding);
        }
        drafts.extend(leaders.methods.into_values());
        drafts.extend(leaders.batches);
        (drafts, rest)
    }

    /// Gives a finding to the change that it follows from. Returns the finding if there is no such change.
    fn follower(&self, finding: Finding<'a>, leaders: &mut Leaders<'a>) -> Option<Finding<'a>> {
        let Difference { place, what, .. } = &*finding.difference;
        let follow = |draft: &mut Draft<'a>, place: Place<'a>| {
            draft.followers.push(place);
            None
        };
        match what {
            What::Alternative { definition: Some(message), .. } if is_batch(place, message) => {
                match &mut leaders.batches {
                    Some(draft) => follow(draft, listed_in(place, message)),
                    None => Some(finding),
                }
            }
            What::Alternative { definition: Some(message), only_in, .. } => {
                let list = place.roots.of(*only_in).filter(|root| is_list_of_messages(root));
                // A result may answer several methods, and becomes a place of each.
                let methods = list.map(|list| self.methods_of(list, message, *only_in)).unwrap_or_default();
                let methods: Vec<&str> =
                    methods.into_iter().filter(|name| leaders.methods.contains_key(name)).collect();
                let Some(list) = list.filter(|_| !methods.is_empty()) else { return Some(finding) };
                let listed = leaders.listed.entry((*only_in, list));
                let listed = listed.or_insert_with(|| self.editions.of(*only_in).listed(list));
                if listed.as_ref().is_none_or(|listed| listed.contains(*message)) {
                    for name in methods {
                        leaders.give(name, listed_in(place, message));
                    }
                }
                None
            }
            What::Member { .. } => {
                let methods = self.index.zip(place.roots);
                let methods = methods.map(|(index, root)| Some(index.method_of(root?)?.method.as_str()));
                let method = match (methods.old, methods.new) {
                    (Some(old), Some(new)) => Some(new).filter(|new| *new == old),
                    (old, new) => old.or(new),
                };
                // Only a request that moved into a result really loses its envelope.
                match method.and_then(|name| leaders.methods.get_mut(name)).filter(|draft| is_moved(draft)) {
                    Some(draft) => follow(draft, place.clone()),
                    None => Some(finding),
                }
            }
            _ => Some(finding),
        }
    }

    /// If a whole list was added or removed, and no message contains it, it is also a place of each method that it
    /// lists.
    fn list(&self, Difference { place, what, .. }: &Difference<'a>, leaders: &mut Leaders<'a>) {
        let What::Definition { definition, only_in, .. } = what else { return };
        let Some(listed) = self.listed(definition, *only_in) else { return };
        if listed.iter().all(|(_, name)| leaders.methods.contains_key(name)) {
            for (message, name) in listed {
                leaders.give(name, listed_in(place, message));
            }
        }
    }

    /// The messages in a list of one edition that no message contains, each with its method. None if one of them has no
    /// method.
    fn listed(&self, list: &str, only_in: Age) -> Option<Vec<(&'a str, &'a str)>> {
        let index = self.index.of(only_in);
        let found = index.find(list).filter(|found| !self.flows.travels(only_in, found.number))?;
        let Shape::Union(union) = &found.ty.shape else { return None };
        let mut listed = Vec::new();
        for variant in &union.variants {
            let message = index.used(&variant.ty)?;
            let methods = self.methods_of(list, message, only_in);
            if methods.is_empty() {
                return None;
            }
            listed.extend(methods.into_iter().map(|method| (message, method)));
        }
        Some(listed)
    }

    /// The methods that a definition of this list is the message of, or a result of.
    fn methods_of(&self, list: &str, definition: &str, only_in: Age) -> Vec<&'a str> {
        let index = self.index.of(only_in);
        if let Some(method) = index.method_of(definition) {
            return vec![&method.method];
        }
        let Some(name) = index.type_name(definition).filter(|name| index.is_result(name)) else { return Vec::new() };
        let asking = match Part::of(list) {
            Some(Part::Answers(MethodKind::Request, role)) => Some(role),
            _ => None,
        };
        let answers = index.model.methods.iter().filter(|method| {
            let is_asked = asking.is_none_or(|role| flow::senders(method).contains(&role));
            is_asked && results(method).any(|result| result == name)
        });
        answers.map(|method| method.method.as_str()).collect()
    }
}

/// Whether an alternative of the union of all messages is a batch.
fn is_batch(place: &Place<'_>, definition: &str) -> bool {
    Part::of(definition) == Some(Part::Batch) && place.roots.each().contains(&Some(Part::Message.name()))
}

/// Whether a change is about a request that became one inside a result, or the other way round.
fn is_moved(draft: &Draft<'_>) -> bool {
    let is_kind = |what: &What<'_>| matches!(what, What::MethodChanged { part: MethodPart::Kind { .. }, .. });
    draft.findings.iter().any(|finding| is_kind(&finding.difference.what))
}

/// A message in a list of messages.
fn listed_in<'a>(list: &Place<'a>, message: &'a str) -> Place<'a> {
    Place { path: list.path.clone().then(Step::Alternative(message.into())), ..list.clone() }
}
