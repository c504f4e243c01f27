//! The page about a comparison: what it says, that nothing can get out of a string, and how it behaves in a browser.

#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]
#![allow(missing_docs, unreachable_pub)]

mod behaviour;
mod browser;
mod reports;
#[path = "../revisions/mod.rs"]
mod revisions;

use std::path::Path;
use std::time::Instant;

use browser::Browser;
use mcp_wire_codegen::diff::print::html::{html, html_chain};
use mcp_wire_codegen::diff::report::Report;
use mcp_wire_codegen::diff::{Edition, compare};
use mcp_wire_codegen::load;

fn page(report: &Report) -> String {
    html(report).expect("a page")
}

/// A comparison of two revisions of the project.
fn real(old: &str, new: &str) -> Report {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
    let sources = load::sources(&folder).expect("sources");
    let edition = |name| Edition::revision(&folder, &sources, name).expect("a schema").expect("a revision");
    compare(&edition(old), &edition(new))
}

/// The tags of a page with everything between quotation marks left out.
fn skeleton(page: &str) -> Vec<String> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        let (mut tag, mut quoted) = (String::new(), false);
        let mut length = 0;
        for c in rest[start..].chars() {
            length += c.len_utf8();
            quoted ^= c == '"';
            if !quoted {
                tag.push(c);
            }
            if c == '>' && !quoted {
                break;
            }
        }
        rest = &rest[start + length..];
        for raw in ["style", "script"] {
            if tag == format!("<{raw}>") {
                rest = &rest[rest.find(&format!("</{raw}>")).expect("an end")..];
            }
        }
        tags.push(tag);
    }
    tags
}

#[test]
fn a_page_says_what_its_report_says() {
    let page = page(&reports::small());
    for expected in [
        "<title>2025-06-18 → 2025-11-25</title>",
        ">4 breaking<",
        ">4 compatible<",
        ">1 notice<",
        ">2 reworded descriptions<",
        ">1 refactor<",
        ">1 ignored<",
        "safe unless <code>tasks</code> is used",
        "Read with the facts of <code>2025-11-25</code>.",
        "sha256 <code>5a1f0b3c9d8e…</code>",
        "Programs ignore members of objects that they do not know.",
        "<code>link_separators</code>: links in descriptions",
        "action: &#34;accept&#34; | <ins>&#34;decline&#34; |</ins> &#34;cancel&#34;",
        "<summary>2 more</summary>",
        "<code>Tool.gone</code>: the entry matches no change",
        "2026-12-31",
    ] {
        assert!(page.contains(expected), "{expected}");
    }
    assert!(!page.contains("No changes."));
    assert_eq!(page.matches("<details class=\"card ").count(), 12);
    assert_eq!(page.matches("<details class=\"type ").count(), 4);
}

#[test]
fn nothing_changed_is_said_clearly() {
    let empty = page(&reports::empty());
    assert!(empty.contains("<p class=\"nothing\">No changes.</p>"));
    assert!(!empty.contains("id=\"bar\"") && !empty.contains("class=\"card"));
    let mut words = reports::small();
    words.changes.clear();
    let mut words = reports::count(words);
    words.hide_refactors();
    let words = page(&words);
    assert!(words.contains("<p class=\"nothing\">No changes on the wire.</p>"));
    assert!(words.contains(">1 refactor, not shown<"));
    assert!(html_chain("nothing", &[]).expect("a page").contains("<p class=\"nothing\">No changes.</p>"));
}

#[test]
fn same_report_same_bytes() {
    assert_eq!(page(&reports::small()), page(&reports::small()));
    assert!(!page(&reports::small()).contains('\r'));
}

#[test]
fn every_link_has_a_target_and_every_anchor_is_its_own() {
    let chain = [reports::small(), reports::small(), reports::hostile_report(), reports::empty()];
    let chain = html_chain("all", &chain).expect("a page");
    for page in [page(&reports::small()), page(&reports::hostile_report()), chain] {
        let values = |attribute: &str| {
            let parts = page.split(attribute).skip(1);
            parts.map(|part| part[..part.find('"').expect("an end")].to_owned()).collect::<Vec<_>>()
        };
        let anchors = values(" id=\"");
        let mut sorted = anchors.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), anchors.len());
        let links = values(" href=\"#");
        assert!(links.len() > 30, "{}", links.len());
        for link in links {
            assert!(sorted.contains(&link), "{link}");
            assert!(link.chars().all(|c| c.is_ascii_alphanumeric() || "-_~".contains(c)), "{link}");
        }
    }
}

/// The hostile strings of a report cannot become markup: the page has the tags that it has with harmless strings.
#[test]
fn no_string_becomes_markup() {
    let hostile = page(&reports::hostile_report());
    for forbidden in
        ["<script>window", "<img", "<a href=javascript", "\0", "\u{2028}", "\u{2029}", "\u{202e}", "\u{feff}"]
    {
        assert!(!hostile.contains(forbidden), "{forbidden:?}");
    }
    assert_eq!(hostile.matches("</style>").count(), 1);
    assert_eq!(hostile.matches("</script>").count(), 1);
    assert_eq!(hostile.matches("<!--").count() + hostile.matches("-->").count(), 0);
    let tags = skeleton(&hostile);
    assert!(tags.len() > 500, "{}", tags.len());
    let known = [
        "!DOCTYPE",
        "a",
        "body",
        "button",
        "code",
        "dd",
        "del",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "head",
        "header",
        "html",
        "input",
        "ins",
        "label",
        "legend",
        "li",
        "link",
        "main",
        "meta",
        "nav",
        "option",
        "output",
        "p",
        "pre",
        "script",
        "section",
        "select",
        "span",
        "strong",
        "style",
        "summary",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "title",
        "tr",
        "ul",
    ];
    for tag in &tags {
        let name = tag.trim_matches(['<', '/', '>']).split([' ', '\n']).next().expect("a name");
        assert!(known.contains(&name), "{tag}");
        assert!(!tag.contains(" on") && !tag.contains('\''), "{tag}");
    }
}

#[test]
fn the_policy_names_the_style_and_the_script_and_nothing_else() {
    let page = page(&reports::small());
    let policy = page.split("Content-Security-Policy\" content=\"").nth(1).expect("a policy");
    let policy = &policy[..policy.find('"').expect("an end")];
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.matches("<style>").count(), 1);
    assert_eq!(page.matches("<script>").count(), 1);
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("url("));
}

/// The text of the boxes with code of the only card: without tags, and without what is marked as different.
fn boxes(page: &str) -> Vec<(String, String)> {
    let card = &page[page.find("class=\"card").expect("a card")..];
    let boxes = card.split("<pre tabindex=\"0\">\n").skip(1);
    let boxes = boxes.map(|part| &part[..part.find("</pre>").expect("an end")]);
    let plain = |html: &str| {
        let text: String = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
        text.replace("&#60;", "<")
            .replace("&#62;", ">")
            .replace("&#34;", "\"")
            .replace("&#39;", "'")
            .replace("&#38;", "&")
    };
    boxes
        .map(|html| {
            let mut kept = String::new();
            let mut rest = html;
            while let Some(start) = rest.find("<del>").or_else(|| rest.find("<ins>")) {
                kept.push_str(&rest[..start]);
                let end = rest.find("</del>").or_else(|| rest.find("</ins>")).expect("an end");
                rest = &rest[end + "</del>".len()..];
            }
            (plain(html), plain(&(kept + rest)))
        })
        .collect()
}

/// Whatever the two texts are: both are there in full, and what is not marked is the same in both.
#[test]
fn marks_cover_exactly_what_differs() {
    let words = ["a", "b", "Tool", " ", "  ", "\n", "\t", "\"x\"", "\"", "'", "<", "&", "|", ";", "é", "→", "`", "{"];
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        usize::try_from(state >> 33).expect("31 bits") % below
    };
    let mut report = reports::small();
    report.changes.truncate(1);
    report.documentation.clear();
    report.refactors.clear();
    let mut marked = 0;
    for _ in 0..500 {
        let mut text = || (0..random(30)).map(|_| words[random(words.len())]).collect::<String>();
        let (before, after) = (text(), text());
        report.changes[0].before = Some(before.clone());
        report.changes[0].after = Some(after.clone());
        let boxes = boxes(&page(&report));
        for (text, (shown, _)) in [before, after].iter().zip(&boxes) {
            assert_eq!(shown.trim_end_matches('\n'), text.trim_end_matches('\n'));
        }
        let solid = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(solid(&boxes[0].1), solid(&boxes[1].1));
        marked += usize::from(boxes[0].0 != boxes[0].1);
    }
    assert!(marked > 400, "{marked}");
}

#[test]
fn long_texts_without_anything_in_common_are_no_trouble() {
    let mut report = reports::small();
    let many = |word: &str| word.repeat(200_000);
    for (before, after) in
        [(many("a "), many("b ")), (many("a\n"), many("b\n")), (many("\""), many("'")), (many("`"), many("é"))]
    {
        report.changes.truncate(1);
        report.changes[0].message.says = before.clone();
        report.changes[0].before = Some(before);
        report.changes[0].after = Some(after);
        assert!(page(&report).len() > 500_000);
    }
}

#[test]
fn sentences_have_code_between_backticks() {
    let mut report = reports::small();
    report.changes.truncate(1);
    for (says, expected) in [
        ("`Tool` and Task", "<code><a href=\"#type-Tool\" tabindex=\"-1\">Tool</a></code> and Task"),
        ("Tool, no `more", "<a href=\"#type-Tool\" tabindex=\"-1\">Tool</a>, no `more"),
        ("`a``b` `", "<code>ab</code> `"),
        ("`\"Tool\"` is a string", "<code>&#34;Tool&#34;</code> is a string"),
        // The path stands before it on the page.
        ("is new", "is new"),
        ("`tasks/gets` is new", "<code>tasks/gets</code> is new"),
        ("", ""),
    ] {
        report.changes[0].message.says = says.to_owned();
        let expected = format!("<span class=\"message\">{expected}</span>");
        assert!(page(&report).contains(&expected), "{says}: {expected}");
    }
}

/// Printed, not asserted: `cargo test --release -p mcp-wire-codegen --test diff_page -- --ignored --nocapture cost`.
#[test]
#[ignore = "a measurement"]
fn cost_of_many_changes() {
    for length in [1_000, 10_000] {
        let report = reports::long(length);
        let start = Instant::now();
        let page = page(&report);
        eprintln!("{length} changes: {:?}, {} kB", start.elapsed(), page.len() / 1000);
        let Some(mut browser) = Browser::start() else { continue };
        let start = Instant::now();
        browser.open(&page, "");
        browser.until("document.getElementById('bar').hidden === false");
        eprintln!("  loaded after {:?}", start.elapsed());
        let search = "(() => { const start = performance.now(); const field = document.getElementById('search'); \
                      field.value = WORD; field.dispatchEvent(new Event('input', {bubbles: true})); \
                      return new Promise(done => requestAnimationFrame(() => setTimeout(() => \
                      done(document.getElementById('shown').textContent + ' after ' + (performance.now() - start) + ' ms')))); })()";
        for word in ["'decline'", "'inputschema 77'", "''"] {
            eprintln!("  {word}: {}", browser.evaluate(&search.replace("WORD", word)));
        }
        let expand = "(() => { const start = performance.now(); document.getElementById('ID').click(); \
                      document.body.offsetHeight; return performance.now() - start; })()";
        for id in ["expand", "collapse"] {
            eprintln!("  {id}: {} ms", browser.evaluate(&expand.replace("ID", id)));
        }
    }
}

/// A picture of a page: `MCP_WIRE_SCREENSHOT=page.png cargo test -p mcp-wire-codegen --test diff_page screenshot`. More
/// is chosen by `MCP_WIRE_DIFF` (`old..new`, or a longer chain), `_WIDTH`, `_HEIGHT`, `_SCHEME`, `_FRAGMENT` and `_SCRIPT`.
#[test]
fn screenshot_on_request() {
    let Some(path) = std::env::var_os("MCP_WIRE_SCREENSHOT") else { return };
    let option = |name: &str, default: &str| std::env::var(format!("MCP_WIRE_{name}")).unwrap_or(default.to_owned());
    let revisions = option("DIFF", "");
    let revisions: Vec<&str> = revisions.split("..").collect();
    let reports: Vec<Report> = revisions.windows(2).map(|pair| real(pair[0], pair[1])).collect();
    let text = match reports.as_slice() {
        [] => page(&reports::small()),
        [one] => page(one),
        chain => html_chain("A chain", chain).expect("a page"),
    };
    let Some(mut browser) = Browser::start() else { return };
    let width = option("WIDTH", "1280").parse().expect("a width");
    browser.resize(width, option("HEIGHT", "900").parse().expect("a height"), width < 600);
    browser.prefer(&option("SCHEME", "light"));
    browser.open(&text, &option("FRAGMENT", ""));
    browser.evaluate(&option("SCRIPT", "0"));
    browser.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
    browser.screenshot(Path::new(&path));
}
