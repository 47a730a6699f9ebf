//! `tea-loop-result`: what `the_edge_agent`'s reflection loop returns, raises, or leaves in a saved
//! state, and what our npm package and command line say of a loop, which have names of their own.

use serde_json::Value;

use super::detect;
use super::parsed_record::{Context, ParsedRecord};
use super::read::Member as _;
use super::rest::{as_text, note, others};
use super::traits::Traits;
use super::{Family, Format, Reading};
use crate::json::pointer::escape;
use crate::model::details::{Action, Counter, Details, ErrorDetails, NamedText, Reflection};
use crate::model::finding::{Finding, Severity};
use crate::model::omega::Assumption;
use crate::model::outcome::Outcome;
use crate::model::run_details::RunDetails;
use crate::validate::labels::shown;

pub(crate) const FORMAT: Format = Format {
    id: "tea-loop-result",
    title: "Result of the_edge_agent's reflection loop",
    gives: "attempts with scores, errors and evaluator feedback",
    known_by: "an array `reflection_history` (or `history`, or `attempts` beside `stopReason`) whose items have `score` and `valid`",
    found_at: "a stored result or graph state, of any name",
    fits,
    traits: Traits {
        family: Family::Files,
        marks: &["reflection_history"],
        assumed: Assumption::unbounded("the_edge_agent"),
        gap: None,
        is_told: true,
        ..Traits::USUAL
    },
    reading: Reading::ParsedRecord(parse),
};

/// What a result says beside its attempts.
const FLAGS: [&str; 3] = ["success", "valid", "exhausted"];

/// What else it says, by the names of its writer.
struct Names {
    best_score: &'static str,
    counter: &'static str,
    outputs: [&'static str; 3],
    errors: &'static str,
}

const OF_TEA: Names = Names {
    best_score: "reflection_best_score",
    counter: "reflection_iteration",
    outputs: ["reflection_output", "reflection_best", "result"],
    errors: "reflection_errors",
};

const OF_PACKAGE: Names = Names {
    best_score: "score",
    counter: "iterations",
    outputs: ["output", "best", "result"],
    errors: "errors",
};

/// The member of a result that holds its attempts.
const HISTORY: &str = "reflection_history";

/// The same member where the npm package wrote the result.
const ATTEMPTS: &str = "attempts";

/// How deep inside a saved state a result may lie.
const DEPTH: usize = 3;

/// Where the attempts of a result stand.
struct Found<'a> {
    /// The result, and the pointer of it.
    result: &'a Value,
    at: String,
    /// Member that holds the attempts.
    name: &'static str,
    entries: &'a [Value],
}

impl<'a> Found<'a> {
    /// A result, a stored exception, or the nearest result in a saved state.
    fn within(value: &'a Value) -> Option<Self> {
        let mut level = vec![(value, String::new())];
        let of = |name| Self::of(value, "", name);
        let of_package = || value.get("stopReason").and_then(|_| of(ATTEMPTS));
        of(HISTORY).or_else(|| of("history")).or_else(of_package).or_else(|| {
            (1..DEPTH).find_map(|_| {
                level = inside(&level);
                level.iter().find_map(|(result, at)| Self::of(result, at, HISTORY))
            })
        })
    }

    fn of(result: &'a Value, at: &str, name: &'static str) -> Option<Self> {
        let entries = entries_of(result.get(name)?, name)?;
        Some(Self { result, at: at.to_owned(), name, entries })
    }

    fn is_of_package(&self) -> bool {
        self.name == ATTEMPTS
    }

    fn names(&self) -> &'static Names {
        if self.is_of_package() { &OF_PACKAGE } else { &OF_TEA }
    }

    /// How a loop ended whose last attempt was not accepted.
    fn ending(&self) -> (Outcome, Option<String>) {
        let flag = |name| self.result.get(name).is_some_and(is_truthy);
        let reason = self.result.text("stopReason").filter(|_| self.is_of_package());
        match reason.as_deref() {
            Some("aborted") => (Outcome::Aborted, None),
            Some("exhausted") => (Outcome::Failure, Some("limit_reached".to_owned())),
            Some(_) if !flag("success") => (Outcome::Failure, reason),
            None if flag("exhausted") => (Outcome::Failure, Some("limit_reached".to_owned())),
            // It may have gone on: an attempt that was not valid does not end the loop.
            _ => (Outcome::Unknown, None),
        }
    }

    fn pointer(&self, index: usize, member: &str) -> String {
        format!("{}/{}/{index}/{member}", self.at, self.name)
    }
}

/// The objects that are members of some objects, with their pointers.
fn inside<'a>(level: &[(&'a Value, String)]) -> Vec<(&'a Value, String)> {
    let members = level.iter().flat_map(|(value, at)| {
        let members = value.as_object().into_iter().flatten();
        let objects = members.filter(|(_, value)| value.is_object());
        objects.map(move |(name, value)| (value, format!("{at}/{}", escape(name))))
    });
    members.collect()
}

/// The attempts of a list. An empty list counts only if it is named `reflection_history`.
fn entries_of<'a>(list: &'a Value, name: &str) -> Option<&'a [Value]> {
    let entries = list.as_array()?;
    let is_entry = |entry: &Value| entry.has("score") && entry.has("valid");
    let is_known = !entries.is_empty() || name == HISTORY;
    (is_known && entries.iter().all(is_entry)).then_some(entries)
}

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    Found::within(value).is_some()
}

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let Some(found) = Found::within(value) else { return ParsedRecord::default() };
    let mut findings: Vec<_> = flags(&found).into_iter().chain(numbering(&found)).collect();
    let steps: Vec<_> = found
        .entries
        .iter()
        .enumerate()
        .map(|(index, entry)| attempt(&found, index, entry, &mut findings))
        .collect();
    ParsedRecord { findings, ..ParsedRecord::of(about(value, &found), steps) }
}

fn about(value: &Value, found: &Found<'_>) -> RunDetails {
    let result = found.result;
    let is_last_valid = found.entries.last().is_some_and(is_valid);
    let (outcome, detail) = if is_last_valid { (Outcome::Success, None) } else { found.ending() };
    let names = found.names();
    // Below 0 it says that no attempt was usable.
    let best_score = result
        .number(names.best_score)
        .filter(|score| *score >= 0.0)
        .map(|value| Counter { name: names.best_score.to_owned(), value });
    RunDetails {
        outcome: Some(outcome),
        outcome_detail: detail,
        counter: result.integer(names.counter),
        counters: best_score.into_iter().collect(),
        texts: around(value, found),
        ..RunDetails::default()
    }
}

/// Notes on what stands around the attempts: the members of a result that its attempts do not repeat, and
/// the other members of a saved state.
fn around(value: &Value, found: &Found<'_>) -> Vec<NamedText> {
    let result = found.result;
    let outputs = || found.entries.iter().filter_map(|entry| entry.get("output"));
    let is_output = |value: &Value| outputs().any(|output| output == value);
    let is_spread = |name: &str, value: &Value| outputs().any(|o| o.get(name) == Some(value));
    let is_empty = |value: &Value| {
        value.as_array().is_some_and(Vec::is_empty) || value.as_str().is_some_and(str::is_empty)
    };
    let names = found.names();
    let mut texts = Vec::new();
    for (name, value) in result.as_object().into_iter().flatten() {
        let name = name.as_str();
        let is_known = if names.outputs.contains(&name) {
            is_output(value)
        } else if name == names.errors {
            found.entries.last().and_then(|entry| entry.get("errors")) == Some(value)
        } else {
            let told = [found.name, names.best_score, names.counter];
            told.contains(&name)
                || FLAGS.contains(&name)
                || is_spread(name, value)
                || is_empty(value)
        };
        texts.extend(if is_known { None } else { note(result, name) });
    }
    if !found.at.is_empty() {
        let holds =
            |name: &str| format!("{}/", found.at).starts_with(&format!("/{}/", escape(name)));
        let names = value.as_object().into_iter().flat_map(serde_json::Map::keys);
        texts.extend(names.filter(|name| !holds(name)).filter_map(|name| note(value, name)));
    }
    texts
}

fn attempt(found: &Found<'_>, index: usize, entry: &Value, findings: &mut Vec<Finding>) -> Details {
    let errors: Vec<&Value> = entry.items("errors").collect();
    let output = entry.get("output").and_then(as_text);
    let has_crashed = output.is_none() && errors.iter().any(|error| is_crash(error));
    let reward = if has_crashed {
        None
    } else {
        detect::unit(entry.get("score"), &found.pointer(index, "score"), findings)
    };
    let is_corrector = |error: &&&Value| error.text("type").as_deref() == Some("corrector_error");
    let flags = errors.iter().find(is_corrector).map(|_| "corrector-error".to_owned());
    let feedback: Vec<_> = errors.iter().filter_map(|error| feedback(error)).collect();
    Details {
        number: entry.iteration("iteration"),
        outcome: Some(Outcome::of_verdict(is_valid(entry))),
        outcome_detail: has_crashed.then(|| "generator-error".to_owned()),
        reward,
        errors: errors.iter().map(|error| error_of(error)).collect(),
        actions: output.map(Action::of_output).into_iter().collect(),
        reflections: (!feedback.is_empty())
            .then(|| Reflection::of_evaluator(feedback.join("\n")))
            .into_iter()
            .collect(),
        flags: flags.into_iter().collect(),
        texts: paths(&errors).chain(others(entry, &ENTRY)).collect(),
        ..Details::default()
    }
}

const ENTRY: [&str; 5] = ["iteration", "output", "score", "valid", "errors"];

fn is_valid(entry: &Value) -> bool {
    entry.get("valid").is_some_and(is_truthy)
}

/// Upstream takes whatever an evaluator says; a model may say it in words.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(n) => n.as_f64() != Some(0.0),
        Value::String(text) => {
            !matches!(text.trim().to_ascii_lowercase().as_str(), "" | "false" | "no" | "0")
        }
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}

/// An error is an object, or just its message.
fn message_of(error: &Value) -> String {
    error.text("message").or_else(|| as_text(error)).unwrap_or_default()
}

fn is_crash(error: &Value) -> bool {
    message_of(error).trim_start().starts_with("Generator failed:")
}

fn error_of(error: &Value) -> ErrorDetails {
    ErrorDetails {
        kind: error.text("type").unwrap_or_else(|| "other".to_owned()),
        message: message_of(error),
        rule: error.text("schema_path"),
        ..ErrorDetails::default()
    }
}

/// What the evaluator says in words, rather than about a place in the output.
fn feedback(error: &Value) -> Option<String> {
    let is_of_evaluator = !error.has("path")
        && error.text("type").as_deref() != Some("corrector_error")
        && !is_crash(error);
    is_of_evaluator.then(|| message_of(error)).filter(|text| !text.trim().is_empty())
}

/// Paths into the output, whether dotted or with slashes, beside the errors that they belong to.
fn paths(errors: &[&Value]) -> impl Iterator<Item = NamedText> {
    errors.iter().enumerate().filter_map(|(index, error)| {
        let text = error.text("path").filter(|path| !path.is_empty())?;
        Some(NamedText { name: format!("errors/{index}/path"), text })
    })
}

/// `tea/flag-overwritten`: members of the output lie over those of the result.
fn flags(found: &Found<'_>) -> Vec<Finding> {
    let last = found.entries.last().filter(|_| found.name == HISTORY);
    let Some(is_valid) = last.map(is_valid) else { return Vec::new() };
    let word = if is_valid { "valid" } else { "not valid" };
    let unexpected = |(name, expected): (&str, bool)| {
        let flag = found.result.get(name)?;
        // A flag that is no flag was overwritten, whatever it seems to say.
        (flag.as_bool() != Some(expected)).then(|| {
            let message = format!("`{name}` is {}, but the last attempt is {word}.", shown(flag));
            let hint = "A property of the output replaced the property of the result. The attempts are used.";
            Finding::new("tea/flag-overwritten", Severity::Warning, message)
                .contrast(expected.to_string(), shown(flag))
                .hint(hint)
                .pointer(format!("{}/{name}", found.at))
        })
    };
    let flags = [("success", is_valid), ("valid", is_valid), ("exhausted", !is_valid)];
    flags.into_iter().filter_map(unexpected).collect()
}

/// `tea/iteration`: attempts count from 1, without gaps.
fn numbering(found: &Found<'_>) -> Option<Finding> {
    let mut expected = (1..).zip(found.entries.iter().enumerate());
    let is_unexpected =
        |(number, (_, entry)): &(i64, (usize, &Value))| entry.integer("iteration") != Some(*number);
    let (number, (index, entry)) = expected.find(is_unexpected)?;
    let written = entry.get("iteration").map_or_else(|| "none".to_owned(), shown);
    Some(
        Finding::new(
            "tea/iteration",
            Severity::Warning,
            format!("Attempt {number} in the array has the number {written}."),
        )
        .contrast(number.to_string(), written)
        .hint("Expected the numbers 1, 2, 3 and so on. The numbers are used as written.")
        .pointer(found.pointer(index, "iteration")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parsed_record::ParsedRun;
    use serde_json::json;

    fn parsed_of(value: &Value) -> (ParsedRun, Vec<String>) {
        assert!(fits(value, &Context::default()));
        let mut parsed = parse(value, &Context::default());
        let of = |f: &Finding| format!("{} {}", f.rule, f.pointer.clone().unwrap_or_default());
        (parsed.runs.remove(0), parsed.findings.iter().map(of).collect())
    }

    fn entry(n: i64, score: f64, valid: bool) -> Value {
        json!({"iteration": n, "output": {"n": n}, "score": score, "valid": valid, "errors": []})
    }

    #[test]
    fn a_result_and_what_its_output_spreads() {
        let (run, findings) = parsed_of(&json!({"reflection_iteration": 2,
            "reflection_output": {"n": 2}, "reflection_errors": [], "reflection_best": {"n": 2},
            "reflection_best_score": 1.0, "success": true, "valid": true, "n": 2, "task": "count",
            "reflection_history": [
                {"iteration": 1, "output": {}, "score": 0.0, "valid": false, "errors": [
                    {"path": "", "message": "'n' is missing"},
                    {"path": "a.b", "message": "too short", "schema_path": "/a/minLength", "type": "schema"}]},
                entry(2, 1.0, true)]}));
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!((run.about.outcome, run.about.counter), (Some(Outcome::Success), Some(2)));
        let texts: Vec<_> = run.about.texts.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(texts, ["task"]);
        let [first, second] = &run.steps[..] else { panic!("two") };
        assert_eq!((first.outcome, first.errors.len()), (Some(Outcome::Failure), 2));
        assert_eq!(first.errors[1].rule.as_deref(), Some("/a/minLength"));
        assert_eq!(
            (first.texts[0].name.as_str(), first.texts[0].text.as_str()),
            ("errors/1/path", "a.b")
        );
        assert!(first.reflections.is_empty(), "messages with a path are no feedback");
        assert_eq!(second.actions[0].output.as_deref(), Some(r#"{"n":2}"#));
        assert_eq!(second.reward.as_ref().map(|r| r.value), Some(1.0));
    }

    #[test]
    fn a_generator_that_failed_has_no_reward() {
        let (run, _) = parsed_of(
            &json!({"exhausted": true, "reflection_best_score": -1.0, "reflection_history": [
            {"iteration": 1, "output": null, "score": 0.0, "valid": false,
             "errors": [{"message": "Generator failed: no answer"}]},
            {"iteration": 2, "output": "hm", "score": 0.0, "valid": "no", "errors": [
                {"message": "Say more."}, "Be kind.", {"type": "corrector_error", "message": "broke"}]}]}),
        );
        assert_eq!(run.about.outcome_detail.as_deref(), Some("limit_reached"));
        assert!(run.about.counters.is_empty());
        let [first, second] = &run.steps[..] else { panic!("two") };
        assert_eq!(first.outcome_detail.as_deref(), Some("generator-error"));
        assert_eq!(
            (first.reward.is_none(), first.actions.len(), first.reflections.len()),
            (true, 0, 0)
        );
        assert_eq!(second.reward.as_ref().map(|r| r.value), Some(0.0));
        assert_eq!(second.outcome, Some(Outcome::Failure));
        assert_eq!(second.reflections[0].text, "Say more.\nBe kind.");
        assert_eq!((second.flags.len(), second.errors[2].kind.as_str()), (1, "corrector_error"));
    }

    #[test]
    fn scores_are_not_clamped_upstream() {
        let (run, findings) = parsed_of(
            &json!({"reflection_history": [entry(1, 1.5, false), entry(2, -3.0, false)]}),
        );
        let rewards: Vec<_> =
            run.steps.iter().map(|s| s.reward.as_ref().map(|r| r.value)).collect();
        assert_eq!(rewards, [Some(0.015), None]);
        assert_eq!(
            findings,
            [
                "reward/scale-mismatch /reflection_history/0/score",
                "reward/out-of-range /reflection_history/1/score"
            ]
        );
        assert_eq!(run.about.outcome, Some(Outcome::Unknown));
    }

    #[test]
    fn a_result_of_the_npm_package() {
        let result = |success: bool| {
            json!({"success": success, "stopReason": if success { "valid" } else { "stalled" },
                "iterations": 2, "output": {"n": 2}, "errors": [], "best": {"n": 2}, "score": 0.9,
                "attempts": [entry(1, 0.5, false), entry(2, 0.9, success)], "feedback": "Count on.",
                "warnings": []})
        };
        for (success, outcome) in [(true, Outcome::Success), (false, Outcome::Failure)] {
            let (run, findings) = parsed_of(&result(success));
            assert!(findings.is_empty(), "{findings:?}");
            assert_eq!((run.about.outcome, run.about.counter), (Some(outcome), Some(2)));
            let best = run.about.counters.first().map(|best| (best.name.as_str(), best.value));
            assert_eq!(best, Some(("score", 0.9)));
            assert_eq!(run.about.outcome_detail.as_deref(), (!success).then_some("stalled"));
            let texts: Vec<_> = run.about.texts.iter().map(|t| t.name.as_str()).collect();
            assert_eq!(texts, ["stopReason", "feedback"]);
            assert_eq!(run.steps[1].reward.as_ref().map(|reward| reward.value), Some(0.9));
        }
        let mut ended = result(false);
        ended["stopReason"] = json!("aborted");
        assert_eq!(parsed_of(&ended).0.about.outcome, Some(Outcome::Aborted));
        let mut other = result(true);
        other.as_object_mut().expect("an object").remove("stopReason");
        assert!(!fits(&other, &Context::default()), "attempts of somebody else");
    }

    /// Names of the npm package mean nothing in a state of `the_edge_agent`.
    #[test]
    fn members_of_a_state_are_kept() {
        let state =
            json!({"reflection_history": [entry(1, 0.5, true)], "score": 77, "iterations": 900});
        let (run, _) = parsed_of(&state);
        let texts: Vec<_> = run.about.texts.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(texts, ["score", "iterations"]);
    }

    #[test]
    fn attempts_count_where_flags_contradict_them() {
        let (run, findings) =
            parsed_of(&json!({"success": true, "valid": "perhaps", "exhausted": true,
            "reflection_history": [entry(1, 0.5, false), entry(3, 0.6, false)]}));
        assert_eq!(run.about.outcome, Some(Outcome::Failure));
        assert_eq!(
            findings,
            [
                "tea/flag-overwritten /success",
                "tea/flag-overwritten /valid",
                "tea/iteration /reflection_history/1/iteration"
            ]
        );
    }

    /// A writer that keeps the whole state in each output multiplies it round by round.
    #[test]
    fn nested_outputs_are_kept_whole() {
        let mut entries = Vec::new();
        for n in 1..=8 {
            let output = json!({"n": n, "reflection_history": entries.clone()});
            entries.push(json!({"iteration": n, "output": output, "score": 0.1, "valid": false, "errors": []}));
        }
        let (run, findings) = parsed_of(&json!({"reflection_history": entries}));
        assert_eq!((run.steps.len(), findings.len()), (8, 0));
        for (step, entry) in run.steps.iter().zip(&entries) {
            assert_eq!(step.actions[0].output, Some(entry["output"].to_string()));
        }
    }

    #[test]
    fn exceptions_and_saved_states() {
        let (run, _) = parsed_of(
            &json!({"message": "no attempt was valid", "history": [entry(1, 0.1, false)]}),
        );
        assert_eq!((run.steps.len(), run.about.texts[0].name.as_str()), (1, "message"));
        let state = json!({"node": "write", "state": {"task": "count", "reflection_history": [entry(2, 0.1, false)]}});
        let (run, findings) = parsed_of(&state);
        assert_eq!(findings, ["tea/iteration /state/reflection_history/0/iteration"]);
        let texts: Vec<_> = run.about.texts.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(texts, ["task", "node"]);
        let no = |value: Value| assert!(!fits(&value, &Context::default()), "{value}");
        no(json!({"history": []}));
        no(json!({"history": [{"score": 1}]}));
        no(json!({"a": {"b": {"c": {"reflection_history": []}}}}));
        no(json!([]));
        let (run, _) = parsed_of(&json!({"reflection_history": []}));
        assert_eq!((run.steps.len(), run.about.outcome), (0, Some(Outcome::Unknown)));
    }
}
