//! Messages between page and worker as plain JavaScript values, and what both know of the start
//! of a worker.

use js_sys::wasm_bindgen::JsValue;
use js_sys::{ArrayBuffer, Uint8Array};
use serde::{Deserialize, Serialize};

/// The name that a worker is started with to become a helper of another one.
pub(crate) const HELPER: &str = "helper";

/// The global name under which a classic script finds what workers start from: its own text as a
/// blob, and the compiled module. The single file sets it for its page, and each worker for its
/// helpers.
pub(crate) const WORKER_PARTS: &str = "hindscopeWorker";

/// A message as structured clone takes it. That carries what JSON cannot: file handles, blocks of
/// bytes, absent numbers.
pub(crate) fn encode_message<I: Serialize>(input: &I) -> JsValue {
    serde_wasm_bindgen::to_value(input).expect("messages hold nothing that cannot cross")
}

/// The message that was sent.
pub(crate) fn decode_message<O: for<'de> Deserialize<'de>>(input: JsValue) -> O {
    serde_wasm_bindgen::from_value(input).expect("page and worker are built together")
}

/// Bytes that a message hands over without a copy.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct ByteBlock(#[serde(with = "serde_wasm_bindgen::preserve")] Uint8Array);

impl ByteBlock {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(Uint8Array::from(bytes))
    }

    /// What a message hands over, after which nothing is left here.
    pub(crate) fn buffer(&self) -> ArrayBuffer {
        self.0.buffer()
    }

    pub(crate) fn to_vec(&self) -> Vec<u8> {
        self.0.to_vec()
    }
}
