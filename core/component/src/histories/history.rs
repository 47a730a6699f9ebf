//! The resource `history`.

use std::cell::RefCell;
use std::rc::Rc;

use hindscope::{GroupId, RecordId, Run, RunId, SourceId};

use super::exporter::Exporter;
use super::loaded_run::LoadedRun;
use crate::cross::{Cross, json, or_default};
use crate::misuse;
use crate::windows::rule_of;
use crate::wit::archive::Refusal;
use crate::wit::histories::{
    self, Added, FindingGroup, GroupView, GuestHistory, IterationView, More, RunColumns, RunView,
    SourceView, Span,
};
use crate::wit::insight::{Aggregate, Comparison, Headline, Retries, Trust};
use crate::wit::types::{Error, Finding, Profile, ReflectionRef};
use crate::wit::windows::{WindowRule, WindowView};
use crate::wit::writing::ExportOptions;

/// A history in a cell: resources are called by shared reference. Its loaded runs share it.
pub(crate) struct History(Rc<RefCell<hindscope::History>>);

impl History {
    /// For what goes on over it, and keeps it alive.
    pub(crate) fn shared(&self) -> Rc<RefCell<hindscope::History>> {
        Rc::clone(&self.0)
    }

    /// Asks one run.
    fn run<T>(&self, id: u32, ask: impl FnOnce(Run<'_>) -> T) -> Result<T, Error> {
        let history = self.0.borrow();
        history.run(RunId(id)).map(ask).map_err(misuse::one("run", id))
    }
}

impl GuestHistory for History {
    fn new(profile: Profile) -> Self {
        Self(Rc::new(RefCell::new(hindscope::History::new(profile.cross()))))
    }

    fn limit_memory(&self, megabytes: u32) {
        let megabytes = megabytes.min(hindscope::MOST_MEMORY_MB);
        let bytes = usize::try_from(u64::from(megabytes) << 20).unwrap_or(usize::MAX);
        self.0.borrow_mut().limit_memory(bytes);
    }

    fn open(&self, path: String) -> u32 {
        self.0.borrow_mut().open(&path).0
    }

    fn push(&self, id: u32, slice: Vec<u8>) -> Result<More, Error> {
        let more = self.0.borrow_mut().push(SourceId(id), &slice);
        more.map(Cross::cross).map_err(misuse::one("source", id))
    }

    fn finish(&self, id: u32) -> Result<(), Error> {
        self.0.borrow_mut().finish(SourceId(id)).map_err(misuse::one("source", id))
    }

    fn fail(&self, id: u32, reason: String) -> Result<(), Error> {
        self.0.borrow_mut().fail(SourceId(id), &reason).map_err(misuse::one("source", id))
    }

    fn refuse(&self, id: u32, refusal: Refusal) -> Result<(), Error> {
        let refused = self.0.borrow_mut().refuse(SourceId(id), &refusal.cross());
        refused.map_err(misuse::one("source", id))
    }

    fn sources(&self) -> Vec<SourceView> {
        self.0.borrow().sources().cross()
    }

    fn added(&self) -> Added {
        self.0.borrow().added().cross()
    }

    fn record_count(&self) -> u32 {
        // Ids are 32 bits wide, so there are no more records than that.
        hindscope::count(self.0.borrow().record_count())
    }

    fn groups(&self) -> Vec<GroupView> {
        self.0.borrow().groups().cross()
    }

    fn runs(&self) -> Vec<RunView> {
        self.0.borrow().runs().cross()
    }

    fn find_run(&self, key: String) -> Option<u32> {
        self.0.borrow().find_run(&key).cross()
    }

    fn iterations(&self, id: u32) -> Result<Vec<IterationView>, Error> {
        self.run(id, |run| run.iterations().cross())
    }

    fn columns(&self, id: u32) -> Result<RunColumns, Error> {
        self.run(id, |run| run.columns().cross())
    }

    fn reflections(&self, id: u32) -> Result<Vec<ReflectionRef>, Error> {
        self.run(id, |run| run.reflections().cross())
    }

    fn records(&self, id: u32) -> Result<Vec<u32>, Error> {
        self.run(id, |run| run.records().cross())
    }

    fn window(&self, id: u32, at: i64, rule: Option<WindowRule>) -> Result<WindowView, Error> {
        let rule = rule_of(rule)?;
        let details = [("run", f64::from(id)), ("at", misuse::number(at))];
        let wrong = misuse::rule(&rule, &details);
        self.run(id, |run| run.window(at, rule))?.map(|window| window.view().cross()).map_err(wrong)
    }

    fn load_run(&self, id: u32) -> Result<histories::LoadedRun, Error> {
        let run = self.0.borrow().loaded_run(RunId(id)).map_err(misuse::one("run", id))?;
        Ok(histories::LoadedRun::new(LoadedRun::new(self.shared(), run)))
    }

    fn trust(&self, group: u32) -> Option<Trust> {
        self.0.borrow().trust(GroupId(group)).cross()
    }

    fn retries(&self, group: u32) -> Option<Retries> {
        self.0.borrow().retries(GroupId(group)).cross()
    }

    fn compare(&self, groups: Vec<u32>, attempts: Option<u32>) -> Result<Comparison, Error> {
        let groups: Vec<GroupId> = groups.cross();
        let compared = self.0.borrow().compare(&groups, attempts);
        compared.map(Cross::cross).map_err(misuse::plain())
    }

    fn headline(&self, group: u32) -> Option<Headline> {
        self.0.borrow().headline(GroupId(group)).cross()
    }

    fn aggregate(&self, group: u32) -> Option<Aggregate> {
        self.0.borrow().aggregate(GroupId(group)).cross()
    }

    fn findings(&self) -> Vec<FindingGroup> {
        self.0.borrow().finding_groups().cross()
    }

    fn findings_of(&self, id: u32) -> Result<Vec<FindingGroup>, Error> {
        let groups = self.0.borrow().finding_groups_of(SourceId(id));
        groups.map(Cross::cross).map_err(misuse::one("source", id))
    }

    fn each_finding(&self, from: u32, count: u32) -> Vec<Finding> {
        self.0.borrow().findings_from(from as usize, count as usize).cross()
    }

    fn locate(&self, id: u32) -> Result<Span, Error> {
        let span = self.0.borrow().locate(RecordId(id));
        span.map(Cross::cross).map_err(misuse::one("record", id))
    }

    fn inspect(&self, id: u32, part: u32, bytes: Vec<u8>) -> Result<String, Error> {
        let details = self.0.borrow().inspect(RecordId(id), part, &bytes);
        let details = details.map_err(misuse::one("record", id))?;
        Ok(json(&details))
    }

    fn raw_text(&self, id: u32, bytes: Vec<u8>) -> Result<String, Error> {
        self.0.borrow().raw_text(RecordId(id), &bytes).map_err(misuse::one("record", id))
    }

    fn exporter(
        &self,
        runs: Option<Vec<u32>>,
        options: Option<ExportOptions>,
    ) -> Result<histories::Exporter, Error> {
        let runs: Option<Vec<RunId>> = runs.cross();
        let export = self.0.borrow().export(runs.as_deref(), or_default(options));
        let export = export.map_err(misuse::plain())?;
        Ok(histories::Exporter::new(Exporter::new(self.shared(), export)))
    }
}
