//! `reward/detect`: on which scale a number is written, and what 0..1 makes of it.

use serde_json::Value;

use super::members::text_of;
use super::read::number;
use crate::model::finding::{Finding, Severity};
use crate::model::reward::{Detected, Scale, detect_unit, rounded};
use crate::model::view::RewardView;
use crate::validate::labels::shown;

/// What the numbers of a field are called, what they must be, and what to write.
type Labels = [&'static str; 3];

const REWARD: Labels =
    ["reward", "from 0 to 1, or a percentage up to 100", "Write rewards between 0 and 1."];
const PERCENTAGE: Labels = ["percentage", "from 0 to 100", "Write percentages between 0 and 100."];
const QUALITY: Labels = [
    "quality",
    "from 0 to 1, or from 0 to 100",
    "Write all qualities between 0 and 1, or all between 0 and 100.",
];

/// A value whose field is declared to be 0..1.
pub(crate) fn unit(
    value: Option<&Value>,
    pointer: &str,
    findings: &mut Vec<Finding>,
) -> Option<RewardView> {
    let raw = value?;
    let number = readable(raw, pointer, findings)?;
    match detect_unit(number) {
        Detected::Unit(value) => Some(reported(value, raw, Scale::Unit)),
        Detected::Mismatch(value) => {
            let message =
                format!("The reward is {number}, but its scale is 0 to 1. It is read as {value}.");
            findings.push(
                Finding::new("reward/scale-mismatch", Severity::Warning, message)
                    .contrast("a reward from 0 to 1", number.to_string())
                    .hint("Write rewards between 0 and 1.")
                    .pointer(pointer),
            );
            Some(reported(value, raw, Scale::Percent))
        }
        Detected::OutOfRange => {
            findings.push(out_of_range(number, REWARD, pointer));
            None
        }
    }
}

/// Values of fields that are declared to be 0..100, with their pointers: never reinterpreted.
pub(crate) fn percents(
    values: &[(&Value, String)],
    findings: &mut Vec<Finding>,
) -> Vec<Option<RewardView>> {
    let numbers = within(values, PERCENTAGE, findings);
    let known = || numbers.iter().copied().flatten();
    if known().all(|n| n <= 1.0)
        && let Some(at) = numbers.iter().position(|n| n.is_some_and(|n| n.fract() != 0.0))
        && let Some((value, pointer)) = values.get(at)
    {
        let message = "The scale of the values is 0 to 100, but none is above 1. They are read as percentages.";
        findings.push(
            Finding::new("reward/scale-suspect", Severity::Info, message)
                .contrast("percent, 0 to 100", shown(value))
                .hint("If they are shares between 0 and 1, multiply them by 100.")
                .pointer(pointer.as_str()),
        );
    }
    scaled(numbers, values, Scale::Percent, 100.0)
}

/// Values of a quality, with their pointers: 0..1 where a record says so in `quality_scale`, as a memory
/// of ours does; else nobody declares their scale.
pub(crate) fn quality(
    record: &Value,
    values: &[(&Value, String)],
    findings: &mut Vec<Finding>,
) -> Vec<Option<RewardView>> {
    if record.get("quality_scale").and_then(Value::as_str) != Some("unit") {
        return undeclared(values, findings);
    }
    values.iter().map(|(value, pointer)| unit(Some(value), pointer, findings)).collect()
}

/// Values of fields whose scale nobody declares, with their pointers: the largest decides for all.
pub(crate) fn undeclared(
    values: &[(&Value, String)],
    findings: &mut Vec<Finding>,
) -> Vec<Option<RewardView>> {
    let numbers = within(values, QUALITY, findings);
    let Some(largest) = numbers.iter().copied().flatten().reduce(f64::max) else {
        return vec![None; values.len()];
    };
    let (scale, most) = if largest > 1.0 { (Scale::Percent, 100.0) } else { (Scale::Unit, 1.0) };
    if let Some(first) = numbers.iter().position(Option::is_some)
        && let Some((_, pointer)) = values.get(first)
    {
        let message = format!(
            "The scale of the quality is not stated. Its largest value is {largest}, so the scale is assumed to be 0 to {most}."
        );
        findings.push(
            Finding::new("reward/scale-assumed", Severity::Info, message).pointer(pointer.as_str()),
        );
    }
    scaled(numbers, values, scale, most)
}

/// The values that are numbers from 0 to 100; any other value except null gets a finding.
fn within(
    values: &[(&Value, String)],
    labels: Labels,
    findings: &mut Vec<Finding>,
) -> Vec<Option<f64>> {
    let mut within = |(value, pointer): &(&Value, String)| {
        let number = readable(value, pointer, findings)?;
        let is_within = (0.0..=100.0).contains(&number);
        if !is_within {
            findings.push(out_of_range(number, labels, pointer));
        }
        is_within.then_some(number)
    };
    values.iter().map(&mut within).collect()
}

fn scaled(
    numbers: Vec<Option<f64>>,
    values: &[(&Value, String)],
    scale: Scale,
    most: f64,
) -> Vec<Option<RewardView>> {
    let view = |(number, (raw, _)): (Option<f64>, &(&Value, String))| {
        number.map(|number| reported(rounded(number / most), raw, scale))
    };
    numbers.into_iter().zip(values).map(view).collect()
}

fn reported(value: f64, raw: &Value, scale: Scale) -> RewardView {
    RewardView::reported(value, Some(text_of(raw)), scale)
}

/// The value as a number. Null counts as absent; anything else that is not a number gets a finding.
fn readable(value: &Value, pointer: &str, findings: &mut Vec<Finding>) -> Option<f64> {
    let number = number(value);
    if number.is_none() && !value.is_null() {
        let message = "The value cannot be read: expected a number.";
        findings.push(
            Finding::new("lenient/type", Severity::Warning, message)
                .contrast("a number", shown(value))
                .hint("The value is treated as missing.")
                .pointer(pointer),
        );
    }
    number
}

fn out_of_range(number: f64, [what, range, hint]: Labels, pointer: &str) -> Finding {
    let message = format!("The {what} is {number}. It must be {range}. It is ignored.");
    Finding::new("reward/out-of-range", Severity::Error, message)
        .contrast(format!("a {what} {range}"), number.to_string())
        .hint(hint)
        .pointer(pointer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rules(findings: &[Finding]) -> Vec<(&str, Severity)> {
        findings.iter().map(|f| (f.rule.as_ref(), f.severity)).collect()
    }

    fn undeclared_values(values: &[Value]) -> (Vec<Option<f64>>, Vec<Finding>) {
        let mut findings = Vec::new();
        let values: Vec<_> = values.iter().enumerate().map(|(i, v)| (v, format!("/{i}"))).collect();
        let views = undeclared(&values, &mut findings);
        (views.into_iter().map(|v| v.map(|v| v.value)).collect(), findings)
    }

    #[test]
    fn the_largest_value_decides_an_undeclared_scale() {
        let (values, findings) = undeclared_values(&[json!(0.4), json!(1)]);
        assert_eq!(values, [Some(0.4), Some(1.0)]);
        assert_eq!(rules(&findings), [("reward/scale-assumed", Severity::Info)]);
        let (values, findings) = undeclared_values(&[json!(null), json!(1), json!(85)]);
        assert_eq!(values, [None, Some(0.01), Some(0.85)]);
        assert_eq!(findings[0].pointer.as_deref(), Some("/1"));
        let (values, findings) = undeclared_values(&[json!(-1), json!("good"), json!("70")]);
        assert_eq!(values, [None, None, Some(0.7)]);
        assert_eq!(
            rules(&findings),
            [
                ("reward/out-of-range", Severity::Error),
                ("lenient/type", Severity::Warning),
                ("reward/scale-assumed", Severity::Info)
            ]
        );
        assert_eq!(undeclared_values(&[json!(null)]), (vec![None], vec![]));
    }

    #[test]
    fn declared_scales_stay_what_they_are() {
        let mut findings = Vec::new();
        let mut value = |n: Value| unit(Some(&n), "/r", &mut findings).map(|v| (v.value, v.scale));
        assert_eq!(value(json!(0.3)), Some((0.3, Scale::Unit)));
        assert_eq!(value(json!(55)), Some((0.55, Scale::Percent)));
        assert_eq!(value(json!(1)), Some((1.0, Scale::Unit)));
        assert_eq!(value(json!(-0.2)), None);
        assert_eq!(value(json!(null)), None);
        assert_eq!(
            rules(&findings),
            [
                ("reward/scale-mismatch", Severity::Warning),
                ("reward/out-of-range", Severity::Error)
            ]
        );
        findings.clear();
        let mut of = |values: &[Value]| {
            let values: Vec<_> = values.iter().map(|v| (v, "/c".to_owned())).collect();
            let views = percents(&values, &mut findings);
            views.into_iter().map(|v| v.map(|v| v.value)).collect::<Vec<_>>()
        };
        assert_eq!(of(&[json!(0.5), json!(1)]), [Some(0.005), Some(0.01)]);
        assert_eq!(of(&[json!(0.5), json!(40)]), [Some(0.005), Some(0.4)]);
        assert_eq!(of(&[json!(101), json!(0), json!(1)]), [None, Some(0.0), Some(0.01)]);
        assert_eq!(
            rules(&findings),
            [("reward/scale-suspect", Severity::Info), ("reward/out-of-range", Severity::Error)]
        );
        assert_eq!(
            findings[1].message,
            "The percentage is 101. It must be from 0 to 100. It is ignored."
        );
        assert_eq!(findings[1].hint.as_deref(), Some("Write percentages between 0 and 100."));
    }
}
