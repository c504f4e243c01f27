//! Three results, built from types of one revision.

use crate::revision::{
    Annotations, AudioContent, BlobResourceContents, CallToolResult, Dict, EmbeddedResource, Icon, IconTheme,
    ImageContent, Implementation, InitializeResult, ListToolsResult, ResourceLink, Role, ServerCapabilities,
    ServerCapabilitiesTools, TextContent, TextResourceContents, Tool, ToolAnnotations, ToolExecution,
    ToolExecutionTaskSupport, ToolInputSchema, ToolOutputSchema, json_object, to_string,
};

pub fn print() {
    println!("{}", to_string(&opened()));
    println!("{}", to_string(&tools()));
    println!("{}", to_string(&called()));
}

fn opened() -> InitializeResult {
    let mut tools = ServerCapabilitiesTools::new();
    tools.list_changed = Some(true);
    let capabilities = ServerCapabilities::new().with_tools(tools).with_logging(json_object! {});
    let server = Implementation::new("example", "1.0.0").with_title("An example");
    InitializeResult::new("2025-11-25", capabilities, server).with_instructions("Ask for the weather.")
}

fn tools() -> ListToolsResult {
    let mut cities = Dict::new();
    cities.insert("city".to_owned(), json_object! { "type": "string", "description": "Where" });
    let mut degrees = Dict::new();
    degrees.insert("degrees".to_owned(), json_object! { "type": "number" });
    let input = || ToolInputSchema::new().with_properties(cities.clone()).with_required(vec!["city".to_owned()]);
    let icon = Icon::new("https://example.com/sun.png").with_mime_type("image/png").with_theme(IconTheme::Light);
    let hints = ToolAnnotations::new().with_read_only_hint(true).with_destructive_hint(false);
    let weather = Tool::new("weather", input())
        .with_title("Weather")
        .with_description("Tells the weather of a city.")
        .with_output_schema(ToolOutputSchema::new().with_properties(degrees))
        .with_icons(vec![icon])
        .with_annotations(hints);
    let forecast = Tool::new("forecast", input())
        .with_description("Tells the weather of tomorrow.")
        .with_execution(ToolExecution::new().with_task_support(ToolExecutionTaskSupport::Optional));
    ListToolsResult::new(vec![weather, forecast, Tool::new("cities", ToolInputSchema::new())]).with_next_cursor("2")
}

fn called() -> CallToolResult {
    let annotations = || Annotations::new().with_audience(vec![Role::User, Role::Assistant]).with_priority(0.5);
    let text = TextContent::new("22 degrees").with_annotations(annotations());
    let image = ImageContent::new("iVBORw0KGgo=", "image/png").with_annotations(annotations());
    let audio = AudioContent::new("UklGRg==", "audio/wav");
    let link = ResourceLink::new("file:///weather.csv", "weather.csv").with_mime_type("text/csv").with_size(1024);
    let table = EmbeddedResource::new(TextResourceContents::new("file:///a.csv", "city,degrees"));
    let picture = EmbeddedResource::new(BlobResourceContents::new("file:///a.png", "iVBORw0KGgo="));
    let blocks = vec![text.into(), image.into(), audio.into(), link.into(), table.into(), picture.into()];
    CallToolResult::new(blocks).with_is_error(false).with_structured_content(json_object! { "degrees": 22.5 })
}
