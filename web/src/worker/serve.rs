//! The worker's life: messages in, slices between them, messages out.

use std::collections::BTreeMap;
use std::rc::Rc;

use gloo_worker::{HandlerId, Registrable, Worker, WorkerScope};
use hindscope::Profile;

use super::answer;
use super::desk::Desk;
use super::export::{Exports, Wrote};
use super::judge;
use super::queue::{Queue, Step};
use super::saves::Saves;
use crate::platform::{self, Turns};
use crate::protocol::{Answer, FileItem, FromWorker, Mode, Offer, Query, ToWorker};
use crate::samples;

/// Reading goes on for this long before the next message is looked at.
const SLICE_MS: f64 = 12.0;
/// The page hears of progress this often.
const PROGRESS_MS: f64 = 100.0;

/// The page asks for its findings again this often while runs are judged.
const JUDGED_MS: f64 = 1000.0;

/// What the worker says to itself: go on reading.
pub(crate) struct Tick;

/// Reads files into a history, and answers questions about it.
pub(crate) struct Indexer {
    desk: Desk,
    queue: Queue,
    exports: Exports,
    saves: Saves,
    turns: Rc<Turns>,
    /// Parts of offers that are not complete.
    parts: BTreeMap<u32, Vec<FileItem>>,
    page: Option<HandlerId>,
    told: f64,
    is_addition: bool,
}

impl Worker for Indexer {
    type Message = Tick;
    type Input = ToWorker;
    type Output = FromWorker;

    fn create(scope: &WorkerScope<Self>) -> Self {
        let again = scope.clone();
        Self {
            desk: Desk::new(Profile::Lenient),
            queue: Queue::default(),
            exports: Exports::default(),
            saves: Saves::default(),
            turns: Rc::new(Turns::new(move || again.send_message(Tick))),
            parts: BTreeMap::new(),
            page: None,
            told: 0.0,
            is_addition: false,
        }
    }

    fn connected(&mut self, scope: &WorkerScope<Self>, id: HandlerId) {
        self.page = Some(id);
        let scope = scope.clone();
        platform::on_panic(move |message| scope.respond(id, FromWorker::Died(message)));
    }

    fn received(&mut self, scope: &WorkerScope<Self>, message: ToWorker, id: HandlerId) {
        match message {
            ToWorker::Part { offer, items } => self.parts.entry(offer).or_default().extend(items),
            ToWorker::Open { offer, mode } => {
                self.end_exports(scope, "The export ended because other files were opened.");
                if mode == Mode::Replace {
                    self.desk = Desk::after(&self.desk, Profile::Lenient);
                    self.queue = Queue::default();
                }
                self.is_addition = mode == Mode::Add && self.desk.record_count() > 0;
                self.queue.add(match offer {
                    Offer::Files(id) => self.parts.remove(&id).unwrap_or_default(),
                    Offer::Sample(name) => samples::files(&name),
                });
                if self.queue.is_done() {
                    self.tell_opened(scope);
                    return;
                }
                self.tell_progress(scope);
                self.turns.take();
            }
            ToWorker::Cancel => {
                if !self.queue.is_done() {
                    self.queue.cancel(&mut self.desk);
                    self.tell_opened(scope);
                }
                self.end_exports(scope, "The export was cancelled.");
            }
            ToWorker::Ask { id: question, query: Query::Export { runs, form } }
                if self.queue.is_done() =>
            {
                match self.exports.begin(&mut self.desk, question, &runs, form) {
                    Ok(()) => self.turns.take(),
                    Err(error) => {
                        let answer = Answer::Failed(error.to_string());
                        scope.respond(id, FromWorker::Answer { id: question, answer });
                    }
                }
            }
            ToWorker::Ask { id: question, query: Query::SaveFindings { choice, form } }
                if self.queue.is_done() =>
            {
                self.saves.begin(&mut self.desk, question, &choice, form);
                self.turns.take();
            }
            ToWorker::Ask { id: question, query } => {
                if matches!(&query, Query::Findings { choice, .. } if choice.run.is_none()) {
                    // Whoever looks at all findings wants those of insight as well.
                    self.desk.insight().want();
                    self.turns.take();
                }
                let answer = if self.queue.is_done() {
                    answer::answer(&mut self.desk, query)
                        .unwrap_or_else(|error| Answer::Failed(error.to_string()))
                } else {
                    Answer::Later
                };
                scope.respond(id, FromWorker::Answer { id: question, answer });
            }
        }
    }

    fn update(&mut self, scope: &WorkerScope<Self>, Tick: Tick) {
        if self.queue.is_done() {
            self.export(scope);
            self.save(scope);
            self.judge(scope);
            return;
        }
        let begun = platform::now();
        let mut step = Step::More;
        while step == Step::More && platform::now() - begun < SLICE_MS {
            step = self.queue.step(&mut self.desk, &self.turns);
        }
        if step == Step::Done {
            // Putting many records in order takes a while of its own.
            self.tell_progress(scope);
            self.tell_opened(scope);
            return;
        }
        if platform::now() - self.told >= PROGRESS_MS {
            self.tell_progress(scope);
        }
        if step == Step::More {
            self.turns.take();
        }
    }
}

impl Indexer {
    fn tell_progress(&mut self, scope: &WorkerScope<Self>) {
        self.told = platform::now();
        self.tell(scope, FromWorker::Progress(self.queue.progress(&self.desk)));
    }

    fn tell_opened(&mut self, scope: &WorkerScope<Self>) {
        self.desk.changed();
        let (unread, is_cancelled) = self.queue.left();
        let mut summary = self.desk.summary();
        summary.unread = unread;
        summary.is_cancelled = is_cancelled;
        summary.is_addition = self.is_addition;
        self.queue = Queue::default();
        self.tell(scope, FromWorker::Opened(summary));
    }

    /// Writes pieces of the export that is first in line, for the length of a slice.
    fn export(&mut self, scope: &WorkerScope<Self>) {
        let begun = platform::now();
        while platform::now() - begun < SLICE_MS {
            match self.exports.step(&self.desk) {
                None => return,
                Some(Wrote::Piece) => {}
                Some(Wrote::All { question, answer }) => {
                    self.tell(scope, FromWorker::Answer { id: question, answer });
                }
            }
        }
        if platform::now() - self.told >= PROGRESS_MS
            && let Some((done, total)) = self.exports.progress()
        {
            self.told = platform::now();
            self.tell(scope, FromWorker::Exporting { done, total });
        }
        self.turns.take();
    }

    /// Writes some findings of the file that is first in line.
    fn save(&mut self, scope: &WorkerScope<Self>) {
        if self.saves.is_empty() {
            return;
        }
        if let Some((question, answer)) = self.saves.step(&mut self.desk) {
            self.tell(scope, FromWorker::Answer { id: question, answer });
        }
        self.turns.take();
    }

    /// Judges runs for the length of a slice, once somebody wants to know.
    fn judge(&mut self, scope: &WorkerScope<Self>) {
        let begun = platform::now();
        let mut has_more = true;
        while has_more && platform::now() - begun < SLICE_MS {
            has_more = judge::judge_next(&mut self.desk);
        }
        if (!has_more || platform::now() - self.told >= JUDGED_MS)
            && let Some(done) = self.desk.insight().news()
        {
            self.told = platform::now();
            self.tell(scope, FromWorker::Judged(done));
        }
        if has_more {
            self.turns.take();
        }
    }

    fn end_exports(&mut self, scope: &WorkerScope<Self>, reason: &str) {
        for question in self.exports.end().into_iter().chain(self.saves.end()) {
            let answer = Answer::Failed(reason.to_owned());
            self.tell(scope, FromWorker::Answer { id: question, answer });
        }
    }

    fn tell(&self, scope: &WorkerScope<Self>, message: FromWorker) {
        if let Some(page) = self.page {
            scope.respond(page, message);
        }
    }
}

/// Turns the current context into the worker.
pub(crate) fn register() {
    Indexer::registrar().encoding::<platform::Plain>().register();
}
