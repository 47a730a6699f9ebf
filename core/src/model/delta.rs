//! Changes from one attempt to the next (docs/spec/rules.md, "Deltas").

use crate::model::reward::{self, rounded};

/// A change of reward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Delta {
    pub(crate) change: f64,
    /// Attempts without reward that it spans.
    pub(crate) gap: u32,
}

/// `delta/reward`: each reward against the nearest earlier one. No earlier one: no delta.
pub(crate) fn rewards(rewards: &[Option<f64>]) -> Vec<Option<Delta>> {
    let mut last: Option<(usize, f64)> = None;
    let mut deltas = Vec::with_capacity(rewards.len());
    for (k, reward) in rewards.iter().enumerate() {
        let delta = reward.zip(last).map(|(now, (j, earlier))| Delta {
            change: rounded(now - earlier),
            gap: reward::count(k - 1 - j),
        });
        last = reward.map(|now| (k, now)).or(last);
        deltas.push(delta);
    }
    deltas
}

/// A change this small is none.
const NOTHING: f64 = 1e-6;

/// `delta/is-improvement`.
pub(crate) fn is_improvement(reward: Option<f64>, errors: Option<i64>) -> Option<bool> {
    match (reward, errors) {
        (Some(d), _) if d > NOTHING => Some(true),
        (Some(d), _) if d < -NOTHING => Some(false),
        (_, Some(de)) => Some(de < 0),
        (Some(_), None) => Some(false),
        (None, None) => None,
    }
}

/// Whether a stored change says the same as the recomputed one. The tolerance is half a unit of the
/// last decimal written, but at most 0.005 and at least 1e-6.
pub(crate) fn agrees(stored: f64, decimals: u8, recomputed: f64) -> bool {
    let tolerance = (0.5 * 10_f64.powi(-i32::from(decimals.max(2)))).max(1e-6);
    (stored - recomputed).abs() <= tolerance + 1e-12
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_gaps() {
        let found = rewards(&[Some(0.35), Some(0.60), None, Some(0.85)]);
        let delta = |change, gap| Some(Delta { change, gap });
        assert_eq!(found, [None, delta(0.25, 0), None, delta(0.25, 1)]);
    }

    #[test]
    fn improvement_follows_the_table() {
        assert_eq!(is_improvement(Some(0.0), Some(-2)), Some(true));
        assert_eq!(is_improvement(Some(0.1), Some(5)), Some(true));
        assert_eq!(is_improvement(Some(-0.1), Some(-5)), Some(false));
        assert_eq!(is_improvement(None, Some(0)), Some(false));
        assert_eq!(is_improvement(Some(0.0), None), Some(false));
        assert_eq!(is_improvement(None, None), None);
    }

    #[test]
    fn tolerance_follows_the_written_decimals() {
        assert!(!agrees(-0.2, 1, -0.19));
        assert!(agrees(0.25, 2, 0.254));
        assert!(!agrees(0.250, 3, 0.254));
    }
}
