//! What a hostile reading of the core found: answers that were wrong, slow, or told two ways.

use hindscope::{
    ChangeKind, Explanation, History, InsightOptions, LessonState, Policy, Profile,
    ReflectionWindow, Severity, Story, WindowRule, explain, validate,
};

fn open(files: &[(String, String)]) -> History {
    let mut history = History::new(Profile::Lenient);
    for (name, text) in files {
        let source = history.open(name);
        history.push(source, text.as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
    }
    history
}

fn told(history: &History, files: &[(String, String)], run: usize) -> Story {
    let mut story = history.story(history.runs()[run].id).expect("it is listed");
    for span in history.needs(&story) {
        let at = |n: u64| usize::try_from(n).expect("small");
        let bytes = &files[span.source.0 as usize].1.as_bytes()[at(span.start)..at(span.end)];
        history.tell(&mut story, span.record, bytes).expect("these are its bytes");
    }
    story
}

fn one(text: String) -> Vec<(String, String)> {
    vec![("a.jsonl".to_owned(), text)]
}

fn record(n: i64, text: &str, evaluator: &str, more: &str) -> String {
    format!(
        r#"{{"loop_id":"ralph-a","iteration":{n},"evaluator_output":{{"passed":false{evaluator}}},"self_reflection":{{"reflection_text":{text:?}}}{more}}}"#
    )
}

fn rules(e: &Explanation) -> Vec<String> {
    e.findings.iter().map(|f| f.rule.to_string()).collect()
}

fn explained(files: &[(String, String)], options: &InsightOptions) -> Explanation {
    let history = open(files);
    told(&history, files, 0).explain(options)
}

/// Minutes, where a record was looked for among all others, or an error among all errors.
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
    let files = [("x/env_results_trial_3.json".to_owned(), text)];
    assert_eq!(explained(&files, &InsightOptions::default()).reflections.len(), 800);
}
