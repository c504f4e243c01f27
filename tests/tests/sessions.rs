//! Recorded sessions between published clients and servers, replayed through the dispatch layer: each message is read
//! as what it is, comes back exactly, and is judged as the official schema judges it; what is refused is refused with the
//! code that the real server gave.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use mcp_wire_core::__private::Handles;
use mcp_wire_core::{
    Connection, Context, ErrorObject, Handled, InFlight, Lookup, Message, MessageTo, MethodKind, Party, Request,
    RequestId, Side,
};
use mcp_wire_judge::FreeForm;
use mcp_wire_tests::messages::{Kind, Methods, reading, variant};
use mcp_wire_tests::{Judge, Revision, assert_pinned, difference, handlers, now, revision, revisions, shared};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// A handler of every method that has nothing against any request. It answers with an error that nobody else gives, and
/// with the method that it was called for, so that an answer tells which of its methods has been reached.
struct Everything;

const ACCEPTED: i64 = 1;

fn accepted<R: Request, T>() -> Handled<T> {
    Err(ErrorObject::new(ACCEPTED, R::METHOD))
}

macro_rules! accepts_everything {
    ($($revision:ident {
        server requests { $($server:ident $asked:ident,)* }
        server notifications { $($server_note:ident $told:ident,)* }
        client requests { $($client:ident $asks:ident,)* }
        client notifications { $($client_note:ident $tells:ident,)* }
    })*) => {$(
        impl mcp_wire::$revision::ServerHandler for Everything {
            $(async fn $server(
                &self,
                _: <mcp_wire::$revision::$asked as Request>::Params,
                _: &Context,
            ) -> Handled<<mcp_wire::$revision::$asked as Request>::Result> {
                accepted::<mcp_wire::$revision::$asked, _>()
            })*
        }

        impl mcp_wire::$revision::ClientHandler for Everything {
            $(async fn $client(
                &self,
                _: <mcp_wire::$revision::$asks as Request>::Params,
                _: &Context,
            ) -> Handled<<mcp_wire::$revision::$asks as Request>::Result> {
                accepted::<mcp_wire::$revision::$asks, _>()
            })*
        }
    )*};
}

handlers!(accepts_everything);

/// What became of the recorded messages of a revision.
#[derive(Debug, Default, Serialize)]
struct Totals {
    files: usize,
    /// Messages, those inside batches one by one.
    messages: usize,
    batches: usize,
    /// Lines that are no messages at all.
    noise: usize,
    requests: usize,
    notifications: usize,
    /// Responses with a result of the type that the request asks for.
    results: usize,
    /// Responses with a result whose request is not known or has a method that the revision does not have.
    raw: usize,
    errors: usize,
    /// Among the requests, those that could not be read and got an answer instead.
    rejected: usize,
    /// Among the requests and notifications, those with a method that the revision does not have.
    unknown: usize,
    /// Results that are tasks, results of tasks, and results that ask for more input.
    tasks_created: usize,
    tasks_fetched: usize,
    inputs_required: usize,
    /// Requests that nobody answered, such as cancelled ones.
    unanswered: usize,
    /// Requests whose id was in flight already.
    restarted: usize,
    /// Messages that were read although the schema does not allow them, and what is wrong with them.
    odd: usize,
    violations: usize,
    /// Refused requests that the recorded peer has refused with the same code.
    agreed: usize,
}

/// A request that is refused here with one code, while the recorded peer gave another answer.
struct Differing {
    file: &'static str,
    id: i64,
    ours: i64,
    /// The code of the recorded answer; none where it was a result.
    theirs: Option<i64>,
    why: &'static str,
}

/// What the replay of one direction needs to know of the other.
struct Replay<'a> {
    revision: &'a Revision,
    methods: Methods,
    judge: Judge<'a>,
    totals: Totals,
    /// Errors of the recorded peers which only they could know of, by code.
    beyond: BTreeMap<i64, usize>,
    differing: Vec<(&'a Differing, bool)>,
    /// Answers that differ without being in the table.
    unlisted: Vec<String>,
}

/// The requests of one side that wait for an answer, twice: as the tested layer keeps them, with the code it refused
/// them with, and as they were recorded.
#[derive(Default)]
struct Sent {
    in_flight: InFlight<Option<i64>>,
    recorded: HashMap<String, Value>,
    /// The methods of requests that were answered with a task.
    tasks: HashMap<String, String>,
}

impl Replay<'_> {
    fn file<Server, Client>(&mut self, path: &Path)
    where
        Server: Side + Handles<Everything>,
        Client: Side + Handles<Everything>,
    {
        let file = path.file_stem().unwrap().to_str().unwrap();
        let silent = |text: String| panic!("nothing is to be sent: {text}");
        let (server, client) = (Connection::<Server>::new(silent), Connection::<Client>::new(silent));
        let (mut by_client, mut by_server) = (Sent::default(), Sent::default());
        let text = std::fs::read_to_string(path).unwrap();
        for line in text.split('\n').filter(|line| !line.is_empty()) {
            // Messages are read from the text as it was recorded, in which members have the order they came in.
            let line: BTreeMap<String, &RawValue> = serde_json::from_str(line).unwrap();
            let is_to_server = match line["dir"].get() {
                r#""c2s""# => true,
                r#""s2c""# => false,
                other => panic!("a direction {other}"),
            };
            let Some(message) = line.get("msg") else {
                let noise: String = serde_json::from_str(line["raw"].get()).unwrap();
                let is_refused = match is_to_server {
                    true => MessageTo::<Server>::from_str(&noise, &()).is_err(),
                    false => MessageTo::<Client>::from_str(&noise, &()).is_err(),
                };
                assert!(is_refused, "{noise}");
                self.totals.noise += 1;
                continue;
            };
            let messages: Vec<&RawValue> = match message.get().starts_with('[') {
                true => {
                    self.totals.batches += 1;
                    serde_json::from_str(message.get()).unwrap()
                }
                false => vec![message],
            };
            for message in messages {
                match is_to_server {
                    true => self.message::<Server>(file, message.get(), &server, &mut by_client, &mut by_server),
                    false => self.message::<Client>(file, message.get(), &client, &mut by_server, &mut by_client),
                }
            }
        }
        // The tables have the same requests left, and nobody has kept silent about what is refused here.
        for sent in [&by_client, &by_server] {
            assert_eq!(sent.in_flight.len(), sent.recorded.len(), "{file}");
            for (id, request) in &sent.recorded {
                let id: RequestId = serde_json::from_str(id).unwrap();
                let asked = sent.in_flight.get(&id).expect("a request in flight");
                assert_eq!(asked.memo, None, "refused, but never answered: {request}");
                self.totals.unanswered += 1;
            }
        }
        self.totals.files += 1;
    }

    /// Reads a message of the side that `own` belongs to, which may answer one of `other`.
    fn message<S: Side + Handles<Everything>>(
        &mut self,
        file: &str,
        text: &str,
        connection: &Connection<S>,
        own: &mut Sent,
        other: &mut Sent,
    ) {
        let value: Value = serde_json::from_str(text).unwrap();
        let place = format!("{}, {file}: {text}", self.revision.name);
        let sender = S::PARTY.peer();
        self.totals.messages += 1;
        let method = value["method"].as_str();
        let id = value.get("id").map(Value::to_string);
        let answered = mcp_wire_core::from_value::<RequestId>(value["id"].clone()).ok().filter(|_| method.is_none());
        let asked = answered.and_then(|id| other.in_flight.method_of(&id)).map(|method| method.into_owned());
        let message = match MessageTo::<S>::from_str(text, &other.in_flight) {
            Ok(message) => message,
            Err(rejection) => {
                // Only params that the method cannot do without make a message unreadable. Nothing of it is lost.
                let (method, id) = (method.expect("a method"), id.expect("an id"));
                let kept = rejection.value.as_ref().expect("JSON");
                assert_eq!(difference(text, kept.text(), FreeForm), None, "{place}");
                assert_eq!((rejection.method.as_deref(), rejection.is_answered), (Some(method), true), "{place}");
                let definition = self.methods.definition(MethodKind::Request, sender, method).expect("a known method");
                assert!(!self.judge.accepts(definition, &value), "{rejection}, although the schema accepts {place}");
                let refused = self.dispatch(connection, text, Some(method), &place);
                assert_eq!(refused, rejection.error.code().map(i64::from), "{place}");
                self.totals.requests += 1;
                self.totals.rejected += 1;
                let number = rejection.id.clone().expect("an id");
                if own.in_flight.insert(number.clone(), method.to_owned(), refused).is_err() {
                    own.in_flight.forget(&number);
                    own.in_flight.insert(number, method.to_owned(), refused).unwrap();
                    self.totals.restarted += 1;
                }
                own.recorded.insert(id, value);
                return;
            }
        };
        let seen = reading(&message);
        assert_eq!(self.revision.message_difference(text, asked.as_deref(), &seen.text), None, "{place}");
        let newer = self.revision.name >= "2025-11-25";
        // What the schema has to accept, as a whole and in its part, for the message to conform.
        let (envelope, part) = match message {
            Message::Request(call) => {
                let method = method.expect("a method");
                assert_eq!(seen.kind, Kind::Request(method.to_owned()), "{place}");
                let definition = self.methods.definition(MethodKind::Request, sender, method);
                assert_eq!(seen.variant, Some(definition.map_or("Other", variant)), "{place}");
                self.totals.requests += 1;
                self.totals.unknown += usize::from(definition.is_none());
                let definition = definition.map(str::to_owned);
                let refused = self.dispatch(connection, text, Some(method), &place);
                if own.in_flight.insert_call(&call, refused).is_err() {
                    own.in_flight.forget(&call.id);
                    own.in_flight.insert_call(&call, refused).unwrap();
                    self.totals.restarted += 1;
                }
                own.recorded.insert(id.expect("an id"), value.clone());
                ("JSONRPCRequest", definition.map(|name| (name, value.clone())))
            }
            Message::Notification(_) => {
                let method = method.expect("a method");
                assert_eq!(seen.kind, Kind::Notification(method.to_owned()), "{place}");
                let definition = self.methods.definition(MethodKind::Notification, sender, method);
                assert_eq!(seen.variant, Some(definition.map_or("Other", variant)), "{place}");
                self.totals.notifications += 1;
                self.totals.unknown += usize::from(definition.is_none());
                let definition = definition.map(str::to_owned);
                assert_eq!(self.dispatch(connection, text, None, &place), None, "{place}");
                ("JSONRPCNotification", definition.map(|name| (name, value.clone())))
            }
            Message::Response(response) => {
                let asked = other.in_flight.settle(&response);
                let request = id.and_then(|id| other.recorded.remove(&id));
                assert_eq!(asked.as_ref().map(|asked| &*asked.method), request.as_ref().map(method_of), "{place}");
                let refused = asked.and_then(|asked| asked.memo);
                let theirs = value["error"]["code"].as_i64();
                self.compare(file, &value, refused, theirs, &place);
                match value.get("result") {
                    None => {
                        assert_eq!(seen.kind, Kind::Error(theirs), "{place}");
                        self.totals.errors += 1;
                        (if newer { "JSONRPCErrorResponse" } else { "JSONRPCError" }, None)
                    }
                    Some(result) => {
                        let definition =
                            request.and_then(|request| self.expected(S::PARTY, &request, result, &mut other.tasks));
                        match &definition {
                            Some(definition) => {
                                assert_eq!(
                                    (&seen.kind, seen.variant),
                                    (&Kind::Result, Some(variant(definition))),
                                    "{place}"
                                );
                                self.totals.results += 1;
                            }
                            None => {
                                assert_eq!(seen.kind, Kind::Raw, "{place}");
                                self.totals.raw += 1;
                            }
                        }
                        let envelope = if newer { "JSONRPCResultResponse" } else { "JSONRPCResponse" };
                        // A result of an unknown type is as open as any.
                        let definition =
                            definition.map(|name| if name == "Unknown" { "Result".to_owned() } else { name });
                        (envelope, definition.map(|name| (name, result.clone())))
                    }
                }
            }
            Message::Batch(_) => panic!("a batch in a batch: {place}"),
        };
        let conforms = self.judge.accepts(envelope, &value)
            && part.is_none_or(|(definition, document)| self.judge.accepts(&definition, &document));
        assert_eq!(seen.violations.is_empty(), conforms, "{:?}: {place}", seen.violations);
        self.totals.odd += usize::from(!conforms);
        self.totals.violations += seen.violations.len();
        for violation in seen.violations {
            println!("{} {file} {}: {violation}", self.revision.name, value["id"]);
        }
    }

    /// The definition of the result that a request is answered with; `Unknown` where it says that it is none of those
    /// that the revision has.
    fn expected(
        &mut self,
        asker: Party,
        request: &Value,
        result: &Value,
        tasks: &mut HashMap<String, String>,
    ) -> Option<String> {
        let method = method_of(request);
        let usual = self.methods.result(asker, method)?;
        let task = |value: &Value| value["taskId"].as_str().map(str::to_owned);
        if self.revision.name == "2025-11-25" && request["params"]["task"].is_object() && result["task"].is_object() {
            tasks.insert(task(&result["task"]).expect("a task"), method.to_owned());
            self.totals.tasks_created += 1;
            return Some("CreateTaskResult".to_owned());
        }
        if method == "tasks/result" {
            let created = tasks.remove(&task(&request["params"]).expect("a task")).expect("a task that was created");
            self.totals.tasks_fetched += 1;
            return self.methods.result(asker, &created).map(str::to_owned);
        }
        // Where results have types, one that does not say its own is complete.
        Some(match result.get("resultType").and_then(Value::as_str) {
            Some("input_required") if self.revision.has_result_types() => {
                self.totals.inputs_required += 1;
                "InputRequiredResult".to_owned()
            }
            Some(other) if self.revision.has_result_types() && other != "complete" => "Unknown".to_owned(),
            _ => usual.to_owned(),
        })
    }

    /// Gives a request or a notification to a handler which accepts everything, and returns the code that it was refused
    /// with before it came there.
    fn dispatch<S: Side + Handles<Everything>>(
        &self,
        connection: &Connection<S>,
        text: &str,
        method: Option<&str>,
        place: &str,
    ) -> Option<i64> {
        let answer = now(connection.dispatch(&Everything, text.as_bytes()));
        let Some(method) = method else {
            assert_eq!(answer, None, "{place}");
            return None;
        };
        let answer: Value = serde_json::from_str(&answer.expect("an answer")).unwrap();
        let asked: Value = serde_json::from_str(text).unwrap();
        assert_eq!(answer["id"], asked["id"], "{place}");
        let code = answer["error"]["code"].as_i64().expect("a code");
        if code == ACCEPTED {
            assert_eq!(answer["error"]["message"], *method, "{place}");
        }
        (code != ACCEPTED).then_some(code)
    }

    /// Compares the code that a request was refused with to what the recorded peer answered.
    fn compare(&mut self, file: &str, answer: &Value, ours: Option<i64>, theirs: Option<i64>, place: &str) {
        let Some(ours) = ours else {
            if let Some(theirs) = theirs {
                *self.beyond.entry(theirs).or_insert(0) += 1;
            }
            return;
        };
        if theirs == Some(ours) {
            self.totals.agreed += 1;
            return;
        }
        let id = answer["id"].as_i64();
        let row = self.differing.iter_mut().find(|(row, is_used)| {
            !is_used && row.file == file && Some(row.id) == id && row.ours == ours && row.theirs == theirs
        });
        match row {
            Some((_, is_used)) => *is_used = true,
            None => self.unlisted.push(format!("refused with {ours}, answered there in {place}")),
        }
    }
}

fn method_of(request: &Value) -> &str {
    request["method"].as_str().expect("a method")
}

fn replay<Server, Client>()
where
    Server: Side + Handles<Everything>,
    Client: Side + Handles<Everything>,
{
    let revision = revision(Server::REVISION);
    assert_eq!((Server::PARTY, Client::REVISION, Client::PARTY), (Party::Server, revision.name, Party::Client));
    let differing: Vec<Differing> = INTERNAL_ERRORS
        .iter()
        .filter(|(name, _, _)| *name == revision.name)
        .flat_map(|(_, file, ids)| ids.map(|id| internal(file, id)))
        .collect();
    let Some(folder) = shared(&format!("traffic/{}", revision.name)) else { return };
    let schema = revision.schema();
    let mut replay = Replay {
        revision,
        methods: Methods::new(&schema),
        judge: Judge::new(&schema),
        totals: Totals::default(),
        beyond: BTreeMap::new(),
        differing: differing.iter().map(|row| (row, false)).collect(),
        unlisted: Vec::new(),
    };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        replay.file::<Server, Client>(&file);
    }
    println!("{}: {:?}, beyond {:?}", revision.name, replay.totals, replay.beyond);
    for (row, is_used) in &replay.differing {
        println!("{} {}: {} here, {:?} there: {}", row.file, row.id, row.ours, row.theirs, row.why);
        assert!(is_used, "no request is answered like this");
    }
    assert_eq!(replay.unlisted, [""; 0]);
    assert_pinned(revision.name, "sessions", replay.totals);
    assert_pinned(revision.name, "errors_beyond_the_protocol", replay.beyond);
}

/// The TypeScript SDK checks params after it has found the handler, and turns whatever goes wrong from there on into an
/// internal error, its own complaint about the params included. JSON-RPC has -32602 for them.
const INTERNAL: &str = "the SDK reports its own check of the params as an internal error";

const fn internal(file: &'static str, id: i64) -> Differing {
    Differing { file, id, ours: -32602, theirs: Some(-32603), why: INTERNAL }
}

/// The recordings in which that happened, with the ids of the requests.
const INTERNAL_ERRORS: [(&str, &str, [i64; 3]); 4] = [
    ("2024-11-05", "ts-sdk-1.10.2__server-everything-2025.4.8", [47, 48, 49]),
    ("2025-03-26", "ts-sdk-1.12.3__server-everything-2025.7.1", [47, 48, 49]),
    ("2025-06-18", "ts-sdk-1.18.2__server-everything-2025.9.25", [53, 54, 55]),
    ("2025-11-25", "ts-sdk-1.25.3__server-everything-2026.1.26", [77, 78, 79]),
];

macro_rules! replays {
    ($($revision:ident)*) => {
        mod sessions_of {
            $(#[test]
            fn $revision() {
                super::replay::<mcp_wire::$revision::ServerSide, mcp_wire::$revision::ClientSide>();
            })*
        }
    };
}
revisions!(replays);
