//! Hostile messages of any size, each as a row of a table.

/// A kind of message, which can be made as large as one likes.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub name: &'static str,
    /// The request that the message answers, if it answers one, as a method and its params.
    pub asked: Option<(&'static str, &'static str)>,
    before: &'static str,
    /// What is repeated, with commas, until the message is large enough. `#` stands for a number that counts.
    item: &'static str,
    after: &'static str,
}

impl Shape {
    /// The message, of about so many bytes. `<LONG>` stands for half of them, `<ALL>` for all of them, `<SHARE>` for as
    /// many as make 900 items of it.
    #[must_use]
    pub fn text(&self, size: usize) -> String {
        let fill = |text: &str| {
            let letters = |count: usize| "a".repeat(count);
            text.replace("<LONG>", &letters(size / 2))
                .replace("<ALL>", &letters(size))
                .replace("<ESCAPES>", &"\\u0001".repeat(size / 6))
                .replace("<DEEP>", &format!("{}{}", "[".repeat(100), "]".repeat(100)))
                .replace("<SHARE>", &letters(size / 900))
        };
        let (mut text, item, after) = (fill(self.before), fill(self.item), fill(self.after));
        for count in 0.. {
            text.push_str(&item.replace('#', &count.to_string()));
            if item.is_empty() || text.len() + after.len() >= size {
                break;
            }
            text.push(',');
        }
        text + &after
    }
}

const fn message(name: &'static str, before: &'static str, item: &'static str, after: &'static str) -> Shape {
    Shape { name, asked: None, before, item, after }
}

const fn answer(
    name: &'static str,
    asked: (&'static str, &'static str),
    before: &'static str,
    item: &'static str,
    after: &'static str,
) -> Shape {
    Shape { name, asked: Some(asked), before, item, after }
}

const CALL: (&str, &str) = ("tools/call", r#"{"name":"n"}"#);
const LIST: (&str, &str) = ("tools/list", "{}");
const PROMPT: (&str, &str) = ("prompts/get", r#"{"name":"n"}"#);
const READ: (&str, &str) = ("resources/read", r#"{"uri":"a:b"}"#);
const RESOURCES: (&str, &str) = ("resources/list", "{}");
const COMPLETE: (&str, &str) =
    ("completion/complete", r#"{"ref":{"type":"ref/prompt","name":"n"},"argument":{"name":"a","value":"v"}}"#);
const SAMPLE: (&str, &str) = ("sampling/createMessage", r#"{"messages":[],"maxTokens":1}"#);
const ROOTS: (&str, &str) = ("roots/list", "{}");

/// The shapes. Both sides of all revisions read all of them: what is no message to one of them is hostile all the same.
pub const SHAPES: &[Shape] = &[
    // Free-form JSON.
    message(
        "arrays in arguments",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"a":["#,
        "[]",
        "]}}}",
    ),
    message(
        "objects in arguments",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"a":["#,
        "{}",
        "]}}}",
    ),
    message(
        "small objects in arguments",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"a":["#,
        r#"{"":0}"#,
        "]}}}",
    ),
    message(
        "deep arguments",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"a":["#,
        "<DEEP>",
        "]}}}",
    ),
    message(
        "tiny strings",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"a":["#,
        "\"\"",
        "]}}}",
    ),
    message(
        "numbers",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"a":["#,
        "1",
        "]}}}",
    ),
    message(
        "arguments by the thousand",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"#,
        r##""k#":1"##,
        "}}}",
    ),
    message(
        "escapes",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"a":"<ESCAPES>"}}}"#,
        "",
        "",
    ),
    message(
        "escapes in a name",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"<ESCAPES>":1}}}"#,
        "",
        "",
    ),
    message(
        "tiny escapes",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"a":["#,
        r#""\n""#,
        "]}}}",
    ),
    // Params that do not fit.
    message(
        "arguments that are a list",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":["#,
        "1",
        "]}}",
    ),
    message("a name that is a list", r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":["#, "1", "]}}"),
    message("params that are a list", r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":["#, "1", "]}"),
    message(
        "params before the method",
        r#"{"jsonrpc":"2.0","params":{"name":["#,
        "[]",
        r#"]},"id":7,"method":"tools/call"}"#,
    ),
    message(
        "unknown members by the thousand",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","#,
        r##""k#":1"##,
        "}}",
    ),
    message(
        "unknown members of the message",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n"},"#,
        r##""k#":1"##,
        "}",
    ),
    message("repeated members", r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"#, r#""name":"n""#, "}}"),
    message(
        "repeated odd members",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","#,
        r#""arguments":1"#,
        "}}",
    ),
    message("repeated members of the message", r#"{"jsonrpc":"2.0","method":"ping","#, r#""id":7"#, "}"),
    message(
        "many keys in _meta",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","_meta":{"#,
        r##""k#":1"##,
        "}}}",
    ),
    message(
        "an odd _meta",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","_meta":["#,
        "1",
        "]}}",
    ),
    message(
        "a long progress token",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","_meta":{"progressToken":"<ALL>"}}}"#,
        "",
        "",
    ),
    message(
        "an odd progress token",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","_meta":{"progressToken":["#,
        "1",
        "]}}}",
    ),
    message(
        "odd input responses",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","inputResponses":{"#,
        r##""k#":1"##,
        "}}}",
    ),
    message(
        "a long name above malformed blocks",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","inputResponses":{"<LONG>":{"role":"user","model":"m","content":["#,
        "1",
        "]}}}}",
    ),
    message(
        "a long name above odd roots",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","inputResponses":{"<LONG>":{"roots":["#,
        "1",
        "]}}}}",
    ),
    message(
        "odd completion arguments",
        r#"{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"n"},"argument":{"name":"a","value":"v"},"context":{"arguments":{"#,
        r##""k#":1"##,
        "}}}}",
    ),
    message(
        "odd prompt arguments",
        r#"{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"n","arguments":{"#,
        r##""k#":1"##,
        "}}}",
    ),
    // Opening.
    message(
        "capabilities with odd values",
        r#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"1","clientInfo":{"name":"n","version":"1"},"capabilities":{"experimental":{"#,
        r##""k#":1"##,
        "}}}}",
    ),
    message(
        "unknown capabilities",
        r#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"1","clientInfo":{"name":"n","version":"1"},"capabilities":{"#,
        r##""k#":{}"##,
        "}}}",
    ),
    message(
        "odd icons",
        r#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"1","capabilities":{},"clientInfo":{"name":"n","version":"1","icons":["#,
        "{}",
        "]}}}",
    ),
    // What a server asks.
    message(
        "numbers for sampling messages",
        r#"{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":["#,
        "1",
        "]}}",
    ),
    message(
        "nulls for sampling messages",
        r#"{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":["#,
        "null",
        "]}}",
    ),
    message(
        "objects for sampling messages",
        r#"{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":["#,
        "{}",
        "]}}",
    ),
    message(
        "sampling messages without content",
        r#"{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":["#,
        r#"{"role":"user"}"#,
        "]}}",
    ),
    message(
        "odd sampling messages",
        r#"{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":["#,
        r#"{"role":1,"content":1}"#,
        "]}}",
    ),
    message(
        "sampling messages of unknown content",
        r#"{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":["#,
        r#"{"role":"user","content":{"type":"x"}}"#,
        "]}}",
    ),
    message(
        "sampling messages of odd blocks",
        r#"{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[{"role":"user","content":["#,
        r#"{"type":"text"}"#,
        "]}]}}",
    ),
    message(
        "good sampling messages",
        r#"{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":["#,
        r#"{"role":"user","content":{"type":"text","text":""}}"#,
        "]}}",
    ),
    message(
        "sampling without what it needs",
        r#"{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"messages":["#,
        "1",
        "]}}",
    ),
    message(
        "odd stop sequences",
        r#"{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[],"stopSequences":["#,
        "1",
        "]}}",
    ),
    message(
        "odd sampling tools",
        r#"{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[],"tools":["#,
        r#"{"name":"n"}"#,
        "]}}",
    ),
    message(
        "elicitation of odd members",
        r#"{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"#,
        r##""k#":1"##,
        "}}}}",
    ),
    message(
        "elicitation of strings",
        r#"{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"#,
        r##""k#":{"type":"string"}"##,
        "}}}}",
    ),
    message(
        "elicitation of unknown types",
        r#"{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"#,
        r##""k#":{"type":"x"}"##,
        "}}}}",
    ),
    message(
        "elicitation of odd choices",
        r#"{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"<LONG>":{"type":"string","enum":["#,
        "1",
        "]}}}}}",
    ),
    message(
        "elicitation of odd titles",
        r#"{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"<LONG>":{"type":"string","oneOf":["#,
        "{}",
        "]}}}}}",
    ),
    message(
        "odd required names",
        r#"{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{},"required":["#,
        "1",
        "]}}}",
    ),
    // Envelopes.
    message("a long method", r#"{"jsonrpc":"2.0","id":7,"method":"<ALL>"}"#, "", ""),
    message("a long method with escapes", r#"{"jsonrpc":"2.0","id":7,"method":"<ESCAPES>"}"#, "", ""),
    message("a long id", r#"{"jsonrpc":"2.0","id":"<ALL>","method":"ping"}"#, "", ""),
    message("a long id of an unknown method", r#"{"jsonrpc":"2.0","id":"<ALL>","method":"x"}"#, "", ""),
    message("a long id with escapes", r#"{"jsonrpc":"2.0","id":"<ESCAPES>","method":"ping"}"#, "", ""),
    message("an odd id", r#"{"jsonrpc":"2.0","method":"ping","id":["#, "1", "]}"),
    message("an odd method", r#"{"jsonrpc":"2.0","id":7,"method":["#, "1", "]}"),
    message("an odd version", r#"{"id":7,"method":"ping","jsonrpc":["#, "1", "]}"),
    message("an unknown method", r#"{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":["#, "[]", "]}}"),
    message("odd params of an unknown method", r#"{"jsonrpc":"2.0","id":7,"method":"x","params":["#, "1", "]}"),
    message("an unknown notification", r#"{"jsonrpc":"2.0","method":"x","params":{"a":["#, "[]", "]}}"),
    message(
        "a long reason",
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"<ALL>"}}"#,
        "",
        "",
    ),
    message(
        "an odd reason",
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":["#,
        "1",
        "]}}",
    ),
    message(
        "a log message",
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":["#,
        "{}",
        "]}}",
    ),
    message("a text", "\"<ALL>\"", "", ""),
    message(
        "a text that ends too early",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"a":["#,
        "[]",
        "",
    ),
    message(
        "deep beyond the limit",
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"a":["#,
        "1",
        ",[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ),
    // Answers.
    answer("tools that are numbers", LIST, r#"{"jsonrpc":"2.0","id":1,"result":{"tools":["#, "1", "]}}"),
    answer("tools that are nulls", LIST, r#"{"jsonrpc":"2.0","id":1,"result":{"tools":["#, "null", "]}}"),
    answer("tools that are empty", LIST, r#"{"jsonrpc":"2.0","id":1,"result":{"tools":["#, "{}", "]}}"),
    answer("tools without a schema", LIST, r#"{"jsonrpc":"2.0","id":1,"result":{"tools":["#, r#"{"name":"n"}"#, "]}}"),
    answer(
        "tools with odd schemas",
        LIST,
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":["#,
        r#"{"name":"n","inputSchema":{"type":"object","properties":{"a":1},"required":[1]}}"#,
        "]}}",
    ),
    answer(
        "good tools",
        LIST,
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":["#,
        r#"{"name":"n","inputSchema":{"type":"object"}}"#,
        "]}}",
    ),
    answer(
        "a tool schema of odd members",
        LIST,
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"n","inputSchema":{"type":"object","properties":{"#,
        r##""k#":1"##,
        "}}}]}}",
    ),
    answer("blocks that are numbers", CALL, r#"{"jsonrpc":"2.0","id":1,"result":{"content":["#, "1", "]}}"),
    answer("blocks that are empty", CALL, r#"{"jsonrpc":"2.0","id":1,"result":{"content":["#, "{}", "]}}"),
    answer(
        "blocks of unknown types",
        CALL,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":["#,
        r#"{"type":"x"}"#,
        "]}}",
    ),
    answer(
        "blocks without their text",
        CALL,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":["#,
        r#"{"type":"text"}"#,
        "]}}",
    ),
    answer(
        "blocks with odd annotations",
        CALL,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":["#,
        r#"{"type":"text","text":"","annotations":1}"#,
        "]}}",
    ),
    answer(
        "blocks with odd audiences",
        CALL,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":["#,
        r#"{"type":"text","text":"","annotations":{"audience":[1]}}"#,
        "]}}",
    ),
    answer(
        "blocks of odd resources",
        CALL,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":["#,
        r#"{"type":"resource","resource":{}}"#,
        "]}}",
    ),
    answer(
        "blocks that are good",
        CALL,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":["#,
        r#"{"type":"text","text":""}"#,
        "]}}",
    ),
    answer(
        "an odd _meta beside content",
        CALL,
        r#"{"jsonrpc":"2.0","id":1,"result":{"_meta":1,"content":["#,
        r#"{"type":"text","text":""}"#,
        "]}}",
    ),
    answer("content that is no list", CALL, r#"{"jsonrpc":"2.0","id":1,"result":{"content":{"#, r##""k#":1"##, "}}}"),
    answer(
        "structured content",
        CALL,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"a":["#,
        "{}",
        "]}}}",
    ),
    answer("resources that are numbers", RESOURCES, r#"{"jsonrpc":"2.0","id":1,"result":{"resources":["#, "1", "]}}"),
    answer(
        "odd resource contents",
        READ,
        r#"{"jsonrpc":"2.0","id":1,"result":{"contents":["#,
        r#"{"uri":"a:b"}"#,
        "]}}",
    ),
    answer(
        "doubtful resource contents",
        READ,
        r#"{"jsonrpc":"2.0","id":1,"result":{"contents":["#,
        r#"{"uri":"","text":""}"#,
        "]}}",
    ),
    answer("prompt messages that are numbers", PROMPT, r#"{"jsonrpc":"2.0","id":1,"result":{"messages":["#, "1", "]}}"),
    answer(
        "odd prompt messages",
        PROMPT,
        r#"{"jsonrpc":"2.0","id":1,"result":{"messages":["#,
        r#"{"role":"user","content":1}"#,
        "]}}",
    ),
    answer("odd completions", COMPLETE, r#"{"jsonrpc":"2.0","id":1,"result":{"completion":{"values":["#, "1", "]}}}"),
    answer(
        "too many completions",
        COMPLETE,
        r#"{"jsonrpc":"2.0","id":1,"result":{"completion":{"values":["#,
        "\"\"",
        "]}}}",
    ),
    answer("odd roots", ROOTS, r#"{"jsonrpc":"2.0","id":1,"result":{"roots":["#, "{}", "]}}"),
    answer(
        "odd sampled blocks",
        SAMPLE,
        r#"{"jsonrpc":"2.0","id":1,"result":{"role":"assistant","model":"m","content":["#,
        "1",
        "]}}",
    ),
    answer("sampled blocks of nobody", SAMPLE, r#"{"jsonrpc":"2.0","id":1,"result":{"content":["#, "1", "]}}"),
    answer("a result before its id", CALL, r#"{"jsonrpc":"2.0","result":{"content":["#, "1", r#"]},"id":1}"#),
    answer("a result that is a list", CALL, r#"{"jsonrpc":"2.0","id":1,"result":["#, "1", "]}"),
    message("a result that nobody asked for", r#"{"jsonrpc":"2.0","id":9,"result":{"content":["#, "{}", "]}}"),
    message("a result with a long id", r#"{"jsonrpc":"2.0","id":"<ALL>","result":{}}"#, "", ""),
    answer(
        "an error with large data",
        CALL,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","data":["#,
        "{}",
        "]}}",
    ),
    answer(
        "an error with unknown members",
        CALL,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","#,
        r##""k#":1"##,
        "}}",
    ),
    answer("a malformed error", CALL, r#"{"jsonrpc":"2.0","id":1,"error":["#, "1", "]}"),
    answer("an error without a code", CALL, r#"{"jsonrpc":"2.0","id":1,"error":{"message":"m","data":["#, "{}", "]}}"),
    answer(
        "a result and an error",
        CALL,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"},"result":{"content":["#,
        "1",
        "]}}",
    ),
    message("an error that nobody waits for", r#"{"jsonrpc":"2.0","error":{"code":1,"message":"<ALL>"}}"#, "", ""),
    // Batches.
    message("a batch of numbers", "[", "1", "]"),
    message("a batch of nulls", "[", "null", "]"),
    message("a batch of strings", "[", "\"\"", "]"),
    message("a batch of arrays", "[", "[]", "]"),
    message("a batch of objects", "[", "{}", "]"),
    message("a batch of pings", "[", r##"{"jsonrpc":"2.0","id":#,"method":"ping"}"##, "]"),
    message("a batch of one ping", "[", r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#, "]"),
    message("a batch of unknown methods", "[", r##"{"jsonrpc":"2.0","id":#,"method":"x"}"##, "]"),
    message("a batch of ids", "[", r##"{"id":#}"##, "]"),
    message("a batch of odd calls", "[", r##"{"jsonrpc":"2.0","id":#,"method":"tools/call","params":1}"##, "]"),
    message("a batch of notifications", "[", r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "]"),
    message("a batch of answers", "[", r##"{"jsonrpc":"2.0","id":#,"result":{}}"##, "]"),
    message("a batch of long strings", "[", "\"<SHARE>\"", "]"),
    message("a batch of long ids", "[", r##"{"jsonrpc":"2.0","id":"<SHARE>#","method":"ping"}"##, "]"),
    message("a batch of long methods", "[", r##"{"jsonrpc":"2.0","id":#,"method":"<SHARE>"}"##, "]"),
    message("a batch that ends too early", "[", "{}", ""),
];
