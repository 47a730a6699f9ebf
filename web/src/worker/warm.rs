//! Makes the worker ready before its first files come.
//!
//! Browsers compile a function when it is called for the first time: without this the first rows of
//! the first files wait for all that reading and listing need.

use hindscope::Profile;

use super::answer;
use super::desk::Desk;
use crate::platform;
use crate::protocol::{Choice, FromWorker, Query, Rows};
use crate::samples;

/// Rows of a list on a screen, more or less.
const ROWS: u32 = 40;

/// Does once, with a sample, what every opening does: read, sum up, list, and write that down.
pub(crate) fn up() {
    let mut desk = read();
    desk.changed();
    platform::write_down(&FromWorker::SoFar(desk.summary()));
    let rows = Rows { first: 0, count: ROWS };
    let query = Query::Runs { choice: Choice::default(), rows, looked: None };
    if let Ok(answer) = answer::answer(&mut desk, query) {
        platform::write_down(&FromWorker::Answer { id: 0, answer });
    }
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
