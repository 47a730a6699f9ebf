//! Numbers as they cross: counts in 32 bits, bytes as floats, which JavaScript has.

/// A number of bytes. Nothing that is open has 2^53 of them.
#[expect(clippy::cast_precision_loss, reason = "no file has 2^53 bytes")]
pub(crate) fn float(bytes: u64) -> f64 {
    bytes as f64
}
