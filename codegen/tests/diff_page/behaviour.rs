//! How a page behaves in a real browser.

use mcp_wire_codegen::diff::path::Path;
use mcp_wire_codegen::diff::print::html::html_chain;
use mcp_wire_codegen::diff::report::{Change, Outcome, Report};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::revisions::{newest, previous};
use crate::{page, real, reports};

impl Browser {
    /// The paths of the cards that filters leave, on the wire and beside it.
    fn shown(&mut self) -> Vec<String> {
        self.settle();
        let paths = self.evaluate(
            "Array.from(document.querySelectorAll('.card')).filter(card => !card.closest('[hidden]'))
                .map(card => card.querySelector('.path').textContent)",
        );
        paths.as_array().expect("a list").iter().map(|path| path.as_str().expect("a path").to_owned()).collect()
    }

    /// What the page says about how much is shown.
    fn count(&mut self) -> String {
        self.settle();
        text(&self.evaluate("document.getElementById('shown').textContent"))
    }

    /// Chooses from a list, as a reader would.
    fn choose(&mut self, id: &str, value: &str) {
        self.evaluate(&format!(
            "{{ const list = document.getElementById('{id}'); list.value = {value};
                if (list.selectedIndex < 0) throw new Error('no such choice');
                list.dispatchEvent(new Event('input', {{bubbles: true}})); }}",
            value = json!(value)
        ));
    }

    fn click(&mut self, selector: &str) {
        self.evaluate(&format!("document.querySelector({}).click()", json!(selector)));
    }

    /// Types into the search, after the key that leads there.
    fn search(&mut self, words: &str) {
        self.evaluate("document.activeElement.blur()");
        self.press("/", "/");
        assert_eq!(self.evaluate("document.activeElement.id"), "search");
        // What was there is selected, so that typing replaces it.
        self.call("Input.insertText", json!({"text": words}));
        assert_eq!(self.evaluate("document.getElementById('search').value"), words);
    }

    fn reset(&mut self) {
        self.click("#reset");
        assert_eq!(self.count(), "9 of 9 shown");
        assert_eq!(self.shown().len(), 12);
        self.until("location.hash === ''");
    }

    /// Nothing has gone wrong, and nothing but the page was asked for.
    fn is_content(&mut self, address: &str) {
        self.settle();
        let (complaints, requests) = self.complaints_and_requests();
        assert_eq!(complaints, Vec::<String>::new());
        assert!(!requests.is_empty());
        for request in requests {
            assert_eq!(request.split('#').next(), Some(address));
        }
    }

    /// How far the page is wider than the window.
    fn overflow(&mut self) -> i64 {
        self.settle();
        let width = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        self.evaluate(width).as_i64().expect("a number")
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// The paths of the changes that a condition leaves, and the count that goes with it.
fn expected(report: &Report, keep: impl Fn(&Change) -> bool) -> (Vec<String>, String) {
    let on_wire = report.changes.iter().filter(|change| keep(change)).count();
    let all = report.changes.iter().chain(&report.documentation).chain(&report.refactors);
    let paths: Vec<String> = all.filter(|change| keep(change)).map(|change| change.path.to_string()).collect();
    let below = match paths.len() - on_wire {
        0 => String::new(),
        below => format!(", and {below} below"),
    };
    let count = format!("{on_wire} of {} shown{below}", report.changes.len());
    (paths, count)
}

#[test]
fn every_filter_leaves_what_it_says() {
    let Some(mut browser) = Browser::start() else { return };
    let report = reports::small();
    let address = browser.open(&page(&report), "");
    assert_eq!(browser.count(), "9 of 9 shown");
    let mut checked = 0;
    let mut check = |browser: &mut Browser, what: &str, keep: &dyn Fn(&Change) -> bool| {
        let (paths, count) = expected(&report, keep);
        assert!(paths.len() < 12, "{what} leaves everything");
        assert_eq!(browser.shown(), paths, "{what}");
        assert_eq!(browser.count(), count, "{what}");
        let nothing = browser.evaluate("!document.getElementById('nothing').hidden");
        assert_eq!(nothing, paths.is_empty(), "{what}");
        checked += 1;
    };

    for area in ["tasks", "tools", "elicitation"] {
        browser.choose("area", &format!("={area}"));
        check(&mut browser, area, &|change| change.area == area);
        // The other areas are gone with their headings.
        let headings = browser.evaluate("Array.from(document.querySelectorAll('.area:not([hidden]) h3'), h => h.id)");
        assert_eq!(headings, json!([format!("area-{area}")]));
    }
    browser.reset();
    for severity in ["breaking", "compatible", "notice", "documentation", "refactor"] {
        browser.click(&format!("input[value={severity}]"));
        check(&mut browser, severity, &|change| change.severity.name() == severity);
        browser.click(&format!("input[value={severity}]"));
    }
    browser.click("input[value=breaking]");
    browser.click("input[value=notice]");
    check(&mut browser, "two severities", &|change| ["breaking", "notice"].contains(&change.severity.name()));
    browser.reset();
    for (name, outcome) in [("safe", Outcome::Safe), ("unless", Outcome::Unless), ("breaks", Outcome::Breaks)] {
        browser.choose("old", name);
        check(&mut browser, name, &|change| change.old_client_new_server.outcome == outcome);
        browser.choose("old", "");
        browser.choose("new", name);
        check(&mut browser, name, &|change| change.new_client_old_server.outcome == outcome);
        browser.choose("new", "");
    }
    // All of them together, and the search on top.
    browser.choose("area", "=tools");
    browser.choose("new", "unless");
    browser.click("input[value=compatible]");
    browser.search("TTL  removed");
    check(&mut browser, "everything", &|change| change.path.to_string() == "Tool.ttl");
    browser.search("no such word");
    check(&mut browser, "nothing", &|_| false);
    browser.press("Escape", "");
    assert_eq!(browser.shown(), ["Tool.ttl"]);
    browser.reset();
    for (words, path) in [
        ("decline", "ElicitResult.action"),
        ("/$defs/ResourceTemplate/", "*.icons"),
        ("old servers do not send it", "ElicitRequestURLParams.url"),
        ("basemetadata", "*.icons"),
        ("description_changed ui", "Tool.title"),
    ] {
        browser.search(words);
        check(&mut browser, words, &|change| change.path.to_string() == path);
    }
    // The labels of the page are not searched.
    browser.search("permalink");
    check(&mut browser, "permalink", &|_| false);
    browser.reset();
    assert_eq!(checked, 23);
    browser.is_content(&address);
}

#[test]
fn cards_open_and_close() {
    let Some(mut browser) = Browser::start() else { return };
    let address = browser.open(&page(&reports::small()), "");
    let open = "document.querySelectorAll('main details[open]').length";
    assert_eq!(browser.evaluate(open), 0);
    browser.click("#expand");
    let all = browser.evaluate("document.querySelectorAll('main details').length");
    // 12 cards, 4 types, 4 folded sections; corrections, rules and the places after the eighth.
    assert_eq!(all, 12 + 4 + 4 + 3);
    assert_eq!(browser.evaluate(open), all);
    browser.click("#collapse");
    assert_eq!(browser.evaluate(open), 0);
    // What a filter hides stays closed.
    browser.choose("area", "=elicitation");
    browser.settle();
    browser.click("#expand");
    assert_eq!(browser.evaluate("document.querySelectorAll('.card[open]').length"), 2);
    browser.reset();
    browser.click("#collapse");
    // By keyboard: the summary is a button, and the links inside it are no stops on the way to the next one.
    browser.evaluate("document.querySelectorAll('.card summary')[1].focus()");
    browser.press("Enter", "\r");
    assert_eq!(browser.evaluate("document.querySelectorAll('.card')[1].open"), true);
    browser.press("Enter", "\r");
    browser.press("Tab", "");
    assert_eq!(
        browser.evaluate("document.activeElement === document.querySelectorAll('.card')[2].firstElementChild"),
        true
    );
    browser.is_content(&address);
}

#[test]
fn links_lead_to_types_and_back() {
    let Some(mut browser) = Browser::start() else { return };
    let address = browser.open(&page(&reports::small()), "");
    browser.resize(1280, 900, false);
    let in_sight = "(() => { const top = document.querySelector('.here').getBoundingClientRect().top;
        return top >= document.getElementById('bar').getBoundingClientRect().bottom - 1 && top < innerHeight; })()";
    // A link inside a summary leads away and does not open the card.
    browser.click("[data-area=tools] .path a[href='#type-Tool']");
    browser.until("document.querySelector('.here')");
    assert_eq!(browser.evaluate("location.hash"), "#type-Tool");
    assert_eq!(browser.evaluate("document.querySelector('.here').className"), "type changed here");
    assert_eq!(browser.evaluate("document.querySelector('.here').open"), true);
    assert_eq!(browser.evaluate("document.querySelectorAll('.card[open]').length"), 0);
    assert_eq!(browser.evaluate(in_sight), true);
    // The type leads to its changes, one of which is in a folded section.
    let back = browser.evaluate("Array.from(document.querySelectorAll('.here .links a'), a => a.textContent)");
    assert_eq!(back, json!(["Tool.inputSchema", "*.icons", "Tool.ttl", "Tool.title"]));
    for position in 0..4 {
        browser.evaluate(&format!("document.querySelectorAll('#type-Tool .links a')[{position}].click()"));
        browser.until("document.querySelector('.card.here')");
        let path = "document.querySelector('.here .path').textContent";
        assert_eq!(browser.evaluate(path), back[position]);
        assert_eq!(browser.evaluate("document.querySelector('.here').checkVisibility()"), true);
        assert_eq!(browser.evaluate("document.activeElement.closest('.here') !== null"), true);
        assert_eq!(browser.evaluate(in_sight), true);
        browser.click("a[href='#type-Tool']");
        browser.until("document.querySelector('.type.here')");
    }
    // On a phone, where the bar scrolls with the page.
    browser.resize(390, 844, true);
    browser.evaluate("location.hash = 'type-TaskStatus'");
    browser.until("document.querySelector('.here #type-TaskStatus')");
    browser.settle();
    let top =
        browser.evaluate("document.querySelector('.here').getBoundingClientRect().top").as_f64().expect("a number");
    assert!((0.0..100.0).contains(&top), "{top}");
    browser.is_content(&address);
}

#[test]
fn filters_and_permalinks_share_the_address() {
    let Some(mut browser) = Browser::start() else { return };
    let report = reports::small();
    let html = page(&report);
    let address = browser.open(&html, "");
    browser.choose("area", "=tools");
    browser.choose("old", "safe");
    browser.choose("new", "safe");
    browser.click("input[value=notice]");
    browser.click("input[value=compatible]");
    browser.search("title & icons?");
    browser.search("i");
    browser.click("#theme");
    let fragment = "#?q=i&area=%3Dtools&old=safe&new=safe&severity=compatible+notice&theme=dark";
    browser.until(&format!("location.hash === '{fragment}'"));
    let left = ["*.icons", "ToolAnnotations.title"];
    assert_eq!(browser.shown(), left);
    browser.reload();
    assert_eq!(browser.shown(), left);
    assert_eq!(browser.count(), "2 of 9 shown");
    let fields = "[...['search', 'area', 'old', 'new'].map(id => document.getElementById(id).value),
        document.querySelectorAll('#bar :checked[name=severity]').length, document.documentElement.dataset.theme]";
    assert_eq!(browser.evaluate(fields), json!(["i", "=tools", "safe", "safe", 2, "dark"]));

    // A permalink keeps the filters, and a reload keeps both.
    let icons = format!("change-{}", report.changes[4].fingerprint);
    browser.evaluate(&format!("document.querySelector('a.permalink[href=\"#{icons}\"]').click()"));
    let both = fragment.replacen("#", &format!("#{icons}"), 1);
    browser.until(&format!("location.hash === '{both}'"));
    browser.reload();
    assert_eq!(browser.shown(), left);
    let opened = "Array.from(document.querySelectorAll('.card[open]'), card => card.lastElementChild.id)";
    assert_eq!(browser.evaluate(opened), json!([icons]));

    // What a link leads to is shown, even if filters would hide it.
    let hidden = format!("change-{}", report.changes[0].fingerprint);
    browser.evaluate(&format!("location.hash = '{hidden}'"));
    browser.until(&format!("location.hash === '#{hidden}?theme=dark'"));
    assert_eq!(browser.count(), "9 of 9 shown");
    assert_eq!(browser.evaluate("document.querySelector('.card.here').lastElementChild.id"), json!(hidden));
    // And back in the history, the filters are back.
    browser.evaluate("history.back()");
    browser.until(&format!("location.hash === '{both}'"));
    assert_eq!(browser.shown(), left);
    browser.is_content(&address);

    // A permalink from elsewhere, into a folded section; and addresses that mean nothing here.
    let folded = format!("change-{}", report.documentation[0].fingerprint);
    browser.open(&html, &format!("#{folded}"));
    assert_eq!(browser.evaluate("document.querySelector('.fold').open"), true);
    assert_eq!(browser.evaluate(opened), json!([folded]));
    for nonsense in ["#nowhere", "#?area=%3Dnowhere&old=perhaps&severity=x&theme=pink", "#%%%?%%%", "#?", "#??&&=="] {
        browser.open(&html, nonsense);
        assert_eq!(browser.count(), "9 of 9 shown", "{nonsense}");
        browser.is_content(&address);
    }
}

/// The lowest contrast between a text and what is behind it, and the element it was found at.
const CONTRAST: &str = "(() => {
    const rgb = color => color.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
        .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    let worst = [99, ''];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; node = walker.nextNode();) {
        const element = node.parentElement;
        if (!node.data.trim() || element.closest('script, [hidden]')) continue;
        let behind = element;
        while (behind && (rgb(getComputedStyle(behind).backgroundColor)[3] ?? 1) < 1) behind = behind.parentElement;
        const [a, b] = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor].map(rgb).map(light);
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < worst[0]) worst = [ratio, element.outerHTML.slice(0, 200)];
    }
    return worst;
})()";

#[test]
fn light_and_dark_can_both_be_read() {
    let Some(mut browser) = Browser::start() else { return };
    browser.prefer("light");
    let address = browser.open(&page(&reports::small()), "");
    browser.click("#expand");
    let background = "getComputedStyle(document.documentElement).backgroundColor";
    let button = "document.getElementById('theme').textContent";
    let (light, dark) = ("rgb(255, 255, 255)", "rgb(21, 24, 28)");
    let contrast = |browser: &mut Browser| {
        let worst = browser.evaluate(CONTRAST);
        assert!(worst[0].as_f64().expect("a ratio") >= 4.5, "{worst}");
    };
    assert_eq!(browser.evaluate(background), light);
    assert_eq!(browser.evaluate(button), "Dark theme");
    contrast(&mut browser);
    browser.prefer("dark");
    assert_eq!(browser.evaluate(background), dark);
    // The page hears of it with the next frame.
    browser.until(&format!("{button} === 'Light theme'"));
    contrast(&mut browser);
    browser.click("#theme");
    assert_eq!(browser.evaluate(background), light);
    assert_eq!(browser.evaluate(button), "Dark theme");
    browser.click("#theme");
    assert_eq!(browser.evaluate(background), dark);
    assert_eq!(browser.evaluate("document.documentElement.dataset.theme === undefined"), true);
    browser.prefer("light");
    assert_eq!(browser.evaluate(background), light);
    browser.until(&format!("{button} === 'Dark theme'"));
    // Everything that can be operated has a name.
    let nameless = "Array.from(document.querySelectorAll('input, select, button')).filter(control =>
        !control.textContent.trim() && !(control.labels && control.labels[0].textContent.trim())).length";
    assert_eq!(browser.evaluate(nameless), 0);
    browser.is_content(&address);
}

#[test]
fn no_width_scrolls_sideways() {
    let Some(mut browser) = Browser::start() else { return };
    let chain = [reports::small(), reports::hostile_report(), reports::empty()];
    let pages = [
        page(&reports::small()),
        page(&reports::hostile_report()),
        page(&reports::empty()),
        html_chain("A chain", &chain).expect("a page"),
        page(&real(previous(newest()), newest())),
    ];
    for (number, html) in pages.iter().enumerate() {
        let address = browser.open(html, "");
        for (width, mobile) in [(320, true), (390, true), (768, false), (1280, false)] {
            browser.resize(width, 800, mobile);
            for id in ["expand", "collapse"] {
                browser.evaluate(&format!("document.getElementById('{id}')?.click()"));
                assert_eq!(browser.overflow(), 0, "page {number} at {width}, {id}");
            }
        }
        browser.is_content(&address);
    }
}

#[test]
fn hostile_strings_are_text_in_the_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let report = reports::hostile_report();
    let chain = html_chain(&reports::hostile("title"), &[report.clone(), report.clone()]).expect("a page");
    for html in [page(&report), chain] {
        let address = browser.open(&html, "");
        browser.click("#expand");
        // Filters work with whatever an area is called.
        let area = text(&browser.evaluate("document.querySelectorAll('#area option')[1].value"));
        browser.choose("area", &area);
        let cards = browser.shown().len();
        assert!(cards == 3 || cards == 6, "{cards}");
        browser.search("<script>");
        assert_eq!(browser.shown().len(), cards);
        let count = |browser: &mut Browser, selector: &str| {
            browser.evaluate(&format!("document.querySelectorAll({}).length", json!(selector)))
        };
        assert_eq!(count(&mut browser, "script"), 1);
        assert_eq!(count(&mut browser, "style"), 1);
        assert_eq!(count(&mut browser, "form"), 1);
        assert_eq!(count(&mut browser, "img, iframe, object, embed, svg, math, base, textarea, b, template"), 0);
        assert_eq!(count(&mut browser, "a:not([href^='#'])"), 0);
        let handlers = "Array.from(document.querySelectorAll('*')).flatMap(element => element.getAttributeNames())
            .filter(name => name.startsWith('on') || name === 'style' || name === 'autofocus')";
        assert_eq!(browser.evaluate(handlers), json!(["style"]), "the script sets the height of the bar");
        assert_eq!(browser.evaluate("document.documentElement.hasAttribute('style')"), true);
        assert_eq!(browser.evaluate("typeof window.pwned"), "undefined");
        // And all of it is there to be read, with what cannot be seen spelled out.
        let body = text(&browser.evaluate("document.body.textContent"));
        for name in [
            "OLD name",
            "OLD file",
            "OLD read as",
            "OLD correction",
            "NEW name",
            "NEW file",
            "NEW read as",
            "NEW correction",
            "assumption",
            "wire rule",
            "area",
            "wire path",
            "wire message",
            "wire reason",
            "wire before",
            "wire after",
            "wire note",
            "wire old capability",
            "wire old reason",
            "wire new capability",
            "wire new reason",
            "wire place 0",
            "wire place 9",
            "wire old pointer 0",
            "wire new pointer 9",
            "words path",
            "words message",
            "words before",
            "schema path",
            "schema message",
            "ignored rule",
            "ignored path",
            "ignored reason",
            "ignored expires",
            "warning",
            "type",
            "type area",
            "type before",
            "type after",
            "summary old capability",
            "summary old reason",
            "summary new capability",
            "summary new reason",
        ] {
            let shown = match name.contains(" path") || name.contains(" place") {
                // What is hostile in a path is spelled out there.
                true => Path::of(reports::hostile(name)).to_string(),
                false => reports::hostile(name),
            };
            let shown = shown
                .replace('\u{2028}', "\\u{2028}")
                .replace('\u{2029}', "\\u{2029}")
                .replace('\u{202e}', "\\u{202e}")
                .replace('\0', "\\u{0}")
                .replace('\u{feff}', "\\u{feff}");
            assert!(body.contains(&shown), "{name}");
        }
        browser.is_content(&address);
    }
}

#[test]
fn without_script_and_on_paper_everything_is_there() {
    let Some(mut browser) = Browser::start() else { return };
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    let report = reports::small();
    let html = page(&report);
    let address = browser.open(&html, "");
    let visible =
        "Array.from(document.querySelectorAll('SELECTOR')).filter(element => element.checkVisibility()).length";
    let count = |browser: &mut Browser, selector: &str| browser.evaluate(&visible.replace("SELECTOR", selector));
    assert_eq!(count(&mut browser, "#bar, #theme, #nothing"), 0);
    assert_eq!(count(&mut browser, ".area .card > summary"), 9);
    assert_eq!(count(&mut browser, ".body"), 0);
    // The browser itself opens what an anchor is in.
    browser.open(&html, &format!("#change-{}", report.documentation[0].fingerprint));
    assert_eq!(count(&mut browser, ".fold .card .body"), 1);
    browser.open(&html, "");
    browser.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
    assert_eq!(count(&mut browser, ".card .body"), 12);
    assert_eq!(count(&mut browser, ".type .body"), 4);
    assert_eq!(count(&mut browser, ".places li"), 11 + 10);
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": false}));
    browser.is_content(&address);
}

#[test]
fn a_chain_has_a_section_for_each_pair_and_filters_for_all() {
    let Some(mut browser) = Browser::start() else { return };
    let chain = html_chain("Three", &[reports::small(), reports::empty(), reports::small()]).expect("a page");
    let address = browser.open(&chain, "");
    assert_eq!(browser.evaluate("document.title"), "Three");
    assert_eq!(browser.evaluate("document.querySelectorAll('.overview tbody tr').length"), 3);
    assert_eq!(browser.evaluate("document.querySelectorAll('.summary').length"), 3);
    assert_eq!(browser.count(), "18 of 18 shown");
    browser.choose("area", "=elicitation");
    assert_eq!(browser.count(), "4 of 18 shown");
    // The same change in another pair has another anchor, and types are those of the pair.
    browser.click("#area");
    browser.evaluate("location.hash = 'type-Tool~2'");
    browser.until("document.querySelector('.type.here')");
    let to = browser.evaluate("document.querySelector('.here .links a').hash");
    assert_eq!(to, json!(format!("#change-{}~2", reports::small().changes[3].fingerprint)));
    browser.is_content(&address);
}
