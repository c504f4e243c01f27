//! The structs of those who write them by hand: for each message one with its members and nothing else, as somebody
//! writes it who knows beforehand what comes.
//!
//! `J` is open JSON, which each parser has a type of its own for. Members that nobody knows are kept where the message
//! is about them, and only there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Serialize, Deserialize)]
pub(super) struct Request<P> {
    pub(super) jsonrpc: String,
    pub(super) id: u64,
    pub(super) method: String,
    pub(super) params: P,
}

/// With room for members that nobody knows.
#[derive(Serialize, Deserialize)]
pub(super) struct OpenRequest<P> {
    jsonrpc: String,
    id: u64,
    method: String,
    params: P,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Bare {
    jsonrpc: String,
    id: u64,
    method: String,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Notification<P> {
    jsonrpc: String,
    method: String,
    params: P,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Response<R> {
    pub(super) jsonrpc: String,
    pub(super) id: u64,
    pub(super) result: R,
}

/// With room for members that nobody knows.
#[derive(Serialize, Deserialize)]
pub(super) struct OpenResponse<R> {
    jsonrpc: String,
    id: u64,
    result: R,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Failure<J> {
    jsonrpc: String,
    id: u64,
    error: ErrorObject<J>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ErrorObject<J> {
    code: i64,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<J>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Call<J> {
    pub(super) name: String,
    pub(super) arguments: J,
}

#[derive(Serialize, Deserialize)]
pub(super) struct CallMeta<J> {
    _meta: J,
    name: String,
    arguments: J,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Progress {
    progress_token: String,
    progress: f64,
    total: f64,
    message: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Elicitation {
    mode: String,
    message: String,
    requested_schema: Form,
}

#[derive(Serialize, Deserialize)]
struct Form {
    r#type: String,
    properties: BTreeMap<String, Field>,
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<Vec<String>>,
}

/// A field of any kind. What it may start with is one of four types.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Field {
    r#type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#enum: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    one_of: Option<Vec<Choice>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Items>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<Value>,
}

#[derive(Serialize, Deserialize)]
struct Choice {
    r#const: String,
    title: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Items {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#enum: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    any_of: Option<Vec<Choice>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tools<J> {
    pub(super) tools: Vec<Tool<J>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next_cursor: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tool<J> {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    input_schema: InputSchema<J>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<ToolAnnotations>,
}

#[derive(Serialize, Deserialize)]
struct InputSchema<J> {
    r#type: String,
    properties: J,
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<Vec<String>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolAnnotations {
    #[serde(skip_serializing_if = "Option::is_none")]
    read_only_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_world_hint: Option<bool>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Resources {
    resources: Vec<Resource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Resource {
    uri: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Annotations>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Annotations {
    #[serde(skip_serializing_if = "Option::is_none")]
    audience: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_modified: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Called<B = Text> {
    pub(super) content: Vec<B>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) is_error: Option<bool>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Structured<J> {
    content: Vec<Text>,
    structured_content: J,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_error: Option<bool>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Text {
    pub(super) r#type: String,
    pub(super) text: String,
}

/// With room for members that nobody knows.
#[derive(Serialize, Deserialize)]
pub(super) struct OpenText {
    r#type: String,
    text: String,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Contents {
    pub(super) contents: Vec<Blob>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Blob {
    pub(super) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mime_type: Option<String>,
    pub(super) blob: String,
}
