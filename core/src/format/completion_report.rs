//! `completion-report`: what a loop writes for people in Markdown.

use serde_json::{Map, Value};

use super::lines::{leading_iteration, leading_number};
use super::markdown::{self, Report, Row, Table};
use super::measured::{self, SCORE};
use super::parsed_record::{Context, Cut, Cuts, ParsedRecord};
use super::traits::{Role, Traits};
use super::{Format, Reading};
use crate::model::details::{Action, Details, NamedText, Reflection, Usage};
use crate::model::finding::{Finding, Severity};
use crate::model::outcome::Outcome;
use crate::model::run_details::{Declared, RunDetails};
use crate::source::framing::Framing;

pub(crate) const FORMAT: Format = Format {
    id: "completion-report",
    title: "Report of a loop in Markdown",
    gives: "details that no other record of the run has",
    known_by: "a first heading that contains Completion Report, Loop Analytics, Loop Checkpoint or Output Selection Report; or Cycle, a number and Completion",
    found_at: "completion-*.md, *-report.md, iteration-*-checkpoint.md",
    fits,
    traits: Traits { rank: 12, role: Role::Report, ..Traits::USUAL },
    reading: Reading::Text { framing: Framing::Markdown, cut, parse },
};

/// What the titles of reports contain.
const TITLES: [&str; 4] =
    ["Completion Report", ANALYTICS, "Loop Checkpoint", "Output Selection Report"];
/// Its title ends with the id of the loop.
const ANALYTICS: &str = "Loop Analytics";

/// Whether a record is of this format.
fn fits(value: &Value, _context: &Context) -> bool {
    let title = value.as_str().and_then(markdown::title);
    title.is_some_and(|title| {
        TITLES.iter().any(|of_report| title.contains(of_report)) || is_of_cycle(title)
    })
}

/// `Ralph Cycle #7 - Completion Summary`, `RALPH CYCLE #6 COMPLETION - Title`: each cycle is a loop.
fn is_of_cycle(title: &str) -> bool {
    let title = title.to_lowercase();
    let Some((before, after)) = title.split_once("cycle #") else { return false };
    let what = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_word = before.is_empty() || before.ends_with(' ');
    is_word
        && what.len() < after.len()
        && what.trim_start_matches([' ', '-', '–', '—', ':']).starts_with("completion")
}

/// The whole report is one record.
fn cut(text: &str) -> Cuts {
    let report = markdown::read(text);
    let unexpected = history(&report).into_iter().flat_map(|table| {
        let width = table.columns.len();
        table.rows.iter().filter(move |row| row.cells.len() != width).map(move |row| (row, width))
    });
    Cuts {
        findings: unexpected.map(|(row, width)| (row.at, columns(row, width))).collect(),
        records: vec![Cut { range: 0..text.len(), context: Context::default() }],
        skipped: 0,
    }
}

/// `md/columns`.
fn columns(row: &Row, width: usize) -> Finding {
    let found = row.cells.len();
    Finding::new(
        "md/columns",
        Severity::Warning,
        format!(
            "The row has {found} cells, but the table has {width} columns. The row is kept as text."
        ),
    )
    .contrast(format!("{width} cells"), format!("{found} cells"))
    .hint("Put a backslash before each | inside a cell.")
}

/// Headings above the table of attempts.
const HEADINGS: [&str; 2] = ["Iteration History", "Quality Scores"];

/// The table of attempts.
fn history(report: &Report) -> Option<&Table> {
    report.tables.iter().find(|table| {
        let first = table.columns.first().map(String::as_str);
        HEADINGS.contains(&table.heading.as_str()) && matches!(first, Some("#" | "Iteration"))
    })
}

fn parse(text: &str, _context: &Context) -> ParsedRecord {
    let report = markdown::read(text);
    let mut steps = Vec::new();
    let mut scores = Vec::new();
    if let Some(table) = history(&report) {
        let rows = table.rows.iter().filter(|row| row.cells.len() == table.columns.len());
        for (at, row) in rows.enumerate() {
            let attempt = Attempt::read(&table.columns, &row.cells);
            scores.extend(attempt.item.get(SCORE).cloned());
            steps.extend(attempt.step(at == 0));
        }
    }
    let judged = measured::judge(scores.iter().map(|score| (String::new(), score)));
    let findings = judged.into_iter().map(|f| Finding { pointer: None, ..f }).collect();
    ParsedRecord { findings, ..ParsedRecord::of(about(&report), steps) }
}

/// Keys that have a place, in lower case.
const KNOWN: [&str; 12] = [
    "task",
    "status",
    "iterations",
    "total iterations",
    "loop id",
    "timestamp",
    "selected iteration",
    "best output",
    "trajectory",
    "total tokens",
    "total cost",
    "reason",
];

fn about(report: &Report) -> RunDetails {
    let value = |name: &str| {
        let found = report.pairs.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str()).filter(|value| !is_blank(value))
    };
    let status = value("status");
    let (outcome, detail) = status.map_or((Outcome::Unknown, None), outcome_of);
    let counted = value("iterations").or_else(|| value("total iterations"));
    let declared = declared(&value);
    let others = report.pairs.iter().filter(|(key, _)| !KNOWN.contains(&&*key.to_lowercase()));
    let titled = report.title.iter().map(|title| ("title", title));
    let texts = titled.chain(others.map(|(key, value)| (key.as_str(), value)));
    RunDetails {
        key: value("loop id").map(str::to_owned).or_else(|| key_of(report.title.as_deref()?)),
        // Some loops work at an issue, and name nothing else.
        task: value("task").or_else(|| value("issue")).map(str::to_owned),
        status: status.map(str::to_owned),
        outcome: (outcome != Outcome::Unknown).then_some(outcome),
        outcome_detail: detail.map(str::to_owned),
        start: value("duration").and_then(start_of),
        updated: value("timestamp").map(str::to_owned),
        counter: counted.and_then(leading_integer).or_else(|| checkpoint(report.title.as_deref()?)),
        max_iterations: counted.and_then(limit_of),
        declared: (declared != Declared::default()).then_some(declared),
        texts: texts
            .map(|(name, text)| NamedText { name: name.to_owned(), text: text.clone() })
            .collect(),
        ..RunDetails::default()
    }
}

/// `Ralph Loop Checkpoint: Iteration 5` → 5.
fn checkpoint(title: &str) -> Option<i64> {
    leading_integer(title.split_once("Checkpoint: Iteration ")?.1)
}

/// The id that a title of analytics ends with.
fn key_of(title: &str) -> Option<String> {
    let (_, tail) = title.split_once(ANALYTICS)?;
    let key = tail.trim_start_matches(':').trim();
    (!key.is_empty()).then(|| key.to_owned())
}

fn declared<'a>(value: &impl Fn(&str) -> Option<&'a str>) -> Declared {
    let number = |name| value(name).and_then(named_integer);
    let usage = Usage {
        tokens: value("total tokens").and_then(amount),
        cost_usd: value("total cost").and_then(amount),
        ..Usage::default()
    };
    Declared {
        best: number("best output"),
        selected: number("selected iteration").or_else(|| number("selected")),
        trajectory: value("trajectory").map(str::to_owned),
        reason: value("reason").map(str::to_owned).or_else(|| {
            let (_, reason) = value("selected")?.split_once('(')?;
            Some(reason.strip_suffix(')').unwrap_or(reason).to_owned())
        }),
        usage: (usage != Usage::default()).then_some(usage),
        ..Declared::default()
    }
}

/// `start → end`: the end is that of the first saving, as in the analytics themselves.
fn start_of(duration: &str) -> Option<String> {
    let (start, _) = duration.split_once('→')?;
    Some(start.trim().to_owned())
}

fn is_blank(cell: &str) -> bool {
    matches!(cell, "" | "-" | "–" | "—" | "-%" | "N/A" | "n/a")
}

/// A number without `~`, `$` or `+` before it, `%` behind it, and commas. A minus sign is kept.
fn amount(cell: &str) -> Option<f64> {
    let plain = cell.trim().trim_start_matches(['~', '$', '+']).trim_end_matches('%').trim();
    plain.replace(',', "").parse().ok().filter(|n: &f64| n.is_finite())
}

/// `2 ✓` → 2.
fn leading_integer(cell: &str) -> Option<i64> {
    leading_number(cell).map(|(number, _)| number)
}

/// `Iteration 5 (quality: 90)` → 5.
fn named_integer(text: &str) -> Option<i64> {
    leading_integer(text.strip_prefix("Iteration").unwrap_or(text).trim())
}

/// `3 of 10` or `3/10` → 10.
fn limit_of(text: &str) -> Option<i64> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    let limit = rest.strip_prefix('/').or_else(|| rest.strip_prefix("of "))?;
    leading_integer(limit.trim_start())
}

/// One row of the table of attempts, while it is read.
#[derive(Debug, Default)]
struct Attempt {
    /// What other formats say of an attempt, by their names.
    item: Map<String, Value>,
    /// The score as it is spelled.
    score: Option<String>,
    result: Option<String>,
    action: Option<String>,
    learnings: Option<String>,
    texts: Vec<NamedText>,
}

impl Attempt {
    fn read(columns: &[String], cells: &[String]) -> Self {
        let mut attempt = Self::default();
        for (column, cell) in columns.iter().zip(cells).filter(|(_, cell)| !is_blank(cell)) {
            attempt.take(column, cell);
        }
        attempt
    }

    fn take(&mut self, column: &str, cell: &str) {
        let number = || amount(cell).map(Value::from);
        let (name, value) = match column.to_lowercase().as_str() {
            "#" | "iteration" => {
                ("iteration_number", leading_iteration(cell).map(|(n, _)| n.into()))
            }
            "quality" => {
                self.score = Some(cell.to_owned());
                (SCORE, number())
            }
            "delta" => ("quality_delta", number()),
            "tokens" => ("tokens_used", number()),
            "cost" => ("token_cost_usd", number()),
            "verified" => ("verification_status", verdict(cell).map(Value::from)),
            "result" => return self.result = Some(cell.to_owned()),
            "action" => return self.action = Some(cell.to_owned()),
            "learnings" => return self.learnings = Some(cell.to_owned()),
            // Kept as a text below.
            _ => ("", None),
        };
        match value {
            Some(value) => {
                self.item.insert(name.to_owned(), value);
            }
            None => {
                self.texts.push(NamedText { name: column.to_owned(), text: cell.to_owned() });
            }
        }
    }

    /// Nothing if the row has no number: sums, for one.
    fn step(self, is_first: bool) -> Option<Details> {
        let mut step = measured::step(&Value::Object(self.item), is_first);
        step.number?;
        if let Some(reward) = &mut step.reward {
            reward.raw = self.score;
        }
        step.texts = self.texts;
        if let Some(result) = self.result {
            let (outcome, detail) = outcome_of(&result);
            step.outcome = step.outcome.or(Some(outcome));
            step.outcome_detail = step.outcome_detail.or_else(|| detail.map(str::to_owned));
            if outcome == Outcome::Unknown || result.contains(' ') {
                step.texts.push(NamedText { name: "Result".to_owned(), text: result });
            }
        }
        step.actions = self.action.map(Action::described).into_iter().collect();
        step.reflections = self.learnings.map(Reflection::of).into_iter().collect();
        Some(step)
    }
}

/// The outcome that a word means; a mark may stand before it.
fn outcome_of(text: &str) -> (Outcome, Option<&'static str>) {
    Outcome::read(text.trim_start_matches(|c: char| !c.is_alphanumeric()))
}

/// A mark as the word that it stands for.
fn verdict(cell: &str) -> Option<String> {
    Some(match cell.trim_end_matches('\u{fe0f}') {
        "✓" | "✔" | "✅" => "passed".to_owned(),
        "✗" | "✘" | "❌" | "×" => "failed".to_owned(),
        word if word.starts_with(|c: char| c.is_ascii_alphabetic()) => word.to_owned(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed_of(text: &str) -> (RunDetails, Vec<Details>) {
        assert!(fits(&Value::String(text.to_owned()), &Context::default()));
        let run = parse(text, &Context::default()).runs.remove(0);
        (run.about, run.steps)
    }

    #[test]
    fn the_hooks_table_lists_attempts() {
        let (about, steps) = parsed_of(
            "# Ralph Loop Completion Report\n\n**Task**: Trim it\n**Status**: SUCCESS\n**Iterations**: 2 of 5\n**Duration**: ~5 minutes\n\n## Iteration History\n\n| # | Action | Result | Learnings |\n|---|---|---|---|\n| 1 | Drop data | FAIL | Dates need it |\n| 2 | Split it | PASS | - |\n",
        );
        assert_eq!((about.counter, about.max_iterations), (Some(2), Some(5)));
        assert_eq!(about.outcome, Some(Outcome::Success));
        assert_eq!(about.texts[1].text, "~5 minutes");
        let outcomes: Vec<_> = steps.iter().map(|s| (s.number, s.outcome)).collect();
        let expected = [(Some(1), Some(Outcome::Failure)), (Some(2), Some(Outcome::Success))];
        assert_eq!(outcomes, expected);
        assert_eq!((steps[0].reflections.len(), steps[1].reflections.len()), (1, 0));
        assert_eq!(steps[0].actions[0].description, "Drop data");
    }

    #[test]
    fn scores_are_percentages_and_marks_are_verdicts() {
        let (about, steps) = parsed_of(
            "# Agent Loop Analytics: a-1\n**Duration:** 2026-03-07T10:00:00Z → 2026-03-07T10:01:00Z\n\n| Metric | Value |\n|--|--|\n| Selected Iteration | 2 |\n| Total Tokens | 1,200 |\n## Iteration History\n| # | Quality | Delta | Tokens | Cost | Verified |\n|--|--|--|--|--|--|\n| 1 | 40.0 | +0.0 | 700 | $0.0100 | ✗ |\n| 2 ✓ | 85% | +45.0% | N/A | N/A | ✓ |\n| 3 | 80.0 | -5.0 | 500 | $0.0100 | - |\n",
        );
        assert_eq!(about.key.as_deref(), Some("a-1"));
        assert_eq!(about.start.as_deref(), Some("2026-03-07T10:00:00Z"));
        let declared = about.declared.expect("it sums up");
        assert_eq!(
            (declared.selected, declared.usage.and_then(|u| u.tokens)),
            (Some(2), Some(1200.0))
        );
        let rewards: Vec<_> = steps
            .iter()
            .filter_map(|s| s.reward.as_ref())
            .map(|r| (r.value, r.raw.clone()))
            .collect();
        let raw = |text: &str| Some(text.to_owned());
        assert_eq!(rewards, [(0.4, raw("40.0")), (0.85, raw("85%")), (0.8, raw("80.0"))]);
        let deltas: Vec<_> = steps.iter().map(|s| s.stored.as_ref()?.reward_change).collect();
        assert_eq!(deltas, [None, Some(0.45), Some(-0.05)]);
        let outcomes: Vec<_> = steps.iter().map(|s| s.outcome).collect();
        assert_eq!(outcomes, [Some(Outcome::Failure), Some(Outcome::Success), None]);
        assert_eq!(steps[1].usage, None);
    }

    #[test]
    fn a_row_of_another_width_is_said_and_left_out() {
        let text = "# Loop Completion Report\n## Iteration History\n| # | Action | Result |\n|--|--|--|\n| 1 | a | b | PASS |\n| 2 | a \\| b | PASS |\n";
        let (_, steps) = parsed_of(text);
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].actions[0].description, "a | b");
        let cuts = cut(text);
        let [(at, finding)] = &cuts.findings[..] else { panic!("there is one") };
        assert_eq!(finding.rule, "md/columns");
        assert!(text[*at..].starts_with("| 1 |"));
    }

    #[test]
    fn a_cycle_is_a_loop_that_was_completed() {
        let (about, _) = parsed_of(
            "# Ralph Cycle #7 - Completion Summary\n\n**Issue**: #31 - Faster start\n**Status**: ✅ COMPLETE\n",
        );
        assert_eq!(about.task.as_deref(), Some("#31 - Faster start"));
        assert_eq!(about.outcome, Some(Outcome::Success));
        let (about, _) = parsed_of(
            "# RALPH CYCLE #6 COMPLETION - Start\n**Issue**: #30\n**Task**: Start faster\n",
        );
        assert_eq!(about.task.as_deref(), Some("Start faster"));
        assert!(fits(&Value::from("# Cycle #12: Completion Summary\n"), &Context::default()));
    }

    #[test]
    fn other_markdown_is_none() {
        let cycles = ["# Cycle # Completion\n", "# Cycle #7 - Plan\n", "# Bicycle #7 completion\n"];
        for text in
            ["# Notes\n", "## Ralph Loop Completion Report\n", "plain"].iter().chain(&cycles)
        {
            assert!(!fits(&Value::from(*text), &Context::default()), "{text}");
        }
    }
}
