//! Requests and notifications: methods with the params they take.

use crate::check::Checker;
use crate::decode::{Member, Wire};
use crate::id::{ProgressToken, RequestId};
use crate::json::{Json, JsonObject, Reader, Stop};
use crate::write::{Name, ObjectWriter};

/// The notification that cancels a request, the same in every revision.
pub(crate) const CANCELLED: &str = "notifications/cancelled";

/// The params of a method: a type of the revision, or an `Option` of one where they may be absent.
#[doc(hidden)]
pub trait Params: Sized {
    /// Whether a message without them is invalid.
    const REQUIRED: bool;

    /// What stands for absent params, where they may be.
    fn absent() -> Option<Self>;

    /// Some params, to be read into.
    fn placeholder() -> Self;

    /// Reads them, and says whether they have the type.
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop>;

    /// Writes the member `params`, if there is one.
    fn write(&self, members: &mut ObjectWriter<'_>);

    /// Reports departures from the schema, at the member `params`.
    fn inspect(&self, checker: &mut Checker<'_>);

    /// A member of them.
    fn member(&self, name: &str) -> Option<Member<'_>>;
}

/// A type that params can have.
#[doc(hidden)]
pub trait ParamsObject: Wire {}

impl ParamsObject for JsonObject {}

impl ParamsObject for Json {}

impl<T: ParamsObject> ParamsObject for Box<T> {}

impl<T: ParamsObject> Params for T {
    const REQUIRED: bool = true;

    #[inline]
    fn absent() -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Wire::placeholder()
    }

    #[inline]
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        Wire::read(self, reader)
    }

    fn write(&self, members: &mut ObjectWriter<'_>) {
        members.required(PARAMS_NAME, self);
    }

    fn inspect(&self, checker: &mut Checker<'_>) {
        checker.typed(PARAMS, self);
    }

    fn member(&self, name: &str) -> Option<Member<'_>> {
        Wire::member(self, name)
    }
}

impl<T: ParamsObject> Params for Option<T> {
    const REQUIRED: bool = false;

    #[inline]
    fn absent() -> Option<Self> {
        Some(None)
    }

    fn placeholder() -> Self {
        None
    }

    #[inline]
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        self.insert(T::placeholder()).read(reader)
    }

    fn write(&self, members: &mut ObjectWriter<'_>) {
        members.optional(PARAMS_NAME, self);
    }

    fn inspect(&self, checker: &mut Checker<'_>) {
        if let Some(params) = self {
            checker.typed(PARAMS, params);
        }
    }

    fn member(&self, name: &str) -> Option<Member<'_>> {
        Wire::member(self.as_ref()?, name)
    }
}

pub(crate) const PARAMS: &str = "params";
pub(crate) const PARAMS_NAME: Name = Name::new(PARAMS, ",\"params\":");

/// Methods with their params: the enum of what one side may ask, or of what it may notify about.
#[doc(hidden)]
pub trait Body: Sized {
    /// The methods, in the order of their numbers.
    const METHODS: &'static [&'static str];
    /// The method that fetches the result of a task, and the member of its params that names the task.
    const FETCHES: Option<(&'static str, &'static str)> = None;

    /// The number of a method.
    fn find(method: &str) -> Option<usize>;

    /// Reads the params of a method; nothing, where they do not have its type.
    fn read(method: usize, reader: &mut Reader<'_>) -> Result<Option<Self>, Stop>;

    /// A message without params, where the method allows that.
    #[inline]
    fn bare(_method: usize) -> Option<Self> {
        None
    }

    /// A method that the revision does not know for this side.
    fn other(method: String, params: Option<Json>) -> Self;

    /// The params of a method that the revision does not know for this side.
    fn other_params(&self) -> Option<&Json>;

    /// The method.
    fn method(&self) -> &str;

    /// The variant's name.
    fn variant_name(&self) -> &'static str;

    /// Writes the params.
    fn write(&self, members: &mut ObjectWriter<'_>);

    /// Reports departures from the schema.
    fn inspect(&self, checker: &mut Checker<'_>);

    /// A member of the params.
    fn member(&self, name: &str) -> Option<Member<'_>>;

    /// The token under which the sender of a request wants to hear of its progress.
    fn progress_token(&self) -> Option<ProgressToken> {
        self.member("_meta")?.member("progressToken")?.read()
    }

    /// The request that a notification cancels.
    fn cancels(&self) -> Option<RequestId> {
        if self.method() == CANCELLED { self.member("requestId")?.read() } else { None }
    }

    /// The task whose result a request fetches.
    fn fetches(&self) -> Option<String> {
        let (method, key) = Self::FETCHES?;
        if self.method() == method { self.member(key)?.read() } else { None }
    }
}

/// Reads params into a variant of a [`Body`].
#[inline]
pub fn read_params<P: Params, B>(reader: &mut Reader<'_>, variant: impl FnOnce(P) -> B) -> Result<Option<B>, Stop> {
    let mut params = P::placeholder();
    Ok(params.read(reader)?.then(|| variant(params)))
}

/// Passes the params of a method that there is not.
#[cold]
pub fn read_no_params<B>(reader: &mut Reader<'_>) -> Result<Option<B>, Stop> {
    reader.skip()?;
    Ok(None)
}

/// Makes an enum of methods with their params: a row for each method. A row says what the variant holds, and which params
/// belong to no other method, so that they can be turned into it.
#[doc(hidden)]
#[macro_export]
macro_rules! __body {
    (
        $type:ident,
        $(fetches $fetch:literal by $key:literal,)?
        methods { $($method:literal => $variant:ident($held:ty) $(from($from:ty))?,)* }
        $(,)?
    ) => {
        const _: () = {
            use $crate::__private as wire;

            const METHODS: &[&str] = &[$($method),*];

            impl wire::Body for $type {
                const METHODS: &'static [&'static str] = METHODS;
                $(const FETCHES: Option<(&'static str, &'static str)> = Some(($fetch, $key));)?

                fn find(method: &str) -> Option<usize> {
                    match method {
                        $($method => Some(const { wire::position(METHODS, $method) }),)*
                        _ => None,
                    }
                }

                #[allow(unused_variables)]
                fn read(
                    method: usize,
                    reader: &mut wire::Reader<'_>,
                ) -> wire::StdResult<Option<Self>, wire::Stop> {
                    $(if method == const { wire::position(METHODS, $method) } {
                        return wire::read_params(reader, Self::$variant);
                    })*
                    wire::read_no_params(reader)
                }

                #[allow(unused_variables)]
                fn bare(method: usize) -> Option<Self> {
                    $(if method == const { wire::position(METHODS, $method) } {
                        return <$held as wire::Params>::absent().map(Self::$variant);
                    })*
                    None
                }

                fn other(method: String, params: Option<$crate::Json>) -> Self {
                    Self::Other { method, params }
                }

                fn other_params(&self) -> Option<&$crate::Json> {
                    match self {
                        $(Self::$variant(_) => None,)*
                        Self::Other { params, .. } => params.as_ref(),
                    }
                }

                fn method(&self) -> &str {
                    match self {
                        $(Self::$variant(_) => $method,)*
                        Self::Other { method, .. } => method,
                    }
                }

                fn variant_name(&self) -> &'static str {
                    match self {
                        $(Self::$variant(_) => stringify!($variant),)*
                        Self::Other { .. } => "Other",
                    }
                }

                fn write(&self, members: &mut wire::ObjectWriter<'_>) {
                    match self {
                        $(Self::$variant(params) => wire::Params::write(params, members),)*
                        Self::Other { params, .. } => wire::Params::write(params, members),
                    }
                }

                #[allow(unused_variables)]
                fn inspect(&self, checker: &mut wire::Checker<'_>) {
                    match self {
                        $(Self::$variant(params) => wire::Params::inspect(params, checker),)*
                        Self::Other { .. } => {}
                    }
                }

                #[allow(unused_variables)]
                fn member(&self, name: &str) -> Option<wire::Member<'_>> {
                    match self {
                        $(Self::$variant(params) => wire::Params::member(params, name),)*
                        Self::Other { params, .. } => wire::Params::member(params, name),
                    }
                }
            }
        };

        $($(
            impl From<$from> for $type {
                fn from(params: $from) -> Self {
                    Self::$variant(params.into())
                }
            }
        )?)*
    };
}
