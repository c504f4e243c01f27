//! Only: a report in, what it says about one type or method out.

use std::collections::{BTreeSet, HashSet};

use super::align;
use super::both::Both;
use super::edition::Edition;
use super::index::{Index, results};
use super::nearest::nearest;
use super::path::Path;
use super::report::{Change, Place, Report, Side};
use crate::model::Method;

/// The subject of `--only`: a type by all its names, or a method with all that its messages contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The names of the type, or the name of the method.
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
    /// Finds a type or a method in these editions, of which each is compared with the next.
    ///
    /// A method includes all that its params and results contain, at any depth, in each edition by itself. A message
    /// stands for its method. A definition includes its aliases, and its names in earlier and later editions.
    ///
    /// The name may be written as it is, or as in a path with quotation marks. The error lists similar names.
    pub fn find<'a>(wanted: &str, editions: impl Iterator<Item = &'a Edition> + Clone) -> Result<Self, Vec<String>> {
        let (mut names, mut contained) = (BTreeSet::new(), Vec::new());
        let mut known = BTreeSet::new();
        let indices: Vec<Index<'_>> = editions.clone().map(|edition| Index::new(&edition.model)).collect();
        for index in &indices {
            known.extend(index.definitions().map(|definition| definition.name));
            known.extend(index.model.methods.iter().map(|method| method.method.as_str()));
        }
        // A name as paths write it comes first, so that what a report writes is always understood.
        let read = wanted.parse::<Path<'_>>().ok();
        let wanted = read.as_ref().and_then(Path::name).filter(|name| known.contains(name)).unwrap_or(wanted);
        for (index, edition) in indices.iter().zip(editions) {
            if index.definition(wanted).is_some() {
                names.insert(wanted.to_owned());
                // An alias changes with its target.
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
            return Err(nearest(wanted, known.into_iter())
                .into_iter()
                .map(|name| Path::of(name).to_string())
                .collect());
        }
        let renames: Vec<_> = indices
            .windows(2)
            .filter_map(|pair| match pair {
                [old, new] => Some(align::renames(Both { old, new })),
                _ => None,
            })
            .collect();
        // A name may have been changed several times, before and after.
        for renames in &renames {
            follow(&mut names, renames.iter());
        }
        for renames in renames.iter().rev() {
            follow(&mut names, renames.iter().map(|(old, new)| (new, old)));
        }
        Ok(Self { names, contained })
    }

    /// Keeps the changes of a report that are about the subject, each with the places that are about it.
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

    /// The definitions that the messages of the method contain in an edition.
    fn contained_in(&self, side: &Side) -> Option<&HashSet<String>> {
        let side = key(side);
        self.contained.iter().find(|contained| contained.edition == side).map(|contained| &contained.definitions)
    }

    fn keep_places(&self, change: &mut Change, sides: [Option<&HashSet<String>>; 2]) -> bool {
        let all = change.places.len();
        // A change of the method itself keeps all its places.
        if self.is_named(&change.path) && change.rule.starts_with("method.") {
            return true;
        }
        change.places.retain(|place| self.is_about(place, sides));
        let left = change.places.len();
        if left == all {
            return left > 0;
        }
        // The severity and the verdicts have to be those of the places that are left.
        change.judge_by_places();
        let path = match &change.places[..] {
            // A place that only follows from the change of a method gives no path to a change.
            [only] if only.judged.is_some() => only.path.clone(),
            _ => change.path.clone(),
        };
        change.call(path, all);
        left > 0
    }

    /// Whether a path is just one of the names, without steps.
    fn is_named(&self, path: &Path<'_>) -> bool {
        path.name().is_some_and(|name| self.names.contains(name))
    }

    fn is_about(&self, place: &Place, sides: [Option<&HashSet<String>>; 2]) -> bool {
        let is_in = |(definitions, contained): (&BTreeSet<String>, Option<&HashSet<String>>)| {
            let is_known = |name: &String| contained.is_some_and(|contained| contained.contains(name));
            definitions.iter().any(|name| self.names.contains(name) || is_known(name))
        };
        self.is_named(&place.path) || place.definitions.iter().zip(sides).any(is_in)
    }
}

/// What identifies an edition.
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
    let names = results(method).chain([method.message.as_str()]);
    params.chain(names.filter_map(|name| index.definition_of(name)))
}
