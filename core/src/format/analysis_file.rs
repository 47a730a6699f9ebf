//! `analysis-file`: the analysis of one iteration as a file of its own. Its number
//! stands in its name only.

use serde_json::Value;

use super::loop_state::analysis;
use super::parsed_record::{Context, ParsedRecord};
use super::read::Member as _;
use super::traits::{NumberedBy, Traits};
use super::{Format, Reading};

pub(crate) const FORMAT: Format = Format {
    id: "analysis-file",
    title: "Analysis of an iteration",
    gives: "completion, blockers and the next approach of an iteration",
    known_by: "`completionPercentage` and `shouldContinue` without `number`",
    found_at: "analysis/NNN-analysis.json",
    fits,
    traits: Traits {
        marks: &["completionPercentage", "shouldContinue"],
        rank: 9,
        names: &["#-analysis"],
        numbered_by: NumberedBy::File,
        ..Traits::USUAL
    },
    reading: Reading::ParsedRecord(parse),
};

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    value.has("completionPercentage") && value.has("shouldContinue") && !value.has("number")
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let (step, findings) = analysis::read(value, "", "");
    ParsedRecord { findings, ..ParsedRecord::of_step(step) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_analysis_is_an_attempt_without_number() {
        let value = json!({
            "completed": false, "success": false, "completionPercentage": 60,
            "shouldContinue": true, "failureClass": "tests_failing", "blockers": ["No key"],
            "nextApproach": "Ask for the key", "learnings": "The key is missing",
            "artifactsModified": ["a.rs"]
        });
        assert!(fits(&value, &Context::default()));
        let parsed = parse(&value, &Context::default());
        let step = &parsed.runs[0].steps[0];
        assert_eq!((step.number, step.reward.as_ref().map(|r| r.value)), (None, Some(0.6)));
        assert_eq!(step.strategy_next.as_deref(), Some("Ask for the key"));
        let errors: Vec<_> =
            step.errors.iter().map(|e| (e.kind.as_str(), e.severity.as_deref())).collect();
        assert_eq!(errors, [("tests_failing", None), ("other", Some("info"))]);
        assert_eq!(step.reflections[0].text, "The key is missing");
        assert_eq!(parsed.findings, []);
    }

    #[test]
    fn a_percentage_outside_its_scale_is_no_reward() {
        let value = json!({"completionPercentage": 140, "shouldContinue": false});
        let parsed = parse(&value, &Context::default());
        assert_eq!(parsed.runs[0].steps[0].reward, None);
        assert_eq!(parsed.findings[0].rule, "reward/out-of-range");
        assert_eq!(parsed.findings[0].pointer.as_deref(), Some("/completionPercentage"));
    }
}
