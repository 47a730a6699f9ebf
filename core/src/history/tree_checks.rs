//! What the parts of an episodic task say of each other (`tree/*`; formats.md, 4.5). Plain data in,
//! findings without a place out: whoever groups the parts knows where they stand.
#![cfg_attr(not(test), expect(dead_code, reason = "grouping of trees calls these"))]

use std::collections::BTreeMap;

use super::outcome::Outcome;
use super::reward::{Scale, rounded};
use crate::validate::finding::{Finding, Severity};

/// The number that the folder of an attempt tells: `tasks/{task}/attempts/003/…` → 3.
pub(crate) fn number_of_folder(path: &str) -> Option<i64> {
    let mut parts = path.rsplit('/').skip(1);
    let mut inner = parts.next()?;
    for folder in parts {
        if folder == "attempts" && !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit()) {
            return inner.parse().ok();
        }
        inner = folder;
    }
    None
}

/// `tree/number-vs-folder`: the number inside a file wins.
pub(crate) fn number_vs_folder(number: i64, path: &str) -> Option<Finding> {
    let folder = number_of_folder(path).filter(|folder| *folder != number)?;
    let message =
        format!("The file speaks of attempt {number} and lies in the folder of {folder}.");
    Some(
        Finding::new("tree/number-vs-folder", Severity::Warning, message)
            .contrast(folder.to_string(), number.to_string())
            .hint("The number inside counts."),
    )
}

/// `tree/index-mismatch`: what an index says of tasks against what they say of themselves, each as
/// (task id, status word). A task that is not open contradicts nothing; one that the index does not
/// know does. Findings come in order of the ids.
pub(crate) fn index_mismatch(index: &[(&str, &str)], tasks: &[(&str, &str)]) -> Vec<Finding> {
    let mut listed: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (id, status) in index {
        listed.entry(id).or_default().push(status);
    }
    let own: BTreeMap<&str, &str> = tasks.iter().copied().collect();
    let mismatch = |message: String, expected: &str, found: &str| {
        Finding::new("tree/index-mismatch", Severity::Info, message)
            .contrast(expected, found)
            .hint("What the task says of itself counts; the index was probably not written again.")
    };
    let of_task = |(id, status): (&str, &str)| match listed.get(id) {
        None => Some(mismatch(
            format!("Task {id} is {status}, and the index does not list it."),
            status,
            "no entry",
        )),
        Some(words) if words.iter().all(|word| is_same(word, status)) => None,
        Some(words) => {
            let words = words.join(", ");
            let message = format!("Task {id} is {status}, and the index lists it as {words}.");
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
pub(crate) fn attempt_count(total: i64, found: usize) -> Option<Finding> {
    let is_same = usize::try_from(total).is_ok_and(|total| total == found);
    let message = format!("The task counts {total} attempts; {found} are there.");
    (!is_same).then(|| {
        Finding::new("tree/attempt-count", Severity::Warning, message)
            .contrast(total.to_string(), found.to_string())
            .hint("Open the whole folder of the task.")
    })
}

/// `reward/detect`, 3: no part declares a scale, so the largest value of the run decides for all.
/// Each part has judged by its own; a value that was taken as it is becomes percent if another one
/// was.
pub(crate) fn one_scale(rewards: &mut [(Scale, f64)]) {
    if rewards.iter().any(|(scale, _)| *scale == Scale::Percent) {
        for (scale, value) in rewards.iter_mut().filter(|(scale, _)| *scale == Scale::Unit) {
            *scale = Scale::Percent;
            *value = rounded(*value / 100.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_tell_numbers() {
        assert_eq!(number_of_folder("a/tasks/t/attempts/003/outcome.json"), Some(3));
        assert_eq!(number_of_folder("attempts/010/results/iter-001/log.txt"), Some(10));
        for path in ["tasks/t/metadata.json", "attempts/003", "attempts/x/plan.md", ""] {
            assert_eq!(number_of_folder(path), None, "{path}");
        }
    }

    #[test]
    fn the_number_inside_wins() {
        let path = "tasks/t/attempts/003/attempt.json";
        let finding = number_vs_folder(2, path).expect("2 is not 3");
        assert_eq!(
            (finding.rule.as_ref(), finding.severity),
            ("tree/number-vs-folder", Severity::Warning)
        );
        assert_eq!(number_vs_folder(3, path), None);
        assert_eq!(number_vs_folder(3, "tasks/t/trajectory.json"), None);
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
                "Task a is completed, and the index lists it as running.",
                "Task c is failed, and the index does not list it.",
                "Task d is running, and the index lists it as paused.",
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

    #[test]
    fn a_run_has_one_scale() {
        let mut rewards = [(Scale::Unit, 1.0), (Scale::Percent, 0.85), (Scale::Ordinal, 0.5)];
        one_scale(&mut rewards);
        assert_eq!(
            rewards,
            [(Scale::Percent, 0.01), (Scale::Percent, 0.85), (Scale::Ordinal, 0.5)]
        );
        let mut rewards = [(Scale::Unit, 1.0), (Scale::Unit, 0.4)];
        one_scale(&mut rewards);
        assert_eq!(rewards, [(Scale::Unit, 1.0), (Scale::Unit, 0.4)]);
    }
}
