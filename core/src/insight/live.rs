//! The answer for a loop that is running: its records are in memory, and one call answers everything.

use super::answer::Explanation;
use crate::history::History;
use crate::model::finding::Finding;
use crate::model::id::{RecordId, RunId};
use crate::model::options::InsightOptions;
use crate::validate::Profile;

/// What the records of a loop teach, each a JSON text of a format that writes one record an
/// attempt.
///
/// Records of several runs may be among them: the run with the latest record is explained, latest
/// by position. Of a record that cannot be read the findings stand first, their `source` being its
/// position; nothing else about single records is repeated here, as
/// [`validate`](crate::validate()) says it.
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

fn of_run(
    history: &History,
    run: RunId,
    records: &[impl AsRef<[u8]>],
    options: &InsightOptions,
) -> Option<Explanation> {
    let mut loaded_run = history.loaded_run(run).ok()?;
    for span in history.needs(&loaded_run) {
        let bytes = records.get(span.source.index()).map(AsRef::as_ref).unwrap_or_default();
        let place = usize::try_from(span.start).ok().zip(usize::try_from(span.end).ok());
        let record = place.and_then(|(start, end)| bytes.get(start..end));
        // What cannot be read again stays in `missing`.
        let _loaded = record.map(|bytes| history.load(&mut loaded_run, span.record, bytes));
    }
    Some(loaded_run.explain(options))
}
