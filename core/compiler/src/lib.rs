//! The `jsonschema` crate behind functions without type parameters.
//!
//! Generic code is compiled where its types are known, with the settings of that crate. Called from
//! the core, which is compiled for speed, the compiler of schemas took a hundred kilobytes more
//! with brotli than called from here; no valid record comes this way.
#![forbid(unsafe_code)]

pub use fancy_regex::Regex as Pattern;
pub use jsonschema::error::{TypeKind, ValidationErrorKind};
pub use jsonschema::{JsonType, ReferencingError, ValidationError};

use serde_json::Value;

/// A format's name, and whether a text is of it.
pub type Format = (&'static str, fn(&str) -> bool);

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
