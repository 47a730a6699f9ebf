//! `memory-reflection`: what a memory manager writes after an attempt, and what language models
//! write in its place.

use serde_json::Value;

use super::parsed_record::{Context, ParsedRecord};
use super::read::Member as _;
use super::rest::others;
use super::traits::Traits;
use super::{Format, Reading};
use crate::model::details::{Details, Reflection};
use crate::model::outcome::Outcome;

pub(crate) const FORMAT: Format = Format {
    id: "memory-reflection",
    title: "Reflection of the memory manager",
    gives: "reflections with kind and effectiveness",
    known_by: "strings `content` and `type` with a number `iteration`; or `lesson` and `type` with `loopId` or `createdAt`",
    found_at: "reflections/reflection-{n}.json, memory.json",
    fits,
    traits: Traits {
        marks: &["content", "type", "iteration"],
        rank: 4,
        names: &["reflection-#"],
        ..Traits::USUAL
    },
    reading: Reading::ParsedRecord(parse),
};

/// Whether a record is of this format. Messages of a chat look alike, and have a role.
fn fits(value: &Value, _context: &Context) -> bool {
    let is_text = |name| value.get(name).is_some_and(Value::is_string);
    let is_manager = is_text("content")
        && is_text("type")
        && value.get("iteration").is_some_and(Value::is_number)
        && !value.has("role");
    let is_dated = value.has("loopId") || value.has("createdAt");
    is_manager || (is_text("lesson") && is_text("type") && is_dated)
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    ParsedRecord::of_step(details(value))
}

/// Members that have a place, in both spellings.
const KNOWN: [&str; 10] = [
    "iteration",
    "content",
    "type",
    "effectiveness",
    "timestamp",
    "lesson",
    "loopId",
    "loop_id",
    "createdAt",
    "confidence",
];

/// The attempt that wrote it, with the reflection.
pub(crate) fn details(value: &Value) -> Details {
    let reflection = reflection(value);
    // Nothing else says whether it succeeded: its writer marks what helped, and failures help, too.
    let has_passed = reflection.kind.as_deref() == Some("success_pattern")
        && reflection.effectiveness.as_deref() == Some("helpful");
    Details {
        key: value.text("loopId").or_else(|| value.text("loop_id")),
        number: value.iteration("iteration"),
        time: value.text("timestamp").or_else(|| value.text("createdAt")),
        outcome: has_passed.then_some(Outcome::Success),
        reflections: vec![reflection],
        // Notes: the context, tags and whatever else stands there.
        texts: others(value, &KNOWN).collect(),
        ..Details::default()
    }
}

fn reflection(value: &Value) -> Reflection {
    let lesson = value.text("lesson");
    Reflection {
        text: value.text("content").or_else(|| lesson.clone()).unwrap_or_default(),
        lessons: lesson.into_iter().collect(),
        kind: value.text("type"),
        confidence: value.number("confidence"),
        effectiveness: value.text("effectiveness"),
        ..Reflection::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed_of(value: &Value) -> Details {
        assert!(fits(value, &Context::default()), "{value}");
        parse(value, &Context::default()).runs.remove(0).steps.remove(0)
    }

    #[test]
    fn success_needs_both_words() {
        let of = |kind: &str, effect: &str| {
            parsed_of(
                &json!({"iteration": 4, "content": "A", "type": kind, "effectiveness": effect}),
            )
            .outcome
        };
        assert_eq!(of("success_pattern", "helpful"), Some(Outcome::Success));
        assert_eq!(of("success_pattern", "neutral"), None);
        assert_eq!(of("error_analysis", "helpful"), None);
    }

    #[test]
    fn the_second_spelling_is_read() {
        let details = parsed_of(&json!({
            "id": "m1", "loopId": "a", "iteration": 2, "createdAt": "2026-04-01T10:00:00Z",
            "type": "lesson_learned", "lesson": "Pin the clock.", "context": {"step": "test"},
            "tags": ["time", "tests"], "confidence": 0.8,
        }));
        assert_eq!(
            (details.key.as_deref(), details.number, details.outcome),
            (Some("a"), Some(2), None)
        );
        let [reflection] = &details.reflections[..] else { panic!("there is one") };
        assert_eq!(reflection.text, "Pin the clock.");
        assert_eq!((reflection.lessons.len(), reflection.confidence), (1, Some(0.8)));
        let texts: Vec<_> =
            details.texts.iter().map(|t| (t.name.as_str(), t.text.as_str())).collect();
        assert_eq!(
            texts,
            [("id", "m1"), ("context", r#"{"step":"test"}"#), ("tags", r#"["time","tests"]"#)]
        );
    }

    #[test]
    fn a_message_of_a_chat_is_none() {
        let value = json!({"iteration": 1, "content": "A", "type": "text", "role": "user"});
        assert!(!fits(&value, &Context::default()));
        assert!(!fits(&json!({"lesson": "A", "type": "b"}), &Context::default()));
    }
}
