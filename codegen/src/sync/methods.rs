//! What names in a schema suggest about a method.

use std::collections::{HashMap, HashSet};

use heck::ToLowerCamelCase;

use crate::definitions::Part;
use crate::load::Schema;
use crate::model::{MethodKind, Role};
use crate::stated;

/// A suggestion, by naming convention.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Suggestion {
    pub(super) result: Option<String>,
    pub(super) server_capability: Option<String>,
    pub(super) client_capability: Option<String>,
}

/// What is looked up by names, found once.
pub(super) struct Names<'a> {
    schema: &'a Schema,
    /// The messages by their methods.
    messages: HashMap<&'a str, &'a str>,
    /// The methods of each list of messages, and the side that serves them: the receiver of a request, the sender of a
    /// notification.
    served: Vec<(HashSet<&'a str>, Role)>,
}

impl<'a> Names<'a> {
    pub(super) fn new(schema: &'a Schema) -> Self {
        let messages = stated::messages(schema).map(|(name, method)| (method, name)).collect();
        let served = Part::lists().map(|(list, kind, role)| {
            let side = match (kind, role) {
                (MethodKind::Notification, role) => role,
                (_, Role::Client) => Role::Server,
                (_, Role::Server) => Role::Client,
            };
            (methods_of(schema, list), side)
        });
        Self { schema, messages, served: served.collect() }
    }

    /// The name of a request without `Request`, for a method that is one.
    pub(super) fn request(&self, method: &str) -> Option<&'a str> {
        self.messages.get(method)?.strip_suffix("Request")
    }

    /// What answers the method, where the schema does not say it, and what guards it.
    pub(super) fn suggest(&self, method: &str, is_answered: bool) -> Suggestion {
        let base = self.request(method).filter(|_| !is_answered);
        let wanted = base.map(|base| [format!("{base}Result"), Part::EmptyResult.name().to_owned()]);
        let result = wanted.into_iter().flatten().find(|name| self.schema.definitions().contains_key(name));
        let (server_capability, client_capability) = self.capabilities(method);
        Suggestion { result, server_capability, client_capability }
    }

    /// The capabilities of server and client whose names are that of the method: `tools` for `tools/call`, `tasks.list`
    /// for `tasks/list`.
    pub(super) fn capabilities(&self, method: &str) -> (Option<String>, Option<String>) {
        let serves = |side: Role| self.served.iter().any(|(methods, other)| *other == side && methods.contains(method));
        let holder = |side: Role| Part::Capabilities(side).name();
        let path = |side: Role| serves(side).then(|| path(self.schema, holder(side), method)).flatten();
        (path(Role::Server), path(Role::Client))
    }
}

/// The methods of a list of messages; a message that is alone may stand there itself.
fn methods_of<'a>(schema: &'a Schema, list: &str) -> HashSet<&'a str> {
    let method = |name: &str| schema.definitions().get(name)?.pointer("/properties/method/const")?.as_str();
    stated::listed(schema, list).into_iter().filter_map(method).chain(method(list)).collect()
}

fn path(schema: &Schema, holder: &str, method: &str) -> Option<String> {
    let mut steps = method.strip_prefix("notifications/").unwrap_or(method).split('/');
    let area = steps.next()?;
    let holder = schema.definitions().get(holder)?.get("properties")?;
    // The area of `completion/complete` is `completions`.
    let (name, capability) =
        [area.to_owned(), format!("{area}s")].into_iter().find_map(|name| Some((name.clone(), holder.get(&name)?)))?;
    let finer = steps.next_back().map(|step| step.to_lower_camel_case());
    let finer = finer.filter(|step| capability.get("properties").is_some_and(|members| members.get(step).is_some()));
    Some(finer.map_or(name.clone(), |step| format!("{name}.{step}")))
}
