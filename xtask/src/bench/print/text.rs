//! A report for a terminal.

use super::parts;
use crate::bench::report::Report;

pub fn text(report: &Report) -> String {
    let mut text = String::new();
    for part in parts::parts(report) {
        text += &format!("{}\n{}\n", part.title, part.about);
        if !part.grid.is_empty() {
            text += &format!("\n{}", grid(&part.grid));
        }
        text.push('\n');
    }
    let bars = report.bars();
    text += &format!("What it must show\n\n{}\n{}", grid(&parts::bars(&bars)), grid(&parts::claims(&bars)));
    let holding = bars.iter().filter(|bar| bar.holds()).count();
    text + &format!("\n{holding} of {} hold\n", bars.len())
}

/// Words to the left, numbers to the right.
fn grid(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let cell = |row: &Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
    let layout: Vec<(usize, bool)> = (0..columns)
        .map(|column| {
            let width = rows.iter().map(|row| cell(row, column).chars().count()).max().unwrap_or(0);
            (width, parts::is_numeric(rows, column))
        })
        .collect();
    let mut text = String::new();
    for row in rows {
        let pad = |(column, (width, to_the_right)): (usize, &(usize, bool))| match to_the_right {
            true => format!("{:>width$}", cell(row, column)),
            false => format!("{:<width$}", cell(row, column)),
        };
        let cells: Vec<String> = layout.iter().enumerate().map(pad).collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}
