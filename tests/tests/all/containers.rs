//! Archives: what comes out of them, what is refused, and why.

use hindscope::{RefusalKind, SourceState, UnpackLimits, Unpacked, Unpacker};
use hindscope_tests::archive::{
    Given, Tar, Zip, ZipEntry, gzip, open_archive, unpack, unpack_with, unpack_within,
};

const LINE: &[u8] =
    br#"{"trial_number":1,"loop_id":"a","outcome":"failure","reflection":"Too fast."}"#;

fn paths(given: &[Given]) -> Vec<&str> {
    given.iter().map(|given| given.entry.path.as_str()).collect()
}

fn one(given: &[Given]) -> &Given {
    assert_eq!(given.len(), 1, "{:?}", paths(given));
    &given[0]
}

/// Text that no packer makes much smaller.
fn noise(len: usize) -> Vec<u8> {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        b'a' + u8::try_from(seed % 26).expect("a letter")
    };
    (0..len).map(|_| next()).collect()
}

#[test]
fn a_zip_in_the_order_of_its_names() {
    let archive = Zip::default()
        .with(&ZipEntry::deflated("runs/trial_10.json", LINE))
        .with(&ZipEntry::stored("runs/trial_9.json", LINE))
        .with(&ZipEntry::stored("runs/", b""))
        .with(&ZipEntry::stored("runs/.DS_Store", b"litter"))
        .with(&ZipEntry::stored("__MACOSX/runs/._trial_9.json", b"litter"))
        .with(&ZipEntry::deflated("runs/.aiwg/long.txt", &noise(700_000)))
        .finish();
    let given = unpack("in/a.zip", &archive);
    assert_eq!(
        paths(&given),
        [
            "in/a.zip/runs/.aiwg/long.txt",
            "in/a.zip/runs/trial_9.json",
            "in/a.zip/runs/trial_10.json"
        ]
    );
    assert_eq!((given[0].bytes.len(), &given[1].bytes[..]), (700_000, LINE));
    assert_eq!(given[2].bytes, LINE);
    assert!(given.iter().all(|given| given.refusal.is_none()));
    assert_eq!(given[0].entry.stored_at, None);
    let at = usize::try_from(given[1].entry.stored_at.expect("it is stored")).expect("small");
    assert_eq!(&archive[at..at + LINE.len()], LINE);
    assert_eq!(given.iter().map(|given| given.entry.number).collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn large_numbers_and_sizes_behind_the_data() {
    let wide = |entry: ZipEntry| ZipEntry { is_wide: true, ..entry };
    let archive = Zip::default()
        .with(&wide(ZipEntry::deflated("a.json", LINE)))
        .with(&wide(ZipEntry::stored("b.json", LINE)))
        .with(&ZipEntry::deflated("c.json", LINE).with_sizes_behind())
        .finish_wide();
    let given = unpack("a.zip", &archive);
    assert_eq!(paths(&given), ["a.zip/a.json", "a.zip/b.json", "a.zip/c.json"]);
    for given in given {
        assert_eq!(
            (&given.bytes[..], given.refusal, given.entry.size),
            (LINE, None, Some(LINE.len() as u64))
        );
    }
}

#[test]
fn names_of_all_times() {
    let entry = |name: &[u8], system| ZipEntry {
        name: name.to_vec(),
        system,
        ..ZipEntry::stored("", LINE)
    };
    let archive = Zip::default()
        .with(&entry(b"1-caf\x82.json", 0))
        .with(&entry("2-café.json".as_bytes(), 3))
        .with(&entry(b"3\\back\\slash.json", 0))
        .with(&entry(b"../../4.json", 3))
        .with(&entry(b"/etc/5.json", 3))
        .with(&entry(b"C:\\6.json", 0))
        .with(&entry(b"..\\7.json", 0))
        .finish();
    let given = unpack("a.zip", &archive);
    let mut names = paths(&given);
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "a.zip/../../4.json",
            "a.zip/..\\7.json",
            "a.zip//etc/5.json",
            "a.zip/1-café.json",
            "a.zip/2-café.json",
            "a.zip/3/back/slash.json",
            "a.zip/C:\\6.json"
        ]
    );
}

#[test]
fn what_cannot_be_unpacked_is_refused_with_its_reason() {
    let archive = Zip::default()
        .with(&ZipEntry { flags: 1, ..ZipEntry::deflated("1.json", LINE) })
        .with(&ZipEntry { method: 14, ..ZipEntry::stored("2.json", LINE) })
        .with(&ZipEntry { mode: 0o120_777, ..ZipEntry::stored("3.json", b"/etc/passwd") })
        .with(&ZipEntry::stored("4.json", LINE))
        .finish();
    let (history, given) = open_archive("a.zip", &archive);
    let words = ["encrypted", "LZMA", "link"];
    for (given, word) in given.iter().zip(words) {
        assert_eq!(given.refused(), Some(RefusalKind::Refused));
        assert!(given.reason().contains(word) && given.bytes.is_empty(), "{given:?}");
    }
    assert_eq!(given[3].bytes, LINE);
    let states: Vec<_> = history.sources().iter().map(|source| source.state).collect();
    let refused = SourceState::Refused;
    assert_eq!(states, [refused, refused, refused, SourceState::Read]);
    let rules: Vec<_> = history.findings().iter().map(|f| f.rule.to_string()).collect();
    assert_eq!(rules[..3], ["source/refused", "source/refused", "source/refused"]);
}

#[test]
fn wrong_headers_are_reported_and_the_bytes_kept() {
    let good = || ZipEntry::deflated("a.jsonl", LINE);
    for (entry, word) in [
        (ZipEntry { size: 5, ..good() }, "the archive states 5"),
        (ZipEntry { size: 1 << 40, ..ZipEntry { is_wide: true, ..good() } }, "the archive states"),
        (ZipEntry { crc: 7, ..good() }, "checksum"),
        (ZipEntry { crc: 7, ..ZipEntry::stored("a.jsonl", LINE) }, "checksum"),
    ] {
        let (history, given) = open_archive("a.zip", &Zip::default().with(&entry).finish());
        let given = one(&given);
        assert_eq!((&given.bytes[..], given.refused()), (LINE, Some(RefusalKind::Unreadable)));
        assert!(given.reason().contains(word), "{}", given.reason());
        assert_eq!((history.record_count(), history.sources()[0].kept), (1, 1));
        assert!(history.findings().iter().any(|f| f.rule == "source/unreadable"));
    }
    let mut broken = good();
    broken.packed.truncate(20);
    let given = unpack("a.zip", &Zip::default().with(&broken).finish());
    assert!(one(&given).reason().contains("before it is complete"), "{}", given[0].reason());
    broken.packed = vec![0xff; 20];
    let given = unpack("a.zip", &Zip::default().with(&broken).finish());
    assert!(one(&given).reason().contains("damaged"), "{}", given[0].reason());
}

#[test]
fn a_zip_without_its_directory_is_read_from_its_start() {
    let zip = || {
        Zip::default()
            .with(&ZipEntry::deflated("a.json", LINE).with_sizes_behind())
            .with(&ZipEntry::stored("b.json", LINE))
            .with(&ZipEntry::deflated("c.txt", &noise(50_000)))
    };
    let whole = zip().finish();
    let given = unpack("a.zip", &whole[..whole.len() - 150]);
    assert_eq!(paths(&given), ["a.zip/a.json", "a.zip/b.json", "a.zip/c.txt", "a.zip"]);
    assert!(given[..3].iter().all(|given| given.refusal.is_none()));
    assert_eq!((&given[0].bytes[..], &given[1].bytes[..]), (LINE, LINE));
    assert!(given[3].reason().contains("3 entries were found"), "{}", given[3].reason());

    let given = unpack("a.zip", &whole[..10_000]);
    assert_eq!(paths(&given), ["a.zip/a.json", "a.zip/b.json", "a.zip/c.txt", "a.zip"]);
    assert_eq!(given[2].refused(), Some(RefusalKind::Unreadable));
    assert!(given[2].reason().contains("ends inside it"), "{}", given[2].reason());
    assert!(noise(50_000).starts_with(&given[2].bytes) && given[2].bytes.len() > 10_000);
}

#[test]
fn tar_of_every_flavour() {
    let long = format!("{}/{}.json", "folder".repeat(20), "name".repeat(30));
    let archive = Tar::default()
        .folder("runs/")
        .file("./runs/a.json", LINE)
        .old_file("runs/b.json", b"")
        .file("deep/er//prefix//c.json", LINE)
        .pax(&[("path", "runs/é.json"), ("mtime", "1.5"), ("size", "9")])
        .file("cut off", &LINE[..9])
        .long_name(&long)
        .file("cut off too", LINE)
        .file("runs/._a.json", b"litter")
        .file("../../up.json", LINE)
        .finish();
    let given = unpack("a.tar", &archive);
    let names = paths(&given);
    let long = format!("a.tar/{long}");
    assert_eq!(
        names,
        [
            "a.tar/runs/a.json",
            "a.tar/runs/b.json",
            "a.tar/deep/er/c.json",
            "a.tar/runs/é.json",
            &long,
            "a.tar/../../up.json"
        ]
    );
    assert_eq!((&given[0].bytes[..], &given[1].bytes[..]), (LINE, &b""[..]));
    assert_eq!((given[3].bytes.len(), &given[4].bytes[..]), (9, LINE));
    for given in &given {
        let at = usize::try_from(given.entry.stored_at.expect("tar packs nothing")).expect("small");
        assert_eq!(archive[at..at + given.bytes.len()], given.bytes);
    }
    let packed = unpack("a.tgz", &gzip(&archive, None));
    assert_eq!(packed.len(), given.len());
    for (packed, plain) in packed.iter().zip(&given) {
        assert_eq!((&packed.bytes, packed.entry.size), (&plain.bytes, plain.entry.size));
        assert_eq!(packed.entry.path.replace("a.tgz/", "a.tar/"), plain.entry.path);
        assert_eq!((packed.entry.stored_at, &packed.refusal), (None, &None));
    }
}

#[test]
fn links_and_devices_are_reported() {
    let archive = Tar::default()
        .special("hard", b'1', "a.json")
        .special("soft", b'2', "/etc/passwd")
        .special("device", b'3', "")
        .special("pipe", b'6', "")
        .special("strange", b'Z', "")
        .pax(&[("GNU.sparse.major", "1")])
        .file("sparse", LINE)
        .file("a.json", LINE)
        .finish();
    let given = unpack("a.tar", &archive);
    assert_eq!(given.len(), 7);
    let words = [
        "link to a.json",
        "link to /etc/passwd",
        "device",
        "pipe",
        "entry type is unknown",
        "sparse",
    ];
    for (given, word) in given.iter().zip(words) {
        assert!(given.reason().contains(word) && given.bytes.is_empty(), "{given:?}");
        assert_eq!(given.refused(), Some(RefusalKind::Refused));
    }
    assert_eq!(given[6].bytes, LINE);
}

#[test]
fn a_damaged_tar_gives_what_is_whole() {
    let whole = Tar::default().file("a.json", LINE).file("b.txt", &noise(5000)).finish();
    let given = unpack("a.tar", &whole[..2000]);
    assert_eq!(paths(&given), ["a.tar/a.json", "a.tar/b.txt"]);
    assert!(given[1].reason().contains("ends inside it"));
    assert_eq!(given[1].bytes, noise(5000)[..2000 - 1536]);
    let given = unpack("a.tgz", &gzip(&whole, None)[..3000]);
    assert_eq!(paths(&given), ["a.tgz/a.json", "a.tgz/b.txt", "a.tgz"]);
    assert!(given[1].reason().contains("ends inside it") && given[2].refusal.is_some());
    let given = unpack(
        "a.tar",
        &Tar::default().file("a.json", LINE).raw(&[7; 1024]).file("b.json", LINE).finish(),
    );
    assert_eq!(paths(&given), ["a.tar/a.json", "a.tar/b.json", "a.tar"]);
    assert!(given[2].reason().contains("damaged from byte 1024"), "{}", given[2].reason());
    // Without the zeros at its end it is complete all the same.
    let given = unpack("a.tar", &whole[..whole.len() - 1024]);
    assert!(given.iter().all(|given| given.refusal.is_none()) && given.len() == 2);
}

#[test]
fn gzip_is_the_file_that_it_holds() {
    let mut twice = gzip(LINE, Some("log.jsonl"));
    twice.extend(gzip(b"\n", None));
    twice.extend(gzip(LINE, Some("other")));
    let given = unpack("runs/log.jsonl.gz", &twice);
    assert_eq!(one(&given).entry.path, "runs/log.jsonl");
    assert_eq!(given[0].bytes, [LINE, b"\n", LINE].concat());
    assert_eq!(given[0].refusal, None);
    let given = unpack("x.gz", &gzip(LINE, Some("log.jsonl")));
    assert_eq!(one(&given).entry.path, "x.gz/log.jsonl");
    let given = unpack("log.gz", &twice[..twice.len() - 3]);
    assert!(one(&given).reason().contains("checksum"), "{}", given[0].reason());
    let given = unpack("empty.gz", &gzip(b"", None));
    assert_eq!((paths(&given), given[0].bytes.len()), (vec!["empty"], 0));
}

#[test]
fn gzip_inside_is_opened_and_other_archives_are_listed() {
    let zip = Zip::default().with(&ZipEntry::stored("a.json", LINE)).finish();
    let tar = Tar::default().file("a.json", LINE).finish();
    let twice = gzip(&gzip(LINE, None), None);
    let files: [(&str, &[u8]); 5] = [
        ("1.json.gz", &gzip(LINE, Some("1.json"))),
        ("2.zip", &zip),
        ("3.tar", &tar),
        ("4.tar.gz", &gzip(&tar, None)),
        ("5.gz", &twice),
    ];
    let mut outer = (Zip::default(), Tar::default());
    for (name, bytes) in files {
        outer = (outer.0.with(&ZipEntry::deflated(name, bytes)), outer.1.file(name, bytes));
    }
    let tar = outer.1.finish();
    for (path, archive) in [
        ("x.zip", outer.0.finish()),
        ("x.tar", tar.clone()),
        ("x.tar.gz", gzip(&tar, Some("x.tar"))),
    ] {
        let given = unpack(path, &archive);
        let inner = |name: &str| format!("{path}/{name}");
        assert_eq!(
            paths(&given),
            [inner("1.json"), inner("2.zip"), inner("3.tar"), inner("4.tar"), inner("5")]
        );
        assert_eq!((&given[0].bytes[..], &given[0].refusal), (LINE, &None), "{path}");
        for (given, word) in given[1..].iter().zip(["zip", "tar", "tar", "gzip"]) {
            assert_eq!(given.refused(), Some(RefusalKind::Refused), "{path}");
            assert!(given.reason().contains(word) && given.reason().contains("inside another"));
            assert!(given.bytes.is_empty());
        }
    }
    let given = unpack("x.gz", &twice);
    assert!(one(&given).reason().contains("gzip data inside another"), "{given:?}");
}

#[test]
fn bombs_stop_where_they_grow() {
    let zeros = vec![b' '; 70 << 20];
    let bomb = ZipEntry::deflated("1.json", &zeros);
    let archive = Zip::default().with(&bomb).with(&ZipEntry::stored("2.json", LINE)).finish();
    assert!(archive.len() < 80 << 10);
    let (history, given) = open_archive("a.zip", &archive);
    assert_eq!(given[0].refused(), Some(RefusalKind::Bomb));
    let made = given[0].bytes.len();
    assert!((64 << 20..66 << 20).contains(&made), "{made} bytes");
    assert_eq!((&given[1].bytes[..], &given[1].refusal), (LINE, &None), "the next one is opened");
    assert!(history.findings().iter().any(|f| f.rule == "container/bomb"));

    let tar = Tar::default().file("1.json", &zeros).file("2.json", LINE).finish();
    let given = unpack("a.tgz", &gzip(&tar, None));
    assert_eq!(paths(&given), ["a.tgz/1.json", "a.tgz"]);
    assert_eq!(given[0].refused(), Some(RefusalKind::Bomb));
    assert!(given[1].reason().contains("the rest of the archive"), "{}", given[1].reason());

    // Packed twice: neither layer is above the ratio of the other by much.
    let limits = UnpackLimits { ratio: 100, ratio_after: 1 << 20, ..UnpackLimits::default() };
    let inner = gzip(&zeros[..10 << 20], None);
    let archive = Zip::default().with(&ZipEntry::deflated("1.gz", &inner)).finish();
    let given = unpack_within("a.zip", &archive, limits);
    assert_eq!((paths(&given), given[0].refused()), (vec!["a.zip/1"], Some(RefusalKind::Bomb)));
    assert!(given[0].bytes.len() < 2 << 20);
}

#[test]
fn bytes_of_a_zip_are_unpacked_once() {
    let json = ZipEntry::deflated("1.json", LINE);
    let called = |name: &str| ZipEntry { name: name.into(), ..json.clone() };
    // All at one place: the first one listed is read.
    let zip = Zip::default().with(&json);
    let zip = ["2.json", "3.json"].iter().fold(zip, |zip, name| zip.listing(&called(name), 0));
    let (history, given) = open_archive("a.zip", &zip.finish());
    assert_eq!((&given[0].bytes[..], &given[0].refusal), (LINE, &None));
    for other in &given[1..] {
        assert_eq!((other.refused(), other.bytes.len()), (Some(RefusalKind::Bomb), 0));
        assert!(other.reason().contains("another entry"), "{}", other.reason());
    }
    assert_eq!(history.findings().iter().filter(|f| f.rule == "container/bomb").count(), 2);

    // A header, its data and all, within the data of another entry, and where an extra field would be.
    let inner = Zip::default().with(&json).finish();
    let outer = ZipEntry::stored("0.json", &inner);
    let at = 30 + outer.name.len() as u64;
    let zip = Zip::default().with(&outer).listing(&json, at).finish();
    assert_eq!(unpack("a.zip", &zip)[0].refused(), Some(RefusalKind::Bomb));
    assert_eq!(unpack("a.zip", &zip)[1].bytes, LINE);
    let mut quoted = Zip::default().with(&ZipEntry::stored("0.json", b"{}")).with(&json);
    quoted = quoted.with(&called("2.json"));
    let mut zip = quoted.finish();
    zip[28..30].copy_from_slice(&20u16.to_le_bytes());
    let given = unpack("a.zip", &zip);
    let refused: Vec<bool> = given.iter().map(|given| given.refused().is_some()).collect();
    assert_eq!(refused, [true, false, false]);
}

/// Entries in another order than that of their names: what is read grows as the archive does.
#[test]
fn what_is_read_of_an_archive_grows_with_it() {
    let names: Vec<String> = (0..500).map(|n| format!("{}.json", n * 7919 % 500)).collect();
    let long = noise(6000);
    let add = |zip: Zip, name: &String| zip.with(&ZipEntry::stored(name, &long));
    let archive = names.iter().fold(Zip::default(), add).finish();
    let mut unpacker = Unpacker::new("a.zip", archive.len() as u64);
    let mut read = 0;
    loop {
        match unpacker.next() {
            Unpacked::Wants { start, end } => {
                read += end - start;
                let at = |offset| usize::try_from(offset).expect("small");
                unpacker.give(&archive[at(start)..at(end)]).expect("these are the bytes");
            }
            Unpacked::Done => break,
            _ => {}
        }
    }
    assert!(read < 5 * archive.len() as u64, "{read} bytes of {}", archive.len());
}

#[test]
fn limits_are_reported() {
    let mut zip = Zip::default();
    let mut tar = Tar::default();
    for name in 0..6 {
        zip = zip.with(&ZipEntry::stored(&name.to_string(), LINE));
        tar = tar.file(&name.to_string(), LINE);
    }
    let (zip, tar) = (zip.finish(), tar.finish());
    let entries = UnpackLimits { entries: 4, ..UnpackLimits::default() };
    for archive in [&zip, &tar, &gzip(&tar, None)] {
        let given = unpack_within("a", archive, entries);
        assert_eq!(given.len(), 5);
        assert_eq!(given[4].entry.path, "a");
        assert!(given[4].reason().contains("the limit of 4"), "{}", given[4].reason());
    }
    let total = UnpackLimits { total: 200, ..UnpackLimits::default() };
    for archive in [&zip, &tar] {
        let given = unpack_within("a", archive, total);
        assert_eq!(paths(&given)[..3], ["a/0", "a/1", "a/2"]);
        assert_eq!(given[2].refused(), Some(RefusalKind::Bomb));
        assert!(given[2].reason().contains("200 bytes"), "{}", given[2].reason());
        assert_eq!((given.len(), given[3].entry.path.as_str()), (4, "a"));
    }
}

#[test]
fn an_archive_without_files_is_reported() {
    for archive in [Zip::default().finish(), Tar::default().folder("a/").finish()] {
        let given = unpack("a", &archive);
        assert_eq!(one(&given).entry.path, "a");
        assert!(given[0].reason().contains("without any file"));
    }
}

#[test]
fn a_file_that_is_no_archive_is_itself() {
    let (_, given) = open_archive("a.json", LINE);
    assert_eq!((one(&given).entry.path.as_str(), &given[0].bytes[..]), ("a.json", LINE));
    assert_eq!(unpack("empty", b"")[0].bytes, b"");
}

#[test]
fn one_entry_can_be_read_again() {
    let files = |tar: bool| {
        let names = ["1.json", "2.json.gz", "3.zip", "4.json"];
        let zip = Zip::default().with(&ZipEntry::stored("a", LINE)).finish();
        let packed = gzip(LINE, None);
        let bytes: [&[u8]; 4] = [LINE, &packed, &zip, LINE];
        let all = names.into_iter().zip(bytes);
        if tar {
            all.fold(Tar::default(), |tar, (name, bytes)| tar.file(name, bytes)).finish()
        } else {
            all.fold(Zip::default(), |zip, (name, bytes)| {
                zip.with(&ZipEntry::deflated(name, bytes))
            })
            .finish()
        }
    };
    for archive in [files(true), files(false), gzip(&files(true), None)] {
        let all = unpack("a", &archive);
        assert_eq!(all.len(), 4);
        for given in &all {
            let unpacker = Unpacker::new("a", archive.len() as u64).only(given.entry.number);
            assert_eq!(one(&unpack_with(unpacker, &archive)), given);
        }
        let unpacker = Unpacker::new("a", archive.len() as u64).only(9);
        assert_eq!(unpack_with(unpacker, &archive), []);
    }
}

#[test]
fn the_rest_of_an_entry_can_be_left_out() {
    let long = noise(500_000);
    let tar = Tar::default().file("a", &long).file("b", LINE).finish();
    let zip =
        Zip::default().with(&ZipEntry::deflated("a", &long)).with(&ZipEntry::stored("b", LINE));
    let zip = zip.finish();
    let cut = zip[..zip.len() - 50].to_vec();
    for archive in [gzip(&tar, None), tar, zip, cut] {
        let mut unpacker = Unpacker::new("x", archive.len() as u64);
        let (mut lengths, mut ends) = (Vec::new(), 0);
        loop {
            match unpacker.next() {
                Unpacked::Wants { start, end } => {
                    let at = |offset| usize::try_from(offset).expect("small");
                    unpacker.give(&archive[at(start)..at(end)]).expect("these are the bytes");
                }
                Unpacked::Entry(_) => lengths.push(0),
                Unpacked::Data(bytes) => {
                    *lengths.last_mut().expect("it is open") += bytes.len();
                    unpacker.skip();
                }
                Unpacked::End | Unpacked::Refused(_) => ends += 1,
                Unpacked::Done => break,
            }
        }
        assert_eq!(ends, lengths.len());
        assert!(
            lengths[0] > 0 && lengths[0] < long.len() && lengths[1] == LINE.len(),
            "{lengths:?}"
        );
    }
}

#[test]
fn an_unreadable_archive_says_so() {
    let archive = Tar::default().file("a", LINE).finish();
    let mut unpacker = Unpacker::new("x", archive.len() as u64 + 100_000_000);
    let Unpacked::Wants { start, end } = unpacker.next() else { panic!("it begins by reading") };
    let wrong = unpacker.give(&archive).expect_err("too few");
    assert_eq!(wrong.code().as_str(), "wrong-bytes");
    assert_eq!(unpacker.next(), Unpacked::Wants { start, end }, "it still wants them");
    unpacker.fail("the disk is gone");
    assert!(matches!(unpacker.next(), Unpacked::Entry(entry) if entry.path == "x"));
    let refused = unpacker.next();
    assert!(matches!(&refused, Unpacked::Refused(r) if r.reason == "the disk is gone"));
    assert_eq!(unpacker.next(), Unpacked::Done);
    assert!(unpacker.give(b"").is_err());
}
