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

mod archive;
mod cross;
mod exporter;
mod history;
mod labels;
mod loaded_run;
mod misuse;
mod reflect;
mod rows;
mod validator;
mod window;

use bindings::exports::hindscope::reflections::api::Guest;
use bindings::exports::hindscope::reflections::insight::{
    CategoryCount, Explanation, InsightOptions, InsightRule,
};
use bindings::exports::hindscope::reflections::types::{
    Error, FormatInfo, Schema, ValidateOptions, Validation,
};
use bindings::exports::hindscope::reflections::window::{
    Entry, Layout, OmegaAdvice, Pace, RenderOptions,
};
use cross::{Cross, or_default};

/// The component itself. It has no state: each resource holds its own.
struct Component;

impl Guest for Component {
    type Validator = validator::Validator;
    type ReflectionWindow = window::Window;
    type History = history::History;
    type LoadedRun = loaded_run::LoadedRun;
    type Exporter = exporter::Exporter;

    fn validate(bytes: Vec<u8>, options: Option<ValidateOptions>) -> Validation {
        hindscope::validate_with(&bytes, or_default(options)).cross()
    }

    fn json_schema(schema: Schema) -> String {
        let schema: hindscope::Schema = schema.cross();
        schema.json().to_owned()
    }

    fn render(entries: Vec<Entry>, layout: Layout, options: Option<RenderOptions>) -> String {
        let entries: Vec<hindscope::Entry> = entries.cross();
        hindscope::render_with(&entries, layout.cross(), &or_default(options))
    }

    fn tokens_estimated(entry: Entry) -> u32 {
        hindscope::tokens_estimated(&entry.cross())
    }

    fn auto_scale(omega: u8, pace: Pace) -> Result<u8, Error> {
        // The core takes any number here, and this answer goes back into a window.
        hindscope::ReflectionWindow::new(omega, hindscope::Policy::Fifo)
            .map_err(misuse::one("omega", omega))?;
        Ok(hindscope::auto_scale(omega, &pace.cross()))
    }

    fn omega_advice() -> Vec<OmegaAdvice> {
        hindscope::OMEGA_ADVICE.cross()
    }

    fn explain(
        records: Vec<Vec<u8>>,
        options: Option<InsightOptions>,
    ) -> Result<Explanation, Error> {
        let options = misuse::checked(or_default(options))?;
        Ok(hindscope::explain(&records, &options).cross())
    }

    fn insight_rules() -> Vec<InsightRule> {
        hindscope::insight_rules().cross()
    }

    fn formats() -> Vec<FormatInfo> {
        hindscope::formats().cross()
    }

    fn failure_categories(categories: Vec<Vec<CategoryCount>>) -> Vec<CategoryCount> {
        let of_one = |categories: Vec<CategoryCount>| hindscope::Explanation {
            categories: categories.cross(),
            ..hindscope::Explanation::default()
        };
        let explanations: Vec<_> = categories.into_iter().map(of_one).collect();
        hindscope::failure_categories(&explanations).cross()
    }
}
