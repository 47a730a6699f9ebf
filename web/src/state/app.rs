//! What the page knows: where the reader is, what is open, and what was asked of the worker.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::Location;
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::intake::Intake;
use super::live::Live;
use super::openings::{Openings, Outbox, Undo};
use super::print::Print;
use super::search::{QUERY, SearchState};
use crate::platform::{self, Key, Link, Theme};
use crate::protocol::{
    Answer, Choice, FromWorker, Mode, Progress, Query, RunAddress, Summary, ToWorker,
};
use crate::route::{self, Place, View};

/// The heading of each view has this id, and receives the focus when the view is entered.
pub(crate) const HEADING: &str = "heading";

/// A worker that was asked something and said nothing for this long may be gone.
const PATIENCE_MS: f64 = 20_000.0;

/// A worker with more memory than this is ended when what it holds is replaced.
pub(super) const LARGE: f64 = 256e6;

/// What the worker is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing has been opened.
    #[default]
    Empty,
    /// Folders are being walked; so many files were found.
    Listing(usize),
    /// Files are being read.
    Reading,
    /// Everything has been read.
    Ready,
    /// The worker is gone, and why.
    Lost(String),
}

impl Phase {
    /// Whether something is being opened.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self, Self::Listing(_) | Self::Reading)
    }
}

/// Everything that several views share. A copy of it is a few ids.
#[derive(Clone, Copy, Default)]
pub(crate) struct App {
    pub(crate) place: RwSignal<Place>,
    pub(crate) phase: RwSignal<Phase>,
    /// Times that reading came to an end.
    pub(crate) opened: RwSignal<u32>,
    pub(crate) progress: RwSignal<Progress>,
    pub(crate) summary: RwSignal<Summary>,
    /// The worker owes an answer for longer than it should.
    pub(crate) is_silent: RwSignal<bool>,
    /// Said aloud, and by screen readers only.
    pub(crate) spoken: RwSignal<String>,
    /// One line above the view, until it is dismissed.
    pub(crate) notice: RwSignal<Option<String>>,
    pub(crate) theme: RwSignal<Theme>,
    /// Changes whenever colours do.
    pub(crate) palette: RwSignal<u32>,
    /// Files are held over the window.
    pub(crate) is_dragged: RwSignal<bool>,
    /// What came in and is not open yet.
    pub(super) intake: StoredValue<Intake, LocalStorage>,
    /// The files that are open, and those that were.
    pub(super) openings: StoredValue<Openings, LocalStorage>,
    pub(crate) undo: Undo,
    /// 1024 pixels or more.
    pub(crate) is_wide: RwSignal<bool>,
    /// Fewer than 640 pixels.
    pub(crate) is_narrow: RwSignal<bool>,
    /// Filter and order of the list of runs, which the steps between runs follow.
    pub(crate) choice: RwSignal<Choice>,
    /// Runs that are marked for being compared.
    pub(crate) marks: RwSignal<Vec<RunAddress>>,
    /// Charts are shown as tables.
    pub(crate) as_table: RwSignal<bool>,
    /// Sections that the reader opened or closed, by name.
    pub(crate) folds: RwSignal<BTreeMap<&'static str, bool>>,
    /// Runs that were judged by the rules of insight.
    pub(crate) judged: RwSignal<u32>,
    /// Runs that were looked at for their failure categories.
    pub(crate) looked: RwSignal<u32>,
    /// Runs whose reflections were compared.
    pub(crate) compared: RwSignal<u32>,
    /// The page while it is printed.
    pub(crate) print: Print,
    /// Runs that an export has written, and runs that it has to.
    pub(crate) exporting: RwSignal<Option<(u32, u32)>>,
    /// Where the reader stands in what a search found.
    pub(super) search: StoredValue<SearchState>,
    /// What is still to come.
    pub(super) awaits: StoredValue<Awaits>,
    pub(super) line: StoredValue<Line, LocalStorage>,
    pub(super) keys: StoredValue<Vec<(u32, KeyHandler)>, LocalStorage>,
}

/// What is still to come.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each waits for something of its own")]
pub(super) struct Awaits {
    /// The view was entered, but its heading is not there yet.
    pub(super) heading: bool,
    /// The address that the page was opened with still waits for its file.
    pub(super) link: bool,
    /// What is open is read again: the reader stays where he is.
    pub(super) stays: bool,
    /// The end of reading: the list of runs is shown already, perhaps before the first run was read.
    pub(super) end: bool,
}

/// Uses a key, or says that it has no use for it.
pub(super) type KeyHandler = Rc<dyn Fn(&Key) -> bool>;

/// The worker and what it was asked.
#[derive(Default)]
pub(super) struct Line {
    pub(super) link: Link,
    pub(super) waiting: RefCell<Waiting>,
    pub(super) outbox: RefCell<Outbox>,
}

/// What hears an answer, and where it was asked for.
type Asker = (&'static Location<'static>, Box<dyn FnOnce(Answer)>);

#[derive(Default)]
pub(super) struct Waiting {
    pub(super) last: u32,
    pub(super) questions: BTreeMap<u32, Asker>,
    pub(super) asked: f64,
    pub(super) heard: f64,
    pub(super) spoken_quarter: u32,
}

impl App {
    /// Makes the state and gives it to all components below.
    pub(crate) fn provide() -> Self {
        let place = route::read(&platform::hash());
        let is_link = !matches!(place.view, View::Open | View::Unknown(_));
        let app = Self {
            awaits: StoredValue::new(Awaits { link: is_link, ..Awaits::default() }),
            place: RwSignal::new(place),
            theme: RwSignal::new(platform::saved_theme()),
            is_wide: RwSignal::new(true),
            ..Self::default()
        };
        provide_context(app);
        app
    }

    /// What came in and is not open yet.
    pub(crate) fn intake(self) -> Intake {
        self.intake.get_value()
    }

    /// Files that are read again, and those that are kept for the next visit.
    pub(crate) fn live(self) -> Live {
        self.intake().live
    }

    /// The state of the page.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Starts the worker, or starts it anew.
    pub(crate) fn start_worker(self) {
        self.line.with_value(|line| {
            let last = line.waiting.borrow().last;
            line.waiting.replace(Waiting { last, ..Waiting::default() });
            line.outbox.borrow_mut().restart();
        });
        self.is_silent.set(false);
        self.exporting.set(None);
        self.live().is_renewing.set_value(false);
        self.phase.set(Phase::Empty);
        self.summary.set(Summary::default());
        // The last step: if the browser cannot start a worker, `hear` is called at once.
        self.line.with_value(|line| line.link.start(move |message| self.hear(message)));
    }

    /// Goes to a place: as a new step back, or in place of the current one.
    pub(crate) fn go(self, place: Place, replace: bool) {
        platform::go(&route::write(&place), replace);
        self.place.set(place);
    }

    /// Follows the address bar.
    pub(crate) fn follow(self) {
        let place = route::read(&platform::hash());
        if self.place.with_untracked(|now| *now != place) {
            self.place.set(place);
        }
    }

    /// Changes what the address says after its question mark.
    pub(crate) fn choose(self, change: impl FnOnce(&mut route::Query)) {
        let mut place = self.place.get_untracked();
        change(&mut place.query);
        self.go(place, true);
    }

    /// Folders were walked, and nothing is opened of what was found.
    pub(crate) fn stop_listing(self) {
        if matches!(self.phase.get_untracked(), Phase::Listing(_)) {
            let has_open = self.summary.with_untracked(|summary| summary.sources > 0);
            self.phase.set(if has_open { Phase::Ready } else { Phase::Empty });
        }
    }

    /// Goes to a place that waits for its file, as the first address does.
    pub(crate) fn await_place(self, place: Place) {
        self.awaits.update_value(|awaits| awaits.link = place.view != View::Open);
        self.go(place, false);
    }

    /// Shows that something is being opened. False: the worker could not be started.
    pub(super) fn begin(self, mode: Mode) -> bool {
        let is_lost = matches!(self.phase.get_untracked(), Phase::Lost(_));
        // What is shown stays until the worker has the rest.
        if matches!(mode, Mode::Renew { .. }) {
            return !is_lost;
        }
        self.live().is_renewing.set_value(false);
        let is_large = self.summary.with_untracked(|summary| summary.memory > LARGE);
        // Memory goes back to the browser only with the worker that took it.
        if is_lost || (is_large && mode == Mode::Replace) {
            self.start_worker();
            if matches!(self.phase.get_untracked(), Phase::Lost(_)) {
                return false;
            }
        }
        self.awaits.update_value(|awaits| awaits.end = false);
        self.notice.set(None);
        self.progress.set(Progress::default());
        self.phase.set(Phase::Reading);
        self.line.with_value(|line| {
            let mut waiting = line.waiting.borrow_mut();
            waiting.asked = platform::now();
            waiting.spoken_quarter = 0;
        });
        self.spoken.set("Opening.".to_owned());
        true
    }

    /// Where the reader stands in what a search found.
    pub(crate) fn search(self) -> SearchState {
        self.search.get_value()
    }

    /// Stops searching; what was found stays.
    pub(crate) fn end_search(self) {
        self.send(&ToWorker::EndSearch);
    }

    pub(super) fn send(self, message: &ToWorker) {
        self.line.with_value(|line| line.link.send(message));
    }

    /// Asks the worker for what a view shows. The question is withdrawn when the view goes, or when the effect
    /// that asks runs again: its signals are gone by then. Call it from a view, an effect or an event handler;
    /// within `hear` nothing would withdraw it.
    #[track_caller]
    pub(crate) fn ask(self, query: Query, hear: impl FnOnce(Answer) + 'static) -> u32 {
        let id = self.ask_for_page(query, hear);
        on_cleanup(move || self.withdraw(id));
        id
    }

    /// Asks for something that outlives the view, such as a file to save. `hear` may use only signals of the page,
    /// or must check that its own still exist.
    #[track_caller]
    pub(crate) fn ask_for_page(self, query: Query, hear: impl FnOnce(Answer) + 'static) -> u32 {
        let place = Location::caller();
        let id = self.line.with_value(|line| {
            let mut waiting = line.waiting.borrow_mut();
            waiting.last += 1;
            waiting.asked = platform::now();
            let id = waiting.last;
            waiting.questions.insert(id, (place, Box::new(hear)));
            id
        });
        if !query.is_early() && self.phase.with_untracked(|phase| *phase == Phase::Reading) {
            spawn_local(async move { self.hear_answer(id, Answer::Later) });
            return id;
        }
        self.send(&ToWorker::Ask { id, query });
        id
    }

    /// Withdraws a question: its answer will be dropped.
    pub(crate) fn withdraw(self, id: u32) {
        let _ = self.line.try_with_value(|line| line.waiting.borrow_mut().questions.remove(&id));
    }

    fn hear(self, message: FromWorker) {
        if self.is_silent.get_untracked() {
            self.is_silent.set(false);
        }
        self.line.with_value(|line| line.waiting.borrow_mut().heard = platform::now());
        match message {
            FromWorker::Answer { id, answer } => self.hear_answer(id, answer),
            FromWorker::Progress(progress) => self.hear_progress(progress),
            FromWorker::Exporting { done, total } => self.hear_exporting(done, total),
            FromWorker::Searching => self.search().beat.update(|beat| *beat += 1),
            FromWorker::Judged(runs) => self.judged.set(runs),
            FromWorker::Looked(runs) => self.looked.set(runs),
            FromWorker::Compared(runs) => self.compared.set(runs),
            FromWorker::SoFar(summary) => self.hear_so_far(summary),
            FromWorker::Opened(summary) => self.hear_opened(summary),
            FromWorker::Died(reason) => self.hear_lost(reason),
        }
    }

    fn hear_answer(self, id: u32, answer: Answer) {
        let hear = self.line.try_with_value(|line| line.waiting.borrow_mut().questions.remove(&id));
        // Without one it was withdrawn: the reader has moved on.
        if let Some(Some((place, hear))) = hear {
            platform::within(place, || hear(answer));
        }
    }

    fn hear_progress(self, progress: Progress) {
        let quarter = quarter(&progress);
        let is_news = self.line.with_value(|line| {
            let mut waiting = line.waiting.borrow_mut();
            let is_news = quarter > waiting.spoken_quarter && quarter < 4;
            waiting.spoken_quarter = quarter;
            is_news
        });
        if is_news {
            self.spoken.set(format!("{} per cent read.", quarter * 25));
        }
        self.progress.set(progress);
        self.phase.set(Phase::Reading);
    }

    /// Notices when the worker has been silent for too long. It may be busy with something large,
    /// or killed by the browser: only the reader can know.
    pub(crate) fn check_worker(self) {
        let is_busy = self.phase.get_untracked() == Phase::Reading;
        let silent = self.line.with_value(|line| {
            let waiting = line.waiting.borrow();
            let since = platform::now() - waiting.asked.max(waiting.heard);
            (is_busy || !waiting.questions.is_empty()) && since > PATIENCE_MS
        });
        let is_lost = matches!(self.phase.get_untracked(), Phase::Lost(_));
        if silent && !is_lost && !self.is_silent.get_untracked() {
            self.is_silent.set(true);
        }
    }

    /// Whether the worker owes an answer.
    pub(crate) fn is_waiting(self) -> bool {
        self.line.with_value(|line| !line.waiting.borrow().questions.is_empty())
    }

    /// Offers a key to the views, the innermost first.
    pub(crate) fn press(self, key: &Key) -> bool {
        let handlers = self.keys.get_value();
        handlers.iter().rev().any(|(_, handler)| handler(key))
    }

    /// Whether runs are shown although there are more to be read.
    pub(crate) fn shows_early(self) -> bool {
        self.phase.with(|phase| *phase == Phase::Reading)
            && self.awaits.with_value(|awaits| awaits.end)
    }

    /// Whether there is any run.
    pub(crate) fn has_runs(self) -> bool {
        self.summary.with(|summary| summary.runs > 0)
    }

    /// Whether a section is open.
    pub(crate) fn is_open(self, name: &'static str, by_default: bool) -> bool {
        self.folds.with(|folds| folds.get(name).copied().unwrap_or(by_default))
    }

    /// Moves the focus to the heading of the view that was entered, now or once it is there.
    pub(crate) fn focus_heading(self) {
        platform::next_frame(move || {
            let query = self.search().awaits_query;
            let is_query = query.get_untracked() && platform::focus_id(QUERY);
            query.set(false);
            let is_missing = !is_query && !platform::focus_id(HEADING);
            self.awaits.update_value(|awaits| awaits.heading = is_missing);
        });
    }

    /// For views whose heading comes with an answer: it is there now.
    pub(crate) fn has_heading(self) {
        if self.awaits.with_value(|awaits| awaits.heading) {
            self.focus_heading();
        }
    }

    /// System, light, dark, and round again.
    pub(crate) fn next_theme(self) {
        let theme = match self.theme.get_untracked() {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        };
        self.theme.set(theme);
        self.say(format!("Theme: {}.", theme.into_str()));
    }

    /// Says something to screen readers.
    pub(crate) fn say(self, text: impl Into<String>) {
        self.spoken.set(text.into());
    }
}

/// Listens to keys for as long as the current component is shown.
#[track_caller]
pub(crate) fn use_keys(handler: impl Fn(&Key) -> bool + 'static) {
    let place = Location::caller();
    let handler = move |key: &Key| platform::within(place, || handler(key));
    let app = App::get();
    let id = app.keys.with_value(|keys| keys.last().map_or(0, |(id, _)| id + 1));
    app.keys.update_value(|keys| keys.push((id, Rc::new(handler))));
    on_cleanup(move || {
        let _ = app.keys.try_update_value(|keys| keys.retain(|(other, _)| *other != id));
    });
}

fn quarter(progress: &Progress) -> u32 {
    if progress.bytes_total <= 0.0 {
        return 0;
    }
    let share = progress.bytes_read / progress.bytes_total;
    [0.25, 0.5, 0.75, 1.0].iter().map(|border| u32::from(share >= *border)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_are_counted_once_reached() {
        let at = |bytes_read| {
            quarter(&Progress { bytes_read, bytes_total: 100.0, ..Progress::default() })
        };
        assert_eq!([at(0.0), at(24.0), at(25.0), at(80.0), at(100.0)], [0, 0, 1, 3, 4]);
        assert_eq!(quarter(&Progress::default()), 0);
    }
}
