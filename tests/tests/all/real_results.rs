//! Real results of Self-Refine and of `the_edge_agent`'s loops, where they lie beside the clone: what was
//! counted independently must come out.

use std::collections::BTreeMap;
use std::fs;

use hindscope::{History, Outcome};
use hindscope_tests::{Input, open, read, shared};
use serde_json::Value;

/// Attempts of all runs by outcome, and rewards in thousandths.
fn counted(history: &History) -> (BTreeMap<&'static str, usize>, BTreeMap<String, usize>) {
    let mut outcomes = BTreeMap::new();
    let mut rewards = BTreeMap::new();
    for view in history.runs() {
        let run = history.run(view.id).expect("the history listed it");
        for outcome in run.outcomes() {
            *outcomes.entry(outcome.as_str()).or_default() += 1;
        }
        for reward in run.rewards().iter().filter(|reward| !reward.is_nan()) {
            *rewards.entry(format!("{reward:.3}")).or_default() += 1;
        }
    }
    (outcomes, rewards)
}

#[test]
fn self_refine_rows() {
    let Some(shared) = shared("") else { return };
    let files = read(&shared.join("other/self-refine_yelp_gpt4_first60.jsonl"))
        .expect("the data can be read");
    let history = open(&files, 1 << 16);
    let [source] = &history.sources()[..] else { panic!("one file is one source") };
    assert_eq!((source.format.as_deref(), source.kept), (Some("self-refine"), 60));
    assert_eq!(history.run_count(), 14);
    let (outcomes, rewards) = counted(&history);
    let expected = [("failure", 1), ("partial", 10), ("success", 46), ("unknown", 3)];
    assert_eq!(outcomes, BTreeMap::from(expected));
    let expected = [("0.500", 1), ("0.750", 10), ("1.000", 46)].map(|(r, n)| (r.to_owned(), n));
    assert_eq!(rewards, BTreeMap::from(expected));
    let runs = history.runs();
    assert!(runs.iter().all(|run| run.reward_rule.as_deref() == Some("reward/derive-ordinal")));
    assert_eq!(runs.iter().map(|run| run.reflections).sum::<u32>(), 60);
    // Three tasks lack their third attempt; the file was cut where the last begins.
    let numbers = |key: &str| {
        let run = history.find_run(key).expect("the task is there");
        history.run(run).expect("it is listed").numbers().to_vec()
    };
    for key in ["3", "8", "12"] {
        assert_eq!(numbers(key), [0, 1, 3, 4], "{key}");
    }
    assert_eq!((numbers("0"), numbers("13")), (vec![0], vec![1, 2]));
    let found: Vec<_> = history.findings().into_iter().map(|f| (f.rule, f.message)).collect();
    let gap = ("series/gap".into(), "Iteration 2 is missing.".to_owned());
    let first = ("series/gap".into(), "Iteration 0 is missing.".to_owned());
    assert_eq!(found, [gap.clone(), gap.clone(), gap, first]);
}

/// The vectors of the loop are no history; what their loops returned is.
#[test]
fn results_of_the_edge_agent() {
    let Some(shared) = shared("") else { return };
    let text = fs::read_to_string(shared.join("loop/vectors.jsonl")).expect("it can be read");
    let is_result = |result: &Value| {
        let entries = result.get("reflection_history").and_then(Value::as_array);
        let is_entry = |e: &Value| e.get("score").is_some() && e.get("valid").is_some();
        entries.is_some_and(|entries| entries.iter().all(is_entry))
    };
    let cases = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("it is JSON"));
    let results: Vec<Value> = cases
        .filter(|case| case["op"] == "loop")
        .filter_map(|case| case.pointer("/expect/result").cloned())
        .filter(is_result)
        .collect();
    assert_eq!(results.len(), 42);
    let lines: Vec<String> = results.iter().map(Value::to_string).collect();
    let file = Input { name: "results.jsonl".to_owned(), bytes: lines.join("\n").into_bytes() };
    let history = open(&[file], 1 << 16);
    assert_eq!(history.sources()[0].format.as_deref(), Some("tea-loop-result"));
    let runs = history.runs();
    assert_eq!(runs.len(), 42);
    let ended = |outcome| runs.iter().filter(|run| run.outcome == outcome).count();
    assert_eq!((ended(Outcome::Success), ended(Outcome::Failure)), (26, 16));
    let (outcomes, rewards) = counted(&history);
    assert_eq!(outcomes, BTreeMap::from([("failure", 59), ("success", 26)]));
    assert_eq!(rewards.values().sum::<usize>(), 85, "{rewards:?}");
    let contradictions: Vec<_> =
        history.findings().into_iter().filter(|f| f.rule.starts_with("tea/")).collect();
    assert!(contradictions.is_empty(), "{contradictions:?}");
}
