//! Options and numbers as JavaScript hands them over. Nothing here touches the browser, so all of
//! it is tested natively.

use hindscope::{
    CsvProfile, Error, ErrorCode, ExportKind, InsightOptions, JsonQuery, MOST_MEMORY_MB, Policy,
    Profile, RecordsLayout, RenderOptions, Schema, Selection, WindowRule,
};
use serde::Deserialize;

use crate::given::Given;

/// 2⁵³: from here on, doubles are not integers of their own.
const TWO_53: f64 = 9_007_199_254_740_992.0;

/// A call that was made wrongly, on its way to becoming an exception.
#[derive(Clone, Debug, PartialEq)]
pub struct Misuse {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
    pub(crate) details: Vec<(&'static str, f64)>,
}

impl Misuse {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: Vec::new() }
    }

    /// Adds a number that it is about.
    pub(crate) fn about(mut self, name: &'static str, value: impl Into<f64>) -> Self {
        self.details.push((name, value.into()));
        self
    }

    /// An error about one thing, such as `run` 7.
    pub(crate) fn one(name: &'static str, value: impl Into<f64>) -> impl FnOnce(Error) -> Self {
        let value = value.into();
        move |error| Self::from(error).about(name, value)
    }

    /// A number that is not what it must be.
    fn of_number(code: ErrorCode, name: &'static str, must_be: &str, found: f64) -> Self {
        Self::new(
            code,
            format!("`{name}` must be {must_be}, found {}.", hindscope::shown_number(found)),
        )
        .about(name, found)
    }

    /// Options that do not have the right types.
    pub(crate) fn of_options(error: impl std::fmt::Display) -> Self {
        Self::new(ErrorCode::InvalidOption, format!("The options are not valid: {error}."))
    }
}

impl From<Error> for Misuse {
    fn from(error: Error) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

/// Options of `export`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ExportOptions {
    kind: Option<String>,
    created: Option<String>,
    originals: Option<bool>,
    outputs: Option<bool>,
    prompts: Option<bool>,
    paths: Option<bool>,
    profile: Option<String>,
    query: Option<String>,
    layout: Option<String>,
    supply: Option<String>,
    first: Option<i64>,
    last: Option<i64>,
    points: Option<bool>,
    reflections: Option<bool>,
}

impl ExportOptions {
    /// The history with everything if they do not say.
    pub(crate) fn asked(self) -> Result<hindscope::ExportOptions, Misuse> {
        let usual = hindscope::ExportOptions::default();
        Ok(hindscope::ExportOptions {
            kind: word("kind", self.kind, &ExportKind::ALL, ExportKind::as_str)?,
            created: self.created,
            originals: self.originals.unwrap_or(usual.originals),
            outputs: self.outputs.unwrap_or(usual.outputs),
            prompts: self.prompts.unwrap_or(usual.prompts),
            paths: self.paths.unwrap_or(usual.paths),
            profile: word("profile", self.profile, &CsvProfile::ALL, CsvProfile::as_str)?,
            query: word("query", self.query, &JsonQuery::ALL, JsonQuery::as_str)?,
            layout: word("layout", self.layout, &RecordsLayout::ALL, RecordsLayout::as_str)?,
            supply: self.supply,
            first: self.first,
            last: self.last,
            points: self.points.unwrap_or(usual.points),
            reflections: self.reflections.unwrap_or(usual.reflections),
        })
    }
}

/// A word that is one of several; the usual one of them if there is none.
fn word<T: Copy + Default>(
    name: &str,
    word: Option<String>,
    all: &[T],
    as_str: fn(T) -> &'static str,
) -> Result<T, Misuse> {
    let Some(word) = word else { return Ok(T::default()) };
    all.iter().copied().find(|one| as_str(*one) == word).ok_or_else(|| {
        let words: Vec<_> = all.iter().map(|one| as_str(*one)).collect();
        let message = format!("`{name}` must be one of {}, found \"{word}\".", words.join(", "));
        Misuse::new(ErrorCode::InvalidOption, message)
    })
}

/// Options of `validate`.
#[derive(Debug, Default)]
pub(crate) struct ValidateOptions {
    schema: Option<String>,
    profile: Option<String>,
    now: Option<f64>,
}

impl ValidateOptions {
    pub(crate) fn of(given: &impl Given) -> Result<Self, Misuse> {
        Ok(Self {
            schema: given.text("schema")?,
            profile: given.text("profile")?,
            now: given.number("now")?,
        })
    }

    /// Lenient and of reflection-memory if they do not say.
    pub(crate) fn asked(&self) -> Result<hindscope::ValidateOptions, Misuse> {
        Ok(hindscope::ValidateOptions {
            schema: named(self.schema.as_deref(), Schema::parse)?,
            profile: named(self.profile.as_deref(), Profile::parse)?,
            now_ms: finite(self.now, "now")?,
        })
    }
}

/// Options of `History`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct HistoryOptions {
    profile: Option<String>,
    memory: Option<f64>,
}

impl HistoryOptions {
    /// Lenient if it does not say.
    pub(crate) fn profile(&self) -> Result<Profile, Misuse> {
        named(self.profile.as_deref(), Profile::parse)
    }

    /// The memory that it may take, in bytes: they say MB, which are those of memory, 2²⁰ bytes.
    pub(crate) fn memory(&self) -> Result<Option<usize>, Misuse> {
        let Some(written) = self.memory else { return Ok(None) };
        let megabytes = whole(written).and_then(|megabytes| u32::try_from(megabytes).ok());
        let Some(megabytes) = megabytes.filter(|megabytes| *megabytes <= MOST_MEMORY_MB) else {
            let must_be = format!("an integer from 0 to {MOST_MEMORY_MB}");
            return Err(Misuse::of_number(ErrorCode::InvalidOption, "memory", &must_be, written));
        };
        Ok(Some(usize::try_from(u64::from(megabytes) << 20).unwrap_or(usize::MAX)))
    }
}

/// Options of `ReflectionWindow` and of a window of a run.
#[derive(Debug, Default)]
pub(crate) struct WindowOptions {
    omega: Option<f64>,
    policy: Option<String>,
    failures_only: Option<bool>,
    token_budget: Option<f64>,
    half_life: Option<f64>,
    dynamic_omega: Option<bool>,
}

impl WindowOptions {
    pub(crate) fn of(given: &impl Given) -> Result<Self, Misuse> {
        Ok(Self {
            omega: given.number("omega")?,
            policy: given.text("policy")?,
            failures_only: given.flag("failuresOnly")?,
            token_budget: given.number("tokenBudget")?,
            half_life: given.number("halfLife")?,
            dynamic_omega: given.flag("dynamicOmega")?,
        })
    }

    /// What they do not say is up to the core.
    pub(crate) fn rule(&self) -> Result<WindowRule, Misuse> {
        let usual = WindowRule::default();
        Ok(WindowRule {
            omega: self.omega.map(omega).transpose()?,
            policy: named(self.policy.as_deref(), Policy::parse)?,
            failures_only: self.failures_only.unwrap_or_default(),
            token_budget: count(self.token_budget, "tokenBudget")?,
            half_life: self.half_life.unwrap_or(usual.half_life),
            dynamic_omega: self.dynamic_omega.unwrap_or_default(),
        })
    }
}

/// Options of a rendering, each in place of what the window knows.
#[derive(Debug, Default)]
pub(crate) struct LayoutOptions {
    verbatim: Option<bool>,
    absolute_numbers: Option<bool>,
    attempts: Option<f64>,
    task: Option<String>,
    total: Option<f64>,
    omega: Option<f64>,
}

impl LayoutOptions {
    pub(crate) fn of(given: &impl Given) -> Result<Self, Misuse> {
        Ok(Self {
            verbatim: given.flag("verbatim")?,
            absolute_numbers: given.flag("absoluteNumbers")?,
            attempts: given.number("attempts")?,
            task: given.text("task")?,
            total: given.number("total")?,
            omega: given.number("omega")?,
        })
    }

    pub(crate) fn over(self, known: RenderOptions) -> Result<RenderOptions, Misuse> {
        Ok(RenderOptions {
            verbatim: self.verbatim.unwrap_or(known.verbatim),
            absolute_numbers: self.absolute_numbers.unwrap_or(known.absolute_numbers),
            attempts: count(self.attempts, "attempts")?.or(known.attempts),
            task: self.task.or(known.task),
            total: count(self.total, "total")?.or(known.total),
            omega: self.omega.map(omega).transpose()?.or(known.omega),
        })
    }
}

/// Options of `explain`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct ExplainOptions {
    rules: Option<Vec<String>>,
    omega: Option<f64>,
    diminishing_relative: Option<f64>,
    diminishing_points: Option<f64>,
    diminishing_steps: Option<f64>,
    selection: Option<Selection>,
    selection_threshold: Option<f64>,
    require_verification: Option<bool>,
    max_iterations: Option<f64>,
    objective: Option<String>,
    now: Option<f64>,
}

impl ExplainOptions {
    /// What they do not say is up to the core.
    pub(crate) fn asked(self) -> Result<InsightOptions, Misuse> {
        let usual = InsightOptions::default();
        let options = InsightOptions {
            rules: self.rules.unwrap_or_default(),
            omega: self.omega.map(omega).transpose()?,
            diminishing_relative: finite(self.diminishing_relative, "diminishingRelative")?
                .unwrap_or(usual.diminishing_relative),
            diminishing_points: finite(self.diminishing_points, "diminishingPoints")?
                .unwrap_or(usual.diminishing_points),
            diminishing_steps: count(self.diminishing_steps, "diminishingSteps")?
                .unwrap_or(usual.diminishing_steps),
            selection: self.selection.unwrap_or(usual.selection),
            selection_threshold: finite(self.selection_threshold, "selectionThreshold")?
                .unwrap_or(usual.selection_threshold),
            require_verification: self.require_verification.unwrap_or(usual.require_verification),
            max_iterations: count(self.max_iterations, "maxIterations")?,
            objective: self.objective,
            now_ms: finite(self.now, "now")?,
        };
        options.check()?;
        Ok(options)
    }
}

/// How a loop is doing, for `autoScale`.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    consecutive_failures: Option<f64>,
    mean_quality: Option<f64>,
    iterations_to_finish: Option<f64>,
}

impl Pace {
    pub(crate) fn of(given: &impl Given) -> Result<Self, Misuse> {
        Ok(Self {
            consecutive_failures: given.number("consecutiveFailures")?,
            mean_quality: given.number("meanQuality")?,
            iterations_to_finish: given.number("iterationsToFinish")?,
        })
    }

    /// What is not said is 0, as in the core.
    pub(crate) fn asked(&self) -> Result<hindscope::Pace, Misuse> {
        let failures = count(self.consecutive_failures, "consecutiveFailures")?;
        let iterations = count(self.iterations_to_finish, "iterationsToFinish")?;
        Ok(hindscope::Pace {
            consecutive_failures: failures.unwrap_or_default(),
            mean_quality: finite(self.mean_quality, "meanQuality")?.unwrap_or_default(),
            iterations_to_finish: iterations.unwrap_or_default(),
        })
    }
}

/// Stretches that follow each other from a place on, by where each ends. What lies outside is empty.
pub(crate) fn cut<'a>(bytes: &'a [u8], mut start: usize, ends: &[u32]) -> Vec<&'a [u8]> {
    let stretch = |&end: &u32| {
        let end = end as usize;
        let stretch = bytes.get(start..end).unwrap_or_default();
        start = end;
        stretch
    };
    ends.iter().map(stretch).collect()
}

/// What a word stands for, such as a layout; the usual one if there is none.
pub(crate) fn named<T: Default>(
    word: Option<&str>,
    parse: fn(&str) -> Result<T, Error>,
) -> Result<T, Misuse> {
    Ok(word.map(parse).transpose()?.unwrap_or_default())
}

/// Ω, 0..=10.
pub(crate) fn omega(written: f64) -> Result<u8, Misuse> {
    hindscope::omega_of(written).map_err(Misuse::one("omega", written))
}

/// An integer from 0, such as of bytes.
pub(crate) fn count<T: TryFrom<i64>>(
    written: Option<f64>,
    name: &'static str,
) -> Result<Option<T>, Misuse> {
    let Some(written) = written else { return Ok(None) };
    let number = whole(written).and_then(|number| T::try_from(number).ok());
    let wrong = || Misuse::of_number(ErrorCode::InvalidOption, name, "an integer ≥ 0", written);
    number.map(Some).ok_or_else(wrong)
}

fn finite(written: Option<f64>, name: &'static str) -> Result<Option<f64>, Misuse> {
    match written {
        Some(written) if !written.is_finite() => {
            Err(Misuse::of_number(ErrorCode::InvalidOption, name, "a finite number", written))
        }
        written => Ok(written),
    }
}

/// The number of an iteration. None is beyond 2⁵³ − 1, so a double is enough.
pub(crate) fn number(at: f64) -> Result<i64, Misuse> {
    let number = whole(at).filter(|_| at.abs() < TWO_53);
    let must_be = "an integer within ±9007199254740991";
    number.ok_or_else(|| Misuse::of_number(ErrorCode::NoSuchIteration, "at", must_be, at))
}

#[expect(clippy::cast_possible_truncation, reason = "saturates, and is a whole number by then")]
pub(crate) fn whole(value: f64) -> Option<i64> {
    (value.is_finite() && value.fract() == 0.0).then_some(value as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindscope::Layout;
    use serde_json::{from_value, json};

    fn window(options: &serde_json::Value) -> WindowOptions {
        WindowOptions::of(options).expect("these have the right types")
    }

    #[test]
    fn absent_and_null_are_the_same() {
        for options in [json!({}), json!({ "profile": null })] {
            let read: HistoryOptions = from_value(options.clone()).expect("both are fine");
            assert_eq!(read.profile(), Ok(Profile::Lenient));
            assert_eq!(read.memory(), Ok(None));
            let validate = ValidateOptions::of(&options).expect("both are fine");
            assert_eq!(validate.asked(), Ok(hindscope::ValidateOptions::default()));
        }
        for options in [json!({}), json!({ "omega": null, "policy": null })] {
            assert_eq!(window(&options).rule(), Ok(WindowRule::default()));
        }
    }

    #[test]
    fn memory_ends_before_addresses_do() {
        let memory = |megabytes: f64| {
            let read: Result<HistoryOptions, _> = from_value(json!({ "memory": megabytes }));
            read.expect("it is a number").memory()
        };
        assert_eq!(memory(3072.0), Ok(Some(3072 << 20)));
        for megabytes in [-1.0, 0.5, 3073.0, 4096.0, 1e300] {
            let misuse = memory(megabytes).expect_err("out of range");
            assert_eq!(misuse.code, ErrorCode::InvalidOption, "{megabytes}");
        }
    }

    #[test]
    fn omega_is_a_whole_number_that_fits() {
        assert_eq!(window(&json!({ "omega": 4 })).rule().map(|rule| rule.omega), Ok(Some(4)));
        assert_eq!(window(&json!({ "omega": 0 })).rule().map(|rule| rule.omega), Ok(Some(0)));
        for omega in [-1.0, 2.5, 11.0, 256.0, 1e300] {
            let misuse = window(&json!({ "omega": omega })).rule().expect_err("out of range");
            assert_eq!(misuse.code, ErrorCode::OmegaOutOfRange);
            assert_eq!(misuse.details, [("omega", omega)]);
        }
        let odd = WindowOptions { omega: Some(f64::NAN), ..WindowOptions::default() };
        assert_eq!(odd.rule().map_err(|misuse| misuse.code), Err(ErrorCode::OmegaOutOfRange));
    }

    #[test]
    fn unknown_words_are_invalid_options() {
        let code = |misuse: Misuse| misuse.code;
        let options: HistoryOptions = from_value(json!({ "profile": "Strict" })).expect("a text");
        assert_eq!(options.profile().map_err(code), Err(ErrorCode::InvalidOption));
        assert_eq!(
            window(&json!({ "policy": "lifo" })).rule().map_err(code),
            Err(ErrorCode::InvalidOption)
        );
        let layout = |word| named(word, Layout::parse);
        assert_eq!(layout(Some("fancy")).map_err(code), Err(ErrorCode::InvalidOption));
        assert_eq!(layout(None), Ok(Layout::Plain));
    }

    #[test]
    fn budgets_are_whole_numbers() {
        let budget = |n| window(&json!({ "tokenBudget": n })).rule().map(|rule| rule.token_budget);
        assert_eq!(budget(280.0), Ok(Some(280)));
        assert_eq!(budget(0.0), Ok(Some(0)));
        for odd in [-1.0, 2.5, 1e12] {
            assert_eq!(budget(odd).map_err(|m| m.code), Err(ErrorCode::InvalidOption));
        }
    }

    #[test]
    fn a_rendering_says_what_the_window_does_not() {
        let known =
            RenderOptions { total: Some(9), task: Some("known".into()), ..Default::default() };
        let said = LayoutOptions::of(&json!({ "task": "said", "omega": 2 })).expect("fine");
        assert_eq!(
            said.over(known.clone()),
            Ok(RenderOptions { task: Some("said".into()), omega: Some(2), ..known.clone() })
        );
        assert_eq!(LayoutOptions::default().over(known.clone()), Ok(known));
        let odd = LayoutOptions::of(&json!({ "attempts": -1 })).expect("a number");
        let code = odd.over(RenderOptions::default()).map_err(|misuse| misuse.code);
        assert_eq!(code, Err(ErrorCode::InvalidOption));
    }

    #[test]
    fn explain_has_the_defaults_of_the_core() {
        let of = |options| from_value::<ExplainOptions>(options).map(ExplainOptions::asked);
        assert_eq!(of(json!({})).expect("fine"), Ok(InsightOptions::default()));
        let asked = of(json!({ "rules": ["stuck/*"], "selection": "highest_quality", "omega": 5 }));
        let asked = asked.expect("fine").expect("fine");
        assert_eq!((asked.rules.len(), asked.omega), (1, Some(5)));
        assert_eq!(asked.selection, Selection::HighestQuality);
        let odd = of(json!({ "omega": 11 })).expect("a number");
        assert_eq!(odd.map_err(|misuse| misuse.code), Err(ErrorCode::OmegaOutOfRange));
        let odd = of(json!({ "diminishingSteps": 0.5 })).expect("a number");
        assert_eq!(odd.map_err(|misuse| misuse.code), Err(ErrorCode::InvalidOption));
        assert!(of(json!({ "selection": "best" })).is_err());
    }

    #[test]
    fn records_are_cut_where_they_end() {
        assert_eq!(cut(b"abcde", 0, &[2, 2, 5]), [&b"ab"[..], b"", b"cde"]);
        assert_eq!(cut(b"abcde", 1, &[2, 4]), [&b"b"[..], b"cd"]);
        assert_eq!(cut(b"ab", 0, &[9, 1]), [&b""[..], b""]);
        assert_eq!(cut(b"ab", 3, &[4]), [&b""[..]]);
    }

    #[test]
    fn numbers_of_iterations_are_whole() {
        assert_eq!(number(-3.0), Ok(-3));
        assert_eq!(number(TWO_53 - 1.0), Ok((1 << 53) - 1));
        for at in [0.5, TWO_53, -TWO_53, 1e20, f64::NAN, f64::INFINITY] {
            assert_eq!(number(at).map_err(|misuse| misuse.code), Err(ErrorCode::NoSuchIteration));
        }
    }
}
