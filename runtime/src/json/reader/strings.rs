//! Strings.

use std::borrow::Cow;

use super::{Reader, Stop};
use crate::json::scan::find_special;
use crate::json::syntax::Problem;

impl<'a> Reader<'a> {
    /// A string, from its opening quote on.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>, Stop> {
        match self.plain_string() {
            Some(string) => Ok(Cow::Borrowed(string)),
            None => self.escaped_string().map(Cow::Owned),
        }
    }

    /// A string, from its opening quote on, if it is without escapes. Otherwise nothing is passed.
    #[inline]
    pub(crate) fn plain_string(&mut self) -> Option<&'a str> {
        let (start, bytes) = (self.at + 1, self.text.as_bytes());
        let end = find_special(bytes, start).filter(|end| bytes.get(*end) == Some(&b'"'))?;
        self.at = end + 1;
        self.text.get(start..end)
    }

    /// A string with a text of its own, from its opening quote on.
    #[inline]
    pub(crate) fn owned_string(&mut self) -> Result<String, Stop> {
        match self.plain_string() {
            Some(string) => Ok(string.to_owned()),
            None => self.escaped_string(),
        }
    }

    #[inline(never)]
    fn escaped_string(&mut self) -> Result<String, Stop> {
        self.at += 1;
        let mut string = String::new();
        loop {
            let (start, bytes) = (self.at, self.text.as_bytes());
            let Some(special) = find_special(bytes, start) else {
                self.at = bytes.len();
                return self.stop(Problem::End);
            };
            self.at = special;
            let plain = self.text.get(start..special).unwrap_or_default();
            if string.is_empty() {
                // Rarely is there more than one escape for each plain character.
                string.reserve(plain.len() * 2 + 16);
            }
            string.push_str(plain);
            match (bytes.get(special), bytes.get(special + 1)) {
                (Some(b'"'), _) => {
                    self.at += 1;
                    return Ok(string);
                }
                (Some(b'\\'), Some(b'n')) => string.push('\n'),
                (Some(b'\\'), Some(b'"')) => string.push('"'),
                (Some(b'\\'), Some(b'\\')) => string.push('\\'),
                (Some(b'\\'), Some(b't')) => string.push('\t'),
                (Some(b'\\'), _) => {
                    string.push(self.escape()?);
                    continue;
                }
                _ => return self.stop(Problem::Control),
            }
            self.at = special + 2;
        }
    }

    /// The character that an escape stands for, from its backslash on.
    fn escape(&mut self) -> Result<char, Stop> {
        self.at += 1;
        let byte = self.byte();
        let character = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                self.at += 1;
                return self.code_point();
            }
            _ => return self.stop(Problem::Escape),
        };
        self.at += 1;
        Ok(character)
    }

    fn code_point(&mut self) -> Result<char, Stop> {
        let first = self.four_digits()?;
        let code = match first {
            0xd800..0xdc00 if self.text.as_bytes().get(self.at..self.at + 2) == Some(b"\\u") => {
                self.at += 2;
                match self.four_digits()? {
                    second @ 0xdc00..0xe000 => 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00),
                    _ => return self.stop(Problem::Surrogate),
                }
            }
            _ => first,
        };
        match char::from_u32(code) {
            Some(character) => Ok(character),
            None => self.stop(Problem::Surrogate),
        }
    }

    fn four_digits(&mut self) -> Result<u32, Stop> {
        let mut code = 0;
        for _ in 0..4 {
            match char::from(self.byte()).to_digit(16) {
                Some(digit) => code = code * 16 + digit,
                None => return self.stop(Problem::Escape),
            }
            self.at += 1;
        }
        Ok(code)
    }

    /// Passes a string, from its opening quote on.
    #[inline(never)]
    pub(super) fn skip_escaped_string(&mut self) -> Result<(), Stop> {
        self.at += 1;
        loop {
            let bytes = self.text.as_bytes();
            self.at = find_special(bytes, self.at).unwrap_or(bytes.len());
            match self.byte() {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => drop(self.escape()?),
                _ => return self.stop(Problem::Control),
            }
        }
    }
}
