//! The messages as they are sent: what `texts` has, with an envelope around it.

use super::texts::{self, CALL, CALL_META, PROGRESS};
use super::{BATCH, MESSAGES, Order, Subject};

/// A member of a vendor's own beside those of JSON-RPC.
const VENDOR: &str = r#""vendor.example/trace":"4bf92f3577b34da6a3ce929d0e0e4736","#;

/// The id of every message that has one, apart from batches and sessions.
const ID: usize = 7;

pub(super) fn text(subject: Subject, order: Order) -> String {
    match subject {
        Subject::Ping => request(order, ID, "ping", None),
        Subject::Call | Subject::ProxyCall | Subject::Exchange => request(order, ID, "tools/call", Some(CALL)),
        Subject::CallMeta => request(order, ID, "tools/call", Some(CALL_META)),
        Subject::CallVendor => match order {
            Order::MethodFirst => {
                format!(r#"{{"method":"tools/call",{VENDOR}"params":{CALL},"jsonrpc":"2.0","id":{ID}}}"#)
            }
            _ => format!(r#"{{"jsonrpc":"2.0","id":{ID},{VENDOR}"method":"tools/call","params":{CALL}}}"#),
        },
        Subject::Progress => notification(order, "notifications/progress", PROGRESS),
        Subject::Form => request(order, ID, "elicitation/create", Some(&texts::form())),
        Subject::Small => result(order, texts::SMALL),
        Subject::SmallVendor => match order {
            Order::ResultFirst => format!(r#"{{"result":{},{VENDOR}"jsonrpc":"2.0","id":{ID}}}"#, texts::SMALL),
            _ => format!(r#"{{"jsonrpc":"2.0","id":{ID},{VENDOR}"result":{}}}"#, texts::SMALL),
        },
        Subject::Error => match order {
            Order::ErrorFirst => format!(r#"{{"error":{},"jsonrpc":"2.0","id":{ID}}}"#, texts::ERROR),
            _ => format!(r#"{{"jsonrpc":"2.0","id":{ID},"error":{}}}"#, texts::ERROR),
        },
        Subject::List | Subject::ProxyList => result(order, &texts::tools()),
        Subject::Resources => result(order, &texts::resources()),
        Subject::Unknown => result(order, &texts::unknown()),
        Subject::Structured => result(order, &texts::structured(200_000)),
        Subject::Huge => result(order, &texts::structured(100_000_000)),
        Subject::Source => result(order, &texts::source()),
        Subject::Text => result(order, &texts::prose()),
        Subject::Chinese => result(order, &texts::chinese()),
        Subject::Blob => result(order, &texts::blob()),
        Subject::Unasked => result(order, &texts::both()),
        Subject::Batch => {
            let calls: Vec<String> = (0..BATCH).map(|id| request(order, id, "tools/call", Some(CALL))).collect();
            format!("[{}]", calls.join(","))
        }
        Subject::Session => session(order),
    }
}

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
        Order::ResultFirst => format!(r#"{{"result":{result},"jsonrpc":"2.0","id":{ID}}}"#),
        _ => format!(r#"{{"jsonrpc":"2.0","id":{ID},"result":{result}}}"#),
    }
}

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
