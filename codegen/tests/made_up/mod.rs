//! A revision that does not exist, for tests of what becomes of a new one.

#![allow(clippy::expect_used)]

use serde_json::{Value, json};

/// What it is called: later than any that there is.
pub(crate) const FUTURE: &str = "2099-02-14";

/// The revision after the newest one, whose schema is given: a method, a type, a member and a value more, a method less.
pub(crate) fn future(mut schema: Value) -> Value {
    let definitions = schema["$defs"].as_object_mut().expect("definitions");
    definitions["Tool"]["properties"]["category"] = json!({ "type": "string", "description": "What the tool is for." });
    definitions["LoggingLevel"]["enum"].as_array_mut().expect("values").push(json!("trace"));
    definitions.insert(
        "Rating".to_owned(),
        json!({
            "type": "object", "description": "How good it is.",
            "properties": { "stars": { "type": "integer", "minimum": 1, "maximum": 5 } }, "required": ["stars"],
        }),
    );
    definitions.insert(
        "RateToolRequest".to_owned(),
        json!({
            "type": "object", "description": "Sent from the client to rate a tool.",
            "properties": {
                "jsonrpc": { "const": "2.0", "type": "string" },
                "id": { "$ref": "#/$defs/RequestId" },
                "method": { "const": "tools/rate", "type": "string" },
                "params": { "$ref": "#/$defs/RateToolRequestParams" },
            },
            "required": ["id", "jsonrpc", "method", "params"],
        }),
    );
    definitions.insert("RateToolRequestParams".to_owned(), json!({
        "type": "object",
        "properties": { "_meta": { "$ref": "#/$defs/RequestMetaObject" }, "name": { "type": "string" }, "rating": { "$ref": "#/$defs/Rating" } },
        "required": ["_meta", "name", "rating"],
    }));
    definitions.insert("RateToolResult".to_owned(), json!({
        "type": "object",
        "properties": { "_meta": { "$ref": "#/$defs/ResultMetaObject" }, "resultType": { "type": "string" }, "average": { "type": "number" } },
        "required": ["average", "resultType"],
    }));
    let requests = definitions["ClientRequest"]["anyOf"].as_array_mut().expect("requests");
    requests.retain(|request| request["$ref"] != "#/$defs/CompleteRequest");
    requests.push(json!({ "$ref": "#/$defs/RateToolRequest" }));
    for name in ["CompleteRequest", "CompleteRequestParams", "CompleteResultResponse"] {
        definitions.shift_remove(name);
    }
    schema
}
