//! What the records of an attempt say together, and what it has from its neighbours.

use hindscope::{IterationView, Outline, Reflection, RunId, moment_ms};

use super::super::iteration_body::{TEXT_MOST, cut_end};
use super::super::no_answer::NoAnswer;
use super::super::run_reader::RunReader;
use super::super::session::Session;
use super::super::window_grid::around;
use super::records;
use crate::protocol::{
    AttemptBody, AttemptRow, EndBody, Given, Left, Lesson, PlanBody, Took, count,
};

/// Attempts that are listed around the chosen one.
const ATTEMPTS: usize = 60;
/// Earlier attempts whose lessons are listed.
const LESSONS: usize = 20;

/// Everything of an attempt but its actions.
pub(super) fn facts(
    session: &mut Session,
    run: RunId,
    number: i64,
) -> Result<AttemptBody, NoAnswer> {
    let iterations = session.iterations(run)?;
    let at = iterations.iter().position(|it| it.number == number);
    let at = at.ok_or_else(|| NoAnswer::from(format!("This run has no attempt {number}.")))?;
    let mut reader = session.take_reader(run)?;
    let (outline, _) = records::read(session, &mut reader, number)?;
    let around = around(at, iterations.len(), ATTEMPTS);
    let left_out = (count(around.start), count(iterations.len() - around.end));
    let rows: Result<Vec<AttemptRow>, NoAnswer> =
        iterations[around].iter().map(|view| row(session, &mut reader, view)).collect();
    let attempts = rows?;
    let actions = attempts.iter().find(|row| row.number == number).map_or(0, |row| row.actions);
    let given = given(session, &mut reader, &outline, number)?;
    let next = iterations.get(at + 1).map(|view| view.number);
    let took = next.map(|next| took(session, &mut reader, next, number)).transpose()?.flatten();
    let task = session.history.run(run)?.view().task;
    let problem = reader.problem.clone();
    session.give_reader(reader);
    let view = &iterations[at];
    Ok(AttemptBody {
        run,
        number,
        attempts,
        left_out,
        task: task.or_else(|| outline.details.task.clone()).map(short),
        plan: PlanBody {
            estimated: outline.counter("estimated_iterations"),
            approach: short(outline.plan.approach.clone()),
            steps: outline.plan.steps.clone(),
            written: outline.plan.written.clone().map(short),
        },
        end: end(&outline, view),
        actions,
        given,
        left: Left {
            reflections: outline.reflections.into_iter().map(shortened).collect(),
            next_time: outline.next_time,
            next,
            took,
        },
        worked: outline.worked,
        failed: outline.failed,
        milestones: outline.milestones,
        problem,
    })
}

/// An attempt in the list. Its log is counted and not read.
fn row(
    session: &mut Session,
    reader: &mut RunReader,
    view: &IterationView,
) -> Result<AttemptRow, NoAnswer> {
    let (outline, lines) = records::read(session, reader, view.number)?;
    let own = outline.details.actions.len();
    let logged = lines.len();
    Ok(AttemptRow {
        number: view.number,
        outcome: view.outcome,
        detail: view.outcome_detail.clone().or_else(|| outline.details.outcome_detail.clone()),
        reward: view.reward,
        actions: count(if logged > 0 { logged } else { own }),
        counted: counted(&outline),
        errors: view.errors,
        duration: outline.duration_ms,
        start: outline.start.as_deref().and_then(moment_ms),
    })
}

fn counted(outline: &Outline) -> Option<f64> {
    outline.counter("actions_performed").or_else(|| outline.counter("actions"))
}

fn end(outline: &Outline, view: &IterationView) -> EndBody {
    let details = &outline.details;
    let done = details.series.iter().find(|series| series.name == "completion_percent");
    EndBody {
        outcome: view.outcome,
        detail: view.outcome_detail.clone().or_else(|| details.outcome_detail.clone()),
        reason: outline.reason.clone().map(short),
        reward: view.reward,
        delta: view.delta,
        written: details.reward.as_ref().and_then(|reward| reward.raw.clone()),
        done: done.map(|series| series.reward.value),
        iterations: outline.counter("iterations"),
        counted: counted(outline),
        errors: view.errors,
        start: outline.start.clone(),
        end: outline.end.clone(),
        duration: outline.duration_ms,
        rated: details
            .steps
            .iter()
            .map(|step| (step.number, step.reward.as_ref().map(|reward| reward.value)))
            .collect(),
    }
}

/// What an attempt was given: as its records say, else what its window could hold.
fn given(
    session: &mut Session,
    reader: &mut RunReader,
    outline: &Outline,
    number: i64,
) -> Result<Given, NoAnswer> {
    let (numbers, is_computed) = given_to(reader, outline, number)?;
    let mut given = Given { is_computed, ..Given::default() };
    given.more = count(numbers.len().saturating_sub(LESSONS));
    for earlier in numbers.into_iter().rev().take(LESSONS) {
        // If the earlier attempt is not open, its texts are missing, but its number is listed.
        let texts = match records::read(session, reader, earlier) {
            Ok((outline, _)) => outline.reflections.iter().flat_map(lessons).collect(),
            Err(_) => Vec::new(),
        };
        given.lessons.push(Lesson { number: earlier, texts });
    }
    Ok(given)
}

/// Numbers of the attempts whose reflections an attempt was given, in ascending order, and whether they are
/// computed because no record states them.
fn given_to(
    reader: &RunReader,
    outline: &Outline,
    number: i64,
) -> Result<(Vec<i64>, bool), NoAnswer> {
    let (mut numbers, is_computed) = if let Some(own) = &outline.learned_from {
        (own.clone(), false)
    } else {
        let injected = reader.loaded_run.injected(number)?;
        (injected.numbers, injected.is_computed)
    };
    numbers.sort_unstable();
    numbers.dedup();
    Ok((numbers, is_computed))
}

/// Whether the next attempt was given the reflections of this one.
fn took(
    session: &mut Session,
    reader: &mut RunReader,
    next: i64,
    number: i64,
) -> Result<Option<Took>, NoAnswer> {
    let (of_next, _) = records::read(session, reader, next)?;
    let (numbers, is_computed) = given_to(reader, &of_next, next)?;
    Ok(Some(match (numbers.contains(&number), is_computed) {
        (true, false) => Took::Yes,
        (false, false) => Took::No,
        (true, true) => Took::Could,
        (false, true) => Took::CouldNot,
    }))
}

/// What a reflection teaches: its lessons and insights, each once; its text where it has neither.
fn lessons(reflection: &Reflection) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for text in reflection.lessons.iter().chain(&reflection.insights) {
        if !texts.contains(text) {
            texts.push(text.clone());
        }
    }
    if texts.is_empty() && !reflection.text.trim().is_empty() {
        texts.push(reflection.text.trim().to_owned());
    }
    texts.into_iter().map(short).collect()
}

/// The record has the rest.
fn short(mut text: String) -> String {
    cut_end(&mut text, TEXT_MOST);
    text
}

fn shortened(mut reflection: Reflection) -> Reflection {
    cut_end(&mut reflection.text, TEXT_MOST);
    reflection
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reflection_teaches_its_lessons_or_its_text() {
        let own = |lessons: &[&str], insights: &[&str]| Reflection {
            text: " all ".to_owned(),
            lessons: lessons.iter().map(ToString::to_string).collect(),
            insights: insights.iter().map(ToString::to_string).collect(),
            ..Reflection::default()
        };
        assert_eq!(lessons(&own(&["a"], &["b", "a"])), ["a", "b"]);
        assert_eq!(lessons(&own(&[], &[])), ["all"]);
        assert!(lessons(&Reflection::default()).is_empty());
    }
}
