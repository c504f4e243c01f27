//! Every choice of an identifier, an order or a file: nothing else in the generator decides how something is called.

use std::borrow::Cow;
use std::collections::HashMap;

use heck::{ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase};

use crate::model::{MethodKind, Role};

/// Inline types with a name of their own, by the place they stand: `Owner.member`, with `[]` for the items of a list.
/// All other inline types are called after their place. Places that share a name share one type.
const PLACES: &[(&str, &str)] = &[
    ("CallToolResult.content[]", "ContentBlock"),
    ("PromptMessage.content", "ContentBlock"),
    ("CreateMessageResult.content", "SamplingContent"),
    ("SamplingMessage.content", "SamplingContent"),
    ("EmbeddedResource.resource", "AnyResourceContents"),
    ("ReadResourceResult.contents[]", "AnyResourceContents"),
    // What a request may carry in `_meta` is written out in each of its params.
    ("*RequestParams._meta", "RequestMeta"),
    ("ElicitRequestFormParams._meta", "RequestMeta"),
    ("ElicitRequestURLParams._meta", "RequestMeta"),
    ("*Result.cacheScope", "CacheScope"),
    // What answers a request, where there are several possibilities; `answer_name` says the same of the others.
    ("CallToolResultResponse.result", "CallToolAnswer"),
    ("GetPromptResultResponse.result", "GetPromptAnswer"),
    ("ReadResourceResultResponse.result", "ReadResourceAnswer"),
];

/// The definitions that list what each side may send.
pub const ROLES: &[(&str, MethodKind, Role)] = &[
    ("ClientRequest", MethodKind::Request, Role::Client),
    ("ServerRequest", MethodKind::Request, Role::Server),
    ("ClientNotification", MethodKind::Notification, Role::Client),
    ("ServerNotification", MethodKind::Notification, Role::Server),
    ("InputRequest", MethodKind::Embedded, Role::Server),
];

/// The definitions that list requests, and those that list what answers them.
pub const ANSWERED: &[(&str, &str)] =
    &[("ClientRequest", "ServerResult"), ("ServerRequest", "ClientResult"), ("InputRequest", "InputResponse")];

/// What answers a request for which there is nothing to say.
pub const EMPTY_RESULT: &str = "EmptyResult";

/// The definition that lists what a side answers.
pub fn results_of(role: Role) -> &'static str {
    match role {
        Role::Client => "ClientResult",
        Role::Server => "ServerResult",
    }
}

/// Whether a definition lists what a side sends or answers.
pub fn is_list_of_messages(definition: &str) -> bool {
    ROLES.iter().any(|(role, _, _)| *role == definition) || ANSWERED.iter().any(|(_, answers)| *answers == definition)
}

/// Definitions whose names generated code needs for something more useful: a method with its params, where they have
/// the whole message.
const RENAMED: &[(&str, &str)] = &[
    ("ClientRequest", "ClientRequestMessage"),
    ("ServerRequest", "ServerRequestMessage"),
    ("ClientNotification", "ClientNotificationMessage"),
    ("ServerNotification", "ServerNotificationMessage"),
];

/// Members in the order a person expects, first those of the envelope. Members that are not listed follow in
/// alphabetical order, [`LAST`] come at the end.
const ORDER: &[&str] = &[
    "jsonrpc",
    "id",
    "method",
    "type",
    "mode",
    "role",
    "code",
    "uri",
    "uriTemplate",
    "ref",
    "protocolVersion",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientInfo",
    "capabilities",
    "io.modelcontextprotocol/clientCapabilities",
    "clientInfo",
    "serverInfo",
    "supportedVersions",
    "taskId",
    "toolUseId",
    "const",
    "name",
    "title",
    "version",
    "message",
    "description",
    "status",
    "action",
    "level",
    "progressToken",
    "progress",
    "total",
    "supported",
    "requested",
    "tools",
    "prompts",
    "resources",
    "resourceTemplates",
    "roots",
    "tasks",
    "messages",
    "content",
    "contents",
    "completion",
    "text",
    "blob",
    "data",
    "mimeType",
    "argument",
    "arguments",
    "value",
    "values",
    "url",
    "requestedSchema",
    "inputSchema",
    "outputSchema",
    "input",
    "params",
    "result",
    "error",
    "createdAt",
    "lastUpdatedAt",
    "ttl",
    "model",
    "maxTokens",
    "nextCursor",
    "ttlMs",
    "cacheScope",
];

/// Members that come after all others.
const LAST: &[&str] = &["annotations", "_meta"];

/// The files of a crate, with the page of the specification that describes them (up to 2025-03-26, later revisions have
/// a page for the whole schema) and what the name of a definition contains, or, with `^` and `$`, begins or ends with.
/// The first match counts.
const TOPICS: &[(&str, &str, &[&str])] = &[
    (
        "jsonrpc",
        "basic",
        &["^JSONRPC", "RequestId", "^Request$", "^Notification$", "^Result$", "^EmptyResult$", "ResultType"],
    ),
    (
        "messages",
        "basic",
        &[
            "^ClientRequest",
            "^ClientNotification",
            "^ClientResult",
            "^ServerRequest",
            "^ServerNotification",
            "^ServerResult",
            "^InputRe",
        ],
    ),
    ("errors", "basic", &["Error$"]),
    ("lifecycle", "basic/lifecycle", &["Initialize", "Capabilities", "Implementation", "Ping", "Discover"]),
    (
        "sampling",
        "client/sampling",
        &[
            "Sampling",
            "CreateMessage",
            "ModelHint",
            "ModelPreferences",
            "ToolChoice",
            "ToolUseContent",
            "ToolResultContent",
            "StopReason",
        ],
    ),
    ("elicitation", "client/elicitation", &["Elicit", "Schema$", "PrimitiveSchema"]),
    ("tasks", "basic/utilities/tasks", &["Task"]),
    ("completion", "server/utilities/completion", &["Complete", "Reference$"]),
    ("logging", "server/utilities/logging", &["Logging", "SetLevel"]),
    ("roots", "client/roots", &["Root"]),
    ("subscriptions", "server/resources", &["Subscription"]),
    (
        "content",
        "server/tools",
        &["Content$", "ContentBlock", "EmbeddedResource", "ResourceLink", "^Annotations$", "^Icon", "^Role$"],
    ),
    ("resources", "server/resources", &["Resource", "ubscribe"]),
    ("prompts", "server/prompts", &["Prompt"]),
    ("tools", "server/tools", &["Tool"]),
    ("common", "basic", &[""]),
];

/// Rust's words, and the names that generated code uses for something else.
const RESERVED_TYPES: &[&str] = &[
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
    "Deserialize",
    "Deserializer",
    "Dict",
    "Err",
    "ErrorCode",
    "ErrorObject",
    "Extra",
    "From",
    "Handled",
    "Integer",
    "Into",
    "JsonObject",
    "List",
    "MapAccess",
    "None",
    "Number",
    "Ok",
    "Option",
    "PartialEq",
    "PartialOrd",
    "Peer",
    "Pending",
    "Rejection",
    "Rule",
    "Self",
    "Serialize",
    "Serializer",
    "ServerHandler",
    "ServerMessage",
    "ServerNotification",
    "ServerRequest",
    "ServerSide",
    "Some",
    "String",
    "ToString",
    "Value",
    "Vec",
    "Violation",
    "Wire",
];

const KEYWORDS: &[&str] = &[
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

/// Fields and variables that generated code has besides the members of the schema.
const RESERVED_FIELDS: &[&str] = &["checker", "extra", "index", "members", "record"];

/// Definitions that `mcp-wire-core` has a type for: a string or an integer.
pub const PROVIDED: &[&str] = &["ProgressToken", "RequestId"];

/// Longer identifiers than this are cut: a hostile name should not make a hostile file.
const LONGEST: usize = 80;

/// Names that have been given out. Those that differ in case only would be confused by people and by some file systems.
#[derive(Debug, Default)]
struct Taken {
    /// The number that the next one who wishes for the name gets, unless that is taken as well.
    next: HashMap<String, usize>,
}

impl Taken {
    /// Names that nobody gets.
    fn reserved(names: &[&str]) -> Self {
        Self { next: names.iter().map(|name| (name.to_lowercase(), 2)).collect() }
    }

    /// The name, or the first with a number that nobody has.
    fn claim(&mut self, base: String, numbered: impl Fn(&str, usize) -> String) -> String {
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

/// Names of types in one crate: each is given out once.
#[derive(Debug, Default)]
pub struct TypeNames {
    taken: Taken,
}

impl TypeNames {
    /// A name for a definition or an inline type, as close to the wish as Rust and earlier names allow.
    pub fn claim(&mut self, wish: &str) -> String {
        self.taken.claim(type_name(wish), |base, number| format!("{base}{number}"))
    }
}

/// What the type of a definition should be called.
pub fn definition_name(definition: &str) -> &str {
    RENAMED.iter().find(|(name, _)| *name == definition).map_or(definition, |(_, name)| name)
}

/// The union of what answers a request, from the name of its usual result.
pub fn answer_name(result: &str) -> String {
    format!("{}Answer", result.strip_suffix("Result").unwrap_or(result))
}

/// The constant for the code of an error, from the name of the error; nothing, if it makes no name of a constant. One word
/// alone says too little: `PARSE_ERROR`, but `HEADER_MISMATCH`.
pub fn error_code_name(definition: &str) -> Option<String> {
    let base = definition.strip_suffix("Error")?;
    let name = base.to_shouty_snake_case();
    let name = if name.contains('_') { name } else { format!("{name}_ERROR") };
    let is_plain = definition.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    (is_plain && name.starts_with(|letter: char| letter.is_ascii_uppercase())).then_some(name)
}

/// What the name of a union says about its variants. An answer is named after the usual result, which says nothing
/// about the others.
pub fn said_by(union: &str) -> &str {
    if union.ends_with("Answer") { "Result" } else { union }
}

/// The methods of a handler trait, from the names of the variants it handles. Requests and notifications share one
/// trait, whose other methods are reserved.
pub fn handler_names<'a>(variants: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = Taken::reserved(&["other_request", "other_notification", "response", "rejected", "answer_input"]);
    variants.map(|variant| taken.claim(field_name(variant), numbered_field)).collect()
}

/// A Rust type name. Names that are one already are kept.
pub fn type_name(wish: &str) -> String {
    let valid =
        wish.starts_with(|first: char| first.is_ascii_uppercase()) && wish.chars().all(|c| c.is_ascii_alphanumeric());
    let mut name = if valid { wish.to_owned() } else { pascal(wish) };
    name.truncate(LONGEST);
    if !name.starts_with(|first: char| first.is_ascii_uppercase()) {
        name.insert_str(0, "Type");
    }
    if RESERVED_TYPES.contains(&name.as_str()) {
        name.push_str("Type");
    }
    name
}

/// The name of an inline type: that of its place, unless the place has one of its own.
pub fn inline_name(owner: &str, member: &str, item: bool) -> String {
    let place = format!("{owner}.{member}{}", if item { "[]" } else { "" });
    match named_place(&place) {
        Some(name) => name.to_owned(),
        None => format!("{owner}{}{}", pascal(member), if item { "Item" } else { "" }),
    }
}

/// Whether several places may share a type under this name.
pub fn is_shared(name: &str) -> bool {
    PLACES.iter().any(|(_, shared)| *shared == name)
}

fn named_place(place: &str) -> Option<&'static str> {
    let found = PLACES.iter().find(|(pattern, _)| match pattern.strip_prefix('*') {
        Some(end) => place.ends_with(end),
        None => *pattern == place,
    });
    found.map(|(_, name)| *name)
}

/// Names of the fields of one struct, in the order of their wire names.
pub fn field_names<'a>(members: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names: Vec<String> = members.map(field_name).collect();
    // As a rule, no two are alike.
    let mut sorted: Vec<&str> = names.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    if sorted.windows(2).all(|pair| pair.first() != pair.last()) {
        return names;
    }
    let mut taken = Taken::default();
    names.into_iter().map(|name| taken.claim(name, numbered_field)).collect()
}

/// A field or a function whose name is taken. A keyword's underscore is not doubled: Rust warns about two in a row.
fn numbered_field(base: &str, number: usize) -> String {
    format!("{}_{number}", base.trim_end_matches('_'))
}

/// A Rust field name.
pub fn field_name(wire: &str) -> String {
    // The protocol's own prefix says nothing to a reader of its types.
    let short = wire.strip_prefix("io.modelcontextprotocol/").unwrap_or(wire);
    let mut name = ascii(short).to_snake_case();
    name.truncate(LONGEST);
    if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
        name.insert_str(0, "member_");
    }
    name.truncate(name.trim_end_matches('_').len());
    if KEYWORDS.contains(&name.as_str()) || RESERVED_FIELDS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// Names of the values of a string enum. `Unknown` is taken by the generated variant.
pub fn value_names<'a>(values: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = Taken::reserved(&["Unknown"]);
    values.map(|value| claim_variant(&mut taken, pascal(value), "Value")).collect()
}

/// Names of the variants of a union called `union`, from the names of their types.
///
/// What the union's own name says already is left out: first words that all variants share, last words that it ends with
/// as well, or else a last word that it contains. So is a last word that all variants share. The result is
/// `ContentBlock::Text`, not `ContentBlock::TextContent`.
pub fn variant_names(union: &str, types: &[String]) -> Vec<String> {
    let said = words(union);
    let all: Vec<Vec<String>> = types.iter().map(|name| words(name)).collect();
    let several = all.len() > 1;
    let shared = |nth: usize| match all.first().and_then(|first| first.get(nth)) {
        Some(word) => {
            several
                && said.contains(word)
                && all.iter().all(|words| words.len() > nth + 1 && words.get(nth) == Some(word))
        }
        None => false,
    };
    let skipped = (0..).take_while(|nth| shared(*nth)).count();
    let last = all.first().and_then(|first| first.last());
    let same_last = several && all.iter().all(|words| words.last() == last);
    let mut taken = Taken::reserved(&["Unknown"]);
    let name = |words: &Vec<String>| {
        let kept = words.get(skipped..).unwrap_or_default();
        let ending = kept.iter().rev().zip(said.iter().rev()).take_while(|(left, right)| left == right).count();
        let one = kept.last().is_some_and(|word| said.contains(word) || same_last && Some(word) == last);
        let dropped = ending.max(usize::from(one)).min(kept.len().saturating_sub(1));
        let kept: String = kept.iter().take(kept.len() - dropped).map(String::as_str).collect();
        claim_variant(&mut taken, kept, "Variant")
    };
    all.iter().map(name).collect()
}

fn claim_variant(taken: &mut Taken, wish: String, prefix: &str) -> String {
    let mut base = wish;
    base.truncate(LONGEST);
    if !base.starts_with(|first: char| first.is_ascii_uppercase()) {
        base.insert_str(0, prefix);
    }
    if base == "Self" {
        base.push_str(prefix);
    }
    taken.claim(base, |base, number| format!("{base}{number}"))
}

/// The words of a type name; a run of capitals is one word (`JSONRPC`, `Request`).
fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    for (index, c) in chars.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| chars.get(before));
        let after = chars.get(index + 1);
        let starts = c.is_ascii_uppercase()
            && (before.is_none_or(|before| !before.is_ascii_uppercase())
                || after.is_some_and(char::is_ascii_lowercase));
        match words.last_mut() {
            Some(word) if !starts => word.push(*c),
            _ => words.push(c.to_string()),
        }
    }
    words
}

/// The place of a member among others.
pub fn rank(wire: &str) -> (usize, &str) {
    let rank = match ORDER.iter().position(|known| *known == wire) {
        Some(position) => position,
        None => match LAST.iter().position(|known| *known == wire) {
            Some(position) => ORDER.len() + 1 + position,
            None => ORDER.len(),
        },
    };
    (rank, wire)
}

/// The file a definition belongs to.
pub fn topic(definition: &str) -> &'static str {
    let found = TOPICS.iter().find(|(_, _, patterns)| patterns.iter().any(|pattern| matches(pattern, definition)));
    found.map_or("common", |(topic, _, _)| topic)
}

fn matches(pattern: &str, name: &str) -> bool {
    let start = pattern.strip_prefix('^');
    let end = pattern.strip_suffix('$');
    match (start, end) {
        (Some(_), Some(_)) => name == pattern.trim_matches(['^', '$']),
        (Some(start), None) => name.starts_with(start),
        (None, Some(end)) => name.ends_with(end),
        (None, None) => name.contains(pattern),
    }
}

/// Areas of the protocol in the order a person reads about them.
const AREAS: &[&str] = &[
    "lifecycle",
    "tools",
    "resources",
    "prompts",
    "completion",
    "sampling",
    "elicitation",
    "roots",
    "tasks",
    "subscriptions",
    "logging",
    "content",
    "messages",
    "jsonrpc",
    "errors",
    "common",
];

/// The place of an area in reports; those that are not listed come last.
pub fn area_rank(area: &str) -> usize {
    AREAS.iter().position(|known| *known == area).unwrap_or(AREAS.len())
}

/// What a file is about, in a few words for its first line.
pub fn topic_title(topic: &str) -> String {
    match topic {
        "jsonrpc" => "The JSON-RPC envelope: ids, requests, notifications, responses.".to_owned(),
        "messages" => "What each side may send.".to_owned(),
        "errors" => "Errors, and their codes.".to_owned(),
        "lifecycle" => "Getting to know each other: versions, capabilities, implementations.".to_owned(),
        "content" => "Content of messages and results.".to_owned(),
        "common" => "What belongs to no single topic.".to_owned(),
        topic => format!("Everything about {topic}."),
    }
}

/// The page of the specification that describes a definition of an official revision.
pub fn spec_page(revision: &str, definition: &str) -> String {
    let base = format!("https://modelcontextprotocol.io/specification/{revision}");
    // Revisions have a reference page with an anchor per type since 2025-06-18.
    if revision >= "2025-06-18" {
        return format!("{base}/schema#{}", definition.to_lowercase());
    }
    let topic = topic(definition);
    let page = TOPICS.iter().find(|(name, _, _)| *name == topic).map_or("basic", |(_, page, _)| page);
    format!("{base}/{page}")
}

/// Only what an identifier may contain; everything else separates words.
fn ascii(text: &str) -> Cow<'_, str> {
    match text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        true => text.into(),
        false => text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect(),
    }
}

fn pascal(text: &str) -> String {
    ascii(text).to_upper_camel_case()
}
