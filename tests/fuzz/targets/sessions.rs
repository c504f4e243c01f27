//! Arbitrary traffic into both sides of a connection: nothing panics, answers are messages that the other side reads
//! without loss, no request stays in flight.
#![no_main]

#[macro_use]
#[path = "../../src/revisions.rs"]
mod revisions;

use std::future::Future;
use std::pin::pin;
use std::task::{Context as Task, Poll, Waker};

use libfuzzer_sys::fuzz_target;
use mcp_wire::framing::{Frame, Framer};
use mcp_wire::{AnyClientMessage, AnyServerMessage, Connection, Declared, Rejection, Revision};
use mcp_wire_judge::{AnyOrder, compare};

/// Handlers that override nothing.
struct Nothing;

fn now<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Task::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

/// An answer is read by the other side, and nothing of it is lost.
fn comes_back(answer: &str, again: &str) {
    let verdict = compare(answer, again, AnyOrder).expect("answers are JSON");
    assert!(verdict.is_same(), "{:?}: {answer}", verdict.findings);
}

macro_rules! sessions {
    ($($revision:ident)*) => {
        $(impl mcp_wire::$revision::ServerHandler for Nothing {}
        impl mcp_wire::$revision::ClientHandler for Nothing {})*

        fn session(number: usize, options: u8, data: &[u8]) {
            match number % Revision::ALL.len() {
                $(number if Revision::ALL[number].as_str() == mcp_wire::$revision::REVISION => {
                    let revision = &Revision::ALL[number];
                    use mcp_wire::$revision::{ClientCapabilities, ClientRequest, ClientSide, ServerCapabilities, ServerSide};
                    let mut server = Connection::<ServerSide>::new(|_| {});
                    let mut client = Connection::<ClientSide>::new(|_| {});
                    if options & 1 != 0 {
                        server = server.with_strict_lifecycle();
                        client = client.with_strict_lifecycle();
                    }
                    if options & 2 != 0 {
                        let declared = Declared::new(&ClientCapabilities::new(), &ServerCapabilities::new());
                        server = server.with_gates(declared);
                    }
                    if options & 4 != 0 {
                        server = server.with_odd_params();
                    }
                    for method in ["tools/list", "tools/call", "tasks/result", "initialize", "vendor/x"] {
                        let request = ClientRequest::Other { method: method.to_owned(), params: None };
                        let _ = client.ask(request);
                    }
                    let mut framer = Framer::with_limit(4096);
                    for chunk in data.chunks(64) {
                        framer.push(chunk);
                        while let Some(frame) = framer.next() {
                            let Frame::Message(line) = frame else {
                                assert!(Rejection::too_long(4096).to_text().is_some());
                                continue;
                            };
                            let answer = now(server.dispatch(&Nothing, &line)).expect("nothing to wait for");
                            if let Some(answer) = answer {
                                let read = AnyServerMessage::from_slice(revision, answer.as_bytes(), &());
                                comes_back(&answer, &read.expect(&answer).to_text());
                            }
                            let answer = now(client.dispatch(&Nothing, &line)).expect("nothing to wait for");
                            if let Some(answer) = answer {
                                let read = AnyClientMessage::from_slice(revision, answer.as_bytes(), &());
                                comes_back(&answer, &read.expect(&answer).to_text());
                            }
                        }
                    }
                    assert!(format!("{server:?}").contains("received: 0"), "{server:?}");
                })*
                _ => unreachable!("all revisions are listed"),
            }
        }
    };
}

revisions!(sessions);

fuzz_target!(|data: &[u8]| {
    if let Some((first, data)) = data.split_first() {
        session(usize::from(*first), first >> 5, data);
    }
});
