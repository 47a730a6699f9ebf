//! The worker's life: messages in, slices between them, messages out.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use hindscope::Profile;

use super::answer;
use super::desk::Desk;
use super::explain::Explains;
use super::export::{Exports, Wrote};
use super::queue::{Queue, Step, float};
use crate::platform::{self, Turns};
use crate::protocol::{Answer, Ended, FileItem, FromWorker, Mode, Offer, Query, ToWorker};
use crate::samples;

/// Reading goes on for this long before the next message is looked at.
const SLICE_MS: f64 = 12.0;
/// The page hears of progress this often.
const PROGRESS_MS: f64 = 100.0;

/// Reads files into a history, and answers questions about it.
pub(crate) struct Indexer {
    desk: Desk,
    queue: Queue,
    exports: Exports,
    explains: Explains,
    turns: Rc<Turns>,
    /// Parts of offers that are not complete.
    parts: BTreeMap<u32, Vec<FileItem>>,
    told: f64,
    is_addition: bool,
}

impl Indexer {
    fn new(turns: Turns) -> Self {
        Self {
            desk: Desk::new(Profile::Lenient),
            queue: Queue::default(),
            exports: Exports::default(),
            explains: Explains::default(),
            turns: Rc::new(turns),
            parts: BTreeMap::new(),
            told: 0.0,
            is_addition: false,
        }
    }

    fn received(&mut self, message: ToWorker) {
        match message {
            ToWorker::Part { offer, items } => self.parts.entry(offer).or_default().extend(items),
            ToWorker::Open { offer, mode, limits } => {
                self.end_exports("The export ended because other files were opened.");
                self.end_explains();
                if mode == Mode::Replace {
                    self.desk = Desk::after(&self.desk, Profile::Lenient);
                    self.queue = Queue::default();
                }
                self.is_addition = mode == Mode::Add && self.desk.record_count() > 0;
                let items = match offer {
                    Offer::Files(id) => self.parts.remove(&id).unwrap_or_default(),
                    Offer::Sample(name) => samples::files(&name),
                };
                self.queue.add(items, limits, &self.desk);
                if self.queue.is_done() {
                    self.tell_opened();
                    return;
                }
                self.tell_progress();
                self.turns.take();
            }
            ToWorker::Cancel => {
                if !self.queue.is_done() {
                    self.queue.end(&mut self.desk, Ended::Cancelled);
                    self.tell_opened();
                }
                self.end_exports("The export was cancelled.");
            }
            ToWorker::Ask { id: question, query: Query::Export { runs, form } }
                if self.queue.is_done() =>
            {
                match self.exports.begin(&mut self.desk, question, &runs, form) {
                    Ok(()) => self.turns.take(),
                    Err(error) => {
                        let answer = Answer::Failed(error.to_string());
                        platform::tell_page(&FromWorker::Answer { id: question, answer });
                    }
                }
            }
            ToWorker::Ask { id: question, query } => {
                if !self.queue.is_done() {
                    platform::tell_page(&FromWorker::Answer {
                        id: question,
                        answer: Answer::Later,
                    });
                    return;
                }
                match self.explains.take(&mut self.desk, question, query) {
                    Ok(()) => self.turns.take(),
                    Err(query) => self.answer(question, query),
                }
            }
        }
    }

    fn update(&mut self) {
        if self.queue.is_done() {
            // What people look at comes before what they will keep.
            if self.explains.is_empty() {
                self.export();
            } else {
                self.explain();
            }
            return;
        }
        let begun = platform::now();
        let mut step = Step::More;
        while step == Step::More && platform::now() - begun < SLICE_MS {
            step = self.queue.step(&mut self.desk, &self.turns);
        }
        if step == Step::Done {
            // Putting many records in order takes a while of its own.
            self.tell_progress();
            self.tell_opened();
            return;
        }
        if platform::now() - self.told >= PROGRESS_MS {
            self.tell_progress();
        }
        if step == Step::More {
            self.turns.take();
        }
    }

    fn tell_progress(&mut self) {
        self.told = platform::now();
        platform::tell_page(&FromWorker::Progress(self.queue.progress(&self.desk)));
    }

    fn tell_opened(&mut self) {
        self.desk.changed();
        let mut summary = self.desk.summary();
        summary.unread = self.queue.unread();
        summary.ended = self.queue.ended();
        summary.new_records = self.queue.records(&self.desk);
        summary.memory = float(platform::memory());
        summary.is_addition = self.is_addition;
        self.queue = Queue::default();
        platform::tell_page(&FromWorker::Opened(summary));
    }

    fn answer(&mut self, question: u32, query: Query) {
        let answer = answer::answer(&mut self.desk, query)
            .unwrap_or_else(|error| Answer::Failed(error.to_string()));
        platform::tell_page(&FromWorker::Answer { id: question, answer });
    }

    /// Reads records of the run that is being explained, for the length of a slice.
    fn explain(&mut self) {
        let begun = platform::now();
        while platform::now() - begun < SLICE_MS && !self.explains.is_empty() {
            let Some((questions, result)) = self.explains.step(&mut self.desk) else { continue };
            for (question, query) in questions {
                match &result {
                    Ok(()) => self.answer(question, query),
                    Err(reason) => {
                        let answer = Answer::Failed(reason.clone());
                        platform::tell_page(&FromWorker::Answer { id: question, answer });
                    }
                }
            }
        }
        self.turns.take();
    }

    /// Whoever waits asks again once everything is read.
    fn end_explains(&mut self) {
        for question in self.explains.end() {
            platform::tell_page(&FromWorker::Answer { id: question, answer: Answer::Later });
        }
    }

    /// Writes pieces of the export that is first in line, for the length of a slice.
    fn export(&mut self) {
        let begun = platform::now();
        while platform::now() - begun < SLICE_MS {
            match self.exports.step(&self.desk) {
                None => return,
                Some(Wrote::Piece) => {}
                Some(Wrote::All { question, answer }) => {
                    platform::tell_page(&FromWorker::Answer { id: question, answer });
                }
            }
        }
        if platform::now() - self.told >= PROGRESS_MS
            && let Some((done, total)) = self.exports.progress()
        {
            self.told = platform::now();
            platform::tell_page(&FromWorker::Exporting { done, total });
        }
        self.turns.take();
    }

    fn end_exports(&mut self, reason: &str) {
        for question in self.exports.end() {
            let answer = Answer::Failed(reason.to_owned());
            platform::tell_page(&FromWorker::Answer { id: question, answer });
        }
    }
}

/// Turns the current context into the worker.
pub(crate) fn register() {
    platform::on_panic(|message| platform::tell_page(&FromWorker::Died(message)));
    let indexer = Rc::new_cyclic(|itself: &Weak<RefCell<Indexer>>| {
        let itself = Weak::clone(itself);
        RefCell::new(Indexer::new(Turns::new(move || {
            if let Some(indexer) = itself.upgrade() {
                indexer.borrow_mut().update();
            }
        })))
    });
    platform::on_page(move |message| indexer.borrow_mut().received(message));
}
