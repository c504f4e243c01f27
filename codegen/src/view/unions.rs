//! Unions and enums of strings.

use super::{Conversions, Doc, EnumView, UnionView, Uses, ValueView, VariantView, Viewer, literal};
use crate::docs;
use crate::model::{JsonKind, Signature, StringEnum, TypeRef, Union};

impl Viewer<'_> {
    pub(super) fn union(&self, name: &str, doc: Doc, union: &Union, uses: &mut Uses) -> UnionView {
        uses.core.insert("Json");
        let mut from: Vec<Vec<Source>> = union.variants.iter().map(|variant| self.sources(&variant.ty, uses)).collect();
        // What several variants could be made from says nothing about which.
        let all: Vec<String> = from.iter().flatten().map(|source| source.unaliased.clone()).collect();
        let is_only = |source: &Source| all.iter().filter(|other| **other == source.unaliased).count() == 1;
        from.iter_mut().for_each(|sources| sources.retain(is_only));
        let variants = union.variants.iter().zip(from).map(|(variant, from)| {
            let ty = self.rust(&variant.ty, uses);
            VariantView {
                doc: self.variant_doc(&variant.ty),
                name: variant.name.clone(),
                held: if variant.boxed { format!("Box<{ty}>") } else { ty },
                conversions: Conversions(from.into_iter().map(|source| source.ty).collect()),
                limits: self.limits(&variant.ty),
            }
        });
        UnionView {
            doc,
            name: name.to_owned(),
            expected: literal(&format!("a variant of `{name}`")),
            variants: variants.collect(),
            rules: self.rules(union, uses),
        }
    }

    /// What tells the variants of a union apart.
    fn rules(&self, union: &Union, uses: &mut Uses) -> Vec<(&'static str, String)> {
        let rules = &union.rules;
        let mut view: Vec<(&'static str, String)> = Vec::new();
        let mut list = |name: &'static str, items: Vec<String>| {
            if !items.is_empty() {
                view.push((name, format!("&[{}]", items.join(", "))));
            }
        };
        let pairs = |pairs: &mut dyn Iterator<Item = (String, usize)>| -> Vec<String> {
            pairs.map(|(key, variant)| format!("({key}, {variant})")).collect()
        };
        list("tags", pairs(&mut rules.tags.iter().map(|(tag, variant)| (literal(tag), *variant))));
        list("hints", pairs(&mut rules.hints.iter().map(|(member, variant)| (literal(member), *variant))));
        let kind = |kind: JsonKind| format!("wire::Kind::{}", kind_name(kind));
        list("kinds", pairs(&mut rules.kinds.iter().map(|(name, variant)| (kind(*name), *variant))));
        list("signatures", rules.signatures.iter().map(signature).collect());
        let recognises = |index: usize| {
            let item = self.item_type(&union.variants.get(index)?.ty)?;
            Some((format!("<{} as wire::Wire>::recognises", self.rust(item, uses)), index))
        };
        list("arrays", pairs(&mut rules.arrays.iter().copied().filter_map(recognises)));
        if let Some(tag) = &rules.tag {
            view.insert(0, ("tag", literal(tag)));
        }
        if let [only] = &rules.signatures[..]
            && only.members.is_empty()
            && only.tags.is_empty()
            && rules.tag.is_none()
        {
            view.insert(0, ("object", format!("Some({})", only.variant)));
        }
        if rules.exclusive {
            view.insert(0, ("exclusive", "true".to_owned()));
        }
        view
    }

    /// What a variant can be made from.
    fn sources(&self, ty: &TypeRef, uses: &mut Uses) -> Vec<Source> {
        let mut sources = vec![Source { ty: self.rust(ty, uses), unaliased: self.unaliased(ty) }];
        let plain: &[&str] = match ty {
            TypeRef::String { .. } => &["&str"],
            TypeRef::Number { .. } => &["f64", "i64"],
            TypeRef::Integer { .. } => &["i64"],
            _ => &[],
        };
        sources.extend(plain.iter().map(|ty| Source { ty: (*ty).to_owned(), unaliased: (*ty).to_owned() }));
        if let TypeRef::List { items, .. } = self.resolved(ty) {
            let vec = |item: String| format!("Vec<{item}>");
            sources.push(Source { ty: vec(self.rust(items, uses)), unaliased: vec(self.unaliased(items)) });
        }
        sources
    }

    pub(super) fn string_enum(name: &str, doc: Doc, values: &StringEnum) -> EnumView {
        let known = values.values.iter().map(|value| format!("{:?}", value.wire)).collect::<Vec<_>>().join(", ");
        EnumView {
            doc,
            name: name.to_owned(),
            expected: literal(&format!("a string (`{name}`)")),
            values: values
                .values
                .iter()
                .map(|value| ValueView {
                    wire: literal(&value.wire),
                    shown: docs::shown(&value.wire),
                    name: value.name.clone(),
                })
                .collect(),
            open: values.open,
            ordered: values.ordered,
            known: literal(&format!("one of {known}")),
        }
    }
}

/// A type that a variant can be made from, as it is written, and as Rust sees it.
struct Source {
    ty: String,
    unaliased: String,
}

/// What the objects of a variant look like, where that is more than nothing.
fn signature(signature: &Signature) -> String {
    let list = |names: &[String]| {
        let names: Vec<_> = names.iter().map(|name| literal(name)).collect();
        format!("&[{}]", names.join(", "))
    };
    let mut parts = vec![format!("variant: {}", signature.variant)];
    let mut part = |name: &str, value: String| {
        if value != "&[]" && value != "false" {
            parts.push(format!("{name}: {value}"));
        }
    };
    part("tags", list(&signature.tags));
    part("tag_optional", signature.tag_optional.to_string());
    // What is inside a member is not there without it.
    let outside = |member: &&String| !signature.inside.contains_key(*member);
    part("members", list(&signature.members.iter().filter(outside).cloned().collect::<Vec<_>>()));
    part("marks", list(&signature.marks));
    let inside = signature.inside.iter().map(|(member, names)| format!("({}, {})", literal(member), list(names)));
    part("inside", format!("&[{}]", inside.collect::<Vec<_>>().join(", ")));
    format!("wire::Signature {{ {}, ..wire::Signature::ANY }}", parts.join(", "))
}

fn kind_name(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Boolean => "Boolean",
        JsonKind::Integer => "Integer",
        JsonKind::Number => "Number",
        JsonKind::String => "String",
        JsonKind::Array => "Array",
    }
}
