//! Anchors: names out of a report in, names for elements of the page out.

use std::collections::{HashMap, HashSet};

/// Hands out anchors, no two of them alike.
#[derive(Default)]
pub(super) struct Anchors {
    /// How often each wish was expressed.
    wishes: HashMap<String, usize>,
    taken: HashSet<String>,
}

impl Anchors {
    /// `kind-name` if it is free. Of the name, only letters and digits of ASCII, `-` and `_` stay as they are: an anchor
    /// must mean the same in an attribute and in an address, and must not contain the `?` before the state of filters.
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

    /// The wish itself, or with a number from the second time on.
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
