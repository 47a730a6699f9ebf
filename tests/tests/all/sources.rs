//! Sources of the repository as the tests of its structure read them: which files there are, and which
//! modules each of them names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use hindscope_tests::root;

/// Files below a folder of the repository whose names end so, sorted. What is hidden, built, installed
/// or a fixture is left out.
pub(crate) fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    fn collect(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("the folder can be listed") {
            let path = entry.expect("the folder can be listed").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !path.is_dir() {
                if endings.iter().any(|ending| name.ends_with(ending)) {
                    found.push(path);
                }
            } else if name == ".cargo"
                || !(name.starts_with('.')
                    || ["target", "node_modules", "pkg", "fixtures"].contains(&&*name))
            {
                collect(&path, endings, found);
            }
        }
    }
    let mut found = Vec::new();
    collect(&root().join(folder), endings, &mut found);
    found.sort();
    found
}

/// Code without lines of comments. Tests inside of a file are a source of their own.
pub(crate) struct Source {
    /// Its path below the folder that was asked for.
    pub(crate) path: String,
    pub(crate) code: String,
}

/// Who names whom, with the files that do.
pub(crate) type Arrows = BTreeMap<(String, String), BTreeSet<String>>;

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        Self { path: path.to_owned(), code: code.collect::<Vec<_>>().join("\n") }
    }

    pub(crate) fn is_test(&self) -> bool {
        self.path.split('/').any(|part| ["tests", "tests.rs"].contains(&part))
    }

    /// Its module's path, with slashes.
    pub(crate) fn module(&self) -> &str {
        let path = self.path.trim_end_matches(".rs");
        path.trim_end_matches("/mod")
    }

    /// Its code in one line: paths and lists over several lines become whole.
    fn line(&self) -> String {
        let code = self.code.split_whitespace().collect::<Vec<_>>().join(" ");
        code.replace(":: ", "::").replace(" ::", "::").replace("{ ", "{")
    }

    /// What it names of the modules that it declares, as paths from the crate's root, with slashes.
    pub(crate) fn names_below(&self) -> BTreeSet<String> {
        let code = self.line();
        let mut names = BTreeSet::new();
        for (child, _) in code.split("mod ").skip(1).filter_map(|rest| rest.split_once(';')) {
            let start = format!("{child}::");
            let places = code.match_indices(&start).map(|(at, _)| code.split_at(at));
            let places = places.filter(|(before, _)| !before.ends_with(is_word));
            let paths = places.flat_map(|(_, rest)| paths(rest));
            names.extend(paths.map(|path| format!("{}/{path}", self.module()).replace("::", "/")));
        }
        names
    }

    /// What it names by `crate::` and `super::`, as paths from the crate's root, with slashes.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let code = self.line();
        let own: Vec<_> = self.module().split('/').filter(|part| *part != "lib").collect();
        let mut names = BTreeSet::new();
        let starts = ["crate::", "super::"].into_iter().flat_map(|start| code.match_indices(start));
        for (at, start) in starts {
            if code[..at].ends_with(is_word) {
                continue;
            }
            let mut rest = &code[at + start.len()..];
            let mut up = if start == "super::" { 1 } else { own.len() };
            while let Some(further) = rest.strip_prefix("super::") {
                (rest, up) = (further, up + 1);
            }
            let base = own[..own.len().saturating_sub(up)].join("/");
            for path in paths(rest) {
                let path = format!("{base}/{}", path.replace("::", "/"));
                names.insert(path.trim_matches('/').to_owned());
            }
        }
        names.remove("");
        names
    }
}

/// Whether a path goes on before what follows this: `my_crate::` is another crate, and the second
/// `super` of a path belongs to the first.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | ':' | '$')
}

/// The path that a text begins with; several where it goes on with a list in braces.
fn paths(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let (head, rest) = text.split_at(text.find(|c| !is_part(c)).unwrap_or(text.len()));
    let list = rest.strip_prefix('{').filter(|_| head.is_empty() || head.ends_with("::"));
    let Some(list) = list else { return vec![head.to_owned()] };
    let mut found = Vec::new();
    let (mut depth, mut is_start) = (0, true);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => is_start = true,
            _ if is_start && is_part(c) => {
                found.extend(paths(&list[at..]).iter().map(|path| format!("{head}{path}")));
                is_start = false;
            }
            _ => {}
        }
    }
    found
}

/// Rust below a folder of the repository.
pub(crate) fn sources(folder: &str) -> Vec<Source> {
    let base = root().join(folder);
    let mut sources = Vec::new();
    for file in files(folder, &[".rs"]) {
        let text = fs::read_to_string(&file).expect("sources are text");
        let path = file.strip_prefix(&base).expect("it lies below").to_string_lossy();
        let source = Source::new(&path.replace('\\', "/"), "");
        let tests = format!("{}/tests.rs", source.module());
        let (code, inner) = text.split_once("\nmod tests {").unwrap_or((&text, ""));
        sources.push(Source::new(&source.path, code));
        if !inner.is_empty() {
            sources.push(Source::new(&tests, inner));
        }
    }
    sources
}

/// The arrows between what modules belong to.
pub(crate) fn arrows<'a>(
    sources: impl IntoIterator<Item = &'a Source>,
    unit: impl Fn(&str) -> String,
) -> Arrows {
    let mut arrows = Arrows::new();
    for source in sources {
        let from = unit(source.module());
        for to in source.names().iter().map(|path| unit(path)) {
            if from != to {
                arrows.entry((from.clone(), to)).or_default().insert(source.path.clone());
            }
        }
    }
    arrows
}

/// A sentence for each arrow that may not be there.
pub(crate) fn wrong(arrows: &Arrows, may: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let wrong = arrows.iter().filter(|((from, to), _)| !may(from, to));
    wrong.map(|((from, to), files)| format!("{from} must not use {to}: {files:?}")).collect()
}

#[test]
fn names_are_seen_however_they_are_written() {
    for (path, text, names) in [
        ("a/b.rs", "use crate::c::d::E;", "c/d/E"),
        ("a/b.rs", "fn f() -> crate::\n    c::\n    D {}", "c/D"),
        ("a/b.rs", "use super::c::D;", "a/c/D"),
        ("a/b.rs", "use super::super::c::D;", "c/D"),
        (
            "a/b/c.rs",
            "use super::super::{\n    d::E, f::{self, G},\n    h};",
            "a/d/E a/f/G a/f/self a/h",
        ),
        ("a/mod.rs", "use super::c::D;", "c/D"),
        ("lib.rs", "use crate::{C, d::E};", "C d/E"),
        ("a/b.rs", "// crate::c\nmacro!($crate::c, my_crate::d);", ""),
    ] {
        let found = Source::new(path, text).names().into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(found, names, "{path}: {text}");
    }
}
