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
mod damage;
mod desk;
mod explain;
mod export;
mod findings;
mod found;
mod judge;
mod life;
mod linked;
mod queue;
pub(crate) mod rows;
mod saves;
pub(crate) mod serve;
