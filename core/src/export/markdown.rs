//! A report for people. Text of records is escaped or fenced, so that it never becomes structure.

use std::fmt::Write as _;

use super::{Export, RunChunk};
use crate::error::Error;
use crate::history::History;
use crate::json::write as text;
use crate::model::finding::Finding;

pub(super) fn head(history: &History, export: &Export) -> String {
    let mut out = String::from("# Agent loop report\n\n");
    if let Some(created) = &export.options.created {
        let _ = writeln!(out, "Created {}.\n", inline(created));
    }
    if export.runs.len() > 1 {
        let headline = history.headline_by(&export.runs, &history.verdicts(&export.runs));
        let _ = writeln!(out, "**{}**\n", headline.says);
    }
    let _ = writeln!(
        out,
        "Runs: {}. Rewards run from 0 to 1. A dash means that the value is unknown.",
        export.runs.len()
    );
    out
}

pub(super) fn run(chunk: &RunChunk<'_>) -> Result<String, Error> {
    let run = chunk.history.run(chunk.run)?;
    let view = run.view();
    let mut out = String::new();
    let _ = writeln!(out, "\n## Run {}\n", inline(&view.key));
    let _ = writeln!(out, "**{}**\n", chunk.verdict()?.headline.says);
    let mut fact = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = writeln!(out, "- {name}: {value}");
        }
    };
    fact("Task", view.task.as_deref().filter(|_| chunk.options.prompts).map(inline));
    let detail = view.outcome_detail.as_deref().map(|d| format!(" ({})", inline(d)));
    let note = view.outcome_note.as_deref().map(|note| format!(", {}", inline(note)));
    let ended = [Some(view.outcome.as_str().to_owned()), detail, note];
    fact("Outcome", Some(ended.into_iter().flatten().collect()));
    fact("Iterations", Some(view.iterations.to_string()));
    fact(
        "Best reward",
        view.best.map(|best| {
            let at = view.best_number.map(|n| format!(", iteration {n}")).unwrap_or_default();
            format!("{}{at}", number(Some(best)))
        }),
    );
    fact("Last reward", view.last.map(|last| number(Some(last))));
    let rule = super::by_rule(&view, |rule| format!("`{rule}`"));
    let rewards = format!("{}{rule}", view.reward_origin.as_str());
    fact("Rewards", view.last.or(view.reward).map(|_| rewards));
    fact("Reward refuted", chunk.refutation().map(|says| inline(&says)));
    let refuted = chunk.refutations();
    fact("Format", Some(format!("`{}`", view.format)));
    let iterations = run.iterations();
    if !iterations.is_empty() {
        out.push_str("\n| Iteration | Outcome | Reward | Change | Errors | Reflections | Problems |\n|---:|---|---:|---:|---:|---:|---:|\n");
    }
    for iteration in &iterations {
        let errors = iteration.errors.map_or_else(|| "-".to_owned(), |n| n.to_string());
        let against = refuted.get(&iteration.number);
        let against = against.map(|says| format!(" (refuted: {})", inline(says)));
        let reward = number(iteration.reward) + &against.unwrap_or_default();
        let detail = iteration.outcome_detail.as_deref();
        let detail = detail.map(|d| format!(" ({})", inline(d))).unwrap_or_default();
        let _ = writeln!(
            out,
            "| {} | {}{detail} | {} | {} | {errors} | {} | {} |",
            iteration.number,
            iteration.outcome.as_str(),
            reward,
            number(iteration.delta),
            iteration.reflections.len(),
            iteration.findings,
        );
    }
    reflections(chunk, &mut out);
    list(chunk.history, &chunk.findings(), "### Problems of its records", &mut out);
    Ok(out)
}

fn reflections(chunk: &RunChunk<'_>, out: &mut String) {
    let mut has_any = false;
    let of_steps = chunk.loaded_run.steps.iter().flat_map(|step| &step.reflections);
    for at in chunk.loaded_run.earlier.iter().chain(of_steps) {
        let Some(reflection) = chunk.loaded_run.reflection(at) else { continue };
        if !has_any {
            out.push_str("\n### Reflections\n");
            has_any = true;
        }
        let _ = writeln!(out, "\nIteration {}:\n\n{}", at.number, fenced(&reflection.text));
        let mut point = |name: &str, text: &str| {
            let _ = writeln!(out, "- {name}: {}", inline(text));
        };
        if reflection.root_cause.is_some() || !reflection.insights.is_empty() {
            point("Root cause", reflection.root_cause.as_deref().unwrap_or("-"));
        }
        reflection.insights.iter().for_each(|insight| point("Insight", insight));
        reflection.lessons.iter().for_each(|lesson| point("Lesson", lesson));
    }
}

pub(super) fn tail(history: &History, export: &Export) -> String {
    let mut out = String::new();
    if export.is_all {
        let others: Vec<Finding> = history.each_finding().filter(|f| f.run.is_none()).collect();
        let others: Vec<&Finding> = others.iter().collect();
        list(history, &others, "## Problems of files", &mut out);
    }
    out
}

fn list(history: &History, findings: &[&Finding], title: &str, out: &mut String) {
    if findings.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}\n");
    for finding in findings {
        let path = finding.source.and_then(|source| history.source(source).ok()).map(|s| s.path);
        let place = path.map(|path| match (finding.line, finding.column) {
            (Some(line), Some(column)) => format!(" ({}:{line}:{column})", inline(&path)),
            _ => format!(" ({})", inline(&path)),
        });
        let number = finding.iteration.map(|n| format!(", iteration {n}")).unwrap_or_default();
        let _ = writeln!(
            out,
            "- {} `{}`{number}: {}{}",
            finding.severity.as_str(),
            finding.rule,
            inline(&finding.message),
            place.unwrap_or_default(),
        );
    }
}

fn number(x: Option<f64>) -> String {
    x.and_then(text::number).unwrap_or_else(|| "-".to_owned())
}

/// Text within a line: what could be markup is escaped, and a line break is a space.
pub(crate) fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => out.push(' '),
            c if c.is_ascii_punctuation() && !matches!(c, ',' | '\'' | '/') => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// Text on lines of its own, in a fence that is longer than any in it.
pub(crate) fn fenced(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}text\n{}\n{fence}", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_text_is_never_structure() {
        assert_eq!(inline("a|b\n# *c* [x](y) <b>"), "a\\|b \\# \\*c\\* \\[x\\]\\(y\\) \\<b\\>");
        assert_eq!(fenced("```\n# x\n````"), "`````text\n```\n# x\n````\n`````");
    }
}
