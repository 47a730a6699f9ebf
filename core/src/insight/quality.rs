//! How good a reflection is as one (docs/spec/rules.md, "Reflection quality").

use crate::sort::StableSort as _;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::answer::{Calibration, CategoryCount, ReflectionRow};
use super::context::{InsightContext, Reflected, mean};
use crate::format::FormatId;
use crate::model::details::Reflection;
use crate::model::finding::{Evidence, Finding, Severity};
use crate::model::outcome::Outcome;
use crate::model::reward::{count, rounded};
use crate::model::thresholds::{
    CUT_TEXT, ENOUGH_PAIRS, HIGH_CONFIDENCE, LOW_CONFIDENCE, LOW_QUALITY_RULES, SHORT_TEXT,
};
use crate::model::view::ReflectionRef;
use crate::text::{STOP_WORDS, norm, words};

/// Words that every reflection could have, beside the stop words.
const EMPTY_WORDS: &str = "again attention better careful carefully check everything harder \
    improve make more must next quality should sure test thoroughly time try will";

/// Every reflection with the rules that it meets.
pub(super) fn rows(context: &InsightContext<'_>) -> Vec<ReflectionRow> {
    if !context.judges_any("reflection/") {
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    let mut rows: Vec<ReflectionRow> = context
        .reflections
        .iter()
        .zip(context.said())
        .filter_map(|(reflected, said)| {
            let is_verbatim = said.is_some_and(|said| !seen.insert(said.same));
            row(context, reflected, is_verbatim)
        })
        .chain(blank(context).iter().filter_map(|reflected| row(context, reflected, false)))
        .collect();
    rows.stable_sort_by_key(|row| row.number);
    rows
}

/// Blank reflections that no window holds, and that columns therefore leave out. A success needs none.
fn blank<'a>(context: &InsightContext<'a>) -> Vec<Reflected<'a>> {
    let mut blank = Vec::new();
    for (k, step) in context.steps().iter().enumerate() {
        let Some(details) = context.details(k) else { continue };
        if step.outcome == Outcome::Success {
            continue;
        }
        for full in details.reflections.iter().filter(|r| r.text.trim().is_empty()) {
            let at = ReflectionRef {
                number: step.number,
                ordinal: count(k),
                record: step.record,
                part: full.part,
            };
            if !step.reflections.contains(&at) {
                blank.push(Reflected { at, k: Some(k), full: Some(full) });
            }
        }
    }
    blank
}

fn row(
    context: &InsightContext<'_>,
    reflected: &Reflected<'_>,
    is_verbatim: bool,
) -> Option<ReflectionRow> {
    let full = reflected.full?;
    let marks = marks(context, reflected, full, is_verbatim);
    Some(ReflectionRow {
        number: reflected.at.number,
        record: reflected.at.record,
        part: reflected.at.part,
        marks: marks.into_iter().filter(|rule| context.judges(rule)).map(Cow::Borrowed).collect(),
        confidence: full.confidence,
    })
}

fn marks(
    context: &InsightContext<'_>,
    reflected: &Reflected<'_>,
    full: &Reflection,
    is_verbatim: bool,
) -> Vec<&'static str> {
    let mut marks = Vec::new();
    let step = reflected.k.and_then(|k| context.steps().get(k));
    let details = reflected.k.and_then(|k| context.details(k));
    let has_credit =
        !full.failing_actions.is_empty() || full.root_cause.is_some() || full.category.is_some();
    let mut mark = |rule, is_met: bool| {
        if is_met {
            marks.push(rule);
        }
    };
    // Only records of reflection memory can carry confidence, insights and credit. An iteration
    // may be merged of several records: the one that holds the reflection counts.
    let own = context.loaded_run.loaded(&reflected.at).or(details);
    let format = own.map_or(context.loaded_run.format.as_str(), |d| d.format.as_str());
    let format = FormatId::named(format);
    if format.is_some_and(|format| format.traits().is_told) {
        // These are messages of an evaluator, which nobody wrote as a reflection.
        return Vec::new();
    }
    if format.is_some_and(FormatId::is_validated) {
        let is_low = full.confidence.is_some_and(|c| c < LOW_CONFIDENCE);
        let improved = reflected.k.and_then(|k| match context.steps().get(k + 1) {
            Some(next) => next.is_improvement,
            None => step?.is_improvement,
        });
        mark("reflection/low-confidence", is_low && improved == Some(false));
        let is_blank = |text: &String| text.trim().is_empty();
        mark("reflection/no-insights", full.insights.iter().all(is_blank));
        let has_failed = step.is_some_and(|s| s.outcome == Outcome::Failure);
        mark("reflection/no-credit", has_failed && !has_credit);
        let is_high = full.confidence.is_some_and(|c| c >= HIGH_CONFIDENCE);
        let has_errors = details.is_some_and(|d| !d.errors.is_empty());
        mark("reflection/overconfident", is_high && !has_credit && !has_errors);
    }
    let text = full.text.trim();
    mark("reflection/blank", text.is_empty());
    if !text.is_empty() {
        let len = text.chars().count();
        mark("reflection/short", len < SHORT_TEXT);
        mark("reflection/verbatim", is_verbatim);
        mark("reflection/generic", is_generic(&norm(text)));
        mark("reflection/cut", len >= CUT_TEXT && !has_end(text));
    }
    marks
}

fn is_generic(norm: &str) -> bool {
    let mut all = words(norm).peekable();
    let is_empty = |word: &str| {
        STOP_WORDS.binary_search(&word).is_ok() || EMPTY_WORDS.split(' ').any(|own| own == word)
    };
    all.peek().is_some() && all.all(is_empty)
}

fn has_end(text: &str) -> bool {
    text.ends_with([
        '.', '!', '?', '"', '\'', '`', '”', '’', '»', '“', '‘', '«', ')', ']', '}', '>',
    ])
}

pub(super) fn judge(
    context: &InsightContext<'_>,
    rows: &[ReflectionRow],
    findings: &mut Vec<Finding>,
) {
    for (at, row) in rows.iter().enumerate() {
        let mut beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        let is_alone = beside.all(|at| rows.get(at).is_none_or(|other| other.number != row.number));
        let which = if is_alone { "The" } else { "A" };
        let is_last = context.steps().last().is_some_and(|step| step.number == row.number);
        let mut find = |rule: Cow<'static, str>, severity, what: String, hint: &'static str| {
            let evidence = vec![Evidence { record: row.record, number: row.number }];
            let message = format!("{which} reflection of iteration {} {what}.", row.number);
            findings.push(context.finding(rule, severity, message, evidence).hint(hint));
        };
        match &row.marks[..] {
            [first, ..]
                if row.marks.len() >= LOW_QUALITY_RULES
                    && context.judges("reflection/low-quality") =>
            {
                let all = row.marks.iter().map(|rule| (wording(rule, is_last).0, rule));
                let all: Vec<_> = all.map(|(what, rule)| format!("{what} ({rule})")).collect();
                let hint = wording(first, is_last).1;
                find("reflection/low-quality".into(), Severity::Warning, all.join(". It "), hint);
            }
            marks => {
                for rule in marks {
                    let is_blank = rule == "reflection/blank";
                    let severity = if is_blank { Severity::Warning } else { Severity::Info };
                    let (what, hint) = wording(rule, is_last);
                    find(rule.clone(), severity, what, hint);
                }
            }
        }
    }
}

/// A reflection of low quality that repeats its neighbours is warned of once: by the rule that names all of
/// them.
pub(super) fn warn_once(findings: &mut [Finding]) {
    let is_repeat = |f: &&Finding| REPEATS.contains(&&*f.rule);
    let repeats = findings.iter().filter(is_repeat).flat_map(|finding| &finding.evidence);
    let repeated: BTreeSet<i64> = repeats.map(|evidence| evidence.number).collect();
    for finding in findings.iter_mut().filter(|f| f.rule == "reflection/low-quality") {
        if finding.iteration.is_some_and(|number| repeated.contains(&number)) {
            finding.severity = Severity::Info;
        }
    }
}

/// Rules that name reflections in a row which say the same.
const REPEATS: [&str; 2] = ["stuck/repeated-reflection", "stuck/near-repeat"];

/// What is wrong with a reflection, and what to do. `is_last`: it is of the last iteration.
fn wording(rule: &str, is_last: bool) -> (String, &'static str) {
    let (what, hint) = match rule {
        "reflection/low-confidence" => {
            let which = if is_last { "this" } else { "the next" };
            return (
                format!(
                    "has a confidence below {LOW_CONFIDENCE}, and {which} iteration was no improvement"
                ),
                "Reflect again, with the evaluator's output in the prompt.",
            );
        }
        "reflection/no-insights" => {
            ("names no actionable insight", "Ask for one thing to do differently.")
        }
        "reflection/short" => {
            return (
                format!("has fewer than {SHORT_TEXT} characters"),
                "Ask what failed, and why.",
            );
        }
        "reflection/no-credit" => (
            "names no failing action, no root cause and no failure category",
            "Ask which action failed, and for its cause.",
        ),
        "reflection/verbatim" => ("says the same as one before it", "Ask what is new since then."),
        "reflection/generic" => (
            "says nothing specific about its task",
            "Ask for the names of files, functions and messages.",
        ),
        "reflection/cut" => (
            "does not end like a sentence and may have been cut off",
            "Raise the token limit for reflections.",
        ),
        "reflection/overconfident" => {
            return (
                format!(
                    "has a confidence of at least {HIGH_CONFIDENCE}, but names no cause, and its record has no errors"
                ),
                "Ask what the confidence is based on.",
            );
        }
        _ => ("is blank", "Check what the model answered."),
    };
    (what.to_owned(), hint)
}

/// `reflection/calibration`: confidence of an iteration against whether the next improved.
pub(super) fn calibration(context: &InsightContext<'_>) -> Option<Calibration> {
    if !context.judges("reflection/calibration") {
        return None;
    }
    let pairs: Vec<(f64, bool)> = context
        .reflections
        .iter()
        .filter_map(|r| {
            let next = context.steps().get(r.k? + 1)?;
            Some((r.full?.confidence?, next.is_improvement?))
        })
        .collect();
    let has_both = pairs.iter().any(|p| p.1) && pairs.iter().any(|p| !p.1);
    let correlation = (pairs.len() >= ENOUGH_PAIRS && has_both).then(|| pearson(&pairs)).flatten();
    (!pairs.is_empty()).then(|| Calibration { pairs: count(pairs.len()), correlation })
}

fn pearson(pairs: &[(f64, bool)]) -> Option<f64> {
    let x: Vec<f64> = pairs.iter().map(|p| p.0).collect();
    let y: Vec<f64> = pairs.iter().map(|p| f64::from(u8::from(p.1))).collect();
    let (mean_x, mean_y) = (mean(&x)?, mean(&y)?);
    let sum = |a: &[f64], mean_a: f64, b: &[f64], mean_b: f64| {
        a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b)).sum::<f64>()
    };
    let spread = (sum(&x, mean_x, &x, mean_x) * sum(&y, mean_y, &y, mean_y)).sqrt();
    (spread > 1e-12).then(|| rounded(sum(&x, mean_x, &y, mean_y) / spread))
}

/// How often each failure category was given.
pub(super) fn categories(context: &InsightContext<'_>) -> Vec<CategoryCount> {
    if !context.judges("aggregate/categories") {
        return Vec::new();
    }
    let given = context.reflections.iter().filter_map(|r| r.full?.category.as_deref());
    sorted(given.map(|category| (category, 1)))
}

/// Most frequent first, then by name.
pub(super) fn sorted<'a>(given: impl Iterator<Item = (&'a str, u32)>) -> Vec<CategoryCount> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for (category, n) in given {
        let count = counts.entry(category).or_default();
        *count = count.saturating_add(n);
    }
    let mut counts: Vec<_> = counts
        .into_iter()
        .map(|(category, reflections)| CategoryCount { category: category.to_owned(), reflections })
        .collect();
    counts.stable_sort_by_key(|c| std::cmp::Reverse(c.reflections));
    counts
}
