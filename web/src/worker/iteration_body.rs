//! One run, one iteration, one window: what is read in full when someone looks at it.

use std::collections::BTreeSet;

use hindscope::{
    Action, Details, Error, IterationView, RecordId, RunId, SourceId, Span, Window, WindowRule,
};

use super::finding_index::Brief;
use super::findings;
use super::no_answer::NoAnswer;
use super::session::Session;
use crate::browser;
use crate::protocol::{
    Columns, Conflict, ConflictValue, IterationBody, RawPart, RawText, RecordBody, count,
};

/// An attempt and the one before are read together up to so many records.
const FEW_RECORDS: usize = 64;
/// Raw text that comes without asking, in bytes.
const RAW_FIRST: usize = 64 << 10;
/// Raw text that comes at all; of longer texts both ends.
const RAW_MOST: usize = 4 << 20;
/// A text inside a record above this comes without its end, unless the whole is asked for: the
/// next iteration must be there at once.
pub(crate) const TEXT_MOST: usize = 256 << 10;
/// Even then, no text is longer than this; the raw record has it.
pub(crate) const WHOLE_MOST: usize = 32 << 20;

/// The columns of a run.
pub(crate) fn columns(session: &mut Session, run: RunId) -> Result<Columns, Error> {
    let iterations = session.iterations(run)?;
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

/// One iteration with all its records; texts inside of it above `most` bytes come without their
/// ends.
pub(crate) fn iteration(
    session: &mut Session,
    run: RunId,
    ordinal: u32,
    most: usize,
) -> Result<IterationBody, NoAnswer> {
    let iterations = session.iterations(run)?;
    let at = ordinal as usize;
    let Some(view) = iterations.get(at).cloned() else {
        return Err(NoAnswer::from(format!("This run has no attempt {}.", at + 1)));
    };
    let mut reader = session.take_reader(run)?;
    let parts = reader.loaded_run.parts_of(view.number)?;
    let mut records: Vec<_> = parts.iter().map(|&(id, part)| record(session, id, part)).collect();
    let own: BTreeSet<RecordId> = parts.iter().map(|(id, _)| *id).collect();
    let others = view.merged.iter().filter(|id| !own.contains(id));
    records.extend(others.map(|&id| record(session, id, 0)));
    let conflicts = conflicts(&records);
    let has_others = view.reflections.iter().any(|reflection| reflection.record != view.record);
    if parts.len() > 1 || has_others {
        // The one that leads is shown with what the others know better, and with what stands only there.
        reader.read_attempt(session.records(), view.number);
        if let (Some(joined), Some(lead)) =
            (reader.loaded_run.attempt(view.number)?, records.first_mut())
        {
            lead.details = Some(joined.clone());
        }
    }
    if view.errors.is_some_and(|errors| errors > 0) {
        // Which of its errors are new is seen beside those of the attempt before. A step must not wait for
        // thousands of records.
        let pair = &iterations[at.saturating_sub(1)..=at];
        let needs = pair.iter().map(|one| reader.loaded_run.needs_of(one.number));
        let needs = needs.collect::<Result<Vec<_>, _>>()?.concat();
        if needs.len() <= FEW_RECORDS {
            reader.read(session.records(), needs);
        }
    }
    let headline = reader.loaded_run.attempt_headline(view.number)?;
    session.give_reader(reader);
    let details = records.iter_mut().filter_map(|record| record.details.as_mut());
    let shortened: usize = details.map(|details| shorten(details, most)).sum();
    let rule = WindowRule { omega: None, ..WindowRule::default() };
    let of_run = session.history.run(run)?;
    let window = of_run.window(view.number, rule).ok();
    let row = of_run.view();
    let index = session.findings();
    let of_attempt =
        |brief: &&Brief| (brief.run, brief.iteration) == (Some(run), Some(view.number));
    let findings = findings::rows(session, index.briefs.iter().filter(of_attempt));
    Ok(IterationBody {
        run,
        headline,
        window: window.as_ref().map(Window::view),
        records,
        findings,
        shortened: count(shortened),
        base: (row.base, row.base_provenance),
        conflicts,
        origin: (row.reward_origin, row.reward_rule),
        view,
    })
}

fn record(session: &Session, id: RecordId, part: u32) -> RecordBody {
    let mut body = RecordBody { span: None, end: None, details: None, raw: None, problem: None };
    let span = match session.history.locate(id) {
        Ok(span) => span,
        Err(error) => {
            body.problem = Some(error.to_string());
            return body;
        }
    };
    match session.files.read(&span) {
        Ok(bytes) => {
            match session.history.inspect(id, part, &bytes) {
                Ok(details) => body.details = Some(details),
                Err(error) => body.problem = Some(error.to_string()),
            }
            match session.history.raw_text(id, &bytes) {
                Ok(text) => {
                    body.end = Some(end_of(&span, &text));
                    body.raw = Some(cut(&text, RAW_FIRST, 0));
                }
                Err(error) => body.problem = Some(error.to_string()),
            }
        }
        Err(reason) => body.problem = Some(format!("{}: {reason}", span.path)),
    }
    body.span = Some(span);
    body
}

/// The text of a record as far as it comes without asking, with its place.
pub(crate) fn raw_part(session: &Session, id: RecordId) -> Result<RawPart, NoAnswer> {
    let span = session.history.locate(id)?;
    let bytes = session.files.read(&span)?;
    let text = session.history.raw_text(id, &bytes)?;
    Ok(RawPart { end: Some(end_of(&span, &text)), text: cut(&text, RAW_FIRST, 0), span })
}

/// Line and column after the last character of a record; columns in UTF-16 code units.
fn end_of(span: &Span, text: &str) -> (u32, u32) {
    let is_break = |at: usize, byte: u8| match byte {
        b'\n' => true,
        b'\r' => text.as_bytes().get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    let mut lines = 0;
    let mut last = None;
    for (at, byte) in text.bytes().enumerate() {
        if is_break(at, byte) {
            lines += 1;
            last = Some(at + 1);
        }
    }
    let column = count(text[last.unwrap_or(0)..].encode_utf16().count());
    let first = if last.is_some() { 1 } else { span.column };
    (span.line.saturating_add(lines), first.saturating_add(column))
}

/// What a record says of a member.
type Member = fn(&Details) -> Option<String>;

/// What records of one iteration state differently, member by member (`merge/conflict`).
fn conflicts(records: &[RecordBody]) -> Vec<Conflict> {
    let stated: Vec<(String, &Details)> = records
        .iter()
        .filter_map(|record| {
            let span = record.span.as_ref()?;
            let place = format!("{}:{}:{}", span.path, span.line, span.column);
            Some((place, record.details.as_ref()?))
        })
        .collect();
    if stated.len() < 2 {
        return Vec::new();
    }
    let members: [(&str, Member); 10] = [
        ("Outcome", |it| it.outcome.map(|outcome| outcome.as_str().to_owned())),
        ("Outcome in detail", |it| it.outcome_detail.clone()),
        ("Reward", |it| {
            let reward = it.reward.as_ref()?;
            Some(reward.raw.clone().unwrap_or_else(|| reward.value.to_string()))
        }),
        ("Reflection", |it| it.reflections.first().map(|one| one.text.clone())),
        ("Root cause", |it| it.reflections.first()?.root_cause.clone()),
        ("Category", |it| it.reflections.first()?.category.clone()),
        ("Strategy", |it| it.strategy.clone()),
        ("Verification", |it| it.verification.clone()),
        ("Began", |it| it.start.clone()),
        ("Ended", |it| it.time.clone()),
    ];
    members
        .into_iter()
        .filter_map(|(name, value)| {
            let values: Vec<ConflictValue> = stated
                .iter()
                .filter_map(|(place, details)| {
                    let mut text = value(details).filter(|text| !text.trim().is_empty())?;
                    text.truncate(text.floor_char_boundary(TEXT_MOST));
                    Some(ConflictValue { place: place.clone(), text })
                })
                .collect();
            let (first, rest) = values.split_first()?;
            let differs = rest.iter().any(|other| other.text.trim() != first.text.trim());
            differs.then(|| Conflict { name: name.to_owned(), values })
        })
        .collect()
}

/// The raw text of a record, whole as far as that is sensible.
pub(crate) fn whole_text(session: &Session, id: RecordId) -> Result<RawText, NoAnswer> {
    let span = session.history.locate(id)?;
    let bytes = session.files.read(&span)?;
    let text = session.history.raw_text(id, &bytes)?;
    Ok(cut(&text, RAW_MOST / 2, RAW_MOST / 2))
}

/// The text of a file that is no history, as far as that is sensible.
pub(crate) fn file_text(session: &mut Session, source: SourceId) -> Result<RawText, NoAnswer> {
    let encoding = session.history.source(source)?.encoding;
    let (head, tail, hidden) = session.files.ends(source, (RAW_MOST / 2) as u64)?;
    Ok(RawText {
        head: browser::decode(&head, encoding.as_str()),
        tail: browser::decode(&tail, encoding.as_str()),
        hidden: count(hidden),
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

/// Takes the ends of very long texts away, so that no message is larger than the page can show;
/// gives the bytes that are gone.
fn shorten(details: &mut Details, most: usize) -> usize {
    let acted: usize = details.actions.iter_mut().map(|action| shorten_action(action, most)).sum();
    let outputs =
        details.checks.iter_mut().flat_map(|check| [&mut check.stdout, &mut check.stderr]);
    let stacks = details
        .errors
        .iter_mut()
        .flat_map(|error| [Some(&mut error.message), error.stack.as_mut()].into_iter().flatten());
    let named = details.texts.iter_mut().map(|text| &mut text.text);
    let said = details.reflections.iter_mut().flat_map(|reflection| {
        [Some(&mut reflection.text), reflection.reasoning.as_mut(), reflection.root_cause.as_mut()]
            .into_iter()
            .flatten()
    });
    let given = details.retrieved.iter_mut().flatten().map(|given| &mut given.text);
    let plans = [
        &mut details.task,
        &mut details.rationale,
        &mut details.strategy,
        &mut details.strategy_next,
    ];
    let texts = outputs.flatten().chain(stacks).chain(named).chain(said).chain(given);
    let texts = texts.chain(plans.into_iter().flatten());
    acted + texts.map(|text| cut_end(text, most)).sum::<usize>()
}

/// The same of an action.
pub(crate) fn shorten_action(action: &mut Action, most: usize) -> usize {
    let texts = [
        &mut action.diff,
        &mut action.params,
        &mut action.output,
        &mut action.reasoning,
        &mut action.expected,
        &mut action.command,
    ];
    let own = cut_end(&mut action.description, most);
    own + texts.into_iter().flatten().map(|text| cut_end(text, most)).sum::<usize>()
}

/// Takes the end of a very long text away, and gives its length.
pub(crate) fn cut_end(text: &mut String, most: usize) -> usize {
    let whole = text.len();
    if whole > most {
        text.truncate(text.floor_char_boundary(most));
    }
    whole - text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_after_the_last_character() {
        let span = Span {
            record: RecordId(0),
            source: SourceId(0),
            path: String::new(),
            start: 0,
            end: 0,
            line: 4,
            column: 3,
        };
        assert_eq!(end_of(&span, "{}"), (4, 5));
        assert_eq!(end_of(&span, "{\r\n 𝄞}"), (5, 5));
        assert_eq!(end_of(&span, "a\rb\nc\n"), (7, 1));
    }

    #[test]
    fn long_texts_lose_their_ends_and_say_how_much() {
        let mut details = Details { task: Some("é".repeat(10)), ..Details::default() };
        details.actions.push(Action { diff: Some("x".repeat(12)), ..Action::default() });
        assert_eq!(shorten(&mut details, 5), 16 + 7);
        assert_eq!(details.task.as_deref(), Some("éé"));
        assert_eq!(shorten(&mut details, 5), 0);
    }

    #[test]
    fn values_that_differ_stand_side_by_side() {
        let record = |path: &str, category: &str| {
            let reflection = hindscope::Reflection {
                text: "same".into(),
                category: Some(category.into()),
                ..hindscope::Reflection::default()
            };
            let details = Details { reflections: vec![reflection], ..Details::default() };
            let span = Span {
                record: RecordId(0),
                source: SourceId(0),
                path: path.into(),
                start: 0,
                end: 0,
                line: 1,
                column: 1,
            };
            RecordBody {
                span: Some(span),
                end: None,
                details: Some(details),
                raw: None,
                problem: None,
            }
        };
        let found = conflicts(&[record("a", "logic"), record("b", "syntax")]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].name, "Category");
        let values: Vec<_> = found[0].values.iter().map(|v| (&*v.place, &*v.text)).collect();
        assert_eq!(values, [("a:1:1", "logic"), ("b:1:1", "syntax")]);
        assert!(conflicts(&[record("a", "logic"), record("b", "logic")]).is_empty());
    }

    #[test]
    fn cuts_between_characters_and_counts_what_is_hidden() {
        let text = "aé".repeat(4);
        assert_eq!(cut(&text, 100, 0).hidden, 0);
        let cut = cut(&text, 2, 3);
        assert_eq!((cut.head.as_str(), cut.tail.as_str(), cut.hidden), ("a", "aé", 8));
    }
}
