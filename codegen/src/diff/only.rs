//! Only: reports in, what they say about one type or method out.

use std::collections::BTreeSet;

use super::edition::{Edition, Index};
use super::nearest::nearest;
use super::report::{Change, Report};
use crate::model::Method;

/// What is asked about: names of definitions, and of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    names: BTreeSet<String>,
}

impl Subject {
    /// A type or a method of these editions. Of a method, the message, its params and its results belong to it.
    ///
    /// The error lists names that look alike.
    pub fn find<'a>(wanted: &str, editions: impl Iterator<Item = &'a Edition> + Clone) -> Result<Self, Vec<String>> {
        let mut names = BTreeSet::new();
        let mut known = BTreeSet::new();
        for edition in editions {
            let index = Index::new(&edition.model);
            known.extend(index.definitions().map(|definition| definition.name.to_owned()));
            known.extend(edition.model.methods.iter().map(|method| method.method.clone()));
            if index.definition(wanted).is_some() {
                names.insert(wanted.to_owned());
                // Another name for a definition changes with it.
                names.extend(index.alias(wanted).map(str::to_owned));
            }
            if let Some(method) = index.method(wanted) {
                names.insert(wanted.to_owned());
                names.extend(of_method(&index, method));
            }
        }
        match names.is_empty() {
            true => Err(nearest(wanted, known.iter().map(String::as_str)).into_iter().map(str::to_owned).collect()),
            false => Ok(Self { names }),
        }
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
        change.places.retain(|place| self.is_about(&place.path));
        let left = change.places.len();
        if left == all {
            return left > 0;
        }
        // Everything else that is said speaks of the places that are left.
        change.judge_by_places();
        let path = match &change.places[..] {
            [only] => only.path.clone(),
            _ => change.path.clone(),
        };
        change.call(path, all);
        left > 0
    }

    fn is_about(&self, path: &str) -> bool {
        let root = path.split(['.', '[']).next().unwrap_or_default();
        self.names.contains(path) || self.names.contains(root)
    }
}

fn of_method(index: &Index<'_>, method: &Method) -> Vec<String> {
    let params = method.params.iter().filter_map(|params| index.used(params));
    let results = method.result.iter().chain(&method.also).chain(Some(&method.message));
    let results = results.filter_map(|name| index.definition_of(name));
    params.chain(results).map(str::to_owned).collect()
}
