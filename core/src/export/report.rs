//! A report for people as one HTML file: no script, no requests, one style that its own policy
//! names by hash. Text of records is escaped, so that it never becomes structure.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Export, RunChunk, chart};
use crate::chart::svg::escaped;
use crate::error::Error;
use crate::history::History;
use crate::insight::answer::Trajectory;
use crate::insight::verdict::RunVerdict;
use crate::model::curve::TrajectoryClass;
use crate::model::finding::{Finding, Severity};
use crate::model::options::InsightOptions;
use crate::model::outcome::Outcome;
use crate::model::reward::{Origin, signed};
use crate::model::view::{IterationView, RunView};
use crate::text::whole;

/// The one style of a report.
const STYLE: &str = include_str!("report.css");
/// SHA-256 of it, in base64; a test computes it.
const STYLE_HASH: &str = "FkkghJDe9DF5P4nSDzqleqtZSX7WZznWcqXMHZCPBac=";
/// Rows of a table from each end; a report of a longer run says how many it left out.
const ROWS: usize = 500;

pub(super) fn head(history: &History, export: &Export) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>Agent loop report</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>Agent loop report</h1>\n"
    );
    let created = export.options.created.as_deref().map(|at| format!(", created {}", escaped(at)));
    let unit = if export.options.points { "are points, 0 to 100" } else { "run from 0 to 1" };
    let _ = writeln!(
        out,
        "<p class=\"quiet\">{}{}. Runs: {}. Rewards {unit}. A dash means that the value is unknown.</p>",
        super::generator(),
        created.unwrap_or_default(),
        whole(export.runs.len()),
    );
    if export.runs.len() > 1 {
        let verdicts = history.verdicts(&export.runs);
        let headline = history.headline_by(&export.runs, &verdicts);
        let _ = writeln!(out, "<p><strong>{}</strong></p>", escaped(&headline.says));
        runs(history, export, &verdicts, &mut out);
    }
    out
}

/// All runs beside each other.
fn runs(history: &History, export: &Export, verdicts: &[RunVerdict], out: &mut String) {
    out.push_str("<div class=\"wide\">\n<table>\n<thead><tr><th scope=\"col\">Run</th><th scope=\"col\">Outcome</th><th scope=\"col\" class=\"num\">Iterations</th><th scope=\"col\" class=\"num\">Best</th><th scope=\"col\" class=\"num\">Last</th><th scope=\"col\">Rewards</th><th scope=\"col\" class=\"num\">Reflections</th><th scope=\"col\">Verdict</th></tr></thead>\n<tbody>\n");
    let verdicts: BTreeMap<_, _> = verdicts.iter().map(|verdict| (verdict.run, verdict)).collect();
    for (at, view) in history.run_rows(&export.runs).iter().enumerate() {
        let unit = Unit { is_points: export.options.points };
        let best = view.best.map(|best| {
            let number = view.best_number.map(|n| format!(" at {n}")).unwrap_or_default();
            format!("{}{number}", unit.reward(best))
        });
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\"><a href=\"#run-{at}\">{}</a></th><td>{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td><td>{}</td><td class=\"num\">{}</td><td>{}</td></tr>",
            escaped(&view.key),
            ended(view),
            view.iterations,
            dash(best),
            dash(view.last.map(|last| unit.reward(last))),
            origin(view),
            view.reflections,
            verdicts.get(&view.id).map_or("", |verdict| verdict.headline.says.as_str()),
        );
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

pub(super) fn run(chunk: &RunChunk<'_>) -> Result<String, Error> {
    let run = chunk.history.run(chunk.run)?;
    let view = run.view();
    let explained = chunk.loaded_run.explain(&InsightOptions::default());
    let unit = Unit { is_points: chunk.options.points };
    let mut out = String::new();
    let _ = writeln!(out, "<section>\n<h2 id=\"run-{}\">{}</h2>", chunk.at, escaped(&view.key));
    let says = chunk.verdict()?.headline.says;
    let _ = writeln!(out, "<p><strong>{}</strong></p>", escaped(&says));
    if let Some(task) = view.task.as_ref().filter(|_| chunk.options.prompts) {
        let _ = writeln!(out, "<p class=\"task\" dir=\"auto\">{}</p>", escaped(task));
    }
    facts(chunk, &view, &explained.trajectory, unit, &mut out);
    if view.iterations > 0 {
        let _ = writeln!(out, "<figure>\n{}</figure>", chart::figure(chunk)?);
    }
    let is_grave = |finding: &&Finding| finding.severity != Severity::Info;
    let grave: Vec<&Finding> = explained.findings.iter().filter(is_grave).collect();
    let quiet: Vec<&Finding> = explained.findings.iter().filter(|f| !is_grave(f)).collect();
    list(chunk.history, &grave, "Warnings", 3, &mut out);
    list(chunk.history, &quiet, "Also seen", 3, &mut out);
    let refuted = chunk.refutations();
    iterations(&run.iterations(), &view, unit, &refuted, &mut out);
    if chunk.options.reflections {
        reflections(chunk, &mut out);
    }
    list(chunk.history, &chunk.findings(), "Problems of its records", 3, &mut out);
    out.push_str("</section>\n");
    Ok(out)
}

pub(super) fn tail(history: &History, export: &Export) -> String {
    let mut out = String::new();
    if export.is_all {
        let others: Vec<Finding> = history.each_finding().filter(|f| f.run.is_none()).collect();
        let others: Vec<&Finding> = others.iter().collect();
        list(history, &others, "Problems of files", 2, &mut out);
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// How rewards are written.
#[derive(Clone, Copy)]
struct Unit {
    is_points: bool,
}

impl Unit {
    fn reward(self, reward: f64) -> String {
        if self.is_points { format!("{:.1}", reward * 100.0) } else { format!("{reward:.3}") }
    }

    fn delta(self, delta: f64) -> String {
        signed(delta, &self.reward(delta.abs()))
    }
}

fn facts(
    chunk: &RunChunk<'_>,
    view: &RunView,
    trajectory: &Trajectory,
    unit: Unit,
    out: &mut String,
) {
    let mut facts = String::new();
    let mut fact = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = writeln!(facts, "<div><dt>{name}</dt><dd>{value}</dd></div>");
        }
    };
    let at = |number: Option<i64>| number.map(|n| format!(" at {n}")).unwrap_or_default();
    fact("Outcome", Some(ended(view)));
    fact("Status", view.status.as_deref().map(escaped));
    fact("Iterations", Some(view.iterations.to_string()));
    fact("Rewards", Some(origin(view)));
    fact("Reward refuted", chunk.refutation().map(|says| escaped(&says)));
    fact("Best", view.best.map(|best| unit.reward(best) + &at(view.best_number)));
    fact("Selected", trajectory.selected_reward.map(|r| unit.reward(r) + &at(trajectory.selected)));
    fact("Final", trajectory.last_reward.map(|r| unit.reward(r) + &at(trajectory.last)));
    fact("Final below selected", trajectory.degradation.map(|cost| unit.reward(cost)));
    let is_known = trajectory.class != TrajectoryClass::InsufficientData;
    fact("Trajectory", is_known.then(|| trajectory.class.as_str().to_owned()));
    fact("First success", view.first_success_number.map(|number| format!("at {number}")));
    fact("Started", view.start_ms.map(super::csv::iso));
    fact("Ended", view.end_ms.map(super::csv::iso));
    let omega = view.omega.map_or_else(|| "unbounded".to_owned(), |omega| omega.to_string());
    fact("Window \u{3a9}", Some(format!("{omega}, {}", view.omega_provenance.as_str())));
    fact("Reflections", Some(view.reflections.to_string()));
    fact("Format", Some(format!("<code>{}</code>", escaped(&view.format))));
    let group = chunk.history.group_facts(view.group).map(|(label, _)| label);
    fact("Group", group.filter(|label| !label.is_empty()).map(escaped));
    let _ = writeln!(out, "<dl>\n{facts}</dl>");
}

fn iterations(
    all: &[IterationView],
    view: &RunView,
    unit: Unit,
    refuted: &BTreeMap<i64, &str>,
    out: &mut String,
) {
    if all.is_empty() {
        return;
    }
    let derived = match (view.reward_origin, view.reward_rule.as_deref()) {
        (Origin::Derived, Some(rule)) => {
            format!(" <span class=\"derived\">derived by <code>{}</code></span>", escaped(rule))
        }
        (Origin::Derived, None) => " <span class=\"derived\">derived</span>".to_owned(),
        _ => String::new(),
    };
    let _ = writeln!(
        out,
        "<h3>Iterations</h3>\n<div class=\"wide\">\n<table>\n<thead><tr><th scope=\"col\" class=\"num\">Iteration</th><th scope=\"col\">Outcome</th><th scope=\"col\" class=\"num\">Reward{derived}</th><th scope=\"col\" class=\"num\">Change</th><th scope=\"col\" class=\"num\">File says</th><th scope=\"col\" class=\"num\">Errors</th><th scope=\"col\" class=\"num\">Reflections</th><th scope=\"col\" class=\"num\">Problems</th></tr></thead>\n<tbody>"
    );
    let hidden = all.len().saturating_sub(2 * ROWS);
    for (at, iteration) in all.iter().enumerate() {
        if hidden > 0 && at == ROWS {
            let _ = writeln!(
                out,
                "<tr><td colspan=\"8\" class=\"quiet\">{} iterations are left out here; the CSV and the JSON exports have all.</td></tr>",
                whole(hidden)
            );
        }
        if hidden > 0 && (ROWS..ROWS + hidden).contains(&at) {
            continue;
        }
        let gap = match iteration.delta_gap {
            0 => String::new(),
            gap => format!(" <span class=\"quiet\">gap of {gap}</span>"),
        };
        let against = refuted
            .get(&iteration.number)
            .map(|says| format!(" <span class=\"partial\">refuted: {}</span>", escaped(says)));
        let reward =
            dash(iteration.reward.map(|reward| unit.reward(reward))) + &against.unwrap_or_default();
        let merged = match iteration.merged.len() {
            0 | 1 => String::new(),
            records => format!(" <span class=\"partial\">\u{d7}{records} records</span>"),
        };
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\" class=\"num\">{}{merged}</th><td>{}</td><td class=\"num\">{}</td><td class=\"num\">{}{gap}</td><td class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td></tr>",
            iteration.number,
            outcome(iteration.outcome, iteration.outcome_detail.as_deref()),
            reward,
            dash(iteration.delta.map(|delta| unit.delta(delta))),
            iteration.disputed_change().map(|stored| unit.delta(stored)).unwrap_or_default(),
            dash(iteration.errors.map(|errors| errors.to_string())),
            iteration.reflections.len(),
            iteration.findings,
        );
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

fn reflections(chunk: &RunChunk<'_>, out: &mut String) {
    let of_steps = chunk.loaded_run.steps.iter().flat_map(|step| &step.reflections);
    let mut has_any = false;
    for at in chunk.loaded_run.earlier.iter().chain(of_steps) {
        let Some(reflection) = chunk.loaded_run.reflection(at) else { continue };
        if !has_any {
            out.push_str("<h3>Reflections</h3>\n");
            has_any = true;
        }
        let text = escaped(reflection.text.trim_end());
        let _ = writeln!(
            out,
            "<p class=\"quiet\">Iteration {}</p>\n<pre dir=\"auto\">{text}</pre>",
            at.number
        );
        let root = reflection.root_cause.iter().map(|text| ("Root cause", text));
        let insights = reflection.insights.iter().map(|text| ("Insight", text));
        let lessons = reflection.lessons.iter().map(|text| ("Lesson", text));
        let points: Vec<_> = root.chain(insights).chain(lessons).collect();
        if !points.is_empty() {
            out.push_str("<ul>\n");
            for (name, text) in points {
                let _ = writeln!(
                    out,
                    "<li><span class=\"quiet\">{name}:</span> <span dir=\"auto\">{}</span></li>",
                    escaped(text)
                );
            }
            out.push_str("</ul>\n");
        }
    }
}

fn list(history: &History, findings: &[&Finding], title: &str, level: u8, out: &mut String) {
    if findings.is_empty() {
        return;
    }
    let _ = writeln!(out, "<h{level}>{title}</h{level}>\n<ul>");
    for finding in findings {
        let path = finding.source.and_then(|source| history.source(source).ok()).map(|s| s.path);
        let place = path.map(|path| match (finding.line, finding.column) {
            (Some(line), Some(column)) => format!(" ({}:{line}:{column})", escaped(&path)),
            _ => format!(" ({})", escaped(&path)),
        });
        let number = finding.iteration.map(|n| format!(", iteration {n}")).unwrap_or_default();
        let hint = finding.hint.as_deref().map(|hint| format!(" {}", escaped(hint)));
        let class = match finding.severity {
            Severity::Error => "fail",
            Severity::Warning => "partial",
            Severity::Info => "quiet",
        };
        let _ = writeln!(
            out,
            "<li><span class=\"{class}\">{}</span> <code>{}</code>{number}: {}{}<span class=\"quiet\">{}</span></li>",
            finding.severity.as_str(),
            escaped(&finding.rule),
            escaped(&finding.message),
            hint.unwrap_or_default(),
            place.unwrap_or_default(),
        );
    }
    out.push_str("</ul>\n");
}

/// Letter, word and the finer word of an outcome.
fn outcome(outcome: Outcome, detail: Option<&str>) -> String {
    let class = match outcome {
        Outcome::Success => "pass",
        Outcome::Failure => "fail",
        Outcome::Partial => "partial",
        _ => "quiet",
    };
    let letter = escaped(&outcome.letter().to_string());
    let detail = detail.map(|detail| format!(" ({})", escaped(detail))).unwrap_or_default();
    format!("<span class=\"{class}\">{letter} {}</span>{detail}", outcome.as_str())
}

/// The outcome of a run, and what its attempts say otherwise.
fn ended(view: &RunView) -> String {
    let note = view.outcome_note.as_deref().map(|note| format!(", {}", escaped(note)));
    outcome(view.outcome, view.outcome_detail.as_deref()) + &note.unwrap_or_default()
}

fn origin(view: &RunView) -> String {
    let word = view.reward_origin.as_str();
    match view.reward_origin {
        Origin::Derived => {
            let rule = super::by_rule(view, |rule| format!("<code>{}</code>", escaped(rule)));
            format!("<span class=\"derived\">{word}</span>{rule}")
        }
        _ => word.to_owned(),
    }
}

fn dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_policy_names_the_style() {
        let hash = crate::json::write::base64(&Sha256::digest(STYLE.as_bytes()));
        assert_eq!(hash, STYLE_HASH);
        assert!(!STYLE.contains('<'));
    }

    #[test]
    fn changes_have_a_sign_and_nothing_has_none() {
        let (unit, points) = (Unit { is_points: false }, Unit { is_points: true });
        assert_eq!((unit.delta(0.14), unit.delta(-0.0001)), ("+0.140".into(), "0.000".into()));
        assert_eq!(
            (points.delta(-0.12), points.reward(0.555)),
            ("\u{2212}12.0".into(), "55.5".into())
        );
    }
}
