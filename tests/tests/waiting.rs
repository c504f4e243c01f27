//! What waits on a connection takes as much memory and time as it must, and is gone when nobody waits any more.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::task::{Context as Task, Poll, Wake, Waker};
use std::thread;
use std::time::{Duration, Instant};

use mcp_wire::v2025_11_25::{CallToolRequestParams, ClientRequest, GetTaskPayloadRequestParams, ServerMessage};
use mcp_wire::{Call, Connection, Context, InFlight, Lookup, Message};
use mcp_wire_tests::ends::{End, notification, parsed, poll, request};
use mcp_wire_tests::{REVISIONS, now};
use serde_json::{Value, json};

/// A waker that counts.
#[derive(Default)]
struct Bell(AtomicUsize);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

type Watching = Pin<Box<dyn Future<Output = ()> + Send>>;

fn watched(context: &Context, bell: &Arc<Bell>) -> Watching {
    let mut watch: Watching = Box::pin(context.cancelled());
    assert_eq!(ring(&mut watch, bell), Poll::Pending);
    watch
}

fn ring(watch: &mut Watching, bell: &Arc<Bell>) -> Poll<()> {
    watch.as_mut().poll(&mut Task::from_waker(&Waker::from(Arc::clone(bell))))
}

/// An end with a request that is being worked on.
fn busy(revision: &str) -> (End, Value) {
    let end = End::server(revision);
    end.script.hold();
    let call = request(revision, 1, "tools/call");
    (end, call)
}

fn cancellation() -> Value {
    let mut message = notification("2025-11-25", "notifications/cancelled");
    message["params"]["requestId"] = json!(1);
    message
}

#[test]
fn who_does_not_wait_any_more_is_forgotten() {
    for revision in &REVISIONS {
        let (end, call) = busy(revision.name);
        let text = call.to_string();
        let mut answering = end.start(text.as_bytes());
        assert_eq!(poll(&mut answering), None);
        let context = end.script.contexts().remove(0);

        let bell = Arc::new(Bell::default());
        for _ in 0..100 {
            drop(watched(&context, &bell));
        }
        assert_eq!(Arc::strong_count(&bell), 1, "wakers of futures that are gone");
        // One that is polled by several tasks in turn has the waker of the last one.
        let (first, second) = (Arc::new(Bell::default()), Arc::new(Bell::default()));
        let mut watch = watched(&context, &first);
        for bell in [&first, &second, &second] {
            assert_eq!(ring(&mut watch, bell), Poll::Pending);
        }
        assert_eq!((Arc::strong_count(&first), Arc::strong_count(&second)), (1, 2));
        // Those that do wait are woken, each by the waker it was polled with last; the others are not.
        let other = watched(&context, &bell);
        assert_eq!(end.take(&cancellation()), None);
        assert_eq!([&first, &second, &bell].map(|bell| bell.0.load(Ordering::SeqCst)), [0, 1, 1]);
        assert_eq!([&first, &second, &bell].map(Arc::strong_count), [1, 1, 1]);
        assert_eq!(ring(&mut watch, &first), Poll::Ready(()));
        drop((watch, other));
        assert_eq!(poll(&mut answering), Some(None));
    }
}

/// The work on a request waits for its cancellation, too, and no longer than it lasts.
#[test]
fn a_request_that_is_done_or_dropped_leaves_no_waker_behind() {
    let (end, call) = busy("2025-11-25");
    let text = call.to_string();
    for is_done in [true, false] {
        let bell = Arc::new(Bell::default());
        let waker = Waker::from(Arc::clone(&bell));
        end.script.hold();
        let mut answering = end.start(text.as_bytes());
        assert!(answering.as_mut().poll(&mut Task::from_waker(&waker)).is_pending());
        let context = end.script.contexts().pop().expect("a context");
        if is_done {
            end.script.release();
            assert!(answering.as_mut().poll(&mut Task::from_waker(&waker)).is_ready());
        } else {
            drop(answering);
        }
        drop(waker);
        assert_eq!(Arc::strong_count(&bell), 1, "done: {is_done}");
        drop(context);
    }
}

/// With a list that is searched for each waiter, this takes minutes.
#[test]
fn a_hundred_thousand_may_wait_for_a_cancellation() {
    let (end, call) = busy("2025-11-25");
    let text = call.to_string();
    let mut answering = end.start(text.as_bytes());
    assert_eq!(poll(&mut answering), None);
    let context = end.script.contexts().remove(0);
    let start = Instant::now();
    let bells: Vec<Arc<Bell>> = (0..100_000).map(|_| Arc::default()).collect();
    let mut watches: Vec<Watching> = bells.iter().map(|bell| watched(&context, bell)).collect();
    for (watch, bell) in watches.iter_mut().zip(&bells) {
        assert_eq!(ring(watch, bell), Poll::Pending);
    }
    // Half of them give up, in the order they came.
    watches.drain(..50_000);
    assert_eq!(end.take(&cancellation()), None);
    let woken = bells.iter().filter(|bell| bell.0.load(Ordering::SeqCst) == 1).count();
    assert_eq!(woken, 50_000);
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(20), "{taken:?}");
}

/// Answers a request of a client with a task, or whatever is given.
fn settle(sent: &mut InFlight, id: i64, answer: Value) {
    let mut message = json!({ "jsonrpc": "2.0", "id": id });
    message.as_object_mut().expect("an object").extend(answer.as_object().expect("an object").clone());
    match ServerMessage::from_str(&message.to_string(), sent) {
        Ok(Message::Response(response)) => drop(sent.settle(&response).expect("a request in flight")),
        Ok(other) => panic!("{other:?}"),
        Err(rejection) => drop(sent.settle_refused(&rejection).expect("a request in flight")),
    }
}

fn create_task(sent: &mut InFlight, id: i64, task: &str) {
    let call = Call::<ClientRequest>::new(id, CallToolRequestParams::new("slow"));
    sent.insert_call(&call, ()).expect("a free id");
    let time = "2025-11-25T00:00:00Z";
    let task = json!({ "taskId": task, "status": "working", "createdAt": time, "lastUpdatedAt": time, "ttl": null });
    settle(sent, id, json!({ "result": { "task": task } }));
}

fn fetch_task(sent: &mut InFlight, id: i64, task: &str) {
    let call = Call::<ClientRequest>::new(id, GetTaskPayloadRequestParams::new(task));
    sent.insert_call(&call, ()).expect("a free id");
}

/// What a table keeps, in bytes, as far as its printed form shows it.
fn kept(sent: &InFlight) -> usize {
    format!("{sent:?}").len()
}

/// However the fetch ends, there is nothing more to fetch.
#[test]
fn a_task_is_forgotten_when_what_became_of_it_has_been_fetched() {
    let error = json!({ "code": -32603, "message": "the tool failed" });
    let ends = [
        json!({ "result": { "content": [] } }),
        json!({ "error": error }),
        json!({ "error": "no" }),
        json!({ "error": { "code": 1 } }),
        json!({}),
    ];
    for end in ends {
        let mut sent = InFlight::default();
        for number in 0..20 {
            let task = format!("{number}{}", "t".repeat(40_000));
            create_task(&mut sent, 1, &task);
            assert!(kept(&sent) > 40_000, "a task that has not been fetched");
            fetch_task(&mut sent, 2, &task);
            let asked = |lookup: &dyn Lookup, id: i64| (lookup.method_of(&id.into()), lookup.asked(&id.into()));
            assert_eq!(asked(&sent, 2), (Some("tools/call".into()), Some("tasks/result".into())));
            settle(&mut sent, 2, end.clone());
            assert!(kept(&sent) < 1000, "{end}: {} bytes are kept", kept(&sent));
        }
    }
}

/// Tasks that nobody fetches are remembered as long as that costs little: the newest ones.
#[test]
fn ids_of_tasks_take_little_memory_all_together() {
    let mut sent = InFlight::default();
    for number in 0..200 {
        create_task(&mut sent, 1, &format!("{number}{}", "t".repeat(1_000_000)));
        assert!(number % 20 != 0 || kept(&sent) < 3 << 20, "{} bytes are kept", kept(&sent));
    }
    for number in 0..100_000 {
        create_task(&mut sent, 1, &format!("task {number}"));
    }
    assert!(kept(&sent) < 4 << 20, "{} bytes are kept", kept(&sent));
    let mut method = |task: &str| {
        fetch_task(&mut sent, 2, task);
        let method = sent.method_of(&2.into());
        sent.forget(&2.into());
        method
    };
    for number in 95_000..100_000 {
        assert_eq!(method(&format!("task {number}")), Some("tools/call".into()));
    }
    assert_eq!(method("task 0"), Some("tasks/result".into()));
}

/// Of several that come at once, on several threads, one opens the connection.
#[test]
fn one_handshake_at_a_time_is_accepted() {
    const THREADS: usize = 4;
    // Checking the params takes a while, in which the others have come as far.
    let experiments: Vec<String> = (0..20_000).map(|number| format!("\"{number}\":{{}}")).collect();
    let experiments = format!("\"experimental\":{{{}}}", experiments.join(","));
    let mut rounds = 0;
    macro_rules! revisions {
        ($($revision:ident)*) => {$(for _ in 0..10 {
            use mcp_wire::$revision::{
                Context, Handled, Implementation, InitializeRequestParams, InitializeResult, REVISION,
                ServerCapabilities, ServerHandler, ServerSide,
            };
            struct Polite;
            impl ServerHandler for Polite {
                async fn initialize(&self, _: InitializeRequestParams, _: &Context) -> Handled<InitializeResult> {
                    Ok(InitializeResult::new(REVISION, ServerCapabilities::new(), Implementation::new("s", "1")))
                }
            }
            let connection = Connection::<ServerSide>::new(|_| {}).with_strict_lifecycle();
            let barrier = Barrier::new(THREADS);
            let meet = |id: usize| {
                let mut message = request(REVISION, id, "initialize");
                message["params"]["capabilities"] = json!({ "experimental": {} });
                let text = message.to_string().replace("\"experimental\":{}", &experiments);
                assert!(text.len() > 200_000, "all of it is there");
                let message = connection.read(text.as_bytes()).expect("a message");
                barrier.wait();
                parsed(&now(connection.handle(&Polite, message)).expect("an answer"))
            };
            let answers: Vec<Value> = thread::scope(|scope| {
                let threads: Vec<_> = (0..THREADS).map(|id| { let meet = &meet; scope.spawn(move || meet(id)) }).collect();
                threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
            });
            let opened = answers.iter().filter(|answer| answer.get("result").is_some()).count();
            let refused = answers.iter().filter(|answer| answer["error"]["code"] == -32600).count();
            assert_eq!((opened, refused), (1, THREADS - 1), "{answers:?}");
            rounds += 1;
        })*};
    }
    revisions! { v2024_11_05 v2025_03_26 v2025_06_18 v2025_11_25 }
    assert_eq!(rounds, 40);
}
