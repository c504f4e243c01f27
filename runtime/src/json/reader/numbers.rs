//! Numbers, and the words that are values.

use super::{Reader, Stop};
use crate::json::syntax::Problem;

impl<'a> Reader<'a> {
    /// A whole number of up to 18 digits that is written in no other way than Rust would write it. Otherwise nothing is
    /// passed.
    #[inline]
    pub(crate) fn small_integer(&mut self) -> Option<i64> {
        let bytes = self.text.as_bytes();
        let is_negative = bytes.get(self.at) == Some(&b'-');
        let start = self.at + usize::from(is_negative);
        let (mut at, mut value) = (start, 0_i64);
        while let Some(digit @ b'0'..=b'9') = bytes.get(at) {
            if at - start == 18 {
                return None;
            }
            value = value * 10 + i64::from(digit - b'0');
            at += 1;
        }
        let is_other = matches!(bytes.get(at), Some(b'.' | b'e' | b'E'));
        let has_zero = bytes.get(start) == Some(&b'0') && (at - start > 1 || is_negative);
        if at == start || is_other || has_zero {
            return None;
        }
        self.at = at;
        Some(if is_negative { -value } else { value })
    }

    /// A number as it is written.
    pub(crate) fn number(&mut self) -> Result<&'a str, Stop> {
        let start = self.at;
        if self.byte() == b'-' {
            self.at += 1;
        }
        match self.byte() {
            b'0' => self.at += 1,
            b'1'..=b'9' => self.digits(),
            _ => return self.stop(Problem::Number),
        }
        if self.byte() == b'.' {
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.byte(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.byte(), b'+' | b'-') {
                self.at += 1;
            }
            self.some_digits()?;
        }
        match self.byte() {
            b'0'..=b'9' => self.stop(Problem::Number),
            _ => Ok(self.since(start)),
        }
    }

    #[inline]
    fn digits(&mut self) {
        while self.byte().is_ascii_digit() {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Result<(), Stop> {
        if !self.byte().is_ascii_digit() {
            return self.stop(Problem::Number);
        }
        self.digits();
        Ok(())
    }

    /// One of the words that are values.
    pub(crate) fn word(&mut self, word: &str) -> Result<(), Stop> {
        let bytes = self.text.as_bytes();
        if bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes())) {
            self.at += word.len();
            return Ok(());
        }
        // The place to name is the first byte that is wrong.
        while bytes.get(self.at).is_some_and(u8::is_ascii_lowercase) {
            self.at += 1;
        }
        self.stop(Problem::Value)
    }
}
