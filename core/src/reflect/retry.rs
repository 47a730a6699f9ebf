//! When a failed call is made again (docs/spec/loop.md, 15.4).

use super::config::{Retry, RetryOn};
use super::step::StepKind;

/// Whether calls of this kind are tried again.
pub(crate) fn covers(retry: &Retry, kind: &StepKind) -> bool {
    let kind = match kind {
        StepKind::Generate { .. } => RetryOn::Generate,
        StepKind::EvaluateLlm { .. } | StepKind::EvaluateCustom { .. } => RetryOn::Evaluate,
        StepKind::Correct { .. } => RetryOn::Correct,
        StepKind::ResolveSchema { .. } => RetryOn::Resolve,
        StepKind::Wait { .. } | StepKind::Done { .. } | StepKind::Failed { .. } => return false,
    };
    retry.on.contains(&kind)
}

/// Milliseconds to wait after try `n` of a step. `place` is `iteration.candidate.step`, where
/// `step` is the step's type and a step without candidate has 0.
pub(crate) fn delay_ms(
    retry: &Retry,
    seed: u64,
    place: &str,
    n: u32,
    retry_after_ms: Option<f64>,
) -> f64 {
    // By multiplication: powers may differ in the last digit from platform to platform.
    let mut delay = retry.initial_ms;
    for _ in 1..n {
        // Beyond the ceiling, and where nothing changes, there is nothing to multiply.
        if delay >= retry.max_ms || delay == 0.0 || retry.factor <= 1.0 {
            break;
        }
        delay *= retry.factor;
    }
    let delay =
        delay.min(retry.max_ms) * (1.0 - retry.jitter * chance(seed, &format!("{place}.{n}")));
    delay.max(retry_after_ms.unwrap_or(0.0)).round()
}

/// A number from 0 to below 1 that depends on the seed and the place only.
fn chance(seed: u64, place: &str) -> f64 {
    let bits = splitmix64(seed ^ fnv1a(place.as_bytes())) >> 11;
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    let number = bits as f64;
    // 2^53.
    number / 9_007_199_254_740_992.0
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn splitmix64(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "delays are whole numbers, and the same every time")]
mod tests {
    use super::*;

    fn retry(jitter: f64) -> Retry {
        Retry { max: 9, max_ms: 3000.0, jitter, ..Retry::default() }
    }

    #[test]
    fn delays_double_up_to_the_ceiling_and_are_never_below_what_is_asked() {
        let delays: Vec<f64> =
            (1..6).map(|n| delay_ms(&retry(0.0), 0, "1.1.generate", n, None)).collect();
        assert_eq!(delays, [500.0, 1000.0, 2000.0, 3000.0, 3000.0]);
        assert_eq!(delay_ms(&retry(0.0), 0, "1.1.generate", 1, Some(7000.4)), 7000.0);
    }

    /// Known answers of the two functions, from their authors' texts.
    #[test]
    fn chance_is_made_of_splitmix64_and_fnv_1a() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(splitmix64(0), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn jitter_takes_away_at_most_its_share_and_depends_on_seed_and_place() {
        let at = |seed, place, n| delay_ms(&retry(0.5), seed, place, n, None);
        let one = at(7, "1.1.generate", 1);
        assert!((250.0..=500.0).contains(&one), "{one}");
        assert_eq!(one, at(7, "1.1.generate", 1));
        let others = [at(8, "1.1.generate", 1), at(7, "2.1.generate", 1), at(7, "1.2.generate", 1)];
        assert!(others.iter().all(|other| *other != one), "{one} {others:?}");
    }
}
