//! The arrows between the folders of the page point one way, and only a few folders touch the
//! browser.
//!
//! The page and its worker speak through `protocol` only. `worker` imports nothing of the page, and
//! nothing of the page imports `worker`.

use crate::sources::{Arrows, Source, arrows, sources, wrong};

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
    ("worker", &["browser", "format", "protocol"]),
    ("platform", &["browser", "protocol"]),
    ("route", &["protocol"]),
    ("state", &["browser", "format", "platform", "protocol", "route", "samples"]),
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

/// The only folders that know the interfaces of a browser.
const BROWSER: [&str; 3] = ["browser/", "platform/", "worker/host/"];

/// What is awaited without being withdrawn when its view goes, or is written only if it is still there: each use
/// has to look whether what it needs still exists. Everything else asks by `App::ask`.
const UNGUARDED: [(&str, &[&str]); 3] = [
    // Answers for the page as a whole, and two that go on asking within an answer.
    (
        "ask_for_page",
        &[
            "state/app.rs",
            "state/link.rs",
            "state/saving.rs",
            "state/search_steps.rs",
            "views/compare/errors_and_lessons.rs",
            "views/export/mod.rs",
            "views/iteration/cache.rs",
            "views/runs/facts.rs",
            "views/runs/mod.rs",
        ],
    ),
    // Files, time and the browser's own answers.
    (
        "spawn_local",
        &[
            "chart/view.rs",
            "components/piecemeal.rs",
            "platform/dom.rs",
            "platform/drop.rs",
            "platform/launch.rs",
            "platform/offline.rs",
            "platform/own_events.rs",
            "platform/reload.rs",
            "platform/storage.rs",
            "state/app.rs",
            "state/printing.rs",
            "state/reread.rs",
            "state/sending.rs",
            "views/export/mod.rs",
            "views/run/reflections.rs",
            "worker/host/bulk.rs",
        ],
    ),
    (
        "try_set",
        &[
            "chart/view.rs",
            "components/copy.rs",
            "components/piecemeal.rs",
            "state/live_query.rs",
            "views/attempt/list.rs",
            "views/attempt/replay.rs",
            "views/findings/damage.rs",
            "views/run/chart/mod.rs",
        ],
    ),
];

/// What a module belongs to: a folder or a file directly below `web/src`, or a folder of `views`.
fn unit(path: &str) -> String {
    let depth = if path.starts_with("views/") { 2 } else { 1 };
    path.split('/').take(depth).collect::<Vec<_>>().join("/")
}

fn wrong_arrows(arrows: &Arrows) -> Vec<String> {
    wrong(arrows, |from, to| {
        TOP.contains(&from)
            || MAY_IMPORT.iter().any(|(unit, targets)| *unit == from && targets.contains(&to))
            || VIEWS_IN_VIEWS.contains(&(from, to))
    })
}

#[test]
fn folders_of_the_page_import_what_is_below_them() {
    let sources = sources("web/src");
    assert!(sources.len() > 200, "only {} files", sources.len());
    let arrows = arrows(&sources, unit);
    assert!(arrows.len() > 40, "only {} arrows", arrows.len());
    let wrong = wrong_arrows(&arrows);
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
fn wrong_arrows_of_the_page_are_found() {
    let session = "use crate::worker::session::Session;";
    let up = "use super::super::components::{Bar, Menu};";
    let several = "use crate::{protocol::Rows, views::{missing, run}};";
    for (path, text, wrong) in [
        ("worker/list.rs", session, 0),
        ("views/run/mod.rs", session, 1),
        ("state/app.rs", session, 1),
        ("route.rs", session, 1),
        ("platform/mod.rs", session, 1),
        ("worker/list.rs", up, 1),
        ("worker/attempt/log.rs", up, 0),
        ("worker/list.rs", several, 2),
        ("views/attempt/mod.rs", "use crate::views::run::RunPage;", 1),
    ] {
        let found = wrong_arrows(&arrows([&Source::new(path, text)], unit));
        assert_eq!(found.len(), wrong, "{path}: {text}: {found:?}");
    }
}

/// Whether code uses a name, and not only a longer one that begins or ends with it.
fn uses(code: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(name).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        !before.ends_with(is_word) && !after.starts_with(is_word)
    })
}

#[test]
fn few_files_await_what_may_come_too_late() {
    let sources = sources("web/src");
    for (name, listed) in UNGUARDED {
        let users = sources.iter().filter(|source| uses(&source.code, name));
        let users: Vec<&str> = users.map(|source| source.path.as_str()).collect();
        let others: Vec<_> = users.iter().filter(|path| !listed.contains(path)).collect();
        assert!(
            others.is_empty(),
            "{others:?} use `{name}`: ask by `App::ask`, or say in UNGUARDED why not"
        );
        let gone: Vec<_> = listed.iter().filter(|path| !users.contains(path)).collect();
        assert!(gone.is_empty(), "{gone:?} use `{name}` no more: take them from UNGUARDED");
    }
    assert!(uses("a.try_set(1)", "try_set") && !uses("a.try_set_all(1)", "try_set"));
}

#[test]
fn few_folders_touch_the_browser() {
    for Source { path, code } in sources("web/src") {
        for name in ["web_sys", "js_sys", "wasm_bindgen", "gloo_"] {
            let may = BROWSER.iter().any(|folder| path.starts_with(folder));
            assert!(may || !code.contains(name), "{path} uses {name}");
        }
    }
}
