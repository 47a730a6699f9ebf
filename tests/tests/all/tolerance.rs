//! What reading text tolerates: what is kept of each defect, what is said of it, and that nothing
//! disappears.

use std::ops::Range;

use hindscope::{Encoding, Finding, History, Limits, More, Profile, RecordId, SourceState};
use hindscope_tests::{Fixture, Input, bytes_of, fixtures, open};

fn fixture(name: &str) -> Fixture {
    let name = format!("defects/1/{name}");
    let all = fixtures().expect("fixtures can be read");
    all.into_iter().find(|f| f.name == name).unwrap_or_else(|| panic!("{name} is no fixture"))
}

fn opened(name: &str, text: &[u8]) -> History {
    open(&[Input::new(name, text)], usize::MAX)
}

fn placed(finding: &Finding) -> String {
    let (line, column) = (finding.line.unwrap_or(0), finding.column.unwrap_or(0));
    format!("{} {line}:{column}", finding.rule)
}

/// Rules that speak of the text, and not of what it says.
const AREAS: [&str; 8] =
    ["text/", "json/", "jsonl/", "yaml/", "time/", "number/", "sniff/", "source/"];

/// Each defect: records kept, repaired and skipped, and what is said of the text, and where.
#[test]
fn each_tolerance_keeps_what_it_says() {
    let cases: &[(&str, [u32; 3], &[&str])] = &[
        ("bom-inside.jsonl", [3, 0, 0], &["text/bom 1:1", "text/bom 2:1", "text/bom 3:1"]),
        ("lone-returns.jsonl", [3, 0, 0], &[]),
        ("lone-returns.yaml", [2, 0, 0], &[]),
        ("nul-inside.jsonl", [2, 1, 0], &["json/control-char 1:433"]),
        ("invalid-utf8-wrapped.json", [3, 1, 0], &["sniff/wrapped 1:1", "text/invalid-utf8 3:434"]),
        ("conflict.jsonl", [4, 0, 0], &["text/conflict-marker 2:1"]),
        ("conflict.json", [2, 0, 0], &["text/conflict-marker 5:1"]),
        ("conflict-in-array.json", [4, 0, 0], &["text/conflict-marker 3:1"]),
        ("conflict.yaml", [2, 0, 0], &["text/conflict-marker 3:1"]),
        ("list.yaml", [3, 0, 0], &[]),
        ("wrapped.yaml", [3, 0, 0], &["sniff/wrapped 1:1"]),
        ("list-broken-item.yaml", [3, 0, 1], &["yaml/syntax 10:3"]),
        ("merges.yaml", [2, 0, 0], &["sniff/wrapped 1:1"]),
        (
            "tags.yaml",
            [1, 1, 0],
            &["yaml/tag 1:15", "json/non-finite 4:9", "yaml/tag 5:13", "yaml/duplicate-key 6:1"],
        ),
        ("documents.yaml", [3, 0, 1], &["yaml/syntax 14:1"]),
        ("long-prose.json", [2, 0, 0], &["json/leading-text 1:1"]),
        ("null-first.json", [2, 0, 1], &["source/unknown 1:2"]),
        ("mixed.jsonl", [3, 0, 1], &["source/unknown 4:1"]),
        ("string-document.json", [2, 0, 0], &["json/string-document 1:1"]),
        ("double-encoded.json", [1, 0, 0], &["json/string-document 1:1"]),
        ("pickle-0.bin", [0, 0, 0], &["source/refused 1:1"]),
        ("times.jsonl", [3, 0, 0], &["time/no-zone 1:31", "time/date-only 2:31"]),
        ("numbers.jsonl", [3, 0, 0], &["number/from-text 1:17", "number/from-text 3:17"]),
        ("named-otherwise", [1, 0, 0], &["sniff/name-mismatch 1:1"]),
    ];
    let mut wrong = Vec::new();
    for (name, counts, expected) in cases {
        let history = open(&fixture(name).files, usize::MAX);
        let source = &history.sources()[0];
        let findings = history.findings();
        let of_text = findings.iter().filter(|f| AREAS.iter().any(|a| f.rule.starts_with(a)));
        let said: Vec<_> = of_text.map(placed).collect();
        if (&[source.kept, source.repaired, source.skipped], said.as_slice())
            != (counts, &expected.iter().map(ToString::to_string).collect::<Vec<_>>()[..])
        {
            let (kept, repaired, skipped) = (source.kept, source.repaired, source.skipped);
            wrong.push(format!("{name}: [{kept}, {repaired}, {skipped}] {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_second_side_of_a_conflict_is_a_group_of_its_own() {
    for name in ["conflict.jsonl", "conflict.json", "conflict-in-array.json", "conflict.yaml"] {
        let fixture = fixture(name);
        let history = open(&fixture.files, usize::MAX);
        let labels: Vec<_> = history.groups().into_iter().map(|g| g.label).collect();
        assert_eq!(labels, ["", "theirs"], "{name}");
        inspect_all(&history, &fixture.files);
    }
}

/// Each record is shown again from what is written in its span.
fn inspect_all(history: &History, files: &[Input]) {
    for id in (0..).take(history.record_count()).map(RecordId) {
        let shown = history.inspect(id, 0, bytes_of(history, files, id));
        shown.unwrap_or_else(|e| panic!("{} {id:?}: {e}", files[0].name));
    }
}

/// What stands outside of a conflict counts once, wherever it stands, and belongs to the first side.
#[test]
fn records_around_conflicts_count_once() {
    let [one, two, other, three, four, fifth, six] =
        [(1, "a"), (2, "b"), (2, "é"), (3, "c"), (4, "d"), (4, "e"), (5, "f")]
            .map(|(number, text)| line(number, text));
    let opening = "<<<<<<< HEAD\n";
    let lines = format!(
        "{one}\n{opening}{two}\n=======\n{other}\n>>>>>>> b\n{three}\n{opening}{four}\n=======\n{fifth}\n>>>>>>> b\n{six}\n"
    );
    let array = format!("[\n{}]", lines.replace("}\n", "},\n")).replace(",\n]", "\n]");
    let documents = lines.replace("{\"trial", "---\n{\"trial");
    let first = lines.strip_prefix(&format!("{one}\n")).expect("it begins so").to_owned();
    for (name, text, numbers) in [
        ("a.jsonl", &lines, vec![1, 2, 3, 4, 5]),
        ("a.json", &array, vec![1, 2, 3, 4, 5]),
        ("a.yaml", &documents, vec![1, 2, 3, 4, 5]),
        ("first.jsonl", &first, vec![2, 3, 4, 5]),
    ] {
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let wide = [b"\xff\xfe".to_vec(), wide].concat();
        for bytes in [text.as_bytes(), &wide] {
            let files = [Input::new(name, bytes)];
            let history = open(&files, usize::MAX);
            let source = &history.sources()[0];
            assert_eq!((source.kept as usize, source.skipped), (numbers.len() + 2, 0), "{name}");
            let of_groups: Vec<_> = history
                .runs()
                .iter()
                .map(|run| history.run(run.id).expect("it is there").numbers().to_vec())
                .collect();
            assert_eq!(of_groups, [numbers.clone(), vec![2, 4]], "{name}");
            inspect_all(&history, &files);
            let findings = history.findings();
            let markers = findings.iter().filter(|f| f.rule == "text/conflict-marker");
            assert_eq!(markers.count(), 1, "{name}: {findings:?}");
        }
        // Nothing depends on where slices end.
        let input = Input { name: name.to_owned(), bytes: text.clone().into_bytes() };
        let spans = |history: &History| {
            let ids = (0..).take(history.record_count()).map(RecordId);
            ids.map(|id| history.locate(id).expect("it is there")).collect::<Vec<_>>()
        };
        let whole = spans(&open(std::slice::from_ref(&input), usize::MAX));
        assert_eq!(spans(&open(std::slice::from_ref(&input), 5)), whole, "{name}");
    }
}

#[test]
fn what_others_write_is_named() {
    for (name, tool) in [
        ("swe-agent.traj", "SWE-agent"),
        ("mini-swe-agent.json", "mini-swe-agent"),
        ("openhands-output.jsonl", "OpenHands"),
        ("openevolve-best.json", "openevolve"),
    ] {
        let source = open(&fixture(name).files, usize::MAX).sources().remove(0);
        assert_eq!(source.state, SourceState::Raw, "{name}");
        assert!(source.reason.as_deref().is_some_and(|r| r.contains(tool)), "{source:?}");
    }
}

fn line(number: usize, text: &str) -> String {
    format!(
        r#"{{"trial_number":{number},"loop_id":"a","outcome":"failure","reflection":"{text}"}}"#
    )
}

#[test]
fn a_long_line_is_ordinary() {
    let text = format!("{}\n{}\n{}\n", line(1, "a"), line(2, &"b ".repeat(666_000)), line(3, "c"));
    let history = opened("long.jsonl", text.as_bytes());
    assert_eq!(history.record_count(), 3);
    assert_eq!(history.runs()[0].iterations, 3);
    let said: Vec<_> = history.findings().iter().map(placed).collect();
    assert!(said.contains(&"size/line 2:1".to_owned()), "{said:?}");
}

#[test]
fn limits_are_the_hosts_and_are_reported() {
    let push = |limits: Limits, text: &str, slice: usize| {
        let mut history = History::new(Profile::Lenient);
        history.limit(limits);
        let source = history.open("a.jsonl");
        let mut more = More::Wanted;
        for slice in text.as_bytes().chunks(slice) {
            more = history.push(source, slice).expect("it is open");
        }
        history.finish(source).expect("it is open");
        (history, more)
    };
    let lines = (1..=9).map(|n| line(n, "x") + "\n").collect::<String>();
    let long = format!("{}{}\n", lines, line(10, &"x".repeat(5000)));
    let documents = (1..=400).map(|n| format!("---\ntrial_number: {n}\nreflection: x\n"));
    let documents: String = documents.collect();
    let one_long = format!("{documents}---\ntrial_number: 401\nreflection: {}\n", "x".repeat(5000));
    for slice in [1, 100, 1 << 20] {
        let few = Limits { records: 4, ..Limits::default() };
        let (history, more) = push(few, &lines, slice);
        let source = &history.sources()[0];
        assert_eq!((source.kept, more), (4, More::Enough));
        assert!(
            source
                .reason
                .as_deref()
                .is_some_and(|r| r.contains("more records than the limit of 4")),
            "{source:?}"
        );

        let short = Limits { record_len: 2000, ..Limits::default() };
        let (history, _) = push(short, &long, slice);
        let source = &history.sources()[0];
        assert_eq!(source.kept, 9);
        assert!(source.reason.as_deref().is_some_and(|r| r.contains("2000 bytes")), "{source:?}");

        let short = Limits { document_len: 2000, ..Limits::default() };
        let (history, _) = push(short, &documents, slice);
        let source = &history.sources()[0];
        assert_eq!((source.kept, &source.reason), (400, &None), "documents are no one document");
        let (history, _) = push(short, &one_long, slice);
        let source = &history.sources()[0];
        assert_eq!(source.kept, 400);
        assert!(source.reason.as_deref().is_some_and(|r| r.contains("2000 bytes")), "{source:?}");
    }
}

/// Findings that stand at one place and speak of all such places: an object around records,
/// records of no known format, and conflict markers with what both sides came from.
const SPEAK_OF_ALL: [&str; 3] = ["sniff/wrapped", "source/unknown", "text/conflict-marker"];

/// Nothing disappears: what no record covers is white space, punctuation of the framing, or is
/// spoken of by a finding that stands in it.
#[test]
fn every_byte_is_in_a_record_or_spoken_of() {
    let mut wrong = Vec::new();
    for fixture in fixtures().expect("fixtures can be read") {
        let history = open(&fixture.files, usize::MAX);
        let findings = history.findings();
        for (source, file) in history.sources().iter().zip(&fixture.files) {
            if source.state != SourceState::Read || source.encoding != Encoding::Utf8 {
                // As a whole it is raw or refused, with a reason; UTF-16 has other punctuation.
                assert!(
                    source.reason.is_some()
                        || source.encoding != Encoding::Utf8
                        || source.kept == 0
                );
                continue;
            }
            let mut spans: Vec<_> = (0..)
                .take(history.record_count())
                .filter_map(|id| history.locate(RecordId(id)).ok())
                .filter(|span| span.source == source.id)
                .map(|span| span.start..span.end)
                .collect();
            spans.sort_by_key(|span| (span.start, span.end));
            let mut at = 0;
            let end = file.bytes.len() as u64;
            for span in spans.into_iter().chain(std::iter::once(end..end)) {
                if span.start > at {
                    let gap = at..span.start;
                    let own = || findings.iter().filter(|f| f.source == Some(source.id));
                    let is_reported = own().any(|f| {
                        f.offset.is_some_and(|o| o >= gap.start && o <= gap.end)
                            || SPEAK_OF_ALL.contains(&&*f.rule)
                    });
                    if !is_reported && !is_punctuation(&file.bytes, &gap) {
                        wrong.push(format!("{} of {}: {gap:?}", file.name, fixture.name));
                    }
                }
                at = at.max(span.end);
            }
        }
    }
    assert!(wrong.is_empty(), "nobody speaks of\n{}", wrong.join("\n"));
}

/// White space, brackets and commas, dashes and dots between documents, fences and quotes around
/// them, and comments.
fn is_punctuation(bytes: &[u8], gap: &Range<u64>) -> bool {
    let at = |n: u64| usize::try_from(n).expect("small");
    let text = String::from_utf8_lossy(&bytes[at(gap.start)..at(gap.end)]);
    let of_line =
        |line: &str| line.starts_with('#') || line.chars().all(|c| "[],-.`\" ".contains(c));
    text.lines().all(|line| of_line(line.trim()) || is_frame(line.trim()))
}

/// What frames the records of a text: the header of a table, and of a log where a trial begins and
/// ends, with its sums, which are compared with the records.
fn is_frame(line: &str) -> bool {
    const SUMS: [&str; 5] = ["SUCCESS:", "ADDITIONAL SUCCESS:", "FAIL:", "TOTAL:", "ACCURACY:"];
    line.starts_with("iteration,timestamp,")
        || ["***** ", "Trial summary:"].iter().any(|start| line.starts_with(start))
        || line.trim_start_matches('-').trim_start().starts_with("BEGIN ")
        || SUMS.iter().any(|sum| line.starts_with(sum))
}
