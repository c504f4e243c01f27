//! The table of methods: the model of a revision in, one row per method out.

use serde::Serialize;

use crate::model::{MethodKind, Revision, Role, TypeRef};

/// One method of one revision. As JSON, this is what `cargo xtask methods --format json` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The revision.
    pub revision: String,
    /// The method.
    pub method: String,
    /// What its messages are.
    pub kind: MethodKind,
    /// Who may send it.
    pub senders: Vec<Role>,
    /// The type of its params.
    pub params: Option<String>,
    /// Whether a message without params is invalid.
    pub params_required: bool,
    /// What answers it.
    pub result: Answer,
    /// What must have been declared.
    pub capability: Capability,
    /// Whether new code should do without it.
    pub deprecated: bool,
}

/// The types that answer a method.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// None: it is a notification.
    None,
    /// One type.
    One(String),
    /// One of several types, the usual one first.
    Several(Vec<String>),
}

/// Capabilities, as paths with dots.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Capability {
    /// What the client must have declared.
    pub client: Option<String>,
    /// What the server must have declared.
    pub server: Option<String>,
}

impl Answer {
    /// The types.
    pub fn names(&self) -> &[String] {
        match self {
            Self::None => &[],
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

/// The methods of a revision, sorted by name.
pub fn rows(revision: &Revision) -> Vec<Row> {
    let row = |method: &crate::model::Method| {
        let mut results: Vec<String> = method.result.iter().chain(&method.also).cloned().collect();
        Row {
            revision: revision.name.clone(),
            method: method.method.clone(),
            kind: method.kind,
            senders: method.senders.clone(),
            params: params_name(method.params.as_ref()),
            params_required: method.params_required,
            result: match results.len() {
                0 => Answer::None,
                1 => results.pop().map_or(Answer::None, Answer::One),
                _ => Answer::Several(results),
            },
            capability: Capability {
                client: method.client_capability.clone(),
                server: method.server_capability.clone(),
            },
            deprecated: method.deprecated,
        }
    };
    revision.methods.iter().map(row).collect()
}

/// The name of a method's params, for tables.
pub(crate) fn params_name(params: Option<&TypeRef>) -> Option<String> {
    params.map(|params| match params {
        TypeRef::Named(name) => name.clone(),
        _ => "object".to_owned(),
    })
}
