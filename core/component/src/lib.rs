//! The component face: `wit/` over the core.
//!
//! It is built once for each world of `wit/`, with the feature of its name alone, and once for the world
//! `hindscope` with all of them; a file here is an interface there.
//!
//! Every function decodes, calls the core once and encodes. Nothing is decided here, and nothing
//! is imported: the module is built for `wasm32-unknown-unknown` and wrapped, so there is no WASI
//! to link. On other targets the crate compiles, so that lints and its unit tests reach it.
#![cfg_attr(
    not(all(feature = "history", feature = "memory", feature = "loop")),
    allow(dead_code, unused_imports, unused_macros, reason = "another world uses them")
)]

/// What wit-bindgen makes of a world. Only this module holds code that is not ours.
macro_rules! bindings {
    ($($feature:meta => $world:literal),+ $(,)?) => {$(
        #[cfg($feature)]
        mod bindings {
            #![expect(
                unsafe_code,
                reason = "the canonical ABI is raw pointers; wit-bindgen writes this, nobody by hand"
            )]
            #![expect(clippy::pedantic, reason = "generated")]
            wit_bindgen::generate!({
                path: "../../wit",
                world: $world,
            });

            use super::Component;
            export!(Component);
        }
    )+};
}

bindings! {
    all(feature = "history", feature = "memory", feature = "loop") => "hindscope",
    all(feature = "history", not(any(feature = "memory", feature = "loop"))) => "history",
    all(feature = "window", not(any(feature = "history", feature = "memory", feature = "loop"))) => "window",
    all(feature = "validate", not(any(feature = "window", feature = "memory", feature = "loop"))) => "validate",
    all(feature = "memory", not(any(feature = "validate", feature = "loop"))) => "memory",
    all(feature = "loop", not(any(feature = "validate", feature = "memory"))) => "loop",
}

#[cfg(feature = "history")]
mod archive;
mod cross;
#[cfg(feature = "history")]
mod histories;
#[cfg(feature = "history")]
mod insight;
#[cfg(feature = "loop")]
mod loops;
#[cfg(feature = "memory")]
mod memories;
mod misuse;
#[cfg(feature = "history")]
mod search;
mod types;
#[cfg(feature = "validate")]
mod validation;
#[cfg(feature = "loop")]
mod validators;
#[cfg(feature = "window")]
mod windows;

use bindings::exports::hindscope::reflections as wit;

/// The component itself. It has no state: each resource holds its own.
struct Component;
