//! The model: what a revision defines, free of JSON Schema's dialects and of Rust's syntax.
//!
//! Everything after lowering, and every comparison of revisions, depends on this alone. Its order is fixed and it can
//! be written as JSON, which is how it lies beside the code of each generated crate (`model.json`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::load::Provenance;

/// One revision of the protocol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    /// The date that names it, or the name of a crate for a schema of one's own.
    pub name: String,
    /// Whether it is an official revision.
    pub official: bool,
    /// Where the schema comes from.
    pub provenance: Provenance,
    /// How many definitions the schema has.
    pub definitions: usize,
    /// The fixups that were applied, with the number of places each changed.
    pub fixups: Vec<AppliedFixup>,
    /// All types by their Rust name: one per definition, and those that stand inside definitions.
    pub types: BTreeMap<String, Type>,
    /// Definitions that are no type of their own, and why.
    pub folded: BTreeMap<String, String>,
    /// Methods, by name.
    pub methods: Vec<Method>,
    /// The result that stands for another, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deferred: Option<Deferred>,
    /// The capability that a definition or a member of one (`Definition.member`) needs, where it is a finer one than that
    /// of the method around it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub gates: BTreeMap<String, String>,
    /// Whether several messages may be sent as one array.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_batches: bool,
    /// Codes of JSON-RPC errors.
    pub error_codes: Vec<ErrorCode>,
}

/// A correction that was made to the schema.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AppliedFixup {
    /// Name of the fixup.
    pub name: String,
    /// How many places it changed.
    pub changes: usize,
}

/// A named type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Type {
    /// The definition's name, or none for a type that stands inside a definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// Where it stands in the schema.
    pub pointer: String,
    /// The file it belongs to.
    pub topic: String,
    /// The schema's description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// Why new code should not use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Whether `mcp-wire-core` has the type already, because it looks alike in every revision.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provided: bool,
    /// What it looks like.
    pub shape: Shape,
}

/// The shapes a type can have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// An object with known members.
    Struct(Struct),
    /// One of several shapes.
    Union(Union),
    /// A string with known values.
    StringEnum(StringEnum),
    /// Another name for a type.
    Alias(TypeRef),
}

/// An object with known members, in the order in which they are written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Struct {
    /// The members.
    pub members: Vec<Member>,
    /// What other members may be there.
    pub additional: Additional,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Its name on the wire.
    pub wire: String,
    /// Whether the schema requires it.
    pub required: bool,
    /// The schema's description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// Why new code should not use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// What it holds.
    pub content: Content,
}

/// What a member holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// A fixed value.
    Constant(Value),
    /// A value of a type.
    Field(Field),
}

/// A typed member.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Its Rust name.
    pub name: String,
    /// Its type.
    pub ty: TypeRef,
    /// Whether it may be absent in practice although the schema requires it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lenient: bool,
    /// The value a constructor writes: a value of a string enum. Absence stands for it, unless it has another meaning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<String>,
    /// What absence means elsewhere, where that is another value than the initial one. An object without the member is
    /// none of this type then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absence: Option<String>,
}

impl Field {
    /// The value that absence stands for.
    pub fn defaulted(&self) -> Option<&String> {
        self.initial.as_ref().filter(|_| self.absence.is_none())
    }
}

/// Members that are not declared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Additional {
    /// Allowed.
    Open,
    /// Forbidden.
    Closed,
    /// Allowed with this type.
    Typed(TypeRef),
}

/// One of several shapes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Union {
    /// The shapes.
    pub variants: Vec<Variant>,
    /// How to tell them apart.
    pub rules: Rules,
}

/// One shape of a union.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// Its Rust name.
    pub name: String,
    /// Its type.
    pub ty: TypeRef,
    /// Whether it is kept behind a pointer, because it is large or contains the union.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub boxed: bool,
}

/// How the variants of a union are told apart, always without trying them. Variants are given by their index.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// The variant for each kind of value that is no object, where there is only one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kinds: BTreeMap<JsonKind, usize>,
    /// The member whose value decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// Values of the tag that decide alone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, usize>,
    /// Members whose presence decides alone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hints: BTreeMap<String, usize>,
    /// For objects that neither decides: the first signature that is satisfied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<Signature>,
    /// Arrays of several types: the first variant whose items look like the first item.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrays: Vec<usize>,
    /// Whether no value can conform to two variants.
    pub exclusive: bool,
}

/// The kinds of JSON values other than objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JsonKind {
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// Any other number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
}

/// What an object must have to belong to a variant.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Signature {
    /// The variant.
    pub variant: usize,
    /// Values the tag may have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Whether the tag may be absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tag_optional: bool,
    /// Members that must be there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
    /// Members of which one must be there: they tell it from a variant that requires the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
    /// Members that must be there inside a member.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inside: BTreeMap<String, Vec<String>>,
}

/// A string with known values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StringEnum {
    /// The values, lowest first where they have an order.
    pub values: Vec<EnumValue>,
    /// Whether other values are valid.
    pub open: bool,
    /// Whether the order of the values means something.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ordered: bool,
}

/// A value of a string enum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EnumValue {
    /// The value on the wire.
    pub wire: String,
    /// Its Rust name.
    pub name: String,
}

/// A use of a type, with the constraints that hold there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TypeRef {
    /// Any value.
    Any,
    /// A string.
    String {
        /// `format`, where it is one that is checked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        format: Option<Format>,
        /// `minLength` and `maxLength`.
        #[serde(default, skip_serializing_if = "Bounds::is_empty")]
        length: Bounds,
    },
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer {
        /// `minimum` and `maximum`.
        #[serde(default, skip_serializing_if = "Bounds::is_empty")]
        range: Bounds,
    },
    /// A number.
    Number {
        /// `minimum` and `maximum`.
        #[serde(default, skip_serializing_if = "Bounds::is_empty")]
        range: Bounds,
    },
    /// An object with any members.
    Object,
    /// An array.
    List {
        /// What its items are.
        items: Box<TypeRef>,
        /// `minItems` and `maxItems`.
        #[serde(default, skip_serializing_if = "Bounds::is_empty")]
        length: Bounds,
    },
    /// An object whose values have one type.
    Map {
        /// What its values are.
        values: Box<TypeRef>,
    },
    /// A value or `null`.
    Nullable(Box<TypeRef>),
    /// A value behind a pointer, because it would contain itself otherwise.
    Boxed(Box<TypeRef>),
    /// A type of the revision.
    Named(String),
}

impl TypeRef {
    /// The type of the revision that a value of this type is, or holds as an item or a value.
    pub fn named(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            Self::List { items: inner, .. } | Self::Map { values: inner } => inner.named(),
            Self::Nullable(inner) | Self::Boxed(inner) => inner.named(),
            Self::Any
            | Self::String { .. }
            | Self::Boolean
            | Self::Integer { .. }
            | Self::Number { .. }
            | Self::Object => None,
        }
    }
}

/// The formats that are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// RFC 3986.
    Uri,
    /// RFC 6570.
    UriTemplate,
    /// Base64.
    Byte,
}

/// A lower and an upper bound, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// The lower one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<f64>,
    /// The upper one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<f64>,
}

impl Bounds {
    /// Whether there is no bound.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A method of the protocol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// Its name on the wire.
    pub method: String,
    /// What its messages are.
    pub kind: MethodKind,
    /// Who may send it; nobody, where the schema has the message but does not list it for a side.
    pub senders: Vec<Role>,
    /// The type of the whole message.
    pub message: String,
    /// The type of its params.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<TypeRef>,
    /// Whether a message without params is invalid.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub params_required: bool,
    /// Whether params are kept behind a pointer, because they are large.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub params_boxed: bool,
    /// The result of a request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Other results of the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The union of all its results, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What the server must have declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_capability: Option<String>,
    /// What the client must have declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_capability: Option<String>,
    /// When it may be called.
    #[serde(default, skip_serializing_if = "Phase::is_operation")]
    pub phase: Phase,
    /// Whether new code should do without it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deprecated: bool,
}

/// What a message with a method is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MethodKind {
    /// It has an id and is answered.
    Request,
    /// It has no id and is not answered.
    Notification,
    /// A request that stands inside a result.
    Embedded,
}

/// The two sides of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The side that connects.
    Client,
    /// The side that offers something.
    Server,
}

/// When a method may be called.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It opens the connection.
    Handshake,
    /// At any time.
    Any,
    /// Once the connection is open.
    #[default]
    Operation,
}

impl Phase {
    fn is_operation(&self) -> bool {
        *self == Self::Operation
    }
}

/// A result that stands for another, which is fetched later.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Deferred {
    /// The result that is given instead.
    pub result: String,
    /// The members that lead to the key in it.
    pub key: Vec<String>,
    /// The method that fetches the real result.
    pub method: String,
    /// The member of its params that holds the key.
    pub param: String,
}

/// A code of JSON-RPC errors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorCode {
    /// Name of the constant.
    pub name: String,
    /// The code.
    pub code: i64,
    /// What it means.
    pub doc: String,
    /// The side that sends it, where only one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_by: Option<Role>,
}
