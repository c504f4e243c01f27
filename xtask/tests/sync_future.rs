//! A revision that nobody has seen becomes a crate that builds, is verified, and can be used, with one command.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../../codegen/tests/made_up/mod.rs"]
mod made_up;
#[path = "../../codegen/tests/revisions/mod.rs"]
mod revisions;

use made_up::FUTURE;
use revisions::newest;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// What uses the new crate, by itself and through the facade.
const PROGRAM: &str = r#"
use mcp_wire::v2099_02_14::{METHODS, RateToolRequestParams, RateToolResult, Tool};
use mcp_wire::{Revision, METHODS as HISTORY};
use serde_json::{Value, json};

fn main() {
    // A type, a member and a value that the revision before does not have.
    let tool = json!({ "name": "t", "inputSchema": { "type": "object" }, "category": "weather" });
    let typed: Tool = serde_json::from_value(tool.clone()).unwrap();
    assert_eq!(typed.category.as_deref(), Some("weather"));
    assert_eq!(serde_json::to_value(&typed).unwrap(), tool);
    assert!(serde_json::from_value::<mcp_wire::v2099_02_14::LoggingLevel>(json!("trace")).unwrap().check().is_empty());
    let params = json!({ "name": "t", "rating": { "stars": 5 }, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2099-02-14",
        "io.modelcontextprotocol/clientCapabilities": {},
    } });
    let typed: RateToolRequestParams = serde_json::from_value(params.clone()).unwrap();
    assert_eq!(serde_json::to_value(&typed).unwrap(), params);
    assert!(typed.check().is_empty());
    let result: RateToolResult = serde_json::from_value(json!({ "average": 4.5, "resultType": "complete" })).unwrap();
    assert!(result.check().is_empty());
    // A method more and one less.
    let has = |name: &str| METHODS.iter().any(|method| method.name == name);
    assert!(has("tools/rate") && !has("completion/complete"));
    // The facade knows the revision, and which methods it has.
    let revision: Revision = "2099-02-14".parse().unwrap();
    assert_eq!(revision, Revision::LATEST);
    assert!(HISTORY.iter().any(|method| method.name == "tools/rate"));
    let _: Value = params;
    println!("used");
}
"#;

/// A folder that goes when the test does, however it ends.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Does what a person does who has looked at every task and found all of it right.
fn settle(facts: &Path) {
    let text = fs::read_to_string(facts).unwrap();
    let (known, _) = text.split_once("\n# What sync could not know.").expect("tasks");
    let (confirmed, open) = known.split_once(&format!("\n{FUTURE} = [\n")).expect("a list");
    let (_, rest) = open.split_once("\n]\n").expect("the end of the list");
    fs::write(facts, format!("{confirmed}\n{FUTURE} = []\n{rest}")).unwrap();
}

#[test]
fn a_new_revision_is_one_command() {
    let scratch = Scratch(std::env::temp_dir().join(format!("mcp-wire-future-{}", std::process::id())));
    let folder = &scratch.0;
    let root = folder.join("project");
    fs::create_dir_all(&root).unwrap();
    let copied = Command::new("sh")
        .arg("-c")
        .arg("git ls-files -z | tar --null -T - -cf - | tar -xf - -C \"$0\"")
        .arg(&root)
        .current_dir(project())
        .status()
        .unwrap();
    assert!(copied.success());
    // What the project has built of others' packages need not be built again. What else is there is the project's: the
    // text of a pull request, for one.
    fs::create_dir_all(project().join("target/debug")).unwrap();
    fs::create_dir_all(root.join("target")).unwrap();
    std::os::unix::fs::symlink(project().join("target/debug"), root.join("target/debug")).unwrap();
    let schema = fs::read(project().join("schema").join(newest()).join("schema.json")).unwrap();
    let future = made_up::future(serde_json::from_slice(&schema).unwrap());
    let file = folder.join("upstream/schema").join(FUTURE).join("schema.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, serde_json::to_string_pretty(&future).unwrap()).unwrap();

    let run = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).env("MCP_WIRE_ROOT", &root).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text)
    };
    let upstream = folder.join("upstream").display().to_string();
    let (code, text) = run(&["sync", "--from", &upstream]);
    // It is there, and it is unfinished: names alone suggest what is known of the method.
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains(&format!("{FUTURE} is new; against {}", newest())), "{text}");
    let task = "`tools/rate`: server_capability is `tools`, the result is `RateToolResult`; nobody";
    assert!(text.contains(&format!("task: {FUTURE}: {task}")), "{text}");
    let count = text.lines().filter(|line| line.starts_with("task: ")).count();
    let unfinished = format!("unfinished: {count} tasks; CONTRIBUTING.md");
    assert!(text.contains(&unfinished), "{text}");
    for check in [&["generate", "--check"][..], &["sync", "--check", "--from", &upstream]] {
        let (code, text) = run(check);
        assert!(code == Some(3) && text.contains("up to date\n") && text.contains(&unfinished), "{code:?} {text}");
    }
    settle(&root.join("schema/facts.toml"));
    for check in [&["generate", "--check"][..], &["sync", "--check", "--from", &upstream]] {
        let (code, text) = run(check);
        assert!(code == Some(0) && text.ends_with("up to date\n"), "{code:?} {text}");
    }
    assert!(root.join(format!("docs/changes/{}..{FUTURE}.md", newest())).is_file());
    let (code, text) = run(&["diff", newest(), FUTURE, "--only", "tools/rate"]);
    assert!(code == Some(0) && text.contains("`tools/rate` is new"), "{text}");

    let user = folder.join("user");
    fs::create_dir_all(user.join("src")).unwrap();
    fs::write(user.join("src/main.rs"), PROGRAM).unwrap();
    let facade = root.join("generated/mcp-wire");
    fs::write(
        user.join("Cargo.toml"),
        format!(
            "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
             mcp-wire = {{ path = {facade:?}, default-features = false, features = [\"v2099_02_14\"] }}\nserde_json = \"1\"\n\n[workspace]\n"
        ),
    )
    .unwrap();
    let used = Command::new("cargo")
        .args(["run", "-q", "--target-dir"])
        .arg(project().join("target/user"))
        .current_dir(&user)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&used.stdout).into_owned() + &String::from_utf8_lossy(&used.stderr);
    assert!(used.status.success() && text.contains("used"), "{text}");
}
