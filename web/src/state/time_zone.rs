//! Times of records: as they were recorded, in the reader's zone, or in UTC.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::platform;

/// In which zone times are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub(crate) enum Clock {
    /// As the record has it.
    #[default]
    Recorded,
    /// As clocks on the reader's wall have it.
    Local,
    #[strum(serialize = "UTC")]
    Utc,
}

impl Clock {
    /// The choice of the last visit.
    pub(super) fn kept() -> Self {
        let saved = platform::stored(STORED_AS).unwrap_or_default();
        saved.parse().unwrap_or_default()
    }

    /// Keeps this choice for the next visit.
    pub(super) fn keep(self) {
        let word = (self != Self::Recorded).then_some(self.into_str());
        platform::store(STORED_AS, word);
    }
}

const STORED_AS: &str = "hindscope.clock";

/// A time for reading: the text, and what is to be known about its zone.
pub(crate) fn shown_time(text: &str, clock: Clock) -> (String, &'static str) {
    let has_zone = has_zone(text);
    let none = if has_zone || !is_time(text) { "" } else { "no zone recorded" };
    let other = match clock {
        Clock::Recorded => None,
        // Without a zone nobody knows which moment is meant.
        Clock::Local => has_zone.then(|| platform::local_time(text)).flatten(),
        Clock::Utc => has_zone.then(|| platform::utc_time(text)).flatten(),
    };
    (other.unwrap_or_else(|| text.to_owned()), none)
}

/// `2026-03-02T09:06:00` and what may follow it.
fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let is = |at: usize, any: &[u8]| bytes.get(at).is_some_and(|byte| any.contains(byte));
    [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15].into_iter().all(digit)
        && is(4, b"-")
        && is(7, b"-")
        && is(10, b"Tt ")
        && is(13, b":")
}

fn has_zone(text: &str) -> bool {
    if !is_time(text) {
        return false;
    }
    let zone =
        text[16..].trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ':' | '.'));
    let is_offset = zone.len() >= 3
        && zone.starts_with(['+', '-'])
        && zone[1..].bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    matches!(zone, "Z" | "z") || is_offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_without_zone_says_so() {
        let recorded = |text: &str| shown_time(text, Clock::Recorded);
        assert_eq!(recorded("2026-03-02T09:06:00Z"), ("2026-03-02T09:06:00Z".to_owned(), ""));
        assert_eq!(recorded("2026-03-02T09:06:00.5+05:30").1, "");
        assert_eq!(recorded("2026-03-02 09:06:00").1, "no zone recorded");
        assert_eq!(recorded("yesterday").1, "", "no time at all");
        assert_eq!(shown_time("2026-03-02T09:06:00", Clock::Utc).0, "2026-03-02T09:06:00");
    }
}
