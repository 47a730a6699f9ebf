//! Turns an SVG into a picture of pixels.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, File, HtmlCanvasElement, HtmlImageElement, Url,
};

use super::FileHandle;
use super::dom::document;
use crate::browser::reason;

/// Who waits for the picture; called once.
type Waiting = Rc<RefCell<Option<Box<dyn FnOnce(Result<FileHandle, String>)>>>>;

/// Draws an SVG on a canvas, `scale` pixels for each pixel of the SVG, and calls with it as a PNG.
/// The picture never leaves the page: it goes through addresses that only the page has.
pub(crate) fn as_png(
    svg: &FileHandle,
    name: &str,
    scale: f64,
    call: impl FnOnce(Result<FileHandle, String>) + 'static,
) {
    let waiting: Waiting = Rc::new(RefCell::new(Some(Box::new(call))));
    if let Err(error) = begin(svg, name, scale, &waiting) {
        finish(&waiting, Err(reason(&error)));
    }
}

fn finish(waiting: &Waiting, answer: Result<FileHandle, String>) {
    if let Some(call) = waiting.borrow_mut().take() {
        call(answer);
    }
}

fn begin(svg: &FileHandle, name: &str, scale: f64, waiting: &Waiting) -> Result<(), JsValue> {
    let document = document().ok_or(JsValue::NULL)?;
    let kind = BlobPropertyBag::new();
    kind.set_type("image/svg+xml");
    let blob = Blob::new_with_blob_sequence_and_options(&Array::of1(svg.as_js()), &kind)?;
    let address = Url::create_object_url_with_blob(&blob)?;
    let image: HtmlImageElement = document.create_element("img")?.dyn_into()?;
    let canvas: HtmlCanvasElement = document.create_element("canvas")?.dyn_into()?;
    let (drawn, name, waits) = (image.clone(), name.to_owned(), Rc::clone(waiting));
    let of_image = address.clone();
    let loaded = Closure::once_into_js(move || {
        let _ = Url::revoke_object_url(&of_image);
        if let Err(error) = draw(&drawn, &canvas, scale, name, &waits) {
            finish(&waits, Err(reason(&error)));
        }
    });
    let waits = Rc::clone(waiting);
    let failed = Closure::once_into_js(move || {
        finish(&waits, Err("the browser could not draw it".to_owned()));
    });
    image.set_onload(Some(loaded.unchecked_ref()));
    image.set_onerror(Some(failed.unchecked_ref()));
    image.set_src(&address);
    Ok(())
}

fn draw(
    image: &HtmlImageElement,
    canvas: &HtmlCanvasElement,
    scale: f64,
    name: String,
    waiting: &Waiting,
) -> Result<(), JsValue> {
    let (width, height) = (f64::from(image.width()) * scale, f64::from(image.height()) * scale);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels")]
    let (wide, high) = (width.ceil() as u32, height.ceil() as u32);
    canvas.set_width(wide);
    canvas.set_height(high);
    let context: CanvasRenderingContext2d =
        canvas.get_context("2d")?.ok_or(JsValue::NULL)?.dyn_into()?;
    context.draw_image_with_html_image_element_and_dw_and_dh(image, 0.0, 0.0, width, height)?;
    let waits = Rc::clone(waiting);
    let made = Closure::once_into_js(move |blob: Option<Blob>| {
        let file = blob.map(|blob| File::new_with_blob_sequence(&Array::of1(&blob), &name));
        let file = match file {
            Some(file) => file.map(FileHandle::new).map_err(|error| reason(&error)),
            None => Err("the browser could not make a PNG of it".to_owned()),
        };
        finish(&waits, file);
    });
    canvas.to_blob_with_type(made.unchecked_ref(), "image/png")
}
