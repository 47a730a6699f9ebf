//! The history, the files behind it, and what is kept between questions.

use hindscope::Order as _;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use hindscope::{
    Continuation, Error, Finding, GroupView, History, IterationView, More, Piece, Profile, Refusal,
    RunId, RunView, SourceId, SourceState, SourceView, Span,
};

use super::attempt::log::Log;
use super::blocks::Blocks;
use super::categories::Categories;
use super::found::Found;
use super::judge::Insight;
use super::life::count;
use super::list;
use super::rows::{Ordered, Sorter};
use super::tale::Tale;
use super::window::Course;
use crate::platform::FileHandle;
use crate::protocol::{
    Choice, ExplainBody, FindingChoice, Level, RunAddress, RunMore, RunRow, Summary,
};

/// Runs are looked at in batches of this size.
const BATCH: u32 = 4096;

/// Everything that the worker holds.
pub(crate) struct Desk {
    pub(crate) history: History,
    handles: Vec<Option<FileHandle>>,
    version: u32,
    blocks: RefCell<Blocks>,
    kept: Kept,
}

/// What would take long to find again. Empty after each change of the history.
#[derive(Default)]
struct Kept {
    sources: Option<Rc<Vec<SourceView>>>,
    groups: Option<Rc<Vec<GroupView>>>,
    findings: Option<Rc<Vec<Finding>>>,
    /// Positions of the findings of each source among them.
    findings_of: Option<Vec<Rc<[u32]>>>,
    shared_keys: Option<Rc<BTreeSet<u64>>>,
    /// The order that was looked at last, and how many runs had their categories then.
    order: Option<(Choice, u32, Rc<Ordered>)>,
    iterations: Option<(RunId, Rc<Vec<IterationView>>)>,
    explained: Option<Rc<ExplainBody>>,
    tale: Option<Tale>,
    log: Option<Log>,
    course: Option<Rc<Course>>,
    insight: Insight,
    categories: Categories,
    /// The findings that were looked at last, and how many runs were judged then.
    found: Option<(FindingChoice, u32, Rc<Found>)>,
}

impl Desk {
    pub(crate) fn new(profile: Profile) -> Self {
        Self {
            history: History::new(profile),
            handles: Vec::new(),
            version: 0,
            blocks: RefCell::default(),
            kept: Kept::default(),
        }
    }

    /// An empty one whose answers cannot be taken for those of the one before.
    pub(crate) fn after(before: &Self, profile: Profile) -> Self {
        Self { version: before.version + 1, ..Self::new(profile) }
    }

    pub(crate) fn open(&mut self, path: &str, handle: Option<FileHandle>) -> SourceId {
        let source = self.history.open(path);
        let at = source.0 as usize;
        if self.handles.len() <= at {
            self.handles.resize(at + 1, None);
        }
        self.handles[at] = handle;
        source
    }

    /// Hands a slice on. The ids are the desk's own, so no call here can be misuse.
    pub(crate) fn push(&mut self, source: SourceId, slice: &[u8]) -> More {
        self.history.push(source, slice).unwrap_or(More::Enough)
    }

    /// Hands on a stretch with what a helper has read there.
    pub(crate) fn append(&mut self, source: SourceId, piece: Piece, stretch: &[u8]) -> More {
        self.history.append(source, piece, stretch).unwrap_or(More::Enough)
    }

    /// What a helper needs to know to read on, if one can.
    pub(crate) fn continuation(&self, source: SourceId) -> Option<Continuation> {
        self.history.continuation(source).ok().flatten()
    }

    pub(crate) fn finish(&mut self, source: SourceId) {
        let done = self.history.finish(source);
        debug_assert!(done.is_ok(), "the source was opened here: {done:?}");
    }

    pub(crate) fn fail(&mut self, source: SourceId, reason: &str) {
        let done = self.history.fail(source, reason);
        debug_assert!(done.is_ok(), "the source was opened here: {done:?}");
    }

    /// An unpacker refuses an entry, or the rest of it.
    pub(crate) fn refuse(&mut self, source: SourceId, refusal: &Refusal) {
        let done = self.history.refuse(source, refusal);
        debug_assert!(done.is_ok(), "the source was opened here: {done:?}");
    }

    /// Where the bytes of a source are found again, known only once it was read.
    pub(crate) fn hold(&mut self, source: SourceId, handle: FileHandle) {
        if let Some(place) = self.handles.get_mut(source.0 as usize) {
            *place = Some(handle);
        }
    }

    pub(crate) fn record_count(&self) -> u32 {
        count(self.history.record_count())
    }

    /// Forgets what was found about the history as it was.
    pub(crate) fn changed(&mut self) {
        self.version += 1;
        self.forget();
    }

    /// The same, where the page has nothing that it would take for an answer of before.
    pub(crate) fn forget(&mut self) {
        self.kept = Kept::default();
    }

    pub(crate) fn sources(&mut self) -> Rc<Vec<SourceView>> {
        let history = &self.history;
        Rc::clone(self.kept.sources.get_or_insert_with(|| Rc::new(history.sources())))
    }

    pub(crate) fn groups(&mut self) -> Rc<Vec<GroupView>> {
        let history = &self.history;
        Rc::clone(self.kept.groups.get_or_insert_with(|| Rc::new(history.groups())))
    }

    /// All findings, the most severe first, then by rule; within a rule in the order of the input.
    pub(crate) fn findings(&mut self) -> Rc<Vec<Finding>> {
        let history = &self.history;
        Rc::clone(self.kept.findings.get_or_insert_with(|| {
            let mut findings = history.findings();
            findings.order_by(|a, b| {
                a.severity.cmp(&b.severity).then_with(|| a.rule.as_ref().cmp(b.rule.as_ref()))
            });
            Rc::new(findings)
        }))
    }

    /// Positions of a source's findings among all of them.
    pub(crate) fn findings_of(&mut self, source: SourceId) -> Rc<[u32]> {
        let findings = self.findings();
        let at = source.0 as usize;
        let count_of = self.sources().len();
        let kept = self.kept.findings_of.get_or_insert_with(|| {
            let mut lists = vec![Vec::new(); count_of];
            for (position, finding) in findings.iter().enumerate() {
                if let Some(source) = finding.source
                    && let Some(list) = lists.get_mut(source.0 as usize)
                {
                    list.push(count(position));
                }
            }
            lists.into_iter().map(Rc::from).collect()
        });
        kept.get(at).cloned().unwrap_or_else(|| Rc::from([]))
    }

    pub(crate) fn iterations(&mut self, run: RunId) -> Result<Rc<Vec<IterationView>>, Error> {
        if let Some((kept, iterations)) = &self.kept.iterations
            && *kept == run
        {
            return Ok(Rc::clone(iterations));
        }
        let iterations = Rc::new(self.history.run(run)?.iterations());
        self.kept.iterations = Some((run, Rc::clone(&iterations)));
        Ok(iterations)
    }

    /// What a run teaches, if that is known.
    pub(crate) fn explained(&self, run: RunId) -> Option<Rc<ExplainBody>> {
        self.kept.explained.clone().filter(|body| body.run == run)
    }

    pub(crate) fn keep_explained(&mut self, body: Rc<ExplainBody>) {
        self.kept.explained = Some(body);
    }

    /// What is told of a run. Whoever takes it gives it back, unless something went wrong.
    pub(crate) fn take_tale(&mut self, run: RunId) -> Result<Tale, Error> {
        let kept = self.kept.tale.take().filter(|tale| tale.run() == run);
        kept.map_or_else(|| self.history.story(run).map(Tale::new), Ok)
    }

    pub(crate) fn give_tale(&mut self, tale: Tale) {
        self.kept.tale = Some(tale).filter(Tale::is_small);
    }

    /// The actions that were looked at last. Whoever takes them gives them back.
    pub(crate) fn take_log(&mut self) -> Option<Log> {
        self.kept.log.take()
    }

    pub(crate) fn give_log(&mut self, log: Log) {
        self.kept.log = Some(log);
    }

    /// The windows of a whole run, if they are those that were computed last.
    pub(crate) fn course(&self, is_it: impl Fn(&Course) -> bool) -> Option<Rc<Course>> {
        self.kept.course.clone().filter(|course| is_it(course))
    }

    pub(crate) fn keep_course(&mut self, course: Rc<Course>) {
        self.kept.course = Some(course);
    }

    /// What the rules of insight found in the runs that were judged.
    pub(crate) fn insight(&mut self) -> &mut Insight {
        &mut self.kept.insight
    }

    /// Failure categories of the runs, as far as they are known.
    pub(crate) fn categories(&self) -> &Categories {
        &self.kept.categories
    }

    pub(crate) fn categories_mut(&mut self) -> &mut Categories {
        &mut self.kept.categories
    }

    /// The findings of a choice, if they are known.
    pub(crate) fn found(&self, choice: &FindingChoice) -> Option<Rc<Found>> {
        let (kept, judged, found) = self.kept.found.as_ref()?;
        let is_same = kept == choice && *judged == self.kept.insight.changes();
        is_same.then(|| Rc::clone(found))
    }

    pub(crate) fn keep_found(&mut self, choice: FindingChoice, found: Rc<Found>) {
        self.kept.found = Some((choice, self.kept.insight.changes(), found));
    }

    /// The runs that a choice lets through, in its order.
    pub(crate) fn order(&mut self, choice: &Choice) -> Rc<[RunId]> {
        Rc::clone(&self.ordered(choice).runs)
    }

    /// The same, with the headings above them.
    pub(crate) fn ordered(&mut self, choice: &Choice) -> Rc<Ordered> {
        // What is folded away is still in the list.
        let choice = Choice { closed: Vec::new(), ..choice.clone() };
        let categories = &self.kept.categories;
        let is_news = |looked| categories.is_news(looked, self.history.run_count());
        if let Some((kept, looked, order)) = &self.kept.order
            && *kept == choice
            && !(choice.asks_category() && is_news(*looked))
        {
            return Rc::clone(order);
        }
        let groups = self.groups();
        let among = list::among(self, &choice);
        let mut sorter = Sorter::new(&choice, among, &self.kept.categories);
        self.each_run(|view| {
            let run = choice.sort.and_then(|_| self.history.run(view.id).ok());
            sorter.offer(view, label(&groups, view), run.as_ref());
        });
        let order = Rc::new(sorter.finish());
        let looked = self.kept.categories.looked();
        self.kept.order = Some((choice, looked, Rc::clone(&order)));
        order
    }

    /// The rows of these runs, with their addresses.
    pub(crate) fn rows(&mut self, ids: &[RunId]) -> Vec<RunRow> {
        let groups = self.groups();
        let shared = self.shared_keys();
        self.history
            .run_rows(ids)
            .into_iter()
            .map(|view| {
                let group = label(&groups, &view).to_owned();
                let named = shared.contains(&hash(&view.key)).then(|| group.clone());
                RunRow {
                    address: RunAddress { key: view.key.clone(), group: named },
                    view,
                    group,
                    more: RunMore::default(),
                }
            })
            .collect()
    }

    /// The run that an address means.
    pub(crate) fn find(&mut self, address: &RunAddress) -> Option<RunId> {
        let first = self.history.find_run(&address.key)?;
        let Some(wanted) = &address.group else { return Some(first) };
        let groups = self.groups();
        let mut found = None;
        self.each_run(|view| {
            if found.is_none() && view.key == address.key && label(&groups, view) == wanted {
                found = Some(view.id);
            }
        });
        // The key alone still says more than nothing: the group may have been renamed.
        found.or(Some(first))
    }

    /// The runs that several addresses mean, in one walk over all runs.
    pub(crate) fn find_all(&mut self, wanted: &[RunAddress]) -> Vec<Option<RunId>> {
        let groups = self.groups();
        let mut of_key: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, address) in wanted.iter().enumerate() {
            of_key.entry(&address.key).or_default().push(at);
        }
        // The group decides; without it, or where it is gone, the first run of the key.
        let (mut exact, mut first) = (vec![None; wanted.len()], vec![None; wanted.len()]);
        self.each_run(|view| {
            for &at in of_key.get(view.key.as_str()).into_iter().flatten() {
                first[at] = first[at].or(Some(view.id));
                let is_meant = |group: &String| group == label(&groups, view);
                if exact[at].is_none() && wanted[at].group.as_ref().is_some_and(is_meant) {
                    exact[at] = Some(view.id);
                }
            }
        });
        exact.into_iter().zip(first).map(|(exact, first)| exact.or(first)).collect()
    }

    /// Keys that more than one run has, as hashes.
    fn shared_keys(&mut self) -> Rc<BTreeSet<u64>> {
        if let Some(kept) = &self.kept.shared_keys {
            return Rc::clone(kept);
        }
        let mut shared = BTreeSet::new();
        if self.groups().len() > 1 {
            let mut hashes = Vec::with_capacity(self.history.run_count());
            self.each_run(|view| hashes.push(hash(&view.key)));
            hashes.sort_unstable();
            shared.extend(hashes.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]));
        }
        let shared = Rc::new(shared);
        self.kept.shared_keys = Some(Rc::clone(&shared));
        shared
    }

    fn each_run(&self, mut visit: impl FnMut(&RunView)) {
        let all = count(self.history.run_count());
        let mut first = 0;
        while first < all {
            let end = all.min(first + BATCH);
            let ids: Vec<RunId> = (first..end).map(RunId).collect();
            self.history.run_rows(&ids).iter().for_each(&mut visit);
            first = end;
        }
    }

    /// The bytes of a span, read from its file once more.
    pub(crate) fn read(&self, span: &Span) -> Result<Vec<u8>, String> {
        match self.handles.get(span.source.0 as usize) {
            Some(Some(handle)) => {
                let fetch = |part: Range<u64>| handle.read(part.start, part.end);
                self.blocks.borrow_mut().read(span, handle.size(), fetch)
            }
            Some(None) | None => Err("its file cannot be read any more".to_owned()),
        }
    }

    /// Reads everything from its file again: what is kept elsewhere must be what stands there now.
    pub(crate) fn read_anew(&self) {
        self.blocks.take();
    }

    /// The bytes of a span as a file of their own; nothing is read.
    pub(crate) fn part(&self, span: &Span, name: &str) -> Result<FileHandle, String> {
        self.stretch(span.source, name, span.start, span.end)
    }

    /// Bytes of a source as a file of their own.
    pub(crate) fn stretch(
        &self,
        source: SourceId,
        name: &str,
        start: u64,
        end: u64,
    ) -> Result<FileHandle, String> {
        match self.handles.get(source.0 as usize) {
            Some(Some(handle)) => handle.part(name, start, end.min(handle.size())),
            Some(None) | None => Err("its file cannot be read any more".to_owned()),
        }
    }

    /// The length of a file, as far as it can be read.
    pub(crate) fn size(&self, source: SourceId) -> u64 {
        self.handles.get(source.0 as usize).and_then(Option::as_ref).map_or(0, FileHandle::size)
    }

    /// Both ends of a file, each at most `half` bytes, and the bytes between them.
    pub(crate) fn ends(
        &self,
        source: SourceId,
        half: u64,
    ) -> Result<(Vec<u8>, Vec<u8>, u64), String> {
        let Some(Some(handle)) = self.handles.get(source.0 as usize) else {
            return Err("its file cannot be read any more".to_owned());
        };
        let size = handle.size();
        if size <= half * 2 {
            return Ok((handle.read(0, size)?, Vec::new(), 0));
        }
        Ok((handle.read(0, half)?, handle.read(size - half, size)?, size - half * 2))
    }

    pub(crate) fn path(&mut self, source: SourceId) -> Option<String> {
        self.sources().get(source.0 as usize).map(|view| view.path.clone())
    }

    /// What is open, in numbers.
    pub(crate) fn summary(&mut self) -> Summary {
        let added = self.history.added();
        #[expect(clippy::cast_precision_loss, reason = "shown with two digits")]
        let mut summary = Summary {
            version: self.version,
            refused: added.refused,
            bytes: added.bytes as f64,
            ..Summary::default()
        };
        for source in self.sources().iter() {
            summary.sources += 1;
            if matches!(source.state, SourceState::Raw | SourceState::Refused) {
                summary.strangers += 1;
                continue;
            }
            summary.kept += source.kept;
            summary.repaired += source.repaired;
            summary.skipped += source.skipped;
        }
        let groups = self.groups();
        summary.groups = count(groups.len());
        summary.reflections = groups.iter().map(|group| group.reflections).sum();
        for finding in self.findings().iter() {
            summary.findings += 1;
            match Level::from(finding.severity) {
                Level::Error => summary.errors += 1,
                Level::Warning => summary.warnings += 1,
                Level::Info => {}
            }
        }
        summary.runs = count(self.history.run_count());
        if summary.runs == 1 {
            summary.only_run = self.rows(&[RunId(0)]).pop().map(|row| row.address);
        }
        summary
    }
}

/// Whether a source lost records, or could not be used at all.
pub(crate) fn is_damaged(source: &SourceView) -> bool {
    match source.state {
        SourceState::Refused => true,
        SourceState::Raw => false,
        SourceState::Read | SourceState::Reading => source.skipped > 0 || source.repaired > 0,
    }
}

fn label<'a>(groups: &'a [GroupView], view: &RunView) -> &'a str {
    groups.get(view.group.0 as usize).map_or("", |group| group.label.as_str())
}

/// FNV-1a. Two keys with one hash only get a longer address.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
