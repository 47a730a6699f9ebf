//! What a reward is and where it came from.

use crate::labels::labels;
labels! {
    /// Where a reward came from.
    Origin {
        /// The record states it.
        Reported = "reported",
        /// A `reward/derive-*` rule made it from other members.
        Derived = "derived",
        /// There is none.
        None = "none",
    }
}

labels! {
    /// Scale of a reward as written. Values are always 0..1.
    Scale {
        /// 0..1.
        Unit = "unit",
        /// 0..100.
        Percent = "percent",
        /// Part of a whole.
        Ratio = "ratio",
        /// A verdict.
        Bool = "bool",
        /// Ordered words.
        Ordinal = "ordinal",
    }
}

/// `q` of docs/spec/rules.md, "Terms": 9 decimals, half away from zero.
pub(crate) fn rounded(x: f64) -> f64 {
    let scaled = nearest(x * 1e9) / 1e9;
    // -0 would print a sign that means nothing.
    if scaled == 0.0 { 0.0 } else { scaled }
}

/// As `f64::round`, for which wasm has no instruction.
fn nearest(x: f64) -> f64 {
    let whole = x.trunc();
    if (x - whole).abs() >= 0.5 { whole + 1.0_f64.copysign(x) } else { whole }
}

/// A share; nothing of nothing is none.
#[expect(clippy::cast_precision_loss, reason = "counts of what is in memory")]
pub(crate) fn share(part: usize, all: usize) -> Option<f64> {
    (all > 0).then(|| rounded(part as f64 / all as f64))
}

/// A number of things, as answers have it.
pub fn count(n: impl TryInto<u32>) -> u32 {
    n.try_into().unwrap_or(u32::MAX)
}

/// Points of a reward or of a change of it.
pub(crate) fn points(reward: f64) -> f64 {
    rounded(100.0 * reward)
}

/// A change with its sign, from its size as it is written: a size that rounds to 0 has none.
pub(crate) fn signed(change: f64, size: &str) -> String {
    let sign = match change {
        _ if size.bytes().all(|b| matches!(b, b'0' | b'.')) => "",
        below if below < 0.0 => "\u{2212}",
        _ => "+",
    };
    format!("{sign}{size}")
}

/// A value whose field is declared to be 0..1 (`reward/detect`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Detected {
    /// 0..1 as written.
    Unit(f64),
    /// Written on a scale of 0..100: `reward/scale-mismatch`.
    Mismatch(f64),
    /// Below 0 or above 100: `reward/out-of-range`, no value.
    OutOfRange,
}

pub(crate) fn detect_unit(x: f64) -> Detected {
    if (0.0..=1.0).contains(&x) {
        Detected::Unit(rounded(x))
    } else if x > 1.0 && x <= 100.0 {
        Detected::Mismatch(rounded(x / 100.0))
    } else {
        Detected::OutOfRange
    }
}

/// A value whose field is declared to be 0..100: never reinterpreted. Nothing: out of range.
pub(crate) fn detect_percent(x: f64) -> Option<f64> {
    (0.0..=100.0).contains(&x).then(|| rounded(x / 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_is_round() {
        let halves = (-9..9).map(|n| f64::from(n) / 2.0);
        let edges = [0.499_999_999_999_999_94, 4_503_599_627_370_495.5, 9_007_199_254_740_993.0];
        let others = [f64::MAX, f64::INFINITY, f64::MIN_POSITIVE, 0.0, 1e300];
        for x in halves.chain(edges).chain(others).flat_map(|x| [x, -x, x.next_up(), x.next_down()])
        {
            assert_eq!(nearest(x).to_bits(), x.round().to_bits(), "{x}");
        }
        assert!(nearest(f64::NAN).is_nan());
    }

    #[test]
    fn percents_are_divided_whatever_they_look_like() {
        assert_eq!(detect_percent(55.000_000_000_000_01), Some(0.55));
        assert_eq!(detect_percent(0.4), Some(0.004));
        assert_eq!((detect_percent(-0.1), detect_percent(100.5)), (None, None));
    }

    #[test]
    fn detects_the_examples_of_the_rule() {
        assert_eq!(detect_unit(0.3), Detected::Unit(0.3));
        assert_eq!(detect_unit(55.0), Detected::Mismatch(0.55));
        assert_eq!(detect_unit(1.0), Detected::Unit(1.0));
        assert_eq!(detect_unit(-0.1), Detected::OutOfRange);
        assert_eq!(detect_unit(100.5), Detected::OutOfRange);
    }

    #[test]
    fn rounds_away_float_noise() {
        assert_eq!(rounded(55.000_000_000_000_01 / 100.0).to_bits(), 0.55f64.to_bits());
        assert_eq!(rounded(-1e-12).to_bits(), 0f64.to_bits());
    }
}
