//! Templates in prompts and parameters, rendered when a step is made and never earlier.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, OnceLock};

use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value as Seen};
use serde_json::{Map, Value};

use super::bounded_filters;
use super::depth;
use super::filters;
use super::namespaces;
use super::template_bounds::{self, MAX_LEN};
use super::template_error::TemplateError;
use crate::json::pointer::below;

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

/// Instructions that one rendering may take: a loop over a long history takes a few thousand.
const FUEL: u64 = 5_000_000;

/// What all templates share.
static BASE: OnceLock<Environment<'static>> = OnceLock::new();

/// A template, read.
#[derive(Clone, Debug)]
pub(crate) struct Template(Arc<Kind>);

#[derive(Debug)]
#[cfg_attr(
    target_pointer_width = "64",
    expect(clippy::large_enum_variant, reason = "each stands alone behind its pointer")
)]
enum Kind {
    /// Nothing in it is to be rendered.
    Plain(String),
    Engine {
        engine: Environment<'static>,
        /// Every word in it. The engine can only look up what is written down, so a key of the
        /// state that is not among them is not asked for.
        words: BTreeSet<String>,
        /// Whether the template uses `state` in any other way than `state.key`.
        sees_all: bool,
    },
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// A syntax error, or more than 500 operators in one expression, 2,000 operators in all `set` tags,
    /// 50 nested brackets or 500 `elif` in a row.
    pub(crate) fn new(text: &str) -> Result<Self, TemplateError> {
        if !["{{", "{%", "{#"].iter().any(|mark| text.contains(mark)) {
            return Ok(Self(Arc::new(Kind::Plain(text.to_owned()))));
        }
        if let Some(why) = template_bounds::exceeded(text) {
            return Err(TemplateError::new(format!("The template contains {why}."), None, true));
        }
        let mut engine = BASE.get_or_init(base).clone();
        let guarded = namespaces::guarded(text);
        engine
            .add_template_owned("", guarded.clone().into_owned())
            .map_err(|error| TemplateError::of(&error, &guarded, true))?;
        let (words, sees_all) = words(text);
        Ok(Self(Arc::new(Kind::Engine { engine, words, sees_all })))
    }

    /// Renders it. The result is text, always.
    ///
    /// # Errors
    ///
    /// An undefined name, a filter that does not apply, a value on a `namespace` that is nested deeper
    /// than 128 levels, or a result or an amount of work above the limits that [`render`] lists.
    pub(crate) fn render(&self, scope: &dyn Scope) -> Result<String, TemplateError> {
        let (engine, words, sees_all) = match &*self.0 {
            Kind::Plain(text) => return Ok(text.clone()),
            Kind::Engine { engine, words, sees_all } => (engine, words, *sees_all),
        };
        let mut seen: Vec<(String, Seen)> = Vec::new();
        for name in scope.names() {
            if (sees_all || words.contains(&*name))
                && let Some(value) = scope.value(&name)
            {
                seen.push((name.into_owned(), Seen::from(Serde(&*value))));
            }
        }
        if words.contains("state") {
            let state: Seen = Seen::from_pairs(seen.iter().cloned());
            seen.retain(|(name, _)| name != "state");
            seen.push(("state".to_owned(), state));
        }
        let context: Seen = Seen::from_pairs(seen);
        let mut text = Bounded(Vec::new());
        namespaces::begin();
        let rendered = engine.get_template("").and_then(|template| {
            template.render_captured_to(context, &mut text).map(drop).map_err(|error| {
                // The writer fails only if the text is too long, but its error does not say so.
                if error.kind() == minijinja::ErrorKind::WriteFailure {
                    minijinja::Error::new(error.kind(), "the text would be longer than 256 MiB")
                } else {
                    error
                }
            })
        });
        let source = || engine.get_template("").map(|t| t.source().to_owned()).unwrap_or_default();
        rendered.map_err(|error| TemplateError::of(&error, &source(), false))?;
        // The engine writes text only.
        Ok(String::from_utf8(text.0).unwrap_or_default())
    }

    /// Whether it names one of these keys, or the state as a whole.
    pub(crate) fn names_any(&self, names: &[&str]) -> bool {
        match &*self.0 {
            Kind::Plain(_) => false,
            Kind::Engine { words, sees_all, .. } => {
                *sees_all || names.iter().any(|name| words.contains(*name))
            }
        }
    }
}

fn base() -> Environment<'static> {
    let mut engine = Environment::new();
    engine.set_undefined_behavior(UndefinedBehavior::Strict);
    engine.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    engine.set_syntax(
        minijinja::syntax::SyntaxConfig::builder()
            .keep_trailing_newline(true)
            .build()
            .unwrap_or_default(),
    );
    engine.set_fuel(Some(FUEL));
    engine.set_debug(true);
    engine.add_filter("tojson", filters::tojson);
    engine.add_filter("json", filters::json);
    engine.add_filter(namespaces::KEPT, namespaces::kept);
    engine.add_filter(namespaces::HELD, namespaces::held);
    bounded_filters::add(&mut engine);
    engine
}

/// Every word of a text as the engine spells names, and whether `state` stands somewhere without a
/// key behind it.
fn words(text: &str) -> (BTreeSet<String>, bool) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut sees_all = false;
    let mut words = BTreeSet::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        rest = rest.get(start..).unwrap_or_default();
        let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(len);
        if word == "state" {
            let key = behind.strip_prefix('.').and_then(|key| key.chars().next());
            sees_all |= !key.is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        }
        if !words.contains(word) {
            words.insert(word.to_owned());
        }
        rest = behind;
    }
    (words, sees_all)
}

/// Text up to [`MAX_LEN`].
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_LEN {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Parameters whose texts are templates, at any depth; their keys are not.
#[derive(Clone, Debug)]
pub(crate) enum Params {
    /// Without templates in them: shared by all rounds.
    Fixed(Arc<Map<String, Value>>),
    Rendered(Vec<(String, Node)>),
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// Without templates in it.
    Fixed(Value),
    Text(Template),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Params {
    /// Reads every text of parameters that are nested no deeper than a loop allows.
    ///
    /// # Errors
    ///
    /// The first syntax error, with the JSON Pointer of its text.
    pub(crate) fn new(members: &Map<String, Value>) -> Result<Self, (String, TemplateError)> {
        let nodes = Node::members(members, &mut String::new())?;
        Ok(if nodes.iter().all(|(_, node)| matches!(node, Node::Fixed(_))) {
            Self::Fixed(Arc::new(members.clone()))
        } else {
            Self::Rendered(nodes)
        })
    }

    /// Renders every text.
    ///
    /// # Errors
    ///
    /// As [`Template::render`].
    pub(crate) fn render(
        &self,
        scope: &dyn Scope,
    ) -> Result<Arc<Map<String, Value>>, TemplateError> {
        match self {
            Self::Fixed(members) => Ok(Arc::clone(members)),
            Self::Rendered(nodes) => Node::render_members(nodes, scope).map(Arc::new),
        }
    }
}

impl Node {
    fn new(value: &Value, pointer: &mut String) -> Result<Self, (String, TemplateError)> {
        let node = match value {
            Value::String(text) => {
                let template = Template::new(text).map_err(|error| (pointer.clone(), error))?;
                match &*template.0 {
                    Kind::Plain(_) => Self::Fixed(value.clone()),
                    Kind::Engine { .. } => Self::Text(template),
                }
            }
            Value::Array(items) => {
                let node = |(i, item): (usize, &Value)| {
                    below(pointer, &i.to_string(), |pointer| Self::new(item, pointer))
                };
                let nodes = items.iter().enumerate().map(node).collect::<Result<Vec<_>, _>>()?;
                let is_fixed = nodes.iter().all(|node| matches!(node, Self::Fixed(_)));
                if is_fixed { Self::Fixed(value.clone()) } else { Self::List(nodes) }
            }
            Value::Object(members) => {
                let nodes = Self::members(members, pointer)?;
                let is_fixed = nodes.iter().all(|(_, node)| matches!(node, Self::Fixed(_)));
                if is_fixed { Self::Fixed(value.clone()) } else { Self::Object(nodes) }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => Self::Fixed(value.clone()),
        };
        Ok(node)
    }

    fn members(
        members: &Map<String, Value>,
        pointer: &mut String,
    ) -> Result<Vec<(String, Self)>, (String, TemplateError)> {
        let node = |(name, member): (&String, &Value)| {
            let node = below(pointer, name, |pointer| Self::new(member, pointer))?;
            Ok((name.clone(), node))
        };
        members.iter().map(node).collect()
    }

    fn render(&self, scope: &dyn Scope) -> Result<Value, TemplateError> {
        Ok(match self {
            Self::Fixed(value) => value.clone(),
            Self::Text(template) => Value::String(template.render(scope)?),
            Self::List(nodes) => {
                Value::Array(nodes.iter().map(|node| node.render(scope)).collect::<Result<_, _>>()?)
            }
            Self::Object(nodes) => Value::Object(Self::render_members(nodes, scope)?),
        })
    }

    fn render_members(
        nodes: &[(String, Self)],
        scope: &dyn Scope,
    ) -> Result<Map<String, Value>, TemplateError> {
        nodes.iter().map(|(name, node)| Ok((name.clone(), node.render(scope)?))).collect()
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
/// A syntax error (also for more than 500 operators in one expression, 2,000 operators in all `set`
/// tags, 50 nested brackets or 500 `elif` in a row), an undefined name, a filter that does not apply, or
/// a state or a value on a `namespace` that is nested deeper than 128 levels.
///
/// Work is limited, too:
///
/// - 5 million instructions,
/// - 256 MiB of text,
/// - 256 MiB in all texts that `set` assigns with `=` to variables and namespaces,
/// - 5 million values that are set on namespaces, where lists and objects are copied and every value in
///   them counts, too,
/// - 256 MiB for the result of `format`, `replace`, `join` or `indent`, estimated before they run,
/// - a count of 1 million for `batch` and `slice`.
///
/// What a single expression joins with `~`, and what a macro or a block (also of `set`) produces before
/// it becomes part of the text, has no other limit.
///
/// # Example: a list for a prompt
///
/// ```
/// use serde_json::json;
///
/// let state = json!({"errors": [{"message": "too short"}]});
/// let text = hindscope::render_template(
///     "{% for e in state.errors %}- {{ e.message }}\n{% endfor %}",
///     state.as_object().expect("an object"),
/// )?;
/// assert_eq!(text, "- too short\n");
/// # Ok::<(), hindscope::TemplateError>(())
/// ```
pub fn render(template: &str, state: &Map<String, Value>) -> Result<String, TemplateError> {
    if state.values().any(depth::is_too_deep) {
        return Err(TemplateError::new(
            format!("The state is nested deeper than {} levels.", depth::MAX_DEPTH),
            None,
            false,
        ));
    }
    Template::new(template)?.render(state)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn state(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(members) => members,
            other => panic!("no object: {other}"),
        }
    }

    fn shown(template: &str, value: Value) -> Result<String, &'static str> {
        render(template, &state(value)).map_err(|error| error.code().as_str())
    }

    #[test]
    fn templates_see_keys_and_the_whole_state() {
        let value = json!({"a": "x", "n": 5, "f": 1.0, "z": null, "o": {"k": {"d": 1}}, "b": true,
            "long": 9_007_199_254_740_993_i64});
        for (template, expected) in [
            ("{{ n }} {{ f }} {{ a }}", "5 1.0 x"),
            ("{{ state.o.k.d }}", "1"),
            ("{{ state['a'] }}{{ state | length }}", "x7"),
            ("{% set s = state %}{{ s.a }}", "x"),
            ("{% set a = a ~ '!' %}{{ a }}", "x!"),
            ("{% for a in [a, n] %}{{ a }}{% endfor %}", "x5"),
            ("{{ state.state is undefined }}", "True"),
            ("{{ long }}", "9007199254740993"),
            ("<{{ '<b>' }}>", "<<b>>"),
            ("kept\n", "kept\n"),
            ("{{ a }}\n", "x\n"),
            ("{% raw %}{{ a }}{% endraw %}", "{{ a }}"),
            ("{{ missing | default('d') }}", "d"),
            ("{{ 'yes' if missing is defined else 'no' }}", "no"),
            ("{% macro m(v) %}[{{ v }}]{% endmacro %}{{ m(a) }}", "[x]"),
            ("{{ {'b': 1, 'a': 2} | json }}", "{\"b\": 1, \"a\": 2}"),
            ("}} {a} %}", "}} {a} %}"),
        ] {
            assert_eq!(shown(template, value.clone()).as_deref(), Ok(expected), "{template}");
        }
        let both = json!({"a": 1, "state": {"a": 2}});
        assert_eq!(shown("{{ state.a }} {{ state.state.a }}", both).as_deref(), Ok("1 2"));
    }

    #[test]
    fn each_kind_of_mistake_has_its_code() {
        for template in
            ["{{ a", "{% set a = %}", "{% if %}", "{{ a | }}", "{% for x in y %}", "{# open"]
        {
            assert_eq!(shown(template, json!({})), Err("config_template"), "{template}");
        }
        for template in [
            "{{ missing }}",
            "A {{ state.missing }} B",
            "{{ a.b.c }}",
            "{{ missing | tojson }}",
            "{{ missing | json }}",
            "{{ a | nofilter }}",
            "{{ 1 / 0 }}",
            "{% include 'x' %}",
            "{{ a + 1 }}",
        ] {
            assert_eq!(shown(template, json!({"a": "x"})), Err("template_failed"), "{template}");
        }
        let error = render("line\n{{ state.missing }}", &state(json!({}))).expect_err("undefined");
        assert_eq!(error.line(), Some(2));
        assert!(error.to_string().contains("state.missing"), "{error}");
    }

    #[test]
    fn only_what_is_named_is_asked_for() {
        struct Strict;
        impl Scope for Strict {
            fn value(&self, name: &str) -> Option<Cow<'_, Value>> {
                assert_eq!(name, "a");
                Some(Cow::Owned(json!(1)))
            }

            fn names(&self) -> Vec<Cow<'_, str>> {
                ["a", "history"].map(Cow::Borrowed).to_vec()
            }
        }
        let template = Template::new("{{ a }} {{ state.a }}").expect("a template");
        assert_eq!(template.render(&Strict).as_deref(), Ok("1 1"));
        assert!(template.names_any(&["b", "a"]) && !template.names_any(&["history"]));
        assert!(Template::new("{{ state }}").expect("a template").names_any(&["history"]));
        assert!(!Template::new("a history").expect("plain").names_any(&["history"]));
    }

    #[test]
    fn parameters_are_rendered_at_any_depth_and_keys_are_not() {
        let value = json!({"{{ a }}": "{{ a }}", "list": [1, ["{{ a }}{{ a }}"]], "n": null});
        let params = Params::new(&state(value)).expect("templates");
        let rendered = params.render(&state(json!({"a": 5}))).expect("defined");
        assert_eq!(*rendered, state(json!({"{{ a }}": "5", "list": [1, ["55"]], "n": null})));
        let broken = state(json!({"a/b": [1, "{{"]}));
        let (pointer, error) = Params::new(&broken).expect_err("syntax");
        assert_eq!((pointer.as_str(), error.code().as_str()), ("/a~1b/1", "config_template"));
    }

    #[test]
    fn no_template_works_for_ever_or_fills_the_memory() {
        let endless =
            "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}";
        assert_eq!(shown(endless, json!({})), Err("template_failed"));
        let long = "{% for a in range(99999) %}{{ t }}{% endfor %}";
        assert_eq!(shown(long, json!({"t": "x".repeat(1 << 20)})), Err("template_failed"));
        let deep = "{{ ".to_owned() + &"(".repeat(100_000) + "1" + &")".repeat(100_000) + " }}";
        assert_eq!(shown(&deep, json!({})), Err("config_template"));
    }
}
