//! Numbers and times as the reader's own language writes them.

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

/// A moment in the reader's zone, with the zone's name.
#[cfg(target_arch = "wasm32")]
pub(crate) fn local_time(text: &str) -> Option<String> {
    use js_sys::{Array, Date, Intl::DateTimeFormat, Object, Reflect};

    let date = Date::new(&text.into());
    if date.get_time().is_nan() {
        return None;
    }
    let options = Object::new();
    let wanted = [("dateStyle", "medium"), ("timeStyle", "long")];
    for (name, value) in wanted {
        Reflect::set(&options, &name.into(), &value.into()).ok()?;
    }
    let format = DateTimeFormat::new(&Array::new(), &options).format();
    format.call1(&wasm_bindgen::JsValue::UNDEFINED, &date).ok()?.as_string()
}

/// No zone: tests have no browser.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn local_time(_: &str) -> Option<String> {
    None
}

/// A moment in UTC, as RFC 3339 writes it.
#[cfg(target_arch = "wasm32")]
pub(crate) fn utc_time(text: &str) -> Option<String> {
    let date = js_sys::Date::new(&text.into());
    (!date.get_time().is_nan()).then(|| date.to_iso_string().into())
}

/// No calendar: tests have no browser.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn utc_time(_: &str) -> Option<String> {
    None
}
