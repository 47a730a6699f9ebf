//! Loading the page again after a bug: it comes back to the same address, and what was open is opened or offered
//! again. What is kept for that, the names of files and their handles, is kept until the page has been loaded.

use std::cell::RefCell;

use gloo_storage::{SessionStorage, Storage};
use js_sys::{Function, Reflect};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, window};

use super::address::sample_wanted;
use super::handles::may_keep_files;
use super::kept_files::{KeptFiles, keep_files};

/// Where the tab keeps it. Other tabs do not see it.
const RELOADED: &str = "hindscope.reloaded";
/// The page is loaded again after this long, even if it can do nothing any more.
const AT_LAST_MS: i32 = 2000;

thread_local! {
    // Plain data: after a panic, signals may be locked for ever.
    static OPEN: RefCell<OpenFiles> = RefCell::default();
}

/// What is open, as far as the address does not say it.
#[derive(Default)]
pub(crate) struct OpenFiles {
    /// What can be opened again.
    pub(crate) kept: Option<KeptFiles>,
    /// What cannot, in a few words.
    pub(crate) others: Option<String>,
}

/// What the page was told before it was loaded again.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Reloaded {
    /// Handles are kept.
    pub(crate) has_handles: bool,
    /// What has to be opened anew, in a few words.
    pub(crate) others: Option<String>,
}

/// Notes what is open.
pub(crate) fn note_open(open: OpenFiles) {
    OPEN.set(open);
}

/// What was open before the page was loaded again after a bug. It can be asked once.
pub(crate) fn reloaded() -> Reloaded {
    let reloaded = SessionStorage::get(RELOADED).unwrap_or_default();
    SessionStorage::delete(RELOADED);
    reloaded
}

/// What will be there after the page was loaded again.
pub(super) fn after_reload() -> String {
    OPEN.with_borrow(|open| told(open, sample_wanted().is_some(), may_keep_files()))
}

fn told(open: &OpenFiles, is_sample: bool, may_keep: bool) -> String {
    let says = open.kept.as_ref().map(|kept| kept.says.as_str());
    let then = match says.filter(|_| may_keep) {
        Some(says) => format!(", and offers to open {says} again"),
        None if is_sample => ", with the sample".to_owned(),
        None => String::new(),
    };
    let others = both([says.filter(|_| !may_keep), open.others.as_deref()]);
    let others = others.map(|others| format!(" You will have to open {others} anew."));
    format!("It comes back to this place{then}.{}", others.unwrap_or_default())
}

fn both(names: [Option<&str>; 2]) -> Option<String> {
    let names: Vec<&str> = names.into_iter().flatten().collect();
    (!names.is_empty()).then(|| names.join(" and "))
}

/// Makes a button that loads the page again.
pub(super) fn reload_on_click(button: &Element) {
    let _ = reload_at_last(button);
    let keep = Closure::<dyn Fn()>::new(|| spawn_local(keep_and_reload()));
    let _ = button.add_event_listener_with_callback("click", keep.as_ref().unchecked_ref());
    keep.forget();
}

/// A timer of the browser alone, without a call into the page's own program, which may have stopped.
fn reload_at_last(button: &Element) -> Option<()> {
    let window = window()?;
    let location = window.location();
    let function = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok();
    let reload: Function = function(&location, "reload")?.unchecked_into();
    let later: Function<fn(JsValue, JsValue) -> JsValue> =
        function(&window, "setTimeout")?.unchecked_into();
    let start = later.bind2(&window, reload.bind0(&location).as_ref(), &AT_LAST_MS.into());
    button.add_event_listener_with_callback("click", start.unchecked_ref()).ok()
}

async fn keep_and_reload() {
    let OpenFiles { kept, others } = OPEN.take();
    let has_handles = match &kept {
        Some(kept) if may_keep_files() => keep_files(kept).await.is_ok(),
        _ => false,
    };
    let kept = kept.filter(|_| !has_handles).map(|kept| kept.says);
    let others = both([kept.as_deref(), others.as_deref()]);
    let _ = SessionStorage::set(RELOADED, Reloaded { has_handles, others });
    if let Some(window) = window() {
        let _ = window.location().reload();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_will_be_open_after_the_page_is_loaded_again() {
        let kept =
            || Some(KeptFiles { says: "runs/ (2 files, 3 KB)".to_owned(), roots: Vec::new() });
        let others = || Some("pasted 1".to_owned());
        let of = |kept, others, is_sample, may_keep| {
            told(&OpenFiles { kept, others }, is_sample, may_keep)
        };
        assert_eq!(of(None, None, false, true), "It comes back to this place.");
        assert_eq!(of(None, None, true, true), "It comes back to this place, with the sample.");
        assert_eq!(
            of(kept(), others(), false, true),
            "It comes back to this place, and offers to open runs/ (2 files, 3 KB) again. You will have to open pasted 1 anew."
        );
        assert_eq!(
            of(kept(), others(), false, false),
            "It comes back to this place. You will have to open runs/ (2 files, 3 KB) and pasted 1 anew."
        );
    }
}
