//! Questions that change with what is shown.

use leptos::prelude::*;

use crate::protocol::{Answer, Query};
use crate::state::App;

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

/// Asks a question now, again when it changes, and again when something else is opened.
pub(crate) fn asked<T: Send + Sync + 'static>(
    question: impl Fn() -> Option<Query> + Send + Sync + 'static,
    pick: fn(Answer) -> Option<T>,
) -> Asked<T> {
    let app = App::get();
    let asked = Asked { answer: RwSignal::new(None), problem: RwSignal::new(None) };
    let question = Memo::new(move |_| question());
    let version = Memo::new(move |_| app.summary.with(|summary| summary.version));
    let current = StoredValue::new(0u32);
    Effect::new(move |_| {
        version.get();
        app.withdraw(current.get_value());
        let Some(question) = question.get() else {
            asked.answer.set(None);
            return;
        };
        let id = app.ask(question, move |answer| {
            let problem = match answer {
                // What is shown stays until reading is over, and is asked for again then.
                Answer::Later => return,
                Answer::Failed(reason) => Some(reason),
                answer => {
                    let _ = asked.answer.try_set(pick(answer));
                    None
                }
            };
            if problem.is_some() {
                let _ = asked.answer.try_set(None);
            }
            let _ = asked.problem.try_set(problem);
        });
        current.set_value(id);
    });
    on_cleanup(move || {
        if let Some(id) = current.try_get_value() {
            app.withdraw(id);
        }
    });
    asked
}
