//! What an unpacker does not give, or not to its end.

use super::{Shared, Source};
use crate::error::Error;
use crate::model::finding::{Finding, Severity};
use crate::source::container::{Refusal, RefusalKind};
use crate::source::position::Position;

impl Source {
    /// It is not opened, or not to its end. What was pushed is read as far as it goes. `is_begun`:
    /// entries of it were opened before.
    pub(crate) fn refuse(
        &mut self,
        refusal: &Refusal,
        is_begun: bool,
        shared: &mut Shared<'_>,
    ) -> Result<(), Error> {
        self.open()?;
        self.uncount(shared);
        let Refusal { kind, reason } = refusal;
        if self.bytes > 0 {
            shared.readings.turn_to(&self.tally.path);
            let tally = &mut self.tally;
            self.reader.finish(&mut |event| tally.take(event, shared));
            let expected = &shared.readings.promises.names;
            self.tally.conclude(self.bytes, self.reader.framing(), expected);
        }
        if *kind == RefusalKind::Unreadable {
            const HINT: &str =
                "What could be read is kept. If the file is damaged, get another copy of it.";
            return self.unreadable([" without errors", HINT], reason, shared);
        }
        self.is_finished = true;
        self.has_failed = true;
        self.digest.finish(false);
        self.tally.reason = Some(reason.clone());
        let path = &self.tally.path;
        let finding = if *kind == RefusalKind::Bomb {
            Finding::new(
                kind.as_str(),
                Severity::Error,
                format!("{path} is only opened in part: {reason}."),
            )
            .hint("If you trust the archive, unpack it and open the folder.")
        } else {
            let how = if is_begun { "is only opened in part" } else { "is not opened" };
            Finding::new(kind.as_str(), Severity::Info, format!("{path} {how}: {reason}."))
        };
        self.tally.find(finding, Position { offset: self.bytes, ..Position::START });
        self.let_go(shared);
        Ok(())
    }
}
