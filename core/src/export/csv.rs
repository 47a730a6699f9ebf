//! Tables: RFC 4180, UTF-8, dots in numbers, nothing in the cell of what is not known.

use super::options::CsvProfile;
use super::{RunChunk, reward};
use crate::error::Error;
use crate::json::write as text;
use crate::model::datetime::is_date_time;
use crate::model::details::{Counter, Details};
use crate::model::id::RecordId;
use crate::model::outcome::Outcome;
use crate::model::reward::{Origin, rounded};
use crate::model::view::RunView;

/// Columns of the table of iterations: name, and what stands in it. A run without iterations has one row,
/// in which `number` and all else that only an iteration has are empty.
pub const CSV_COLUMNS: [(&str, &str); 25] = [
    ("group", "folder or file of the run"),
    ("run", "key of the run"),
    ("number", "number of the iteration, as written"),
    ("ordinal", "its position in the run, from 0"),
    ("outcome", "success, partial, failure, running, aborted, void or unknown"),
    ("outcome_detail", "a more specific word for the outcome"),
    ("reward", "0..1"),
    ("reward_origin", "reported or derived"),
    ("reward_rule", "rule that derived it"),
    ("delta", "difference to the nearest earlier reward"),
    ("errors", "errors of severity error"),
    ("error_delta", "change of that count"),
    ("is_improvement", "true or false, by `delta/is-improvement`"),
    ("time", "end of the attempt, ISO 8601"),
    ("ms", "duration in milliseconds"),
    ("tests_passed", "tests that passed"),
    ("tests_failed", "tests that failed"),
    ("tests_total", "all tests"),
    ("tokens", "tokens used"),
    ("cost_usd", "cost in US dollars"),
    ("reflections", "reflections written in it"),
    ("findings", "problems of its records"),
    ("source", "path of the file with its main record"),
    ("line", "line of that record, from 1"),
    ("verdict", "where the run was stuck and how it ended"),
];

const ANALYTICS: &str = "iteration,timestamp,quality_score,quality_delta,tokens_used,cost_usd,execution_time_ms,verification_status";

pub(super) fn head(profile: CsvProfile) -> String {
    match profile {
        CsvProfile::Analytics => ANALYTICS.to_owned(),
        CsvProfile::Iterations => {
            let names: Vec<&str> = CSV_COLUMNS.iter().map(|(name, _)| *name).collect();
            format!("{}\r\n", names.join(","))
        }
    }
}

pub(super) fn run(chunk: &RunChunk<'_>) -> Result<String, Error> {
    let run = chunk.history.run(chunk.run)?;
    let view = run.view();
    let label = chunk.history.group_facts(view.group).map_or("", |(label, _)| label);
    let none = Details::default();
    let mut out = String::new();
    let verdict = csv_cell(&chunk.verdict()?.headline.says);
    if chunk.options.profile == CsvProfile::Iterations && view.iterations == 0 {
        return Ok(row_of_run(chunk, &view, label, &verdict));
    }
    for (iteration, step) in run.iterations().iter().zip(&chunk.loaded_run.steps) {
        let details = chunk.loaded_run.details(step).unwrap_or(&none);
        let usage = details.usage.clone().unwrap_or_default();
        let time = time(iteration.time_ms, details);
        if chunk.options.profile == CsvProfile::Analytics {
            let percent = |x: f64| number(Some((x * 1e8).round() / 1e6));
            let cells = [
                iteration.number.to_string(),
                csv_cell(&time),
                iteration.reward.map(percent).unwrap_or_default(),
                iteration.delta.map(percent).unwrap_or_default(),
                number(usage.tokens),
                number(usage.cost_usd),
                number(details.duration_ms.or(usage.ms)),
                verification(iteration.outcome).to_owned(),
            ];
            // As its other writers have it: lines end in LF, the last one in nothing.
            out.push('\n');
            out.push_str(&cells.join(","));
            continue;
        }
        let [source, line] = place(chunk, step.record);
        let reward = reward(iteration, &view, details);
        let count = |name: &str| number(Counter::find(&details.counters, name));
        let whole = |n: Option<i64>| n.map(|n| n.to_string()).unwrap_or_default();
        let cells = [
            csv_cell(label),
            csv_cell(&view.key),
            iteration.number.to_string(),
            iteration.ordinal.to_string(),
            iteration.outcome.as_str().to_owned(),
            csv_cell(iteration.outcome_detail.as_deref().unwrap_or("")),
            number(iteration.reward),
            reward.as_ref().map_or("", |r| r.origin.as_str()).to_owned(),
            csv_cell(reward.as_ref().and_then(|r| r.rule.as_deref()).unwrap_or("")),
            number(iteration.delta),
            whole(iteration.errors.map(i64::from)),
            whole(iteration.error_delta),
            iteration.is_improvement.map(|is| is.to_string()).unwrap_or_default(),
            csv_cell(&time),
            number(details.duration_ms),
            count("tests_passed"),
            count("tests_failed"),
            count("tests_total"),
            number(usage.tokens),
            number(usage.cost_usd),
            iteration.reflections.len().to_string(),
            iteration.findings.to_string(),
            source,
            line,
            verdict.clone(),
        ];
        out.push_str(&cells.join(","));
        out.push_str("\r\n");
    }
    Ok(out)
}

/// Path and line of a record.
fn place(chunk: &RunChunk<'_>, record: RecordId) -> [String; 2] {
    let span = chunk.history.locate(record);
    span.map(|span| [csv_cell(&span.path), span.line.to_string()]).unwrap_or_default()
}

/// A run without iterations: what is known of it as a whole, and nothing where an iteration would be.
fn row_of_run(chunk: &RunChunk<'_>, view: &RunView, label: &str, verdict: &str) -> String {
    let about = chunk.loaded_run.about();
    let place = about.first().map(|(record, _)| place(chunk, *record));
    let [source, line] = place.unwrap_or_default();
    let has_reward = view.reward.is_some() && view.reward_origin != Origin::None;
    let cell = |name: &str| match name {
        "group" => csv_cell(label),
        "run" => csv_cell(&view.key),
        "outcome" => view.outcome.as_str().to_owned(),
        "outcome_detail" => csv_cell(view.outcome_detail.as_deref().unwrap_or("")),
        "reward" => number(view.reward),
        "reward_origin" if has_reward => view.reward_origin.as_str().to_owned(),
        "reward_rule" if has_reward => csv_cell(view.reward_rule.as_deref().unwrap_or("")),
        "time" => view.end_ms.map(iso).unwrap_or_default(),
        "reflections" => view.reflections.to_string(),
        "findings" => view.findings.to_string(),
        "source" => source.clone(),
        "line" => line.clone(),
        "verdict" => verdict.to_owned(),
        _ => String::new(),
    };
    let cells: Vec<String> = CSV_COLUMNS.iter().map(|(name, _)| cell(name)).collect();
    format!("{}\r\n", cells.join(","))
}

/// The time as written if it is a full time; otherwise the known instant in UTC, if there is one.
fn time(ms: Option<f64>, details: &Details) -> String {
    match details.time.as_deref().map(str::trim) {
        Some(text) if is_date_time(text) => text.to_owned(),
        _ => ms.map(iso).unwrap_or_default(),
    }
}

/// An instant in ISO 8601, UTC.
#[expect(clippy::cast_possible_truncation, reason = "years that people write fit well")]
pub(crate) fn iso(ms: f64) -> String {
    let total = ms.floor() as i64;
    let (days, of_day) = (total.div_euclid(86_400_000), total.rem_euclid(86_400_000));
    // The calendar repeats every 400 years; they begin on 1 March here.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute) = (of_day / 3_600_000, of_day / 60_000 % 60);
    let (second, milli) = (of_day / 1000 % 60, of_day % 1000);
    let fraction = if milli == 0 { String::new() } else { format!(".{milli:03}") };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

fn number(x: Option<f64>) -> String {
    x.map(rounded_if_small).and_then(text::number).unwrap_or_default()
}

/// Nine decimals, as everywhere; larger numbers keep what they have.
fn rounded_if_small(x: f64) -> f64 {
    if x.abs() < 1e6 { rounded(x) } else { x }
}

fn verification(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Success => "passed",
        Outcome::Failure | Outcome::Partial => "failed",
        Outcome::Void => "void",
        Outcome::Running | Outcome::Aborted | Outcome::Unknown => "skipped",
    }
}

/// A cell of text for a table in CSV. What a spreadsheet would take for a formula gets an apostrophe in front.
///
/// The same holds inside a cell after a semicolon, a tab or the end of a line: a spreadsheet that separates cells by
/// semicolons or tabs ignores quotation marks inside a cell, and begins another cell there.
///
/// ```
/// assert_eq!(hindscope::csv_cell("=1+1"), "'=1+1");
/// assert_eq!(hindscope::csv_cell("a, b;=1+1"), "\"a, b;'=1+1\"");
/// ```
pub fn csv_cell(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut begins = true;
    for c in text.chars() {
        let is_first = safe.is_empty();
        let is_formula = matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠');
        let ends = matches!(c, '\t' | '\r' | '\n' | ';');
        if begins && is_formula || is_first && ends && c != ';' {
            safe.push('\'');
        }
        begins = ends || begins && c == '"';
        safe.push(c);
    }
    if safe.contains(['"', ',', ';', '\t', '\n', '\r']) {
        format!("\"{}\"", safe.replace('"', "\"\""))
    } else {
        safe
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_made_safe() {
        assert_eq!(csv_cell("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        assert_eq!(csv_cell("=1+1"), "'=1+1");
        assert_eq!(csv_cell("-x,y"), "\"'-x,y\"");
        assert_eq!(csv_cell("\tx"), "\"'\tx\"");
        assert_eq!(csv_cell("\n=1"), "\"'\n'=1\"");
        assert_eq!(csv_cell(";=1+1;"), "\";'=1+1;\"");
        assert_eq!(csv_cell("a;\"=1+1\";b\r\n-1"), "\"a;\"\"'=1+1\"\";b\r\n'-1\"");
        for formula in ["+1", "@A1", "＝1", "＋1", "－1", "＠A1"] {
            assert_eq!(csv_cell(formula), format!("'{formula}"));
        }
        assert_eq!(csv_cell("a=1;b-2;c"), "\"a=1;b-2;c\"", "in the middle it is text");
        assert_eq!(csv_cell("plain"), "plain");
    }

    #[test]
    fn instants_are_iso_dates() {
        for (ms, text) in [
            (0.0, "1970-01-01T00:00:00Z"),
            (951_782_400_000.0, "2000-02-29T00:00:00Z"),
            (1_773_144_000_123.0, "2026-03-10T12:00:00.123Z"),
            (-1.0, "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(iso(ms), text);
        }
    }
}
