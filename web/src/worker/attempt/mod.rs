//! An attempt of a run: what its records say together, and its actions one by one.

mod actions;
mod facts;
pub(crate) mod log;
mod records;

use super::no_answer::NoAnswer;
use super::session::Session;
use crate::protocol::{AttemptAnswer, AttemptAsk};
pub(crate) use records::has_log;

/// Answers a question about an attempt.
pub(crate) fn attempt(session: &mut Session, ask: AttemptAsk) -> Result<AttemptAnswer, NoAnswer> {
    Ok(match ask {
        AttemptAsk::Facts { run, number } => {
            AttemptAnswer::Facts(facts::facts(session, run, number)?)
        }
        AttemptAsk::Actions { run, number, rows, .. } => {
            AttemptAnswer::Actions(actions::actions(session, run, number, rows)?)
        }
        AttemptAsk::Action { run, number, at } => {
            AttemptAnswer::Action(actions::action(session, run, number, at)?)
        }
    })
}
