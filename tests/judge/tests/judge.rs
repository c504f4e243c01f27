//! What the judge sees, and what it does not mind.

use std::time::Instant;

use mcp_wire_judge::{FreeForm, Kind, NotJson, Place, Verdict, compare};

/// What was found in free-form JSON, as text.
fn found(before: &str, after: &str) -> Vec<String> {
    compare(before, after, FreeForm).expect("JSON").findings.iter().map(ToString::to_string).collect()
}

#[test]
fn what_says_the_same_is_the_same() {
    let texts = [
        (" { \"a\" : [ 1 , 2 ] }\r\n\t", r#"{"a":[1,2]}"#),
        (r#""\u0041\/\b\f\n\r\t\"\\""#, "\"A/\\u0008\\u000c\\u000a\\u000D\\u0009\\u0022\\u005c\""),
        (r#""\ud83d\ude00 \u00e9""#, "\"😀 é\""),
        (r#"{"\u0061":1,"b":2}"#, r#"{"a":1,"b":2}"#),
        (r#""\ud800""#, r#""\uD800""#),
        (r#""\ud800\u0041""#, r#""\ud800A""#),
        ("1e400", "1e400"),
        ("[1e-07, 1.50, 1E2]", "[1e-7,1.5,100.0]"),
        ("[]", "[ ]"),
        ("{}", "{ }"),
        (r#"{"a":1,"a":2}"#, r#"{"a":1,"a":2}"#),
        (r#"{"a":1,"a":2,"b":3}"#, r#"{"b":3,"a":1,"a":2}"#),
    ];
    assert_eq!(texts.len(), 12);
    for (before, after) in texts {
        assert_eq!(found(before, after), [""; 0], "{before} {after}");
    }
}

#[test]
fn every_kind_of_difference_has_its_name() {
    let cases = [
        ("[38.448624110701644]", "[38.44862411070165]", "/0: number changed: 38.448624110701644 → 38.44862411070165"),
        (
            "18446744073709551616",
            "1.8446744073709552e19",
            "(document): number changed: 18446744073709551616 → 1.8446744073709552e19",
        ),
        ("1e-400", "0.0", "(document): number changed: 1e-400 → 0.0"),
        ("50", "50.0", "(document): number form changed: 50 → 50.0"),
        ("-0", "0", "(document): number form changed: -0 → 0"),
        ("1e2", "100", "(document): number form changed: 1e2 → 100"),
        (r#"{"a/b~":"x"}"#, r#"{"a/b~":"X"}"#, r#"/a~1b~0: string changed: "x" → "X""#),
        (r#""\ud83d\ude00""#, r#""\ud83d""#, r#"(document): string changed: "\ud83d\ude00" → "\ud83d""#),
        ("true", "false", "(document): value changed: true → false"),
        (r#"{"a":{}}"#, r#"{"a":[]}"#, "/a: value changed: {} → []"),
        (r#"{"a":null,"b":1}"#, r#"{"b":1}"#, "/a: null lost: null → nothing"),
        (r#"{"a":null}"#, r#"{"a":0}"#, "/a: null lost: null → 0"),
        ("[1,null]", "[1]", "/1: null lost: null → nothing"),
        (r#"{"a":0}"#, r#"{"a":null}"#, "/a: value changed: 0 → null"),
        (r#"{"a":1,"b":[2]}"#, r#"{"a":1}"#, "/b: member lost: [2] → nothing"),
        (r#"{"a":1}"#, r#"{"a":1,"b":null}"#, "/b: member added: nothing → null"),
        (r#"{"a":1,"a":2}"#, r#"{"a":2}"#, "/a: duplicate dropped: 1 → nothing"),
        (r#"{"a":2}"#, r#"{"a":2,"a":2}"#, "/a: duplicate added: nothing → 2"),
        (
            r#"{"a":1,"b":2,"c":3}"#,
            r#"{"b":2,"a":1,"c":3}"#,
            r#"(document): order changed: {"a", "b", "c"} → {"b", "a", "c"}"#,
        ),
        (r#"[1,2,{"x":3},4]"#, "[1,2,4]", r#"/2: item lost: {"x":3} → nothing"#),
        ("[1,2]", "[1,7,2]", "/1: item added: nothing → 7"),
    ];
    for (before, after, finding) in cases {
        assert_eq!(found(before, after), [finding]);
    }
    let named: std::collections::BTreeSet<_> =
        Kind::ALL.iter().filter(|kind| cases.iter().any(|case| case.2.contains(&format!(": {kind}: ")))).collect();
    assert_eq!(named.len(), Kind::ALL.len(), "a kind that no case has: {named:?}");
}

#[test]
fn findings_stand_beside_each_other_and_in_order() {
    assert_eq!(
        found(r#"{"a":[1,{"b":null,"c":2}],"d":1,"e":"x"}"#, r#"{"a":[1,{"c":2.0}],"f":0,"e":"y"}"#),
        [
            "/d: member lost: 1 → nothing",
            "/f: member added: nothing → 0",
            "/a/1/b: null lost: null → nothing",
            "/a/1/c: number form changed: 2 → 2.0",
            r#"/e: string changed: "x" → "y""#,
        ]
    );
}

/// The last of repeated members counts, in both texts.
#[test]
fn of_repeated_members_the_last_ones_are_compared() {
    assert_eq!(
        found(r#"{"a":1,"a":2}"#, r#"{"a":1}"#),
        ["/a: duplicate dropped: 1 → nothing", "/a: number changed: 2 → 1"]
    );
    assert_eq!(
        found(r#"{"a":1,"a":2,"a":3}"#, r#"{"a":2,"a":4}"#),
        ["/a: duplicate dropped: 1 → nothing", "/a: number changed: 3 → 4"]
    );
    // Names are the same when they are so without their escapes.
    assert_eq!(found(r#"{"a":1,"\u0061":2}"#, r#"{"a":2}"#), ["/a: duplicate dropped: 1 → nothing"]);
    assert_eq!(found(r#"{"a":null,"a":2}"#, "{}"), ["/a: member lost: 2 → nothing"]);
}

/// A schema that names `typed` and `list` in the outermost object, and nothing below.
#[derive(Clone)]
struct Named(bool);

impl Place for Named {
    fn names(&self, name: &str) -> bool {
        self.0 && ["typed", "list"].contains(&name)
    }

    fn member(&self, _: &str) -> Self {
        Self(false)
    }

    fn item(&self) -> Self {
        Self(false)
    }
}

#[test]
fn members_that_a_schema_names_may_move_and_others_may_not() {
    let before = r#"{"x":1,"typed":{"a":1,"b":2},"y":2,"list":[]}"#;
    let same = [r#"{"list":[],"typed":{"a":1,"b":2},"x":1,"y":2}"#, r#"{"x":1,"y":2,"typed":{"a":1,"b":2},"list":[]}"#];
    for after in same {
        assert!(compare(before, after, Named(true)).expect("JSON").is_same(), "{after}");
    }
    let verdict = compare(before, r#"{"list":[],"typed":{"b":2,"a":1},"y":2,"x":1}"#, Named(true)).expect("JSON");
    let found: Vec<_> = verdict.findings.iter().map(|finding| (finding.kind, finding.pointer.as_str())).collect();
    assert_eq!(found, [(Kind::OrderChanged, ""), (Kind::OrderChanged, "/typed")]);
}

#[test]
fn what_is_no_json_is_refused() {
    let bad = [
        "",
        " ",
        "nul",
        "True",
        "01",
        "-",
        "+1",
        "1.",
        ".5",
        "1e",
        "1e+",
        "0x1",
        "NaN",
        "[",
        "]",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{\"a\":1 \"b\":2}",
        "[}",
        "{]",
        "\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u123",
        "\"\\",
        "\"\n\"",
        "1 1",
        "[]]",
        "\u{feff}1",
        "1\u{c}",
        "'a'",
        "[1]//",
    ];
    assert_eq!(bad.len(), 39);
    for text in bad {
        assert!(matches!(compare(text, "1", FreeForm), Err(NotJson::Before(byte)) if byte <= text.len()), "{text:?}");
        assert!(matches!(compare("1", text, FreeForm), Err(NotJson::After(_))), "{text:?}");
    }
}

/// Two million bytes of each shape: nothing overflows, and nothing takes longer the more of it there is.
#[test]
fn hostile_texts_cost_what_they_are_long() {
    const SIZE: usize = 2_000_000;
    let nested = |open: &str, inner: &str, close: &str| {
        let depth = SIZE / (open.len() + close.len());
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    let list = |item: &dyn Fn(usize) -> String, count: usize| (0..count).map(item).collect::<Vec<_>>().join(",");
    let members = |count: usize, value: &str| format!("{{{}}}", list(&|index| format!("\"n{index}\":{value}"), count));
    let cases: Vec<(&str, String, String, usize)> = vec![
        ("deep arrays", nested("[", "1", "]"), nested("[", "2", "]"), 1),
        ("deep objects", nested("{\"a\":", "null", "}"), nested("{\"a\":", "1", "}"), 1),
        // A finding on every level, each with a pointer as long as the way there.
        ("deep and different", nested("[1,", "1", "]"), nested("[2,", "1", "]"), SIZE / 4),
        ("deep and shorter", nested("[0,0,", "1", "]"), nested("[0,", "1", "]"), SIZE / 6),
        ("one name", format!("{{{}}}", list(&|_| "\"a\":1".into(), SIZE / 6)), r#"{"a":1}"#.to_owned(), SIZE / 6 - 1),
        ("many names", members(SIZE / 12, "1"), members(SIZE / 12, "2"), SIZE / 12),
        ("no names", members(SIZE / 12, "1"), "{}".to_owned(), SIZE / 12),
        ("digits", "9".repeat(SIZE), format!("{}8", "9".repeat(SIZE - 1)), 1),
        ("exponents", format!("1e{}", "9".repeat(SIZE)), format!("10e{}", "9".repeat(SIZE)), 1),
        ("escapes", format!("\"{}\"", "\\u0041".repeat(SIZE / 6)), format!("\"{}\"", "A".repeat(SIZE / 6)), 0),
        ("items", format!("[{}]", "1,".repeat(SIZE / 2) + "1"), "[]".to_owned(), SIZE / 2 + 1),
    ];
    assert_eq!(cases.len(), 11);
    let start = Instant::now();
    for (name, before, after, findings) in cases {
        let verdict = compare(&before, &after, FreeForm).unwrap_or_else(|error| panic!("{name}: {error}"));
        // Those of "deep and shorter" are more or less, depending on what lines up.
        let all = verdict.findings.len() + verdict.more;
        assert!(all == findings || name == "deep and shorter" && all > 0, "{name}: {all} findings");
        assert!(verdict.findings.len() <= Verdict::MOST);
        let shown: usize = verdict.findings.iter().map(|finding| finding.to_string().len()).sum();
        assert!(shown < 4 * SIZE, "{name}: {shown}");
    }
    // Seconds in a debug build; hours if anything here were quadratic.
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
}
