//! Whatever is interrupted, torn or lost on the way: what was kept is found again.

use std::collections::{BTreeMap, BTreeSet};

use hindscope::{Details, MemoryAnswer, MemoryDone, MemoryWrite, WriteKind};
use hindscope_tests::Random;
use hindscope_tests::memory::{Files, ROOT, at, end, init, log, mended, rules, start};
use serde_json::{Value, json};

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

/// Everything that the history says of tasks, attempts and actions is what was kept, no more and no
/// less.
fn holds_what_was_kept(files: &Files, kept: &Kept, why: &str) {
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
        // An attempt without an end may be listed as one that runs, or for a reflection on it.
        let found: Vec<_> = found
            .into_iter()
            .zip(&expected)
            .map(|((n, o), (_, e))| (n, if *e == "unknown" { "unknown" } else { o }))
            .collect();
        assert_eq!(found, expected, "{why}: {task}");
        // The protocol says the same.
        let done = files.ask(&json!({"call": "query-history", "task": task})).expect("it answers");
        assert!(done.findings.is_empty(), "{why}: {:?}", done.findings);
        let MemoryAnswer::History(history) = done.answer else { panic!("a history") };
        let reflections: Vec<_> = history
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
        assert_eq!(reflections.iter().cloned().collect::<BTreeSet<_>>(), expected, "{why}");
    }
}

/// Random protocols. Every call is interrupted once behind each of its writes, and inside of each that
/// appends; then the doctor comes, and the history holds exactly what was kept.
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
                    holds_what_was_kept(&crashed, if is_lost { &kept } else { &after }, &why);
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
        holds_what_was_kept(&files, &kept, "whole");
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
