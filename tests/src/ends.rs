//! Both ends of a connection, in every revision, behind one interface: a handler that does as it is told and keeps a
//! diary, so that a claim about dispatch is written once and holds in all revisions.

use std::fmt::Debug;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll, Waker};

use mcp_wire_core::__private::{Handles, Reader, Wire};
use mcp_wire_core::{
    AskError, Connection, Context, Declared, Handled, Json, Message, MessageTo, Method, MethodKind, Notification,
    Outcome, Params, Party, Peer, Rejection, Request, RequestId, Response, Side, Undeclared, from_value,
};
use mcp_wire_judge::FreeForm;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{Revision, difference, revision as known};

/// An answer that may still be worked on.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Option<String>> + 'a>>;

/// An answer of the other side that is waited for.
pub type Asking = Pin<Box<dyn Future<Output = Result<Value, AskError>> + Send>>;

/// Who asks: this side, or the work on a request.
#[derive(Debug, Clone, Copy)]
pub enum Asker<'a> {
    Peer(&'a Peer),
    Context(&'a Context),
}

impl Asker<'_> {
    /// Asks with params that are good.
    fn ask<R: Request<Params: Send, Result: Serialize> + 'static>(self, params: Option<Value>) -> Asking {
        let ask = match self {
            Self::Peer(peer) => peer.ask::<R>(typed_params(params)),
            Self::Context(context) => context.ask::<R>(typed_params(params)),
        };
        Box::pin(async { ask.await.map(|result| serde_json::to_value(result).expect("a value")) })
    }
}

/// How a connection is set up.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// What client and server have declared, where that counts.
    pub declared: Option<(Value, Value)>,
    pub strict_lifecycle: bool,
    pub odd_params: bool,
    pub ask_limit: Option<usize>,
}

/// One end of a connection.
pub struct End {
    wired: Box<dyn Wired>,
    pub revision: &'static Revision,
    pub party: Party,
    pub methods: &'static [Method],
    pub script: Arc<Script>,
}

/// What a message turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// All of it, as Rust prints it.
    pub typed: String,
    /// The message, written again.
    pub text: String,
    /// What the schema does not allow.
    pub violations: Vec<String>,
}

/// What the handler does, and what has happened to it.
#[derive(Default)]
pub struct Script {
    revision: &'static str,
    is_holding: AtomicBool,
    panics_at: Mutex<Option<String>>,
    act: Mutex<Option<Act>>,
    diary: Mutex<Vec<String>>,
    contexts: Mutex<Vec<Context>>,
    rejections: Mutex<Vec<Rejection>>,
    sent: Mutex<Vec<Value>>,
}

type Act = Box<dyn Fn(&Context) + Send>;

/// What a handler that panics says, and nobody else is to hear.
pub const SECRET: &str = "the handler's secret";

impl Script {
    /// From now on requests are not answered until [`release`](Self::release).
    pub fn hold(&self) {
        self.is_holding.store(true, Ordering::SeqCst);
    }

    pub fn release(&self) {
        self.is_holding.store(false, Ordering::SeqCst);
    }

    /// Does something while a request is being worked on.
    pub fn act(&self, act: impl Fn(&Context) + Send + 'static) {
        *self.act.lock().unwrap() = Some(Box::new(act));
    }

    /// What the handler was called for since this was last asked.
    pub fn diary(&self) -> Vec<String> {
        std::mem::take(&mut *self.diary.lock().unwrap())
    }

    /// The contexts of the requests that reached the handler.
    pub fn contexts(&self) -> Vec<Context> {
        self.contexts.lock().unwrap().clone()
    }

    /// The rejections that the handler has heard of since this was last asked.
    pub fn rejections(&self) -> Vec<Rejection> {
        std::mem::take(&mut *self.rejections.lock().unwrap())
    }

    /// The notifications that were sent since this was last asked.
    pub fn sent(&self) -> Vec<Value> {
        std::mem::take(&mut *self.sent.lock().unwrap())
    }

    /// From now on the handler panics at everything that starts with this.
    pub fn panic_at(&self, what: &str) {
        *self.panics_at.lock().unwrap() = Some(what.to_owned());
    }

    /// The handler panics no more.
    pub fn recover(&self) {
        *self.panics_at.lock().unwrap() = None;
    }

    fn note(&self, what: String) {
        self.stumble(&what);
        self.diary.lock().unwrap().push(what);
    }

    fn stumble(&self, what: &str) {
        let is_reached = self.panics_at.lock().unwrap().as_deref().is_some_and(|at| what.starts_with(at));
        if is_reached {
            panic!("{SECRET} at {what}");
        }
    }

    async fn answer<T: Wire>(&self, method: &str, context: &Context) -> Handled<T> {
        self.note(format!("request {method}"));
        self.contexts.lock().unwrap().push(context.clone());
        if let Some(act) = &*self.act.lock().unwrap() {
            act(context);
        }
        poll_fn(|_| if self.is_holding.load(Ordering::SeqCst) { Poll::Pending } else { Poll::Ready(()) }).await;
        self.stumble(&format!("released {method}"));
        Ok(from_value(result_of(self.revision, method)).expect("a result that fits its method"))
    }

    fn responded<T: Wire>(&self, method: &str, response: &Response<T>) {
        let outcome = match &response.outcome {
            Outcome::Result(result) => format!("result {}", result.variant_name().unwrap_or("value")),
            Outcome::Raw(_) => "raw result".to_owned(),
            Outcome::Error(error) => format!("error {}", error.code),
        };
        self.note(format!("response to {method}: {outcome}"));
    }

    fn rejected(&self, rejection: &Rejection) {
        self.rejections.lock().unwrap().push(rejection.clone());
        self.stumble("rejected");
    }
}

/// An end, whatever its revision.
trait Wired {
    fn dispatch<'a>(&'a self, bytes: &'a [u8]) -> Answering<'a>;
    fn refuse(&self, rejection: &Rejection) -> Option<String>;
    fn read(&self, bytes: &[u8]) -> Result<Seen, Rejection>;
    fn ask(&self, request: &Value) -> Result<(RequestId, String), Undeclared>;
    fn cancel(&self, id: &RequestId, reason: Option<&str>) -> Option<String>;
    fn notify(&self, method: &str, params: Option<Value>) -> Result<(), Undeclared>;
    fn asking(&self, context: Option<&Context>, method: &str, params: Option<Value>) -> Asking;
    fn close(&self);
    fn printed(&self) -> String;
}

struct Typed<S: Side, H> {
    connection: Connection<S>,
    handler: H,
}

/// A handler whose side sends notifications and requests of its own.
trait Notifies {
    fn ask(asker: Asker<'_>, method: &str, params: Option<Value>) -> Asking;
    fn notify(peer: &Peer, method: &str, params: Option<Value>) -> Result<(), Undeclared>;
}

impl<S: Side + Handles<H>, H: Notifies> Wired for Typed<S, H>
where
    MessageTo<S>: Debug,
{
    fn dispatch<'a>(&'a self, bytes: &'a [u8]) -> Answering<'a> {
        Box::pin(self.connection.dispatch(&self.handler, bytes))
    }

    fn refuse(&self, rejection: &Rejection) -> Option<String> {
        self.connection.refuse(&self.handler, rejection)
    }

    fn read(&self, bytes: &[u8]) -> Result<Seen, Rejection> {
        let message = self.connection.read(bytes)?;
        let violations = message.check().iter().map(ToString::to_string).collect();
        let text = message.to_text();
        // The same, save for escapes that nobody needs: free-form JSON keeps them.
        let by_serde = serde_json::to_string(&message).expect("a message can be written");
        assert_eq!(difference(&text, &by_serde, FreeForm), None, "{text}");
        Ok(Seen { typed: format!("{message:?}"), text, violations })
    }

    fn ask(&self, request: &Value) -> Result<(RequestId, String), Undeclared> {
        // Read as the other side would read it, so that what is asked has the type of its method.
        match Message::<S::Ask, S::Notification, S::Result>::from_value(request, &()) {
            Ok(Message::Request(call)) => self.connection.ask(call.request),
            _ => panic!("not a request that can be asked: {request}"),
        }
    }

    fn cancel(&self, id: &RequestId, reason: Option<&str>) -> Option<String> {
        self.connection.cancel(id, reason)
    }

    fn notify(&self, method: &str, params: Option<Value>) -> Result<(), Undeclared> {
        H::notify(self.connection.peer(), method, params)
    }

    fn asking(&self, context: Option<&Context>, method: &str, params: Option<Value>) -> Asking {
        let asker = context.map_or(Asker::Peer(self.connection.peer()), Asker::Context);
        H::ask(asker, method, params)
    }

    fn close(&self) {
        self.connection.close();
    }

    fn printed(&self) -> String {
        format!("{:?}", self.connection)
    }
}

fn wired<S: Side + Handles<H> + 'static, H: Notifies + 'static>(
    setup: Setup,
    script: &Arc<Script>,
    handler: H,
) -> (Box<dyn Wired>, &'static [Method])
where
    MessageTo<S>: Debug,
{
    // The script keeps contexts, and those keep this function: a strong reference would keep all of them forever.
    let outbox = Arc::downgrade(script);
    let send = move |text: String| {
        if let Some(script) = outbox.upgrade() {
            script.sent.lock().unwrap().push(parsed(&text));
        }
    };
    let mut connection = Connection::<S>::new(send);
    if let Some((client, server)) = setup.declared {
        connection = connection.with_gates(Declared::new(&Json::from(client), &Json::from(server)));
    }
    if setup.strict_lifecycle {
        connection = connection.with_strict_lifecycle();
    }
    if setup.odd_params {
        connection = connection.with_odd_params();
    }
    if let Some(limit) = setup.ask_limit {
        connection = connection.with_ask_limit(limit);
    }
    (Box::new(Typed { connection, handler }), S::METHODS)
}

/// Text that this project has written, as a value.
pub fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Polls once.
pub fn poll<F: Future + ?Sized>(future: &mut Pin<Box<F>>) -> Option<F::Output> {
    match future.as_mut().poll(&mut Task::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

impl End {
    pub fn new(revision: &str, party: Party, setup: Setup) -> Self {
        let revision = known(revision);
        let script = Arc::new(Script { revision: revision.name, ..Script::default() });
        let (wired, methods) = connect(revision.name, party, setup, &script);
        Self { wired, revision, party, methods, script }
    }

    /// A server without any settings.
    pub fn server(revision: &str) -> Self {
        Self::new(revision, Party::Server, Setup::default())
    }

    /// A client without any settings.
    pub fn client(revision: &str) -> Self {
        Self::new(revision, Party::Client, Setup::default())
    }

    /// Starts to work on a message.
    pub fn start<'a>(&'a self, bytes: &'a [u8]) -> Answering<'a> {
        self.wired.dispatch(bytes)
    }

    /// The answer to a message that is not waited for.
    pub fn hear(&self, bytes: impl AsRef<[u8]>) -> Option<Value> {
        let mut answering = self.start(bytes.as_ref());
        poll(&mut answering).expect("an answer at once").map(|text| parsed(&text))
    }

    /// The answer to a JSON value.
    pub fn take(&self, message: &Value) -> Option<Value> {
        self.hear(message.to_string())
    }

    /// The answer to a request, which must have one.
    pub fn answer(&self, request: &Value) -> Value {
        self.take(request).unwrap_or_else(|| panic!("{}: no answer to {request}", self.revision.name))
    }

    pub fn refuse(&self, rejection: &Rejection) -> Option<Value> {
        self.wired.refuse(rejection).map(|text| parsed(&text))
    }

    pub fn read(&self, bytes: impl AsRef<[u8]>) -> Result<Seen, Rejection> {
        self.wired.read(bytes.as_ref())
    }

    /// Asks the other side with params that are good.
    pub fn ask(&self, method: &str) -> Result<(RequestId, Value), Undeclared> {
        let request = request(self.revision.name, 0, method);
        self.wired.ask(&request).map(|(id, text)| (id, parsed(&text)))
    }

    /// Asks the other side with params that are good, and waits for the answer.
    pub fn asking(&self, method: &str) -> Asking {
        self.wired.asking(None, method, params_of(self.revision.name, method))
    }

    /// The same on behalf of a request that is worked on.
    pub fn asking_for(&self, context: &Context, method: &str) -> Asking {
        self.wired.asking(Some(context), method, params_of(self.revision.name, method))
    }

    pub fn close(&self) {
        self.wired.close();
    }

    /// The connection as Rust prints it.
    pub fn printed(&self) -> String {
        self.wired.printed()
    }

    pub fn cancel(&self, id: &RequestId, reason: Option<&str>) -> Option<Value> {
        self.wired.cancel(id, reason).map(|text| parsed(&text))
    }

    /// Sends a notification with params that are good.
    pub fn notify(&self, method: &str) -> Result<(), Undeclared> {
        self.wired.notify(method, params_of(self.revision.name, method))
    }

    /// Whether the other side has requests for this one.
    pub fn is_asked(&self) -> bool {
        let asks = |method: &Method| method.kind == MethodKind::Request && method.senders.contains(&self.party.peer());
        self.methods.iter().any(asks)
    }

    /// A request of the other side that this one knows.
    pub fn known_request(&self) -> &'static str {
        match self.party {
            Party::Server => "tools/call",
            Party::Client if self.is_asked() => "sampling/createMessage",
            Party::Client => panic!("a client of {} is asked nothing", self.revision.name),
        }
    }
}

/// A good request.
pub fn request(revision: &str, id: impl Into<Value>, method: &str) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "id": id.into(), "method": method });
    if let Some(params) = params_of(revision, method) {
        message["params"] = params;
    }
    message
}

/// A good notification.
pub fn notification(revision: &str, method: &str) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    if let Some(params) = params_of(revision, method) {
        message["params"] = params;
    }
    message
}

/// The good answer to a request.
pub fn response(revision: &str, request: &Value) -> Value {
    let method = request["method"].as_str().expect("a request");
    json!({ "jsonrpc": "2.0", "id": request["id"], "result": result_of(revision, method) })
}

/// Good params of a method, where it has to have some.
pub fn params_of(revision: &str, method: &str) -> Option<Value> {
    let text = json!({ "type": "text", "text": "t" });
    let mut params = match method {
        "completion/complete" => {
            json!({ "ref": { "type": "ref/prompt", "name": "p" }, "argument": { "name": "a", "value": "v" } })
        }
        "initialize" => json!({
            "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": "c", "version": "1" },
        }),
        "logging/setLevel" => json!({ "level": "info" }),
        "prompts/get" => json!({ "name": "p" }),
        "tools/call" => json!({ "name": "t" }),
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" | "notifications/resources/updated" => {
            json!({ "uri": "file:///a" })
        }
        "sampling/createMessage" => json!({ "messages": [{ "role": "user", "content": text }], "maxTokens": 1 }),
        "elicitation/create" => {
            json!({ "message": "m", "requestedSchema": { "type": "object", "properties": {} } })
        }
        "tasks/get" | "tasks/cancel" | "tasks/result" => json!({ "taskId": "t" }),
        "subscriptions/listen" | "notifications/subscriptions/acknowledged" => json!({ "notifications": {} }),
        "notifications/cancelled" => json!({ "requestId": 1 }),
        "notifications/progress" => json!({ "progressToken": 1, "progress": 1 }),
        "notifications/message" => json!({ "level": "info", "data": 1 }),
        "notifications/elicitation/complete" => json!({ "elicitationId": "e" }),
        "notifications/tasks/status" => task(),
        _ => json!({}),
    };
    if !known(revision).has_handshake() && !method.starts_with("notifications/") {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": revision,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    (params != json!({})).then_some(params)
}

fn task() -> Value {
    let now = "2025-11-25T00:00:00Z";
    json!({ "taskId": "t", "status": "working", "createdAt": now, "lastUpdatedAt": now, "ttl": null })
}

/// A good result of a method.
pub fn result_of(revision: &str, method: &str) -> Value {
    let text = json!({ "type": "text", "text": "t" });
    let mut result = match method {
        "completion/complete" => json!({ "completion": { "values": [] } }),
        "initialize" => json!({
            "protocolVersion": revision, "capabilities": {}, "serverInfo": { "name": "s", "version": "1" },
        }),
        "prompts/get" => json!({ "messages": [] }),
        "prompts/list" => json!({ "prompts": [] }),
        "resources/list" => json!({ "resources": [] }),
        "resources/read" => json!({ "contents": [] }),
        "resources/templates/list" => json!({ "resourceTemplates": [] }),
        "tools/call" => json!({ "content": [text] }),
        "tools/list" => json!({ "tools": [] }),
        "roots/list" => json!({ "roots": [] }),
        "sampling/createMessage" => json!({ "role": "assistant", "content": text, "model": "m" }),
        "elicitation/create" => json!({ "action": "decline" }),
        "tasks/get" | "tasks/cancel" => task(),
        "tasks/list" => json!({ "tasks": [] }),
        "server/discover" => json!({
            "supportedVersions": [revision], "capabilities": {}, "serverInfo": { "name": "s", "version": "1" },
        }),
        "subscriptions/listen" => json!({ "_meta": { "io.modelcontextprotocol/subscriptionId": 1 } }),
        _ => json!({}),
    };
    if known(revision).has_result_types() {
        result["resultType"] = json!("complete");
        if method.ends_with("/list") || matches!(method, "resources/read" | "server/discover") {
            result["ttlMs"] = json!(0);
            result["cacheScope"] = json!("public");
        }
    }
    result
}

/// The handlers of all revisions: each function of their traits with the message it takes.
macro_rules! sides {
    ($($module:ident {
        server requests { $($server_request:ident $ServerRequest:ident,)* }
        server notifications { $($server_note:ident $ServerNote:ident,)* }
        client requests { $($client_request:ident $ClientRequest:ident,)* }
        client notifications { $($client_note:ident $ClientNote:ident,)* }
    })*) => {$(
        mod $module {
            use super::*;
            use mcp_wire::$module as types;

            pub struct Server(pub Arc<Script>);
            pub struct Client(pub Arc<Script>);

            sides!(@handler types Server ServerHandler ServerSide;
                $($server_request $ServerRequest,)*; $($server_note $ServerNote,)*;
                $($ClientNote,)*; $($ClientRequest,)*);
            sides!(@handler types Client ClientHandler ClientSide;
                $($client_request $ClientRequest,)*; $($client_note $ClientNote,)*;
                $($ServerNote,)*; $($ServerRequest,)*);
        }
    )*};
    (@handler $types:ident $Handler:ident $Trait:ident $Side:ident;
        $($request:ident $Request:ident,)*; $($note:ident $Note:ident,)*; $($Sent:ident,)*; $($Asked:ident,)*
    ) => {
        impl $types::$Trait for $Handler {
            $(async fn $request(
                &self,
                _: <$types::$Request as Request>::Params,
                context: &Context,
            ) -> Handled<<$types::$Request as Request>::Result> {
                self.0.answer(<$types::$Request as Request>::METHOD, context).await
            })*

            $(async fn $note(&self, _: <$types::$Note as Notification>::Params, _: &Peer) {
                self.0.note(format!("notification {}", <$types::$Note as Notification>::METHOD));
            })*

            async fn other_notification(&self, method: String, _: Option<Json>, _: &Peer) {
                self.0.note(format!("unknown notification {method}"));
            }

            async fn response(&self, method: &str, response: Response<<$types::$Side as Side>::Result>) {
                self.0.responded(method, &response);
            }

            fn rejected(&self, rejection: &Rejection) {
                self.0.rejected(rejection);
            }
        }

        impl Notifies for $Handler {
            fn ask(asker: Asker<'_>, method: &str, params: Option<Value>) -> Asking {
                $(if method == <$types::$Asked as Request>::METHOD {
                    return asker.ask::<$types::$Asked>(params);
                })*
                panic!("no request {method}, given {asker:?} and {params:?}")
            }

            fn notify(peer: &Peer, method: &str, params: Option<Value>) -> Result<(), Undeclared> {
                $(if method == <$types::$Sent as Notification>::METHOD {
                    return peer.notify::<$types::$Sent>(typed_params(params));
                })*
                panic!("no notification {method}, given {peer:?} and {params:?}")
            }
        }
    };
}

fn typed_params<P: Params>(params: Option<Value>) -> P {
    match params {
        None => P::absent().expect("params that may be absent"),
        Some(params) => {
            let (text, mut params) = (params.to_string(), P::placeholder());
            assert!(params.read(&mut Reader::new(&text)).expect("JSON"), "params that fit");
            params
        }
    }
}

handlers!(sides);

macro_rules! connect {
    ($($module:ident)*) => {
        fn connect(
            revision: &str,
            party: Party,
            setup: Setup,
            script: &Arc<Script>,
        ) -> (Box<dyn Wired>, &'static [Method]) {
            let copy = Arc::clone(script);
            match (revision, party) {
                $(
                    (mcp_wire::$module::REVISION, Party::Server) => {
                        wired::<mcp_wire::$module::ServerSide, _>(setup, script, $module::Server(copy))
                    }
                    (mcp_wire::$module::REVISION, Party::Client) => {
                        wired::<mcp_wire::$module::ClientSide, _>(setup, script, $module::Client(copy))
                    }
                )*
                _ => panic!("no revision {revision}"),
            }
        }
    };
}

revisions!(connect);
