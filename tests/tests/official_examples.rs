//! The official examples of the first revision that has some, where they lie beside the checkout.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mcp_wire_tests::{Judge, revision, shared, stateless};
use serde_json::Value;

// Two examples contradict the schema they come with. Both are typed, and nothing of them is lost.

/// Lacks the required `ttlMs` and `cacheScope`. The schema accepts the response all the same, because its union also
/// lists `InputRequiredResult`, which requires only `resultType`; `complete` says that it is none of those. The result
/// on its own has two violations.
const WITHOUT_CACHE_HINTS: &str = "ReadResourceResultResponse/read-resource-result-response.json";

/// Carries an `id`, which the type does not have in this revision. Objects are open, so that it is no violation, and it
/// survives as an extra member.
const WITH_AN_ID: &str = "ListRootsRequest/list-roots-request.json";

fn examples() -> Option<PathBuf> {
    shared(&format!("spec/{}/examples", stateless::REVISION))
}

#[test]
fn every_official_example_comes_back_exactly() {
    let Some(folder) = examples() else { return };
    let revision = revision(stateless::REVISION);
    let schema = revision.schema();
    let mut judge = Judge::new(&schema);
    let mut examples = 0;
    let mut types = BTreeMap::new();
    for (definition, path) in files(&folder) {
        let name = format!("{definition}/{}", path.file_name().unwrap().to_string_lossy());
        let text = std::fs::read_to_string(&path).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        let probe = revision.entry(&definition).read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(revision.difference(&definition, &text, &probe.text), None, "{name}");
        assert_eq!(probe.violations, [], "{name}");
        assert!(judge.accepts(&definition, &document), "{name}");
        assert_ne!(probe.variant, Some("Unknown"), "{name}");
        examples += 1;
        *types.entry(definition).or_insert(0) += 1;
    }
    assert_eq!((examples, types.len()), (129, 88));
    println!("{examples} examples of {} types, exact", types.len());
}

#[test]
fn official_examples_land_in_the_right_variant() {
    use stateless::*;
    let Some(folder) = examples() else { return };
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut count = |variant: &str| *seen.entry(variant.to_owned()).or_default() += 1;
    for (definition, path) in files(&folder) {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.display();
        match definition.as_str() {
            "CallToolResult" => {
                let result: CallToolResult = serde_json::from_str(&text).unwrap();
                assert!(result.content.iter().all(|block| !matches!(block, ContentBlock::Unknown(_))), "{name}");
                assert_eq!(result.result_type, ResultType::Complete, "{name}");
                count("CallToolResult");
            }
            // The union lists the result that needs only `resultType` first; the value of `resultType` decides.
            "CallToolResultResponse" => {
                let response: CallToolResultResponse = serde_json::from_str(&text).unwrap();
                assert!(matches!(response.result, CallToolAnswer::CallTool(_)), "{name}");
                count("CallToolResultResponse");
            }
            "ReadResourceResultResponse" => {
                let response: ReadResourceResultResponse = serde_json::from_str(&text).unwrap();
                let ReadResourceAnswer::ReadResource(result) = response.result else { panic!("{name}") };
                let missing = if name.to_string().ends_with(WITHOUT_CACHE_HINTS) { 2 } else { 0 };
                assert_eq!(result.check().len(), missing, "{name}");
                assert_eq!(result.ttl_ms.is_none(), missing > 0, "{name}");
                count("ReadResourceResultResponse");
            }
            "GetPromptResultResponse" => {
                let response: GetPromptResultResponse = serde_json::from_str(&text).unwrap();
                assert!(matches!(response.result, GetPromptAnswer::GetPrompt(_)), "{name}");
                count("GetPromptResultResponse");
            }
            "InputRequiredResult" => {
                let result: InputRequiredResult = serde_json::from_str(&text).unwrap();
                assert_eq!(result.result_type, ResultType::InputRequired, "{name}");
                let requests = result.input_requests.unwrap_or_default();
                assert!(requests.values().all(|request| !matches!(request, InputRequest::Unknown(_))), "{name}");
                count("InputRequiredResult");
            }
            "InputResponses" => {
                let responses: InputResponses = serde_json::from_str(&text).unwrap();
                assert!(responses.values().all(|response| !matches!(response, InputResponse::Unknown(_))), "{name}");
                count("InputResponses");
            }
            "EmbeddedResource" => {
                let block: EmbeddedResource = serde_json::from_str(&text).unwrap();
                assert!(matches!(block.resource, AnyResourceContents::Text(_)), "{name}");
                count("EmbeddedResource");
            }
            "ElicitRequest" => {
                let request: ElicitRequest = serde_json::from_str(&text).unwrap();
                let is_url = text.contains("\"url\"");
                assert_eq!(matches!(request.params, ElicitRequestParams::URL(_)), is_url, "{name}");
                assert_eq!(matches!(request.params, ElicitRequestParams::Form(_)), !is_url, "{name}");
                count("ElicitRequest");
            }
            "SamplingMessage" => {
                let message: SamplingMessage = serde_json::from_str(&text).unwrap();
                assert!(!matches!(message.content, SamplingContent::Unknown(_)), "{name}");
                count("SamplingMessage");
            }
            "ListRootsRequest" => {
                let request: ListRootsRequest = serde_json::from_str(&text).unwrap();
                let expected = format!("{}", path.display()).ends_with(WITH_AN_ID);
                assert_eq!(request.extra.get("id").is_some(), expected, "{name}");
                count("ListRootsRequest");
            }
            _ => {}
        }
    }
    let total: usize = seen.values().sum();
    assert_eq!((seen.len(), total), (10, 16), "{seen:?}");
}

fn files(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    for definition in std::fs::read_dir(folder).unwrap() {
        let definition = definition.unwrap();
        for file in std::fs::read_dir(definition.path()).unwrap() {
            files.push((definition.file_name().to_string_lossy().into_owned(), file.unwrap().path()));
        }
    }
    files.sort();
    files
}
