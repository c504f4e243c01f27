//! Words: strings of a report in, pieces of text with links and marks out.
//!
//! Nothing here is HTML yet. The template escapes every piece, so that no string of a schema can become markup.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use std::rc::Rc;

use crate::diff::path::Path;

/// Two texts are compared only if the product of their lengths is below this, so that the cost stays linear.
const MAX_CELLS: usize = 1 << 16;

/// The anchors of types, by name.
pub(super) type Links = HashMap<String, Rc<str>>;

/// Text with or without a link.
#[derive(Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) text: String,
    /// The anchor it leads to.
    pub(super) to: Option<Rc<str>>,
}

/// The style of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Code,
    /// Removed, in the old text.
    Deleted,
    /// Added, in the new text.
    Inserted,
}

/// Pieces in one style.
#[derive(Debug, PartialEq)]
pub(super) struct Run {
    pub(super) style: Style,
    pub(super) pieces: Vec<Piece>,
}

/// A line of code. A line without runs only keeps two columns aligned.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    /// `same`, `changed` or `gap`: a class of the style sheet.
    pub(super) class: &'static str,
    pub(super) runs: Vec<Run>,
}

/// The text with hidden characters spelled out: control characters, marks of direction, separators of lines and
/// paragraphs.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| match c {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        c => c.is_control(),
    };
    if !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hidden(c) {
            // Writing to a string does not fail.
            let _ = write!(clean, "\\u{{{:x}}}", u32::from(c));
        } else {
            clean.push(c);
        }
    }
    Cow::Owned(clean)
}

/// Splits a text into words, spaces, short strings in quotation marks and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    #[derive(PartialEq)]
    enum Kind {
        Word,
        Space,
        Other,
    }
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '$' => Kind::Word,
        // A line break is a token of its own.
        c if c.is_whitespace() && c != '\n' => Kind::Space,
        _ => Kind::Other,
    };
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let first_kind = kind(first);
        let length = match first_kind {
            Kind::Other => literal(rest).unwrap_or(first.len_utf8()),
            _ => rest.find(|c| kind(c) != first_kind).unwrap_or(rest.len()),
        };
        let Some((token, more)) = rest.split_at_checked(length) else { break };
        tokens.push(token);
        rest = more;
    }
    tokens
}

/// The length of the string literal at the beginning of a text. A literal with spaces is a sentence, and is split into
/// words.
fn literal(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('"')?;
    let length = inner.find(|c: char| c == '"' || c.is_whitespace())?;
    inner.get(length..)?.starts_with('"').then_some(length + 2)
}

/// Makes runs from tokens.
struct Builder<'a> {
    links: &'a Links,
    runs: Vec<Run>,
    previous: Option<&'a str>,
}

impl<'a> Builder<'a> {
    fn new(links: &'a Links) -> Self {
        Self { links, runs: Vec::new(), previous: None }
    }

    fn push(&mut self, token: &'a str, style: Style, link: bool) {
        // A string that looks like the name of a type is no link.
        let quoted = matches!(self.previous, Some("\"" | "'"));
        self.previous = Some(token);
        let to = if link && !quoted { self.links.get(token).cloned() } else { None };
        self.place(token, style, to);
    }

    fn place(&mut self, text: &str, style: Style, to: Option<Rc<str>>) {
        let run = match self.runs.pop() {
            Some(run) if run.style == style => run,
            other => {
                self.runs.extend(other);
                Run { style, pieces: Vec::new() }
            }
        };
        self.runs.push(run);
        let Some(run) = self.runs.last_mut() else { return };
        match run.pieces.last_mut() {
            Some(piece) if to.is_none() && piece.to.is_none() => piece.text.push_str(text),
            _ => run.pieces.push(Piece { text: text.to_owned(), to }),
        }
    }
}

/// A path: the names of definitions in it are links.
pub(super) fn path(path: &Path<'_>, links: &Links) -> Vec<Run> {
    let mut builder = Builder::new(links);
    // Nothing here fails.
    let _ = path.write(&mut |text, definition| {
        let to = definition.and_then(|name| links.get(clean(name).as_ref()));
        builder.place(text, Style::Plain, to.cloned());
        Ok(())
    });
    builder.runs
}

/// Code.
pub(super) fn code(text: &str, links: &Links) -> Vec<Run> {
    let text = clean(text);
    let mut builder = Builder::new(links);
    for token in tokens(&text) {
        builder.push(token, Style::Plain, true);
    }
    builder.runs
}

/// A sentence with code between backticks. If there is code, only code has links: a sentence may begin with a word like
/// `Request` and not mean the type.
pub(super) fn prose(text: &str, links: &Links) -> Vec<Run> {
    let text = clean(text);
    let parts: Vec<&str> = text.split('`').collect();
    // The last backtick of an odd number is just a backtick.
    let code_until = parts.len() - (parts.len() + 1) % 2;
    let has_code = code_until > 1;
    let mut builder = Builder::new(links);
    for (position, part) in parts.iter().enumerate() {
        if position >= code_until {
            builder.push("`", Style::Plain, false);
        }
        let is_code = position % 2 == 1 && position < code_until;
        let style = if is_code { Style::Code } else { Style::Plain };
        for token in tokens(part) {
            builder.push(token, style, is_code || !has_code);
        }
    }
    builder.runs
}

/// A sentence, or a single name, which is code.
pub(super) fn name_or_prose(text: &str) -> Vec<Run> {
    if text.contains(char::is_whitespace) {
        return prose(text, &Links::new());
    }
    let mut runs = code(text, &Links::new());
    runs.iter_mut().for_each(|run| run.style = Style::Code);
    runs
}

/// Compares two texts line by line and marks the words that differ. With `level`, equal lines are in the same row of
/// both columns.
pub(super) fn compare(before: &str, after: &str, links: &Links, level: bool) -> (Vec<Line>, Vec<Line>) {
    let (before, after) = (clean(before), clean(after));
    let old: Vec<&str> = before.trim_end_matches('\n').split('\n').collect();
    let new: Vec<&str> = after.trim_end_matches('\n').split('\n').collect();
    let (old_kept, new_kept) = common(&old, &new);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let (mut old, mut new) = (old.into_iter().zip(old_kept).peekable(), new.into_iter().zip(new_kept).peekable());
    loop {
        let mut gone = Vec::new();
        while let Some((line, _)) = old.next_if(|(_, kept)| !kept) {
            gone.push(line);
        }
        let mut come = Vec::new();
        while let Some((line, _)) = new.next_if(|(_, kept)| !kept) {
            come.push(line);
        }
        hunk(&gone, &come, links, &mut left, &mut right);
        if level {
            let rows = left.len().max(right.len());
            left.resize_with(rows, gap);
            right.resize_with(rows, gap);
        }
        match (old.next(), new.next()) {
            (Some((line, _)), Some((same, _))) => {
                left.push(Line { class: "same", runs: code(line, links) });
                right.push(Line { class: "same", runs: code(same, links) });
            }
            _ => return (left, right),
        }
    }
}

/// A text of one edition only.
pub(super) fn alone(text: &str, links: &Links) -> Vec<Line> {
    let text = clean(text);
    let lines = text.trim_end_matches('\n').split('\n');
    lines.map(|line| Line { class: "same", runs: code(line, links) }).collect()
}

fn gap() -> Line {
    Line { class: "gap", runs: Vec::new() }
}

/// Compares lines that were replaced, word by word.
fn hunk(gone: &[&str], come: &[&str], links: &Links, left: &mut Vec<Line>, right: &mut Vec<Line>) {
    let (gone_text, come_text) = (gone.join("\n"), come.join("\n"));
    let (old, new) = (tokens(&gone_text), tokens(&come_text));
    let (old_kept, new_kept) = common(&old, &new);
    if !gone.is_empty() {
        left.extend(marked(&old, &old_kept, Style::Deleted, links));
    }
    if !come.is_empty() {
        right.extend(marked(&new, &new_kept, Style::Inserted, links));
    }
}

fn marked(tokens: &[&str], kept: &[bool], style: Style, links: &Links) -> Vec<Line> {
    let blank = |token: &&str| token.chars().all(char::is_whitespace);
    let mut lines = Vec::new();
    let mut builder = Builder::new(links);
    // Space between two marked words is marked, too: fewer and longer marks are easier to read.
    let mut after_mark = false;
    let mut pairs = tokens.iter().zip(kept).peekable();
    while let Some((token, kept)) = pairs.next() {
        if *token == "\n" {
            lines.push(Line { class: "changed", runs: std::mem::take(&mut builder.runs) });
            after_mark = false;
            continue;
        }
        let next_is_marked = pairs.peek().is_some_and(|(next, kept)| !**kept && !blank(next));
        let mark = if blank(token) { after_mark && next_is_marked } else { !kept };
        builder.push(token, if mark { style } else { Style::Plain }, true);
        after_mark = mark;
    }
    lines.push(Line { class: "changed", runs: builder.runs });
    lines
}

/// Finds the items of a longest common subsequence of two lists. If that is too much work, everything between the
/// common beginning and the common end counts as different.
fn common(old: &[&str], new: &[&str]) -> (Vec<bool>, Vec<bool>) {
    let prefix = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (old.get(prefix..).unwrap_or_default(), new.get(prefix..).unwrap_or_default());
    let suffix = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let old_middle = old_rest.get(..old_rest.len() - suffix).unwrap_or_default();
    let new_middle = new_rest.get(..new_rest.len() - suffix).unwrap_or_default();
    let (old_kept, new_kept) = subsequence(old_middle, new_middle);
    let whole = |kept: Vec<bool>| {
        let mut all = vec![true; prefix];
        all.extend(kept);
        all.resize(all.len() + suffix, true);
        all
    };
    (whole(old_kept), whole(new_kept))
}

fn subsequence(old: &[&str], new: &[&str]) -> (Vec<bool>, Vec<bool>) {
    let (mut old_kept, mut new_kept) = (vec![false; old.len()], vec![false; new.len()]);
    if old.is_empty() || new.is_empty() || old.len().saturating_mul(new.len()) > MAX_CELLS {
        return (old_kept, new_kept);
    }
    // lengths[i][j]: how much the lists have in common from i and j on.
    let mut lengths = vec![vec![0_u32; new.len() + 1]];
    for old in old.iter().rev() {
        let below = lengths.last().map_or(&[][..], Vec::as_slice);
        let mut row = vec![0_u32; new.len() + 1];
        let mut right = 0;
        for ((new, pair), cell) in new.iter().zip(below.windows(2)).zip(&mut row).rev() {
            let &[straight, diagonal] = pair else { continue };
            *cell = if old == new { diagonal + 1 } else { right.max(straight) };
            right = *cell;
        }
        lengths.push(row);
    }
    lengths.reverse();
    let at = |i: usize, j: usize| lengths.get(i).and_then(|row| row.get(j)).copied().unwrap_or_default();
    let (mut i, mut j) = (0, 0);
    while let (Some(left), Some(right)) = (old.get(i), new.get(j)) {
        if left == right {
            if let (Some(old), Some(new)) = (old_kept.get_mut(i), new_kept.get_mut(j)) {
                (*old, *new) = (true, true);
            }
            (i, j) = (i + 1, j + 1);
        } else if at(i + 1, j) >= at(i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    (old_kept, new_kept)
}
