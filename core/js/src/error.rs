//! The one place where an error becomes a JavaScript exception.

use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;

use crate::wire::Misuse;

// The class stands in the package and not here, so that the entries can throw it for what never
// reaches the wasm: a handle after `free()`, an object that is no JSON.
#[wasm_bindgen(raw_module = "../error.mjs")]
extern "C" {
    type HindscopeError;

    #[wasm_bindgen(constructor)]
    fn new(code: &str, message: &str, details: &Object) -> HindscopeError;
}

impl From<Misuse> for JsValue {
    fn from(misuse: Misuse) -> Self {
        let details = Object::new();
        for (name, value) in misuse.details {
            // Setting a member of a fresh plain object cannot fail.
            let _ = Reflect::set(&details, &name.into(), &value.into());
        }
        HindscopeError::new(misuse.code.as_str(), &misuse.message, &details).into()
    }
}
