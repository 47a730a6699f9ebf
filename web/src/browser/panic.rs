//! Says what went wrong before a context ends by a bug.

use std::cell::RefCell;
use std::fmt;
use std::panic;

/// What a panic says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bug {
    /// File, line and column as the compiler names them.
    pub(crate) place: String,
    /// The first line of the message: those after it are stacks of the glue, which name nothing of ours.
    pub(crate) message: String,
}

type Report = Box<dyn Fn(Bug)>;

thread_local! {
    static REPORT: RefCell<Option<Report>> = const { RefCell::new(None) };
}

/// Calls `report` if this context panics, before it ends.
pub(crate) fn on_panic(report: impl Fn(Bug) + 'static) {
    REPORT.set(Some(Box::new(report)));
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let bug = Bug::new(&place, info.payload_as_str().unwrap_or("no message"));
        // What panics while it reports is not reported.
        if let Some(report) = REPORT.take() {
            report(bug);
            REPORT.set(Some(report));
        }
    }));
}

impl Bug {
    fn new(place: &str, message: &str) -> Self {
        // The folders of the machine that compiled a library are left out.
        let place = ["/registry/src/", "/rustc/"]
            .iter()
            .find_map(|start| {
                let (_, path) = place.split_once(start)?;
                path.split_once('/').map(|(_, path)| path)
            })
            .unwrap_or(place);
        let message = message.lines().next().unwrap_or_default().trim_end_matches('.');
        Self { place: place.to_owned(), message: message.to_owned() }
    }

    /// Whether its place is in our own code.
    pub(crate) fn is_own(&self) -> bool {
        self.place.starts_with("web/src/") || self.place.starts_with("core/src/")
    }
}

impl fmt::Display for Bug {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_is_told_from_where_it_is_and_in_one_line() {
        let message = "page and worker differ: Error(JsValue(Error: invalid type\nError: invalid type\n    at imports";
        let bug = Bug::new("web/src/browser/messages.rs:14:5", message);
        assert!(bug.is_own());
        assert_eq!(
            bug.to_string(),
            "web/src/browser/messages.rs:14:5: page and worker differ: Error(JsValue(Error: invalid type"
        );
        for (path, short) in [
            (
                "/home/ann/.cargo/registry/src/index.crates.io-1949/reactive_graph-0.3.0/src/traits.rs:87:9",
                "reactive_graph-0.3.0/src/traits.rs:87:9",
            ),
            ("/rustc/59807616e1/library/core/src/cell.rs:1:2", "library/core/src/cell.rs:1:2"),
        ] {
            let bug = Bug::new(path, "");
            assert_eq!(bug.place, short);
            assert!(!bug.is_own());
        }
    }
}
