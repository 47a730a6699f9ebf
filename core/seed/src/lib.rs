//! Stands in for the crate `getrandom` in every build of this workspace.
//!
//! `jsonschema` hashes with `ahash`, which asks once for a random seed; on wasm it insists on
//! getting it from JavaScript, and a component that imports nothing has no JavaScript to ask. The
//! core is to give the same bytes for the same input anyway, so the seed is fixed. What is hashed
//! with it are places in schemas, and the items of lists that a schema of the user's own wants to be
//! unique: whoever chooses items that collide slows down the answer to that record.
//!
//! It has the one function that `ahash` calls, and nothing else: a second user of the real crate
//! would not compile, and somebody would have to think again.
#![forbid(unsafe_code)]

/// What the real crate fails with. This one never fails.
#[derive(Clone, Copy, Debug)]
pub enum Error {}

/// Fills the buffer with the same bytes each time.
///
/// # Errors
///
/// None: the type is that of the real crate.
pub fn fill(buffer: &mut [u8]) -> Result<(), Error> {
    // An odd multiplier and its multiples: no byte pattern repeats within the 64 bytes asked for.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for bytes in buffer.chunks_mut(8) {
        bytes.copy_from_slice(&state.to_le_bytes()[..bytes.len()]);
        state = state.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn is_the_same_every_time_and_not_of_one_byte() {
        let (mut first, mut second) = ([0; 64], [0; 64]);
        assert!(fill(&mut first).is_ok() && fill(&mut second).is_ok());
        assert_eq!(first, second);
        assert!(first.chunks(8).is_sorted_by(|a, b| a != b));
    }
}
