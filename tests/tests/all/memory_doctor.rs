//! What others left half done is put in order, and what is theirs stays.

use hindscope::MemoryAnswer;
use hindscope_tests::memory::{
    Files, at, end, example, init, iteration, log, mended, reflect, start,
};
use serde_json::{Value, json};

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
fn the_doctor_is_asked_for_parts() {
    let mut files = example();
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
        let mut same = example();
        same.do_(&init(90));
        same
    });
}

#[test]
fn a_name_that_something_else_has_is_passed_over() {
    let mut files = example();
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
fn a_second_folder_of_an_attempt_is_said() {
    let mut files = example();
    files.0.insert("tasks/task-001/attempts/1/attempt.json".to_owned(), b"{}".to_vec());
    let done =
        files.ask(&json!({"call": "query-history", "task": "task-001"})).expect("it answers");
    let places: Vec<_> =
        done.findings.iter().map(|n| (n.finding.rule.as_ref(), n.path.as_str())).collect();
    assert_eq!(places, [("memory/name-taken", "tasks/task-001/attempts/1")]);
}

/// Asks the doctor what is kept aside.
fn kept_aside(files: &Files) -> Vec<String> {
    let done = files.ask(&json!({"call": "doctor", "now": at(200)})).expect("it answers");
    let MemoryAnswer::Health(health) = done.answer else { panic!("health") };
    health.kept_aside
}

#[test]
fn a_damaged_index_is_kept_aside() {
    let mut files = example();
    let path = "index/by-status.json";
    let broken = br#"{"running":[],"completed":["task-001"],"own":{"why":"mi"#;
    files.0.insert(path.to_owned(), broken.to_vec());
    mended(&mut files, 100, "index");
    assert_eq!(files.0[&format!("{path}.broken-1")], broken);
    assert_eq!(files.json(path)["completed"], json!(["task-001"]));
    let patterns = "reflections/patterns/ralph-001.yaml.broken-1".to_owned();
    files.0.insert(patterns.clone(), b"- [".to_vec());
    assert_eq!(kept_aside(&files), [format!("{path}.broken-1"), patterns]);
}

#[test]
fn a_folder_that_has_the_name_is_no_hindrance() {
    let mut files = example();
    let path = "tasks/task-001/metadata.json";
    let cut = &files.0[path][..40].to_vec();
    files.0.insert(path.to_owned(), cut.clone());
    files.0.insert(format!("{path}.broken-1/x"), b"mine".to_vec());
    mended(&mut files, 100, "folder");
    assert_eq!(files.0.get(&format!("{path}.broken-2")), Some(cut));
    assert_eq!(kept_aside(&files), [format!("{path}.broken-2")]);
}
