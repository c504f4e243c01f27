//! Checkout: a folder in, where its objects are and what its names stand for out.
//!
//! The few files that say so are read here, not by git, because git would read the configuration beside them as well, and
//! that can name programs. Nothing else of the repository is looked at: its objects are borrowed by a repository of our own.

use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::address::is_whole_hash;

/// The most that is read of a file with one name in it.
const NAME_BYTES: u64 = 4 << 10;
/// The most that is read of a list: more than a million names.
const LIST_BYTES: u64 = 64 << 20;
/// How often a name may stand for another one.
const DEEPEST: usize = 5;

/// A repository in a folder of someone else.
pub struct Checkout {
    /// The folder that was named.
    folder: PathBuf,
    /// What belongs to this checkout alone, such as `HEAD`.
    own: PathBuf,
    /// What it shares with others of the same repository.
    common: PathBuf,
}

/// What a folder is to git.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Plain,
    WorkTree,
    Bare,
}

/// Only the folder itself counts: that it lies somewhere inside another project says nothing about its files.
pub fn kind(folder: &Path) -> Place {
    if folder.join(".git").symlink_metadata().is_ok() {
        return Place::WorkTree;
    }
    let bare = folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir();
    if bare { Place::Bare } else { Place::Plain }
}

impl Checkout {
    /// The repository in a folder that has one.
    pub fn open(folder: &Path) -> Result<Self> {
        let whole = |own: PathBuf| Self { folder: folder.to_owned(), common: own.clone(), own };
        if kind(folder) == Place::Bare {
            return Ok(whole(folder.to_owned()));
        }
        let git = folder.join(".git");
        let metadata = git.symlink_metadata().with_context(|| unreadable(&git))?;
        if metadata.is_dir() {
            return Ok(whole(git));
        }
        if !metadata.is_file() {
            bail!(
                "{} is a symbolic link\n  links are not followed; name the repository that it points to",
                git.display()
            );
        }
        Self::linked(folder).with_context(|| {
            format!(
                "{} points to a repository elsewhere that does not know of this folder\n  name that repository, or copy \
                 the files to a folder without `.git`",
                git.display()
            )
        })
    }

    /// A work tree beside others of one repository. Both have to name each other, or it would be any repository at all.
    fn linked(folder: &Path) -> Result<Self> {
        let git = folder.join(".git");
        let own = line(folder, ".git", "gitdir: ")?.context("it names none")?;
        let own = folder.join(own).canonicalize().context("it is not there")?;
        let back = line(&own, "gitdir", "")?.context("it has no work trees")?;
        if own.join(back).canonicalize().ok() != git.canonicalize().ok() {
            bail!("its work tree is another one");
        }
        let common = line(&own, "commondir", "")?.context("it has no work trees")?;
        let common = own.join(common).canonicalize().context("it is not there")?;
        if own.parent() != Some(&common.join("worktrees")) {
            bail!("its parts are in different places");
        }
        Ok(Self { folder: folder.to_owned(), own, common })
    }

    /// The folder of its objects, if all of them are there.
    pub fn objects(&self) -> Result<PathBuf> {
        let objects = self.common.join("objects");
        if !objects.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            bail!(
                "{} is no folder, so that git cannot read {}\n  name a whole repository",
                objects.display(),
                self.folder.display()
            );
        }
        let elsewhere = read(&self.common, "objects/info/alternates", LIST_BYTES)?;
        if elsewhere.is_some_and(|text| !text.trim().is_empty()) {
            bail!(
                "{} takes objects from another repository (objects/info/alternates)\n  name that repository, or make this \
                 one whole with `git repack -a -d` and remove the file",
                self.folder.display()
            );
        }
        objects.canonicalize().with_context(|| unreadable(&objects))
    }

    /// The commits at which a shallow history ends, and the file that lists them.
    pub fn shallow(&self) -> Result<Option<(PathBuf, Vec<String>)>> {
        let text = read(&self.common, "shallow", LIST_BYTES)?;
        Ok(text.map(|text| (self.common.join("shallow"), text.lines().map(str::to_owned).collect())))
    }

    /// The hash that a name stands for, by git's rules of which name goes first; none if there is no such name.
    pub fn look_up(&self, rev: &str) -> Result<Option<String>> {
        if is_whole_hash(rev) {
            return Ok(Some(rev.to_ascii_lowercase()));
        }
        let among = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"].map(|place| format!("{place}{rev}"));
        for name in among.into_iter().chain([format!("refs/remotes/{rev}/HEAD")]) {
            if (name == "HEAD" || name.starts_with("refs/"))
                && let Some(hash) = self.reference(&name, DEEPEST)?
            {
                return Ok(Some(hash));
            }
        }
        // Whether names can be looked up at all is said there.
        self.reference("HEAD", DEEPEST).map(|_| None)
    }

    fn reference(&self, name: &str, deep: usize) -> Result<Option<String>> {
        let odd = |text: &str| {
            format!(
                "{}: `{}` is {}\n  check that the repository is whole, for example with `git fsck`",
                self.folder.display(),
                name.escape_debug(),
                text.trim_end().escape_debug()
            )
        };
        let place = if name == "HEAD" { &self.own } else { &self.common };
        let Some(text) = read(place, name, NAME_BYTES)? else { return self.packed(name) };
        let text = text.trim_end();
        if is_whole_hash(text) {
            return Ok(Some(text.to_owned()));
        }
        let Some(other) = text.strip_prefix("ref:").map(str::trim) else { bail!("{}", odd(text)) };
        if other == "refs/heads/.invalid" {
            bail!(
                "{} keeps its names in a format that only git reads (reftable)\n  name a commit by its full hash with \
                 --rev, or the repository by its address, like file:///folder",
                self.folder.display()
            );
        }
        if deep == 0 || !other.starts_with("refs/") || !super::super::is_safe(other) {
            bail!("{}", odd(text));
        }
        self.reference(other, deep - 1)
    }

    /// A name in the list of those that have no file of their own.
    fn packed(&self, name: &str) -> Result<Option<String>> {
        let Some(list) = read(&self.common, "packed-refs", LIST_BYTES)? else { return Ok(None) };
        let found = list.lines().filter_map(|line| line.split_once(' ')).find(|(_, other)| *other == name);
        Ok(found.map(|(hash, _)| hash.to_owned()).filter(|hash| is_whole_hash(hash)))
    }
}

/// The path in a file of one line that begins in a certain way.
fn line(place: &Path, name: &str, start: &str) -> Result<Option<PathBuf>> {
    let text = read(place, name, NAME_BYTES)?;
    Ok(text.and_then(|text| text.strip_prefix(start).map(|path| PathBuf::from(path.trim_end_matches(['\r', '\n'])))))
}

/// The text of a file below a folder; none if there is none. No link is followed, and nothing but a file is opened: a pipe
/// would never end.
fn read(place: &Path, name: &str, limit: u64) -> Result<Option<String>> {
    let mut path = place.to_owned();
    let parts: Vec<_> = Path::new(name).components().collect();
    for (number, part) in parts.iter().enumerate() {
        let Component::Normal(part) = part else { bail!("`{}` is not a safe path", name.escape_debug()) };
        path.push(part);
        let metadata = match path.symlink_metadata() {
            Ok(metadata) => metadata,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(error).with_context(|| unreadable(&path)),
        };
        if metadata.is_symlink() {
            bail!("{} is a symbolic link\n  links are not followed; put the file itself in its place", path.display());
        }
        let is_last = number + 1 == parts.len();
        if is_last && metadata.is_dir() || !is_last && !metadata.is_dir() {
            return Ok(None);
        }
        if is_last && (!metadata.is_file() || metadata.len() > limit) {
            bail!("{} is not a file of a repository\n  check what it is", path.display());
        }
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(&path).with_context(|| unreadable(&path))?;
    file.take(limit).read_to_end(&mut bytes).with_context(|| unreadable(&path))?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn unreadable(path: &Path) -> String {
    format!("{} cannot be read; check its permissions", path.display())
}
