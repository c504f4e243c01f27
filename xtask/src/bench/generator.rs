//! What the generator costs: the official revisions, and made-up schemas of growing size.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use super::machine;
use super::program;
use super::scratch::Scratch;

/// One schema, or all of the official ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Nothing stands for all revisions.
    pub types: Option<usize>,
    /// Of processor time, where the system tells it.
    pub seconds: f64,
    /// The most memory it has had, where the system tells.
    pub megabytes: Option<u64>,
}

/// All revisions, then ten times as many types each time.
pub fn measure(root: &Path, is_quick: bool) -> Result<Vec<Run>> {
    let scratch = Scratch::new("generator")?;
    eprintln!("generating all revisions");
    let mut runs = vec![official(root, &scratch, if is_quick { 1 } else { 3 })?];
    for types in [100, 1000, 10_000] {
        eprintln!("generating {types} made-up types");
        runs.push(synthetic(root, &scratch, types, if is_quick { 1 } else { 2 })?);
    }
    Ok(runs)
}

/// How the time grew from one size to the next, as (from, to, factor).
pub fn growth(runs: &[Run]) -> Vec<(usize, usize, f64)> {
    let sizes: Vec<(usize, f64)> = runs.iter().filter_map(|run| Some((run.types?, run.seconds))).collect();
    let pairs = sizes.iter().zip(sizes.iter().skip(1));
    pairs.map(|((from, less), (to, more))| (*from, *to, more / less.max(f64::EPSILON))).collect()
}

/// `cargo xtask generate` on a copy of the schemas, the way its users run it.
fn official(root: &Path, scratch: &Scratch, batches: usize) -> Result<Run> {
    let copy = scratch.path().join("project");
    copy_folder(&root.join("schema"), &copy.join("schema"))?;
    let (seconds, megabytes) = cheapest(batches, 1, || {
        for folder in ["generated", "docs"] {
            std::fs::remove_dir_all(copy.join(folder)).ok();
        }
        let mut command = this_program()?;
        command.arg("generate").env("MCP_WIRE_ROOT", &copy);
        Ok(command)
    })?;
    Ok(Run { types: None, seconds, megabytes })
}

/// `cargo xtask generate --schema` on a made-up schema.
fn synthetic(root: &Path, scratch: &Scratch, types: usize, batches: usize) -> Result<Run> {
    let schema = scratch.write(&format!("{types}.json"), made_up(types).to_string())?;
    let out = scratch.path().join(types.to_string());
    // The system counts in hundredths of a second, which a single small run would be too short for.
    let (seconds, megabytes) = cheapest(batches, (500 / types).max(1), || {
        std::fs::remove_dir_all(&out).ok();
        let mut command = this_program()?;
        command.args(["generate", "--name", "made-up", "--schema"]).arg(&schema).arg("--out").arg(&out);
        command.env("MCP_WIRE_ROOT", root);
        Ok(command)
    })?;
    Ok(Run { types: Some(types), seconds, megabytes })
}

/// Seconds of a run, the mean of a batch and the least of the batches, and the most memory of the last one.
///
/// Each run is a process of its own, as it is for users: repeated in one process, a small schema finds its memory where
/// the run before has left it and a large one does not, which looks like growth.
fn cheapest(batches: usize, runs: usize, command: impl Fn() -> Result<Command>) -> Result<(f64, Option<u64>)> {
    let (mut least, mut memory) = (f64::INFINITY, None);
    for _ in 0..batches {
        let mut seconds = 0.0;
        for _ in 0..runs {
            let mut command = command()?;
            let (before, start) = (machine::cpu_of_children(), Instant::now());
            let printed = program::run(&mut command)?;
            seconds += match (before, machine::cpu_of_children()) {
                (Some((user, system)), Some((later_user, later_system))) => later_user + later_system - user - system,
                _ => start.elapsed().as_secs_f64(),
            };
            memory = megabytes(&printed);
        }
        least = least.min(seconds / runs as f64);
    }
    Ok((least, memory))
}

fn this_program() -> Result<Command> {
    Ok(Command::new(std::env::current_exe().context("this program does not know its own path")?))
}

/// From the last line of `cargo xtask generate`.
fn megabytes(printed: &str) -> Option<u64> {
    printed.lines().last()?.rsplit_once(", ")?.1.strip_suffix(" MB")?.parse().ok()
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to).with_context(|| to.display().to_string())?;
    for entry in std::fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_folder(&entry.path(), &target)?,
            false => std::fs::copy(entry.path(), target).map(|_| ())?,
        }
    }
    Ok(())
}

/// A schema with requests, their params, objects that refer to each other, enums and unions.
fn made_up(types: usize) -> Value {
    let mut definitions = Map::new();
    let mut requests = Vec::new();
    for index in 0..types {
        let name = format!("Type{index}");
        // References stay among a hundred neighbours, so that no chain of them is long.
        let reference =
            |to: usize| json!({ "$ref": format!("#/$defs/Type{}", index / 100 * 100 + to % 100 / 10 * 10) });
        let definition = match index % 10 {
            9 => json!({ "anyOf": [reference(index + 10), reference(index + 20)] }),
            8 => json!({ "type": "string", "enum": ["first", "second", format!("value{index}")] }),
            7 => {
                requests.push(json!({ "$ref": format!("#/$defs/{name}") }));
                json!({
                    "type": "object",
                    "description": format!("Request number {index}."),
                    "properties": {
                        "method": { "type": "string", "const": format!("made-up/{index}") },
                        "params": reference(index),
                    },
                    "required": ["method", "params"],
                })
            }
            _ => {
                let members =
                    (0..8).map(|member| (format!("member{member}Of{}", index % 50), json!({ "type": "string" })));
                let mut properties = Map::from_iter(members);
                properties.insert("title".to_owned(), json!({ "type": "string", "description": "A title." }));
                properties.insert("other".to_owned(), reference(index + 30));
                json!({ "type": "object", "properties": properties, "required": ["title"] })
            }
        };
        definitions.insert(name, definition);
    }
    definitions.insert("ClientRequest".to_owned(), json!({ "anyOf": requests }));
    json!({ "$defs": definitions })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use mcp_wire_codegen::{load, model_of};

    use super::*;

    #[test]
    fn memory_is_the_last_thing_the_generator_prints() {
        assert_eq!(megabytes("[x] 1 ms\n4 files written, 0 removed, 0 unchanged in 3 ms, 12 MB\n"), Some(12));
        assert_eq!(megabytes("4 files written, 0 removed, 0 unchanged in 3 ms\n"), None);
    }

    #[test]
    fn growth_is_from_one_size_to_the_next() {
        let run = |types, seconds| Run { types, seconds, megabytes: None };
        let runs = [run(None, 9.0), run(Some(100), 0.5), run(Some(1000), 5.0), run(Some(10_000), 100.0)];
        assert_eq!(growth(&runs), [(100, 1000, 10.0), (1000, 10_000, 20.0)]);
    }

    #[test]
    fn a_made_up_schema_has_as_many_types_as_asked_and_can_be_generated() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
        let schema = made_up(100);
        assert_eq!(schema.get("$defs").and_then(Value::as_object).map(Map::len), Some(101));
        let sources = load::sources(&root).unwrap();
        let schema = load::bytes(Path::new("made-up.json"), "made-up", schema.to_string().as_bytes()).unwrap();
        assert_eq!(model_of(&root, &sources, schema).unwrap().definitions, 101);
    }
}
