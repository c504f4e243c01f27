//! Fit: the model of what travels in, the same with what Rust has to know besides out: what is kept behind a pointer, and
//! how the variants of a union are told apart.
//!
//! A schema whose types Rust cannot hold is refused here. It can still be compared with another one.

use std::collections::BTreeMap;

use super::{endless, layout, methods, typify, unions};
use crate::error::{Error, Result};
use crate::facts::Facts;
use crate::load::Schema;
use crate::model::{Content, Method, Revision, Shape, Type, Union, Variant};

pub(super) fn fit(schema: &Schema, facts: &Facts, revision: &mut Revision) -> Result<()> {
    let Revision { types, methods, .. } = revision;
    endless::refuse_values(schema, types)?;
    break_circles(types)?;
    let mut sizes = layout::Sizes::new(types);
    refuse_huge_types(schema, types, &mut sizes)?;
    let large = large_variants(types, &mut sizes);
    methods.iter_mut().for_each(|method| box_params(method, types, &mut sizes));
    tell_apart(schema, types, facts)?;
    box_variants(types, large);
    Ok(())
}

/// Puts members behind a pointer where typify says so.
fn break_circles(types: &mut BTreeMap<String, Type>) -> Result<()> {
    let mut decisions = typify::decide(types)?.into_iter();
    let objects = types.values_mut().filter_map(|ty| match &mut ty.shape {
        Shape::Struct(object) if typify::has_choices(&object.members) => Some(object),
        _ => None,
    });
    for object in objects {
        let decided = decisions.next().unwrap_or_default();
        if decided.len() != object.members.len() {
            return Err(Error::internal("typify was asked about other objects than those there are"));
        }
        for (member, decided) in object.members.iter_mut().zip(decided) {
            if let (Content::Field(field), Some(ty)) = (&mut member.content, decided) {
                field.ty = ty;
            }
        }
    }
    Ok(())
}

/// Refuses objects that hold so many others that no stack holds them.
fn refuse_huge_types<'a>(
    schema: &Schema,
    types: &'a BTreeMap<String, Type>,
    sizes: &mut layout::Sizes<'a>,
) -> Result<()> {
    match types.iter().find(|(name, ty)| sizes.typed(name, ty) > layout::LARGEST_OBJECT) {
        None => Ok(()),
        Some((_, ty)) => Err(Error::schema(
            &schema.file,
            &ty.pointer,
            format!("an object that takes more than {} bytes of memory", layout::LARGEST_OBJECT),
            "put some of its members into a list",
        )),
    }
}

/// Keeps large params behind a pointer. A message is a struct whose params may have been put behind one already.
fn box_params<'a>(method: &mut Method, types: &'a BTreeMap<String, Type>, sizes: &mut layout::Sizes<'a>) {
    let Some(Shape::Struct(message)) = types.get(&method.message).map(|ty| &ty.shape) else { return };
    let Some(params) = methods::params_of(message).and_then(methods::field_type) else { return };
    let largest = if method.params_required { layout::LARGEST_PARAMS } else { layout::LARGEST_OPTIONAL_PARAMS };
    method.params_boxed = sizes.of(params) > largest;
    method.params = Some(params.clone());
}

fn tell_apart(schema: &Schema, types: &mut BTreeMap<String, Type>, facts: &Facts) -> Result<()> {
    // Absence stands for the value that holds in general, not for that of a single type.
    let mut absent = BTreeMap::new();
    for fact in &facts.initial {
        for member in fact.members.iter().filter_map(|member| member.strip_prefix("*.")) {
            absent.insert(member.to_owned(), fact.value.clone());
        }
    }
    let context = unions::Context { file: &schema.file, types, absent: &absent };
    let mut found = Vec::new();
    for (name, ty) in types.iter() {
        if let Shape::Union(union) = &ty.shape {
            found.push(unions::rules(&context, name, union)?);
        }
    }
    for (union, rules) in unions_of(types).zip(found) {
        union.rules = rules;
    }
    Ok(())
}

fn unions_of(types: &mut BTreeMap<String, Type>) -> impl Iterator<Item = &mut Union> {
    types.values_mut().filter_map(|ty| match &mut ty.shape {
        Shape::Union(union) => Some(union),
        _ => None,
    })
}

/// For each union, which of its variants are too large for it.
fn large_variants<'a>(types: &'a BTreeMap<String, Type>, sizes: &mut layout::Sizes<'a>) -> Vec<Vec<bool>> {
    let mut large = |variant: &'a Variant| sizes.of(&variant.ty) > layout::LARGEST_VARIANT;
    let unions = types.values().filter_map(|ty| match &ty.shape {
        Shape::Union(union) => Some(union),
        _ => None,
    });
    unions.map(|union| union.variants.iter().map(&mut large).collect()).collect()
}

/// Puts variants behind pointers: the large ones of each union, and those that contain it.
fn box_variants(types: &mut BTreeMap<String, Type>, large: Vec<Vec<bool>>) {
    let names: Vec<String> =
        types.iter().filter(|(_, ty)| matches!(ty.shape, Shape::Union(_))).map(|(name, _)| name.clone()).collect();
    // One union after the other: a variant that was boxed for the one may have led to the next.
    for (name, large) in names.into_iter().zip(large) {
        let Some(Shape::Union(union)) = types.get(&name).map(|ty| &ty.shape) else { continue };
        let is_boxed = |(variant, large): (&Variant, bool)| large || layout::contains(types, &variant.ty, &name);
        let boxed: Vec<bool> = union.variants.iter().zip(large).map(is_boxed).collect();
        if let Some(Shape::Union(union)) = types.get_mut(&name).map(|ty| &mut ty.shape) {
            for (variant, boxed) in union.variants.iter_mut().zip(boxed) {
                variant.boxed = boxed;
            }
        }
    }
}
