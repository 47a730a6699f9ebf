//! Numbers and durations inside text (docs/spec/formats.md, "Numbers and durations in text").
//!
//! A text is one number or it stays text: nothing is picked out of prose, and a bare number never
//! gets a unit.

use serde_json::Value;

use super::double;
use crate::model::omega::preset;
use crate::model::reward::{Scale, rounded};

/// A number, and what its spelling says of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Numeric {
    /// As written: 97.4 of `97.4%`, 0.8 of `12/15`.
    pub(crate) value: f64,
    /// Percent or ratio; a bare number has none.
    pub(crate) scale: Option<Scale>,
    /// Written with `~`, `about`, `<` or their like.
    pub(crate) is_approximate: bool,
}

impl Numeric {
    /// The number alone.
    fn bare(value: f64) -> Self {
        Self { value, scale: None, is_approximate: false }
    }

    /// Its share of a whole, 0..1, where the spelling names one and the value lies within it.
    pub(crate) fn share(self) -> Option<f64> {
        let share = match self.scale? {
            Scale::Percent => self.value / 100.0,
            Scale::Ratio => self.value,
            Scale::Unit | Scale::Bool | Scale::Ordinal => return None,
        };
        (0.0..=1.0).contains(&share).then(|| rounded(share))
    }
}

/// A number, or a text that is one.
pub(crate) fn of(value: &Value) -> Option<Numeric> {
    match value {
        Value::Number(number) => number.as_f64().map(Numeric::bare),
        Value::String(text) => read(text),
        _ => None,
    }
}

/// The largest integer that every reader of JSON holds exactly: 2⁵³ − 1. Larger integers in records are
/// not accepted, because JavaScript would round them to other numbers.
pub(crate) const MOST_INTEGER: i64 = (1 << 53) - 1;

/// An integer, if it is one that every reader holds.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "within 2⁵³")]
pub(crate) fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() <= MOST_INTEGER as f64).then_some(number as i64)
}

/// The same of a number without a scale, or of a text that is one.
pub(crate) fn integer(value: &Value) -> Option<i64> {
    of(value).filter(|n| n.scale.is_none()).and_then(|n| whole(n.value))
}

/// The same of digits alone.
pub(crate) fn digits(text: &str) -> Option<i64> {
    text.parse().ok().filter(|number| !is_beyond(*number))
}

/// The number of an iteration. One that is too large may become another one, which [`is_beyond`] finds too
/// large as well: it is refused (`number/beyond`), and not taken for a missing one.
#[expect(clippy::cast_possible_truncation, reason = "saturates, and such numbers are refused")]
pub(crate) fn iteration(value: &Value) -> Option<i64> {
    let number = of(value).filter(|n| n.scale.is_none() && n.value.fract() == 0.0);
    number.map(|n| n.value as i64)
}

/// The same of digits alone.
pub(crate) fn iteration_of_digits(text: &str) -> Option<i64> {
    (!text.is_empty() && is_digits(text)).then(|| text.parse().unwrap_or(i64::MAX))
}

/// Whether an integer is too large to keep.
pub(crate) fn is_beyond(number: i64) -> bool {
    number.unsigned_abs() > MOST_INTEGER.unsigned_abs()
}

/// Ω as written: a number, fraction included, or one of the words for it (`window/provenance`).
pub(crate) fn omega(value: &Value) -> Option<f64> {
    let count = of(value).filter(|n| n.scale.is_none()).map(|n| n.value);
    count.or_else(|| preset(value.as_str()?).map(f64::from))
}

/// Reads `97.4%`, `~85%`, `12/15`, `12 of 15`, `1,234`; anything else is no number.
pub(crate) fn read(text: &str) -> Option<Numeric> {
    let (text, is_approximate) = without_hedge(text);
    let (value, scale) = if let Some(percent) = text.strip_suffix('%') {
        (decimal(percent)?, Some(Scale::Percent))
    } else if let Some((part, whole)) = split(text) {
        (part / whole, Some(Scale::Ratio))
    } else {
        (decimal(text)?, None)
    };
    Some(Numeric { value, scale, is_approximate })
}

/// Part and whole of `12/15` or `12 of 15`.
pub(crate) fn parts(text: &str) -> Option<(f64, f64)> {
    split(without_hedge(text).0)
}

fn split(text: &str) -> Option<(f64, f64)> {
    let (part, whole) = text.split_once('/').or_else(|| text.split_once(" of "))?;
    Some((decimal(part)?, decimal(whole).filter(|whole| *whole > 0.0)?))
}

/// Reads `2m`, `1h 5m`, `45s`, `~5 minutes`, in milliseconds. Such texts are approximate.
pub(crate) fn duration_ms(text: &str) -> Option<f64> {
    let (mut rest, _) = without_hedge(text);
    let mut sum = None;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !matches!(c, '0'..='9' | '.' | ','))?;
        let (amount, tail) = rest.split_at(digits);
        let tail = tail.trim_start();
        let end = tail.find(|c: char| !c.is_alphabetic()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(end);
        sum = Some(sum.unwrap_or(0.0) + decimal(amount)? * unit_ms(unit)?);
        rest = tail.trim_start();
    }
    sum
}

/// Whether the name of a member says that its number is milliseconds.
pub(crate) fn is_ms(name: &str) -> bool {
    name.ends_with("_ms") || name.ends_with("Ms")
}

fn unit_ms(unit: &str) -> Option<f64> {
    Some(match unit.to_lowercase().as_str() {
        "ms" | "millisecond" | "milliseconds" => 1.0,
        "s" | "sec" | "secs" | "second" | "seconds" => 1_000.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60_000.0,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3_600_000.0,
        "d" | "day" | "days" => 86_400_000.0,
        _ => return None,
    })
}

/// The text without the one word or sign before it that says "roughly".
fn without_hedge(text: &str) -> (&str, bool) {
    const HEDGES: [&str; 7] = ["~", "≈", "about", "approx.", "approx", "<", ">"];
    let text = text.trim();
    let start =
        |hedge: &str| text.get(..hedge.len()).is_some_and(|t| t.eq_ignore_ascii_case(hedge));
    match HEDGES.into_iter().find(|hedge| start(hedge)) {
        Some(hedge) => (text.get(hedge.len()..).unwrap_or_default().trim_start(), true),
        None => (text, false),
    }
}

/// A decimal number, with or without commas between its thousands.
fn decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_plain =
        text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E'));
    if is_plain {
        return double::read(text).filter(|n| n.is_finite());
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut groups = whole.split(',');
    let first = groups.next()?;
    let lead = first.strip_prefix(['-', '+']).unwrap_or(first);
    let is_grouped = (1..=3).contains(&lead.len())
        && groups.all(|group| group.len() == 3 && is_digits(group))
        && is_digits(lead)
        && is_digits(fraction);
    if is_grouped { double::read(&text.replace(',', "")) } else { None }
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(text: &str, value: f64, scale: Option<Scale>, is_approximate: bool) {
        let read = read(text).expect("it is a number");
        assert!((read.value - value).abs() < 1e-12, "{text}: {read:?}");
        assert_eq!((read.scale, read.is_approximate), (scale, is_approximate), "{text}");
    }

    #[test]
    fn numbers_are_read() {
        reads("97.4%", 97.4, Some(Scale::Percent), false);
        reads("~85%", 85.0, Some(Scale::Percent), true);
        reads(" ≈ 85 % ", 85.0, Some(Scale::Percent), true);
        reads("12/15", 0.8, Some(Scale::Ratio), false);
        reads("approx. 12 of 15", 0.8, Some(Scale::Ratio), true);
        reads("1,234", 1234.0, None, false);
        reads("-1,234,567.5", -1_234_567.5, None, false);
        reads("About 40", 40.0, None, true);
        reads(">90%", 90.0, Some(Scale::Percent), true);
        reads("7", 7.0, None, false);
    }

    #[test]
    fn everything_else_stays_text() {
        for text in [
            "",
            "%",
            "~",
            "~~5",
            "1,5",
            "1,23,456",
            "12345,678",
            "1/0",
            "3/1/2026",
            "12 of",
            "5 kg",
            "14 of 15 fixtures",
            "85% (unit)",
            "inf",
            "NaN",
            "approximately 5",
            "0x10",
            "1,234,",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn shares_lie_within_the_whole() {
        let share = |text| read(text).and_then(Numeric::share);
        assert_eq!(share("97.4%"), Some(0.974));
        assert_eq!(share("12/15"), Some(0.8));
        assert_eq!(share("120%"), None);
        assert_eq!(share("16/15"), None);
        assert_eq!(share("0.5"), None, "a bare number names no whole");
        assert_eq!(parts("~12 of 15"), Some((12.0, 15.0)));
    }

    #[test]
    fn durations_are_read() {
        assert_eq!(duration_ms("2m"), Some(120_000.0));
        assert_eq!(duration_ms("1h 5m"), Some(3_900_000.0));
        assert_eq!(duration_ms("45s"), Some(45_000.0));
        assert_eq!(duration_ms("~5 minutes"), Some(300_000.0));
        assert_eq!(duration_ms("1.5h"), Some(5_400_000.0));
        assert_eq!(duration_ms("250 ms"), Some(250.0));
        for text in ["", "5", "5 apples", "soon", "m", "~", "5m later"] {
            assert_eq!(duration_ms(text), None, "{text}");
        }
    }
}
