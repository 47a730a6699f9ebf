//! The one place where an error of the core becomes the error of `wit/`.

use crate::cross::Cross;
use crate::wit::types::{Detail, Error};

/// The error, and the numbers that the call was about.
pub(crate) fn about(error: &hindscope::Error, details: &[(&str, f64)]) -> Error {
    Error {
        code: error.code().cross(),
        message: error.to_string(),
        details: details
            .iter()
            .map(|&(name, value)| Detail { name: name.to_owned(), value })
            .collect(),
    }
}

/// An error about no number.
pub(crate) fn plain() -> impl FnOnce(hindscope::Error) -> Error {
    |error| about(&error, &[])
}

/// An error about one thing, such as `run` 7.
pub(crate) fn one(
    name: &'static str,
    value: impl Into<f64>,
) -> impl FnOnce(hindscope::Error) -> Error {
    let value = value.into();
    move |error| about(&error, &[(name, value)])
}

/// An error about a rule: only its numbers can be wrong.
pub(crate) fn rule(
    rule: &hindscope::WindowRule,
    details: &[(&'static str, f64)],
) -> impl FnOnce(hindscope::Error) -> Error + use<> {
    let omega = rule.omega.map(|omega| ("omega", f64::from(omega)));
    let half_life =
        Some(("half-life", rule.half_life)).filter(|(_, life)| life.is_nan() || *life <= 0.0);
    let details: Vec<_> = details.iter().copied().chain(omega).chain(half_life).collect();
    move |error| about(&error, &details)
}

/// Ω as it was given, before a type that is narrower changes it.
pub(crate) fn omega(given: Option<u32>) -> Result<Option<u8>, Error> {
    let of = |omega: u32| hindscope::omega_of(omega.into()).map_err(one("omega", omega));
    given.map(of).transpose()
}

/// A number as a detail has it.
#[expect(clippy::cast_precision_loss, reason = "a detail is for people; numbers are small")]
pub(crate) fn number(number: i64) -> f64 {
    number as f64
}
