//! The macro that makes an object of a table.

/// Makes an object with known members of a struct: its constructor, and a line for each member.
///
/// A constant says at which place among the members it is written. A field says what it means that it is absent, the limits
/// of its value besides its type, and which method sets it, with the type that the method takes.
#[doc(hidden)]
#[macro_export]
macro_rules! __record {
    (
        $type:ident: $expected:literal,
        new($($parameter:ident: $given:ty),*)
        $(, constants { $($constant:literal = $kind:ident($value:literal): $must:ident at $position:literal,)* })?
        $(, members {
            $($wire:literal => $field:ident: $need:ident $(($default:expr))? $(within $limits:expr)? $(, $setter:ident($set:ty))?,)*
        })?
        $(, others { $others:ident $($type_of_others:ty)? })?
        $(,)?
    ) => {
        impl $type {
            /// Makes a value from what the schema requires.
            #[allow(clippy::too_many_arguments)]
            pub fn new($($parameter: $given),*) -> Self {
                Self {
                    $($($field: $crate::__member!(new $need $field $(, $default)?),)*)?
                    extra: $crate::Extra::new(),
                }
            }

            $($($(
                #[doc = concat!("Sets [`", stringify!($field), "`](Self::", stringify!($field), ").")]
                #[must_use]
                pub fn $setter(mut self, $field: $set) -> Self {
                    self.$field = $crate::__member!(set $need $field);
                    self
                }
            )?)*)?

            /// Lists the ways in which this value departs from the schema, a hundred at most. An empty list means that it
            /// conforms.
            pub fn check(&self) -> Vec<$crate::Violation> {
                $crate::__private::Checker::run(self)
            }
        }

        const _: () = {
            use $crate::__private as wire;

            const FIELDS: &[wire::Field] = &[$($(wire::Field::new($wire, $crate::__member!(need $need)),)*)?];
            const CONSTANTS: &[wire::Constant] = &[$($(
                wire::Constant::new(
                    $crate::__name!($constant),
                    wire::ConstantValue::$kind($value),
                    $crate::__constant!($kind $constant, $value),
                    $crate::__member!(need $must),
                    $position,
                ),
            )*)?];
            static LAYOUT: wire::Layout = wire::Layout::new($expected, FIELDS, CONSTANTS);

            impl wire::Wire for $type {
                const EXPECTED: &'static str = $expected;

                fn placeholder() -> Self {
                    Self {
                        $($($field: $crate::__member!(placeholder $need $($default)?),)*)?
                        extra: $crate::Extra::new(),
                    }
                }

                fn read(&mut self, reader: &mut wire::Reader<'_>) -> wire::StdResult<bool, wire::Stop> {
                    wire::read_record(self, reader)
                }

                fn write(&self, text: &mut String) {
                    #[allow(unused_mut)]
                    let mut object = wire::ObjectWriter::begin(text, &self.extra, &LAYOUT);
                    $($(
                        if const { wire::Constant::is_any_at(CONSTANTS, wire::Layout::number(FIELDS, $wire)) } {
                            object.constants(CONSTANTS, const { wire::Layout::number(FIELDS, $wire) });
                        }
                        $crate::__member!(write $need $wire, self.$field, object $(, $default)?);
                    )*)?
                    if const { wire::Constant::is_any_at(CONSTANTS, FIELDS.len()) } {
                        object.constants(CONSTANTS, FIELDS.len());
                    }
                    object.end();
                }

                fn inspect(&self, checker: &mut wire::Checker<'_>) {
                    wire::inspect_kept(self, checker);
                    $($($crate::__member!(inspect $need $wire, self, $field, checker $(, $limits)?);)*)?
                    $($crate::__others!($others $($type_of_others)?, self, checker);)?
                }

                fn member(&self, name: &str) -> Option<wire::Member<'_>> {
                    wire::member_of(self, name)
                }
            }

            impl wire::ParamsObject for $type {}

            impl wire::Record for $type {
                const LAYOUT: &'static wire::Layout = &LAYOUT;

                #[allow(unused_variables)]
                fn read_member(
                    &mut self,
                    name: &str,
                    members: &mut wire::Members,
                    reader: &mut wire::Reader<'_>,
                ) -> wire::StdResult<bool, wire::Stop> {
                    match name {
                        $($($wire => {
                            let number = const { wire::Layout::number(FIELDS, $wire) };
                            $crate::__member!(read $need members, number, self.$field, reader $(, $default)?)
                        })*)?
                        $($($constant => {
                            let (number, constant) = const { wire::Layout::constant(CONSTANTS, $constant) };
                            members.constant(FIELDS.len() + number, constant, reader)
                        })*)?
                        _ => Ok(false),
                    }
                }

                #[inline]
                fn extra(&self) -> &$crate::Extra {
                    &self.extra
                }

                #[inline]
                fn extra_mut(&mut self) -> &mut $crate::Extra {
                    &mut self.extra
                }

                #[allow(unused_variables)]
                fn explain(&self, name: &str, value: $crate::JsonRef<'_>) -> Option<wire::Reason> {
                    match name {
                        $($($wire => Some($crate::__member!(explain $need self.$field, value)),)*)?
                        _ => None,
                    }
                }

                fn typed(&self, name: &str) -> Option<&dyn wire::AnyWire> {
                    match name {
                        $($($wire => $crate::__member!(typed $need self, $field, name $(, $default)?),)*)?
                        _ => None,
                    }
                }
            }
        };

        $crate::__serde!([] $type);
    };
}

/// The name of a member, as it is and as it is written.
#[doc(hidden)]
#[macro_export]
macro_rules! __name {
    ($wire:literal) => {
        const { $crate::__private::Name::new($wire, concat!(",\"", $wire, "\":")) }
    };
}

/// A constant as it is written, with a comma before it.
#[doc(hidden)]
#[macro_export]
macro_rules! __constant {
    (String $wire:literal, $value:literal) => {
        concat!(",\"", $wire, "\":\"", $value, "\"")
    };
    (Word $wire:literal, $value:literal) => {
        concat!(",\"", $wire, "\":", $value)
    };
}

/// What it takes to fill, write and check the place of a member.
#[doc(hidden)]
#[macro_export]
macro_rules! __member {
    (new required $given:ident) => { $given.into() };
    (new preset $given:ident, $preset:expr) => { $preset };
    (new optional $given:ident) => { None };
    (new lenient $given:ident) => { Some($given.into()) };
    (new defaulted $given:ident, $default:expr) => { $default };

    (set preset $given:ident) => { $given.into() };
    (set optional $given:ident) => { Some($given.into()) };
    (set lenient $given:ident) => { Some($given.into()) };
    (set defaulted $given:ident) => { $given.into() };

    (need required) => { $crate::__private::Need::Required };
    (need preset) => { $crate::__private::Need::Required };
    (need optional) => { $crate::__private::Need::Optional };
    (need lenient) => { $crate::__private::Need::Lenient };
    (need defaulted) => { $crate::__private::Need::Defaulted };

    (placeholder required) => { $crate::__private::Wire::placeholder() };
    (placeholder preset $preset:expr) => { $crate::__private::Wire::placeholder() };
    (placeholder optional) => { None };
    (placeholder lenient) => { None };
    (placeholder defaulted $default:expr) => { $default };

    (read required $members:ident, $number:ident, $place:expr, $reader:ident) => {
        $members.required($number, &mut $place, $reader)
    };
    (read optional $members:ident, $number:ident, $place:expr, $reader:ident) => {
        $members.optional($number, &mut $place, $reader)
    };
    (read preset $members:ident, $number:ident, $place:expr, $reader:ident, $preset:expr) => {
        $members.required($number, &mut $place, $reader)
    };
    (read lenient $($rest:tt)*) => { $crate::__member!(read optional $($rest)*) };
    (read defaulted $members:ident, $number:ident, $place:expr, $reader:ident, $default:expr) => {
        $members.defaulted($number, &mut $place, $default, $reader)
    };

    (write required $wire:literal, $place:expr, $object:ident) => {
        $object.required($crate::__name!($wire), &$place)
    };
    (write optional $wire:literal, $place:expr, $object:ident) => {
        $object.optional($crate::__name!($wire), &$place)
    };
    (write preset $wire:literal, $place:expr, $object:ident, $preset:expr) => {
        $object.required($crate::__name!($wire), &$place)
    };
    (write lenient $($rest:tt)*) => { $crate::__member!(write optional $($rest)*) };
    (write defaulted $wire:literal, $place:expr, $object:ident, $default:expr) => {
        $object.defaulted($crate::__name!($wire), &$place, &$default)
    };

    (inspect required $wire:literal, $record:ident, $field:ident, $checker:ident) => {
        $checker.typed($wire, &$record.$field)
    };
    (inspect required $wire:literal, $record:ident, $field:ident, $checker:ident, $limits:expr) => {
        $checker.limited($wire, &$record.$field, const { &$limits })
    };
    (inspect optional $wire:literal, $record:ident, $field:ident, $checker:ident $(, $limits:expr)?) => {
        if let Some(value) = &$record.$field {
            $crate::__member!(inspect_value $wire, value, $checker $(, $limits)?);
        }
    };
    (inspect lenient $wire:literal, $record:ident, $field:ident, $checker:ident $(, $limits:expr)?) => {
        match &$record.$field {
            Some(value) => $crate::__member!(inspect_value $wire, value, $checker $(, $limits)?),
            None if $record.extra.get($wire).is_none() => $checker.missing($wire),
            None => {}
        }
    };
    (inspect preset $($rest:tt)*) => { $crate::__member!(inspect required $($rest)*) };
    (inspect defaulted $($rest:tt)*) => { $crate::__member!(inspect required $($rest)*) };
    (inspect_value $wire:literal, $value:ident, $checker:ident) => { $checker.typed($wire, $value) };
    (inspect_value $wire:literal, $value:ident, $checker:ident, $limits:expr) => {
        $checker.limited($wire, $value, const { &$limits })
    };

    (explain required $place:expr, $value:ident) => { $crate::__private::explain_required(&$place, $value) };
    (explain preset $place:expr, $value:ident) => { $crate::__private::explain_required(&$place, $value) };
    (explain optional $place:expr, $value:ident) => { $crate::__private::explain_optional(&$place, $value) };
    (explain lenient $place:expr, $value:ident) => { $crate::__private::explain_optional(&$place, $value) };
    (explain defaulted $place:expr, $value:ident) => { $crate::__private::explain_required(&$place, $value) };

    (typed required $record:ident, $field:ident, $name:ident) => { Some(&$record.$field) };
    (typed preset $record:ident, $field:ident, $name:ident, $preset:expr) => { Some(&$record.$field) };
    (typed optional $record:ident, $field:ident, $name:ident) => {
        $record.$field.as_ref().map(|value| value as &dyn $crate::__private::AnyWire)
    };
    (typed lenient $($rest:tt)*) => { $crate::__member!(typed optional $($rest)*) };
    (typed defaulted $record:ident, $field:ident, $name:ident, $default:expr) => {
        if $record.extra.is_omitted($name) && $record.$field == $default { None } else { Some(&$record.$field) }
    };
}

/// What the schema says of members that it does not name.
#[doc(hidden)]
#[macro_export]
macro_rules! __others {
    (closed, $record:ident, $checker:ident) => {
        $checker.closed($record)
    };
    (typed $type:ty, $record:ident, $checker:ident) => {
        $checker.additional::<Self, $type>($record)
    };
}
