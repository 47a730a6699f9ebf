//! Windows and explanations of runs that are unusual: of any numbers, merged, corrected or large. Where
//! an answer can be had in two ways, both are the same.

use hindscope::{
    ChangeKind, Explanation, History, InjectedOrigin, InsightOptions, LessonState, LoadedRun,
    Policy, Profile, ReflectionWindow, Severity, WindowRule, explain, validate,
};
use hindscope_tests::Input;

fn open(files: &[Input]) -> History {
    hindscope_tests::open(files, usize::MAX)
}

fn loaded(history: &History, files: &[Input], run: usize) -> LoadedRun {
    hindscope_tests::loaded(history, files, history.runs()[run].id)
}

fn one(text: String) -> Vec<Input> {
    vec![Input::new("a.jsonl", text)]
}

fn record(n: i64, text: &str, evaluator: &str, more: &str) -> String {
    format!(
        r#"{{"loop_id":"ralph-a","iteration":{n},"evaluator_output":{{"passed":false{evaluator}}},"self_reflection":{{"reflection_text":{text:?}}}{more}}}"#
    )
}

fn rules(e: &Explanation) -> Vec<String> {
    e.findings.iter().map(|f| f.rule.to_string()).collect()
}

fn explained(files: &[Input], options: &InsightOptions) -> Explanation {
    let history = open(files);
    loaded(&history, files, 0).explain(options)
}

#[test]
fn odd_numbers_break_nothing() {
    let odd = [
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775806",
        "0",
        "-1",
        "1e18",
        "1e300",
        "-1e300",
        "1e400",
        "0.5",
        "-0",
        "\"7\"",
        "null",
        "9007199254740993",
    ];
    let mut seed = 1_u64;
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % n
    };
    for _ in 0..400 {
        let len = 1 + next(6);
        let mut lines = Vec::new();
        for _ in 0..len {
            let mut o = || odd[next(odd.len())];
            let line = format!(
                r#"{{"loop_id":"ralph-a","iteration":{},"evaluator_output":{{"passed":{},"reward_signal":{},"verification_type":"combined","metrics":{{"tests_passed":{},"tests_failed":{},"tests_total":{},"lint_errors":{},"type_errors":{},"coverage_percentage":{}}},"errors":[{{"type":"x","message":"m","line":{},"column":{}}}],"results":[{{"tool":"t","status":"pass","exit_code":{},"duration_ms":{}}}]}},"actor_output":{{"actions":[{{"type":"file_creation","file_path":"a","changes":{{"additions":{},"deletions":{},"diff":"@@\n+a"}}}}],"total_changes":{{"files_changed":{}}}}},"self_reflection":{{"reflection_text":"t","confidence":{},"credit_assignment":{{"failing_action_indices":[{},{}]}},"related_reflections":[{}]}},"memory_metadata":{{"omega_capacity":{},"current_memory_size":{},"reflections_in_context":[{},{}],"total_reflections_generated":{}}},"previous_reflections_used":[{}],"performance_delta":{{"reward_change":{},"error_count_change":{}}}}}"#,
                o(),
                ["true", "false"][next(2)].to_owned(),
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())],
                odd[next(odd.len())]
            );
            lines.push(line);
        }
        let files = one(lines.join("\n"));
        let history = open(&files);
        let _ = history.findings();
        for run in 0..history.runs().len() {
            let loaded_run = loaded(&history, &files, run);
            let _ = loaded_run.explain(&InsightOptions {
                rules: vec!["*".into()],
                max_iterations: Some(3),
                now_ms: Some(1e300),
                ..Default::default()
            });
            let id = history.runs()[run].id;
            let r = history.run(id).expect("listed");
            for &n in r.numbers() {
                for at in [n, n.saturating_add(1), n.saturating_sub(1)] {
                    let _ = loaded_run.injected(at);
                    for policy in Policy::ALL {
                        let rule = WindowRule { policy, ..Default::default() };
                        let _ = loaded_run.window(at, rule);
                        let _ = r.window(at, rule);
                    }
                }
            }
        }
        let _ = explain(&lines, &InsightOptions::default());
        let mut w = ReflectionWindow::new(3, Policy::RelevanceWeighted).expect("ok");
        for l in &lines {
            w.push(l.as_bytes());
            let _ = validate(l.as_bytes(), Profile::Lenient);
            let _ = validate(l.as_bytes(), Profile::Strict);
        }
        let _ = w.metadata();
    }
}

#[test]
fn a_fifth_more_is_a_fifth_more() {
    // 8 of 10 with memory, 6 of 9 without: exactly a fifth more.
    let task = |name: &str, trial0: bool, trial1: bool, memory: bool| {
        (name.to_owned(), trial0, trial1, memory)
    };
    let mut tasks = Vec::new();
    for i in 0..10 {
        tasks.push(task(&format!("env_{i}"), false, i < 8, true));
    }
    for i in 10..19 {
        tasks.push(task(&format!("env_{i}"), false, i < 16, false));
    }
    let file = |trial: usize| {
        let rows: Vec<String> = tasks
            .iter()
            .map(|(name, a, b, memory)| {
                let solved = if trial == 0 { *a } else { *b };
                let memory = if *memory { "[\"Lesson.\"]" } else { "[]" };
                format!(r#"{{"name":"{name}","memory":{memory},"is_success":{solved}}}"#)
            })
            .collect();
        Input::new(format!("x/env_results_trial_{trial}.json"), format!("[{}]", rows.join(",")))
    };
    let history = open(&[file(0), file(1)]);
    let retries = history.retries(history.groups()[0].id).expect("there");
    assert_eq!(
        (retries.with, retries.with_successes, retries.without, retries.without_successes),
        (10, 8, 9, 6)
    );
    assert_eq!(retries.relative, Some(0.2));
    assert_eq!(retries.is_aim_met, Some(true));
}

#[test]
fn memory_grows_over_files_that_are_not_open() {
    let file = |trial: usize, n: usize| {
        let memory: Vec<String> = (0..n).map(|i| format!("\"Lesson {i}.\"")).collect();
        Input::new(
            format!("x/env_results_trial_{trial}.json"),
            format!(r#"[{{"name":"env_0","memory":[{}],"is_success":false}}]"#, memory.join(",")),
        )
    };
    let history = open(&[file(0, 1), file(1, 2), file(3, 4)]);
    let found: Vec<_> =
        history.findings().iter().map(|f| format!("{} {}", f.rule, f.message)).collect();
    assert!(!found.iter().any(|f| f.starts_with("env/memory-growth")), "{found:#?}");
}

#[test]
fn notes_and_columns_say_the_same() {
    let meta = |more: &str| {
        format!(r#","memory_metadata":{{"omega_capacity":1,"current_memory_size":1{more}}}"#)
    };
    let cases: Vec<Vec<String>> = vec![
        // No Ω recorded.
        vec![
            record(1, "A.", "", ""),
            record(2, "B.", "", ""),
            record(3, "C.", "", r#","verification_type":"lint""#)
                .replace("\"passed\":false", "\"passed\":false,\"verification_type\":\"lint\""),
            record(4, "D.", "", r#","previous_reflections_used":[1]"#)
                .replace("\"passed\":false", "\"passed\":false,\"verification_type\":\"lint\""),
        ],
        // Another policy.
        vec![
            record(1, "A.", "", ""),
            record(2, "B.", "", ""),
            record(
                3,
                "C.",
                "",
                &format!(
                    r#"{},"previous_reflections_used":[1]"#,
                    meta(r#","window_policy":"relevance_weighted""#)
                ),
            ),
        ],
        // A blank reflection.
        vec![
            record(1, "A.", "", &meta(r#","total_reflections_generated":1"#)),
            record(2, " ", "", &meta(r#","total_reflections_generated":1"#)),
        ],
        vec![
            record(1, "A.", "", &meta(r#","total_reflections_generated":1"#)),
            record(2, " ", "", &meta(r#","total_reflections_generated":2"#)),
        ],
    ];
    for lines in cases {
        let files = one(lines.join("\n"));
        let history = open(&files);
        let loaded_run = loaded(&history, &files, 0);
        let names = [
            "series/window-mismatch",
            "series/window-unverifiable",
            "series/injected-unknown",
            "series/injected-dropped",
            "series/total-step",
        ];
        let mut columns: Vec<_> = history
            .findings()
            .into_iter()
            .filter(|f| names.contains(&&*f.rule))
            .map(|f| (f.iteration, f.message))
            .collect();
        let numbers = history.run(history.runs()[0].id).expect("there").numbers().to_vec();
        let mut notes: Vec<_> = numbers
            .iter()
            .flat_map(|n| loaded_run.injected(*n).expect("there").notes)
            .map(|f| (f.iteration, f.message))
            .collect();
        columns.sort();
        notes.sort();
        assert_eq!(columns, notes, "{lines:#?}");
    }
}

#[test]
fn live_and_read_windows_agree() {
    let err = |m: &str| format!(r#","errors":[{{"type":"x","message":"{m}"}}]"#);
    let cases: Vec<Vec<String>> = vec![
        // A record is corrected: its errors are gone.
        vec![
            record(1, "Alpha token.", &err("alpha broke"), ""),
            record(2, "Beta cache.", "", ""),
            record(3, "Gamma disk.", &err("beta broke"), ""),
            record(3, "Gamma disk.", "", ""),
        ],
        // The task changes.
        vec![
            record(1, "Alpha token.", "", r#","task_description":"alpha""#),
            record(2, "Beta cache.", "", r#","task_description":"beta""#),
            record(3, "Gamma.", "", ""),
        ],
        vec![
            record(2, "Beta cache.", "", r#","task_description":"beta""#),
            record(1, "Alpha token.", "", r#","task_description":"alpha""#),
            record(3, "Gamma.", "", ""),
        ],
        // A number alone.
        vec![
            record(1, "Alpha token.", "", r#","task_description":"alpha beta""#),
            r#"{"loop_id":"ralph-a","iteration":2,"self_reflection":{}}"#.to_owned(),
            record(3, "Beta cache alpha alpha.", "", ""),
        ],
    ];
    for lines in cases {
        let files = one(lines.join("\n"));
        let history = open(&files);
        let loaded_run = loaded(&history, &files, 0);
        let rule =
            WindowRule { omega: Some(1), policy: Policy::RelevanceWeighted, ..Default::default() };
        let mut live = ReflectionWindow::with_rule(rule).expect("ok");
        for l in &lines {
            live.push(l.as_bytes());
        }
        let next =
            history.run(history.runs()[0].id).expect("there").numbers().last().expect("one") + 1;
        let read = loaded_run.window(next, rule).expect("there");
        assert_eq!(live.held(), read.held(), "{lines:#?} {:?}", read.view());
    }
}

#[test]
fn merged_hook_reflections_carry_no_insights() {
    let memory = record(1, "A reflection that is long enough to be of use to anybody who reads it, because it says what happened and why.", "", "").replace("\"reflection_text\"", "\"actionable_insights\":[\"Do x.\"],\"credit_assignment\":{\"root_cause\":\"y\"},\"reflection_text\"");
    let hook = r#"{"trial_number":1,"loop_id":"ralph-a","outcome":"failure","reflection":"Another text from the hook that is long enough, too: it says at length what the loop met on its way and what to do."}"#.to_owned();
    let files = one(format!("{memory}\n{hook}"));
    let history = open(&files);
    let loaded_run = loaded(&history, &files, 0);
    let e = loaded_run.explain(&InsightOptions::default());
    assert!(!rules(&e).iter().any(|r| r.starts_with("reflection/")), "{:#?}", e.findings);
}

#[test]
fn blank_is_a_warning_whatever_was_chosen() {
    let files = one(record(1, " ", "", ""));
    let history = open(&files);
    let loaded_run = loaded(&history, &files, 0);
    let options = InsightOptions {
        rules: vec!["reflection/blank".into(), "reflection/no-insights".into()],
        ..Default::default()
    };
    let e = loaded_run.explain(&options);
    let blank = e.findings.iter().find(|f| f.rule == "reflection/blank").expect("found");
    assert_eq!(blank.severity, Severity::Warning);
}

#[test]
fn what_a_record_states_needs_no_memory_metadata() {
    let files = one([
        record(1, "A.", "", ""),
        record(2, "B.", "", ""),
        record(3, "C.", "", r#","context_injected":true,"previous_reflections_used":[2]"#),
        record(4, "C.", "", r#","context_injected":false"#),
    ]
    .join("\n"));
    let history = open(&files);
    let loaded_run = loaded(&history, &files, 0);
    let at = |n| loaded_run.injected(n).expect("there");
    assert_eq!((at(3).origin, at(3).numbers), (InjectedOrigin::Stated, vec![2]));
    assert_eq!((at(4).origin, at(4).numbers), (InjectedOrigin::Stated, vec![]));
}

#[test]
fn omega_above_ten_is_ten_on_both_sides() {
    let meta = |list: &str| {
        format!(
            r#","memory_metadata":{{"omega_capacity":12,"current_memory_size":1,"reflections_in_context":{list}}}"#
        )
    };
    let files = one([
        record(1, "A.", "", &meta("[1]")),
        record(2, "B.", "", &meta("[2]")),
        record(3, "C.", "", &meta("[1,2,3]")),
    ]
    .join("\n"));
    let history = open(&files);
    let injected = loaded(&history, &files, 0).injected(3).expect("there");
    assert_eq!((injected.origin, injected.numbers), (InjectedOrigin::PreviousWindow, vec![2]));
}

#[test]
fn evidence_follows_what_the_record_says_was_injected() {
    let lesson = |n: i64| {
        record(n, "T.", "", "").replace(
            "\"reflection_text\"",
            &format!("\"lessons_learned\":[\"Call lesson_{n}() first\"],\"reflection_text\""),
        )
    };
    let acts = r#","context_injected":false,"actor_output":{"actions":[{"type":"command_execution","description":"ran lesson_1()","command":"x"}]}"#;
    let last = record(2, "T2.", "", acts);
    let files = one([lesson(1), last.clone()].join("\n"));
    let e = explained(&files, &InsightOptions::default());
    assert_eq!(e.uptakes.first().map(|u| u.taken_up), Some(None), "nothing was injected");
    assert!(!e.changes.iter().any(|c| c.kind == ChangeKind::LessonNew), "{:?}", e.changes);
    let files = one([lesson(1), last.replace("false,\"actor", "true,\"actor")].join("\n"));
    let e = explained(&files, &InsightOptions::default());
    assert_eq!(e.uptakes.first().map(|u| u.taken_up), Some(Some(2)));
}

#[test]
fn unused_is_counted_from_the_latest_time() {
    let day = |n: i64, time: &str| {
        record(n, &format!("T{n}."), "", &format!(r#","timestamp":"{time}""#)).replace(
            "\"reflection_text\"",
            "\"lessons_learned\":[\"Check the cache first\"],\"reflection_text\"",
        )
    };
    let files = one([day(1, "2026-03-01T00:00:00Z"), day(2, "2025-01-01T00:00:00Z")].join("\n"));
    let now_ms = Some(1_772_409_600_000.0); // 2026-03-02
    let e = explained(&files, &InsightOptions { now_ms, ..Default::default() });
    assert_eq!(
        e.patterns.iter().find(|p| p.description.starts_with("Check")).expect("recurs").advice,
        None
    );
}

#[test]
fn near_repeats_are_reported_when_only_they_are_asked_for() {
    let text = "The same words again and again, eight of them at least.";
    let files = one([1, 2, 3].map(|n| record(n, text, "", "")).join("\n"));
    let of = |rules_: &[&str]| {
        rules(&explained(
            &files,
            &InsightOptions {
                rules: rules_.iter().map(|r| (*r).to_owned()).collect(),
                ..Default::default()
            },
        ))
    };
    let both = ["stuck/near-repeat", "stuck/repeated-reflection"];
    assert_eq!(of(&both), ["stuck/repeated-reflection"]);
    assert_eq!(of(&["stuck/near-repeat"]), ["stuck/near-repeat"]);
}

#[test]
fn a_first_attempt_has_no_change_of_errors() {
    let files = one(record(0, "T.", "", r#","performance_delta":{"error_count_change":-2}"#));
    let history = open(&files);
    assert!(
        history.findings().iter().any(|f| f.rule == "rm/first-has-past"),
        "{:?}",
        history.findings()
    );
}

#[test]
fn merged_records_speak_of_their_own_reflections() {
    let total = |n: i64| {
        record(
            n,
            &format!("Memory {n}."),
            "",
            &format!(
                r#","memory_metadata":{{"omega_capacity":3,"current_memory_size":1,"total_reflections_generated":{n}}}"#
            ),
        )
    };
    let hook = |n: i64| {
        format!(
            r#"{{"trial_number":{n},"loop_id":"ralph-a","outcome":"failure","reflection":"Hook {n}."}}"#
        )
    };
    let files = one([total(1), hook(1), total(2), hook(2)].join("\n"));
    let history = open(&files);
    let notes = loaded(&history, &files, 0).injected(2).expect("there").notes;
    assert!(notes.is_empty(), "{notes:?}");
}

/// A history may count such records by position instead; a window cannot, so it does not keep them.
#[test]
fn a_running_loop_reports_numbers_beyond_doubles() {
    let mut live = ReflectionWindow::new(3, Policy::Fifo).expect("ok");
    let said = live.push(record(9_007_199_254_740_993, "A.", "", "").as_bytes());
    let rules: Vec<_> = said.iter().map(|finding| finding.rule.as_ref()).collect();
    assert!(rules.contains(&"number/beyond") && rules.contains(&"lenient/unusable"), "{rules:?}");
    live.push(record(9_007_199_254_740_991, "B.", "", "").as_bytes());
    assert_eq!(live.held(), [9_007_199_254_740_991]);
}

#[test]
fn reworded_twice_is_once_new() {
    // A blank memory between does not make the lesson before it an older one.
    let memory =
        |entries: &[&str]| entries.iter().map(|e| format!("{e:?}")).collect::<Vec<_>>().join(",");
    let all = [
        "alpha beta gamma delta",
        " ",
        "alpha beta gamma delta epsilon.\nalpha beta gamma delta zeta.",
    ];
    let files: Vec<_> = (0..3)
        .map(|t| {
            Input::new(
                format!("x/env_results_trial_{t}.json"),
                format!(
                    r#"[{{"name":"env_0","memory":[{}],"is_success":false}}]"#,
                    memory(&all[..=t])
                ),
            )
        })
        .collect();
    let e = explained(&files, &InsightOptions::default());
    let states: Vec<_> = e.lessons.iter().map(|l| (l.number, l.state)).collect();
    assert_eq!(states, [(0, LessonState::New), (2, LessonState::Reworded), (2, LessonState::New)]);
}

/// They took minutes while each record was looked for among all records, and each error among all errors.
#[test]
fn long_runs_and_long_lists_take_seconds() {
    let run: Vec<_> = (0..4000).map(|n| record(n, &format!("Lesson {n}."), "", "")).collect();
    let files = one(run.join("\n"));
    assert_eq!(explained(&files, &InsightOptions::default()).reflections.len(), 4000);

    let letters =
        |n: u32| -> String { n.to_string().bytes().map(|b| char::from(b + 49)).collect() };
    let errors: Vec<_> =
        (0..4000).map(|n| format!(r#"{{"type":"x","message":"no {}"}}"#, letters(n))).collect();
    let files = one(record(1, "A.", &format!(r#","errors":[{}]"#, errors.join(",")), ""));
    assert_eq!(explained(&files, &InsightOptions::default()).errors.len(), 4000);

    let results = vec![r#"{"tool":"t","status":7}"#; 20_000].join(",");
    let text = record(1, "A.", &format!(r#","results":[{results}]"#), "");
    assert!(validate(text.as_bytes(), Profile::Strict).findings.len() >= 40_000);

    let memory: Vec<_> = (0..800).map(|n| format!("\"Lesson {n}.\"")).collect();
    let text =
        format!(r#"[{{"name":"env_0","memory":[{}],"is_success":false}}]"#, memory.join(","));
    let files = [Input::new("x/env_results_trial_3.json", text)];
    assert_eq!(explained(&files, &InsightOptions::default()).reflections.len(), 800);
}

#[test]
fn credits_do_not_grow_with_the_product_of_actions_and_errors() {
    let many = |item: &str| vec![item; 20_000].join(",");
    let actions = many(
        r#"{"type":"code_modification","description":"d","file_path":"a","command":"lint a"}"#,
    );
    let errors = many(r#"{"type":"other","message":"m","file":"a"}"#);
    let results = many(r#"{"tool":"Lint","status":"fail"}"#);
    let record = format!(
        r#"{{"iteration":1,"actor_output":{{"actions":[{actions}],"rationale":""}},"evaluator_output":{{"passed":false,"errors":[{errors}],"results":[{results}]}},"self_reflection":{{"reflection_text":"t"}}}}"#
    );
    let options = InsightOptions { rules: vec!["credit/*".into()], ..InsightOptions::default() };
    let credits = explain(&[record], &options).credits;
    assert_eq!(credits.len(), 20_000);
    let first: Vec<u32> = (0..100).collect();
    assert!(credits.iter().all(|credit| credit.errors == first && credit.checks == first));
}
