//! The lines of `world.log`.

use crate::sort::StableSort as _;
use std::collections::BTreeSet;

use super::tail::{Sums, Tail};
use super::{key, stray};
use crate::format::env_results::verdict;
use crate::format::lines::{leading_iteration, leading_number, lines};
use crate::format::parsed_record::{Context, Cut, Cuts, ParsedRecord};
use crate::model::details::Details;
use crate::model::outcome::Outcome;

/// The number in `***** Start Trial #t *****`.
pub(super) fn start(line: &str) -> Option<i64> {
    leading_iteration(line.strip_prefix("***** Start Trial #")?).map(|(number, _)| number)
}

/// `Environment #z Trial #t: SUCCESS`: environment, trial, whether it was solved.
fn verdict_of(line: &str) -> Option<(i64, i64, bool)> {
    let (environment, rest) = leading_number(line.strip_prefix("Environment #")?)?;
    let (trial, rest) = leading_iteration(rest.strip_prefix(" Trial #")?)?;
    match rest.strip_prefix(':')?.trim() {
        "SUCCESS" => Some((environment, trial, true)),
        "FAIL" => Some((environment, trial, false)),
        _ => None,
    }
}

pub(super) fn cut(text: &str) -> Cuts {
    let mut cuts = Cuts::default();
    let mut solved = BTreeSet::new();
    let mut sums = Sums::default();
    let mut tail = Tail::default();
    let mut knows_carried = true;
    for line in lines(text).filter(|line| !line.is_blank()) {
        if let Some((environment, _, is_solved)) = verdict_of(line.text) {
            // One that was solved before is printed again in each trial.
            sums.add(is_solved, solved.contains(&environment));
            if is_solved {
                solved.insert(environment);
            }
            cuts.records.push(Cut { range: line.start..line.end(), context: Context::default() });
        } else if let Some(trial) = start(line.text) {
            cuts.findings.extend(std::mem::take(&mut tail).check(sums, knows_carried));
            // If the log does not begin with trial 0, earlier trials may have solved some environments.
            knows_carried = knows_carried && (trial == 0 || sums.total > 0);
            sums = Sums::default();
        } else if !line.text.starts_with("***** End Trial #") && !tail.take(&line) {
            cuts.skipped += 1;
            cuts.findings.push((line.start, stray()));
        }
    }
    cuts.findings.extend(tail.check(sums, knows_carried));
    cuts.findings.stable_sort_by_key(|(at, _)| *at);
    cuts
}

pub(super) fn parse(text: &str, _context: &Context) -> ParsedRecord {
    let Some((environment, trial, is_solved)) = verdict_of(text.trim()) else {
        return ParsedRecord::default();
    };
    ParsedRecord::of_step(Details {
        key: Some(key(environment)),
        number: Some(trial),
        outcome: Some(Outcome::of_verdict(is_solved)),
        reward: Some(verdict(is_solved)),
        ..Details::default()
    })
}
