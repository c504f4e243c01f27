//! Types as Rust writes them, and what a schema asks besides.

use super::{Uses, Viewer};
use crate::model::{Bounds, Format, Shape, TypeRef};

impl<'a> Viewer<'a> {
    pub(super) fn shape(&self, name: &str) -> Option<&'a Shape> {
        self.revision.types.get(name).map(|ty| &ty.shape)
    }

    /// A type as Rust writes it.
    pub(super) fn rust(&self, ty: &TypeRef, uses: &mut Uses) -> String {
        let mut core = |name: &'static str| {
            uses.core.insert(name);
            name.to_owned()
        };
        match ty {
            TypeRef::Any => core("Json"),
            TypeRef::String { .. } => "String".to_owned(),
            TypeRef::Boolean => "bool".to_owned(),
            TypeRef::Integer { .. } => core("Integer"),
            TypeRef::Number { .. } => core("Number"),
            TypeRef::Object => core("JsonObject"),
            TypeRef::List { items, .. } => {
                uses.core.insert("List");
                format!("List<{}>", self.rust(items, uses))
            }
            TypeRef::Map { values } => {
                uses.core.insert("Dict");
                format!("Dict<{}>", self.rust(values, uses))
            }
            TypeRef::Nullable(inner) => format!("Option<{}>", self.rust(inner, uses)),
            TypeRef::Boxed(inner) => format!("Box<{}>", self.rust(inner, uses)),
            // These would hide the prelude's types of the same name.
            TypeRef::Named(name) if matches!(name.as_str(), "Result" | "Error") => format!("crate::{name}"),
            TypeRef::Named(name) => {
                uses.named.insert(name.clone());
                name.clone()
            }
        }
    }

    /// What a function takes for a value of the type, to be turned into it.
    pub(super) fn parameter(&self, ty: &TypeRef, uses: &mut Uses) -> String {
        match ty {
            TypeRef::Any
            | TypeRef::String { .. }
            | TypeRef::Integer { .. }
            | TypeRef::Number { .. }
            | TypeRef::List { .. } => format!("impl Into<{}>", self.rust(ty, uses)),
            TypeRef::Boxed(inner) => self.rust(inner, uses),
            TypeRef::Named(named) => match self.shape(named) {
                Some(Shape::Union(_) | Shape::StringEnum(_)) => format!("impl Into<{}>", self.rust(ty, uses)),
                Some(Shape::Alias(target)) => self.parameter(target, uses),
                _ => self.rust(ty, uses),
            },
            _ => self.rust(ty, uses),
        }
    }

    /// What an alias stands for.
    pub(super) fn resolved<'t>(&self, ty: &'t TypeRef) -> &'t TypeRef
    where
        'a: 't,
    {
        match ty {
            TypeRef::Named(name) => match self.shape(name) {
                Some(Shape::Alias(target)) => self.resolved(target),
                _ => ty,
            },
            _ => ty,
        }
    }

    pub(super) fn item_type<'t>(&self, ty: &'t TypeRef) -> Option<&'t TypeRef>
    where
        'a: 't,
    {
        match ty {
            TypeRef::List { items, .. } => Some(items),
            TypeRef::Map { values } => Some(values),
            TypeRef::Named(name) => match self.shape(name) {
                Some(Shape::Alias(target)) => self.item_type(target),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether some JSON value does not have the type: a union takes them all.
    pub(super) fn can_misfit(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::Any => false,
            TypeRef::Named(name) => match self.shape(name) {
                Some(Shape::Union(_)) => self.is_provided(name),
                Some(Shape::Alias(target)) => self.can_misfit(target),
                _ => true,
            },
            TypeRef::Boxed(inner) | TypeRef::Nullable(inner) => self.can_misfit(inner),
            _ => true,
        }
    }

    /// What the schema asks of a value besides its type, as the row of a table says it.
    pub(super) fn limits(&self, ty: &TypeRef) -> String {
        self.limits_of(ty).map(|limits| format!(" within {limits}")).unwrap_or_default()
    }

    fn limits_of(&self, ty: &TypeRef) -> Option<String> {
        let within = |base: &str, inner: &TypeRef| {
            let each = self.limits_of(inner)?;
            Some(format!("{base}.each(&const {{ {each} }})"))
        };
        match self.resolved(ty) {
            TypeRef::String { format, length } => {
                let name = match format {
                    Some(Format::Uri) => "URI",
                    Some(Format::UriTemplate) => "URI_TEMPLATE",
                    Some(Format::Byte) => "BYTE",
                    None => "NONE",
                };
                let is_any = format.is_none() && length.is_empty();
                (!is_any).then(|| format!("wire::Limits::{name}{}", lengths(length)))
            }
            TypeRef::Integer { range } | TypeRef::Number { range } => {
                let minimum = range.minimum.map(|minimum| format!(".at_least({minimum:?})")).unwrap_or_default();
                let maximum = range.maximum.map(|maximum| format!(".at_most({maximum:?})")).unwrap_or_default();
                (!range.is_empty()).then(|| format!("wire::Limits::NONE{minimum}{maximum}"))
            }
            TypeRef::List { items, length } => {
                let own = format!("wire::Limits::NONE{}", lengths(length));
                within(&own, items).or_else(|| (!length.is_empty()).then_some(own))
            }
            TypeRef::Map { values } => within("wire::Limits::NONE", values),
            TypeRef::Nullable(inner) | TypeRef::Boxed(inner) => self.limits_of(inner),
            TypeRef::Any | TypeRef::Boolean | TypeRef::Object | TypeRef::Named(_) => None,
        }
    }

    /// A type as Rust sees it through all aliases.
    pub(super) fn unaliased(&self, ty: &TypeRef) -> String {
        match self.resolved(ty) {
            TypeRef::List { items, .. } => format!("List<{}>", self.unaliased(items)),
            TypeRef::Map { values } => format!("Dict<{}>", self.unaliased(values)),
            TypeRef::Nullable(inner) => format!("Option<{}>", self.unaliased(inner)),
            TypeRef::Boxed(inner) => format!("Box<{}>", self.unaliased(inner)),
            ty => self.rust(ty, &mut Uses::default()),
        }
    }
}

/// The least and the largest length, if there is one.
fn lengths(length: &Bounds) -> String {
    if length.is_empty() {
        return String::new();
    }
    // No length exceeds the largest `usize`, wherever the code is compiled.
    let bound =
        |bound: f64| if bound < f64::from(u32::MAX) { format!("{}", bound.max(0.0)) } else { "usize::MAX".to_owned() };
    let (least, most) = (length.minimum.unwrap_or(0.0).ceil(), length.maximum.unwrap_or(f64::MAX).floor());
    format!(".length({}, {})", bound(least), bound(most))
}
