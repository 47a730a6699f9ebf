//! What the browser puts on paper.

use gloo_events::EventListener;
use web_sys::{DomParser, Element, SupportedType, window};

use super::dom::{document, mark_root};

/// Calls before the browser prints by its own menu, and after any printing. Lasts as long as the
/// page.
pub(crate) fn on_print(call: impl Fn(bool) + Clone + 'static) {
    let Some(window) = window() else { return };
    for (name, is_before) in [("beforeprint", true), ("afterprint", false)] {
        let call = call.clone();
        EventListener::new(&window, name, move |_| call(is_before)).forget();
    }
}

/// Whether the page is drawn as for paper: in the light theme, whatever the screen has.
pub(crate) fn mark_print(is_print: bool) {
    mark_root("data-print", is_print.then_some(""));
}

/// Opens the browser's dialog, and comes back when that is closed.
pub(crate) fn print() {
    if let Some(window) = window() {
        let _ = window.print();
    }
}

/// Matches what could run code, load something or lead away. No chart has any of it.
const NO_CHART: &str =
    "script, style, a, use, image, foreignObject, animate, set, [href], [onload]";

/// Replaces the content of an element by an SVG that the page drew; `None` empties the element. The text
/// is read as XML and not as HTML, and is not shown if it has anything that `NO_CHART` matches.
pub(crate) fn show_svg(host: &Element, svg: Option<&str>) {
    host.set_text_content(None);
    let Some(text) = svg else { return };
    let read = DomParser::new()
        .and_then(|parser| parser.parse_from_string(text, SupportedType::ImageSvgXml));
    if let (Ok(read), Some(document)) = (read, document())
        && let Some(root) = read.document_element()
        && let Ok(None) = root.query_selector(NO_CHART)
        && let Ok(node) = document.import_node_with_deep(&root, true)
    {
        let _ = host.append_child(&node);
    }
}
