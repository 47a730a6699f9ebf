//! Places in pixels.

use hindscope::round_step;

/// Maps values to pixels along one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    /// Values at the two ends.
    pub(crate) values: [f64; 2],
    /// Pixels at the two ends.
    pub(crate) pixels: [f64; 2],
}

impl Scale {
    pub(crate) fn at(&self, value: f64) -> f64 {
        let [low, high] = self.values;
        let [from, to] = self.pixels;
        if high <= low {
            return f64::midpoint(from, to);
        }
        from + (value - low) / (high - low) * (to - from)
    }

    /// The one of so many items, which stand at 0, 1, 2 and so on, that is nearest to a place in pixels.
    pub(crate) fn nearest(&self, pixel: f64, items: usize) -> Option<usize> {
        (0..items).min_by(|a, b| {
            let far = |item: usize| (self.at(float(item)) - pixel).abs();
            far(*a).total_cmp(&far(*b))
        })
    }

    /// Pixels per unit.
    pub(crate) fn step(&self) -> f64 {
        (self.at(1.0) - self.at(0.0)).abs()
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_fall_where_they_should() {
        let lane = Scale { values: [0.0, 1.0], pixels: [110.0, 10.0] };
        assert!((lane.at(0.5) - 60.0).abs() < 1e-9);
        let along = Scale { values: [-0.5, 2.5], pixels: [0.0, 300.0] };
        assert_eq!([0.0, 99.0, 101.0, 299.0].map(|x| along.nearest(x, 3)), [0, 0, 1, 2].map(Some));
        assert_eq!(along.nearest(50.0, 0), None);
    }

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
