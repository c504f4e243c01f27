//! Layout: folders of a disk or of a commit in, what is below `schema/` out.
//!
//! Only what may be asked for is looked into, and only so much of it: a commit of a few hundred kilobytes can have more
//! paths than there is time to list, because a folder may stand in many places at once.

use anyhow::{Result, bail};

use super::{DRAFT, Entry, FILES, Kind, is_date};

/// How deep examples may be nested.
const DEEPEST: usize = 16;

/// Something in a folder.
pub struct Node<P> {
    pub name: String,
    pub kind: Kind,
    /// Where its store finds it.
    pub place: P,
}

/// Where folders are looked up.
pub trait Store {
    type Place;

    /// What is called `schema` in the top folder; a link is shown as one.
    fn schema(&mut self) -> Result<Option<Node<Self::Place>>>;

    /// What is in a folder; at most this many, or an error.
    fn children(&mut self, folder: &Node<Self::Place>, most: usize) -> Result<Vec<Node<Self::Place>>>;

    /// What there is to know about something before it is read.
    fn entry(&mut self, path: String, node: &Node<Self::Place>) -> Result<Entry>;
}

/// The schemas and examples of all revisions. Links are listed, and not followed.
pub fn list<S: Store>(store: &mut S) -> Result<Vec<Entry>> {
    let Some(schema) = store.schema()? else { return Ok(Vec::new()) };
    let mut walk = Walk { store, entries: Vec::new(), left: FILES };
    if schema.kind != Kind::Folder {
        walk.push("schema".to_owned(), &schema)?;
        return Ok(walk.entries);
    }
    let revisions = walk.children(&schema)?;
    if revisions.is_empty() {
        // An empty folder is there all the same.
        walk.push("schema/.".to_owned(), &schema)?;
    }
    for node in &revisions {
        let path = format!("schema/{}", node.name);
        if node.kind != Kind::Folder || !is_date(&node.name) && node.name != DRAFT {
            walk.push(path, node)?;
            continue;
        }
        for below in walk.children(node)? {
            let path = format!("{path}/{}", below.name);
            match below.name.as_str() {
                "examples" => walk.below(path, &below, DEEPEST)?,
                _ => walk.push(path, &below)?,
            }
        }
    }
    Ok(walk.entries)
}

struct Walk<'a, S> {
    store: &'a mut S,
    entries: Vec<Entry>,
    /// How many more files and folders are looked at.
    left: usize,
}

impl<S: Store> Walk<'_, S> {
    fn push(&mut self, path: String, node: &Node<S::Place>) -> Result<()> {
        let entry = self.store.entry(path, node)?;
        self.entries.push(entry);
        Ok(())
    }

    fn children(&mut self, folder: &Node<S::Place>) -> Result<Vec<Node<S::Place>>> {
        let children = self.store.children(folder, self.left)?;
        match self.left.checked_sub(children.len()) {
            Some(left) => self.left = left,
            None => bail!("{}", too_many()),
        }
        Ok(children)
    }

    fn below(&mut self, path: String, node: &Node<S::Place>, deep: usize) -> Result<()> {
        if node.kind != Kind::Folder {
            return self.push(path, node);
        }
        if deep == 0 {
            bail!("{}", too_many());
        }
        for child in self.children(node)? {
            self.below(format!("{path}/{}", child.name), &child, deep - 1)?;
        }
        Ok(())
    }
}

/// What to say of a tree without end.
pub fn too_many() -> String {
    format!(
        "too many files below schema/, or too many folders in folders: at most {FILES} are looked at, {DEEPEST} deep\n  name \
         a repository that is laid out like the official one"
    )
}
