//! What a run teaches: the records that rules need are read, and the rules judged.

use std::rc::Rc;

use hindscope::{InsightOptions, RunId};

use super::answer::NoAnswer;
use super::desk::Desk;
use super::life::count;
use crate::protocol::ExplainBody;

/// How much is read of a run.
#[derive(Clone, Copy)]
pub(crate) struct Most {
    pub(crate) records: usize,
    pub(crate) bytes: u64,
}

/// What is read for the rules that need texts: a run may have a hundred thousand records, and the
/// page waits for the answer.
const MOST: Most = Most { records: 20_000, bytes: 64 << 20 };

/// What a run teaches, by all rules; kept until another run is asked for.
pub(crate) fn explain(desk: &mut Desk, run: RunId) -> Result<Rc<ExplainBody>, NoAnswer> {
    if let Some(kept) = desk.explained(run) {
        return Ok(kept);
    }
    let body = Rc::new(judged(desk, run, MOST)?);
    desk.keep_explained(Rc::clone(&body));
    Ok(body)
}

/// What a run teaches, with so much of it read.
pub(crate) fn judged(desk: &Desk, run: RunId, most: Most) -> Result<ExplainBody, NoAnswer> {
    let mut story = desk.history.story(run)?;
    let (mut unread, mut problem, mut bytes_read) = (0, None, 0);
    for (at, span) in desk.history.needs(&story).into_iter().enumerate() {
        bytes_read += span.end - span.start;
        if at >= most.records || bytes_read > most.bytes {
            unread += 1;
            continue;
        }
        match desk.read(&span) {
            Ok(bytes) => desk.history.tell(&mut story, span.record, &bytes)?,
            Err(reason) => problem = problem.or(Some(format!("{}: {reason}", span.path))),
        }
    }
    let explanation = story.explain(&InsightOptions::default());
    Ok(ExplainBody { run, explanation, unread: count(unread), problem })
}

/// Whether a run needs no more than that.
pub(crate) fn fits(desk: &Desk, run: RunId, most: Most) -> bool {
    desk.history.story(run).is_ok_and(|story| {
        let needs = desk.history.needs(&story);
        let bytes: u64 = needs.iter().map(|span| span.end - span.start).sum();
        needs.len() <= most.records && bytes <= most.bytes
    })
}
