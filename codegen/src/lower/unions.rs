//! How the variants of a union are told apart: by kind, by a tag, or by the members they require. Never by trying.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, Result};
use crate::model::{Content, JsonKind, Member, Rules, Shape, Signature, Struct, Type, TypeRef, Union};

/// Members that are tried as a tag first.
const USUAL_TAGS: &[&str] = &["type", "method", "mode", "kind", "resultType"];

pub(super) struct Context<'a> {
    pub(super) file: &'a std::path::Path,
    pub(super) types: &'a BTreeMap<String, Type>,
    /// The value that a tag's absence stands for, by member.
    pub(super) absent: &'a BTreeMap<String, String>,
}

/// The possible tags of a variant.
struct Tags {
    values: Vec<String>,
    optional: bool,
    /// Whether the schema itself fixes the values.
    fixed: bool,
}

/// Finds the rules for a union.
pub(super) fn rules(context: &Context<'_>, name: &str, union: &Union) -> Result<Rules> {
    let mut rules = Rules { exclusive: true, ..Rules::default() };
    let mut objects = Vec::new();
    let mut numbers = 0;
    for (index, variant) in union.variants.iter().enumerate() {
        for kind in context.kinds(&variant.ty, &mut BTreeSet::new()) {
            match kind {
                None => objects.push(index),
                Some(JsonKind::Array) => rules.arrays.push(index),
                Some(kind) => {
                    numbers += usize::from(matches!(kind, JsonKind::Number));
                    // An integer is a number as well: the more telling variant counts.
                    if rules.kinds.insert(kind, index).is_some() {
                        rules.exclusive = false;
                        if kind == JsonKind::Integer && matches!(variant.ty, TypeRef::Number { .. }) {
                            continue;
                        }
                    }
                }
            }
        }
    }
    if numbers > 1 {
        rules.exclusive = false;
    }
    if let [only] = rules.arrays[..] {
        rules.kinds.insert(JsonKind::Array, only);
        rules.arrays.clear();
    } else if !rules.arrays.is_empty() {
        rules.exclusive = false;
    }
    match objects[..] {
        [] => {}
        [only] if !context.is_tagged(union, only) => {
            rules.signatures.push(Signature { variant: only, ..Signature::default() })
        }
        _ => object_rules(context, name, union, &objects, &mut rules)?,
    }
    Ok(rules)
}

impl Context<'_> {
    /// The kinds of values a type can be; none stands for an object.
    fn kinds(&self, ty: &TypeRef, seen: &mut BTreeSet<String>) -> BTreeSet<Option<JsonKind>> {
        let one = |kind| BTreeSet::from([Some(kind)]);
        match ty {
            TypeRef::String { .. } => one(JsonKind::String),
            TypeRef::Boolean => one(JsonKind::Boolean),
            TypeRef::Integer { .. } => one(JsonKind::Integer),
            TypeRef::Number { .. } => BTreeSet::from([Some(JsonKind::Integer), Some(JsonKind::Number)]),
            TypeRef::List { .. } => one(JsonKind::Array),
            TypeRef::Any | TypeRef::Object | TypeRef::Map { .. } => BTreeSet::from([None]),
            TypeRef::Nullable(inner) | TypeRef::Boxed(inner) => self.kinds(inner, seen),
            TypeRef::Named(name) if seen.insert(name.clone()) => match self.types.get(name).map(|ty| &ty.shape) {
                Some(Shape::Struct(_)) => BTreeSet::from([None]),
                Some(Shape::StringEnum(_)) => one(JsonKind::String),
                Some(Shape::Alias(target)) => self.kinds(target, seen),
                Some(Shape::Union(union)) => {
                    union.variants.iter().flat_map(|variant| self.kinds(&variant.ty, seen)).collect()
                }
                None => BTreeSet::new(),
            },
            TypeRef::Named(_) => BTreeSet::new(),
        }
    }

    fn object<'b>(&'b self, ty: &'b TypeRef) -> Option<&'b Struct> {
        match ty {
            TypeRef::Boxed(inner) => self.object(inner),
            TypeRef::Named(name) => match &self.types.get(name)?.shape {
                Shape::Struct(object) => Some(object),
                // Circles of aliases have been refused before.
                Shape::Alias(target) => self.object(target),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether an object says by a constant what it is, so that another constant means another thing.
    fn is_tagged(&self, union: &Union, index: usize) -> bool {
        let object = union.variants.get(index).and_then(|variant| self.object(&variant.ty));
        object.is_some_and(|object| USUAL_TAGS.iter().any(|tag| self.tags(object, tag).is_some_and(|tags| tags.fixed)))
    }

    fn tags(&self, object: &Struct, tag: &str) -> Option<Tags> {
        let member = object.members.iter().find(|member| member.wire == tag)?;
        match &member.content {
            Content::Constant(value) => {
                Some(Tags { values: vec![value.as_str()?.to_owned()], optional: !member.required, fixed: true })
            }
            Content::Field(field) => {
                if let Some(initial) = &field.initial {
                    let optional = self.absent.get(tag) == Some(initial);
                    return Some(Tags { values: vec![initial.clone()], optional, fixed: false });
                }
                let TypeRef::Named(name) = &field.ty else { return None };
                match &self.types.get(name)?.shape {
                    Shape::StringEnum(values) if !values.open => Some(Tags {
                        values: values.values.iter().map(|value| value.wire.clone()).collect(),
                        optional: !member.required,
                        fixed: true,
                    }),
                    _ => None,
                }
            }
        }
    }
}

fn object_rules(context: &Context<'_>, name: &str, union: &Union, indices: &[usize], rules: &mut Rules) -> Result<()> {
    let mut all = BTreeMap::new();
    for index in indices {
        let object = union.variants.get(*index).and_then(|variant| context.object(&variant.ty));
        let Some(object) = object else {
            let place = context.types.get(name).map(|ty| ty.pointer.clone()).unwrap_or_default();
            return Err(Error::schema(
                context.file,
                place,
                "several alternatives that are objects, one of them without declared members of its own",
                "declare its members, so that the alternatives can be told apart",
            ));
        };
        all.insert(*index, object);
    }
    let objects = Objects::new(context, all);
    objects.decide_by_tag(rules);
    for (index, object) in &objects.all {
        if objects.is_decided_by_tag(*index, rules) {
            continue;
        }
        let signature = objects.signature(*index, object);
        if objects.tag.is_none() {
            // A member that no other variant declares decides as soon as it is seen.
            let own = signature.members.iter().filter(|wire| !objects.is_declared_elsewhere(*index, wire));
            rules.hints.extend(own.map(|wire| (wire.clone(), *index)));
        }
        rules.signatures.push(signature);
    }
    rules.signatures.sort_by_key(|signature| {
        let weight = signature.members.len()
            + usize::from(!signature.marks.is_empty())
            + signature.inside.values().map(Vec::len).sum::<usize>();
        (std::cmp::Reverse(weight), signature.variant)
    });
    rules.tag = objects.tag;
    Ok(())
}

/// The variants of a union that are objects.
struct Objects<'a> {
    context: &'a Context<'a>,
    all: BTreeMap<usize, &'a Struct>,
    /// The member whose value tells them apart, where there is one.
    tag: Option<String>,
    /// What it says of each.
    tags: BTreeMap<usize, Tags>,
}

impl<'a> Objects<'a> {
    fn new(context: &'a Context<'a>, all: BTreeMap<usize, &'a Struct>) -> Self {
        let tag = find_tag(context, &all);
        let of = |(index, object): (&usize, &&Struct)| Some((*index, context.tags(object, tag.as_deref()?)?));
        let tags = all.iter().filter_map(of).collect();
        Self { context, all, tag, tags }
    }

    /// The values of the tag that only one variant has, and whether they exclude each other.
    fn decide_by_tag(&self, rules: &mut Rules) {
        if self.tag.is_none() {
            rules.exclusive = false;
            return;
        }
        let mut owners: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, tags) in &self.tags {
            for value in &tags.values {
                owners.entry(value).or_default().push(*index);
            }
        }
        let only = |(value, owners): (&&str, &Vec<usize>)| match owners[..] {
            [only] => Some(((*value).to_owned(), only)),
            _ => None,
        };
        rules.tags = owners.iter().filter_map(only).collect();
        let disjoint = owners.values().all(|owners| owners.len() == 1);
        let optional = self.tags.values().filter(|tags| tags.optional).count();
        rules.exclusive &= disjoint && optional <= 1 && self.tags.values().all(|tags| tags.fixed);
    }

    /// What a tag decides alone needs no signature, unless the tag may be absent.
    fn is_decided_by_tag(&self, index: usize, rules: &Rules) -> bool {
        let decides = |tags: &Tags| {
            !tags.values.is_empty() && !tags.optional && tags.values.iter().all(|value| rules.tags.contains_key(value))
        };
        self.tags.get(&index).is_some_and(decides)
    }

    /// The other variants that the tag does not tell from this one.
    fn rivals(&self, index: usize) -> impl Iterator<Item = &'a Struct> {
        let mine = self.tags.get(&index);
        let is_rival = move |other: &usize| match (mine, self.tags.get(other)) {
            _ if self.tag.is_none() => true,
            (Some(mine), Some(other)) => {
                mine.optional && other.optional || mine.values.iter().any(|value| other.values.contains(value))
            }
            _ => false,
        };
        self.all.iter().filter(move |(other, _)| **other != index && is_rival(other)).map(|(_, rival)| *rival)
    }

    /// What objects of a variant look like.
    fn signature(&self, index: usize, object: &'a Struct) -> Signature {
        let tag = self.tag.as_deref();
        let members: Vec<String> = telling(object, tag).map(|member| member.wire.clone()).collect();
        let inside = match self.rivals(index).any(|rival| members.iter().all(|wire| declares(rival, wire))) {
            true => self.inside(object),
            false => BTreeMap::new(),
        };
        // Variants that require the same are told apart by what only one of them declares.
        let is_twin =
            |rival: &&Struct| !members.is_empty() && telling(rival, tag).map(|member| &member.wire).eq(members.iter());
        let twins: Vec<&Struct> = self.rivals(index).filter(is_twin).collect();
        let mut marks = Vec::new();
        if !twins.is_empty() && inside.is_empty() {
            let own = object.members.iter().map(|member| &member.wire);
            marks.extend(own.filter(|wire| !twins.iter().any(|twin| declares(twin, wire))).cloned());
        }
        let tags = self.tags.get(&index);
        Signature {
            variant: index,
            tags: tags.map(|tags| tags.values.clone()).unwrap_or_default(),
            tag_optional: tags.is_some_and(|tags| tags.optional),
            members,
            marks,
            inside,
        }
    }

    /// What the members of an object require inside them.
    fn inside(&self, object: &Struct) -> BTreeMap<String, Vec<String>> {
        let mut inside = BTreeMap::new();
        for member in telling(object, self.tag.as_deref()) {
            let Content::Field(field) = &member.content else { continue };
            let inner = self.context.object(&field.ty).into_iter().flat_map(|inner| telling(inner, None));
            let names: Vec<String> = inner.map(|inner| inner.wire.clone()).collect();
            if !names.is_empty() {
                inside.insert(member.wire.clone(), names);
            }
        }
        inside
    }

    fn is_declared_elsewhere(&self, index: usize, wire: &str) -> bool {
        self.all.iter().any(|(other, object)| *other != index && declares(object, wire))
    }
}

fn declares(object: &Struct, wire: &str) -> bool {
    object.members.iter().any(|member| member.wire == wire)
}

/// Members whose presence says something: required, and neither a constant nor absent in practice.
fn telling<'a>(object: &'a Struct, tag: Option<&'a str>) -> impl Iterator<Item = &'a Member> {
    object.members.iter().filter(move |member| {
        let usual = matches!(&member.content, Content::Field(field) if !field.lenient && field.initial.is_none());
        member.required && usual && Some(member.wire.as_str()) != tag
    })
}

/// The member that tells most variants apart.
fn find_tag(context: &Context<'_>, objects: &BTreeMap<usize, &Struct>) -> Option<String> {
    let first = objects.values().next()?;
    let mut best: Option<(usize, usize, String)> = None;
    for member in &first.members {
        let tags: Option<Vec<Tags>> = objects.values().map(|object| context.tags(object, &member.wire)).collect();
        let Some(tags) = tags else { continue };
        let distinct = tags.iter().flat_map(|tags| &tags.values).collect::<BTreeSet<_>>().len();
        let usual = USUAL_TAGS.iter().position(|usual| *usual == member.wire).unwrap_or(USUAL_TAGS.len());
        let candidate = (distinct, USUAL_TAGS.len() - usual, member.wire.clone());
        // One value for all, such as `jsonrpc`, tells nothing, unless the object stands alone.
        let telling = distinct > 1 || objects.len() == 1 && usual < USUAL_TAGS.len();
        if telling && best.as_ref().is_none_or(|best| candidate > *best) {
            best = Some(candidate);
        }
    }
    best.map(|(_, _, tag)| tag)
}
