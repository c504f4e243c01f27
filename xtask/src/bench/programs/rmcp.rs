//! As `mcp_wire.rs`, with rmcp.

use std::sync::Arc;

use rmcp::model::{
    Annotations, AudioContent, CallToolResult, ClientJsonRpcMessage, ContentBlock, EmbeddedResource, Icon, IconTheme,
    ImageContent, Implementation, InitializeResult, JsonObject, ListToolsResult, ProtocolVersion, Resource,
    ResourceContents, Role, ServerCapabilities, ServerJsonRpcMessage, TextContent, Tool, ToolAnnotations,
    ToolsCapability,
};
use serde::Serialize;
use serde_json::{Value, json};

fn main() {
    print(&opened());
    print(&tools());
    print(&called());
    for line in std::io::stdin().lines() {
        let Ok(line) = line else { break };
        let printed =
            match line.split_once(' ') {
                Some(("c", text)) => serde_json::from_str::<ClientJsonRpcMessage>(text)
                    .and_then(|message| serde_json::to_string(&message)),
                Some(("s", text)) => serde_json::from_str::<ServerJsonRpcMessage>(text)
                    .and_then(|message| serde_json::to_string(&message)),
                _ => continue,
            };
        match printed {
            Ok(text) => println!("{text}"),
            Err(error) => println!("refused: {error}"),
        }
    }
}

fn print(value: &impl Serialize) {
    println!("{}", serde_json::to_string(value).unwrap_or_default());
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

fn opened() -> InitializeResult {
    let mut tools = ToolsCapability::default();
    tools.list_changed = Some(true);
    let mut capabilities = ServerCapabilities::default();
    capabilities.tools = Some(tools);
    capabilities.logging = Some(JsonObject::new());
    let mut server = Implementation::new("example", "1.0.0");
    server.title = Some("An example".to_owned());
    let mut result = InitializeResult::new(capabilities).with_instructions("Ask for the weather.");
    result.protocol_version = ProtocolVersion::V_2025_11_25;
    result.server_info = server;
    result
}

fn tools() -> ListToolsResult {
    let input = Arc::new(object(json!({
        "type": "object",
        "properties": { "city": { "type": "string", "description": "Where" } },
        "required": ["city"],
    })));
    let output = object(json!({ "type": "object", "properties": { "degrees": { "type": "number" } } }));
    let mut icon = Icon::new("https://example.com/sun.png");
    icon.mime_type = Some("image/png".to_owned());
    icon.theme = Some(IconTheme::Light);
    let weather = Tool::new("weather", "Tells the weather of a city.", Arc::clone(&input))
        .with_title("Weather")
        .with_raw_output_schema(Arc::new(output))
        .with_icons(vec![icon])
        .with_annotations(ToolAnnotations::new().read_only(true).destructive(false));
    let forecast = Tool::new("forecast", "Tells the weather of tomorrow.", input);
    let cities = Tool::new_with_raw("cities", None, object(json!({ "type": "object" })));
    let mut result = ListToolsResult::with_all_items(vec![weather, forecast, cities]);
    result.next_cursor = Some("2".to_owned());
    result
}

fn called() -> CallToolResult {
    let annotations = || Annotations::default().with_audience(vec![Role::User, Role::Assistant]).with_priority(0.5);
    let link = Resource::new("file:///weather.csv", "weather.csv").with_mime_type("text/csv").with_size(1024);
    let content = vec![
        ContentBlock::Text(TextContent::new("22 degrees").with_annotations(annotations())),
        ContentBlock::Image(ImageContent::new("iVBORw0KGgo=", "image/png").with_annotations(annotations())),
        ContentBlock::Audio(AudioContent::new("UklGRg==", "audio/wav")),
        ContentBlock::ResourceLink(link),
        ContentBlock::Resource(EmbeddedResource::new(ResourceContents::text("city,degrees", "file:///a.csv"))),
        ContentBlock::Resource(EmbeddedResource::new(ResourceContents::blob("iVBORw0KGgo=", "file:///a.png"))),
    ];
    let mut result = CallToolResult::success(content);
    result.structured_content = Some(json!({ "degrees": 22.5 }));
    result
}
