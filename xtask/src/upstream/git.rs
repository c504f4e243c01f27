//! Git: a repository in, a commit and its files out. Everything is done by the program `git`, and nothing is checked out.

use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::{Entry, FILES, Kind};

/// What git may speak; in particular no helper that runs a command out of an address.
const PROTOCOLS: [&str; 5] = ["https", "http", "ssh", "git", "file"];
/// The most that is read of what git prints: the list of a tree with too many files.
const OUTPUT: u64 = 64 << 20;
/// How long a fetch is silent.
const PATIENCE: Duration = Duration::from_secs(1);

/// How git is called.
pub struct Git {
    program: String,
    settings: Vec<String>,
}

impl Default for Git {
    fn default() -> Self {
        let settings = [
            // Nothing that a repository or a user has set up is run or changes what is printed.
            "core.fsmonitor=false",
            "core.hooksPath=/dev/null",
            "log.showSignature=false",
            "log.follow=false",
            "color.ui=false",
            "gc.auto=0",
            "maintenance.auto=false",
            "fetch.recurseSubmodules=false",
            "fetch.prune=false",
            "credential.interactive=false",
            "protocol.ext.allow=never",
            // A server that has stopped talking is given up.
            "http.lowSpeedLimit=100",
            "http.lowSpeedTime=60",
        ];
        Self { program: "git".to_owned(), settings: settings.map(str::to_owned).to_vec() }
    }
}

/// What a folder is to git.
pub enum Place {
    Plain,
    WorkTree,
    Bare,
}

/// Only the folder itself counts: that it lies somewhere inside another project says nothing about its files.
pub fn kind(folder: &Path) -> Place {
    if folder.join(".git").exists() {
        return Place::WorkTree;
    }
    let bare = folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir();
    if bare { Place::Bare } else { Place::Plain }
}

/// Whether this is the address of a repository.
pub fn is_address(from: &str) -> bool {
    if let Some((scheme, _)) = from.split_once("://") {
        return PROTOCOLS.contains(&scheme);
    }
    // `helper::address` is git's way to name a program.
    !from.contains("::") && (from.strip_prefix("git@").is_some_and(|rest| rest.contains(':')) || from.ends_with(".git"))
}

/// An address as it may be shown and recorded.
pub fn without_password(from: &str) -> String {
    let Some((scheme, rest)) = from.split_once("://") else { return from.to_owned() };
    let (host, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
    let host = match host.rsplit_once('@') {
        // For ssh the user is part of the address; for the web it is a secret or half of one.
        Some((user, host)) if scheme == "ssh" => format!("{}@{host}", user.split(':').next().unwrap_or_default()),
        Some((_, host)) => host.to_owned(),
        None => host.to_owned(),
    };
    format!("{scheme}://{host}{path}")
}

/// That a commit, branch or tag is named by nothing but a name: no option, no range, no pair of names.
pub fn prove_rev(rev: &str) -> Result<()> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "._/-+#@=".contains(letter);
    let begins = rev.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
    if !begins || !rev.chars().all(plain) || rev.contains("..") || rev.contains("//") || rev.ends_with(['/', '.']) {
        bail!("`{}` is not the name of a commit\n  --rev takes a hash, a branch or a tag", rev.escape_debug());
    }
    Ok(())
}

fn is_hash(rev: &str, shortest: usize) -> bool {
    (shortest..=64).contains(&rev.len()) && rev.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What a run of git came to.
struct Outcome {
    success: bool,
    stdout: Vec<u8>,
    stderr: String,
}

impl Outcome {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).trim().to_owned()
    }

    /// Its complaint on one line, fit for a terminal.
    fn complaint(&self) -> String {
        let lines = self.stderr.lines().map(str::trim).filter(|line| !line.is_empty());
        let told: Vec<&str> = lines
            .filter(|line| ["fatal:", "error:", "ERROR:", "ssh:"].iter().any(|start| line.starts_with(start)))
            .collect();
        let text = if told.is_empty() { self.stderr.trim().to_owned() } else { told.join("; ") };
        text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(600).collect()
    }

    /// Whether the other side has been reached, and does not have what was asked for.
    fn is_unknown(&self) -> bool {
        ["couldn't find remote ref", "not our ref", "unadvertised object", "no such remote ref"]
            .iter()
            .any(|text| self.stderr.contains(text))
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

    /// The repository in a folder.
    pub fn at(&self, folder: &Path) -> Repository<'_> {
        Repository { git: self, folder: folder.to_owned() }
    }

    fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.program);
        for variable in [
            // When run by a hook, git is told which repository to use; it would not be the one that is meant.
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_OBJECT_DIRECTORY",
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_COMMON_DIR",
            "GIT_NAMESPACE",
            "GIT_PREFIX",
            "GIT_SHALLOW_FILE",
            "GIT_EXTERNAL_DIFF",
            "GIT_LITERAL_PATHSPECS",
        ] {
            command.env_remove(variable);
        }
        // No prompts: neither git's own, nor those of the programs it asks.
        command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_ASKPASS", "").env("SSH_ASKPASS_REQUIRE", "never");
        command.env("GCM_INTERACTIVE", "never");
        if std::env::var_os("GIT_SSH_COMMAND").is_none() && std::env::var_os("GIT_SSH").is_none() {
            command.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes -o ConnectTimeout=30");
        }
        // The messages that are looked into are the English ones. Nothing is written to a checkout.
        command.env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_ALLOW_PROTOCOL", PROTOCOLS.join(":"));
        command.arg("--no-pager").arg("--literal-pathspecs").arg("--no-replace-objects");
        for setting in &self.settings {
            command.args(["-c", setting]);
        }
        // Tests must not depend on the machine they are run on.
        #[cfg(test)]
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        command.arg("-C").arg(folder);
        // Said outright, because users may forbid git to find bare repositories by itself.
        if matches!(kind(folder), Place::Bare) {
            command.arg("--git-dir=.");
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn spawn(&self, command: &mut Command) -> Result<Child> {
        command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => anyhow::anyhow!(
                "the program `{}` is not installed\n  install git, or name a folder without `.git`, such as an unpacked \
                 archive of the repository",
                self.program
            ),
            _ => anyhow::Error::new(error).context(format!("the program `{}` cannot be run", self.program)),
        })
    }

    /// Runs git to its end; `progress` is what to say it is doing, should it take long.
    fn run(&self, command: &mut Command, progress: Option<&str>) -> Result<Outcome> {
        let mut child = self.spawn(command)?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        std::thread::scope(|scope| {
            let stdout = scope.spawn(move || drain(stdout));
            let stderr = scope.spawn(move || drain(stderr));
            let begin = Instant::now();
            let mut shown = 0;
            if let Some(progress) = progress.filter(|_| io::stderr().is_terminal()) {
                while child.try_wait().is_ok_and(|status| status.is_none()) {
                    let seconds = begin.elapsed().as_secs();
                    if begin.elapsed() >= PATIENCE && seconds > shown {
                        eprint!("\r{progress} ({seconds} s)");
                        shown = seconds;
                    }
                    std::thread::sleep(Duration::from_millis(20));
                }
            }
            if shown > 0 {
                eprintln!();
            }
            let status = child.wait().context("git cannot be waited for")?;
            let stdout = stdout.join().unwrap_or_default();
            let stderr = String::from_utf8_lossy(&stderr.join().unwrap_or_default()).into_owned();
            Ok(Outcome { success: status.success(), stdout, stderr })
        })
    }

    /// Brings a commit of an address into the cache, with as little besides as the server allows.
    pub fn fetch(&self, from: &str, origin: &str, rev: Option<&str>, cache: &Path) -> Result<(Repository<'_>, String)> {
        let folder = self.cached(from, cache)?;
        let repository = self.at(&folder);
        // A full hash means the same for ever: what has been fetched once is not fetched again.
        if let Some(hash) = rev.filter(|rev| is_hash(rev, 40))
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
        let mut command = self.command(&folder);
        if self.run(command.args(["fsck", "--full", "--no-dangling", "--no-progress"]), None)?.success {
            return Ok(false);
        }
        let help = || format!("{}: the cache is damaged; remove it", folder.display());
        std::fs::remove_dir_all(&folder).with_context(help)?;
        Ok(true)
    }

    /// The bare repository that stands for an address.
    fn cached(&self, from: &str, cache: &Path) -> Result<PathBuf> {
        let folder = place(from, cache);
        let help = || format!("{}: the cache cannot be written; check its permissions and the disk", folder.display());
        if folder.exists() {
            let mut command = self.command(&folder);
            let outcome = self.run(command.args(["rev-parse", "--is-bare-repository", "--absolute-git-dir"]), None)?;
            let text = outcome.text();
            let own = text.lines().nth(1).map(|line| Path::new(line).canonicalize().ok());
            if outcome.success && text.starts_with("true") && own.flatten() == folder.canonicalize().ok() {
                return Ok(folder);
            }
            // Half a repository, left by an interruption; there is nothing in it that cannot be fetched again.
            std::fs::remove_dir_all(&folder).with_context(help)?;
        }
        std::fs::create_dir_all(&folder).with_context(help)?;
        let mut command = self.command(&folder);
        let outcome = self.run(command.args(["init", "--bare", "--quiet", "--template=", "--", "."]), None)?;
        match outcome.success {
            true => Ok(folder),
            false => Err(anyhow::anyhow!(outcome.complaint()).context(help())),
        }
    }
}

/// A repository on this disk.
pub struct Repository<'a> {
    git: &'a Git,
    folder: PathBuf,
}

impl Repository<'_> {
    fn run(&self, arguments: &[&str]) -> Result<Outcome> {
        self.git.run(self.git.command(&self.folder).args(arguments), None)
    }

    /// What git prints, where failing is not expected.
    fn ask(&self, arguments: &[&str]) -> Result<Outcome> {
        let outcome = self.run(arguments)?;
        if !outcome.success {
            bail!(
                "git cannot read {}: {}\n  check that the repository is whole, for example with `git fsck`",
                self.folder.display(),
                outcome.complaint()
            );
        }
        Ok(outcome)
    }

    fn fetch(&self, from: &str, origin: &str, options: &[&str], refspecs: &[&str]) -> Result<Outcome> {
        let mut command = self.git.command(&self.folder);
        command
            .args(["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--force", "--update-shallow"])
            .args(options)
            .arg("--");
        self.git.run(command.arg(from).args(refspecs), Some(&format!("fetching {origin}")))
    }

    /// The full hash of a commit that is here; none if it is not, or is no commit.
    fn commit(&self, name: &str) -> Result<Option<String>> {
        let outcome =
            self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")])?;
        let text = outcome.text();
        Ok(Some(text).filter(|text| outcome.success && is_hash(text, 40)))
    }

    /// The full hash of a commit that must be here.
    pub fn resolve(&self, rev: &str, origin: &str) -> Result<String> {
        // A folder that only looks like a repository, or one that belongs to someone else, is no unknown commit.
        self.ask(&["rev-parse", "--git-dir"])?;
        match self.commit(rev)? {
            Some(commit) => Ok(commit),
            None if rev == "HEAD" => bail!("{origin} has no commits\n  commit the schemas, or name another repository"),
            None => bail!("{}", unknown(rev, origin)),
        }
    }

    /// The commit of the checkout; none before the first.
    pub fn head(&self) -> Result<Option<String>> {
        self.ask(&["rev-parse", "--git-dir"])?;
        self.commit("HEAD")
    }

    /// The day of a commit.
    pub fn date(&self, commit: &str) -> Result<String> {
        Ok(self.ask(&["log", "-1", "--no-notes", "--format=%cs", commit, "--"])?.text())
    }

    /// The last commit that changed a file; none if the history at hand does not reach back to it.
    pub fn last_change(&self, commit: &str, path: &str) -> Result<Option<String>> {
        let last = self.ask(&["log", "-1", "--no-notes", "--format=%H", commit, "--", path])?.text();
        // Where a shallow history ends, every file seems to have been added.
        let shallow = self.ask(&["rev-parse", "--git-path", "shallow"])?.text();
        let ends = std::fs::read_to_string(self.folder.join(shallow)).unwrap_or_default();
        Ok(Some(last).filter(|last| is_hash(last, 40) && !ends.lines().any(|end| end == last)))
    }

    /// Everything below `schema/` in a commit.
    pub fn list(&self, commit: &str) -> Result<Vec<Entry>> {
        let listed = self.ask(&["ls-tree", "-r", "-z", "-l", "--full-tree", commit, "--", "schema"])?;
        let mut entries = Vec::new();
        for line in listed.stdout.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
            // `<mode> <type> <hash> <size>\t<path>`, the size padded with spaces.
            let line = String::from_utf8_lossy(line);
            let (facts, path) = line.split_once('\t').context("git lists a tree in an unknown way\n  update git")?;
            let facts: Vec<&str> = facts.split_whitespace().collect();
            let [mode, _, blob, size] = facts.as_slice() else {
                bail!("git lists a tree in an unknown way\n  update git")
            };
            let kind = match *mode {
                "100644" | "100755" | "100664" => Kind::File,
                "120000" => Kind::Link,
                _ => Kind::Other,
            };
            let size = size.parse().unwrap_or_default();
            entries.push(Entry { path: path.to_owned(), kind, size, blob: (*blob).to_owned() });
        }
        if entries.len() > FILES || listed.stdout.len() as u64 >= OUTPUT {
            bail!(
                "{}: more than {FILES} files below schema/\n  name a repository that is laid out like the official one",
                self.folder.display()
            );
        }
        Ok(entries)
    }

    /// Reads the contents of files.
    pub fn blobs(&self) -> Result<Blobs> {
        let mut command = self.git.command(&self.folder);
        // Its complaints are not read, so they must not fill a pipe either.
        command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stderr(Stdio::null());
        let mut child = self.git.spawn(&mut command)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else { bail!("git has no pipes") };
        Ok(Blobs { child, input: Some(input), output: BufReader::new(output) })
    }
}

/// A git that answers one hash after the other with the bytes it stands for.
pub struct Blobs {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Blobs {
    pub fn read(&mut self, entry: &Entry) -> Result<Vec<u8>> {
        let path = entry.path.escape_debug().to_string();
        self.answer(entry).with_context(|| {
            format!("git cannot read {path}; check that the repository is whole, for example with `git fsck`")
        })
    }

    fn answer(&mut self, entry: &Entry) -> Result<Vec<u8>> {
        if !is_hash(&entry.blob, 40) {
            bail!("its hash is unknown");
        }
        let input = self.input.as_mut().context("the pipe is closed")?;
        input.write_all(format!("{}\n", entry.blob).as_bytes())?;
        input.flush()?;
        // `<hash> blob <size>\n<bytes>\n`
        let mut head = String::new();
        (&mut self.output).take(200).read_line(&mut head)?;
        if head.trim_end() != format!("{} blob {}", entry.blob, entry.size) {
            bail!("it answers `{}`", head.trim_end().escape_debug());
        }
        let mut bytes = Vec::new();
        (&mut self.output).take(entry.size + 1).read_to_end(&mut bytes)?;
        match bytes.pop() {
            Some(b'\n') if bytes.len() as u64 == entry.size => Ok(bytes),
            _ => bail!("it ends in the middle"),
        }
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        // Without a pipe to read from it ends by itself, unless it waits for someone to take what it has written.
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
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

fn unknown(rev: &str, origin: &str) -> String {
    format!(
        "{origin} has no commit, branch or tag `{rev}`\n  check the spelling; a commit has to be reachable from a branch \
         or a tag of this repository, and is best named by its full hash"
    )
}

/// Takes everything, so that the writer is never kept waiting, and keeps what is within bounds.
fn drain(pipe: Option<impl Read>) -> Vec<u8> {
    let mut kept = Vec::new();
    if let Some(mut pipe) = pipe {
        // What cannot be read to its end is judged by the exit code.
        let _ = (&mut pipe).take(OUTPUT).read_to_end(&mut kept);
        let _ = io::copy(&mut pipe, &mut io::sink());
    }
    kept
}

/// A number that tells texts apart (FNV-1a): the same in every run and on every machine.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
