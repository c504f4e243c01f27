//! Walks two texts side by side.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::number::{Decimal, is_same_form, is_same_value};
use crate::text::{Node, Sort, children, read, unescaped};
use crate::{Finding, Kind, NotJson, Place, Verdict};

/// Compares a text with what became of it.
pub fn compare(before: &str, after: &str, place: impl Place) -> Result<Verdict, NotJson> {
    let mut walk = Walk {
        before: Side::new(read(before).map_err(NotJson::Before)?),
        after: Side::new(read(after).map_err(NotJson::After)?),
        path: Vec::new(),
        verdict: Verdict::default(),
    };
    // Instead of recursion, which hostile texts could exhaust.
    let mut tasks = vec![Pair { before: 0, after: 0, place, depth: 0, step: None }];
    while let Some(pair) = tasks.pop() {
        walk.path.truncate(pair.depth);
        walk.path.extend(pair.step);
        walk.pair(&pair, &mut tasks);
    }
    Ok(walk.verdict)
}

/// Two values to compare, and how one gets there.
struct Pair<P> {
    before: usize,
    after: usize,
    place: P,
    /// The length of the path to what contains them.
    depth: usize,
    step: Option<Step>,
}

/// One step of a JSON pointer.
#[derive(Clone, Copy)]
enum Step {
    /// The member that a value of the first text is.
    Before(usize),
    /// The member that a value of the second text is.
    After(usize),
    Index(usize),
}

/// One of the texts.
struct Side<'t> {
    nodes: Vec<Node<'t>>,
    /// What the values up to each one add up to, in a way that does not depend on their order. Made when it is needed.
    sums: Vec<u64>,
}

impl<'t> Side<'t> {
    fn new(nodes: Vec<Node<'t>>) -> Self {
        Self { nodes, sums: Vec::new() }
    }

    fn add_up(&mut self) {
        if self.sums.is_empty() {
            let mut sum = 0_u64;
            self.sums.push(sum);
            for node in &self.nodes {
                let mut hasher = DefaultHasher::new();
                (node.sort, &node.name).hash(&mut hasher);
                match node.sort {
                    Sort::Array | Sort::Object => {}
                    Sort::String => unescaped(node.text).hash(&mut hasher),
                    Sort::Number => Decimal::of(node.text).hash(&mut hasher),
                    _ => node.text.hash(&mut hasher),
                }
                sum = sum.wrapping_add(hasher.finish());
                self.sums.push(sum);
            }
        }
    }

    /// What tells a value from others, as a rule.
    fn mark(&self, index: usize) -> u64 {
        self.sums[self.nodes[index].end].wrapping_sub(self.sums[index])
    }

    fn name(&self, index: usize) -> &[u8] {
        self.nodes[index].name.as_deref().unwrap_or_default()
    }

    /// Names as a JSON text, for people.
    fn names(&self, members: &[usize]) -> String {
        let mut text = String::new();
        for member in members {
            text.push_str(if text.is_empty() { "" } else { ", " });
            text.push_str(&format!("{:?}", shortened(&words(self.name(*member)))));
            if text.len() > LONGEST {
                break;
            }
        }
        shortened(&format!("{{{text}}}"))
    }
}

/// What is shown of a text.
const LONGEST: usize = 200;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A name as text. Half a character, which only an escape can stand for, is shown as something unreadable.
fn words(name: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(name)
}

struct Walk<'t> {
    before: Side<'t>,
    after: Side<'t>,
    path: Vec<Step>,
    verdict: Verdict,
}

impl Walk<'_> {
    fn pair<P: Place>(&mut self, pair: &Pair<P>, tasks: &mut Vec<Pair<P>>) {
        let (before, after) = (&self.before.nodes[pair.before], &self.after.nodes[pair.after]);
        let kind = match (before.sort, after.sort) {
            (Sort::Object, Sort::Object) => return self.objects(pair, tasks),
            (Sort::Array, Sort::Array) => return self.arrays(pair, tasks),
            (left, right) if left == right && before.text == after.text => return,
            (Sort::Number, Sort::Number) if !is_same_value(before.text, after.text) => Kind::NumberChanged,
            (Sort::Number, Sort::Number) => match is_same_form(before.text, after.text) {
                true => return,
                false => Kind::NumberForm,
            },
            (Sort::String, Sort::String) => match unescaped(before.text) == unescaped(after.text) {
                true => return,
                false => Kind::StringChanged,
            },
            (Sort::Null, _) => Kind::NullLost,
            _ => Kind::ValueChanged,
        };
        self.find(kind, None, Some(pair.before), Some(pair.after));
    }

    fn objects<P: Place>(&mut self, pair: &Pair<P>, tasks: &mut Vec<Pair<P>>) {
        let left = children(&self.before.nodes, pair.before);
        let right = children(&self.after.nodes, pair.after);
        let same = |(left, right): (&usize, &usize)| self.before.name(*left) == self.after.name(*right);
        let mut pairs: Vec<(usize, usize)> = left.iter().copied().zip(right.iter().copied()).collect();
        if left.len() != right.len() || !left.iter().zip(&right).all(same) {
            pairs = self.members(pair, &left, &right);
        }
        let depth = self.path.len();
        tasks.extend(pairs.into_iter().rev().map(|(before, after)| Pair {
            before,
            after,
            place: pair.place.member(&words(self.before.name(before))),
            depth,
            step: Some(Step::Before(before)),
        }));
    }

    /// The members of two objects by their names: what is left to compare, after everything that can be said of names.
    fn members<P: Place>(&mut self, pair: &Pair<P>, left: &[usize], right: &[usize]) -> Vec<(usize, usize)> {
        let (lefts, rights) = (by_name(&self.before, left), by_name(&self.after, right));
        let mut pairs = Vec::new();
        let mut findings = Vec::new();
        for member in left {
            let name = self.before.name(*member);
            let olds = &lefts[name];
            // All members of a name are dealt with where the first one stands.
            if olds[0] != *member {
                continue;
            }
            let news = rights.get(name).map_or(&[][..], Vec::as_slice);
            // The last ones count: they are compared from the end.
            let shared = olds.len().min(news.len());
            let (dropped, added) = (olds.len() - shared, news.len() - shared);
            match olds.last() {
                Some(old) if shared == 0 => {
                    findings.push((lost(&self.before, *old, Kind::MemberLost), Some(*old), None))
                }
                _ => findings.extend(olds[..dropped].iter().map(|old| (Kind::DuplicateDropped, Some(*old), None))),
            }
            findings.extend(news[..added].iter().map(|new| (Kind::DuplicateAdded, None, Some(*new))));
            pairs.extend(olds[dropped..].iter().copied().zip(news[added..].iter().copied()));
        }
        let new = right.iter().filter(|member| !lefts.contains_key(self.after.name(**member)));
        findings.extend(new.map(|member| (Kind::MemberAdded, None, Some(*member))));
        let is_repeated = lefts.len() < left.len() || rights.len() < right.len();
        let moved = if is_repeated { None } else { self.moved(&pair.place, &pairs, right, &lefts) };
        for (kind, old, new) in findings {
            let step = old.map(Step::Before).or(new.map(Step::After));
            self.find(kind, step, old, new);
        }
        if let Some((before, after)) = moved {
            self.note(Kind::OrderChanged, None, || (Some(before), Some(after)));
        }
        pairs
    }

    /// The order of the members that both objects have and no schema names, if it is another one.
    fn moved<P: Place>(
        &self,
        place: &P,
        pairs: &[(usize, usize)],
        right: &[usize],
        lefts: &HashMap<&[u8], Vec<usize>>,
    ) -> Option<(String, String)> {
        let free = |name: &[u8]| !place.names(&words(name));
        let before: Vec<usize> = pairs.iter().map(|pair| pair.0).filter(|old| free(self.before.name(*old))).collect();
        let stays = |new: &&usize| lefts.contains_key(self.after.name(**new)) && free(self.after.name(**new));
        let after: Vec<usize> = right.iter().filter(stays).copied().collect();
        let same = |(old, new): (&usize, &usize)| self.before.name(*old) == self.after.name(*new);
        match before.iter().zip(&after).all(same) {
            true => None,
            false => Some((self.before.names(&before), self.after.names(&after))),
        }
    }

    fn arrays<P: Place>(&mut self, pair: &Pair<P>, tasks: &mut Vec<Pair<P>>) {
        let left = children(&self.before.nodes, pair.before);
        let right = children(&self.after.nodes, pair.after);
        let (mut start, mut end) = (0, 0);
        let shorter = left.len().min(right.len());
        if left.len() != right.len() {
            // Where the lost one stood is seen from those around it.
            self.before.add_up();
            self.after.add_up();
            let same = |old: usize, new: usize| self.before.mark(left[old]) == self.after.mark(right[new]);
            while start < shorter && same(start, start) {
                start += 1;
            }
            while end < shorter - start && same(left.len() - 1 - end, right.len() - 1 - end) {
                end += 1;
            }
        }
        let (middle, tail) = (shorter - end, end);
        let indices = (0..middle).chain(left.len() - tail..left.len());
        let partner = |index: usize| if index < middle { index } else { index + right.len() - left.len() };
        let (depth, place) = (self.path.len(), pair.place.item());
        tasks.extend(indices.rev().map(|index| Pair {
            before: left[index],
            after: right[partner(index)],
            place: place.clone(),
            depth,
            step: Some(Step::Index(index)),
        }));
        for (index, old) in left.iter().enumerate().take(left.len() - tail).skip(middle) {
            let kind = lost(&self.before, *old, Kind::ItemLost);
            self.find(kind, Some(Step::Index(index)), Some(*old), None);
        }
        for (index, new) in right.iter().enumerate().take(right.len() - tail).skip(middle) {
            self.find(Kind::ItemAdded, Some(Step::Index(index)), None, Some(*new));
        }
    }

    fn find(&mut self, kind: Kind, step: Option<Step>, before: Option<usize>, after: Option<usize>) {
        let before = before.map(|index| &self.before.nodes[index]).map(|node| node.text);
        let after = after.map(|index| &self.after.nodes[index]).map(|node| node.text);
        self.note(kind, step, || (before.map(shortened), after.map(shortened)));
    }

    fn note(&mut self, kind: Kind, step: Option<Step>, show: impl FnOnce() -> (Option<String>, Option<String>)) {
        if self.verdict.findings.len() == Verdict::MOST {
            self.verdict.more += 1;
            return;
        }
        let pointer = self.path.iter().copied().chain(step).map(|step| self.segment(step)).collect();
        let (before, after) = show();
        self.verdict.findings.push(Finding { kind, pointer, before, after });
    }

    fn segment(&self, step: Step) -> String {
        let name = match step {
            Step::Before(member) => self.before.name(member),
            Step::After(member) => self.after.name(member),
            Step::Index(index) => return format!("/{index}"),
        };
        format!("/{}", words(name).replace('~', "~0").replace('/', "~1"))
    }
}

/// What it is called that a value is gone.
fn lost(side: &Side<'_>, index: usize, kind: Kind) -> Kind {
    if side.nodes[index].sort == Sort::Null { Kind::NullLost } else { kind }
}

fn by_name<'s>(side: &'s Side<'_>, members: &[usize]) -> HashMap<&'s [u8], Vec<usize>> {
    let mut names: HashMap<&[u8], Vec<usize>> = HashMap::with_capacity(members.len());
    for member in members {
        names.entry(side.name(*member)).or_default().push(*member);
    }
    names
}
