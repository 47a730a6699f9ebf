//! The first action in which two runs differ.

use std::collections::BTreeMap;

use hindscope::{Action, LoadedRun, RunId};

use super::no_answer::NoAnswer;
use super::session::Session;
use crate::browser;
use crate::protocol::{Align, DifferenceBody, count};

/// The page hears this often how far the search is, and may then ask for more.
const SLICE_MS: f64 = 40.0;

/// The first action in which two runs differ, among the places that both have, from one on.
pub(crate) fn difference(
    session: &mut Session,
    runs: [RunId; 2],
    align: Align,
    from: u32,
) -> Result<DifferenceBody, NoAnswer> {
    let begun = browser::now();
    let numbers = [numbers(session, runs[0], align)?, numbers(session, runs[1], align)?];
    let mut loaded = [session.history.loaded_run(runs[0])?, session.history.loaded_run(runs[1])?];
    let shared: Vec<i64> =
        numbers[0].keys().copied().filter(|place| numbers[1].contains_key(place)).collect();
    let mut body = DifferenceBody { compared: from, ..DifferenceBody::default() };
    for place in shared.iter().skip(from as usize) {
        let mut actions = [Vec::new(), Vec::new()];
        for side in 0..2 {
            if let Some(number) = numbers[side].get(place) {
                actions[side] = read(session, &mut loaded[side], *number)?;
            }
        }
        body.compared += 1;
        body.has_actions |= actions.iter().any(|list| !list.is_empty());
        if let Some(at) = first_difference(&actions) {
            body.at = Some((*place, count(at)));
            body.actions = actions.map(|list| list.get(at).map(in_words));
            return Ok(body);
        }
        if browser::now() - begun > SLICE_MS {
            break;
        }
    }
    body.next = Some(body.compared).filter(|next| *next < count(shared.len()));
    Ok(body)
}

/// Numbers of the iterations of a run by their places.
fn numbers(session: &Session, run: RunId, align: Align) -> Result<BTreeMap<i64, i64>, NoAnswer> {
    let run = session.history.run(run)?;
    let numbers = run.numbers();
    let place = |(k, number): (usize, &i64)| (align.place(k, *number, numbers.len()), *number);
    Ok(numbers.iter().enumerate().map(place).collect())
}

fn read(
    session: &Session,
    loaded_run: &mut LoadedRun,
    number: i64,
) -> Result<Vec<Action>, NoAnswer> {
    for record in loaded_run.needs_of(number)? {
        let span = session.history.locate(record)?;
        if let Ok(bytes) = session.files.read(&span) {
            session.history.load(loaded_run, record, &bytes)?;
        }
    }
    Ok(loaded_run.attempt(number)?.map(|details| details.actions.clone()).unwrap_or_default())
}

fn first_difference([left, right]: &[Vec<Action>; 2]) -> Option<usize> {
    let both = left.iter().zip(right).position(|(a, b)| !is_same(a, b));
    both.or_else(|| (left.len() != right.len()).then(|| left.len().min(right.len())))
}

/// Whether two actions do the same. How they are described counts only where nothing else does.
fn is_same(a: &Action, b: &Action) -> bool {
    let place = |action: &Action| {
        let Action { kind, path, command, tool, params, diff, .. } = action;
        [Some(kind), path.as_ref(), command.as_ref(), tool.as_ref(), params.as_ref(), diff.as_ref()]
            .map(Option::<&String>::cloned)
    };
    let (left, right) = (place(a), place(b));
    left == right
        && (left.iter().skip(1).any(Option::is_some)
            || hindscope::norm(&a.description) == hindscope::norm(&b.description))
}

/// An action in a line.
fn in_words(action: &Action) -> String {
    let what = action.path.as_ref().or(action.command.as_ref()).or(action.tool.as_ref());
    let what = what.unwrap_or(&action.description);
    format!("{} {what}", action.kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(kind: &str, path: Option<&str>, description: &str) -> Action {
        Action {
            kind: kind.to_owned(),
            path: path.map(str::to_owned),
            description: description.to_owned(),
            ..Action::default()
        }
    }

    #[test]
    fn what_is_done_counts_and_not_how_it_is_described() {
        let edit = |path, text| action("edit", Some(path), text);
        let same = [vec![edit("a.rs", "first")], vec![edit("a.rs", "second")]];
        assert_eq!(first_difference(&same), None);
        let other = [
            vec![edit("a.rs", "x"), edit("b.rs", "x")],
            vec![edit("a.rs", "x"), edit("c.rs", "x")],
        ];
        assert_eq!(first_difference(&other), Some(1));
        let words = [vec![action("other", None, "Look.")], vec![action("other", None, "look")]];
        assert_eq!(first_difference(&words), None);
        let words = [vec![action("other", None, "look")], vec![action("other", None, "leave")]];
        assert_eq!(first_difference(&words), Some(0));
        let shorter = [vec![edit("a.rs", "x")], vec![]];
        assert_eq!(first_difference(&shorter), Some(0), "one does no more");
        assert_eq!(in_words(&edit("a.rs", "x")), "edit a.rs");
    }
}
