//! Reading an object: the code for it exists once, for all types.

use std::borrow::Cow;

use super::members::{Members, Unplaced};
use super::{Layout, Need, Record};
use crate::extra::Extra;
use crate::json::{JsonRef, Purpose, Reader, Stop};
use crate::misfit::{Reason, Segment};

/// Reads an object into a placeholder.
#[inline]
pub fn read_record<T: Record>(record: &mut T, reader: &mut Reader<'_>) -> Result<bool, Stop> {
    read_object(&mut Any(record), T::LAYOUT, reader)
}

/// What reading an object asks of a record, without its type: the code for it exists once.
trait AnyRecord {
    fn read_member(&mut self, name: &str, members: &mut Members, reader: &mut Reader<'_>) -> Result<bool, Stop>;
    fn extra_mut(&mut self) -> &mut Extra;
}

struct Any<'a, T>(&'a mut T);

impl<T: Record> AnyRecord for Any<'_, T> {
    fn read_member(&mut self, name: &str, members: &mut Members, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        self.0.read_member(name, members, reader)
    }

    fn extra_mut(&mut self) -> &mut Extra {
        self.0.extra_mut()
    }
}

fn read_object(record: &mut dyn AnyRecord, layout: &'static Layout, reader: &mut Reader<'_>) -> Result<bool, Stop> {
    if reader.peek() != b'{' {
        return reader.unfit(layout.expected);
    }
    let start = reader.position();
    let mut members = Members::default();
    let mut spare = String::new();
    let mut has_more = reader.enter(b'}')?;
    while has_more {
        let (name_start, spaces) = (reader.position(), reader.spaces());
        let name = reader.name(&mut spare)?;
        let value_start = reader.position();
        if !record.read_member(name, &mut members, reader)? {
            reader.skip()?;
            if !members.has_repeated() {
                keep_unknown(record.extra_mut(), layout, name_start, value_start, spaces, reader);
            }
        } else if let Some(last) = members.take_unplaced() {
            keep_unplaced(record.extra_mut(), layout, last, &mut members, [name_start, value_start], spaces, reader);
        }
        has_more = reader.more(b'}')?;
    }
    if members.has_repeated() {
        reader.is_contested = true;
        collect_again(record.extra_mut(), layout, &members, start, reader);
    }
    if layout.is_small && members.have(layout.awaited) {
        return Ok(true);
    }
    Ok(finish(record.extra_mut(), layout, members, reader))
}

#[inline]
fn keep_unknown(
    extra: &mut Extra,
    layout: &'static Layout,
    name: usize,
    value: usize,
    spaces: usize,
    reader: &Reader<'_>,
) {
    match reader.purpose {
        Purpose::Value => extra.keep(reader.since(name), reader.spaces() - spaces, layout),
        Purpose::Outline => extra.keep(&outlined(reader, name, value, "null"), 0, layout),
        Purpose::Reason => {}
    }
}

#[cold]
#[inline(never)]
fn keep_unplaced(
    extra: &mut Extra,
    layout: &'static Layout,
    unplaced: Unplaced,
    members: &mut Members,
    [name_start, value_start]: [usize; 2],
    spaces: usize,
    reader: &mut Reader<'_>,
) {
    let name = layout.name(unplaced.index);
    match reader.purpose {
        Purpose::Reason if unplaced.is_required => {
            if let Some(reason) = reader.reason.take() {
                members.odd().reasons.push((unplaced.index, reason.within(Segment::Name(name))));
            }
        }
        Purpose::Reason => {}
        // The object as a whole is kept, or its members are collected again.
        _ if unplaced.is_required || members.has_repeated() => {}
        Purpose::Value => extra.keep_malformed(name, reader.since(name_start), reader.spaces() - spaces, layout),
        Purpose::Outline => {
            let value = reader.since(value_start);
            // No constant is an array or an object, and other malformed members are wrong whatever they are.
            let value = if !unplaced.is_constant || value.starts_with(['{', '[']) { "[]" } else { value };
            extra.keep_malformed(name, &outlined(reader, name_start, value_start, value), 0, layout);
        }
    }
}

/// A member with its name as it is written, and another value.
fn outlined(reader: &Reader<'_>, name: usize, value: usize, outline: &str) -> String {
    let member = reader.since(name);
    let name = member.get(..value - name).unwrap_or_default();
    format!("{}{outline}", name.trim_ascii_end())
}

/// Goes through an object again of which members were repeated: the last ones count, and the others are kept apart.
#[cold]
#[inline(never)]
fn collect_again(extra: &mut Extra, layout: &'static Layout, members: &Members, start: usize, reader: &Reader<'_>) {
    if reader.purpose == Purpose::Reason {
        return;
    }
    let malformed = members.malformed();
    let text = reader.since(start);
    let number = |name: &str| layout.names().position(|known| known == name);
    let mut last = vec![0; layout.names().count()];
    for (place, (name, _)) in JsonRef::from_valid(text).members().enumerate() {
        if let Some(last) = number(&name).and_then(|index| last.get_mut(index)) {
            *last = place;
        }
    }
    // No more can come of it than there is text. An outline needs the last ones only.
    let is_outline = reader.purpose == Purpose::Outline;
    extra.forget_members(if is_outline { 0 } else { text.len() });
    let mut again = Reader::trusted(text);
    let mut has_more = again.enter(b'}').unwrap_or(false);
    let (mut place, mut spare) = (0, String::new());
    while has_more {
        let (name_start, spaces) = (again.position(), again.spaces());
        let Ok(index) = again.name(&mut spare).map(number) else { return };
        let value_start = again.position();
        if again.skip().is_err() {
            return;
        }
        let is_last = index.is_none_or(|index| last.get(index) == Some(&place));
        let value = again.since(value_start);
        let is_structure = value.starts_with(['{', '[']);
        let is_constant = index.is_some_and(|index| index >= layout.fields.len());
        let member: Cow<'_, str> = match (is_outline, index) {
            (false, _) => again.since(name_start).into(),
            (true, None) => outlined(&again, name_start, value_start, "null").into(),
            (true, Some(_)) if is_constant && !is_structure => again.since(name_start).into(),
            (true, Some(_)) => outlined(&again, name_start, value_start, "[]").into(),
        };
        let spaces = if is_outline && (!is_constant || is_structure) { 0 } else { again.spaces() - spaces };
        match index {
            None => extra.keep(&member, spaces, layout),
            Some(_) if !is_last && is_outline => {}
            Some(_) if !is_last => extra.keep_repeated(&member, spaces),
            Some(index) if malformed.contains(&index) => {
                extra.keep_malformed(layout.name(index), &member, spaces, layout);
            }
            Some(_) => {}
        }
        place += 1;
        has_more = again.more(b'}').unwrap_or(false);
    }
}

/// Deals with what did not come.
#[cold]
#[inline(never)]
fn finish(extra: &mut Extra, layout: &'static Layout, members: Members, reader: &mut Reader<'_>) -> bool {
    let mut fits = true;
    let mut missing = None;
    for (index, field) in layout.fields.iter().enumerate() {
        if members.fits(index) {
            continue;
        }
        match field.need {
            Need::Required => {
                fits = false;
                if !members.has_come(index) {
                    missing = missing.or(Some(field.name));
                }
            }
            Need::Defaulted => extra.omit(field.name),
            Need::Optional | Need::Lenient => {}
        }
    }
    for (index, constant) in layout.constants.iter().enumerate() {
        if !members.has_come(layout.fields.len() + index) {
            extra.omit(constant.name.name);
        }
    }
    if !fits && reader.purpose == Purpose::Reason {
        let reasons = members.into_reasons();
        let reason = reasons.into_iter().next().map(|(_, reason)| reason);
        let reason = reason.or_else(|| missing.map(Reason::missing));
        reader.reason = reason.map(Box::new);
    }
    fits
}
