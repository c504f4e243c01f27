//! A JSON text as a flat list of values: nothing is recursive, so that no depth is too deep.

use std::borrow::Cow;

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sort {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

/// One value. Those inside it follow it in the list.
pub(crate) struct Node<'t> {
    pub(crate) sort: Sort,
    /// The name, of a member: see [`unescaped`].
    pub(crate) name: Option<Cow<'t, [u8]>>,
    /// The value as it is written.
    pub(crate) text: &'t str,
    /// The number of the value that follows this one and everything inside it.
    pub(crate) end: usize,
}

/// The values of a text from the outside in, or the byte from which on it is no JSON.
pub(crate) fn read(text: &str) -> Result<Vec<Node<'_>>, usize> {
    let mut reader = Reader { text, at: 0, nodes: Vec::new(), open: Vec::new() };
    match reader.document() {
        Some(()) => Ok(reader.nodes),
        None => Err(reader.at),
    }
}

/// The values directly inside a value.
pub(crate) fn children(nodes: &[Node<'_>], parent: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut next = parent + 1;
    while next < nodes[parent].end {
        found.push(next);
        next = nodes[next].end;
    }
    found
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    nodes: Vec<Node<'t>>,
    /// The arrays and objects that have not ended, each with its first byte.
    open: Vec<(usize, usize)>,
}

impl<'t> Reader<'t> {
    fn document(&mut self) -> Option<()> {
        self.space();
        self.value(None)?;
        while let Some((container, _)) = self.open.last().copied() {
            self.space();
            let is_object = self.nodes[container].sort == Sort::Object;
            if self.eat(if is_object { b'}' } else { b']' }) {
                self.close();
                continue;
            }
            if self.nodes.len() > container + 1 {
                self.expect(b',')?;
                self.space();
            }
            let name = if is_object { Some(self.name()?) } else { None };
            self.value(name)?;
        }
        self.space();
        (self.at == self.text.len()).then_some(())
    }

    /// Reads a value, or the beginning of an array or an object.
    fn value(&mut self, name: Option<Cow<'t, [u8]>>) -> Option<()> {
        let start = self.at;
        let sort = match self.peek()? {
            b'{' => Sort::Object,
            b'[' => Sort::Array,
            b'"' => Sort::String,
            b't' | b'f' => Sort::Bool,
            b'n' => Sort::Null,
            _ => Sort::Number,
        };
        match sort {
            Sort::Object | Sort::Array => {
                self.at += 1;
                self.open.push((self.nodes.len(), start));
            }
            Sort::String => drop(self.string()?),
            Sort::Number => self.number()?,
            Sort::Bool | Sort::Null => {
                let rest = &self.text.as_bytes()[start..];
                let word = ["true", "false", "null"].into_iter().find(|word| rest.starts_with(word.as_bytes()))?;
                self.at += word.len();
            }
        }
        let end = self.nodes.len() + 1;
        self.nodes.push(Node { sort, name, text: &self.text[start..self.at], end });
        Some(())
    }

    /// Ends the innermost array or object.
    fn close(&mut self) {
        if let Some((container, start)) = self.open.pop() {
            let end = self.nodes.len();
            let node = &mut self.nodes[container];
            node.text = &self.text[start..self.at];
            node.end = end;
        }
    }

    /// A member's name with its colon.
    fn name(&mut self) -> Option<Cow<'t, [u8]>> {
        let raw = self.string()?;
        self.space();
        self.expect(b':')?;
        self.space();
        Some(unescaped(raw))
    }

    /// A string, without its quotes.
    fn string(&mut self) -> Option<&'t str> {
        self.expect(b'"')?;
        let start = self.at;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => {
                    self.at += 1;
                    match self.peek()? {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 1,
                        b'u' => {
                            let digits = self.text.as_bytes().get(self.at + 1..self.at + 5)?;
                            digits.iter().all(u8::is_ascii_hexdigit).then_some(())?;
                            self.at += 5;
                        }
                        _ => return None,
                    }
                }
                0..=0x1f => return None,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(&self.text[start..self.at - 1])
    }

    fn number(&mut self) -> Option<()> {
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _ = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        Some(())
    }

    /// One digit or more.
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.eat(byte).then_some(())
    }
}

/// The inside of a string without its escapes: UTF-8, in which half of a surrogate pair has the three bytes that it would
/// have if it were a character. That way each string has one form.
pub(crate) fn unescaped(raw: &str) -> Cow<'_, [u8]> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw.as_bytes());
    }
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let [escape, tail @ ..] = rest else { break };
        rest = tail;
        match escape {
            b'b' => bytes.push(8),
            b'f' => bytes.push(12),
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            b't' => bytes.push(b'\t'),
            b'u' => {
                let first = unit(rest);
                rest = &rest[4..];
                let second = rest.strip_prefix(b"\\u").map(unit);
                let code = match (first, second) {
                    (0xd800..0xdc00, Some(second @ 0xdc00..0xe000)) => {
                        rest = &rest[6..];
                        0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                    }
                    _ => first,
                };
                push(&mut bytes, code);
            }
            other => bytes.push(*other),
        }
    }
    Cow::Owned(bytes)
}

/// The four hexadecimal digits at the start, which have been checked.
fn unit(digits: &[u8]) -> u32 {
    digits.iter().take(4).fold(0, |code, digit| code << 4 | char::from(*digit).to_digit(16).unwrap_or(0))
}

fn push(bytes: &mut Vec<u8>, code: u32) {
    match char::from_u32(code) {
        Some(character) => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        None => bytes.extend([0xe0 | (code >> 12) as u8, 0x80 | (code >> 6 & 0x3f) as u8, 0x80 | (code & 0x3f) as u8]),
    }
}
