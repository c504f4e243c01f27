//! The order of members, and so of what constructors take.

/// Members in the order a person expects, first those of the envelope. Members that are not listed follow in
/// alphabetical order, [`LAST`] come at the end.
const ORDER: &[&str] = &[
    "jsonrpc",
    "id",
    "method",
    "type",
    "mode",
    "role",
    "code",
    "uri",
    "uriTemplate",
    "ref",
    "protocolVersion",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientInfo",
    "capabilities",
    "io.modelcontextprotocol/clientCapabilities",
    "clientInfo",
    "serverInfo",
    "supportedVersions",
    "taskId",
    "toolUseId",
    "const",
    "name",
    "title",
    "version",
    "message",
    "description",
    "status",
    "action",
    "level",
    "progressToken",
    "progress",
    "total",
    "supported",
    "requested",
    "tools",
    "prompts",
    "resources",
    "resourceTemplates",
    "roots",
    "tasks",
    "messages",
    "content",
    "contents",
    "completion",
    "text",
    "blob",
    "data",
    "mimeType",
    "argument",
    "arguments",
    "value",
    "values",
    "url",
    "requestedSchema",
    "inputSchema",
    "outputSchema",
    "input",
    "params",
    "result",
    "error",
    "createdAt",
    "lastUpdatedAt",
    "ttl",
    "model",
    "maxTokens",
    "nextCursor",
    "ttlMs",
    "cacheScope",
];

/// Members that come after all others.
const LAST: &[&str] = &["annotations", "_meta"];

/// The place of a member among others.
pub fn rank(wire: &str) -> (usize, &str) {
    let rank = match ORDER.iter().position(|known| *known == wire) {
        Some(position) => position,
        None => match LAST.iter().position(|known| *known == wire) {
            Some(position) => ORDER.len() + 1 + position,
            None => ORDER.len(),
        },
    };
    (rank, wire)
}
