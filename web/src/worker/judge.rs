//! Runs judged by the rules of insight: the one that is looked at, and all others between other
//! messages.

use std::collections::BTreeMap;
use std::rc::Rc;

use hindscope::{Finding, RunId};

use super::answer::NoAnswer;
use super::categories;
use super::desk::Desk;
use super::explain::{self, Most};
use super::life::count;
use crate::protocol::{FromWorker, Judged, Query};

/// What is read of a run that is judged beside others.
const MOST: Most = Most { records: 2_000, bytes: 8 << 20 };
/// Runs that are judged without being looked at.
const RUNS: u32 = 20_000;

/// What the rules of insight found.
#[derive(Default)]
pub(crate) struct Insight {
    of: BTreeMap<u32, Rc<[Finding]>>,
    /// Runs before this one had their turn.
    next: u32,
    /// Runs among them that were too long.
    left: u32,
    is_wanted: bool,
    /// Runs that had their turn when the page heard of it last.
    told: u32,
}

impl Insight {
    /// Grows whenever something was found.
    pub(crate) fn changes(&self) -> u32 {
        count(self.of.len())
    }

    pub(crate) fn of(&self, run: RunId) -> Option<&Rc<[Finding]>> {
        self.of.get(&run.0)
    }

    /// Those of all runs that were judged, by run.
    pub(crate) fn all(&self) -> Vec<(u32, Rc<[Finding]>)> {
        self.of.iter().map(|(run, findings)| (*run, Rc::clone(findings))).collect()
    }

    /// From now on all runs are judged, one after another.
    pub(crate) fn want(&mut self) {
        self.is_wanted = true;
    }

    /// Runs that had their turn, where the page does not know yet.
    pub(crate) fn news(&mut self) -> Option<u32> {
        let is_news = self.told != self.next;
        self.told = self.next;
        is_news.then_some(self.next)
    }

    /// How far that is, of so many runs.
    pub(crate) fn progress(&self, runs: usize) -> Judged {
        let total = count(runs);
        let left = self.left + total.saturating_sub(RUNS);
        Judged { done: self.next - self.left, total, left }
    }
}

/// Begins to judge runs where an answer shows what comes of it; whether it does.
pub(crate) fn wants(desk: &mut Desk, query: &Query) -> bool {
    match query {
        // Whoever looks at all findings wants those of insight as well.
        Query::Findings { choice, rows, .. } if choice.run.is_none() && rows.count > 0 => {
            desk.insight().want();
        }
        Query::Runs { looked: Some(_), .. } => desk.categories_mut().want(),
        _ => return false,
    }
    true
}

/// Goes on with what is wanted of runs: findings, and failure categories; whether there is more.
pub(crate) fn go_on(desk: &mut Desk) -> bool {
    // Neither waits until the other is done with all runs.
    categories::look_on(desk) | judge_next(desk)
}

/// How far that is, where the page is to hear of it.
pub(crate) fn news(desk: &mut Desk, is_time: bool) -> impl Iterator<Item = FromWorker> {
    let judged = is_time.then(|| desk.insight().news()).flatten().map(FromWorker::Judged);
    let looked = desk.categories_mut().news(is_time).map(FromWorker::Looked);
    judged.into_iter().chain(looked)
}

/// Judges the next run that nobody looked at yet; whether there was one.
fn judge_next(desk: &mut Desk) -> bool {
    let end = count(desk.history.run_count()).min(RUNS);
    let insight = desk.insight();
    if !insight.is_wanted || insight.next >= end {
        return false;
    }
    let run = RunId(insight.next);
    insight.next += 1;
    if insight.of(run).is_some() {
        return true;
    }
    let judged = explain::fits(desk, run, MOST).then(|| explain::judged(desk, run, MOST));
    match judged {
        Some(Ok(body)) => {
            if body.unread == 0 && body.problem.is_none() && !desk.categories().is_known(run) {
                desk.categories_mut().keep(run, &body.explanation.categories);
            }
            keep(desk, run, body.explanation.findings);
        }
        Some(Err(_)) | None => desk.insight().left += 1,
    }
    true
}

/// Judges a run that is looked at, and says why something could not be judged.
pub(crate) fn judge(desk: &mut Desk, run: RunId) -> Result<Option<String>, NoAnswer> {
    let body = explain::explain(desk, run)?;
    if desk.insight().of(run).is_none() {
        keep(desk, run, body.explanation.findings.clone());
    }
    let unread = (body.unread > 0).then(|| {
        format!("{} records are not read, and rules that need them not judged", body.unread)
    });
    Ok(body.problem.clone().or(unread))
}

fn keep(desk: &mut Desk, run: RunId, mut findings: Vec<Finding>) {
    for finding in &mut findings {
        // The place of the record: a rule over several has none of its own.
        if let (None, Some(record)) = (finding.source, finding.record)
            && let Ok(span) = desk.history.locate(record)
        {
            finding.source = Some(span.source);
            finding.line = Some(span.line);
            finding.column = Some(span.column);
            finding.offset = Some(span.start);
        }
    }
    desk.insight().of.insert(run.0, findings.into());
}
