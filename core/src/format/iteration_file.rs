//! `iteration-file`: one iteration as a file of its own. What the hook writes has
//! its number in the file name only.

use serde_json::Value;

use super::loop_state::{element, spelling};
use super::parsed_record::{Context, ParsedRecord};
use super::traits::{NumberedBy, Traits};
use super::{Format, Reading};

pub(crate) const FORMAT: Format = Format {
    id: "iteration-file",
    title: "Iteration of a loop",
    gives: "an iteration with its actions, result and tests",
    known_by: "two of `action`, `result`, `verified`, `learnings`, `tests_passed`, `issues_completed`; or the name",
    found_at: "iterations/iteration-{n}.json",
    fits,
    traits: Traits {
        path: Some("iteration-#.json"),
        marks: &["action", "result"],
        rank: 9,
        names: &["iteration-#"],
        numbered_by: NumberedBy::File,
        ..Traits::USUAL
    },
    reading: Reading::ParsedRecord(parse),
};

/// Members that mark an iteration; two are enough.
const SIGNS: [&str; 6] =
    ["action", "result", "verified", "learnings", "tests_passed", "issues_completed"];

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    let has = |name: &&str| value.get(*name).is_some();
    SIGNS.iter().filter(|name| has(name)).count() >= 2 && !spelling::TASK.iter().any(has)
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let (step, findings) = element::read(value, "", false);
    ParsedRecord { findings, ..ParsedRecord::of_step(step) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::FormatId;
    use crate::model::outcome::Outcome;
    use serde_json::json;

    #[test]
    fn a_file_of_the_hook_has_no_number_inside() {
        let value = json!({
            "action": "Rewrote the reader", "result": "14 of 15 files pass", "verified": false,
            "learnings": "An empty file needs its own branch", "duration_ms": 52310
        });
        assert!(fits(&value, &Context::default()));
        let parsed = parse(&value, &Context::default());
        let step = &parsed.runs[0].steps[0];
        assert_eq!((step.number, step.outcome), (None, Some(Outcome::Failure)));
        assert_eq!(step.duration_ms, Some(52_310.0));
        assert_eq!(step.texts[0].text, "14 of 15 files pass");
        assert_eq!(step.reflections.len(), 1);
    }

    #[test]
    fn names_decide_where_content_does_not() {
        assert!(FormatId::IterationFile.is_at("x/iterations/iteration-13.json"));
        assert!(FormatId::IterationFile.is_at("iteration-003.json"));
        for path in ["iteration-.json", "iteration-3.yaml", "iteration-1-verification.json"] {
            assert!(!FormatId::IterationFile.is_at(path), "{path}");
        }
        assert!(!fits(&json!({"task": "a", "action": "b", "result": "c"}), &Context::default()));
    }
}
