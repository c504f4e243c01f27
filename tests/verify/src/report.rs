//! What became of each document, and how to tell about it.

use std::ops::AddAssign;

use mcp_wire::Violation;
use mcp_wire_judge::{Finding, Place, compare};
use serde::Serialize;

/// What became of a document. Each has exactly one outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Read, and written back as it came.
    Exact,
    /// Read, but written back differently.
    Lossy,
    /// Not read, although the official schema accepts it.
    Rejected,
    /// Not read, and the official schema does not accept it either.
    Invalid,
    /// No message at all.
    Noise,
}

/// One document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Document {
    /// The file.
    pub source: String,
    /// The line, in a file with one document per line.
    pub line: Option<usize>,
    /// The type it was read as.
    #[serde(rename = "type")]
    pub ty: Option<String>,
    /// The variant it landed in.
    pub variant: Option<String>,
    /// What became of it.
    pub outcome: Outcome,
    /// Where it came back differently.
    pub pointers: Vec<Difference>,
    /// Why it was not read.
    pub error: Option<String>,
    /// What the schema does not allow, although it was read.
    pub violations: Vec<Departure>,
    /// Whether it landed in a variant for what the revision does not know.
    #[serde(skip)]
    pub is_unknown: bool,
    /// Whether it is meant to have exactly these violations.
    #[serde(skip)]
    pub is_meant: bool,
}

impl Document {
    /// A document of which nothing is known yet.
    pub fn new(source: &str, line: Option<usize>, outcome: Outcome) -> Self {
        Self {
            source: source.to_owned(),
            line,
            ty: None,
            variant: None,
            outcome,
            pointers: Vec::new(),
            error: None,
            violations: Vec::new(),
            is_unknown: false,
            is_meant: false,
        }
    }

    /// Judges what was written. The judge shares no code with those who read and write.
    pub(crate) fn judge(&mut self, before: &str, after: &str, place: impl Place) {
        match compare(before, after, place) {
            Ok(verdict) => self.pointers = verdict.findings.into_iter().map(Into::into).collect(),
            Err(not_json) => self.error = Some(not_json.to_string()),
        }
        if !self.pointers.is_empty() || self.error.is_some() {
            self.outcome = Outcome::Lossy;
        }
    }
}

/// A place where a document came back differently.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// JSON pointer.
    pub pointer: String,
    /// What happened, in words.
    pub kind: &'static str,
    /// What stood there, as JSON text, cut where it is long; absent if nothing did. A number is a text here, too: as a
    /// number it might be rounded by whoever reads this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What was written there; absent if nothing was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl From<Finding> for Difference {
    fn from(finding: Finding) -> Self {
        let Finding { kind, pointer, before, after } = finding;
        Self { pointer, kind: kind.as_str(), before, after }
    }
}

/// A violation, as data.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Departure {
    /// JSON pointer.
    pub pointer: String,
    /// The rule that is broken.
    pub rule: String,
    /// What the schema asks for.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl From<Violation> for Departure {
    fn from(violation: Violation) -> Self {
        Self {
            pointer: violation.pointer.to_string(),
            rule: format!("{:?}", violation.rule),
            expected: violation.expected.into_owned(),
            found: violation.found,
        }
    }
}

/// How many documents there were, and what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// All of them.
    pub documents: usize,
    /// Written back as they came.
    pub exact: usize,
    /// Written back differently.
    pub lossy: usize,
    /// Not read, although the schema accepts them.
    pub rejected: usize,
    /// Not read, and not accepted by the schema.
    pub invalid: usize,
    /// No messages.
    pub noise: usize,
    /// Landed in a variant for what the revision does not know.
    pub unknown: usize,
    /// Violations of the schema in all documents that were read.
    pub violations: usize,
}

impl Totals {
    /// Counts one document.
    pub fn count(&mut self, document: &Document) {
        self.documents += 1;
        *match document.outcome {
            Outcome::Exact => &mut self.exact,
            Outcome::Lossy => &mut self.lossy,
            Outcome::Rejected => &mut self.rejected,
            Outcome::Invalid => &mut self.invalid,
            Outcome::Noise => &mut self.noise,
        } += 1;
        self.unknown += usize::from(document.is_unknown);
        self.violations += document.violations.len();
    }

    /// Whether nothing was lost and nothing valid was refused.
    pub fn is_good(&self) -> bool {
        self.lossy == 0 && self.rejected == 0
    }
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.documents += other.documents;
        self.exact += other.exact;
        self.lossy += other.lossy;
        self.rejected += other.rejected;
        self.invalid += other.invalid;
        self.noise += other.noise;
        self.unknown += other.unknown;
        self.violations += other.violations;
    }
}

/// Hears of everything, as it happens.
pub trait Report {
    /// A source is begun: a folder of examples, or a recording with so many bytes.
    fn begin(&mut self, source: &str, bytes: Option<u64>);

    /// A document has been verified; of a recording, so many bytes have been read.
    fn document(&mut self, document: Document, bytes: u64);

    /// Something a person should know, which is no document.
    fn remark(&mut self, remark: &str);
}
