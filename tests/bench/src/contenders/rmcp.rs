//! rmcp: `ClientJsonRpcMessage` and `ServerJsonRpcMessage`, as its transports read them, and for an exchange its client
//! and its server at the two ends of a pipe in memory.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientJsonRpcMessage, ClientNotification, ClientRequest,
    ContentBlock, EmptyResult, ListToolsResult, ReadResourceResult, ResourceContents, ServerJsonRpcMessage,
    ServerRequest, ServerResult,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;

use super::Work;
use crate::{Order, Subject};

/// What rmcp does with a message.
pub fn work(subject: Subject, order: Order) -> Option<Work> {
    let text = subject.text(order);
    match subject {
        Subject::Session => Some(super::session(text, answer)),
        Subject::Exchange => exchange(),
        // It has no batches.
        Subject::ProxyCall | Subject::ProxyList | Subject::Batch => None,
        Subject::Chinese => super::work(
            text,
            |text| serde_json::from_slice::<ServerJsonRpcMessage>(text.as_bytes()),
            move |message| is_meant(subject, message),
            |message| serde_json::to_string(message).unwrap_or_default(),
        ),
        _ if subject.is_for_client() => super::work(
            text,
            |text| serde_json::from_str::<ServerJsonRpcMessage>(text),
            move |message| is_meant(subject, message),
            |message| serde_json::to_string(message).unwrap_or_default(),
        ),
        _ => super::work(
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
        ),
    }
}

fn is_meant(subject: Subject, message: &ServerJsonRpcMessage) -> bool {
    match message {
        ServerJsonRpcMessage::Response(response) => match subject {
            Subject::List => matches!(response.result, ServerResult::ListToolsResult(_)),
            Subject::Resources => matches!(response.result, ServerResult::ListResourcesResult(_)),
            Subject::Blob => matches!(response.result, ServerResult::ReadResourceResult(_)),
            // It does not look at what was asked, so this one has a type as well.
            Subject::Unasked => true,
            _ => matches!(response.result, ServerResult::CallToolResult(_)),
        },
        ServerJsonRpcMessage::Request(request) => matches!(request.request, ServerRequest::ElicitRequest(_)),
        ServerJsonRpcMessage::Error(_) => subject == Subject::Error,
        _ => false,
    }
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

/// A server and a client that know each other. Both are tasks of one thread.
fn exchange() -> Option<Work> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    let (one, other) = tokio::io::duplex(1 << 16);
    let open = async { tokio::join!(rmcp::serve_server(Echo, one), rmcp::serve_client((), other)) };
    let (server, client) = runtime.block_on(open);
    let (server, client) = (server.ok()?, client.ok()?);
    super::exchange(move || {
        let _ = &server;
        let arguments = json!({
            "query": "is:open label:bug parser",
            "repository": "example/project",
            "limit": 50,
            "include_closed": false,
            "labels": ["bug", "parser", "help wanted"],
            "sort": { "by": "updated", "order": "desc" },
        });
        let params = CallToolRequestParams::new("search_issues").with_arguments(arguments.as_object()?.clone());
        let result = runtime.block_on(client.call_tool(params)).ok()?;
        Some(result.content.first()?.as_text()?.text.clone())
    })
}

struct Echo;

impl ServerHandler for Echo {
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(CallToolResult::success(vec![ContentBlock::text(request.name.to_string())]).into())
    }
}
