//! Random documents of any type of any revision, made from the generator's model.
//!
//! The choices come from a string of bytes (`arbitrary::Unstructured`), so that the same code serves tests with a seed and
//! fuzzers that steer by coverage.

use arbitrary::{Result, Unstructured};
use base64::Engine as _;
use mcp_wire_codegen::model::{
    Additional, Bounds, Content, Field, Format, Member, Revision, Shape, Struct, TypeRef, Union,
};
use serde_json::{Map, Value, json};

/// Below this depth only what is required is made.
const DEEPEST: usize = 5;

/// Names of members that no schema declares, some of them awkward.
const NAMES: &[&str] = &["vendor/x", "x-y", "", "ÿ", "a~b/c", "$ref", "_", "io.example/trace", "\u{1f600}"];

/// Strings that may stand wherever a string may.
const STRINGS: &[&str] =
    &["", "a", "weather", "22 °C", "line\nbreak", "\u{2028}", "\"quoted\\\"", "null", "日本語", "\u{0}"];
const URIS: &[&str] = &["file:///home", "https://example.org/a?b=c#d", "urn:isbn:0451450523", "mailto:a@b.c", "x:"];
const TEMPLATES: &[&str] = &["file:///{path}", "https://example.org/{+a}/{b*}{?c,d}", "", "x{y:3}"];

/// Makes documents of the types of a revision.
pub struct Documents<'m> {
    model: &'m Revision,
}

impl<'m> Documents<'m> {
    pub fn new(model: &'m Revision) -> Self {
        Self { model }
    }

    /// A document of a definition: valid as a rule, with members and variants that nobody has heard of.
    pub fn document(&self, definition: &str, bytes: &mut Unstructured<'_>) -> Result<Value> {
        let found = self.model.types.iter().find(|(_, ty)| ty.definition.as_deref() == Some(definition));
        match found {
            Some((name, _)) => self.named(name, 0, bytes),
            None => Ok(Value::Null),
        }
    }

    /// A document that is valid, or nearly so: one or two places have something else.
    pub fn near(&self, definition: &str, bytes: &mut Unstructured<'_>) -> Result<Value> {
        let mut document = self.document(definition, bytes)?;
        for _ in 0..bytes.int_in_range(1..=2)? {
            damage(&mut document, bytes)?;
        }
        Ok(document)
    }

    fn named(&self, name: &str, depth: usize, bytes: &mut Unstructured<'_>) -> Result<Value> {
        match self.model.types.get(name).map(|ty| &ty.shape) {
            None => Ok(Value::Null),
            Some(Shape::Alias(target)) => self.value(target, depth, bytes),
            Some(Shape::Struct(object)) => self.object(object, depth, bytes),
            Some(Shape::Union(union)) => self.union(union, depth, bytes),
            Some(Shape::StringEnum(values)) => {
                // One that the schema does not list, now and then.
                if bytes.ratio(1, 16)? {
                    return Ok(json!(text(bytes)?));
                }
                Ok(json!(bytes.choose(&values.values)?.wire))
            }
        }
    }

    fn union(&self, union: &Union, depth: usize, bytes: &mut Unstructured<'_>) -> Result<Value> {
        if bytes.ratio(1, 24)? {
            let tag = union.rules.tag.as_deref().unwrap_or("type");
            let mut unknown = anything(depth, bytes)?;
            if let Some(members) = unknown.as_object_mut() {
                members.insert(tag.to_owned(), json!(text(bytes)?));
            }
            return Ok(unknown);
        }
        // Where the way down is long, the first variant that ends is taken: the plainest one comes first as a rule.
        let variant = match depth > DEEPEST {
            true => union.variants.first(),
            false => Some(bytes.choose(&union.variants)?),
        };
        variant.map_or(Ok(Value::Null), |variant| self.value(&variant.ty, depth + 1, bytes))
    }

    fn object(&self, object: &Struct, depth: usize, bytes: &mut Unstructured<'_>) -> Result<Value> {
        let mut members = Map::new();
        for member in &object.members {
            let wanted = member.required || depth < DEEPEST && bytes.ratio(2, 5)?;
            if wanted {
                members.insert(member.wire.clone(), self.member(member, depth, bytes)?);
            }
        }
        if depth < DEEPEST && bytes.ratio(1, 6)? {
            let name = (*bytes.choose(NAMES)?).to_owned();
            let declared = object.members.iter().any(|member| member.wire == name);
            let value = match &object.additional {
                Additional::Open => Some(anything(depth + 1, bytes)?),
                Additional::Typed(ty) => Some(self.value(ty, depth + 1, bytes)?),
                Additional::Closed => None,
            };
            if let Some(value) = value.filter(|_| !declared) {
                members.insert(name, value);
            }
        }
        // Members come in any order.
        if bytes.ratio(1, 3)? {
            members = members.into_iter().rev().collect();
        }
        Ok(Value::Object(members))
    }

    fn member(&self, member: &Member, depth: usize, bytes: &mut Unstructured<'_>) -> Result<Value> {
        match &member.content {
            Content::Constant(value) => Ok(value.clone()),
            Content::Field(Field { ty, .. }) => self.value(ty, depth + 1, bytes),
        }
    }

    fn value(&self, ty: &TypeRef, depth: usize, bytes: &mut Unstructured<'_>) -> Result<Value> {
        match ty {
            TypeRef::Any => anything(depth, bytes),
            TypeRef::Boolean => Ok(json!(bytes.arbitrary::<bool>()?)),
            TypeRef::Object => Ok(Value::Object(members(depth, bytes)?)),
            TypeRef::Named(name) => self.named(name, depth, bytes),
            TypeRef::Boxed(inner) => self.value(inner, depth, bytes),
            TypeRef::Nullable(inner) => match bytes.ratio(1, 3)? {
                true => Ok(Value::Null),
                false => self.value(inner, depth, bytes),
            },
            TypeRef::Integer { range } => integer(range, bytes),
            TypeRef::Number { range } => number(range, bytes),
            TypeRef::String { format, length } => string(*format, length, bytes),
            TypeRef::List { items, length } => {
                let (least, most) = (length.minimum.unwrap_or(0.0) as usize, length.maximum.unwrap_or(3.0) as usize);
                let most = if depth < DEEPEST { most.clamp(least, least + 3) } else { least };
                let count = bytes.int_in_range(least..=most)?;
                Ok(Value::Array((0..count).map(|_| self.value(items, depth + 1, bytes)).collect::<Result<_>>()?))
            }
            TypeRef::Map { values } => {
                let count = if depth < DEEPEST { bytes.int_in_range(0..=2)? } else { 0 };
                let mut members = Map::new();
                for _ in 0..count {
                    let key = if bytes.ratio(1, 4)? { *bytes.choose(NAMES)? } else { *bytes.choose(STRINGS)? };
                    members.insert(key.to_owned(), self.value(values, depth + 1, bytes)?);
                }
                Ok(Value::Object(members))
            }
        }
    }
}

fn text(bytes: &mut Unstructured<'_>) -> Result<String> {
    match bytes.ratio(1, 8)? {
        true => bytes.arbitrary(),
        false => Ok((*bytes.choose(STRINGS)?).to_owned()),
    }
}

fn string(format: Option<Format>, length: &Bounds, bytes: &mut Unstructured<'_>) -> Result<Value> {
    let mut made = match format {
        Some(Format::Uri) => (*bytes.choose(URIS)?).to_owned(),
        Some(Format::UriTemplate) => (*bytes.choose(TEMPLATES)?).to_owned(),
        Some(Format::Byte) => {
            let count = bytes.int_in_range(0..=5)?;
            let data = (0..count).map(|_| bytes.arbitrary::<u8>()).collect::<Result<Vec<u8>>>()?;
            base64::engine::general_purpose::STANDARD.encode(data)
        }
        None => text(bytes)?,
    };
    let least = length.minimum.unwrap_or(0.0) as usize;
    while made.chars().count() < least {
        made.push('x');
    }
    if let Some(most) = length.maximum {
        made = made.chars().take(most as usize).collect();
    }
    Ok(json!(made))
}

fn integer(range: &Bounds, bytes: &mut Unstructured<'_>) -> Result<Value> {
    let value = match bytes.int_in_range(0..=5)? {
        0 => 0,
        1 => i64::from(bytes.arbitrary::<i16>()?),
        2 => bytes.arbitrary::<i64>()?,
        3 => -1,
        _ => i64::from(bytes.arbitrary::<u8>()?),
    };
    let value = (value as f64).max(range.minimum.unwrap_or(f64::MIN)).min(range.maximum.unwrap_or(f64::MAX));
    // A whole number may be written with a point.
    match value.abs() < 1e15 && !bytes.ratio(1, 8)? {
        true => Ok(json!(value as i64)),
        false => Ok(json!(value)),
    }
}

fn number(range: &Bounds, bytes: &mut Unstructured<'_>) -> Result<Value> {
    if bytes.ratio(1, 3)? {
        return integer(range, bytes);
    }
    let value = f64::from(bytes.arbitrary::<i32>()?) / 1024.0;
    Ok(json!(value.max(range.minimum.unwrap_or(f64::MIN)).min(range.maximum.unwrap_or(f64::MAX))))
}

fn members(depth: usize, bytes: &mut Unstructured<'_>) -> Result<Map<String, Value>> {
    let count = if depth < DEEPEST { bytes.int_in_range(0..=2)? } else { 0 };
    let mut members = Map::new();
    for _ in 0..count {
        members.insert(text(bytes)?, anything(depth + 1, bytes)?);
    }
    Ok(members)
}

/// Any JSON at all.
pub fn anything(depth: usize, bytes: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match bytes.int_in_range(0..=7)? {
        0 => Value::Null,
        1 => json!(bytes.arbitrary::<bool>()?),
        2 => number(&Bounds::default(), bytes)?,
        3 => json!(bytes.arbitrary::<u64>()?),
        4 if depth < DEEPEST => {
            let count = bytes.int_in_range(0..=2)?;
            Value::Array((0..count).map(|_| anything(depth + 1, bytes)).collect::<Result<_>>()?)
        }
        5 | 6 => Value::Object(members(depth, bytes)?),
        _ => json!(text(bytes)?),
    })
}

/// Puts something else at one place of a document, or takes it away.
fn damage(value: &mut Value, bytes: &mut Unstructured<'_>) -> Result<()> {
    let goes_on = bytes.ratio(3, 4)?;
    match value {
        Value::Object(members) if goes_on && !members.is_empty() => {
            let index = bytes.choose_index(members.len())?;
            let name = members.keys().nth(index).cloned().unwrap_or_default();
            if bytes.ratio(1, 5)? {
                members.shift_remove(&name);
            } else if let Some(inner) = members.get_mut(&name) {
                damage(inner, bytes)?;
            }
        }
        Value::Array(items) if goes_on && !items.is_empty() => {
            let index = bytes.choose_index(items.len())?;
            if bytes.ratio(1, 5)? {
                items.remove(index);
            } else if let Some(inner) = items.get_mut(index) {
                damage(inner, bytes)?;
            }
        }
        place => *place = anything(DEEPEST - 1, bytes)?,
    }
    Ok(())
}
