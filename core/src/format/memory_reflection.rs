//! `memory-reflection`.

use serde_json::Value;

use super::account::{Account, Context};
use super::{BY_CONTENT, Family, Format, FormatInfo, Reading};

pub(crate) const FORMAT: Format = Format {
    info: FormatInfo {
        id: "memory-reflection",
        title: "Reflection of the memory manager",
        gives: "reflections with kind and effectiveness",
        known_by: "texts `content` and `type` with a number `iteration`; or `lesson` and `type` with `loopId` or `createdAt`",
        found_at: "reflections/reflection-{n}.json, memory.json",
    },
    family: Family::Loops,
    fits,
    fits_path: BY_CONTENT,
    marks: &["content", "type", "iteration"],
    base: Some(1),
    rank: 4,
    reading: Reading::Account(tell),
};

/// The test of formats.md section 3.
fn fits(_value: &Value, _context: &Context) -> bool {
    false
}

fn tell(_value: &Value, _context: &Context) -> Account {
    Account::default()
}
