//! What is fuzzed by coverage: parts of the core that read what strangers write, each with its laws.

use std::fs;
use std::io;
use std::sync::LazyLock;

use hindscope::{
    Hit, Profile, Query, QueryError, SearchOptions, Target as Asked, UnpackLimits, Validator,
    plain_json, render_template,
};
use serde_json::{Map, Value, json};

use super::laws::{judge, keep, keep_slices};
use crate::archive::{open_archive, unpack_within};
use crate::memory::{Files, at, example};
use crate::{Input, Random, open, root, unpacked};

/// Separates the parts of an input: the file separator of ASCII.
const SEPARATOR: u8 = 0x1C;

/// A part of the core, and what calls it with any bytes.
#[derive(Debug)]
pub struct Target {
    /// Its name on the command line, and that of its file in `tests/corpora`.
    pub name: &'static str,
    /// Panics where a law is broken.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: [Target; 10] = [
    Target { name: "json", run: json },
    Target { name: "files", run: files },
    Target { name: "archives", run: archives },
    Target { name: "yaml", run: yaml },
    Target { name: "schemas", run: schemas },
    Target { name: "patterns", run: patterns },
    Target { name: "queries", run: queries },
    Target { name: "templates", run: templates },
    Target { name: "bundles", run: bundles },
    Target { name: "memory", run: memory },
];

/// The target of this name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// The inputs in `tests/corpora` that reach different code, found by `cargo xtask fuzz`. A line is a text
/// whose characters are the bytes.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn corpus(target: &Target) -> io::Result<Vec<Vec<u8>>> {
    let path = root().join("tests/corpora").join(target.name).with_extension("jsonl");
    let text = fs::read_to_string(&path)?;
    let bytes = |line: &str| {
        let text: String = serde_json::from_str(line)?;
        let bytes: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
        bytes.map_err(|_| io::Error::other(format!("not bytes in {}: {line}", path.display())))
    };
    text.lines().map(bytes).collect()
}

/// A schema of one's own.
static OWN: LazyLock<Validator> = LazyLock::new(|| {
    let schema = json!({
        "type": "object",
        "required": ["iteration"],
        "unevaluatedProperties": false,
        "properties": { "iteration": { "maximum": 1 }, "timestamp": { "format": "date" } },
    });
    Validator::new(&schema.to_string()).expect("a schema")
});

/// Text up to the first separator, and what follows it.
fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    let at = bytes.iter().position(|byte| *byte == SEPARATOR).unwrap_or(bytes.len());
    (&bytes[..at], bytes.get(at + 1..).unwrap_or_default())
}

/// Slices are as random as the input.
fn random(bytes: &[u8]) -> Random {
    Random::of(bytes.iter().fold(7, |sum: u64, byte| sum.wrapping_mul(31) + u64::from(*byte)))
}

/// What is JSON is read as what it says; what is not is repaired to JSON, once and for all.
fn json(bytes: &[u8]) {
    judge(bytes, &OWN);
    let plain = plain_json(bytes);
    if let Ok(value) = serde_json::from_slice::<Value>(bytes) {
        let text = plain.as_ref().expect("JSON is read");
        assert_eq!(serde_json::from_str::<Value>(text).ok(), Some(value), "{text}");
    }
    if let Some(text) = plain {
        assert!(serde_json::from_str::<Value>(&text).is_ok(), "not JSON: {text}");
        assert_eq!(plain_json(text.as_bytes()), Some(text), "repaired twice");
    }
}

/// Files of a history: a name, the end of its line, and the bytes of each.
fn files(bytes: &[u8]) {
    let file = |part: &[u8]| {
        let at = part.iter().position(|byte| *byte == b'\n').unwrap_or(0);
        let name = String::from_utf8_lossy(&part[..at]);
        // Every file has one.
        let name = if name.is_empty() { "a" } else { &name };
        Input::new(name, part.get(at + 1..).unwrap_or_default())
    };
    let files: Vec<_> = bytes.split(|byte| *byte == SEPARATOR).take(8).map(file).collect();
    keep(&files, &mut random(bytes), &OWN);
}

/// An archive: its name, the end of the line, its bytes.
fn archives(bytes: &[u8]) {
    let at = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let name = String::from_utf8_lossy(&bytes[..at]);
    let archive = bytes.get(at + 1..).unwrap_or_default();
    let most = 1 << 16;
    let limits = UnpackLimits { total: most, ..UnpackLimits::default() };
    let given = unpack_within(&name, archive, limits);
    let total: usize = given.iter().map(|entry| entry.bytes.len()).sum();
    // The piece that goes beyond the limit is the last.
    assert!(total as u64 <= most + (1 << 20), "{total} bytes from {}", archive.len());
    if given.iter().all(|entry| entry.refusal.is_none()) {
        let (history, whole) = open_archive(&name, archive);
        assert_eq!(whole, given, "limits that are not reached change nothing");
        let kept: u32 = history.sources().iter().map(|source| source.kept).sum();
        assert_eq!(history.record_count(), kept as usize);
    }
}

/// YAML as a history, as the block of a loop, and as the block of a hook.
fn yaml(bytes: &[u8]) {
    keep(&[Input::new("records.yaml", bytes)], &mut random(bytes), &OWN);
    let text = String::from_utf8_lossy(bytes);
    if let Err(problem) = hindscope::reflect::reflection_from_yaml(&text, None) {
        assert!(!problem.to_string().is_empty(), "refused without a word");
    }
}

/// A schema of a user, and a value.
fn schemas(bytes: &[u8]) {
    let (schema, value) = split(bytes);
    match Validator::new(&String::from_utf8_lossy(schema)) {
        Ok(validator) => {
            let answer = validator.validate(value);
            assert!(answer.valid || !answer.findings.is_empty(), "invalid without a word");
        }
        Err(error) => assert!(!error.to_string().is_empty(), "refused without a word"),
    }
}

/// A pattern, and a text: what matches is what another engine says of it.
fn patterns(bytes: &[u8]) {
    let (pattern, text) = split(bytes);
    let (Ok(pattern), Ok(text)) = (str::from_utf8(pattern), str::from_utf8(text)) else { return };
    // That engine takes exponential time, and is wrong where a group refers to itself: /(a?ab?\1)a/ matches "aa".
    if pattern.len() > 40 || text.len() > 10 || refers_in_group(pattern) {
        return;
    }
    let Ok(validator) = Validator::new(&json!({ "pattern": pattern }).to_string()) else { return };
    let answer = validator.validate(json!(text).to_string().as_bytes());
    if answer.findings.iter().any(|finding| finding.message.contains("too many steps")) {
        return;
    }
    // What the flag `u` refuses, such as a lone `}`, is read as browsers read it without.
    let read = |flags| regress::Regex::with_flags(pattern, flags);
    let Ok(engine) = read("u").or_else(|_| read("")) else { return };
    assert_eq!(answer.valid, engine.find(text).is_some(), "/{pattern}/u on {text:?}");
}

/// Whether a reference back stands in a group, be it its own or not.
fn refers_in_group(pattern: &str) -> bool {
    let mut open = 0;
    let mut bytes = pattern.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            b'\\' if matches!(bytes.next(), Some(b'1'..=b'9' | b'k')) && open > 0 => return true,
            _ => {}
        }
    }
    false
}

/// A history that queries are asked of.
static HISTORY: LazyLock<Vec<Input>> = LazyLock::new(|| {
    let record = |iteration: u32, outcome: &str, text: &str| {
        json!({
            "iteration": iteration,
            "outcome": outcome,
            "reward": f64::from(iteration) / 2.0,
            "reflection": { "root_cause": text, "strategy": "Read it again, slowly." },
            "actions": [{ "type": "command", "description": "ran the tests", "output": text }],
            "errors": [{ "type": "Timeout", "message": text }],
        })
        .to_string()
    };
    let texts =
        ["The tests fail: naïve parsing of 日本語.", "again the same", "\u{1F600} solved \u{0}"];
    let lines = [
        record(0, "failure", texts[0]),
        record(1, "failure", texts[1]),
        record(2, "success", texts[2]),
    ];
    vec![Input::new("run a.jsonl", lines.join("\n")), Input::new("run b.jsonl", lines[1].as_str())]
});

/// A query, of every list, and as a search.
fn queries(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let history = open(&HISTORY, usize::MAX);
    for asked in [Asked::Search, Asked::Runs, Asked::RunsWithCategory, Asked::Findings] {
        match Query::parse_for(&text, asked) {
            Err(error) => said(&text, &error),
            Ok(query) => match asked {
                Asked::Search => searched(&history, query),
                Asked::Findings => {
                    for finding in &history.findings() {
                        history.matches_finding(&query, finding);
                    }
                }
                _ => {
                    let found = history.find_runs(&query);
                    assert!(found.iter().all(|run| history.run(*run).is_ok()), "{found:?}");
                }
            },
        }
    }
}

/// The place of what is wrong in a query lies in it.
fn said(text: &str, error: &QueryError) {
    let place = error.start_byte as usize..error.end_byte as usize;
    let part = text.get(place).unwrap_or_else(|| panic!("no such place: {error:?}"));
    assert_eq!(part.encode_utf16().count(), (error.end - error.start) as usize, "{error:?}");
    assert!(!error.message.is_empty());
}

fn searched(history: &hindscope::History, query: Query) {
    let mut search = history.search(query, SearchOptions::default()).expect("a search");
    let mut rounds = 0;
    while let Some(hits) = history.hits(&mut search).expect("all was supplied") {
        hits.iter().for_each(marked);
        for (source, start, end) in search.needs() {
            let at = |n: u64| usize::try_from(n).expect("small");
            let bytes = &HISTORY[source.0 as usize].bytes[at(start)..at(end)];
            history.supply_search(&mut search, source, start, bytes).expect("its bytes");
        }
        rounds += 1;
        assert!(rounds < 1000, "a search without an end");
    }
}

/// What matches lies in the excerpt, in order.
fn marked(hit: &Hit) {
    let len = hit.excerpt.encode_utf16().count();
    let mut from = 0;
    for mark in &hit.marks {
        assert!(
            from <= mark.start && mark.start <= mark.end && mark.end as usize <= len,
            "{hit:?}"
        );
        from = mark.end;
    }
}

/// A template, over a state with a value of each kind.
fn templates(bytes: &[u8]) {
    static STATE: LazyLock<Map<String, Value>> = LazyLock::new(|| {
        let state = json!({
            "task": "Add <b>bold</b> \u{1F600}",
            "items": [1, -2.5, null, true, "x", { "name": "y" }],
            "empty": {},
            "output": { "text": "a\nb", "score": 0.5 },
        });
        state.as_object().cloned().expect("an object")
    });
    let text = String::from_utf8_lossy(bytes);
    match render_template(&text, &STATE) {
        Ok(written) => assert_eq!(render_template(&text, &STATE).ok(), Some(written)),
        Err(error) => assert!(!error.to_string().is_empty(), "refused without a word"),
    }
}

/// An export, opened again.
fn bundles(bytes: &[u8]) {
    let files = unpacked(&String::from_utf8_lossy(bytes));
    if !files.is_empty() && files.len() < 9 {
        // Places of findings are those of the files that were exported, and of what is there twice one is
        // exported, so not all laws are about them.
        keep_slices(&files, Profile::Lenient, &mut random(bytes));
    }
}

/// Lines of requests to a memory with a task; a line that begins with `/` is a path, a space, and what
/// somebody wrote there.
fn memory(bytes: &[u8]) {
    static EXAMPLE: LazyLock<Files> = LazyLock::new(example);
    let mut files = EXAMPLE.clone();
    for line in bytes.split(|byte| *byte == b'\n').take(40) {
        if let Some(written) = line.strip_prefix(b"/") {
            let at = written.iter().position(|byte| *byte == b' ').unwrap_or(written.len());
            let path = String::from_utf8_lossy(&written[..at]).into_owned();
            files.0.insert(path, written.get(at + 1..).unwrap_or_default().to_vec());
            continue;
        }
        let Ok(request) = serde_json::from_slice::<Value>(line) else { continue };
        let asked = files.ask(&request);
        assert_eq!(files.ask(&request).is_ok(), asked.is_ok(), "asked twice");
        match asked {
            Ok(done) => {
                for write in &done.writes {
                    files.write(write).expect("the files are those that the request saw");
                }
            }
            Err(error) => assert!(!error.to_string().is_empty(), "refused without a word"),
        }
    }
    files.open().findings();
    // What the doctor can mend is mended at once.
    let doctor = json!({ "call": "doctor", "now": at(86_399) });
    files.do_(&doctor);
    assert_eq!(files.ask(&doctor).expect("it answers").writes, [], "mended twice");
}
