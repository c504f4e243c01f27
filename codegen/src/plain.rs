//! Plain: text of schemas and documents in, text that steers nothing out: no terminal, no log of a workflow, no source.
//!
//! Schemas and documents are hostile. What they say is printed through here, or escaped by the format that it stands in.

/// Text without characters that a terminal or a parser would act upon, on one line. All that a schema says goes through
/// here, or is escaped by the format itself.
pub fn plain(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' | '\r' | '\u{2028}' | '\u{2029}' => ' ',
        c if is_unseen(c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// Several lines, each of them plain and none of them a command of a workflow.
pub fn plain_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| uncommanded(plain(line))).collect();
    lines.join("\n")
}

/// Whether a character steers what shows it: control characters, those that reorder text, and those that hide in it.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A line that a GitHub workflow does not take for a command: those begin with `::` after any white space, or have
/// `##[` anywhere. A backslash shows that something was in the way.
pub(crate) fn uncommanded(line: String) -> String {
    let line = if line.contains("##[") { line.replace("##[", "##\\[") } else { line };
    let start = line.trim_start();
    match start.starts_with("::") {
        true => format!("{}\\{start}", " ".repeat(line.len() - start.len())),
        false => line,
    }
}

/// JSON text without raw characters that steer a terminal. They can only stand in strings, which have an escape for them.
pub fn escaped_json(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => escaped.push(c),
            c if is_unseen(c) => {
                c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| escaped.push_str(&format!("\\u{unit:04x}")));
            }
            c => escaped.push(c),
        }
    }
    escaped
}
