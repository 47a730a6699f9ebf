//! The hook of a loop: what was tried is kept, and a loop that comes round is reported.

use hindscope::{ErrorCode, MemoryAnswer, MemoryDone, Profile};
use hindscope_tests::memory::{Files, at, iteration, mended, reflect, rules};
use serde_json::{Value, json};

#[test]
fn a_loop_that_is_stuck_is_reported() {
    let mut files = Files::default();
    let reflect = |second: u32, text: &str| {
        json!({"call": "reflect", "now": at(second), "loop": "ralph-001",
        "task": "Fix the login", "actions": ["Modified src/auth/login.ts", "Ran npm test"], "outcome": "failure",
        "errors": ["undefined is not a function"], "filesModified": ["src/auth/login.ts"],
        "reflection": text, "strategyChange": "Check for null first"})
    };
    let answer = |done: MemoryDone| match done.answer {
        MemoryAnswer::Iteration(answer) => *answer,
        other => panic!("{other:?}"),
    };
    for second in 1..=2 {
        let done = answer(files.do_(&reflect(second, "The token was null.")));
        assert!(!done.is_stuck && done.stuck.is_empty());
        assert!(!done.window.contains("You Are Stuck"), "{}", done.window);
    }
    let third = answer(files.do_(&reflect(3, "the TOKEN was null")));
    assert!(third.is_stuck);
    assert_eq!(third.iteration, 3);
    let stuck: Vec<_> = third.stuck.iter().map(|finding| finding.rule.as_ref()).collect();
    assert_eq!(
        stuck,
        ["stuck/repeated-reflection", "stuck/repeated-error", "stuck/repeated-action"]
    );
    assert_eq!(third.held, [1, 2, 3]);
    assert!(third.window.starts_with("## Lessons from Previous Iterations\n"), "{}", third.window);
    let (_, told) =
        third.window.split_once("\n\n## You Are Stuck\n").expect("the next one is told");
    assert!(told.starts_with("- 3 reflections in a row say the same: "), "{told}");
    let text = files.text("reflections/loops/ralph-001/iteration-3.yaml");
    assert!(
        text.starts_with(
            "trial_number: 3\ntimestamp: \"2026-03-05T00:00:03Z\"\nloop_id: \"ralph-001\"\n"
        ),
        "{text}"
    );
    let record = third.record.expect("the id is one of the schema's");
    let bytes = serde_json::to_vec(&record).expect("plain data");
    assert!(hindscope::validate(&bytes, Profile::Strict).valid);
    // Going on otherwise: stuck no more, and five are given at most.
    for second in 4..=9 {
        let mut other = reflect(second, &format!("Another thought, number {second}."));
        other["actions"] = json!([format!("Modified src/part-{second}.ts")]);
        other["errors"] = json!([]);
        let done = answer(files.do_(&other));
        assert!(!done.is_stuck && !done.window.contains("You Are Stuck"), "{second}");
        assert!(done.held.len() <= 5 && done.held.last() == Some(&i64::from(second)));
    }
    let mut facts = reflect(10, " ");
    facts["strategyChange"] = Value::Null;
    let done = answer(files.do_(&facts));
    assert!(done.is_automatic);
    assert_eq!(
        done.reflection,
        "Attempted: Modified src/auth/login.ts; Ran npm test. Result: failure with 1 error. First error: `undefined is not a function`. Files changed: src/auth/login.ts."
    );
    assert_eq!(files.code(&json!({"call": "reflect", "now": at(11), "loop": "ralph-001", "iteration": 3, "outcome": "failure"})), ErrorCode::MemoryConflict);
    assert!(!done.patterns.is_empty());
    let patterns = files.text("reflections/patterns/ralph-001.yaml");
    assert!(patterns.contains("total_reflections: 10"), "{patterns}");
    let found = files.found();
    let is_expected = |f: &String| f.contains("stuck/") || f.contains("series/");
    assert!(found.iter().all(is_expected), "{found:#?}");
    let history = files.open();
    assert_eq!((history.runs().len(), history.runs()[0].iterations), (1, 10));
    let run = history.run(history.runs()[0].id).expect("it is there");
    assert_eq!(run.iterations()[0].errors, Some(1), "errors that were stored are read");
    assert_eq!(run.view().task.as_deref(), Some("Fix the login"));
    mended(&mut files.clone(), 20, "loop");
    files.0.insert("reflections/loops/ralph-001/iteration-11.yaml".to_owned(), b"- [".to_vec());
    let done = files.ask(&json!({"call": "doctor", "now": at(20)})).expect("it answers");
    assert_eq!(rules(&done), ["memory/bad-file"]);
}

#[test]
fn patterns_of_others_are_kept() {
    const PATH: &str = "reflections/patterns/ralph-001.yaml";
    let mut files = Files::default();
    let foreign = "# mine\nowner: me\nloops:\n  ralph-009: {iterations: 4, owner: you}\npatterns:\n- pattern_id: own-idea\n  advice: Sleep.\n";
    files.0.insert(PATH.to_owned(), foreign.as_bytes().to_vec());
    let count = |files: &mut Files, text: &str| {
        let second = u32::try_from(files.0.len()).expect("small");
        files.do_(&reflect(second, text))
    };
    count(&mut files, "The token was null.");
    let done = count(&mut files, "The token was null.");
    assert!(!iteration(done.clone()).patterns.is_empty());
    assert_eq!(rules(&done), ["memory/kept-aside"]);
    assert_eq!(files.text(&format!("{PATH}.broken-1")), foreign);
    for part in [
        "owner: \"me\"",
        "ralph-009",
        "\"owner\": \"you\"",
        "own-idea",
        "Sleep.",
        "total_loops: 2",
        "total_reflections: 6",
        "\"frequency\": 2",
    ] {
        assert!(files.text(PATH).contains(part), "{part} in {}", files.text(PATH));
    }
    // What was written here is not kept aside again, nor reported twice.
    let done = count(&mut files, "The token was null.");
    assert!(done.findings.is_empty());
    assert!(!files.0.contains_key(&format!("{PATH}.broken-2")));
    assert_eq!(files.text(PATH).matches("pattern_id").count(), 1 + iteration(done).patterns.len());
    // Damage stands beside it.
    files.0.insert(PATH.to_owned(), b"- [".to_vec());
    let done = count(&mut files, "The token was null.");
    assert_eq!(rules(&done), ["memory/bad-file"]);
    assert_eq!(files.text(&format!("{PATH}.broken-2")), "- [");
}

#[test]
fn a_loop_that_comes_round_is_stuck() {
    let mut files = Files::default();
    for (second, text) in (1..).zip(["Try a lock.", "Try a queue."].into_iter().cycle().take(7)) {
        // Only what was said comes round.
        let mut request = reflect(second, text);
        request["actions"] = json!([]);
        request["errors"] = json!([]);
        let answer = iteration(files.do_(&request));
        assert_eq!(answer.is_stuck, second >= 4, "{second}");
        assert_eq!(answer.window.contains("You Are Stuck"), answer.is_stuck, "{second}");
    }
    let mut other = reflect(8, "The port of the test server is closed by the firewall.");
    other["outcome"] = json!("success");
    let answer = iteration(files.do_(&other));
    assert!(!answer.is_stuck && !answer.window.contains("You Are Stuck"), "{}", answer.window);
}

#[test]
fn a_damaged_iteration_is_said() {
    let mut files = Files::default();
    files.do_(&reflect(1, "The token was null."));
    files.0.insert("reflections/loops/ralph-001/iteration-2.yaml".to_owned(), b"- [".to_vec());
    let done = files.do_(&reflect(3, "The token is short."));
    assert_eq!(rules(&done), ["memory/bad-file"]);
    assert_eq!(done.findings[0].path, "reflections/loops/ralph-001/iteration-2.yaml");
    assert_eq!(iteration(done).iteration, 3);
}

#[test]
fn an_iteration_that_nobody_has_judged_has_no_outcome() {
    let mut files = Files::default();
    for second in 1..=3 {
        let request = json!({"call": "reflect", "now": at(second), "loop": "ralph-001",
            "actions": ["Bash: npm test"], "errors": ["exit 1"], "reflection": "Clear the cache."});
        let MemoryAnswer::Iteration(answer) = files.do_(&request).answer else {
            panic!("iteration")
        };
        assert_eq!((answer.is_stuck, answer.record), (second == 3, None));
        let text = files.text(&format!("reflections/loops/ralph-001/iteration-{second}.yaml"));
        assert!(!text.contains("outcome:") && !text.contains("strategy_change:"), "{text}");
    }
    let history = files.open();
    let run = &history.runs()[0];
    assert_eq!((run.iterations, run.outcome), (3, hindscope::Outcome::Unknown));
    let facts = json!({"call": "reflect", "now": at(4), "loop": "ralph-002",
        "actions": ["Bash: npm test"], "errors": ["exit 1"]});
    let MemoryAnswer::Iteration(answer) = files.do_(&facts).answer else { panic!("iteration") };
    assert_eq!(
        answer.reflection,
        "Attempted: Bash: npm test. Result: 1 error. First error: `exit 1`."
    );
    let nothing = json!({"call": "reflect", "now": at(5), "loop": "ralph-002", "reflection": " "});
    assert_eq!(files.code(&nothing), ErrorCode::InvalidRequest);
}

#[test]
fn an_event_is_stored_once() {
    let mut files = Files::default();
    files.do_(&reflect(1, "The token was null."));
    let mut event = reflect(2, "The cache was stale.");
    event["eventId"] = json!("0a1b");
    assert_eq!(iteration(files.do_(&event)).iteration, 2);
    let text = files.text("reflections/loops/ralph-001/iteration-2.yaml");
    assert!(text.contains("event_id: \"0a1b\"\n"), "{text}");
    files.do_(&reflect(3, "The port was wrong."));
    let before = files.clone();
    event["now"] = json!(at(9));
    let again = iteration(files.do_(&event));
    assert_eq!((again.iteration, again.time, again.held), (2, at(2), vec![1, 2, 3]));
    assert_eq!(files, before);
    event["loop"] = json!("ralph-002");
    assert_eq!(iteration(files.do_(&event)).iteration, 1, "another loop has other events");
    let history = files.open();
    assert!(history.findings().is_empty(), "{:?}", history.findings());
}

#[test]
fn the_host_says_how_often_is_too_often() {
    let stuck = |after: Option<u32>| {
        let mut files = Files::default();
        let answers = (1..=5).map(|second| {
            let mut request = reflect(second, "Clear the cache.");
            // An error that recurs is another reason to be stuck.
            request["errors"] = json!([]);
            if let Some(after) = after {
                request["stuckAfter"] = json!(after);
            }
            let answer = iteration(files.do_(&request));
            assert_eq!(
                answer.is_stuck,
                answer.window.contains("say the same"),
                "{}",
                answer.window
            );
            answer.is_stuck
        });
        answers.collect::<Vec<_>>()
    };
    assert_eq!(stuck(Some(2)), [false, true, true, true, true]);
    assert_eq!(stuck(None), [false, false, true, true, true]);
    assert_eq!(stuck(Some(5)), [false, false, false, false, true]);
    let mut never = reflect(1, "Clear the cache.");
    never["stuckAfter"] = json!(1);
    assert_eq!(Files::default().code(&never), ErrorCode::InvalidRequest);
}

#[test]
fn the_window_of_a_long_loop_knows_all_of_it() {
    let mut files = Files::default();
    let mut first = reflect(1, "Thought 1.");
    first["task"] = json!("Fix the login");
    files.do_(&first);
    for second in 2..=8 {
        files.do_(&reflect(second, &format!("Thought {second}.")));
    }
    let window = |layout: &str, omega: u32| {
        let mut next = reflect(9, "Thought 9.");
        next["layout"] = json!(layout);
        next["omega"] = json!(omega);
        iteration(files.clone().do_(&next))
    };
    let answer = window("reflexion-alfworld", 2);
    assert_eq!(answer.held, [8, 9]);
    assert!(answer.window.contains("Fix the login"), "{}", answer.window);
    assert!(!answer.window.contains("Thought 7."), "{}", answer.window);
    let record = window("aiwg-memory", 3).record.expect("the schema allows it");
    assert_eq!(record["memory_metadata"]["total_reflections_generated"], 9);
    // One that comes late stands in its place.
    let mut late = reflect(9, "Thought 0.");
    late["iteration"] = json!(0);
    let answer = iteration(files.do_(&late));
    assert_eq!((answer.iteration, answer.held), (0, vec![4, 5, 6, 7, 8]));
}
