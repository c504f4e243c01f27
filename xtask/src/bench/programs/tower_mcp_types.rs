//! As `mcp_wire.rs`, with tower-mcp-types: requests and notifications of a client have enums, which are read and not
//! written; what a server sends is read as its method says.

use std::collections::HashMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tower_mcp_types::protocol::{
    CallToolResult, CancelledParams, CompleteResult, Content, ContentAnnotations, ContentRole, CreateMessageParams,
    ElicitRequestParams, ElicitationCompleteParams, EmptyResult, GetPromptResult, IconTheme, Implementation,
    InitializeResult, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListRootsParams, ListToolsResult, LoggingCapability,
    LoggingMessageParams, McpNotification, McpRequest, ProgressParams, ReadResourceResult, RequestId, ResourceContent,
    ServerCapabilities, TaskObject, TaskStatusParams, TaskSupportMode, ToolAnnotations, ToolDefinition, ToolExecution,
    ToolIcon, ToolsCapability,
};

fn main() {
    print(&opened());
    print(&tools());
    print(&called());
    let mut asked = HashMap::new();
    for line in std::io::stdin().lines() {
        let Ok(line) = line else { break };
        let printed = match line.split_once(' ') {
            Some(("c", text)) => client(text, &mut asked),
            Some(("s", text)) => server(text, &asked),
            _ => continue,
        };
        match printed {
            Ok(text) => println!("{text}"),
            Err(error) => println!("refused: {error}"),
        }
    }
}

type Printed = Result<String, Box<dyn std::error::Error>>;

fn print(value: &impl Serialize) {
    println!("{}", serde_json::to_string(value).unwrap_or_default());
}

/// Through the type that the method asks for, and back.
fn through<T: Serialize + DeserializeOwned>(value: Value) -> serde_json::Result<Value> {
    serde_json::to_value(serde_json::from_value::<T>(value)?)
}

fn client(text: &str, asked: &mut HashMap<RequestId, String>) -> Printed {
    let value: Value = serde_json::from_str(text)?;
    if value.get("method").is_none() {
        return Ok(serde_json::to_string(&serde_json::from_value::<JsonRpcResponse>(value)?)?);
    }
    if value.get("id").is_none() {
        let mut notification: JsonRpcNotification = serde_json::from_value(value)?;
        let params = match McpNotification::from_jsonrpc(&notification)? {
            McpNotification::Cancelled(params) => Some(serde_json::to_value(params)?),
            McpNotification::Progress(params) => Some(serde_json::to_value(params)?),
            _ => notification.params.take(),
        };
        notification.params = params;
        return Ok(serde_json::to_string(&notification)?);
    }
    let mut request: JsonRpcRequest = serde_json::from_value(value)?;
    asked.insert(request.id.clone(), request.method.clone());
    if request.params.is_some() {
        request.params = params(McpRequest::from_jsonrpc(&request)?)?;
    }
    Ok(serde_json::to_string(&request)?)
}

fn params(request: McpRequest) -> serde_json::Result<Option<Value>> {
    Ok(Some(match request {
        McpRequest::Initialize(params) => serde_json::to_value(params)?,
        McpRequest::ListTools(params) => serde_json::to_value(params)?,
        McpRequest::CallTool(params) => serde_json::to_value(params)?,
        McpRequest::ListResources(params) => serde_json::to_value(params)?,
        McpRequest::ListResourceTemplates(params) => serde_json::to_value(params)?,
        McpRequest::ReadResource(params) => serde_json::to_value(params)?,
        // These three can be read only.
        McpRequest::SubscribeResource(params) => json!({ "uri": params.uri }),
        McpRequest::UnsubscribeResource(params) => json!({ "uri": params.uri }),
        McpRequest::ListPrompts(params) => serde_json::to_value(params)?,
        McpRequest::GetPrompt(params) => serde_json::to_value(params)?,
        McpRequest::GetTaskInfo(params) => serde_json::to_value(params)?,
        McpRequest::UpdateTask(params) => serde_json::to_value(params)?,
        McpRequest::CancelTask(params) => serde_json::to_value(params)?,
        McpRequest::SetLoggingLevel(params) => json!({ "level": params.level }),
        McpRequest::Complete(params) => serde_json::to_value(params)?,
        McpRequest::Unknown { params, .. } => return Ok(params),
        _ => return Ok(None),
    }))
}

fn server(text: &str, asked: &HashMap<RequestId, String>) -> Printed {
    let value: Value = serde_json::from_str(text)?;
    let Some(method) = value.get("method") else {
        let response: JsonRpcResponse = serde_json::from_value(value)?;
        return Ok(match response {
            JsonRpcResponse::Result(mut response) => {
                let method = asked.get(&response.id).map_or("", String::as_str);
                response.result = result(method, response.result)?;
                serde_json::to_string(&response)?
            }
            other => serde_json::to_string(&other)?,
        });
    };
    let method = method.as_str().unwrap_or_default().to_owned();
    if value.get("id").is_some() {
        let mut request: JsonRpcRequest = serde_json::from_value(value)?;
        let params = request.params.take();
        request.params = params
            .map(|params| match method.as_str() {
                "sampling/createMessage" => through::<CreateMessageParams>(params),
                "elicitation/create" => through::<ElicitRequestParams>(params),
                "roots/list" => through::<ListRootsParams>(params),
                _ => Ok(params),
            })
            .transpose()?;
        return Ok(serde_json::to_string(&request)?);
    }
    let mut notification: JsonRpcNotification = serde_json::from_value(value)?;
    let params = notification.params.take();
    notification.params = params
        .map(|params| match method.as_str() {
            "notifications/cancelled" => through::<CancelledParams>(params),
            "notifications/progress" => through::<ProgressParams>(params),
            "notifications/message" => through::<LoggingMessageParams>(params),
            "notifications/tasks/status" => through::<TaskStatusParams>(params),
            "notifications/elicitation/complete" => through::<ElicitationCompleteParams>(params),
            _ => Ok(params),
        })
        .transpose()?;
    Ok(serde_json::to_string(&notification)?)
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
        "tasks/get" | "tasks/cancel" => through::<TaskObject>(result),
        "ping" | "logging/setLevel" => through::<EmptyResult>(result),
        _ => Ok(result),
    }
}

fn opened() -> InitializeResult {
    let server_info = Implementation {
        name: "example".to_owned(),
        version: "1.0.0".to_owned(),
        title: Some("An example".to_owned()),
        ..Implementation::default()
    };
    let capabilities = ServerCapabilities {
        tools: Some(ToolsCapability { list_changed: true }),
        logging: Some(LoggingCapability::default()),
        ..ServerCapabilities::default()
    };
    InitializeResult {
        protocol_version: "2025-11-25".to_owned(),
        capabilities,
        server_info,
        instructions: Some("Ask for the weather.".to_owned()),
        meta: None,
    }
}

fn tool(name: &str, description: Option<&str>, input_schema: Value) -> ToolDefinition {
    ToolDefinition {
        name: name.to_owned(),
        title: None,
        description: description.map(str::to_owned),
        input_schema,
        output_schema: None,
        icons: None,
        annotations: None,
        execution: None,
        meta: None,
    }
}

fn tools() -> ListToolsResult {
    let input = json!({
        "type": "object",
        "properties": { "city": { "type": "string", "description": "Where" } },
        "required": ["city"],
    });
    let icon = ToolIcon {
        src: "https://example.com/sun.png".to_owned(),
        mime_type: Some("image/png".to_owned()),
        sizes: None,
        theme: Some(IconTheme::Light),
    };
    let weather = ToolDefinition {
        title: Some("Weather".to_owned()),
        output_schema: Some(json!({ "type": "object", "properties": { "degrees": { "type": "number" } } })),
        icons: Some(vec![icon]),
        annotations: Some(ToolAnnotations {
            read_only_hint: true,
            destructive_hint: false,
            ..ToolAnnotations::default()
        }),
        ..tool("weather", Some("Tells the weather of a city."), input.clone())
    };
    let forecast = ToolDefinition {
        execution: Some(ToolExecution { task_support: Some(TaskSupportMode::Optional) }),
        ..tool("forecast", Some("Tells the weather of tomorrow."), input)
    };
    let cities = tool("cities", None, json!({ "type": "object" }));
    ListToolsResult {
        tools: vec![weather, forecast, cities],
        next_cursor: Some("2".to_owned()),
        ttl_ms: None,
        cache_scope: None,
        meta: None,
    }
}

fn called() -> CallToolResult {
    let annotations = || {
        let audience = Some(vec![ContentRole::User, ContentRole::Assistant]);
        Some(ContentAnnotations { audience, priority: Some(0.5), last_modified: None })
    };
    let resource = |uri: &str, text: Option<&str>, blob: Option<&str>| Content::Resource {
        resource: ResourceContent {
            uri: uri.to_owned(),
            mime_type: None,
            text: text.map(str::to_owned),
            blob: blob.map(str::to_owned),
            meta: None,
        },
        annotations: None,
        meta: None,
    };
    let content = vec![
        Content::Text { text: "22 degrees".to_owned(), annotations: annotations(), meta: None },
        Content::Image {
            data: "iVBORw0KGgo=".to_owned(),
            mime_type: "image/png".to_owned(),
            annotations: annotations(),
            meta: None,
        },
        Content::Audio {
            data: "UklGRg==".to_owned(),
            mime_type: "audio/wav".to_owned(),
            annotations: None,
            meta: None,
        },
        Content::ResourceLink {
            uri: "file:///weather.csv".to_owned(),
            name: "weather.csv".to_owned(),
            title: None,
            description: None,
            mime_type: Some("text/csv".to_owned()),
            size: Some(1024),
            icons: None,
            annotations: None,
            meta: None,
        },
        resource("file:///a.csv", Some("city,degrees"), None),
        resource("file:///a.png", None, Some("iVBORw0KGgo=")),
    ];
    CallToolResult { content, is_error: false, structured_content: Some(json!({ "degrees": 22.5 })), meta: None }
}
