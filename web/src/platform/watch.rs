//! Sizes, scrolling and media queries, watched for as long as the answer is kept.

use std::cell::Cell;
use std::rc::Rc;

use gloo_events::EventListener;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement, PointerEvent, ResizeObserver, window};

/// Stops watching when dropped.
pub(crate) struct Watch {
    _listeners: Vec<EventListener>,
    observer: Option<(ResizeObserver, Closure<dyn Fn()>)>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some((observer, _)) = &self.observer {
            observer.disconnect();
        }
    }
}

/// Calls with the state of a media query, now and whenever it changes.
pub(crate) fn media(query: &str, call: impl Fn(bool) + 'static) -> Option<Watch> {
    let list = window()?.match_media(query).ok()??;
    call(list.matches());
    let of_event = list.clone();
    let listener = EventListener::new(&list, "change", move |_| call(of_event.matches()));
    Some(Watch { _listeners: vec![listener], observer: None })
}

/// Whether what stands beside each other on a wide page stands below each other.
pub(crate) fn is_stacked() -> bool {
    let list = window().and_then(|window| window.match_media("(max-width: 1023.98px)").ok());
    list.flatten().is_some_and(|list| list.matches())
}

/// Calls when anything outside of the element with an id is pressed or receives the focus.
pub(crate) fn on_outside(id: &'static str, call: impl Fn() + Clone + 'static) -> Option<Watch> {
    let window = window()?;
    let listen = |name| {
        let call = call.clone();
        EventListener::new(&window, name, move |event| {
            let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            let around = target.and_then(|target| target.closest(&format!("#{id}")).ok().flatten());
            if around.is_none() {
                call();
            }
        })
    };
    Some(Watch { _listeners: ["pointerdown", "focusin"].map(listen).into(), observer: None })
}

/// Calls with the width of an element, now and whenever it changes.
pub(crate) fn width_of(element: &HtmlElement, call: impl Fn(f64) + 'static) -> Option<Watch> {
    let (measured, last) = (element.clone(), Cell::new(-1.0));
    let changed = Closure::<dyn Fn()>::new(move || {
        let width = f64::from(measured.client_width());
        // Comparing whole pixels: they come from an integer.
        if (last.replace(width) - width).abs() > 0.5 {
            call(width);
        }
    });
    let observer = ResizeObserver::new(changed.as_ref().unchecked_ref()).ok()?;
    observer.observe(element);
    Some(Watch { _listeners: Vec::new(), observer: Some((observer, changed)) })
}

/// Where a list stands in the part of the page that scrolls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Frame {
    /// Pixels of the list above the upper edge; negative while it begins below.
    pub(crate) scroll: f64,
    /// Height of the part that is seen.
    pub(crate) view: f64,
}

/// Calls with the frame of a list, now and at each frame in which it changes.
pub(crate) fn on_scroll_frame(list: &HtmlElement, call: impl Fn(Frame) + 'static) -> Option<Watch> {
    let scroller = scroller(list)?;
    let (list, outer) = (list.clone(), scroller.clone());
    let reported = Cell::new(None);
    let measure = Rc::new(move || {
        let frame = Frame {
            scroll: outer.get_bounding_client_rect().top() - list.get_bounding_client_rect().top(),
            view: f64::from(outer.client_height()),
        };
        if reported.replace(Some(frame)) != Some(frame) {
            call(frame);
        }
    });
    measure();
    let by_scroll = Rc::clone(&measure);
    let listener = EventListener::new(&scroller, "scroll", move |_| by_scroll());
    let by_size = Closure::<dyn Fn()>::new(move || measure());
    let observer = ResizeObserver::new(by_size.as_ref().unchecked_ref()).ok()?;
    observer.observe(&scroller);
    // Whatever grows above the list moves it without any scrolling.
    if let Some(content) = scroller.first_element_child() {
        observer.observe(&content);
    }
    Some(Watch { _listeners: vec![listener], observer: Some((observer, by_size)) })
}

/// Calls with what of a box is in sight, across and down, now and whenever that changes.
pub(crate) fn on_scroll_box(
    element: &HtmlElement,
    call: impl Fn(Frame, Frame) + 'static,
) -> Option<Watch> {
    let seen = element.clone();
    let measure = Rc::new(move || {
        let frame = |scroll: i32, view: i32| Frame { scroll: scroll.into(), view: view.into() };
        call(
            frame(seen.scroll_left(), seen.client_width()),
            frame(seen.scroll_top(), seen.client_height()),
        );
    });
    measure();
    let by_scroll = Rc::clone(&measure);
    let listener = EventListener::new(element, "scroll", move |_| by_scroll());
    let by_size = Closure::<dyn Fn()>::new(move || measure());
    let observer = ResizeObserver::new(by_size.as_ref().unchecked_ref()).ok()?;
    observer.observe(element);
    Some(Watch { _listeners: vec![listener], observer: Some((observer, by_size)) })
}

/// Scrolls a box.
pub(crate) fn scroll_box_to(element: &HtmlElement, left: f64, top: f64) {
    element.set_scroll_left(super::dom::rounded(left));
    element.set_scroll_top(super::dom::rounded(top));
}

/// Captures the pointer for the element that heard the event. Gives where the pointer is across the
/// parent of that element: 0 at its left edge, 1 at its right edge.
pub(crate) fn hold(event: &PointerEvent) -> Option<f64> {
    let held = event.current_target()?.dyn_into::<Element>().ok()?;
    let _ = held.set_pointer_capture(event.pointer_id());
    let frame = held.parent_element()?.get_bounding_client_rect();
    (frame.width() > 0.0).then(|| (f64::from(event.client_x()) - frame.left()) / frame.width())
}

/// Scrolls so that `from` pixels of the list are above the upper edge.
pub(crate) fn scroll_list_to(list: &HtmlElement, from: f64) {
    let Some(scroller) = scroller(list) else { return };
    let now = scroller.get_bounding_client_rect().top() - list.get_bounding_client_rect().top();
    scroller.set_scroll_top(scroller.scroll_top() + super::dom::rounded(from - now));
}

fn scroller(list: &HtmlElement) -> Option<Element> {
    list.closest("[data-scroller]").ok().flatten()
}
