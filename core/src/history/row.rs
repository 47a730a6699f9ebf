//! What the columns keep of a record.

use std::num::NonZeroU32;

use super::arena::{Interner, Range, keep};
use super::budget::{GROUPED_LEN, RUN_LEN};
use super::parsed_rows::{self, ParsedRows, Stored};
use super::rows::Chunks;
use super::sketches::{MOST_BYTES, Sketches};
use super::usage;
use crate::format::FormatId;
use crate::format::extracted::{Extracted, Verification};
use crate::format::parsed_record::ParsedRecord;
use crate::model::omega::{self, Policy};
use crate::model::outcome::Outcome;
use crate::model::reward::{Detected, count, detect_unit};
use crate::model::view::ReflectionRef;
use crate::sketch::ReflectionSketch;
use crate::source::conflict::Side;
use crate::source::position::Position;

/// One record: where it stands, and what grouping and charts need of it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) source: u32,
    /// Position among the records of its source.
    pub(crate) index: u32,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) format: FormatId,
    /// Which of the next six it has: there are millions of rows, and options take twice the room.
    has: u8,
    key: u32,
    task: u32,
    errors: u32,
    number: i64,
    time_ms: f64,
    reward: f64,
    pub(crate) outcome: Outcome,
    pub(crate) detail: Option<&'static str>,
    pub(crate) omega: Option<u8>,
    pub(crate) verification: Option<Verification>,
    /// Hashes of reflection texts, in the arenas of [`Table`].
    pub(crate) reflections: Range,
    /// The runs that it describes, for formats that are parsed as a tree.
    pub(crate) parsed_runs: Range,
    /// Item of a JSON array.
    pub(crate) is_item: bool,
    /// Hash of its text, for formats that are parsed as a tree; the others have most of it in columns.
    pub(crate) digest: u64,
    /// It comes out of an export, and its file had several records.
    pub(crate) had_others: bool,
    /// The side of a conflict that it stands on (`text/conflict-marker`).
    pub(crate) side: Option<Side>,
    /// Position in [`Table::mores`], from 1; most rows have nothing there.
    more: Option<NonZeroU32>,
}

/// What a record that is read along a shape says beyond that.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct More {
    /// The reward was written on a scale of 0 to 100.
    pub(crate) is_percent: bool,
    /// Reward by a rule, for records that report none.
    pub(crate) derived: Option<(f64, &'static str)>,
    pub(crate) window_total: Option<i64>,
    pub(crate) policy: Option<Policy>,
    /// Numbers that the record says were in its window, and were injected, in an arena.
    window: Option<Range>,
    injected: Option<Range>,
    pub(crate) has_past: bool,
    pub(crate) stored: Stored,
    /// Feedback shares, in an arena.
    feedback: Range,
    /// Length of `implementations`.
    pub(crate) implementations: Option<u32>,
}

static NO_MORE: More = More {
    is_percent: false,
    derived: None,
    window_total: None,
    policy: None,
    window: None,
    injected: None,
    has_past: false,
    stored: Stored::NONE,
    feedback: Range::NONE,
    implementations: None,
};

/// Bits of [`Row::has`].
const KEY: u8 = 1;
const TASK: u8 = 2;
const ERRORS: u8 = 4;
const NUMBER: u8 = 8;
const TIME: u8 = 16;
const REWARD: u8 = 32;

impl Row {
    fn known<T>(&self, bit: u8, value: T) -> Option<T> {
        (self.has & bit != 0).then_some(value)
    }

    fn set<T: Copy + Default>(&mut self, bit: u8, value: Option<T>) -> T {
        self.has = if value.is_some() { self.has | bit } else { self.has & !bit };
        value.unwrap_or_default()
    }

    /// Interned.
    pub(crate) fn key(&self) -> Option<u32> {
        self.known(KEY, self.key)
    }

    /// Interned.
    pub(crate) fn task(&self) -> Option<u32> {
        self.known(TASK, self.task)
    }

    pub(crate) fn number(&self) -> Option<i64> {
        self.known(NUMBER, self.number)
    }

    pub(crate) fn time_ms(&self) -> Option<f64> {
        self.known(TIME, self.time_ms)
    }

    /// Reported, 0..1.
    pub(crate) fn reward(&self) -> Option<f64> {
        self.known(REWARD, self.reward)
    }

    pub(crate) fn errors(&self) -> Option<u32> {
        self.known(ERRORS, self.errors)
    }

    fn name(&mut self, key: Option<u32>, task: Option<u32>) {
        self.key = self.set(KEY, key);
        self.task = self.set(TASK, task);
    }

    fn date(&mut self, number: Option<i64>, time_ms: Option<f64>) {
        self.number = self.set(NUMBER, number);
        self.time_ms = self.set(TIME, time_ms);
    }
}

/// Every record of a history.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) rows: Chunks<Row>,
    hashes: Vec<u64>,
    pub(super) sketches: Sketches,
    shares: Vec<Option<f64>>,
    numbers: Vec<i64>,
    mores: Chunks<More>,
    pub(crate) parsed: ParsedRows,
    pub(crate) texts: Interner,
}

impl Table {
    pub(crate) fn push(
        &mut self,
        source: u32,
        index: u32,
        format: FormatId,
        extracted: &Extracted,
        start: Position,
        end: u64,
    ) {
        let (outcome, detail) = match (extracted.said.passed, &extracted.outcome) {
            (Some(passed), _) => (Outcome::of_verdict(passed), None),
            (None, Some(word)) => Outcome::read(word),
            (None, None) => (Outcome::Unknown, None),
        };
        let more = format.is_shape().then(|| self.more_of(extracted)).filter(|m| *m != NO_MORE);
        let has_more = more.is_some();
        if let Some(more) = more {
            self.mores.push(more);
        }
        let mut row = Row {
            source,
            index,
            start: start.offset,
            end,
            line: start.line,
            column: start.column,
            format,
            has: 0,
            key: 0,
            task: 0,
            errors: 0,
            number: 0,
            time_ms: 0.0,
            reward: 0.0,
            outcome,
            detail,
            omega: extracted.said.omega.and_then(omega::used),
            verification: extracted.said.verification,
            reflections: keep(&mut self.hashes, &extracted.reflections),
            parsed_runs: Range::default(),
            is_item: false,
            digest: 0,
            had_others: false,
            side: None,
            more: NonZeroU32::new(count(self.mores.len())).filter(|_| has_more),
        };
        let mut intern = |text: &Option<_>| text.as_deref().map(|text| self.texts.intern(text));
        row.name(intern(&extracted.key), intern(&extracted.task));
        row.date(extracted.said.number, extracted.said.time_ms);
        row.reward = row.set(REWARD, extracted.said.reward.and_then(unit));
        let no_errors = (outcome == Outcome::Success).then_some(0);
        row.errors = row.set(ERRORS, extracted.said.errors.or(no_errors));
        self.rows.push(row);
    }

    fn more_of(&mut self, extracted: &Extracted) -> More {
        let is_percent = |reward| matches!(detect_unit(reward), Detected::Mismatch(_));
        More {
            is_percent: extracted.said.reward.is_some_and(is_percent),
            derived: extracted.said.derived(),
            window_total: extracted.said.window_total,
            policy: extracted.said.policy,
            window: extracted.window.get().map(|list| keep(&mut self.numbers, list)),
            injected: extracted.injected.get().map(|list| keep(&mut self.numbers, list)),
            has_past: extracted.injected.get().is_some_and(|list| !list.is_empty()),
            stored: Stored {
                reward: extracted.said.reward_change,
                errors: extracted.said.error_change,
                improvement: extracted.said.is_improvement,
                has_injected: None,
            },
            feedback: keep(&mut self.shares, &extracted.feedback),
            implementations: extracted.said.implementations,
        }
    }

    /// The memory that it takes, together with what grouping makes of it.
    pub(super) fn held(&self) -> usize {
        let Self { rows, hashes, shares, numbers, mores, parsed, texts, sketches } = self;
        rows.len() * (size_of::<Row>() + GROUPED_LEN)
            + size_of_val(&hashes[..])
            + size_of_val(&shares[..])
            + size_of_val(&numbers[..])
            + mores.len() * size_of::<More>()
            + parsed.held()
            + texts.held()
            + texts.len() * RUN_LEN
            + sketches.bytes()
    }

    /// Keeps a parsed record. Its row holds facts only if there is one run with one attempt; its
    /// parsed runs hold those of each.
    pub(crate) fn push_parsed(
        &mut self,
        source: u32,
        index: u32,
        format: FormatId,
        parsed: &mut ParsedRecord,
        is_item: bool,
        (start, end): (Position, u64),
    ) {
        let row = self.rows.len();
        self.push(source, index, format, &Extracted::default(), start, end);
        let (first_run, first_hash) = (self.parsed.runs.len(), self.hashes.len());
        let parts = parsed.parts();
        let mut parts = parts.into_iter().map(|range| range.start);
        for (part, run) in (0..).zip(&parsed.runs) {
            let mut parsed_run = parsed_rows::run_row(row, part, &run.about, &mut self.texts);
            let first = self.parsed.steps.len();
            for (details, part) in run.steps.iter().zip(&mut parts) {
                let step = parsed_rows::step(row, part, details, &mut self.hashes);
                self.parsed.steps.push(step);
                self.parsed.keep_retrieved(row, part, details, &mut self.texts);
                usage::keep(&mut self.parsed.usage, (row, part), details.usage.as_ref());
            }
            parsed_run.steps = first..self.parsed.steps.len();
            let declared = run.about.declared.as_ref().and_then(|declared| declared.usage.as_ref());
            usage::keep(&mut self.parsed.declared, (row, part), declared);
            self.parsed.runs.push(parsed_run);
        }
        let Some(last) = self.rows.last_mut() else { return };
        last.is_item = is_item;
        last.parsed_runs = Range::between(first_run, self.parsed.runs.len());
        last.reflections = Range::between(first_hash, self.hashes.len());
        if let [run] = &self.parsed.runs[first_run..] {
            last.name(run.key, run.task);
            if let [step] = self.parsed.steps_of(run) {
                last.date(step.number, step.time_ms);
                last.outcome = step.outcome;
                last.detail = step.detail;
            }
        }
    }

    /// The runs that a record describes.
    pub(crate) fn parsed_runs(&self, row: &Row) -> &[parsed_rows::ParsedRunRow] {
        self.parsed.of(row.parsed_runs)
    }

    /// The attempts of all runs that a record describes, by part.
    pub(crate) fn steps(&self, row: &Row) -> &[parsed_rows::ParsedStepRow] {
        let (Some(first), Some(last)) =
            (self.parsed_runs(row).first(), self.parsed_runs(row).last())
        else {
            return &[];
        };
        self.parsed.steps.get(first.steps.start..last.steps.end).unwrap_or_default()
    }

    /// Which of the runs of a record a part belongs to, and which of its attempts.
    pub(crate) fn step_at(&self, row: &Row, part: u32) -> Option<(usize, usize)> {
        let runs = self.parsed_runs(row);
        let at = self.steps(row).partition_point(|step| step.part <= part).checked_sub(1)?;
        let at = runs.first()?.steps.start + at;
        let run = runs.partition_point(|parsed_run| parsed_run.steps.end <= at);
        Some((run, at - runs.get(run)?.steps.start))
    }

    /// What a record says beyond what every row has.
    pub(crate) fn more(&self, row: &Row) -> &More {
        let at = row.more.map(|at| at.get() as usize - 1);
        at.and_then(|at| self.mores.get(at)).unwrap_or(&NO_MORE)
    }

    /// Whether two rows of different sources say the same at the same place.
    pub(crate) fn is_same(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.rows[a], &self.rows[b]);
        let facts = |row: &Row| {
            let place = (row.start, row.end, row.format, row.digest);
            let said = (row.has, row.key, row.task, row.number, row.outcome, row.errors);
            (place, said, row.time_ms.to_bits(), row.reward.to_bits())
        };
        facts(a) == facts(b) && self.hashes(a) == self.hashes(b)
    }

    pub(crate) fn hashes(&self, row: &Row) -> &[u64] {
        row.reflections.of(&self.hashes)
    }

    /// Keeps what is compared of a reflection that was read, if it fits into this room in bytes.
    pub(super) fn keep_sketch(
        &mut self,
        at: &ReflectionRef,
        sketch: &ReflectionSketch,
        room: usize,
    ) {
        let row = self.rows.get(at.record.index());
        if let Some(place) = row.and_then(|row| row.reflections.place(at.part)) {
            let most = self.sketches.bytes().saturating_add(room).min(MOST_BYTES);
            self.sketches.keep(place, sketch, most);
        }
    }

    pub(crate) fn shares(&self, row: &Row) -> &[Option<f64>] {
        self.more(row).feedback.of(&self.shares)
    }

    /// `reflections_in_context` as the record states it.
    pub(crate) fn window(&self, row: &Row) -> Option<&[i64]> {
        self.more(row).window.map(|range| range.of(&self.numbers))
    }

    /// `previous_reflections_used` as the record states it.
    pub(crate) fn injected(&self, row: &Row) -> Option<&[i64]> {
        self.more(row).injected.map(|range| range.of(&self.numbers))
    }

    pub(crate) fn key(&self, row: &Row) -> Option<&str> {
        row.key().map(|k| self.texts.text(k))
    }
}

fn unit(number: f64) -> Option<f64> {
    match detect_unit(number) {
        Detected::Unit(value) | Detected::Mismatch(value) => Some(value),
        Detected::OutOfRange => None,
    }
}
