//! `episodic-outcome`: how an attempt ended. It wins over what `attempt.json` and
//! `trajectory.json` say of that.

use serde_json::Value;

use super::super::parsed_record::{Context, ParsedRecord};
use super::super::read::Member as _;
use super::super::rest::{note, notes, others};
use super::super::traits::{NumberedBy, Part, Role, Traits};
use super::super::{Format, Reading};
use super::ending::Ending;
use crate::model::details::Details;

pub(crate) const FORMAT: Format = Format {
    id: "episodic-outcome",
    title: "Outcome of an attempt",
    gives: "how an attempt ended",
    known_by: "`status` with `final_quality` or `completion_percent`, or the path of the file",
    found_at: "tasks/{task}/attempts/NNN/outcome.json",
    fits,
    traits: Traits {
        path: Some("tasks/*/attempts/*/outcome.json"),
        marks: &["status", "final_quality"],
        role: Role::Part(Part::Outcome),
        numbered_by: NumberedBy::Folder,
        ..super::TRAITS
    },
    reading: Reading::ParsedRecord(parse),
};

const KNOWN: [&str; 15] = [
    "task_id",
    "attempt_id",
    "status",
    "reason",
    "final_quality",
    "completion_percent",
    "started",
    "ended",
    "what_worked",
    "what_didnt_work",
    "suggestions_for_next_time",
    // What stands elsewhere, too: in the trajectory, the reflections and the metadata.
    "milestones",
    "reflections",
    "task_status",
    "quality_scale",
];

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    value.has("status") && (value.has("final_quality") || value.has("completion_percent"))
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let mut findings = Vec::new();
    let ending = Ending::read(value, value, "", std::iter::empty(), &mut findings);
    let step = Details {
        key: value.text("task_id"),
        number: value.iteration("attempt_id"),
        start: value.text("started"),
        time: value.text("ended"),
        outcome: ending.outcome,
        outcome_detail: ending.detail,
        reward: ending.reward,
        series: ending.series,
        texts: note(value, "reason")
            .into_iter()
            .chain(notes(value, "what_worked"))
            .chain(notes(value, "what_didnt_work"))
            .chain(notes(value, "suggestions_for_next_time"))
            .chain(others(value, &KNOWN))
            .collect(),
        ..Details::default()
    };
    ParsedRecord { findings, ..ParsedRecord::of_step(step) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::outcome::Outcome;
    use serde_json::json;

    #[test]
    fn an_outcome_without_a_number_of_its_own() {
        let value = json!({"status": "timeout", "reason": "cut off", "final_quality": 0.4,
            "completion_percent": 0.4, "cost": 2});
        assert!(fits(&value, &Context::default()));
        let parsed = parse(&value, &Context::default());
        let [step] = &parsed.runs[0].steps[..] else { panic!("one") };
        assert_eq!((step.number, step.outcome), (None, Some(Outcome::Failure)));
        assert_eq!(step.reward.as_ref().map(|r| r.value), Some(0.4));
        assert_eq!(step.series[0].reward.value.to_bits(), 0.004_f64.to_bits());
        let texts: Vec<_> = step.texts.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(texts, ["reason", "cost"]);
        let rules: Vec<_> = parsed.findings.iter().map(|f| f.rule.as_ref()).collect();
        assert_eq!(rules, ["reward/scale-assumed", "reward/scale-suspect"]);
    }
}
