//! Small dealings with the document.

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{
    Document, Element, Event, HtmlDialogElement, HtmlElement, HtmlInputElement, HtmlSelectElement,
    HtmlTextAreaElement, window,
};

use super::own_events::on_purpose;

pub(super) fn document() -> Option<Document> {
    window()?.document()
}

/// Calls for each event of a name in the window, and may prevent what the browser does. Lasts as long as the
/// page.
pub(super) fn listen<E: JsCast + 'static>(name: &'static str, call: impl Fn(&E) + 'static) {
    let Some(window) = window() else { return };
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&window, name, options, move |event| {
        if let Some(event) = event.dyn_ref::<E>() {
            call(event);
        }
    })
    .forget();
}

/// What a `<meta name=…>` of the page says.
pub(super) fn meta(name: &str) -> Option<String> {
    let element = document()?.query_selector(&format!("meta[name={name}]")).ok()??;
    element.get_attribute("content")
}

/// The element with an id, if it is of this kind.
pub(super) fn by_id<T: JsCast>(id: &str) -> Option<T> {
    document()?.get_element_by_id(id)?.dyn_into().ok()
}

/// What an event is about, if it is of this kind.
pub(super) fn target_of<T: JsCast>(event: &Event) -> Option<T> {
    event.target()?.dyn_into().ok()
}

/// Whether the tab is not seen.
pub(crate) fn is_hidden() -> bool {
    document().is_some_and(|document| document.hidden())
}

/// What the tab is called.
pub(crate) fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

/// Takes away what `index.html` shows while the page loads.
pub(crate) fn forget_boot_screen() {
    if let Some(boot) = by_id::<Element>("boot") {
        boot.remove();
    }
}

/// Moves the focus without scrolling.
pub(super) fn focus(element: &HtmlElement) {
    let options = js_sys::Object::new();
    let _ = js_sys::Reflect::set(&options, &"preventScroll".into(), &true.into());
    let focus = js_sys::Reflect::get(element, &"focus".into());
    if let Some(focus) = focus.ok().and_then(|focus| focus.dyn_into::<js_sys::Function>().ok()) {
        let _ = on_purpose(|| focus.call1(element, &options));
    }
}

/// Moves the focus to the element with an id, if there is one.
pub(crate) fn focus_id(id: &str) -> bool {
    let found = by_id::<HtmlElement>(id);
    if let Some(element) = &found {
        focus(element);
    }
    found.is_some()
}

#[expect(clippy::cast_possible_truncation, reason = "pixels of a screen")]
pub(super) fn rounded(pixels: f64) -> i32 {
    pixels.round() as i32
}

/// The value of the field that an event comes from.
pub(crate) fn value_of(event: &Event) -> String {
    let input = target_of::<HtmlInputElement>(event).map(|input| input.value());
    let area = || target_of::<HtmlTextAreaElement>(event).map(|area| area.value());
    let select = || target_of::<HtmlSelectElement>(event).map(|select| select.value());
    input.or_else(area).or_else(select).unwrap_or_default()
}

/// Empties a file field, so that picking the same file again is a change.
pub(crate) fn clear_value(event: &Event) {
    if let Some(input) = target_of::<HtmlInputElement>(event) {
        input.set_value("");
    }
}

/// Opens the dialog with an id above everything else.
pub(crate) fn open_dialog(id: &str) {
    if let Some(dialog) = by_id::<HtmlDialogElement>(id)
        && !dialog.open()
    {
        let _ = on_purpose(|| dialog.show_modal());
    }
}

/// Closes it; the focus goes back to where it was.
pub(crate) fn close_dialog(id: &str) {
    if let Some(dialog) = by_id::<HtmlDialogElement>(id) {
        on_purpose(|| dialog.close());
    }
}

/// Copies text, and says whether that was possible.
pub(crate) fn copy_text(text: String, done: impl FnOnce(bool) + 'static) {
    let Some(window) = window() else { return };
    let promise = window.navigator().clipboard().write_text(&text);
    wasm_bindgen_futures::spawn_local(async move {
        done(wasm_bindgen_futures::JsFuture::from(promise).await.is_ok());
    });
}

/// Whether an element takes keys for itself. A box to tick has no use for letters.
pub(super) fn takes_keys(element: &Element) -> bool {
    let is_field = match element.tag_name().as_str() {
        "INPUT" => {
            let kind = element.get_attribute("type").unwrap_or_default();
            !matches!(kind.as_str(), "checkbox" | "radio" | "button" | "submit" | "file")
        }
        "TEXTAREA" | "SELECT" => true,
        _ => false,
    };
    let inside = "[contenteditable]:not([contenteditable=false]), dialog[open]";
    is_field || element.closest(inside).ok().flatten().is_some()
}

/// Whether the space bar presses an element.
pub(super) fn is_pressed_by_space(element: &Element) -> bool {
    let pressed = "button, summary, input, [role=button], [role=slider]";
    element.closest(pressed).ok().flatten().is_some()
}

/// Whether a dialog owns the keyboard, wherever the focus is.
pub(super) fn is_modal() -> bool {
    let found = document().and_then(|document| document.query_selector("dialog:modal").ok());
    found.flatten().is_some()
}

/// Writes an attribute of the root element, or takes it away.
pub(super) fn mark_root(name: &str, value: Option<&str>) {
    if let Some(root) = document().and_then(|document| document.document_element()) {
        let _ = match value {
            Some(value) => root.set_attribute(name, value),
            None => root.remove_attribute(name),
        };
    }
}

/// Clicks the first element that a selector finds, and says whether there was one.
pub(crate) fn click_on(selector: &str) -> bool {
    let found = document().and_then(|document| document.query_selector(selector).ok()).flatten();
    let element = found.and_then(|element| element.dyn_into::<HtmlElement>().ok());
    if let Some(element) = &element {
        element.click();
    }
    element.is_some()
}

/// Scrolls so that the element with an id is seen.
pub(crate) fn reveal_id(id: &str) {
    if let Some(element) = by_id::<Element>(id) {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// Scrolls the content of the element with an id to its beginning.
pub(crate) fn rewind_id(id: &str) {
    if let Some(element) = by_id::<Element>(id) {
        element.set_scroll_top(0);
    }
}

/// Whether the keyboard has a Cmd key.
pub(crate) fn has_cmd() -> bool {
    let agent = window().and_then(|window| window.navigator().user_agent().ok());
    agent.is_some_and(|agent| agent.contains("Mac OS") || agent.contains("iPhone"))
}
