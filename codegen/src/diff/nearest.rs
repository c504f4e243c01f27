//! Nearest: an unknown name in, the known names out that were probably meant.

use std::collections::BTreeSet;

/// How many names are worth suggesting.
const SUGGESTIONS: usize = 3;

/// The known names closest to the one that was written, best first; none if nothing is close.
///
/// A name is close if it takes few edits, or if it contains the wanted name: people leave out the first half of
/// `field.removed-optional` and the day of `2025-11-25`.
pub fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted: String = wanted.trim().to_lowercase();
    let letters: Vec<char> = wanted.chars().collect();
    let few = (letters.len() / 3).max(1);
    let mut found = BTreeSet::new();
    for name in known {
        let folded: String = name.to_lowercase();
        let others: Vec<char> = folded.chars().collect();
        // Names of very different lengths are not measured, so a huge name costs no more than a short one.
        let edits = if letters.len().abs_diff(others.len()) <= few { distance(&letters, &others) } else { usize::MAX };
        if edits <= few {
            found.insert((edits, name));
        } else if letters.len() >= 3 && folded.contains(&wanted) {
            found.insert((usize::MAX, name));
        }
    }
    // If there is a good guess, much worse ones are left out.
    let worst = found.first().map_or(0, |(best, _)| best.saturating_add(1));
    found.into_iter().filter(|(edits, _)| *edits <= worst).map(|(_, name)| name).take(SUGGESTIONS).collect()
}

/// The Levenshtein distance, one row at a time.
fn distance(left: &[char], right: &[char]) -> usize {
    // The first cell of a row is the number of deleted letters; the other cells follow from their three neighbours.
    let mut row: Vec<usize> = (1..=right.len()).collect();
    for (line, from) in left.iter().enumerate() {
        let mut diagonal = line;
        let mut before = line + 1;
        for (cell, to) in row.iter_mut().zip(right) {
            let above = *cell;
            *cell = (diagonal + usize::from(from != to)).min(above + 1).min(before + 1);
            diagonal = above;
            before = *cell;
        }
    }
    row.pop().unwrap_or(left.len())
}
