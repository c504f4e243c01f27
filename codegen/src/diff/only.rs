//! Only: reports in, what they say about one type or method out.

use std::collections::{BTreeSet, HashSet};

use super::align;
use super::edition::{Edition, Index};
use super::nearest::nearest;
use super::report::{Change, Place, Report, Side};
use crate::model::Method;

/// What is asked about: a type by all its names, or a method with all that its messages contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// Names of the type, or that of the method.
    names: BTreeSet<String>,
    /// The definitions that the messages of a method contain, by edition.
    contained: Vec<Contained>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Contained {
    /// The name and the hash of the edition.
    edition: (String, String),
    definitions: HashSet<String>,
}

impl Subject {
    /// A type or a method of these editions, which are neighbours in their order.
    ///
    /// To a method belongs what its params and its results contain, at any depth and in each edition by itself; a
    /// message stands for its method. Other names of a definition belong to it, whether an edition has both or a later
    /// one has renamed it.
    ///
    /// The error lists names that look alike.
    pub fn find<'a>(wanted: &str, editions: impl Iterator<Item = &'a Edition> + Clone) -> Result<Self, Vec<String>> {
        let (mut names, mut contained) = (BTreeSet::new(), Vec::new());
        let mut known = BTreeSet::new();
        let indices: Vec<Index<'_>> = editions.clone().map(|edition| Index::new(&edition.model)).collect();
        for (index, edition) in indices.iter().zip(editions) {
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
                let definitions = edition.reached(of_method(index, method));
                contained.push(Contained { edition: key(&edition.side()), definitions });
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
        Ok(Self { names, contained })
    }

    /// Keeps what a report says about the subject: changes of it, with those of their places that are in it.
    pub fn keep(&self, report: &mut Report) {
        let sides = [&report.old, &report.new].map(|side| self.contained_in(side));
        for list in [&mut report.changes, &mut report.documentation, &mut report.refactors] {
            list.retain_mut(|change| self.keep_places(change, sides));
        }
        let is_contained = |name: &String| sides.into_iter().flatten().any(|definitions| definitions.contains(name));
        report.types.retain(|ty| self.names.contains(&ty.name) || is_contained(&ty.name));
        report.sort();
        report.recount();
    }

    /// What the messages of the method contain in an edition.
    fn contained_in(&self, side: &Side) -> Option<&HashSet<String>> {
        let side = key(side);
        self.contained.iter().find(|contained| contained.edition == side).map(|contained| &contained.definitions)
    }

    fn keep_places(&self, change: &mut Change, sides: [Option<&HashSet<String>>; 2]) -> bool {
        let all = change.places.len();
        // What follows from a change of the method itself belongs to it.
        if self.names.contains(&change.path) && change.rule.starts_with("method.") {
            return true;
        }
        change.places.retain(|place| self.is_about(place, sides));
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

    fn is_about(&self, place: &Place, sides: [Option<&HashSet<String>>; 2]) -> bool {
        let is_in = |(definitions, contained): (&BTreeSet<String>, Option<&HashSet<String>>)| {
            let is_known = |name: &String| contained.is_some_and(|contained| contained.contains(name));
            definitions.iter().any(|name| self.names.contains(name) || is_known(name))
        };
        self.names.contains(&place.path) || place.definitions.iter().zip(sides).any(is_in)
    }
}

/// What an edition is known by, wherever it occurs.
fn key(side: &Side) -> (String, String) {
    (side.name.clone(), side.sha256.clone())
}

fn follow<'a>(names: &mut BTreeSet<String>, renames: impl Iterator<Item = (&'a String, &'a String)>) {
    let more: Vec<&String> = renames.filter(|(from, _)| names.contains(*from)).map(|(_, to)| to).collect();
    names.extend(more.into_iter().cloned());
}

/// The definitions of a method's message, its params and its results.
fn of_method<'a>(index: &Index<'a>, method: &'a Method) -> impl Iterator<Item = &'a str> {
    let params = method.params.iter().filter_map(|params| index.used(params));
    let results = method.result.iter().chain(&method.also).chain(Some(&method.message));
    params.chain(results.filter_map(|name| index.definition_of(name))).collect::<Vec<_>>().into_iter()
}
