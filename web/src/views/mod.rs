//! What can be shown: one folder per view.

pub(crate) mod attempt;
pub(crate) mod compare;
pub(crate) mod export;
pub(crate) mod findings;
pub(crate) mod iteration;
mod missing;
pub(crate) mod open;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod search;
pub(crate) mod window;

pub(crate) use compare::Compare;
pub(crate) use findings::Findings;
pub(crate) use missing::MissingPlace;
pub(crate) use open::Open;
pub(crate) use run::RunPage;
pub(crate) use runs::Runs;
pub(crate) use search::Search;
