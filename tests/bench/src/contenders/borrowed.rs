//! An outer limit: the hand-written structs again, but borrowing from the text. Strings are copied where they have
//! escapes only, and open JSON stays the text it is. Nobody could hand such a message on without its text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hint::black_box;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::Work;
use crate::{Order, Subject};

/// What borrowed structs do with a message. A session is answered from a borrowed envelope by the owned ones already.
pub fn work(subject: Subject, order: Order) -> Option<Work> {
    let text = subject.text(order);
    match subject {
        Subject::Ping => of::<Bare<'_>>(text),
        Subject::Call => of::<Request<'_, Call<'_>>>(text),
        Subject::CallMeta => of::<Request<'_, CallMeta<'_>>>(text),
        Subject::CallVendor => of::<OpenRequest<'_, Call<'_>>>(text),
        Subject::Progress => of::<Notification<'_>>(text),
        Subject::Form => of::<Request<'_, Elicitation<'_>>>(text),
        Subject::Small | Subject::Source | Subject::Text => of::<Response<'_, Called<'_>>>(text),
        Subject::SmallVendor => of::<OpenResponse<'_, Called<'_>>>(text),
        Subject::Error => of::<Failure<'_>>(text),
        Subject::List => of::<Response<'_, Tools<'_>>>(text),
        Subject::Resources => of::<Response<'_, Resources<'_>>>(text),
        Subject::Unknown => of::<Response<'_, OpenCalled<'_>>>(text),
        Subject::Structured | Subject::Huge => of::<Response<'_, Structured<'_>>>(text),
        Subject::Chinese => with::<Response<'_, Called<'_>>, _>(text, |text| serde_json::from_slice(text.as_bytes())),
        Subject::Blob => of::<Response<'_, Contents<'_>>>(text),
        Subject::Unasked => of::<Response<'_, &RawValue>>(text),
        Subject::Batch => of::<Vec<Request<'_, Call<'_>>>>(text),
        Subject::ProxyCall | Subject::ProxyList | Subject::Exchange | Subject::Session => None,
    }
}

fn of<M: Serialize + Deserialize<'static> + 'static>(text: String) -> Option<Work> {
    with::<M, _>(text, |text| serde_json::from_str(text))
}

fn with<M: Serialize + 'static, E>(
    text: String,
    read: impl Fn(&'static str) -> Result<M, E> + Copy + 'static,
) -> Option<Work> {
    // What borrows for as long as the process lives can be kept. A process has few messages.
    let text: &'static str = text.leak();
    let write = |message: &M| serde_json::to_string(message).unwrap_or_default();
    let message = read(text).ok()?;
    let written = write(&message);
    let parse = move |times| {
        for _ in 0..times {
            black_box(&read(black_box(text)));
        }
    };
    let pass_on = move |times| {
        for _ in 0..times {
            black_box(&read(black_box(text)).map(|message| write(black_box(&message))).ok());
        }
    };
    let write = move |times| {
        for _ in 0..times {
            black_box(&write(black_box(&message)));
        }
    };
    Some(Work { parse: Box::new(parse), write: Some(Box::new(write)), pass_on: Some(Box::new(pass_on)), written })
}

/// A string that is borrowed if it can be: an optional `Cow` alone would always be copied.
#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(transparent)]
struct Str<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Serialize, Deserialize)]
struct Bare<'a> {
    jsonrpc: &'a str,
    id: u64,
    method: &'a str,
}

#[derive(Serialize, Deserialize)]
struct Request<'a, P> {
    jsonrpc: &'a str,
    id: u64,
    method: &'a str,
    params: P,
}

#[derive(Serialize, Deserialize)]
struct OpenRequest<'a, P> {
    jsonrpc: &'a str,
    id: u64,
    method: &'a str,
    params: P,
    #[serde(flatten, borrow)]
    extra: BTreeMap<Str<'a>, Value>,
}

#[derive(Serialize, Deserialize)]
struct Notification<'a> {
    jsonrpc: &'a str,
    method: &'a str,
    #[serde(borrow)]
    params: Progress<'a>,
}

#[derive(Serialize, Deserialize)]
struct Response<'a, R> {
    jsonrpc: &'a str,
    id: u64,
    result: R,
}

#[derive(Serialize, Deserialize)]
struct OpenResponse<'a, R> {
    jsonrpc: &'a str,
    id: u64,
    result: R,
    #[serde(flatten, borrow)]
    extra: BTreeMap<Str<'a>, Value>,
}

#[derive(Serialize, Deserialize)]
struct Failure<'a> {
    jsonrpc: &'a str,
    id: u64,
    #[serde(borrow)]
    error: ErrorObject<'a>,
}

#[derive(Serialize, Deserialize)]
struct ErrorObject<'a> {
    code: i64,
    #[serde(borrow)]
    message: Str<'a>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    data: Option<&'a RawValue>,
}

#[derive(Serialize, Deserialize)]
struct Call<'a> {
    #[serde(borrow)]
    name: Str<'a>,
    #[serde(borrow)]
    arguments: &'a RawValue,
}

#[derive(Serialize, Deserialize)]
struct CallMeta<'a> {
    #[serde(borrow)]
    _meta: &'a RawValue,
    #[serde(borrow)]
    name: Str<'a>,
    #[serde(borrow)]
    arguments: &'a RawValue,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Progress<'a> {
    #[serde(borrow)]
    progress_token: Str<'a>,
    progress: f64,
    total: f64,
    #[serde(borrow)]
    message: Str<'a>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Elicitation<'a> {
    #[serde(borrow)]
    mode: Str<'a>,
    #[serde(borrow)]
    message: Str<'a>,
    #[serde(borrow)]
    requested_schema: Form<'a>,
}

#[derive(Serialize, Deserialize)]
struct Form<'a> {
    #[serde(borrow)]
    r#type: Str<'a>,
    #[serde(borrow)]
    properties: BTreeMap<Str<'a>, Field<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    required: Option<Vec<Str<'a>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Field<'a> {
    #[serde(borrow)]
    r#type: Str<'a>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    title: Option<Str<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    description: Option<Str<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    format: Option<Str<'a>>,
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
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    r#enum: Option<Vec<Str<'a>>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    one_of: Option<Vec<Choice<'a>>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    items: Option<Items<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    default: Option<&'a RawValue>,
}

#[derive(Serialize, Deserialize)]
struct Choice<'a> {
    #[serde(borrow)]
    r#const: Str<'a>,
    #[serde(borrow)]
    title: Str<'a>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Items<'a> {
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    r#type: Option<Str<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    r#enum: Option<Vec<Str<'a>>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    any_of: Option<Vec<Choice<'a>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tools<'a> {
    #[serde(borrow)]
    tools: Vec<Tool<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    next_cursor: Option<Str<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tool<'a> {
    #[serde(borrow)]
    name: Str<'a>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    title: Option<Str<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    input_schema: InputSchema<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<ToolAnnotations>,
}

#[derive(Serialize, Deserialize)]
struct InputSchema<'a> {
    #[serde(borrow)]
    r#type: Str<'a>,
    #[serde(borrow)]
    properties: &'a RawValue,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    required: Option<Vec<Str<'a>>>,
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
struct Resources<'a> {
    #[serde(borrow)]
    resources: Vec<Resource<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    next_cursor: Option<Str<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Resource<'a> {
    #[serde(borrow)]
    uri: Str<'a>,
    #[serde(borrow)]
    name: Str<'a>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    title: Option<Str<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    description: Option<Str<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    mime_type: Option<Str<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    annotations: Option<Annotations<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Annotations<'a> {
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    audience: Option<Vec<Str<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<f64>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    last_modified: Option<Str<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Called<'a> {
    #[serde(borrow)]
    content: Vec<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_error: Option<bool>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenCalled<'a> {
    #[serde(borrow)]
    content: Vec<OpenText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_error: Option<bool>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Structured<'a> {
    #[serde(borrow)]
    content: Vec<Text<'a>>,
    #[serde(borrow)]
    structured_content: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_error: Option<bool>,
}

#[derive(Serialize, Deserialize)]
struct Text<'a> {
    #[serde(borrow)]
    r#type: Str<'a>,
    #[serde(borrow)]
    text: Str<'a>,
}

#[derive(Serialize, Deserialize)]
struct OpenText<'a> {
    #[serde(borrow)]
    r#type: Str<'a>,
    #[serde(borrow)]
    text: Str<'a>,
    #[serde(flatten, borrow)]
    extra: BTreeMap<Str<'a>, Value>,
}

#[derive(Serialize, Deserialize)]
struct Contents<'a> {
    #[serde(borrow)]
    contents: Vec<Blob<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Blob<'a> {
    #[serde(borrow)]
    uri: Str<'a>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    mime_type: Option<Str<'a>>,
    #[serde(borrow)]
    blob: Str<'a>,
}
