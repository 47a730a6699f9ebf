//! The end of a round: entries, the best, the checks, the correction.

use std::sync::Arc;

use serde_json::{Value, json};

use super::attempt::Stage;
use super::config::Events;
use super::correction::Correction;
use super::entry::{Entry, EntryKind, outranks};
use super::events::EventKind;
use super::machine::{Loop, failure};
use super::reply::Answer;
use super::run::{Best, Pending, Phase, Purpose, Waiting};
use super::state::StateView;
use super::step::StepKind;
use super::stop_reason::StopReason;
use super::template_error::TemplateError;
use super::verdict::item;

impl Loop {
    /// All attempts of the round have ended.
    pub(super) fn close_round(&mut self) {
        if self.form.is_single() {
            return self.close_single();
        }
        let config = Arc::clone(&self.config);
        let cut = self.run.cut;
        let Appended { winner, ranked, last } = self.append_entries();
        let best_score = self.run.best.as_ref().map(|best| best.score);
        if let Some(entry) =
            winner.as_ref().or(ranked.as_ref().map(|(_, entry)| entry)).or(last.as_ref())
        {
            self.show(entry);
        }
        let is_stalled = config.stall.as_ref().is_some_and(|rule| {
            let attempt = ranked.as_ref().map(|(_, entry)| &**entry);
            self.run.rounds.add(rule, attempt, best_score)
        });
        if let Some(entry) = winner {
            return self.finish(StopReason::Valid, None, Some(&entry));
        }
        if let Some(stop) = cut {
            return self.finish(stop, None, None);
        }
        let stop = if self.run.iteration >= config.options.max_iterations {
            Some(StopReason::Exhausted)
        } else if self.run.failures.are_too_many(&config.failure_limits) {
            Some(StopReason::Failures)
        } else {
            is_stalled.then_some(StopReason::Stalled)
        };
        if let Some(stop) = stop {
            return self.finish(stop, None, None);
        }
        let corrected = ranked.filter(|(_, entry)| {
            config.corrector.is_some()
                && matches!(entry.kind, EntryKind::Evaluation | EntryKind::Parse)
        });
        let corrected = corrected.map(|(index, _)| index);
        self.run.phase = corrected.map_or(Phase::Round, Phase::Correction);
    }

    /// Puts the round's attempts into the history, in the order of candidates.
    fn append_entries(&mut self) -> Appended {
        let config = Arc::clone(&self.config);
        let first = self.run.history.len();
        let mut appended = Appended { winner: None, ranked: None, last: None };
        let (mut winner, mut rank) = (None, None);
        for attempt in std::mem::take(&mut self.run.attempts) {
            let Some(mut entry) = attempt.entry else { continue };
            let own = Arc::make_mut(&mut entry);
            own.iteration = self.run.iteration;
            own.candidate = self.shown_candidate(attempt.candidate);
            let index = self.run.history.len();
            self.run.history.push(Arc::clone(&entry));
            self.run.failures.add(entry.kind);
            if !entry.valid {
                self.run.refused(&config.feedback, index);
            }
            if entry.kind != EntryKind::Generator {
                self.run.last_output = Some(Arc::clone(&entry.output));
            }
            if entry.valid && outranks(Some((entry.score, 0)), winner) {
                winner = Some((entry.score, 0));
                appended.winner = Some(Arc::clone(&entry));
            }
            if outranks(entry.rank(), rank) {
                rank = entry.rank();
                appended.ranked = Some((index, Arc::clone(&entry)));
            }
            let candidate = Some(attempt.candidate);
            let shown = Arc::clone(&entry);
            self.push_event(
                candidate,
                match config.options.events {
                    Events::Full => EventKind::Evaluated { entry: shown },
                    Events::Brief => EventKind::EvaluatedBrief { entry: shown },
                },
            );
            self.consider(index, &entry, attempt.candidate);
            self.forget_outputs(index);
            appended.last = Some(entry);
        }
        if appended.last.is_some() {
            self.due_record(appended.ranked.as_ref().map_or(first, |(index, _)| *index));
        }
        appended
    }

    /// Keeps the best: the earliest of equals.
    fn consider(&mut self, index: usize, entry: &Entry, candidate: u32) {
        let best = self.run.best.as_ref().map(|best| (best.score, best.class));
        let Some((score, class)) = entry.rank() else { return };
        if !outranks(Some((score, class)), best) {
            return;
        }
        let output = Arc::clone(&entry.output);
        let before = self.run.best.replace(Best { index, score, class, output });
        self.push_event(Some(candidate), EventKind::Best { score });
        // Only the best and the newest entries keep their outputs. The former best may be neither now.
        if let (Some(limit), Some(before)) = (self.config.options.history_limit, before)
            && before.index + limit <= index
        {
            self.run.history.change(before.index, Entry::omit);
        }
    }

    /// Takes the output from the entry that is no longer among the newest, unless it is the best.
    fn forget_outputs(&mut self, newest: usize) {
        let Some(limit) = self.config.options.history_limit else { return };
        let Some(index) = newest.checked_sub(limit) else { return };
        if self.run.best.as_ref().is_none_or(|best| best.index != index) {
            self.run.history.change(index, Entry::omit);
        }
    }

    /// Sets what callbacks see of an attempt (docs/spec/loop.md, 5).
    fn show(&mut self, entry: &Entry) {
        let config = Arc::clone(&self.config);
        let feedback: Arc<str> = self.run.feedback(&config.feedback).into();
        let best = self.run.best.as_ref();
        let best = best.map(|best| (Arc::clone(&best.output), best.score));
        let is_failure = entry.kind == EntryKind::Generator;
        let names = [
            "reflection_errors",
            "reflection_suggestions",
            "reflection_feedback",
            "reflection_output",
            "reflection_best",
            "reflection_best_score",
        ];
        let names = if is_failure { &names[..3] } else { &names[..] };
        Arc::make_mut(&mut self.run.state).set(names, |vars| {
            vars.errors = Arc::clone(&entry.errors);
            vars.suggestions = Arc::clone(&entry.suggestions);
            vars.feedback = feedback;
            if !is_failure {
                vars.output = Arc::clone(&entry.output);
                if let Some((output, score)) = best {
                    vars.best = output;
                    vars.best_score = Some(score);
                }
            }
        });
    }

    /// Asks for a correction of an attempt.
    pub(super) fn ask_correction(&mut self, index: usize) {
        if let Some(stop) = self.limits().refuses_call() {
            return self.finish(stop, None, None);
        }
        if self.form.is_single() {
            return self.ask_single_correction();
        }
        let config = Arc::clone(&self.config);
        let Some(corrector) = &config.corrector else {
            self.run.phase = Phase::Round;
            return;
        };
        let history = self.run.history.clone();
        let candidate = history.get(index).and_then(|entry| entry.candidate).unwrap_or(1);
        let names = [
            "reflection_history",
            "reflection_max_iterations",
            "reflection_is_last",
            "reflection_budget_left",
        ];
        Arc::make_mut(&mut self.run.state).set(&names, |vars| vars.history = history);
        let view = StateView::of(&self.run.state, self.shown_candidate(candidate));
        let call = match corrector.call(self.run.iteration, &view) {
            Ok(call) => call,
            Err(error) => return self.break_off(&error),
        };
        let Some(vars) = &self.run.state.vars else { return };
        // The state was last set from this attempt, so these are its values.
        let kind = StepKind::Correct {
            call,
            output: Arc::clone(&vars.output),
            errors: Arc::clone(&vars.errors),
            suggestions: Arc::clone(&vars.suggestions),
            feedback: Arc::clone(&vars.feedback),
            is_last: vars.is_last,
            budget_left: vars.budget_left,
        };
        let step = self.step(Some(candidate), kind, Some(view));
        self.run.phase = Phase::Correcting(index);
        self.call(step, Purpose::Correct);
    }

    /// Takes a corrector's answer.
    pub(super) fn corrected(&mut self, correction: Correction) {
        if self.form.is_single() {
            return self.close_correction(correction);
        }
        let Phase::Correcting(index) = self.run.phase else { return };
        self.run.failures.corrected(false);
        let Correction { candidate, context, correction, remarks, warnings, .. } = correction;
        for warning in &warnings {
            self.warn(None, warning, None);
        }
        if !remarks.is_empty() {
            self.run.history.change(index, |entry| entry.more.extend(remarks));
        }
        let effect = match (&candidate, &correction, context.is_empty()) {
            (Some(_), ..) => "candidate",
            (None, Some(_), _) => "not_merged",
            (None, None, false) => "context",
            (None, None, true) => "none",
        };
        self.run.memories.has_context = effect == "context";
        let state = Arc::make_mut(&mut self.run.state);
        state.merge(context);
        if let Some(correction) = correction {
            state.set(&["reflection_correction"], |vars| {
                vars.correction = Some(Arc::new(correction));
            });
        }
        self.run.waiting = candidate.map(|value| Waiting { value: Arc::new(value) });
        self.run.phase = Phase::Round;
        self.push_event(None, EventKind::Corrected { effect });
    }

    /// A correction that failed is reported, and not fatal.
    pub(super) fn correction_failed(&mut self, answer: &Answer) {
        let (code, message) = failure(answer, "corrector_failed");
        if self.form.is_single() {
            return self.fail_single(code, &message, None);
        }
        let Some(error) = self.note_correction_error(code, &message) else { return };
        self.run.memories.has_context = false;
        Arc::make_mut(&mut self.run.state).set(&["reflection_errors"], |vars| {
            Arc::make_mut(&mut vars.errors).push(error);
        });
        self.run.phase = Phase::Round;
        self.push_event(None, EventKind::Corrected { effect: "failed" });
        self.run.failures.corrected(true);
        if self.run.failures.has_corrector_failed(&self.config.failure_limits) {
            self.finish(StopReason::Failures, None, None);
        }
    }

    /// Writes the failure of a corrector on the entry that it was asked about.
    fn note_correction_error(&mut self, code: &str, message: &str) -> Option<Value> {
        let error = json!({"message": message, "code": code, "type": "corrector_error"});
        let Phase::Correcting(index) = self.run.phase else { return None };
        self.run.history.change(index, |entry| {
            entry.more.insert("corrector_error".to_owned(), error.clone());
        });
        Some(error)
    }

    /// Ends a round before its end: what was being judged stays in the history.
    fn cut_round(&mut self) -> Option<Appended> {
        self.cancel_pending();
        for attempt in &mut self.run.attempts {
            match attempt.stage {
                Stage::Judging => attempt.cut(),
                Stage::Generating => attempt.drop_it(),
                Stage::Finished => {}
            }
        }
        if self.form.is_single() {
            return None;
        }
        let appended = self.append_entries();
        if let Some((_, entry)) = &appended.ranked {
            self.show(entry);
        }
        Some(appended)
    }

    /// Ends the loop in the middle of a round, because of an abort.
    pub(super) fn stop_now(&mut self, detail: Option<String>) {
        self.cut_round();
        self.finish(StopReason::Aborted, detail, None);
    }

    /// A template could not be rendered.
    pub(super) fn break_off(&mut self, error: &TemplateError) {
        self.cut_round();
        self.fail_template(error);
    }

    /// Ends the loop because a call failed for good, unless another candidate was accepted.
    pub(super) fn fail_for_good(&mut self, pending: &Pending, answer: &Answer) {
        let (who, code, kind) = match pending.purpose {
            Purpose::Generate(_) => ("generator", "generator_failed", EntryKind::Generator),
            Purpose::Evaluate(_) => ("evaluator", "evaluator_failed", EntryKind::Evaluator),
            Purpose::Correct | Purpose::Resolve | Purpose::Wait(_) => {
                ("corrector", "corrector_failed", EntryKind::Unevaluated)
            }
        };
        let (code, message) = failure(answer, code);
        let mut error = item(code, message.as_str());
        if let Purpose::Generate(number) | Purpose::Evaluate(number) = pending.purpose {
            if let Some(attempt) = self.run.attempts.get_mut(number) {
                attempt.fail(kind, error.clone());
            }
        } else if let Some(noted) = self.note_correction_error(code, &message) {
            error = noted;
        }
        match self.cut_round().and_then(|appended| appended.winner) {
            Some(entry) => self.finish(StopReason::Valid, None, Some(&entry)),
            None => self.fail_call(who, &message, error),
        }
    }
}

/// What a round added to the history.
struct Appended {
    /// The accepted attempt with the highest score.
    winner: Option<Arc<Entry>>,
    /// The best-ranked attempt and its number in the history.
    ranked: Option<(usize, Arc<Entry>)>,
    /// The last one.
    last: Option<Arc<Entry>>,
}
