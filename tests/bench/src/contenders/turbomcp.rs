//! turbomcp-protocol: the envelope of turbomcp-core, then params and results as the method asks.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use turbomcp_core::{JsonRpcMessage, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse};
use turbomcp_protocol::methods::{notification, request};
use turbomcp_protocol::v2025_11_25::types::{
    CallToolRequestParams, CallToolResult, ElicitRequestParams, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParams, ReadResourceRequestParams, ReadResourceResult,
};

use super::Work;
use crate::{Order, Subject};

/// What turbomcp-protocol does with a message.
pub fn work(subject: Subject, order: Order) -> Option<Work> {
    let text = subject.text(order);
    match subject {
        Subject::Ping => whole(text, |message| message.method() == Some(request::PING)),
        Subject::Call | Subject::CallMeta | Subject::CallVendor => {
            of::<CallToolRequestParams>(text, request::TOOLS_CALL)
        }
        Subject::Progress => of::<ProgressNotificationParams>(text, notification::PROGRESS),
        Subject::Form => of::<ElicitRequestParams>(text, request::ELICITATION_CREATE),
        Subject::List => of::<ListToolsResult>(text, ""),
        Subject::Resources => of::<ListResourcesResult>(text, ""),
        Subject::Small
        | Subject::SmallVendor
        | Subject::Unknown
        | Subject::Structured
        | Subject::Huge
        | Subject::Source
        | Subject::Text => of::<CallToolResult>(text, ""),
        Subject::Chinese => super::work(
            text,
            |text| typed::<CallToolResult>(serde_json::from_slice(text.as_bytes()).ok(), "").ok_or(()),
            |_| true,
            |message| write(message).unwrap_or_default(),
        ),
        Subject::Blob => of::<ReadResourceResult>(text, ""),
        Subject::Error => {
            whole(text, |message| matches!(message, JsonRpcMessage::Response(response) if response.error.is_some()))
        }
        Subject::Unasked => whole(text, |message| matches!(message, JsonRpcMessage::Response(_))),
        Subject::Session => Some(super::session(text, answer)),
        // It has no batches.
        Subject::ProxyCall | Subject::ProxyList | Subject::Exchange | Subject::Batch => None,
    }
}

/// A message of which nothing but the envelope has a type.
fn whole(text: String, meant: impl Fn(&JsonRpcMessage) -> bool) -> Option<Work> {
    super::work(
        text,
        |text| serde_json::from_str::<JsonRpcMessage>(text),
        meant,
        |message| serde_json::to_string(message).unwrap_or_default(),
    )
}

/// A message whose envelope has been taken apart.
enum Typed<T> {
    Request(JsonRpcRequest, T),
    Notification(JsonRpcNotification, T),
    Response(JsonRpcResponse, T),
}

fn of<T: Serialize + DeserializeOwned + 'static>(text: String, method: &'static str) -> Option<Work> {
    super::work(
        text,
        move |text| typed::<T>(serde_json::from_str(text).ok(), method).ok_or(()),
        |_| true,
        |message| write(message).unwrap_or_default(),
    )
}

fn typed<T: DeserializeOwned>(message: Option<JsonRpcMessage>, method: &str) -> Option<Typed<T>> {
    let typed = |value: &mut Option<Value>| serde_json::from_value(value.take()?).ok();
    match message? {
        JsonRpcMessage::Request(mut request) if request.method == method => {
            typed(&mut request.params).map(|params| Typed::Request(request, params))
        }
        JsonRpcMessage::Notification(mut notification) if notification.method == method => {
            typed(&mut notification.params).map(|params| Typed::Notification(notification, params))
        }
        JsonRpcMessage::Response(mut response) => {
            typed(&mut response.result).map(|result| Typed::Response(response, result))
        }
        _ => None,
    }
}

/// The envelope holds a `Value`, so that this is how a typed message gets out.
fn write<T: Serialize>(message: &Typed<T>) -> Option<String> {
    match message {
        Typed::Request(request, params) => {
            let params = Some(serde_json::to_value(params).ok()?);
            serde_json::to_string(&JsonRpcRequest { params, ..request.clone() }).ok()
        }
        Typed::Notification(notification, params) => {
            let params = Some(serde_json::to_value(params).ok()?);
            serde_json::to_string(&JsonRpcNotification { params, ..notification.clone() }).ok()
        }
        Typed::Response(response, result) => {
            serde_json::to_string(&JsonRpcResponse::success(response.id.clone(), serde_json::to_value(result).ok()?))
                .ok()
        }
    }
}

fn answer(line: &str) -> Option<String> {
    let JsonRpcMessage::Request(message) = serde_json::from_str(line).ok()? else { return None };
    let params = message.params.unwrap_or_default();
    let result = match message.method.as_str() {
        request::PING => serde_json::json!({}),
        request::TOOLS_LIST => {
            let params: PaginatedRequestParams = serde_json::from_value(params).ok()?;
            to_value(&ListToolsResult { meta: Default::default(), next_cursor: params.cursor, tools: Vec::new() })?
        }
        request::RESOURCES_READ => {
            let params: ReadResourceRequestParams = serde_json::from_value(params).ok()?;
            serde_json::json!({ "contents": [{ "uri": params.uri, "blob": "" }] })
        }
        request::TOOLS_CALL => {
            let params: CallToolRequestParams = serde_json::from_value(params).ok()?;
            serde_json::json!({ "content": [{ "type": "text", "text": params.name }] })
        }
        _ => return None,
    };
    serde_json::to_string(&JsonRpcMessage::from(JsonRpcResponse::success(message.id, result))).ok()
}

fn to_value(result: &impl Serialize) -> Option<Value> {
    serde_json::to_value(result).ok()
}
