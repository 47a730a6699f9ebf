//! The JavaScript face: exports over the core, for the entries in `npm/`.
//!
//! It is built once for each wasm of the package, with one feature each: `contract` for `hindscope`,
//! `history` for `hindscope/history` and `hindscope/memory`, `loop` for `hindscope/loop`.
//!
//! Every export decodes, calls the core once and encodes. What a person sees, the entries make of
//! these: they turn objects and strings into bytes, keep handles from being used after `free()`,
//! and read files. Bytes come in as `Uint8Array`, rows go out as plain objects, series as typed
//! arrays. No export panics, and none lets a getter of the caller run inside the wasm: an exception
//! thrown there would leave the stack of the instance where it was.
// What one of them does not use, another one does.
#![cfg_attr(
    not(all(feature = "contract", feature = "history", feature = "loop")),
    allow(dead_code, unused_imports)
)]

#[cfg(feature = "contract")]
pub mod contract;
mod error;
#[cfg(feature = "history")]
mod export;
mod given;
#[cfg(feature = "history")]
pub mod history;
#[cfg(feature = "history")]
pub mod insight;
#[cfg(feature = "history")]
mod loaded_run;
#[cfg(feature = "history")]
pub mod memory;
#[cfg(feature = "loop")]
mod reflect;
#[cfg(feature = "history")]
pub mod search;
#[cfg(feature = "history")]
mod unpacker;
#[cfg(feature = "loop")]
mod validator;
#[cfg(feature = "contract")]
mod window;
mod wire;

use js_sys::JSON;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use wire::{LayoutOptions, Misuse};

/// What the text of a record says, as plain JSON; `null` if it cannot be repaired.
#[cfg(any(feature = "contract", feature = "loop"))]
#[wasm_bindgen(js_name = plainJson)]
pub fn plain_json(record: &[u8]) -> String {
    hindscope::plain_json(record).unwrap_or_else(|| "null".to_owned())
}

/// Lays out entries as the text to put into a prompt.
///
/// # Errors
///
/// `invalid-option`, `omega-out-of-range`.
#[cfg(any(feature = "contract", feature = "history"))]
#[wasm_bindgen]
#[expect(clippy::needless_pass_by_value, reason = "wasm-bindgen has no borrowed optional string")]
pub fn render(
    entries: &JsValue,
    layout: Option<String>,
    options: &JsValue,
) -> Result<String, Misuse> {
    let entries = given::entries(entries)?;
    let options = LayoutOptions::of(options)?.over(hindscope::RenderOptions::default())?;
    let layout = wire::named(layout.as_deref(), hindscope::Layout::parse)?;
    Ok(hindscope::render_with(&entries, layout, &options))
}

/// Options as the entries hand them over: plain objects of plain values, made by them.
pub(crate) fn decode<T: DeserializeOwned>(options: JsValue) -> Result<T, Misuse> {
    serde_wasm_bindgen::from_value(options).map_err(Misuse::of_options)
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
