//! Filtering and ordering the list of runs.
//!
//! Works on views handed over in batches, and keeps one small key per row: a history of a million
//! runs is never copied whole.

use std::cmp::Ordering;

use hindscope::{Outcome, RunId, RunView};

use crate::protocol::{Choice, Sort};

/// What a row is ordered by. Missing values come last in both directions.
#[derive(Clone, Debug, PartialEq)]
enum Key {
    Number(f64),
    Text(String),
    Missing,
}

/// Collects the rows that a choice lets through.
pub(crate) struct Sorter<'a> {
    choice: &'a Choice,
    words: Vec<String>,
    rows: Vec<(Key, RunId)>,
}

impl<'a> Sorter<'a> {
    pub(crate) fn new(choice: &'a Choice) -> Self {
        Self { choice, words: words(&choice.text), rows: Vec::new() }
    }

    /// Looks at one run. Runs come in the order of the history, which breaks all ties.
    pub(crate) fn offer(&mut self, view: &RunView, group: &str) {
        if self.choice.outcome.is_some_and(|outcome| outcome != view.outcome) {
            return;
        }
        let task = view.task.as_deref().unwrap_or_default();
        if !has_words(&self.words, &[&view.key, task, group]) {
            return;
        }
        let key = self.choice.sort.map_or(Key::Missing, |sort| key(view, group, sort));
        self.rows.push((key, view.id));
    }

    /// The runs in order.
    pub(crate) fn finish(mut self) -> Vec<RunId> {
        if self.choice.sort.is_some() {
            let falling = self.choice.is_falling;
            self.rows.sort_by(|(a, _), (b, _)| compare(a, b, falling));
        }
        self.rows.into_iter().map(|(_, id)| id).collect()
    }
}

fn key(view: &RunView, group: &str, sort: Sort) -> Key {
    let number = |value: Option<f64>| value.map_or(Key::Missing, Key::Number);
    match sort {
        Sort::Key => Key::Text(view.key.clone()),
        Sort::Group => Key::Text(group.to_owned()),
        Sort::Iterations => Key::Number(f64::from(view.iterations)),
        Sort::Reflections => Key::Number(f64::from(view.reflections)),
        Sort::Findings => Key::Number(f64::from(view.findings)),
        Sort::Best => number(view.best),
        Sort::Last => number(view.last),
        Sort::Outcome => match view.outcome {
            Outcome::Unknown => Key::Missing,
            outcome => Key::Number(f64::from(outcome as u8)),
        },
    }
}

fn compare(a: &Key, b: &Key, falling: bool) -> Ordering {
    let order = match (a, b) {
        (Key::Missing, Key::Missing) => return Ordering::Equal,
        (Key::Missing, _) => return Ordering::Greater,
        (_, Key::Missing) => return Ordering::Less,
        (Key::Number(a), Key::Number(b)) => a.total_cmp(b),
        (Key::Text(a), Key::Text(b)) => natural(a, b),
        (Key::Number(_), Key::Text(_)) => Ordering::Less,
        (Key::Text(_), Key::Number(_)) => Ordering::Greater,
    };
    if falling { order.reverse() } else { order }
}

/// Compares texts with runs of digits as numbers: `env_2` before `env_10`.
pub(crate) fn natural(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    loop {
        let (Some(x), Some(y)) = (left.first(), right.first()) else {
            return left.len().cmp(&right.len());
        };
        let order = if x.is_ascii_digit() && y.is_ascii_digit() {
            let (a, b) = (digits(left), digits(right));
            (left, right) = (&left[a.len()..], &right[b.len()..]);
            number(a, b)
        } else {
            (left, right) = (&left[1..], &right[1..]);
            x.to_ascii_lowercase().cmp(&y.to_ascii_lowercase())
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Compares digits by value, however many there are; equal ones by length.
fn number(left: &[u8], right: &[u8]) -> Ordering {
    let (a, b) = (trim_zeros(left), trim_zeros(right));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b)).then_with(|| left.len().cmp(&right.len()))
}

fn digits(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| !byte.is_ascii_digit());
    &text[..end.unwrap_or(text.len())]
}

fn trim_zeros(digits: &[u8]) -> &[u8] {
    let start = digits.iter().position(|byte| *byte != b'0');
    &digits[start.unwrap_or(digits.len())..]
}

/// The words of a filter, in lower case.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

/// Whether every word occurs in one of the texts.
pub(crate) fn has_words(words: &[String], texts: &[&str]) -> bool {
    if words.is_empty() {
        return true;
    }
    let texts: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    words.iter().all(|word| texts.iter().any(|text| text.contains(word.as_str())))
}

#[cfg(test)]
mod tests {
    use hindscope::{GroupId, Origin};

    use super::*;

    fn run(id: u32, key: &str, outcome: Outcome, last: Option<f64>) -> RunView {
        RunView {
            id: RunId(id),
            group: GroupId(0),
            key: key.to_owned(),
            task: None,
            format: "env-results".to_owned(),
            outcome,
            outcome_detail: None,
            status: None,
            start_ms: None,
            end_ms: None,
            counter: None,
            max_iterations: None,
            aliases: Vec::new(),
            lessons: 0,
            reward: None,
            iterations: 1,
            base: 0,
            base_provenance: "declared".to_owned(),
            first_success: None,
            best: last,
            best_number: None,
            last,
            reward_origin: Origin::None,
            reward_rule: None,
            reflections: 0,
            findings: 0,
            trend: String::new(),
            omega: None,
            omega_provenance: "assumed".to_owned(),
        }
    }

    fn order(choice: &Choice) -> Vec<u32> {
        let mut sorter = Sorter::new(choice);
        for view in [
            run(0, "env_10", Outcome::Success, Some(0.5)),
            run(1, "env_2", Outcome::Failure, None),
            run(2, "env_1", Outcome::Success, Some(0.9)),
        ] {
            sorter.offer(&view, "logs/alf");
        }
        sorter.finish().into_iter().map(|id| id.0).collect()
    }

    #[test]
    fn missing_is_last_in_both_directions() {
        let by = |sort, is_falling| order(&Choice { sort, is_falling, ..Choice::default() });
        assert_eq!(by(None, false), [0, 1, 2], "without a choice, the order of the history");
        assert_eq!(by(Some(Sort::Last), false), [0, 2, 1]);
        assert_eq!(by(Some(Sort::Last), true), [2, 0, 1]);
        assert_eq!(by(Some(Sort::Key), false), [2, 1, 0]);
    }

    #[test]
    fn filters_add_up() {
        let outcome = Some(Outcome::Success);
        assert_eq!(order(&Choice { outcome, ..Choice::default() }), [0, 2]);
        let text = "ALF env_1".to_owned();
        assert_eq!(order(&Choice { text, outcome, ..Choice::default() }), [0, 2]);
        let text = "env_2".to_owned();
        assert_eq!(order(&Choice { text, outcome, ..Choice::default() }), [0u32; 0]);
    }

    #[test]
    fn digits_compare_as_numbers() {
        assert_eq!(natural("trial_2", "trial_10"), Ordering::Less);
        assert_eq!(natural("7", "007"), Ordering::Less);
        assert_eq!(natural("a", "a1"), Ordering::Less);
        assert_eq!(natural("B2", "b2"), Ordering::Equal);
        assert_eq!(natural("x99999999999999999999", "x100000000000000000000"), Ordering::Less);
    }
}
