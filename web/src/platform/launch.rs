//! Files that the system opens with the installed app (`launchQueue`, Chrome and Edge).

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::File;

use super::drop::Found;

/// Calls with each set of files that the app is launched with. Lasts as long as the page; other
/// browsers never call.
pub(crate) fn on_launch(found: impl Fn(Found) + Clone + 'static) {
    let Ok(queue) = Reflect::get(&js_sys::global(), &"launchQueue".into()) else { return };
    let Ok(set) = Reflect::get(&queue, &"setConsumer".into()) else { return };
    let Ok(set) = set.dyn_into::<Function>() else { return };
    let consumer = Closure::<dyn Fn(JsValue)>::new(move |launch: JsValue| {
        let handles = Reflect::get(&launch, &"files".into()).unwrap_or_default();
        let handles = Array::from(&handles);
        if handles.length() == 0 {
            return;
        }
        let found = found.clone();
        spawn_local(async move {
            let mut files = Vec::new();
            for handle in handles.iter() {
                files.extend(file(&handle).await);
            }
            found(Found::of_files(files));
        });
    });
    let _ = set.call1(&queue, consumer.as_ref());
    consumer.forget();
}

/// The file behind a handle, as long as it is there.
async fn file(handle: &JsValue) -> Option<File> {
    let get: Function = Reflect::get(handle, &"getFile".into()).ok()?.dyn_into().ok()?;
    let promise: Promise = get.call0(handle).ok()?.dyn_into().ok()?;
    JsFuture::from(promise).await.ok()?.dyn_into().ok()
}
