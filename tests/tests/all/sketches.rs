//! Whether a run repeats itself is said of sketches as it is said of texts, and of any number of runs.

use std::fmt::Write as _;

use hindscope::{
    Explanation, Finding, History, InsightOptions, InsightRule, Needs, PatternKind, RunId,
    insight_rules,
};
use hindscope_tests::{Input, fixtures, load, loaded, open, read, shared};

fn ids(history: &History) -> impl Iterator<Item = RunId> + use<> {
    (0..u32::try_from(history.run_count()).expect("ids are 32 bits wide")).map(RunId)
}

/// Findings about reflections that repeat each other.
fn repeats(explanation: &Explanation) -> Vec<&Finding> {
    let is_sketched = |rule: &&InsightRule| rule.needs == Needs::Reflections && !rule.needs_texts();
    let rules: Vec<_> = insight_rules().iter().filter(is_sketched).map(|rule| rule.id).collect();
    assert_eq!(rules.len(), 5);
    explanation.findings.iter().filter(|finding| rules.contains(&finding.rule.as_ref())).collect()
}

/// Returns how many runs were compared, how many findings they have, and how many lessons recur.
fn compare(name: &str, files: &[Input]) -> [usize; 3] {
    let mut history = open(files, usize::MAX);
    let mut counts = [0; 3];
    for run in ids(&history) {
        let mut texts = loaded(&history, files, run);
        let by_text = texts.explain(&InsightOptions::default());
        history.keep_sketches(&mut texts);
        assert_eq!(texts.explain(&InsightOptions::default()), by_text, "{name}: {run:?}");
        let bare = history.loaded_run(run).expect("it is listed");
        assert_eq!(bare.needs_sketches(), [], "{name}: {run:?}");
        let by_sketch = bare.explain(&InsightOptions::default());
        assert_eq!(repeats(&by_sketch), repeats(&by_text), "{name}: {run:?}");
        assert_eq!(by_sketch.repetition, by_text.repetition, "{name}: {run:?}");
        let lessons = by_text.patterns.iter().filter(|p| p.kind == PatternKind::Lesson).count();
        let recurring = bare.recurring_lessons().map(|n| n as usize);
        let has_many = history.run(run).expect("it is listed").reflections().len() > 1;
        assert_eq!(recurring, Some(if has_many { lessons } else { 0 }), "{name}: {run:?}");
        counts[0] += usize::from(has_many);
        counts[1] += repeats(&by_text).len();
        counts[2] += lessons;
    }
    counts
}

#[test]
fn sketches_say_what_texts_say() {
    let mut sums = [0; 3];
    let mut add = |counts: [usize; 3]| {
        for (sum, n) in sums.iter_mut().zip(counts) {
            *sum += n;
        }
    };
    for fixture in fixtures().expect("fixtures can be read") {
        add(compare(&fixture.name, &fixture.files));
    }
    assert!(sums.into_iter().all(|n| n > 5), "runs, findings and lessons: {sums:?}");
    let Some(folder) = shared("reflexion") else { return };
    let files = read(&folder).expect("the data can be read");
    let [runs, findings, _] = compare("reflexion", &files);
    assert!(runs > 250 && findings > 70, "{runs} runs, {findings} findings");
    for folder in ["aiwg", "experiments", "loop", "other"] {
        if let Some(folder) = shared(folder) {
            compare(&folder.display().to_string(), &read(&folder).expect("the data can be read"));
        }
    }
}

/// Reads what sketches need of a run, and keeps them; returns the bytes that were read.
fn sketch(history: &mut History, files: &[Input], run: RunId) -> usize {
    let mut loaded_run = history.loaded_run(run).expect("it is listed");
    let needs = loaded_run.needs_sketches();
    let read = load(history, files, &mut loaded_run, needs);
    history.keep_sketches(&mut loaded_run);
    read
}

fn line(task: usize, reflections: &[&str]) -> String {
    let mut line = format!(
        r#"{{"task_id":"t/{task}","prompt":"p","entry_point":"f","is_solved":false,"implementations":["#
    );
    for at in 0..=reflections.len() {
        let comma = if at == 0 { "" } else { "," };
        let _ = write!(line, r#"{comma}"c""#);
    }
    let list: Vec<_> = reflections.iter().map(|text| format!("{text:?}")).collect();
    let _ = writeln!(line, r#"],"reflections":[{}],"solution":"c"}}"#, list.join(","));
    line
}

#[test]
fn a_hundred_thousand_runs_are_judged_and_read_once() {
    const RUNS: usize = 100_000;
    let mut text = String::new();
    for task in 0..RUNS {
        // Every fourth run says the same three times, every eighth nearly the same without spaces.
        text.push_str(&match task % 8 {
            0 | 4 => line(task, &["Retry.", "retry", "RETRY!"]),
            1 => line(
                task,
                &[
                    "先检查缓存里的键是否已经过期然后再刷新令牌并重试请求",
                    "先检查缓存里的键是否已经过期然后再刷新令牌并重试请求吧",
                    "先检查缓存里的键是否已经过期然后再刷新令牌并重试请求了",
                ],
            ),
            2 => line(task, &["Alone."]),
            _ => line(task, &["Off by one.", "Wrong type.", "Empty list."]),
        });
    }
    let files = [Input { name: "log.jsonl".to_owned(), bytes: text.clone().into_bytes() }];
    let mut history = open(&files, usize::MAX);
    assert_eq!(history.run_count(), RUNS);
    let options = InsightOptions { rules: vec!["stuck/*".to_owned()], ..InsightOptions::default() };
    let (mut read, mut again, mut same, mut near) = (0, 0, 0, 0);
    for run in ids(&history) {
        read += sketch(&mut history, &files, run);
        again += sketch(&mut history, &files, run);
        let findings = history.loaded_run(run).expect("it is listed").explain(&options).findings;
        same += findings.iter().filter(|f| f.rule == "stuck/repeated-reflection").count();
        near += findings.iter().filter(|f| f.rule == "stuck/near-repeat").count();
    }
    assert_eq!((same, near, again), (RUNS / 4, RUNS / 8, 0));
    let lines = text.lines().enumerate().filter(|(at, _)| at % 8 != 2);
    assert_eq!(read, lines.map(|(_, line)| line.len()).sum::<usize>());
    // Records that come later change nothing about that.
    let source = history.open("more.jsonl");
    history.push(source, line(RUNS, &["a", "b"]).as_bytes()).expect("it is open");
    history.finish(source).expect("it is open");
    let unread = ids(&history)
        .filter(|&run| !history.loaded_run(run).expect("it is listed").needs_sketches().is_empty());
    assert_eq!(unread.count(), 1);
}
