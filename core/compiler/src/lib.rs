//! The `jsonschema` crate behind functions without type parameters.
//!
//! Generic code is compiled where its types are known, with the settings of that crate. Called from
//! the core, which is compiled for speed, the compiler of schemas took a hundred kilobytes more
//! with brotli than called from here; no valid record comes this way.
#![forbid(unsafe_code)]

pub use fancy_regex::Regex as Pattern;
pub use jsonschema::error::{TypeKind, ValidationErrorKind};
pub use jsonschema::{Draft, JsonType, ReferencingError, ValidationError};

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::error::Error;

use serde_json::Value;

/// A format's name, and whether a text is of it.
pub type Format = (&'static str, fn(&str) -> bool);

/// Where relative addresses begin: far enough down that a way up stays visible.
const BASE: &str =
    "json-schema:///-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/";

/// Documents, by address.
struct Shelf(BTreeMap<String, Value>);

impl jsonschema::Retrieve for Shelf {
    fn retrieve(
        &self,
        uri: &jsonschema::Uri<String>,
    ) -> Result<Value, Box<dyn Error + Send + Sync>> {
        let found = self.0.get(uri.as_str());
        found.cloned().ok_or_else(|| format!("{uri} is not among the documents given").into())
    }
}

/// Whether a schema is one of its draft.
///
/// # Errors
///
/// The first thing that the meta-schema forbids.
#[inline(never)]
pub fn check(schema: &Value, draft: Draft) -> Result<(), ValidationError<'_>> {
    use jsonschema::{draft4, draft6, draft7, draft201909, draft202012};
    // In a wasm the crate makes them anew each time, which takes a millisecond.
    thread_local! {
        static META: [OnceCell<jsonschema::meta::MetaValidator<'static>>; 5] =
            const { [const { OnceCell::new() }; 5] };
    }
    META.with(|[four, six, seven, v2019, v2020]| {
        let meta = match draft {
            Draft::Draft4 => four.get_or_init(draft4::meta::validator),
            Draft::Draft6 => six.get_or_init(draft6::meta::validator),
            Draft::Draft201909 => v2019.get_or_init(draft201909::meta::validator),
            Draft::Draft202012 => v2020.get_or_init(draft202012::meta::validator),
            _ => seven.get_or_init(draft7::meta::validator),
        };
        meta.validate(schema)
    })
}

/// Whether texts are checked for a format of this name.
pub fn is_known_format(draft: Draft, name: &str) -> bool {
    jsonschema::options().is_known_format(draft, name)
}

/// A compiled schema.
#[derive(Debug)]
pub struct Compiled(jsonschema::Validator);

impl Compiled {
    /// Compiles a schema with its formats asserted; those of `formats` take the place of the
    /// crate's own. Nothing is fetched.
    ///
    /// # Errors
    ///
    /// What is wrong with the schema.
    pub fn new(schema: &Value, formats: &[Format]) -> Result<Self, ValidationError<'static>> {
        let options = jsonschema::options().offline().should_validate_formats(true);
        let options = formats
            .iter()
            .fold(options, |options, (name, is_valid)| options.with_format(*name, *is_valid));
        options.build(schema).map(Self)
    }

    /// Compiles a schema of a draft with the documents that it refers to. Their own meta-schemas are
    /// for [`check`]; of the schema itself it is checked here, too. Nothing else is looked for.
    ///
    /// # Errors
    ///
    /// What is wrong with the schema, or a reference that leads to no document.
    #[inline(never)]
    pub fn with_documents(
        schema: &Value,
        draft: Draft,
        asserts_formats: bool,
        documents: &BTreeMap<String, Value>,
    ) -> Result<Self, ValidationError<'static>> {
        let base = jsonschema::Uri::parse(BASE.to_owned())
            .map_err(|_| ValidationError::schema("the base of references is none".to_owned()))?;
        let mut shelf = BTreeMap::new();
        for (name, document) in documents {
            // The crate's own spelling of the address; what it cannot spell, nothing refers to.
            if let Ok(uri) = jsonschema::uri::resolve_against(&base.borrow(), name) {
                shelf.insert(uri.as_str().to_owned(), document.clone());
            }
        }
        jsonschema::options()
            .with_retriever(Shelf(shelf))
            .with_base_uri(BASE)
            .with_draft(draft)
            .should_validate_formats(asserts_formats)
            .build(schema)
            .map(Self)
    }

    /// The verdict.
    #[inline(never)]
    pub fn is_valid(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }

    /// Everything that the schema forbids in a value.
    #[inline(never)]
    pub fn errors<'a>(&'a self, value: &'a Value) -> Vec<ValidationError<'a>> {
        self.0.iter_errors(value).collect()
    }
}
