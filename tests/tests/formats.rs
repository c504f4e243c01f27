//! The formats give the verdicts of `jsonschema` and `base64`, on chosen and on generated text.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jsonschema::{Draft, Validator};
use mcp_wire_core::__private::{is_base64, is_uri, is_uri_template};
use serde_json::{Value, json};

const FUZZ_CASES: usize = 400_000;

/// A format of `jsonschema` under the two drafts that MCP schemas are written in.
struct Reference([Validator; 2]);

impl Reference {
    fn new(format: &str) -> Self {
        Self([Draft::Draft7, Draft::Draft202012].map(|draft| {
            jsonschema::options()
                .with_draft(draft)
                .should_validate_formats(true)
                .build(&json!({ "type": "string", "format": format }))
                .unwrap()
        }))
    }

    fn verdict(&self, text: &str) -> bool {
        let value = Value::from(text);
        let [draft7, draft2020] = self.0.each_ref().map(|validator| validator.is_valid(&value));
        assert_eq!(draft7, draft2020, "the drafts disagree on {text:?}");
        draft7
    }
}

fn base64_verdict(text: &str) -> bool {
    STANDARD.decode(text).is_ok()
}

fn check_table(cases: &[(&str, bool)], ours: impl Fn(&str) -> bool, reference: impl Fn(&str) -> bool) {
    let distinct: HashSet<_> = cases.iter().map(|(text, _)| text).collect();
    assert!(distinct.len() >= 80, "only {} cases", distinct.len());
    for (text, expected) in cases {
        assert_eq!(reference(text), *expected, "reference on {text:?}");
        assert_eq!(ours(text), *expected, "ours on {text:?}");
    }
}

#[test]
fn chosen_uris() {
    let reference = Reference::new("uri");
    check_table(URIS, is_uri, |text| reference.verdict(text));
}

#[test]
fn chosen_uri_templates() {
    let reference = Reference::new("uri-template");
    check_table(URI_TEMPLATES, is_uri_template, |text| reference.verdict(text));
}

#[test]
fn chosen_base64() {
    check_table(BASE64, is_base64, base64_verdict);
}

/// One bad byte is found wherever it is in a long text, on either side of a block boundary.
#[test]
fn long_base64() {
    let good = STANDARD.encode(vec![0xa5; 750_000]);
    assert_eq!(good.len(), 1_000_000);
    assert!(is_base64(&good));
    for at in [0, 1, 63, 255, 256, 257, 499_999, 999_995, 999_996, 999_999] {
        for bad in ["-", "=", "\n", "\0"] {
            let mut text = good.clone();
            text.replace_range(at..=at, bad);
            assert_eq!(is_base64(&text), base64_verdict(&text), "{bad:?} at {at}");
        }
    }
}

/// Every character alone, and between two parts of an otherwise valid text.
#[test]
fn every_character() {
    let uri = Reference::new("uri");
    let template = Reference::new("uri-template");
    for character in '\0'..=char::MAX {
        // From the third plane on, characters near the boundaries of ranges are enough.
        if character > '\u{1ffff}' && !matches!(character as u32 & 0xfff, 0 | 1 | 0xffd..) {
            continue;
        }
        for text in [
            format!("{character}"),
            format!("a{character}b"),
            format!("a{character}:b"),
            format!("a:{character}"),
            format!("a://{character}"),
            format!("a://{character}@b"),
            format!("a://[v1.{character}]"),
            format!("a://[::{character}]"),
            format!("a://b:{character}"),
            format!("a:?{character}"),
            format!("a:#{character}"),
            format!("{{{character}}}"),
            format!("{{{character}b}}"),
            format!("{{a{character}}}"),
            format!("{{a{character}b}}"),
            format!("{{a:{character}}}"),
            format!("%4{character}"),
            format!("{{%{character}4}}"),
        ] {
            assert_eq!(is_uri(&text), uri.verdict(&text), "{text:?}");
            assert_eq!(is_uri_template(&text), template.verdict(&text), "{text:?}");
        }
        for text in [
            format!("{character}"),
            format!("AAA{character}"),
            format!("AA{character}A"),
            format!("AA{character}="),
            format!("A{character}=="),
            format!("{character}A=="),
            format!("AA{character}AAAAA"),
        ] {
            assert_eq!(is_base64(&text), base64_verdict(&text), "{text:?}");
        }
    }
}

#[test]
fn generated_uris() {
    let reference = Reference::new("uri");
    let pieces = [
        "a", "Z", "f", "v", "0", "1", "9", "g", "-", ".", "_", "~", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";",
        "=", ":", "::", ":::", "/", "//", "?", "#", "[", "]", "@", "%", "%4", "%41", "%zz", "%eF", " ", "\t", "\n",
        "\0", "\u{7f}", "\"", "<", ">", "\\", "^", "`", "{", "|", "}", "é", "日", "\u{80}", "\u{e000}", "😀", "[::1]",
        "[v1.a]", "1.2.3.4", ":8080", "ffff:", ":0", "256", "01",
    ];
    fuzz(1, &accepted(URIS), &pieces, is_uri, |text| reference.verdict(text));
}

#[test]
fn generated_uri_templates() {
    let reference = Reference::new("uri-template");
    let pieces = [
        "a", "Z", "f", "0", "1", "9", "_", "-", ".", "..", "~", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=",
        ":", ":1", ":0", ":9999", ":10000", "/", "?", "#", "[", "]", "@", "%", "%4", "%41", "%zz", "%eF", " ", "\t",
        "\n", "\0", "\u{7f}", "\"", "<", ">", "\\", "^", "`", "{", "|", "}", "{}", "{a}", "{+", "{?", "{a,", "é", "日",
        "\u{80}", "\u{e000}", "\u{fffe}", "😀",
    ];
    fuzz(2, &accepted(URI_TEMPLATES), &pieces, is_uri_template, |text| reference.verdict(text));
}

#[test]
fn generated_base64() {
    let pieces = [
        "A", "B", "E", "Q", "Z", "a", "c", "g", "w", "z", "0", "4", "9", "+", "/", "=", "==", "===", "-", "_", " ",
        "\n", "\r\n", "\t", "\0", "\u{7f}", ".", "@", "[", "`", "{", ":", "é", "日", "AAAA", "AA==", "AAA=",
    ];
    // Encodings up to a length that needs two blocks join the chosen texts.
    let mut random = Random(0x5eed);
    let encoded: Vec<String> =
        (0..250_usize).map(|length| STANDARD.encode((0..length).map(|_| random.byte()).collect::<Vec<_>>())).collect();
    let mut seeds = accepted(BASE64);
    seeds.extend(encoded.iter().map(String::as_str));
    fuzz(3, &seeds, &pieces, is_base64, base64_verdict);
}

fn accepted<'a>(cases: &[(&'a str, bool)]) -> Vec<&'a str> {
    cases.iter().filter_map(|(text, valid)| valid.then_some(*text)).collect()
}

/// Compares verdicts on valid texts after up to five edits each.
fn fuzz(seed: u64, valid: &[&str], pieces: &[&str], ours: impl Fn(&str) -> bool, reference: impl Fn(&str) -> bool) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ seed);
    let mut texts = HashSet::new();
    let (mut compared, mut accepted) = (0_usize, 0_usize);
    while compared < FUZZ_CASES {
        let mut text: Vec<char> = random.pick(valid).chars().collect();
        for _ in 0..=random.below(5) {
            edit(&mut text, &mut random, valid, pieces);
        }
        let text: String = text.iter().collect();
        if texts.contains(&text) {
            continue;
        }
        let expected = reference(&text);
        assert_eq!(ours(&text), expected, "{text:?}");
        compared += 1;
        accepted += usize::from(expected);
        texts.insert(text);
    }
    assert_eq!(compared, FUZZ_CASES);
    assert_eq!(texts.len(), FUZZ_CASES, "every text compared is a new one");
    // Agreement says little when nearly all texts have the same verdict.
    println!("{accepted} of {compared} accepted");
    assert!(accepted > FUZZ_CASES / 50, "{accepted} accepted");
    assert!(accepted < FUZZ_CASES / 10 * 9, "{accepted} accepted");
}

fn edit(text: &mut Vec<char>, random: &mut Random, valid: &[&str], pieces: &[&str]) {
    let at = random.below(text.len() + 1);
    let end = (at + random.below(5)).min(text.len());
    match random.below(8) {
        0..=2 => drop(text.splice(at..at, random.pick(pieces).chars())),
        3 | 4 => drop(text.splice(at..(at + 1).min(text.len()), random.pick(pieces).chars())),
        5 => drop(text.drain(at..end)),
        6 => {
            let copied = text[at..end].to_vec();
            let to = random.below(text.len() + 1);
            text.splice(to..to, copied);
        }
        _ => {
            let other: Vec<char> = random.pick(valid).chars().collect();
            let from = random.below(other.len() + 1);
            text.truncate(at);
            text.extend(&other[from..]);
        }
    }
}

/// The xorshift64* generator; the seed must not be zero.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn byte(&mut self) -> u8 {
        self.next().to_be_bytes()[0]
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from((self.next() >> 33) % limit as u64).unwrap()
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }
}

#[rustfmt::skip]
const URIS: &[(&str, bool)] = &[
    // Schemes.
    ("", false),
    (":", false),
    ("a", false),
    ("a:", true),
    ("A+-.9:", true),
    ("1a:b", false),
    ("+a:b", false),
    ("a_b:c", false),
    ("a%41:b", false),
    ("é:b", false),
    (" a:b", false),
    ("a :b", false),
    ("a:b:c", true),
    // Relative references.
    ("/path", false),
    ("//host/path", false),
    ("path/a:b", false),
    ("?query", false),
    ("#fragment", false),
    ("./a:b", false),
    // Paths.
    ("a:/", true),
    ("a:/b", true),
    ("a:b/c//d/", true),
    ("a:/b//c", true),
    ("a:.", true),
    ("a:@:!$&'()*+,;=-._~", true),
    ("a:[b]", false),
    ("a:b]", false),
    ("a:b\\c", false),
    ("a:b|c", false),
    ("a:b^c", false),
    ("a:b`c", false),
    ("a:{b}", false),
    ("a:<b>", false),
    ("a:\"b\"", false),
    // Well-known schemes.
    ("file:///", true),
    ("file:///etc/hosts", true),
    ("file:///C:/Program%20Files/x.txt", true),
    ("file:///C:/Program Files/x.txt", false),
    ("file://localhost/etc", true),
    ("file:C:\\x", false),
    ("urn:isbn:0451450523", true),
    ("urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", true),
    ("urn:example:a?+b?=c#d", true),
    ("data:,", true),
    ("data:text/plain;base64,SGVsbG8=", true),
    ("data:text/plain,hello world", false),
    ("data:text/plain,hello%20world", true),
    ("mailto:John.Doe@example.com", true),
    ("tel:+1-816-555-1212", true),
    ("ldap://[2001:db8::7]/c=GB?objectClass?one", true),
    ("news:comp.infosystems.www.servers.unix", true),
    ("test://static/resource/1", true),
    ("https://example.com/a?b=c&d=e/f?g#h/i?j", true),
    // Hosts and ports.
    ("a://", true),
    ("a://?q", true),
    ("a://#f", true),
    ("a:///b", true),
    ("a:////b", true),
    ("a://b", true),
    ("a://b:", true),
    ("a://b:80", true),
    ("a://b:80/", true),
    ("a://b:080", true),
    ("a://b:99999999999999999999", true),
    ("a://:80", true),
    ("a://:", true),
    ("a://::", false),
    ("a://b:80:80", false),
    ("a://b:8a", false),
    ("a://b:-1", false),
    ("a://b:%31", false),
    ("a://b:80a/", false),
    ("a://b: 80", false),
    ("a://127.0.0.1:1/x", true),
    ("a://999.1.2.3.4", true),
    ("a://b_c!$&'()*+,;=~d", true),
    ("a://b%2Fc", true),
    ("a://b|c", false),
    ("a://b\\c", false),
    ("a://日本", false),
    ("a://b?c", true),
    ("a://b#c", true),
    // Userinfo.
    ("a://u@b", true),
    ("a://u:p@b:1", true),
    ("a://u:p:q@b", true),
    ("a://:@b", true),
    ("a://::@b", true),
    ("a://@b", true),
    ("a://@", true),
    ("a://@:", true),
    ("a://u:80@", true),
    ("a://u:80x@b:80", true),
    ("a://u@v@b", false),
    ("a://u@b:x", false),
    ("a://u@b:1@c", false),
    ("a://u/v@b", true),
    ("a://u%40v@b", true),
    ("a://u%4@b", false),
    ("a://[u]@b", false),
    ("a://u@[::1]:80/", true),
    ("a://u@[::1]x", false),
    ("a://é@b", false),
    // IP literals.
    ("a://[::]", true),
    ("a://[::1]", true),
    ("a://[1::]", true),
    ("a://[::1]:", true),
    ("a://[::1]:80?q", true),
    ("a://[::1]:80x", false),
    ("a://[::1]80", false),
    ("a://[::1]:80@b", false),
    ("a://[::1]@b", false),
    ("a://[::1]/x", true),
    ("a://[::1", false),
    ("a://::1]", false),
    ("a://[[::1]]", false),
    ("a://[]", false),
    ("a://[", false),
    ("a://]", false),
    ("a://[:]", false),
    ("a://[:::]", false),
    ("a://[:1]", false),
    ("a://[1:]", false),
    ("a://[::1:]", false),
    ("a://[:1::]", false),
    ("a://[1:2:3:4:5:6:7:8]", true),
    ("a://[1:2:3:4:5:6:7]", false),
    ("a://[1:2:3:4:5:6:7:8:9]", false),
    ("a://[1:2:3:4:5:6:7::]", true),
    ("a://[::2:3:4:5:6:7:8]", true),
    ("a://[1:2:3::5:6:7:8]", true),
    ("a://[1:2:3:4:5:6:7:8::]", false),
    ("a://[::1:2:3:4:5:6:7:8]", false),
    ("a://[1:2:3:4::5:6:7:8]", false),
    ("a://[1::2::3]", false),
    ("a://[1:::2]", false),
    ("a://[FFFF:abcd::0001]", true),
    ("a://[12345::]", false),
    ("a://[g::]", false),
    ("a://[::1.2.3.4]", true),
    ("a://[::ffff:255.255.255.255]", true),
    ("a://[1:2:3:4:5:6:1.2.3.4]", true),
    ("a://[1:2:3:4:5::1.2.3.4]", true),
    ("a://[::2:3:4:5:6:1.2.3.4]", true),
    ("a://[1:2:3:4:5:6::1.2.3.4]", false),
    ("a://[1:2:3:4:5:6:7:1.2.3.4]", false),
    ("a://[1:2:3:4:5:1.2.3.4]", false),
    ("a://[1.2.3.4]", false),
    ("a://[1.2.3.4::]", false),
    ("a://[::1.2.3.4:5]", false),
    ("a://[::1.2.3]", false),
    ("a://[::1.2.3.4.5]", false),
    ("a://[::256.2.3.4]", false),
    ("a://[::01.2.3.4]", false),
    ("a://[::1.2.3.00]", false),
    ("a://[::a.2.3.4]", false),
    ("a://[::1%25eth0]", false),
    ("a://[::1%eth0]", false),
    ("a://[::%31]", false),
    ("a://[:: 1]", false),
    ("a://[::é]", false),
    ("a://[v1.a]", true),
    ("a://[V1.a]", true),
    ("a://[vFf9.~!$&'()*+,;=:-._]:1", true),
    ("a://[v.a]", false),
    ("a://[v1.]", false),
    ("a://[v1]", false),
    ("a://[vg.a]", false),
    ("a://[v1.a@b]", false),
    ("a://[v1.%41]", false),
    ("a://[v1.a", false),
    ("a://[v1.a/b]", false),
    ("a://[v1.é]", false),
    // Queries and fragments.
    ("a:?", true),
    ("a:#", true),
    ("a:?#", true),
    ("a:?b?c/d:e@f", true),
    ("a:#b?c/d:e@f", true),
    ("a:#b#c", false),
    ("a:?b[c]", false),
    ("a:#b[c]", false),
    ("a:?b c", false),
    ("a:?é", false),
    ("a:#é", false),
    ("a:#%C3%A9", true),
    // Percent escapes.
    ("a:%", false),
    ("a:%4", false),
    ("a:%41", true),
    ("a:%aF", true),
    ("a:%zz", false),
    ("a:%4g", false),
    ("a:%%41", false),
    ("a:%00", true),
    ("a:?%", false),
    ("a:?%ff", true),
    ("a:#%f", false),
    ("a://%", false),
    ("a://%ff:1", true),
    // Non-ASCII, spaces and control characters.
    ("a:é", false),
    ("a:😀", false),
    ("a:\u{80}", false),
    ("a:\0", false),
    ("a:\n", false),
    ("a:b\r\n", false),
    ("a:\t", false),
    ("a:\u{7f}", false),
    ("a:b ", false),
    ("\u{feff}a:b", false),
];

#[rustfmt::skip]
const URI_TEMPLATES: &[(&str, bool)] = &[
    // Literals.
    ("", true),
    ("/", true),
    ("http://example.com/a?b=c#d", true),
    ("a:b@[c]!$&()*+,;=-._~", true),
    ("a'b", true),
    ("a b", false),
    (" ", false),
    ("a\"b", false),
    ("a<b", false),
    ("a>b", false),
    ("a\\b", false),
    ("a^b", false),
    ("a`b", false),
    ("a|b", false),
    ("a\tb", false),
    ("a\nb", false),
    ("\0", false),
    ("\u{1f}", false),
    ("\u{7f}", false),
    ("é日😀", true),
    ("\u{e000}", true),
    ("\u{f0000}", true),
    ("\u{10fffd}", true),
    ("%41", true),
    ("%c3%A9", true),
    ("%", false),
    ("%4", false),
    ("%4g", false),
    ("%%41", false),
    ("100%", false),
    ("%{a}", false),
    ("%4{a}", false),
    // Literals outside ucschar and iprivate, which RFC 6570 refuses.
    ("\u{80}", true),
    ("\u{9f}", true),
    ("\u{fdd0}", true),
    ("\u{fff0}", true),
    ("\u{fffd}", true),
    ("\u{fffe}", true),
    ("\u{1ffff}", true),
    ("\u{e0001}", true),
    ("\u{10ffff}", true),
    // Operators.
    ("{a}", true),
    ("{+a}", true),
    ("{#a}", true),
    ("{.a}", true),
    ("{/a}", true),
    ("{;a}", true),
    ("{?a}", true),
    ("{&a}", true),
    ("{=a}", true),
    ("{,a}", true),
    ("{!a}", true),
    ("{@a}", true),
    ("{|a}", true),
    ("{$a}", false),
    ("{-a}", false),
    ("{~a}", false),
    ("{*a}", false),
    ("{:a}", false),
    ("{'a}", false),
    ("{(a)}", false),
    ("{++a}", false),
    ("{?&a}", false),
    ("{+}", false),
    ("{?}", false),
    ("{,}", false),
    ("{.}", false),
    // Modifiers.
    ("{a*}", true),
    ("{?a*,b*}", true),
    ("{a**}", false),
    ("{a*b}", false),
    ("{a*.b}", false),
    ("{a:1}", true),
    ("{a:10}", true),
    ("{a:100}", true),
    ("{a:9999}", true),
    ("{a:10000}", false),
    ("{a:99999}", false),
    ("{a:0}", false),
    ("{a:01}", false),
    ("{a:}", false),
    ("{a:", false),
    ("{a:1", false),
    ("{a:x}", false),
    ("{a:1x}", false),
    ("{a:-1}", false),
    ("{a:%31}", false),
    ("{a:1*}", false),
    ("{a*:1}", false),
    ("{a:1:2}", false),
    ("{a:3,b:4}", true),
    ("{#path:6}here", true),
    // Variable lists.
    ("{a,b}", true),
    ("{a,b,c:2,d*}", true),
    ("{,a,b}", true),
    ("{,,a}", false),
    ("{a,}", false),
    ("{a,,b}", false),
    ("{a, b}", false),
    ("{a;b}", false),
    ("{?a&b}", false),
    ("{a,+b}", false),
    // Variable names.
    ("{_}", true),
    ("{9}", true),
    ("{A_9z}", true),
    ("{a.b}", true),
    ("{a.b.c*}", true),
    ("{a.b:3}", true),
    ("{.a.b}", true),
    ("{..a}", false),
    ("{a.}", false),
    ("{a..b}", false),
    ("{a.,b}", false),
    ("{a.*}", false),
    ("{a.:1}", false),
    ("{a-b}", false),
    ("{a b}", false),
    ("{ a}", false),
    ("{a }", false),
    ("{a=b}", false),
    ("{a?}", false),
    ("{a/b}", false),
    ("{a+}", false),
    ("{a'}", false),
    ("{%41}", true),
    ("{a%41b}", true),
    ("{a.%c3%A9}", true),
    ("{%41.%42*}", true),
    ("{%}", false),
    ("{%4}", false),
    ("{%4g}", false),
    ("{%zz}", false),
    ("{a%}", false),
    ("{a%4", false),
    ("{%41", false),
    ("{é}", false),
    ("{aé}", false),
    ("{a\n}", false),
    ("{a\0}", false),
    // Braces.
    ("{}", false),
    ("{", false),
    ("}", false),
    ("{a", false),
    ("a}", false),
    ("{a}}", false),
    ("{{a}", false),
    ("{{a}}", false),
    ("{a{b}}", false),
    ("{a}{b}", true),
    ("{a}b}", false),
    ("{a}{", false),
    ("}{", false),
    ("{a}{}", false),
    ("%7Ba%7D", true),
    // Whole templates.
    ("file:///{path}", true),
    ("file:///{+path}", true),
    ("test://template/{id}/data", true),
    ("http://example.com/~{username}/", true),
    ("http://example.com/dictionary/{term:1}/{term}", true),
    ("http://example.com/search{?q,lang}", true),
    ("/{a}/x{.b}{/c*}{;d:5}{?e,f*}{&g}{#h}", true),
    ("users://{user.name}/profile é", false),
];

#[rustfmt::skip]
const BASE64: &[(&str, bool)] = &[
    // Lengths.
    ("", true),
    ("A", false),
    ("AA", false),
    ("AAA", false),
    ("AAAA", true),
    ("AAAAA", false),
    ("AAAAAA", false),
    ("AAAAAAA", false),
    ("AAAAAAAA", true),
    // The test vectors of RFC 4648, section 10, with and without padding.
    ("Zg==", true),
    ("Zm8=", true),
    ("Zm9v", true),
    ("Zm9vYg==", true),
    ("Zm9vYmE=", true),
    ("Zm9vYmFy", true),
    ("Zg", false),
    ("Zg=", false),
    ("Zm8", false),
    ("Zm9vYg", false),
    ("Zm9vYg=", false),
    ("Zm9vYmE", false),
    // The alphabet.
    ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", true),
    ("++++", true),
    ("////", true),
    ("+/==", false),
    ("-_-_", false),
    ("AA-A", false),
    ("AA_A", false),
    ("_w==", false),
    ("-A==", false),
    ("AA.A", false),
    ("AA,A", false),
    ("AA@A", false),
    ("AA[A", false),
    ("AA`A", false),
    ("AA{A", false),
    ("AA:A", false),
    ("AA*A", false),
    ("AA%A", false),
    ("AA\"A", false),
    // Padding in the wrong place or amount.
    ("=", false),
    ("==", false),
    ("===", false),
    ("====", false),
    ("A=", false),
    ("A==", false),
    ("A===", false),
    ("AA==", true),
    ("AA===", false),
    ("AA====", false),
    ("AAA=", true),
    ("AAA==", false),
    ("AAA===", false),
    ("AAAA=", false),
    ("AAAA==", false),
    ("AAAA===", false),
    ("AAAA====", false),
    ("=AAA", false),
    ("A=AA", false),
    ("AA=A", false),
    ("A=A=", false),
    ("=A==", false),
    ("==AA", false),
    ("AA==AAAA", false),
    ("AAA=AAAA", false),
    ("AA==AA==", false),
    ("AAAA=AAA", false),
    ("AAAAAA==", true),
    ("AAAAAAA=", true),
    // Bits after the data.
    ("AB==", false),
    ("AC==", false),
    ("AE==", false),
    ("AI==", false),
    ("AP==", false),
    ("AQ==", true),
    ("AR==", false),
    ("Ag==", true),
    ("Ah==", false),
    ("Aw==", true),
    ("A8==", false),
    ("A/==", false),
    ("/w==", true),
    ("/x==", false),
    ("AAB=", false),
    ("AAC=", false),
    ("AAD=", false),
    ("AAE=", true),
    ("AAF=", false),
    ("AAY=", true),
    ("AAZ=", false),
    ("AAc=", true),
    ("AA8=", true),
    ("AA9=", false),
    ("AA+=", false),
    ("AA/=", false),
    ("//8=", true),
    ("//9=", false),
    ("////AB==", false),
    // Whitespace, control characters and non-ASCII.
    (" ", false),
    ("    ", false),
    (" AAA", false),
    ("AAA ", false),
    ("AAAA ", false),
    (" AAAA", false),
    ("AAAA\n", false),
    ("AAAA\r\n", false),
    ("AAAA\nAAA", false),
    ("AAAA\r\nAAAA", false),
    ("AA\tA", false),
    ("AA=\n", false),
    ("AA==\n", false),
    ("\0\0\0\0", false),
    ("AAA\0", false),
    ("AAA\u{7f}", false),
    ("éé", false),
    ("AAé", false),
    ("😀", false),
    ("日A", false),
    ("\u{feff}A", false),
    ("\u{feff}AAAA", false),
    // Longer than a decoder's fast path.
    ("data:text/plain;base64,Zm9v", false),
    ("VGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZy4=", true),
    ("VGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZy5=", false),
    ("VGhlIHF1aWNrIGJyb3duIGZveC-qdW1wcyBvdmVyIHRoZSBsYXp5IGRvZy4=", false),
    ("VGhlIHF1aWNrIGJyb3duIGZveC=qdW1wcyBvdmVyIHRoZSBsYXp5IGRvZy4=", false),
];
