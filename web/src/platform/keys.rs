//! Keys for the whole page.

use web_sys::{Element, KeyboardEvent};

use super::dom;

/// A key as it was pressed, read by its meaning and not by its place.
pub(crate) struct Key {
    /// `KeyboardEvent.key`; with `Mod+` before it while Ctrl or Cmd is held.
    pub(crate) name: String,
    /// It is held down.
    pub(crate) is_repeated: bool,
}

/// Calls for keys that no field, dialog or shortcut of the browser owns. A key that `call` says it
/// used is used up. Lasts as long as the page.
///
/// With Ctrl or Cmd only those are heard that are `listed`, with Alt none.
pub(crate) fn on_keys(listed: fn(&str) -> bool, call: impl Fn(Key) -> bool + 'static) {
    dom::listen("keydown", move |event: &KeyboardEvent| {
        if event.is_composing() || event.default_prevented() || dom::is_modal() {
            return;
        }
        let Some(name) = name(event).filter(|name| !name.starts_with("Mod+") || listed(name))
        else {
            return;
        };
        let target = dom::target_of::<Element>(event);
        if target.as_ref().is_some_and(dom::takes_keys) {
            return;
        }
        // The space bar presses what has the focus.
        if name == " " && target.as_ref().is_some_and(dom::is_pressed_by_space) {
            return;
        }
        if call(Key { name, is_repeated: event.repeat() }) {
            event.prevent_default();
        }
    });
}

/// What the key means; none for a shortcut of the browser or of the system.
fn name(event: &KeyboardEvent) -> Option<String> {
    let key = event.key();
    // AltGr writes brackets on most layouts of Europe, and says it is Ctrl with Alt on some systems.
    if event.get_modifier_state("AltGraph") {
        return Some(key);
    }
    if event.alt_key() {
        return None;
    }
    if event.ctrl_key() || event.meta_key() {
        return (!event.shift_key()).then(|| format!("Mod+{}", key.to_lowercase()));
    }
    Some(key)
}

/// Calls for Ctrl+F and Cmd+F, unless a field with one of these ids has the focus: pressed again, they
/// are the browser's own. A key that `call` says it used is used up. Lasts as long as the page.
pub(crate) fn on_find(fields: &'static [&'static str], call: impl Fn() -> bool + 'static) {
    dom::listen("keydown", move |event: &KeyboardEvent| {
        let is_find =
            (event.ctrl_key() != event.meta_key()) && !event.alt_key() && !event.shift_key();
        if !is_find || !event.key().eq_ignore_ascii_case("f") || event.default_prevented() {
            return;
        }
        let target = dom::target_of::<Element>(event);
        let is_in_field = target.is_some_and(|target| fields.contains(&target.id().as_str()));
        if !is_in_field && call() {
            event.prevent_default();
        }
    });
}
