//! No types at all: `serde_json::Value`.

use serde_json::{Value, json};

use super::Work;
use crate::{Order, Subject};

/// What `Value` does with a message.
pub fn work(subject: Subject, order: Order) -> Option<Work> {
    let text = subject.text(order);
    match subject {
        Subject::Session => Some(super::session(text, answer)),
        Subject::ProxyCall | Subject::ProxyList => None,
        Subject::Exchange => super::exchange(ask),
        Subject::Chinese => super::work(
            text,
            |text| serde_json::from_slice::<Value>(text.as_bytes()),
            Value::is_object,
            Value::to_string,
        ),
        Subject::Batch => {
            super::work(text, |text| serde_json::from_str::<Value>(text), Value::is_array, Value::to_string)
        }
        _ => super::work(text, |text| serde_json::from_str::<Value>(text), Value::is_object, Value::to_string),
    }
}

fn answer(line: &str) -> Option<String> {
    let mut message: Value = serde_json::from_str(line).ok()?;
    let id = message.get_mut("id").map(Value::take);
    let params = message.get_mut("params").map(Value::take).unwrap_or_default();
    let result = match message.get("method")?.as_str()? {
        "ping" => json!({}),
        "tools/list" => json!({ "tools": [], "nextCursor": params.get("cursor")? }),
        "resources/read" => json!({ "contents": [{ "uri": params.get("uri")?, "blob": "" }] }),
        "tools/call" => json!({ "content": [{ "type": "text", "text": params.get("name")? }] }),
        _ => return None,
    };
    Some(json!({ "jsonrpc": "2.0", "id": id?, "result": result }).to_string())
}

fn ask() -> Option<String> {
    let question = json!({
        "jsonrpc": "2.0",
        "id": 7,
        "method": "tools/call",
        "params": {
            "name": "search_issues",
            "arguments": {
                "query": "is:open label:bug parser",
                "repository": "example/project",
                "limit": 50,
                "include_closed": false,
                "labels": ["bug", "parser", "help wanted"],
                "sort": { "by": "updated", "order": "desc" },
            },
        },
    });
    let answer = answer(&question.to_string())?;
    let response: Value = serde_json::from_str(&answer).ok()?;
    (response.get("id")? == 7).then_some(())?;
    response.pointer("/result/content/0/text")?.as_str().map(str::to_owned)
}
