//! `tree-search-log`: LATS, one task a line.
//!
//! A row keeps the first implementation and the final one, however long the search was. Its reflections are
//! those of every branch, in the order in which they were written: after the first attempt and before the
//! final one, so they stand at the first. What hidden tests say of the first one is not recorded. Where both are one and the same program, the verdict on the final
//! one is that on the first: only the internal tests had rejected it. A row whose first attempt passed the
//! internal tests keeps neither, and no verdict.

use serde_json::Value;

use super::env_results::verdict;
use super::extracted::share_passed;
use super::parsed_record::{Context, ParsedRecord};
use super::programming_log::{is_search, is_task, texts};
use super::read::{Member as _, numbers, reflections, strings};
use super::traits::{Role, Traits};
use super::{Family, Format, Reading};
use crate::model::details::{Counter, Details, NamedText};
use crate::model::omega::Assumption;
use crate::model::outcome::Outcome;
use crate::model::reward::{Scale, count, rounded};
use crate::model::run_details::RunDetails;
use crate::model::view::RewardView;

pub(crate) const FORMAT: Format = Format {
    id: "tree-search-log",
    title: "Tree search log (LATS)",
    gives: "tasks with the first and the final implementation and every reflection of the search",
    known_by: "a programming row that does not have one `implementations` entry more than `reflections`, or has `acc` but no `is_solved`",
    found_at: "any name with dfs or mcts",
    fits,
    traits: Traits {
        family: Family::Tasks,
        marks: &["entry_point", "acc"],
        base: Some(0),
        role: Role::Search,
        assumed: Assumption::unbounded("LATS").noting(
            "An attempt saw the reflections of its own branch; the log does not say which.",
        ),
        ..Traits::USUAL
    },
    reading: Reading::ParsedRecord(parse),
};

/// What the program of a search adds to every list of reflections (`prog/placeholder`): no model wrote it.
pub(crate) const PLACEHOLDER: &str = "MCTS reflections";

/// How many of them a row has.
pub(crate) const PLACEHOLDERS: &str = "placeholders";

/// Whether a record is of this format. It decides once a file, by its first row.
fn fits(value: &Value, _context: &Context) -> bool {
    is_task(value) && is_search(value)
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let key = value.text("task_id").or_else(|| value.text("name"));
    let all = reflections(value.get("reflections"));
    let (placeholders, written): (Vec<_>, Vec<_>) = all.partition(|r| r.text == PLACEHOLDER);
    let mut counters = numbers(value, &["acc"]);
    if !placeholders.is_empty() {
        counters.push(Counter {
            name: PLACEHOLDERS.to_owned(),
            value: f64::from(count(placeholders.len())),
        });
    }
    let about =
        RunDetails { key: key.clone(), counters, texts: texts(value), ..RunDetails::default() };
    let task = value.text("prompt");
    let step = |number| Details {
        key: key.clone(),
        number: Some(number),
        task: task.clone(),
        ..Details::default()
    };
    let Some(solved) = value.flag("is_solved") else {
        let passed = Details {
            outcome: Some(Outcome::Unknown),
            outcome_detail: Some("own tests passed".to_owned()),
            ..step(0)
        };
        return ParsedRecord::of(about, vec![passed]);
    };
    let programs = strings(value.get("implementations"));
    let is_same = programs.first().is_some_and(|first| programs.get(1) == Some(first));
    let first = Details {
        // What hidden tests say of another program is not in the log.
        outcome: Some(if is_same { Outcome::of_verdict(solved) } else { Outcome::Unknown }),
        outcome_detail: Some("own tests failed".to_owned()),
        reflections: written,
        ..step(0)
    };
    let last = Details { outcome: Some(Outcome::of_verdict(solved)), ..step(1) };
    let has_feedback = !strings(value.get("test_feedback")).is_empty();
    let mut steps = vec![first, last];
    for (at, step) in steps.iter_mut().enumerate() {
        kept(value, at, step);
        if at == 1 && !has_feedback {
            step.reward = Some(verdict(solved));
        }
    }
    ParsedRecord::of(about, steps)
}

/// What the row keeps of its first and of its final attempt.
fn kept(value: &Value, at: usize, step: &mut Details) {
    for (member, name) in
        [("implementations", "implementation"), ("test_feedback", "test_feedback")]
    {
        let Some(text) = strings(value.get(member)).into_iter().nth(at) else { continue };
        if member == "test_feedback" {
            let rule = "reward/derive-feedback";
            let derived = |share| RewardView::derived(rounded(share), Scale::Ratio, rule);
            step.reward = share_passed(&text).map(derived);
        }
        step.texts.push(NamedText { name: name.to_owned(), text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_search_keeps_two_attempts() {
        let row = json!({
            "name": "Demo_1", "prompt": "fn f()", "entry_point": "f", "test": "", "acc": 0.5,
            "is_solved": false, "solution": "z", "implementations": ["a", "z"],
            "reflections": ["one", "two", "MCTS reflections"],
            "test_feedback": ["Tested passed:\nassert f(1)\n\nTests failed:\nassert f(2)", "no tests"]
        });
        assert!(fits(&row, &Context::default()));
        let run = parse(&row, &Context::default()).runs.remove(0);
        let [first, last] = &run.steps[..] else { panic!("{:?}", run.steps) };
        assert_eq!(first.outcome_detail.as_deref(), Some("own tests failed"));
        assert_eq!(first.reward.as_ref().map(|r| r.value), Some(0.5));
        let listed = first.reflections.iter().map(|r| r.text.as_str());
        assert_eq!(listed.collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!(Counter::find(&run.about.counters, PLACEHOLDERS), Some(1.0));
        assert!(last.reflections.is_empty());
        let outcomes = |programs: [&str; 2]| -> Vec<_> {
            let mut row = row.clone();
            row["implementations"] = json!(programs);
            row["is_solved"] = json!(true);
            let run = parse(&row, &Context::default()).runs.remove(0);
            run.steps.iter().filter_map(|step| step.outcome).collect()
        };
        assert_eq!(outcomes(["a", "z"]), [Outcome::Unknown, Outcome::Success]);
        assert_eq!(outcomes(["z", "z"]), [Outcome::Success; 2], "one program has one verdict");
        assert_eq!((last.outcome, &last.reward), (Some(Outcome::Failure), &None));
    }

    #[test]
    fn a_row_that_passed_at_once_has_no_verdict() {
        let row = json!({"name": "a", "prompt": "p", "entry_point": "f", "test": "", "acc": 1.0});
        assert!(fits(&row, &Context::default()));
        let run = parse(&row, &Context::default()).runs.remove(0);
        let [step] = &run.steps[..] else { panic!("{:?}", run.steps) };
        assert_eq!(step.outcome, Some(Outcome::Unknown));
        assert_eq!(step.outcome_detail.as_deref(), Some("own tests passed"));
    }
}
