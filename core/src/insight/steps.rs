//! What changed in each step (`attribution/step`): evidence beside a change of reward, never its
//! cause.

use std::collections::{BTreeMap, BTreeSet};

use super::actions::files_of;
use super::answer::{Change, ChangeKind};
use super::context::InsightContext;
use super::oscillation::coverage_of;
use crate::model::details::{Action, Check, Counter, Details};
use crate::model::reward::rounded;

/// Everything that changed, step after step.
pub(super) fn changes(
    context: &InsightContext<'_>,
    signatures: &[Option<BTreeSet<String>>],
) -> Vec<Change> {
    let mut changes = Vec::new();
    if !context.judges("attribution/step") {
        return changes;
    }
    for (k, step) in context.steps().iter().enumerate().skip(1) {
        // A change of reward over a gap is explained from where it starts.
        let gap = step.delta.map_or(0, |_| step.gap as usize);
        let Some(from) = k.checked_sub(1 + gap) else { continue };
        let mut step = Step { context, number: step.number, k, from, changes: &mut changes };
        step.errors(signatures);
        if let (Some(before), Some(after)) = (context.details(from), context.details(k)) {
            step.counters(before, after);
            step.checks(before, after);
            step.files(before, after);
            step.actions(after);
        }
        step.lessons();
        if let (Some(before), Some(after)) = (context.details(from), context.details(k)) {
            let announced = context.details(k - 1).and_then(|d| d.strategy_next.as_ref());
            step.word(ChangeKind::Strategy, before.strategy.as_ref(), after.strategy.as_ref());
            if after.strategy.is_none() {
                step.word(ChangeKind::Strategy, None, announced);
            }
            let kinds = (before.verification.as_ref(), after.verification.as_ref());
            if kinds.0.is_some() {
                step.word(ChangeKind::Verification, kinds.0, kinds.1);
            }
        }
    }
    changes
}

/// One step, and where its changes go.
struct Step<'a, 'b> {
    context: &'b InsightContext<'a>,
    number: i64,
    k: usize,
    from: usize,
    changes: &'b mut Vec<Change>,
}

impl Step<'_, '_> {
    fn change(&self, kind: ChangeKind, text: impl Into<String>) -> Change {
        Change {
            number: self.number,
            from: self.context.number(self.from),
            kind,
            text: text.into(),
            before: None,
            after: None,
            amount: None,
            action: None,
            added: None,
            removed: None,
        }
    }

    fn say(&mut self, kind: ChangeKind, texts: impl IntoIterator<Item = String>) {
        for text in texts {
            let change = self.change(kind, text);
            self.changes.push(change);
        }
    }

    fn errors(&mut self, signatures: &[Option<BTreeSet<String>>]) {
        let at = |k: usize| signatures.get(k).and_then(Option::as_ref);
        let (Some(before), Some(after)) = (at(self.from), at(self.k)) else { return };
        self.say(ChangeKind::ErrorCleared, before.difference(after).cloned());
        self.say(ChangeKind::ErrorNew, after.difference(before).cloned());
        self.say(ChangeKind::ErrorPersisting, before.intersection(after).cloned());
    }

    fn counters(&mut self, before: &Details, after: &Details) {
        let count = |details: &Details, name: &str| Counter::find(&details.counters, name);
        let named = ["tests_passed", "tests_failed"]
            .map(|name| (name, count(before, name), count(after, name)));
        let coverage = ("coverage_percentage", coverage_of(before), coverage_of(after));
        for (name, was, is) in named.into_iter().chain([coverage]) {
            let (Some(was), Some(is)) = (was, is) else { continue };
            let amount = rounded(is - was);
            if amount != 0.0 {
                let change = self.change(ChangeKind::Counter, name);
                self.changes.push(Change {
                    before: Some(was.to_string()),
                    after: Some(is.to_string()),
                    amount: Some(amount),
                    ..change
                });
            }
        }
    }

    fn checks(&mut self, before: &Details, after: &Details) {
        let last = |checks: &[Check]| {
            checks.iter().map(|c| (c.tool.clone(), c.status.clone())).collect::<BTreeMap<_, _>>()
        };
        let was = last(&before.checks);
        for (tool, status) in last(&after.checks) {
            let earlier = was.get(&tool).filter(|earlier| **earlier != status);
            if let Some(earlier) = earlier {
                let change = self.change(ChangeKind::Check, tool);
                let (before, after) = (Some(earlier.clone()), Some(status));
                self.changes.push(Change { before, after, ..change });
            }
        }
    }

    fn files(&mut self, before: &Details, after: &Details) {
        let (was, is) = (files_of(before), files_of(after));
        self.say(ChangeKind::FileNew, is.difference(&was).map(|f| (*f).to_owned()));
        self.say(ChangeKind::FileAgain, is.intersection(&was).map(|f| (*f).to_owned()));
    }

    fn actions(&mut self, after: &Details) {
        for (index, action) in (0..).zip(&after.actions) {
            let target = action.path.as_ref().or(action.command.as_ref());
            let text = match target {
                Some(target) => format!("{} {target}", action.kind),
                None => action.description.clone(),
            };
            let (added, removed) = lines_of(action);
            let change = self.change(ChangeKind::Action, text);
            self.changes.push(Change { action: Some(index), added, removed, ..change });
        }
    }

    fn lessons(&mut self) {
        let (context, items) = (self.context, self.context.items());
        let was = context.injected(self.from);
        let known: BTreeSet<&str> =
            was.iter().filter_map(|&at| items.get(at)).flatten().map(|i| i.norm.as_str()).collect();
        let is_new = |at: &usize| was.binary_search(at).is_err();
        let mut seen = BTreeSet::new();
        let fresh: Vec<_> = context
            .injected(self.k)
            .into_iter()
            .filter(is_new)
            .filter_map(|at| items.get(at))
            .flatten()
            .filter(|item| !known.contains(item.norm.as_str()) && seen.insert(&item.norm))
            .map(|item| item.text.clone())
            .collect();
        self.say(ChangeKind::LessonNew, fresh);
    }

    fn word(&mut self, kind: ChangeKind, before: Option<&String>, after: Option<&String>) {
        let Some(is) = after.filter(|is| before != Some(*is)) else { return };
        let change = self.change(kind, is.clone());
        self.changes.push(Change { before: before.cloned(), after: Some(is.clone()), ..change });
    }
}

/// Lines that an action added and removed: as written, else counted in its diff.
fn lines_of(action: &Action) -> (Option<i64>, Option<i64>) {
    let counted = |sign: char, header: &str| {
        let diff = action.diff.as_deref().filter(|diff| diff.contains("@@"))?;
        let is_line = |line: &&str| line.starts_with(sign) && !line.starts_with(header);
        i64::try_from(diff.lines().filter(is_line).count()).ok()
    };
    let added = action.additions.or_else(|| counted('+', "+++"));
    (added, action.deletions.or_else(|| counted('-', "---")))
}
