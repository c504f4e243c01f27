//! The lines of the stdio transport: one message each.

use std::fmt;
use std::io::{self, Read, Write};

/// The longest message that is read unless another limit is set: 64 MiB.
pub const DEFAULT_LIMIT: usize = 64 << 20;

/// How much memory is kept for the lines to come: 64 KiB.
const KEPT: usize = 64 << 10;

/// Cuts a stream of bytes into lines, wherever the bytes come from.
///
/// Lines end with `\n`; a `\r` before it and lines of white space are dropped. A line beyond the limit is not kept in
/// memory: it is skipped up to its end, reported once, and what follows is read as usual. The memory that a long line
/// took is given back as soon as the line has been returned.
///
/// ```
/// # use mcp_wire_core::framing::{Frame, Framer};
/// let mut framer = Framer::new();
/// framer.push(b"{\"jsonrpc\":\"2.0\"}\r\n\n{\"json");
/// assert_eq!(framer.next(), Some(Frame::Message(b"{\"jsonrpc\":\"2.0\"}".to_vec())));
/// assert_eq!(framer.next(), None, "the second line has not ended yet");
/// ```
#[derive(Debug, Clone)]
pub struct Framer {
    buffer: Vec<u8>,
    /// Where the current line starts.
    start: usize,
    /// Up to where it has been searched for its end.
    searched: usize,
    limit: usize,
    /// How many bytes of a line beyond the limit have been dropped.
    dropped: usize,
    /// How many lines have been looked at.
    lines: usize,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// A message, without the end of its line.
    Message(Vec<u8>),
    /// A line beyond the limit, and how many bytes it had.
    TooLong(usize),
}

impl Default for Framer {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl Framer {
    /// Reads messages up to [`DEFAULT_LIMIT`].
    #[inline]
    pub fn new() -> Self {
        Self::with_limit(DEFAULT_LIMIT)
    }

    /// Reads messages up to a limit, in bytes.
    #[inline]
    pub fn with_limit(limit: usize) -> Self {
        Self { buffer: Vec::new(), start: 0, searched: 0, limit, dropped: 0, lines: 0 }
    }

    /// The longest message that is read.
    #[inline]
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The number of the line that was returned last, from 1, empty lines included.
    #[inline]
    pub fn line(&self) -> usize {
        self.lines
    }

    /// Adds bytes as they arrive.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.forget_lines();
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// How many bytes of memory are held for lines that have not been returned.
    #[inline]
    pub fn capacity(&self) -> usize {
        self.buffer.capacity()
    }

    #[inline]
    fn forget_lines(&mut self) {
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
    }

    /// Gives memory back that a long line has left behind. What is left in the buffer is small then, so that this costs
    /// less than reading the line did.
    #[inline]
    fn give_back(&mut self) {
        let capacity = self.buffer.capacity();
        if capacity > KEPT && self.buffer.len() - self.start <= capacity / 4 {
            self.forget_lines();
            self.buffer.shrink_to(KEPT);
        }
    }

    /// The next line that has ended.
    #[allow(clippy::should_implement_trait, reason = "after the last line, more may be pushed")]
    #[inline]
    pub fn next(&mut self) -> Option<Frame> {
        loop {
            let rest = self.buffer.get(self.searched..).unwrap_or_default();
            let Some(length) = rest.iter().position(|byte| *byte == b'\n') else {
                self.searched = self.buffer.len();
                self.shed();
                self.give_back();
                return None;
            };
            let end = self.searched + length;
            let line = self.buffer.get(self.start..end).unwrap_or_default();
            let frame = frame(line, self.limit, std::mem::take(&mut self.dropped));
            self.lines += 1;
            self.start = end + 1;
            self.searched = self.start;
            if frame.is_some() {
                self.give_back();
                return frame;
            }
        }
    }

    /// What is left when the stream has ended: a last line without an end.
    #[inline]
    pub fn finish(&mut self) -> Option<Frame> {
        if let Some(frame) = self.next() {
            return Some(frame);
        }
        let line = self.buffer.get(self.start..).unwrap_or_default();
        let frame = frame(line, self.limit, std::mem::take(&mut self.dropped));
        self.lines += usize::from(frame.is_some());
        self.buffer = Vec::new();
        (self.start, self.searched) = (0, 0);
        frame
    }

    /// Drops a line that is beyond the limit before it has ended, so that memory stays bounded.
    #[inline]
    fn shed(&mut self) {
        // One byte more may be the `\r` of the line's end.
        let length = self.buffer.len() - self.start;
        if self.dropped + length > self.limit.saturating_add(1) {
            self.dropped += length;
            self.buffer.truncate(self.start);
            self.searched = self.start;
        }
    }
}

#[inline]
fn frame(line: &[u8], limit: usize, dropped: usize) -> Option<Frame> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match dropped + line.len() {
        length if length > limit => Some(Frame::TooLong(length)),
        _ if line.iter().all(u8::is_ascii_whitespace) => None,
        _ => Some(Frame::Message(line.to_vec())),
    }
}

/// Reads messages from a blocking stream, such as a locked `stdin`.
#[derive(Debug)]
pub struct MessageReader<R> {
    stream: R,
    framer: Framer,
    has_ended: bool,
}

impl<R: Read> MessageReader<R> {
    /// Reads messages up to [`DEFAULT_LIMIT`].
    #[inline]
    pub fn new(stream: R) -> Self {
        Self::with_limit(stream, DEFAULT_LIMIT)
    }

    /// Reads messages up to a limit, in bytes.
    #[inline]
    pub fn with_limit(stream: R, limit: usize) -> Self {
        Self { stream, framer: Framer::with_limit(limit), has_ended: false }
    }

    /// The number of the line that was returned last, from 1, empty lines included.
    #[inline]
    pub fn line(&self) -> usize {
        self.framer.line()
    }
}

impl<R: Read> Iterator for MessageReader<R> {
    type Item = io::Result<Frame>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(frame) = self.framer.next() {
                return Some(Ok(frame));
            }
            if self.has_ended {
                return self.framer.finish().map(Ok);
            }
            let mut chunk = [0; 16 << 10];
            match self.stream.read(&mut chunk) {
                Ok(0) => self.has_ended = true,
                Ok(length) => self.framer.push(chunk.get(..length).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.has_ended = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Writes one message as a line, and flushes. A message that contains a line end is refused, and nothing is written.
pub fn write_message(stream: &mut impl Write, message: &[u8]) -> io::Result<()> {
    if message.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, EmbeddedLineEnd));
    }
    // One call, so that lines of several writers are not mixed up.
    let mut line = Vec::with_capacity(message.len() + 1);
    line.extend_from_slice(message);
    line.push(b'\n');
    stream.write_all(&line)?;
    stream.flush()
}

#[derive(Debug)]
struct EmbeddedLineEnd;

impl fmt::Display for EmbeddedLineEnd {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message of the stdio transport must not contain a line end; write JSON without white space")
    }
}

impl std::error::Error for EmbeddedLineEnd {}
