//! What an attempt was given, as far as anyone can tell (`window/injected-at`).

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::history::loaded_run::{LoadedRun, LoadedStep};
use crate::model::details::RecordedWindow;
use crate::model::finding::Finding;
use crate::model::omega::{InjectedOrigin, MOST, OmegaProvenance, Policy};
use crate::model::view::ReflectionRef;
use crate::window::{Seat, Window, WindowRule, check};

/// The reflections that were in context at one attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Injected {
    /// Number of the attempt.
    pub at: i64,
    /// Who says so: `retrieved` (the log lists what it injected), `stated` (the record's
    /// `previous_reflections_used`), `previous-window` (the window that the record before it
    /// stored), `computed`.
    pub origin: InjectedOrigin,
    /// True if no record says it: the attempt could have seen these reflections, and perhaps saw none.
    pub is_computed: bool,
    /// Numbers of the attempts of this run that wrote the reflections, in the order of the `origin`. What a
    /// log retrieved of other runs stands in `retrieved` of the attempt.
    pub numbers: Vec<i64>,
    /// The reflections of these numbers that are open, oldest first.
    pub held: Vec<ReflectionRef>,
    /// Reflections that were written before the attempt and are not in `held`, oldest first.
    pub dropped: Vec<ReflectionRef>,
    /// What the window gives by the recorded or assumed Ω and policy.
    pub computed: Vec<i64>,
    /// Where the record contradicts the computed window: `series/window-mismatch`,
    /// `series/window-unverifiable`, `series/injected-unknown`, `series/injected-dropped`,
    /// `series/total-step`. They lack only a place.
    pub notes: Vec<Finding>,
}

/// What was said about one attempt, best source first.
#[derive(Clone, Copy, Debug, Default)]
struct Said<'a> {
    retrieved: Option<&'a [i64]>,
    stated: Option<&'a [i64]>,
    flag: Option<bool>,
    previous: Option<&'a [i64]>,
}

/// The numbers of the best source, and its word.
fn best_source(said: &Said<'_>) -> Option<(InjectedOrigin, Vec<i64>)> {
    // Without the flag, a list that is not empty says enough.
    let stated = match (said.flag, said.stated) {
        (Some(false), _) => Some(&[][..]),
        (Some(true), list) => list,
        (None, list) => list.filter(|list| !list.is_empty()),
    };
    [
        (InjectedOrigin::Retrieved, said.retrieved),
        (InjectedOrigin::Stated, stated),
        (InjectedOrigin::PreviousWindow, said.previous),
    ]
    .into_iter()
    .find_map(|(word, list)| Some((word, list?.to_vec())))
}

/// What a record and the one before it say of the window between them, whose Ω is `omega`.
/// `retrieved` are the numbers that a log lists, where it lists them.
fn said<'a>(
    retrieved: Option<&'a [i64]>,
    own: Option<&'a RecordedWindow>,
    before: Option<(i64, &'a RecordedWindow)>,
    omega: Option<u8>,
) -> Said<'a> {
    // A window of another size says nothing about this one. Ω above 10 is 10.
    let most = i64::from(MOST);
    let is_same = |written: i64| omega.map(i64::from) == Some(written.min(most));
    let same = before.filter(|(_, w)| w.omega.is_none_or(is_same));
    // A list without the number of its own record was stored before the update: it is the window of that
    // attempt, not of this one.
    let updated =
        same.and_then(|(number, w)| w.after.as_deref().filter(|after| after.contains(&number)));
    Said {
        retrieved,
        stated: own.and_then(|w| w.injected.as_deref()),
        flag: own.and_then(|w| w.injected_flag),
        previous: updated,
    }
}

impl LoadedRun {
    /// What the attempt at an ordinal was given. `None`: no record says it.
    pub(crate) fn said_at(&self, ordinal: usize) -> Option<Vec<i64>> {
        let step = self.steps.get(ordinal)?;
        let previous = ordinal.checked_sub(1).and_then(|k| self.steps.get(k));
        let previous = previous.filter(|p| p.number.checked_add(1) == Some(step.number));
        let before = previous.and_then(|step| Some((step.number, self.recorded(step)?)));
        let retrieved = self.retrieved(step);
        let said = said(retrieved.as_deref(), self.recorded(step), before, step.omega);
        best_source(&said).map(|(_, numbers)| numbers)
    }

    /// What attempt `at` was given: as its record says, else as the record before it stored it,
    /// else computed. Records that were not read say nothing. `at` is the number of an iteration,
    /// or the one after the last.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchIteration`](crate::ErrorCode::NoSuchIteration).
    pub fn injected(&self, at: i64) -> Result<Injected, Error> {
        let step = self.steps.iter().find(|step| step.number == at);
        let previous = self.steps.iter().rfind(|step| step.number < at);
        let previous = previous.filter(|step| step.number.checked_add(1) == Some(at));
        let own = step.and_then(|step| self.recorded(step));
        let before = previous.and_then(|step| Some((step.number, self.recorded(step)?)));
        let word = own.or(before.map(|(_, window)| window)).and_then(|w| w.policy.as_deref());
        let policy = word.and_then(|word| Policy::parse(word).ok()).unwrap_or_default();
        let window = self.window(at, WindowRule { policy, ..WindowRule::default() })?;
        let omega = window.view().omega;
        let retrieved = step.and_then(|step| self.retrieved(step));
        let stated = best_source(&said(retrieved.as_deref(), own, before, omega));
        let is_computed = stated.is_none();
        let (origin, numbers) = stated.unwrap_or_else(|| (InjectedOrigin::Computed, window.held()));
        let refs = self.seats.iter().filter(|seat| seat.at.number < at).map(|seat| seat.at);
        let (held, dropped) = if is_computed {
            let held = window.held_refs().to_vec();
            (held, window.view().evicted)
        } else {
            refs.partition(|at| numbers.contains(&at.number))
        };
        Ok(Injected {
            at,
            origin,
            is_computed,
            notes: step.zip(own).map_or(Vec::new(), |(step, own)| {
                self.notes(step, own, before.map(|(_, window)| window), &window)
            }),
            numbers,
            held,
            dropped,
            computed: window.held(),
        })
    }

    /// Numbers of this run's attempts among what a log says it injected.
    fn retrieved(&self, step: &LoadedStep) -> Option<Vec<i64>> {
        let entries = self.details(step)?.retrieved.as_ref()?;
        // Folders may stand before the key of the run, where other projects have the same one.
        let is_own = |key: &str| {
            let before = self.key.strip_suffix(key);
            before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let own = entries.iter().filter(|entry| is_own(&entry.key));
        Some(own.map(|entry| entry.number).collect())
    }

    fn recorded(&self, step: &LoadedStep) -> Option<&RecordedWindow> {
        self.details(step)?.window.as_ref()
    }

    /// What `check` finds about one record.
    fn notes(
        &self,
        step: &LoadedStep,
        own: &RecordedWindow,
        before: Option<&RecordedWindow>,
        window: &Window,
    ) -> Vec<Finding> {
        let k = step.number;
        let open: Vec<i64> = self.steps.iter().map(|step| step.number).collect();
        // An iteration may be merged of several records; the one that leads speaks of itself.
        let leads = |seat: &&Seat| {
            let step = usize::try_from(seat.ordinal).ok().and_then(|k| self.steps.get(k));
            step.is_none_or(|step| step.record == seat.at.record)
        };
        let written: Vec<i64> =
            self.seats.iter().filter(leads).map(|seat| seat.at.number).collect();
        let is_fifo = own.policy.as_deref().is_none_or(|word| word == Policy::Fifo.as_str());
        let omega =
            step.omega.filter(|_| is_fifo && step.omega_provenance == OmegaProvenance::Recorded);
        let stored = omega
            .zip(own.after.as_deref())
            .and_then(|(omega, stored)| check::stored_window(k, &open, &written, omega, stored));
        let used = own.injected.as_deref().unwrap_or_default();
        let total = before.and_then(|b| b.total).zip(own.total).and_then(|(before, now)| {
            let since = written.iter().filter(|n| **n == k).count();
            check::total_step(before, now, since)
        });
        let window = omega.map(|_| window.held());
        let used = check::injected(k, &open, window.as_deref(), used);
        let of_run = |finding: Finding| finding.of_run(self.run, Some(k));
        stored.into_iter().chain(used).chain(total).map(of_run).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{History, Layout, Profile, render};

    /// A record of number `n` that wrote `memory` and says `more`.
    fn record(n: i64, memory: &str, more: &str) -> String {
        format!(
            r#"{{"loop_id":"ralph-a","iteration":{n},"timestamp":"2026-03-01T09:0{n}:00Z","actor_output":{{"actions":[],"rationale":"r"}},"evaluator_output":{{"passed":false,"verification_type":"lint"}},"self_reflection":{{"reflection_text":"Lesson {n}."}},"memory_metadata":{{"omega_capacity":2,"current_memory_size":2{memory}}}{more}}}"#
        )
    }

    fn loaded_run(lines: &[String]) -> LoadedRun {
        let text = lines.join("\n");
        let mut history = History::new(Profile::Lenient);
        let source = history.open("a.jsonl");
        history.push(source, text.as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
        let mut loaded_run = history.loaded_run(history.runs()[0].id).expect("it is listed");
        for span in history.needs(&loaded_run) {
            let at = |n: u64| usize::try_from(n).expect("small");
            let bytes = &text.as_bytes()[at(span.start)..at(span.end)];
            history.load(&mut loaded_run, span.record, bytes).expect("these are its bytes");
        }
        loaded_run
    }

    fn rules(injected: &Injected) -> Vec<&str> {
        injected.notes.iter().map(|n| n.rule.as_ref()).collect()
    }

    fn numbers(refs: &[ReflectionRef]) -> Vec<i64> {
        refs.iter().map(|r| r.number).collect()
    }

    #[test]
    fn sources_have_an_order() {
        let all = Said {
            retrieved: Some(&[1]),
            stated: Some(&[2]),
            flag: Some(true),
            previous: Some(&[3]),
        };
        let found = |said: Said<'_>| best_source(&said);
        assert_eq!(found(all), Some((InjectedOrigin::Retrieved, vec![1])));
        let all = Said { retrieved: None, ..all };
        assert_eq!(found(all), Some((InjectedOrigin::Stated, vec![2])));
        assert_eq!(found(Said { flag: None, ..all }), Some((InjectedOrigin::Stated, vec![2])));
        assert_eq!(
            found(Said { flag: Some(false), ..all }),
            Some((InjectedOrigin::Stated, vec![]))
        );
        assert_eq!(
            found(Said { flag: None, stated: Some(&[]), ..all }),
            Some((InjectedOrigin::PreviousWindow, vec![3]))
        );
        assert_eq!(
            found(Said { stated: None, ..all }),
            Some((InjectedOrigin::PreviousWindow, vec![3]))
        );
        assert_eq!(found(Said::default()), None);
    }

    #[test]
    fn the_record_the_one_before_it_or_the_rule() {
        let loaded_run = loaded_run(&[
            record(1, "", ""),
            record(2, "", ""),
            record(3, r#","reflections_in_context":[2,3]"#, ""),
            record(4, "", r#","context_injected":true,"previous_reflections_used":[1,3]"#),
            record(5, "", ""),
        ]);
        let at = |n| loaded_run.injected(n).expect("it is there");
        let first = at(1);
        assert_eq!(
            (first.origin, first.numbers, first.is_computed),
            (InjectedOrigin::Computed, vec![], true)
        );
        let computed = at(3);
        assert_eq!((computed.numbers, computed.is_computed), (vec![1, 2], true));
        let stated = at(4);
        assert_eq!((stated.origin, &stated.numbers[..]), (InjectedOrigin::Stated, &[1, 3][..]));
        assert_eq!(stated.computed, [2, 3]);
        assert_eq!((numbers(&stated.held), numbers(&stated.dropped)), (vec![1, 3], vec![2]));
        assert_eq!(rules(&stated), ["series/injected-dropped"]);
        let next = at(6);
        assert_eq!((next.numbers, numbers(&next.dropped)), (vec![4, 5], vec![1, 2, 3]));
        assert!(loaded_run.injected(8).is_err());
    }

    #[test]
    fn the_window_of_the_record_before_counts_with_the_same_omega() {
        let before = record(2, r#","reflections_in_context":[2]"#, "");
        let injected = |before: &str| {
            let lines = [record(1, "", ""), before.to_owned(), record(3, "", "")];
            let injected = loaded_run(&lines).injected(3).expect("it is there");
            (injected.origin, injected.numbers)
        };
        assert_eq!(injected(&before), (InjectedOrigin::PreviousWindow, vec![2]));
        let computed = (InjectedOrigin::Computed, vec![1, 2]);
        let other = before.replace(r#""omega_capacity":2"#, r#""omega_capacity":3"#);
        assert_eq!(injected(&other), computed);
        // Stored before the update: what attempt 2 was given, and not 3.
        assert_eq!(injected(&before.replace("[2]", "[1]")), computed);
    }

    /// The example of `window/injected-at`.
    #[test]
    fn labels_restart_inside_the_window() {
        let mut history = History::new(Profile::Lenient);
        let mut texts = Vec::new();
        for trial in 0..5 {
            let memory: Vec<_> = (0..=trial.min(3)).map(|n| format!("\"Lesson {n}.\"")).collect();
            let solved = trial == 4;
            let memory = memory.join(",");
            let text = format!(r#"[{{"name":"env_0","memory":[{memory}],"is_success":{solved}}}]"#);
            let source = history.open(&format!("x/env_results_trial_{trial}.json"));
            history.push(source, text.as_bytes()).expect("it is open");
            history.finish(source).expect("it is open");
            texts.push(text);
        }
        let mut loaded_run = history.loaded_run(history.runs()[0].id).expect("it is listed");
        for span in history.needs(&loaded_run) {
            let text = &texts[span.source.0 as usize];
            let record = &text.as_bytes()[1..text.len() - 1];
            history.load(&mut loaded_run, span.record, record).expect("these are its bytes");
        }
        let injected = loaded_run.injected(4).expect("it is there");
        assert_eq!((injected.numbers, numbers(&injected.dropped)), (vec![1, 2, 3], vec![0]));
        let text = render(&loaded_run.entries(&injected.held), Layout::ReflexionAlfworld);
        assert_eq!(
            text,
            "\nYour memory for the task below:\n\
             Trial 0:\nLesson 1.\nTrial 1:\nLesson 2.\nTrial 2:\nLesson 3.\n"
        );
        assert_eq!(loaded_run.injected(3).expect("it is there").numbers, [0, 1, 2]);
    }

    #[test]
    fn contradictions_are_noted() {
        let total = |n: i64, total: i64| {
            record(n, &format!(r#","total_reflections_generated":{total}"#), "")
        };
        let loaded_run = loaded_run(&[
            total(1, 1),
            total(2, 5),
            record(
                3,
                r#","reflections_in_context":[1,2,3]"#,
                r#","previous_reflections_used":[7]"#,
            ),
        ]);
        let of = |n| loaded_run.injected(n).expect("it is there");
        assert_eq!(rules(&of(2)), ["series/total-step"]);
        assert_eq!(rules(&of(3)), ["series/window-mismatch", "series/injected-unknown"]);
        assert!(of(1).notes.is_empty());
    }
}
