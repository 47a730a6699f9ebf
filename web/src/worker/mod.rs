//! The worker: it owns the files and the history, and answers questions about them.
//!
//! The page never parses data. It hands over files, is told how far reading has come, and asks
//! for what it shows.

mod about;
mod ahead;
mod answer;
mod archive;
mod attempt;
mod blocks;
mod bodies;
mod categories;
mod chart;
mod compare;
mod crew;
mod damage;
mod desk;
mod difference;
mod early;
mod explain;
mod export;
mod findings;
mod found;
mod helper;
mod inspect;
mod judge;
mod learn;
mod life;
mod linked;
mod list;
mod queue;
pub(crate) mod rows;
mod saves;
mod search;
pub(crate) mod serve;
mod summary;
mod tale;
mod warm;
mod watch;
mod weigh;
mod window;
