//! The resource `validator`.

use crate::bindings::exports::hindscope::reflections::api;
use crate::bindings::exports::hindscope::reflections::types::{Error, Finding, Validation};
use crate::cross::Cross;
use crate::misuse;

/// A compiled schema.
pub(crate) struct Validator(hindscope::Validator);

impl api::GuestValidator for Validator {
    fn create(schema: String) -> Result<api::Validator, Error> {
        hindscope::Validator::new(&schema)
            .map(|validator| api::Validator::new(Self(validator)))
            .map_err(|error| misuse::about(&error, &[]))
    }

    fn validate(&self, bytes: Vec<u8>) -> Validation {
        self.0.validate(&bytes).cross()
    }

    fn warnings(&self) -> Vec<Finding> {
        self.0.warnings().cross()
    }
}
