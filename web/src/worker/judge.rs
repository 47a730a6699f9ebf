//! Runs judged by the rules of insight: the one that is looked at, and all others between other
//! messages.

use hindscope::{Finding, RunId};

use super::categories::{CategoryReading, Next};
use super::comparing;
use super::explain;
use super::insight_findings::Turn;
use super::no_answer::NoAnswer;
use super::session::Session;
use crate::protocol::{FromWorker, Query, count};

/// Asks for runs to be judged if the answer to this question shows the results. Returns whether it does.
pub(crate) fn wants(session: &mut Session, query: &Query) -> bool {
    match query {
        Query::Summary { .. } => session.cache.repetition.want(),
        Query::Runs { rows, looked, .. } if rows.count > 0 => {
            session.cache.repetition.want();
            if looked.is_some() {
                session.cache.categories.want();
            }
        }
        // Whoever looks at all findings wants those of insight as well.
        Query::Findings { choice, rows, .. } if choice.run.is_none() && rows.count > 0 => {
            session.cache.insight.want();
        }
        _ => return false,
    }
    true
}

/// Goes on with what is wanted of runs: findings, and failure categories; whether there is more.
pub(crate) fn go_on(session: &mut Session) -> bool {
    // Neither waits until the other is done with all runs.
    let is_comparing = comparing::compare_next(session);
    read_categories(session) | judge_next(session) | is_comparing
}

/// Reads on in the run whose failure category is wanted next; whether there was one.
fn read_categories(session: &mut Session) -> bool {
    let runs = count(session.history.run_count());
    let mut reading = match session.cache.categories.next(runs) {
        None => return false,
        Some(Next::Begun(reading)) => reading,
        Some(Next::Run(run)) => {
            let Ok(Some(reading)) = CategoryReading::begin(&session.history, run) else {
                session.cache.categories.leave(run);
                return true;
            };
            Box::new(reading)
        }
    };
    let records = session.records();
    let bytes = |record| records.read(record).map(|(_, bytes)| bytes);
    match reading.step(records.history, bytes) {
        Ok(true) => session.cache.categories.go_on_with(reading),
        Ok(false) => {
            let given = reading.categories();
            session.cache.categories.keep(reading.run(), &given);
            reading.keep_sketches(&mut session.history);
        }
        Err(_) => session.cache.categories.leave(reading.run()),
    }
    true
}

/// How far that is, where the page is to hear of it.
pub(crate) fn news(session: &mut Session, is_time: bool) -> impl Iterator<Item = FromWorker> {
    let judged = is_time.then(|| session.cache.insight.news()).flatten().map(FromWorker::Judged);
    let runs = session.history.run_count();
    let compared = is_time.then(|| session.cache.repetition.news(runs)).flatten();
    let compared = compared.map(FromWorker::Compared);
    let looked = session.cache.categories.news(is_time).map(FromWorker::Looked);
    judged.into_iter().chain(looked).chain(compared)
}

/// Judges the next run that nobody looked at yet; whether there was one.
fn judge_next(session: &mut Session) -> bool {
    let runs = session.history.run_count();
    let Some(turn) = session.cache.insight.next_turn(runs) else { return false };
    let run = turn.run();
    let body = match turn {
        Turn::ByAllRules(_) => explain::explain_beside_others(session, run),
        Turn::WithoutTexts(_) => explain::explain_without_texts(session, run),
    };
    let Some(body) = body else {
        session.cache.insight.leave(run);
        return true;
    };
    let can_say = matches!(turn, Turn::ByAllRules(_)) && body.problem.is_none();
    if can_say && !session.cache.categories.is_known(run) {
        session.cache.categories.keep(run, &body.explanation.categories);
    }
    keep(session, turn, body.explanation.findings, body.recurring_lessons);
    true
}

/// Judges a run that is looked at, and says why something could not be judged.
pub(crate) fn judge(session: &mut Session, run: RunId) -> Result<Option<String>, NoAnswer> {
    let body = explain::explain(session, run)?;
    let insight = &session.cache.insight;
    // What was judged without texts is less than what is known now, if all of it could be read.
    let is_whole = body.problem.is_none() && body.unread == 0;
    if insight.of(run).is_none() || (is_whole && insight.is_without_texts(run)) {
        let turn = Turn::ByAllRules(run);
        keep(session, turn, body.explanation.findings.clone(), body.recurring_lessons);
    }
    let unread = (body.unread > 0).then(|| {
        format!("Records not read: {}. Rules that need them are not judged.", body.unread)
    });
    Ok(body.problem.clone().or(unread))
}

fn keep(session: &mut Session, turn: Turn, mut findings: Vec<Finding>, lessons: Option<u32>) {
    for finding in &mut findings {
        // The place of the record: a rule over several has none of its own.
        if let (None, Some(record)) = (finding.source, finding.record)
            && let Ok(span) = session.history.locate(record)
        {
            finding.source = Some(span.source);
            finding.line = Some(span.line);
            finding.column = Some(span.column);
            finding.offset = Some(span.start);
        }
    }
    session.cache.insight.keep(turn, findings, lessons);
}
