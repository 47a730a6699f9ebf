//! What the parts of an episodic task say of each other (`tree/*`). Plain data in,
//! findings without a place out: whoever groups the parts knows where they stand.

use std::collections::BTreeMap;

use crate::model::finding::{Finding, Severity};
use crate::model::outcome::Outcome;

/// `tree/number-vs-folder`: the number inside a file wins.
pub(super) fn number_vs_folder(number: i64, folder: Option<i64>) -> Option<Finding> {
    let folder = folder.filter(|folder| *folder != number)?;
    let message = format!(
        "The file states attempt number {number}, but it is in the folder of attempt {folder}."
    );
    Some(
        Finding::new("tree/number-vs-folder", Severity::Warning, message)
            .contrast(folder.to_string(), number.to_string())
            .hint("The number in the file is used."),
    )
}

/// `tree/index-mismatch`: what an index says of tasks against what they say of themselves, each as
/// (task id, status word). A task that is not open contradicts nothing; one that the index does not
/// know does. Findings come in order of the ids.
pub(super) fn index_mismatch(index: &[(&str, &str)], tasks: &[(&str, &str)]) -> Vec<Finding> {
    let mut listed: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (id, status) in index {
        listed.entry(id).or_default().push(status);
    }
    let own: BTreeMap<&str, &str> = tasks.iter().copied().collect();
    let mismatch = |message: String, expected: &str, found: &str| {
        Finding::new("tree/index-mismatch", Severity::Info, message)
            .contrast(expected, found)
            .hint("The metadata of the task is used. The index was probably not updated.")
    };
    let of_task = |(id, status): (&str, &str)| match listed.get(id) {
        None => Some(mismatch(
            format!("Task {id} is {status}, but the index does not list it."),
            status,
            "no entry",
        )),
        Some(words) if words.iter().all(|word| is_same(word, status)) => None,
        Some(words) => {
            let words = words.join(", ");
            let message = format!("Task {id} is {status}, but the index lists it as {words}.");
            Some(mismatch(message, status, &words))
        }
    };
    own.into_iter().filter_map(of_task).collect()
}

/// Whether two status words mean the same.
fn is_same(a: &str, b: &str) -> bool {
    let (left, right) = (Outcome::read(a), Outcome::read(b));
    if left.0 == Outcome::Unknown { a.trim().eq_ignore_ascii_case(b.trim()) } else { left == right }
}

/// `tree/attempt-count`: attempts that a task or its summary counts against those that are there.
pub(super) fn attempt_count(total: i64, found: usize) -> Option<Finding> {
    let found = i64::try_from(found).unwrap_or(i64::MAX);
    let message = format!(
        "The stated number of attempts of the task is {total}, but the number of attempts found is {found}."
    );
    let hint = if found < total {
        "Some attempts may not be in the opened files. Open the whole folder of the task."
    } else {
        "The attempts that were found are used."
    };
    (found != total).then(|| {
        Finding::new("tree/attempt-count", Severity::Warning, message)
            .contrast(total.to_string(), found.to_string())
            .hint(hint)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_inside_wins() {
        let finding = number_vs_folder(2, Some(3)).expect("2 is not 3");
        assert_eq!(
            (finding.rule.as_ref(), finding.severity),
            ("tree/number-vs-folder", Severity::Warning)
        );
        assert_eq!(number_vs_folder(3, Some(3)), None);
        assert_eq!(number_vs_folder(3, None), None);
    }

    #[test]
    fn an_index_may_be_old() {
        let index = [("a", "running"), ("b", "completed"), ("gone", "failed"), ("d", "paused")];
        let tasks = [("a", "completed"), ("b", "done"), ("c", "failed"), ("d", "running")];
        let messages: Vec<_> =
            index_mismatch(&index, &tasks).into_iter().map(|f| f.message).collect();
        assert_eq!(
            messages,
            [
                "Task a is completed, but the index lists it as running.",
                "Task c is failed, but the index does not list it.",
                "Task d is running, but the index lists it as paused.",
            ]
        );
        assert!(index_mismatch(&[("x", "parked")], &[("x", "Parked")]).is_empty());
    }

    #[test]
    fn attempts_are_counted() {
        assert_eq!(attempt_count(2, 2), None);
        let finding = attempt_count(3, 2).expect("one is missing");
        assert_eq!(finding.severity, Severity::Warning);
        assert!(attempt_count(-1, 0).is_some());
    }
}
