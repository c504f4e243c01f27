//! Methods, and the codes of errors.

use std::collections::{BTreeMap, BTreeSet};

use super::Walk;
use crate::diff::both::{Age, Both};
use crate::diff::difference::{MethodPart, What};
use crate::diff::flow;
use crate::diff::index::{Index, results};
use crate::diff::path::Path;
use crate::diff::place::Place;
use crate::model::{Method, MethodKind, Role};

impl<'a> Walk<'a> {
    pub(super) fn methods(&mut self) {
        let all = self.index.each().into_iter().flat_map(|index| &index.model.methods);
        let names: BTreeSet<&str> = all.map(|method| method.method.as_str()).collect();
        for name in names {
            let methods = self.index.map(|index| index.method(name));
            let roots = self.index.zip(methods).map(|(index, method)| index.definition_of(&method?.message));
            let place = Place { path: Path::of(name), ..Place::of(roots) };
            let signatures = self.index.zip(methods);
            let signatures = || signatures.map(|(index, method)| Some(signature(index, method?)));
            match (methods.old, methods.new) {
                (Some(method), None) => self.note(&place, What::Method { method, only_in: Age::Old }, signatures()),
                (None, Some(method)) => self.note(&place, What::Method { method, only_in: Age::New }, signatures()),
                (Some(old), Some(new)) => {
                    let methods = Both { old, new };
                    for part in self.changed_parts(methods) {
                        self.note(&place, What::MethodChanged { methods, part }, signatures());
                    }
                }
                (None, None) => {}
            }
        }
    }

    fn changed_parts(&self, methods: Both<&'a Method>) -> Vec<MethodPart<'a>> {
        let Both { old, new } = methods;
        let mut parts = Vec::new();
        let same_results = self.same_results(methods);
        if old.kind != new.kind {
            parts.push(MethodPart::Kind { same_results });
        } else if old.senders != new.senders {
            parts.push(MethodPart::Senders);
        }
        // Only whether there are params. Their content is compared with their type.
        if old.params.is_some() != new.params.is_some() {
            parts.push(MethodPart::Params);
        }
        if !same_results && old.kind == new.kind {
            let deferred = self.index.each().into_iter().filter_map(|index| index.model.deferred.as_ref());
            parts.push(MethodPart::Results { on_request: deferred.map(|deferred| deferred.result.as_str()).collect() });
        }
        if flow::gates(old) != flow::gates(new) {
            parts.push(MethodPart::Capability);
        }
        if old.phase != new.phase {
            parts.push(MethodPart::Phase);
        }
        parts
    }

    fn same_results(&self, methods: Both<&'a Method>) -> bool {
        let results = self.index.zip(methods).map(|(index, method)| {
            let names = results(method).map(|name| index.definition_of(name).unwrap_or(name));
            names.map(|name| index.alias(name).unwrap_or(name)).collect::<BTreeSet<&str>>()
        });
        // A removed definition has no new name, even if another definition has its name now.
        let then: Option<BTreeSet<&str>> = results.old.iter().map(|name| self.alignment.new_name(name)).collect();
        then == Some(results.new)
    }

    pub(super) fn error_codes(&mut self) {
        let codes = self.index.map(|index| {
            let codes = index.model.error_codes.iter().map(|code| (code.name.as_str(), code.code));
            codes.collect::<BTreeMap<&'a str, i64>>()
        });
        let names: BTreeSet<&str> = codes.old.keys().chain(codes.new.keys()).copied().collect();
        for name in names {
            let codes = codes.as_ref().map(|codes| codes.get(name).copied());
            if codes.old != codes.new {
                let texts = codes.map(|code| code.map(|code| format!("{name} = {code}")));
                self.note(&Place::nowhere(Path::of(name)), What::ErrorCode { name, codes }, texts);
            }
        }
    }
}

/// A method in one line: `client → server  tools/call(CallToolRequestParams): CallToolResult`.
fn signature(index: &Index<'_>, method: &Method) -> String {
    let senders = match method.senders[..] {
        [Role::Client] => "client → server",
        [Role::Server] => "server → client",
        [] => "either way, as nothing is said about it",
        _ => "both ways",
    };
    let kind = match method.kind {
        MethodKind::Request => "request",
        MethodKind::Notification => "notification",
        MethodKind::Embedded => "request inside a result",
    };
    let params = method.params.as_ref().map(|params| index.text(params)).unwrap_or_default();
    let optional = if method.params.is_some() && !method.params_required { "?" } else { "" };
    let results: Vec<&str> = results(method).collect();
    let results = if results.is_empty() { String::new() } else { format!(": {}", results.join(" | ")) };
    let gate = match &flow::gates(method)[..] {
        [] => String::new(),
        gates => format!(", needs `{}`", gates.join("` or `")),
    };
    format!("{}({params}{optional}){results}\n{kind}, {senders}{gate}", method.method)
}
