//! What each reflection of a run says that no earlier one said.

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;
use std::collections::BTreeMap;

use super::attempt::next_said;
use super::context::InsightContext;
use super::trajectory::is_verdicts;
use crate::count;
use crate::history::loaded_run::LoadedRun;
use crate::model::id::RecordId;
use crate::model::options::InsightOptions;
use crate::sketch::{NEAR_WORDS, PlacedWord, Sketch, placed_words, window_of};

/// A reflection beside what the earlier ones of its run said.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReflectionNews {
    /// The iteration that wrote it.
    pub number: i64,
    /// The record that holds it.
    pub record: RecordId,
    /// Position among the reflections of that record.
    pub part: u32,
    /// Its text without blanks around it. Absent if its record was not read.
    pub text: Option<String>,
    /// The first iteration whose reflection says the same, if an earlier one does.
    pub repeats: Option<i64>,
    /// Its words, as rules count them.
    pub words: u32,
    /// Those that are new: no earlier reflection has any sequence of three words that they stand in.
    pub new_words: u32,
    /// Where new words stand: the first byte of `text` and the one after the last, in order.
    pub new: Vec<(u32, u32)>,
    /// The first and the last attempt that had it in memory when they began.
    pub seen: Option<(i64, i64)>,
    /// How many did.
    pub seen_by: u32,
    /// What the attempt after its own brought, in words.
    pub next: Option<String>,
}

impl LoadedRun {
    /// Every reflection of the run in order, each with what is new in it. Rules call texts the same or near
    /// by their sequences of three words (docs/spec/rules.md, "Comparing texts"); so a word is new if none
    /// of the sequences that it stands in occurred before.
    ///
    /// # Example
    ///
    /// ```
    /// use hindscope::{History, Profile};
    ///
    /// let line = |n, text| format!(
    ///     r#"{{"trial_number":{n},"loop_id":"a","outcome":"failure","reflection":"{text}"}}"#
    /// );
    /// let text = [
    ///     line(1, "I will open the drawer first."),
    ///     line(2, "I will open the drawer first, then look inside."),
    ///     line(3, "I will open the drawer first."),
    /// ]
    /// .join("\n");
    /// let mut history = History::new(Profile::Lenient);
    /// let source = history.open("loop.jsonl");
    /// history.push(source, text.as_bytes())?;
    /// history.finish(source)?;
    ///
    /// let mut run = history.loaded_run(history.runs()[0].id)?;
    /// for span in history.needs(&run) {
    ///     let (start, end) = (span.start as usize, span.end as usize);
    ///     history.load(&mut run, span.record, &text.as_bytes()[start..end])?;
    /// }
    /// let news = run.news();
    /// let (start, end) = news[1].new[0];
    /// assert_eq!(&news[1].text.as_deref().unwrap()[start as usize..end as usize], "then look inside");
    /// assert_eq!(news[2].repeats, Some(1));
    /// # Ok::<(), hindscope::Error>(())
    /// ```
    pub fn news(&self) -> Vec<ReflectionNews> {
        let options = InsightOptions::default();
        let context = InsightContext::new(self, &options);
        let texts: Vec<Option<String>> =
            context.reflections.iter().map(|it| Some(it.full?.text.trim().to_owned())).collect();
        let words: Vec<Vec<PlacedWord>> =
            texts.iter().map(|text| text.as_deref().map_or_else(Vec::new, placed_words)).collect();
        let firsts = first_windows(&words);
        let seen = seen(&context);
        let is_verdicts = is_verdicts(&self.steps);
        let mut same: BTreeMap<u64, i64> = BTreeMap::new();
        let mut news = Vec::with_capacity(texts.len());
        for (at, ((reflected, text), words)) in
            context.reflections.iter().zip(texts).zip(&words).enumerate()
        {
            let number = reflected.at.number;
            let own = text.as_deref().and_then(Sketch::new).map(|sketch| sketch.same);
            let repeats = own.and_then(|own| same.get(&own).copied());
            if let Some(own) = own {
                same.entry(own).or_insert(number);
            }
            let is_new = match repeats {
                Some(_) => vec![false; words.len()],
                None => are_new(words, at, &firsts),
            };
            let next = reflected
                .k
                .and_then(|k| next_said(self.steps.get(k)?, self.steps.get(k + 1)?, is_verdicts));
            news.push(ReflectionNews {
                number,
                record: reflected.at.record,
                part: reflected.at.part,
                text,
                repeats,
                words: count(words.len()),
                new_words: count(is_new.iter().filter(|is_new| **is_new).count()),
                new: stretches(words, &is_new),
                seen: seen[at].map(|(first, last, _)| (first, last)),
                seen_by: seen[at].map_or(0, |(.., all)| all),
                next,
            });
        }
        news
    }
}

/// The first attempt, the last one and how many had each reflection in memory.
fn seen(context: &InsightContext<'_>) -> Vec<Option<(i64, i64, u32)>> {
    let mut seen = vec![None; context.reflections.len()];
    for k in 0..context.steps().len() {
        let number = context.number(k);
        for at in context.injected(k) {
            if let Some(seen) = seen.get_mut(at) {
                let (first, _, all) = seen.unwrap_or((number, number, 0));
                *seen = Some((first, number, all + 1));
            }
        }
    }
    seen
}

/// Its sequences of three words, as hashes.
fn windows(words: &[PlacedWord]) -> impl Iterator<Item = u32> {
    words.windows(NEAR_WORDS).map(window_of)
}

/// Each sequence of three words with the first reflection that has it, in order.
fn first_windows(all: &[Vec<PlacedWord>]) -> Vec<(u32, u32)> {
    let each = (0_u32..).zip(all).flat_map(|(at, words)| windows(words).map(move |it| (it, at)));
    let mut firsts: Vec<_> = each.collect();
    firsts.sort_unstable();
    firsts.dedup_by_key(|(window, _)| *window);
    firsts
}

/// Which words of a reflection no earlier one said.
fn are_new(words: &[PlacedWord], at: usize, firsts: &[(u32, u32)]) -> Vec<bool> {
    let mut is_new = vec![true; words.len()];
    for (start, window) in windows(words).enumerate() {
        let first = firsts.binary_search_by_key(&window, |(window, _)| *window);
        let first = first.ok().and_then(|first| firsts.get(first));
        if first.is_some_and(|(_, first)| (*first as usize) < at) {
            is_new[start..start + NEAR_WORDS].fill(false);
        }
    }
    is_new
}

/// Places of words that are new, and of what is between them. Where a script has no spaces, neighbours share
/// a letter; it belongs to the one that is not new.
fn stretches(words: &[PlacedWord], is_new: &[bool]) -> Vec<(u32, u32)> {
    let mut stretches: Vec<(u32, u32)> = Vec::new();
    let (mut is_open, mut end_of_known) = (false, 0);
    for (word, &is_new) in words.iter().zip(is_new) {
        let (start, end) = (count(word.place.start), count(word.place.end));
        let open = stretches.last_mut().filter(|_| is_open);
        match (open, is_new) {
            (Some(open), true) => open.1 = end,
            (Some(open), false) => open.1 = open.1.min(start),
            (None, true) => stretches.push((start.max(end_of_known), end)),
            (None, false) => {}
        }
        if !is_new {
            end_of_known = end;
        }
        is_open = is_new;
    }
    stretches.retain(|(start, end)| start < end);
    stretches
}
