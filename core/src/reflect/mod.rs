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
mod filters;
mod json;
mod judge;
mod numbers;
mod parse;
mod problem;
mod record;
mod refs;
mod schema;
mod schema_error;
mod suggest;
mod template;
mod template_error;
mod uri;
mod verdict;
mod yaml;

pub use coerce::{Coerced, Coercion, coerce};
pub use problem::Problem;
pub use record::{RecordContext, to_record};
pub use template::render as render_template;
pub use template_error::TemplateError;
pub use yaml::reflection_from_yaml;
