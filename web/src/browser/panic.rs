//! Says what went wrong before a context ends by a bug.

use std::cell::RefCell;
use std::panic;

type Tell = Box<dyn Fn(String)>;

thread_local! {
    static TELL: RefCell<Option<Tell>> = const { RefCell::new(None) };
}

/// Calls `tell` with one line if this context panics, before it ends.
pub(crate) fn on_panic(tell: impl Fn(String) + 'static) {
    TELL.set(Some(Box::new(tell)));
    panic::set_hook(Box::new(|info| {
        let line = info.to_string().replace('\n', " ");
        if let Some(tell) = TELL.take() {
            tell(line);
        }
    }));
}
