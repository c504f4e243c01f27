//! A report as a page, with charts beside it or without.

use super::parts;
use crate::bench::report::Report;

pub fn markdown(report: &Report, with_charts: bool) -> String {
    let bars = report.bars();
    let mut text = format!("# Benchmarks\n\n{}\n", origin(report));
    text += &format!("\n## What it must show\n\n{}", grid(&parts::claims(&bars)));
    text += "\n<details><summary>Every bar</summary>\n\n";
    text += &grid(&parts::bars(&bars));
    text += "\n</details>\n";
    for part in parts::parts(report) {
        text += &format!("\n## {}\n\n{}\n", part.title, part.about);
        let chart = match part.title {
            "Parse" => Some("parse.svg"),
            "Serialise" => Some("write.svg"),
            _ => None,
        };
        if let Some(file) = chart.filter(|_| with_charts) {
            text += &format!("\n![{}, times the hand-written struct]({file})\n", part.title);
        }
        if !part.grid.is_empty() {
            text += &format!("\n{}", grid(&part.grid));
        }
    }
    text
}

/// Command, machine and versions.
fn origin(report: &Report) -> String {
    let crates: Vec<String> =
        report.versions.crates.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let date = report.versions.date.as_ref().map(|date| format!(", as of {date}")).unwrap_or_default();
    let machine = &report.machine;
    format!(
        "Written by `{}`; [tests/bench](../../tests/bench/README.md) says how the figures are made and what is fair about them. \
         They are ratios within one run: times differ between machines, these much less.\n\n\
         - Machine: {}, {} cores; {}; rustc {}.\n- Crates: {}{date}.",
        report.command,
        machine.processor,
        machine.cores,
        machine.system,
        machine.rustc,
        crates.join(", ")
    )
}

fn grid(rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|").replace('<', "&lt;")).collect();
        text += &format!("| {} |\n", cells.join(" | "));
        if index == 0 {
            let sides = (0..row.len()).map(|column| if parts::is_numeric(rows, column) { "--:|" } else { "---|" });
            text += &format!("|{}\n", sides.collect::<String>());
        }
    }
    text
}
