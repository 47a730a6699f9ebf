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
        Some(Framing::JsonLines),
        &["Value {\"a\":1}", "Line {\"b\":2}", "LastLine {\"c\""],
    );
}

#[test]
fn lines_with_a_broken_first_one() {
    check("{\"a\":1\n{\"b\":2}\n", Some(Framing::JsonLines), &["Line {\"a\":1", "Line {\"b\":2}"]);
    // What asks for more may be a document; what never ends is none.
    check("{\"a\":\n{\"b\":2}\n", Some(Framing::JsonLines), &["Line {\"a\":", "Line {\"b\":2}"]);
    check("{\"a\":\n{\"b\":2}}\n", Some(Framing::Json), &["Value {\"a\":\n{\"b\":2}}"]);
    check(
        "{\"a\":[\n{\"b\":2},\n{\"c\":3}\n]}",
        Some(Framing::Json),
        &["Value {\"a\":[\n{\"b\":2},\n{\"c\":3}\n]}"],
    );
    check(
        "{\"a\":\"cut\n{\"b\":2}\n",
        Some(Framing::JsonLines),
        &["Line {\"a\":\"cut", "Line {\"b\":2}"],
    );
    check(
        "n\":3}\n{\"b\":2}\n{\"c\":3}",
        Some(Framing::JsonLines),
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
        Some(Framing::JsonLines),
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
