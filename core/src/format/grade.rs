//! What deviates in a record of a format that has no schema.

use serde_json::Value;

use super::slot::Slot;
use super::times;
use crate::json::double::Shown;
use crate::json::numeric::{self, Numeric};
use crate::json::pass::{Deviation, Reading, What};
use crate::json::shape::Table;
use crate::model::finding::{Finding, Severity};
use crate::model::reward::{Scale, rounded};
use crate::validate::deviation::{About, expected_type, found, read_as, unknown, value_at};
use crate::validate::labels::shown;
use crate::validate::lenient::of_unknown;

/// What deviates in a record of a format that has no schema.
pub(crate) fn grade(table: &Table<Slot>, text: &str, deviations: &[Deviation]) -> Vec<About> {
    let mut findings: Vec<About> = deviations
        .iter()
        .enumerate()
        .filter_map(|(at, deviation)| {
            let finding = of_deviation(table, text, deviation)?;
            let pointer = table.pointer(deviation.node, deviation.places);
            Some((Some(at), finding.pointer(pointer)))
        })
        .collect();
    let unknown = unknown(table, text, deviations);
    if !unknown.is_empty() {
        findings.push((None, of_unknown(&unknown)));
    }
    findings
}

fn of_deviation(table: &Table<Slot>, text: &str, deviation: &Deviation) -> Option<Finding> {
    let expected = || table.get(deviation.node).map(|node| expected_type(&node.is));
    match deviation.what {
        What::Format(form) => {
            let value = value_at(text, deviation);
            times::finding(form?, value.as_str().unwrap_or_default(), 0)
        }
        What::Type(Reading::TextAsNumber) => {
            let value = value_at(text, deviation);
            Some(number_from_text(numeric::of(&value)?, &value))
        }
        What::Type(reading) => {
            let finding = if let Some(how) = read_as(reading) {
                let message = format!("The value has another type than expected. {how}");
                Finding::new("lenient/type", Severity::Info, message)
            } else {
                let message = format!("The value cannot be read: expected {}.", expected()?);
                Finding::new("lenient/type", Severity::Warning, message)
                    .hint("The value is treated as missing.")
            };
            Some(finding.contrast(expected()?, found(text, deviation)))
        }
        // Tables of these formats have no words, patterns or bounds, and nothing has to be there.
        What::Enum
        | What::Pattern
        | What::Minimum
        | What::Maximum
        | What::Required(_)
        | What::Unknown => None,
    }
}

/// `number/from-text`: a text stands where a number is expected, and is read as this.
pub(crate) fn number_from_text(number: Numeric, written: &Value) -> Finding {
    let unit = match number.scale {
        Some(Scale::Percent) => " percent",
        Some(Scale::Ratio) => " of the whole",
        _ => "",
    };
    let roughly = if number.is_approximate { "roughly " } else { "" };
    let value = Shown(rounded(number.value));
    let message =
        format!("Expected a number, found a string. It is read as {roughly}{value}{unit}.");
    Finding::new("number/from-text", Severity::Info, message).contrast("a number", shown(written))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_finding_says_what_was_made_of_it() {
        let written = Value::from("~85%");
        let finding = number_from_text(numeric::of(&written).expect("it is a number"), &written);
        assert_eq!((finding.rule.as_ref(), finding.severity), ("number/from-text", Severity::Info));
        assert!(finding.message.ends_with("read as roughly 85 percent."), "{}", finding.message);
    }
}
