//! Objects with known members.

use serde_json::Value;

use super::{ConstantView, Doc, FieldView, SetterView, StructView, Uses, Viewer, literal};
use crate::model::{Additional, Content, Field, Member, Shape, Struct, TypeRef};
use crate::names;

impl Viewer<'_> {
    pub(super) fn object(&self, name: &str, doc: Doc, object: &Struct, uses: &mut Uses) -> StructView {
        uses.core.insert("Extra");
        let mut fields = Vec::new();
        let mut constants = Vec::new();
        for member in &object.members {
            match &member.content {
                Content::Constant(value) => constants.push(ConstantView {
                    position: fields.len(),
                    wire: literal(&member.wire),
                    value: match value {
                        Value::String(text) => format!("String({})", literal(text)),
                        word => format!("Word({})", literal(&word.to_string())),
                    },
                    need: if member.required { "required" } else { "optional" },
                }),
                Content::Field(field) => fields.push(self.field(member, field, uses)),
            }
        }
        let parameters: Vec<String> = fields.iter().filter_map(|field| field.parameter.clone()).collect();
        let has_default = fields.iter().all(|field| matches!(field.need.as_str(), "optional" | "lenient"));
        StructView {
            doc,
            name: name.to_owned(),
            expected: literal(&format!("an object (`{name}`)")),
            derives: if has_default { "Debug, Clone, PartialEq, Default" } else { "Debug, Clone, PartialEq" },
            new_is_default: !has_default && parameters.is_empty(),
            parameters: parameters.join(", "),
            others: match &object.additional {
                Additional::Open => String::new(),
                Additional::Closed => "closed".to_owned(),
                Additional::Typed(ty) => format!("typed {}", self.rust(ty, uses)),
            },
            fields,
            constants,
        }
    }

    fn field(&self, member: &Member, field: &Field, uses: &mut Uses) -> FieldView {
        let rust = self.rust(&field.ty, uses);
        let parameter = self.parameter(&field.ty, uses);
        let value = |value: &String| self.enum_value(&field.ty, value);
        let is_lenient = field.lenient && member.required;
        let need = match (field.defaulted(), &field.initial) {
            (Some(default), _) => format!("defaulted({})", value(default)),
            (None, Some(initial)) if member.required => format!("preset({})", value(initial)),
            (None, _) if is_lenient => "lenient".to_owned(),
            (None, _) if member.required => "required".to_owned(),
            (None, _) => "optional".to_owned(),
        };
        let is_optional = matches!(need.as_str(), "optional" | "lenient");
        FieldView {
            doc: Doc(self.field_doc(member, field)),
            name: field.name.clone(),
            ty: if is_optional { format!("Option<{rust}>") } else { rust },
            wire: literal(&member.wire),
            parameter: (need == "required" || is_lenient).then(|| format!("{}: {parameter}", field.name)),
            setter: SetterView((need != "required").then(|| (names::setter(&field.name), parameter))),
            limits: self.limits(&field.ty),
            need,
        }
    }

    fn enum_value(&self, ty: &TypeRef, wire: &str) -> String {
        if let TypeRef::Named(name) = ty
            && let Some(Shape::StringEnum(values)) = self.shape(name)
            && let Some(value) = values.values.iter().find(|value| value.wire == wire)
        {
            return format!("{name}::{}", value.name);
        }
        format!("{}.into()", literal(wire))
    }
}
