//! What the records of a loop teach.

use wasm_bindgen::prelude::*;

use crate::wire::{self, ExplainOptions, Misuse};
use crate::{decode, encode};

/// What the records of a loop teach. They stand one after the other in `records`; `ends` says
/// where each ends.
///
/// # Errors
///
/// `invalid-option`, `omega-out-of-range`.
#[wasm_bindgen]
pub fn explain(records: &[u8], ends: &[u32], options: JsValue) -> Result<JsValue, Misuse> {
    let options = decode::<ExplainOptions>(options)?.asked()?;
    Ok(encode(&hindscope::explain(&wire::cut(records, 0, ends), &options)))
}

/// Every rule of `explain`.
#[wasm_bindgen(js_name = insightRules)]
pub fn insight_rules() -> JsValue {
    encode(hindscope::insight_rules())
}
