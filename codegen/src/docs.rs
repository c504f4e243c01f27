//! Descriptions in, rustdoc out: working links, nothing that rustdoc would run, warn about or choke on.

use std::collections::BTreeMap;

use crate::plain::is_unseen;

/// Wider than this, text is wrapped.
const WIDTH: usize = 100;

/// Where the specification's relative links lead.
const SITE: &str = "https://modelcontextprotocol.io";

/// What a link may point to: Rust names by definition.
pub(crate) type Targets = BTreeMap<String, String>;

/// The lines of a doc comment, without their `///`.
pub(crate) fn lines(description: &str, targets: &Targets) -> Vec<String> {
    let mut lines = Vec::new();
    let mut fence: Option<String> = None;
    for line in clean(description).lines() {
        let line = line.trim_end();
        let start = line.trim_start();
        let ticks: String = start.chars().take_while(|c| *c == '`').collect();
        match &fence {
            // A longer fence closes a shorter one.
            Some(open) if ticks.len() >= open.len() && ticks == start => {
                lines.push(open.clone());
                fence = None;
            }
            Some(_) => lines.push(line.to_owned()),
            // Examples are messages, not Rust: without a language rustdoc would compile them.
            None if ticks.len() >= 3 && !start.trim_start_matches('`').contains('`') => {
                lines.push(format!("{ticks}text"));
                fence = Some(ticks);
            }
            None => wrap(&indent(line, &prose(start, targets)), &mut lines),
        }
    }
    lines.extend(fence);
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// The first sentence of a description, for places that have none of their own.
pub(crate) fn first_sentence(description: &str) -> &str {
    let paragraph = description.split("\n\n").next().unwrap_or_default();
    // The full stop belongs to the sentence.
    paragraph.find(". ").and_then(|end| paragraph.get(..=end)).unwrap_or(paragraph)
}

/// Takes out what source text must not contain: control characters, and those that reorder what a reader sees.
fn clean(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\t', " ").chars().filter(|c| *c == '\n' || !is_unseen(*c)).collect()
}

/// A name of the schema as code in the middle of a line.
pub(crate) fn shown(text: &str) -> String {
    let text: String = text.chars().map(|c| if is_unseen(c) { ' ' } else { c }).take(200).collect();
    format!("`{}`", text.replace('`', "'"))
}

/// Keeps the indentation of nested lists, yet never so much that the line becomes code.
fn indent(line: &str, text: &str) -> String {
    let spaces = line.len() - line.trim_start().len();
    format!("{}{text}", " ".repeat(spaces.min(2)))
}

/// One line of prose: links resolved, stray brackets and angle brackets escaped, code left alone.
fn prose(line: &str, targets: &Targets) -> String {
    let mut result = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let (text, consumed) = match c {
            // Right behind code that a link left, more backticks would belong to it.
            '`' if !result.ends_with('`') => code(rest),
            '`' => ("\\`".to_owned(), 1),
            // Neither a fence nor, behind the mark of a list or a quotation, the indentation of code.
            '~' if rest.starts_with("~~~") => ("\\~".to_owned(), 1),
            ' ' if result.ends_with(' ') => (String::new(), 1),
            '{' => link_tag(rest, targets),
            // What would be shown is fetched by whoever reads the page, and tells the sender that it was read.
            '!' => image(rest),
            '[' => markdown_link(rest),
            'h' if rest.starts_with("http://") || rest.starts_with("https://") => url(rest),
            '<' | ']' => (format!("\\{c}"), 1),
            // A backslash before one of ours would take back the escape.
            '\\' => ("\\\\".to_owned(), 1),
            c => (c.to_string(), c.len_utf8()),
        };
        result.push_str(&text);
        rest = rest.get(consumed..).unwrap_or_default();
    }
    result
}

/// Code ends with as many backticks as it began with. Three and more could become a fence when lines are wrapped.
fn code(rest: &str) -> (String, usize) {
    let ticks = backticks(rest);
    let near = nearby(rest);
    let mut end = ticks;
    while let Some(next) = near.get(end..).and_then(|after| after.find('`')) {
        end += next;
        let closing = rest.get(end..).map_or(0, backticks);
        end += closing;
        if closing == ticks && ticks < 3 {
            return (rest.get(..end).unwrap_or_default().to_owned(), end);
        }
    }
    ("\\`".repeat(ticks), ticks)
}

fn backticks(text: &str) -> usize {
    text.len() - text.trim_start_matches('`').len()
}

/// Whether all code in a text ends inside it.
fn is_complete(text: &str) -> bool {
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        let (code, length) = code(rest.get(start..).unwrap_or_default());
        if code.starts_with('\\') {
            return false;
        }
        rest = rest.get(start + length..).unwrap_or_default();
    }
    true
}

/// As much of a text as is searched for the end of what begins there: looking further each time would take forever.
fn nearby(text: &str) -> &str {
    const NEARBY: usize = 1000;
    let end = (0..=NEARBY.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    end.and_then(|end| text.get(..end)).unwrap_or_default()
}

/// `{@link Type}` or `{@link Type | label}`.
fn link_tag(rest: &str, targets: &Targets) -> (String, usize) {
    let inner = nearby(rest).strip_prefix("{@link ").and_then(|inner| inner.split_once('}')).map(|(inner, _)| inner);
    let Some(inner) = inner else { return ("{".to_owned(), 1) };
    let length = "{@link ".len() + inner.len() + 1;
    let (target, label) = match inner.split_once('|') {
        Some((target, label)) => (target.trim(), Some(label.trim())),
        None => (inner.trim(), None),
    };
    let shown = label.unwrap_or(target).replace(['[', ']', '<', '>', '\\'], "");
    let shown = if is_complete(&shown) { shown } else { shown.replace('`', "") };
    let shown = if shown.contains(['`', ' ']) || shown.is_empty() { shown } else { format!("`{shown}`") };
    // `Type.member` leads to the type; the member may be a constant and have no field.
    let name = target.split('.').next().unwrap_or_default();
    match targets.get(name) {
        Some(rust) if !shown.is_empty() => (format!("[{shown}](crate::{rust})"), length),
        _ => (shown, length),
    }
}

/// `[label](target)`; a bracket that starts no link is escaped, so that it does not become one.
fn markdown_link(rest: &str) -> (String, usize) {
    let inner = nearby(rest).strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let Some((label, after)) = inner else { return ("\\[".to_owned(), 1) };
    let target = after.strip_prefix('(').and_then(|after| after.split_once(')')).map(|(target, _)| target);
    match target {
        Some(target) if is_plain_target(target) && !label.contains('[') && is_complete(label) => {
            let length = 1 + label.len() + 1 + 1 + target.len() + 1;
            let site = if target.starts_with('/') { SITE } else { "" };
            let label = label.replace('<', "\\<");
            (format!("[{label}]({site}{target})"), length)
        }
        _ => ("\\[".to_owned(), 1),
    }
}

/// An image becomes a link to it. A mark before any other link would make an image of that.
fn image(rest: &str) -> (String, usize) {
    let link = rest.strip_prefix('!').unwrap_or_default();
    if !link.starts_with('[') {
        let mark = if link.starts_with('{') { "\\!" } else { "!" };
        return (mark.to_owned(), 1);
    }
    match markdown_link(link) {
        (text, length) if text.starts_with("[](") => {
            let target = text.trim_start_matches("[](").trim_end_matches(')');
            (format!("<{target}>"), length + 1)
        }
        (text, length) if text.starts_with('[') => (text, length + 1),
        (text, length) => (format!("\\!{text}"), length + 1),
    }
}

/// Only links into the web; anything else might mean an item of the crate.
fn is_plain_target(target: &str) -> bool {
    let known = target.starts_with("https://") || target.starts_with("http://") || target.starts_with('/');
    known && target.chars().all(|c| !c.is_whitespace() && !matches!(c, '<' | '>' | '"' | '\\' | '`'))
}

fn url(rest: &str) -> (String, usize) {
    let end = rest
        .find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\'' | '`' | ')' | ']' | '}' | '\\' | '|'));
    let url = end.and_then(|end| rest.get(..end)).unwrap_or(rest).trim_end_matches(['.', ',', ';', ':', '!', '?']);
    (format!("<{url}>"), url.len())
}

/// Breaks a long line at spaces, keeping list items together.
fn wrap(line: &str, lines: &mut Vec<String>) {
    let spaces = line.len() - line.trim_start().len();
    let marker = list_marker(line.trim_start());
    let hanging = " ".repeat(spaces + marker);
    let mut current = line.strip_suffix(line.trim_start()).unwrap_or_default().to_owned();
    let mut width = spaces;
    for (index, word) in line.trim_start().split(' ').enumerate() {
        let length = word.chars().count();
        // A line must not begin with what would make it a heading or a list item.
        let risky = word.is_empty()
            || word.starts_with(['#', '-', '+', '*', '=', '|', '>', '~'])
            || list_marker(&format!("{word} ")) > 0;
        if index > 0 && width + 1 + length > WIDTH && !risky {
            lines.push(std::mem::replace(&mut current, hanging.clone()));
            width = hanging.len();
        } else if index > 0 {
            current.push(' ');
            width += 1;
        }
        current.push_str(word);
        width += length;
    }
    lines.push(current);
}

/// The width of `- `, `* `, `+ ` or `1. ` at the start of a line.
fn list_marker(line: &str) -> usize {
    if line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ") {
        return 2;
    }
    let after = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = line.len() - after.len();
    match digits > 0 && after.starts_with(". ") {
        true => digits + 2,
        false => 0,
    }
}
