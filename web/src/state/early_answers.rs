//! Answers that come before their questions: what the list of runs asks first needs no way there and
//! back.

use std::collections::BTreeMap;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::app::{App, Line, Phase};
use super::print::Print;
use crate::platform;
use crate::protocol::{Answer, Query, SoFar, ToWorker};
use crate::route::{Place, View};

/// The section above the list of runs, as `App::folds` knows it.
pub(crate) const SUMMARY: &str = "Summary";

impl App {
    /// The same page with a sample open, of which neither the worker nor the reader knows.
    pub(crate) fn with_sample(self, sample: SoFar) -> Self {
        let line = Line::default();
        line.waiting.borrow_mut().ahead = sample.ahead;
        Self {
            place: RwSignal::new(Place::of(View::Runs)),
            phase: RwSignal::new(Phase::Reading),
            summary: RwSignal::new(sample.summary),
            choice: RwSignal::default(),
            folds: RwSignal::new(BTreeMap::from([(SUMMARY, true)])),
            print: Print::default(),
            line: StoredValue::new_local(line),
            keys: StoredValue::new_local(Vec::new()),
            ..self
        }
    }

    /// The answer to a question, if it is there already.
    pub(super) fn take_ahead(self, query: &Query) -> Option<Answer> {
        self.line.with_value(|line| {
            let ahead = &mut line.waiting.borrow_mut().ahead;
            let at = ahead.iter().position(|answer| query.is_answered_by(answer))?;
            Some(ahead.swap_remove(at))
        })
    }

    /// They answered what was asked at once, or are out of date.
    pub(super) fn forget_ahead(self) {
        self.line.with_value(|line| line.waiting.borrow_mut().ahead.clear());
    }

    /// Hands it over, as if the worker had just said it.
    pub(super) fn answer_ahead(self, id: u32, answer: Answer) {
        let is_runs = matches!(answer, Answer::Runs(_));
        spawn_local(async move {
            // What asked is drawn in a task of its own, and the runs before anything else.
            for _ in 0..if is_runs { 1 } else { 2 } {
                platform::pause().await;
            }
            self.hear_answer(id, answer);
            if is_runs {
                request_animation_frame(move || self.say_shown());
            }
        });
    }

    /// Lets the worker go on, which leaves the processors to the page for the first runs.
    pub(super) fn say_shown(self) {
        let _ = self.line.try_with_value(|line| line.link.send(&ToWorker::Shown));
    }
}
