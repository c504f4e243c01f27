//! Reports, charts and the guard on canned figures: nothing here takes a time.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeMap;

use serde_json::Value;

use super::bars::{self, Bar};
use super::callgrind;
use super::chart;
use super::compile::{ALL, BASE, Build, ONE, TOWER};
use super::generator::Run;
use super::guard::{Baseline, Count};
use super::machine::{Machine, Toolchain, Versions};
use super::memory::Memory;
use super::report::Report;
use super::table::{Case, Entry, Row, Table, What};
use super::{Format, print};

fn case(subject: &str, order: &str, kind: &str, bytes: u64) -> Case {
    let line = format!(r#"{{"subject":"{subject}","order":"{order}","kind":"{kind}","bytes":{bytes}}}"#);
    Case::read(&line).unwrap()
}

/// Who, parse, write, whether it is lossless.
type Figures<'a> = (&'a str, &'a str, &'a str, bool);

/// A line per contender.
fn lines(figures: &[Figures<'_>]) -> String {
    let line = |(name, parse, write, lossless): &Figures<'_>| {
        format!("{{\"contender\":\"{name}\",\"parse\":{parse},\"write\":{write},\"lossless\":{lossless}}}\n")
    };
    figures.iter().map(line).collect()
}

/// A table of one message after another.
fn table(cases: &[(Case, &[Figures<'_>])]) -> Table {
    let mut table = Table::default();
    for (case, figures) in cases {
        table.add(case, &lines(figures), Value::as_f64).unwrap();
    }
    table
}

/// A table of one message that both can read.
fn pair(subject: &str, order: &str, kind: &str, ours: &str, limit: &str) -> Table {
    let figures = [("mcp-wire", ours, ours, true), ("hand-written", limit, limit, true)];
    table(&[(case(subject, order, kind, 40), &figures)])
}

fn times() -> Table {
    table(&[
        (
            case("ping", "id first", "request", 40),
            &[
                ("mcp-wire", "109.9", "50", true),
                ("hand-written", "100", "50", true),
                ("rmcp", "430", "49.5", true),
                ("rust-mcp-schema", "800", "60", false),
                ("turbomcp-protocol", "null", "null", false),
                ("serde_json::Value", "90", "80", true),
                ("hand-written, borrowed", "50", "50", true),
            ],
        ),
        (
            case("1 MB <blob>", "result first", "result", 1 << 20),
            &[("mcp-wire", "111", "100", true), ("hand-written", "100", "100", true), ("rmcp", "110", "100", true)],
        ),
        (
            case("proxy: ping", "id first", "proxy", 40),
            &[("mcp-wire", "26", "null", true), ("hand-written", "200", "null", true), ("rmcp", "900", "null", true)],
        ),
        (
            case("session", "id first", "session", 1 << 20),
            &[("mcp-wire", "1000", "null", true), ("hand-written", "1000", "null", true)],
        ),
    ])
}

fn memory() -> Memory {
    let mut memory = Memory::default();
    let way =
        |requests: u32, bytes: u32, peak: u32| format!(r#"{{"requests":{requests},"bytes":{bytes},"peak":{peak}}}"#);
    let printed = lines(&[
        ("mcp-wire", &way(5, 125_630, 50), &way(1, 44_000, 44_000), true),
        ("hand-written", &way(3, 323_000, 300), &way(1, 44_000, 44_000), true),
    ]);
    memory.add(&case("tools/list result, 100 tools", "id first", "result", 100), &printed).unwrap();
    let entry = |name: &str, value| Entry { contender: name.to_owned(), value, is_lossless: None };
    let entries = vec![entry("mcp-wire", Some(1.31)), entry("hand-written", None)];
    memory.huge = Some(Row { case: case("100 MB", "id first", "result", 100), what: What::Parse, entries });
    memory
}

fn build(name: &str, rebuild: f64) -> Build {
    let (clean, check) = (3.0 * rebuild, rebuild);
    Build { name: name.to_owned(), clean, rebuild, check, binary: 1_920_000, packages: 11, lines: 12_345 }
}

fn report() -> Report {
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
        memory: memory(),
        builds: Ok(vec![build(BASE, 1.0), build(ONE, 12.0), build(ALL, 24.1), build(TOWER, 6.0)]),
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
    assert_eq!((ping.claim, ping.figure, ping.limit, ping.holds()), (1, 1.1, 1.1, true));
    let blob = find(&bars, "parse 1 MB <blob>, result first, times hand-written");
    assert_eq!((blob.figure, blob.limit, blob.holds()), (1.11, 1.1, false));
    let written = find(&bars, "write 1 MB <blob>, result first, times hand-written");
    assert_eq!((written.claim, written.figure, written.limit, written.holds()), (2, 1.0, 0.9, false));
    // A session is more than a struct, and held to the same.
    assert!(find(&bars, "session, id first, times hand-written").holds());
}

#[test]
fn the_quickest_peer_stands_for_all_and_untyped_values_are_no_peer() {
    let bars = bars::of_times(&times());
    assert_eq!(find(&bars, "parse ping, id first, times rmcp").figure, 0.26);
    // Level is not enough, neither for reading nor for writing.
    assert_eq!(find(&bars, "write 1 MB <blob>, result first, times rmcp").figure, 1.0);
    assert!(!find(&bars, "write 1 MB <blob>, result first, times rmcp").holds());
    assert!(!find(&bars, "parse 1 MB <blob>, result first, times rmcp").holds());
    assert!(find(&bars, "proxy: ping, id first, times rmcp").holds());
    assert_eq!(bars.iter().filter(|bar| bar.claim == 4).count(), 5);
    // Nor are the outer limits.
    assert!(bars.iter().all(|bar| !bar.what.contains("borrowed")));
    let level = Bar { claim: 4, what: String::new(), figure: 1.0, limit: 1.0, is_strict: true };
    assert!(!level.holds());
}

#[test]
fn messages_with_open_json_have_limits_of_their_own_in_every_order() {
    let holds = |subject: &str, order: &str, ours: &str| {
        let bars = bars::of_times(&pair(subject, order, "result", ours, "100"));
        find(&bars, &format!("parse {subject}, {order}, times hand-written")).holds()
    };
    for order in ["id first", "result first"] {
        for (subject, limit, beyond) in [
            ("tools/list result, 100 tools", "55", "56"),
            ("tools/call result, structuredContent 200 kB", "30", "31"),
            ("tools/call", "75", "76"),
            ("tools/call with _meta", "75", "76"),
            ("tools/call result, 1 MB text", "100", "101"),
            ("CJK text 1 MB, from bytes", "100", "101"),
            ("resources/read result, 1 MB blob", "100", "101"),
            ("error response", "110", "111"),
        ] {
            assert_eq!((holds(subject, order, limit), holds(subject, order, beyond)), (true, false), "{subject}");
        }
    }
}

#[test]
fn a_bar_of_a_message_that_there_is_not_is_an_error() {
    let names = [
        "tools/list result, 100 tools",
        "tools/call result, structuredContent 200 kB",
        "tools/call",
        "tools/call with _meta",
        "tools/call result, 1 MB text",
        "CJK text 1 MB, from bytes",
        "resources/read result, 1 MB blob",
        "proxy: tools/call",
    ];
    let cases = names.map(|name| case(name, "id first", "result", 40));
    assert!(bars::are_named_well(&cases).is_ok());
    for left_out in 0..7 {
        let mut cases = cases.to_vec();
        let gone = cases.remove(left_out);
        let error = bars::are_named_well(&cases).unwrap_err().to_string();
        assert!(error.contains(&gone.subject), "{error}");
    }
}

#[test]
fn a_proxy_is_compared_with_reading_alone() {
    let bars = bars::of_times(&times());
    // 26 of the 100 that reading takes, though the struct is written as well.
    let proxy = find(&bars, "proxy: ping, id first, times reading into hand-written");
    assert_eq!((proxy.claim, proxy.figure, proxy.limit, proxy.holds()), (3, 0.26, 0.25, false));
    let alone = pair("proxy: ping", "id first", "proxy", "1", "1");
    assert!(bars::of_times(&alone).is_empty());
}

#[test]
fn builds_and_growth_are_judged() {
    let report = report();
    let bars = report.bars();
    let one = find(&bars, &format!("rebuild with {ONE}, times {TOWER}"));
    assert_eq!((one.claim, one.figure, one.holds()), (6, 2.0, true));
    assert_eq!(find(&bars, &format!("rebuild with {ALL}, times {ONE}")).figure, 2.01);
    assert!(!find(&bars, &format!("rebuild with {ALL}, times {ONE}")).holds());
    assert!(find(&bars, "generate 1000 types, times 100 types").holds());
    assert_eq!(find(&bars, "generate 10000 types, times 1000 types").figure, 12.01);
    assert!(!find(&bars, "generate 10000 types, times 1000 types").holds());
}

#[test]
fn memory_is_judged_by_requests_bytes_and_the_peak() {
    let bars = bars::of_memory(&memory());
    let requests = find(&bars, "requests to parse tools/list result, 100 tools, id first, more than hand-written");
    assert_eq!((requests.claim, requests.figure, requests.holds()), (5, 2.0, true));
    // Two fifths of 314,074.
    let bytes = find(&bars, "bytes to parse tools/list result, 100 tools, times those before");
    assert_eq!((bytes.figure, bytes.limit, bytes.holds()), (0.4, 0.4, true));
    let peak = find(&bars, "peak of 100 MB, times its text");
    assert_eq!((peak.figure, peak.limit, peak.holds()), (1.31, 1.3, false));
    assert_eq!(bars.len(), 4);
}

#[test]
fn who_cannot_read_or_loses_data_is_marked_everywhere() {
    for format in [Format::Text, Format::Markdown] {
        let text = print::print(&report(), format).unwrap();
        assert!(text.contains("8.00 †"), "{text}");
        assert!(text.contains("what is written is not what was read"), "{text}");
        assert!(text.contains("does not read it as what it is"), "{text}");
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
    assert!(report.bars().iter().all(|bar| bar.claim != 6));
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
    // Four of ping, two of the blob, two of the proxy, one of the session; and five in the legend.
    assert_eq!(chart::svg(&times(), What::Parse).matches("<rect").count(), 9 + 5);
    // Longer takes more room, and the same figure the same.
    let empty = chart::svg(&Table::default(), What::Parse);
    assert!(empty.ends_with("</svg>\n") && !empty.contains("NaN"));
}

#[test]
fn a_chart_has_one_order_of_each_message_and_no_outer_limit() {
    let figures = [("mcp-wire", "1", "1", true), ("hand-written, borrowed", "1", "1", true)];
    let one = case("ping", "id first", "request", 40);
    let other = case("ping", "method first", "request", 40);
    let svg = chart::svg(&table(&[(one, &figures), (other, &figures)]), What::Parse);
    assert_eq!(svg.matches(">ping</text>").count(), 1);
    assert!(!svg.contains("borrowed"));
}

#[test]
fn the_short_tables_have_the_usual_messages_and_the_worst() {
    let mut times = Table::default();
    for (subject, order, ours) in [
        ("tools/call", "id first", "20"),
        ("tools/call", "method first", "30"),
        ("best", "id first", "19"),
        ("worst", "id first", "95"),
        ("bad", "id first", "90"),
        ("good", "id first", "21"),
        ("ping", "id first", "25"),
    ] {
        let figures = [("mcp-wire", ours, ours, true), ("hand-written", "100", "100", true)];
        times.add(&case(subject, order, "request", 40), &lines(&figures), Value::as_f64).unwrap();
    }
    let page = print::print(&Report { times, ..report() }, Format::Markdown).unwrap();
    let rows = |title: &str| -> Vec<String> {
        let part = page.split(&format!("## {title}\n")).nth(1).unwrap().split("\n## ").next().unwrap();
        part.lines().filter(|line| line.starts_with("| ")).skip(1).map(str::to_owned).collect()
    };
    let both = |names: &[&str]| -> Vec<String> {
        ["read", "write"].iter().flat_map(|way| names.iter().map(move |name| format!("| {way} {name} |"))).collect()
    };
    assert_eq!(rows("In short"), both(&["tools/call, method first | 0.30", "ping, id first | 0.25"]));
    let worst =
        ["worst, id first | 0.95", "bad, id first | 0.90", "tools/call, method first | 0.30", "ping, id first | 0.25"];
    assert_eq!(rows("At its worst"), both(&worst));
}

#[test]
fn outer_limits_have_columns_and_a_table_of_distances() {
    let page = print::print(&report(), Format::Markdown).unwrap();
    assert!(page.contains("| message | hand-written, borrowed, time |"), "{page}");
    // 109.9 of ours, 50 of theirs.
    assert!(page.contains("| ping, id first | 2.20 |"), "{page}");
    let text = print::print(&report(), Format::Text).unwrap();
    for title in
        ["In short", "At its worst", "Proxies", "Distance to the outer limits", "Bytes, parse", "Peak memory, parse"]
    {
        assert!(text.contains(&format!("{title}\n")), "{title}");
    }
    // 50 of 100 bytes.
    assert!(page.contains("| tools/list result, 100 tools, id first | 0.50 | 3.00 |"), "{page}");
    assert!(page.contains("| 100 MB, id first | 1.31 | – |"), "{page}");
    assert!(page.contains("| mcp-wire, one revision | 12.00 | 12.00 | 12.00 | 1,920 | 11 | 12,345 |"), "{page}");
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
    // 25 until the subjects that came with the bars of 2026-11 are recorded.
    assert!(matches!(baseline.counts.len(), 25 | 74), "{}", baseline.counts.len());
    let words =
        ["ping", "tools/call,", "tools/call with _meta", "notifications/progress", "tools/list", "1 MB", "session"];
    assert!(words.iter().all(|word| baseline.counts.keys().any(|name| name.starts_with(word) || name.contains(word))));
}
