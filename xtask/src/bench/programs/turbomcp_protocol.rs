//! As `mcp_wire.rs`, with turbomcp-protocol: params and results are read as the method says, out of an envelope that
//! holds a `Value`.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use turbomcp_core::{JsonRpcMessage, RequestId};
use turbomcp_protocol::v2025_11_25::types::{
    Annotations, AudioContent, BlobResourceContents, CallToolRequestParams, CallToolResult, CancelTaskRequestParams,
    CancelTaskResult, CancelledNotificationParams, CompleteRequestParams, CompleteResult, ContentBlock,
    CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams, ElicitResult,
    ElicitationCompleteNotificationParams, EmbeddedResource, GetPromptRequestParams, GetPromptResult,
    GetTaskPayloadRequestParams, GetTaskPayloadResult, GetTaskRequestParams, GetTaskResult, Icon, IconTheme,
    ImageContent, Implementation, InitializeRequestParams, InitializeResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListRootsResult, ListTasksResult, ListToolsResult,
    LoggingMessageNotificationParams, NotificationParams, PaginatedRequestParams, ProgressNotificationParams,
    ReadResourceRequestParams, ReadResourceResult, RequestParams, ResourceLink, ResourceUpdatedNotificationParams,
    Role, ServerCapabilities, ServerCapabilitiesTools, SetLevelRequestParams, SubscribeRequestParams,
    TaskStatusNotificationParams, TextContent, TextResourceContents, Tool, ToolAnnotations, ToolExecution,
    ToolExecutionTaskSupport, ToolInputSchema, ToolOutputSchema, UnsubscribeRequestParams,
};

fn main() {
    print(&opened());
    print(&tools());
    print(&called());
    let (mut by_client, mut by_server) = (HashMap::new(), HashMap::new());
    for line in std::io::stdin().lines() {
        let Ok(line) = line else { break };
        let printed = match line.split_once(' ') {
            Some(("c", text)) => pass(text, &mut by_client, &by_server),
            Some(("s", text)) => pass(text, &mut by_server, &by_client),
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

type Asked = HashMap<RequestId, String>;

/// Through the type that the method asks for, and back.
fn through<T: Serialize + DeserializeOwned>(value: Value) -> serde_json::Result<Value> {
    serde_json::to_value(serde_json::from_value::<T>(value)?)
}

fn pass(text: &str, asked: &mut Asked, asked_by_other: &Asked) -> serde_json::Result<String> {
    let mut message: JsonRpcMessage = serde_json::from_str(text)?;
    match &mut message {
        JsonRpcMessage::Request(request) => {
            asked.insert(request.id.clone(), request.method.clone());
            let params = request.params.take();
            request.params = params.map(|params| self::params(&request.method, params)).transpose()?;
        }
        JsonRpcMessage::Notification(notification) => {
            let params = notification.params.take();
            notification.params = params.map(|params| self::params(&notification.method, params)).transpose()?;
        }
        JsonRpcMessage::Response(response) => {
            let method = asked_by_other.get(&response.id).map_or("", String::as_str);
            let result = response.result.take();
            response.result = result.map(|result| self::result(method, result)).transpose()?;
        }
    }
    serde_json::to_string(&message)
}

fn params(method: &str, params: Value) -> serde_json::Result<Value> {
    match method {
        "initialize" => through::<InitializeRequestParams>(params),
        "ping" | "roots/list" => through::<RequestParams>(params),
        "tools/list" | "resources/list" | "resources/templates/list" | "prompts/list" | "tasks/list" => {
            through::<PaginatedRequestParams>(params)
        }
        "tools/call" => through::<CallToolRequestParams>(params),
        "resources/read" => through::<ReadResourceRequestParams>(params),
        "resources/subscribe" => through::<SubscribeRequestParams>(params),
        "resources/unsubscribe" => through::<UnsubscribeRequestParams>(params),
        "prompts/get" => through::<GetPromptRequestParams>(params),
        "completion/complete" => through::<CompleteRequestParams>(params),
        "logging/setLevel" => through::<SetLevelRequestParams>(params),
        "tasks/get" => through::<GetTaskRequestParams>(params),
        "tasks/result" => through::<GetTaskPayloadRequestParams>(params),
        "tasks/cancel" => through::<CancelTaskRequestParams>(params),
        "sampling/createMessage" => through::<CreateMessageRequestParams>(params),
        "elicitation/create" => through::<ElicitRequestParams>(params),
        "notifications/cancelled" => through::<CancelledNotificationParams>(params),
        "notifications/progress" => through::<ProgressNotificationParams>(params),
        "notifications/message" => through::<LoggingMessageNotificationParams>(params),
        "notifications/resources/updated" => through::<ResourceUpdatedNotificationParams>(params),
        "notifications/tasks/status" => through::<TaskStatusNotificationParams>(params),
        "notifications/elicitation/complete" => through::<ElicitationCompleteNotificationParams>(params),
        _ if method.starts_with("notifications/") => through::<NotificationParams>(params),
        _ => Ok(params),
    }
}

fn result(method: &str, result: Value) -> serde_json::Result<Value> {
    match method {
        "initialize" => through::<InitializeResult>(result),
        "tools/list" => through::<ListToolsResult>(result),
        "tools/call" => through::<CallToolResult>(result),
        "resources/list" => through::<ListResourcesResult>(result),
        "resources/templates/list" => through::<ListResourceTemplatesResult>(result),
        "resources/read" => through::<ReadResourceResult>(result),
        "prompts/list" => through::<ListPromptsResult>(result),
        "prompts/get" => through::<GetPromptResult>(result),
        "completion/complete" => through::<CompleteResult>(result),
        "tasks/get" => through::<GetTaskResult>(result),
        "tasks/list" => through::<ListTasksResult>(result),
        "tasks/result" => through::<GetTaskPayloadResult>(result),
        "tasks/cancel" => through::<CancelTaskResult>(result),
        "sampling/createMessage" => through::<CreateMessageResult>(result),
        "elicitation/create" => through::<ElicitResult>(result),
        "roots/list" => through::<ListRootsResult>(result),
        _ => Ok(result),
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn opened() -> InitializeResult {
    let capabilities = ServerCapabilities {
        completions: Map::new(),
        experimental: BTreeMap::new(),
        logging: Map::new(),
        prompts: None,
        resources: None,
        tasks: None,
        tools: Some(ServerCapabilitiesTools { list_changed: Some(true) }),
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
        meta: Map::new(),
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
        meta: Map::new(),
        name: name.to_owned(),
        output_schema: None,
        title: None,
    }
}

fn input(properties: Map<String, Value>, required: &[&str]) -> ToolInputSchema {
    ToolInputSchema {
        properties: properties.into_iter().map(|(name, value)| (name, object(value))).collect(),
        required: required.iter().map(|name| (*name).to_owned()).collect(),
        schema: None,
        type_: "object".to_owned(),
        extra: Map::new(),
    }
}

fn tools() -> ListToolsResult {
    let cities = || input(object(json!({ "city": { "type": "string", "description": "Where" } })), &["city"]);
    let degrees = ToolOutputSchema {
        properties: BTreeMap::from([("degrees".to_owned(), object(json!({ "type": "number" })))]),
        required: Vec::new(),
        schema: None,
        type_: "object".to_owned(),
        extra: Map::new(),
    };
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
        output_schema: Some(degrees),
        title: Some("Weather".to_owned()),
        ..tool("weather", Some("Tells the weather of a city."), cities())
    };
    let forecast = Tool {
        execution: Some(ToolExecution { task_support: Some(ToolExecutionTaskSupport::Optional) }),
        ..tool("forecast", Some("Tells the weather of tomorrow."), cities())
    };
    let cities = tool("cities", None, input(Map::new(), &[]));
    ListToolsResult { meta: Map::new(), next_cursor: Some("2".to_owned()), tools: vec![weather, forecast, cities] }
}

fn called() -> CallToolResult {
    let annotations = || {
        let audience = vec![Role::User, Role::Assistant];
        Some(Annotations { audience, last_modified: None, priority: Some(0.5) })
    };
    let text = TextContent {
        annotations: annotations(),
        meta: Map::new(),
        text: "22 degrees".to_owned(),
        type_: "text".to_owned(),
    };
    let image = ImageContent {
        annotations: annotations(),
        data: "iVBORw0KGgo=".to_owned(),
        meta: Map::new(),
        mime_type: "image/png".to_owned(),
        type_: "image".to_owned(),
    };
    let audio = AudioContent {
        annotations: None,
        data: "UklGRg==".to_owned(),
        meta: Map::new(),
        mime_type: "audio/wav".to_owned(),
        type_: "audio".to_owned(),
    };
    let link = ResourceLink {
        annotations: None,
        description: None,
        icons: Vec::new(),
        meta: Map::new(),
        mime_type: Some("text/csv".to_owned()),
        name: "weather.csv".to_owned(),
        size: Some(1024),
        title: None,
        type_: "resource_link".to_owned(),
        uri: "file:///weather.csv".to_owned(),
    };
    let table = TextResourceContents {
        meta: Map::new(),
        mime_type: None,
        text: "city,degrees".to_owned(),
        uri: "file:///a.csv".to_owned(),
    };
    let picture = BlobResourceContents {
        blob: "iVBORw0KGgo=".to_owned(),
        meta: Map::new(),
        mime_type: None,
        uri: "file:///a.png".to_owned(),
    };
    let embedded =
        |resource| EmbeddedResource { annotations: None, meta: Map::new(), resource, type_: "resource".to_owned() };
    let content: Vec<ContentBlock> = vec![
        text.into(),
        image.into(),
        audio.into(),
        link.into(),
        embedded(table.into()).into(),
        embedded(picture.into()).into(),
    ];
    CallToolResult {
        content,
        is_error: Some(false),
        meta: Map::new(),
        structured_content: object(json!({ "degrees": 22.5 })),
    }
}
