//! Records against schemas of users.

use wasm_bindgen::prelude::*;

use crate::encode;
use crate::wire::Misuse;

/// A schema of the caller's own.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Validator(hindscope::Validator);

#[wasm_bindgen]
impl Validator {
    /// Compiles a schema, given as JSON text.
    ///
    /// # Errors
    ///
    /// `invalid-schema`.
    #[wasm_bindgen(constructor)]
    pub fn new(schema: &str) -> Result<Self, Misuse> {
        Ok(Self(hindscope::Validator::new(schema)?))
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
