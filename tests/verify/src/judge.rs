//! What the official schema says of a document, its errata fixed: whether it accepts one that cannot be read, and where
//! the order of members counts.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use mcp_wire::Revision;
use mcp_wire_codegen::fixups;
use mcp_wire_codegen::load::{self, Schema};
use serde_json::{Value, json};

use crate::{Misuse, Places};

/// The official schemas, each loaded when it is first needed.
pub struct Judges {
    folder: PathBuf,
    schemas: RefCell<HashMap<Revision, Rc<Official>>>,
    validator: RefCell<Box<Validator>>,
    /// Another reader than the generated types, to be judged in their place.
    reader: Option<Box<Reader>>,
}

/// Reads a text, and writes what it has read.
pub type Reader = dyn Fn(&str) -> String;

/// Answers questions about schemas.
pub type Validator = dyn FnMut(&Question<'_>) -> Result<bool, Misuse>;

/// Whether all these definitions of a schema accept a document.
pub struct Question<'q> {
    /// The revision.
    pub revision: &'q Revision,
    /// Its schema.
    pub schema: &'q Schema,
    /// The names of definitions.
    pub definitions: Vec<&'q str>,
    /// The document.
    pub document: &'q Value,
}

struct Official {
    schema: Schema,
    places: Rc<Places>,
}

impl Judges {
    /// From the project's `schema` folder. Questions are answered by another program, which is started when there is one.
    pub fn new(folder: PathBuf, program: Option<PathBuf>) -> Self {
        let mut validator = Program { path: program, running: None, known: HashSet::new() };
        Self::with_validator(folder, move |question| validator.ask(question))
    }

    /// Questions are answered by somebody else.
    pub fn with_validator(
        folder: PathBuf,
        validator: impl FnMut(&Question<'_>) -> Result<bool, Misuse> + 'static,
    ) -> Self {
        Self { folder, schemas: RefCell::default(), validator: RefCell::new(Box::new(validator)), reader: None }
    }

    /// Judges what this reader writes, instead of what the generated types write. It shows what is found.
    pub fn with_reader(self, reader: impl Fn(&str) -> String + 'static) -> Self {
        Self { reader: Some(Box::new(reader)), ..self }
    }

    /// What was made of a text.
    pub(crate) fn written(&self, before: &str, after: String) -> String {
        self.reader.as_ref().map_or(after, |reader| reader(before))
    }

    /// Whether a definition accepts a document.
    pub fn accepts(&self, revision: &Revision, definition: &str, document: &Value) -> Result<bool, Misuse> {
        let official = self.official(revision)?;
        let question = Question { revision, schema: &official.schema, definitions: vec![definition], document };
        self.validator.borrow_mut()(&question)
    }

    /// Whether the schema accepts a message: the definition of its method does, and that of messages as such.
    pub fn accepts_message(&self, revision: &Revision, message: &Value) -> Result<bool, Misuse> {
        let official = self.official(revision)?;
        let own = message["method"].as_str().and_then(|method| official.message(method));
        let definitions = own.into_iter().chain(["JSONRPCMessage"]).collect();
        self.validator.borrow_mut()(&Question { revision, schema: &official.schema, definitions, document: message })
    }

    /// Where the order of members counts.
    pub fn places(&self, revision: &Revision) -> Result<Rc<Places>, Misuse> {
        Ok(Rc::clone(&self.official(revision)?.places))
    }

    fn official(&self, revision: &Revision) -> Result<Rc<Official>, Misuse> {
        if let Some(known) = self.schemas.borrow().get(revision) {
            return Ok(Rc::clone(known));
        }
        let schema = load(&self.folder, revision);
        let schema = schema.map_err(|error| Misuse(format!("the schema of {revision}: {error}")))?;
        let official = Rc::new(Official { places: Rc::new(Places::new(&schema)), schema });
        self.schemas.borrow_mut().insert(revision.clone(), Rc::clone(&official));
        Ok(official)
    }
}

fn load(folder: &Path, revision: &Revision) -> Result<Schema, mcp_wire_codegen::Error> {
    let sources = load::sources(folder)?;
    let mut schema = match sources.revisions.iter().find(|source| source.name == revision.as_str()) {
        Some(source) => load::official(folder, source)?,
        None => load::file(&folder.join(revision.as_str()).join("schema.json"), revision.as_str())?,
    };
    fixups::fix_errata(&mut schema, &sources)?;
    Ok(schema)
}

impl Official {
    /// The definition that has a method as a constant.
    fn message(&self, method: &str) -> Option<&str> {
        let definitions = self.schema.document.get(self.schema.keyword)?.as_object()?;
        let has = |body: &Value| body["properties"]["method"]["const"] == method;
        definitions.iter().find(|(_, body)| has(body)).map(|(name, _)| name.as_str())
    }
}

/// The program of `mcp-wire-accepts`. It is not a part of this one, because it changes how serde_json reads numbers.
struct Program {
    path: Option<PathBuf>,
    running: Option<Running>,
    /// The revisions whose schema it has been told.
    known: HashSet<Revision>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn ask(&mut self, question: &Question<'_>) -> Result<bool, Misuse> {
        let Question { revision, schema, definitions, document } = question;
        let mut lines = String::new();
        if self.known.insert((*revision).clone()) {
            let line = json!({ "revision": revision.as_str(), "keyword": schema.keyword, "schema": schema.document });
            lines = format!("{line}\n");
        }
        let line = json!({ "revision": revision.as_str(), "definitions": definitions, "document": document });
        lines += &format!("{line}\n");
        let answer =
            self.exchange(&lines).map_err(|problem| Misuse(format!("the schema cannot be asked: {problem}")))?;
        match answer.trim_end() {
            "true" => Ok(true),
            "false" => Ok(false),
            other => Err(Misuse(format!("the schema of {revision} gives no answer: {other}"))),
        }
    }

    fn exchange(&mut self, lines: &str) -> Result<String, String> {
        let path = self.path.as_ref().ok_or("nobody has said which program knows it")?;
        let running = match &mut self.running {
            Some(running) => running,
            none => none.insert(Running::start(path).map_err(|error| format!("{}: {error}", path.display()))?),
        };
        let mut answer = String::new();
        let asked = running.input.write_all(lines.as_bytes()).and_then(|()| running.input.flush());
        asked.and_then(|()| running.output.read_line(&mut answer)).map_err(|error| error.to_string())?;
        Ok(answer)
    }
}

impl Running {
    fn start(path: &Path) -> std::io::Result<Self> {
        let mut child = Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let gone = || std::io::Error::other("it has no input or output");
        let input = child.stdin.take().ok_or_else(gone)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(gone)?);
        Ok(Self { child, input, output })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
