//! Messages between page and worker as plain JavaScript values.

use js_sys::wasm_bindgen::JsValue;
use serde::{Deserialize, Serialize};

/// A message as structured clone takes it. That carries what JSON cannot: file handles and
/// absent numbers.
pub(crate) fn encode_message<I: Serialize>(input: &I) -> JsValue {
    serde_wasm_bindgen::to_value(input).expect("messages hold nothing that cannot cross")
}

/// The message that was sent.
pub(crate) fn decode_message<O: for<'de> Deserialize<'de>>(input: JsValue) -> O {
    serde_wasm_bindgen::from_value(input).expect("page and worker are built together")
}
