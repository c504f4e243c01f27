//! The promises of a generated type, one by one, as somebody who depends on the crates meets them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use mcp_wire::{v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25};
use mcp_wire_core::__private::Wire;
use mcp_wire_core::{DecodeError, Json, RequestId, from_str, to_string};
use mcp_wire_judge::AnyOrder;
use mcp_wire_tests::{ALL, REVISIONS, assert_pinned, difference, revisions, root, stateless};
use serde::Serialize;
// Under a name of its own, since the crates have a `json!` too.
use serde_json::{Value, json as document};

fn written<T: Wire + Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap()
}

/// Reads a document as `T` and asserts that it comes back exactly.
fn exact<T: Wire>(document: Value) -> T {
    let typed: T = from_str(&document.to_string()).unwrap_or_else(|error| panic!("{error}: {document}"));
    assert_eq!(difference(&document.to_string(), &to_string(&typed), AnyOrder), None);
    typed
}

#[test]
fn promise_1_nothing_is_lost() {
    let result: v2025_11_25::CallToolResult = exact(document!({
        "content": [
            { "type": "text", "text": "t", "x": 1, "annotations": { "priority": 0.8, "x": [1.0, 1] } },
            { "type": "resource", "resource": { "uri": "a:b", "text": "", "x": null }, "_meta": {} },
            { "type": "resource_link", "uri": "a:b", "name": "n", "size": 50, "icons": [{ "src": "a:b", "x": {} }] },
        ],
        "structuredContent": {},
        "isError": null,
        "_meta": { "a": { "b": [] } },
        "x": { "y": { "z": [{}, [], null, 50, 50.0, 0.8, 1e300, u64::MAX, i64::MIN] } },
    }));
    assert_eq!(result.content.len(), 3);
    assert_eq!(result.is_error, None, "an explicit null is kept, yet it is no boolean");
    assert_eq!(result.extra.get("x").unwrap().pointer("/y/z/4").unwrap().text(), "50.0");

    let result: v2024_11_05::ListToolsResult = exact(document!({ "tools": [], "nextCursor": "", "_meta": {} }));
    assert_eq!((result.tools.len(), result.next_cursor.as_deref()), (0, Some("")));
    let capabilities: v2025_03_26::ServerCapabilities =
        exact(document!({ "tools": {}, "prompts": { "x": 1 }, "logging": {}, "experimental": { "e": {} } }));
    assert!(capabilities.tools.is_some() && capabilities.resources.is_none());
    let result: stateless::ListToolsResult =
        exact(document!({ "tools": [], "resultType": "complete", "ttlMs": 0, "cacheScope": "public" }));
    assert_eq!(result.ttl_ms.map(|ttl| ttl.as_f64()), Some(0.0));
}

/// Two lists with odd items, in the order in which they are written and in the other one.
#[test]
fn promise_1_what_is_kept_is_equal_in_any_order() {
    use v2025_11_25::LegacyTitledEnumSchema;
    let read = |text: &str| mcp_wire_core::from_str::<LegacyTitledEnumSchema>(text).unwrap();
    let one = read(r#"{"type":"string","enum":["a",1],"enumNames":["A",2]}"#);
    let other = read(r#"{"enumNames":["A",2],"enum":["a",1],"type":"string"}"#);
    assert_eq!(one, other);
    assert_eq!(read(&serde_json::to_string(&other).unwrap()), other);
}

/// What a program adds to `extra` never stands beside a member of the same name.
#[test]
fn promise_1_typed_members_and_constants_win_over_what_was_added() {
    let mut block = v2025_11_25::TextContent::new("typed");
    for (name, value) in [("text", "added"), ("type", "added"), ("vendor/x", "kept")] {
        block.extra.insert(name, value);
    }
    assert_eq!(to_string(&block), r#"{"type":"text","text":"typed","vendor/x":"kept"}"#);

    let mut message = v2025_11_25::ClientMessage::from_str(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, &()).unwrap();
    let v2025_11_25::ClientMessage::Request(call) = &mut message else { panic!("a request") };
    for (name, value) in [("jsonrpc", "1.0"), ("id", "added"), ("method", "added"), ("vendor/x", "kept")] {
        call.extra.insert(name, value);
    }
    assert_eq!(message.to_text(), r#"{"jsonrpc":"2.0","id":1,"method":"ping","vendor/x":"kept"}"#);

    // What arrived stays, until it is replaced.
    let odd = r#"{"jsonrpc":"1.0","id":null,"error":{"code":1,"message":""}}"#;
    let mut message = v2025_11_25::ServerMessage::from_str(odd, &()).unwrap();
    assert_eq!(difference(odd, &message.to_text(), AnyOrder), None);
    let v2025_11_25::ServerMessage::Response(response) = &mut message else { panic!("a response") };
    response.id = Some(7.into());
    response.extra.remove("jsonrpc");
    assert_eq!(message.to_text(), r#"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""}}"#);
}

#[test]
fn promise_2_the_method_decides_and_nothing_is_tried() {
    use stateless::{CallToolAnswer as Answer, CallToolResultResponse};
    // `InputRequiredResult` needs nothing but `resultType`, so that it would swallow every result if it were tried.
    let response =
        |kind: &str| document!({ "jsonrpc": "2.0", "id": 1, "result": { "resultType": kind, "content": [] } });
    assert!(matches!(exact::<CallToolResultResponse>(response("complete")).result, Answer::CallTool(_)));
    assert!(matches!(exact::<CallToolResultResponse>(response("input_required")).result, Answer::InputRequired(_)));

    use v2025_11_25::ClientRequestMessage;
    // All of these would do as the params of a ping.
    let request = |method: &str| document!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": { "name": "n" } });
    assert!(matches!(exact(request("tools/call")), ClientRequestMessage::CallTool(_)));
    assert!(matches!(exact(request("prompts/get")), ClientRequestMessage::GetPrompt(_)));
    assert!(matches!(exact(request("ping")), ClientRequestMessage::Ping(_)));
    assert!(
        matches!(exact(request("resources/read")), ClientRequestMessage::Unknown(_)),
        "no URI, and no other variant"
    );

    // Nothing in the generated sources derives or guesses.
    let mut sources = Vec::new();
    rust_files(&root().join("generated"), &mut sources);
    for path in &sources {
        let text = std::fs::read_to_string(path).unwrap();
        for line in text.lines() {
            let derives = line.contains("derive(") && (line.contains("Serialize") || line.contains("Deserialize"));
            let guesses = line.contains("untagged") || line.contains("flatten") || line.contains("#[serde");
            assert!(!derives && !guesses, "{}: {line}", path.display());
        }
        assert!(!text.contains("unsafe ") && !text.contains("unwrap()"), "{}", path.display());
    }
    assert!(sources.len() >= 77, "only {} files were looked at", sources.len());
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn promise_3_what_is_unknown_is_kept_and_costs_nothing_else() {
    use v2025_11_25::{ClientRequestMessage, ContentBlock, LoggingMessageNotificationParams, Role, SamplingMessage};
    let result: v2025_11_25::CallToolResult = exact(document!({
        "content": [{ "type": "text", "text": "a" }, { "type": "hologram" }, 5, { "type": "text", "text": "b" }],
    }));
    let kinds: Vec<_> = result.content.iter().map(|block| matches!(block, ContentBlock::Text(_))).collect();
    assert_eq!(kinds, [true, false, false, true]);

    let message: SamplingMessage = exact(document!({ "role": "system", "content": { "type": "text", "text": "t" } }));
    assert_eq!(message.role, Role::Unknown("system".to_owned()));
    assert_eq!(message.role.to_string(), "system");
    let params: LoggingMessageNotificationParams = exact(document!({ "level": "trace", "data": null }));
    assert_eq!((params.level.as_str(), &params.data), ("trace", &Json::default()));
    let request: ClientRequestMessage =
        exact(document!({ "jsonrpc": "2.0", "id": 1, "method": "vendor/x", "params": [1] }));
    assert!(matches!(request, ClientRequestMessage::Unknown(_)));

    let result: v2025_06_18::ListResourcesResult = exact(document!({
        "resources": [{ "uri": "a:b", "name": "n" }, { "uri": "a:c" }, { "uri": "a:d", "name": "m" }],
    }));
    let uris: Vec<_> = result.resources.iter().map(|resource| &*resource.uri).collect();
    assert_eq!(uris, ["a:b", "a:d"]);
    let result: stateless::CallToolResult = exact(document!({ "content": [], "resultType": "task" }));
    assert_eq!(result.result_type.as_str(), "task");
}

#[test]
fn promise_4_every_rule_is_reported_with_its_place() {
    use v2025_11_25::*;
    let mut reported = BTreeMap::new();
    let mut report = |violations: Vec<Violation>, pointer: &str, rule: Rule, message: &str| {
        let found: Vec<_> = violations.iter().map(|violation| (&*violation.pointer, violation.rule)).collect();
        assert_eq!(found, [(pointer, rule)], "{violations:?}");
        assert_eq!(violations[0].to_string(), message);
        *reported.entry(rule).or_insert(0) += 1;
    };
    let tool = document!({ "name": "n", "inputSchema": { "type": "object" }, "title": 5 });
    report(exact::<Tool>(tool).check(), "/title", Rule::Type, "/title: expected a string, found the number 5");
    let result = document!({ "tools": [{ "name": "n", "inputSchema": {} }] });
    report(
        exact::<ListToolsResult>(result).check(),
        "/tools/0/inputSchema",
        Rule::Required,
        "/tools/0/inputSchema: expected the required member \"type\", found an object without it",
    );
    let request = document!({ "jsonrpc": "1.0", "id": 1, "method": "ping" });
    report(
        exact::<PingRequest>(request).check(),
        "/jsonrpc",
        Rule::Constant,
        "/jsonrpc: expected \"2.0\", found the string \"1.0\"",
    );
    let message = document!({ "role": "system", "content": { "type": "text", "text": "" } });
    report(
        exact::<PromptMessage>(message).check(),
        "/role",
        Rule::Enum,
        "/role: expected one of \"assistant\", \"user\", found the string \"system\"",
    );
    let annotations = document!({ "priority": 1.5, "audience": ["user"] });
    report(
        exact::<Annotations>(annotations).check(),
        "/priority",
        Rule::Range,
        "/priority: expected at most 1, found 1.5",
    );
    let completion = document!({ "resultType": "complete", "completion": { "values": vec!["v"; 101] } });
    report(
        exact::<stateless::CompleteResult>(completion).check(),
        "/completion/values",
        Rule::Length,
        "/completion/values: expected at most 100, found 101",
    );
    let template = document!({ "uriTemplate": "a:{b", "name": "n" });
    report(
        exact::<ResourceTemplate>(template).check(),
        "/uriTemplate",
        Rule::Format,
        "/uriTemplate: expected a URI template, found the string \"a:{b\"",
    );
    let contents = document!({ "uri": "a:b", "blob": "AAA" });
    report(
        exact::<BlobResourceContents>(contents).check(),
        "/blob",
        Rule::Format,
        "/blob: expected base64, found the string \"AAA\"",
    );
    let root = document!({ "roots": [{ "uri": "/tmp" }] });
    report(
        exact::<ListRootsResult>(root).check(),
        "/roots/0/uri",
        Rule::Format,
        "/roots/0/uri: expected a URI, found the string \"/tmp\"",
    );
    let message = document!({ "role": "user", "content": { "type": "hologram" } });
    report(
        exact::<PromptMessage>(message).check(),
        "/content",
        Rule::Union,
        "/content: expected a variant of `ContentBlock`: Text, Image, Audio, ResourceLink, EmbeddedResource, \
         found an object with \"type\"",
    );
    // The official schemas close no object, so that one rule has no example here.
    let rules: Vec<_> = reported.into_iter().collect();
    let expected = [
        (Rule::Type, 1),
        (Rule::Required, 1),
        (Rule::Constant, 1),
        (Rule::Enum, 1),
        (Rule::Range, 1),
        (Rule::Length, 1),
        (Rule::Format, 3),
        (Rule::Union, 1),
    ];
    assert_eq!(rules, expected);

    // Several at once are all listed, and none is listed where the value conforms.
    let block = document!({ "type": "image", "data": "?", "mimeType": "a/b", "annotations": { "priority": -1 } });
    assert_eq!(exact::<ContentBlock>(block).check().len(), 2);
    let block = document!({ "type": "image", "data": "AAAA", "mimeType": "a/b", "annotations": { "priority": 0 } });
    assert_eq!(exact::<ContentBlock>(block).check(), []);
    // A constructed value is checked like one that was read; a number that JSON cannot express included.
    assert_eq!(Annotations::new().with_priority(f64::NAN).check()[0].rule, Rule::Type);
}

#[test]
fn promise_5_errors_have_an_address() {
    use v2025_11_25::*;
    fn refused<T: Wire>(document: Value) -> (String, String) {
        let Err(error) = from_value::<T>(document.clone()) else { panic!("{document} should be refused") };
        assert_eq!(error.code(), error_codes::INVALID_PARAMS);
        let text = error.to_string();
        assert_eq!(from_str::<T>(&document.to_string()).err().unwrap().to_string(), text);
        (error.pointer().unwrap().to_owned(), text)
    }
    let cases = [
        (
            refused::<CallToolRequest>(document!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {} })),
            "/params",
            "/params: expected the required member \"name\", found an object without it",
        ),
        (
            refused::<CallToolRequestParams>(document!({ "name": ["a", "b"] })),
            "/name",
            "/name: expected a string, found an array of 2",
        ),
        (refused::<Tool>(document!("tool")), "", "(document): expected an object (`Tool`), found the string \"tool\""),
        (
            refused::<GetPromptResult>(document!({ "messages": {} })),
            "/messages",
            "/messages: expected an array, found an empty object",
        ),
        (
            refused::<Vec<Vec<RequestId>>>(document!([[1, "a"], [2, false]])),
            "/1/1",
            "/1/1: expected a string or an integer, found the boolean false",
        ),
    ];
    assert_eq!(cases.len(), 5);
    for ((found, text), pointer, message) in cases {
        assert_eq!((&*found, &*text), (pointer, message));
    }
    // A map has a place for what does not fit, and `check()` has its address.
    let tools: Dict<Tool> = from_value(document!({ "a/b~c": { "name": 1, "inputSchema": {} } })).unwrap();
    let violations: Vec<String> = check(&tools).iter().map(ToString::to_string).collect();
    assert_eq!(violations, ["/a~1b~0c/name: expected a string, found the number 1"]);
    let error = from_str::<Tool>("{\"name\": }").unwrap_err();
    assert!(matches!(error, DecodeError::Syntax(_)));
    assert_eq!((error.code(), error.pointer()), (error_codes::PARSE_ERROR, None));
    assert_eq!(error.to_string(), "not usable as JSON: expected a value at line 1 column 10");
}

#[test]
fn promise_6_values_are_pleasant_to_write() {
    use v2025_11_25::*;
    let properties = Dict::from([("city".to_owned(), json_object! { "type": "string" })]);
    let schema = ToolInputSchema::new().with_properties(properties).with_required(vec!["city".to_owned()]);
    let tool = Tool::new("weather", schema)
        .with_description("The weather of a city")
        .with_annotations(ToolAnnotations::new().with_read_only_hint(true));
    let expected = document!({
        "name": "weather",
        "inputSchema": { "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] },
        "description": "The weather of a city",
        "annotations": { "readOnlyHint": true },
    });
    assert_eq!(written(&tool), expected);

    let link = ResourceLink::new("file:///a", "a").with_size(12);
    let contents = TextResourceContents::new("file:///b", "b");
    let result = CallToolResult::new(vec![
        TextContent::new("22 °C").into(),
        ImageContent::new("AAAA", "image/png").into(),
        link.into(),
        EmbeddedResource::new(contents).into(),
    ])
    .with_is_error(false)
    .with_structured_content(json_object! { "celsius": 22, "exact": 22.0 });
    let expected = document!({
        "content": [
            { "type": "text", "text": "22 °C" },
            { "type": "image", "data": "AAAA", "mimeType": "image/png" },
            { "type": "resource_link", "uri": "file:///a", "name": "a", "size": 12 },
            { "type": "resource", "resource": { "uri": "file:///b", "text": "b" } },
        ],
        "isError": false,
        "structuredContent": { "celsius": 22, "exact": 22.0 },
    });
    assert_eq!(written(&result), expected);

    let capabilities = ClientCapabilities::new().with_roots(ClientCapabilitiesRoots::new().with_list_changed(true));
    let params = InitializeRequestParams::new(REVISION, capabilities, Implementation::new("client", "1.0"));
    let request = InitializeRequest::new(0, params);
    let expected = document!({
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": { "roots": { "listChanged": true } },
            "clientInfo": { "name": "client", "version": "1.0" },
        },
    });
    assert_eq!(written(&request), expected);
    // The union of all requests takes it, and writes the same.
    assert_eq!(written(&ClientRequestMessage::from(request)), expected);

    let fields = Dict::from([("name".to_owned(), StringSchema::new().with_min_length(1).into())]);
    let schema = ElicitRequestFormParamsRequestedSchema::new(fields).with_required(vec!["name".to_owned()]);
    let request = ElicitRequest::new("e-1", ElicitRequestFormParams::new("Who are you?", schema));
    let expected = document!({
        "jsonrpc": "2.0",
        "id": "e-1",
        "method": "elicitation/create",
        "params": {
            "message": "Who are you?",
            "requestedSchema": {
                "type": "object",
                "properties": { "name": { "type": "string", "minLength": 1 } },
                "required": ["name"],
            },
        },
    });
    let mut found = written(&request);
    // The mode is optional, and `form` where it is absent.
    found["params"].as_object_mut().unwrap().remove("mode");
    assert_eq!(found, expected);

    let message = PromptMessage::new("user", TextContent::new("hello"));
    assert_eq!(message.role, Role::User);
    assert_eq!(written(&message), document!({ "role": "user", "content": { "type": "text", "text": "hello" } }));
    let params = ProgressNotificationParams::new("t", 0.5).with_total(1);
    let expected = document!({
        "jsonrpc": "2.0",
        "method": "notifications/progress",
        "params": { "progressToken": "t", "progress": 0.5, "total": 1 },
    });
    assert_eq!(written(&ProgressNotification::new(params)), expected);
    let error = JSONRPCErrorResponse::new(Error::new(error_codes::METHOD_NOT_FOUND, "no")).with_id(7);
    let expected = document!({ "jsonrpc": "2.0", "id": 7, "error": { "code": -32601, "message": "no" } });
    assert_eq!(written(&JSONRPCMessage::from(error)), expected);

    // Everything that was built conforms.
    for violations in [tool.check(), result.check(), message.check()] {
        assert_eq!(violations, []);
    }

    // Default where nothing is required, conversions where they are obvious, Display where there is a text.
    assert_eq!(written(&Annotations::default()), document!({}));
    assert_eq!(Annotations::default(), Annotations::new());
    assert_eq!(written(&ToolInputSchema::default()), document!({ "type": "object" }));
    assert_eq!(
        written(&stateless::CallToolResult::new(Vec::new())),
        document!({ "content": [], "resultType": "complete" })
    );
    let ids = [RequestId::from(7), 7u64.into(), 7usize.into(), 7i64.into(), 7u32.into()];
    assert!(ids.iter().all(|id| *id == ids[0] && id.to_string() == "7"));
    assert_eq!(RequestId::from("a").to_string(), "a");
    assert_ne!(RequestId::from("7"), ids[0], "an answer to \"7\" is no answer to 7");
    assert_eq!(ProgressToken::from("a".to_owned()), ProgressToken::from("a"));
    assert_eq!(format!("{:>9}|", LoggingLevel::Alert), "    alert|");

    // Severity, not the alphabet, orders the levels.
    use LoggingLevel::{Alert, Critical, Debug, Emergency, Info, Notice, Warning};
    let levels = [Debug, Info, Notice, Warning, LoggingLevel::Error, Critical, Alert, Emergency];
    assert!(levels.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(LoggingLevel::from("trace").partial_cmp(&LoggingLevel::Debug), None);
    assert_eq!(LoggingLevel::from("warning"), Warning);
}

#[test]
fn promise_6_unions_and_messages_are_small() {
    const LARGEST: usize = 216;
    let mut checked = 0;
    let mut sizes = Vec::new();
    for revision in &REVISIONS {
        let path = root().join(format!("generated/mcp-wire-{}/model.json", revision.name));
        let model: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        for (name, ty) in model["types"].as_object().unwrap() {
            let (Some(definition), Some(_)) = (ty["definition"].as_str(), ty["shape"].get("union")) else { continue };
            sizes.push((revision.name, name.clone(), revision.entry(definition).size()));
        }
    }
    macro_rules! inline {
        ($($revision:ident: $($name:ident),*;)*) => {
            $($(sizes.push((stringify!($revision), stringify!($name).to_owned(), size_of::<$revision::$name>()));)*)*
        };
    }
    // Unions that have no name in the schema, and the parts of messages that all revisions share.
    inline! {
        v2024_11_05: AnyResourceContents, CompleteRequestParamsRef, ContentBlock, SamplingContent;
        v2025_03_26: AnyResourceContents, CompleteRequestParamsRef, ContentBlock, SamplingContent,
            JSONRPCBatchRequestItem, JSONRPCBatchResponseItem;
        v2025_06_18: AnyResourceContents, CompleteRequestParamsRef, ElicitResultContentValue, SamplingContent;
        v2025_11_25: AnyResourceContents, CompleteRequestParamsRef, ElicitResultContentValue, SamplingContent,
            CallToolAnswer, CreateMessageAnswer, ElicitAnswer;
        stateless: AnyResourceContents, CompleteRequestParamsRef, ElicitResultContentValue, SamplingContent,
            CallToolAnswer, GetPromptAnswer, ReadResourceAnswer;
    }
    // What handlers are given.
    macro_rules! messages {
        ($($revision:ident)*) => {$({
            use mcp_wire::$revision;
            inline! { $revision: ClientRequest, ClientNotification, ServerRequest, ServerNotification; }
        })*};
    }
    revisions!(messages);
    for (revision, name, size) in &sizes {
        assert!(*size <= LARGEST, "{name} of {revision} has {size} bytes");
        checked += 1;
    }
    assert_pinned(ALL, "unions_with_a_size", checked);
    println!("the largest of {checked} unions has {} bytes", sizes.iter().map(|(_, _, size)| size).max().unwrap());
    // What every struct carries costs one pointer.
    assert_eq!(size_of::<mcp_wire_core::Extra>(), size_of::<usize>());
}

#[test]
fn promise_8_the_crates_are_light() {
    for revision in &REVISIONS {
        let package = format!("mcp-wire-{}", revision.name);
        let output = Command::new(env!("CARGO"))
            .args(["tree", "-p", &package, "-e", "normal", "--prefix", "none", "--offline"])
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let mut packages: Vec<_> = text.lines().filter_map(|line| line.split(' ').next()).collect();
        packages.sort_unstable();
        packages.dedup();
        assert!(packages.contains(&&*package) && packages.contains(&"serde_json"), "{packages:?}");
        assert!(packages.len() <= 14, "{} packages: {packages:?}", packages.len());
        // Procedural macros take longer to build than everything else together.
        for heavy in ["serde_derive", "syn", "quote", "proc-macro2", "tokio", "regex"] {
            assert!(!packages.contains(&heavy), "{package} depends on {heavy}");
        }
        let lib = std::fs::read_to_string(root().join(format!("generated/{package}/src/lib.rs"))).unwrap();
        assert!(lib.contains("#![forbid(unsafe_code)]"), "{package}");
    }
}

#[test]
fn promise_8_all_revisions_live_in_one_build() {
    // The same document as the same type of every revision, side by side.
    let document = document!({ "name": "n", "inputSchema": { "type": "object" }, "title": "t", "icons": [] });
    let old: v2024_11_05::Tool = exact(document.clone());
    let spring: v2025_03_26::Tool = exact(document.clone());
    let summer: v2025_06_18::Tool = exact(document.clone());
    let autumn: v2025_11_25::Tool = exact(document.clone());
    let new: stateless::Tool = exact(document.clone());
    // What a revision does not define is extra there, and a field where it does.
    for extra in [&old.extra, &spring.extra] {
        assert_eq!(extra.get("title").unwrap(), "t");
    }
    assert_eq!(
        (summer.title.as_deref(), autumn.title.as_deref(), new.title.as_deref()),
        (Some("t"), Some("t"), Some("t"))
    );
    assert!(summer.extra.get("icons").is_some() && autumn.icons.is_some() && new.icons.is_some());
    assert_eq!(written(&old), written(&new));
    macro_rules! names {
        ($($revision:ident)*) => { [$(mcp_wire::$revision::REVISION),*] };
    }
    let revisions = revisions!(names);
    assert_eq!(revisions, REVISIONS.each_ref().map(|revision| revision.name));
}

#[test]
fn promise_8_values_can_be_shared_between_threads() {
    // The bounds are the claim; the type itself is not needed.
    #[allow(clippy::extra_unused_type_parameters)]
    fn travels<T: Send + Sync + Clone + PartialEq + std::fmt::Debug + Unpin + 'static>(count: &mut usize) {
        *count += 1;
    }
    let mut count = 0;
    macro_rules! travel {
        ($($revision:ident: $($name:ident),*;)*) => { $($(travels::<$revision::$name>(&mut count);)*)* };
    }
    travel! {
        v2024_11_05: JSONRPCMessage, ClientRequestMessage, ServerResult, Tool, Result, RequestId;
        v2025_03_26: JSONRPCMessage, ClientRequestMessage, ServerResult, Tool, Result, RequestId;
        v2025_06_18: JSONRPCMessage, ClientRequestMessage, ServerResult, Tool, Result, ContentBlock;
        v2025_11_25: JSONRPCMessage, ClientRequestMessage, ServerResult, Tool, Result, ContentBlock, Extra, Violation;
        stateless: JSONRPCMessage, ClientRequestMessage, ServerResult, Tool, Result, ContentBlock, LoggingLevel, Number;
    }
    assert_eq!(count, 6 + 6 + 6 + 8 + 8);
    fn is_error<T: std::error::Error + Send + Sync + 'static>() {}
    is_error::<DecodeError>();
    let tool: v2025_11_25::Tool = exact(document!({ "name": "n", "inputSchema": { "type": "object" }, "x": 1 }));
    let copy = tool.clone();
    assert_eq!(std::thread::spawn(move || copy).join().unwrap(), tool);
}

#[test]
fn promise_9_members_come_in_any_order_and_are_read_once() {
    use v2025_11_25::{JSONRPCMessage, JSONRPCResultResponse};
    // The TypeScript SDK writes the result before the envelope.
    for text in [
        r#"{"result":{"tools":[]},"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#,
        r#"{"id":1,"result":{"tools":[]},"jsonrpc":"2.0"}"#,
    ] {
        let message: JSONRPCMessage = from_str(text).unwrap();
        let JSONRPCMessage::ResultResponse(JSONRPCResultResponse { id, result, .. }) = message else {
            panic!("{text}")
        };
        assert_eq!(id, RequestId::from(1));
        assert_eq!(result.extra.get("tools").unwrap(), document!([]));
    }
}

/// What one type has kept may be given to a value of another one, which names some of those members: typed values win.
#[test]
fn what_another_type_has_kept_does_not_speak_for_a_typed_member() {
    use mcp_wire::v2025_11_25::{CallToolResult, GetPromptResult, TextContent, from_str, to_string};

    let text = r#"{"messages":[],"content":[{"type":"text","text":"evil"}],"isError":"no","vendor":1}"#;
    let prompt: GetPromptResult = from_str(text).unwrap();
    assert!(prompt.check().is_empty());

    let mut result = CallToolResult::new(vec![TextContent::new("good").into()]);
    result.extra = prompt.extra;
    let written = r#"{"content":[{"type":"text","text":"good"}],"isError":"no","vendor":1}"#;
    assert_eq!(to_string(&result), written);
    let violations: Vec<String> = result.check().iter().map(ToString::to_string).collect();
    assert_eq!(violations, [r#"/isError: expected a boolean, found the string "no""#]);

    result.is_error = Some(false);
    assert_eq!(to_string(&result), written.replace(r#""no""#, "false"));
    assert!(result.check().is_empty());
}
