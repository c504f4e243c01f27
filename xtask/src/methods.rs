//! `cargo xtask methods`: which method exists in which revision, and what it takes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};
use mcp_wire_codegen::methods::{Row, rows};
use mcp_wire_codegen::model::{MethodKind, Role};
use mcp_wire_codegen::plain::{escaped_json, plain, plain_lines};
use mcp_wire_codegen::{load, model_of};

use crate::project;

/// Print the methods of the protocol: a table of methods and revisions, or all about the methods of one revision.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask methods                           every method, and the revisions that have it
  cargo xtask methods --revision 2025-11-25     params, results and capabilities of one revision
  cargo xtask methods --format json             everything, for programs

Exit codes: 0 done, 1 an error, 2 wrong arguments.")]
pub struct Methods {
    /// Only this revision, in detail; may be repeated
    #[arg(long, value_name = "R")]
    revision: Vec<String>,

    /// How to print the table
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Markdown,
    Json,
}

impl Methods {
    pub fn run(self) -> Result<ExitCode> {
        let folder = project::root()?.join("schema");
        let sources = load::sources(&folder)?;
        let mut revisions: Vec<(String, Vec<Row>)> = Vec::new();
        for source in project::chosen(&sources, &self.revision) {
            let model = model_of(&folder, &sources, load::official(&folder, source)?)?;
            revisions.push((source.name.clone(), rows(&model)));
        }
        let text = match self.format {
            Format::Json => {
                let all: Vec<&Row> = revisions.iter().flat_map(|(_, rows)| rows).collect();
                escaped_json(&serde_json::to_string_pretty(&all)?) + "\n"
            }
            format if self.revision.is_empty() => plain_lines(&overview(&revisions, format)),
            format => {
                let tables = revisions.iter().map(|(name, rows)| details(name, rows, format));
                plain_lines(&tables.collect::<Vec<_>>().join("\n"))
            }
        };
        project::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Methods and revisions.
fn overview(revisions: &[(String, Vec<Row>)], format: Format) -> String {
    let mut table = vec![vec!["method".to_owned(), "kind".to_owned()]];
    table[0].extend(revisions.iter().map(|(name, _)| name.clone()));
    let mut methods: BTreeMap<&str, Vec<Option<&Row>>> = BTreeMap::new();
    for (index, (_, rows)) in revisions.iter().enumerate() {
        for row in rows {
            methods.entry(&row.method).or_insert_with(|| vec![None; revisions.len()])[index] = Some(row);
        }
    }
    for (method, cells) in &methods {
        let mut kinds: Vec<&str> = Vec::new();
        for row in cells.iter().flatten() {
            if !kinds.contains(&kind(row.kind)) {
                kinds.push(kind(row.kind));
            }
        }
        let mut line = vec![(*method).to_owned(), kinds.join(", ")];
        line.extend(cells.iter().map(|cell| cell.map_or("–".to_owned(), who)));
        table.push(line);
    }
    let mut text = print_table(&table, format);
    let counts: Vec<String> = revisions.iter().map(|(name, rows)| format!("{name}: {}", rows.len())).collect();
    let _ = write!(
        text,
        "\nA cell says who sends the method; † is deprecated, an embedded request stands inside a result.\n{} methods; {}\n",
        methods.len(),
        counts.join(", ")
    );
    text
}

/// All about the methods of one revision.
fn details(revision: &str, rows: &[Row], format: Format) -> String {
    let header = ["method", "kind", "sent by", "params", "result", "client capability", "server capability"];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    for row in rows {
        let optional = if row.params_required { "" } else { "?" };
        let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "–".to_owned());
        table.push(vec![
            row.method.clone(),
            kind(row.kind).to_owned(),
            who(row),
            row.params.as_ref().map_or("–".to_owned(), |params| format!("{params}{optional}")),
            match row.result.names() {
                [] => "–".to_owned(),
                names => names.join(" or "),
            },
            or_none(&row.capability.client),
            or_none(&row.capability.server),
        ]);
    }
    let title = match format {
        Format::Markdown => format!("## {revision}\n\n"),
        _ => format!("{revision}, {} methods; `?` marks params that may be absent\n\n", rows.len()),
    };
    title + &print_table(&table, format)
}

fn kind(kind: MethodKind) -> &'static str {
    match kind {
        MethodKind::Request => "request",
        MethodKind::Notification => "notification",
        MethodKind::Embedded => "embedded",
    }
}

fn who(row: &Row) -> String {
    let senders = match row.senders[..] {
        [Role::Client] => "client",
        [Role::Server] => "server",
        [] => "nobody",
        _ => "both",
    };
    format!("{senders}{}", if row.deprecated { " †" } else { "" })
}

fn print_table(table: &[Vec<String>], format: Format) -> String {
    // A cell is on one line, and no other cell, whatever a schema calls its methods.
    let shown = |cell: &String| match format {
        Format::Markdown => plain(cell).replace('|', "\\|").replace('<', "&lt;").replace('[', "\\["),
        _ => plain(cell),
    };
    let table: Vec<Vec<String>> = table.iter().map(|row| row.iter().map(shown).collect()).collect();
    let columns = table.first().map_or(0, Vec::len);
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (index, row) in table.iter().enumerate() {
        let cells = row.iter().zip(&widths);
        if format == Format::Markdown {
            text.push_str(&format!("| {} |\n", row.join(" | ")));
            if index == 0 {
                text.push_str(&format!("|{}\n", "---|".repeat(columns)));
            }
        } else {
            let line: Vec<String> = cells.map(|(cell, width)| format!("{cell:<width$}")).collect();
            text.push_str(line.join("  ").trim_end());
            text.push('\n');
        }
    }
    text
}
