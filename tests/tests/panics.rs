//! A handler that panics costs its own message, and nothing else.

use std::future::Future;
use std::panic::panic_any;
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context as Task, Poll};

use mcp_wire::v2025_11_25::{
    CallToolAnswer, CallToolRequestParams, Connection, Context, EmptyResult, Handled, RequestParams, ServerHandler,
    ServerSide,
};
use mcp_wire_core::{MethodKind, Party, Rejection};
use mcp_wire_tests::ends::{End, SECRET, Setup, notification, parsed, poll, request, response};
use mcp_wire_tests::{ALL, REVISIONS, assert_pinned, now};
use serde_json::{Value, json};

fn ends() -> Vec<End> {
    let both = |party| REVISIONS.iter().map(move |revision| End::new(revision.name, party, Setup::default()));
    both(Party::Server).chain(both(Party::Client)).collect()
}

/// The requests of the other side that an end knows.
fn requests(end: &End) -> Vec<&'static str> {
    let is_asked = |kind, senders: &[Party]| kind == MethodKind::Request && senders.contains(&end.party.peer());
    end.methods.iter().filter(|method| is_asked(method.kind, method.senders)).map(|method| method.name).collect()
}

fn assert_internal_error(answer: &Value, id: i64) {
    let error = json!({ "code": -32603, "message": "Internal error" });
    assert_eq!(*answer, json!({ "jsonrpc": "2.0", "id": id, "error": error }));
    assert!(!answer.to_string().contains(SECRET), "nobody learns what went wrong inside");
}

#[test]
fn a_request_whose_handler_panics_is_answered_with_internal_error() {
    let (mut sides, mut asked) = (0, 0);
    for end in ends() {
        let methods = requests(&end);
        assert_pinned(end.revision.name, &format!("requests_to_a_{}", end.party), methods.len());
        sides += usize::from(!methods.is_empty());
        for method in methods {
            let good = request(end.revision.name, 7, method);
            // At once.
            end.script.panic_at("request");
            assert_internal_error(&end.answer(&good), 7);
            // After it has waited for something.
            end.script.panic_at("released");
            end.script.hold();
            let text = good.to_string();
            let mut answering = end.start(text.as_bytes());
            assert_eq!(poll(&mut answering), None);
            end.script.release();
            let answer = poll(&mut answering).flatten().expect("an answer");
            assert_internal_error(&parsed(&answer), 7);
            // The id is free again, and the handler works as before.
            end.script.recover();
            let answer = end.answer(&good);
            assert!(answer["result"].is_object(), "{answer}");
            asked += 1;
        }
    }
    // A client without a handshake is asked nothing.
    let silent = REVISIONS.iter().filter(|revision| !revision.has_handshake()).count();
    assert_eq!(sides, 2 * REVISIONS.len() - silent);
    assert_pinned(ALL, "requests_to_all_sides", asked);
}

#[test]
fn a_panic_about_a_notification_an_answer_or_a_refusal_goes_no_further() {
    let (mut notified, mut answered, mut refused) = (0, 0, 0);
    for end in ends() {
        let revision = end.revision.name;
        let tells = |kind, senders: &[Party]| kind == MethodKind::Notification && senders.contains(&end.party.peer());
        for method in end.methods.iter().filter(|method| tells(method.kind, method.senders)) {
            let message = notification(revision, method.name);
            end.script.panic_at("notification");
            assert_eq!(end.take(&message), None);
            end.script.recover();
            assert_eq!(end.take(&message), None);
            assert_eq!(end.script.diary(), [format!("notification {}", method.name)]);
            notified += 1;
        }
        if let Some(method) = end.methods.iter().find(|method| {
            method.kind == MethodKind::Request && method.senders.contains(&end.party) && method.name != "initialize"
        }) {
            let (_, asked) = end.ask(method.name).unwrap();
            end.script.panic_at("response");
            assert_eq!(end.take(&response(revision, &asked)), None);
            end.script.recover();
            let (_, asked) = end.ask(method.name).unwrap();
            assert_eq!(end.take(&response(revision, &asked)), None);
            assert_eq!(end.script.diary().len(), 1);
            answered += 1;
        }
        // The refused message gets the answer it deserves all the same, from `dispatch` and from `refuse`.
        end.script.panic_at("rejected");
        assert_eq!(end.hear("{").expect("an answer")["error"]["code"], -32700);
        assert_eq!(end.refuse(&Rejection::too_long(1)).expect("an answer")["error"]["code"], -32600);
        assert_eq!(end.script.rejections().len(), 2);
        refused += 1;
    }
    // A server without a handshake asks nothing, so that nothing is answered.
    let silent = REVISIONS.iter().filter(|revision| !revision.has_handshake()).count();
    assert_eq!((answered, refused), (2 * REVISIONS.len() - silent, 2 * REVISIONS.len()));
    assert_pinned(ALL, "notifications_to_all_sides", notified);
}

#[test]
fn a_panic_inside_a_batch_costs_one_answer() {
    for party in [Party::Server, Party::Client] {
        let end = End::new("2025-03-26", party, Setup::default());
        let method = end.known_request();
        let call = |id: i64, method| request("2025-03-26", id, method);
        let tell = notification("2025-03-26", "notifications/progress");
        let batch = json!([call(1, "ping"), call(2, method), tell, { "jsonrpc": "2.0", "id": 3, "method": 5 }, call(4, "ping")]);

        let whole = end.answer(&batch);
        let answers = |panics_at: &str| {
            end.script.panic_at(panics_at);
            let answers = end.answer(&batch);
            end.script.recover();
            answers.as_array().expect("an array").clone()
        };
        for panics_at in ["notification", "rejected"] {
            assert_eq!(Value::from(answers(panics_at)), whole, "{panics_at}");
        }
        let answers = answers(&format!("request {method}"));
        assert_eq!(answers.len(), 4);
        for (index, answer) in answers.iter().enumerate() {
            match index {
                1 => assert_internal_error(answer, 2),
                _ => assert_eq!(*answer, whole[index]),
            }
        }
    }
}

#[test]
fn a_handshake_that_panics_can_be_tried_again() {
    let mut handshakes = 0;
    for revision in REVISIONS.iter().filter(|revision| revision.name < "2026") {
        let end = End::new(revision.name, Party::Server, Setup { strict_lifecycle: true, ..Setup::default() });
        let handshake = request(revision.name, 1, "initialize");
        end.script.panic_at("request");
        assert_internal_error(&end.answer(&handshake), 1);
        end.script.recover();
        assert_eq!(end.answer(&request(revision.name, 2, "tools/list"))["error"]["code"], -32600, "not open");
        assert!(end.answer(&handshake)["result"].is_object());
        assert!(end.answer(&request(revision.name, 2, "tools/list"))["result"].is_object(), "open");
        handshakes += 1;
    }
    assert_eq!(handshakes, 4);
}

#[test]
fn a_cancelled_request_is_not_answered_even_if_its_handler_panics() {
    let end = End::server("2025-11-25");
    end.script.hold();
    let call = request("2025-11-25", 1, "tools/call").to_string();
    let mut answering = end.start(call.as_bytes());
    assert_eq!(poll(&mut answering), None);
    end.script.panic_at("released");
    end.script.release();
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    assert_eq!(end.take(&cancel), None);
    assert_eq!(poll(&mut answering), Some(None));
}

/// Panics when it is dropped, unless something else panics already.
struct Bomb(&'static AtomicUsize);

impl Drop for Bomb {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
        if !std::thread::panicking() {
            panic!("dropped");
        }
    }
}

/// A future that panics when it is polled or when it is dropped.
struct Trap {
    is_polled: bool,
    _bomb: Option<Bomb>,
}

impl Future for Trap {
    type Output = Handled<EmptyResult>;

    fn poll(self: Pin<&mut Self>, _: &mut Task<'_>) -> Poll<Self::Output> {
        match self.is_polled {
            true => panic!("polled"),
            false => Poll::Ready(Ok(EmptyResult::new())),
        }
    }
}

static DROPPED: AtomicUsize = AtomicUsize::new(0);

#[derive(Default)]
struct Mines(Mutex<&'static str>);

impl ServerHandler for Mines {
    fn ping(&self, _: Option<RequestParams>, _: &Context) -> impl Future<Output = Handled<EmptyResult>> {
        let mine = *self.0.lock().unwrap();
        match mine {
            "made" => panic!("no future at all"),
            "carried" => panic_any(Bomb(&DROPPED)),
            "polled" => Trap { is_polled: true, _bomb: None },
            "polled and dropped" => Trap { is_polled: true, _bomb: Some(Bomb(&DROPPED)) },
            "dropped" => Trap { is_polled: false, _bomb: Some(Bomb(&DROPPED)) },
            other => panic!("no mine {other}"),
        }
    }

    async fn call_tool(&self, _: CallToolRequestParams, context: &Context) -> Handled<CallToolAnswer> {
        context.progress(1, None, None).expect("wanted");
        panic!("the function that sends has returned")
    }
}

/// Wherever the panic comes from: the call, the poll, the drop of the future, the drop of what the panic carries.
#[test]
fn panics_of_hand_written_futures_are_answered_too() {
    let connection = Connection::<ServerSide>::new(|_| {});
    let handler = Mines::default();
    for (mine, dropped) in [("made", 0), ("carried", 1), ("polled", 0), ("polled and dropped", 1), ("dropped", 1)] {
        *handler.0.lock().unwrap() = mine;
        let before = DROPPED.load(Ordering::SeqCst);
        let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let answer: Value = parsed(&now(connection.dispatch(&handler, ping)).expect("an answer"));
        assert_internal_error(&answer, 1);
        assert_eq!(DROPPED.load(Ordering::SeqCst) - before, dropped, "{mine}");
    }
    assert!(format!("{connection:?}").contains("received: 0"), "{connection:?}");
}

/// A function that sends and panics is the handler's panic; the next request reports as before.
#[test]
fn a_panic_while_progress_is_sent_is_answered_too() {
    static SENT: AtomicUsize = AtomicUsize::new(0);
    let connection = Connection::<ServerSide>::new(|_| {
        if SENT.fetch_add(1, Ordering::SeqCst) == 0 {
            panic!("the pipe is broken");
        }
    });
    for id in [1, 2] {
        let params = json!({ "name": "t", "_meta": { "progressToken": 1 } });
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string();
        let answer = now(connection.dispatch(&Mines::default(), call.as_bytes())).expect("an answer");
        assert_internal_error(&parsed(&answer), id);
    }
    assert_eq!(SENT.load(Ordering::SeqCst), 2);
}
