//! A report as text, Markdown or JSON, and as files.

mod json;
mod markdown;
mod parts;
mod text;

use anyhow::Result;

use super::Format;
use super::chart;
use super::report::Report;
use super::table::What;

pub fn print(report: &Report, format: Format) -> Result<String> {
    Ok(match format {
        Format::Text => text::text(report),
        Format::Markdown => markdown::markdown(report, false),
        Format::Json => serde_json::to_string_pretty(&json::json(report))? + "\n",
    })
}

/// What belongs below `docs/benchmarks`, by name.
pub fn files(report: &Report) -> [(&'static str, String); 3] {
    [
        ("README.md", markdown::markdown(report, true)),
        ("parse.svg", chart::svg(&report.times, What::Parse)),
        ("write.svg", chart::svg(&report.times, What::Write)),
    ]
}
