//! What is measured per message: one table each for time, instructions and allocations.

use anyhow::{Context, Result};
use serde_json::Value;

/// The one that is judged.
pub const OURS: &str = "mcp-wire";
/// The one it is compared with: the limit.
pub const LIMIT: &str = "hand-written";
/// Those it has to be ahead of; `serde_json::Value` has no types and is shown for comparison only.
pub const PEERS: [&str; 3] = ["rmcp", "rust-mcp-schema", "turbomcp-protocol"];
/// What could be had by doing without something: without messages of one's own, or without serde_json. Shown, never
/// judged.
pub const OUTER: [&str; 2] = ["hand-written, borrowed", "sonic-rs"];
/// The subject of a proxy is named like the message that it passes on, with this in front.
pub const PROXY: &str = "proxy: ";

/// A message in one order of its members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    pub subject: String,
    pub order: String,
    pub kind: Kind,
    pub bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Requests and notifications.
    Request,
    Result,
    /// A message that is looked at and passed on.
    Proxy,
    /// A question, its answer, and the answer read.
    Exchange,
    /// Many messages, each read, handled and answered.
    Session,
}

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Parse,
    Write,
}

impl What {
    pub const BOTH: [Self; 2] = [Self::Parse, Self::Write];

    pub fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Write => "write",
        }
    }
}

impl Case {
    /// As the benchmark's `list` prints it.
    pub fn read(line: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(line)?;
        let text = |name: &str| value.get(name).and_then(Value::as_str).with_context(|| format!("no `{name}`"));
        let kind = match text("kind")? {
            "request" => Kind::Request,
            "result" => Kind::Result,
            "proxy" => Kind::Proxy,
            "exchange" => Kind::Exchange,
            "session" => Kind::Session,
            other => anyhow::bail!("no kind `{other}`"),
        };
        let bytes = value.get("bytes").and_then(Value::as_u64).context("no `bytes`")?;
        Ok(Self { subject: text("subject")?.to_owned(), order: text("order")?.to_owned(), kind, bytes })
    }

    pub fn name(&self) -> String {
        format!("{}, {}", self.subject, self.order)
    }

    /// The ways it is measured: a proxy, an exchange and a session write as they go.
    pub fn ways(&self) -> &'static [What] {
        match self.kind {
            Kind::Request | Kind::Result => &What::BOTH,
            Kind::Proxy | Kind::Exchange | Kind::Session => &[What::Parse],
        }
    }

    /// Whether one of it is work enough to be counted once.
    pub fn is_large(&self) -> bool {
        self.bytes > 500_000
    }
}

/// One figure of one contender.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub contender: String,
    /// Nothing where the contender cannot read the message, or was not measured.
    pub value: Option<f64>,
    /// Whether it writes what it has read; nothing where that is not known or makes no sense.
    pub is_lossless: Option<bool>,
}

/// The figures of a message, one way.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub case: Case,
    pub what: What,
    pub entries: Vec<Entry>,
}

impl Row {
    pub fn of(&self, contender: &str) -> Option<f64> {
        self.entries.iter().find(|entry| entry.contender == contender)?.value
    }

    /// A figure as a multiple of the limit's.
    pub fn ratio(&self, contender: &str) -> Option<f64> {
        self.ratio_to(contender, LIMIT)
    }

    pub fn ratio_to(&self, contender: &str, other: &str) -> Option<f64> {
        let (mine, other) = (self.of(contender)?, self.of(other)?);
        (other > 0.0).then(|| round(mine / other))
    }

    pub fn name(&self) -> String {
        // What a proxy does is not only reading.
        match self.case.kind {
            Kind::Proxy | Kind::Exchange | Kind::Session => self.case.name(),
            Kind::Request | Kind::Result => format!("{} {}", self.what.name(), self.case.name()),
        }
    }
}

/// A table, in the order of measuring.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    pub rows: Vec<Row>,
}

impl Table {
    /// Adds what the benchmark printed about a message, one line per contender. `figure` finds the figure in what is
    /// printed about one way.
    pub fn add(&mut self, case: &Case, lines: &str, figure: impl Fn(&Value) -> Option<f64>) -> Result<()> {
        let mut ways: Vec<(What, Vec<Entry>)> = case.ways().iter().map(|what| (*what, Vec::new())).collect();
        for line in lines.lines() {
            let value: Value = serde_json::from_str(line)?;
            let contender = value.get("contender").and_then(Value::as_str).context("no `contender`")?;
            let is_lossless = value.get("lossless").and_then(Value::as_bool);
            for (what, entries) in &mut ways {
                let value = value.get(what.name()).and_then(&figure);
                entries.push(Entry { contender: contender.to_owned(), value, is_lossless });
            }
        }
        self.rows.extend(ways.into_iter().map(|(what, entries)| Row { case: case.clone(), what, entries }));
        Ok(())
    }

    /// The row of a message, one way.
    pub fn find(&self, subject: &str, order: &str, what: What) -> Option<&Row> {
        self.rows.iter().find(|row| row.case.subject == subject && row.case.order == order && row.what == what)
    }

    pub fn ways(&self, what: What) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.what == what)
    }

    /// Everybody who takes part, in the order of the benchmark.
    pub fn contenders(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for entry in self.rows.iter().flat_map(|row| &row.entries) {
            if !names.contains(&entry.contender.as_str()) {
                names.push(&entry.contender);
            }
        }
        names
    }
}

/// To two decimals: a bar is judged on the figure that is printed.
pub fn round(figure: f64) -> f64 {
    (figure * 100.0).round() / 100.0
}
