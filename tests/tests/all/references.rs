//! What a comment cites is there: documents of the repository, and headings in them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hindscope::{formats, rules};
use hindscope_tests::root;

use crate::sources::files;

/// Endings of the files whose comments are read.
const READ: [&str; 9] = [".rs", ".mjs", ".js", ".ts", ".toml", ".css", ".wit", ".py", ".html"];

/// A document that a comment names, and the section that is named behind it.
#[derive(Debug, PartialEq)]
struct Cited {
    line: usize,
    name: String,
    section: Option<String>,
}

/// Comments of a source, each with its line: neighbouring lines are one comment.
fn comments(text: &str, extension: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut last = 0;
    let mut is_block = false;
    let has_hashes = ["toml", "py"].contains(&extension);
    let (begins, ends) = if extension == "html" { ("<!--", "-->") } else { ("/*", "*/") };
    for (number, line) in (1..).zip(text.lines()) {
        // A block begins a line: elsewhere these characters may stand in a text, as `stuck/*`.
        let is_inside = is_block || (!has_hashes && line.trim_start().starts_with(begins));
        is_block = is_inside && !line.contains(ends);
        let comment = if has_hashes {
            line.split_once('#').map(|(_, comment)| comment)
        } else if is_inside {
            Some(line)
        } else {
            // `https://` begins no comment.
            let mut slashes = line.match_indices("//");
            slashes.find(|(at, _)| !line[..*at].ends_with(':')).and_then(|(at, _)| line.get(at..))
        };
        let Some(comment) = comment else { continue };
        let comment = comment.trim_start_matches(['/', '!', '*', ' ', '#', '<', '-']).trim_end();
        match found.last_mut() {
            Some((_, all)) if last + 1 == number => *all = format!("{all} {comment}"),
            _ => found.push((number, comment.to_owned())),
        }
        last = number;
    }
    found
}

/// Names of Markdown files in a comment, and the quoted title or the number behind each.
fn cited(line: usize, comment: &str) -> Vec<Cited> {
    let is_part = |c: char| c.is_alphanumeric() || "._-/{}*~".contains(c);
    let mut found = Vec::new();
    for (at, _) in comment.match_indices(".md") {
        let end = at + ".md".len();
        let rest = &comment[end..];
        if rest.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let start = comment[..at].rfind(|c| !is_part(c)).map_or(0, |before| {
            before + comment[before..].chars().next().map_or(1, char::len_utf8)
        });
        let quoted = rest.strip_prefix(", \"").and_then(|rest| rest.split_once('"'));
        let behind = rest.trim_start_matches(['`', ',', ' ']);
        let behind = behind.strip_prefix("sections").or_else(|| behind.strip_prefix("section"));
        let number = behind.unwrap_or(rest).trim_start_matches([',', ' ']);
        let number: String =
            number.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        let number = number.trim_end_matches('.').to_owned();
        let section = quoted.map(|(title, _)| title.to_owned());
        let section = section.or(Some(number).filter(|number| !number.is_empty()));
        found.push(Cited { line, name: comment[start..end].to_owned(), section });
    }
    found
}

/// Numbers of sections without the document that they stand in: `section 8`, `(15.3)`.
fn without_document(comment: &str) -> Vec<&str> {
    let number = |text: &str| {
        let length = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        text.starts_with(|c: char| c.is_ascii_digit()).then_some(length)
    };
    let words = ["section ", "sections "].into_iter().flat_map(|word| {
        comment.match_indices(word).filter_map(move |(at, _)| {
            let before = comment[..at].trim_end_matches(['S', 's', '`', ',', ' ']);
            let length = number(&comment[at + word.len()..])?;
            before.strip_suffix(".md").is_none().then(|| &comment[at..at + word.len() + length])
        })
    });
    let brackets = comment.match_indices('(').filter_map(|(at, _)| {
        let length = number(&comment[at + 1..])?;
        let inner = &comment[at + 1..at + 1 + length];
        let mut parts = inner.split('.');
        let is_short = |part: &str| (1..=2).contains(&part.len()) && part != "0";
        let is_section = parts.clone().count() == 2 && parts.all(is_short);
        let ends = comment[at + 1 + length..].starts_with([')', ',']);
        (is_section && ends).then_some(inner)
    });
    words.chain(brackets).collect()
}

/// Whether a Markdown file has a heading of this title, or with this number before its title.
fn has_heading(text: &str, section: &str) -> bool {
    text.lines().filter_map(|line| line.strip_prefix('#')).any(|heading| {
        let heading = heading.trim_start_matches('#').trim();
        let number = heading.split_whitespace().next().unwrap_or_default();
        heading == section || number.trim_end_matches('.') == section
    })
}

/// Ids of rules in a comment, as `area/name`: those of areas that rules have.
fn ids<'c>(comment: &'c str, areas: &BTreeSet<&str>) -> Vec<&'c str> {
    let is_id = |text: &&str| {
        let Some((area, name)) = text.split_once('/') else { return false };
        let is_name =
            name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        areas.contains(area) && is_name && !name.is_empty()
    };
    comment.split(['`', '(', ')', ',']).map(str::trim).filter(is_id).collect()
}

/// Each is a rule with a text, or is defined in docs/spec/rules.md.
#[test]
fn rules_that_comments_name_are_defined() {
    let spec = fs::read_to_string(root().join("docs/spec/rules.md")).expect("it is text");
    let known: BTreeSet<&str> = rules().map(|(id, _)| id).collect();
    let areas: BTreeSet<&str> = known.iter().filter_map(|id| Some(id.split_once('/')?.0)).collect();
    let mut seen = 0;
    let mut wrong = Vec::new();
    for file in files("", &READ) {
        let text = fs::read_to_string(&file).expect("sources are text");
        let extension = file.extension().unwrap_or_default().to_string_lossy();
        for (line, comment) in comments(&text, &extension) {
            for id in ids(&comment, &areas) {
                seen += 1;
                if !known.contains(id) && !spec.contains(&format!("`{id}`")) {
                    let name = file.strip_prefix(root()).unwrap_or(&file).display();
                    wrong.push(format!("{name}, comment of line {line}: `{id}` is not defined"));
                }
            }
        }
    }
    assert!(seen > 100, "only {seen} rules are named");
    assert!(wrong.is_empty(), "{} rules are not defined:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is wrong with a citation in a file; nothing if it resolves.
fn fault(file: &Path, cited: &Cited) -> Option<String> {
    // Names of files that formats know are data, and no documents.
    let name = cited.name.rsplit('/').next();
    let is_data = formats()
        .iter()
        .any(|format| format.found_at.split([',', ' ', '/']).any(|known| Some(known) == name));
    if is_data {
        return None;
    }
    let beside = file.parent().unwrap_or(file).join(&cited.name);
    let Some(path) = [root().join(&cited.name), beside].into_iter().find(|path| path.is_file())
    else {
        return Some(format!("there is no {}", cited.name));
    };
    let text = fs::read_to_string(&path).expect("documents are text");
    let section = cited.section.as_deref()?;
    (!has_heading(&text, section)).then(|| format!("{} has no section `{section}`", cited.name))
}

#[test]
fn what_comments_cite_is_there() {
    let files = files("", &READ);
    assert!(files.len() > 500, "only {} files", files.len());
    let mut seen = 0;
    let mut wrong = Vec::new();
    // This file holds examples of what leads nowhere.
    for file in files.iter().filter(|file| !file.ends_with("references.rs")) {
        let text = fs::read_to_string(file).expect("sources are text");
        let extension = file.extension().unwrap_or_default().to_string_lossy();
        for (line, comment) in comments(&text, &extension) {
            wrong.extend(without_document(&comment).into_iter().map(|number| {
                let name = file.strip_prefix(root()).unwrap_or(file).display();
                format!("{name}, comment of line {line}: `{number}` names no document")
            }));
            for cited in cited(line, &comment) {
                seen += 1;
                if let Some(fault) = fault(file, &cited) {
                    let name = file.strip_prefix(root()).unwrap_or(file);
                    wrong.push(format!("{}, comment of line {line}: {fault}", name.display()));
                }
            }
        }
    }
    assert!(seen > 65, "only {seen} documents are cited");
    assert!(wrong.is_empty(), "{} references lead nowhere:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn references_are_found_and_resolved() {
    let text = "\
let url = \"https://a.example/b.md\";
//! As docs/spec/loop.md, \"6. Scores,
//! entries, results, errors\" has it.
let a = 1; // (docs/spec/rules.md, 15.4)

/* nothing.md */
/** `plan.md` of
 * gone.md */
let b = 2;
";
    let found: Vec<_> =
        comments(text, "rs").iter().flat_map(|(line, comment)| cited(*line, comment)).collect();
    let cite = |line, name: &str, section: Option<&str>| Cited {
        line,
        name: name.to_owned(),
        section: section.map(str::to_owned),
    };
    assert_eq!(
        found,
        [
            cite(2, "docs/spec/loop.md", Some("6. Scores, entries, results, errors")),
            cite(2, "docs/spec/rules.md", Some("15.4")),
            cite(6, "nothing.md", None),
            cite(6, "plan.md", None),
            cite(6, "gone.md", None),
        ]
    );
    let file = root().join("core/src/lib.rs");
    let faults: Vec<_> = found.iter().map(|cited| fault(&file, cited)).collect();
    assert_eq!(
        faults,
        [
            None,
            Some("docs/spec/rules.md has no section `15.4`".to_owned()),
            Some("there is no nothing.md".to_owned()),
            None,
            Some("there is no gone.md".to_owned()),
        ]
    );
    let bare = "As section 8 has it (15.3), from 0.5 (0.5 of all); b.md, section 2, and (1.4 MB).";
    assert_eq!(without_document(bare), ["section 8", "15.3"]);
    let toml = comments("a = 1 # as wit/README.md\nb = 2\n", "toml");
    assert_eq!(cited(1, &toml[0].1), [cite(1, "wit/README.md", None)]);
    assert_eq!(fault(&root().join("wit/types.wit"), &cite(1, "README.md", None)), None);
    let python = comments("a = 1  # as wit/README.md\n", "py");
    assert_eq!(cited(1, &python[0].1), [cite(1, "wit/README.md", None)]);
    let html = comments("<p>x.md</p>\n<!-- As a.md,\n b.md. -->\n<p>y.md</p>\n", "html");
    assert_eq!(html, [(2, "As a.md, b.md. -->".to_owned())]);
}
