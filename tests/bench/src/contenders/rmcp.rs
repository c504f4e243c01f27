//! rmcp: `ClientJsonRpcMessage` and `ServerJsonRpcMessage`, as its transports read them.

use rmcp::model::{
    CallToolResult, ClientJsonRpcMessage, ClientNotification, ClientRequest, ContentBlock, EmptyResult,
    ListToolsResult, ReadResourceResult, ResourceContents, ServerJsonRpcMessage, ServerResult,
};

use super::Work;
use crate::{Order, Subject};

/// What rmcp does with a message.
pub fn work(subject: Subject, order: Order) -> Option<Work> {
    let text = subject.text(order);
    if subject == Subject::Session {
        return Some(super::session(text, answer));
    }
    if subject.is_result() {
        return super::work(
            text,
            |text| serde_json::from_str::<ServerJsonRpcMessage>(text),
            move |message| match message {
                ServerJsonRpcMessage::Response(response) => match subject {
                    Subject::List => matches!(response.result, ServerResult::ListToolsResult(_)),
                    Subject::Text => matches!(response.result, ServerResult::CallToolResult(_)),
                    _ => matches!(response.result, ServerResult::ReadResourceResult(_)),
                },
                _ => false,
            },
            |message| serde_json::to_string(message).unwrap_or_default(),
        );
    }
    super::work(
        text,
        |text| serde_json::from_str::<ClientJsonRpcMessage>(text),
        move |message| match message {
            ClientJsonRpcMessage::Request(request) => match subject {
                Subject::Ping => matches!(request.request, ClientRequest::PingRequest(_)),
                _ => matches!(request.request, ClientRequest::CallToolRequest(_)),
            },
            ClientJsonRpcMessage::Notification(notification) => {
                matches!(notification.notification, ClientNotification::ProgressNotification(_))
            }
            _ => false,
        },
        |message| serde_json::to_string(message).unwrap_or_default(),
    )
}

fn answer(line: &str) -> Option<String> {
    let ClientJsonRpcMessage::Request(request) = serde_json::from_str(line).ok()? else { return None };
    let result = match request.request {
        ClientRequest::PingRequest(_) => ServerResult::EmptyResult(EmptyResult {}),
        ClientRequest::ListToolsRequest(list) => {
            let mut result = ListToolsResult::with_all_items(Vec::new());
            result.next_cursor = list.params.and_then(|params| params.cursor);
            ServerResult::ListToolsResult(result)
        }
        ClientRequest::ReadResourceRequest(read) => {
            let contents = ResourceContents::blob("", read.params.uri);
            ServerResult::ReadResourceResult(ReadResourceResult::new(vec![contents]))
        }
        ClientRequest::CallToolRequest(call) => {
            let content = ContentBlock::text(call.params.name.to_string());
            ServerResult::CallToolResult(CallToolResult::success(vec![content]))
        }
        _ => return None,
    };
    serde_json::to_string(&ServerJsonRpcMessage::response(result, request.id)).ok()
}
