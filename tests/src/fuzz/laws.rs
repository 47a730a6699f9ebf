//! What holds whatever the bytes are.

use hindscope::{
    ExportOptions, Finding, History, Outcome, Profile, Query, RecordId, Schema, SourceId,
    SourceState, Validator, validate_as,
};
use serde_json::{Value, json};

use crate::export::not_back;
use crate::{Input, Random, bytes_of, open_as};

/// Characters that a sentence of a finding has at most.
const LONGEST: usize = 600;

/// Opens files whole and in slices of random lengths, with both profiles, asks what can be asked, and
/// panics where a law is broken.
pub fn keep(files: &[Input], random: &mut Random, own: &Validator) {
    for profile in [Profile::Lenient, Profile::Strict] {
        let history = open_as(files, usize::MAX, profile);
        counts(&history, files);
        findings(&history, files);
        outcomes(&history);
        records(&history, files);
        keep_slices(files, profile, random);
    }
    if let Some(wrong) = not_back(files, &ExportOptions::default(), false) {
        panic!("an export does not come back: {wrong}");
    }
    for file in files {
        judge(&file.bytes, own);
    }
}

/// A file gives the same, whole and in slices.
pub(super) fn keep_slices(files: &[Input], profile: Profile, random: &mut Random) {
    let whole = open_as(files, usize::MAX, profile);
    let sliced = in_slices(files, profile, random);
    if let Some(difference) = difference("", &answers(&whole), &answers(&sliced)) {
        panic!("slices differ: {difference}");
    }
}

fn in_slices(files: &[Input], profile: Profile, random: &mut Random) -> History {
    let most = [1, 3, 30, 300, 3000][random.below(5)];
    let mut history = History::new(profile);
    for file in files {
        let source = history.open(&file.name);
        let mut rest = &file.bytes[..];
        while !rest.is_empty() {
            let (slice, later) = rest.split_at(rest.len().min(1 + random.below(most)));
            history.push(source, slice).expect("the source is open");
            rest = later;
        }
        history.finish(source).expect("the source is open");
    }
    history
}

/// What must not depend on how files are cut into slices.
fn answers(history: &History) -> Value {
    let run = |id| {
        let run = history.run(id).expect("the history listed it");
        json!({ "numbers": run.numbers(), "rewards": run.rewards(), "iterations": run.iterations() })
    };
    let sources = history.sources();
    let runs = history.runs();
    json!({
        "sources": sources,
        "skipped": sources
            .iter()
            .map(|source| json!(history.skipped(source.id).expect("it was listed")))
            .collect::<Value>(),
        "attempts": runs.iter().map(|view| run(view.id)).collect::<Value>(),
        "runs": runs,
        "groups": history.groups(),
        "findings": history.findings(),
        "records": ids(history)
            .map(|id| json!(history.locate(id).expect("it was counted")))
            .collect::<Value>(),
    })
}

fn ids(history: &History) -> impl Iterator<Item = RecordId> {
    (0..u32::try_from(history.record_count()).expect("ids are 32 bits wide")).map(RecordId)
}

/// The first place where two values differ.
pub fn difference(path: &str, a: &Value, b: &Value) -> Option<String> {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) if x.keys().eq(y.keys()) => x
            .iter()
            .find_map(|(name, value)| difference(&format!("{path}/{name}"), value, &y[name])),
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            let mut pairs = x.iter().zip(y).enumerate();
            pairs.find_map(|(i, (v, w))| difference(&format!("{path}/{i}"), v, w))
        }
        _ => (a != b).then(|| format!("{path}: {a} and {b}")),
    }
}

/// Every record is kept or skipped, and what is listed is what was counted.
fn counts(history: &History, files: &[Input]) {
    let sources = history.sources();
    let kept: u32 = sources.iter().map(|s| s.kept).sum();
    assert_eq!(usize::try_from(kept).expect("small"), history.record_count(), "kept records");
    let added = history.added();
    assert_eq!(added.sources, u32::try_from(files.len()).expect("few"));
    assert_eq!(added.kept, u64::from(kept));
    assert_eq!(added.skipped, sources.iter().map(|s| u64::from(s.skipped)).sum::<u64>());
    assert_eq!(added.bytes, files.iter().map(|f| f.bytes.len() as u64).sum::<u64>());
    assert!(added.repaired <= added.kept && added.refused <= added.sources, "{added:?}");
    for source in &sources {
        assert!(source.repaired <= source.kept, "{source:?}");
        let needs_reason = matches!(source.state, SourceState::Raw | SourceState::Refused);
        assert!(!needs_reason || source.reason.is_some(), "no reason: {source:?}");
        let skipped = history.skipped(source.id).expect("it was listed");
        assert!(skipped.len() <= source.skipped as usize, "{source:?} skipped {skipped:?}");
        for at in skipped {
            assert!(at.start <= at.end && at.end <= source.bytes, "{source:?} skipped {at:?}");
        }
    }
    let attempts: u32 = history.runs().iter().map(|r| r.iterations).sum();
    let listed: usize =
        history.runs().iter().map(|r| history.run(r.id).map_or(0, |r| r.numbers().len())).sum();
    assert_eq!(usize::try_from(attempts).expect("small"), listed, "iterations");
}

/// Runs that a query finds are those of the table.
fn outcomes(history: &History) {
    let runs = history.runs();
    for outcome in Outcome::ALL {
        let query = Query::parse(&format!("outcome:{}", outcome.as_str())).expect("a query");
        let counted = runs.iter().filter(|run| run.outcome == outcome).map(|run| run.id);
        assert_eq!(history.find_runs(&query), counted.collect::<Vec<_>>(), "{outcome:?}");
    }
}

/// Findings stand in their source, say what they should, and are those of the groups.
fn findings(history: &History, files: &[Input]) {
    let findings = history.findings();
    assert_eq!(findings.len(), history.finding_count());
    let groups = history.finding_groups();
    let counted: usize = groups.iter().map(|group| group.count as usize).sum();
    assert_eq!(findings.len(), counted, "findings of groups");
    for first in groups.iter().flat_map(|group| &group.first) {
        assert!(findings.contains(first), "only a group has {first:?}");
    }
    for source in history.sources() {
        let is_said = findings.iter().any(|f| f.source == Some(source.id));
        assert!(source.skipped == 0 || is_said, "skipped without a finding: {source:?}");
    }
    let mut places = Places::default();
    for finding in &findings {
        let source = finding.source.expect("every finding names its source");
        let bytes = &files[source.0 as usize].bytes[..];
        let len = bytes.len() as u64;
        assert!(finding.offset.is_some_and(|at| at <= len), "{finding:?} in {len} bytes");
        let (line, column) = (finding.line.unwrap_or(0), finding.column.unwrap_or(0));
        assert!(line > 0 && column > 0, "{finding:?}");
        let at = finding.offset.unwrap_or(0);
        let view = history.source(source).expect("it is open");
        // Columns behind broken bytes are near enough.
        if view.encoding == hindscope::Encoding::Utf8 && std::str::from_utf8(bytes).is_ok() {
            assert_eq!((line, column), places.of(source, at, files), "{finding:?}");
        }
        assert!(says_what_it_should(finding), "{finding:?}");
    }
}

/// Lines and columns of offsets. Ascending questions cost each byte once.
#[derive(Default)]
struct Places {
    source: Option<SourceId>,
    at: usize,
    line: u32,
    column: u32,
}

impl Places {
    fn of(&mut self, source: SourceId, at: u64, files: &[Input]) -> (u32, u32) {
        let bytes = &files[source.0 as usize].bytes;
        let at = usize::try_from(at).expect("small");
        if self.source != Some(source) || at < self.at {
            let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            *self = Self { source: Some(source), at: mark, line: 1, column: 1 };
        }
        let text = String::from_utf8_lossy(bytes.get(self.at..at).unwrap_or_default());
        for c in text.chars() {
            let units = u32::try_from(c.len_utf16()).expect("one or two");
            (self.line, self.column) =
                if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + units) };
        }
        self.at = self.at.max(at);
        (self.line, self.column)
    }
}

/// A finding about a value says what it expects and what stands there, and no finding is as long as the
/// values that it is about.
fn says_what_it_should(finding: &Finding) -> bool {
    let texts = [
        Some(&*finding.message),
        finding.expected.as_deref(),
        finding.found.as_deref(),
        finding.hint.as_deref(),
    ];
    if texts.into_iter().flatten().any(|text| text.chars().count() > LONGEST) {
        return false;
    }
    let is_of_value = ["strict/", "lenient/", "rm/"].iter().any(|a| finding.rule.starts_with(a));
    !is_of_value || (finding.expected.is_some() && finding.found.is_some())
}

/// Every record can be looked at, by the bytes of its span.
fn records(history: &History, files: &[Input]) {
    for id in ids(history) {
        let bytes = bytes_of(history, files, id);
        history.raw_text(id, bytes).expect("these are its bytes");
        if let Err(error) = history.inspect(id, 0, bytes) {
            let span = history.locate(id).expect("it was counted");
            panic!("cannot be looked at, {error}: {span:?}");
        }
    }
}

/// Whatever a record is said to be, and whatever the schema: an answer that makes sense.
pub(super) fn judge(bytes: &[u8], own: &Validator) {
    let profiles = [Profile::Strict, Profile::Lenient];
    let ours = Schema::ALL.into_iter().flat_map(|s| profiles.map(|p| validate_as(bytes, s, p)));
    for answer in ours.chain([own.validate(bytes)]) {
        assert!(answer.valid || !answer.findings.is_empty(), "invalid without a word");
        assert!(answer.findings.is_sorted_by_key(|f| f.offset), "findings out of order");
        for finding in &answer.findings {
            assert!(says_what_it_should(finding), "{finding:?}");
            let at = finding.offset.expect("findings of a record have places");
            assert!(at <= bytes.len() as u64, "{finding:?}");
        }
    }
}
