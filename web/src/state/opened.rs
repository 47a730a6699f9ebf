//! What the page does once there is something to show: while files are read, and at their end.

use leptos::prelude::*;

use super::app::{App, Awaits, Phase};
use super::message;
use crate::format::{self, counted};
use crate::platform;
use crate::protocol::Summary;
use crate::route::{Place, View, run_place};

impl App {
    /// Where reading takes a while, shows the list of runs before the first of them is read.
    pub(super) fn await_runs(self) {
        let is_start = self.place.with_untracked(|place| place.view == View::Open);
        let stays = self.awaits.with_value(|awaits| awaits.stays);
        let awaited = self.awaits.with_value(|awaits| awaits.link);
        if is_start && !stays && !awaited && !untrack(|| self.has_runs()) {
            self.awaits.update_value(|awaits| awaits.end = true);
            self.go(Place::of(View::Runs), false);
        }
    }

    /// Runs are there and more are to come: they are shown at once, unless the reader is elsewhere.
    pub(super) fn hear_so_far(self, summary: Summary) {
        let view = self.place.with_untracked(|place| place.view.clone());
        let awaited = self.awaits.with_value(|awaits| awaits.link || awaits.stays);
        match view {
            View::Runs => self.summary.set(summary),
            // A single run may stay the only one: then it is shown itself at the end, and not the list.
            View::Open if !awaited && summary.runs > 1 => {
                self.awaits.update_value(|awaits| awaits.end = true);
                self.summary.set(summary);
                self.go(Place::of(View::Runs), false);
            }
            _ => {}
        }
    }

    /// The worker is gone.
    pub(super) fn hear_lost(self, reason: String) {
        self.exporting.set(None);
        self.live().is_renewing.set_value(false);
        // A bug says what it is first; that the worker ended is heard after it.
        if !matches!(self.phase.get_untracked(), Phase::Lost(_)) {
            self.phase.set(Phase::Lost(reason));
        }
    }

    /// Everything has been read.
    pub(super) fn hear_opened(self, summary: Summary) {
        if !self.is_all_read(&summary) {
            return;
        }
        let place = self.place.get_untracked();
        self.spoken.set(opened_sentence(&summary));
        self.opened.update(|times| *times += 1);
        let is_renewed = self.live().is_renewing.get_value();
        self.live().is_renewing.set_value(false);
        let ended = self.progress.with_untracked(|last| message::ended(&summary, last));
        // That only the first records are read was said already.
        let ended = ended.filter(|ended| !is_renewed || ended.code != "first-records");
        if ended.is_some() {
            self.intake().message.set(ended);
        }
        self.phase.set(if summary.sources == 0 { Phase::Empty } else { Phase::Ready });
        let awaits = self.awaits.get_value();
        self.awaits.set_value(Awaits { heading: awaits.heading, ..Awaits::default() });
        let is_shown = awaits.end && (place.view != View::Runs || summary.only_run.is_none());
        let stays = awaits.stays
            || is_shown
            || place.view != View::Open && (awaits.link || summary.is_addition);
        let only_run = summary.only_run.clone();
        let has_runs = summary.runs > 0;
        // Reset, so that the same number of runs in another history is noticed as a change, too.
        self.judged.set(0);
        self.looked.set(0);
        self.compared.set(0);
        self.summary.set(summary);
        if !has_runs && !is_renewed {
            self.go(Place::of(View::Open), awaits.end || place.view == View::Open);
        } else if has_runs && !stays {
            let view = only_run.map_or(Place::of(View::Runs), |run| run_place(&run, None));
            self.go(view, awaits.end);
        }
    }
}

/// What was opened, in one sentence.
pub(crate) fn opened_sentence(summary: &Summary) -> String {
    format!(
        "{} open: {}, {}, {} about the files.",
        counted(summary.sources, "file"),
        counted(summary.runs, "run"),
        counted(summary.reflections, "reflection"),
        counted(summary.findings, "finding"),
    )
}

/// What became of all records and bytes, in one sentence.
pub(crate) fn added_sentence(summary: &Summary) -> String {
    let mut parts = vec![format!("{} kept", counted(summary.kept, "record"))];
    for (count, what) in [(summary.repaired, "repaired"), (summary.skipped, "skipped")] {
        if count > 0 {
            parts.push(format!("{} {what}", platform::whole(count)));
        }
    }
    if summary.refused > 0 {
        parts.push(format!("{} refused", counted(summary.refused, "file")));
    }
    format!("{}. {} read.", parts.join(", "), format::bytes(summary.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_open_and_what_is_not() {
        let summary =
            Summary { sources: 15, runs: 134, reflections: 200, findings: 1, ..Summary::default() };
        assert_eq!(
            opened_sentence(&summary),
            "15 files open: 134 runs, 200 reflections, 1 finding about the files."
        );
        let added = Summary { kept: 9, repaired: 2, refused: 1, bytes: 2e6, ..Summary::default() };
        let says = "9 records kept, 2 repaired, 1 file refused. 2.0 MB read.";
        assert_eq!(added_sentence(&added), says);
    }
}
