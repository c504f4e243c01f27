//! rust-mcp-schema with its utilities: `ClientMessage` and `ServerMessage`, and `ClientMessages` for a batch.

use std::str::FromStr;

use rust_mcp_schema::schema_utils::{
    ClientJsonrpcNotification, ClientJsonrpcRequest, ClientMessage, ClientMessages, ResultFromServer,
    ServerJsonrpcRequest, ServerJsonrpcResponse, ServerMessage,
};
use rust_mcp_schema::{
    BlobResourceContents, CallToolResult, ListToolsResult, ReadResourceContent, ReadResourceResult,
    Result as EmptyResult, TextContent,
};

use super::Work;
use crate::{BATCH, Order, Subject};

/// What rust-mcp-schema does with a message.
pub fn work(subject: Subject, order: Order) -> Option<Work> {
    let text = subject.text(order);
    match subject {
        Subject::Session => Some(super::session(text, answer)),
        Subject::ProxyCall | Subject::ProxyList | Subject::Exchange => None,
        Subject::Batch => super::work(
            text,
            |text| serde_json::from_str::<ClientMessages>(text),
            |message| {
                let is_call = |message: &ClientMessage| {
                    matches!(message, ClientMessage::Request(ClientJsonrpcRequest::CallToolRequest(_)))
                };
                matches!(message, ClientMessages::Batch(all) if all.len() == BATCH && all.iter().all(is_call))
            },
            |message| serde_json::to_string(message).unwrap_or_default(),
        ),
        Subject::Chinese => super::work(
            text,
            |text| serde_json::from_slice::<ServerMessage>(text.as_bytes()),
            move |message| is_meant(subject, message),
            |message| serde_json::to_string(message).unwrap_or_default(),
        ),
        _ if subject.is_for_client() => super::work(
            text,
            ServerMessage::from_str,
            move |message| is_meant(subject, message),
            |message| serde_json::to_string(message).unwrap_or_default(),
        ),
        _ => super::work(
            text,
            ClientMessage::from_str,
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
        ),
    }
}

fn is_meant(subject: Subject, message: &ServerMessage) -> bool {
    match message {
        ServerMessage::Response(response) => match subject {
            Subject::List => matches!(response.result, ResultFromServer::ListToolsResult(_)),
            Subject::Resources => matches!(response.result, ResultFromServer::ListResourcesResult(_)),
            Subject::Blob => matches!(response.result, ResultFromServer::ReadResourceResult(_)),
            // It does not look at what was asked, so this one has a type as well.
            Subject::Unasked => true,
            _ => matches!(response.result, ResultFromServer::CallToolResult(_)),
        },
        ServerMessage::Request(request) => matches!(request, ServerJsonrpcRequest::ElicitRequest(_)),
        ServerMessage::Error(_) => subject == Subject::Error,
        _ => false,
    }
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
