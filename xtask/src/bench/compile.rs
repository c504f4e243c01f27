//! What a dependent pays to build: user seconds of a clean release build, packages, lines.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::machine::{self, Versions};
use super::program;
use super::scratch::Scratch;

/// The build everything is compared with.
pub const BASE: &str = "serde and serde_json alone";
pub const ONE: &str = "mcp-wire, one revision";
pub const ALL: &str = "mcp-wire, all five";
pub const BARE_PEER: &str = "rust-mcp-schema";

/// Said where the system does not tell what children cost.
pub const UNKNOWN: &str = "this system does not tell what a build costs, so that none was measured; Linux does";

/// One build.
#[derive(Debug, Clone, PartialEq)]
pub struct Build {
    pub name: String,
    pub seconds: f64,
    pub packages: usize,
    pub lines: usize,
}

/// Builds everything twice, and takes the cheaper.
pub fn measure(root: &Path, versions: &Versions) -> Result<Vec<Build>> {
    let path = |folder: &str| root.join(folder).display().to_string();
    let subjects = [
        (BASE, "serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\n".to_owned()),
        (ONE, format!("mcp-wire-2025-11-25 = {{ path = {:?} }}\n", path("generated/mcp-wire-2025-11-25"))),
        (ALL, format!("mcp-wire = {{ path = {:?}, features = [\"all\"] }}\n", path("generated/mcp-wire"))),
        (BARE_PEER, peer(versions, "rust-mcp-schema", "default-features = false, features = [\"2025_11_25\"]")?),
        (
            "rust-mcp-schema with utilities",
            peer(
                versions,
                "rust-mcp-schema",
                "default-features = false, features = [\"2025_11_25\", \"schema_utils\"]",
            )?,
        ),
        ("rmcp", peer(versions, "rmcp", "default-features = false")?),
        ("turbomcp-protocol", peer(versions, "turbomcp-protocol", "default-features = true")?),
    ];
    let scratch = Scratch::new("compile")?;
    // The versions that are measured are those that are built.
    let lock = std::fs::read(root.join("tests/bench/Cargo.lock")).context("tests/bench/Cargo.lock")?;
    let mut builds = Vec::new();
    for (index, (name, dependency)) in subjects.into_iter().enumerate() {
        eprintln!("[{}/7] building {name} twice", index + 1);
        let manifest = format!(
            "[package]\nname = \"dependent\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependency}\n[workspace]\n"
        );
        let manifest = scratch.write(&format!("{index}/Cargo.toml"), manifest)?;
        scratch.write(&format!("{index}/Cargo.lock"), &lock)?;
        scratch.write(&format!("{index}/src/lib.rs"), "")?;
        builds.push(build(&scratch, &manifest, name)?);
    }
    Ok(builds)
}

fn peer(versions: &Versions, name: &str, features: &str) -> Result<String> {
    Ok(format!("{name} = {{ version = \"={}\", {features} }}\n", versions.of(name)?))
}

fn build(scratch: &Scratch, manifest: &Path, name: &str) -> Result<Build> {
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).arg("--manifest-path").arg(manifest).current_dir(scratch.path());
        command
    };
    let next = "the first run needs the registry; what is missing is in the message";
    program::run(&mut cargo(&["fetch", "--quiet"])).with_context(|| format!("fetching {name}\n  {next}"))?;
    let target = scratch.path().join("target");
    let mut seconds = f64::INFINITY;
    for _ in 0..2 {
        std::fs::remove_dir_all(&target).ok();
        let (before, _) = machine::cpu_of_children().context(UNKNOWN)?;
        program::run(cargo(&["build", "--quiet", "--release"]).env("CARGO_TARGET_DIR", &target))
            .with_context(|| format!("building {name}"))?;
        let (after, _) = machine::cpu_of_children().context(UNKNOWN)?;
        seconds = seconds.min(after - before);
    }
    let tree = program::run(&mut cargo(&["tree", "--quiet", "--edges", "normal,build", "--prefix", "none"]))?;
    let metadata = program::run(&mut cargo(&["metadata", "--quiet", "--format-version", "1"]))?;
    let packages = packages(&tree);
    let lines = folders(&metadata, &packages)?.iter().map(|folder| lines(Path::new(folder))).sum();
    Ok(Build { name: name.to_owned(), seconds, packages: packages.len(), lines })
}

/// Name and version of every package that is built, the dependent left out.
fn packages(tree: &str) -> BTreeSet<(String, String)> {
    let package = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_owned(), words.next()?.trim_start_matches('v').to_owned()))
    };
    tree.lines().filter_map(package).filter(|(name, _)| name != "dependent").collect()
}

/// Where the code of these packages lies.
fn folders(metadata: &str, packages: &BTreeSet<(String, String)>) -> Result<Vec<String>> {
    let metadata: Value = serde_json::from_str(metadata).context("cargo metadata")?;
    let known = metadata.get("packages").and_then(Value::as_array).context("cargo metadata lists no packages")?;
    let folder = |package: &Value| {
        let text = |name: &str| Some(package.get(name)?.as_str()?.to_owned());
        let is_built = packages.contains(&(text("name")?, text("version")?));
        is_built.then_some(())?;
        Some(Path::new(&text("manifest_path")?).parent()?.join("src").display().to_string())
    };
    Ok(known.iter().filter_map(folder).collect())
}

/// The lines of Rust below a folder that are not blank.
fn lines(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let of = |path: &Path| match path.extension().is_some_and(|extension| extension == "rs") {
        true => {
            std::fs::read_to_string(path).map_or(0, |text| text.lines().filter(|line| !line.trim().is_empty()).count())
        }
        false if path.is_dir() => lines(path),
        false => 0,
    };
    entries.flatten().map(|entry| of(&entry.path())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_counts_once_and_the_dependent_not_at_all() {
        let tree = "dependent v0.0.0 (/tmp/x)\nserde v1.0.1\nserde_core v1.0.1\nserde v1.0.1 (*)\n";
        let names: Vec<String> = packages(tree).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["serde", "serde_core"]);
    }
}
