//! A value or none in a snapshot: as a list, because null is a value.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

#[expect(clippy::ref_option, reason = "serde passes references")]
pub(crate) fn serialize<S: Serializer>(
    value: &Option<Arc<Value>>,
    to: S,
) -> Result<S::Ok, S::Error> {
    value.as_slice().serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<Arc<Value>>, D::Error> {
    Ok(Vec::deserialize(from)?.pop())
}
