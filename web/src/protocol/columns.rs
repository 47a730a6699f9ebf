//! Numbers that cross between worker and page as one block of bytes.
//!
//! A list of numbers would cross one by one; a hundred thousand iterations with nine columns
//! would take longer to hand over than to read.

use std::sync::Arc;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Numbers; absent ones are NaN. Cloning them copies none.
#[derive(Clone, Debug)]
pub(crate) struct Floats(Arc<[f64]>);

impl Default for Floats {
    fn default() -> Self {
        Self(Arc::from([]))
    }
}

impl Floats {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// All of them as they are, NaN where one is absent.
    pub(crate) fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// The number at a position, unless it is absent.
    pub(crate) fn get(&self, at: usize) -> Option<f64> {
        self.0.get(at).copied().filter(|value| !value.is_nan())
    }

    /// All of them, absent ones as `None`.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        self.0.iter().map(|value| Some(*value).filter(|value| !value.is_nan()))
    }
}

impl FromIterator<f64> for Floats {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl FromIterator<Option<f64>> for Floats {
    fn from_iter<I: IntoIterator<Item = Option<f64>>>(values: I) -> Self {
        Self(values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect())
    }
}

/// Equal also where both are absent, which NaN alone would deny.
impl PartialEq for Floats {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self.0.iter().zip(other.0.iter()).all(|(a, b)| a.to_bits() == b.to_bits())
    }
}

impl Serialize for Floats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = self.0.iter().flat_map(|value| value.to_le_bytes()).collect();
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de> Deserialize<'de> for Floats {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;

        impl Visitor<'_> for Bytes {
            type Value = Floats;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the bytes of 64-bit numbers")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Floats, E> {
                let (numbers, rest) = bytes.as_chunks::<8>();
                if !rest.is_empty() {
                    return Err(E::invalid_length(bytes.len(), &self));
                }
                Ok(numbers.iter().map(|number| f64::from_le_bytes(*number)).collect())
            }
        }

        deserializer.deserialize_byte_buf(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use serde::de::IntoDeserializer;
    use serde::de::value::{BytesDeserializer, Error};

    use super::*;

    #[test]
    fn crosses_and_keeps_what_is_absent() {
        let sent: Floats = [Some(0.25), None, Some(-1.0)].into_iter().collect();
        let bytes: Vec<u8> = sent.0.iter().flat_map(|value| value.to_le_bytes()).collect();
        let wire: BytesDeserializer<'_, Error> = bytes.as_slice().into_deserializer();
        let got = Floats::deserialize(wire).expect("three numbers");
        assert_eq!(got, sent);
        assert!(got.as_slice()[1].is_nan());
        assert_eq!((got.get(1), got.get(2), got.get(3)), (None, Some(-1.0), None));
    }

    #[test]
    fn refuses_half_a_number() {
        let wire: BytesDeserializer<'_, Error> = [0u8; 9].as_slice().into_deserializer();
        assert!(Floats::deserialize(wire).is_err());
    }
}
