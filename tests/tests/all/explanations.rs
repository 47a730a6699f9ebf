//! Laws over explanations of every fixture, and of fixtures from which records are missing.

use std::collections::BTreeSet;

use hindscope::{Explanation, History, InsightOptions, RunId};
use hindscope_tests::{Input, fixtures, load, open};

/// Loads the records that are asked for, first or last ones first.
fn explain(
    history: &History,
    files: &[Input],
    run: RunId,
    options: &InsightOptions,
    is_reversed: bool,
) -> Explanation {
    let mut loaded_run = history.loaded_run(run).expect("the history listed it");
    let mut needs = loaded_run.needs();
    if is_reversed {
        needs.reverse();
    }
    load(history, files, &mut loaded_run, needs);
    assert_eq!(loaded_run.needs(), []);
    loaded_run.explain(options)
}

fn check(name: &str, files: &[Input]) {
    let history = open(files, usize::MAX);
    let all = InsightOptions { rules: vec!["*".to_owned()], ..InsightOptions::default() };
    for view in history.runs() {
        let explanation = explain(&history, files, view.id, &all, false);
        let again = explain(&history, files, view.id, &all, true);
        assert_eq!(explanation, again, "{name}: the order of loading changes the answer");
        assert!(explanation.missing.is_empty() && explanation.left_out.is_empty(), "{name}");
        let text = serde_json::to_string(&explanation).expect("it is plain data");
        assert!(!text.contains("null"), "{name}: absent is absent: {text}");
        let run = history.run(view.id).expect("the history listed it");
        let written = run.reflections();
        let numbers: BTreeSet<i64> =
            run.numbers().iter().copied().chain(written.iter().map(|r| r.number)).collect();
        for finding in &explanation.findings {
            assert_eq!(finding.run, Some(view.id), "{name}: {finding:?}");
            assert!(!finding.evidence.is_empty(), "{name}: {finding:?}");
            assert!(finding.evidence.iter().all(|e| numbers.contains(&e.number)), "{name}");
        }
        let columns = history.loaded_run(view.id).expect("the history listed it").explain(&all);
        assert_eq!(columns.trajectory, explanation.trajectory, "{name}: columns are enough for it");
    }
}

#[test]
fn fixtures_are_explained() {
    for fixture in fixtures().expect("fixtures can be read") {
        check(&fixture.name, &fixture.files);
        for lost in 0..fixture.files.len() {
            let mut files = fixture.files.clone();
            let half = files[lost].bytes.len() / 2;
            files[lost].bytes.truncate(half);
            check(&format!("{} with half of file {lost}", fixture.name), &files);
        }
    }
}
