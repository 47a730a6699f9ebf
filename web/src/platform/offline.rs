//! The service worker: it keeps the app's own files for days without a network, and nothing else.

use std::rc::Rc;

use gloo_events::EventListener;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    RegistrationOptions, ServiceWorkerContainer, ServiceWorkerRegistration, ServiceWorkerState,
    window,
};

use super::dom::meta;

/// Relative, so that the app works from any folder of any host.
const SCRIPT: &str = "./sw.js";
/// What `sw.js` takes for leave to replace the version before.
const USE: &str = "use";

/// The browser's part, where it has one and this page may use it: over https or from this machine,
/// in a build that was sealed.
fn container() -> Option<ServiceWorkerContainer> {
    let window = window()?;
    let is_sealed = meta("hindscope-build").is_some_and(|build| !build.is_empty());
    let is_served = window.location().protocol().is_ok_and(|name| name.starts_with("http"));
    let navigator = window.navigator();
    let has_it = js_sys::Reflect::has(&navigator, &"serviceWorker".into()).unwrap_or(false);
    (is_sealed && is_served && window.is_secure_context() && has_it)
        .then(|| navigator.service_worker())
}

/// Registers it, and calls when a newer version of the app lies ready.
pub(crate) fn keep_offline(is_newer: impl Fn() + 'static) {
    let Some(container) = container() else { return };
    let is_newer = Rc::new(is_newer);
    spawn_local(async move {
        let options = RegistrationOptions::new();
        options.set_scope("./");
        let promise = container.register_with_options(SCRIPT, &options);
        // Refused in private windows, say: the app works without.
        let Ok(registration) = JsFuture::from(promise).await else { return };
        watch(&registration.unchecked_into(), &container, is_newer);
    });
}

fn watch(
    registration: &ServiceWorkerRegistration,
    container: &ServiceWorkerContainer,
    is_newer: Rc<impl Fn() + 'static>,
) {
    if registration.waiting().is_some() && container.controller().is_some() {
        is_newer();
    }
    let (own, container) = (registration.clone(), container.clone());
    EventListener::new(registration, "updatefound", move |_| {
        let Some(worker) = own.installing() else { return };
        let (container, is_newer) = (container.clone(), Rc::clone(&is_newer));
        let installing = worker.clone();
        EventListener::new(&worker, "statechange", move |_| {
            // Without a controller this was the first version, which is the one that is shown.
            if installing.state() == ServiceWorkerState::Installed
                && container.controller().is_some()
            {
                is_newer();
            }
        })
        .forget();
    })
    .forget();
}

/// Lets the newer version take over, and loads the page anew with it.
pub(crate) fn use_newer() {
    let Some(container) = container() else { return };
    EventListener::once(&container, "controllerchange", |_| {
        if let Some(window) = window() {
            let _ = window.location().reload();
        }
    })
    .forget();
    spawn_local(async move {
        let Ok(found) = JsFuture::from(container.get_registration()).await else { return };
        let Ok(registration) = found.dyn_into::<ServiceWorkerRegistration>() else { return };
        if let Some(worker) = registration.waiting() {
            let _ = worker.post_message(&USE.into());
        }
    });
}

/// Takes the kept files out of the browser again.
pub(super) fn forget_offline() {
    let Some(container) = container() else { return };
    spawn_local(async move {
        let Ok(found) = JsFuture::from(container.get_registration()).await else { return };
        let Ok(registration) = found.dyn_into::<ServiceWorkerRegistration>() else { return };
        let own = format!("hindscope {} ", registration.scope());
        if let Ok(promise) = registration.unregister() {
            let _ = JsFuture::from(promise).await;
        }
        let Some(caches) = window().and_then(|window| window.caches().ok()) else { return };
        let Ok(names) = JsFuture::from(caches.keys()).await else { return };
        let names = js_sys::Array::from(&names);
        let names: Vec<String> = names.iter().filter_map(|name| name.as_string()).collect();
        for name in names.into_iter().filter(|name| name.starts_with(&own)) {
            let _ = JsFuture::from(caches.delete(&name)).await;
        }
    });
}
