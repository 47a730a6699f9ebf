//! Trials, sections and records of a log: where each begins and ends.

use crate::sort::StableSort as _;
use std::collections::BTreeMap;

use super::record::has_question;
use crate::format::lines::{Line, leading_iteration, lines};
use crate::format::parsed_record::{Context, Cut, Cuts};
use crate::model::finding::{Finding, Severity};
use crate::model::outcome::Outcome;

type Verdict = (Outcome, Option<&'static str>);

/// A line of `#` alone, as they stand around the header of a trial.
pub(super) fn is_rule(line: &str) -> bool {
    line.len() >= 30 && line.bytes().all(|b| b == b'#')
}

/// The number in `BEGIN TRIAL n`.
pub(super) fn trial_of(line: &str) -> Option<i64> {
    let (number, rest) = leading_iteration(line.strip_prefix("BEGIN TRIAL ")?)?;
    rest.is_empty().then_some(number)
}

/// The word in `------------- BEGIN word AGENTS -------------`.
pub(super) fn section_of(line: &str) -> Option<&str> {
    let inner = line.strip_prefix("-----")?.trim_matches('-');
    inner.strip_prefix(" BEGIN ")?.strip_suffix(" AGENTS ")
}

fn verdict_of(word: &str) -> Verdict {
    match word {
        "CORRECT" => (Outcome::Success, None),
        "INCORRECT" => (Outcome::Failure, None),
        "HALTED" => (Outcome::Failure, Some("halted")),
        "RUNTIME ERROR" => (Outcome::Failure, Some("error")),
        _ => (Outcome::Unknown, None),
    }
}

/// What a trial declares, and what it holds.
#[derive(Debug, Default)]
struct Block {
    /// Where its number stands.
    at: usize,
    number: Option<i64>,
    /// Counts of its summary, by section.
    declared: BTreeMap<String, i64>,
    listed: BTreeMap<String, i64>,
}

impl Block {
    fn sum(counts: &BTreeMap<String, i64>) -> i64 {
        counts.values().fold(0, |sum, n| sum.saturating_add(*n))
    }
}

/// The walk over the lines.
#[derive(Debug)]
struct Walk<'a> {
    text: &'a str,
    /// Records end at a line `Correct answer:`; logs of thoughts have none.
    has_answers: bool,
    blocks: Vec<Block>,
    section: Option<&'a str>,
    /// The open stretch: from its first line that is not blank to its last.
    open: Option<(usize, usize)>,
    has_question: bool,
    is_after_blank: bool,
    cuts: Cuts,
}

pub(super) fn cut(text: &str) -> Cuts {
    let has_answers = lines(text).any(|line| line.text.starts_with(ANSWER));
    let mut walk = Walk {
        text,
        has_answers,
        blocks: vec![Block::default()],
        section: None,
        open: None,
        has_question: false,
        is_after_blank: true,
        cuts: Cuts::default(),
    };
    for line in lines(text) {
        walk.line(line);
    }
    walk.close(!has_answers);
    walk.check();
    walk.cuts.findings.stable_sort_by_key(|(at, _)| *at);
    walk.cuts
}

const ANSWER: &str = "Correct answer:";

impl<'a> Walk<'a> {
    fn line(&mut self, line: Line<'a>) {
        let (number, section) = (trial_of(line.text), section_of(line.text));
        if number.is_some() || section.is_some() || is_rule(line.text) {
            self.close(!self.has_answers);
            self.section = section;
            if number.is_some() {
                self.blocks.push(Block { at: line.start, number, ..Block::default() });
            }
        } else if let Some(counts) = self.summary(line.text) {
            if let Some(block) = self.blocks.last_mut() {
                block.declared = counts;
            }
        } else if !line.is_blank() {
            self.content(line);
        }
        self.is_after_blank = line.is_blank();
    }

    /// `Trial summary: Correct: a, Incorrect: b`, right below the number.
    fn summary(&self, line: &str) -> Option<BTreeMap<String, i64>> {
        if self.section.is_some() || self.open.is_some() {
            return None;
        }
        let counts = line.strip_prefix("Trial summary:")?.split(',').filter_map(|part| {
            let (name, count) = part.split_once(':')?;
            Some((name.trim().to_uppercase(), count.trim().parse().ok()?))
        });
        Some(counts.collect())
    }

    fn content(&mut self, line: Line<'_>) {
        let is_question = line.text.starts_with("Question:");
        if is_question && !self.has_answers && self.is_after_blank && self.has_question {
            self.close(true);
        }
        if self.is_cut_off(&line) {
            self.close(true);
        }
        let start = self.open.map_or(line.start, |(start, _)| start);
        self.open = Some((start, line.end()));
        self.has_question |= has_question(line.text);
        if line.text.starts_with(ANSWER) {
            self.close(true);
        }
    }

    /// Whether the text ends in the middle of the line that would have ended the record.
    fn is_cut_off(&self, line: &Line<'_>) -> bool {
        let is_last = self.text.get(line.start..).is_some_and(|rest| !rest.contains('\n'));
        let opens = |c: char| line.text.starts_with(c);
        !self.has_answers
            && is_last
            && self.is_after_blank
            && ("Question:".starts_with(line.text) || opens('-') || opens('#'))
    }

    /// Ends the open stretch: a record, if it can be one.
    fn close(&mut self, is_complete: bool) {
        let Some((start, end)) = self.open.take() else { return };
        let has_question = std::mem::take(&mut self.has_question);
        let (Some(section), Some(block)) = (self.section, self.blocks.last_mut()) else {
            return self.unread(start, "This text is outside of every section");
        };
        if !(is_complete && has_question) {
            return self.unread(start, "This is not a complete record of a question");
        }
        *block.listed.entry(section.to_owned()).or_default() += 1;
        let context = Context {
            number: block.number,
            verdict: Some(verdict_of(section)),
            ..Context::default()
        };
        self.cuts.records.push(Cut { range: start..end, context });
    }

    fn unread(&mut self, at: usize, what: &str) {
        self.cuts.skipped += 1;
        let finding = Finding::new(
            "source/unknown",
            Severity::Info,
            format!("{what}. It is kept as text and does not count as an attempt."),
        );
        self.cuts.findings.push((at.min(self.text.len()), finding));
    }

    /// `qa/counts` and `qa/total`.
    fn check(&mut self) {
        let declared = self.blocks.iter().map(|block| Block::sum(&block.declared));
        let largest = declared.max().unwrap_or(0);
        for block in self.blocks.iter().filter(|block| !block.declared.is_empty()) {
            let count = |word: &String| block.listed.get(word).copied().unwrap_or(0);
            let unexpected: Vec<String> = block
                .declared
                .iter()
                .filter(|(word, declared)| count(word) != **declared)
                .map(|(word, declared)| {
                    let (word, listed) = (word.to_lowercase(), count(word));
                    let are = if listed == 1 { "is" } else { "are" };
                    format!("{declared} {word}, but {listed} {are} listed")
                })
                .collect();
            if !unexpected.is_empty() {
                let message = format!("The trial states {}.", unexpected.join("; "));
                let finding = Finding::new("qa/counts", Severity::Warning, message)
                    .hint("The listed records are used.");
                self.cuts.findings.push((block.at, finding));
            }
            let sum = Block::sum(&block.declared);
            if sum != largest {
                let questions = if sum == 1 { "question" } else { "questions" };
                let message = format!(
                    "The trial counts {sum} {questions}, but another trial counts {largest}."
                );
                let finding = Finding::new("qa/total", Severity::Info, message);
                self.cuts.findings.push((block.at, finding));
            }
        }
    }
}
