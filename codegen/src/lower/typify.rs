//! The only caller of typify.
//!
//! typify sees flat objects under neutral names: everything it is known to guess at (unions, constants, enums, numbers,
//! formats) has been taken out and stands as an opaque reference. What it decides for each member is read back: which
//! container holds it, and where a `Box` breaks a circle. Whether it can be absent is what the schema says, and typify has
//! to agree.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};

use heck::ToUpperCamelCase;
use schemars_08::schema::{ArrayValidation, InstanceType, ObjectValidation, RootSchema, Schema, SchemaObject};
use typify::{TypeDetails, TypeId, TypeSpace, TypeSpaceSettings};

use crate::error::{Error, Result};
use crate::model::{Content, Member, Shape, Type, TypeRef};

/// What typify decides about an object: the types of its members in their order, of constants none.
pub(super) type Decisions = Vec<Option<TypeRef>>;

/// Asks typify about every object for which [`has_choices`], in their order.
pub(super) fn decide(types: &BTreeMap<String, Type>) -> Result<Vec<Decisions>> {
    // typify panics on schemas it does not expect. These are all of one simple form, so that it should never come to
    // that; if it does, the user gets an error all the same.
    catch_unwind(AssertUnwindSafe(|| ask(types))).unwrap_or_else(|_| Err(Error::internal("typify panicked")))
}

/// Whether there is something to decide about an object with these members.
pub(super) fn has_choices(members: &[Member]) -> bool {
    members.iter().any(|member| matches!(member.content, Content::Field(_)))
}

/// What a member holds that leads to no other object. Nothing about the object decides what becomes of such a member, so
/// that typify is asked about each of these twice, as a required and as an optional member, and not in every object.
const LEAVES: [&str; 7] = ["string", "boolean", "any", "integer", "number", "object", "named"];

/// The objects that have a member for each of the leaves.
const ALL_LEAVES: [(&str, bool); 2] = [("RequiredLeaves", true), ("OptionalLeaves", false)];

/// So many objects are asked about at a time, and those that belong together with them. What typify keeps of a large
/// schema is much more than the answers.
const AT_A_TIME: usize = 256;

fn ask(types: &BTreeMap<String, Type>) -> Result<Vec<Decisions>> {
    let mut question = Question { named: HashMap::with_capacity(types.len()) };
    let mut objects: Vec<Object<'_>> = Vec::new();
    for (name, ty) in types {
        match &ty.shape {
            Shape::Struct(object) if has_choices(&object.members) => {
                question.named.insert(name, Named::Object(objects.len()));
                objects.push(Object { number: objects.len(), name, members: &object.members });
            }
            Shape::Alias(target) => drop(question.named.insert(name, Named::Alias(target))),
            _ => {}
        }
    }
    let mut decisions: Vec<Decisions> = Vec::new();
    decisions.resize_with(objects.len(), Vec::new);
    let mut some = Vec::new();
    for group in question.groups(objects) {
        some.extend(group);
        if some.len() >= AT_A_TIME {
            question.ask_about(&some, &mut decisions)?;
            some.clear();
        }
    }
    question.ask_about(&some, &mut decisions)?;
    Ok(decisions)
}

/// An object with members to be decided about.
struct Object<'a> {
    number: usize,
    name: &'a str,
    members: &'a [Member],
}

/// What a member holds, as far as typify is concerned.
enum Holds<'a> {
    /// One of [`LEAVES`].
    Leaf(&'static str),
    /// An object, by its number.
    Object(usize),
    List(&'a TypeRef),
    Map(&'a TypeRef),
}

/// What a name stands for, as far as it leads to objects.
enum Named<'a> {
    Alias(&'a TypeRef),
    /// An object, by its number.
    Object(usize),
}

struct Question<'a> {
    named: HashMap<&'a str, Named<'a>>,
}

impl Question<'_> {
    /// Objects that lead to each other, in whatever direction: no circle leads from one group to another.
    fn groups<'a>(&self, objects: Vec<Object<'a>>) -> impl Iterator<Item = Vec<Object<'a>>> {
        // Each object knows another one of its group, and in the end the first one of it, which knows itself.
        let mut known: Vec<usize> = (0..objects.len()).collect();
        fn first(known: &mut [usize], mut number: usize) -> usize {
            while let Some(next) = known.get(number).copied().filter(|next| *next != number) {
                let further = known.get(next).copied().unwrap_or(next);
                if let Some(place) = known.get_mut(number) {
                    *place = further;
                }
                number = further;
            }
            number
        }
        for object in &objects {
            for member in object.members {
                if let Content::Field(field) = &member.content
                    && let Some(target) = self.leads_to(&field.ty)
                {
                    let (one, other) = (first(&mut known, object.number), first(&mut known, target));
                    if let Some(place) = known.get_mut(one.max(other)) {
                        *place = one.min(other);
                    }
                }
            }
        }
        let mut groups: BTreeMap<usize, Vec<Object<'a>>> = BTreeMap::new();
        for object in objects {
            groups.entry(first(&mut known, object.number)).or_default().push(object);
        }
        groups.into_values()
    }

    /// The object that a type leads to.
    fn leads_to(&self, ty: &TypeRef) -> Option<usize> {
        match self.holds(ty) {
            Holds::Leaf(_) => None,
            Holds::Object(number) => Some(number),
            Holds::List(inner) | Holds::Map(inner) => self.leads_to(inner),
        }
    }

    /// Asks about some objects, which lead to none but each other.
    fn ask_about(&self, objects: &[Object<'_>], decisions: &mut [Decisions]) -> Result<()> {
        let mut root = RootSchema::default();
        for Object { number, members, .. } in objects {
            let mut object = no_members();
            for (index, member) in members.iter().enumerate() {
                if let Content::Field(field) = &member.content
                    && !matches!(self.holds(&field.ty), Holds::Leaf(_))
                {
                    add_member(&mut object, format!("m{index}"), self.schema(&field.ty), member.required);
                }
            }
            root.definitions.insert(neutral_name(*number), object_of(object));
        }
        for (name, required) in ALL_LEAVES {
            let mut object = no_members();
            for leaf in LEAVES {
                add_member(&mut object, leaf.to_owned(), leaf_schema(leaf), required);
            }
            root.definitions.insert(name.to_owned(), object_of(object));
        }
        let mut settings = TypeSpaceSettings::default();
        for opaque in LEAVES.into_iter().filter(|leaf| is_opaque(leaf)).map(opaque_name) {
            settings.with_replacement(&opaque, &opaque, std::iter::empty());
            root.definitions.insert(opaque, Schema::Bool(true));
        }
        let mut space = TypeSpace::new(&settings);
        space
            .add_root_schema(root)
            .map_err(|error| Error::internal(format!("typify refused the flat schema: {error}")))?;

        let mut answers: HashMap<String, HashMap<String, (bool, TypeId)>> = HashMap::new();
        for answer in space.iter_types() {
            if let TypeDetails::Struct(details) = answer.details() {
                let members = details
                    .properties_info()
                    .map(|property| (property.name.to_owned(), (property.required, property.type_id)));
                answers.insert(answer.name(), members.collect());
            }
        }
        let [required_leaves, optional_leaves] = ALL_LEAVES.map(|(name, _)| answers.remove(name).unwrap_or_default());
        for Object { number, name, members } in objects {
            let Some(answer) = answers.remove(&neutral_name(*number)) else {
                return Err(Error::internal(format!("typify did not answer for `{name}`")));
            };
            let mut decided = Vec::with_capacity(members.len());
            for (index, member) in members.iter().enumerate() {
                let Content::Field(field) = &member.content else {
                    decided.push(None);
                    continue;
                };
                let found = match self.holds(&field.ty) {
                    Holds::Leaf(leaf) if member.required => required_leaves.get(leaf),
                    Holds::Leaf(leaf) => optional_leaves.get(leaf),
                    _ => answer.get(&format!("m{index}")),
                };
                let Some((required, id)) = found else {
                    return Err(Error::internal(format!("typify dropped `{name}.{}`", member.wire)));
                };
                if *required != member.required {
                    let found = if *required { "must be there" } else { "may be absent" };
                    return Err(Error::internal(format!("typify says that `{name}.{}` {found}", member.wire)));
                }
                let ty = read(&space, id, &field.ty)
                    .map_err(|found| Error::internal(format!("`{name}.{}`: {found}", member.wire)))?;
                decided.push(Some(ty));
            }
            if let Some(place) = decisions.get_mut(*number) {
                *place = decided;
            }
        }
        // Replacements that match nothing and types that nobody asked for would go unnoticed otherwise.
        match answers.into_keys().min() {
            Some(unasked) => Err(Error::internal(format!("typify made a type of its own, `{unasked}`"))),
            None => Ok(()),
        }
    }

    /// A type as typify gets to see it.
    fn schema(&self, ty: &TypeRef) -> Schema {
        match self.holds(ty) {
            Holds::Leaf(leaf) => leaf_schema(leaf),
            Holds::Object(number) => reference(&neutral_name(number)),
            Holds::List(items) => {
                let items = Some(self.schema(items).into());
                let array = Some(Box::new(ArrayValidation { items, ..ArrayValidation::default() }));
                SchemaObject { array, ..of_type(InstanceType::Array) }.into()
            }
            Holds::Map(values) => object_of(ObjectValidation {
                additional_properties: Some(Box::new(self.schema(values))),
                ..ObjectValidation::default()
            }),
        }
    }

    fn holds<'b>(&'b self, ty: &'b TypeRef) -> Holds<'b> {
        match ty {
            TypeRef::String { .. } => Holds::Leaf("string"),
            TypeRef::Boolean => Holds::Leaf("boolean"),
            TypeRef::Any => Holds::Leaf("any"),
            TypeRef::Integer { .. } => Holds::Leaf("integer"),
            TypeRef::Number { .. } => Holds::Leaf("number"),
            TypeRef::Object => Holds::Leaf("object"),
            TypeRef::Named(name) => self.object(name).map_or(Holds::Leaf("named"), Holds::Object),
            TypeRef::List { items, .. } => Holds::List(items),
            TypeRef::Map { values } => Holds::Map(values),
            // Null is ours to keep apart from absence; what can be null may still hold a circle that needs a box.
            TypeRef::Nullable(inner) | TypeRef::Boxed(inner) => self.holds(inner),
        }
    }

    /// The number of the object that a name stands for, aliases included: a circle may lead through them.
    fn object(&self, name: &str) -> Option<usize> {
        match self.named.get(name)? {
            Named::Object(number) => Some(*number),
            Named::Alias(TypeRef::Named(target)) => self.object(target),
            Named::Alias(TypeRef::Nullable(target)) => match &**target {
                TypeRef::Named(target) => self.object(target),
                _ => None,
            },
            Named::Alias(_) => None,
        }
    }
}

/// A leaf as typify gets to see it.
fn leaf_schema(leaf: &str) -> Schema {
    match leaf {
        "string" => of_type(InstanceType::String).into(),
        "boolean" => of_type(InstanceType::Boolean).into(),
        opaque => reference(&opaque_name(opaque)),
    }
}

/// What an object is called. typify goes by the order of these names.
fn neutral_name(number: usize) -> String {
    format!("Object{number}")
}

fn is_opaque(leaf: &str) -> bool {
    !matches!(leaf, "string" | "boolean")
}

fn opaque_name(leaf: &str) -> String {
    format!("Opaque{}", leaf.to_upper_camel_case())
}

fn reference(definition: &str) -> Schema {
    Schema::new_ref(format!("#/definitions/{definition}"))
}

fn of_type(kind: InstanceType) -> SchemaObject {
    SchemaObject { instance_type: Some(kind.into()), ..SchemaObject::default() }
}

fn object_of(validation: ObjectValidation) -> Schema {
    SchemaObject { object: Some(Box::new(validation)), ..of_type(InstanceType::Object) }.into()
}

/// What typify takes for an object, not for a map, even if no member is added.
fn no_members() -> ObjectValidation {
    ObjectValidation { additional_properties: Some(Box::new(Schema::Bool(false))), ..ObjectValidation::default() }
}

fn add_member(object: &mut ObjectValidation, name: String, schema: Schema, required: bool) {
    if required {
        object.required.insert(name.clone());
    }
    object.properties.insert(name, schema);
}

/// Zips what typify made with what was asked.
fn read(space: &TypeSpace, id: &TypeId, asked: &TypeRef) -> std::result::Result<TypeRef, String> {
    let answer = space.get_type(id).map_err(|error| error.to_string())?;
    Ok(match (answer.details(), asked) {
        (_, TypeRef::Nullable(inner)) => TypeRef::Nullable(Box::new(read(space, id, inner)?)),
        // An absent member; that is said by `required`.
        (TypeDetails::Option(inner), asked) => read(space, &inner, asked)?,
        (TypeDetails::Box(inner), asked) => TypeRef::Boxed(Box::new(read(space, &inner, asked)?)),
        (TypeDetails::Vec(inner), TypeRef::List { items, length }) => {
            TypeRef::List { items: Box::new(read(space, &inner, items)?), length: *length }
        }
        (TypeDetails::Map(_, inner), TypeRef::Map { values }) => {
            TypeRef::Map { values: Box::new(read(space, &inner, values)?) }
        }
        (TypeDetails::String, TypeRef::String { .. })
        | (
            TypeDetails::Builtin(_),
            TypeRef::Any | TypeRef::Boolean | TypeRef::Integer { .. } | TypeRef::Number { .. } | TypeRef::Object,
        )
        | (TypeDetails::Struct(_) | TypeDetails::Builtin(_), TypeRef::Named(_)) => asked.clone(),
        _ => return Err(format!("typify made {} of {asked:?}", answer.describe())),
    })
}
