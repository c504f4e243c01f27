//! How large a type is in memory, to keep enums small, and whether it contains itself.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::model::{Content, Shape, Type, TypeRef};

/// Variants larger than this are kept behind a pointer, so that no enum is three times as large as the 32 bytes of a
/// serde_json `Value`: a hostile list has a million items that no variant describes.
pub(super) const LARGEST_VARIANT: usize = 64;

/// Params larger than this are kept behind a pointer. A message is moved several times on its way to a handler, and a small
/// one for less than the allocation costs.
pub(super) const LARGEST_PARAMS: usize = 96;

/// The same of params that may be absent, which would take an allocation to say so.
pub(super) const LARGEST_OPTIONAL_PARAMS: usize = 200;

/// Larger objects are refused: values are built on the stack, several at a time.
pub(super) const LARGEST_OBJECT: usize = 32 * 1024;

const POINTER: usize = 8;
const STRING: usize = 24;
const NUMBER: usize = 16;
/// JSON that is kept as text.
const JSON: usize = 16;
/// The same of an object, which somebody may have changed.
const OBJECT: usize = 24;
/// The entries of a map, and their index.
const MAP: usize = 32;

/// Sizes on a 64-bit machine, rounded up, each computed once.
pub(super) struct Sizes<'a> {
    types: &'a BTreeMap<String, Type>,
    known: HashMap<&'a str, usize>,
    within: Vec<&'a str>,
}

impl<'a> Sizes<'a> {
    pub(super) fn new(types: &'a BTreeMap<String, Type>) -> Self {
        Self { types, known: HashMap::with_capacity(types.len()), within: Vec::new() }
    }

    /// The size of a type, with the large variants of unions boxed.
    pub(super) fn of(&mut self, ty: &'a TypeRef) -> usize {
        match ty {
            TypeRef::Any => JSON,
            TypeRef::Object => OBJECT,
            TypeRef::String { .. } => STRING,
            // Beside the items, a pointer to malformed ones.
            TypeRef::Map { .. } => MAP + POINTER,
            TypeRef::List { .. } => STRING + POINTER,
            TypeRef::Boolean => 1,
            TypeRef::Integer { .. } | TypeRef::Number { .. } => NUMBER,
            TypeRef::Nullable(inner) => self.of(inner).saturating_add(POINTER),
            TypeRef::Boxed(_) => POINTER,
            TypeRef::Named(name) => self.named(name),
        }
    }

    /// The size of a type of that name.
    pub(super) fn named(&mut self, name: &'a str) -> usize {
        match self.known.get(name) {
            Some(size) => *size,
            None => self.types.get(name).map_or(0, |ty| self.typed(name, ty)),
        }
    }

    /// The size of a type that has been looked up already.
    pub(super) fn typed(&mut self, name: &'a str, named: &'a Type) -> usize {
        if let Some(size) = self.known.get(name) {
            return *size;
        }
        // What contains itself does so behind a pointer.
        if self.within.contains(&name) {
            return POINTER;
        }
        if named.provided {
            return STRING;
        }
        self.within.push(name);
        let size = match &named.shape {
            Shape::Struct(object) => {
                let fields = object.members.iter().map(|member| match &member.content {
                    // An optional value may need room for the absence.
                    Content::Field(field) => self.of(&field.ty).checked_next_multiple_of(POINTER).unwrap_or(usize::MAX),
                    Content::Constant(_) => 0,
                });
                fields.fold(POINTER, usize::saturating_add)
            }
            Shape::Union(union) => {
                let variants = union.variants.iter().map(|variant| self.of(&variant.ty));
                variants.filter(|size| *size <= LARGEST_VARIANT).max().unwrap_or(0).max(JSON) + POINTER
            }
            Shape::StringEnum(_) => STRING,
            Shape::Alias(target) => self.of(target),
        };
        self.within.pop();
        self.known.insert(name, size);
        size
    }
}

/// Whether a value of the type holds a value of `name` directly, not behind a pointer, a list or a map.
pub(super) fn contains(types: &BTreeMap<String, Type>, ty: &TypeRef, name: &str) -> bool {
    fn search<'a>(
        types: &'a BTreeMap<String, Type>,
        ty: &'a TypeRef,
        name: &str,
        seen: &mut BTreeSet<&'a str>,
    ) -> bool {
        match ty {
            TypeRef::Nullable(inner) => search(types, inner, name, seen),
            TypeRef::Named(other) if other == name => true,
            TypeRef::Named(other) if seen.insert(other) => match types.get(other).map(|ty| &ty.shape) {
                Some(Shape::Struct(object)) => object.members.iter().any(|member| match &member.content {
                    Content::Field(field) => search(types, &field.ty, name, seen),
                    Content::Constant(_) => false,
                }),
                Some(Shape::Union(union)) => {
                    union.variants.iter().any(|variant| !variant.boxed && search(types, &variant.ty, name, seen))
                }
                Some(Shape::Alias(target)) => search(types, target, name, seen),
                _ => false,
            },
            _ => false,
        }
    }
    search(types, ty, name, &mut BTreeSet::new())
}
