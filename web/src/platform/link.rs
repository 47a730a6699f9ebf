//! The line to the worker.

use std::cell::RefCell;

use gloo_worker::{Spawnable, WorkerBridge};

use super::Plain;
use crate::protocol::{FromWorker, ToWorker};
use crate::worker::serve::Indexer;

/// A worker that can be let go and started anew.
pub(crate) struct Link {
    bridge: RefCell<Option<WorkerBridge<Indexer>>>,
}

impl Link {
    pub(crate) const fn new() -> Self {
        Self { bridge: RefCell::new(None) }
    }

    /// Starts a worker, in place of the one before.
    ///
    /// It starts from a blob, so the policy of the page holds in it. It is a module, because only
    /// then does its glue start without a deprecated call that would speak in the console.
    pub(crate) fn start(&self, hear: impl Fn(FromWorker) + 'static) {
        let bridge = Indexer::spawner()
            .as_module(true)
            .encoding::<Plain>()
            .callback(hear)
            .spawn("./worker.js");
        *self.bridge.borrow_mut() = Some(bridge);
    }

    /// Sends a message; before the worker is ready it waits in line.
    pub(crate) fn send(&self, message: ToWorker) {
        if let Some(bridge) = &*self.bridge.borrow() {
            bridge.send(message);
        }
    }
}
