//! What a dependent pays to build: user seconds of a program that reads and writes any message of the protocol, its
//! size, and the packages and lines that are built for it.
//!
//! The programs are in `programs/`. All of them do the same; what is used of a generic crate is compiled in the program
//! that uses it, so that an empty program would hide what it costs.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::machine::{self, Versions};
use super::program;
use super::scratch::Scratch;

/// The program everything is compared with: one type, serde (with derive) and serde_json.
pub const BASE: &str = "serde and serde_json, one type";
pub const ONE: &str = "mcp-wire, one revision";
pub const ALL: &str = "mcp-wire, all five";
pub const TOWER: &str = "tower-mcp-types";

/// Said where the system does not tell what children cost.
pub const UNKNOWN: &str = "this system does not tell what a build costs, so that none was measured; Linux does";

/// One program.
#[derive(Debug, Clone, PartialEq)]
pub struct Build {
    pub name: String,
    /// User seconds of a release build from nothing.
    pub clean: f64,
    /// Of another one after `main.rs` was touched.
    pub rebuild: f64,
    /// Of `cargo check` from nothing.
    pub check: f64,
    /// Bytes of the program.
    pub binary: u64,
    pub packages: usize,
    pub lines: usize,
}

/// What is built.
struct Subject {
    name: &'static str,
    dependencies: String,
    main: &'static str,
    /// The rest of the program, where there is one.
    results: Option<&'static str>,
    /// What is typed into it.
    input: String,
}

const MESSAGES: &str = include_str!("programs/messages.txt");
const RESULTS: &str = include_str!("programs/mcp_wire_results.rs");

fn subjects(root: &Path, versions: &Versions) -> Result<Vec<Subject>> {
    let path = |folder: &str| root.join(folder).display().to_string();
    let serde = "serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\n";
    let peer = |name: &'static str, options: &str, main: &'static str| {
        // Both crates of turbomcp are of one version.
        let crates = if name == "turbomcp-protocol" { vec!["turbomcp-core", name] } else { vec![name] };
        let version = versions.of(name)?;
        let of = |name: &str| format!("{name} = {{ version = \"={version}\"{options} }}\n");
        let dependencies = crates.into_iter().map(of).collect::<String>() + serde;
        anyhow::Ok(Subject { name, dependencies, main, results: None, input: MESSAGES.to_owned() })
    };
    Ok(vec![
        Subject {
            name: BASE,
            dependencies: serde.to_owned(),
            main: include_str!("programs/serde.rs"),
            results: None,
            input: String::new(),
        },
        Subject {
            name: ONE,
            dependencies: format!("mcp-wire-2025-11-25 = {{ path = {:?} }}\n", path("generated/mcp-wire-2025-11-25")),
            main: include_str!("programs/mcp_wire.rs"),
            results: Some(RESULTS),
            input: MESSAGES.to_owned(),
        },
        Subject {
            name: ALL,
            dependencies: format!("mcp-wire = {{ path = {:?}, features = [\"all\"] }}\n", path("generated/mcp-wire")),
            main: include_str!("programs/mcp_wire_all.rs"),
            results: Some(RESULTS),
            input: in_revision(MESSAGES),
        },
        peer(TOWER, "", include_str!("programs/tower_mcp_types.rs"))?,
        peer(
            "rust-mcp-schema",
            ", default-features = false, features = [\"2025_11_25\", \"schema_utils\"]",
            include_str!("programs/rust_mcp_schema.rs"),
        )?,
        peer("rmcp", ", default-features = false", include_str!("programs/rmcp.rs"))?,
        peer("turbomcp-protocol", "", include_str!("programs/turbomcp_protocol.rs"))?,
    ])
}

/// The messages with the revision that the program of all five wants to know.
fn in_revision(messages: &str) -> String {
    messages
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(who, text)| format!("{who} 2025-11-25 {text}\n"))
        .collect()
}

/// Builds everything twice, and takes the cheaper.
pub fn measure(root: &Path, versions: &Versions) -> Result<Vec<Build>> {
    let subjects = subjects(root, versions)?;
    let scratch = Scratch::new("compile")?;
    // The versions that are measured are those that are built.
    let lock = std::fs::read(root.join("tests/bench/Cargo.lock")).context("tests/bench/Cargo.lock")?;
    let mut builds = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        eprintln!("[{}/{}] building a program with {}", index + 1, subjects.len(), subject.name);
        let dependencies = &subject.dependencies;
        let manifest = format!(
            "[package]\nname = \"dependent\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}\n[workspace]\n"
        );
        let manifest = scratch.write(&format!("{index}/Cargo.toml"), manifest)?;
        scratch.write(&format!("{index}/Cargo.lock"), &lock)?;
        scratch.write(&format!("{index}/src/main.rs"), subject.main)?;
        if let Some(results) = subject.results {
            scratch.write(&format!("{index}/src/results.rs"), results)?;
        }
        builds.push(build(&scratch, &manifest, subject)?);
    }
    Ok(builds)
}

fn build(scratch: &Scratch, manifest: &Path, subject: &Subject) -> Result<Build> {
    let name = subject.name;
    let target = scratch.path().join("target");
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).arg("--manifest-path").arg(manifest).current_dir(scratch.path());
        command.env("CARGO_TARGET_DIR", &target);
        command
    };
    let next = "the first run needs the registry; what is missing is in the message";
    program::run(&mut cargo(&["fetch", "--quiet"])).with_context(|| format!("fetching {name}\n  {next}"))?;
    // The cheapest of some, each after something was done to what is there.
    let least = |times: usize, arguments: &[&str], before_each: &dyn Fn() -> Result<()>| {
        let mut least = f64::INFINITY;
        for _ in 0..times {
            before_each()?;
            let (before, _) = machine::cpu_of_children().context(UNKNOWN)?;
            program::run(&mut cargo(arguments)).with_context(|| format!("building a program with {name}"))?;
            let (after, _) = machine::cpu_of_children().context(UNKNOWN)?;
            least = least.min(after - before);
        }
        anyhow::Ok(least)
    };
    let from_nothing = || {
        std::fs::remove_dir_all(&target).ok();
        Ok(())
    };
    // Another time makes another program for cargo.
    let main = manifest.with_file_name("src").join("main.rs");
    let touched = || std::fs::write(&main, subject.main).with_context(|| main.display().to_string());
    let check = least(2, &["check", "--quiet"], &from_nothing)?;
    let clean = least(2, &["build", "--quiet", "--release"], &from_nothing)?;
    let rebuild = least(3, &["build", "--quiet", "--release"], &touched)?;
    let built = target.join("release").join(format!("dependent{}", std::env::consts::EXE_SUFFIX));
    let binary = std::fs::metadata(&built).with_context(|| built.display().to_string())?.len();
    try_out(&built, subject)?;
    let tree = program::run(&mut cargo(&["tree", "--quiet", "--edges", "normal,build", "--prefix", "none"]))?;
    let metadata = program::run(&mut cargo(&["metadata", "--quiet", "--format-version", "1"]))?;
    let packages = packages(&tree);
    let lines = folders(&metadata, &packages)?.iter().map(|folder| lines(Path::new(folder))).sum();
    Ok(Build { name: name.to_owned(), clean, rebuild, check, binary, packages: packages.len(), lines })
}

/// A program that does not work costs nothing to build.
fn try_out(program: &Path, subject: &Subject) -> Result<()> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| program.display().to_string())?;
    // A program that does not read has not read everything; its output tells.
    child.stdin.take().map(|mut input| input.write_all(subject.input.as_bytes()).ok());
    let output = child.wait_with_output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    match complaint(&printed, subject.input.lines().count()) {
        Some(complaint) => bail!("the program with {} {complaint}\n{printed}", subject.name),
        None => Ok(()),
    }
}

/// What is wrong with the output, if anything: it has three results, or one where nothing is read, and every message.
fn complaint(printed: &str, messages: usize) -> Option<String> {
    let expected = if messages == 0 { 1 } else { 3 + messages };
    let lines: Vec<&str> = printed.lines().collect();
    if lines.len() != expected {
        return Some(format!("prints {} lines instead of {expected}", lines.len()));
    }
    let odd = lines.iter().find(|line| serde_json::from_str::<Value>(line).is_err());
    odd.map(|line| format!("prints what is not JSON: {line}"))
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
    fn a_program_that_does_not_do_its_work_is_found_out() {
        assert_eq!(complaint("{}\n", 0), None);
        assert_eq!(complaint("{}\n{}\n{}\n{\"id\":1}\n", 1), None);
        assert!(complaint("{}\n{}\n{}\n", 1).is_some_and(|it| it.contains("3 lines instead of 4")));
        assert!(complaint("{}\n{}\n{}\nrefused: no\n", 1).is_some_and(|it| it.contains("refused: no")));
        assert_eq!(in_revision("c {}\ns {}\n"), "c 2025-11-25 {}\ns 2025-11-25 {}\n");
    }

    /// The bar is about a program that uses many types, so that they cannot be left out of it unnoticed.
    #[test]
    fn every_program_uses_twenty_types_by_name() {
        let programs = [
            concat!(include_str!("programs/mcp_wire.rs"), include_str!("programs/mcp_wire_results.rs")),
            include_str!("programs/tower_mcp_types.rs"),
            include_str!("programs/rust_mcp_schema.rs"),
            include_str!("programs/rmcp.rs"),
            include_str!("programs/turbomcp_protocol.rs"),
        ];
        for program in programs {
            // Those of the crate are imported in braces; each is used, or the compiler would warn.
            let lists = program.split("use ").filter(|part| part.contains("::{") || part.contains("types::{"));
            let names = lists.flat_map(|part| part.split(';').next().unwrap_or_default().split([',', '{', '}', '\n']));
            let is_type = |name: &&str| name.trim().starts_with(|letter: char| letter.is_ascii_uppercase());
            assert!(names.filter(is_type).count() >= 20, "{program}");
        }
    }

    #[test]
    fn a_package_counts_once_and_the_dependent_not_at_all() {
        let tree = "dependent v0.0.0 (/tmp/x)\nserde v1.0.1\nserde_core v1.0.1\nserde v1.0.1 (*)\n";
        let names: Vec<String> = packages(tree).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["serde", "serde_core"]);
    }
}
