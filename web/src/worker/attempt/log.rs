//! The actions of an attempt. Of a long log every record is read once for what is counted, in steps;
//! the texts are read again for what is shown.

use hindscope::{Action, LogEntry, Outline, RecordId, RunId, moment_ms};

use super::super::files::Records;
use crate::browser;
use crate::protocol::{ActionRow, ActionsBody, ReplayState, count};

/// Bytes of a text that a row shows.
const ROW_MOST: usize = 240;
/// Actions of a step that are named.
const NAMED: usize = 12;

/// The actions of one attempt, as far as they were read.
pub(crate) struct Log {
    run: RunId,
    number: i64,
    entries: Entries,
    steps: Vec<String>,
    /// Milliseconds since 1970 at which elapsed time begins.
    begin: Option<f64>,
    marks: Vec<Mark>,
    problem: Option<String>,
}

/// Where the actions stand.
enum Entries {
    /// Lines of a log.
    Lines(Vec<(RecordId, u32)>),
    /// In the record of the attempt itself.
    Own(Vec<LogEntry>),
}

/// What is counted of an action.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    success: Option<bool>,
    has_error: bool,
    is_credited: bool,
    /// Milliseconds since 1970.
    time: Option<f64>,
    step: Option<u32>,
}

impl Mark {
    fn of(entry: &LogEntry, steps: &[String]) -> Self {
        Self {
            success: entry.action.success,
            has_error: entry.error.is_some(),
            is_credited: entry.action.is_credited,
            time: entry.action.time.as_deref().and_then(moment_ms),
            step: entry.step_of(steps),
        }
    }

    fn is_trouble(&self) -> bool {
        self.success == Some(false) || self.has_error || self.is_credited
    }
}

impl Log {
    /// A log of which nothing was read yet: `lines` are its records; without any, the actions stand
    /// in the outline.
    pub(super) fn new(
        run: RunId,
        number: i64,
        outline: Outline,
        lines: Vec<(RecordId, u32)>,
    ) -> Self {
        let begin = outline.start.as_deref().and_then(moment_ms);
        let entries = if lines.is_empty() {
            Entries::Own(LogEntry::of(&outline.details))
        } else {
            Entries::Lines(lines)
        };
        let steps = outline.plan.steps;
        Self { run, number, entries, steps, begin, marks: Vec::new(), problem: None }
    }

    pub(super) fn is_of(&self, run: RunId, number: i64) -> bool {
        (self.run, self.number) == (run, number)
    }

    /// The record of an action, if that is a line of a log.
    pub(super) fn record(&self, at: usize) -> Option<RecordId> {
        match &self.entries {
            Entries::Own(_) => None,
            Entries::Lines(lines) => lines.get(at).map(|(id, _)| *id),
        }
    }

    /// The step of the plan that an action belongs to, if it was read.
    pub(super) fn step(&self, at: usize) -> Option<u32> {
        self.marks.get(at).and_then(|mark| mark.step)
    }

    pub(super) fn total(&self) -> usize {
        match &self.entries {
            Entries::Lines(lines) => lines.len(),
            Entries::Own(own) => own.len(),
        }
    }

    /// An action, read from its file again if it stands in one of its own.
    pub(super) fn entry(&self, from: Records<'_>, at: usize) -> Result<LogEntry, String> {
        let (id, part) = match &self.entries {
            Entries::Own(own) => return Ok(own.get(at).cloned().unwrap_or_default()),
            Entries::Lines(lines) => *lines.get(at).ok_or("there is no such action")?,
        };
        let (_, bytes) = from.read(id)?;
        let details = from.history.inspect(id, part, &bytes).map_err(|error| error.to_string())?;
        Ok(LogEntry::of(&details).into_iter().next().unwrap_or_default())
    }

    /// Reads on, until `end` was read or the time is over.
    pub(super) fn read_to(&mut self, from: Records<'_>, end: usize, until: f64) {
        while self.marks.len() < end.min(self.total()) {
            let entry = self.entry(from, self.marks.len()).unwrap_or_else(|problem| {
                self.problem.get_or_insert(problem);
                LogEntry::default()
            });
            if self.marks.is_empty() && self.begin.is_none() {
                // Nobody says when the attempt began: its first action did.
                self.begin = entry.action.time.as_deref().and_then(moment_ms);
            }
            self.marks.push(Mark::of(&entry, &self.steps));
            if self.marks.len().is_multiple_of(16) && browser::now() > until {
                return;
            }
        }
    }

    fn offset(&self, time: Option<f64>) -> Option<f64> {
        Some(time? - self.begin?)
    }

    pub(super) fn row(&self, from: Records<'_>, at: usize) -> ActionRow {
        let entry = match self.entry(from, at) {
            Ok(entry) => entry,
            Err(problem) => return ActionRow { target: problem, ..ActionRow::default() },
        };
        let offset = self.offset(entry.action.time.as_deref().and_then(moment_ms));
        row(entry, offset)
    }

    /// Where a replay stands after the action at a position, of those that were read.
    pub(super) fn state(&self, at: usize) -> ReplayState {
        let mut state = ReplayState::default();
        let mut time = None;
        for mark in self.marks.iter().take(at + 1) {
            match mark.success {
                Some(true) => state.worked += 1,
                Some(false) => state.failed += 1,
                None => state.unsaid += 1,
            }
            state.errors += u32::from(mark.has_error);
            time = mark.time.or(time);
        }
        state.elapsed = self.offset(time);
        state
    }

    pub(super) fn body(&self) -> ActionsBody {
        let mut steps = vec![(Vec::new(), 0); self.steps.len()];
        for (at, mark) in self.marks.iter().enumerate() {
            let step = mark.step.and_then(|step| steps.get_mut(step as usize - 1));
            if let Some((first, all)) = step {
                if first.len() < NAMED {
                    first.push(count(at));
                }
                *all += 1;
            }
        }
        let is = |success: bool| {
            count(self.marks.iter().filter(|mark| mark.success == Some(success)).count())
        };
        let troubles = self.marks.iter().enumerate().filter(|(_, mark)| mark.is_trouble());
        ActionsBody {
            number: self.number,
            total: count(self.total()),
            read: count(self.marks.len()),
            worked: is(true),
            failed: is(false),
            troubles: troubles.map(|(at, _)| count(at)).collect(),
            steps,
            problem: self.problem.clone(),
            ..ActionsBody::default()
        }
    }
}

/// The beginnings of an action's texts.
fn row(entry: LogEntry, offset: Option<f64>) -> ActionRow {
    let LogEntry { action, error, .. } = entry;
    let target = [action.command.as_ref(), action.path.as_ref(), Some(&action.description)];
    let target = target.into_iter().flatten().find(|text| !text.trim().is_empty());
    ActionRow {
        target: target.map(|text| line(text)).unwrap_or_default(),
        offset,
        success: action.success,
        has_error: error.is_some(),
        is_credited: action.is_credited,
        reasoning: action.reasoning.as_deref().map(line).unwrap_or_default(),
        expected: action.expected.as_deref().map(line),
        actual: actual(&action, error.as_deref()).map(line),
        kind: line(&action.kind),
        tool: action.tool.as_deref().map(line).filter(|tool| *tool != action.kind),
    }
}

/// What came of an action, as far as its record has words for it.
fn actual<'a>(action: &'a Action, error: Option<&'a str>) -> Option<&'a str> {
    let output = action.output.as_deref().filter(|text| !text.trim().is_empty());
    error.or(output)
}

/// The beginning of a text on one line.
fn line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > ROW_MOST {
            line.truncate(line.floor_char_boundary(ROW_MOST));
            line.push('\u{2026}');
            break;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn entry(success: Option<bool>, error: Option<&str>) -> LogEntry {
        let action = Action {
            kind: "bash".to_owned(),
            tool: Some("bash".to_owned()),
            command: Some("make\n  flash".to_owned()),
            output: Some(" ".to_owned()),
            success,
            ..Action::default()
        };
        LogEntry { action, error: error.map(str::to_owned), ..LogEntry::default() }
    }

    fn log(entries: Vec<LogEntry>) -> Log {
        let steps = vec!["first".to_owned(), "second".to_owned()];
        let marks = entries.iter().map(|entry| Mark::of(entry, &steps)).collect();
        Log {
            run: RunId(0),
            number: 1,
            entries: Entries::Own(entries),
            steps,
            begin: Some(1000.0),
            marks,
            problem: None,
        }
    }

    #[test]
    fn a_row_says_what_came_of_an_action_and_no_more() {
        let failed = row(entry(Some(false), Some("exit 2")), Some(7.0));
        assert_eq!((failed.target.as_str(), failed.tool), ("make flash", None));
        assert_eq!((failed.actual.as_deref(), failed.offset), (Some("exit 2"), Some(7.0)));
        let silent = row(entry(None, None), None);
        assert_eq!((silent.actual, silent.expected), (None, None), "blanks are no output");
    }

    #[test]
    fn long_texts_end_within_a_line() {
        let long = line(&"\u{e9}".repeat(4000));
        assert!(long.len() <= ROW_MOST + 3 && long.ends_with('\u{2026}'));
        assert_eq!(line(" a\n\n b "), "a b");
    }

    #[test]
    fn a_state_counts_what_came_before_it() {
        let mut timed = entry(Some(true), None);
        timed.action.time = Some("1970-01-01T00:00:03Z".to_owned());
        let mut last = entry(None, None);
        last.plan_step = Some(2);
        let log = log(vec![timed, entry(Some(false), Some("no")), last]);
        assert_eq!(
            log.state(1),
            ReplayState { worked: 1, failed: 1, unsaid: 0, errors: 1, elapsed: Some(2000.0) }
        );
        assert_eq!((log.state(2).unsaid, log.state(0).failed), (1, 0));
        let body = log.body();
        assert_eq!((body.total, body.worked, body.failed), (3, 1, 1));
        assert_eq!(body.troubles, [1]);
        assert_eq!(body.steps, [(vec![], 0), (vec![2], 1)]);
    }
}
