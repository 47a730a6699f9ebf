//! What other tools write, that is no history of attempts: it is shown as it is, under its name
//! (docs/spec/formats.md, "Shown raw, and refused").

use serde_json::Value;

/// A clause that says what a record is, if it is known and no history.
pub(crate) fn known(value: &Value) -> Option<&'static str> {
    let is_list = |name: &str| value.get(name).is_some_and(Value::is_array);
    let is_object = |name: &str| value.get(name).is_some_and(Value::is_object);
    let is_text = |name: &str| value.get(name).is_some_and(Value::is_string);
    let has = |name: &str| value.get(name).is_some();
    if is_list("trajectory") && is_list("history") && is_object("info") {
        return Some("it is a trajectory of SWE-agent, the steps of one attempt");
    }
    if is_list("messages") && (has("trajectory_format") || is_object("info")) {
        return Some("it is a trajectory of mini-swe-agent, the messages of one attempt");
    }
    if is_text("role") && has("content") {
        return Some("it is a conversation, as mini-swe-agent writes its trajectories");
    }
    if is_list("history") && has("metrics") && (has("success") || has("test_result")) {
        return Some("it is output of OpenHands, the events of one attempt");
    }
    if is_object("metrics") && has("generation") && (has("parent_id") || has("iteration")) {
        return Some("it is one program of an openevolve search, which hindscope does not read");
    }
    if is_text("summary") && value.get("event").and_then(Value::as_str) == Some("reflect") {
        return Some("it is a log of reflections as events, without attempts");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_what_others_write() {
        for (value, name) in [
            (json!({"trajectory": [], "history": [], "info": {}}), "SWE-agent"),
            (json!({"messages": [], "info": {}, "trajectory_format": "1"}), "mini-swe-agent"),
            (json!({"role": "user", "content": "hello"}), "mini-swe-agent"),
            (json!({"history": [], "metrics": {}, "success": true}), "OpenHands"),
            (json!({"id": "x", "generation": 4, "iteration": 9, "metrics": {}}), "openevolve"),
            (json!({"event": "reflect", "summary": "shorter"}), "events"),
        ] {
            assert!(known(&value).is_some_and(|said| said.contains(name)), "{value}");
        }
        assert_eq!(known(&json!({"history": []})), None);
    }
}
