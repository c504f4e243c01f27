//! What is read and written: the messages, made here so that nothing has to be shipped.

mod envelope;
mod texts;

/// A message to be read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The smallest request.
    Ping,
    /// A `tools/call` request as clients send it.
    Call,
    /// The same with a progress token and members of a vendor in `_meta`.
    CallMeta,
    /// The same with a member of a vendor in the envelope.
    CallVendor,
    /// A progress notification.
    Progress,
    /// An `elicitation/create` request, which a server sends, with 20 fields of all primitive kinds.
    Form,
    /// A `tools/call` result of one short text.
    Small,
    /// The same with a member of a vendor in the envelope.
    SmallVendor,
    /// An error with data.
    Error,
    /// A `tools/list` result with 100 tools.
    List,
    /// A `resources/list` result with 500 resources.
    Resources,
    /// A `tools/call` result of 200 text blocks, each with two members that nobody knows.
    Unknown,
    /// A `tools/call` result with 200 kB of structured content.
    Structured,
    /// A `tools/call` result with 100 kB of source code, which has an escape every 10 to 20 characters.
    Source,
    /// A `tools/call` result with 1 MB of text.
    Text,
    /// A `tools/call` result with 1 MB of Chinese text, which is read from bytes.
    Chinese,
    /// A `resources/read` result with 1 MB of base64.
    Blob,
    /// A result of 1 MB whose request the reader does not know, as a gateway meets it.
    Unasked,
    /// An array of 100 `tools/call` requests, in the one revision that has them.
    Batch,
    /// A `tools/call` request that is looked at and passed on.
    ProxyCall,
    /// A `tools/list` result with 100 tools that is looked at and passed on.
    ProxyList,
    /// A client asks a server in the same process to call a tool, and reads the answer.
    Exchange,
    /// 10,000 requests and notifications, each read, handed to a handler that does nothing, and answered.
    Session,
    /// A `tools/call` result with 100 MB of structured content. Too long to be timed: only its memory is measured.
    Huge,
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
    /// `error, jsonrpc, id`.
    ErrorFirst,
}

/// What a subject is, for those who run it and for those who judge its figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A request or a notification.
    Request,
    /// The answer to one.
    Result,
    /// A message that is looked at and passed on.
    Proxy,
    /// Asked, answered and read.
    Exchange,
    /// Many messages, each read, handled and answered.
    Session,
}

impl Kind {
    /// Its name in `list`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Result => "result",
            Self::Proxy => "proxy",
            Self::Exchange => "exchange",
            Self::Session => "session",
        }
    }
}

impl Subject {
    /// All that are timed and counted, in the order of reports.
    pub const ALL: [Self; 23] = [
        Self::Ping,
        Self::Call,
        Self::CallMeta,
        Self::CallVendor,
        Self::Progress,
        Self::Form,
        Self::Small,
        Self::SmallVendor,
        Self::Error,
        Self::List,
        Self::Resources,
        Self::Unknown,
        Self::Structured,
        Self::Source,
        Self::Text,
        Self::Chinese,
        Self::Blob,
        Self::Unasked,
        Self::Batch,
        Self::ProxyCall,
        Self::ProxyList,
        Self::Exchange,
        Self::Session,
    ];

    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ping => "ping",
            Self::Call => "tools/call",
            Self::CallMeta => "tools/call with _meta",
            Self::CallVendor => "tools/call with a vendor member",
            Self::Progress => "notifications/progress",
            Self::Form => "elicitation form with 20 fields",
            Self::Small => "tools/call result, small",
            Self::SmallVendor => "tools/call result with a vendor member",
            Self::Error => "error response",
            Self::List => "tools/list result, 100 tools",
            Self::Resources => "resources/list result, 500 resources",
            Self::Unknown => "content blocks with unknown members",
            Self::Structured => "tools/call result, structuredContent 200 kB",
            Self::Source => "tools/call result, source code 100 kB",
            Self::Text => "tools/call result, 1 MB text",
            Self::Chinese => "CJK text 1 MB, from bytes",
            Self::Blob => "resources/read result, 1 MB blob",
            Self::Unasked => "1 MB result that nobody asked for",
            Self::Batch => "batch of 100",
            Self::ProxyCall => "proxy: tools/call",
            Self::ProxyList => "proxy: tools/list result, 100 tools",
            Self::Exchange => "ask and answer",
            Self::Session => "session of 10,000 messages",
            Self::Huge => "tools/call result, structuredContent 100 MB",
        }
    }

    /// The method of the message, or of the request it answers.
    pub fn method(self) -> &'static str {
        match self {
            Self::Ping => "ping",
            Self::Progress => "notifications/progress",
            Self::Form => "elicitation/create",
            Self::List | Self::ProxyList => "tools/list",
            Self::Resources => "resources/list",
            Self::Blob => "resources/read",
            Self::Session => "",
            _ => "tools/call",
        }
    }

    /// What it is.
    pub fn kind(self) -> Kind {
        match self {
            Self::Ping | Self::Call | Self::CallMeta | Self::CallVendor | Self::Progress | Self::Form | Self::Batch => {
                Kind::Request
            }
            Self::ProxyCall | Self::ProxyList => Kind::Proxy,
            Self::Exchange => Kind::Exchange,
            Self::Session => Kind::Session,
            _ => Kind::Result,
        }
    }

    /// Whether it is an answer, an error among them.
    pub fn is_result(self) -> bool {
        self.kind() == Kind::Result
    }

    /// Whether a client reads it, rather than a server: a server sends answers, and the form.
    pub fn is_for_client(self) -> bool {
        self.is_result() || self == Self::Form
    }

    /// The message that a proxy passes on.
    pub fn carried(self) -> Option<Self> {
        match self {
            Self::ProxyCall => Some(Self::Call),
            Self::ProxyList => Some(Self::List),
            _ => None,
        }
    }

    /// How many messages it has.
    pub fn messages(self) -> usize {
        if self == Self::Session { MESSAGES } else { 1 }
    }

    /// The one of this name, in the order of this name.
    pub fn named(subject: &str, order: &str) -> Option<(Self, Order)> {
        let subject = Self::ALL.into_iter().chain([Self::Huge]).find(|known| known.name() == subject)?;
        let order = subject.orders().iter().copied().find(|known| known.name() == order)?;
        Some((subject, order))
    }

    /// The orders in which it is read.
    pub fn orders(self) -> &'static [Order] {
        match self {
            Self::Error => &[Order::IdFirst, Order::ErrorFirst],
            Self::ProxyList => &[Order::IdFirst, Order::ResultFirst],
            // Both sides write what they send themselves.
            Self::Exchange => &[Order::IdFirst],
            _ if self.is_result() => &[Order::IdFirst, Order::ResultFirst],
            _ => &[Order::IdFirst, Order::MethodFirst],
        }
    }

    /// The message as text; a session is a message per line. Of an exchange it is the question.
    pub fn text(self, order: Order) -> String {
        envelope::text(self, order)
    }
}

impl Order {
    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::IdFirst => "id first",
            Self::MethodFirst => "method first",
            Self::ResultFirst => "result first",
            Self::ErrorFirst => "error first",
        }
    }
}

/// How many messages a session has.
pub const MESSAGES: usize = 10_000;

/// How many messages a batch has.
pub const BATCH: usize = 100;
