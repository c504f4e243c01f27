//! The example server answers a scripted session in each revision, over real pipes; the example client gets along with it,
//! and with servers that misbehave.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use mcp_wire::framing::{Frame, MessageReader};
use mcp_wire::{AnyServerMessage, Pending, Revision};
use mcp_wire_judge::{AnyOrder, compare};
use serde_json::{Value, json};

/// The program, built if need be: `cargo test --test …` alone does not build examples.
fn program(name: &str) -> PathBuf {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--package", "mcp-wire-stdio", "--example", name])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the example does not build");
    // This program is target/debug/deps/sessions-….
    let here = std::env::current_exe().expect("a path");
    let folder = here.ancestors().nth(2).expect("a target folder");
    folder.join("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION)
}

/// A server with its pipes. Every line it writes is checked against the schema of its revision as it arrives.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    revision: Revision,
    pending: Pending,
    checked: usize,
}

impl Server {
    fn start(revision: &Revision) -> Self {
        let mut child = Command::new(program("stdio_server"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let output = MessageReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for frame in output {
                match frame.expect("a readable pipe") {
                    Frame::Message(line) => {
                        let value = serde_json::from_slice(&line).expect("a server writes nothing but JSON");
                        if sender.send(value).is_err() {
                            return;
                        }
                    }
                    Frame::TooLong(length) => panic!("a line of {length} bytes"),
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines, revision: revision.clone(), pending: Pending::new(), checked: 0 }
    }

    fn write(&mut self, line: &str) {
        let input = self.input.as_mut().expect("an open pipe");
        input.write_all(line.as_bytes()).and_then(|()| input.write_all(b"\n")).expect("a server that listens");
    }

    fn send(&mut self, mut message: Value) {
        if let (Some(id), Some(method)) = (message["id"].as_u64(), message["method"].as_str()) {
            self.pending.sent.insert(id, method.to_owned(), ()).expect("a fresh id");
        }
        if !self.revision.has_handshake() && message.get("id").is_some() {
            let meta = &mut message["params"]["_meta"];
            meta["io.modelcontextprotocol/protocolVersion"] = json!(self.revision.as_str());
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        self.write(&message.to_string());
    }

    /// The next message that the server writes; it conforms to the schema, and its result to what was asked.
    fn receive(&mut self) -> Value {
        let value = self.lines.recv_timeout(Duration::from_secs(60)).expect("the server answers");
        let text = value.to_string();
        let message = AnyServerMessage::from_slice(&self.revision, text.as_bytes(), &self.pending).expect("a message");
        // Only an error about something unreadable has no id, which the schemas allow since 2025-11-25.
        if value.get("id").is_some() || value.get("method").is_some() {
            assert_eq!(message.check(), [], "{value}");
        }
        assert_eq!(compare(&text, &message.to_text(), AnyOrder).expect("JSON").findings, []);
        self.checked += 1;
        value
    }

    /// The answer to a request, and what came before it.
    fn answer(&mut self, id: u64) -> (Value, Vec<Value>) {
        let mut before = Vec::new();
        loop {
            let message = self.receive();
            if message["id"] == id {
                return (message, before);
            }
            before.push(message);
        }
    }

    fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.answer(id).0
    }
}

fn session(revision: &Revision) {
    let mut server = Server::start(revision);
    if revision.has_handshake() {
        let client = json!({ "name": "script", "version": "1" });
        let params = json!({ "protocolVersion": revision.as_str(), "capabilities": {}, "clientInfo": client });
        let answer = server.ask(1, "initialize", params);
        assert_eq!(answer["result"]["protocolVersion"], revision.as_str());
        assert_eq!(answer["result"]["serverInfo"]["name"], "mcp-wire-example");
        server.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        assert_eq!(server.ask(2, "ping", json!({}))["result"], json!({}));
    } else {
        let answer = server.ask(1, "server/discover", json!({}));
        assert_eq!(answer["result"]["supportedVersions"], json!([revision.as_str()]));
        let server_info = &answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!(*server_info, json!({ "name": "mcp-wire-example", "version": "1.0.0" }));
        assert_eq!(server.ask(2, "ping", json!({}))["error"]["code"], -32601);
    }

    // Lists, and what is on them.
    let tools = server.ask(3, "tools/list", json!({}));
    let names: Vec<&Value> =
        tools["result"]["tools"].as_array().expect("tools").iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["add", "count"]);
    let resources = server.ask(4, "resources/list", json!({}));
    assert_eq!(resources["result"]["resources"][0]["uri"], "docs://guide");
    let contents = server.ask(5, "resources/read", json!({ "uri": "docs://guide" }));
    assert_eq!(contents["result"]["contents"][0]["text"], "Call `add` or `count`.");
    assert_eq!(server.ask(6, "prompts/list", json!({}))["result"]["prompts"][0]["name"], "sum");
    let prompt = server.ask(7, "prompts/get", json!({ "name": "sum" }));
    assert_eq!(prompt["result"]["messages"][0]["role"], "user");

    // A call, with its members in the order that the TypeScript SDK writes.
    server.pending.sent.insert(8, "tools/call", ()).expect("a fresh id");
    let mut params = json!({ "name": "add", "arguments": { "a": 2, "b": 3.5 } });
    if !revision.has_handshake() {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": revision.as_str(),
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    server.write(&json!({ "method": "tools/call", "params": params, "jsonrpc": "2.0", "id": 8 }).to_string());
    assert_eq!(server.answer(8).0["result"]["content"][0]["text"], "5.5");

    // Progress, for a client that asks for it.
    let params = json!({ "name": "count", "arguments": { "to": 3 }, "_meta": { "progressToken": "steps" } });
    server.send(json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": params }));
    let (answer, before) = server.answer(9);
    assert_eq!(answer["result"]["content"][0]["text"], "counted to 3");
    let steps: Vec<&Value> = before.iter().map(|message| &message["params"]["progress"]).collect();
    assert_eq!(steps, [1, 2, 3]);
    assert!(before.iter().all(|message| message["params"]["progressToken"] == "steps"));

    // A cancelled request is not answered, and does not keep others waiting.
    let slow = json!({ "name": "count", "arguments": { "to": 1000 }, "_meta": { "progressToken": 10 } });
    server.send(json!({ "jsonrpc": "2.0", "id": 10, "method": "tools/call", "params": slow }));
    assert_eq!(server.receive()["params"]["progressToken"], 10);
    let cancel = json!({ "requestId": 10, "reason": "too slow" });
    server.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel }));

    // Errors: of the server's own, of dispatch, of the text itself.
    let missing = server.ask(11, "resources/read", json!({ "uri": "docs://nothing" }));
    let code = if revision.has_handshake() { -32002 } else { -32602 };
    assert_eq!((&missing["error"]["code"], &missing["error"]["data"]["uri"]), (&json!(code), &json!("docs://nothing")));
    assert_eq!(server.ask(12, "tools/call", json!({ "name": "nope" }))["error"]["code"], -32602);
    let wrong = server.ask(13, "tools/call", json!({ "name": 5 }));
    assert_eq!(wrong["error"]["data"]["pointer"], "/params/name");
    assert_eq!(server.ask(14, "vendor/nothing", json!({}))["error"]["code"], -32601);
    server.write("this is not JSON");
    let unreadable = server.receive();
    assert_eq!((&unreadable["error"]["code"], unreadable.get("id")), (&json!(-32700), None));
    server.write("[]");
    assert_eq!(server.receive()["error"]["code"], -32600);

    // The end of input ends the server, which has nothing more to say.
    drop(server.input.take());
    let status = server.child.wait().expect("the server ends");
    assert!(status.success(), "{status}");
    let rest: Vec<Value> = server.lines.iter().collect();
    assert!(rest.iter().all(|message| message["id"] != 10), "the cancelled request was answered");
    assert!(rest.len() < 100, "{} messages about a cancelled request", rest.len());
    println!("{revision}: {} messages checked", server.checked);
    assert!(server.checked >= 19, "{revision}: only {} messages", server.checked);
}

#[test]
fn the_server_answers_a_session_in_every_revision() {
    assert_eq!(Revision::ENABLED, Revision::ALL);
    for revision in Revision::ENABLED {
        session(revision);
    }
}

#[test]
fn a_client_that_wants_another_revision_gets_one_the_server_speaks() {
    let latest = mcp_wire::proposal(Revision::ALL).expect("a revision with a handshake");
    let mut server = Server::start(latest);
    let client = json!({ "name": "script", "version": "1" });
    let params = json!({ "protocolVersion": "2031-01-01", "capabilities": {}, "clientInfo": client });
    assert_eq!(server.ask(1, "initialize", params)["result"]["protocolVersion"], latest.as_str());

    // Without a handshake there is nothing to offer instead: the request is refused.
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2031-01-01" });
    let answer = server.ask(2, "tools/list", json!({ "_meta": meta }));
    assert_eq!(answer["error"]["code"], -32022);
    assert_eq!(answer["error"]["data"]["requested"], "2031-01-01");
    let named = Revision::ALL.iter().filter(|revision| !revision.has_handshake()).map(Revision::as_str);
    assert_eq!(answer["error"]["data"]["supported"], named.collect::<Value>(), "what such a request can name");
}

#[test]
fn the_client_and_the_server_get_along_in_every_revision() {
    let server = program("stdio_server");
    for revision in Revision::ALL {
        let output = Command::new(program("stdio_client"))
            .args(["--revision", revision.as_str(), "--call", "add", r#"{"a":40,"b":2}"#])
            .arg(&server)
            .output()
            .expect("the client runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{revision}: {text}{errors}");
        assert!(text.contains(&format!("revision {revision}\n")), "{text}");
        for expected in ["tool     add", "tool     count", "resource docs://guide", "prompt   sum", "  42\n"] {
            assert!(text.contains(expected), "{revision} lacks {expected:?}: {text}");
        }
    }
    // Bad arguments, a program that does not exist, a tool that does not exist.
    for arguments in [&[][..], &["--nonsense"], &["/no/such/program"]] {
        let output = Command::new(program("stdio_client")).args(arguments).output().expect("the client runs");
        assert!(!output.status.success() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

const MISBEHAVIOUR: &str = "MCP_WIRE_MISBEHAVIOUR";

/// No test, but a server for the test below: this program, started once more. It answers `initialize` with what the
/// environment says. If that is nothing, it is a good server with nothing to list, but does not end when its input does.
#[test]
#[ignore = "a server, which another test starts"]
fn misbehaving_server() {
    let Ok(misbehaviour) = std::env::var(MISBEHAVIOUR) else { return };
    // The line that says which test runs ends here.
    println!();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let result = match request["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": request["params"]["protocolVersion"], "capabilities": {},
                "serverInfo": { "name": "s", "version": "1" },
            }),
            Some("tools/list") => json!({ "tools": [] }),
            Some("resources/list") => json!({ "resources": [] }),
            _ => json!({ "prompts": [] }),
        };
        let mut answer = match misbehaviour.as_str() {
            "silence" => continue,
            "" => json!({ "result": result }),
            answer => serde_json::from_str(answer).expect("JSON"),
        };
        if request.get("id").is_some() {
            answer["jsonrpc"] = json!("2.0");
            answer["id"] = request["id"].clone();
            println!("{answer}");
        }
    }
    if misbehaviour.is_empty() {
        thread::sleep(Duration::from_secs(3600));
    }
}

/// Runs the client with a server that misbehaves; it must come to an end long before the test does.
fn client_with(misbehaviour: &str, options: &[&str]) -> Output {
    let start = Instant::now();
    let mut client = Command::new(program("stdio_client"))
        .args(options)
        .arg(std::env::current_exe().expect("a path"))
        .args(["--ignored", "--exact", "misbehaving_server", "--nocapture"])
        .env(MISBEHAVIOUR, misbehaviour)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the client starts");
    while client.try_wait().expect("a child").is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            client.kill().expect("a child");
            panic!("the client hangs: {misbehaviour:?}");
        }
        thread::sleep(Duration::from_millis(10));
    }
    client.wait_with_output().expect("the client ends")
}

#[test]
fn the_client_hears_of_malformed_answers() {
    let malformed = [
        (json!({ "error": "no" }), "/error: expected an object"),
        (json!({ "error": { "code": 1 } }), "required member \"message\""),
        (json!({ "error": { "code": "1", "message": "m" } }), "/error/code"),
        (json!({ "error": null }), "/error"),
        (json!({}), "none of the members"),
        (json!({ "result": {}, "error": { "code": 1, "message": "both at once" } }), "both at once"),
        (json!({ "result": 5 }), "strange answer"),
    ];
    for (answer, reason) in malformed {
        // It does not take its patience to notice.
        let output = client_with(&answer.to_string(), &["--timeout", "3600"]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(reason), "{answer}: {errors}");
    }
}

#[test]
fn the_client_waits_neither_for_an_answer_nor_for_an_end_without_a_limit() {
    let output = client_with("silence", &["--timeout", "1"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("no answer within 1 seconds"), "{errors}");

    let output = client_with("", &["--timeout", "3600"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.contains("does not end by itself"), "{errors}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("server   s 1"), "the session was a good one");
}
