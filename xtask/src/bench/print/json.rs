//! A report for programs. Figures are as measured; ratios are to the hand-written struct, as printed elsewhere.

use serde_json::{Value, json};

use crate::bench::bars::{Bar, CLAIMS};
use crate::bench::generator;
use crate::bench::report::{Report, Section};
use crate::bench::table::{Row, Table, round};

pub fn json(report: &Report) -> Value {
    let bars = report.bars();
    let machine = &report.machine;
    let versions: serde_json::Map<String, Value> =
        report.versions.crates.iter().map(|(name, version)| (name.clone(), json!(version))).collect();
    let builds = section(&report.builds, |builds| {
        builds
            .iter()
            .map(|build| {
                json!({
                    "name": build.name, "clean": build.clean, "rebuild": build.rebuild, "check": build.check,
                    "binary": build.binary, "packages": build.packages, "lines": build.lines,
                })
            })
            .collect()
    });
    json!({
        "command": report.command,
        "machine": {
            "processor": machine.processor, "cores": machine.cores, "system": machine.system, "rustc": machine.rustc,
        },
        "versions": { "crates": versions, "date": report.versions.date },
        "nanoseconds": rows(&report.times),
        "instructions": section(&report.instructions, rows),
        "memory": {
            "requests": rows(&report.memory.requests),
            "bytes": rows(&report.memory.bytes),
            "peak": rows(&report.memory.peak),
            "huge": report.memory.huge.iter().flat_map(entries).collect::<Vec<_>>(),
        },
        "builds": builds,
        "generator": generated(report),
        "bars": bars.iter().map(bar).collect::<Vec<_>>(),
        "holds": bars.iter().all(Bar::holds),
    })
}

/// What was measured, or why it was not.
fn section<T>(section: &Section<T>, measured: impl Fn(&T) -> Vec<Value>) -> Value {
    match section {
        Ok(value) => json!({ "rows": measured(value), "skipped": null }),
        Err(note) => json!({ "rows": [], "skipped": note }),
    }
}

fn rows(table: &Table) -> Vec<Value> {
    table.rows.iter().flat_map(entries).collect()
}

fn entries(row: &Row) -> Vec<Value> {
    let entry = |entry: &crate::bench::table::Entry| {
        json!({
            "subject": row.case.subject, "order": row.case.order, "what": row.what.name(),
            "contender": entry.contender, "figure": entry.value, "ratio": row.ratio(&entry.contender),
            "lossless": entry.is_lossless,
        })
    };
    row.entries.iter().map(entry).collect()
}

fn generated(report: &Report) -> Vec<Value> {
    let growth = generator::growth(&report.generator);
    let run = |run: &generator::Run| {
        let factor = growth.iter().find(|(_, to, _)| Some(*to) == run.types).map(|(_, _, factor)| round(*factor));
        json!({ "types": run.types, "seconds": run.seconds, "megabytes": run.megabytes, "growth": factor })
    };
    report.generator.iter().map(run).collect()
}

fn bar(bar: &Bar) -> Value {
    json!({
        "claim": bar.claim, "name": CLAIMS.get(bar.claim.saturating_sub(1)), "what": bar.what,
        "figure": bar.figure, "limit": bar.limit, "strict": bar.is_strict, "holds": bar.holds(),
    })
}
