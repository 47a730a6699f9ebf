//! The JavaScript face: exports over the core, for the entries in `npm/`.
//!
//! Every export decodes, calls the core once and encodes. What a person sees, the entries make of
//! these: they turn objects and strings into bytes, keep handles from being used after `free()`,
//! and read files. Bytes come in as `Uint8Array`, rows go out as plain objects, series as typed
//! arrays. No export panics, and none lets a getter of the caller run inside the wasm: an exception
//! thrown there would leave the stack of the instance where it was.

mod error;
mod wire;

use hindscope::{RecordId, Run, RunColumns, RunId, SourceId};
use js_sys::{Float64Array, JSON, Object, Reflect, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use wire::{Misuse, ReadOptions, WindowOptions};

/// Validates one reflection-memory record, given as JSON text.
///
/// # Errors
///
/// `invalid-option`.
#[wasm_bindgen]
pub fn validate(record: &[u8], options: JsValue) -> Result<JsValue, Misuse> {
    let profile = decode::<ReadOptions>(options)?.profile()?;
    Ok(encode(&hindscope::validate(record, profile)))
}

/// Writes `{number, outcome, text}` objects as the text to put into a prompt.
///
/// # Errors
///
/// `invalid-option`.
#[wasm_bindgen]
#[expect(clippy::needless_pass_by_value, reason = "wasm-bindgen has no borrowed optional string")]
pub fn render(entries: JsValue, layout: Option<String>) -> Result<String, Misuse> {
    let entries: Vec<hindscope::Entry> = decode(entries)?;
    Ok(hindscope::render(&entries, wire::layout(layout.as_deref())?))
}

/// Ω reflections of a running loop.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ReflectionWindow(hindscope::ReflectionWindow);

#[wasm_bindgen]
impl ReflectionWindow {
    /// An empty window.
    ///
    /// # Errors
    ///
    /// `omega-out-of-range`, `invalid-option`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<Self, Misuse> {
        let rule = decode::<WindowOptions>(options)?.rule()?;
        hindscope::ReflectionWindow::with_rule(rule).map(Self).map_err(|error| {
            let is_omega = error.code() == hindscope::ErrorCode::OmegaOutOfRange;
            let misuse = Misuse::from(error);
            match rule.omega.filter(|_| is_omega) {
                Some(omega) => misuse.about("omega", omega),
                None => misuse,
            }
        })
    }

    /// Adds the reflection of a record, given as JSON text.
    pub fn push(&mut self, record: &[u8]) -> JsValue {
        encode(&self.0.push(record))
    }

    /// What it holds, oldest first.
    pub fn entries(&self) -> JsValue {
        encode(self.0.entries())
    }

    /// Numbers of what it holds.
    pub fn held(&self) -> JsValue {
        encode(&self.0.held())
    }

    /// Numbers of what it pushed out.
    pub fn evicted(&self) -> JsValue {
        encode(&self.0.evicted())
    }

    /// The text for a prompt.
    ///
    /// # Errors
    ///
    /// `invalid-option`.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "wasm-bindgen has no borrowed optional string"
    )]
    pub fn render(&self, layout: Option<String>) -> Result<String, Misuse> {
        Ok(self.0.render(wire::layout(layout.as_deref())?))
    }

    /// What to store beside the record that was pushed last.
    pub fn metadata(&self) -> JsValue {
        encode(&self.0.metadata())
    }
}

/// Everything that was opened, as rows.
#[wasm_bindgen]
#[derive(Debug)]
pub struct History(hindscope::History);

#[wasm_bindgen]
impl History {
    /// An empty history.
    ///
    /// # Errors
    ///
    /// `invalid-option`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<Self, Misuse> {
        let profile = decode::<ReadOptions>(options)?.profile()?;
        Ok(Self(hindscope::History::new(profile)))
    }

    /// Announces a source.
    pub fn open(&mut self, path: &str) -> u32 {
        self.0.open(path).0
    }

    /// Hands over a slice; true: more of them may come.
    ///
    /// # Errors
    ///
    /// `no-such-source`, `source-finished`.
    pub fn push(&mut self, source: u32, slice: &[u8]) -> Result<bool, Misuse> {
        match self.0.push(SourceId(source), slice) {
            Ok(more) => Ok(more == hindscope::More::Wanted),
            Err(error) => Err(Misuse::from(error).about("source", source)),
        }
    }

    /// Says that a source has no more slices.
    ///
    /// # Errors
    ///
    /// `no-such-source`, `source-finished`.
    pub fn finish(&mut self, source: u32) -> Result<(), Misuse> {
        self.0.finish(SourceId(source)).map_err(|error| Misuse::from(error).about("source", source))
    }

    /// Says that a source could not be read.
    ///
    /// # Errors
    ///
    /// `no-such-source`, `source-finished`.
    pub fn fail(&mut self, source: u32, reason: &str) -> Result<(), Misuse> {
        self.0
            .fail(SourceId(source), reason)
            .map_err(|error| Misuse::from(error).about("source", source))
    }

    /// All sources.
    pub fn sources(&self) -> JsValue {
        encode(&self.0.sources())
    }

    /// Number of records.
    #[wasm_bindgen(js_name = recordCount)]
    pub fn record_count(&self) -> usize {
        self.0.record_count()
    }

    /// All groups.
    pub fn groups(&self) -> JsValue {
        encode(&self.0.groups())
    }

    /// Number of runs.
    #[wasm_bindgen(js_name = runCount)]
    pub fn run_count(&self) -> usize {
        self.0.run_count()
    }

    /// All runs.
    pub fn runs(&self) -> JsValue {
        encode(&self.0.runs())
    }

    /// The run with this key.
    #[wasm_bindgen(js_name = findRun)]
    pub fn find_run(&self, key: &str) -> Option<u32> {
        self.0.find_run(key).map(|id| id.0)
    }

    /// One run.
    ///
    /// # Errors
    ///
    /// `no-such-run`.
    pub fn run(&self, run: u32) -> Result<JsValue, Misuse> {
        self.ask(run, |run| encode(&run.view()))
    }

    /// The iterations of a run.
    ///
    /// # Errors
    ///
    /// `no-such-run`.
    pub fn iterations(&self, run: u32) -> Result<JsValue, Misuse> {
        self.ask(run, |run| encode(&run.iterations()))
    }

    /// The reflections of a run, by their places.
    ///
    /// # Errors
    ///
    /// `no-such-run`.
    pub fn reflections(&self, run: u32) -> Result<JsValue, Misuse> {
        self.ask(run, |run| encode(&run.reflections()))
    }

    /// The series of a run.
    ///
    /// # Errors
    ///
    /// `no-such-run`.
    pub fn columns(&self, run: u32) -> Result<JsValue, Misuse> {
        self.ask(run, |run| typed(&run.columns()))
    }

    /// The window when iteration `at` began.
    ///
    /// # Errors
    ///
    /// `no-such-run`, `no-such-iteration`, `omega-out-of-range`, `invalid-option`.
    pub fn window(&self, run: u32, at: f64, options: JsValue) -> Result<JsValue, Misuse> {
        let rule = decode::<WindowOptions>(options)?.rule()?;
        let number = wire::number(at)?;
        self.ask(run, |run| run.window(number, rule).map(|window| encode(&window.view())))?
            .map_err(|error| Misuse::from(error).about("run", run).about("at", at))
    }

    /// Number of findings.
    #[wasm_bindgen(js_name = findingCount)]
    pub fn finding_count(&self) -> usize {
        self.0.finding_count()
    }

    /// All findings.
    pub fn findings(&self) -> JsValue {
        encode(&self.0.findings())
    }

    /// Where a record stands.
    ///
    /// # Errors
    ///
    /// `no-such-record`.
    pub fn locate(&self, record: u32) -> Result<JsValue, Misuse> {
        self.0
            .locate(RecordId(record))
            .map(|span| encode(&span))
            .map_err(|error| Misuse::from(error).about("record", record))
    }

    /// One iteration of a record in full.
    ///
    /// # Errors
    ///
    /// `no-such-record`, `wrong-bytes`.
    pub fn inspect(&self, record: u32, part: u32, bytes: &[u8]) -> Result<JsValue, Misuse> {
        self.0
            .inspect(RecordId(record), part, bytes)
            .map(|details| encode(&details))
            .map_err(|error| Misuse::from(error).about("record", record))
    }

    /// The text of a record.
    ///
    /// # Errors
    ///
    /// `no-such-record`, `wrong-bytes`.
    #[wasm_bindgen(js_name = rawText)]
    pub fn raw_text(&self, record: u32, bytes: &[u8]) -> Result<String, Misuse> {
        self.0
            .raw_text(RecordId(record), bytes)
            .map_err(|error| Misuse::from(error).about("record", record))
    }

    fn ask<T>(&self, id: u32, ask: impl FnOnce(Run<'_>) -> T) -> Result<T, Misuse> {
        let run = self.0.run(RunId(id)).map_err(|error| Misuse::from(error).about("run", id))?;
        Ok(ask(run))
    }
}

/// Options as the entries hand them over: plain objects of plain values, made by them.
fn decode<T: DeserializeOwned>(options: JsValue) -> Result<T, Misuse> {
    serde_wasm_bindgen::from_value(options).map_err(Misuse::of_options)
}

/// Rows as plain objects.
///
/// By way of JSON text, and not member by member: twice as fast for a list of 20,000 runs (52 ms
/// against 100 ms with serde-wasm-bindgen, Node 20), and a number beyond 2⁵³ becomes the nearest
/// double, as for anyone who parses the file itself, where the other way refuses it. Members that
/// are not known are absent from the text.
fn encode<T: Serialize + ?Sized>(rows: &T) -> JsValue {
    let text = serde_json::to_string(rows).expect("rows are plain data");
    JSON::parse(&text).expect("serde_json writes JSON")
}

/// Series as typed arrays; NaN where there is no value.
fn typed(columns: &RunColumns<'_>) -> JsValue {
    #[expect(clippy::cast_precision_loss, reason = "numbers of iterations; see wire::number")]
    let numbers: Vec<f64> = columns.numbers.iter().map(|&number| number as f64).collect();
    let outcomes: Vec<u8> = columns.outcomes.iter().map(|&outcome| outcome as u8).collect();
    let object = Object::new();
    for (name, series) in [
        ("numbers", &numbers[..]),
        ("rewards", columns.rewards),
        ("deltas", columns.deltas),
        ("errors", columns.errors),
        ("timesMs", columns.times_ms),
    ] {
        set(&object, name, &Float64Array::from(series));
    }
    set(&object, "outcomes", &Uint8Array::from(&outcomes[..]));
    object.into()
}

fn set(object: &Object, name: &str, value: &JsValue) {
    // Setting a member of a fresh plain object cannot fail.
    let _ = Reflect::set(object, &name.into(), value);
}
