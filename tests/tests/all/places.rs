//! Every record that is listed is shown again from the bytes of its place, however its file was
//! encoded or damaged.

use std::fmt::Debug;

use hindscope::{History, Profile, RecordId, SourceId};
use hindscope_tests::{Input, bytes_of, fixtures, open_as, read, shared};

type Change = fn(&[u8]) -> Vec<u8>;

/// What can befall a file on its way.
const CHANGES: [(&str, Change); 12] = [
    ("as it is", <[u8]>::to_vec),
    ("with a byte order mark", |bytes| [b"\xef\xbb\xbf", bytes].concat()),
    ("in UTF-16", |bytes| utf16(bytes, u16::to_le_bytes)),
    ("in UTF-16, the high byte first", |bytes| utf16(bytes, u16::to_be_bytes)),
    ("in UTF-16, cut inside of a unit", |bytes| cut(&utf16(bytes, u16::to_le_bytes), 1, 2, 1)),
    ("cut early", |bytes| cut(bytes, 1, 3, 0)),
    ("cut late", |bytes| cut(bytes, 1, 1, 3)),
    ("with bytes that are no UTF-8", |bytes| with(bytes, b'e', b"e\xff")),
    ("with line ends of Windows", |bytes| with(bytes, b'\n', b"\r\n")),
    ("with a conflict", |bytes| {
        [b"<<<<<<< ours\n", bytes, b"\n=======\n", bytes, b"\n>>>>>>> theirs\n"].concat()
    }),
    ("as one JSON string", quoted),
    ("as one JSON string in UTF-16", |bytes| utf16(&quoted(bytes), u16::to_le_bytes)),
];

fn utf16(bytes: &[u8], unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').encode_utf16();
    [0xfeff].into_iter().chain(text).flat_map(unit).collect()
}

/// A share of the bytes, less some of them.
fn cut(bytes: &[u8], part: usize, parts: usize, less: usize) -> Vec<u8> {
    bytes[..(bytes.len() * part / parts).saturating_sub(less)].to_vec()
}

fn with(bytes: &[u8], byte: u8, instead: &[u8]) -> Vec<u8> {
    let other = |b: &u8| if *b == byte { instead.to_vec() } else { vec![*b] };
    bytes.iter().flat_map(other).collect()
}

fn quoted(bytes: &[u8]) -> Vec<u8> {
    serde_json::to_vec(&String::from_utf8_lossy(bytes)).expect("it is text")
}

/// Every record and part that cannot be shown.
fn hidden(history: &History, files: &[Input]) -> Vec<String> {
    let mut parts: Vec<_> =
        (0..).take(history.record_count()).map(|id| (RecordId(id), 0)).collect();
    for view in history.runs() {
        let run = history.run(view.id).expect("it is listed");
        parts.extend(run.iterations().iter().map(|step| (step.record, step.part)));
        parts.extend(run.reflections().iter().map(|at| (at.record, at.part)));
    }
    let hidden = parts.into_iter().filter_map(|(id, part)| {
        let bytes = bytes_of(history, files, id);
        let shown = history.inspect(id, part, bytes).map(drop);
        let shown = shown.and(history.raw_text(id, bytes).map(drop));
        let error = shown.err()?;
        Some(format!("{:?}, part {part}: {error}", history.locate(id)))
    });
    hidden.collect()
}

/// The text of a file up to an offset, and nothing if that is in the middle of a character. Each stretch of
/// broken bytes is one character.
fn text_before(bytes: &[u8], encoding: &str, offset: usize) -> Option<String> {
    let before = bytes.get(..offset)?;
    let unit: fn([u8; 2]) -> u16 = match encoding {
        "utf-16le" => u16::from_le_bytes,
        "utf-16be" => u16::from_be_bytes,
        _ => {
            let before = before.strip_prefix(b"\xef\xbb\xbf").unwrap_or(before);
            let is_inside = bytes.get(offset).is_some_and(|byte| (0x80..0xc0).contains(byte))
                && std::str::from_utf8(before).is_err_and(|error| error.error_len().is_none());
            return (!is_inside).then(|| String::from_utf8_lossy(before).into_owned());
        }
    };
    // Half a unit at the end of a file gives no character.
    let is_whole = offset.is_multiple_of(2) || offset == bytes.len();
    let units: Vec<u16> = before.as_chunks::<2>().0.iter().map(|pair| unit(*pair)).collect();
    let text = String::from_utf16_lossy(&units);
    is_whole.then(|| text.trim_start_matches('\u{feff}').to_owned())
}

/// Line and column, counted from the text before an offset.
fn counted(before: &str) -> (u32, u32) {
    let (line, last) = before.split('\n').enumerate().last().unwrap_or_default();
    let count = |n: usize| u32::try_from(n).expect("small");
    (count(line + 1), count(last.encode_utf16().count() + 1))
}

/// Records and findings that do not stand where their offsets say.
fn misplaced(history: &History, files: &[Input]) -> Vec<String> {
    let sources = history.sources();
    let mut wrong = Vec::new();
    let mut judge = |source: SourceId, offset: u64, found: (u32, u32), what: &dyn Debug| {
        let view = &sources[source.0 as usize];
        let bytes = &files[source.0 as usize].bytes;
        let at = usize::try_from(offset).expect("small");
        match text_before(bytes, view.encoding.as_str(), at).map(|before| counted(&before)) {
            Some(expected) if expected == found => {}
            expected => wrong.push(format!("{what:?} is at {expected:?} of {}", bytes.len())),
        }
    };
    for id in (0..).take(history.record_count()).map(RecordId) {
        let span = history.locate(id).expect("it is listed");
        judge(span.source, span.start, (span.line, span.column), &span);
        let len = files[span.source.0 as usize].bytes.len() as u64;
        assert!(span.start <= span.end && span.end <= len, "{span:?} of {len}");
    }
    for finding in history.findings() {
        if let (Some(source), Some(offset)) = (finding.source, finding.offset) {
            let found = (finding.line.unwrap_or(0), finding.column.unwrap_or(0));
            judge(source, offset, found, &finding);
        }
    }
    wrong
}

/// What a host sees of records, runs and findings, to compare.
fn seen(history: &History) -> Vec<String> {
    let ids = (0..).take(history.record_count()).map(RecordId);
    let spans = ids.map(|id| format!("{:?}", history.locate(id)));
    let runs = history.runs().into_iter().map(|run| format!("{run:?}"));
    let findings = history.findings().into_iter().map(|finding| format!("{finding:?}"));
    spans.chain(runs).chain(findings).collect()
}

/// The first thing that differs when the files come in slices.
fn difference(cut: &[String], whole: &[String]) -> Option<String> {
    let at = cut.iter().zip(whole).position(|(a, b)| a != b);
    let at = at.or((cut.len() != whole.len()).then_some(cut.len().min(whole.len())))?;
    Some(format!("{:?}, whole {:?}", cut.get(at), whole.get(at)))
}

/// Sizes of the slices in which a file may come, if not as a whole.
const SLICES: [usize; 4] = [1, 64, 7, 4096];

/// Opens files as they are, changed and in slices, and says what is wrong with them. Of the changed ones,
/// only the first two slices are opened, or all of them where all is tested.
fn check(name: &str, files: &[Input], changes: &[(&str, Change)]) -> Vec<String> {
    let is_all = std::env::var_os("HINDSCOPE_ALL").is_some();
    let mut wrong = Vec::new();
    for (position, (what, change)) in changes.iter().enumerate() {
        let apply = |file: &Input| Input { bytes: change(&file.bytes), ..file.clone() };
        let files: Vec<_> = files.iter().map(apply).collect();
        for profile in [Profile::Lenient, Profile::Strict] {
            let whole = open_as(&files, usize::MAX, profile);
            let found = hidden(&whole, &files).into_iter().chain(misplaced(&whole, &files));
            wrong.extend(found.map(|why| format!("{name}, {what}, {profile:?}: {why}")));
            if profile == Profile::Strict {
                continue;
            }
            let whole = seen(&whole);
            let is_thorough = is_all || position == 0;
            for slice in SLICES.into_iter().take(if is_thorough { SLICES.len() } else { 2 }) {
                let cut = open_as(&files, slice, profile);
                let hidden = if is_thorough { hidden(&cut, &files) } else { Vec::new() };
                let found = difference(&seen(&cut), &whole).into_iter().chain(hidden);
                let at = format!("{name}, {what}, in slices of {slice}");
                wrong.extend(found.map(|why| format!("{at}: {why}")));
            }
        }
    }
    wrong
}

fn report(wrong: &[String]) {
    let first: Vec<_> = wrong.iter().take(100).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} are wrong, among them:\n{}", wrong.len(), first.join("\n"));
}

#[test]
fn every_record_is_shown_from_its_place() {
    let fixtures = fixtures().expect("fixtures can be read");
    let wrong: Vec<_> = fixtures.iter().flat_map(|f| check(&f.name, &f.files, &CHANGES)).collect();
    report(&wrong);
}

/// What was published, where it lies beside the clone.
#[test]
fn every_real_record_is_shown_from_its_place() {
    let Some(shared) = shared("") else { return };
    let mut wrong = Vec::new();
    for folder in shared.read_dir().expect("it can be listed") {
        let folder = folder.expect("it can be listed").path();
        let files = read(&folder).expect("it can be read");
        wrong.extend(check(&folder.display().to_string(), &files, &CHANGES[..3]));
    }
    report(&wrong);
}
