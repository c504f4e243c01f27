//! `cargo xtask bench` as its users meet it, as far as that takes no measuring: arguments in, exit code and message out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;
use std::process::{Command, Output};

fn run(arguments: &[&str], root: Option<&PathBuf>) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.arg("bench").args(arguments);
    if let Some(root) = root {
        command.env("MCP_WIRE_ROOT", root);
    }
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code(), String::from_utf8_lossy(&stdout).into_owned(), String::from_utf8_lossy(&stderr).into_owned())
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("mcp-wire-xtask-bench-{name}-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("schema")).unwrap();
    std::fs::create_dir_all(folder.join("tests/bench")).unwrap();
    folder
}

#[test]
fn arguments_that_make_no_sense_are_refused_with_2() {
    for arguments in [
        &["--quick", "--write"][..],
        &["--quick", "--check"],
        &["--quick", "--record"],
        &["--check", "--record"],
        &["--check", "--write"],
        &["--record", "--write"],
        &["--check", "--format", "json"],
        &["--record", "--format", "json"],
        &["--format", "html"],
        &["--fast"],
        &["ping"],
    ] {
        let (code, out, err) = run(arguments, None);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
        assert!(err.contains("error:"), "{arguments:?}: {err}");
    }
}

#[test]
fn the_help_names_the_flags_and_the_exit_codes() {
    let (code, out, _) = run(&["--help"], None);
    assert_eq!(code, Some(0));
    for words in ["--quick", "--format", "--write", "--check", "--record", "Exit codes", "docs/benchmarks"] {
        assert!(out.contains(words), "{words}: {out}");
    }
}

#[test]
fn a_guard_without_a_baseline_says_how_to_get_one() {
    let root = scratch("no-baseline");
    let (code, out, err) = run(&["--check"], Some(&root));
    std::fs::remove_dir_all(&root).ok();
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains("tests/bench/instructions.toml") && err.contains("cargo xtask bench --record"), "{err}");
}

#[test]
fn a_guard_of_another_compiler_is_skipped_and_says_so() {
    let root = scratch("other-compiler");
    let text = "rustc = \"1.0.0\"\narchitecture = \"pdp11\"\n\n[instructions]\n";
    std::fs::write(root.join("tests/bench/instructions.toml"), text).unwrap();
    let (code, out, err) = run(&["--check"], Some(&root));
    std::fs::remove_dir_all(&root).ok();
    assert_eq!(code, Some(0), "{err}");
    // Where there is no valgrind, that is what it says.
    assert!(out.starts_with("skipped: "), "{out}");
    assert!(out.contains("recorded with rustc 1.0.0 on pdp11") || out.contains("valgrind is not installed"), "{out}");
}

#[test]
fn without_generated_crates_the_next_step_is_named() {
    let root = scratch("nothing-generated");
    std::fs::copy(
        concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/bench/Cargo.lock"),
        root.join("tests/bench/Cargo.lock"),
    )
    .unwrap();
    let (code, out, err) = run(&["--quick"], Some(&root));
    std::fs::remove_dir_all(&root).ok();
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains("cargo xtask generate"), "{err}");
}
