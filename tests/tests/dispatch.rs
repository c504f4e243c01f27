//! From bytes to a handler to bytes, for both sides.

use std::future::Future;
use std::sync::{Arc, Mutex};

use mcp_wire::{Message, Notification, Outcome, Request, Side, v2025_11_25};
use mcp_wire_judge::AnyOrder;
use mcp_wire_tests::{REVISIONS, difference, now, revision, revisions, stateless};
use serde_json::{Value, json};
use v2025_11_25::{
    CallToolAnswer, CallToolRequestParams, CallToolResult, Connection, Context, ErrorObject, Handled, ServerHandler,
    ServerSide, TextContent,
};

struct Echo;

impl ServerHandler for Echo {
    async fn call_tool(&self, params: CallToolRequestParams, context: &Context) -> Handled<CallToolAnswer> {
        match params.name.as_str() {
            "echo" => {
                let _ = context.progress(1, Some(2.into()), None);
                let text = params.arguments.unwrap_or_default().to_string();
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
    fn spawned<F: Future<Output: Send> + Send + 'static>(future: F) -> F::Output {
        std::thread::scope(|scope| scope.spawn(|| now(future)).join().unwrap())
    }
    let (server, _) = server();
    let (server, handler) = (Arc::new(server), Arc::new(Echo));
    let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.to_vec();
    let answer = spawned(async move { server.dispatch(&*handler, &ping).await });
    assert_eq!(answer.as_deref(), Some(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#));

    // The bytes are not needed any more once `dispatch` has returned.
    let connection = Connection::<ServerSide>::new(|_| {});
    let future = {
        let bytes = br#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#.to_vec();
        connection.dispatch(&Echo, &bytes)
    };
    assert!(now(future).is_some());
}

/// Both sides of all revisions, with handlers that override nothing.
#[test]
fn futures_are_send_in_every_revision() {
    fn is_send<T: Send>(value: T) -> T {
        value
    }
    let mut sides = 0;
    macro_rules! sides {
        ($($revision:ident)*) => {$({
            struct Nothing;
            impl mcp_wire::$revision::ServerHandler for Nothing {}
            impl mcp_wire::$revision::ClientHandler for Nothing {}
            let request = br#"{"jsonrpc":"2.0","id":1,"method":"vendor/x"}"#;
            let server = Connection::<mcp_wire::$revision::ServerSide>::new(|_| {});
            let client = Connection::<mcp_wire::$revision::ClientSide>::new(|_| {});
            for answer in [now(is_send(server.dispatch(&Nothing, request))), now(is_send(client.dispatch(&Nothing, request)))] {
                let answer: Value = serde_json::from_str(&answer.unwrap()).unwrap();
                assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32601)));
                sides += 1;
            }
        })*};
    }
    revisions!(sides);
    assert_eq!(sides, 2 * REVISIONS.len());
}

/// A handler that cannot leave its thread is as good as any other, on that thread.
#[test]
fn a_handler_need_not_be_send() {
    struct Local(std::rc::Rc<std::cell::Cell<u32>>);
    impl v2025_11_25::LocalServerHandler for Local {
        async fn ping(&self, _: Option<v2025_11_25::RequestParams>, _: &Context) -> Handled<v2025_11_25::EmptyResult> {
            self.0.set(self.0.get() + 1);
            Ok(v2025_11_25::EmptyResult::new())
        }
    }
    let (server, _) = server();
    let count = std::rc::Rc::default();
    now(server.dispatch(&Local(std::rc::Rc::clone(&count)), br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)).unwrap();
    assert_eq!(count.get(), 1);
}

/// What can be put behind a pointer: the table of what was asked, and a connection with its handler.
#[test]
fn connections_of_several_revisions_fit_into_one_list() {
    type Work<'a> = std::pin::Pin<Box<dyn Future<Output = Option<String>> + Send + 'a>>;
    trait Server: Send + Sync {
        fn take<'a>(&'a self, message: &[u8]) -> Work<'a>;
    }
    struct Nothing;
    impl mcp_wire::v2024_11_05::ServerHandler for Nothing {}
    impl stateless::ServerHandler for Nothing {}
    impl Server for Connection<mcp_wire::v2024_11_05::ServerSide> {
        fn take<'a>(&'a self, message: &[u8]) -> Work<'a> {
            Box::pin(self.dispatch(&Nothing, message))
        }
    }
    impl Server for Connection<stateless::ServerSide> {
        fn take<'a>(&'a self, message: &[u8]) -> Work<'a> {
            Box::pin(self.dispatch(&Nothing, message))
        }
    }
    let servers: [Box<dyn Server>; 2] = [
        Box::new(Connection::<mcp_wire::v2024_11_05::ServerSide>::new(|_| {})),
        Box::new(Connection::<stateless::ServerSide>::new(|_| {})),
    ];
    let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let answers: Vec<_> = servers.iter().map(|server| now(server.take(ping)).unwrap()).collect();
    assert!(answers[0].contains(r#""result":{}"#) && answers[1].contains("-32601"), "{answers:?}");

    let mut pending = mcp_wire::Pending::new();
    pending.sent.insert(1, "ping", ()).unwrap();
    let lookup: &dyn mcp_wire::Lookup = &pending;
    let message = v2025_11_25::ServerMessage::from_str(&answers[0], lookup).unwrap();
    assert!(matches!(message, Message::Response(response) if matches!(response.outcome, Outcome::Result(_))));
}

/// Code that is written once, for any revision, through the shared traits.
#[test]
fn code_can_be_generic_over_revisions() {
    fn call<R: Request<Params: From<P>>, P>(id: i64, params: P) -> String {
        mcp_wire::request::<R>(id, params.into())
    }
    fn answer<R: Request>(text: &str) -> R::Result {
        mcp_wire::from_str(text).unwrap()
    }
    fn tell<N: Notification>(params: N::Params) -> String {
        mcp_wire::notification::<N>(params)
    }
    fn refused<S: Side>(text: &str) -> i64 {
        let rejection = mcp_wire::MessageTo::<S>::from_str(text, &()).map(|_| ()).unwrap_err();
        rejection.error.code.as_i64().unwrap()
    }
    macro_rules! generic {
        ($($revision:ident)*) => {$({
            use mcp_wire::$revision::{CallToolRequest, ListToolsRequest, ServerSide, ClientSide, ToolListChangedNotification};
            assert_eq!((CallToolRequest::METHOD, CallToolRequest::SENDERS), ("tools/call", &[mcp_wire::Party::Client][..]));
            let list = answer::<ListToolsRequest>(r#"{"tools":[]}"#);
            assert!(list.tools.is_empty());
            assert_eq!(
                tell::<ToolListChangedNotification>(None),
                r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#
            );
            assert_eq!(refused::<ServerSide>(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#), -32602);
            assert_eq!(refused::<ClientSide>("{"), -32700);
            assert_eq!((ServerSide::REVISION, ServerSide::METHODS), (mcp_wire::$revision::REVISION, mcp_wire::$revision::METHODS));
        })*};
    }
    revisions!(generic);
    let text =
        call::<mcp_wire::v2024_11_05::CallToolRequest, _>(1, mcp_wire::v2024_11_05::CallToolRequestParams::new("echo"));
    assert_eq!(text, call::<v2025_11_25::CallToolRequest, _>(1, CallToolRequestParams::new("echo")));
    assert_eq!(text, r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}"#);
}

/// One malformed tool among a hundred, and one unknown kind of content: the others stay typed.
#[test]
fn one_odd_item_costs_nothing_else() {
    let mut tools: Vec<Value> =
        (0..100).map(|n| json!({ "name": format!("t{n}"), "inputSchema": { "type": "object" } })).collect();
    tools[37] = json!({ "title": "no name", "inputSchema": { "type": "object" } });
    let content =
        json!([{ "type": "text", "text": "a" }, { "type": "hologram", "data": 1 }, { "type": "text", "text": "b" }]);
    macro_rules! odd {
        ($($revision:ident)*) => {$({
            use mcp_wire::$revision::{ContentBlock, ServerMessage, ServerResult};
            let mut pending = mcp_wire::Pending::new();
            pending.sent.insert(1, "tools/list", ()).unwrap();
            pending.sent.insert(2, "tools/call", ()).unwrap();
            let mut result = json!({ "tools": tools });
            let mut call = json!({ "content": content });
            if revision(mcp_wire::$revision::REVISION).has_result_types() {
                result["resultType"] = json!("complete");
                result["ttlMs"] = json!(0);
                result["cacheScope"] = json!("public");
                call["resultType"] = json!("complete");
            }
            // The id comes first, and last: both ways lead to the same place.
            for message in [
                json!({ "jsonrpc": "2.0", "id": 1, "result": result }),
                json!({ "result": result, "jsonrpc": "2.0", "id": 1 }),
            ] {
                let read = ServerMessage::from_str(&message.to_string(), &pending).unwrap();
                assert_eq!(difference(&message.to_string(), &read.to_text(), AnyOrder), None);
                let pointers: Vec<_> = read.check().into_iter().map(|violation| violation.pointer).collect();
                assert_eq!(pointers, ["/result/tools/37"]);
                let Message::Response(response) = read else { panic!() };
                let Outcome::Result(ServerResult::ListTools(list)) = response.outcome else { panic!() };
                assert_eq!(list.tools.len(), 99);
                assert_eq!((list.tools[36].name.as_str(), list.tools[37].name.as_str()), ("t36", "t38"));
                let malformed: Vec<_> = list.tools.malformed().map(|(place, tool)| (place, tool.to_value())).collect();
                assert_eq!(malformed, [(37, tools[37].clone())]);
            }
            let message = json!({ "jsonrpc": "2.0", "id": 2, "result": call });
            let read = ServerMessage::from_str(&message.to_string(), &pending).unwrap();
            assert_eq!(difference(&message.to_string(), &read.to_text(), AnyOrder), None);
            assert_eq!(read.check().iter().map(|violation| violation.pointer.as_str()).collect::<Vec<_>>(), ["/result/content/1"]);
            let Message::Response(response) = read else { panic!() };
            let Outcome::Result(ServerResult::CallTool(result)) = response.outcome else { panic!() };
            assert!(matches!(
                &result.content[..],
                [ContentBlock::Text(_), ContentBlock::Unknown(odd), ContentBlock::Text(_)] if *odd == content[1]
            ));
        })*};
    }
    revisions!(odd);
}

/// A call that runs as a task is answered with the task; the task's result has the type of the call's.
#[test]
fn the_result_of_a_task_is_that_of_the_request_which_created_it() {
    use v2025_11_25::{ClientSide, GetTaskPayloadRequestParams, ServerResult};
    let client = Connection::<ClientSide>::new(|_| {});
    let answer = |id: &mcp_wire::RequestId, result: Value| {
        let text = json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string();
        let Ok(Message::Response(response)) = client.read(text.as_bytes()) else { panic!("{text}") };
        client.settle(&response).expect("a request in flight");
        let Outcome::Result(result) = response.outcome else { panic!("{text}") };
        result
    };
    let time = "2025-11-25T00:00:00Z";
    let task = json!({ "taskId": "t", "status": "working", "createdAt": time, "lastUpdatedAt": time, "ttl": null });
    let content = json!({ "content": [{ "type": "text", "text": "done" }] });

    let (id, _) = client.ask(CallToolRequestParams::new("slow")).unwrap();
    assert!(matches!(answer(&id, json!({ "task": task })), ServerResult::CreateTask(_)));
    let (id, _) = client.ask(GetTaskPayloadRequestParams::new("t")).unwrap();
    assert!(matches!(answer(&id, content.clone()), ServerResult::CallTool(_)));
    // A task of unknown origin has a result of unknown type.
    let (id, _) = client.ask(GetTaskPayloadRequestParams::new("other")).unwrap();
    assert!(matches!(answer(&id, content.clone()), ServerResult::GetTaskPayload(_)));
    // Without a task, the answer is what it always was.
    let (id, _) = client.ask(CallToolRequestParams::new("quick")).unwrap();
    assert!(matches!(answer(&id, content), ServerResult::CallTool(_)));
}

/// Where results have types, a result says what it is; a client takes silence for completeness.
#[test]
fn the_type_of_a_result_decides_what_it_is() {
    use stateless::{ServerMessage, ServerResult};
    let mut pending = mcp_wire::Pending::new();
    pending.sent.insert(1, "tools/call", ()).unwrap();
    let read = |result: Value| {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "result": result });
        let read = ServerMessage::from_str(&message.to_string(), &pending).unwrap();
        assert_eq!(difference(&message.to_string(), &read.to_text(), AnyOrder), None);
        let Message::Response(response) = read else { panic!() };
        let Outcome::Result(result) = response.outcome else { panic!() };
        result
    };
    let content = json!([{ "type": "text", "text": "x" }]);
    assert!(matches!(read(json!({ "resultType": "complete", "content": content })), ServerResult::CallTool(_)));
    assert!(matches!(read(json!({ "content": content, "resultType": "complete" })), ServerResult::CallTool(_)));
    assert!(matches!(read(json!({ "content": content })), ServerResult::CallTool(_)));
    let requests = json!({ "a": { "method": "roots/list" } });
    assert!(matches!(
        read(json!({ "resultType": "input_required", "inputRequests": requests })),
        ServerResult::InputRequired(_)
    ));
    assert!(matches!(
        read(json!({ "inputRequests": requests, "resultType": "input_required" })),
        ServerResult::InputRequired(_)
    ));
    // Content does not make it complete, if it says otherwise.
    assert!(matches!(
        read(json!({ "content": content, "resultType": "input_required" })),
        ServerResult::InputRequired(_)
    ));
    assert!(matches!(read(json!({ "content": content, "resultType": "task" })), ServerResult::Unknown(_)));
    assert!(matches!(read(json!({ "resultType": "task", "taskId": "t" })), ServerResult::Unknown(_)));
}

/// Requests that a server embeds in a result, and the client's answers.
#[test]
fn embedded_requests_are_answered_like_others() {
    use stateless::{InputHandler, InputRequests, InputResponse, ListRootsRequestParams, ListRootsResult, Root};
    struct Roots;
    impl InputHandler for Roots {
        async fn list_roots(&self, _: Option<ListRootsRequestParams>) -> Handled<ListRootsResult> {
            Ok(ListRootsResult::new(vec![Root::new("file:///home")]))
        }
    }
    let answer = |requests: Value| {
        let requests: InputRequests = mcp_wire::from_value(requests).unwrap();
        now(Roots.answer_inputs(requests))
    };
    let responses = answer(json!({ "where": { "method": "roots/list" } })).unwrap();
    assert!(matches!(&responses["where"], InputResponse::ListRoots(result) if result.roots.len() == 1));

    let code = |requests: Value| answer(requests).unwrap_err().code.as_i64().unwrap();
    let form = json!({ "message": "?", "requestedSchema": { "type": "object", "properties": {} } });
    assert_eq!(code(json!({ "a": { "method": "elicitation/create", "params": form } })), -32601, "not offered");
    assert_eq!(code(json!({ "a": { "method": "vendor/x", "params": {} } })), -32601, "not known");
    assert_eq!(code(json!({ "a": { "method": "sampling/createMessage", "params": { "messages": 5 } } })), -32602);
}

/// Some peers write the member that does not apply as `null`. The schemas allow it, and so it is no reason to refuse.
#[test]
fn a_null_beside_a_result_or_an_error_means_nothing() {
    use v2025_11_25::{ClientHandler, ClientSide, ServerResult};
    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);
    impl ClientHandler for Heard {
        async fn response(&self, method: &str, response: mcp_wire::Response<ServerResult>) {
            let outcome = match response.outcome {
                Outcome::Result(_) => "result",
                Outcome::Raw(_) => "raw",
                Outcome::Error(_) => "error",
            };
            self.0.lock().unwrap().push(format!("{method}: {outcome}"));
        }
        fn rejected(&self, rejection: &v2025_11_25::Rejection) {
            self.0.lock().unwrap().push(rejection.to_string());
        }
    }
    let client = Connection::<ClientSide>::new(|_| {});
    let heard = Heard::default();
    let error = json!({ "code": 1, "message": "m" });
    let answers = [
        json!({ "result": { "tools": [] }, "error": null }),
        json!({ "result": null, "error": error }),
        json!({ "error": null, "result": { "tools": [] } }),
        json!({ "result": { "tools": [] }, "error": error }),
    ];
    for mut answer in answers {
        let (id, _) = client.ask(v2025_11_25::ClientRequest::ListTools(None)).unwrap();
        answer["jsonrpc"] = json!("2.0");
        answer["id"] = json!(id);
        let message = client.read(answer.to_string().as_bytes()).unwrap();
        assert_eq!(difference(&answer.to_string(), &message.to_text(), AnyOrder), None);
        assert_eq!(message.check(), []);
        assert_eq!(now(client.handle(&heard, message)), None);
    }
    let both = "Invalid response: both \"result\" and \"error\" are there";
    assert_eq!(*heard.0.lock().unwrap(), ["tools/list: result", "tools/list: error", "tools/list: result", both]);
}
