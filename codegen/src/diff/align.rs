//! Align: finds the definition of the new edition that each definition of the old edition has become.
//!
//! Most definitions keep their names. Where a name is gone, or means something of another kind now, the content
//! decides: a definition with (nearly) the same content under another name was renamed. The search takes time linear in
//! the number of definitions, because only definitions that share a rare part are compared.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::both::Both;
use super::index::{Definition, Index};
use super::shape::Node;
use crate::definitions::is_list_of_messages;
use crate::model::{Content, Member, Shape, Type, Union};

/// The definitions of both editions, paired.
#[derive(Default)]
pub(super) struct Alignment<'a> {
    /// Definitions of both editions, sorted by name.
    pub(super) pairs: Vec<Pair<'a>>,
    /// Definitions of the new edition only.
    pub(super) added: BTreeSet<&'a str>,
    /// Definitions of the old edition only.
    pub(super) removed: BTreeSet<&'a str>,
    /// Names that mean something else now.
    pub(super) reused: BTreeSet<&'a str>,
    /// The new names of those that have another one.
    renamed: HashMap<&'a str, &'a str>,
}

/// A definition that both editions have.
pub(super) struct Pair<'a> {
    pub(super) definitions: Both<Definition<'a>>,
    /// Why two names mean the same definition, where they differ.
    pub(super) evidence: Option<String>,
}

/// A part that more definitions have than this says little about any of them.
const COMMON: usize = 32;

impl<'a> Alignment<'a> {
    pub(super) fn new(index: Both<&Index<'a>>) -> Self {
        let Both { old, new } = index;
        let mut alignment = Self::default();
        let (mut gone, mut came) = (Vec::new(), Vec::new());
        let mut doubtful = Vec::new();
        // Both lists are sorted, so one pass over both finds the names that they share.
        let (mut before, mut after) = (old.definitions().peekable(), new.definitions().peekable());
        loop {
            let order = match (before.peek(), after.peek()) {
                (Some(old), Some(new)) => old.name.cmp(new.name),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => break,
            };
            match order {
                Ordering::Less => gone.extend(before.next()),
                Ordering::Greater => came.extend(after.next()),
                Ordering::Equal => {
                    let Some((before, after)) = before.next().zip(after.next()) else { break };
                    match is_the_same((old, before.ty), (new, after.ty)) {
                        true => alignment.pair(before, after, None),
                        false => doubtful.push((before, after)),
                    }
                }
            }
        }
        // The old content of a redefined name may have another name now, and its new content may have had another name.
        // Lists of messages are left out: they go by their names, even if two of them list the same messages.
        let is_free = |definition: &Definition<'_>| !is_list_of_messages(definition.name);
        let pool = |alone: &[Definition<'a>], doubtful: Vec<Definition<'a>>| -> Vec<Definition<'a>> {
            let mut pool: Vec<_> = alone.iter().copied().chain(doubtful).filter(is_free).collect();
            pool.sort_by_key(|definition| definition.name);
            pool
        };
        let old_pool = pool(&gone, doubtful.iter().map(|(before, _)| *before).collect());
        let new_pool = pool(&came, doubtful.iter().map(|(_, after)| *after).collect());
        let renamed = renamed(old, new, &old_pool, &new_pool);
        let (mut left, mut taken) = (BTreeSet::new(), BTreeSet::new());
        for (before, after, evidence) in renamed {
            left.insert(before.name);
            taken.insert(after.name);
            alignment.pair(before, after, Some(evidence));
        }
        for (before, after) in doubtful {
            let name = before.name;
            match (left.contains(name), taken.contains(name)) {
                (false, false) => alignment.pair(before, after, None),
                (true, false) => drop(alignment.added.insert(name)),
                (false, true) => drop(alignment.removed.insert(name)),
                (true, true) => {}
            }
            alignment.reused.insert(name);
        }
        let names = |definitions: Vec<Definition<'a>>| definitions.into_iter().map(|definition| definition.name);
        alignment.removed.extend(names(gone).filter(|name| !left.contains(name)));
        alignment.added.extend(names(came).filter(|name| !taken.contains(name)));
        // The swapped comparison has to give the mirrored report, so the order must not depend on one edition.
        alignment.pairs.sort_by_key(|pair| {
            let names = pair.definitions.map(|definition| definition.name);
            (names.old.min(names.new), names.old.max(names.new))
        });
        alignment
    }

    fn pair(&mut self, old: Definition<'a>, new: Definition<'a>, evidence: Option<String>) {
        if old.name != new.name {
            self.renamed.insert(old.name, new.name);
        }
        self.pairs.push(Pair { definitions: Both { old, new }, evidence });
    }

    /// The new name of an old definition.
    pub(super) fn new_name<'n>(&self, old: &'n str) -> Option<&'n str>
    where
        'a: 'n,
    {
        let renamed: Option<&'n str> = self.renamed.get(old).copied();
        renamed.or_else(|| (!self.removed.contains(old)).then_some(old))
    }

    /// Whether two uses of definitions are uses of the same one.
    pub(super) fn are_one(&self, old: &str, new: &str) -> bool {
        self.new_name(old) == Some(new)
    }
}

/// The new names of renamed definitions, by their old names. An alias that was removed stands for its target.
pub(super) fn renames(index: Both<&Index<'_>>) -> BTreeMap<String, String> {
    let alignment = Alignment::new(index);
    let pairs = alignment.pairs.iter().filter(|pair| pair.evidence.is_some());
    let pairs = pairs.map(|pair| (pair.definitions.old.name, pair.definitions.new.name));
    let aliases =
        alignment.removed.iter().filter_map(|name| Some((*name, alignment.new_name(index.old.alias(name)?)?)));
    pairs.chain(aliases).map(|(old, new)| (old.to_owned(), new.to_owned())).collect()
}

/// Whether two definitions with the same name mean the same thing.
fn is_the_same((old, before): (&Index<'_>, &Type), (new, after): (&Index<'_>, &Type)) -> bool {
    // A union that shrank to one of its alternatives, or grew from it.
    let alternative_of = |one: (&Index<'_>, &Type), union: (&Index<'_>, &Type)| {
        let (Shape::Alias(target), Shape::Union(union_shape)) = (&one.1.shape, &union.1.shape) else { return false };
        let name = one.0.used(target);
        name.is_some() && union_shape.variants.iter().any(|variant| union.0.used(&variant.ty) == name)
    };
    if alternative_of((old, before), (new, after)) || alternative_of((new, after), (old, before)) {
        return true;
    }
    let (before, after) = (old.node(&before.shape), new.node(&after.shape));
    match (before, after) {
        (Node::Object { members: before, .. }, Node::Object { members: after, .. }) => {
            let own = |member: &&Member| !SHARED.contains(&member.wire.as_str());
            // Members have a common order, so two with the same name often have the same position.
            let side_by_side = before.iter().zip(after).any(|(old, new)| old.wire == new.wire && own(&old));
            side_by_side || before.iter().filter(own).count() < 2 || after.iter().filter(own).count() < 2 || {
                let names: BTreeSet<&str> = before.iter().filter(own).map(|member| member.wire.as_str()).collect();
                after.iter().any(|member| names.contains(member.wire.as_str()))
            }
        }
        // A union with one alternative is the same as that alternative.
        (Node::Union(_), Node::Union(_)) => true,
        (Node::Union(union), one) => has_kind(old, union, &one),
        (one, Node::Union(union)) => has_kind(new, union, &one),
        (before, after) => before.kind() == after.kind() || is_text(&before) && is_text(&after),
    }
}

/// Whether a union has an alternative of this kind. Two objects may have nothing in common, so they do not count.
fn has_kind(index: &Index<'_>, union: &Union, one: &Node<'_>) -> bool {
    !matches!(one, Node::Object { .. })
        && union.variants.iter().any(|variant| {
            let node = index.resolve(&variant.ty).node;
            node.kind() == one.kind() || is_text(&node) && is_text(one)
        })
}

fn is_text(node: &Node<'_>) -> bool {
    matches!(node, Node::Text { .. } | Node::Enum(_))
}

/// Members that most messages have. They say nothing about one message.
const SHARED: &[&str] = &["_meta", "jsonrpc", "id"];

/// The kind of a definition and the names of its parts, sorted. It is cheaper to find out than what the parts hold.
#[derive(PartialEq, Eq, Hash)]
struct Outline<'a> {
    kind: &'static str,
    parts: Vec<Cow<'a, str>>,
}

/// The content of a definition.
struct Traits<'a> {
    kind: &'static str,
    /// Members, alternatives or values, each with its type in two notations: definitions written out, and definitions
    /// by name.
    parts: BTreeMap<Cow<'a, str>, (Cow<'a, str>, String)>,
    /// Constants. Two definitions that differ in one of them are two things.
    constants: BTreeMap<&'a str, String>,
}

/// The members, alternatives or values of a definition, by name, with the members themselves.
fn parts<'a>(index: &Index<'a>, ty: &'a Type, node: Node<'a>) -> Vec<(Cow<'a, str>, Option<&'a Member>)> {
    match node {
        Node::Object { members, .. } => {
            let own = members.iter().filter(|member| !SHARED.contains(&member.wire.as_str()));
            own.map(|member| (Cow::from(&member.wire), Some(member))).collect()
        }
        Node::Union(union) => union.variants.iter().map(|variant| (index.text(&variant.ty), None)).collect(),
        Node::Enum(values) => values.values.iter().map(|value| (Cow::from(&value.wire), None)).collect(),
        _ => match &ty.shape {
            Shape::Alias(target) => vec![(index.expanded(target), None)],
            _ => Vec::new(),
        },
    }
}

fn outline<'a>(index: &Index<'a>, definition: Definition<'a>) -> Outline<'a> {
    let node = index.node(&definition.ty.shape);
    let mut parts: Vec<Cow<'a, str>> = parts(index, definition.ty, node).into_iter().map(|(name, _)| name).collect();
    parts.sort_unstable();
    parts.dedup();
    Outline { kind: node.kind(), parts }
}

fn traits<'a>(index: &Index<'a>, definition: Definition<'a>) -> Traits<'a> {
    let node = index.node(&definition.ty.shape);
    let holds = |member: &'a Member| (index.expanded_content(member), index.member(member));
    let parts = parts(index, definition.ty, node).into_iter();
    let parts = parts.map(|(name, member)| (name, member.map(holds).unwrap_or_default())).collect();
    let mut constants = BTreeMap::new();
    if let Node::Object { members, .. } = node {
        for member in members {
            if let Content::Constant(value) = &member.content
                && member.wire != "jsonrpc"
            {
                constants.insert(member.wire.as_str(), value.to_string());
            }
        }
    }
    Traits { kind: node.kind(), parts, constants }
}

/// Pairs of definitions with the same or nearly the same content, each definition once, with the evidence. Both lists
/// are sorted by name.
fn renamed<'a>(
    old: &Index<'a>,
    new: &Index<'a>,
    before: &[Definition<'a>],
    after: &[Definition<'a>],
) -> Vec<(Definition<'a>, Definition<'a>, String)> {
    // The same content has the same outline. So the content of a definition with another outline need not be found out.
    let outlines: HashSet<Outline<'a>> = before.iter().map(|definition| outline(old, *definition)).collect();
    let wanted: HashSet<&str> = outlines.iter().flat_map(|outline| &outline.parts).map(Cow::as_ref).collect();
    // The new definitions, by their positions in the list.
    let mut by_content: HashMap<String, Vec<usize>> = HashMap::new();
    let mut by_part: HashMap<Cow<'a, str>, Vec<usize>> = HashMap::new();
    for (position, definition) in after.iter().enumerate() {
        let outline = outline(new, *definition);
        if outlines.contains(&outline) {
            by_content.entry(content(&traits(new, *definition))).or_default().push(position);
        }
        for part in outline.parts.into_iter().filter(|part| wanted.contains(part.as_ref())) {
            by_part.entry(part).or_default().push(position);
        }
    }
    let mut candidates = Vec::new();
    let mut new_traits: HashMap<usize, Traits<'a>> = HashMap::new();
    for definition in before {
        let traits = traits(old, *definition);
        let mut others: BTreeSet<usize> = BTreeSet::new();
        others.extend(by_content.get(&content(&traits)).into_iter().flatten().take(COMMON));
        for part in traits.parts.keys() {
            others.extend(by_part.get(part.as_ref()).into_iter().flatten().take(COMMON));
        }
        for (position, other) in others.into_iter().filter_map(|position| Some((position, after.get(position)?))) {
            if other.name == definition.name {
                continue;
            }
            let their = new_traits.entry(position).or_insert_with(|| self::traits(new, *other));
            if let Some((score, evidence)) = likeness(definition.name, &traits, other.name, their) {
                candidates.push((score, *definition, *other, evidence));
            }
        }
    }
    candidates.sort_by(|left, right| {
        let names = |candidate: &(usize, Definition<'a>, Definition<'a>, String)| (candidate.1.name, candidate.2.name);
        right.0.cmp(&left.0).then_with(|| names(left).cmp(&names(right)))
    });
    let (mut used_old, mut used_new) = (BTreeSet::new(), BTreeSet::new());
    let mut result = Vec::new();
    for (_, definition, other, evidence) in candidates {
        if !used_old.contains(definition.name) && !used_new.contains(other.name) {
            used_old.insert(definition.name);
            used_new.insert(other.name);
            result.push((definition, other, evidence));
        }
    }
    result
}

fn content(traits: &Traits<'_>) -> String {
    let parts: Vec<String> = traits.parts.iter().map(|(name, (holds, _))| format!("{name}\u{1}{holds}")).collect();
    format!("{}\u{2}{}", traits.kind, parts.join("\u{2}"))
}

/// How alike two definitions are, in thousandths, and what they have in common. None if they are two definitions.
fn likeness(old_name: &str, old: &Traits<'_>, new_name: &str, new: &Traits<'_>) -> Option<(usize, String)> {
    let conflict = |(name, value): (&&str, &String)| new.constants.get(name).is_some_and(|other| other != value);
    if old.kind != new.kind || old.constants.iter().any(conflict) {
        return None;
    }
    // A part that refers to a definition stays the same if only that definition changed.
    let is_kept = |(name, (holds, named)): &(&Cow<'_, str>, &(Cow<'_, str>, String))| {
        new.parts.get(*name).is_some_and(|(others, called)| holds == others || named == called)
    };
    let kept = old.parts.iter().filter(is_kept).count();
    let all = old.parts.len() + new.parts.keys().filter(|name| !old.parts.contains_key(*name)).count();
    if all == 0 || kept == 0 {
        return None;
    }
    let names = name_likeness(old_name, new_name);
    let share = kept * 1000 / all;
    let enough = match kept {
        // Many definitions share one part by chance, so the names have to be alike as well.
        1 => share == 1000 && names >= 500,
        _ => share == 1000 || share >= 500 && names >= 300,
    };
    let parts = match old.kind {
        "object" => "members",
        "union" => "alternatives",
        "enum" => "values",
        _ => "parts",
    };
    let evidence = match (kept == all, kept) {
        (true, 1) => "the same content".to_owned(),
        (true, _) => format!("the same {kept} {parts}"),
        (false, _) => format!("{kept} of {all} {parts} are the same"),
    };
    enough.then_some((share * 2 + names, evidence))
}

/// How many words two names share, in thousandths.
fn name_likeness(left: &str, right: &str) -> usize {
    let words = |name: &str| -> BTreeSet<String> {
        heck::ToSnakeCase::to_snake_case(name).split('_').map(str::to_owned).collect()
    };
    let (left, right) = (words(left), words(right));
    let shared = left.intersection(&right).count();
    let all = left.union(&right).count();
    (shared * 1000).checked_div(all).unwrap_or(0)
}
