//! Capabilities that were moved.

use std::collections::BTreeMap;

use crate::diff::both::{Age, Both};
use crate::diff::difference::{Difference, Owner, What};

/// Joins a capability that was removed with one that was added, if only these two have this name and content.
pub(super) fn join_moved(found: Vec<Difference<'_>>) -> Vec<Difference<'_>> {
    let mut alike: BTreeMap<(String, String), Both<Vec<usize>>> = BTreeMap::new();
    for (number, difference) in found.iter().enumerate() {
        if let What::Member { member, only_in, owner: Owner::Capabilities } = difference.what {
            let text = difference.texts.get(only_in).clone().unwrap_or_default();
            alike.entry((member.wire.clone(), text)).or_default().get_mut(only_in).push(number);
        }
    }
    let moved = alike.into_values().filter_map(|numbers| match (&numbers.old[..], &numbers.new[..]) {
        ([old], [new]) => Some((*new, *old)),
        _ => None,
    });
    // In the order in which they were added.
    let moved: BTreeMap<usize, usize> = moved.collect();
    if moved.is_empty() {
        return found;
    }
    let mut all: Vec<Option<Difference<'_>>> = found.into_iter().map(Some).collect();
    for (added, removed) in moved {
        let removed = all.get_mut(removed).and_then(Option::take);
        if let Some((removed, added)) = removed.zip(all.get_mut(added).and_then(Option::as_mut)) {
            join(removed, added);
        }
    }
    all.into_iter().flatten().collect()
}

fn join<'a>(removed: Difference<'a>, added: &mut Difference<'a>) {
    let What::Member { member, .. } = added.what else { return };
    let old = removed.place.old_path().unwrap_or(removed.place.path);
    added.what = What::CapabilityMoved { paths: Both { old, new: added.place.path.clone() }, member };
    added.place.roots.old = removed.place.roots.old;
    added.place.sides.old = removed.place.sides.old;
    added.texts.old = removed.texts.of(Age::Old);
    // Both have the same content, and nearly always the same places inside.
    let mut inside = removed.inside.into_iter();
    for (added, removed) in added.inside.iter_mut().zip(inside.by_ref()) {
        (added.roots.old, added.sides.old) = (removed.roots.old, removed.sides.old);
    }
    added.inside.extend(inside);
}
