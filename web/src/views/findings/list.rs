//! The list of findings: virtual rows, filtered and put together in the worker.

use leptos::prelude::*;

use super::filters::FILTER;
use crate::components::{Chevron, LevelMark, RecordText, VirtualList, VisibleRange, place};
use crate::format;
use crate::platform::{self, Key};
use crate::protocol::{
    FindingChoice, FindingGroup, FindingLine, FindingRow, FindingsBody, RunAddress,
};
use crate::state::{App, use_keys};

/// Height of a row where its parts stand side by side, and where they do not.
const ROW: f64 = 47.0;
const NARROW_ROW: f64 = 74.0;
/// Lines that Page Down moves by.
const PAGE: u32 = 12;

/// What the parts of a list of findings share.
#[derive(Clone, Copy)]
pub(super) struct Panel {
    pub(super) choice: Memo<FindingChoice>,
    pub(super) body: RwSignal<Option<FindingsBody>>,
    /// The line that the keyboard is at.
    pub(super) active: RwSignal<Option<u32>>,
    /// The finding that is shown in full.
    pub(super) chosen: RwSignal<Option<FindingRow>>,
    /// Whether a person chose it, or is at it. If not, it is the first one, also when others come before it.
    pub(super) is_own: RwSignal<bool>,
    pub(super) visible_range: RwSignal<VisibleRange>,
    pub(super) total: RwSignal<u32>,
}

pub(super) fn row_id(index: u32) -> String {
    format!("finding-row-{index}")
}

/// Rows for what the choice lets through.
#[component]
pub(super) fn FindingList(panel: Panel) -> impl IntoView {
    let app = App::get();
    let Panel { choice, body, active, visible_range, total, .. } = panel;
    let restarts = RwSignal::new(0u32);
    Effect::new(move |before: Option<FindingChoice>| {
        let choice = choice.get();
        if let Some(before) = before.filter(|before| *before != choice) {
            // Opening and closing a group moves nobody.
            if (FindingChoice { shut: choice.shut.clone(), ..before }) != choice {
                active.set(None);
                panel.chosen.set(None);
                panel.is_own.set(false);
                restarts.update(|restarts| *restarts += 1);
            }
        }
        choice
    });
    Effect::new(move |_| hear(app, panel));
    let move_to = move |index: u32| {
        let last = total.get_untracked().saturating_sub(1);
        let index = index.min(last);
        open(panel, index);
        platform::next_frame(move || {
            platform::focus_id(&row_id(index));
        });
        true
    };
    use_keys(move |key: &Key| keys(app, panel, &move_to, key));
    let row_height = Signal::derive(move || if app.is_wide.get() { ROW } else { NARROW_ROW });
    let row = move |index: u32| draw_line(app, panel, index);
    view! {
        <div
            class="grid finding-list"
            role="grid"
            aria-label="Findings"
            aria-rowcount=move || total.get().to_string()
        >
            <VirtualList total row_height visible_range active restarts row/>
            {move || body.with(|body| body.as_ref().filter(|body| body.page.total == 0).map(|body| {
                let text = if body.of_run == 0 {
                    "No problems were found."
                } else {
                    "No finding fits these filters."
                };
                view! { <p class="advice">{text}</p> }
            }))}
        </div>
    }
}

/// Takes over an answer: how long the list is, and what became of the finding that is looked at.
fn hear(app: App, panel: Panel) {
    let Panel { body, active, chosen, total, .. } = panel;
    body.with(|body| {
        let Some(page) = body.as_ref().map(|body| &body.page) else { return };
        total.set(page.total);
        let finding = |line: &FindingLine| match line {
            FindingLine::Finding(row) => Some(row.as_ref().clone()),
            FindingLine::Group(_) => None,
        };
        let is_own = panel.is_own.get_untracked();
        if !is_own && app.is_wide.get_untracked() && page.first == 0 {
            let first = page.rows.iter().position(|line| finding(line).is_some());
            let row = first.and_then(|at| finding(page.rows.get(at)?));
            active.set(first.and_then(|at| u32::try_from(at).ok()));
            if chosen.get_untracked() != row {
                chosen.set(row);
            }
            return;
        }
        let at = active.get_untracked();
        match (at, chosen.get_untracked()) {
            (Some(at), None) => chosen.set(page.get(at).and_then(finding)),
            // Others may have come before it.
            (Some(at), Some(kept)) if page.get(at).and_then(finding) != Some(kept.clone()) => {
                let is_kept = |line: &FindingLine| finding(line).as_ref() == Some(&kept);
                let moved = page.rows.iter().position(is_kept);
                if let Some(moved) = moved.and_then(|at| u32::try_from(at).ok()) {
                    active.set(Some(page.first + moved));
                }
            }
            _ => {}
        }
    });
}

/// Shows the finding of a line; of a group, only moves there.
fn open(panel: Panel, index: u32) {
    let line = panel.body.with_untracked(|body| body.as_ref()?.page.get(index).cloned());
    match line {
        Some(FindingLine::Finding(row)) => panel.chosen.set(Some(*row)),
        Some(FindingLine::Group(_)) => {}
        None => panel.chosen.set(None),
    }
    panel.active.set(Some(index));
    panel.is_own.set(true);
}

fn keys(app: App, panel: Panel, move_to: &impl Fn(u32) -> bool, key: &Key) -> bool {
    let at = panel.active.get_untracked();
    let next = at.map_or(0, |at| at.saturating_add(1));
    let before = at.unwrap_or_default().saturating_sub(1);
    match key.name.as_str() {
        "/" => platform::focus_id(FILTER),
        "j" | "ArrowDown" | "e" => move_to(next),
        "k" | "ArrowUp" | "E" => move_to(before),
        "PageDown" => move_to(at.unwrap_or_default().saturating_add(PAGE)),
        "PageUp" => move_to(at.unwrap_or_default().saturating_sub(PAGE)),
        "Home" => move_to(0),
        "End" | "G" => move_to(u32::MAX),
        "Escape"
            if !app.is_wide.get_untracked() && panel.chosen.with_untracked(Option::is_some) =>
        {
            panel.chosen.set(None);
            at.is_none_or(|at| platform::focus_id(&row_id(at)))
        }
        _ => false,
    }
}

fn draw_line(app: App, panel: Panel, index: u32) -> AnyView {
    let Panel { body, active, .. } = panel;
    let data = Memo::new(move |_| body.with(|body| body.as_ref()?.page.get(index).cloned()));
    let is_active = move || active.get() == Some(index);
    let is_group = move || data.with(|line| matches!(line, Some(FindingLine::Group(_))));
    view! {
        <div
            class="row finding-row"
            role="row"
            class:active=is_active
            class:group=is_group
            aria-selected=move || is_active().to_string()
            aria-rowindex=(index + 1).to_string()
        >
            {move || data.get().map(|line| match line {
                FindingLine::Group(group) => group_cells(app, panel, index, group).into_any(),
                FindingLine::Finding(row) => cells(panel, index, &row).into_any(),
            })}
        </div>
    }
    .into_any()
}

/// One line of all is where the Tab key stops.
fn tabindex(active: RwSignal<Option<u32>>, index: u32) -> impl Fn() -> &'static str + Clone {
    move || {
        let is_stop = active.get().map_or(index == 0, |active| active == index);
        if is_stop { "0" } else { "-1" }
    }
}

fn group_cells(app: App, panel: Panel, index: u32, group: FindingGroup) -> impl IntoView {
    let FindingGroup { key, label, level, count, is_shut } = group;
    let click = move |_| {
        panel.active.set(Some(index));
        panel.is_own.set(true);
        app.choose(|query| {
            if is_shut {
                query.shut.retain(|other| *other != key);
            } else {
                query.shut.push(key.clone());
            }
        });
    };
    view! {
        <div class="f-group" role="gridcell">
            <button
                class="row-link group-button"
                id=row_id(index)
                tabindex=tabindex(panel.active, index)
                aria-expanded=(!is_shut).to_string()
                on:click=click
            >
                <Chevron/>
                <LevelMark level/>
                <span class="group-name"><RecordText text=label/></span>
                <span class="count">{platform::whole(count)}</span>
            </button>
        </div>
    }
}

fn cells(panel: Panel, index: u32, row: &FindingRow) -> impl IntoView + use<> {
    let run = row.run.as_ref().map_or_else(String::new, RunAddress::name);
    let numbers = if row.evidence.is_empty() {
        row.iteration.map(|number| number.to_string())
    } else {
        Some(format::numbers(&row.evidence))
    };
    let place = place(row);
    let click = move |_| open(panel, index);
    view! {
        <div class="f-level" role="gridcell"><LevelMark level=row.level/></div>
        <div class="f-message" role="gridcell">
            <button
                class="row-link"
                id=row_id(index)
                tabindex=tabindex(panel.active, index)
                on:click=click
            >
                <RecordText text=row.message.clone()/>
            </button>
        </div>
        <div class="f-rule" role="gridcell"><code class="rule">{row.rule.clone()}</code></div>
        <div class="f-run" role="gridcell">
            <span class="f-key"><RecordText text=run/></span>
            {numbers.map(|numbers| view! { <span class="f-numbers">{numbers}</span> })}
        </div>
        <div class="f-place" role="gridcell"><RecordText text=place/></div>
    }
}
