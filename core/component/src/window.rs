//! The resource `reflection-window`.

use std::cell::RefCell;

use hindscope::ReflectionWindow;

use crate::bindings::exports::hindscope::reflections::api;
use crate::bindings::exports::hindscope::reflections::types::{
    Entry, Error, Finding, Layout, MemoryMetadata, Policy,
};
use crate::misuse;

/// A window in a cell: resources are called by shared reference.
pub(crate) struct Window(RefCell<ReflectionWindow>);

impl api::GuestReflectionWindow for Window {
    fn create(omega: u8, policy: Policy) -> Result<api::ReflectionWindow, Error> {
        ReflectionWindow::new(omega, policy.into())
            .map(|window| api::ReflectionWindow::new(Self(RefCell::new(window))))
            .map_err(|error| misuse::about(&error, &[("omega", f64::from(omega))]))
    }

    fn push(&self, bytes: Vec<u8>) -> Vec<Finding> {
        let findings = self.0.borrow_mut().push(&bytes);
        findings.into_iter().map(Into::into).collect()
    }

    fn entries(&self) -> Vec<Entry> {
        self.0.borrow().entries().iter().cloned().map(Into::into).collect()
    }

    fn held(&self) -> Vec<i64> {
        self.0.borrow().held()
    }

    fn evicted(&self) -> Vec<i64> {
        self.0.borrow().evicted()
    }

    fn render(&self, layout: Layout) -> String {
        self.0.borrow().render(layout.into())
    }

    fn metadata(&self) -> MemoryMetadata {
        self.0.borrow().metadata().into()
    }
}
