//! The `jsonschema` crate behind functions without type parameters.
//!
//! Generic code is compiled where its types are known, with the settings of that crate. Called from
//! the core, which is compiled for speed, the compiler of schemas took a hundred kilobytes more
//! with brotli than called from here; no valid record comes this way.
#![forbid(unsafe_code)]

pub use fancy_regex::Regex as Pattern;
pub use jsonschema::error::{TypeKind, ValidationErrorKind};
pub use jsonschema::{Draft, JsonType, ReferencingError, ValidationError};

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::Value;

/// A format's name, and whether a text is of it.
pub type Format = (&'static str, fn(&str) -> bool);

/// Where relative addresses begin: far enough down that a way up stays visible.
pub const BASE: &str =
    "json-schema:///-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/-/";

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
#[derive(Clone, Debug)]
pub struct Compiled(Arc<jsonschema::Validator>);

/// Schemas that were compiled last, by what they were compiled of. Whoever runs one loop after the
/// other has the same schema each time, and compiling takes a wasm half a millisecond.
struct Known(Vec<(String, Compiled)>);

impl Known {
    /// So many are kept, of so many bytes with their documents.
    const MOST: usize = 8;
    const MOST_BYTES: usize = 64 << 10;

    thread_local! {
        static OURS: RefCell<Known> = const { RefCell::new(Known(Vec::new())) };
    }

    /// The one that is used is the last to go.
    fn find(&mut self, key: &str) -> Option<Compiled> {
        let at = self.0.iter().position(|(own, _)| own == key)?;
        let found = self.0.remove(at);
        let compiled = found.1.clone();
        self.0.push(found);
        Some(compiled)
    }

    fn keep(&mut self, key: String, compiled: &Compiled) {
        if key.len() > Self::MOST_BYTES {
            return;
        }
        if self.0.len() == Self::MOST {
            self.0.remove(0);
        }
        self.0.push((key, compiled.clone()));
    }
}

/// Schemas by address.
pub type Documents<'a> = BTreeMap<&'a str, Cow<'a, Value>>;

/// What a schema is compiled with beside itself.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Its draft, and that of documents which name none. Without one, what the schema names counts.
    pub draft: Option<Draft>,
    /// Whether texts are checked for the `format` that they are given.
    pub asserts_formats: bool,
    /// Formats that take the place of the crate's own.
    pub formats: &'a [Format],
    /// The schemas that it refers to, by the address that each was given under. A reference to one that names
    /// another address with `$id` has to use that: the crate takes the address in a reference for the base of
    /// what stands behind it.
    pub documents: &'a Documents<'a>,
}

impl Compiled {
    /// Compiles a schema. Nothing is fetched. The meta-schemas of documents are for [`check`]; of the schema
    /// itself it is checked here, too.
    ///
    /// # Errors
    ///
    /// What is wrong with the schema, or a reference that leads to no document.
    #[inline(never)]
    pub fn new(schema: &Value, with: Options<'_>) -> Result<Self, ValidationError<'static>> {
        let base = jsonschema::Uri::parse(BASE.to_owned())
            .map_err(|_| ValidationError::schema("the base of references is none".to_owned()))?;
        let draft = with.draft.unwrap_or_default();
        let resource = |schema| draft.detect(schema).create_resource_ref(schema);
        // All of them are read before the first reference is followed, so that each is known by every `$id` in it.
        let mut registry = jsonschema::Registry::new().add(BASE, resource(schema))?;
        for (name, document) in with.documents {
            // The crate's own spelling of the address; what it cannot spell, nothing refers to.
            if let Ok(uri) = jsonschema::uri::resolve_against(&base.borrow(), name) {
                registry = registry.add(uri.as_str(), resource(document))?;
            }
        }
        let registry = registry.draft(draft).prepare()?;
        let mut options = jsonschema::options()
            .with_registry(&registry)
            .with_base_uri(BASE)
            .offline()
            .should_validate_formats(with.asserts_formats);
        if let Some(draft) = with.draft {
            options = options.with_draft(draft);
        }
        for (name, is_valid) in with.formats {
            options = options.with_format(*name, *is_valid);
        }
        options.build(schema).map(|validator| Self(Arc::new(validator)))
    }

    /// The same, taken from those that were compiled last. `with` has no formats of its own.
    ///
    /// # Errors
    ///
    /// As [`Compiled::new`].
    #[inline(never)]
    pub fn kept(schema: &Value, with: Options<'_>) -> Result<Self, ValidationError<'static>> {
        // As text: errors are listed in the order of the schema's members, which equality ignores.
        let mut key = format!("{:?} {} {schema}", with.draft, with.asserts_formats);
        for (name, document) in with.documents {
            // Quoted: a name may have blanks in it, and even JSON.
            let _ = write!(key, " {name:?} {document}");
        }
        if let Some(compiled) = Known::OURS.with_borrow_mut(|known| known.find(&key)) {
            return Ok(compiled);
        }
        let compiled = Self::new(schema, with)?;
        Known::OURS.with_borrow_mut(|known| known.keep(key, &compiled));
        Ok(compiled)
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kept(
        schema: &Value,
        documents: &BTreeMap<String, Value>,
        asserts_formats: bool,
    ) -> Compiled {
        let draft = Some(Draft::Draft7);
        let documents =
            documents.iter().map(|(name, schema)| (&**name, Cow::Borrowed(schema))).collect();
        Compiled::kept(
            schema,
            Options { draft, asserts_formats, formats: &[], documents: &documents },
        )
        .expect("a schema")
    }

    #[test]
    fn names_of_documents_are_told_apart_from_what_they_hold() {
        let compiled = |documents: Value| {
            let documents = serde_json::from_value(documents).expect("an object");
            kept(&json!({"title": "names"}), &documents, true)
        };
        let one = compiled(json!({"a": true, "b": false}));
        let is_one = |documents| Arc::ptr_eq(&one.0, &compiled(documents).0);
        assert!(!is_one(json!({"a true b": false})));
        assert!(!is_one(json!({"a\" true \"b": false})));
        assert!(is_one(json!({"a": true, "b": false})));
    }

    #[test]
    fn the_schemas_used_last_are_kept_as_they_are_written() {
        let none = BTreeMap::new();
        let one = kept(&json!({"format": "date", "x": 0}), &none, true);
        let is_one = |other: Compiled| Arc::ptr_eq(&one.0, &other.0);
        assert!(is_one(kept(&json!({"format": "date", "x": 0}), &none, true)));
        assert!(!is_one(kept(&json!({"x": 0, "format": "date"}), &none, true)), "its order");
        assert!(!is_one(kept(&json!({"format": "date", "x": 0}), &none, false)), "its options");
        let to = json!({"$ref": "a.json"});
        let documents = |schema: Value| BTreeMap::from([("a.json".to_owned(), schema)]);
        assert!(kept(&to, &documents(json!({"type": "null"})), true).is_valid(&json!(null)));
        assert!(!kept(&to, &documents(json!({"type": "array"})), true).is_valid(&json!(null)));
        for number in 0..Known::MOST {
            kept(&json!({"const": number}), &none, true);
        }
        assert!(!is_one(kept(&json!({"format": "date", "x": 0}), &none, true)), "it has gone");
        let long = json!({"const": "x".repeat(Known::MOST_BYTES)});
        let two = [&long, &long].map(|schema| kept(schema, &none, true));
        assert!(!Arc::ptr_eq(&two[0].0, &two[1].0), "too long to keep");
    }
}
