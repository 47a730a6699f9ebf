//! docs/spec says what the core does: its tables are those of the core, its severities are those
//! that fixtures show, and its sections are there. `HINDSCOPE_BLESS=1` writes the tables anew.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write as _;
use std::fs;

use hindscope::{Assumption, FormatInfo, assumptions, formats, rule_text, rules};
use hindscope_tests::{dump, fixtures, root};
use serde_json::Value;

use crate::sources::{files, sources};

const RULES: &str = "docs/spec/rules.md";
const FORMATS: &str = "docs/spec/formats.md";
const LOOP: &str = "docs/spec/loop.md";

fn text_of(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Holds a file against what it should be, or writes it.
fn hold(file: &str, written: &str, expected: &str) {
    if env::var_os("HINDSCOPE_BLESS").is_some() {
        fs::write(root().join(file), expected).expect("docs can be written");
        return;
    }
    let differing = written.lines().zip(expected.lines()).find(|(a, b)| a != b);
    assert!(
        written == expected,
        "{file} is old; HINDSCOPE_BLESS=1 writes it anew. First difference: {differing:?}"
    );
}

/// A text that stays in its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

/// The cells of a row whose first one is an id in backticks: the id, and the others.
fn row(line: &str) -> Option<(&str, Vec<&str>)> {
    let inner = line.strip_prefix("| `")?.strip_suffix('|')?;
    let (id, rest) = inner.split_once("` |")?;
    let is_border = |(at, _): &(usize, &str)| !rest[..*at].ends_with('\\');
    let borders = rest.match_indices('|').filter(is_border).map(|(at, _)| at);
    let mut start = 0;
    let mut cells = Vec::new();
    for border in borders.chain([rest.len()]) {
        cells.push(rest[start..border].trim());
        start = border + 1;
    }
    Some((id, cells))
}

/// Rows of docs/spec/rules.md, each with its severities.
fn documented() -> Vec<(String, BTreeSet<String>)> {
    let text = text_of(RULES);
    let mut severities_follow = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("| rule |") {
            severities_follow = true;
        } else if let (true, Some((id, cells))) = (severities_follow, row(line)) {
            let severities = cells[0].split(", ").map(str::to_owned).collect();
            found.push((id.to_owned(), severities));
        } else if !line.starts_with('|') {
            severities_follow = false;
        }
    }
    found
}

#[test]
fn every_rule_is_explained_once() {
    let documented = documented();
    let ids: BTreeSet<_> = documented.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids.len(), documented.len(), "a rule has two rows in {RULES}");
    let known: BTreeSet<_> = rules().map(|(id, _)| id).collect();
    let missing: Vec<_> = known.difference(&ids).collect();
    let unknown: Vec<_> = ids.difference(&known).collect();
    assert!(missing.is_empty(), "{RULES} has no row for {missing:?}");
    assert!(unknown.is_empty(), "{RULES} has rows for {unknown:?}, which the core does not know");
    let words = BTreeSet::from(["error", "info", "value", "warning"]);
    for (id, severities) in &documented {
        for severity in severities {
            assert!(words.contains(severity.as_str()), "{RULES}: {id} has severity `{severity}`");
        }
    }
}

#[test]
fn rules_say_in_the_docs_what_they_say_in_the_core() {
    let sentences: BTreeMap<_, _> = rules().collect();
    let written = text_of(RULES);
    let mut expected = String::new();
    for line in written.lines() {
        let known = row(line).and_then(|(id, cells)| Some((id, cells, sentences.get(id)?)));
        // Writing to a string cannot fail.
        let _ = match known {
            None => writeln!(expected, "{line}"),
            Some((id, cells, sentence)) => {
                let origin = cells.get(2).map_or(String::new(), |origin| format!(" {origin} |"));
                writeln!(expected, "| `{id}` | {} | {} |{origin}", cells[0], cell(sentence))
            }
        };
    }
    hold(RULES, &written, &expected);
}

/// The table of assumed Ω: what is assumed for one reason stands in one row.
fn table_of_assumptions() -> String {
    let mut rows: Vec<(Assumption, Vec<String>)> = Vec::new();
    for (by, assumption) in assumptions() {
        let by = format!("`{by}`");
        match rows.iter_mut().find(|(known, _)| *known == assumption) {
            Some((_, all)) => all.push(by),
            None => rows.push((assumption, vec![by])),
        }
    }
    let mut text = "| assumed for | Ω | origin |\n|---|---|---|\n".to_owned();
    for (Assumption { omega, origin, note }, by) in rows {
        let omega = omega.map_or("no limit".to_owned(), |omega| omega.to_string());
        let note = note.map(|note| format!(". {note}")).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {} | {omega} | {origin}{note} |", by.join(", "));
    }
    text
}

#[test]
fn assumed_windows_are_those_of_the_core() {
    let written = text_of(RULES);
    let start = written.find("| assumed for |").expect("the table has its head");
    let end = start + written[start..].find("\n\n").expect("the table ends") + 1;
    let expected = [&written[..start], &table_of_assumptions(), &written[end..]].concat();
    hold(RULES, &written, &expected);
}

/// Literals of the form of a rule's id that are none.
const NO_RULES: [&str; 3] = ["n/a", "reflections/loops", "reflections/patterns"];

/// Ids of rules that stand as literals in the code of the core, comments and tests left out.
fn named_rules() -> BTreeSet<String> {
    let is_word = |word: &str| {
        let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(is_letter)
    };
    let is_id = |part: &&str| {
        part.split_once('/').is_some_and(|(area, rule)| is_word(area) && is_word(rule))
    };
    let sources = sources("core/src");
    let code = sources.iter().filter(|source| !source.is_test()).map(|source| &source.code);
    let literals = code.flat_map(|code| code.lines()).flat_map(|line| line.split('"'));
    literals.filter(is_id).map(str::to_owned).collect()
}

#[test]
fn every_rule_that_the_code_names_has_a_text() {
    let found = named_rules();
    let named: BTreeSet<_> = found.iter().map(String::as_str).collect();
    assert!(named.len() > 200, "only {} rules are named", named.len());
    let without: Vec<_> =
        named.iter().filter(|id| rule_text(id).is_none() && !NO_RULES.contains(id)).collect();
    assert!(without.is_empty(), "core/src/model/rules.txt has no text for {without:?}");
    let unused: Vec<_> = NO_RULES.iter().filter(|id| !named.contains(*id)).collect();
    assert!(unused.is_empty(), "the code does not name {unused:?} any more");
}

/// Severities of every finding in a value, by rule.
fn severities(value: &Value, found: &mut BTreeMap<String, BTreeSet<String>>) {
    match value {
        Value::Object(members) => {
            let text = |name: &str| members.get(name)?.as_str();
            if let (Some(rule), Some(severity)) = (text("rule"), text("severity")) {
                found.entry(rule.to_owned()).or_default().insert(severity.to_owned());
            }
            members.values().for_each(|value| severities(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| severities(value, found)),
        _ => {}
    }
}

#[test]
fn fixtures_show_the_severities_of_the_docs() {
    let documented: BTreeMap<_, _> = documented().into_iter().collect();
    let mut seen = BTreeMap::new();
    for fixture in fixtures().expect("fixtures can be read") {
        severities(&dump(&fixture.files, 1 << 20), &mut seen);
    }
    assert!(seen.len() > 50, "only {} rules fire over the fixtures", seen.len());
    let judged = seen.iter().filter(|(rule, _)| !rule.starts_with("strict/"));
    let wrong: Vec<_> = judged
        .filter_map(|(rule, seen)| match documented.get(rule) {
            None => Some(format!("{rule} has no row")),
            Some(said) => (!seen.is_subset(said)).then(|| format!("{rule} is {seen:?}")),
        })
        .collect();
    assert!(wrong.is_empty(), "fixtures show what {RULES} does not say:\n{}", wrong.join("\n"));
}

#[test]
fn the_table_of_formats_is_that_of_the_core() {
    let written = text_of(FORMATS);
    let start = written.find("| id |").expect("formats.md has the table");
    let end = start + written[start..].find("\n\n").expect("something follows the table") + 1;
    let mut table = "| id | what it is | what it gives | known by | found at |\n".to_owned();
    table += "|---|---|---|---|---|\n";
    for FormatInfo { id, title, gives, known_by, found_at } in formats() {
        let cells = [*title, gives, known_by, found_at].map(cell);
        let _ = writeln!(table, "| `{id}` | {} |", cells.join(" | "));
    }
    let expected = format!("{}{table}{}", &written[..start], &written[end..]);
    hold(FORMATS, &written, &expected);
}

#[test]
fn every_format_has_a_section() {
    let text = text_of(FORMATS);
    let headings = text.lines().filter(|line| line.starts_with("### ") && line.contains('`'));
    let mut named: Vec<_> = headings.flat_map(|line| line.split('`').skip(1).step_by(2)).collect();
    named.sort_unstable();
    let mut known: Vec<_> = formats().iter().map(|format| format.id).collect();
    known.sort_unstable();
    assert_eq!(named, known);
}

/// Whoever reads the list reads all of it.
#[test]
fn every_format_says_what_it_is() {
    for FormatInfo { id, title, gives, known_by, found_at } in formats() {
        for text in [*id, title, gives, known_by, found_at] {
            assert!(!text.is_empty() && !text.contains(['\n', '\r']), "{id}: {text:?}");
        }
    }
    let ids: BTreeSet<_> = formats().iter().map(|format| format.id).collect();
    assert_eq!(ids.len(), formats().len(), "an id twice");
}

/// Cases of the loop name the section that they pin.
#[test]
fn cases_of_the_loop_name_sections_that_are_there() {
    let text = text_of(LOOP);
    let headings = text.lines().filter(|line| line.starts_with("##"));
    let numbers: BTreeSet<_> = headings
        .filter_map(|line| line.split_whitespace().nth(1))
        .map(|number| number.trim_end_matches('.'))
        .collect();
    assert!(numbers.contains("15.4"), "{LOOP} has no section 15.4");
    for path in files("tests/fixtures/loop", &[".jsonl"]) {
        let cases = fs::read_to_string(&path).expect("cases are text");
        for line in cases.lines().filter(|line| !line.trim().is_empty()) {
            let case: Value = serde_json::from_str(line).expect("a case is JSON");
            let section = case["section"].as_str().expect("a case names its section");
            assert!(numbers.contains(section), "{}: {LOOP} has no section {section}", case["id"]);
        }
    }
}

/// Options of a loop by the struct that declares them.
fn options() -> BTreeMap<String, Vec<String>> {
    let text = text_of("core/src/reflect/config/options.rs");
    let start = text.find("\noptions! {").expect("options are declared");
    let end = start + text[start..].find("\n}\n").expect("the declaration ends");
    let mut owner = String::new();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text[start..end].lines() {
        if let Some(name) = line.strip_prefix("    struct ") {
            name.trim_end_matches([' ', '{']).clone_into(&mut owner);
        } else if let Some(field) = line.strip_prefix("        ") {
            let name = field.split_once(": ").map(|(name, _)| name);
            let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
            let name = name.filter(|name| name.chars().all(is_name));
            found.entry(owner.clone()).or_default().extend(name.map(str::to_owned));
        } else if line.starts_with("    \"") {
            let names = line.split('"').skip(1).step_by(2).map(str::to_owned);
            found.entry(owner.clone()).or_default().extend(names);
        }
    }
    found
}

#[test]
fn every_option_of_a_loop_is_explained() {
    let text = text_of(LOOP);
    let start = text.find("| option | default |").expect("the table has its head");
    let end = start + text[start..].find("\n\n").expect("the table ends");
    let first_cells = text[start..end].lines().filter_map(|line| line.split('|').nth(1));
    let rows: BTreeSet<_> =
        first_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let words: BTreeSet<_> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let options = options();
    assert!(options.len() > 10 && options["Options"].len() > 25, "only {options:?}");
    for (owner, names) in &options {
        let known = if owner == "Options" { &rows } else { &words };
        let missing: Vec<_> = names.iter().filter(|name| !known.contains(name.as_str())).collect();
        assert!(missing.is_empty(), "{LOOP} does not explain {missing:?} of {owner}");
    }
    let unknown: Vec<_> =
        rows.iter().filter(|row| !options["Options"].iter().any(|name| name == *row)).collect();
    assert!(unknown.is_empty(), "{LOOP} has rows for {unknown:?}, which are no options");
}

#[test]
fn every_code_of_a_refused_configuration_is_explained() {
    let sources = sources("core/src/reflect");
    let quoted = sources.iter().flat_map(|source| source.code.split('"'));
    let is_code = |part: &&str| {
        part.starts_with("config_") && part.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
    };
    let found: BTreeSet<_> = quoted.filter(is_code).collect();
    assert!(found.len() > 10, "only {found:?}");
    let text = text_of(LOOP);
    let missing: Vec<_> =
        found.iter().filter(|code| !text.contains(&format!("`{code}`"))).collect();
    assert!(missing.is_empty(), "{LOOP} does not name {missing:?}");
}
