//! What everything else speaks of: runs, attempts, rewards, findings, rules, times. It needs none
//! of the other folders.

pub(crate) mod curve;
pub(crate) mod datetime;
pub(crate) mod delta;
pub(crate) mod details;
pub(crate) mod finding;
pub(crate) mod id;
pub(crate) mod kept;
pub(crate) mod natural;
pub(crate) mod omega;
pub(crate) mod options;
pub(crate) mod outcome;
pub(crate) mod rates;
pub(crate) mod reward;
pub(crate) mod rules;
pub(crate) mod run_details;
pub(crate) mod thresholds;
pub(crate) mod view;
