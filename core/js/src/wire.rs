//! Options and numbers as JavaScript hands them over. Nothing here touches the browser, so all of
//! it is tested natively.

use hindscope::{Error, ErrorCode, Layout, Policy, Profile, WindowRule};
use serde::Deserialize;

/// A call that was made wrongly, on its way to becoming an exception.
#[derive(Clone, Debug, PartialEq)]
pub struct Misuse {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
    pub(crate) details: Vec<(&'static str, f64)>,
}

impl Misuse {
    fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: Vec::new() }
    }

    /// Adds a number that it is about.
    pub(crate) fn about(mut self, name: &'static str, value: impl Into<f64>) -> Self {
        self.details.push((name, value.into()));
        self
    }

    /// Options that do not have the right types.
    pub(crate) fn of_options(error: impl std::fmt::Display) -> Self {
        Self::new(ErrorCode::InvalidOption, format!("These options cannot be read: {error}."))
    }
}

impl From<Error> for Misuse {
    fn from(error: Error) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

/// Options of `validate` and `History`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ReadOptions {
    profile: Option<String>,
}

impl ReadOptions {
    /// Lenient if it does not say.
    pub(crate) fn profile(&self) -> Result<Profile, Misuse> {
        Ok(self.profile.as_deref().map(Profile::parse).transpose()?.unwrap_or(Profile::Lenient))
    }
}

/// Options of `ReflectionWindow` and of a window of a run.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct WindowOptions {
    omega: Option<f64>,
    policy: Option<String>,
    failures_only: Option<bool>,
    token_budget: Option<f64>,
    half_life: Option<f64>,
    dynamic_omega: Option<bool>,
}

impl WindowOptions {
    /// What they do not say is up to the core.
    pub(crate) fn rule(&self) -> Result<WindowRule, Misuse> {
        let usual = WindowRule::default();
        Ok(WindowRule {
            omega: self.omega()?,
            policy: self.policy()?,
            failures_only: self.failures_only.unwrap_or_default(),
            token_budget: self.token_budget()?,
            half_life: self.half_life.unwrap_or(usual.half_life),
            dynamic_omega: self.dynamic_omega.unwrap_or_default(),
        })
    }

    fn token_budget(&self) -> Result<Option<u32>, Misuse> {
        let Some(written) = self.token_budget else {
            return Ok(None);
        };
        match whole(written).and_then(|budget| u32::try_from(budget).ok()) {
            Some(budget) => Ok(Some(budget)),
            None => Err(Misuse::new(
                ErrorCode::InvalidOption,
                format!("A token budget is a whole number from 0, not {written}."),
            )
            .about("tokenBudget", written)),
        }
    }

    fn omega(&self) -> Result<Option<u8>, Misuse> {
        let Some(written) = self.omega else {
            return Ok(None);
        };
        // Whether 11 is too many is the core's to say; 2.5 and -1 never reach it.
        match whole(written).and_then(|omega| u8::try_from(omega).ok()) {
            Some(omega) => Ok(Some(omega)),
            None => Err(Misuse::new(
                ErrorCode::OmegaOutOfRange,
                format!("Ω is a whole number from 0 to 10, not {written}."),
            )
            .about("omega", written)),
        }
    }

    fn policy(&self) -> Result<Policy, Misuse> {
        Ok(self.policy.as_deref().map(Policy::parse).transpose()?.unwrap_or_default())
    }
}

/// A layout by its name; plain if there is none.
pub(crate) fn layout(name: Option<&str>) -> Result<Layout, Misuse> {
    Ok(name.map(Layout::parse).transpose()?.unwrap_or(Layout::Plain))
}

/// The number of an iteration. JavaScript's numbers are doubles, so beyond 2⁵³ the nearest one.
pub(crate) fn number(at: f64) -> Result<i64, Misuse> {
    whole(at).ok_or_else(|| {
        Misuse::new(ErrorCode::NoSuchIteration, format!("Iterations have whole numbers, not {at}."))
            .about("at", at)
    })
}

#[expect(clippy::cast_possible_truncation, reason = "saturates, and is a whole number by then")]
fn whole(value: f64) -> Option<i64> {
    (value.is_finite() && value.fract() == 0.0).then_some(value as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_value, json};

    fn window(options: serde_json::Value) -> WindowOptions {
        from_value(options).expect("these have the right types")
    }

    #[test]
    fn absent_and_null_are_the_same() {
        for options in [json!({}), json!({ "profile": null })] {
            let options: ReadOptions = from_value(options).expect("both are fine");
            assert_eq!(options.profile(), Ok(Profile::Lenient));
        }
        for options in [json!({}), json!({ "omega": null, "policy": null })] {
            assert_eq!(window(options).rule(), Ok(WindowRule::default()));
        }
    }

    #[test]
    fn omega_is_a_whole_number_that_fits() {
        assert_eq!(window(json!({ "omega": 4 })).rule().map(|rule| rule.omega), Ok(Some(4)));
        assert_eq!(window(json!({ "omega": 0 })).rule().map(|rule| rule.omega), Ok(Some(0)));
        for omega in [-1.0, 2.5, 256.0, 1e300] {
            let misuse = window(json!({ "omega": omega })).rule().expect_err("out of range");
            assert_eq!(misuse.code, ErrorCode::OmegaOutOfRange);
            assert_eq!(misuse.details, [("omega", omega)]);
        }
        let odd = WindowOptions { omega: Some(f64::NAN), ..WindowOptions::default() };
        assert_eq!(odd.rule().map_err(|misuse| misuse.code), Err(ErrorCode::OmegaOutOfRange));
    }

    #[test]
    fn unknown_words_are_invalid_options() {
        let code = |misuse: Misuse| misuse.code;
        let options: ReadOptions = from_value(json!({ "profile": "Strict" })).expect("a text");
        assert_eq!(options.profile().map_err(code), Err(ErrorCode::InvalidOption));
        assert_eq!(
            window(json!({ "policy": "lifo" })).rule().map_err(code),
            Err(ErrorCode::InvalidOption)
        );
        assert_eq!(layout(Some("fancy")).map_err(code), Err(ErrorCode::InvalidOption));
        assert_eq!(layout(None), Ok(Layout::Plain));
    }

    #[test]
    fn budgets_are_whole_numbers() {
        let budget = |n| window(json!({ "tokenBudget": n })).rule().map(|rule| rule.token_budget);
        assert_eq!(budget(280.0), Ok(Some(280)));
        assert_eq!(budget(0.0), Ok(Some(0)));
        for odd in [-1.0, 2.5, 1e12] {
            assert_eq!(budget(odd).map_err(|m| m.code), Err(ErrorCode::InvalidOption));
        }
    }

    #[test]
    fn numbers_of_iterations_are_whole() {
        assert_eq!(number(-3.0), Ok(-3));
        assert_eq!(number(9_223_372_036_854_775_807.0), Ok(i64::MAX));
        for at in [0.5, f64::NAN, f64::INFINITY] {
            assert_eq!(number(at).map_err(|misuse| misuse.code), Err(ErrorCode::NoSuchIteration));
        }
    }
}
