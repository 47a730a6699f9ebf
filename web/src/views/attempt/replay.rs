//! Stepping through the actions of an attempt: by keys, by buttons, or at a steady pace.

use std::time::Duration;

use leptos::prelude::*;

use super::labels;
use crate::components::{Steps, VisibleRange, rows_around};
use crate::format::counted;
use crate::platform::{self, Key};
use crate::protocol::{ActionBody, ActionsBody, AttemptAsk, Query};
use crate::state::{App, Asked, asked, use_keys};

/// How long an action is shown while they play.
const PACE: Duration = Duration::from_millis(1200);

/// The actions of the selected attempt, and the one that is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Replay {
    app: App,
    pub(crate) list: Asked<ActionsBody>,
    pub(crate) one: Asked<ActionBody>,
    pub(crate) total: Memo<u32>,
    /// Position of the chosen action, from 0.
    pub(crate) at: Memo<Option<u32>>,
    pub(crate) visible_range: RwSignal<VisibleRange>,
    is_playing: RwSignal<bool>,
    /// The reader wants nothing to move by itself.
    is_still: RwSignal<bool>,
}

impl Replay {
    /// Shows an action. It replaces the address, so that going back does not undo the steps one by one.
    pub(crate) fn go(self, at: u32) {
        self.app.choose(|query| query.lists.action = Some(at + 1));
    }

    fn step(self, is_forward: bool) {
        if let Some(now) = self.at.get_untracked() {
            let next = if is_forward { now + 1 } else { now.saturating_sub(1) };
            self.jump(next);
        }
    }

    /// The same within the list.
    fn jump(self, at: u32) {
        let last = self.total.get_untracked().saturating_sub(1);
        self.go(at.min(last));
    }

    /// Goes to the next action among `ActionsBody::troubles`, or to the one before.
    fn trouble(self, is_forward: bool) {
        let Some(now) = self.at.get_untracked() else { return };
        let to = self
            .list
            .answer
            .with_untracked(|list| labels::trouble(&list.as_ref()?.troubles, now, is_forward));
        match to {
            Some(to) => self.go(to),
            None if is_forward => self.app.say("No action after this one failed."),
            None => self.app.say("No action before this one failed."),
        }
    }

    fn is_last(self) -> bool {
        self.at.get_untracked().is_none_or(|at| at + 1 >= self.total.get_untracked())
    }

    fn play(self) {
        if self.is_still.get_untracked() {
            self.step(true);
        } else if self.is_playing.get_untracked() {
            self.is_playing.set(false);
            self.app.say("Paused.");
        } else {
            if self.is_last() {
                self.go(0);
            }
            self.is_playing.set(true);
        }
    }

    /// One action further, unless the one before is still awaited.
    fn tick(self) {
        let shown = self.one.answer.with_untracked(|one| one.as_ref().map(|one| one.at));
        if shown != self.at.get_untracked() {
            return;
        }
        if self.is_last() {
            self.is_playing.set(false);
            self.app.say("That was the last action.");
        } else {
            self.step(true);
        }
    }
}

/// Follows the selected attempt.
pub(super) fn replay(number: Memo<Option<i64>>, steps: Steps) -> Replay {
    let app = App::get();
    let visible_range = RwSignal::new(VisibleRange::default());
    let (length, beat) = (RwSignal::new(0_u32), RwSignal::new(0_u32));
    let rows = Memo::new(move |_| visible_range.with(|range| rows_around(range, length.get())));
    let list = asked(
        move || {
            let (run, number) = (steps.id.get()?, number.get()?);
            let ask = AttemptAsk::Actions { run, number, rows: rows.get(), beat: beat.get() };
            Some(Query::Attempt(ask))
        },
        |answer| answer.try_as_attempt().and_then(|answer| answer.try_as_actions()),
    );
    // What was heard of another attempt counts no more.
    let total = Memo::new(move |_| {
        let number = number.get();
        list.answer.with(|list| {
            list.as_ref().filter(|list| Some(list.number) == number).map_or(0, |list| list.total)
        })
    });
    Effect::new(move |_| {
        length.set(total.get());
        // A long log is read in steps.
        if list.answer.with(|list| list.as_ref().is_some_and(|list| list.read < list.total)) {
            beat.update(|beat| *beat = beat.wrapping_add(1));
        }
    });
    let named = Memo::new(move |_| app.place.with(|place| place.query.lists.action));
    let at = Memo::new(move |_| {
        let end = total.get().checked_sub(1)?;
        Some(named.get().map_or(0, |named| named.saturating_sub(1)).min(end))
    });
    let one = asked(
        move || {
            let (run, number, at) = (steps.id.get()?, number.get()?, at.get()?);
            Some(Query::Attempt(AttemptAsk::Action { run, number, at }))
        },
        |answer| answer.try_as_attempt().and_then(|answer| answer.try_as_action()),
    );
    let (is_playing, is_still) = (RwSignal::new(false), RwSignal::new(false));
    let replay = Replay { app, list, one, total, at, visible_range, is_playing, is_still };
    announce(replay);
    pace(replay, number);
    use_keys(move |key: &Key| keys(replay, steps, key));
    replay
}

/// Says where a step led.
fn announce(replay: Replay) {
    Effect::new(move |before: Option<Option<(i64, u32)>>| {
        replay.one.answer.with(|one| {
            let one = one.as_ref()?;
            let here = (one.number, one.at);
            if before.flatten().is_some_and(|before| before != here) {
                replay.app.say(labels::sentence(one));
            }
            Some(here)
        })
    });
}

/// Steps on while it plays; another attempt stops it.
fn pace(replay: Replay, number: Memo<Option<i64>>) {
    let watch = platform::media("(prefers-reduced-motion: reduce)", move |is_still| {
        let _ = replay.is_still.try_set(is_still);
    });
    let watch = StoredValue::new_local(Some(watch));
    Effect::new(move |_| {
        number.get();
        replay.is_playing.set(false);
    });
    let clock = StoredValue::new(None::<IntervalHandle>);
    let stop = move || {
        if let Some(clock) = clock.try_update_value(Option::take).flatten() {
            clock.clear();
        }
    };
    Effect::new(move |_| {
        stop();
        if replay.is_playing.get() {
            clock.set_value(set_interval(move || replay.tick(), PACE).ok());
        }
    });
    on_cleanup(move || {
        stop();
        let _ = watch.try_update_value(Option::take);
    });
}

fn keys(replay: Replay, steps: Steps, key: &Key) -> bool {
    match key.name.as_str() {
        "J" | "K" => {
            steps.go(key.name == "J");
            return true;
        }
        // Where nothing is recorded, keys step through the attempts.
        _ if replay.total.get_untracked() == 0 => return false,
        "j" | "ArrowDown" => replay.step(true),
        "k" | "ArrowUp" => replay.step(false),
        "Home" => replay.jump(0),
        "G" | "End" => replay.jump(u32::MAX),
        "e" | "E" => replay.trouble(key.name == "e"),
        " " if !key.is_repeated => replay.play(),
        " " => {}
        _ => return false,
    }
    true
}

/// How many actions there are, how they went, and the buttons that step through them.
#[component]
pub(super) fn ReplayBar(replay: Replay) -> impl IntoView {
    let Replay { list, total, at, is_playing, is_still, .. } = replay;
    let counts = move || {
        list.answer.with(|list| list.as_ref().filter(|list| list.total > 0).map(labels::counts))
    };
    let button = move |label: &'static str,
                       cap: &'static str,
                       sign: &'static str,
                       act: fn(Replay)| {
        view! {
            <button class="small" disabled=move || total.get() == 0 on:click=move |_| act(replay)>
                <span class="spoken">{label}</span>
                <kbd aria-hidden="true">{cap}</kbd>
                <span aria-hidden="true">{sign}</span>
            </button>
        }
    };
    let play = move || match (is_still.get(), is_playing.get()) {
        (true, _) => "Step",
        (false, true) => "Pause",
        (false, false) => "Play",
    };
    view! {
        <header class="steps replay-bar">
            <h2>"Actions"</h2>
            <span class="quiet">{move || {
                let total = total.get();
                match at.get() {
                    Some(at) => format!("{} of {}", platform::whole(at + 1), platform::whole(total)),
                    None => counted(total, "action"),
                }
            }}</span>
            <span class="steps-buttons">
                {button("First action", "Home", "\u{21e4}", |replay| replay.jump(0))}
                {button("Previous action", "k", "\u{2191}", |replay| replay.step(false))}
                {button("Next action", "j", "\u{2193}", |replay| replay.step(true))}
                {button("Last action", "End", "\u{21e5}", |replay| replay.jump(u32::MAX))}
                {button("Next failed action", "e", "!", |replay| replay.trouble(true))}
                <button
                    class="small play"
                    disabled=move || total.get() == 0
                    title=move || is_still.get().then_some("Nothing plays by itself: your system asks for reduced motion.")
                    aria-pressed=move || (!is_still.get()).then(|| is_playing.get().to_string())
                    on:click=move |_| replay.play()
                >
                    <kbd aria-hidden="true">"Space"</kbd>
                    {play}
                </button>
            </span>
            <p class="replay-counts">{counts}</p>
        </header>
    }
}
