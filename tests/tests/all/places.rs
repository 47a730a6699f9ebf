//! Every record that is listed is shown again from the bytes of its place, however its file was
//! encoded or damaged.

use hindscope::{History, Profile, RecordId};
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
        let error = shown.err()?;
        Some(format!("{:?}, part {part}: {error}", history.locate(id)))
    });
    hidden.collect()
}

fn check(name: &str, files: &[Input], changes: &[(&str, Change)]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (what, change) in changes {
        let apply = |file: &Input| Input { bytes: change(&file.bytes), ..file.clone() };
        let files: Vec<_> = files.iter().map(apply).collect();
        for profile in [Profile::Lenient, Profile::Strict] {
            let hidden = hidden(&open_as(&files, usize::MAX, profile), &files);
            wrong.extend(
                hidden.into_iter().map(|why| format!("{name}, {what}, {profile:?}: {why}")),
            );
        }
    }
    wrong
}

#[test]
fn every_record_is_shown_from_its_place() {
    let fixtures = fixtures().expect("fixtures can be read");
    let wrong: Vec<_> = fixtures.iter().flat_map(|f| check(&f.name, &f.files, &CHANGES)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
