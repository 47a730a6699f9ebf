//! What a comment cites is there: documents of the repository, and headings in them.

use std::fs;
use std::path::{Path, PathBuf};

use hindscope::formats;
use hindscope_tests::root;

/// Endings of the files whose comments are read.
const READ: [&str; 7] = ["rs", "mjs", "js", "ts", "toml", "css", "wit"];

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
    for (number, line) in (1..).zip(text.lines()) {
        // A block begins a line: elsewhere these characters may stand in a text, as `stuck/*`.
        let is_inside = is_block || (extension != "toml" && line.trim_start().starts_with("/*"));
        is_block = is_inside && !line.contains("*/");
        let comment = match extension {
            "toml" => line.split_once('#').map(|(_, comment)| comment),
            _ if is_inside => Some(line),
            // `https://` begins no comment.
            _ => {
                let mut slashes = line.match_indices("//");
                slashes
                    .find(|(at, _)| !line[..*at].ends_with(':'))
                    .and_then(|(at, _)| line.get(at..))
            }
        };
        let Some(comment) = comment else { continue };
        let comment = comment.trim_start_matches(['/', '!', '*', ' ', '#']).trim_end();
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

/// Whether a Markdown file has a heading of this title, or with this number before its title.
fn has_heading(text: &str, section: &str) -> bool {
    text.lines().filter_map(|line| line.strip_prefix('#')).any(|heading| {
        let heading = heading.trim_start_matches('#').trim();
        let number = heading.split_whitespace().next().unwrap_or_default();
        heading == section || number.trim_end_matches('.') == section
    })
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

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            let is_ours = !name.starts_with('.') || name == ".cargo";
            if is_ours && !["target", "node_modules", "pkg", "fixtures"].contains(&name.as_str()) {
                sources(&path, found);
            }
        } else if path
            .extension()
            .is_some_and(|own| READ.iter().any(|known| own.eq_ignore_ascii_case(known)))
        {
            found.push(path);
        }
    }
}

/// Comments of the core that still cite documents outside the repository. It may only shrink.
const LEFT: usize = 154;

#[test]
fn what_comments_cite_is_there() {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    files.sort();
    assert!(files.len() > 500, "only {} files", files.len());
    let mut seen = 0;
    let mut wrong = Vec::new();
    // This file holds examples of what leads nowhere.
    for file in files.iter().filter(|file| !file.ends_with("references.rs")) {
        let text = fs::read_to_string(file).expect("sources are text");
        let extension = file.extension().unwrap_or_default().to_string_lossy();
        for (line, comment) in comments(&text, &extension) {
            for cited in cited(line, &comment) {
                seen += 1;
                if let Some(fault) = fault(file, &cited) {
                    let name = file.strip_prefix(root()).unwrap_or(file);
                    wrong.push(format!("{}, comment of line {line}: {fault}", name.display()));
                }
            }
        }
    }
    assert!(seen > 5, "only {seen} documents are cited");
    let left = wrong.len();
    assert!(left >= LEFT, "only {left} references lead nowhere: lower LEFT to that");
    assert!(
        left <= LEFT,
        "{left} references lead nowhere, {LEFT} are known:\n{}",
        wrong.join("\n")
    );
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
    let toml = comments("a = 1 # as wit/README.md\nb = 2\n", "toml");
    assert_eq!(cited(1, &toml[0].1), [cite(1, "wit/README.md", None)]);
    assert_eq!(fault(&root().join("wit/api.wit"), &cite(1, "README.md", None)), None);
}
