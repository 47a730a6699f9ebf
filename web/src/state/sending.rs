//! Files on their way to the worker, in parts, one opening after the other.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::app::{App, Phase};
use super::openings::Opening;
use crate::platform;
use crate::protocol::{Limits, Mode, Summary, ToWorker, count, is_long};

/// Files that go to the worker at a time, and how long that may keep the page from drawing. Handing
/// over a picked file makes the browser look at its disk.
const PART: usize = 25;
const PART_MS: f64 = 12.0;

impl App {
    /// Hands openings to the worker: beside or instead of what it has. What replaces takes the place of
    /// whatever is still on its way.
    pub(super) fn hand_over(self, openings: Vec<Opening>, mode: Mode) {
        if !self.begin(mode) {
            return;
        }
        let is_idle = self.line.with_value(|line| {
            let mut outbox = line.outbox.borrow_mut();
            if mode == Mode::Replace {
                outbox.clear();
            }
            let none = || Opening::new(Vec::new(), [].into(), Limits::default());
            let nothing = openings.is_empty().then(none);
            let last = openings.len().saturating_sub(1);
            let modes = (0..).map(|at| match mode {
                Mode::Renew { .. } => Mode::Renew { left: last.saturating_sub(at) },
                mode if at == 0 => mode,
                _ => Mode::Add,
            });
            outbox.waiting.extend(openings.into_iter().chain(nothing).zip(modes));
            let is_idle = outbox.sending.is_none();
            outbox.sending = Some(outbox.turn);
            is_idle
        });
        if is_idle {
            spawn_local(self.send_waiting());
        }
    }

    async fn send_waiting(self) {
        loop {
            let next = self.line.with_value(|line| {
                let mut outbox = line.outbox.borrow_mut();
                let next = outbox.waiting.pop_front();
                outbox.sending = next.as_ref().map(|_| outbox.turn);
                next.map(|(opening, mode)| (opening, mode, outbox.turn))
            });
            let Some((opening, mode, turn)) = next else { return };
            self.send_opening(opening, mode, turn).await;
        }
    }

    async fn send_opening(self, Opening { items, limits, .. }: Opening, mode: Mode, turn: u32) {
        let is_wanted = || self.line.with_value(|line| line.outbox.borrow().turn == turn);
        let offer = self.line.with_value(|line| {
            let mut waiting = line.waiting.borrow_mut();
            waiting.last += 1;
            waiting.last
        });
        let mut begun = platform::now();
        for part in items.chunks(PART) {
            self.send(&ToWorker::Part { offer, items: part.to_vec() });
            if platform::now() - begun > PART_MS {
                platform::pause().await;
                if !is_wanted() {
                    return;
                }
                begun = platform::now();
            }
        }
        self.line.with_value(|line| line.outbox.borrow_mut().sent = offer);
        self.send(&ToWorker::Open { offer, mode, limits });
        // The worker reads meanwhile.
        let bytes = items.iter().map(|item| item.size).sum();
        if is_long(bytes, count(items.len())) {
            self.await_runs();
        }
    }

    /// Stops reading; what has been read stays.
    pub(crate) fn cancel(self) {
        let is_read = self.line.with_value(|line| {
            let mut outbox = line.outbox.borrow_mut();
            // What is read beside what is shown goes on.
            if self.phase.with_untracked(Phase::is_busy) {
                outbox.clear();
            }
            outbox.sent == outbox.read
        });
        self.send(&ToWorker::Cancel);
        // The worker has nothing to cancel: all of it was still on its way.
        if is_read && self.phase.with_untracked(|phase| *phase == Phase::Reading) {
            let has_open = self.summary.with_untracked(|summary| summary.sources > 0);
            self.phase.set(if has_open { Phase::Ready } else { Phase::Empty });
        }
    }

    /// Whether the worker has read everything that it was, or will be, handed.
    pub(super) fn is_all_read(self, summary: &Summary) -> bool {
        self.line.with_value(|line| {
            let mut outbox = line.outbox.borrow_mut();
            outbox.read = summary.offer;
            outbox.is_read()
        })
    }
}
