//! The examples of docs/spec/rules.md, and the nearest cases with another answer.

mod groups;
mod headlines;
mod health;
mod laws;
mod learning;
mod lesson_lifecycle;
mod news;
mod quality;
mod trajectory;

use serde_json::{Value, json};

use super::answer::Explanation;
use crate::history::History;
use crate::history::loaded_run::LoadedRun;
use crate::model::options::InsightOptions;
use crate::validate::Profile;

/// Puts one object over another, member by member.
fn put(over: &Value, under: &mut Value) {
    match (over, under) {
        (Value::Object(over), Value::Object(under)) => {
            for (name, value) in over {
                put(value, under.entry(name.clone()).or_insert(Value::Null));
            }
        }
        (over, under) => *under = over.clone(),
    }
}

/// Reflection-memory records of one run, numbered from 1, each with members of its own.
fn records(of: &[Value]) -> Vec<String> {
    (1..)
        .zip(of)
        .map(|(number, own)| {
            let mut record = json!({
                "loop_id": "ralph-a",
                "iteration": number,
                "actor_output": {},
                "evaluator_output": {"passed": false},
            });
            put(own, &mut record);
            record.to_string()
        })
        .collect()
}

/// A history with the run that they make.
fn history(of: &[Value]) -> (History, String) {
    let text = records(of).join("\n");
    let mut history = History::new(Profile::Lenient);
    let source = history.open("run.jsonl");
    history.push(source, text.as_bytes()).expect("it is open");
    history.finish(source).expect("it is open");
    (history, text)
}

/// The loaded run that they make, with `read` of its records read.
fn loaded_run(of: &[Value], read: usize) -> LoadedRun {
    let (history, text) = history(of);
    let runs = history.runs();
    assert_eq!(runs.len(), 1, "{:?}", history.findings());
    let mut loaded_run = history.loaded_run(runs[0].id).expect("it is listed");
    for span in history.needs(&loaded_run).into_iter().take(read) {
        let (start, end) = (usize::try_from(span.start), usize::try_from(span.end));
        let bytes = &text.as_bytes()[start.expect("small")..end.expect("small")];
        history.load(&mut loaded_run, span.record, bytes).expect("its bytes");
    }
    loaded_run
}

fn explained_by(of: &[Value], options: &InsightOptions) -> Explanation {
    loaded_run(of, usize::MAX).explain(options)
}

/// With every rule, those too that are off by default.
fn all_rules() -> InsightOptions {
    InsightOptions { rules: vec!["*".to_owned()], ..InsightOptions::default() }
}

fn explained(of: &[Value]) -> Explanation {
    explained_by(of, &all_rules())
}

/// Records with these rewards; none is a gap.
fn rewards(of: &[Option<f64>]) -> Vec<Value> {
    of.iter()
        .map(|reward| {
            reward.map_or(json!({}), |r| json!({"evaluator_output": {"reward_signal": r}}))
        })
        .collect()
}

/// Records with these rewards in points.
fn in_points(of: &[f64]) -> Vec<Value> {
    rewards(&of.iter().map(|points| Some(points / 100.0)).collect::<Vec<_>>())
}

/// Records with these reflections.
fn reflections(of: &[&str]) -> Vec<Value> {
    of.iter().map(|text| json!({"self_reflection": {"reflection_text": text}})).collect()
}

/// Where a rule fires: the iterations of each finding.
fn fires(explanation: &Explanation, rule: &str) -> Vec<Vec<i64>> {
    let found = explanation.findings.iter().filter(|f| f.rule == rule);
    found.map(|f| f.evidence.iter().map(|e| e.number).collect()).collect()
}

/// No list: the rule does not fire.
const NOWHERE: [Vec<i64>; 0] = [];
