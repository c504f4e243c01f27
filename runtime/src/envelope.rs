//! The envelope of a message: the members around params and results, alike in all revisions.
//!
//! Everything is read in one pass, in whatever order it comes: params as soon as the method is known, a result as soon as
//! the id is. What comes before the member that decides about it is passed, and read again afterwards. Many peers write the
//! result first, so the end of the message is looked at for the id before that.

use std::borrow::Cow;

use crate::body::PARAMS;
use crate::decode::Wire;
use crate::json::{Json, Reader, Stop, compact};
use crate::number::small;
use crate::record::Layout;
use crate::rpc::{ERROR, JSONRPC, RESULT, VERSION};
use crate::{ErrorObject, Extra, RequestId};

/// The members of a message.
#[derive(Default)]
pub(crate) struct Envelope<'a> {
    /// Whether the message is an object at all.
    pub(crate) is_object: bool,
    pub(crate) id: Option<RequestId>,
    pub(crate) method: Option<Cow<'a, str>>,
    pub(crate) params: Option<Passed<'a>>,
    pub(crate) result: Option<Passed<'a>>,
    pub(crate) error: Option<Passed<'a>>,
    /// The error, if it is one.
    pub(crate) error_object: Option<Box<ErrorObject>>,
    pub(crate) extra: Extra,
    /// The method, if the revision knows it.
    pub(crate) known: Option<Known>,
    /// The id that was read at the end of the message before its turn, and has not been met there.
    guess: Option<Guess>,
}

/// What seems to be the id of a message, and where it stands.
pub(crate) struct Guess {
    id: RequestId,
    start: usize,
    end: usize,
}

/// A member whose text has been passed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed<'a> {
    member: &'a str,
    pub(crate) value: &'a str,
    spaces: usize,
}

impl Passed<'_> {
    pub(crate) fn to_json(self) -> Json {
        // There may be space between the name and the value, too.
        match self.spaces {
            0 => Json::from_valid(self.value),
            _ => Json::from_valid(compact(self.value, self.value.len())),
        }
    }
}

/// A method that the revision knows, by its number.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Known {
    Request(usize),
    Notification(usize),
}

/// The parts of a message whose types depend on the revision, and what they are read into.
pub(crate) trait Typed {
    /// The number of a method.
    fn find(&self, method: &str) -> Option<Known>;

    /// Reads the params of a method, and says whether they have their type.
    fn read_params(&mut self, method: Known, reader: &mut Reader<'_>) -> Result<bool, Stop>;

    /// Reads the result of the request with this id, if it is known what was asked; otherwise nothing is read.
    fn read_result(&mut self, id: &RequestId, reader: &mut Reader<'_>) -> Result<bool, Stop>;

    /// Forgets a result that has been read.
    fn forget_result(&mut self);
}

/// What is kept beside the members of a message is told apart by this. It names none: each message has its own.
pub(crate) static MESSAGE: Layout = Layout::new("a message", &[], &[]);

/// How many members an envelope may have.
const MEMBERS: usize = 6;

/// The number of a member.
#[inline(always)]
fn number(name: &str) -> Option<usize> {
    match name {
        JSONRPC => Some(0),
        "id" => Some(1),
        "method" => Some(2),
        PARAMS => Some(3),
        RESULT => Some(4),
        ERROR => Some(5),
        _ => None,
    }
}

/// Where in a message each of them stands last.
type Last = [Option<usize>; MEMBERS];

/// Reads the members of a message. Nothing but white space may follow a message that `is_whole`.
///
/// It is filled in where it stands: messages are large, and moving them about costs more than reading the small ones.
pub(crate) fn read<'a>(
    envelope: &mut Envelope<'a>,
    reader: &mut Reader<'a>,
    typed: &mut dyn Typed,
    is_whole: bool,
) -> Result<(), Stop> {
    envelope.is_object = reader.peek() == b'{';
    if !envelope.is_object {
        return reader.skip();
    }
    let start = reader.mark();
    if envelope.read_members(reader, typed, is_whole, None)? {
        return Ok(());
    }
    // Some member comes twice. That is rare enough to begin again.
    reader.reset(start);
    let last = last_places(reader)?;
    reader.reset(start);
    typed.forget_result();
    *envelope = Envelope { is_object: true, ..Envelope::default() };
    envelope.read_members(reader, typed, is_whole, Some(&last)).map(drop)
}

#[cold]
fn last_places(reader: &mut Reader<'_>) -> Result<Last, Stop> {
    let mut last = Last::default();
    let (mut place, mut spare) = (0, String::new());
    let mut has_more = reader.enter(b'}')?;
    while has_more {
        let number = number(reader.name(&mut spare)?);
        if let Some(last) = number.and_then(|number| last.get_mut(number)) {
            *last = Some(place);
        }
        reader.skip()?;
        place += 1;
        has_more = reader.more(b'}')?;
    }
    Ok(last)
}

impl<'a> Envelope<'a> {
    /// Reads the members; of repeated ones those that count, if it is known where they are. Otherwise it ends at the first of
    /// them, and says so.
    fn read_members(
        &mut self,
        reader: &mut Reader<'a>,
        typed: &mut dyn Typed,
        is_whole: bool,
        last: Option<&Last>,
    ) -> Result<bool, Stop> {
        let (mut seen, mut place, mut spare) = (0_u8, 0, String::new());
        let mut has_more = reader.enter(b'}')?;
        while has_more {
            // Nearly every message has its version in these words.
            if seen & 1 == 0 && last.is_none() && reader.take("\"jsonrpc\":\"2.0\"") {
                seen |= 1;
                has_more = reader.more(b'}')?;
                continue;
            }
            let (start, spaces) = (reader.position(), reader.spaces());
            let number = number(reader.name(&mut spare)?);
            match (number, last) {
                (Some(number), None) if seen & 1 << number != 0 => return Ok(false),
                (Some(number), Some(last)) if last.get(number) != Some(&Some(place)) => {
                    reader.skip()?;
                    self.extra.keep_repeated(reader.since(start), reader.spaces() - spaces);
                }
                _ => {
                    seen |= number.map_or(0, |number| 1 << number);
                    self.member(number, start, spaces, reader, typed, is_whole)?;
                }
            }
            place += 1;
            has_more = reader.more(b'}')?;
        }
        if seen & 1 == 0 {
            self.extra.omit(JSONRPC);
        }
        if self.guess.is_some() {
            typed.forget_result();
        }
        Ok(true)
    }

    /// Reads the value of a member.
    #[inline]
    fn member(
        &mut self,
        number: Option<usize>,
        start: usize,
        spaces: usize,
        reader: &mut Reader<'a>,
        typed: &mut dyn Typed,
        is_whole: bool,
    ) -> Result<(), Stop> {
        let value = reader.position();
        let passed = |reader: &Reader<'a>| Passed {
            member: reader.since(start),
            value: reader.since(value),
            spaces: reader.spaces() - spaces,
        };
        let is_kept = match number {
            Some(0) => {
                self.version(start, spaces, reader)?;
                false
            }
            Some(1) if self.guess.as_ref().is_some_and(|guess| guess.start == value) => {
                if let Some(guess) = self.guess.take() {
                    reader.go_to(guess.end);
                    self.id = Some(guess.id);
                }
                false
            }
            Some(1) => {
                let mut id = RequestId::placeholder();
                let fits = id.read(reader)?;
                self.id = fits.then_some(id);
                if !fits {
                    self.extra.keep_malformed("id", reader.since(start), reader.spaces() - spaces, &MESSAGE);
                }
                false
            }
            Some(2) if reader.peek() == b'"' => {
                let method = reader.string()?;
                self.known = typed.find(&method);
                self.method = Some(method);
                false
            }
            Some(3) => {
                match self.known {
                    Some(method) => drop(typed.read_params(method, reader)?),
                    None => reader.skip()?,
                }
                self.params = Some(passed(reader));
                false
            }
            Some(4) => {
                self.read_result(reader, typed, is_whole)?;
                self.result = Some(passed(reader));
                false
            }
            Some(5) => {
                let mut error = Box::new(ErrorObject::placeholder());
                let fits = error.read(reader)?;
                self.error_object = fits.then_some(error);
                self.error = Some(passed(reader));
                false
            }
            _ => {
                reader.skip()?;
                true
            }
        };
        if is_kept {
            self.extra.keep(reader.since(start), reader.spaces() - spaces, &MESSAGE);
        }
        Ok(())
    }

    /// Reads a result, if it is known by now what was asked; otherwise it is passed.
    #[inline]
    fn read_result(&mut self, reader: &mut Reader<'a>, typed: &mut dyn Typed, is_whole: bool) -> Result<(), Stop> {
        if self.id.is_none() && is_whole {
            self.guess = reader.id_at_the_end();
        }
        let is_read = match self.id.as_ref().or(self.guess.as_ref().map(|guess| &guess.id)) {
            Some(id) => typed.read_result(id, reader)?,
            None => false,
        };
        if is_read { Ok(()) } else { reader.skip() }
    }

    /// Reads the version. Another one than the usual is kept.
    #[inline]
    fn version(&mut self, start: usize, spaces: usize, reader: &mut Reader<'a>) -> Result<(), Stop> {
        let is_usual =
            if reader.peek() == b'"' { reader.string()? == VERSION } else { reader.skip().map(|()| false)? };
        if !is_usual {
            self.extra.keep_malformed(JSONRPC, reader.since(start), reader.spaces() - spaces, &MESSAGE);
        }
        Ok(())
    }

    /// Keeps params that mean nothing in this kind of message.
    #[inline]
    pub(crate) fn keep_params(&mut self) {
        if let Some(params) = self.params {
            self.extra.keep(params.member, params.spaces, &MESSAGE);
        }
    }

    /// Keeps params that are `null`.
    #[cold]
    pub(crate) fn keep_null_params(&mut self) {
        if let Some(params) = self.params {
            self.extra.keep_malformed(PARAMS, params.member, params.spaces, &MESSAGE);
        }
    }

    /// Keeps a result as it came.
    #[inline]
    pub(crate) fn keep_result(&mut self) {
        if let Some(result) = self.result {
            self.extra.keep(result.member, result.spaces, &MESSAGE);
        }
    }

    /// Keeps an error as it came.
    #[inline]
    pub(crate) fn keep_error(&mut self) {
        if let Some(error) = self.error {
            self.extra.keep(error.member, error.spaces, &MESSAGE);
        }
    }
}

impl Reader<'_> {
    /// The id of a message, if it stands near the end, as it seems.
    #[inline(never)]
    fn id_at_the_end(&self) -> Option<Guess> {
        let rest = self.rest();
        let text = rest.trim_ascii_end().strip_suffix('}')?.trim_ascii_end();
        let guess = |start: usize, end: usize| {
            let value = text.get(start..end)?;
            let mut reader = Reader::new(value);
            let mut id = RequestId::placeholder();
            let is_id = id.read(&mut reader).unwrap_or(false) && reader.rest().is_empty();
            is_id.then(|| Guess { id, start: self.position() + start, end: self.position() + end })
        };
        // Nearly always it is a number, and the last member, or the version follows.
        let before_version = text.strip_suffix(r#","jsonrpc":"2.0""#).unwrap_or(text);
        let digits = before_version.bytes().rev().take_while(u8::is_ascii_digit).count();
        let mut end = before_version.len();
        if let (Some(before), Some(number)) = (before_version.get(..end - digits), before_version.get(end - digits..))
            && before.ends_with(r#","id":"#)
            && let Some(id) = small(number)
        {
            let (start, end) = (self.position() + before.len(), self.position() + end);
            return Some(Guess { id: id.into(), start, end });
        }
        end = text.len();
        for _ in 0..2 {
            let tail = text.as_bytes().get(end.saturating_sub(LONGEST_END)..end)?;
            let comma = end - tail.len() + tail.iter().rposition(|byte| *byte == b',')?;
            let member = text.get(comma + 1..end)?.trim_ascii();
            if let Some(value) = member.strip_prefix("\"id\"") {
                let value = value.trim_ascii_start().strip_prefix(':')?.trim_ascii_start();
                let end = end - (text.get(..end)?.len() - text.get(..end)?.trim_ascii_end().len());
                return guess(end - value.len(), end);
            }
            end = comma;
        }
        None
    }
}

/// How far from the end of a message an id is looked for.
const LONGEST_END: usize = 128;
