//! How sure a rate is, and a difference of two: intervals with a confidence of 95 %.

use serde::{Deserialize, Serialize};

use super::reward::{points, rounded};

/// The quantile of the normal distribution that leaves 2.5 % above it.
const Z: f64 = 1.959_963_984_540_054;

/// Between which values something lies, with a confidence of 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Interval {
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

impl Interval {
    /// In points of 100.
    pub(crate) fn points(self) -> Self {
        Self { low: points(self.low), high: points(self.high) }
    }

    /// Whether 0 lies outside of it.
    pub(crate) fn is_clear(self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// A count, and the count that it is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) part: u32,
    pub(crate) all: u32,
}

impl Rate {
    /// 0..1; none if `all` is 0.
    pub(crate) fn share(self) -> Option<f64> {
        (self.all > 0).then(|| f64::from(self.part) / f64::from(self.all))
    }

    /// By Wilson's score: within 0..1, and of some width at 0 and at 1, too.
    pub(crate) fn interval(self) -> Option<Interval> {
        let share = self.share()?;
        let all = f64::from(self.all);
        let middle = share + Z * Z / (2.0 * all);
        let reach = Z * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
        let scale = 1.0 + Z * Z / all;
        Some(Interval {
            low: rounded((middle - reach) / scale),
            high: rounded((middle + reach) / scale),
        })
    }
}

/// The difference of two rates by Newcombe's methods, from their intervals by Wilson. `correlation` is
/// that of pairs, as phi; 0 if nothing is paired.
pub(crate) fn difference(one: Rate, other: Rate, correlation: f64) -> Option<Interval> {
    let (share, its) = (one.share()?, one.interval()?);
    let (against, theirs) = (other.share()?, other.interval()?);
    let reach = |a: f64, b: f64| (a * a - 2.0 * correlation * a * b + b * b).max(0.0).sqrt();
    let low = reach(share - its.low, theirs.high - against);
    let high = reach(its.high - share, against - theirs.low);
    Some(Interval { low: rounded(share - against - low), high: rounded(share - against + high) })
}

/// How far two answers to the same questions go together, -1..1 (phi), from how often both were yes, only
/// one of them, and neither.
pub(crate) fn correlation(both: u32, only_one: u32, only_other: u32, neither: u32) -> f64 {
    let [a, b, c, d] = [both, only_one, only_other, neither].map(f64::from);
    let scale = ((a + b) * (c + d) * (a + c) * (b + d)).sqrt();
    if scale > 0.0 { (a * d - b * c) / scale } else { 0.0 }
}

/// McNemar's exact test, two-sided: how likely it is that pairs which differ split at least as unevenly
/// by chance.
pub(crate) fn mcnemar(only_one: u32, only_other: u32) -> f64 {
    let (few, all) = (only_one.min(only_other), only_one.saturating_add(only_other));
    // Binomial coefficients as multiples of the one at `few`: the largest may be more than an f64 holds.
    let (mut tail, mut term) = (1.0, 1.0);
    for k in (1..=few).rev() {
        term *= f64::from(k) / f64::from(all - k + 1);
        tail += term;
    }
    let (mut between, mut term) = (0.0, 1.0);
    for k in few + 1..all - few {
        term *= f64::from(all - k + 1) / f64::from(k);
        between += term;
    }
    (2.0 * tail / (2.0 * tail + between)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(part: u32, all: u32) -> Rate {
        Rate { part, all }
    }

    fn near(found: Option<Interval>, low: f64, high: f64) {
        let found = found.expect("there is one");
        let is_near = |a: f64, b: f64| (a - b).abs() < 2e-9;
        assert!(is_near(found.low, low) && is_near(found.high, high), "{found:?}: {low} {high}");
    }

    /// Roots of the score's equation, found by bisection.
    #[test]
    fn rates_have_the_interval_of_wilson() {
        near(rate(19, 50).interval(), 0.258_627_893_102, 0.518_495_530_690);
        near(rate(10, 50).interval(), 0.112_437_500_158, 0.330_371_059_322);
        near(rate(0, 10).interval(), 0.0, 0.277_532_799_863);
        near(rate(10, 10).interval(), 0.722_467_200_137, 1.0);
        near(rate(81, 263).interval(), 0.255_288_519_878, 0.366_209_576_983);
        near(rate(15, 148).interval(), 0.062_386_399_531, 0.160_487_241_723);
        assert_eq!(rate(0, 0).interval(), None);
    }

    /// The examples of Newcombe (1998), Statistics in Medicine 17, pages 873 and 2635.
    #[test]
    fn differences_have_the_intervals_of_newcombe() {
        near(difference(rate(56, 70), rate(48, 80), 0.0), 0.052_431_472, 0.333_872_654);
        near(difference(rate(9, 10), rate(3, 10), 0.0), 0.170_522_724, 0.809_017_974);
        near(difference(rate(5, 56), rate(0, 29), 0.0), -0.038_137_148, 0.192_560_014);
        let paired = |[a, b, c, d]: [u32; 4]| {
            let all = a + b + c + d;
            difference(rate(a + b, all), rate(a + c, all), correlation(a, b, c, d))
        };
        near(paired([36, 12, 2, 0]), 0.056_929_584, 0.340_427_602);
        near(paired([36, 14, 0, 0]), 0.152_839_518, 0.416_651_237);
        near(paired([2, 3, 0, 5]), 0.010_570_996, 0.528_412_552);
        near(paired([100, 23, 1, 10]), 0.099_462_790, 0.234_630_171);
        assert_eq!(difference(rate(1, 2), rate(0, 0), 0.0), None);
    }

    /// Sums of binomial coefficients in whole numbers.
    #[test]
    fn pairs_are_tested_exactly() {
        for (one, other, p) in [
            (24, 2, 1.049_041_748_046_875e-5),
            (23, 1, 2.980_232_238_769_531_2e-6),
            (6, 16, 0.052_478_790_283_203_125),
            (1, 5, 0.218_75),
            (0, 10, 0.001_953_125),
            (25, 3, 2.744_048_833_847_046e-5),
            (1200, 900, 6.337_277_315_775_436e-11),
            (0, 0, 1.0),
            (5, 5, 1.0),
        ] {
            for found in [mcnemar(one, other), mcnemar(other, one)] {
                assert!((found / p - 1.0).abs() < 1e-11, "{one} {other}: {found}");
            }
        }
        assert!(mcnemar(0, 100_000) < 1e-300);
    }
}
