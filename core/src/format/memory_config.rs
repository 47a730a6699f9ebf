//! `memory-config`: how many reflections the memory manager keeps. It names no
//! run: what it says holds for every run of its folder.

use serde_json::Value;

use super::members::Members;
use super::parsed_record::{Context, ParsedRecord};
use super::read::Member as _;
use super::traits::{Role, Traits};
use super::{Format, Reading};
use crate::json::numeric::omega;
use crate::model::finding::{Finding, Severity};
use crate::model::run_details::RunDetails;

pub(crate) const FORMAT: Format = Format {
    id: "memory-config",
    title: "Configuration of the memory manager",
    gives: "the recorded window size of its loops",
    known_by: "`capacity` and `presets`",
    found_at: "memory-config.json",
    fits,
    traits: Traits {
        marks: &["capacity", "presets"],
        rank: 13,
        role: Role::Settings,
        ..Traits::USUAL
    },
    reading: Reading::ParsedRecord(parse),
};

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    value.has("capacity") && value.has("presets")
}

/// A run without key.
fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let mut members = Members::of(value, "");
    let omega = members.take(&["capacity"], omega);
    let about = RunDetails { omega, texts: members.rest(""), ..RunDetails::default() };
    let invalid = omega.filter(|omega| *omega < 0.0).map(|omega| {
        Finding::new(
            "window/omega-invalid",
            Severity::Error,
            format!("The window capacity (Ω) is {omega}. It is ignored."),
        )
        .contrast("0 to 10", omega.to_string())
        .hint("Write the number of kept reflections, from 0 to 10.")
        .pointer("/capacity")
    });
    ParsedRecord { findings: invalid.into_iter().collect(), ..ParsedRecord::of_run(about) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_capacity_is_omega() {
        let omega = |capacity: Value| {
            let value = json!({"capacity": capacity, "presets": {"simple": 1}});
            assert!(fits(&value, &Context::default()));
            let parsed = parse(&value, &Context::default());
            (parsed.runs[0].about.omega, parsed.runs[0].about.key.is_none(), parsed.findings.len())
        };
        assert_eq!(omega(json!(5)), (Some(5.0), true, 0));
        assert_eq!(omega(json!("complex")), (Some(5.0), true, 0));
        assert_eq!(omega(json!("many")), (None, true, 0));
        assert_eq!(omega(json!(-1)), (Some(-1.0), true, 1));
    }
}
