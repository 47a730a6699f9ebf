//! What can be shown, one file per view or part of one.

mod curve;
mod export;
mod findings;
mod formats;
mod groups;
mod inspector;
mod memory;
mod missing;
mod open;
mod outputs;
mod provenance;
mod raw;
mod reflection;
mod run;
mod run_chart;
mod run_facts;
mod run_list;
mod runs;
mod runs_list;
mod scores;
mod sources;
mod window;
mod window_grid;

pub(crate) use findings::Findings;
pub(crate) use missing::MissingPlace;
pub(crate) use open::Open;
pub(crate) use run::RunPage;
pub(crate) use runs::Runs;
