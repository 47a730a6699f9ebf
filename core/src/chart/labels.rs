//! Where texts stand so that none covers another.

/// Width of a character of 11 pixels, a little generous.
const CHARACTER: f64 = 6.4;

/// Pixels that a text takes.
pub(super) fn width(text: &str) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "characters of a label")]
    let count = text.chars().count() as f64;
    count * CHARACTER
}

/// Places that are taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken(Vec<[f64; 4]>);

impl Taken {
    /// Takes the place of a text with its middle at `x`, `y`, unless another text is there.
    pub(super) fn take(&mut self, text: &str, x: f64, y: f64) -> bool {
        let half = width(text) / 2.0 + 4.0;
        let place = [x - half, x + half, y - 6.5, y + 6.5];
        let is_free = self.0.iter().all(|other| {
            place[1] <= other[0]
                || other[1] <= place[0]
                || place[3] <= other[2]
                || other[3] <= place[2]
        });
        if is_free {
            self.0.push(place);
        }
        is_free
    }
}

/// The smallest round step (1, 2 or 5 times a power of ten) that is at least `least`.
pub fn round_step(least: f64) -> i64 {
    let mut power = 1i64;
    loop {
        for factor in [1, 2, 5] {
            let step = factor * power;
            #[expect(clippy::cast_precision_loss, reason = "steps are small")]
            if step as f64 >= least || power > 1_000_000_000_000 {
                return step;
            }
        }
        power *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_covers_another() {
        let mut taken = Taken::default();
        assert!(taken.take("0.500", 100.0, 20.0));
        assert!(!taken.take("0.500", 120.0, 25.0));
        assert!(taken.take("0.500", 120.0, 40.0) && taken.take("0.500", 140.0, 20.0));
    }

    #[test]
    fn steps_are_round() {
        assert_eq!((round_step(0.2), round_step(3.0), round_step(51.0)), (1, 5, 100));
    }
}
