use hindscope::{History, Profile, RecordId};

use super::*;

fn given(counts: &[(&str, u32)]) -> Vec<CategoryCount> {
    let one = |(category, reflections): &(&str, u32)| CategoryCount {
        category: (*category).to_owned(),
        reflections: *reflections,
    };
    counts.iter().map(one).collect()
}

fn is(name: &str, times: u32, of: u32) -> RunCategory {
    RunCategory::Is { name: name.to_owned(), times, of }
}

#[test]
fn the_most_frequent_is_kept_and_ties_go_by_the_schema() {
    let of = |counts: &[(&str, u32)]| {
        let mut categories = Categories::default();
        categories.keep(RunId(3), &given(counts));
        categories.of(RunId(3))
    };
    assert_eq!(of(&[("other", 1), ("logic_error", 3)]), is("logic_error", 3, 4));
    assert_eq!(of(&[("edge_case_miss", 2), ("hallucination", 2)]), is("hallucination", 2, 4));
    // What the schema does not know comes after what it knows, by name.
    assert_eq!(of(&[("a", 2), ("other", 2), ("b", 1)]), is("other", 2, 5));
    assert_eq!(of(&[("type_mismatch", 1), ("race", 1)]), is("race", 1, 2));
    assert_eq!(of(&[]), RunCategory::None);
    assert_eq!(of(&[(" ", 4), ("other", 1)]), is("other", 1, 1), "a blank is no category");
    let long = "é".repeat(CHARS + 5);
    assert_eq!(of(&[(&long, 1)]), is(&"é".repeat(CHARS), 1, 1));
}

#[test]
fn a_run_costs_twelve_bytes() {
    assert_eq!(size_of::<Known>(), 12);
    let mut categories = Categories::default();
    for run in 0..1000 {
        categories.keep(RunId(run), &given(&[("logic_error", run + 1)]));
    }
    assert_eq!((categories.of.len(), categories.names.len()), (1000, 1));
}

#[test]
fn what_is_visible_comes_first_and_the_page_hears_of_it() {
    let mut categories = Categories::default();
    let turn = |categories: &mut Categories| {
        let run = categories.next_run(6)?;
        categories.keep(run, &[]);
        Some(run.0)
    };
    assert_eq!((turn(&mut categories), categories.news(false)), (Some(0), None));
    assert_eq!((categories.news(true), categories.news(true)), (Some(1), None), "reported once");
    // One that is known, and one that is gone.
    categories.put_first(&[RunId(4), RunId(0), RunId(9), RunId(3)]);
    assert_eq!((turn(&mut categories), categories.news(false)), (Some(4), None));
    assert_eq!((turn(&mut categories), categories.news(false)), (Some(3), Some(3)));
    let rest: Vec<_> = std::iter::from_fn(|| turn(&mut categories)).collect();
    assert_eq!(rest, [1, 2, 5]);
    assert!(categories.progress(6).is_complete());
}

#[test]
fn the_page_hears_of_the_visible_ones_once_the_last_is_known() {
    let mut categories = Categories::default();
    categories.put_first(&[RunId(0), RunId(1)]);
    for run in [0, 1] {
        assert_eq!(categories.next_run(9), Some(RunId(run)));
        assert_eq!(categories.news(false), None, "run {run} is being looked at");
        categories.keep(RunId(run), &given(&[("other", 1)]));
    }
    assert_eq!(categories.news(false), Some(2));
}

#[test]
fn what_is_known_replaces_what_was_left() {
    let mut categories = Categories::default();
    categories.leave(RunId(1));
    let progress = categories.progress(3);
    assert_eq!((progress.done, progress.left, progress.total), (0, 1, 3));
    assert_eq!((categories.name(RunId(1)), categories.title(RunId(1))), (None, UNSEEN));
    assert_eq!(
        (categories.of(RunId(1)), categories.of(RunId(0))),
        (RunCategory::Left, RunCategory::NotYet)
    );
    categories.keep(RunId(1), &given(&[("other", 1)]));
    let progress = categories.progress(3);
    assert_eq!((progress.done, progress.left), (1, 0));
    assert_eq!((categories.name(RunId(1)), categories.title(RunId(1))), (Some("other"), "other"));
}

#[test]
fn many_runs_are_rarely_put_in_order_again() {
    let mut categories = Categories::default();
    for run in 0..30 {
        categories.keep(RunId(run), &[]);
    }
    assert!(categories.is_news(29, 100) && !categories.is_news(30, 100));
    assert!(!categories.is_news(29, 1_000_000) && !categories.is_news(16, 1_000_000));
    assert!(categories.is_news(15, 1_000_000) && categories.is_news(0, 1_000_000));
    for run in 30..20_000 {
        categories.keep(RunId(run), &[]);
    }
    assert!(categories.is_news(19_999, 20_000), "the last one completes the order");
}

#[test]
fn headings_stand_in_the_order_of_the_schema() {
    let mut titles = ["", "zebra", UNSEEN, "other", "ape", "hallucination", "logic_error"];
    titles.sort_by(|a, b| by_title(a, b));
    assert_eq!(titles, ["hallucination", "logic_error", "other", "ape", "zebra", "", UNSEEN]);
}

/// Five reflections of one run: two of logic errors, two of edge cases, one without a category; and
/// a run whose only reflection has none.
const LINES: [(&str, u32, &str); 6] = [
    ("ralph-a", 1, r#","credit_assignment":{"failure_category":"logic_error"}"#),
    ("ralph-a", 2, r#","credit_assignment":{"failure_category":"edge_case_miss"}"#),
    ("ralph-a", 3, ""),
    ("ralph-a", 4, r#","credit_assignment":{"failure_category":"logic_error"}"#),
    ("ralph-a", 5, r#","credit_assignment":{"failure_category":"edge_case_miss"}"#),
    ("ralph-b", 1, ""),
];

fn read(text: &str) -> History {
    let mut history = History::new(Profile::Lenient);
    let source = history.open("loop.jsonl");
    history.push(source, text.as_bytes()).expect("it is open");
    history.finish(source).expect("it is open");
    history
}

fn text() -> String {
    let line = |(key, number, credit): &(&str, u32, &str)| {
        format!(
            r#"{{"loop_id":"{key}","iteration":{number},"evaluator_output":{{"passed":false}},"self_reflection":{{"reflection_text":"No."{credit}}}}}
"#
        )
    };
    LINES.iter().map(line).collect()
}

#[test]
fn reflections_are_read_and_counted() {
    let text = text();
    let history = read(&text);
    let bytes = |record: RecordId| {
        let span = history.locate(record).expect("it is there");
        let [start, end] = [span.start, span.end].map(|at| usize::try_from(at).expect("small"));
        Ok(text.as_bytes()[start..end].to_vec())
    };
    let of = |key: &str| {
        let run = history.find_run(key).expect("it is there");
        let mut reading =
            CategoryReading::begin(&history, run).expect("a run").expect("a short one");
        let mut steps = 0;
        while reading.step(&history, bytes).expect("readable") {
            steps += 1;
        }
        let mut categories = Categories::default();
        categories.keep(run, &reading.categories());
        (steps, categories.of(run))
    };
    assert_eq!(of("ralph-a"), (5, is("edge_case_miss", 2, 4)));
    assert_eq!(of("ralph-b"), (1, RunCategory::None));
}

#[test]
fn what_cannot_be_read_is_no_run_without_a_category() {
    let history = read(&text());
    let run = history.find_run("ralph-a").expect("it is there");
    let mut reading = CategoryReading::begin(&history, run).expect("a run").expect("a short one");
    assert!(reading.step(&history, |_| Err("gone".to_owned())).is_err());
    let other = vec![b' '; 8];
    assert!(reading.step(&history, |_| Ok(other.clone())).is_err(), "the file was changed");
}
