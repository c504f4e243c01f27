//! Makes valid JSON documents from the definitions of a JSON schema.
//!
//! The schema is first compiled into a graph. A node stands for the schemas that one place of a
//! document has to satisfy together, and a shape is one concrete way to satisfy them: every
//! `anyOf` branch, `enum` value and entry of a type array has been decided. Walking the graph
//! makes documents. It also tells which choices exist, so the coverage of a family is measured.

use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;

/// A choice in the schema: a JSON pointer and an index.
///
/// * `(…/anyOf, i)`, `(…/enum, i)`, `(…/type, i)`: the entry `i` of that array was taken.
/// * `(…/properties, i)`: the optional member `i` was left out.
/// * `(schema, 0)`: the schema was used.
/// * `(schema, 1..)`: a free-form schema was used with this kind of JSON value, null first.
pub type Point = (String, usize);

#[derive(Debug, Default)]
pub struct Family {
    pub documents: Vec<Value>,
    pub visited: BTreeSet<Point>,
    pub reachable: BTreeSet<Point>,
}

/// The graph of a schema document, from which the documents are made.
pub struct Instances<'s> {
    document: &'s Value,
    roots: Vec<(&'s str, Id)>,
    nodes: Vec<Vec<Shape<'s>>>,
    /// A node is known by the pointers to its schemas.
    keys: Table<Vec<String>>,
    points: Table<Point>,
}

/// A number for a node or for a point.
type Id = usize;

/// Numbers things in the order of their first appearance.
struct Table<T> {
    all: Vec<T>,
    ids: HashMap<T, Id>,
}

impl<T: Clone + Eq + Hash> Table<T> {
    fn new() -> Self {
        let (all, ids) = (Vec::new(), HashMap::new());
        Self { all, ids }
    }

    fn id(&mut self, thing: T) -> Id {
        *self.ids.entry(thing).or_insert_with_key(|thing| {
            self.all.push(thing.clone());
            self.all.len() - 1
        })
    }
}

/// The node that no schema restricts; it is always the first one.
const UNRESTRICTED: Id = 0;
/// Further documents that only vary values, after every choice has been visited.
const VARIATIONS: usize = 12;
/// An array is filled up to `maxItems` only if that does not make the document unwieldy.
const LONGEST: usize = 128;
/// The kinds of JSON values that a free-form schema takes turns over.
const FREE_KINDS: usize = 6;

struct Shape<'s> {
    kind: Kind<'s>,
    schemas: Vec<&'s Value>,
    /// The choices that taking this shape visits.
    trail: Vec<Id>,
    members: Vec<Member<'s>>,
    /// The node of undeclared members of an object.
    extra: Option<Id>,
    /// The node of the items of an array.
    items: Option<Id>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind<'s> {
    Fixed(&'s Value),
    /// A value of the JSON Schema type of this name.
    Type(&'s str),
    /// Any value at all, of one of the `FREE_KINDS`.
    Free(usize),
}

struct Member<'s> {
    name: &'s str,
    node: Id,
    required: bool,
    /// The choices that leaving this member out visits.
    absent: Vec<Id>,
}

impl<'s> Instances<'s> {
    pub fn new(document: &'s Value) -> Self {
        let mut graph =
            Self { document, roots: Vec::new(), nodes: Vec::new(), keys: Table::new(), points: Table::new() };
        // The key without schemas comes first and thereby becomes `UNRESTRICTED`.
        graph.keys.id(Vec::new());
        for keyword in ["$defs", "definitions"] {
            for (name, _) in members(document, keyword) {
                let id = graph.keys.id(vec![join(&format!("/{keyword}"), name)]);
                graph.roots.push((name, id));
            }
        }
        // Compiling a node may ask for new ones, hence the loop over a growing list.
        while let Some(key) = graph.keys.all.get(graph.nodes.len()).cloned() {
            let mut all = vec![Alternative::default()];
            for pointer in &key {
                all = product(&all, &graph.alternatives(pointer, &mut Vec::new()));
            }
            let shapes = all.iter().flat_map(|one| graph.shapes(one)).collect();
            graph.nodes.push(shapes);
        }
        graph
    }

    pub fn definitions(&self) -> impl Iterator<Item = &'s str> {
        self.roots.iter().map(|&(name, _)| name)
    }

    /// Only required members, shortest arrays, first branch.
    pub fn minimal(&self, definition: &str) -> Option<Value> {
        Run::new(self, Mode::Least).value(self.root(definition)?)
    }

    /// Every declared member, two items per array and map where allowed, and an undeclared
    /// member where the object is not closed.
    pub fn maximal(&self, definition: &str) -> Option<Value> {
        Run::new(self, Mode::Full).value(self.root(definition)?)
    }

    /// A deterministic set of valid documents that together visit every reachable choice.
    pub fn family(&self, definition: &str) -> Family {
        let Some(root) = self.root(definition) else {
            return Family::default();
        };
        let mut run = Run::new(self, Mode::Least);
        let Some(least) = run.value(root) else {
            return Family::default();
        };
        // The turns start over, so that this is the same document as `maximal` makes.
        run.turns.fill(0);
        run.mode = Mode::Full;
        let mut documents = vec![Some(least), run.value(root)];
        run.mode = Mode::Vary;
        let places = self.places(root);
        while run.survey(&places) {
            let before = run.visited.clone();
            documents.push(run.value(root));
            // Each round visits at least the nearest choice that remains. If one does not, the
            // choice exists only deeper than recursion goes, and further rounds are of no use.
            if run.visited == before {
                break;
            }
        }
        documents.extend((0..VARIATIONS).map(|_| run.value(root)));
        // A small definition has few documents, which then come out more than once.
        let mut texts = HashSet::new();
        documents.retain(|document| texts.insert(format!("{document:?}")));
        let shapes = places.iter().flat_map(|&id| &self.nodes[id]);
        let visited = (0..run.visited.len()).filter(|&id| run.visited[id]);
        let point = |id: Id| self.points.all[id].clone();
        Family {
            documents: documents.into_iter().flatten().collect(),
            visited: visited.map(point).collect(),
            reachable: shapes.flat_map(Shape::points).map(point).collect(),
        }
    }

    fn root(&self, definition: &str) -> Option<Id> {
        let found = self.roots.iter().find(|root| root.0 == definition);
        found.map(|&(_, id)| id)
    }

    /// Every node below `root`, itself included.
    fn places(&self, root: Id) -> BTreeSet<Id> {
        let mut places = BTreeSet::from([root]);
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            let children = self.nodes[id].iter().flat_map(Shape::children);
            open.extend(children.filter(|&child| places.insert(child)));
        }
        places
    }

    /// Every way to decide the choices in a schema, with the schemas that then apply.
    fn alternatives(&self, pointer: &str, active: &mut Vec<String>) -> Vec<Alternative<'s>> {
        // A schema that leads back to itself without a value in between allows nothing.
        let circular = active.iter().any(|other| other == pointer);
        let schema = match self.document.pointer(pointer) {
            Some(schema) if !circular && *schema != Value::Bool(false) => schema,
            _ => return Vec::new(),
        };
        active.push(pointer.to_owned());
        let mut all = vec![Alternative {
            parts: vec![(pointer.to_owned(), schema)],
            trail: vec![(pointer.to_owned(), 0)],
            types: text(schema, "type").into_iter().collect(),
            values: schema.get("const").into_iter().collect(),
        }];
        if let Some(target) = text(schema, "$ref") {
            let target = target.trim_start_matches('#');
            all = product(&all, &self.alternatives(target, active));
        }
        for index in 0..list(schema, "allOf").len() {
            let branch = format!("{pointer}/allOf/{index}");
            all = product(&all, &self.alternatives(&branch, active));
        }
        for keyword in ["anyOf", "type", "enum"] {
            if let Some(entries) = schema.get(keyword).and_then(Value::as_array) {
                let site = join(pointer, keyword);
                all = product(&all, &self.union(&site, keyword, entries, active));
            }
        }
        active.pop();
        all
    }

    fn union(&self, site: &str, keyword: &str, entries: &'s [Value], active: &mut Vec<String>) -> Vec<Alternative<'s>> {
        let mut union = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let mut branches = vec![Alternative::default()];
            match keyword {
                "type" => branches[0].types.extend(entry.as_str()),
                "enum" => branches[0].values.push(entry),
                _ => branches = self.alternatives(&format!("{site}/{index}"), active),
            }
            for mut branch in branches {
                branch.trail.push((site.to_owned(), index));
                union.push(branch);
            }
        }
        union
    }

    fn shapes(&mut self, alternative: &Alternative<'s>) -> Vec<Shape<'s>> {
        let parts = &alternative.parts;
        let sites = |keyword: &str| {
            let used = parts.iter().filter(|part| part.1.get(keyword).is_some());
            used.map(|part| join(&part.0, keyword)).collect()
        };
        let mut shapes = Vec::new();
        for kind in alternative.kinds() {
            let mut trail = alternative.trail.clone();
            if let (Kind::Free(index), Some((pointer, _))) = (kind, parts.last()) {
                trail.push((pointer.clone(), index + 1));
            }
            let object = kind == Kind::Type("object");
            let array = kind == Kind::Type("array");
            shapes.push(Shape {
                kind,
                trail: trail.into_iter().map(|point| self.points.id(point)).collect(),
                schemas: parts.iter().map(|part| part.1).collect(),
                members: if object { self.members(parts) } else { Vec::new() },
                extra: object.then(|| self.keys.id(sites("additionalProperties"))),
                items: array.then(|| self.keys.id(sites("items"))),
            });
        }
        shapes
    }

    fn members(&mut self, parts: &[(String, &'s Value)]) -> Vec<Member<'s>> {
        let mut names: Vec<&'s str> = Vec::new();
        for &(_, schema) in parts {
            let declared = members(schema, "properties").map(|(name, _)| name.as_str());
            let required = list(schema, "required").iter().filter_map(Value::as_str);
            names.extend(declared.chain(required));
        }
        let mut known = HashSet::new();
        names.retain(|name| known.insert(*name));
        names.iter().map(|name| self.member(parts, name)).collect()
    }

    fn member(&mut self, parts: &[(String, &'s Value)], name: &'s str) -> Member<'s> {
        let (mut sites, mut absent, mut required) = (Vec::new(), Vec::new(), false);
        for (pointer, schema) in parts {
            let properties = join(pointer, "properties");
            let mut declared = members(schema, "properties");
            if let Some(index) = declared.position(|(other, _)| other == name) {
                sites.push(join(&properties, name));
                absent.push(self.points.id((properties, index)));
            } else if schema.get("additionalProperties").is_some() {
                // Another schema of the same place declares the member, this one does not.
                sites.push(join(pointer, "additionalProperties"));
            }
            required |= list(schema, "required").iter().any(|other| other == name);
        }
        let node = self.keys.id(sites);
        Member { name, node, required, absent }
    }
}

/// The schemas of one place, with the decisions taken so far.
#[derive(Clone, Default)]
struct Alternative<'s> {
    parts: Vec<(String, &'s Value)>,
    trail: Vec<Point>,
    types: Vec<&'s str>,
    values: Vec<&'s Value>,
}

impl<'s> Alternative<'s> {
    fn both(&self, other: &Self) -> Self {
        Self {
            parts: [&self.parts[..], &other.parts].concat(),
            trail: [&self.trail[..], &other.trail].concat(),
            types: [&self.types[..], &other.types].concat(),
            values: [&self.values[..], &other.values].concat(),
        }
    }

    /// The kinds of values that satisfy `type`, `enum` and `const` of all the schemas together.
    fn kinds(&self) -> Vec<Kind<'s>> {
        let all = |test: &dyn Fn(&str) -> bool| self.types.iter().all(|name| test(name));
        if let Some(value) = self.values.first() {
            let same = self.values.iter().all(|other| other == value);
            let fits = same && all(&|name| is_of_type(value, name));
            return fits.then_some(Kind::Fixed(value)).into_iter().collect();
        }
        let narrows = |pair: (&str, &str)| pair.0 == pair.1 || pair == ("integer", "number");
        let mut types = self.types.iter();
        let narrowest = types.find(|one| all(&|other| narrows((one, other))));
        let used = |keyword: &str| self.parts.iter().any(|part| part.1.get(keyword).is_some());
        match narrowest {
            Some(name) => vec![Kind::Type(name)],
            None if !self.types.is_empty() => Vec::new(),
            // A schema without `type` that speaks of members or items means that type.
            None if used("properties") || used("required") => vec![Kind::Type("object")],
            None if used("additionalProperties") => vec![Kind::Type("object")],
            None if used("items") => vec![Kind::Type("array")],
            None => (0..FREE_KINDS).map(Kind::Free).collect(),
        }
    }
}

fn product<'s>(left: &[Alternative<'s>], right: &[Alternative<'s>]) -> Vec<Alternative<'s>> {
    let with = |one: &Alternative<'s>| right.iter().map(|other| one.both(other)).collect();
    left.iter().flat_map::<Vec<_>, _>(with).collect()
}

impl Shape<'_> {
    fn optional(&self) -> impl Iterator<Item = (usize, &Member<'_>)> {
        let members = self.members.iter().enumerate();
        members.filter(|(_, member)| !member.required)
    }

    fn points(&self) -> impl Iterator<Item = Id> {
        let absent = self.optional().flat_map(|(_, member)| &member.absent);
        self.trail.iter().chain(absent).copied()
    }

    fn children(&self) -> impl Iterator<Item = Id> {
        let members = self.members.iter().map(|member| member.node);
        let empty = || self.lengths("minItems", "maxItems").1 == 0;
        let items = self.items.filter(|_| !empty());
        members.chain(self.extra).chain(items)
    }

    /// The tightest bound that the schemas set together.
    fn bound(&self, keyword: &str, tighter: fn(f64, f64) -> f64) -> Option<f64> {
        let bounds = self.schemas.iter().map(|schema| schema.get(keyword));
        bounds.filter_map(|bound| bound?.as_f64()).reduce(tighter)
    }

    fn lengths(&self, least: &str, most: &str) -> (usize, usize) {
        let least = self.bound(least, f64::max).map_or(0, |n| n as usize);
        let most = self.bound(most, f64::min).map(|n| n as usize);
        // Contradicting bounds must not make `clamp` panic.
        (least, most.unwrap_or(usize::MAX).max(least))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Least,
    Full,
    /// Like `Full`, but seeks what was not visited and leaves something out now and then.
    Vary,
}

/// The making of documents; what was visited before steers what comes next.
struct Run<'g, 's> {
    graph: &'g Instances<'s>,
    mode: Mode,
    visited: Vec<bool>,
    /// How often each node has been used, which makes its shapes and values take turns.
    turns: Vec<usize>,
    /// How many steps below each node the nearest choice is that was not visited.
    far: Vec<usize>,
    stack: Vec<Id>,
}

impl<'g, 's> Run<'g, 's> {
    fn new(graph: &'g Instances<'s>, mode: Mode) -> Self {
        Self {
            graph,
            mode,
            visited: vec![false; graph.points.all.len()],
            turns: vec![0; graph.nodes.len()],
            far: vec![usize::MAX; graph.nodes.len()],
            stack: Vec::new(),
        }
    }

    fn visit(&mut self, points: &[Id]) {
        points.iter().for_each(|&point| self.visited[point] = true);
    }

    /// Measures how far the choices are that remain; `false` if there are none.
    fn survey(&mut self, places: &BTreeSet<Id>) -> bool {
        self.far.fill(usize::MAX);
        let mut changed = true;
        while changed {
            changed = false;
            for &id in places {
                let shapes = self.graph.nodes[id].iter();
                let far = shapes.map(|shape| self.distance(shape)).min();
                changed |= far.is_some_and(|far| far < self.far[id]);
                self.far[id] = far.unwrap_or(usize::MAX);
            }
        }
        places.iter().any(|&id| self.far[id] == 0)
    }

    fn distance(&self, shape: &Shape) -> usize {
        if shape.points().any(|point| !self.visited[point]) {
            return 0;
        }
        let nearest = shape.children().map(|child| self.far[child]).min();
        nearest.unwrap_or(usize::MAX).saturating_add(1)
    }

    /// A value for a node. There is none if the node cannot exist without containing itself.
    fn value(&mut self, id: Id) -> Option<Value> {
        let nested = self.stack.iter().filter(|&&other| other == id).count();
        if nested > 1 {
            return None;
        }
        let mode = self.mode;
        if nested == 1 {
            self.mode = Mode::Least;
        }
        self.stack.push(id);
        let shapes = &self.graph.nodes[id];
        let turn = self.turns[id];
        self.turns[id] += 1;
        let first = if mode == Mode::Least { 0 } else { turn };
        let mut order: Vec<usize> = (0..shapes.len()).collect();
        order.rotate_left(first % shapes.len().max(1));
        if self.mode == Mode::Vary {
            order.sort_by_key(|&index| self.distance(&shapes[index]));
        }
        // Different nodes start at different places of the value lists.
        let seed = id + turn / shapes.len().max(1);
        let value = order.iter().find_map(|&index| self.shape(&shapes[index], seed));
        self.stack.pop();
        self.mode = mode;
        value
    }

    fn shape(&mut self, shape: &Shape, seed: usize) -> Option<Value> {
        let value = match shape.kind {
            Kind::Fixed(value) => value.clone(),
            Kind::Free(kind) => free(kind, seed),
            Kind::Type("object") => self.object(shape, seed)?,
            Kind::Type("array") => self.array(shape, seed)?,
            Kind::Type("string") => string(shape, seed),
            Kind::Type("boolean") => json!(seed.is_multiple_of(2)),
            Kind::Type("null") => Value::Null,
            Kind::Type(name) => number(shape, seed, name == "integer"),
        };
        self.visit(&shape.trail);
        Some(value)
    }

    fn object(&mut self, shape: &Shape, seed: usize) -> Option<Value> {
        let mut object = Map::new();
        let left_out = self.left_out(shape, seed);
        for (index, member) in shape.members.iter().enumerate() {
            let wanted = !left_out.contains(&index);
            if let Some(value) = wanted.then(|| self.value(member.node)).flatten() {
                object.insert(member.name.to_owned(), value);
            } else if member.required {
                return None;
            } else {
                self.visit(&member.absent);
            }
        }
        let extra = shape.extra.unwrap_or(UNRESTRICTED);
        let most = if extra == UNRESTRICTED { 1 } else { 2 };
        let count = match self.mode {
            Mode::Least => 0,
            Mode::Vary if self.far[extra] == usize::MAX => seed % (most + 1),
            _ => most,
        };
        let names = (0..NAMES.len()).map(|index| NAMES[(seed + index) % NAMES.len()]);
        let declared = |name: &str| shape.members.iter().any(|member| member.name == name);
        for name in names.filter(|name| !declared(name)).take(count) {
            // A closed object has no value for undeclared members.
            object.extend(self.value(extra).map(|value| (name.to_owned(), value)));
        }
        Some(Value::Object(object))
    }

    /// The optional members that an object does without: when varying, one at a time.
    fn left_out(&self, shape: &Shape, seed: usize) -> Vec<usize> {
        let optional = shape.optional();
        match self.mode {
            Mode::Least => return optional.map(|(index, _)| index).collect(),
            Mode::Full => return Vec::new(),
            Mode::Vary => {}
        }
        let mut rest = Vec::new();
        for (index, member) in optional {
            if member.absent.iter().any(|&point| !self.visited[point]) {
                return vec![index];
            }
            // A member that leads to something new has to stay.
            if self.far[member.node] == usize::MAX {
                rest.push(index);
            }
        }
        let chosen = rest.get(seed % (rest.len() + 1));
        chosen.copied().into_iter().collect()
    }

    fn array(&mut self, shape: &Shape, seed: usize) -> Option<Value> {
        let (least, most) = shape.lengths("minItems", "maxItems");
        let items = shape.items.unwrap_or(UNRESTRICTED);
        let longest = if most <= LONGEST { most } else { 2 };
        let length = match self.mode {
            Mode::Least => least,
            Mode::Vary if self.far[items] == usize::MAX => [2, 1, 3, least, longest][seed % 5],
            _ => 2,
        };
        let items: Vec<Value> = (0..length.clamp(least, most)).map_while(|_| self.value(items)).collect();
        (items.len() >= least).then_some(Value::Array(items))
    }
}

/// Names of undeclared members and map entries, not in alphabetical order.
const NAMES: [&str; 5] = ["zeta", "com.example/trace", "alpha", "naïve 🦀 key", ""];
const STRINGS: [&str; 8] = [
    "hello",
    "日本語テキスト",
    "",
    "line\nbreak\ttab \"quoted\" back\\slash",
    "naïve café",
    "🦀 👩‍👩‍👧 emoji",
    "control \u{0}\u{1f}\u{7f} \u{2028}",
    "2025-01-12T15:00:58Z",
];
const URIS: [&str; 4] = [
    "https://example.com/a?b=c#d",
    "file:///x",
    "urn:isbn:0451450523",
    "custom+scheme://[2001:db8::7]:8080/%F0%9F%A6%80",
];
const TEMPLATES: [&str; 3] = ["file:///{path}", "https://example.com/{+base}{?q,lang}", "plain"];
const BYTES: [&str; 4] = ["aGVsbG8=", "", "AAECAwQ=", "+/+/"];

fn string(shape: &Shape, seed: usize) -> Value {
    let mut formats = shape.schemas.iter();
    let list: &[&str] = match formats.find_map(|schema| text(schema, "format")) {
        Some("uri") => &URIS,
        Some("uri-template") => &TEMPLATES,
        Some("byte") => &BYTES,
        _ => &STRINGS,
    };
    let (least, most) = shape.lengths("minLength", "maxLength");
    let fits = |text: &&&str| (least..=most).contains(&text.chars().count());
    let fitting: Vec<&&str> = list.iter().filter(fits).collect();
    match fitting.get(seed % fitting.len().max(1)) {
        Some(text) => json!(text),
        None => json!("x".repeat(least.max(1).min(most))),
    }
}

fn number(shape: &Shape, seed: usize, integer: bool) -> Value {
    // Integers are written without a fraction or with one that is zero; both are integers.
    let common = match integer {
        true => json!([42, 0, -7, i64::MIN, u64::MAX, 5.0, 1, 9007199254740993_u64]),
        false => json!([0.8, 50, 1.0, 0, 1e10, -2.5, 0.1, 1e-7]),
    };
    let round = |n: f64, rounded: f64| if integer { rounded } else { n };
    let least = shape.bound("minimum", f64::max).map(|n| round(n, n.ceil()));
    let most = shape.bound("maximum", f64::min).map(|n| round(n, n.floor()));
    let (low, high) = (least.unwrap_or(f64::MIN), most.unwrap_or(f64::MAX));
    let bounds = least.into_iter().chain(most).map(|n| json!(n));
    let all = common.as_array().into_iter().flatten().cloned().chain(bounds);
    let fits = |n: &Value| n.as_f64().is_some_and(|n| low <= n && n <= high);
    let fitting: Vec<Value> = all.filter(fits).collect();
    let chosen = fitting.get(seed % fitting.len().max(1));
    chosen.cloned().unwrap_or(json!(0))
}

fn free(kind: usize, seed: usize) -> Value {
    let long = seed.is_multiple_of(2);
    match kind {
        0 => Value::Null,
        1 => json!(long),
        2 => json!([0, -1.5, u64::MAX, 1e10])[seed % 4].take(),
        3 => json!(STRINGS[seed % STRINGS.len()]),
        4 if long => json!([1, "two", null, { "z": [], "a": {} }, [[false]]]),
        4 => json!([]),
        _ if long => json!({ "zeta": 1, "alpha": { "nested": [true, null] }, "mid": "é" }),
        _ => json!({}),
    }
}

fn join(pointer: &str, name: &str) -> String {
    let name = name.replace('~', "~0").replace('/', "~1");
    format!("{pointer}/{name}")
}

fn text<'s>(schema: &'s Value, keyword: &str) -> Option<&'s str> {
    schema.get(keyword).and_then(Value::as_str)
}

fn list<'s>(schema: &'s Value, keyword: &str) -> &'s [Value] {
    let entries = schema.get(keyword).and_then(Value::as_array);
    entries.map_or(&[], Vec::as_slice)
}

fn members<'s>(schema: &'s Value, keyword: &str) -> impl Iterator<Item = (&'s String, &'s Value)> {
    let object = schema.get(keyword).and_then(Value::as_object);
    object.into_iter().flatten()
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(n) if name == "integer" => n.as_f64().is_some_and(|n| n.fract() == 0.0),
        Value::Number(_) => name == "number",
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}
