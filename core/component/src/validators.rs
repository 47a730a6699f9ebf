//! The interface `validators`.

use crate::Component;
use crate::cross::{Cross, labels};
use crate::misuse;
use crate::wit::types::{Error, Finding, Validation};
use crate::wit::validators::{self, FormatUse, Guest, GuestValidator, ValidatorOptions};

labels!(FormatUse => hindscope::FormatUse { Assertion, Annotation });

impl Guest for Component {
    type Validator = Validator;
}

/// A compiled schema.
pub(crate) struct Validator(hindscope::Validator);

impl GuestValidator for Validator {
    fn create(
        schema: String,
        options: Option<ValidatorOptions>,
    ) -> Result<validators::Validator, Error> {
        let options = options.map(|ValidatorOptions { format, documents }| {
            let format = format.unwrap_or(FormatUse::Assertion).cross();
            let documents = documents.into_iter().map(|one| (one.address, one.schema)).collect();
            hindscope::ValidatorOptions { format, documents }
        });
        hindscope::Validator::with(&schema, &options.unwrap_or_default())
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
