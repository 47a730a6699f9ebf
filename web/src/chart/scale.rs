//! Numbers along an axis.

use hindscope::round_step;

/// Where the axis is labelled: positions of numbers that divide by a round step, `least` pixels
/// apart.
pub(crate) fn labels(numbers: &[i64], slot: f64, least: f64) -> Vec<usize> {
    if numbers.is_empty() || slot <= 0.0 {
        return Vec::new();
    }
    let step = round_step(least / slot);
    let mut at: Vec<usize> =
        (0..numbers.len()).filter(|at| numbers[*at].rem_euclid(step) == 0).collect();
    // The first number says what counting begins with.
    #[expect(clippy::cast_precision_loss, reason = "positions on a screen")]
    if at.first().is_none_or(|first| *first as f64 * slot >= least) {
        at.insert(0, 0);
    }
    at
}

#[expect(clippy::cast_precision_loss, reason = "positions in a list")]
pub(crate) fn float(position: usize) -> f64 {
    position as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a position in a list")]
pub(super) fn position(place: f64) -> usize {
    place.max(0.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_round_and_apart() {
        let numbers: Vec<i64> = (1..=14).collect();
        assert_eq!(labels(&numbers, 40.0, 30.0), (0..14).collect::<Vec<_>>());
        assert_eq!(labels(&numbers, 10.0, 30.0), [0, 4, 9], "1, 5, 10");
        let far: Vec<i64> = (997..=1010).collect();
        assert_eq!(labels(&far, 8.0, 40.0), [3, 8, 13], "1000, 1005, 1010; 997 is too near");
        assert_eq!(labels(&[], 10.0, 30.0), [0usize; 0]);
    }
}
