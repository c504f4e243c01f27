//! Both: the same thing of the old and of the new edition, and which of the two is meant.

/// Which of the two editions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Age {
    Old,
    New,
}

impl Age {
    pub(super) const BOTH: [Self; 2] = [Self::Old, Self::New];

    pub(super) fn other(self) -> Self {
        match self {
            Self::Old => Self::New,
            Self::New => Self::Old,
        }
    }
}

/// The same thing of both editions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Both<T> {
    pub(super) old: T,
    pub(super) new: T,
}

impl<T> Both<T> {
    pub(super) fn of(self, age: Age) -> T {
        match age {
            Age::Old => self.old,
            Age::New => self.new,
        }
    }

    pub(super) fn get(&self, age: Age) -> &T {
        self.as_ref().of(age)
    }

    pub(super) fn get_mut(&mut self, age: Age) -> &mut T {
        match age {
            Age::Old => &mut self.old,
            Age::New => &mut self.new,
        }
    }

    pub(super) fn as_ref(&self) -> Both<&T> {
        Both { old: &self.old, new: &self.new }
    }

    pub(super) fn map<U>(self, mut change: impl FnMut(T) -> U) -> Both<U> {
        Both { old: change(self.old), new: change(self.new) }
    }

    pub(super) fn zip<U>(self, other: Both<U>) -> Both<(T, U)> {
        Both { old: (self.old, other.old), new: (self.new, other.new) }
    }

    /// The old one, then the new one.
    pub(super) fn each(self) -> [T; 2] {
        [self.old, self.new]
    }

    /// The old one, then the new one, each with its age.
    pub(super) fn by_age(self) -> [(Age, T); 2] {
        [(Age::Old, self.old), (Age::New, self.new)]
    }
}

impl<T> Both<Option<T>> {
    /// A value that only one edition has.
    pub(super) fn only(age: Age, value: T) -> Self {
        match age {
            Age::Old => Self { old: Some(value), new: None },
            Age::New => Self { old: None, new: Some(value) },
        }
    }

    /// Both values, if both editions have one.
    pub(super) fn all(self) -> Option<Both<T>> {
        Some(Both { old: self.old?, new: self.new? })
    }

    /// The value of the new edition, or that of the old one if only the old one has it.
    pub(super) fn newest(self) -> Option<T> {
        self.new.or(self.old)
    }
}

impl Both<bool> {
    /// The edition for which alone it is true.
    pub(super) fn alone(self) -> Option<Age> {
        match (self.old, self.new) {
            (true, false) => Some(Age::Old),
            (false, true) => Some(Age::New),
            _ => None,
        }
    }
}
