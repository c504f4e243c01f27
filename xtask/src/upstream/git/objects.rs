//! Objects: hashes in, the folders and files that they stand for out.
//!
//! Two gits answer one hash after the other: one says what it is and how large, the other has its bytes. So nothing is
//! read whose size has not been looked at before.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Stdio};

use anyhow::{Context, Result, bail};

use super::address::is_whole_hash;
use super::process::Process;
use super::{Entry, Kind, Repository};
use crate::upstream::layout::{self, Node, Store};

/// The largest commit.
const COMMIT_BYTES: u64 = 1 << 20;
/// The most that is read of folders, all of them together.
const FOLDER_BYTES: u64 = 64 << 20;

/// The objects of a repository, as those of one commit.
pub struct Objects {
    facts: Answers,
    bytes: Answers,
    commit: String,
    /// How much of folders may still be read.
    left: u64,
}

impl Objects {
    pub fn new(repository: &Repository<'_>, commit: &str) -> Result<Self> {
        Ok(Self {
            facts: Answers::new(repository, "--batch-check")?,
            bytes: Answers::new(repository, "--batch")?,
            commit: commit.to_owned(),
            left: FOLDER_BYTES,
        })
    }

    /// What is below `schema/`.
    pub fn list(&mut self) -> Result<Vec<Entry>> {
        layout::list(self)
    }

    pub fn read(&mut self, entry: &Entry) -> Result<Vec<u8>> {
        self.bytes.read(&entry.blob, "blob", entry.size).with_context(|| damaged(&entry.path))
    }

    /// The bytes of an object that is not a file; they count.
    fn inner(&mut self, hash: &str, kind: &str, most: u64) -> Result<Vec<u8>> {
        let size = self.facts.size(hash, kind)?;
        if size > most.min(self.left) {
            bail!("{}", layout::too_many());
        }
        self.left -= size;
        self.bytes.read(hash, kind, size)
    }

    fn tree(&mut self, hash: &str, most: usize) -> Result<Vec<Node<String>>> {
        let bytes = self.inner(hash, "tree", FOLDER_BYTES)?;
        let mut nodes = Vec::new();
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let (node, after) = item(rest, hash.len() / 2).context("a folder is damaged")?;
            nodes.push(node);
            rest = after;
            if nodes.len() > most {
                bail!("{}", layout::too_many());
            }
        }
        Ok(nodes)
    }
}

/// The first of a folder's items, `<mode> <name>\0<hash>`, and what follows.
fn item(bytes: &[u8], hash: usize) -> Option<(Node<String>, &[u8])> {
    let space = bytes.iter().position(|byte| *byte == b' ')?;
    let zero = bytes.iter().position(|byte| *byte == 0)?;
    let (mode, name) = (bytes.get(..space)?, bytes.get(space + 1..zero)?);
    let (place, rest) = bytes.get(zero + 1..)?.split_at_checked(hash)?;
    let kind = match mode {
        b"40000" => Kind::Folder,
        b"100644" | b"100755" | b"100664" => Kind::File,
        b"120000" => Kind::Link,
        _ => Kind::Other,
    };
    let name = String::from_utf8_lossy(name).into_owned();
    // What has one of these would be something else in a path.
    let plain = !name.is_empty() && !name.contains('/');
    let place = place.iter().map(|byte| format!("{byte:02x}")).collect();
    plain.then_some((Node { name, kind, place }, rest))
}

impl Store for Objects {
    type Place = String;

    fn schema(&mut self) -> Result<Option<Node<String>>> {
        let commit = self.commit.clone();
        let text = self.inner(&commit, "commit", COMMIT_BYTES).with_context(|| damaged(&commit))?;
        let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let tree = String::from_utf8_lossy(line).strip_prefix("tree ").map(str::to_owned);
        let tree = tree.filter(|tree| is_whole_hash(tree)).with_context(|| damaged(&commit))?;
        let top = self.tree(&tree, usize::MAX).with_context(|| damaged("the top folder"))?;
        Ok(top.into_iter().find(|node| node.name == "schema"))
    }

    fn children(&mut self, folder: &Node<String>, most: usize) -> Result<Vec<Node<String>>> {
        self.tree(&folder.place, most).with_context(|| damaged(&folder.name))
    }

    fn entry(&mut self, path: String, node: &Node<String>) -> Result<Entry> {
        let size = match node.kind {
            Kind::File => self.facts.size(&node.place, "blob").with_context(|| damaged(&path))?,
            _ => 0,
        };
        Ok(Entry { path, kind: node.kind, size, blob: node.place.clone() })
    }
}

fn damaged(what: &str) -> String {
    format!("git cannot read {}; check that the repository is whole, for example with `git fsck`", what.escape_debug())
}

/// A git that answers.
struct Answers {
    _process: Process,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Answers {
    fn new(repository: &Repository<'_>, how: &str) -> Result<Self> {
        let mut command = repository.command();
        // Its complaints are not read, so they must not fill a pipe either.
        command.args(["cat-file", how]).stdin(Stdio::piped()).stderr(Stdio::null());
        let mut process = repository.spawn(&mut command)?;
        let (input, output) = process.pipes().context("git has no pipes")?;
        Ok(Self { _process: process, input, output: BufReader::new(output) })
    }

    /// Asks for an object, and takes the line that says what it is: `<hash> <kind> <size>`.
    fn ask(&mut self, hash: &str) -> Result<String> {
        if !is_whole_hash(hash) {
            bail!("its hash is unknown");
        }
        self.input.write_all(format!("{hash}\n").as_bytes())?;
        self.input.flush()?;
        let mut line = String::new();
        (&mut self.output).take(200).read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }

    fn size(&mut self, hash: &str, kind: &str) -> Result<u64> {
        let line = self.ask(hash)?;
        let size = line.strip_prefix(&format!("{hash} {kind} ")).and_then(|size| size.parse().ok());
        size.with_context(|| answered(&line))
    }

    fn read(&mut self, hash: &str, kind: &str, size: u64) -> Result<Vec<u8>> {
        let line = self.ask(hash)?;
        if line != format!("{hash} {kind} {size}") {
            bail!("{}", answered(&line));
        }
        let mut bytes = Vec::new();
        (&mut self.output).take(size + 1).read_to_end(&mut bytes)?;
        match bytes.pop() {
            Some(b'\n') if bytes.len() as u64 == size => Ok(bytes),
            _ => bail!("it ends in the middle"),
        }
    }
}

/// Says what a git that should have described an object said instead.
fn answered(line: &str) -> String {
    match line {
        "" => "it does not answer in time".to_owned(),
        line if line.ends_with(" missing") => "it is not there, and nothing is fetched for someone else".to_owned(),
        line => format!("it answers `{}`", line.escape_debug()),
    }
}
