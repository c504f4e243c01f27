//! `cargo xtask`: the command line of mcp-wire.

mod diff;
mod generate;
mod methods;
mod project;
#[allow(dead_code)]
mod swap;
#[allow(dead_code)]
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
    Diff(diff::Diff),
    Generate(generate::Generate),
    Methods(methods::Methods),
    Verify(verify::Verify),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.verb {
        Verb::Diff(diff) => diff.run(),
        Verb::Generate(generate) => generate.run(),
        Verb::Methods(methods) => methods.run(),
        Verb::Verify(verify) => verify.run(),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(1)
        }
    }
}
