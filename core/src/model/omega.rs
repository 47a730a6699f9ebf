//! Ω as records write it (docs/spec/rules.md, "Window").

/// The largest Ω.
pub(crate) const MOST: u8 = 10;

/// Words for Ω, as aiwg's memory manager has them.
pub const PRESETS: &[(&str, u8)] =
    &[("simple", 1), ("moderate", 3), ("complex", 5), ("maximum", 10)];

/// Ω that a word stands for (`window/provenance`).
pub(crate) fn preset(word: &str) -> Option<u8> {
    PRESETS.iter().find(|(name, _)| *name == word).map(|(_, omega)| *omega)
}

/// What a number is used as: fractions are cut, above 10 is 10, negative is none
/// (`window/provenance`).
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 0..=10")]
pub(crate) fn used(number: f64) -> Option<u8> {
    (number >= 0.0).then(|| number.floor().min(f64::from(MOST)) as u8)
}
