//! What a correction of a schema demands of the crate, compared with the public items of the crates themselves.
//!
//! The advice is made from models. Here, both crates are generated and parsed, their public items are listed, and the
//! rules of Cargo's guide are applied to the two lists; nothing of the generator's view is used for that.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

#[path = "../../tests/src/pinned.rs"]
mod pinned;
mod revisions;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::LazyLock;

use mcp_wire_codegen::load::{self, Sources};
use mcp_wire_codegen::model::Revision;
use mcp_wire_codegen::semver::{Advice, Bump, advise};
use mcp_wire_codegen::{Packaging, crate_of, model_as_written, model_of};
use pinned::{ALL, assert_pinned};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use revisions::{revisions, stateless};
use serde_json::{Map, Value, json};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema")
}

static SOURCES: LazyLock<Sources> = LazyLock::new(|| load::sources(&folder()).expect("the schema folder"));

fn official(name: &str) -> String {
    std::fs::read_to_string(folder().join(name).join("schema.json")).expect("the schema")
}

// The public items of a crate.

/// A public item: what code depends on, what it belongs to, and whether one more of it is harmless there.
#[derive(Debug, Clone, PartialEq)]
struct Public {
    signature: String,
    owner: Option<String>,
    harmless: bool,
}

/// A row of a table of handlers.
struct Row {
    name: syn::Ident,
    params: syn::Type,
    result: Option<syn::Type>,
}

impl Parse for Row {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.call(syn::Attribute::parse_outer)?;
        input.parse::<syn::Ident>()?;
        input.parse::<syn::Token![=>]>()?;
        let name = input.parse()?;
        let params;
        syn::parenthesized!(params in input);
        let params = params.parse()?;
        let mut result = None;
        if input.parse::<Option<syn::Token![->]>>()?.is_some() {
            result = Some(input.parse()?);
            input.parse::<syn::Token![=]>()?;
            input.parse::<syn::Expr>()?;
        }
        Ok(Self { name, params, result })
    }
}

#[derive(Default)]
struct Api {
    items: BTreeMap<String, Public>,
    aliases: BTreeMap<String, syn::Type>,
    /// What the crate's root names.
    exported: BTreeSet<String>,
}

impl Api {
    fn of(parsed: &BTreeMap<String, Rc<syn::File>>) -> Self {
        let mut api = Self::default();
        for (path, file) in parsed {
            for item in &file.items {
                match item {
                    syn::Item::Use(item) if path == "src/lib.rs" && is_public(&item.vis) => {
                        api.export(&item.tree, false)
                    }
                    syn::Item::Type(item) => {
                        api.aliases.insert(item.ident.to_string(), (*item.ty).clone());
                    }
                    _ => {}
                }
            }
        }
        for module in parsed["src/lib.rs"].items.iter().filter_map(|item| match item {
            syn::Item::Mod(item) if is_public(&item.vis) && item.content.is_none() => Some(item.ident.to_string()),
            _ => None,
        }) {
            // What is in a public module of the root is in the root as well.
            for item in parsed.get(&format!("src/{module}.rs")).map_or(&[][..], |file| &file.items) {
                if let Some(name) = type_name(item) {
                    api.add(format!("path {module}::{name}"), String::new(), None, true);
                    api.exported.insert(name);
                }
            }
        }
        for (path, file) in parsed {
            let root = match path.as_str() {
                "src/lib.rs" => Some(""),
                "src/registry.rs" => Some("registry::"),
                _ => None,
            };
            for item in &file.items {
                api.item(item, root);
            }
        }
        assert!(api.items.len() > 500, "the crate has many items, {} were found", api.items.len());
        api
    }

    fn export(&mut self, tree: &syn::UseTree, foreign: bool) {
        match tree {
            syn::UseTree::Path(path) => self.export(&path.tree, foreign || path.ident == "mcp_wire_core"),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.export(tree, foreign)),
            syn::UseTree::Name(name) if foreign => self.add(format!("use {}", name.ident), String::new(), None, true),
            syn::UseTree::Name(name) => {
                self.exported.insert(name.ident.to_string());
            }
            syn::UseTree::Glob(_) => {}
            _ => panic!("an export of another form"),
        }
    }

    fn add(&mut self, key: String, signature: String, owner: Option<String>, harmless: bool) {
        let twice = self.items.insert(key.clone(), Public { signature, owner, harmless });
        assert!(twice.is_none(), "{key} occurs twice");
    }

    /// The items of a module that is public are public; those of others are if the root names them.
    fn item(&mut self, item: &syn::Item, module: Option<&str>) {
        let public = |vis: &syn::Visibility, ident: &syn::Ident| {
            is_public(vis) && (module.is_some() || self.exported.contains(&ident.to_string()))
        };
        let path = |ident: &syn::Ident| format!("{}{ident}", module.unwrap_or_default());
        match item {
            syn::Item::Struct(item) if public(&item.vis, &item.ident) => {
                let key = format!("struct {}", path(&item.ident));
                let open = self.attributes(&item.ident, &item.attrs);
                for field in item.fields.iter().filter(|field| is_public(&field.vis)) {
                    let name = field.ident.as_ref().expect("a name");
                    let signature = self.ty(&field.ty);
                    self.add(format!("{key}.{name}"), signature, Some(key.clone()), open);
                }
                self.add(key, format!("open: {open}"), None, true);
            }
            syn::Item::Enum(item) if public(&item.vis, &item.ident) => {
                let key = format!("enum {}", path(&item.ident));
                let open = self.attributes(&item.ident, &item.attrs);
                for variant in &item.variants {
                    let field = |field: &syn::Field| {
                        let name = field.ident.as_ref().map_or(String::new(), |name| format!("{name}: "));
                        name + &self.ty(&field.ty)
                    };
                    let signature: Vec<String> = variant.fields.iter().map(field).collect();
                    self.add(format!("{key}::{}", variant.ident), signature.join(", "), Some(key.clone()), open);
                }
                self.add(key, format!("open: {open}"), None, true);
            }
            syn::Item::Type(item) if public(&item.vis, &item.ident) => {
                let signature = self.ty(&item.ty);
                self.add(format!("type {}", path(&item.ident)), signature, None, true);
            }
            syn::Item::Const(item) if public(&item.vis, &item.ident) => {
                let signature = self.ty(&item.ty);
                self.add(format!("const {}", path(&item.ident)), signature, None, true);
            }
            syn::Item::Static(item) if public(&item.vis, &item.ident) => {
                let signature = self.ty(&item.ty);
                self.add(format!("static {}", path(&item.ident)), signature, None, true);
            }
            syn::Item::Fn(item) if public(&item.vis, &item.sig.ident) => {
                let signature = self.signature(&item.sig);
                self.add(format!("fn {}", path(&item.sig.ident)), signature, None, true);
            }
            syn::Item::Trait(item) if public(&item.vis, &item.ident) => {
                let key = format!("trait {}", path(&item.ident));
                for inner in &item.items {
                    let syn::TraitItem::Fn(function) = inner else { panic!("a trait with more than functions") };
                    let signature = self.signature(&function.sig);
                    let harmless = function.default.is_some();
                    self.add(format!("{key}::{}", function.sig.ident), signature, Some(key.clone()), harmless);
                }
                self.add(key, String::new(), None, true);
            }
            syn::Item::Mod(item) if is_public(&item.vis) => {
                let inside = path(&item.ident) + "::";
                let items = item.content.iter().flat_map(|(_, items)| items);
                items.for_each(|item| self.item(item, Some(&inside)));
            }
            syn::Item::Impl(item) => self.implementation(item),
            syn::Item::Macro(item) => self.table(&item.mac),
            _ => {}
        }
    }

    /// What a macro of `mcp-wire-core` makes of the table under a type, as far as it differs from type to type.
    fn table(&mut self, table: &syn::Macro) {
        let kind = table.path.segments.last().expect("a name").ident.to_string();
        let tokens: Vec<TokenTree> = table.tokens.clone().into_iter().collect();
        let name = tokens[0].to_string();
        match kind.as_str() {
            "record" => {
                let parameters = inside(&tokens, "new").expect("a constructor");
                let parameters = Punctuated::<syn::FnArg, syn::Token![,]>::parse_terminated.parse2(parameters);
                let output = syn::parse_quote!(-> Self);
                let inputs = parameters.expect("parameters").into_iter().collect::<Vec<_>>();
                let signature = self.signature_of(&inputs, &output);
                self.add(format!("fn {name}::new"), signature, None, true);
                let members: Vec<TokenTree> = inside(&tokens, "members").into_iter().flatten().collect();
                let mut field = String::new();
                for (place, token) in members.iter().enumerate() {
                    match (token, members.get(place + 1)) {
                        (TokenTree::Ident(name), Some(TokenTree::Punct(colon))) if colon.as_char() == ':' => {
                            field = name.to_string();
                        }
                        (TokenTree::Ident(setter), Some(TokenTree::Group(ty)))
                            if setter.to_string().starts_with("with_") =>
                        {
                            let ty = self.ty(&syn::parse2(ty.stream()).expect("a type"));
                            let signature = format!("(self, {field}: {ty}) -> Self");
                            self.add(format!("fn {name}::{setter}"), signature, None, true);
                        }
                        _ => {}
                    }
                }
            }
            "union" | "body" => {
                let rows = inside(&tokens, if kind == "union" { "variants" } else { "methods" }).expect("rows");
                for from in all_inside(&rows.into_iter().collect::<Vec<_>>(), "from") {
                    let types = Punctuated::<syn::Type, syn::Token![,]>::parse_terminated.parse2(from).expect("types");
                    for ty in &types {
                        let from = self.ty(ty);
                        self.add(format!("impl From<{from}> for {name}"), String::new(), None, true);
                    }
                }
            }
            "handler" => self.handler(&tokens),
            "ordered" => self.add(format!("impl PartialOrd for {name}"), String::new(), None, true),
            "string_enum" | "results" | "json_schemas" => {}
            other => panic!("a table of another kind: {other}"),
        }
    }

    /// The handler that a table makes. That of a single thread has the same methods.
    fn handler(&mut self, tokens: &[TokenTree]) {
        let words: Vec<String> = tokens
            .iter()
            .filter_map(|token| if let TokenTree::Ident(word) = token { Some(word.to_string()) } else { None })
            .collect();
        let key = format!("trait {}", words[0]);
        let result = words.last().expect("results").clone();
        let rows = tokens.iter().filter_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
            _ => None,
        });
        for row in rows.flat_map(|rows| {
            Punctuated::<Row, syn::Token![,]>::parse_terminated.parse2(rows).expect("rows").into_iter()
        }) {
            let (params, result) = (self.ty(&row.params), row.result.map(|result| self.ty(&result)));
            let signature = match result {
                Some(result) => format!("(params: {params}) -> Handled<{result}>"),
                None => format!("(params: {params})"),
            };
            self.add(format!("{key}::{}", row.name), signature, Some(key.clone()), true);
        }
        self.add(format!("{key}::response"), format!("(response: {result})"), Some(key.clone()), true);
        self.add(key, String::new(), None, true);
    }

    fn implementation(&mut self, item: &syn::ItemImpl) {
        let name = self.ty(&item.self_ty);
        match &item.trait_ {
            Some((of, _)) => {
                let types = item.items.iter().filter_map(|item| match item {
                    syn::ImplItem::Type(item) => Some(format!("{} = {}", item.ident, self.ty(&item.ty))),
                    _ => None,
                });
                let signature = types.collect::<Vec<_>>().join(", ");
                self.add(format!("impl {} for {name}", self.path(of)), signature, None, true);
            }
            None => {
                for item in &item.items {
                    if let syn::ImplItem::Fn(function) = item
                        && is_public(&function.vis)
                    {
                        let signature = self.signature(&function.sig);
                        self.add(format!("fn {name}::{}", function.sig.ident), signature, None, true);
                    }
                }
            }
        }
    }

    /// Takes note of derived traits; says whether the item is `#[non_exhaustive]`.
    fn attributes(&mut self, name: &syn::Ident, attributes: &[syn::Attribute]) -> bool {
        let mut open = false;
        for attribute in attributes {
            if attribute.path().is_ident("derive") {
                let mut derived = Vec::new();
                attribute
                    .parse_nested_meta(|meta| {
                        derived.push(meta.path.get_ident().expect("a name").to_string());
                        Ok(())
                    })
                    .expect("derives");
                for of in derived {
                    self.add(format!("impl {of} for {name}"), String::new(), None, true);
                }
            }
            open |= attribute.path().is_ident("non_exhaustive");
        }
        open
    }

    fn signature(&self, signature: &syn::Signature) -> String {
        self.signature_of(&signature.inputs, &signature.output)
    }

    /// The names of parameters count: two of one type that change places are not noticed by any compiler.
    fn signature_of<'i>(&self, inputs: impl IntoIterator<Item = &'i syn::FnArg>, output: &syn::ReturnType) -> String {
        let inputs = inputs.into_iter().map(|input| match input {
            syn::FnArg::Receiver(receiver) => match &receiver.kind {
                syn::ReceiverKind::Value => "self".to_owned(),
                syn::ReceiverKind::Reference(_, _, None) => "&self".to_owned(),
                _ => panic!("a receiver of another form"),
            },
            syn::FnArg::Typed(typed) => match &*typed.pat {
                syn::Pat::Ident(name) => format!("{}: {}", name.ident, self.ty(&typed.ty)),
                _ => self.ty(&typed.ty),
            },
        });
        let inputs = inputs.collect::<Vec<_>>().join(", ");
        match output {
            syn::ReturnType::Default => format!("({inputs})"),
            syn::ReturnType::Type(_, ty) => format!("({inputs}) -> {}", self.ty(ty)),
        }
    }

    /// A type without paths and without aliases.
    fn ty(&self, ty: &syn::Type) -> String {
        match ty {
            syn::Type::Path(path) => {
                let alias = path.path.segments.last().and_then(|last| self.aliases.get(&last.ident.to_string()));
                alias.map_or_else(|| self.path(&path.path), |alias| self.ty(alias))
            }
            syn::Type::Reference(reference) => format!("&{}", self.ty(&reference.elem)),
            syn::Type::Slice(slice) => format!("[{}]", self.ty(&slice.elem)),
            syn::Type::Tuple(tuple) => {
                format!("({})", tuple.elems.iter().map(|ty| self.ty(ty)).collect::<Vec<_>>().join(", "))
            }
            syn::Type::ImplTrait(bounds) => {
                let bounds = bounds.bounds.iter().map(|bound| match bound {
                    syn::TypeParamBound::Trait(bound) => self.path(&bound.path),
                    _ => panic!("a bound of another form"),
                });
                format!("impl {}", bounds.collect::<Vec<_>>().join(" + "))
            }
            _ => panic!("a type of another form"),
        }
    }

    fn path(&self, path: &syn::Path) -> String {
        let last = path.segments.last().expect("a segment");
        let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return last.ident.to_string() };
        let arguments = arguments.args.iter().map(|argument| match argument {
            syn::GenericArgument::Type(ty) => self.ty(ty),
            syn::GenericArgument::AssocType(assoc) => format!("{} = {}", assoc.ident, self.ty(&assoc.ty)),
            syn::GenericArgument::Lifetime(lifetime) => lifetime.ident.to_string(),
            _ => panic!("an argument of another form"),
        });
        format!("{}<{}>", last.ident, arguments.collect::<Vec<_>>().join(", "))
    }

    /// What Cargo's guide says about the step from one list to the other.
    fn demands(&self, new: &Self) -> (Bump, String) {
        for (key, public) in &self.items {
            match new.items.get(key) {
                None => return (Bump::Major, format!("{key} is gone")),
                Some(other) if other.signature != public.signature => {
                    return (Bump::Major, format!("{key}: {} became {}", public.signature, other.signature));
                }
                Some(_) => {}
            }
        }
        let mut added = new.items.iter().filter(|(key, _)| !self.items.contains_key(*key)).peekable();
        let first = added.peek().map(|(key, _)| (*key).clone());
        let harmful = |(_, public): &(&String, &Public)| {
            !public.harmless && public.owner.as_ref().is_some_and(|owner| self.items.contains_key(owner))
        };
        match (added.find(harmful), first) {
            (Some((key, _)), _) => (Bump::Major, format!("{key} is new, and hurts")),
            (None, Some(key)) => (Bump::Minor, format!("{key} is new")),
            (None, None) => (Bump::Patch, "no item has changed".to_owned()),
        }
    }
}

/// The name of a public type.
fn type_name(item: &syn::Item) -> Option<String> {
    let (vis, ident) = match item {
        syn::Item::Struct(item) => (&item.vis, &item.ident),
        syn::Item::Enum(item) => (&item.vis, &item.ident),
        syn::Item::Type(item) => (&item.vis, &item.ident),
        _ => return None,
    };
    is_public(vis).then(|| ident.to_string())
}

/// What stands in brackets after a word.
fn inside(tokens: &[TokenTree], word: &str) -> Option<TokenStream> {
    all_inside(tokens, word).next()
}

fn all_inside(tokens: &[TokenTree], word: &str) -> impl Iterator<Item = TokenStream> {
    tokens.windows(2).filter_map(move |pair| match pair {
        [TokenTree::Ident(ident), TokenTree::Group(group)] if ident == word => Some(group.stream()),
        _ => None,
    })
}

fn is_public(vis: &syn::Visibility) -> bool {
    matches!(vis, syn::Visibility::Public(_))
}

// Pairs.

struct Edition {
    model: Revision,
    files: BTreeMap<String, String>,
    parsed: BTreeMap<String, Rc<syn::File>>,
    api: Api,
}

/// Generates the crate. Most of its files are those of the `known` one, and need not be parsed again.
fn edition(model: Revision, known: Option<&Edition>) -> Edition {
    let packaging = Packaging { package: "mcp-wire-tested".to_owned(), core: None };
    let files = crate_of(&model, &packaging).expect("a crate");
    let parse = |path: &String, text: &String| match known {
        Some(known) if known.files.get(path) == Some(text) => known.parsed[path].clone(),
        _ => Rc::new(syn::parse_file(text).expect("Rust")),
    };
    let sources = files.iter().filter(|(path, _)| path.ends_with(".rs"));
    let parsed = sources.map(|(path, text)| (path.clone(), parse(path, text))).collect();
    let api = Api::of(&parsed);
    Edition { model, files, parsed, api }
}

fn written(text: &str, like: &str, known: Option<&Edition>) -> mcp_wire_codegen::Result<Edition> {
    let schema = load::bytes(Path::new("schema.json"), like, text.as_bytes())?;
    model_as_written(&folder(), &SOURCES, schema, like).map(|model| edition(model, known))
}

/// What the files of both crates demand.
fn truth(old: &Edition, new: &Edition) -> (Bump, String) {
    if old.files == new.files {
        return (Bump::None, "the files are the same".to_owned());
    }
    old.api.demands(&new.api)
}

fn assert_sound(advice: &Advice, place: &str) {
    assert_eq!(
        advice.bump,
        advice.reasons.first().map_or(Bump::None, |reason| reason.bump),
        "{place}: the worst first"
    );
    assert!(advice.reasons.is_sorted_by(|left, right| left.bump >= right.bump), "{place}: sorted");
    for reason in &advice.reasons {
        assert!(reason.bump != Bump::None && !reason.item.is_empty(), "{place}: {reason:?}");
        let opens = |first: char| first.is_uppercase() || first == '`';
        assert!(reason.what.starts_with(opens) && reason.what.ends_with('.'), "{place}: {reason:?}");
    }
}

// Edits. Each changes one thing in the definitions, and says whether it found what it changes.

type Definitions = Map<String, Value>;
type Edit = fn(&mut Definitions, &str) -> Option<()>;

fn member<'a>(definitions: &'a mut Definitions, definition: &str, member: &str) -> Option<&'a mut Value> {
    definitions.get_mut(definition)?.get_mut("properties")?.get_mut(member)
}

fn add_member(definitions: &mut Definitions, definition: &str, name: &str, schema: Value) -> Option<()> {
    let members = definitions.get_mut(definition)?.get_mut("properties")?.as_object_mut()?;
    members.insert(name.to_owned(), schema).is_none().then_some(())
}

fn required<'a>(definitions: &'a mut Definitions, definition: &str) -> Option<&'a mut Vec<Value>> {
    definitions.get_mut(definition)?.as_object_mut()?.entry("required").or_insert(json!([])).as_array_mut()
}

fn require(definitions: &mut Definitions, definition: &str, name: &str) -> Option<()> {
    let list = required(definitions, definition)?;
    let known = list.iter().any(|value| value == name);
    (!known).then(|| list.push(json!(name)))
}

fn unrequire(definitions: &mut Definitions, definition: &str, name: &str) -> Option<()> {
    let list = required(definitions, definition)?;
    let before = list.len();
    list.retain(|value| value != name);
    (list.len() < before).then_some(())
}

fn alternatives<'a>(definitions: &'a mut Definitions, definition: &str) -> Option<&'a mut Vec<Value>> {
    definitions.get_mut(definition)?.get_mut("anyOf")?.as_array_mut()
}

fn reference(keyword: &str, definition: &str) -> Value {
    json!({ "$ref": format!("#/{keyword}/{definition}") })
}

fn add_alternative(
    definitions: &mut Definitions,
    union: &str,
    keyword: &str,
    definition: &str,
    schema: Value,
) -> Option<()> {
    alternatives(definitions, union)?.push(reference(keyword, definition));
    definitions.insert(definition.to_owned(), schema).is_none().then_some(())
}

/// Replaces every reference to a definition.
fn redirect(value: &mut Value, from: &Value, to: &Value) -> usize {
    if value.get("$ref") == from.get("$ref") {
        let object = value.as_object_mut().unwrap();
        object.remove("$ref");
        object.extend(to.as_object().unwrap().clone());
        return 1;
    }
    match value {
        Value::Array(items) => items.iter_mut().map(|item| redirect(item, from, to)).sum(),
        Value::Object(members) => members.values_mut().map(|member| redirect(member, from, to)).sum(),
        _ => 0,
    }
}

fn redirect_all(definitions: &mut Definitions, from: &Value, to: &Value) -> Option<()> {
    let count: usize = definitions.values_mut().map(|value| redirect(value, from, to)).sum();
    (count > 0).then_some(())
}

fn message(method: &str, request: bool) -> Value {
    let mut message = json!({
        "type": "object",
        "properties": {
            "method": { "type": "string", "const": method },
            "params": { "type": "object", "properties": { "color": { "type": "string" } }, "required": ["color"] },
        },
        "required": ["method", "params"],
    });
    if request {
        message["properties"]["id"] = json!({ "type": ["string", "integer"] });
        message["properties"]["jsonrpc"] = json!({ "type": "string", "const": "2.0" });
    }
    message
}

/// The params of a message, wherever they are defined.
fn params(definitions: &mut Definitions, message: &str) -> Option<String> {
    let params = member(definitions, message, "params")?;
    Some(params.get("$ref")?.as_str()?.rsplit('/').next()?.to_owned())
}

const EDITS: &[(&str, Bump, Edit)] = &[
    ("nothing", Bump::None, |_, _| Some(())),
    ("optional member added", Bump::Minor, |d, _| {
        add_member(d, "Implementation", "nickname", json!({ "type": "string" }))
    }),
    ("optional list added", Bump::Minor, |d, _| {
        add_member(d, "Tool", "colors", json!({ "type": "array", "items": { "type": "string" } }))
    }),
    ("optional inline object added", Bump::Minor, |d, _| {
        let object =
            json!({ "type": "object", "properties": { "depth": { "type": "integer" } }, "required": ["depth"] });
        add_member(d, "Tool", "shape", object)
    }),
    ("optional member that contains its owner", Bump::Minor, |d, k| {
        add_member(d, "Implementation", "parent", reference(k, "Implementation"))
    }),
    ("required member added", Bump::Major, |d, _| {
        add_member(d, "Implementation", "vendor", json!({ "type": "string" }))?;
        require(d, "Implementation", "vendor")
    }),
    ("required member added to what had none", Bump::Major, |d, _| {
        add_member(d, "ModelHint", "vendor", json!({ "type": "string" }))?;
        require(d, "ModelHint", "vendor")
    }),
    ("required constant added", Bump::Patch, |d, _| {
        add_member(d, "Implementation", "mark", json!({ "type": "string", "const": "x" }))?;
        require(d, "Implementation", "mark")
    }),
    ("optional member removed", Bump::Major, |d, _| {
        d.get_mut("Tool")?.get_mut("properties")?.as_object_mut()?.remove("description").map(drop)
    }),
    ("required member removed", Bump::Major, |d, _| {
        d.get_mut("Implementation")?.get_mut("properties")?.as_object_mut()?.remove("version")?;
        unrequire(d, "Implementation", "version")
    }),
    ("member becomes required", Bump::Major, |d, _| require(d, "Tool", "description")),
    ("member becomes optional", Bump::Major, |d, _| unrequire(d, "Implementation", "version")),
    ("nothing is required any more", Bump::Major, |d, _| {
        unrequire(d, "Implementation", "version")?;
        unrequire(d, "Implementation", "name")
    }),
    ("string becomes number", Bump::Major, |d, _| {
        *member(d, "Tool", "description")? = json!({ "type": "number" });
        Some(())
    }),
    ("number becomes integer", Bump::Major, |d, _| {
        *member(d, "ModelPreferences", "costPriority")? = json!({ "type": "integer" });
        Some(())
    }),
    ("optional member may be null", Bump::Major, |d, _| {
        *member(d, "Tool", "description")? = json!({ "type": ["string", "null"] });
        Some(())
    }),
    ("required member may be null", Bump::Major, |d, _| {
        *member(d, "Implementation", "version")? = json!({ "type": ["string", "null"] });
        Some(())
    }),
    ("string becomes an enum", Bump::Major, |d, _| {
        *member(d, "Implementation", "version")? = json!({ "type": "string", "enum": ["one", "two"] });
        Some(())
    }),
    ("string becomes a union", Bump::Major, |d, _| {
        *member(d, "Implementation", "version")? = json!({ "type": ["string", "integer"] });
        Some(())
    }),
    ("string becomes a constant", Bump::Major, |d, _| {
        *member(d, "Implementation", "version")? = json!({ "type": "string", "const": "1" });
        Some(())
    }),
    ("maximum raised", Bump::Patch, |d, _| {
        *member(d, "ModelPreferences", "costPriority")?.get_mut("maximum")? = json!(2);
        Some(())
    }),
    ("minimum removed", Bump::Patch, |d, _| {
        member(d, "ModelPreferences", "costPriority")?.as_object_mut()?.remove("minimum").map(drop)
    }),
    ("format removed", Bump::Patch, |d, _| member(d, "Root", "uri")?.as_object_mut()?.remove("format").map(drop)),
    ("longest length added", Bump::Patch, |d, _| {
        member(d, "Implementation", "name")?.as_object_mut()?.insert("maxLength".to_owned(), json!(80));
        Some(())
    }),
    ("longest list added", Bump::Patch, |d, _| {
        member(d, "ListRootsResult", "roots")?.as_object_mut()?.insert("maxItems".to_owned(), json!(80));
        Some(())
    }),
    ("undeclared members forbidden", Bump::Patch, |d, _| {
        d.get_mut("Implementation")?.as_object_mut()?.insert("additionalProperties".to_owned(), json!(false));
        Some(())
    }),
    ("undeclared members typed", Bump::Patch, |d, _| {
        let strings = json!({ "type": "string" });
        d.get_mut("Implementation")?.as_object_mut()?.insert("additionalProperties".to_owned(), strings);
        Some(())
    }),
    ("description of a type", Bump::Patch, |d, _| {
        d.get_mut("Tool")?.as_object_mut()?.insert("description".to_owned(), json!("Something useful."));
        Some(())
    }),
    ("description of a member", Bump::Patch, |d, _| {
        member(d, "Tool", "name")?.as_object_mut()?.insert("description".to_owned(), json!("What to call it."));
        Some(())
    }),
    ("constant changed", Bump::Patch, |d, _| {
        *member(d, "JSONRPCNotification", "jsonrpc")?.get_mut("const")? = json!("2.1");
        Some(())
    }),
    ("enum value added", Bump::Minor, |d, _| {
        d.get_mut("Role")?.get_mut("enum")?.as_array_mut()?.push(json!("system"));
        Some(())
    }),
    ("enum value removed", Bump::Major, |d, _| d.get_mut("Role")?.get_mut("enum")?.as_array_mut()?.pop().map(drop)),
    ("enum value with another case", Bump::Patch, |d, _| {
        *d.get_mut("Role")?.get_mut("enum")?.get_mut(0)? = json!("Assistant");
        Some(())
    }),
    ("enum values in another order", Bump::Patch, |d, _| {
        d.get_mut("Role")?.get_mut("enum")?.as_array_mut()?.reverse();
        Some(())
    }),
    ("definition added", Bump::Minor, |d, _| {
        let object = json!({ "type": "object", "properties": { "color": { "type": "string" } } });
        d.insert("Paint".to_owned(), object).is_none().then_some(())
    }),
    ("definition removed", Bump::Major, |d, _| {
        let text = serde_json::to_string(d).unwrap();
        let unused = d.keys().find(|name| !text.contains(&format!("/{name}\"")))?.clone();
        d.shift_remove(&unused).map(drop)
    }),
    ("definition renamed", Bump::Major, |d, k| {
        redirect_all(d, &reference(k, "Implementation"), &reference(k, "Software"))?;
        let object = d.remove("Implementation")?;
        d.insert("Software".to_owned(), object).is_none().then_some(())
    }),
    ("member gets an alias", Bump::Minor, |d, k| {
        d.insert("Version".to_owned(), json!({ "type": "string" }));
        *member(d, "Implementation", "version")? = reference(k, "Version");
        Some(())
    }),
    ("member spelled by an alias that is there", Bump::Patch, |d, k| {
        *member(d, "PaginatedResult", "nextCursor")? = reference(k, "Cursor");
        Some(())
    }),
    ("alias of another type", Bump::Major, |d, _| {
        *d.get_mut("Cursor")? = json!({ "type": "integer" });
        Some(())
    }),
    ("alias becomes an object", Bump::Major, |d, _| {
        *d.get_mut("Cursor")? = json!({ "type": "object", "properties": { "page": { "type": "integer" } } });
        Some(())
    }),
    ("id of another kind", Bump::Major, |d, _| {
        *d.get_mut("RequestId")? = json!({ "type": ["string", "integer", "boolean"] });
        Some(())
    }),
    ("alternative added", Bump::Minor, |d, k| {
        let object = json!({ "type": "object", "properties": { "hue": { "type": "string" } }, "required": ["hue"] });
        add_alternative(d, "ServerResult", k, "PaintResult", object)
    }),
    ("alternative of a type that is there", Bump::Minor, |d, k| {
        alternatives(d, "ServerResult")?.push(reference(k, "Implementation"));
        Some(())
    }),
    ("alternative removed", Bump::Major, |d, k| {
        let list = alternatives(d, "ServerResult")?;
        let place = list.iter().position(|one| *one == reference(k, "CompleteResult"))?;
        list.remove(place);
        Some(())
    }),
    ("variants that grow large", Bump::Major, |d, _| {
        let object = json!({ "type": "object", "additionalProperties": {} });
        (0..4).try_for_each(|n| add_member(d, "ListRootsResult", &format!("large{n}"), object.clone()))
    }),
    ("params that grow large", Bump::Major, |d, _| {
        let object = json!({ "type": "object", "additionalProperties": {} });
        let owner = params(d, "ListPromptsRequest");
        (0..8).try_for_each(|n| {
            let (name, object) = (format!("large{n}"), object.clone());
            match &owner {
                Some(owner) => add_member(d, owner, &name, object),
                None => {
                    let inline = member(d, "ListPromptsRequest", "params")?.get_mut("properties")?.as_object_mut()?;
                    inline.insert(name, object).is_none().then_some(())
                }
            }
        })
    }),
    ("request added", Bump::Major, |d, k| {
        add_alternative(d, "ClientRequest", k, "PaintRequest", message("paint/mix", true))
    }),
    ("notification added", Bump::Major, |d, k| {
        add_alternative(
            d,
            "ServerNotification",
            k,
            "PaintDriedNotification",
            message("notifications/paint/dried", false),
        )
    }),
    ("request that nobody sends added", Bump::Minor, |d, _| {
        d.insert("PaintRequest".to_owned(), message("paint/mix", true)).is_none().then_some(())
    }),
    ("request that nobody sends any more", Bump::Major, |d, k| {
        let list = alternatives(d, "ClientRequest")?;
        let place = list.iter().position(|one| *one == reference(k, "CompleteRequest"))?;
        list.remove(place);
        Some(())
    }),
    ("two alternatives of one type", Bump::Major, |d, k| {
        alternatives(d, "ServerResult")?.push(reference(k, "Result"));
        Some(())
    }),
    ("params become optional", Bump::Major, |d, _| unrequire(d, "CallToolRequest", "params")),
    ("method renamed", Bump::Patch, |d, _| {
        *member(d, "ToolListChangedNotification", "method")?.get_mut("const")? = json!("notifications/tools/changed");
        Some(())
    }),
    ("definitions in another order", Bump::Patch, |d, _| {
        *d = std::mem::take(d).into_iter().rev().collect();
        Some(())
    }),
];

/// Where the revisions without a handshake differ: the addition makes a variant large or it does not, and the `Box` around
/// it can be seen.
const EXCEPTIONS: &[(&str, Bump)] = &[("params that grow large", Bump::Minor)];

/// How often each kind of edit was made, how often each step was demanded, and where the advice was another.
#[derive(Default)]
struct Tally {
    kinds: BTreeMap<&'static str, usize>,
    bumps: BTreeMap<Bump, usize>,
    wrong: Vec<String>,
}

fn judge(revision: &str) -> Tally {
    let mut tally = Tally::default();
    let document: Value = serde_json::from_str(&official(revision)).expect("JSON");
    let keyword = if document.get("$defs").is_some() { "$defs" } else { "definitions" };
    let plain = serde_json::to_string(&document).expect("JSON");
    let old = written(&plain, revision, None).expect("the official schema");
    for (kind, expected, edit) in EDITS {
        let mut document = document.clone();
        let definitions = document[keyword].as_object_mut().expect("definitions");
        if edit(definitions, keyword).is_none() {
            continue;
        }
        *tally.kinds.entry(kind).or_default() += 1;
        let place = format!("{revision}, {kind}");
        let edited = serde_json::to_string(&document).expect("JSON");
        let new = written(&edited, revision, Some(&old)).unwrap_or_else(|error| panic!("{place}: {error}"));
        let exception = EXCEPTIONS.iter().find(|(of, _)| revision >= stateless() && of == kind);
        let expected = exception.map_or(*expected, |(_, bump)| *bump);
        // The way back is a correction as well.
        for (old, new, expected) in [(&old, &new, Some(expected)), (&new, &old, None)] {
            let advice = advise(&old.model, &new.model);
            assert_sound(&advice, &place);
            let (demanded, why) = truth(old, new);
            *tally.bumps.entry(demanded).or_default() += 1;
            if advice.bump != demanded || expected.is_some_and(|expected| demanded != expected) {
                let first: Vec<_> = advice.reasons.iter().take(3).collect();
                tally.wrong.push(format!("{place}: expected {expected:?}, demanded {demanded:?} ({why}), {first:?}"));
            }
        }
    }
    tally
}

#[test]
fn advice_is_what_the_public_items_of_the_crates_demand() {
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let threads: Vec<_> = revisions().map(|revision| scope.spawn(move || judge(revision))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a tally")).collect()
    });
    let mut all = Tally::default();
    for tally in tallies {
        tally.kinds.into_iter().for_each(|(kind, count)| *all.kinds.entry(kind).or_default() += count);
        tally.bumps.into_iter().for_each(|(bump, count)| *all.bumps.entry(bump).or_default() += count);
        all.wrong.extend(tally.wrong);
    }
    assert!(all.wrong.is_empty(), "{} differ:\n{}", all.wrong.len(), all.wrong.join("\n"));
    let counts = |(kind, _, _): &(&'static str, Bump, Edit)| (*kind, all.kinds.get(kind).copied().unwrap_or_default());
    let partial: Vec<(&str, usize)> =
        EDITS.iter().map(counts).filter(|(_, count)| *count != revisions().count()).collect();
    assert_eq!((partial, EDITS.len()), (vec![], 55), "every kind of edit, in every revision");
    let counts = all.bumps.iter().map(|(bump, count)| (format!("{bump:?}"), *count));
    assert_pinned(ALL, "semver_advice", counts.collect::<BTreeMap<_, _>>());
}

#[test]
fn white_space_alone_is_a_patch() {
    let text = official("2025-11-25");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let dense = serde_json::to_string(&document).expect("JSON");
    let (old, new) =
        (written(&text, "2025-11-25", None).expect("old"), written(&dense, "2025-11-25", None).expect("new"));
    let advice = advise(&old.model, &new.model);
    assert_eq!((advice.bump, advice.reasons.len()), (Bump::Patch, 1), "{advice:?}");
    assert_eq!(advice.reasons[0].item, "model.json");
    assert_eq!(truth(&old, &new).0, Bump::Patch);
}

#[test]
fn reasons_name_items_as_rust_does() {
    let revision = "2024-11-05";
    let advice = |kind: &str| {
        let mut document: Value = serde_json::from_str(&official(revision)).expect("JSON");
        let model = |document: &Value| {
            let text = serde_json::to_vec(document).expect("JSON");
            let schema = load::bytes(Path::new("schema.json"), revision, &text).expect("a schema");
            model_as_written(&folder(), &SOURCES, schema, revision).expect("a model")
        };
        let old = model(&document);
        let (_, _, edit) = EDITS.iter().find(|(known, _, _)| *known == kind).expect("an edit");
        edit(document["definitions"].as_object_mut().expect("definitions"), "definitions").expect("its place");
        let reasons = advise(&old, &model(&document)).reasons;
        reasons.into_iter().map(|reason| (reason.bump, reason.item)).collect::<Vec<_>>()
    };
    let origin = (Bump::Patch, "model.json".to_owned());
    let expect = |kind: &str, expected: &[(Bump, &str)]| {
        let expected = expected.iter().map(|(bump, item)| (*bump, (*item).to_owned()));
        assert_eq!(advice(kind), expected.chain([origin.clone()]).collect::<Vec<_>>(), "{kind}");
    };
    // A setter comes and goes with its field, and has no reason of its own.
    expect("optional list added", &[(Bump::Minor, "Tool::colors")]);
    expect("required member added", &[(Bump::Major, "Implementation::new"), (Bump::Minor, "Implementation::vendor")]);
    expect("maximum raised", &[(Bump::Patch, "ModelPreferences::cost_priority")]);
    expect("undeclared members forbidden", &[(Bump::Patch, "Implementation")]);
    expect("enum value removed", &[(Bump::Major, "Role::User")]);
    expect(
        "request that nobody sends added",
        &[
            (Bump::Minor, "PaintRequest"),
            (Bump::Minor, "PaintRequestId"),
            (Bump::Minor, "PaintRequestParams"),
            (Bump::Patch, "METHODS"),
        ],
    );
}

/// Without the fixups, the same errata would break whoever sets a bound or reads a lifetime.
#[test]
fn upstream_errata_would_be_major_as_they_are_written() {
    let path = folder().join("../../shared/spec/2025-11-25/schema.json");
    if !path.is_file() {
        eprintln!("skipped: the schemas of the specification are not beside the checkout");
        return;
    }
    let old = written(&official("2025-11-25"), "2025-11-25", None).expect("the recorded schema");
    let text = std::fs::read_to_string(path).expect("the schema of the specification");
    let new = written(&text, "2025-11-25", Some(&old)).expect("the mended schema");
    let advice = advise(&old.model, &new.model);
    assert_eq!(truth(&old, &new).0, Bump::Major);
    let major: BTreeSet<&str> =
        advice.reasons.iter().filter(|reason| reason.bump == Bump::Major).map(|reason| reason.item.as_str()).collect();
    // Three other types have the members of `Task`.
    let mut expected = BTreeSet::from(["NumberSchema::default", "NumberSchema::maximum", "NumberSchema::minimum"]);
    expected.extend(["Task::new", "Task::ttl", "GetTaskResult::new", "GetTaskResult::ttl"]);
    expected.extend(["CancelTaskResult::new", "CancelTaskResult::ttl"]);
    expected.extend(["TaskStatusNotificationParams::new", "TaskStatusNotificationParams::ttl"]);
    assert_eq!(major, expected);
}

/// What upstream has mended since the recorded bytes, where its schemas lie beside the checkout.
///
/// The fixups have mended all of it before, so that what is left is documentation.
#[test]
fn upstream_errata_are_patches_because_fixups_came_first() {
    let beside = folder().join("../../shared/spec");
    if !beside.is_dir() {
        eprintln!("skipped: the schemas of the specification are not beside the checkout");
        return;
    }
    let mut advised = Vec::new();
    for source in &SOURCES.revisions {
        let recorded = load::official(&folder(), source).expect("the recorded schema");
        let path = beside.join(&source.name).join("schema.json");
        let mut mended = load::file(&path, &source.name).expect("the schema of the specification");
        mended.official = true;
        let sha256 = mended.provenance.sha256.clone();
        mended.provenance = load::Provenance { sha256, ..recorded.provenance.clone() };
        // A fixup that finds nothing to mend is an error, so that it leaves the list, as it would in an update.
        let mut sources = load::sources(&folder()).expect("the schema folder");
        let mut obsolete = Vec::new();
        let mut trial = mended.clone();
        for fixup in mcp_wire_codegen::fixups::FIXUPS {
            let list = sources.fixups.get_mut(fixup.name).expect("a list");
            if list.contains(&source.name) && fixup.apply(&mut trial) == 0 {
                list.retain(|revision| *revision != source.name);
                obsolete.push(fixup.name);
            }
        }
        let old = edition(model_of(&folder(), &SOURCES, recorded).expect("the recorded schema"), None);
        let new = edition(model_of(&folder(), &sources, mended).expect("the mended schema"), Some(&old));
        let advice = advise(&old.model, &new.model);
        assert_sound(&advice, &source.name);
        let (demanded, why) = truth(&old, &new);
        assert_eq!(advice.bump, demanded, "{}: {why}; {:?}", source.name, advice.reasons);
        advised.push((source.name.as_str(), advice.bump, obsolete));
    }
    let mended = [
        ("2024-11-05", Bump::Patch, vec![]),
        ("2025-06-18", Bump::Patch, vec!["number_schema_bounds"]),
        ("2025-11-25", Bump::Patch, vec!["number_schema_bounds", "task_ttl_nullable"]),
    ];
    let others = |name: &&str| !mended.iter().any(|(mended, _, _)| mended == name);
    let others: Vec<_> = revisions().filter(others).map(|name| (name, Bump::None, vec![])).collect();
    let mut expected = [&mended[..], &others].concat();
    expected.sort();
    assert_eq!(advised, expected);
}
