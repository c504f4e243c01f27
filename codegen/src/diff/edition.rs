//! An edition of the protocol: a revision of the project, or a schema file from anywhere, ready to be compared.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::Value;

use super::align;
use super::report::Side;
use crate::error::Result;
use crate::load::{self, Schema, Sources};
use crate::model::{Additional, Bounds, Format, Member, Method, Revision, Shape, StringEnum, Type, TypeRef, Union};
use crate::{fixups, lower, model_as_named, model_lowered};

/// One side of a comparison.
pub struct Edition {
    /// What it is called in reports.
    pub name: String,
    /// The file, as reports name it.
    pub file: String,
    /// The model, at least as far as it is about what travels.
    pub model: Revision,
    /// The schema as it was read, for pointers.
    document: Value,
    /// The keyword of its definitions.
    pub(super) keyword: &'static str,
    /// The revision whose facts were used.
    read_as: Option<String>,
}

impl Edition {
    /// A revision of the project, with the known errors of its schema corrected.
    pub fn revision(folder: &Path, sources: &Sources, name: &str) -> Result<Option<Self>> {
        let Some(source) = sources.revisions.iter().find(|source| source.name == name) else { return Ok(None) };
        let schema = load::official(folder, source)?;
        let model = model_lowered(folder, sources, schema.clone(), lower::wire)?;
        Ok(Some(Self::new(schema, model)))
    }

    /// A revision whose model has been made already, with the schema that it was made from.
    pub fn new(schema: Schema, model: Revision) -> Self {
        let Schema { document, keyword, name, .. } = schema;
        Self { name, file: model.provenance.file.clone(), model, document, keyword, read_as: None }
    }

    /// A schema as it is written, with none of its errors corrected, so that corrections of the file itself are seen.
    ///
    /// What the schema lacks is taken from the facts about the revision it resembles most.
    pub fn as_written(folder: &Path, sources: &Sources, mut schema: Schema, name: &str) -> Result<Self> {
        let resembled = resembled(folder, sources, &schema)?;
        let like = resembled.as_ref().map(|official| official.name.clone()).unwrap_or_default();
        let mut facts = sources.facts.about(&like);
        if let Some(official) = &resembled {
            facts = facts.completed(official);
        }
        let file = schema.file.to_string_lossy().replace('\\', "/");
        let mut model = model_as_named(sources, &mut schema, (&like, facts.clone()), lower::wire)?;
        // Facts go by names. Where one is gone, its definition may have another, and the fact is about that.
        let lost = |name: &str| !schema.definitions().contains_key(name);
        if facts.definitions().any(lost)
            && let Some(mut official) = resembled
        {
            let known = model_as_named(sources, &mut official, (&like, facts.clone()), lower::wire)?;
            let renamed = align::renames(&Index::new(&known), &Index::new(&model));
            if !renamed.is_empty() {
                model = model_as_named(sources, &mut schema, (&like, facts.renamed(&renamed)), lower::wire)?;
            }
        }
        Ok(Self { name: name.to_owned(), file, read_as: Some(like), ..Self::new(schema, model) })
    }

    /// The whole document.
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// The alternatives that the schema as it was read lists in a union; a correction may have added others since.
    /// Nothing, if the union is not written as one.
    pub(super) fn listed(&self, union: &str) -> Option<HashSet<&str>> {
        let union = self.document.get(self.keyword)?.get(union)?;
        let references = union.get("anyOf")?.as_array()?.iter().filter_map(|one| one.get("$ref")?.as_str());
        Some(references.filter_map(|reference| reference.rsplit('/').next()).collect())
    }

    /// The definitions that some lead to, and these themselves.
    pub(super) fn reached<'a>(&'a self, roots: impl Iterator<Item = &'a str>) -> HashSet<String> {
        let mut reached = HashSet::new();
        let mut open: Vec<String> = roots.map(str::to_owned).collect();
        while let Some(name) = open.pop() {
            let Some(schema) = self.document.get(self.keyword).and_then(|all| all.get(&name)) else { continue };
            if reached.insert(name) {
                references(schema, self.keyword, &mut open);
            }
        }
        reached
    }

    pub(super) fn side(&self) -> Side {
        let known = |name: &str| fixups::FIXUPS.iter().any(|fixup| fixup.erratum && fixup.name == name);
        Side {
            name: self.name.clone(),
            file: self.file.clone(),
            sha256: self.model.provenance.sha256.clone(),
            definitions: self.model.definitions,
            methods: self.model.methods.len(),
            read_as: self.read_as.clone(),
            corrections: self.model.fixups.iter().map(|fixup| fixup.name.clone()).filter(|name| known(name)).collect(),
        }
    }

    /// The pointer of a place that the walk has reached by members, items and values; where the schema spells the
    /// place with `allOf` or a reference, the pointer goes through it.
    pub(super) fn pointer(&self, definition: &str, steps: &[Step]) -> String {
        let mut pointer = crate::error::step(&format!("/{}", self.keyword), definition);
        let mut place = self.document.get(self.keyword).and_then(|all| all.get(definition));
        for step in steps {
            let Some((found, path)) = place.and_then(|schema| self.follow(schema, step, &pointer, 0)) else { break };
            (place, pointer) = (Some(found), path);
        }
        pointer
    }

    fn follow<'a>(
        &'a self,
        schema: &'a Value,
        step: &Step,
        pointer: &str,
        depth: usize,
    ) -> Option<(&'a Value, String)> {
        // Schemas that were lowered have no endless references, but a limit costs nothing.
        if depth > 64 {
            return None;
        }
        let direct = match step {
            Step::Member(name) => schema
                .get("properties")
                .and_then(|all| all.get(name))
                .map(|found| (found, crate::error::step(&format!("{pointer}/properties"), name))),
            Step::Items => schema.get("items").map(|found| (found, format!("{pointer}/items"))),
            Step::Values => {
                schema.get("additionalProperties").map(|found| (found, format!("{pointer}/additionalProperties")))
            }
        };
        if direct.is_some() {
            return direct;
        }
        let reference = schema.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
        if let Some(target) = reference
            && let Some(found) = self.document.pointer(target)
            && let Some(place) = self.follow(found, step, target, depth + 1)
        {
            return Some(place);
        }
        ["allOf", "anyOf"].iter().find_map(|keyword| {
            let branches = schema.get(*keyword)?.as_array()?;
            branches.iter().enumerate().find_map(|(index, branch)| {
                self.follow(branch, step, &format!("{pointer}/{keyword}/{index}"), depth + 1)
            })
        })
    }
}

/// The definitions that a schema refers to.
fn references(schema: &Value, keyword: &str, found: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if name == "$ref" => found.extend(referred(text, keyword)),
                    value => references(value, keyword, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, keyword, found)),
        _ => {}
    }
}

/// The definition that a reference names.
pub(super) fn referred(text: &str, keyword: &str) -> Option<String> {
    let name = text.strip_prefix("#/")?.strip_prefix(keyword)?.strip_prefix('/')?;
    Some(name.replace("~1", "/").replace("~0", "~"))
}

/// A step from a value to a value inside it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// A member of an object.
    Member(String),
    /// The items of a list.
    Items,
    /// The values of an object that is used as a map.
    Values,
}

/// The revision with the most definitions that the schema has word for word; the newest of several.
fn resembled(folder: &Path, sources: &Sources, schema: &Schema) -> Result<Option<Schema>> {
    let mut best = (0, None);
    for source in &sources.revisions {
        let known = load::official(folder, source)?;
        let definitions = schema.definitions();
        let same = known.definitions().iter().filter(|(name, value)| definitions.get(*name) == Some(value)).count();
        if same >= best.0 {
            best = (same, Some(known));
        }
    }
    Ok(best.1)
}

/// A model with what a comparison looks up in it.
pub(super) struct Index<'a> {
    pub(super) model: &'a Revision,
    /// The types in the order of their names: what is kept about each of them goes by their numbers.
    types: Vec<(&'a str, &'a Type)>,
    numbers: HashMap<&'a str, usize>,
    /// The definitions, sorted by name.
    sorted: Vec<Definition<'a>>,
    /// The types of the definitions that have another name than their type.
    odd: HashMap<&'a str, usize>,
    methods: HashMap<&'a str, &'a Method>,
    messages: HashMap<&'a str, &'a Method>,
    params: HashMap<&'a str, &'a Method>,
    results: HashSet<&'a str>,
}

/// A definition and its type.
#[derive(Clone, Copy)]
pub(super) struct Definition<'a> {
    pub(super) name: &'a str,
    pub(super) type_name: &'a str,
    pub(super) ty: &'a Type,
    /// The number of the type.
    pub(super) number: usize,
}

/// What a use of a type comes down to.
#[derive(Clone)]
pub(super) struct Resolved<'a> {
    /// The outermost definition on the way.
    pub(super) definition: Option<&'a str>,
    /// Whether the use adds `null` to the definition.
    pub(super) or_null: bool,
    /// Whether the value may be `null` for any reason.
    pub(super) nullable: bool,
    pub(super) node: Node<'a>,
    written: Written<'a>,
    /// How it is written, once somebody has asked: most of what is compared is the same and never shown.
    text: OnceCell<String>,
}

/// What a resolved type was before.
#[derive(Clone, Copy)]
enum Written<'a> {
    Use(&'a TypeRef),
    Definition(&'a str, &'a Type),
}

impl<'a> Resolved<'a> {
    /// How it is written in its edition.
    pub(super) fn text(&self, index: &Index<'a>) -> &str {
        self.text.get_or_init(|| match self.written {
            Written::Use(ty) => index.text(ty).into_owned(),
            Written::Definition(name, ty) => index.whole(name, ty),
        })
    }
}

/// A value's shape. What Rust tells apart and JSON does not (maps and objects, boxes) is the same here.
#[derive(Clone, Copy)]
pub(super) enum Node<'a> {
    Any,
    Text { format: Option<Format>, length: Bounds },
    Boolean,
    Integer(Bounds),
    Number(Bounds),
    Object { members: &'a [Member], others: Others<'a> },
    List { items: &'a TypeRef, length: Bounds },
    Enum(&'a StringEnum),
    Union(&'a Union),
}

/// Members that are not declared.
#[derive(Clone, Copy)]
pub(super) enum Others<'a> {
    Open,
    Closed,
    Typed(&'a TypeRef),
}

impl<'a> Index<'a> {
    pub(super) fn new(model: &'a Revision) -> Self {
        let types: Vec<(&str, &Type)> = model.types.iter().map(|(name, ty)| (name.as_str(), ty)).collect();
        let numbered = || types.iter().enumerate();
        let defined = |(number, (type_name, ty)): (usize, &(&'a str, &'a Type))| {
            Some(Definition { name: ty.definition.as_deref()?, type_name, ty, number })
        };
        let mut sorted: Vec<Definition<'a>> = numbered().filter_map(defined).collect();
        sorted.sort_by_key(|definition| definition.name);
        let odd = sorted.iter().filter(|definition| definition.name != definition.type_name);
        let methods = || model.methods.iter();
        Self {
            model,
            numbers: numbered().map(|(number, (name, _))| (*name, number)).collect(),
            odd: odd.map(|definition| (definition.name, definition.number)).collect(),
            sorted,
            types,
            methods: methods().map(|method| (method.method.as_str(), method)).collect(),
            messages: methods().map(|method| (method.message.as_str(), method)).collect(),
            params: methods().filter_map(|method| Some((named(method.params.as_ref()?)?, method))).collect(),
            results: methods()
                .flat_map(|method| method.result.iter().chain(&method.also))
                .map(String::as_str)
                .collect(),
        }
    }

    /// A method by its name on the wire.
    pub(super) fn method(&self, name: &str) -> Option<&'a Method> {
        self.methods.get(name).copied()
    }

    /// The method of a message, by the definition of the message.
    pub(super) fn method_of(&self, definition: &str) -> Option<&'a Method> {
        self.messages.get(self.type_name(definition)?).copied()
    }

    /// A method with these params, by their definition.
    pub(super) fn method_with(&self, definition: &str) -> Option<&'a Method> {
        self.params.get(self.type_name(definition)?).copied()
    }

    /// The members of a definition that is an object.
    pub(super) fn members(&self, definition: &str) -> &'a [Member] {
        self.definition(definition).map_or(&[], |ty| self.members_of(ty))
    }

    /// The members of a type that is an object.
    pub(super) fn members_of(&self, ty: &'a Type) -> &'a [Member] {
        match self.node(&ty.shape) {
            Node::Object { members, .. } => members,
            _ => &[],
        }
    }

    /// Whether a type answers some method.
    pub(super) fn is_result(&self, type_name: &str) -> bool {
        self.results.contains(type_name)
    }

    /// The capability that a definition, or a member of it, needs besides that of the method around it.
    pub(super) fn gate(&self, definition: &str, member: Option<&str>) -> Option<&'a String> {
        let gates = &self.model.gates;
        match member {
            _ if gates.is_empty() => None,
            None => gates.get(definition),
            Some(member) => gates.get(&format!("{definition}.{member}")),
        }
    }

    /// The capability that a type needs by itself, by its number.
    pub(super) fn gate_of(&self, number: usize) -> Option<&'a String> {
        let (_, ty) = self.types.get(number)?;
        self.gate(ty.definition.as_deref()?, None)
    }

    /// The definitions, sorted by name.
    pub(super) fn definitions(&self) -> impl Iterator<Item = Definition<'a>> {
        self.sorted.iter().copied()
    }

    /// The types in the order of their numbers.
    pub(super) fn types(&self) -> impl ExactSizeIterator<Item = (&'a str, &'a Type)> {
        self.types.iter().copied()
    }

    /// The number of a type.
    pub(super) fn number(&self, type_name: &str) -> Option<usize> {
        self.numbers.get(type_name).copied()
    }

    /// A type by its name.
    pub(super) fn ty(&self, name: &str) -> Option<&'a Type> {
        self.types.get(self.number(name)?).map(|(_, ty)| *ty)
    }

    /// A definition by its name.
    pub(super) fn find(&self, name: &str) -> Option<Definition<'a>> {
        let number = self.odd.get(name).copied().or_else(|| self.number(name))?;
        let (type_name, ty) = self.types.get(number).copied()?;
        let name = ty.definition.as_deref().filter(|definition| *definition == name)?;
        Some(Definition { name, type_name, ty, number })
    }

    /// The type of a definition.
    pub(super) fn definition(&self, name: &str) -> Option<&'a Type> {
        self.find(name).map(|definition| definition.ty)
    }

    /// The name of a definition's type.
    pub(super) fn type_name(&self, definition: &str) -> Option<&'a str> {
        self.find(definition).map(|definition| definition.type_name)
    }

    /// The definition that a type stands for, if it is one.
    pub(super) fn definition_of(&self, type_name: &str) -> Option<&'a str> {
        self.ty(type_name)?.definition.as_deref()
    }

    /// The definition that a use of a type names.
    pub(super) fn used(&self, ty: &TypeRef) -> Option<&'a str> {
        self.definition_of(named(ty)?)
    }

    /// The definition that another one is only a name for.
    pub(super) fn alias(&self, definition: &str) -> Option<&'a str> {
        match &self.definition(definition)?.shape {
            Shape::Alias(target) => self.used(target),
            _ => None,
        }
    }

    /// What a definition comes down to.
    pub(super) fn resolve_type(&self, name: &'a str, ty: &'a Type) -> Resolved<'a> {
        let written = Written::Definition(name, ty);
        match &ty.shape {
            Shape::Alias(target) => Resolved { written, ..self.resolve(target) },
            shape => {
                let (node, text) = (self.node(shape), OnceCell::new());
                Resolved { definition: None, or_null: false, nullable: false, node, written, text }
            }
        }
    }

    pub(super) fn resolve(&self, ty: &'a TypeRef) -> Resolved<'a> {
        let (written, text) = (Written::Use(ty), OnceCell::new());
        let (mut ty, mut definition, mut or_null, mut nullable) = (ty, None, false, false);
        // Lowering has refused chains that are longer than this.
        for _ in 0..1000 {
            let node = match ty {
                TypeRef::Boxed(inner) => {
                    ty = inner;
                    continue;
                }
                TypeRef::Nullable(inner) => {
                    (ty, nullable) = (inner, true);
                    or_null |= definition.is_none();
                    continue;
                }
                TypeRef::Named(name) => match self.ty(name) {
                    Some(named) => {
                        definition = definition.or(named.definition.as_deref());
                        match &named.shape {
                            Shape::Alias(target) => {
                                ty = target;
                                continue;
                            }
                            shape => self.node(shape),
                        }
                    }
                    None => Node::Any,
                },
                TypeRef::Any => Node::Any,
                TypeRef::String { format, length } => Node::Text { format: *format, length: *length },
                TypeRef::Boolean => Node::Boolean,
                TypeRef::Integer { range } => Node::Integer(*range),
                TypeRef::Number { range } => Node::Number(*range),
                TypeRef::Object => Node::Object { members: &[], others: Others::Open },
                TypeRef::List { items, length } => Node::List { items, length: *length },
                TypeRef::Map { values } => Node::Object { members: &[], others: self.others(values) },
            };
            return Resolved { definition, or_null, nullable, node, written, text };
        }
        Resolved { definition, or_null, nullable, node: Node::Any, written, text }
    }

    pub(super) fn node(&self, shape: &'a Shape) -> Node<'a> {
        match shape {
            Shape::Struct(object) => {
                let others = match &object.additional {
                    Additional::Open => Others::Open,
                    Additional::Closed => Others::Closed,
                    Additional::Typed(values) => self.others(values),
                };
                Node::Object { members: &object.members, others }
            }
            Shape::Union(union) => Node::Union(union),
            Shape::StringEnum(values) => Node::Enum(values),
            Shape::Alias(target) => self.resolve(target).node,
        }
    }

    /// Members of any kind are the same as members that nothing is said about.
    fn others(&self, values: &'a TypeRef) -> Others<'a> {
        match self.is_any(values) {
            true => Others::Open,
            false => Others::Typed(values),
        }
    }

    /// Whether a use comes down to any value. An object is not looked into: its other members may be objects of its kind.
    fn is_any(&self, ty: &'a TypeRef) -> bool {
        let mut ty = ty;
        // Lowering has refused circles of other names.
        loop {
            ty = match ty {
                TypeRef::Boxed(inner) | TypeRef::Nullable(inner) => inner,
                TypeRef::Named(name) => match self.ty(name).map(|named| &named.shape) {
                    Some(Shape::Alias(target)) => target,
                    shape => return shape.is_none(),
                },
                other => return matches!(other, TypeRef::Any),
            };
        }
    }
}

fn named(ty: &TypeRef) -> Option<&str> {
    match ty {
        TypeRef::Named(name) => Some(name),
        TypeRef::Boxed(inner) => named(inner),
        _ => None,
    }
}

impl Node<'_> {
    /// The kind of value, in a word.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Any => "any value",
            Self::Text { .. } => "string",
            Self::Boolean => "boolean",
            Self::Integer(_) => "integer",
            Self::Number(_) => "number",
            Self::Object { .. } => "object",
            Self::List { .. } => "list",
            Self::Enum(_) => "enum",
            Self::Union(_) => "union",
        }
    }
}
