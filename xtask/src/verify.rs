//! `cargo xtask verify`: documents and recorded sessions against the generated types.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::project;

/// Verify that documents and recorded sessions are read and written back without loss.
#[derive(Args)]
#[command(after_help = "\
Each document has one outcome:
  exact      read, and written back as it came
  lossy      written back differently; each difference is listed with its JSON pointer and its kind
  rejected   not read, although the official schema (errata fixed) accepts it
  invalid    not read, and the official schema does not accept it either
  noise      in a recording: text, or JSON that is no JSON-RPC

Examples:
  cargo xtask verify                                            the project's own examples, all revisions
  cargo xtask verify --examples ../spec/examples                folders <Type>/*.json
  cargo xtask verify --traffic session.jsonl                    a recording, one message per line
  cargo xtask verify --traffic logs/ --revision 2025-06-18      all recordings of a folder

A line of a recording is {\"dir\": \"c2s\" or \"s2c\", \"msg\": MESSAGE}, or the message itself. The revision is the one given
here, else the one that the path names, else the one that the messages agree on, else the latest with a handshake.

White space, the way a string is escaped, and the order of members that the schema names do not count. Everything else
does: another value of a number, another form (50 and 50.0), a member that came twice and is written once.

Exit codes: 0 nothing lossy or rejected, 1 otherwise, 2 wrong arguments or unusable input.")]
pub struct Verify {
    /// Only this revision
    #[arg(long, value_name = "R")]
    revision: Option<String>,

    /// A folder of `<Type>/*.json`; may be repeated
    #[arg(long, value_name = "DIR")]
    examples: Vec<PathBuf>,

    /// A recorded session, or a folder of them; may be repeated
    #[arg(long, value_name = "PATH")]
    traffic: Vec<PathBuf>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Print problems only
    #[arg(long)]
    quiet: bool,

    /// Longest line of a recording that is read, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    longest_line: usize,

    /// Build the verifier with optimisation: takes minutes, and is worth it for gigabytes
    #[arg(long)]
    release: bool,

    /// Print the JSON schema of `--format json`, and do nothing else
    #[arg(long)]
    print_schema: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl Verify {
    pub fn run(self) -> Result<ExitCode> {
        if self.print_schema {
            project::print(&(serde_json::to_string_pretty(&schema())? + "\n"))?;
            return Ok(ExitCode::SUCCESS);
        }
        let root = project::root()?;
        if !root.join("generated/mcp-wire/Cargo.toml").is_file() {
            bail!("there are no generated crates\n  run `cargo xtask generate` first");
        }
        // The types are in crates that this program must not depend on; the first run builds them. Each program is built by
        // itself: built together, they would share features of serde_json, and numbers would not be read as a dependent's are.
        let accepts = self.build(&root, "mcp-wire-accepts")?;
        let program = self.build(&root, "mcp-wire-verify")?;
        let task = json!({
            "root": root,
            "revision": self.revision,
            "examples": self.examples,
            "traffic": self.traffic,
            "accepts": accepts,
            "longest_line": self.longest_line,
            "json": self.format == Format::Json,
            "quiet": self.quiet,
        });
        let status =
            Command::new(&program).arg(task.to_string()).status().with_context(|| program.display().to_string())?;
        Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2)))
    }
}

impl Verify {
    /// Builds the program of a package, and returns where it is.
    fn build(&self, root: &Path, package: &str) -> Result<PathBuf> {
        // The types are in crates that this program must not depend on; the first run builds them, which takes minutes. So
        // cargo's progress is shown. It goes to the error output, so that a report can be piped.
        let (profile, folder) = if self.release { ("release", "release") } else { ("dev", "debug") };
        let built = Command::new(env!("CARGO"))
            .args(["build", "--profile", profile, "--package", package, "--manifest-path"])
            .arg(root.join("Cargo.toml"))
            .args(["--target-dir".as_ref(), root.join("target").as_os_str()])
            .status()
            .context("cargo could not be run")?;
        if !built.success() {
            bail!("the verifier does not build; see the messages above");
        }
        Ok(root.join("target").join(folder).join(package).with_extension(std::env::consts::EXE_EXTENSION))
    }
}

/// The JSON schema of the result.
fn schema() -> Value {
    let count = json!({ "type": "integer", "minimum": 0 });
    let names = ["documents", "exact", "lossy", "rejected", "invalid", "noise", "unknown", "violations"];
    let totals: serde_json::Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), count.clone())).collect();
    let optional = json!({ "type": ["string", "null"] });
    let text = json!({ "type": "string" });
    let rules = ["Type", "Required", "Constant", "Enum", "Range", "Length", "Format", "Union", "Closed"];
    let kinds = [
        "number changed",
        "number form changed",
        "string changed",
        "value changed",
        "null lost",
        "member lost",
        "member added",
        "duplicate dropped",
        "duplicate added",
        "order changed",
        "item lost",
        "item added",
    ];
    let shown = json!({ "type": "string", "description": "JSON text, cut where it is long" });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "cargo xtask verify --format json",
        "type": "object",
        "required": ["documents", "totals"],
        "additionalProperties": false,
        "properties": {
            "totals": { "type": "object", "required": names, "additionalProperties": false, "properties": totals },
            "documents": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["source", "line", "type", "variant", "outcome", "pointers", "error", "violations"],
                    "additionalProperties": false,
                    "properties": {
                        "source": text,
                        "line": { "type": ["integer", "null"], "minimum": 1 },
                        "type": optional,
                        "variant": optional,
                        "outcome": { "enum": ["exact", "lossy", "rejected", "invalid", "noise"] },
                        "pointers": {
                            "description": "where a lossy document came back differently",
                            "type": "array",
                            "items": {
                                "type": "object",
                                "required": ["pointer", "kind"],
                                "additionalProperties": false,
                                "properties": {
                                    "pointer": text, "kind": { "enum": kinds },
                                    "before": shown, "after": shown,
                                },
                            },
                        },
                        "error": optional,
                        "violations": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "required": ["pointer", "rule", "expected", "found"],
                                "additionalProperties": false,
                                "properties": {
                                    "pointer": text, "rule": { "enum": rules }, "expected": text, "found": text,
                                },
                            },
                        },
                    },
                },
            },
        },
    })
}
