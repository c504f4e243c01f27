//! Walk: two aligned editions in, every site where they differ out.
//!
//! The walk goes through each definition of both editions once and, from there, through everything that stands inside
//! it, until it meets a definition that is the same on both sides: that one has its own turn. Whether something stands
//! inside a definition or has a name of its own makes no difference to what is compared.

mod unheld;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

use super::align::Alignment;
use super::edition::{Edition, Index, Node, Others, Resolved, Step};
use super::flow;
use super::raw::{Raw, same_to_the_letter};
use super::wire::{self, Wire};
use crate::fixups::FIXUPS;
use crate::model::{Bounds, Content, ErrorCode, Format, Member, Method, MethodKind, Role, StringEnum, Type, TypeRef};
use crate::names;

/// Where two editions differ, and in what.
pub(super) struct Found<'a> {
    pub(super) spot: Spot<'a>,
    pub(super) site: Site<'a>,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    /// The descriptions beside it. What is inherited is described in the same words wherever it stands.
    pub(super) words: (Option<&'a str>, Option<&'a str>),
    /// Places inside it that share its fate.
    pub(super) inside: Vec<Spot<'a>>,
}

/// A place in both editions.
#[derive(Clone)]
pub(super) struct Spot<'a> {
    /// The definitions that the walk started from.
    pub(super) old_root: Option<&'a str>,
    pub(super) new_root: Option<&'a str>,
    /// `Tool.inputSchema.type`.
    pub(super) path: String,
    /// The same, from the definition that the place has a name of its own in, on one of the sides.
    pub(super) named: Option<String>,
    /// How to get there: from which definition, by which steps.
    pub(super) old: Option<(&'a str, Vec<Step>)>,
    pub(super) new: Option<(&'a str, Vec<Step>)>,
}

impl<'a> Spot<'a> {
    /// The definitions of both editions that it stands in: that which the walk started from, and that which the place
    /// has a name of its own in.
    pub(super) fn definitions(&self) -> [impl Iterator<Item = &'a str>; 2] {
        [(self.old_root, &self.old), (self.new_root, &self.new)].map(|(root, place)| {
            let own = place.as_ref().map(|(definition, _)| *definition);
            root.filter(|_| own.is_some()).into_iter().chain(own)
        })
    }

    /// The path by which the old edition leads there, if it does so from the definition that the walk started from.
    pub(super) fn old_path(&self) -> Option<String> {
        let (definition, _) = self.old.as_ref().filter(|(definition, _)| Some(*definition) == self.old_root)?;
        let inside = self.path.strip_prefix(self.new_root.or(self.old_root)?)?;
        Some(format!("{definition}{inside}"))
    }
}

/// What differs. `is_new` says that it is in the new edition only; otherwise it is in the old one only.
pub(super) enum Site<'a> {
    /// A definition that is in one edition only; whether messages contain it, or it has another use.
    Type { definition: &'a str, is_new: bool, purpose: Purpose },
    /// A name that means something else now.
    Reused { definition: &'a str, old_kind: &'static str, new_kind: &'static str, relation: Relation },
    /// A definition under another name.
    Renamed { old: &'a str, new: &'a str, evidence: String },
    /// A definition for what stood inside others, or the other way round.
    Named { definition: &'a str, is_new: bool },
    /// A use of a definition replaced by the use of another one with the same content.
    Reference { old: &'a str, new: &'a str },
    /// Another keyword for the definitions.
    Dialect { old: &'static str, new: &'static str },
    /// The schema says the same in other words, once known errors are corrected in one of the editions.
    Rewritten { corrections: Vec<&'static str> },
    /// A member that is in one edition only.
    Member { member: &'a Member, is_new: bool, of: Owner },
    /// A member that may be absent in one edition only, as the other one has it.
    Presence { member: &'a Member, is_required: bool },
    /// A value of another type.
    Value { relation: Relation },
    /// A value that may be null in one edition only.
    Null { is_new: bool },
    /// A limit that is not the same.
    Limit { keyword: &'static str, old: Option<Value>, new: Option<Value>, relation: Relation },
    /// A constant with another value.
    Constant { old: &'a Value, new: &'a Value },
    /// A value of an enum.
    EnumValue { value: &'a str, is_new: bool, open: bool },
    /// Whether values besides the known ones are valid.
    EnumOpen { is_open: bool },
    /// Whether members besides the known ones are valid.
    ObjectOpen { is_open: bool },
    /// An alternative of a union, and the one of the other edition that it passes for where nobody knows it.
    Alternative { label: String, is_new: bool, passes_for: Option<String> },
    /// A method that is in one edition only.
    Method { method: &'a Method, is_new: bool },
    /// A method of both editions that is not the same.
    MethodChanged { old: &'a Method, new: &'a Method, what: MethodPart<'a> },
    /// A capability that stands elsewhere.
    Moved { old: String, new: String, member: &'a Member },
    /// An error code of one edition only, or with another number.
    Code { name: &'a str, old: Option<i64>, new: Option<i64> },
    /// Messages in one array.
    Batches { is_new: bool },
    /// A warning that something will go.
    Deprecation { note: &'a str, is_new: bool },
    /// A description in other words.
    Words,
    /// A keyword that the model does not hold, and what it says.
    Unheld { keyword: String, old: Option<Value>, new: Option<Value> },
}

impl Site<'_> {
    /// Which edition has what differs, where only one does: `true` for the new one.
    pub(super) fn only_in(&self) -> Option<bool> {
        match self {
            Self::Type { is_new, .. }
            | Self::Named { is_new, .. }
            | Self::Member { is_new, .. }
            | Self::EnumValue { is_new, .. }
            | Self::Alternative { is_new, .. }
            | Self::Method { is_new, .. }
            | Self::Batches { is_new }
            | Self::Deprecation { is_new, .. } => Some(*is_new),
            _ => None,
        }
    }

    /// What kind of difference it is: the same kind in every place that a definition stands for is the definition's.
    fn key(&self) -> (std::mem::Discriminant<Self>, String) {
        let detail = match self {
            Self::EnumValue { value, .. } => (*value).to_owned(),
            Self::Alternative { label, .. } => label.clone(),
            Self::Limit { keyword, .. } => (*keyword).to_owned(),
            Self::Unheld { keyword, .. } => keyword.clone(),
            _ => String::new(),
        };
        (std::mem::discriminant(self), detail)
    }
}

/// What a definition is there for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Messages contain it.
    Message,
    /// It has a name for messages that are valid without it: the response of one method, the error with one code.
    Name,
    /// Others are made from it.
    Base,
}

/// What a member belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// Any object.
    Object,
    /// The capabilities of a side.
    Capabilities,
    /// The envelope of a message: every message has the member, whether its definition writes it out or not.
    Envelope,
    /// A message of a method of both editions, and it is the params: that is said about the method.
    Message,
}

/// The part of a method that changed.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum MethodPart<'a> {
    /// A request of its own or one inside a result. Its results are a matter of this, too.
    Kind {
        same_results: bool,
    },
    Senders,
    Params,
    /// Its results; some come only to who asks for them.
    Results {
        on_request: Vec<&'a str>,
    },
    Capability,
    Phase,
}

/// How the values that are valid now compare to those that were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Same,
    /// All that were, and others.
    Wider,
    /// Not all that were, and no others.
    Narrower,
    /// Neither.
    Other,
}

/// Inside of one definition, no walk goes deeper than this.
const DEPTH: usize = 64;

pub(super) struct Walk<'a> {
    old: &'a Index<'a>,
    new: &'a Index<'a>,
    editions: (&'a Edition, &'a Edition),
    alignment: &'a Alignment<'a>,
    wire: &'a Wire<'a>,
    found: Vec<Found<'a>>,
    /// Definitions of one edition (`true` for the new one) that have a counterpart without a name, and where.
    named: BTreeMap<(bool, &'a str), Vec<Spot<'a>>>,
    /// Definitions of which one stands where the other stood, as far as they have been compared.
    exchanged: HashMap<(&'a str, &'a str), Exchange>,
    /// How many of them are being compared, each inside the one before.
    exchanges: usize,
    /// Whether the innermost of them are compared without what they lead to.
    shallow: bool,
    depth: usize,
}

/// What is known of two definitions of which one stands where the other stood.
#[derive(Clone, Copy)]
enum Exchange {
    /// They are being compared.
    Open,
    /// They have been compared.
    Done { differ: bool },
}

/// The same thing in both editions.
type Both<'r, 'a> = (&'r Resolved<'a>, &'r Resolved<'a>);

/// Everything in which two editions differ.
pub(super) fn walk<'a>(
    editions: (&'a Edition, &'a Edition),
    (old, new): (&'a Index<'a>, &'a Index<'a>),
    alignment: &'a Alignment<'a>,
    wire: &'a Wire<'a>,
) -> Vec<Found<'a>> {
    let mut walk = Walk {
        old,
        new,
        editions,
        alignment,
        wire,
        found: Vec::new(),
        named: BTreeMap::new(),
        exchanged: HashMap::new(),
        exchanges: 0,
        shallow: false,
        depth: 0,
    };
    walk.definitions();
    walk.one_sided();
    walk.methods();
    walk.codes();
    walk.whole();
    walk.call_by_name();
    moved(walk.found)
}

/// Makes one move of a capability that is gone and one with the same name and content that came, where it is clear
/// which became which.
fn moved(found: Vec<Found<'_>>) -> Vec<Found<'_>> {
    let mut places: BTreeMap<(String, String), (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (index, found) in found.iter().enumerate() {
        if let Site::Member { member, is_new, of: Owner::Capabilities } = found.site {
            let text = found.before.clone().or(found.after.clone()).unwrap_or_default();
            let (gone, came) = places.entry((member.wire.clone(), text)).or_default();
            if is_new { came.push(index) } else { gone.push(index) }
        }
    }
    let pairs: BTreeMap<usize, usize> = places
        .into_values()
        .filter_map(|(gone, came)| match (&gone[..], &came[..]) {
            ([gone], [came]) => Some((*came, *gone)),
            _ => None,
        })
        .collect();
    if pairs.is_empty() {
        return found;
    }
    let mut all: Vec<Option<Found<'_>>> = found.into_iter().map(Some).collect();
    for (came, gone) in pairs {
        let gone = all.get_mut(gone).and_then(Option::take);
        let Some((gone, came)) = gone.zip(all.get_mut(came).and_then(Option::as_mut)) else { continue };
        let old = gone.spot.old_path().unwrap_or(gone.spot.path);
        let Site::Member { member, .. } = came.site else { continue };
        came.site = Site::Moved { old, new: came.spot.path.clone(), member };
        (came.spot.old_root, came.spot.old, came.before) = (gone.spot.old_root, gone.spot.old, gone.before);
        // Both have the same content, and as a rule the same places inside.
        let mut inside = gone.inside.into_iter();
        for (came, gone) in came.inside.iter_mut().zip(inside.by_ref()) {
            (came.old_root, came.old) = (gone.old_root, gone.old);
        }
        came.inside.extend(inside);
    }
    all.into_iter().flatten().collect()
}

impl<'a> Walk<'a> {
    fn spot(&self, old: Option<&'a str>, new: Option<&'a str>) -> Spot<'a> {
        Spot {
            old_root: old,
            new_root: new,
            path: new.or(old).unwrap_or_default().to_owned(),
            named: None,
            old: old.map(|name| (name, Vec::new())),
            new: new.map(|name| (name, Vec::new())),
        }
    }

    fn push(&mut self, spot: &Spot<'a>, site: Site<'a>, before: Option<String>, after: Option<String>) {
        let words = (None, None);
        self.found.push(Found { spot: spot.clone(), site, before, after, words, inside: Vec::new() });
    }

    fn definitions(&mut self) {
        let mut raw = Raw::new(self.editions, self.alignment);
        for pair in &self.alignment.pairs {
            let (old_name, new_name) = (pair.old.name, pair.new.name);
            let (before, after) = (pair.old.ty, pair.new.ty);
            let spot = self.spot(Some(old_name), Some(new_name));
            if let Some(evidence) = &pair.evidence {
                let site = Site::Renamed { old: old_name, new: new_name, evidence: evidence.clone() };
                self.push(&spot, site, Some(old_name.to_owned()), Some(new_name.to_owned()));
            }
            let seen = self.found.len();
            let doc = |ty: &'a Type| (ty.doc.as_deref(), ty.deprecated.as_deref());
            self.described(&spot, doc(before), doc(after));
            let same_name = old_name == new_name;
            if same_name && self.alignment.reused.contains(new_name) {
                self.reused(&spot, new_name, before, after);
            } else {
                let (old, new) = (self.old.resolve_type(old_name, before), self.new.resolve_type(new_name, after));
                self.values(&spot, old, new);
                self.unheld(&mut raw, &spot, seen);
            }
            if same_name && self.found.len() == seen && self.is_rewritten(new_name) {
                let corrections = self.corrections(new_name);
                self.push(&spot, Site::Rewritten { corrections }, None, None);
            }
        }
        // A reused name whose old content has a new name, or the other way round.
        for name in &self.alignment.reused {
            let (Some(before), Some(after)) = (self.old.definition(name), self.new.definition(name)) else { continue };
            if self.alignment.are_one(name, name) {
                continue;
            }
            let spot = self.spot(Some(*name), Some(*name));
            self.reused(&spot, name, before, after);
        }
    }

    fn reused(&mut self, spot: &Spot<'a>, definition: &'a str, before: &'a Type, after: &'a Type) {
        let (old, new) = (self.old.resolve_type(definition, before), self.new.resolve_type(definition, after));
        // Where the old content has a new name, uses of it are compared with that.
        let relation = match self.alignment.are_one(definition, definition) {
            true => self.relation(&old, &new),
            false => Relation::Same,
        };
        let (old_kind, new_kind) = (old.node.kind(), new.node.kind());
        let site = Site::Reused { definition, old_kind, new_kind, relation };
        self.changed(spot, site, (&old, &new));
    }

    /// Whether the schema of a definition differs in more than its words.
    fn is_rewritten(&self, name: &str) -> bool {
        let raw = |edition: &'a Edition| edition.document().get(edition.keyword).and_then(|all| all.get(name));
        match (raw(self.editions.0), raw(self.editions.1)) {
            (Some(before), Some(after)) => !same_to_the_letter(before, after) && !same_but_for_words(before, after),
            _ => false,
        }
    }

    /// The errors of a definition that are known and corrected in one of the editions only.
    fn corrections(&self, definition: &str) -> Vec<&'static str> {
        let is_applied = |index: &Index<'_>, name: &str| index.model.fixups.iter().any(|applied| applied.name == name);
        let errata = FIXUPS.iter().filter(|fixup| fixup.erratum && fixup.place == definition);
        let one_sided = errata.filter(|fixup| is_applied(self.old, fixup.name) != is_applied(self.new, fixup.name));
        one_sided.map(|fixup| fixup.name).collect()
    }

    /// Definitions without a counterpart.
    fn one_sided(&mut self) {
        for (is_new, names) in [(false, &self.alignment.removed), (true, &self.alignment.added)] {
            for name in names {
                let index = if is_new { self.new } else { self.old };
                let Some(ty) = index.definition(name) else { continue };
                let sides = if is_new { (None, Some(*name)) } else { (Some(*name), None) };
                let spot = self.spot(sides.0, sides.1);
                let text = index.whole(name, ty);
                let (before, after) = if is_new { (None, Some(text)) } else { (Some(text), None) };
                if let Some(inside) = self.named.get(&(is_new, *name)) {
                    let (site, inside) = (Site::Named { definition: name, is_new }, inside.clone());
                    self.found.push(Found { spot, site, before, after, words: (None, None), inside });
                    continue;
                }
                // A reused name is reported as such.
                if self.alignment.reused.contains(name) {
                    continue;
                }
                let purpose = match self.wire.has(sides.0, sides.1) {
                    true => Purpose::Message,
                    false if wire::says_again(index, name) => Purpose::Name,
                    false => Purpose::Base,
                };
                self.push(&spot, Site::Type { definition: name, is_new, purpose }, before, after);
            }
        }
    }

    fn methods(&mut self) {
        let names: BTreeSet<&str> =
            self.old.model.methods.iter().chain(&self.new.model.methods).map(|method| method.method.as_str()).collect();
        for name in names {
            let (before, after) = (self.old.method(name), self.new.method(name));
            let (old_root, new_root) = (
                before.and_then(|method| self.old.definition_of(&method.message)),
                after.and_then(|method| self.new.definition_of(&method.message)),
            );
            let mut spot = self.spot(old_root, new_root);
            spot.path = name.to_owned();
            let text = |index: &Index<'_>, method: &Method| signature(index, method);
            match (before, after) {
                (Some(method), None) => {
                    let text = text(self.old, method);
                    self.push(&spot, Site::Method { method, is_new: false }, Some(text), None);
                }
                (None, Some(method)) => {
                    let text = text(self.new, method);
                    self.push(&spot, Site::Method { method, is_new: true }, None, Some(text));
                }
                (Some(old), Some(new)) => {
                    for what in self.changed_parts(old, new) {
                        let (before, after) = (text(self.old, old), text(self.new, new));
                        self.push(&spot, Site::MethodChanged { old, new, what }, Some(before), Some(after));
                    }
                }
                (None, None) => {}
            }
        }
    }

    fn changed_parts(&self, old: &'a Method, new: &'a Method) -> Vec<MethodPart<'a>> {
        let mut parts = Vec::new();
        let same_results = self.same_results(old, new);
        if old.kind != new.kind {
            parts.push(MethodPart::Kind { same_results });
        } else if old.senders != new.senders {
            parts.push(MethodPart::Senders);
        }
        // Whether params are there at all; what is in them is compared with their type.
        if old.params.is_some() != new.params.is_some() {
            parts.push(MethodPart::Params);
        }
        if !same_results && old.kind == new.kind {
            let deferred = [self.old, self.new].map(|index| index.model.deferred.as_ref());
            let on_request = deferred.into_iter().flatten().map(|deferred| deferred.result.as_str()).collect();
            parts.push(MethodPart::Results { on_request });
        }
        if flow::gates(old) != flow::gates(new) {
            parts.push(MethodPart::Capability);
        }
        if old.phase != new.phase {
            parts.push(MethodPart::Phase);
        }
        parts
    }

    fn same_results(&self, old: &'a Method, new: &'a Method) -> bool {
        let now: BTreeSet<&str> = results(self.new, new).collect();
        // What is nothing any more is no result of today, even if something else has its name.
        let then: Option<BTreeSet<&str>> = results(self.old, old).map(|name| self.alignment.new_name(name)).collect();
        then == Some(now)
    }

    fn codes(&mut self) {
        let by_name = |codes: &'a [ErrorCode]| -> BTreeMap<&'a str, i64> {
            codes.iter().map(|code| (code.name.as_str(), code.code)).collect()
        };
        let (before, after) = (by_name(&self.old.model.error_codes), by_name(&self.new.model.error_codes));
        let names: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
        for name in names {
            let (old, new) = (before.get(name).copied(), after.get(name).copied());
            if old != new {
                let spot = Spot { path: name.to_owned(), ..self.spot(None, None) };
                let text = |code: Option<i64>| code.map(|code| format!("{name} = {code}"));
                self.push(&spot, Site::Code { name, old, new }, text(old), text(new));
            }
        }
    }

    /// What changed in only some of the places that a new definition stands for did not change in the definition.
    fn call_by_name(&mut self) {
        let mut counts = HashMap::new();
        for found in &self.found {
            if let Some(named) = &found.spot.named {
                *counts.entry((named.clone(), found.site.key())).or_insert(0) += 1;
            }
        }
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for ((_, definition), spots) in &self.named {
            let most = places.entry(definition).or_default();
            *most = spots.len().max(*most);
        }
        for found in &mut self.found {
            let Some(named) = &found.spot.named else { continue };
            let root = named.split(['.', '[']).next().unwrap_or_default();
            let count = counts.get(&(named.clone(), found.site.key())).copied().unwrap_or(0);
            // A definition may be met from inside another one, once for each of its places.
            if count < places.get(root).copied().unwrap_or_default() {
                found.spot.named = None;
            }
        }
    }

    /// What concerns no single definition.
    fn whole(&mut self) {
        let spot = self.spot(Some("JSONRPCMessage"), Some("JSONRPCMessage"));
        if self.old.model.has_batches != self.new.model.has_batches {
            let is_new = self.new.model.has_batches;
            let text = Some("JSONRPCMessage[]".to_owned());
            let (before, after) = if is_new { (None, text) } else { (text, None) };
            self.push(&spot, Site::Batches { is_new }, before, after);
        }
        self.unheld_outside();
        let (old, new) = (self.editions.0.keyword, self.editions.1.keyword);
        if old != new {
            let spot = Spot { path: new.to_owned(), old: None, new: None, ..spot };
            self.push(&spot, Site::Dialect { old, new }, Some(old.to_owned()), Some(new.to_owned()));
        }
    }

    /// Descriptions and warnings of something that is in both editions.
    fn described(
        &mut self,
        spot: &Spot<'a>,
        (old_doc, old_note): (Option<&'a str>, Option<&'a str>),
        (new_doc, new_note): (Option<&'a str>, Option<&'a str>),
    ) {
        match (old_note, new_note) {
            (None, Some(note)) => {
                self.push(spot, Site::Deprecation { note, is_new: true }, None, Some(note.to_owned()))
            }
            (Some(note), None) => {
                self.push(spot, Site::Deprecation { note, is_new: false }, Some(note.to_owned()), None)
            }
            _ => {}
        }
        let plain = |text: Option<&str>| text.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        if plain(old_doc) != plain(new_doc) {
            self.push(spot, Site::Words, old_doc.map(str::to_owned), new_doc.map(str::to_owned));
        }
    }

    /// Compares two uses of types at a place.
    fn uses(&mut self, spot: &Spot<'a>, before: &'a TypeRef, after: &'a TypeRef) {
        self.values(spot, self.old.resolve(before), self.new.resolve(after));
    }

    fn values(&mut self, spot: &Spot<'a>, old: Resolved<'a>, new: Resolved<'a>) {
        let mut spot = spot.clone();
        let one =
            matches!((old.definition, new.definition), (Some(old), Some(new)) if self.alignment.are_one(old, new));
        let (was_null, is_null) = if one { (old.or_null, new.or_null) } else { (old.nullable, new.nullable) };
        if was_null != is_null {
            self.changed(&spot, Site::Null { is_new: is_null }, (&old, &new));
        }
        match (old.definition, new.definition) {
            _ if one => return,
            // A union of which one alternative is left, or was there before, has no name for that.
            (None, Some(_)) | (Some(_), None) if self.is_alternative(&old, &new) => {}
            (None, Some(definition)) => self.enter(&mut spot, definition, true),
            (Some(definition), None) => self.enter(&mut spot, definition, false),
            (Some(before), Some(after)) => return self.exchange(spot, (before, after), (&old, &new)),
            (None, None) => {}
        }
        if self.depth < DEPTH {
            self.depth += 1;
            self.nodes(&spot, &old, &new);
            self.depth -= 1;
        } else {
            self.too_deep(&spot);
        }
    }

    /// Compares two definitions of which one stands where the other stood.
    ///
    /// What they lead to may have been exchanged as well, and they may lead to each other in more ways than anybody wants
    /// to know. So two definitions that are met inside such a comparison are compared with all that they lead to once;
    /// wherever they are met again, only with what they hold themselves.
    fn exchange(&mut self, mut spot: Spot<'a>, names: (&'a str, &'a str), both: Both<'_, 'a>) {
        let is_outermost = self.exchanges == 0;
        let known = self.exchanged.get(&names).copied();
        let is_deep = is_outermost || known.is_none();
        if self.shallow || matches!(known, Some(Exchange::Open)) {
            return;
        }
        let most = self.alignment.pairs.len() + self.alignment.added.len() + self.alignment.removed.len();
        // Where it cannot be told, they are said to differ.
        if self.depth >= DEPTH || !is_outermost && known.is_none() && self.exchanged.len() >= most {
            return self.changed(&spot, Site::Value { relation: Relation::Other }, both);
        }
        let (before, after) = names;
        spot.old = Some((before, Vec::new()));
        spot.new = Some((after, Vec::new()));
        let seen = self.found.len();
        if is_deep {
            self.exchanged.insert(names, Exchange::Open);
        }
        self.shallow = !is_deep;
        self.exchanges += 1;
        self.depth += 1;
        self.nodes(&spot, both.0, both.1);
        self.depth -= 1;
        self.exchanges -= 1;
        self.shallow = false;
        let differ = match known {
            Some(Exchange::Done { differ }) if !is_deep => differ,
            _ => self.found.len() > seen,
        };
        self.exchanged.insert(names, Exchange::Done { differ });
        if !differ {
            let site = Site::Reference { old: before, new: after };
            self.push(&spot, site, Some(before.to_owned()), Some(after.to_owned()));
        }
    }

    /// Whether one side is a union without a name and the other one a definition among its alternatives.
    fn is_alternative(&self, old: &Resolved<'a>, new: &Resolved<'a>) -> bool {
        let (union, other) = if old.definition.is_none() { (old, new) } else { (new, old) };
        matches!(union.node, Node::Union(_)) && !matches!(other.node, Node::Union(_))
    }

    /// Goes on inside a definition that has no name on the other side.
    fn enter(&mut self, spot: &mut Spot<'a>, definition: &'a str, is_new: bool) {
        // What a definition of both editions says is not at issue where it only came into use.
        let one_sided = if is_new { &self.alignment.added } else { &self.alignment.removed };
        spot.named = one_sided.contains(definition).then(|| definition.to_owned());
        self.named.entry((is_new, definition)).or_default().push(spot.clone());
        match is_new {
            true => spot.new = Some((definition, Vec::new())),
            false => spot.old = Some((definition, Vec::new())),
        }
    }

    fn nodes(&mut self, spot: &Spot<'a>, old: &Resolved<'a>, new: &Resolved<'a>) {
        let both = (old, new);
        match (old.node, new.node) {
            (Node::Text { format, length }, Node::Text { format: new_format, length: new_length }) => {
                self.formats(spot, format, new_format, both);
                self.bounds(spot, ["minLength", "maxLength"], length, new_length, both);
            }
            (Node::Integer(before), Node::Integer(after)) | (Node::Number(before), Node::Number(after)) => {
                self.bounds(spot, ["minimum", "maximum"], before, after, both);
            }
            (Node::Integer(before), Node::Number(after)) | (Node::Number(before), Node::Integer(after)) => {
                self.changed(spot, Site::Value { relation: self.relation(old, new) }, both);
                self.bounds(spot, ["minimum", "maximum"], before, after, both);
            }
            (Node::List { items, length }, Node::List { items: new_items, length: new_length }) => {
                self.bounds(spot, ["minItems", "maxItems"], length, new_length, both);
                self.uses(&step(spot, &Step::Items), items, new_items);
            }
            (Node::Enum(before), Node::Enum(after)) => self.enums(spot, before, after, both),
            (Node::Object { members, others }, Node::Object { members: new_members, others: new_others }) => {
                self.members(spot, members, new_members);
                self.others(spot, others, new_others, both);
            }
            (Node::Union(_), _) | (_, Node::Union(_)) if !self.matching(old, new).both.is_empty() => {
                self.unions(spot, old, new);
            }
            _ => {
                let relation = self.relation(old, new);
                if relation != Relation::Same {
                    self.changed(spot, Site::Value { relation }, both);
                }
            }
        }
    }

    fn changed(&mut self, spot: &Spot<'a>, site: Site<'a>, (old, new): Both<'_, 'a>) {
        let (before, after) = (old.text(self.old).to_owned(), new.text(self.new).to_owned());
        self.push(spot, site, Some(before), Some(after));
    }

    fn members(&mut self, spot: &Spot<'a>, before: &'a [Member], after: &'a [Member]) {
        let by_name = |members: &'a [Member]| -> BTreeMap<&'a str, &'a Member> {
            members.iter().map(|member| (member.wire.as_str(), member)).collect()
        };
        let (old, new) = (by_name(before), by_name(after));
        let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
        let object = spot;
        for name in names {
            let both = (old.get(name), new.get(name));
            if matches!(both, (Some(before), Some(after)) if before == after && !refers(before)) {
                continue;
            }
            let spot = step(object, &Step::Member(name.to_owned()));
            match both {
                (Some(member), None) => self.one_sided_member(object, spot, member, false),
                (None, Some(member)) => self.one_sided_member(object, spot, member, true),
                (Some(before), Some(after)) => self.member(&spot, before, after),
                (None, None) => {}
            }
        }
    }

    fn one_sided_member(&mut self, object: &Spot<'a>, mut spot: Spot<'a>, member: &'a Member, is_new: bool) {
        let index = if is_new { self.new } else { self.old };
        let (of, envelope) = self.owner(&spot, &member.wire, is_new);
        if of == Owner::Object && self.declared_open(object) == Some(!is_new) {
            self.against_any(object, spot, member, is_new);
            return;
        }
        match is_new {
            true => spot.old = None,
            false => spot.new = None,
        }
        if let Some((name, known)) = envelope {
            self.against_envelope(&spot, name, known, member, is_new);
        }
        let text = Some(index.member(member));
        let (before, after) = if is_new { (None, text) } else { (text, None) };
        let words = member.doc.as_deref();
        let words = if is_new { (None, words) } else { (words, None) };
        let mut inside = Vec::new();
        if of == Owner::Capabilities
            && let Content::Field(field) = &member.content
        {
            nested(index, &spot, &field.ty, &mut inside);
        }
        self.found.push(Found { spot, site: Site::Member { member, is_new, of }, before, after, words, inside });
    }

    /// Which edition alone says of an object of both that it takes any member: `true` for the new one.
    ///
    /// Any object does that says nothing about it. But where one edition lists the members, and the other one lists
    /// fewer of them and declares the rest to be anything, the rest has not gone.
    fn declared_open(&self, object: &Spot<'a>) -> Option<bool> {
        let (Some((old, old_steps)), Some((new, new_steps))) = (&object.old, &object.new) else { return None };
        // An object that has another definition now is another object, whose members are those that are listed there.
        if !self.alignment.are_one(old, new) || old_steps != new_steps {
            return None;
        }
        let is_open = |edition: &Edition, definition: &str, steps: &[Step]| {
            let others =
                edition.document().pointer(&edition.pointer(definition, steps))?.get("additionalProperties")?;
            Some(match others {
                Value::Object(schema) => schema.keys().all(|keyword| keyword == "description"),
                others => others == &Value::Bool(true),
            })
        };
        let was = is_open(self.editions.0, old, old_steps).unwrap_or_default();
        let is = is_open(self.editions.1, new, new_steps).unwrap_or_default();
        (was != is).then_some(is)
    }

    /// Compares a member that one edition lists with what the other one says of all members that it does not list: they
    /// may be there, with any value.
    fn against_any(&mut self, object: &Spot<'a>, mut spot: Spot<'a>, member: &'a Member, is_new: bool) {
        let index = if is_new { self.new } else { self.old };
        let others = step(object, &Step::Values);
        let (listed, any) = (Some(index.member(member)), Some("[key: string]: unknown".to_owned()));
        let (before, after, words, relation) = match is_new {
            true => (any, listed, (None, member.doc.as_deref()), Relation::Narrower),
            false => (listed, any, (member.doc.as_deref(), None), Relation::Wider),
        };
        match is_new {
            true => spot.old = others.old,
            false => spot.new = others.new,
        }
        let is_any = match &member.content {
            Content::Field(field) => matches!(index.resolve(&field.ty).node, Node::Any),
            Content::Constant(_) => false,
        };
        let presence = member.required.then_some(Site::Presence { member, is_required: is_new });
        let value = (!is_any).then_some(Site::Value { relation });
        for site in presence.into_iter().chain(value) {
            let (spot, before, after) = (spot.clone(), before.clone(), after.clone());
            self.found.push(Found { spot, site, before, after, words, inside: Vec::new() });
        }
    }

    /// Compares a member that only one edition writes out with what the envelope of the other one says about it.
    fn against_envelope(
        &mut self,
        spot: &Spot<'a>,
        envelope: &'a str,
        known: &'a Member,
        member: &'a Member,
        is_new: bool,
    ) {
        let mut spot = spot.clone();
        let steps = ["params", known.wire.as_str()].map(|name| Step::Member(name.to_owned())).to_vec();
        let other = if is_new { &mut spot.old } else { &mut spot.new };
        *other = Some((envelope, steps));
        let seen = self.found.len();
        match is_new {
            true => self.member(&spot, known, member),
            false => self.member(&spot, member, known),
        }
        // The words of an envelope are about all messages, those of a message about itself.
        let found = self.found.split_off(seen);
        self.found.extend(found.into_iter().filter(|found| !matches!(found.site, Site::Words)));
    }

    /// What a member of one edition belongs to, and the same member of the other edition's envelope, if that has it.
    fn owner(&self, spot: &Spot<'a>, wire: &str, is_new: bool) -> (Owner, Option<(&'a str, &'a Member)>) {
        let (before, after) = (spot.old_root.unwrap_or_default(), spot.new_root.unwrap_or_default());
        let is_any_of = |names: &[&str]| names.contains(&before) || names.contains(&after);
        if is_any_of(&["ClientCapabilities", "ServerCapabilities"]) {
            return (Owner::Capabilities, None);
        }
        let root = spot.new_root.or(spot.old_root).unwrap_or_default();
        let inside = spot.path.strip_prefix(root).unwrap_or_default();
        let mine = |path: &str| inside.strip_prefix(path).is_some_and(|rest| rest == wire);
        // Where the editions do not agree on the method, that of the edition with the member counts.
        let (old, new) = ((self.old, before), (self.new, after));
        let ((with, its_root), (without, other_root)) = if is_new { (new, old) } else { (old, new) };
        let message = with.method_of(its_root).or(without.method_of(other_root));
        if mine(".") && wire == "params" && message.is_some_and(|method| self.in_both(&method.method)) {
            return (Owner::Message, None);
        }
        if mine(".") && ENVELOPE.contains(&wire) && (message.is_some() || self.is_base_of_messages(before, after)) {
            return (Owner::Envelope, None);
        }
        // What the envelope says about params holds for the params of every method.
        let params = message.filter(|_| mine(".params.")).or_else(|| {
            let method = with.method_with(its_root).or(without.method_with(other_root));
            method.filter(|_| mine("."))
        });
        let of_envelope = params.and_then(|method| {
            let envelope = match method.kind {
                MethodKind::Notification => "JSONRPCNotification",
                _ => "JSONRPCRequest",
            };
            Some((envelope, declared(without, envelope, wire)?))
        });
        // What messages are made from is no message itself, but is around the same params.
        let of_base = || {
            let is_base = mine(".params.") && message.is_none() && self.is_base_of_messages(before, after);
            let mut envelopes = ["JSONRPCRequest", "JSONRPCNotification"].into_iter().filter(|_| is_base);
            envelopes.find_map(|envelope| Some((envelope, declared(without, envelope, wire)?)))
        };
        let envelope = of_envelope.or_else(of_base);
        // The other way round: what the envelope no longer says, because each method does.
        let of_methods = is_any_of(&["JSONRPCRequest", "JSONRPCNotification", "Request", "Notification"])
            && mine(".params.")
            && without.model.methods.iter().filter(|method| with.method(&method.method).is_some()).all(|method| {
                let ty = method.params.as_ref().map(|params| without.resolve(params).node);
                match ty {
                    Some(Node::Object { members, .. }) => members.iter().any(|member| member.wire == wire),
                    Some(Node::Union(_)) | None => true,
                    _ => false,
                }
            });
        (if envelope.is_some() || of_methods { Owner::Envelope } else { Owner::Object }, envelope)
    }

    fn in_both(&self, method: &str) -> bool {
        self.old.method(method).is_some() && self.new.method(method).is_some()
    }

    /// Whether a definition is what messages are made from: it has a method, but no particular one.
    fn is_base_of_messages(&self, before: &str, after: &str) -> bool {
        let is_one = |index: &Index<'_>, definition: &str| {
            !definition.starts_with("JSONRPC") && index.members(definition).iter().any(|member| member.wire == "method")
        };
        is_one(self.old, before) && is_one(self.new, after)
    }

    fn member(&mut self, spot: &Spot<'a>, before: &'a Member, after: &'a Member) {
        let seen = self.found.len();
        let doc = |member: &'a Member| (member.doc.as_deref(), member.deprecated.as_deref());
        let texts = || (Some(self.old.member(before)), Some(self.new.member(after)));
        if before.required != after.required {
            let (old_text, new_text) = texts();
            let member = if after.required { after } else { before };
            self.push(spot, Site::Presence { member, is_required: after.required }, old_text, new_text);
        }
        match (&before.content, &after.content) {
            (Content::Constant(old), Content::Constant(new)) => {
                if old != new {
                    let (old_text, new_text) = (Some(self.old.member(before)), Some(self.new.member(after)));
                    self.push(spot, Site::Constant { old, new }, old_text, new_text);
                }
            }
            (Content::Field(old), Content::Field(new)) => self.uses(spot, &old.ty, &new.ty),
            // A closed enum of one value is a constant in other words.
            (Content::Constant(value), Content::Field(field)) if is_only(self.new, value, &field.ty) => {}
            (Content::Field(field), Content::Constant(value)) if is_only(self.old, value, &field.ty) => {}
            (Content::Constant(value), Content::Field(field)) => {
                let relation = if fits(self.new, value, &field.ty) { Relation::Wider } else { Relation::Other };
                let (old_text, new_text) = (Some(self.old.member(before)), Some(self.new.member(after)));
                self.push(spot, Site::Value { relation }, old_text, new_text);
            }
            (Content::Field(field), Content::Constant(value)) => {
                let relation = if fits(self.old, value, &field.ty) { Relation::Narrower } else { Relation::Other };
                let (old_text, new_text) = (Some(self.old.member(before)), Some(self.new.member(after)));
                self.push(spot, Site::Value { relation }, old_text, new_text);
            }
        }
        for found in self.found.iter_mut().skip(seen) {
            if found.words == (None, None) {
                found.words = (before.doc.as_deref(), after.doc.as_deref());
            }
        }
        self.described(spot, doc(before), doc(after));
    }

    fn others(&mut self, spot: &Spot<'a>, before: Others<'a>, after: Others<'a>, both: Both<'_, 'a>) {
        match (before, after) {
            (Others::Typed(old), Others::Typed(new)) => self.uses(&step(spot, &Step::Values), old, new),
            (Others::Open, Others::Open) | (Others::Closed, Others::Closed) => {}
            (before, after) => {
                let site = match (before, after) {
                    (Others::Closed, _) => Site::ObjectOpen { is_open: true },
                    (_, Others::Closed) => Site::ObjectOpen { is_open: false },
                    (Others::Typed(_), _) => Site::Value { relation: Relation::Wider },
                    _ => Site::Value { relation: Relation::Narrower },
                };
                self.changed(&step(spot, &Step::Values), site, both);
            }
        }
    }

    fn enums(&mut self, spot: &Spot<'a>, old: &'a StringEnum, new: &'a StringEnum, both: Both<'_, 'a>) {
        let values = |known: &'a StringEnum| -> BTreeSet<&'a str> {
            known.values.iter().map(|value| value.wire.as_str()).collect()
        };
        let (before, after) = (values(old), values(new));
        let open = old.open && new.open;
        for value in before.symmetric_difference(&after) {
            self.changed(spot, Site::EnumValue { value, is_new: after.contains(value), open }, both);
        }
        if old.open != new.open {
            self.changed(spot, Site::EnumOpen { is_open: new.open }, both);
        }
    }

    fn formats(&mut self, spot: &Spot<'a>, old: Option<Format>, new: Option<Format>, both: Both<'_, 'a>) {
        let relation = match (old, new) {
            (old, new) if old == new => return,
            (None, Some(_)) => Relation::Narrower,
            (Some(_), None) => Relation::Wider,
            _ => Relation::Other,
        };
        let name = |format: Option<Format>| format.and_then(|format| serde_json::to_value(format).ok());
        self.changed(spot, Site::Limit { keyword: "format", old: name(old), new: name(new), relation }, both);
    }

    fn bounds(
        &mut self,
        spot: &Spot<'a>,
        [low, high]: [&'static str; 2],
        old: Bounds,
        new: Bounds,
        both: Both<'_, 'a>,
    ) {
        let pairs = [(low, old.minimum, new.minimum, true), (high, old.maximum, new.maximum, false)];
        for (keyword, old, new, is_low) in pairs {
            if old == new {
                continue;
            }
            let tighter = match (old, new) {
                (None, _) => true,
                (_, None) => false,
                (Some(old), Some(new)) => (new > old) == is_low,
            };
            let relation = if tighter { Relation::Narrower } else { Relation::Wider };
            let (old, new) = (old.map(number), new.map(number));
            self.changed(spot, Site::Limit { keyword, old, new, relation }, both);
        }
    }

    fn unions(&mut self, spot: &Spot<'a>, old: &Resolved<'a>, new: &Resolved<'a>) {
        let matching = self.matching(old, new);
        for (before, after) in matching.both {
            // Definitions that are one have their own turn; what has no name is compared here.
            self.values(spot, before, after);
        }
        let known = [self.alternatives(self.new, new), self.alternatives(self.old, old)];
        let root = spot.new_root.or(spot.old_root).unwrap_or_default();
        for ((is_new, alternatives), others) in [(false, matching.gone), (true, matching.came)].into_iter().zip(known) {
            let (mine, theirs) = if is_new { (self.new, self.old) } else { (self.old, self.new) };
            for alternative in alternatives {
                let mut spot = spot.clone();
                match is_new {
                    true => spot.old = None,
                    false => spot.new = None,
                }
                let label = alternative.text(mine).to_owned();
                let text = Some(format!("| {label}"));
                let (before, after) = if is_new { (None, text) } else { (text, None) };
                // The lists of messages are read by the method, never by what their alternatives look like.
                let others = others.iter().filter(|_| !names::is_list_of_messages(root)).take(MOST);
                let passes_for = others.into_iter().find(|other| self.passes_for(&alternative, other, is_new));
                let passes_for = passes_for.map(|other| other.text(theirs).to_owned());
                self.push(&spot, Site::Alternative { label, is_new, passes_for }, before, after);
            }
        }
    }

    /// All alternatives of a union, those of unions inside it too.
    fn alternatives(&self, index: &Index<'a>, resolved: &Resolved<'a>) -> Vec<Resolved<'a>> {
        flat(index, alternatives(index, resolved))
    }

    /// Whether every value of an alternative is one of another alternative, in the other edition, and says nothing by
    /// its required members that the other one does not know: a reader misses nothing in it.
    fn passes_for(&self, one: &Resolved<'a>, other: &Resolved<'a>, is_new: bool) -> bool {
        let (Node::Object { members: mine, .. }, Node::Object { members: theirs, others }) = (one.node, other.node)
        else {
            return false;
        };
        let (my_index, their_index) = if is_new { (self.new, self.old) } else { (self.old, self.new) };
        let known: BTreeMap<&str, &Member> = theirs.iter().map(|member| (member.wire.as_str(), member)).collect();
        let has = |wire: &str| mine.iter().any(|member| member.wire == wire && member.required);
        let fits = |member: &Member| match known.get(member.wire.as_str()) {
            Some(known) => my_index.expanded_content(member) == their_index.expanded_content(known),
            None => !member.required && matches!(others, Others::Open),
        };
        // An alternative that requires nothing has nothing to be known by.
        let mut required = theirs.iter().filter(|member| member.required).peekable();
        required.peek().is_some() && required.all(|member| has(&member.wire)) && mine.iter().all(fits)
    }

    /// How the values of two shapes relate, without going into them.
    fn relation(&self, old: &Resolved<'a>, new: &Resolved<'a>) -> Relation {
        match (old.node, new.node) {
            (Node::Any, Node::Any) | (Node::Boolean, Node::Boolean) => Relation::Same,
            (_, Node::Any) => Relation::Wider,
            (Node::Any, _) => Relation::Narrower,
            (Node::Integer(_), Node::Number(_)) => Relation::Wider,
            (Node::Number(_), Node::Integer(_)) => Relation::Narrower,
            (Node::Enum(values), Node::Text { format: None, length }) if length.is_empty() => match values.open {
                true => Relation::Same,
                false => Relation::Wider,
            },
            (Node::Text { format: None, length }, Node::Enum(values)) if length.is_empty() => match values.open {
                true => Relation::Same,
                false => Relation::Narrower,
            },
            (Node::Union(_), _) | (_, Node::Union(_)) => {
                let matching = self.matching(old, new);
                match (matching.gone.is_empty(), matching.came.is_empty()) {
                    (true, true) => Relation::Same,
                    (true, false) => Relation::Wider,
                    (false, true) => Relation::Narrower,
                    (false, false) => Relation::Other,
                }
            }
            _ => Relation::Other,
        }
    }

    /// Which alternative is which. What is no union is a union of one.
    fn matching(&self, old: &Resolved<'a>, new: &Resolved<'a>) -> Matching<'a> {
        let (mut gone, mut came) = (alternatives(self.old, old), alternatives(self.new, new));
        let mut both = Vec::new();
        self.pair_definitions(&mut gone, &mut came, &mut both);
        // A union inside a union is the same as its alternatives.
        (gone, came) = (flat(self.old, gone), flat(self.new, came));
        self.pair_definitions(&mut gone, &mut came, &mut both);
        let has_no_name =
            |before: &Resolved<'a>, after: &Resolved<'a>| before.definition.is_none() || after.definition.is_none();
        let editions = (self.old, self.new);
        pair_up(editions, &mut gone, &mut came, &mut both, |before, after| {
            usize::from(has_no_name(before, after) && before.text(self.old) == after.text(self.new))
        });
        pair_up(editions, &mut gone, &mut came, &mut both, |before, after| match has_no_name(before, after) {
            true => likeness(&before.node, &after.node),
            false => 0,
        });
        Matching { both, gone, came }
    }

    /// Moves definitions that are one to the third list.
    fn pair_definitions(
        &self,
        gone: &mut Vec<Resolved<'a>>,
        came: &mut Vec<Resolved<'a>>,
        both: &mut Vec<(Resolved<'a>, Resolved<'a>)>,
    ) {
        let mut by_name: BTreeMap<&str, Resolved<'a>> = BTreeMap::new();
        let (mut old_left, mut new_left) = (Vec::new(), Vec::new());
        for after in came.drain(..) {
            match after.definition {
                Some(name) if !by_name.contains_key(name) => drop(by_name.insert(name, after)),
                _ => new_left.push(after),
            }
        }
        for before in gone.drain(..) {
            let new_name = before.definition.and_then(|name| self.alignment.new_name(name));
            match new_name.and_then(|name| by_name.remove(name)) {
                Some(after) => both.push((before, after)),
                None => old_left.push(before),
            }
        }
        new_left.extend(by_name.into_values());
        (*gone, *came) = (old_left, new_left);
    }
}

struct Matching<'a> {
    both: Vec<(Resolved<'a>, Resolved<'a>)>,
    gone: Vec<Resolved<'a>>,
    came: Vec<Resolved<'a>>,
}

/// Members of the JSON-RPC envelope.
const ENVELOPE: &[&str] = &["jsonrpc", "id"];

/// A member that the params of an envelope declare.
fn declared<'a>(index: &Index<'a>, envelope: &str, wire: &str) -> Option<&'a Member> {
    let params = index.members(envelope).iter().find(|member| member.wire == "params");
    let Some(Content::Field(field)) = params.map(|member| &member.content) else { return None };
    match index.resolve(&field.ty).node {
        Node::Object { members, .. } => members.iter().find(|member| member.wire == wire),
        _ => None,
    }
}

/// Whether a member's type is, or contains, one with a name: what is behind it may differ.
fn refers(member: &Member) -> bool {
    fn named(ty: &TypeRef) -> bool {
        match ty {
            TypeRef::Named(_) => true,
            TypeRef::List { items: inner, .. }
            | TypeRef::Map { values: inner }
            | TypeRef::Nullable(inner)
            | TypeRef::Boxed(inner) => named(inner),
            _ => false,
        }
    }
    matches!(&member.content, Content::Field(field) if named(&field.ty))
}

fn step<'a>(spot: &Spot<'a>, step: &Step) -> Spot<'a> {
    let suffix = match step {
        Step::Member(name) => format!(".{name}"),
        Step::Items => "[]".to_owned(),
        Step::Values => ".*".to_owned(),
    };
    let mut spot = spot.clone();
    spot.path.push_str(&suffix);
    for (_, steps) in [&mut spot.old, &mut spot.new].into_iter().flatten() {
        steps.push(step.clone());
    }
    if let Some(named) = &mut spot.named {
        named.push_str(&suffix);
    }
    spot
}

/// The members inside a value, at any depth, as far as they have no name of their own.
fn nested<'a>(index: &Index<'a>, spot: &Spot<'a>, ty: &'a TypeRef, found: &mut Vec<Spot<'a>>) {
    let resolved = index.resolve(ty);
    let Node::Object { members, .. } = resolved.node else { return };
    if resolved.definition.is_some() || found.len() > 1000 {
        return;
    }
    for member in members {
        let spot = step(spot, &Step::Member(member.wire.clone()));
        found.push(spot.clone());
        if let Content::Field(field) = &member.content {
            nested(index, &spot, &field.ty, found);
        }
    }
}

fn alternatives<'a>(index: &Index<'a>, resolved: &Resolved<'a>) -> Vec<Resolved<'a>> {
    match resolved.node {
        Node::Union(union) => {
            let variants = union.variants.iter().map(|variant| index.resolve(&variant.ty));
            // A union without a name is only a way of writing.
            let (inline, rest): (Vec<_>, Vec<_>) =
                variants.partition(|variant| variant.definition.is_none() && matches!(variant.node, Node::Union(_)));
            rest.into_iter().chain(flat(index, inline)).collect()
        }
        _ => vec![resolved.clone()],
    }
}

/// The alternatives with all unions among them replaced by theirs.
fn flat<'a>(index: &Index<'a>, alternatives: Vec<Resolved<'a>>) -> Vec<Resolved<'a>> {
    let mut result = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open = alternatives;
    open.reverse();
    while let Some(next) = open.pop() {
        // Lowering refuses unions that contain themselves; each is opened once in any case.
        match next.node {
            Node::Union(union) if next.definition.is_none_or(|name| seen.insert(name)) && result.len() < 10_000 => {
                open.extend(union.variants.iter().rev().map(|variant| index.resolve(&variant.ty)));
            }
            Node::Union(_) => {}
            _ => result.push(next),
        }
    }
    result
}

/// Moves what belongs together from both lists to the third, what is most alike first.
///
/// Nothing here depends on which of the two lists is the old one, so that the mirror of a report is the report of the
/// mirror.
fn pair_up<'a>(
    (old_index, new_index): (&Index<'a>, &Index<'a>),
    gone: &mut Vec<Resolved<'a>>,
    came: &mut Vec<Resolved<'a>>,
    both: &mut Vec<(Resolved<'a>, Resolved<'a>)>,
    likeness: impl Fn(&Resolved<'a>, &Resolved<'a>) -> usize,
) {
    let mut candidates = Vec::new();
    for (old, before) in gone.iter().enumerate().take(MOST) {
        for (new, after) in came.iter().enumerate().take(MOST) {
            let score = likeness(before, after);
            if score > 0 {
                let (before, after) = (before.text(old_index), after.text(new_index));
                let (first, last) = (before.min(after), before.max(after));
                candidates.push((std::cmp::Reverse(score), first, last, old, new));
            }
        }
    }
    candidates.sort();
    let (mut old_used, mut new_used) = (BTreeMap::new(), BTreeSet::new());
    for (_, _, _, old, new) in candidates {
        if !old_used.contains_key(&old) && !new_used.contains(&new) {
            old_used.insert(old, new);
            new_used.insert(new);
        }
    }
    let mut taken: Vec<Option<Resolved<'a>>> = came.drain(..).map(Some).collect();
    let mut left = Vec::new();
    for (old, before) in gone.drain(..).enumerate() {
        let after = old_used.get(&old).and_then(|new| taken.get_mut(*new)?.take());
        match after {
            Some(after) => both.push((before, after)),
            None => left.push(before),
        }
    }
    *gone = left;
    *came = taken.into_iter().flatten().collect();
}

/// So many alternatives without a name are compared with so many others; schemas have a handful.
const MOST: usize = 64;

/// How alike two alternatives are, of which one has no name; 0, if they are two.
fn likeness(before: &Node<'_>, after: &Node<'_>) -> usize {
    match (before, after) {
        (Node::Object { members: before, .. }, Node::Object { members: after, .. }) => {
            let known: BTreeMap<&str, &Content> =
                before.iter().map(|member| (member.wire.as_str(), &member.content)).collect();
            let mut shared = 0;
            for member in *after {
                match (known.get(member.wire.as_str()), &member.content) {
                    (Some(Content::Constant(old)), Content::Constant(new)) if old != new => return 0,
                    (Some(_), _) => shared += 1,
                    (None, _) => {}
                }
            }
            let all = before.len() + after.len() - shared;
            match shared * 2 >= before.len().min(after.len()) {
                true => 1 + shared * 1000 / all.max(1),
                false => 0,
            }
        }
        (Node::Text { .. } | Node::Enum(_), Node::Text { .. } | Node::Enum(_)) => 1,
        (Node::Integer(_) | Node::Number(_), Node::Integer(_) | Node::Number(_)) => 1,
        (before, after) => usize::from(before.kind() == after.kind()),
    }
}

/// Whether a value is the only one that is valid for a type.
fn is_only<'a>(index: &Index<'a>, value: &Value, ty: &'a TypeRef) -> bool {
    let resolved = index.resolve(ty);
    match resolved.node {
        Node::Enum(values) if !values.open && !resolved.nullable => {
            matches!(&values.values[..], [only] if value.as_str() == Some(&only.wire))
        }
        _ => false,
    }
}

/// Whether a value is valid for a type, as far as its kind goes.
fn fits<'a>(index: &Index<'a>, value: &Value, ty: &'a TypeRef) -> bool {
    let kind = |node: &Node<'_>| match (node, value) {
        (Node::Any, _) | (Node::Text { .. }, Value::String(_)) | (Node::Boolean, Value::Bool(_)) => true,
        (Node::Integer(_), Value::Number(number)) => number.is_i64() || number.is_u64(),
        (Node::Number(_), Value::Number(_)) => true,
        (Node::Enum(values), Value::String(text)) => {
            values.open || values.values.iter().any(|known| known.wire == *text)
        }
        _ => false,
    };
    let resolved = index.resolve(ty).node;
    match resolved {
        Node::Union(union) => union.variants.iter().any(|variant| kind(&index.resolve(&variant.ty).node)),
        node => kind(&node),
    }
}

fn results<'a>(index: &Index<'a>, method: &'a Method) -> impl Iterator<Item = &'a str> {
    let names = method.result.iter().chain(&method.also).map(|name| index.definition_of(name).unwrap_or(name));
    names.map(|name| index.alias(name).unwrap_or(name))
}

/// A method in one line: `client → server  tools/call(CallToolRequestParams): CallToolResult`.
fn signature(index: &Index<'_>, method: &Method) -> String {
    let senders = match method.senders[..] {
        [Role::Client] => "client → server",
        [Role::Server] => "server → client",
        [] => "either way, as nothing is said about it",
        _ => "both ways",
    };
    let kind = match method.kind {
        MethodKind::Request => "request",
        MethodKind::Notification => "notification",
        MethodKind::Embedded => "request inside a result",
    };
    let params = method.params.as_ref().map(|params| index.text(params)).unwrap_or_default();
    let optional = if method.params.is_some() && !method.params_required { "?" } else { "" };
    let results: Vec<&str> = method.result.iter().chain(&method.also).map(String::as_str).collect();
    let results = if results.is_empty() { String::new() } else { format!(": {}", results.join(" | ")) };
    let gate = match &flow::gates(method)[..] {
        [] => String::new(),
        gates => format!(", needs `{}`", gates.join("` or `")),
    };
    format!("{}({params}{optional}){results}\n{kind}, {senders}{gate}", method.method)
}

/// Whole numbers without a fraction, as schemas write them.
fn number(value: f64) -> Value {
    match value.fract() == 0.0 && value.abs() < 9e15 {
        true => Value::from(value as i64),
        false => Value::from(value),
    }
}

/// Whether two schemas differ in descriptions and in the keyword of definitions only.
fn same_but_for_words(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            let own = |name: &&String| *name != "description";
            before.keys().filter(own).count() == after.keys().filter(own).count()
                && before.iter().filter(|(name, _)| own(name)).all(|(name, value)| {
                    after.get(name).is_some_and(|other| match (value, other) {
                        (Value::String(value), Value::String(other)) if name == "$ref" => {
                            value.rsplit('/').next() == other.rsplit('/').next()
                        }
                        _ => same_but_for_words(value, other),
                    })
                })
        }
        (Value::Array(before), Value::Array(after)) => {
            before.len() == after.len()
                && before.iter().zip(after).all(|(before, after)| same_but_for_words(before, after))
        }
        _ => before == after,
    }
}
