//! One run, one iteration, one window: what is read in full when someone looks at it.

use std::rc::Rc;

use hindscope::{
    Details, Entry, Error, IterationView, Layout, RecordId, ReflectionRef, RunId, SourceId, Window,
    WindowRule,
};

use super::answer::NoAnswer;
use super::desk::Desk;
use super::findings;
use super::life::{columns_around, count, held_until, life};
use crate::platform;
use crate::protocol::{Columns, HeldText, IterationBody, RawText, RecordBody, WindowBody};

/// Raw text that comes without asking, in bytes.
const RAW_FIRST: usize = 64 << 10;
/// Raw text that comes at all; of longer texts both ends.
const RAW_MOST: usize = 4 << 20;
/// A text inside a record above this comes without its end; the raw record has it.
const TEXT_MOST: usize = 1 << 20;
/// Held reflections whose text is read; an unbounded window may hold thousands.
const HELD_MOST: usize = 50;

/// The columns of a run.
pub(crate) fn columns(desk: &mut Desk, run: RunId) -> Result<Columns, Error> {
    let iterations = desk.iterations(run)?;
    let each = |value: fn(&IterationView) -> Option<f64>| iterations.iter().map(value).collect();
    #[expect(clippy::cast_precision_loss, reason = "numbers of iterations and small counts")]
    Ok(Columns {
        numbers: each(|it| Some(it.number as f64)),
        rewards: each(|it| it.reward),
        deltas: each(|it| it.delta),
        gaps: each(|it| Some(f64::from(it.delta_gap))),
        errors: each(|it| it.errors.map(f64::from)),
        reflections: each(|it| Some(it.reflections.len() as f64)),
        findings: each(|it| Some(f64::from(it.findings))),
        stored: each(IterationView::disputed_change),
        merged: each(|it| Some(it.merged.len() as f64)),
        outcomes: iterations.iter().map(|it| it.outcome.letter()).collect(),
    })
}

/// One iteration with all its records.
pub(crate) fn iteration(
    desk: &mut Desk,
    run: RunId,
    ordinal: u32,
) -> Result<IterationBody, NoAnswer> {
    let iterations = desk.iterations(run)?;
    let at = ordinal as usize;
    let Some(view) = iterations.get(at).cloned() else {
        return Err(NoAnswer::from(format!("This run has no attempt {}.", at + 1)));
    };
    let mut shortened = false;
    let mut story = desk.history.story(run)?;
    let parts = story.parts_of(view.number)?;
    let mut records: Vec<_> =
        parts.iter().map(|&(id, part)| record(desk, id, part, &mut shortened)).collect();
    let others = view.merged.iter().filter(|id| parts.iter().all(|(own, _)| own != *id));
    records.extend(others.map(|&id| record(desk, id, 0, &mut shortened)));
    if parts.len() > 1 {
        // The one that leads is shown with what the others know better.
        for id in story.needs_of(view.number)? {
            let span = desk.history.locate(id)?;
            if let Ok(bytes) = desk.read(&span) {
                desk.history.tell(&mut story, id, &bytes)?;
            }
        }
        if let (Some(joined), Some(lead)) = (story.attempt(view.number)?, records.first_mut()) {
            let mut joined = joined.clone();
            shortened |= shorten(&mut joined);
            lead.details = Some(joined);
        }
    }
    let rule = WindowRule { omega: None, ..WindowRule::default() };
    let of_run = desk.history.run(run)?;
    let window = of_run.window(view.number, rule).ok();
    let row = of_run.view();
    Ok(IterationBody {
        run,
        next: iterations.get(at + 1).cloned(),
        window: window.as_ref().map(Window::view),
        records,
        findings: findings::of_iteration(desk, run, view.number),
        is_shortened: shortened,
        origin: (row.reward_origin, row.reward_rule),
        view,
    })
}

fn record(desk: &Desk, id: RecordId, part: u32, shortened: &mut bool) -> RecordBody {
    let mut body = RecordBody { span: None, details: None, raw: None, problem: None };
    let span = match desk.history.locate(id) {
        Ok(span) => span,
        Err(error) => {
            body.problem = Some(error.to_string());
            return body;
        }
    };
    match desk.read(&span) {
        Ok(bytes) => {
            match desk.history.inspect(id, part, &bytes) {
                Ok(mut details) => {
                    *shortened |= shorten(&mut details);
                    body.details = Some(details);
                }
                Err(error) => body.problem = Some(error.to_string()),
            }
            match desk.history.raw_text(id, &bytes) {
                Ok(text) => body.raw = Some(cut(&text, RAW_FIRST, 0)),
                Err(error) => body.problem = Some(error.to_string()),
            }
        }
        Err(reason) => body.problem = Some(format!("{}: {reason}", span.path)),
    }
    body.span = Some(span);
    body
}

/// The raw text of a record, whole as far as that is sensible.
pub(crate) fn whole_text(desk: &Desk, id: RecordId) -> Result<RawText, NoAnswer> {
    let span = desk.history.locate(id)?;
    let bytes = desk.read(&span)?;
    let text = desk.history.raw_text(id, &bytes)?;
    if text.len() <= RAW_MOST {
        return Ok(RawText { head: text, ..RawText::default() });
    }
    Ok(cut(&text, RAW_MOST / 2, RAW_MOST / 2))
}

/// The text of a file that is no history, as far as that is sensible.
pub(crate) fn file_text(desk: &mut Desk, source: SourceId) -> Result<RawText, NoAnswer> {
    let encoding = desk.history.source(source)?.encoding;
    let (head, tail, hidden) = desk.ends(source, (RAW_MOST / 2) as u64)?;
    Ok(RawText {
        head: platform::decode(&head, &encoding),
        tail: platform::decode(&tail, &encoding),
        hidden: u32::try_from(hidden).unwrap_or(u32::MAX),
    })
}

fn cut(text: &str, head: usize, tail: usize) -> RawText {
    if text.len() <= head + tail {
        return RawText { head: text.to_owned(), ..RawText::default() };
    }
    let head = text.floor_char_boundary(head);
    let tail = text.ceil_char_boundary(text.len() - tail);
    RawText {
        head: text[..head].to_owned(),
        tail: text[tail..].to_owned(),
        hidden: count(tail - head),
    }
}

/// Takes the ends of very long texts away, so that no message is larger than the page can show.
fn shorten(details: &mut Details) -> bool {
    let mut shortened = false;
    for action in &mut details.actions {
        let texts = [
            &mut action.diff,
            &mut action.params,
            &mut action.output,
            &mut action.reasoning,
            &mut action.expected,
        ];
        texts.into_iter().flatten().for_each(|text| shortened |= cut_end(text));
    }
    let outputs =
        details.checks.iter_mut().flat_map(|check| [&mut check.stdout, &mut check.stderr]);
    let stacks = details.errors.iter_mut().map(|error| &mut error.stack);
    let named = details.texts.iter_mut().map(|text| &mut text.text);
    let said = details.reflections.iter_mut().map(|reflection| &mut reflection.text);
    let given = details.retrieved.iter_mut().flatten().map(|given| &mut given.text);
    let texts = outputs.chain(stacks).flatten().chain(named).chain(said).chain(given);
    texts.for_each(|text| shortened |= cut_end(text));
    shortened
}

/// Takes the end of a very long text away; whether there was one.
fn cut_end(text: &mut String) -> bool {
    let is_long = text.len() > TEXT_MOST;
    if is_long {
        text.truncate(text.floor_char_boundary(TEXT_MOST));
    }
    is_long
}

/// The window when iteration `at` began, with the texts in it.
pub(crate) fn window(
    desk: &mut Desk,
    id: RunId,
    at: i64,
    omega: Option<u8>,
) -> Result<WindowBody, NoAnswer> {
    let iterations = desk.iterations(id)?;
    let rule = |omega| WindowRule { omega, ..WindowRule::default() };
    let run = desk.history.run(id)?;
    let window = run.window(at, rule(omega))?;
    let view = window.view();
    let given = run.window(at, rule(None))?.view();

    let life = {
        let mut numbers: Vec<i64> = iterations.iter().map(|it| it.number).collect();
        numbers.dedup();
        let position = numbers.iter().position(|number| *number == at).unwrap_or(numbers.len());
        if let Some(last) = numbers.last() {
            numbers.push(last + 1);
        }
        let shown = columns_around(position, numbers.len());
        let windows: Vec<_> = numbers[shown]
            .iter()
            .filter_map(|number| run.window(*number, rule(omega)).ok())
            .map(|window| window.view())
            .collect();
        life(&windows, &run.reflections(), numbers.len())
    };

    let left_out = view.held.len().saturating_sub(HELD_MOST);
    let mut held = Vec::new();
    let mut entries = Vec::new();
    for reference in &view.held[left_out..] {
        let outcome = outcome(&iterations, *reference);
        let text = match reflection_text(desk, &iterations, *reference) {
            Ok(text) => text,
            Err(reason) => format!("({reason})"),
        };
        entries.push(Entry::new(reference.number, outcome, text.clone()));
        let until = held_until(&life, *reference);
        held.push(HeldText { reference: *reference, outcome, text, until });
    }
    let recorded = iterations
        .iter()
        .find(|it| it.number == at)
        .and_then(|it| details(desk, it.record, it.part).ok())
        .and_then(|details| details.window);
    Ok(WindowBody {
        run: id,
        given: given.omega,
        given_provenance: given.omega_provenance,
        left_out: count(left_out),
        rendered: hindscope::render(&entries, Layout::Plain),
        held,
        life,
        recorded,
        view,
    })
}

fn outcome(iterations: &Rc<Vec<IterationView>>, reference: ReflectionRef) -> hindscope::Outcome {
    iterations
        .get(reference.ordinal as usize)
        .map_or(hindscope::Outcome::Unknown, |iteration| iteration.outcome)
}

fn details(desk: &Desk, record: RecordId, part: u32) -> Result<Details, NoAnswer> {
    let span = desk.history.locate(record)?;
    let bytes = desk.read(&span)?;
    Ok(desk.history.inspect(record, part, &bytes)?)
}

/// The text of a reflection, from the record that holds it.
fn reflection_text(
    desk: &Desk,
    iterations: &[IterationView],
    reference: ReflectionRef,
) -> Result<String, NoAnswer> {
    // A record may hold several iterations; `part` of `inspect` says which of them is meant.
    let part = iterations
        .get(reference.ordinal as usize)
        .filter(|iteration| iteration.record == reference.record)
        .map_or(0, |iteration| iteration.part);
    details(desk, reference.record, part)?
        .reflections
        .into_iter()
        .find(|reflection| reflection.part == reference.part)
        .map(|reflection| reflection.text)
        .ok_or_else(|| NoAnswer::from("its text is not in the record any more".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_between_characters_and_counts_what_is_hidden() {
        let text = "aé".repeat(4);
        assert_eq!(cut(&text, 100, 0).hidden, 0);
        let cut = cut(&text, 2, 3);
        assert_eq!((cut.head.as_str(), cut.tail.as_str(), cut.hidden), ("a", "aé", 8));
    }
}
