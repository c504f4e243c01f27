//! The schema is right but awkward in Rust. None of these changes what the schema accepts.

use serde_json::{Map, Value, json};

use super::{property, reference, replace};

/// The definitions that these may change; none of them adds a definition or takes one away.
pub(super) const CHANGED: &[&str] =
    &["JSONValue", "SamplingMessage", "CreateMessageResult", "JSONRPCMessage", "ClientNotification"];

// `JSONValue` describes every JSON value as a recursive union, for which Rust has `serde_json::Value`.
pub(super) fn json_value_is_any(definitions: &mut Map<String, Value>, _: &str) -> usize {
    let Some(value) = definitions.get_mut("JSONValue").and_then(Value::as_object_mut) else { return 0 };
    usize::from(value.shift_remove("anyOf").is_some())
}

// The content of a sampling message is one block or a list of them. The schema lists the five kinds of block again
// beside the list, although `SamplingMessageContentBlock` names them.
pub(super) fn sampling_content_one_or_many(definitions: &mut Map<String, Value>, keyword: &str) -> usize {
    let Some(Value::Array(blocks)) =
        definitions.get("SamplingMessageContentBlock").and_then(|block| block.get("anyOf")).cloned()
    else {
        return 0;
    };
    let block = reference(keyword, "SamplingMessageContentBlock");
    let mut changes = 0;
    for owner in ["SamplingMessage", "CreateMessageResult"] {
        let branches = property(definitions, owner, "content").and_then(|content| content.get_mut("anyOf"));
        if let Some(Value::Array(branches)) = branches
            && let Some((list, first)) = branches.split_last()
            && first == blocks.as_slice()
        {
            *branches = vec![block.clone(), list.clone()];
            changes += 1;
        }
    }
    changes
}

// `JSONRPCMessage` repeats the two batch types inline.
pub(super) fn batches_by_name(definitions: &mut Map<String, Value>, keyword: &str) -> usize {
    let mut changes = 0;
    for name in ["JSONRPCBatchRequest", "JSONRPCBatchResponse"] {
        let Some(items) = definitions.get(name).and_then(|batch| batch.get("items")).cloned() else { continue };
        let branches = definitions.get_mut("JSONRPCMessage").and_then(|message| message.get_mut("anyOf"));
        for branch in branches.and_then(Value::as_array_mut).into_iter().flatten() {
            if branch.get("items") == Some(&items) {
                *branch = reference(keyword, name);
                changes += 1;
            }
        }
    }
    changes
}

// The only notification left to clients is written out in place of a union. As a union of one it has room for others.
pub(super) fn client_notification_is_a_union(definitions: &mut Map<String, Value>, keyword: &str) -> usize {
    let Some(mut cancelled) = definitions.get("CancelledNotification").cloned() else { return 0 };
    let description = definitions.get("ClientNotification").and_then(|copy| copy.get("description")).cloned();
    if let (Some(members), Some(description)) = (cancelled.as_object_mut(), &description) {
        members.insert("description".to_owned(), description.clone());
    }
    let mut union = json!({ "anyOf": [reference(keyword, "CancelledNotification")] });
    if let (Some(members), Some(description)) = (union.as_object_mut(), description) {
        members.insert("description".to_owned(), description);
    }
    replace(definitions.get_mut("ClientNotification"), &cancelled, union)
}
