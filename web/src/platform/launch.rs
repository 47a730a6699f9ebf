//! Files that the system opens with the installed app (`launchQueue`, Chrome and Edge).

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::drop::{Found, found_again};
use super::handles::Root;

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
            let roots = handles.iter().map(Root::new).collect();
            found(found_again(roots, |_| ()).await);
        });
    });
    let _ = set.call1(&queue, consumer.as_ref());
    consumer.forget();
}
