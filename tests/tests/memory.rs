//! The memory of an agent: whatever is interrupted, torn or written by two at once, what was kept is
//! told, nothing else is touched, and the doctor puts the rest in order.

use std::collections::{BTreeMap, BTreeSet};

use hindscope::{
    Details, Error, ErrorCode, FolderNames, History, MemoryAnswer, MemoryCall, MemoryDone,
    MemoryFound, MemoryIndex, MemoryRequest, MemoryWrite, Profile, ReadKind, Record, SearchTasks,
    Severity, WriteKind,
};
use serde_json::{Value, json};

/// Where people keep a memory; the calls know nothing of it.
const ROOT: &str = ".aiwg/ralph/";

/// A host that keeps files in a map.
#[derive(Clone, Debug, Default, PartialEq)]
struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    fn names(&self, folder: &str) -> MemoryFound {
        let lead = format!("{folder}/");
        let (mut files, mut folders) = (BTreeSet::new(), BTreeSet::new());
        for path in self.0.keys().filter_map(|path| path.strip_prefix(&lead)) {
            match path.split_once('/') {
                None => files.insert(path.to_owned()),
                Some((folder, _)) => folders.insert(folder.to_owned()),
            };
        }
        if files.is_empty() && folders.is_empty() {
            return MemoryFound::Absent;
        }
        let (files, folders) = (files.into_iter().collect(), folders.into_iter().collect());
        MemoryFound::Folder(FolderNames { files, folders, ..FolderNames::default() })
    }

    /// Asks without writing. Requests and answers cross as JSON, as they do to any host.
    fn ask(&self, request: &Value) -> Result<MemoryDone, Error> {
        let mut call = MemoryCall::new(MemoryRequest::from_json(&request.to_string())?)?;
        let mut rounds = 0;
        while !call.needs().is_empty() {
            rounds += 1;
            assert!(rounds < 12, "{request} asks again and again");
            for read in call.needs().to_vec() {
                let found = match (read.kind, self.0.get(&read.path)) {
                    (ReadKind::Folder, _) => self.names(&read.path),
                    (_, None) => MemoryFound::Absent,
                    (ReadKind::File, Some(bytes)) => MemoryFound::File(bytes.clone()),
                    (ReadKind::Tail, Some(bytes)) => {
                        let len = usize::try_from(read.len_bytes.expect("a tail has one"))
                            .expect("small");
                        let from = bytes.len().saturating_sub(len);
                        MemoryFound::Tail {
                            bytes: bytes[from..].to_vec(),
                            len_bytes: bytes.len() as u64,
                        }
                    }
                };
                call.supply(&read.path, found)?;
            }
        }
        let done = call.finish()?;
        let text = serde_json::to_string(&done).expect("plain data");
        let again: MemoryDone = serde_json::from_str(&text).expect("what was written");
        assert_eq!(again.writes, done.writes);
        Ok(again)
    }

    fn write(&mut self, write: &MemoryWrite) -> Result<(), Error> {
        let bytes = write.apply(self.0.get(&write.path).map(Vec::as_slice))?;
        self.0.insert(write.path.clone(), bytes);
        Ok(())
    }

    /// Asks, and writes all of it.
    fn do_(&mut self, request: &Value) -> MemoryDone {
        let done = self.ask(request).unwrap_or_else(|error| panic!("{request}: {error}"));
        done.writes.iter().for_each(|write| self.write(write).expect("nobody else writes"));
        done
    }

    fn code(&self, request: &Value) -> ErrorCode {
        self.ask(request).map(|done| done.answer).expect_err(&request.to_string()).code()
    }

    fn text(&self, path: &str) -> &str {
        let bytes = self.0.get(path).unwrap_or_else(|| panic!("no {path}"));
        std::str::from_utf8(bytes).expect("it is text")
    }

    fn json(&self, path: &str) -> Value {
        serde_json::from_str(self.text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn open(&self) -> History {
        let mut history = History::new(Profile::Lenient);
        for (path, bytes) in &self.0 {
            let source = history.open(&format!("{ROOT}{path}"));
            history.push(source, bytes).expect("it is open");
            history.finish(source).expect("it is open");
        }
        history
    }

    /// Findings of the history that these files are.
    fn found(&self) -> Vec<String> {
        let history = self.open();
        let path = |finding: &hindscope::Finding| {
            finding.source.map(|s| history.source(s).expect("it is open").path).unwrap_or_default()
        };
        history
            .findings()
            .iter()
            .map(|f| format!("{}: {} {}", path(f), f.rule, f.message))
            .collect()
    }
}

fn rules(done: &MemoryDone) -> Vec<&str> {
    done.findings.iter().map(|note| note.finding.rule.as_ref()).collect()
}

/// A time of the first day, by its second.
fn at(second: u32) -> String {
    format!("2026-03-05T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

fn init(second: u32) -> Value {
    json!({"call": "init-task", "now": at(second), "description": "Sort the index.",
        "completionCriteria": "all checks green", "tags": ["index"]})
}

fn start(second: u32, task: &str) -> Value {
    json!({"call": "start-attempt", "now": at(second), "task": task, "agent": "coder",
        "plan": {"approach": "Halve the batch.", "steps": ["measure", "halve"], "estimatedIterations": 2}})
}

fn log(second: u32, task: &str, what: &str) -> Value {
    json!({"call": "log-action", "now": at(second), "task": task, "action": {
        "type": "bash", "tool": "shell", "iteration": 1 + second % 2, "quality": 0.25,
        "params": {"command": what}, "success": !second.is_multiple_of(3), "error": "exit 2",
        "output": "…", "reasoning": "Build first.", "expected_outcome": "a binary"}})
}

fn end(second: u32, task: &str, outcome: &str) -> Value {
    json!({"call": "complete-attempt", "now": at(second), "task": task, "outcome": outcome,
        "reason": "two checks red", "finalQuality": 0.5, "completionPercent": 40,
        "whatWorked": ["measuring"], "whatDidntWork": ["guessing"],
        "suggestionsForNextTime": ["Quarter it"],
        "milestones": [{"timestamp": at(second), "event": "built"}]})
}

/// Two attempts of one task, the second a success.
fn story() -> Files {
    let mut files = Files::default();
    for request in [
        init(0),
        start(10, "task-001"),
        log(20, "task-001", "make"),
        log(31, "task-001", "make again"),
        end(40, "task-001", "failure"),
        start(50, "task-001"),
        log(60, "task-001", "make -j1"),
        end(70, "task-001", "success"),
    ] {
        let done = files.do_(&request);
        assert!(done.findings.is_empty(), "{request}: {:?}", done.findings);
    }
    files
}

#[test]
fn the_layout_is_that_of_the_schema() {
    let files = story();
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
    let files = story();
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
    let files = story();
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
    let mut files = story();
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
fn improvement_is_told_with_enough_retries_on_both_sides() {
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
fn hostile_ids_touch_nothing() {
    let files = story();
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
    let files = story();
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
        json!({"type": "dance"}),
        json!({"type": "read", "params": []}),
        json!({"tool": "x", "quality": 2}),
    ] {
        let request =
            json!({"call": "log-action", "now": at(101), "task": "task-001", "action": action});
        assert_eq!(open.code(&request), ErrorCode::InvalidRequest, "{request}");
    }
    let request = json!({"call": "complete-attempt", "now": at(101), "task": "task-001", "outcome": "success", "finalQuality": 50});
    assert_eq!(open.code(&request), ErrorCode::InvalidRequest);
}

#[test]
fn a_host_that_fails_is_told() {
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
    let mut files = story();
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
fn two_writers_never_overwrite_each_other() {
    let files = story();
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

/// A piece of randomness, the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() >> 33).expect("31 bits") % limit.max(1)
    }
}

/// What a host knows that it wrote.
#[derive(Clone, Debug, Default)]
struct Kept {
    /// By task and attempt: the commands that were logged, and how it ended.
    attempts: BTreeMap<(String, u32), (Vec<String>, Option<String>)>,
    tasks: BTreeSet<String>,
    /// By task and attempt: learnings.
    learnings: BTreeMap<(String, u32), Vec<String>>,
}

impl Kept {
    /// What the first write of a call means.
    fn take(&mut self, request: &Value, done: &MemoryDone) {
        match &done.answer {
            MemoryAnswer::Task(task) => drop(self.tasks.insert(task.task.clone())),
            MemoryAnswer::Attempt(a) => {
                self.attempts.insert((a.task.clone(), a.attempt), (Vec::new(), None));
            }
            MemoryAnswer::Action(a) => {
                let command = request["action"]["params"]["command"].as_str().expect("it has one");
                let attempt =
                    self.attempts.get_mut(&(a.task.clone(), a.attempt)).expect("it is there");
                attempt.0.push(command.to_owned());
            }
            MemoryAnswer::Completed(a) => {
                let key = (a.task.clone(), a.attempt);
                let attempt = self.attempts.get_mut(&key).expect("it is there");
                attempt.1 = Some(a.outcome.as_str().to_owned());
                let learnings = a
                    .reflections
                    .iter()
                    .map(|r| r["learning"].as_str().expect("it has one").to_owned());
                self.learnings.entry(key).or_default().extend(learnings);
            }
            MemoryAnswer::Reflected(a) => {
                let learning = a.reflection["learning"].as_str().expect("it has one").to_owned();
                self.learnings.entry((a.task.clone(), a.attempt)).or_default().push(learning);
            }
            other => panic!("{other:?} writes nothing"),
        }
    }
}

/// The next request of a protocol.
fn next(random: &mut Random, files: &Files, kept: &Kept, second: &mut u32) -> Value {
    *second += 1;
    // Now and then the clock goes back.
    let now = if random.below(8) == 0 { second.saturating_sub(5) } else { *second };
    let tasks: Vec<&String> = kept.tasks.iter().collect();
    if tasks.is_empty() || random.below(12) == 0 {
        return init(now);
    }
    let task = tasks[random.below(tasks.len())];
    let latest = kept.attempts.range((task.clone(), 0)..=(task.clone(), u32::MAX)).next_back();
    let is_open = latest.is_some_and(|(_, (_, outcome))| outcome.is_none());
    let mark = format!("step {second} of «{task}»");
    match (is_open, random.below(10)) {
        (true, 0..=6) => log(now, task, &mark),
        (true, 7 | 8) => {
            let mut request = end(now, task, ["success", "failure", "timeout"][random.below(3)]);
            if random.below(2) == 0 {
                request["reflection"] = json!({"learning": format!("Learned in {mark}.")});
            }
            request
        }
        (_, 9) if latest.is_some() => {
            json!({"call": "add-reflection", "now": at(now), "task": task,
            "reflection": {"learning": format!("Thought in {mark}.")}})
        }
        (false, 1) => {
            json!({"call": "set-status", "now": at(now), "task": task, "status": "paused"})
        }
        _ => {
            assert!(files.0.contains_key(&format!("tasks/{task}/metadata.json")));
            json!({"call": "start-attempt", "now": at(now), "task": task, "agent": "coder"})
        }
    }
}

/// Everything that the history tells of tasks, attempts and actions is what was kept, no more and no
/// less.
fn tells(files: &Files, kept: &Kept, why: &str) {
    let history = files.open();
    let mut commands: BTreeMap<(String, u32), Vec<String>> = BTreeMap::new();
    for record in 0..u32::try_from(history.record_count()).expect("few") {
        let span = history.locate(hindscope::RecordId(record)).expect("it is one");
        let Some(rest) = span.path.strip_prefix(ROOT).and_then(|path| path.strip_prefix("tasks/"))
        else {
            continue;
        };
        let mut parts = rest.split('/');
        let (Some(task), Some("attempts"), Some(folder), Some("actions.jsonl")) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let bytes = &files.0[&span.path[ROOT.len()..]];
        let range =
            usize::try_from(span.start).expect("small")..usize::try_from(span.end).expect("small");
        let details: Details = history
            .inspect(span.record, 0, &bytes[range])
            .unwrap_or_else(|error| panic!("{why}: {error}"));
        let number = folder.parse().expect("a number");
        let own = commands.entry((task.to_owned(), number)).or_default();
        own.extend(details.actions.into_iter().filter_map(|action| action.command));
    }
    let expected: BTreeMap<_, _> = kept
        .attempts
        .iter()
        .filter(|(_, (commands, _))| !commands.is_empty())
        .map(|(key, (commands, _))| (key.clone(), commands.clone()))
        .collect();
    assert_eq!(commands, expected, "{why}");
    let lines = (0..u32::try_from(history.record_count()).expect("few"))
        .filter_map(|record| history.locate(hindscope::RecordId(record)).ok())
        .filter(|span| span.path.ends_with("/reflections.jsonl"))
        .count();
    assert_eq!(lines, kept.learnings.values().map(Vec::len).sum::<usize>(), "{why}");
    let runs: BTreeMap<String, _> =
        history.runs().into_iter().map(|run| (run.key.clone(), run)).collect();
    assert_eq!(runs.keys().collect::<Vec<_>>(), kept.tasks.iter().collect::<Vec<_>>(), "{why}");
    for (task, run) in &runs {
        let attempts = kept.attempts.range((task.clone(), 0)..=(task.clone(), u32::MAX));
        let expected: Vec<(i64, &str)> = attempts
            .map(|((_, n), (_, outcome))| (i64::from(*n), outcome.as_deref().unwrap_or("unknown")))
            .map(|(n, word)| (n, if word == "timeout" { "failure" } else { word }))
            .collect();
        let run = history.run(run.id).expect("it is one");
        let iterations = run.iterations();
        let found: Vec<(i64, &str)> =
            iterations.iter().map(|i| (i.number, i.outcome.as_str())).collect();
        // An attempt without an end may be told as one that runs, or by a reflection on it.
        let found: Vec<_> = found
            .into_iter()
            .zip(&expected)
            .map(|((n, o), (_, e))| (n, if *e == "unknown" { "unknown" } else { o }))
            .collect();
        assert_eq!(found, expected, "{why}: {task}");
        // The protocol tells the same.
        let done = files.ask(&json!({"call": "query-history", "task": task})).expect("it answers");
        assert!(done.findings.is_empty(), "{why}: {:?}", done.findings);
        let MemoryAnswer::History(told) = done.answer else { panic!("a history") };
        let told: Vec<_> = told
            .reflections
            .iter()
            .map(|r| {
                (r["attempt_id"].as_u64(), r["learning"].as_str().expect("it has one").to_owned())
            })
            .collect();
        let expected: BTreeSet<_> = kept
            .learnings
            .iter()
            .filter(|((t, _), _)| t == task)
            .flat_map(|((_, n), all)| all.iter().map(|l| (Some(u64::from(*n)), l.clone())))
            .collect();
        assert_eq!(told.iter().cloned().collect::<BTreeSet<_>>(), expected, "{why}");
    }
}

/// The doctor mends, and finds nothing more to mend. Gives its rules.
fn mended(files: &mut Files, second: u32, why: &str) -> Vec<String> {
    let request = json!({"call": "doctor", "now": at(second)});
    let done = files.do_(&request);
    let said: Vec<String> = rules(&done).into_iter().map(str::to_owned).collect();
    let again = files.ask(&request).expect("it answers");
    let faults: Vec<_> =
        again.findings.iter().filter(|n| n.finding.severity != Severity::Info).collect();
    assert!(
        again.writes.is_empty() && faults.is_empty(),
        "{why}: after {said:?}: {faults:?} {:?}",
        again.writes
    );
    let MemoryAnswer::Health(health) = again.answer else { panic!("health") };
    assert!(health.is_sound, "{why}");
    said
}

/// Random protocols. Every call is interrupted once behind each of its writes, and inside of each that
/// appends; then the doctor comes, and the history tells exactly what was kept.
#[test]
fn a_crash_loses_only_what_was_being_written() {
    let rounds = std::env::var("HINDSCOPE_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    let mut torn = 0;
    for seed in 1..=rounds {
        let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ seed);
        let (mut files, mut kept, mut second) = (Files::default(), Kept::default(), 1000);
        for _ in 0..40 {
            let request = next(&mut random, &files, &kept, &mut second);
            let done = files.ask(&request).unwrap_or_else(|error| panic!("{request}: {error}"));
            let mut after = kept.clone();
            after.take(&request, &done);
            for (n, write) in done.writes.iter().enumerate() {
                // Torn inside of this write, and stopped right behind it.
                for is_torn in [true, false] {
                    if is_torn && write.kind != WriteKind::Append {
                        continue;
                    }
                    // Every place once in a while; all of them would be many.
                    if random.below(3) > 0 {
                        continue;
                    }
                    torn += 1;
                    let mut crashed = files.clone();
                    done.writes[..n].iter().for_each(|w| crashed.write(w).expect("it fits"));
                    let cut = 1 + random.below(write.bytes.len() - 1);
                    let part = MemoryWrite {
                        bytes: write.bytes[..if is_torn { cut } else { write.bytes.len() }]
                            .to_vec(),
                        ..write.clone()
                    };
                    crashed.write(&part).expect("it fits");
                    let why = format!(
                        "seed {seed}, {request}, write {n} of {} torn: {is_torn} at {cut}",
                        write.path
                    );
                    // All bytes but the line break: the record is whole.
                    let is_lost = n == 0 && is_torn && cut < write.bytes.len() - 1;
                    mended(&mut crashed, second + 1, &why);
                    tells(&crashed, if is_lost { &kept } else { &after }, &why);
                }
            }
            done.writes.iter().for_each(|write| files.write(write).expect("it fits"));
            kept = after;
        }
        // Without a crash there is nothing to mend.
        assert_eq!(
            mended(&mut files.clone(), second + 1, "whole"),
            Vec::<String>::new(),
            "seed {seed}"
        );
        tells(&files, &kept, "whole");
        assert_eq!(
            files
                .found()
                .iter()
                .filter(|f| !f.contains("series/") && !f.contains("stuck/"))
                .count(),
            0,
            "{:?}",
            files.found()
        );
    }
    assert!(torn > 300, "only {torn}");
}

/// After a torn line the agent goes on before any doctor comes.
#[test]
fn an_agent_goes_on_behind_a_torn_line() {
    let mut files = Files::default();
    for request in [init(0), start(1, "task-001"), log(2, "task-001", "a"), log(3, "task-001", "b")]
    {
        files.do_(&request);
    }
    let path = "tasks/task-001/attempts/001/actions.jsonl".to_owned();
    let whole = files.0[&path].len();
    files.0.get_mut(&path).expect("it is there").truncate(whole - 20);
    let done = files.do_(&log(4, "task-001", "c"));
    assert_eq!(rules(&done), ["memory/torn-line"]);
    assert_eq!(
        rules(
            &files.ask(&json!({"call": "query-history", "task": "task-001"})).expect("it answers")
        ),
        ["memory/bad-line"]
    );
    files.do_(&end(5, "task-001", "failure"));
    let said = mended(&mut files, 6, "torn");
    assert_eq!(said, ["memory/bad-line", "memory/kept-aside"]);
    let lines: Vec<_> =
        files.text(&path).lines().map(|l| l.contains("\"a\"") || l.contains("\"c\"")).collect();
    assert_eq!(lines, [true, true]);
    assert!(files.text(&format!("{path}.broken-1")).contains("\"b\""));
    assert_eq!(
        files.json("tasks/task-001/attempts/001/attempt.json")["execution"]["actions_performed"],
        2
    );
}

/// A tree that something else wrote, and left half done.
#[test]
fn what_others_left_is_mended_and_kept() {
    let mut files = Files::default();
    let mut put = |path: &str, text: &[u8]| files.0.insert(path.to_owned(), text.to_vec());
    put("tasks/task-gate/metadata.json", br#"{"id":"task-gate","owner":"me","description":"Open the gate","total_attempts":1,"current_att"#);
    put("tasks/task-gate/attempts/001/attempt.json", br#"{"id":1,"task_id":"task-gate","execution":{"agent":"smith","actions_performed":9},"mood":"calm"}"#);
    put(
        "tasks/task-gate/attempts/001/outcome.json",
        br#"{"status":"success","final_quality":0.8}"#,
    );
    put(
        "tasks/task-gate/attempts/001/actions.jsonl",
        b"{\"tool\":\"file\",\"params\":{}}\nnot JSON\xff\n\n{\"tool\":\"saw\",\"params\":{}}",
    );
    put("tasks/task-gate/attempts/2/plan.md", b"Try again.\n");
    put("tasks/task-gate/attempts/notes/x.txt", b"mine");
    put("tasks/task-bell/reflections.jsonl", b"{\"attempt_id\":1,\"observation\":\"a\",\"learning\":\"b\",\"triggered_by\":\"failure\"}\n");
    put("tasks/task-bell/trajectory.json", b"\0\0\0\0");
    put("index/by-status.json", br#"{"running":["gone","task-gate",{"id":"far","host":"b"}]}"#);
    put("index/by-agent.json", b"");
    let before = files.clone();
    let mended_rules = mended(&mut files, 100, "others");
    for rule in [
        "memory/bad-file",
        "memory/bad-line",
        "memory/kept-aside",
        "memory/count",
        "memory/missing-file",
        "memory/index-stale",
    ] {
        assert!(mended_rules.iter().any(|r| r == rule), "{rule} in {mended_rules:?}");
    }
    let metadata = files.json("tasks/task-gate/metadata.json");
    assert_eq!(
        (&metadata["owner"], &metadata["total_attempts"], &metadata["description"]),
        (&json!("me"), &json!(2), &json!("Open the gate"))
    );
    assert_eq!(files.json("tasks/task-gate/attempts/001/attempt.json")["mood"], "calm");
    assert_eq!(
        files.json("tasks/task-gate/attempts/001/attempt.json")["execution"]["actions_performed"],
        2
    );
    assert_eq!(files.json("index/by-agent.json"), json!({"smith": ["task-gate"]}));
    let by_status = files.json("index/by-status.json");
    assert!(
        by_status["running"]
            .as_array()
            .expect("a list")
            .contains(&json!({"id": "far", "host": "b"})),
        "{by_status}"
    );
    // Not a byte is lost: what was there still is, or stands beside it.
    for (path, bytes) in &before.0 {
        let now = &files.0[path];
        let aside = files
            .0
            .iter()
            .filter(|(p, _)| p.starts_with(&format!("{path}.broken-")))
            .map(|(_, b)| b);
        let all: Vec<u8> = aside.flatten().chain(now).copied().collect();
        let is_derived = path.starts_with("index/") || path.ends_with("attempt.json");
        let lines = bytes.split(|b| *b == b'\n').filter(|line| !line.is_empty());
        for line in lines.filter(|_| !is_derived) {
            assert!(
                all.windows(line.len()).any(|w| w == line),
                "{path}: {:?}",
                String::from_utf8_lossy(line)
            );
        }
    }
    assert_eq!(files.0["tasks/task-gate/attempts/notes/x.txt"], b"mine");
    // The protocol goes on from there.
    let done = files.do_(&start(200, "task-gate"));
    let MemoryAnswer::Attempt(attempt) = done.answer else { panic!() };
    assert_eq!(attempt.attempt, 3);
    files.do_(&log(201, "task-gate", "push"));
    files.do_(&end(202, "task-gate", "success"));
    mended(&mut files, 300, "going on");
    let found = files.found();
    let is_expected = |f: &String| {
        [": source/kept-aside", ".broken-1: ", "x.txt", "reward/scale-assumed", "series/"]
            .iter()
            .any(|part| f.contains(part))
    };
    assert!(found.iter().all(is_expected), "{found:#?}");
}

#[test]
fn history_is_filtered() {
    let mut files = story();
    files.do_(&json!({"call": "add-reflection", "now": at(80), "task": "task-001", "attempt": 1, "reflection": {"learning": "Größe zählt."}}));
    let told = |query: Value| -> (Vec<(u32, usize)>, usize, u32) {
        let mut request = query;
        request["call"] = json!("query-history");
        request["task"] = json!("task-001");
        let done = files.ask(&request).expect("it answers");
        assert!(done.findings.is_empty() && done.writes.is_empty());
        let MemoryAnswer::History(told) = done.answer else { panic!() };
        let attempts = told.attempts.iter().map(|a| (a.attempt, a.actions.len())).collect();
        (attempts, told.reflections.len(), told.actions_left_out + told.reflections_left_out)
    };
    assert_eq!(told(json!({})), (vec![(1, 2), (2, 1)], 4, 0));
    assert_eq!(told(json!({"attempt": 1})), (vec![(1, 2)], 2, 0));
    assert_eq!(told(json!({"reflectionsOnly": true})), (vec![], 4, 0));
    assert_eq!(told(json!({"reflectionsOnly": true, "outcome": "failure"})), (vec![], 2, 0));
    assert_eq!(told(json!({"outcome": "success"})), (vec![(2, 1)], 2, 0));
    assert_eq!(told(json!({"outcome": "timeout"})), (vec![], 0, 0));
    assert_eq!(told(json!({"text": "MAKE AGAIN"})), (vec![(1, 1)], 0, 0));
    assert_eq!(told(json!({"text": "grÖße"})), (vec![], 1, 0));
    assert_eq!(told(json!({"since": at(31), "until": at(60)})), (vec![(1, 1), (2, 0)], 1, 0));
    assert_eq!(told(json!({"limit": 1})), (vec![(1, 0), (2, 1)], 1, 5));
    let bad = json!({"call": "query-history", "task": "task-001", "since": "soon"});
    assert_eq!(files.code(&bad), ErrorCode::InvalidRequest);
}

#[test]
fn tasks_are_found_by_their_words() {
    let mut files = story();
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

#[test]
fn a_loop_is_told_when_it_is_stuck() {
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
    }
    let third = answer(files.do_(&reflect(3, "the TOKEN was null")));
    assert!(third.is_stuck);
    assert_eq!(third.iteration, 3);
    let stuck: Vec<_> = third.stuck.iter().map(|finding| finding.rule.as_ref()).collect();
    assert_eq!(
        stuck,
        [
            "stuck/repeated-reflection",
            "stuck/repeated-error",
            "stuck/repeated-action",
            "stuck/flat"
        ]
    );
    assert_eq!(third.held, [1, 2, 3]);
    assert!(third.window.starts_with("## Lessons from Previous Iterations\n"), "{}", third.window);
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
    // Going on otherwise: stuck no more, and five are told at most.
    for second in 4..=9 {
        let done =
            answer(files.do_(&reflect(second, &format!("Another thought, number {second}."))));
        assert!(!done.is_stuck, "{second}");
        assert!(done.held.len() <= 5 && done.held.last() == Some(&i64::from(second)));
    }
    let mut facts = reflect(10, " ");
    facts["strategyChange"] = Value::Null;
    let done = answer(files.do_(&facts));
    assert!(done.is_from_facts);
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
    mended(&mut files.clone(), 20, "loop");
    files.0.insert("reflections/loops/ralph-001/iteration-11.yaml".to_owned(), b"- [".to_vec());
    let done = files.ask(&json!({"call": "doctor", "now": at(20)})).expect("it answers");
    assert_eq!(rules(&done), ["memory/bad-file"]);
}

#[test]
fn the_doctor_is_asked_for_parts() {
    let mut files = story();
    files.do_(&init(90));
    files.0.remove("index/by-agent.json");
    files.0.remove("tasks/task-001/attempts/002/plan.md");
    files.0.remove("tasks/task-002/trajectory.json");
    let whole = files.clone();
    let ask = |files: &mut Files, more: Value| {
        let mut request = json!({"call": "doctor", "now": at(100)});
        request
            .as_object_mut()
            .expect("it is one")
            .extend(more.as_object().cloned().expect("it is one"));
        let done = files.do_(&request);
        done.findings.iter().map(|n| n.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        ask(&mut files, json!({"tasks": ["task-001"]})),
        ["tasks/task-001/attempts/002/plan.md"]
    );
    assert_eq!(ask(&mut files, json!({"tasks": ["task-002"]})), ["tasks/task-002/trajectory.json"]);
    assert_eq!(ask(&mut files, json!({"indexOnly": true})), ["index/by-agent.json"]);
    let mut at_once = whole;
    ask(&mut at_once, json!({}));
    assert_eq!(files, at_once);
    assert_eq!(files, {
        let mut same = story();
        same.do_(&init(90));
        same
    });
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
}

fn iteration(done: MemoryDone) -> hindscope::IterationAnswer {
    let MemoryAnswer::Iteration(answer) = done.answer else { panic!("an iteration") };
    *answer
}

fn reflect(second: u32, text: &str) -> Value {
    json!({"call": "reflect", "now": at(second), "loop": "ralph-001", "outcome": "failure",
        "errors": ["undefined is not a function"], "reflection": text})
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
    // What was written here is not kept aside again, nor told twice.
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
        let answer = iteration(files.do_(&reflect(second, text)));
        assert_eq!(answer.is_stuck, second >= 5, "{second}");
    }
    let other = reflect(8, "The port of the test server is closed by the firewall.");
    assert!(!iteration(files.do_(&other)).is_stuck);
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
fn a_name_that_something_else_has_is_passed_over() {
    let mut files = story();
    files.0.insert("tasks/task-007".to_owned(), b"a file".to_vec());
    files.0.insert("tasks/task-001/attempts/005".to_owned(), b"a file".to_vec());
    files.0.insert("reflections/loops/ralph-001/iteration-3.yaml/x".to_owned(), b"x".to_vec());
    files.do_(&init(90));
    assert!(files.0.contains_key("tasks/task-008/metadata.json"));
    files.do_(&start(91, "task-001"));
    assert!(files.0.contains_key("tasks/task-001/attempts/006/attempt.json"));
    assert_eq!(iteration(files.do_(&reflect(92, "a"))).iteration, 4);
    let done = files.ask(&json!({"call": "doctor", "now": at(93)})).expect("it answers");
    let mut paths: Vec<_> = done.findings.iter().map(|n| n.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            "reflections/loops/ralph-001/iteration-3.yaml",
            "tasks/task-001/attempts/005",
            "tasks/task-007"
        ]
    );
    assert!(done.findings.iter().all(|n| n.finding.rule == "memory/name-taken"));
}

#[test]
fn numbers_never_run_out() {
    let mut files = story();
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
fn a_second_folder_of_an_attempt_is_said() {
    let mut files = story();
    files.0.insert("tasks/task-001/attempts/1/attempt.json".to_owned(), b"{}".to_vec());
    let done = files.ask(&json!({"call": "query-history", "task": "task-001"})).expect("it tells");
    let places: Vec<_> =
        done.findings.iter().map(|n| (n.finding.rule.as_ref(), n.path.as_str())).collect();
    assert_eq!(places, [("memory/name-taken", "tasks/task-001/attempts/1")]);
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
    assert_eq!(history.retries_of(&[run]), improvement.retries);
    assert_eq!((improvement.retries.with, improvement.retries.without), (2, 1));
    let mut story = history.story(run).expect("it is listed");
    for span in history.needs(&story) {
        let path = history.source(span.source).expect("it is open").path;
        let bytes = &files.0[path.strip_prefix(ROOT).expect("below the root")];
        let at = |n: u64| usize::try_from(n).expect("small");
        history
            .tell(&mut story, span.record, &bytes[at(span.start)..at(span.end)])
            .expect("its bytes");
    }
    let injected = |n: i64| {
        let injected = story.injected(n).expect("it is there");
        (injected.is_computed, injected.numbers)
    };
    assert_eq!(injected(2), (false, vec![]));
    assert_eq!(injected(3), (false, vec![2]));
    assert_eq!(injected(4), (false, vec![1, 2, 3]));
    // What is suggested for the next time is no second reflection.
    let views = history.run(run).expect("it is listed").iterations();
    assert_eq!(views[0].reflections.len(), 1);
}

/// Time that this thread had a processor, where the system tells it: others may be at work.
fn on_processor() -> std::time::Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse().ok());
    std::time::Duration::from_nanos(told.unwrap_or_default())
}

/// A history of five attempts with two hundred actions each is told in a few milliseconds. Times are
/// never asserted; `--nocapture` prints them.
#[test]
fn a_long_history_is_told() {
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
    let MemoryAnswer::History(told) = ask().answer else { panic!() };
    assert_eq!(told.attempts.iter().map(|a| a.actions.len()).collect::<Vec<_>>(), [200; 5]);
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
