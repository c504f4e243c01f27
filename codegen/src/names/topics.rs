//! Topics: the modules of a crate, the pages of the specification, the areas of a report.

/// The files of a crate, with the page of the specification that describes them (up to 2025-03-26, later revisions have
/// a page for the whole schema) and what the name of a definition contains, or, with `^` and `$`, begins or ends with.
/// The first match counts.
const TOPICS: &[(&str, &str, &[&str])] = &[
    (
        "jsonrpc",
        "basic",
        &["^JSONRPC", "RequestId", "^Request$", "^Notification$", "^Result$", "^EmptyResult$", "ResultType"],
    ),
    (
        "messages",
        "basic",
        &[
            "^ClientRequest",
            "^ClientNotification",
            "^ClientResult",
            "^ServerRequest",
            "^ServerNotification",
            "^ServerResult",
            "^InputRe",
        ],
    ),
    ("errors", "basic", &["Error$"]),
    ("lifecycle", "basic/lifecycle", &["Initialize", "Capabilities", "Implementation", "Ping", "Discover"]),
    (
        "sampling",
        "client/sampling",
        &[
            "Sampling",
            "CreateMessage",
            "ModelHint",
            "ModelPreferences",
            "ToolChoice",
            "ToolUseContent",
            "ToolResultContent",
            "StopReason",
        ],
    ),
    ("elicitation", "client/elicitation", &["Elicit", "Schema$", "PrimitiveSchema"]),
    ("tasks", "basic/utilities/tasks", &["Task"]),
    ("completion", "server/utilities/completion", &["Complete", "Reference$"]),
    ("logging", "server/utilities/logging", &["Logging", "SetLevel"]),
    ("roots", "client/roots", &["Root"]),
    ("subscriptions", "server/resources", &["Subscription"]),
    (
        "content",
        "server/tools",
        &["Content$", "ContentBlock", "EmbeddedResource", "ResourceLink", "^Annotations$", "^Icon", "^Role$"],
    ),
    ("resources", "server/resources", &["Resource", "ubscribe"]),
    ("prompts", "server/prompts", &["Prompt"]),
    ("tools", "server/tools", &["Tool"]),
    ("common", "basic", &[""]),
];

/// The file a definition belongs to.
pub fn topic(definition: &str) -> &'static str {
    let found = TOPICS.iter().find(|(_, _, patterns)| patterns.iter().any(|pattern| matches(pattern, definition)));
    found.map_or("common", |(topic, _, _)| topic)
}

fn matches(pattern: &str, name: &str) -> bool {
    let start = pattern.strip_prefix('^');
    let end = pattern.strip_suffix('$');
    match (start, end) {
        (Some(_), Some(_)) => name == pattern.trim_matches(['^', '$']),
        (Some(start), None) => name.starts_with(start),
        (None, Some(end)) => name.ends_with(end),
        (None, None) => name.contains(pattern),
    }
}

/// Areas of the protocol in the order a person reads about them.
const AREAS: &[&str] = &[
    "lifecycle",
    "tools",
    "resources",
    "prompts",
    "completion",
    "sampling",
    "elicitation",
    "roots",
    "tasks",
    "subscriptions",
    "logging",
    "content",
    "messages",
    "jsonrpc",
    "errors",
    "common",
];

/// The place of an area in reports; those that are not listed come last.
pub fn area_rank(area: &str) -> usize {
    AREAS.iter().position(|known| *known == area).unwrap_or(AREAS.len())
}

/// What a module is about, in a few words for its first line.
pub fn topic_title(topic: &str) -> String {
    let title = match topic {
        "common" => "What belongs to no single topic.",
        "completion" => "Completion of arguments while they are typed.",
        "content" => "Content of messages and results: text, images, audio, resources.",
        "elicitation" => "Elicitation: a server asks the user.",
        "errors" => "Errors and their data.",
        "jsonrpc" => "The JSON-RPC envelope: ids, requests, notifications, responses.",
        "lifecycle" => "The start of a connection: versions, capabilities, implementations.",
        "logging" => "Log messages and their levels.",
        "messages" => "Lists of the messages that each side may send.",
        "prompts" => "Prompts: list them and get them.",
        "resources" => "Resources: list them, read them, hear of their changes.",
        "roots" => "Roots: the folders that a client lets a server work in.",
        "sampling" => "Sampling: a server asks the model of the client.",
        "subscriptions" => "Subscriptions: a client listens for changes.",
        "tasks" => "Tasks: requests whose results are fetched later.",
        "tools" => "Tools: list them and call them.",
        topic => return format!("Everything about {topic}."),
    };
    title.to_owned()
}

/// The page of the specification that describes a definition of an official revision.
pub fn spec_page(revision: &str, definition: &str) -> String {
    let base = format!("https://modelcontextprotocol.io/specification/{revision}");
    // Revisions have a reference page with an anchor per type since 2025-06-18.
    if revision >= "2025-06-18" {
        return format!("{base}/schema#{}", definition.to_lowercase());
    }
    let topic = topic(definition);
    let page = TOPICS.iter().find(|(name, _, _)| *name == topic).map_or("basic", |(_, page, _)| page);
    format!("{base}/{page}")
}
