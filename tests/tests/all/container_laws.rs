//! Laws over archives of the fixtures: packing changes nothing, and no damage goes unsaid.

use hindscope::{History, UnpackLimits};
use hindscope_tests::archive::{Tar, Zip, ZipEntry, gzip, open_archive, unpack, unpack_within};
use hindscope_tests::{Fixture, Input, Random, fixtures, open};
use serde_json::{Value, to_value};

/// Mutants made of each archive. `HINDSCOPE_MUTANTS` asks for more.
const MUTANTS: usize = 60;

fn all() -> Vec<Fixture> {
    fixtures().expect("fixtures can be read")
}

fn stored(files: &[Input]) -> Vec<u8> {
    files
        .iter()
        .fold(Zip::default(), |zip, f| zip.with(&ZipEntry::stored(&f.name, &f.bytes)))
        .finish()
}

fn deflated(files: &[Input]) -> Vec<u8> {
    let entry = |f: &Input| ZipEntry::deflated(&f.name, &f.bytes).with_sizes_behind();
    files.iter().fold(Zip::default(), |zip, f| zip.with(&entry(f))).finish()
}

fn tar(files: &[Input]) -> Vec<u8> {
    files.iter().fold(Tar::default(), |tar, f| tar.file(&f.name, &f.bytes)).finish()
}

/// Names that a header of tar holds without any addition.
fn is_plain(fixture: &Fixture) -> bool {
    fixture.files.iter().all(|file| file.name.len() <= 100)
}

/// Everything that a history answers.
fn answers(history: &History) -> [Value; 4] {
    [
        to_value(history.sources()),
        to_value(history.groups()),
        to_value(history.runs()),
        to_value(history.findings()),
    ]
    .map(|rows| rows.expect("rows are data"))
}

/// An archive is a folder of its name.
#[test]
fn an_archive_gives_what_its_folder_gives() {
    for fixture in all().iter().filter(|fixture| is_plain(fixture)) {
        let of_tar = tar(&fixture.files);
        for (path, archive) in [
            ("a.zip", stored(&fixture.files)),
            ("a.zip", deflated(&fixture.files)),
            ("a.tar", of_tar.clone()),
            ("a.tar.gz", gzip(&of_tar, None)),
        ] {
            let inside =
                |file: &Input| Input { name: format!("{path}/{}", file.name), ..file.clone() };
            let files: Vec<_> = fixture.files.iter().map(inside).collect();
            let folder = answers(&open(&files, usize::MAX));
            let archive = answers(&open_archive(path, &archive).0);
            for (archive, folder) in archive.iter().zip(&folder) {
                assert_eq!(archive, folder, "{} in {path}", fixture.name);
            }
        }
    }
}

#[test]
fn gzip_changes_nothing_but_the_name() {
    for fixture in all() {
        for file in &fixture.files {
            let (history, _) = open_archive(&format!("{}.gz", file.name), &gzip(&file.bytes, None));
            let plain = open(std::slice::from_ref(file), usize::MAX);
            assert_eq!(answers(&history), answers(&plain), "{}", file.name);
        }
    }
}

/// Cut anywhere, an archive gives every entry that is still complete.
#[test]
fn a_prefix_keeps_its_complete_entries() {
    let fixtures = all();
    let fixture = fixtures.iter().filter(|f| is_plain(f)).max_by_key(|f| f.files.len());
    let files = &fixture.expect("there are some").files;
    for (path, archive) in [("a.zip", stored(files)), ("a.tar", tar(files))] {
        let whole = unpack(path, &archive);
        for len in (0..archive.len()).step_by((archive.len() / 300) | 1) {
            let cut = unpack(path, &archive[..len]);
            for given in &whole {
                let end =
                    given.entry.stored_at.expect("nothing is packed") + given.bytes.len() as u64;
                if end <= len as u64 {
                    let kept = cut.iter().find(|kept| kept.entry.path == given.entry.path);
                    assert_eq!(
                        kept.map(|kept| (&kept.bytes, &kept.refusal)),
                        Some((&given.bytes, &None)),
                        "{} of {path} cut at {len}",
                        given.entry.path
                    );
                }
            }
            let is_reported = cut.iter().any(|given| given.refusal.is_some()) || len < 4;
            assert!(is_reported || path == "a.tar", "{path} cut at {len} says nothing");
        }
    }
}

/// Whatever the bytes are: nothing panics, and every entry ends with its end or a reason.
#[test]
fn mutants_end_with_their_end_or_a_reason() {
    let mutants = std::env::var("HINDSCOPE_MUTANTS")
        .map_or(MUTANTS, |asked| asked.parse().expect("HINDSCOPE_MUTANTS is a number"));
    let limits = UnpackLimits { total: 8 << 20, ..UnpackLimits::default() };
    let mut random = Random(0x0123_4567_89ab_cdef);
    let mut refused = 0;
    for fixture in all().iter().filter(|fixture| is_plain(fixture)).step_by(3) {
        let packed: Vec<_> = fixture
            .files
            .iter()
            .map(|f| Input { name: format!("{}.gz", f.name), bytes: gzip(&f.bytes, Some("x")) })
            .collect();
        let of_tar = tar(&packed);
        for archive in
            [stored(&packed), deflated(&fixture.files), gzip(&of_tar, None), of_tar.clone()]
        {
            for _ in 0..mutants {
                let mut mutant = archive.clone();
                for _ in 0..=random.below(4) {
                    let at = random.below(mutant.len());
                    let to = at + random.below(mutant.len() + 1 - at).min(600);
                    match random.below(6) {
                        0 => mutant.truncate(at.max(1)),
                        1 => drop(mutant.drain(at..to)),
                        2 => {
                            let piece = mutant[at..to].to_vec();
                            mutant.splice(at..at, piece);
                        }
                        // Numbers stand at the end of a zip, and in headers: large ones lie most.
                        3 => {
                            let at = mutant.len().saturating_sub(1 + random.below(200));
                            mutant[at] = 0xff;
                        }
                        _ => mutant[at] ^= 1 << random.below(8),
                    }
                    if mutant.is_empty() {
                        mutant.push(0);
                    }
                }
                let given = unpack_within("a", &mutant, limits);
                refused += given.iter().filter(|given| given.refusal.is_some()).count();
                for (position, given) in given.iter().enumerate() {
                    assert_eq!(given.entry.number as usize, position);
                    assert!(given.refusal.as_ref().is_none_or(|r| !r.reason.is_empty()));
                    if let Some(at) = given.entry.stored_at.filter(|_| !given.bytes.is_empty()) {
                        let at = usize::try_from(at).expect("inside the archive");
                        assert_eq!(mutant[at..at + given.bytes.len()], given.bytes);
                    }
                }
                assert!(!given.is_empty(), "an archive of {} bytes vanished", mutant.len());
            }
        }
    }
    assert!(refused > 100, "the mutants are too tame: {refused}");
}
