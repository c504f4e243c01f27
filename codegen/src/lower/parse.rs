//! JSON Schema in, named types out: inline objects, unions and enums are lifted and named after their place.
//!
//! What the generator cannot express faithfully is an error with its place, never a guess.

mod kinds;
mod place;
mod words;

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use super::merge;
use crate::error::{Error, Result};
use crate::load::Schema;
use crate::model::{Bounds, TypeRef};
use crate::names::{self, TypeNames};
use place::{Name, Place};
use words::{doc, is_deprecated, is_lifted, sole_reference, without_docs};

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
