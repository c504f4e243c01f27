//! Render: the view in, text out. Templates place strings; all decisions have been made.

use std::collections::BTreeMap;

use askama::Template;

use crate::error::{Error, Result};
use crate::view::{CrateView, DispatchView, Item, TopicView};

#[derive(Template)]
#[template(path = "manifest.toml")]
struct Manifest<'a> {
    c: &'a CrateView,
}

#[derive(Template)]
#[template(path = "rustfmt.toml")]
pub(crate) struct Rustfmt<'a> {
    pub(crate) header: &'a str,
}

#[derive(Template)]
#[template(path = "NOTICE.md")]
pub(crate) struct Notice<'a> {
    pub(crate) header: &'a str,
    pub(crate) origin: &'a str,
}

#[derive(Template)]
#[template(path = "README.md")]
struct Readme<'a> {
    c: &'a CrateView,
}

#[derive(Template)]
#[template(path = "src/lib.rs")]
struct Lib<'a> {
    c: &'a CrateView,
}

#[derive(Template)]
#[template(path = "src/topic.rs")]
struct Topic<'a> {
    c: &'a CrateView,
    t: &'a TopicView,
}

#[derive(Template)]
#[template(path = "src/registry.rs")]
struct Registry<'a> {
    c: &'a CrateView,
}

#[derive(Template)]
#[template(path = "src/json_schema.rs")]
struct JsonSchemas<'a> {
    c: &'a CrateView,
}

#[derive(Template)]
#[template(path = "src/methods.rs")]
struct Methods<'a> {
    c: &'a CrateView,
    d: &'a DispatchView,
}

#[derive(Template)]
#[template(path = "src/dispatch.rs")]
struct Dispatch<'a> {
    c: &'a CrateView,
    d: &'a DispatchView,
}

/// The files of a crate, not yet formatted, by their path inside it.
pub(crate) fn render(view: &CrateView) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    let mut place = |path: String, text: askama::Result<String>| match text {
        Ok(text) => {
            files.insert(path, text);
            Ok(())
        }
        Err(error) => Err(Error::internal(format!("template of {path}: {error}"))),
    };
    place("Cargo.toml".to_owned(), Manifest { c: view }.render())?;
    place("rustfmt.toml".to_owned(), Rustfmt { header: &view.header }.render())?;
    place("README.md".to_owned(), Readme { c: view }.render())?;
    if view.core.is_none() {
        let notice = Notice { header: &view.header, origin: &view.origin };
        place("NOTICE.md".to_owned(), notice.render())?;
    }
    place("src/lib.rs".to_owned(), Lib { c: view }.render())?;
    place("src/json_schema.rs".to_owned(), JsonSchemas { c: view }.render())?;
    place("src/registry.rs".to_owned(), Registry { c: view }.render())?;
    if let Some(dispatch) = &view.dispatch {
        place("src/methods.rs".to_owned(), Methods { c: view, d: dispatch }.render())?;
        place("src/dispatch.rs".to_owned(), Dispatch { c: view, d: dispatch }.render())?;
    }
    for topic in &view.topics {
        place(format!("src/{}.rs", topic.name), Topic { c: view, t: topic }.render())?;
    }
    Ok(files)
}
