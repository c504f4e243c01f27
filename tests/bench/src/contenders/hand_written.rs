//! The limit: a struct per message, with serde_json and its `Value` for open JSON. It refuses every other message.

use std::cell::Cell;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::Work;
use super::structs::{
    Bare, Blob, Call, CallMeta, Called, Contents, Elicitation, Failure, Notification, OpenRequest, OpenResponse,
    OpenText, Progress, Request, Resources, Response, Structured, Text, Tools,
};
use crate::{Order, Subject};

type Object = Map<String, Value>;

/// What the limit does with a message.
pub fn work(subject: Subject, order: Order) -> Option<Work> {
    let text = subject.text(order);
    match subject {
        Subject::Ping => of::<Bare>(text),
        Subject::Call => of::<Request<Call<Object>>>(text),
        Subject::CallMeta => of::<Request<CallMeta<Object>>>(text),
        Subject::CallVendor => of::<OpenRequest<Call<Object>>>(text),
        Subject::Progress => of::<Notification<Progress>>(text),
        Subject::Form => of::<Request<Elicitation>>(text),
        Subject::Small | Subject::Source | Subject::Text => of::<Response<Called>>(text),
        Subject::SmallVendor => of::<OpenResponse<Called>>(text),
        Subject::Error => of::<Failure<Value>>(text),
        Subject::List => of::<Response<Tools<Object>>>(text),
        Subject::Resources => of::<Response<Resources>>(text),
        Subject::Unknown => of::<Response<Called<OpenText>>>(text),
        Subject::Structured | Subject::Huge => of::<Response<Structured<Object>>>(text),
        Subject::Chinese => super::work(
            text,
            |text| serde_json::from_slice::<Response<Called>>(text.as_bytes()),
            |_| true,
            |message| serde_json::to_string(message).unwrap_or_default(),
        ),
        Subject::Blob => of::<Response<Contents>>(text),
        Subject::Unasked => of::<Response<Value>>(text),
        Subject::Batch => of::<Vec<Request<Call<Object>>>>(text),
        Subject::ProxyCall | Subject::ProxyList => None,
        Subject::Exchange => {
            let next = Cell::new(1);
            super::exchange(move || ask(&next))
        }
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
    _meta: Option<Object>,
    name: String,
    arguments: Object,
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
            respond(envelope.id, Tools::<Object> { tools: Vec::new(), next_cursor: params.cursor })
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

/// One question of a hand-written client, which has a single request in flight and so needs no table of them.
fn ask(next: &Cell<u64>) -> Option<String> {
    let id = next.replace(next.get() + 1);
    let arguments = json!({
        "query": "is:open label:bug parser",
        "repository": "example/project",
        "limit": 50,
        "include_closed": false,
        "labels": ["bug", "parser", "help wanted"],
        "sort": { "by": "updated", "order": "desc" },
    });
    let params = Call { name: "search_issues".to_owned(), arguments };
    let request = Request { jsonrpc: "2.0".to_owned(), id, method: "tools/call".to_owned(), params };
    let question = serde_json::to_string(&request).ok()?;
    let answer = answer(&question)?;
    let response: Response<Called> = serde_json::from_str(&answer).ok().filter(|it: &Response<Called>| it.id == id)?;
    response.result.content.into_iter().next().map(|block| block.text)
}
