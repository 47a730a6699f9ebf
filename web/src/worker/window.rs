//! The window when an iteration began: by the reader's rule, and as records say.

use std::collections::BTreeMap;
use std::rc::Rc;

use hindscope::{
    Entry, Injected, IterationView, Layout, OmegaProvenance, Policy, RecordedWindow, ReflectionRef,
    RunId, Window, WindowRule, assumption, render_with, tokens_estimated,
};

use super::findings;
use super::no_answer::NoAnswer;
use super::run_reader::RunReader;
use super::session::Session;
use super::window_grid::{COLUMNS, Reach, RunWindows, around, lifespan};
use crate::protocol::{FindingRow, HeldText, StoredText, WindowBody, WindowChoice, count};

/// Held reflections that are shown one by one; an unbounded window may hold thousands.
const HELD_MOST: usize = 50;
/// Held reflections that are laid out as one text.
const LAID_MOST: usize = 2000;
/// All windows of a run are computed up to so many iterations; relevance compares every text with
/// every other.
const WHOLE: usize = 1000;
const WHOLE_RELEVANCE: usize = 150;

/// The window when iteration `at` began, with the texts in it.
pub(crate) fn window(
    session: &mut Session,
    id: RunId,
    at: i64,
    choice: &WindowChoice,
) -> Result<WindowBody, NoAnswer> {
    let iterations = session.iterations(id)?;
    let layout = choice.layout.as_deref().map_or(Ok(Layout::default()), Layout::parse)?;
    let mut reader = session.take_reader(id)?;
    let before = iterations.iter().rfind(|it| it.number < at).map(|it| it.number);
    reader.read_attempt(session.records(), at);
    if let Some(number) = before {
        reader.read_attempt(session.records(), number);
    }
    let recorded = recorded(&reader, at);
    let earlier = before.filter(|number| number + 1 == at).and_then(|n| self::recorded(&reader, n));
    let stated = recorded.as_ref().or(earlier.as_ref()).and_then(|it| it.policy.as_deref());
    let stated = stated.and_then(|word| Policy::parse(word).ok());
    let chosen = choice.policy.as_deref().map(Policy::parse).transpose()?;
    let rule = WindowRule {
        omega: choice.omega,
        policy: chosen.or(stated).unwrap_or_default(),
        token_budget: choice.budget,
        ..WindowRule::default()
    };
    let is_text = |policy: Option<Policy>| policy == Some(Policy::RelevanceWeighted);
    if rule.needs_texts() || is_text(stated) {
        reader.read_all(session.records());
    }
    let window = one(session, &reader, at, rule)?;
    let given = one(session, &reader, at, WindowRule { omega: None, ..rule })?.view();
    let view = window.view();

    let (life, never) = grid(session, &reader, &iterations, at, rule)?;
    let laid_out = view.held.len() <= LAID_MOST;
    let skipped = if laid_out { 0 } else { view.held.len() - HELD_MOST };
    let entries = entries(session, &mut reader, &iterations, &view.held[skipped..]);
    let options = reader.loaded_run.render_options(&window);
    let left_out = view.held.len().saturating_sub(HELD_MOST);
    let last_of = |reference: &ReflectionRef| {
        life.rows.iter().find(|row| row.reference == *reference).and_then(|row| row.last)
    };
    let held = view
        .held
        .iter()
        .zip(0..)
        .skip(left_out)
        .map(|(reference, position): (_, usize)| {
            let entry = entries.get(&key(reference));
            HeldText {
                reference: *reference,
                outcome: entry.map_or(hindscope::Outcome::Unknown, |entry| entry.outcome),
                text: entry.map_or_else(
                    || "(its text is not in the record any more)".to_owned(),
                    |entry| entry.text.clone(),
                ),
                until: last_of(reference),
                tokens: entry.map_or(0, tokens_estimated),
                score: view.scores.get(position).copied(),
            }
        })
        .collect();
    let ordered: Vec<Entry> =
        view.held.iter().filter_map(|reference| entries.get(&key(reference)).cloned()).collect();
    let injected = reader.loaded_run.injected(at).ok();
    let stored = injected.as_ref().filter(|it| !it.is_computed).map(|injected| {
        let entries = self::entries(session, &mut reader, &iterations, &injected.held);
        let ordered: Vec<Entry> =
            injected.held.iter().filter_map(|it| entries.get(&key(it)).cloned()).collect();
        let is_open = |number: &i64| injected.held.iter().any(|it| it.number == *number);
        StoredText {
            text: render_with(&ordered, layout, &options),
            absent: injected.numbers.iter().copied().filter(|it| !is_open(it)).collect(),
        }
    });
    let notes = injected.as_ref().map_or(Vec::new(), |it| notes(session, &iterations, it));
    let given_place = place(session, id, &reader, &iterations, at, given.omega_provenance);
    let problem = reader.problem.clone();
    session.give_reader(reader);
    Ok(WindowBody {
        run: id,
        given: given.omega,
        given_provenance: given.omega_provenance,
        given_place,
        given_policy: (stated.unwrap_or_default().as_str().to_owned(), stated.is_some()),
        layout: layout.as_str().to_owned(),
        left_out: count(left_out),
        tokens: ordered.iter().map(tokens_estimated).fold(0, u32::saturating_add),
        rendered: laid_out.then(|| render_with(&ordered, layout, &options)),
        held,
        life,
        never,
        recorded,
        injected,
        stored,
        notes,
        problem,
        view,
    })
}

/// What the record of an attempt says of its window.
fn recorded(reader: &RunReader, number: i64) -> Option<RecordedWindow> {
    reader.loaded_run.attempt(number).ok().flatten()?.window.clone()
}

fn one(
    session: &Session,
    reader: &RunReader,
    at: i64,
    rule: WindowRule,
) -> Result<Window, hindscope::Error> {
    if rule.needs_texts() {
        reader.loaded_run.window(at, rule)
    } else {
        session.history.run(reader.run())?.window(at, rule)
    }
}

fn key(reference: &ReflectionRef) -> (u32, u32) {
    (reference.record.0, reference.part)
}

/// Reflections with their texts, read now if they were not yet.
fn entries(
    session: &Session,
    reader: &mut RunReader,
    iterations: &[IterationView],
    of: &[ReflectionRef],
) -> BTreeMap<(u32, u32), Entry> {
    for reference in of {
        // What an attempt says beside its reflection may stand in another record of it.
        let own = iterations.get(reference.ordinal as usize);
        let own = own.filter(|it| it.number == reference.number);
        let merged = own.map(|it| it.merged.clone()).unwrap_or_default();
        reader.read(session.records(), std::iter::once(reference.record).chain(merged));
    }
    // One by one: those that cannot be read are left out of a list.
    of.iter()
        .filter_map(|reference| {
            Some((
                key(reference),
                reader.loaded_run.entries(std::slice::from_ref(reference)).pop()?,
            ))
        })
        .collect()
}

/// The grid around an iteration, and what nobody could ever see.
fn grid(
    session: &mut Session,
    reader: &RunReader,
    iterations: &[IterationView],
    at: i64,
    rule: WindowRule,
) -> Result<(crate::protocol::Lifespan, Option<Vec<i64>>), NoAnswer> {
    let mut numbers: Vec<i64> = iterations.iter().map(|it| it.number).collect();
    numbers.dedup();
    let position = numbers.iter().position(|number| *number == at).unwrap_or(numbers.len());
    if let Some(last) = numbers.last() {
        numbers.push(last + 1);
    }
    let shown = around(position, numbers.len(), COLUMNS);
    let reflections = session.history.run(reader.run())?.reflections();
    let held = |session: &Session, number: i64| {
        one(session, reader, number, rule).map_or(Vec::new(), |window| window.held_refs().to_vec())
    };
    let most = if rule.needs_texts() { WHOLE_RELEVANCE } else { WHOLE };
    if numbers.len() > most {
        let reaches: Vec<Reach> = numbers[shown]
            .iter()
            .map(|number| Reach { at: *number, held: held(session, *number) })
            .collect();
        // A reflection that is held in the last column shown may leave any time later: it has no end here.
        let last = |it: &ReflectionRef| {
            let last = reaches.iter().rposition(|reach| reach.held.contains(it))?;
            reaches.get(last + 1)?;
            reaches.get(last).map(|reach| reach.at)
        };
        return Ok((lifespan(&reaches, &reflections, numbers.len(), last), None));
    }
    let is_same = |windows: &Rc<RunWindows>| windows.run == reader.run() && windows.rule == rule;
    let windows = session.cache.windows.clone().filter(is_same).unwrap_or_else(|| {
        let reaches: Vec<Vec<ReflectionRef>> =
            numbers.iter().map(|number| held(session, *number)).collect();
        let mut last = BTreeMap::new();
        for (number, reach) in numbers.iter().zip(&reaches) {
            last.extend(reach.iter().map(|it| (key(it), *number)));
        }
        let windows = Rc::new(RunWindows { run: reader.run(), rule, reaches, last });
        session.cache.windows = Some(Rc::clone(&windows));
        windows
    });
    let next = numbers.last().copied();
    let reaches: Vec<Reach> =
        shown.map(|at| Reach { at: numbers[at], held: windows.reaches[at].clone() }).collect();
    // The last number is the attempt after the run: what it could see has not left the window.
    let last = |it: &ReflectionRef| windows.last.get(&key(it)).copied();
    let leaves = |it: &ReflectionRef| last(it).filter(|last| Some(*last) != next);
    let never = reflections.iter().filter(|it| last(it).is_none()).map(|it| it.number).collect();
    Ok((lifespan(&reaches, &reflections, numbers.len(), leaves), Some(never)))
}

/// What contradicts the computed window, at the place of its record.
fn notes(
    session: &mut Session,
    iterations: &[IterationView],
    injected: &Injected,
) -> Vec<FindingRow> {
    let own = iterations.iter().find(|it| it.number == injected.at);
    let span = own.and_then(|it| session.history.locate(it.record).ok());
    injected
        .notes
        .iter()
        .map(|note| {
            let mut note = note.clone();
            if let Some(span) = &span {
                (note.source, note.line) = (Some(span.source), note.line.or(Some(span.line)));
            }
            findings::row(session, &note)
        })
        .collect()
}

/// Where Ω comes from: the record that states it, or the line of the table of assumptions.
fn place(
    session: &Session,
    id: RunId,
    reader: &RunReader,
    iterations: &[IterationView],
    at: i64,
    provenance: OmegaProvenance,
) -> String {
    let own = iterations.iter().find(|it| it.number == at).or(iterations.last());
    if provenance == OmegaProvenance::Recorded {
        let span = own.and_then(|it| session.history.locate(it.record).ok());
        return span.map_or_else(String::new, |span| format!("{}:{}", span.path, span.line));
    }
    let format = session.history.run(id).map(|run| run.view().format).unwrap_or_default();
    let kind = own
        .and_then(|it| reader.loaded_run.attempt(it.number).ok().flatten())
        .and_then(|details| details.verification.clone());
    match assumption(&format, kind.as_deref()) {
        Some((by, assumption)) => {
            let origin = origin(assumption.origin);
            let note = assumption.note.map(|note| format!(". {note}")).unwrap_or_default();
            format!("for {by}, {origin} (window/provenance){note}")
        }
        None => "(window/provenance)".to_owned(),
    }
}

/// Who assumes that Ω, in words.
fn origin(origin: &str) -> String {
    match origin {
        "own" => "by hindscope's own choice".to_owned(),
        "guide" => "as in aiwg's reflection guide".to_owned(),
        "hook" => "as in aiwg's hook".to_owned(),
        "memory-manager" => "as in aiwg's memory manager".to_owned(),
        "episodic" => "as in aiwg's episodic memory".to_owned(),
        origin => format!("as in {origin}"),
    }
}
