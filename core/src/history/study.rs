//! What a whole study log says of its memory (`window/scope`, `study/window-replay`).

use super::grouping::GroupBuilder;
use super::parsed_rows::{ParsedRows, ParsedStepRow};
use crate::format::traits::Role;
use crate::model::finding::{Finding, Severity};
use crate::sort::StableSort as _;
use crate::window::provenance::file_scope;

/// The sliding window of the known logs: what it holds, and how much of that is shown.
const BUFFER: usize = 5;
const SHOWN: usize = 3;

/// An attempt as a log names it: key of its task and number, both of one file.
type Name = (Option<u32>, Option<i64>);

/// Replays a sliding window over all attempts of one file, in its order, and says at how many of
/// them it gives what the log says was retrieved. `rows` are the records of the file.
pub(crate) fn check(builder: &mut GroupBuilder<'_>, rows: &[usize]) {
    let table = builder.table;
    let of_study = |row: &&usize| table.rows[**row].format.role() == Role::Study;
    let mut rows: Vec<usize> = rows.iter().filter(of_study).copied().collect();
    rows.stable_sort_by_key(|&row| table.rows[row].index);
    let mut names: Vec<Name> = Vec::new();
    let mut retrieved: Vec<Option<&[(u32, i64)]>> = Vec::new();
    for parsed_run in rows.iter().flat_map(|&row| table.parsed_runs(&table.rows[row])) {
        for step in table.parsed.steps_of(parsed_run) {
            names.push((parsed_run.key, step.number));
            retrieved.push(table.parsed.retrieved_at(step));
        }
    }
    let (equal, all) = replay(&names, &retrieved);
    // A log without anything retrieved says nothing of its window.
    let (Some(&first), true) =
        (rows.first(), retrieved.iter().any(|t| t.is_some_and(|t| !t.is_empty())))
    else {
        return;
    };
    let hint = if equal == all {
        "One window covers all tasks of the file, in their order."
    } else {
        "Another kind of memory was used. Each attempt shows what was retrieved."
    };
    builder.find_in_file(
        first,
        Finding::new(
            "study/window-replay",
            Severity::Info,
            format!(
                "A sliding window over the file (the last {SHOWN} of {BUFFER}) explains what was retrieved at {equal} of {all} attempts."
            ),
        )
        .hint(hint),
    );
}

/// At how many attempts the window gives what was retrieved, and how many attempts say what it was.
fn replay(names: &[Name], retrieved: &[Option<&[(u32, i64)]>]) -> (usize, usize) {
    let is_equal = |at: usize, retrieved: &[(u32, i64)]| {
        let shown = file_scope(at, BUFFER, SHOWN).into_iter().filter_map(|k| names.get(k).copied());
        shown.eq(retrieved.iter().map(|(key, number)| (Some(*key), Some(*number))))
    };
    let stated =
        retrieved.iter().enumerate().filter_map(|(at, retrieved)| Some((at, (*retrieved)?)));
    let verdicts: Vec<bool> = stated.map(|(at, retrieved)| is_equal(at, retrieved)).collect();
    (verdicts.iter().filter(|equal| **equal).count(), verdicts.len())
}

impl ParsedRows {
    /// What an attempt says was put before it: keys and numbers, in its order.
    fn retrieved_at(&self, step: &ParsedStepRow) -> Option<&[(u32, i64)]> {
        self.retrieved.get(&(step.row, step.part)).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{History, InjectedOrigin, Profile};

    #[test]
    fn the_window_spans_tasks() {
        let name = |key: u32, number: i64| (Some(key), Some(number));
        let names = [name(1, 0), name(1, 1), name(2, 0), name(2, 1), name(2, 2)];
        let last: &[(u32, i64)] = &[(2, 1), (2, 0), (1, 1)];
        let retrieved: [Option<&[(u32, i64)]>; 5] =
            [Some(&[]), Some(&[(1, 0)]), Some(&[(1, 1), (1, 0)]), None, Some(last)];
        assert_eq!(replay(&names, &retrieved), (4, 4));
        // Oldest first, or of the task alone, is another window.
        let retrieved: [Option<&[(u32, i64)]>; 3] =
            [Some(&[]), Some(&[(1, 0)]), Some(&[(1, 0), (1, 1)])];
        assert_eq!(replay(&names, &retrieved), (2, 3));
        assert_eq!(replay(&names, &[None, None]), (0, 0));
    }

    fn task(id: &str, retrieved: &str) -> String {
        format!(
            r#"{{"task_id":"{id}","per_attempt_rewards":[0,1],"reflections":["a of {id}","b of {id}"],"per_attempt_retrieved":{retrieved}}}"#
        )
    }

    fn opened(tasks: &[String]) -> (History, String) {
        let text = format!("[{}]", tasks.join(",\n"));
        let mut history = History::new(Profile::Lenient);
        let source = history.open("study.json");
        history.push(source, text.as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
        (history, text)
    }

    fn replays(history: &History) -> Vec<String> {
        let findings = history.findings().into_iter();
        findings.filter(|f| f.rule == "study/window-replay").map(|f| f.message).collect()
    }

    const Q1: &str = r#"[[],[{"task_id":"q1","attempt":0}]]"#;
    const Q2: &str = r#"[[{"task_id":"q1","attempt":1},{"task_id":"q1","attempt":0}],[{"task_id":"q2","attempt":0,"reflection":"a of q2"},{"task_id":"q1","attempt":1},{"task_id":"q1","attempt":0}]]"#;

    #[test]
    fn a_log_is_replayed_as_a_whole() {
        let (history, _) = opened(&[task("q1", Q1), task("q2", Q2)]);
        let [message] = &replays(&history)[..] else { panic!("one") };
        assert!(message.contains("at 4 of 4 attempts"), "{message}");
        // The order of the file counts, and not that of the keys.
        let (history, _) = opened(&[task("q2", Q1.replace("q1", "q2").as_str()), task("q1", "[]")]);
        assert!(replays(&history)[0].contains("at 2 of 2 attempts"));
        let (history, _) = opened(&[task("q1", "[[],[]]")]);
        assert!(replays(&history).is_empty());
    }

    #[test]
    fn what_was_retrieved_is_what_was_injected() {
        let (history, text) = opened(&[task("q1", Q1), task("q2", Q2)]);
        let run = history.find_run("q2").expect("it is listed");
        let mut loaded_run = history.loaded_run(run).expect("it is listed");
        for span in history.needs(&loaded_run) {
            let at = |n: u64| usize::try_from(n).expect("small");
            let bytes = &text.as_bytes()[at(span.start)..at(span.end)];
            history.load(&mut loaded_run, span.record, bytes).expect("these are its bytes");
        }
        let injected = loaded_run.injected(1).expect("it is there");
        assert_eq!((injected.origin, injected.is_computed), (InjectedOrigin::Retrieved, false));
        // Attempts of other tasks are among the details.
        assert_eq!((injected.numbers, injected.held.len()), (vec![0], 1));
        let details =
            loaded_run.attempt(1).expect("attempt 1 is there").and_then(|d| d.retrieved.as_deref());
        assert_eq!(details.map(<[_]>::len), Some(3));
        let first = loaded_run.injected(0).expect("it is there");
        assert_eq!((first.origin, first.numbers), (InjectedOrigin::Retrieved, vec![]));
        let next = loaded_run.injected(2).expect("it is there");
        assert_eq!((next.origin, next.numbers), (InjectedOrigin::Computed, vec![0, 1]));
    }
}
