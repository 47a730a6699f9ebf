//! Records against our schemas, and Ω.

use wasm_bindgen::prelude::*;

use crate::encode;
use crate::wire::{self, Misuse, ValidateOptions};

/// Validates one record, given as JSON text.
///
/// # Errors
///
/// `invalid-option`.
#[wasm_bindgen]
pub fn validate(record: &[u8], options: &JsValue) -> Result<JsValue, Misuse> {
    let options = ValidateOptions::of(options)?.asked()?;
    Ok(encode(&hindscope::validate_with(record, options)))
}

/// The JSON Schema of a kind of record, as text.
///
/// # Errors
///
/// `invalid-option`.
#[wasm_bindgen(js_name = jsonSchema)]
#[expect(clippy::needless_pass_by_value, reason = "wasm-bindgen has no borrowed optional string")]
pub fn json_schema(schema: Option<String>) -> Result<String, Misuse> {
    Ok(wire::named(schema.as_deref(), hindscope::Schema::parse)?.json().to_owned())
}

/// Ω after one evaluation.
///
/// # Errors
///
/// `omega-out-of-range`, `invalid-option`.
#[wasm_bindgen(js_name = autoScale)]
pub fn auto_scale(omega: f64, pace: &JsValue) -> Result<u8, Misuse> {
    let pace = wire::Pace::of(pace)?.asked()?;
    Ok(hindscope::auto_scale(wire::omega(omega)?, &pace))
}

/// Advice on Ω, to be shown.
#[wasm_bindgen(js_name = omegaAdvice)]
pub fn omega_advice() -> JsValue {
    encode(hindscope::OMEGA_ADVICE)
}
