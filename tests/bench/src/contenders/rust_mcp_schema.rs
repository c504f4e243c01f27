//! rust-mcp-schema with its utilities: `ClientMessage` and `ServerMessage`.

use std::str::FromStr;

use rust_mcp_schema::schema_utils::{
    ClientJsonrpcNotification, ClientJsonrpcRequest, ClientMessage, ResultFromServer, ServerJsonrpcResponse,
    ServerMessage,
};
use rust_mcp_schema::{
    BlobResourceContents, CallToolResult, ListToolsResult, ReadResourceContent, ReadResourceResult,
    Result as EmptyResult, TextContent,
};

use super::Work;
use crate::{Order, Subject};

/// What rust-mcp-schema does with a message.
pub fn work(subject: Subject, order: Order) -> Option<Work> {
    let text = subject.text(order);
    if subject == Subject::Session {
        return Some(super::session(text, answer));
    }
    if subject.is_result() {
        return super::work(
            text,
            |text| ServerMessage::from_str(text),
            move |message| match message {
                ServerMessage::Response(response) => match subject {
                    Subject::List => matches!(response.result, ResultFromServer::ListToolsResult(_)),
                    Subject::Text => matches!(response.result, ResultFromServer::CallToolResult(_)),
                    _ => matches!(response.result, ResultFromServer::ReadResourceResult(_)),
                },
                _ => false,
            },
            |message| serde_json::to_string(message).unwrap_or_default(),
        );
    }
    super::work(
        text,
        |text| ClientMessage::from_str(text),
        move |message| match message {
            ClientMessage::Request(request) => match subject {
                Subject::Ping => matches!(request, ClientJsonrpcRequest::PingRequest(_)),
                _ => matches!(request, ClientJsonrpcRequest::CallToolRequest(_)),
            },
            ClientMessage::Notification(notification) => {
                matches!(notification, ClientJsonrpcNotification::ProgressNotification(_))
            }
            _ => false,
        },
        |message| serde_json::to_string(message).unwrap_or_default(),
    )
}

fn answer(line: &str) -> Option<String> {
    let ClientMessage::Request(request) = ClientMessage::from_str(line).ok()? else { return None };
    let (id, result) = match request {
        ClientJsonrpcRequest::PingRequest(ping) => {
            (ping.id, ResultFromServer::Result(EmptyResult { meta: None, extra: None }))
        }
        ClientJsonrpcRequest::ListToolsRequest(list) => {
            let next_cursor = list.params.and_then(|params| params.cursor);
            (list.id, ResultFromServer::ListToolsResult(ListToolsResult { meta: None, next_cursor, tools: Vec::new() }))
        }
        ClientJsonrpcRequest::ReadResourceRequest(read) => {
            let contents =
                BlobResourceContents { blob: String::new(), meta: None, mime_type: None, uri: read.params.uri };
            let contents = vec![ReadResourceContent::BlobResourceContents(contents)];
            (read.id, ResultFromServer::ReadResourceResult(ReadResourceResult { contents, meta: None }))
        }
        ClientJsonrpcRequest::CallToolRequest(call) => {
            let content = TextContent::new(call.params.name, None, None);
            (call.id, ResultFromServer::CallToolResult(CallToolResult::text_content(vec![content])))
        }
        _ => return None,
    };
    serde_json::to_string(&ServerMessage::Response(ServerJsonrpcResponse::new(id, result))).ok()
}
