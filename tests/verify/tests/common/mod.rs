//! What the tests of the verifier share.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod numbers;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_wire_accepts::{Line, Schemas};
use mcp_wire_verify::{Document, Judges, Misuse, Report, Task, Totals, verify_with};
use serde_json::Value;

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

/// Judges that need no other program.
pub fn judges() -> Judges {
    let mut schemas = Schemas::default();
    let mut known = BTreeSet::new();
    Judges::with_validator(root().join("schema"), move |question| {
        let revision = question.revision.to_string();
        let (keyword, schema) = (question.schema.keyword.to_owned(), question.schema.document.clone());
        if known.insert(revision.clone()) {
            schemas.answer(Line::Schema { revision: revision.clone(), keyword, schema });
        }
        let definitions = question.definitions.iter().map(|name| (*name).to_owned()).collect();
        let question = Line::Question { revision, definitions, document: question.document.clone() };
        schemas.answer(question).expect("an answer").map_err(Misuse)
    })
}

/// Builds a program the way the command line does, by itself, and returns its path.
pub fn built(package: &str) -> PathBuf {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--package", package, "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .args(["--target-dir".as_ref(), root().join("target").as_os_str()])
        .status();
    assert!(status.expect("cargo runs").success(), "{package} does not build");
    root().join("target/debug").join(package).with_extension(std::env::consts::EXE_EXTENSION)
}

/// The schema of what is printed as JSON, as the command line gives it.
pub fn published_schema() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--manifest-path", "xtask/Cargo.toml", "--", "verify", "--print-schema"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    serde_json::from_slice(&output.stdout).expect("a schema")
}

pub fn run(task: &Task) -> (Result<(), Misuse>, Kept) {
    let mut kept = Kept::default();
    let result = verify_with(task, &judges(), &mut kept);
    (result, kept)
}

/// With another reader in the place of the generated types.
pub fn run_reader(task: &Task, reader: impl Fn(&str) -> String + 'static) -> Kept {
    let mut kept = Kept::default();
    let judges = judges().with_reader(reader);
    verify_with(task, &judges, &mut kept).expect("something to verify");
    kept
}

pub fn traffic(path: &Path) -> (Result<(), Misuse>, Kept) {
    run(&Task { traffic: vec![path.to_owned()], ..task() })
}

/// A folder of its own, whoever else asks for one of that name: tests run side by side.
pub fn folder(name: &str) -> PathBuf {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let asked = ASKED.fetch_add(1, Ordering::Relaxed);
    let test = env::current_exe().expect("a test");
    let test = test.file_stem().expect("a file").to_string_lossy();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{name}-{asked}"));
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
