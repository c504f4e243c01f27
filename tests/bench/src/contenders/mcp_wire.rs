//! mcp-wire: `ClientMessage` and `ServerMessage`, `Peek` for a proxy, and `Connection` where messages are answered.

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context as Task, Poll, Waker};

use mcp_wire_2025_03_26::ClientMessage as BatchedMessage;
use mcp_wire_2025_11_25::{
    BlobResourceContents, CallToolAnswer, CallToolRequestParams, CallToolResult, ClientMessage, ClientRequest,
    ClientSide, Connection, ContentBlock, Context, Handled, ListToolsResult, PaginatedRequestParams, Peek, Pending,
    ReadResourceRequestParams, ReadResourceResult, ServerHandler, ServerMessage, ServerResult, ServerSide, TextContent,
    json_object,
};

use mcp_wire_core::{Message, Outcome};

use super::Work;
use crate::{BATCH, Order, Subject};

/// What mcp-wire does with a message.
pub fn work(subject: Subject, order: Order) -> Option<Work> {
    let text = subject.text(order);
    match subject {
        Subject::Session => {
            let connection = Connection::<ServerSide>::new(|_| {});
            Some(super::session(text, move |line| answer(&connection, line)))
        }
        Subject::Exchange => {
            let (client, server) = (Connection::new(|_| {}), Connection::new(|_| {}));
            super::exchange(move || ask(&client, &server))
        }
        Subject::ProxyCall | Subject::ProxyList => super::proxy(text, pass_on),
        Subject::Batch => super::work(
            text,
            |text| BatchedMessage::from_str(text, &()),
            |message| message.check().is_empty() && matches!(message, BatchedMessage::Batch(all) if all.len() == BATCH),
            BatchedMessage::to_text,
        ),
        Subject::Unasked => {
            let nothing = Pending::new();
            super::work(
                text,
                move |text| ServerMessage::from_str(text, &nothing),
                |message| message.variant_name() == ("Response", "Raw"),
                ServerMessage::to_text,
            )
        }
        _ if subject.is_for_client() => {
            let mut pending = Pending::new();
            pending.sent.insert(7, subject.method(), ()).ok()?;
            let meant = move |message: &ServerMessage| {
                let kind = match subject {
                    Subject::Form => ("Request", "Elicit"),
                    Subject::Error => ("Response", "Error"),
                    Subject::List => ("Response", "ListTools"),
                    Subject::Resources => ("Response", "ListResources"),
                    Subject::Blob => ("Response", "ReadResource"),
                    _ => ("Response", "CallTool"),
                };
                message.check().is_empty() && message.variant_name() == kind
            };
            match subject {
                Subject::Chinese => super::work(
                    text,
                    move |text| ServerMessage::from_slice(text.as_bytes(), &pending),
                    meant,
                    ServerMessage::to_text,
                ),
                _ => super::work(
                    text,
                    move |text| ServerMessage::from_str(text, &pending),
                    meant,
                    ServerMessage::to_text,
                ),
            }
        }
        _ => super::work(
            text,
            |text| ClientMessage::from_str(text, &()),
            |message| message.check().is_empty() && message.variant_name().1 != "Other",
            ClientMessage::to_text,
        ),
    }
}

/// A proxy looks at method and name, and copies the text to where it goes.
fn pass_on(text: &str) -> Option<String> {
    let message = Peek::of(text).ok()?;
    black_box((&message.method, &message.name));
    Some(message.text.to_owned())
}

/// Nothing here waits for anything.
fn now<T>(future: impl Future<Output = Option<T>>) -> Option<T> {
    match pin!(future).poll(&mut Task::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => None,
    }
}

fn answer(connection: &Connection<ServerSide>, line: &str) -> Option<String> {
    now(connection.dispatch(&Idle, line.as_bytes()))
}

fn ask(client: &Connection<ClientSide>, server: &Connection<ServerSide>) -> Option<String> {
    let params = CallToolRequestParams::new("search_issues").with_arguments(json_object! {
        "query": "is:open label:bug parser",
        "repository": "example/project",
        "limit": 50,
        "include_closed": false,
        "labels": ["bug", "parser", "help wanted"],
        "sort": { "by": "updated", "order": "desc" },
    });
    let (id, question) = client.ask(ClientRequest::CallTool(Box::new(params))).ok()?;
    let answer = answer(server, &question)?;
    let Ok(Message::Response(response)) = client.read(answer.as_bytes()) else { return None };
    client.settle(&response)?;
    let (true, Outcome::Result(ServerResult::CallTool(result))) = (response.id.as_ref() == Some(&id), response.outcome)
    else {
        return None;
    };
    match result.content.into_iter().next()? {
        ContentBlock::Text(block) => Some(block.text),
        _ => None,
    }
}

/// Answers with as little as there can be.
struct Idle;

impl ServerHandler for Idle {
    async fn call_tool(&self, params: CallToolRequestParams, _: &Context) -> Handled<CallToolAnswer> {
        Ok(CallToolResult::new(vec![TextContent::new(params.name).into()]).into())
    }

    async fn list_tools(&self, params: Option<PaginatedRequestParams>, _: &Context) -> Handled<ListToolsResult> {
        let mut result = ListToolsResult::new(Vec::new());
        result.next_cursor = params.and_then(|params| params.cursor);
        Ok(result)
    }

    async fn read_resource(&self, params: ReadResourceRequestParams, _: &Context) -> Handled<ReadResourceResult> {
        Ok(ReadResourceResult::new(vec![BlobResourceContents::new(params.uri, "").into()]))
    }
}
