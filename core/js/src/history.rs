//! Histories, and the runs in them.

use std::collections::BTreeMap;

use hindscope::{GroupId, RecordId, Run, RunColumns, RunId, SourceId};
use js_sys::{Float64Array, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::loaded_run::LoadedRun;
use crate::unpacker;
use crate::wire::{self, HistoryOptions, Misuse, WindowOptions};
use crate::{decode, encode};

/// Everything that was opened, as rows.
#[wasm_bindgen]
#[derive(Debug)]
pub struct History {
    inner: hindscope::History,
    /// Where the host puts small files, one behind the other.
    room: Vec<u8>,
}

impl History {
    /// The history of the core.
    pub(crate) fn inner(&self) -> &hindscope::History {
        &self.inner
    }
}

#[wasm_bindgen]
impl History {
    /// An empty history.
    ///
    /// # Errors
    ///
    /// `invalid-option`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<Self, Misuse> {
        let options = decode::<HistoryOptions>(options)?;
        let mut inner = hindscope::History::new(options.profile()?);
        if let Some(bytes) = options.memory()? {
            inner.limit_memory(bytes);
        }
        Ok(Self { inner, room: Vec::new() })
    }

    /// Announces a source.
    pub fn open(&mut self, path: &str) -> u32 {
        self.inner.open(path).0
    }

    /// The address of so many bytes that the host may write until `openFiles`.
    pub fn room(&mut self, len: usize) -> usize {
        self.room.resize(len, 0);
        self.room.as_ptr().addr()
    }

    /// Opens small files that stand in the room one behind the other, each with its path before it. `ends`
    /// says where each path and each file ends, and `from` where the first path begins. Gives the ids of
    /// those that were opened, which may be fewer: see the core.
    #[wasm_bindgen(js_name = openFiles)]
    pub fn open_files(&mut self, from: usize, ends: &[u32]) -> Vec<u32> {
        let stretches = wire::cut(&self.room, from, ends);
        let files = stretches
            .as_chunks::<2>()
            .0
            .iter()
            .map(|&[path, bytes]| (std::str::from_utf8(path).unwrap_or_default(), bytes));
        self.inner.open_files(files).into_iter().map(|source| source.0).collect()
    }

    /// Gives the room back.
    #[wasm_bindgen(js_name = leaveRoom)]
    pub fn leave_room(&mut self) {
        self.room = Vec::new();
    }

    /// Hands over a slice; true: more of them may come.
    ///
    /// # Errors
    ///
    /// `no-such-source`, `source-finished`.
    pub fn push(&mut self, source: u32, slice: &[u8]) -> Result<bool, Misuse> {
        let more =
            self.inner.push(SourceId(source), slice).map_err(Misuse::one("source", source))?;
        Ok(more == hindscope::More::Wanted)
    }

    /// Says that a source has no more slices.
    ///
    /// # Errors
    ///
    /// `no-such-source`, `source-finished`.
    pub fn finish(&mut self, source: u32) -> Result<(), Misuse> {
        self.inner.finish(SourceId(source)).map_err(Misuse::one("source", source))
    }

    /// Says that a source could not be read.
    ///
    /// # Errors
    ///
    /// `no-such-source`, `source-finished`.
    pub fn fail(&mut self, source: u32, reason: &str) -> Result<(), Misuse> {
        self.inner.fail(SourceId(source), reason).map_err(Misuse::one("source", source))
    }

    /// Says that an unpacker refused a source, or the rest of it.
    ///
    /// # Errors
    ///
    /// `no-such-source`, `source-finished`, `invalid-option`.
    pub fn refuse(&mut self, source: u32, rule: &str, reason: &str) -> Result<(), Misuse> {
        let refusal = unpacker::refusal(rule, reason)?;
        self.inner.refuse(SourceId(source), &refusal).map_err(Misuse::one("source", source))
    }

    /// All sources.
    pub fn sources(&self) -> JsValue {
        encode(&self.inner.sources())
    }

    /// What all sources together gave.
    pub fn added(&self) -> JsValue {
        encode(&self.inner.added())
    }

    /// Number of records.
    #[wasm_bindgen(js_name = recordCount)]
    pub fn record_count(&self) -> usize {
        self.inner.record_count()
    }

    /// All groups.
    pub fn groups(&self) -> JsValue {
        encode(&self.inner.groups())
    }

    /// Number of runs.
    #[wasm_bindgen(js_name = runCount)]
    pub fn run_count(&self) -> usize {
        self.inner.run_count()
    }

    /// Some of all runs: so many from there on.
    pub fn runs(&self, from: u32, count: u32) -> JsValue {
        let ids: Vec<RunId> = (from..from.saturating_add(count)).map(RunId).collect();
        encode(&self.inner.run_rows(&ids))
    }

    /// The run with this key.
    #[wasm_bindgen(js_name = findRun)]
    pub fn find_run(&self, key: &str) -> Option<u32> {
        self.inner.find_run(key).map(|id| id.0)
    }

    /// One run.
    ///
    /// # Errors
    ///
    /// `no-such-run`.
    pub fn run(&self, run: u32) -> Result<JsValue, Misuse> {
        self.ask(run, |run| encode(&run.view()))
    }

    /// The iterations of a run.
    ///
    /// # Errors
    ///
    /// `no-such-run`.
    pub fn iterations(&self, run: u32) -> Result<JsValue, Misuse> {
        self.ask(run, |run| encode(&run.iterations()))
    }

    /// The reflections of a run, by their places.
    ///
    /// # Errors
    ///
    /// `no-such-run`.
    pub fn reflections(&self, run: u32) -> Result<JsValue, Misuse> {
        self.ask(run, |run| encode(&run.reflections()))
    }

    /// The records that a run is made of.
    ///
    /// # Errors
    ///
    /// `no-such-run`.
    pub fn records(&self, run: u32) -> Result<Vec<u32>, Misuse> {
        self.ask(run, |run| run.records().iter().map(|record| record.0).collect())
    }

    /// The series of a run.
    ///
    /// # Errors
    ///
    /// `no-such-run`.
    pub fn columns(&self, run: u32) -> Result<JsValue, Misuse> {
        self.ask(run, |run| typed(&run.columns()))
    }

    /// The window when iteration `at` began.
    ///
    /// # Errors
    ///
    /// `no-such-run`, `no-such-iteration`, `omega-out-of-range`, `invalid-option`.
    pub fn window(&self, run: u32, at: f64, options: &JsValue) -> Result<JsValue, Misuse> {
        let rule = WindowOptions::of(options)?.rule()?;
        let number = wire::number(at)?;
        self.ask(run, |run| run.window(number, rule).map(|window| encode(&window.view())))?
            .map_err(|error| Misuse::from(error).about("run", run).about("at", at))
    }

    /// Number of findings.
    #[wasm_bindgen(js_name = findingCount)]
    pub fn finding_count(&self) -> usize {
        self.inner.finding_count()
    }

    /// The findings, in groups.
    pub fn findings(&self) -> JsValue {
        encode(&self.inner.finding_groups())
    }

    /// The findings about a source, in groups.
    ///
    /// # Errors
    ///
    /// `no-such-source`.
    #[wasm_bindgen(js_name = findingsOf)]
    pub fn findings_of(&self, source: u32) -> Result<JsValue, Misuse> {
        let groups = self.inner.finding_groups_of(SourceId(source));
        groups.map(|groups| encode(&groups)).map_err(Misuse::one("source", source))
    }

    /// Some single findings.
    #[wasm_bindgen(js_name = eachFinding)]
    pub fn each_finding(&self, from: usize, count: usize) -> JsValue {
        encode(&self.inner.findings_from(from, count))
    }

    /// Where a record stands.
    ///
    /// # Errors
    ///
    /// `no-such-record`.
    pub fn locate(&self, record: u32) -> Result<JsValue, Misuse> {
        let span = self.inner.locate(RecordId(record));
        span.map(|span| encode(&span)).map_err(Misuse::one("record", record))
    }

    /// One iteration of a record in full.
    ///
    /// # Errors
    ///
    /// `no-such-record`, `wrong-bytes`.
    pub fn inspect(&self, record: u32, part: u32, bytes: &[u8]) -> Result<JsValue, Misuse> {
        let details = self.inner.inspect(RecordId(record), part, bytes);
        details.map(|details| encode(&details)).map_err(Misuse::one("record", record))
    }

    /// The text of a record.
    ///
    /// # Errors
    ///
    /// `no-such-record`, `wrong-bytes`.
    #[wasm_bindgen(js_name = rawText)]
    pub fn raw_text(&self, record: u32, bytes: &[u8]) -> Result<String, Misuse> {
        self.inner.raw_text(RecordId(record), bytes).map_err(Misuse::one("record", record))
    }

    /// A run apart from its history, for answers that need its records read.
    ///
    /// # Errors
    ///
    /// `no-such-run`.
    #[wasm_bindgen(js_name = loadedRun)]
    pub fn loaded_run(&self, run: u32) -> Result<LoadedRun, Misuse> {
        self.inner.loaded_run(RunId(run)).map(LoadedRun).map_err(Misuse::one("run", run))
    }

    /// Reads one of the records of a run from the bytes of its span.
    ///
    /// # Errors
    ///
    /// `no-such-record`, `wrong-bytes`.
    pub fn load(&self, run: &mut LoadedRun, record: u32, bytes: &[u8]) -> Result<(), Misuse> {
        self.inner.load(&mut run.0, RecordId(record), bytes).map_err(Misuse::one("record", record))
    }

    /// Number of groups.
    #[wasm_bindgen(js_name = groupCount)]
    pub fn group_count(&self) -> usize {
        self.inner.group_count()
    }

    /// How far the evaluator of a group can be believed; null where that cannot be said.
    pub fn trust(&self, group: u32) -> JsValue {
        encode(&self.inner.trust(GroupId(group)))
    }

    /// Retries of a group with and without memory; null for an unknown group.
    pub fn retries(&self, group: u32) -> JsValue {
        encode(&self.inner.retries(GroupId(group)))
    }

    /// Experiments over the same tasks, compared with the first.
    ///
    /// # Errors
    ///
    /// `invalid-option`.
    pub fn compare(&self, groups: &[u32], attempts: Option<u32>) -> Result<JsValue, Misuse> {
        let groups: Vec<_> = groups.iter().copied().map(GroupId).collect();
        Ok(encode(&self.inner.compare(&groups, attempts)?))
    }

    /// Ids of the runs of a group.
    #[wasm_bindgen(js_name = runsIn)]
    pub fn runs_in(&self, group: u32) -> Vec<u32> {
        self.inner.runs_in(GroupId(group)).iter().map(|run| run.0).collect()
    }

    /// Of these runs, those whose reflections have to be compared before more can be said of them.
    pub fn unchecked(&self, runs: &[u32]) -> Vec<u32> {
        let is_unchecked = |run: &u32| {
            let loaded_run = self.inner.loaded_run(RunId(*run));
            loaded_run.is_ok_and(|loaded_run| !loaded_run.needs_sketches().is_empty())
        };
        runs.iter().copied().filter(is_unchecked).collect()
    }

    /// Keeps what is compared of the reflections that were read.
    #[wasm_bindgen(js_name = keepSketches)]
    pub fn keep_sketches(&mut self, run: &mut LoadedRun) {
        self.inner.keep_sketches(&mut run.0);
    }

    /// Where a run was stuck and how it ended.
    ///
    /// # Errors
    ///
    /// `no-such-run`.
    pub fn verdict(&self, run: &LoadedRun) -> Result<JsValue, Misuse> {
        let id = run.0.run().0;
        Ok(encode(&self.inner.verdict(&run.0).map_err(Misuse::one("run", id))?))
    }

    /// The same of some runs.
    pub fn verdicts(&self, runs: &[u32]) -> JsValue {
        encode(&self.inner.verdicts(&runs.iter().copied().map(RunId).collect::<Vec<_>>()))
    }

    /// What is said of a group first; null for an unknown group.
    pub fn headline(&self, group: u32) -> JsValue {
        encode(&self.inner.headline(GroupId(group)))
    }

    /// The same of some runs. `stuck` says of each whether it was stuck: 1 for no, 2 for yes, 0 where that is
    /// not known.
    #[wasm_bindgen(js_name = headlineOf)]
    pub fn headline_of(&self, runs: &[u32], stuck: &[u8]) -> JsValue {
        let known: BTreeMap<u32, u8> = runs.iter().copied().zip(stuck.iter().copied()).collect();
        let is_stuck =
            |run: RunId| known.get(&run.0).filter(|code| **code > 0).map(|code| *code == 2);
        encode(
            &self.inner.headline_of(&runs.iter().copied().map(RunId).collect::<Vec<_>>(), is_stuck),
        )
    }

    /// The runs of a group attempt by attempt; null for an unknown group.
    pub fn aggregate(&self, group: u32) -> JsValue {
        encode(&self.inner.aggregate(GroupId(group)))
    }

    fn ask<T>(&self, id: u32, ask: impl FnOnce(Run<'_>) -> T) -> Result<T, Misuse> {
        self.inner.run(RunId(id)).map(ask).map_err(Misuse::one("run", id))
    }
}

/// Series as typed arrays; NaN where there is no value.
fn typed(columns: &RunColumns<'_>) -> JsValue {
    #[expect(clippy::cast_precision_loss, reason = "numbers of iterations; see wire::number")]
    let numbers: Vec<f64> = columns.numbers.iter().map(|&number| number as f64).collect();
    let outcomes: Vec<u8> = columns.outcomes.iter().map(|&outcome| outcome as u8).collect();
    let object = Object::new();
    for (name, series) in [
        ("numbers", &numbers[..]),
        ("rewards", columns.rewards),
        ("deltas", columns.deltas),
        ("errors", columns.errors),
        ("timesMs", columns.times_ms),
    ] {
        set(&object, name, &Float64Array::from(series));
    }
    set(&object, "outcomes", &Uint8Array::from(&outcomes[..]));
    object.into()
}

fn set(object: &Object, name: &str, value: &JsValue) {
    // Setting a member of a fresh plain object cannot fail.
    let _ = Reflect::set(object, &name.into(), value);
}

/// Every format that can be opened.
#[wasm_bindgen]
pub fn formats() -> JsValue {
    encode(hindscope::formats())
}
