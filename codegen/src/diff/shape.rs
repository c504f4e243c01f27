//! Shape: a use of a type in, the shape of its values out.

use std::cell::OnceCell;

use super::index::Index;
use crate::model::{Additional, Bounds, Format, Member, Shape, StringEnum, Type, TypeRef, Union};

/// A use of a type without its aliases and boxes.
#[derive(Clone)]
pub(super) struct Resolved<'a> {
    /// The outermost definition on the way.
    pub(super) definition: Option<&'a str>,
    /// Whether the use adds `null` to the definition.
    pub(super) or_null: bool,
    /// Whether the value may be `null` for any reason.
    pub(super) nullable: bool,
    pub(super) node: Node<'a>,
    source: Source<'a>,
    /// The notation, once it has been asked for. Most values are the same on both sides and never shown.
    text: OnceCell<String>,
}

/// The use or the definition that was resolved.
#[derive(Clone, Copy)]
enum Source<'a> {
    Use(&'a TypeRef),
    Definition(&'a str, &'a Type),
}

impl<'a> Resolved<'a> {
    /// How it is written in its edition.
    pub(super) fn text(&self, index: &Index<'a>) -> &str {
        self.text.get_or_init(|| match self.source {
            Source::Use(ty) => index.text(ty).into_owned(),
            Source::Definition(name, ty) => index.whole(name, ty),
        })
    }
}

/// The shape of a value in JSON: maps are objects, and there are no boxes.
#[derive(Clone, Copy)]
pub(super) enum Node<'a> {
    Any,
    Text { format: Option<Format>, length: Bounds },
    Boolean,
    Integer(Bounds),
    Number(Bounds),
    Object { members: &'a [Member], others: Others<'a> },
    List { items: &'a TypeRef, length: Bounds },
    Enum(&'a StringEnum),
    Union(&'a Union),
}

/// Members that are not declared.
#[derive(Clone, Copy)]
pub(super) enum Others<'a> {
    Open,
    Closed,
    Typed(&'a TypeRef),
}

impl Node<'_> {
    /// The kind of value, in a word.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Any => "any value",
            Self::Text { .. } => "string",
            Self::Boolean => "boolean",
            Self::Integer(_) => "integer",
            Self::Number(_) => "number",
            Self::Object { .. } => "object",
            Self::List { .. } => "list",
            Self::Enum(_) => "enum",
            Self::Union(_) => "union",
        }
    }
}

impl<'a> Index<'a> {
    /// A definition without aliases and boxes.
    pub(super) fn resolve_type(&self, name: &'a str, ty: &'a Type) -> Resolved<'a> {
        let source = Source::Definition(name, ty);
        match &ty.shape {
            Shape::Alias(target) => Resolved { source, ..self.resolve(target) },
            shape => {
                let (node, text) = (self.node(shape), OnceCell::new());
                Resolved { definition: None, or_null: false, nullable: false, node, source, text }
            }
        }
    }

    /// A use of a type without its aliases and boxes.
    pub(super) fn resolve(&self, ty: &'a TypeRef) -> Resolved<'a> {
        let (source, text) = (Source::Use(ty), OnceCell::new());
        let (mut ty, mut definition, mut or_null, mut nullable) = (ty, None, false, false);
        // Lowering has refused chains that are longer than this.
        for _ in 0..1000 {
            let node = match ty {
                TypeRef::Boxed(inner) => {
                    ty = inner;
                    continue;
                }
                TypeRef::Nullable(inner) => {
                    (ty, nullable) = (inner, true);
                    or_null |= definition.is_none();
                    continue;
                }
                TypeRef::Named(name) => match self.ty(name) {
                    Some(named) => {
                        definition = definition.or(named.definition.as_deref());
                        match &named.shape {
                            Shape::Alias(target) => {
                                ty = target;
                                continue;
                            }
                            shape => self.node(shape),
                        }
                    }
                    None => Node::Any,
                },
                TypeRef::Any => Node::Any,
                TypeRef::String { format, length } => Node::Text { format: *format, length: *length },
                TypeRef::Boolean => Node::Boolean,
                TypeRef::Integer { range } => Node::Integer(*range),
                TypeRef::Number { range } => Node::Number(*range),
                TypeRef::Object => Node::Object { members: &[], others: Others::Open },
                TypeRef::List { items, length } => Node::List { items, length: *length },
                TypeRef::Map { values } => Node::Object { members: &[], others: self.others(values) },
            };
            return Resolved { definition, or_null, nullable, node, source, text };
        }
        Resolved { definition, or_null, nullable, node: Node::Any, source, text }
    }

    pub(super) fn node(&self, shape: &'a Shape) -> Node<'a> {
        match shape {
            Shape::Struct(object) => {
                let others = match &object.additional {
                    Additional::Open => Others::Open,
                    Additional::Closed => Others::Closed,
                    Additional::Typed(values) => self.others(values),
                };
                Node::Object { members: &object.members, others }
            }
            Shape::Union(union) => Node::Union(union),
            Shape::StringEnum(values) => Node::Enum(values),
            Shape::Alias(target) => self.resolve(target).node,
        }
    }

    /// Other members with any value are the same as other members that the schema does not mention.
    fn others(&self, values: &'a TypeRef) -> Others<'a> {
        match self.is_any(values) {
            true => Others::Open,
            false => Others::Typed(values),
        }
    }

    /// Whether a use means any value. Objects are not opened, because their other members may lead back to them.
    fn is_any(&self, ty: &'a TypeRef) -> bool {
        let mut ty = ty;
        // Lowering has refused circles of aliases.
        loop {
            ty = match ty {
                TypeRef::Boxed(inner) | TypeRef::Nullable(inner) => inner,
                TypeRef::Named(name) => match self.ty(name).map(|named| &named.shape) {
                    Some(Shape::Alias(target)) => target,
                    shape => return shape.is_none(),
                },
                other => return matches!(other, TypeRef::Any),
            };
        }
    }
}
