//! What the single file carries, and copies of it that carry something else.

use js_sys::{Array, Function, JsString, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, File, FileReader, ReadableStream, ReadableWritablePair, Response, WritableStream, window,
};

use super::FileHandle;
use super::dom::meta;
use super::drop::Found;

#[wasm_bindgen]
extern "C" {
    // web-sys keeps it behind a flag.
    type CompressionStream;
    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<CompressionStream, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn readable(this: &CompressionStream) -> ReadableStream;
    #[wasm_bindgen(method, getter)]
    fn writable(this: &CompressionStream) -> WritableStream;
}

/// What the start script of the single file leaves: the file inside.
const CARRIED: &str = "hindscopeData";
/// The place for it, as web/single/build.mjs writes it.
const PLACE: &str = r#"id="hindscope-data" data-name="">"#;

/// The file that came with the page.
pub(crate) fn carried() -> Option<Found> {
    let file = Reflect::get(&js_sys::global(), &CARRIED.into()).ok()?;
    Some(Found::of_files(vec![file.dyn_into::<File>().ok()?]))
}

/// Whether the single file lies beside this page.
pub(crate) fn has_viewer() -> bool {
    meta("hindscope-viewer").is_some_and(|address| !address.is_empty())
}

/// The single file with another file inside, and what it is called.
pub(crate) async fn viewer_copy(file: &FileHandle, name: &str) -> Result<FileHandle, String> {
    let missing = || "the single file beside this page cannot be read".to_owned();
    let viewer = viewer().await.map_err(|_| missing())?;
    let (before, after) = viewer.split_once(PLACE).ok_or_else(missing)?;
    let packed = packed(file).await.map_err(|_| "the browser could not pack it".to_owned())?;
    // Names come from records: only what cannot end the attribute stays.
    let inside: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let place = PLACE.replace(r#""">"#, &format!(r#""{inside}">"#));
    let parts = Array::of4(&before.into(), &place.into(), &packed, &after.into());
    let name = format!("{}.html", name.trim_end_matches(".hindscope.jsonl"));
    let copy = File::new_with_blob_sequence(&parts, &name).map_err(|_| missing())?;
    Ok(FileHandle::new(copy))
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ' ')
}

async fn viewer() -> Result<String, JsValue> {
    let window = window().ok_or(JsValue::NULL)?;
    let address = meta("hindscope-viewer").unwrap_or_default();
    let response = JsFuture::from(window.fetch_with_str(&address)).await?;
    let response: Response = response.dyn_into()?;
    if !response.ok() {
        return Err(JsValue::NULL);
    }
    let text = JsFuture::from(response.text()?).await?;
    text.as_string().ok_or(JsValue::NULL)
}

/// The file, compressed, as Base64: none of its characters can end a script.
async fn packed(file: &FileHandle) -> Result<JsValue, JsValue> {
    let stream = CompressionStream::new("gzip")?;
    let pair = ReadableWritablePair::new(&stream.readable(), &stream.writable());
    let blob: &Blob = file.as_js().unchecked_ref();
    let packed = Response::new_with_opt_readable_stream(Some(&blob.stream().pipe_through(&pair)))?;
    let packed: Blob = JsFuture::from(packed.blob()?).await?.dyn_into()?;
    let reader = FileReader::new()?;
    let read = Promise::new(&mut |done: Function, failed: Function| {
        reader.set_onload(Some(&done));
        reader.set_onerror(Some(&failed));
    });
    reader.read_as_data_url(&packed)?;
    JsFuture::from(read).await?;
    let address: JsString = reader.result()?.dyn_into()?;
    let comma = u32::try_from(address.index_of(",", 0)).map_err(|_| JsValue::NULL)?;
    Ok(address.slice(comma + 1, address.length()).into())
}
