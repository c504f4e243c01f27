//! The documentation of types, members and variants.

use super::{Viewer, literal, spaced};
use crate::docs;
use crate::model::{Bounds, Field, Format, Member, Method, Shape, Type, TypeRef};
use crate::names;

/// So many names of variants or values are listed; more would say less.
const MOST_NAMES: usize = 8;

impl Viewer<'_> {
    pub(super) fn type_doc(&self, name: &str, ty: &Type) -> Vec<String> {
        let mut lines = match &ty.doc {
            Some(doc) => docs::lines(doc, &self.targets),
            None => Vec::new(),
        };
        if lines.is_empty() {
            lines.extend(docs::lines(&self.undescribed(name, ty), &self.targets));
        }
        self.deprecation(ty.deprecated.as_deref(), &mut lines);
        if let Some(definition) = ty.definition.as_ref().filter(|_| self.revision.official) {
            lines.push(String::new());
            lines.push(format!("[Specification]({})", names::spec_page(&self.revision.name, definition)));
        }
        lines
    }

    fn member_doc(&self, member: &Member, ty: &TypeRef) -> Vec<String> {
        let mut lines = match (&member.doc, self.named_doc(ty)) {
            (Some(doc), _) => docs::lines(doc, &self.targets),
            (None, Some(doc)) => docs::lines(docs::first_sentence(doc), &self.targets),
            (None, None) => Vec::new(),
        };
        if lines.is_empty()
            && let Some(holds) = self.holds(ty)
        {
            lines.extend(docs::lines(&holds, &self.targets));
        }
        self.deprecation(member.deprecated.as_deref(), &mut lines);
        lines
    }

    /// What is known of a type that the schema does not describe: where it is used, and what it holds.
    fn undescribed(&self, name: &str, ty: &Type) -> String {
        let place = self.place(name, ty);
        let holds = self.shape(name).and_then(|shape| self.shape_holds(shape));
        match (place, holds) {
            (Some(place), Some(holds)) => format!("{place}: {holds}"),
            (Some(place), None) => format!("{place}."),
            (None, Some(holds)) => format!("{}: {holds}", spaced(name)),
            (None, None) => format!("{}.", spaced(name)),
        }
    }

    /// Where a type without a definition of its own is used.
    fn place(&self, name: &str, ty: &Type) -> Option<String> {
        let is_params = |method: &&Method| matches!(&method.params, Some(TypeRef::Named(params)) if params == name);
        if let Some(method) = self.revision.methods.iter().find(is_params) {
            return Some(format!("Parameters of {}", docs::shown(&method.method)));
        }
        let (owner, member) = ty.pointer.rsplit_once("/properties/").filter(|_| ty.definition.is_none())?;
        let member = docs::shown(member.split('/').next().unwrap_or_default());
        let named = self.revision.types.iter().find(|(_, ty)| ty.pointer == owner);
        let owner = match named {
            Some((owner, _)) => format!("{{@link {owner}}}"),
            None => docs::shown(owner.rsplit('/').next().unwrap_or_default()),
        };
        Some(format!("{member} of {owner}"))
    }

    /// What a type says about its values that Rust does not say; nothing, where that is nothing.
    fn holds(&self, ty: &TypeRef) -> Option<String> {
        match ty {
            TypeRef::String { format, length } => {
                let noun = match format {
                    Some(Format::Uri) => "A URI",
                    Some(Format::UriTemplate) => "A URI template",
                    Some(Format::Byte) => "Base64",
                    None if length.is_empty() => return None,
                    None => "A string",
                };
                let length = bounds(length).map(|length| format!(", {length} characters")).unwrap_or_default();
                Some(format!("{noun}{length}."))
            }
            TypeRef::Integer { range } | TypeRef::Number { range } => Some(format!("A number, {}.", bounds(range)?)),
            TypeRef::List { items, length } => match (self.item_holds(items), bounds(length)) {
                (Some(items), Some(length)) => Some(format!("{items} There are {length}.")),
                (Some(items), None) => Some(items),
                (None, length) => Some(format!("A list, {} items.", length?)),
            },
            TypeRef::Map { values } => self.item_holds(values),
            TypeRef::Nullable(inner) | TypeRef::Boxed(inner) => self.holds(inner),
            TypeRef::Named(name) => match self.shape(name)? {
                Shape::Alias(target) => self.holds(target),
                shape => self.shape_holds(shape).map(|holds| capitalised(&holds)),
            },
            TypeRef::Any | TypeRef::Boolean | TypeRef::Object => None,
        }
    }

    /// What the items of a list or the values of a map are, where the schema describes that.
    fn item_holds(&self, ty: &TypeRef) -> Option<String> {
        match ty {
            TypeRef::Named(name) => {
                let doc = docs::first_sentence(self.named_doc(ty)?);
                let definition = self.revision.types.get(name)?.definition.as_ref()?;
                Some(format!("{{@link {definition}}}: {doc}"))
            }
            _ => self.holds(ty),
        }
    }

    fn shape_holds(&self, shape: &Shape) -> Option<String> {
        let names: Vec<String> = match shape {
            Shape::Union(union) => {
                let named = |ty: &TypeRef| match ty {
                    TypeRef::Named(name) => {
                        Some(format!("{{@link {}}}", self.revision.types.get(name)?.definition.as_ref()?))
                    }
                    _ => None,
                };
                union.variants.iter().map(|variant| named(&variant.ty)).collect::<Option<_>>()?
            }
            Shape::StringEnum(values) => values.values.iter().map(|value| docs::shown(&value.wire)).collect(),
            Shape::Struct(_) | Shape::Alias(_) => return None,
        };
        let (last, others) = names.split_last().filter(|_| names.len() <= MOST_NAMES)?;
        let others = others.join(", ");
        Some(if others.is_empty() { format!("{last}.") } else { format!("{others} or {last}.") })
    }

    pub(super) fn field_doc(&self, member: &Member, field: &Field) -> Vec<String> {
        let mut lines = self.member_doc(member, &field.ty);
        let note = match &field.initial {
            Some(initial) => Some(match &field.absence {
                None => format!("Absence stands for {}.", literal(initial)),
                Some(absence) => format!(
                    "A constructor writes {}. Absence stands for {}: an object without it is no such object.",
                    literal(initial),
                    literal(absence)
                ),
            }),
            None if field.lenient && member.required => {
                Some("The schema requires it, yet peers are known to leave it out; `check()` reports that.".to_owned())
            }
            None => None,
        };
        if let Some(note) = note {
            lines.push(String::new());
            lines.extend(docs::lines(&note, &self.targets));
        }
        lines.extend(self.malformed_doc(&field.ty).into_iter().flat_map(|note| [String::new(), note.to_owned()]));
        lines
    }

    /// What becomes of malformed items.
    fn malformed_doc(&self, ty: &TypeRef) -> Option<&'static str> {
        let (note, item) = match self.resolved(ty) {
            TypeRef::List { items, .. } => {
                ("Malformed items are kept until the list is changed, see [`List`](mcp_wire_core::List).", items)
            }
            TypeRef::Map { values } => {
                ("Malformed values are kept until the map is changed, see [`Dict`](mcp_wire_core::Dict).", values)
            }
            TypeRef::Nullable(inner) | TypeRef::Boxed(inner) => return self.malformed_doc(inner),
            _ => return None,
        };
        self.can_misfit(item).then_some(note)
    }

    fn named_doc(&self, ty: &TypeRef) -> Option<&str> {
        match ty {
            TypeRef::Named(name) => self.revision.types.get(name)?.doc.as_deref(),
            TypeRef::Boxed(inner) | TypeRef::Nullable(inner) => self.named_doc(inner),
            _ => None,
        }
    }

    pub(super) fn deprecation(&self, note: Option<&str>, lines: &mut Vec<String>) {
        if let Some(note) = note {
            lines.push(String::new());
            lines.extend(docs::lines(&format!("**Deprecated.** {note}"), &self.targets));
        }
    }

    pub(super) fn variant_doc(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::Named(name) => {
                let doc = self.revision.types.get(name).and_then(|ty| ty.doc.as_deref()).map(docs::first_sentence);
                let mut lines = docs::lines(doc.unwrap_or_default(), &self.targets);
                // All of it goes on one line, where a block of code has no place.
                lines.truncate(lines.iter().position(|line| line.starts_with("```")).unwrap_or(lines.len()));
                match &lines[..] {
                    [] => format!("{}.", spaced(name)),
                    lines => lines.join(" "),
                }
            }
            TypeRef::String { .. } => "A string.".to_owned(),
            TypeRef::Boolean => "`true` or `false`.".to_owned(),
            TypeRef::Integer { .. } => "A whole number.".to_owned(),
            TypeRef::Number { .. } => "A number.".to_owned(),
            TypeRef::List { .. } => "A list.".to_owned(),
            _ => "An object.".to_owned(),
        }
    }
}

/// A range or a length in words.
fn bounds(bounds: &Bounds) -> Option<String> {
    match (bounds.minimum, bounds.maximum) {
        (Some(minimum), Some(maximum)) => Some(format!("{minimum} to {maximum}")),
        (Some(minimum), None) => Some(format!("at least {minimum}")),
        (None, Some(maximum)) => Some(format!("at most {maximum}")),
        (None, None) => None,
    }
}

/// A sentence that began with a name begins with a word.
fn capitalised(text: &str) -> String {
    match text.starts_with(['`', '{']) {
        true => format!("One of {text}"),
        false => text.to_owned(),
    }
}
