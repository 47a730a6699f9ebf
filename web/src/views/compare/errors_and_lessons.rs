//! Errors and lessons of the compared runs, asked for run by run.

use std::collections::BTreeMap;

use hindscope::RunId;
use leptos::prelude::*;

use crate::platform;
use crate::protocol::{Answer, ErrorsAndLessonsBody, Query};
use crate::state::App;

/// Runs whose records are read: each may have thousands.
pub(super) const READ: usize = 50;

/// What came is shown this often: each time, everything that is shared is compared anew.
const SHOWN_MS: f64 = 300.0;

/// What came and is not shown yet.
#[derive(Clone, Debug, Default)]
struct Came {
    of: Vec<(RunId, ErrorsAndLessonsBody)>,
    /// Runs that were asked about.
    asked: usize,
    /// When something was shown last.
    shown: f64,
}

/// What is known so far.
#[derive(Clone, Copy)]
pub(super) struct ErrorsAndLessons {
    of: RwSignal<BTreeMap<RunId, ErrorsAndLessonsBody>>,
    came: StoredValue<Came>,
    /// Runs that were asked about, whether or not there was an answer.
    done: RwSignal<usize>,
    wanted: Memo<Vec<RunId>>,
}

impl ErrorsAndLessons {
    /// Reads the records of these runs, and again when they change.
    pub(super) fn follow(ids: Memo<Vec<RunId>>) -> Self {
        let app = App::get();
        let known = Self {
            of: RwSignal::default(),
            came: StoredValue::new(Came::default()),
            done: RwSignal::new(0),
            wanted: ids,
        };
        let asked = StoredValue::new(0u32);
        let version = Memo::new(move |_| app.summary.with(|summary| summary.version));
        Effect::new(move |_| {
            version.get();
            ids.with(|_| ());
            app.withdraw(asked.get_value());
            known.came.set_value(Came { shown: platform::now(), ..Came::default() });
            known.of.set(BTreeMap::new());
            known.done.set(0);
            known.go_on(app, asked);
        });
        on_cleanup(move || {
            if let Some(id) = asked.try_get_value() {
                app.withdraw(id);
            }
        });
        known
    }

    fn go_on(self, app: App, asked: StoredValue<u32>) {
        let at = self.came.with_value(|came| came.asked);
        let next = self.wanted.with_untracked(|ids| ids.iter().take(READ).nth(at).copied());
        let Some(run) = next else { return };
        let id = app.ask_for_page(Query::ErrorsAndLessons { run }, move |answer| {
            match answer {
                Answer::ErrorsAndLessons(body) => {
                    let _ = self.came.try_update_value(|came| came.of.push((run, *body)));
                }
                Answer::Later => return,
                _ => {}
            }
            if self.came.try_update_value(|came| came.asked += 1).is_some() {
                self.show();
                self.go_on(app, asked);
            }
        });
        asked.set_value(id);
    }

    /// Shows what came, if it is time or nothing more comes.
    fn show(self) {
        let (_, read, _) = untrack(|| self.progress());
        let came = self.came.try_update_value(|came| {
            let is_due = came.asked >= read || platform::now() - came.shown >= SHOWN_MS;
            is_due.then(|| {
                came.shown = platform::now();
                (std::mem::take(&mut came.of), came.asked)
            })
        });
        if let Some((of, asked)) = came.flatten() {
            self.of.update(|known| known.extend(of));
            self.done.set(asked);
        }
    }

    /// What is known of a run; `None` if no answer has come, or if its records are not read.
    pub(super) fn get(self, run: RunId) -> Option<ErrorsAndLessonsBody> {
        self.of.with(|of| of.get(&run).cloned())
    }

    /// Whether the records of a run at this position are read at all.
    pub(super) fn is_read(at: usize) -> bool {
        at < READ
    }

    /// Runs done, runs that are read, and all of them.
    pub(super) fn progress(self) -> (usize, usize, usize) {
        let all = self.wanted.with(Vec::len);
        (self.done.get(), all.min(READ), all)
    }
}
