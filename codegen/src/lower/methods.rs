//! Methods: which messages there are, who sends them, what they carry and what answers them.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::parse::{Body, Definitions, Parsed};
use crate::definitions::Part;
use crate::facts::{self, Facts};
use crate::model::{Content, Deferred, Member, Method, MethodKind, Phase, Role, Shape, Struct, Type, TypeRef};
use crate::names;

/// Adds a union for each request that may be answered in several ways, unless the schema has one.
pub(super) fn add_answers(types: &mut BTreeMap<String, Parsed>, facts: &Facts) {
    for fact in &facts.method {
        let Some(result) = fact.result.as_ref().filter(|_| !fact.also.is_empty()) else { continue };
        let name = names::answer_name(result);
        let Some(root) = types.get(result) else { continue };
        if types.contains_key(&name) || fact.also.iter().any(|also| !types.contains_key(also)) {
            continue;
        }
        let variants = std::iter::once(result).chain(&fact.also).map(|name| TypeRef::Named(name.clone())).collect();
        let answer = Parsed {
            definition: None,
            root: root.root.clone(),
            pointer: root.pointer.clone(),
            doc: Some(format!("What answers `{}`.", fact.method)),
            deprecated: false,
            body: Body::Union(variants),
        };
        types.insert(name, answer);
    }
}

/// The methods, sorted by name.
pub(super) fn methods(types: &BTreeMap<String, Type>, definitions: &Definitions<'_>, facts: &Facts) -> Vec<Method> {
    let listed_by = |definition: &str| {
        let role = definitions.get(definition).and_then(|name| types.get_key_value(name));
        let messages = role.map(messages).unwrap_or_default().into_iter();
        // By their methods: what a role lists may be a copy of the message that has a name.
        messages.filter_map(|name| method_of(struct_of(types.get(name)?)?)).collect()
    };
    let facts: HashMap<&str, &facts::Method> =
        facts.method.iter().rev().map(|fact| (fact.method.as_str(), fact)).collect();
    let roles: Vec<(MethodKind, Role, HashSet<&str>)> =
        Part::lists().map(|(definition, kind, role)| (kind, role, listed_by(definition))).collect();
    let mut methods: Vec<Method> = Vec::new();
    for (name, ty) in types.iter().filter(|(_, ty)| ty.definition.is_some()) {
        let Some(object) = struct_of(ty) else { continue };
        let Some(method) = method_of(object) else { continue };
        let fact = facts.get(method);
        let listed: Vec<&(MethodKind, Role, HashSet<&str>)> =
            roles.iter().filter(|(_, _, messages)| messages.contains(method)).collect();
        // A schema of one's own may describe a message without listing it for a side.
        let looks_like = if name.ends_with("Notification") { MethodKind::Notification } else { MethodKind::Request };
        let kind = listed.first().map_or(looks_like, |(kind, _, _)| *kind);
        let mut senders: Vec<Role> = listed.iter().filter(|role| role.0 == kind).map(|role| role.1).collect();
        senders.sort();
        senders.dedup();
        let params = params_of(object);
        let params_type = params.and_then(field_type);
        let result = fact.and_then(|fact| fact.result.clone());
        let also = fact.map(|fact| fact.also.clone()).unwrap_or_default();
        let answer = result.as_ref().filter(|_| !also.is_empty()).map(|result| names::answer_name(result));
        methods.push(Method {
            method: method.to_owned(),
            kind,
            senders,
            message: name.clone(),
            params_boxed: false,
            params: params_type.cloned(),
            params_required: params.is_some_and(|params| params.required),
            result: result.filter(|result| types.contains_key(result)),
            answer: answer.filter(|answer| types.contains_key(answer)),
            also,
            server_capability: fact.and_then(|fact| fact.server_capability.clone()),
            client_capability: fact.and_then(|fact| fact.client_capability.clone()),
            phase: match fact.and_then(|fact| fact.phase) {
                Some(facts::Phase::Handshake) => Phase::Handshake,
                Some(facts::Phase::Any) => Phase::Any,
                None => Phase::Operation,
            },
            deprecated: ty.deprecated.is_some(),
        });
    }
    methods.sort_by(|left, right| left.method.cmp(&right.method));
    // Two messages of one method cannot be told apart: the first one counts.
    methods.dedup_by(|later, first| later.method == first.method);
    methods
}

/// The result that stands for another, if the schema has all it needs.
pub(super) fn deferred(types: &BTreeMap<String, Type>, methods: &[Method], facts: &Facts) -> Option<Deferred> {
    let fact = facts.deferred.first()?;
    let text = |ty: &TypeRef| matches!(ty, TypeRef::String { .. });
    let mut place = TypeRef::Named(fact.result.clone());
    for key in &fact.key {
        place = field_type(required_member(types, &place, key)?)?.clone();
    }
    let fetch = methods.iter().find(|method| method.method == fact.method && method.params_required)?;
    let param = field_type(required_member(types, fetch.params.as_ref()?, &fact.param)?)?;
    (text(&place) && text(param)).then(|| Deferred {
        result: fact.result.clone(),
        key: fact.key.clone(),
        method: fact.method.clone(),
        param: fact.param.clone(),
    })
}

/// Whether messages may be sent as one array.
pub(super) fn has_batches(types: &BTreeMap<String, Type>, definitions: &Definitions<'_>) -> bool {
    fn is_list(types: &BTreeMap<String, Type>, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::List { .. } => true,
            TypeRef::Named(name) => match types.get(name).map(|ty| &ty.shape) {
                // Circles of aliases have been refused before.
                Some(Shape::Alias(target)) => is_list(types, target),
                _ => false,
            },
            _ => false,
        }
    }
    let message = definitions.get(Part::Message.name()).and_then(|name| types.get(name));
    let Some(Shape::Union(union)) = message.map(|ty| &ty.shape) else { return false };
    union.variants.iter().any(|variant| is_list(types, &variant.ty))
}

/// The message types that a role lists.
fn messages<'a>((name, role): (&'a String, &'a Type)) -> Vec<&'a str> {
    match &role.shape {
        Shape::Union(union) => union
            .variants
            .iter()
            .filter_map(|variant| match &variant.ty {
                TypeRef::Named(name) => Some(name.as_str()),
                _ => None,
            })
            .collect(),
        Shape::Alias(TypeRef::Named(name)) => vec![name],
        Shape::Struct(_) => vec![name],
        _ => Vec::new(),
    }
}

fn struct_of(ty: &Type) -> Option<&Struct> {
    match &ty.shape {
        Shape::Struct(object) => Some(object),
        _ => None,
    }
}

fn method_of(object: &Struct) -> Option<&str> {
    object.members.iter().find_map(|member| match &member.content {
        Content::Constant(value) if member.wire == "method" => value.as_str(),
        _ => None,
    })
}

/// The params of a message.
pub(super) fn params_of(message: &Struct) -> Option<&Member> {
    message.members.iter().find(|member| member.wire == "params")
}

pub(super) fn field_type(member: &Member) -> Option<&TypeRef> {
    match &member.content {
        Content::Field(field) => Some(&field.ty),
        Content::Constant(_) => None,
    }
}

fn required_member<'a>(types: &'a BTreeMap<String, Type>, ty: &TypeRef, name: &str) -> Option<&'a Member> {
    let TypeRef::Named(owner) = ty else { return None };
    match &types.get(owner)?.shape {
        Shape::Struct(object) => object.members.iter().find(|member| member.wire == name && member.required),
        _ => None,
    }
}
