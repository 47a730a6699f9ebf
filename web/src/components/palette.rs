//! The command palette: everything that can be done here, found by some letters.

use hindscope::StableSort as _;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::{Caps, OutcomeMark, RecordText};
use crate::commands::{COMMANDS, Command, Here, find, run};
use crate::platform;
use crate::protocol::{Choice, Line, Query, Rows, RunRow};
use crate::route::run_place;
use crate::state::{App, PALETTE_DIALOG, asked};

const LIST: &str = "palette-list";
/// Runs that are offered beside commands.
const RUNS: u32 = 8;

/// Something to choose.
#[derive(Clone)]
enum Entry {
    Command(&'static Command),
    Run(Box<RunRow>),
}

/// The dialog with its field and its list.
#[component]
#[expect(clippy::too_many_lines, reason = "a field, a list and what joins them")]
pub(crate) fn Palette() -> impl IntoView {
    let app = App::get();
    let text = RwSignal::new(String::new());
    let active = RwSignal::new(0usize);
    let runs = asked(
        move || {
            let text = text.with(|text| text.trim().to_owned());
            let is_asked = !text.is_empty() && app.summary.with(|summary| summary.runs > 0);
            let choice = Choice { text, ..Choice::default() };
            let rows = Rows { first: 0, count: RUNS };
            let looked = choice.filters_category().then(|| app.looked.get());
            is_asked.then_some(Query::Runs { choice, rows, looked, compared: 0 })
        },
        |answer| {
            let lines = answer.try_as_runs()?.lines.rows.into_iter();
            Some(lines.filter_map(Line::try_as_run).map(|row| *row).collect::<Vec<_>>())
        },
    );
    let entries = Signal::derive(move || {
        let here = Here::of(app);
        let mut fits: Vec<_> = COMMANDS
            .iter()
            .filter(|command| command.id != PALETTE_DIALOG && (command.when)(&here))
            .filter_map(|command| {
                text.with(|text| find::fit(command.title, text)).map(|fit| (fit, command))
            })
            .collect();
        fits.stable_sort_by_key(|(fit, _)| std::cmp::Reverse(*fit));
        let mut entries: Vec<_> = fits.into_iter().map(|(_, c)| Entry::Command(c)).collect();
        runs.answer.with(|rows| {
            let rows = rows.iter().flatten().take(RUNS as usize);
            entries.extend(rows.map(|row| Entry::Run(Box::new(row.clone()))));
        });
        entries
    });
    let choose = move |at: usize| {
        let Some(entry) = entries.get_untracked().get(at).cloned() else { return };
        platform::close_dialog(PALETTE_DIALOG);
        match entry {
            Entry::Command(command) => {
                if !run(app, command) {
                    let text = format!("{}: there is nothing to do here.", command.title);
                    app.notice.set(Some(text));
                }
            }
            Entry::Run(row) => app.go(run_place(&row.address, None), false),
        }
    };
    let step = move |by: isize| {
        let all = entries.with_untracked(Vec::len);
        let last = all.saturating_sub(1);
        let now = active.get_untracked();
        let at = match by {
            _ if by > 0 && now >= last => 0,
            _ if by < 0 && now == 0 => last,
            _ => now.saturating_add_signed(by),
        };
        active.set(at);
        platform::next_frame(move || platform::reveal_id(&format!("palette-{at}")));
    };
    let keydown = move |event: KeyboardEvent| {
        let has_control = event.ctrl_key() || event.meta_key();
        match event.key().as_str() {
            "ArrowDown" => step(1),
            "ArrowUp" => step(-1),
            "Enter" => choose(active.get_untracked()),
            "k" | "K" if has_control => platform::close_dialog(PALETTE_DIALOG),
            _ => return,
        }
        event.prevent_default();
    };
    view! {
        <dialog
            id=PALETTE_DIALOG
            class="dialog palette"
            aria-label="All commands"
            on:close=move |_| {
                text.set(String::new());
                active.set(0);
            }
        >
            <input
                class="field"
                type="text"
                role="combobox"
                autocomplete="off"
                spellcheck="false"
                autofocus
                placeholder="A command, or the name of a run"
                aria-label="A command, or the name of a run"
                aria-expanded="true"
                aria-autocomplete="list"
                aria-controls=LIST
                aria-activedescendant=move || {
                    let at = active.get();
                    entries.with(|entries| (at < entries.len()).then(|| format!("palette-{at}")))
                }
                prop:value=move || text.get()
                on:input=move |event| {
                    text.set(platform::value_of(&event));
                    active.set(0);
                }
                on:keydown=keydown
            />
            <ul id=LIST class="options" role="listbox" aria-label="Commands and runs">
                {move || {
                    let draw = |(at, entry)| option(at, entry, active, choose);
                    entries.get().into_iter().enumerate().map(draw).collect_view()
                }}
            </ul>
            <p class="quiet" role="status">
                {move || entries.with(|entries| {
                    entries.is_empty().then_some("No command and no run has these letters.")
                })}
            </p>
        </dialog>
    }
}

fn option(
    at: usize,
    entry: Entry,
    active: RwSignal<usize>,
    choose: impl Fn(usize) + Copy + 'static,
) -> impl IntoView {
    let (name, inner) = match entry {
        Entry::Command(command) => (
            Some(command.id),
            view! { <span>{command.title}</span><span class="option-keys"><Caps command/></span> }
                .into_any(),
        ),
        Entry::Run(row) => (
            None,
            view! {
                <span>"Run "<RecordText text=row.address.name()/></span>
                <OutcomeMark outcome=row.view.outcome/>
            }
            .into_any(),
        ),
    };
    view! {
        <li
            class="option"
            role="option"
            id=format!("palette-{at}")
            data-command=name
            aria-selected=move || (active.get() == at).to_string()
            on:click=move |_| choose(at)
            on:pointermove=move |_| {
                if active.get_untracked() != at {
                    active.set(at);
                }
            }
        >
            {inner}
        </li>
    }
}
