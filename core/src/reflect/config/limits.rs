//! What keeps a loop within bounds.

use serde_json::Value;

use super::super::number;
use super::read::{Place, Reader};

/// Another try of a call that failed (15.4).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Retry {
    pub(crate) max: u32,
    pub(crate) initial_ms: f64,
    pub(crate) factor: f64,
    pub(crate) max_ms: f64,
    pub(crate) jitter: f64,
    pub(crate) on: RetryOn,
}

/// Calls that are tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one for each word of the list")]
pub(crate) struct RetryOn {
    pub(crate) generate: bool,
    pub(crate) evaluate: bool,
    pub(crate) correct: bool,
    pub(crate) resolve: bool,
}

/// What may be spent (15.2); `None` is no limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Budget {
    pub(crate) tokens: Option<f64>,
    pub(crate) cost: Option<f64>,
    pub(crate) calls: Option<u64>,
    pub(crate) ms: Option<f64>,
    pub(crate) is_strict: bool,
}

/// When a loop goes round in a circle (15.7).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stall {
    pub(crate) after: usize,
    pub(crate) by_output: bool,
    pub(crate) by_errors: bool,
    pub(crate) by_score: bool,
    pub(crate) min_gain: f64,
}

/// So many entries of a kind in a row are too many (15.5).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FailureLimits {
    pub(crate) generator: Option<u32>,
    pub(crate) parse: Option<u32>,
    pub(crate) evaluator: Option<u32>,
    pub(crate) corrector: Option<u32>,
}

/// What a prompt is told of earlier attempts (15.8).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FeedbackRule {
    pub(crate) last: Option<usize>,
    pub(crate) best: usize,
    pub(crate) has_dedupe: bool,
}

const FROM_0: &str = "a number from 0, or null";

fn is_amount(number: f64) -> bool {
    number >= 0.0
}

/// Reads one of the objects below `top`; without it everything has its default.
fn inside<T>(
    top: Place<'_>,
    key: &str,
    may_be_null: bool,
    reader: &mut Reader,
    read: impl FnOnce(Place<'_>, &mut Reader) -> T,
) -> Option<T> {
    let members = top.object(reader, key, may_be_null)?;
    Some(read(Place { members, pointer: &top.at(key) }, reader))
}

pub(super) fn retry(top: Place<'_>, reader: &mut Reader) -> Retry {
    let all = RetryOn { generate: true, evaluate: true, correct: true, resolve: true };
    let none =
        Retry { max: 0, initial_ms: 500.0, factor: 2.0, max_ms: 30_000.0, jitter: 0.0, on: all };
    inside(top, "retry", false, reader, |place, reader| Retry {
        max: place.integer(reader, "max", 0, (0, u32::MAX), "config_value"),
        initial_ms: place.number(reader, "initial_ms", 500.0, "a number from 0", is_amount),
        factor: place.number(reader, "factor", 2.0, "a number from 1", |factor| factor >= 1.0),
        max_ms: place.number(reader, "max_ms", 30_000.0, "a number from 0", is_amount),
        jitter: place.number(reader, "jitter", 0.0, "a number from 0 to 1", |jitter| {
            (0.0..=1.0).contains(&jitter)
        }),
        on: retry_on(place, all, reader),
    })
    .unwrap_or(none)
}

fn retry_on(place: Place<'_>, all: RetryOn, reader: &mut Reader) -> RetryOn {
    let Some(given) = place.get("on") else { return all };
    let mut on = RetryOn { generate: false, evaluate: false, correct: false, resolve: false };
    let mut is_known = given.is_array();
    for word in given.as_array().into_iter().flatten() {
        match word.as_str() {
            Some("generate") => on.generate = true,
            Some("evaluate") => on.evaluate = true,
            Some("correct") => on.correct = true,
            Some("resolve") => on.resolve = true,
            _ => is_known = false,
        }
    }
    if !is_known {
        let message = "`on` is a list of generate, evaluate, correct, resolve.";
        reader.wrong("config_value", place.at("on"), message);
    }
    on
}

pub(super) fn budget(top: Place<'_>, reader: &mut Reader) -> Budget {
    inside(top, "budget", true, reader, |place, reader| Budget {
        tokens: place.number_or_none(reader, "tokens", FROM_0, is_amount),
        cost: place.number_or_none(reader, "cost", FROM_0, is_amount),
        calls: place.integer_or_none(reader, "calls", 0).map(u64::from),
        ms: place.number_or_none(reader, "ms", FROM_0, is_amount),
        is_strict: place.flag(reader, "strict", false),
    })
    .unwrap_or_default()
}

pub(super) fn stall(top: Place<'_>, reader: &mut Reader) -> Option<Stall> {
    inside(top, "stall", true, reader, |place, reader| {
        if place.get("after").is_none() {
            reader.wrong("config_value", place.at("after"), "`stall` needs `after`.");
        }
        let mut stall = Stall {
            after: place.integer(reader, "after", 2, (2, 1000), "config_value") as usize,
            by_output: false,
            by_errors: false,
            by_score: false,
            min_gain: place.number(reader, "min_gain", 0.0, "a number from 0", is_amount),
        };
        let Some(by) = place.get("by") else {
            stall.by_output = true;
            return stall;
        };
        let mut is_known = by.as_array().is_some_and(|by| !by.is_empty());
        for word in by.as_array().into_iter().flatten() {
            match word.as_str() {
                Some("output") => stall.by_output = true,
                Some("errors") => stall.by_errors = true,
                Some("score") => stall.by_score = true,
                _ => is_known = false,
            }
        }
        if !is_known {
            let message = "`by` is a list of output, errors, score.";
            reader.wrong("config_value", place.at("by"), message);
        }
        stall
    })
}

pub(super) fn failure_limits(top: Place<'_>, reader: &mut Reader) -> FailureLimits {
    inside(top, "failure_limits", true, reader, |place, reader| FailureLimits {
        generator: place.integer_or_none(reader, "generator", 0),
        parse: place.integer_or_none(reader, "parse", 0),
        evaluator: place.integer_or_none(reader, "evaluator", 0),
        corrector: place.integer_or_none(reader, "corrector", 0),
    })
    .unwrap_or_default()
}

pub(super) fn feedback(top: Place<'_>, reader: &mut Reader) -> FeedbackRule {
    let usual = FeedbackRule { last: Some(3), best: 0, has_dedupe: true };
    inside(top, "feedback", false, reader, |place, reader| FeedbackRule {
        last: match place.get("last") {
            None => Some(3),
            Some(Value::Null) => None,
            Some(_) => {
                Some(place.integer(reader, "last", 3, (0, u32::MAX), "config_value") as usize)
            }
        },
        best: place.integer(reader, "best", 0, (0, u32::MAX), "config_value") as usize,
        has_dedupe: place.flag(reader, "dedupe", true),
    })
    .unwrap_or(usual)
}

/// An integer, or the text of one: seeds may be larger than a JSON number holds.
pub(super) fn seed(top: Place<'_>, reader: &mut Reader) -> u64 {
    let Some(given) = top.get("seed") else { return 0 };
    let seed = match given {
        Value::String(text) => text.parse::<i128>().ok(),
        Value::Number(_) => {
            given.as_u64().map(i128::from).or_else(|| number::integer(given).map(i128::from))
        }
        _ => None,
    };
    let bounds = i128::from(i64::MIN)..=i128::from(u64::MAX);
    if let Some(seed) = seed.filter(|seed| bounds.contains(seed)) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "negative seeds are as good as any: their 64 bits count"
        )]
        return seed as u64;
    }
    let message = "`seed` is an integer of 64 bits, or the text of one.";
    reader.wrong("config_value", top.at("seed"), message);
    0
}
