//! Times that are read although something is missing: `time/no-zone` and `time/date-only`.

use serde_json::Value;

use super::parsed_record::ParsedRecord;
use crate::json::pointer::escape;
use crate::model::datetime::{self, Form};
use crate::model::finding::{Finding, Severity};
use crate::validate::labels::cut;

/// What is said of a time of this form, once for all of its kind.
pub(crate) fn finding(form: Form, text: &str, more: usize) -> Option<Finding> {
    let text = cut(text);
    let (rule, message, hint) = match form {
        Form::Full => return None,
        Form::NoZone => (
            "time/no-zone",
            format!("`{text}` has no time zone and is read as UTC"),
            "Write a time zone after the time, such as `Z` for UTC.",
        ),
        Form::DateOnly => (
            "time/date-only",
            format!("`{text}` has no time of day and is read as midnight UTC"),
            "Write the time of day as well.",
        ),
    };
    let more = match more {
        0 => String::new(),
        more => format!(", and so are {more} more times of this record"),
    };
    Some(Finding::new(rule, Severity::Warning, format!("{message}{more}.")).hint(hint))
}

/// Findings about times of a parsed record that have no zone, or are dates: at most one for each of the
/// two kinds, at the pointer that sorts first.
pub(crate) fn of_parsed(parsed: &ParsedRecord, value: &Value) -> Vec<Finding> {
    let mut findings = Vec::new();
    for form in [Form::NoZone, Form::DateOnly] {
        let mut texts: Vec<&str> =
            times(parsed).filter(|text| form_of(text) == Some(form)).collect();
        texts.sort_unstable();
        texts.dedup();
        let Some(first) = texts.first() else { continue };
        // A text that no member has was composed. The finding then points at the whole record.
        let pointers = texts.iter().filter_map(|text| Some((pointer(value, text)?, *text)));
        let (pointer, text) = pointers.min().unwrap_or_else(|| (String::new(), first));
        findings.extend(finding(form, text, texts.len() - 1).map(|f| f.pointer(pointer)));
    }
    findings
}

fn form_of(text: &str) -> Option<Form> {
    datetime::read(text.trim()).map(|time| time.form)
}

fn times(parsed: &ParsedRecord) -> impl Iterator<Item = &str> {
    parsed.runs.iter().flat_map(|run| {
        let about = [&run.about.start, &run.about.end, &run.about.updated];
        let steps = run.steps.iter().flat_map(|step| [&step.time, &step.start]);
        about.into_iter().chain(steps).filter_map(|time| time.as_deref())
    })
}

/// Pointer of the first member that is this text.
fn pointer(value: &Value, text: &str) -> Option<String> {
    match value {
        Value::String(own) => (own.trim() == text.trim()).then(String::new),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(i, item)| Some(format!("/{i}{}", pointer(item, text)?))),
        Value::Object(members) => members
            .iter()
            .find_map(|(name, item)| Some(format!("/{}{}", escape(name), pointer(item, text)?))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parsed_record::ParsedRecord;
    use crate::model::details::Details;
    use crate::model::run_details::RunDetails;
    use serde_json::json;

    #[test]
    fn each_kind_is_reported_once_at_its_first() {
        let value = json!({"a": {"at": "2026-03-01T09:00:00"}, "b": ["2026-03-02"], "c": "2026-03-01T10:00:00"});
        let time = |text: &str| Some(text.to_owned());
        let about = RunDetails { start: time("2026-03-01T09:00:00"), ..RunDetails::default() };
        let steps = vec![
            Details { time: time("2026-03-02"), ..Details::default() },
            Details { time: time("2026-03-01T10:00:00"), ..Details::default() },
            Details { time: time("2026-03-01T10:00:00Z"), ..Details::default() },
            Details { time: time("yesterday"), ..Details::default() },
        ];
        let found = of_parsed(&ParsedRecord::of(about, steps), &value);
        let said: Vec<_> =
            found.iter().map(|f| (&*f.rule, f.pointer.as_deref().unwrap_or("none"))).collect();
        assert_eq!(said, [("time/no-zone", "/a/at"), ("time/date-only", "/b/0")]);
        assert!(found[0].message.contains("1 more"), "{}", found[0].message);
    }
}
