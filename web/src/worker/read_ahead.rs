//! Small files that are read ahead, several requests at a time.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::host::{Read, Turns, read_together};
use crate::browser::FileHandle;
use crate::protocol::FileItem;

/// A file up to this length is read whole, together with its neighbours.
const SMALL: u64 = 256 << 10;
/// A request ends at the latest with this many files, or with the file that brings it to this many bytes.
const FILES: usize = 64;
const BYTES: u64 = 4 << 20;
/// Requests that are under way at a time.
const REQUESTS: usize = 4;

/// The next file of those read ahead.
pub(crate) enum Next {
    File(FileItem, Read),
    /// It is on its way; the turn comes when it is here.
    Later,
}

/// Files in the order in which they were waiting.
#[derive(Default)]
pub(crate) struct ReadAhead {
    requests: VecDeque<Request>,
}

struct Request {
    items: VecDeque<FileItem>,
    /// What became of them, in their order, once that is known.
    read: Rc<RefCell<Option<VecDeque<Read>>>>,
}

impl ReadAhead {
    /// Asks for what comes next, as far as it is small.
    pub(crate) fn fill(&mut self, waiting: &mut VecDeque<FileItem>, turns: &Rc<Turns>) {
        while self.requests.len() < REQUESTS {
            let items = batch(waiting);
            if items.is_empty() {
                return;
            }
            let handles = items.iter().filter_map(|item| item.handle.clone()).collect();
            let read = Rc::new(RefCell::new(None));
            let (arrived, turns) = (Rc::clone(&read), Rc::clone(turns));
            read_together(handles, move |bytes| {
                *arrived.borrow_mut() = Some(bytes.into());
                turns.take();
            });
            self.requests.push_back(Request { items, read });
        }
    }

    /// The next file; none if nothing was asked for.
    pub(crate) fn next(&mut self) -> Option<Next> {
        let request = self.requests.front_mut()?;
        let read = match request.read.borrow_mut().as_mut() {
            None => return Some(Next::Later),
            Some(read) => read.pop_front(),
        };
        let item = request.items.pop_front()?;
        if request.items.is_empty() {
            self.requests.pop_front();
        }
        let read = read.unwrap_or_else(|| Err("the browser did not hand it out".to_owned()));
        Some(Next::File(item, read))
    }

    /// Files that were asked for and not taken.
    pub(crate) fn len(&self) -> usize {
        self.requests.iter().map(|request| request.items.len()).sum()
    }

    pub(crate) fn clear(&mut self) {
        self.requests.clear();
    }
}

/// Takes small files from the front, as many as one request has.
fn batch(waiting: &mut VecDeque<FileItem>) -> VecDeque<FileItem> {
    let mut items = VecDeque::new();
    let mut bytes = 0;
    while items.len() < FILES && bytes < BYTES {
        let size = waiting.front().and_then(|item| item.handle.as_ref()).map(FileHandle::size);
        let Some(size) = size.filter(|size| *size <= SMALL) else { break };
        bytes += size;
        items.extend(waiting.pop_front());
    }
    items
}
