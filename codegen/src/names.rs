//! Every choice of an identifier, an order or a file: nothing else in the generator decides how something is called.

mod order;
mod sides;
mod taken;
mod topics;

use std::borrow::Cow;

use heck::{ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase};

pub use order::rank;
pub use sides::{SideNames, TOOL_CALL, body, embedded_handler, side, variants};
pub use taken::prove_package;
pub use topics::{area_rank, spec_page, topic, topic_title};

use taken::{KEYWORDS, LONGEST, RESERVED_FIELDS, RESERVED_TYPES, Taken};

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

/// Definitions whose names generated code needs for something more useful: a method with its params, where they have
/// the whole message.
const RENAMED: &[(&str, &str)] = &[
    ("ClientRequest", "ClientRequestMessage"),
    ("ServerRequest", "ServerRequestMessage"),
    ("ClientNotification", "ClientNotificationMessage"),
    ("ServerNotification", "ServerNotificationMessage"),
];

/// Definitions that `mcp-wire-core` has a type for: a string or an integer.
pub const PROVIDED: &[&str] = &["ProgressToken", "RequestId"];

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

/// The method that sets a field.
pub fn setter(field: &str) -> String {
    format!("with_{}", field.trim_end_matches('_'))
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
