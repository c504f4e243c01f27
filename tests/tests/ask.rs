//! Asking the other side: every question ends, in the way that its answer deserves, and leaves nothing behind.

use std::future::poll_fn;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll, Wake, Waker};
use std::thread;

use mcp_wire::v2025_11_25::{
    ClientHandler, ClientSide, Connection, Handled, ListRootsRequest, ListRootsResult, PingRequest, Root,
    ServerHandler, ServerSide,
};
use mcp_wire_core::{AskError, Context, ErrorObject, Json, MethodKind, Party, Phase};
use mcp_wire_tests::ends::{Asking, End, Setup, parsed, poll, request, response};
use mcp_wire_tests::mutants::Random;
use mcp_wire_tests::{REVISIONS, now, seed};
use serde_json::{Value, json};

/// Both ends of all revisions that ask anything, with what they ask.
fn askers(setup: &Setup) -> Vec<(End, Vec<&'static str>)> {
    let both = REVISIONS.iter().flat_map(|revision| [(revision, Party::Client), (revision, Party::Server)]);
    let ends = both.map(|(revision, party)| {
        let end = End::new(revision.name, party, setup.clone());
        let asked = end.methods.iter().filter(|row| row.kind == MethodKind::Request && row.senders.contains(&party));
        let names: Vec<&str> = asked.map(|row| row.name).collect();
        (end, names)
    });
    let ends: Vec<(End, Vec<&'static str>)> = ends.filter(|(_, names)| !names.is_empty()).collect();
    // A server without a handshake asks nothing.
    let silent = REVISIONS.iter().filter(|revision| !revision.has_handshake()).count();
    assert_eq!(ends.len(), 2 * REVISIONS.len() - silent);
    ends
}

/// Asks, and gives the request that was sent for it.
fn ask(end: &End, method: &str) -> (Asking, Value) {
    let mut asking = end.asking(method);
    assert_eq!(end.script.sent(), [json!(null); 0], "nothing is sent before the first poll");
    assert_eq!(poll(&mut asking), None);
    let [request] = &end.script.sent()[..] else { panic!("{method}: one request is sent") };
    (asking, request.clone())
}

fn is_idle(end: &End) -> bool {
    end.printed().contains("sent: 0, received: 0")
}

fn cancellation(request: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": request["id"] } })
}

/// Whether a method opens the connection.
fn is_handshake(end: &End, method: &str) -> bool {
    end.methods.iter().any(|row| row.name == method && row.phase == Phase::Handshake)
}

#[test]
fn every_request_of_every_revision_gets_its_result() {
    let mut asked = 0;
    for (end, methods) in askers(&Setup::default()) {
        for method in methods {
            let place = format!("{} {:?} {method}", end.revision.name, end.party);
            let (mut asking, sent) = ask(&end, method);
            assert_eq!(sent, request(end.revision.name, sent["id"].clone(), method), "{place}");
            let answer = response(end.revision.name, &sent);
            assert_eq!(end.take(&answer), None, "{place}");
            assert_eq!(poll(&mut asking), Some(Ok(answer["result"].clone())), "{place}");
            assert_eq!(end.script.diary(), [""; 0], "the handler has no part in it: {place}");
            drop(asking);
            assert_eq!(end.script.sent(), [json!(null); 0], "{place}");
            assert!(is_idle(&end), "{place}: {}", end.printed());
            asked += 1;
        }
    }
    assert_eq!(asked, 84, "requests of both sides in all revisions");
}

/// What comes instead of a result, and what becomes of the question.
#[test]
fn every_answer_has_its_outcome() {
    let error = json!({ "code": -32000, "message": "no", "data": [1.50] });
    let refused = AskError::Refused(ErrorObject::new(-32000, "no").with_data(json!([1.5])));
    let errors = json!(["no", 5, true, [], {}, { "code": 1 }, { "message": "m" }, { "code": 1, "message": null }]);
    let mut rows: Vec<(Value, Option<AskError>)> = vec![(json!({ "error": error }), Some(refused))];
    rows.extend(errors.as_array().unwrap().iter().map(|error| (json!({ "error": error }), None)));
    for odd in [
        json!({}),
        json!({ "error": null }),
        json!({ "result": {}, "error": error }),
        json!({ "result": {}, "error": "no" }),
        json!({ "result": 5 }),
        json!({ "result": [1, 2] }),
        json!({ "result": null }),
    ] {
        rows.push((odd, None));
    }
    let mut outcomes = 0;
    for (end, methods) in askers(&Setup::default()) {
        for (answer, expected) in &rows {
            for id_first in [true, false] {
                let (mut asking, sent) = ask(&end, methods[0]);
                let mut message = if id_first { json!({ "jsonrpc": "2.0", "id": sent["id"] }) } else { json!({}) };
                message.as_object_mut().unwrap().extend(answer.as_object().unwrap().clone());
                (message["id"], message["jsonrpc"]) = (sent["id"].clone(), json!("2.0"));
                let place = format!("{} {:?} {message}", end.revision.name, end.party);
                assert_eq!(end.take(&message), None, "{place}");
                match (poll(&mut asking), expected) {
                    (Some(Err(found)), Some(expected)) => assert_eq!(&found, expected, "{place}"),
                    (Some(Err(AskError::Unreadable { reason, answer: kept })), None) => {
                        assert!(!reason.is_empty());
                        let kept = parsed(kept.expect("the answer").text());
                        assert!(kept == message || Some(&kept) == message.get("result"), "{place}: {kept}");
                    }
                    (other, _) => panic!("{place}: {other:?}"),
                }
                // Nobody waits any more: a good answer comes too late, and a second one, too.
                drop(asking);
                assert_eq!(end.script.sent(), [json!(null); 0], "nothing is cancelled that was answered: {place}");
                end.script.rejections();
                for _ in 0..2 {
                    assert_eq!(end.take(&response(end.revision.name, &sent)), None, "{place}");
                    assert_eq!(end.script.rejections().len(), 1, "{place}");
                }
                assert!(is_idle(&end), "{place}");
                outcomes += 1;
            }
        }
    }
    assert_eq!(outcomes, 9 * 16 * 2);
}

#[test]
fn an_answer_to_somebody_else_changes_nothing() {
    for (end, methods) in askers(&Setup::default()) {
        let (mut asking, sent) = ask(&end, methods[0]);
        let good = response(end.revision.name, &sent);
        let mut foreign = good.clone();
        for id in [json!("1"), json!(77), json!(1.5), json!(null)] {
            foreign["id"] = id;
            assert_eq!(end.take(&foreign), None);
            assert_eq!(poll(&mut asking), None, "{} {:?}: {foreign}", end.revision.name, end.party);
        }
        assert_eq!(end.take(&good), None);
        assert_eq!(poll(&mut asking), Some(Ok(good["result"].clone())));
    }
}

#[test]
fn a_question_that_is_dropped_is_cancelled() {
    let (mut cancelled, mut kept) = (0, 0);
    for (end, methods) in askers(&Setup::default()) {
        for method in methods {
            drop(end.asking(method));
            assert_eq!(end.script.sent(), [json!(null); 0], "nothing was sent");
            let (asking, sent) = ask(&end, method);
            drop(asking);
            if is_handshake(&end, method) {
                assert_eq!(end.script.sent(), [json!(null); 0], "the opening of a connection cannot be cancelled");
                kept += 1;
            } else {
                assert_eq!(end.script.sent(), [cancellation(&sent)], "{} {method}", end.revision.name);
                cancelled += 1;
            }
            assert!(is_idle(&end));
        }
    }
    assert_eq!((cancelled, kept), (80, 4));
}

#[test]
fn the_end_of_a_connection_answers_all() {
    for (end, methods) in askers(&Setup::default()) {
        let mut asking: Vec<Asking> = methods.iter().map(|method| ask(&end, method).0).collect();
        end.script.hold();
        let request = request(end.revision.name, 1, if end.is_asked() { end.known_request() } else { "x" });
        let bytes = request.to_string();
        let mut work = end.start(bytes.as_bytes());
        let is_worked_on = poll(&mut work).is_none();
        end.close();
        for asking in &mut asking {
            assert_eq!(poll(asking), Some(Err(AskError::Closed)));
        }
        if is_worked_on {
            assert_eq!(poll(&mut work), Some(None), "what is worked on is cancelled");
        }
        assert_eq!(poll(&mut end.asking(methods[0])), Some(Err(AskError::Closed)), "and nothing is asked any more");
        drop((asking, work));
        assert_eq!(end.script.sent(), [json!(null); 0]);
        assert!(is_idle(&end), "{}", end.printed());
    }
    // A connection that is dropped has ended, too.
    let connection = Connection::<ServerSide>::new(drop);
    let mut asking = Box::pin(connection.peer().ask::<PingRequest>(None));
    assert_eq!(poll(&mut asking), None);
    drop(connection);
    assert_eq!(poll(&mut asking), Some(Err(AskError::Closed)));
}

#[test]
fn what_is_asked_for_a_request_ends_with_it() {
    let mut tried = 0;
    for (end, methods) in askers(&Setup::default()) {
        if !end.is_asked() {
            continue;
        }
        tried += 1;
        end.script.hold();
        let bytes = request(end.revision.name, "r", end.known_request()).to_string();
        let mut work = end.start(bytes.as_bytes());
        assert_eq!(poll(&mut work), None);
        let context = end.script.contexts().pop().expect("a request that is worked on");
        let mut asking = end.asking_for(&context, methods[0]);
        assert_eq!(poll(&mut asking), None);
        let [sent] = &end.script.sent()[..] else { panic!("one request") };
        end.take(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "r" } }));
        end.script.diary();
        assert_eq!(poll(&mut asking), Some(Err(AskError::Cancelled)));
        let expected = if is_handshake(&end, methods[0]) { vec![] } else { vec![cancellation(sent)] };
        assert_eq!(end.script.sent(), expected);
        assert_eq!(poll(&mut end.asking_for(&context, methods[0])), Some(Err(AskError::Cancelled)), "nor a new one");
        assert_eq!(end.script.sent(), [json!(null); 0]);
        drop(work);
        assert!(is_idle(&end));
        // Whoever cancels a request by its id ends the question that it was.
        let (mut asking, sent) = ask(&end, methods[methods.len() - 1]);
        let id = mcp_wire_core::from_value(sent["id"].clone()).unwrap();
        assert_eq!(end.cancel(&id, None), Some(cancellation(&sent)));
        assert_eq!(poll(&mut asking), Some(Err(AskError::Cancelled)));
        drop(asking);
        assert_eq!(end.script.sent(), [json!(null); 0], "it is cancelled once");
    }
    assert_eq!(tried, 8, "both sides of each revision with a handshake");
}

#[test]
fn what_may_not_be_asked_is_not_sent() {
    let setup = Setup { declared: Some((json!({}), json!({}))), ..Setup::default() };
    let mut refused = 0;
    for (end, methods) in askers(&setup) {
        for method in methods {
            let row = end.methods.iter().find(|row| row.name == method).expect("a row");
            if row.gate(end.party).is_none() {
                continue;
            }
            match poll(&mut end.asking(method)) {
                Some(Err(AskError::Undeclared(undeclared))) => assert_eq!(undeclared.method, method),
                other => panic!("{method}: {other:?}"),
            }
            assert_eq!(end.script.sent(), [json!(null); 0]);
            refused += 1;
        }
    }
    assert!(refused > 50, "{refused}");
    let setup = Setup { ask_limit: Some(2), ..Setup::default() };
    for (end, methods) in askers(&setup) {
        let first = ask(&end, methods[0]);
        let _second = ask(&end, methods[0]);
        assert_eq!(poll(&mut end.asking(methods[0])), Some(Err(AskError::TooMany)));
        assert_eq!(end.script.sent(), [json!(null); 0]);
        drop(first);
        end.script.sent();
        let _third = ask(&end, methods[0]);
    }
}

/// What a side has sent.
type Outbox = Arc<Mutex<Vec<String>>>;

/// Wakes a thread.
struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let (mut future, waker) = (Box::pin(future), Waker::from(Arc::new(Unpark(thread::current()))));
    loop {
        match future.as_mut().poll(&mut Task::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

/// A thousand threads ask at once. They are answered in any order, by well-formed and malformed answers, or not at all.
#[test]
fn a_thousand_who_wait_are_all_answered() {
    const COUNT: usize = 1_000;
    let sent = Outbox::default();
    let outbox = Arc::clone(&sent);
    let connection = Connection::<ServerSide>::new(move |text| outbox.lock().unwrap().push(text));
    let ended = [const { AtomicUsize::new(0) }; 4];
    let random = &mut Random::new(seed());
    thread::scope(|scope| {
        let (connection, ended) = (&connection, &ended);
        for _ in 0..COUNT {
            thread::Builder::new()
                .stack_size(128 << 10)
                .spawn_scoped(scope, move || {
                    let kind = match block_on(connection.peer().ask::<ListRootsRequest>(None)) {
                        Ok(result) => {
                            assert_eq!(result.roots.len(), 1);
                            0
                        }
                        Err(AskError::Refused(error)) => {
                            assert_eq!(error.message, "no");
                            1
                        }
                        Err(AskError::Unreadable { .. }) => 2,
                        Err(AskError::Closed) => 3,
                        Err(other) => panic!("{other}"),
                    };
                    ended[kind].fetch_add(1, Ordering::SeqCst);
                })
                .expect("a thread");
        }
        let mut waiting = Vec::new();
        let mut answered = 0;
        while answered < COUNT - 100 {
            waiting.append(&mut sent.lock().unwrap());
            if waiting.is_empty() {
                thread::yield_now();
                continue;
            }
            let request = waiting.swap_remove((random.next() % waiting.len() as u64) as usize);
            let id = parsed(&request)["id"].clone();
            let answer = match answered % 3 {
                0 => json!({ "jsonrpc": "2.0", "result": { "roots": [{ "uri": "file:///a" }] }, "id": id }),
                1 => json!({ "jsonrpc": "2.0", "id": id, "error": { "code": 1, "message": "no" } }),
                _ => json!({ "jsonrpc": "2.0", "id": id, "error": "no" }),
            };
            assert_eq!(now(connection.dispatch(&Silent, answer.to_string().as_bytes())), None);
            answered += 1;
        }
        // The rest is never answered, and ends with the input.
        while ended.iter().map(|count| count.load(Ordering::SeqCst)).sum::<usize>() < answered
            || waiting.len() + sent.lock().unwrap().len() < COUNT - answered
        {
            thread::yield_now();
        }
        connection.close();
    });
    assert_eq!(ended.map(AtomicUsize::into_inner), [300, 300, 300, 100]);
    assert!(format!("{connection:?}").contains("sent: 0"), "{connection:?}");
}

struct Silent;

impl ServerHandler for Silent {}

/// Two connections, each with the other's input as its output.
#[test]
fn two_sides_talk_while_each_works_for_the_other() {
    struct Client;

    impl ClientHandler for Client {
        async fn list_roots(
            &self,
            _: Option<mcp_wire::v2025_11_25::RequestParams>,
            context: &Context,
        ) -> Handled<ListRootsResult> {
            // It asks back before it answers.
            context.ask::<PingRequest>(None).await?;
            Ok(ListRootsResult::new(vec![Root::new("file:///home")]))
        }
    }

    let (to_client, to_server) = (Outbox::default(), Outbox::default());
    let (out, back) = (Arc::clone(&to_client), Arc::clone(&to_server));
    let server = Connection::<ServerSide>::new(move |text| out.lock().unwrap().push(text));
    let client = Connection::<ClientSide>::new(move |text| back.lock().unwrap().push(text));
    let mut asking = Box::pin(server.peer().ask::<ListRootsRequest>(None));
    let mut works: Vec<std::pin::Pin<Box<dyn Future<Output = Option<String>>>>> = Vec::new();
    let result = now(poll_fn(|task| {
        loop {
            if let Poll::Ready(result) = asking.as_mut().poll(task) {
                return Poll::Ready(result);
            }
            for text in std::mem::take(&mut *to_client.lock().unwrap()) {
                works.push(Box::pin(client.dispatch(&Client, text.as_bytes())));
            }
            for text in std::mem::take(&mut *to_server.lock().unwrap()) {
                let answer = now(server.dispatch(&Silent, text.as_bytes()));
                to_client.lock().unwrap().extend(answer);
            }
            works.retain_mut(|work| match work.as_mut().poll(task) {
                Poll::Ready(answer) => {
                    to_server.lock().unwrap().extend(answer);
                    false
                }
                Poll::Pending => true,
            });
        }
    }));
    assert_eq!(result.unwrap().roots[0].uri, "file:///home");
}

/// A handler that passes on what went wrong answers with an internal error that says so.
#[test]
fn errors_say_what_has_happened() {
    let unreadable =
        AskError::Unreadable { reason: "/roots: expected a list".to_owned(), answer: Some(Json::default()) };
    let rows = [
        (AskError::Closed, "the connection has been closed"),
        (AskError::Cancelled, "the request has been cancelled"),
        (AskError::TooMany, "too many requests wait for answers"),
        (unreadable, "the answer cannot be read: /roots: expected a list"),
        (AskError::Refused(ErrorObject::new(-1, "User rejected")), "User rejected (-1)"),
    ];
    for (error, message) in rows {
        assert_eq!(error.to_string(), message);
        let object = ErrorObject::from(error);
        assert_eq!((object.code.as_i64(), object.message.as_str()), (Some(-32603), message));
    }
}
