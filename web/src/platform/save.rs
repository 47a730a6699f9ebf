//! Files that the page gives to its reader.

use wasm_bindgen::prelude::*;
use web_sys::{HtmlAnchorElement, Url, window};

use super::FileHandle;
use super::dom::document;
use crate::browser::reason;

/// The address of a file lives for this long: a browser may ask its reader where to put it.
const ADDRESS_MS: i32 = 60_000;

/// Lets the browser save a file under a name. Nothing leaves the machine.
pub(crate) fn save(file: &FileHandle, name: &str) -> Result<(), String> {
    let begun = || -> Result<(), JsValue> {
        let document = document().ok_or(JsValue::NULL)?;
        let link: HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
        let address = Url::create_object_url_with_blob(file.as_js().unchecked_ref())?;
        link.set_href(&address);
        link.set_download(name);
        link.click();
        forget_later(address);
        Ok(())
    };
    begun().map_err(|error| reason(&error))
}

fn forget_later(address: String) {
    let forget = Closure::once_into_js(move || {
        let _ = Url::revoke_object_url(&address);
    });
    if let Some(window) = window() {
        let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(
            forget.unchecked_ref(),
            ADDRESS_MS,
        );
    }
}
