use super::*;
use crate::history::History;
use crate::validate::Profile;

fn read(text: &str) -> Query {
    Query::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn bad(text: &str) -> (QueryErrorCode, &str) {
    let error = Query::parse(text).expect_err(text);
    let part = text.get(error.start_byte as usize..error.end_byte as usize);
    (error.code, part.expect("a place between characters"))
}

#[test]
fn one_spelling_of_each_part() {
    for (written, printed) in [
        ("", ""),
        ("  timeout   retry ", "timeout retry"),
        ("\"null check\" -flaky", "\"null check\" -flaky"),
        ("\"word\"", "word"),
        (r#""a \"b\" \\ c\d""#, r#""a \"b\" \\\\ c\\d""#),
        ("Reward<0.50", "reward<0.5"),
        ("reward<=0.5 delta>=-1 iter>3", "reward<=0.5 delta>=-1 iter>3"),
        ("iter:3..9 iter:3.. iter:..9 iter=4", "iter:3..9 iter>=3 iter<=9 iter:4"),
        (
            "outcome:FAILED outcome:p outcome=timeout",
            "outcome:failure outcome:success outcome:timeout",
        ),
        ("-outcome:?", "-outcome:unknown"),
        ("run:\"env 12\" source:a/b.jsonl", "run:\"env 12\" source:a/b.jsonl"),
        ("error:E0308 category:logic finding:stuck/", "error:E0308 category:logic finding:stuck/"),
        ("has:Reward -has:error", "has:reward -has:error"),
        ("std::io https://x.example -", "std::io https://x.example -"),
        ("--flag -\"--flag\"", "-\"-flag\" -\"--flag\""),
        ("a\"b \"a b\"c", "a\"b \"a b\" c"),
        ("\"run:x\"", "\"run:x\""),
    ] {
        let printed = printed.replace(r"\\\\ c", r"\\ c");
        assert_eq!(read(written).to_string(), printed, "{written}");
    }
}

#[test]
fn mistakes_have_a_code_and_a_place() {
    use QueryErrorCode as Code;
    assert_eq!(bad("timeout rewrd<0.5"), (Code::UnknownField, "rewrd"));
    assert_eq!(bad("é Vec<u8>"), (Code::UnknownField, "Vec"));
    assert_eq!(bad("a \"b c"), (Code::UnclosedQuote, "\"b c"));
    assert_eq!(bad("run:\"b c"), (Code::UnclosedQuote, "\"b c"));
    assert_eq!(bad("run: x"), (Code::MissingValue, "run:"));
    assert_eq!(bad("-\"\""), (Code::MissingValue, "-\"\""));
    assert_eq!(bad("iter:.."), (Code::MissingValue, ".."));
    assert_eq!(bad("reward<half"), (Code::BadNumber, "half"));
    assert_eq!(bad("reward<inf"), (Code::BadNumber, "inf"));
    assert_eq!(bad("reward<1e999"), (Code::BadNumber, "1e999"));
    assert_eq!(bad("iter<3..4"), (Code::BadNumber, "3..4"));
    assert_eq!(bad("iter:9..3"), (Code::EmptyRange, "9..3"));
    assert_eq!(bad("run<x"), (Code::NotANumber, "<"));
    assert_eq!(bad("outcome:sideways"), (Code::UnknownValue, "sideways"));
    assert_eq!(bad("has:hope"), (Code::UnknownValue, "hope"));
    let error = Query::parse("𝄞é foo:1").expect_err("no such field");
    assert_eq!((error.start, error.end, error.start_byte, error.end_byte), (4, 7, 7, 10));
    let not_here = |text, target| Query::parse_for(text, target).map_err(|e| (e.code, e.start));
    assert_eq!(not_here("x error:y", Target::Runs).err(), Some((Code::NotHere, 2)));
    assert_eq!(not_here("category:y", Target::Runs).err(), Some((Code::NotHere, 0)));
    assert!(not_here("category:y", Target::RunsWithCategory).is_ok());
    let odd = not_here("category:y error:x", Target::RunsWithCategory);
    assert_eq!(odd.err(), Some((Code::NotHere, 11)));
    assert!(read("x -category:y").asks_category() && !read("category error:y").asks_category());
    assert_eq!(not_here("reward<1", Target::Findings).err(), Some((Code::NotHere, 0)));
    assert!(not_here("error:y reward<1", Target::Search).is_ok());
}

/// A stream of numbers that look random and are the same each time.
fn numbers(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % (below as u64)).unwrap_or(0)
    }
}

#[test]
fn any_text_is_read_or_refused_and_print_is_read_as_the_same() {
    let parts = [
        "\"", "\\", "-", " ", "\t", ":", "<", ">", "=", "..", "run", "iter", "reward", "has",
        "outcome", "fail", "1", "9", ".5", "e", "é", "𝄞", "\u{a0}", "::", "//", "error", "x", "İ",
    ];
    let mut next = numbers(0x5EED);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..60_000 {
        let len = 1 + next(9);
        let text: String = (0..len).map(|_| parts[next(parts.len())]).collect();
        match Query::parse(&text) {
            Ok(query) => {
                let printed = query.to_string();
                assert_eq!(Query::parse(&printed), Ok(query.clone()), "{text:?} {printed:?}");
                assert_eq!(read(&printed).to_string(), printed, "{text:?}");
                good += 1;
            }
            Err(error) => {
                let place = error.start_byte as usize..error.end_byte as usize;
                assert!(text.get(place).is_some_and(|part| !part.is_empty()), "{text:?}");
                bad += 1;
            }
        }
    }
    assert!(good > 5_000 && bad > 5_000, "{good} {bad}");
}

fn line(key: &str, number: u32, has_passed: bool, reward: Option<f64>, text: &str) -> String {
    let reward = reward.map_or(String::new(), |n| format!(r#","reward_signal":{n}"#));
    format!(
        r#"{{"loop_id":"{key}","iteration":{number},"evaluator_output":{{"passed":{has_passed}{reward}}},"self_reflection":{{"reflection_text":"{text}","credit_assignment":{{"failure_category":"logic_error"}}}}}}
"#
    )
}

fn lines() -> String {
    [
        line("pay-retry", 1, false, Some(0.2), "The Timeout was swallowed."),
        line("pay-retry", 2, false, Some(0.6), "Raise the timeout; flaky."),
        line("pay-retry", 3, true, Some(0.9), r"Null\ncheck added."),
        line("auth", 1, false, Some(0.1), "Nothing."),
        line("auth", 4, true, None, r"Done: \u0074imeout gone."),
    ]
    .concat()
}

const NOTES: &[u8] = b"first\nA timeout of 30 s\n\nlast TIMEOUT, no end";

fn history() -> History {
    let mut history = History::new(Profile::Lenient);
    let source = history.open("logs/Mine.jsonl");
    history.push(source, lines().as_bytes()).expect("open");
    history.finish(source).expect("open");
    let notes = history.open("notes.txt");
    history.push(notes, NOTES).expect("open");
    history.finish(notes).expect("open");
    history
}

fn found(text: &str, options: SearchOptions) -> Vec<Hit> {
    let history = history();
    let lines = lines();
    let files = [lines.as_bytes(), NOTES];
    let mut search = history.search(read(text), options).expect("a search");
    let mut all = Vec::new();
    while let Some(hits) = history.hits(&mut search).expect("supplied") {
        all.extend(hits);
        for (source, start, end) in search.needs() {
            let at = |n: u64| usize::try_from(n).expect("small");
            let bytes = &files[source.index()][at(start)..at(end)];
            history.supply_search(&mut search, source, start, bytes).expect("its bytes");
        }
    }
    let progress = search.progress();
    assert_eq!(progress.hits, all.len() as u64);
    assert!(progress.is_done && progress.bytes == progress.total && progress.unread == 0);
    all
}

fn places(text: &str) -> Vec<(String, i64)> {
    let history = history();
    let key = |hit: &Hit| hit.run.and_then(|run| Some(history.run(run).ok()?.view().key));
    let line = |hit: &Hit| hit.line.map(i64::from);
    let place = |hit: &Hit| (key(hit).unwrap_or_default(), hit.number.or(line(hit)).unwrap_or(0));
    found(text, SearchOptions::default()).iter().map(place).collect()
}

#[test]
fn search_finds_iterations_runs_and_lines() {
    let own = |all: &[(&str, i64)]| -> Vec<(String, i64)> {
        all.iter().map(|(key, n)| ((*key).to_owned(), *n)).collect()
    };
    let pay = "pay-retry";
    assert_eq!(places("timeout"), own(&[("auth", 4), (pay, 1), (pay, 2), ("", 2), ("", 4)]));
    assert_eq!(places("timeout -flaky outcome:failure"), own(&[(pay, 1)]));
    assert_eq!(places("timeout raise"), own(&[(pay, 2)]));
    assert_eq!(places("\"null check\""), own(&[(pay, 3)]));
    assert_eq!(places("outcome:failure"), own(&[("auth", 1), (pay, 1), (pay, 2)]));
    assert_eq!(places("category:LOGIC iter:4"), own(&[("auth", 4)]));
    assert_eq!(places("timeout error:x").len(), 0);
    assert_eq!(places("run:pay reward<0.5"), own(&[(pay, 1)]));
    assert_eq!(places("run:pay -reward<0.5"), own(&[(pay, 2), (pay, 3)]));
    assert_eq!(places("iter:2..3"), own(&[(pay, 2), (pay, 3)]));
    assert_eq!(places("delta>0.35"), own(&[(pay, 2)]));
    assert_eq!(places("-has:reward"), own(&[("auth", 4)]));
    assert_eq!(places("source:notes timeout"), own(&[("", 2), ("", 4)]));
    assert_eq!(places("source:mine timeout"), own(&[("auth", 4), (pay, 1), (pay, 2)]));
    assert_eq!(places("retry"), own(&[(pay, 0)]), "the key of a run is searched");
    assert_eq!(places("-timeout -flaky run:pay"), own(&[(pay, 3)]), "no word says where");
    assert_eq!(places("finding:nonsense").len(), 0);
    assert!(places("").len() == 5, "an empty query lets every iteration through");
}

#[test]
fn parts_and_runs_narrow_a_search() {
    let raw = SearchOptions { parts: vec![SearchPart::Raw], run: None };
    let hits = found("reflection_text", raw);
    assert_eq!((hits.len(), hits[0].part), (5, Some(SearchPart::Raw)));
    let history = history();
    let run = history.find_run("pay-retry");
    let hits = found("timeout", SearchOptions { run, ..SearchOptions::default() });
    assert_eq!(hits.len(), 2);
    assert_eq!(hits[0].pieces()[1], ("Timeout", true));
    assert_eq!((hits[0].index, hits[0].name.as_str()), (None, "reflection"));
}

#[test]
fn lists_are_filtered_by_columns() {
    let history = history();
    let keys = |text: &str| -> Vec<String> {
        let query = Query::parse_for(text, Target::Runs).expect(text);
        history.run_rows(&history.find_runs(&query)).into_iter().map(|run| run.key).collect()
    };
    assert_eq!(keys(""), ["auth", "pay-retry"]);
    assert_eq!(keys("RETRY pay"), ["pay-retry"]);
    assert_eq!(keys("-retry"), ["auth"]);
    assert_eq!(keys("reward>0.5"), ["pay-retry"]);
    assert_eq!(keys("reward<0.5"), ["auth"], "the last reward that there is");
    assert_eq!(keys("iter:4"), ["auth"]);
    assert_eq!(keys("iter:1 delta>0"), [""; 0], "one iteration has both or none");
    assert_eq!(keys("iter:2 delta>0"), ["pay-retry"]);
    assert_eq!(keys("-iter:4"), ["pay-retry"]);
    assert_eq!(keys("outcome:success has:delta"), ["pay-retry"]);
    let gap = history.findings().into_iter().find(|f| f.rule == "series/gap");
    let gap = gap.expect("auth has a gap");
    assert_eq!(keys(&format!("finding:{}", gap.rule)), ["auth"]);
    for (text, fits) in [
        (gap.rule.to_string(), true),
        (format!("finding:{}", gap.severity.as_str()), true),
        ("run:auth source:mine".to_owned(), true),
        ("run:pay".to_owned(), false),
        ("-source:mine".to_owned(), false),
    ] {
        let query = Query::parse_for(&text, Target::Findings).expect("known there");
        assert_eq!(history.matches_finding(&query, &gap), fits, "{text}");
    }
}

#[test]
fn categories_of_runs_are_what_the_host_knows() {
    let history = history();
    let auth = history.find_run("auth").expect("it is there");
    let keys = |text: &str, of_auth, of_pay| -> Vec<String> {
        let query = Query::parse_for(text, Target::RunsWithCategory).expect(text);
        let category = |run| if run == auth { of_auth } else { of_pay };
        let found = history.find_runs_with(&query, category);
        history.run_rows(&found).into_iter().map(|run| run.key).collect()
    };
    let (logic, none) = (Some("logic_error"), Some(""));
    assert_eq!(keys("category:LOGIC", logic, none), ["auth"]);
    assert_eq!(keys("-category:logic", logic, none), ["pay-retry"]);
    assert_eq!(keys("category:logic retry", logic, logic), ["pay-retry"]);
    assert_eq!(keys("category:logic", None, logic), ["pay-retry"]);
    assert_eq!(keys("-category:logic", None, none), ["pay-retry"], "not known is not the opposite");
    assert_eq!(keys("reward>0.5", None, None), ["pay-retry"], "nobody asks for a category");
    let query = Query::parse("-category:logic").expect("a query");
    assert_eq!(history.find_runs(&query), [], "columns know no category");
}

#[test]
fn misuse_is_reported() {
    let mut history = history();
    let mut search = history.search(read("timeout"), SearchOptions::default()).expect("a search");
    assert!(history.hits(&mut search).expect("a plan").is_some());
    let code = |error: crate::error::Error| error.code().as_str();
    assert_eq!(history.hits(&mut search).map_err(code).err(), Some("unread-record"));
    let (source, start, _) = search.needs()[0];
    let short = history.supply_search(&mut search, source, start, b"x");
    assert_eq!(short.map_err(code), Err("wrong-bytes"));
    for (source, start, _) in search.needs() {
        search.pass_over(source, start);
    }
    assert!(history.hits(&mut search).expect("passed over").is_some_and(|hits| hits.is_empty()));
    assert!(search.progress().unread > 0);
    let source = history.open("more.jsonl");
    history.push(source, lines().as_bytes()).expect("open");
    history.finish(source).expect("open");
    assert_eq!(history.hits(&mut search).map_err(code).err(), Some("stale-export"));
    let options = SearchOptions { run: Some(crate::RunId(99)), ..SearchOptions::default() };
    assert_eq!(history.search(read("x"), options).map_err(code).err(), Some("no-such-run"));
}
