//! Broken input without end: what is changed, what is called with it, and the laws that hold for all of it.

mod laws;
mod mutate;
mod targets;

pub use laws::{difference, keep};
pub use mutate::mutate;
pub use targets::{TARGETS, Target, corpus, target};
