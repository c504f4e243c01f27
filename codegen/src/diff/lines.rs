//! The text of a schema in, the line and column of every value out.

use std::collections::BTreeMap;
use std::str::Chars;

/// Where something stands in a text. Both numbers begin at 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line. Only a line feed ends one, with or without a carriage return before it.
    pub line: usize,
    /// The column. A byte order mark has none.
    pub column: usize,
}

/// Where the values of a JSON document stand in its text.
///
/// The position of a member is that of its name, any other position is that of the value.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    root: Option<Position>,
    /// Values by the number of their parent, and their name or index in it. Whole pointers as keys would not be linear
    /// in the size of a deep text.
    values: BTreeMap<(usize, String), Found>,
}

#[derive(Debug, Clone, Copy)]
struct Found {
    number: usize,
    position: Position,
}

/// The number of the whole document.
const ROOT: usize = 0;

impl Lines {
    /// Reads a text once, from beginning to end.
    ///
    /// The text is taken to be JSON. For another text, the positions mean nothing.
    pub fn new(text: &str) -> Self {
        let mut reader = Reader::new(text);
        // Open values are kept here and not on the stack, because a text may be nested deeply.
        let mut open: Vec<Open> = Vec::new();
        while let Some((character, position)) = reader.next() {
            match character {
                '{' | '[' => {
                    let number = reader.value(open.last_mut(), position);
                    let inside =
                        if character == '{' { Inside::Object { name: None } } else { Inside::Array { next: 0 } };
                    open.push(Open { number, inside });
                }
                '}' | ']' => {
                    open.pop();
                }
                '"' => match open.last_mut() {
                    Some(Open { inside: Inside::Object { name: name @ None }, .. }) => {
                        *name = Some((reader.name(), position));
                    }
                    within => {
                        reader.value(within, position);
                        reader.skip_string();
                    }
                },
                ',' | ':' | ' ' | '\t' | '\r' | '\n' => {}
                _ => {
                    reader.value(open.last_mut(), position);
                    reader.skip_scalar();
                }
            }
        }
        reader.lines
    }

    /// The position of the value that a JSON pointer names or, if there is none, of the innermost value around it.
    ///
    /// None for a text without a value.
    pub fn find(&self, pointer: &str) -> Option<Position> {
        let mut position = self.root?;
        let mut number = ROOT;
        for step in pointer.split('/').skip(1) {
            let name = step.replace("~1", "/").replace("~0", "~");
            let Some(found) = self.values.get(&(number, name)) else { break };
            Found { number, position } = *found;
        }
        Some(position)
    }
}

/// An object or an array that has not ended yet.
struct Open {
    number: usize,
    inside: Inside,
}

enum Inside {
    /// The name whose value comes next.
    Object { name: Option<(String, Position)> },
    /// The index of the next item.
    Array { next: usize },
}

struct Reader<'a> {
    rest: Chars<'a>,
    /// The position of the next character.
    position: Position,
    /// How many values have been read. The number of a value is how many were read before it.
    values: usize,
    lines: Lines,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { rest: text.chars(), position: Position { line: 1, column: 1 }, values: 0, lines: Lines::default() }
    }

    fn next(&mut self) -> Option<(char, Position)> {
        let character = self.rest.next()?;
        let position = self.position;
        if character == '\n' {
            self.position = Position { line: position.line + 1, column: 1 };
        } else {
            self.position.column += 1;
        }
        Some((character, position))
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    /// Takes note of a value and gives it a number.
    fn value(&mut self, within: Option<&mut Open>, position: Position) -> usize {
        let number = self.values;
        self.values += 1;
        match within {
            None => {
                // Text after the document is not part of it.
                if self.lines.root.is_none() {
                    self.lines.root = Some(position);
                }
            }
            Some(Open { number: parent, inside: Inside::Object { name } }) => {
                if let Some((name, position)) = name.take() {
                    // If a name is repeated, the last one counts, as for serde_json. The values inside the earlier ones
                    // stay in the table, but no pointer leads to them.
                    self.lines.values.insert((*parent, name), Found { number, position });
                }
            }
            Some(Open { number: parent, inside: Inside::Array { next } }) => {
                self.lines.values.insert((*parent, next.to_string()), Found { number, position });
                *next += 1;
            }
        }
        number
    }

    /// Reads the rest of a string, after its first quotation mark.
    fn name(&mut self) -> String {
        let mut name = String::new();
        // The first half of a character that is written as two escapes.
        let mut half: Option<u32> = None;
        while let Some((character, _)) = self.next() {
            let unit = match character {
                '"' => break,
                '\\' => match self.next() {
                    Some(('u', _)) => Some(self.hexadecimal()),
                    Some((escaped, _)) => {
                        Self::push(&mut name, &mut half, unescape(escaped));
                        None
                    }
                    None => break,
                },
                _ => {
                    Self::push(&mut name, &mut half, character);
                    None
                }
            };
            match (unit, half) {
                (None, _) => {}
                (Some(low @ 0xdc00..=0xdfff), Some(high)) => {
                    half = None;
                    let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                    name.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                (Some(high @ 0xd800..=0xdbff), _) => {
                    if half.replace(high).is_some() {
                        name.push(char::REPLACEMENT_CHARACTER);
                    }
                }
                (Some(code), _) => {
                    Self::push(&mut name, &mut half, char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
            }
        }
        if half.is_some() {
            name.push(char::REPLACEMENT_CHARACTER);
        }
        name
    }

    /// Adds a character. A lone half before it becomes a replacement character.
    fn push(name: &mut String, half: &mut Option<u32>, character: char) {
        if half.take().is_some() {
            name.push(char::REPLACEMENT_CHARACTER);
        }
        name.push(character);
    }

    /// The number of up to four hexadecimal digits.
    fn hexadecimal(&mut self) -> u32 {
        let mut number = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|character| character.to_digit(16)) else { break };
            self.next();
            number = number * 16 + digit;
        }
        number
    }

    fn skip_string(&mut self) {
        while let Some((character, _)) = self.next() {
            match character {
                '"' => break,
                '\\' => {
                    self.next();
                }
                _ => {}
            }
        }
    }

    /// Skips the rest of a number, `true`, `false` or `null`.
    fn skip_scalar(&mut self) {
        while self.peek().is_some_and(|character| {
            !matches!(character, ',' | ':' | '{' | '}' | '[' | ']' | '"' | ' ' | '\t' | '\r' | '\n')
        }) {
            self.next();
        }
    }
}

/// What a character means after a backslash.
fn unescape(escaped: char) -> char {
    match escaped {
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        other => other,
    }
}
