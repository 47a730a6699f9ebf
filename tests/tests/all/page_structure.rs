//! The arrows between the folders of the page point one way, and only a few folders touch the
//! browser.
//!
//! The page and its worker speak through `protocol` only. `worker` imports nothing of the page, and
//! nothing of the page imports `worker`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use hindscope_tests::root;

/// Folders and files directly below `web/src`, from the lowest to the highest, each with what it may
/// import. Folders of `views` stand for themselves.
const MAY_IMPORT: [(&str, &[&str]); 25] = [
    ("diff", &[]),
    ("json_layout", &[]),
    ("visible_text", &[]),
    ("browser", &[]),
    ("protocol", &["browser"]),
    ("format", &["browser"]),
    ("samples", &["browser", "protocol"]),
    ("worker", &["browser", "format", "protocol", "samples"]),
    ("platform", &["browser", "protocol"]),
    ("route", &["protocol"]),
    ("state", &["browser", "format", "platform", "protocol", "route"]),
    ("chart", &["platform", "state"]),
    ("commands", &["platform", "route", "state"]),
    ("components", COMPONENTS_MAY),
    ("views/missing", VIEWS_MAY),
    ("views/attempt", VIEWS_MAY),
    ("views/compare", VIEWS_MAY),
    ("views/export", VIEWS_MAY),
    ("views/findings", VIEWS_MAY),
    ("views/open", VIEWS_MAY),
    ("views/search", VIEWS_MAY),
    ("views/window", VIEWS_MAY),
    ("views/iteration", VIEWS_MAY),
    ("views/run", VIEWS_MAY),
    ("views/runs", VIEWS_MAY),
];

const COMPONENTS_MAY: &[&str] = &[
    "commands",
    "diff",
    "format",
    "json_layout",
    "platform",
    "protocol",
    "route",
    "state",
    "visible_text",
];

/// What every view may import.
const VIEWS_MAY: &[&str] = &[
    "browser",
    "chart",
    "components",
    "format",
    "json_layout",
    "platform",
    "protocol",
    "route",
    "samples",
    "state",
    "visible_text",
];

/// Views that show parts of other views.
const VIEWS_IN_VIEWS: [(&str, &str); 8] = [
    ("views/iteration", "views/window"),
    ("views/run", "views/attempt"),
    ("views/run", "views/export"),
    ("views/run", "views/findings"),
    ("views/run", "views/iteration"),
    ("views/run", "views/missing"),
    ("views/run", "views/window"),
    ("views/runs", "views/export"),
];

/// What puts everything together may import whatever it likes.
const TOP: [&str; 4] = ["app", "bin", "lib", "main"];

/// Arrows that should not be there and still are. One that is gone must leave this list; none may
/// join it.
const LEFT: [(&str, &str); 0] = [];

/// The only folders that know the interfaces of a browser.
const BROWSER: [&str; 3] = ["browser/", "platform/", "worker/host/"];

/// Every source of the page, with its path below `web/src`.
fn sources() -> Vec<(String, String)> {
    fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("the folder can be listed") {
            let path = entry.expect("the folder can be listed").path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let base = root().join("web/src");
    let mut paths = Vec::new();
    collect(&base, &mut paths);
    paths.sort();
    let name = |path: &Path| {
        path.strip_prefix(&base).expect("it lies below").to_string_lossy().replace('\\', "/")
    };
    paths
        .iter()
        .map(|path| (name(path), fs::read_to_string(path).expect("sources are text")))
        .collect()
}

/// The code of a source without comments, with paths and lists over several lines made whole.
fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    words.join(" ").replace(":: ", "::").replace(" ::", "::").replace("{ ", "{").replace(", ", ",")
}

/// What a path of modules belongs to: a folder, or a file directly below `web/src`.
fn unit(path: &str) -> String {
    let mut parts = path.split(['/', ':']).filter(|part| !part.is_empty());
    let first = parts.next().unwrap_or_default();
    let name = |part: &str| part.trim_end_matches(".rs").to_owned();
    match parts.next() {
        Some("mod.rs") | None => name(first),
        Some(second) if first == "views" => format!("views/{}", name(second)),
        Some(_) => first.to_owned(),
    }
}

/// The modules that a source names by `crate::` and `super::`, as paths from the crate's root.
fn named(file: &str, text: &str) -> Vec<String> {
    let mut own: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    if matches!(own.last(), Some(&"mod" | &"lib")) {
        own.pop();
    }
    let (before, tests) = text.split_once("\nmod tests {").unwrap_or((text, ""));
    let mut paths = Vec::new();
    collect_named(&code(before), &own, &mut paths);
    own.push("tests");
    collect_named(&code(tests), &own, &mut paths);
    paths
}

fn collect_named(code: &str, own: &[&str], paths: &mut Vec<String>) {
    let starts = ["crate::", "super::"].into_iter().flat_map(|start| code.match_indices(start));
    for (at, start) in starts {
        // `my_crate::` is another one, and the second `super` of a path belongs to the first.
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':')) {
            continue;
        }
        let mut rest = &code[at + start.len()..];
        let mut up = if start == "super::" { 1 } else { own.len() };
        while let Some(further) = rest.strip_prefix("super::") {
            (rest, up) = (further, up + 1);
        }
        let base = &own[..own.len().saturating_sub(up)];
        for name in first_names(rest) {
            paths.push(base.iter().copied().chain([name]).collect::<Vec<_>>().join("::"));
        }
    }
}

/// The path that a text begins with; of a list in braces, the beginning of each.
fn first_names(text: &str) -> Vec<&str> {
    let end = |text: &str| {
        text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':')).unwrap_or(text.len())
    };
    let Some(list) = text.strip_prefix('{') else { return vec![&text[..end(text)]] };
    let mut names = Vec::new();
    let (mut depth, mut is_start) = (0, true);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => is_start = true,
            _ if is_start => {
                names.push(&list[at..at + end(&list[at..])]);
                is_start = false;
            }
            _ => {}
        }
    }
    names
}

/// Each arrow between two units, with the files that draw it.
fn arrows(sources: &[(String, String)]) -> BTreeMap<(String, String), BTreeSet<String>> {
    let mut arrows: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for (file, text) in sources {
        let from = unit(file);
        for path in named(file, text) {
            let to = unit(&path);
            if from != to {
                arrows.entry((from.clone(), to)).or_default().insert(file.clone());
            }
        }
    }
    arrows
}

/// What is wrong with these arrows; nothing if they are as they should be.
fn wrong(
    arrows: &BTreeMap<(String, String), BTreeSet<String>>,
    left: &[(&str, &str)],
) -> Vec<String> {
    let may = |from: &str, to: &str| {
        TOP.contains(&from)
            || MAY_IMPORT.iter().any(|(unit, targets)| *unit == from && targets.contains(&to))
            || VIEWS_IN_VIEWS.contains(&(from, to))
    };
    let mut wrong = Vec::new();
    for ((from, to), files) in arrows {
        if !may(from, to) && !left.contains(&(from.as_str(), to.as_str())) {
            wrong.push(format!("{from} must not import {to}, and does in {files:?}"));
        }
    }
    for (from, to) in left {
        if !arrows.contains_key(&((*from).to_owned(), (*to).to_owned())) {
            wrong.push(format!("{from} does not import {to} any more: take it out of LEFT"));
        }
    }
    wrong
}

#[test]
fn folders_of_the_page_import_what_is_below_them() {
    let sources = sources();
    assert!(sources.len() > 200, "only {} files", sources.len());
    let arrows = arrows(&sources);
    assert!(arrows.len() > 40, "only {} arrows", arrows.len());
    let wrong = wrong(&arrows, &LEFT);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The order of the table is an order: nothing may import what stands after it.
#[test]
fn the_table_points_downwards() {
    let place = |unit: &str| MAY_IMPORT.iter().position(|(one, _)| *one == unit);
    let pairs = MAY_IMPORT
        .iter()
        .flat_map(|(from, targets)| targets.iter().map(move |to| (*from, *to)))
        .chain(VIEWS_IN_VIEWS);
    for (from, to) in pairs {
        let (from_at, to_at) = (place(from), place(to));
        assert!(to_at.is_some() && to_at < from_at, "{from} stands below {to}");
    }
}

#[test]
fn wrong_arrows_are_found() {
    let source = |file: &str, text: &str| (file.to_owned(), text.to_owned());
    let of = |sources: &[(String, String)], left| wrong(&arrows(sources), left);
    let session = "use crate::worker::session::Session;";
    assert_eq!(of(&[source("worker/list.rs", session)], &[]), [""; 0], "inside of a folder");
    for file in ["views/run/mod.rs", "state/app.rs", "route.rs", "platform/mod.rs"] {
        assert_eq!(of(&[source(file, session)], &[]).len(), 1, "{file}");
    }
    let long = "fn a() -> crate::\n    components::\n    Bar {}";
    assert_eq!(of(&[source("worker/mod.rs", long)], &[]).len(), 1, "without a `use`");
    let up = "use super::super::components::{Bar, Menu};";
    assert_eq!(of(&[source("worker/list.rs", up)], &[]).len(), 1, "by way of the root");
    assert_eq!(of(&[source("worker/attempt/log.rs", up)], &[]), [""; 0], "a folder of its own");
    let several = "use crate::{protocol::Rows, views::{missing, run}};";
    assert_eq!(of(&[source("worker/list.rs", several)], &[]).len(), 1, "in braces");
    assert_eq!(of(&[source("worker/mod.rs", "// crate::components::Bar")], &[]), [""; 0]);
    let view = source("views/attempt/mod.rs", "use crate::views::run::RunPage;");
    assert_eq!(of(std::slice::from_ref(&view), &[]).len(), 1, "views among each other");
    let left = [("views/attempt", "views/run")];
    assert_eq!(of(std::slice::from_ref(&view), &left), [""; 0], "what is left may stay");
    assert_eq!(of(&[], &left).len(), 1, "what is gone must leave the list");
}

#[test]
fn few_folders_touch_the_browser() {
    for (file, text) in sources() {
        if BROWSER.iter().any(|folder| file.starts_with(folder)) {
            continue;
        }
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for name in ["web_sys", "js_sys", "wasm_bindgen", "gloo_"] {
                assert!(!line.contains(name), "{file} uses {name}: {line}");
            }
        }
    }
}
