//! A place in JSON text, and what can be read there.
//!
//! Everything that reads text does it through a [`Reader`], so that there is one grammar, one limit on depth and one way
//! to say what is wrong. It reads strings, numbers and names, goes through objects and arrays, and skips whole values;
//! whatever it has passed is valid JSON.

mod numbers;
mod skip;
mod strings;

use std::borrow::Cow;

use super::scan::find_special;
use super::syntax::{Problem, SyntaxError};
use crate::MAX_DEPTH;
use crate::misfit::Reason;

pub(crate) use skip::compact;

/// Reading cannot go on. The [`Reader`] knows why.
#[derive(Debug)]
pub struct Stop;

/// What a value is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To be had.
    Value,
    /// To learn why it does not have its type.
    Reason,
    /// To be checked without what is checked on its own, or not at all: unions and free-form JSON are skipped.
    Outline,
}

/// Reads JSON text from one place on.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// How many levels may still be entered.
    room: usize,
    /// How many bytes of white space have been passed between values.
    spaces: usize,
    problem: Option<Problem>,
    pub(crate) purpose: Purpose,
    /// Why the value that was read last does not have its type, if that is what reading is for.
    pub(crate) reason: Option<Box<Reason>>,
    /// Whether a constant had another value than the one it must have, or a member came twice. It may be the tag of a union,
    /// which has to choose again then.
    pub(crate) is_contested: bool,
}

/// A place to which a [`Reader`] can come back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) at: usize,
    room: usize,
    spaces: usize,
}

impl<'a> Reader<'a> {
    /// Reads a text from its beginning.
    #[inline]
    pub fn new(text: &'a str) -> Self {
        Self::with_purpose(text, Purpose::Value)
    }

    #[inline]
    pub(crate) fn with_purpose(text: &'a str, purpose: Purpose) -> Self {
        Self { text, at: 0, room: MAX_DEPTH, spaces: 0, problem: None, purpose, reason: None, is_contested: false }
    }

    /// Reads a text that may nest so deep.
    #[inline]
    pub(crate) fn with_room(text: &'a str, room: usize) -> Self {
        Self { room, ..Self::new(text) }
    }

    /// Reads text that is known to be valid, however deep it nests.
    #[inline]
    pub(crate) fn trusted(text: &'a str) -> Self {
        Self::with_room(text, usize::MAX)
    }

    /// Where the reader is.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Where the next value starts.
    #[inline]
    pub(crate) fn start(&mut self) -> usize {
        self.peek();
        self.at
    }

    /// What it takes to come back to where the reader is.
    #[inline]
    pub(crate) fn mark(&self) -> Mark {
        Mark { at: self.at, room: self.room, spaces: self.spaces }
    }

    /// Goes back.
    #[inline]
    pub(crate) fn reset(&mut self, mark: Mark) {
        (self.at, self.room, self.spaces) = (mark.at, mark.room, mark.spaces);
    }

    /// Goes on to a place further on, at the same level, up to which all is known to be valid.
    #[inline]
    pub(crate) fn go_to(&mut self, position: usize) {
        self.at = position;
    }

    /// The text from a place on, up to where the reader is.
    #[inline]
    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// The text that has not been passed.
    #[inline]
    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// How much white space between values has been passed.
    #[inline]
    pub(crate) fn spaces(&self) -> usize {
        self.spaces
    }

    /// The problem that made reading stop.
    #[cold]
    pub(crate) fn error(&self) -> SyntaxError {
        SyntaxError::new(self.problem.unwrap_or(Problem::Value), self.text.as_bytes(), self.at)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn stop<T>(&mut self, problem: Problem) -> Result<T, Stop> {
        let problem = if self.at >= self.text.len() { Problem::End } else { problem };
        self.problem = Some(problem);
        Err(Stop)
    }

    /// The byte at the current place; zero at the end, which JSON never has outside a string.
    #[inline]
    fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// The next byte that is not white space.
    #[inline]
    pub(crate) fn peek(&mut self) -> u8 {
        let byte = self.byte();
        if byte > b' ' { byte } else { self.after_space() }
    }

    #[inline(never)]
    fn after_space(&mut self) -> u8 {
        loop {
            match self.byte() {
                b' ' | b'\n' | b'\r' | b'\t' => {
                    self.at += 1;
                    self.spaces += 1;
                }
                byte => return byte,
            }
        }
    }

    /// Passes the byte at the current place.
    #[inline]
    pub(crate) fn pass(&mut self) {
        self.at += 1;
    }

    /// Passes these words, if they come next.
    #[inline]
    pub(crate) fn take(&mut self, words: &str) -> bool {
        let comes = self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(words.as_bytes()));
        if comes {
            self.at += words.len();
        }
        comes
    }

    /// Makes sure that nothing but white space is left.
    pub(crate) fn end(&mut self) -> Result<(), Stop> {
        self.peek();
        if self.at < self.text.len() { self.stop(Problem::Trailing) } else { Ok(()) }
    }

    /// Enters an array or object at its opening bracket. Whether there is something in it.
    #[inline]
    pub(crate) fn enter(&mut self, close: u8) -> Result<bool, Stop> {
        if self.room == 0 {
            return self.stop(Problem::Depth);
        }
        self.at += 1;
        if self.peek() == close {
            self.at += 1;
            return Ok(false);
        }
        self.room -= 1;
        Ok(true)
    }

    /// Goes on after an item or a member, or leaves at the closing bracket. Whether there is another.
    #[inline]
    pub(crate) fn more(&mut self, close: u8) -> Result<bool, Stop> {
        match self.peek() {
            b',' => {
                self.at += 1;
                self.peek();
                Ok(true)
            }
            byte if byte == close => {
                self.at += 1;
                self.room += 1;
                Ok(false)
            }
            _ => self.stop(Problem::Separator),
        }
    }

    /// The name of a member, and what separates it from the value. A name with escapes is put into the spare string.
    // Read for every member: a call would cost a third of it.
    #[inline(always)]
    pub(crate) fn name<'n>(&mut self, spare: &'n mut String) -> Result<&'n str, Stop>
    where
        'a: 'n,
    {
        let (start, bytes) = (self.at + 1, self.text.as_bytes());
        if bytes.get(self.at) == Some(&b'"')
            && let Some(end) = find_special(bytes, start)
            && let Some([b'"', b':']) = bytes.get(end..end + 2)
            && let Some(name) = self.text.get(start..end)
        {
            self.at = end + 2;
            self.peek();
            return Ok(name);
        }
        self.unusual_name(spare)
    }

    #[inline(never)]
    fn unusual_name<'n>(&mut self, spare: &'n mut String) -> Result<&'n str, Stop> {
        *spare = self.name_cow()?.into_owned();
        Ok(spare)
    }

    /// The same, borrowed from the text where it can be.
    #[inline]
    pub(crate) fn name_cow(&mut self) -> Result<Cow<'a, str>, Stop> {
        if self.byte() != b'"' {
            return self.stop(Problem::Name);
        }
        let name = self.string()?;
        self.colon()?;
        Ok(name)
    }

    #[inline]
    fn colon(&mut self) -> Result<(), Stop> {
        if self.byte() != b':' {
            return self.distant_colon();
        }
        self.at += 1;
        self.peek();
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn distant_colon(&mut self) -> Result<(), Stop> {
        if self.peek() != b':' {
            return self.stop(Problem::Colon);
        }
        self.at += 1;
        self.peek();
        Ok(())
    }
}
