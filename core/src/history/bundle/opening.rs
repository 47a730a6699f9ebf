//! A bundle while it is read, part by part.

use std::collections::BTreeMap;

use serde_json::Value;

use super::copy::{Copy, MAX_DEPTH, more, placed, unexpected_member};
use crate::format::hindscope_bundle::pass::Pass;
use crate::format::hindscope_bundle::{columns, earlier, entries, format_of, parse, sort};
use crate::format::parsed_record::{Context, ParsedRecord};
use crate::format::read::Member as _;
use crate::format::{FormatId, hindscope_bundle};
use crate::history::carried::{Bundle, CarriedRun, CarriedSource};
use crate::history::row::Table;
use crate::json::verbatim::{compact, members};
use crate::model::datetime::moment_ms;
use crate::model::details::Reflection;
use crate::model::finding::{Finding, Severity};
use crate::model::id::{RecordId, SourceId};
use crate::model::view::SourceState;
use crate::source::Chunk;
use crate::source::framing::Part;
use crate::source::position::Position;
use crate::validate::text::set_place;

/// The version that is written.
pub(crate) const VERSION: i64 = 1;

/// A bundle while it is read.
#[derive(Debug)]
pub(in crate::history) struct Opening {
    source: SourceId,
    /// Findings of runs that have not come yet, by the names of the runs.
    pending: BTreeMap<String, Vec<Carry>>,
    has_version: bool,
}

/// A finding that a bundle carries, and its members that are not known.
pub(in crate::history) type Carry = (Finding, String);

/// What a part gave.
#[derive(Debug, Default)]
pub(in crate::history) struct Taken {
    pub(in crate::history) findings: Vec<Carry>,
    pub(in crate::history) kept: u32,
    pub(in crate::history) repaired: u32,
    pub(in crate::history) skipped: u32,
}

impl Opening {
    pub(in crate::history) fn new(source: SourceId, table: &mut Table) -> Self {
        let bundle = Bundle { has_originals: true, ..Bundle::default() };
        table.carried.bundles.insert(source.0, bundle);
        Self { source, pending: BTreeMap::new(), has_version: false }
    }

    /// Takes one part. `index` is the number of runs before.
    pub(in crate::history) fn take(
        &mut self,
        part: (Part, bool),
        chunk: &Chunk<'_>,
        end: u64,
        index: u32,
        table: &mut Table,
    ) -> Taken {
        let mut taken = Taken::default();
        let mut about = Vec::new();
        let (part, is_cut) = part;
        match part {
            Part::Member if is_cut => about.push(cut_member(chunk.start)),
            Part::Member => self.member(chunk, table, &mut about),
            Part::Source => {
                if let Some(copy) = Copy::of(chunk, is_cut, sort::SOURCE, &mut about) {
                    self.source(&copy, table);
                }
            }
            Part::Finding => {
                if let Some(copy) = Copy::of(chunk, is_cut, sort::FINDING, &mut about) {
                    self.finding(&copy, chunk.start, table, &mut taken);
                }
            }
            Part::Run => match Copy::of(chunk, is_cut, sort::RUN, &mut about) {
                None => taken.skipped += 1,
                Some(copy) => {
                    taken.kept += 1;
                    taken.repaired += u32::from(copy.is_repaired);
                    let record = RecordId::at(table.rows.len());
                    if copy.value.text("key").is_none() {
                        let finding = unexpected_member(
                            "The run has no `key`. Its position is used as its name.",
                        );
                        about.push(placed(finding.pointer(""), chunk.start));
                    }
                    for finding in &mut about {
                        finding.record = Some(record);
                    }
                    self.run(&copy.value, chunk.start, end, index, table);
                    let name = copy.value.text("id").unwrap_or_default();
                    taken.findings.extend(self.arrived(&name, record));
                }
            },
        }
        taken.findings.extend(about.into_iter().map(|finding| (finding, String::new())));
        taken
    }

    /// A member of the head.
    fn member(&mut self, chunk: &Chunk<'_>, table: &mut Table, about: &mut Vec<Finding>) {
        let wrapped = format!("{{{}}}", chunk.text);
        let Some(json) = compact(&wrapped, MAX_DEPTH) else {
            let finding =
                unexpected_member("A property of the bundle cannot be read. It is ignored.");
            about.push(placed(finding, chunk.start));
            return;
        };
        let mut pass = Pass::default();
        let json = pass.object(&json, sort::HEAD);
        for (pointer, expected) in pass.unexpected {
            let finding = unexpected_member(format!(
                "Expected {expected} at {pointer}. The value is kept unchanged."
            ));
            about.push(placed(finding.pointer(pointer), chunk.start));
        }
        let Some(bundle) = table.carried.bundles.get_mut(&self.source.0) else { return };
        for (name, value) in members(&json) {
            match &*name {
                "version" => {
                    self.has_version = true;
                    bundle.version = value.parse().ok();
                    bundle.is_newer = bundle.version.is_some_and(|v| v > VERSION);
                    if bundle.is_newer {
                        about.push(placed(newer(value), chunk.start));
                    }
                }
                "originals" => bundle.has_originals = value != "\"omitted\"",
                _ => {}
            }
            if Part::of_list(&name).is_some() {
                let finding = unexpected_member(format!(
                    "`{name}` must be an array. Its content is not read."
                ));
                about.push(placed(finding.pointer(format!("/{name}")), chunk.start));
            } else {
                bundle.head.retain(|(known, _)| known != &*name);
                bundle.head.push((name.into_owned(), value.to_owned()));
            }
        }
    }

    fn source(&mut self, copy: &Copy, table: &mut Table) {
        let value = &copy.value;
        let Some(name) = value.text("id") else { return };
        let id = table.carried.source(self.source.0, &name);
        let Some(source) = table.carried.get_mut(id) else { return };
        let count = |name: &str| value.integer(name).and_then(|n| u32::try_from(n).ok());
        source.is_declared = true;
        source.sha256 = value.text("sha256");
        source.kept = count("kept");
        source.more = more(&copy.json, sort::SOURCE);
        let view = &mut source.view;
        view.path = value.text("path").or_else(|| value.text("name")).unwrap_or(name);
        view.format = value.text("format");
        view.framing = value.text("framing");
        view.encoding = value.text("encoding").unwrap_or_else(|| "utf-8".to_owned());
        view.bytes = value.integer("bytes").and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
        let state = value.text("state").and_then(|word| SourceState::named(&word));
        view.state = state.unwrap_or(SourceState::Read);
        view.reason = value.text("reason");
        view.repaired = count("repaired").unwrap_or(0);
        view.skipped = count("skipped").unwrap_or(0);
    }

    fn finding(&mut self, copy: &Copy, start: Position, table: &mut Table, taken: &mut Taken) {
        let value = &copy.value;
        let severity = value.text("severity").and_then(|word| Severity::named(&word));
        let severity = severity.unwrap_or(Severity::Info);
        let rule = value.text("rule").unwrap_or_default();
        let mut finding = Finding::new(rule, severity, value.text("message").unwrap_or_default());
        let small = |name: &str| value.integer(name).and_then(|n| u32::try_from(n).ok());
        match value.text("source") {
            Some(name) => {
                finding.source = Some(table.carried.source(self.source.0, &name));
                finding.line = small("line");
                finding.column = small("column");
                finding.offset = value.integer("offset").and_then(|n| u64::try_from(n).ok());
            }
            // A finding without a source is about the bundle. Its place is where the bundle has it.
            None => set_place(&mut finding, start),
        }
        finding.pointer = value.text("pointer");
        finding.hint = value.text("hint").map(Into::into);
        finding.iteration = value.integer("iteration");
        finding.expected = value.text("expected");
        finding.found = value.text("found");
        finding.evidence = crate::format::read::integers(value.get("evidence"))
            .into_iter()
            .map(|number| crate::model::finding::Evidence { record: RecordId(0), number })
            .collect();
        let more = more(&copy.json, sort::FINDING);
        match value.text("run") {
            Some(run) => {
                let runs = table.carried.bundles.get(&self.source.0).map(|bundle| &bundle.runs);
                match runs.and_then(|runs| runs.get(&run)) {
                    Some(&record) => taken.findings.push((of_record(finding, record), more)),
                    None => self.pending.entry(run).or_default().push((finding, more)),
                }
            }
            None => taken.findings.push((finding, more)),
        }
    }

    /// Findings that waited for a run that is there now.
    fn arrived(&mut self, name: &str, record: RecordId) -> Vec<Carry> {
        let waiting = self.pending.remove(name).unwrap_or_default();
        waiting.into_iter().map(|(finding, more)| (of_record(finding, record), more)).collect()
    }

    fn run(&mut self, value: &Value, start: Position, end: u64, index: u32, table: &mut Table) {
        let row = table.rows.len();
        let mut parsed = parse(value, &Context::default());
        table.push_parsed(
            self.source.0,
            index,
            hindscope_bundle::ID,
            &mut parsed,
            false,
            (start, end),
        );
        if let Some(row) = table.rows.last_mut() {
            // A finding without number is about the run, even if that has one iteration only.
            row.forget_number();
        }
        let mut sources: Vec<SourceId> = Vec::new();
        for entry in entries(value) {
            let Some(name) = entry.text("source") else { continue };
            let id = table.carried.source(self.source.0, &name);
            if !sources.contains(&id) {
                sources.push(id);
            }
            let mut span = entry.items("span").filter_map(Value::as_u64);
            if let (Some(start), Some(end)) = (span.next(), span.next())
                && let Some(source) = table.carried.get_mut(id)
            {
                source.spans.insert((start, end));
            }
        }
        let steps = columns(value);
        let lead = lead(value);
        let of_entry = |entry: &Value| {
            entry.text("source").map(|name| table.carried.source(self.source.0, &name))
        };
        let lead_source = lead.and_then(of_entry);
        let format = value.text("format").and_then(|name| FormatId::named(&name));
        let format = format.or_else(|| lead.and_then(format_of));
        let group_format = value.text("group_format").and_then(|name| FormatId::named(&name));
        let provenance = value.object("base").and_then(|base| base.text("provenance"));
        let name = value.text("id").unwrap_or_default();
        let run = CarriedRun {
            name: name.clone(),
            group: value.text("group"),
            group_format,
            format: format.unwrap_or(hindscope_bundle::ID),
            base_provenance: match provenance.as_deref() {
                Some("declared") => "declared",
                Some("evidence") => "evidence",
                _ => "assumed",
            },
            steps,
            times: times(&parsed),
            earlier: earlier(value).map(|(number, _)| number).collect(),
            sources,
            lead: lead_source,
        };
        table.carried.runs.insert(row, run);
        if let Some(bundle) = table.carried.bundles.get_mut(&self.source.0) {
            bundle.runs.entry(name).or_insert(RecordId::at(row));
        }
    }

    /// Findings about the bundle as a whole once all of it was read, and those whose runs never came.
    pub(in crate::history) fn conclude(&mut self, table: &Table) -> Vec<Carry> {
        let mut findings: Vec<Carry> = Vec::new();
        let mut say = |finding: Finding| {
            let mut finding = placed(finding, Position::START);
            finding.source = Some(self.source);
            findings.push((finding, String::new()));
        };
        if !self.has_version {
            say(Finding::new(
                "bundle/member",
                Severity::Error,
                format!("The bundle has no `version`. It is read as version {VERSION}."),
            ));
        }
        let is_lost = |s: &&CarriedSource| s.bundle == self.source.0 && !s.is_declared;
        for source in table.carried.sources.iter().filter(is_lost) {
            say(Finding::new(
                "bundle/reference",
                Severity::Warning,
                format!(
                    "The bundle refers to source `{}`, which it does not contain.",
                    source.name
                ),
            ));
        }
        for run in self.pending.iter().flat_map(|(run, all)| all.iter().map(move |_| run)) {
            say(Finding::new(
                "bundle/reference",
                Severity::Warning,
                format!("A finding refers to run `{run}`, which the bundle does not contain."),
            ));
        }
        // They are kept all the same, without their run.
        findings.extend(std::mem::take(&mut self.pending).into_values().flatten());
        findings
    }
}

/// A finding about the run that a record is.
fn of_record(mut finding: Finding, record: RecordId) -> Finding {
    finding.record = Some(record);
    for evidence in &mut finding.evidence {
        evidence.record = record;
    }
    finding
}

/// Times of the reflections that state one, by part.
fn times(parsed: &ParsedRecord) -> BTreeMap<u32, f64> {
    let steps = parsed.runs.iter().flat_map(|run| &run.steps);
    let reflections = steps.flat_map(|step| &step.reflections);
    let time = |r: &Reflection| Some((r.part, moment_ms(r.time.as_deref()?)?));
    reflections.filter_map(time).collect()
}

/// The entry of the leading record: of the first iteration, else of the run.
fn lead(run: &Value) -> Option<&Value> {
    let of_first = run.items("iterations").next().and_then(|i| i.items("records").next());
    of_first.or_else(|| run.items("records").next())
}

fn cut_member(start: Position) -> Finding {
    let finding = Finding::new(
        "json/truncated",
        Severity::Warning,
        "The file ends inside the bundle. Everything up to the last complete element is read.",
    );
    placed(finding.hint("The program that wrote the file was probably stopped."), start)
}

fn newer(version: &str) -> Finding {
    Finding::new(
        "bundle/newer",
        Severity::Error,
        format!("The bundle has version {version}, but this program only knows version {VERSION}. What can be read is shown; the bundle cannot be exported again."),
    )
    .pointer("/version")
    .hint("Open it with a newer hindscope.")
}
