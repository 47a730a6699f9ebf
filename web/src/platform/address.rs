//! The address bar.

use gloo_events::EventListener;
use hindscope::MOST_MEMORY_MB;
use web_sys::{Url, UrlSearchParams, window};

/// The hash of the address.
pub(crate) fn hash() -> String {
    window().and_then(|window| window.location().hash().ok()).unwrap_or_default()
}

/// The whole address, with another hash.
pub(crate) fn address_with(hash: &str) -> String {
    let href = window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    format!("{}{hash}", href.split('#').next().unwrap_or_default())
}

/// Changes the hash, or the whole address: as a new entry of the history, or in place of the current one.
pub(crate) fn go(address: &str, replace: bool) {
    let Some(history) = window().and_then(|window| window.history().ok()) else { return };
    let nothing = wasm_bindgen::JsValue::NULL;
    let _ = if replace {
        history.replace_state_with_url(&nothing, "", Some(address))
    } else {
        history.push_state_with_url(&nothing, "", Some(address))
    };
}

/// Calls when a link was followed, or the reader went back. Lasts as long as the page.
pub(crate) fn on_address(call: impl Fn() + 'static) {
    if let Some(window) = window() {
        EventListener::new(&window, "hashchange", move |_| call()).forget();
    }
}

/// `?sample=name`
pub(crate) fn sample_wanted() -> Option<String> {
    wanted("sample")
}

/// Names a sample in the address, or none, so that it is opened again when the page is loaded again.
pub(crate) fn name_sample(name: Option<&str>) {
    if sample_wanted().as_deref() == name {
        return;
    }
    let renamed = || {
        let window = window()?;
        let url = Url::new(&window.location().href().ok()?).ok()?;
        match name {
            Some(name) => url.search_params().set("sample", name),
            None => url.search_params().delete("sample"),
        }
        go(&url.href(), true);
        Some(())
    };
    renamed();
}

/// `?memory=512`: bytes that the index may take, given in MB. More than WebAssembly has room for counts as
/// what it has room for.
pub(crate) fn memory_wanted() -> Option<f64> {
    let most = f64::from(MOST_MEMORY_MB) * f64::from(1 << 20);
    let megabytes: f64 = wanted("memory")?.parse().ok()?;
    (megabytes > 0.0).then_some((megabytes * 1e6).min(most))
}

fn wanted(name: &str) -> Option<String> {
    let search = window()?.location().search().ok()?;
    UrlSearchParams::new_with_str(&search).ok()?.get(name)
}

/// One step back, as the browser's own button does.
pub(crate) fn back() {
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        let _ = history.back();
    }
}
