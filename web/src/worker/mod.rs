//! The worker: it owns the files and the history, and answers questions about them.
//!
//! The page never parses data. It hands over files, hears how far reading has come, and asks
//! for what it shows.

mod answer;
mod archive;
mod attempt;
mod block_cache;
mod categories;
mod chart;
mod compare;
mod comparing;
mod damage;
mod difference;
mod early_answers;
mod explain;
mod export;
mod export_size;
mod files;
mod finding_export;
mod finding_index;
mod finding_list;
mod findings;
mod findings_page;
mod host;
mod insight_findings;
mod inspect;
mod iteration_body;
mod judge;
mod learn;
mod link_check;
mod no_answer;
mod provenance;
mod queue;
mod read_ahead;
mod recent_files;
mod repetition;
mod run_insight;
mod run_list;
mod run_reader;
mod run_sort;
mod search;
pub(crate) mod serve;
mod session;
mod summary;
mod window;
mod window_grid;
