//! The answer for a loop that is running: its records are in memory, and one call answers everything.

use super::answer::Explanation;
use crate::history::History;
use crate::history::loaded_run::LoadedRun;
use crate::model::finding::Finding;
use crate::model::id::{RecordId, RunId};
use crate::model::options::InsightOptions;
use crate::validate::Profile;

/// Explains the records of a loop. Each is a JSON text in a format that writes one record for each
/// attempt.
///
/// If the records belong to several runs, the run of the last one in the list is explained. The
/// findings about records that cannot be read come first; their `source` is the position of the
/// record. Other findings about single records are not repeated here:
/// [`validate`](crate::validate()) gives them.
///
/// # Example: a loop asks whether it is stuck
///
/// ```
/// use hindscope::{InsightOptions, explain};
///
/// let record = |n: u32, text: &str| {
///     format!(
///         r#"{{"iteration": {n}, "evaluator_output": {{"passed": false}},
///             "self_reflection": {{"reflection_text": "{text}"}}}}"#
///     )
/// };
/// let records = [record(1, "Retry."), record(2, "retry"), record(3, "Retry!")];
/// let options = InsightOptions { rules: vec!["stuck/*".into()], ..Default::default() };
/// let explanation = explain(&records, &options);
/// assert!(explanation.is_stuck);
/// assert_eq!(explanation.findings[0].rule, "stuck/repeated-reflection");
/// assert_eq!(explanation.findings[0].iteration, Some(3));
/// ```
pub fn explain(records: &[impl AsRef<[u8]>], options: &InsightOptions) -> Explanation {
    let mut history = History::new(Profile::Lenient);
    for (position, record) in records.iter().enumerate() {
        // A name that shows neither a number nor a loop, in one folder: records without a loop id
        // are one run.
        let source = history.open(&format!("records/at-{position}.json"));
        // Both fail only for sources that are unknown or finished.
        let _more = history.push(source, record.as_ref());
        let _end = history.finish(source);
    }
    let lost: Vec<_> = history.sources().iter().filter(|s| s.kept == 0).map(|s| s.id).collect();
    let is_lost = |finding: &Finding| {
        finding.source.is_some_and(|source| lost.binary_search(&source).is_ok())
    };
    let unread: Vec<Finding> = history.findings().into_iter().filter(is_lost).collect();
    let latest =
        (0..history.record_count()).rev().find_map(|record| history.run_of(RecordId::at(record)));
    let mut explanation =
        latest.and_then(|run| of_run(&history, run, records, options)).unwrap_or_default();
    explanation.findings.splice(0..0, unread);
    explanation
}

/// [`explain`] for the run of the line `own`, of records that are a line each of one text, where `repeated`
/// reflections that are the same are too many. One source for all is opened faster than one for each.
pub(crate) fn explain_lines(
    lines: &[u8],
    own: usize,
    options: &InsightOptions,
    repeated: usize,
) -> Explanation {
    let mut history = History::new(Profile::Lenient);
    let source = history.open("records.jsonl");
    // Both fail only for sources that are unknown or finished.
    let _more = history.push(source, lines);
    let _end = history.finish(source);
    let last = history.record_count().saturating_sub(1);
    let run = history.run_of(RecordId::at(own.min(last)));
    let loaded_run = run.and_then(|run| loaded(&history, run, |_| lines));
    loaded_run.map(|run| run.explain_after(options, repeated)).unwrap_or_default()
}

fn of_run(
    history: &History,
    run: RunId,
    records: &[impl AsRef<[u8]>],
    options: &InsightOptions,
) -> Option<Explanation> {
    let bytes = |source: usize| records.get(source).map(AsRef::as_ref).unwrap_or_default();
    Some(loaded(history, run, bytes)?.explain(options))
}

/// A run with all of its records, of the bytes of their sources.
fn loaded<'a>(
    history: &History,
    run: RunId,
    bytes: impl Fn(usize) -> &'a [u8],
) -> Option<LoadedRun> {
    let mut loaded_run = history.loaded_run(run).ok()?;
    for span in history.needs(&loaded_run) {
        let place = usize::try_from(span.start).ok().zip(usize::try_from(span.end).ok());
        let record = place.and_then(|(start, end)| bytes(span.source.index()).get(start..end));
        // What cannot be read again stays in `missing`.
        let _loaded = record.map(|bytes| history.load(&mut loaded_run, span.record, bytes));
    }
    Some(loaded_run)
}
