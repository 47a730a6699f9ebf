//! What the parts of a chart's panel share, derived from the run and the address.

use std::sync::Arc;

use hindscope::{ChartColumns, InsightOptions, Origin};
use leptos::prelude::*;

use super::labels::Tone;
use super::view::{Viewport, viewport};
use crate::chart::Shown;
use crate::protocol::{Answer, Columns, Query, RunBody, SeriesBody};
use crate::state::{App, Asked, asked};

/// Everything that the parts of the panel share.
#[derive(Clone, Copy)]
pub(super) struct Panel {
    pub(super) run: Asked<RunBody>,
    /// Columns with the rewards of the series that is chosen.
    pub(super) columns: Memo<Columns>,
    pub(super) shown: Memo<Shown>,
    pub(super) tone: Memo<Tone>,
    pub(super) series: Asked<SeriesBody>,
    pub(super) viewport: Viewport,
    pub(super) at: Memo<Option<usize>>,
    pub(super) held: Memo<Vec<u32>>,
    /// The selected reward as its record spells it.
    pub(super) written: Memo<Option<String>>,
}

/// Derives all that is shown from the run and the address.
pub(super) fn panel(run: Asked<RunBody>, own: Memo<Columns>, at: Memo<Option<usize>>) -> Panel {
    let app = App::get();
    let id = Memo::new(move |_| run.answer.with(|run| run.as_ref().map(|run| run.row.view.id)));
    let wanted = Memo::new(move |_| app.place.with(|place| place.query.series.clone()));
    let series = asked(
        move || Some(Query::Series { run: id.get()?, name: wanted.get() }),
        |answer| answer.try_as_series().map(|body| *body),
    );
    let chosen = Memo::new(move |_| {
        let (id, wanted) = (id.get(), wanted.get());
        series.answer.with(|body| {
            let body = body.as_ref().filter(|body| body.run == id)?;
            body.chosen.clone().filter(|chosen| Some(&chosen.name) == wanted.as_ref())
        })
    });
    let tone = Memo::new(move |_| {
        let is_points = app.place.with(|place| place.query.unit.as_deref() == Some("points"));
        let (origin, rule, series) = match chosen.get() {
            Some(chosen) => (chosen.origin, chosen.rule, Some(chosen.name)),
            None => run.answer.with(|run| {
                let view = run.as_ref().map(|run| &run.row.view);
                let origin = view.map_or(Origin::None, |view| view.reward_origin);
                (origin, view.and_then(|view| view.reward_rule.clone()), None)
            }),
        };
        Tone { is_points, origin, rule, series }
    });
    let shown = Memo::new(move |_| {
        let mut columns = own.with(of_columns);
        if let Some(rewards) = chosen.with(|chosen| chosen.as_ref().map(|c| c.rewards.clone())) {
            columns = columns.with_rewards(rewards.as_slice().to_vec());
        }
        Shown {
            axis: Arc::new(columns.axis()),
            marks: columns.marks(&InsightOptions::default()),
            columns: Arc::new(columns),
            is_derived: tone.with_untracked(|tone| tone.origin == Origin::Derived),
        }
    });
    let columns = Memo::new(move |_| {
        let mut columns = own.get();
        if chosen.with(Option::is_some) {
            shown.with(|shown| {
                columns.rewards = shown.columns.rewards.iter().copied().collect();
                columns.deltas = shown.columns.deltas.iter().copied().collect();
                columns.gaps = shown.columns.gaps.iter().copied().collect();
                columns.stored = shown.columns.stored.iter().copied().collect();
            });
        }
        columns
    });
    let in_window = asked(
        move || {
            let at = own.with(|columns| columns.number(at.get()?))?;
            let omega = app.place.with(|place| place.query.omega);
            Some(Query::InWindow { run: id.get()?, at, omega })
        },
        Answer::try_as_in_window,
    );
    // None while the answer is about another iteration.
    let of_selected = Memo::new(move |_| {
        let at = own.with(|columns| columns.number(at.get()?));
        in_window.answer.get().filter(|body| Some(body.at) == at)
    });
    let held = Memo::new(move |_| of_selected.get().map(|body| body.ordinals).unwrap_or_default());
    // Of the run's own series only.
    let written =
        Memo::new(move |_| of_selected.get()?.written.filter(|_| chosen.with(Option::is_none)));
    let viewport = viewport(id, shown);
    Panel { run, columns, shown, tone, series, viewport, at, held, written }
}

/// The columns as the core draws them.
fn of_columns(columns: &Columns) -> ChartColumns {
    ChartColumns {
        numbers: (0..columns.len()).map(|at| columns.number(at).unwrap_or_default()).collect(),
        rewards: columns.rewards.as_slice().to_vec(),
        deltas: columns.deltas.as_slice().to_vec(),
        gaps: columns.gaps.as_slice().to_vec(),
        stored: columns.stored.as_slice().to_vec(),
        merged: columns.merged.as_slice().to_vec(),
        outcomes: (0..columns.len()).map(|at| columns.outcome(at)).collect(),
    }
}
