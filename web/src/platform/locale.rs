//! Whole numbers as the reader's own language groups them.

/// Writes a whole number.
#[cfg(target_arch = "wasm32")]
pub(crate) fn whole(value: u32) -> String {
    use js_sys::{Array, Intl::NumberFormat, Object};
    use wasm_bindgen::JsValue;

    thread_local! {
        static FORMAT: js_sys::Function =
            NumberFormat::new(&Array::new(), &Object::new()).format();
    }
    FORMAT
        .with(|format| format.call1(&JsValue::UNDEFINED, &f64::from(value).into()))
        .ok()
        .and_then(|text| text.as_string())
        .unwrap_or_else(|| value.to_string())
}

/// Writes a whole number, in English: tests have no browser.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn whole(value: u32) -> String {
    crate::format::grouped(u64::from(value))
}
