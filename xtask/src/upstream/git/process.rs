//! Process: a git that is ended when it takes too long or leaves too much.

use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// The most that git may print: nobody asks it for more than a few lines.
const OUTPUT: u64 = 1 << 20;
/// The most that may be fetched. The official repository has a fraction of it, with all its history.
const FETCHED: u64 = 2 << 30;
/// How long a fetch is silent.
const PATIENCE: Duration = Duration::from_secs(1);

/// A running git. It is ended at the deadline, if there is one, and when this is dropped.
pub struct Process {
    child: Arc<Mutex<Child>>,
    /// Tells the thread that watches the clock that there is nothing to watch any more.
    _watched: Option<Sender<()>>,
}

/// What a run of git came to.
pub struct Outcome {
    pub success: bool,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Outcome {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).trim().to_owned()
    }

    /// Its complaint on one line, fit for a terminal.
    pub fn complaint(&self) -> String {
        let lines = self.stderr.lines().map(str::trim).filter(|line| !line.is_empty());
        let told: Vec<&str> = lines
            .filter(|line| ["fatal:", "error:", "ERROR:", "ssh:"].iter().any(|start| line.starts_with(start)))
            .collect();
        let text = if told.is_empty() { self.stderr.trim().to_owned() } else { told.join("; ") };
        text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(600).collect()
    }

    /// Whether the other side has been reached, and does not have what was asked for.
    pub fn is_unknown(&self) -> bool {
        ["couldn't find remote ref", "not our ref", "unadvertised object", "no such remote ref"]
            .iter()
            .any(|text| self.stderr.contains(text))
    }
}

impl Process {
    pub fn spawn(command: &mut Command, deadline: Option<Instant>) -> Result<Self> {
        let child = command.spawn().map_err(|error| {
            let program = command.get_program().display().to_string();
            match error.kind() {
                io::ErrorKind::NotFound => anyhow::anyhow!(
                    "the program `{program}` is not installed\n  install git, or name a folder without `.git`, such as \
                     an unpacked archive of the repository"
                ),
                _ => anyhow::Error::new(error).context(format!("the program `{program}` cannot be run")),
            }
        })?;
        let child = Arc::new(Mutex::new(child));
        let watched = deadline.map(|deadline| watch(&child, deadline));
        Ok(Self { child, _watched: watched })
    }

    /// The two pipes of a git that answers.
    pub fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout)> {
        self.with(|child| child.stdin.take().zip(child.stdout.take()))
    }

    /// Waits for its end; `fetching` is what to say it is doing, should it take long, and the folder it fills.
    pub fn outcome(self, fetching: Option<(&str, &Path)>, deadline: Option<Instant>) -> Result<Outcome> {
        let (stdout, stderr) = self.with(|child| (child.stdout.take(), child.stderr.take()));
        thread::scope(|scope| {
            let stdout = scope.spawn(|| self.drain(stdout));
            let stderr = scope.spawn(|| self.drain(stderr));
            let status = self.wait(fetching);
            let (stdout, within) = stdout.join().unwrap_or_default();
            let (stderr, also_within) = stderr.join().unwrap_or_default();
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                bail!(
                    "git takes too long, and has been ended\n  check that the repository is whole, for example with `git fsck`"
                );
            }
            if !within || !also_within {
                bail!("git prints without end, and has been ended\n  check what the repository is");
            }
            let stderr = String::from_utf8_lossy(&stderr).into_owned();
            Ok(Outcome { success: status?, stdout, stderr })
        })
    }

    /// Looks at the process now and then: to wait for it would keep everybody else from ending it.
    fn wait(&self, fetching: Option<(&str, &Path)>) -> Result<bool> {
        let begin = Instant::now();
        let (mut shown, mut pause) = (0, Duration::from_micros(200));
        loop {
            if let Some(status) = self.with(Child::try_wait).context("git cannot be waited for")? {
                if shown > 0 && io::stderr().is_terminal() {
                    eprintln!();
                }
                return Ok(status.success());
            }
            let seconds = begin.elapsed().as_secs();
            if let Some((what, folder)) = fetching.filter(|_| begin.elapsed() >= PATIENCE && seconds > shown) {
                shown = seconds;
                if io::stderr().is_terminal() {
                    eprint!("\r{what} ({seconds} s)");
                }
                if size(folder, FETCHED) > FETCHED {
                    self.end();
                    bail!("more than {} MB are sent, and git has been ended\n  check the address", FETCHED >> 20);
                }
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Takes what is printed, and whether it was within bounds. What is not ends the process.
    fn drain(&self, pipe: Option<impl Read>) -> (Vec<u8>, bool) {
        let mut kept = Vec::new();
        if let Some(pipe) = pipe {
            // What cannot be read to its end is judged by the exit code.
            let _ = pipe.take(OUTPUT + 1).read_to_end(&mut kept);
        }
        let within = kept.len() as u64 <= OUTPUT;
        if !within {
            self.end();
        }
        (kept, within)
    }

    fn end(&self) {
        end(&self.child);
    }

    fn with<T>(&self, act: impl FnOnce(&mut Child) -> T) -> T {
        act(&mut self.child.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn end(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    // One that has ended already is not killed again: its number may be someone else's by now.
    if matches!(child.try_wait(), Ok(None)) {
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Ends the process at the deadline, unless it is dropped before.
fn watch(child: &Arc<Mutex<Child>>, deadline: Instant) -> Sender<()> {
    let (sender, receiver) = mpsc::channel();
    let child = Arc::clone(child);
    thread::spawn(move || {
        let left = deadline.saturating_duration_since(Instant::now());
        if matches!(receiver.recv_timeout(left), Err(RecvTimeoutError::Timeout)) {
            end(&child);
        }
    });
    sender
}

/// How many bytes there are below a folder of our own; counting stops above the limit.
fn size(folder: &Path, limit: u64) -> u64 {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        bytes += match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => size(&entry.path(), limit),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        };
        if bytes > limit {
            break;
        }
    }
    bytes
}
