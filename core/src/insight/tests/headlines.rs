use serde_json::{Value, json};

use super::*;
use crate::model::id::{GroupId, RunId};

/// Records of several loops, each with its outcomes (`P`, `F`, anything else for none), its rewards, and a
/// reflection for each letter: the same letter stands for the same text.
fn loops(of: &[(&str, &str, &[f64])]) -> History {
    let mut history = History::new(Profile::Lenient);
    for (name, (outcomes, texts, rewards)) in of.iter().enumerate() {
        let mut lines = Vec::new();
        for (k, outcome) in outcomes.chars().enumerate() {
            let mut record = json!({
                "loop_id": format!("ralph-{name}"),
                "iteration": k + 1,
                "actor_output": {},
                "evaluator_output": {},
            });
            match outcome {
                'P' => put(&json!({"evaluator_output": {"passed": true}}), &mut record),
                'F' => put(&json!({"evaluator_output": {"passed": false}}), &mut record),
                _ => {}
            }
            if let Some(reward) = rewards.get(k) {
                put(&json!({"evaluator_output": {"reward_signal": reward}}), &mut record);
            }
            if let Some(text) = texts.chars().nth(k).filter(|text| *text != ' ') {
                let text =
                    format!("Plan {text}: look at the part called {text} before the rest of it.");
                put(&json!({"self_reflection": {"reflection_text": text}}), &mut record);
            }
            lines.push(record.to_string());
        }
        let text = lines.join("\n");
        let source = history.open(&format!("runs/ralph-{name}.jsonl"));
        history.push(source, text.as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
        for run in (0..history.run_count()).map(RunId::at) {
            let mut loaded_run = history.loaded_run(run).expect("it is listed");
            for span in history.needs(&loaded_run) {
                let at = |n: u64| usize::try_from(n).expect("small");
                if span.source == source {
                    let bytes = &text.as_bytes()[at(span.start)..at(span.end)];
                    history.load(&mut loaded_run, span.record, bytes).expect("these are its bytes");
                }
            }
            history.keep_sketches(&mut loaded_run);
        }
    }
    history
}

/// What is said of one loop.
fn said(outcomes: &str, texts: &str, rewards: &[f64]) -> String {
    let history = loops(&[(outcomes, texts, rewards)]);
    let verdicts = history.verdicts(&[RunId(0)]);
    let [verdict] = &verdicts[..] else { panic!("one run") };
    let parts: String = verdict.headline.parts.iter().map(|part| &part.text[..]).collect();
    assert_eq!(parts, verdict.headline.says);
    assert_eq!(history.headline(GroupId(0)).as_ref(), Some(&verdict.headline));
    verdict.headline.says.clone()
}

#[test]
fn a_run_says_where_it_was_stuck_and_how_it_ended() {
    for (outcomes, texts, rewards, expected) in [
        ("P", "", &[][..], "Solved at the first attempt."),
        ("PF", "", &[], "Solved at 1, but ended in failure."),
        ("PP", "", &[], "Solved at the first attempt."),
        ("F", "", &[], "Failed at the only attempt on record."),
        ("FFP", "abc", &[], "Solved at 3."),
        ("FFF", "abc", &[], "Not solved after 3 attempts."),
        (
            "FFFFP",
            "abbb",
            &[],
            "Stuck from 2 to 4: the same reflection, every attempt failed. Solved at 5.",
        ),
        // Twice is no loop.
        ("FFFFP", "abbc", &[], "Solved at 5."),
        (
            "FFFF",
            "abab",
            &[],
            "Stuck from 1 to 4: two reflections in turn, every attempt failed. Not solved after 4 attempts.",
        ),
        // Where the reward rises, the same reflection is no sign of being stuck.
        (
            "FFFF",
            "aaaa",
            &[0.1, 0.3, 0.5, 0.7],
            "Not solved after 4 attempts. The reward rose from 0.1 to 0.7.",
        ),
        (
            "???",
            "",
            &[0.5, 0.5, 0.51],
            "Stuck from 1 to 3: the reward hardly moved. No outcome is recorded. The reward rose from 0.5 to 0.51.",
        ),
        (
            "???",
            "",
            &[0.2, 0.9, 0.4],
            "No outcome is recorded. The reward went from 0.2 to 0.4; the best was 0.9, at 2.",
        ),
        ("??", "", &[0.9, 0.4], "No outcome is recorded. The reward fell from 0.9 to 0.4."),
        ("?", "", &[0.9], "No outcome is recorded. The reward was 0.9."),
        ("?", "", &[], "No outcome is recorded."),
    ] {
        assert_eq!(said(outcomes, texts, rewards), expected, "{outcomes} {texts} {rewards:?}");
    }
}

/// What a file says of a run is said as what it says.
#[test]
fn a_run_says_what_its_file_says_of_it() {
    let state = |more: &Value| {
        let mut state = json!({"id": "ralph-a", "task": "Sort it", "iterations": []});
        put(more, &mut state);
        state
    };
    let attempts = json!([{"number": 1, "status": "completed", "analysis": {"success": false}},
        {"number": 2, "status": "completed", "analysis": {"success": true}}]);
    for (record, expected) in [
        (
            json!({"trial_number": 3, "loop_id": "a", "outcome": "failure", "reflection": "Slow."}),
            "Failed at 3, the only attempt on record.",
        ),
        (
            state(&json!({"status": "running", "currentIteration": 4})),
            "Recorded as running, at attempt 4.",
        ),
        (
            state(&json!({"status": "completed", "currentIteration": 8})),
            "Solved after 8 attempts; none is recorded.",
        ),
        (
            state(
                &json!({"status": "limit_reached", "startTime": "2026-03-01T09:00:00Z", "maxIterations": 2,
                "iterations": attempts}),
            ),
            "Solved at 2; the loop ended at its limit.",
        ),
        (
            json!({"name": "a", "status": "Submission Timed-Out", "reward": false,
                "info": {"state": "STARTED", "total_correct": 1, "total_testcases": 2}}),
            "The judge gave no verdict.",
        ),
    ] {
        let mut history = History::new(Profile::Lenient);
        history.open_files([("log.json", record.to_string().as_bytes())]);
        let verdicts = history.verdicts(&[RunId(0)]);
        let says = verdicts.first().map(|verdict| verdict.headline.says.as_str());
        assert_eq!(says, Some(expected), "{record}");
    }
}

/// What is said of several loops.
fn of_all(of: &[&str]) -> String {
    let of: Vec<_> = of.iter().map(|outcomes| (*outcomes, "", &[][..])).collect();
    let history = loops(&of);
    let headline = history.headline(GroupId(0)).expect("there is a group");
    let parts: String = headline.parts.iter().map(|part| &part.text[..]).collect();
    assert_eq!(parts, headline.says);
    headline.says
}

#[test]
fn several_runs_say_what_they_came_to() {
    for (of, expected) in [
        (&["P", "P"][..], "Both runs were solved."),
        (&["P", "P", "F"], "2 of 3 runs were solved."),
        (&["P", "F", "F"], "1 of 3 runs was solved."),
        (&["F", "F", "F"], "None of the 3 runs was solved."),
        (&["FF", "FFF"], "None of the 2 runs was solved."),
        (
            &["P", "FP", "FFP"],
            "All 3 runs were solved, 1 of them at the first attempt. Of the 2 that were left, the first retry solved 1, later ones 1.",
        ),
        (
            &["P", "FFP", "FFFF", "F"],
            "2 of 4 runs were solved, 1 of them at the first attempt. Of the 3 that were left, 2 were tried again: 1 was solved within 3 retries each.",
        ),
        (
            &["P", "FP", "FF"],
            "2 of 3 runs were solved, 1 of them at the first attempt. Of the 2 that were left, 1 was solved by a retry.",
        ),
        (
            &["PP", "PP", "?"],
            "Both runs with a recorded outcome were solved, all of them at the first attempt. 1 run has no recorded outcome.",
        ),
        (&["?", "??"], "None of the 2 runs has a recorded outcome."),
        (
            &["PF", "P"],
            "Both runs were solved, all of them at the first attempt. 1 ended in failure after a success.",
        ),
    ] {
        assert_eq!(of_all(of), expected, "{of:?}");
    }
}

#[test]
fn parts_name_the_runs_that_they_count() {
    let history =
        loops(&[("P", "", &[]), ("FFFFP", "abbb", &[]), ("FFF", "aaa", &[]), ("FP", "", &[])]);
    let headline = history.headline(GroupId(0)).expect("there is a group");
    let parts: Vec<(&str, Vec<u32>)> = headline
        .parts
        .iter()
        .filter(|part| !part.runs.is_empty())
        .map(|part| (part.text.as_str(), part.runs.iter().map(|run| run.0).collect()))
        .collect();
    assert_eq!(
        parts,
        [
            ("3 of 4 runs were solved", vec![0, 1, 3]),
            (", 1 of them at the first attempt", vec![0]),
            (" 2 got stuck", vec![1, 2]),
            (", 1 of them before it was solved", vec![1]),
            (" Of the 3 that were left, ", vec![1, 2, 3]),
            ("the first retry solved 1", vec![3]),
            (", later ones 1", vec![1]),
        ]
    );
    // Who got stuck after a success did not get stuck before it.
    let later = loops(&[("PFFF", "baaa", &[]), ("P", "", &[])]);
    let says = later.headline(GroupId(0)).expect("there is a group").says;
    assert!(says.contains(" 1 got stuck. "), "{says}");
    // Before reflections are compared, it says so.
    let unread =
        history.headline_of(&[RunId(0), RunId(1)], |run| (run == RunId(0)).then_some(false));
    assert!(unread.says.contains("Checked 1 of 2 for repetition."), "{}", unread.says);
}

#[test]
fn experiments_are_compared_after_as_many_attempts() {
    let task = |id: usize, rewards: &str| {
        let rewards: Vec<Value> = rewards.chars().map(|c| json!(u8::from(c == 'P'))).collect();
        json!({"task_id": format!("q{id}"), "per_attempt_rewards": rewards, "reflections": []})
    };
    let of = |tasks: &[&str]| {
        let tasks: Vec<_> =
            tasks.iter().enumerate().map(|(id, rewards)| task(id, rewards)).collect();
        Value::Array(tasks).to_string()
    };
    let mut history = History::new(Profile::Lenient);
    for (name, tasks) in [
        ("a/study.json", &["P", "FF", "FF", "FF", "FF", "FF"][..]),
        ("b/study.json", &["P", "FP", "FP", "FP", "FFP", "FF"]),
        ("c/study.json", &["FFF", "FFF", "FFF"]),
    ] {
        let source = history.open(name);
        history.push(source, of(tasks).as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
    }
    let groups: Vec<_> = history.groups().into_iter().map(|group| group.id).collect();
    let [a, b, c] = groups[..] else { panic!("three groups") };
    let two = history.compare(&[a, b], None).expect("they have the same tasks");
    assert_eq!((two.attempts, two.tasks), (2, 6));
    assert_eq!(two.experiments.iter().map(|one| one.solved).collect::<Vec<_>>(), [1, 4]);
    assert_eq!(
        two.headline.says,
        "After 2 attempts each, a/study.json solved 1 of the 6 tasks that both have; b/study.json solved 4: +50.0 points (95 % interval +5.3 to +73.3), p = 0.25, which may be chance. 3 tasks were solved by b/study.json only."
    );
    let all = history.compare(&[a, b, c], None).expect("they have three tasks in common");
    assert_eq!((all.attempts, all.tasks), (2, 3));
    assert!(all.experiments.iter().all(|one| one.p_value.is_none() && one.interval.is_some()));
    assert_eq!(
        all.headline.says,
        "After 2 attempts each, a/study.json solved 1 of the 3 tasks that all have; b/study.json solved 3; c/study.json solved 0. These are too few tasks to compare."
    );
    assert!(history.compare(&[a, b], Some(0)).is_err());
    for odd in [&[][..], &[a], &[a, a], &[a, GroupId(9)]] {
        assert!(history.compare(odd, None).is_err());
    }
}

/// Trials of a few tasks of an experiment: by task, when each was solved, if ever; counted from `base`.
fn trials(history: &mut History, folder: &str, base: usize, solved_at: &[Option<usize>]) {
    for trial in 0..4 {
        let is_solved = |at: &Option<usize>| at.is_some_and(|at| at <= trial);
        let tasks: Vec<Value> = solved_at
            .iter()
            .enumerate()
            .map(|(task, at)| json!({"name": format!("env_{task}"), "memory": [], "is_success": is_solved(at)}))
            .collect();
        let source = history.open(&format!("{folder}/env_results_trial_{}.json", base + trial));
        let text = Value::from(tasks).to_string();
        history.push(source, text.as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
    }
}

#[test]
fn attempts_are_counted_from_the_first_number_of_each_experiment() {
    let solved: Vec<_> = (0..12).map(|task| (task < 8).then_some(task % 3)).collect();
    let mut history = History::new(Profile::Lenient);
    trials(&mut history, "zero", 0, &solved);
    trials(&mut history, "one", 1, &solved);
    let groups: Vec<_> = history.groups().into_iter().map(|group| group.id).collect();
    for attempts in [None, Some(1), Some(2), Some(4), Some(9)] {
        let compared = history.compare(&groups, attempts).expect("they have the same tasks");
        assert_eq!(compared.attempts, attempts.unwrap_or(4).min(4));
        let [a, b] = &compared.experiments[..] else { panic!("two experiments") };
        assert_eq!(
            (a.solved, b.points, b.p_value),
            (b.solved, Some(0.0), Some(1.0)),
            "{attempts:?}"
        );
    }
}

/// By hand: p of 10 to 1 pairs is 0.01171875, of 9 to 2 it is 0.06542969.
#[test]
fn several_comparisons_are_corrected_by_holm() {
    let of = |solved: std::ops::Range<usize>| -> Vec<Option<usize>> {
        (0..20).map(|task| solved.contains(&task).then_some(0)).collect()
    };
    let mut history = History::new(Profile::Lenient);
    trials(&mut history, "a", 0, &of(0..3));
    trials(&mut history, "b", 0, &of(1..13));
    trials(&mut history, "c", 0, &of(2..12));
    let groups: Vec<_> = history.groups().into_iter().map(|group| group.id).collect();
    let [a, b, c] = groups[..] else { panic!("three groups") };
    let alone = history.compare(&[a, b], None).expect("they have the same tasks");
    let pair = &alone.experiments[1];
    assert_eq!((pair.only_this, pair.only_first), (Some(10), Some(1)));
    let near = |p: Option<f64>, expected: f64| p.is_some_and(|p| (p - expected).abs() < 1e-12);
    assert!(near(pair.p_value, 0.011_718_75) && pair.is_clear == Some(true), "{pair:?}");
    let all = history.compare(&[a, b, c], None).expect("they have the same tasks");
    let [first, second, third] = &all.experiments[..] else { panic!("three experiments") };
    assert_eq!(first.p_value, None);
    assert!(near(second.p_value, 0.023_437_5), "{second:?}");
    assert!(near(third.p_value, 0.065_429_687_5), "{third:?}");
    assert_eq!(
        (all.experiments[1].is_clear, all.experiments[2].is_clear),
        (Some(true), Some(false))
    );
}

/// What is said of loops, each by the outcomes of its attempts, in words.
fn of_words(of: &[&[&str]]) -> String {
    let mut history = History::new(Profile::Lenient);
    for (name, outcomes) in of.iter().enumerate() {
        let lines: Vec<String> = (1..)
            .zip(*outcomes)
            .map(|(n, outcome)| {
                format!(r#"{{"trial_number":{n},"loop_id":"l{name}","outcome":"{outcome}","reflection":"On {n}."}}"#)
            })
            .collect();
        let source = history.open(&format!("runs/l{name}.jsonl"));
        history.push(source, lines.join("\n").as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
    }
    let runs = history.runs_in(GroupId(0));
    history.headline_of(&runs, |_| Some(false)).says
}

#[test]
fn what_goes_on_is_not_failed_and_what_is_void_is_nothing() {
    for (of, expected) in [
        (
            &[&["running"][..], &["running"]][..],
            "None of the 2 runs has a recorded outcome. All of them are recorded as running.",
        ),
        (
            &[&["running"], &["success"]],
            "The only run with a recorded outcome was solved. 1 is recorded as running.",
        ),
        (
            &[&["failure", "running"], &["success"], &["success"]],
            "Both runs with a recorded outcome were solved. 1 is recorded as running.",
        ),
        (
            &[&["success", "running"], &["failure"]],
            "1 of 2 runs was solved, at the first attempt. 1 is recorded as running.",
        ),
        (&[&["void"], &["void"]], "None of the 2 runs has a recorded outcome."),
        (
            &[&["void"], &["success"], &["failure"]],
            "1 of 2 runs with a recorded outcome was solved. 1 run has no recorded outcome.",
        ),
    ] {
        assert_eq!(of_words(of), expected, "{of:?}");
    }
}

/// What is said of each attempt of a loop with these errors and rewards.
fn of_attempts(of: &[(&[&str], Option<f64>, bool)]) -> Vec<String> {
    let attempt = |(errors, reward, passed): &(&[&str], Option<f64>, bool)| {
        let errors: Vec<Value> = errors
            .iter()
            .map(|message| json!({"type": "test_failure", "message": message}))
            .collect();
        let mut record = json!({"evaluator_output": {"passed": passed, "errors": errors}});
        if let Some(reward) = reward {
            put(&json!({"evaluator_output": {"reward_signal": reward}}), &mut record);
        }
        record
    };
    let records: Vec<Value> = of.iter().map(attempt).collect();
    let run = loaded_run(&records, records.len());
    let says = |number| run.attempt_headline(number).expect("the run has it").says;
    assert!(run.attempt_headline(0).is_err());
    (1..).zip(of).map(|(number, _)| says(number)).collect()
}

#[test]
fn an_attempt_says_what_was_new_and_what_came_after() {
    let said = of_attempts(&[
        (&["a is 1", "b"], Some(0.4), false),
        // The numbers in messages do not count.
        (&["a is 2", "c", "d"], Some(0.5), false),
        (&["c"], Some(0.5), false),
        (&["e"], Some(0.25), false),
        (&["f", "g"], Some(0.25), false),
        (&[], Some(0.9), true),
    ]);
    assert_eq!(
        said,
        [
            "Failed with 2 errors. The reward was 0.4. The next attempt improved the reward by 0.1.",
            "Failed with 3 errors, 2 of them new. The reward rose by 0.1 to 0.5. The next attempt failed, too.",
            "Failed with 1 error, not a new one. The reward stayed at 0.5. The next attempt lowered the reward by 0.25.",
            "Failed with 1 error, a new one. The reward fell by 0.25 to 0.25. The next attempt failed, too.",
            "Failed with 2 errors, all of them new. The reward stayed at 0.25. The next attempt succeeded.",
            "Succeeded. The reward rose by 0.65 to 0.9.",
        ]
    );
    let verdicts = of_attempts(&[(&[], None, false), (&[], None, true), (&[], None, false)]);
    assert_eq!(
        verdicts,
        ["Failed. The next attempt succeeded.", "Succeeded. The next attempt failed.", "Failed."]
    );
}
