//! Lower: a fixed-up schema and the facts about it in, the model out.

mod endless;
mod fit;
mod layout;
mod merge;
mod methods;
mod parse;
mod typify;
mod unions;

use std::collections::{BTreeMap, HashMap};

use crate::error::{Error, Result};
use crate::facts::{Facts, names_member};
use crate::load::Schema;
use crate::model::{
    Additional, AppliedFixup, Content, EnumValue, ErrorCode, Field, Member, Revision, Rules, Shape, StringEnum, Struct,
    Type, TypeRef, Union, Variant,
};
use crate::names;
use parse::{Body, Definitions, Parsed, ParsedAdditional, ParsedContent, ParsedMember};

/// Makes the model of a schema.
pub(crate) fn lower(schema: &Schema, facts: &Facts, fixups: Vec<AppliedFixup>) -> Result<Revision> {
    let mut revision = wire(schema, facts, fixups)?;
    fit::fit(schema, facts, &mut revision)?;
    Ok(revision)
}

/// The model as far as it is about what travels: all of it but what [`fit`] adds for Rust. Two of them can be compared,
/// whatever Rust would say to their types.
pub(crate) fn wire(schema: &Schema, facts: &Facts, fixups: Vec<AppliedFixup>) -> Result<Revision> {
    let (mut parsed, definitions) = parse::parse(schema)?;
    apply_open_enums(&mut parsed, facts);
    methods::add_answers(&mut parsed, facts);

    let enums = initial_enums(&parsed, facts);
    let lowered = parsed.into_iter().map(|(name, ty)| {
        let Parsed { definition, root, pointer, doc, deprecated, body } = ty;
        let shape = match body {
            Body::Alias(target) => Shape::Alias(target),
            Body::Enum(values) => Shape::StringEnum(string_enum(&name, values, facts)),
            Body::Union(variants) => Shape::Union(union(&name, variants)),
            Body::Object { members, additional } => {
                let place = (definition.as_deref().unwrap_or_default(), pointer.as_str());
                Shape::Struct(object(schema, place, members, additional, &enums, facts)?)
            }
        };
        let mut topic = names::topic(definition.as_deref().unwrap_or(&name));
        if topic == "common" || definition.is_none() && !names::is_shared(&name) {
            topic = names::topic(&root);
        }
        let deprecated = definition.as_ref().and_then(|definition| deprecation(facts, (definition, None), deprecated));
        let provided = names::PROVIDED.contains(&name.as_str()) && is_string_or_integer(&shape);
        Ok((name, Type { definition, pointer, topic: topic.to_owned(), doc, deprecated, provided, shape }))
    });
    let types = lowered.collect::<Result<BTreeMap<String, Type>>>()?;
    endless::refuse_names(schema, &types)?;

    let methods = methods::methods(&types, &definitions, facts);
    let revision = Revision {
        name: schema.name.clone(),
        official: schema.official,
        provenance: schema.provenance.clone(),
        definitions: schema.definitions().len(),
        fixups,
        deferred: methods::deferred(&types, &methods, facts),
        gates: gates(facts),
        has_batches: methods::has_batches(&types, &definitions),
        methods,
        error_codes: error_codes(facts),
        types,
        folded: BTreeMap::new(),
    };
    account_for_all(schema, &revision, &definitions)?;
    Ok(revision)
}

/// Definitions in = types out + those named as folded.
fn account_for_all(schema: &Schema, revision: &Revision, definitions: &Definitions<'_>) -> Result<()> {
    let mut typed = 0;
    for (name, ty) in &revision.types {
        let Some(definition) = &ty.definition else { continue };
        // No two definitions have the same name in Rust, so that none can be counted twice.
        if definitions.get(definition.as_str()) != Some(name) || revision.folded.contains_key(definition) {
            return Err(Error::internal(format!("definition `{definition}` is not accounted for")));
        }
        typed += 1;
    }
    match typed + revision.folded.len() == schema.definitions().len() {
        true => Ok(()),
        false => Err(Error::internal("types and definitions differ in number")),
    }
}

/// Turns the string members that have known values into enums.
fn apply_open_enums(types: &mut BTreeMap<String, Parsed>, facts: &Facts) {
    for fact in &facts.open_enum {
        // A schema of one's own may call something else by that name.
        let is_string = |parsed: &Parsed| matches!(parsed.body, Body::Alias(TypeRef::String { .. }));
        if types.get(&fact.name).is_some_and(|parsed| !is_string(parsed)) {
            continue;
        }
        let mut place: Option<(String, String)> = None;
        for parsed in types.values_mut() {
            let (Some(definition), Body::Object { members, .. }) = (&parsed.definition, &mut parsed.body) else {
                continue;
            };
            for member in members {
                if names_member(&fact.members, definition, &member.wire)
                    && matches!(member.content, ParsedContent::Type(TypeRef::String { .. }))
                {
                    member.content = ParsedContent::Type(TypeRef::Named(fact.name.clone()));
                    place.get_or_insert_with(|| {
                        (parsed.root.clone(), format!("{}/properties/{}", parsed.pointer, member.wire))
                    });
                }
            }
        }
        match (types.get_mut(&fact.name), place) {
            // The schema has a definition of that name, as a bare string.
            (Some(parsed), _) => parsed.body = Body::Enum(fact.values.clone()),
            (None, Some((root, pointer))) => {
                let body = Body::Enum(fact.values.clone());
                let (doc, deprecated) = (None, false);
                types.insert(fact.name.clone(), Parsed { definition: None, root, pointer, doc, deprecated, body });
            }
            (None, None) => {}
        }
    }
}

fn string_enum(name: &str, values: Vec<String>, facts: &Facts) -> StringEnum {
    let order = facts.order.iter().find(|order| order.name == name);
    let values = order.map_or(values, |order| order.values.clone());
    let names = names::value_names(values.iter().map(String::as_str));
    StringEnum {
        values: values.into_iter().zip(names).map(|(wire, name)| EnumValue { wire, name }).collect(),
        open: facts.open_enum.iter().any(|fact| fact.name == name),
        ordered: order.is_some(),
    }
}

fn union(name: &str, variants: Vec<TypeRef>) -> Union {
    let wishes: Vec<String> = variants.iter().map(|ty| variant_wish(ty, &variants)).collect();
    let names = names::variant_names(names::said_by(name), &wishes);
    let variants = names.into_iter().zip(variants).map(|(name, ty)| Variant { name, ty, boxed: false });
    Union { variants: variants.collect(), rules: Rules::default() }
}

fn is_string_or_integer(shape: &Shape) -> bool {
    let Shape::Union(union) = shape else { return false };
    let types: Vec<&TypeRef> = union.variants.iter().map(|variant| &variant.ty).collect();
    let [TypeRef::String { format: None, length }, TypeRef::Integer { range }] = types[..] else { return false };
    length.is_empty() && range.is_empty()
}

/// What a variant would be called by its type alone. One thing or a list of it is `Single` or `Many`.
fn variant_wish(ty: &TypeRef, all: &[TypeRef]) -> String {
    let listed =
        |one: &TypeRef| all.iter().any(|other| matches!(other, TypeRef::List { items, .. } if **items == *one));
    match ty {
        TypeRef::Named(_) if all.len() == 2 && listed(ty) => "Single".to_owned(),
        TypeRef::List { items, .. } if all.len() == 2 && all.contains(items) => "Many".to_owned(),
        TypeRef::Named(name) => name.clone(),
        TypeRef::String { .. } => "String".to_owned(),
        TypeRef::Boolean => "Boolean".to_owned(),
        TypeRef::Integer { .. } => "Integer".to_owned(),
        TypeRef::Number { .. } => "Number".to_owned(),
        TypeRef::List { .. } => "Array".to_owned(),
        TypeRef::Any | TypeRef::Object | TypeRef::Map { .. } => "Object".to_owned(),
        TypeRef::Nullable(inner) | TypeRef::Boxed(inner) => variant_wish(inner, all),
    }
}

/// The enums of a schema by name, if there are values to take from them.
fn initial_enums(types: &BTreeMap<String, Parsed>, facts: &Facts) -> HashMap<String, Vec<String>> {
    let values = |(name, ty): (&String, &Parsed)| match &ty.body {
        Body::Enum(values) => Some((name.clone(), values.clone())),
        _ => None,
    };
    types.iter().filter(|_| !facts.initial.is_empty()).filter_map(values).collect()
}

fn object(
    schema: &Schema,
    (definition, pointer): (&str, &str),
    members: Vec<ParsedMember>,
    additional: ParsedAdditional,
    enums: &HashMap<String, Vec<String>>,
    facts: &Facts,
) -> Result<Struct> {
    let fields = members.iter().filter(|member| matches!(member.content, ParsedContent::Type(_)));
    let mut names = names::field_names(fields.map(|member| member.wire.as_str())).into_iter();
    let mut lowered = Vec::with_capacity(members.len());
    for ParsedMember { wire, required, doc, deprecated, content } in members {
        let content = match content {
            ParsedContent::Constant(value) => Content::Constant(value),
            ParsedContent::Type(ty) => {
                let Some(name) = names.next() else {
                    return Err(Error::internal(format!("{pointer}: there is no name for `{wire}`")));
                };
                let lenient = facts.lenient.iter().any(|fact| names_member(&fact.members, definition, &wire));
                let initial = facts.initial.iter().rev().find(|fact| names_member(&fact.members, definition, &wire));
                let mut initial = initial.filter(|_| required).map(|fact| fact.value.clone());
                let fits = |value: &String| {
                    let TypeRef::Named(name) = &ty else { return false };
                    enums.get(name).is_some_and(|values| values.contains(value))
                };
                // In a schema of one's own, the member may be something else.
                initial = initial.filter(|value| schema.official || fits(value));
                if initial.as_ref().is_some_and(|value| !fits(value)) {
                    return Err(Error::schema(
                        &schema.file,
                        pointer,
                        format!("`{wire}` has an initial value, but no enum to take it from"),
                        "add an [[open_enum]] for it to schema/facts.toml",
                    ));
                }
                let absence = absence(facts, &wire).filter(|value| initial.as_ref().is_some_and(|own| own != *value));
                Content::Field(Field { name, ty, lenient, absence: absence.cloned(), initial })
            }
        };
        let deprecated = deprecation(facts, (definition, Some(&wire)), deprecated);
        lowered.push(Member { wire, required, doc, deprecated, content });
    }
    // Constants and required members first, each in the order a person expects.
    let rank = |member: &Member| {
        let optional = !member.required && !matches!(member.content, Content::Constant(_));
        (optional, names::rank(&member.wire).0)
    };
    let mut ranked: Vec<((bool, usize), Member)> = lowered.into_iter().map(|member| (rank(&member), member)).collect();
    ranked.sort_by(|(left, one), (right, other)| left.cmp(right).then_with(|| one.wire.cmp(&other.wire)));
    let members = ranked.into_iter().map(|(_, member)| member).collect();
    let additional = match additional {
        ParsedAdditional::Open => Additional::Open,
        ParsedAdditional::Closed => Additional::Closed,
        ParsedAdditional::Typed(ty) => Additional::Typed(ty),
    };
    Ok(Struct { members, additional })
}

/// What the absence of a member means: the value that holds in general, not that of a single type.
fn absence<'a>(facts: &'a Facts, wire: &str) -> Option<&'a String> {
    let is_general = |member: &String| member.strip_prefix("*.") == Some(wire);
    facts.initial.iter().find(|fact| fact.members.iter().any(is_general)).map(|fact| &fact.value)
}

/// What a fact says about something that new code should not use, or that the schema says so without a reason.
fn deprecation(facts: &Facts, (definition, member): (&str, Option<&str>), by_schema: bool) -> Option<String> {
    let is_it = |item: &String| match item.split_once('.') {
        Some((owner, name)) => owner == definition && Some(name) == member,
        None => item == definition && member.is_none(),
    };
    let fact = facts.deprecated.iter().find(|fact| fact.items.iter().any(is_it));
    fact.map(|fact| fact.note.clone()).or_else(|| by_schema.then(|| "The schema calls it deprecated.".to_owned()))
}

/// What needs a capability of its own, by its name.
fn gates(facts: &Facts) -> BTreeMap<String, String> {
    let gated = facts.gate.iter().filter_map(|gate| {
        let capability = gate.client_capability.as_ref().or(gate.server_capability.as_ref())?;
        Some(gate.items.iter().map(move |item| (item.clone(), capability.clone())))
    });
    gated.flatten().collect()
}

fn error_codes(facts: &Facts) -> Vec<ErrorCode> {
    let code = |fact: &crate::facts::ErrorCode| {
        let code = fact.code?;
        Some(ErrorCode { name: fact.name.clone(), code, doc: fact.doc.clone(), sent_by: fact.sent_by })
    };
    facts.error_code.iter().filter_map(code).collect()
}
