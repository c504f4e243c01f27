//! What is built beside mcp-wire: a result, read and written back, with the types that it takes and nothing besides.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallToolResult {
    content: Vec<ContentBlock>,
    is_error: Option<bool>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum ContentBlock {
    Text {
        text: String,
    },
    Image {
        data: String,
        #[serde(rename = "mimeType")]
        mime_type: String,
    },
}

fn main() -> Result<(), serde_json::Error> {
    let text = r#"{"content":[{"type":"text","text":"22 °C"}],"isError":false}"#;
    let result: CallToolResult = serde_json::from_str(text)?;
    println!("{}", serde_json::to_string(&result)?);
    Ok(())
}
