//! Whole values: passed without looking at what they are, and copied without white space.

use super::{Mark, Reader, Stop};
use crate::json::scan::find_special;
use crate::json::syntax::Problem;

impl Reader<'_> {
    /// Passes one value, whatever it is.
    pub(crate) fn skip(&mut self) -> Result<(), Stop> {
        let bytes = self.text.as_bytes();
        let mut levels = Levels::default();
        // The place is kept here, and not in the reader, as long as nothing unusual comes.
        let mut at = self.at;
        loop {
            match self.next_byte(&mut at) {
                b'"' => at = self.after_string(bytes, at)?,
                b'{' => {
                    if self.room == 0 {
                        return self.stop_at(at, Problem::Depth);
                    }
                    at += 1;
                    if self.next_byte(&mut at) != b'}' {
                        self.room -= 1;
                        levels.push(true);
                        at = self.after_name(bytes, at)?;
                        continue;
                    }
                    at += 1;
                }
                b'[' => {
                    if self.room == 0 {
                        return self.stop_at(at, Problem::Depth);
                    }
                    at += 1;
                    if self.next_byte(&mut at) != b']' {
                        self.room -= 1;
                        levels.push(false);
                        continue;
                    }
                    at += 1;
                }
                byte => {
                    self.at = at;
                    self.skip_scalar(byte)?;
                    at = self.at;
                }
            }
            loop {
                let Some(is_object) = levels.innermost() else {
                    self.at = at;
                    return Ok(());
                };
                match self.next_byte(&mut at) {
                    b',' => {
                        at += 1;
                        if is_object {
                            self.next_byte(&mut at);
                            at = self.after_name(bytes, at)?;
                        }
                        break;
                    }
                    b'}' if is_object => {}
                    b']' if !is_object => {}
                    _ => return self.stop_at(at, Problem::Separator),
                }
                at += 1;
                self.room += 1;
                levels.pop();
            }
        }
    }

    /// Passes a value that nests too deep, from its beginning on. Whatever else made reading stop does so again.
    #[cold]
    pub(crate) fn skip_too_deep(&mut self, start: Mark) -> Result<(), Stop> {
        if self.problem != Some(Problem::Depth) {
            return Err(Stop);
        }
        self.reset(start);
        let room = std::mem::replace(&mut self.room, usize::MAX);
        self.skip()?;
        self.room = room;
        Ok(())
    }

    /// The byte that is not white space at a place or after it.
    #[inline]
    fn next_byte(&mut self, at: &mut usize) -> u8 {
        match self.text.as_bytes().get(*at) {
            Some(byte) if *byte > b' ' => *byte,
            _ => {
                self.at = *at;
                let byte = self.after_space();
                *at = self.at;
                byte
            }
        }
    }

    /// The place after a string.
    #[inline]
    fn after_string(&mut self, bytes: &[u8], at: usize) -> Result<usize, Stop> {
        match find_special(bytes, at + 1) {
            Some(end) if bytes.get(end) == Some(&b'"') => Ok(end + 1),
            _ => {
                self.at = at;
                self.skip_escaped_string().map(|()| self.at)
            }
        }
    }

    /// The place after the name of a member and its colon.
    #[inline(always)]
    fn after_name(&mut self, bytes: &[u8], at: usize) -> Result<usize, Stop> {
        if bytes.get(at) == Some(&b'"')
            && let Some(end) = find_special(bytes, at + 1)
            && let Some([b'"', b':']) = bytes.get(end..end + 2)
        {
            return Ok(end + 2);
        }
        self.after_unusual_name(at)
    }

    #[inline(never)]
    fn after_unusual_name(&mut self, at: usize) -> Result<usize, Stop> {
        self.at = at;
        if self.byte() != b'"' {
            return self.stop(Problem::Name);
        }
        self.skip_escaped_string()?;
        self.colon()?;
        Ok(self.at)
    }

    #[cold]
    fn stop_at<T>(&mut self, at: usize, problem: Problem) -> Result<T, Stop> {
        self.at = at;
        self.stop(problem)
    }

    /// Passes a number or one of the words.
    fn skip_scalar(&mut self, first: u8) -> Result<(), Stop> {
        match first {
            b'-' | b'0'..=b'9' if self.small_integer().is_some() => Ok(()),
            b'-' | b'0'..=b'9' => self.number().map(drop),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            _ => self.stop(Problem::Value),
        }
    }
}

/// Which of the levels around a value are objects: one bit each.
#[derive(Default)]
struct Levels {
    depth: usize,
    inner: u64,
    outer: Vec<u64>,
}

impl Levels {
    #[inline]
    fn push(&mut self, is_object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.inner);
        }
        self.inner = self.inner << 1 | u64::from(is_object);
        self.depth += 1;
    }

    #[inline]
    fn innermost(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.inner & 1 == 1)
    }

    #[inline]
    fn pop(&mut self) {
        self.depth -= 1;
        self.inner >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.inner = self.outer.pop().unwrap_or_default();
        }
    }
}

/// Copies a valid value without the white space between its parts.
pub(crate) fn compact(text: &str, length: usize) -> String {
    let bytes = text.as_bytes();
    let mut result = String::with_capacity(length);
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        // Up to the next white space outside a string.
        while let Some(byte) = bytes.get(at)
            && *byte > b' '
        {
            at += 1;
            if *byte == b'"' {
                while let Some(special) = find_special(bytes, at) {
                    at = special + 1;
                    if bytes.get(special) == Some(&b'"') {
                        break;
                    }
                    // What follows a backslash cannot end the string.
                    at += 1;
                }
            }
        }
        result.push_str(text.get(start..at).unwrap_or_default());
        while bytes.get(at).is_some_and(|byte| *byte <= b' ') {
            at += 1;
        }
    }
    result
}
