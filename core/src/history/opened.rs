//! A record that was read again, when somebody looks at it.

use super::History;
use crate::error::{Error, ErrorCode};
use crate::format::parsed_record::ParsedRecord;
use crate::model::id::RecordId;
use crate::model::run_details::RunDetails;

/// A record that was read.
#[derive(Clone, Debug)]
pub(crate) enum Opened {
    Value(serde_json::Value),
    ParsedRecord(ParsedRecord),
}

impl History {
    /// What a record says of one of its runs as a whole.
    pub(crate) fn about_of(id: RecordId, part: u32, opened: &Opened) -> Result<RunDetails, Error> {
        let run = match opened {
            Opened::Value(_) => None,
            Opened::ParsedRecord(parsed) => parsed.runs.get(part as usize),
        };
        run.map(|run| run.about.clone()).ok_or_else(|| not_of_record(id))
    }
}

pub(super) fn not_of_record(id: RecordId) -> Error {
    Error::new(
        ErrorCode::WrongBytes,
        format!("The supplied bytes are not the bytes of record {}.", id.0),
    )
}
