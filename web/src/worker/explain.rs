//! What a run teaches: the records that rules need are read, and the rules judged.

use std::rc::Rc;

use hindscope::{InsightOptions, RunId};

use super::answer::NoAnswer;
use super::desk::Desk;
use super::life::count;
use crate::protocol::ExplainBody;

/// Records that are read for the rules that need texts; a run may have a hundred thousand.
const READ: usize = 20_000;
/// Bytes of them at most: the page waits for the answer.
const READ_BYTES: u64 = 64 << 20;

/// What a run teaches, by all rules; kept until another run is asked for.
pub(crate) fn explain(desk: &mut Desk, run: RunId) -> Result<Rc<ExplainBody>, NoAnswer> {
    if let Some(kept) = desk.explained(run) {
        return Ok(kept);
    }
    let mut story = desk.history.story(run)?;
    let (mut unread, mut problem, mut bytes_read) = (0, None, 0);
    for (at, span) in desk.history.needs(&story).into_iter().enumerate() {
        bytes_read += span.end - span.start;
        if at >= READ || bytes_read > READ_BYTES {
            unread += 1;
            continue;
        }
        match desk.read(&span) {
            Ok(bytes) => desk.history.tell(&mut story, span.record, &bytes)?,
            Err(reason) => problem = problem.or(Some(format!("{}: {reason}", span.path))),
        }
    }
    let explanation = story.explain(&InsightOptions::default());
    let body = Rc::new(ExplainBody { run, explanation, unread: count(unread), problem });
    desk.keep_explained(Rc::clone(&body));
    Ok(body)
}
