//! The component face: `wit/` over the core.
//!
//! Every function decodes, calls the core once and encodes. Nothing is decided here, and nothing
//! is imported: the module is built for `wasm32-unknown-unknown` and wrapped, so there is no WASI
//! to link. On other targets the crate compiles, so that lints and its unit tests reach it.

/// What wit-bindgen makes of `wit/`. Only this module holds code that is not ours.
mod bindings {
    #![expect(
        unsafe_code,
        reason = "the canonical ABI is raw pointers; wit-bindgen writes this, nobody by hand"
    )]
    #![expect(clippy::pedantic, reason = "generated")]
    wit_bindgen::generate!({
        path: "../../wit",
        world: "hindscope",
    });

    use super::Component;
    export!(Component);
}

mod answer;
mod history;
mod misuse;
mod rows;
mod window;

use bindings::exports::hindscope::reflections::api::Guest;
use bindings::exports::hindscope::reflections::types;

/// The component itself. It has no state: each resource holds its own.
struct Component;

impl Guest for Component {
    type ReflectionWindow = window::Window;
    type History = history::History;

    fn validate(bytes: Vec<u8>, profile: types::Profile) -> types::Validation {
        hindscope::validate(&bytes, profile.into()).into()
    }

    fn render(entries: Vec<types::Entry>, layout: types::Layout) -> String {
        let entries: Vec<hindscope::Entry> = entries.into_iter().map(Into::into).collect();
        hindscope::render(&entries, layout.into())
    }
}
