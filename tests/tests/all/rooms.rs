//! Folders of the core need each other in one direction, and only `format/` knows single formats.

use std::collections::BTreeMap;
use std::fs;

use hindscope_tests::root;

use crate::sources::{Source, arrows, sources, wrong};

/// The folders of core/src. Each may use those above it in this list, and the files beside lib.rs,
/// which may use no folder.
const ORDER: [&str; 14] = [
    BELOW_ALL, "model", "json", "source", "validate", "format", "window", "reflect", "history",
    "insight", "query", "chart", "export", "memory",
];

/// The files beside lib.rs, as a folder below all others.
const BELOW_ALL: &str = "(files beside lib.rs)";

/// What lib.rs hands on: name → folder.
fn handed_on(lib: &str) -> BTreeMap<&str, &str> {
    let mut names = BTreeMap::new();
    for statement in lib.split("pub use ").skip(1) {
        let statement = statement.split(';').next().unwrap_or_default();
        let folder = statement.split("::").next().unwrap_or_default();
        let last = statement.rsplit("::").next().unwrap_or_default();
        for name in last.trim_matches(['{', '}', '\n', ' ']).split(',') {
            names.insert(name.rsplit(" as ").next().unwrap_or_default().trim(), folder);
        }
    }
    names
}

/// What points to a folder that stands later in the order.
fn wrong_arrows(sources: &[Source], lib: &str) -> Vec<String> {
    let handed_on = handed_on(lib);
    let folder = |path: &str| {
        let first = path.split('/').next().unwrap_or_default();
        let known = [first, handed_on.get(first).copied().unwrap_or_default()];
        let folder = known.into_iter().find(|name| ORDER.contains(name));
        let is_file = |name: &str| root().join(format!("core/src/{name}.rs")).is_file();
        let folder = folder.or_else(|| known.into_iter().any(is_file).then_some(BELOW_ALL));
        folder
            .unwrap_or_else(|| panic!("{first} is neither in the order of folders nor in lib.rs"))
            .to_owned()
    };
    let place = |folder: &str| ORDER.iter().position(|known| *known == folder);
    let arrows = arrows(sources, folder);
    assert!(sources.len() < 200 || arrows.len() > 30, "only {arrows:?}");
    wrong(&arrows, |from, to| place(to) < place(from))
}

#[test]
fn folders_of_the_core_need_each_other_in_one_direction() {
    let lib = fs::read_to_string(root().join("core/src/lib.rs")).expect("sources are text");
    let mut sources = sources("core/src");
    sources.retain(|source| source.path != "lib.rs" && !source.is_test());
    assert!(sources.len() > 200, "only {} files", sources.len());
    let wrong = wrong_arrows(&sources, &lib);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How often a text names a single format.
fn formats_named(code: &str) -> usize {
    let is_variant = |at: &usize| {
        let mut letters = code[*at..].chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(char::is_lowercase)
    };
    code.match_indices("FormatId::").map(|(at, name)| at + name.len()).filter(is_variant).count()
}

#[test]
fn only_format_knows_single_formats() {
    for part in ["core/src", "core/js/src", "core/component/src", "web/src"] {
        for source in sources(part).iter().filter(|source| !source.is_test()) {
            let is_format = part == "core/src" && source.path.starts_with("format/");
            assert!(
                is_format || formats_named(&source.code) == 0,
                "{part}/{} names a format: outside core/src/format, ask what a row of the table \
                 says (core/src/format/traits.rs)",
                source.path
            );
        }
    }
    assert_eq!(formats_named("FormatId::ALL, FormatId::named(x), FormatId::LoopState"), 1);
}

#[test]
fn wrong_arrows_of_the_core_are_found() {
    let lib = "pub use history::loaded_run::LoadedRun;\npub use error::{Error,\n    ErrorCode};\n";
    let several = "use super::{model::id, query::{self, Hit}, window};";
    for (path, text, wrong) in [
        ("source/tree.rs", "use crate::history::row::Row;", 1),
        ("source/tree.rs", "fn f() -> crate::LoadedRun {}", 1),
        ("source/mod.rs", several, 2),
        ("source/tree.rs", "use super::memory::Doctor;", 0),
        ("source/tree.rs", "use crate::{Error, model::id::RunId};", 0),
        ("memory/mod.rs", "use crate::history::Run;", 0),
        ("error.rs", "use crate::model::id::RunId;", 1),
    ] {
        let found = wrong_arrows(&[Source::new(path, text)], lib);
        assert_eq!(found.len(), wrong, "{path}: {text}: {found:?}");
    }
}
