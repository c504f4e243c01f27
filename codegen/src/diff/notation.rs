//! The notation of reports: types as a reader of the specification's TypeScript would write them.

use std::fmt::Write as _;

use serde_json::Value;

use super::edition::Index;
use crate::model::{Additional, Bounds, Content, Format, Member, Shape, Type, TypeRef};

/// Types that stand inside others are written out to this depth.
const DEPTH: usize = 8;

impl Index<'_> {
    /// A use of a type; definitions by name, what stands inside written out.
    pub(super) fn text(&self, ty: &TypeRef) -> String {
        self.written(ty, DEPTH, false)
    }

    /// A use of a type with its definitions written out too, to some depth: what two of them have in common does not
    /// depend on what they are called.
    pub(super) fn expanded(&self, ty: &TypeRef) -> String {
        self.written(ty, 3, true)
    }

    /// A member: `title?: string`.
    pub(super) fn member(&self, member: &Member) -> String {
        let content = match &member.content {
            Content::Constant(value) => value.to_string(),
            Content::Field(field) => self.text(&field.ty),
        };
        format!("{}{}: {content}", key(&member.wire), if member.required { "" } else { "?" })
    }

    /// A member's content alone, with definitions written out.
    pub(super) fn expanded_content(&self, member: &Member) -> String {
        match &member.content {
            Content::Constant(value) => value.to_string(),
            Content::Field(field) => self.expanded(&field.ty),
        }
    }

    /// A whole definition, one member a line.
    pub(super) fn whole(&self, name: &str, ty: &Type) -> String {
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

    fn written(&self, ty: &TypeRef, depth: usize, expand: bool) -> String {
        match ty {
            TypeRef::Any => "unknown".to_owned(),
            TypeRef::String { format, length } => {
                let format = match format {
                    Some(Format::Uri) => " (uri)",
                    Some(Format::UriTemplate) => " (uri-template)",
                    Some(Format::Byte) => " (base64)",
                    None => "",
                };
                format!("string{format}{}", bounds(length, " characters"))
            }
            TypeRef::Boolean => "boolean".to_owned(),
            TypeRef::Integer { range } => format!("integer{}", bounds(range, "")),
            TypeRef::Number { range } => format!("number{}", bounds(range, "")),
            TypeRef::Object => "object".to_owned(),
            TypeRef::List { items, length } => {
                let items = self.written(items, depth, expand);
                let items = if items.contains([' ', '|']) { format!("({items})") } else { items };
                format!("{items}[]{}", bounds(length, " items"))
            }
            TypeRef::Map { values } => format!("{{ [key: string]: {} }}", self.written(values, depth, expand)),
            TypeRef::Nullable(inner) => format!("{} | null", self.written(inner, depth, expand)),
            TypeRef::Boxed(inner) => self.written(inner, depth, expand),
            TypeRef::Named(name) => {
                let Some(ty) = self.ty(name) else { return name.clone() };
                match &ty.definition {
                    Some(definition) if !expand || depth == 0 => definition.clone(),
                    _ if depth == 0 => "…".to_owned(),
                    _ => match &ty.shape {
                        Shape::Struct(object) => {
                            let mut members: Vec<String> = object
                                .members
                                .iter()
                                .map(|member| {
                                    let content = match &member.content {
                                        Content::Constant(value) => value.to_string(),
                                        Content::Field(field) => self.written(&field.ty, depth - 1, expand),
                                    };
                                    format!(
                                        "{}{}: {content}",
                                        key(&member.wire),
                                        if member.required { "" } else { "?" }
                                    )
                                })
                                .collect();
                            if let Additional::Typed(values) = &object.additional {
                                members.push(format!("[key: string]: {}", self.written(values, depth - 1, expand)));
                            }
                            match members.is_empty() {
                                true => "object".to_owned(),
                                false => format!("{{ {} }}", members.join("; ")),
                            }
                        }
                        Shape::Alias(target) => self.written(target, depth - 1, expand),
                        shape => self.alternatives(shape, depth - 1, expand).join(" | "),
                    },
                }
            }
        }
    }

    fn alternatives(&self, shape: &Shape, depth: usize, expand: bool) -> Vec<String> {
        match shape {
            Shape::Union(union) => {
                union.variants.iter().map(|variant| self.written(&variant.ty, depth, expand)).collect()
            }
            Shape::StringEnum(values) => {
                let known = values.values.iter().map(|value| Value::from(value.wire.as_str()).to_string());
                known.chain(values.open.then(|| "string".to_owned())).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// A member's name as an object literal has it.
fn key(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    match !name.is_empty() && name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        true => name.to_owned(),
        false => Value::from(name).to_string(),
    }
}

fn bounds(bounds: &Bounds, of: &str) -> String {
    match (bounds.minimum, bounds.maximum) {
        (None, None) => String::new(),
        (Some(low), None) => format!(" (≥ {low}{of})"),
        (None, Some(high)) => format!(" (≤ {high}{of})"),
        (Some(low), Some(high)) => format!(" ({low} to {high}{of})"),
    }
}
