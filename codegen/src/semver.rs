//! Advise: the model of a revision before and after its schema was corrected in, the version that its crate needs out.
//!
//! A revision is never replaced, but its schema is mended now and then. Whether the crate made from it may call the
//! result a patch depends on what a user's code can see. `view.rs` decides that, so the public items are taken from
//! there; Cargo's guide to semver compatibility says what the difference means. The shape of the generated code decides
//! most of it:
//!
//! - Structs, unions and string enums are `#[non_exhaustive]`: a new field or variant is minor. The enums of methods
//!   (`ClientRequest` and so on) are not, so that a new method is major.
//! - `new` takes what is required: a new required member is major, an optional one is minor.
//! - Handlers have a default for each method, so that a new one is minor.
//! - Aliases are transparent: a member that changes from `String` to an alias of it has not changed.
//! - A `Box` can be seen in a field and in a variant. An addition that makes a variant large is major for that reason.
//!
//! What is left is behaviour: what `check()` reports, what a constant holds, how a union is told apart, what the tables
//! say. It is meant to follow the schema, and the schema says that it was wrong before, so that this is a patch, whether
//! the crate becomes stricter or more lenient.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::model::{Content, Member, Revision, Shape, StringEnum, Struct, Type, Union};
use crate::view::{CrateView, DispatchView, HandlerView, Item, Packaging, StructView, UnionView, view};

/// What must change in the version of a crate, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bump {
    /// Nothing: the crate is the same, byte for byte.
    None,
    /// Code that compiles goes on compiling and finds nothing new to use.
    Patch,
    /// Code that compiles goes on compiling, as far as Cargo's guide promises it.
    Minor,
    /// Code that compiles may stop doing so.
    Major,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// What it demands on its own.
    pub bump: Bump,
    /// What it is about, as Rust names it: `NumberSchema::minimum`, `METHODS`.
    pub item: String,
    /// What happens to it, in one sentence.
    pub what: String,
}

/// What a correction demands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// The worst of the reasons.
    pub bump: Bump,
    /// All differences, the worst first.
    pub reasons: Vec<Reason>,
}

/// Compares two models of one revision as the users of its crate see them.
pub fn advise(old: &Revision, new: &Revision) -> Advice {
    let mut reasons = Vec::new();
    let (before, after) = (Api::of(old), Api::of(new));
    before.compare(&after, &mut reasons);
    let mut behaviour = Behaviour { before: &before, after: &after, reasons: &mut reasons };
    behaviour.compare(old, new);
    // The crate carries its model: whatever else differs is at least there.
    if reasons.is_empty() && serde_json::to_string(old).ok() != serde_json::to_string(new).ok() {
        reasons.push(reason(Bump::Patch, "model.json", "It changes, and nothing besides."));
    }
    reasons.sort_by(|left, right| {
        (Reverse(left.bump), &left.item, &left.what).cmp(&(Reverse(right.bump), &right.item, &right.what))
    });
    reasons.dedup();
    Advice { bump: reasons.first().map_or(Bump::None, |worst| worst.bump), reasons }
}

fn reason(bump: Bump, item: &str, what: impl Into<String>) -> Reason {
    Reason { bump, item: item.to_owned(), what: what.into() }
}

/// What an item is. A field and a function may have the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Type,
    Path,
    Field,
    Variant,
    Function,
    Method,
    Implementation,
    Constant,
}

impl Kind {
    fn noun(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Path => "path",
            Self::Field => "field",
            Self::Variant => "variant",
            Self::Function => "function",
            Self::Method => "method with a default",
            Self::Implementation => "implementation",
            Self::Constant => "constant",
        }
    }
}

type Key = (String, Kind);

struct Public {
    /// What code depends on besides the name.
    signature: String,
    /// What it belongs to. A change of that says all there is to say about what it contains.
    within: Option<Key>,
    /// What it demands when it is new.
    added: Bump,
}

/// The public items of a crate that depend on its schema.
#[derive(Default)]
struct Api {
    items: BTreeMap<Key, Public>,
    aliases: BTreeMap<String, String>,
}

impl Api {
    fn of(revision: &Revision) -> Self {
        let packaging = Packaging { package: String::new(), core: None };
        let view = view(revision, &packaging);
        let mut api = Self::default();
        let items = || view.topics.iter().flat_map(|topic| &topic.items);
        for item in items() {
            if let Item::Alias(alias) = item {
                api.aliases.insert(alias.name.clone(), alias.target.clone());
            }
        }
        for item in items() {
            api.item(item);
        }
        for topic in &view.topics {
            for name in &topic.types {
                api.add(Some(ty(name)), Kind::Path, &format!("{}::{name}", topic.name), String::new());
            }
        }
        api.constants(&view);
        for name in &view.provided {
            api.add(None, Kind::Type, name, "a type of `mcp-wire-core`".to_owned());
        }
        if let Some(dispatch) = &view.dispatch {
            api.dispatch(dispatch);
        }
        api
    }

    fn add(&mut self, within: Option<Key>, kind: Kind, name: &str, signature: String) {
        self.add_as(within, kind, name, signature, Bump::Minor);
    }

    fn add_as(&mut self, within: Option<Key>, kind: Kind, name: &str, signature: String, added: Bump) {
        self.items.insert((name.to_owned(), kind), Public { signature, within, added });
    }

    fn implement(&mut self, of: &str, name: &str, signature: String) {
        self.add(Some(ty(name)), Kind::Implementation, &format!("impl {of} for {name}"), signature);
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Struct(object) => self.object(object),
            Item::Union(union) => self.union(union),
            Item::StringEnum(values) => {
                let name = &values.name;
                self.add(None, Kind::Type, name, "an enum of strings".to_owned());
                for value in &values.values {
                    self.add(Some(ty(name)), Kind::Variant, &format!("{name}::{}", value.name), String::new());
                }
                if values.ordered {
                    self.add(Some(ty(name)), Kind::Function, &format!("{name}::rank"), String::new());
                    self.implement("PartialOrd", name, String::new());
                }
            }
            Item::Alias(alias) => {
                let target = self.plain(&alias.target);
                self.add(None, Kind::Type, &alias.name, format!("`{target}`"));
            }
        }
    }

    fn object(&mut self, object: &StructView) {
        let name = &object.name;
        self.add(None, Kind::Type, name, "a struct".to_owned());
        // The names of parameters count: two of one type that change places are not noticed by any compiler.
        let parameters = self.plain(&object.parameters);
        self.add(Some(ty(name)), Kind::Function, &format!("{name}::new"), format!("`({parameters})`"));
        if object.derives.contains("Default") || object.new_is_default {
            self.implement("Default", name, String::new());
        }
        for field in &object.fields {
            let key = (format!("{name}::{}", field.name), Kind::Field);
            let signature = format!("`{}`", self.plain(&field.ty));
            self.add(Some(ty(name)), Kind::Field, &key.0, signature);
            if let Some((setter, parameter)) = &field.setter.0 {
                let parameter = format!("`({})`", self.plain(parameter));
                self.add(Some(key), Kind::Function, &format!("{name}::{setter}"), parameter);
            }
        }
    }

    fn union(&mut self, union: &UnionView) {
        let name = &union.name;
        self.add(None, Kind::Type, name, "an enum".to_owned());
        for variant in &union.variants {
            let held = format!("`{}`", self.plain(&variant.held));
            self.add(Some(ty(name)), Kind::Variant, &format!("{name}::{}", variant.name), held);
            for from in &variant.conversions.0 {
                let from = self.plain(from);
                self.implement(&format!("From<{from}>"), name, String::new());
            }
        }
    }

    fn constants(&mut self, view: &CrateView) {
        for code in &view.error_codes {
            self.add(None, Kind::Constant, &format!("error_codes::{}", code.name), String::new());
        }
    }

    fn dispatch(&mut self, dispatch: &DispatchView) {
        self.add(None, Kind::Constant, "METHODS", String::new());
        for request in &dispatch.requests {
            let signature = format!("`{}` and `{}`", self.plain(&request.params), self.plain(&request.result));
            self.implement("Request", &request.message, signature);
        }
        for notification in &dispatch.notifications {
            let signature = format!("`{}`", self.plain(&notification.params));
            self.implement("Notification", &notification.message, signature);
        }
        for body in &dispatch.bodies {
            let name = body.name;
            self.add(None, Kind::Type, name, "an enum of methods".to_owned());
            for variant in &body.variants {
                let held = format!("`{}`", self.plain(&variant.held));
                self.add_as(
                    Some(ty(name)),
                    Kind::Variant,
                    &format!("{name}::{}", variant.name),
                    held,
                    // The enum is meant to be matched without a wildcard.
                    Bump::Major,
                );
            }
            for from in body.variants.iter().flat_map(|variant| &variant.conversions.0) {
                let from = self.plain(from);
                self.implement(&format!("From<{from}>"), name, String::new());
            }
        }
        for side in &dispatch.sides {
            let result = self.plain(&side.result);
            let batch = if dispatch.has_batches { "with" } else { "without" };
            // The side and the messages that it reads name the same types.
            self.add(None, Kind::Type, side.side, format!("a side that reads `{result}`, {batch} batches"));
            self.add(None, Kind::Type, side.message, format!("a message with `{result}`, {batch} batches"));
            self.add(None, Kind::Type, side.handler, "a trait".to_owned());
            self.handlers(side.handler, side.requests.iter().chain(&side.notifications));
            self.add(
                Some(ty(side.handler)),
                Kind::Method,
                &format!("{}::response", side.handler),
                format!("`({result})`"),
            );
        }
        if let Some(input) = &dispatch.input {
            let name = crate::names::embedded_handler();
            self.add(None, Kind::Type, name, "a trait".to_owned());
            self.handlers(name, input.methods.iter());
            let one = format!("`({}) -> {}`", self.plain(&input.union), self.plain(&input.response));
            self.add(Some(ty(name)), Kind::Method, &format!("{name}::answer_input"), one);
            if let Some((requests, responses)) = &input.maps {
                let all = format!("`({}) -> {}`", self.plain(requests), self.plain(responses));
                self.add(Some(ty(name)), Kind::Method, &format!("{name}::answer_inputs"), all);
            }
        }
        if let Some(error) = &dispatch.error {
            let error = self.plain(error);
            self.implement("From<ErrorObject>", &error, String::new());
            self.implement("Into<ErrorObject>", &error, String::new());
        }
    }

    fn handlers<'a>(&mut self, handler: &str, methods: impl Iterator<Item = &'a HandlerView>) {
        for method in methods {
            let name = format!("{handler}::{}", method.name);
            let signature = format!("`({}) -> {}`", self.plain(&method.params), self.plain(&method.result));
            self.add(Some(ty(handler)), Kind::Method, &name, signature);
        }
    }

    /// Rust as the compiler sees it: without the paths that only say where a name comes from, and without aliases.
    fn plain(&self, rust: &str) -> String {
        self.expand(rust, 0)
    }

    fn expand(&self, rust: &str, depth: usize) -> String {
        /// The lowering refuses longer chains of definitions; a model may come from elsewhere.
        const DEEPEST: usize = 500;
        let bare = rust.replace("mcp_wire_core::", "").replace("wire::", "").replace("crate::", "");
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut plain = String::new();
        let mut rest = bare.as_str();
        while !rest.is_empty() {
            let (word, after) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
            match self.aliases.get(word) {
                Some(target) if depth < DEEPEST => plain.push_str(&self.expand(target, depth + 1)),
                _ => plain.push_str(word),
            }
            let (marks, after) = after.split_at(after.find(is_word).unwrap_or(after.len()));
            plain.push_str(marks);
            rest = after;
        }
        plain
    }

    fn compare(&self, new: &Self, reasons: &mut Vec<Reason>) {
        for (key, public) in &self.items {
            if !self.is_settled(new, public) {
                continue;
            }
            let noun = key.1.noun();
            match new.items.get(key) {
                None => reasons.push(reason(Bump::Major, &key.0, format!("The {noun} is gone."))),
                Some(after) if after.signature != public.signature => {
                    let what = match key.1 {
                        Kind::Type => "What it is",
                        Kind::Field | Kind::Variant => "Its type",
                        Kind::Implementation => "What it refers to",
                        _ => "Its signature",
                    };
                    let change = format!("{what} changes from {} to {}.", public.signature, after.signature);
                    reasons.push(reason(Bump::Major, &key.0, change));
                }
                Some(_) => {}
            }
        }
        for (key, public) in &new.items {
            if !self.items.contains_key(key) && self.is_settled(new, public) {
                let noun = key.1.noun();
                let what = match public.added {
                    Bump::Major => format!("A new {noun} of an enum that can be matched without a wildcard."),
                    _ => format!("A new {noun}."),
                };
                reasons.push(reason(public.added, &key.0, what));
            }
        }
    }

    /// Whether that which the item belongs to is the same in both, so that the item itself is worth a word.
    fn is_settled(&self, new: &Self, public: &Public) -> bool {
        public.within.as_ref().is_none_or(|within| self.agrees(new, within))
    }

    /// Whether both have the item, and nothing about itself differs.
    fn agrees(&self, new: &Self, key: &Key) -> bool {
        match (self.items.get(key), new.items.get(key)) {
            (Some(before), Some(after)) => before.signature == after.signature,
            _ => false,
        }
    }
}

fn ty(name: &str) -> Key {
    (name.to_owned(), Kind::Type)
}

/// What changes although no item does: a patch each.
struct Behaviour<'a> {
    before: &'a Api,
    after: &'a Api,
    reasons: &'a mut Vec<Reason>,
}

impl Behaviour<'_> {
    fn patch(&mut self, item: &str, what: impl Into<String>) {
        self.reasons.push(reason(Bump::Patch, item, what));
    }

    fn compare(&mut self, old: &Revision, new: &Revision) {
        if old.name != new.name {
            // Its crate has another name too: whoever wants the one has no use for the other.
            let what = format!("The crate speaks {:?} instead of {:?}.", new.name, old.name);
            self.reasons.push(reason(Bump::Major, "REVISION", what));
        }
        for (name, before) in &old.types {
            if let Some(after) = new.types.get(name) {
                self.named(name, before, after);
            }
        }
        self.methods(old, new);
        for before in &old.error_codes {
            let Some(after) = new.error_codes.iter().find(|code| code.name == before.name) else { continue };
            let item = format!("error_codes::{}", before.name);
            if before.code != after.code {
                self.patch(&item, format!("Its value changes from {} to {}.", before.code, after.code));
            }
            if before.doc != after.doc {
                self.patch(&item, "Its documentation changes.");
            }
        }
        if old.deferred != new.deferred {
            self.patch("Connection", "How the result of a task is fetched changes.");
        }
        if old.provenance != new.provenance || old.official != new.official {
            self.patch("model.json", "It states another origin, as the documentation of the crate does.");
        }
        if old.fixups != new.fixups {
            self.patch("model.json", "It lists other corrections of the schema.");
        }
    }

    fn named(&mut self, name: &str, before: &Type, after: &Type) {
        if before.doc != after.doc || before.deprecated != after.deprecated {
            self.patch(name, "Its documentation changes.");
        }
        if before.definition != after.definition {
            let shown = |ty: &Type| ty.definition.as_ref().map_or("nothing".to_owned(), |name| format!("{name:?}"));
            let what = format!("`{name}` is listed as {} instead of {}.", shown(after), shown(before));
            self.patch("registry::TYPES", what);
        }
        if before.pointer != after.pointer {
            self.patch(name, "It stands elsewhere in the schema.");
        }
        // What has become something else is reported already, and nothing about it can be compared.
        if !self.before.agrees(self.after, &ty(name)) {
            return;
        }
        match (&before.shape, &after.shape) {
            (Shape::Struct(before), Shape::Struct(after)) => self.object(name, before, after),
            (Shape::Union(before), Shape::Union(after)) => self.union(name, before, after),
            (Shape::StringEnum(before), Shape::StringEnum(after)) => self.string_enum(name, before, after),
            (Shape::Alias(before), Shape::Alias(after)) if before != after => {
                self.patch(name, "`check()` judges its values by other limits, or it is spelled differently.");
            }
            _ => {}
        }
    }

    fn object(&mut self, name: &str, before: &Struct, after: &Struct) {
        let find = |object: &Struct, wire: &str| object.members.iter().find(|member| member.wire == wire).cloned();
        for member in &before.members {
            match find(after, &member.wire) {
                Some(other) => self.member(name, member, &other),
                None if matches!(member.content, Content::Constant(_)) => {
                    self.patch(name, format!("The constant {:?} is not written any more.", member.wire));
                }
                None => {}
            }
        }
        for member in &after.members {
            if matches!(member.content, Content::Constant(_)) && find(before, &member.wire).is_none() {
                self.patch(name, format!("The constant {:?} is written and checked.", member.wire));
            }
        }
        let shared = |object: &Struct, other: &Struct| -> Vec<String> {
            let names = object.members.iter().map(|member| member.wire.clone());
            names.filter(|wire| find(other, wire).is_some()).collect()
        };
        if shared(before, after) != shared(after, before) {
            self.patch(name, "Its members are written in another order.");
        }
        if before.additional != after.additional {
            self.patch(name, "`check()` judges members that the schema does not declare differently.");
        }
    }

    fn member(&mut self, owner: &str, before: &Member, after: &Member) {
        let wire = &before.wire;
        let documented = before.doc != after.doc || before.deprecated != after.deprecated;
        match (&before.content, &after.content) {
            (Content::Constant(was), Content::Constant(is)) => {
                if was != is {
                    self.patch(owner, format!("The constant {wire:?} is {is} instead of {was}."));
                }
                if before.required != after.required {
                    self.patch(owner, format!("`check()` judges the absence of the constant {wire:?} differently."));
                }
            }
            (Content::Field(was), Content::Field(is)) => {
                let key = (format!("{owner}::{}", was.name), Kind::Field);
                if documented {
                    self.patch(&key.0, "Its documentation changes.");
                }
                let same = (&was.ty, was.lenient, &was.initial, &was.absence, before.required)
                    == (&is.ty, is.lenient, &is.initial, &is.absence, after.required);
                if !same && self.before.agrees(self.after, &key) {
                    self.patch(&key.0, "`check()` judges it by other limits, or its type is spelled differently.");
                }
            }
            // One of them is a field, which has come or gone.
            _ => {
                self.patch(owner, format!("The member {wire:?} has a fixed value in one schema, and any in the other."))
            }
        }
    }

    fn union(&mut self, name: &str, before: &Union, after: &Union) {
        if before.rules != after.rules {
            self.patch(name, "Its variants are told apart differently when a value is read.");
        }
        for variant in &before.variants {
            let key = (format!("{name}::{}", variant.name), Kind::Variant);
            let other = after.variants.iter().find(|other| other.name == variant.name);
            if other.is_some_and(|other| other.ty != variant.ty) && self.before.agrees(self.after, &key) {
                self.patch(&key.0, "`check()` judges it by other limits, or its type is spelled differently.");
            }
        }
    }

    fn string_enum(&mut self, name: &str, before: &StringEnum, after: &StringEnum) {
        if before.open != after.open {
            let what = if after.open { "accepts" } else { "reports" };
            self.patch(name, format!("`check()` {what} values that the schema does not list."));
        }
        for value in &before.values {
            let other = after.values.iter().find(|other| other.name == value.name);
            if let Some(other) = other.filter(|other| other.wire != value.wire) {
                let what = format!("It stands for {:?} instead of {:?}.", other.wire, value.wire);
                self.patch(&format!("{name}::{}", value.name), what);
            }
        }
        let shared = |values: &StringEnum, others: &StringEnum| -> Vec<String> {
            let has = |name: &String| others.values.iter().any(|other| other.name == *name);
            values.values.iter().map(|value| value.name.clone()).filter(has).collect()
        };
        if shared(before, after) != shared(after, before) {
            self.patch(name, "Its values have another order.");
        }
    }

    fn methods(&mut self, old: &Revision, new: &Revision) {
        let has = |revision: &Revision, name: &str| revision.methods.iter().any(|method| method.method == name);
        for before in &old.methods {
            match new.methods.iter().find(|method| method.method == before.method) {
                None => self.patch("METHODS", format!("The row of {:?} is gone.", before.method)),
                Some(after) if after != before => {
                    self.patch("METHODS", format!("The row of {:?} changes.", before.method));
                }
                Some(_) => {}
            }
        }
        for after in new.methods.iter().filter(|method| !has(old, &method.method)) {
            self.patch("METHODS", format!("A new row: {:?}.", after.method));
        }
    }
}
