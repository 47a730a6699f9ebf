//! Charts as SVG and reports as HTML: exact, closed, and never what a record says they are.

use std::collections::BTreeSet;

use hindscope::{ErrorCode, ExportKind, ExportOptions};
use hindscope_tests::{Input, export, fixtures, open, root};

fn options(kind: ExportKind) -> ExportOptions {
    let created = Some("2026-03-10T12:00:00Z".to_owned());
    ExportOptions { kind, created, ..ExportOptions::default() }
}

fn exported(files: &[Input], options: &ExportOptions) -> String {
    let history = open(files, usize::MAX);
    export(&history, files, None, options).expect("it can be exported")
}

fn input(name: &str, text: String) -> Vec<Input> {
    vec![Input::new(name, text)]
}

/// A record of reflection memory; no reward is none, not zero.
fn record(run: &str, number: i64, reward: Option<f64>, text: &str) -> String {
    let mut evaluator =
        serde_json::json!({"passed": number == 9, "verification_type": "unit_tests"});
    if let Some(reward) = reward {
        evaluator["reward_signal"] = reward.into();
    }
    serde_json::json!({
        "loop_id": run,
        "iteration": number,
        "timestamp": format!("2026-03-01T09:{:02}:00Z", number.rem_euclid(60)),
        "task_description": text,
        "evaluator_output": evaluator,
        "self_reflection": {"reflection_text": text, "lessons_learned": [text]},
    })
    .to_string()
}

/// Names of the elements of markup, and each attribute with its value.
fn elements(markup: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut found = Vec::new();
    let mut rest = markup;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>').expect("a tag ends");
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if tag.starts_with(['/', '!', '?']) {
            continue;
        }
        let tag = tag.trim_end_matches('/');
        let (name, mut inside) = tag.split_once([' ', '\n']).unwrap_or((tag, ""));
        let mut attributes = Vec::new();
        while let Some((key, value)) = inside.split_once("=\"") {
            let (value, behind) = value.split_once('"').expect("values are quoted");
            attributes.push((key.trim().to_owned(), value.to_owned()));
            inside = behind;
        }
        assert_eq!(inside.trim(), "", "nothing but quoted attributes: {tag}");
        if name == "style" {
            rest = &rest[rest.find("</style>").expect("it ends")..];
        }
        found.push((name.to_owned(), attributes));
    }
    found
}

const OF_SVG: [&str; 9] =
    ["svg", "title", "g", "rect", "circle", "path", "polygon", "polyline", "text"];
const OF_HTML: [&str; 30] = [
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "section", "dl",
    "div", "dt", "dd", "figure", "ul", "li", "span", "code", "pre", "table", "thead", "tbody",
    "tr", "th", "td", "a", "svg", "strong",
];

/// Fails if there is anything that could load, run or lead elsewhere.
fn assert_closed(markup: &str) {
    let known: BTreeSet<&str> = OF_SVG.into_iter().chain(OF_HTML).collect();
    for (name, attributes) in elements(markup) {
        assert!(known.contains(name.as_str()), "<{name}>");
        for (key, value) in attributes {
            assert!(!key.starts_with("on") && key != "style" && key != "src", "{name} {key}");
            assert!(key != "href" || value.starts_with("#run-"), "{name} {key} {value}");
            assert!(!value.contains("url("), "{value}");
            let is_name = key == "xmlns" && value == "http://www.w3.org/2000/svg";
            assert!(is_name || !value.contains("//") || key == "aria-label", "{key} {value}");
        }
    }
}

const HOSTILE: &str = "</style><script>alert(1)</script><img src=x onerror='alert(2)'>\"><svg onload=alert(3)>]]>--><a href=javascript:alert(4)>\u{202e}&amp;\u{0}";

#[test]
fn text_of_records_adds_no_element() {
    let tame = "A plain text.";
    let of = |key: &str, text: &str, kind| {
        let lines = [record(key, 1, Some(0.2), text), record(key, 2, Some(0.4), text)];
        exported(&input("x/loop.jsonl", lines.join("\n")), &options(kind))
    };
    for kind in [ExportKind::Report, ExportKind::Chart] {
        let names = |markup: &str| -> Vec<String> {
            elements(markup).into_iter().map(|(name, _)| name).collect()
        };
        let (plain, hostile) = (of("ralph-a", tame, kind), of(HOSTILE, HOSTILE, kind));
        assert_closed(&hostile);
        assert!(!hostile.contains("<script") && !hostile.contains("<img"));
        assert!(hostile.contains("&lt;script&gt;"));
        let (plain, hostile): (BTreeSet<_>, BTreeSet<_>) =
            (names(&plain).into_iter().collect(), names(&hostile).into_iter().collect());
        assert!(hostile.is_subset(&plain), "{:?}", hostile.difference(&plain));
    }
}

#[test]
fn every_fixture_makes_a_closed_report_and_charts() {
    let mut charts = 0;
    for fixture in fixtures().expect("fixtures can be read") {
        let history = open(&fixture.files, usize::MAX);
        let report = export(&history, &fixture.files, None, &options(ExportKind::Report));
        let report = report.expect("everything can be exported");
        assert_closed(&report);
        assert!(report.ends_with("</body>\n</html>\n"));
        for view in history.runs() {
            let chart =
                export(&history, &fixture.files, Some(&[view.id]), &options(ExportKind::Chart))
                    .expect("a run has a chart");
            assert_closed(&chart);
            let is_derived = view.reward_origin.as_str() == "derived";
            let says = chart.contains(">reward, derived by ");
            assert!(!is_derived || says, "{}", fixture.name);
            charts += 1;
        }
    }
    assert!(charts > 50, "{charts}");
}

/// Polylines in the colour of reported rewards.
fn lines(chart: &str) -> Vec<usize> {
    chart
        .lines()
        .filter(|line| line.starts_with("<polyline") && line.contains("stroke-width=\"2\""))
        .filter(|line| line.contains("ink-accent"))
        .map(|line| line.matches(',').count())
        .collect()
}

#[test]
fn a_missing_reward_and_a_jump_break_the_line() {
    let rewards =
        [(1, Some(0.1)), (2, Some(0.2)), (3, None), (4, Some(0.4)), (5, Some(0.5)), (9, Some(0.6))];
    let records: Vec<_> = rewards.map(|(n, r)| record("ralph-a", n, r, "Again.")).into();
    let files = input("x/loop.jsonl", records.join("\n"));
    let chart = exported(&files, &options(ExportKind::Chart));
    // The sample in the legend, and two pieces of two points each; 9 stands alone.
    assert_eq!(lines(&chart), [2, 2, 2]);
    for text in [">no reward<", ">3 missing<", ">gap of 1<", ">0.600<", "reward, reported"] {
        assert!(chart.contains(text), "{text}\n{chart}");
    }
    assert!(!chart.contains("derived"));
    assert!(chart.contains("B best: 9 (0.600), S selected: 9 (0.600), F final: 9 (0.600)."));
    let part = ExportOptions { first: Some(2), last: Some(4), ..options(ExportKind::Chart) };
    let part = exported(&files, &part);
    assert_eq!(lines(&part), [2], "2 and 4 stand alone");
    assert!(part.contains("3 of 6 iterations.") && !part.contains("missing<"));
    let points = ExportOptions { points: true, ..options(ExportKind::Chart) };
    let points = exported(&files, &points);
    assert!(points.contains(">60.0<") && points.contains("points, 0 to 100"));
    // Beyond the run there is nothing, and no panic.
    let beyond = ExportOptions { first: Some(100), last: Some(-5), ..options(ExportKind::Chart) };
    assert!(exported(&files, &beyond).contains("0 of 6 iterations."));
}

#[test]
fn a_report_says_what_is_absent_and_leaves_out_what_is_not_wanted() {
    let records =
        [record("ralph-a", 1, Some(0.0), "Secret."), record("ralph-a", 2, None, "Secret.")];
    let files = input("x/loop.jsonl", records.join("\n"));
    let report = exported(&files, &options(ExportKind::Report));
    assert!(
        report.contains("<td class=\"num\">0.000</td><td class=\"num\">-</td>"),
        "zero is zero"
    );
    assert!(
        report.contains("<td class=\"num\">-</td><td class=\"num\">-</td>"),
        "and absent is absent"
    );
    assert!(report.contains("<pre dir=\"auto\">Secret.</pre>"));
    assert!(report.contains("created 2026-03-10T12:00:00Z"));
    let without = ExportOptions { reflections: false, ..options(ExportKind::Report) };
    assert!(!exported(&files, &without).contains("<pre"));
}

#[test]
fn runs_stand_beside_each_other_and_a_chart_is_of_one() {
    let records = [
        record("ralph-a", 1, Some(0.3), "One."),
        record("ralph-b", 1, Some(0.4), "Two."),
        record("ralph-b", 2, Some(0.5), "Two."),
    ];
    let files = input("x/loop.jsonl", records.join("\n"));
    let report = exported(&files, &options(ExportKind::Report));
    assert!(
        report.contains("<a href=\"#run-1\">ralph-b</a>") && report.contains("<h2 id=\"run-1\">")
    );
    assert_eq!(report.matches("<svg ").count(), 2);
    let history = open(&files, usize::MAX);
    let error = history.export(None, options(ExportKind::Chart)).expect_err("two runs");
    assert_eq!(error.code(), ErrorCode::InvalidOption);
    let one = history.export(Some(&[history.runs()[1].id]), options(ExportKind::Chart));
    let name = one.expect("one run").file_name(&history);
    assert_eq!(name, "hindscope-ralph-b-2026-03-10.svg");
}

#[test]
fn a_long_run_is_drawn_with_its_one_bad_iteration() {
    let record =
        |n: i64| record("ralph-long", n, Some(if n == 2222 { 0.0 } else { 0.9 }), "Again.");
    let lines: Vec<_> = (1..=3000).map(record).collect();
    let files = input("x/loop.jsonl", lines.join("\n"));
    let chart = exported(&files, &options(ExportKind::Chart));
    let drawn = chart.split("Drawing ").nth(2).expect("a caption");
    assert!(drawn.contains(" of 3,000 points."), "{drawn}");
    // The lane of rewards ends at 244: the line reaches its floor once.
    assert!(chart.contains(",244 "), "the spike is there");
    let report = exported(&files, &options(ExportKind::Report));
    assert!(report.contains("2,000 iterations are left out here"));
}

#[test]
fn pictures_are_what_they_were() {
    let path = root().join("web/samples/improving.jsonl");
    let bytes = std::fs::read(path).expect("the sample is there");
    let files = vec![Input { name: "improving.jsonl".to_owned(), bytes }];
    let history = open(&files, usize::MAX);
    let run = history.find_run("ralph-csv-export-2026-03-04").expect("it is in it");
    for (kind, name) in [(ExportKind::Chart, "chart.svg"), (ExportKind::Report, "report.html")] {
        let text = export(&history, &files, Some(&[run]), &options(kind)).expect("it can be");
        let kept = root().join("tests/pictures").join(name);
        if std::env::var_os("HINDSCOPE_BLESS").is_some() {
            std::fs::write(&kept, &text).expect("it can be written");
        }
        let kept = std::fs::read_to_string(&kept).expect("it is there");
        assert!(text == kept, "{name} differs: look at it, then HINDSCOPE_BLESS=1");
    }
}
