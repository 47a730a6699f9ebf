//! Cases for the reflection loop: data in the format of tests/loop/README.md, run against the machine
//! and compared by the rules there.

mod compare;
mod script;
mod steps;

use hindscope::Loop;
use serde_json::Value;

pub use compare::matches;
pub use script::{Outcome, run};
pub use steps::check_steps;

/// The state that a pending step sees; null for a step without one.
#[must_use]
pub fn state_of(run: &Loop, id: u32) -> Value {
    let text = run.state_json(id).unwrap_or_else(|| "null".to_owned());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("state {id} is not JSON: {error}"))
}
