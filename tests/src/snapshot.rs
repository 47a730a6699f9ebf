//! A history as a person would want to review it: one line for each thing that it says.

use std::fmt::Write as _;

use hindscope::{Finding, History, IterationView, Run, Severity, SourceView, WindowRule};

use crate::dump::window_text;
use crate::input::{Input, open};

/// What the history of these files shows.
pub fn snapshot(files: &[Input]) -> String {
    let history = open(files, usize::MAX);
    let mut text = Lines(String::new());
    for source in history.sources() {
        text.line(0, source_line(&source));
    }
    for group in history.groups() {
        text.line(0, "");
        text.line(
            0,
            format!(
                "group {} · {} · {} runs · {} reflections",
                group.label, group.format, group.runs, group.reflections
            ),
        );
        if !group.solved_after.is_empty() {
            text.line(
                1,
                format!(
                    "solved after {:?} · attempted {:?} · at {:?}",
                    group.solved_after, group.attempted, group.numbers
                ),
            );
        }
        for view in history.runs() {
            if view.group == group.id {
                let run = history.run(view.id).expect("the history listed it");
                show_run(&mut text, &history, files, &run);
            }
        }
    }
    text.line(0, "");
    let findings = history.findings();
    text.line(0, format!("{} findings", findings.len()));
    for finding in &findings {
        show_finding(&mut text, finding);
    }
    text.0
}

/// Text, line by line.
struct Lines(String);

impl Lines {
    fn line(&mut self, depth: usize, line: impl AsRef<str>) {
        for line in line.as_ref().split('\n') {
            let indent = if line.is_empty() { 0 } else { depth * 2 };
            // Writing to a string cannot fail.
            let _ = writeln!(self.0, "{:indent$}{line}", "");
        }
    }
}

fn source_line(source: &SourceView) -> String {
    let state = format!("{:?}", source.state).to_lowercase();
    let mut line = format!("{} · {state}", source.path);
    let framing = source.framing.map(hindscope::Framing::as_str);
    for word in [source.format.as_deref(), framing].into_iter().flatten() {
        let _ = write!(line, " · {word}");
    }
    let _ = write!(line, " · {} · {} bytes · {} kept", source.encoding, source.bytes, source.kept);
    for (count, word) in [(source.repaired, "repaired"), (source.skipped, "skipped")] {
        if count > 0 {
            let _ = write!(line, " · {count} {word}");
        }
    }
    if let Some(reason) = &source.reason {
        let _ = write!(line, " · {reason}");
    }
    line
}

fn show_run(text: &mut Lines, history: &History, files: &[Input], run: &Run<'_>) {
    let view = run.view();
    let mut line = format!("run {} · {} · {}", view.key, view.outcome.as_str(), view.trend);
    if let Some(detail) = &view.outcome_detail {
        let _ = write!(line, " · {detail}");
    }
    let _ = write!(line, " · base {} {}", view.base, view.base_provenance);
    match view.omega {
        Some(omega) => {
            let _ = write!(line, " · Ω {omega} {}", view.omega_provenance);
        }
        None => line.push_str(" · Ω unbounded"),
    }
    let _ = write!(line, " · rewards {}", view.reward_origin.as_str());
    for (name, value) in [("best", view.best), ("last", view.last)] {
        if let Some(value) = value {
            let _ = write!(line, " · {name} {value}");
        }
    }
    text.line(1, line);
    if let Some(task) = &view.task {
        text.line(2, format!("task: {}", task.escape_debug()));
    }
    for iteration in run.iterations() {
        text.line(2, iteration_line(&iteration));
    }
    let next =
        run.iterations().last().map_or(i64::from(view.base), |last| last.number.saturating_add(1));
    let rule = WindowRule { omega: Some(3), ..WindowRule::default() };
    if let Ok(window) = run.window(next, rule) {
        text.line(2, format!("memory before {next} with Ω 3, evicted {:?}:", window.evicted()));
        text.line(3, window_text(history, files, run, &window.view().held).trim_end());
    }
}

fn iteration_line(iteration: &IterationView) -> String {
    let mut line = format!("{} {}", iteration.number, iteration.outcome.as_str());
    if let Some(detail) = &iteration.outcome_detail {
        let _ = write!(line, " ({detail})");
    }
    if let Some(reward) = iteration.reward {
        let _ = write!(line, " · reward {reward}");
    }
    if let Some(delta) = iteration.delta {
        let _ = write!(line, " ({delta:+})");
    }
    if iteration.delta_gap > 0 {
        let _ = write!(line, " over a gap of {}", iteration.delta_gap);
    }
    if let Some(errors) = iteration.errors {
        let _ = write!(line, " · {errors} errors");
    }
    if let Some(time) = iteration.time_ms {
        let _ = write!(line, " · at {time}");
    }
    let _ = write!(line, " · record {}.{}", iteration.record.0, iteration.part);
    if !iteration.merged.is_empty() {
        let merged: Vec<u32> = iteration.merged.iter().map(|id| id.0).collect();
        let _ = write!(line, " merged {merged:?}");
    }
    let _ = write!(line, " · {} reflections", iteration.reflections.len());
    line
}

fn show_finding(text: &mut Lines, finding: &Finding) {
    let severity = match finding.severity {
        Severity::Error => "error  ",
        Severity::Warning => "warning",
        Severity::Info => "info   ",
    };
    let mut line = format!("{severity} {}", finding.rule);
    if let Some(source) = finding.source {
        let _ = write!(line, " · source {}", source.0);
    }
    if let (Some(at), Some(column)) = (finding.line, finding.column) {
        let _ = write!(line, ":{at}:{column}");
    }
    if let Some(offset) = finding.offset {
        let _ = write!(line, " @{offset}");
    }
    if let Some(pointer) = &finding.pointer {
        let _ = write!(line, " · {pointer:?}");
    }
    if let Some(iteration) = finding.iteration {
        let _ = write!(line, " · iteration {iteration}");
    }
    if !finding.evidence.is_empty() {
        let numbers: Vec<i64> = finding.evidence.iter().map(|e| e.number).collect();
        let _ = write!(line, " · of {numbers:?}");
    }
    text.line(1, line);
    text.line(2, finding.message.replace('\n', "\\n"));
    if let Some(hint) = &finding.hint {
        text.line(2, format!("→ {hint}"));
    }
}
