//! Instructions per message: exact where times are noisy.

use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};

use super::program::Program;
use super::table::{Case, Entry, Row, Table, What};

/// Said wherever instructions are not counted.
pub const MISSING: &str = "valgrind is not installed, so no instructions were counted; install the package `valgrind`";

/// Whether instructions can be counted here.
pub fn is_installed() -> bool {
    let version = Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// One thing to be counted.
#[derive(Debug, Clone)]
pub struct Job {
    pub case: Case,
    pub what: What,
    pub contender: String,
}

/// Everything that these contenders do with these messages.
pub fn jobs(cases: &[Case], contenders: &[&str]) -> Vec<Job> {
    let mut jobs = Vec::new();
    for case in cases {
        for what in case.ways() {
            for contender in contenders {
                jobs.push(Job { case: case.clone(), what: *what, contender: (*contender).to_owned() });
            }
        }
    }
    jobs
}

/// Counts, as many at a time as there are processors: counts do not mind company.
pub fn count(program: &Program, jobs: &[Job]) -> Result<Vec<u64>> {
    let next = AtomicUsize::new(0);
    let counts: Mutex<Vec<(usize, Result<u64>)>> = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { break };
                    let counted = per_message(program, job);
                    counts.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((index, counted));
                }
            });
        }
    });
    let mut counts = counts.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    counts.sort_by_key(|(index, _)| *index);
    counts.into_iter().map(|(_, count)| count).collect()
}

/// The counts as a table.
pub fn table(jobs: &[Job], counts: &[u64]) -> Table {
    let mut table = Table::default();
    for (job, count) in jobs.iter().zip(counts) {
        let entry = Entry { contender: job.contender.clone(), value: Some(*count as f64), is_lossless: None };
        match table.rows.last_mut().filter(|row| row.case == job.case && row.what == job.what) {
            Some(row) => row.entries.push(entry),
            None => table.rows.push(Row { case: job.case.clone(), what: job.what, entries: vec![entry] }),
        }
    }
    table
}

/// The difference between a run and one of twice the length: whatever happens once is in both.
fn per_message(program: &Program, job: &Job) -> Result<u64> {
    let times = repetitions(&job.case);
    let once = instructions(program, job, times)?;
    let twice = instructions(program, job, 2 * times)?;
    Ok(twice.saturating_sub(once) / u64::from(times))
}

/// Enough of them for hash maps, whose seeds are random, to look alike: about as many bytes whatever the message.
fn repetitions(case: &Case) -> u32 {
    let times = 200_000 / case.bytes.max(1);
    u32::try_from(times).unwrap_or(u32::MAX).clamp(1, 1000)
}

fn instructions(program: &Program, job: &Job, times: u32) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(&program.measure)
        .args(["run", &job.case.subject, &job.case.order, &job.contender, job.what.name(), &times.to_string()])
        .output()
        .context("valgrind could not be run")?;
    let messages = String::from_utf8_lossy(&output.stderr);
    let what = || format!("counting {} of {} {}", job.what.name(), job.contender, job.case.name());
    if !output.status.success() {
        bail!("{} failed\n{}", what(), messages.trim_end());
    }
    collected(&messages).with_context(|| format!("{}: valgrind printed no count\n{}", what(), messages.trim_end()))
}

/// The count, from what callgrind says at the end.
fn collected(messages: &str) -> Option<u64> {
    let line = messages.lines().find_map(|line| line.split_once("Collected : "))?.1;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_read_from_the_messages() {
        assert_eq!(collected("==1== Events    : Ir\n==1== Collected : 2444529\n==1==\n"), Some(2_444_529));
        assert_eq!(collected("==1== nothing\n"), None);
    }
}
