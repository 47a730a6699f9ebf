//! Folders of the core need each other in one direction, no files need each other in a circle, and only
//! `format/` names single formats. What others still take from the file of one format is listed; so is
//! what the memory takes from histories. These lists may only become shorter.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::iter;

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

/// What files need of each other in circles. The file of a folder holds what all in the folder share, so
/// what they take from it makes no circle.
fn circles(sources: &[Source]) -> BTreeSet<(&str, &str)> {
    let files: BTreeSet<&str> = sources.iter().map(Source::module).collect();
    let file = |name: &str| {
        let mut outwards = iter::successors(Some(name), |name| Some(name.rsplit_once('/')?.0));
        outwards.find_map(|name| files.get(name).copied())
    };
    let mut arrows = BTreeSet::new();
    for source in sources {
        let from = source.module();
        let names = source.names().into_iter().chain(source.names_below());
        let targets = names.filter_map(|name| file(&name));
        let is_around = |to: &str| from == to || from.starts_with(&format!("{to}/"));
        arrows.extend(targets.filter(|to| !is_around(to)).map(|to| (from, to)));
    }
    loop {
        let from: BTreeSet<&str> = arrows.iter().map(|(from, _)| *from).collect();
        let to: BTreeSet<&str> = arrows.iter().map(|(_, to)| *to).collect();
        let len = arrows.len();
        arrows.retain(|(a, b)| to.contains(a) && from.contains(b));
        if arrows.len() == len {
            return arrows;
        }
    }
}

#[test]
fn no_files_need_each_other_in_a_circle() {
    for folder in ["core/src", "web/src"] {
        let mut sources = sources(folder);
        sources.retain(|source| !source.is_test());
        assert!(sources.len() > 200, "{folder} has only {} files", sources.len());
        let circles = circles(&sources);
        assert!(circles.is_empty(), "circles in {folder}: {circles:#?}");
    }
}

#[test]
fn circles_are_found() {
    let source = |(path, text): &(&str, &str)| Source::new(path, text);
    for (files, len) in [
        (&[("a.rs", "use crate::b::B;"), ("b.rs", "fn f() -> crate::a::A {}")][..], 2),
        (&[("a/mod.rs", "mod b;\nuse b::{B, c};"), ("a/b.rs", "use super::A;")], 0),
        (
            &[
                ("a/mod.rs", "mod b;\npub use b::B;"),
                ("a/b.rs", "use crate::c::{self, C};"),
                ("c.rs", "use crate::{a::B, d::D};"),
                ("d.rs", "use crate::e::E;"),
                ("e.rs", ""),
            ],
            3,
        ),
    ] {
        let sources: Vec<_> = files.iter().map(source).collect();
        let circles = circles(&sources);
        assert_eq!(circles.len(), len, "{files:?}: {circles:?}");
    }
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

/// Files outside `format/`, each with the formats whose files it takes something from.
const OF_ONE_FORMAT: [(&str, &str); 13] = [
    ("history/copies.rs", "env_results"),
    ("history/mod.rs", "qa_trials"),
    ("history/parsed_rows.rs", "trial_results"),
    ("history/questions.rs", "qa_trials"),
    ("history/submissions.rs", "submission_log"),
    ("history/parsed_rows.rs", "tree_search_log"),
    ("history/tasks.rs", "programming_log"),
    ("history/tasks.rs", "tree_search_log"),
    ("history/trial_logs.rs", "env_results"),
    ("insight/context.rs", "programming_log"),
    ("insight/trust.rs", "programming_log"),
    ("reflect/record.rs", "reflection_memory"),
    ("window/buffer.rs", "reflection_memory"),
];

/// Files of the memory that take something from histories or insight.
const MEMORY_OF_HISTORIES: [&str; 6] = [
    "memory/answer.rs",
    "memory/auto_reflection.rs",
    "memory/hook.rs",
    "memory/patterns.rs",
    "memory/stuck.rs",
    "memory/task_search.rs",
];

#[test]
fn what_others_need_of_one_format_is_listed() {
    let sources = sources("core/src");
    let is_format = |source: &&Source| source.code.contains(": Format = Format {");
    let module = |source: &Source| source.module().strip_prefix("format/").map(str::to_owned);
    let formats: Vec<_> = sources.iter().filter(is_format).filter_map(module).collect();
    assert!(formats.len() > 30, "only {formats:?}");
    let outside = || sources.iter().filter(|s| !s.is_test() && !s.path.starts_with("format/"));
    let mut of_format = BTreeSet::new();
    for source in outside() {
        for name in source.names() {
            let is_below = |format: &&String| {
                let inside =
                    name.strip_prefix("format/").and_then(|n| n.strip_prefix(format.as_str()));
                inside.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            if let Some(format) = formats.iter().find(is_below) {
                of_format.insert((source.path.as_str(), format.as_str()));
            }
        }
    }
    assert_eq!(of_format, BTreeSet::from(OF_ONE_FORMAT), "(found, listed)");
    let is_of_histories =
        |name: &String| ["history/", "insight/"].iter().any(|it| name.starts_with(it));
    let memory = outside().filter(|source| source.path.starts_with("memory/"));
    let memory: Vec<_> = memory
        .filter(|source| source.names().iter().any(is_of_histories))
        .map(|source| source.path.as_str())
        .collect();
    assert_eq!(memory, MEMORY_OF_HISTORIES, "(found, listed)");
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
