//! The interface `windows`.

use std::cell::RefCell;

use hindscope::ReflectionWindow;

use crate::Component;
use crate::cross::{Cross, Over, given, labels, options, or_default, rows};
use crate::misuse;
use crate::wit::types::{Error, Finding};
use crate::wit::windows::{
    self, Entry, Guest, GuestReflectionWindow, Injected, InjectedOrigin, Layout, MemoryMetadata,
    OmegaAdvice, OmegaProvenance, Pace, Policy, RenderOptions, WindowRule, WindowView,
};

labels!(Policy => hindscope::Policy { Fifo, Recency, RelevanceWeighted });
labels!(Layout => hindscope::Layout {
    Plain, AiwgTemplate, AiwgGuide, AiwgMemory, ReflexionAlfworld, Episodic
});
labels!(hindscope::Policy => Policy { Fifo, Recency, RelevanceWeighted; else Fifo });
labels!(hindscope::OmegaProvenance => OmegaProvenance { Configured, Recorded, Assumed, Dynamic });
labels!(hindscope::InjectedOrigin => InjectedOrigin { Retrieved, Stated, PreviousWindow, Computed });

rows! {
    Entry {
        number, outcome, text, insights, lessons, strategy, kind, effectiveness, observation,
        analysis, learning, action_items, tokens,
    }
    WindowView {
        at, omega, omega_provenance, policy, held, evicted, later, dropped, scores, tokens, unread,
        notes,
    }
    MemoryMetadata {
        omega_capacity, current_memory_size, reflections_in_context, window_policy,
        total_reflections_generated,
    }
    RenderOptions { verbatim, absolute_numbers, attempts, task, total, omega }
    Injected { at, origin, is_computed, numbers, held, dropped, computed, notes }
    OmegaAdvice { situation, omega }
}

given! {
    Entry {
        number, outcome, text, insights, lessons, strategy, kind, effectiveness, observation,
        analysis, learning, action_items, tokens,
    }
    Pace { consecutive_failures, mean_quality, iterations_to_finish }
}

options! {
    WindowRule { omega, policy, failures_only, token_budget, half_life, dynamic_omega }
    RenderOptions { verbatim, absolute_numbers, attempts, task, total, omega }
}

/// A rule; an error if it has no Ω.
pub(crate) fn rule_of(given: Option<WindowRule>) -> Result<hindscope::WindowRule, Error> {
    misuse::omega(given.as_ref().and_then(|given| given.omega))?;
    Ok(or_default(given))
}

impl Guest for Component {
    type ReflectionWindow = Window;

    fn render(
        entries: Vec<Entry>,
        layout: Layout,
        options: Option<RenderOptions>,
    ) -> Result<String, Error> {
        misuse::omega(options.as_ref().and_then(|options| options.omega))?;
        let entries: Vec<hindscope::Entry> = entries.cross();
        Ok(hindscope::render_with(&entries, layout.cross(), &or_default(options)))
    }

    fn tokens_estimated(entry: Entry) -> u32 {
        hindscope::tokens_estimated(&entry.cross())
    }

    fn auto_scale(omega: u32, pace: Pace) -> Result<u32, Error> {
        let omega = misuse::omega(Some(omega))?.unwrap_or_default();
        Ok(hindscope::auto_scale(omega, &pace.cross()).cross())
    }

    fn advice() -> Vec<OmegaAdvice> {
        hindscope::OMEGA_ADVICE.cross()
    }
}

/// A window in a cell: resources are called by shared reference.
pub(crate) struct Window(RefCell<ReflectionWindow>);

impl GuestReflectionWindow for Window {
    fn create(rule: Option<WindowRule>) -> Result<windows::ReflectionWindow, Error> {
        let rule = rule_of(rule)?;
        ReflectionWindow::with_rule(rule)
            .map(|window| windows::ReflectionWindow::new(Self(RefCell::new(window))))
            .map_err(misuse::rule(&rule, &[]))
    }

    fn push(&self, bytes: Vec<u8>) -> Vec<Finding> {
        self.0.borrow_mut().push(&bytes).cross()
    }

    fn push_all(&self, records: Vec<Vec<u8>>) -> Vec<Finding> {
        self.0.borrow_mut().push_all(&records).cross()
    }

    fn omega(&self) -> u32 {
        self.0.borrow().omega().cross()
    }

    fn set_omega(&self, omega: u32) -> Result<(), Error> {
        let number = misuse::omega(Some(omega))?.unwrap_or_default();
        self.0.borrow_mut().set_omega(number).map_err(misuse::one("omega", omega))
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

    fn render(&self, layout: Layout, options: Option<RenderOptions>) -> Result<String, Error> {
        let window = self.0.borrow();
        let Some(options) = options else { return Ok(window.render(layout.cross())) };
        misuse::omega(options.omega)?;
        Ok(window.render_with(layout.cross(), &options.over(window.render_options())))
    }

    fn render_options(&self) -> RenderOptions {
        self.0.borrow().render_options().cross()
    }

    fn metadata(&self) -> MemoryMetadata {
        self.0.borrow().metadata().cross()
    }
}
