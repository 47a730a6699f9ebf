//! Values as JSON text, for copies.

use serde::Serialize;

/// Lays a value out as JSON, two spaces a level. The browser's own writer does it: a second one
/// would weigh more than all copies are worth.
#[cfg(target_arch = "wasm32")]
pub(crate) fn json_text(value: &impl Serialize) -> Option<String> {
    let object = value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).ok()?;
    let none = wasm_bindgen::JsValue::NULL;
    js_sys::JSON::stringify_with_replacer_and_space(&object, &none, &2.into()).ok()?.as_string()
}

/// No text: tests have no browser.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn json_text(_: &impl Serialize) -> Option<String> {
    None
}
