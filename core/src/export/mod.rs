//! What is open, written down again.
//!
//! An [`Export`] is written piece by piece, mostly a run a piece, so that one of any size never
//! stands in memory as a whole. Before a piece is written it says which records it needs.

mod cache;
mod chart;
mod csv;
mod history;
mod json;
mod markdown;
mod omission;
mod options;
mod records;
mod report;

pub use csv::{CSV_COLUMNS, csv_cell};
pub use options::{CsvProfile, ExportKind, ExportOptions, JsonQuery, RecordsLayout};

use std::collections::BTreeMap;

use crate::error::{Error, ErrorCode};
use crate::history::History;
use crate::history::exported::all_runs;
use crate::history::loaded_run::LoadedRun;
use crate::insight::verdict::RunVerdict;
use crate::model::datetime::is_date_time;
use crate::model::details::Details;
use crate::model::finding::Finding;
use crate::model::id::{RecordId, RunId};
use crate::model::reward::{Origin, Scale};
use crate::model::rules::rule_text;
use crate::model::view::{IterationView, RewardView, RunView, Span};
use cache::{Cache, Kept};
use omission::Omission;

/// An export while it is written.
///
/// [`History::needs_of_export`] names the records that the next piece needs, [`History::supply`]
/// takes their bytes, and [`History::write`] gives the piece.
#[derive(Clone, Debug)]
pub struct Export {
    options: ExportOptions,
    runs: Vec<RunId>,
    is_all: bool,
    /// Records that the history had, so that a history that grew is known.
    record_count: usize,
    next: Next,
    /// The run that is next, and the bytes of its records.
    loaded_run: Option<LoadedRun>,
    raw: BTreeMap<RecordId, Option<Vec<u8>>>,
    /// Records that describe several runs, that were read and that later runs need again.
    cache: Cache,
    /// Of a history: its records.
    selection: history::Selection,
    /// Of a report: the findings about each run.
    findings: BTreeMap<RunId, Vec<Finding>>,
    /// Something was written that others come behind.
    has_items: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Head,
    /// The next run, or of a history the next record, by its position.
    Run(usize),
    Tail,
    Done,
}

/// What a piece is made of.
struct RunChunk<'a> {
    history: &'a History,
    options: &'a ExportOptions,
    run: RunId,
    /// Position among the runs that are exported.
    at: usize,
    loaded_run: &'a LoadedRun,
    export: &'a Export,
}

impl RunChunk<'_> {
    fn bytes(&self, record: RecordId) -> &[u8] {
        self.export.raw.get(&record).and_then(Option::as_deref).unwrap_or_default()
    }

    /// What the record of the run says against its reward.
    fn refutation(&self) -> Option<String> {
        self.loaded_run.about().into_iter().find_map(|(_, about)| about.refutation.clone())
    }

    /// What records of attempts say against their rewards, by number.
    fn refutations(&self) -> BTreeMap<i64, &str> {
        let steps = self.loaded_run.steps.iter();
        let refuted = steps.filter_map(|step| {
            Some((step.number, self.loaded_run.details(step)?.refutation.as_deref()?))
        });
        refuted.collect()
    }

    /// Where the run was stuck and how it ended.
    fn verdict(&self) -> Result<RunVerdict, Error> {
        self.history.verdict(self.loaded_run)
    }

    fn findings(&self) -> Vec<&Finding> {
        self.export.findings.get(&self.run).into_iter().flatten().collect()
    }
}

impl Export {
    /// Records that have to be supplied before the next piece, in order.
    pub fn needs(&self) -> Vec<RecordId> {
        let Next::Run(_) = self.next else { return Vec::new() };
        let raw = self.raw.iter().filter(|(_, bytes)| bytes.is_none()).map(|(record, _)| *record);
        let mut needs: Vec<_> =
            raw.chain(self.loaded_run.iter().flat_map(LoadedRun::needs)).collect();
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    /// Gets the next run ready.
    fn prepare(&mut self, history: &History) -> Result<(), Error> {
        self.loaded_run = None;
        self.raw.clear();
        let Next::Run(at) = self.next else { return Ok(()) };
        if self.options.kind == ExportKind::History {
            self.raw = self.selection.piece(history, at).map(|record| (record, None)).collect();
            if self.raw.is_empty() {
                self.next = Next::Tail;
            }
            return Ok(());
        }
        let Some(&id) = self.runs.get(at) else {
            self.next = Next::Tail;
            return Ok(());
        };
        self.cache.pass(at);
        let run = history.run(id)?;
        let (needs_loaded_run, needs_raw) = match self.options.kind {
            ExportKind::Records => (true, true),
            ExportKind::Csv | ExportKind::Markdown | ExportKind::Report => (true, false),
            ExportKind::History | ExportKind::Chart => (false, false),
            ExportKind::Json => {
                (matches!(self.options.query, JsonQuery::Run | JsonQuery::Explain), false)
            }
        };
        if needs_loaded_run {
            self.loaded_run = Some(history.loaded_run(id)?);
        }
        if needs_raw {
            self.raw = run.records().into_iter().map(|record| (record, None)).collect();
        }
        let read = std::mem::take(&mut self.cache);
        let fed = self.needs().into_iter().try_for_each(|record| {
            read.get(record).map_or(Ok(()), |kept| self.feed(history, record, kept))
        });
        self.cache = read;
        fed
    }

    /// Takes over what the next run needs of a record.
    fn feed(&mut self, history: &History, record: RecordId, kept: &Kept) -> Result<(), Error> {
        if let Some(loaded_run) = &mut self.loaded_run {
            history.load_opened(loaded_run, record, &kept.opened)?;
        }
        if let Some(raw) = self.raw.get_mut(&record) {
            *raw = Some(kept.bytes.clone());
        }
        Ok(())
    }

    /// Positions of the runs that a record describes, if they are several.
    fn shared_by(&self, history: &History, record: RecordId) -> Vec<usize> {
        let runs = history.runs_of(record).filter_map(|run| self.runs.binary_search(&run).ok());
        let mut runs: Vec<usize> = runs.collect();
        runs.sort_unstable();
        if runs.len() > 1 { runs } else { Vec::new() }
    }

    fn check(&self, history: &History) -> Result<(), Error> {
        if self.record_count == history.record_count() {
            return Ok(());
        }
        Err(Error::new(
            ErrorCode::StaleExport,
            "More files were opened since this export was started. Start a new export.",
        ))
    }

    /// What it is called in a folder: `hindscope-{run}-{date}.{ending}`.
    pub fn file_name(&self, history: &History) -> String {
        let run = match self.runs.as_slice() {
            [only] => history.run(*only).map(|run| run.key().to_owned()).unwrap_or_default(),
            runs => format!("{}-runs", runs.len()),
        };
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
        let run: String = run.chars().take(80).map(plain).collect();
        let date = self.options.created.as_deref().and_then(|created| created.get(..10));
        let date = date.map(|date| format!("-{date}")).unwrap_or_default();
        let ending = match (self.options.kind, self.options.layout) {
            (ExportKind::History, _) => "hindscope.jsonl",
            (ExportKind::Csv, _) => "csv",
            (ExportKind::Markdown, _) => "md",
            (ExportKind::Chart, _) => "svg",
            (ExportKind::Report, _) => "html",
            (ExportKind::Records, RecordsLayout::Lines) => "jsonl",
            (ExportKind::Json | ExportKind::Records, _) => "json",
        };
        format!("hindscope-{run}{date}.{ending}")
    }
}

impl History {
    /// Begins an export of some runs, or of everything that is open.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchRun`]; [`ErrorCode::InvalidOption`] for a time that is none in UTC, for
    /// analytics or a chart of several runs, and for a supply that is no JSON object.
    pub fn export(
        &self,
        runs: Option<&[RunId]>,
        mut options: ExportOptions,
    ) -> Result<Export, Error> {
        options.originals &= !Omission::of(&options).is_any();
        let all = all_runs(self);
        let mut chosen = runs.map_or_else(|| all.clone(), <[RunId]>::to_vec);
        chosen.sort_unstable();
        chosen.dedup();
        for &run in &chosen {
            self.run(run)?;
        }
        if let Some(created) = &options.created
            && !(is_date_time(created) && created.ends_with('Z'))
        {
            return Err(Error::invalid_option(format!(
                "`created` must be a time in UTC such as 2026-03-10T12:00:00Z, found {created:?}."
            )));
        }
        let is_of_one = match options.kind {
            ExportKind::Csv if options.profile == CsvProfile::Analytics => "The analytics profile",
            ExportKind::Chart => "A chart",
            _ => "",
        };
        if !is_of_one.is_empty() && chosen.len() != 1 {
            return Err(Error::invalid_option(format!(
                "{is_of_one} shows one run, but {} runs are selected. Select one run.",
                chosen.len()
            )));
        }
        let mut export = Export {
            is_all: chosen.len() == all.len(),
            options,
            runs: chosen,
            record_count: self.record_count(),
            next: Next::Head,
            loaded_run: None,
            raw: BTreeMap::new(),
            cache: Cache::default(),
            selection: history::Selection::default(),
            findings: BTreeMap::new(),
            has_items: false,
        };
        match export.options.kind {
            ExportKind::History => {
                export.selection = history::Selection::of(self, &export.runs, export.is_all)?;
            }
            ExportKind::Records => drop(records::supply(&export.options)?),
            ExportKind::Markdown | ExportKind::Report => {
                for finding in self.each_finding() {
                    let is_written = |run: &RunId| export.runs.binary_search(run).is_ok();
                    if let Some(run) = finding.run.filter(is_written) {
                        export.findings.entry(run).or_default().push(finding);
                    }
                }
            }
            ExportKind::Csv | ExportKind::Json | ExportKind::Chart => {}
        }
        Ok(export)
    }

    /// Where the records stand that the next piece of an export needs. One that describes several runs
    /// is kept for the next of them, within bounds, and not named again.
    pub fn needs_of_export(&self, export: &Export) -> Vec<Span> {
        export.needs().into_iter().filter_map(|record| self.locate(record).ok()).collect()
    }

    /// Hands over a record that the next piece of an export needs, by the bytes of its span. A
    /// record that it does not need changes nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::StaleExport`]; [`ErrorCode::NoSuchRecord`]; [`ErrorCode::WrongBytes`] if the
    /// bytes are not the span's.
    pub fn supply(&self, export: &mut Export, record: RecordId, bytes: &[u8]) -> Result<(), Error> {
        export.check(self)?;
        // Says whether it is there, and whether the bytes can be its.
        let span = self.locate(record)?;
        if bytes.len() as u64 != span.end - span.start {
            self.raw_text(record, bytes)?;
        }
        let needs_raw = matches!(export.raw.get(&record), Some(None));
        let needs_loaded_run =
            export.loaded_run.as_ref().is_some_and(|loaded_run| loaded_run.wants(record));
        let Next::Run(at) = export.next else { return Ok(()) };
        if !needs_raw && !needs_loaded_run {
            return Ok(());
        }
        let runs = export.shared_by(self, record);
        if needs_loaded_run && !runs.is_empty() {
            let kept = Kept::read(self, record, bytes)?;
            export.feed(self, record, &kept)?;
            if runs.last().is_some_and(|last| *last > at) {
                export.cache.put(record, kept, runs, at);
            }
            return Ok(());
        }
        if let Some(loaded_run) = &mut export.loaded_run {
            self.load(loaded_run, record, bytes)?;
        }
        if let Some(raw) = export.raw.get_mut(&record) {
            *raw = Some(bytes.to_vec());
        }
        Ok(())
    }

    /// The next piece of an export; nothing when it is complete.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::StaleExport`]; [`ErrorCode::UnreadRecord`] if a record is missing that the
    /// piece needs; [`ErrorCode::InvalidOption`] if a record of reflection memory lacks a member
    /// that the supply does not have either.
    pub fn write(&self, export: &mut Export) -> Result<Option<String>, Error> {
        export.check(self)?;
        if let Some(record) = export.needs().first() {
            return Err(Error::new(
                ErrorCode::UnreadRecord,
                format!("The next part needs record {}, which was not supplied.", record.0),
            ));
        }
        let chunk = match export.next {
            Next::Done => return Ok(None),
            Next::Head => {
                export.next = Next::Run(0);
                self.head(export)
            }
            Next::Run(at) => {
                let (chunk, len) = match export.options.kind {
                    ExportKind::History => (history::lines(self, export, at)?, export.raw.len()),
                    _ => (self.chunk(export, at)?, 1),
                };
                export.next = Next::Run(at + len);
                chunk
            }
            Next::Tail => {
                export.next = Next::Done;
                self.tail(export)
            }
        };
        export.prepare(self)?;
        Ok(Some(chunk))
    }

    fn head(&self, export: &mut Export) -> String {
        let text = match export.options.kind {
            ExportKind::History => history::head(self, export),
            ExportKind::Csv => csv::head(export.options.profile),
            ExportKind::Markdown => markdown::head(self, export),
            ExportKind::Json => json::head(export),
            ExportKind::Chart => String::new(),
            ExportKind::Report => report::head(self, export),
            ExportKind::Records => records::head(&export.options),
        };
        whole(&export.options, text)
    }

    fn chunk(&self, export: &mut Export, at: usize) -> Result<String, Error> {
        let Some(&run) = export.runs.get(at) else { return Ok(String::new()) };
        let none;
        let loaded_run = if let Some(loaded_run) = &export.loaded_run {
            loaded_run
        } else {
            none = self.loaded_run(run)?;
            &none
        };
        let chunk =
            RunChunk { history: self, options: &export.options, run, at, loaded_run, export };
        let mut has_items = export.has_items;
        let text = match export.options.kind {
            ExportKind::Csv => csv::run(&chunk)?,
            ExportKind::Markdown => markdown::run(&chunk)?,
            ExportKind::History => String::new(),
            ExportKind::Chart => chart::run(&chunk)?,
            ExportKind::Report => report::run(&chunk)?,
            ExportKind::Json => json::run(&chunk, &mut has_items)?,
            ExportKind::Records => records::run(&chunk, &mut has_items)?,
        };
        export.has_items = has_items;
        Ok(whole(&export.options, text))
    }

    fn tail(&self, export: &Export) -> String {
        let text = match export.options.kind {
            ExportKind::History | ExportKind::Csv | ExportKind::Chart => String::new(),
            ExportKind::Report => report::tail(self, export),
            ExportKind::Markdown => markdown::tail(self, export),
            ExportKind::Json => json::tail(self, export),
            ExportKind::Records => records::tail(&export.options, export.has_items),
        };
        whole(&export.options, text)
    }
}

/// A piece without the folders of paths, if the options leave them out. In a history and JSON this was
/// done value by value; records and charts stay as they are.
fn whole(options: &ExportOptions, text: String) -> String {
    match options.kind {
        ExportKind::Csv | ExportKind::Markdown | ExportKind::Report => {
            Omission::of(options).text(text)
        }
        ExportKind::History | ExportKind::Json | ExportKind::Records | ExportKind::Chart => text,
    }
}

/// The reward that counts: as the record has it, if that is the one.
fn reward(iteration: &IterationView, view: &RunView, details: &Details) -> Option<RewardView> {
    let value = iteration.reward?;
    let is_it = |own: &&RewardView| {
        own.origin == view.reward_origin
            && own.rule == view.reward_rule
            && (own.value - value).abs() < 1e-9
    };
    if let Some(own) = details.reward.as_ref().filter(is_it) {
        return Some(own.clone());
    }
    let scale = match view.reward_rule.as_deref() {
        Some("reward/derive-verdict") => Scale::Bool,
        Some("reward/derive-tests" | "reward/derive-feedback" | "reward/derive-criteria") => {
            Scale::Ratio
        }
        _ => Scale::Unit,
    };
    let origin = view.reward_origin;
    let rule = view.reward_rule.clone();
    (origin != Origin::None).then_some(RewardView { value, raw: None, scale, origin, rule })
}

/// By which rule the rewards of a run were derived, and what it says; nothing where no rule was.
fn by_rule(view: &RunView, code: impl Fn(&str) -> String) -> String {
    let Some(rule) = view.reward_rule.as_deref() else { return String::new() };
    let text = rule_text(rule).map(|text| format!(": {}", text.trim_end_matches('.')));
    format!(" by {}{}", code(rule), text.unwrap_or_default())
}

/// Name and version of what writes.
fn generator() -> String {
    format!("hindscope {}", env!("CARGO_PKG_VERSION"))
}
