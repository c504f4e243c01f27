//! The guard against getting slower: instruction counts beside those in `tests/bench/instructions.toml`.
//!
//! What is compared is mcp-wire's count, with the recorded one scaled by what has become of the hand-written struct's:
//! another C library or processor changes both.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::callgrind::{self, Job};
use super::machine::Toolchain;
use super::program::Program;
use super::table::{Case, Kind, LIMIT, OURS};
use crate::project;

/// Where the counts are recorded.
pub const FILE: &str = "tests/bench/instructions.toml";
/// How much mcp-wire's count may grow before somebody has to say that it is meant.
const ALLOWED: f64 = 1.05;
const RECORD: &str = "cargo xtask bench --record";

/// Instructions per message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    pub ours: u64,
    pub limit: u64,
}

/// What was recorded, and with what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    pub toolchain: Toolchain,
    pub counts: BTreeMap<String, Count>,
}

/// Compares with the recorded counts; whether they hold. Where they cannot be compared, it says so, and they do.
pub fn check(root: &Path) -> Result<bool> {
    let text = std::fs::read_to_string(root.join(FILE)).with_context(|| format!("{FILE}\n  run `{RECORD}`"))?;
    let baseline = Baseline::read(&text).with_context(|| format!("{FILE}\n  run `{RECORD}`"))?;
    if let Some(reason) = baseline.incomparable(&Toolchain::here()?, callgrind::is_installed()) {
        project::print(&format!("skipped: {reason}\n"))?;
        return Ok(true);
    }
    let verdict = baseline.judge(&count(root)?);
    project::print(&verdict.text)?;
    Ok(verdict.holds)
}

/// Records the counts of now.
pub fn record(root: &Path) -> Result<()> {
    if !callgrind::is_installed() {
        bail!("{}", callgrind::MISSING);
    }
    let baseline = Baseline { toolchain: Toolchain::here()?, counts: count(root)? };
    let file = root.join(FILE);
    std::fs::write(&file, baseline.write()).with_context(|| FILE)?;
    project::print(&format!("{} counts recorded in {FILE}\n", baseline.counts.len()))
}

/// Counts what is guarded: every small message both ways and in both orders, the large ones in their first.
fn count(root: &Path) -> Result<BTreeMap<String, Count>> {
    let program = Program::build(root, false)?;
    let jobs = callgrind::jobs(&guarded(program.cases()?), &[OURS, LIMIT]);
    eprintln!("counting the instructions of {} runs", 2 * jobs.len());
    let counts = callgrind::count(&program, &jobs)?;
    Ok(pair(&jobs, &counts))
}

fn guarded(cases: Vec<Case>) -> Vec<Case> {
    let mut chosen: Vec<Case> = Vec::new();
    for case in cases {
        let is_heavy = case.is_large() || case.kind == Kind::Session;
        if !(is_heavy && chosen.iter().any(|other| other.subject == case.subject)) {
            chosen.push(case);
        }
    }
    chosen
}

/// The two counts of each message, by name.
fn pair(jobs: &[Job], counts: &[u64]) -> BTreeMap<String, Count> {
    let mut pairs = BTreeMap::new();
    for (job, count) in jobs.iter().zip(counts) {
        let name = format!("{}, {}", job.case.name(), job.what.name());
        let pair = pairs.entry(name).or_insert(Count { ours: 0, limit: 0 });
        match job.contender == OURS {
            true => pair.ours = *count,
            false => pair.limit = *count,
        }
    }
    pairs
}

/// What a comparison found.
#[derive(Debug)]
pub struct Verdict {
    pub text: String,
    pub holds: bool,
}

impl Baseline {
    /// Reads the file.
    pub fn read(text: &str) -> Result<Self> {
        let table: toml::Table = text.parse()?;
        let word = |name: &str| {
            let word = table.get(name).and_then(toml::Value::as_str);
            word.map(str::to_owned).with_context(|| format!("`{name}` is missing, or not text"))
        };
        let toolchain = Toolchain { rustc: word("rustc")?, architecture: word("architecture")? };
        let recorded =
            table.get("instructions").and_then(toml::Value::as_table).context("the table `instructions` is missing")?;
        let mut counts = BTreeMap::new();
        for (name, pair) in recorded {
            let number = |contender: &str| {
                let number = pair.get(contender).and_then(toml::Value::as_integer);
                let number = number.and_then(|number| u64::try_from(number).ok()).filter(|number| *number > 0);
                number.with_context(|| format!("`{name}` has no count of `{contender}`"))
            };
            counts.insert(name.clone(), Count { ours: number(OURS)?, limit: number(LIMIT)? });
        }
        Ok(Self { toolchain, counts })
    }

    /// The file, a line per count.
    pub fn write(&self) -> String {
        let mut text = format!(
            "# Instructions per message, counted by callgrind. Written by `{RECORD}`; `cargo xtask bench --check`\n\
             # compares, and compares only what the same compiler made for the same architecture.\n\
             rustc = \"{}\"\narchitecture = \"{}\"\n\n[instructions]\n",
            self.toolchain.rustc, self.toolchain.architecture
        );
        for (name, count) in &self.counts {
            let _ = writeln!(text, "\"{name}\" = {{ {OURS} = {}, {LIMIT} = {} }}", count.ours, count.limit);
        }
        text
    }

    /// Why nothing can be compared here, if so, and what to do.
    pub fn incomparable(&self, here: &Toolchain, has_valgrind: bool) -> Option<String> {
        if !has_valgrind {
            return Some(callgrind::MISSING.to_owned());
        }
        (self.toolchain != *here).then(|| {
            format!(
                "{FILE} was recorded with rustc {} on {}, this is rustc {} on {}; `{RECORD}` records anew",
                self.toolchain.rustc, self.toolchain.architecture, here.rustc, here.architecture
            )
        })
    }

    /// Judges the counts of now.
    pub fn judge(&self, now: &BTreeMap<String, Count>) -> Verdict {
        let (mut text, mut failures, mut better) = (String::new(), 0, 0);
        let width = now.keys().map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, count) in now {
            let Some(then) = self.counts.get(name) else {
                failures += 1;
                let _ = writeln!(text, "FAIL  {name:<width$}  is not in {FILE}");
                continue;
            };
            let expected = then.ours as f64 * count.limit as f64 / then.limit as f64;
            let growth = count.ours as f64 / expected;
            let is_held = growth <= ALLOWED;
            failures += usize::from(!is_held);
            better += usize::from(growth < 2.0 - ALLOWED);
            let _ = writeln!(
                text,
                "{}  {name:<width$}  {:>10} instructions, {:+.1} %",
                if is_held { "pass" } else { "FAIL" },
                count.ours,
                (growth - 1.0) * 100.0
            );
        }
        for name in self.counts.keys().filter(|name| !now.contains_key(*name)) {
            failures += 1;
            let _ = writeln!(text, "FAIL  {name:<width$}  is in {FILE}, but tests/bench has no such message");
        }
        let _ = match failures {
            0 => writeln!(text, "{} counts are within 5 % of {FILE}", now.len()),
            _ => writeln!(
                text,
                "{failures} of {} counts fail\n  make it cheaper again (CONTRIBUTING.md, \"Something got slower\"), or, if it is \
                 meant, run `{RECORD}` and commit {FILE} with the change",
                now.len()
            ),
        };
        if better > 0 {
            let _ = writeln!(text, "note: {better} counts have fallen by more than 5 %; `{RECORD}` keeps them there");
        }
        Verdict { text, holds: failures == 0 }
    }
}
