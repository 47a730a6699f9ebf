//! Small dealings with the document.

use wasm_bindgen::JsCast;
use web_sys::{
    Document, Element, Event, HtmlDialogElement, HtmlElement, HtmlInputElement, HtmlSelectElement,
    HtmlTextAreaElement, window,
};

pub(super) fn document() -> Option<Document> {
    window()?.document()
}

/// What a `<meta name=…>` of the page says.
pub(super) fn meta(name: &str) -> Option<String> {
    let element = document()?.query_selector(&format!("meta[name={name}]")).ok()??;
    element.get_attribute("content")
}

/// What the tab is called.
pub(crate) fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

/// Takes away what `index.html` shows while the page loads.
pub(crate) fn forget_boot_screen() {
    if let Some(boot) = document().and_then(|document| document.get_element_by_id("boot")) {
        boot.remove();
    }
}

/// Moves the focus without scrolling.
pub(super) fn focus(element: &HtmlElement) {
    let options = js_sys::Object::new();
    let _ = js_sys::Reflect::set(&options, &"preventScroll".into(), &true.into());
    let focus = js_sys::Reflect::get(element, &"focus".into());
    if let Some(focus) = focus.ok().and_then(|focus| focus.dyn_into::<js_sys::Function>().ok()) {
        let _ = focus.call1(element, &options);
    }
}

/// Moves the focus to the element with an id, if there is one.
pub(crate) fn focus_id(id: &str) -> bool {
    let found = document().and_then(|document| document.get_element_by_id(id));
    let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) else {
        return false;
    };
    focus(&element);
    true
}

#[expect(clippy::cast_possible_truncation, reason = "pixels of a screen")]
pub(super) fn rounded(pixels: f64) -> i32 {
    pixels.round() as i32
}

/// The value of the field that an event comes from.
pub(crate) fn value_of(event: &Event) -> String {
    let Some(target) = event.target() else { return String::new() };
    match target.dyn_into::<HtmlInputElement>() {
        Ok(input) => input.value(),
        Err(target) => match target.dyn_into::<HtmlTextAreaElement>() {
            Ok(area) => area.value(),
            Err(target) => target
                .dyn_into::<HtmlSelectElement>()
                .map(|select| select.value())
                .unwrap_or_default(),
        },
    }
}

/// Empties a file field, so that picking the same file again is a change.
pub(crate) fn clear_value(event: &Event) {
    if let Some(input) =
        event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok())
    {
        input.set_value("");
    }
}

/// Opens the dialog with an id above everything else.
pub(crate) fn open_dialog(id: &str) {
    if let Some(dialog) = dialog(id)
        && !dialog.open()
    {
        let _ = dialog.show_modal();
    }
}

/// Closes it; the focus goes back to where it was.
pub(crate) fn close_dialog(id: &str) {
    if let Some(dialog) = dialog(id) {
        dialog.close();
    }
}

fn dialog(id: &str) -> Option<HtmlDialogElement> {
    document()?.get_element_by_id(id)?.dyn_into().ok()
}

/// Copies text, and says whether that was possible.
pub(crate) fn copy_text(text: String, told: impl FnOnce(bool) + 'static) {
    let Some(window) = window() else { return };
    let promise = window.navigator().clipboard().write_text(&text);
    wasm_bindgen_futures::spawn_local(async move {
        told(wasm_bindgen_futures::JsFuture::from(promise).await.is_ok());
    });
}

/// Whether an element takes keys for itself.
pub(super) fn takes_keys(element: &Element) -> bool {
    matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
        || element.has_attribute("contenteditable")
        || element.closest("dialog[open]").ok().flatten().is_some()
}
