//! Helpers that read a large file together with the worker: each a stretch, while the worker reads
//! one of its own and takes over what they have read, in the order of the file.
//!
//! Whatever goes wrong with a helper, the worker reads the stretch itself.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::host::{Heard, Helper, Turns};
use crate::browser::FileHandle;
use crate::protocol::{Made, Stretch};

/// A stretch of a helper, and one of the worker, which has more to do.
const STRETCH: u64 = 4 << 20;
const OWN: u64 = 3 << 20;
/// Stretches that a helper is asked for at a time.
const ASKED: usize = 2;

/// Helpers, and the file that they read.
#[derive(Default)]
pub(crate) struct WorkerPool {
    helpers: Vec<Helper>,
    mail: Rc<RefCell<Mail>>,
    /// Stretches that were asked for, of all files.
    asked: u32,
    plan: Option<Plan>,
    is_started: bool,
}

/// What was heard of helpers.
#[derive(Default)]
struct Mail {
    by_helper: BTreeMap<usize, About>,
    read: BTreeMap<u32, Option<Made>>,
    /// What was asked for before this one is of no use any more.
    first: u32,
    is_lost: bool,
}

/// A helper that listens.
#[derive(Default)]
struct About {
    under_way: usize,
    memory: f64,
}

/// A file in stretches, up to where they are handed out.
struct Plan {
    file: FileHandle,
    continuation: Vec<u8>,
    stretches: VecDeque<Part>,
    frontier: u64,
    /// Stretches that helpers still get before the worker has one of its own.
    turns: usize,
}

/// A stretch that was handed out, and where it ends.
enum Part {
    Own { to: u64 },
    Asked { number: u32, to: u64 },
}

/// Who reads on.
pub(crate) enum Next {
    /// The worker, up to the end of the line with the byte before; or however far it likes.
    Own(Option<u64>),
    /// A helper has.
    Made(Made),
    /// A helper does: the turn comes when it is done.
    Later,
}

impl Mail {
    fn take(&mut self, helper: usize, heard: Heard) {
        match heard {
            Heard::Ready => drop(self.by_helper.insert(helper, About::default())),
            Heard::Lost => self.is_lost = true,
            Heard::Read(read) => {
                let about = self.by_helper.entry(helper).or_default();
                about.under_way = about.under_way.saturating_sub(1);
                about.memory = read.memory;
                if read.number >= self.first {
                    self.read.insert(read.number, read.made);
                }
            }
        }
    }
}

impl WorkerPool {
    /// Starts helpers, unless that was tried before.
    pub(crate) fn start(&mut self, most: u32, turns: &Rc<Turns>) {
        if std::mem::replace(&mut self.is_started, true) {
            return;
        }
        for _ in 0..most {
            let at = self.helpers.len();
            let (mail, turns) = (Rc::clone(&self.mail), Rc::clone(turns));
            self.helpers.extend(Helper::start(move |heard| {
                mail.borrow_mut().take(at, heard);
                turns.take();
            }));
        }
    }

    /// Whether they were started, ever.
    pub(crate) const fn is_started(&self) -> bool {
        self.is_started
    }

    /// Whether some of them listen, and none was lost.
    pub(crate) fn is_ready(&self) -> bool {
        let mail = self.mail.borrow();
        !mail.is_lost && !mail.by_helper.is_empty()
    }

    /// Whether there are none, and never will be.
    pub(crate) fn is_gone(&self) -> bool {
        self.is_started && (self.helpers.is_empty() || self.mail.borrow().is_lost)
    }

    /// Bytes that they have taken.
    pub(crate) fn memory(&self) -> f64 {
        self.mail.borrow().by_helper.values().map(|about| about.memory).sum()
    }

    /// Lets them go, with their memory.
    pub(crate) fn dismiss(&mut self) {
        self.helpers.clear();
        *self.mail.borrow_mut() = Mail::default();
        self.plan = None;
    }

    /// Hands out a file from here on, where a line begins.
    pub(crate) fn divide(&mut self, file: &FileHandle, at: u64, continuation: Vec<u8>) {
        self.plan = Some(Plan {
            file: file.clone(),
            continuation,
            stretches: VecDeque::new(),
            frontier: at,
            turns: 0,
        });
    }

    /// Whether a file is handed out.
    pub(crate) fn is_dividing(&self) -> bool {
        self.plan.is_some()
    }

    /// The rest of the file is for the worker, or there is none.
    pub(crate) fn keep(&mut self) {
        self.plan = None;
        let mut mail = self.mail.borrow_mut();
        mail.read.clear();
        mail.first = self.asked;
    }

    /// Who reads on at this byte.
    pub(crate) fn next(&mut self, at: u64) -> Next {
        if self.is_gone() {
            self.dismiss();
        }
        if let Some(plan) = &mut self.plan {
            // An own stretch ends with the line that reaches beyond it.
            while let Some(Part::Own { to }) = plan.stretches.front()
                && *to <= at
            {
                plan.stretches.pop_front();
            }
            plan.frontier = plan.frontier.max(at);
        }
        self.hand_out();
        let Some(plan) = &mut self.plan else { return Next::Own(None) };
        match plan.stretches.front() {
            None => Next::Own(None),
            Some(Part::Own { to }) => Next::Own(Some(*to)),
            Some(Part::Asked { number, to }) => {
                let to = *to;
                let Some(made) = self.mail.borrow_mut().read.remove(number) else {
                    return Next::Later;
                };
                plan.stretches.pop_front();
                if let Some(made) = made.filter(|made| made.start == at) {
                    return Next::Made(made);
                }
                plan.stretches.push_front(Part::Own { to });
                Next::Own(Some(to))
            }
        }
    }

    /// Gives every helper something to do: in turn each of them, and the worker.
    fn hand_out(&mut self) {
        for _ in 0..ASKED {
            for (at, helper) in self.helpers.iter().enumerate() {
                let Some(plan) = &mut self.plan else { return };
                let mut mail = self.mail.borrow_mut();
                let crew = mail.by_helper.len();
                // What waits to be taken over lies in memory: helpers are not far ahead.
                if mail.read.len() >= ASKED * crew {
                    return;
                }
                let Some(about) = mail.by_helper.get_mut(&at) else { continue };
                if about.under_way == ASKED {
                    continue;
                }
                if plan.turns == 0 {
                    plan.turns = crew;
                    plan.own(OWN);
                }
                if plan.frontier == plan.file.size() {
                    return;
                }
                plan.turns -= 1;
                if plan.ask(helper, self.asked) {
                    about.under_way += 1;
                }
                self.asked += 1;
            }
        }
    }
}

impl Plan {
    /// The end of a stretch that begins at the frontier.
    fn end(&self, len: u64) -> u64 {
        self.file.size().min(self.frontier + len)
    }

    fn own(&mut self, len: u64) {
        self.frontier = self.end(len);
        self.stretches.push_back(Part::Own { to: self.frontier });
    }

    /// False: it is for the worker after all.
    fn ask(&mut self, helper: &Helper, number: u32) -> bool {
        let stretch = Stretch {
            number,
            file: self.file.clone(),
            from: self.frontier,
            to: self.end(STRETCH),
            continuation: self.continuation.clone(),
        };
        let is_asked = helper.ask(&stretch);
        if is_asked {
            self.frontier = stretch.to;
            self.stretches.push_back(Part::Asked { number, to: stretch.to });
        } else {
            self.own(STRETCH);
        }
        is_asked
    }
}
