//! The commands themselves.

use super::{Act, Command, Here, Part};
use crate::platform::{self, Key};
use crate::route::{Place, RunTab, View};
use crate::state::{
    App, KEYS_DIALOG, PALETTE_DIALOG, SETTINGS_DIALOG, find_in_view, focus_field, print_page, step,
};

const fn everywhere(
    id: &'static str,
    title: &'static str,
    keys: &'static [&'static str],
    when: fn(&Here) -> bool,
    act: Act,
) -> Command {
    Command { id, title, keys, part: Part::Everywhere, repeats: false, when, act }
}

const fn list(
    id: &'static str,
    title: &'static str,
    keys: &'static [&'static str],
    when: fn(&Here) -> bool,
    own: &'static str,
) -> Command {
    let act = Act::View(own);
    Command { id, title, keys, part: Part::Lists, repeats: true, when, act }
}

const fn in_run(
    id: &'static str,
    title: &'static str,
    keys: &'static [&'static str],
    repeats: bool,
    when: fn(&Here) -> bool,
    own: &'static str,
) -> Command {
    Command { id, title, keys, part: Part::Run, repeats, when, act: Act::View(own) }
}

fn can_undo(here: &Here) -> bool {
    here.can_undo
}

fn can_reread(here: &Here) -> bool {
    here.can_reread
}

fn always(_: &Here) -> bool {
    true
}

fn has_open(here: &Here) -> bool {
    here.has_open
}

fn is_run(here: &Here) -> bool {
    here.has_open && here.tab().is_some()
}

/// Runs, iterations, findings or hits.
fn is_list(here: &Here) -> bool {
    let has_list = matches!(here.view, View::Runs | View::Findings | View::Search);
    here.has_open && (has_list || here.tab().is_some())
}

fn has_marks(here: &Here) -> bool {
    here.has_open && (here.view == View::Runs || here.tab().is_some())
}

fn has_chart(here: &Here) -> bool {
    here.has_open && (here.view == View::Runs || has_run_chart(here))
}

/// Attempts have one, and they stand in the place of reflections where a run has none.
fn has_run_chart(here: &Here) -> bool {
    here.has_open && matches!(here.tab(), Some(RunTab::Reflections | RunTab::Attempts))
}

fn has_inspector(here: &Here) -> bool {
    here.has_open && here.tab().is_some_and(RunTab::is_split)
}

fn is_window(here: &Here) -> bool {
    here.has_open && here.tab() == Some(RunTab::Window)
}

fn is_attempt(here: &Here) -> bool {
    here.has_open && here.tab() == Some(RunTab::Actions)
}

fn has_findings(here: &Here) -> bool {
    is_list(here) && !is_attempt(here)
}

fn go(app: App, view: View) {
    app.go(Place::of(view), false);
}

/// The field in the bar; or the filter of a view; or the view for searching.
fn search_or_filter(app: App) {
    let slash = Key { name: "/".to_owned(), is_repeated: false };
    if !focus_field(app) && !app.press(&slash) {
        go(app, View::Search);
    }
}

/// In the order in which they are listed.
#[rustfmt::skip] // A table reads better with a row on a line.
pub(crate) const COMMANDS: &[Command] = &[
    everywhere("palette", "All commands", &["Mod+k"], always, Act::Page(|_| platform::open_dialog(PALETTE_DIALOG))),
    everywhere("keys", "Keys and words", &["?"], always, Act::Page(|_| platform::open_dialog(KEYS_DIALOG))),
    everywhere("open", "Open files", &["o", "Mod+o"], always, Act::Page(|app| go(app, View::Open))),
    everywhere("read-again", "Read the files again", &["r"], can_reread, Act::Page(App::read_again)),
    everywhere("follow", "Follow the files while they grow: on, off", &["F"], can_reread, Act::Page(App::toggle_follow)),
    everywhere("close-files", "Close all files", &[], has_open, Act::Page(App::close_all)),
    everywhere("undo", "Undo opening or closing files", &[], can_undo, Act::Page(App::undo)),
    everywhere("runs", "Go to Runs", &["g r"], has_open, Act::Page(|app| go(app, View::Runs))),
    everywhere("findings", "Go to Findings", &["g f"], has_open, Act::Page(|app| go(app, View::Findings))),
    everywhere("compare", "Go to Compare", &["g c"], has_open, Act::Either("g c", |app| go(app, View::Compare))),
    everywhere("search", "Search, or filter the list", &["/"], has_open, Act::First(search_or_filter)),
    everywhere("find", "Find in this view", &["Mod+f"], has_open, Act::Browser(|app| { find_in_view(app); })),
    everywhere("link", "Copy link to what is shown", &["y"], always, Act::Page(App::copy_link)),
    everywhere("print", "Print", &["Mod+p"], always, Act::Page(print_page)),
    everywhere("settings", "Settings", &[], always, Act::Page(|_| platform::open_dialog(SETTINGS_DIALOG))),
    everywhere("theme", "Theme: system, light, dark", &["t"], always, Act::Page(App::next_theme)),
    everywhere("close", "Close, or go up", &["Escape"], always, Act::View("Escape")),
    everywhere("back", "Back", &["Alt+ArrowLeft"], always, Act::Browser(|_| platform::back())),

    list("next", "Next row, iteration or action", &["j", "ArrowDown"], is_list, "j"),
    list("previous", "Previous row, iteration or action", &["k", "ArrowUp"], is_list, "k"),
    list("first", "First row, iteration or action", &["g g", "Home"], is_list, "Home"),
    list("last", "Last row, iteration or action", &["G", "End"], is_list, "End"),
    Command {
        id: "enter", title: "Open the row", keys: &["Enter"], part: Part::Lists, repeats: false, when: is_list,
        act: Act::Browser(|_| { platform::click_on(".row.active .row-link"); }),
    },
    Command { act: Act::Either("n", |app| { step(app, true); }), ..list("match-next", "Next match", &["n"], is_list, "n") },
    Command { act: Act::Either("N", |app| { step(app, false); }), ..list("match-previous", "Previous match", &["N"], is_list, "N") },
    list("finding-next", "Next finding", &["e"], has_findings, "e"),
    list("finding-previous", "Previous finding", &["E"], has_findings, "E"),
    list("failure-next", "Next failure", &["."], is_run, "."),
    list("failure-previous", "Previous failure", &[","], is_run, ","),
    Command { repeats: false, ..list("mark", "Mark for Compare", &["x"], has_marks, "x") },

    in_run("run-next", "Next run", &["]"], true, is_run, "]"),
    in_run("run-previous", "Previous run", &["["], true, is_run, "["),
    in_run("tab-reflections", "Tab: Reflections", &["1"], false, is_run, "1"),
    in_run("tab-attempts", "Tab: Attempts", &["2"], false, is_run, "2"),
    in_run("tab-errors", "Tab: Errors and lessons", &["3"], false, is_run, "3"),
    in_run("tab-window", "Tab: Window", &["4"], false, is_run, "4"),
    in_run("tab-findings", "Tab: Findings", &["5"], false, is_run, "5"),
    in_run("tab-data", "Tab: Data", &["6"], false, is_run, "6"),
    in_run("tab-actions", "Tab: Actions", &["7"], false, is_run, "7"),
    in_run("play", "Play or pause the actions", &[" "], false, is_attempt, " "),
    in_run("error-next", "Next failed action", &["e"], true, is_attempt, "e"),
    in_run("error-previous", "Previous failed action", &["E"], true, is_attempt, "E"),
    in_run("attempt-next", "Next attempt", &["J"], true, is_attempt, "J"),
    in_run("attempt-previous", "Previous attempt", &["K"], true, is_attempt, "K"),
    in_run("window", "Window at this iteration", &["w"], false, is_run, "w"),
    in_run("larger", "Larger window", &["+", "="], true, is_window, "+"),
    in_run("smaller", "Smaller window", &["-"], true, is_window, "-"),
    in_run("zoom-in", "Zoom into the chart", &["+", "="], true, has_run_chart, "+"),
    in_run("zoom-out", "Zoom out of the chart", &["-"], true, has_run_chart, "-"),
    in_run("zoom-all", "The whole chart", &["0"], false, has_run_chart, "0"),
    in_run("table", "Chart or table", &["d"], false, has_chart, "d"),
    in_run("maximise", "Maximise the inspector", &["f"], false, has_inspector, "f"),
];

#[cfg(test)]
mod tests {
    use strum::VariantArray as _;

    use super::*;

    #[test]
    fn no_key_means_two_things() {
        let run = |tab| View::Run { key: "a".into(), tab, number: None };
        let mut views = vec![View::Open, View::Runs, View::Findings, View::Compare, View::Search];
        views.extend(RunTab::VARIANTS.iter().copied().map(run));
        for view in views {
            let here =
                Here { view: view.clone(), has_open: true, can_undo: true, can_reread: true };
            let mut keys: Vec<_> = COMMANDS
                .iter()
                .filter(|command| (command.when)(&here))
                .flat_map(|command| command.keys)
                .collect();
            keys.sort();
            let all = keys.len();
            keys.dedup();
            assert_eq!(keys.len(), all, "{view:?}");
        }
    }

    #[test]
    fn commands_have_names_of_their_own() {
        let mut ids: Vec<_> =
            COMMANDS.iter().flat_map(|command| [command.id, command.title]).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), COMMANDS.len() * 2);
    }

    #[test]
    fn every_key_that_is_promised_is_there() {
        let promised =
            "o / ? Escape d x y j k [ ] G Home End n N e E . , w f - + 1 2 3 4 5 6 Enter";
        for key in promised.split(' ').chain(["g g", "Mod+o", "Mod+f", "Mod+k", "Alt+ArrowLeft"]) {
            assert!(COMMANDS.iter().any(|command| command.keys.contains(&key)), "{key}");
        }
    }

    #[test]
    fn nothing_is_offered_while_nothing_is_open() {
        let here = Here { view: View::Open, has_open: false, can_undo: false, can_reread: false };
        let offered = COMMANDS.iter().filter(|command| (command.when)(&here));
        let ids: Vec<_> = offered.map(|command| command.id).collect();
        assert_eq!(
            ids,
            ["palette", "keys", "open", "link", "print", "settings", "theme", "close", "back"]
        );
    }
}
