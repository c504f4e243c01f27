//! Every choice of an identifier, pinned: a name that changes breaks whoever uses the crates, so it must not change
//! unnoticed.

use std::collections::{BTreeMap, BTreeSet};

use mcp_wire_codegen::model::{Content, Revision, Shape};
use mcp_wire_codegen::names::{
    TypeNames, field_name, field_names, inline_name, rank, topic, type_name, value_names, variant_names,
};
use mcp_wire_tests::{REVISIONS, assert_pinned, model, stateless};

#[test]
fn definitions_keep_their_names() {
    for revision in &REVISIONS {
        let model = model(revision.name);
        let kept = model.types.iter().filter(|(name, ty)| ty.definition.as_ref() == Some(*name)).count();
        // The names of the role unions belong to what handlers are given: a method with its params.
        let renamed: Vec<&String> = model
            .types
            .iter()
            .filter(|(name, ty)| ty.definition.as_ref().is_some_and(|definition| definition != *name))
            .map(|(name, _)| name)
            .collect();
        let expected = ["ClientNotification", "ClientRequest", "ServerNotification", "ServerRequest"];
        let expected: Vec<String> = expected
            .iter()
            // Without a handshake there are no requests by servers.
            .filter(|role| **role != "ServerRequest" || revision.has_handshake())
            .map(|role| format!("{role}Message"))
            .collect();
        assert_eq!(renamed, expected.iter().collect::<Vec<_>>(), "{}", revision.name);
        revision.assert_definitions(kept + renamed.len());
    }
}

#[test]
fn types_inside_definitions_have_the_names_of_their_places() {
    for revision in &REVISIONS {
        let model = model(revision.name);
        let found: Vec<&str> =
            model.types.iter().filter(|(_, ty)| ty.definition.is_none()).map(|(name, _)| name.as_str()).collect();
        assert_pinned(revision.name, "inline_types", found);
    }
}

#[test]
fn variants_have_the_names_of_their_types_without_what_the_union_says() {
    for revision in &REVISIONS {
        let model = model(revision.name);
        let mut found = BTreeMap::new();
        for (name, ty) in &model.types {
            if let Shape::Union(union) = &ty.shape {
                let variants: Vec<&str> = union.variants.iter().map(|variant| variant.name.as_str()).collect();
                found.insert(name, variants.join(" "));
            }
        }
        assert_pinned(revision.name, "unions", found);
    }
}

/// What `new` takes, in order; constants and what has an initial value are left out.
fn parameters(model: &Revision, name: &str) -> String {
    let Some(Shape::Struct(object)) = model.types.get(name).map(|ty| &ty.shape) else {
        panic!("{} has no object {name}", model.name);
    };
    let fields = object.members.iter().filter_map(|member| match &member.content {
        Content::Field(field) if member.required && field.initial.is_none() => Some(field.name.as_str()),
        _ => None,
    });
    fields.collect::<Vec<_>>().join(", ")
}

#[test]
fn constructors_take_what_is_required_in_the_order_a_person_expects() {
    let both = [
        ("Annotations", ""),
        ("BlobResourceContents", "uri, blob"),
        ("CallToolResult", "content"),
        ("CreateMessageRequestParams", "messages, max_tokens"),
        ("CreateMessageResult", "role, content, model"),
        ("ElicitResult", "action"),
        ("Error", "code, message"),
        ("ImageContent", "data, mime_type"),
        ("Implementation", "name, version"),
        ("JSONRPCErrorResponse", "error"),
        ("JSONRPCNotification", "method"),
        ("JSONRPCRequest", "id, method"),
        ("JSONRPCResultResponse", "id, result"),
        ("LoggingMessageNotificationParams", "level, data"),
        ("ProgressNotificationParams", "progress_token, progress"),
        ("Prompt", "name"),
        ("PromptMessage", "role, content"),
        ("Resource", "uri, name"),
        ("ResourceTemplate", "uri_template, name"),
        ("Root", "uri"),
        ("SamplingMessage", "role, content"),
        ("TextContent", "text"),
        ("TextResourceContents", "uri, text"),
        ("Tool", "name, input_schema"),
        ("ToolResultContent", "tool_use_id, content"),
        ("ToolUseContent", "id, name, input"),
    ];
    let differing = [
        ("2025-11-25", "CallToolRequestParams", "name"),
        (stateless::REVISION, "CallToolRequestParams", "name, meta"),
        ("2025-11-25", "CompleteRequestParams", "ref_, argument"),
        (stateless::REVISION, "CompleteRequestParams", "ref_, argument, meta"),
        ("2025-11-25", "InitializeRequestParams", "protocol_version, capabilities, client_info"),
        ("2025-11-25", "InitializeResult", "protocol_version, capabilities, server_info"),
        ("2025-11-25", "Task", "task_id, status, created_at, last_updated_at, ttl"),
        ("2024-11-05", "InitializeResult", "protocol_version, capabilities, server_info"),
        ("2024-11-05", "JSONRPCError", "id, error"),
    ];
    for revision in ["2025-11-25", stateless::REVISION] {
        let model = model(revision);
        for (name, expected) in both {
            assert_eq!(parameters(&model, name), expected, "{revision} {name}");
        }
    }
    for (revision, name, expected) in differing {
        assert_eq!(parameters(&model(revision), name), expected, "{revision} {name}");
    }
}

#[test]
fn members_are_written_in_the_order_a_person_expects() {
    let mut members = ["_meta", "annotations", "zebra", "params", "apple", "method", "id", "jsonrpc", "name", "type"];
    members.sort_by_key(|member| rank(member));
    assert_eq!(
        members,
        ["jsonrpc", "id", "method", "type", "name", "params", "apple", "zebra", "annotations", "_meta"]
    );
}

#[test]
fn awkward_type_names_become_rust() {
    let cases = [
        ("Tool", "Tool"),
        ("JSONRPCRequest", "JSONRPCRequest"),
        ("tool", "Tool"),
        ("my-tool_name", "MyToolName"),
        ("../x", "X"),
        ("self", "SelfType"),
        ("Self", "SelfType"),
        ("1abc", "Type1abc"),
        ("Option", "OptionType"),
        ("String", "StringType"),
        ("Rule", "RuleType"),
        ("DecodeError", "DecodeErrorType"),
        ("Result", "Result"),
        ("Error", "Error"),
        ("", "Type"),
        ("\u{1f980}", "Type"),
        ("a/b~c", "ABC"),
        ("Ünïcode", "NCode"),
        ("Two_Words", "TwoWords"),
        ("r#type", "RType"),
    ];
    for (wish, expected) in cases {
        assert_eq!(type_name(wish), expected, "{wish:?}");
    }
    assert_eq!(type_name(&"N".repeat(10_000)).len(), 80);
    assert_eq!(cases.len(), 20);
}

#[test]
fn a_type_name_is_given_out_once_whatever_its_case() {
    let mut names = TypeNames::default();
    let claimed = ["Foo", "foo", "FOO", "Foo2", "f-o-o", "Foo"].map(|wish| names.claim(wish));
    assert_eq!(claimed, ["Foo", "Foo2", "FOO3", "Foo22", "FOO4", "Foo5"]);
}

#[test]
fn places_name_the_types_that_stand_in_them() {
    let cases = [
        ("Tool", "inputSchema", false, "ToolInputSchema"),
        ("Tool", "icons", true, "ToolIconsItem"),
        ("CallToolResult", "content", true, "ContentBlock"),
        ("CallToolResult", "content", false, "CallToolResultContent"),
        ("PromptMessage", "content", false, "ContentBlock"),
        ("SamplingMessage", "content", false, "SamplingContent"),
        ("CallToolRequestParams", "_meta", false, "RequestMeta"),
        ("ReadResourceResult", "contents", true, "AnyResourceContents"),
        ("A", "", false, "A"),
        ("A", "b c", true, "ABCItem"),
    ];
    for (owner, member, item, expected) in cases {
        assert_eq!(inline_name(owner, member, item), expected, "{owner}.{member}");
    }
}

#[test]
fn awkward_member_names_become_rust() {
    let cases = [
        ("name", "name"),
        ("mimeType", "mime_type"),
        ("_meta", "meta"),
        ("URI", "uri"),
        ("websiteURL", "website_url"),
        ("io.modelcontextprotocol/clientInfo", "client_info"),
        ("com.example/x", "com_example_x"),
        ("type", "type_"),
        ("ref", "ref_"),
        ("self", "self_"),
        ("Self", "self_"),
        ("crate", "crate_"),
        ("async", "async_"),
        ("gen", "gen_"),
        ("extra", "extra_"),
        ("members", "members"),
        ("index", "index"),
        ("record", "record"),
        ("checker", "checker"),
        ("", "member"),
        ("_", "member"),
        ("\u{1f980}", "member"),
        ("1", "member_1"),
        ("1st", "member_1st"),
        ("foo-bar", "foo_bar"),
        ("foo bar", "foo_bar"),
        ("foo\nbar", "foo_bar"),
        ("quo\"te", "quo_te"),
        ("r#type", "r_type"),
        ("a/b~c", "a_b_c"),
    ];
    for (wire, expected) in cases {
        assert_eq!(field_name(wire), expected, "{wire:?}");
    }
    assert_eq!(field_name(&"n".repeat(10_000)).len(), 80);
    assert_eq!(cases.len(), 30);
}

#[test]
fn members_of_one_object_never_share_a_field() {
    let wires = ["foo-bar", "foo_bar", "fooBar", "type", "Type", "type_2", "", "_", "1", "member_1"];
    let names = field_names(wires.into_iter());
    let found: Vec<&str> = names.iter().map(String::as_str).collect();
    let expected = [
        "foo_bar",
        "foo_bar_2",
        "foo_bar_3",
        "type_",
        "type_2",
        "type_2_2",
        "member",
        "member_2",
        "member_1",
        "member_1_2",
    ];
    assert_eq!(found, expected);
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), wires.len());
}

#[test]
fn enum_values_become_variants() {
    let values =
        ["debug", "in_progress", "url-mode", "a b", "a-b", "", "1", "Self", "Unknown", "unknown", "\u{1f980}", "\""];
    let expected = [
        "Debug",
        "InProgress",
        "UrlMode",
        "AB",
        "AB2",
        "Value",
        "Value1",
        "SelfValue",
        "Unknown2",
        "Unknown3",
        "Value2",
        "Value3",
    ];
    assert_eq!(value_names(values.into_iter()), expected);
}

#[test]
fn variants_leave_out_what_the_union_says() {
    let cases: [(&str, &[&str], &[&str]); 9] = [
        ("ContentBlock", &["TextContent", "ImageContent"], &["Text", "Image"]),
        ("ClientRequest", &["PingRequest", "CallToolRequest"], &["Ping", "CallTool"]),
        ("JSONRPCMessage", &["JSONRPCRequest", "JSONRPCNotification"], &["Request", "Notification"]),
        ("ServerResult", &["Result", "CallToolResult"], &["Result", "CallTool"]),
        ("Shape", &["Circle", "Square"], &["Circle", "Square"]),
        ("A", &["Unknown", "Self"], &["Unknown2", "SelfVariant"]),
        ("A", &["String", "String"], &["String", "String2"]),
        ("Only", &["Only"], &["Only"]),
        ("Any", &["OneSchema", "OtherSchema"], &["One", "Other"]),
    ];
    for (union, types, expected) in cases {
        let types: Vec<String> = types.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(variant_names(union, &types), expected, "{union}");
    }
}

#[test]
fn definitions_stand_in_the_file_of_their_topic() {
    let cases = [
        ("JSONRPCRequest", "jsonrpc"),
        ("ClientRequest", "messages"),
        ("ParseError", "errors"),
        ("InitializeRequest", "lifecycle"),
        ("CreateMessageRequest", "sampling"),
        ("ElicitRequest", "elicitation"),
        ("CompleteRequest", "completion"),
        ("LoggingLevel", "logging"),
        ("ListRootsRequest", "roots"),
        ("TextContent", "content"),
        ("Resource", "resources"),
        ("Prompt", "prompts"),
        ("Tool", "tools"),
        ("Cursor", "common"),
        ("", "common"),
        ("../x", "common"),
    ];
    for (definition, expected) in cases {
        assert_eq!(topic(definition), expected, "{definition}");
    }
}
