//! The work on a message can be given away, to another thread or to a runtime: it borrows nothing, and the message counts
//! from when it was given to the connection.

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll, Wake, Waker};
use std::thread;

use mcp_wire::v2025_11_25::{
    CallToolAnswer, CallToolRequestParams, CallToolResult, Connection, Context, DynServerHandler, Handled, Json,
    ServerHandler, ServerSide, TextContent,
};

/// What a runtime asks for.
type Spawned = Pin<Box<dyn Future<Output = Option<String>> + Send>>;

struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Takes futures from a queue and runs each to its end.
fn work(queue: &Mutex<Receiver<Spawned>>, answers: &AtomicUsize, ends: &AtomicUsize) {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    loop {
        let Ok(mut future) = queue.lock().unwrap().recv() else { return };
        let answer = loop {
            match future.as_mut().poll(&mut Task::from_waker(&waker)) {
                Poll::Ready(answer) => break answer,
                Poll::Pending => thread::park(),
            }
        };
        answers.fetch_add(usize::from(answer.is_some()), Ordering::SeqCst);
        ends.fetch_add(1, Ordering::SeqCst);
    }
}

/// Works until it is cancelled, or at once.
struct Patient;

impl ServerHandler for Patient {
    async fn call_tool(&self, params: CallToolRequestParams, context: &Context) -> Handled<CallToolAnswer> {
        if params.name == "wait" {
            context.cancelled().await;
        }
        Ok(CallToolResult::new(vec![]).into())
    }
}

/// A cancellation that overtook its request, or was lost, would leave a worker waiting for ever.
#[test]
fn a_request_that_is_cancelled_in_the_next_message_is_never_answered() {
    const COUNT: usize = 100_000;
    let connection = Connection::<ServerSide>::new(|_| ());
    let handler = Arc::new(Patient);
    let (spawn, queue) = channel::<Spawned>();
    let (queue, answers, ends) = (Mutex::new(queue), AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| work(&queue, &answers, &ends));
        }
        for id in 0..COUNT {
            let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"wait"}}}}"#);
            let cancellation =
                format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#);
            for message in [request, cancellation] {
                spawn.send(Box::pin(connection.dispatch(Arc::clone(&handler), message.as_bytes()))).unwrap();
            }
        }
        drop(spawn);
    });
    assert_eq!((answers.into_inner(), ends.into_inner()), (0, 2 * COUNT));
    assert!(format!("{connection:?}").contains("received: 0"), "{connection:?}");
}

/// The future outlives everything that it was made from; the end of the connection ends it.
#[test]
fn work_outlives_the_connection_and_the_handler() {
    let make = || -> [Spawned; 2] {
        let connection = Connection::<ServerSide>::new(|_| ());
        let handler = Arc::new(Patient);
        let message = |id: u8, name: &str| {
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{name}"}}}}"#)
        };
        ["wait", "now"].map(|name| -> Spawned {
            let id = if name == "now" { 1 } else { 2 };
            Box::pin(connection.dispatch(Arc::clone(&handler), message(id, name).as_bytes()))
        })
    };
    for mut future in make() {
        let polled = future.as_mut().poll(&mut Task::from_waker(Waker::noop()));
        assert_eq!(polled, Poll::Ready(None), "who would take the answer?");
    }
}

/// Whoever serves needs not know the handler.
fn serve<H: ServerHandler>(connection: &Connection<ServerSide>, handler: Arc<H>, message: &str) -> Spawned {
    Box::pin(connection.dispatch(handler, message.as_bytes()))
}

const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}"#;

#[test]
fn a_function_that_is_generic_over_the_handler_can_spawn() {
    let connection = Connection::<ServerSide>::new(|_| ());
    let work = serve(&connection, Arc::new(Patient), CALL);
    let answer = thread::spawn(move || mcp_wire_tests::now(work)).join().unwrap();
    assert_eq!(answer.as_deref(), Some(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#));
}

/// A gateway keeps handlers of many types in one list.
#[test]
fn a_handler_may_be_a_trait_object() {
    struct Named(&'static str);

    impl ServerHandler for Named {
        async fn call_tool(&self, _: CallToolRequestParams, _: &Context) -> Handled<CallToolAnswer> {
            Ok(CallToolResult::new(vec![TextContent::new(self.0).into()]).into())
        }

        async fn other_request(&self, method: String, _: Option<Json>, _: &Context) -> Handled<Json> {
            Ok(method.as_str().into())
        }
    }

    let handlers: Vec<Arc<dyn DynServerHandler>> = vec![Arc::new(Patient), Arc::new(Named("a")), Arc::new(Named("b"))];
    let connection = Connection::<ServerSide>::new(|_| ());
    let ask = |message: &'static str| -> Vec<String> {
        let answers = handlers.iter().map(|handler| -> Option<String> {
            let work: Spawned = Box::pin(connection.dispatch(Arc::clone(handler), message.as_bytes()));
            mcp_wire_tests::now(work)
        });
        answers.map(|answer| answer.expect("an answer")).collect()
    };
    let text = |name: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[{{"type":"text","text":"{name}"}}]}}}}"#)
    };
    assert_eq!(ask(CALL), [r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#.to_owned(), text("a"), text("b")]);
    let unknown = ask(r#"{"jsonrpc":"2.0","id":1,"method":"vendor/x"}"#);
    assert!(unknown[0].contains("-32601"), "{unknown:?}");
    assert_eq!(unknown[1..], [r#"{"jsonrpc":"2.0","id":1,"result":"vendor/x"}"#; 2]);
    let ping = ask(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    assert_eq!(ping, [r#"{"jsonrpc":"2.0","id":1,"result":{}}"#; 3], "defaults are those of the trait");
}
