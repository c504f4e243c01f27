//! Strict on demand: every way in which a value departs from the official schema.

use std::cell::LazyCell;
use std::fmt;

use serde_json::Value;

use crate::decode::{Reason, Record, Segment, Wire, describe, place, to_value};
use crate::extra::Extra;
use crate::format;
use crate::number::{Integer, Number};
use crate::union::{UNKNOWN, Union, decide};
use crate::{Dict, List};

/// One departure from the schema.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Violation {
    /// JSON pointer of the offending value, or of the object that lacks a member.
    pub pointer: String,
    /// The rule that is broken.
    pub rule: Rule,
    /// What the schema asks for.
    pub expected: String,
    /// What was found instead.
    pub found: String,
}

impl fmt::Display for Violation {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", place(&self.pointer), self.expected, self.found)
    }
}

/// The kinds of rules a schema states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rule {
    /// A value has the wrong type.
    Type,
    /// A required member is missing.
    Required,
    /// A constant has another value.
    Constant,
    /// A closed enum has an unknown value.
    Enum,
    /// A number is out of range.
    Range,
    /// A list, map or string has too many or too few items, members or characters.
    Length,
    /// A string does not have its format.
    Format,
    /// No variant of a union accepts the value.
    Union,
    /// A closed object has an unknown member.
    Closed,
}

/// A member or a variant as `check()` knows it: its name, and its type as two functions.
pub struct Known {
    name: &'static str,
    explain: fn(&Value) -> Reason,
    conforms: fn(&Value) -> bool,
}

impl Known {
    /// A member or a variant of type `T`.
    pub const fn new<T: Wire>(name: &'static str) -> Self {
        Self { name, explain: explain::<T>, conforms: conforms::<T> }
    }
}

/// Whether a value has the type and satisfies its schema.
pub fn conforms<T: Wire>(value: &Value) -> bool {
    T::convert(value.clone()).is_ok_and(|typed| Checker::run(&typed).is_empty())
}

/// Why a value does not have the type.
pub(crate) fn explain<T: Wire>(value: &Value) -> Reason {
    match T::convert(value.clone()) {
        Err(misfit) => misfit.reason,
        Ok(_) => Reason::new(T::EXPECTED, describe(value)),
    }
}

/// Collects violations while it walks through a value.
#[derive(Default)]
pub struct Checker {
    path: Vec<Segment>,
    violations: Vec<Violation>,
    /// Whether the variant of the union that comes next is not open to doubt.
    is_decided: bool,
}

impl Checker {
    /// All violations of a value.
    pub fn run<T: Wire>(value: &T) -> Vec<Violation> {
        let mut checker = Self::default();
        value.inspect(&mut checker);
        checker.violations
    }

    /// What was found.
    #[inline]
    pub(crate) fn into_violations(self) -> Vec<Violation> {
        self.violations
    }

    /// Reports something that could not be read at all.
    #[inline]
    pub(crate) fn rejected(&mut self, reason: &str) {
        self.report(Rule::Type, "a message", reason);
    }

    /// Inspects something below the current place.
    pub fn at(&mut self, segment: Segment, inspect: impl FnOnce(&mut Self)) {
        self.path.push(segment);
        inspect(self);
        self.path.pop();
    }

    /// Inspects a member of the current object.
    pub fn member(&mut self, name: &'static str, inspect: impl FnOnce(&mut Self)) {
        self.at(Segment::Name(name), inspect);
    }

    /// Reports the malformed items of a list.
    pub fn malformed_items<T: Wire>(&mut self, list: &List<T>) {
        for (place, value) in list.malformed() {
            self.at(Segment::Index(place), |checker| checker.misfit(&Known::new::<T>(""), value));
        }
    }

    /// Reports the malformed values of a map.
    pub fn malformed_entries<T: Wire>(&mut self, dict: &Dict<T>) {
        for (key, value) in dict.malformed() {
            self.at(Segment::Key(key.to_owned()), |checker| checker.misfit(&Known::new::<T>(""), value));
        }
    }

    /// Inspects the items of a list; malformed ones before an item count for its place.
    pub fn items<T>(&mut self, list: &List<T>, inspect: impl Fn(&mut Self, &T)) {
        for (place, item) in list.all().enumerate() {
            if let Ok(item) = item {
                self.at(Segment::Index(place), |checker| inspect(checker, item));
            }
        }
    }

    /// Inspects the values of a map.
    pub fn entries<T>(&mut self, dict: &Dict<T>, inspect: impl Fn(&mut Self, &T)) {
        for (key, item) in dict {
            self.at(Segment::Key(key.clone()), |checker| inspect(checker, item));
        }
    }

    /// Reports a violation at the current place.
    pub fn report(&mut self, rule: Rule, expected: impl Into<String>, found: impl Into<String>) {
        let pointer = self.path.iter().map(Segment::to_string).collect();
        self.violations.push(Violation { pointer, rule, expected: expected.into(), found: found.into() });
    }

    /// Inspects a member whose type says all there is to check.
    pub fn field<T: Wire>(&mut self, name: &'static str, value: &T) {
        self.member(name, |checker| value.inspect(checker));
    }

    /// Inspects a member that is a union, whose variant is known from elsewhere: no other variant speaks for it, and what
    /// was read as none of them conforms to none of them.
    pub(crate) fn decided<T: Wire>(&mut self, name: &'static str, value: &T) {
        let before = self.violations.len();
        self.is_decided = true;
        self.field(name, value);
        self.is_decided = false;
        if self.violations.len() == before && value.variant_name() == Some(UNKNOWN) {
            self.member(name, |checker| checker.report(Rule::Union, T::EXPECTED, describe(&to_value(value))));
        }
    }

    /// Reports members that were kept because their value does not have the type the schema asks for, and defaulted
    /// ones that were omitted. A typed value that was set since takes their place, which shows in what is written.
    pub fn misfits<T: Record>(&mut self, record: &T, extra: &Extra) {
        let Some(kept) = extra.kept() else { return };
        let written = LazyCell::new(|| to_value(record));
        for name in T::DEFAULTED.iter().filter(|name| kept.omitted.contains(name)) {
            if written.get(name).is_none() {
                self.missing(name);
            }
        }
        for member in T::MEMBERS {
            if let Some(value) = kept.members.get(member.name)
                && written.get(member.name) == Some(value)
            {
                self.member(member.name, |checker| checker.misfit(member, value));
            }
        }
    }

    /// Reports a member that has the wrong type.
    #[inline]
    pub(crate) fn mistyped(&mut self, name: &'static str, expected: &str, found: &Value) {
        self.member(name, |checker| checker.report(Rule::Type, expected, describe(found)));
    }

    /// Reports a required member that is not there.
    #[cold]
    pub fn missing(&mut self, name: &str) {
        let reason = Reason::missing(name);
        self.report(Rule::Required, reason.expected(), reason.found());
    }

    /// Reports a constant that is missing or has another value.
    pub fn constant(&mut self, extra: &Extra, name: &'static str, constant: impl Into<Value>, required: bool) {
        let Some(kept) = extra.kept() else { return };
        match kept.members.get(name) {
            Some(value) => {
                let constant = constant.into();
                if !same(value, &constant) {
                    self.member(name, |checker| checker.report(Rule::Constant, constant.to_string(), describe(value)));
                }
            }
            None if required && kept.omitted.contains(&name) => self.missing(name),
            None => {}
        }
    }

    /// Reports members that a closed object does not have.
    #[inline]
    pub fn closed(&mut self, extra: &Extra, known: &[&'static str]) {
        for (name, value) in extra.members().filter(|(name, _)| !known.contains(name)) {
            self.at(Segment::Key(name.to_owned()), |checker| {
                checker.report(Rule::Closed, "no such member", describe(value))
            });
        }
    }

    /// Inspects members that are not declared, yet have a type.
    pub fn additional<T: Wire>(&mut self, extra: &Extra, known: &[&'static str]) {
        for (name, value) in extra.members().filter(|(name, _)| !known.contains(name)) {
            self.at(Segment::Key(name.to_owned()), |checker| match T::convert(value.clone()) {
                Ok(typed) => typed.inspect(checker),
                Err(_) => checker.misfit(&Known::new::<T>(""), value),
            });
        }
    }

    /// Reports a value that is not of a closed enum.
    #[inline]
    pub fn unknown_value(&mut self, expected: &str, found: &str) {
        self.report(Rule::Enum, expected, describe(&found.into()));
    }

    /// Inspects a union: it conforms if any of its variants does, not only the one it was read as.
    pub fn union<U: Union>(&mut self, union: &U, inspect: impl FnOnce(&mut Self)) {
        let before = self.violations.len();
        // This holds for the union itself, not for those inside it.
        let is_decided = std::mem::take(&mut self.is_decided);
        inspect(self);
        if self.violations.len() > before && !U::EXCLUSIVE && !is_decided {
            let value = to_value(union);
            if U::VARIANTS.iter().any(|variant| (variant.conforms)(&value)) {
                self.violations.truncate(before);
            }
        }
    }

    /// Inspects the value of a union's unknown variant.
    pub fn unknown<U: Union>(&mut self, value: &Value) {
        match decide::<U>(value).and_then(|variant| U::VARIANTS.get(variant)) {
            // Someone may have put a perfectly known value there by hand.
            Some(variant) if (variant.conforms)(value) => {}
            Some(variant) => self.misfit(variant, value),
            None => {
                let names: Vec<_> = U::VARIANTS.iter().map(|variant| variant.name).collect();
                self.report(Rule::Union, format!("{}: {}", U::EXPECTED, names.join(", ")), describe(value));
            }
        }
    }

    /// Reports why a value does not have a type, at the place inside it that is to blame.
    #[inline]
    fn misfit(&mut self, known: &Known, value: &Value) {
        let reason = (known.explain)(value);
        let depth = self.path.len();
        self.path.extend(reason.segments().cloned());
        let rule = if reason.found() == Reason::missing("").found() { Rule::Required } else { Rule::Type };
        self.report(rule, reason.expected(), reason.found());
        self.path.truncate(depth);
    }

    /// The format `uri`.
    #[inline]
    pub fn uri(&mut self, text: &str) {
        self.format(format::is_uri(text), "a URI", text);
    }

    /// The format `uri-template`.
    #[inline]
    pub fn uri_template(&mut self, text: &str) {
        self.format(format::is_uri_template(text), "a URI template", text);
    }

    /// The format `byte`: padded base64.
    #[inline]
    pub fn byte(&mut self, text: &str) {
        self.format(format::is_base64(text), "base64", text);
    }

    #[inline]
    fn format(&mut self, good: bool, expected: &str, text: &str) {
        if !good {
            self.report(Rule::Format, expected, describe(&text.into()));
        }
    }

    /// `minimum`.
    pub fn at_least(&mut self, value: &impl AsNumber, minimum: f64) {
        if value.as_f64() < minimum {
            self.report(Rule::Range, format!("at least {minimum}"), value.as_f64().to_string());
        }
    }

    /// `maximum`.
    pub fn at_most(&mut self, value: &impl AsNumber, maximum: f64) {
        if value.as_f64() > maximum {
            self.report(Rule::Range, format!("at most {maximum}"), value.as_f64().to_string());
        }
    }

    /// `minItems` and `maxItems`: malformed items count.
    #[inline]
    pub fn count<T>(&mut self, list: &List<T>, minimum: usize, maximum: usize) {
        self.length(list.written(), minimum, maximum);
    }

    /// `minLength` and `maxLength`.
    #[inline]
    pub fn length(&mut self, length: usize, minimum: usize, maximum: usize) {
        if length < minimum {
            self.report(Rule::Length, format!("at least {minimum}"), length.to_string());
        }
        if length > maximum {
            self.report(Rule::Length, format!("at most {maximum}"), length.to_string());
        }
    }
}

/// Numbers that can be compared with a bound.
pub trait AsNumber {
    /// The nearest `f64`.
    fn as_f64(&self) -> f64;
}

impl AsNumber for Integer {
    #[inline]
    fn as_f64(&self) -> f64 {
        Integer::as_f64(self)
    }
}

impl AsNumber for Number {
    #[inline]
    fn as_f64(&self) -> f64 {
        Number::as_f64(self)
    }
}

/// Equality as JSON Schema sees it: 5.0 is 5.
#[inline]
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        _ => left == right,
    }
}
