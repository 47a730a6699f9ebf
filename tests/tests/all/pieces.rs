//! Laws of files that several instances read: whatever the pieces, the history is the one that a
//! single reader makes, in everything that it keeps.

use std::collections::BTreeMap;

use hindscope::{Continuation, History, Limits, Piece, PieceReader, Profile, SourceId, natural};
use hindscope_tests::{Input, Random, bytes_of, fixtures, open};
use serde_json::{Value, json};

/// Lines after which a source of good records can be divided.
const HEAD: usize = 21;

/// Files of each format that are looked at.
const OF_EACH: u32 = 3;

/// Lines that mean something beside themselves, or nothing, or that have to be repaired.
const ODD: [&[u8]; 22] = [
    b"",
    b"   \t",
    b"\r",
    b"not a record",
    b"{\"cut\":",
    b"[1,2]",
    b"null",
    b"{\"some\":\"object\"}",
    b"{\"iteration\":NaN,\"self_reflection\":{},}",
    b"{\"records\":[{\"iteration\":1},{\"iteration\":2}]}",
    b"{\"trial_number\":1,\"loop_id\":\"a\",\"outcome\":\"failure\",\"reflection\":\"\xff\"}",
    b"{\"trial_number\":2,\"outcome\":\"timeout\",\"reflection\":\"a\\ud800\"}",
    b"\xef\xbb\xbf{\"trial_number\":3,\"outcome\":\"success\",\"reflection\":\"b\"}",
    b"\xef\xbb\xbf",
    b"<<<<<<< ours",
    b"||||||| base",
    b"=======",
    b">>>>>>> theirs",
    b"```",
    b"{\"hindscope\":1,\"runs\":[]}",
    b"one\rtwo",
    b"{\"a\":\"\0\"}",
];

/// How often pieces were taken over, and how often the stretch had to be read again.
#[derive(Debug, Default, PartialEq)]
struct Taken {
    sure: usize,
    unsure: usize,
}

/// Files as one reader opens them, or as several do: `cuts` are where the pieces of the last one
/// begin. All of these are read before the first is taken over.
struct Opening<'a> {
    others: &'a [Input],
    name: &'a str,
    text: &'a [u8],
    profile: Profile,
    limits: Limits,
}

impl Opening<'_> {
    fn begun(&self) -> (History, SourceId) {
        let mut history = History::new(self.profile);
        for file in self.others {
            let source = history.open(&file.name);
            history.push(source, &file.bytes).expect("it is open");
            history.finish(source).expect("it is open");
        }
        history.limit(self.limits);
        let source = history.open(self.name);
        (history, source)
    }

    /// By one reader, in slices that end there.
    fn whole(&self, cuts: &[usize]) -> String {
        let (mut history, source) = self.begun();
        let mut from = 0;
        for to in cuts.iter().copied().chain([self.text.len()]) {
            history.push(source, &self.text[from..to]).expect("it is open");
            from = to;
        }
        history.finish(source).expect("it is open");
        all_of(&history)
    }

    fn divided(&self, cuts: &[usize], taken: &mut Taken) -> String {
        let (mut history, source) = self.begun();
        let (head, rest) = self.text.split_at(cuts[0]);
        history.push(source, head).expect("it is open");
        let continuation = history.continuation(source).expect("it is open");
        let mut stretches: Vec<&[u8]> =
            cuts.windows(2).map(|cut| &self.text[cut[0]..cut[1]]).collect();
        stretches.push(&rest[cuts[cuts.len() - 1] - cuts[0]..]);
        let pieces: Vec<Option<Piece>> =
            stretches.iter().map(|s| continuation.as_ref().map(|c| piece(c, s))).collect();
        for (stretch, piece) in stretches.into_iter().zip(pieces) {
            let Some(piece) = piece else {
                history.push(source, stretch).expect("it is open");
                continue;
            };
            *(if piece.is_sure() { &mut taken.sure } else { &mut taken.unsure }) += 1;
            history.append(source, piece, stretch).expect("it is open");
        }
        history.finish(source).expect("it is open");
        all_of(&history)
    }

    /// Divided in all ways into two, into three, and at every line.
    fn check(&self, what: &str, taken: &mut Taken) {
        let whole = self.whole(&[]);
        let borders = borders(self.text);
        let borders: Vec<usize> = borders.into_iter().skip(HEAD).collect();
        let Some(first) = borders.first() else { return };
        let mut ways: Vec<Vec<usize>> = vec![borders.clone()];
        ways.extend(borders.iter().map(|at| vec![*at]));
        ways.extend(borders.get(2).map(|at| vec![*first, *at]));
        for cuts in ways {
            // Whatever comes in one slice is looked at for more records than there may be.
            let is_limited = self.limits != Limits::default();
            let whole = if is_limited { &self.whole(&cuts) } else { &whole };
            let divided = self.divided(&cuts, taken);
            assert!(divided == *whole, "{what} at {cuts:?}:\n{}", parted(&divided, whole));
        }
    }
}

/// Everything that a history holds: columns, arenas, words, findings, digests, and how far each
/// source is. Only the word that was looked up last is left out, at which the next is guessed.
fn all_of(history: &History) -> String {
    let all = format!("{history:?}");
    let (before, last) = all.rsplit_once(", last: ").expect("there are words");
    before.to_owned() + last.trim_start_matches(|c: char| c.is_ascii_digit())
}

/// What another instance makes of a stretch, on the way that it takes to this one.
fn piece(continuation: &Continuation, stretch: &[u8]) -> Piece {
    let continuation = Continuation::from_bytes(&continuation.to_bytes()).expect("it comes back");
    let mut reader = PieceReader::new(continuation);
    stretch.chunks(31).for_each(|slice| reader.push(slice));
    let bytes = reader.finish().to_bytes();
    Piece::from_bytes(&bytes).expect("it comes back")
}

/// Where two texts part.
fn parted(left: &str, right: &str) -> String {
    let at = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    let near = |text: &str| {
        String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(120)..(at + 80).min(text.len())])
            .into_owned()
    };
    format!("divided: {}\nwhole:   {}", near(left), near(right))
}

/// Where lines end.
fn borders(text: &[u8]) -> Vec<usize> {
    text.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).collect()
}

/// Every file of the fixtures whose records are JSON, as lines: what it holds, again and again.
fn texts() -> Vec<(String, Vec<Vec<u8>>)> {
    let mut texts = Vec::new();
    let mut seen = BTreeMap::new();
    for fixture in fixtures().expect("fixtures can be read") {
        for file in &fixture.files {
            let one = std::slice::from_ref(file);
            let history = open(one, usize::MAX);
            let mut lines: Vec<Vec<u8>> = Vec::new();
            for id in (0..history.record_count()).take(HEAD) {
                let id = hindscope::RecordId(u32::try_from(id).expect("few"));
                let Ok(span) = history.locate(id) else { continue };
                if span.source.is_carried() {
                    continue;
                }
                let bytes = bytes_of(&history, one, id);
                if bytes.contains(&b'\n') {
                    let value = serde_json::from_slice::<Value>(bytes);
                    lines.extend(value.map(|value| value.to_string().into_bytes()));
                } else {
                    lines.push(bytes.to_vec());
                }
            }
            if !lines.is_empty() {
                let count = (HEAD + 1).max(lines.len()) + 6;
                let lines = lines.iter().cycle().take(count).cloned().collect();
                let formats = history.sources().into_iter().map(|source| source.format);
                let seen = seen.entry(formats.collect::<Vec<_>>()).or_insert(0);
                *seen += 1;
                if *seen <= OF_EACH {
                    texts.push((format!("{}/{}", fixture.name, file.name), lines));
                }
            }
        }
    }
    texts.push(("generated/loop.jsonl".to_owned(), generated()));
    texts.sort_by(|a, b| natural(&a.0, &b.0));
    assert!(texts.len() > 50, "only {} texts", texts.len());
    texts
}

/// Records as tests/bench/generate.mjs writes them, with all that columns keep apart from a row.
fn generated() -> Vec<Vec<u8>> {
    let line = |n: usize| {
        let before: Vec<usize> = (n.saturating_sub(3)..n).collect();
        let text = format!(
            "In attempt {n} I changed parseToken, and two tests failed: the list was empty. Next I \
             will add a test for the empty list, then run only the tests of auth."
        );
        let record = json!({
            "loop_id": format!("ralph-auth-{}", n / 9),
            "iteration": n,
            "timestamp": format!("2026-01-05T08:{:02}:00Z", n % 60),
            "task_description": format!("Make auth work when token {} is late", n / 9),
            "actor_output": {
                "actions": [{"type": "test_execution", "description": "Ran the tests", "command": "npm test"}],
                "rationale": "The last run failed. I change one place and let the tests decide.",
                "total_changes": {"files_changed": n % 3, "lines_added": 1, "lines_deleted": 0},
            },
            "evaluator_output": {
                "passed": n % 9 == 8,
                "verification_type": "unit_tests",
                "errors": [{"type": "test_failure", "message": "expected a token", "severity": "error"}],
                "reward_signal": f64::from(u32::try_from(n % 9).expect("small")) / 9.0,
                "metrics": {"tests_passed": n % 9, "tests_failed": 9 - n % 9, "tests_total": 9},
            },
            "self_reflection": {"reflection_text": text, "confidence": 0.5, "related_reflections": before},
            "memory_metadata": {
                "omega_capacity": 3,
                "current_memory_size": before.len(),
                "reflections_in_context": before,
                "window_policy": "fifo",
                "total_reflections_generated": n + 1,
            },
            "context_injected": n > 0,
            "previous_reflections_used": before,
            "performance_delta": {"reward_change": 0.111, "error_count_change": -1, "is_improvement": true},
        });
        record.to_string().into_bytes()
    };
    (0..HEAD + 15).map(line).collect()
}

fn joined(lines: &[Vec<u8>], end: &[u8]) -> Vec<u8> {
    let mut text = lines.join(end);
    text.extend_from_slice(end);
    text
}

fn opening<'a>(name: &'a str, text: &'a [u8]) -> Opening<'a> {
    let (profile, limits) = (Profile::Lenient, Limits::default());
    Opening { others: &[], name, text, profile, limits }
}

#[test]
fn pieces_change_nothing() {
    let mut by_format: BTreeMap<String, Taken> = BTreeMap::new();
    for (name, lines) in texts() {
        let text = joined(&lines, b"\n");
        let (mut history, source) = opening(&name, &text).begun();
        history.push(source, &text).expect("it is open");
        let format = history.source(source).expect("it is there").format;
        let taken = by_format.entry(format.unwrap_or_default()).or_default();
        opening(&name, &text).check(&name, taken);
    }
    let taken: Vec<_> = by_format.iter().filter(|(_, taken)| taken.sure > taken.unsure).collect();
    assert!(taken.len() > 20, "hardly a format is divided: {by_format:?}");
    assert_eq!(by_format["reflection-memory"].unsure, 0, "{by_format:?}");
}

/// Sources before it, line breaks of Windows, a last line without any, the other profile.
#[test]
fn what_stands_around_changes_nothing() {
    let others = [Input {
        name: "before.jsonl".to_owned(),
        bytes:
            b"{\"trial_number\":1,\"loop_id\":\"z\",\"outcome\":\"failure\",\"reflection\":\"y\"}\n"
                .repeat(3),
    }];
    let mut taken = Taken::default();
    for (at, (name, lines)) in texts().into_iter().enumerate().filter(|(at, _)| at % 3 == 0) {
        let text = joined(&lines, if at % 2 == 0 { b"\r\n" } else { b"\n\n" });
        let (text, profile) = match at % 4 {
            0 => (text.trim_ascii_end(), Profile::Lenient),
            1 => (&text[..text.len() - 4], Profile::Strict),
            2 => (&text[..], Profile::Strict),
            _ => (&text[..], Profile::Lenient),
        };
        let opening = Opening { others: &others, profile, ..opening(&name, text) };
        opening.check(&name, &mut taken);
    }
    assert!(taken.sure > 100 && taken.sure > taken.unsure, "{taken:?}");
}

#[test]
fn odd_lines_change_nothing() {
    let mut random = Random(0x005e_ed0f_11e5);
    let mut taken = Taken::default();
    for (name, mut lines) in texts() {
        for _ in 0..=random.below(4) {
            let at = match random.below(4) {
                0 => random.below(lines.len()),
                _ => HEAD + random.below(lines.len() - HEAD),
            };
            lines.insert(at, ODD[random.below(ODD.len())].to_vec());
        }
        for _ in 0..random.below(3) {
            let at = HEAD + random.below(lines.len() - HEAD);
            let line = &mut lines[at];
            match random.below(3) {
                0 => line.truncate(random.below(line.len() + 1)),
                1 if !line.is_empty() => {
                    let at = random.below(line.len());
                    line[at] ^= 1 << random.below(8);
                }
                _ => {
                    let at = random.below(line.len() + 1);
                    line.splice(at..at, ODD[random.below(ODD.len())].iter().copied());
                }
            }
        }
        opening(&name, &joined(&lines, b"\n")).check(&name, &mut taken);
    }
    assert!(taken.sure > 100 && taken.unsure > 50, "{taken:?}");
}

fn plain(count: usize) -> Vec<Vec<u8>> {
    let line = |n| {
        format!(
            r#"{{"trial_number":{n},"loop_id":"run-{}","outcome":"failure","reflection":"Too fast."}}"#,
            n % 7
        )
    };
    (0..count).map(|n| line(n).into_bytes()).collect()
}

#[test]
fn limits_count_all_pieces() {
    let text = joined(&plain(60), b"\n");
    for records in [30, 40, 59, 60, 61] {
        let limits = Limits { records, ..Limits::default() };
        let mut taken = Taken::default();
        Opening { limits, ..opening("a.jsonl", &text) }
            .check(&format!("{records} records"), &mut taken);
        assert!(taken.sure > 0, "{records}: {taken:?}");
    }
    let mut lines = plain(40);
    lines[35] = lines[35].repeat(9);
    let limits = Limits { record_len: 300, ..Limits::default() };
    let text = joined(&lines, b"\n");
    Opening { limits, ..opening("a.jsonl", &text) }.check("a long line", &mut Taken::default());
}

/// A piece of another source or length is left, and the stretch is read where it belongs.
#[test]
fn pieces_of_another_source_or_length_are_not_taken() {
    let text = joined(&plain(60), b"\n");
    let at = borders(&text)[29];
    let continuation = |name: &str| {
        let (mut history, source) = opening(name, &text).begun();
        history.push(source, &text[..at]).expect("it is open");
        history.continuation(source).expect("it is there").expect("it can be divided")
    };
    let stretch = &text[at..];
    let shorter = &stretch[..borders(stretch)[10]];
    let [own, other] = ["a.jsonl", "b.jsonl"].map(continuation);
    for (what, piece) in [("path", piece(&other, stretch)), ("length", piece(&own, shorter))] {
        assert!(piece.is_sure());
        let (mut history, source) = opening("a.jsonl", &text).begun();
        history.push(source, &text[..at]).expect("it is open");
        history.append(source, piece, stretch).expect("it is open");
        history.finish(source).expect("it is open");
        assert!(all_of(&history) == opening("a.jsonl", &text).whole(&[]), "{what}");
    }
}

#[test]
fn only_plain_lines_are_divided() {
    let can = |text: &[u8]| {
        let (mut history, source) = opening("a.jsonl", text).begun();
        history.push(source, text).expect("it is open");
        history.continuation(source).expect("it is there").is_some()
    };
    let text = joined(&plain(30), b"\n");
    assert!(can(&text));
    assert!(!can(&text[..text.len() - 1]), "inside of a line");
    assert!(!can(&joined(&plain(10), b"\n")), "its format is not settled");
    assert!(!can(&[b"[", &plain(30).join(&b",\n"[..])[..], b"\n"].concat()), "an array");
    let with = |odd: &[u8]| can(&[&text, odd, b"\n", &text].concat());
    assert!(with(b"not a record") && with(b"") && with(b"{}"));
    assert!(!with(b"<<<<<<< ours"), "inside of a conflict");
    assert!(!can(&[b"```json\n", &text[..]].concat()), "its fence may end");
    let mut history = History::new(Profile::Lenient);
    history.only(&["run-1".to_owned()]);
    let source = history.open("a.jsonl");
    history.push(source, &text.repeat(9)).expect("it is open");
    assert!(history.continuation(source).expect("it is there").is_none(), "only some runs");
}

#[test]
fn bytes_that_are_no_piece_are_refused() {
    let text = joined(&plain(60), b"\n");
    let (mut history, source) = opening("a.jsonl", &text).begun();
    history.push(source, &text).expect("it is open");
    let continuation = history.continuation(source).expect("it is there").expect("plain");
    let mut bytes = piece(&continuation, &text).to_bytes();
    for end in 0..bytes.len() {
        assert!(Piece::from_bytes(&bytes[..end]).is_none(), "cut at {end}");
    }
    bytes.push(0);
    assert!(Piece::from_bytes(&bytes).is_none(), "something behind it");
    assert!(Continuation::from_bytes(b"").is_none());
}
