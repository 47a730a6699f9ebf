//! Large sources that several instances read, each a piece of them.

pub(crate) mod wire;

pub use super::source::pieces::{Continuation, Piece, PieceReader};

use super::{History, More, no_such_source};
use crate::error::Error;
use crate::model::id::SourceId;
use crate::room;

impl History {
    /// What another instance needs to read on in a source from where this one stands. Nothing where
    /// only this one can: a source can be divided once it is known to be JSON Lines, while nothing
    /// is odd about it as a whole, and at the start of a line.
    ///
    /// # Example: two readers of one file
    ///
    /// ```
    /// use hindscope::{History, PieceReader, Profile};
    ///
    /// let line = |n| {
    ///     format!(r#"{{"trial_number":{n},"loop_id":"a","outcome":"failure","reflection":"Too fast."}}"#) + "\n"
    /// };
    /// let head: String = (1..=50).map(line).collect();
    /// let rest: String = (51..=99).map(line).collect();
    ///
    /// let mut history = History::new(Profile::Lenient);
    /// let source = history.open("loop.jsonl");
    /// history.push(source, head.as_bytes())?;
    /// let continuation = history.continuation(source)?.expect("it can be divided");
    ///
    /// let mut reader = PieceReader::new(continuation);
    /// reader.push(rest.as_bytes());
    /// history.append(source, reader.finish(), rest.as_bytes())?;
    /// history.finish(source)?;
    /// assert_eq!(history.runs()[0].iterations, 99);
    /// # Ok::<(), hindscope::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NoSuchSource`](crate::ErrorCode::NoSuchSource).
    pub fn continuation(&self, id: SourceId) -> Result<Option<Continuation>, Error> {
        let source = self.sources.get(id.index()).ok_or_else(|| no_such_source(id))?;
        Ok(source.continuation())
    }

    /// Hands over the next stretch of a source with what another instance has read there. The
    /// answer is that of [`History::push`]: a piece that cannot be taken over, or is of another
    /// source or length, is left, and the stretch is read here. That a piece is of this very stretch
    /// is for the caller to know: of its bytes nothing but their number is compared.
    ///
    /// # Errors
    ///
    /// [`NoSuchSource`](crate::ErrorCode::NoSuchSource);
    /// [`SourceFinished`](crate::ErrorCode::SourceFinished) after [`History::finish`].
    pub fn append(&mut self, id: SourceId, piece: Piece, stretch: &[u8]) -> Result<More, Error> {
        room::make();
        self.grouping.take();
        let source = self.sources.get_mut(id.index()).ok_or_else(|| no_such_source(id))?;
        source.append(piece, stretch, &mut self.table)
    }
}
