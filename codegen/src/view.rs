//! View: the model in, structs for the templates out, every string in them final.

mod dispatch;
mod records;
mod schemas;
mod types;
mod unions;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::docs;
use crate::model::{Revision, Shape, Type};
use crate::names;

pub(crate) use dispatch::{DispatchView, HandlerView};

/// How the crate is to be built.
#[derive(Debug, Clone)]
pub struct Packaging {
    /// Name of the package.
    pub package: String,
    /// Where `mcp-wire-core` lies, for a crate outside the project's workspace.
    pub core: Option<Core>,
}

/// A dependency on `mcp-wire-core` from outside its workspace.
#[derive(Debug, Clone)]
pub struct Core {
    /// Its version.
    pub version: String,
    /// Its folder, if it is not taken from the registry.
    pub path: Option<String>,
}

/// Everything the templates of one crate place.
pub(crate) struct CrateView {
    pub(crate) header: String,
    pub(crate) package: String,
    pub(crate) library: String,
    pub(crate) revision: String,
    pub(crate) official: bool,
    pub(crate) description: String,
    pub(crate) origin: String,
    /// What a dependent of a published crate writes to get it.
    pub(crate) requirement: &'static str,
    pub(crate) core: Option<CoreView>,
    pub(crate) has_tool_result: bool,
    pub(crate) topics: Vec<TopicView>,
    /// Types that `mcp-wire-core` provides.
    pub(crate) provided: Vec<String>,
    pub(crate) error_codes: Vec<ErrorCodeView>,
    pub(crate) registry: Vec<(String, String)>,
    pub(crate) first_struct: Option<String>,
    pub(crate) json_schemas: Vec<JsonSchemaView>,
    pub(crate) dispatch: Option<DispatchView>,
}

pub(crate) struct CoreView {
    pub(crate) version: String,
    pub(crate) path: Option<String>,
}

pub(crate) struct ErrorCodeView {
    pub(crate) name: String,
    pub(crate) code: i64,
    pub(crate) doc: String,
}

/// The lines of a doc comment; nothing, where there are none.
#[derive(Debug, Default)]
pub(crate) struct Doc(pub(crate) Vec<String>);

impl fmt::Display for Doc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|line| writeln!(f, "/// {line}"))
    }
}

/// One file of types.
pub(crate) struct TopicView {
    pub(crate) name: String,
    pub(crate) title: String,
    /// The names that the file uses.
    pub(crate) imports: String,
    pub(crate) types: Vec<String>,
    pub(crate) items: Vec<Item>,
}

pub(crate) enum Item {
    Struct(StructView),
    Union(UnionView),
    StringEnum(EnumView),
    Alias(AliasView),
}

pub(crate) struct AliasView {
    pub(crate) doc: Doc,
    pub(crate) name: String,
    pub(crate) target: String,
}

pub(crate) struct StructView {
    pub(crate) doc: Doc,
    pub(crate) name: String,
    pub(crate) expected: String,
    pub(crate) derives: &'static str,
    /// Whether `Default` is what the constructor makes.
    pub(crate) new_is_default: bool,
    /// What the constructor takes.
    pub(crate) parameters: String,
    pub(crate) constants: Vec<ConstantView>,
    /// In the order in which they are written.
    pub(crate) fields: Vec<FieldView>,
    /// What the schema says of members that it does not name.
    pub(crate) others: String,
}

/// The JSON schema of a type.
pub(crate) struct JsonSchemaView {
    pub(crate) name: String,
    /// Its text, as a Rust literal.
    pub(crate) schema: String,
}

/// A member with a field.
pub(crate) struct FieldView {
    pub(crate) doc: Doc,
    pub(crate) name: String,
    pub(crate) ty: String,
    pub(crate) wire: String,
    /// What it means that it is absent.
    pub(crate) need: String,
    /// What the constructor takes for it, if it takes anything.
    pub(crate) parameter: Option<String>,
    /// What the schema asks of the value besides its type, as the row says it.
    pub(crate) limits: String,
    pub(crate) setter: SetterView,
}

/// The method that sets a field, as its row says it; nothing, where the constructor does.
#[derive(Default)]
pub(crate) struct SetterView(pub(crate) Option<(String, String)>);

impl fmt::Display for SetterView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(name, parameter)| write!(f, ", {name}({parameter})"))
    }
}

/// A member without a field: its value is fixed.
pub(crate) struct ConstantView {
    pub(crate) wire: String,
    pub(crate) value: String,
    /// What it means that it is absent.
    pub(crate) need: &'static str,
    /// Before which of the other members it is written.
    pub(crate) position: usize,
}

pub(crate) struct UnionView {
    pub(crate) doc: Doc,
    pub(crate) name: String,
    pub(crate) expected: String,
    pub(crate) variants: Vec<VariantView>,
    /// What tells the variants apart: the rules that are not empty, each with its value.
    pub(crate) rules: Vec<(&'static str, String)>,
}

pub(crate) struct VariantView {
    pub(crate) doc: String,
    pub(crate) name: String,
    pub(crate) held: String,
    /// The types that it is made from.
    pub(crate) conversions: Conversions,
    /// What the schema asks of the value besides its type, as the row says it.
    pub(crate) limits: String,
}

/// The types that a variant is made from, as its row says it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conversions(pub(crate) Vec<String>);

impl fmt::Display for Conversions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0[..] {
            [] => Ok(()),
            types => write!(f, " from({})", types.join(", ")),
        }
    }
}

pub(crate) struct EnumView {
    pub(crate) doc: Doc,
    pub(crate) name: String,
    pub(crate) expected: String,
    pub(crate) values: Vec<ValueView>,
    pub(crate) open: bool,
    pub(crate) ordered: bool,
    pub(crate) known: String,
}

pub(crate) struct ValueView {
    pub(crate) wire: String,
    pub(crate) shown: String,
    pub(crate) name: String,
}

/// Makes the view of a crate.
pub(crate) fn view(revision: &Revision, packaging: &Packaging) -> CrateView {
    let viewer = Viewer::new(revision);
    let topics = viewer.topics();
    let provenance = &revision.provenance;
    let file = file_name(&provenance.file);
    let commit = provenance.commit.as_ref().map(|commit| format!(", upstream commit {commit}")).unwrap_or_default();
    CrateView {
        header: format!("@generated by cargo xtask generate from {file}. Do not edit."),
        package: packaging.package.clone(),
        library: packaging.package.replace('-', "_"),
        revision: literal(&revision.name),
        official: revision.official,
        description: match revision.official {
            true => format!("Lossless Rust types of the Model Context Protocol, revision {}.", revision.name),
            false => format!("Lossless Rust types of an MCP schema, {file}."),
        },
        origin: format!("`{file}`{commit}, sha256 `{}`", provenance.sha256),
        requirement: crate::REQUIREMENT,
        core: packaging
            .core
            .as_ref()
            .map(|core| CoreView { version: core.version.clone(), path: core.path.as_deref().map(literal) }),
        has_tool_result: viewer.has_tool_result(),
        provided: revision.types.keys().filter(|name| viewer.is_provided(name)).cloned().collect(),
        error_codes: revision
            .error_codes
            .iter()
            .map(|code| ErrorCodeView { name: code.name.clone(), code: code.code, doc: code.doc.clone() })
            .collect(),
        registry: revision
            .types
            .iter()
            .filter_map(|(name, ty)| Some((literal(ty.definition.as_ref()?), name.clone())))
            .collect(),
        first_struct: revision
            .types
            .iter()
            .find(|(_, ty)| ty.definition.is_some() && matches!(ty.shape, Shape::Struct(_)))
            .map(|(name, _)| name.clone()),
        json_schemas: revision
            .types
            .iter()
            .filter(|(_, ty)| !ty.provided && !matches!(ty.shape, Shape::Alias(_)))
            .map(|(name, _)| viewer.json_schema(name))
            .collect(),
        dispatch: viewer.dispatch(),
        topics,
    }
}

struct Viewer<'a> {
    revision: &'a Revision,
    targets: docs::Targets,
}

/// Names that a file must import.
#[derive(Default)]
struct Uses {
    core: BTreeSet<&'static str>,
    named: BTreeSet<String>,
}

impl<'a> Viewer<'a> {
    fn new(revision: &'a Revision) -> Self {
        let mut targets: docs::Targets =
            revision.types.iter().filter_map(|(name, ty)| Some((ty.definition.clone()?, name.clone()))).collect();
        // Types inside definitions have no other name than Rust's.
        for (name, _) in revision.types.iter().filter(|(_, ty)| ty.definition.is_none()) {
            targets.entry(name.clone()).or_insert_with(|| name.clone());
        }
        Self { revision, targets }
    }

    fn topics(&self) -> Vec<TopicView> {
        let mut topics: BTreeMap<&str, Vec<(&String, &Type)>> = BTreeMap::new();
        for (name, ty) in &self.revision.types {
            if !self.is_provided(name) {
                topics.entry(&ty.topic).or_default().push((name, ty));
            }
        }
        topics.into_iter().map(|(topic, types)| self.topic(topic, &types)).collect()
    }

    fn topic(&self, topic: &str, types: &[(&String, &Type)]) -> TopicView {
        let mut uses = Uses::default();
        let items: Vec<Item> = types.iter().map(|(name, ty)| self.item(name, ty, &mut uses)).collect();
        let defined: BTreeSet<&str> = types.iter().map(|(name, _)| name.as_str()).collect();
        TopicView {
            name: topic.to_owned(),
            title: names::topic_title(topic),
            imports: imports(
                uses.core.into_iter(),
                uses.named.iter().map(String::as_str).filter(|name| !defined.contains(*name)),
                items.iter().any(|item| !matches!(item, Item::Alias(_))),
            ),
            types: defined.into_iter().map(str::to_owned).collect(),
            items,
        }
    }

    fn item(&self, name: &str, ty: &Type, uses: &mut Uses) -> Item {
        let doc = Doc(self.type_doc(name, ty));
        match &ty.shape {
            Shape::Struct(object) => Item::Struct(self.object(name, doc, object, uses)),
            Shape::Union(union) => Item::Union(self.union(name, doc, union, uses)),
            Shape::StringEnum(values) => Item::StringEnum(Self::string_enum(name, doc, values)),
            Shape::Alias(target) => {
                Item::Alias(AliasView { doc, name: name.to_owned(), target: self.rust(target, uses) })
            }
        }
    }

    fn is_provided(&self, name: &str) -> bool {
        self.revision.types.get(name).is_some_and(|ty| ty.provided)
    }
}

/// What a file of types imports.
fn imports<'n>(core: impl Iterator<Item = &'n str>, named: impl Iterator<Item = &'n str>, has_tables: bool) -> String {
    let all = |path: &str, names: Vec<&str>| match &names[..] {
        [] => String::new(),
        names => format!("use {path}::{{{}}};\n", names.join(", ")),
    };
    let tables = if has_tables { "use mcp_wire_core::__private as wire;\n" } else { "" };
    all("mcp_wire_core", core.collect()) + tables + &all("crate", named.collect())
}

/// A Rust string literal. Debug escapes quotes, backslashes and whatever cannot be seen.
fn literal(text: &str) -> String {
    format!("{text:?}")
}

/// The name of a file as comments, the manifest and the README can all hold it.
fn file_name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/' | ' ');
    // Two hyphens would end a comment of the README.
    let keep = |(before, c): (char, char)| if plain(c) || c == '-' && before != '-' { c } else { '_' };
    std::iter::once(' ').chain(name.chars()).zip(name.chars()).map(keep).take(200).collect()
}

/// A type name in words.
fn spaced(name: &str) -> String {
    let mut result = String::new();
    let mut before = ' ';
    for c in name.chars() {
        if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
            result.push(' ');
            result.push(c.to_ascii_lowercase());
        } else {
            result.push(c);
        }
        before = c;
    }
    result
}
