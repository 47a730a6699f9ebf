//! Times: the `date-time` format as ajv-formats has it (`strict/format`), and what lenient
//! reading makes of the rest.

/// What a time text says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Time {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub(crate) ms: f64,
    /// How far it is from the format.
    pub(crate) form: Form,
}

/// How a time text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Form {
    /// A `date-time` with zone.
    Full,
    /// No zone: read as UTC (`time/no-zone`).
    NoZone,
    /// A date alone: read as midnight UTC (`time/date-only`).
    DateOnly,
}

/// Whether `text` is a valid `date-time`: the verdict of ajv-formats 3, full formats.
pub(crate) fn is_date_time(text: &str) -> bool {
    read(text).is_some_and(|t| t.form == Form::Full)
}

/// A time as records write it, in milliseconds since 1970-01-01T00:00:00Z; none if it is not one.
///
/// # Example: the time of a record
///
/// ```
/// assert_eq!(hindscope::moment_ms("1970-01-01T00:00:01Z"), Some(1000.0));
/// assert_eq!(hindscope::moment_ms("soon"), None);
/// ```
pub fn moment_ms(text: &str) -> Option<f64> {
    read(text.trim()).map(|time| time.ms)
}

/// Reads a time with or without zone, or a date.
pub(crate) fn read(text: &str) -> Option<Time> {
    let mut rest = text.as_bytes();
    let year = digits(&mut rest, 4)?;
    literal(&mut rest, b'-')?;
    let month = digits(&mut rest, 2)?;
    literal(&mut rest, b'-')?;
    let day = digits(&mut rest, 2)?;
    if !(1..=12).contains(&month) || day < 1 || day > days_in_month(year, month) {
        return None;
    }
    let midnight_ms = f64::from(days_since_1970(year, month, day)) * 86_400_000.0;
    if rest.is_empty() {
        return Some(Time { ms: midnight_ms, form: Form::DateOnly });
    }
    separator(&mut rest)?;
    let hour = digits(&mut rest, 2)?;
    literal(&mut rest, b':')?;
    let minute = digits(&mut rest, 2)?;
    literal(&mut rest, b':')?;
    let second = digits(&mut rest, 2)?;
    let fraction_ms = fraction(&mut rest)?;
    let (form, offset) = zone(&mut rest)?;
    if !rest.is_empty() || hour > 23 || minute > 59 {
        return None;
    }
    // A leap second stands only where UTC has it: at 23:59:60.
    let utc_minute = (hour * 60 + minute - offset).rem_euclid(1440);
    if second > 60 || (second == 60 && utc_minute != 1439) {
        return None;
    }
    let seconds = f64::from((hour * 60 + minute - offset) * 60 + second);
    Some(Time { ms: midnight_ms + seconds * 1000.0 + fraction_ms, form })
}

/// The `date-time` of milliseconds since 1970, if its year has four digits.
pub(crate) fn of_ms(ms: i64) -> Option<String> {
    const DAY_MS: i64 = 86_400_000;
    let (days, rest) = (ms.div_euclid(DAY_MS), ms.rem_euclid(DAY_MS));
    // Days are counted from 1 March of year 0, so that a leap day ends its year.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let day = day - (153 * shifted + 2) / 5 + 1;
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, ms) = (rest / 1_000 % 60, rest % 1_000);
    (0..=9_999).contains(&year).then(|| {
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z")
    })
}

fn digits(rest: &mut &[u8], count: usize) -> Option<i32> {
    let (head, tail) = rest.split_at_checked(count)?;
    let value = head
        .iter()
        .try_fold(0, |sum, b| b.is_ascii_digit().then(|| sum * 10 + i32::from(b - b'0')))?;
    *rest = tail;
    Some(value)
}

fn literal(rest: &mut &[u8], byte: u8) -> Option<()> {
    *rest = rest.strip_prefix(&[byte])?;
    Some(())
}

/// `T`, `t` or one white-space character of JavaScript's `\s`.
fn separator(rest: &mut &[u8]) -> Option<()> {
    let text = std::str::from_utf8(rest).ok()?;
    let c = text.chars().next()?;
    // `\s` is the white space of Unicode, but for these two.
    let is_space = c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}');
    if c != 'T' && c != 't' && !is_space {
        return None;
    }
    *rest = rest.get(c.len_utf8()..)?;
    Some(())
}

/// Milliseconds of a fraction; a dot asks for a digit.
fn fraction(rest: &mut &[u8]) -> Option<f64> {
    let Some(tail) = rest.strip_prefix(b".") else { return Some(0.0) };
    let len = tail.iter().take_while(|b| b.is_ascii_digit()).count();
    if len == 0 {
        return None;
    }
    let (head, tail) = tail.split_at_checked(len)?;
    *rest = tail;
    let ms = head.iter().take(3).fold(0, |sum, b| sum * 10 + u32::from(b - b'0'));
    Some(f64::from(ms * [1, 100, 10, 1][len.min(3)]))
}

/// Reads a zone to the end of the text, in minutes east of UTC. A missing zone is no failure, an
/// incomplete one is (`None`).
fn zone(rest: &mut &[u8]) -> Option<(Form, i32)> {
    let sign = match rest.first() {
        None => return Some((Form::NoZone, 0)),
        Some(b'Z' | b'z') => {
            literal(rest, rest[0])?;
            return Some((Form::Full, 0));
        }
        Some(b'+') => 1,
        Some(b'-') => -1,
        Some(_) => return None,
    };
    literal(rest, rest[0])?;
    let hours = digits(rest, 2)?;
    let minutes = if rest.is_empty() {
        0
    } else {
        // The colon is optional, as in ajv-formats.
        let _ = literal(rest, b':');
        digits(rest, 2)?
    };
    (hours <= 23 && minutes <= 59).then_some((Form::Full, sign * (hours * 60 + minutes)))
}

fn is_leap(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in_month(year: i32, month: i32) -> i32 {
    match month {
        2 => 28 + i32::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days of the proleptic Gregorian calendar; years are counted from March so that the leap day
/// comes last.
fn days_since_1970(year: i32, month: i32, day: i32) -> i32 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_and_refuses_as_ajv_does() {
        for text in [
            "2026-03-01T09:00:00Z",
            "2026-03-01t09:00:00z",
            "2026-03-01 09:00:00Z",
            "2026-03-01\u{2003}09:00:00Z",
            "2026-03-01T09:00:00.123456789+05:30",
            "2026-03-01T09:00:00+0530",
            "2026-03-01T09:00:00+05",
            "2026-03-01T09:00:00-00:00",
            "2026-12-31T23:59:60Z",
            "2026-12-31T18:59:60-05:00",
            "0000-01-01T00:00:00Z",
            "2024-02-29T00:00:00Z",
            "2000-02-29T00:00:00Z",
        ] {
            assert!(is_date_time(text), "{text}");
        }
        for text in [
            "2026-03-01T10:30:60Z",
            "2026-03-01T24:00:00Z",
            "2026-03-01T09:00Z",
            "2026-03-01T09:00:00",
            "2026-03-01",
            "2026-03-01T09:00:00.Z",
            " 2026-03-01T09:00:00Z",
            "2026-03-01T09:00:00Z ",
            "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-03-01T09:00:00+24:00",
            "2026-03-01T09:00:00+05:60",
            "2026-03-01T09:00:00\u{2212}05:00",
            "12026-03-01T09:00:00Z",
            "2026-03-01TT09:00:00Z",
            "2026-03-01T09:00:00+5",
            "2026-03-01T09:00:00+053",
            "",
        ] {
            assert!(!is_date_time(text), "{text}");
        }
    }

    #[test]
    fn writes_instants() {
        for (text, ms) in [
            ("1970-01-01T00:00:00.000Z", 0),
            ("2024-02-29T23:59:59.999Z", 1_709_251_199_999),
            ("2026-03-01T09:00:00.000Z", 1_772_355_600_000),
            ("1969-12-31T23:59:59.000Z", -1_000),
        ] {
            assert_eq!(of_ms(ms).as_deref(), Some(text));
        }
        for ms in (0..400).map(|i| i * 86_400_000 * 37) {
            #[expect(clippy::cast_precision_loss, reason = "days are few")]
            let same = ms as f64;
            assert_eq!(of_ms(ms).and_then(|t| read(&t)).map(|t| t.ms), Some(same));
        }
        assert_eq!(of_ms(i64::MAX), None);
    }

    #[test]
    fn reads_instants() {
        let ms = |text| read(text).map(|t| t.ms);
        assert_eq!(ms("1970-01-01T00:00:00Z"), Some(0.0));
        assert_eq!(ms("2026-01-25T10:30:00.25Z"), Some(1_769_337_000_250.0));
        assert_eq!(ms("2026-01-25T12:30:00+02:00"), ms("2026-01-25T10:30:00Z"));
        assert_eq!(read("2026-01-25").map(|t| t.form), Some(Form::DateOnly));
        assert_eq!(read("2026-01-25T10:30:00").map(|t| t.form), Some(Form::NoZone));
    }
}
