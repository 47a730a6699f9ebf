//! `env-results`: `env_results_trial_N.json` of Reflexion's drivers.

use serde_json::Value;

use super::lines::leading_iteration;
use super::parsed_record::Context;
use super::read::{Member as _, reflections};
use super::slot::Slot;
use super::traits::Traits;
use super::{Family, Format, Reading, table_of};
use crate::json::shape::{Item, Kind, Shape, Table, may, must};
use crate::model::details::Details;
use crate::model::omega::Assumption;
use crate::model::outcome::Outcome;
use crate::model::reward::Scale;
use crate::model::view::RewardView;

pub(crate) const FORMAT: Format = Format {
    id: "env-results",
    title: "Reflexion environment results, one file for each trial",
    gives: "tasks with outcomes and the memory at each trial",
    known_by: "a string `name`, an array of strings `memory` and a boolean `is_success`",
    found_at: "env_results_trial_N.json",
    fits,
    traits: Traits {
        family: Family::Trials,
        marks: &["memory", "is_success"],
        base: Some(0),
        assumed: Assumption::of(3, "Reflexion"),
        names: &["env_results_trial_#"],
        has_actions: false,
        ..Traits::USUAL
    },
    reading: Reading::along(table_of!(Table::of_shape(&SHAPE, Slot::None)), details),
};

/// One task of one trial.
pub(crate) const SHAPE: Shape<Slot> = Shape {
    is_open: true,
    members: &[
        must("name", Kind::Text, Slot::Key),
        must(
            "memory",
            Kind::List(&Item { kind: Kind::Text, slot: Slot::Reflection }),
            Slot::Reflections,
        ),
        must("is_success", Kind::Flag, Slot::Passed),
        may("skip", Kind::Any, Slot::None),
    ],
};

/// Whether a record is of this format.
pub(crate) fn fits(value: &Value, _context: &Context) -> bool {
    value.get("name").is_some_and(Value::is_string)
        && value
            .get("memory")
            .and_then(Value::as_array)
            .is_some_and(|m| m.iter().all(Value::is_string))
        && value.get("is_success").is_some_and(Value::is_boolean)
}

/// One task of one trial. The reflections of the trial are those from position `part` on; the
/// ones before it were there already.
pub(crate) fn details(value: &Value, part: u32) -> Details {
    let passed = value.flag("is_success");
    Details {
        key: value.text("name"),
        outcome: passed.map(Outcome::of_verdict),
        reward: passed.map(verdict),
        reflections: reflections(value.get("memory")).skip_while(|r| r.part < part).collect(),
        ..Details::default()
    }
}

/// `reward/derive-verdict`.
pub(crate) fn verdict(passed: bool) -> RewardView {
    RewardView::derived(f64::from(u8::from(passed)), Scale::Bool, "reward/derive-verdict")
}

/// The trial in a file name: the digits after `trial`, or a stem of digits alone. It may be too large: see
/// [`crate::json::numeric::iteration`].
pub(crate) fn trial_of(path: &str) -> Option<i64> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let named = stem.rsplit_once("trial");
    let digits = named.map_or(stem, |(_, tail)| tail.trim_start_matches(['_', '-', ' ']));
    let (number, rest) = leading_iteration(digits)?;
    (named.is_some() || rest.is_empty()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_come_from_names() {
        assert_eq!(trial_of("run/env_results_trial_10.json"), Some(10));
        assert_eq!(trial_of("env_results_trial_0.json"), Some(0));
        assert_eq!(trial_of("results-trial-3 (1).json"), Some(3));
        assert_eq!(trial_of("gpt-3.5_env_results.trial_3.json"), Some(3));
        assert_eq!(trial_of("4.json"), Some(4));
        for name in ["renamed.json", "2023-11-02_run.json", "trial_.json"] {
            assert_eq!(trial_of(name), None, "{name}");
        }
    }
}
