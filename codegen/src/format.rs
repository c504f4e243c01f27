//! Format: Rust text in, Rust text out, parsed and pretty-printed. What does not parse is never written.

use crate::error::{Error, Result};

/// Formats a file. The first line, a comment, is kept; the parser would drop it.
pub(crate) fn format(path: &str, text: &str) -> Result<String> {
    if !path.ends_with(".rs") {
        return Ok(tidy(text));
    }
    let (header, code) = text.split_once('\n').unwrap_or(("", text));
    let is_broken = |error| Error::internal(format!("{path} is not Rust: {error}"));
    let mut result = format!("{header}\n");
    for part in parts(code) {
        let part = match part {
            Part::Items(items) => spaced(&printed(items).map_err(is_broken)?),
            Part::Table(table) => {
                syn::parse_file(table).map_err(is_broken)?;
                tidy(table)
            }
        };
        if !part.trim().is_empty() {
            result.push('\n');
            result.push_str(&part);
        }
    }
    Ok(result)
}

/// What a file is made of.
enum Part<'c> {
    /// Ordinary items.
    Items(&'c str),
    /// The call of one of the macros that make a type of a table. It is laid out as the template has it.
    Table(&'c str),
}

/// Takes a file apart. A table begins and ends at the start of a line.
fn parts(code: &str) -> impl Iterator<Item = Part<'_>> {
    const START: &str = "\nwire::";
    const END: &str = "\n}\n";
    let mut rest = code;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (start, is_table) = match rest.starts_with(START.trim_start()) {
            true => (rest.find(END).map(|end| end + END.len()), true),
            false => (rest.find(START).map(|start| start + 1), false),
        };
        let (part, after) = start.and_then(|start| rest.split_at_checked(start)).unwrap_or((rest, ""));
        rest = after;
        Some(if is_table { Part::Table(part) } else { Part::Items(part) })
    })
}

/// Parses and prints a file piece by piece: a syntax tree takes a hundred times the memory of its text.
fn printed(code: &str) -> syn::Result<String> {
    let mut result = String::with_capacity(code.len() * 2);
    for piece in pieces(code) {
        match syn::parse_file(piece) {
            Ok(file) => result.push_str(&prettyplease::unparse(&file)),
            // A piece that ends in the middle of something is no reason to give up.
            Err(_) => return Ok(prettyplease::unparse(&syn::parse_file(code)?)),
        }
    }
    Ok(result)
}

/// Some items each. An item ends with a brace at the start of a line.
fn pieces(code: &str) -> impl Iterator<Item = &str> {
    const ENOUGH: usize = 64 * 1024;
    const END: &str = "\n}\n";
    let mut rest = code;
    std::iter::from_fn(move || {
        let enough = (ENOUGH..rest.len()).find(|at| rest.is_char_boundary(*at));
        let end = enough.and_then(|enough| Some(enough + rest.get(enough..)?.find(END)? + END.len()));
        let (piece, after) = end.and_then(|end| rest.split_at_checked(end)).unwrap_or((rest, ""));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Puts an empty line between items and between the methods of an implementation, where the printer leaves none.
fn spaced(code: &str) -> String {
    let mut result = String::with_capacity(code.len() + code.len() / 20);
    let mut before = "";
    for line in code.lines() {
        if !before.is_empty() && !line.is_empty() && is_apart(before, line) {
            result.push('\n');
        }
        result.push_str(line);
        result.push('\n');
        before = line;
    }
    result
}

/// Whether two lines belong to different things.
fn is_apart(before: &str, line: &str) -> bool {
    let (indent, text) = (line.len() - line.trim_start().len(), line.trim_start());
    let (outer, ended) = (before.len() - before.trim_start().len(), before.trim_start());
    let kind = |line: &str| match line {
        line if line.starts_with("//!") => 1,
        line if line.starts_with("#![") => 2,
        line if line.starts_with("use ") => 3,
        line if line.starts_with("mod ") => 4,
        line if line.starts_with("pub use ") => 5,
        _ => 0,
    };
    if indent == 0 && outer == 0 && kind(ended) > 0 && kind(text) != kind(ended) {
        return true;
    }
    let closes = matches!(ended, "}" | "};" | "];" | ">;" | ");") && outer == indent;
    let alias =
        ["pub type ", "pub const ", "pub mod "].iter().any(|start| before.starts_with(start)) && before.ends_with(';');
    let constant = ended.starts_with("const ") && ended.ends_with(';') && outer == indent;
    indent <= 4 && (closes || alias || constant) && starts_item(text) && !(closes && kind(text) == 5)
}

fn starts_item(line: &str) -> bool {
    ["///", "#[", "impl", "pub ", "fn ", "mod "].iter().any(|start| line.starts_with(start))
}

/// One empty line at most, none at the ends.
fn tidy(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut empty = true;
    for line in text.lines().map(str::trim_end) {
        if !line.is_empty() || !empty {
            result.push_str(line);
            result.push('\n');
        }
        empty = line.is_empty();
    }
    result.truncate(result.trim_end().len());
    result.push('\n');
    result
}
