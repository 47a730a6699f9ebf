//! What to say first (`headline/*`): sentences made of counts, each with what it counts.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_with_macros::skip_serializing_none;

use crate::model::id::RunId;
use crate::model::reward::signed;

/// The sentences that answer a person's first question, in parts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Headline {
    /// The whole text: that of its parts, one after the other.
    pub says: String,
    /// Its parts. Each says something that the data supports; what it does not support is left out.
    pub parts: Vec<HeadlinePart>,
}

/// A part of a [`Headline`], and what it is about.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeadlinePart {
    /// Its text, with the spaces and marks around it.
    pub text: String,
    /// Id of the rule that made it.
    pub rule: Cow<'static, str>,
    /// The runs that it counts; there are none where it counts none, or is about one run.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub runs: Vec<RunId>,
    /// Number of the first attempt that it is about, in the headline of one run.
    pub from: Option<i64>,
    /// Number of the last one.
    pub to: Option<i64>,
}

impl Headline {
    /// Adds a part. A sentence that is not the first one gets a space before it.
    pub fn push(&mut self, mut part: HeadlinePart) -> &mut HeadlinePart {
        if self.says.ends_with('.') && part.text.starts_with(char::is_alphanumeric) {
            part.text.insert(0, ' ');
        }
        self.says += &part.text;
        self.parts.push_mut(part)
    }

    pub(super) fn say(&mut self, rule: &'static str, text: impl Into<String>) -> &mut HeadlinePart {
        let (text, rule) = (text.into(), rule.into());
        self.push(HeadlinePart { text, rule, runs: Vec::new(), from: None, to: None })
    }

    /// Removes some words everywhere but, if asked for, at the first place.
    pub(super) fn keep_first(&mut self, words: &str, mut is_kept: bool) {
        for part in &mut self.parts {
            if let Some(at) = part.text.find(words).filter(|_| std::mem::take(&mut is_kept)) {
                let (before, after) = part.text.split_at(at + words.len());
                part.text = format!("{before}{}", after.replace(words, ""));
            } else {
                part.text = part.text.replace(words, "");
            }
        }
        self.says = self.parts.iter().map(|part| part.text.as_str()).collect();
    }

    /// Adds a part that counts runs.
    pub(super) fn count(&mut self, rule: &'static str, runs: Vec<RunId>, text: impl Into<String>) {
        self.say(rule, text).runs = runs;
    }
}

/// A reward as a sentence writes it: three digits at most.
pub(super) fn reward(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A difference in points, with its sign.
pub(super) fn signed_points(points: f64) -> String {
    signed(points, &format!("{:.1}", points.abs()))
}

/// How likely something is by chance, as headlines say it: `p = 0.25`, or `p < 0.0001`.
pub fn p_value(p: f64) -> String {
    match p {
        p if p < 0.0001 => "p < 0.0001".to_owned(),
        p if p < 0.01 => format!("p = {p:.4}"),
        p if p < 0.1 => format!("p = {p:.3}"),
        p => format!("p = {p:.2}"),
    }
}
