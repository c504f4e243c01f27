//! An edition of the protocol: a revision of the project, or a schema file from anywhere, ready to be compared.

use std::collections::HashSet;
use std::path::Path as File;

use serde_json::Value;

use super::align;
use super::both::Both;
use super::index::Index;
use super::path::{Path, Step};
use super::report::Side;
use crate::error::{self, Result};
use crate::load::{self, Schema, Sources};
use crate::model::Revision;
use crate::{fixups, lower, model_as_named, model_lowered};

/// One side of a comparison.
pub struct Edition {
    /// What it is called in reports.
    pub name: String,
    /// The file, as reports name it.
    pub file: String,
    /// The model, at least the part that is visible in messages.
    pub model: Revision,
    /// The schema as it was read, for pointers.
    document: Value,
    /// The keyword of its definitions.
    pub(super) keyword: &'static str,
    /// The revision whose facts were used.
    read_as: Option<String>,
}

impl Edition {
    /// A revision of the project, with the known errors of its schema corrected.
    pub fn revision(folder: &File, sources: &Sources, name: &str) -> Result<Option<Self>> {
        let Some(source) = sources.revisions.iter().find(|source| source.name == name) else { return Ok(None) };
        let schema = load::official(folder, source)?;
        let model = model_lowered(folder, sources, schema.clone(), lower::wire)?;
        Ok(Some(Self::new(schema, model)))
    }

    /// A revision whose model has been made already, with the schema that it was made from.
    pub fn new(schema: Schema, model: Revision) -> Self {
        let Schema { document, keyword, name, .. } = schema;
        Self { name, file: model.provenance.file.clone(), model, document, keyword, read_as: None }
    }

    /// A schema as it is written. None of its errors is corrected, so that a correction of the file is a difference.
    ///
    /// What the schema lacks is taken from the facts about the revision it resembles most.
    pub fn as_written(folder: &File, sources: &Sources, mut schema: Schema, name: &str) -> Result<Self> {
        let resembled = resembled(folder, sources, &schema)?;
        let like = resembled.as_ref().map(|official| official.name.clone()).unwrap_or_default();
        let mut facts = sources.facts.about(&like);
        if let Some(official) = &resembled {
            facts = facts.completed(official);
        }
        let file = schema.file.to_string_lossy().replace('\\', "/");
        let mut model = model_as_named(sources, &mut schema, (&like, facts.clone()), lower::wire)?;
        // A fact names its definition. If that name is gone, the definition may have been renamed, and the fact follows
        // it.
        let lost = |name: &str| !schema.definitions().contains_key(name);
        if facts.definitions().any(lost)
            && let Some(mut official) = resembled
        {
            let known = model_as_named(sources, &mut official, (&like, facts.clone()), lower::wire)?;
            let (old, new) = (Index::new(&known), Index::new(&model));
            let renamed = align::renames(Both { old: &old, new: &new });
            if !renamed.is_empty() {
                model = model_as_named(sources, &mut schema, (&like, facts.renamed(&renamed)), lower::wire)?;
            }
        }
        Ok(Self { name: name.to_owned(), file, read_as: Some(like), ..Self::new(schema, model) })
    }

    /// The whole document.
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// The schema of a definition.
    pub(super) fn definition(&self, name: &str) -> Option<&Value> {
        self.document.get(self.keyword)?.get(name)
    }

    /// The schema of a place.
    pub(super) fn schema(&self, path: &Path<'_>) -> Option<&Value> {
        self.document.pointer(&self.pointer(path))
    }

    /// The alternatives that the schema file lists in a union. A correction may have added others to the model. None if
    /// the schema does not write it as a union.
    pub(super) fn listed(&self, union: &str) -> Option<HashSet<String>> {
        let references =
            self.definition(union)?.get("anyOf")?.as_array()?.iter().filter_map(|one| one.get("$ref")?.as_str());
        Some(references.filter_map(|reference| referred(reference, self.keyword)).collect())
    }

    /// Some definitions, and all definitions that they refer to, directly or not.
    pub(super) fn reached<'a>(&'a self, roots: impl Iterator<Item = &'a str>) -> HashSet<String> {
        let mut reached = HashSet::new();
        let mut open: Vec<String> = roots.map(str::to_owned).collect();
        while let Some(name) = open.pop() {
            let Some(schema) = self.definition(&name) else { continue };
            if reached.insert(name) {
                references(schema, self.keyword, &mut open);
            }
        }
        reached
    }

    pub(super) fn side(&self) -> Side {
        let known = |name: &str| fixups::FIXUPS.iter().any(|fixup| fixup.erratum && fixup.name == name);
        Side {
            name: self.name.clone(),
            file: self.file.clone(),
            sha256: self.model.provenance.sha256.clone(),
            definitions: self.model.definitions,
            methods: self.model.methods.len(),
            read_as: self.read_as.clone(),
            corrections: self.model.fixups.iter().map(|fixup| fixup.name.clone()).filter(|name| known(name)).collect(),
        }
    }

    /// The JSON pointer of a path. If the schema has an `allOf` or a reference on the way, the pointer goes through it.
    pub(super) fn pointer(&self, path: &Path<'_>) -> String {
        let definition = path.root().unwrap_or_default();
        let mut pointer = error::step(&format!("/{}", self.keyword), definition);
        let mut place = self.definition(definition);
        for step in path.steps() {
            let Some((found, path)) = place.and_then(|schema| self.follow(schema, step, &pointer, 0)) else { break };
            (place, pointer) = (Some(found), path);
        }
        pointer
    }

    fn follow<'a>(
        &'a self,
        schema: &'a Value,
        step: &Step<'_>,
        pointer: &str,
        depth: usize,
    ) -> Option<(&'a Value, String)> {
        // Lowering refuses endless references; the limit is for safety.
        if depth > 64 {
            return None;
        }
        let direct = match step {
            Step::Member(name) => schema
                .get("properties")
                .and_then(|all| all.get(name.as_ref()))
                .map(|found| (found, error::step(&format!("{pointer}/properties"), name))),
            Step::Items => schema.get("items").map(|found| (found, format!("{pointer}/items"))),
            Step::Values => {
                schema.get("additionalProperties").map(|found| (found, format!("{pointer}/additionalProperties")))
            }
            // A path with an alternative is reported with the pointer of the union.
            Step::Alternative(_) => None,
        };
        if direct.is_some() {
            return direct;
        }
        let reference = schema.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
        if let Some(target) = reference
            && let Some(found) = self.document.pointer(target)
            && let Some(place) = self.follow(found, step, target, depth + 1)
        {
            return Some(place);
        }
        ["allOf", "anyOf"].iter().find_map(|keyword| {
            let branches = schema.get(*keyword)?.as_array()?;
            branches.iter().enumerate().find_map(|(index, branch)| {
                self.follow(branch, step, &format!("{pointer}/{keyword}/{index}"), depth + 1)
            })
        })
    }
}

/// The definitions that a schema refers to.
fn references(schema: &Value, keyword: &str, found: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if name == "$ref" => found.extend(referred(text, keyword)),
                    value => references(value, keyword, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, keyword, found)),
        _ => {}
    }
}

/// The definition that a reference names.
pub(super) fn referred(text: &str, keyword: &str) -> Option<String> {
    let name = text.strip_prefix("#/")?.strip_prefix(keyword)?.strip_prefix('/')?;
    Some(name.replace("~1", "/").replace("~0", "~"))
}

/// The revision that shares the most definitions with the schema, word for word; the newest of several.
fn resembled(folder: &File, sources: &Sources, schema: &Schema) -> Result<Option<Schema>> {
    let mut best = (0, None);
    for source in &sources.revisions {
        let known = load::official(folder, source)?;
        let definitions = schema.definitions();
        let same = known.definitions().iter().filter(|(name, value)| definitions.get(*name) == Some(value)).count();
        if same >= best.0 {
            best = (same, Some(known));
        }
    }
    Ok(best.1)
}
