//! Recorded sessions: JSON lines `{"dir": "c2s" | "s2c", "msg": …}`, or one message per line.
//!
//! A recording is read as a stream, a line at a time. Requests and responses are paired by id and direction, the latest
//! request winning, since a file may hold one connection after another.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use mcp_wire::framing::{Frame, MessageReader};
use mcp_wire::{
    AnyClientMessage, AnyError, AnyServerMessage, InFlight, JsonRef, Lookup, Opening, Party, Peek, RequestId, Revision,
    proposal,
};
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::examples::{entries, shown};
use crate::report::{Document, Outcome, Report};
use crate::{Judges, Misuse, in_path, value};

/// Verifies a recording, or all recordings in a folder and the folders in it.
pub fn verify(
    path: &Path,
    revision: Option<&Revision>,
    longest: usize,
    judges: &Judges,
    report: &mut dyn Report,
) -> Result<(), Misuse> {
    let mut files = Vec::new();
    find(path, 0, &mut files)?;
    if files.is_empty() {
        return Err(Misuse(format!("{} has no recordings\n  expected files like session.jsonl", path.display())));
    }
    for file in files {
        let fixed = revision.cloned().or_else(|| in_path(&file));
        let mut session = Session::new(&file, fixed, judges, report);
        session.read(longest)?;
    }
    Ok(())
}

fn find(path: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Misuse> {
    // A link may lead back up.
    const DEEPEST: usize = 32;
    if path.is_dir() && depth < DEEPEST {
        for entry in entries(path)? {
            let hidden = entry.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            let recording = entry.extension().is_some_and(|end| end == "jsonl" || end == "ndjson" || end == "log");
            if !hidden && (entry.is_dir() || recording) {
                find(&entry, depth + 1, files)?;
            }
        }
    } else {
        files.push(path.to_owned());
    }
    Ok(())
}

/// One file.
struct Session<'a> {
    path: &'a Path,
    name: String,
    judges: &'a Judges,
    report: &'a mut dyn Report,
    /// The revision that was asked for, or that the file's folder names.
    fixed: Option<Revision>,
    /// The one that the messages themselves have agreed on.
    agreed: Option<Revision>,
    client: InFlight,
    server: InFlight,
    line: usize,
    bytes: u64,
    messages: usize,
}

/// A message, and what is known of it without reading it as one.
struct Line<'t> {
    ty: &'static str,
    text: &'t str,
    value: &'t Value,
    /// The methods of the requests that it answers, one for each message of a batch.
    asked: Vec<Option<String>>,
}

/// What stands on a line.
enum Found<'t> {
    Message(Option<Party>, &'t RawValue),
    Noise,
}

/// The members of a line that matter; others are skipped.
#[derive(serde::Deserialize)]
struct Wrapper<'t> {
    dir: Option<Value>,
    #[serde(borrow)]
    msg: Option<&'t RawValue>,
    #[serde(borrow)]
    raw: Option<&'t RawValue>,
}

impl<'a> Session<'a> {
    fn new(path: &'a Path, fixed: Option<Revision>, judges: &'a Judges, report: &'a mut dyn Report) -> Self {
        Self {
            path,
            name: shown(path),
            judges,
            report,
            fixed,
            agreed: None,
            client: InFlight::default(),
            server: InFlight::default(),
            line: 0,
            bytes: 0,
            messages: 0,
        }
    }

    fn fail(&self, error: impl std::fmt::Display) -> Misuse {
        Misuse(format!("{}: {error}", self.name))
    }

    fn read(&mut self, longest: usize) -> Result<(), Misuse> {
        let file = File::open(self.path).map_err(|error| self.fail(error))?;
        let length = file.metadata().ok().filter(|data| data.is_file()).map(|data| data.len());
        self.report.begin(&self.name, length);
        let mut ends = Ends::new(file);
        let mut reader = MessageReader::with_limit(&mut ends, longest);
        let mut too_long = None;
        while let Some(frame) = reader.next() {
            match frame.map_err(|error| self.fail(error))? {
                Frame::Message(text) => {
                    self.line = reader.line();
                    self.bytes += text.len() as u64 + 1;
                    self.take(&text)?;
                }
                Frame::TooLong(length) => {
                    self.line = reader.line();
                    self.bytes += length as u64 + 1;
                    too_long.get_or_insert((self.line, length));
                }
            }
        }
        if let Some((line, length)) = too_long {
            return Err(self.fail(format!(
                "line {line} has {length} bytes, more than the {longest} that are read\n  raise the limit with --longest-line"
            )));
        }
        if ends.is_cut_off() && self.line > 0 {
            self.report
                .remark(&format!("{}: the last line has no end; the recording may have been cut off", self.name));
        }
        match (self.line, self.messages) {
            (0, _) => Err(self.fail("the file is empty: nothing to verify")),
            (lines, 0) => Err(self.fail(format!("no JSON-RPC message among {lines} lines: is this a recording?"))),
            _ => Ok(()),
        }
    }

    fn take(&mut self, text: &[u8]) -> Result<(), Misuse> {
        // Noise is whatever stands in a recording without being a message; it has no other outcome.
        let line = match std::str::from_utf8(text) {
            Ok(text) => line(text),
            Err(_) => Found::Noise,
        };
        let Found::Message(direction, message) = line else {
            let noise = Document::new(&self.name, Some(self.line), Outcome::Noise);
            self.report.document(noise, self.bytes);
            return Ok(());
        };
        // It is JSON, unless it is nested deeper than anyone reads. Each member of a message is counted by itself.
        let value = match value::message(message.get()) {
            Ok(value) => value,
            Err(error) => {
                let mut document = Document::new(&self.name, Some(self.line), Outcome::Invalid);
                document.error = Some(error.to_string());
                self.report.document(document, self.bytes);
                return Ok(());
            }
        };
        self.messages += 1;
        let sender = direction.unwrap_or_else(|| self.sender(message.get(), &value));
        self.negotiate(sender, message.get(), &value);
        // In a revision without a handshake every request names its version, so that one which does not is older.
        let silent = || proposal(Revision::ENABLED).cloned().unwrap_or(Revision::LATEST);
        let revision = self.fixed.clone().or_else(|| self.agreed.clone()).unwrap_or_else(silent);
        let document = match sender {
            Party::Client => self.client_message(&revision, message.get(), &value)?,
            Party::Server => self.server_message(&revision, message.get(), &value)?,
        };
        self.report.document(document, self.bytes);
        Ok(())
    }

    fn client_message(&mut self, revision: &Revision, text: &str, value: &Value) -> Result<Document, Misuse> {
        let asked = asked(text, value, &self.server);
        let read = AnyClientMessage::from_slice(revision, text.as_bytes(), &self.server);
        if let Ok(message) = &read {
            message.observe(&mut self.client, &mut self.server);
        }
        let read = read.map(|message| (message.to_text(), message.variant_name(), message.check()));
        self.document(Line { ty: "ClientMessage", text, value, asked }, revision, read)
    }

    fn server_message(&mut self, revision: &Revision, text: &str, value: &Value) -> Result<Document, Misuse> {
        let asked = asked(text, value, &self.client);
        let read = AnyServerMessage::from_slice(revision, text.as_bytes(), &self.client);
        if let Ok(message) = &read {
            message.observe(&mut self.server, &mut self.client);
        }
        let read = read.map(|message| (message.to_text(), message.variant_name(), message.check()));
        self.document(Line { ty: "ServerMessage", text, value, asked }, revision, read)
    }

    fn document(&self, line: Line<'_>, revision: &Revision, read: Read) -> Result<Document, Misuse> {
        let mut document = Document::new(&self.name, Some(self.line), Outcome::Exact);
        document.ty = Some(line.ty.to_owned());
        match read {
            Ok((after, (kind, variant), violations)) => {
                let places = self.judges.places(revision)?;
                let methods = messages(line.value).iter().map(|message| message["method"].as_str());
                let place = places.messages(methods.zip(line.asked.iter().map(Option::as_deref)));
                document.judge(line.text, &self.judges.written(line.text, after), place);
                document.variant = Some(format!("{kind}::{variant}"));
                document.is_unknown = matches!(variant, "Other" | "Unknown" | "Raw");
                document.violations = violations.into_iter().map(Into::into).collect();
            }
            Err(error) => {
                let accepted = self.judges.accepts_message(revision, line.value)?;
                document.outcome = if accepted { Outcome::Rejected } else { Outcome::Invalid };
                document.error = Some(error.to_string());
            }
        }
        Ok(document)
    }

    /// Who sends a message that does not say so: whoever may, by its method; whoever was asked, by its id.
    fn sender(&self, text: &str, value: &Value) -> Party {
        let first = value::messages(text).first().copied().unwrap_or(text);
        let (first, value) = (Peek::of(first).ok(), value.get(0).unwrap_or(value));
        if let Some(method) = value["method"].as_str() {
            let latest_first = Revision::ENABLED.iter().rev();
            let senders = latest_first.filter_map(|revision| revision.method(method)).map(|method| method.senders);
            let senders: Vec<&[Party]> = senders.collect();
            let cancelled = first.and_then(|first| id(first.params?.get("requestId")));
            return match (&senders[..], value.get("id")) {
                ([first, ..], _) if first.len() == 1 => first[0],
                // A side cancels its own requests.
                (_, None) if cancelled.as_ref().is_some_and(|id| self.client.get(id).is_some()) => Party::Client,
                (_, None) => Party::Server,
                (_, Some(_)) => Party::Client,
            };
        }
        match first.and_then(|first| id(first.id)) {
            Some(id) if self.server.method_of(&id).is_some() && self.client.method_of(&id).is_none() => Party::Client,
            _ => Party::Server,
        }
    }

    /// Follows what the two sides agree on.
    fn negotiate(&mut self, sender: Party, text: &str, value: &Value) {
        let stated = match sender {
            Party::Client => Opening::of(text.as_bytes()).version,
            Party::Server => {
                let id = Peek::of(text).ok().and_then(|message| id(message.id));
                let asked = id.and_then(|id| self.client.method_of(&id));
                let answered = value["result"]["protocolVersion"].as_str();
                answered.filter(|_| asked.as_deref() == Some("initialize")).map(str::to_owned)
            }
        };
        if let Some(revision) = stated.map(Revision::from).filter(Revision::is_enabled) {
            self.agreed = Some(revision);
        }
    }
}

/// What reading a message gave: the message, written again; what it was read as; what the schema does not allow.
type Read = Result<(String, (&'static str, &'static str), Vec<mcp_wire::Violation>), AnyError>;

/// An id with all its digits, which a value does not have.
fn id(text: Option<JsonRef<'_>>) -> Option<RequestId> {
    mcp_wire::from_str(text?.text()).ok()
}

/// A message, or those of a batch.
fn messages(value: &Value) -> &[Value] {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)
}

/// The methods of the requests that messages answer.
fn asked(text: &str, value: &Value, requests: &InFlight) -> Vec<Option<String>> {
    let asked = |(text, message): (&str, &Value)| {
        let answered = id(Peek::of(text).ok()?.id).filter(|_| message.get("method").is_none())?;
        requests.method_of(&answered).map(|method| method.into_owned())
    };
    value::messages(text).into_iter().zip(messages(value)).map(asked).collect()
}

/// The message on a line, if there is one: in an object that says who sent it, or by itself.
fn line(text: &str) -> Found<'_> {
    let Ok(whole) = serde_json::from_str::<&RawValue>(text) else { return Found::Noise };
    if let Ok(wrapper) = serde_json::from_str::<Wrapper<'_>>(text)
        && let Some(dir) = wrapper.dir
        && (wrapper.msg.is_some() || wrapper.raw.is_some())
    {
        let direction = match dir.as_str() {
            Some("c2s") => Some(Party::Client),
            Some("s2c") => Some(Party::Server),
            _ => None,
        };
        return match wrapper.msg {
            Some(message) if is_rpc(message.get()) => Found::Message(direction, message),
            _ => Found::Noise,
        };
    }
    if is_rpc(text) { Found::Message(None, whole) } else { Found::Noise }
}

/// Whether JSON has anything of JSON-RPC: a batch, or an object with one of its members.
fn is_rpc(text: &str) -> bool {
    // A map, since members may be repeated.
    type Members = BTreeMap<String, Option<IgnoredAny>>;
    let any = |members: &Members| {
        let is_there = |name: &&str| members.get(*name).is_some_and(Option::is_some);
        ["jsonrpc", "method", "result", "error"].iter().any(is_there)
    };
    match text.trim_ascii_start().as_bytes().first() {
        Some(b'{') => serde_json::from_str::<Members>(text).is_ok_and(|members| any(&members)),
        Some(b'[') => serde_json::from_str::<Vec<Members>>(text).is_ok_and(|items| items.iter().any(any)),
        _ => false,
    }
}

/// A stream that remembers how it ended.
struct Ends<R> {
    stream: R,
    last: Option<u8>,
}

impl<R: std::io::Read> Ends<R> {
    fn new(stream: R) -> Self {
        Self { stream, last: None }
    }

    fn is_cut_off(&self) -> bool {
        self.last.is_some_and(|last| last != b'\n')
    }
}

impl<R: std::io::Read> std::io::Read for Ends<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.stream.read(buffer)?;
        if let Some(last) = length.checked_sub(1).and_then(|last| buffer.get(last)) {
            self.last = Some(*last);
        }
        Ok(length)
    }
}
