//! Numbers as people read them.
//!
//! Rewards have three decimals and deltas a sign, so that columns of them line up. Absence is
//! never written here: who has no number asks for no text.

use std::cell::Cell;

use crate::browser;

thread_local! {
    static IN_POINTS: Cell<bool> = const { Cell::new(false) };
}

/// Rewards are written as points from now on, or from 0 to 1.
pub(crate) fn write_points(is_on: bool) {
    IN_POINTS.set(is_on);
}

/// A reward, 0..1: three decimals, or points with one.
pub(crate) fn reward(value: f64) -> String {
    if IN_POINTS.get() { points(value) } else { browser::decimal(value, 3, false) }
}

/// A change, with its sign. What rounds to nothing has none.
pub(crate) fn delta(value: f64) -> String {
    if IN_POINTS.get() { points_delta(value) } else { browser::decimal(value, 3, true) }
}

/// A reward as points, 0..100.
pub(crate) fn points(value: f64) -> String {
    browser::decimal(value * 100.0, 1, false)
}

/// A change in points, with its sign.
pub(crate) fn points_delta(value: f64) -> String {
    browser::decimal(value * 100.0, 1, true)
}

/// The number in full, for hovering and for copies, if it has more than three decimals or if rewards are
/// written as points.
pub(crate) fn exact(value: f64) -> Option<String> {
    let full = value.to_string();
    let places = full.split_once('.').map_or(0, |(_, digits)| digits.len());
    (places > 3 || IN_POINTS.get()).then_some(full)
}

/// A whole change, with its sign.
pub(crate) fn whole_delta(value: i64) -> String {
    match value {
        0 => "0".to_owned(),
        1.. => format!("+{value}"),
        _ => format!("\u{2212}{}", value.unsigned_abs()),
    }
}

/// A share, as whole per cent that says 100 only of all and 0 only of none.
pub(crate) fn percent(part: f64, whole: f64) -> String {
    if whole <= 0.0 {
        return String::new();
    }
    let share = part / whole * 100.0;
    if part < whole && share > 99.0 {
        "99 %".to_owned()
    } else if part > 0.0 && share < 1.0 {
        "1 %".to_owned()
    } else {
        format!("{} %", browser::decimal(share, 0, false))
    }
}

/// Tokens: a whole number.
pub(crate) fn tokens(value: f64) -> String {
    browser::decimal(value, 0, false)
}

/// US dollars with two decimals, or three below 0.1; `< 0.001` for less than 0.0005.
pub(crate) fn dollars(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        few if few < 0.0005 => format!("< {}", browser::decimal(0.001, 3, false)),
        few if few < 0.1 => browser::decimal(value, 3, false),
        _ => browser::decimal(value, 2, false),
    }
}

/// A length, with three significant digits at most.
pub(crate) fn bytes(length: f64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KB", "MB", "GB", "TB"];
    let mut value = length;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    match unit {
        0 if (0.5..1.5).contains(&length) => "1 byte".to_owned(),
        0 => format!("{value:.0} bytes"),
        _ if value < 9.95 => format!("{} {}", browser::decimal(value, 1, false), UNITS[unit]),
        _ => format!("{value:.0} {}", UNITS[unit]),
    }
}

/// `one` as it is for a count of 1, else with an s.
pub(crate) fn noun(count: u64, one: &str) -> String {
    if count == 1 { one.to_owned() } else { format!("{one}s") }
}

/// A count with its noun.
pub(crate) fn counted(count: u32, one: &str) -> String {
    format!("{} {}", browser::whole(count), noun(u64::from(count), one))
}

/// A place in a row, in words: "2nd".
pub(crate) fn ordinal(n: usize) -> String {
    let ending = match (n % 100, n % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// A list as a sentence has it, long ones shortened with a count.
pub(crate) fn numbers(list: &[i64]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for neighbours in list.chunk_by(|a, b| a + 1 == *b) {
        match neighbours {
            [first, _, .., end] => parts.push(format!("{first}\u{2013}{end}")),
            few => parts.extend(few.iter().map(i64::to_string)),
        }
    }
    if parts.len() > 12 {
        let more = parts.len() - 12;
        parts.truncate(12);
        parts.push(format!("and {more} more"));
    }
    parts.join(", ")
}

/// A length of time in its two largest units.
pub(crate) fn duration(ms: f64) -> String {
    if ms < 1000.0 {
        return format!("{ms:.0} ms");
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole seconds")]
    let seconds = (ms / 1000.0).round() as u64;
    let (days, hours) = (seconds / 86_400, seconds / 3600 % 24);
    let (minutes, rest) = (seconds / 60 % 60, seconds % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{rest} s"),
        (0, 0, _) => format!("{minutes} m {rest} s"),
        (0, ..) => format!("{hours} h {minutes} m"),
        _ => format!("{days} d {hours} h"),
    }
}

/// What a group is called; files that were not in a folder have none of their own.
pub(crate) fn group_label(label: &str) -> String {
    if label.is_empty() { "single files".to_owned() } else { label.to_owned() }
}

/// The size of a window in words.
pub(crate) fn omega_text(omega: Option<u8>) -> String {
    omega.map_or_else(|| "unbounded".to_owned(), |omega| omega.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_and_deltas_line_up() {
        assert_eq!(reward(0.41), "0.410");
        assert_eq!(delta(0.14), "+0.140");
        assert_eq!(delta(-0.12), "−0.120");
        assert_eq!(delta(-0.0001), "0.000");
        assert_eq!((points(0.555), points_delta(-0.12)), ("55.5".into(), "−12.0".into()));
        assert_eq!((points_delta(0.14), points_delta(0.0001)), ("+14.0".into(), "0.0".into()));
        assert_eq!(whole_delta(-2), "−2");
        assert_eq!(whole_delta(3), "+3");
    }

    #[test]
    fn rewards_are_points_where_that_was_chosen() {
        write_points(true);
        assert_eq!((reward(0.41), delta(-0.12)), ("41.0".to_owned(), "\u{2212}12.0".to_owned()));
        assert_eq!(exact(0.41).as_deref(), Some("0.41"), "the number as it is recorded");
        write_points(false);
        assert_eq!(exact(0.41), None, "nothing is left out");
        assert_eq!(exact(0.55).as_deref(), None);
        assert_eq!(exact(1.0 / 3.0).as_deref(), Some("0.3333333333333333"));
    }

    #[test]
    fn shares_do_not_round_to_all_or_none() {
        assert_eq!(percent(133.0, 134.0), "99 %");
        assert_eq!(percent(999.0, 1000.0), "99 %");
        assert_eq!(percent(1.0, 1000.0), "1 %");
        assert_eq!(percent(0.0, 9.0), "0 %");
        assert_eq!(percent(9.0, 9.0), "100 %");
        assert_eq!(percent(0.0, 0.0), "");
    }

    #[test]
    fn lengths_and_counts() {
        assert_eq!(bytes(1.0), "1 byte");
        assert_eq!(bytes(812.0), "812 bytes");
        assert_eq!(bytes(3_221_225_472.0), "3.2 GB");
        assert_eq!(bytes(124_000_000.0), "124 MB");
        assert_eq!(bytes(999_600.0), "1.0 MB");
    }

    #[test]
    fn lists_of_numbers_shorten_runs() {
        assert_eq!(numbers(&[6, 7, 8]), "6–8");
        assert_eq!(numbers(&[1, 2, 5]), "1, 2, 5");
        assert_eq!(numbers(&[]), "");
    }

    #[test]
    fn lengths_of_time_have_two_units() {
        let all = [250.0, 42_000.0, 192_000.0, 8_100_000.0, 100_800_000.0].map(duration);
        assert_eq!(all, ["250 ms", "42 s", "3 m 12 s", "2 h 15 m", "1 d 4 h"]);
    }
}
