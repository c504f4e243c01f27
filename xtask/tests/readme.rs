//! The README: programs are built and run as they stand there, commands exist with their options and files, and figures
//! are those of the files that they are taken from.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_xtask");

/// What stands for something of the reader's own. All other files that are named exist.
const OF_THE_READER: [&str; 3] = ["session.jsonl", "../my-types", "changes.html"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().canonicalize().unwrap()
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).unwrap()
}

/// The blocks of code with their languages, in order.
fn blocks(text: &str) -> Vec<(String, String)> {
    let (mut blocks, mut open): (Vec<(String, String)>, bool) = (Vec::new(), false);
    for line in text.lines() {
        match (line.strip_prefix("```"), open) {
            (Some(language), false) => blocks.push((language.to_owned(), String::new())),
            (Some(_), true) => {}
            (None, true) => {
                let (_, block) = blocks.last_mut().unwrap();
                block.push_str(line);
                block.push('\n');
            }
            (None, false) => {}
        }
        open ^= line.starts_with("```");
    }
    assert!(!open, "a block has no end");
    blocks
}

fn of(language: &str) -> Vec<String> {
    blocks(&readme()).into_iter().filter(|(other, _)| other == language).map(|(_, block)| block).collect()
}

/// A folder beside a `mcp-wire` that is this project, as the README has it; it goes when the test does.
struct Beside(PathBuf);

impl Beside {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("mcp-wire-readme-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("own/src")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(root(), folder.join("mcp-wire")).unwrap();
        Self(folder)
    }

    /// Builds and runs a program with these dependencies.
    fn run(&self, dependencies: &str, program: &str) -> String {
        let own = self.0.join("own");
        let manifest = format!(
            "[package]\nname = \"own\"\nversion = \"0.0.0\"\nedition = \"2024\"\nrust-version = \"1.88\"\n\n{dependencies}\n[workspace]\n"
        );
        fs::write(own.join("Cargo.toml"), manifest).unwrap();
        fs::write(own.join("src/main.rs"), program).unwrap();
        fs::copy(root().join("Cargo.lock"), own.join("Cargo.lock")).unwrap();
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme-target");
        let output = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--offline"])
            .current_dir(own)
            .env("CARGO_TARGET_DIR", target)
            .env("RUSTFLAGS", "-D warnings -C debuginfo=0")
            .output()
            .unwrap();
        let (code, out, err) = told(output);
        assert_eq!(code, 0, "{err}");
        out
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn told(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn xtask(arguments: &[&str]) -> (i32, String, String) {
    told(Command::new(PROGRAM).args(arguments).current_dir(root()).stdin(Stdio::null()).output().unwrap())
}

#[test]
#[cfg(unix)]
fn its_programs_print_what_it_says() {
    let (programs, manifests) = (of("rust"), of("toml"));
    let expected: Vec<String> = of("text").into_iter().filter(|block| block.starts_with('{')).collect();
    assert_eq!((programs.len(), manifests.len(), expected.len()), (2, 2, 1));
    let beside = Beside::new("programs");
    // The first proves what it says itself, and prints nothing; the second is followed by what it prints.
    assert!(programs[0].contains("assert"));
    assert_eq!(beside.run(&manifests[0], &programs[0]), "");
    assert_eq!(beside.run(&manifests[1], &programs[1]), expected[0]);
}

/// The commands of a block: comments off, lines that go on joined.
fn commands() -> Vec<String> {
    let mut commands = Vec::new();
    for block in of("sh") {
        let mut command = String::new();
        for line in block.lines() {
            command.push_str(line.split("  #").next().unwrap().trim());
            match command.ends_with('|') {
                true => command.push(' '),
                false => commands.push(std::mem::take(&mut command)),
            }
        }
        assert_eq!(command, "", "a command goes on after its block");
    }
    commands.retain(|command| !command.is_empty());
    commands
}

/// Words as a shell splits them: only single quotes occur.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in command.split('\'').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// That a verb has these options, and that what looks like a file is one.
fn prove_verb(words: &[String], helps: &mut BTreeMap<String, String>) {
    let (verb, arguments) = words.split_first().expect("a verb");
    let help = helps.entry(verb.clone()).or_insert_with(|| {
        let (code, out, err) = xtask(&[verb, "--help"]);
        assert_eq!(code, 0, "`cargo xtask {verb}`: {err}");
        out
    });
    for argument in arguments {
        match argument.strip_prefix("--") {
            Some(option) => assert!(help.contains(&format!("--{option}")), "`{verb}` has no --{option}"),
            None => prove_file(argument),
        }
    }
}

fn prove_file(word: &str) {
    let like_a_file = word.contains('/') || [".json", ".jsonl", ".html"].iter().any(|end| word.ends_with(end));
    // Built by the command before.
    let built = word.strip_prefix("target/debug/examples/").map(|name| format!("tests/stdio/examples/{name}.rs"));
    let file = built.unwrap_or_else(|| word.to_owned());
    let known = OF_THE_READER.contains(&word) || root().join(&file).exists();
    assert!(!like_a_file || known, "there is no `{word}`");
}

#[test]
fn its_commands_exist_with_their_options_and_files() {
    let mut helps = BTreeMap::new();
    let (mut verbs, mut others) = (0, 0);
    for command in commands() {
        let line = command.rsplit('|').next().unwrap();
        let words = words(line.split('>').next().unwrap());
        let plain: Vec<&str> = words.iter().map(String::as_str).collect();
        match plain.as_slice() {
            ["cargo", "xtask", ..] => {
                prove_verb(&words[2..], &mut helps);
                verbs += 1;
                continue;
            }
            ["cargo", "run", "--example", name, rest @ ..] => {
                assert!(root().join(format!("tests/stdio/examples/{name}.rs")).is_file(), "no example {name}");
                // A message in JSON is no file.
                rest.iter().filter(|word| !word.starts_with('{')).for_each(|word| prove_file(word));
            }
            ["cargo", "build", "--examples"] | ["cargo", "test", "--workspace"] => {}
            _ => panic!("nobody proves `{command}`"),
        }
        others += 1;
    }
    // And those in the middle of a sentence.
    let readme = readme();
    let spans = readme.split('`').skip(1).step_by(2).filter(|span| span.starts_with("cargo xtask "));
    let mut inline = 0;
    for span in spans.filter(|span| !span.contains('\n')) {
        prove_verb(&words(span)[2..], &mut helps);
        inline += 1;
    }
    println!("{verbs} commands of xtask, {others} of cargo, {inline} in sentences");
    assert!(verbs >= 9 && others == 5 && inline >= 5, "{verbs}, {others}, {inline}");
    assert_eq!(helps.len(), 6, "every verb is shown: {:?}", helps.keys());
}

/// Those that take a moment are run as they stand there.
#[test]
fn its_comparisons_can_be_run() {
    let mut run = 0;
    for command in commands().iter().filter(|command| command.starts_with("cargo xtask diff")) {
        let words = words(command.split('>').next().unwrap());
        let arguments: Vec<&str> = words[2..].iter().map(String::as_str).collect();
        let (code, out, err) = xtask(&[&["diff"], &arguments[1..]].concat());
        assert!(code == 0 && err.is_empty() && out.len() > 10, "{command}: {code} {err}");
        run += 1;
    }
    assert_eq!(run, 4);
}

#[test]
fn its_crate_of_ones_own_can_be_generated() {
    let commands = commands();
    let command = commands.iter().find(|command| command.contains("--schema")).unwrap();
    let beside = Beside::new("generate");
    let out = beside.0.join("my-types");
    let words: Vec<String> =
        words(command).into_iter().map(|word| word.replace("../my-types", out.to_str().unwrap())).collect();
    let arguments: Vec<&str> = words[2..].iter().map(String::as_str).collect();
    let (code, text, err) = xtask(&arguments);
    assert_eq!(code, 0, "{err}");
    assert!(text.contains("files written, 0 removed"), "{text}");
    assert!(out.join(".mcp-wire-files").is_file() && out.join("src/lib.rs").is_file());
}

/// The alias shows what cargo is doing, and a report can be piped all the same.
#[test]
fn cargo_is_not_silent_and_reports_are_clean() {
    let config = fs::read_to_string(root().join(".cargo/config.toml")).unwrap();
    let alias = config.lines().find_map(|line| line.strip_prefix("xtask = ")).unwrap();
    assert_eq!(alias, "\"run --manifest-path xtask/Cargo.toml --\"");
    for file in ["src/verify.rs", "src/bench/program.rs"] {
        let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
        let build = source.lines().find(|line| line.contains(".args([\"build\"")).unwrap();
        assert!(!build.contains("quiet"), "{file}: {build}");
    }
    let output = Command::new(env!("CARGO"))
        .args(["xtask", "diff", "2024-11-05", "2025-03-26", "--format", "json"])
        .current_dir(root())
        .output()
        .unwrap();
    let (code, out, err) = told(output);
    assert_eq!(code, 0, "{err}");
    assert!(serde_json::from_str::<Value>(&out).is_ok(), "{out}");
    assert!(err.contains("Finished") && err.contains("Running"), "{err}");
}

/// Rows of tables, cell by cell.
fn rows(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

#[test]
fn its_figures_are_those_of_the_project() {
    let readme = readme();
    let (mut revisions, mut changes, mut benchmarks) = (0, 0, 0);
    let measured = fs::read_to_string(root().join("docs/benchmarks/README.md")).unwrap();
    let (parse, write) = measured.split_once("## Serialise").unwrap();
    let parse = parse.split_once("## Parse").unwrap().1;
    let write = write.split_once("\n## ").unwrap().0;
    for row in rows(&readme) {
        let cells: Vec<&str> = row.iter().map(String::as_str).collect();
        if let [name, _, count] = cells.as_slice()
            && root().join("schema").join(name).is_dir()
        {
            let text = fs::read(root().join("schema").join(name).join("schema.json")).unwrap();
            let schema: Value = serde_json::from_slice(&text).unwrap();
            let definitions = schema.get("$defs").or(schema.get("definitions")).unwrap().as_object().unwrap().len();
            assert_eq!(*count, definitions.to_string(), "definitions of {name}");
            revisions += 1;
        }
        if let [link, figures @ ..] = cells.as_slice()
            && let Some((_, file)) = link.split_once("](docs/changes/")
        {
            let report = fs::read_to_string(root().join("docs/changes").join(file.trim_end_matches(')'))).unwrap();
            let areas: Vec<Vec<usize>> = rows(&report)
                .iter()
                .filter_map(|row| row.get(1..4)?.iter().map(|cell| cell.parse().ok()).collect())
                .collect();
            let sums: Vec<String> =
                (0..3).map(|at| areas.iter().map(|area| area[at]).sum::<usize>().to_string()).collect();
            assert_eq!(figures, sums, "{file}");
            changes += 1;
        }
        if let [name, figures @ ..] = cells.as_slice()
            && let Some((table, message)) = name
                .strip_prefix("read ")
                .map(|name| (parse, name))
                .or(name.strip_prefix("write ").map(|name| (write, name)))
        {
            let names = [message.to_owned(), format!("{message}, id first")];
            let found =
                rows(table).into_iter().find(|row| names.contains(&row[0])).unwrap_or_else(|| panic!("no {name}"));
            assert_eq!(figures, &found[1..5], "{name}");
            benchmarks += 1;
        }
    }
    assert_eq!((revisions, changes, benchmarks), (5, 4, 13));
}

/// The oldest Rust that it names is the one that the manifests name.
#[test]
fn its_oldest_rust_is_that_of_the_manifests() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let oldest = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap().trim_matches('"');
    assert_eq!(readme().matches(&format!("Rust {oldest} or newer")).count(), 2);
}
