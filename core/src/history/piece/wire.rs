//! Values as bytes, for a piece on its way from one instance to another. Both are of one build, so
//! that nothing needs a version; what was not written by it is refused, never guessed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::super::telling;
use crate::format::FormatId;
use crate::format::facts::Verification;
use crate::model::finding::Severity;
use crate::model::id::{RecordId, RunId, SourceId};
use crate::model::outcome::Outcome;
use crate::model::reward::{Origin, Scale};
use crate::source::conflict::Side;
use crate::validate::Profile;

/// What can be written down and read again.
pub(crate) trait Wire: Sized {
    fn put(&self, out: &mut Vec<u8>);

    /// Takes a value from the front; nothing if there is none.
    fn take(from: &mut &[u8]) -> Option<Self>;
}

fn byte(from: &mut &[u8]) -> Option<u8> {
    let (first, rest) = from.split_first()?;
    *from = rest;
    Some(*first)
}

fn bytes<'a>(from: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = usize::take(from)?;
    let (taken, rest) = from.split_at_checked(len)?;
    *from = rest;
    Some(taken)
}

impl Wire for u64 {
    /// Seven bits a byte, the lowest first: most numbers are small.
    fn put(&self, out: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            out.push(rest.to_le_bytes()[0] | 0x80);
            rest >>= 7;
        }
        out.push(rest.to_le_bytes()[0]);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = byte(from)?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

/// Whole numbers that fit into 64 bits.
macro_rules! whole {
    ($($type:ty),*) => {
        $(impl Wire for $type {
            fn put(&self, out: &mut Vec<u8>) {
                u64::try_from(*self).unwrap_or(u64::MAX).put(out);
            }

            fn take(from: &mut &[u8]) -> Option<Self> {
                u64::take(from)?.try_into().ok()
            }
        })*
    };
}

whole!(u8, u32, usize);

impl Wire for i64 {
    /// Small ones are short on both sides of 0.
    fn put(&self, out: &mut Vec<u8>) {
        ((self << 1) ^ (self >> 63)).cast_unsigned().put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let value = u64::take(from)?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }
}

impl Wire for f64 {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let (taken, rest) = from.split_first_chunk()?;
        *from = rest;
        Some(Self::from_le_bytes(*taken))
    }
}

impl Wire for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        match byte(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Wire for String {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Self::from_utf8(bytes(from)?.to_vec()).ok()
    }
}

impl Wire for Cow<'static, str> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        String::take(from).map(Cow::Owned)
    }
}

impl Wire for &'static str {
    /// A finer word of an outcome, or a rule of a reward: columns hold no others.
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let text = str::from_utf8(bytes(from)?).ok();
        telling::word(text).or_else(|| telling::rule(text))
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.is_some()));
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        if bool::take(from)? { T::take(from).map(Some) } else { Some(None) }
    }
}

impl<T: Wire> Wire for Box<T> {
    fn put(&self, out: &mut Vec<u8>) {
        T::put(self, out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        T::take(from).map(Self::new)
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        for item in self {
            item.put(out);
        }
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let len = usize::take(from)?;
        // Nothing takes less than a byte: more items than bytes are a lie.
        let mut items = Self::with_capacity(len.min(from.len()));
        for _ in 0..len {
            items.push(T::take(from)?);
        }
        Some(items)
    }
}

impl<K: Wire + Ord, V: Wire> Wire for BTreeMap<K, V> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        for (key, value) in self {
            key.put(out);
            value.put(out);
        }
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let mut map = Self::new();
        for _ in 0..usize::take(from)? {
            map.insert(K::take(from)?, V::take(from)?);
        }
        Some(map)
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?))
    }
}

impl Wire for Range<usize> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.start, self.end).put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let (start, end) = Wire::take(from)?;
        Some(start..end)
    }
}

impl Wire for FormatId {
    fn put(&self, out: &mut Vec<u8>) {
        (*self as u8).put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Self::ALL.get(usize::take(from)?).copied()
    }
}

/// A struct, member by member. Reading names all of them, so that none is forgotten.
macro_rules! wire {
    ($name:ty { $($member:ident),* $(,)? }) => {
        impl $crate::history::piece::wire::Wire for $name {
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$member.put(out);)*
            }

            fn take(from: &mut &[u8]) -> Option<Self> {
                Some(Self { $($member: $crate::history::piece::wire::Wire::take(from)?,)* })
            }
        }
    };
}
pub(crate) use wire;

/// What has one member without a name.
macro_rules! wrapper {
    ($($name:ty),*) => {
        $(impl Wire for $name {
            fn put(&self, out: &mut Vec<u8>) {
                self.0.put(out);
            }

            fn take(from: &mut &[u8]) -> Option<Self> {
                Wire::take(from).map(Self)
            }
        })*
    };
}

wrapper!(SourceId, RecordId, RunId);

/// One of some words, by its position; a word that is missing here does not compile.
macro_rules! choice {
    ($name:ident { $($word:ident),* $(,)? }) => {
        impl Wire for $name {
            fn put(&self, out: &mut Vec<u8>) {
                const WORDS: &[$name] = &[$($name::$word),*];
                match self {
                    $(Self::$word)|* => {
                        let at = WORDS.iter().position(|word| word == self);
                        at.unwrap_or(WORDS.len()).put(out);
                    }
                }
            }

            fn take(from: &mut &[u8]) -> Option<Self> {
                [$($name::$word),*].get(usize::take(from)?).copied()
            }
        }
    };
}

choice!(Profile { Strict, Lenient });
choice!(Severity { Error, Warning, Info });
choice!(Outcome { Success, Partial, Failure, Running, Aborted, Void, Unknown });
choice!(Origin { Reported, Derived, None });
choice!(Scale { Unit, Percent, Ratio, Bool, Ordinal });
choice!(Side { Ours, Theirs });
choice!(Verification {
    UnitTests,
    IntegrationTests,
    TypeCheck,
    Lint,
    Compilation,
    Heuristic,
    ExternalApi,
    ManualReview,
    Combined,
});

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;

    fn comes_back<T: Wire + PartialEq + Debug>(value: &T) {
        let mut out = Vec::new();
        value.put(&mut out);
        let mut rest = &out[..];
        assert_eq!(T::take(&mut rest).as_ref(), Some(value));
        assert!(rest.is_empty(), "{value:?} leaves {rest:?}");
        for end in 0..out.len() {
            // A part of it may be another value, and never a panic.
            let _ = T::take(&mut &out[..end]);
        }
    }

    #[test]
    fn what_was_written_is_read() {
        for value in [0, 1, 0x7f, 0x80, u64::from(u32::MAX), u64::MAX] {
            comes_back(&value);
        }
        for value in [0, 1, -1, 63, -64, 64, i64::MAX, i64::MIN] {
            comes_back(&value);
        }
        comes_back(&vec![Some(0.1), None, Some(f64::MIN_POSITIVE)]);
        comes_back(&BTreeMap::from([((3_usize, 1_u32), "größer".to_owned())]));
        comes_back(&FormatId::ALL.to_vec());
        comes_back(&Verification::ALL.to_vec());
        comes_back(&Some("timeout"));
        comes_back(&"reward/derive-tests");
        comes_back(&(2_usize..5, true));
    }

    #[test]
    fn what_was_not_written_here_is_refused() {
        assert_eq!(u64::take(&mut &[0xff; 12][..]), None);
        assert_eq!(u32::take(&mut &[0xff, 0xff, 0xff, 0xff, 0x7f][..]), None);
        assert_eq!(bool::take(&mut &[2][..]), None);
        assert_eq!(FormatId::take(&mut &[0x7f][..]), None);
        assert_eq!(Outcome::take(&mut &[7][..]), None);
        assert_eq!(String::take(&mut &[1, 0xff][..]), None);
        assert_eq!(<&str>::take(&mut &[2, b'n', b'o'][..]), None, "no word of columns");
        assert_eq!(Vec::<u64>::take(&mut &[0xff, 0xff, 0xff, 0xff, 0x0f, 1][..]), None);
    }
}
