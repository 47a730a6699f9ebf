//! The order in which people expect names with numbers in them.

use std::cmp::Ordering;

/// Compares texts with runs of digits as numbers: `env_2` before `env_10`.
pub(crate) fn natural(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    loop {
        let (Some(x), Some(y)) = (left.first(), right.first()) else {
            return left.len().cmp(&right.len());
        };
        let order = if x.is_ascii_digit() && y.is_ascii_digit() {
            let (a, b) = (digits(left), digits(right));
            (left, right) = (&left[a.len()..], &right[b.len()..]);
            number(a, b)
        } else {
            (left, right) = (&left[1..], &right[1..]);
            x.to_ascii_lowercase().cmp(&y.to_ascii_lowercase())
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Compares digits by value, however many there are; equal ones by length.
fn number(left: &[u8], right: &[u8]) -> Ordering {
    let (a, b) = (trim_zeros(left), trim_zeros(right));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b)).then_with(|| left.len().cmp(&right.len()))
}

fn digits(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| !byte.is_ascii_digit());
    &text[..end.unwrap_or(text.len())]
}

fn trim_zeros(digits: &[u8]) -> &[u8] {
    let start = digits.iter().position(|byte| *byte != b'0');
    &digits[start.unwrap_or(digits.len())..]
}
