//! From bytes to a handler to bytes, for both sides.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context as TaskContext, Poll, Waker};

use mcp_wire_2025_11_25 as v2025_11_25;
use serde_json::{Value, json};
use v2025_11_25::{
    CallToolAnswer, CallToolRequestParams, CallToolResult, Connection, Context, ErrorObject, Handled, ServerHandler,
    ServerSide, TextContent,
};

/// Runs a future that has nothing to wait for.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut TaskContext::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits for something"),
    }
}

struct Echo;

impl ServerHandler for Echo {
    async fn call_tool(&self, params: CallToolRequestParams, context: &Context) -> Handled<CallToolAnswer> {
        match params.name.as_str() {
            "echo" => {
                let _ = context.progress(1, Some(2.into()), None);
                let text = Value::from(params.arguments.unwrap_or_default()).to_string();
                Ok(CallToolResult::new(vec![TextContent::new(text).into()]).into())
            }
            other => Err(ErrorObject::invalid_params(format!("no tool {other:?}"))),
        }
    }
}

fn server() -> (Connection<ServerSide>, Arc<Mutex<Vec<Value>>>) {
    let sent = Arc::new(Mutex::new(Vec::new()));
    let outbox = Arc::clone(&sent);
    let send = move |text: String| outbox.lock().unwrap().push(serde_json::from_str(&text).unwrap());
    (Connection::new(send), sent)
}

#[test]
fn a_call_reaches_its_handler_and_comes_back() {
    let (server, sent) = server();
    let request = json!({
        "method": "tools/call",
        "params": { "name": "echo", "arguments": { "a": 1 }, "_meta": { "progressToken": "p" } },
        "jsonrpc": "2.0",
        "id": 7,
    });
    let answer = now(server.dispatch(&Echo, request.to_string().as_bytes())).unwrap();
    let expected = json!({
        "jsonrpc": "2.0", "id": 7, "result": { "content": [{ "type": "text", "text": "{\"a\":1}" }] },
    });
    assert_eq!(serde_json::from_str::<Value>(&answer).unwrap(), expected);
    let progress = json!({
        "jsonrpc": "2.0", "method": "notifications/progress",
        "params": { "progressToken": "p", "progress": 1, "total": 2 },
    });
    assert_eq!(*sent.lock().unwrap(), [progress]);
}

#[test]
fn futures_can_be_sent_to_another_thread_and_outlive_their_caller() {
    fn spawned<F: Future + Send + 'static>(_: F) {}
    let (server, _) = server();
    let (server, handler) = (Arc::new(server), Arc::new(Echo));
    spawned(async move { server.dispatch(&*handler, b"{}").await });
}
