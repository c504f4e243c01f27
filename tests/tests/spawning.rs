//! The work on a message can be given away, to another thread or to a runtime: it borrows nothing, and the message counts
//! from when it was given to the connection.

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll, Wake, Waker};
use std::thread;

use mcp_wire::v2025_11_25::{
    CallToolAnswer, CallToolRequestParams, CallToolResult, Connection, Context, Handled, ServerHandler, ServerSide,
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

/// A handler that is not `Send` has a future that is not, on a single thread.
#[test]
fn a_handler_of_one_thread_is_as_good() {
    struct Counts(std::rc::Rc<std::cell::Cell<u32>>);

    impl ServerHandler for Counts {
        async fn call_tool(&self, _: CallToolRequestParams, _: &Context) -> Handled<CallToolAnswer> {
            self.0.set(self.0.get() + 1);
            Ok(CallToolResult::new(vec![]).into())
        }
    }

    let count = std::rc::Rc::new(std::cell::Cell::new(0));
    let handler = std::rc::Rc::new(Counts(std::rc::Rc::clone(&count)));
    let connection = Connection::<ServerSide>::new(|_| ());
    let message = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}"#;
    let owned: Pin<Box<dyn Future<Output = Option<String>>>> = Box::pin(connection.dispatch(handler, message));
    let answer = mcp_wire_tests::now(owned);
    assert_eq!(answer.as_deref(), Some(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#));
    assert_eq!(count.get(), 1);
}
