//! The order of names: runs of digits compare as numbers.

use std::cmp::Ordering;

/// `trial_2` before `trial_10`; on ties fewer leading zeros first. All else compares by code point.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    let mut tie = Ordering::Equal;
    loop {
        match (left.first(), right.first()) {
            (None, None) => return tie.then_with(|| a.cmp(b)),
            (None, _) => return Ordering::Less,
            (_, None) => return Ordering::Greater,
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                let (x, rest_x) = number(left);
                let (y, rest_y) = number(right);
                let (short_x, short_y) = (without_zeros(x), without_zeros(y));
                let order = short_x.len().cmp(&short_y.len()).then_with(|| short_x.cmp(short_y));
                if order != Ordering::Equal {
                    return order;
                }
                tie = tie.then_with(|| x.len().cmp(&y.len()));
                (left, right) = (rest_x, rest_y);
            }
            (Some(x), Some(y)) => {
                if x != y {
                    return x.cmp(y);
                }
                left = left.get(1..).unwrap_or_default();
                right = right.get(1..).unwrap_or_default();
            }
        }
    }
}

fn number(text: &[u8]) -> (&[u8], &[u8]) {
    let len = text.iter().take_while(|b| b.is_ascii_digit()).count();
    text.split_at(len)
}

fn without_zeros(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&b| b == b'0').count();
    digits.get(zeros..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_sort_as_numbers() {
        let mut names = ["trial_10", "trial_2", "007", "7", "a", "a1b", "a01b", "trial_2x"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["7", "007", "a", "a1b", "a01b", "trial_2", "trial_2x", "trial_10"]);
    }
}
