//! Speaker: an edition, with what the programs that use it write.

use std::collections::{HashMap, HashSet};

use super::graph::Graph;
use super::{ALWAYS, SIDES, other, senders};
use crate::definitions::{Part, is_list_of_messages};
use crate::diff::index::{Index, results};
use crate::diff::report::Flow;
use crate::diff::shape::Node;
use crate::diff::visible;
use crate::model::{Content, Method, MethodKind, Role, Shape, Type};

/// An edition, with what its programs write besides the messages of methods.
pub(super) struct Speaker<'i, 'a> {
    pub(super) index: &'i Index<'a>,
    pub(super) graph: Graph<'i, 'a>,
    envelopes: Vec<(usize, &'a Type)>,
    /// Errors with one code.
    errors: Vec<(usize, &'a Type)>,
    /// The envelopes of responses by the results in them.
    responses: HashMap<&'a str, Vec<&'a str>>,
    /// The numbers of definitions that nothing leads to, if there are requests with an unknown result: each of these
    /// definitions may be that result.
    pub(super) strays: Vec<usize>,
}

impl<'i, 'a> Speaker<'i, 'a> {
    pub(super) fn new(index: &'i Index<'a>) -> Self {
        let (errors, envelopes, responses, strays) = (Vec::new(), Vec::new(), HashMap::new(), Vec::new());
        let mut speaker = Self { index, graph: Graph::new(index), envelopes, errors, responses, strays };
        let embedded = embedded(index);
        // Everything about a type is found out in one pass, while it is in the cache.
        for (number, (type_name, ty)) in index.types().enumerate() {
            speaker.graph.add(ty, &embedded);
            if ty.definition.is_none() {
                continue;
            }
            if is_envelope(ty) {
                speaker.envelopes.push((number, ty));
            }
            if visible::refines(index, index.members_of(ty)) {
                speaker.errors.push((number, ty));
            }
            for result in answered(index, ty) {
                speaker.responses.entry(result).or_default().push(type_name);
            }
        }
        speaker
    }

    /// Whether a side answers requests with results that neither the facts nor a list of the schema name.
    pub(super) fn answers(&self, writer: Role) -> bool {
        let is_unknown = |method: &Method| {
            method.kind != MethodKind::Notification
                && method.result.is_none()
                && senders(method).contains(&other(writer))
        };
        let list = Part::answers_of(writer).name();
        self.index.definition(list).is_none() && self.index.model.methods.iter().any(is_unknown)
    }

    /// Finds the definitions that neither messages nor known results lead to.
    pub(super) fn find_strays(&mut self) {
        let methods = self.index.model.methods.iter();
        let names = methods.flat_map(|method| results(method).chain(Some(method.message.as_str())));
        let mut roots: Vec<usize> = names.filter_map(|name| self.index.number(name)).collect();
        roots.extend(self.envelopes.iter().chain(&self.errors).map(|(number, _)| *number));
        let reached = self.graph.reached(roots.into_iter().map(|root| (root, ALWAYS)).collect(), &|_| ALWAYS);
        // A list of messages is no message.
        let definitions = self.index.definitions().filter(|definition| !is_list_of_messages(definition.name));
        let numbers = definitions.map(|definition| definition.number);
        self.strays = numbers.filter(|number| reached.get(*number) == Some(&0)).collect();
    }

    /// Which way each type travels, whatever the other side uses.
    pub(super) fn overall(&self) -> Vec<Flow> {
        let mut overall = vec![Flow::default(); self.index.types().len()];
        for writer in SIDES {
            let roots = self.everything(writer).into_iter().map(|number| (number, ALWAYS)).collect();
            let reached = self.graph.reached(roots, &|_| ALWAYS);
            for (flow, _) in overall.iter_mut().zip(reached).filter(|(_, conditions)| *conditions != 0) {
                match writer {
                    Role::Client => flow.client_to_server = true,
                    Role::Server => flow.server_to_client = true,
                }
            }
        }
        overall
    }

    /// Everything a side writes.
    fn everything(&self, writer: Role) -> Vec<usize> {
        if self.index.model.methods.is_empty() {
            return self.all();
        }
        let mut roots: Vec<usize> = self.envelopes(writer).collect();
        roots.extend(self.unclaimed(writer));
        if self.answers(writer) {
            roots.extend(&self.strays);
        }
        for method in &self.index.model.methods {
            let is_sent = senders(method).contains(&writer);
            let is_answered = senders(method).contains(&other(writer));
            let names = is_sent.then_some(method.message.as_str()).into_iter();
            let names = names.chain(results(method).filter(|_| is_answered));
            roots.extend(names.filter_map(|name| self.index.number(name)));
        }
        roots
    }

    /// What the sender of a method writes, or what answers it.
    pub(super) fn written(&self, method: &'a Method, is_sent: bool) -> Vec<usize> {
        let number = |name: &str| self.index.number(name);
        if is_sent {
            return number(&method.message).into_iter().collect();
        }
        let envelopes = method.result.as_ref().and_then(|name| self.responses.get(name.as_str()));
        results(method).chain(envelopes.into_iter().flatten().copied()).filter_map(number).collect()
    }

    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.index.types().len()).collect()
    }

    /// The messages without a method that a side sends.
    pub(super) fn envelopes(&self, writer: Role) -> impl Iterator<Item = usize> {
        self.sent(&self.envelopes, writer)
    }

    /// The errors with one code that a side sends.
    pub(super) fn errors(&self, writer: Role) -> impl Iterator<Item = usize> {
        self.sent(&self.errors, writer)
    }

    fn sent(&self, all: &[(usize, &'a Type)], writer: Role) -> impl Iterator<Item = usize> {
        all.iter().filter(move |(_, ty)| sends(self.index, &ty.shape, writer)).map(|(number, _)| *number)
    }

    /// Results that the list of a side has and that answer no known method: the schema is newer than the facts.
    pub(super) fn unclaimed(&self, writer: Role) -> impl Iterator<Item = usize> {
        let index = self.index;
        let variants = match index.definition(Part::answers_of(writer).name()).map(|ty| &ty.shape) {
            Some(Shape::Union(union)) => union.variants.as_slice(),
            _ => &[],
        };
        let names = variants.iter().filter_map(|variant| index.used(&variant.ty));
        let definitions = names.filter(|name| !is_base_of_results(name)).filter_map(|name| index.find(name));
        definitions.filter(|definition| !index.is_result(definition.type_name)).map(|definition| definition.number)
    }
}

/// Requests inside results, and what answers them, by their numbers.
fn embedded(index: &Index<'_>) -> HashSet<usize> {
    let methods = index.model.methods.iter().filter(|method| method.kind == MethodKind::Embedded);
    let names = methods.flat_map(|method| results(method).chain(Some(method.message.as_str())));
    names.filter_map(|name| index.number(name)).collect()
}

/// Whether a definition is a message without a method: the union of all messages, or an error with a shape of its own.
fn is_envelope(ty: &Type) -> bool {
    let is_error = match &ty.shape {
        Shape::Struct(object) => {
            let has = |name: &str| object.members.iter().any(|member| member.wire == name);
            has("jsonrpc") && has("error")
        }
        _ => false,
    };
    is_error || ty.definition.as_deref() == Some(Part::Message.name())
}

/// Whether a side sends an error of this shape. The facts may say that only one side sends its code.
fn sends(index: &Index<'_>, error: &Shape, writer: Role) -> bool {
    let code_of = |node: Node<'_>| match node {
        Node::Object { members, .. } => visible::code(members),
        _ => None,
    };
    let inner = match error {
        Shape::Struct(object) => object.members.iter().find(|member| member.wire == "error"),
        _ => None,
    };
    let code = match inner.map(|member| &member.content) {
        Some(Content::Field(field)) => code_of(index.resolve(&field.ty).node),
        _ => code_of(index.node(error)),
    };
    let mut known = index.model.error_codes.iter().filter(|known| Some(known.code) == code).peekable();
    known.peek().is_none() || known.any(|known| known.sent_by.is_none_or(|role| role == writer))
}

/// Whether a type is the response of one method. It repeats what is known about the method.
pub(in crate::diff) fn is_response(index: &Index<'_>, ty: &Type) -> bool {
    !answered(index, ty).is_empty()
}

/// The results of methods that a response holds. The base of all results does not count: every response holds it.
fn answered<'a>(index: &Index<'a>, ty: &'a Type) -> Vec<&'a str> {
    let Shape::Struct(object) = &ty.shape else { return Vec::new() };
    let result = object.members.iter().find(|member| member.wire == "result");
    let Some(Content::Field(field)) = result.map(|member| &member.content) else { return Vec::new() };
    let Some(result) = field.ty.named() else { return Vec::new() };
    let results = match index.ty(result).map(|ty| &ty.shape) {
        Some(Shape::Union(union)) => union.variants.iter().filter_map(|variant| variant.ty.named()).collect(),
        _ => vec![result],
    };
    let is_base = |name: &str| index.definition_of(name).is_some_and(is_base_of_results);
    results.into_iter().filter(|name| index.is_result(name) && !is_base(name)).collect()
}

fn is_base_of_results(definition: &str) -> bool {
    definition == Part::BaseResult.name()
}
