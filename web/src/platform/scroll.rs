//! Keeps the reader's place while what is read is replaced.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::dom::{by_id, document, focus, rounded};

/// The section that stands at the upper edge, and how far below the edge it begins.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    section: Option<String>,
    top: f64,
    scroll: i32,
    /// The section that has the focus.
    focus: Option<String>,
}

/// Where the reader is in the scrolling part around an element; `data-section` names sections.
pub(crate) fn anchor(inside: &HtmlElement) -> Option<Anchor> {
    let scroller = scroller(inside)?;
    let scroll = scroller.scroll_top();
    let edge = scroller.get_bounding_client_rect().top();
    let focus = focused(inside);
    let mut last = Anchor { section: None, top: 0.0, scroll, focus };
    for section in sections(inside) {
        let top = section.get_bounding_client_rect().top() - edge;
        // The one that is being read began above, or just below, the edge.
        if top > 40.0 {
            break;
        }
        // Rounded, so that what a step of whole pixels leaves over does not add up over many steps.
        (last.section, last.top) = (section.get_attribute("data-section"), top.round());
    }
    Some(last)
}

impl Anchor {
    /// Scrolls so that the section stands where it stood; where there is none of that name, the
    /// distance from the beginning stays.
    pub(crate) fn restore(&self, inside: &HtmlElement) {
        let Some(scroller) = scroller(inside) else { return };
        let edge = scroller.get_bounding_client_rect().top();
        let named = |name: &String| {
            sections(inside).find(|it| it.get_attribute("data-section").as_ref() == Some(name))
        };
        let to = match self.section.as_ref().and_then(named) {
            // Deep in a long section there may be less of it now: then its beginning is shown.
            Some(section) => {
                let rect = section.get_bounding_client_rect();
                let top = if self.top + rect.height() > 40.0 { self.top } else { 0.0 };
                scroller.scroll_top() + rounded(rect.top() - edge - top)
            }
            None => self.scroll,
        };
        if to != scroller.scroll_top() {
            scroller.set_scroll_top(to);
        }
        let button = self.focus.as_ref().and_then(named);
        let button = button.and_then(|it| it.query_selector(".fold-button").ok().flatten());
        if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok())
            && focused(inside).is_none()
        {
            focus(&button);
        }
    }
}

/// The section inside of an element that has the focus.
fn focused(inside: &HtmlElement) -> Option<String> {
    let active = document()?.active_element().filter(|active| inside.contains(Some(active)))?;
    active.closest("[data-section]").ok().flatten()?.get_attribute("data-section")
}

fn sections(inside: &HtmlElement) -> impl Iterator<Item = Element> + use<> {
    let list = inside.query_selector_all("[data-section]").ok();
    let count = list.as_ref().map_or(0, web_sys::NodeList::length);
    (0..count).filter_map(move |at| list.as_ref()?.item(at)?.dyn_into().ok())
}

/// The part of the page that scrolls: the one that is marked, if it is higher than its box.
fn scroller(inside: &HtmlElement) -> Option<Element> {
    let mut at = inside.closest("[data-scroller]").ok().flatten();
    while let Some(element) = at {
        let parent = element.parent_element();
        let outer = parent.and_then(|parent| parent.closest("[data-scroller]").ok().flatten());
        if element.scroll_height() > element.client_height() + 1 || outer.is_none() {
            return Some(element);
        }
        at = outer;
    }
    None
}

/// Brings the element with an id into sight, and the focus to it.
pub(crate) fn scroll_to_id(id: &str) {
    if let Some(element) = by_id::<HtmlElement>(id) {
        element.scroll_into_view_with_bool(true);
        focus(&element);
    }
}

/// How far from its left edge, 0..1, a point of the screen lies in an element.
pub(crate) fn share_of(element: &HtmlElement, x: f64) -> f64 {
    let rect = element.get_bounding_client_rect();
    if rect.width() <= 0.0 {
        return 0.0;
    }
    ((x - rect.left()) / rect.width()).clamp(0.0, 1.0)
}
