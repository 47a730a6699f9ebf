//! Says to the next iteration or attempt that the ones before it repeat themselves (`stuck/*`).

use serde_json::json;

use super::Record;
use super::records::Members as _;
use crate::insight::answer::Explanation;
use crate::insight::explain;
use crate::insight::stuck::is_warning;
use crate::model::finding::Finding;
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

/// The section that the text for a prompt ends with; empty unless the loop is stuck.
pub(super) fn section(explanation: &Explanation) -> String {
    if !explanation.is_stuck {
        return String::new();
    }
    let last = |finding: &Finding| finding.evidence.last().map(|evidence| evidence.number);
    let warnings = || explanation.findings.iter().filter(|finding| is_warning(finding));
    let latest = warnings().map(last).max();
    let now = warnings().filter(|finding| Some(last(finding)) == latest);
    let lines: Vec<_> = now.map(|finding| format!("- {}", finding.message)).collect();
    let lines = lines.join("\n");
    format!(
        "## You Are Stuck\n{lines}\n\nDo not try the same again. Choose an approach that differs from all of \
         these, and say first how it differs.\n"
    )
}

/// [`section`] for the attempts at a task, of the reflections that the next one is given.
pub(super) fn section_of_attempts(reflections: &[Record]) -> String {
    let records: Vec<Vec<u8>> = reflections.iter().filter_map(as_iteration).collect();
    section(&explain(&records, &InsightOptions::default()))
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
