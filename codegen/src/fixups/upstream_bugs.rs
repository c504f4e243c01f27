//! The schema is wrong: it refuses what the protocol allows, or says it unreadably.
//!
//! The schemas are made from TypeScript by a tool that turns `number` into `integer` in unions, forgets `null`, and
//! drops separators in doc comments. References are to commits and files of
//! <https://github.com/modelcontextprotocol/modelcontextprotocol>.

use serde_json::{Map, Value, json};

use super::{property, reference, replace};

// Form fields may be any number: `schema.ts` says `string | number | boolean | string[]`.
// Ref: schema.ts, ElicitResult.content. Not fixed upstream.
pub(super) fn elicit_content_numbers(definitions: &mut Map<String, Value>, _: &str) -> usize {
    let Some(values) =
        property(definitions, "ElicitResult", "content").and_then(|content| content.get_mut("additionalProperties"))
    else {
        return 0;
    };
    let (wrong, right) = (json!(["string", "integer", "boolean"]), json!(["string", "number", "boolean"]));
    match values.get_mut("anyOf").and_then(Value::as_array_mut) {
        Some(branches) => {
            branches.iter_mut().map(|branch| replace(branch.get_mut("type"), &wrong, right.clone())).sum()
        }
        None => replace(values.get_mut("type"), &wrong, right),
    }
}

// The bounds and the default of a number field may be fractions.
// Ref: fixed upstream in 2ebb8060 (2025-06-18) and c4c367f9 (2025-11-25), after the release of both.
pub(super) fn number_schema_bounds(definitions: &mut Map<String, Value>, _: &str) -> usize {
    ["minimum", "maximum", "default"]
        .map(|member| {
            let place = property(definitions, "NumberSchema", member).and_then(|member| member.get_mut("type"));
            replace(place, &json!("integer"), json!("number"))
        })
        .iter()
        .sum()
}

// A task without expiry has `ttl: null`.
// Ref: fixed upstream in 357adac4, after the release.
pub(super) fn task_ttl_nullable(definitions: &mut Map<String, Value>, _: &str) -> usize {
    let place = property(definitions, "Task", "ttl").and_then(|member| member.get_mut("type"));
    replace(place, &json!("integer"), json!(["integer", "null"]))
}

// A request that asks for a task is answered with `CreateTaskResult`, which no result union lists.
// Ref: schema/2025-11-25/schema.ts, ServerResult and ClientResult. Not fixed upstream.
pub(super) fn create_task_result_answers(definitions: &mut Map<String, Value>, keyword: &str) -> usize {
    // Without the definition there is nothing that the unions could lack.
    if !definitions.contains_key("CreateTaskResult") {
        return 0;
    }
    let create_task_result = reference(keyword, "CreateTaskResult");
    let mut changes = 0;
    for union in ["ServerResult", "ClientResult"] {
        let branches =
            definitions.get_mut(union).and_then(|union| union.get_mut("anyOf")).and_then(Value::as_array_mut);
        if let Some(branches) = branches
            && !branches.contains(&create_task_result)
        {
            branches.push(create_task_result.clone());
            changes += 1;
        }
    }
    changes
}

// Any JSON value is one, `null` and fractions included.
// Ref: schema.ts, JSONValue. Not fixed upstream.
pub(super) fn json_value_null_and_numbers(definitions: &mut Map<String, Value>, _: &str) -> usize {
    let branches =
        definitions.get_mut("JSONValue").and_then(|value| value.get_mut("anyOf")).and_then(Value::as_array_mut);
    let (wrong, right) = (json!(["string", "integer", "boolean"]), json!(["string", "number", "boolean", "null"]));
    let change = |branch: &mut Value| replace(branch.get_mut("type"), &wrong, right.clone());
    branches.map_or(0, |branches| branches.iter_mut().map(change).sum())
}

// `{@link CallToolRequest | tools/call}` became `{@link CallToolRequesttools/call}`: the separator is lost, and with it
// the target. The longest definition name that the text starts with is the target.
// Ref: schema.ts, all over. Not fixed upstream.
pub(super) fn doc_link_separators(definitions: &mut Map<String, Value>, _: &str) -> usize {
    let mut names: Vec<String> = definitions.keys().cloned().collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    definitions.values_mut().map(|definition| separate_links(definition, &names)).sum()
}

fn separate_links(schema: &mut Value, names: &[String]) -> usize {
    match schema {
        Value::Object(members) => members
            .iter_mut()
            .map(|(member, value)| match value {
                Value::String(text) if member == "description" => separate_links_in(text, names),
                value => separate_links(value, names),
            })
            .sum(),
        Value::Array(items) => items.iter_mut().map(|item| separate_links(item, names)).sum(),
        _ => 0,
    }
}

fn separate_links_in(text: &mut String, names: &[String]) -> usize {
    const OPEN: &str = "{@link ";
    let mut changes = 0;
    let mut result = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once(OPEN) {
        result.push_str(before);
        result.push_str(OPEN);
        rest = after;
        let Some((link, _)) = after.split_once('}') else { break };
        let exact = names.iter().any(|name| name == link);
        // A label that begins with a dot is a path to a member, not a lost separator.
        let target = names.iter().find(|name| {
            link.strip_prefix(name.as_str())
                .is_some_and(|label| !label.is_empty() && !label.starts_with([' ', '|', '.']))
        });
        if let Some(target) = target.filter(|_| !exact) {
            result.push_str(target);
            result.push_str(" | ");
            rest = after.strip_prefix(target.as_str()).unwrap_or(after);
            changes += 1;
        }
    }
    result.push_str(rest);
    *text = result;
    changes
}
