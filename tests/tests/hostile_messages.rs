//! Messages are hostile input: whatever arrives, decoding ends in a value that loses nothing or in an error with an
//! address, never in a panic, an overflow of the stack or a quadratic amount of work.

use mcp_wire::v2025_11_25;
use mcp_wire_core::__private::Probe;
use mcp_wire_core::{DecodeError, Rule, Violation, from_slice, from_str};
use mcp_wire_tests::instances::Instances;
use mcp_wire_tests::{ALL, Judge, REVISIONS, Revision, assert_pinned, each_revision, revision, stateless};
use serde_json::{Value, json};

/// What becomes of a document.
enum Outcome {
    /// Refused as text.
    Syntax,
    /// Refused for its shape: the pointer, what was expected, what was found.
    Shape(&'static str, &'static str, &'static str),
    /// Typed and written back exactly: the variant of a union, and what `check()` reports.
    Kept(&'static str, &'static [(&'static str, Rule)]),
}
use Outcome::{Kept, Shape, Syntax};

/// The revision, the definition, the text, the outcome.
type Case = (&'static str, &'static str, &'static str, Outcome);

/// The variant of a type that is no union.
const NO_UNION: &str = "";
/// The variant that keeps what no other describes.
const UNKNOWN: &str = "Unknown";

fn places(violations: &[Violation]) -> Vec<(&str, Rule)> {
    violations.iter().map(|violation| (violation.pointer.as_str(), violation.rule)).collect()
}

/// Runs a table; `count` guards against cases that got lost.
fn run(cases: &[Case], count: usize) {
    for (name, definition, text, outcome) in cases {
        let entry = revision(name).entry(definition);
        let place = format!("{definition} of {name}: {text}");
        let read = entry.read(text);
        match outcome {
            Syntax => {
                let error = read.expect_err(&place);
                assert!(matches!(error, DecodeError::Syntax(_)), "{place}: {error}");
                assert_eq!((error.code().0, error.pointer()), (-32700, None), "{place}");
                // Another reader of JSON agrees that it is none.
                assert!(serde_json::from_str::<Value>(text).is_err(), "{place}");
            }
            Shape(pointer, expected, found) => {
                let document: Value = serde_json::from_str(text).expect(&place);
                for error in [read.expect_err(&place), entry.convert(document).expect_err(&place)] {
                    assert_eq!((error.code().0, error.pointer()), (-32602, Some(*pointer)), "{place}: {error}");
                    let shown = if pointer.is_empty() { "(document)" } else { pointer };
                    assert_eq!(error.to_string(), format!("{shown}: expected {expected}, found {found}"), "{place}");
                }
            }
            Kept(variant, violations) => {
                // Of repeated members the last one counts, as in `serde_json::Value`, which has no others.
                let document: Result<Value, _> = serde_json::from_str(text);
                let mut probes = vec![((*text).to_owned(), read)];
                match document {
                    Ok(document) => probes.push((document.to_string(), entry.convert(document))),
                    // It holds no number beyond the floats.
                    Err(error) => assert!(error.to_string().starts_with("number out of range"), "{place}: {error}"),
                }
                for (before, probe) in probes {
                    let probe = probe.unwrap_or_else(|error| panic!("{place}: {error}"));
                    let lost = revision(name).difference(definition, &before, &probe.text);
                    assert_eq!(lost, None, "{place}");
                    assert_eq!(probe.variant.unwrap_or_default(), *variant, "{place}");
                    assert_eq!(places(&probe.violations), *violations, "{place}: {:?}", probe.violations);
                }
            }
        }
    }
    assert_eq!(cases.len(), count);
}

/// Text before, the repeated opening, the innermost value, the repeated closing, text after.
const NESTS: [(&str, &str, &str, [&str; 5]); 14] = [
    ("2025-11-25", "JSONRPCMessage", UNKNOWN, ["", "[", "1", "]", ""]),
    ("2025-03-26", "JSONRPCMessage", "BatchRequest", ["", "[", "1", "]", ""]),
    ("2025-11-25", "JSONRPCMessage", UNKNOWN, ["", r#"{"a":"#, "1", "}", ""]),
    ("2025-11-25", "ContentBlock", UNKNOWN, ["", "[", "", "]", ""]),
    (
        "2025-11-25",
        "ClientRequest",
        "CallTool",
        [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"n","arguments":{"a":"#,
            "[",
            "",
            "]",
            "}}}",
        ],
    ),
    (
        "2025-11-25",
        "ClientRequest",
        "CallTool",
        [
            r#"{"params":{"name":"n","arguments":"#,
            r#"{"a":"#,
            "{}",
            "}",
            r#"},"method":"tools/call","jsonrpc":"2.0","id":1}"#,
        ],
    ),
    (
        "2025-11-25",
        "Tool",
        NO_UNION,
        [r#"{"name":"n","inputSchema":{"type":"object"},"vendor":"#, r#"{"a":"#, "1", "}", "}"],
    ),
    (
        "2024-11-05",
        "Tool",
        NO_UNION,
        [r#"{"name":"n","inputSchema":{"type":"object","properties":"#, r#"{"a":"#, "{}", "}", "}}"],
    ),
    // The tag comes after what is nested, so that all of it has to be read before the variant is known.
    ("2025-06-18", "ContentBlock", "Text", [r#"{"vendor":"#, "[", "", "]", r#","text":"t","type":"text"}"#]),
    ("2025-06-18", "ContentBlock", "Text", [r#"{"_meta":"#, r#"{"a":"#, "{}", "}", r#","text":"t","type":"text"}"#]),
    ("2025-06-18", "ContentBlock", UNKNOWN, [r#"{"type":"#, "[", "", "]", "}"]),
    (
        stateless::REVISION,
        "ServerResult",
        "CallTool",
        [r#"{"content":[],"resultType":"complete","structuredContent":"#, "[", "null", "]", "}"],
    ),
    (stateless::REVISION, "JSONValue", NO_UNION, ["", "[", "null", "]", ""]),
    (stateless::REVISION, "InputResponses", NO_UNION, [r#"{"k":"#, r#"{"a":"#, "1", "}", "}"]),
];

fn nested([before, open, inner, close, after]: [&str; 5], depth: usize) -> String {
    [before, &open.repeat(depth), inner, &close.repeat(depth), after].concat()
}

#[test]
fn a_hundred_thousand_levels_are_an_error_not_a_crash() {
    for (name, definition, _, parts) in NESTS {
        let text = nested(parts, 100_000);
        let unclosed = &text[..text.len() / 2];
        for text in [&text[..], unclosed] {
            let entry = revision(name).entry(definition);
            for read in [entry.read(text), entry.read_slice(text.as_bytes())] {
                let error = read.expect_err(definition);
                assert!(matches!(error, DecodeError::Syntax(_)), "{definition}: {error}");
                assert_eq!(error.code(), -32700, "{definition}");
                assert!(error.to_string().contains("nested deeper than 127 levels"), "{definition}: {error}");
            }
        }
    }
}

#[test]
fn a_hundred_levels_come_back_exactly() {
    for (name, definition, variant, parts) in NESTS {
        let text = nested(parts, 100);
        let probe =
            revision(name).entry(definition).read(&text).unwrap_or_else(|error| panic!("{definition}: {error}"));
        assert_eq!(revision(name).difference(definition, &text, &probe.text), None, "{definition}");
        assert_eq!(probe.variant.unwrap_or_default(), variant, "{definition}: {text}");
    }
}

#[test]
fn text_that_is_not_json_is_a_syntax_error() {
    const TEXTS: [&str; 32] = [
        "",
        " ",
        "\u{feff}{}",
        "nul",
        "NaN",
        "Infinity",
        "'a'",
        "\"",
        "\"\\x\"",
        "\"\u{1}\"",
        "\"a\nb\"",
        "01",
        "+1",
        "1.",
        ".5",
        "1e",
        "-",
        "0x10",
        "[1,]",
        "[1 2]",
        "[,]",
        "{,}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{1:2}",
        "{\"a\":1 \"b\":2}",
        "{} {}",
        "{}x",
        "// comment\n{}",
        "Listening on port 3000",
    ];
    let mut refused = 0;
    for revision in &REVISIONS {
        for definition in ["JSONRPCMessage", "Tool", "RequestId", "Role", "ServerResult"] {
            for text in TEXTS {
                let error = revision.entry(definition).read(text).expect_err(text);
                assert!(matches!(error, DecodeError::Syntax(_)), "{definition}, {text:?}: {error}");
                refused += 1;
            }
        }
    }
    assert_eq!(refused, REVISIONS.len() * 5 * 32);
}

/// A message with everything a lexer has to know: escapes, a surrogate pair, raw non-ASCII text, numbers of all forms.
const SAMPLE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"22 °C \"\\\u00e9\ud83d\ude00 日本"},"#,
    r#"{"type":"resource_link","uri":"a:b","name":"n","size":12,"annotations":{"priority":0.25,"audience":["user"]}}],"#,
    r#""structuredContent":{"t":[-1.5e-3,true,false,null]},"isError":false}}"#
);

#[test]
fn a_message_cut_at_any_byte_is_a_syntax_error() {
    let mut cuts = 0;
    for (name, definition) in [
        ("2024-11-05", "JSONRPCMessage"),
        ("2025-03-26", "JSONRPCMessage"),
        ("2025-06-18", "JSONRPCMessage"),
        ("2025-11-25", "JSONRPCMessage"),
        (stateless::REVISION, "CallToolResultResponse"),
        ("2025-06-18", "ServerResult"),
        ("2025-06-18", "Tool"),
    ] {
        let entry = revision(name).entry(definition);
        for end in 0..SAMPLE.len() {
            let error = entry.read_slice(&SAMPLE.as_bytes()[..end]).expect_err(&SAMPLE[..end.min(1)]);
            assert!(matches!(error, DecodeError::Syntax(_)), "{definition} cut at {end}: {error}");
            if let Some(text) = SAMPLE.get(..end) {
                assert!(matches!(entry.read(text), Err(DecodeError::Syntax(_))), "{definition} cut at {end}");
            }
            cuts += 1;
        }
    }
    assert_eq!(cuts, 7 * SAMPLE.len());
    // The whole of it is a message, so that each cut had something to break.
    let probe = revision("2025-11-25").entry("JSONRPCMessage").read(SAMPLE).unwrap();
    assert_eq!((probe.variant, probe.violations.len()), (Some("ResultResponse"), 0));
}

#[test]
fn bytes_that_are_not_utf8_are_a_syntax_error() {
    // The place of the bytes is marked; none of them is skipped because nobody asked for the member.
    const PLACES: [(&str, &str); 8] = [
        ("Tool", r#"{"name":"%","inputSchema":{"type":"object"}}"#),
        ("Tool", r#"{"name":"n","inputSchema":{"type":"object"},"vendor":"%"}"#),
        ("Tool", r#"{"name":"n","inputSchema":{"type":"object"},"%":1}"#),
        ("Tool", r#"{"name":"n","inputSchema":{"type":"object","properties":{"a":{"default":"%"}}}}"#),
        ("ContentBlock", r#"{"type":"%"}"#),
        ("ContentBlock", r#"{"vendor":"%","type":"text","text":"t"}"#),
        ("ContentBlock", r#"{"type":"text","text":"%"}"#),
        ("ClientRequest", r#"{"method":"tools/call","params":{"name":"n","arguments":{"a":["%"]}}}"#),
    ];
    const BYTES: [&[u8]; 7] =
        [b"\x80", b"\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff", b"\xe2\x80"];
    let mut refused = 0;
    for (definition, text) in PLACES {
        let (before, after) = text.split_once('%').unwrap();
        for bytes in BYTES {
            let text = [before.as_bytes(), bytes, after.as_bytes()].concat();
            for revision in &REVISIONS[2..] {
                let error = revision.entry(definition).read_slice(&text).expect_err(definition);
                assert!(matches!(error, DecodeError::Syntax(_)), "{definition}: {error}");
                refused += 1;
            }
        }
    }
    assert_eq!(refused, 8 * 7 * (REVISIONS.len() - 2));
    // A reader that cannot lend its text refuses the same.
    let text = b"{\"type\":\"text\",\"text\":\"\xff\"}";
    assert!(serde_json::from_reader::<_, v2025_11_25::ContentBlock>(&text[..]).is_err());
    assert!(from_slice::<v2025_11_25::ContentBlock>(text).is_err());
}

#[test]
fn lone_surrogates_are_a_syntax_error_and_pairs_are_text() {
    run(
        &[
            ("2025-11-25", "ContentBlock", r#"{"type":"text","text":"\ud800"}"#, Syntax),
            ("2025-11-25", "ContentBlock", r#"{"type":"text","text":"\udc00"}"#, Syntax),
            ("2025-11-25", "ContentBlock", r#"{"type":"text","text":"\ud83dx"}"#, Syntax),
            ("2025-11-25", "ContentBlock", r#"{"type":"text","text":"\ud83d\ud83d"}"#, Syntax),
            ("2025-11-25", "ContentBlock", r#"{"type":"text","text":"\ude00\ud83d"}"#, Syntax),
            ("2025-11-25", "ContentBlock", r#"{"type":"\ud800"}"#, Syntax),
            ("2025-11-25", "ContentBlock", r#"{"\ud800":1,"type":"text","text":""}"#, Syntax),
            ("2025-11-25", "ContentBlock", r#"{"type":"text","text":"","vendor":{"a":["\ud800"]}}"#, Syntax),
            ("2025-11-25", "RequestId", r#""\udfff""#, Syntax),
            ("2025-11-25", "ContentBlock", r#"{"type":"text","text":"\ud83d\ude00\u0000"}"#, Kept("Text", &[])),
            ("2025-11-25", "ContentBlock", r#"{"\u0074ype":"te\u0078t","text":""}"#, Kept("Text", &[])),
        ],
        11,
    );
}

#[test]
fn of_repeated_members_the_last_one_counts() {
    const TOOL: &str = "Tool";
    run(
        &[
            // Typed members: fit and fit, misfit then fit, fit then misfit.
            ("2025-11-25", TOOL, r#"{"name":"a","inputSchema":{"type":"object"},"name":"b"}"#, Kept(NO_UNION, &[])),
            ("2025-11-25", TOOL, r#"{"name":5,"inputSchema":{"type":"object"},"name":"b"}"#, Kept(NO_UNION, &[])),
            (
                "2025-11-25",
                TOOL,
                r#"{"name":"b","inputSchema":{"type":"object"},"name":5}"#,
                Shape("/name", "a string", "the number 5"),
            ),
            // Two misfits, of which one is mended: the other one still stands.
            (
                "2025-11-25",
                TOOL,
                r#"{"name":5,"inputSchema":5,"name":"b"}"#,
                Shape("/inputSchema", "an object (`ToolInputSchema`)", "the number 5"),
            ),
            (
                "2025-11-25",
                TOOL,
                r#"{"name":5,"inputSchema":{"type":"object","properties":{"a":1}},"name":"b"}"#,
                Kept(NO_UNION, &[("/inputSchema/properties/a", Rule::Type)]),
            ),
            (
                "2025-11-25",
                TOOL,
                r#"{"inputSchema":5,"name":5,"inputSchema":{"type":"object"}}"#,
                Shape("/name", "a string", "the number 5"),
            ),
            (
                "2025-11-25",
                TOOL,
                r#"{"inputSchema":5,"name":5,"inputSchema":{"type":"object"},"name":"b"}"#,
                Kept(NO_UNION, &[]),
            ),
            // Optional members.
            (
                "2025-11-25",
                TOOL,
                r#"{"description":null,"name":"a","inputSchema":{"type":"object"},"description":"d"}"#,
                Kept(NO_UNION, &[]),
            ),
            (
                "2025-11-25",
                TOOL,
                r#"{"description":"d","name":"a","inputSchema":{"type":"object"},"description":null}"#,
                Kept(NO_UNION, &[("/description", Rule::Type)]),
            ),
            // Unknown members.
            (
                "2025-11-25",
                TOOL,
                r#"{"x":1,"name":"a","x":{"y":1,"y":2},"inputSchema":{"type":"object"},"x":[3]}"#,
                Kept(NO_UNION, &[]),
            ),
            // Constants.
            ("2025-11-25", TOOL, r#"{"name":"a","inputSchema":{"type":"array","type":"object"}}"#, Kept(NO_UNION, &[])),
            (
                "2025-11-25",
                TOOL,
                r#"{"name":"a","inputSchema":{"type":"object","type":"array"}}"#,
                Kept(NO_UNION, &[("/inputSchema/type", Rule::Constant)]),
            ),
            (
                "2025-11-25",
                TOOL,
                r#"{"name":"a","inputSchema":{"type":"object","type":7,"type":"object"}}"#,
                Kept(NO_UNION, &[]),
            ),
            // Lists: an odd item of an earlier one does not leak into the last one, nor into no list at all.
            ("2025-11-25", "ListToolsResult", r#"{"tools":[5],"tools":[]}"#, Kept(NO_UNION, &[])),
            ("2025-11-25", "ListToolsResult", r#"{"tools":5,"tools":[]}"#, Kept(NO_UNION, &[])),
            (
                "2025-11-25",
                "ListToolsResult",
                r#"{"tools":[5],"tools":5}"#,
                Shape("/tools", "an array", "the number 5"),
            ),
            (
                "2025-11-25",
                "ListToolsResult",
                r#"{"tools":[5],"tools":[{"name":"a","inputSchema":{"type":"object"}},null]}"#,
                Kept(NO_UNION, &[("/tools/1", Rule::Type)]),
            ),
            (
                "2025-11-25",
                "Annotations",
                r#"{"audience":[5],"audience":null}"#,
                Kept(NO_UNION, &[("/audience", Rule::Type)]),
            ),
            (
                "2025-11-25",
                "Annotations",
                r#"{"audience":null,"audience":[5]}"#,
                Kept(NO_UNION, &[("/audience/0", Rule::Type)]),
            ),
            // Maps: of repeated keys the last one counts, whether it fits or not.
            (
                "2025-11-25",
                "GetPromptRequestParams",
                r#"{"name":"p","arguments":{"a":"1","b":2,"a":3,"b":"4","c":"5"}}"#,
                Kept(NO_UNION, &[("/arguments/a", Rule::Type)]),
            ),
            (
                "2025-11-25",
                "GetPromptRequestParams",
                r#"{"name":"p","arguments":{"a":1},"arguments":{"b":"2"}}"#,
                Kept(NO_UNION, &[]),
            ),
            // The member whose absence has a meaning.
            (
                stateless::REVISION,
                "CallToolResult",
                r#"{"content":[],"resultType":5,"resultType":"complete"}"#,
                Kept(NO_UNION, &[]),
            ),
            (
                stateless::REVISION,
                "CallToolResult",
                r#"{"content":[],"resultType":"complete","resultType":5}"#,
                Kept(NO_UNION, &[("/resultType", Rule::Type)]),
            ),
            // Presence decides here, and a repeated member is still present.
            (
                "2025-11-25",
                "JSONRPCMessage",
                r#"{"jsonrpc":"2.0","id":1,"result":5,"result":{"a":1}}"#,
                Kept("ResultResponse", &[]),
            ),
            (
                "2025-11-25",
                "JSONRPCMessage",
                r#"{"jsonrpc":"2.0","id":1,"result":{"a":1},"result":5}"#,
                Kept(UNKNOWN, &[("/result", Rule::Type)]),
            ),
            (
                "2025-11-25",
                "JSONRPCMessage",
                r#"{"jsonrpc":"1.0","jsonrpc":"2.0","id":null,"id":1,"method":5,"method":"ping"}"#,
                Kept("Request", &[]),
            ),
        ],
        26,
    );
}

#[test]
fn the_last_tag_decides_wherever_it_stands() {
    const BLOCK: &str = "ContentBlock";
    const DATA: &str = r#"{"data":"AAAA","mimeType":"image/png","type":"image"}"#;
    run(
        &[
            // First, last, in the middle.
            ("2025-11-25", BLOCK, r#"{"type":"text","text":"t"}"#, Kept("Text", &[])),
            ("2025-11-25", BLOCK, DATA, Kept("Image", &[])),
            ("2025-11-25", BLOCK, r#"{"data":"AAAA","type":"audio","mimeType":"audio/wav"}"#, Kept("Audio", &[])),
            // Twice, with different values: both known, the first unknown, the last unknown, wrong kinds.
            (
                "2025-11-25",
                BLOCK,
                r#"{"type":"text","data":"AAAA","mimeType":"image/png","type":"image"}"#,
                Kept("Image", &[]),
            ),
            (
                "2025-11-25",
                BLOCK,
                r#"{"type":"text","text":"t","data":"AAAA","mimeType":"image/png","type":"image"}"#,
                Kept("Image", &[]),
            ),
            (
                "2025-11-25",
                BLOCK,
                r#"{"type":"image","type":"text","text":"t","type":"audio","type":"text"}"#,
                Kept("Text", &[]),
            ),
            ("2025-11-25", BLOCK, r#"{"type":"hologram","text":"t","type":"text"}"#, Kept("Text", &[])),
            (
                "2025-11-25",
                BLOCK,
                r#"{"type":"text","text":"t","type":"hologram"}"#,
                Kept(UNKNOWN, &[("", Rule::Union)]),
            ),
            ("2025-11-25", BLOCK, r#"{"type":5,"text":"t","type":"text"}"#, Kept("Text", &[])),
            ("2025-11-25", BLOCK, r#"{"type":"text","text":"t","type":5}"#, Kept(UNKNOWN, &[("", Rule::Union)])),
            ("2025-11-25", BLOCK, r#"{"type":"text","text":"t","type":"text"}"#, Kept("Text", &[])),
            (
                "2025-11-25",
                BLOCK,
                r#"{"type":"text","text":"t","type":"image"}"#,
                Kept(UNKNOWN, &[("", Rule::Required)]),
            ),
            (
                "2025-11-25",
                "ClientRequest",
                r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"name":"n"},"method":"tools/call"}"#,
                Kept("CallTool", &[]),
            ),
            (
                stateless::REVISION,
                "ServerResult",
                r#"{"resultType":"input_required","content":[],"resultType":"complete"}"#,
                Kept("CallTool", &[]),
            ),
            // The wrong kind.
            ("2025-11-25", BLOCK, r#"{"type":5}"#, Kept(UNKNOWN, &[("", Rule::Union)])),
            ("2025-11-25", BLOCK, r#"{"type":5.5}"#, Kept(UNKNOWN, &[("", Rule::Union)])),
            ("2025-11-25", BLOCK, r#"{"type":-5}"#, Kept(UNKNOWN, &[("", Rule::Union)])),
            ("2025-11-25", BLOCK, r#"{"type":true}"#, Kept(UNKNOWN, &[("", Rule::Union)])),
            ("2025-11-25", BLOCK, r#"{"type":null,"text":"t"}"#, Kept(UNKNOWN, &[("", Rule::Union)])),
            ("2025-11-25", BLOCK, r#"{"type":{"type":"text"}}"#, Kept(UNKNOWN, &[("", Rule::Union)])),
            ("2025-11-25", BLOCK, r#"{"type":["text"],"text":"t"}"#, Kept(UNKNOWN, &[("", Rule::Union)])),
            // Unknown, empty, absent, almost right.
            ("2025-11-25", BLOCK, r#"{"type":"hologram","data":{"a":[1.0]}}"#, Kept(UNKNOWN, &[("", Rule::Union)])),
            ("2025-11-25", BLOCK, r#"{"type":"","text":"t"}"#, Kept(UNKNOWN, &[("", Rule::Union)])),
            ("2025-11-25", BLOCK, r#"{"text":"t"}"#, Kept(UNKNOWN, &[("", Rule::Union)])),
            ("2025-11-25", BLOCK, r#"{"Type":"text","type ":"text","text":"t"}"#, Kept(UNKNOWN, &[("", Rule::Union)])),
            ("2025-11-25", BLOCK, "{}", Kept(UNKNOWN, &[("", Rule::Union)])),
            // Known, with an unusable body: kept whole, and the report leads inside.
            ("2025-11-25", BLOCK, r#"{"type":"text"}"#, Kept(UNKNOWN, &[("", Rule::Required)])),
            ("2025-11-25", BLOCK, r#"{"text":5,"type":"text","x":1}"#, Kept(UNKNOWN, &[("/text", Rule::Type)])),
            (
                "2025-11-25",
                BLOCK,
                r#"{"type":"resource","resource":5}"#,
                Kept("EmbeddedResource", &[("/resource", Rule::Union)]),
            ),
            (
                "2025-11-25",
                "ClientRequest",
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":{"a":1},"arguments":{"b":2}}}"#,
                Kept(UNKNOWN, &[("/params/name", Rule::Type)]),
            ),
            (
                "2025-11-25",
                "ClientRequest",
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}"#,
                Kept(UNKNOWN, &[("/params", Rule::Type)]),
            ),
            (
                "2025-11-25",
                "ServerNotification",
                r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#,
                Kept(UNKNOWN, &[("/params", Rule::Required)]),
            ),
        ],
        32,
    );
}

#[test]
fn a_member_that_decides_by_its_presence_may_be_there_by_chance() {
    const MESSAGE: &str = "JSONRPCMessage";
    run(
        &[
            // As JSON-RPC 1.0 had it, in any order.
            (
                "2025-11-25",
                MESSAGE,
                r#"{"error":null,"id":1,"jsonrpc":"2.0","result":{}}"#,
                Kept("ResultResponse", &[]),
            ),
            (
                "2025-11-25",
                MESSAGE,
                r#"{"result":{},"error":null,"id":1,"jsonrpc":"2.0"}"#,
                Kept("ResultResponse", &[]),
            ),
            (
                "2025-11-25",
                MESSAGE,
                r#"{"result":null,"error":{"code":1,"message":"m"},"jsonrpc":"2.0"}"#,
                Kept("ErrorResponse", &[]),
            ),
            ("2024-11-05", MESSAGE, r#"{"error":null,"id":1,"jsonrpc":"2.0","result":{}}"#, Kept("Response", &[])),
            ("2025-03-26", MESSAGE, r#"{"error":null,"id":1,"jsonrpc":"2.0","result":{}}"#, Kept("Response", &[])),
            // A request or a notification with a member of its own.
            ("2025-11-25", MESSAGE, r#"{"jsonrpc":"2.0","error":0,"id":1,"method":"m"}"#, Kept("Request", &[])),
            ("2025-11-25", MESSAGE, r#"{"jsonrpc":"2.0","result":0,"method":"m"}"#, Kept("Notification", &[])),
            // Contents of a resource.
            ("2025-11-25", "EmbeddedResource", CONTENTS_WITHOUT_BLOB, Kept(NO_UNION, &[])),
            // Where nothing fits, the report names what is wrong.
            (
                "2025-11-25",
                MESSAGE,
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"m"}}"#,
                Kept(UNKNOWN, &[("/error/code", Rule::Type)]),
            ),
        ],
        9,
    );
    let resource: v2025_11_25::EmbeddedResource = from_str(CONTENTS_WITHOUT_BLOB).unwrap();
    assert!(matches!(resource.resource, v2025_11_25::AnyResourceContents::Text(_)));
}

const CONTENTS_WITHOUT_BLOB: &str = r#"{"type":"resource","resource":{"blob":null,"text":"t","uri":"a:b"}}"#;

#[test]
fn a_union_keeps_a_value_of_any_kind() {
    let mut kept = 0;
    for (name, definition) in [
        ("2024-11-05", "ClientRequest"),
        ("2024-11-05", "ServerResult"),
        ("2025-03-26", "ServerNotification"),
        ("2025-06-18", "ContentBlock"),
        ("2025-06-18", "PrimitiveSchemaDefinition"),
        ("2025-11-25", "ElicitRequestParams"),
        ("2025-11-25", "SamplingMessageContentBlock"),
        ("2025-11-25", "EnumSchema"),
        ("2025-11-25", "JSONRPCMessage"),
        (stateless::REVISION, "JSONRPCResponse"),
        (stateless::REVISION, "InputRequest"),
        (stateless::REVISION, "InputResponse"),
    ] {
        for text in ["\"text\"", "\"\"", "5", "-5", "5.0", "5.5", "18446744073709551615", "true", "null", "[]", "[{}]"]
        {
            let document: Value = serde_json::from_str(text).unwrap();
            let entry = revision(name).entry(definition);
            for probe in [entry.read(text), entry.convert(document.clone())] {
                let probe = probe.unwrap_or_else(|error| panic!("{definition}, {text}: {error}"));
                assert_eq!(revision(name).difference(definition, text, &probe.text), None, "{definition}");
                assert_eq!(probe.variant, Some(UNKNOWN), "{definition}, {text}");
                assert_eq!(places(&probe.violations), [("", Rule::Union)], "{definition}, {text}");
                kept += 1;
            }
        }
    }
    assert_eq!(kept, 12 * 11 * 2);
}

#[test]
fn the_name_under_which_serde_json_hides_numbers_is_a_member_like_any_other() {
    run(
        &[
            (
                "2025-11-25",
                "ContentBlock",
                r#"{"$serde_json::private::Number":"5"}"#,
                Kept(UNKNOWN, &[("", Rule::Union)]),
            ),
            (
                "2025-11-25",
                "ContentBlock",
                r#"{"$serde_json::private::Number":5}"#,
                Kept(UNKNOWN, &[("", Rule::Union)]),
            ),
            (
                "2025-11-25",
                "ContentBlock",
                r#"{"$serde_json::private::Number":"5","type":"text","text":"t"}"#,
                Kept("Text", &[]),
            ),
            (
                "2025-11-25",
                "ContentBlock",
                r#"{"type":"text","text":"t","$serde_json::private::Number":"5"}"#,
                Kept("Text", &[]),
            ),
            (
                "2025-11-25",
                "JSONRPCMessage",
                r#"{"$serde_json::private::Number":"x","jsonrpc":"2.0","id":1,"method":"ping"}"#,
                Kept("Request", &[]),
            ),
            (
                "2025-11-25",
                "ElicitResult",
                r#"{"action":"accept","content":{"a":{"$serde_json::private::Number":"5"}}}"#,
                Kept(NO_UNION, &[("/content/a", Rule::Union)]),
            ),
            (
                "2025-11-25",
                "ContentBlock",
                r#"{"$serde_json::private::RawValue":"5"}"#,
                Kept(UNKNOWN, &[("", Rule::Union)]),
            ),
            (
                "2025-11-25",
                "ContentBlock",
                r#"{"type":"text","text":"t","_meta":{"$serde_json::private::RawValue":"{}"}}"#,
                Kept("Text", &[]),
            ),
        ],
        8,
    );
}

/// The same when serde has put a document aside, to try several types with it.
#[test]
fn a_document_that_serde_has_put_aside_has_such_members_too() {
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum Tried {
        Number(#[allow(dead_code)] f64),
        Kept(mcp_wire_core::Json),
    }
    for text in [
        r#"{"a":{"$serde_json::private::Number":"5"}}"#,
        r#"{"$serde_json::private::Number":"5"}"#,
        r#"[{"$serde_json::private::RawValue":"[]"}]"#,
        r#"[{"$serde_json::private::RawValue":"5 "}]"#,
    ] {
        let Tried::Kept(json) = serde_json::from_str(text).unwrap() else { panic!("{text} is no number") };
        assert_eq!(json.text(), text);
    }
    // A number that only JSON can express goes through other formats in this form, and comes back from it.
    let text = r#"[{"$serde_json::private::RawValue":"1e2"}]"#;
    let Tried::Kept(json) = serde_json::from_str(text).unwrap() else { panic!("{text} is no number") };
    assert_eq!(json.text(), "[1e2]");
}

#[test]
fn numbers_keep_their_form() {
    let progress = |number: &str| format!(r#"{{"progress":{number},"progressToken":1}}"#);
    let tokens = |number: &str| format!(r#"{{"maxTokens":{number},"messages":[]}}"#);
    let mut kept = 0;
    let hundred_digits = "1234567890".repeat(10);
    // Whole numbers, all of them: an integer has any form that JSON has.
    for text in [
        "0",
        "1",
        "1.0",
        "5.0",
        "1e2",
        "1E+2",
        "1.50e1",
        "1200e-2",
        "100.000",
        "-0",
        "-0.0",
        "0e-7",
        "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "12345678901234567890",
        "99999999999999999999",
        "-99999999999999999999",
        "1e300",
        "1e400",
        "-1e400",
        "1e99999999999999999999",
        &hundred_digits,
    ] {
        for (name, definition, document) in [
            ("2025-11-25", "ProgressNotificationParams", progress(text)),
            ("2025-11-25", "CreateMessageRequestParams", tokens(text)),
            (stateless::REVISION, "CreateMessageRequestParams", tokens(text)),
            ("2025-06-18", "RequestId", text.to_owned()),
            ("2024-11-05", "ProgressToken", text.to_owned()),
        ] {
            let probe = revision(name).entry(definition).read(&document).unwrap();
            // Members are compared as text, because 1e2 and 100.0 are equal as values.
            let mut members: Vec<_> =
                probe.value.members().map(|(name, value)| format!("{name:?}:{}", value.text())).collect();
            members.sort();
            let written = match probe.value.is_object() {
                true => format!("{{{}}}", members.join(",")),
                false => probe.value.to_string(),
            };
            assert_eq!(written, document, "{definition}");
            assert_eq!(probe.violations, [], "{definition}: {document}");
            kept += 1;
        }
    }
    assert_eq!(kept, 24 * 5);
}

#[test]
fn numbers_that_do_not_fit_are_refused_with_their_place() {
    const INTEGER: &str = "an integer";
    run(
        &[
            (
                "2025-11-25",
                "CreateMessageRequestParams",
                r#"{"messages":[],"maxTokens":5.5}"#,
                Shape("/maxTokens", INTEGER, "the number 5.5"),
            ),
            (
                "2024-11-05",
                "CreateMessageRequest",
                r#"{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":-0.001}}"#,
                Shape("/params/maxTokens", INTEGER, "the number -0.001"),
            ),
            (
                "2025-11-25",
                "CreateMessageRequestParams",
                r#"{"messages":[],"maxTokens":"5"}"#,
                Shape("/maxTokens", INTEGER, "the string \"5\""),
            ),
            // There is no number that is too large.
            (
                "2025-11-25",
                "ProgressNotificationParams",
                r#"{"progressToken":1,"progress":1e400}"#,
                Kept(NO_UNION, &[]),
            ),
            ("2025-11-25", "CreateMessageRequestParams", r#"{"messages":[],"maxTokens":-1e400}"#, Kept(NO_UNION, &[])),
            (
                "2025-11-25",
                "Tool",
                r#"{"name":"n","inputSchema":{"type":"object"},"vendor":1e999}"#,
                Kept(NO_UNION, &[]),
            ),
            ("2025-11-25", "ContentBlock", r#"{"vendor":1e999,"type":"text","text":"t"}"#, Kept("Text", &[])),
            ("2025-11-25", "Annotations", r#"{"priority":1e400}"#, Kept(NO_UNION, &[("/priority", Rule::Range)])),
            (
                "2025-11-25",
                "ProgressNotificationParams",
                r#"{"progressToken":1,"progress":"1"}"#,
                Shape("/progress", "a number", "the string \"1\""),
            ),
            // A member that may be missing is kept, in its form.
            (
                "2025-11-25",
                "Resource",
                r#"{"uri":"a:b","name":"n","size":5.5}"#,
                Kept(NO_UNION, &[("/size", Rule::Type)]),
            ),
            ("2025-11-25", "Resource", r#"{"uri":"a:b","name":"n","size":5.0}"#, Kept(NO_UNION, &[])),
            ("2025-11-25", "Annotations", r#"{"priority":-0.0}"#, Kept(NO_UNION, &[])),
            ("2025-11-25", "Annotations", r#"{"priority":1.0000001}"#, Kept(NO_UNION, &[("/priority", Rule::Range)])),
        ],
        13,
    );
    // A number is named as it is written.
    let error = revision("2025-11-25").entry("RequestId").read("-1.50e-3").unwrap_err();
    assert_eq!(error.to_string(), "(document): expected a string or an integer, found the number -1.50e-3");
}

#[test]
fn ranges_are_judged_by_the_exact_value_and_not_by_the_float_beside_it() {
    for (number, is_in_range) in [
        ("1.00000000000000000000000000001", false),
        ("0.99999999999999999999999999999", true),
        ("-1e-400", false),
        ("1e-400", true),
        ("-0", true),
        ("10e-1", true),
    ] {
        let probe = revision("2025-11-25").entry("Annotations").read(&format!(r#"{{"priority":{number}}}"#)).unwrap();
        let expected: &[_] = if is_in_range { &[] } else { &[("/priority", Rule::Range)] };
        assert_eq!(places(&probe.violations), expected, "{number}");
    }
    // What was found is named as it is written.
    let probe = revision("2025-11-25").entry("Annotations").read(r#"{"priority":1e400}"#).unwrap();
    assert_eq!(probe.violations[0].to_string(), "/priority: expected at most 1, found 1e400");
}

#[test]
fn ids_are_strings_or_integers_and_anything_else_has_an_address() {
    const ID: &str = "a string or an integer";
    const BAD: &[(&str, Rule)] = &[("/id", Rule::Type)];
    run(
        &[
            // The schema takes a request with an unusable id for a notification with a member of its own. Nobody who
            // sends an id means that, so that it is typed as neither.
            ("2025-11-25", "JSONRPCMessage", r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Kept(UNKNOWN, &[])),
            ("2025-11-25", "JSONRPCMessage", r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, Kept(UNKNOWN, &[])),
            ("2025-11-25", "JSONRPCMessage", r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#, Kept(UNKNOWN, &[])),
            ("2025-11-25", "JSONRPCMessage", r#"{"jsonrpc":"2.0","id":[1],"result":{}}"#, Kept(UNKNOWN, BAD)),
            ("2025-11-25", "JSONRPCMessage", r#"{"jsonrpc":"2.0","id":true,"result":{}}"#, Kept(UNKNOWN, BAD)),
            ("2025-11-25", "JSONRPCMessage", r#"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#, Kept("Request", &[])),
            ("2025-11-25", "JSONRPCMessage", r#"{"jsonrpc":"2.0","id":"","method":"ping"}"#, Kept("Request", &[])),
            ("2025-11-25", "JSONRPCMessage", r#"{"jsonrpc":"2.0","id":-1,"method":"ping"}"#, Kept("Request", &[])),
            ("2024-11-05", "JSONRPCMessage", r#"{"jsonrpc":"2.0","id":1e300,"method":"ping"}"#, Kept("Request", &[])),
            (
                "2024-11-05",
                "JSONRPCMessage",
                r#"{"jsonrpc":"2.0","id":123456789012345678901234567890,"result":{}}"#,
                Kept("Response", &[]),
            ),
            ("2025-11-25", "RequestId", "null", Shape("", ID, "null")),
            ("2025-11-25", "RequestId", "0.5", Shape("", ID, "the number 0.5")),
            ("2025-11-25", "ProgressToken", "{}", Shape("", ID, "an empty object")),
            ("2025-11-25", "PingRequest", r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Shape("/id", ID, "null")),
            (
                "2025-11-25",
                "CancelledNotification",
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}"#,
                Kept(NO_UNION, &[("/params/requestId", Rule::Type)]),
            ),
        ],
        15,
    );
}

/// A value of every kind, for members that expect some other one.
fn kinds() -> [Value; 7] {
    [json!(null), json!(true), json!(7), json!(7.5), json!("seven"), json!([]), json!({})]
}

/// The definitions of a schema that say which members they have, with their properties and required names.
fn objects(document: &Value, keyword: &str) -> Vec<(String, Vec<String>, Vec<String>)> {
    let mut objects = Vec::new();
    for (name, definition) in document[keyword].as_object().expect("definitions") {
        // Where clients send one notification only, the union of these is written out as that notification.
        if let Some(properties) = definition["properties"].as_object().filter(|_| name != "ClientNotification") {
            let required = definition["required"].as_array().into_iter().flatten();
            let required = required.map(|name| name.as_str().expect("a name").to_owned()).collect();
            objects.push((name.clone(), properties.keys().cloned().collect(), required));
        }
    }
    objects
}

#[test]
fn an_optional_member_of_the_wrong_kind_is_kept_and_reported() {
    let (mut kept, mut reported, mut nulls) = (0, 0, 0);
    for revision in &REVISIONS {
        let schema = revision.schema();
        let instances = Instances::new(&schema.document);
        let mut judge = Judge::new(&schema);
        for (definition, properties, required) in objects(&schema.document, schema.keyword) {
            let document = instances.maximal(&definition).expect(&definition);
            for member in properties.iter().filter(|member| !required.contains(member)) {
                for kind in kinds() {
                    let mut document = document.clone();
                    document[member] = kind.clone();
                    let place = format!("{definition} of {} with {member}: {kind}", revision.name);
                    let probe = revision.entry(&definition).read(&document.to_string());
                    let probe = probe.unwrap_or_else(|error| panic!("{place}: {error}"));
                    assert_eq!(revision.difference(&definition, &document.to_string(), &probe.text), None, "{place}");
                    let valid = judge.accepts(&definition, &document);
                    assert_eq!(probe.violations.is_empty(), valid, "{place}: {:?}", probe.violations);
                    for violation in &probe.violations {
                        let pointer = format!("/{}", member.replace('/', "~1"));
                        assert!(violation.pointer.starts_with(&pointer), "{place}: {violation}");
                    }
                    kept += 1;
                    reported += usize::from(!valid);
                    nulls += usize::from(!valid && kind.is_null());
                }
            }
        }
    }
    println!("{kept} documents, {reported} with a member of the wrong kind, {nulls} of them null");
    let counts = json!({ "documents": kept, "invalid": reported, "invalid_nulls": nulls });
    assert_pinned(ALL, "optional_members_of_the_wrong_kind", counts);
}

#[test]
fn a_missing_required_member_is_named() {
    let (mut refused, mut reported) = (0, 0);
    for revision in &REVISIONS {
        let schema = revision.schema();
        let instances = Instances::new(&schema.document);
        for (definition, _, required) in objects(&schema.document, schema.keyword) {
            for member in &required {
                let mut document = instances.minimal(&definition).expect(&definition);
                document.as_object_mut().expect("an object").remove(member);
                let place = format!("{definition} of {} without {member}", revision.name);
                let expected = format!("the required member {member:?}");
                match revision.entry(&definition).read(&document.to_string()) {
                    Err(DecodeError::Shape { pointer, expected: what, found }) => {
                        assert_eq!((&pointer[..], &what[..]), ("", &expected[..]), "{place}");
                        assert_eq!(found, "an object without it", "{place}");
                        refused += 1;
                    }
                    Err(error) => panic!("{place}: {error}"),
                    // A constant or a member that is often left out: typed all the same, and reported.
                    Ok(probe) => {
                        let lost = revision.difference(&definition, &document.to_string(), &probe.text);
                        assert_eq!(lost, None, "{place}");
                        assert_eq!(places(&probe.violations), [("", Rule::Required)], "{place}");
                        assert_eq!(probe.violations[0].expected, expected, "{place}");
                        reported += 1;
                    }
                }
            }
        }
    }
    println!("{refused} refused, {reported} decoded and reported");
    assert_pinned(ALL, "missing_required_members", json!({ "refused": refused, "reported": reported }));
}

/// Puts a member that no revision knows into every object of a document.
fn seasoned(document: &Value, added: &mut usize) -> Value {
    match document {
        Value::Array(items) => items.iter().map(|item| seasoned(item, added)).collect(),
        Value::Object(members) => {
            *added += 1;
            let mut members: serde_json::Map<_, _> =
                members.iter().map(|(name, value)| (name.clone(), seasoned(value, added))).collect();
            members.insert("x-vendor/~".to_owned(), json!({ "n": 1.0, "list": [null, {}, []] }));
            Value::Object(members)
        }
        other => other.clone(),
    }
}

#[test]
fn unknown_members_survive_at_every_level() {
    let (mut documents, mut added) = (0, 0);
    for revision in &REVISIONS {
        let schema = revision.schema();
        let instances = Instances::new(&schema.document);
        for definition in instances.definitions() {
            let document = instances.maximal(definition).expect(definition);
            let document = seasoned(&document, &mut added);
            let probe = revision.entry(definition).read(&document.to_string());
            let probe = probe.unwrap_or_else(|error| panic!("{definition}: {error}"));
            let lost = revision.difference(definition, &document.to_string(), &probe.text);
            assert_eq!(lost, None, "{definition} of {}", revision.name);
            documents += 1;
        }
    }
    assert_eq!(documents, REVISIONS.iter().map(|revision| revision.types.len()).sum::<usize>());
    println!("{added} members added to {documents} documents");
    assert!(added > 5 * documents, "{added} members are too few");
}

fn tool(name: &str) -> v2025_11_25::Tool {
    v2025_11_25::Tool::new(name, v2025_11_25::ToolInputSchema::new())
}

#[test]
fn one_malformed_tool_of_a_hundred_leaves_ninety_nine() {
    use v2025_11_25::ListToolsResult;
    for position in [0, 1, 42, 98, 99] {
        let mut tools: Vec<Value> = (0..99).map(|index| json!(tool(&format!("t{index}")))).collect();
        tools.insert(position, json!({ "name": "odd", "inputSchema": "none", "vendor": [1.0] }));
        let document = json!({ "tools": tools, "nextCursor": "c" });
        let result: ListToolsResult = from_str(&document.to_string()).unwrap();
        assert_eq!(result.tools.len(), 99);
        let odd: Vec<_> = result.tools.malformed().map(|(place, tool)| (place, tool.to_value())).collect();
        assert_eq!(odd, [(position, document["tools"][position].clone())]);
        assert_eq!(places(&result.check()), [(&*format!("/tools/{position}/inputSchema"), Rule::Type)]);
        assert_eq!(serde_json::to_value(&result).unwrap(), document);
    }
}

#[test]
fn a_malformed_item_survives_changes_that_are_meant_to_keep_it() {
    use v2025_11_25::ListToolsResult;
    let odd = json!({ "name": 1 });
    let text = json!({ "tools": [tool("a"), tool("b"), odd, tool("c"), null] }).to_string();
    let names = |result: &ListToolsResult| -> Vec<Value> {
        let value = serde_json::to_value(result).unwrap();
        value["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect()
    };
    type Edit = fn(&mut ListToolsResult);
    let edits: [(Edit, Value); 6] = [
        (|_| {}, json!(["a", "b", 1, "c", null])),
        (|result| result.tools.keeping_malformed().clear(), json!([1, null])),
        (|result| result.tools.keeping_malformed().truncate(1), json!(["a", 1, null])),
        (|result| result.tools.keeping_malformed().push(tool("d")), json!(["a", "b", 1, "c", null, "d"])),
        (|result| result.tools.keeping_malformed().insert(0, tool("z")), json!(["z", "a", 1, "b", null, "c"])),
        (|result| result.tools.keeping_malformed().reverse(), json!(["c", "b", 1, "a", null])),
    ];
    for (edit, expected) in edits {
        let mut result: ListToolsResult = from_str(&text).unwrap();
        edit(&mut result);
        assert_eq!(Value::from(names(&result)), expected);
        assert_eq!(result.check().len(), 2, "{expected}: both malformed items are still reported");
    }
}

#[test]
fn malformed_values_of_a_map_are_kept_in_their_place() {
    let text = r#"{"name":"p","arguments":{"city":"Paris","n":5,"unit":"C","x":null}}"#;
    let mut params: v2025_11_25::GetPromptRequestParams = from_str(text).unwrap();
    let arguments = params.arguments.as_ref().unwrap();
    assert_eq!(arguments.keys().collect::<Vec<_>>(), ["city", "unit"]);
    assert_eq!(places(&params.check()), [("/arguments/n", Rule::Type), ("/arguments/x", Rule::Type)]);
    assert_eq!(serde_json::to_string(&params).unwrap(), text);
    params.arguments.as_mut().unwrap().keeping_malformed().remove("city");
    let written = r#"{"name":"p","arguments":{"unit":"C","n":5,"x":null}}"#;
    assert_eq!(serde_json::to_string(&params).unwrap(), written);
}

#[test]
fn a_typed_value_replaces_what_was_kept_in_its_place() {
    let text = r#"{"name":"n","inputSchema":{"type":"object"},"description":null,"annotations":5,"icons":{}}"#;
    let mut tool: v2025_11_25::Tool = from_str(text).unwrap();
    let kept = [("/description", Rule::Type), ("/annotations", Rule::Type), ("/icons", Rule::Type)];
    let mut reported = tool.check();
    reported.sort_by_key(|violation| kept.iter().position(|(pointer, _)| *pointer == violation.pointer));
    assert_eq!(places(&reported), kept);
    tool.description = Some("d".to_owned());
    let tool = tool.with_annotations(v2025_11_25::ToolAnnotations::new().with_title("t")).with_icons(Vec::new());
    let expected = json!({
        "name": "n",
        "inputSchema": { "type": "object" },
        "description": "d",
        "annotations": { "title": "t" },
        "icons": [],
    });
    assert_eq!(serde_json::to_value(&tool).unwrap(), expected);
    assert_eq!(tool.check(), [], "what is no longer written is no longer reported");

    // The same for a member whose absence has a meaning, whether it was absent or of the wrong kind.
    use stateless::{CallToolResult, ResultType};
    for text in [r#"{"content":[]}"#, r#"{"content":[],"resultType":null}"#] {
        let mut result: CallToolResult = from_str(text).unwrap();
        assert_eq!((&result.result_type, result.check().len()), (&ResultType::Complete, 1), "{text}");
        result.result_type = ResultType::from("task");
        assert_eq!(serde_json::to_value(&result).unwrap(), json!({ "content": [], "resultType": "task" }), "{text}");
        assert_eq!(result.check(), [], "{text}");
    }
}

// So many members in one object that anything quadratic would not come to an end.

const MANY_MEMBERS: usize = 1_000_000;
const MANY_TURNS: usize = 100_000;

#[test]
fn a_million_unknown_members_are_read_and_written() {
    let members: Vec<String> = (0..MANY_MEMBERS).map(|index| format!("\"k{index}\":{index}")).collect();
    let text = format!(r#"{{"text":"t",{},"type":"text"}}"#, members.join(","));
    let block: v2025_11_25::ContentBlock = from_str(&text).unwrap();
    let v2025_11_25::ContentBlock::Text(block) = &block else { panic!("not a text") };
    assert_eq!(block.extra.members().count(), MANY_MEMBERS);
    assert_eq!(block.check(), []);
    // What was written can be read again, and is the same.
    let written = serde_json::to_string(block).unwrap();
    assert_eq!(from_str::<v2025_11_25::TextContent>(&written).unwrap(), **block);
}

#[test]
fn two_hundred_thousand_repeated_members_leave_the_last_one() {
    // What is repeated, in turns, and what remains.
    for (definition, before, turns, after, expected, variant) in [
        ("Tool", r#"{"inputSchema":{"type":"object"}"#, [r#","name":5"#, r#","name":"n""#], "}", json!("n"), None),
        (
            "ContentBlock",
            r#"{"text":"t""#,
            [r#","type":"image""#, r#","type":"text""#],
            "}",
            json!("text"),
            Some("Text"),
        ),
        ("ContentBlock", r#"{"text":"t""#, [r#","type":"text""#, r#","type":5"#], "}", json!(5), Some(UNKNOWN)),
        ("ListToolsResult", r#"{"_meta":{}"#, [r#","tools":[5]"#, r#","tools":[]"#], "}", json!([]), None),
        (
            "GetPromptRequestParams",
            r#"{"name":"p","arguments":{"z":"""#,
            [r#","a":5"#, r#","a":"b""#],
            "}}",
            json!("b"),
            None,
        ),
        ("Annotations", r#"{"x":1"#, [r#","priority":null"#, r#","priority":1"#], "}", json!(1), None),
        (
            "JSONRPCMessage",
            r#"{"id":1"#,
            [r#","jsonrpc":"1.0""#, r#","jsonrpc":"2.0""#],
            r#","method":"m"}"#,
            json!("2.0"),
            Some("Request"),
        ),
    ] {
        let text = [before, &turns.concat().repeat(MANY_TURNS), after].concat();
        let probe = revision("2025-11-25").entry(definition).read(&text).unwrap_or_else(|error| panic!("{error}"));
        let last = turns[1].split('"').nth(1).unwrap();
        let found = probe.value.get(last).or_else(|| probe.value.get("arguments")?.get(last)).expect(last);
        assert_eq!((found.to_value(), probe.variant), (expected, variant), "{definition}");
        assert_eq!(probe.violations.is_empty(), variant != Some(UNKNOWN), "{definition}");
    }
}

#[test]
fn a_hundred_thousand_odd_items_are_kept_and_reported() {
    const ODD: usize = 100_000;
    let tools: Vec<Value> =
        (0..ODD).map(|index| if index % 2 == 0 { json!(index) } else { json!(tool("t")) }).collect();
    let document = json!({ "tools": tools });
    let result: v2025_11_25::ListToolsResult = from_str(&document.to_string()).unwrap();
    assert_eq!((result.tools.len(), result.tools.malformed().count()), (ODD / 2, ODD / 2));
    assert_eq!(result.check().len(), Violation::LIMIT + 1);
    assert_eq!(serde_json::to_value(&result).unwrap(), document);
}

/// Longer than any message that a person or a log should have to read.
const LONGEST_MESSAGE: usize = 600;

#[test]
fn strings_of_ten_megabytes_are_kept_but_not_repeated_in_messages() {
    let long = "é\"".repeat(3_500_000);
    let quoted = Value::from(&*long).to_string();
    assert!(quoted.len() > 10_000_000);
    let (mut messages, mut kept) = (0, 0);
    for (definition, document) in [
        ("TextContent", format!(r#"{{"type":"text","text":{quoted}}}"#)),
        ("TextContent", format!(r#"{{"type":{quoted},"text":"t"}}"#)),
        ("TextContent", format!(r#"{{"type":"text","text":{{{quoted}:1}}}}"#)),
        ("TextContent", format!(r#"{{{quoted}:1}}"#)),
        ("ContentBlock", format!(r#"{{"type":{quoted}}}"#)),
        ("ContentBlock", format!(r#"{{{quoted}:"text"}}"#)),
        ("ContentBlock", quoted.clone()),
        ("Role", quoted.clone()),
        ("Tool", quoted.clone()),
        ("Resource", format!(r#"{{"name":"n","uri":{quoted}}}"#)),
        ("BlobResourceContents", format!(r#"{{"blob":{quoted},"uri":"a:b"}}"#)),
        ("Annotations", format!(r#"{{"priority":{quoted}}}"#)),
        ("GetPromptRequestParams", format!(r#"{{"name":"p","arguments":{{{quoted}:5}}}}"#)),
        ("ElicitResult", format!(r#"{{"action":"accept","content":{{{quoted}:{{}}}}}}"#)),
        ("CancelledNotification", format!(r#"{{"method":"notifications/cancelled","params":[{quoted}]}}"#)),
        ("RequestId", format!("[{quoted}]")),
        ("RequestId", format!("{quoted} {quoted}")),
        ("RequestId", format!(r#"{{{quoted}}}"#)),
    ] {
        let mut check = |message: String| {
            assert!(message.len() <= LONGEST_MESSAGE, "{definition}: {} bytes: {message:.200}", message.len());
            messages += 1;
        };
        match revision("2025-11-25").entry(definition).read(&document) {
            Err(error) => check(error.to_string()),
            Ok(probe) => {
                probe.violations.iter().for_each(|violation| check(violation.to_string()));
                assert_eq!(revision("2025-11-25").difference(definition, &document, &probe.text), None, "{definition}");
                kept += 1;
            }
        }
    }
    assert_eq!((messages, kept), (17, 11));
    // The error of plain serde says the same, as briefly.
    let text = format!(r#"{{"name":{{{quoted}:1}},"inputSchema":{{}}}}"#);
    let error = serde_json::from_str::<v2025_11_25::Tool>(&text).unwrap_err().to_string();
    assert!(error.starts_with("/name: expected a string, found an object with \"é"), "{error:.100}");
    assert!(error.len() <= LONGEST_MESSAGE);
}

#[test]
fn unions_name_their_variants_without_growing_long() {
    let mut unions = 0;
    for revision in &REVISIONS {
        for entry in revision.types {
            // An array with an object in it is kept as unknown by unions, and refused by nearly all others.
            let Ok(probe) = entry.read(r#"[{"a":1}]"#) else { continue };
            if probe.variant == Some(UNKNOWN) {
                unions += 1;
                for violation in &probe.violations {
                    assert!(violation.to_string().len() <= LONGEST_MESSAGE, "{}: {violation}", entry.name);
                }
            }
        }
    }
    assert_pinned(ALL, "unions_that_keep_an_array", unions);
}

#[test]
fn the_order_of_free_members_is_kept_in_the_text() {
    const MEMBERS: &str = r#"{"zeta":{"type":"string"},"alpha":{"type":"boolean"},"10":{"type":"number"},"9":{"type":"string"},"":{"type":"boolean"}}"#;
    let mut kept = 0;
    for revision in &REVISIONS {
        let mut texts = vec![
            ("Tool", format!(r#"{{"name":"n","inputSchema":{{"type":"object","properties":{MEMBERS}}}}}"#)),
            ("CallToolRequest", format!(r#"{{"method":"tools/call","params":{{"name":"n","arguments":{MEMBERS}}}}}"#)),
        ];
        if revision.name >= "2025-06-18" {
            let schema = format!(r#"{{"type":"object","properties":{MEMBERS}}}"#);
            let params = format!(r#"{{"message":"m","requestedSchema":{schema}}}"#);
            texts.push(("ElicitRequest", format!(r#"{{"method":"elicitation/create","params":{params}}}"#)));
        }
        for (definition, text) in texts {
            // Where the revision wants more around the params, it is added.
            let mut document: Value = serde_json::from_str(&text).unwrap();
            if definition != "Tool" {
                document["jsonrpc"] = json!("2.0");
                document["id"] = json!(1);
                if !revision.has_handshake() && definition == "CallToolRequest" {
                    document["params"]["_meta"] = json!({
                        "io.modelcontextprotocol/protocolVersion": revision.name,
                        "io.modelcontextprotocol/clientCapabilities": {},
                    });
                }
            }
            let probe = revision.entry(definition).read(&document.to_string());
            let probe = probe.unwrap_or_else(|error| panic!("{definition} of {}: {error}", revision.name));
            assert!(probe.value.to_string().contains(MEMBERS), "{definition} of {}: {}", revision.name, probe.value);
            assert_eq!(probe.violations, [], "{definition} of {}", revision.name);
            kept += 1;
        }
    }
    assert_eq!(kept, REVISIONS.len() + REVISIONS.len() + (REVISIONS.len() - 2));
}

/// The same document with the members of every object in the opposite order.
fn reversed(document: &Value) -> Value {
    match document {
        Value::Array(items) => items.iter().map(reversed).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().rev().map(|(name, value)| (name.clone(), reversed(value))).collect())
        }
        other => other.clone(),
    }
}

/// The xorshift64* generator; the seed must not be zero.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        usize::try_from((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % limit as u64).unwrap()
    }
}

/// Corrupted bytes per document, each in a copy of its own.
const CORRUPTIONS: usize = 20;

fn every_reader_and_every_order_agree(revision: &Revision) {
    let schema = revision.schema();
    let instances = Instances::new(&schema.document);
    let mut random = Random(0x5eed);
    let (mut documents, mut corruptions, mut decoded) = (0, 0, 0);
    for definition in instances.definitions() {
        let entry = revision.entry(definition);
        for document in instances.family(definition).documents {
            let text = document.to_string();
            let place = format!("{definition}: {text}");
            let backwards = reversed(&document).to_string();
            let probes = [
                entry.read(&text),
                entry.read_slice(text.as_bytes()),
                entry.convert(document.clone()),
                entry.read(&backwards),
            ];
            let probes = probes.map(|probe| probe.unwrap_or_else(|error| panic!("{error}: {place}")));
            let texts = [&text, &text, &text, &backwards];
            for (before, Probe { value, text, violations, variant }) in texts.into_iter().zip(&probes) {
                assert_eq!(revision.difference(definition, before, text), None, "{place}");
                assert_eq!(*text, value.to_string(), "{place}");
                assert_eq!(*violations, [], "{place}");
                assert_eq!(*variant, probes[0].variant, "{place}");
            }
            documents += 1;
            for _ in 0..CORRUPTIONS.min(text.len()) {
                let mut bytes = text.clone().into_bytes();
                let at = random.below(bytes.len());
                // Bytes that mean something to JSON break more than random ones do.
                bytes[at] = match random.below(3) {
                    0 => u8::try_from(random.below(256)).unwrap(),
                    1 => b"{}[]\",:\\ 019-+.eEtfn"[random.below(20)],
                    _ => bytes[at] ^ (1 << random.below(8)),
                };
                let strict: Result<Value, _> = serde_json::from_slice(&bytes);
                match entry.read_slice(&bytes) {
                    Ok(probe) => {
                        let before = std::str::from_utf8(&bytes).expect("what is read is UTF-8");
                        // Another letter may make two names one, and another digit a number with many of them.
                        let lost = revision.difference(definition, before, &probe.text);
                        assert_eq!(lost, None, "byte {at} of {place}: {before}");
                        decoded += 1;
                    }
                    Err(DecodeError::Syntax(_)) => assert!(strict.is_err(), "byte {at} of {place}"),
                    Err(error) => {
                        let found = strict.expect(&place);
                        assert!(found.pointer(error.pointer().unwrap()).is_some(), "{error}: byte {at} of {place}");
                    }
                }
                corruptions += 1;
            }
        }
    }
    println!("{}: {documents} documents, {corruptions} corruptions, {decoded} decoded", revision.name);
    assert!(documents > 15 * revision.types.len(), "{documents} documents are too few");
    assert!(corruptions > documents * CORRUPTIONS / 2, "{corruptions} corruptions are too few");
    assert!(decoded > corruptions / 10 && decoded < corruptions * 9 / 10, "{decoded} decoded, which proves little");
}

each_revision!(every_reader_and_every_order_of: every_reader_and_every_order_agree);

#[test]
fn a_reader_that_cannot_lend_its_text_reads_the_same() {
    let text = r#"{"vendor":{"a":1},"type":"resource","resource":{"text":"t","uri":"a:b"},"type":"text","text":"t"}"#;
    let read: v2025_11_25::ContentBlock = serde_json::from_reader(text.as_bytes()).unwrap();
    assert_eq!(read, from_str(text).unwrap());
    assert_eq!(read, from_slice(text.as_bytes()).unwrap());
    assert!(matches!(read, v2025_11_25::ContentBlock::Text(_)));
}
