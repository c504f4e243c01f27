//! Names that are taken: by Rust, by generated code, by those that were given out before.

use std::collections::HashMap;

/// Rust's words, and the names that generated code uses for something else.
pub(super) const RESERVED_TYPES: &[&str] = &[
    "Box",
    "ClientHandler",
    "ClientMessage",
    "ClientNotification",
    "ClientRequest",
    "ClientSide",
    "Clone",
    "Connection",
    "Context",
    "Debug",
    "Declared",
    "DecodeError",
    "Default",
    "Dict",
    "DynClientHandler",
    "DynServerHandler",
    "Err",
    "ErrorCode",
    "ErrorObject",
    "Extra",
    "From",
    "Future",
    "Handled",
    "InputHandler",
    "Integer",
    "Into",
    "Json",
    "JsonObject",
    "JsonRef",
    "List",
    "LocalClientHandler",
    "LocalServerHandler",
    "Method",
    "MethodKind",
    "None",
    "Number",
    "Ok",
    "Option",
    "PartialEq",
    "PartialOrd",
    "Party",
    "Peek",
    "Peer",
    "Pending",
    "Phase",
    "Rejection",
    "Response",
    "Rule",
    "Self",
    "ServerHandler",
    "ServerMessage",
    "ServerNotification",
    "ServerRequest",
    "ServerSide",
    "Some",
    "String",
    "SyntaxError",
    "Vec",
    "Violation",
];

pub(super) const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Names that a package must not have: those of Rust's own crates, of what generated code depends on, of what cargo places
/// beside a package, and of devices, which are no files on Windows. Cargo refuses some of them itself, later and elsewhere.
const RESERVED_PACKAGES: &[&str] = &[
    "alloc", "aux", "build", "com", "con", "core", "deps", "examples", "lpt", "nul", "prn", "raw", "safe", "schemars",
    "serde", "std", "test", "union",
];
const LONG_RESERVED_PACKAGES: &[&str] = &["incremental", "macro_rules", "mcp_wire_core", "proc_macro", "serde_json"];

/// That a crate may have this name: nothing that Rust, cargo or a file system means something else by.
pub fn prove_package(name: &str) -> Result<(), String> {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(letters) || name.len() > 64 {
        return Err("a package name has lowercase letters, digits, `-` and `_`, and starts with a letter".to_owned());
    }
    let library = name.replace('-', "_");
    // `com1` is a device like `con`.
    let device = library.trim_end_matches(|c: char| c.is_ascii_digit());
    let device = if library.len() == 4 { device } else { &library };
    let lists = [KEYWORDS, RESERVED_PACKAGES, LONG_RESERVED_PACKAGES];
    match lists.iter().any(|list| list.contains(&library.as_str()) || list.contains(&device)) {
        true => Err(format!("`{name}` means something else to Rust, cargo or Windows; choose another name")),
        false => Ok(()),
    }
}

/// Fields that generated structs have besides the members of the schema.
pub(super) const RESERVED_FIELDS: &[&str] = &["extra"];

/// Longer identifiers than this are cut: a hostile name should not make a hostile file.
pub(super) const LONGEST: usize = 80;

/// Names that have been given out. Those that differ in case only would be confused by people and by some file systems.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// The number that the next one who wishes for the name gets, unless that is taken as well.
    next: HashMap<String, usize>,
}

impl Taken {
    /// Names that nobody gets.
    pub(super) fn reserved(names: &[&str]) -> Self {
        Self { next: names.iter().map(|name| (name.to_lowercase(), 2)).collect() }
    }

    /// The name, or the first with a number that nobody has.
    pub(super) fn claim(&mut self, base: String, numbered: impl Fn(&str, usize) -> String) -> String {
        let Some(mut number) = self.next.get(&base.to_lowercase()).copied() else {
            self.next.insert(base.to_lowercase(), 2);
            return base;
        };
        let mut name = numbered(&base, number);
        while self.next.contains_key(&name.to_lowercase()) {
            number += 1;
            name = numbered(&base, number);
        }
        self.next.insert(base.to_lowercase(), number + 1);
        self.next.insert(name.to_lowercase(), 2);
        name
    }
}
