//! The part of a text that shows a match.

use crate::model::reward::count;
use serde::{Deserialize, Serialize};

/// Characters before the first match, and in all.
const BEFORE: usize = 48;
const MOST: usize = 200;

/// A stretch of an excerpt that matches, in UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// First unit, from 0.
    pub start: u32,
    /// The unit after the last one.
    pub end: u32,
}

/// An excerpt around the first match.
pub(super) struct Excerpt {
    pub(super) text: String,
    pub(super) marks: Vec<Mark>,
    pub(super) has_before: bool,
    pub(super) has_after: bool,
}

/// Places in order; those that overlap or touch are one.
pub(super) fn merged(mut places: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    places.sort_unstable();
    let mut merged: Vec<(usize, usize)> = Vec::with_capacity(places.len());
    for (start, end) in places {
        match merged.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}

pub(super) fn excerpt(text: &str, places: &[(usize, usize)]) -> Excerpt {
    let first = places.first().map_or(0, |place| place.0);
    let head = text.get(..first).unwrap_or_default();
    let start = head.char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.char_indices().nth(MOST).map_or(text.len(), |(at, _)| start + at);
    let shown = text.get(start..end).unwrap_or_default();
    let units = |at: usize| {
        let before = shown.get(..at.saturating_sub(start)).unwrap_or(shown);
        count(before.encode_utf16().count())
    };
    // A match is marked whole or not, but for a first one that is longer than all that is shown.
    let inside = places.iter().filter(|place| place.1 <= end || place.0 == first);
    let marks = inside.map(|place| Mark { start: units(place.0), end: units(place.1.min(end)) });
    Excerpt {
        marks: marks.collect(),
        text: shown.to_owned(),
        has_before: start > 0,
        has_after: end < text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_around_the_first_match() {
        let text = format!("{}timeout{}timeout", "é".repeat(100), "x".repeat(300));
        let places = [(200, 207), (507, 514)];
        let cut = excerpt(&text, &places);
        assert_eq!(cut.text.chars().count(), MOST);
        assert!(cut.has_before && cut.has_after);
        assert_eq!(cut.marks, [Mark { start: 48, end: 55 }]);
        let short = excerpt("a 𝄞 timeout", &[(7, 14)]);
        assert_eq!((short.has_before, short.has_after), (false, false));
        assert_eq!(short.marks, [Mark { start: 5, end: 12 }]);
    }

    #[test]
    fn what_touches_is_one() {
        assert_eq!(merged(vec![(5, 8), (0, 2), (2, 4), (6, 7)]), [(0, 4), (5, 8)]);
    }
}
