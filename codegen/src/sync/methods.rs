//! What a schema suggests about a method that no fact speaks of yet.

use serde_json::Value;

use crate::facts::Facts;
use crate::load::Schema;

/// A suggestion, by naming convention.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Suggestion {
    pub(super) result: Option<String>,
    pub(super) also: Vec<String>,
    pub(super) server_capability: Option<String>,
    pub(super) client_capability: Option<String>,
}

/// What answers the method and guards it, as its neighbours and the names of definitions suggest.
pub(super) fn suggest(schema: &Schema, method: &str, known: &Facts) -> Suggestion {
    let message = schema.definitions().iter().find(|(_, definition)| {
        let constant = definition.pointer("/properties/method/const").and_then(Value::as_str);
        constant == Some(method)
    });
    let mut suggestion = Suggestion::default();
    if let Some(base) = message.and_then(|(name, _)| name.strip_suffix("Request")) {
        let defined = |name: &str| schema.definitions().contains_key(name);
        let mut answers = answers(schema, &format!("{base}ResultResponse"));
        // The result that is called like the request is the usual one, whatever stands first.
        let usual = format!("{base}Result");
        if let Some(place) = answers.iter().position(|name| *name == usual) {
            answers.swap(0, place);
        } else if answers.is_empty() {
            answers.extend([usual, "EmptyResult".to_owned()].into_iter().filter(|name| defined(name)).take(1));
        }
        let mut answers = answers.into_iter();
        suggestion.result = answers.next();
        suggestion.also = answers.collect();
    }
    // Methods of one area are guarded by one capability, as a rule.
    let area = area(method);
    let neighbour = known.method.iter().find(|fact| self::area(&fact.method) == area);
    let has = |holder: &str, path: &str| {
        let steps = path.split('.').map(|step| format!("/properties/{step}")).collect::<String>();
        schema.definitions().get(holder).is_some_and(|definition| definition.pointer(&steps).is_some())
    };
    let outer = |path: &Option<String>| path.as_ref().and_then(|path| path.split('.').next()).map(str::to_owned);
    let (server, client) = match neighbour {
        Some(fact) => (outer(&fact.server_capability), outer(&fact.client_capability)),
        None => (Some(area.to_owned()), Some(area.to_owned())),
    };
    suggestion.server_capability = server.filter(|path| has("ServerCapabilities", path));
    suggestion.client_capability = client.filter(|path| has("ClientCapabilities", path));
    suggestion
}

fn area(method: &str) -> &str {
    let inner = method.strip_prefix("notifications/").unwrap_or(method);
    inner.split('/').next().unwrap_or(inner)
}

/// The definitions that the result of a response refers to.
fn answers(schema: &Schema, response: &str) -> Vec<String> {
    let result = schema.definitions().get(response).and_then(|definition| definition.pointer("/properties/result"));
    let Some(result) = result else { return Vec::new() };
    let branches = result.get("anyOf").and_then(Value::as_array);
    let all = branches.map_or_else(|| vec![result], |branches| branches.iter().collect());
    let target = |branch: &&Value| Some(branch.get("$ref")?.as_str()?.rsplit('/').next()?.to_owned());
    all.iter().filter_map(target).collect()
}
