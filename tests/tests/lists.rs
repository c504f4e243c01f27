//! Malformed items of lists and malformed values of maps: kept while nobody changes the list, gone when somebody does, for
//! every list and every map of every revision.

use std::collections::BTreeSet;

use mcp_wire::*;
use mcp_wire_codegen::model::{Content, Format, Member, Revision, Shape, Type, TypeRef};
use mcp_wire_core::__private::Wire;
use mcp_wire_tests::{ALL, REVISIONS, assert_pinned, lists, model, revision, revisions, root};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A list or a map of a revision, and what is tried with it.
struct Site {
    revision: &'static str,
    /// `Type.field`, `Union::Variant` or `Alias`.
    name: &'static str,
    try_all: fn(&Sample),
    /// For a member: what is tried with something else in its place.
    try_whole: Option<fn(&Sample)>,
}

/// A document with a list or a map that holds well-formed and malformed items by turns.
struct Sample {
    name: String,
    /// Where in the document it stands.
    pointer: String,
    document: Value,
    /// The list or map with what the owner sees.
    seen: Value,
    /// The keys or positions of what the owner does not see.
    malformed: Vec<&'static str>,
}

macro_rules! sites {
    ($($revision:ident {
        $($owner:ident . $field:ident)*; $($union:ident :: $variant:ident)*; $($alias:ident)*
    })*) => {
        &[$(
            $(Site {
                revision: $revision::REVISION,
                name: concat!(stringify!($owner), ".", stringify!($field)),
                try_all: |sample| try_all(sample, |owner: &mut $revision::$owner| owner.$field.part()),
                try_whole: Some(|sample| {
                    try_whole(sample, |owner: &mut $revision::$owner| (owner.$field.part().is_some(), &mut owner.extra));
                }),
            },)*
            $(Site {
                revision: $revision::REVISION,
                name: concat!(stringify!($union), "::", stringify!($variant)),
                try_all: |sample| try_all(sample, |union| match union {
                    $revision::$union::$variant(part) => Some(part),
                    _ => None,
                }),
                try_whole: None,
            },)*
            $(Site {
                revision: $revision::REVISION,
                name: stringify!($alias),
                try_all: |sample| try_all(sample, |part: &mut $revision::$alias| Some(part)),
                try_whole: None,
            },)*
        )*]
    };
}

/// All of them, as `build.rs` finds them in the models. A test below finds them in its own way, so that none is missing.
static SITES: &[Site] = lists!(sites);

/// A list or a map, wherever a field has it.
trait Part {
    type Items: Items;
    fn part(&mut self) -> Option<&mut Self::Items>;
}

impl<T: Wire + Clone + 'static> Part for List<T> {
    type Items = Self;
    fn part(&mut self) -> Option<&mut Self> {
        Some(self)
    }
}

impl<T: Wire + Clone + 'static> Part for Dict<T> {
    type Items = Self;
    fn part(&mut self) -> Option<&mut Self> {
        Some(self)
    }
}

impl<P: Part> Part for Option<P> {
    type Items = P::Items;
    fn part(&mut self) -> Option<&mut P::Items> {
        self.as_mut()?.part()
    }
}

/// One way to change a list or a map: its name, how, and what is written then, given what was seen.
type Edit<C> = (&'static str, fn(&mut C), fn(&Value) -> Value);

trait Items: Sized + 'static {
    const EDITS: &'static [Edit<Self>];
    /// A change that keeps malformed items, and what it adds to what was there.
    const KEEPING: Edit<Self>;
    fn seen(&self) -> usize;
    fn malformed(&self) -> Vec<(String, Value)>;
    fn take(&mut self) -> Vec<(String, Value)>;
}

fn same(seen: &Value) -> Value {
    seen.clone()
}

fn one_more(seen: &Value) -> Value {
    let mut changed = seen.clone();
    match &mut changed {
        Value::Array(items) => items.push(seen[0].clone()),
        items => items["new"] = seen["a"].clone(),
    }
    changed
}

fn one_less(seen: &Value) -> Value {
    let mut changed = seen.clone();
    match &mut changed {
        Value::Array(items) => drop(items.remove(0)),
        items => drop(items.as_object_mut().unwrap().shift_remove("a")),
    }
    changed
}

fn nothing(seen: &Value) -> Value {
    if seen.is_array() { json!([]) } else { json!({}) }
}

impl<T: Wire + Clone + 'static> Items for List<T> {
    const EDITS: &'static [Edit<Self>] = &[
        ("retain", |list| list.retain(|_| true), same),
        ("retain none", |list| list.retain(|_| false), nothing),
        ("clear", |list| list.clear(), nothing),
        (
            "push",
            |list| {
                let first = list[0].clone();
                list.push(first);
            },
            one_more,
        ),
        ("extend", |list| list.extend([list[0].clone()]), one_more),
        ("iter_mut", |list| list.iter_mut().for_each(|_| {}), same),
        ("for in", |list| for _ in list {}, same),
        ("index", |list| list[0] = list[0].clone(), same),
        ("first_mut", |list| assert!(list.first_mut().is_some()), same),
        ("swap", |list| list.swap(0, 0), same),
        ("remove", |list| drop(list.remove(0)), one_less),
        ("truncate", |list| list.truncate(0), nothing),
        ("reserve", |list| list.reserve(9), same),
        ("a vector", |list| *list = list.to_vec().into(), same),
        ("collect", |list| *list = std::mem::take(list).into_iter().collect(), same),
        ("into_vec", |list| *list = List::from(std::mem::take(list).into_vec()), same),
        ("drop_malformed", |list| list.drop_malformed(), same),
    ];
    const KEEPING: Edit<Self> = (
        "keeping_malformed",
        |list| {
            let first = list[0].clone();
            list.keeping_malformed().push(first);
        },
        one_more,
    );

    fn seen(&self) -> usize {
        self.len()
    }

    fn malformed(&self) -> Vec<(String, Value)> {
        self.malformed().map(|(place, value)| (place.to_string(), value.to_value())).collect()
    }

    fn take(&mut self) -> Vec<(String, Value)> {
        self.take_malformed().into_iter().map(|(place, value)| (place.to_string(), value.to_value())).collect()
    }
}

impl<T: Wire + Clone + 'static> Items for Dict<T> {
    const EDITS: &'static [Edit<Self>] = &[
        ("retain", |dict| dict.retain(|_, _| true), same),
        ("retain none", |dict| dict.retain(|_, _| false), nothing),
        ("clear", |dict| dict.clear(), nothing),
        (
            "insert",
            |dict| {
                let first = dict["a"].clone();
                dict.insert("new".to_owned(), first);
            },
            one_more,
        ),
        ("extend", |dict| dict.extend([("new".to_owned(), dict["a"].clone())]), one_more),
        ("iter_mut", |dict| dict.iter_mut().for_each(|_| {}), same),
        ("for in", |dict| for _ in dict {}, same),
        ("get_mut", |dict| assert!(dict.get_mut("a").is_some()), same),
        ("values_mut", |dict| dict.values_mut().for_each(|_| {}), same),
        ("remove", |dict| assert!(dict.remove("a").is_some()), one_less),
        ("collect", |dict| *dict = std::mem::take(dict).into_iter().collect(), same),
        ("drop_malformed", |dict| dict.drop_malformed(), same),
    ];
    const KEEPING: Edit<Self> = (
        "keeping_malformed",
        |dict| {
            let first = dict["a"].clone();
            dict.keeping_malformed().insert("new".to_owned(), first);
        },
        one_more,
    );

    fn seen(&self) -> usize {
        self.len()
    }

    fn malformed(&self) -> Vec<(String, Value)> {
        self.malformed().map(|(key, value)| (key.to_owned(), value.to_value())).collect()
    }

    fn take(&mut self) -> Vec<(String, Value)> {
        self.take_malformed().into_iter().map(|(key, value)| (key, value.to_value())).collect()
    }
}

fn try_all<O, C, F>(sample: &Sample, part: F)
where
    O: Wire + Serialize + Clone + PartialEq + std::fmt::Debug,
    C: Items,
    F: Fn(&mut O) -> Option<&mut C>,
{
    let Sample { name, pointer, document, seen, malformed } = sample;
    let whole = document.pointer(pointer).unwrap();
    let of = |key: &str| whole.get(key).or_else(|| whole.get(key.parse::<usize>().ok()?)).unwrap().clone();
    let expected: Vec<(String, Value)> = malformed.iter().map(|key| ((*key).to_owned(), of(key))).collect();
    let count = |items: &Value| items.as_array().map_or_else(|| items.as_object().unwrap().len(), Vec::len);
    // What is written has this list or map where the sample has its own, and is otherwise the same.
    let with = |items: Value| {
        let mut document = document.clone();
        *document.pointer_mut(pointer).unwrap() = items;
        document
    };
    let reported = |owner: &O| -> BTreeSet<String> {
        let of_items =
            |violation: &Violation| violation.pointer.strip_prefix(&format!("{pointer}/")).map(str::to_owned);
        let keys = check(owner).iter().filter_map(of_items).collect::<BTreeSet<String>>();
        keys.iter().map(|key| key.split('/').next().unwrap().to_owned()).collect()
    };
    let all_keys: BTreeSet<String> = malformed.iter().map(|key| (*key).to_owned()).collect();

    for read in [from_str::<O>(&document.to_string()), from_value::<O>(document.clone())] {
        let read = read.unwrap_or_else(|error| panic!("{name}: {error}"));
        let changed = |change: &dyn Fn(&mut C)| {
            let mut owner = read.clone();
            change(part(&mut owner).unwrap_or_else(|| panic!("{name} is not there: {read:?}")));
            (serde_json::to_value(&owner).unwrap(), owner)
        };
        // Nobody has changed anything.
        assert_eq!(serde_json::to_value(&read).unwrap(), *document, "{name}");
        assert_eq!(to_string(&read), serde_json::to_string(&read).unwrap(), "{name}");
        assert_eq!(read.clone(), read, "{name}");
        changed(&|items| {
            assert_eq!(items.seen(), count(seen), "{name}");
            assert_eq!(items.malformed(), expected, "{name}");
        });
        if !malformed.is_empty() {
            assert_eq!(reported(&read), all_keys, "{name}");
        }
        // Somebody has.
        for (edit, change, written) in C::EDITS {
            let (after, owner) = changed(&|items| change(items));
            assert_eq!(after, with(written(seen)), "{name}, {edit}");
            if !malformed.is_empty() {
                assert_eq!(check(&owner), [], "{name}, {edit}");
                assert_ne!(owner, read, "{name}, {edit}");
            }
        }
        let (after, _) = changed(&|items| assert_eq!(items.take(), expected, "{name}"));
        assert_eq!(after, with(seen.clone()), "{name}");
        // Somebody has, and means to keep them.
        let (edit, change, written) = C::KEEPING;
        let (after, owner) = changed(&|items| change(items));
        assert_eq!(after, with(written(whole)), "{name}, {edit}");
        if !malformed.is_empty() {
            assert_eq!(reported(&owner), all_keys, "{name}, {edit}");
        }
    }
}

/// The member is no list and no map at all, though it may be absent.
fn try_whole<O, F>(sample: &Sample, parts: F)
where
    O: Wire + Serialize + Clone + PartialEq + std::fmt::Debug,
    F: Fn(&mut O) -> (bool, &mut Extra),
{
    let Sample { name, pointer, document, .. } = sample;
    let member = pointer.trim_start_matches('/');
    let mut document = document.clone();
    document[member] = json!("evil");
    let mut owner: O = from_value(document.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(serde_json::to_value(&owner).unwrap(), document, "{name}");
    assert!(check(&owner).iter().any(|violation| violation.pointer == *pointer), "{name}");
    let (is_there, extra) = parts(&mut owner);
    assert!(!is_there, "{name}");
    let malformed: Vec<_> = extra.malformed().map(|(name, value)| (name, value.to_json())).collect();
    assert_eq!(malformed, [(member, "evil".into())], "{name}");
    extra.drop_malformed();
    assert_eq!(extra.malformed().count(), 0, "{name}");
    document.as_object_mut().unwrap().shift_remove(member);
    assert_eq!(serde_json::to_value(&owner).unwrap(), document, "{name}");
    assert!(parts(&mut owner).1.is_empty(), "{name}");
}

/// The name as the table above has it; for a member, a small owner and the member's name; the type.
type Found<'m> = (String, Option<(Value, &'m str)>, &'m TypeRef);

/// Finds the lists and maps of a revision in its model, and makes samples of them.
struct Samples<'m> {
    model: &'m Revision,
}

impl<'m> Samples<'m> {
    fn shape(&self, name: &str) -> &'m Type {
        &self.model.types[name]
    }

    /// Without aliases, pointers and the possibility of `null`.
    fn bare(&self, ty: &'m TypeRef) -> &'m TypeRef {
        match ty {
            TypeRef::Nullable(inner) | TypeRef::Boxed(inner) => self.bare(inner),
            TypeRef::Named(name) => match &self.shape(name).shape {
                Shape::Alias(target) => self.bare(target),
                _ => ty,
            },
            _ => ty,
        }
    }

    fn all(&self) -> Vec<Found<'m>> {
        let mut all = Vec::new();
        for (name, ty) in self.model.types.iter().filter(|(_, ty)| !ty.provided) {
            match &ty.shape {
                Shape::Struct(object) => {
                    for member in &object.members {
                        if let Content::Field(field) = &member.content {
                            let owner = (self.object(&object.members), member.wire.as_str());
                            all.push((format!("{name}.{}", field.name), Some(owner), &field.ty));
                        }
                    }
                }
                Shape::Union(union) => {
                    for variant in &union.variants {
                        all.push((format!("{name}::{}", variant.name), None, &variant.ty));
                    }
                }
                Shape::Alias(target) => all.push((name.clone(), None, target)),
                Shape::StringEnum(_) => {}
            }
        }
        all.retain(|(_, _, ty)| matches!(self.bare(ty), TypeRef::List { .. } | TypeRef::Map { .. }));
        all
    }

    fn sample(&self, name: &str, owner: Option<(Value, &str)>, ty: &'m TypeRef) -> Sample {
        let (item, is_list) = match self.bare(ty) {
            TypeRef::List { items, .. } => (&**items, true),
            TypeRef::Map { values } => (&**values, false),
            other => panic!("{name} is {other:?}"),
        };
        let good = self.value(item);
        let malformed = self.malformed(item);
        let odd = |number: i32| malformed.clone().unwrap_or_else(|| json!({ "evil": number }));
        let whole = json!({ "a": good, "b": odd(1), "c": good, "d": odd(2) });
        let seen = if malformed.is_some() { json!({ "a": good, "c": good }) } else { whole.clone() };
        let shaped = |items: Value| match items {
            Value::Object(items) if is_list => items.into_values().collect(),
            items => items,
        };
        let (document, pointer) = match owner {
            None => (shaped(whole), String::new()),
            Some((mut document, member)) => {
                document[member] = shaped(whole);
                (document, format!("/{member}"))
            }
        };
        let keys = if is_list { ["1", "3"] } else { ["b", "d"] };
        let malformed = malformed.map_or_else(Vec::new, |_| keys.to_vec());
        Sample { name: name.to_owned(), pointer, document, seen: shaped(seen), malformed }
    }

    /// A value that does not have the type; a union or anything has a place for every value.
    fn malformed(&self, ty: &'m TypeRef) -> Option<Value> {
        match self.bare(ty) {
            TypeRef::Any => None,
            TypeRef::Named(name) => match &self.shape(name).shape {
                Shape::Union(_) => None,
                Shape::Struct(object) if object.members.iter().any(|member| member.required) => {
                    Some(json!({ "evil": true }))
                }
                _ => Some(json!(7)),
            },
            TypeRef::Boolean | TypeRef::Integer { .. } | TypeRef::Number { .. } => Some(json!("evil")),
            _ => Some(json!(7)),
        }
    }

    /// A small value that conforms to the type.
    fn value(&self, ty: &'m TypeRef) -> Value {
        match self.bare(ty) {
            TypeRef::Any => json!("any"),
            TypeRef::String { format, .. } => match format {
                Some(Format::Byte) => json!("AAAA"),
                Some(Format::Uri) => json!("file:///a"),
                _ => json!("a"),
            },
            TypeRef::Boolean => json!(true),
            TypeRef::Integer { range } | TypeRef::Number { range } => json!(range.minimum.unwrap_or(1.0) as i64),
            TypeRef::Object | TypeRef::Map { .. } => json!({}),
            TypeRef::List { .. } => json!([]),
            TypeRef::Named(name) => match &self.shape(name).shape {
                Shape::Struct(object) => self.object(&object.members),
                Shape::Union(union) => self.value(&union.variants[0].ty),
                Shape::StringEnum(values) => json!(values.values[0].wire),
                Shape::Alias(_) => unreachable!("{name} is no alias"),
            },
            TypeRef::Nullable(_) | TypeRef::Boxed(_) => unreachable!("{ty:?} is bare"),
        }
    }

    fn object(&self, members: &'m [Member]) -> Value {
        let value = |member: &'m Member| match &member.content {
            Content::Constant(value) => value.clone(),
            Content::Field(field) => self.value(&field.ty),
        };
        let required = members.iter().filter(|member| member.required);
        required.map(|member| (member.wire.clone(), value(member))).collect::<Map<_, _>>().into()
    }
}

#[test]
fn every_list_and_map_lets_go_of_malformed_items_when_it_is_changed() {
    let mut malformed = 0;
    for revision in REVISIONS.each_ref().map(|revision| revision.name) {
        let model = model(revision);
        let samples = Samples { model: &model };
        let all = samples.all();
        let listed: BTreeSet<&str> =
            SITES.iter().filter(|site| site.revision == revision).map(|site| site.name).collect();
        assert_eq!(listed, all.iter().map(|(name, _, _)| name.as_str()).collect(), "{revision}");
        for (name, owner, ty) in all {
            let site = SITES.iter().find(|site| site.revision == revision && site.name == name).unwrap();
            let sample = samples.sample(&format!("{name} of {revision}"), owner, ty);
            malformed += usize::from(!sample.malformed.is_empty());
            (site.try_all)(&sample);
        }
        assert_pinned(revision, "lists_and_maps", listed.len());
    }
    // The others hold unions or anything: every item has its place among those that are seen.
    assert_pinned(ALL, "lists_and_maps_with_malformed_items", malformed);
}

/// An optional list or map may be something else altogether. Then its field is `None`, and `extra` shows the member and lets
/// go of it.
#[test]
fn every_optional_list_or_map_that_is_none_can_be_seen_and_dropped() {
    let (mut tried, mut required) = (0, 0);
    for revision in REVISIONS.each_ref().map(|revision| revision.name) {
        let model = model(revision);
        let samples = Samples { model: &model };
        for (name, owner, ty) in samples.all() {
            let site = SITES.iter().find(|site| site.revision == revision && site.name == name).unwrap();
            let (Some(try_whole), Some((members, member))) = (site.try_whole, &owner) else { continue };
            if members.get(member).is_some() {
                required += 1;
                continue;
            }
            try_whole(&samples.sample(&format!("{name} of {revision}"), owner, ty));
            tried += 1;
        }
    }
    assert_pinned(ALL, "list_and_map_members", json!({ "optional": tried, "required": required }));
}

/// What becomes of a malformed member when its object is put together and changed.
#[test]
fn malformed_members_are_seen_and_dropped() {
    let text = r#"{"name":"n","x":1,"inputSchema":{"type":"array"},"icons":5,"title":null,"y":2}"#;
    let read = || from_str::<v2025_11_25::Tool>(text).unwrap();
    let names = |extra: &Extra| extra.malformed().map(|(name, _)| name).collect::<Vec<_>>();
    let written = |tool: &v2025_11_25::Tool| serde_json::to_value(tool).unwrap();

    let mut tool = read();
    assert_eq!((names(&tool.extra), names(&tool.input_schema.extra)), (vec!["icons", "title"], vec!["type"]));
    tool.icons = None;
    assert_eq!(written(&tool), serde_json::from_str::<Value>(text).unwrap(), "as `extra` says");
    tool.extra.drop_malformed();
    tool.input_schema.extra.drop_malformed();
    assert_eq!(to_string(&tool), r#"{"name":"n","inputSchema":{"type":"object"},"x":1,"y":2}"#);
    assert_eq!(tool.check(), []);

    // What the owner puts there is the owner's own.
    let mut tool = read();
    tool.extra.insert("icons", json!([]));
    assert_eq!(names(&tool.extra), ["title"]);
    tool.extra.remove("title");
    assert_eq!(names(&tool.extra), [""; 0]);

    // Of repeated members the last one counts.
    let tool: v2025_11_25::Tool =
        from_str(r#"{"name":"n","inputSchema":{"type":1,"type":"object"},"icons":5,"icons":[],"title":"t","title":7}"#)
            .unwrap();
    assert_eq!((names(&tool.extra), names(&tool.input_schema.extra)), (vec!["title"], vec![]));
    assert_eq!(
        read(),
        from_str(r#"{"y":2,"title":null,"icons":5,"inputSchema":{"type":"array"},"x":1,"name":"n"}"#).unwrap()
    );
}

/// What a gateway writes that lets tools pass by their names.
#[test]
fn a_gateways_allow_list_is_not_bypassed() {
    let good = json!({ "name": "good", "inputSchema": { "type": "object" } });
    let evil = json!({ "name": "evil", "inputSchema": 7 });
    macro_rules! gateways {
        ($($revision:ident)*) => {$({
            use mcp_wire::$revision::{ListToolsResult, ServerMessage, ServerResult};
            let mut result = json!({ "tools": [evil, good, evil] });
            if revision(mcp_wire::$revision::REVISION).has_result_types() {
                result["resultType"] = json!("complete");
                result["ttlMs"] = json!(0);
                result["cacheScope"] = json!("public");
            }
            let mut pending = Pending::new();
            pending.sent.insert(1, "tools/list", ()).unwrap();
            let message = json!({ "jsonrpc": "2.0", "id": 1, "result": result });
            let edits: [(fn(&mut ListToolsResult), usize); 3] = [
                (|list| list.tools.retain(|tool| tool.name == "good"), 1),
                (|list| list.tools.retain(|tool| tool.name != "good"), 0),
                (|list| list.tools.clear(), 0),
            ];
            for (edit, left) in edits {
                let read = ServerMessage::from_str(&message.to_string(), &pending).unwrap();
                assert_eq!(serde_json::to_value(&read).unwrap(), message);
                let Message::Response(mut response) = read else { panic!() };
                let Outcome::Result(ServerResult::ListTools(list)) = &mut response.outcome else { panic!() };
                edit(list);
                let mut expected = message.clone();
                expected["result"]["tools"] = json!(vec![&good; left]);
                assert_eq!(serde_json::to_value(ServerMessage::Response(response)).unwrap(), expected);
            }
        })*};
    }
    revisions!(gateways);
}

/// The same for lists inside lists, which the official schemas do not have.
#[test]
fn lists_of_lists_and_maps_of_lists_keep_their_own() {
    let text = r#"[["a",1,"b"],2,[3]]"#;
    let mut outer: List<List<String>> = from_str(text).unwrap();
    assert_eq!(to_string(&outer), text);
    let malformed = |(place, value): (usize, JsonRef<'_>)| (place, value.to_json());
    assert_eq!(outer.malformed().map(malformed).collect::<Vec<_>>(), [(1, 2.into())]);
    assert_eq!(outer[0].malformed().map(malformed).collect::<Vec<_>>(), [(1, 1.into())]);
    let pointers: Vec<String> = check(&outer).into_iter().map(|violation| violation.pointer.into()).collect();
    assert_eq!(pointers, ["/1", "/0/1", "/2/0"]);
    outer.keeping_malformed()[0].push("c".to_owned());
    assert_eq!(to_string(&outer), r#"[["a","b","c"],2,[3]]"#);
    outer[1].clear();
    assert_eq!(to_string(&outer), r#"[["a","b","c"],[]]"#);

    let text = r#"{"x":["a",1],"y":2,"z":[3]}"#;
    let mut dict: Dict<List<String>> = from_str(text).unwrap();
    assert_eq!(to_string(&dict), text);
    dict.get_mut("x").unwrap().push("b".to_owned());
    assert_eq!(to_string(&dict), r#"{"x":["a","b"],"z":[3]}"#);
}

/// A list is equal to what is written like it.
#[test]
fn equality_sees_malformed_items() {
    let list: List<String> = from_str(r#"["a",1]"#).unwrap();
    assert_ne!(list, vec!["a"]);
    assert_ne!(list, from_str::<List<String>>(r#"["a",2]"#).unwrap());
    assert_ne!(list, from_str::<List<String>>(r#"[1,"a"]"#).unwrap());
    assert_eq!(*list, ["a"]);
    let list: List<String> = from_str(r#"["a"]"#).unwrap();
    assert_eq!(list, ["a"]);
    assert_eq!(list, vec!["a"]);
    assert_eq!(list, &["a"][..]);
    assert_eq!(vec!["a".to_owned()], list);
    assert_eq!(list, List::from(["a".to_owned()]));
    assert_eq!(Vec::from(list), ["a"]);

    let read = |text: &str| from_str::<Dict<String>>(text).unwrap();
    assert_eq!(read(r#"{"a":"1","b":2,"c":3}"#), read(r#"{"c":3,"b":2,"a":"1"}"#));
    assert_ne!(read(r#"{"a":"1","b":2}"#), read(r#"{"a":"1"}"#));
    assert_ne!(read(r#"{"a":"1","b":2}"#), read(r#"{"a":"1","c":2}"#));
    assert_ne!(read(r#"{"a":"1","b":2}"#), read(r#"{"a":"1","b":3}"#));
    assert_eq!(format!("{:?}", read(r#"{"b":2,"a":"1"}"#)), r#"{"b": malformed 2, "a": "1"}"#);
}

/// Every list and map of every generated type is one that keeps malformed items, and says so.
#[test]
fn no_field_is_a_plain_vector_and_each_says_what_becomes_of_malformed_items() {
    let (mut fields, mut noted) = (0, 0);
    for revision in REVISIONS.each_ref().map(|revision| revision.name) {
        for entry in std::fs::read_dir(root().join(format!("generated/mcp-wire-{revision}/src"))).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let mut note = "";
            for line in text.lines().map(str::trim) {
                let field = line.strip_prefix("pub ").filter(|field| !field.starts_with("fn "));
                if let Some((_, ty)) = field.and_then(|field| field.split_once(": ")) {
                    assert!(!ty.contains("Vec<") && !ty.contains("IndexMap<"), "{}: {line}", path.display());
                    fields += usize::from(ty.contains("List<") || ty.contains("Dict<"));
                    noted += usize::from(note.starts_with("/// Malformed "));
                }
                note = line;
            }
        }
    }
    // Some members have an alias for their type, whose items are never malformed; some lists are variants of unions.
    assert_pinned(ALL, "list_and_map_fields", json!({ "all": fields, "noted": noted }));
}
