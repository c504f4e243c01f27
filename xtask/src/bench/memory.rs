//! What memory messages ask for: how often, how much, and how much at once.

use anyhow::{Context, Result};
use serde_json::Value;

use super::program::Program;
use super::table::{Case, Entry, Kind, Row, Table, What, round};

/// A message so long that only its memory is measured; `list` of the benchmark does not have it.
const HUGE: &str = "tools/call result, structuredContent 100 MB";

/// The figures of all messages.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// Requests per message, growing included.
    pub requests: Table,
    /// Bytes of all these requests, per message.
    pub bytes: Table,
    /// The most bytes that were held at once, beside the text.
    pub peak: Table,
    /// The same for 100 MB, as a multiple of the text.
    pub huge: Option<Row>,
}

impl Memory {
    /// Adds what the benchmark printed about a message.
    pub fn add(&mut self, case: &Case, lines: &str) -> Result<()> {
        let of = |name: &'static str| move |way: &Value| way.get(name)?.as_f64();
        self.requests.add(case, lines, of("requests"))?;
        self.bytes.add(case, lines, of("bytes"))?;
        self.peak.add(case, lines, of("peak"))
    }

    /// Measures the huge message. Everybody has a process of its own: some need several gigabytes, and who does not get
    /// them has no figure.
    pub fn measure_huge(&mut self, program: &Program, contenders: &[&str]) -> Result<()> {
        let mut entries = Vec::new();
        let mut bytes = 0;
        for contender in contenders {
            eprintln!("{HUGE}: {contender}");
            let mut value = None;
            match program.allocations_of(HUGE, "id first", contender) {
                Ok(line) => (bytes, value) = multiple(&line).with_context(|| format!("{HUGE}: {contender}"))?,
                Err(error) => eprintln!("no figure for {contender}: {error:#}"),
            }
            entries.push(Entry { contender: (*contender).to_owned(), value, is_lossless: None });
        }
        let case = Case { subject: HUGE.to_owned(), order: "id first".to_owned(), kind: Kind::Result, bytes };
        self.huge = Some(Row { case, what: What::Parse, entries });
        Ok(())
    }
}

/// The length of the text, and the peak as a multiple of it.
fn multiple(line: &str) -> Result<(u64, Option<f64>)> {
    let value: Value = serde_json::from_str(line.trim())?;
    let text = value.get("text").and_then(Value::as_u64).filter(|text| *text > 0).context("no `text`")?;
    let peak = value.get("parse").and_then(|way| way.get("peak")?.as_f64());
    Ok((text, peak.map(|peak| round(peak / text as f64))))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_is_a_multiple_of_the_text() {
        assert_eq!(multiple(r#"{"contender":"x","text":200,"parse":{"peak":250}}"#).unwrap(), (200, Some(1.25)));
        assert_eq!(multiple(r#"{"contender":"x","text":200,"parse":null}"#).unwrap(), (200, None));
        assert!(multiple(r#"{"contender":"x","parse":{"peak":250}}"#).is_err());
    }
}
