//! Options and numbers as JavaScript hands them over. Nothing here touches the browser, so all of
//! it is tested natively.

use hindscope::{Error, ErrorCode, Layout, Policy, Profile, WindowRule};
use serde::Deserialize;

/// Ω when nobody says otherwise, as aiwg's schema and memory manager have it.
const OMEGA: u8 = 3;

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
#[serde(default)]
pub(crate) struct WindowOptions {
    omega: Option<f64>,
    policy: Option<String>,
}

impl WindowOptions {
    /// For a window of one's own: Ω is 3 if they do not say.
    pub(crate) fn own(&self) -> Result<(u8, Policy), Misuse> {
        Ok((self.omega()?.unwrap_or(OMEGA), self.policy()?))
    }

    /// For a window of a run: Ω is what the records say if they do not.
    pub(crate) fn rule(&self) -> Result<WindowRule, Misuse> {
        Ok(WindowRule { omega: self.omega()?, policy: self.policy()? })
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
            let options = window(options);
            assert_eq!(options.own(), Ok((3, Policy::Fifo)));
            assert_eq!(options.rule(), Ok(WindowRule { omega: None, policy: Policy::Fifo }));
        }
    }

    #[test]
    fn omega_is_a_whole_number_that_fits() {
        assert_eq!(window(json!({ "omega": 4 })).own(), Ok((4, Policy::Fifo)));
        assert_eq!(window(json!({ "omega": 0 })).rule().map(|rule| rule.omega), Ok(Some(0)));
        for omega in [-1.0, 2.5, 256.0, 1e300] {
            let misuse = window(json!({ "omega": omega })).own().expect_err("out of range");
            assert_eq!(misuse.code, ErrorCode::OmegaOutOfRange);
            assert_eq!(misuse.details, [("omega", omega)]);
        }
        let odd = WindowOptions { omega: Some(f64::NAN), policy: None };
        assert_eq!(odd.own().map_err(|misuse| misuse.code), Err(ErrorCode::OmegaOutOfRange));
    }

    #[test]
    fn unknown_words_are_invalid_options() {
        let code = |misuse: Misuse| misuse.code;
        let options: ReadOptions = from_value(json!({ "profile": "Strict" })).expect("a text");
        assert_eq!(options.profile().map_err(code), Err(ErrorCode::InvalidOption));
        assert_eq!(
            window(json!({ "policy": "lifo" })).own().map_err(code),
            Err(ErrorCode::InvalidOption)
        );
        assert_eq!(layout(Some("fancy")).map_err(code), Err(ErrorCode::InvalidOption));
        assert_eq!(layout(None), Ok(Layout::Plain));
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
