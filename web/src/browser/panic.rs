//! Says what went wrong before a context ends by a bug.

use std::cell::RefCell;
use std::panic;

type Report = Box<dyn Fn(String)>;

thread_local! {
    static REPORT: RefCell<Option<Report>> = const { RefCell::new(None) };
}

/// Calls `report` with one line if this context panics, before it ends.
pub(crate) fn on_panic(report: impl Fn(String) + 'static) {
    REPORT.set(Some(Box::new(report)));
    panic::set_hook(Box::new(|info| {
        let line = info.to_string().replace('\n', " ");
        // What panics while it reports is not reported.
        if let Some(report) = REPORT.take() {
            report(line);
            REPORT.set(Some(report));
        }
    }));
}
