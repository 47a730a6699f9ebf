//! A memory that is asked wrongly, by hostile ids, or by two at once: an error with a code, and
//! nothing else is touched.

use hindscope::{
    ErrorCode, FolderNames, MemoryAnswer, MemoryCall, MemoryFound, MemoryRequest, ReadKind,
};
use hindscope_tests::memory::{Files, at, end, example, init, log, reflect, rules, start};
use serde_json::{Value, json};

/// Some file systems keep one folder for two such names.
#[test]
fn ids_that_a_file_system_may_take_for_one_are_refused() {
    for (id, other) in [
        ("sort", "SORT"),
        ("\u{e9}tude", "e\u{301}tude"),
        ("\u{c9}tude", "e\u{301}tude"),
        ("stra\u{df}e", "STRASSE"),
        ("\u{17f}ort", "sort"),
        ("\u{3c3}", "\u{3c2}"),
        ("\u{fb01}nd", "find"),
    ] {
        let mut files = Files::default();
        let ask =
            |id: &str| json!({"call": "init-task", "now": at(1), "id": id, "description": "x"});
        files.do_(&ask(id));
        assert_eq!(files.code(&ask(other)), ErrorCode::MemoryConflict, "{id} and {other}");
        files.do_(&ask("another"));
    }
}

#[test]
fn hostile_ids_touch_nothing() {
    let files = example();
    let mut hostile: Vec<String> = [
        "",
        ".",
        "..",
        "../task-001",
        "../../etc",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "C:\\x",
        "a:b",
        "nul",
        "COM1.txt",
        "task-001.",
        "task-001 ",
        "task\n",
        "task\u{0}",
        "t\u{202e}x",
        ".git",
        "tasks/../..",
    ]
    .map(str::to_owned)
    .to_vec();
    hostile.push("x".repeat(121));
    for id in &hostile {
        for request in [
            json!({"call": "init-task", "now": at(1), "id": id, "description": "x"}),
            json!({"call": "init-task", "now": at(1), "description": "x", "relatedTasks": [id]}),
            start(1, id),
            log(1, id, "x"),
            end(1, id, "success"),
            json!({"call": "add-reflection", "now": at(1), "task": id, "reflection": {"learning": "x"}}),
            json!({"call": "set-status", "now": at(1), "task": id, "status": "paused"}),
            json!({"call": "query-history", "task": id}),
            json!({"call": "similar-tasks", "task": id}),
            json!({"call": "track-improvement", "tasks": [id]}),
            json!({"call": "reflect", "now": at(1), "loop": id, "outcome": "failure"}),
            json!({"call": "doctor", "now": at(1), "tasks": [id]}),
        ] {
            assert_eq!(files.code(&request), ErrorCode::PathRefused, "{request}");
        }
    }
    // Names that a store lists and that nobody may ask for are passed over.
    let mut files = files;
    files.0.insert("tasks/con/metadata.json".to_owned(), b"{}".to_vec());
    let done = files.ask(&json!({"call": "search-tasks", "query": "index"})).expect("it answers");
    let MemoryAnswer::Found(found) = done.answer else { panic!() };
    assert_eq!((found.compared, found.tasks.len()), (1, 1));
}

#[test]
fn misuse_has_a_code() {
    let files = example();
    for (request, code) in [
        (start(1, "task-002"), ErrorCode::NoSuchTask),
        (log(1, "task-002", "x"), ErrorCode::NoSuchTask),
        (json!({"call": "query-history", "task": "task-002"}), ErrorCode::NoSuchTask),
        (
            json!({"call": "query-history", "task": "task-001", "attempt": 3}),
            ErrorCode::NoSuchAttempt,
        ),
        (
            json!({"call": "log-action", "now": at(99), "task": "task-001", "attempt": 7, "action": {"type": "read"}}),
            ErrorCode::NoSuchAttempt,
        ),
        (log(99, "task-001", "x"), ErrorCode::AttemptComplete),
        (end(99, "task-001", "success"), ErrorCode::AttemptComplete),
        (
            json!({"call": "init-task", "now": at(1), "id": "task-001", "description": "x"}),
            ErrorCode::MemoryConflict,
        ),
        (
            json!({"call": "init-task", "now": "yesterday", "description": "x"}),
            ErrorCode::InvalidRequest,
        ),
        (
            json!({"call": "init-task", "now": "2026-03-05", "description": "x"}),
            ErrorCode::InvalidRequest,
        ),
        (json!({"call": "init-task", "now": at(1)}), ErrorCode::InvalidRequest),
        (
            json!({"call": "init-task", "now": at(1), "description": "x", "owner": "me"}),
            ErrorCode::InvalidRequest,
        ),
        (
            json!({"call": "add-reflection", "now": at(99), "task": "task-001", "reflection": {"learning": " "}}),
            ErrorCode::InvalidRequest,
        ),
        (
            json!({"call": "reflect", "now": at(1), "loop": "ralph-a", "outcome": "running"}),
            ErrorCode::InvalidRequest,
        ),
        (
            json!({"call": "reflect", "now": at(1), "loop": "ralph-a", "outcome": "failure", "omega": 11}),
            ErrorCode::OmegaOutOfRange,
        ),
        (
            json!({"call": "reflect", "now": at(1), "loop": "ralph-a", "outcome": "failure", "layout": "x"}),
            ErrorCode::InvalidOption,
        ),
    ] {
        assert_eq!(files.code(&request), code, "{request}");
    }
    let mut open = files;
    open.do_(&start(100, "task-001"));
    for action in [
        json!({}),
        json!({"type": ""}),
        json!({"type": 3}),
        json!({"tool": 3}),
        json!({"type": "read", "tool": 3}),
        json!({"type": 3, "tool": "Edit"}),
        json!({"type": "read", "own": 1}),
        json!({"type": "read", "params": []}),
        json!({"tool": "x", "quality": 2}),
    ] {
        let request =
            json!({"call": "log-action", "now": at(101), "task": "task-001", "action": action});
        assert_eq!(open.code(&request), ErrorCode::InvalidRequest, "{request}");
    }
    let action = |action: Value| json!({"call": "log-action", "now": at(101), "task": "task-001", "action": action});
    let refused = open.ask(&action(json!({"type": "read", "expectedOutcome": "x"})));
    let message = refused.expect_err("it is refused").to_string();
    assert!(message.contains("`expected_outcome`"), "{message}");
    for (given, stored) in [
        (json!({"type": "Bash"}), json!(["bash", null, null])),
        (json!({"type": "web_search"}), json!(["other", "web_search", null])),
        (
            json!({"type": "web_search", "tool": "Browser"}),
            json!(["other", "Browser", "web_search"]),
        ),
        (json!({"type": "other", "tool": "Browser"}), json!(["other", "Browser", null])),
        (json!({"tool": "Browser"}), json!([null, "Browser", null])),
    ] {
        let done = open.do_(&action(given.clone()));
        assert_eq!(rules(&done), [""; 0], "{given}");
        let line = open.text(&done.writes[0].path).lines().last();
        let line: Value = serde_json::from_str(line.expect("it is there")).expect("JSON");
        assert_eq!(json!([line["type"], line["tool"], line["kind"]]), stored, "{given}");
    }
    let request = json!({"call": "complete-attempt", "now": at(101), "task": "task-001", "outcome": "success", "finalQuality": 50});
    assert_eq!(open.code(&request), ErrorCode::InvalidRequest);
}

#[test]
fn a_host_that_fails_is_reported() {
    let request = MemoryRequest::from_json(&start(1, "task-001").to_string()).expect("it is one");
    let mut call = MemoryCall::new(request).expect("it asks");
    let mut last = Ok(());
    for read in call.needs().to_vec() {
        let wrong = call.supply("tasks/task-002", MemoryFound::Absent);
        assert_eq!(wrong.map_err(|e| e.code()), Err(ErrorCode::InvalidRequest));
        if read.kind == ReadKind::Folder {
            let wrong = call.supply(&read.path, MemoryFound::File(Vec::new()));
            assert_eq!(wrong.map_err(|e| e.code()), Err(ErrorCode::InvalidRequest));
        }
        let found = match read.kind {
            ReadKind::Folder => MemoryFound::Folder(FolderNames {
                files: vec!["x".to_owned()],
                ..FolderNames::default()
            }),
            _ => MemoryFound::Failed("permission denied".to_owned()),
        };
        last = call.supply(&read.path, found);
    }
    let error = last.expect_err("it cannot go on");
    assert_eq!(error.code(), ErrorCode::MemoryUnreadable);
    assert!(error.to_string().contains("permission denied"), "{error}");
    assert_eq!(call.finish().map_err(|e| e.code()), Err(ErrorCode::UnreadRecord));
}

#[test]
fn a_clock_that_goes_back_is_held_and_said() {
    let mut files = example();
    let done = files.do_(&start(5, "task-001"));
    assert_eq!(rules(&done), ["memory/clock-back", "memory/task-reopened"]);
    let done = files.do_(&log(3, "task-001", "x"));
    assert_eq!(rules(&done), ["memory/clock-back"]);
    let MemoryAnswer::Action(action) = done.answer else { panic!() };
    assert_eq!(action.time, at(70));
    let done = files.do_(&end(2, "task-001", "success"));
    assert_eq!(rules(&done), ["memory/clock-back"]);
    assert!(
        !files.found().iter().any(|f| f.contains("series/negative-duration")),
        "{:?}",
        files.found()
    );
}

#[test]
fn a_long_action_has_a_time_too() {
    let mut files = example();
    files.do_(&start(100, "task-001"));
    let path = "tasks/task-001/attempts/003/actions.jsonl";
    let mut long = log(200, "task-001", "x");
    long["action"]["output"] = json!("x".repeat(70_000));
    files.do_(&long);
    let done = files.do_(&log(150, "task-001", "x"));
    assert_eq!(rules(&done), ["memory/clock-back"]);
    let MemoryAnswer::Action(action) = done.answer else { panic!() };
    assert_eq!(action.time, at(200));
    // Without its line break it is whole nevertheless.
    files.do_(&long);
    files.0.get_mut(path).expect("it is there").pop();
    assert!(rules(&files.do_(&log(201, "task-001", "x"))).is_empty());
    assert_eq!(files.text(path).lines().count(), 4);
    files.do_(&long);
    files.0.get_mut(path).expect("it is there").truncate(200_000);
    assert_eq!(rules(&files.do_(&log(202, "task-001", "x"))), ["memory/torn-line"]);
}

/// A log without times is not read whole for one.
#[test]
fn a_tail_is_as_long_as_it_has_to_be() {
    let action = |len: usize| {
        format!("{{\"tool\":\"a\",\"params\":{{}},\"output\":\"{}\"}}\n", "x".repeat(len))
    };
    for (text, lens) in [
        (action(100).repeat(10_000), vec![65_536]),
        (action(100).repeat(10_000) + &action(1_000_000), vec![65_536, 262_144, 1_048_576]),
        ("x".repeat(100_000), vec![65_536, 262_144]),
    ] {
        let mut files = example();
        files.do_(&start(100, "task-001"));
        files.0.insert("tasks/task-001/attempts/003/actions.jsonl".to_owned(), text.into_bytes());
        let request = log(101, "task-001", "x").to_string();
        let request = MemoryRequest::from_json(&request).expect("it is one");
        let mut call = MemoryCall::new(request).expect("it asks");
        let mut asked = Vec::new();
        while !call.needs().is_empty() {
            for read in call.needs().to_vec() {
                asked.extend(read.len_bytes);
                call.supply(&read.path, files.answer(&read)).expect("it was asked for");
            }
        }
        assert_eq!(asked, lens);
    }
}

#[test]
fn two_writers_never_overwrite_each_other() {
    let files = example();
    let all = |files: &Files| -> Vec<Value> {
        vec![
            init(100),
            json!({"call": "start-attempt", "now": at(100), "task": "task-001"}),
            json!({"call": "add-reflection", "now": at(100), "task": "task-001", "reflection": {"learning": "x"}}),
            if files.0.contains_key("tasks/task-001/attempts/003/attempt.json") {
                log(100, "task-001", "x")
            } else {
                init(100)
            },
            if files.0.contains_key("tasks/task-001/attempts/003/attempt.json") {
                end(100, "task-001", "failure")
            } else {
                init(100)
            },
        ]
    };
    let mut open = files.clone();
    open.do_(&start(90, "task-001"));
    for files in [files, open] {
        for request in all(&files) {
            let (first, second) = (
                files.ask(&request).expect("it answers"),
                files.ask(&request).expect("it answers"),
            );
            let mut files = files.clone();
            first.writes.iter().for_each(|write| files.write(write).expect("it is the first"));
            let before = files.clone();
            let error = files.write(&second.writes[0]).expect_err("it is the second");
            assert_eq!(error.code(), ErrorCode::MemoryConflict, "{request}");
            assert_eq!(files, before);
            // It asks again, and goes on.
            let again = files.ask(&request);
            assert!(
                again.is_ok_and(|done| files.write(&done.writes[0]).is_ok())
                    || request["call"] == "complete-attempt"
            );
        }
    }
}

#[test]
fn numbers_never_run_out() {
    let mut files = example();
    files.0.insert("tasks/task-4294967295/metadata.json".to_owned(), b"{}".to_vec());
    files.0.insert("tasks/task-001/attempts/4294967295/x".to_owned(), b"x".to_vec());
    files.do_(&init(90));
    assert!(files.0.contains_key("tasks/task-002/metadata.json"));
    files.do_(&start(91, "task-001"));
    assert!(files.0.contains_key("tasks/task-001/attempts/003/attempt.json"));
    let mut highest = reflect(92, "a");
    highest["iteration"] = json!(4_294_967_295_u32);
    assert_eq!(files.code(&highest), ErrorCode::InvalidRequest);
}

#[test]
fn a_refused_outcome_names_those_that_are_taken() {
    let request = json!({"call": "reflect", "now": at(1), "loop": "a", "outcome": "timeout"});
    let error = MemoryRequest::from_json(&request.to_string()).expect_err("it is none");
    let message = error.to_string();
    assert!(
        message.contains("success, failure or partial") && !message.contains("running"),
        "{message}"
    );
}
