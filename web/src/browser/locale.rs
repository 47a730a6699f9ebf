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
    let digits = value.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Writes a number with so many decimals, at most 3; with a sign, unless it rounds to nothing.
#[cfg(target_arch = "wasm32")]
pub(crate) fn decimal(value: f64, places: u8, signed: bool) -> String {
    use js_sys::{Array, Function, Intl::NumberFormat, Object, Reflect};
    use wasm_bindgen::JsValue;

    fn format(places: u8, signed: bool) -> Function {
        let options = Object::new();
        let places = JsValue::from(places);
        let sign = if signed { "exceptZero" } else { "negative" };
        for (name, value) in [
            ("minimumFractionDigits", &places),
            ("maximumFractionDigits", &places),
            ("signDisplay", &sign.into()),
        ] {
            let _ = Reflect::set(&options, &name.into(), value);
        }
        NumberFormat::new(&Array::new(), &options).format()
    }
    thread_local! {
        static FORMATS: [[Function; 2]; 4] =
            [0, 1, 2, 3].map(|places| [false, true].map(|signed| format(places, signed)));
    }
    FORMATS
        .with(|all| {
            all[usize::from(places.min(3))][usize::from(signed)]
                .call1(&JsValue::UNDEFINED, &value.into())
        })
        .ok()
        .and_then(|text| text.as_string())
        .map_or_else(
            || format!("{value:.*}", usize::from(places)),
            |text| text.replace('-', "\u{2212}"),
        )
}

/// Writes a number in English: tests have no browser.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn decimal(value: f64, places: u8, signed: bool) -> String {
    let text = format!("{:.*}", usize::from(places), value.abs());
    if text.bytes().all(|b| matches!(b, b'0' | b'.')) {
        text
    } else if value < 0.0 {
        format!("\u{2212}{text}")
    } else if signed {
        format!("+{text}")
    } else {
        text
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_of_three() {
        assert_eq!(whole(1_234_567), "1,234,567");
        assert_eq!(whole(12), "12");
    }
}
