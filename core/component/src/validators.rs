//! The interface `validators`.

use crate::Component;
use crate::cross::Cross;
use crate::misuse;
use crate::wit::types::{Error, Finding, Validation};
use crate::wit::validators::{self, Guest, GuestValidator};

impl Guest for Component {
    type Validator = Validator;
}

/// A compiled schema.
pub(crate) struct Validator(hindscope::Validator);

impl GuestValidator for Validator {
    fn create(schema: String) -> Result<validators::Validator, Error> {
        hindscope::Validator::new(&schema)
            .map(|validator| validators::Validator::new(Self(validator)))
            .map_err(misuse::plain())
    }

    fn validate(&self, bytes: Vec<u8>) -> Validation {
        self.0.validate(&bytes).cross()
    }

    fn warnings(&self) -> Vec<Finding> {
        self.0.warnings().cross()
    }
}
