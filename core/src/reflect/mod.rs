//! The reflection loop: generate, evaluate, correct, and again, until an output is accepted or a
//! limit ends it.
//!
//! Nothing here calls, waits or runs code: the host acts, and answers. Bad output of a model is
//! data, bad configuration is an error before the first call.

mod coerce;
mod combine;
mod correction;
mod custom;
mod depth;
mod drive;
mod entry;
mod error;
mod events;
mod history;
mod host;
mod judge;
mod machine;
mod number;
mod parse;
mod problem;
mod record;
mod reply;
mod schema;
mod state;
mod step;
mod suggest;
mod template;
mod verdict;
mod yaml;

pub use coerce::{Coerced, Coercion, coerce};
pub use drive::{drive, drive_on};
pub use error::{LoopError, LoopErrorType};
pub use events::Event;
pub use host::{Host, Names};
pub use machine::Loop;
pub use problem::Problem;
pub use record::{RecordContext, to_record};
pub use reply::{Answer, Failure, FailureKind, Reply};
pub use step::{BudgetLeft, Call, Step, StepKind};
pub use template::{TemplateError, render as render_template};
pub use yaml::reflection_from_yaml;
