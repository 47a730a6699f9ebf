//! Numbers that are the same in every run, so that what fails fails again.

/// The generator xorshift64*. The seed is never 0.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The generator of a seed. Neighbouring seeds give different numbers.
    pub const fn of(seed: u64) -> Self {
        Self(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next 64 bits; the high ones are the better ones.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number from 0 up to, not including, `limit`; 0 where the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.bits() >> 33).expect("31 bits") % limit.max(1)
    }
}
