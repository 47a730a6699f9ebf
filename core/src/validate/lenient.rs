//! The same facts, graded: can the record be used, and which problems does it have? (docs/spec/rules.md,
//! "Validation profiles")

use crate::json::double::Shown;
use std::borrow::Cow;

use serde_json::Value;

use super::deviation::{self, About};
use super::labels::{Violation, listed, shown};
use crate::json::numeric;
use crate::json::pass::{Deviation, What};
use crate::json::shape::{NodeId, ROOT, Table};
use crate::model::finding::{Finding, Severity};
use crate::model::omega;
use crate::model::reward::{Detected, detect_unit};
use crate::sort::StableSort as _;

/// The rule of an id that has another form than the schema asks for. Such an id works as well.
pub(crate) const OTHER_ID: &str = "lenient/loop-id";

/// Where a reward stands; `reward/detect` speaks of its range.
const REWARD: &str = "/evaluator_output/reward_signal";

const OMEGA: &str = "/memory_metadata/omega_capacity";

/// Whether a deviation is a reward that is out of the schema's range.
pub(crate) fn is_range_of_reward<S: Copy>(table: &Table<S>, deviation: &Deviation) -> bool {
    matches!(deviation.what, What::Minimum | What::Maximum) && table.is_at(deviation.node, REWARD)
}

/// Whether a reward is outside 0 to 100. Another rule reports it than a reward on a scale of 0 to 100.
pub(crate) fn is_beyond_scale<S: Copy>(table: &Table<S>, text: &str, one: &Deviation) -> bool {
    is_range_of_reward(table, one)
        && deviation::number_at(text, one)
            .and_then(|number| number.parse().ok())
            .is_some_and(|value| detect_unit(value) == Detected::OutOfRange)
}

/// Which finding speaks of a deviation.
enum Said {
    Alone,
    /// With all other members that are missing.
    AsMissing,
    /// With all other members that the table does not name.
    AsUnknown,
    /// Another finding speaks of it.
    Elsewhere,
}

fn said_of<S: Copy>(table: &Table<S>, one: &Deviation, before: Option<&Deviation>) -> Said {
    // The pass notes the type of a value before its word.
    let is_mistyped = before.is_some_and(|before| {
        (before.at, before.node) == (one.at, one.node) && matches!(before.what, What::Type(_))
    });
    let is_at = |pointer: &str| table.is_at(one.node, pointer);
    match one.what {
        What::Unknown => Said::AsUnknown,
        What::Required(place) => {
            let name = table.member_name(one.node, place);
            let is_text = name == "reflection_text" && is_at("/self_reflection");
            let is_own = is_text || (one.node == ROOT && name == "self_reflection");
            if is_own { Said::Alone } else { Said::AsMissing }
        }
        What::Enum if is_mistyped => Said::Elsewhere,
        _ => Said::Alone,
    }
}

/// Whether a finding says nothing that differs from record to record: a missing member outside of lists.
pub(crate) fn is_said_by_kind<S: Copy>(table: &Table<S>, (node, what): (NodeId, What)) -> bool {
    let one = Deviation { at: 0, node, what, places: [0; 2] };
    matches!(said_of(table, &one, None), Said::AsMissing) && !table.is_in_list(node)
}

/// How many findings [`grade`] makes.
pub(crate) fn count<S: Copy>(table: &Table<S>, deviations: &[Deviation]) -> usize {
    let (mut alone, mut missing, mut unknown) = (0, 0, 0);
    for (at, deviation) in deviations.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| deviations.get(before));
        match said_of(table, deviation, before) {
            Said::Alone => alone += 1,
            Said::AsMissing => missing = 1,
            Said::AsUnknown => unknown = 1,
            Said::Elsewhere => {}
        }
    }
    alone + missing + unknown
}

/// Grades what deviates from the table of a schema.
pub(crate) fn grade<S: Copy>(table: &Table<S>, text: &str, deviations: &[Deviation]) -> Vec<About> {
    let mut missing = Vec::new();
    let mut findings = Vec::new();
    for (at, deviation) in deviations.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| deviations.get(before));
        let said = said_of(table, deviation, before);
        if matches!(said, Said::AsUnknown | Said::Elsewhere) {
            continue;
        }
        let Some(violation) = deviation::violation(table, text, deviation) else { continue };
        if let Said::AsMissing = said {
            let name = violation.member.as_deref().unwrap_or_default();
            missing.push(format!("{}/{name}", violation.pointer));
            continue;
        }
        let (rule, severity, hint) = match deviation.what {
            What::Required(_) | What::Unknown => (
                "lenient/missing",
                Severity::Warning,
                "Without a reflection text, later attempts have nothing to learn from this iteration.",
            ),
            What::Type(reading) => match deviation::read_as(reading) {
                Some(how) => ("lenient/type", Severity::Info, how),
                None => ("lenient/type", Severity::Warning, "The value is treated as missing."),
            },
            What::Enum => ("lenient/enum", Severity::Warning, "The value is kept as text."),
            _ if is_range_of_reward(table, deviation) => {
                let value = deviation::value_at(text, deviation);
                let reward = value.as_f64().and_then(reward);
                findings.extend(reward.map(|finding| (Some(at), finding)));
                continue;
            }
            What::Pattern => (
                OTHER_ID,
                Severity::Info,
                "The schema asks for `ralph-`, lower-case letters, digits and hyphens. Other ids work as well: they are used as they are.",
            ),
            What::Format(Some(_)) => {
                ("lenient/timestamp", Severity::Warning, "The time is read as UTC.")
            }
            What::Format(None) => {
                ("lenient/timestamp", Severity::Warning, "The time is treated as missing.")
            }
            What::Minimum | What::Maximum => {
                ("lenient/range", Severity::Warning, "The value is used unchanged.")
            }
        };
        let own = used(table, text, deviation);
        let hint = own.map_or(Cow::Borrowed(hint), Cow::Owned);
        findings.push((Some(at), said_by(rule, severity, violation, hint)));
    }
    if !missing.is_empty() {
        missing.stable_sort_by(Ord::cmp);
        findings.push((None, of_missing(&missing)));
    }
    let unknown = deviation::unknown(table, text, deviations);
    if !unknown.is_empty() {
        findings.push((None, of_unknown(&unknown)));
    }
    findings
}

/// How a window capacity that deviates is read, as a sentence: seldom as it is written.
fn used<S: Copy>(table: &Table<S>, text: &str, one: &Deviation) -> Option<String> {
    let is_value = !matches!(one.what, What::Required(_) | What::Unknown);
    if !is_value || !table.is_at(one.node, OMEGA) {
        return None;
    }
    let omega = numeric::omega(&deviation::value_at(text, one))?;
    Some(match omega::used(omega) {
        Some(used) => format!("It is read as {used}."),
        None => "It is ignored.".to_owned(),
    })
}

fn of_missing(missing: &[String]) -> Finding {
    Finding::new(
        "lenient/missing",
        Severity::Info,
        format!("Properties that the schema requires are missing: {}.", listed(missing)),
    )
    .contrast(listed(missing), "no such properties")
    .pointer("")
    .hint("Missing values are treated as unknown. They are never replaced by defaults.")
}

pub(crate) fn of_unknown(names: &[String]) -> Finding {
    let names = listed(names);
    let message = format!("Properties that the format does not define: {names}.");
    Finding::new("lenient/unknown-member", Severity::Info, message)
        .contrast("properties that the format defines", names)
        .pointer("")
        .hint("They are kept in the record.")
}

fn said_by(
    rule: &'static str,
    severity: Severity,
    violation: Violation,
    hint: impl Into<Cow<'static, str>>,
) -> Finding {
    Finding::new(rule, severity, violation.message())
        .contrast(violation.expected, violation.found)
        .pointer(violation.pointer)
        .hint(hint)
}

/// Why a record of which something can be read is of no use all the same.
pub(crate) fn unusable(expected: &str, found: &str) -> Finding {
    let message = format!("Record unusable: expected {expected}, found {found}.");
    Finding::new("lenient/unusable", Severity::Error, message).contrast(expected, found).pointer("")
}

/// A value that is no object where a record should stand.
pub(crate) fn not_object(value: &Value) -> Finding {
    let message = format!("Expected an object, found {}.", shown(value));
    Finding::new("lenient/not-object", Severity::Error, message)
        .contrast("an object", shown(value))
        .pointer("")
}

/// What `reward/detect` has to say of a `reward_signal`. Of one that is out of the schema's range,
/// [`grade`] says it.
pub(crate) fn reward(number: f64) -> Option<Finding> {
    let detected = detect_unit(number);
    let number = Shown(number);
    let finding = match detected {
        Detected::Unit(_) => return None,
        Detected::Mismatch(value) => Finding::new(
            "reward/scale-mismatch",
            Severity::Warning,
            format!("The reward is {number}, but its scale is 0 to 1. It is read as {}.", Shown(value)),
        )
        .contrast("a reward from 0 to 1", number.to_string()),
        Detected::OutOfRange => Finding::new(
            "reward/out-of-range",
            Severity::Error,
            format!(
                "The reward is {number}. It must be from 0 to 1, or a percentage up to 100. The iteration has no reward."
            ),
        )
        .contrast("a reward from 0 to 1, or a percentage up to 100", number.to_string()),
    };
    Some(finding.hint("Write rewards between 0 and 1.").pointer(REWARD))
}

/// `window/omega-invalid`: the capacity of a window cannot be negative.
pub(crate) fn omega(omega: f64) -> Option<Finding> {
    (omega < 0.0).then(|| {
        let omega = Shown(omega);
        Finding::new(
            "window/omega-invalid",
            Severity::Error,
            format!("The window capacity (Ω) is {omega}. It is ignored."),
        )
        .pointer(OMEGA)
        .contrast("0 to 10", omega.to_string())
        .hint("Write the number of kept reflections, from 0 to 10.")
    })
}
