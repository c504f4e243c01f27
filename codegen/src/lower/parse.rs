//! JSON Schema in, named types out: inline objects, unions and enums are lifted and named after their place.
//!
//! What the generator cannot express faithfully is an error with its place, never a guess.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Map, Value};

use super::merge;
use crate::error::{Error, Result, step};
use crate::load::Schema;
use crate::model::{Bounds, Format, TypeRef};
use crate::names::{self, TypeNames};

/// A type as it was read.
#[derive(Debug, Clone)]
pub(super) struct Parsed {
    pub(super) definition: Option<String>,
    /// The definition it belongs to, by its upstream name.
    pub(super) root: String,
    pub(super) pointer: String,
    pub(super) doc: Option<String>,
    /// Whether the schema itself says so; facts know of others.
    pub(super) deprecated: bool,
    pub(super) body: Body,
}

#[derive(Debug, Clone)]
pub(super) enum Body {
    Object { members: Vec<ParsedMember>, additional: ParsedAdditional },
    Union(Vec<TypeRef>),
    Enum(Vec<String>),
    Alias(TypeRef),
}

#[derive(Debug, Clone)]
pub(super) struct ParsedMember {
    pub(super) wire: String,
    pub(super) required: bool,
    pub(super) doc: Option<String>,
    pub(super) deprecated: bool,
    pub(super) content: ParsedContent,
}

#[derive(Debug, Clone)]
pub(super) enum ParsedContent {
    Constant(Value),
    Type(TypeRef),
}

#[derive(Debug, Clone)]
pub(super) enum ParsedAdditional {
    Open,
    Closed,
    Typed(TypeRef),
}

/// Keywords that say nothing about validity.
const ANNOTATIONS: &[&str] = &[
    "description",
    "title",
    "default",
    "examples",
    "deprecated",
    "$comment",
    "readOnly",
    "writeOnly",
    "$schema",
    "$id",
];

/// An `allOf` copies the types inside of what it includes, and there may be so many copies in all, and so many more for
/// each definition: copies of copies have no end.
const MOST_COPIES: (usize, usize) = (5000, 10);

pub(super) struct Parser<'a> {
    schema: &'a Schema,
    names: TypeNames,
    definitions: Definitions<'a>,
    types: Vec<(String, Parsed)>,
    /// Schemas of the types that several places share, to prove that they are the same.
    shared: BTreeMap<String, Value>,
    /// Definitions whose members are being copied by an `allOf`: a copy inside the copy would never end.
    including: Vec<String>,
    /// How many types have been made from such copies.
    copies: usize,
}

/// Where the parser is: for messages, and for names. Both are rarely asked for, and spelled out only then.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The place that this one is inside of.
    outer: Option<&'a Place<'a>>,
    /// The step from there.
    step: &'a str,
    name: Name<'a>,
    root: &'a str,
}

/// The name an inline type would get in a place.
#[derive(Clone, Copy)]
enum Name<'a> {
    Known(&'a str),
    /// The place is a member of an object: the name of a list's items differs from that of an object in its place.
    Member {
        owner: &'a str,
        member: &'a str,
    },
}

impl<'a> Place<'a> {
    fn down<'b>(&'b self, step: &'b str) -> Place<'b> {
        Place { outer: Some(self), step, ..*self }
    }

    fn named<'b>(&'b self, step: &'b str, name: &'b str) -> Place<'b> {
        Place { name: Name::Known(name), ..self.down(step) }
    }

    /// The JSON pointer.
    fn pointer(&self) -> String {
        step(&self.outer.map(Place::pointer).unwrap_or_default(), self.step)
    }

    /// The name as a person reads it.
    fn name(&self) -> String {
        match self.name {
            Name::Known(name) => name.to_owned(),
            Name::Member { owner, member } => names::inline_name(owner, member, false),
        }
    }

    /// The name of a list's items: the list itself is not lifted, so that the place is still its own.
    fn item_name(&self) -> String {
        match self.name {
            Name::Known(name) => format!("{name}Item"),
            Name::Member { owner, member } => names::inline_name(owner, member, true),
        }
    }
}

/// Rust names of the definitions.
pub(super) type Definitions<'a> = HashMap<&'a str, String>;

/// Reads all definitions of a schema.
pub(super) fn parse(schema: &Schema) -> Result<(BTreeMap<String, Parsed>, Definitions<'_>)> {
    let mut names = TypeNames::default();
    let mut definitions = Definitions::with_capacity(schema.definitions().len());
    let mut order: Vec<(&str, &Value)> =
        schema.definitions().iter().map(|(name, value)| (name.as_str(), value)).collect();
    order.sort_unstable_by_key(|(name, _)| *name);
    // Names that can stay as they are go first, so that an odd one cannot take their place.
    let is_usual = |(name, _): &&(&str, &Value)| names::type_name(name) == **name;
    let (usual, odd): (Vec<_>, Vec<_>) = order.iter().partition(is_usual);
    for (name, _) in usual.into_iter().chain(odd) {
        definitions.insert(name, names.claim(names::definition_name(name)));
    }
    let mut parser = Parser {
        schema,
        names,
        definitions,
        types: Vec::with_capacity(order.len()),
        shared: BTreeMap::new(),
        including: Vec::new(),
        copies: 0,
    };
    for (definition, value) in order {
        parser.definition(definition, value)?;
    }
    Ok((parser.types.into_iter().collect(), parser.definitions))
}

impl<'a> Parser<'a> {
    fn definition(&mut self, definition: &'a str, value: &'a Value) -> Result<()> {
        let schema = self.schema;
        let Some(name) = self.definitions.get(definition).cloned() else {
            return Err(Error::internal(format!("definition `{definition}` vanished")));
        };
        let all = Place { outer: None, step: schema.keyword, name: Name::Known(&name), root: definition };
        let place = all.down(definition);
        let body = self.body(value, &place)?;
        let parsed = Parsed {
            definition: Some(definition.to_owned()),
            root: definition.to_owned(),
            pointer: place.pointer(),
            doc: doc(value),
            deprecated: is_deprecated(value),
            body,
        };
        self.types.push((name, parsed));
        Ok(())
    }

    /// A use of a schema: simple ones in place, others by the name they are lifted to.
    fn type_ref(&mut self, value: &Value, place: &Place<'_>) -> Result<TypeRef> {
        let mut claimed = None;
        if is_lifted(value) {
            let wish = place.name();
            if self.shared.get(&wish).is_some_and(|known| *known == without_docs(value)) {
                return Ok(TypeRef::Named(wish));
            }
            self.copies += usize::from(!self.including.is_empty());
            let (in_all, for_each) = MOST_COPIES;
            let most = in_all + for_each * self.definitions.len();
            if self.copies > most {
                let found = format!("more than {most} types inside definitions that were copied by an `allOf`");
                return self.fail(place, found, "give what is repeated a definition, and refer to it by a bare `$ref`");
            }
            // The name is claimed before what is inside claims its own, so that outer names stay short.
            claimed = Some(self.names.claim(&wish));
        }
        let place = Place { name: claimed.as_deref().map_or(place.name, Name::Known), ..*place };
        match (self.body(value, &place)?, claimed.clone()) {
            (Body::Alias(alias), _) => Ok(alias),
            (body, Some(name)) => {
                if names::is_shared(&name) {
                    self.shared.insert(name.clone(), without_docs(value));
                }
                let parsed = Parsed {
                    definition: None,
                    root: place.root.to_owned(),
                    pointer: place.pointer(),
                    doc: doc(value),
                    deprecated: is_deprecated(value),
                    body,
                };
                self.types.push((name.clone(), parsed));
                Ok(TypeRef::Named(name))
            }
            (_, None) => Err(Error::internal(format!("{}: an unnamed type was lifted", place.pointer()))),
        }
    }

    fn body(&mut self, value: &Value, place: &Place<'_>) -> Result<Body> {
        let members = match value {
            Value::Bool(true) => return Ok(Body::Alias(TypeRef::Any)),
            Value::Object(members) => members,
            other => {
                return self.fail(
                    place,
                    format!("{other} where a schema is expected"),
                    "write an object, or `true` for any value",
                );
            }
        };
        if let Some(reference) = members.get("$ref") {
            self.only(members, place, &["$ref"])?;
            return Ok(Body::Alias(TypeRef::Named(self.reference(reference, place)?)));
        }
        if let Some(only) = sole_reference(members) {
            self.only(members, place, &["allOf"])?;
            return self.body(only, &place.down("allOf").down("0"));
        }
        if members.contains_key("allOf") {
            let (merged, included) = merge::all_of(self.schema, members, &place.pointer())?;
            if let Some(name) = included.iter().find(|name| self.including.contains(name)) {
                let found = format!("`{name}` includes itself");
                return self.fail(&place.down("allOf"), found, "refer to it by a bare `$ref`");
            }
            let before = self.including.len();
            self.including.extend(included);
            let body = self.body(&Value::Object(merged), place);
            self.including.truncate(before);
            return body;
        }
        if let Some(branches) = members.get("anyOf") {
            self.only(members, place, &["anyOf"])?;
            return self.any_of(branches, &place.down("anyOf"));
        }
        if let Some(values) = members.get("enum") {
            self.only(members, place, &["enum", "type"])?;
            return self.string_enum(values, members, place);
        }
        if let Some(constant) = members.get("const") {
            self.only(members, place, &["const", "type"])?;
            return match constant {
                Value::String(text) => Ok(Body::Enum(vec![text.clone()])),
                other => {
                    self.fail(place, format!("the constant {other} outside an object"), "make it a member of an object")
                }
            };
        }
        match members.get("type") {
            Some(Value::String(kind)) => self.kind(kind, members, place),
            Some(Value::Array(kinds)) => self.kinds(kinds, members, place),
            None => {
                self.only(members, place, &[])?;
                Ok(Body::Alias(TypeRef::Any))
            }
            Some(other) => self.fail(place, format!("the type {other}"), "name one of JSON's types, or a list of them"),
        }
    }

    fn kind(&mut self, kind: &str, members: &Map<String, Value>, place: &Place<'_>) -> Result<Body> {
        let alias = match kind {
            "string" => {
                self.only(members, place, &["type", "format", "minLength", "maxLength"])?;
                let format = members.get("format").and_then(Value::as_str).and_then(|format| match format {
                    "uri" => Some(Format::Uri),
                    "uri-template" => Some(Format::UriTemplate),
                    "byte" => Some(Format::Byte),
                    // Other formats are annotations, as JSON Schema has it for formats a validator does not know.
                    _ => None,
                });
                TypeRef::String { format, length: self.bounds(members, "minLength", "maxLength", place)? }
            }
            "boolean" => {
                self.only(members, place, &["type"])?;
                TypeRef::Boolean
            }
            "integer" | "number" => {
                self.only(members, place, &["type", "minimum", "maximum", "format"])?;
                let range = self.bounds(members, "minimum", "maximum", place)?;
                if kind == "integer" { TypeRef::Integer { range } } else { TypeRef::Number { range } }
            }
            "array" => {
                self.only(members, place, &["type", "items", "minItems", "maxItems"])?;
                let length = self.bounds(members, "minItems", "maxItems", place)?;
                let items = match members.get("items") {
                    Some(items) => self.type_ref(items, &place.named("items", &place.item_name()))?,
                    None => TypeRef::Any,
                };
                TypeRef::List { items: Box::new(items), length }
            }
            "object" => return self.object(members, place),
            "null" => return self.fail(place, "a value that can only be null", "use it beside another type"),
            other => return self.fail(place, format!("the type {other:?}"), "name one of JSON's types"),
        };
        Ok(Body::Alias(alias))
    }

    fn object(&mut self, members: &Map<String, Value>, place: &Place<'_>) -> Result<Body> {
        self.only(members, place, &["type", "properties", "required", "additionalProperties"])?;
        let empty = Map::new();
        let properties = match members.get("properties") {
            None => &empty,
            Some(Value::Object(properties)) => properties,
            Some(_) => return self.fail(&place.down("properties"), "not an object", "list the members by name"),
        };
        let required = match members.get("required") {
            None => Vec::new(),
            Some(Value::Array(names)) if names.iter().all(Value::is_string) => {
                names.iter().filter_map(Value::as_str).collect()
            }
            Some(_) => {
                return self.fail(&place.down("required"), "not a list of names", "list the required members by name");
            }
        };
        let is_required: BTreeSet<&str> = required.iter().copied().collect();
        if is_required.len() < required.len() {
            return self.fail(&place.down("required"), "a name that is listed twice", "list each name once");
        }
        let additional = match members.get("additionalProperties") {
            None | Some(Value::Bool(true)) => ParsedAdditional::Open,
            Some(Value::Bool(false)) => ParsedAdditional::Closed,
            Some(values) => {
                let name = format!("{}Value", place.name());
                match self.type_ref(values, &place.named("additionalProperties", &name))? {
                    TypeRef::Any => ParsedAdditional::Open,
                    values => ParsedAdditional::Typed(values),
                }
            }
        };
        if properties.is_empty() && required.is_empty() {
            match additional {
                ParsedAdditional::Open => return Ok(Body::Alias(TypeRef::Object)),
                ParsedAdditional::Typed(values) => return Ok(Body::Alias(TypeRef::Map { values: Box::new(values) })),
                ParsedAdditional::Closed => {}
            }
        }
        let owner = place.name();
        let inside = place.down("properties");
        let mut parsed = Vec::with_capacity(properties.len());
        for (wire, value) in properties {
            let place = Place { name: Name::Member { owner: &owner, member: wire }, ..inside.down(wire) };
            if let Some(members) = value.as_object().filter(|members| members.contains_key("const")) {
                self.only(members, &place, &["const", "type"])?;
            }
            let content = match constant(value) {
                Some(Value::Array(_) | Value::Object(_)) => {
                    return self.fail(
                        &place.down("const"),
                        "a constant that is a list or an object",
                        "use a scalar constant",
                    );
                }
                Some(Value::Number(number)) if !number.is_i64() => {
                    return self.fail(
                        &place.down("const"),
                        format!("the constant {number}"),
                        "use an integer of 64 bits",
                    );
                }
                Some(constant) => ParsedContent::Constant(constant.clone()),
                None => ParsedContent::Type(self.type_ref(value, &place)?),
            };
            let required = is_required.contains(wire.as_str());
            let deprecated = is_deprecated(value);
            parsed.push(ParsedMember { wire: wire.clone(), required, doc: doc(value), deprecated, content });
        }
        for wire in required.iter().filter(|wire| !properties.contains_key(**wire)) {
            let content = ParsedContent::Type(TypeRef::Any);
            let wire = (*wire).to_owned();
            parsed.push(ParsedMember { wire, required: true, doc: None, deprecated: false, content });
        }
        if parsed.iter().filter(|member| matches!(member.content, ParsedContent::Constant(_))).count() > 64 {
            return self.fail(place, "more than 64 constants in one object", "split the object");
        }
        Ok(Body::Object { members: parsed, additional })
    }

    fn any_of(&mut self, branches: &Value, place: &Place<'_>) -> Result<Body> {
        let Value::Array(branches) = branches else {
            return self.fail(place, "not a list", "list the alternatives");
        };
        let name = place.name();
        let mut variants = Vec::new();
        let mut nullable = false;
        for (index, branch) in branches.iter().enumerate() {
            let index = index.to_string();
            if branch.get("type").and_then(Value::as_str) == Some("null") {
                nullable = true;
                continue;
            }
            let inline = if is_lifted(branch) { format!("{name}Variant{index}") } else { name.clone() };
            let place = place.named(&index, &inline);
            match branch.get("type") {
                // A branch with several types is several branches.
                Some(Value::Array(kinds)) if branch.get("enum").is_none() => {
                    let (types, null) = self.types_of(kinds, branch, &place)?;
                    variants.extend(types);
                    nullable |= null;
                }
                _ => variants.push(self.type_ref(branch, &place)?),
            }
        }
        self.union(variants, nullable, place)
    }

    fn kinds(&mut self, kinds: &[Value], members: &Map<String, Value>, place: &Place<'_>) -> Result<Body> {
        let (variants, nullable) = self.types_of(kinds, &Value::Object(members.clone()), place)?;
        match (<[TypeRef; 1]>::try_from(variants), nullable) {
            (Ok([one]), false) => Ok(Body::Alias(one)),
            (Ok([one]), true) => Ok(Body::Alias(TypeRef::Nullable(Box::new(one)))),
            (Err(variants), nullable) => self.union(variants, nullable, place),
        }
    }

    fn types_of(&mut self, kinds: &[Value], schema: &Value, place: &Place<'_>) -> Result<(Vec<TypeRef>, bool)> {
        let mut variants = Vec::new();
        let mut nullable = false;
        for kind in kinds {
            match kind.as_str() {
                Some("null") => nullable = true,
                Some(kind) => {
                    let mut schema = schema.clone();
                    if let Some(members) = schema.as_object_mut() {
                        members.insert("type".to_owned(), kind.into());
                    }
                    let name = format!("{}{}", place.name(), names::type_name(kind));
                    let place = Place { name: Name::Known(&name), ..*place };
                    variants.push(self.type_ref(&schema, &place)?);
                }
                None => return self.fail(&place.down("type"), format!("the type {kind}"), "name one of JSON's types"),
            }
        }
        Ok((variants, nullable))
    }

    fn union(&mut self, variants: Vec<TypeRef>, nullable: bool, place: &Place<'_>) -> Result<Body> {
        if variants.is_empty() {
            return self.fail(place, "no alternative", "list at least one type other than null");
        }
        if variants.contains(&TypeRef::Any) {
            return self.fail(
                place,
                "an alternative that accepts any value",
                "leave out the others, which say nothing beside it",
            );
        }
        if !nullable {
            return Ok(Body::Union(variants));
        }
        let inner = match <[TypeRef; 1]>::try_from(variants) {
            Ok([one]) => one,
            Err(variants) => {
                let name = self.names.claim(&format!("{}Value", place.name()));
                let parsed = Parsed {
                    definition: None,
                    root: place.root.to_owned(),
                    pointer: place.pointer(),
                    doc: None,
                    deprecated: false,
                    body: Body::Union(variants),
                };
                self.types.push((name.clone(), parsed));
                TypeRef::Named(name)
            }
        };
        Ok(Body::Alias(TypeRef::Nullable(Box::new(inner))))
    }

    fn string_enum(&self, values: &Value, members: &Map<String, Value>, place: &Place<'_>) -> Result<Body> {
        let strings: Option<Vec<String>> =
            values.as_array().and_then(|values| values.iter().map(|value| value.as_str().map(str::to_owned)).collect());
        let is_string = members.get("type").is_none_or(|kind| kind == "string");
        match strings {
            Some(strings) if is_string && !strings.is_empty() => {
                let distinct: BTreeSet<&String> = strings.iter().collect();
                if distinct.len() < strings.len() {
                    return self.fail(&place.down("enum"), "a value that is listed twice", "list each value once");
                }
                Ok(Body::Enum(strings))
            }
            _ => self.fail(
                &place.down("enum"),
                "values that are not strings, or none",
                "list strings; other enums are not supported",
            ),
        }
    }

    fn reference(&self, reference: &Value, place: &Place<'_>) -> Result<String> {
        let prefix = format!("#/{}/", self.schema.keyword);
        let target = reference
            .as_str()
            .and_then(|text| text.strip_prefix(&prefix))
            .map(|name| name.replace("~1", "/").replace("~0", "~"));
        match target.and_then(|name| self.definitions.get(name.as_str())) {
            Some(name) => Ok(name.clone()),
            None => self.fail(
                &place.down("$ref"),
                format!("{reference}, which is not a definition of this file"),
                format!("refer to one of its {} definitions as `{prefix}Name`", self.definitions.len()),
            ),
        }
    }

    fn bounds(&self, members: &Map<String, Value>, minimum: &str, maximum: &str, place: &Place<'_>) -> Result<Bounds> {
        let bound = |keyword: &str| match members.get(keyword) {
            None => Ok(None),
            Some(value) => match value.as_f64() {
                Some(bound) => Ok(Some(bound)),
                None => self.fail(&place.down(keyword), format!("{value}"), "write a number"),
            },
        };
        Ok(Bounds { minimum: bound(minimum)?, maximum: bound(maximum)? })
    }

    /// Refuses keywords that would change what the schema means.
    fn only(&self, members: &Map<String, Value>, place: &Place<'_>, known: &[&str]) -> Result<()> {
        let unknown = members.keys().find(|keyword| {
            !known.contains(&keyword.as_str()) && !ANNOTATIONS.contains(&keyword.as_str()) && !keyword.starts_with("x-")
        });
        match unknown {
            None => Ok(()),
            Some(keyword) => {
                let beside = match known.first() {
                    Some(known) => format!(" beside `{known}`"),
                    None => " without a `type`".to_owned(),
                };
                self.fail(
                    &place.down(keyword),
                    format!("the keyword `{keyword}`{beside}, which is not supported"),
                    "say it another way, or add a fixup that does (codegen/src/fixups.rs)",
                )
            }
        }
    }

    fn fail<T>(&self, place: &Place<'_>, found: impl Into<String>, help: impl Into<String>) -> Result<T> {
        Err(Error::schema(&self.schema.file, place.pointer(), found, help))
    }
}

fn constant(value: &Value) -> Option<&Value> {
    value.as_object().and_then(|members| members.get("const"))
}

/// Whether a schema needs a name of its own.
fn is_lifted(value: &Value) -> bool {
    let Value::Object(members) = value else { return false };
    if members.contains_key("$ref") || sole_reference(members).is_some() {
        return false;
    }
    let several = members
        .get("type")
        .and_then(Value::as_array)
        .is_some_and(|kinds| kinds.iter().filter(|kind| *kind != "null").count() > 1);
    let object = members.get("type").is_some_and(|kind| kind == "object");
    let not_empty = |keyword| match members.get(keyword) {
        Some(Value::Object(properties)) => !properties.is_empty(),
        Some(Value::Array(names)) => !names.is_empty(),
        _ => false,
    };
    let closed = members.get("additionalProperties") == Some(&Value::Bool(false));
    several
        || members.contains_key("anyOf")
        || members.contains_key("allOf")
        || members.contains_key("enum")
        || members.contains_key("const")
        || (object && (not_empty("properties") || not_empty("required") || closed))
}

/// The reference in an `allOf` of nothing else: the way to put a description beside a reference in draft-07.
fn sole_reference(members: &Map<String, Value>) -> Option<&Value> {
    match members.get("allOf")?.as_array()?.as_slice() {
        [only]
            if only.get("$ref").is_some()
                && members.keys().all(|keyword| keyword == "allOf" || ANNOTATIONS.contains(&keyword.as_str())) =>
        {
            Some(only)
        }
        _ => None,
    }
}

fn doc(value: &Value) -> Option<String> {
    value.get("description").and_then(Value::as_str).map(str::to_owned)
}

fn is_deprecated(value: &Value) -> bool {
    value.get("deprecated").and_then(Value::as_bool).unwrap_or(false)
}

fn without_docs(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| *name != "description")
            .map(|(name, value)| (name.clone(), without_docs(value)))
            .collect(),
        Value::Array(items) => items.iter().map(without_docs).collect(),
        other => other.clone(),
    }
}
