//! A client over stdio: starts a server, agrees on a revision with it, lists what it offers, calls a tool.
//!
//! ```text
//! stdio_client [--revision R] [--timeout SECONDS] [--call TOOL JSON] COMMAND [ARGUMENT…]
//! ```
//!
//! A server may be broken or hostile, so nothing waits for it without a limit: neither for an answer nor for its end.

use std::error::Error;
use std::io;
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use mcp_wire::framing::{Frame, MessageReader, write_message};
use mcp_wire::{Connection, ErrorObject, JsonObject, Message, Outcome, Revision, Side, agree, proposal};

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

const USAGE: &str = "usage: stdio_client [--revision R] [--timeout SECONDS] [--call TOOL JSON] COMMAND [ARGUMENT…]";

/// How long a server may take to end when its input is closed.
const FAREWELL: Duration = Duration::from_secs(2);

/// The server's pipes. A thread of its own reads, so that others can stop waiting.
struct Pipes {
    input: ChildStdin,
    output: Receiver<io::Result<Frame>>,
    /// How long an answer may take.
    patience: Duration,
}

impl Pipes {
    fn send(&mut self, line: &str) -> Result<()> {
        Ok(write_message(&mut self.input, line.as_bytes())?)
    }

    /// Asks, and waits for the answer. Whatever else arrives meanwhile goes to the handler.
    fn ask<S>(&mut self, connection: &Connection<S>, request: impl Into<S::Ask>) -> Result<S::Result>
    where
        S: Side + mcp_wire::Handles<Patient>,
    {
        let (id, line) = connection.ask(request)?;
        self.send(&line)?;
        let deadline = Instant::now() + self.patience;
        loop {
            let frame = match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(frame) => frame?,
                Err(RecvTimeoutError::Disconnected) => return Err("the server has ended".into()),
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(line) = connection.cancel(&id, Some("it takes too long")) {
                        self.send(&line)?;
                    }
                    return Err(format!("no answer within {} seconds", self.patience.as_secs()).into());
                }
            };
            let Frame::Message(bytes) = frame else { continue };
            match connection.read(&bytes) {
                Ok(Message::Response(response)) if response.id.as_ref() == Some(&id) => {
                    connection.settle(&response);
                    return match response.outcome {
                        Outcome::Result(result) => Ok(result),
                        Outcome::Error(error) => Err(error.into()),
                        Outcome::Raw(value) => Err(format!("an answer of no known type: {value}").into()),
                    };
                }
                Ok(message) => {
                    if let Some(answer) = pollster::block_on(connection.handle(&Patient, message)) {
                        write_message(&mut self.input, answer.as_bytes())?;
                    }
                }
                // A malformed answer is an answer, too: no other will come.
                Err(refused) => match connection.settle_refused(&refused) {
                    Some(_) if refused.answers() == Some(&id) => return Err(refused.into()),
                    _ => eprintln!("ignored: {refused}"),
                },
            }
        }
    }
}

/// A server that ends when nobody needs it any more. Its pipes are to be closed before.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let deadline = Instant::now() + FAREWELL;
        while let Ok(None) = self.0.try_wait() {
            if Instant::now() >= deadline {
                eprintln!("the server does not end by itself, and is killed");
                let _ = self.0.kill();
                let _ = self.0.wait();
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Listens to notifications, and has nothing to offer to a server that asks.
struct Patient;

/// One revision: how to ask for a page of a list, and what else params need.
macro_rules! client {
    ($revision:ident, page: $page:expr $(, meta: $meta:expr)?) => {
        mod $revision {
            use mcp_wire::$revision::*;

            use super::{JsonObject, Patient, Pipes, Result};

            impl ClientHandler for Patient {
                async fn progress(&self, params: ProgressNotificationParams, _: &Peer) {
                    println!("  progress {}", params.progress);
                }

                async fn logging_message(&self, params: LoggingMessageNotificationParams, _: &Peer) {
                    eprintln!("[{}] {}", params.level, params.data);
                }
            }

            /// Lists what there is, and calls a tool: the one that was asked for, or `add` where there is one.
            pub fn look_around(pipes: &mut Pipes, wanted: Option<(String, JsonObject)>) -> Result<()> {
                // The first id has been used to open the session.
                let connection = Connection::<ClientSide>::new(|_| {}).with_next_id(2);
                let mut call = wanted;
                if let ServerResult::ListTools(list) = pipes.ask(&connection, ClientRequest::ListTools($page))? {
                    for tool in &list.tools {
                        println!("tool     {}  {}", tool.name, tool.description.as_deref().unwrap_or_default());
                    }
                    if call.is_none() && list.tools.iter().any(|tool| tool.name == "add") {
                        call = Some(("add".to_owned(), json_object! { "a": 2, "b": 3 }));
                    }
                }
                // A server need not have resources or prompts.
                if let Ok(ServerResult::ListResources(list)) =
                    pipes.ask(&connection, ClientRequest::ListResources($page))
                {
                    list.resources.iter().for_each(|resource| println!("resource {}  {}", resource.uri, resource.name));
                }
                if let Ok(ServerResult::ListPrompts(list)) =
                    pipes.ask(&connection, ClientRequest::ListPrompts($page))
                {
                    list.prompts.iter().for_each(|prompt| println!("prompt   {}", prompt.name));
                }
                let Some((name, arguments)) = call else { return Ok(()) };
                println!("calling  {name} {arguments}");
                let params = CallToolRequestParams::new(name $(, $meta)?).with_arguments(arguments);
                if let ServerResult::CallTool(result) = pipes.ask(&connection, params)? {
                    for block in &result.content {
                        match block {
                            ContentBlock::Text(text) => println!("  {}", text.text),
                            other => println!("  {other:?}"),
                        }
                    }
                }
                Ok(())
            }
        }
    };
    // All revisions in which a connection is opened by a handshake.
    (handshake: $($revision:ident)*) => { $(client! { $revision, page: None })* };
}

client! { handshake: v2024_11_05 v2025_03_26 v2025_06_18 v2025_11_25 }

client! { v2026_07_28, page: PaginatedRequestParams::new(super::meta()).into(), meta: super::meta() }

/// What every request of 2026-07-28 says about its sender.
fn meta() -> mcp_wire::v2026_07_28::RequestMetaObject {
    use mcp_wire::v2026_07_28::{ClientCapabilities, Implementation, REVISION, RequestMetaObject};
    let client = Implementation::new("mcp-wire-example", "1.0.0");
    RequestMetaObject::new(REVISION, ClientCapabilities::new()).with_client_info(client)
}

/// Opens the connection by a handshake. A server that has none says so, and is spoken to in the latest revision without one.
fn meet(pipes: &mut Pipes, supported: &[Revision]) -> Result<Revision> {
    use mcp_wire::v2025_11_25::{
        ClientCapabilities, ClientSide, Implementation, InitializeRequestParams, InitializedNotification, ServerResult,
        error_codes::METHOD_NOT_FOUND,
    };
    let without = supported.iter().rfind(|revision| revision.is_known() && !revision.has_handshake()).cloned();
    let Some(proposed) = proposal(supported) else { return without.ok_or("no known revision is to be spoken".into()) };
    let client = Implementation::new("mcp-wire-example", "1.0.0");
    let params = InitializeRequestParams::new(proposed.as_str(), ClientCapabilities::new(), client);
    let connection = Connection::<ClientSide>::new(|_| {});
    let result = match pipes.ask(&connection, params) {
        Ok(ServerResult::Initialize(result)) => result,
        Ok(other) => return Err(format!("a strange answer: {other:?}").into()),
        Err(error) => {
            let refused = error.downcast::<ErrorObject>()?;
            return without.filter(|_| refused.code() == Some(METHOD_NOT_FOUND)).ok_or(refused as Box<dyn Error>);
        }
    };
    println!("server   {} {}", result.server_info.name, result.server_info.version);
    let revision = agree(&result.protocol_version.into(), supported)?;
    pipes.send(&mcp_wire::notification::<InitializedNotification>(None))?;
    Ok(revision)
}

fn start(command: &[String], patience: Duration) -> Result<(Server, Pipes)> {
    let (program, arguments) = command.split_first().ok_or(USAGE)?;
    let mut child = Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (input, lines) = (child.stdin.take().ok_or("no pipe")?, child.stdout.take().ok_or("no pipe")?);
    // A server that writes faster than we read has to wait.
    let (frames, output) = sync_channel(16);
    thread::spawn(move || MessageReader::new(lines).try_for_each(|frame| frames.send(frame)));
    Ok((Server(child), Pipes { input, output, patience }))
}

fn run() -> Result<()> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut supported = Revision::ALL.to_vec();
    let mut call = None;
    let mut patience = Duration::from_secs(60);
    while let Some(option) = arguments.first().filter(|first| first.starts_with("--")).cloned() {
        arguments.remove(0);
        let mut next = || if arguments.is_empty() { Err(USAGE) } else { Ok(arguments.remove(0)) };
        match option.as_str() {
            "--revision" => supported = vec![Revision::from(next()?)],
            "--timeout" => patience = Duration::from_secs(next()?.parse()?),
            "--call" => call = Some((next()?, mcp_wire::from_str(&next()?)?)),
            _ => return Err(USAGE.into()),
        }
    }
    // The pipes are closed first, which ends the server, whatever comes in between.
    let (_server, mut pipes) = start(&arguments, patience)?;
    let revision = meet(&mut pipes, &supported)?;
    println!("revision {revision}");
    match revision {
        Revision::V2024_11_05 => v2024_11_05::look_around(&mut pipes, call)?,
        Revision::V2025_03_26 => v2025_03_26::look_around(&mut pipes, call)?,
        Revision::V2025_06_18 => v2025_06_18::look_around(&mut pipes, call)?,
        Revision::V2025_11_25 => v2025_11_25::look_around(&mut pipes, call)?,
        Revision::V2026_07_28 => v2026_07_28::look_around(&mut pipes, call)?,
        other => return Err(format!("no such revision: {other}").into()),
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
