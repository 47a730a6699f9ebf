//! Questions that change with what is shown.

use leptos::prelude::*;

use super::app::App;
use crate::platform;
use crate::protocol::{Answer, Query};

/// Answers to a question that changes with what is shown.
pub(crate) struct Asked<T: Send + Sync + 'static> {
    /// The last answer; it stays while the next one is on its way, so that nothing jumps.
    pub(crate) answer: RwSignal<Option<T>>,
    /// Why there is none.
    pub(crate) problem: RwSignal<Option<String>>,
}

impl<T: Send + Sync + 'static> Clone for Asked<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for Asked<T> {}

impl<T: Send + Sync + 'static> Asked<T> {
    fn hear(self, answer: Answer, pick: fn(Answer) -> Option<T>) {
        let (answer, problem) = match answer {
            // What is shown stays until reading is over, and is asked for again then.
            Answer::Later => return,
            Answer::Failed(reason) => (None, Some(reason)),
            answer => (pick(answer), None),
        };
        // Whoever asked may be gone.
        let _ = self.answer.try_set(answer);
        let _ = self.problem.try_set(problem);
    }
}

/// Asks a question now, again when it changes, and again when something else is opened.
pub(crate) fn asked<T: Send + Sync + 'static>(
    question: impl Fn() -> Option<Query> + Send + Sync + 'static,
    pick: fn(Answer) -> Option<T>,
) -> Asked<T> {
    asked_in_motion(question, pick, || false)
}

/// As `asked`, but an answer waits while things go by too fast to be seen, and is dropped if the question
/// changes meanwhile: to draw what is gone in the next frame only delays that frame.
pub(crate) fn asked_in_motion<T: Send + Sync + 'static>(
    question: impl Fn() -> Option<Query> + Send + Sync + 'static,
    pick: fn(Answer) -> Option<T>,
    is_fast: impl Fn() -> bool + Copy + 'static,
) -> Asked<T> {
    let app = App::get();
    let asked = Asked { answer: RwSignal::new(None), problem: RwSignal::new(None) };
    let question = Memo::new(move |_| question());
    let version = Memo::new(move |_| app.summary.with(|summary| summary.version));
    let current = StoredValue::new(0u32);
    Effect::new(move |_| {
        version.get();
        let Some(question) = question.get() else {
            asked.answer.set(None);
            return;
        };
        let id = app.ask(question, move |answer| {
            let id = current.try_get_value();
            once_slow(is_fast, move || {
                if current.try_get_value() == id {
                    asked.hear(answer, pick);
                }
            });
        });
        current.set_value(id);
    });
    asked
}

/// Calls now, or in the first frame that is no longer too fast.
fn once_slow(is_fast: impl Fn() -> bool + 'static, call: impl FnOnce() + 'static) {
    if is_fast() {
        platform::next_frame(move || once_slow(is_fast, call));
    } else {
        call();
    }
}
