//! Why a loop stops.

use crate::labels::labels;

labels! {
    /// Why a loop stops.
    pub(crate) StopReason {
        Valid = "valid",
        Exhausted = "exhausted",
        Failures = "failures",
        Stalled = "stalled",
        Budget = "budget",
        Deadline = "deadline",
        Aborted = "aborted",
        CallFailed = "call_failed",
        TemplateFailed = "template_failed",
    }
}
