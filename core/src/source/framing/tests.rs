use super::*;

/// All frames of `text`, pushed in slices of `step` bytes, as text.
fn frames(text: &str, step: usize) -> (Vec<String>, Option<Framing>) {
    let mut framer = Framer::new(|_| false);
    let mut kept = Vec::new();
    let mut out = Vec::new();
    let mut slices = text.as_bytes().chunks(step).peekable();
    let mut is_end = slices.peek().is_none();
    loop {
        if let Some(slice) = slices.next() {
            kept.extend_from_slice(slice);
        } else {
            is_end = true;
        }
        while let Some(frame) = framer.next(&kept, is_end) {
            out.push(match frame {
                Frame::Record { start, end, content } => {
                    format!("{content:?} {}", String::from_utf8_lossy(&kept[start..end]))
                }
                Frame::Note { rule, .. } => rule.to_owned(),
                Frame::Conflict => {
                    let rest = &kept[framer.release()..];
                    out.push(format!("Conflict {}", String::from_utf8_lossy(rest)));
                    return (out, framer.framing());
                }
                Frame::Quoted { start } => {
                    format!("Quoted {}", String::from_utf8_lossy(&kept[start..]))
                }
            });
        }
        let done = framer.release();
        kept.drain(..done);
        if is_end {
            return (out, framer.framing());
        }
    }
}

#[track_caller]
fn check(text: &str, framing: Option<Framing>, expected: &[&str]) {
    for step in [1, 2, 3, 7, 1000] {
        let (frames, found) = frames(text, step);
        assert_eq!(frames, expected, "in slices of {step}");
        assert_eq!(found, framing, "in slices of {step}");
    }
}

#[test]
fn one_document() {
    check("{\"a\":{\n}}\n", Some(Framing::Json), &["Value {\"a\":{\n}}"]);
    check("{\"a\":\"}\\\"{\"}", Some(Framing::Json), &["Value {\"a\":\"}\\\"{\"}"]);
    check("[1,2]", Some(Framing::Json), &["Value [1,2]"]);
}

#[test]
fn lines() {
    check(
        "{\"a\":1}\n\n{\"b\":2}\r\n{\"c\"",
        Some(Framing::Jsonl),
        &["Value {\"a\":1}", "Line {\"b\":2}", "LastLine {\"c\""],
    );
}

#[test]
fn lines_with_a_broken_first_one() {
    check("{\"a\":1\n{\"b\":2}\n", Some(Framing::Jsonl), &["Line {\"a\":1", "Line {\"b\":2}"]);
    // What asks for more may be a document; what never ends is none.
    check("{\"a\":\n{\"b\":2}\n", Some(Framing::Jsonl), &["Line {\"a\":", "Line {\"b\":2}"]);
    check("{\"a\":\n{\"b\":2}}\n", Some(Framing::Json), &["Value {\"a\":\n{\"b\":2}}"]);
    check(
        "{\"a\":[\n{\"b\":2},\n{\"c\":3}\n]}",
        Some(Framing::Json),
        &["Value {\"a\":[\n{\"b\":2},\n{\"c\":3}\n]}"],
    );
    check(
        "{\"a\":\"cut\n{\"b\":2}\n",
        Some(Framing::Jsonl),
        &["Line {\"a\":\"cut", "Line {\"b\":2}"],
    );
    check(
        "n\":3}\n{\"b\":2}\n{\"c\":3}",
        Some(Framing::Jsonl),
        &["Line n\":3}", "Value {\"b\":2}", "LastLine {\"c\":3}"],
    );
}

#[test]
fn prose_before_and_fences_around() {
    check(
        "2 loops found:\n\n{\"a\":\n1}",
        Some(Framing::Json),
        &["json/leading-text", "Value {\"a\":\n1}"],
    );
    check("```json\n{\"a\":\n1}\n```\n", Some(Framing::Json), &["json/fence", "Value {\"a\":\n1}"]);
    check(
        "```jsonl\n{\"a\":1}\n{\"b\":2}\n```",
        Some(Framing::Jsonl),
        &["json/fence", "Value {\"a\":1}", "Line {\"b\":2}"],
    );
    check("```yaml\na: 1\n```\n", None, &["json/fence", "Document a: 1\n"]);
    check("# Title\n\nprose\n{\"a\":1}\n", None, &["Document # Title\n\nprose\n{\"a\":1}\n"]);
}

#[test]
fn arrays() {
    check(
        "[\n{\"a\":1},\n {\"b\":[2]} ]\n",
        Some(Framing::JsonArray),
        &["Item {\"a\":1}", "Item {\"b\":[2]}"],
    );
    check("[]", Some(Framing::JsonArray), &[]);
    check("[{\"a\":1},]", Some(Framing::JsonArray), &["Item {\"a\":1}", "json/trailing-comma"]);
    check("[{\"a\":1},{\"b\":", Some(Framing::JsonArray), &["Item {\"a\":1}", "CutValue {\"b\":"]);
    check("[{\"a\":1}", Some(Framing::JsonArray), &["Item {\"a\":1}", "json/truncated"]);
    check(
        "[{\"a\":1},7,\"x,]\"]",
        Some(Framing::JsonArray),
        &["Item {\"a\":1}", "Item 7", "Item \"x,]\""],
    );
    check(
        "[{\"a\":1} {\"b\":2}]",
        Some(Framing::JsonArray),
        &["Item {\"a\":1}", "json/syntax", "Item {\"b\":2}"],
    );
}

#[test]
fn broken_items_end_where_the_next_begins() {
    check(
        "[{\"a\":1},{\"a\":\"x},{\"a\":3},{\"a\":4}]",
        Some(Framing::JsonArray),
        &["Item {\"a\":1}", "Item {\"a\":\"x}", "Item {\"a\":3}", "Item {\"a\":4}"],
    );
    check(
        "[\n {\"a\":{\"b\":1}},\n {\"a\":{\"b\":2},\n {\"a\":{\"b\":3}},\n {\"a\":4\n]",
        Some(Framing::JsonArray),
        &[
            "Item {\"a\":{\"b\":1}}",
            "Item {\"a\":{\"b\":2}",
            "Item {\"a\":{\"b\":3}}",
            "Item {\"a\":4\n]",
            "json/truncated",
        ],
    );
}

#[test]
fn concatenated_and_cut() {
    check(
        "{\"a\":1}{\"b\":\n2}",
        Some(Framing::Json),
        &["Value {\"a\":1}", "json/concatenated", "Value {\"b\":\n2}"],
    );
    check(
        "{\n\"a\":1}\n\n{\"b\":2}",
        Some(Framing::Json),
        &["Value {\n\"a\":1}", "json/concatenated", "Value {\"b\":2}"],
    );
    check("{\n\"a\":1}\ngarbage\n", Some(Framing::Json), &["Value {\n\"a\":1}", "Line garbage"]);
    check("{\"a\":[1", Some(Framing::Json), &["CutValue {\"a\":[1"]);
}

#[test]
fn yaml_documents() {
    check(
        "# c\n---\na: 1\n---\nb: 2\n...\n",
        None,
        &["Document # c\n---\na: 1\n", "Document ---\nb: 2\n"],
    );
    check("plain text", None, &["Document plain text"]);
    check(" \n", None, &[]);
}

const MARK: &str = "\u{feff}";

#[test]
fn marks_of_joined_files() {
    check(
        &format!("{{\"a\":1}}\n{MARK}{{\"b\":2}}\n"),
        Some(Framing::Jsonl),
        &["Value {\"a\":1}", "text/bom", "Line {\"b\":2}"],
    );
    check(
        &format!("{{\"a\":1}}\n{{\"b\":2}}\n{MARK}{{\"c\":3}}"),
        Some(Framing::Jsonl),
        &["Value {\"a\":1}", "Line {\"b\":2}", "text/bom", "LastLine {\"c\":3}"],
    );
    check(
        &format!("{{\n}}{MARK}{{\"b\":2}}"),
        Some(Framing::Json),
        &["Value {\n}", "text/bom", "json/concatenated", "Value {\"b\":2}"],
    );
    check(
        &format!("[{{\"a\":1}},{MARK}{{\"b\":2}}]{MARK}"),
        Some(Framing::JsonArray),
        &["Item {\"a\":1}", "text/bom", "Item {\"b\":2}", "text/bom"],
    );
    check(
        &format!("{MARK}a: 1\n{MARK}---\nb: 2\n"),
        None,
        &["text/bom", "Document a: 1\n", "text/bom", "Document ---\nb: 2\n"],
    );
    // What only begins like one.
    check("{\"a\":1}\n\u{fee0}", Some(Framing::Jsonl), &["Value {\"a\":1}", "LastLine \u{fee0}"]);
}

#[test]
fn lone_returns_end_lines_where_nothing_else_does() {
    check(
        "{\"a\":1}\r{\"b\":2}\r{\"c\":\r{\"d\":4}\r",
        Some(Framing::Jsonl),
        &["Value {\"a\":1}", "Line {\"b\":2}", "Line {\"c\":", "Line {\"d\":4}"],
    );
    check(
        "{\"a\":1\r{\"b\":2}\r{\"c\":3}\r",
        Some(Framing::Jsonl),
        &["Line {\"a\":1", "Line {\"b\":2}", "Line {\"c\":3}"],
    );
    check("{\"a\":\r1}\r", Some(Framing::Json), &["Value {\"a\":\r1}"]);
    check(
        "{\"a\":1}\r\n{\"b\":\r2}\r\n",
        Some(Framing::Jsonl),
        &["Value {\"a\":1}", "Line {\"b\":\r2}"],
    );
    check("a: 1\r---\rb: 2\r", None, &["Document a: 1\r", "Document ---\rb: 2\r"]);
}

#[test]
fn long_prose_and_prose_before_arrays() {
    let prose = "a line of output: 1\n".repeat(12);
    check(
        &format!("{prose}{{\"a\":1}}\n"),
        Some(Framing::Json),
        &["json/leading-text", "Value {\"a\":1}"],
    );
    check(
        "2 found:\n[\n{\"a\":1}\n]",
        Some(Framing::JsonArray),
        &["json/leading-text", "Item {\"a\":1}"],
    );
    check("started\n[12:01] ended\n", None, &["Document started\n[12:01] ended\n"]);
}

#[test]
fn arrays_may_begin_with_scalars() {
    check("[null,{\"a\":1}]", Some(Framing::JsonArray), &["Item null", "Item {\"a\":1}"]);
    check(
        "[\"{\", 1,{\"a\":1}]",
        Some(Framing::JsonArray),
        &["Item \"{\"", "Item 1", "Item {\"a\":1}"],
    );
    check("[[{\"a\":1}]]", Some(Framing::Json), &["Value [[{\"a\":1}]]"]);
}

#[test]
fn conflicts() {
    let lines = "<<<<<<< HEAD\n{\"b\":2}\n=======\n{\"c\":3}\n>>>>>>> b\n{\"d\":4}\n";
    let conflict = format!("Conflict {lines}");
    check(&format!("{{\"a\":1}}\n{lines}"), Some(Framing::Jsonl), &["Value {\"a\":1}", &conflict]);
    check(lines, None, &[&conflict]);
    let rest = "{\n\"a\":1,\n<<<<<<< HEAD\n\"b\":2\n=======\n\"b\":3\n>>>>>>> b\n}\n";
    check(rest, None, &[&format!("Conflict {rest}")]);
    check(
        "[{\"a\":1},\n<<<<<<< HEAD\n{\"b\":2}\n=======\n{\"c\":3}\n>>>>>>> b\n]",
        Some(Framing::JsonArray),
        &[
            "Item {\"a\":1}",
            "Conflict ,\n<<<<<<< HEAD\n{\"b\":2}\n=======\n{\"c\":3}\n>>>>>>> b\n]",
        ],
    );
    let yaml = "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> b\n";
    check(yaml, None, &[&format!("Conflict {yaml}")]);
    check("Title\n=======\ntext\n", None, &["Document Title\n=======\ntext\n"]);
}

#[test]
fn a_document_may_be_a_string() {
    check("\"# A\\n\\ntext\"\n", None, &["Quoted \"# A\\n\\ntext\"\n"]);
    check("\"a\" and \"b\"", None, &["Document \"a\" and \"b\""]);
}

#[test]
fn many_documents_need_not_be_kept_at_once() {
    let text = "a: 1\n---\nb: 2\n---\nc: 3\n";
    let mut framer = Framer::new(|_| false);
    assert!(framer.next(text.as_bytes(), false).is_none());
    assert!(framer.divide(text.as_bytes()));
    let mut documents = Vec::new();
    while let Some(Frame::Record { start, end, .. }) = framer.next(text.as_bytes(), false) {
        documents.push(&text[start..end]);
    }
    assert_eq!(documents, ["a: 1\n", "---\nb: 2\n"]);
    assert_eq!(framer.release(), text.len() - "---\nc: 3\n".len());
}
