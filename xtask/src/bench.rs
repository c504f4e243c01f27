//! `cargo xtask bench`: mcp-wire beside the other crates, and what the figures must show.

mod bars;
mod callgrind;
mod chart;
mod compile;
mod generator;
mod guard;
mod machine;
mod memory;
mod print;
mod program;
mod report;
mod scratch;
mod table;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::project;
use callgrind::Job;
use machine::{Machine, Versions};
use memory::Memory;
use program::Program;
use report::Report;
use table::{Case, LIMIT, OURS, Table, What};

/// Measure mcp-wire beside rmcp, rust-mcp-schema, turbomcp-protocol and a hand-written struct, and judge the result.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench --quick               a first impression, in a few minutes
  cargo xtask bench                       everything, what dependents pay to compile included
  cargo xtask bench --write               everything, into docs/benchmarks
  cargo xtask bench --check               instruction counts against those in tests/bench/instructions.toml
  cargo xtask bench --record              record the instruction counts of now

Times are the least of many samples, taken in turns, and shown as multiples of the hand-written struct's; they are what
is judged. Instructions are counted with valgrind, where it is installed. tests/bench/README.md explains how the figures
are made. Everything takes most of an hour, half of it for the programs of the other crates.

Exit codes: 0 everything holds that was judged, 1 something does not or an error, 2 wrong arguments.")]
pub struct Bench {
    /// Fewer samples, instructions of mcp-wire and the hand-written struct only, no compile cost
    #[arg(long, conflicts_with_all = ["write", "check", "record"])]
    quick: bool,

    /// How to print the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Write tables and charts to docs/benchmarks as well
    #[arg(long, conflicts_with_all = ["check", "record"])]
    write: bool,

    /// Only compare instruction counts with the recorded ones, for CI; says so where it has to skip that
    #[arg(long, conflicts_with_all = ["record", "format"])]
    check: bool,

    /// Only record instruction counts
    #[arg(long, conflicts_with = "format")]
    record: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Markdown,
    Json,
}

/// Where the results are kept.
const FOLDER: &str = "docs/benchmarks";

impl Bench {
    pub fn run(self) -> Result<ExitCode> {
        let root = project::root()?;
        if self.check {
            return Ok(code(guard::check(&root)?));
        }
        if self.record {
            guard::record(&root)?;
            return Ok(ExitCode::SUCCESS);
        }
        let report = self.measure(&root)?;
        if self.write {
            for (name, text) in print::files(&report) {
                let file = root.join(FOLDER).join(name);
                std::fs::create_dir_all(root.join(FOLDER)).context(FOLDER)?;
                std::fs::write(&file, text).with_context(|| format!("{FOLDER}/{name}"))?;
                eprintln!("{FOLDER}/{name} written");
            }
        }
        project::print(&print::print(&report, self.format)?)?;
        Ok(code(report.bars().iter().all(bars::Bar::holds)))
    }

    fn measure(&self, root: &Path) -> Result<Report> {
        let (machine, versions) = (Machine::here()?, Versions::locked(root)?);
        let program = Program::build(root, true)?;
        let cases = program.cases()?;
        bars::are_named_well(&cases)?;
        let (mut times, mut memory) = (Table::default(), Memory::default());
        for (index, case) in cases.iter().enumerate() {
            eprintln!("[{}/{}] timing {}", index + 1, cases.len(), case.name());
            let (rounds, microseconds) = sampling(case, self.quick);
            let printed = program.time(case, rounds, microseconds)?;
            times.add(case, &printed, Value::as_f64).context("the times of tests/bench")?;
            memory.add(case, &program.allocations(case)?).context("the allocations of tests/bench")?;
        }
        let contenders = if self.quick { vec![OURS, LIMIT] } else { times.contenders() };
        memory.measure_huge(&program, &contenders)?;
        let instructions = match callgrind::is_installed() {
            true => Ok(instructions(&program, &cases, &times, self.quick)?),
            false => Err(callgrind::MISSING.to_owned()),
        };
        let builds = match machine::cpu_of_children() {
            _ if self.quick => Err("not measured with --quick".to_owned()),
            None => Err(compile::UNKNOWN.to_owned()),
            Some(_) => Ok(compile::measure(root, &versions)?),
        };
        let generator = generator::measure(root, self.quick)?;
        let command = format!(
            "cargo xtask bench{}{}",
            if self.quick { " --quick" } else { "" },
            if self.write { " --write" } else { "" }
        );
        Ok(Report { command, machine, versions, times, instructions, memory, builds, generator })
    }
}

fn code(holds: bool) -> ExitCode {
    ExitCode::from(u8::from(!holds))
}

/// Rounds and the length of a sample: what takes long needs fewer rounds for a good least.
fn sampling(case: &Case, is_quick: bool) -> (u32, u32) {
    let rounds = if case.kind == table::Kind::Session {
        40
    } else if case.is_large() {
        150
    } else {
        400
    };
    (if is_quick { rounds / 10 } else { rounds }, 500)
}

/// Counts for everybody who can read the message; quickly, only for the two that matter most.
fn instructions(program: &Program, cases: &[Case], times: &Table, is_quick: bool) -> Result<Table> {
    let contenders = if is_quick { vec![OURS, LIMIT] } else { times.contenders() };
    let mut jobs: Vec<Job> = callgrind::jobs(cases, &contenders);
    let can = |case: &Case, what: What, contender: &str| {
        let row = times.rows.iter().find(|row| row.case == *case && row.what == what);
        row.is_some_and(|row| row.of(contender).is_some())
    };
    jobs.retain(|job| can(&job.case, job.what, &job.contender));
    eprintln!("counting the instructions of {} runs", 2 * jobs.len());
    Ok(callgrind::table(&jobs, &callgrind::count(program, &jobs)?))
}
