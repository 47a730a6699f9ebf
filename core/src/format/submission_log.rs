//! `submission-log`: what a judge said of submissions, one a line. Whoever passed only some of the tests is
//! rejected; the share that passed is the reward.

use serde_json::{Map, Value};

use super::lines::leading_number;
use super::members::text_of;
use super::parsed_record::{Context, ParsedRecord};
use super::read::Member as _;
use super::rest::{as_text, named};
use super::traits::{Role, Traits};
use super::{Family, Format, Reading};
use crate::model::datetime::of_ms;
use crate::model::details::{Counter, Details, ErrorDetails, NamedText};
use crate::model::finding::{Finding, Severity};
use crate::model::omega::Assumption;
use crate::model::outcome::Outcome;
use crate::model::reward::{Scale, rounded};
use crate::model::run_details::RunDetails;
use crate::model::view::RewardView;

pub(crate) const FORMAT: Format = Format {
    id: "submission-log",
    title: "Submissions to a judge",
    gives: "submissions with the share of tests passed",
    known_by: "a boolean `reward`, a string `status` and an object `info`",
    found_at: "any name; Reflexion's is a timestamp",
    fits,
    traits: Traits {
        family: Family::Files,
        marks: &["reward", "status", "info"],
        role: Role::Submission,
        assumed: Assumption::of(3, "Reflexion"),
        ..Traits::USUAL
    },
    reading: Reading::ParsedRecord(parse),
};

/// The rule that the share of passed tests comes from.
pub(crate) const DENSE: &str = "reward/derive-dense";

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    value.get("reward").is_some_and(Value::is_boolean)
        && value.get("status").is_some_and(Value::is_string)
        && value.get("info").is_some_and(Value::is_object)
}

/// Members of `info` that have places of their own.
const PLACED: [&str; 5] =
    ["total_correct", "total_testcases", "runtime_error", "full_runtime_error", "compile_error"];

fn parse(value: &Value, _context: &Context) -> ParsedRecord {
    let info = value.get("info").unwrap_or(&Value::Null);
    let status = value.text("status").unwrap_or_default();
    let tests = tests(info);
    let (outcome, detail) = outcome(&status, info, tests);
    // Without a verdict the counts are those of a judgement that has only begun.
    let tests = tests.filter(|_| outcome != Outcome::Unknown);
    let function = value.text("code").as_deref().and_then(entry_of);
    // A name and an id each stand for a question. The function of a code does not: two questions may ask for
    // functions of one name. Where nothing else is known, its history looks for the question.
    let question = info.get("question_id").filter(|id| !id.is_null()).map(text_of);
    let mut step = Details {
        key: value.text("name").or(question),
        time: info.integer("task_finish_time").and_then(of_ms),
        outcome: Some(outcome),
        outcome_detail: detail.map(str::to_owned),
        reward: reward(value, tests, outcome),
        errors: error(&status, outcome, info).into_iter().collect(),
        texts: named([("status", Some(status)), ("code", value.text("code"))]).collect(),
        ..Details::default()
    };
    if let Some((passed, total)) = tests {
        let counter = |name: &str, value| Counter { name: name.to_owned(), value };
        step.counters = vec![counter("tests_passed", passed), counter("tests_total", total)];
    }
    if let Some(info) = info.as_object() {
        rest(info, &mut step);
    }
    let about = RunDetails { key: step.key.clone(), task: function, ..RunDetails::default() };
    let findings = compare(info).into_iter().collect();
    ParsedRecord { findings, ..ParsedRecord::of(about, vec![step]) }
}

/// Correct and all test cases, where there are some.
fn tests(info: &Value) -> Option<(f64, f64)> {
    let (correct, total) = (info.number("total_correct")?, info.number("total_testcases")?);
    (total > 0.0 && (0.0..=total).contains(&correct)).then_some((correct, total))
}

fn outcome(
    status: &str,
    info: &Value,
    tests: Option<(f64, f64)>,
) -> (Outcome, Option<&'static str>) {
    let (outcome, detail) = Outcome::read(status);
    if outcome == Outcome::Success {
        return (outcome, detail);
    }
    if info.text("state").as_deref() == Some("STARTED") {
        return (Outcome::Unknown, Some("no verdict"));
    }
    // A word that nobody knows, of a judge that has judged.
    if outcome == Outcome::Unknown && detail.is_none() && is_judged(info, tests) {
        return (Outcome::Failure, None);
    }
    (outcome, detail)
}

fn is_judged(info: &Value, tests: Option<(f64, f64)>) -> bool {
    tests.is_some() || info.text("state").as_deref() == Some("SUCCESS")
}

/// `reward/derive-dense`, else what the log says. Without a verdict, its `false` says nothing.
fn reward(value: &Value, tests: Option<(f64, f64)>, outcome: Outcome) -> Option<RewardView> {
    if let Some((correct, total)) = tests {
        return Some(RewardView {
            raw: Some(format!("{correct}/{total}")),
            ..RewardView::derived(rounded(correct / total), Scale::Ratio, DENSE)
        });
    }
    let passed = value.flag("reward").filter(|_| outcome != Outcome::Unknown)?;
    Some(RewardView::reported(f64::from(u8::from(passed)), Some(passed.to_string()), Scale::Bool))
}

fn error(status: &str, outcome: Outcome, info: &Value) -> Option<ErrorDetails> {
    if matches!(outcome, Outcome::Success | Outcome::Unknown) {
        return None;
    }
    let said = ["runtime_error", "compile_error"].into_iter().find_map(|name| info.text(name));
    let line = said.as_deref().and_then(|text| text.strip_prefix("Line "));
    Some(ErrorDetails {
        kind: status.trim().to_lowercase().replace([' ', '-'], "_"),
        message: said.clone().unwrap_or_else(|| status.to_owned()),
        line: line.and_then(leading_number).map(|(line, _)| line),
        stack: ["full_runtime_error", "full_compile_error"]
            .into_iter()
            .find_map(|name| info.text(name)),
        ..ErrorDetails::default()
    })
}

/// Members without a place: numbers to counters, everything else to texts.
fn rest(info: &Map<String, Value>, step: &mut Details) {
    for (name, value) in info.iter().filter(|(name, _)| !PLACED.contains(&name.as_str())) {
        let name = name.clone();
        if let Some(value) = value.as_f64() {
            step.counters.push(Counter { name, value });
        } else if let Some(text) = as_text(value).filter(|text| !text.is_empty()) {
            step.texts.push(NamedText { name, text });
        }
    }
}

/// The name of the first function in a code, the constructor apart.
fn entry_of(code: &str) -> Option<String> {
    let after = |word: &'static str| {
        code.split(word).skip(1).filter_map(|rest| {
            let rest = rest.trim_start();
            let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
            rest.get(..len).filter(|name| !name.is_empty() && *name != "__init__")
        })
    };
    after("def ").chain(after("fn ")).next().map(str::to_owned)
}

/// `leet/compare`.
fn compare(info: &Value) -> Option<Finding> {
    let ones = info.text("compare_result")?.bytes().filter(|b| *b == b'1').count();
    let correct = info.integer("total_correct")?;
    if i64::try_from(ones) == Ok(correct) {
        return None;
    }
    let message =
        format!("`compare_result` has {ones} passed tests, but `total_correct` is {correct}.");
    Some(
        Finding::new("leet/compare", Severity::Warning, message)
            .hint("The reward is computed from `total_correct`.")
            .contrast(correct.to_string(), ones.to_string())
            .pointer("/info/compare_result"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parsed_of(value: &Value) -> (ParsedRecord, Details) {
        assert!(fits(value, &Context::default()));
        let parsed = parse(value, &Context::default());
        let step = parsed.runs[0].steps[0].clone();
        (parsed, step)
    }

    #[test]
    fn who_passes_some_of_the_tests_is_rejected() {
        let (parsed, step) = parsed_of(&json!({
            "name": "count-hops", "status": "Wrong Answer", "reward": false,
            "info": {"total_correct": 16, "total_testcases": 41, "state": "SUCCESS",
                     "compare_result": "1".repeat(16), "task_finish_time": 1_681_700_614_199_i64}
        }));
        assert_eq!(step.key.as_deref(), Some("count-hops"));
        assert_eq!(step.outcome, Some(Outcome::Failure));
        let reward = step.reward.expect("it has counts");
        assert_eq!((reward.value, reward.rule.as_deref()), (0.390_243_902, Some(DENSE)));
        assert_eq!(step.errors[0].kind, "wrong_answer");
        assert_eq!(step.time.as_deref(), Some("2023-04-17T03:03:34.199Z"));
        assert!(parsed.findings.is_empty());
    }

    #[test]
    fn a_judge_that_never_answered_gives_no_verdict() {
        let (_, step) = parsed_of(&json!({
            "name": "a", "status": "Submission Timed-Out", "reward": false,
            "info": {"state": "STARTED"}
        }));
        assert_eq!(step.outcome, Some(Outcome::Unknown));
        assert_eq!(step.outcome_detail.as_deref(), Some("no verdict"));
        assert_eq!(step.reward, None, "it has no verdict");
        assert!(step.errors.is_empty());
    }

    #[test]
    fn errors_name_line_and_stack() {
        let (parsed, step) = parsed_of(&json!({
            "code": "class Solution:\n    def __init__(self): pass\n    def hop(self): pass",
            "status": "Runtime Error", "reward": false,
            "info": {"total_correct": 0, "total_testcases": 3, "compare_result": "110",
                     "runtime_error": "Line 4: KeyError: 'x'", "full_runtime_error": "KeyError: 'x'\n at 4"}
        }));
        assert_eq!((step.key, parsed.runs[0].about.task.as_deref()), (None, Some("hop")));
        assert_eq!(step.outcome, Some(Outcome::Failure));
        assert_eq!(step.outcome_detail.as_deref(), Some("error"));
        assert_eq!((step.errors[0].line, step.errors[0].stack.is_some()), (Some(4), true));
        assert_eq!(parsed.findings[0].rule, "leet/compare");
    }
}
