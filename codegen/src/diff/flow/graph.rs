//! Graph: which types values of a type contain.

use std::collections::HashSet;

use super::Conditions;
use crate::diff::index::Index;
use crate::lists::Lists;
use crate::model::{Additional, Content, Shape, Type, TypeRef};

/// Which types the values of a type contain, by their numbers. The graph is walked for several conditions, sides and
/// meetings, so each name is looked up once, here.
pub(super) struct Graph<'i, 'a> {
    index: &'i Index<'a>,
    /// The types that each type uses, with the finer capability that they need there.
    uses: Lists<(usize, Option<&'a String>)>,
}

impl<'i, 'a> Graph<'i, 'a> {
    pub(super) fn new(index: &'i Index<'a>) -> Self {
        Self { index, uses: Lists::with_capacity(index.types().len()) }
    }

    /// Adds the next type. An embedded request is a root of its own with its own capability, so no other type leads to
    /// it.
    pub(super) fn add(&mut self, ty: &'a Type, embedded: &HashSet<usize>) {
        let index = self.index;
        let mut add = |ty: &'a TypeRef, outer: Option<&'a String>| {
            let number = ty.named().and_then(|name| index.number(name));
            let number = number.filter(|number| !embedded.contains(number));
            self.uses.extend(number.map(|number| (number, index.gate_of(number).or(outer))));
        };
        match &ty.shape {
            Shape::Struct(object) => {
                for member in &object.members {
                    if let Content::Field(field) = &member.content {
                        let owner = ty.definition.as_deref();
                        add(&field.ty, owner.and_then(|definition| index.gate(definition, Some(&member.wire))));
                    }
                }
                if let Additional::Typed(values) = &object.additional {
                    add(values, None);
                }
            }
            Shape::Union(union) => union.variants.iter().for_each(|variant| add(&variant.ty, None)),
            Shape::Alias(target) => add(target, None),
            Shape::StringEnum(_) => {}
        }
        self.uses.end();
    }

    /// All types that the values of these types contain, and under which conditions: those of the roots, or a finer one
    /// that is needed on the way.
    pub(super) fn reached(
        &self,
        roots: Vec<(usize, Conditions)>,
        condition: &dyn Fn(&String) -> Conditions,
    ) -> Vec<Conditions> {
        let mut met: Vec<Conditions> = vec![0; self.uses.len()];
        let mut open = roots;
        while let Some((number, conditions)) = open.pop() {
            let Some(known) = met.get_mut(number).filter(|known| **known & conditions != conditions) else { continue };
            *known |= conditions;
            for (used, gate) in self.uses.get(number) {
                let conditions = gate.map_or(conditions, condition);
                if met.get(*used).is_some_and(|known| known & conditions != conditions) {
                    open.push((*used, conditions));
                }
            }
        }
        met
    }
}
