//! What the tests of the verifier share.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};

use mcp_wire_verify::{Document, Misuse, Report, Task, Totals, verify};

/// Keeps everything.
#[derive(Default)]
pub struct Kept {
    pub sources: Vec<String>,
    pub documents: Vec<Document>,
    pub remarks: Vec<String>,
}

impl Report for Kept {
    fn begin(&mut self, source: &str, _: Option<u64>) {
        self.sources.push(source.to_owned());
    }

    fn document(&mut self, document: Document, _: u64) {
        self.documents.push(document);
    }

    fn remark(&mut self, remark: &str) {
        self.remarks.push(remark.to_owned());
    }
}

impl Kept {
    /// The totals; the five outcomes add up.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        self.documents.iter().for_each(|document| totals.count(document));
        let Totals { documents, exact, lossy, rejected, invalid, noise, .. } = totals;
        assert_eq!(documents, exact + lossy + rejected + invalid + noise);
        totals
    }
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project's folder")
}

pub fn task() -> Task {
    Task { root: root(), longest_line: 1 << 20, ..Task::default() }
}

pub fn run(task: &Task) -> (Result<(), Misuse>, Kept) {
    let mut kept = Kept::default();
    let result = verify(task, &mut kept);
    (result, kept)
}

pub fn traffic(path: &Path) -> (Result<(), Misuse>, Kept) {
    run(&Task { traffic: vec![path.to_owned()], ..task() })
}

/// A folder of its own for a test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A file with this text, in a folder of its own.
pub fn file(test: &str, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = folder(test).join(name);
    fs::write(&path, text).expect("a file");
    path
}
