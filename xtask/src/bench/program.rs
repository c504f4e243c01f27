//! The program under `tests/bench`: built here, run once per message.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::table::Case;

/// The built programs.
pub struct Program {
    pub measure: PathBuf,
    /// Only beside the peers: the guard has no use for it, and linking it takes as long as the other one.
    allocations: Option<PathBuf>,
}

impl Program {
    /// Builds them, with the peers or without.
    pub fn build(root: &Path, with_peers: bool) -> Result<Self> {
        if !root.join("generated/mcp-wire/Cargo.toml").is_file() {
            bail!("there are no generated crates\n  run `cargo xtask generate` first");
        }
        eprintln!("building tests/bench {} peers", if with_peers { "with" } else { "without" });
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["build", "--release", "--message-format", "json-render-diagnostics", "--manifest-path"])
            .arg(root.join("tests/bench/Cargo.toml"))
            // The settings of the project, the target folder among them, are found from here.
            .current_dir(root);
        match with_peers {
            true => cargo.args(["--features", "peers"]),
            false => cargo.args(["--bin", "mcp-wire-bench"]),
        };
        let output = cargo.stderr(Stdio::inherit()).output().context("cargo could not be run")?;
        if !output.status.success() {
            let offline =
                if with_peers { "; the peers come from the registry, so the first build needs it" } else { "" };
            bail!("tests/bench does not build\n  see the messages above{offline}");
        }
        let messages = String::from_utf8_lossy(&output.stdout);
        let measure =
            executable(&messages, "mcp-wire-bench").context("cargo built no `mcp-wire-bench` in tests/bench")?;
        Ok(Self { measure, allocations: executable(&messages, "allocations") })
    }

    /// The messages there are.
    pub fn cases(&self) -> Result<Vec<Case>> {
        let text = run(Command::new(&self.measure).arg("list"))?;
        let cases: Result<Vec<Case>> = text.lines().map(Case::read).collect();
        cases.context("`list` of tests/bench cannot be read")
    }

    /// The least times of everybody, in turns, as lines of JSON.
    pub fn time(&self, case: &Case, rounds: u32, microseconds: u32) -> Result<String> {
        let mut command = Command::new(&self.measure);
        run(command.args(["time", &case.subject, &case.order, &rounds.to_string(), &microseconds.to_string()]))
    }

    /// The allocations of everybody, as lines of JSON.
    pub fn allocations(&self, case: &Case) -> Result<String> {
        run(self.allocations_program()?.args([&case.subject, &case.order]))
    }

    /// The allocations of one contender, in a process of its own.
    pub fn allocations_of(&self, subject: &str, order: &str, contender: &str) -> Result<String> {
        run(self.allocations_program()?.args([subject, order, contender]))
    }

    fn allocations_program(&self) -> Result<Command> {
        Ok(Command::new(self.allocations.as_ref().context("cargo built no `allocations` in tests/bench")?))
    }
}

/// The path of a built program, from cargo's messages.
fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    messages.lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        (message.get("target")?.get("name")?.as_str()? == name).then_some(())?;
        Some(PathBuf::from(message.get("executable")?.as_str()?))
    })
}

/// Runs to the end and returns what was printed.
pub fn run(command: &mut Command) -> Result<String> {
    let shown = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let arguments: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let output = command.output().with_context(|| format!("{shown} could not be run"))?;
    if !output.status.success() {
        bail!(
            "{shown} {} failed with {}\n{}",
            arguments.join(" "),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim_end()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_found_among_the_messages() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","target":{"name":"mcp_wire_bench"},"executable":null}"#,
            "\n",
            r#"{"reason":"compiler-artifact","target":{"name":"mcp-wire-bench"},"executable":"/t/mcp-wire-bench"}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#
        );
        assert_eq!(executable(messages, "mcp-wire-bench"), Some(PathBuf::from("/t/mcp-wire-bench")));
        assert_eq!(executable(messages, "allocations"), None);
    }
}
