//! mcp-wire: `ClientMessage` and `ServerMessage`, and `Connection::dispatch` for a session.

use std::future::Future;
use std::pin::pin;
use std::task::{Context as Task, Poll, Waker};

use mcp_wire_2025_11_25::{
    BlobResourceContents, CallToolAnswer, CallToolRequestParams, CallToolResult, ClientMessage, Connection, Context,
    Handled, ListToolsResult, PaginatedRequestParams, Pending, ReadResourceRequestParams, ReadResourceResult,
    ServerHandler, ServerMessage, ServerSide, TextContent,
};

use super::Work;
use crate::{Order, Subject};

/// What mcp-wire does with a message.
pub fn work(subject: Subject, order: Order) -> Option<Work> {
    let text = subject.text(order);
    if subject == Subject::Session {
        let connection = Connection::<ServerSide>::new(|_| {});
        return Some(super::session(text, move |line| {
            let answer = pin!(connection.dispatch(&Idle, line.as_bytes()));
            match answer.poll(&mut Task::from_waker(Waker::noop())) {
                Poll::Ready(answer) => answer,
                Poll::Pending => None,
            }
        }));
    }
    if subject.is_result() {
        let mut pending = Pending::new();
        pending.sent.insert(7, subject.method(), ()).ok()?;
        return super::work(
            text,
            move |text| ServerMessage::from_str(text, &pending),
            |message| message.check().is_empty() && message.variant_name().1 != "Raw",
            ServerMessage::to_text,
        );
    }
    super::work(
        text,
        |text| ClientMessage::from_str(text, &()),
        |message| message.check().is_empty() && message.variant_name().1 != "Other",
        ClientMessage::to_text,
    )
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
