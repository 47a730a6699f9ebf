//! What all parts of the comparison share.

use leptos::prelude::*;

use super::errors_and_lessons::ErrorsAndLessons;
use super::model::{LINES, Series, letter, panels};
use crate::protocol::{Align, CompareBody, CompareRun};
use crate::state::App;

/// What all parts of the view share.
#[derive(Clone, Copy)]
pub(super) struct Compared {
    pub(super) body: RwSignal<Option<CompareBody>>,
    pub(super) align: Memo<Align>,
    /// Position of the baseline.
    pub(super) base: Memo<usize>,
    pub(super) errors_and_lessons: ErrorsAndLessons,
}

impl Compared {
    /// Reads the runs, if there are any.
    pub(super) fn with<T>(self, read: impl FnOnce(&CompareBody) -> T) -> Option<T> {
        self.body.with(|body| body.as_ref().map(read))
    }

    /// The same, for what is drawn anew whenever the runs change.
    pub(super) fn peek<T>(self, read: impl FnOnce(&CompareBody) -> T) -> Option<T> {
        self.body.with_untracked(|body| body.as_ref().map(read))
    }

    pub(super) fn count(self) -> usize {
        self.with(|body| body.runs.len()).unwrap_or_default()
    }
}

/// A run's name, with its letter where runs have letters.
pub(super) fn run_name(at: usize, run: &CompareRun, count: usize) -> String {
    match letter(at).filter(|_| count <= LINES) {
        Some(letter) => format!("{letter} {}", run.row.address.name()),
        None => run.row.address.name(),
    }
}

/// The runs as options of a menu, by their positions.
pub(super) fn run_options(compared: Compared, chosen: Option<usize>) -> Option<impl IntoView> {
    compared.with(|body| {
        let option = |(at, run): (usize, &CompareRun)| {
            let name = run_name(at, run, body.runs.len());
            view! { <option value=at.to_string() selected=Some(at) == chosen>{name}</option> }
        };
        body.runs.iter().enumerate().map(option).collect::<Vec<_>>()
    })
}

/// Positions of the runs of the series that is chosen, or of all.
pub(super) fn chosen(app: App, body: &CompareBody, base: usize) -> Vec<(Series, Vec<usize>)> {
    let wanted = app.place.with(|place| place.query.series.clone());
    let all = panels(&body.runs, base);
    let fits = |series: &Series| wanted.as_ref().is_none_or(|wanted| *wanted == series.name());
    // If none of these runs has the series that the address names, all of them are shown.
    if !all.iter().any(|(series, _)| fits(series)) {
        return all;
    }
    all.into_iter().filter(|(series, _)| fits(series)).collect()
}
