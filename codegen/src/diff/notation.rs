//! Notation: types of the model in, the TypeScript that reports show out.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::Value;

use super::index::Index;
use super::path::is_identifier;
use crate::model::{Additional, Bounds, Content, Format, Member, Shape, Type, TypeRef};

/// Types without a name are written out to this depth.
const DEPTH: usize = 8;

impl<'a> Index<'a> {
    /// A use of a type. Definitions are named, other types are written out.
    pub(super) fn text(&self, ty: &'a TypeRef) -> Cow<'a, str> {
        self.written(ty, DEPTH, false)
    }

    /// A use of a type with its definitions written out too, to some depth. Two uses can be compared by it whatever the
    /// definitions are called.
    pub(super) fn expanded(&self, ty: &'a TypeRef) -> Cow<'a, str> {
        self.written(ty, 3, true)
    }

    /// A member: `title?: string`.
    pub(super) fn member(&self, member: &'a Member) -> String {
        member_with(member, &self.content(member))
    }

    /// A member's content alone.
    pub(super) fn content(&self, member: &'a Member) -> Cow<'a, str> {
        match &member.content {
            Content::Constant(value) => value.to_string().into(),
            Content::Field(field) => self.text(&field.ty),
        }
    }

    /// A member's content alone, with definitions written out.
    pub(super) fn expanded_content(&self, member: &'a Member) -> Cow<'a, str> {
        match &member.content {
            Content::Constant(value) => value.to_string().into(),
            Content::Field(field) => self.expanded(&field.ty),
        }
    }

    /// A whole definition, one member a line.
    pub(super) fn whole(&self, name: &str, ty: &'a Type) -> String {
        match &ty.shape {
            Shape::Struct(object) => {
                let mut text = format!("interface {name} {{\n");
                for member in &object.members {
                    let _ = writeln!(text, "  {};", self.member(member));
                }
                if let Additional::Typed(values) = &object.additional {
                    let _ = writeln!(text, "  [key: string]: {};", self.text(values));
                }
                if matches!(object.additional, Additional::Closed) {
                    text.push_str("  [key: string]: never;\n");
                }
                text + "}"
            }
            Shape::Alias(target) => format!("type {name} = {}", self.text(target)),
            shape => format!("type {name} =\n  | {}", self.alternatives(shape, DEPTH, false).join("\n  | ")),
        }
    }

    fn written(&self, ty: &'a TypeRef, depth: usize, expand: bool) -> Cow<'a, str> {
        match ty {
            TypeRef::Any => "unknown".into(),
            TypeRef::String { format, length } => {
                let name = match format {
                    Some(Format::Uri) => "string (uri)",
                    Some(Format::UriTemplate) => "string (uri-template)",
                    Some(Format::Byte) => "string (base64)",
                    None => "string",
                };
                bounded(name.into(), length, " characters")
            }
            TypeRef::Boolean => "boolean".into(),
            TypeRef::Integer { range } => bounded("integer".into(), range, ""),
            TypeRef::Number { range } => bounded("number".into(), range, ""),
            TypeRef::Object => "object".into(),
            TypeRef::List { items, length } => {
                let items = self.written(items, depth, expand);
                let list = if items.contains([' ', '|']) { format!("({items})[]") } else { format!("{items}[]") };
                bounded(list.into(), length, " items")
            }
            TypeRef::Map { values } => format!("{{ [key: string]: {} }}", self.written(values, depth, expand)).into(),
            TypeRef::Nullable(inner) => format!("{} | null", self.written(inner, depth, expand)).into(),
            TypeRef::Boxed(inner) => self.written(inner, depth, expand),
            TypeRef::Named(name) => {
                let Some(ty) = self.ty(name) else { return name.into() };
                match &ty.definition {
                    Some(definition) if !expand || depth == 0 => definition.into(),
                    _ if depth == 0 => "…".into(),
                    _ => match &ty.shape {
                        Shape::Struct(object) => {
                            let mut members: Vec<String> = object
                                .members
                                .iter()
                                .map(|member| match &member.content {
                                    Content::Constant(value) => member_with(member, &value.to_string()),
                                    Content::Field(field) => {
                                        member_with(member, &self.written(&field.ty, depth - 1, expand))
                                    }
                                })
                                .collect();
                            if let Additional::Typed(values) = &object.additional {
                                members.push(format!("[key: string]: {}", self.written(values, depth - 1, expand)));
                            }
                            match members.is_empty() {
                                true => "object".into(),
                                false => format!("{{ {} }}", members.join("; ")).into(),
                            }
                        }
                        Shape::Alias(target) => self.written(target, depth - 1, expand),
                        shape => self.alternatives(shape, depth - 1, expand).join(" | ").into(),
                    },
                }
            }
        }
    }

    fn alternatives(&self, shape: &'a Shape, depth: usize, expand: bool) -> Vec<Cow<'a, str>> {
        match shape {
            Shape::Union(union) => {
                union.variants.iter().map(|variant| self.written(&variant.ty, depth, expand)).collect()
            }
            Shape::StringEnum(values) => {
                let known = values.values.iter().map(|value| Value::from(value.wire.as_str()).to_string().into());
                known.chain(values.open.then_some("string".into())).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// A member with what it holds.
fn member_with(member: &Member, content: &str) -> String {
    [key(&member.wire).as_ref(), if member.required { ": " } else { "?: " }, content].concat()
}

/// A member's name, in quotation marks if TypeScript needs them.
fn key(name: &str) -> Cow<'_, str> {
    match is_identifier(name) {
        true => name.into(),
        false => Value::from(name).to_string().into(),
    }
}

fn bounded<'a>(name: Cow<'a, str>, bounds: &Bounds, of: &str) -> Cow<'a, str> {
    match (bounds.minimum, bounds.maximum) {
        (None, None) => name,
        (Some(low), None) => format!("{name} (≥ {low}{of})").into(),
        (None, Some(high)) => format!("{name} (≤ {high}{of})").into(),
        (Some(low), Some(high)) => format!("{name} ({low} to {high}{of})").into(),
    }
}
