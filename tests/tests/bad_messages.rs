//! Bad input and the answer it gets: a table of messages for both sides of every revision, what depends on the order of
//! messages, what depends on lines, and messages that are damaged at random.

use mcp_wire_core::framing::{Frame, Framer, MessageReader, write_message};
use mcp_wire_core::{Json, MethodKind, Party, Rejection};
use mcp_wire_tests::ends::{End, Setup, notification, params_of, parsed, poll, request, response};
use mcp_wire_tests::{ALL, REVISIONS, Revision, assert_pinned, root};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read;

const BATCHES: &str = "2025-03-26";
const UNKNOWN: &str = "no/such";

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;

/// What an end does with a message.
#[derive(Debug, Clone, PartialEq)]
enum Expected {
    /// No answer at all.
    Silence,
    /// Nothing is wrong after all: the answer to a good request, with this id.
    Fine(Value),
    /// An error with this code, and with this id or without any.
    Error(i64, Option<Value>),
    /// -32602 with this id and this pointer.
    Pointer(Value, String),
}

use Expected::{Error, Fine, Pointer, Silence};

struct Row {
    name: String,
    bytes: Vec<u8>,
    expected: Expected,
}

/// A table while it is written.
struct Table<'e> {
    end: &'e End,
    rows: Vec<Row>,
}

/// An object from the texts of its members, which a JSON value could not hold: repeated, in this order, not JSON.
fn object(members: &[(&str, &str)]) -> String {
    let members: Vec<String> = members.iter().map(|(name, text)| format!("\"{name}\":{text}")).collect();
    format!("{{{}}}", members.join(","))
}

/// A request that an end can answer. A client of a revision without a handshake is never asked anything.
fn good(end: &End) -> &'static str {
    if end.is_asked() { end.known_request() } else { UNKNOWN }
}

fn both_ends(revision: &Revision) -> [End; 2] {
    [End::server(revision.name), End::client(revision.name)]
}

fn all_ends() -> Vec<End> {
    REVISIONS.iter().flat_map(both_ends).collect()
}

impl Table<'_> {
    fn add(&mut self, name: &str, bytes: impl Into<Vec<u8>>, expected: Expected) {
        self.rows.push(Row { name: name.to_owned(), bytes: bytes.into(), expected });
    }

    /// The text of the good params.
    fn params(&self) -> String {
        params_of(self.end.revision.name, good(self.end)).unwrap_or_else(|| json!({})).to_string()
    }

    fn method(&self) -> String {
        format!("\"{}\"", good(self.end))
    }

    /// A good request but for some members: each is replaced, or added where there is none.
    fn request_with(&self, replaced: &[(&str, &str)]) -> String {
        let (method, params) = (self.method(), self.params());
        let mut members = vec![("jsonrpc", "\"2.0\""), ("id", "7"), ("method", &method), ("params", &params)];
        for (name, text) in replaced {
            match members.iter_mut().find(|(known, _)| known == name) {
                Some(member) => member.1 = text,
                None => members.push((name, text)),
            }
        }
        object(&members)
    }

    /// What is not JSON, or not usable as such.
    fn syntax(&mut self) {
        let good = self.request_with(&[]);
        let bytes = good.as_bytes();
        let utf16: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (name, bytes) in [
            ("nothing", Vec::new()),
            ("white space", b" \r\n\t ".to_vec()),
            ("garbage", b"nonsense".to_vec()),
            ("truncated in the middle", bytes[..bytes.len() / 2].to_vec()),
            ("truncated by one byte", bytes[..bytes.len() - 1].to_vec()),
            ("an array that does not end", b"[1,".to_vec()),
            ("garbage behind", [bytes, b" x"].concat()),
            ("a second document behind", [bytes, bytes].concat()),
            ("a closing brace too many", [bytes, b"}"].concat()),
            ("a byte order mark", [b"\xef\xbb\xbf", bytes].concat()),
            ("a form feed in front", [b"\x0c", bytes].concat()),
            ("a form feed in front of an array", [b"\x0c[", bytes, b"]"].concat()),
            ("a zero byte", [bytes, b"\0"].concat()),
            ("UTF-16", utf16),
            ("invalid UTF-8", [b"{\"a\":\"\xff\",", &bytes[1..]].concat()),
            ("an overlong zero", [b"{\"a\":\"\xc0\x80\",", &bytes[1..]].concat()),
            ("a surrogate in UTF-8", [b"{\"a\":\"\xed\xa0\x80\",", &bytes[1..]].concat()),
            ("single quotes", b"{'jsonrpc':'2.0'}".to_vec()),
            ("names without quotes", b"{jsonrpc:\"2.0\"}".to_vec()),
            ("a trailing comma", [&bytes[..bytes.len() - 1], b",}"].concat()),
            ("a comment", [b"/* a */", bytes].concat()),
        ] {
            self.add(name, bytes, Error(PARSE_ERROR, None));
        }
        for (name, text) in [
            ("NaN", "NaN"),
            ("Infinity", "-Infinity"),
            ("a leading zero", "01"),
            ("a hexadecimal number", "0x1"),
            ("a raw line end in a string", "\"a\nb\""),
            ("an unknown escape", "\"\\x41\""),
            ("a lone leading surrogate", "\"\\ud800\""),
            ("a lone trailing surrogate", "\"\\udc00\""),
        ] {
            self.add(&format!("{name} as the id"), self.request_with(&[("id", text)]), Error(PARSE_ERROR, None));
            let extra = self.request_with(&[("x", &format!("[{text}]"))]);
            self.add(&format!("{name} elsewhere"), extra, Error(PARSE_ERROR, None));
        }
        for depth in [200, 100_000] {
            let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            for place in ["params", "x", "id", "method", "jsonrpc", "error"] {
                let text = self.request_with(&[(place, &deep)]);
                self.add(&format!("{place} nested {depth} times"), text, Error(PARSE_ERROR, None));
            }
            // An array is no message here, or a batch whose first item is none.
            if self.end.revision.name != BATCHES {
                self.add(&format!("an array nested {depth} times"), deep, Error(INVALID_REQUEST, None));
            }
        }
    }

    /// JSON that is no message, and messages whose envelope is wrong.
    fn envelope(&mut self) {
        for (name, text) in [
            ("an integer", "1"),
            ("a float", "1.5"),
            ("a string", "\"ping\""),
            ("true", "true"),
            ("null", "null"),
            ("an empty object", "{}"),
            ("an object of something else", "{\"type\":\"text\",\"text\":\"t\"}"),
            ("a version and nothing else", "{\"jsonrpc\":\"2.0\"}"),
            ("an empty array", "[]"),
        ] {
            self.add(name, text, Error(INVALID_REQUEST, None));
        }
        if self.end.revision.name != BATCHES {
            let text = format!("[{}]", self.request_with(&[]));
            self.add("an array with a request", text, Error(INVALID_REQUEST, None));
        }
        let absent = object(&[("id", "7"), ("method", &self.method()), ("params", &self.params())]);
        self.add("no version", absent, Error(INVALID_REQUEST, Some(json!(7))));
        for version in ["\"1.0\"", "\"2\"", "\"\"", "2.0", "2", "null", "[\"2.0\"]", "{}"] {
            let text = self.request_with(&[("jsonrpc", version)]);
            self.add(&format!("the version {version}"), text, Error(INVALID_REQUEST, Some(json!(7))));
        }
        let notes = [("\"1.0\"", "another version"), ("null", "null as the version")];
        for (version, name) in notes {
            let text = object(&[("jsonrpc", version), ("method", "\"notifications/x\"")]);
            self.add(&format!("a notification with {name}"), text, Silence);
        }

        let long = format!("\"{}\"", "x".repeat(1 << 20));
        for id in [
            "\"\"",
            "\"7\"",
            "0",
            "-1",
            "-0",
            "1.0",
            "1e2",
            "18446744073709551615",
            "-9223372036854775808",
            long.as_str(),
        ] {
            let text = self.request_with(&[("id", id)]);
            self.add(&format!("the good id {id:.30}"), text, Fine(parsed(id)));
        }
        // None of these is an id at all; `null` in the answer would be none either.
        for id in ["null", "1.5", "true", "false", "[]", "[1]", "{}", "{\"id\":1}", "1e-400", "18446744073709551616.5"]
        {
            let text = self.request_with(&[("id", id)]);
            self.add(&format!("the id {id}"), text, Error(INVALID_REQUEST, None));
        }

        let bare = object(&[("jsonrpc", "\"2.0\""), ("id", "7")]);
        self.add("no method", bare, Error(INVALID_REQUEST, Some(json!(7))));
        let only_params = object(&[("jsonrpc", "\"2.0\""), ("id", "7"), ("params", "{}")]);
        self.add("params and no method", only_params, Error(INVALID_REQUEST, Some(json!(7))));
        for method in ["1", "1.5", "null", "true", "[]", "[\"ping\"]", "{}"] {
            let text = self.request_with(&[("method", method)]);
            self.add(&format!("the method {method}"), text, Error(INVALID_REQUEST, Some(json!(7))));
            let text = object(&[("jsonrpc", "\"2.0\""), ("method", method)]);
            self.add(&format!("the method {method} without an id"), text, Error(INVALID_REQUEST, None));
        }
        for method in ["\"\"", "\"no/such\"", "\"Ping\"", "\"ping \"", "\"\\u0000\"", "\"constructor\""] {
            let text = self.request_with(&[("method", method), ("params", "{\"a\":[1]}")]);
            self.add(&format!("the unknown method {method}"), text, Error(METHOD_NOT_FOUND, Some(json!(7))));
            let text = object(&[("jsonrpc", "\"2.0\""), ("method", method)]);
            self.add(&format!("the unknown notification {method}"), text, Silence);
        }
        for params in ["[1,2]", "\"a\"", "null", "5"] {
            let text = self.request_with(&[("method", "\"no/such\""), ("params", params)]);
            let name = format!("an unknown method with the params {params}");
            self.add(&name, text, Error(METHOD_NOT_FOUND, Some(json!(7))));
        }
        let text = object(&[("jsonrpc", "\"2.0\""), ("method", &self.method()), ("params", &self.params())]);
        self.add("a request's method without an id", text, Silence);
        for method in ["notifications/cancelled", "notifications/progress", "notifications/x"] {
            let mut message = notification(self.end.revision.name, method);
            message["id"] = json!(7);
            let text = message.to_string();
            self.add(&format!("{method} with an id"), text, Error(METHOD_NOT_FOUND, Some(json!(7))));
            message["id"] = Value::Null;
            self.add(&format!("{method} with the id null"), message.to_string(), Error(INVALID_REQUEST, None));
        }
        for params in ["[]", "null", "7", "\"a\"", "{\"requestId\":null}", "{\"requestId\":{}}", "{\"reason\":5}"] {
            let members = [("jsonrpc", "\"2.0\""), ("method", "\"notifications/cancelled\""), ("params", params)];
            self.add(&format!("a cancellation with the params {params}"), object(&members), Silence);
        }
        let text = object(&[("jsonrpc", "\"2.0\""), ("method", "\"notifications/cancelled\"")]);
        self.add("a cancellation without params", text, Silence);
    }

    /// Answers that answer nothing, or are none.
    fn responses(&mut self) {
        let error = "{\"code\":1,\"message\":\"m\"}";
        let version = ("jsonrpc", "\"2.0\"");
        for (name, members) in [
            ("a result nobody asked for", vec![("id", "99"), ("result", "{}")]),
            ("an error nobody asked for", vec![("id", "\"99\""), ("error", error)]),
            ("a result with the id null", vec![("id", "null"), ("result", "{}")]),
            ("a result without an id", vec![("result", "{}")]),
            ("a result with an array as its id", vec![("id", "[1]"), ("result", "{}")]),
            ("an error with the id null", vec![("id", "null"), ("error", error)]),
            ("an error without an id", vec![("error", error)]),
            ("a result that is a string", vec![("id", "99"), ("result", "\"a\"")]),
            ("a result that is null", vec![("id", "99"), ("result", "null")]),
            ("an error that is a string", vec![("id", "99"), ("error", "\"a\"")]),
            ("an error that is null", vec![("id", "99"), ("error", "null")]),
            ("an error that is an array", vec![("id", "99"), ("error", "[]")]),
            ("an error without a code", vec![("id", "99"), ("error", "{\"message\":\"m\"}")]),
            ("an error without a message", vec![("id", "99"), ("error", "{\"code\":1}")]),
            ("an error with a code in words", vec![("id", "99"), ("error", "{\"code\":\"1\",\"message\":\"m\"}")]),
            ("a result with params", vec![("id", "99"), ("params", "{}"), ("result", "{}")]),
        ] {
            self.add(name, object(&[&[version], members.as_slice()].concat()), Silence);
        }
        let both = object(&[version, ("id", "7"), ("result", "{}"), ("error", error)]);
        self.add("both a result and an error", both, Silence);
        let both = object(&[version, ("error", error), ("result", "{}")]);
        self.add("both an error and a result, without an id", both, Silence);
        // A method decides: this is a request with a member that means nothing in it.
        let fine = self.request_with(&[("result", "{}")]);
        self.add("a request with a result", fine, Fine(json!(7)));
        let fine = self.request_with(&[("error", error)]);
        self.add("a request with an error", fine, Fine(json!(7)));
    }

    /// Repeated members: the last one counts.
    fn repetitions(&mut self) {
        let (method, params) = (self.method(), self.params());
        let all = [("jsonrpc", "\"2.0\""), ("id", "7"), ("method", method.as_str()), ("params", params.as_str())];
        let before = |name, text| object(&[&[(name, text)], all.as_slice()].concat());
        let after = |name, text| object(&[all.as_slice(), &[(name, text)]].concat());
        let rows = [
            ("a wrong version before", before("jsonrpc", "\"1.0\""), Fine(json!(7))),
            ("a wrong version after", after("jsonrpc", "\"1.0\""), Error(INVALID_REQUEST, Some(json!(7)))),
            ("another id before", before("id", "8"), Fine(json!(7))),
            ("another id after", after("id", "8"), Fine(json!(8))),
            ("a bad id before", before("id", "null"), Fine(json!(7))),
            ("a bad id after", after("id", "null"), Error(INVALID_REQUEST, None)),
            ("another method before", before("method", "\"no/such\""), Fine(json!(7))),
            ("another method after", after("method", "\"no/such\""), Error(METHOD_NOT_FOUND, Some(json!(7)))),
            ("a bad method after", after("method", "1"), Error(INVALID_REQUEST, Some(json!(7)))),
            ("other params before", before("params", "[]"), Fine(json!(7))),
        ];
        for (name, text, expected) in rows {
            self.add(name, text, expected);
        }
        if good(self.end) != UNKNOWN {
            let expected = Pointer(json!(7), "/params".to_owned());
            self.add("other params after", after("params", "[]"), expected);
        }
    }

    /// Params that do not fit a method that is known, with the method before and after them.
    fn wrong_params(&mut self) {
        let revision = self.end.revision.name;
        if good(self.end) == UNKNOWN {
            return;
        }
        let mut wrong: Vec<(&str, Option<Value>, &str)> = Vec::new();
        let method = good(self.end);
        wrong.push((method, None, ""));
        for kind in [json!([]), json!([{}]), json!("a"), Value::Null, json!(7), json!(true)] {
            wrong.push((method, Some(kind), "/params"));
        }
        wrong.push((method, Some(json!({})), "/params"));
        let mut add = |method: &'static str, pointer: &'static str, value: Value| {
            let mut params = params_of(revision, method).unwrap_or_else(|| json!({}));
            let (owner, name) = pointer["/params".len()..].rsplit_once('/').expect("a member");
            let owner = params.pointer_mut(owner).expect("an owner");
            match name.parse::<usize>() {
                Ok(index) => owner[index] = value,
                Err(_) => owner[name.replace("~1", "/")] = value,
            }
            wrong.push((method, Some(params), pointer));
        };
        match self.end.party {
            Party::Server => {
                for value in [Value::Null, json!(1), json!([]), json!({})] {
                    add("tools/call", "/params/name", value);
                }
                for value in [json!(1), json!([]), json!("a")] {
                    add("tools/call", "/params/arguments", value);
                }
                add("resources/read", "/params/uri", json!(5));
                add("prompts/get", "/params/arguments", json!({ "a": 1 }));
                add("completion/complete", "/params/ref", json!({ "type": "ref/tool" }));
                add("completion/complete", "/params/argument", json!([]));
                add("completion/complete", "/params/argument/value", json!(1));
                add("tools/list", "/params/cursor", json!(1));
                match self.end.revision.has_handshake() {
                    false => {
                        add("tools/list", "/params/_meta", json!(1));
                        add("tools/list", "/params/_meta/io.modelcontextprotocol~1protocolVersion", json!(20260728));
                        add("tools/list", "/params/_meta/io.modelcontextprotocol~1logLevel", json!("trace"));
                    }
                    true => {
                        add("logging/setLevel", "/params/level", json!("trace"));
                        add("logging/setLevel", "/params/level", json!(3));
                        add("initialize", "/params/clientInfo/version", json!(1));
                        add("initialize", "/params/capabilities", json!([]));
                    }
                }
            }
            Party::Client => {
                for value in [Value::Null, json!("1"), json!([])] {
                    add("sampling/createMessage", "/params/maxTokens", value);
                }
                add("sampling/createMessage", "/params/temperature", json!("warm"));
                add("sampling/createMessage", "/params/messages", json!({}));
                add("sampling/createMessage", "/params/messages/0", json!("hello"));
                add("sampling/createMessage", "/params/messages/0/role", json!("system"));
                add("sampling/createMessage", "/params/includeContext", json!("everything"));
                add("sampling/createMessage", "/params/stopSequences", json!(["a", 1]));
            }
        }
        for (method, params, pointer) in wrong {
            let expected = match (method, pointer) {
                // The place is that of the item, not that of the list.
                (_, "/params/stopSequences") => "/params/stopSequences/1",
                ("prompts/get", "/params/arguments") => "/params/arguments/a",
                (_, pointer) => pointer,
            };
            let expected = Pointer(json!(7), expected.to_owned());
            let shown = params.as_ref().map_or_else(|| "no params".to_owned(), Value::to_string);
            let (text, name) = (params.map(|params| params.to_string()), format!("\"{method}\""));
            let mut first = vec![("jsonrpc", "\"2.0\""), ("id", "7"), ("method", name.as_str())];
            first.extend(text.as_deref().map(|text| ("params", text)));
            let last: Vec<(&str, &str)> = first.iter().copied().rev().collect();
            self.add(&format!("{method} with {shown}"), object(&first), expected.clone());
            self.add(&format!("{method}, at last, with {shown}"), object(&last), expected);
        }
        // Many peers write `null` for an optional member that they do not set.
        let (method, member) = match self.end.party {
            Party::Server => ("tools/call", "arguments"),
            Party::Client => ("sampling/createMessage", "temperature"),
        };
        let mut params = params_of(revision, method).expect("params");
        params[member] = Value::Null;
        let (text, name) = (params.to_string(), format!("\"{method}\""));
        let first = [("jsonrpc", "\"2.0\""), ("id", "7"), ("method", name.as_str()), ("params", text.as_str())];
        let last: Vec<(&str, &str)> = first.iter().copied().rev().collect();
        self.add(&format!("{method} with {member}: null"), object(&first), Fine(json!(7)));
        self.add(&format!("{method}, at last, with {member}: null"), object(&last), Fine(json!(7)));
        // A required member that is missing is blamed on the object that lacks it.
        let (method, lacking) = match self.end.party {
            Party::Server => ("prompts/get", "name"),
            Party::Client => ("sampling/createMessage", "maxTokens"),
        };
        let mut message = request(revision, 7, method);
        message["params"].as_object_mut().expect("params").shift_remove(lacking);
        let name = format!("{method} without {lacking}");
        self.add(&name, message.to_string(), Pointer(json!(7), "/params".to_owned()));
    }

    /// What looks odd and is fine.
    fn oddities(&mut self) {
        let good = self.request_with(&[]);
        for (name, text) in [
            ("white space around", format!(" \r\n\t{good}\r\n ")),
            ("unknown members", self.request_with(&[("x", "{\"y\":[null]}"), ("", "1")])),
            ("a line separator in a string", self.request_with(&[("x", "\"\u{2028}\u{2029}\"")])),
            ("escapes in names", good.replacen("\"method\"", "\"\\u006dethod\"", 1)),
            ("a pair of surrogates", self.request_with(&[("x", "\"\\ud83d\\ude00\"")])),
        ] {
            self.add(name, text, Fine(json!(7)));
        }
        let escaped = format!("\"{}\"", good_escaped(self.end));
        let text = self.request_with(&[("method", &escaped)]);
        self.add("escapes in the method", text, Fine(json!(7)));
    }
}

/// The good method with its first letter as an escape.
fn good_escaped(end: &End) -> String {
    let method = good(end);
    format!("\\u{:04x}{}", u32::from(method.as_bytes()[0]), &method[1..])
}

/// What is wrong with an answer that this project has given: nothing that the schema of JSON-RPC messages could find,
/// except that an error about something without a usable id has none.
fn assert_is_json_rpc(revision: &Revision, answer: &Value) {
    match answer {
        Value::Array(answers) => {
            assert!(revision.name == BATCHES && !answers.is_empty(), "{answer}");
            answers.iter().for_each(|answer| assert_is_json_rpc(revision, answer));
        }
        _ => {
            let mut answer = answer.clone();
            assert_ne!(answer.get("id"), Some(&Value::Null), "null is no id");
            if answer.get("id").is_none() && answer["error"].is_object() {
                answer["id"] = json!(1);
            }
            let probe = revision.entry("JSONRPCMessage").convert(answer.clone()).expect("a message");
            assert_eq!(probe.violations, [], "{answer}");
            assert!(answer.get("result").is_some() != answer.get("error").is_some(), "{answer}");
        }
    }
}

fn assert_row(end: &End, row: &Row) {
    let shown = String::from_utf8_lossy(&row.bytes[..row.bytes.len().min(300)]).into_owned();
    let place = format!("{} {}, {}: {shown}", end.party, end.revision.name, row.name);
    let answer = end.hear(&row.bytes);
    let (rejections, diary) = (end.script.rejections(), end.script.diary());
    if let Some(answer) = &answer {
        assert_is_json_rpc(end.revision, answer);
    }
    let error = |code: i64, id: Option<&Value>| {
        let answer = answer.as_ref().unwrap_or_else(|| panic!("no answer: {place}"));
        assert_eq!(answer["error"]["code"], json!(code), "{place}: {answer}");
        assert_eq!(answer.get("id"), id, "{place}: {answer}");
        assert!(diary.iter().all(|entry| !entry.starts_with("request")), "it reached the handler: {place}");
        // The handler itself says that it does not know a method; it need not be told.
        let told = usize::from(code != METHOD_NOT_FOUND);
        assert_eq!(rejections.len(), told, "{place}: {rejections:?}");
        answer
    };
    match &row.expected {
        Silence => assert_eq!(answer, None, "{place}"),
        Fine(id) if good(end) == UNKNOWN => drop(error(METHOD_NOT_FOUND, Some(id))),
        Fine(id) => {
            let answer = answer.unwrap_or_else(|| panic!("no answer: {place}"));
            assert!(answer["id"] == *id && answer["result"].is_object(), "{place}: {answer}");
            assert!(rejections.is_empty(), "{place}: {rejections:?}");
        }
        Error(code, id) => drop(error(*code, id.as_ref())),
        Pointer(id, pointer) => {
            let answer = error(INVALID_PARAMS, Some(id));
            assert_eq!(answer["error"]["data"]["pointer"], json!(pointer), "{place}: {answer}");
            let message = answer["error"]["message"].as_str().unwrap_or_default();
            // A message without params has no better place to blame than itself.
            let blamed = if pointer.is_empty() { "\"params\"" } else { pointer.as_str() };
            assert!(message.starts_with("Invalid params: ") && message.contains(blamed), "{place}: {answer}");
            assert_eq!(rejections[0].pointer.as_deref(), Some(pointer.as_str()), "{place}");
        }
    }
}

#[test]
fn bad_messages_get_the_answer_that_json_rpc_demands() {
    let mut counts: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    for revision in &REVISIONS {
        for end in both_ends(revision) {
            let mut table = Table { end: &end, rows: Vec::new() };
            table.syntax();
            table.envelope();
            table.responses();
            table.repetitions();
            table.wrong_params();
            table.oddities();
            table.rows.iter().for_each(|row| assert_row(&end, row));
            // The end has taken no harm from any of it, and from all of it together.
            assert_row(
                &end,
                &Row { name: "at last".into(), bytes: table.request_with(&[]).into(), expected: Fine(json!(7)) },
            );
            counts.entry(revision.name).or_default().insert(end.party.to_string(), table.rows.len());
        }
    }
    for (revision, counts) in counts {
        assert_pinned(revision, "bad_messages", counts);
    }
}

/// An id of any size and any form is repeated digit for digit, whatever the answer. No parser of JSON is asked here,
/// since most of them round.
#[test]
fn an_id_of_any_size_comes_back_as_it_came() {
    let hundred_digits = "1234567890".repeat(10);
    let ids = [
        "18446744073709551616",
        "-9223372036854775809",
        "1000000000000000000000000000000",
        "1e2",
        "1E+2",
        "-0",
        "7.0",
        "1.50e1",
        "1e30",
        "1e400",
        "-1e400",
        hundred_digits.as_str(),
    ];
    let mut answers = 0;
    for end in all_ends() {
        let table = Table { end: &end, rows: Vec::new() };
        for id in ids {
            let unknown = ("method", "\"no/such\"");
            let wrong = ("jsonrpc", "\"1.0\"");
            for replaced in [&[("id", id)][..], &[("id", id), unknown], &[("id", id), wrong]] {
                let request = table.request_with(replaced);
                let answer = poll(&mut end.start(request.as_bytes())).expect("an answer at once").expect("an answer");
                assert!(answer.starts_with(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"")), "{answer}");
                assert_eq!(answer.contains("\"error\""), replaced.len() > 1 || good(&end) == UNKNOWN, "{answer}");
                answers += 1;
            }
            // It is not in the way of another one, of the same value or not, once it has been answered.
            let seen = end.read(table.request_with(&[("id", id), ("x", id)])).expect("a good message");
            assert_eq!(
                seen.text.matches(&format!(":{id},")).count() + seen.text.matches(&format!(":{id}}}")).count(),
                2
            );
        }
    }
    assert_eq!(answers, all_ends().len() * ids.len() * 3);
}

#[test]
fn optional_params_of_the_wrong_type_reach_a_handler_that_wants_them() {
    for revision in &REVISIONS {
        let mut message = request(revision.name, 1, "tools/call");
        message["params"]["arguments"] = json!("x");
        let lenient = End::new(revision.name, Party::Server, Setup { odd_params: true, ..Setup::default() });
        assert!(lenient.take(&message).expect("an answer")["result"].is_object());
        // They are all that a handler can do without.
        message["params"]["name"] = json!(1);
        assert_eq!(lenient.take(&message).expect("an answer")["error"]["code"], json!(INVALID_PARAMS));
        assert_eq!(lenient.script.diary(), ["request tools/call"]);
    }
}

#[test]
fn every_method_is_answered_when_nothing_is_wrong() {
    let mut methods = 0;
    for end in all_ends() {
        let revision = end.revision.name;
        let known = end.methods.iter().filter(|method| method.senders.contains(&end.party.peer()));
        for method in known {
            let message = match method.kind {
                MethodKind::Request => request(revision, 1, method.name),
                MethodKind::Notification => notification(revision, method.name),
                MethodKind::Embedded => continue,
            };
            methods += 1;
            let seen = end.read(message.to_string()).expect("a good message");
            assert_eq!((parsed(&seen.text), seen.violations), (message.clone(), Vec::new()));
            match end.take(&message) {
                None => assert_eq!(end.script.diary(), [format!("notification {}", method.name)]),
                Some(answer) => {
                    assert_eq!(end.script.diary(), [format!("request {}", method.name)]);
                    assert_is_json_rpc(end.revision, &answer);
                    // The other end reads the answer as the result of this method.
                    let peer = End::new(revision, end.party.peer(), Setup::default());
                    let (_, asked) = peer.ask(method.name).expect("nothing needs to be declared");
                    let mut answer = answer;
                    answer["id"] = asked["id"].clone();
                    let seen = peer.read(answer.to_string()).expect("a good answer");
                    assert_eq!((parsed(&seen.text), seen.violations), (answer.clone(), Vec::new()));
                    assert_eq!(peer.take(&answer), None);
                    let diary = peer.script.diary();
                    assert!(
                        diary.len() == 1 && diary[0].contains(": result ") && !diary[0].contains("Unknown"),
                        "{diary:?}"
                    );
                }
            }
        }
    }
    assert_pinned(ALL, "messages_that_are_good", methods);
}

#[test]
fn the_order_of_members_makes_no_difference() {
    fn permutations<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
        match items {
            [] => vec![Vec::new()],
            _ => (0..items.len())
                .flat_map(|index| {
                    let mut rest = items.to_vec();
                    let first = rest.remove(index);
                    permutations(&rest).into_iter().map(move |tail| [vec![first.clone()], tail].concat())
                })
                .collect(),
        }
    }
    let mut orders = 0;
    for end in all_ends() {
        let revision = end.revision.name;
        let (_, asked) = match end.party {
            Party::Client => end.ask("tools/list").expect("nothing needs to be declared"),
            Party::Server if !end.revision.has_handshake() => (0.into(), request(revision, 1, "tools/list")),
            Party::Server => end.ask("roots/list").expect("nothing needs to be declared"),
        };
        let mut messages = vec![notification(revision, "notifications/cancelled"), response(revision, &asked)];
        messages.push(json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 1, "message": "m", "data": [] } }));
        messages.push(json!({ "jsonrpc": "2.0", "id": 1, "method": UNKNOWN, "params": { "a": 1 } }));
        if good(&end) != UNKNOWN {
            messages.push(request(revision, 1, good(&end)));
        }
        for message in messages {
            let members: Vec<(String, String)> = message
                .as_object()
                .expect("an object")
                .iter()
                .map(|(name, value)| (name.clone(), value.to_string()))
                .collect();
            let expected = end.read(message.to_string()).expect("a good message");
            assert_eq!(parsed(&expected.text), message);
            for order in permutations(&members) {
                let members: Vec<(&str, &str)> =
                    order.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
                assert_eq!(end.read(object(&members)).expect("a good message"), expected, "{members:?}");
                orders += 1;
            }
        }
    }
    let ends = all_ends();
    let asked = ends.iter().filter(|end| end.is_asked()).count();
    assert_eq!(orders, ends.len() * (6 + 6 + 6 + 24) + asked * 24);
}

#[test]
fn batches_with_bad_items_cost_the_good_ones_nothing() {
    for end in [End::server(BATCHES), End::client(BATCHES)] {
        let ping = |id: Value| request(BATCHES, id, "ping");
        let answers = end
            .take(&json!([
                1,
                ping(json!(1)),
                {},
                [ping(json!(2))],
                [],
                { "jsonrpc": "2.0", "method": "notifications/x" },
                { "jsonrpc": "1.0", "id": 3, "method": "ping" },
                { "jsonrpc": "2.0", "id": null, "method": "ping" },
                { "jsonrpc": "2.0", "id": 4, "method": UNKNOWN },
                { "jsonrpc": "2.0", "id": 99, "result": {} },
                { "jsonrpc": "2.0", "id": 5, "method": good(&end), "params": [] },
                null,
                ping(json!("6")),
                // All messages of a batch are noted together, so that the first request with this id is in flight.
                ping(json!(1)),
            ]))
            .expect("answers");
        assert_is_json_rpc(end.revision, &answers);
        let answers: Vec<(Option<&Value>, Option<i64>)> = answers
            .as_array()
            .expect("a batch")
            .iter()
            .map(|answer| (answer.get("id"), answer["error"]["code"].as_i64()))
            .collect();
        let invalid = (None, Some(INVALID_REQUEST));
        let (one, three, four, five, six) = (json!(1), json!(3), json!(4), json!(5), json!("6"));
        let expected = [
            invalid,
            (Some(&one), None),
            invalid,
            invalid,
            invalid,
            (Some(&three), Some(INVALID_REQUEST)),
            invalid,
            (Some(&four), Some(METHOD_NOT_FOUND)),
            (Some(&five), Some(INVALID_PARAMS)),
            invalid,
            (Some(&six), None),
            (Some(&one), Some(INVALID_REQUEST)),
        ];
        assert_eq!(answers, expected);
        for bad in ["[1,", "[{]", "[{}] x", "[NaN]"] {
            let answer = end.hear(bad).expect("an answer");
            assert_eq!((&answer["error"]["code"], answer.get("id")), (&json!(PARSE_ERROR), None), "{bad}");
        }
        let notes = json!([notification(BATCHES, "notifications/cancelled"), { "jsonrpc": "2.0", "method": "x" }]);
        assert_eq!(end.take(&notes), None);
    }
    let server = End::server(BATCHES);
    let answers = server.take(&json!([request(BATCHES, 1, "initialize")])).expect("answers");
    assert_eq!((&answers[0]["id"], &answers[0]["error"]["code"]), (&json!(1), &json!(INVALID_REQUEST)));
    assert!(server.script.diary().is_empty());
}

#[test]
fn white_space_around_a_batch_makes_no_difference() {
    for end in [End::server(BATCHES), End::client(BATCHES)] {
        let batch = json!([request(BATCHES, 9, "ping"), notification(BATCHES, "notifications/cancelled")]).to_string();
        let expected = end.read(&batch).expect("a batch");
        for text in [format!(" {batch}"), format!("{batch}\n"), format!("\r\n\t {batch} "), batch.replace('[', " [ ")] {
            assert_eq!(end.read(&text).as_ref(), Ok(&expected), "{text:?}");
            assert_eq!(end.hear(&text).expect("an answer").as_array().map(Vec::len), Some(1), "{text:?}");
        }
    }
}

#[test]
fn a_batch_as_long_as_the_limit_is_answered_in_full() {
    const ITEMS: usize = mcp_wire_core::DEFAULT_BATCH_LIMIT;
    let item = |index: usize| match index % 4 {
        0 => format!("{{\"jsonrpc\":\"2.0\",\"id\":{index},\"method\":\"ping\"}}"),
        1 => "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}".to_owned(),
        2 => format!("{{\"id\":{index}}}"),
        _ => format!("{{\"jsonrpc\":\"2.0\",\"id\":{index},\"method\":\"tools/call\",\"params\":{{}}}}"),
    };
    let items: Vec<String> = (0..ITEMS).map(item).collect();
    let server = End::server(BATCHES);
    let answers = server.hear(format!("[{}]", items.join(","))).expect("answers");
    let answers = answers.as_array().expect("a batch");
    assert_eq!(answers.len(), ITEMS / 4 * 3);
    assert_eq!(answers.iter().filter(|answer| answer.get("result").is_some()).count(), ITEMS / 4);
    assert_eq!(server.script.diary().len(), ITEMS / 2);
}

#[test]
fn a_response_that_nobody_waits_for_is_reported_and_nothing_else() {
    for end in all_ends() {
        let stray = json!({ "jsonrpc": "2.0", "id": 1, "result": {} });
        assert_eq!(end.take(&stray), None);
        let rejections = end.script.rejections();
        assert_eq!(rejections.len(), 1);
        assert!(!rejections[0].is_answered && rejections[0].answer().is_none());
        assert_eq!(rejections[0].value.as_ref().map(Json::to_value), Some(stray));
        assert!(end.script.diary().is_empty());
    }
}

/// A client, with the request it has asked.
fn asking(revision: &Revision) -> (End, Value) {
    let client = End::client(revision.name);
    let (_, asked) = client.ask("tools/list").expect("nothing needs to be declared");
    (client, asked)
}

#[test]
fn a_second_response_to_the_same_request_is_ignored() {
    for revision in &REVISIONS {
        let (client, asked) = asking(revision);
        let answer = response(revision.name, &asked);
        assert_eq!((client.take(&answer), client.take(&answer)), (None, None));
        assert_eq!(client.script.diary(), ["response to tools/list: result ListTools"]);
        assert_eq!(client.script.rejections().len(), 1);
    }
}

#[test]
fn a_response_with_the_id_in_another_form_answers_nothing() {
    for revision in &REVISIONS {
        let (client, asked) = asking(revision);
        let mut answer = response(revision.name, &asked);
        answer["id"] = json!(asked["id"].to_string());
        assert_eq!(client.take(&answer), None);
        assert!(client.script.diary().is_empty());
        assert_eq!(client.script.rejections().len(), 1);
    }
}

#[test]
fn a_result_of_the_wrong_shape_reaches_the_one_who_asked() {
    for revision in &REVISIONS {
        for result in [json!({ "tools": 1 }), json!({}), json!("a"), Value::Null] {
            let (client, asked) = asking(revision);
            let answer = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": result });
            assert_eq!(client.take(&answer), None);
            // It is an answer all the same, of none of the types that the schema has for answers.
            assert_eq!(client.script.diary(), ["response to tools/list: result Unknown"], "{answer}");
        }
    }
}

#[test]
fn an_answer_of_another_version_settles_its_request_and_shows() {
    for revision in &REVISIONS {
        for version in [json!("1.0"), Value::Null, json!(2.0)] {
            let (client, asked) = asking(revision);
            let mut answer = response(revision.name, &asked);
            answer["jsonrpc"] = version;
            let seen = client.read(answer.to_string()).expect("a response");
            assert!(seen.violations.len() == 1 && seen.violations[0].starts_with("/jsonrpc: "), "{seen:?}");
            assert_eq!(client.take(&answer), None);
            assert_eq!(client.script.diary(), ["response to tools/list: result ListTools"]);
        }
    }
}

#[test]
fn an_unreadable_error_settles_the_request_it_answers() {
    for revision in &REVISIONS {
        for error in [json!("a"), json!({}), json!({ "code": "1", "message": "m" }), Value::Null] {
            let (client, asked) = asking(revision);
            let answer = json!({ "jsonrpc": "2.0", "id": asked["id"], "error": error });
            assert_eq!(client.take(&answer), None);
            let rejections = client.script.rejections();
            assert_eq!(rejections.len(), 1);
            assert_eq!(rejections[0].id.as_ref().map(|id| json!(id)), Some(asked["id"].clone()));
            assert_eq!(client.take(&response(revision.name, &asked)), None);
            assert!(client.script.diary().is_empty(), "the request is no longer in flight");
        }
    }
}

/// All ends that are asked something.
fn asked_ends() -> Vec<End> {
    all_ends().into_iter().filter(|end| good(end) != UNKNOWN).collect()
}

fn cancellation(id: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id.into() } })
}

#[test]
fn a_duplicate_id_is_refused_only_while_the_first_is_in_flight() {
    for end in asked_ends() {
        end.script.hold();
        let text = request(end.revision.name, 1, good(&end)).to_string();
        let other = request(end.revision.name, "1", good(&end)).to_string();
        let (mut first, mut third) = (end.start(text.as_bytes()), end.start(other.as_bytes()));
        assert!(poll(&mut first).is_none());
        let refused = end.hear(&text).expect("an answer at once");
        assert_eq!((&refused["error"]["code"], &refused["id"]), (&json!(INVALID_REQUEST), &json!(1)));
        assert!(poll(&mut third).is_none(), "a string is another id than an integer");
        end.script.release();
        for (future, id) in [(&mut first, json!(1)), (&mut third, json!("1"))] {
            let answer = parsed(&poll(future).flatten().expect("an answer"));
            assert!(answer["result"].is_object() && answer["id"] == id, "{answer}");
        }
        assert_eq!(end.hear(&text).expect("an answer")["error"], Value::Null, "the id is free again");
        assert_eq!(end.script.rejections().len(), 1);
    }
}

#[test]
fn an_id_is_free_again_when_its_work_is_dropped() {
    for end in asked_ends() {
        end.script.hold();
        let text = request(end.revision.name, 1, good(&end)).to_string();
        let mut first = end.start(text.as_bytes());
        assert!(poll(&mut first).is_none());
        drop(first);
        end.script.release();
        assert!(end.hear(&text).expect("an answer")["result"].is_object());
    }
}

#[test]
fn cancellations_stop_what_is_in_flight_and_nothing_else() {
    for end in asked_ends() {
        let revision = end.revision.name;
        end.script.hold();
        let [one, two] = [1, 2].map(|id| request(revision, id, good(&end)).to_string());
        let (mut first, mut second) = (end.start(one.as_bytes()), end.start(two.as_bytes()));
        assert!(poll(&mut first).is_none() && poll(&mut second).is_none());
        // One that is unknown, one that is in flight, and the same once more.
        for id in [3, 1, 1] {
            assert_eq!(end.take(&cancellation(id)), None);
        }
        assert_eq!(poll(&mut first), Some(None));
        assert!(poll(&mut second).is_none());
        end.script.release();
        assert!(poll(&mut second).flatten().is_some_and(|answer| answer.contains("\"result\"")));
        assert_eq!(end.take(&cancellation(2)), None, "it has been answered");
        assert!(end.hear(&one).expect("an answer")["result"].is_object(), "the id is free again");
        assert!(end.script.rejections().is_empty());
    }
    for revision in REVISIONS.iter().filter(|revision| revision.has_handshake()) {
        let server = End::server(revision.name);
        server.script.hold();
        let text = request(revision.name, 1, "initialize").to_string();
        let mut answering = server.start(text.as_bytes());
        assert!(poll(&mut answering).is_none());
        assert_eq!(server.take(&cancellation(1)), None);
        assert!(poll(&mut answering).is_none());
        server.script.release();
        assert!(poll(&mut answering).flatten().is_some_and(|answer| answer.contains("\"result\"")));
    }
}

#[test]
fn a_line_of_a_hundred_megabytes_is_skipped_without_being_kept() {
    const LENGTH: usize = 100_000_000;
    const LIMIT: usize = 1 << 20;
    let chunk = [b'x'; 1 << 16];
    let mut framer = Framer::with_limit(LIMIT);
    let mut left = LENGTH;
    while left > 0 {
        let length = left.min(chunk.len());
        framer.push(&chunk[..length]);
        assert_eq!(framer.next(), None);
        // Each byte that is kept takes at least three characters to print.
        let kept = format!("{framer:?}").len() / 3;
        assert!(kept <= 2 * LIMIT, "{kept} bytes are kept");
        left -= length;
    }
    framer.push(b"\n{\"next\":1}\n");
    assert_eq!(framer.next(), Some(Frame::TooLong(LENGTH)));
    assert_eq!(framer.next(), Some(Frame::Message(b"{\"next\":1}".to_vec())));
    assert_eq!(framer.next(), None);
}

#[test]
fn a_framer_may_have_no_limit() {
    let mut framer = Framer::with_limit(usize::MAX);
    framer.push(b"{");
    assert_eq!(framer.next(), None);
    framer.push(b"}\n");
    assert_eq!(framer.next(), Some(Frame::Message(b"{}".to_vec())));
}

#[test]
fn a_reader_goes_on_after_a_line_that_is_too_long() {
    const LENGTH: u64 = 10_000_000;
    let stream = std::io::repeat(b'x').take(LENGTH).chain(&b"\n{}\n"[..]).chain(std::io::repeat(b'y').take(LENGTH));
    let frames: Vec<Frame> = MessageReader::with_limit(stream, 1000).map(|frame| frame.expect("no error")).collect();
    let too_long = Frame::TooLong(LENGTH as usize);
    assert_eq!(frames, [too_long.clone(), Frame::Message(b"{}".to_vec()), too_long]);

    // The limit itself is still allowed, whichever way the line ends, and in pieces of any size.
    let line = "z".repeat(1000);
    for end in ["\n", "\r\n", ""] {
        for size in [1, 7, 999, 1000, 1001, 1002, 5000] {
            let (mut framer, mut frames) = (Framer::with_limit(1000), Vec::new());
            for piece in format!("{line}{end}").as_bytes().chunks(size) {
                framer.push(piece);
                frames.extend(framer.next());
            }
            frames.extend(framer.finish());
            assert_eq!(frames, [Frame::Message(line.clone().into_bytes())], "{end:?} in pieces of {size}");
        }
    }
}

#[test]
fn a_message_that_is_too_long_is_an_invalid_request() {
    for end in all_ends() {
        let answer = end.refuse(&Rejection::too_long(1000)).expect("an answer");
        assert_eq!((&answer["error"]["code"], answer.get("id")), (&json!(INVALID_REQUEST), None));
        assert!(answer["error"]["message"].as_str().is_some_and(|message| message.contains("1000 bytes")), "{answer}");
        assert_is_json_rpc(end.revision, &answer);
        assert_eq!(end.script.rejections().len(), 1);
    }
}

#[test]
fn lines_end_in_any_of_the_usual_ways() {
    let stream = b"\n\r\n{\"a\":1}\r\n  \t \n\n{\"b\":\"\xe2\x80\xa8\"}\n\n{\"c\":\r1}\n{\"last\":true}";
    let expected = ["{\"a\":1}", "{\"b\":\"\u{2028}\"}", "{\"c\":\r1}", "{\"last\":true}"];
    let expected: Vec<Frame> = expected.map(|line| Frame::Message(line.into())).into();
    for size in 1..=stream.len() {
        let (mut framer, mut frames) = (Framer::new(), Vec::new());
        for piece in stream.chunks(size) {
            framer.push(piece);
            while let Some(frame) = framer.next() {
                frames.push(frame);
            }
        }
        frames.extend(framer.finish());
        assert_eq!(frames, expected, "in pieces of {size}");
        assert_eq!(framer.finish(), None);
    }
    let read: Vec<Frame> = MessageReader::new(&stream[..]).map(|frame| frame.expect("no error")).collect();
    assert_eq!(read, expected);
    for empty in ["", "\n", "\r\n", " ", "\n\n \n"] {
        assert_eq!(MessageReader::new(empty.as_bytes()).count(), 0, "{empty:?}");
    }
}

#[test]
fn a_stream_that_fails_is_reported_once() {
    struct Broken(usize);
    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.0 += 1;
            match self.0 {
                1 => Err(std::io::ErrorKind::Interrupted.into()),
                2 => (&b"{}\n{\"a\""[..]).read(buffer),
                _ => Err(std::io::ErrorKind::ConnectionReset.into()),
            }
        }
    }
    let mut reader = MessageReader::new(Broken(0));
    assert!(matches!(reader.next(), Some(Ok(Frame::Message(line))) if line == b"{}"));
    assert!(matches!(reader.next(), Some(Err(error)) if error.kind() == std::io::ErrorKind::ConnectionReset));
    assert!(matches!(reader.next(), Some(Ok(Frame::Message(line))) if line == b"{\"a\""));
    assert!(reader.next().is_none());
}

#[test]
fn a_message_with_a_line_end_inside_is_not_written() {
    for message in ["{\n}", "{}\n", "{\r}", "\n", "{\"a\":1,\r\n\"b\":2}"] {
        let mut stream = Vec::new();
        let error = write_message(&mut stream, message.as_bytes()).expect_err("a refusal");
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
        assert!(stream.is_empty(), "nothing of it was written");
    }
    let mut stream = Vec::new();
    write_message(&mut stream, "{\"a\":\"\u{2028}\\n\"}".as_bytes()).expect("a line");
    assert_eq!(stream, "{\"a\":\"\u{2028}\\n\"}\n".as_bytes());
}

/// A small generator of numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }
}

/// The recorded good messages: the revision, the side that hears it, what it answers, the message.
fn recorded() -> Vec<(String, Party, Option<String>, String)> {
    let mut messages = Vec::new();
    let folder = root().join("tests/messages");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    files.sort();
    for path in files {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a revision").to_owned();
        let lines = std::fs::read_to_string(path).expect("recorded messages");
        for line in lines.lines().map(parsed) {
            let hearer = if line["dir"] == "c2s" { Party::Server } else { Party::Client };
            let answers = line["answers"].as_str().map(str::to_owned);
            messages.push((name.clone(), hearer, answers, line["msg"].to_string()));
        }
    }
    messages
}

#[test]
fn damaged_messages_are_answered_with_nothing_but_json_rpc() {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let (mut cases, mut answered) = (0, 0);
    let mut hear = |revision: &str, party: Party, answers: Option<&str>, bytes: &[u8]| {
        let end = End::new(revision, party, Setup::default());
        // The recorded answers have small ids, so that a few requests are enough for one of them to be the one.
        for method in answers.iter().cycle().take(if answers.is_some() { 6 } else { 0 }) {
            end.ask(method).expect("nothing needs to be declared");
        }
        let answer = end.hear(bytes);
        if let Some(answer) = &answer {
            assert_is_json_rpc(end.revision, answer);
            answered += 1;
        }
        cases += 1;
        answer
    };
    let messages = recorded();
    for (revision, party, answers, message) in &messages {
        let bytes = message.as_bytes();
        for length in 0..bytes.len() {
            let answer = hear(revision, *party, answers.as_deref(), &bytes[..length]).expect("an answer");
            assert_eq!((&answer["error"]["code"], answer.get("id")), (&json!(PARSE_ERROR), None), "{message:.length$}");
        }
        for _ in 0..200 {
            let mut bytes = bytes.to_vec();
            for _ in 0..=dice.roll(3) {
                let place = dice.roll(bytes.len());
                match dice.roll(5) {
                    0 => bytes[place] ^= 1 << dice.roll(8),
                    1 => bytes[place] = b"{}[]\",:\\019.eE-+tfn \n\0\xff"[dice.roll(23)],
                    2 => drop(bytes.remove(place)),
                    3 => bytes.insert(place, bytes[dice.roll(bytes.len())]),
                    _ => {
                        let other = dice.roll(bytes.len());
                        bytes.swap(place, other);
                    }
                }
            }
            for party in [*party, party.peer()] {
                hear(revision, party, answers.as_deref().filter(|_| party == Party::Client), &bytes);
            }
        }
    }
    let bytes: usize = messages.iter().map(|(.., message)| message.len()).sum();
    assert_eq!((messages.len(), cases), (97, bytes + 97 * 400));
    assert!(answered > cases / 2, "only {answered} of {cases} were answered");
}
