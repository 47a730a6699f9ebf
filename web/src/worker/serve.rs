//! The worker's life: messages in, slices between them, messages out.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::{Rc, Weak};

use hindscope::Profile;

use super::answer;
use super::early_answers::EarlyAnswers;
use super::explain::ExplainQueue;
use super::export::ExportQueue;
use super::finding_export::FindingExports;
use super::host::{self, Turns};
use super::judge;
use super::queue::{Queue, Step};
use super::search::Searches;
use super::session::Session;
use crate::browser::{now, on_panic};
use crate::protocol::{
    Answer, Ended, FileItem, FromWorker, Limits, Mode, Query, Rows, ToWorker, float,
};

/// Reading goes on for this long before the next message is looked at.
const SLICE_MS: f64 = 12.0;
/// The page hears of progress this often.
const PROGRESS_MS: f64 = 100.0;

/// The page asks for its findings again this often while runs are judged.
const JUDGED_MS: f64 = 1000.0;

/// Reads files into a history, and answers questions about it.
pub(crate) struct Indexer {
    session: Session,
    /// What takes the place of the session once all of it is read, and how many openings of it are still to come.
    /// The session answers until then.
    coming: Option<(Session, usize)>,
    queue: Queue,
    /// Files of the session that could not be read to their ends.
    broken: u32,
    early: EarlyAnswers,
    exports: ExportQueue,
    explanations: ExplainQueue,
    searches: Searches,
    finding_exports: FindingExports,
    turns: Rc<Turns>,
    /// Parts of offers that are not complete.
    parts: BTreeMap<u32, Vec<FileItem>>,
    /// The offer that came last.
    offer: u32,
    /// What is opened once the files of before are read: each has limits of its own.
    next: VecDeque<(Vec<FileItem>, Limits)>,
    reported_at: f64,
    is_addition: bool,
}

impl Indexer {
    fn new(turns: Turns) -> Self {
        Self {
            session: Session::new(Profile::Lenient),
            coming: None,
            queue: Queue::default(),
            broken: 0,
            early: EarlyAnswers::default(),
            exports: ExportQueue::default(),
            finding_exports: FindingExports::default(),
            explanations: ExplainQueue::default(),
            searches: Searches::default(),
            turns: Rc::new(turns),
            parts: BTreeMap::new(),
            offer: 0,
            next: VecDeque::new(),
            reported_at: 0.0,
            is_addition: false,
        }
    }

    fn received(&mut self, message: ToWorker) {
        match message {
            ToWorker::Part { offer, items } => self.parts.entry(offer).or_default().extend(items),
            ToWorker::Open { offer, mode, limits } => {
                if let Mode::Renew { left } = mode {
                    let new = || (Session::after(&self.session, Profile::Lenient), left);
                    self.coming.get_or_insert_with(new).1 = left;
                } else {
                    self.end_questions();
                }
                if mode == Mode::Replace {
                    self.coming = None;
                    self.broken = 0;
                    self.session = Session::after(&self.session, Profile::Lenient);
                    self.queue = Queue::default();
                    self.next.clear();
                }
                self.offer = offer;
                let items = self.parts.remove(&offer).unwrap_or_default();
                if !self.queue.is_done() {
                    self.next.push_back((items, limits));
                    return;
                }
                self.is_addition = mode == Mode::Add && self.session.record_count() > 0;
                self.queue.add(items, limits, reading(&mut self.session, &mut self.coming));
                if self.queue.is_done() {
                    self.post_opened();
                    return;
                }
                self.post_progress();
                self.turns.take();
            }
            ToWorker::Cancel => {
                if !self.is_answering() {
                    self.end_queue(Ended::Cancelled);
                    self.post_opened();
                }
                self.end_exports("The export was cancelled.");
            }
            ToWorker::EndSearch => self.searches.cancel(),
            ToWorker::Ask { id: question, query } if query.is_search() && self.is_answering() => {
                let answer = self.ask_search(query);
                host::answer(question, answer);
            }
            ToWorker::Ask { id: question, query: Query::Export { runs, form, include } }
                if self.is_answering() =>
            {
                match self.exports.begin(&mut self.session, question, &runs, (form, include)) {
                    Ok(()) => self.turns.take(),
                    Err(error) => {
                        host::answer(question, Answer::Failed(error.0));
                    }
                }
            }
            ToWorker::Ask { id: question, query: Query::SaveFindings { choice, form } }
                if self.is_answering() =>
            {
                self.finding_exports.begin(&mut self.session, question, &choice, form);
                self.turns.take();
            }
            ToWorker::Ask { id: question, query } => {
                if judge::wants(&mut self.session, &query) {
                    self.turns.take();
                }
                if !self.is_answering() {
                    if self.early.take(question, query).is_some() {
                        host::answer(question, Answer::Later);
                    }
                    return;
                }
                match self.explanations.take(&mut self.session, question, query) {
                    None => self.turns.take(),
                    Some(query) => self.answer(question, query),
                }
            }
        }
    }

    /// Whether questions are answered: all has been read, or what is shown stays until it is.
    fn is_answering(&self) -> bool {
        self.queue.is_done() || self.coming.is_some()
    }

    fn update(&mut self) {
        if self.queue.is_done() {
            // What people look at comes before what they will keep.
            if self.explanations.is_empty() {
                self.export();
            } else {
                self.explain();
            }
            self.search();
            self.save();
            self.judge();
            return;
        }
        let begun = now();
        let mut step = Step::More;
        while step == Step::More && now() - begun < SLICE_MS {
            let session = reading(&mut self.session, &mut self.coming);
            step = self.queue.step(session, &self.turns);
        }
        if step == Step::Done && self.queue.ended() == Some(Ended::Memory) {
            self.end_queue(Ended::Memory);
        }
        while step == Step::Done
            && let Some((items, limits)) = self.next.pop_front()
        {
            self.queue.add(items, limits, reading(&mut self.session, &mut self.coming));
            step = if self.queue.is_done() { Step::Done } else { Step::More };
        }
        if step == Step::Done {
            // Putting many records in order takes a while of its own.
            self.post_progress();
            self.post_opened();
            return;
        }
        if now() - self.reported_at >= PROGRESS_MS {
            self.post_progress();
        }
        // What is added to what is open is seen once it is complete.
        if !self.is_addition && self.coming.is_none() {
            self.early.look(&mut self.session, &self.queue);
        }
        if step == Step::More {
            self.turns.take();
        }
    }

    /// Ends reading, that of what waits included.
    fn end_queue(&mut self, ended: Ended) {
        for (items, limits) in std::mem::take(&mut self.next) {
            self.queue.add(items, limits, reading(&mut self.session, &mut self.coming));
        }
        self.queue.end(reading(&mut self.session, &mut self.coming), ended);
    }

    fn post_progress(&mut self) {
        if self.coming.is_some() {
            return;
        }
        self.reported_at = now();
        host::post(&FromWorker::Progress(self.queue.progress(&self.session)));
    }

    fn post_opened(&mut self) {
        match self.coming.take() {
            // A file changed while it was read, and what is shown has it whole. The next look finds that it changed.
            Some((_, 0)) if self.queue.broken() > self.broken => {}
            Some((session, 0)) => {
                self.end_questions();
                self.session = session;
                self.broken = self.queue.broken();
            }
            // More of it is on its way.
            Some(coming) => return self.coming = Some(coming),
            None => {
                self.early.end();
                self.broken += self.queue.broken();
            }
        }
        self.session.changed();
        let mut summary = self.session.summary();
        summary.unread = self.queue.unread();
        summary.ended = self.queue.ended();
        summary.new_records = self.queue.records(&self.session);
        summary.offer = self.offer;
        summary.memory = float(host::memory());
        summary.is_addition = self.is_addition;
        self.queue = Queue::default();
        host::post(&FromWorker::Opened(summary));
    }

    fn answer(&mut self, question: u32, query: Query) {
        let answer = answer::answer(&mut self.session, query)
            .unwrap_or_else(|error| Answer::Failed(error.0));
        host::answer(question, answer);
    }

    /// Reads records of the run that is being explained, for the length of a slice.
    fn explain(&mut self) {
        let begun = now();
        while now() - begun < SLICE_MS && !self.explanations.is_empty() {
            let Some((questions, result)) = self.explanations.step(&mut self.session) else {
                continue;
            };
            for (question, query) in questions {
                match &result {
                    Ok(()) => self.answer(question, query),
                    Err(reason) => {
                        host::answer(question, Answer::Failed(reason.clone()));
                    }
                }
            }
        }
        self.turns.take();
    }

    /// What is open changes: exports and searches end, and the page asks the other questions again.
    fn end_questions(&mut self) {
        self.end_exports("The export ended because what is open has changed.");
        self.searches.forget();
        self.early.end();
        for question in self.explanations.end() {
            host::answer(question, Answer::Later);
        }
    }

    /// Writes pieces of the export that is first in line, for the length of a slice.
    fn export(&mut self) {
        let begun = now();
        while now() - begun < SLICE_MS {
            if self.exports.is_empty() {
                return;
            }
            if let Some((question, answer)) = self.exports.step(&self.session) {
                host::answer(question, answer);
            }
        }
        if now() - self.reported_at >= PROGRESS_MS
            && let Some((done, total)) = self.exports.progress()
        {
            self.reported_at = now();
            host::post(&FromWorker::Exporting { done, total });
        }
        self.turns.take();
    }

    /// Begins a search, or says what the one that goes on has found.
    fn ask_search(&mut self, query: Query) -> Answer {
        let (spec, rows, at) = match query {
            Query::Search { spec, rows, .. } => (spec, rows, None),
            Query::SearchHit { spec, at } => (spec, Rows::default(), Some(at)),
            _ => return Answer::Failed("This is no search.".to_owned()),
        };
        if let Err(error) = self.searches.begin(&mut self.session, &spec) {
            return Answer::Failed(error.0);
        }
        if self.searches.is_going() {
            self.turns.take();
        }
        match at {
            None => Answer::Search(self.searches.body(&mut self.session, rows)),
            Some(at) => Answer::SearchHit(self.searches.hit(&mut self.session, at).map(Box::new)),
        }
    }

    /// Writes some findings of the file that is first in line.
    fn save(&mut self) {
        if self.finding_exports.is_empty() {
            return;
        }
        if let Some((question, answer)) = self.finding_exports.step(&mut self.session) {
            host::answer(question, answer);
        }
        self.turns.take();
    }

    /// Judges runs for the length of a slice, once somebody wants to know.
    fn judge(&mut self) {
        let begun = now();
        let mut has_more = true;
        while has_more && now() - begun < SLICE_MS {
            has_more = judge::go_on(&mut self.session);
        }
        let is_time = !has_more || now() - self.reported_at >= JUDGED_MS;
        for news in judge::news(&mut self.session, is_time) {
            self.reported_at = now();
            host::post(&news);
        }
        if has_more {
            self.turns.take();
        }
    }

    fn end_exports(&mut self, reason: &str) {
        for question in self.exports.end().into_iter().chain(self.finding_exports.end()) {
            host::answer(question, Answer::Failed(reason.to_owned()));
        }
    }

    /// Searches for the length of a slice, and says so now and then.
    fn search(&mut self) {
        if !self.searches.is_going() {
            return;
        }
        let begun = now();
        while self.searches.is_going() && now() - begun < SLICE_MS {
            self.searches.step(&self.session);
        }
        let is_going = self.searches.is_going();
        if !is_going || now() - self.reported_at >= PROGRESS_MS {
            self.reported_at = now();
            host::post(&FromWorker::Searching);
        }
        if is_going {
            self.turns.take();
        }
    }
}

/// What the queue reads into.
fn reading<'a>(
    session: &'a mut Session,
    coming: &'a mut Option<(Session, usize)>,
) -> &'a mut Session {
    coming.as_mut().map_or(session, |(coming, _)| coming)
}

/// Turns the current context into the worker.
pub(crate) fn register() {
    on_panic(|bug| host::post(&FromWorker::Died(format!("{bug}."))));
    let indexer = Rc::new_cyclic(|itself: &Weak<RefCell<Indexer>>| {
        let called = Weak::clone(itself);
        let turns = Turns::new(move || {
            if let Some(indexer) = called.upgrade() {
                indexer.borrow_mut().update();
            }
        });
        RefCell::new(Indexer::new(turns))
    });
    host::on_page(move |message| indexer.borrow_mut().received(message));
}
