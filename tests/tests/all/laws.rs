//! The same laws for every fixture.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::PathBuf;

use hindscope::{Encoding, Framing, History, Profile, RecordId, SourceView, natural};
use hindscope_tests::{
    Fixture, Input, dump, dump_of, fixtures, open, open_as, open_together, root, snapshot,
};
use serde_json::Value;

fn all() -> Vec<Fixture> {
    let fixtures = fixtures().expect("fixtures can be read");
    assert!(fixtures.len() > 40, "only {} fixtures", fixtures.len());
    fixtures
}

fn snapshot_path(fixture: &Fixture) -> PathBuf {
    root().join("tests/snapshots").join(format!("{}.txt", fixture.name.replace('/', "~")))
}

/// What a fixture shows is reviewed as text. `HINDSCOPE_BLESS=1` rewrites it.
#[test]
fn shows_what_was_reviewed() {
    let bless = env::var_os("HINDSCOPE_BLESS").is_some();
    let mut wrong = Vec::new();
    let mut expected_files = BTreeSet::new();
    for fixture in all() {
        let path = snapshot_path(&fixture);
        let shown = snapshot(&fixture.files);
        expected_files.insert(path.clone());
        if bless {
            fs::write(&path, &shown).expect("snapshots can be written");
        }
        let reviewed = fs::read_to_string(&path).unwrap_or_default();
        if reviewed != shown {
            let line = reviewed
                .lines()
                .zip(shown.lines())
                .position(|(reviewed, shown)| reviewed != shown)
                .unwrap_or(0);
            wrong.push(format!(
                "{} line {}\n  reviewed: {}\n  now:      {}",
                path.display(),
                line + 1,
                reviewed.lines().nth(line).unwrap_or("(nothing)"),
                shown.lines().nth(line).unwrap_or("(nothing)")
            ));
        }
    }
    for entry in fs::read_dir(root().join("tests/snapshots")).expect("there are snapshots") {
        let path = entry.expect("the folder can be listed").path();
        if !expected_files.contains(&path) {
            if bless {
                fs::remove_file(&path).expect("snapshots can be removed");
            } else {
                wrong.push(format!("{} belongs to no fixture", path.display()));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "set HINDSCOPE_BLESS=1 to rewrite, then review the difference:\n{}",
        wrong.join("\n")
    );
}

/// Content decides what a file is; its name only supplies what stands nowhere else.
#[test]
fn is_recognised_without_its_name() {
    for fixture in all() {
        let nameless: Vec<Input> = fixture
            .files
            .iter()
            .enumerate()
            .filter(|(_, file)| !is_known_by_path(&file.name))
            .map(|(index, file)| Input {
                name: format!("dropped/file {index}"),
                bytes: file.bytes.clone(),
            })
            .collect();
        let mut named = fixture.files.clone();
        named.retain(|file| !is_known_by_path(&file.name));
        let facts = |files: &[Input]| -> Vec<_> {
            open(files, usize::MAX)
                .sources()
                .into_iter()
                .map(|s| (s.state, s.format, s.framing, s.encoding, s.kept, s.repaired, s.skipped))
                .collect()
        };
        assert_eq!(facts(&nameless), facts(&named), "{}", fixture.name);
    }
}

/// What no content test can know: files of iterations in which a language model wrote what it liked,
/// and parts of an episodic memory that have no shape of their own. A plan is any text, an index any
/// object of lists, and what a summary holds is defined nowhere. Only a path can show them.
fn is_known_by_path(name: &str) -> bool {
    let is_below_task = name.contains("/tasks/");
    name.starts_with("known-by-name/iteration-")
        || (is_below_task && (name.ends_with("/plan.md") || name.ends_with("/summary.json")))
        || name.contains("/index/by-")
}

/// How a file is cut into slices is the host's business and changes nothing.
#[test]
fn slices_change_nothing() {
    let mut wrong = Vec::new();
    for fixture in all() {
        let whole = dump(&fixture.files, usize::MAX);
        for slice in [1, 7, 1 << 16] {
            let sliced = dump(&fixture.files, slice);
            let what = format!("{} in slices of {slice}", fixture.name);
            wrong.extend(difference(&sliced, &whole, &what));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files that are opened in one call say what they say when each is opened by itself, of one fixture and of
/// all of them behind one another: nothing of a file is left for the next one.
#[test]
fn together_is_one_by_one() {
    let mut wrong = Vec::new();
    let mut compare = |files: &[Input], what: &str| {
        let one_by_one = dump(files, usize::MAX);
        let together = dump_of(open_together(files, Profile::Lenient), files);
        wrong.extend(difference(&together, &one_by_one, what));
        let strict = open_as(files, usize::MAX, Profile::Strict).findings();
        assert_eq!(open_together(files, Profile::Strict).findings(), strict, "{what}");
    };
    for fixture in all() {
        compare(&fixture.files, &fixture.name);
    }
    let every: Vec<Input> = all().into_iter().flat_map(|fixture| fixture.files).collect();
    compare(&every, "all fixtures");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first part in which two values differ.
fn difference(left: &Value, right: &Value, what: &str) -> Option<String> {
    match (left, right) {
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => a
            .iter()
            .find_map(|(name, value)| difference(value, &b[name], &format!("{what}: {name}"))),
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .find_map(|(index, (a, b))| difference(a, b, &format!("{what}: {index}"))),
        _ if left == right => None,
        _ => Some(format!("{what}: {left}, whole {right}")),
    }
}

/// A file that was cut anywhere never panics and keeps every record that is still complete.
#[test]
fn a_prefix_keeps_its_complete_records() {
    let mut wrong = Vec::new();
    for fixture in all() {
        for file in &fixture.files {
            let whole = open(std::slice::from_ref(file), usize::MAX);
            let spans = spans(&whole);
            let is_yaml = whole.sources()[0].framing == Some(Framing::Yaml);
            // Every length of a short file, and a hundred of a longer one, or several hundred where all is
            // tested. The step is odd, so that both halves of a UTF-16 unit are hit.
            let cuts = if std::env::var_os("HINDSCOPE_ALL").is_some() { 400 } else { 100 };
            let step = (file.bytes.len() / cuts) | 1;
            for length in (0..file.bytes.len()).step_by(step) {
                let cut = Input { name: file.name.clone(), bytes: file.bytes[..length].to_vec() };
                let history = open(std::slice::from_ref(&cut), usize::MAX);
                let kept: BTreeSet<_> = self::spans(&history).into_iter().collect();
                let mut complete = spans.iter().enumerate().filter(|&(index, (_, end))| {
                    let end = if is_yaml {
                        // A YAML document has no end of its own: the line that opens the next one
                        // ends it. Both sides of a conflict stand in the same place.
                        let mut later = spans.iter().skip(index + 1);
                        let next = later.find(|next| next.0 >= *end);
                        next.map(|next| next.0 + "---\n".len() as u64)
                    } else {
                        Some(*end)
                    };
                    end.is_some_and(|end| end <= length as u64)
                });
                if let Some((_, gone)) = complete.find(|(_, span)| !kept.contains(span)) {
                    wrong.push(format!(
                        "{} of {} cut at {length} of {}: the record at {gone:?} is gone, kept {kept:?}",
                        file.name,
                        fixture.name,
                        file.bytes.len()
                    ));
                    break;
                }
                if let Err(error) = ask_everything(&history, &cut) {
                    wrong.push(format!(
                        "{} of {} cut at {length}: {error}",
                        file.name, fixture.name
                    ));
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn spans(history: &History) -> Vec<(u64, u64)> {
    records(history)
        .map(|id| {
            let span = history.locate(id).expect("the history holds it");
            (span.start, span.end)
        })
        .collect()
}

fn records(history: &History) -> impl Iterator<Item = RecordId> {
    (0..u32::try_from(history.record_count()).expect("ids are 32 bits wide")).map(RecordId)
}

/// Nothing that can be asked of a damaged file panics, and no span leaves it.
fn ask_everything(history: &History, file: &Input) -> Result<(), String> {
    for view in history.runs() {
        let run = history.run(view.id).expect("the history listed it");
        assert_eq!(run.iterations().len(), run.columns().numbers.len());
        assert_eq!(run.view(), view);
    }
    for id in records(history) {
        let span = history.locate(id).expect("the history holds it");
        let offset = |at: u64| usize::try_from(at).expect("fixtures are small");
        let bytes = file.bytes.get(offset(span.start)..offset(span.end));
        let Some(bytes) = bytes else {
            return Err(format!("the span {}..{} leaves the file", span.start, span.end));
        };
        // Whether it can be inspected is another matter: it must answer.
        let _ = history.inspect(id, 0, bytes);
        let _ = history.raw_text(id, bytes);
    }
    assert_eq!(history.findings().len(), history.finding_count());
    Ok(())
}

/// Findings stand where they say: inside their source, at the line and column of their offset.
#[test]
fn findings_stand_where_they_say() {
    for fixture in all() {
        let history = open(&fixture.files, usize::MAX);
        let sources = history.sources();
        for finding in history.findings() {
            let (Some(source), Some(offset)) = (finding.source, finding.offset) else {
                continue;
            };
            let source = &sources[source.0 as usize];
            let what =
                format!("{}: {} at {offset}: {}", fixture.name, finding.rule, finding.message);
            assert!(offset <= source.bytes, "{what} lies beyond the source");
            let (Some(line), Some(column)) = (finding.line, finding.column) else {
                panic!("{what} has an offset and no line");
            };
            if source.encoding == Encoding::Utf8 {
                let bytes = &fixture.files[source.id.0 as usize].bytes;
                let expected = place(&bytes[..usize::try_from(offset).expect("small")]);
                assert_eq!((line, column), expected, "{what}");
            }
        }
    }
}

/// The groups of a source count the findings about it.
#[test]
fn groups_of_sources_count_their_findings() {
    let mut seen = 0;
    for fixture in all() {
        let history = open(&fixture.files, usize::MAX);
        let all = history.findings();
        for SourceView { id, .. } in history.sources() {
            let mut expected: BTreeMap<_, Vec<_>> = BTreeMap::new();
            for finding in all.iter().filter(|finding| finding.source == Some(id)) {
                seen += 1;
                expected.entry(finding.rule.to_string()).or_default().push(finding);
            }
            let mut counts = BTreeMap::<_, usize>::new();
            for group in history.finding_groups_of(id).expect("the history listed it") {
                let rule = group.rule.to_string();
                let of_rule = expected.get(&rule).map_or(&[][..], Vec::as_slice);
                assert!(group.first.iter().all(|f| of_rule.contains(&f)), "{}", fixture.name);
                *counts.entry(rule).or_default() += group.count as usize;
            }
            let expected = expected.into_iter().map(|(rule, all)| (rule, all.len())).collect();
            assert_eq!(counts, expected, "{}: source {}", fixture.name, id.0);
        }
    }
    assert!(seen > 100, "only {seen} findings");
}

/// A finding about a value says what it expects and what stands there, and neither is a document.
#[test]
fn findings_about_values_say_expected_and_found() {
    const AREAS: [&str; 3] = ["strict/", "lenient/", "rm/"];
    let mut seen = BTreeSet::new();
    for fixture in all() {
        for profile in [Profile::Strict, Profile::Lenient] {
            let history = open_as(&fixture.files, usize::MAX, profile);
            for finding in history.findings() {
                let Some(area) = AREAS.iter().find(|area| finding.rule.starts_with(**area)) else {
                    continue;
                };
                seen.insert(*area);
                let what = format!("{}: {finding:?}", fixture.name);
                let (Some(expected), Some(found)) = (&finding.expected, &finding.found) else {
                    panic!("{what}");
                };
                for text in [expected, found] {
                    assert!((1..1000).contains(&text.chars().count()), "{what}");
                }
            }
        }
    }
    assert_eq!(seen.len(), AREAS.len(), "only {seen:?} were seen");
}

/// Line and column, in UTF-16 units, of the end of a text.
fn place(before: &[u8]) -> (u32, u32) {
    let before = before.strip_prefix(b"\xef\xbb\xbf").unwrap_or(before);
    let text = String::from_utf8_lossy(before);
    let line = text.matches('\n').count() + 1;
    let last = text.rsplit('\n').next().unwrap_or_default();
    let column = last.encode_utf16().count() + 1;
    (u32::try_from(line).expect("small"), u32::try_from(column).expect("small"))
}

/// Files of a fixture come in the order in which a person would read them.
#[test]
fn files_are_in_natural() {
    for fixture in all() {
        let names: Vec<&str> = fixture.files.iter().map(|file| file.name.as_str()).collect();
        assert!(names.is_sorted_by(|a, b| natural(a, b).is_lt()), "{names:?}");
    }
}
