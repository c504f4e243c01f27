//! The view of methods: tables, enums of what each side may send, handlers.

use super::{Conversions, Doc, Uses, Viewer, literal};
use crate::definitions::Part;
use crate::docs;
use crate::methods::params_name;
use crate::model::{Content, Field, Member, Method, MethodKind, Phase, Role, Shape, Struct, TypeRef, Union};
use crate::names;

/// Everything that the templates of methods and dispatch place.
pub(crate) struct DispatchView {
    pub(crate) rows: Vec<RowView>,
    pub(crate) requests: Vec<RequestView>,
    pub(crate) notifications: Vec<NotificationView>,
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
    pub(crate) variants: Vec<BodyVariantView>,
    /// The method that fetches the result of a task, and the member that names the task.
    pub(crate) fetches: Option<(String, String)>,
}

pub(crate) struct BodyVariantView {
    pub(crate) name: String,
    pub(crate) method: String,
    pub(crate) doc: String,
    /// The type of the params, as the variant holds them.
    pub(crate) held: String,
    /// The params that belong to this variant only.
    pub(crate) conversions: Conversions,
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
    /// All values, the usual one first, the others with their variants.
    pub(crate) values: String,
}

pub(crate) struct ResultView {
    pub(crate) method: String,
    pub(crate) variant: String,
    /// Other results of the same request: their variants, and what tells them.
    pub(crate) or: String,
    /// What a result must say to be this one.
    pub(crate) condition: String,
}

/// A side with its handler.
pub(crate) struct SideView {
    pub(crate) party: &'static str,
    pub(crate) side: &'static str,
    pub(crate) handler: &'static str,
    pub(crate) local_handler: &'static str,
    pub(crate) dyn_handler: &'static str,
    pub(crate) message: &'static str,
    pub(crate) peer: &'static str,
    pub(crate) request: &'static str,
    pub(crate) notification: &'static str,
    pub(crate) ask: &'static str,
    pub(crate) result: String,
    /// The batches that it reads.
    pub(crate) batch: String,
    pub(crate) requests: Vec<HandlerView>,
    pub(crate) notifications: Vec<HandlerView>,
}

/// A method of a handler.
pub(crate) struct HandlerView {
    pub(crate) name: String,
    pub(crate) doc: Doc,
    pub(crate) variant: String,
    pub(crate) method: String,
    pub(crate) params: String,
    pub(crate) result: String,
    /// What it answers unless it is overridden.
    pub(crate) default: String,
}

/// Requests that stand inside results.
pub(crate) struct InputView {
    pub(crate) handler: &'static str,
    pub(crate) union: String,
    pub(crate) response: String,
    /// The maps of requests and of responses, by the same keys.
    pub(crate) maps: Option<(String, String)>,
    pub(crate) methods: Vec<HandlerView>,
}

impl Viewer<'_> {
    /// The view of dispatch, for a schema that has methods which someone sends.
    pub(super) fn dispatch(&self) -> Option<DispatchView> {
        let methods = &self.revision.methods;
        if methods.iter().all(|method| method.senders.is_empty()) {
            return None;
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
            bodies: [Role::Client, Role::Server]
                .into_iter()
                .flat_map(|role| [MethodKind::Request, MethodKind::Notification].map(|kind| self.body(kind, role)))
                .collect(),
            results: [Role::Client, Role::Server].into_iter().filter_map(|role| self.results(role)).collect(),
            sides: vec![self.side(Role::Server), self.side(Role::Client)],
            input: self.input(),
            error: self.error_type(),
            has_batches: self.revision.has_batches,
            tool_answer: self.tool_answer(),
        })
    }

    /// Whether there are the types that the first example needs.
    pub(super) fn has_tool_result(&self) -> bool {
        let (_, _, result, others) = names::TOOL_CALL;
        [&result].into_iter().chain(others).all(|name| self.revision.types.contains_key(*name))
    }

    /// The type that answers a call of a tool, if all is there that an example needs.
    fn tool_answer(&self) -> Option<String> {
        let (method, params, result, others) = names::TOOL_CALL;
        let call = self.revision.methods.iter().find(|known| known.method == method)?;
        let has = |name: &&str| self.revision.types.contains_key(*name);
        let complete = has(&result)
            && others.iter().all(has)
            && call.params == Some(TypeRef::Named(params.to_owned()))
            && call.params_required
            && call.result.as_deref() == Some(result)
            && call.senders == [Role::Client];
        complete.then(|| call.answer.clone().unwrap_or_else(|| result.to_owned()))
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
                TypeRef::Object => "JsonObject".to_owned(),
                _ => "Json".to_owned(),
            },
            None => "JsonObject".to_owned(),
        };
        if method.params_required { ty } else { format!("Option<{ty}>") }
    }

    /// What answers a method, as a type.
    fn result(&self, method: &Method) -> String {
        match method.answer.as_ref().or(method.result.as_ref()) {
            Some(name) => in_scope(name),
            None => "Json".to_owned(),
        }
    }

    fn crate_type(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::Named(name) => in_scope(name),
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
        let messages: Vec<String> = methods.iter().map(|method| method.message.clone()).collect();
        names::variants(Part::Sent(kind, role).name(), &messages).into_iter().zip(methods).collect()
    }

    fn body(&self, kind: MethodKind, role: Role) -> BodyView {
        let methods = self.methods(kind, role);
        let sender = names::side(role).party;
        let what = if kind == MethodKind::Request { "ask" } else { "tell" };
        let params: Vec<String> = methods.iter().map(|(_, method)| self.params(method)).collect();
        let variants = methods.iter().zip(&params).map(|((variant, method), own)| {
            let is_named = method.params.as_ref().is_some_and(|ty| matches!(self.resolved(ty), TypeRef::Named(_)));
            let is_only = params.iter().filter(|other| *other == own).count() == 1;
            BodyVariantView {
                name: variant.clone(),
                method: literal(&method.method),
                doc: self.variant_doc(&TypeRef::Named(method.message.clone())),
                held: if method.params_boxed { format!("Box<{own}>") } else { own.clone() },
                conversions: Conversions(
                    (is_named && is_only && method.params_required).then(|| own.clone()).into_iter().collect(),
                ),
            }
        });
        BodyView {
            name: names::body(kind, role),
            doc: format!("What a {sender} may {what}: a method with its params."),
            variants: variants.collect(),
            fetches: methods.iter().find_map(|(_, method)| self.fetches(method)),
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

    /// The method, and the key in its params, if it is the one that fetches a deferred result.
    fn fetches(&self, method: &Method) -> Option<(String, String)> {
        let deferred = self.revision.deferred.as_ref().filter(|deferred| deferred.method == method.method)?;
        self.member(method.params.as_ref()?, &deferred.param)?;
        Some((literal(&deferred.method), literal(&deferred.param)))
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
            let condition = marked.and_then(|(_, field)| {
                let TypeRef::Named(values) = &field.ty else { return None };
                let initial = self.value_variant(values, field.initial.as_ref()?)?;
                Some(format!(" if {} == {values}::{initial}", field.name))
            });
            let or = method.also.iter().filter_map(|also| {
                let object = self.object_of(also)?;
                let telling: Vec<String> = object
                    .members
                    .iter()
                    .filter(|member| member.required && Some(&member.wire) != wire.as_ref())
                    .map(|member| literal(&member.wire))
                    .collect();
                let other = variant_of(also)?;
                (!telling.is_empty()).then(|| format!(" or {} with [{}]", other.name, telling.join(", ")))
            });
            methods.push(ResultView {
                method: literal(&method.method),
                variant: variant.name.clone(),
                or: or.collect(),
                condition: condition.unwrap_or_default(),
            });
        }
        let task = self.revision.deferred.as_ref().and_then(|deferred| {
            let path: Vec<String> = deferred.key.iter().map(|key| literal(key)).collect();
            Some((variant_of(&deferred.result)?.name.clone(), path.join(", ")))
        });
        Some(ResultsView { name: name.to_owned(), error_needs_id: self.error_needs_id(), methods, tag, task })
    }

    fn result_union(&self, role: Role) -> Option<(&str, &Union)> {
        let definition = Part::answers_of(role).name();
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
        let special = special.map(|(_, value, variant)| format!("{value} => {variant}"));
        let values: Vec<String> = std::iter::once(usual.clone()).chain(special).collect();
        let tag = ResultTag { tag: literal(&wire), values: values.join(", ") };
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
        let is_error = |definition: &String| Part::of(definition) == Some(Part::ErrorResponse);
        self.revision.types.values().find_map(|ty| match &ty.shape {
            Shape::Struct(object) if ty.definition.as_ref().is_some_and(is_error) => Some(object),
            _ => None,
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
        fits.then(|| in_scope(name))
    }

    fn side(&self, role: Role) -> SideView {
        let sender = if role == Role::Server { Role::Client } else { Role::Server };
        let names = names::side(role);
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
        let result = self.result_union(sender).map_or("Json".to_owned(), |(name, _)| in_scope(name));
        let [request, notification] =
            [MethodKind::Request, MethodKind::Notification].map(|kind| names::body(kind, sender));
        let batch = match self.revision.has_batches {
            true => format!("mcp_wire_core::Batch<{request}, {notification}, {result}>"),
            false => "mcp_wire_core::NoBatch".to_owned(),
        };
        SideView {
            party: if role == Role::Server { "Server" } else { "Client" },
            side: names.side,
            handler: names.handler,
            local_handler: names.local_handler,
            dyn_handler: names.dyn_handler,
            message: names.message,
            peer: names.peer,
            request,
            notification,
            batch,
            ask: names::body(MethodKind::Request, role),
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
            doc: Doc(doc),
            variant: variant.to_owned(),
            method: literal(&method.method),
            params: self.params(method),
            result: self.result(method),
            default,
        }
    }

    /// Requests that stand inside results, and what answers them.
    fn input(&self) -> Option<InputView> {
        let of =
            |definition: &str| self.revision.types.iter().find(|(_, ty)| ty.definition.as_deref() == Some(definition));
        let methods = self.methods(MethodKind::Embedded, Role::Server);
        let (union, request) = of(Part::Sent(MethodKind::Embedded, Role::Server).name())?;
        let (response, answer) = of(Part::Answers(MethodKind::Embedded, Role::Server).name())?;
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
        let map_of = |values: &str| {
            let is_map = |ty: &TypeRef| matches!(ty, TypeRef::Map { values: inner } if matches!(&**inner, TypeRef::Named(known) if known == values));
            let found =
                self.revision.types.iter().find(|(_, ty)| matches!(&ty.shape, Shape::Alias(map) if is_map(map)));
            found.map(|(name, _)| name.clone())
        };
        Some(InputView {
            handler: names::embedded_handler(),
            union: union.clone(),
            response: response.clone(),
            maps: map_of(union).zip(map_of(response)),
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

/// A type of the crate, in a file that imports all of them. The names of some are taken there.
fn in_scope(name: &str) -> String {
    const TAKEN: &[&str] = &["Error", "Notification", "Request", "Response", "Result"];
    if TAKEN.contains(&name) { format!("crate::{name}") } else { name.to_owned() }
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
