//! No lock is held while code of others runs: from each place where it does, everything can be called. Each pair runs on
//! a thread of its own, with a watchdog, so that a deadlock is a failure and not a test that never ends.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt::{self, Write};
use std::future::{Future, poll_fn};
use std::panic::panic_any;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context as Task, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use mcp_wire::v2025_11_25::{
    CallToolAnswer, CallToolRequestParams, CallToolResult, CancelledNotificationParams, ClientMessage, ClientResult,
    Connection, Context, Handled, ListRootsRequest, ListRootsResult, LoggingLevel, LoggingMessageNotification,
    LoggingMessageNotificationParams, Peer, Rejection, ServerHandler, ServerRequest, ServerSide,
    ToolListChangedNotification,
};
use mcp_wire::{AskError, JsonObject, Lookup, Message, Number, Response};
use mcp_wire_core::__private::{Checker, Reader, Stop, Wire};
use mcp_wire_tests::ends::parsed;
use mcp_wire_tests::{now, root};
use serde_json::{Value, json};

type Answering = Pin<Box<dyn Future<Output = Option<String>> + Send>>;

/// A connection with a request that is worked on, and one thing that is called when a certain place is reached.
struct World {
    server: Connection<ServerSide>,
    context: Mutex<Option<Context>>,
    answering: Mutex<Option<Answering>>,
    is_released: AtomicBool,
    is_closed: AtomicBool,
    sent: Mutex<Vec<String>>,
    /// Keeps the function that sends from returning.
    gate: Mutex<Option<Receiver<()>>>,
    entered: Mutex<Option<Sender<()>>>,
    armed: Mutex<Option<(&'static str, Action)>>,
    reached: AtomicUsize,
    returned: AtomicUsize,
}

type Action = fn(&Arc<World>);

impl World {
    fn new() -> Arc<Self> {
        Arc::new_cyclic(|world: &Weak<Self>| {
            let world = Weak::clone(world);
            let send = move |text: String| {
                let Some(world) = world.upgrade() else { return };
                world.sent.lock().unwrap().push(text);
                world.reach("send");
                let (entered, gate) = (world.entered.lock().unwrap().take(), world.gate.lock().unwrap().take());
                if let Some(entered) = entered {
                    entered.send(()).unwrap();
                }
                if let Some(gate) = gate {
                    gate.recv().unwrap();
                }
            };
            Self {
                server: Connection::new(send),
                context: Mutex::default(),
                answering: Mutex::default(),
                is_released: AtomicBool::new(false),
                is_closed: AtomicBool::new(false),
                sent: Mutex::default(),
                gate: Mutex::default(),
                entered: Mutex::default(),
                armed: Mutex::default(),
                reached: AtomicUsize::new(0),
                returned: AtomicUsize::new(0),
            }
        })
    }

    /// A place where code of others runs has been reached.
    fn reach(self: &Arc<Self>, place: &str) {
        let mut armed = self.armed.lock().unwrap();
        let action = match *armed {
            Some((at, action)) if at == place => action,
            _ => return,
        };
        *armed = None;
        drop(armed);
        self.reached.fetch_add(1, Ordering::SeqCst);
        action(self);
        self.returned.fetch_add(1, Ordering::SeqCst);
    }

    fn context(&self) -> Context {
        self.context.lock().unwrap().clone().expect("a request that is worked on")
    }

    fn dispatch(self: &Arc<Self>, message: &Value) -> Answering {
        let (world, text) = (Arc::clone(self), message.to_string());
        Box::pin(async move { world.server.dispatch(&Visitor(Arc::clone(&world)), text.as_bytes()).await })
    }

    fn hear(self: &Arc<Self>, message: &Value) -> Option<String> {
        now(self.dispatch(message))
    }

    /// Starts a request that is worked on until it is released.
    fn start(self: &Arc<Self>, waker: &Waker) {
        let mut answering = self.dispatch(&call(1, "wait"));
        assert!(answering.as_mut().poll(&mut Task::from_waker(waker)).is_pending());
        *self.answering.lock().unwrap() = Some(answering);
    }

    /// Polls that request.
    fn poll(&self, waker: &Waker) -> Poll<Option<String>> {
        let mut answering = self.answering.lock().unwrap().take().expect("a request");
        let polled = answering.as_mut().poll(&mut Task::from_waker(waker));
        *self.answering.lock().unwrap() = Some(answering);
        polled
    }

    /// Makes the next thread that sends wait, and says when it does and how to let it go.
    fn close_gate(&self) -> (Receiver<()>, Sender<()>) {
        let ((entered, has_entered), (open, gate)) = (channel(), channel());
        *self.entered.lock().unwrap() = Some(entered);
        *self.gate.lock().unwrap() = Some(gate);
        (has_entered, open)
    }
}

fn call(id: i64, tool: &str) -> Value {
    let params = json!({ "name": tool, "_meta": { "progressToken": "p" } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

fn cancellation(id: i64) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })
}

/// Reaches a place when it is woken, dropped, written to or made into something else.
struct Hook(Arc<World>, &'static str);

struct Bell(Hook);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.0.reach("wake");
    }
}

impl Drop for Hook {
    fn drop(&mut self) {
        self.0.reach(self.1);
    }
}

impl Write for Hook {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        self.0.reach("print");
        Ok(())
    }
}

impl Wire for Hook {
    const EXPECTED: &'static str = "nothing, since it is only written";

    fn placeholder() -> Self {
        unreachable!()
    }

    fn read(&mut self, _: &mut Reader<'_>) -> Result<bool, Stop> {
        unreachable!()
    }

    fn write(&self, text: &mut String) {
        self.0.reach("write");
        text.push_str("null");
    }

    fn inspect(&self, _: &mut Checker<'_>) {
        unreachable!()
    }
}

impl From<Hook> for ServerRequest {
    fn from(hook: Hook) -> Self {
        hook.0.reach("convert");
        Self::ListRoots(None)
    }
}

impl From<Hook> for Number {
    fn from(hook: Hook) -> Self {
        hook.0.reach("convert");
        9.into()
    }
}

fn bell(world: &Arc<World>) -> Waker {
    Waker::from(Arc::new(Bell(Hook(Arc::clone(world), "drop of a waker"))))
}

struct Visitor(Arc<World>);

impl ServerHandler for Visitor {
    async fn call_tool(&self, params: CallToolRequestParams, context: &Context) -> Handled<CallToolAnswer> {
        match params.name.as_str() {
            "wait" => {
                let _held = Hook(Arc::clone(&self.0), "drop of a future");
                *self.0.context.lock().unwrap() = Some(context.clone());
                let world = &self.0;
                poll_fn(|_| if world.is_released.load(Ordering::SeqCst) { Poll::Ready(()) } else { Poll::Pending })
                    .await;
            }
            "panic" => panic_any(Hook(Arc::clone(&self.0), "drop of a panic")),
            _ => self.0.reach("request"),
        }
        Ok(CallToolResult::new(vec![]).into())
    }

    async fn cancelled(&self, _: CancelledNotificationParams, _: &Peer) {
        self.0.reach("notification");
    }

    async fn response(&self, _: &str, _: Response<ClientResult>) {
        self.0.reach("response");
    }

    fn rejected(&self, _: &Rejection) {
        self.0.reach("rejected");
    }
}

/// Leads to a place; the function that it is given is called when all is ready.
type Lead = fn(&Arc<World>, &dyn Fn());

/// The places where code of others runs, and what leads to each. What has to be ready before is made first.
const PLACES: &[(&str, &str, Lead)] = &[
    ("progress is sent", "send", |world, arm| {
        arm();
        let _ = world.context().progress(10, None, None);
    }),
    ("a notification is sent", "send", |world, arm| {
        arm();
        world.server.peer().notify::<ToolListChangedNotification>(None).unwrap();
    }),
    ("a request is handled", "request", |world, arm| {
        arm();
        let answer = world.hear(&call(2, "act"));
        assert_eq!(answer.is_none(), world.is_closed.load(Ordering::SeqCst), "the end of a connection cancels");
    }),
    ("a notification is handled", "notification", |world, arm| {
        arm();
        assert_eq!(world.hear(&cancellation(77)), None);
    }),
    ("an answer is handled", "response", |world, arm| {
        let (id, _) = world.server.ask(ServerRequest::ListRoots(None)).unwrap();
        arm();
        assert_eq!(world.hear(&json!({ "jsonrpc": "2.0", "id": id, "result": { "roots": [] } })), None);
    }),
    ("a rejection is handled", "rejected", |world, arm| {
        arm();
        assert!(world.hear(&json!(5)).is_some());
    }),
    ("a watcher is woken", "wake", |world, arm| {
        let mut watch: Pin<Box<dyn Future<Output = ()>>> = Box::pin(world.context().cancelled());
        assert!(watch.as_mut().poll(&mut Task::from_waker(&bell(world))).is_pending());
        arm();
        assert_eq!(world.hear(&cancellation(1)), None);
    }),
    ("the work on a request is woken", "wake", |world, arm| {
        assert!(world.poll(&bell(world)).is_pending());
        arm();
        assert_eq!(world.hear(&cancellation(1)), None);
    }),
    ("a watcher is dropped", "drop of a waker", |world, arm| {
        let mut watch: Pin<Box<dyn Future<Output = ()>>> = Box::pin(world.context().cancelled());
        assert!(watch.as_mut().poll(&mut Task::from_waker(&bell(world))).is_pending());
        arm();
        drop(watch);
    }),
    ("a watcher gets another waker", "drop of a waker", |world, arm| {
        let mut watch: Pin<Box<dyn Future<Output = ()>>> = Box::pin(world.context().cancelled());
        assert!(watch.as_mut().poll(&mut Task::from_waker(&bell(world))).is_pending());
        arm();
        assert!(watch.as_mut().poll(&mut Task::from_waker(Waker::noop())).is_pending());
    }),
    ("the work on a request gets another waker", "drop of a waker", |world, arm| {
        assert!(world.poll(&bell(world)).is_pending());
        arm();
        assert!(world.poll(Waker::noop()).is_pending());
    }),
    ("the work on a request is dropped", "drop of a future", |world, arm| {
        arm();
        let answering = world.answering.lock().unwrap().take();
        drop(answering);
    }),
    ("the work on a request is cancelled", "drop of a future", |world, arm| {
        assert_eq!(world.hear(&cancellation(1)), None);
        arm();
        assert_eq!(world.poll(Waker::noop()), Poll::Ready(None));
    }),
    ("a question is sent", "send", |world, arm| {
        let mut asking = Box::pin(world.server.peer().ask::<ListRootsRequest>(None));
        arm();
        let _ = asking.as_mut().poll(&mut Task::from_waker(Waker::noop()));
    }),
    ("a question is given up", "send", |world, arm| {
        let (asking, _) = wait_for_answer(world);
        arm();
        drop(asking);
    }),
    ("one who has asked is woken", "wake", |world, arm| {
        let (_asking, id) = wait_for_answer(world);
        arm();
        assert_eq!(world.hear(&json!({ "jsonrpc": "2.0", "id": id, "result": { "roots": [] } })), None);
    }),
    ("one who has asked is woken at the end", "wake", |world, arm| {
        let _asking = wait_for_answer(world);
        arm();
        world.server.close();
    }),
    ("one who has asked gets another waker", "drop of a waker", |world, arm| {
        let (mut asking, _) = wait_for_answer(world);
        arm();
        assert!(asking.as_mut().poll(&mut Task::from_waker(Waker::noop())).is_pending());
    }),
    ("a panic is caught", "drop of a panic", |world, arm| {
        arm();
        match world.hear(&call(2, "panic")) {
            Some(answer) => assert!(answer.contains("-32603")),
            None => assert!(world.is_closed.load(Ordering::SeqCst), "the end of a connection cancels"),
        }
    }),
    ("a connection is printed", "print", |world, arm| {
        arm();
        write!(Hook(Arc::clone(world), "end of print"), "{:?}", world.server).unwrap();
    }),
    ("a context is printed", "print", |world, arm| {
        // The lists in it are not empty.
        let mut watch: Pin<Box<dyn Future<Output = ()>>> = Box::pin(world.context().cancelled());
        assert!(watch.as_mut().poll(&mut Task::from_waker(&bell(world))).is_pending());
        arm();
        write!(Hook(Arc::clone(world), "end of print"), "{:?}", world.context()).unwrap();
    }),
    ("an answer is written", "write", |world, arm| {
        arm();
        drop(world.context().answer(Ok(Hook(Arc::clone(world), "end of write"))));
    }),
    ("what is asked is converted", "convert", |world, arm| {
        arm();
        world.server.ask(Hook(Arc::clone(world), "end of convert")).unwrap();
    }),
    ("a progress value is converted", "convert", |world, arm| {
        arm();
        let _ = world.context().progress(Hook(Arc::clone(world), "end of convert"), None, None);
    }),
    ("an answer that waits for a report is woken", "wake", |world, arm| {
        wait_for_report(world, |world, open| {
            arm();
            open.send(()).unwrap();
            while world.returned.load(Ordering::SeqCst) == 0 {
                thread::yield_now();
            }
        });
    }),
    ("an answer that waits for a report is dropped", "drop of a waker", |world, arm| {
        wait_for_report(world, |world, open| {
            arm();
            let answering = world.answering.lock().unwrap().take();
            drop(answering);
            open.send(()).unwrap();
        });
    }),
    ("an answer that waits for a report is cancelled", "wake", |world, arm| {
        wait_for_report(world, |world, open| {
            arm();
            assert_eq!(world.hear(&cancellation(1)), None);
            open.send(()).unwrap();
        });
    }),
];

type Asking = Pin<Box<dyn Future<Output = Result<ListRootsResult, AskError>>>>;

/// A question that has been sent, with a waker of ours, and its id.
fn wait_for_answer(world: &Arc<World>) -> (Asking, Value) {
    let mut asking: Asking = Box::pin(world.server.peer().ask::<ListRootsRequest>(None));
    assert!(asking.as_mut().poll(&mut Task::from_waker(&bell(world))).is_pending());
    let sent = world.sent.lock().unwrap().pop().expect("a request");
    (asking, parsed(&sent)["id"].clone())
}

/// A request that is done, while another thread still sends a report about it.
fn wait_for_report(world: &Arc<World>, then: impl FnOnce(&Arc<World>, Sender<()>)) {
    let (has_entered, open) = world.close_gate();
    let context = world.context();
    let reporter = thread::spawn(move || context.progress(10, None, None));
    has_entered.recv().unwrap();
    world.is_released.store(true, Ordering::SeqCst);
    let waker = bell(world);
    assert!(world.poll(&waker).is_pending(), "the report comes first");
    drop(waker);
    then(world, open);
    reporter.join().unwrap().unwrap();
}

/// Everything that can be called on a connection, a context and a peer, and what else one may do to a request.
const ACTIONS: &[(&str, Action)] = &[
    ("peer", |world| drop(world.server.peer().clone())),
    ("ask", |world| drop(world.server.ask(ServerRequest::ListRoots(None)).unwrap())),
    ("ask", |world| {
        // Both are dropped unanswered, and so cancelled.
        let mut asking = Box::pin(world.server.peer().ask::<ListRootsRequest>(None));
        let _ = asking.as_mut().poll(&mut Task::from_waker(Waker::noop()));
        let mut asking = Box::pin(world.context().ask::<ListRootsRequest>(None));
        let _ = asking.as_mut().poll(&mut Task::from_waker(Waker::noop()));
    }),
    ("close", |world| {
        world.is_closed.store(true, Ordering::SeqCst);
        world.server.close();
    }),
    ("cancel", |world| {
        let (id, _) = world.server.ask(ServerRequest::ListRoots(None)).unwrap();
        assert!(world.server.cancel(&id, Some("enough")).is_some());
    }),
    ("settle", |world| {
        let (id, _) = world.server.ask(ServerRequest::ListRoots(None)).unwrap();
        let answer = json!({ "jsonrpc": "2.0", "id": id, "result": { "roots": [] } }).to_string();
        let Ok(Message::Response(response)) = world.server.read(answer.as_bytes()) else { panic!("{answer}") };
        assert!(world.server.settle(&response).is_some());
    }),
    ("settle_refused", |world| {
        let (id, _) = world.server.ask(ServerRequest::ListRoots(None)).unwrap();
        let answer = json!({ "jsonrpc": "2.0", "id": id, "error": "no" }).to_string();
        let rejection = world.server.read(answer.as_bytes()).unwrap_err();
        assert!(world.server.settle_refused(&rejection).is_some());
    }),
    ("read", |world| drop(world.server.read(b"{").unwrap_err())),
    ("dispatch", |world| assert!(world.hear(&call(3, "act")).is_some())),
    ("dispatch", |world| assert_eq!(world.hear(&cancellation(1)), None)),
    ("handle", |world| {
        let message = ClientMessage::from_value(&call(4, "act"), &world.server).unwrap();
        assert!(now(world.server.handle(&Visitor(Arc::clone(world)), message)).is_some());
    }),
    ("refuse", |world| {
        assert!(world.server.refuse(&Visitor(Arc::clone(world)), &Rejection::too_long(1)).is_some());
    }),
    ("id", |world| assert_eq!(*world.context().id(), 1.into())),
    ("progress_token", |world| assert!(world.context().progress_token().is_some())),
    ("notify", |world| {
        let params = LoggingMessageNotificationParams::new(LoggingLevel::Info, json!(1));
        world.context().notify::<LoggingMessageNotification>(params).unwrap();
        world.context().peer().notify::<ToolListChangedNotification>(None).unwrap();
    }),
    ("send", |world| world.server.peer().send("{}".to_owned())),
    ("progress", |world| {
        let _ = world.context().progress(11, None, Some("from inside"));
    }),
    ("is_cancelled", |world| {
        let _ = world.context().is_cancelled();
    }),
    ("cancelled", |world| {
        let mut watch: Pin<Box<dyn Future<Output = ()>>> = Box::pin(world.context().cancelled());
        let _ = watch.as_mut().poll(&mut Task::from_waker(Waker::noop()));
    }),
    ("answer", |world| drop(world.context().answer(Ok(JsonObject::new())))),
    // What is not a method.
    ("print", |world| drop(format!("{:?} {:?}", world.server, world.context()))),
    ("look up", |world| {
        let (id, _) = world.server.ask(ServerRequest::ListRoots(None)).unwrap();
        assert_eq!(
            (world.server.method_of(&id), world.server.asked(&id)),
            (Some("roots/list".into()), Some("roots/list".into()))
        );
    }),
    ("drop the request", |world| {
        let answering = world.answering.lock().unwrap().take();
        drop(answering);
    }),
    ("poll the request", |world| {
        let answering = world.answering.lock().unwrap().take();
        if let Some(mut answering) = answering {
            let _ = answering.as_mut().poll(&mut Task::from_waker(Waker::noop()));
        }
    }),
    ("finish the request", |world| {
        world.is_released.store(true, Ordering::SeqCst);
        let answering = world.answering.lock().unwrap().take();
        if let Some(mut answering) = answering {
            let _ = answering.as_mut().poll(&mut Task::from_waker(Waker::noop()));
        }
    }),
];

/// What can be called on a connection before it is used.
const BUILDERS: [&str; 7] = [
    "new",
    "with_gates",
    "with_strict_lifecycle",
    "with_next_id",
    "with_odd_params",
    "with_batch_limit",
    "with_ask_limit",
];

/// The public methods in a source file of the runtime.
fn methods(file: &str) -> BTreeSet<String> {
    let source = std::fs::read_to_string(root().join("runtime/src").join(file)).expect("a source file");
    let names = source.lines().filter_map(|line| line.strip_prefix("    pub fn "));
    names.map(|line| line.split(['(', '<']).next().expect("a name").to_owned()).collect()
}

#[test]
fn everything_can_be_called_from_wherever_code_of_others_runs() {
    let mut public = methods("connection.rs");
    public.append(&mut methods("peer.rs"));
    let called: BTreeSet<String> = ACTIONS.iter().map(|(name, _)| *name).chain(BUILDERS).map(str::to_owned).collect();
    assert_eq!(public.difference(&called).collect::<Vec<_>>(), [""; 0], "public methods that are not called");

    let mut pairs = 0;
    for &(place, hook, lead) in PLACES {
        for &(name, action) in ACTIONS {
            let (done, is_done) = channel();
            let thread = thread::spawn(move || {
                let world = World::new();
                world.start(Waker::noop());
                lead(&world, &|| *world.armed.lock().unwrap() = Some((hook, action)));
                done.send((world.reached.load(Ordering::SeqCst), world.returned.load(Ordering::SeqCst))).unwrap();
                // The world holds the request, and that the world.
                let left: (Box<dyn Any>, Box<dyn Any>) =
                    (Box::new(world.answering.lock().unwrap().take()), Box::new(world.context.lock().unwrap().take()));
                drop(left);
            });
            match is_done.recv_timeout(Duration::from_secs(60)) {
                Ok(counts) => assert_eq!(counts, (1, 1), "{name}, called when {place}: not reached, or panicked"),
                Err(error) => panic!("{name}, called when {place}, hangs or panics ({error})"),
            }
            thread.join().expect("a clean end");
            pairs += 1;
        }
    }
    assert_eq!((PLACES.len(), ACTIONS.len(), pairs), (27, 25, 27 * 25));
}

/// A deadlock is a failure.
fn guarded(test: fn()) {
    let (done, is_done) = channel();
    let thread = thread::spawn(move || {
        test();
        done.send(()).unwrap();
    });
    if let Err(std::sync::mpsc::RecvTimeoutError::Timeout) = is_done.recv_timeout(Duration::from_secs(60)) {
        panic!("a deadlock");
    }
    thread.join().expect("what the test claims");
}

/// The progress values that were sent.
fn reported(world: &World) -> Vec<i64> {
    let sent = world.sent.lock().unwrap();
    sent.iter().filter_map(|text| parsed(text)["params"]["progress"].as_i64()).collect()
}

/// A function that blocks does not keep a request from being dropped, nor other threads from reporting.
#[test]
fn a_send_that_blocks_blocks_nobody_else() {
    guarded(|| {
        let world = World::new();
        world.start(Waker::noop());
        let context = world.context();
        let (has_entered, open) = world.close_gate();
        let reporter = thread::spawn(move || context.progress(1, None, None));
        has_entered.recv().unwrap();
        let (done, is_done) = channel();
        let copy = Arc::clone(&world);
        let dropper = thread::spawn(move || {
            copy.context().progress(2, None, None).unwrap();
            let answering = copy.answering.lock().unwrap().take();
            drop(answering);
            done.send(copy.context().progress(3, None, None)).unwrap();
        });
        let after = is_done.recv_timeout(Duration::from_secs(60)).expect("the request can be dropped");
        assert_eq!(after, Err(mcp_wire::ProgressError::Over));
        open.send(()).unwrap();
        reporter.join().unwrap().unwrap();
        dropper.join().unwrap();
        assert_eq!(reported(&world), [1], "what waited when the request was dropped is not sent any more");
    });
}

/// What is reported while something is being sent comes next, in order; there is a limit to it, and the newest stays.
#[test]
fn reports_wait_for_the_one_that_is_being_sent() {
    guarded(|| {
        for (count, expected) in [(10, 10), (65, 65), (1000, 65)] {
            let world = World::new();
            world.start(Waker::noop());
            let (has_entered, open) = world.close_gate();
            let context = world.context();
            let reporter = thread::spawn(move || context.progress(1, None, None));
            has_entered.recv().unwrap();
            for value in 2..=count {
                world.context().progress(value, None, None).unwrap();
            }
            assert_eq!(world.context().progress(count, None, None), Err(mcp_wire::ProgressError::NotIncreasing));
            // The answer is there, and waits for all of them.
            world.is_released.store(true, Ordering::SeqCst);
            assert!(world.poll(Waker::noop()).is_pending());
            assert_eq!(world.context().progress(count + 1, None, None), Err(mcp_wire::ProgressError::Over));
            open.send(()).unwrap();
            reporter.join().unwrap().unwrap();
            assert!(matches!(world.poll(Waker::noop()), Poll::Ready(Some(_))));
            let mut values: Vec<i64> = (1..expected).collect();
            values.push(count);
            assert_eq!(reported(&world), values);
        }
    });
}

/// Several threads report as fast as they can, until the request is answered.
#[test]
fn progress_rises_and_ends_with_the_answer_whichever_threads_report() {
    guarded(|| {
        let mut reports = 0;
        for _ in 0..50 {
            let world = World::new();
            world.start(Waker::noop());
            let next = Arc::new(AtomicUsize::new(1));
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    let (context, next) = (world.context(), Arc::clone(&next));
                    thread::spawn(move || {
                        loop {
                            match context.progress(next.fetch_add(1, Ordering::SeqCst) as i64, None, None) {
                                Err(mcp_wire::ProgressError::Over) => return,
                                _ => thread::yield_now(),
                            }
                        }
                    })
                })
                .collect();
            while next.load(Ordering::SeqCst) < 200 {
                thread::yield_now();
            }
            world.is_released.store(true, Ordering::SeqCst);
            while world.poll(Waker::noop()).is_pending() {
                thread::yield_now();
            }
            let before = reported(&world);
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            assert_eq!(reported(&world), before, "nothing comes after the answer");
            assert!(before.is_sorted_by(|one, next| one < next), "{before:?}");
            reports += before.len();
        }
        assert!(reports > 1000, "only {reports} reports");
    });
}
