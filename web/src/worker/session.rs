//! The history, the files behind it, and a cache of what questions found in them.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher as _};
use std::rc::Rc;
use std::slice;

use hindscope::{
    Error, Finding, GroupView, Headline, History, IterationView, More, Profile, Refusal, RunId,
    RunView, Severity, SourceId, SourceState, SourceView,
};

use super::attempt::log::Log;
use super::categories::Categories;
use super::files::{Files, Records};
use super::finding_index::FindingIndex;
use super::finding_list::FindingList;
use super::insight_findings::InsightFindings;
use super::no_answer::NoAnswer;
use super::repetition::Repetition;
use super::run_insight::RunInsight;
use super::run_reader::RunReader;
use super::run_sort::SortedRuns;
use super::window_grid::RunWindows;
use crate::browser::FileHandle;
use crate::protocol::{Choice, FindingChoice, RunAddress, RunMore, RunRow, Summary, count, float};

/// Runs are looked at in batches of this size.
const BATCH: usize = 4096;

/// Everything that the worker holds.
pub(crate) struct Session {
    pub(crate) history: History,
    pub(crate) files: Files,
    pub(crate) cache: Cache,
    version: u32,
    /// Files that were opened.
    opened: u32,
}

/// What would take long to find again. Empty after each change of the history.
#[derive(Default)]
pub(crate) struct Cache {
    sources: Option<Rc<Vec<SourceView>>>,
    groups: Option<Rc<Vec<GroupView>>>,
    /// What two experiments differ by, where exactly two are open over the same tasks.
    compared: OnceCell<Option<Headline>>,
    findings: Option<Rc<FindingIndex>>,
    shared_keys: Option<Rc<BTreeMap<u64, RunId>>>,
    /// The runs that were sorted last, and how many runs had been looked at for their categories then.
    /// And how many had been compared.
    sorted_runs: Option<(Choice, [u32; 2], Rc<SortedRuns>)>,
    iterations: Option<(RunId, Rc<Vec<IterationView>>)>,
    /// What the run teaches that was explained last.
    pub(crate) explained: Option<Rc<RunInsight>>,
    reader: Option<RunReader>,
    /// The actions that were looked at last. Whoever takes them gives them back.
    pub(crate) log: Option<Log>,
    /// The windows of a whole run that were computed last.
    pub(crate) windows: Option<Rc<RunWindows>>,
    /// What the rules of insight found in the runs that were judged.
    pub(crate) insight: InsightFindings,
    /// Whether runs repeat themselves, as far as they were compared.
    pub(crate) repetition: Repetition,
    /// Failure categories of the runs, as far as they are known.
    pub(crate) categories: Categories,
    /// The findings that were looked at last, and how many runs were judged then.
    finding_list: Option<(FindingChoice, u32, Rc<FindingList>)>,
}

/// Whether a group can be compared: it has a name, and says how its tasks ended.
pub(crate) fn is_experiment(group: &GroupView) -> bool {
    group.runs > 0 && group.judged > 0 && !group.label.is_empty()
}

impl Session {
    pub(crate) fn new(profile: Profile) -> Self {
        Self {
            history: History::new(profile),
            files: Files::default(),
            cache: Cache::default(),
            version: 0,
            opened: 0,
        }
    }

    /// The position of a file that is opened.
    pub(crate) fn next_position(&mut self) -> u32 {
        let position = self.opened;
        self.opened += 1;
        position
    }

    /// An empty one whose answers cannot be taken for those of the one before.
    pub(crate) fn after(before: &Self, profile: Profile) -> Self {
        Self { version: before.version + 1, ..Self::new(profile) }
    }

    pub(crate) fn open(&mut self, path: &str, handle: Option<FileHandle>) -> SourceId {
        let source = self.history.open(path);
        self.files.put(source, handle);
        source
    }

    /// Opens a file that was read as a whole.
    pub(crate) fn open_whole(
        &mut self,
        path: &str,
        handle: Option<FileHandle>,
        bytes: &[u8],
    ) -> SourceId {
        if let [source] = self.history.open_files([(path, bytes)])[..] {
            self.files.put(source, handle);
            return source;
        }
        // An archive goes another way.
        let source = self.open(path, handle);
        let _more = self.push(source, bytes);
        self.finish(source);
        source
    }

    /// Hands a slice on. The ids are the session's own, so no call here can be misuse.
    pub(crate) fn push(&mut self, source: SourceId, slice: &[u8]) -> More {
        self.history.push(source, slice).unwrap_or(More::Enough)
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

    /// The records of the history, which can be read.
    pub(crate) fn records(&self) -> Records<'_> {
        Records { history: &self.history, files: &self.files }
    }

    pub(crate) fn record_count(&self) -> u32 {
        count(self.history.record_count())
    }

    /// Forgets what was found about the history as it was.
    pub(crate) fn changed(&mut self) {
        self.version += 1;
        self.forget();
    }

    /// The same without a new version, for when the page holds no answer that is out of date.
    pub(crate) fn forget(&mut self) {
        self.cache = Cache::default();
    }

    pub(crate) fn sources(&mut self) -> Rc<Vec<SourceView>> {
        let history = &self.history;
        Rc::clone(self.cache.sources.get_or_insert_with(|| Rc::new(history.sources())))
    }

    pub(crate) fn groups(&mut self) -> Rc<Vec<GroupView>> {
        let history = &self.history;
        Rc::clone(self.cache.groups.get_or_insert_with(|| Rc::new(history.groups())))
    }

    /// What two experiments differ by, where exactly two are open over the same tasks.
    pub(crate) fn compared(&mut self) -> Option<Headline> {
        let groups = self.groups();
        let history = &self.history;
        let compare = || {
            let ids: Vec<_> =
                groups.iter().filter(|one| is_experiment(one)).map(|one| one.id).collect();
            (ids.len() == 2).then(|| Some(history.compare(&ids, None).ok()?.headline)).flatten()
        };
        self.cache.compared.get_or_init(compare).clone()
    }

    /// What is known of all findings.
    pub(crate) fn findings(&mut self) -> Rc<FindingIndex> {
        let history = &self.history;
        Rc::clone(self.cache.findings.get_or_insert_with(|| Rc::new(FindingIndex::of(history))))
    }

    /// The finding at a position among those of the history.
    pub(crate) fn finding(&self, at: u32) -> Option<Finding> {
        self.history.findings_from(at as usize, 1).pop()
    }

    pub(crate) fn iterations(&mut self, run: RunId) -> Result<Rc<Vec<IterationView>>, Error> {
        if let Some((cached, iterations)) = &self.cache.iterations
            && *cached == run
        {
            return Ok(Rc::clone(iterations));
        }
        let iterations = Rc::new(self.history.run(run)?.iterations());
        self.cache.iterations = Some((run, Rc::clone(&iterations)));
        Ok(iterations)
    }

    /// What a run teaches, if that is known.
    pub(crate) fn explained(&self, run: RunId) -> Option<Rc<RunInsight>> {
        self.cache.explained.clone().filter(|body| body.run == run)
    }

    /// What was read of a run. Whoever takes it gives it back, unless something went wrong.
    pub(crate) fn take_reader(&mut self, run: RunId) -> Result<RunReader, Error> {
        let cached = self.cache.reader.take().filter(|reader| reader.run() == run);
        cached.map_or_else(|| self.history.loaded_run(run).map(RunReader::new), Ok)
    }

    pub(crate) fn give_reader(&mut self, reader: RunReader) {
        self.cache.reader = Some(reader).filter(RunReader::is_small);
    }

    /// The findings of a choice, if they are known.
    pub(crate) fn finding_list(&self, choice: &FindingChoice) -> Option<Rc<FindingList>> {
        let (cached, judged, list) = self.cache.finding_list.as_ref()?;
        let is_same = cached == choice && *judged == self.cache.insight.changes();
        is_same.then(|| Rc::clone(list))
    }

    pub(crate) fn cache_finding_list(&mut self, choice: FindingChoice, list: Rc<FindingList>) {
        self.cache.finding_list = Some((choice, self.cache.insight.changes(), list));
    }

    /// The runs of a choice in order, if nothing has changed since they were sorted.
    pub(crate) fn sorted_runs(&self, choice: &Choice) -> Option<Rc<SortedRuns>> {
        let (cached, [looked, compared], runs) = self.cache.sorted_runs.as_ref()?;
        let is_old = choice.asks_repetition() && *compared != self.cache.repetition.reported();
        let is_news = self.cache.categories.is_news(*looked, self.history.run_count());
        (cached == choice && !is_old && !(choice.asks_category() && is_news))
            .then(|| Rc::clone(runs))
    }

    pub(crate) fn cache_sorted_runs(&mut self, choice: Choice, runs: Rc<SortedRuns>) {
        let seen = [self.cache.categories.looked(), self.cache.repetition.reported()];
        self.cache.sorted_runs = Some((choice, seen, runs));
    }

    /// The rows of these runs, with their addresses.
    pub(crate) fn rows(&mut self, ids: &[RunId]) -> Vec<RunRow> {
        let groups = self.groups();
        let shared = self.shared_keys();
        self.history
            .run_rows(ids)
            .into_iter()
            .map(|view| {
                let group = group_label(&groups, &view).to_owned();
                let first = shared.get(&hash(&view.key));
                let experiment = first.map(|_| group.clone());
                let named = experiment.clone().filter(|_| first != Some(&view.id));
                RunRow {
                    address: RunAddress { key: view.key.clone(), group: named, experiment },
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
        if address.group.is_none() {
            return Some(first);
        }
        self.find_all(slice::from_ref(address)).pop().flatten()
    }

    /// The same, or what to say where there is none.
    pub(crate) fn run_of(&mut self, address: &RunAddress) -> Result<RunId, NoAnswer> {
        let none = || format!("No open file has a run \u{201c}{}\u{201d}.", address.key);
        Ok(self.find(address).ok_or_else(none)?)
    }

    /// The runs that several addresses mean, in one walk over all runs.
    pub(crate) fn find_all(&mut self, wanted: &[RunAddress]) -> Vec<Option<RunId>> {
        let groups = self.groups();
        let mut of_key: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, address) in wanted.iter().enumerate() {
            of_key.entry(&address.key).or_default().push(at);
        }
        // The group decides; without it, or where it is gone, the run of the key that was opened first: that
        // still says more than nothing, and the group may have been renamed.
        let (mut exact, mut first) = (vec![None; wanted.len()], vec![None; wanted.len()]);
        let shared = self.shared_keys();
        self.each_run(|view| {
            for &at in of_key.get(view.key.as_str()).into_iter().flatten() {
                let of_key = shared.get(&hash(&view.key)).copied();
                first[at] = first[at].or(of_key).or(Some(view.id));
                let is_meant = |group: &String| group == group_label(&groups, view);
                if exact[at].is_none() && wanted[at].group.as_ref().is_some_and(is_meant) {
                    exact[at] = Some(view.id);
                }
            }
        });
        exact.into_iter().zip(first).map(|(exact, first)| exact.or(first)).collect()
    }

    /// Keys that more than one run has, as hashes, each with the run that was opened first. Its address names
    /// no group, so that it stays the same when another experiment with the same tasks is opened.
    fn shared_keys(&mut self) -> Rc<BTreeMap<u64, RunId>> {
        if let Some(cached) = &self.cache.shared_keys {
            return Rc::clone(cached);
        }
        let mut shared = BTreeMap::new();
        if self.groups().len() > 1 {
            let mut hashes = Vec::with_capacity(self.history.run_count());
            self.each_run(|view| hashes.push((hash(&view.key), view.id)));
            hashes.sort_unstable();
            let begins = |run| self.history.run(run).ok()?.records().first().copied();
            let of_same = hashes.chunk_by(|a, b| a.0 == b.0).filter(|runs| runs.len() > 1);
            shared.extend(
                of_same.filter_map(|runs| runs.iter().min_by_key(|(_, run)| begins(*run)).copied()),
            );
        }
        let shared = Rc::new(shared);
        self.cache.shared_keys = Some(Rc::clone(&shared));
        shared
    }

    pub(crate) fn each_run(&self, mut visit: impl FnMut(&RunView)) {
        let ids: Vec<RunId> = (0..count(self.history.run_count())).map(RunId).collect();
        for batch in ids.chunks(BATCH) {
            self.history.run_rows(batch).iter().for_each(&mut visit);
        }
    }

    pub(crate) fn path(&mut self, source: SourceId) -> Option<String> {
        self.sources().get(source.0 as usize).map(|view| view.path.clone())
    }

    /// What is open, in numbers.
    pub(crate) fn summary(&mut self) -> Summary {
        let added = self.history.added();
        let mut summary = Summary {
            version: self.version,
            refused: added.refused,
            bytes: float(added.bytes),
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
        for group in self.history.finding_groups() {
            let found = count(group.count);
            summary.findings += found;
            match group.severity {
                Severity::Error => summary.errors += found,
                Severity::Warning => summary.warnings += found,
                Severity::Info => {}
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

/// The label of the group that a run is in.
pub(crate) fn group_label<'a>(groups: &'a [GroupView], view: &RunView) -> &'a str {
    groups.get(view.group.0 as usize).map_or("", |group| group.label.as_str())
}

/// Hashes keep the set small. If two keys share one, their addresses name their groups without need.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}
