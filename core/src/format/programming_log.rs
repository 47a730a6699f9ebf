//! `programming-log`: Reflexion's programming runs, one task a line.

use serde_json::Value;

use super::env_results::verdict;
use super::lines::leading_number;
use super::parsed_record::Context;
use super::read::{self, Member as _, strings};
use super::rest::{named, note};
use super::slot::Slot;
use super::traits::Traits;
use super::{Family, Format, FormatId, Reading, table_of};
use crate::json::shape::{Item, Kind, Shape, Table, may, must};
use crate::model::details::{Details, NamedText, Reflection};
use crate::model::omega::Assumption;
use crate::model::outcome::Outcome;

pub(crate) const FORMAT: Format = Format {
    id: "programming-log",
    title: "Reflexion programming log",
    gives: "tasks with attempts, reflections and the verdict of the hidden tests",
    known_by: "`entry_point` and `prompt`, with `task_id` or `name`, and `is_solved` or `solution`",
    found_at: "{dataset}._{strategy}_{n}_{model}_pass_at_k_{k}_{lang}.jsonl",
    fits,
    traits: Traits {
        family: Family::Tasks,
        marks: &["entry_point", "is_solved"],
        base: Some(0),
        assumed: Assumption::of(1, "Reflexion")
            .noting("The previous code and its feedback are sent as well."),
        has_actions: false,
        is_self_tested: true,
        ..Traits::USUAL
    },
    reading: Reading::along(table_of!(Table::of_shape(&SHAPE, Slot::None)), details),
};

/// One task.
pub(crate) const SHAPE: Shape<Slot> = Shape {
    is_open: true,
    members: &[
        may("task_id", Kind::Text, Slot::Key),
        may("name", Kind::Text, Slot::Name),
        must("prompt", Kind::Text, Slot::None),
        must("entry_point", Kind::Text, Slot::None),
        must("is_solved", Kind::Flag, Slot::Passed),
        may(
            "reflections",
            Kind::List(&Item { kind: Kind::Text, slot: Slot::Reflection }),
            Slot::Reflections,
        ),
        may(
            "implementations",
            Kind::List(&Item { kind: Kind::Text, slot: Slot::None }),
            Slot::Implementations,
        ),
        may(
            "test_feedback",
            Kind::List(&Item { kind: Kind::Text, slot: Slot::Feedback }),
            Slot::None,
        ),
        // Rows report no reward; its column keeps the running accuracy for `prog/acc`.
        may("acc", Kind::Number, Slot::Reward),
    ],
};

/// Whether a record is of this format. Rows of a tree search look alike but mean something else;
/// which of the two a file holds is decided once, by its first row.
pub(crate) fn fits(value: &Value, _context: &Context) -> bool {
    is_task(value) && (value.has("is_solved") || value.has("solution")) && !is_search(value)
}

/// What sets a row of a search apart from one of a chain.
pub(crate) fn is_search(value: &Value) -> bool {
    let len = |name: &str| value.get(name).and_then(Value::as_array).map(Vec::len);
    (!value.has("is_solved") && value.has("acc"))
        || len("implementations").is_some_and(|n| n != len("reflections").unwrap_or(0) + 1)
}

/// Whether a value has the members that rows of chains and of searches share.
pub(crate) fn is_task(value: &Value) -> bool {
    value.has("entry_point") && value.has("prompt") && (value.has("task_id") || value.has("name"))
}

/// The format of a row as the rows before it decided for the file. If the first row could be of either
/// format, the name of the file decides. `None`: this is no such row, or nothing is decided.
pub(crate) fn decided(
    value: &Value,
    expected: Option<FormatId>,
    sniffed: Option<FormatId>,
    path: &str,
) -> Option<FormatId> {
    let is_one = |id: &FormatId| matches!(id, FormatId::ProgrammingLog | FormatId::TreeSearchLog);
    if !is_task(value) {
        return None;
    }
    if let Some(expected) = expected.filter(is_one) {
        return Some(expected);
    }
    let is_named = making_of(path).is_some_and(|making| making.strategy == Strategy::Unknown);
    (is_named && value.has("acc") && sniffed == Some(FormatId::ProgrammingLog))
        .then_some(FormatId::TreeSearchLog)
}

/// The `part` that stands for all reflections of a row, where none of them belongs to a single attempt.
pub(crate) const WHOLE: u32 = u32::MAX;

/// How a log was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Making {
    pub(crate) strategy: Strategy,
    pub(crate) max_iterations: Option<u32>,
    pub(crate) pass_at: Option<u32>,
    /// The name did not say: judged by content.
    pub(crate) is_assumed: bool,
    /// `max_iterations` is that of the longest row: the name did not say, or said less.
    pub(crate) is_limit_inferred: bool,
}

impl Making {
    /// What the name of a log says, or else its rows, which are (number of reflections, solved). A name that
    /// allows fewer attempts than a row has does not count (`prog/name`).
    pub(crate) fn of(path: &str, rows: &[(u32, Option<bool>)]) -> Self {
        let Some(named) = making_of(path) else { return making_by_content(rows) };
        let longest = rows.iter().map(|row| row.0).max().unwrap_or(0);
        let needed = longest.saturating_add(1);
        match named.max_iterations {
            Some(limit) if limit < needed => {
                Self { max_iterations: Some(needed), is_limit_inferred: true, ..named }
            }
            _ => named,
        }
    }
}

/// How attempts and reflections of a row belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// One attempt a row.
    Simple,
    /// A chain: reflection k belongs to attempt k.
    Reflexion,
    /// Always as many reflections as allowed; only the last attempt was judged.
    ImmediateReflexion,
    /// One recorded attempt; how many there were is unknown.
    ImmediateRefinement,
    /// Reflections of every branch of a search.
    ReflexionUcs,
    /// Tree searches and whatever else: no chain.
    Unknown,
}

/// Strategies by their names, longer names before those that they begin with.
const STRATEGIES: [(&str, Strategy); 8] = [
    ("immediate-refinement", Strategy::ImmediateRefinement),
    ("immediate-reflexion", Strategy::ImmediateReflexion),
    ("reflexion-ucs", Strategy::ReflexionUcs),
    ("reflexion", Strategy::Reflexion),
    ("test-acc", Strategy::Simple),
    ("simple", Strategy::Simple),
    ("mcts", Strategy::Unknown),
    ("dfs", Strategy::Unknown),
];

/// Reads `{dataset}._{strategy}_{max_iters}_{model}_pass_at_k_{k}_{lang}.jsonl`.
pub(crate) fn making_of(path: &str) -> Option<Making> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (head, tail) = name.rsplit_once("_pass_at_k_")?;
    let small = |(number, _): (i64, &str)| u32::try_from(number).ok();
    for (word, strategy) in STRATEGIES {
        for (at, _) in head.match_indices(word) {
            let is_start = at == 0 || matches!(head.as_bytes().get(at - 1), Some(b'_' | b'.'));
            let rest = head.get(at + word.len()..).and_then(|r| r.strip_prefix('_'));
            let count = rest.and_then(leading_number).filter(|(_, rest)| rest.starts_with('_'));
            let max_iterations = count.and_then(small);
            if is_start && max_iterations.is_some() {
                let pass_at = leading_number(tail).and_then(small);
                return Some(Making {
                    strategy,
                    max_iterations,
                    pass_at,
                    is_assumed: false,
                    is_limit_inferred: false,
                });
            }
        }
    }
    None
}

/// Judges by content where the name does not say: `rows` are (number of reflections, solved).
fn making_by_content(rows: &[(u32, Option<bool>)]) -> Making {
    let making = |strategy, max_iterations| Making {
        strategy,
        max_iterations,
        pass_at: None,
        is_assumed: true,
        is_limit_inferred: true,
    };
    let largest = rows.iter().map(|r| r.0).max().unwrap_or(0);
    let is_solved = |row: &(u32, Option<bool>)| row.1 == Some(true);
    if largest == 0 {
        return making(Strategy::Unknown, None);
    }
    if rows.iter().all(|r| r.0 == largest) && rows.iter().any(is_solved) {
        return making(Strategy::ImmediateReflexion, Some(largest + 1));
    }
    let mut counts = std::collections::BTreeMap::<u32, usize>::new();
    for row in rows.iter().filter(|r| !is_solved(r)) {
        *counts.entry(row.0).or_default() += 1;
    }
    // On a tie the larger number of reflections counts as the more frequent one.
    let frequent = counts.iter().max_by_key(|(n, count)| (**count, **n)).map(|(n, _)| *n);
    if frequent == Some(largest) {
        making(Strategy::Reflexion, Some(largest + 1))
    } else {
        making(Strategy::Unknown, None)
    }
}

/// Members of the task itself.
pub(crate) fn texts(value: &Value) -> Vec<NamedText> {
    const NAMES: [&str; 11] = [
        "solution",
        "canonical_solution",
        "cannonical_solution",
        "test",
        "visible_tests",
        "language",
        "entry_point",
        "doctests",
        "original",
        "prompt_terminology",
        "stop_tokens",
    ];
    let notes = NAMES.into_iter().filter_map(|name| note(value, name));
    notes.filter(|note| !note.text.is_empty()).collect()
}

/// The task, and its attempt number `part`.
pub(crate) fn details(value: &Value, part: u32) -> Details {
    let reflections: Vec<Reflection> = read::reflections(value.get("reflections")).collect();
    let solved = value.flag("is_solved");
    let is_last = part as usize >= reflections.len();
    let of_attempt = |name| strings(value.get(name)).into_iter().nth(part as usize);
    let (implementation, feedback) = (of_attempt("implementations"), of_attempt("test_feedback"));
    let named = named([("implementation", implementation), ("test_feedback", feedback)]);
    Details {
        key: value.text("task_id").or_else(|| value.text("name")),
        number: Some(if part == WHOLE { 0 } else { i64::from(part) }),
        task: value.text("prompt"),
        outcome: if is_last { solved.map(Outcome::of_verdict) } else { Some(Outcome::Failure) },
        outcome_detail: (!is_last).then(|| "own tests failed".to_owned()),
        reward: if is_last { solved.map(verdict) } else { None },
        reflections: reflections.into_iter().filter(|r| part == WHOLE || r.part == part).collect(),
        texts: named.chain(texts(value)).collect(),
        ..Details::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_strategy_and_limits() {
        let making = |path| making_of(path).map(|m| (m.strategy, m.max_iterations, m.pass_at));
        assert_eq!(
            making("a/humaneval-rs._reflexion_5_gpt-4_pass_at_k_1_rs.jsonl"),
            Some((Strategy::Reflexion, Some(5), Some(1)))
        );
        assert_eq!(
            making("x._immediate-reflexion_3_gpt_3.5_pass_at_k_10_py.jsonl"),
            Some((Strategy::ImmediateReflexion, Some(3), Some(10)))
        );
        assert_eq!(
            making("simple_1_gpt-4_pass_at_k_1.jsonl"),
            Some((Strategy::Simple, Some(1), Some(1)))
        );
        assert_eq!(making("reflexion_humaneval_py_pass_at_1.jsonl"), None);
    }

    #[test]
    fn content_decides_where_names_do_not() {
        let rows =
            |rows: &[(u32, bool)]| rows.iter().map(|&(n, s)| (n, Some(s))).collect::<Vec<_>>();
        let strategy = |r: &[(u32, bool)]| {
            let making = making_by_content(&rows(r));
            (making.strategy, making.max_iterations)
        };
        assert_eq!(strategy(&[(4, true), (4, false)]), (Strategy::ImmediateReflexion, Some(5)));
        assert_eq!(
            strategy(&[(0, true), (4, false), (4, false), (1, false)]),
            (Strategy::Reflexion, Some(5))
        );
        assert_eq!(
            strategy(&[(0, true), (4, false), (1, false), (1, false)]),
            (Strategy::Unknown, None)
        );
        let named = "demo._reflexion_5_gpt-4_pass_at_k_1_py.jsonl";
        let limit = |reflections: u32| Making::of(named, &[(reflections, None)]).max_iterations;
        assert_eq!([limit(0), limit(4), limit(9)], [Some(5), Some(5), Some(10)]);
        assert_eq!(strategy(&[(0, true)]), (Strategy::Unknown, None));
    }
}
