//! A bug must not end in a blank page.

use crate::browser::on_panic;

/// Shows panics of the page above everything else, with a way on.
pub(crate) fn show_panics() {
    on_panic(|line| {
        let Some(document) = web_sys::window().and_then(|window| window.document()) else { return };
        let Some(body) = document.body() else { return };
        let make = |tag: &str, class: &str, text: &str| {
            let element = document.create_element(tag).ok()?;
            element.set_class_name(class);
            element.set_text_content(Some(text));
            Some(element)
        };
        let (Some(banner), Some(title), Some(text), Some(link)) = (
            make("div", "fatal", ""),
            make("strong", "", "hindscope met a bug and stopped."),
            make("p", "", &line),
            make("a", "button", "Start again"),
        ) else {
            return;
        };
        let _ = banner.set_attribute("role", "alert");
        let _ = link.set_attribute("href", "?");
        for part in [title, text, link] {
            let _ = banner.append_child(&part);
        }
        let _ = body.append_child(&banner);
    });
}
