//! The time now, and dates as text.

use wasm_bindgen::prelude::*;
use web_sys::Performance;

#[wasm_bindgen]
extern "C" {
    // Windows and workers both have it, but share no type that says so.
    #[wasm_bindgen(js_name = performance, thread_local_v2)]
    static PERFORMANCE: Performance;
}

/// Milliseconds since this context began.
pub(crate) fn now() -> f64 {
    PERFORMANCE.with(Performance::now)
}

/// Date and time in UTC as RFC 3339 writes them, by the clock of the machine.
pub(crate) fn date_time() -> String {
    js_sys::Date::new_0().to_iso_string().into()
}

/// The clock of the machine, in milliseconds since 1970-01-01T00:00:00Z.
pub(crate) fn date_ms() -> f64 {
    js_sys::Date::now()
}

/// A moment in UTC as RFC 3339 writes it; none for what is beyond all calendars.
pub(crate) fn date_of(ms: f64) -> Option<String> {
    let date = js_sys::Date::new(&ms.into());
    (!date.get_time().is_nan()).then(|| date.to_iso_string().into())
}

/// A moment to the minute, by the clock on the reader's wall: `2026-03-02 09:06`.
pub(crate) fn local_minute(ms: f64) -> String {
    let date = js_sys::Date::new(&ms.into());
    format!(
        "{}-{:02}-{:02} {:02}:{:02}",
        date.get_full_year(),
        date.get_month() + 1,
        date.get_date(),
        date.get_hours(),
        date.get_minutes()
    )
}

/// The time now to the second, by the clock on the reader's wall: `12:03:22`.
pub(crate) fn local_second() -> String {
    let date = js_sys::Date::new_0();
    format!("{:02}:{:02}:{:02}", date.get_hours(), date.get_minutes(), date.get_seconds())
}
