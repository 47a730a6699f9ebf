//! What the single file carries, and copies of it that carry something else.

use std::rc::Rc;

use js_sys::{Array, Function, JsString, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, File, FileReader, ReadableStream, ReadableWritablePair, Response, WritableStream, window,
};

use super::FileHandle;
use super::dom::meta;
use super::drop::Found;
use super::handles::Root;

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
/// The same of a page that `hindscope view --follow` serves: the files and folders that can be read again.
const SERVED: &str = "hindscopeServed";
/// The place for it, as web/single/build.mjs writes it.
const PLACE: &str = r#"id="hindscope-data" data-name="">"#;
/// In its frame, the text before the address of a program, where the file holds the program itself.
const PROGRAM: &str = r#" data-from=""#;

/// The file that came with the page.
pub(crate) fn carried() -> Option<Found> {
    let file = Reflect::get(&js_sys::global(), &CARRIED.into()).ok()?;
    Some(Found::of_files(vec![file.dyn_into::<File>().ok()?]))
}

/// The files and folders that the server of the page reads for it.
pub(crate) fn served() -> Option<Rc<[Root]>> {
    let roots: Array = Reflect::get(&js_sys::global(), &SERVED.into()).ok()?.dyn_into().ok()?;
    Some(roots.iter().map(Root::new).collect())
}

/// Whether the frame of the single file lies beside this page.
pub(crate) fn has_viewer() -> bool {
    meta("hindscope-viewer").is_some_and(|address| !address.is_empty())
}

/// The single file with another file inside, and what it is called. It is made of its frame and the programs of this
/// page, all of which the page keeps for days without a network.
pub(crate) async fn viewer_copy(file: &FileHandle, name: &str) -> Result<FileHandle, String> {
    let missing = |_: JsValue| {
        "a part of this page cannot be read; load the page again, with a network".to_owned()
    };
    let frame = frame().await.map_err(missing)?;
    let (before, after) = frame.split_once(PLACE).ok_or(JsValue::NULL).map_err(missing)?;
    let unpacked = |_: JsValue| "the browser could not pack it".to_owned();
    let own = packed(file.as_js().unchecked_ref()).await.map_err(unpacked)?;
    // Names come from records: only what cannot end the attribute stays.
    let inside: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let place = PLACE.replace(r#""">"#, &format!(r#""{inside}">"#));
    let parts = Array::of3(&before.into(), &place.into(), &own);
    let mut rest = after;
    while let Some((text, program)) = rest.split_once(PROGRAM) {
        let (address, after) = program.split_once(r#"">"#).ok_or(JsValue::NULL).map_err(missing)?;
        let program = program_at(address).await.map_err(missing)?;
        parts.push(&format!("{text}>").into());
        parts.push(&packed(&program).await.map_err(unpacked)?);
        rest = after;
    }
    parts.push(&rest.into());
    let name = format!("{}.html", name.trim_end_matches(".hindscope.jsonl"));
    let copy = File::new_with_blob_sequence(&parts, &name).map_err(unpacked)?;
    Ok(FileHandle::new(copy))
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ' ')
}

async fn frame() -> Result<String, JsValue> {
    let response = fetched(&meta("hindscope-viewer").unwrap_or_default()).await?;
    JsFuture::from(response.text()?).await?.as_string().ok_or(JsValue::NULL)
}

async fn program_at(address: &str) -> Result<Blob, JsValue> {
    JsFuture::from(fetched(address).await?.blob()?).await?.dyn_into()
}

async fn fetched(address: &str) -> Result<Response, JsValue> {
    let window = window().ok_or(JsValue::NULL)?;
    let response: Response = JsFuture::from(window.fetch_with_str(address)).await?.dyn_into()?;
    if response.ok() { Ok(response) } else { Err(JsValue::NULL) }
}

/// A file, compressed, as Base64: none of its characters can end a script.
async fn packed(blob: &Blob) -> Result<JsValue, JsValue> {
    let stream = CompressionStream::new("gzip")?;
    let pair = ReadableWritablePair::new(&stream.readable(), &stream.writable());
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
