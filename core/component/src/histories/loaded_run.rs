//! The resource `loaded-run`.

use std::cell::RefCell;
use std::rc::Rc;

use hindscope::{RecordId, RunDetails};

use crate::cross::{Cross, json, or_default};
use crate::insight::settings;
use crate::misuse;
use crate::windows::rule_of;
use crate::wit::histories::{GuestLoadedRun, Span, Statement};
use crate::wit::insight::{Explanation, Headline, InsightOptions, RunVerdict};
use crate::wit::types::{Error, ReflectionRef};
use crate::wit::windows::{Entry, Injected, RenderOptions, WindowRule, WindowView};

/// A loaded run, and the history that reads its records.
pub(crate) struct LoadedRun {
    history: Rc<RefCell<hindscope::History>>,
    run: RefCell<hindscope::LoadedRun>,
}

impl LoadedRun {
    pub(crate) fn new(history: Rc<RefCell<hindscope::History>>, run: hindscope::LoadedRun) -> Self {
        Self { history, run: RefCell::new(run) }
    }

    /// Where these records stand.
    fn spans(&self, records: Vec<RecordId>) -> Vec<Span> {
        let history = self.history.borrow();
        let spans = records.into_iter().filter_map(|record| history.locate(record).ok());
        spans.map(Cross::cross).collect()
    }

    /// A window, or what is wrong with the question.
    fn ask(&self, at: i64, rule: Option<WindowRule>) -> Result<hindscope::Window, Error> {
        let rule = rule_of(rule)?;
        let wrong = misuse::rule(&rule, &[("at", misuse::number(at))]);
        self.run.borrow().window(at, rule).map_err(wrong)
    }
}

impl GuestLoadedRun for LoadedRun {
    fn needs(&self) -> Vec<Span> {
        self.history.borrow().needs(&self.run.borrow()).cross()
    }

    fn needs_for(&self, options: Option<InsightOptions>) -> Vec<Span> {
        self.spans(self.run.borrow().needs_for(&or_default(options)))
    }

    fn needs_of(&self, at: i64) -> Result<Vec<Span>, Error> {
        let records = self.run.borrow().needs_of(at);
        let records = records.map_err(misuse::one("at", misuse::number(at)))?;
        Ok(self.spans(records))
    }

    fn attempt(&self, at: i64) -> Result<Option<String>, Error> {
        let run = self.run.borrow();
        let attempt = run.attempt(at).map_err(misuse::one("at", misuse::number(at)))?;
        Ok(attempt.map(json))
    }

    fn needs_about(&self) -> Vec<Span> {
        self.spans(self.run.borrow().needs_about())
    }

    fn about(&self) -> Vec<Statement> {
        let of_record = |(record, says): (RecordId, &RunDetails)| Statement {
            record: record.0,
            says: json(says),
        };
        self.run.borrow().about().into_iter().map(of_record).collect()
    }

    fn load(&self, record: u32, bytes: Vec<u8>) -> Result<(), Error> {
        let loaded =
            self.history.borrow().load(&mut self.run.borrow_mut(), RecordId(record), &bytes);
        loaded.map_err(misuse::one("record", record))
    }

    fn window(&self, at: i64, rule: Option<WindowRule>) -> Result<WindowView, Error> {
        self.ask(at, rule).map(|window| window.view().cross())
    }

    fn entries(&self, reflections: Vec<ReflectionRef>) -> Vec<Entry> {
        let reflections: Vec<hindscope::ReflectionRef> = reflections.cross();
        self.run.borrow().entries(&reflections).cross()
    }

    fn render_options(&self, at: i64, rule: Option<WindowRule>) -> Result<RenderOptions, Error> {
        self.ask(at, rule).map(|window| self.run.borrow().render_options(&window).cross())
    }

    fn set_tokens(&self, reflection: ReflectionRef, tokens: u32) -> Result<(), Error> {
        let wrong = misuse::one("record", reflection.record);
        self.run.borrow_mut().set_tokens(reflection.cross(), tokens).map_err(wrong)
    }

    fn injected(&self, at: i64) -> Result<Injected, Error> {
        let injected = self.run.borrow().injected(at);
        injected.map(Cross::cross).map_err(misuse::one("at", misuse::number(at)))
    }

    fn attempt_headline(&self, at: i64) -> Result<Headline, Error> {
        let headline = self.run.borrow().attempt_headline(at);
        headline.map(Cross::cross).map_err(misuse::one("at", misuse::number(at)))
    }

    fn needs_sketches(&self) -> Vec<Span> {
        self.spans(self.run.borrow().needs_sketches())
    }

    fn verdict(&self) -> Result<RunVerdict, Error> {
        let mut run = self.run.borrow_mut();
        self.history.borrow_mut().keep_sketches(&mut run);
        let verdict = self.history.borrow().verdict(&run);
        verdict.map(Cross::cross).map_err(misuse::plain())
    }

    fn explain(&self, options: Option<InsightOptions>) -> Result<Explanation, Error> {
        let options = settings(options)?;
        Ok(self.run.borrow().explain(&options).cross())
    }
}
