//! What a run teaches: the records that rules need are read, some at a time between other
//! messages, and the rules judged.

use std::rc::Rc;

use hindscope::{InsightOptions, LoadedRun, RecordId, RunId, Usage, insight_rules};

use super::no_answer::NoAnswer;
use super::run_insight::RunInsight;
use super::run_reader::{ReadLimit, StepReader};
use super::session::Session;
use crate::protocol::{Query, Total, Totals};

/// What a run teaches, by all rules; kept until another run is asked for.
pub(crate) fn explain(session: &mut Session, run: RunId) -> Result<Rc<RunInsight>, NoAnswer> {
    if let Some(kept) = session.explained(run) {
        return Ok(kept);
    }
    let body = Rc::new(Explaining::begin(session, run, ReadLimit::ONE_RUN)?.looked_at(session)?);
    session.cache.explained = Some(Rc::clone(&body));
    Ok(body)
}

/// The same of a run that is read beside others: nothing if it is too long for that, or cannot be read.
pub(crate) fn explain_beside_others(session: &mut Session, run: RunId) -> Option<RunInsight> {
    Explaining::begin(session, run, ReadLimit::BESIDE_OTHERS).ok()?.body_of_short(session)
}

/// The same by the rules that columns and sketches are enough for. Only reflections without a kept sketch
/// are read.
pub(crate) fn explain_without_texts(session: &mut Session, run: RunId) -> Option<RunInsight> {
    let needs = LoadedRun::needs_sketches;
    let mut explaining = Explaining::of(session, run, needs, ReadLimit::BESIDE_OTHERS).ok()?;
    let rules = insight_rules().iter().filter(|rule| rule.is_default && !rule.needs_texts());
    explaining.options.rules = rules.map(|rule| rule.id.to_owned()).collect();
    explaining.body_of_short(session).filter(|body| body.problem.is_none())
}

/// A run whose records are being read.
struct Explaining {
    reading: StepReader,
    options: InsightOptions,
}

impl Explaining {
    fn begin(session: &mut Session, run: RunId, limit: ReadLimit) -> Result<Self, NoAnswer> {
        Self::of(session, run, LoadedRun::needs, limit)
    }

    fn of(
        session: &mut Session,
        run: RunId,
        needs: fn(&LoadedRun) -> Vec<RecordId>,
        limit: ReadLimit,
    ) -> Result<Self, NoAnswer> {
        let reading = StepReader::begin(&session.history, run, needs, limit)?;
        let stated = session.rows(&[run]).pop().and_then(|row| row.view.max_iterations);
        let max_iterations = stated.and_then(|stated| u32::try_from(stated).ok());
        let options = InsightOptions { max_iterations, ..InsightOptions::default() };
        Ok(Self { reading, options })
    }

    /// Reads one record; false once there is none to read.
    fn step(&mut self, session: &Session) -> Result<bool, NoAnswer> {
        Ok(self.reading.step(&session.history, |span| session.files.read(span))?)
    }

    /// The same as [`Explaining::body`]; nothing if the run is too long to be read whole, or cannot be read.
    fn body_of_short(self, session: &mut Session) -> Option<RunInsight> {
        if self.reading.unread > 0 {
            return None;
        }
        self.body(session).ok()
    }

    /// The same as [`Explaining::body`], with the reflections in full.
    fn looked_at(mut self, session: &mut Session) -> Result<RunInsight, NoAnswer> {
        while self.step(session)? {}
        let news = self.reading.loaded_run.news();
        Ok(RunInsight { news, ..self.body(session)? })
    }

    /// Reads what is left, and judges.
    fn body(mut self, session: &mut Session) -> Result<RunInsight, NoAnswer> {
        while self.step(session)? {}
        let StepReader { mut loaded_run, unread, problem, .. } = self.reading;
        let run = loaded_run.run();
        session.history.keep_sketches(&mut loaded_run);
        let totals = totals(&loaded_run, session.history.run(run)?.numbers());
        let explanation = loaded_run.explain(&self.options);
        let recurring_lessons = loaded_run.recurring_lessons();
        let news = Vec::new();
        Ok(RunInsight { run, explanation, news, recurring_lessons, unread, problem, totals })
    }
}

/// Adds up what each attempt says that it took.
fn totals(loaded_run: &LoadedRun, numbers: &[i64]) -> Totals {
    let mut totals = Totals::default();
    let none = Usage::default();
    for number in numbers {
        let attempt = loaded_run.attempt(*number).ok().flatten();
        let usage = attempt.and_then(|attempt| attempt.usage.as_ref()).unwrap_or(&none);
        add(&mut totals.tokens, usage.tokens_in_all());
        add(&mut totals.cost_usd, usage.cost_usd);
        add(&mut totals.tool_calls, usage.tool_calls);
        add(&mut totals.ms, usage.ms);
        if let Some(time) = attempt.and_then(|attempt| attempt.time.as_ref()) {
            totals.first_time.get_or_insert_with(|| time.clone());
            totals.last_time = Some(time.clone());
        }
    }
    totals
}

fn add(total: &mut Total, part: Option<f64>) {
    match part {
        Some(part) => {
            total.sum += part;
            total.known += 1;
        }
        None => total.unknown += 1,
    }
}

/// Runs that are being explained, the one that was asked for last first, with the questions that
/// wait for them.
#[derive(Default)]
pub(crate) struct ExplainQueue(Vec<(Explaining, Vec<(u32, Query)>)>);

/// Questions that can be answered now, or why they cannot.
pub(crate) type Explained = (Vec<(u32, Query)>, Result<(), String>);

/// The run that a question needs to be explained.
pub(crate) fn needs(query: &Query) -> Option<RunId> {
    match query {
        Query::Learn { run, .. } | Query::Notes { run, .. } | Query::ErrorsAndLessons { run } => {
            Some(*run)
        }
        _ => None,
    }
}

impl ExplainQueue {
    /// Puts a question in line, unless it can be answered at once: then it comes back.
    pub(crate) fn take(&mut self, session: &mut Session, id: u32, query: Query) -> Option<Query> {
        let Some(run) = needs(&query) else { return Some(query) };
        if session.explained(run).is_some() {
            return Some(query);
        }
        let is_same = |one: &(Explaining, _)| one.0.reading.loaded_run.run() == run;
        if let Some(at) = self.0.iter().position(is_same) {
            let mut waited = self.0.remove(at);
            waited.1.push((id, query));
            self.0.push(waited);
            return None;
        }
        // What cannot begin is answered with the reason.
        let Ok(explaining) = Explaining::begin(session, run, ReadLimit::ONE_RUN) else {
            return Some(query);
        };
        self.0.push((explaining, vec![(id, query)]));
        None
    }

    /// Reads on; gives the questions of a run that is explained now.
    pub(crate) fn step(&mut self, session: &mut Session) -> Option<Explained> {
        let (explaining, _) = self.0.last_mut()?;
        let stepped = explaining.step(session);
        if let Ok(true) = stepped {
            return None;
        }
        let (explaining, questions) = self.0.pop()?;
        let finished = stepped.and_then(|_| explaining.looked_at(session));
        let finished = finished.map(|body| session.cache.explained = Some(Rc::new(body)));
        Some((questions, finished.map_err(|error| error.0)))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all of them: their ids may mean something else by now.
    pub(crate) fn end(&mut self) -> Vec<u32> {
        self.0.drain(..).flat_map(|(_, questions)| questions).map(|(id, _)| id).collect()
    }
}

#[cfg(test)]
mod tests {
    use hindscope::{History, Profile};

    use super::*;

    #[test]
    fn sums_say_what_they_lack() {
        let lines = [
            r#"{"total_iterations":3,"iterations":[{"iteration_number":1,"quality_score":40,"tokens_used":100,"timestamp":"2026-01-02T03:04:05+02:00"},{"iteration_number":2,"quality_score":50},{"iteration_number":3,"quality_score":60,"tokens_used":50}],"loop_id":"a"}"#,
        ];
        let mut history = History::new(Profile::Lenient);
        let source = history.open("iteration-analytics.json");
        history.push(source, lines[0].as_bytes()).expect("it is open");
        history.finish(source).expect("it is open");
        let run = history.runs().first().expect("one run").id;
        let mut loaded_run = history.loaded_run(run).expect("it is listed");
        for span in history.needs(&loaded_run) {
            let part = usize::try_from(span.start).expect("small")
                ..usize::try_from(span.end).expect("small");
            history
                .load(&mut loaded_run, span.record, &lines[0].as_bytes()[part])
                .expect("it is the record");
        }
        let totals = totals(&loaded_run, &[1, 2, 3]);
        assert_eq!(totals.tokens, Total { sum: 150.0, known: 2, unknown: 1 });
        assert_eq!((totals.cost_usd.known, totals.cost_usd.unknown), (0, 3));
        assert_eq!(totals.first_time.as_deref(), Some("2026-01-02T03:04:05+02:00"));
    }
}
