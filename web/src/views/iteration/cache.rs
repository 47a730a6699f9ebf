//! Iterations that were looked at, and those that come next: a step must not wait for the worker.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hindscope::RunId;
use leptos::html::Section;
use leptos::prelude::*;

use crate::components::Steps;
use crate::platform;
use crate::protocol::{Answer, Columns, IterationBody, Query};
use crate::state::App;

/// Bodies that are kept.
const KEPT: usize = 8;

/// Neighbours of more records than this are read when someone goes there.
const LIGHT: f64 = 100.0;

/// A run and the position of an iteration in it.
type Key = (u32, u32);

/// The body that is shown, and what is ready beside it.
#[derive(Clone, Copy)]
pub(crate) struct BodyCache {
    app: App,
    pub(crate) body: RwSignal<Option<Arc<IterationBody>>>,
    /// Why there is none.
    pub(crate) problem: RwSignal<Option<String>>,
    section: NodeRef<Section>,
    inner: StoredValue<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Bodies, each with the value of `clock` when it came.
    ready: BTreeMap<Key, (u32, Arc<IterationBody>)>,
    asked: BTreeSet<Key>,
    /// Grows with each body that comes.
    clock: u32,
    wanted: Option<Key>,
    /// Version of what is open.
    version: u32,
}

/// Follows the selected iteration.
pub(crate) fn cache(steps: Steps, section: NodeRef<Section>) -> BodyCache {
    let app = App::get();
    let Steps { id, columns, at, .. } = steps;
    let cache = BodyCache {
        app,
        body: RwSignal::new(None),
        problem: RwSignal::new(None),
        section,
        inner: StoredValue::new(Inner::default()),
    };
    let version = Memo::new(move |_| app.summary.with(|summary| summary.version));
    let wanted = Memo::new(move |_| Some((id.get()?.0, u32::try_from(at.get()?).ok()?)));
    Effect::new(move |_| {
        let version = version.get();
        let wanted = wanted.get();
        cache.inner.update_value(|inner| {
            if inner.version != version {
                // Ids may mean something else now.
                *inner = Inner { version, clock: inner.clock, ..Inner::default() };
            }
            inner.wanted = wanted;
        });
        let Some(wanted) = wanted else {
            cache.body.set(None);
            return;
        };
        let ready = cache.inner.with_value(|inner| inner.ready.get(&wanted).cloned());
        match ready {
            Some((_, body)) => cache.show(body),
            None => cache.ask(wanted, false),
        }
        let last = columns.with_untracked(Columns::len);
        let (run, at) = wanted;
        let next = (at as usize + 1 < last).then_some((run, at + 1));
        let before = at.checked_sub(1).map(|at| (run, at));
        let is_light = |(_, at): &Key| {
            columns.with_untracked(|columns| {
                columns.merged.get(*at as usize).is_none_or(|merged| merged <= LIGHT)
            })
        };
        for neighbour in [next, before].into_iter().flatten().filter(is_light) {
            let is_known = cache.inner.with_value(|inner| inner.ready.contains_key(&neighbour));
            if !is_known {
                cache.ask(neighbour, false);
            }
        }
    });
    cache
}

impl BodyCache {
    /// Asks for the body that is shown once more, with the ends of its long texts.
    pub(crate) fn ask_whole(self) {
        if let Some(wanted) = self.inner.with_value(|inner| inner.wanted) {
            self.ask(wanted, true);
        }
    }

    fn ask(self, key: Key, is_whole: bool) {
        let version = self.inner.with_value(|inner| inner.version);
        let is_new = self.inner.try_update_value(|inner| inner.asked.insert(key) || is_whole);
        if is_new != Some(true) {
            return;
        }
        let (run, ordinal) = (RunId(key.0), key.1);
        let query = if is_whole {
            Query::Whole { run, ordinal }
        } else {
            Query::Iteration { run, ordinal }
        };
        self.app.ask_for_page(query, move |answer| self.hear(key, version, answer));
    }

    fn hear(self, key: Key, version: u32, answer: Answer) {
        let is_wanted = self.inner.try_update_value(|inner| {
            if inner.version != version {
                return None;
            }
            inner.asked.remove(&key);
            Some(inner.wanted == Some(key))
        });
        // The view is gone, or something else is open.
        let Some(Some(is_wanted)) = is_wanted else { return };
        match answer {
            Answer::Iteration(body) => {
                let body = Arc::new(*body);
                self.inner.update_value(|inner| inner.keep(key, Arc::clone(&body)));
                if is_wanted {
                    self.show(body);
                }
            }
            Answer::Failed(reason) if is_wanted => {
                self.body.set(None);
                self.problem.set(Some(reason));
            }
            _ => {}
        }
    }

    /// Shows a body where the one before stood: same section, same distance from the edge.
    fn show(self, body: Arc<IterationBody>) {
        self.problem.set(None);
        // What is open may have been read again, and this is as it was.
        let is_same = self.body.with_untracked(|now| now.as_ref() == Some(&body));
        if is_same {
            return;
        }
        let section = self.section.get_untracked();
        let anchor = section.as_ref().and_then(platform::anchor);
        self.body.set(Some(body));
        if let (Some(section), Some(anchor)) = (section, anchor) {
            platform::next_frame(move || anchor.restore(&section));
        }
    }
}

impl Inner {
    fn keep(&mut self, key: Key, body: Arc<IterationBody>) {
        self.clock += 1;
        self.ready.insert(key, (self.clock, body));
        while self.ready.len() > KEPT {
            let oldest = self.ready.iter().min_by_key(|(_, (clock, _))| *clock);
            let Some(oldest) = oldest.map(|(key, _)| *key) else { return };
            self.ready.remove(&oldest);
        }
    }
}
