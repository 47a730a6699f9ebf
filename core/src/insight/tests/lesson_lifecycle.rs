//! docs/spec/rules.md, "Lessons, errors and credit".

use serde_json::{Value, json};

use super::{NOWHERE, explained, fires, put};
use crate::insight::answer::{Change, ChangeKind, Explanation, LessonState, LinkKind};
use crate::insight::{lesson_lifecycles, lessons_between};

fn lessons(of: &[&str]) -> Value {
    json!({"self_reflection": {"reflection_text": "Text.", "lessons_learned": of}})
}

/// State, lesson and first iteration of each row of an iteration.
fn rows(explanation: &Explanation, number: i64) -> Vec<(LessonState, &str, i64)> {
    let rows = explanation.lessons.iter().filter(|row| row.number == number);
    rows.map(|row| (row.state, &*row.text, row.since)).collect()
}

#[test]
fn lessons_live() {
    let explanation = explained(&[
        lessons(&["check expiry before refresh", "name units"]),
        lessons(&["check the expiry field before refresh", "convert to ms"]),
        lessons(&["Convert to ms.", "Name units!"]),
    ]);
    let check = "check the expiry field before refresh";
    assert_eq!(
        rows(&explanation, 1),
        [(LessonState::New, "check expiry before refresh", 1), (LessonState::New, "name units", 1)]
    );
    assert_eq!(
        rows(&explanation, 2),
        [
            (LessonState::Reworded, check, 1),
            (LessonState::New, "convert to ms", 2),
            (LessonState::Dropped, "name units", 1)
        ]
    );
    assert_eq!(
        rows(&explanation, 3),
        [
            (LessonState::Kept, "Convert to ms.", 2),
            (LessonState::Returned, "Name units!", 1),
            (LessonState::Dropped, check, 1)
        ]
    );
    let reworded = explanation.lessons.iter().find(|row| row.state == LessonState::Reworded);
    let reworded = reworded.expect("there is one");
    assert_eq!(reworded.before.as_deref(), Some("check expiry before refresh"));
    assert_eq!(reworded.shared, Some(0.666_666_667));
}

#[test]
fn lessons_of_neighbours_are_those_of_the_rows() {
    let explanation = explained(&[
        lessons(&["check expiry before refresh", "name units"]),
        lessons(&["check the expiry field before refresh", "convert to ms"]),
        lessons(&["Convert to ms.", "Name units!", "run it"]),
        lessons(&["run it", "check the expiry field before each refresh"]),
    ]);
    for number in 2..=4 {
        let between = lessons_between(&explanation.lessons, number - 1, number);
        let rows: Vec<_> = between.iter().map(|c| (c.state, &*c.text, c.since)).collect();
        assert_eq!(rows, self::rows(&explanation, number), "{number}");
    }
}

#[test]
fn lessons_of_any_two_are_compared() {
    let rows = explained(&[
        lessons(&["name units", "run it"]),
        lessons(&["run it", "convert to ms"]),
        lessons(&["convert to ms", "run it first"]),
        lessons(&["name units", "convert all to ms"]),
    ])
    .lessons;
    let of = |from, to| {
        let changes = lessons_between(&rows, from, to).into_iter();
        changes.map(|c| (c.state, c.text, c.since, c.last)).collect::<Vec<_>>()
    };
    let (kept, dropped) = (LessonState::Kept, LessonState::Dropped);
    assert_eq!(
        of(1, 4),
        [
            (kept, "name units".to_owned(), 1, None),
            (LessonState::New, "convert all to ms".to_owned(), 2, None),
            (dropped, "run it".to_owned(), 1, Some(3)),
        ]
    );
    assert_eq!(of(2, 4)[0], (LessonState::Returned, "name units".to_owned(), 1, None));
    assert_eq!(of(4, 1)[0].0, kept, "either way round");
    assert_eq!(
        of(1, 9),
        [
            (dropped, "name units".to_owned(), 1, Some(4)),
            (dropped, "run it".to_owned(), 1, Some(3))
        ]
    );
    let lifecycles = lesson_lifecycles(&rows);
    let units = lifecycles.iter().find(|lesson| lesson.text == "name units").expect("it stands");
    assert_eq!(units.states, [(1, LessonState::New), (2, dropped), (4, LessonState::Returned)]);
    assert_eq!(lifecycles.len(), 3, "{lifecycles:?}");
}

#[test]
fn a_lesson_needs_half_of_its_words() {
    let explanation = explained(&[lessons(&["one two three"]), lessons(&["one two four five"])]);
    assert_eq!(rows(&explanation, 2)[0].0, LessonState::New, "2 of 5");
}

fn with_errors(messages: Option<&[&str]>) -> Value {
    match messages {
        None => json!({}),
        Some(messages) => {
            let errors: Vec<_> =
                messages.iter().map(|m| json!({"type": "other", "message": m})).collect();
            json!({"evaluator_output": {"errors": errors}})
        }
    }
}

#[test]
fn errors_live() {
    let x = || with_errors(Some(&["X at 1"]));
    let explanation = explained(&[x(), x(), with_errors(Some(&[])), x()]);
    let [row] = &explanation.errors[..] else { panic!("{:?}", explanation.errors) };
    assert_eq!(
        (&row.seen[..], &row.cleared[..], &row.came_back[..]),
        (&[1, 2, 4][..], &[3][..], &[4][..])
    );
    assert_eq!(fires(&explanation, "error/came-back"), [[2, 3, 4]]);
    let unknown = explained(&[x(), with_errors(None), x()]);
    assert_eq!(unknown.errors[0].cleared, [0; 0], "an unknown list does not clear");
    assert_eq!(fires(&unknown, "error/came-back"), NOWHERE);
}

fn changes(explanation: &Explanation, kind: ChangeKind) -> Vec<&Change> {
    explanation.changes.iter().filter(|change| change.kind == kind).collect()
}

#[test]
fn what_changed_in_a_step() {
    let mut before = with_errors(Some(&["a", "b", "c", "d", "e"]));
    let mut after = with_errors(Some(&["d", "e"]));
    put(
        &json!({
            "evaluator_output": {"reward_signal": 0.35, "metrics": {"tests_passed": 3},
                "results": [{"tool": "cargo", "status": "fail"}]},
            "self_reflection": {"reflection_text": "x", "lessons_learned": ["convert to ms"]},
            "actor_output": {"strategy": "guess", "files_modified": ["src/a.rs"]},
        }),
        &mut before,
    );
    put(
        &json!({
            "evaluator_output": {"reward_signal": 0.6, "metrics": {"tests_passed": 5},
                "results": [{"tool": "cargo", "status": "pass"}]},
            "actor_output": {"strategy": "measure", "actions": [{
                "type": "code_modification", "description": "d", "file_path": "src/time.rs",
                "changes": {"additions": 4, "diff": "@@ -1 +1 @@\n--- a\n-x\n-y\n+z"},
            }], "files_modified": ["src/a.rs"]},
        }),
        &mut after,
    );
    let explanation = explained(&[before, after]);
    assert_eq!(changes(&explanation, ChangeKind::ErrorCleared).len(), 3, "3 of 5");
    assert_eq!(changes(&explanation, ChangeKind::ErrorPersisting).len(), 2);
    assert_eq!(changes(&explanation, ChangeKind::LessonNew)[0].text, "convert to ms");
    assert_eq!(changes(&explanation, ChangeKind::FileNew)[0].text, "src/time.rs");
    assert_eq!(changes(&explanation, ChangeKind::FileAgain)[0].text, "src/a.rs");
    let action = changes(&explanation, ChangeKind::Action)[0];
    assert_eq!((action.added, action.removed), (Some(4), Some(2)));
    assert_eq!(changes(&explanation, ChangeKind::Counter)[0].amount, Some(2.0));
    let check = changes(&explanation, ChangeKind::Check)[0];
    assert_eq!((check.before.as_deref(), check.after.as_deref()), (Some("fail"), Some("pass")));
    let strategy = changes(&explanation, ChangeKind::Strategy)[0];
    assert_eq!((strategy.before.as_deref(), &*strategy.text), (Some("guess"), "measure"));
    assert!(explanation.changes.iter().all(|c| (c.from, c.number) == (1, 2)));
}

#[test]
fn a_change_over_a_gap_starts_where_the_reward_was() {
    let reward = |r: f64| json!({"evaluator_output": {"reward_signal": r}});
    let mut last = reward(0.6);
    put(&json!({"actor_output": {"files_modified": ["a"]}}), &mut last);
    let explanation = explained(&[reward(0.3), json!({}), last]);
    assert_eq!((explanation.changes[0].from, explanation.changes[0].number), (1, 3));
}

#[test]
fn credit_points_at_actions() {
    let record = json!({
        "actor_output": {"actions": [
            {"type": "code_modification", "description": "d", "file_path": "a.rs"},
            {"type": "test_execution", "description": "d", "command": "cargo test"},
            {"type": "other", "description": "d"},
        ]},
        "evaluator_output": {
            "errors": [{"type": "other", "message": "m", "file": "a.rs"}],
            "results": [{"tool": "cargo", "status": "fail"}],
        },
        "self_reflection": {"reflection_text": "x",
            "credit_assignment": {"failing_action_indices": [0, 7]}},
    });
    let credits = explained(&[record]).credits;
    let found: Vec<_> =
        credits.iter().map(|c| (c.action, c.is_failing, &c.errors[..], &c.checks[..])).collect();
    assert_eq!(found, [(0, true, &[0][..], &[][..]), (1, false, &[][..], &[0][..])]);
}

#[test]
fn reflections_are_named_by_later_ones() {
    let reward = |r: f64| json!({"evaluator_output": {"reward_signal": r}});
    let mut second = reward(0.6);
    put(&json!({"previous_reflections_used": [1, 2], "memory_metadata": {}}), &mut second);
    put(
        &json!({"self_reflection": {"reflection_text": "x", "related_reflections": [1]}}),
        &mut second,
    );
    let links = explained(&[reward(0.3), second]).links;
    let found: Vec<_> = links.iter().map(|l| (l.number, l.to, l.kind, l.has_helped)).collect();
    assert_eq!(found, [(2, 1, LinkKind::Related, Some(true)), (2, 1, LinkKind::Used, Some(true))]);
}

fn adds(line: &str) -> Value {
    json!({"actor_output": {"actions": [
        {"type": "code_modification", "description": "d", "changes": {"diff": format!("@@\n+{line}")}}
    ]}})
}

#[test]
fn lessons_are_taken_up() {
    let lesson = lessons(&["Normalise in insert_key() too", "be careful"]);
    let rows = explained(&[json!({}), lesson.clone(), adds("    insert_key(k);")]).uptakes;
    let [row] = &rows[..] else { panic!("lessons without names are not judged: {rows:?}") };
    assert_eq!((row.number, row.taken_up, row.action), (2, Some(3), Some(0)));
    assert_eq!(row.name.as_deref(), Some("insert_key"));
    let removed = adds("x\n-insert_key(k);");
    let rows = explained(&[json!({}), lesson.clone(), removed]).uptakes;
    assert_eq!(rows[0].taken_up, None, "a removed line takes nothing up");
    // Ω 1: what 2 wrote is out of sight at 4.
    let one = json!({"memory_metadata": {"omega_capacity": 1}});
    let mut records = [json!({}), lesson, lessons(&["other"]), adds("insert_key(k);")];
    for record in &mut records {
        put(&one, record);
    }
    assert_eq!(explained(&records).uptakes[0].taken_up, None);
}
