//! Cases for the reflection loop: data in the format of tests/loop/README.md, run against the machine
//! and compared by the rules there.

mod compare;
mod script;
mod steps;

pub use compare::matches;
pub use script::{Outcome, run};
pub use steps::check_steps;
