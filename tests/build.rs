//! Models in, macros out: what tests do with every handler, list and map of every revision is written once, and a new
//! revision needs no list of its own.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use heck::ToSnakeCase;
use serde_json::Value;

fn main() {
    let generated = Path::new("../generated");
    println!("cargo::rerun-if-changed={}", generated.display());
    let mut models: Vec<(String, Value)> = folders(generated).iter().filter_map(|folder| model(folder)).collect();
    models.sort_by(|left, right| left.0.cmp(&right.0));
    let mut text = String::new();
    for (name, part) in [("handlers", handlers as fn(&Value) -> String), ("lists", lists)] {
        let parts: Vec<String> =
            models.iter().map(|(module, model)| format!("{module} {{ {} }}", part(model))).collect();
        let _ = writeln!(
            text,
            "/// Calls a macro with the {name} of all revisions.\n#[macro_export]\nmacro_rules! {name} {{\n    \
             ($then:ident) => {{ $then! {{\n{}\n    }} }};\n}}",
            parts.join("\n")
        );
    }
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("a folder to write to"));
    fs::write(folder.join("models.rs"), text).expect("the macros are written");
}

fn folders(generated: &Path) -> Vec<PathBuf> {
    fs::read_dir(generated).expect("generated crates").map(|entry| entry.expect("a crate").path()).collect()
}

/// The model of a revision, and its module in the facade.
fn model(folder: &Path) -> Option<(String, Value)> {
    let revision = folder.file_name()?.to_str()?.strip_prefix("mcp-wire-")?;
    let file = folder.join("model.json");
    println!("cargo::rerun-if-changed={}", file.display());
    let model = serde_json::from_slice(&fs::read(file).ok()?).expect("a model is JSON");
    let module = revision.replace('-', "_");
    Some((if module.starts_with(|first: char| first.is_ascii_digit()) { format!("v{module}") } else { module }, model))
}

fn items<'m>(value: &'m Value, key: &str) -> impl Iterator<Item = &'m Value> {
    value[key].as_array().into_iter().flatten()
}

fn text<'m>(value: &'m Value, key: &str) -> &'m str {
    value[key].as_str().expect("a name")
}

/// What the handlers of both sides are called for: each function with the message it takes.
fn handlers(model: &Value) -> String {
    let mut all = String::new();
    for (handler, sender) in [("server", "client"), ("client", "server")] {
        for (kind, suffix) in [("request", "Request"), ("notification", "Notification")] {
            let is_handled = |method: &&Value| {
                text(method, "kind") == kind && items(method, "senders").any(|name| name.as_str() == Some(sender))
            };
            let function = |method: &Value| {
                let message = text(method, "message");
                format!("{} {message},", message.strip_suffix(suffix).unwrap_or(message).to_snake_case())
            };
            let functions: Vec<String> = items(model, "methods").filter(is_handled).map(function).collect();
            let _ = write!(all, "{handler} {kind}s {{ {} }} ", functions.join(" "));
        }
    }
    all
}

/// The fields, variants and aliases that are lists or maps.
fn lists(model: &Value) -> String {
    let (mut fields, mut variants, mut aliases) = (String::new(), String::new(), String::new());
    for (name, ty) in model["types"].as_object().expect("types").iter().filter(|(_, ty)| ty["provided"].is_null()) {
        let shape = &ty["shape"];
        for field in items(&shape["struct"], "members").map(|member| &member["content"]["field"]) {
            if is_list(model, &field["ty"]) {
                let _ = write!(fields, "{name} . {} ", text(field, "name"));
            }
        }
        for variant in items(&shape["union"], "variants").filter(|variant| is_list(model, &variant["ty"])) {
            let _ = write!(variants, "{name} :: {} ", text(variant, "name"));
        }
        if is_list(model, &shape["alias"]) {
            let _ = write!(aliases, "{name} ");
        }
    }
    format!("{fields}; {variants}; {aliases}")
}

/// Whether a type is a list or a map, behind whatever names and pointers.
fn is_list(model: &Value, ty: &Value) -> bool {
    let inner = ["nullable", "boxed"].iter().map(|key| &ty[*key]).find(|inner| !inner.is_null());
    match (inner, ty["named"].as_str()) {
        (Some(inner), _) => is_list(model, inner),
        (None, Some(name)) => is_list(model, &model["types"][name]["shape"]["alias"]),
        (None, None) => ty.get("list").or(ty.get("map")).is_some(),
    }
}
