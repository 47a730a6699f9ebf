//! Windows over a run whose records were read.

use crate::error::{Error, ErrorCode};
use crate::history::loaded_run::LoadedRun;
use crate::model::omega::{OmegaProvenance, Policy};
use crate::model::view::ReflectionRef;
use crate::window::candidate::{Candidate, Terms};
use crate::window::engine::{Ask, choose};
use crate::window::entry::{Entry, RenderOptions};
use crate::window::relevance::{MOST_ERRORS, query};
use crate::window::{Seat, Target, Window, WindowRule, budget, provenance};

impl LoadedRun {
    /// Reflections in context when iteration `at` began, by any policy, budget or Ω. `at` is the
    /// number of an iteration, or the one after the last: what the next attempt would see.
    ///
    /// What was not read yet ([`LoadedRun::needs`]) counts as an empty text without a category that
    /// costs no tokens; [`WindowView::unread`](crate::WindowView::unread) says how many there were.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchIteration`]; [`ErrorCode::OmegaOutOfRange`] above 10;
    /// [`ErrorCode::InvalidOption`] for a half-life that is not above 0.
    ///
    /// # Example: what fits
    ///
    /// ```
    /// use hindscope::{History, Profile, WindowRule};
    ///
    /// let lines: &[u8] = br#"{"trial_number":1,"loop_id":"a","outcome":"failure","reflection":"Too fast, again."}
    /// {"trial_number":2,"loop_id":"a","outcome":"failure","reflection":"Slow is smooth."}
    /// "#;
    /// let mut history = History::new(Profile::Lenient);
    /// let source = history.open("loop.jsonl");
    /// history.push(source, lines)?;
    /// history.finish(source)?;
    /// let mut loaded_run = history.loaded_run(history.runs()[0].id)?;
    /// for span in history.needs(&loaded_run) {
    ///     let bytes = &lines[span.start as usize..span.end as usize];
    ///     history.load(&mut loaded_run, span.record, bytes)?;
    /// }
    /// let rule = WindowRule { token_budget: Some(7), ..WindowRule::default() };
    /// let window = loaded_run.window(3, rule)?;
    /// assert_eq!((window.held(), window.dropped()), (vec![2], vec![1]));
    /// # Ok::<(), hindscope::Error>(())
    /// ```
    pub fn window(&self, at: i64, rule: WindowRule) -> Result<Window, Error> {
        let numbers: Vec<i64> = self.steps.iter().map(|s| s.number).collect();
        let mut target = Target::find(at, &rule, &numbers, &self.key, |k| {
            (self.steps[k].omega, self.steps[k].omega_provenance)
        })?;
        let (seats, later): (Vec<Seat>, Vec<Seat>) =
            self.seats.iter().partition(|seat| seat.at.number < at);
        let candidates: Vec<Candidate> =
            seats.iter().map(|seat| self.candidate(seat, &rule)).collect();
        if rule.dynamic_omega {
            let categories = candidates.iter().map(|c| c.category.as_deref());
            target.omega = Some(provenance::dynamic_omega(categories));
            target.provenance = OmegaProvenance::Dynamic;
        }
        let is_read = |seat: &&Seat| self.reflection(&seat.at).is_some();
        let read = seats.iter().filter(is_read).count();
        let unread = if rule.needs_texts() { seats.len() - read } else { 0 };
        let ask = Ask {
            rule: &rule,
            omega: target.omega,
            target: target.position(),
            query: &self.query(target.ordinal),
        };
        let choice = choose(&candidates.iter().collect::<Vec<_>>(), &ask);
        Ok(Window::of(&target, &rule, &seats, &choice, later.len()).with_unread(unread))
    }

    /// A reflection that the window may take. Its terms and tokens are counted only if the rule needs them,
    /// because that takes a walk over the text.
    fn candidate(&self, seat: &Seat, rule: &WindowRule) -> Candidate {
        let Some(reflection) = self.reflection(&seat.at) else { return seat.unread() };
        let terms = || {
            let texts = std::iter::once(&reflection.text)
                .chain(&reflection.insights)
                .chain(&reflection.lessons);
            Terms::of(texts.map(String::as_str))
        };
        let tokens = || {
            let counted = self.tokens.get(&(seat.at.record, seat.at.part)).copied();
            counted.unwrap_or_else(|| budget::estimate(&reflection.text, &reflection.insights))
        };
        Candidate {
            terms: (rule.policy == Policy::RelevanceWeighted).then(terms),
            confidence: reflection.confidence,
            category: reflection.category.clone(),
            tokens: rule.token_budget.is_some().then(tokens),
            ..seat.unread()
        }
    }

    /// The task, and the errors of the latest attempt before `ordinal` that has any.
    fn query(&self, ordinal: usize) -> Vec<String> {
        let before = || self.steps.iter().take(ordinal).rev();
        let errors = before()
            .filter_map(|step| self.details(step))
            .find(|details| !details.errors.is_empty())
            .map_or(&[][..], |details| &details.errors);
        let errors = errors.iter().take(MOST_ERRORS).map(|e| e.message.as_str());
        query(self.task_at(ordinal).into_iter().chain(errors))
    }

    /// The task of an attempt: as it or the latest before it states it, else as the columns or the
    /// first record that was read have it.
    fn task_at(&self, ordinal: usize) -> Option<&str> {
        let task = |step| self.details(step)?.task.as_deref().filter(|t| !t.trim().is_empty());
        let until = self.steps.get(..=ordinal).unwrap_or(&self.steps);
        let stated = until.iter().rev().find_map(task);
        stated.or(self.task.as_deref()).or_else(|| self.steps.iter().find_map(task))
    }

    /// Some reflections with their texts, to be laid out or counted. Those whose records were not
    /// read are left out.
    pub fn entries(&self, of: &[ReflectionRef]) -> Vec<Entry> {
        of.iter()
            .filter_map(|at| {
                let reflection = self.reflection(at)?;
                let seat = self.seats.iter().find(|seat| seat.at == *at)?;
                let details = self.loaded(at)?;
                let tokens = self.tokens.get(&(at.record, at.part)).copied();
                let mut entry = Entry::of(at.number, seat.outcome, details, reflection);
                // What the attempt changed may stand in another record of it.
                if let Some(joined) = self.joined(at.ordinal) {
                    entry.strategy.clone_from(&joined.strategy_next);
                }
                Some(Entry { tokens, ..entry })
            })
            .collect()
    }

    /// What layouts say beside the reflections of a window of this run.
    pub fn render_options(&self, window: &Window) -> RenderOptions {
        let view = window.view();
        let finished = self.steps.iter().filter(|step| step.number < view.at).count();
        let written = self.seats.iter().filter(|seat| seat.at.number < view.at).count();
        RenderOptions {
            attempts: u32::try_from(finished).ok(),
            task: self.task_at(finished).map(str::to_owned),
            total: u32::try_from(written).ok(),
            omega: view.omega,
            ..RenderOptions::default()
        }
    }

    /// Takes the host's own count of a reflection's tokens, in place of the estimate.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchRecord`] if the run has no such reflection.
    pub fn set_tokens(&mut self, of: ReflectionRef, tokens: u32) -> Result<(), Error> {
        if !self.seats.iter().any(|seat| seat.at == of) {
            let message =
                format!("run {} has no reflection {} of record {}", self.key, of.part, of.record.0);
            return Err(Error::new(ErrorCode::NoSuchRecord, message));
        }
        self.tokens.insert((of.record, of.part), tokens);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::model::omega::{OmegaProvenance, Policy};
    use crate::window::WindowRule;
    use crate::{ErrorCode, History, LoadedRun, Profile, ReflectionWindow, RunId};

    fn record(n: i64, text: &str, more: &str) -> String {
        format!(
            r#"{{"loop_id":"ralph-a","iteration":{n},"task_description":"Fix token expiry handling","evaluator_output":{{"passed":false,"verification_type":"combined"{more}}},"self_reflection":{{{text}}}}}"#
        )
    }

    /// The example of `window/relevance-weighted`.
    fn example() -> String {
        let errors =
            r#","errors":[{"type":"test_failure","message":"session expiry test: expected 401"}]"#;
        [
            record(1, r#""reflection_text":"Token refresh ignored the expiry field, so the session test failed.","actionable_insights":["Check expiry before refresh"],"confidence":0.9"#, ""),
            record(2, r#""reflection_text":"The lint step failed on unused imports.","actionable_insights":["Remove unused imports"],"confidence":0.6"#, ""),
            record(3, r#""reflection_text":"Expiry check compares seconds with milliseconds.","actionable_insights":["Convert expiry to milliseconds"],"lessons_learned":["Name units in variables"],"confidence":0.8,"credit_assignment":{"failure_category":"logic_error"}"#, errors),
            record(4, r#""reflection_text":"Formatting only; nothing new.","confidence":0.4"#, ""),
        ]
        .join("\n")
    }

    fn open(text: &str) -> (History, RunId) {
        let mut history = History::new(Profile::Lenient);
        let source = history.open("a.jsonl");
        history.push(source, text.as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
        let run = history.runs()[0].id;
        (history, run)
    }

    fn load(history: &History, loaded_run: &mut LoadedRun, text: &str) {
        for span in history.needs(loaded_run) {
            let at = |n: u64| usize::try_from(n).expect("small");
            let bytes = &text.as_bytes()[at(span.start)..at(span.end)];
            history.load(loaded_run, span.record, bytes).expect("these are its bytes");
        }
    }

    #[test]
    fn relevance_needs_the_records() {
        let text = example();
        let (history, run) = open(&text);
        let mut loaded_run = history.loaded_run(run).expect("it is listed");
        let policy = Policy::RelevanceWeighted;
        let rule = WindowRule { policy, omega: Some(3), ..WindowRule::default() };
        let run = history.run(run).expect("it is listed");
        let misuse = run.window(5, rule).expect_err("columns have no texts").code();
        assert_eq!(misuse, ErrorCode::InvalidOption);
        let before = loaded_run.window(5, rule).expect("it is the next one").view();
        assert_eq!((before.unread, before.held.len()), (4, 3));
        assert_eq!(before.notes[0].rule, "window/no-relevance");
        load(&history, &mut loaded_run, &text);
        let window = loaded_run.window(5, rule).expect("it is the next one");
        assert_eq!((window.held(), window.evicted()), (vec![1, 3, 4], vec![2]));
        let scores: Vec<_> = window.view().scores.iter().map(|s| (s * 1e4).round() / 1e4).collect();
        assert_eq!(scores, [1.7993, 0.5644, 0.0]);
        assert_eq!(window.view().unread, 0);
        // Attempt 3 began before its own errors were known.
        let window = loaded_run.window(3, rule).expect("it is there");
        assert_eq!((window.held(), window.view().later), (vec![1, 2], 2));
        let fifo = loaded_run.window(5, WindowRule { omega: Some(3), ..WindowRule::default() });
        assert_eq!(fifo.expect("it is the next one").held(), [2, 3, 4]);
    }

    #[test]
    fn a_loaded_run_and_its_columns_agree() {
        let text = example();
        let (history, id) = open(&text);
        let run = history.run(id).expect("it is listed");
        let mut loaded_run = history.loaded_run(id).expect("it is listed");
        for _ in 0..2 {
            for at in 1..=5 {
                for policy in [Policy::Fifo, Policy::Recency] {
                    for omega in [None, Some(0), Some(2)] {
                        let rule = WindowRule { omega, policy, ..WindowRule::default() };
                        assert_eq!(loaded_run.window(at, rule), run.window(at, rule));
                    }
                }
            }
            load(&history, &mut loaded_run, &text);
        }
        let rule = WindowRule::default();
        assert_eq!(loaded_run.window(7, rule), run.window(7, rule), "no such iteration");
    }

    #[test]
    fn a_running_window_and_a_read_one_agree() {
        let text = example();
        let (history, run) = open(&text);
        let mut loaded_run = history.loaded_run(run).expect("it is listed");
        load(&history, &mut loaded_run, &text);
        for policy in Policy::ALL {
            for token_budget in [None, Some(40)] {
                let omega = Some(2);
                let rule = WindowRule { omega, policy, token_budget, ..WindowRule::default() };
                let mut running = ReflectionWindow::with_rule(rule).expect("the rule is good");
                for (line, next) in text.lines().zip(2..) {
                    running.push(line.as_bytes());
                    let read = loaded_run.window(next, rule).expect("it is there");
                    assert_eq!(running.held(), read.held(), "{rule:?} at {next}");
                    assert_eq!(running.evicted(), read.evicted(), "{rule:?} at {next}");
                    assert_eq!(running.dropped(), read.dropped(), "{rule:?} at {next}");
                    assert_eq!(running.tokens(), read.view().tokens, "{rule:?} at {next}");
                    assert_eq!(running.entries(), loaded_run.entries(read.held_refs()));
                }
            }
        }
    }

    #[test]
    fn budget_counts_and_dynamic_omega() {
        let text = example();
        let (history, run) = open(&text);
        let mut loaded_run = history.loaded_run(run).expect("it is listed");
        load(&history, &mut loaded_run, &text);
        let budget = WindowRule { token_budget: Some(30), ..WindowRule::default() };
        let window = loaded_run.window(5, budget).expect("it is the next one");
        assert_eq!((window.held(), window.dropped()), (vec![3, 4], vec![2]));
        assert_eq!(window.view().tokens, Some(28));
        let entries = loaded_run.entries(window.held_refs());
        assert_eq!(entries[0].insights, ["Convert expiry to milliseconds"]);
        loaded_run.set_tokens(window.held_refs()[0], 23).expect("it is there");
        assert_eq!(loaded_run.window(5, budget).expect("as before").held(), [4]);
        let dynamic = WindowRule { dynamic_omega: true, ..WindowRule::default() };
        let window = loaded_run.window(5, dynamic).expect("it is the next one");
        assert_eq!(
            (window.held(), window.view().omega_provenance),
            (vec![4], OmegaProvenance::Dynamic)
        );
        let options = loaded_run.render_options(&window);
        assert_eq!((options.attempts, options.total, options.omega), (Some(4), Some(4), Some(1)));
        assert_eq!(options.task.as_deref(), Some("Fix token expiry handling"));
    }
}
