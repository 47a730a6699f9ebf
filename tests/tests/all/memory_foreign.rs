//! What others wrote in the files of a memory stays as they spelled it, whatever is written beside it.

use std::collections::BTreeMap;

use hindscope_tests::Random;
use hindscope_tests::memory::{Files, at, end, example, init, log, mended, start};
use serde_json::{Value, json};

/// Spellings that a reader of values does not give back.
const SPELLINGS: [&str; 14] = [
    "9007199254740993",
    "18446744073709551616",
    "-123456789012345678901234567890",
    "0.1000000000000000055511151231257827",
    "3.14159265358979323846264338327950288",
    "1.0",
    "1e2",
    "-0",
    "2.50E+3",
    "1e400",
    r#""caf\u00e9 \/ \ud83d\ude00""#,
    r#"{"b" :1.0,"a": [ 1e1,  100000000000000000001 ],"b":2}"#,
    "[\n  0.10,\n\t{} ]",
    "null",
];

/// Every object of a document gets a member of somebody else: its place, and how it is spelled.
fn strew(text: &str, random: &mut Random, strewn: &mut Vec<String>) -> String {
    let mut out = String::new();
    let (mut in_text, mut is_escaped) = (false, false);
    let bytes = text.as_bytes();
    for (at, c) in text.char_indices() {
        out.push(c);
        if in_text {
            in_text = is_escaped || c != '"';
            is_escaped = !is_escaped && c == '\\';
            continue;
        }
        in_text = c == '"';
        if c == '{' {
            let spelling = SPELLINGS[random.below(SPELLINGS.len())];
            let member = format!(r#""own\u002d{}": {spelling}"#, strewn.len());
            let is_empty = bytes[at + 1..].trim_ascii_start().starts_with(b"}");
            out.push_str(&member);
            out.push_str(if is_empty { "" } else { "," });
            strewn.push(member);
        }
    }
    out
}

/// Strews members into all documents; gives them by the file that they stand in.
fn strew_all(files: &mut Files, random: &mut Random) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for (path, bytes) in &mut files.0 {
        if path.rsplit('.').next() == Some("json") {
            let text = std::str::from_utf8(bytes).expect("it is text");
            let mut strewn = Vec::new();
            *bytes = strew(text, random, &mut strewn).into_bytes();
            all.insert(path.clone(), strewn);
        }
    }
    all
}

fn kept(files: &Files, strewn: &BTreeMap<String, Vec<String>>, why: &str) {
    for (path, members) in strewn {
        let text = files.text(path);
        for member in members {
            // The name is not written again, so its spelling says that it was copied.
            let (name, spelling) = member.split_once(": ").expect("a member");
            let found = text.split_once(name).map(|(_, rest)| rest.trim_start_matches([':', ' ']));
            assert!(
                found.is_some_and(|rest| rest.starts_with(spelling)),
                "{why}: {path} has lost {member}: {text}"
            );
        }
    }
}

/// Random work on files that others wrote in: whatever is written again, their members stay, byte for
/// byte.
#[test]
fn members_of_others_are_kept_byte_for_byte() {
    let mut rewritten = 0;
    for seed in 1..=40 {
        let mut random = Random(0x51_7CC1_B727_220A ^ seed);
        let mut files = example();
        files.do_(&start(80, "task-001"));
        files.do_(&log(81, "task-001", "make"));
        files.do_(&init(82));
        let strewn = strew_all(&mut files, &mut random);
        for step in 0..8 {
            let now = 100 + step;
            let task = ["task-001", "task-002"][random.below(2)];
            let status = ["paused", "running", "failed"][random.below(3)];
            let request = match random.below(7) {
                0 | 1 => log(now, task, "make"),
                2 => end(now, task, ["success", "failure", "timeout"][random.below(3)]),
                3 => start(now, task),
                4 => json!({"call": "add-reflection", "now": at(now), "task": task,
                    "reflection": {"learning": "Count."}}),
                5 => {
                    json!({"call": "set-status", "now": at(now), "task": task, "status": status})
                }
                _ => json!({"call": "doctor", "now": at(now)}),
            };
            // Refused where there is no open attempt.
            let Ok(done) = files.ask(&request) else { continue };
            let aside = done.writes.iter().find(|write| write.path.contains(".broken-"));
            assert!(aside.is_none(), "{request}: {aside:?}");
            rewritten += done.writes.iter().filter(|w| strewn.contains_key(&w.path)).count();
            done.writes.iter().for_each(|write| files.write(write).expect("nobody else writes"));
            kept(&files, &strewn, &format!("seed {seed}, {request}"));
        }
    }
    assert!(rewritten > 300, "only {rewritten}");
}

/// An entry of an index says more than an id, and goes where its task goes.
#[test]
fn an_entry_that_moves_keeps_its_spelling() {
    let mut files = example();
    files.do_(&init(80));
    let entry = r#"{"id": "task-002","cost":1.50, "hash" :123456789012345678901}"#;
    let text = format!("{{\"running\":[\"gone\",{entry}],\"completed\":[\"task-001\"],\"n\":1e0}}");
    files.0.insert("index/by-status.json".to_owned(), text.into_bytes());
    files
        .do_(&json!({"call": "set-status", "now": at(81), "task": "task-002", "status": "failed"}));
    let text = files.text("index/by-status.json");
    assert!(text.contains(entry) && text.contains("\"n\": 1e0"), "{text}");
    assert_eq!(files.json("index/by-status.json")["running"], json!(["gone"]));
    mended(&mut files, 82, "moved");
    let text = files.text("index/by-status.json");
    assert!(text.contains(entry) && !text.contains("gone"), "{text}");
}

/// A number that no double holds is JSON, and no damage: the doctor leaves files and lines with it.
#[test]
fn numbers_without_end_are_no_damage() {
    let mut files = example();
    let path = "tasks/task-001/attempts/001/actions.jsonl".to_owned();
    let line = format!(
        "{{\"type\":\"bash\",\"params\":{{\"n\":-1e999}},\"deep\":{}{}}}\n",
        "[".repeat(200),
        "]".repeat(200)
    );
    files.0.get_mut(&path).expect("it is there").extend_from_slice(line.as_bytes());
    let summary = "tasks/task-001/summary.json".to_owned();
    let text = files.text(&summary).replacen('{', "{\"big\": 1e999,", 1);
    files.0.insert(summary.clone(), text.into_bytes());
    let said = mended(&mut files, 100, "endless");
    assert!(!said.iter().any(|rule| rule.starts_with("memory/bad")), "{said:?}");
    assert!(files.text(&summary).contains("\"big\": 1e999"));
    assert!(files.text(&path).ends_with(&line));
    let Value::Object(record) = files.json("tasks/task-001/attempts/001/attempt.json") else {
        panic!("an object")
    };
    assert_eq!(record["execution"]["actions_performed"], 3);
}
