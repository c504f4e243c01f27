//! Format: Rust text in, Rust text out, parsed and pretty-printed. What does not parse is never written.

use crate::error::{Error, Result};

/// Formats a file. The first line, a comment, is kept; the parser would drop it.
pub(crate) fn format(path: &str, text: &str) -> Result<String> {
    if !path.ends_with(".rs") {
        return Ok(tidy(text));
    }
    let (header, code) = text.split_once('\n').unwrap_or(("", text));
    let file = syn::parse_file(code).map_err(|error| Error::internal(format!("{path} is not Rust: {error}")))?;
    Ok(format!("{header}\n\n{}", spaced(&prettyplease::unparse(&file))))
}

/// Puts an empty line between items and between the methods of an implementation, where the printer leaves none.
fn spaced(code: &str) -> String {
    let mut result = String::with_capacity(code.len() + code.len() / 20);
    let mut before = "";
    for line in code.lines() {
        let indent = line.len() - line.trim_start().len();
        let closes = before.trim_start() == "}" && before.len() - before.trim_start().len() == indent;
        let alias = before.starts_with("pub type ") && before.ends_with(';');
        let constant = before.trim_start().starts_with("const ") && line.trim_start().starts_with("fn ");
        let table = before.trim() == "];" && line.trim_start().starts_with("fn ");
        if (closes || alias || constant || table) && indent <= 4 && starts_item(line.trim_start()) {
            result.push('\n');
        }
        result.push_str(line);
        result.push('\n');
        before = line;
    }
    result
}

fn starts_item(line: &str) -> bool {
    ["///", "#[", "impl", "pub ", "fn ", "mod ", "const "].iter().any(|start| line.starts_with(start))
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
