//! The tree of an episodic memory: one file for each kind of part.

pub(crate) mod actions;
pub(crate) mod attempt;
mod ending;
pub(crate) mod index;
pub(crate) mod metadata;
pub(crate) mod outcome;
pub(crate) mod plan;
pub(crate) mod reflection;
pub(crate) mod summary;
pub(crate) mod trajectory;

use serde_json::Value;

use super::read::integers;
use super::traits::Traits;
use crate::model::details::{NamedReward, RecordedWindow};
use crate::model::omega::Assumption;
use crate::model::view::RewardView;

const TRAITS: Traits =
    Traits { rank: 2, assumed: Assumption::unbounded("episodic"), ..Traits::USUAL };

/// `completion_percent` is a series of its own.
fn series(percent: Option<RewardView>) -> Vec<NamedReward> {
    let named = |reward| NamedReward { name: "completion_percent".to_owned(), reward };
    percent.map(named).into_iter().collect()
}

/// The attempts that `learned_from` lists, whose reflections the plan took in. An empty list means none.
fn learned_from(value: &Value) -> Option<RecordedWindow> {
    let from = value.get("learned_from").filter(|from| from.is_array())?;
    let numbers = integers(Some(from));
    let injected_flag = Some(!numbers.is_empty());
    Some(RecordedWindow { injected: Some(numbers), injected_flag, ..RecordedWindow::default() })
}
