//! Where Ω comes from (`window/provenance`, `window/dynamic-omega`, `window/auto-scale`).

use serde::Serialize;

use crate::model::omega::MOST;

/// An Ω that suits a kind of work: advice to show beside the setting; nothing applies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OmegaAdvice {
    /// The kind of work.
    pub situation: &'static str,
    /// Ω that suits it.
    pub omega: u8,
}

/// What aiwg's guide and agents advise.
pub const OMEGA_ADVICE: &[OmegaAdvice] = &[
    OmegaAdvice { situation: "Fixes in a single function", omega: 1 },
    OmegaAdvice { situation: "Work across files, decisions, reasoning", omega: 3 },
    OmegaAdvice { situation: "Exploration and cross-cutting work", omega: 5 },
];

/// `window/dynamic-omega`: the more kinds of failure so far, the longer the memory. A missing
/// category is none.
pub(crate) fn dynamic_omega<'a>(categories: impl IntoIterator<Item = Option<&'a str>>) -> u8 {
    let mut distinct = Vec::new();
    for category in categories.into_iter().flatten() {
        if distinct.len() < 5 && !distinct.contains(&category) {
            distinct.push(category);
        }
    }
    match distinct.len() {
        5.. => 5,
        3.. => 3,
        _ => 1,
    }
}

/// How a loop is doing, for [`auto_scale`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pace {
    /// Failures in a row, up to now.
    pub consecutive_failures: u32,
    /// Mean quality of the reflections in the window, 0..1; 0 says that there is none.
    pub mean_quality: f64,
    /// Iterations that the last task took; 0 says that none was finished.
    pub iterations_to_finish: u32,
}

/// Ω after one evaluation (`window/auto-scale`): one step at most, within 1..=10. Nothing in this
/// crate calls it: a host that wants it hands the answer to
/// [`ReflectionWindow::set_omega`](crate::ReflectionWindow::set_omega).
///
/// # Example: three failures in a row
///
/// ```
/// use hindscope::{Pace, auto_scale};
///
/// let pace = Pace { consecutive_failures: 3, mean_quality: 0.95, iterations_to_finish: 0 };
/// assert_eq!(auto_scale(3, &pace), 4);
/// assert_eq!(auto_scale(10, &pace), 10);
/// ```
pub fn auto_scale(omega: u8, pace: &Pace) -> u8 {
    let Pace { consecutive_failures: failures, mean_quality: quality, iterations_to_finish } =
        *pace;
    let is_bad = failures >= 3 || (quality > 0.0 && quality < 0.5);
    let is_easy = (quality >= 0.9 && failures == 0) || (1..=3).contains(&iterations_to_finish);
    match (is_bad, is_easy) {
        (true, _) => omega.saturating_add(1).clamp(1, MOST),
        (false, true) => omega.saturating_sub(1).clamp(1, MOST),
        (false, false) => omega,
    }
}

/// Which attempts could be seen at attempt `at` of a study log, newest first (`window/scope`, scope
/// file): every attempt of every task pushes one entry, in file order, to a buffer of `buffer`; the
/// last `k` of it are shown. Attempts are positions in the file, from 0.
///
/// # Example: the window spans tasks
///
/// ```
/// use hindscope::file_scope;
///
/// let attempts = ["q1#0", "q1#1", "q2#0"];
/// assert_eq!(file_scope(1, 2, 2), [0]);
/// assert_eq!(file_scope(2, 2, 2), [1, 0]);
/// assert_eq!(file_scope(3, 2, 2), [2, 1]);
/// assert_eq!(attempts[file_scope(3, 2, 2)[0]], "q2#0");
/// ```
pub fn file_scope(at: usize, buffer: usize, k: usize) -> Vec<usize> {
    (at.saturating_sub(buffer.min(k))..at).rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_stretch_the_window() {
        let of = |words: &[&'static str]| dynamic_omega(words.iter().map(|w| Some(*w)));
        assert_eq!(of(&["edge_case_miss", "logic_error", "logic_error", "other"]), 3);
        assert_eq!(of(&["logic_error", "logic_error", "other"]), 1);
        assert_eq!(of(&["a", "b", "c", "d"]), 3);
        assert_eq!(of(&["a", "b", "c", "d", "e"]), 5);
        assert_eq!(dynamic_omega([Some("a"), Some("b"), None]), 1, "missing is no category");
    }

    #[test]
    fn auto_scale_takes_the_first_that_fits() {
        let step = |consecutive_failures, mean_quality, iterations_to_finish| {
            auto_scale(4, &Pace { consecutive_failures, mean_quality, iterations_to_finish })
        };
        assert_eq!(step(2, 0.7, 0), 4);
        assert_eq!(step(0, 0.49, 3), 5);
        assert_eq!(step(0, 0.5, 3), 3);
        assert_eq!(step(0, 0.9, 9), 3);
        assert_eq!(step(1, 0.9, 9), 4, "not while it fails");
        assert_eq!(step(0, 0.0, 4), 4);
        let quick = Pace { iterations_to_finish: 1, ..Pace::default() };
        assert_eq!(auto_scale(1, &quick), 1);
    }

    #[test]
    fn a_large_buffer_shows_k_and_a_small_one_what_it_has() {
        assert_eq!(file_scope(9, 5, 3), [8, 7, 6]);
        assert_eq!(file_scope(9, 2, 3), [8, 7]);
        assert_eq!(file_scope(0, 5, 3), [0_usize; 0]);
    }
}
