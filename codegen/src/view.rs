//! View: the model in, structs for the templates out, every string in them final.

mod dispatch;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

use crate::docs;
use crate::model::{
    Additional, Bounds, Content, Field, Format, JsonKind, Member, Revision, Shape, StringEnum, Struct, Type, TypeRef,
    Union,
};
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
    /// How deep `json_schema!` may recurse, where the default would not do.
    pub(crate) recursion_limit: Option<usize>,
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

/// One file of types.
pub(crate) struct TopicView {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) core_imports: Vec<String>,
    pub(crate) crate_imports: Vec<String>,
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
    pub(crate) doc: Vec<String>,
    pub(crate) name: String,
    pub(crate) target: String,
}

pub(crate) struct StructView {
    pub(crate) doc: Vec<String>,
    pub(crate) name: String,
    pub(crate) expected: String,
    pub(crate) fields: Vec<FieldView>,
    /// Members in the order they are written; their position is their number when they are read.
    pub(crate) members: Vec<MemberView>,
    pub(crate) parameters: String,
    pub(crate) derives_default: bool,
    pub(crate) new_is_default: bool,
    pub(crate) too_many_parameters: bool,
    pub(crate) constants: String,
    /// The typed members with their types.
    pub(crate) known: Vec<(String, String)>,
    pub(crate) defaulted: String,
    pub(crate) checks: String,
}

/// The JSON schema of a type as an expression.
pub(crate) struct JsonSchemaView {
    pub(crate) name: String,
    /// The parameter's name; none is needed where the schema refers to no other type.
    pub(crate) generator: &'static str,
    pub(crate) schema: String,
}

pub(crate) struct FieldView {
    pub(crate) doc: Vec<String>,
    pub(crate) name: String,
    pub(crate) ty: String,
    /// Its value in `new`.
    pub(crate) initial: String,
    pub(crate) placeholder: String,
    /// How the slot becomes the field after reading.
    pub(crate) taken: String,
    pub(crate) setter: Option<SetterView>,
}

pub(crate) struct SetterView {
    pub(crate) name: String,
    pub(crate) parameter: String,
    pub(crate) value: String,
}

pub(crate) struct MemberView {
    pub(crate) wire: String,
    pub(crate) read: String,
    pub(crate) write: String,
}

pub(crate) struct UnionView {
    pub(crate) doc: Vec<String>,
    pub(crate) name: String,
    pub(crate) expected: String,
    pub(crate) variants: Vec<VariantView>,
    pub(crate) conversions: Vec<ConversionView>,
    pub(crate) exclusive: bool,
    pub(crate) object: Option<usize>,
    /// The variants that are objects, by their index.
    pub(crate) objects: Vec<(usize, String)>,
    pub(crate) tag: Option<String>,
    pub(crate) hints: Vec<(String, usize)>,
    pub(crate) tags: Vec<(String, usize)>,
    pub(crate) kinds: Vec<(String, usize)>,
    /// Conditions, each with the variant it decides for.
    pub(crate) decisions: Vec<(String, usize)>,
}

pub(crate) struct VariantView {
    pub(crate) doc: String,
    pub(crate) name: String,
    pub(crate) ty: String,
    pub(crate) held: String,
    pub(crate) checks: String,
}

pub(crate) struct ConversionView {
    pub(crate) from: String,
    /// The same without aliases.
    pub(crate) source: String,
    pub(crate) variant: String,
    pub(crate) value: String,
}

pub(crate) struct EnumView {
    pub(crate) doc: Vec<String>,
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
        has_tool_result: revision.types.contains_key("CallToolResult") && revision.types.contains_key("ContentBlock"),
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
        recursion_limit: revision
            .types
            .values()
            .map(entries)
            .max()
            .filter(|most| *most > 20)
            .map(|most| 128 + 16 * most),
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
        let targets =
            revision.types.iter().filter_map(|(name, ty)| Some((ty.definition.clone()?, name.clone()))).collect();
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
        let items = types.iter().map(|(name, ty)| self.item(name, ty, &mut uses)).collect();
        let defined: BTreeSet<&String> = types.iter().map(|(name, _)| *name).collect();
        TopicView {
            name: topic.to_owned(),
            title: names::topic_title(topic),
            core_imports: uses.core.iter().map(|name| (*name).to_owned()).collect(),
            crate_imports: uses.named.into_iter().filter(|name| !defined.contains(name)).collect(),
            types: defined.into_iter().cloned().collect(),
            items,
        }
    }

    fn item(&self, name: &str, ty: &Type, uses: &mut Uses) -> Item {
        let doc = self.type_doc(name, ty);
        match &ty.shape {
            Shape::Struct(object) => Item::Struct(self.object(name, doc, object, uses)),
            Shape::Union(union) => Item::Union(self.union(name, doc, union, uses)),
            Shape::StringEnum(values) => Item::StringEnum(self.string_enum(name, doc, values, uses)),
            Shape::Alias(target) => {
                Item::Alias(AliasView { doc, name: name.to_owned(), target: self.rust(target, uses) })
            }
        }
    }

    fn is_provided(&self, name: &str) -> bool {
        self.revision.types.get(name).is_some_and(|ty| ty.provided)
    }

    // Documentation.

    fn type_doc(&self, name: &str, ty: &Type) -> Vec<String> {
        let mut lines = match &ty.doc {
            Some(doc) => docs::lines(doc, &self.targets),
            None => Vec::new(),
        };
        if lines.is_empty() {
            lines.push(match (&ty.definition, ty.pointer.rsplit_once("/properties/")) {
                (None, Some((owner, member))) => {
                    let owner = owner.rsplit('/').next().unwrap_or_default();
                    let member = member.split('/').next().unwrap_or_default();
                    format!("The type of {} in {}.", docs::shown(member), docs::shown(owner))
                }
                (Some(definition), _) if *definition != name => {
                    format!("{}.", docs::shown(definition))
                }
                _ => format!("{}.", spaced(name)),
            });
        }
        self.deprecation(ty.deprecated.as_deref(), &mut lines);
        if let Some(definition) = ty.definition.as_ref().filter(|_| self.revision.official) {
            lines.push(String::new());
            lines.push(format!("[Specification]({})", names::spec_page(&self.revision.name, definition)));
        }
        lines
    }

    fn member_doc(&self, member: &Member, ty: &TypeRef) -> Vec<String> {
        let mut lines = match (&member.doc, self.named_doc(ty)) {
            (Some(doc), _) => docs::lines(doc, &self.targets),
            (None, Some(doc)) => docs::lines(docs::first_sentence(doc), &self.targets),
            (None, None) => Vec::new(),
        };
        if lines.is_empty() {
            lines.push(format!("The member {}.", docs::shown(&member.wire)));
        }
        self.deprecation(member.deprecated.as_deref(), &mut lines);
        lines
    }

    fn field_doc(&self, member: &Member, field: &Field) -> Vec<String> {
        let mut lines = self.member_doc(member, &field.ty);
        let note = match &field.initial {
            Some(initial) => Some(match &field.absence {
                None => format!("Absence stands for {}.", literal(initial)),
                Some(absence) => format!(
                    "A constructor writes {}. Absence stands for {}: an object without it is no such object.",
                    literal(initial),
                    literal(absence)
                ),
            }),
            None if field.lenient && member.required => {
                Some("The schema requires it, yet peers are known to leave it out; `check()` reports that.".to_owned())
            }
            None => None,
        };
        if let Some(note) = note {
            lines.push(String::new());
            lines.extend(docs::lines(&note, &self.targets));
        }
        lines.extend(self.malformed_doc(&field.ty).into_iter().flat_map(|note| [String::new(), note.to_owned()]));
        lines
    }

    /// What becomes of malformed items.
    fn malformed_doc(&self, ty: &TypeRef) -> Option<&'static str> {
        let (note, item) = match self.resolved(ty) {
            TypeRef::List { items, .. } => {
                ("Malformed items are kept until the list is changed, see [`List`](mcp_wire_core::List).", items)
            }
            TypeRef::Map { values } => {
                ("Malformed values are kept until the map is changed, see [`Dict`](mcp_wire_core::Dict).", values)
            }
            TypeRef::Nullable(inner) | TypeRef::Boxed(inner) => return self.malformed_doc(inner),
            _ => return None,
        };
        self.can_misfit(item).then_some(note)
    }

    fn named_doc(&self, ty: &TypeRef) -> Option<&str> {
        match ty {
            TypeRef::Named(name) => self.revision.types.get(name)?.doc.as_deref(),
            TypeRef::Boxed(inner) | TypeRef::Nullable(inner) => self.named_doc(inner),
            _ => None,
        }
    }

    fn deprecation(&self, note: Option<&str>, lines: &mut Vec<String>) {
        if let Some(note) = note {
            lines.push(String::new());
            lines.extend(docs::lines(&format!("**Deprecated.** {note}"), &self.targets));
        }
    }

    // Types.

    fn shape(&self, name: &str) -> Option<&'a Shape> {
        self.revision.types.get(name).map(|ty| &ty.shape)
    }

    /// A type as Rust writes it.
    fn rust(&self, ty: &TypeRef, uses: &mut Uses) -> String {
        let mut core = |name: &'static str| {
            uses.core.insert(name);
            name.to_owned()
        };
        match ty {
            TypeRef::Any => core("Value"),
            TypeRef::String { .. } => "String".to_owned(),
            TypeRef::Boolean => "bool".to_owned(),
            TypeRef::Integer { .. } => core("Integer"),
            TypeRef::Number { .. } => core("Number"),
            TypeRef::Object => core("JsonObject"),
            TypeRef::List { items, .. } => {
                uses.core.insert("List");
                format!("List<{}>", self.rust(items, uses))
            }
            TypeRef::Map { values } => {
                uses.core.insert("Dict");
                format!("Dict<{}>", self.rust(values, uses))
            }
            TypeRef::Nullable(inner) => format!("Option<{}>", self.rust(inner, uses)),
            TypeRef::Boxed(inner) => format!("Box<{}>", self.rust(inner, uses)),
            // These would hide the prelude's types of the same name.
            TypeRef::Named(name) if matches!(name.as_str(), "Result" | "Error") => format!("crate::{name}"),
            TypeRef::Named(name) => {
                uses.named.insert(name.clone());
                name.clone()
            }
        }
    }

    /// A parameter for a value of the type, and the value made from it.
    fn parameter(&self, ty: &TypeRef, name: &str, uses: &mut Uses) -> (String, String) {
        let rust = self.rust(ty, uses);
        match ty {
            TypeRef::Any
            | TypeRef::String { .. }
            | TypeRef::Integer { .. }
            | TypeRef::Number { .. }
            | TypeRef::List { .. } => (format!("impl Into<{rust}>"), format!("{name}.into()")),
            TypeRef::Boxed(inner) => {
                let (parameter, value) = self.parameter(inner, name, uses);
                (parameter, format!("Box::new({value})"))
            }
            TypeRef::Named(named) => match self.shape(named) {
                Some(Shape::Union(_) | Shape::StringEnum(_)) => {
                    (format!("impl Into<{rust}>"), format!("{name}.into()"))
                }
                Some(Shape::Alias(target)) => self.parameter(target, name, uses),
                _ => (rust, name.to_owned()),
            },
            _ => (rust, name.to_owned()),
        }
    }

    // Structs.

    fn object(&self, name: &str, doc: Vec<String>, object: &Struct, uses: &mut Uses) -> StructView {
        uses.core.extend(["Extra", "Violation"]);
        let mut fields = Vec::new();
        let mut members = Vec::new();
        let mut parameters = Vec::new();
        let mut constants = Vec::new();
        let mut required = false;
        for member in &object.members {
            let wire = literal(&member.wire);
            match &member.content {
                Content::Constant(value) => {
                    members.push(MemberView {
                        read: format!("members.constant({}, {wire}, {})", constants.len(), constant(value)),
                        write: format!("members.constant({wire}, &{})?;", constant(value)),
                        wire: wire.clone(),
                    });
                    constants.push(wire);
                }
                Content::Field(field) => {
                    let view = self.field(member, field, &mut parameters, uses);
                    required |= is_held(member, field) || field.defaulted().is_some();
                    members.push(MemberView {
                        wire: wire.clone(),
                        read: self.read(member, field),
                        write: self.write(member, field),
                    });
                    fields.push(view);
                }
            }
        }
        StructView {
            doc,
            name: name.to_owned(),
            expected: literal(&format!("an object (`{name}`)")),
            derives_default: !required,
            new_is_default: required && parameters.is_empty(),
            too_many_parameters: parameters.len() > 7,
            parameters: parameters.join(", "),
            constants: constants.join(", "),
            known: object.members.iter().filter_map(|member| self.known(member, uses)).collect(),
            defaulted: object
                .members
                .iter()
                .filter(|member| is_defaulted(member))
                .map(|member| literal(&member.wire))
                .collect::<Vec<_>>()
                .join(", "),
            checks: self.struct_checks(object, uses),
            fields,
            members,
        }
    }

    fn field(&self, member: &Member, field: &Field, parameters: &mut Vec<String>, uses: &mut Uses) -> FieldView {
        let name = &field.name;
        let held = is_held(member, field);
        let rust = self.rust(&field.ty, uses);
        let wire = literal(&member.wire);
        let (parameter, value) = self.parameter(&field.ty, name, uses);
        let enum_value = |value: &String| self.enum_value(&field.ty, value);
        let (initial_value, default) = (field.initial.as_ref().map(enum_value), field.defaulted().map(enum_value));
        let initial = match (&initial_value, member.required) {
            (Some(initial), _) => initial.clone(),
            (None, true) => {
                parameters.push(format!("{name}: {parameter}"));
                if field.lenient { format!("Some({value})") } else { value.clone() }
            }
            (None, false) => "None".to_owned(),
        };
        let ty = if held || default.is_some() { rust } else { format!("Option<{rust}>") };
        FieldView {
            doc: self.field_doc(member, field),
            placeholder: match (&default, held) {
                (Some(default), _) => default.clone(),
                (None, true) => "wire::Wire::placeholder()".to_owned(),
                (None, false) => "None".to_owned(),
            },
            taken: match (&default, held) {
                (Some(default), _) => format!("members.take_or({wire}, {name}, {default})"),
                (None, true) => format!("members.take({wire}, {name})"),
                (None, false) => name.clone(),
            },
            setter: (!held || initial_value.is_some()).then(|| SetterView {
                name: format!("with_{}", name.trim_end_matches('_')),
                parameter,
                value: if initial_value.is_some() { value } else { format!("Some({value})") },
            }),
            name: name.clone(),
            ty,
            initial: if initial == *name { initial } else { format!("{name}: {initial}") },
        }
    }

    fn enum_value(&self, ty: &TypeRef, wire: &str) -> String {
        if let TypeRef::Named(name) = ty
            && let Some(Shape::StringEnum(values)) = self.shape(name)
            && let Some(value) = values.values.iter().find(|value| value.wire == wire)
        {
            return format!("{name}::{}", value.name);
        }
        format!("{}.into()", literal(wire))
    }

    fn read(&self, member: &Member, field: &Field) -> String {
        let method = if is_held(member, field) { "required" } else { "optional" };
        format!("members.{method}({}, &mut {})", literal(&member.wire), field.name)
    }

    fn write(&self, member: &Member, field: &Field) -> String {
        let (wire, name) = (literal(&member.wire), &field.name);
        if let Some(default) = field.defaulted() {
            let default = self.enum_value(&field.ty, default);
            return format!("members.defaulted({wire}, &self.{name}, &{default})?;");
        }
        let method = if is_held(member, field) { "required" } else { "optional" };
        format!("members.{method}({wire}, &self.{name})?;")
    }

    // Checks: statements that report to `checker`.

    fn known(&self, member: &Member, uses: &mut Uses) -> Option<(String, String)> {
        match &member.content {
            Content::Field(field) => Some((literal(&member.wire), self.rust(&field.ty, uses))),
            Content::Constant(_) => None,
        }
    }

    fn struct_checks(&self, object: &Struct, uses: &mut Uses) -> String {
        let mut checks = String::new();
        for member in &object.members {
            if let Content::Constant(value) = &member.content {
                let (wire, value) = (literal(&member.wire), constant(value));
                let _ = writeln!(checks, "checker.constant(&self.extra, {wire}, {value}, {});", member.required);
            }
        }
        if object.members.iter().any(|member| matches!(member.content, Content::Field(_))) {
            checks.push_str("checker.misfits(self, &self.extra);\n");
        }
        for member in &object.members {
            if let Content::Field(field) = &member.content {
                checks.push_str(&self.member_checks(member, field));
            }
        }
        let names = || object.members.iter().map(|member| literal(&member.wire)).collect::<Vec<_>>().join(", ");
        match &object.additional {
            Additional::Open => {}
            Additional::Closed => {
                let _ = writeln!(checks, "checker.closed(&self.extra, &[{}]);", names());
            }
            Additional::Typed(ty) => {
                let _ = writeln!(checks, "checker.additional::<{}>(&self.extra, &[{}]);", self.rust(ty, uses), names());
            }
        }
        checks
    }

    fn member_checks(&self, member: &Member, field: &Field) -> String {
        let wire = literal(&member.wire);
        let name = &field.name;
        let mut checks = String::new();
        if field.lenient && member.required {
            let _ = writeln!(
                checks,
                "if self.{name}.is_none() && self.extra.get({wire}).is_none() {{ checker.missing({wire}); }}"
            );
        }
        // Most members need no more than the check of their type.
        if self.is_plain(&field.ty) {
            if !self.conforms_always(&field.ty) {
                let _ = writeln!(checks, "checker.field({wire}, &self.{name});");
            }
            return checks;
        }
        let held = is_held(member, field) || field.defaulted().is_some();
        let value = if held { format!("&self.{name}") } else { name.clone() };
        let inner = self.checks(&field.ty, &value);
        if inner.is_empty() {
            return checks;
        }
        // One statement reads better as an expression.
        let inner = match inner.matches(';').count() {
            1 => inner.trim_end_matches(';').to_owned(),
            _ => format!("{{ {inner} }}"),
        };
        let _ = match held {
            true => writeln!(checks, "checker.member({wire}, |checker| {inner});"),
            false => {
                writeln!(checks, "if let Some({name}) = &self.{name} {{ checker.member({wire}, |checker| {inner}); }}")
            }
        };
        checks
    }

    /// What an alias stands for.
    fn resolved<'t>(&self, ty: &'t TypeRef) -> &'t TypeRef
    where
        'a: 't,
    {
        match ty {
            TypeRef::Named(name) => match self.shape(name) {
                Some(Shape::Alias(target)) => self.resolved(target),
                _ => ty,
            },
            _ => ty,
        }
    }

    fn item_type<'t>(&self, ty: &'t TypeRef) -> Option<&'t TypeRef>
    where
        'a: 't,
    {
        match ty {
            TypeRef::List { items, .. } => Some(items),
            TypeRef::Map { values } => Some(values),
            TypeRef::Named(name) => match self.shape(name) {
                Some(Shape::Alias(target)) => self.item_type(target),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the check of the type itself is all that the schema asks for.
    fn is_plain(&self, ty: &TypeRef) -> bool {
        match self.resolved(ty) {
            TypeRef::String { format, length } => format.is_none() && length.is_empty(),
            TypeRef::Integer { range } | TypeRef::Number { range } => range.is_empty(),
            TypeRef::List { items, length } => length.is_empty() && self.is_plain(items),
            TypeRef::Map { values: inner } | TypeRef::Nullable(inner) | TypeRef::Boxed(inner) => self.is_plain(inner),
            TypeRef::Any | TypeRef::Boolean | TypeRef::Object | TypeRef::Named(_) => true,
        }
    }

    /// Whether the check of the type itself never finds anything.
    fn conforms_always(&self, ty: &TypeRef) -> bool {
        match self.resolved(ty) {
            TypeRef::List { items: inner, .. } | TypeRef::Map { values: inner } => {
                !self.can_misfit(inner) && self.conforms_always(inner)
            }
            TypeRef::Nullable(inner) | TypeRef::Boxed(inner) => self.conforms_always(inner),
            TypeRef::Named(name) => match self.shape(name) {
                Some(Shape::StringEnum(values)) => values.open,
                Some(Shape::Union(_)) => self.is_provided(name),
                _ => false,
            },
            // It may have been set to one that is not finite.
            TypeRef::Number { .. } => false,
            TypeRef::Any | TypeRef::String { .. } | TypeRef::Boolean | TypeRef::Integer { .. } | TypeRef::Object => {
                true
            }
        }
    }

    /// Whether some JSON value does not have the type: a union takes them all.
    fn can_misfit(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::Any => false,
            TypeRef::Named(name) => match self.shape(name) {
                Some(Shape::Union(_)) => self.is_provided(name),
                Some(Shape::Alias(target)) => self.can_misfit(target),
                _ => true,
            },
            TypeRef::Boxed(inner) | TypeRef::Nullable(inner) => self.can_misfit(inner),
            _ => true,
        }
    }

    /// Statements that check a value given by a reference.
    fn checks(&self, ty: &TypeRef, value: &str) -> String {
        match ty {
            TypeRef::Any | TypeRef::Boolean | TypeRef::Object => String::new(),
            TypeRef::String { format, length } => {
                let format = match format {
                    Some(Format::Uri) => format!("checker.uri({value});"),
                    Some(Format::UriTemplate) => format!("checker.uri_template({value});"),
                    Some(Format::Byte) => format!("checker.byte({value});"),
                    None => String::new(),
                };
                let length = match length.is_empty() {
                    true => String::new(),
                    false => {
                        let (minimum, maximum) = bounds(length);
                        format!(
                            "checker.length({}.chars().count(), {minimum}, {maximum});",
                            value.trim_start_matches('&')
                        )
                    }
                };
                format + &length
            }
            TypeRef::Integer { range } | TypeRef::Number { range } => {
                let mut checks = String::new();
                if matches!(ty, TypeRef::Number { .. }) {
                    let _ = write!(checks, "wire::Wire::inspect({value}, checker);");
                }
                if let Some(minimum) = range.minimum {
                    let _ = write!(checks, "checker.at_least({value}, {minimum:?});");
                }
                if let Some(maximum) = range.maximum {
                    let _ = write!(checks, "checker.at_most({value}, {maximum:?});");
                }
                checks
            }
            TypeRef::List { .. } | TypeRef::Map { .. } if self.is_plain(ty) => match self.conforms_always(ty) {
                true => String::new(),
                false => format!("wire::Wire::inspect({value}, checker);"),
            },
            TypeRef::List { items, length } => {
                let mut checks = String::new();
                if self.can_misfit(items) {
                    let _ = write!(checks, "checker.malformed_items({value});");
                }
                if !length.is_empty() {
                    let (minimum, maximum) = bounds(length);
                    let _ = write!(checks, "checker.count({value}, {minimum}, {maximum});");
                }
                let inner = self.checks(items, "item");
                if !inner.is_empty() {
                    let _ = write!(checks, "checker.items({value}, |checker, item| {{ {inner} }});");
                }
                checks
            }
            TypeRef::Map { values } => {
                let mut checks = String::new();
                if self.can_misfit(values) {
                    let _ = write!(checks, "checker.malformed_entries({value});");
                }
                let inner = self.checks(values, "item");
                let _ = write!(checks, "checker.entries({value}, |checker, item| {{ {inner} }});");
                checks
            }
            TypeRef::Nullable(inner) => match self.checks(inner, "value") {
                inner if inner.is_empty() => String::new(),
                inner => format!("if let Some(value) = {value} {{ {inner} }}"),
            },
            TypeRef::Boxed(inner) => self.checks(inner, &format!("&**{}", parenthesised(value))),
            TypeRef::Named(name) => match self.shape(name) {
                Some(Shape::Alias(target)) => self.checks(target, value),
                Some(Shape::StringEnum(values)) if values.open => String::new(),
                Some(Shape::Union(_)) if self.is_provided(name) => String::new(),
                Some(_) => format!("wire::Wire::inspect({value}, checker);"),
                None => String::new(),
            },
        }
    }

    // Unions.

    fn union(&self, name: &str, doc: Vec<String>, union: &Union, uses: &mut Uses) -> UnionView {
        uses.core.extend(["Value", "Violation"]);
        let rules = &union.rules;
        let variants: Vec<VariantView> = union
            .variants
            .iter()
            .map(|variant| {
                let ty = self.rust(&variant.ty, uses);
                VariantView {
                    doc: self.variant_doc(&variant.ty),
                    held: if variant.boxed { format!("Box<{ty}>") } else { ty.clone() },
                    checks: match variant.boxed {
                        true => self.checks(&variant.ty, "&**value"),
                        false => self.checks(&variant.ty, "value"),
                    },
                    name: variant.name.clone(),
                    ty,
                }
            })
            .collect();
        let mut conversions = Vec::new();
        for (variant, held) in union.variants.iter().zip(&variants) {
            conversions.extend(self.conversions(variant, held, uses));
        }
        // What several variants could be made from says nothing about which.
        let sources: Vec<String> = conversions.iter().map(|conversion| conversion.source.clone()).collect();
        conversions.retain(|conversion| sources.iter().filter(|source| **source == conversion.source).count() == 1);
        let only_object = match &rules.signatures[..] {
            [only] if only.members.is_empty() && only.tags.is_empty() && rules.tag.is_none() => Some(only.variant),
            _ => None,
        };
        let signed = rules.signatures.iter().map(|signature| signature.variant);
        let objects: BTreeSet<usize> =
            signed.chain(rules.tags.values().copied()).chain(rules.hints.values().copied()).collect();
        UnionView {
            doc,
            name: name.to_owned(),
            expected: literal(&format!("a variant of `{name}`")),
            exclusive: rules.exclusive,
            object: only_object,
            objects: objects
                .into_iter()
                .filter_map(|index| Some((index, union.variants.get(index)?.name.clone())))
                .collect(),
            tag: rules.tag.as_deref().map(literal),
            hints: rules.hints.iter().map(|(member, variant)| (literal(member), *variant)).collect(),
            tags: rules.tags.iter().map(|(tag, variant)| (literal(tag), *variant)).collect(),
            kinds: rules.kinds.iter().map(|(kind, variant)| (kind_name(*kind).to_owned(), *variant)).collect(),
            decisions: self.decisions(union, uses),
            variants,
            conversions,
        }
    }

    fn variant_doc(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::Named(name) => {
                let doc = self.revision.types.get(name).and_then(|ty| ty.doc.as_deref()).map(docs::first_sentence);
                let mut lines = docs::lines(doc.unwrap_or_default(), &self.targets);
                // All of it goes on one line, where a block of code has no place.
                lines.truncate(lines.iter().position(|line| line.starts_with("```")).unwrap_or(lines.len()));
                match &lines[..] {
                    [] => format!("{}.", spaced(name)),
                    lines => lines.join(" "),
                }
            }
            TypeRef::String { .. } => "A string.".to_owned(),
            TypeRef::Boolean => "`true` or `false`.".to_owned(),
            TypeRef::Integer { .. } => "A whole number.".to_owned(),
            TypeRef::Number { .. } => "A number.".to_owned(),
            TypeRef::List { .. } => "A list.".to_owned(),
            _ => "An object.".to_owned(),
        }
    }

    fn conversions(&self, variant: &crate::model::Variant, held: &VariantView, uses: &mut Uses) -> Vec<ConversionView> {
        let convert = |from: &str, source: &str, value: &str| ConversionView {
            from: from.to_owned(),
            source: source.to_owned(),
            variant: held.name.clone(),
            value: if variant.boxed { format!("Box::new({value})") } else { value.to_owned() },
        };
        let mut conversions = vec![convert(&held.ty, &self.unaliased(&variant.ty), "value")];
        let mut also = |from: &str, value: &str| conversions.push(convert(from, from, value));
        match &variant.ty {
            TypeRef::String { .. } => also("&str", "value.to_owned()"),
            TypeRef::Number { .. } => {
                also("f64", "value.into()");
                also("i64", "value.into()");
            }
            TypeRef::Integer { .. } => also("i64", "value.into()"),
            _ => {}
        }
        if let TypeRef::List { items, .. } = self.resolved(&variant.ty) {
            let from = format!("Vec<{}>", self.rust(items, uses));
            conversions.push(convert(&from, &format!("Vec<{}>", self.unaliased(items)), "value.into()"));
        }
        conversions
    }

    /// A type as Rust sees it through all aliases.
    fn unaliased(&self, ty: &TypeRef) -> String {
        match self.resolved(ty) {
            TypeRef::List { items, .. } => format!("List<{}>", self.unaliased(items)),
            // An object with any members is a map of `serde_json`, not a `Dict<Value>`.
            TypeRef::Map { values } => format!("Dict<{}>", self.unaliased(values)),
            TypeRef::Nullable(inner) => format!("Option<{}>", self.unaliased(inner)),
            TypeRef::Boxed(inner) => format!("Box<{}>", self.unaliased(inner)),
            ty => self.rust(ty, &mut Uses::default()),
        }
    }

    fn decisions(&self, union: &Union, uses: &mut Uses) -> Vec<(String, usize)> {
        let rules = &union.rules;
        let list = |names: &[String]| names.iter().map(|name| literal(name)).collect::<Vec<_>>().join(", ");
        let mut decisions: Vec<(String, usize)> = Vec::new();
        for signature in &rules.signatures {
            let mut conditions = Vec::new();
            if let Some(tag) = &rules.tag {
                let (tag, tags) = (literal(tag), list(&signature.tags));
                conditions.push(format!("wire::tag_is(value, {tag}, &[{tags}], {})", signature.tag_optional));
            }
            // What is inside a member is not there without it.
            let members: Vec<String> =
                signature.members.iter().filter(|member| !signature.inside.contains_key(*member)).cloned().collect();
            if !members.is_empty() {
                conditions.push(format!("wire::has(value, &[{}])", list(&members)));
            }
            if !signature.marks.is_empty() {
                conditions.push(format!("wire::has_any(value, &[{}])", list(&signature.marks)));
            }
            for (member, names) in &signature.inside {
                conditions.push(format!("wire::has_inside(value, {}, &[{}])", literal(member), list(names)));
            }
            if signature.members.is_empty() && signature.inside.is_empty() {
                conditions.insert(0, "value.is_object()".to_owned());
            }
            decisions.push((conditions.join(" && "), signature.variant));
        }
        for index in &rules.arrays {
            let item = union.variants.get(*index).and_then(|variant| self.item_type(&variant.ty));
            if let Some(item) = item {
                let item = self.rust(item, uses);
                decisions.push((format!("value.get(0).is_some_and(<{item} as wire::Wire>::recognises)"), *index));
            }
        }
        if let Some(first) = rules.arrays.first() {
            decisions.push(("value.is_array()".to_owned(), *first));
        }
        decisions
    }

    // Enums.

    fn string_enum(&self, name: &str, doc: Vec<String>, values: &StringEnum, uses: &mut Uses) -> EnumView {
        uses.core.insert("Violation");
        let known = values.values.iter().map(|value| format!("{:?}", value.wire)).collect::<Vec<_>>().join(", ");
        EnumView {
            doc,
            name: name.to_owned(),
            expected: literal(&format!("a string (`{name}`)")),
            values: values
                .values
                .iter()
                .map(|value| ValueView {
                    wire: literal(&value.wire),
                    shown: docs::shown(&value.wire),
                    name: value.name.clone(),
                })
                .collect(),
            open: values.open,
            ordered: values.ordered,
            known: literal(&format!("one of {known}")),
        }
    }
}

// JSON schemas, for the `schemars` feature: arguments of `json_schema!`, with calls of the generator for other types.
impl Viewer<'_> {
    fn json_schema(&self, name: &str) -> JsonSchemaView {
        let ty = self.revision.types.get(name);
        let mut keywords = match ty.map(|ty| &ty.shape) {
            Some(Shape::Struct(object)) => self.object_schema(object),
            Some(Shape::Union(union)) => {
                let variants: Vec<String> = union.variants.iter().map(|variant| self.schema_of(&variant.ty)).collect();
                vec![format!("\"anyOf\": [{}]", variants.join(", "))]
            }
            Some(Shape::StringEnum(values)) if !values.open => {
                let values: Vec<String> = values.values.iter().map(|value| literal(&value.wire)).collect();
                vec!["\"type\": \"string\"".to_owned(), format!("\"enum\": [{}]", values.join(", "))]
            }
            _ => vec!["\"type\": \"string\"".to_owned()],
        };
        if let Some(doc) = ty.and_then(|ty| ty.doc.as_deref()) {
            keywords.insert(0, format!("\"description\": {}", literal(doc)));
        }
        let schema = format!("{{\n            {},\n        }}", keywords.join(",\n            "));
        let generator = if schema.contains("generator.subschema_for") { "generator" } else { "_" };
        JsonSchemaView { name: name.to_owned(), generator, schema }
    }

    fn object_schema(&self, object: &Struct) -> Vec<String> {
        let property = |member: &Member| match &member.content {
            Content::Constant(value) => format!("{}: {{ \"const\": {} }}", literal(&member.wire), constant(value)),
            Content::Field(field) => format!("{}: {}", literal(&member.wire), self.schema_of(&field.ty)),
        };
        let properties: Vec<String> = object.members.iter().map(property).collect();
        let required: Vec<String> =
            object.members.iter().filter(|member| member.required).map(|member| literal(&member.wire)).collect();
        let separator = ",\n                ";
        let mut keywords = vec!["\"type\": \"object\"".to_owned()];
        if !properties.is_empty() {
            let properties = properties.join(separator);
            keywords.push(format!("\"properties\": {{\n                {properties},\n            }}"));
        }
        if !required.is_empty() {
            keywords.push(format!("\"required\": [{}]", required.join(", ")));
        }
        match &object.additional {
            Additional::Open => {}
            Additional::Closed => keywords.push("\"additionalProperties\": false".to_owned()),
            Additional::Typed(ty) => keywords.push(format!("\"additionalProperties\": {}", self.schema_of(ty))),
        }
        keywords
    }

    fn schema_of(&self, ty: &TypeRef) -> String {
        let typed = |kind: &str, bounds: &[(&str, Option<f64>)]| {
            let mut keywords = vec![format!("\"type\": {}", literal(kind))];
            for (keyword, bound) in bounds {
                // Bounds of lengths and of integers are whole as a rule, and read better so.
                match bound {
                    Some(bound) if bound.fract() == 0.0 && bound.abs() < 1e15 => {
                        keywords.push(format!("\"{keyword}\": {bound:.0}"))
                    }
                    Some(bound) => keywords.push(format!("\"{keyword}\": {bound:?}")),
                    None => {}
                }
            }
            keywords
        };
        let keywords = match ty {
            TypeRef::Any => return "true".to_owned(),
            TypeRef::String { format, length } => {
                let mut keywords = typed("string", &[("minLength", length.minimum), ("maxLength", length.maximum)]);
                keywords.extend(format.map(|format| {
                    let name = match format {
                        Format::Uri => "uri",
                        Format::UriTemplate => "uri-template",
                        Format::Byte => "byte",
                    };
                    format!("\"format\": {}", literal(name))
                }));
                keywords
            }
            TypeRef::Boolean => typed("boolean", &[]),
            TypeRef::Integer { range } => typed("integer", &[("minimum", range.minimum), ("maximum", range.maximum)]),
            TypeRef::Number { range } => typed("number", &[("minimum", range.minimum), ("maximum", range.maximum)]),
            TypeRef::Object => typed("object", &[]),
            TypeRef::List { items, length } => {
                let mut keywords = typed("array", &[("minItems", length.minimum), ("maxItems", length.maximum)]);
                keywords.push(format!("\"items\": {}", self.schema_of(items)));
                keywords
            }
            TypeRef::Map { values } => {
                let mut keywords = typed("object", &[]);
                keywords.push(format!("\"additionalProperties\": {}", self.schema_of(values)));
                keywords
            }
            TypeRef::Nullable(inner) => {
                vec![format!("\"anyOf\": [{}, {{ \"type\": \"null\" }}]", self.schema_of(inner))]
            }
            TypeRef::Boxed(inner) => return self.schema_of(inner),
            TypeRef::Named(name) => match self.shape(name) {
                Some(Shape::Alias(target)) => return self.schema_of(target),
                _ => return format!("generator.subschema_for::<crate::{name}>()"),
            },
        };
        format!("{{ {} }}", keywords.join(", "))
    }
}

/// How many entries the longest list in the JSON schema of a type has: the macro that reads it recurses for each.
fn entries(ty: &Type) -> usize {
    match &ty.shape {
        Shape::Struct(object) => object.members.len(),
        Shape::Union(union) => union.variants.len(),
        Shape::StringEnum(values) => values.values.len(),
        Shape::Alias(_) => 0,
    }
}

/// Whether the field holds a value itself, rather than an `Option`.
fn is_held(member: &Member, field: &Field) -> bool {
    member.required && !field.lenient && field.defaulted().is_none()
}

/// Whether the absence of the member has a meaning.
fn is_defaulted(member: &Member) -> bool {
    matches!(&member.content, Content::Field(field) if field.defaulted().is_some())
}

/// The least and the largest length, as Rust writes them.
fn bounds(length: &Bounds) -> (String, String) {
    // No length exceeds the largest `usize`, wherever the code is compiled.
    let bound =
        |bound: f64| if bound < f64::from(u32::MAX) { format!("{}", bound.max(0.0)) } else { "usize::MAX".to_owned() };
    (bound(length.minimum.unwrap_or(0.0).ceil()), bound(length.maximum.unwrap_or(f64::MAX).floor()))
}

fn kind_name(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Boolean => "Boolean",
        JsonKind::Integer => "Integer",
        JsonKind::Number => "Number",
        JsonKind::String => "String",
        JsonKind::Array => "Array",
    }
}

fn constant(value: &Value) -> String {
    match value {
        Value::String(text) => literal(text),
        Value::Number(number) => format!("{number}i64"),
        Value::Bool(value) => value.to_string(),
        _ => "()".to_owned(),
    }
}

/// A Rust string literal. Debug escapes quotes, backslashes and whatever cannot be seen.
fn literal(text: &str) -> String {
    format!("{text:?}")
}

fn parenthesised(value: &str) -> String {
    if value.starts_with('&') { format!("({value})") } else { value.to_owned() }
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
