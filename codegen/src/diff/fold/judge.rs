//! Judge: what a finding means for clients and servers.

use super::Fold;
use crate::diff::both::{Age, Both};
use crate::diff::difference::{Difference, MethodPart, What};
use crate::diff::flow::{Conditions, Meeting, senders};
use crate::diff::index::Index;
use crate::diff::path::{Path, Step};
use crate::diff::report::{Flow, Judged, Outcome, Severity, Verdict};
use crate::diff::rules::Finding;
use crate::diff::visible::is_restatement;
use crate::model::Role;

impl<'a> Fold<'a> {
    pub(super) fn judge(&self, Finding { claim, difference }: &Finding<'a>) -> Judged {
        let usual = claim.rule.severity;
        let roots = difference.place.roots;
        let roots = self.index.zip(roots).map(|(index, root)| root.and_then(|name| index.find(name)));
        let numbers = roots.map(|root| root.map(|definition| definition.number));
        let is_outside = difference.place.roots == Both::default();
        let carriers = numbers.zip(self.gates(difference));
        let verdicts = Meeting::BOTH.map(|meeting| {
            let mut conditions: Conditions = self.flows.hurts(meeting, claim.effect, carriers);
            for (_, gate) in claim.meetings.iter().filter(|(known, _)| *known == meeting) {
                conditions |= self.flows.condition(gate.as_ref());
            }
            let verdict = self.flows.verdict(conditions, claim.reason);
            match usual == Severity::Unverified && (verdict.outcome != Outcome::Safe || is_outside) {
                true => Verdict { outcome: Outcome::Unverified, capabilities: Vec::new(), ..verdict },
                false => verdict,
            }
        });
        let is_safe = verdicts.iter().all(|verdict| verdict.outcome == Outcome::Safe);
        let severity = match usual {
            Severity::Breaking | Severity::Compatible | Severity::Notice if !self.is_visible(difference) => {
                Severity::Refactor
            }
            Severity::Breaking if is_safe => Severity::Compatible,
            severity => severity,
        };
        Judged { severity, area: self.area(difference), flow: self.flow(difference, numbers), verdicts }
    }

    /// Whether a difference can be seen in messages.
    fn is_visible(&self, Difference { place, .. }: &Difference<'a>) -> bool {
        // The response of one method and the error with one code repeat what other definitions say. If both editions
        // have such a definition, a change of it still says something new.
        let restated = self.index.zip(place.roots).map(|(index, root)| Some(is_restatement(index, root?)));
        let is_restated = restated == Both { old: Some(true), new: Some(true) };
        place.roots == Both::default() || is_restated || self.visible.has(place.roots)
    }

    /// Which way the thing travels that differs. The types around it are given by their numbers.
    fn flow(&self, difference: &Difference<'a>, numbers: Both<Option<usize>>) -> Flow {
        match &difference.what {
            What::MethodChanged { methods, part } => {
                let flows = methods.map(|method| Flow::from(senders(method)));
                match part {
                    MethodPart::Results { .. } => Flow::over(flows.map(Flow::back), None),
                    // The side that stopped sending it counts as well.
                    MethodPart::Senders => flows.old.or(flows.new),
                    _ => Flow::over(flows, None),
                }
            }
            What::ErrorCode { name, codes } => {
                let sent = self.index.map(|index| {
                    let known = index.model.error_codes.iter().find(|code| code.name == *name);
                    let senders =
                        known.map(|code| code.sent_by.map_or(vec![Role::Client, Role::Server], |role| vec![role]));
                    Flow::from(&senders.unwrap_or_default())
                });
                let only_in = match (codes.old, codes.new) {
                    (None, _) => Some(Age::New),
                    (_, None) => Some(Age::Old),
                    _ => None,
                };
                Flow::over(sent, only_in)
            }
            what => Flow::over(self.flows.of(numbers), what.only_in()),
        }
    }

    /// The capability that the place needs in each edition, if it is another one than that of the definition around it.
    fn gates(&self, Difference { place, what, .. }: &Difference<'a>) -> Both<Option<&'a String>> {
        let at = |index: &Index<'a>, side: &Option<Path<'a>>| {
            let side = side.as_ref()?;
            match side.steps().first() {
                Some(Step::Member(name)) => index.gate(side.root()?, Some(name)),
                _ => None,
            }
        };
        match what {
            What::Alternative { definition, only_in, .. } => {
                let mut gates = Both::default();
                *gates.get_mut(*only_in) = definition.and_then(|name| self.index.of(*only_in).gate(name, None));
                gates
            }
            _ => self.index.zip(place.sides.as_ref()).map(|(index, side)| at(index, side)),
        }
    }

    fn area(&self, Difference { place, what, .. }: &Difference<'a>) -> String {
        if let What::ErrorCode { .. } = what {
            return "errors".to_owned();
        }
        let topics = self.index.zip(place.roots);
        let topics = topics.map(|(index, root)| Some(index.definition(root?)?.topic.as_str()));
        let topic = match (topics.old, topics.new) {
            (Some("common") | None, topic) | (topic, Some("common") | None) => topic,
            // If the topics differ, neither edition decides.
            (old, new) => old.filter(|_| old == new),
        };
        topic.unwrap_or("common").to_owned()
    }
}
