//! Looks at the reflections of one run after another, record by record.

use std::collections::VecDeque;

use hindscope::{Error, History, InsightOptions, RunId, Span, Story};

use crate::worker::desk::Desk;
use crate::worker::explain::MOST;
use crate::worker::life::count;

/// A run whose reflections are being read.
pub(super) struct Looking {
    run: RunId,
    story: Story,
    spans: VecDeque<Span>,
}

impl Looking {
    /// Nothing for a run that is too long: its own page reads a part of it, and says how much.
    pub(super) fn begin(history: &History, run: RunId) -> Result<Option<Self>, Error> {
        let story = history.story(run)?;
        let mut spans = VecDeque::new();
        let mut bytes = 0;
        for record in story.needs_for(&options()) {
            let span = history.locate(record)?;
            bytes += span.end - span.start;
            if spans.len() >= MOST.records || bytes > MOST.bytes {
                return Ok(None);
            }
            spans.push_back(span);
        }
        Ok(Some(Self { run, story, spans }))
    }

    /// Reads one record; whether there was one.
    pub(super) fn step(
        &mut self,
        history: &History,
        read: impl FnOnce(&Span) -> Result<Vec<u8>, String>,
    ) -> Result<bool, String> {
        let Some(span) = self.spans.pop_front() else { return Ok(false) };
        let bytes = read(&span)?;
        history
            .tell(&mut self.story, span.record, &bytes)
            .map_err(|error| error.to_string())
            .map(|()| true)
    }

    pub(super) fn categories(&self) -> Vec<hindscope::CategoryCount> {
        self.story.explain(&options()).categories
    }
}

/// The one rule that finds failure categories.
pub(crate) fn options() -> InsightOptions {
    let rules = vec!["aggregate/categories".to_owned()];
    InsightOptions { rules, ..InsightOptions::default() }
}

/// Reads on in the run whose turn it is; whether there is anything left to read.
pub(crate) fn look_on(desk: &mut Desk) -> bool {
    let runs = count(desk.history.run_count());
    let categories = desk.categories_mut();
    if !categories.is_wanted {
        return false;
    }
    let looking = match categories.looking.take() {
        Some(looking) => Some(looking),
        None => match categories.next_run(runs) {
            None => return false,
            Some(run) => {
                let begun = Looking::begin(&desk.history, run).ok().flatten();
                if begun.is_none() {
                    desk.categories_mut().leave(run);
                }
                begun
            }
        },
    };
    let Some(mut looking) = looking else { return true };
    match looking.step(&desk.history, |span| desk.read(span)) {
        Ok(true) => desk.categories_mut().looking = Some(looking),
        Ok(false) => {
            let given = looking.categories();
            desk.categories_mut().keep(looking.run, &given);
        }
        Err(_) => desk.categories_mut().leave(looking.run),
    }
    true
}
