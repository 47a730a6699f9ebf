//! The JavaScript face: exports over the core, for the entries in `npm/`.
//!
//! Every export decodes, calls the core once and encodes. What a person sees, the entries make of
//! these: they turn objects and strings into bytes, keep handles from being used after `free()`,
//! and read files. Bytes come in as `Uint8Array`, rows go out as plain objects, series as typed
//! arrays. No export panics, and none lets a getter of the caller run inside the wasm: an exception
//! thrown there would leave the stack of the instance where it was.

mod error;
mod export;
mod history;
mod loaded_run;
mod memory;
mod reflect;
mod search;
mod unpacker;
mod window;
mod wire;

use js_sys::JSON;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use wire::{ExplainOptions, LayoutOptions, Misuse, ValidateOptions};

/// Validates one record, given as JSON text.
///
/// # Errors
///
/// `invalid-option`.
#[wasm_bindgen]
pub fn validate(record: &[u8], options: JsValue) -> Result<JsValue, Misuse> {
    let options = decode::<ValidateOptions>(options)?.asked()?;
    Ok(encode(&hindscope::validate_with(record, options)))
}

/// What the text of a record says, as plain JSON; `null` if it cannot be repaired.
#[wasm_bindgen(js_name = plainJson)]
pub fn plain_json(record: &[u8]) -> String {
    hindscope::plain_json(record).unwrap_or_else(|| "null".to_owned())
}

/// The JSON Schema of a kind of record, as text.
///
/// # Errors
///
/// `invalid-option`.
#[wasm_bindgen(js_name = jsonSchema)]
#[expect(clippy::needless_pass_by_value, reason = "wasm-bindgen has no borrowed optional string")]
pub fn json_schema(schema: Option<String>) -> Result<String, Misuse> {
    Ok(wire::named(schema.as_deref(), hindscope::Schema::parse)?.json().to_owned())
}

/// A schema of the caller's own.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Validator(hindscope::Validator);

#[wasm_bindgen]
impl Validator {
    /// Compiles a schema, given as JSON text.
    ///
    /// # Errors
    ///
    /// `invalid-schema`.
    #[wasm_bindgen(constructor)]
    pub fn new(schema: &str) -> Result<Self, Misuse> {
        Ok(Self(hindscope::Validator::new(schema)?))
    }

    /// Validates a value, given as JSON text.
    pub fn validate(&self, record: &[u8]) -> JsValue {
        encode(&self.0.validate(record))
    }

    /// What of the schema is not checked.
    pub fn warnings(&self) -> JsValue {
        encode(self.0.warnings())
    }
}

/// What the records of a loop teach. They stand one after the other in `records`; `ends` says
/// where each ends.
///
/// # Errors
///
/// `invalid-option`, `omega-out-of-range`.
#[wasm_bindgen]
pub fn explain(records: &[u8], ends: &[u32], options: JsValue) -> Result<JsValue, Misuse> {
    let options = decode::<ExplainOptions>(options)?.asked()?;
    Ok(encode(&hindscope::explain(&wire::cut(records, 0, ends), &options)))
}

/// Every rule of `explain`.
#[wasm_bindgen(js_name = insightRules)]
pub fn insight_rules() -> JsValue {
    encode(hindscope::insight_rules())
}

/// Every format that can be opened.
#[wasm_bindgen]
pub fn formats() -> JsValue {
    encode(hindscope::formats())
}

/// Lays out entries as the text to put into a prompt.
///
/// # Errors
///
/// `invalid-option`, `omega-out-of-range`.
#[wasm_bindgen]
#[expect(clippy::needless_pass_by_value, reason = "wasm-bindgen has no borrowed optional string")]
pub fn render(
    entries: JsValue,
    layout: Option<String>,
    options: JsValue,
) -> Result<String, Misuse> {
    let entries: Vec<hindscope::Entry> =
        serde_wasm_bindgen::from_value(entries).map_err(Misuse::of_entries)?;
    let options = decode::<LayoutOptions>(options)?.over(hindscope::RenderOptions::default())?;
    let layout = wire::named(layout.as_deref(), hindscope::Layout::parse)?;
    Ok(hindscope::render_with(&entries, layout, &options))
}

/// Ω after one evaluation.
///
/// # Errors
///
/// `omega-out-of-range`, `invalid-option`.
#[wasm_bindgen(js_name = autoScale)]
pub fn auto_scale(omega: f64, pace: JsValue) -> Result<u8, Misuse> {
    let pace = decode::<wire::Pace>(pace)?.asked()?;
    Ok(hindscope::auto_scale(wire::omega(omega)?, &pace))
}

/// Advice on Ω, to be shown.
#[wasm_bindgen(js_name = omegaAdvice)]
pub fn omega_advice() -> JsValue {
    encode(hindscope::OMEGA_ADVICE)
}

/// Options as the entries hand them over: plain objects of plain values, made by them.
pub(crate) fn decode<T: DeserializeOwned>(options: JsValue) -> Result<T, Misuse> {
    serde_wasm_bindgen::from_value(options).map_err(Misuse::of_options)
}

/// What is wrong with a query; nothing if it can be asked.
///
/// # Errors
///
/// `invalid-option`.
#[wasm_bindgen(js_name = queryError)]
pub fn query_error(text: &str, list: &str) -> Result<JsValue, Misuse> {
    let target = search::target(list).ok_or_else(|| {
        hindscope::Error::invalid_option(format!(
            "`list` must be search, runs or findings, found {list:?}."
        ))
    })?;
    Ok(hindscope::Query::parse_for(text, target)
        .err()
        .map_or(JsValue::UNDEFINED, |error| encode(&error)))
}

/// Rows as plain objects.
///
/// By way of JSON text, and not member by member: twice as fast for a list of 20,000 runs (52 ms
/// against 100 ms with serde-wasm-bindgen, Node 20), and a number beyond 2⁵³ becomes the nearest
/// double, as for anyone who parses the file itself, where the other way refuses it. Members that
/// are not known are absent from the text.
pub(crate) fn encode<T: Serialize + ?Sized>(rows: &T) -> JsValue {
    let text = serde_json::to_string(rows).expect("rows are plain data");
    JSON::parse(&text).expect("serde_json writes JSON")
}
