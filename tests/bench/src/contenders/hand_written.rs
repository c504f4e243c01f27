//! The limit: for each message a struct with its members and nothing else, as one would write it who knows beforehand
//! what comes. It keeps no unknown member, and refuses every other message.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::Work;
use crate::{Order, Subject};

#[derive(Serialize, Deserialize)]
struct Request<P> {
    jsonrpc: String,
    id: u64,
    method: String,
    params: P,
}

#[derive(Serialize, Deserialize)]
struct Bare {
    jsonrpc: String,
    id: u64,
    method: String,
}

#[derive(Serialize, Deserialize)]
struct Notification<P> {
    jsonrpc: String,
    method: String,
    params: P,
}

#[derive(Serialize, Deserialize)]
struct Response<R> {
    jsonrpc: String,
    id: u64,
    result: R,
}

#[derive(Serialize, Deserialize)]
struct Call {
    name: String,
    arguments: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct CallMeta {
    _meta: Map<String, Value>,
    name: String,
    arguments: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Progress {
    progress_token: String,
    progress: f64,
    total: f64,
    message: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tools {
    tools: Vec<Tool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tool {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    input_schema: InputSchema,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Annotations>,
}

#[derive(Serialize, Deserialize)]
struct InputSchema {
    r#type: String,
    properties: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<Vec<String>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Annotations {
    #[serde(skip_serializing_if = "Option::is_none")]
    read_only_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_world_hint: Option<bool>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Called {
    content: Vec<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_error: Option<bool>,
}

#[derive(Serialize, Deserialize)]
struct Text {
    r#type: String,
    text: String,
}

#[derive(Serialize, Deserialize)]
struct Contents {
    contents: Vec<Blob>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Blob {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    blob: String,
}

/// What the limit does with a message.
pub fn work(subject: Subject, order: Order) -> Option<Work> {
    let text = subject.text(order);
    match subject {
        Subject::Ping => of::<Bare>(text),
        Subject::Call => of::<Request<Call>>(text),
        Subject::CallMeta => of::<Request<CallMeta>>(text),
        Subject::Progress => of::<Notification<Progress>>(text),
        Subject::List => of::<Response<Tools>>(text),
        Subject::Text => of::<Response<Called>>(text),
        Subject::Blob => of::<Response<Contents>>(text),
        Subject::Session => Some(super::session(text, answer)),
    }
}

fn of<M: Serialize + DeserializeOwned + 'static>(text: String) -> Option<Work> {
    super::work(
        text,
        |text| serde_json::from_str::<M>(text),
        |_| true,
        |message| serde_json::to_string(message).unwrap_or_default(),
    )
}

#[derive(Deserialize)]
struct Envelope<'a> {
    id: Option<u64>,
    method: &'a str,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct List {
    cursor: Option<String>,
}

#[derive(Deserialize)]
struct Read {
    uri: String,
}

#[derive(Deserialize)]
struct AnyCall {
    _meta: Option<Map<String, Value>>,
    name: String,
    arguments: Map<String, Value>,
}

#[derive(Serialize)]
struct Nothing {}

/// The loop of a hand-written server: the envelope is borrowed, params are read as the method asks.
fn answer(line: &str) -> Option<String> {
    let envelope: Envelope<'_> = serde_json::from_str(line).ok()?;
    let params = envelope.params.map_or("{}", RawValue::get);
    match envelope.method {
        "ping" => respond(envelope.id, Nothing {}),
        "tools/list" => {
            let params: List = serde_json::from_str(params).ok()?;
            respond(envelope.id, Tools { tools: Vec::new(), next_cursor: params.cursor })
        }
        "resources/read" => {
            let params: Read = serde_json::from_str(params).ok()?;
            respond(
                envelope.id,
                Contents { contents: vec![Blob { uri: params.uri, mime_type: None, blob: String::new() }] },
            )
        }
        "tools/call" => {
            let params: AnyCall = serde_json::from_str(params).ok()?;
            let _ = (params._meta, params.arguments);
            let content = vec![Text { r#type: "text".to_owned(), text: params.name }];
            respond(envelope.id, Called { content, is_error: None })
        }
        "notifications/progress" => {
            let _: Progress = serde_json::from_str(params).ok()?;
            None
        }
        _ => None,
    }
}

fn respond<R: Serialize>(id: Option<u64>, result: R) -> Option<String> {
    serde_json::to_string(&Response { jsonrpc: "2.0".to_owned(), id: id?, result }).ok()
}
