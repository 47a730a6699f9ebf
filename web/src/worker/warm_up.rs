//! Makes the worker ready before its first files come.
//!
//! Browsers compile a function when it is called for the first time: without this the first rows of
//! the first files wait for all that reading and listing need.

use hindscope::Profile;

use super::early_answers;
use super::session::Session;
use crate::protocol::{FromWorker, SoFar};
use crate::samples;

/// Does once, with a sample, what every opening does: read, sum up, list. The page does its part with
/// what it is told.
pub(crate) fn up() -> FromWorker {
    let mut session = read();
    session.changed();
    let summary = session.summary();
    let ahead = early_answers::ahead(&mut session, summary.runs);
    FromWorker::Ready(SoFar { summary, ahead })
}

/// Browsers compile a function for speed once it has done enough: the sample is read so often again.
pub(crate) const PRACTICE: u32 = 48;

/// Reads the sample once more.
pub(crate) fn practise() {
    drop(read());
}

fn read() -> Session {
    let mut session = Session::new(Profile::Lenient);
    for (path, bytes) in samples::IMPROVING {
        let source = session.open(path, None);
        let _more = session.push(source, bytes);
        session.finish(source);
    }
    session
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is not read makes nothing ready.
    #[test]
    fn the_sample_is_read() {
        assert_eq!(read().summary().runs, 3);
    }
}
