//! One run with its records read: what windows and insight compare beyond the columns.

use super::join::joined;
use super::run::Run;
use super::{History, Opened};
use crate::error::{Error, ErrorCode};
use crate::format::FormatId;
use crate::model::details::Details;
use crate::model::id::{GroupId, RecordId, RunId};
use crate::model::omega::OmegaProvenance;
use crate::model::outcome::Outcome;
use crate::model::run_details::RunDetails;
use crate::model::view::{ReflectionRef, Span};
use crate::sketch::ReflectionSketch;
use crate::wasm_memory;
use crate::window::Seat;

/// The facts of one run, apart from the history that they come from.
///
/// It begins with what the columns know. [`LoadedRun::needs`] names the records that hold the rest;
/// whoever has their bytes hands them to [`History::load`]. Every answer says what it left out for
/// lack of a record.
#[derive(Clone, Debug)]
pub struct LoadedRun {
    pub(crate) run: RunId,
    pub(crate) key: String,
    pub(crate) format: FormatId,
    pub(crate) task: Option<String>,
    pub(crate) steps: Vec<LoadedStep>,
    /// Written before the first attempt that is open.
    pub(crate) earlier: Vec<ReflectionRef>,
    /// Records and parts that it is made of, and whether each is an attempt; the others are
    /// reflections only.
    parts: std::collections::BTreeMap<(RecordId, u32), bool>,
    /// Records that describe the run as a whole, and which of their runs it is. Once they were read,
    /// `about` has what they say.
    parsed_runs: Vec<(RecordId, u32)>,
    about: std::collections::BTreeMap<(RecordId, u32), RunDetails>,
    /// By record and part.
    loaded: std::collections::BTreeMap<(RecordId, u32), Details>,
    /// Of reflections whose texts were read at some time, by record and part.
    sketches: std::collections::BTreeMap<(RecordId, u32), ReflectionSketch>,
    /// Every reflection that a window can hold.
    pub(crate) seats: Vec<Seat>,
    /// Tokens as the host counts them, by record and part.
    pub(crate) tokens: std::collections::BTreeMap<(RecordId, u32), u32>,
    /// By ordinal: the records that make an attempt together, and those that only hold reflections that it
    /// wrote. Once all were read, `joined` has the attempt.
    joins: std::collections::BTreeMap<usize, Vec<(RecordId, u32)>>,
    joined: std::collections::BTreeMap<usize, Details>,
    /// For each of them, how many of its records have not been read.
    missing: std::collections::BTreeMap<usize, usize>,
    /// By record that was not read yet: the ordinals of the attempts in `joins` that wait for it.
    joined_by: std::collections::BTreeMap<RecordId, Vec<usize>>,
}

/// One attempt: its columns, and where its records stand.
#[derive(Clone, Debug)]
pub(crate) struct LoadedStep {
    pub(crate) number: i64,
    pub(crate) outcome: Outcome,
    pub(crate) time_ms: Option<f64>,
    pub(crate) reward: Option<f64>,
    pub(crate) delta: Option<f64>,
    /// Attempts without reward that the delta spans.
    pub(crate) gap: u32,
    pub(crate) errors: Option<u32>,
    pub(crate) is_improvement: Option<bool>,
    /// Ω as recorded, else as assumed; with the word that says which.
    pub(crate) omega: Option<u8>,
    pub(crate) omega_provenance: OmegaProvenance,
    pub(crate) record: RecordId,
    pub(crate) part: u32,
    pub(crate) reflections: Vec<ReflectionRef>,
}

impl LoadedRun {
    pub(super) fn of(run: &Run<'_>) -> Self {
        let view = run.view();
        let steps: Vec<LoadedStep> = run
            .iterations()
            .into_iter()
            .enumerate()
            .map(|(ordinal, step)| {
                let (omega, omega_provenance) = run.omega_at(ordinal);
                LoadedStep {
                    number: step.number,
                    outcome: step.outcome,
                    time_ms: step.time_ms,
                    reward: step.reward,
                    delta: step.delta,
                    gap: step.delta_gap,
                    errors: step.errors,
                    is_improvement: step.is_improvement,
                    omega,
                    omega_provenance,
                    record: step.record,
                    part: step.part,
                    reflections: step.reflections,
                }
            })
            .collect();
        let earlier = run.earlier().to_vec();
        let reflections = || earlier.iter().chain(steps.iter().flat_map(|s| &s.reflections));
        let mut parts: std::collections::BTreeMap<_, _> =
            reflections().map(|r| ((r.record, r.part), false)).collect();
        parts.extend(steps.iter().map(|s| ((s.record, s.part), true)));
        let mut joins = run.joins();
        parts.extend(joins.values().flatten().map(|at| (*at, true)));
        for (ordinal, step) in steps.iter().enumerate() {
            let of_others = step.reflections.iter().filter(|r| r.record != step.record);
            let others = of_others.map(|r| (r.record, r.part));
            for at in others.filter(|at| parts.get(at) == Some(&false)) {
                joins.entry(ordinal).or_insert_with(|| vec![(step.record, step.part)]).push(at);
            }
        }
        let mut missing = std::collections::BTreeMap::new();
        let mut joined_by: std::collections::BTreeMap<RecordId, Vec<usize>> =
            std::collections::BTreeMap::new();
        for (ordinal, parts) in &joins {
            let records: std::collections::BTreeSet<_> = parts.iter().map(|(id, _)| *id).collect();
            missing.insert(*ordinal, records.len());
            for id in records {
                joined_by.entry(id).or_default().push(*ordinal);
            }
        }
        let kept = |r: &ReflectionRef| Some(((r.record, r.part), run.sketch(r)?));
        let sketches = reflections().filter_map(kept).collect();
        Self {
            run: view.id,
            key: view.key,
            format: run.format(),
            task: view.task,
            steps,
            earlier,
            parts,
            parsed_runs: run.parsed_runs().to_vec(),
            about: std::collections::BTreeMap::new(),
            loaded: std::collections::BTreeMap::new(),
            sketches,
            seats: run.seats(),
            tokens: std::collections::BTreeMap::new(),
            missing,
            joined_by,
            joins,
            joined: std::collections::BTreeMap::new(),
        }
    }

    /// Records that have not been read yet, in order.
    pub fn needs(&self) -> Vec<RecordId> {
        let unread = self.parts.keys().filter(|part| !self.loaded.contains_key(part));
        let unloaded = self.parsed_runs.iter().filter(|at| !self.about.contains_key(at));
        let mut needs: Vec<_> = unread.chain(unloaded).map(|(record, _)| *record).collect();
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    /// Of [`LoadedRun::needs`], what [`LoadedRun::about`] waits for.
    pub fn needs_about(&self) -> Vec<RecordId> {
        let unloaded = self.parsed_runs.iter().filter(|at| !self.about.contains_key(at));
        let mut needs: Vec<_> = unloaded.map(|(record, _)| *record).collect();
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    /// Whether a record is one of [`LoadedRun::needs`].
    pub(crate) fn wants(&self, record: RecordId) -> bool {
        let mut parts = self.parts.range((record, 0)..=(record, u32::MAX)).map(|(part, _)| part);
        parts.any(|part| !self.loaded.contains_key(part))
            || self.parsed_runs_in(record).any(|part| !self.about.contains_key(&(record, part)))
    }

    /// The positions of this run among the runs that a record describes as a whole.
    pub(crate) fn parsed_runs_in(&self, record: RecordId) -> impl Iterator<Item = u32> {
        self.parsed_runs.iter().filter(move |at| at.0 == record).map(|at| at.1)
    }

    /// The run.
    pub fn run(&self) -> RunId {
        self.run
    }

    /// What its records say of it as a whole, record by record: [`LoadedRun::needs`] names those that
    /// have not been read.
    pub fn about(&self) -> Vec<(RecordId, &RunDetails)> {
        let read = |at: &(RecordId, u32)| Some((at.0, self.about.get(at)?));
        self.parsed_runs.iter().filter_map(read).collect()
    }

    /// Records of one attempt that have not been read yet: one, or several that describe it together, and
    /// those that hold reflections that it wrote.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchIteration`](crate::ErrorCode::NoSuchIteration).
    pub fn needs_of(&self, number: i64) -> Result<Vec<RecordId>, Error> {
        let (ordinal, step) = self.step(number)?;
        let own = [(step.record, step.part)];
        let parts = self.joins.get(&ordinal).map_or(&own[..], Vec::as_slice);
        let unread = parts.iter().filter(|part| !self.loaded.contains_key(part));
        let mut needs: Vec<_> = unread.map(|(record, _)| *record).collect();
        needs.sort_unstable();
        needs.dedup();
        Ok(needs)
    }

    /// Records that describe one attempt, each with the part that does; the one that leads first.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchIteration`](crate::ErrorCode::NoSuchIteration).
    pub fn parts_of(&self, number: i64) -> Result<Vec<(RecordId, u32)>, Error> {
        let (ordinal, step) = self.step(number)?;
        Ok(self.described_by(ordinal).unwrap_or_else(|| vec![(step.record, step.part)]))
    }

    /// Records that describe an attempt together; none: it is described by one.
    fn described_by(&self, ordinal: usize) -> Option<Vec<(RecordId, u32)>> {
        let all = self.joins.get(&ordinal)?.iter().copied();
        let described: Vec<_> = all.filter(|at| self.parts.get(at) == Some(&true)).collect();
        (described.len() > 1).then_some(described)
    }

    /// The same by ordinal: those that describe it together, or the one that does if `has_one`.
    pub(crate) fn parts_at(&self, ordinal: usize, has_one: bool) -> Vec<(RecordId, u32)> {
        let joined = self.described_by(ordinal);
        let one = || self.steps.get(ordinal).filter(|_| has_one).map(|s| (s.record, s.part));
        joined.unwrap_or_else(|| one().into_iter().collect())
    }

    /// One attempt in full, by its number. If several records describe it, each member comes from the
    /// first record that has it. None until all of its records were read.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchIteration`](crate::ErrorCode::NoSuchIteration).
    pub fn attempt(&self, number: i64) -> Result<Option<&Details>, Error> {
        let (ordinal, step) = self.step(number)?;
        let is_joined = self.joins.contains_key(&ordinal);
        Ok(self
            .joined
            .get(&ordinal)
            .or_else(|| self.loaded.get(&(step.record, step.part)).filter(|_| !is_joined)))
    }

    /// What was read so far of the records that describe one attempt, the one that leads first.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchIteration`](crate::ErrorCode::NoSuchIteration).
    pub fn loaded_of(&self, number: i64) -> Result<Vec<&Details>, Error> {
        let parts = self.parts_of(number)?;
        Ok(parts.iter().filter_map(|at| self.loaded.get(at)).collect())
    }

    pub(crate) fn step(&self, number: i64) -> Result<(usize, &LoadedStep), Error> {
        // Numbers ascend, each once.
        let at = self.steps.partition_point(|step| step.number < number);
        let found = self.steps.get(at).filter(|step| step.number == number);
        found.map(|step| (at, step)).ok_or_else(|| {
            let message = format!("Run {} has no iteration {number}.", self.key);
            Error::new(ErrorCode::NoSuchIteration, message)
        })
    }

    /// Whether a record was read for one of its iterations.
    pub(crate) fn is_loaded(&self, record: RecordId, part: u32) -> bool {
        self.loaded.contains_key(&(record, part))
    }

    /// What was read of a step.
    pub(crate) fn details(&self, step: &LoadedStep) -> Option<&Details> {
        let ordinal = self.steps.partition_point(|s| s.number < step.number);
        self.joined.get(&ordinal).or_else(|| self.loaded.get(&(step.record, step.part)))
    }

    /// An attempt that several records describe, once all were read.
    pub(crate) fn joined(&self, ordinal: u32) -> Option<&Details> {
        self.joined.get(&(ordinal as usize))
    }

    /// Puts together the attempts for which a record was the last that had to be read.
    fn join(&mut self, record: RecordId) {
        let Some(ordinals) = self.joined_by.remove(&record) else { return };
        for ordinal in &ordinals {
            let missing = self.missing.get_mut(ordinal).map(|missing| {
                *missing = missing.saturating_sub(1);
                *missing
            });
            if missing == Some(0)
                && let Some(parts) = self.joins.get(ordinal)
            {
                let is_attempt = |at: &&(RecordId, u32)| self.parts.get(at) == Some(&true);
                let (own, others): (Vec<_>, Vec<_>) = parts.iter().partition(is_attempt);
                let own: Option<Vec<&Details>> =
                    own.into_iter().map(|at| self.loaded.get(at)).collect();
                if let Some(mut details) = own.and_then(|own| joined(&own)) {
                    let others = others.into_iter().filter_map(|at| self.loaded.get(at));
                    details.reflections.extend(others.flat_map(|d| d.reflections.iter().cloned()));
                    self.joined.insert(*ordinal, details);
                }
            }
        }
    }

    /// A reflection with its text, once its record was read.
    pub(crate) fn reflection(
        &self,
        at: &ReflectionRef,
    ) -> Option<&crate::model::details::Reflection> {
        self.loaded(at)?.reflections.iter().find(|r| r.part == at.part)
    }

    /// Every reflection, in order: earlier ones, then those of the steps.
    pub(crate) fn reflections(&self) -> impl Iterator<Item = &ReflectionRef> {
        self.earlier.iter().chain(self.steps.iter().flat_map(|step| &step.reflections))
    }

    /// What is compared of a reflection, if it was kept.
    pub(crate) fn sketch(&self, at: &ReflectionRef) -> Option<&ReflectionSketch> {
        self.sketches.get(&(at.record, at.part))
    }

    /// Records whose reflections must be read before they can be compared: whether they repeat each
    /// other, and whether lessons recur. None once [`History::keep_sketches`] has them; a run with one
    /// reflection needs none.
    pub fn needs_sketches(&self) -> Vec<RecordId> {
        if self.reflections().nth(1).is_none() {
            return Vec::new();
        }
        let is_unknown =
            |r: &&ReflectionRef| self.sketch(r).is_none() && !self.is_loaded(r.record, r.part);
        let mut needs: Vec<_> = self.reflections().filter(is_unknown).map(|r| r.record).collect();
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    /// What was read of the record that holds a reflection.
    pub(crate) fn loaded(&self, at: &ReflectionRef) -> Option<&Details> {
        self.loaded.get(&(at.record, at.part))
    }
}

impl History {
    /// A run apart from its history, with what the columns know.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchRun`](crate::ErrorCode::NoSuchRun).
    pub fn loaded_run(&self, run: RunId) -> Result<LoadedRun, Error> {
        self.run(run).map(|run| LoadedRun::of(&run))
    }

    /// Reads one of the records that a loaded run needs from the bytes of its span. A record that
    /// it does not need changes nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchRecord`](crate::ErrorCode::NoSuchRecord);
    /// [`ErrorCode::WrongBytes`](crate::ErrorCode::WrongBytes) if the bytes are not the span's.
    pub fn load(
        &self,
        loaded_run: &mut LoadedRun,
        record: RecordId,
        bytes: &[u8],
    ) -> Result<(), Error> {
        let has_parts = loaded_run.parts.range((record, 0)..=(record, u32::MAX)).next().is_some();
        if !has_parts && loaded_run.parsed_runs_in(record).next().is_none() {
            return Ok(());
        }
        self.load_opened(loaded_run, record, &self.opened(record, bytes)?)
    }

    /// The same of a record that was read before.
    pub(crate) fn load_opened(
        &self,
        loaded_run: &mut LoadedRun,
        record: RecordId,
        opened: &Opened,
    ) -> Result<(), Error> {
        let LoadedRun { parts, loaded, parsed_runs, about, .. } = loaded_run;
        // A record is read once for all of its parts. A part that is no attempt keeps only its own
        // reflections: otherwise a memory of a thousand entries would be kept a thousand times.
        for &(id, part) in parsed_runs.iter().filter(|at| at.0 == record) {
            about.insert((id, part), Self::about_of(id, part, opened)?);
        }
        for (&(id, part), &is_attempt) in parts.range((record, 0)..=(record, u32::MAX)) {
            let mut details = self.details_of(id, part, opened)?;
            if !is_attempt {
                details.reflections.retain(|reflection| reflection.part == part);
            }
            loaded.insert((id, part), details);
        }
        loaded_run.join(record);
        Ok(())
    }

    /// Keeps what rules compare of the reflections that a loaded run has read, so that their texts need
    /// not be read again to say whether the run repeats itself: a run that is loaded later has it. What does
    /// not fit into the limit of memory is read again.
    pub fn keep_sketches(&mut self, loaded_run: &mut LoadedRun) {
        wasm_memory::grow();
        let is_new = |r: &&ReflectionRef| loaded_run.sketch(r).is_none();
        let new = loaded_run.reflections().filter(is_new);
        let new: Vec<_> =
            new.filter_map(|at| Some((*at, loaded_run.reflection(at)?.sketch()))).collect();
        for (at, sketch) in new {
            let room = self.budget.room(self.table.held());
            self.table.keep_sketch(&at, &sketch, room);
            loaded_run.sketches.insert((at.record, at.part), sketch);
        }
    }

    /// Ids of the runs of a group, in order; none for an unknown group.
    pub fn runs_in(&self, group: GroupId) -> Vec<RunId> {
        let row = self.grouping().groups.get(group.0 as usize);
        row.into_iter().flat_map(|row| row.runs.clone()).map(RunId::at).collect()
    }

    /// The runs of a group, with its label and format.
    pub(crate) fn group_runs(&self, group: GroupId) -> Option<(&str, FormatId, Vec<Run<'_>>)> {
        let row = self.grouping().groups.get(group.0 as usize)?;
        let runs = row.runs.clone().filter_map(|run| self.run(RunId::at(run)).ok()).collect();
        Some((&row.label, row.format, runs))
    }

    /// The run that a record belongs to.
    pub(crate) fn run_of(&self, record: RecordId) -> Option<RunId> {
        self.grouping().run_of.get(record.index()).copied().flatten()
    }

    /// Where the records stand that a loaded run still needs.
    pub fn needs(&self, loaded_run: &LoadedRun) -> Vec<Span> {
        loaded_run.needs().into_iter().filter_map(|record| self.locate(record).ok()).collect()
    }
}
