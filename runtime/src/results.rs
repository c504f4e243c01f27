//! Results: what answers a request, decided by the method that was asked.

use crate::decode::{Member, Wire};
use crate::json::{Json, JsonRef, Reader, Stop};

/// What answers the requests of one side: the enum of its results.
#[doc(hidden)]
pub trait Results: Wire {
    /// Whether even an error about something unreadable must have an id.
    const ERROR_NEEDS_ID: bool = false;

    /// The number of a method that is answered with one of them.
    fn find(method: &str) -> Option<usize>;

    /// Reads the result of a method.
    fn read(method: usize, reader: &mut Reader<'_>) -> Result<Self, Stop>;

    /// Keeps a result as it came.
    fn raw(value: Json) -> Self;

    /// Whether a result says that it is of a kind which the revision does not have, of an extension for instance.
    #[inline]
    fn is_foreign(&self) -> bool {
        false
    }

    /// The task that was created instead of a result.
    #[inline]
    fn task(&self) -> Option<String> {
        None
    }
}

/// Reads a result as the variant that its method asks for. One that turns out to be of another kind, because it says so
/// or because it does not fit, is given to `otherwise`.
#[inline]
pub fn read_result<W: Wire, T>(
    reader: &mut Reader<'_>,
    variant: fn(W) -> T,
    is_meant: fn(&W) -> bool,
    otherwise: fn(JsonRef<'_>) -> T,
) -> Result<T, Stop> {
    let mut result = W::placeholder();
    let start = reader.start();
    if result.read(reader)? && is_meant(&result) {
        return Ok(variant(result));
    }
    Ok(otherwise(JsonRef::from_valid(reader.since(start))))
}

/// Reads a result of which nothing is known but what is in it.
pub fn read_other_result<T>(reader: &mut Reader<'_>, otherwise: fn(JsonRef<'_>) -> T) -> Result<T, Stop> {
    let start = reader.start();
    reader.skip()?;
    Ok(otherwise(JsonRef::from_valid(reader.since(start))))
}

/// The results of a side that is never asked anything.
impl Results for Json {
    fn find(_: &str) -> Option<usize> {
        None
    }

    fn read(_: usize, reader: &mut Reader<'_>) -> Result<Self, Stop> {
        Json::read(reader)
    }

    fn raw(value: Json) -> Self {
        value
    }
}

/// The id of a task, at the end of a path of members.
pub fn task_id<T: Wire>(result: &T, path: &[&str]) -> Option<String> {
    let start = Member::Typed(result);
    path.iter().try_fold(start, |place, name| place.member(name))?.read()
}

/// Makes the results of one side of a union: a row for each method, with the variant that answers it.
///
/// A row may say that a result must have a certain value to be this one, and which others it may be, told by members that
/// only they have. Where results say in a member what they are, `tag` has that member, its usual value, and the variants of
/// the others. `task` is the variant that stands for a result to be fetched later, and the path to the id of the task.
#[doc(hidden)]
#[macro_export]
macro_rules! __results {
    (
        $type:ty,
        $(error_needs_id: $needs_id:literal,)?
        $(tag $tag:literal { $usual:literal $(, $special:literal => $special_variant:ident)* },)?
        $(task $task:ident [$($key:literal),*],)?
        methods { $(
            $method:literal => $variant:ident
            $(or $also:ident with [$($telling:literal),*])*
            $(if $field:ident == $meant:path)?,
        )* }
        $(,)?
    ) => {
        const _: () = {
            use $crate::__private as wire;

            const METHODS: &[&str] = &[$($method),*];

            /// A result that is not of the kind its method usually gives.
            fn unusual(value: $crate::JsonRef<'_>) -> $type {
                $($(if value.get($tag).is_some_and(|tag| tag == $special) {
                    return known(value, <$type>::$special_variant);
                })*)?
                <$type>::Unknown(value.into())
            }

            #[allow(dead_code)]
            fn known<T: wire::Wire>(value: $crate::JsonRef<'_>, variant: fn(T) -> $type) -> $type {
                wire::as_variant(value, variant).unwrap_or_else(|| <$type>::Unknown(value.into()))
            }

            impl wire::Results for $type {
                $(const ERROR_NEEDS_ID: bool = $needs_id;)?

                fn find(method: &str) -> Option<usize> {
                    match method {
                        $($method => Some(const { wire::position(METHODS, $method) }),)*
                        _ => None,
                    }
                }

                #[allow(unused_variables)]
                fn read(method: usize, reader: &mut wire::Reader<'_>) -> wire::StdResult<Self, wire::Stop> {
                    $(if method == const { wire::position(METHODS, $method) } {
                        return wire::read_result(
                            reader,
                            Self::$variant,
                            |result| true $(&& result.$field == $meant)?,
                            |value| {
                                $(if wire::has(value, &[$($telling),*]) {
                                    return known(value, Self::$also);
                                })*
                                unusual(value)
                            },
                        );
                    })*
                    wire::read_other_result(reader, unusual)
                }

                fn raw(value: $crate::Json) -> Self {
                    Self::Unknown(value)
                }

                $(fn is_foreign(&self) -> bool {
                    let Self::Unknown(value) = self else { return false };
                    let tag = value.get($tag).and_then($crate::JsonRef::as_str);
                    tag.is_some_and(|tag| ![$usual $(, $special)*].contains(&&*tag))
                })?

                $(fn task(&self) -> Option<String> {
                    let Self::$task(result) = self else { return None };
                    wire::task_id(result, &[$($key),*])
                })?
            }
        };
    };
}
