//! The program under `cargo xtask verify`: takes a task as JSON, verifies, prints, and says by its exit code how it went.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use mcp_wire_verify::{Judges, Printing, Task, run};
use serde::Deserialize;

/// The task, and how to print what comes of it.
#[derive(Deserialize)]
struct Request {
    #[serde(flatten)]
    task: Task,
    json: bool,
    quiet: bool,
}

fn main() -> ExitCode {
    let request = std::env::args().nth(1).and_then(|text| serde_json::from_str::<Request>(&text).ok());
    let Some(Request { task, json, quiet }) = request else {
        eprintln!("error: this program is run by `cargo xtask verify`");
        return ExitCode::from(2);
    };
    let judges = Judges::new(task.root.join("schema"), task.accepts.clone());
    let printing = Printing {
        json,
        quiet,
        // Colours are for people who look, and who have not said otherwise.
        colours: io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        progress: io::stderr().is_terminal(),
    };
    ExitCode::from(run(&task, &judges, printing, io::stdout().lock()))
}
