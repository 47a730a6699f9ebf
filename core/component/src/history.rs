//! The resource `history`.

use std::cell::RefCell;

use hindscope::{RecordId, Run, RunId, SourceId};

use crate::bindings::exports::hindscope::reflections::api;
use crate::bindings::exports::hindscope::reflections::types::{
    Error, Finding, GroupView, IterationView, More, Profile, ReflectionRef, RunColumns, RunView,
    SourceView, Span, WindowRule, WindowView,
};
use crate::misuse;

/// A history in a cell: resources are called by shared reference.
pub(crate) struct History(RefCell<hindscope::History>);

impl History {
    /// Asks one run.
    fn run<T>(&self, id: u32, ask: impl FnOnce(Run<'_>) -> T) -> Result<T, Error> {
        let history = self.0.borrow();
        let run = history
            .run(RunId(id))
            .map_err(|error| misuse::about(&error, &[("run", f64::from(id))]))?;
        Ok(ask(run))
    }
}

/// Errors about one source.
fn source(id: u32) -> impl FnOnce(hindscope::Error) -> Error {
    move |error| misuse::about(&error, &[("source", f64::from(id))])
}

/// Errors about one record.
fn record(id: u32) -> impl FnOnce(hindscope::Error) -> Error {
    move |error| misuse::about(&error, &[("record", f64::from(id))])
}

impl api::GuestHistory for History {
    fn new(profile: Profile) -> Self {
        Self(RefCell::new(hindscope::History::new(profile.into())))
    }

    fn open(&self, path: String) -> u32 {
        self.0.borrow_mut().open(&path).0
    }

    fn push(&self, id: u32, slice: Vec<u8>) -> Result<More, Error> {
        let more = self.0.borrow_mut().push(SourceId(id), &slice);
        more.map(Into::into).map_err(source(id))
    }

    fn finish(&self, id: u32) -> Result<(), Error> {
        self.0.borrow_mut().finish(SourceId(id)).map_err(source(id))
    }

    fn fail(&self, id: u32, reason: String) -> Result<(), Error> {
        self.0.borrow_mut().fail(SourceId(id), &reason).map_err(source(id))
    }

    fn sources(&self) -> Vec<SourceView> {
        self.0.borrow().sources().into_iter().map(Into::into).collect()
    }

    fn record_count(&self) -> u32 {
        // Ids are 32 bits wide, so there are no more records than that.
        u32::try_from(self.0.borrow().record_count()).unwrap_or(u32::MAX)
    }

    fn groups(&self) -> Vec<GroupView> {
        self.0.borrow().groups().into_iter().map(Into::into).collect()
    }

    fn runs(&self) -> Vec<RunView> {
        self.0.borrow().runs().into_iter().map(Into::into).collect()
    }

    fn find_run(&self, key: String) -> Option<u32> {
        self.0.borrow().find_run(&key).map(|id| id.0)
    }

    fn iterations(&self, id: u32) -> Result<Vec<IterationView>, Error> {
        self.run(id, |run| run.iterations().into_iter().map(Into::into).collect())
    }

    fn columns(&self, id: u32) -> Result<RunColumns, Error> {
        self.run(id, |run| run.columns().into())
    }

    fn reflections(&self, id: u32) -> Result<Vec<ReflectionRef>, Error> {
        self.run(id, |run| run.reflections().into_iter().map(Into::into).collect())
    }

    #[expect(clippy::cast_precision_loss, reason = "a detail is for people; numbers are small")]
    fn window(&self, id: u32, at: i64, rule: WindowRule) -> Result<WindowView, Error> {
        let rule = hindscope::WindowRule::from(rule);
        let omega = rule.omega.map(|omega| ("omega", f64::from(omega)));
        let details: Vec<_> =
            [("run", f64::from(id)), ("at", at as f64)].into_iter().chain(omega).collect();
        self.run(id, |run| run.window(at, rule).map(|window| window.view().into()))?
            .map_err(|error| misuse::about(&error, &details))
    }

    fn findings(&self) -> Vec<Finding> {
        self.0.borrow().findings().into_iter().map(Into::into).collect()
    }

    fn locate(&self, id: u32) -> Result<Span, Error> {
        self.0.borrow().locate(RecordId(id)).map(Into::into).map_err(record(id))
    }

    fn inspect(&self, id: u32, part: u32, bytes: Vec<u8>) -> Result<String, Error> {
        let details = self.0.borrow().inspect(RecordId(id), part, &bytes).map_err(record(id))?;
        Ok(serde_json::to_string(&details).expect("details are plain data"))
    }

    fn raw_text(&self, id: u32, bytes: Vec<u8>) -> Result<String, Error> {
        self.0.borrow().raw_text(RecordId(id), &bytes).map_err(record(id))
    }
}
