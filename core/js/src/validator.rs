//! Records against schemas of users.

use hindscope::{FormatUse, ValidatorOptions};
use wasm_bindgen::prelude::*;

use crate::encode;
use crate::wire::Misuse;

/// A schema of the caller's own.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Validator(hindscope::Validator);

#[wasm_bindgen]
impl Validator {
    /// Compiles a schema with the documents that it refers to: all are JSON text, and each document is the
    /// one at the address of the same place.
    ///
    /// # Errors
    ///
    /// `invalid-schema`; `invalid-option` for a `format` that is no word of [`FormatUse`].
    #[wasm_bindgen(constructor)]
    pub fn new(
        schema: &str,
        format: &str,
        addresses: Vec<String>,
        documents: Vec<String>,
    ) -> Result<Self, Misuse> {
        let documents = addresses.into_iter().zip(documents).collect();
        let options = ValidatorOptions { format: FormatUse::parse(format)?, documents };
        Ok(Self(hindscope::Validator::with(schema, &options)?))
    }

    /// Validates a value, given as JSON text.
    pub fn validate(&self, record: &[u8]) -> JsValue {
        encode(&self.0.validate(record))
    }

    /// What of the schema is not checked.
    pub fn warnings(&self) -> JsValue {
        encode(self.0.warnings())
    }
}
