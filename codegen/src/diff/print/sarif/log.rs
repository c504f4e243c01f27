//! Log: the part of SARIF that is used here, under its own names.

use serde::Serialize;

use crate::diff::lines::Position;
use crate::diff::path::Path;
use crate::diff::report::{Flow, Severity, Side, Verdict};

#[derive(Serialize)]
pub(super) struct Log<'a> {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run<'a> {
    pub(super) tool: Tool,
    pub(super) invocations: [Invocation; 1],
    /// What a column counts. Without it, consumers count in different ways.
    pub(super) column_kind: &'static str,
    pub(super) results: Vec<SarifResult<'a>>,
}

#[derive(Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) information_uri: &'static str,
    pub(super) rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor {
    pub(super) id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) short_description: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) full_description: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default_configuration: Option<Configuration>,
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    /// Warnings about the ignore file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tool_configuration_notifications: Vec<Notification>,
}

#[derive(Serialize)]
pub(super) struct Notification {
    pub(super) level: &'static str,
    pub(super) message: Message,
}

#[derive(Serialize)]
pub(super) struct Message {
    pub(super) text: String,
}

impl Message {
    pub(super) fn new(text: &str) -> Self {
        // In a message, braces stand for arguments unless they are doubled (3.11.5), and `[…](…)` for a link (3.11.6).
        // Nothing a schema says should become a link.
        Self { text: text.replace('{', "{{").replace('}', "}}").replace("](", "] (") }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult<'a> {
    pub(super) rule_id: &'a str,
    pub(super) rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: Message,
    pub(super) locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<Location>,
    pub(super) partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) suppressions: Vec<Suppression<'a>>,
    pub(super) properties: Properties<'a>,
}

#[derive(Serialize)]
pub(super) struct Fingerprints {
    #[serde(rename = "mcpWireChange/v1")]
    pub(super) change: String,
}

#[derive(Serialize)]
pub(super) struct Suppression<'a> {
    pub(super) kind: &'static str,
    pub(super) status: &'static str,
    pub(super) justification: &'a str,
    pub(super) properties: Expiry<'a>,
}

#[derive(Serialize)]
pub(super) struct Expiry<'a> {
    pub(super) expires: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    pub(super) physical_location: PhysicalLocation,
    pub(super) logical_locations: [LogicalLocation; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Message>,
}

impl Location {
    pub(super) fn new(side: &Side, position: Option<Position>, path: &Path<'_>) -> Self {
        let region = position.map(|Position { line, column }| Region { start_line: line, start_column: column });
        Self {
            id: None,
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri: uri(&side.file) },
                region,
            },
            logical_locations: [LogicalLocation { fully_qualified_name: path.to_string() }],
            message: None,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region>,
}

#[derive(Serialize)]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: usize,
    pub(super) start_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogicalLocation {
    pub(super) fully_qualified_name: String,
}

/// Members of the report that SARIF has no place for.
#[derive(Serialize)]
pub(super) struct Properties<'a> {
    pub(super) old: &'a str,
    pub(super) new: &'a str,
    pub(super) path: &'a Path<'static>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) severity: Option<Severity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) area: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) flow: Option<Flow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) old_client_new_server: Option<&'a Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) new_client_old_server: Option<&'a Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) before: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<&'a str>,
}

/// A path as a URI: relative as it is, absolute as a `file` URI.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut path = path.as_str();
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    let mut letters = path.chars();
    let drive = match (letters.next(), letters.next(), letters.next()) {
        (Some(drive), Some(':'), Some('/')) if drive.is_ascii_alphabetic() => Some(drive),
        _ => None,
    };
    match drive {
        // The colon of a drive stays. Any other colon would look like the end of a scheme.
        Some(drive) => format!("file:///{drive}:/{}", encode(letters.as_str())),
        None if path.starts_with("//") => format!("file:{}", encode(path)),
        None if path.starts_with('/') => format!("file://{}", encode(path)),
        None => encode(path),
    }
}

/// Percent-encodes every character with a meaning in a URI, except for slashes.
fn encode(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'.' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}
