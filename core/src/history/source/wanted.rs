//! The records of some runs, and of no other: for files of which not everything can be kept.

use std::sync::Arc;

use super::Tally;
use crate::format::record::Readings;
use crate::model::finding::{Finding, Severity};
use crate::source::position::Position;

/// Which runs a host wants, and what was left out because of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// In lower case; none: all of them.
    names: Arc<[String]>,
    left_out: u32,
}

impl Wanted {
    pub(crate) fn new(runs: &[String]) -> Self {
        let names = runs.iter().map(|name| name.trim().to_lowercase());
        Self { names: names.filter(|name| !name.is_empty()).collect(), left_out: 0 }
    }

    /// Whether one of the names is part of the key of a run; of its path where it has no key.
    fn takes(&self, readings: &Readings, path: &str) -> bool {
        if self.names.is_empty() {
            return true;
        }
        let is_named = |key: Option<&str>| {
            let key = key.unwrap_or(path).to_lowercase();
            self.names.iter().any(|name| key.contains(name))
        };
        match &readings.parsed {
            Some(parsed) => parsed.runs.iter().any(|run| is_named(run.about.key.as_deref())),
            None => is_named(readings.extracted().and_then(|extracted| extracted.key.as_deref())),
        }
    }
}

impl Tally {
    /// Whether the record that was read belongs to no wanted run. It is counted, and forgotten.
    pub(super) fn leaves_out(&mut self, readings: &mut Readings) -> bool {
        let Some(format) = readings.format else { return false };
        if self.wanted.takes(readings, &self.path) {
            return false;
        }
        readings.findings.clear();
        self.format.get_or_insert(format);
        self.wanted.left_out += 1;
        true
    }

    /// Reports how much was left out.
    pub(super) fn report_left_out(&mut self) {
        let count = self.wanted.left_out;
        if count == 0 {
            return;
        }
        let names = self.wanted.names.join(", ");
        let records = if count == 1 { "record was" } else { "records were" };
        if self.got.kept == 0 {
            let reason = format!("none of its records belongs to a requested run: {names}");
            self.reason.get_or_insert(reason);
        }
        self.find(
            Finding::new(
                "source/left-out",
                Severity::Info,
                format!(
                    "{count} {records} left out, because only these runs were requested: {names}."
                ),
            )
            .hint("Open the file again without naming runs to read all records."),
            Position::START,
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::{History, Profile, SourceState};

    fn read(names: &[&str]) -> History {
        let mut history = History::new(Profile::Lenient);
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        history.only(&names);
        let record = |run: &str, n: u32| {
            format!(
                r#"{{"loop_id":"ralph-{run}","iteration":{n},"evaluator_output":{{"passed":false,"reward_signal":0.2}},"self_reflection":{{"reflection_text":"Close it."}}}}"#
            )
        };
        let lines = [record("one", 1), record("two", 1), record("one", 2), record("three", 1)];
        let source = history.open("a.jsonl");
        history.push(source, lines.join("\n").as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
        history
    }

    fn keys(history: &History) -> Vec<String> {
        history.runs().into_iter().map(|run| run.key).collect()
    }

    #[test]
    fn only_what_was_asked_for_is_kept_and_the_rest_is_counted() {
        let history = read(&[" ONE", "three"]);
        assert_eq!(keys(&history), ["ralph-one", "ralph-three"]);
        let source = &history.sources()[0];
        assert_eq!((source.kept, source.skipped), (3, 0));
        let findings = history.findings();
        let left_out =
            findings.iter().find(|f| f.rule == "source/left-out").expect("it is reported");
        assert_eq!(
            left_out.message,
            "1 record was left out, because only these runs were requested: one, three."
        );
    }

    #[test]
    fn all_runs_are_kept_unless_some_are_named() {
        for names in [&[][..], &[" "]] {
            let history = read(names);
            assert_eq!(keys(&history).len(), 3);
            assert!(history.findings().iter().all(|f| f.rule != "source/left-out"));
        }
    }

    #[test]
    fn a_file_of_other_runs_says_so() {
        let history = read(&["four"]);
        let source = &history.sources()[0];
        assert_eq!((source.kept, source.state), (0, SourceState::Raw));
        let reason = source.reason.as_deref().expect("there is one");
        assert_eq!(reason, "none of its records belongs to a requested run: four");
    }
}
