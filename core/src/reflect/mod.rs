//! The reflection loop: generate, evaluate, correct, and again, until an output is accepted or a
//! limit ends it.
//!
//! Nothing here calls, waits or runs code: the host acts, and answers. Bad output of a model is
//! data, bad configuration is an error before the first call.

mod depth;
mod drive;
mod entry;
mod error;
mod events;
mod history;
mod host;
mod machine;
mod number;
mod reply;
mod state;
mod step;

pub use drive::{drive, drive_on};
pub use error::{LoopError, LoopErrorType};
pub use events::Event;
pub use host::{Host, Names};
pub use machine::Loop;
pub use reply::{Answer, Failure, FailureKind, Reply};
pub use step::{BudgetLeft, Call, Step, StepKind};
