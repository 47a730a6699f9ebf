//! Times of a task never go back.

use super::records::Notes;
use crate::error::{Error, ErrorCode};
use crate::model::datetime;

/// Accepts a date-time of the host.
pub(super) fn check(name: &str, text: &str) -> Result<f64, Error> {
    let time = datetime::read(text).filter(|_| datetime::is_date_time(text));
    time.map(|time| time.ms).ok_or_else(|| {
        let shown: String = text.chars().take(60).collect();
        Error::new(
            ErrorCode::InvalidRequest,
            format!("`{name}` must be an RFC 3339 date-time with a time zone, found {shown:?}."),
        )
    })
}

/// Whether one time is before another; not if either is none.
pub(super) fn is_before(a: &str, b: &str) -> bool {
    let times = datetime::read(a).zip(datetime::read(b));
    times.is_some_and(|(a, b)| a.ms < b.ms)
}

/// The time to write: `now`, unless one that is known is later (`memory/clock-back`). Known texts that
/// are no times are passed over.
pub(super) fn monotone<'a>(
    now: &str,
    known: impl IntoIterator<Item = Option<&'a str>>,
    path: &str,
    notes: &mut Notes,
) -> Result<String, Error> {
    let now_ms = check("now", now)?;
    let known = known.into_iter().flatten();
    let times = known.filter_map(|text| Some((text, datetime::read(text)?.ms)));
    let latest = times.max_by(|a, b| a.1.total_cmp(&b.1));
    match latest.filter(|(text, ms)| *ms > now_ms && datetime::is_date_time(text)) {
        None => Ok(now.to_owned()),
        Some((latest, _)) => {
            let message = format!(
                "The time {now} is before {latest}, the last time recorded for this task or loop. {latest} is used instead."
            );
            notes.warn(path, "memory/clock-back", message);
            Ok(latest.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_time_counts() {
        let mut notes = Notes::default();
        let now = "2026-03-05T10:00:00+01:00";
        let mut time =
            |known: &[&str]| monotone(now, known.iter().map(|t| Some(*t)), "p", &mut notes);
        assert_eq!(time(&["2026-03-05T08:59:59Z", "soon"]).as_deref(), Ok(now));
        assert_eq!(time(&["2026-03-05T09:00:00Z"]).as_deref(), Ok(now), "the same instant");
        assert_eq!(
            time(&["2026-03-05T09:00:01Z", "2026-03-05T09:00:00Z"]).as_deref(),
            Ok("2026-03-05T09:00:01Z")
        );
        assert_eq!(notes.0.len(), 1);
        assert_eq!(notes.0[0].finding.rule, "memory/clock-back");
        let error = monotone("yesterday", [], "p", &mut notes).expect_err("no time");
        assert_eq!(error.code(), ErrorCode::InvalidRequest);
    }
}
