//! Git: a repository in, a commit and its files out. Everything is done by the program `git`, and nothing is checked out.
//!
//! A repository of someone else is read through one of our own that is empty and borrows its objects. Of the other one's
//! files git sees nothing else; `guard.rs` says what it is told besides.

mod address;
mod checkout;
mod guard;
mod objects;
mod process;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::{Entry, Kind};
use address::{is_hash, is_whole_hash};
pub use address::{protocol, prove_rev, without_password};
use checkout::Checkout;
pub use checkout::{Place, kind};
use guard::Task;
pub use objects::Objects;
use process::{Outcome, Process};

/// How long reading a repository that is here may take, all in all. Those of upstream take a second.
const LONGEST: Duration = Duration::from_secs(300);

/// How git is called.
pub struct Git {
    program: String,
    /// More settings than `guard.rs` has, for tests.
    settings: Vec<String>,
    longest: Duration,
}

impl Default for Git {
    fn default() -> Self {
        Self { program: "git".to_owned(), settings: Vec::new(), longest: LONGEST }
    }
}

impl Git {
    /// The same with a setting more.
    #[cfg(test)]
    pub fn set(mut self, setting: &str) -> Self {
        self.settings.push(setting.to_owned());
        self
    }

    /// The same with another program.
    #[cfg(test)]
    pub fn program(mut self, program: &str) -> Self {
        program.clone_into(&mut self.program);
        self
    }

    /// The same with less patience.
    #[cfg(test)]
    pub fn within(mut self, longest: Duration) -> Self {
        self.longest = longest;
        self
    }

    /// A repository of our own.
    pub fn at(&self, folder: &Path) -> Repository<'_> {
        Repository {
            git: self,
            folder: folder.to_owned(),
            shown: folder.to_owned(),
            borrowed: None,
            deadline: Instant::now() + self.longest,
        }
    }

    /// A commit of someone else's repository, and an empty repository of our own through which it is read; none if it has
    /// no commit of that name. `views` is a folder for our own.
    pub fn view(&self, folder: &Path, rev: &str, views: &Path) -> Result<Option<(Repository<'_>, String)>> {
        let checkout = Checkout::open(folder)?;
        let named = checkout.look_up(rev)?;
        if named.is_none() && !is_hash(rev, 4) && !rev.contains("-g") {
            return Ok(None);
        }
        // An abbreviated hash has the kind that the others have.
        let sample = match &named {
            Some(hash) => Some(hash.clone()),
            None => checkout.look_up("HEAD")?,
        };
        let format = if sample.is_some_and(|hash| hash.len() == 64) { "sha256" } else { "sha1" };
        let borrowed = Borrowed { objects: quoted(&checkout.objects()?)?, shallow: checkout.shallow()? };
        let own = views.join(format!("view-{format}"));
        let own = self.prepared(own, &["--object-format", format])?;
        let repository = Repository { shown: folder.to_owned(), borrowed: Some(borrowed), ..self.at(&own) };
        let commit = repository.commit(named.as_deref().unwrap_or(rev))?;
        Ok(commit.map(|commit| (repository, commit)))
    }

    fn command(&self, folder: &Path, task: Task) -> Command {
        let mut command = Command::new(&self.program);
        guard::apply(&mut command, task);
        for setting in &self.settings {
            command.args(["-c", setting]);
        }
        // Said outright, so that git does not look for a repository by itself.
        command.env("GIT_DIR", ".").current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Brings a commit of an address into the cache, with as little besides as the server allows.
    pub fn fetch(&self, from: &str, origin: &str, rev: Option<&str>, cache: &Path) -> Result<(Repository<'_>, String)> {
        let folder = self.prepared(place(from, cache), &[])?;
        let repository = self.at(&folder);
        // A full hash means the same for ever: what has been fetched once is not fetched again.
        if let Some(hash) = rev.filter(|rev| is_whole_hash(rev))
            && let Some(commit) = repository.commit(hash)?
        {
            return Ok((repository, commit));
        }
        let wanted = rev.unwrap_or("HEAD");
        let reference = format!("refs/sync/{:016x}", fingerprint(wanted));
        let refspec = format!("+{wanted}:{reference}");
        let mut outcome = repository.fetch(from, origin, &["--depth=1"], &[&refspec])?;
        let mut names = vec![reference];
        if !outcome.success && outcome.is_unknown() && is_hash(wanted, 4) {
            // Either the server serves only what its branches and tags point to, or the hash is abbreviated. Then the
            // commit is somewhere in the history.
            let everything = ["+refs/heads/*:refs/sync/heads/*", "+refs/tags/*:refs/sync/tags/*"];
            outcome = repository.fetch(from, origin, &["--depth=2147483647"], &everything)?;
            names = vec![wanted.to_owned(), format!("refs/sync/tags/{wanted}"), format!("refs/sync/heads/{wanted}")];
        }
        if !outcome.success && !outcome.is_unknown() {
            let complaint = outcome.complaint().replace(from, origin);
            // What a git that was killed leaves behind is not the server's fault.
            let help = match complaint.contains(".lock") {
                true => format!("if no other sync is running, remove {}, which is only a cache", folder.display()),
                false => {
                    "check the address, the network and your access; or clone the repository by other means and name \
                          its folder"
                        .to_owned()
                }
            };
            bail!("{origin} cannot be fetched: {complaint}\n  {help}");
        }
        let mut commit = None;
        for name in names.iter().filter(|_| outcome.success) {
            if commit.is_none() {
                commit = repository.commit(name)?;
            }
        }
        match (commit, rev) {
            (Some(commit), _) => Ok((repository, commit)),
            (None, None) => bail!("{origin} has no commits\n  check the address, or name a branch with --rev"),
            (None, Some(rev)) => bail!("{}", unknown(rev, origin)),
        }
    }

    /// Removes what the cache has of an address, if it is damaged; there is nothing in it that cannot be fetched again.
    ///
    /// To find out takes as long as reading all of it, so it is asked only when something went wrong.
    pub fn forget_damaged(&self, from: &str, cache: &Path) -> Result<bool> {
        let folder = place(from, cache);
        if !folder.is_dir() {
            return Ok(false);
        }
        if self.at(&folder).run(&["fsck", "--full", "--no-dangling", "--no-progress"])?.success {
            return Ok(false);
        }
        let help = || format!("{}: the cache is damaged; remove it", folder.display());
        std::fs::remove_dir_all(&folder).with_context(help)?;
        Ok(true)
    }

    /// A bare repository of our own in a folder, made where there is none.
    fn prepared(&self, folder: PathBuf, options: &[&str]) -> Result<PathBuf> {
        let help = || format!("{}: the cache cannot be written; check its permissions and the disk", folder.display());
        if folder.exists() {
            let outcome = self.at(&folder).run(&["rev-parse", "--is-bare-repository", "--absolute-git-dir"])?;
            let text = outcome.text();
            let own = text.lines().nth(1).map(|line| Path::new(line).canonicalize().ok());
            if outcome.success && text.starts_with("true") && own.flatten() == folder.canonicalize().ok() {
                return Ok(folder);
            }
            // Half a repository, left by an interruption; there is nothing in it that cannot be made again.
            std::fs::remove_dir_all(&folder).with_context(help)?;
        }
        std::fs::create_dir_all(&folder).with_context(help)?;
        let init = [&["init", "--bare", "--quiet", "--template="], options, &["--", "."]].concat();
        let outcome = self.at(&folder).run(&init)?;
        match outcome.success {
            true => Ok(folder),
            false => Err(anyhow::anyhow!(outcome.complaint()).context(help())),
        }
    }
}

/// A repository of our own on this disk.
pub struct Repository<'a> {
    git: &'a Git,
    folder: PathBuf,
    /// The folder that was named, for messages.
    shown: PathBuf,
    borrowed: Option<Borrowed>,
    /// When reading has taken too long.
    deadline: Instant,
}

/// What is read of someone else's repository.
struct Borrowed {
    /// The folder of its objects, as git wants it in a list.
    objects: OsString,
    /// Where its history ends, and the file that says so.
    shallow: Option<(PathBuf, Vec<String>)>,
}

impl Repository<'_> {
    fn command(&self) -> Command {
        let mut command = self.git.command(&self.folder, Task::Read);
        if let Some(borrowed) = &self.borrowed {
            command.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", &borrowed.objects);
            if let Some((shallow, _)) = &borrowed.shallow {
                command.env("GIT_SHALLOW_FILE", shallow);
            }
        }
        command
    }

    fn spawn(&self, command: &mut Command) -> Result<Process> {
        Process::spawn(command, Some(self.deadline))
    }

    fn run(&self, arguments: &[&str]) -> Result<Outcome> {
        self.spawn(self.command().args(arguments))?.outcome(None, Some(self.deadline))
    }

    /// What git prints, where failing is not expected.
    fn ask(&self, arguments: &[&str]) -> Result<Outcome> {
        let outcome = self.run(arguments)?;
        if !outcome.success {
            bail!(
                "git cannot read {}: {}\n  check that the repository is whole, for example with `git fsck`",
                self.shown.display(),
                outcome.complaint()
            );
        }
        Ok(outcome)
    }

    fn fetch(&self, from: &str, origin: &str, options: &[&str], refspecs: &[&str]) -> Result<Outcome> {
        let protocol = protocol(from).context("this is not an address")?;
        let mut command = self.git.command(&self.folder, Task::Fetch(protocol));
        command
            .args(["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--force", "--update-shallow"])
            .args(options)
            .arg("--");
        let process = Process::spawn(command.arg(from).args(refspecs), None)?;
        process
            .outcome(Some((&format!("fetching {origin}"), &self.folder)), None)
            .with_context(|| format!("{origin} cannot be fetched"))
    }

    /// The full hash of a commit that is here; none if it is not, or is no commit.
    fn commit(&self, name: &str) -> Result<Option<String>> {
        let outcome =
            self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")])?;
        let text = outcome.text();
        Ok(Some(text).filter(|text| outcome.success && is_whole_hash(text)))
    }

    /// The day of a commit.
    pub fn date(&self, commit: &str) -> Result<String> {
        Ok(self.ask(&["log", "-1", "--no-notes", "--format=%cs", commit, "--"])?.text())
    }

    /// The last commit that changed a file; none if the history at hand does not reach back to it.
    pub fn last_change(&self, commit: &str, path: &str) -> Result<Option<String>> {
        let last = self.ask(&["log", "-1", "--no-notes", "--format=%H", commit, "--", path])?.text();
        // Where a shallow history ends, every file seems to have been added.
        let shallow = self.borrowed.as_ref().and_then(|borrowed| borrowed.shallow.as_ref());
        let is_end = shallow.is_some_and(|(_, ends)| ends.contains(&last));
        Ok(Some(last).filter(|last| is_whole_hash(last) && !is_end))
    }
}

/// A folder as git takes it in a list of folders, whatever is in its name.
fn quoted(folder: &Path) -> Result<OsString> {
    let text = folder.to_str().with_context(|| format!("{}: the name is not UTF-8; rename it", folder.display()))?;
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    Ok(format!("\"{escaped}\"").into())
}

/// Where the cache keeps an address.
fn place(from: &str, cache: &Path) -> PathBuf {
    // The name is for people; the number makes it unique.
    let name: String = without_password(from)
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' })
        .take(80)
        .collect();
    cache.join(format!("{}-{:016x}", name.trim_matches('-'), fingerprint(from)))
}

/// What to say of a name that stands for nothing.
pub fn unknown(rev: &str, origin: &str) -> String {
    format!(
        "{origin} has no commit, branch or tag `{rev}`\n  check the spelling; a commit has to be reachable from a branch \
         or a tag of this repository, and is best named by its full hash"
    )
}

/// A number that tells texts apart (FNV-1a): the same in every run and on every machine.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
