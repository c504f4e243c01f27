//! Strict on demand: every way in which a value departs from the official schema.

mod violation;

use std::borrow::Cow;

use crate::decode::{Outline, Wire, explain};
use crate::json::{Json, JsonRef, Purpose, Reader};
use crate::judge::{Judge, Place};
use crate::limits::Limits;
use crate::misfit::{Reason, Segment, describe, describe_str};
use crate::pointer::Pointer;
use crate::record::{Layout, Need, Record};
use crate::rpc::{JSONRPC, VERSION};
use crate::union::{UNKNOWN, Union, decide};
use crate::write::to_string;
use crate::{Dict, Extra, List};

pub use violation::{Rule, Violation};

/// A variant as `check()` knows it: its name, and its type as two functions.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    pub(crate) name: &'static str,
    explain: fn(JsonRef<'_>) -> Reason,
    pub(crate) conforms: fn(JsonRef<'_>, &mut Judge) -> bool,
}

impl Known {
    /// A variant of type `T`.
    pub const fn new<T: Wire>(name: &'static str) -> Self {
        Self { name, explain: explain::<T>, conforms: fits::<T> }
    }
}

/// Whether a value has the type and satisfies its schema.
pub fn conforms<T: Wire>(value: JsonRef<'_>) -> bool {
    fits::<T>(value, &mut Judge::default())
}

/// Whether a value has the type and satisfies its schema, given what is known of the unions inside it.
fn fits<T: Wire>(value: JsonRef<'_>, judge: &mut Judge) -> bool {
    fits_into(&mut T::placeholder(), value, judge)
}

/// The same, without the type: the code for it exists once.
fn fits_into(outline: &mut dyn Outline, value: JsonRef<'_>, judge: &mut Judge) -> bool {
    let mut reader = Reader::trusted(value.text());
    reader.purpose = Purpose::Outline;
    if !outline.read_outline(&mut reader).unwrap_or(false) {
        return false;
    }
    let judge_so_far = std::mem::take(judge);
    let place = Some(Place::new(value));
    let mut checker = Checker { place, is_outline: true, judge: judge_so_far, ..Checker::with_limit(1) };
    outline.inspect_outline(&mut checker);
    *judge = checker.judge;
    checker.violations.is_empty()
}

/// Collects violations while it walks through a value, until there are enough of them.
pub struct Checker<'v> {
    path: Vec<Segment>,
    /// The pointers of the first steps of the path, of as many as something has been reported behind.
    pointers: Vec<Pointer>,
    violations: Vec<Violation>,
    /// The memory of a key that is no longer in the path.
    spare: String,
    /// How many violations are enough.
    limit: usize,
    /// Whether the variant of the union that comes next is not open to doubt.
    is_decided: bool,
    /// Whether unions count as what they were read as, for the moment.
    is_strict: bool,
    /// Whether the unknown variant that comes next may be any of the others.
    is_open: bool,
    /// Whether only that counts which a handler would not see.
    is_lenient: bool,
    /// The current value as it is written, while a union is judged.
    place: Option<Place<'v>>,
    /// Those around it.
    outer: Vec<Option<Place<'v>>>,
    /// Whether the typed value is an [outline](Purpose::Outline) of that.
    is_outline: bool,
    judge: Judge,
}

/// Most messages are no deeper, and growing costs more than asking for enough.
const USUAL_DEPTH: usize = 8;

impl<'v> Checker<'v> {
    #[inline]
    fn with_limit(limit: usize) -> Self {
        Self {
            path: Vec::new(),
            pointers: Vec::new(),
            violations: Vec::new(),
            spare: String::new(),
            limit,
            is_decided: false,
            is_strict: false,
            is_open: false,
            is_lenient: false,
            place: None,
            outer: Vec::new(),
            is_outline: false,
            judge: Judge::default(),
        }
    }

    /// The violations of a value, up to the [limit](Violation::LIMIT).
    pub fn run<T: Wire>(value: &T) -> Vec<Violation> {
        Self::list_of(&mut |checker| value.inspect(checker))
    }

    /// The violations that are found, up to the [limit](Violation::LIMIT).
    pub(crate) fn list_of(inspect: &mut dyn FnMut(&mut Self)) -> Vec<Violation> {
        // One more, to know whether there are more.
        let mut checker = Self { path: Vec::with_capacity(USUAL_DEPTH), ..Self::with_limit(Violation::LIMIT + 1) };
        inspect(&mut checker);
        if checker.is_full() {
            checker.violations.pop();
            checker.violations.push(Violation::unlisted());
        }
        checker.violations
    }

    /// The first violation because of which a handler would not see what has been sent: formats and ranges of values are
    /// for the handler to judge. Nothing is looked at after it.
    #[inline]
    pub(crate) fn first_of(inspect: impl FnOnce(&mut Self)) -> Option<Violation> {
        let path = Vec::with_capacity(USUAL_DEPTH);
        let mut checker = Self { path, is_lenient: true, ..Self::with_limit(1) };
        inspect(&mut checker);
        checker.violations.pop()
    }

    /// Whether enough has been found.
    #[inline]
    fn is_full(&self) -> bool {
        self.violations.len() >= self.limit
    }

    /// Reports something that could not be read at all.
    #[inline]
    pub(crate) fn rejected(&mut self, reason: &str) {
        self.report(Rule::Type, "a message", reason);
    }

    /// Inspects something below the current place.
    #[inline]
    pub fn at(&mut self, segment: Segment, inspect: impl FnOnce(&mut Self)) {
        self.enter(segment);
        inspect(self);
        self.leave();
    }

    /// Goes one step inside.
    #[inline]
    fn enter(&mut self, segment: Segment) {
        if self.place.is_some() || !self.outer.is_empty() {
            self.enter_place(&segment);
        }
        self.path.push(segment);
    }

    #[cold]
    fn enter_place(&mut self, segment: &Segment) {
        let inner = self.place.as_mut().and_then(|place| place.step(segment)).map(Place::new);
        self.outer.push(std::mem::replace(&mut self.place, inner));
    }

    /// Leaves the current place for the one around it.
    fn leave(&mut self) {
        if !self.outer.is_empty() {
            self.place = self.outer.pop().flatten();
        }
        // The memory of a key serves the next one.
        if let Some(Segment::Key(key)) = self.path.pop() {
            self.spare = key;
        }
        self.forget_pointers(self.path.len());
    }

    /// Forgets the pointers of what lies deeper than this.
    #[inline]
    fn forget_pointers(&mut self, depth: usize) {
        if self.pointers.len() > depth {
            self.pointers.truncate(depth);
        }
    }

    /// Inspects a value of a map. Its key is copied into memory that the one before it had.
    #[inline]
    fn at_key(&mut self, key: &str, inspect: impl FnOnce(&mut Self)) {
        let mut name = std::mem::take(&mut self.spare);
        name.clear();
        name.push_str(key);
        self.at(Segment::Key(name), inspect);
    }

    /// Inspects a member of the current object.
    pub fn member(&mut self, name: &'static str, inspect: impl FnOnce(&mut Self)) {
        self.at(Segment::Name(name), inspect);
    }

    /// Reports the malformed items of a list.
    pub fn malformed_items<T: Wire>(&mut self, list: &List<T>) {
        if !list.has_malformed() {
            return;
        }
        for (place, value) in list.malformed() {
            if self.is_full() {
                return;
            }
            self.at(Segment::Index(place), |checker| checker.misfit(|| explain::<T>(value)));
        }
    }

    /// Reports the malformed values of a map.
    pub fn malformed_entries<T: Wire>(&mut self, dict: &Dict<T>) {
        for (key, value) in dict.malformed() {
            if self.is_full() {
                return;
            }
            self.at(Segment::Key(key.to_owned()), |checker| checker.misfit(|| explain::<T>(value)));
        }
    }

    /// Inspects the items of a list; malformed ones before an item count for its place.
    pub fn items<T>(&mut self, list: &List<T>, inspect: impl Fn(&T, &mut Self)) {
        let mut place = 0;
        let mut malformed = list.has_malformed().then(|| list.malformed().map(|(place, _)| place).peekable());
        let depth = self.path.len();
        for item in list {
            if let Some(malformed) = &mut malformed {
                while malformed.next_if_eq(&place).is_some() {
                    place += 1;
                }
            }
            if self.is_full() {
                break;
            }
            if self.place.is_some() || !self.outer.is_empty() {
                self.at(Segment::Index(place), |checker| inspect(item, checker));
            } else {
                // One step, which leads to one item after the other.
                match self.path.get_mut(depth) {
                    Some(step) => *step = Segment::Index(place),
                    None => self.path.push(Segment::Index(place)),
                }
                inspect(item, self);
                self.forget_pointers(depth);
            }
            place += 1;
        }
        self.path.truncate(depth);
    }

    /// Inspects the values of a map.
    pub fn entries<T>(&mut self, dict: &Dict<T>, inspect: impl Fn(&T, &mut Self)) {
        for (key, item) in dict {
            if self.is_full() {
                return;
            }
            self.at_key(key, |checker| inspect(item, checker));
        }
    }

    /// Reports a violation at the current place.
    pub fn report(&mut self, rule: Rule, expected: impl Into<Cow<'static, str>>, found: impl Into<String>) {
        self.add(rule, expected.into(), found.into());
    }

    #[cold]
    fn add(&mut self, rule: Rule, expected: Cow<'static, str>, found: String) {
        // Many peers write `null` for a member that is absent, which means no more to a handler than its absence.
        let is_bearable =
            || matches!(rule, Rule::Format | Rule::Range | Rule::Length) || rule == Rule::Type && found == "null";
        // Whether a union conforms does not depend on who asks.
        if self.is_full() || self.is_lenient && !self.is_strict && is_bearable() {
            return;
        }
        let pointer = self.pointer();
        self.violations.push(Violation { pointer, rule, expected, found });
    }

    /// The current place. What has been reported behind it shares the way to it.
    fn pointer(&mut self) -> Pointer {
        for segment in self.path.iter().skip(self.pointers.len()) {
            let before = self.pointers.last();
            let pointer = before.map_or_else(|| Pointer::of(segment.clone()), |before| before.then(segment.clone()));
            self.pointers.push(pointer);
        }
        self.pointers.last().cloned().unwrap_or_default()
    }

    /// Inspects a member whose type says all there is to check.
    #[inline]
    pub fn typed<T: Wire>(&mut self, name: &'static str, value: &T) {
        if !T::CONFORMS {
            self.enter(Segment::Name(name));
            value.inspect(self);
            self.leave();
        }
    }

    /// Inspects a member that has limits besides its type.
    #[inline]
    pub fn limited<T: Wire>(&mut self, name: &'static str, value: &T, limits: &Limits) {
        self.enter(Segment::Name(name));
        value.inspect_within(limits, self);
        self.leave();
    }

    /// Inspects a member that is a union, whose variant is known from elsewhere: no other variant speaks for it, and what
    /// was read as none of them conforms to none of them.
    pub(crate) fn decided<T: Wire>(&mut self, name: &'static str, value: &T) {
        let before = self.violations.len();
        self.is_decided = true;
        self.typed(name, value);
        self.is_decided = false;
        if self.violations.len() == before && value.variant_name() == Some(UNKNOWN) {
            self.member(name, |checker| {
                checker.report(Rule::Union, T::EXPECTED, describe(JsonRef::from_valid(&to_string(value))))
            });
        }
    }

    /// Reports what the schema does not allow of what was kept: constants that are missing or have another value, defaulted
    /// members that were omitted, and members whose value does not have its type. A typed value that was set since takes
    /// their place.
    #[cold]
    #[inline(never)]
    pub(crate) fn kept(&mut self, record: &dyn Keeper, layout: &'static Layout) {
        let extra = record.kept_extra();
        for constant in layout.constants {
            let name = constant.name.name;
            match extra.get(name) {
                Some(value) if constant.is(value) => {}
                Some(value) => {
                    self.member(name, |checker| checker.report(Rule::Constant, constant.to_string(), describe(value)));
                }
                None if constant.is_required && extra.is_omitted(name) => self.missing(name),
                None => {}
            }
        }
        for field in layout.fields.iter().filter(|field| field.need == Need::Defaulted) {
            if extra.is_omitted(field.name) && extra.get(field.name).is_none() && !record.has_typed(field.name) {
                self.missing(field.name);
            }
        }
        for field in layout.fields {
            if let Some(value) = extra.get(field.name)
                && !record.has_typed(field.name)
            {
                let reason = || {
                    let reason = record.explain_member(field.name, value);
                    reason.unwrap_or_else(|| Reason::kind(layout.expected, value))
                };
                self.member(field.name, |checker| checker.misfit(reason));
            }
        }
    }

    /// Reports a member that has the wrong type.
    #[inline]
    pub(crate) fn mistyped(&mut self, name: &'static str, expected: &'static str, found: JsonRef<'_>) {
        self.member(name, |checker| checker.report(Rule::Type, expected, describe(found)));
    }

    /// Reports a required member that is not there.
    #[cold]
    pub fn missing(&mut self, name: &str) {
        let (expected, found) = Reason::missing(name).into_words();
        self.report(Rule::Required, expected, found);
    }

    /// Reports a version of JSON-RPC that is missing or another one.
    pub(crate) fn version(&mut self, version: Option<JsonRef<'_>>, extra: &Extra) {
        match version {
            Some(version) if version != VERSION => self.member(JSONRPC, |checker| {
                checker.report(Rule::Constant, format!("{VERSION:?}"), describe(version));
            }),
            None if extra.is_omitted(JSONRPC) => self.missing(JSONRPC),
            _ => {}
        }
    }

    /// Reports members that a closed object does not have.
    pub fn closed<T: Record>(&mut self, record: &T) {
        for (name, value) in record.extra().members().filter(|(name, _)| !T::LAYOUT.knows(name)) {
            if self.is_full() {
                return;
            }
            self.at(Segment::Key(name.into_owned()), |checker| {
                checker.report(Rule::Closed, "no such member", describe(value))
            });
        }
    }

    /// Inspects members that are not declared, yet have a type.
    pub fn additional<T: Record, M: Wire>(&mut self, record: &T) {
        for (name, value) in record.extra().members().filter(|(name, _)| !T::LAYOUT.knows(name)) {
            if self.is_full() {
                return;
            }
            self.at(Segment::Key(name.into_owned()), |checker| checker.additional_member::<M>(value));
        }
    }

    fn additional_member<T: Wire>(&mut self, value: JsonRef<'_>) {
        if let (true, Some(place)) = (self.is_outline, &self.place) {
            // The outline has the name only.
            let place = place.value();
            if !fits::<T>(place, &mut self.judge) {
                self.fail();
            }
            return;
        }
        match crate::decode::read_valid::<T>(value) {
            Some(typed) => typed.inspect(self),
            None => self.misfit(|| explain::<T>(value)),
        }
    }

    /// Reports a value that is not of a closed enum.
    #[inline]
    pub fn unknown_value(&mut self, expected: &'static str, found: &str) {
        self.report(Rule::Enum, expected, describe_str(found));
    }

    /// Inspects a union: it conforms if any of its variants does, not only the one it was read as.
    ///
    /// Each value is decided once. As a rule a union conforms as what it was read as, with all unions inside it, and no
    /// more is done. Otherwise the outermost union is written to memory, and all judgements are made there, by reference.
    pub fn union<U: Union>(&mut self, union: &U, inspect: impl Fn(&mut Checker<'_>)) {
        // This holds for the union itself, not for those inside it.
        let is_decided = std::mem::take(&mut self.is_decided);
        if let Some(place) = self.place.as_ref().map(Place::value) {
            return self.union_at::<U>(place, is_decided, inspect);
        }
        if U::RULES.exclusive || is_decided || self.is_strict {
            return inspect(self);
        }
        let before = self.violations.len();
        let limit = std::mem::replace(&mut self.limit, before + 1);
        self.is_strict = true;
        inspect(self);
        self.is_strict = false;
        self.limit = limit;
        if self.violations.len() > before {
            self.violations.truncate(before);
            self.doubtful(union, inspect);
        }
    }

    /// A union that does not conform as what it was read as.
    #[cold]
    fn doubtful<U: Union>(&mut self, union: &U, inspect: impl Fn(&mut Checker<'_>)) {
        if union.variant_name() == Some(UNKNOWN) {
            self.is_open = true;
            inspect(self);
            self.is_open = false;
            return;
        }
        self.judge_text(&to_string(union), |value, judge| judge.conforms::<U>(value), &inspect);
    }

    /// Inspects a union in its text, unless that conforms.
    #[cold]
    fn judge_text(
        &mut self,
        text: &str,
        conforms: fn(JsonRef<'_>, &mut Judge) -> bool,
        inspect: &dyn Fn(&mut Checker<'_>),
    ) {
        let value = JsonRef::from_valid(text);
        let mut judge = Judge::default();
        if conforms(value, &mut judge) {
            return;
        }
        let mut checker = Checker {
            path: std::mem::take(&mut self.path),
            pointers: std::mem::take(&mut self.pointers),
            violations: std::mem::take(&mut self.violations),
            is_lenient: self.is_lenient,
            place: Some(Place::new(value)),
            judge,
            ..Checker::with_limit(self.limit)
        };
        inspect(&mut checker);
        (self.path, self.pointers, self.violations) = (checker.path, checker.pointers, checker.violations);
    }

    /// A union inside of one that is judged.
    #[cold]
    fn union_at<U: Union>(&mut self, place: JsonRef<'_>, is_decided: bool, inspect: impl Fn(&mut Checker<'_>)) {
        if self.is_outline {
            if !self.judge.conforms::<U>(place) {
                self.fail();
            }
        } else if U::RULES.exclusive || is_decided || !self.judge.conforms::<U>(place) {
            inspect(self);
        }
    }

    /// Reports that an outline does not conform. Nobody reads why.
    fn fail(&mut self) {
        self.report(Rule::Union, "", "");
    }

    /// Inspects the value of a union's unknown variant.
    pub fn unknown<U: Union>(&mut self, value: &Json) {
        let value = value.as_ref();
        let is_open = std::mem::take(&mut self.is_open);
        let decided = decide(&U::RULES, value).and_then(|variant| U::VARIANTS.get(variant));
        let mut judge = Judge::default();
        // Someone may have put a perfectly known value there by hand.
        if decided.is_some_and(|variant| (variant.conforms)(value, &mut judge)) || is_open && judge.conforms::<U>(value)
        {
            return;
        }
        match decided {
            Some(variant) => self.misfit(|| (variant.explain)(value)),
            None => {
                let names: Vec<_> = U::VARIANTS.iter().map(|variant| variant.name).collect();
                self.report(Rule::Union, format!("{}: {}", U::EXPECTED, names.join(", ")), describe(value));
            }
        }
    }

    /// Reports why a value does not have a type, at the place inside it that is to blame.
    #[inline]
    fn misfit(&mut self, explain: impl FnOnce() -> Reason) {
        if !self.is_full() {
            self.blame(explain());
        }
    }

    #[cold]
    fn blame(&mut self, reason: Reason) {
        let depth = self.path.len();
        self.path.extend(reason.segments().cloned());
        let rule = if reason.is_missing() { Rule::Required } else { Rule::Type };
        let (expected, found) = reason.into_words();
        self.report(rule, expected, found);
        self.path.truncate(depth);
        self.pointers.truncate(depth);
    }
}

/// What checking asks of a record, whatever its type.
pub(crate) trait Keeper {
    fn kept_extra(&self) -> &Extra;
    fn has_typed(&self, name: &str) -> bool;
    fn explain_member(&self, name: &str, value: JsonRef<'_>) -> Option<Reason>;
}

impl<T: Record> Keeper for T {
    fn kept_extra(&self) -> &Extra {
        self.extra()
    }

    fn has_typed(&self, name: &str) -> bool {
        self.typed(name).is_some()
    }

    fn explain_member(&self, name: &str, value: JsonRef<'_>) -> Option<Reason> {
        self.explain(name, value)
    }
}
