//! Everything that is open: sources, records, and the runs that they make.

mod accuracy;
pub(crate) mod arena;
mod budget;
pub(crate) mod columns;
mod copies;
pub(crate) mod exported;
mod finding_groups;
mod finding_order;
mod findings;
mod group;
pub(crate) mod grouping;
pub(crate) mod injected;
pub(crate) mod join;
pub(crate) mod loaded_run;
mod loaded_window;
pub(crate) mod loops;
pub(crate) mod opened;
pub(crate) mod outline;
pub(crate) mod parsed_rows;
pub(crate) mod paths;
mod questions;
pub(crate) mod row;
pub(crate) mod rows;
pub(crate) mod run;
mod sample;
mod searched;
mod series;
mod shared;
mod single_file;
mod sketches;
mod source;
mod study;
mod submissions;
mod tasks;
mod totals;
mod trial_logs;
mod trials;
pub(crate) mod usage;
mod writers;

use crate::model::outcome::Outcome;
pub use budget::MOST_MEMORY_MB;
pub use run::Run;
pub use source::More;

use std::cell::OnceCell;

use crate::error::{Error, ErrorCode};
use crate::format::export_line::Line;
use crate::format::parsed_record::{Context, ParsedRecord};
use crate::format::record::Readings;
use crate::format::{Reading, qa_trials};
use crate::json::value;
use crate::model::details::Details;
use crate::model::finding::Finding;
use crate::model::id::{RecordId, RunId, SourceId};
use crate::model::view::{Added, GroupView, RunView, Skipped, SourceView, Span};
use crate::source::container::Refusal;
use crate::source::container::kind::Kind;
use crate::source::encoding::decode_all;
use crate::source::limits::Limits;
use crate::source::lossy;
use crate::source::yaml;
use crate::validate::Profile;
use crate::wasm_memory;
use budget::Budget;
use grouping::{Grouping, Origin};
use loops::path::Named;
pub(crate) use opened::Opened;
use opened::not_of_record;
use paths::folder_of;
use row::{Row, Table};
use shared::Shared;
use source::Source;
use source::wanted::Wanted;

/// A history of agent loops: sources go in slice by slice, runs come out.
///
/// # Example: two records of one run
///
/// ```
/// use hindscope::{History, Profile};
///
/// let lines = br#"{"trial_number":1,"loop_id":"a","outcome":"failure","reflection":"Too fast."}
/// {"trial_number":2,"loop_id":"a","outcome":"success","reflection":"Slower works."}
/// "#;
/// let mut history = History::new(Profile::Lenient);
/// let source = history.open("loop.jsonl");
/// history.push(source, lines)?;
/// history.finish(source)?;
/// let runs = history.runs();
/// assert_eq!((runs.len(), runs[0].iterations), (1, 2));
/// let window = history.run(runs[0].id)?.window(2, Default::default())?;
/// assert_eq!(window.held(), [1]);
/// # Ok::<(), hindscope::Error>(())
/// ```
#[derive(Debug)]
pub struct History {
    profile: Profile,
    sources: Vec<Source>,
    table: Table,
    readings: Readings,
    budget: Budget,
    limits: Limits,
    wanted: Wanted,
    /// Made on demand, forgotten when records come.
    grouping: OnceCell<Grouping>,
}

impl History {
    /// Nothing open. `profile` decides how records are judged; both keep whatever can be read.
    pub fn new(profile: Profile) -> Self {
        Self {
            profile,
            sources: Vec::new(),
            table: Table::default(),
            readings: Readings::of_sources(profile),
            budget: Budget::default(),
            limits: Limits::default(),
            wanted: Wanted::default(),
            grouping: OnceCell::new(),
        }
    }

    /// How much is read of each source that is opened from now on.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// The memory that everything kept may take, in bytes: by default 2 GiB. A source that does not fit
    /// completely has the finding `size/memory`; everything that was kept can still be asked.
    pub fn limit_memory(&mut self, bytes: usize) {
        self.budget.limit(bytes);
    }

    /// Whether something did not fit since the memory was limited last.
    pub fn is_memory_exceeded(&self) -> bool {
        self.budget.is_exceeded()
    }

    /// Sources that are opened from now on keep only the records of runs whose key contains one of
    /// these texts, whatever the case of its letters. Where a run has no key, the path of the source is
    /// compared. An empty list keeps all runs. What is left out is counted (`source/left-out`).
    pub fn only(&mut self, runs: &[String]) {
        self.wanted = Wanted::new(runs);
    }

    /// Announces a source. `path` is its name with its folders, `/` between them: numbers and ids
    /// are often only there.
    pub fn open(&mut self, path: &str) -> SourceId {
        self.grouping.take();
        let id = SourceId::at(self.sources.len());
        let keeps = (self.limits, self.wanted.clone());
        self.readings.turn_to(path);
        self.sources.push(Source::new(id, path, self.readings.promises.is_text, keeps));
        id
    }

    /// Opens files that are there as a whole, each a source: what [`History::open`], [`History::push`] and
    /// [`History::finish`] do, faster where there are many small ones. Gives the ids of those that were
    /// opened: all of them, or those before the first archive, which is for an [`Unpacker`](crate::Unpacker).
    pub fn open_files<'a>(
        &mut self,
        files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    ) -> Vec<SourceId> {
        let mut opened = Vec::new();
        wasm_memory::grow();
        for (path, bytes) in files {
            if Kind::of(bytes).is_some() {
                break;
            }
            let id = self.open(path);
            if let Ok((source, mut shared)) = self.reading(id) {
                source.take(bytes, &mut shared);
            }
            opened.push(id);
        }
        opened
    }

    /// A source, and what it is read with.
    fn reading(&mut self, id: SourceId) -> Result<(&mut Source, Shared<'_>), Error> {
        let Self { sources, table, readings, budget, .. } = self;
        let source = sources.get_mut(id.index()).ok_or_else(|| no_such_source(id))?;
        Ok((source, Shared { table, readings, budget }))
    }

    /// Hands over the next slice of a source, of any length.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchSource`]; [`ErrorCode::SourceFinished`] after [`History::finish`].
    pub fn push(&mut self, id: SourceId, slice: &[u8]) -> Result<More, Error> {
        self.grouping.take();
        wasm_memory::grow();
        let (source, mut shared) = self.reading(id)?;
        source.push(slice, &mut shared)
    }

    /// Nothing more will come of a source.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchSource`]; [`ErrorCode::SourceFinished`] the second time.
    pub fn finish(&mut self, id: SourceId) -> Result<(), Error> {
        self.grouping.take();
        let (source, mut shared) = self.reading(id)?;
        source.finish(&mut shared)
    }

    /// The host could not read a source: `source/unreadable` says why. What came before is kept.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchSource`]; [`ErrorCode::SourceFinished`] after [`History::finish`].
    pub fn fail(&mut self, id: SourceId, reason: &str) -> Result<(), Error> {
        self.grouping.take();
        let (source, mut shared) = self.reading(id)?;
        source.fail(reason, &mut shared)
    }

    /// An unpacker refuses an entry, or the rest of it: the rule of its kind says why. What came before
    /// is kept.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchSource`]; [`ErrorCode::SourceFinished`] after [`History::finish`].
    pub fn refuse(&mut self, id: SourceId, refusal: &Refusal) -> Result<(), Error> {
        self.grouping.take();
        // What is said of an archive as a whole comes behind its entries.
        let inside = match self.sources.get(id.index().saturating_sub(1)..=id.index()) {
            Some([entry, archive]) => entry.path().strip_prefix(archive.path()),
            _ => None,
        };
        let is_begun = inside.is_some_and(|path| path.starts_with('/'));
        let (source, mut shared) = self.reading(id)?;
        source.refuse(refusal, is_begun, &mut shared)
    }

    /// Every source, in the order of opening.
    pub fn sources(&self) -> Vec<SourceView> {
        self.sources.iter().map(Source::view).collect()
    }

    /// One source.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchSource`].
    pub fn source(&self, id: SourceId) -> Result<SourceView, Error> {
        self.sources.get(id.index()).map(Source::view).ok_or_else(|| no_such_source(id))
    }

    /// Where the records of a source stand that could not be read, in the order of the source.
    /// What was skipped inside of a table or log is not among them: its finding has the place.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchSource`].
    pub fn skipped(&self, id: SourceId) -> Result<&[Skipped], Error> {
        self.source(id)?;
        Ok(self.sources.get(id.index()).map_or(&[], Source::skips))
    }

    /// What all sources together gave.
    pub fn added(&self) -> Added {
        let mut added = Added::default();
        for source in &self.sources {
            source.add_to(&mut added);
        }
        added
    }

    /// Records that are kept.
    pub fn record_count(&self) -> usize {
        self.table.rows.len()
    }

    fn grouping(&self) -> &Grouping {
        self.grouping.get_or_init(|| {
            // Files of one folder come one after another.
            let mut last = ("", Named::by(""));
            let origin = |source| {
                let path = Source::path(source);
                let folder = folder_of(path);
                last.1 = if folder == last.0 { last.1.beside(path) } else { Named::by(path) };
                last.0 = folder;
                let identity = source.identity();
                Origin { path, named: last.1, identity, has_records: source.has_records() }
            };
            let origins: Vec<_> = self.sources.iter().map(origin).collect();
            let mut grouping = copies::group(&self.table, &origins);
            grouping.count(self.sources.iter().flat_map(Source::subjects), &self.table);
            grouping
        })
    }

    /// Experiments and folders, with how many of their runs were solved after each attempt.
    pub fn groups(&self) -> Vec<GroupView> {
        run::groups(self.grouping())
    }

    /// The groups of some runs, with those runs only: what a filter leaves of them. Groups without
    /// any of them, and ids that are not known, are left out.
    pub fn groups_of(&self, runs: &[RunId]) -> Vec<GroupView> {
        run::groups_of(self.grouping(), runs)
    }

    /// Number of groups.
    pub fn group_count(&self) -> usize {
        self.grouping().groups.len()
    }

    /// Number of runs.
    pub fn run_count(&self) -> usize {
        self.grouping().runs.len()
    }

    /// Every run: groups in natural order of their names, runs in natural order of their keys.
    pub fn runs(&self) -> Vec<RunView> {
        let ids: Vec<_> = (0..self.run_count()).map(RunId::at).collect();
        self.run_rows(&ids)
    }

    /// Some runs, in the order asked for. Ids that are not known are left out.
    pub fn run_rows(&self, ids: &[RunId]) -> Vec<RunView> {
        ids.iter().filter_map(|&id| self.run(id).ok()).map(|run| run.view()).collect()
    }

    /// The run that has this key. Of several it is the one that was opened first: it stays the same when
    /// more is opened.
    pub fn find_run(&self, key: &str) -> Option<RunId> {
        let runs = self.grouping().runs.iter().enumerate();
        let named = runs.filter(|(_, run)| run.key == key).map(|(at, _)| RunId::at(at));
        named.min_by_key(|&run| self.grouping().records_of(run).first().copied())
    }

    /// One run.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchRun`].
    pub fn run(&self, id: RunId) -> Result<Run<'_>, Error> {
        Run::new(id, self.grouping(), &self.table).ok_or_else(|| {
            Error::new(ErrorCode::NoSuchRun, format!("There is no run with the id {}.", id.0))
        })
    }

    /// Number of findings.
    pub fn finding_count(&self) -> usize {
        self.sources.iter().map(Source::finding_count).sum::<usize>()
            + self.grouping().findings.len()
    }

    /// A finding about a record is one about its run.
    fn with_run(&self, mut finding: Finding) -> Finding {
        if finding.run.is_none()
            && let Some(record) = finding.record
        {
            finding.run = self.run_of(record);
            if finding.iteration.is_none() {
                finding.iteration = self.table.rows.get(record.index()).and_then(Row::number);
            }
        }
        finding
    }

    /// The row of a record.
    fn row(&self, id: RecordId) -> Result<&Row, Error> {
        self.table.rows.get(id.index()).ok_or_else(|| {
            Error::new(ErrorCode::NoSuchRecord, format!("There is no record with the id {}.", id.0))
        })
    }

    /// Where a record stands: the host reads these bytes and hands them to [`History::inspect`].
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchRecord`].
    pub fn locate(&self, id: RecordId) -> Result<Span, Error> {
        let row = self.row(id)?;
        let source = SourceId(row.source);
        Ok(Span {
            record: id,
            source,
            path: self.path_of(source).ok_or_else(|| no_such_source(source))?,
            start: row.start,
            end: row.end,
            line: row.line,
            column: row.column,
        })
    }

    /// The text of a record, of the bytes of its span. If an export has only the fields of a
    /// record, its text is the whole line of the export.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchRecord`]; [`ErrorCode::WrongBytes`] if their number is not the span's.
    pub fn raw_text(&self, id: RecordId, bytes: &[u8]) -> Result<String, Error> {
        let text = self.written(id, bytes)?;
        let line = self.line_of(self.row(id)?, &text);
        Ok(line.and_then(|line| line.bytes()).map_or(text, |bytes| lossy(&bytes).into_owned()))
    }

    /// What is written in the span of a record.
    fn written(&self, id: RecordId, bytes: &[u8]) -> Result<String, Error> {
        let row = self.row(id)?;
        if bytes.len() as u64 != row.end - row.start {
            return Err(Error::new(
                ErrorCode::WrongBytes,
                format!(
                    "Record {} has {} bytes, but {} were supplied.",
                    id.0,
                    row.end - row.start,
                    bytes.len()
                ),
            ));
        }
        let encoding = self.sources.get(row.source as usize).map(Source::encoding);
        let text = decode_all(bytes, encoding.unwrap_or(crate::source::encoding::Encoding::Utf8));
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// A record in full, of the bytes of its span. `part` says which iteration of a record that
    /// holds several; iterations and reflections carry it.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchRecord`]; [`ErrorCode::NoSuchIteration`] if the record has no such part;
    /// [`ErrorCode::WrongBytes`] if the bytes are not the span's.
    pub fn inspect(&self, id: RecordId, part: u32, bytes: &[u8]) -> Result<Details, Error> {
        self.row(id)?;
        // The first part of a record can be shown whether or not a run has it.
        if part != 0 && !self.grouping().has_part(id, part) {
            return Err(Error::new(
                ErrorCode::NoSuchIteration,
                format!("Record {} has no part {part}.", id.0),
            ));
        }
        self.details_of(id, part, &self.opened(id, bytes)?)
    }

    /// A record of JSON as it was written, of the bytes of its span: a side of a conflict, say.
    pub(crate) fn json_text(&self, id: RecordId, bytes: &[u8]) -> Option<String> {
        let row = self.row(id).ok()?;
        let source = self.sources.get(row.source as usize)?;
        let text = self.written(id, bytes).ok()?;
        match self.line_of(row, &text) {
            Some(line) => {
                let bytes = line.bytes().filter(|_| !line.yaml)?;
                Some(lossy(&bytes).into_owned())
            }
            None => (!source.is_yaml()).then(|| source.text_of(row, text)),
        }
    }

    /// A record as a value, of what is written in its span; `line` is that line if it is one of an export.
    fn value_of(
        &self,
        id: RecordId,
        text: String,
        line: Option<Line>,
    ) -> Result<serde_json::Value, Error> {
        let row = self.row(id)?;
        let source = self.sources.get(row.source as usize).ok_or_else(|| not_of_record(id))?;
        let (text, is_yaml) = match line {
            Some(line) => (lossy(&line.bytes().unwrap_or_default()).into_owned(), line.yaml),
            None => (source.text_of(row, text), source.is_yaml()),
        };
        if row.format.is_text() {
            return Ok(serde_json::Value::String(text));
        }
        let value = if is_yaml {
            yaml::compose(&text).ok().and_then(|document| source.part_of(row, &document.value))
        } else {
            value::tolerant(&text)
        };
        // The strict profile keeps a value of any kind that stands among records, and judges it.
        value
            .filter(|v| v.is_object() || self.profile == Profile::Strict)
            .ok_or_else(|| not_of_record(id))
    }

    /// A record, read of the bytes of its span.
    pub(crate) fn opened(&self, id: RecordId, bytes: &[u8]) -> Result<Opened, Error> {
        let row = self.row(id)?;
        let text = self.written(id, bytes)?;
        let mut parsed = match self.line_of(row, &text) {
            Some(line) if line.is_lean() => line.parsed(),
            line => {
                let value = self.value_of(id, text, line)?;
                if row.format.is_shape() {
                    return Ok(Opened::Value(value));
                }
                let context = Context { is_item: row.is_item, ..Context::default() };
                row.format.parse(&value, &context).ok_or_else(|| not_of_record(id))?
            }
        };
        parsed.parts();
        if row.format.is_shape() {
            return Ok(Opened::ParsedRecord(parsed));
        }
        let known = self.table.parsed_runs(row);
        let key = |key: Option<u32>| key.map(|k| self.table.texts.text(k));
        if row.format.is_plain() && known.is_empty() {
            let [run] = &parsed.runs[..] else { return Err(not_of_record(id)) };
            let is_same = run.about.key.as_deref() == key(row.key())
                && run.steps.iter().all(|step| step.number == row.number());
            return if is_same { Ok(Opened::ParsedRecord(parsed)) } else { Err(not_of_record(id)) };
        }
        let is_same = known.len() == parsed.runs.len()
            && known.iter().zip(&parsed.runs).all(|(known, run)| {
                key(known.key) == run.about.key.as_deref() && known.steps.len() == run.steps.len()
            });
        // A file that was rewritten meanwhile may have another record of this length here.
        if is_same { Ok(Opened::ParsedRecord(parsed)) } else { Err(not_of_record(id)) }
    }

    /// A part of a record that was read.
    pub(crate) fn details_of(
        &self,
        id: RecordId,
        part: u32,
        opened: &Opened,
    ) -> Result<Details, Error> {
        let row = self.row(id)?;
        let format = row.format.as_str().to_owned();
        let value = match opened {
            Opened::Value(value) => value,
            Opened::ParsedRecord(parsed) => {
                let mut details = self.attempt_of(row, part, parsed);
                if row.format.is_search() && details.outcome == Some(Outcome::Unknown) {
                    // It may follow from other rows.
                    details.outcome = self.outcome_of(id).or(details.outcome);
                }
                self.name_writers(id, &mut details);
                return Ok(Details { record: Some(id), format, ..details });
            }
        };
        let Reading::Shape { details, .. } = &row.format.row().reading else {
            return Err(not_of_record(id));
        };
        let details = details(value, part);
        let differs = |key: &Option<String>| {
            key.as_deref().zip(self.table.key(row)).is_some_and(|(key, known)| key != known)
        };
        // A file that was rewritten meanwhile may have another record of this length here.
        if differs(&details.key) || (row.number().is_some() && details.number != row.number()) {
            return Err(not_of_record(id));
        }
        Ok(Details { record: Some(id), format, ..details })
    }

    /// An attempt from a parsed record, with what the columns know from around the record.
    fn attempt_of(&self, row: &Row, part: u32, parsed: &ParsedRecord) -> Details {
        let listed = || {
            let (run, step) = self.table.step_at(row, part)?;
            let known =
                self.table.parsed.steps_of(self.table.parsed_runs(row).get(run)?).get(step)?;
            Some((known, parsed.runs.get(run)?.steps.get(step)?))
        };
        let is_one = self.table.parsed_runs(row).is_empty();
        let one = || parsed.runs.first()?.steps.first().filter(|_| is_one);
        let Some((known, details)) = listed() else {
            let Some(mut details) = one().cloned() else { return of_state(parsed) };
            details.outcome = details.outcome.or(Some(row.outcome));
            details.reflections.retain(|reflection| reflection.part >= part);
            return details;
        };
        let details = details.clone();
        let is_verdict = row.format.is_text() && known.reward.is_some();
        let verdict = || qa_trials::reward_of(known.outcome).filter(|_| is_verdict);
        Details {
            reward: details.reward.clone().or_else(verdict),
            number: details.number.or(known.number),
            outcome: details.outcome.or(Some(known.outcome)),
            outcome_detail: details.outcome_detail.or_else(|| known.detail.map(str::to_owned)),
            ..details
        }
    }
}

/// What a version of a state says as the attempt that its counter names, if it lists no attempts.
fn of_state(parsed: &ParsedRecord) -> Details {
    let Some(run) = parsed.runs.first() else { return Details::default() };
    let about = &run.about;
    Details {
        number: about.counter,
        time: about.updated.clone().or_else(|| about.end.clone()),
        reward: about.reward.clone(),
        counters: about.counters.clone(),
        ..Details::default()
    }
}

fn no_such_source(id: SourceId) -> Error {
    Error::new(ErrorCode::NoSuchSource, format!("There is no source with the id {}.", id.0))
}
