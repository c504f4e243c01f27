//! `cargo xtask`: the command line of mcp-wire.

mod bench;
mod diff;
mod generate;
mod methods;
mod project;
mod swap;
mod sync;
mod upstream;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Generates the Rust types of the Model Context Protocol from its official schemas.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Bench(bench::Bench),
    Diff(diff::Diff),
    Generate(generate::Generate),
    Methods(methods::Methods),
    Sync(sync::Sync),
    Verify(verify::Verify),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // A scheduled `sync --check` must be able to tell that there is something newer from not having found out.
    let failure = if matches!(arguments.verb, Verb::Sync(_)) { 2 } else { 1 };
    match run(arguments.verb) {
        Ok(code) => code,
        Err(error) => {
            project::complain("error", &format!("{error:#}"));
            ExitCode::from(failure)
        }
    }
}

fn run(verb: Verb) -> anyhow::Result<ExitCode> {
    // A sync that was interrupted is settled before anybody looks at the folders it replaces.
    if let Some(recovered) = swap::Swap::recover(&project::root()?)? {
        project::complain("note", &recovered.to_string());
    }
    match verb {
        Verb::Bench(bench) => bench.run(),
        Verb::Diff(diff) => diff.run(),
        Verb::Generate(generate) => generate.run(),
        Verb::Methods(methods) => methods.run(),
        Verb::Sync(sync) => sync.run(),
        Verb::Verify(verify) => verify.run(),
    }
}
