//! Load: files in, JSON documents with known provenance out.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::facts::Facts;
use crate::fixups;

/// The `schema` folder: which revisions there are, the facts their schemas lost, and the fixups they need.
pub struct Sources {
    /// The revisions, oldest first.
    pub revisions: Vec<Source>,
    /// What `facts.toml` says.
    pub facts: Facts,
    /// What `fixups.toml` says.
    pub fixups: fixups::Lists,
    /// All that is known about the newest revision, once somebody has asked.
    newest: OnceLock<Facts>,
}

impl Sources {
    pub(crate) fn new(revisions: Vec<Source>, facts: Facts, fixups: fixups::Lists) -> Self {
        Self { revisions, facts, fixups, newest: OnceLock::new() }
    }

    /// All that is known about the newest revision: every schema of one's own is read with it, and it is found out once.
    pub(crate) fn newest_facts(&self, find_out: impl FnOnce() -> Result<Facts>) -> Result<&Facts> {
        match self.newest.get() {
            Some(facts) => Ok(facts),
            None => find_out().map(|facts| self.newest.get_or_init(|| facts)),
        }
    }
}

/// One entry of `sources.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The date that names the revision.
    pub name: String,
    /// `released` or `draft`.
    pub status: String,
    /// The upstream repository.
    pub repository: String,
    /// The file in that repository.
    pub path: String,
    /// The upstream commit, where it is known.
    pub commit: Option<String>,
    /// The date of that commit.
    pub date: Option<String>,
    /// What the file must hash to.
    pub sha256: String,
    /// The licence of the file.
    pub licence: String,
    /// The published package the bytes were taken from.
    pub package: Option<String>,
}

/// Where a schema comes from, as generated files state it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The file, relative to the project.
    pub file: String,
    /// The upstream repository, for an official revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The upstream commit, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Hash of the bytes.
    pub sha256: String,
}

/// A schema document.
#[derive(Debug, Clone)]
pub struct Schema {
    /// The file it was read from, for messages.
    pub file: PathBuf,
    /// The revision, or the name of a crate for a schema of one's own.
    pub name: String,
    /// Whether the name is that of an official revision.
    pub official: bool,
    /// Where it comes from.
    pub provenance: Provenance,
    /// The keyword the definitions stand under: `$defs` or `definitions`.
    pub keyword: &'static str,
    /// The whole document. The definitions are known to be an object.
    pub document: Value,
}

impl Schema {
    /// The definitions by name.
    pub fn definitions(&self) -> &Map<String, Value> {
        // `load` has checked that the definitions are an object; fixups only get at what is inside.
        static EMPTY: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
        self.document.get(self.keyword).and_then(Value::as_object).unwrap_or(&EMPTY)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourcesFile {
    revision: Vec<Source>,
}

/// Reads `sources.toml`, `facts.toml` and `fixups.toml` in a `schema` folder.
pub fn sources(folder: &Path) -> Result<Sources> {
    let path = folder.join("sources.toml");
    let revisions = parse_sources(&path, &text_of(&path)?)?;
    let lists = folder.join("fixups.toml");
    let fixups = toml(&lists)?;
    fixups::prove(&lists, &fixups)?;
    let file = folder.join("facts.toml");
    let facts: Facts = toml(&file)?;
    facts.prove_spans(&file, revisions.iter().map(|source| source.name.as_str()))?;
    Ok(Sources::new(revisions, facts, fixups))
}

/// The entries of `sources.toml`, oldest first.
pub(crate) fn parse_sources(path: &Path, text: &str) -> Result<Vec<Source>> {
    let SourcesFile { revision: mut revisions } = parse_toml(path, text)?;
    revisions.sort_by(|left, right| left.name.cmp(&right.name));
    for pair in revisions.windows(2) {
        if let [first, second] = pair
            && first.name == second.name
        {
            return Err(Error::schema(
                path,
                "",
                format!("revision {} is listed twice", first.name),
                "keep one of the entries",
            ));
        }
    }
    Ok(revisions)
}

/// Reads the schema of an official revision and checks that its bytes are the recorded ones.
pub fn official(folder: &Path, source: &Source) -> Result<Schema> {
    let relative = format!("schema/{}/schema.json", source.name);
    let file = folder.join(&source.name).join("schema.json");
    let bytes = read(&file)?;
    let sha256 = hash(&bytes);
    if sha256 != source.sha256 {
        return Err(Error::schema(
            &file,
            "",
            format!("the sha256 is {sha256}, sources.toml records {}", source.sha256),
            "restore the file, or record where the new bytes come from in sources.toml",
        ));
    }
    let provenance = Provenance {
        file: relative,
        repository: Some(source.repository.clone()),
        commit: source.commit.clone(),
        sha256,
    };
    parse(file, source.name.clone(), true, provenance, &bytes)
}

/// Reads a schema from anywhere.
pub fn file(file: &Path, name: &str) -> Result<Schema> {
    bytes(file, name, &read(file)?)
}

/// Takes a schema from memory; `file` is what messages call it.
pub fn bytes(file: &Path, name: &str, bytes: &[u8]) -> Result<Schema> {
    let provenance = Provenance {
        // Only the file's name: the same schema gives the same crate wherever it lies.
        file: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        sha256: hash(bytes),
        ..Provenance::default()
    };
    parse(file.to_owned(), name.to_owned(), false, provenance, bytes)
}

fn parse(file: PathBuf, name: String, official: bool, provenance: Provenance, bytes: &[u8]) -> Result<Schema> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Error::schema(&file, "", format!("not UTF-8 ({error})"), "save the schema as UTF-8 text"))?;
    // A byte order mark is legal in front of UTF-8, but not in front of JSON.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(Error::schema(
            &file,
            "",
            "the file is empty",
            "check that it was written or downloaded completely",
        ));
    }
    let Tight(document) = serde_json::from_str(text).map_err(|error| {
        Error::schema(
            &file,
            "",
            format!("not JSON ({error})"),
            "check that the file is complete, and nested less than 128 levels deep",
        )
    })?;
    let keyword =
        ["$defs", "definitions"].into_iter().find(|keyword| document.get(keyword).is_some_and(Value::is_object));
    let Some(keyword) = keyword else {
        return Err(Error::schema(
            &file,
            "",
            "no definitions",
            "an MCP schema is an object with its types under `$defs` (2020-12) or `definitions` (draft-07)",
        ));
    };
    if document.get("$defs").is_some() && document.get("definitions").is_some() {
        return Err(Error::schema(&file, "", "both `$defs` and `definitions`", "keep the types under one of the two"));
    }
    Ok(Schema { file, name, official, provenance, keyword, document })
}

/// A document without spare room. A schema has many small objects, and a map keeps room for members that never come:
/// that would be a third of what a large schema takes.
struct Tight(Value);

impl<'de> Deserialize<'de> for Tight {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(Tightly).map(Self)
    }
}

struct Tightly;

impl<'de> Visitor<'de> for Tightly {
    type Value = Value;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> std::result::Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(Tight(item)) = items.next_element()? {
            all.push(item);
        }
        all.shrink_to_fit();
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> std::result::Result<Value, A::Error> {
        let mut all: Vec<(String, Value)> = Vec::new();
        while let Some((name, Tight(value))) = members.next_entry()? {
            all.push((name, value));
        }
        let mut map = Map::with_capacity(all.len());
        map.extend(all);
        Ok(Value::Object(map))
    }
}

fn toml<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    parse_toml(path, &text_of(path)?)
}

fn text_of(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|error| Error::schema(path, "", format!("not UTF-8 ({error})"), "save it as UTF-8 text"))
}

/// Reads a data file from memory; `path` is what messages call it.
pub(crate) fn parse_toml<T: serde::de::DeserializeOwned>(path: &Path, text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| {
        Error::schema(
            path,
            "",
            error.to_string().trim_end().replace('\n', "\n  "),
            "schema/README.md describes the tables of this file",
        )
    })
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| Error::io(path, error, "check the path"))
}

pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
