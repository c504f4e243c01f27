//! Place: a place in both editions.

use super::both::{Age, Both};
use super::path::{Path, Step};

/// A place in both editions, or in one of them.
#[derive(Clone)]
pub(super) struct Place<'a> {
    /// The definitions that the walk started from.
    pub(super) roots: Both<Option<&'a str>>,
    /// The path from there: `Tool.inputSchema.type`.
    pub(super) path: Path<'a>,
    /// The path from the last definition on the way that only one edition has.
    pub(super) short: Option<Path<'a>>,
    /// The path in each edition that has the place, from the last definition on the way.
    pub(super) sides: Both<Option<Path<'a>>>,
}

impl<'a> Place<'a> {
    /// A definition.
    pub(super) fn of(roots: Both<Option<&'a str>>) -> Self {
        let path = Path::of(roots.newest().unwrap_or_default());
        Self { roots, path, short: None, sides: roots.map(|root| root.map(Path::of)) }
    }

    /// A definition that both editions have.
    pub(super) fn of_both(old: &'a str, new: &'a str) -> Self {
        Self::of(Both { old: Some(old), new: Some(new) })
    }

    /// A place outside of all definitions.
    pub(super) fn nowhere(path: Path<'a>) -> Self {
        Self { path, ..Self::of(Both::default()) }
    }

    /// The place after one more step.
    pub(super) fn step(&self, step: Step<'a>) -> Self {
        let then = |path: &Option<Path<'a>>| path.clone().map(|path| path.then(step.clone()));
        Self {
            roots: self.roots,
            path: self.path.clone().then(step.clone()),
            short: then(&self.short),
            sides: self.sides.as_ref().map(then),
        }
    }

    /// The same place, if only one edition has it.
    pub(super) fn only_in(mut self, age: Age) -> Self {
        *self.sides.get_mut(age.other()) = None;
        self
    }

    /// The shortest path.
    pub(super) fn name(&self) -> &Path<'a> {
        self.short.as_ref().unwrap_or(&self.path)
    }

    /// The definition that the walk started from.
    pub(super) fn root(&self) -> &'a str {
        self.roots.newest().unwrap_or_default()
    }

    /// The definitions of each edition that the place is in: the first and the last one on the way.
    pub(super) fn definitions(&self) -> Both<impl Iterator<Item = &str>> {
        self.roots.zip(self.sides.as_ref()).map(|(root, side)| {
            let own = side.as_ref().and_then(Path::root);
            root.filter(|_| own.is_some()).into_iter().chain(own)
        })
    }

    /// The path in the old edition, if the same steps lead there from its definition.
    pub(super) fn old_path(&self) -> Option<Path<'a>> {
        let root = self.roots.old?;
        let is_there = self.sides.old.as_ref()?.root() == Some(root) && self.path.root() == Some(self.root());
        is_there.then(|| self.path.rooted(root))
    }
}
