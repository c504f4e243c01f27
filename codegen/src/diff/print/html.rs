//! HTML: reports in, one page out that needs no other file.
//!
//! Every string of a report comes from a schema and is hostile. The template escapes all strings except the style sheet
//! and the script, which are files of this project. The policy of the page allows only these two, by their hashes, so
//! that even a mistake here would run no other script.

mod anchors;
mod page;
mod view;
mod words;

use askama::Template;
use sha2::{Digest, Sha256};

use crate::diff::report::Report;
use crate::error::{Error, Result};
use page::Page;
use words::Style;

const STYLE: &str = include_str!("../../../../templates/diff/page.css");
const SCRIPT: &str = include_str!("../../../../templates/diff/page.js");

/// A page about one comparison.
pub fn html(report: &Report) -> Result<String> {
    render(&view::single(report))
}

/// A page about several comparisons, a section for each.
pub fn html_chain(title: &str, reports: &[Report]) -> Result<String> {
    render(&view::chain(title, reports))
}

#[derive(Template)]
#[template(path = "diff/page.html")]
struct Whole<'a> {
    page: &'a Page<'a>,
    style: &'static str,
    style_hash: String,
    script: &'static str,
    script_hash: String,
}

fn render(page: &Page<'_>) -> Result<String> {
    let (style_hash, script_hash) = (source_hash(STYLE), source_hash(SCRIPT));
    let whole = Whole { page, style: STYLE, style_hash, script: SCRIPT, script_hash };
    let page = whole.render().map_err(|error| Error::internal(format!("template of a page: {error}")))?;
    Ok(uncommanded(&page))
}

/// Escapes lines that the log of a workflow would take for commands. A browser shows the same page; the style sheet and
/// the script have no such lines.
fn uncommanded(page: &str) -> String {
    let page = page.replace("##[", "#&#35;[");
    let lines = page.split_inclusive('\n').map(|line| match line.trim_start().starts_with("::") {
        true => line.replacen("::", "&#58;:", 1),
        false => line.to_owned(),
    });
    lines.collect()
}

/// The name of an allowed text in a content security policy.
fn source_hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |position: usize| chunk.get(position).copied().map_or(0, u32::from);
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for position in 0..4 {
            let index = (bits >> (18 - 6 * position) & 63) as usize;
            let digit = ALPHABET.get(index).copied().map_or('=', char::from);
            text.push(if position > chunk.len() { '=' } else { digit });
        }
    }
    text
}
