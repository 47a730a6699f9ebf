//! Cases for the reflection loop: data in the format of `shared/data/loop/README.md`, run against
//! the machine, and compared by its rules.

mod compare;
mod script;
mod steps;

pub use compare::matches;
pub use script::{Outcome, run};
pub use steps::check_steps;
