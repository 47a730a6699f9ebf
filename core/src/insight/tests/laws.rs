//! What holds for every run: nothing panics, equal runs are explained equally, findings point
//! at their run, and what was not read is named.

use serde_json::{Value, json};

use super::super::{explain, rules};
use super::{all_rules, explained, loaded_run, records, reflections};
use crate::model::options::{InsightOptions, Selection};

/// xorshift64*: the same runs on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        usize::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).expect("31 bits") % limit
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    fn text(&mut self) -> String {
        const WORDS: [&str; 16] = [
            "retry",
            "the",
            "insert_key()",
            "`ab`",
            "src/é.rs:1:2",
            "",
            "\n",
            ".",
            "!\u{301}",
            "0x",
            "Iteration 3:",
            "::",
            "-",
            "…",
            "550e8400-e29b-41d4-a716-446655440000",
            "\u{1F600}",
        ];
        (0..self.below(14)).map(|_| self.of(&WORDS)).collect::<Vec<_>>().join(" ")
    }

    fn texts(&mut self) -> Vec<String> {
        (0..self.below(4)).map(|_| self.text()).collect()
    }

    fn record(&mut self) -> Value {
        let mut record = json!({});
        if self.below(4) > 0 {
            let reward = [json!(0), json!(0.5), json!(1), json!(-3), json!(70), json!(null)];
            record["evaluator_output"] = json!({
                "passed": self.below(2) == 0,
                "reward_signal": reward[self.below(reward.len())],
                "verification_type": self.of(&["lint", "unit_tests", "?"]),
                "results": [{"tool": self.of(&["", "cargo"]), "status": self.of(&["pass", "fail"])}],
                "metrics": {"tests_passed": self.below(9), "coverage_percentage": self.below(100)},
            });
            if self.below(2) == 0 {
                let error = |text| json!({"type": "other", "message": text, "file": "a.rs"});
                record["evaluator_output"]["errors"] =
                    self.texts().into_iter().map(error).collect();
            }
        }
        if self.below(4) > 0 {
            let confidence = [json!(0.2), json!(0.97), json!("x")][self.below(3)].clone();
            record["self_reflection"] = json!({
                "reflection_text": self.text(),
                "lessons_learned": self.texts(),
                "confidence": confidence,
                "related_reflections": [self.below(5), -1, i64::MAX],
                "credit_assignment": {"failing_action_indices": [self.below(3), -1, u32::MAX]},
            });
        }
        let action = json!({
            "type": "other", "description": self.text(), "file_path": self.of(&["", "a.rs", "b/"]),
            "command": self.text(),
            "changes": {"diff": format!("@@\n+{}", self.text()), "additions": i64::MIN},
        });
        record["actor_output"] =
            json!({"actions": vec![action; self.below(3)], "strategy": self.text()});
        record["memory_metadata"] = json!({"omega_capacity": self.below(12)});
        record["previous_reflections_used"] = json!([self.below(9)]);
        record["iteration"] =
            [json!(0), json!(self.below(30)), json!(i64::MAX), json!(null)][self.below(4)].clone();
        record
    }
}

#[test]
fn any_run_is_explained_the_same_each_time() {
    let known: Vec<_> = rules::insight_rules().iter().map(|rule| rule.id).collect();
    for seed in 1..150_u64 {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let all: Vec<_> = (0..=random.below(12)).map(|_| random.record()).collect();
        let options = InsightOptions {
            omega: [None, Some(0), Some(255)][random.below(3)],
            diminishing_relative: [0.05, f64::NAN, f64::INFINITY][random.below(3)],
            diminishing_steps: [2, 0, u32::MAX][random.below(3)],
            selection: [Selection::HighestQuality, Selection::MostRecentAboveThreshold]
                [random.below(2)],
            max_iterations: [None, Some(0), Some(3)][random.below(3)],
            now_ms: [None, Some(f64::NAN), Some(2e12)][random.below(3)],
            ..all_rules()
        };
        let read = [0, 1, usize::MAX][random.below(3)];
        let loaded_run = loaded_run(&all, read);
        let explanation = loaded_run.explain(&options);
        assert_eq!(
            format!("{explanation:?}"),
            format!("{:?}", super::loaded_run(&all, read).explain(&options))
        );
        assert_eq!(explanation.missing.is_empty(), explanation.left_out.is_empty());
        for finding in &explanation.findings {
            assert!(known.contains(&&*finding.rule), "{finding:?}");
            assert_eq!(finding.run, Some(loaded_run.run()));
            assert!(!finding.evidence.is_empty() && finding.message.ends_with('.'), "{finding:?}");
        }
        let lines = records(&all);
        let live = explain(&lines, &options);
        assert!(live.missing.is_empty(), "{live:?}");
    }
}

#[test]
fn rules_are_listed_once_and_in_their_place() {
    let ids: Vec<_> = rules::insight_rules().iter().map(|rule| rule.id).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), ids.len());
    for rule in rules::insight_rules() {
        assert!(rule.says.ends_with('.') && rule.says.len() > 20, "{}", rule.id);
        assert!(rule.threshold.is_none_or(|text| !text.ends_with('.')), "{}", rule.id);
    }
}

#[test]
fn what_is_not_read_is_left_out_and_named() {
    let all = reflections(&["Retry.", "Retry.", "Retry."]);
    let options = InsightOptions::default();
    let unread = loaded_run(&all, 0);
    let explanation = unread.explain(&options);
    assert_eq!(explanation.missing, unread.needs());
    assert!(explanation.left_out.contains(&"stuck/repeated-reflection".to_owned()));
    assert!(!explanation.left_out.contains(&"stuck/flat".to_owned()), "columns are enough");
    assert!(explanation.findings.iter().all(|f| !f.rule.starts_with("stuck/repeated")));
    let columns = InsightOptions { rules: vec!["regression/reward".to_owned()], ..options };
    assert!(unread.needs_for(&columns).is_empty());
    // No success before a failure: nothing has to be read for it.
    let verdict = InsightOptions { rules: vec!["regression/verdict".to_owned()], ..columns };
    assert!(unread.needs_for(&verdict).is_empty());
}

#[test]
fn a_live_loop_hears_of_records_that_cannot_be_read() {
    let records = [r#"{"trial_number":1,"outcome":"failure","reflection":"A."}"#, "{\"cut"];
    let explanation = explain(&records, &InsightOptions::default());
    assert_eq!(explanation.key, "records");
    let unread = &explanation.findings[0];
    assert_eq!(unread.source.map(|source| source.0), Some(1));
    let nothing = explain(&[""; 0], &InsightOptions::default());
    assert_eq!((nothing.run, nothing.findings.len()), (None, 0));
}

#[test]
fn several_runs_are_answered_by_the_latest() {
    let of = |id: &str| {
        format!(r#"{{"trial_number":1,"loop_id":"{id}","outcome":"failure","reflection":"A."}}"#)
    };
    let explanation = explain(&[of("b"), of("a")], &InsightOptions::default());
    assert_eq!(explanation.key, "a");
}

/// Near-linear: in all pairs this would be some fifty million comparisons.
#[test]
fn long_runs_are_judged_whole() {
    let mut seed = 1_u64;
    let texts: Vec<String> = (0..1500)
        .map(|n| {
            let mut text = format!("In attempt {n} ");
            for _ in 0..60 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push_str(["word", "other", "third"][n % 3]);
                text.push_str(&((seed >> 40) % 4000).to_string());
                text.push(' ');
            }
            text
        })
        .collect();
    let texts: Vec<_> = texts.iter().map(String::as_str).collect();
    let explanation = explained(&reflections(&texts));
    assert_eq!(explanation.reflections.len(), 1500);
}
