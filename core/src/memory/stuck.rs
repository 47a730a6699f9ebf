//! Says to the next iteration or attempt that the ones before it repeat themselves (`stuck/*`).

use serde_json::json;

use super::Record;
use super::records::Members as _;
use crate::insight::answer::Explanation;
use crate::insight::explain;
use crate::model::finding::{Finding, Severity};
use crate::model::options::InsightOptions;

/// What the rules say of repetition. Iterations and attempts have no reward but their verdict, and one that
/// stays the same says nothing more.
pub(super) fn of(explanation: &Explanation) -> Vec<Finding> {
    let is_repetition = |finding: &&Finding| {
        finding.rule.starts_with("stuck/") && finding.rule.as_ref() != "stuck/flat"
    };
    let stuck = explanation.findings.iter().filter(is_repetition);
    let without_place =
        |finding: Finding| Finding { source: None, record: None, run: None, ..finding };
    stuck.cloned().map(without_place).collect()
}

/// Whether a finding is about this iteration, and not only about earlier ones.
pub(super) fn is_about(finding: &Finding, number: i64) -> bool {
    finding.evidence.iter().any(|evidence| evidence.number == number)
}

/// The section that the text for a prompt ends with; empty unless the iteration `number`, the latest one,
/// repeats earlier ones.
pub(super) fn section(stuck: &[Finding], number: i64) -> String {
    let is_now =
        |finding: &&Finding| finding.severity == Severity::Warning && is_about(finding, number);
    let lines: Vec<_> =
        stuck.iter().filter(is_now).map(|finding| format!("- {}", finding.message)).collect();
    if lines.is_empty() {
        return String::new();
    }
    let lines = lines.join("\n");
    format!(
        "## You Are Stuck\n{lines}\n\nDo not try the same again. Choose an approach that differs from all of \
         these, and say first how it differs.\n"
    )
}

/// [`section`] for the attempts at a task, of the reflections that the next one is given.
pub(super) fn section_of_attempts(reflections: &[Record]) -> String {
    // After a success there is nothing to change.
    let latest = reflections.last().filter(|last| last.text_at("triggered_by") != Some("success"));
    let Some(latest) = latest.and_then(|last| last.count_at("attempt_id")) else {
        return String::new();
    };
    let records: Vec<Vec<u8>> = reflections.iter().filter_map(as_iteration).collect();
    section(&of(&explain(&records, &InsightOptions::default())), i64::from(latest))
}

/// What an attempt taught as a reflection-memory record, which the rules read. The observation is left out:
/// its counts and dates differ even where the lesson is the same.
fn as_iteration(reflection: &Record) -> Option<Vec<u8>> {
    let number = reflection.count_at("attempt_id")?;
    let text = reflection.text_at("learning").or_else(|| reflection.text_at("analysis"))?;
    let record = json!({
        "iteration": number,
        "evaluator_output": {"passed": reflection.text_at("triggered_by") == Some("success")},
        "self_reflection": {"reflection_text": text},
    });
    Some(record.to_string().into_bytes())
}
