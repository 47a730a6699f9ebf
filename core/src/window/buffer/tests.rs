use super::*;
use crate::window::render::Layout;

fn push(window: &mut ReflectionWindow, n: i64, text: &str, more: &str, passed: bool) {
    let record = format!(
        r#"{{"loop_id":"ralph-a","iteration":{n},"evaluator_output":{{"passed":{passed}{more}}},"self_reflection":{{"reflection_text":"{text}"}}}}"#
    );
    let findings = window.push(record.as_bytes());
    assert!(findings.iter().all(|f| f.rule != "lenient/unusable"), "{findings:?}");
}

fn lessons(window: &mut ReflectionWindow, numbers: impl IntoIterator<Item = i64>) {
    for n in numbers {
        push(window, n, &format!("Lesson {n}."), "", false);
    }
}

fn fifo(omega: u8) -> ReflectionWindow {
    ReflectionWindow::new(omega, Policy::Fifo).expect("it is in range")
}

fn with(rule: WindowRule) -> ReflectionWindow {
    ReflectionWindow::with_rule(rule).expect("the rule is good")
}

#[test]
fn metadata_of_the_rule() {
    let mut window = fifo(3);
    lessons(&mut window, 1..=5);
    let metadata = window.metadata();
    assert_eq!(metadata.reflections_in_context, [3, 4, 5]);
    assert_eq!((metadata.current_memory_size, metadata.total_reflections_generated), (3, 5));
    assert_eq!((metadata.omega_capacity, metadata.window_policy), (3, Policy::Fifo));
}

#[test]
fn metadata_is_valid_by_the_schema_for_every_omega() {
    for omega in 0..=MOST {
        let mut window = fifo(omega);
        lessons(&mut window, 1..=3);
        let record = serde_json::json!({
            "loop_id": "ralph-a",
            "iteration": 3,
            "timestamp": "2026-03-01T09:00:00Z",
            "actor_output": {"actions": [], "rationale": "r"},
            "evaluator_output": {"passed": false, "verification_type": "lint"},
            "self_reflection": {"reflection_text": "Lesson 3."},
            "memory_metadata": window.metadata(),
        });
        let answer = crate::validate(record.to_string().as_bytes(), Profile::Strict);
        assert!(answer.valid, "omega {omega}: {:?}", answer.findings);
        assert_eq!(window.metadata().current_memory_size, u32::from(omega.min(3)));
    }
}

#[test]
fn many_records_at_once_are_as_one_after_the_other() {
    let record = |n: i64, text: &str| {
        format!(
            r#"{{"iteration":{n},"evaluator_output":{{"passed":false,"errors":[{{"type":"other","message":"{text}"}}]}},"self_reflection":{{"reflection_text":"{text}"}}}}"#
        )
    };
    let records: Vec<_> = [(4, "Four."), (1, "One."), (3, " "), (2, "Two four.")]
        .into_iter()
        .map(|(n, text)| record(n, text))
        .chain(["{".to_owned()])
        .collect();
    for policy in Policy::ALL {
        let rule = WindowRule { omega: Some(2), policy, ..WindowRule::default() };
        let (mut one_by_one, mut at_once) = (with(rule), with(rule));
        let mut expected = Vec::new();
        for (position, record) in records.iter().enumerate() {
            let mut findings = one_by_one.push(record.as_bytes());
            for finding in &mut findings {
                finding.source = Some(SourceId::at(position));
            }
            // Those of records that are kept are for `validate`.
            expected = findings;
        }
        assert!(expected.iter().any(|f| f.rule == "lenient/unusable"), "{expected:?}");
        assert_eq!(at_once.push_all(&records), expected);
        assert_eq!(at_once.entries(), one_by_one.entries());
        assert_eq!(at_once.evicted(), one_by_one.evicted());
        assert_eq!(at_once.metadata(), one_by_one.metadata());
    }
}

#[test]
fn totals_count_reflections_not_pushes() {
    let mut window = fifo(2);
    lessons(&mut window, 1..=4);
    // Long gone, and handed in again; one that says nothing; one that is new to say something.
    lessons(&mut window, [1]);
    push(&mut window, 5, "  ", "", true);
    assert_eq!(window.metadata().total_reflections_generated, 4);
    assert_eq!((window.held(), window.evicted()), (vec![3, 4], vec![1, 2]));
    push(&mut window, 5, "Late.", "", true);
    assert_eq!(window.metadata().total_reflections_generated, 5);
    push(&mut window, 5, " ", "", true);
    assert_eq!((window.held(), window.metadata().total_reflections_generated), (vec![3, 4], 4));
}

#[test]
fn omega_changes_while_it_runs() {
    let mut window = fifo(1);
    lessons(&mut window, 1..=12);
    assert_eq!(window.held(), [12]);
    window.set_omega(10).expect("it is in range");
    assert_eq!(window.held(), (3..=12).collect::<Vec<_>>());
    assert_eq!(window.evicted(), [1, 2]);
    window.set_omega(0).expect("it is in range");
    assert!(window.held().is_empty() && window.render(Layout::AiwgGuide).is_empty());
    assert_eq!(window.evicted().len(), 12);
    let misuse = window.set_omega(11).expect_err("it is not").code();
    assert_eq!(misuse, ErrorCode::OmegaOutOfRange);
    assert_eq!(window.omega(), 0);
    assert_eq!(window.kept.len(), 10, "no more texts than Ω can ask for");
}

#[test]
fn omega_follows_the_kinds_of_failure() {
    let mut window = with(WindowRule { dynamic_omega: true, ..WindowRule::default() });
    assert_eq!(window.omega(), 1);
    for (n, category) in (1..).zip(["edge_case_miss", "logic_error", "logic_error", "other"]) {
        let record = format!(
            r#"{{"iteration":{n},"evaluator_output":{{"passed":false}},"self_reflection":{{"reflection_text":"Lesson {n}.","credit_assignment":{{"failure_category":"{category}"}}}}}}"#
        );
        window.push(record.as_bytes());
    }
    assert_eq!((window.omega(), window.held()), (3, vec![2, 3, 4]));
    assert_eq!(window.metadata().omega_capacity, 3);
}

#[test]
fn successes_can_be_left_out() {
    let mut window = with(WindowRule { failures_only: true, ..WindowRule::default() });
    lessons(&mut window, 1..=2);
    push(&mut window, 3, "It works.", "", true);
    assert_eq!((window.held(), window.evicted()), (vec![1, 2], vec![]));
    assert_eq!(window.metadata().total_reflections_generated, 3);
}

#[test]
fn recency_follows_the_clock_of_the_records() {
    let mut window = ReflectionWindow::new(2, Policy::Recency).expect("it is in range");
    for (n, hour) in [(0, 10), (1, 12), (2, 11)] {
        let record = format!(
            r#"{{"iteration":{n},"timestamp":"2026-03-01T{hour}:00:00Z","evaluator_output":{{"passed":false}},"self_reflection":{{"reflection_text":"Lesson {n}."}}}}"#
        );
        window.push(record.as_bytes());
    }
    assert_eq!((window.held(), window.evicted()), (vec![2, 1], vec![0]));
    assert_eq!(window.metadata().window_policy, Policy::Recency);
}

#[test]
fn relevance_brings_back_what_was_out() {
    let rule =
        WindowRule { omega: Some(1), policy: Policy::RelevanceWeighted, ..WindowRule::default() };
    let mut window = with(rule);
    push(&mut window, 1, "Token expiry was ignored.", "", false);
    assert_eq!(window.notes()[0].rule, "window/no-relevance");
    lessons(&mut window, 2..=12);
    assert_eq!(window.held(), [12]);
    let errors = r#","errors":[{"type":"test_failure","message":"token is expired"}]"#;
    push(&mut window, 13, "Unknown cause.", errors, false);
    assert_eq!(window.held(), [1], "by the errors of record 13");
    assert!(window.notes().is_empty());
    window.set_query(Some("an unknown cause"));
    assert_eq!(window.held(), [13]);
    window.set_query(None);
    assert_eq!(window.held(), [1]);
    // An older record handed in late does not bring older errors with it.
    let errors = r#","errors":[{"type":"test_failure","message":"lesson 5"}]"#;
    push(&mut window, 5, "Lesson 5.", errors, false);
    assert_eq!(window.held(), [1]);
}

#[test]
fn budgets_cut_prompts_and_not_what_is_stored() {
    let mut window = with(WindowRule { token_budget: Some(280), ..WindowRule::default() });
    for (n, units) in [(1, 400), (2, 900), (3, 200)] {
        push(&mut window, n, &"x".repeat(units), "", false);
    }
    assert_eq!(
        (window.held(), window.dropped(), window.tokens()),
        (vec![2, 3], vec![1], Some(275))
    );
    assert!(window.evicted().is_empty());
    assert_eq!(window.metadata().reflections_in_context, [1, 2, 3]);
    window.set_token_budget(Some(200));
    assert_eq!((window.held(), window.tokens()), (vec![3], Some(50)));
    window.set_token_budget(None);
    assert_eq!((window.held().len(), window.tokens()), (3, None));
}

#[test]
fn the_hosts_counts_take_the_place_of_the_estimate() {
    let rule = WindowRule { omega: Some(2), token_budget: Some(10), ..WindowRule::default() };
    let mut window = with(rule);
    lessons(&mut window, 1..=3);
    let asked: Vec<_> = window.uncounted().iter().map(|e| e.number).collect();
    assert_eq!(asked, [2, 3]);
    window.set_tokens(3, 4).expect("it is kept");
    window.set_tokens(2, 7).expect("it is kept");
    assert_eq!((window.held(), window.tokens()), (vec![3], Some(4)));
    assert!(window.uncounted().is_empty());
    window.set_tokens(2, 6).expect("it is kept");
    assert_eq!((window.held(), window.tokens()), (vec![2, 3], Some(10)));
    let misuse = window.set_tokens(9, 1).expect_err("there is none").code();
    assert_eq!(misuse, ErrorCode::NoSuchIteration);
}

#[test]
fn prompts_know_what_the_records_said() {
    let mut window = fifo(1);
    lessons(&mut window, 1..=2);
    let text = window.render(Layout::AiwgTemplate);
    assert!(text.contains("\n2 attempts were made so far; 1 reflection follows.\n"), "{text}");
    let text = window.render(Layout::AiwgMemory);
    assert!(text.contains("window: 1 of 2 total reflections (Ω=1)\n"), "{text}");
    window.push(
        br#"{"iteration":3,"task_description":"Boil an egg.","evaluator_output":{"passed":false},
            "self_reflection":{"reflection_text":"Water first.","lessons_learned":["Heat it."]}}"#,
    );
    let text = window.render(Layout::ReflexionAlfworld);
    assert!(text.ends_with("Trial 0:\nWater first.\nHere is the task:\nBoil an egg.\n"), "{text}");
    assert!(window.render(Layout::AiwgGuide).ends_with("\nLessons learned:\n- Heat it.\n"));
}

#[test]
fn rules_that_cannot_be() {
    for half_life in [0.0, -1.0, f64::NAN] {
        let rule = WindowRule { half_life, ..WindowRule::default() };
        let misuse = ReflectionWindow::with_rule(rule).expect_err("not above 0").code();
        assert_eq!(misuse, ErrorCode::InvalidOption);
    }
    assert!(ReflectionWindow::new(11, Policy::Fifo).is_err());
    assert_eq!(with(WindowRule::default()).omega(), 3);
}
