//! Folders of the core need each other in one direction, and only `format/` knows single formats.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use hindscope_tests::root;

/// The folders of core/src. Each may use those above it in this list, and the files beside lib.rs,
/// which may use no folder.
const ORDER: [&str; 13] = [
    "model", "json", "source", "validate", "format", "window", "reflect", "history", "insight",
    "query", "chart", "export", "memory",
];

/// The files beside lib.rs, as a folder below all others.
const BELOW_ALL: &str = "(files beside lib.rs)";

/// Arrows that still point the wrong way: from a folder to one below it in the list, with the number
/// of files that have it. The list may only become shorter.
const LEFT: [(&str, &str, usize); 0] = [];

/// Files outside `format/` that still name single formats. The list may only become shorter.
const LEFT_FORMATS: [(&str, usize); 0] = [];

/// Who uses whom, with the files that do.
type Arrows = BTreeMap<(String, String), BTreeSet<String>>;

/// A source file without its comments and tests; the path is that below core/src.
struct Source {
    path: String,
    code: String,
}

impl Source {
    fn new(path: &str, text: &str) -> Self {
        let text = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        let code = text.lines().filter(is_code).collect::<Vec<_>>().join("\n");
        Self { path: path.to_owned(), code }
    }

    /// Its folder in core/src.
    fn folder(&self) -> &str {
        self.path.split_once('/').map_or(BELOW_ALL, |(folder, _)| folder)
    }

    /// How many modules it lies in, itself included.
    fn depth(&self) -> usize {
        let path = self.path.trim_end_matches(".rs").trim_end_matches("/mod");
        path.split('/').count()
    }

    /// The names behind `crate::`, or behind so many `super::` that they mean the same.
    fn names(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        for start in starts(&self.code, "crate::") {
            names.extend(firsts(&self.code[start..]));
        }
        for start in starts(&self.code, "super::") {
            let mut rest = &self.code[start..];
            let mut count = 1;
            while let Some(more) = rest.strip_prefix("super::") {
                rest = more;
                count += 1;
            }
            if count >= self.depth() {
                names.extend(firsts(rest));
            }
        }
        names
    }
}

/// Where texts end that begin a path.
fn starts<'a>(code: &'a str, begin: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(begin).filter_map(move |(at, _)| {
        let before = code[..at].chars().next_back();
        let is_begin = before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | ':' | '$'));
        is_begin.then_some(at + begin.len())
    })
}

/// The first names of a path: several where it begins with a list.
fn firsts(path: &str) -> Vec<&str> {
    let Some(list) = path.strip_prefix('{') else {
        let end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
        return vec![&path[..end]];
    };
    let mut depth = 0;
    let mut names = Vec::new();
    let mut is_next = true;
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => is_next = true,
            c if is_next && c.is_alphanumeric() => {
                names.extend(firsts(&list[at..]));
                is_next = false;
            }
            _ => {}
        }
    }
    names
}

/// What lib.rs hands on: name → folder.
fn handed_on(lib: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for statement in lib.split("pub use ").skip(1) {
        let statement = statement.split(';').next().unwrap_or_default();
        let folder = statement.split("::").next().unwrap_or_default();
        let last = statement.rsplit("::").next().unwrap_or_default();
        for name in last.trim_matches(['{', '}', '\n', ' ']).split(',') {
            let name = name.rsplit(" as ").next().unwrap_or_default().trim();
            names.insert(name.to_owned(), folder.to_owned());
        }
    }
    names
}

fn arrows(sources: &[Source], lib: &str) -> Arrows {
    let handed_on = handed_on(lib);
    let folders: BTreeSet<&str> = sources.iter().map(Source::folder).collect();
    let files: BTreeSet<&str> = sources
        .iter()
        .filter(|source| source.folder() == BELOW_ALL)
        .map(|source| source.path.trim_end_matches(".rs"))
        .collect();
    let mut arrows = Arrows::new();
    for source in sources {
        for name in source.names() {
            let folder = match handed_on.get(name) {
                _ if folders.contains(name) => name,
                _ if files.contains(name) => BELOW_ALL,
                Some(folder) if files.contains(folder.as_str()) => BELOW_ALL,
                Some(folder) => folder.as_str(),
                None => {
                    panic!("{}: `crate::{name}` is neither in core/src nor in lib.rs", source.path)
                }
            };
            if folder != source.folder() {
                let key = (source.folder().to_owned(), folder.to_owned());
                arrows.entry(key).or_default().insert(source.path.clone());
            }
        }
    }
    arrows
}

/// Arrows that point to a folder that stands later in the order.
fn wrong(arrows: &Arrows) -> Arrows {
    let place = |folder: &str| {
        let at = ORDER.iter().position(|known| *known == folder).map(|at| at + 1);
        let at = at.or_else(|| (folder == BELOW_ALL).then_some(0));
        at.unwrap_or_else(|| panic!("core/src/{folder} is not in the order of folders"))
    };
    let is_wrong = |((from, to), _): &(&(String, String), _)| place(from) < place(to);
    arrows.iter().filter(is_wrong).map(|(key, files)| (key.clone(), files.clone())).collect()
}

/// Rust files below a folder, tests left out, as paths below it.
fn sources(folder: &Path) -> Vec<Source> {
    let mut open: Vec<PathBuf> = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(&inner).expect("the folder can be listed") {
            let path = entry.expect("the folder can be listed").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if name != "tests" {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|end| end == "rs") && name != "tests.rs" {
                let text = fs::read_to_string(&path).expect("sources are text");
                let path = path.strip_prefix(folder).expect("it lies below");
                found.push(Source::new(&path.to_string_lossy().replace('\\', "/"), &text));
            }
        }
    }
    found
}

#[test]
fn folders_of_the_core_need_each_other_in_one_direction() {
    let folder = root().join("core/src");
    let lib = fs::read_to_string(folder.join("lib.rs")).expect("sources are text");
    let mut sources = sources(&folder);
    sources.retain(|source| source.path != "lib.rs");
    assert!(sources.len() > 200, "only {} files", sources.len());
    let arrows = arrows(&sources, &lib);
    assert!(arrows.len() > 30, "only {arrows:?}");
    let wrong = wrong(&arrows);
    let count = |from: &str, to: &str| {
        wrong.get(&(from.to_owned(), to.to_owned())).map_or(0, BTreeSet::len)
    };
    for ((from, to), files) in &wrong {
        let allowed = LEFT.iter().find(|(f, t, _)| f == from && t == to).map_or(0, |left| left.2);
        assert!(
            files.len() <= allowed,
            "core/src/{from} stands below core/src/{to} and must not use it: {files:?}"
        );
    }
    for (from, to, files) in LEFT {
        assert_eq!(
            count(from, to),
            files,
            "fewer files of core/src/{from} use core/src/{to} now: write the new number into LEFT"
        );
    }
}

/// How often a text names a single format.
fn formats_named(code: &str) -> usize {
    let is_variant = |at: &usize| {
        let name = &code[*at..];
        let mut letters = name.chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(char::is_lowercase)
    };
    code.match_indices("FormatId::").map(|(at, name)| at + name.len()).filter(is_variant).count()
}

#[test]
fn only_format_knows_single_formats() {
    let mut found = BTreeMap::new();
    for part in ["core/src", "core/js/src", "core/component/src", "web/src"] {
        for source in sources(&root().join(part)) {
            let count = formats_named(&source.code);
            if count > 0 && !(part == "core/src" && source.folder() == "format") {
                found.insert(format!("{part}/{}", source.path), count);
            }
        }
    }
    let left: BTreeMap<_, _> =
        LEFT_FORMATS.iter().map(|(path, count)| ((*path).to_owned(), *count)).collect();
    assert_eq!(
        found, left,
        "outside core/src/format, ask what a row of the table says (core/src/format/traits.rs); \
         where less is left than LEFT_FORMATS has, write the new number there"
    );
}

/// The tests above see what they should.
#[test]
fn a_wrong_arrow_is_seen_however_it_is_written() {
    let lib = "pub use history::loaded_run::LoadedRun;\npub use error::{Error,\n    ErrorCode};\n";
    let code = |path: &str, text: &str| Source::new(path, text);
    let seen = |path: &str, text: &str| {
        let mut sources: Vec<_> =
            ORDER.iter().map(|folder| code(&format!("{folder}/mod.rs"), "")).collect();
        sources.extend([code("error.rs", ""), code(path, text)]);
        let wrong: Vec<_> = wrong(&arrows(&sources, lib)).into_keys().map(|(_, to)| to).collect();
        wrong.join(" ")
    };
    for (path, text, wrong) in [
        ("source/tree.rs", "use crate::history::row::Row;", "history"),
        ("source/tree.rs", "fn f() -> crate::LoadedRun {}", "history"),
        ("source/tree.rs", "use super::super::memory::Doctor;", "memory"),
        ("source/mod.rs", "use super::{model::id, query::{self, Hit}, window};", "query window"),
        ("source/tree.rs", "use super::memory::Doctor;", ""),
        ("source/tree.rs", "use crate::{Error, model::id::RunId};", ""),
        ("memory/mod.rs", "use crate::history::Run;", ""),
        (
            "source/tree.rs",
            "// crate::history\nfn f() {}\n#[cfg(test)]\nmod tests {\n    use crate::LoadedRun;",
            "",
        ),
        ("error.rs", "use crate::model::id::RunId;", "model"),
    ] {
        assert_eq!(seen(path, text), wrong, "{path}: {text}");
    }
    assert_eq!(formats_named("FormatId::ALL, FormatId::named(x), FormatId::LoopState"), 1);
}
