//! Types that do not end: aliases that spell themselves out, objects that can only exist inside themselves, chains that no
//! stack is deep enough for.

use std::collections::{BTreeMap, HashMap};

use crate::error::{Error, Result};
use crate::lists::Lists;
use crate::load::Schema;
use crate::model::{Content, Shape, Type, TypeRef};

/// A chain of definitions longer than this is refused: whatever walks along it would need a stack as deep.
pub(super) const LONGEST_CHAIN: usize = 500;

/// How a type leads to another, one bit for each way.
type Way = u8;
/// It is written inside it, however deep.
const INSIDE: Way = 1;
/// It is an alias, and spells it out.
const ALIAS: Way = 2;
/// It may be it.
const ALTERNATIVE: Way = 4;
/// No value of it can do without a value of the other.
const REQUIRED: Way = 8;

/// What must not lead back to itself, what to say otherwise, and what to do about it.
type Circle = (Way, &'static str, &'static str);
const ALIASES: Circle =
    (ALIAS, "a definition that spells itself out", "make it an object with a member, so that it has a name to stop at");
const ALTERNATIVES: Circle = (ALTERNATIVE, "a union that is one of its own alternatives", "leave the alternative out");
const REQUIREMENTS: Circle = (
    REQUIRED,
    "an object that requires itself, so that no finite value exists",
    "make a member of the circle optional",
);

/// Refuses types that say nothing: who follows their names never comes to anything.
pub(super) fn refuse_names(schema: &Schema, types: &BTreeMap<String, Type>) -> Result<()> {
    refuse(schema, types, ALIAS | ALTERNATIVE, &[ALIASES, ALTERNATIVES])
}

/// Refuses types that no value in memory can have.
pub(super) fn refuse_values(schema: &Schema, types: &BTreeMap<String, Type>) -> Result<()> {
    refuse(schema, types, INSIDE, &[REQUIREMENTS])
}

fn refuse(schema: &Schema, types: &BTreeMap<String, Type>, chains: Way, circles: &[Circle]) -> Result<()> {
    let graph = Graph::new(types);
    let refuse = |number: usize, found: String, help: &str| {
        let pointer = types.values().nth(number).map(|ty| ty.pointer.clone()).unwrap_or_default();
        Err(Error::schema(&schema.file, pointer, found, help))
    };
    // Circles are fine here, so that each type is followed once only.
    let mut lengths = vec![None; types.len()];
    for number in 0..types.len() {
        if graph.chain(number, chains, 0, &mut lengths) > LONGEST_CHAIN {
            let found = format!("a chain of more than {LONGEST_CHAIN} definitions, each inside the one before");
            return refuse(number, found, "shorten the chain");
        }
    }
    for (way, found, help) in circles {
        let mut states = vec![State::New; types.len()];
        for number in 0..types.len() {
            if let Some(endless) = graph.circle(number, *way, 0, &mut states) {
                return refuse(endless, (*found).to_owned(), help);
            }
        }
    }
    Ok(())
}

/// Which types lead to which. Types have numbers here, in the order of their names: each is visited several times.
struct Graph {
    ways: Lists<(Way, usize)>,
}

/// How far a search for circles has come with a type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// It leads to where the search is.
    Open,
    /// Everything it leads to is known to end, so that it need not be looked at again.
    Done,
}

impl Graph {
    fn new(types: &BTreeMap<String, Type>) -> Self {
        let numbers: HashMap<&str, usize> =
            types.keys().enumerate().map(|(number, name)| (name.as_str(), number)).collect();
        let mut graph = Self { ways: Lists::with_capacity(types.len()) };
        for ty in types.values() {
            let mut add = |ty: &TypeRef, way: Way, directly: Way| {
                let direct = match ty {
                    TypeRef::Named(_) => directly,
                    TypeRef::Nullable(target) if matches!(**target, TypeRef::Named(_)) => directly & ALTERNATIVE,
                    _ => 0,
                };
                let number = ty.named().and_then(|name| numbers.get(name));
                graph.ways.extend(number.map(|number| (way | direct, *number)));
            };
            match &ty.shape {
                Shape::Alias(target) => add(target, INSIDE | ALIAS, ALTERNATIVE | REQUIRED),
                Shape::Union(union) => {
                    let required = if union.variants.len() == 1 { REQUIRED } else { 0 };
                    union.variants.iter().for_each(|variant| add(&variant.ty, INSIDE, ALTERNATIVE | required));
                }
                Shape::Struct(object) => {
                    for member in &object.members {
                        if let Content::Field(field) = &member.content {
                            add(&field.ty, INSIDE, if member.required { REQUIRED } else { 0 });
                        }
                    }
                }
                Shape::StringEnum(_) => {}
            }
            graph.ways.end();
        }
        graph
    }

    /// The types that one leads to in this way.
    fn next(&self, number: usize, way: Way) -> impl Iterator<Item = usize> {
        self.ways.get(number).iter().filter(move |(known, _)| known & way != 0).map(|(_, number)| *number)
    }

    /// A type on the first circle, or at the end of the first endless way, that starts here.
    fn circle(&self, number: usize, way: Way, depth: usize, states: &mut [State]) -> Option<usize> {
        let state = states.get_mut(number)?;
        if *state == State::Open || depth > LONGEST_CHAIN {
            return Some(number);
        }
        if *state == State::Done {
            return None;
        }
        *state = State::Open;
        let endless = self.next(number, way).find_map(|next| self.circle(next, way, depth + 1, states));
        *states.get_mut(number)? = State::Done;
        endless
    }

    /// The length of the longest chain that starts here, as far as it is of interest.
    fn chain(&self, number: usize, way: Way, before: usize, lengths: &mut [Option<usize>]) -> usize {
        if before > LONGEST_CHAIN {
            return before;
        }
        match lengths.get_mut(number) {
            Some(Some(length)) => return *length,
            Some(unknown) => *unknown = Some(0),
            None => {}
        }
        let chains = self.next(number, way).map(|next| self.chain(next, way, before + 1, lengths));
        let length = 1 + chains.max().unwrap_or(0);
        if let Some(known) = lengths.get_mut(number) {
            *known = Some(length);
        }
        length
    }
}
