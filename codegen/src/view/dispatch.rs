//! The view of methods: tables, enums of what each side may send, handlers.

use std::collections::BTreeSet;

use super::{Uses, Viewer, literal};
use crate::docs;
use crate::methods::params_name;
use crate::model::{Content, Field, Member, Method, MethodKind, Phase, Role, Shape, Struct, TypeRef, Union};
use crate::names;

/// Everything that the templates of methods and dispatch place.
pub(crate) struct DispatchView {
    pub(crate) rows: Vec<RowView>,
    pub(crate) requests: Vec<RequestView>,
    pub(crate) notifications: Vec<NotificationView>,
    /// The types of params.
    pub(crate) params: Vec<String>,
    pub(crate) bodies: Vec<BodyView>,
    pub(crate) results: Vec<ResultsView>,
    pub(crate) sides: Vec<SideView>,
    pub(crate) input: Option<InputView>,
    /// The error object of the schema, which is another form of the one in `mcp-wire-core`.
    pub(crate) error: Option<String>,
    pub(crate) has_batches: bool,
    /// The type that answers a call of a tool, for an example.
    pub(crate) tool_answer: Option<String>,
}

/// A row of the table of methods.
pub(crate) struct RowView {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) senders: String,
    pub(crate) params: String,
    pub(crate) params_required: bool,
    pub(crate) results: String,
    pub(crate) client_capability: String,
    pub(crate) server_capability: String,
    pub(crate) phase: &'static str,
    pub(crate) deprecated: bool,
}

/// A request as a type.
pub(crate) struct RequestView {
    pub(crate) message: String,
    pub(crate) method: String,
    pub(crate) senders: String,
    pub(crate) params: String,
    pub(crate) result: String,
}

/// A notification as a type.
pub(crate) struct NotificationView {
    pub(crate) message: String,
    pub(crate) method: String,
    pub(crate) senders: String,
    pub(crate) params: String,
}

/// An enum of methods with their params.
pub(crate) struct BodyView {
    pub(crate) name: &'static str,
    pub(crate) doc: String,
    pub(crate) is_request: bool,
    pub(crate) variants: Vec<BodyVariantView>,
    /// Variants whose params may be absent, by their number.
    pub(crate) bare: Vec<(usize, String)>,
    /// Params that belong to one variant only.
    pub(crate) conversions: Vec<(String, String, String)>,
    pub(crate) cancels: Option<(String, String)>,
    pub(crate) fetches: Option<(String, String)>,
    pub(crate) tokens: Vec<(String, String)>,
}

pub(crate) struct BodyVariantView {
    pub(crate) name: String,
    pub(crate) method: String,
    pub(crate) doc: String,
    /// The params as a type.
    pub(crate) params: String,
    /// The same as the variant holds them.
    pub(crate) held: String,
    /// How params become the variant.
    pub(crate) wrap: String,
}

/// How results are read by the method they answer.
pub(crate) struct ResultsView {
    pub(crate) name: String,
    pub(crate) error_needs_id: bool,
    pub(crate) methods: Vec<ResultView>,
    pub(crate) tag: Option<ResultTag>,
    pub(crate) task: Option<(String, String)>,
}

/// For results that say what they are.
pub(crate) struct ResultTag {
    pub(crate) tag: String,
    /// The values that mean something special, with their variants.
    pub(crate) special: Vec<(String, String)>,
    /// All values, the usual one first.
    pub(crate) values: String,
}

pub(crate) struct ResultView {
    pub(crate) method: String,
    pub(crate) variant: String,
    /// Whether a result is what it was read as, given that it says so.
    pub(crate) is_meant: String,
    /// Other results of the same request: what tells them, and their variants.
    pub(crate) also: Vec<(String, String)>,
}

/// A side with its handler.
pub(crate) struct SideView {
    pub(crate) party: &'static str,
    pub(crate) side: &'static str,
    pub(crate) handler: &'static str,
    pub(crate) message: &'static str,
    pub(crate) peer: &'static str,
    pub(crate) request: &'static str,
    pub(crate) notification: &'static str,
    pub(crate) ask: &'static str,
    pub(crate) result: String,
    pub(crate) requests: Vec<HandlerView>,
    pub(crate) notifications: Vec<HandlerView>,
}

/// A method of a handler.
pub(crate) struct HandlerView {
    pub(crate) name: String,
    pub(crate) doc: Vec<String>,
    pub(crate) variant: String,
    pub(crate) method: String,
    pub(crate) params: String,
    pub(crate) unwrap: &'static str,
    pub(crate) result: String,
    /// What it answers unless it is overridden.
    pub(crate) default: String,
}

/// Requests that stand inside results.
pub(crate) struct InputView {
    pub(crate) union: String,
    pub(crate) response: String,
    pub(crate) requests: Option<String>,
    pub(crate) responses: Option<String>,
    pub(crate) methods: Vec<HandlerView>,
}

/// One of the enums: its name, what it holds, who sends it.
const BODIES: &[(&str, MethodKind, Role)] = &[
    ("ClientRequest", MethodKind::Request, Role::Client),
    ("ClientNotification", MethodKind::Notification, Role::Client),
    ("ServerRequest", MethodKind::Request, Role::Server),
    ("ServerNotification", MethodKind::Notification, Role::Server),
];

impl Viewer<'_> {
    /// The view of dispatch, for a schema that has methods which someone sends.
    pub(super) fn dispatch(&self) -> Option<DispatchView> {
        let methods = &self.revision.methods;
        if methods.iter().all(|method| method.senders.is_empty()) {
            return None;
        }
        let mut params: BTreeSet<String> = BTreeSet::new();
        for ty in methods.iter().filter_map(|method| method.params.as_ref()) {
            if matches!(self.resolved(ty), TypeRef::Named(_)) {
                params.insert(self.unaliased(ty));
            }
        }
        let of_kind = |wanted: &[MethodKind]| -> Vec<&Method> {
            methods.iter().filter(|method| wanted.contains(&method.kind)).collect()
        };
        Some(DispatchView {
            rows: methods.iter().map(|method| self.row(method)).collect(),
            requests: of_kind(&[MethodKind::Request, MethodKind::Embedded])
                .into_iter()
                .map(|method| RequestView {
                    message: method.message.clone(),
                    method: literal(&method.method),
                    senders: senders(method),
                    params: self.params(method),
                    result: self.result(method),
                })
                .collect(),
            notifications: of_kind(&[MethodKind::Notification])
                .into_iter()
                .map(|method| NotificationView {
                    message: method.message.clone(),
                    method: literal(&method.method),
                    senders: senders(method),
                    params: self.params(method),
                })
                .collect(),
            params: params.into_iter().collect(),
            bodies: BODIES.iter().map(|(name, kind, role)| self.body(name, *kind, *role)).collect(),
            results: [Role::Client, Role::Server].into_iter().filter_map(|role| self.results(role)).collect(),
            sides: vec![self.side(Role::Server), self.side(Role::Client)],
            input: self.input(),
            error: self.error_type(),
            has_batches: self.revision.has_batches,
            tool_answer: self.tool_answer(),
        })
    }

    /// The type that answers `tools/call`, if all is there that an example needs.
    fn tool_answer(&self) -> Option<String> {
        let call = self.revision.methods.iter().find(|method| method.method == "tools/call")?;
        let has = |name: &&str| self.revision.types.contains_key(*name);
        let complete = ["CallToolResult", "ContentBlock", "TextContent"].iter().all(has)
            && call.params == Some(TypeRef::Named("CallToolRequestParams".to_owned()))
            && call.params_required
            && call.result.as_deref() == Some("CallToolResult")
            && call.senders == [Role::Client];
        complete.then(|| call.answer.clone().unwrap_or_else(|| "CallToolResult".to_owned()))
    }

    fn row(&self, method: &Method) -> RowView {
        let optional = |text: &Option<String>| match text {
            Some(text) => format!("Some({})", literal(text)),
            None => "None".to_owned(),
        };
        let results: Vec<String> = method.result.iter().chain(&method.also).map(|name| literal(name)).collect();
        RowView {
            name: literal(&method.method),
            kind: match method.kind {
                MethodKind::Request => "Request",
                MethodKind::Notification => "Notification",
                MethodKind::Embedded => "Embedded",
            },
            senders: senders(method),
            params: optional(&params_name(method.params.as_ref())),
            params_required: method.params_required,
            results: results.join(", "),
            client_capability: optional(&method.client_capability),
            server_capability: optional(&method.server_capability),
            phase: match method.phase {
                Phase::Handshake => "Handshake",
                Phase::Any => "Any",
                Phase::Operation => "Operation",
            },
            deprecated: method.deprecated,
        }
    }

    /// The params of a method as a type.
    fn params(&self, method: &Method) -> String {
        let ty = match &method.params {
            Some(ty) => match self.resolved(ty) {
                TypeRef::Named(_) => self.crate_type(ty),
                TypeRef::Object => "wire::JsonObject".to_owned(),
                _ => "wire::Value".to_owned(),
            },
            None => "wire::JsonObject".to_owned(),
        };
        if method.params_required { ty } else { format!("Option<{ty}>") }
    }

    /// What answers a method, as a type.
    fn result(&self, method: &Method) -> String {
        match method.answer.as_ref().or(method.result.as_ref()) {
            Some(name) => format!("crate::{name}"),
            None => "wire::Value".to_owned(),
        }
    }

    fn crate_type(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::Named(name) => format!("crate::{name}"),
            ty => self.rust(ty, &mut Uses::default()),
        }
    }

    /// The methods of one enum: each with the name of its variant.
    fn methods(&self, kind: MethodKind, role: Role) -> Vec<(String, &Method)> {
        let methods: Vec<&Method> = self
            .revision
            .methods
            .iter()
            .filter(|method| method.kind == kind && method.senders.contains(&role))
            .collect();
        let definition = names::ROLES.iter().find(|(_, k, r)| *k == kind && *r == role).map_or("", |(name, _, _)| name);
        let messages: Vec<String> = methods.iter().map(|method| method.message.clone()).collect();
        // `Other` is the variant that every enum has.
        let mut variants = names::variant_names(definition, &messages);
        for variant in &mut variants {
            if variant == "Other" {
                variant.push_str("Method");
            }
        }
        variants.into_iter().zip(methods).collect()
    }

    fn body(&self, name: &'static str, kind: MethodKind, role: Role) -> BodyView {
        let methods = self.methods(kind, role);
        let sender = if role == Role::Client { "client" } else { "server" };
        let what = if kind == MethodKind::Request { "ask" } else { "tell" };
        let variants: Vec<BodyVariantView> = methods
            .iter()
            .map(|(variant, method)| {
                let params = self.params(method);
                BodyVariantView {
                    name: variant.clone(),
                    method: literal(&method.method),
                    doc: self.variant_doc(&TypeRef::Named(method.message.clone())),
                    held: if method.params_boxed { format!("Box<{params}>") } else { params.clone() },
                    wrap: match method.params_boxed {
                        true => format!("|params| Self::{variant}(Box::new(params))"),
                        false => format!("Self::{variant}"),
                    },
                    params,
                }
            })
            .collect();
        let mut conversions = Vec::new();
        for ((variant, method), view) in methods.iter().zip(&variants) {
            let only = variants.iter().filter(|other| other.params == view.params).count() == 1;
            let own = method.params.as_ref().is_some_and(|ty| matches!(self.resolved(ty), TypeRef::Named(_)));
            if only && own && method.params_required {
                let value = if method.params_boxed { "Box::new(params)" } else { "params" };
                conversions.push((view.params.clone(), variant.clone(), value.to_owned()));
            }
        }
        let is_request = kind == MethodKind::Request;
        BodyView {
            name,
            doc: format!("What a {sender} may {what}: a method with its params."),
            is_request,
            bare: methods
                .iter()
                .enumerate()
                .filter(|(_, (_, method))| !method.params_required)
                .map(|(index, (variant, _))| (index, variant.clone()))
                .collect(),
            conversions,
            cancels: methods.iter().find_map(|(variant, method)| Some((variant.clone(), self.cancels(method)?))),
            fetches: methods.iter().find_map(|(variant, method)| Some((variant.clone(), self.fetches(method)?))),
            tokens: match is_request {
                true => methods
                    .iter()
                    .filter_map(|(variant, method)| Some((variant.clone(), self.token(method)?)))
                    .collect(),
                false => Vec::new(),
            },
            variants,
        }
    }

    fn member(&self, ty: &TypeRef, wire: &str) -> Option<(&Member, &Field)> {
        let TypeRef::Named(name) = self.resolved(ty) else { return None };
        match self.shape(name)? {
            Shape::Struct(object) => object.members.iter().find_map(|member| match &member.content {
                Content::Field(field) if member.wire == wire => Some((member, field)),
                _ => None,
            }),
            _ => None,
        }
    }

    /// The id in the params of the notification that cancels.
    fn cancels(&self, method: &Method) -> Option<String> {
        let params = method.params.as_ref().filter(|_| method.method == "notifications/cancelled")?;
        let (member, field) = self.member(params, "requestId")?;
        let is_id = matches!(&field.ty, TypeRef::Named(name) if name == "RequestId" && self.is_provided(name));
        if !is_id || !method.params_required {
            return None;
        }
        Some(match super::is_held(member, field) {
            true => format!("Some(&params.{})", field.name),
            false => format!("params.{}.as_ref()", field.name),
        })
    }

    /// The key in the params of the request that fetches a deferred result.
    fn fetches(&self, method: &Method) -> Option<String> {
        let deferred = self.revision.deferred.as_ref().filter(|deferred| deferred.method == method.method)?;
        let (_, field) = self.member(method.params.as_ref()?, &deferred.param)?;
        Some(format!("Some(&params.{})", field.name))
    }

    /// The progress token in the params of a request.
    fn token(&self, method: &Method) -> Option<String> {
        let token = self.token_in(method.params.as_ref()?, method.params_boxed && method.params_required, 0)?;
        Some(match (method.params_required, method.params_boxed) {
            (true, _) => token,
            (false, false) => format!("params.as_ref().and_then(|params| {token})"),
            // A box has a method of that name, too.
            (false, true) => format!("Option::as_ref(params).and_then(|params| {token})"),
        })
    }

    fn token_in(&self, ty: &TypeRef, boxed: bool, depth: usize) -> Option<String> {
        let TypeRef::Named(name) = self.resolved(ty) else { return None };
        match self.shape(name)? {
            Shape::Union(union) if depth == 0 => Some(self.token_in_union(name, union, boxed)),
            Shape::Struct(_) => {
                let Some((owner, meta)) = self.member(ty, "_meta") else {
                    return Some("wire::undeclared_progress_token(&params.extra)".to_owned());
                };
                let (member, token) = self.member(&meta.ty, "progressToken")?;
                let is_token =
                    matches!(&token.ty, TypeRef::Named(name) if name == "ProgressToken" && self.is_provided(name));
                if !is_token || matches!(meta.ty, TypeRef::Nullable(_) | TypeRef::Boxed(_)) {
                    return None;
                }
                let read = |place: &str| match super::is_held(member, token) {
                    true => format!("Some({place}.{}.clone())", token.name),
                    false => format!("{place}.{}.clone()", token.name),
                };
                Some(match super::is_held(owner, meta) {
                    true => read(&format!("params.{}", meta.name)),
                    false => format!("params.{}.as_ref().and_then(|meta| {})", meta.name, read("meta")),
                })
            }
            _ => None,
        }
    }

    fn token_in_union(&self, name: &str, union: &Union, boxed: bool) -> String {
        let arms: String = union
            .variants
            .iter()
            .filter_map(|variant| {
                let token = self.token_in(&variant.ty, false, 1)?;
                Some(format!("crate::{name}::{}(params) => {token}, ", variant.name))
            })
            .collect();
        let params = if boxed { "&**params" } else { "params" };
        format!("match {params} {{ {arms} _ => None }}")
    }

    /// The enum of what answers the requests that the other side of `role` sends: `role` sends these results.
    fn results(&self, role: Role) -> Option<ResultsView> {
        let (name, union) = self.result_union(role)?;
        let asker = if role == Role::Client { Role::Server } else { Role::Client };
        let variant_of = |result: &str| {
            let alias = TypeRef::Named(result.to_owned());
            union.variants.iter().find(|variant| self.unaliased(&variant.ty) == self.unaliased(&alias))
        };
        let (wire, tag) = self.result_tag(union).unzip();
        let mut methods = Vec::new();
        for (_, method) in self.methods(MethodKind::Request, asker) {
            let Some(variant) = method.result.as_deref().and_then(variant_of) else { continue };
            let marked = wire.as_ref().and_then(|wire| self.member(&variant.ty, wire));
            let is_meant = marked.and_then(|(_, field)| {
                let TypeRef::Named(values) = &field.ty else { return None };
                let initial = self.value_variant(values, field.initial.as_ref()?)?;
                Some(format!("|result| result.{} == crate::{values}::{initial}", field.name))
            });
            let also = method.also.iter().filter_map(|also| {
                let object = self.object_of(also)?;
                let telling: Vec<String> = object
                    .members
                    .iter()
                    .filter(|member| member.required && Some(&member.wire) != wire.as_ref())
                    .map(|member| literal(&member.wire))
                    .collect();
                let other = variant_of(also)?;
                (!telling.is_empty())
                    .then(|| (format!("wire::has(&value, &[{}])", telling.join(", ")), other.name.clone()))
            });
            methods.push(ResultView {
                method: literal(&method.method),
                variant: variant.name.clone(),
                is_meant: is_meant.unwrap_or_else(|| "|_| true".to_owned()),
                also: also.collect(),
            });
        }
        let task = self.revision.deferred.as_ref().and_then(|deferred| {
            let variant = variant_of(&deferred.result)?;
            let mut ty = TypeRef::Named(deferred.result.clone());
            let mut path = "result".to_owned();
            for key in &deferred.key {
                let (_, field) = self.member(&ty, key)?;
                path = format!("{path}.{}", field.name);
                ty = field.ty.clone();
            }
            Some((variant.name.clone(), format!("Some(&{path})")))
        });
        Some(ResultsView { name: name.to_owned(), error_needs_id: self.error_needs_id(), methods, tag, task })
    }

    fn result_union(&self, role: Role) -> Option<(&str, &Union)> {
        let definition = if role == Role::Client { "ClientResult" } else { "ServerResult" };
        let found = self.revision.types.iter().find(|(_, ty)| ty.definition.as_deref() == Some(definition))?;
        match &found.1.shape {
            Shape::Union(union) => Some((found.0, union)),
            _ => None,
        }
    }

    /// The member by which results say what they are, its usual value, and the values that mean something special.
    fn result_tag(&self, union: &Union) -> Option<(String, ResultTag)> {
        let mut found: Vec<(String, String, String)> = Vec::new();
        for variant in &union.variants {
            let TypeRef::Named(name) = self.resolved(&variant.ty) else { continue };
            let Some(object) = self.object_of(name) else { continue };
            for member in &object.members {
                if let Content::Field(Field { initial: Some(initial), .. }) = &member.content {
                    found.push((member.wire.clone(), literal(initial), variant.name.clone()));
                }
            }
        }
        let (wire, usual, _) = found.first()?.clone();
        let special = found.into_iter().filter(|(tag, value, _)| *tag == wire && *value != usual);
        let special: Vec<_> = special.map(|(_, value, variant)| (value, variant)).collect();
        let mut values = vec![usual];
        values.extend(special.iter().map(|(value, _)| value.clone()));
        let tag = ResultTag { tag: literal(&wire), special, values: values.join(", ") };
        Some((wire, tag))
    }

    fn object_of(&self, name: &str) -> Option<&Struct> {
        match self.shape(name)? {
            Shape::Struct(object) => Some(object),
            Shape::Alias(TypeRef::Named(target)) if target != name => self.object_of(target),
            _ => None,
        }
    }

    fn value_variant(&self, name: &str, value: &str) -> Option<&str> {
        match self.shape(name)? {
            Shape::StringEnum(values) => {
                values.values.iter().find(|known| known.wire == value).map(|known| known.name.as_str())
            }
            _ => None,
        }
    }

    /// The definition of an error response.
    fn error_response(&self) -> Option<&Struct> {
        ["JSONRPCErrorResponse", "JSONRPCError"].iter().find_map(|definition| {
            let found = self.revision.types.values().find(|ty| ty.definition.as_deref() == Some(definition))?;
            match &found.shape {
                Shape::Struct(object) => Some(object),
                _ => None,
            }
        })
    }

    fn error_needs_id(&self) -> bool {
        let needs = |object: &Struct| object.members.iter().any(|member| member.wire == "id" && member.required);
        self.error_response().is_some_and(needs)
    }

    /// The type of errors, where it has exactly a code, a message and data.
    fn error_type(&self) -> Option<String> {
        let error = self.error_response()?.members.iter().find(|member| member.wire == "error")?;
        let Content::Field(field) = &error.content else { return None };
        let TypeRef::Named(name) = self.resolved(&field.ty) else { return None };
        let is = |wire: &str, required: bool, fits: fn(&TypeRef) -> bool| {
            self.member(&field.ty, wire).is_some_and(|(member, field)| {
                member.required == required && fits(&field.ty) && field.initial.is_none() && !field.lenient
            })
        };
        let fits = is("code", true, |ty| matches!(ty, TypeRef::Integer { .. }))
            && is("message", true, |ty| matches!(ty, TypeRef::String { .. }))
            && is("data", false, |ty| matches!(ty, TypeRef::Any))
            && self.object_of(name).is_some_and(|object| object.members.len() == 3);
        fits.then(|| format!("crate::{name}"))
    }

    fn side(&self, role: Role) -> SideView {
        let is_server = role == Role::Server;
        let sender = if is_server { Role::Client } else { Role::Server };
        let pick = |server: &'static str, client: &'static str| if is_server { server } else { client };
        let requests = self.methods(MethodKind::Request, sender);
        let notifications = self.methods(MethodKind::Notification, sender);
        let all = requests.iter().chain(&notifications).map(|(variant, _)| variant.as_str());
        let mut handler_names = names::handler_names(all).into_iter();
        let mut handlers = |methods: &[(String, &Method)]| -> Vec<HandlerView> {
            methods
                .iter()
                .zip(handler_names.by_ref())
                .map(|((variant, method), name)| self.handler(name, variant, method))
                .collect()
        };
        // What this side reads as results is what the other one answers with.
        let result = self.result_union(sender).map_or("wire::Value".to_owned(), |(name, _)| format!("crate::{name}"));
        SideView {
            party: pick("Server", "Client"),
            side: pick("ServerSide", "ClientSide"),
            handler: pick("ServerHandler", "ClientHandler"),
            message: pick("ClientMessage", "ServerMessage"),
            peer: pick("client", "server"),
            request: pick("ClientRequest", "ServerRequest"),
            notification: pick("ClientNotification", "ServerNotification"),
            ask: pick("ServerRequest", "ClientRequest"),
            result,
            requests: handlers(&requests),
            notifications: handlers(&notifications),
        }
    }

    fn handler(&self, name: String, variant: &str, method: &Method) -> HandlerView {
        let message = self.revision.types.get(&method.message);
        let doc = message.and_then(|ty| ty.doc.as_deref()).map(docs::first_sentence).unwrap_or_default();
        let mut doc = docs::lines(doc, &self.targets);
        doc.truncate(doc.iter().position(|line| line.starts_with("```")).unwrap_or(doc.len()));
        if doc.is_empty() {
            doc.push(format!("{}.", super::spaced(&method.message)));
        }
        let gate = |party: &str, capability: &Option<String>| {
            capability.as_ref().map(|capability| format!("the {party}'s capability {}", docs::shown(capability)))
        };
        let gates: Vec<String> = gate("client", &method.client_capability)
            .into_iter()
            .chain(gate("server", &method.server_capability))
            .collect();
        let needs = if gates.is_empty() { String::new() } else { format!(", needs {}", gates.join(" or ")) };
        doc.extend([String::new(), format!("{}{needs}", docs::shown(&method.method))]);
        if method.deprecated {
            self.deprecation(message.and_then(|ty| ty.deprecated.as_deref()), &mut doc);
        }
        // A peer that asks whether anyone is there gets an answer without anyone's doing.
        let is_empty = self.object_of(method.result.as_deref().unwrap_or_default());
        let default = match (method.phase, is_empty) {
            (Phase::Any, Some(object)) if object.members.iter().all(|member| !member.required) => {
                format!("async {{ Ok({}::default()) }}", self.result(method))
            }
            _ => format!("wire::unsupported({})", literal(&method.method)),
        };
        HandlerView {
            name,
            doc,
            variant: variant.to_owned(),
            method: literal(&method.method),
            params: self.params(method),
            unwrap: if method.params_boxed && method.kind != MethodKind::Embedded { "*params" } else { "params" },
            result: self.result(method),
            default,
        }
    }

    /// Requests that stand inside results, and what answers them.
    fn input(&self) -> Option<InputView> {
        let of =
            |definition: &str| self.revision.types.iter().find(|(_, ty)| ty.definition.as_deref() == Some(definition));
        let methods = self.methods(MethodKind::Embedded, Role::Server);
        let (union, request) = of("InputRequest")?;
        let (response, answer) = of("InputResponse")?;
        let (Shape::Union(requests), Shape::Union(answers)) = (&request.shape, &answer.shape) else { return None };
        // Each request has a variant, and each result one too.
        let has = |union: &Union, name: &str| {
            union.variants.iter().any(|variant| matches!(&variant.ty, TypeRef::Named(known) if known == name))
        };
        let complete = methods.iter().all(|(_, method)| {
            has(requests, &method.message) && method.result.as_deref().is_some_and(|result| has(answers, result))
        });
        if methods.is_empty() || !complete {
            return None;
        }
        let names = names::handler_names(methods.iter().map(|(variant, _)| variant.as_str()));
        let is_map = |definition: &str, values: &str| match of(definition).map(|(name, ty)| (name, &ty.shape)) {
            Some((name, Shape::Alias(TypeRef::Map { values: inner }))) => {
                matches!(&**inner, TypeRef::Named(known) if known == values).then(|| name.clone())
            }
            _ => None,
        };
        Some(InputView {
            union: union.clone(),
            response: response.clone(),
            requests: is_map("InputRequests", union),
            responses: is_map("InputResponses", response),
            methods: methods
                .iter()
                .zip(names)
                .map(|((_, method), name)| {
                    let variant = requests
                        .variants
                        .iter()
                        .find(|variant| matches!(&variant.ty, TypeRef::Named(known) if *known == method.message));
                    self.handler(name, variant.map_or("", |variant| &variant.name), method)
                })
                .collect(),
        })
    }
}

fn senders(method: &Method) -> String {
    let senders: Vec<&str> = method
        .senders
        .iter()
        .map(|role| match role {
            Role::Client => "Party::Client",
            Role::Server => "Party::Server",
        })
        .collect();
    format!("&[{}]", senders.join(", "))
}
