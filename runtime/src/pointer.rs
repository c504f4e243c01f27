//! JSON pointers that share what they have in common: a hundred of them below one long name hold that name once.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::successors;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::ser::{Serialize, Serializer};

use crate::misfit::Segment;

/// A JSON pointer: where in a document something stands. It can be used like a `&str`.
///
/// Pointers of one [`check`](crate::check) share the steps that they have in common, so that a list of them is no larger
/// than the document. A pointer becomes a text of its own when someone looks at it.
///
/// ```
/// # use mcp_wire_core::{Dict, Number};
/// let numbers: Dict<Number> = [("a/b".to_owned(), Number::from(f64::NAN))].into_iter().collect();
/// let pointer = &mcp_wire_core::check(&numbers)[0].pointer;
/// assert_eq!(*pointer, "/a~1b");
/// assert_eq!(pointer.as_str(), "/a~1b");
/// assert!(pointer.starts_with("/a"));
/// ```
#[derive(Clone, Default)]
pub struct Pointer {
    last: Option<Arc<Step>>,
    text: OnceLock<Box<str>>,
}

/// The last step of a pointer, and the way to it.
struct Step {
    before: Option<Arc<Step>>,
    segment: Segment,
}

impl Pointer {
    /// The pointer of something one step inside the document.
    #[inline]
    pub(crate) fn of(segment: Segment) -> Self {
        Self::default().then(segment)
    }

    /// The pointer of something one step further inside.
    #[inline]
    pub(crate) fn then(&self, segment: Segment) -> Self {
        let step = Step { before: self.last.clone(), segment };
        Self { last: Some(Arc::new(step)), text: OnceLock::new() }
    }

    /// The pointer as text; that of the whole document is empty.
    #[inline]
    pub fn as_str(&self) -> &str {
        self.text.get_or_init(|| self.to_string().into())
    }
}

impl Deref for Pointer {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Pointer {
    #[inline]
    fn as_ref(&self) -> &str {
        self
    }
}

/// Without keeping the text.
impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps: Vec<_> = successors(self.last.as_deref(), |step| step.before.as_deref()).collect();
        steps.iter().rev().try_for_each(|step| fmt::Display::fmt(&step.segment, f))
    }
}

impl fmt::Debug for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

impl PartialEq for Pointer {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Pointer {}

impl PartialOrd for Pointer {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pointer {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(&**other)
    }
}

impl Hash for Pointer {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

macro_rules! equal_to {
    ($($text:ty),*) => {$(
        impl PartialEq<$text> for Pointer {
            #[inline]
            fn eq(&self, text: &$text) -> bool {
                **self == **text
            }
        }

        impl PartialEq<Pointer> for $text {
            #[inline]
            fn eq(&self, pointer: &Pointer) -> bool {
                **self == **pointer
            }
        }
    )*};
}

equal_to!(&str, String);

impl PartialEq<str> for Pointer {
    #[inline]
    fn eq(&self, text: &str) -> bool {
        **self == *text
    }
}

impl From<Pointer> for String {
    #[inline]
    fn from(pointer: Pointer) -> Self {
        pointer.to_string()
    }
}

impl Serialize for Pointer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
