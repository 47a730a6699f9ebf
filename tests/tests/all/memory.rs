//! The memory of an agent: the layout that people know, what queries answer, and what a retry learns.

use hindscope::{
    ErrorCode, GroupId, MemoryAnswer, MemoryCall, MemoryFound, MemoryIndex, MemoryRequest,
    ReadKind, Record, SearchTasks,
};
use hindscope_tests::memory::{
    Files, ROOT, at, end, example, init, log, mended, reflect, rules, start,
};
use serde_json::{Value, json};

#[test]
fn the_layout_is_that_of_the_schema() {
    let files = example();
    let paths: Vec<&str> = files.0.keys().map(String::as_str).collect();
    let of_task = "tasks/task-001/";
    assert_eq!(
        paths,
        [
            "index/by-agent.json",
            "index/by-status.json",
            &format!("{of_task}attempts/001/actions.jsonl"),
            &format!("{of_task}attempts/001/attempt.json"),
            &format!("{of_task}attempts/001/outcome.json"),
            &format!("{of_task}attempts/001/plan.md"),
            &format!("{of_task}attempts/002/actions.jsonl"),
            &format!("{of_task}attempts/002/attempt.json"),
            &format!("{of_task}attempts/002/outcome.json"),
            &format!("{of_task}attempts/002/plan.md"),
            &format!("{of_task}metadata.json"),
            &format!("{of_task}reflections.jsonl"),
            &format!("{of_task}summary.json"),
            &format!("{of_task}trajectory.json"),
        ]
    );
    assert_eq!(
        files.json("index/by-status.json"),
        json!({"running": [], "completed": ["task-001"]})
    );
    assert_eq!(files.json("index/by-agent.json"), json!({"coder": ["task-001"]}));
    let metadata = files.json("tasks/task-001/metadata.json");
    assert_eq!(
        metadata,
        json!({"id": "task-001", "description": "Sort the index.",
            "completion_criteria": "all checks green", "created": at(0), "updated": at(70),
            "completed": at(70), "status": "completed", "current_attempt": 2, "total_attempts": 2,
            "ended_attempts": 2, "tags": ["index"]})
    );
    let attempt = files.json("tasks/task-001/attempts/001/attempt.json");
    assert_eq!(
        attempt["execution"],
        json!({"agent": "coder", "actions_performed": 2, "iterations": 2,
        "quality_history": [{"iteration": 1, "quality": 0.25}, {"iteration": 2, "quality": 0.25, "delta": 0.0}]})
    );
    assert_eq!(attempt["outcome"]["reason"], "two checks red");
    assert_eq!(
        files.json("tasks/task-001/trajectory.json")["attempts"][1]["learned_from"],
        json!([1])
    );
    let summary = files.json("tasks/task-001/summary.json");
    assert_eq!((&summary["first_success"], &summary["reflections"]), (&json!(2), &json!(3)));
}

#[test]
fn what_is_written_is_read_back_without_a_finding() {
    let files = example();
    assert_eq!(files.found(), Vec::<String>::new());
    let history = files.open();
    let [run] = &history.runs()[..] else { panic!("one run: {:?}", history.runs()) };
    assert_eq!((run.key.as_str(), run.iterations, run.reflections), ("task-001", 2, 3));
    assert_eq!((run.first_success, run.last), (Some(1), Some(0.5)));
    // Also on every step of the way.
    let mut files = Files::default();
    for request in [
        init(0),
        start(1, "task-001"),
        log(2, "task-001", "x"),
        end(3, "task-001", "timeout"),
        start(4, "task-001"),
    ] {
        files.do_(&request);
        assert_eq!(files.found(), Vec::<String>::new(), "{request}");
    }
    // An end of which nobody says more than how.
    files.do_(&json!({"call": "complete-attempt", "now": at(5), "task": "task-001", "outcome": "failure"}));
    assert_eq!(files.found(), Vec::<String>::new());
}

#[test]
fn triggers_choose_the_type_and_facts_fill_what_is_not_said() {
    let files = example();
    let lines: Vec<Value> = files
        .text("tasks/task-001/reflections.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    let kinds: Vec<_> =
        lines.iter().map(|l| (l["triggered_by"].as_str(), l["reflection_type"].as_str())).collect();
    assert_eq!(
        kinds,
        [
            (Some("failure"), Some("error-analysis")),
            (Some("success"), Some("success-pattern")),
            (Some("success"), Some("process-improvement")),
        ]
    );
    assert_eq!(
        lines[0]["observation"],
        "Attempt 1 failed: two checks red. It took 2 actions in 2 iterations."
    );
    assert_eq!(lines[0]["learning"], "Quarter it.");
    assert_eq!(lines[0]["from_facts"], json!(["observation", "analysis", "learning"]));
    assert_eq!(
        lines[2]["observation"],
        "The task was completed after 2 attempts: failure, success."
    );
    let mut files = files;
    let done = files.do_(&json!({"call": "add-reflection", "now": at(80), "task": "task-001",
        "reflection": {"learning": "Ask first.", "actionItems": ["Ask"]}}));
    let MemoryAnswer::Reflected(added) = done.answer else { panic!("a reflection") };
    assert_eq!(
        (added.attempt, &added.reflection["reflection_type"]),
        (2, &json!("process-improvement"))
    );
    assert_eq!(
        added.rendered,
        "## Reflection on Attempt 2\n**Learning**: Ask first.\n**Action Items**:\n1. Ask\n"
    );
    let done = files.do_(&start(90, "task-001"));
    assert_eq!(rules(&done), ["memory/task-reopened"]);
    let done = files.do_(&json!({"call": "complete-attempt", "now": at(95), "task": "task-001",
        "outcome": "timeout", "reflection": {"analysis": "Too slow."}}));
    let MemoryAnswer::Completed(ended) = done.answer else { panic!("an end") };
    assert_eq!(ended.reflections[0]["reflection_type"], "process-improvement");
    assert_eq!(ended.reflections[0]["from_facts"], json!(["observation"]));
    assert!(!ended.reflections[0].contains_key("learning"), "what says nothing is no lesson");
    assert_eq!(ended.status.as_str(), "running");
}

#[test]
fn a_retry_learns() {
    let mut files = example();
    let plan = files.text("tasks/task-001/attempts/002/plan.md");
    assert!(
        plan.starts_with("# Plan of attempt 2\n\nHalve the batch.\n\n1. measure\n2. halve\n"),
        "{plan}"
    );
    assert!(
        plan.contains(
            "# What earlier attempts taught\n\n## Reflection on Attempt 1\n**Observation**: "
        ),
        "{plan}"
    );
    let without = json!({"call": "start-attempt", "now": at(80), "task": "task-001", "withoutReflections": true});
    let MemoryAnswer::Attempt(attempt) = files.ask(&without).expect("it begins").answer else {
        panic!()
    };
    assert_eq!(
        (attempt.reflections.len(), attempt.plan.as_str()),
        (0, "# Plan of attempt 3\n\nNo plan was given.\n")
    );
    let own = json!({"call": "start-attempt", "now": at(80), "task": "task-001", "omega": 2,
        "similar": [{"task": "task-009", "lesson": "Sort\nin place."}]});
    let MemoryAnswer::Attempt(attempt) = files.do_(&own).answer else { panic!() };
    assert_eq!(attempt.reflections.len(), 2);
    let record = files.json("tasks/task-001/attempts/003/attempt.json");
    assert_eq!(record["plan"]["approach"], "What the attempts taught: Quarter it.");
    assert_eq!(record["learned_from"], json!([2]));
    assert!(
        attempt.plan.ends_with("# What similar tasks taught\n\n- task-009: Sort\n  in place.\n"),
        "{}",
        attempt.plan
    );
    let improvement = json!({"call": "track-improvement"});
    let MemoryAnswer::Improvement(found) = files.ask(&improvement).expect("counts").answer else {
        panic!()
    };
    assert_eq!((found.retries.with, found.retries.with_successes, found.open), (1, 1, 1));
    assert!(found.retries.is_too_few && found.retries.points.is_none());
}

#[test]
fn improvement_is_reported_with_enough_retries_on_both_sides() {
    let mut files = Files::default();
    for task in 1..=5 {
        let (id, second) = (format!("task-{task:03}"), task - 1);
        for request in [
            init(second),
            start(second, &id),
            end(second, &id, "failure"),
            json!({"call": "start-attempt", "now": at(second), "task": id, "withoutReflections": true}),
            end(second, &id, if task == 1 { "success" } else { "failure" }),
            start(second, &id),
            end(second, &id, if task < 5 { "success" } else { "timeout" }),
        ] {
            files.do_(&request);
        }
    }
    let answer = files.ask(&json!({"call": "track-improvement"})).expect("counts").answer;
    let MemoryAnswer::Improvement(found) = answer else { panic!() };
    let retries = &found.retries;
    assert_eq!(
        [retries.with, retries.with_successes, retries.without, retries.without_successes],
        [5, 4, 5, 1]
    );
    assert_eq!((retries.points, retries.is_aim_met, found.tasks), (Some(60.0), Some(true), 5));
    let some = json!({"call": "track-improvement", "tasks": ["task-001", "task-009"]});
    assert_eq!(files.code(&some), ErrorCode::NoSuchTask);
}

#[test]
fn history_is_filtered() {
    let mut files = example();
    files.do_(&json!({"call": "add-reflection", "now": at(80), "task": "task-001", "attempt": 1, "reflection": {"learning": "Größe zählt."}}));
    let counts = |query: Value| -> (Vec<(u32, usize)>, usize, u32) {
        let mut request = query;
        request["call"] = json!("query-history");
        request["task"] = json!("task-001");
        let done = files.ask(&request).expect("it answers");
        assert!(done.findings.is_empty() && done.writes.is_empty());
        let MemoryAnswer::History(history) = done.answer else { panic!() };
        let attempts = history.attempts.iter().map(|a| (a.attempt, a.actions.len())).collect();
        (
            attempts,
            history.reflections.len(),
            history.actions_left_out + history.reflections_left_out,
        )
    };
    assert_eq!(counts(json!({})), (vec![(1, 2), (2, 1)], 4, 0));
    assert_eq!(counts(json!({"attempt": 1})), (vec![(1, 2)], 2, 0));
    assert_eq!(counts(json!({"reflectionsOnly": true})), (vec![], 4, 0));
    assert_eq!(counts(json!({"reflectionsOnly": true, "outcome": "failure"})), (vec![], 2, 0));
    assert_eq!(counts(json!({"outcome": "success"})), (vec![(2, 1)], 2, 0));
    assert_eq!(counts(json!({"outcome": "timeout"})), (vec![], 0, 0));
    assert_eq!(counts(json!({"attempt": 1, "outcome": "success"})), (vec![], 0, 0));
    assert_eq!(counts(json!({"text": "MAKE AGAIN"})), (vec![(1, 1)], 0, 0));
    assert_eq!(counts(json!({"text": "grÖße"})), (vec![], 1, 0));
    assert_eq!(counts(json!({"since": at(31), "until": at(60)})), (vec![(1, 1), (2, 0)], 1, 0));
    assert_eq!(counts(json!({"limit": 1})), (vec![(1, 0), (2, 1)], 1, 5));
    let bad = json!({"call": "query-history", "task": "task-001", "since": "soon"});
    assert_eq!(files.code(&bad), ErrorCode::InvalidRequest);
}

#[test]
fn tasks_are_found_by_their_words() {
    let mut files = example();
    files.do_(&json!({"call": "init-task", "now": at(100), "description": "Sort the table of contents.", "tags": ["docs"]}));
    files.do_(&json!({"call": "init-task", "now": at(101), "description": "Paint the fence."}));
    let ids = |request: Value| -> Vec<String> {
        let MemoryAnswer::Found(found) = files.ask(&request).expect("it answers").answer else {
            panic!()
        };
        found.tasks.into_iter().map(|task| task.task).collect()
    };
    assert_eq!(
        ids(json!({"call": "search-tasks", "query": "Quarter the FENCE"})),
        ["task-001", "task-003"]
    );
    assert_eq!(
        ids(json!({"call": "search-tasks", "query": "sort", "status": "completed"})),
        ["task-001"]
    );
    assert_eq!(ids(json!({"call": "search-tasks", "query": "the of"})), Vec::<String>::new());
    assert_eq!(ids(json!({"call": "similar-tasks", "task": "task-002"})), ["task-001"]);
    assert_eq!(
        files.code(&json!({"call": "similar-tasks", "task": "task-009"})),
        ErrorCode::NoSuchTask
    );
    let mut index = MemoryIndex::new();
    for id in ["task-001", "task-002", "task-003"] {
        let file = |name: &str| files.0.get(&format!("tasks/{id}/{name}")).map(Vec::as_slice);
        index.put(id, file("metadata.json"), file("reflections.jsonl"));
    }
    let warm = index
        .search(&SearchTasks { query: "Quarter the fence".to_owned(), ..SearchTasks::default() });
    let cold = files
        .ask(&json!({"call": "search-tasks", "query": "Quarter the fence"}))
        .expect("it answers");
    assert_eq!(MemoryAnswer::Found(warm), cold.answer);
}

/// What a call reads and writes must not grow with what was logged before it.
#[test]
fn an_action_costs_the_same_however_many_were_before_it() {
    let action = |n: u32| {
        json!({"call": "log-action", "now": at(n), "task": "task-001",
            "action": {"type": "bash", "iteration": n, "quality": f64::from(n % 5) / 5.0}})
    };
    let record = "tasks/task-001/attempts/001/attempt.json";
    let mut files = Files::default();
    files.do_(&init(0));
    files.do_(&start(1, "task-001"));
    let mut written = Vec::new();
    for n in 2..=600 {
        let done = files.do_(&action(n));
        written.push(done.writes.iter().map(|write| write.bytes.len()).sum::<usize>());
    }
    let longest = written.last().expect("some");
    assert!(*longest < written[290] + 20, "{} then {longest}", written[290]);
    // A rating of an iteration that is listed is still brought up to date.
    let mut again = action(2);
    again["action"]["quality"] = json!(1.0);
    files.do_(&again);
    let execution = &files.json(record)["execution"];
    let rated = execution["quality_history"].as_array().expect("a list");
    assert_eq!((rated.len(), &rated[0]["quality"]), (256, &json!(1.0)));
    assert_eq!(
        (&execution["actions_performed"], &execution["iterations"]),
        (&json!(600), &json!(600))
    );
    // The doctor takes nothing of it for damage, and makes the same of nothing.
    assert_eq!(mended(&mut files.clone(), 700, "long"), Vec::<String>::new());
    let mut lost = files.clone();
    lost.0.remove(record);
    mended(&mut lost, 700, "lost");
    assert_eq!(lost.json(record)["execution"]["quality_history"], execution["quality_history"]);
    // Who ends it has all of them.
    files.do_(&end(701, "task-001", "failure"));
    let rated = &files.json(record)["execution"]["quality_history"];
    assert_eq!(rated.as_array().expect("a list").len(), 599);
    assert_eq!(mended(&mut files, 702, "ended"), Vec::<String>::new());
}

/// The outcomes of the task's attempts in a history.
fn outcomes(files: &Files) -> Vec<String> {
    let history = files.open();
    let runs = history.runs();
    let iterations = history.run(runs[0].id).expect("it is one").iterations();
    let said = iterations.into_iter();
    said.map(|i| i.outcome_detail.unwrap_or_else(|| i.outcome.as_str().to_owned())).collect()
}

#[test]
fn an_attempt_that_goes_on_is_listed_as_its_task() {
    let mut files = example();
    files.do_(&start(80, "task-001"));
    assert_eq!(outcomes(&files), ["failure", "success", "running"]);
    let status = |second: u32, status: &str| json!({"call": "set-status", "now": at(second), "task": "task-001", "status": status});
    files.do_(&status(81, "paused"));
    assert_eq!(outcomes(&files), ["failure", "success", "paused"]);
    // What was left for another attempt does not go on, nor does anything of a task that is over.
    files.do_(&start(82, "task-001"));
    assert_eq!(outcomes(&files), ["failure", "success", "unknown", "running"]);
    files.do_(&status(83, "failed"));
    assert_eq!(outcomes(&files), ["failure", "success", "unknown", "unknown"]);
    // A thought between attempts begins none.
    let mut files = Files::default();
    files.do_(&init(0));
    let thought: &[u8] = b"{\"attempt_id\":1,\"observation\":\"a\",\"learning\":\"b\",\"triggered_by\":\"manual\"}\n";
    files.0.insert("tasks/task-001/reflections.jsonl".to_owned(), thought.to_vec());
    assert_eq!(outcomes(&files), ["unknown"]);
}

#[test]
fn unknown_members_are_kept() {
    let mut files = Files::default();
    files.do_(&init(0));
    let edit = |files: &mut Files, path: &str, name: &str, value: Value| {
        let mut record: Record = serde_json::from_value(files.json(path)).expect("an object");
        record.insert(name.to_owned(), value);
        files.0.insert(path.to_owned(), serde_json::to_vec(&record).expect("plain data"));
    };
    edit(&mut files, "tasks/task-001/metadata.json", "owner", json!({"name": "me"}));
    edit(&mut files, "tasks/task-001/metadata.json", "tags", json!("one"));
    let done = files.do_(&start(1, "task-001"));
    assert_eq!(rules(&done), ["memory/schema"]);
    edit(&mut files, "tasks/task-001/attempts/001/attempt.json", "mood", json!("calm"));
    files.do_(&log(2, "task-001", "x"));
    files.do_(&end(3, "task-001", "success"));
    assert_eq!(files.json("tasks/task-001/metadata.json")["owner"]["name"], "me");
    assert_eq!(files.json("tasks/task-001/metadata.json")["tags"], "one");
    assert_eq!(files.json("tasks/task-001/attempts/001/attempt.json")["mood"], "calm");
    // Also in an outcome that says of no end; what it says of one is not what the request says.
    files.do_(&start(4, "task-001"));
    let path = "tasks/task-001/attempts/002/outcome.json";
    files.0.insert(path.to_owned(), br#"{"note":"mine","final_quality":"high"}"#.to_vec());
    files.do_(&json!({"call": "complete-attempt", "now": at(5), "task": "task-001", "outcome": "failure"}));
    let ending = files.json(path);
    assert_eq!((&ending["note"], &ending["status"]), (&json!("mine"), &json!("failure")));
    assert_eq!(ending.get("final_quality"), None);
}

#[test]
fn an_end_without_a_lesson_teaches_none() {
    let mut files = Files::default();
    files.do_(&init(0));
    files.do_(&start(1, "task-001"));
    files.do_(&json!({"call": "complete-attempt", "now": at(2), "task": "task-001", "outcome": "failure"}));
    let line = files.text("tasks/task-001/reflections.jsonl").to_owned();
    assert!(!line.contains("learning"), "{line}");
    let done = files.do_(&json!({"call": "start-attempt", "now": at(3), "task": "task-001"}));
    let MemoryAnswer::Attempt(attempt) = done.answer else { panic!() };
    assert!(attempt.plan.contains("No plan was given."), "{}", attempt.plan);
    let search = json!({"call": "search-tasks", "query": "nothing recorded"});
    let MemoryAnswer::Found(found) = files.ask(&search).expect("it looks").answer else { panic!() };
    assert!(found.tasks.is_empty());
}

/// If several attempts taught the same, the plan of the next one says that the task is stuck.
#[test]
fn who_is_stuck_is_told() {
    let mut files = Files::default();
    files.do_(&init(0));
    for n in 1..=4 {
        let done = files.do_(&start(10 * n, "task-001"));
        let MemoryAnswer::Attempt(attempt) = done.answer else { panic!() };
        let told = attempt.plan.split_once("\n\n## You Are Stuck\n").map(|(_, told)| told);
        assert_eq!(told.is_some(), n == 4, "{}", attempt.plan);
        assert!(
            told.is_none_or(|told| told.starts_with("- 3 reflections in a row say the same: "))
        );
        files.do_(&json!({"call": "complete-attempt", "now": at(10 * n + 1), "task": "task-001",
            "outcome": "failure", "reflection": {"learning": "The lock row must be created first."}}));
    }
}

/// A host with an index and one without find the same.
#[test]
fn what_the_hook_stored_is_found() {
    let mut files = Files::default();
    files.do_(&init(0));
    files.do_(&reflect(1, "The lock was never released."));
    files
        .0
        .insert("reflections/loops/ralph-001/notes.yaml".to_owned(), b"reflection: lock".to_vec());
    let search = json!({"call": "search-tasks", "query": "released locks of a lock"});
    let MemoryAnswer::Found(cold) = files.ask(&search).expect("it looks").answer else { panic!() };
    let found: Vec<_> =
        cold.reflections.iter().map(|one| (one.iteration, &one.reflection[..])).collect();
    assert_eq!(found, [(1, "The lock was never released.")]);
    let mut index = MemoryIndex::new();
    for (path, bytes) in &files.0 {
        index.put_iteration(path, bytes);
    }
    let query = "released locks of a lock".to_owned();
    let warm = index.search(&SearchTasks { query, ..SearchTasks::default() });
    assert_eq!(warm.reflections, cold.reflections);
}

/// What a plan took in, it says; statistics over the files agree with the memory.
#[test]
fn what_was_learned_from_is_what_was_injected() {
    let mut files = Files::default();
    files.do_(&init(0));
    for (second, more) in [
        (1, json!({})),
        (3, json!({"withoutReflections": true})),
        (5, json!({"omega": 1})),
        (7, json!({})),
    ] {
        let mut request = start(second, "task-001");
        request.as_object_mut().expect("one").extend(more.as_object().cloned().expect("one"));
        files.do_(&request);
        files.do_(&end(second + 1, "task-001", if second == 7 { "success" } else { "failure" }));
    }
    let answer = files.ask(&json!({"call": "track-improvement"})).expect("counts").answer;
    let MemoryAnswer::Improvement(improvement) = answer else { panic!() };
    let history = files.open();
    let run = history.runs()[0].id;
    assert_eq!(history.retries(GroupId(0)), Some(improvement.retries.clone()));
    assert_eq!((improvement.retries.with, improvement.retries.without), (2, 1));
    let mut loaded = history.loaded_run(run).expect("it is listed");
    for span in history.needs(&loaded) {
        let path = history.source(span.source).expect("it is open").path;
        let bytes = &files.0[path.strip_prefix(ROOT).expect("below the root")];
        let at = |n: u64| usize::try_from(n).expect("small");
        history
            .load(&mut loaded, span.record, &bytes[at(span.start)..at(span.end)])
            .expect("its bytes");
    }
    let injected = |n: i64| {
        let injected = loaded.injected(n).expect("it is there");
        (injected.is_computed, injected.numbers)
    };
    assert_eq!(injected(2), (false, vec![]));
    assert_eq!(injected(3), (false, vec![2]));
    assert_eq!(injected(4), (false, vec![1, 2, 3]));
    // What is suggested for the next time is no second reflection.
    let views = history.run(run).expect("it is listed").iterations();
    assert_eq!(views[0].reflections.len(), 1);
}

/// Time that this thread had a processor, where the system gives it: others may be at work.
fn on_processor() -> std::time::Duration {
    let stats = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = stats.and_then(|text| text.split(' ').next()?.parse().ok());
    std::time::Duration::from_nanos(nanoseconds.unwrap_or_default())
}

/// A history of five attempts with two hundred actions each is answered in a few milliseconds. Times are
/// never asserted; `--nocapture` prints them.
#[test]
fn a_long_history_is_answered() {
    let mut files = Files::default();
    files.do_(&init(0));
    for attempt in 1..=5 {
        files.do_(&start(attempt * 1000, "task-001"));
        let path = format!("tasks/task-001/attempts/{attempt:03}/actions.jsonl");
        let mut text = String::new();
        for n in 0..200_u32 {
            let mut action = log(0, "task-001", &"make all ".repeat(8))["action"].clone();
            action["timestamp"] = json!(at(attempt * 1000 + n));
            action["output"] = json!("line of output\n".repeat(10));
            text.extend([action.to_string(), "\n".to_owned()]);
        }
        files.0.insert(path, text.into_bytes());
        files.do_(&end(attempt * 1000 + 300, "task-001", "failure"));
    }
    let request = json!({"call": "query-history", "task": "task-001"});
    let ask = || {
        let mut call =
            MemoryCall::new(MemoryRequest::from_json(&request.to_string()).expect("it is one"))
                .expect("it asks");
        while !call.needs().is_empty() {
            for read in call.needs().to_vec() {
                let found = match read.kind {
                    ReadKind::Folder => files.names(&read.path),
                    _ => files
                        .0
                        .get(&read.path)
                        .map_or(MemoryFound::Absent, |b| MemoryFound::File(b.clone())),
                };
                call.supply(&read.path, found).expect("it was asked for");
            }
        }
        call.finish().expect("it is done")
    };
    let MemoryAnswer::History(history) = ask().answer else { panic!() };
    assert_eq!(history.attempts.iter().map(|a| a.actions.len()).collect::<Vec<_>>(), [200; 5]);
    let mut times: Vec<_> = (0..100)
        .map(|_| {
            let start = on_processor();
            std::hint::black_box(ask());
            on_processor().saturating_sub(start)
        })
        .collect();
    times.sort();
    println!(
        "query_history, 5 x 200 actions: p50 {:?}, p99 {:?} on the processor",
        times[50], times[98]
    );
}

#[test]
fn iterations_of_an_attempt_have_results() {
    let mut files = Files::default();
    for request in [init(1), start(2, "task-001")] {
        files.do_(&request);
    }
    let result = |iteration: u32, name: &str, more: Value| {
        let mut request = json!({"call": "add-result", "now": at(3), "task": "task-001",
            "iteration": iteration, "name": name});
        request
            .as_object_mut()
            .expect("it is one")
            .extend(more.as_object().expect("it is one").clone());
        request
    };
    let text = |iteration, name| result(iteration, name, json!({"text": "2 of 3 passed"}));
    let done = files.do_(&text(1, "report.txt"));
    assert_eq!(done.writes.len(), 1, "nothing else depends on it");
    let MemoryAnswer::Result(answer) = done.answer else { panic!("a result") };
    assert_eq!(answer.path, "tasks/task-001/attempts/001/results/iter-001/report.txt");
    files.do_(&result(1, "a.bin", json!({"base64": "/wA="})));
    files.0.insert("tasks/task-001/attempts/001/results/iter-12/x".to_owned(), b"!".to_vec());
    files.do_(&text(12, "y"));
    assert_eq!(files.text("tasks/task-001/attempts/001/results/iter-12/y"), "2 of 3 passed");
    for (request, code) in [
        (text(1, "report.txt"), ErrorCode::MemoryConflict),
        (text(1, "REPORT.txt"), ErrorCode::MemoryConflict),
        (text(0, "a"), ErrorCode::InvalidRequest),
        (text(1, "../a"), ErrorCode::PathRefused),
        (text(1, "a/b"), ErrorCode::PathRefused),
        (result(1, "a", json!({})), ErrorCode::InvalidRequest),
        (result(1, "a", json!({"text": "", "base64": ""})), ErrorCode::InvalidRequest),
        (result(1, "a", json!({"base64": "?"})), ErrorCode::InvalidRequest),
        (result(1, "a", json!({"text": "", "attempt": 2})), ErrorCode::NoSuchAttempt),
        (result(1, "a", json!({"text": "", "task": "task-002"})), ErrorCode::NoSuchTask),
    ] {
        assert_eq!(files.code(&request), code, "{request}");
    }
    let results = |more: Value| {
        let mut request = json!({"call": "query-history", "task": "task-001"});
        request
            .as_object_mut()
            .expect("it is one")
            .extend(more.as_object().expect("it is one").clone());
        let done = files.ask(&request).expect("it answers");
        assert!(done.findings.is_empty(), "{:?}", done.findings);
        let MemoryAnswer::History(history) = done.answer else { panic!("a history") };
        let first = history.attempts.into_iter().next();
        serde_json::to_value(first.map(|attempt| attempt.results)).expect("plain data")
    };
    let path = |end: &str| format!("tasks/task-001/attempts/001/results/{end}");
    assert_eq!(
        results(json!({})),
        json!([
            {"iteration": 1, "files": [{"name": "a.bin", "path": path("iter-001/a.bin")},
                {"name": "report.txt", "path": path("iter-001/report.txt")}]},
            {"iteration": 12, "files": [{"name": "x", "path": path("iter-12/x")}, {"name": "y", "path": path("iter-12/y")}]},
        ])
    );
    let whole = results(json!({"results": true, "attempt": 1}));
    assert_eq!(whole[0]["files"][0]["base64"], "/wA=");
    assert_eq!(whole[0]["files"][1]["text"], "2 of 3 passed");
    assert_eq!(results(json!({"reflectionsOnly": true})), Value::Null);
    files.do_(&json!({"call": "complete-attempt", "now": at(9), "task": "task-001", "outcome": "success"}));
    assert_eq!(files.code(&text(1, "late")), ErrorCode::AttemptComplete);
    let done = files.ask(&json!({"call": "doctor", "now": at(20)})).expect("it answers");
    assert!(done.findings.is_empty() && done.writes.is_empty(), "{done:?}");
}

#[test]
fn a_reflection_may_be_a_plain_text() {
    let mut files = Files::default();
    for request in [init(1), start(2, "task-001")] {
        files.do_(&request);
    }
    let ending = |reflection: Value| {
        json!({"call": "complete-attempt", "now": at(3), "task": "task-001", "outcome": "failure",
            "reflection": reflection})
    };
    for wrong in [json!(1), json!(["x"]), json!({"lerning": "x"})] {
        assert_eq!(files.code(&ending(wrong)), ErrorCode::InvalidRequest);
    }
    let MemoryAnswer::Completed(answer) = files.do_(&ending(json!("Install make first."))).answer
    else {
        panic!("it ended")
    };
    assert_eq!(answer.reflections[0]["learning"], "Install make first.");
}
