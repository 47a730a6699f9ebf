//! Real analytics, trackers and reports, where they lie beside the clone: what can be counted by hand
//! must come out.

use hindscope::{Details, Framing, History, Outcome, RecordId};
use hindscope_tests::{Input, bytes_of, open, read, shared};

/// Files and what was opened of them.
fn opened(name: &str) -> Option<(Vec<Input>, History)> {
    let path = shared(&format!("aiwg/{name}"))?;
    let files = read(&path).expect("the data can be read");
    let history = open(&files, 1 << 10);
    Some((files, history))
}

fn rewards(history: &History) -> Vec<Option<f64>> {
    let run = history.runs()[0].id;
    let run = history.run(run).expect("the history listed it");
    run.iterations().iter().map(|i| i.reward).collect()
}

fn rules(history: &History) -> Vec<String> {
    history.findings().into_iter().map(|f| f.rule.into_owned()).collect()
}

/// The first record of a single file, in full.
fn details(files: &[Input], history: &History, part: u32) -> Details {
    let bytes = bytes_of(history, files, RecordId(0));
    history.inspect(RecordId(0), part, bytes).expect("these are its bytes")
}

#[test]
fn analytics() {
    let Some((files, history)) = opened("GENERATED-analytics.json") else { return };
    let [run] = &history.runs()[..] else { panic!("there is one run") };
    assert_eq!(
        (run.format.as_str(), run.iterations, run.reflections),
        ("iteration-analytics", 5, 5)
    );
    assert_eq!(run.key, "56ae470f-c338-4b3a-9429-3f5f235db94d");
    assert_eq!((run.best, run.best_number, run.outcome), (Some(1.0), Some(5), Outcome::Success));
    assert_eq!(rewards(&history), [0.35, 0.6, 0.55, 0.85, 1.0].map(Some));
    // Its own summary is right, down to the class of its trajectory.
    assert_eq!(rules(&history), ["analytics/end-time"], "no tokens were recorded");
    let third = details(&files, &history, 2);
    assert_eq!(third.reward.and_then(|r| r.raw).as_deref(), Some("55.00000000000001"));
    assert_eq!(third.stored.and_then(|s| s.reward_change), Some(-0.05));
    assert_eq!(third.duration_ms, Some(257.0));
    assert_eq!(details(&files, &history, 0).stored, None);
}

#[test]
fn tracker() {
    let Some((files, history)) = opened("GENERATED-best-output-tracking.json") else { return };
    let [run] = &history.runs()[..] else { panic!("there is one run") };
    assert_eq!((run.format.as_str(), run.iterations, run.reflections), ("best-output", 3, 3));
    assert_eq!((run.best_number, run.last, run.outcome), (Some(2), Some(0.83), Outcome::Failure));
    assert_eq!(rewards(&history), [0.7, 0.87, 0.83].map(Some));
    // Each score is what its dimensions weigh: 70, 86.5 and 82.5.
    assert_eq!(rules(&history), ["series/after-success"], "the second of three passed");
    assert_eq!(details(&files, &history, 1).breakdown.len(), 5);
}

#[test]
fn report_in_a_string() {
    let Some((files, history)) = opened("GENERATED-iteration-analytics-report.json") else {
        return;
    };
    let [run] = &history.runs()[..] else { panic!("there is one run") };
    assert_eq!((run.format.as_str(), run.iterations), ("completion-report", 5));
    assert_eq!(run.key, "56ae470f-c338-4b3a-9429-3f5f235db94d");
    assert_eq!(rewards(&history), [0.35, 0.6, 0.55, 0.85, 1.0].map(Some));
    assert_eq!(rules(&history), ["json/string-document"]);
    assert_eq!(history.sources()[0].framing, Some(Framing::Markdown));
    let last = details(&files, &history, 4);
    assert_eq!((last.number, last.outcome), (Some(5), Some(Outcome::Success)));
}

#[test]
fn reflection() {
    let Some((files, history)) = opened("GENERATED-reflection-5.json") else { return };
    let [run] = &history.runs()[..] else { panic!("there is one run") };
    assert_eq!((run.format.as_str(), run.outcome), ("memory-reflection", Outcome::Success));
    let details = details(&files, &history, 0);
    assert_eq!(details.number, Some(5));
    assert_eq!(details.reflections[0].effectiveness.as_deref(), Some("helpful"));
    assert_eq!(rules(&history), Vec::<String>::new());
}

#[test]
fn reports() {
    if let Some((files, history)) = opened("aiwg-completion-20260113-101806.md") {
        let [run] = &history.runs()[..] else { panic!("there is one run") };
        assert_eq!((run.iterations, run.outcome), (3, Outcome::Success));
        assert_eq!(rules(&history), Vec::<String>::new());
        // Results are prose there, and prose is no verdict.
        let second = details(&files, &history, 1);
        assert_eq!((second.number, second.outcome), (Some(2), Some(Outcome::Unknown)));
        assert_eq!(second.actions[0].description, "Batch update all commands");
        assert_eq!(second.texts.len(), 2);
    }
    if let Some((_, history)) = opened("aiwg-iteration-005-checkpoint.md") {
        let [run] = &history.runs()[..] else { panic!("there is one run") };
        assert_eq!(run.key, "ralph-rf-2026-01-25");
        assert_eq!((run.iterations, run.outcome), (0, Outcome::Running));
    }
}
