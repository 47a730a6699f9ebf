//! Runs, iterations and findings that a query lets through, by columns alone.

use std::collections::BTreeSet;

use super::fields::{Bounds, Field, Has, Test};
use super::{Query, QueryError, QueryErrorCode, Term};
use crate::history::History;
use crate::history::run::Run;
use crate::insight::rules::insight_rules;
use crate::model::finding::{Finding, Severity};
use crate::model::id::RunId;
use crate::model::outcome::Outcome;
use crate::model::view::{IterationView, RunView};

/// What a query is asked of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Everything that records say: all fields.
    Search,
    /// The list of runs: no `error:` and no `category:`, because no record is read for it.
    Runs,
    /// The same list for a host that knows the failure category of runs
    /// ([`History::find_runs_with`]): no `error:`.
    RunsWithCategory,
    /// The list of findings: texts, `run:`, `source:`, `iter:` and `finding:`.
    Findings,
}

impl Target {
    fn knows(self, field: Field) -> bool {
        match self {
            Self::Search => true,
            Self::Runs => !matches!(field, Field::Error | Field::Category),
            Self::RunsWithCategory => field != Field::Error,
            Self::Findings => {
                matches!(field, Field::Run | Field::Source | Field::Iter | Field::Finding)
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Search => "The search",
            Self::Runs | Self::RunsWithCategory => "The list of runs",
            Self::Findings => "The list of findings",
        }
    }
}

impl Query {
    /// Reads a query that is to be asked of one list.
    ///
    /// # Errors
    ///
    /// As [`Query::parse`], and [`QueryErrorCode::NotHere`] for a field that the list does not have.
    pub fn parse_for(text: &str, target: Target) -> Result<Self, QueryError> {
        let query = Self::parse(text)?;
        let unknown = |term: &Term| {
            let field = term.test.field().filter(|field| !target.knows(*field))?;
            Some((term.place, field))
        };
        let Some((place, field)) = query.terms.iter().find_map(unknown) else { return Ok(query) };
        let known = Field::ALL.into_iter().filter(|field| target.knows(*field));
        let known = known.map(Field::as_str).collect::<Vec<_>>().join(", ");
        let message = format!(
            "{} cannot be filtered by \u{201c}{}\u{201d}. Fields here: {known}.",
            target.name(),
            field.as_str()
        );
        Err(QueryError::new(text, place, QueryErrorCode::NotHere, message))
    }

    /// Whether some part of it asks for findings about what runs did, such as `finding:stuck`. Those that
    /// need no text are looked for, and some compare reflections: what of these has not been read (see
    /// [`LoadedRun::needs_sketches`](crate::LoadedRun::needs_sketches)) is not found.
    pub fn asks_insight(&self) -> bool {
        let asks = |term: &Term| asks_rule(term) || term.is_in(&[STUCK]);
        self.terms.iter().filter(|term| term.test.field() == Some(Field::Finding)).any(asks)
    }

    /// Whether some part of it asks for a failure category.
    pub fn asks_category(&self) -> bool {
        self.terms.iter().any(|term| term.test.field() == Some(Field::Category))
    }
}

/// Findings that a query asks for, by run and iteration.
#[derive(Debug, Default)]
pub(super) struct FoundFindings(Vec<BTreeSet<(RunId, Option<i64>)>>);

impl FoundFindings {
    pub(super) fn of(history: &History, query: &Query) -> Self {
        let asks = |term: &&Term| term.test.field() == Some(Field::Finding);
        let terms: Vec<_> = query.terms.iter().filter(asks).collect();
        if terms.is_empty() {
            return Self::default();
        }
        let mut found = Self(vec![BTreeSet::new(); terms.len()]);
        for finding in history.each_finding() {
            found.take(&terms, &finding);
        }
        if query.asks_insight() {
            let asks_rules = terms.iter().any(|term| asks_rule(term));
            for run in (0..history.run_count()).map(RunId::at) {
                found.take_insight(&terms, history, run, asks_rules);
            }
        }
        found
    }

    fn take(&mut self, terms: &[&Term], finding: &Finding) {
        let Some(run) = finding.run else { return };
        for (places, term) in self.0.iter_mut().zip(terms) {
            if is_of_rule(term, finding) {
                let evidence = finding.evidence.iter().map(|evidence| Some(evidence.number));
                places.extend(evidence.chain([finding.iteration]).map(|number| (run, number)));
            }
        }
    }

    /// What rules that need no text find in a run, and where it is stuck.
    fn take_insight(&mut self, terms: &[&Term], history: &History, run: RunId, asks_rules: bool) {
        let Ok(loaded_run) = history.loaded_run(run) else { return };
        if asks_rules {
            for finding in loaded_run.findings_without_texts() {
                self.take(terms, &finding);
            }
        }
        let stuck = history.verdict(&loaded_run).map(|verdict| verdict.stuck).unwrap_or_default();
        let numbers = history.run(run).map(|run| run.numbers()).unwrap_or_default();
        for (places, term) in self.0.iter_mut().zip(terms) {
            if !stuck.is_empty() && term.is_in(&[STUCK]) {
                let is_stuck = |n: &&i64| stuck.iter().any(|s| (s.from..=s.to).contains(*n));
                let numbers = numbers.iter().filter(is_stuck).map(|number| (run, Some(*number)));
                places.extend(numbers.chain([(run, None)]));
            }
        }
    }

    /// Whether the finding that the n-th such part asks for is about the run, or an iteration of it.
    fn has(&self, term: usize, run: RunId, number: Option<i64>) -> bool {
        let Some(set) = self.0.get(term) else { return false };
        match number {
            Some(_) => set.contains(&(run, number)),
            None => set.range((run, None)..=(run, Some(i64::MAX))).next().is_some(),
        }
    }
}

/// The rule that says where a run is stuck.
const STUCK: &str = "headline/stuck";

/// Whether a rule about what runs do, or a severity, has the text of a part in its name.
fn asks_rule(term: &Term) -> bool {
    let mut rules = insight_rules().iter().map(|rule| rule.id);
    rules.any(|rule| term.is_in(&[rule])) || term.is_in(&Severity::ALL.map(Severity::as_str))
}

fn is_of_rule(term: &Term, finding: &Finding) -> bool {
    term.is_in(&[&finding.rule, finding.severity.as_str()])
}

fn fits(bounds: Bounds, number: Option<f64>) -> bool {
    number.is_some_and(|number| bounds.has(number))
}

#[expect(clippy::cast_precision_loss, reason = "numbers of iterations")]
fn float(number: i64) -> f64 {
    number as f64
}

fn is_of_outcome(wanted: (Outcome, Option<&str>), outcome: Outcome, detail: Option<&str>) -> bool {
    wanted.0 == outcome && (wanted.1.is_none() || wanted.1 == detail)
}

/// Whether an iteration fits every part of a query that columns can answer. The texts of records
/// are not looked at.
pub(super) fn iteration_fits(
    query: &Query,
    run: RunId,
    iteration: &IterationView,
    findings: &FoundFindings,
) -> bool {
    let mut asked = 0..;
    query.terms.iter().all(|term| {
        let fits = match &term.test {
            Test::Holds(Field::Finding, _) => {
                findings.has(asked.next().unwrap_or(0), run, Some(iteration.number))
            }
            // Asked of records later, or of the run before.
            Test::Text(_) | Test::Holds(..) => return true,
            Test::Outcome(outcome, detail) => {
                let own = iteration.outcome_detail.as_deref();
                is_of_outcome((*outcome, *detail), iteration.outcome, own)
            }
            Test::Number(Field::Reward, bounds) => fits(*bounds, iteration.reward),
            Test::Number(Field::Delta, bounds) => fits(*bounds, iteration.delta),
            Test::Number(_, bounds) => bounds.has(float(iteration.number)),
            Test::Has(what) => match what {
                Has::Reward => iteration.reward.is_some(),
                Has::Delta => iteration.delta.is_some(),
                Has::Error => iteration.errors.is_some_and(|n| n > 0),
                Has::Reflection => !iteration.reflections.is_empty(),
                Has::Finding => iteration.findings > 0,
                Has::Outcome => iteration.outcome != Outcome::Unknown,
            },
        };
        fits != term.is_negated
    })
}

/// Whether a run fits what a query asks of runs as such: `run:` and `source:`.
pub(super) fn run_fits(query: &Query, history: &History, run: &Run<'_>) -> bool {
    query.terms.iter().all(|term| match &term.test {
        Test::Holds(Field::Run, _) => {
            let (key, task, aliases) = run.names();
            let names: Vec<&str> =
                [key].into_iter().chain(task).chain(aliases.iter().map(String::as_str)).collect();
            term.is_in(&names) != term.is_negated
        }
        Test::Holds(Field::Source, _) => is_of_source(term, history, run) != term.is_negated,
        _ => true,
    })
}

fn is_of_source(term: &Term, history: &History, run: &Run<'_>) -> bool {
    let label = history.group_facts(run.group()).map(|facts| facts.0);
    if label.is_some_and(|label| term.is_in(&[label])) {
        return true;
    }
    let mut last = None;
    run.records().into_iter().any(|record| {
        let Ok(source) = history.source_of(record) else { return false };
        // Records of one source stand together.
        if last.replace(source) == Some(source) {
            return false;
        }
        history.path_of(source).is_some_and(|path| term.is_in(&[&path]))
    })
}

/// Whether a run fits a query, by its columns and by its failure category, if that is known.
fn matches_run(
    query: &Query,
    history: &History,
    run: &Run<'_>,
    found: &FoundFindings,
    category: Option<&str>,
) -> bool {
    if !run_fits(query, history, run) {
        return false;
    }
    let view = run.view();
    let label = history.group_facts(view.group).map_or("", |facts| facts.0);
    let mut asked = 0..;
    query.terms.iter().all(|term| {
        let fits = match &term.test {
            Test::Text(_) => {
                let task = view.task.as_deref().unwrap_or_default();
                let names = [view.key.as_str(), task, label].into_iter();
                let names: Vec<_> = names.chain(view.aliases.iter().map(String::as_str)).collect();
                term.is_in(&names)
            }
            Test::Holds(Field::Finding, _) => found.has(asked.next().unwrap_or(0), view.id, None),
            // `run_fits` has tested these.
            Test::Holds(Field::Run | Field::Source, _) => return true,
            Test::Holds(Field::Category, _) => match category {
                Some(name) => term.is_in(&[name]),
                // A run of unknown category does not fit the negated term either.
                None => return false,
            },
            Test::Holds(..) => false,
            Test::Outcome(outcome, detail) => {
                is_of_outcome((*outcome, *detail), view.outcome, view.outcome_detail.as_deref())
            }
            Test::Number(Field::Reward, bounds) => fits(*bounds, view.last.or(view.reward)),
            // One iteration must fit all of these together: `has_iteration` tests that.
            Test::Number(..) if !term.is_negated => return true,
            Test::Number(field, bounds) => {
                (0..run.numbers().len()).any(|k| fits_at(run, k, *field, *bounds))
            }
            Test::Has(what) => has(run, &view, *what),
        };
        fits != term.is_negated
    }) && has_iteration(query, run)
}

fn fits_at(run: &Run<'_>, k: usize, field: Field, bounds: Bounds) -> bool {
    let number = match field {
        Field::Iter => run.numbers().get(k).copied().map(float),
        _ => run.deltas().get(k).copied().filter(|delta| !delta.is_nan()),
    };
    fits(bounds, number)
}

/// Whether one iteration has the number and the change that are asked for.
fn has_iteration(query: &Query, run: &Run<'_>) -> bool {
    let asked = query.terms.iter().filter(|term| !term.is_negated);
    let wanted = asked.filter_map(|term| match term.test {
        Test::Number(field @ (Field::Delta | Field::Iter), bounds) => Some((field, bounds)),
        _ => None,
    });
    let wanted: Vec<_> = wanted.collect();
    let fits = |k| wanted.iter().all(|(field, bounds)| fits_at(run, k, *field, *bounds));
    wanted.is_empty() || (0..run.numbers().len()).any(fits)
}

fn has(run: &Run<'_>, view: &RunView, what: Has) -> bool {
    let any = |column: &[f64], least: f64| column.iter().any(|n| *n > least);
    match what {
        Has::Reward => view.reward.is_some() || any(run.rewards(), -1.0),
        Has::Delta => any(run.deltas(), f64::NEG_INFINITY),
        Has::Error => any(run.columns().errors, 0.0),
        Has::Reflection => view.reflections > 0,
        Has::Finding => view.findings > 0,
        Has::Outcome => view.outcome != Outcome::Unknown,
    }
}

impl History {
    /// The runs that a query lets through, in the order of the history. No record is read, so
    /// `error:` and `category:` cannot be answered: read the query with [`Query::parse_for`] for
    /// [`Target::Runs`], which refuses them.
    ///
    /// Words look at key, task, aliases and group. `outcome:` and `reward` are those of the run as
    /// it is listed; `iter:` and `delta` ask for one iteration that has what all of them ask for.
    pub fn find_runs(&self, query: &Query) -> Vec<RunId> {
        self.find_runs_with(query, |_| None)
    }

    /// The same, but the caller gives the failure category of each run, which only records hold:
    /// an empty text for a run that has none, `None` if it is not known. A run of unknown category
    /// matches no `category:`, negated or not. Read the query for [`Target::RunsWithCategory`].
    pub fn find_runs_with<'a>(
        &self,
        query: &Query,
        category: impl Fn(RunId) -> Option<&'a str>,
    ) -> Vec<RunId> {
        let all = (0..self.run_count()).map(RunId::at);
        if query.is_empty() {
            return all.collect();
        }
        let findings = FoundFindings::of(self, query);
        let fits = |id, run: &Run<'_>| matches_run(query, self, run, &findings, category(id));
        all.filter(|id| self.run(*id).is_ok_and(|run| fits(*id, &run))).collect()
    }

    /// Whether a query lets a finding through: words look at message, rule and path, `iter:` at the
    /// iterations that it names. Read the query for [`Target::Findings`].
    pub fn matches_finding(&self, query: &Query, finding: &Finding) -> bool {
        let path = || finding.source.and_then(|id| self.path_of(id)).unwrap_or_default();
        query.terms.iter().all(|term| {
            let fits = match &term.test {
                Test::Text(_) => term.is_in(&[&finding.message, &finding.rule, &path()]),
                Test::Holds(Field::Finding, _) => is_of_rule(term, finding),
                Test::Holds(Field::Source, _) => term.is_in(&[&path()]),
                Test::Holds(Field::Run, _) => {
                    let run = finding.run.and_then(|run| self.run(run).ok());
                    run.is_some_and(|run| {
                        let (key, task, _) = run.names();
                        term.is_in(&[key, task.unwrap_or_default()])
                    })
                }
                Test::Number(Field::Iter, bounds) => {
                    let evidence = finding.evidence.iter().map(|evidence| evidence.number);
                    evidence.chain(finding.iteration).any(|number| bounds.has(float(number)))
                }
                _ => false,
            };
            fits != term.is_negated
        })
    }
}
