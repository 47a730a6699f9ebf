//! The options of a loop, each with its default and its range.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::super::combine::Combine;
use super::super::number;
use crate::labels::labels;
use crate::model::omega::Policy;

/// As an upper bound: there is no bound.
const MAX: i64 = i64::MAX;

/// A struct whose fields are options.
pub(super) trait Known: DeserializeOwned + Default {
    const NAMES: &[&str];
}

/// Declares structs whose fields are options. A field has a name, a type and a default, and names a
/// function that reads it if serde's own reading of the type does not suffice. After each struct come
/// the names of options that are read elsewhere.
macro_rules! options {
    ($($(#[$about:meta])* struct $name:ident {
        $($(#[$doc:meta])* $field:ident: $type:ty = $default:expr $(, $read:literal)?;)*
    } $($other:literal)*)*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Deserialize)]
        #[serde(default)]
        pub(crate) struct $name {
            $($(#[$doc])* $(#[serde(deserialize_with = $read)])? pub(crate) $field: $type,)*
        }

        impl Known for $name {
            const NAMES: &[&str] = &[$(stringify!($field),)* $($other),*];
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }
    )*};
}

options! {
    /// Options of a loop that are neither objects nor lists.
    struct Options {
        combine: Combine = Combine::All, "label";
        max_iterations: u32 = 3, "integer::<_, _, 1, 1000>";
        on_failure: OnFailure = OnFailure::ReturnBest, "label";
        corrector_mode: Mode = Mode::Auto, "label";
        parse: Parsing = Parsing::Auto, "label";
        pass_score: Option<f64> = None, "number::<_, _, 0, 1>";
        score_scale: f64 = 1.0, "positive";
        judge_retries: u32 = 0, "integer::<_, _, 0, 3>";
        candidates: u32 = 1, "integer::<_, _, 1, 32>";
        early_stop: bool = false;
        seed: u64 = 0, "seed";
        deadline_ms: Option<f64> = None;
        call_timeout_ms: Option<f64> = None, "number::<_, _, 0, MAX>";
        history_limit: Option<usize> = None, "integer::<_, _, 1, MAX>";
        events: Events = Events::Brief, "label";
        unknown_keys: UnknownKeys = UnknownKeys::Error, "label";
    }
    "state" "generator" "evaluator" "corrector" "llm_defaults" "attempt_params" "retry" "budget"
    "stall" "failure_limits" "feedback" "memory"

    /// The model of judges that name none.
    struct LlmDefaults {
        provider: String = "ollama".to_owned();
        model: String = "gemma3:4b".to_owned();
    }

    /// When a failed call is made again.
    struct Retry {
        max: u32 = 0, "integer::<_, _, 0, MAX>";
        initial_ms: f64 = 500.0, "number::<_, _, 0, MAX>";
        factor: f64 = 2.0, "number::<_, _, 1, MAX>";
        max_ms: f64 = 30_000.0, "number::<_, _, 0, MAX>";
        jitter: f64 = 0.0, "number::<_, _, 0, 1>";
        on: Vec<RetryOn> = vec![
            RetryOn::Generate, RetryOn::Evaluate, RetryOn::Correct, RetryOn::Resolve,
        ], "list_of_labels";
    }

    /// What may be spent; `None` is no limit.
    struct Budget {
        tokens: Option<f64> = None, "number::<_, _, 0, MAX>";
        cost: Option<f64> = None, "number::<_, _, 0, MAX>";
        calls: Option<u64> = None, "integer::<_, _, 0, MAX>";
        ms: Option<f64> = None, "number::<_, _, 0, MAX>";
        strict: bool = false;
    }

    /// A loop is stuck when so many rounds in a row are equal in one of these respects.
    struct Stall {
        /// There is no default: its absence is an error.
        after: usize = 0, "integer::<_, _, 2, 1000>";
        by: Vec<StallBy> = vec![StallBy::Output], "list_of_labels";
        min_gain: f64 = 0.0, "number::<_, _, 0, MAX>";
    }

    /// How many entries of a kind in a row end the loop; `None` is no limit.
    struct FailureLimits {
        generator: Option<u32> = None, "integer::<_, _, 0, MAX>";
        parse: Option<u32> = None, "integer::<_, _, 0, MAX>";
        evaluator: Option<u32> = None, "integer::<_, _, 0, MAX>";
        corrector: Option<u32> = None, "integer::<_, _, 0, MAX>";
    }

    /// Which earlier attempts `reflection_feedback` lists.
    struct FeedbackRule {
        /// `None` is all of them.
        last: Option<usize> = Some(3), "integer::<_, _, 0, MAX>";
        best: usize = 0, "integer::<_, _, 0, MAX>";
        dedupe: bool = true;
    }

    /// The reflection memory whose records the attempts of the loop become.
    struct Memory {
        /// Made of `name` where it is absent.
        loop_id: Option<String> = None;
        name: Option<String> = None;
        task_description: Option<String> = None;
        omega: u8 = 3, "integer::<_, _, 1, 10>";
        policy: Policy = Policy::Fifo, "label";
        /// What earlier runs left for this task.
        records: Vec<Value> = Vec::new(), "records";
    }

    /// What evaluators of every type have.
    struct EvaluatorOptions {
        name: Option<String> = None;
        weight: f64 = 1.0, "positive";
        required: bool = false;
        on_fail: OnFail = OnFail::Fail, "label";
        verification_type: Option<String> = None;
    }
    "type"

    struct SchemaOptions {
        schemas: Map<String, Value> = Map::new();
        draft: String = "auto".to_owned();
        assert_formats: bool = true;
        coerce: bool = true;
        schema_score: SchemaScore = SchemaScore::Binary, "label";
    }
    "schema" "callback"

    struct JudgeOptions {
        prompt: Option<String> = None;
        model: Option<String> = None;
        examples: Option<Vec<Map<String, Value>>> = None;
    }

    struct CodeOptions {
        language: Option<String> = None;
    }
    "run" "callback"
}

labels! {
    /// What is returned when no output was accepted.
    pub(crate) OnFailure { ReturnBest = "return_best", ReturnLast = "return_last", Raise = "raise" }
    pub(crate) Mode { Auto = "auto", Regenerate = "regenerate", Replace = "replace" }
    pub(crate) Parsing { Auto = "auto", Json = "json", Text = "text", None = "none" }
    /// Whether events carry outputs.
    pub(crate) Events { Brief = "brief", Full = "full" }
    pub(crate) UnknownKeys { Warn = "warn", Error = "error" }
    /// Calls that are made again.
    pub(crate) RetryOn {
        Generate = "generate", Evaluate = "evaluate", Correct = "correct", Resolve = "resolve",
    }
    pub(crate) StallBy { Output = "output", Errors = "errors", Score = "score" }
    pub(crate) OnFail { Fail = "fail", Warn = "warn" }
    pub(crate) SchemaScore { Binary = "binary", Graded = "graded" }
}

/// One of the labels of an enum.
fn label<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<T, D::Error> {
    // As text: serde would also take `{"label": null}`.
    let value = Value::deserialize(from)?;
    T::deserialize(Value::from(value.as_str().unwrap_or_default())).map_err(D::Error::custom)
}

/// A list of labels of an enum.
fn list_of_labels<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    from: D,
) -> Result<Vec<T>, D::Error> {
    let list = match Value::deserialize(from)? {
        Value::Array(list) => list,
        // No label, so the error lists them.
        other => vec![Value::Array(vec![other])],
    };
    list.into_iter().map(label).collect::<Result<_, serde_json::Error>>().map_err(|error| {
        D::Error::custom(error.to_string().replace("expected one of ", "expected an array of "))
    })
}

/// An integer within bounds, also when it is written as 3.0; null where `T` can be absent.
fn integer<'de, D, T, const LEAST: i64, const MOST: i64>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let value = Value::deserialize(from)?;
    within(&number::integer(&value).map_or(value, Value::from), "an integer", LEAST, MOST)
}

/// A number within bounds; null where `T` can be absent.
fn number<'de, D, T, const LEAST: i64, const MOST: i64>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    within(&Value::deserialize(from)?, "a number", LEAST, MOST)
}

#[expect(clippy::cast_precision_loss, reason = "bounds are small, or none")]
fn within<T: DeserializeOwned, E: Error>(
    value: &Value,
    what: &str,
    least: i64,
    most: i64,
) -> Result<T, E> {
    let fits = |number| number >= least as f64 && (most == MAX || number <= most as f64);
    if value.as_f64().is_none_or(fits)
        && let Ok(read) = T::deserialize(value)
    {
        return Ok(read);
    }
    let bounds = match most {
        MAX => format!("≥ {least}"),
        _ => format!("from {least} to {most}"),
    };
    let or_null = if T::deserialize(Value::Null).is_ok() { ", or null" } else { "" };
    Err(E::custom(format!("expected {what} {bounds}{or_null}")))
}

fn positive<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let number = Value::deserialize(from)?.as_f64().filter(|number| *number > 0.0);
    number.ok_or_else(|| D::Error::custom("expected a number > 0"))
}

/// An integer, or the text of one: seeds may be larger than a JSON number holds exactly.
fn seed<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let value = Value::deserialize(from)?;
    let seed = match &value {
        Value::String(text) => text.parse::<i128>().ok(),
        _ => value.as_u64().map(i128::from).or_else(|| number::integer(&value).map(i128::from)),
    };
    // Negative seeds are as good as any: their 64 bits count.
    let bits = |seed: i128| u64::try_from(seed).or(i64::try_from(seed).map(i64::cast_unsigned));
    seed.and_then(|seed| bits(seed).ok())
        .ok_or_else(|| D::Error::custom("expected a 64-bit integer, or a string with one"))
}

fn records<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Value>, D::Error> {
    match Value::deserialize(from)? {
        Value::Null => Ok(Vec::new()),
        Value::Array(records) if records.iter().all(Value::is_object) => Ok(records),
        _ => Err(D::Error::custom("expected an array of records, or null")),
    }
}
