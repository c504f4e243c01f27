//! JSON schemas, for the `schemars` feature.

use serde_json::{Map, Value, json};

use super::{JsonSchemaView, Viewer};
use crate::model::{Additional, Bounds, Content, Format, Member, Shape, Struct, TypeRef};

impl Viewer<'_> {
    /// The schema of a type. A reference to another type holds its name alone.
    pub(super) fn json_schema(&self, name: &str) -> JsonSchemaView {
        let ty = self.revision.types.get(name);
        let mut schema = match ty.map(|ty| &ty.shape) {
            Some(Shape::Struct(object)) => self.object_schema(object),
            Some(Shape::Union(union)) => {
                let variants: Vec<Value> = union.variants.iter().map(|variant| self.schema_of(&variant.ty)).collect();
                json!({ "anyOf": variants })
            }
            Some(Shape::StringEnum(values)) if !values.open => {
                let values: Vec<&str> = values.values.iter().map(|value| value.wire.as_str()).collect();
                json!({ "type": "string", "enum": values })
            }
            _ => json!({ "type": "string" }),
        };
        if let Some(doc) = ty.and_then(|ty| ty.doc.as_deref()) {
            set(&mut schema, "description", doc.into());
        }
        JsonSchemaView { name: name.to_owned(), schema: raw_literal(&schema) }
    }

    fn object_schema(&self, object: &Struct) -> Value {
        let property = |member: &Member| match &member.content {
            Content::Constant(value) => json!({ "const": value }),
            Content::Field(field) => self.schema_of(&field.ty),
        };
        let properties: Map<String, Value> =
            object.members.iter().map(|member| (member.wire.clone(), property(member))).collect();
        let required: Vec<&str> =
            object.members.iter().filter(|member| member.required).map(|member| member.wire.as_str()).collect();
        let mut schema = json!({ "type": "object" });
        if !properties.is_empty() {
            set(&mut schema, "properties", properties.into());
        }
        if !required.is_empty() {
            set(&mut schema, "required", required.into());
        }
        match &object.additional {
            Additional::Open => {}
            Additional::Closed => set(&mut schema, "additionalProperties", false.into()),
            Additional::Typed(ty) => set(&mut schema, "additionalProperties", self.schema_of(ty)),
        }
        schema
    }

    fn schema_of(&self, ty: &TypeRef) -> Value {
        match ty {
            TypeRef::Any => true.into(),
            TypeRef::String { format, length } => {
                let mut schema = bounded("string", ["minLength", "maxLength"], length);
                if let Some(format) = format {
                    let name = match format {
                        Format::Uri => "uri",
                        Format::UriTemplate => "uri-template",
                        Format::Byte => "byte",
                    };
                    set(&mut schema, "format", name.into());
                }
                schema
            }
            TypeRef::Boolean => json!({ "type": "boolean" }),
            TypeRef::Integer { range } => bounded("integer", ["minimum", "maximum"], range),
            TypeRef::Number { range } => bounded("number", ["minimum", "maximum"], range),
            TypeRef::Object => json!({ "type": "object" }),
            TypeRef::List { items, length } => {
                let mut schema = bounded("array", ["minItems", "maxItems"], length);
                set(&mut schema, "items", self.schema_of(items));
                schema
            }
            TypeRef::Map { values } => json!({ "type": "object", "additionalProperties": self.schema_of(values) }),
            TypeRef::Nullable(inner) => json!({ "anyOf": [self.schema_of(inner), { "type": "null" }] }),
            TypeRef::Boxed(inner) => self.schema_of(inner),
            TypeRef::Named(name) => match self.shape(name) {
                Some(Shape::Alias(target)) => self.schema_of(target),
                _ => json!({ "$ref": name }),
            },
        }
    }
}

fn set(schema: &mut Value, keyword: &str, value: Value) {
    if let Some(schema) = schema.as_object_mut() {
        schema.insert(keyword.to_owned(), value);
    }
}

fn bounded(kind: &str, [minimum, maximum]: [&str; 2], bounds: &Bounds) -> Value {
    let mut schema = json!({ "type": kind });
    for (keyword, bound) in [(minimum, bounds.minimum), (maximum, bounds.maximum)] {
        // Most bounds are whole, and read better so.
        match bound {
            Some(bound) if bound.fract() == 0.0 && bound.abs() < 1e15 => {
                set(&mut schema, keyword, (bound as i64).into())
            }
            Some(bound) => set(&mut schema, keyword, bound.into()),
            None => {}
        }
    }
    schema
}

/// JSON as a raw Rust string.
fn raw_literal(json: &Value) -> String {
    let text = json.to_string();
    // What cannot be seen, or turns the direction of text, is written as JSON escapes it.
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let is_plain = c == '"' || c == '\\' || c == '\'' || c.escape_debug().count() == 1;
        if is_plain {
            shown.push(c);
        } else {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| shown += &format!("\\u{unit:04x}"));
        }
    }
    let hashes = |count: usize| "#".repeat(count);
    let fence = (1..).map(hashes).find(|fence| !shown.contains(&format!("\"{fence}"))).unwrap_or_default();
    format!("r{fence}\"{shown}\"{fence}")
}
