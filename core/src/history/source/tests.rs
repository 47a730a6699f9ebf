use crate::{History, Profile, Skipped, SourceId};

fn opened(path: &str, text: &str) -> (History, SourceId) {
    let mut history = History::new(Profile::Lenient);
    let source = history.open(path);
    history.push(source, text.as_bytes()).expect("open");
    history.finish(source).expect("open");
    (history, source)
}

/// The stretches that were skipped, as they stand in the file.
fn skipped<'a>(path: &str, text: &'a str) -> Vec<(&'a str, u32, u32)> {
    let (history, source) = opened(path, text);
    let stretches = history.skipped(source).expect("open");
    assert_eq!(stretches.len(), history.source(source).expect("open").skipped as usize);
    let part = |s: &Skipped| {
        let range =
            usize::try_from(s.start).expect("small")..usize::try_from(s.end).expect("small");
        (&text[range], s.line, s.column)
    };
    stretches.iter().map(part).collect()
}

const RECORD: &str = r#"{"loop_id": "ralph-a", "iteration": 1, "self_reflection": {"reflection_text": "Once more."}}"#;

#[test]
fn skipped_records_have_their_exact_stretch() {
    let text = format!("{RECORD}\n{{\"loop_id\": nope}}\n{RECORD}\n");
    assert_eq!(skipped("a.jsonl", &text), [("{\"loop_id\": nope}", 2, 1)]);
    let array = format!("[{RECORD}, {{\"hello\": 1}}, {RECORD}]");
    assert_eq!(skipped("a.json", &array), [("{\"hello\": 1}", 1, 96)]);
    assert_eq!(skipped("a.jsonl", &format!("{RECORD}\n")), []);
}

#[test]
fn a_text_without_format_is_skipped_as_a_whole() {
    let text = "# Notes\n\nNothing to see here.\n";
    assert_eq!(skipped("notes.md", text).len(), 1);
}

#[test]
fn broken_items_of_yaml_are_skipped_by_themselves() {
    let record =
        "- loop_id: ralph-a\n  iteration: 1\n  self_reflection:\n    reflection_text: Again.\n";
    let broken = "- loop_id: [\n  iteration: }\n";
    let text = format!("{record}{broken}{record}");
    let skips = skipped("a.yaml", &text);
    let [(part, 5, 1)] = skips.as_slice() else { panic!("{skips:?}") };
    assert!(part.starts_with("- loop_id: ["), "{part}");
    assert!(!part.contains("Again"), "{part}");
}

#[test]
fn ids_of_nothing_are_misuse() {
    let (history, _) = opened("a.jsonl", RECORD);
    assert!(history.skipped(SourceId(7)).is_err());
}

/// Found by fuzzing: a record was made of the first one, whose own bytes could not be read again.
#[test]
fn a_string_in_a_list_is_no_report() {
    for text in [r##"["# Loop Analytics."]"##, r##"["# Loop Analytics.",""{"##] {
        let (history, source) = opened("README.md", text);
        assert_eq!(history.source(source).expect("open").kept, 0, "{text}");
    }
}
