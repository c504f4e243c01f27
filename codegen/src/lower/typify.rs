//! The only caller of typify.
//!
//! typify sees flat objects under neutral names: everything it is known to guess at (unions, constants, enums, numbers,
//! formats) has been taken out and stands as an opaque reference. What it decides for each member is read back: whether
//! it can be absent, which container holds it, and where a `Box` breaks a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use schemars_08::schema::RootSchema;
use serde_json::{Map, Value, json};
use typify::{TypeDetails, TypeId, TypeSpace, TypeSpaceSettings};

use super::parse::{Body, Parsed, ParsedContent};
use crate::error::{Error, Result};
use crate::model::TypeRef;

/// What typify decides about a member.
pub(super) struct Decision {
    pub(super) required: bool,
    pub(super) ty: TypeRef,
}

/// The decisions by type and member.
pub(super) type Decisions = BTreeMap<String, BTreeMap<String, Decision>>;

/// Asks typify about every object that has members.
pub(super) fn decide(types: &BTreeMap<String, Parsed>) -> Result<Decisions> {
    // typify panics on schemas it does not expect. These are all of one simple form, so that it should never come to
    // that; if it does, the user gets an error all the same.
    catch_unwind(AssertUnwindSafe(|| ask(types))).unwrap_or_else(|_| Err(Error::internal("typify panicked")))
}

fn ask(types: &BTreeMap<String, Parsed>) -> Result<Decisions> {
    let mut question = Question { types, objects: BTreeMap::new(), opaque: BTreeSet::new() };
    for (name, parsed) in types {
        if let Body::Object { members, .. } = &parsed.body
            && members.iter().any(|member| matches!(member.content, ParsedContent::Type(_)))
        {
            question.objects.insert(name, format!("Object{}", question.objects.len()));
        }
    }
    let mut definitions = Map::new();
    for (name, parsed) in types {
        if let (Some(neutral), Body::Object { members, .. }) =
            (question.objects.get(name.as_str()).cloned(), &parsed.body)
        {
            let mut properties = Map::new();
            let mut required = Vec::new();
            for (index, member) in members.iter().enumerate() {
                if let ParsedContent::Type(ty) = &member.content {
                    properties.insert(format!("m{index}"), question.schema(ty));
                    if member.required {
                        required.push(format!("m{index}"));
                    }
                }
            }
            definitions.insert(neutral, json!({ "type": "object", "properties": properties, "required": required }));
        }
    }
    let mut settings = TypeSpaceSettings::default();
    for opaque in &question.opaque {
        definitions.insert(opaque.clone(), json!(true));
        settings.with_replacement(opaque, opaque, std::iter::empty());
    }
    let root: RootSchema = serde_json::from_value(json!({ "definitions": definitions }))
        .map_err(|error| Error::internal(format!("schemars refused the flat schema: {error}")))?;
    let mut space = TypeSpace::new(&settings);
    space.add_root_schema(root).map_err(|error| Error::internal(format!("typify refused the flat schema: {error}")))?;

    let mut answers = BTreeMap::new();
    for answer in space.iter_types() {
        if let TypeDetails::Struct(details) = answer.details() {
            let members = details
                .properties_info()
                .map(|property| (property.name.to_owned(), (property.required, property.type_id)));
            answers.insert(answer.name(), members.collect::<BTreeMap<_, _>>());
        }
    }
    let mut decisions = Decisions::new();
    for (name, neutral) in &question.objects {
        let (Some(answer), Some(Body::Object { members, .. })) =
            (answers.remove(neutral), types.get(*name).map(|parsed| &parsed.body))
        else {
            return Err(Error::internal(format!("typify did not answer for `{name}`")));
        };
        let mut decided = BTreeMap::new();
        for (index, member) in members.iter().enumerate() {
            let ParsedContent::Type(ty) = &member.content else { continue };
            let Some((required, id)) = answer.get(&format!("m{index}")) else {
                return Err(Error::internal(format!("typify dropped `{name}.{}`", member.wire)));
            };
            let ty =
                read(&space, id, ty).map_err(|found| Error::internal(format!("`{name}.{}`: {found}", member.wire)))?;
            decided.insert(member.wire.clone(), Decision { required: *required, ty });
        }
        decisions.insert((*name).to_owned(), decided);
    }
    // Replacements that match nothing and types that nobody asked for would go unnoticed otherwise.
    match answers.keys().next() {
        Some(unasked) => Err(Error::internal(format!("typify made a type of its own, `{unasked}`"))),
        None => Ok(decisions),
    }
}

struct Question<'a> {
    types: &'a BTreeMap<String, Parsed>,
    objects: BTreeMap<&'a str, String>,
    opaque: BTreeSet<String>,
}

impl Question<'_> {
    /// A type as typify gets to see it.
    fn schema(&mut self, ty: &TypeRef) -> Value {
        match ty {
            TypeRef::String { .. } => json!({ "type": "string" }),
            TypeRef::Boolean => json!({ "type": "boolean" }),
            TypeRef::List { items, .. } => json!({ "type": "array", "items": self.schema(items) }),
            TypeRef::Map { values } => json!({ "type": "object", "additionalProperties": self.schema(values) }),
            TypeRef::Named(name) => match self.object(name) {
                Some(neutral) => json!({ "$ref": format!("#/definitions/{neutral}") }),
                None => self.opaque("Named"),
            },
            TypeRef::Any => self.opaque("Any"),
            TypeRef::Integer { .. } => self.opaque("Integer"),
            TypeRef::Number { .. } => self.opaque("Number"),
            TypeRef::Object => self.opaque("Object"),
            TypeRef::Nullable(inner) | TypeRef::Boxed(inner) => {
                // Null is ours to keep apart from absence; what can be null may still hold a circle that needs a box.
                self.schema(inner)
            }
        }
    }

    /// The object that a name stands for, aliases included: a circle may lead through them.
    fn object(&self, name: &str) -> Option<&String> {
        match self.types.get(name).map(|parsed| &parsed.body) {
            Some(Body::Alias(TypeRef::Named(target))) => self.object(target),
            Some(Body::Alias(TypeRef::Nullable(target))) => match &**target {
                TypeRef::Named(target) => self.object(target),
                _ => None,
            },
            _ => self.objects.get(name),
        }
    }

    fn opaque(&mut self, kind: &str) -> Value {
        let name = format!("Opaque{kind}");
        let reference = json!({ "$ref": format!("#/definitions/{name}") });
        self.opaque.insert(name);
        reference
    }
}

/// Zips what typify made with what was asked.
fn read(space: &TypeSpace, id: &TypeId, asked: &TypeRef) -> std::result::Result<TypeRef, String> {
    let answer = space.get_type(id).map_err(|error| error.to_string())?;
    Ok(match (answer.details(), asked) {
        (_, TypeRef::Nullable(inner)) => TypeRef::Nullable(Box::new(read(space, id, inner)?)),
        // An absent member; that is said by `required`.
        (TypeDetails::Option(inner), asked) => read(space, &inner, asked)?,
        (TypeDetails::Box(inner), asked) => TypeRef::Boxed(Box::new(read(space, &inner, asked)?)),
        (TypeDetails::Vec(inner), TypeRef::List { items, length }) => {
            TypeRef::List { items: Box::new(read(space, &inner, items)?), length: *length }
        }
        (TypeDetails::Map(_, inner), TypeRef::Map { values }) => {
            TypeRef::Map { values: Box::new(read(space, &inner, values)?) }
        }
        (TypeDetails::String, TypeRef::String { .. })
        | (
            TypeDetails::Builtin(_),
            TypeRef::Any | TypeRef::Boolean | TypeRef::Integer { .. } | TypeRef::Number { .. } | TypeRef::Object,
        )
        | (TypeDetails::Struct(_) | TypeDetails::Builtin(_), TypeRef::Named(_)) => asked.clone(),
        _ => return Err(format!("typify made {} of {asked:?}", answer.describe())),
    })
}
