//! The reflection loop: generate, evaluate, correct, and again, until an output is accepted or a
//! limit ends it.
//!
//! Nothing here calls, waits or runs code: the host acts, and answers. Bad output of a model is
//! data, bad configuration is an error before the first call.

mod attempt;
mod audience;
mod bounded_filters;
mod budget;
mod closing;
mod coerce;
mod combine;
mod config;
mod correction;
mod custom;
mod depth;
mod entry;
mod error;
mod events;
mod feedback;
mod filters;
mod history;
mod host;
mod json;
mod judge;
mod machine;
mod maybe;
mod memory;
mod namespaces;
mod number;
mod numbers;
mod parse;
mod problem;
mod record;
mod reply;
mod resolve;
mod result;
mod retry;
mod round;
mod run;
mod schema;
mod schema_error;
mod seen;
mod single;
mod snapshot;
mod stall;
mod state;
mod step;
mod suggest;
mod template;
mod template_bounds;
mod template_error;
mod text;
mod usage;
mod verdict;
mod wire;
mod yaml;

pub use audience::script_json;
pub use coerce::{Coerced, Coercion, coerce};
pub use error::{LoopError, LoopErrorType};
pub use events::Event;
pub use host::{Host, Names};
pub use machine::Loop;
pub use problem::Problem;
pub use record::{RecordContext, to_record};
pub use reply::{Answer, Failure, FailureKind, Reply};
pub use result::LoopResult;
pub use seen::{Seen, StateSince};
pub use step::{BudgetLeft, Call, Step, StepKind};
pub use template::render as render_template;
pub use template_error::TemplateError;
pub use text::{object_from_json, value_from_json};
pub use wire::{events_script_json, steps_script_json};
pub use yaml::reflection_from_yaml;
