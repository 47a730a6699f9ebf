//! Messages between page and worker as plain JavaScript values.

use gloo_worker::Codec;
use js_sys::wasm_bindgen::JsValue;
use serde::{Deserialize, Serialize};

/// Structured clone carries what JSON cannot: file handles, blocks of bytes, absent numbers.
pub(crate) struct Plain;

impl Codec for Plain {
    fn encode<I: Serialize>(input: I) -> JsValue {
        serde_wasm_bindgen::to_value(&input).expect("messages hold nothing that cannot cross")
    }

    fn decode<O: for<'de> Deserialize<'de>>(input: JsValue) -> O {
        serde_wasm_bindgen::from_value(input).expect("page and worker are built together")
    }
}
