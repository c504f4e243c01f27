//! The kinds of schemas: plain types, objects, unions, enums.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::place::{Name, Place};
use super::words::{constant, doc, is_deprecated, is_lifted};
use super::{Body, Parsed, ParsedAdditional, ParsedContent, ParsedMember, Parser};
use crate::error::Result;
use crate::model::{Format, TypeRef};
use crate::names;

impl Parser<'_> {
    pub(super) fn kind(&mut self, kind: &str, members: &Map<String, Value>, place: &Place<'_>) -> Result<Body> {
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

    pub(super) fn object(&mut self, members: &Map<String, Value>, place: &Place<'_>) -> Result<Body> {
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

    pub(super) fn any_of(&mut self, branches: &Value, place: &Place<'_>) -> Result<Body> {
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

    pub(super) fn kinds(&mut self, kinds: &[Value], members: &Map<String, Value>, place: &Place<'_>) -> Result<Body> {
        let (variants, nullable) = self.types_of(kinds, &Value::Object(members.clone()), place)?;
        match (<[TypeRef; 1]>::try_from(variants), nullable) {
            (Ok([one]), false) => Ok(Body::Alias(one)),
            (Ok([one]), true) => Ok(Body::Alias(TypeRef::Nullable(Box::new(one)))),
            (Err(variants), nullable) => self.union(variants, nullable, place),
        }
    }

    pub(super) fn types_of(
        &mut self,
        kinds: &[Value],
        schema: &Value,
        place: &Place<'_>,
    ) -> Result<(Vec<TypeRef>, bool)> {
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

    pub(super) fn union(&mut self, variants: Vec<TypeRef>, nullable: bool, place: &Place<'_>) -> Result<Body> {
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

    pub(super) fn string_enum(&self, values: &Value, members: &Map<String, Value>, place: &Place<'_>) -> Result<Body> {
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
}
