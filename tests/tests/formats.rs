//! docs/formats.md is the table of the core, written down: `HINDSCOPE_BLESS=1` writes it anew.

use std::fmt::Write as _;
use std::fs;

use hindscope::{FormatInfo, formats};
use hindscope_tests::root;

const FILE: &str = "docs/formats.md";

const HEAD: &str = "\
# What hindscope opens

Formats are recognised by content; a name decides only where this says so. Of several that fit, the
first in this list counts. `formats()` gives the same list in Rust, in the npm package and in the
component, and the page shows it.

| id | what it is | what it gives | known by | found at |
|---|---|---|---|---|
";

fn page() -> String {
    let mut page = HEAD.to_owned();
    for FormatInfo { id, title, gives, known_by, found_at } in formats() {
        let cells = [*title, gives, known_by, found_at].map(cell);
        // Writing to a string cannot fail.
        let _ = writeln!(page, "| `{id}` | {} |", cells.join(" | "));
    }
    page
}

/// A text that stays in its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

#[test]
fn the_page_of_formats_is_that_of_the_core() {
    let path = root().join(FILE);
    let page = page();
    if std::env::var_os("HINDSCOPE_BLESS").is_some() {
        fs::write(&path, &page).expect("docs can be written");
        return;
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, page, "{FILE} is old: HINDSCOPE_BLESS=1 writes it anew");
}

/// Whoever reads the list reads all of it.
#[test]
fn every_format_says_what_it_is() {
    for FormatInfo { id, title, gives, known_by, found_at } in formats() {
        for text in [*id, title, gives, known_by, found_at] {
            assert!(!text.is_empty() && !text.contains(['\n', '\r']), "{id}: {text:?}");
        }
    }
    let ids: std::collections::BTreeSet<_> = formats().iter().map(|format| format.id).collect();
    assert_eq!(ids.len(), formats().len(), "an id twice");
}
