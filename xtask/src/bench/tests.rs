//! Reports, charts and the guard on canned figures: nothing here takes a time.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeMap;

use serde_json::Value;

use super::bars::{self, Bar};
use super::callgrind;
use super::chart;
use super::compile::{ALL, BARE_PEER, BASE, Build, ONE};
use super::generator::Run;
use super::guard::{Baseline, Count};
use super::machine::{Machine, Toolchain, Versions};
use super::report::Report;
use super::table::{Case, Table, What};
use super::{Format, print};

fn case(subject: &str, order: &str, kind: &str, bytes: u64) -> Case {
    let line = format!(r#"{{"subject":"{subject}","order":"{order}","kind":"{kind}","bytes":{bytes}}}"#);
    Case::read(&line).unwrap()
}

/// A line per contender: parse, write, whether it is lossless.
fn lines(figures: &[(&str, &str, &str, bool)]) -> String {
    let line = |(name, parse, write, lossless): &(&str, &str, &str, bool)| {
        format!("{{\"contender\":\"{name}\",\"parse\":{parse},\"write\":{write},\"lossless\":{lossless}}}\n")
    };
    figures.iter().map(line).collect()
}

fn times() -> Table {
    let mut table = Table::default();
    let ping = [
        ("mcp-wire", "109.9", "50", true),
        ("hand-written", "100", "50", true),
        ("rmcp", "430", "49.5", true),
        ("rust-mcp-schema", "800", "60", false),
        ("turbomcp-protocol", "null", "null", false),
        ("serde_json::Value", "90", "80", true),
    ];
    table.add(&case("ping", "id first", "request", 40), &lines(&ping)).unwrap();
    let blob = [("mcp-wire", "191", "100", true), ("hand-written", "100", "100", true), ("rmcp", "180", "100", true)];
    table.add(&case("1 MB <blob>", "result first", "result", 1 << 20), &lines(&blob)).unwrap();
    let session = [("mcp-wire", "1000", "null", false), ("hand-written", "1000", "null", false)];
    table.add(&case("session", "id first", "session", 1 << 20), &lines(&session)).unwrap();
    table
}

fn report() -> Report {
    let build = |name: &str, seconds| Build { name: name.to_owned(), seconds, packages: 11, lines: 12_345 };
    let run = |types, seconds| Run { types, seconds, megabytes: Some(9) };
    Report {
        command: "cargo xtask bench".to_owned(),
        machine: Machine {
            processor: "A processor".to_owned(),
            cores: 2,
            system: "A system (linux, x86_64)".to_owned(),
            rustc: "1.95.0".to_owned(),
        },
        versions: Versions {
            crates: vec![("rmcp".to_owned(), "3.8.0".to_owned())],
            date: Some("2026-11-01".to_owned()),
        },
        times: times(),
        instructions: Err(callgrind::MISSING.to_owned()),
        allocations: times(),
        builds: Ok(vec![build(BASE, 10.0), build(ONE, 12.0), build(ALL, 30.1), build(BARE_PEER, 12.0)]),
        generator: vec![run(None, 1.5), run(Some(100), 0.1), run(Some(1000), 1.2), run(Some(10_000), 14.41)],
    }
}

fn find<'a>(bars: &'a [Bar], what: &str) -> &'a Bar {
    bars.iter().find(|bar| bar.what == what).unwrap_or_else(|| panic!("no bar `{what}` in {bars:#?}"))
}

#[test]
fn a_bar_is_judged_on_the_figure_that_is_printed() {
    let bars = bars::of_times(&times());
    let ping = find(&bars, "parse ping, id first, times hand-written");
    assert_eq!((ping.figure, ping.limit, ping.holds()), (1.1, 1.1, true));
    let blob = find(&bars, "parse 1 MB <blob>, result first, times hand-written");
    assert_eq!((blob.figure, blob.limit, blob.holds()), (1.91, 1.9, false));
    assert_eq!(find(&bars, "write 1 MB <blob>, result first, times hand-written").limit, 1.1);
    assert!(bars.iter().all(|bar| !(bar.claim == 1 && bar.what.contains("session"))));
}

#[test]
fn the_quickest_peer_stands_for_all_and_untyped_values_are_no_peer() {
    let bars = bars::of_times(&times());
    assert_eq!(find(&bars, "parse ping, id first, times rmcp").figure, 0.26);
    // Level is not enough, neither for reading nor for writing.
    assert_eq!(find(&bars, "write 1 MB <blob>, result first, times rmcp").figure, 1.0);
    assert!(!find(&bars, "write 1 MB <blob>, result first, times rmcp").holds());
    assert!(!find(&bars, "parse 1 MB <blob>, result first, times rmcp").holds());
    assert_eq!(bars.iter().filter(|bar| bar.claim == 2).count(), 4);
    let level = Bar { claim: 2, what: String::new(), figure: 1.0, limit: 1.0, is_strict: true };
    assert!(!level.holds());
}

#[test]
fn a_result_before_its_id_has_other_limits() {
    let mut table = Table::default();
    let figures = lines(&[("mcp-wire", "135", "1", true), ("hand-written", "100", "1", true)]);
    table.add(&case("list", "result first", "result", 44_000), &figures).unwrap();
    table.add(&case("list", "id first", "result", 44_000), &figures).unwrap();
    let bars = bars::of_times(&table);
    assert_eq!(find(&bars, "parse list, result first, times hand-written").limit, 1.35);
    assert!(find(&bars, "parse list, result first, times hand-written").holds());
    assert!(!find(&bars, "parse list, id first, times hand-written").holds());
}

#[test]
fn builds_and_growth_are_judged() {
    let report = report();
    let bars = report.bars();
    assert!(find(&bars, &format!("build {ONE}, times {BARE_PEER}")).holds());
    assert_eq!(find(&bars, &format!("build {ALL}, times {ONE}")).figure, 2.51);
    assert!(!find(&bars, &format!("build {ALL}, times {ONE}")).holds());
    assert!(find(&bars, "generate 1000 types, times 100 types").holds());
    assert_eq!(find(&bars, "generate 10000 types, times 1000 types").figure, 12.01);
    assert!(!find(&bars, "generate 10000 types, times 1000 types").holds());
}

#[test]
fn allocations_may_be_two_more() {
    let mut table = Table::default();
    let figures = [("mcp-wire", "5", "4.01", true), ("hand-written", "3", "2", true)];
    table.add(&case("ping", "id first", "request", 40), &lines(&figures)).unwrap();
    let holds: Vec<bool> = bars::of_allocations(&table).iter().map(Bar::holds).collect();
    assert_eq!(holds, [true, false]);
}

#[test]
fn who_cannot_read_or_loses_data_is_marked_everywhere() {
    for format in [Format::Text, Format::Markdown] {
        let text = print::print(&report(), format).unwrap();
        assert!(text.contains("8.00 †"), "{text}");
        assert!(text.contains("what is written is not what was read"), "{text}");
        assert!(text.contains("does not read it as what it is"), "{text}");
        // A session has nothing to compare.
        assert!(!text.contains("1.00 †"), "{text}");
    }
    let svg = chart::svg(&times(), What::Parse);
    assert!(svg.contains("does not read it: turbomcp-protocol") && svg.contains("8.00 changes data"), "{svg}");
}

#[test]
fn what_was_skipped_is_said_and_not_judged() {
    let mut report = report();
    report.builds = Err("not measured with --quick".to_owned());
    for format in [Format::Text, Format::Markdown, Format::Json] {
        let text = print::print(&report, format).unwrap();
        assert!(text.contains("ot measured with --quick"), "{text}");
        assert!(text.contains("algrind is not installed"), "{text}");
    }
    assert!(print::print(&report, Format::Text).unwrap().contains("not judged"));
    assert!(report.bars().iter().all(|bar| bar.claim != 4));
}

#[test]
fn every_bar_is_listed_in_every_format() {
    let report = report();
    let bars = report.bars();
    for format in [Format::Text, Format::Markdown] {
        let text = print::print(&report, format).unwrap();
        for bar in &bars {
            assert!(text.contains(&bar.what.replace('<', if format == Format::Markdown { "&lt;" } else { "<" })));
        }
        assert!(text.contains("pass") && text.contains("FAIL"));
    }
    let json: Value = serde_json::from_str(&print::print(&report, Format::Json).unwrap()).unwrap();
    assert_eq!(json["bars"].as_array().unwrap().len(), bars.len());
    assert_eq!(json["holds"], false);
    assert_eq!(json["nanoseconds"][0]["ratio"], 1.1);
}

#[test]
fn the_page_has_machine_versions_command_and_charts_but_no_times() {
    let [(name, page), (parse, _), (write, _)] = print::files(&report());
    assert_eq!((name, parse, write), ("README.md", "parse.svg", "write.svg"));
    for words in
        ["A processor, 2 cores", "rustc 1.95.0", "rmcp 3.8.0, as of 2026-11-01", "`cargo xtask bench`", "](parse.svg)"]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!page.contains("109.9 ns"));
    // Every row of a table has as many cells as its header.
    let mut cells = 0;
    for line in page.lines() {
        let here = line.matches('|').count();
        assert!(here == 0 || cells == 0 || here == cells, "{line}");
        cells = here;
    }
    assert!(!print::print(&report(), Format::Markdown).unwrap().contains(".svg"));
}

#[test]
fn a_chart_is_well_formed_and_has_a_bar_for_every_figure() {
    for what in What::BOTH {
        let svg = chart::svg(&times(), what);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(!svg.contains("<blob>") && svg.contains("&lt;blob&gt;"));
        assert!(svg.contains("prefers-color-scheme: dark") && !svg.contains("NaN") && !svg.contains("inf"));
        for element in ["svg", "text", "title", "style"] {
            let opened = svg.matches(&format!("<{element}>")).count() + svg.matches(&format!("<{element} ")).count();
            assert_eq!(opened, svg.matches(&format!("</{element}>")).count(), "{element}");
        }
    }
    // Four of ping, two of the blob, one of the session; and five in the legend.
    assert_eq!(chart::svg(&times(), What::Parse).matches("<rect").count(), 7 + 5);
    // Longer takes more room, and the same figure the same.
    let empty = chart::svg(&Table::default(), What::Parse);
    assert!(empty.ends_with("</svg>\n") && !empty.contains("NaN"));
}

fn toolchain() -> Toolchain {
    Toolchain { rustc: "1.95.0".to_owned(), architecture: "x86_64".to_owned() }
}

fn counts(pairs: &[(&str, u64, u64)]) -> BTreeMap<String, Count> {
    pairs.iter().map(|(name, ours, limit)| ((*name).to_owned(), Count { ours: *ours, limit: *limit })).collect()
}

fn baseline(pairs: &[(&str, u64, u64)]) -> Baseline {
    Baseline { toolchain: toolchain(), counts: counts(pairs) }
}

#[test]
fn a_baseline_survives_being_written_and_read() {
    let baseline = baseline(&[("ping, id first, parse", 1000, 900), ("tools/call with _meta, id first, write", 2, 3)]);
    assert_eq!(Baseline::read(&baseline.write()).unwrap(), baseline);
}

#[test]
fn a_baseline_that_cannot_be_read_says_what_is_missing() {
    let error = |text: &str| format!("{:#}", Baseline::read(text).unwrap_err());
    assert!(error("architecture = \"x86_64\"\n[instructions]\n").contains("`rustc`"));
    assert!(error("rustc = \"1\"\narchitecture = \"x\"\n").contains("`instructions`"));
    let half = "rustc = \"1\"\narchitecture = \"x\"\n[instructions]\n\"ping\" = { mcp-wire = 7 }\n";
    assert!(error(half).contains("`ping` has no count of `hand-written`"));
    let zero = half.replace("7 }", "0, hand-written = 1 }");
    assert!(error(&zero).contains("`ping` has no count of `mcp-wire`"));
}

#[test]
fn five_percent_more_passes_and_six_do_not() {
    let baseline = baseline(&[("ping", 1000, 900)]);
    assert!(baseline.judge(&counts(&[("ping", 1050, 900)])).holds);
    let verdict = baseline.judge(&counts(&[("ping", 1060, 900)]));
    assert!(!verdict.holds);
    assert!(verdict.text.contains("FAIL  ping") && verdict.text.contains("+6.0 %"), "{}", verdict.text);
    assert!(verdict.text.contains("cargo xtask bench --record"));
}

#[test]
fn what_changes_the_hand_written_struct_as_well_cancels_out() {
    let baseline = baseline(&[("ping", 1000, 900)]);
    assert!(baseline.judge(&counts(&[("ping", 1300, 1170)])).holds);
    // And a machine on which everything is cheaper hides nothing.
    assert!(!baseline.judge(&counts(&[("ping", 1000, 800)])).holds);
}

#[test]
fn counts_that_are_missing_or_left_over_fail() {
    let baseline = baseline(&[("ping", 1000, 900), ("gone", 1, 1)]);
    let verdict = baseline.judge(&counts(&[("ping", 1000, 900), ("new", 1, 1)]));
    assert!(!verdict.holds);
    assert!(verdict.text.contains("new   is not in tests/bench/instructions.toml"), "{}", verdict.text);
    assert!(verdict.text.contains("gone  is in tests/bench/instructions.toml, but"), "{}", verdict.text);
}

#[test]
fn counts_that_have_fallen_are_worth_recording() {
    let verdict = baseline(&[("ping", 1000, 900)]).judge(&counts(&[("ping", 900, 900)]));
    assert!(verdict.holds && verdict.text.contains("note: 1 counts have fallen"), "{}", verdict.text);
}

#[test]
fn another_compiler_or_no_valgrind_is_said_to_be_incomparable() {
    let baseline = baseline(&[]);
    assert_eq!(baseline.incomparable(&toolchain(), true), None);
    assert!(baseline.incomparable(&toolchain(), false).unwrap().contains("install the package `valgrind`"));
    let newer = Toolchain { rustc: "1.96.0".to_owned(), ..toolchain() };
    let reason = baseline.incomparable(&newer, true).unwrap();
    assert!(reason.contains("1.95.0") && reason.contains("1.96.0") && reason.contains("--record"), "{reason}");
    let other = Toolchain { architecture: "aarch64".to_owned(), ..toolchain() };
    assert!(baseline.incomparable(&other, true).is_some());
}

#[test]
fn the_recorded_counts_can_be_read() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(super::guard::FILE);
    let baseline = Baseline::read(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(baseline.counts.len(), 25);
    let words =
        ["ping", "tools/call,", "tools/call with _meta", "notifications/progress", "tools/list", "1 MB", "session"];
    assert!(words.iter().all(|word| baseline.counts.keys().any(|name| name.starts_with(word) || name.contains(word))));
}
