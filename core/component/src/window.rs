//! The resource `reflection-window`.

use std::cell::RefCell;

use hindscope::ReflectionWindow;

use crate::bindings::exports::hindscope::reflections::api;
use crate::bindings::exports::hindscope::reflections::types::{Error, Finding};
use crate::bindings::exports::hindscope::reflections::window::{
    Entry, Layout, MemoryMetadata, RenderOptions, WindowRule,
};
use crate::cross::{Cross, Over, or_default};
use crate::misuse;

/// A window in a cell: resources are called by shared reference.
pub(crate) struct Window(RefCell<ReflectionWindow>);

impl api::GuestReflectionWindow for Window {
    fn create(rule: Option<WindowRule>) -> Result<api::ReflectionWindow, Error> {
        let rule = or_default(rule);
        ReflectionWindow::with_rule(rule)
            .map(|window| api::ReflectionWindow::new(Self(RefCell::new(window))))
            .map_err(misuse::rule(&rule, &[]))
    }

    fn push(&self, bytes: Vec<u8>) -> Vec<Finding> {
        self.0.borrow_mut().push(&bytes).cross()
    }

    fn push_all(&self, records: Vec<Vec<u8>>) -> Vec<Finding> {
        self.0.borrow_mut().push_all(&records).cross()
    }

    fn omega(&self) -> u8 {
        self.0.borrow().omega()
    }

    fn set_omega(&self, omega: u8) -> Result<(), Error> {
        self.0.borrow_mut().set_omega(omega).map_err(misuse::one("omega", omega))
    }

    fn set_token_budget(&self, budget: Option<u32>) {
        self.0.borrow_mut().set_token_budget(budget);
    }

    fn set_query(&self, query: Option<String>) {
        self.0.borrow_mut().set_query(query.as_deref());
    }

    fn set_tokens(&self, number: i64, tokens: u32) -> Result<(), Error> {
        let set = self.0.borrow_mut().set_tokens(number, tokens);
        set.map_err(misuse::one("number", misuse::number(number)))
    }

    fn uncounted(&self) -> Vec<Entry> {
        self.0.borrow().uncounted().cross()
    }

    fn entries(&self) -> Vec<Entry> {
        self.0.borrow().entries().cross()
    }

    fn held(&self) -> Vec<i64> {
        self.0.borrow().held()
    }

    fn evicted(&self) -> Vec<i64> {
        self.0.borrow().evicted()
    }

    fn dropped(&self) -> Vec<i64> {
        self.0.borrow().dropped()
    }

    fn tokens(&self) -> Option<u32> {
        self.0.borrow().tokens()
    }

    fn notes(&self) -> Vec<Finding> {
        self.0.borrow().notes().cross()
    }

    fn render(&self, layout: Layout, options: Option<RenderOptions>) -> String {
        let window = self.0.borrow();
        match options {
            Some(options) => {
                window.render_with(layout.cross(), &options.over(window.render_options()))
            }
            None => window.render(layout.cross()),
        }
    }

    fn render_options(&self) -> RenderOptions {
        self.0.borrow().render_options().cross()
    }

    fn metadata(&self) -> MemoryMetadata {
        self.0.borrow().metadata().cross()
    }
}
