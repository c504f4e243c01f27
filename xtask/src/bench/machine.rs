//! Where the figures come from: processor, system, compiler, versions of the contenders; and what a child has cost.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::compile::TOWER;
use super::program;
use super::table::PEERS;

/// What instruction counts depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolchain {
    pub rustc: String,
    pub architecture: String,
}

impl Toolchain {
    /// The one that cargo would use.
    pub fn here() -> Result<Self> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let text = program::run(Command::new(rustc).arg("-vV"))?;
        let release =
            text.lines().find_map(|line| line.strip_prefix("release: ")).context("rustc -vV has no release")?;
        Ok(Self { rustc: release.to_owned(), architecture: std::env::consts::ARCH.to_owned() })
    }
}

/// The machine, in words that say nothing about whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    pub processor: String,
    pub cores: usize,
    pub system: String,
    pub rustc: String,
}

impl Machine {
    pub fn here() -> Result<Self> {
        let toolchain = Toolchain::here()?;
        let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = processors.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
        let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
        Ok(Self {
            processor: model.map_or_else(|| "unknown processor".to_owned(), |(_, model)| model.to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            system: format!(
                "{} ({}, {})",
                name.map_or(std::env::consts::OS, |name| name.trim_matches('"')),
                std::env::consts::OS,
                toolchain.architecture
            ),
            rustc: toolchain.rustc,
        })
    }
}

/// The versions of the contenders, and the day they were locked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Versions {
    pub crates: Vec<(String, String)>,
    /// Nothing outside a git checkout.
    pub date: Option<String>,
}

impl Versions {
    pub fn locked(root: &Path) -> Result<Self> {
        let file = "tests/bench/Cargo.lock";
        let text = std::fs::read_to_string(root.join(file)).with_context(|| file)?;
        let mut git = Command::new("git");
        git.current_dir(root).args(["log", "-1", "--format=%cs", "--", file]);
        let date = program::run(&mut git).ok().map(|date| date.trim().to_owned()).filter(|date| !date.is_empty());
        Ok(Self { crates: versions(&text).with_context(|| file)?, date })
    }

    pub fn of(&self, name: &str) -> Result<&str> {
        let found = self.crates.iter().find(|(known, _)| known == name);
        found.map(|(_, version)| version.as_str()).with_context(|| format!("tests/bench/Cargo.lock has no {name}"))
    }
}

fn versions(lock: &str) -> Result<Vec<(String, String)>> {
    let lock: toml::Table = lock.parse()?;
    let packages = lock.get("package").and_then(toml::Value::as_array).context("no packages")?;
    let wanted = ["mcp-wire-2025-11-25"].into_iter().chain(PEERS).chain([TOWER, "serde", "serde_json", "sonic-rs"]);
    wanted
        .map(|name| {
            let of = |package: &toml::Value, key: &str| package.get(key)?.as_str().map(str::to_owned);
            let package = packages.iter().find(|package| of(package, "name").as_deref() == Some(name));
            let version = package.and_then(|package| of(package, "version"));
            Ok((name.to_owned(), version.with_context(|| format!("no version of {name}"))?))
        })
        .collect()
}

/// The user and system seconds of all children that have ended, where the system tells.
pub fn cpu_of_children() -> Option<(f64, f64)> {
    children(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// After the name, which may contain anything, come the state as field 3, and `cutime` and `cstime` as fields 16 and 17;
/// a tick is a hundredth of a second in every program's view of Linux.
fn children(stat: &str) -> Option<(f64, f64)> {
    let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(13);
    let mut seconds = || Some(fields.next()?.parse::<u64>().ok()? as f64 / 100.0);
    Some((seconds()?, seconds()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_is_found_behind_a_name_with_brackets() {
        let stat = "7 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 250 75 20 0 1 0 99";
        assert_eq!(children(stat), Some((2.5, 0.75)));
    }

    #[test]
    fn a_lock_file_without_a_contender_is_an_error() {
        let error = versions("[[package]]\nname = \"mcp-wire-2025-11-25\"\nversion = \"0.1.0\"\n").err();
        assert!(error.is_some_and(|error| error.to_string().contains("rmcp")));
    }
}
