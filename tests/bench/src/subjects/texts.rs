//! Params, results and errors.

use std::fmt::Write;

pub(super) const CALL: &str = concat!(
    r#"{"name":"search_issues","arguments":{"query":"is:open label:bug parser","repository":"example/project","#,
    r#""limit":50,"include_closed":false,"labels":["bug","parser","help wanted"],"sort":{"by":"updated","order":"desc"}}}"#
);

pub(super) const CALL_META: &str = concat!(
    r#"{"_meta":{"progressToken":"call-7","vendor.example/trace":"4bf92f3577b34da6a3ce929d0e0e4736"},"#,
    r#""name":"search_issues","arguments":{"query":"is:open label:bug parser","repository":"example/project","#,
    r#""limit":50,"include_closed":false,"labels":["bug","parser","help wanted"],"sort":{"by":"updated","order":"desc"}}}"#
);

pub(super) const PROGRESS: &str =
    r#"{"progressToken":"call-7","progress":50,"total":200,"message":"Read 50 of 200 files"}"#;

pub(super) const SMALL: &str =
    r#"{"content":[{"type":"text","text":"22 degrees and light rain in Hamburg"}],"isError":false}"#;

pub(super) const ERROR: &str = concat!(
    r#"{"code":-32602,"message":"Unknown tool: search_issue","#,
    r#""data":{"tool":"search_issue","similar":["search_issues","search_pulls"],"retryable":false}}"#
);

/// The params of an elicitation: two fields of each primitive kind and of each kind of choice.
pub(super) fn form() -> String {
    let kinds = [
        r#"{"type":"string","title":"Name","description":"As it is on the invoice","minLength":1,"maxLength":80}"#,
        r#"{"type":"string","title":"Mail","format":"email","default":"someone@example.com"}"#,
        r#"{"type":"string","title":"Day","description":"When it shall start","format":"date"}"#,
        r#"{"type":"integer","title":"Seats","minimum":1,"maximum":500,"default":5}"#,
        r#"{"type":"number","title":"Discount","description":"Between 0 and 1","minimum":0,"maximum":1}"#,
        r#"{"type":"boolean","title":"Newsletter","description":"Once a month","default":false}"#,
        r#"{"type":"string","title":"Plan","enum":["free","team","company"],"default":"team"}"#,
        concat!(
            r#"{"type":"string","title":"Region","oneOf":[{"const":"eu","title":"Europe"},"#,
            r#"{"const":"us","title":"North America"},{"const":"ap","title":"Asia and Pacific"}]}"#
        ),
        concat!(
            r#"{"type":"array","title":"Topics","minItems":1,"maxItems":3,"#,
            r#""items":{"type":"string","enum":["news","offers","security"]},"default":["security"]}"#
        ),
        concat!(
            r#"{"type":"array","title":"Days","items":{"anyOf":[{"const":"mo","title":"Monday"},"#,
            r#"{"const":"tu","title":"Tuesday"},{"const":"we","title":"Wednesday"}]}}"#
        ),
    ];
    let fields: Vec<String> =
        (0..20).map(|index| format!(r#""field_{index:02}":{}"#, kinds[index % kinds.len()])).collect();
    format!(
        concat!(
            r#"{{"mode":"form","message":"A few questions before the subscription starts","requestedSchema":"#,
            r#"{{"type":"object","properties":{{{}}},"required":["field_00","field_01","field_06"]}}}}"#
        ),
        fields.join(",")
    )
}

pub(super) fn tools() -> String {
    let tools = repeat(100, |index| {
        format!(
            concat!(
                r#"{{"name":"tool_{0:03}","title":"Tool number {0}","description":"Searches part {0} of the archive for a"#,
                r#" phrase and returns the passages around it.","inputSchema":{{"type":"object","properties":{{"#,
                r#""query":{{"type":"string","description":"What to look for"}},"#,
                r#""limit":{{"type":"integer","minimum":1,"maximum":100}},"#,
                r#""path":{{"type":"string","description":"Where to start"}}}},"#,
                r#""required":["query"]}},"annotations":{{"readOnlyHint":true,"openWorldHint":false}}}}"#
            ),
            index
        )
    });
    format!(r#"{{"tools":[{tools}],"nextCursor":"page-2"}}"#)
}

pub(super) fn resources() -> String {
    let resources = repeat(500, |index| {
        format!(
            concat!(
                r#"{{"uri":"file:///home/project/docs/chapter-{0:03}.md","name":"chapter-{0:03}.md","title":"Chapter {0}","#,
                r#""description":"What the manual says about part {0}, with examples","mimeType":"text/markdown","#,
                r#""size":{1},"annotations":{{"audience":["user","assistant"],"priority":0.5,"#,
                r#""lastModified":"2026-03-01T12:00:00Z"}}}}"#
            ),
            index,
            index * 37 + 1024
        )
    });
    format!(r#"{{"resources":[{resources}],"nextCursor":"page-2"}}"#)
}

/// Text blocks as a vendor extends them.
pub(super) fn unknown() -> String {
    let blocks = repeat(200, |index| {
        format!(
            concat!(
                r#"{{"type":"text","text":"Passage {0}: the parser stops at the first bracket that nobody closes.","#,
                r#""vendor.example/source":"archive/part-{0:03}.txt","vendor.example/span":{{"from":{1},"to":{2}}}}}"#
            ),
            index,
            index * 80,
            index * 80 + 72
        )
    });
    format!(r#"{{"content":[{blocks}],"isError":false}}"#)
}

/// A tool's structured answer of about so many bytes, with a short text beside it.
pub(super) fn structured(bytes: usize) -> String {
    format!(
        r#"{{"content":[{{"type":"text","text":"Readings of three stations"}}],"structuredContent":{},"isError":false}}"#,
        readings(bytes)
    )
}

/// A tool's answer of 1 MB as the specification recommends it: structured, and the same as text.
pub(super) fn both() -> String {
    let structured = readings(MEGABYTE / 11 * 5);
    let mut text = String::with_capacity(MEGABYTE);
    for letter in structured.chars() {
        if letter == '"' || letter == '\\' {
            text.push('\\');
        }
        text.push(letter);
    }
    format!(r#"{{"content":[{{"type":"text","text":"{text}"}}],"structuredContent":{structured},"isError":false}}"#)
}

/// An object of about so many bytes: objects and arrays in each other, decimals, integers and strings.
fn readings(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 1000);
    text += r#"{"stations":["north","south","harbour"],"unit":{"temperature":"C","pressure":"hPa"},"readings":["#;
    let mut index: u64 = 0;
    while text.len() < bytes {
        if index > 0 {
            text.push(',');
        }
        // Numbers that look alike nowhere, and the same ones in every run.
        let number = index.wrapping_mul(2_654_435_761) % 1_000_003;
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            concat!(
                r#"{{"time":"2026-03-{:02}T{:02}:{:02}:00Z","station":{{"id":"st-{:04}","name":"Station \"{}\"","#,
                r#""position":[{}.{:04},{}.{:04}]}},"temperature":{}.{},"pressure":{}.{:02},"humidity":0.{:03},"#,
                r#""wind":{{"speed":{}.{},"direction":{},"gusts":[{}.5,{}.25,{}.125]}},"#,
                r#""tags":["outdoor","calibrated"],"is_valid":true,"note":null,"count":{}}}"#
            ),
            index % 28 + 1,
            index % 24,
            number % 60,
            index % 10_000,
            number % 100,
            number % 90,
            number % 10_000,
            number % 180,
            (number * 7) % 10_000,
            number % 40,
            number % 9 + 1,
            number % 100 + 950,
            number % 99 + 1,
            number % 899 + 100,
            number % 30,
            number % 8 + 1,
            number % 360,
            number % 20,
            number % 25,
            number % 30,
            number,
        );
        index += 1;
    }
    text + "]}"
}

/// 100 kB of source code: newlines, tabs, quotes and backslashes, one of them every 10 to 20 characters.
pub(super) fn source() -> String {
    let lines = concat!(
        r#"\tlet settings = load_settings(\"settings.toml\", Mode::Strict)\n"#,
        r#"\t.with_context(|| format!(\"cannot read {path} of the project\"))?;\n"#,
        r#"\tfor line in settings.text.split('\\n').map(str::trim_end) {\n"#,
        r#"\tif line.starts_with(\"include \\\"\") && !included.contains(line) {\n"#,
        r#"\tincluded.push(line.trim_start().to_owned());\n"#,
        r#"\tlet is_complete = included.iter().all(|name| name.ends_with(\".toml\"));\n"#,
    );
    format!(r#"{{"content":[{{"type":"text","text":"{}"}}],"isError":false}}"#, lines.repeat(100_000 / lines.len() + 1))
}

const MEGABYTE: usize = 1 << 20;

/// Lines of prose, with the escapes that lines need.
pub(super) fn prose() -> String {
    let line = r#"The quick brown fox jumps over the lazy dog while nobody is \"watching\" the river.\n"#;
    let text = line.repeat(MEGABYTE / line.len() + 1);
    format!(r#"{{"content":[{{"type":"text","text":"{text}"}}],"isError":false}}"#)
}

/// Lines of Chinese, three bytes a character.
pub(super) fn chinese() -> String {
    let line = concat!(
        r#"天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。寒来暑往，秋收冬藏。闰余成岁，律吕调阳。云腾致雨，露结为霜。"#,
        r#"金生丽水，玉出昆冈。\n"#
    );
    let text = line.repeat(MEGABYTE / line.len() + 1);
    format!(r#"{{"content":[{{"type":"text","text":"{text}"}}],"isError":false}}"#)
}

pub(super) fn blob() -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let blob: String = (0..MEGABYTE).map(|index| char::from(alphabet[index * 7 % 64])).collect();
    format!(
        r#"{{"contents":[{{"uri":"file:///data/archive.bin","mimeType":"application/octet-stream","blob":"{blob}"}}]}}"#
    )
}

/// So many of them, separated by commas.
fn repeat(count: usize, make: impl Fn(usize) -> String) -> String {
    (0..count).map(make).collect::<Vec<_>>().join(",")
}
