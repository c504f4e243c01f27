//! Lists of one thing after the other in one place, each known by its number.

/// A list for each number. They are made in the order of their numbers.
pub(crate) struct Lists<T> {
    /// Where each list ends in `items`; the next one begins there.
    ends: Vec<usize>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    /// No list yet, and room for so many.
    pub(crate) fn with_capacity(lists: usize) -> Self {
        Self { ends: Vec::with_capacity(lists), items: Vec::new() }
    }

    /// Adds to the list that is being made.
    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
    }

    /// Ends the list that is being made.
    pub(crate) fn end(&mut self) {
        self.ends.push(self.items.len());
    }

    /// How many lists there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The list of that number.
    pub(crate) fn get(&self, number: usize) -> &[T] {
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(number).and_then(|end| self.items.get(start..*end)).unwrap_or_default()
    }
}
