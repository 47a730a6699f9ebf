//! Which action is blamed, which reflection is named, and which lesson was acted on (`credit/*`).

use std::collections::{BTreeMap, BTreeSet};

use super::answer::{Credit, Link, LinkKind, Uptake};
use super::context::InsightContext;
use super::items::names;
use crate::model::details::{Action, Details};
use crate::text::words;

/// Actions that something points at.
pub(super) fn credits(context: &InsightContext<'_>) -> Vec<Credit> {
    if !context.judges("credit/actions") {
        return Vec::new();
    }
    let of_step = |k: usize| {
        let details = context.details(k);
        let number = context.number(k);
        details.into_iter().flat_map(move |details| of_record(number, details))
    };
    (0..context.steps().len()).flat_map(of_step).collect()
}

/// Positions listed for one action: a record may hold many actions and errors of one file, and
/// their product must not fill the memory.
const MOST_LISTED: usize = 100;

fn of_record(number: i64, details: &Details) -> impl Iterator<Item = Credit> + '_ {
    let failing: BTreeSet<i64> =
        details.reflections.iter().flat_map(|r| &r.failing_actions).copied().collect();
    let mut errors_at = Places::new();
    for (index, error) in (0_u32..).zip(&details.errors) {
        errors_at.entry(error.file.clone().unwrap_or_default()).or_default().push(index);
    }
    let mut checks_of = Places::new();
    for (index, check) in (0_u32..).zip(&details.checks) {
        checks_of.entry(check.tool.to_lowercase()).or_default().push(index);
    }
    (0_u32..).zip(&details.actions).filter_map(move |(index, action)| {
        let command = action.command.as_deref().unwrap_or_default().to_lowercase();
        let tools: BTreeSet<&str> = command.split_whitespace().chain(words(&command)).collect();
        let credit = Credit {
            number,
            action: index,
            is_failing: action.is_credited || failing.contains(&i64::from(index)),
            errors: found(&errors_at, action.path.as_deref()),
            checks: found(&checks_of, tools),
        };
        let is_pointed_at =
            credit.is_failing || !credit.errors.is_empty() || !credit.checks.is_empty();
        is_pointed_at.then_some(credit)
    })
}

/// Positions by the file or tool that they name.
type Places = BTreeMap<String, Vec<u32>>;

/// The first positions that any of the names has, ascending.
fn found<'a>(places: &Places, names: impl IntoIterator<Item = &'a str>) -> Vec<u32> {
    let mut found: Vec<u32> = names
        .into_iter()
        .filter(|name| !name.is_empty())
        .filter_map(|name| places.get(name))
        .flat_map(|positions| positions.iter().take(MOST_LISTED))
        .copied()
        .collect();
    found.sort_unstable();
    found.truncate(MOST_LISTED);
    found
}

/// Earlier reflections that an iteration names.
pub(super) fn links(context: &InsightContext<'_>) -> Vec<Link> {
    if !context.judges("credit/links") {
        return Vec::new();
    }
    let mut links = Vec::new();
    for (k, step) in context.steps().iter().enumerate() {
        let related = context.written_at(k).iter().filter_map(|w| w.full).flat_map(|r| &r.related);
        let window = context.details(k).and_then(|d| d.window.as_ref());
        let used = window.and_then(|w| w.injected.as_ref()).into_iter().flatten();
        let related = related.map(|to| (*to, LinkKind::Related));
        for (to, kind) in related.chain(used.map(|to| (*to, LinkKind::Used))) {
            // Only what came before is an edge; the rest is `rm/related-range`.
            if to < step.number {
                let (number, has_helped) = (step.number, step.is_improvement);
                links.push(Link { number, to, kind, has_helped });
            }
        }
    }
    links
}

/// A lesson that waits for an action.
struct Waiting {
    names: BTreeSet<String>,
    /// Its row.
    row: usize,
}

/// Lessons that name something in the code, and the first action that names it, too.
pub(super) fn uptakes(context: &InsightContext<'_>) -> Vec<Uptake> {
    if !context.judges("credit/uptake") || !context.is_chain() {
        return Vec::new();
    }
    // Without a recorded action this cannot be judged.
    let has_actions = |k: usize| context.details(k).is_some_and(|d| !d.actions.is_empty());
    if !(0..context.steps().len()).any(has_actions) {
        return Vec::new();
    }
    let mut rows: Vec<Uptake> = Vec::new();
    // By position of their reflection.
    let mut waiting: Vec<Vec<Waiting>> = Vec::new();
    for (items, reflected) in context.items().iter().zip(&context.reflections) {
        let mut of_reflection = Vec::new();
        for item in items {
            let names = names(&item.text);
            if names.is_empty() {
                continue;
            }
            of_reflection.push(Waiting { names, row: rows.len() });
            rows.push(Uptake {
                number: reflected.at.number,
                text: item.text.clone(),
                taken_up: None,
                action: None,
                name: None,
            });
        }
        waiting.push(of_reflection);
    }
    for (k, step) in context.steps().iter().enumerate() {
        let Some(details) = context.details(k).filter(|d| !d.actions.is_empty()) else { continue };
        let done: Vec<_> = details.actions.iter().map(names_of).collect();
        for at in context.injected(k) {
            let Some(lessons) = waiting.get_mut(at) else { continue };
            lessons.retain(|lesson| {
                let found = (0..).zip(&done).find_map(|(index, names): (u32, _)| {
                    Some((index, lesson.names.intersection(names).next()?.clone()))
                });
                let Some(((index, name), row)) = found.zip(rows.get_mut(lesson.row)) else {
                    return true;
                };
                row.taken_up = Some(step.number);
                row.action = Some(index);
                row.name = Some(name);
                false
            });
        }
    }
    rows
}

/// Names in everything that an action says.
fn names_of(action: &Action) -> BTreeSet<String> {
    let texts = [action.path.as_deref(), action.command.as_deref(), Some(&*action.description)];
    let added = action.diff.as_deref().unwrap_or_default().lines();
    let added = added.filter(|l| l.starts_with('+') && !l.starts_with("+++")).map(|l| &l[1..]);
    texts.into_iter().flatten().chain(added).flat_map(names).collect()
}
