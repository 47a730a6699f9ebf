//! Makes the worker ready before its first files come.
//!
//! Browsers compile a function when it is called for the first time: without this the first rows of
//! the first files wait for all that reading and listing need.

use hindscope::Profile;

use super::desk::Desk;
use super::early;
use crate::protocol::{FromWorker, SoFar};
use crate::samples;

/// Does once, with a sample, what every opening does: read, sum up, list. The page does its part with
/// what it is told.
pub(crate) fn up() -> FromWorker {
    let mut desk = read();
    desk.changed();
    let summary = desk.summary();
    let ahead = early::ahead(&mut desk, summary.runs);
    FromWorker::Ready(SoFar { summary, ahead })
}

/// Browsers compile a function for speed once it has done enough: the sample is read so often again.
pub(crate) const PRACTICE: u32 = 48;

/// Reads the sample once more.
pub(crate) fn practise() {
    drop(read());
}

fn read() -> Desk {
    let mut desk = Desk::new(Profile::Lenient);
    for (path, bytes) in samples::IMPROVING {
        let source = desk.open(path, None);
        let _more = desk.push(source, bytes);
        desk.finish(source);
    }
    desk
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
