//! What is read and written: the messages, made here so that nothing has to be shipped.

use std::fmt::Write;

/// A message to be read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The smallest request.
    Ping,
    /// A `tools/call` request as clients send it.
    Call,
    /// The same with a progress token and members of a vendor in `_meta`.
    CallMeta,
    /// A progress notification.
    Progress,
    /// A `tools/list` result with 100 tools.
    List,
    /// A `tools/call` result with 1 MB of text.
    Text,
    /// A `resources/read` result with 1 MB of base64.
    Blob,
    /// 10,000 requests and notifications, each read, handed to a handler that does nothing, and answered.
    Session,
}

/// In which order the members of the envelope come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// `jsonrpc, id, method, params` or `jsonrpc, id, result`.
    IdFirst,
    /// `method, params, jsonrpc, id`, as the TypeScript SDK writes.
    MethodFirst,
    /// `result, jsonrpc, id`, as the TypeScript SDK writes.
    ResultFirst,
}

impl Subject {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Ping, Self::Call, Self::CallMeta, Self::Progress, Self::List, Self::Text, Self::Blob, Self::Session];

    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ping => "ping",
            Self::Call => "tools/call",
            Self::CallMeta => "tools/call with _meta",
            Self::Progress => "notifications/progress",
            Self::List => "tools/list result, 100 tools",
            Self::Text => "tools/call result, 1 MB text",
            Self::Blob => "resources/read result, 1 MB blob",
            Self::Session => "session of 10,000 messages",
        }
    }

    /// The method of the message, or of the request it answers.
    pub fn method(self) -> &'static str {
        match self {
            Self::Ping => "ping",
            Self::Call | Self::CallMeta | Self::Text => "tools/call",
            Self::Progress => "notifications/progress",
            Self::List => "tools/list",
            Self::Blob => "resources/read",
            Self::Session => "",
        }
    }

    /// Whether it is an answer.
    pub fn is_result(self) -> bool {
        matches!(self, Self::List | Self::Text | Self::Blob)
    }

    /// What it is, for those who judge the figures: `request` (a notification is one too), `result` or `session`.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Session => "session",
            _ if self.is_result() => "result",
            _ => "request",
        }
    }

    /// How many messages it has.
    pub fn messages(self) -> usize {
        if self == Self::Session { MESSAGES } else { 1 }
    }

    /// The one of this name, in the order of this name.
    pub fn named(subject: &str, order: &str) -> Option<(Self, Order)> {
        let subject = Self::ALL.into_iter().find(|known| known.name() == subject)?;
        let order = subject.orders().into_iter().find(|known| known.name() == order)?;
        Some((subject, order))
    }

    /// The orders in which it is read.
    pub fn orders(self) -> [Order; 2] {
        [Order::IdFirst, if self.is_result() { Order::ResultFirst } else { Order::MethodFirst }]
    }

    /// The message as text; a session is a message per line.
    pub fn text(self, order: Order) -> String {
        match self {
            Self::Ping => request(order, 7, "ping", None),
            Self::Call => request(order, 7, "tools/call", Some(CALL)),
            Self::CallMeta => request(order, 7, "tools/call", Some(CALL_META)),
            Self::Progress => notification(order, "notifications/progress", PROGRESS),
            Self::List => result(order, &tools()),
            Self::Text => result(order, &prose()),
            Self::Blob => result(order, &blob()),
            Self::Session => session(order),
        }
    }
}

impl Order {
    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::IdFirst => "id first",
            Self::MethodFirst => "method first",
            Self::ResultFirst => "result first",
        }
    }
}

const CALL: &str = concat!(
    r#"{"name":"search_issues","arguments":{"query":"is:open label:bug parser","repository":"example/project","#,
    r#""limit":50,"include_closed":false,"labels":["bug","parser","help wanted"],"sort":{"by":"updated","order":"desc"}}}"#
);

const CALL_META: &str = concat!(
    r#"{"_meta":{"progressToken":"call-7","vendor.example/trace":"4bf92f3577b34da6a3ce929d0e0e4736"},"#,
    r#""name":"search_issues","arguments":{"query":"is:open label:bug parser","repository":"example/project","#,
    r#""limit":50,"include_closed":false,"labels":["bug","parser","help wanted"],"sort":{"by":"updated","order":"desc"}}}"#
);

const PROGRESS: &str = r#"{"progressToken":"call-7","progress":50,"total":200,"message":"Read 50 of 200 files"}"#;

fn request(order: Order, id: usize, method: &str, params: Option<&str>) -> String {
    let params = params.map_or_else(String::new, |params| format!(r#","params":{params}"#));
    match order {
        Order::MethodFirst => format!(r#"{{"method":"{method}"{params},"jsonrpc":"2.0","id":{id}}}"#),
        _ => format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"{params}}}"#),
    }
}

fn notification(order: Order, method: &str, params: &str) -> String {
    match order {
        Order::MethodFirst => format!(r#"{{"method":"{method}","params":{params},"jsonrpc":"2.0"}}"#),
        _ => format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#),
    }
}

fn result(order: Order, result: &str) -> String {
    match order {
        Order::ResultFirst => format!(r#"{{"result":{result},"jsonrpc":"2.0","id":7}}"#),
        _ => format!(r#"{{"jsonrpc":"2.0","id":7,"result":{result}}}"#),
    }
}

fn tools() -> String {
    let tools: Vec<_> = (0..100)
        .map(|index| {
            let mut tool = String::new();
            // Writing to a string cannot fail.
            let _ = write!(
                tool,
                concat!(
                    r#"{{"name":"tool_{0:03}","title":"Tool number {0}","description":"Searches part {0} of the archive for a"#,
                    r#" phrase and returns the passages around it.","inputSchema":{{"type":"object","properties":{{"#,
                    r#""query":{{"type":"string","description":"What to look for"}},"#,
                    r#""limit":{{"type":"integer","minimum":1,"maximum":100}},"#,
                    r#""path":{{"type":"string","description":"Where to start"}}}},"#,
                    r#""required":["query"]}},"annotations":{{"readOnlyHint":true,"openWorldHint":false}}}}"#
                ),
                index
            );
            tool
        })
        .collect();
    format!(r#"{{"tools":[{}],"nextCursor":"page-2"}}"#, tools.join(","))
}

const MEGABYTE: usize = 1 << 20;

/// Lines of prose, with the escapes that lines need.
fn prose() -> String {
    let line = r#"The quick brown fox jumps over the lazy dog while nobody is \"watching\" the river.\n"#;
    let text = line.repeat(MEGABYTE / line.len() + 1);
    format!(r#"{{"content":[{{"type":"text","text":"{text}"}}],"isError":false}}"#)
}

fn blob() -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let blob: String = (0..MEGABYTE).map(|index| char::from(alphabet[index * 7 % 64])).collect();
    format!(
        r#"{{"contents":[{{"uri":"file:///data/archive.bin","mimeType":"application/octet-stream","blob":"{blob}"}}]}}"#
    )
}

/// How many messages a session has.
pub const MESSAGES: usize = 10_000;

fn session(order: Order) -> String {
    let mut lines = String::new();
    for id in 0..MESSAGES {
        lines += &match id % 10 {
            0 => request(order, id, "ping", None),
            1 => request(order, id, "tools/list", Some(r#"{"cursor":"page-2"}"#)),
            2 => request(order, id, "resources/read", Some(r#"{"uri":"file:///data/notes.md"}"#)),
            3 => notification(order, "notifications/progress", PROGRESS),
            4 => request(order, id, "tools/call", Some(CALL_META)),
            _ => request(order, id, "tools/call", Some(CALL)),
        };
        lines.push('\n');
    }
    lines
}
