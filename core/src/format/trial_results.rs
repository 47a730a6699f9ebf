//! `trial-results`: how many tasks were solved at each trial.

use serde_json::Value;

use super::parsed_record::{Context, ParsedRecord};
use super::read::{Member as _, numbers};
use super::traits::Traits;
use super::{Family, Format, Reading};
use crate::model::details::Details;
use crate::model::omega::Assumption;
use crate::model::run_details::RunDetails;

pub(crate) const FORMAT: Format = Format {
    id: "trial-results",
    title: "Totals of each trial",
    gives: "how many tasks were solved at each trial",
    known_by: "integers `trial`, `correct` and `incorrect`",
    found_at: "any name",
    fits,
    traits: Traits {
        family: Family::Totals,
        marks: &["trial", "correct", "incorrect"],
        assumed: Assumption::of(3, "Reflexion"),
        ..Traits::USUAL
    },
    reading: Reading::ParsedRecord(parse),
};

/// Members that hold counts of tasks.
pub(crate) const COUNTS: [&str; 3] = ["correct", "incorrect", "halted"];

/// Whether a record is of this format.
fn fits(value: &Value, context: &Context) -> bool {
    let is_integer = |name| value.get(name).is_some_and(|v: &Value| v.is_i64() || v.is_u64());
    context.is_item && ["trial", "correct", "incorrect"].into_iter().all(is_integer)
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let counters = numbers(value, &COUNTS);
    let step = Details {
        number: value.iteration("trial"),
        counters: counters.clone(),
        ..Details::default()
    };
    ParsedRecord::of(RunDetails { counters, ..RunDetails::default() }, vec![step])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_has_counts_and_no_key() {
        let row = json!({"trial": 2, "correct": 5, "incorrect": 4, "halted": 1});
        assert!(!fits(&row, &Context::default()), "only as an item of a list");
        let context = Context { is_item: true, ..Context::default() };
        assert!(fits(&row, &context));
        let parsed = parse(&row, &context);
        let run = &parsed.runs[0];
        assert_eq!((run.steps[0].number, &run.about.key), (Some(2), &None));
        let counts: Vec<_> = run.about.counters.iter().map(|c| c.value.to_string()).collect();
        assert_eq!(counts, ["5", "4", "1"]);
    }
}
