//! What the rules of insight found in the runs that were judged so far.

use std::collections::BTreeMap;
use std::rc::Rc;

use hindscope::{Finding, Needs, RunId, insight_rules};

use crate::protocol::{Judged, Repeats, count};

/// Runs that are judged by all rules without being looked at. Others are judged by the rules that need no
/// text: columns and sketches hold what these ask for.
const RUNS: u32 = 20_000;

/// How a run is judged whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    ByAllRules(RunId),
    WithoutTexts(RunId),
}

impl Turn {
    pub(crate) fn run(self) -> RunId {
        match self {
            Self::ByAllRules(run) | Self::WithoutTexts(run) => run,
        }
    }
}

/// What the rules of insight found.
#[derive(Default)]
pub(crate) struct InsightFindings {
    of: BTreeMap<u32, Rc<[Finding]>>,
    /// Runs among them that were judged without texts, and whether `repeats` counts them.
    without_texts: BTreeMap<u32, bool>,
    /// How often findings took the place of earlier ones.
    replaced: u32,
    /// Runs before this one had their turn.
    next: u32,
    /// Runs among them that should have been judged by all rules and were not: they are too long, or cannot
    /// be read.
    left: u32,
    repeats: Repeats,
    is_wanted: bool,
    /// Runs that had their turn when the page heard of it last.
    reported: u32,
}

impl InsightFindings {
    /// How often findings of a run were kept. It grows whenever another run was judged, or one again.
    pub(crate) fn changes(&self) -> u32 {
        count(self.of.len()) + self.replaced
    }

    /// Whether what is kept of a run was found without texts.
    pub(crate) fn is_without_texts(&self, run: RunId) -> bool {
        self.without_texts.contains_key(&run.0)
    }

    pub(crate) fn of(&self, run: RunId) -> Option<&Rc<[Finding]>> {
        self.of.get(&run.0)
    }

    /// Those of all runs that were judged, by run.
    pub(crate) fn all(&self) -> Vec<(u32, Rc<[Finding]>)> {
        self.of.iter().map(|(run, findings)| (*run, Rc::clone(findings))).collect()
    }

    /// From now on all runs are judged, one after another.
    pub(crate) fn want(&mut self) {
        self.is_wanted = true;
    }

    /// Runs that had their turn, where the page does not know yet.
    pub(crate) fn news(&mut self) -> Option<u32> {
        let is_news = self.reported != self.next;
        self.reported = self.next;
        is_news.then_some(self.next)
    }

    /// The next run that nobody looked at yet, of so many.
    pub(crate) fn next_turn(&mut self, runs: usize) -> Option<Turn> {
        while self.is_wanted && self.next < count(runs) {
            let run = RunId(self.next);
            self.next += 1;
            if self.of(run).is_none() {
                let is_early = run.0 < RUNS;
                return Some(if is_early {
                    Turn::ByAllRules(run)
                } else {
                    Turn::WithoutTexts(run)
                });
            }
        }
        None
    }

    /// Keeps what was found in a run, in the place of what was found before, and how many of its lessons
    /// recur if that is known.
    pub(crate) fn keep(&mut self, turn: Turn, findings: Vec<Finding>, lessons: Option<u32>) {
        let run = turn.run();
        let is_counted = self.without_texts.remove(&run.0).unwrap_or(false);
        if let Turn::WithoutTexts(_) = turn {
            self.without_texts.insert(run.0, is_counted || lessons.is_some());
        }
        // Texts change nothing of whether a run repeats itself.
        if let Some(lessons) = lessons
            && !is_counted
        {
            self.repeats.checked += 1;
            self.repeats.reflections += u32::from(findings.iter().any(is_repetition));
            self.repeats.lessons += u32::from(lessons > 0);
        }
        self.replaced += u32::from(self.of.insert(run.0, findings.into()).is_some());
    }

    /// A run cannot be judged beside others.
    pub(crate) fn leave(&mut self, run: RunId) {
        self.left += u32::from(run.0 < RUNS);
    }

    /// How far that is, of so many runs.
    pub(crate) fn progress(&self, runs: usize) -> Judged {
        let total = count(runs);
        let left = self.left + total.saturating_sub(RUNS);
        Judged { done: self.next.min(RUNS) - self.left, total, left }
    }

    pub(crate) fn repeats(&self) -> Repeats {
        self.repeats
    }
}

/// Whether it is about reflections that repeat each other: what sketches alone decide.
fn is_repetition(finding: &Finding) -> bool {
    let mut sketched = insight_rules()
        .iter()
        .filter(|rule| rule.needs == Needs::Reflections && !rule.needs_texts());
    sketched.any(|rule| rule.id == finding.rule)
}

#[cfg(test)]
mod tests {
    use hindscope::{InsightOptions, explain};

    use super::*;

    /// A finding about three equal reflections.
    fn repetition() -> Finding {
        let record = r#"{"trial_number":1,"loop_id":"a","reflection":"Retry."}"#;
        let records = [1, 2, 3].map(|n| record.replace('1', &n.to_string()));
        let rules = vec!["stuck/repeated-reflection".to_owned()];
        let options = InsightOptions { rules, ..InsightOptions::default() };
        explain(&records, &options).findings.pop().expect("three are enough")
    }

    #[test]
    fn all_runs_have_their_turn() {
        const ALL: u32 = 100_000;
        let mut insight = InsightFindings::default();
        let repetition = repetition();
        assert_eq!(insight.next_turn(3), None, "findings were not asked for");
        insight.want();
        insight.keep(Turn::ByAllRules(RunId(7)), Vec::new(), Some(1));
        let (mut by_all, mut without) = (0, 0);
        while let Some(turn) = insight.next_turn(ALL as usize) {
            let run = turn.run();
            match turn {
                Turn::ByAllRules(_) => by_all += 1,
                Turn::WithoutTexts(_) => without += 1,
            }
            if run.0 % 1000 == 3 {
                insight.leave(run);
                continue;
            }
            let mut finding = repetition.clone();
            if run.0 % 2 == 1 {
                finding.rule = "stuck/flat".into();
            }
            insight.keep(turn, vec![finding], Some(0));
        }
        assert_eq!((by_all, without), (RUNS - 1, ALL - RUNS), "one had been looked at");
        assert_eq!(
            insight.progress(ALL as usize),
            Judged { done: RUNS - 20, total: ALL, left: ALL - RUNS + 20 }
        );
        let repeats = Repeats { checked: ALL - 100, reflections: ALL / 2, lessons: 1 };
        assert_eq!(insight.repeats(), repeats);
        assert_eq!(insight.changes(), ALL - 100);
    }

    #[test]
    fn a_full_judgement_takes_the_place_of_one_without_texts() {
        let mut insight = InsightFindings::default();
        let run = RunId(RUNS);
        insight.keep(Turn::WithoutTexts(run), vec![repetition()], Some(2));
        assert!(insight.is_without_texts(run));
        insight.keep(Turn::ByAllRules(run), vec![repetition(); 2], Some(2));
        assert!(!insight.is_without_texts(run));
        assert_eq!((insight.of(run).map(|found| found.len()), insight.changes()), (Some(2), 2));
        assert_eq!(insight.repeats(), Repeats { checked: 1, reflections: 1, lessons: 1 });
    }
}
