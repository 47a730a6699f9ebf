//! The worker: it owns the files and the history, and answers questions about them.
//!
//! The page never parses data. It hands over files, is told how far reading has come, and asks
//! for what it shows.

mod about;
mod ahead;
mod answer;
mod archive;
mod blocks;
mod bodies;
mod chart;
mod compare;
mod desk;
mod difference;
mod explain;
mod export;
mod findings;
mod inspect;
mod learn;
mod life;
mod list;
mod queue;
pub(crate) mod rows;
mod search;
pub(crate) mod serve;
mod summary;
mod tale;
mod watch;
mod window;
