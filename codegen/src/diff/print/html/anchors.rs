//! Anchors: names in a report in, ids for elements of the page out.

use std::collections::{HashMap, HashSet};

/// Makes anchors, each of them once.
#[derive(Default)]
pub(super) struct Anchors {
    /// How often each anchor was asked for.
    wishes: HashMap<String, usize>,
    taken: HashSet<String>,
}

impl Anchors {
    /// `kind-name` if it is free. All characters of the name are escaped except for ASCII letters, digits, `-` and `_`:
    /// an anchor must be the same in an attribute and in an address, and must not contain `?`, which begins the state
    /// of the filters.
    pub(super) fn take(&mut self, kind: &str, name: &str) -> String {
        let mut wish = format!("{kind}-");
        for c in name.chars() {
            match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => wish.push(c),
                c => wish.push_str(&format!("~{:x}", u32::from(c))),
            }
        }
        self.unique(wish)
    }

    /// The anchor that was asked for, with a number from the second time on.
    fn unique(&mut self, wish: String) -> String {
        let count = self.wishes.entry(wish.clone()).or_default();
        loop {
            *count += 1;
            let anchor = if *count == 1 { wish.clone() } else { format!("{wish}~{count}") };
            if self.taken.insert(anchor.clone()) {
                return anchor;
            }
        }
    }

    /// A heading of the page's own.
    pub(super) fn heading(&mut self, name: &str) -> String {
        self.unique(name.to_owned())
    }
}
