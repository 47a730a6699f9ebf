//! Checks of one reflection-memory record against itself: `rm/*`.
//!
//! The typed pass gathers what they need while it walks the bytes; nothing is read twice. Checks
//! that need the run or the path are in [`crate::history::series`].

mod actions;
mod checks;
mod relations;
mod verdict;
mod window;

use crate::format::list::List;
use crate::format::slot::Slot;
use crate::json::numeric::whole;
use crate::json::scan::Text;
use crate::text;

/// What the checks need of a record, beyond [`Extracted`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Audit {
    actions: Vec<Action>,
    /// Hashes of the listed files.
    files: List<u64>,
    results: List<CheckResult>,
    /// One for each object in the list of errors.
    errors: Vec<ErrorPlace>,
    credited: Vec<i64>,
    related: Vec<i64>,
    said: Said,
    /// The action that is being read; the next two fields hold the same of a result and of an error.
    open: Action,
    open_result: CheckResult,
    open_error: ErrorPlace,
}

/// The single values.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    files_changed: Option<f64>,
    lines_added: Option<f64>,
    lines_deleted: Option<f64>,
    /// The first counter below 0.
    negative: Option<(&'static str, f64)>,
    /// A root cause or a failure category is given.
    has_cause: bool,
    injected_flag: Option<bool>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Action {
    /// Position in the list, from 0; items that are no objects count, too.
    place: u32,
    kind: ActionKind,
    has_command: bool,
    /// Hash of the path's raw spelling, which is enough to distinguish paths of one record.
    path: Option<u64>,
    time_ms: Option<f64>,
    additions: Option<f64>,
    deletions: Option<f64>,
    /// Lines that the diff adds and deletes; known when it has a hunk.
    diff: Option<(u32, u32)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ActionKind {
    /// Writes, creates or deletes a file.
    File,
    /// Runs something.
    Command,
    #[default]
    Other,
}

#[derive(Clone, Copy, Debug, Default)]
struct CheckResult {
    place: u32,
    status: Status,
    exit_code: Option<f64>,
    duration_ms: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Status {
    Pass,
    Fail,
    Error,
    #[default]
    Skip,
}

#[derive(Clone, Copy, Debug, Default)]
struct ErrorPlace {
    place: u32,
    has_file: bool,
    line: Option<f64>,
    has_column: bool,
}

impl Audit {
    pub(crate) fn clear(&mut self) {
        self.actions.clear();
        self.files.clear();
        self.results.clear();
        self.errors.clear();
        self.credited.clear();
        self.related.clear();
        self.said = Said::default();
        self.open = Action::default();
        self.open_result = CheckResult::default();
        self.open_error = ErrorPlace::default();
    }

    pub(crate) fn text(&mut self, slot: Slot, text: Text<'_>) {
        match slot {
            Slot::ActionType => {
                let is_one_of = |words: &[&str]| words.iter().any(|w| text.is(w));
                self.open.kind =
                    if is_one_of(&["code_modification", "file_creation", "file_deletion"]) {
                        ActionKind::File
                    } else if is_one_of(&["test_execution", "command_execution"]) {
                        ActionKind::Command
                    } else {
                        ActionKind::Other
                    };
            }
            Slot::ActionPath => self.open.path = Some(text::hash_of(text.raw)),
            Slot::ActionCommand => self.open.has_command = true,
            Slot::Diff => self.open.diff = changed_lines(text),
            Slot::FileItem => self.files.push(text::hash_of(text.raw)),
            Slot::ResultStatus => {
                self.open_result.status = match () {
                    () if text.is("pass") => Status::Pass,
                    () if text.is("fail") => Status::Fail,
                    () if text.is("error") => Status::Error,
                    () => Status::Skip,
                };
            }
            Slot::ErrorFile => self.open_error.has_file = true,
            Slot::Cause if !text.decode().trim().is_empty() => self.said.has_cause = true,
            _ => {}
        }
    }

    /// When the open action was done.
    pub(crate) fn action_time(&mut self, ms: f64) {
        self.open.time_ms = Some(ms);
    }

    pub(crate) fn number(&mut self, slot: Slot, value: f64) {
        match slot {
            Slot::Additions => self.open.additions = Some(value),
            Slot::Deletions => self.open.deletions = Some(value),
            Slot::FilesChanged => self.said.files_changed = Some(value),
            Slot::LinesAdded => self.said.lines_added = Some(value),
            Slot::LinesDeleted => self.said.lines_deleted = Some(value),
            Slot::ExitCode => self.open_result.exit_code = Some(value),
            Slot::Duration => self.open_result.duration_ms = Some(value),
            Slot::ErrorLine => self.open_error.line = Some(value),
            Slot::ErrorColumn => self.open_error.has_column = true,
            Slot::CreditItem => self.credited.extend(whole(value)),
            Slot::RelatedItem => self.related.extend(whole(value)),
            _ => {}
        }
        let counter = match slot {
            Slot::TestsPassed => "tests_passed",
            Slot::TestsFailed => "tests_failed",
            Slot::TestsTotal => "tests_total",
            Slot::LintErrors => "lint_errors",
            Slot::LintWarnings => "lint_warnings",
            Slot::TypeErrors => "type_errors",
            _ => return,
        };
        if value < 0.0 {
            self.said.negative.get_or_insert((counter, value));
        }
    }

    pub(crate) fn flag(&mut self, slot: Slot, flag: bool) {
        if slot == Slot::InjectedFlag {
            self.said.injected_flag = Some(flag);
        }
    }

    /// An object ended. The items of three lists are kept, with their position `place` in the list; any
    /// other object changes nothing.
    pub(crate) fn close(&mut self, slot: Slot, place: u32) {
        match slot {
            Slot::ActionItem => {
                self.actions.push(Action { place, ..std::mem::take(&mut self.open) });
            }
            Slot::ResultItem => {
                let result = std::mem::take(&mut self.open_result);
                self.results.push(CheckResult { place, ..result });
            }
            Slot::ErrorItem => {
                self.errors.push(ErrorPlace { place, ..std::mem::take(&mut self.open_error) });
            }
            _ => {}
        }
    }

    /// A list ended.
    pub(crate) fn list(&mut self, slot: Slot) {
        match slot {
            Slot::Files => self.files.end(),
            Slot::Results => self.results.end(),
            _ => {}
        }
    }
}

/// Lines that a unified diff adds and deletes; nothing without a hunk.
fn changed_lines(diff: Text<'_>) -> Option<(u32, u32)> {
    memchr::memmem::find(diff.raw.as_bytes(), b"@@")?;
    let mut count = (0, 0);
    if !diff.is_escaped {
        diff.raw.split('\n').for_each(|line| count_line(line, &mut count));
    } else if memchr::memmem::find(diff.raw.as_bytes(), b"\\u").is_some() {
        // Any character may be hidden in such an escape.
        diff.decode().split('\n').for_each(|line| count_line(line, &mut count));
    } else {
        // Lines as they are written: neither a plus nor a minus has an escape of its own.
        let mut rest = diff.raw;
        count_line(rest, &mut count);
        while let Some(slash) = memchr::memchr(b'\\', rest.as_bytes()) {
            let is_break = rest.as_bytes().get(slash + 1) == Some(&b'n');
            rest = rest.get(slash + 2..).unwrap_or_default();
            if is_break {
                count_line(rest, &mut count);
            }
        }
    }
    Some(count)
}

/// Counts the line that `text` begins with.
#[inline]
fn count_line(text: &str, (added, deleted): &mut (u32, u32)) {
    match text.as_bytes() {
        [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => {}
        [b'+', ..] => *added += 1,
        [b'-', ..] => *deleted += 1,
        _ => {}
    }
}

#[cfg(test)]
mod tests;
