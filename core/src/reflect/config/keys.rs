//! Keys that nobody reads, and what was probably meant.

use serde_json::Value;

use super::read::{Place, Reader};

/// Fields of a configuration.
const TOP: [&str; 28] = [
    "state",
    "generator",
    "evaluator",
    "combine",
    "corrector",
    "max_iterations",
    "on_failure",
    "corrector_mode",
    "parse",
    "pass_score",
    "score_scale",
    "llm_defaults",
    "judge_retries",
    "candidates",
    "early_stop",
    "attempt_params",
    "retry",
    "seed",
    "budget",
    "deadline_ms",
    "call_timeout_ms",
    "stall",
    "failure_limits",
    "feedback",
    "history_limit",
    "memory",
    "events",
    "unknown_keys",
];

const EVALUATOR: [&str; 18] = [
    "type",
    "name",
    "weight",
    "required",
    "on_fail",
    "verification_type",
    "schema",
    "schemas",
    "draft",
    "assert_formats",
    "coerce",
    "schema_score",
    "prompt",
    "model",
    "examples",
    "run",
    "language",
    "callback",
];

/// Objects with fixed fields.
const INNER: [(&str, &[&str]); 7] = [
    ("llm_defaults", &["provider", "model"]),
    ("retry", &["max", "initial_ms", "factor", "max_ms", "jitter", "on"]),
    ("budget", &["tokens", "cost", "calls", "ms", "strict"]),
    ("stall", &["after", "by", "min_gain"]),
    ("failure_limits", &["generator", "parse", "evaluator", "corrector"]),
    ("feedback", &["last", "best", "dedupe"]),
    ("memory", &["loop_id", "name", "task_description", "omega", "policy", "records"]),
];

/// Reports every unknown key, in the order of the table: as warnings, or as problems.
pub(super) fn check(top: Place<'_>, reader: &mut Reader, is_error: bool) {
    names(top, &TOP, reader, is_error);
    match top.get("evaluator") {
        Some(Value::Object(members)) => {
            names(Place { members, pointer: "/evaluator" }, &EVALUATOR, reader, is_error);
        }
        Some(Value::Array(list)) => {
            for (number, evaluator) in list.iter().enumerate() {
                if let Value::Object(members) = evaluator {
                    let pointer = &format!("/evaluator/{number}");
                    names(Place { members, pointer }, &EVALUATOR, reader, is_error);
                }
            }
        }
        _ => {}
    }
    for (key, known) in INNER {
        if let Some(Value::Object(members)) = top.get(key) {
            names(Place { members, pointer: &format!("/{key}") }, known, reader, is_error);
        }
    }
}

fn names(place: Place<'_>, known: &[&str], reader: &mut Reader, is_error: bool) {
    for key in place.members.keys().filter(|key| !known.contains(&key.as_str())) {
        let message = match nearest(key, known) {
            Some(name) => format!("`{key}` is not known; is `{name}` meant?"),
            None => format!("`{key}` is not known."),
        };
        if is_error {
            reader.wrong("config_unknown_key", place.at(key), message);
        } else {
            reader.warn("config_unknown_key", place.at(key), message);
        }
    }
}

/// The known name with the fewest edits, if it is more alike than different.
fn nearest<'a>(key: &str, known: &[&'a str]) -> Option<&'a str> {
    // Longer keys are like none of ours, and would cost.
    if key.len() > 40 {
        return None;
    }
    let folded = key.to_lowercase().replace(['-', ' '], "_");
    known
        .iter()
        .map(|name| (distance(&folded, name), *name))
        .min()
        .filter(|(edits, name)| edits * 2 < name.len().max(folded.len()))
        .map(|(_, name)| name)
}

/// Insertions, deletions and replacements between two names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
        for (j, to) in b.iter().enumerate() {
            let (left, above) = (row[j], row[j + 1]);
            let edits = (diagonal + usize::from(from != *to)).min(left + 1).min(above + 1);
            diagonal = above;
            row[j + 1] = edits;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered_and_nothing_far() {
        assert_eq!(nearest("max_iteration", &TOP), Some("max_iterations"));
        assert_eq!(nearest("onFailure", &TOP), Some("on_failure"));
        assert_eq!(nearest("shema", &EVALUATOR), Some("schema"));
        assert_eq!(nearest("zzzzzz", &TOP), None);
    }
}
