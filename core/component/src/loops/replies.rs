//! Replies, on their way to the core.

use hindscope::LoopError;
use hindscope::reflect::{self, FailureKind as Kind};
use serde_json::{Map, Number, Value};

use crate::cross::{Cross, labels};
use crate::wit::loops::{Answer, CallUsage, Failure, FailureKind, Reply};

labels!(FailureKind => Kind { Error, Timeout, Unavailable, Cancelled });

/// A reply as the core has it, or why it is none.
pub(super) fn read(reply: Reply) -> Result<reflect::Reply, LoopError> {
    let Reply { answer, usage, ms, now, at, not_finite } = reply;
    let answer = match answer {
        Answer::Value(text) => reflect::Answer::from_json(&text)?,
        Answer::TooDeep => reflect::Answer::TooDeep,
        Answer::Error(Failure { message, kind, retryable, fatal, retry_after_ms }) => {
            reflect::Answer::Error(reflect::Failure {
                message,
                kind: kind.cross(),
                retryable,
                fatal,
                retry_after_ms,
            })
        }
        Answer::Aborted(reason) => reflect::Answer::Aborted { reason },
    };
    Ok(reflect::Reply { answer, usage: usage.map(cost).transpose()?, ms, now, at, not_finite })
}

/// What a call cost. The core asks whether the numbers can be; JSON cannot say all of them.
fn cost(usage: CallUsage) -> Result<Map<String, Value>, LoopError> {
    let CallUsage { input_tokens, output_tokens, total_tokens, cost } = usage;
    let members = [
        ("input_tokens", input_tokens),
        ("output_tokens", output_tokens),
        ("total_tokens", total_tokens),
        ("cost", cost),
    ];
    let known = members.into_iter().filter_map(|(name, number)| Some((name, number?)));
    known
        .map(|(name, number)| match Number::from_f64(number) {
            Some(number) => Ok((name.to_owned(), Value::Number(number))),
            None => {
                Err(LoopError::reply_invalid(format!("`{name}` of the usage must be a number ≥ 0")))
            }
        })
        .collect()
}
