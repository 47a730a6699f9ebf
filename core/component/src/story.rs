//! The resource `story`.

use std::cell::RefCell;
use std::rc::Rc;

use hindscope::{RecordId, RunDetails};

use crate::bindings::exports::hindscope::reflections::api;
use crate::bindings::exports::hindscope::reflections::insight::{Explanation, InsightOptions};
use crate::bindings::exports::hindscope::reflections::types::{
    Error, ReflectionRef, Span, Statement,
};
use crate::bindings::exports::hindscope::reflections::window::{
    Entry, Injected, RenderOptions, WindowRule, WindowView,
};
use crate::cross::{Cross, or_default};
use crate::misuse;

/// A story, and the history that reads its records.
pub(crate) struct Story {
    history: Rc<RefCell<hindscope::History>>,
    story: RefCell<hindscope::LoadedRun>,
}

impl Story {
    pub(crate) fn new(
        history: Rc<RefCell<hindscope::History>>,
        story: hindscope::LoadedRun,
    ) -> Self {
        Self { history, story: RefCell::new(story) }
    }

    /// A window, or what is wrong with the question.
    fn ask(&self, at: i64, rule: Option<WindowRule>) -> Result<hindscope::Window, Error> {
        let rule = or_default(rule);
        let wrong = misuse::rule(&rule, &[("at", misuse::number(at))]);
        self.story.borrow().window(at, rule).map_err(wrong)
    }
}

impl api::GuestStory for Story {
    fn needs(&self) -> Vec<Span> {
        self.history.borrow().needs(&self.story.borrow()).cross()
    }

    fn needs_for(&self, options: Option<InsightOptions>) -> Vec<Span> {
        let history = self.history.borrow();
        let records = self.story.borrow().needs_for(&or_default(options));
        let spans = records.into_iter().filter_map(|record| history.locate(record).ok());
        spans.map(Cross::cross).collect()
    }

    fn needs_of(&self, at: i64) -> Result<Vec<Span>, Error> {
        let history = self.history.borrow();
        let records = self.story.borrow().needs_of(at);
        let records = records.map_err(misuse::one("at", misuse::number(at)))?;
        let spans = records.into_iter().filter_map(|record| history.locate(record).ok());
        Ok(spans.map(Cross::cross).collect())
    }

    fn attempt(&self, at: i64) -> Result<Option<String>, Error> {
        let story = self.story.borrow();
        let attempt = story.attempt(at).map_err(misuse::one("at", misuse::number(at)))?;
        Ok(attempt.map(|details| serde_json::to_string(details).expect("they are plain data")))
    }

    fn needs_about(&self) -> Vec<Span> {
        let history = self.history.borrow();
        let records = self.story.borrow().needs_about();
        let spans = records.into_iter().filter_map(|record| history.locate(record).ok());
        spans.map(Cross::cross).collect()
    }

    fn about(&self) -> Vec<Statement> {
        let text = |says: &RunDetails| serde_json::to_string(says).expect("they are plain data");
        let of_record = |(record, says): (RecordId, &RunDetails)| Statement {
            record: record.0,
            says: text(says),
        };
        self.story.borrow().about().into_iter().map(of_record).collect()
    }

    fn tell(&self, record: u32, bytes: Vec<u8>) -> Result<(), Error> {
        let told =
            self.history.borrow().load(&mut self.story.borrow_mut(), RecordId(record), &bytes);
        told.map_err(misuse::one("record", record))
    }

    fn window(&self, at: i64, rule: Option<WindowRule>) -> Result<WindowView, Error> {
        self.ask(at, rule).map(|window| window.view().cross())
    }

    fn entries(&self, reflections: Vec<ReflectionRef>) -> Vec<Entry> {
        let reflections: Vec<hindscope::ReflectionRef> = reflections.cross();
        self.story.borrow().entries(&reflections).cross()
    }

    fn render_options(&self, at: i64, rule: Option<WindowRule>) -> Result<RenderOptions, Error> {
        self.ask(at, rule).map(|window| self.story.borrow().render_options(&window).cross())
    }

    fn set_tokens(&self, reflection: ReflectionRef, tokens: u32) -> Result<(), Error> {
        let wrong = misuse::one("record", reflection.record);
        self.story.borrow_mut().set_tokens(reflection.cross(), tokens).map_err(wrong)
    }

    fn injected(&self, at: i64) -> Result<Injected, Error> {
        let injected = self.story.borrow().injected(at);
        injected.map(Cross::cross).map_err(misuse::one("at", misuse::number(at)))
    }

    fn explain(&self, options: Option<InsightOptions>) -> Explanation {
        self.story.borrow().explain(&or_default(options)).cross()
    }
}
