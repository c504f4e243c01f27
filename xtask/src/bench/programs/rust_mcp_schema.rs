//! As `mcp_wire.rs`, with rust-mcp-schema and its utilities.

use std::collections::BTreeMap;
use std::str::FromStr;

use rust_mcp_schema::schema_utils::{ClientMessage, ServerMessage};
use rust_mcp_schema::{
    Annotations, AudioContent, BlobResourceContents, CallToolResult, ContentBlock, EmbeddedResource, Icon, IconTheme,
    ImageContent, Implementation, InitializeResult, ListToolsResult, ResourceLink, Role, ServerCapabilities,
    ServerCapabilitiesTools, TextContent, TextResourceContents, Tool, ToolAnnotations, ToolExecution,
    ToolExecutionTaskSupport, ToolInputSchema, ToolOutputSchema,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

fn main() {
    print(&opened());
    print(&tools());
    print(&called());
    for line in std::io::stdin().lines() {
        let Ok(line) = line else { break };
        let printed = match line.split_once(' ') {
            Some(("c", text)) => match ClientMessage::from_str(text) {
                Ok(message) => serde_json::to_string(&message).map_err(|error| error.to_string()),
                Err(error) => Err(format!("{error:?}")),
            },
            Some(("s", text)) => match ServerMessage::from_str(text) {
                Ok(message) => serde_json::to_string(&message).map_err(|error| error.to_string()),
                Err(error) => Err(format!("{error:?}")),
            },
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

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn opened() -> InitializeResult {
    let capabilities = ServerCapabilities {
        tools: Some(ServerCapabilitiesTools { list_changed: Some(true) }),
        logging: Some(Map::new()),
        ..ServerCapabilities::default()
    };
    let server_info = Implementation {
        description: None,
        icons: Vec::new(),
        name: "example".to_owned(),
        title: Some("An example".to_owned()),
        version: "1.0.0".to_owned(),
        website_url: None,
    };
    InitializeResult {
        capabilities,
        instructions: Some("Ask for the weather.".to_owned()),
        meta: None,
        protocol_version: "2025-11-25".to_owned(),
        server_info,
    }
}

fn tool(name: &str, description: Option<&str>, input_schema: ToolInputSchema) -> Tool {
    Tool {
        annotations: None,
        description: description.map(str::to_owned),
        execution: None,
        icons: Vec::new(),
        input_schema,
        meta: None,
        name: name.to_owned(),
        output_schema: None,
        title: None,
    }
}

fn tools() -> ListToolsResult {
    let cities = BTreeMap::from([("city".to_owned(), object(json!({ "type": "string", "description": "Where" })))]);
    let input = ToolInputSchema::new(vec!["city".to_owned()], Some(cities), None);
    let degrees = BTreeMap::from([("degrees".to_owned(), object(json!({ "type": "number" })))]);
    let icon = Icon {
        mime_type: Some("image/png".to_owned()),
        sizes: Vec::new(),
        src: "https://example.com/sun.png".to_owned(),
        theme: Some(IconTheme::Light),
    };
    let hints = ToolAnnotations {
        destructive_hint: Some(false),
        idempotent_hint: None,
        open_world_hint: None,
        read_only_hint: Some(true),
        title: None,
    };
    let weather = Tool {
        annotations: Some(hints),
        icons: vec![icon],
        output_schema: Some(ToolOutputSchema::new(Vec::new(), Some(degrees), None)),
        title: Some("Weather".to_owned()),
        ..tool("weather", Some("Tells the weather of a city."), input.clone())
    };
    let forecast = Tool {
        execution: Some(ToolExecution { task_support: Some(ToolExecutionTaskSupport::Optional) }),
        ..tool("forecast", Some("Tells the weather of tomorrow."), input)
    };
    let cities = tool("cities", None, ToolInputSchema::new(Vec::new(), None, None));
    ListToolsResult { meta: None, next_cursor: Some("2".to_owned()), tools: vec![weather, forecast, cities] }
}

fn called() -> CallToolResult {
    let annotations =
        || Annotations { audience: vec![Role::User, Role::Assistant], last_modified: None, priority: Some(0.5) };
    let link = ResourceLink::new(
        Vec::new(),
        "weather.csv".to_owned(),
        "file:///weather.csv".to_owned(),
        None,
        None,
        None,
        Some("text/csv".to_owned()),
        Some(1024),
        None,
    );
    let table = TextResourceContents {
        meta: None,
        mime_type: None,
        text: "city,degrees".to_owned(),
        uri: "file:///a.csv".to_owned(),
    };
    let picture = BlobResourceContents {
        blob: "iVBORw0KGgo=".to_owned(),
        meta: None,
        mime_type: None,
        uri: "file:///a.png".to_owned(),
    };
    let content: Vec<ContentBlock> = vec![
        TextContent::new("22 degrees".to_owned(), Some(annotations()), None).into(),
        ImageContent::new("iVBORw0KGgo=".to_owned(), "image/png".to_owned(), Some(annotations()), None).into(),
        AudioContent::new("UklGRg==".to_owned(), "audio/wav".to_owned(), None, None).into(),
        link.into(),
        EmbeddedResource::new(table.into(), None, None).into(),
        EmbeddedResource::new(picture.into(), None, None).into(),
    ];
    let structured_content = Some(object(json!({ "degrees": 22.5 })));
    CallToolResult { content, is_error: Some(false), meta: None, structured_content }
}
