//! Index: the model of an edition in, quick lookups out.

use std::collections::{HashMap, HashSet};

use super::shape::Node;
use crate::model::{Member, Method, Revision, Shape, Type, TypeRef};

/// A model with what a comparison looks up in it.
pub(super) struct Index<'a> {
    pub(super) model: &'a Revision,
    /// The types, sorted by name. The position of a type is its number, and other tables use it as the key.
    types: Vec<(&'a str, &'a Type)>,
    numbers: HashMap<&'a str, usize>,
    /// The definitions, sorted by name.
    sorted: Vec<Definition<'a>>,
    /// The numbers of the definitions that are not called like their type.
    odd: HashMap<&'a str, usize>,
    methods: HashMap<&'a str, &'a Method>,
    messages: HashMap<&'a str, &'a Method>,
    params: HashMap<&'a str, &'a Method>,
    results: HashSet<&'a str>,
    /// The finer capabilities that a definition or a member needs.
    gates: HashMap<(&'a str, Option<&'a str>), &'a String>,
}

/// A definition and its type.
#[derive(Clone, Copy)]
pub(super) struct Definition<'a> {
    pub(super) name: &'a str,
    pub(super) type_name: &'a str,
    pub(super) ty: &'a Type,
    /// The number of the type.
    pub(super) number: usize,
}

impl<'a> Index<'a> {
    pub(super) fn new(model: &'a Revision) -> Self {
        let types: Vec<(&str, &Type)> = model.types.iter().map(|(name, ty)| (name.as_str(), ty)).collect();
        let numbered = || types.iter().enumerate();
        let defined = |(number, (type_name, ty)): (usize, &(&'a str, &'a Type))| {
            Some(Definition { name: ty.definition.as_deref()?, type_name, ty, number })
        };
        let mut sorted: Vec<Definition<'a>> = numbered().filter_map(defined).collect();
        sorted.sort_by_key(|definition| definition.name);
        let odd = sorted.iter().filter(|definition| definition.name != definition.type_name);
        let methods = || model.methods.iter();
        // The facts write `Definition` or `Definition.member`.
        let gates = model.gates.iter().map(|(place, capability)| match place.split_once('.') {
            Some((definition, member)) => ((definition, Some(member)), capability),
            None => ((place.as_str(), None), capability),
        });
        Self {
            model,
            numbers: numbered().map(|(number, (name, _))| (*name, number)).collect(),
            odd: odd.map(|definition| (definition.name, definition.number)).collect(),
            sorted,
            types,
            methods: methods().map(|method| (method.method.as_str(), method)).collect(),
            messages: methods().map(|method| (method.message.as_str(), method)).collect(),
            params: methods().filter_map(|method| Some((named(method.params.as_ref()?)?, method))).collect(),
            results: methods().flat_map(results).collect(),
            gates: gates.collect(),
        }
    }

    /// A method by its name.
    pub(super) fn method(&self, name: &str) -> Option<&'a Method> {
        self.methods.get(name).copied()
    }

    /// The method of a message, by the definition of the message.
    pub(super) fn method_of(&self, definition: &str) -> Option<&'a Method> {
        self.messages.get(self.type_name(definition)?).copied()
    }

    /// A method with these params, by their definition.
    pub(super) fn method_with(&self, definition: &str) -> Option<&'a Method> {
        self.params.get(self.type_name(definition)?).copied()
    }

    /// The members of a definition that is an object.
    pub(super) fn members(&self, definition: &str) -> &'a [Member] {
        self.definition(definition).map_or(&[], |ty| self.members_of(ty))
    }

    /// The members of a type that is an object.
    pub(super) fn members_of(&self, ty: &'a Type) -> &'a [Member] {
        match self.node(&ty.shape) {
            Node::Object { members, .. } => members,
            _ => &[],
        }
    }

    /// Whether a type answers some method.
    pub(super) fn is_result(&self, type_name: &str) -> bool {
        self.results.contains(type_name)
    }

    /// The capability that a definition, or one of its members, needs besides that of the method.
    pub(super) fn gate(&self, definition: &str, member: Option<&str>) -> Option<&'a String> {
        self.gates.get(&(definition, member)).copied()
    }

    /// The capability that a type needs by itself, by its number.
    pub(super) fn gate_of(&self, number: usize) -> Option<&'a String> {
        let (_, ty) = self.types.get(number)?;
        self.gate(ty.definition.as_deref()?, None)
    }

    /// The definitions, sorted by name.
    pub(super) fn definitions(&self) -> impl Iterator<Item = Definition<'a>> {
        self.sorted.iter().copied()
    }

    /// The types in the order of their numbers.
    pub(super) fn types(&self) -> impl ExactSizeIterator<Item = (&'a str, &'a Type)> {
        self.types.iter().copied()
    }

    /// The number of a type.
    pub(super) fn number(&self, type_name: &str) -> Option<usize> {
        self.numbers.get(type_name).copied()
    }

    /// A type by its name.
    pub(super) fn ty(&self, name: &str) -> Option<&'a Type> {
        self.types.get(self.number(name)?).map(|(_, ty)| *ty)
    }

    /// A definition by its name.
    pub(super) fn find(&self, name: &str) -> Option<Definition<'a>> {
        let number = self.odd.get(name).copied().or_else(|| self.number(name))?;
        let (type_name, ty) = self.types.get(number).copied()?;
        let name = ty.definition.as_deref().filter(|definition| *definition == name)?;
        Some(Definition { name, type_name, ty, number })
    }

    /// The type of a definition.
    pub(super) fn definition(&self, name: &str) -> Option<&'a Type> {
        self.find(name).map(|definition| definition.ty)
    }

    /// The name of a definition's type.
    pub(super) fn type_name(&self, definition: &str) -> Option<&'a str> {
        self.find(definition).map(|definition| definition.type_name)
    }

    /// The definition that a type stands for, if it is one.
    pub(super) fn definition_of(&self, type_name: &str) -> Option<&'a str> {
        self.ty(type_name)?.definition.as_deref()
    }

    /// The definition that a use of a type names.
    pub(super) fn used(&self, ty: &TypeRef) -> Option<&'a str> {
        self.definition_of(named(ty)?)
    }

    /// The definition that this one is an alias of.
    pub(super) fn alias(&self, definition: &str) -> Option<&'a str> {
        match &self.definition(definition)?.shape {
            Shape::Alias(target) => self.used(target),
            _ => None,
        }
    }
}

fn named(ty: &TypeRef) -> Option<&str> {
    match ty {
        TypeRef::Named(name) => Some(name),
        TypeRef::Boxed(inner) => named(inner),
        _ => None,
    }
}

/// The types of all results of a method.
pub(super) fn results(method: &Method) -> impl Iterator<Item = &str> {
    method.result.iter().chain(&method.also).map(String::as_str)
}
