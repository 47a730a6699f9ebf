//! What an unpacker does not give, or not to its end.

use super::Source;
use crate::error::Error;
use crate::history::row::Table;
use crate::model::finding::{Finding, Severity};
use crate::source::container::{Refusal, RefusalKind};
use crate::source::position::Position;

impl Source {
    /// It is not opened, or not to its end. What was pushed is read as far as it goes.
    pub(crate) fn refuse(&mut self, refusal: &Refusal, table: &mut Table) -> Result<(), Error> {
        self.open()?;
        let Refusal { kind, reason } = refusal;
        if self.bytes > 0 {
            let tally = &mut self.tally;
            self.reader.finish(&mut |event| tally.take(event, table));
            self.tally.conclude(self.bytes, self.reader.framing());
        }
        if *kind == RefusalKind::Unreadable {
            return self.fail(reason);
        }
        self.is_finished = true;
        self.has_failed = true;
        self.digest.finish(false);
        self.tally.reason = Some(reason.clone());
        let path = &self.tally.path;
        let finding = if *kind == RefusalKind::Bomb {
            Finding::new(
                kind.rule(),
                Severity::Error,
                format!("{path} is only unpacked in part: {reason}."),
            )
            .hint("If you trust the archive, raise the limit, or unpack it and open the folder.")
        } else {
            Finding::new(kind.rule(), Severity::Info, format!("{path} is not opened: {reason}."))
        };
        self.tally.find(finding, Position { offset: self.bytes, ..Position::START });
        Ok(())
    }
}
