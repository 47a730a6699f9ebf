//! The bundle: `*.hindscope.json`.

use crate::sort::StableSort as _;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::fields::{self, Known, KnownRun, columns, outcome, together};
use super::omission::Omission;
use super::plan::{Entries, Plan};
use super::{Export, RunChunk, generator};
use crate::error::{Error, ErrorCode};
use crate::format::hindscope_bundle::pass::Pass;
use crate::format::hindscope_bundle::sort;
use crate::history::bundle::{VERSION, assumed_omega, json_of};
use crate::history::carried::Bundle;
use crate::history::loaded_run::LoadedStep;
use crate::history::paths::family_label;
use crate::history::{History, Run, parsed_rows};
use crate::json::verbatim::compact;
use crate::json::write::{Object, integer, quoted};
use crate::model::details::{Details, Reflection};
use crate::model::finding::Finding;
use crate::model::id::{RecordId, RunId, SourceId};
use crate::model::outcome::Outcome;
use crate::model::reward::{Origin, Scale};
use crate::model::view::{IterationView, ReflectionRef, RewardView, RunView};

/// Ids of the sources that an export needs: by first use, then those that no run uses.
pub(super) fn names(
    history: &History,
    export: &Export,
) -> Result<BTreeMap<SourceId, String>, Error> {
    let carried = &history.table().carried;
    let mut order: Vec<SourceId> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    let mut use_of = |id: SourceId| {
        if seen.insert(id) {
            order.push(id);
        }
    };
    for &id in &export.runs {
        let run = history.run(id)?;
        if let Some(record) = run.bundle_record() {
            let source = history.table().rows.get(record.index()).map_or(0, |row| row.source);
            if carried.bundles.get(&source).is_some_and(|bundle| bundle.is_newer) {
                return Err(Error::new(
                    ErrorCode::ReadOnly,
                    "The bundle was written by a newer version. Exporting it again would lose data that this version does not know.",
                ));
            }
            let sources = carried.runs.get(&record.index()).map(|run| run.sources.as_slice());
            sources.unwrap_or_default().iter().copied().for_each(&mut use_of);
        } else {
            for record in Plan::of(&run).records() {
                let row = history.table().rows.get(record.index());
                row.map(|row| SourceId(row.source)).into_iter().for_each(&mut use_of);
            }
        }
    }
    if export.is_all {
        let others = history.sources().into_iter().map(|source| source.id);
        others.filter(|id| !history.is_bundle(*id)).for_each(&mut use_of);
    }
    Ok((1..).zip(order).map(|(n, id): (u32, _)| (id, format!("s{n}"))).collect())
}

/// The bundle that is open and nothing else, if everything of it is exported.
fn only<'a>(history: &'a History, export: &Export) -> Option<&'a Bundle> {
    let is_only = history.opened_count() == 1 && export.is_all;
    history.table().carried.bundles.values().next().filter(|_| is_only)
}

fn has_originals(history: &History, export: &Export) -> bool {
    export.options.originals
        && history.table().carried.bundles.values().all(|bundle| bundle.has_originals)
}

/// Everything before the first run.
pub(super) fn head(history: &History, export: &Export) -> String {
    let mut head = Object::new();
    head.text("format", Some("hindscope")).integer("version", Some(VERSION));
    if let Some(bundle) = only(history, export) {
        for name in ["created", "generator", "settings"] {
            let value = bundle.head.iter().find(|(known, _)| known == name);
            head.json(name, value.map_or("", |(_, value)| value.as_str()));
        }
    } else {
        let settings = Object::new()
            .text("profile", Some(history.profile().as_str()))
            .text("rules", Some("1"))
            .end();
        head.text("created", export.options.created.as_deref())
            .text("generator", Some(&generator()))
            .json("settings", &settings);
    }
    let originals = if has_originals(history, export) { "included" } else { "omitted" };
    let head = head.text("originals", Some(originals)).end();
    let mut out = head.strip_suffix('}').unwrap_or(&head).to_owned();
    let mut names: Vec<_> = export.names.iter().map(|(id, name)| (name_rank(name), *id)).collect();
    names.sort_unstable();
    let exported = exported(history, export);
    let of_source = |id: SourceId| exported.get(&id.0).copied().unwrap_or(0);
    let sources =
        names.into_iter().filter_map(|(_, id)| source(history, export, id, of_source(id)));
    let sources: Vec<String> = sources.collect();
    if !sources.is_empty() {
        let _ = write!(out, ",\n\"sources\":{}", crate::json::write::lines(sources));
    }
    if !export.runs.is_empty() {
        out.push_str(",\n\"runs\":[\n");
    }
    out
}

fn name_rank(name: &str) -> usize {
    name.get(1..).and_then(|n| n.parse().ok()).unwrap_or(usize::MAX)
}

fn source(history: &History, export: &Export, id: SourceId, exported: u32) -> Option<String> {
    let view = history.source(id).ok()?;
    let carried = history.table().carried.get(id);
    let kept = match carried {
        Some(source) => source.kept.or((!export.is_all).then_some(view.kept)),
        None => Some(view.kept).filter(|kept| *kept != exported),
    };
    let name = view.path.rsplit('/').next();
    let some = |n: u32| (n > 0).then_some(i64::from(n));
    let object = Object::new()
        .text("id", export.names.get(&id).map(String::as_str))
        .text("name", name)
        .text("path", Some(&view.path))
        .text("format", view.format.as_deref())
        .text("framing", view.framing.as_deref())
        .text("encoding", Some(&view.encoding))
        .json("bytes", &integer(i64::try_from(view.bytes).unwrap_or(i64::MAX)))
        .text("sha256", carried.and_then(|source| source.sha256.as_deref()))
        .text("state", Some(view.state.as_str()))
        .text("reason", view.reason.as_deref())
        .integer("kept", kept.map(i64::from))
        .integer("repaired", some(view.repaired))
        .integer("skipped", some(view.skipped))
        .more(carried.map_or("", |source| source.more.as_str()))
        .end();
    Some(Omission::of(&export.options).json(&object))
}

/// How many records of each source belong to the runs of an export. Rows with the same span, such
/// as both sides of a conflict, count as one record.
fn exported(history: &History, export: &Export) -> BTreeMap<u32, u32> {
    let rows = history.table().rows.iter().enumerate();
    let is_exported = |(at, _): &(usize, _)| {
        let run = history.run_of(RecordId::at(*at));
        run.is_some_and(|run| export.runs.binary_search(&run).is_ok())
    };
    let spans: BTreeSet<_> =
        rows.filter(is_exported).map(|(_, row)| (row.source, row.start, row.end)).collect();
    let mut counts = BTreeMap::new();
    for (source, ..) in spans {
        *counts.entry(source).or_default() += 1;
    }
    counts
}

/// One run.
pub(super) fn run(chunk: &RunChunk<'_>) -> Result<String, Error> {
    let run = chunk.history.run(chunk.run)?;
    let id = format!("r{}", chunk.at + 1);
    let json = match run.bundle_record() {
        Some(record) => again(chunk, record, &id)?,
        None => anew(chunk, &run, &id),
    };
    let omission = Omission::of(chunk.options);
    let json = if omission.is_any() {
        let json = compact(&json, usize::MAX).ok_or_else(no_run)?;
        // What was left out may have left something empty, and the order has lines of its own.
        Pass::default().object(&omission.json(&json), sort::RUN)
    } else {
        json
    };
    Ok(if chunk.at > 0 { format!(",\n{json}") } else { json })
}

/// A run of a bundle: what stands there, in order.
fn again(chunk: &RunChunk<'_>, record: RecordId, id: &str) -> Result<String, Error> {
    let text = chunk.history.read_text(record, chunk.bytes(record))?;
    let json = json_of(&text).ok_or_else(no_run)?;
    let table = chunk.history.table();
    let bundle = table.rows.get(record.index()).map_or(0, |row| row.source);
    let of_source = |name: &str| {
        let source = table.carried.known(bundle, name)?;
        chunk.export.names.get(&source).cloned()
    };
    let of_run = |_: &str| Some(id.to_owned());
    let mut pass = Pass {
        is_lean: !chunk.options.originals,
        source: Some(&of_source),
        run: Some(&of_run),
        ..Pass::default()
    };
    Ok(pass.object(&json, sort::RUN))
}

fn no_run() -> Error {
    Error::new(ErrorCode::WrongBytes, "The supplied bytes are not the bytes of a run.")
}

/// A run of what was read.
fn anew(chunk: &RunChunk<'_>, run: &Run<'_>, id: &str) -> String {
    let history = chunk.history;
    let view = run.view();
    let plan = Plan::of(run);
    let mut entries = Entries {
        history,
        names: &chunk.export.names,
        has_originals: chunk.options.originals,
        cuts: &chunk.export.cuts,
        stored: BTreeMap::new(),
        count: 0,
    };
    let bytes = |record| chunk.bytes(record);
    let records = entries.list(&plan.of_run, None, bytes);
    let iterations: Vec<String> = run
        .iterations()
        .iter()
        .zip(&chunk.loaded_run.steps)
        .zip(&plan.of_iterations)
        .map(|((iteration, step), of_iteration)| {
            let records = entries.list(of_iteration, Some(iteration), bytes);
            one(chunk, run, &view, iteration, step, records)
        })
        .collect();
    let about = together(chunk.loaded_run.about().into_iter().map(|(_, about)| about));
    let earlier: Vec<(&Reflection, i64)> = chunk
        .loaded_run
        .earlier
        .iter()
        .filter_map(|at| Some((chunk.loaded_run.reflection(at)?, at.number)))
        .collect();
    let stated = run.stated_outcome();
    let ended = (stated.is_some() || view.outcome != Outcome::Unknown)
        .then(|| outcome(view.outcome, view.outcome_detail.as_deref(), stated.is_some()));
    let lead = plan.lead().and_then(|record| history.table().rows.get(record.index()));
    let path = lead.and_then(|row| history.source(SourceId(row.source)).ok()).map(|s| s.path);
    let guess = path.as_deref().map_or("", |path| family_label(path, run.family()));
    let (label, group_format) = history.group_facts(view.group).unwrap_or(("", run.run_format()));
    let known = KnownRun {
        id,
        view: &view,
        outcome: ended.unwrap_or_default(),
        earlier,
        records,
        iterations: crate::json::write::lines(iterations),
        group: (label != guess).then_some(label),
        group_format: (group_format != run.run_format()).then(|| group_format.as_str()),
        format: lead
            .is_none_or(|row| row.format != run.run_format())
            .then(|| run.run_format().as_str()),
    };
    fields::run(&known, &about)
}

fn one(
    chunk: &RunChunk<'_>,
    run: &Run<'_>,
    view: &RunView,
    iteration: &IterationView,
    step: &LoadedStep,
    records: String,
) -> String {
    let none = Details::default();
    let details = chunk.loaded_run.details(step).unwrap_or(&none);
    let seen = step.reflections.iter().filter_map(|at| {
        let mut reflection = chunk.loaded_run.reflection(at)?.clone();
        // Of another record of the same attempt: windows go by the time of that one.
        if at.record != step.record && reflection.time.is_none() {
            reflection.time = chunk.loaded_run.loaded(at).and_then(|details| details.time.clone());
        }
        Some((reflection, true))
    });
    let mut reflections: Vec<(Reflection, bool)> = seen.collect();
    // A blank lesson may come with a cause; it stays, and no window holds it.
    let is_blank = |r: &&Reflection| {
        let is_seen = |at: &ReflectionRef| at.record == step.record && at.part == r.part;
        r.text.trim().is_empty()
            && !step.reflections.iter().any(is_seen)
            && **r != Reflection { part: r.part, text: r.text.clone(), ..Reflection::default() }
    };
    reflections.extend(details.reflections.iter().filter(is_blank).map(|r| (r.clone(), false)));
    let row = chunk.history.table().rows.get(step.record.index());
    let path = row.and_then(|row| chunk.history.source(SourceId(row.source)).ok()).map(|s| s.path);
    let known = Known {
        view: iteration,
        reward: reward(iteration, view, details),
        reflections,
        source: path.as_deref().and_then(|path| path.rsplit('/').next()),
        records,
        task: view.task.as_deref(),
        columns: others(run, iteration, row.map(|row| row.format), details),
    };
    fields::iteration(&known, details)
}

/// Values of the columns that a reader could not derive from the other members.
fn others(
    run: &Run<'_>,
    iteration: &IterationView,
    format: Option<crate::format::FormatId>,
    details: &Details,
) -> String {
    let stored = Details { outcome: Some(iteration.outcome), ..details.clone() };
    let read = parsed_rows::step(0, 0, &stored, &mut Vec::new());
    let (omega, assumed) = run.omegas(iteration.ordinal as usize);
    let format = format.unwrap_or(run.run_format());
    let guess = assumed_omega(format, details.verification.as_deref());
    columns(
        (read.errors != iteration.errors).then_some(iteration.errors),
        (read.omega != omega).then_some(omega),
        (guess != assumed).then_some(assumed),
        (read.time_ms != iteration.time_ms).then_some(iteration.time_ms),
    )
}

/// The reward that counts: as the record has it, if that is the one.
pub(super) fn reward(
    iteration: &IterationView,
    view: &RunView,
    details: &Details,
) -> Option<RewardView> {
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
    (origin != Origin::None).then(|| RewardView {
        value,
        raw: None,
        scale,
        origin,
        rule: view.reward_rule.clone(),
    })
}

/// Everything behind the last run.
pub(super) fn tail(history: &History, export: &Export) -> String {
    let mut out = String::new();
    if !export.runs.is_empty() {
        out.push(']');
    }
    let findings = findings(history, export);
    if !findings.is_empty() {
        let _ = write!(out, ",\n\"findings\":{}", crate::json::write::lines(findings));
    }
    for (name, value) in only(history, export).iter().flat_map(|bundle| &bundle.head) {
        if !sort::HEAD.iter().any(|(known, _)| known == name) {
            let _ = write!(out, ",{}:{}", quoted(name), Omission::of(&export.options).json(value));
        }
    }
    out.push_str("}\n");
    out
}

fn findings(history: &History, export: &Export) -> Vec<String> {
    let position = |run: RunId| export.runs.binary_search(&run).ok();
    let rank = |finding: &Finding| {
        let name = finding.source.and_then(|source| export.names.get(&source));
        name.map_or(usize::MAX, |name| name_rank(name))
    };
    // Findings about a bundle itself stay behind: the next reader makes them again.
    let is_about_bundle = |f: &Finding| f.source.is_some_and(|source| history.is_bundle(source));
    let is_needed = |f: &Finding| match f.run {
        Some(run) => position(run).is_some(),
        None => f.source.is_none_or(|source| export.names.contains_key(&source)),
    };
    let all = history.carried_findings().into_iter();
    let mut all: Vec<_> = all.filter(|(f, _)| is_needed(f) && !is_about_bundle(f)).collect();
    all.stable_sort_by(|(a, _), (b, _)| {
        let key = |f: &Finding| (f.line, f.column, f.rule.clone(), f.offset, f.pointer.clone());
        let more = |f: &Finding| (f.run, f.iteration, f.message.clone(), f.severity);
        (rank(a), key(a), more(a)).cmp(&(rank(b), key(b), more(b)))
    });
    all.iter().map(|(finding, more)| one_finding(export, finding, more, position)).collect()
}

fn one_finding(
    export: &Export,
    finding: &Finding,
    more: &str,
    position: impl Fn(RunId) -> Option<usize>,
) -> String {
    let run = finding.run.and_then(position).map(|at| format!("r{}", at + 1));
    let evidence: Vec<i64> = finding.evidence.iter().map(|e| e.number).collect();
    let offset = finding.offset.and_then(|offset| i64::try_from(offset).ok());
    let source = finding.source.and_then(|source| export.names.get(&source));
    let json = Object::new()
        .text("rule", Some(&finding.rule))
        .text("severity", Some(finding.severity.as_str()))
        .text("source", source.map(String::as_str))
        .integer("line", finding.line.map(i64::from))
        .integer("column", finding.column.map(i64::from))
        .integer("offset", offset)
        .text("pointer", finding.pointer.as_deref())
        .text("message", Some(&finding.message))
        .text("hint", finding.hint.as_deref())
        .text("run", run.as_deref())
        .integer("iteration", finding.iteration)
        .text("expected", finding.expected.as_deref())
        .text("found", finding.found.as_deref())
        .integers("evidence", &evidence)
        .more(more)
        .end();
    Omission::of(&export.options).json(&json)
}
