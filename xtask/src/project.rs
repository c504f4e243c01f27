//! What all verbs ask of the project they are run in.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use mcp_wire_codegen::load::{Source, Sources};
use mcp_wire_codegen::plain::plain_lines;

use crate::swap;

/// The project's folder: the command is run with `cargo xtask`, from anywhere inside it.
///
/// Tests run the same program on a copy of the project, which they name in `MCP_WIRE_ROOT`.
pub fn root() -> Result<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = match std::env::var_os("MCP_WIRE_ROOT") {
        Some(root) => PathBuf::from(root),
        None => manifest.parent().unwrap_or(manifest).to_owned(),
    };
    // A sync that was interrupted at the wrong moment has moved the schemas away, and is settled by whoever asks next.
    if !root.join("schema").is_dir() && !root.join(swap::FOLDER).is_dir() {
        bail!("{} has no folder `schema`\n  run `cargo xtask` inside a checkout of mcp-wire", root.display());
    }
    Ok(root)
}

/// The revisions that were asked for; all of them, if none was. An unknown one is a usage error.
pub fn chosen<'a>(sources: &'a Sources, wanted: &[String]) -> Vec<&'a Source> {
    let known: Vec<&str> = sources.revisions.iter().map(|source| source.name.as_str()).collect();
    if let Some(unknown) = wanted.iter().find(|wanted| !known.contains(&wanted.as_str())) {
        complain("error", &format!("no revision `{unknown}`\n  there are {}", known.join(", ")));
        std::process::exit(2);
    }
    sources.revisions.iter().filter(|source| wanted.is_empty() || wanted.contains(&source.name)).collect()
}

/// Prints a report. A reader that has seen enough and closed the pipe is no error.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Prints a line of a report. Nothing that it quotes steers a terminal, or a log.
pub fn say(line: &str) -> Result<()> {
    print(&format!("{}\n", plain_lines(line)))
}

/// Prints what is wrong, or worth knowing, beside the output. It quotes schemas, file names and arguments.
pub fn complain(kind: &str, text: &str) {
    eprintln!("{}", plain_lines(&format!("{kind}: {text}")));
}
