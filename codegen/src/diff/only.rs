//! Only: reports in, what they say about one type or method out.

use std::collections::BTreeSet;

use super::align;
use super::edition::{Edition, Index, Node};
use super::nearest::nearest;
use super::report::{Change, Place, Report};
use crate::model::Method;

/// What is asked about: names of definitions, and of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    names: BTreeSet<String>,
}

impl Subject {
    /// A type or a method of these editions, which are neighbours in their order.
    ///
    /// Of a method, the message, its params and its results belong to it, and a message stands for its method. Other
    /// names of a definition belong to it, whether an edition has both or a later one has renamed it.
    ///
    /// The error lists names that look alike.
    pub fn find<'a>(wanted: &str, editions: impl Iterator<Item = &'a Edition> + Clone) -> Result<Self, Vec<String>> {
        let mut names = BTreeSet::new();
        let mut known = BTreeSet::new();
        let indices: Vec<Index<'_>> = editions.map(|edition| Index::new(&edition.model)).collect();
        for index in &indices {
            known.extend(index.definitions().map(|definition| definition.name));
            known.extend(index.model.methods.iter().map(|method| method.method.as_str()));
            if index.definition(wanted).is_some() {
                names.insert(wanted.to_owned());
                // Another name for a definition changes with it.
                names.extend(index.alias(wanted).map(str::to_owned));
            }
            if let Some(method) = index.method(wanted).or_else(|| index.method_of(wanted)) {
                names.insert(wanted.to_owned());
                names.insert(method.method.clone());
                names.extend(of_method(index, method));
            }
        }
        if names.is_empty() {
            return Err(nearest(wanted, known.into_iter()).into_iter().map(str::to_owned).collect());
        }
        let renames: Vec<_> = indices
            .windows(2)
            .filter_map(|pair| match pair {
                [old, new] => Some(align::renames(old, new)),
                _ => None,
            })
            .collect();
        // A later name may itself be given up later, and an earlier one have been taken on before.
        for renames in &renames {
            follow(&mut names, renames.iter());
        }
        for renames in renames.iter().rev() {
            follow(&mut names, renames.iter().map(|(old, new)| (new, old)));
        }
        Ok(Self { names })
    }

    /// Keeps what a report says about the subject: changes of it, with those of their places that are in it.
    pub fn keep(&self, report: &mut Report) {
        for list in [&mut report.changes, &mut report.documentation, &mut report.refactors] {
            list.retain_mut(|change| self.keep_places(change));
        }
        report.types.retain(|ty| self.names.contains(&ty.name));
        report.sort();
        report.recount();
    }

    fn keep_places(&self, change: &mut Change) -> bool {
        let all = change.places.len();
        // What follows from a change of the method itself belongs to it.
        if self.names.contains(&change.path) && change.path.contains('/') {
            return true;
        }
        change.places.retain(|place| self.is_about(place));
        let left = change.places.len();
        if left == all {
            return left > 0;
        }
        // Everything else that is said speaks of the places that are left.
        change.judge_by_places();
        let path = match &change.places[..] {
            // What only follows from the change of a method is no change of its own.
            [only] if only.judged.is_some() => only.path.clone(),
            _ => change.path.clone(),
        };
        change.call(path, all);
        left > 0
    }

    fn is_about(&self, place: &Place) -> bool {
        self.names.contains(&place.path) || place.definitions.iter().any(|name| self.names.contains(name))
    }
}

fn follow<'a>(names: &mut BTreeSet<String>, renames: impl Iterator<Item = (&'a String, &'a String)>) {
    let more: Vec<&String> = renames.filter(|(from, _)| names.contains(*from)).map(|(_, to)| to).collect();
    names.extend(more.into_iter().cloned());
}

fn of_method(index: &Index<'_>, method: &Method) -> Vec<String> {
    let params = method.params.iter().filter_map(|params| index.used(params));
    // Params of several kinds are a union, and what it is a union of is params as well.
    let kinds = method.params.iter().flat_map(|params| match index.resolve(params).node {
        Node::Union(union) => union.variants.as_slice(),
        _ => &[],
    });
    let kinds = kinds.filter_map(|variant| index.used(&variant.ty));
    let results = method.result.iter().chain(&method.also).chain(Some(&method.message));
    let results = results.filter_map(|name| index.definition_of(name));
    params.chain(kinds).chain(results).map(str::to_owned).collect()
}
