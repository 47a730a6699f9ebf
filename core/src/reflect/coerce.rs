//! Texts where a schema wants something else, converted before validation.

use std::collections::{BTreeMap, BTreeSet};

use hindscope_compiler::JsonType;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::depth;
use super::numbers::{integer, number, text};
use crate::json::pointer::below;
use crate::validate::refs::graph::{self, Graph};
use crate::validate::refs::{Draft, Library};

/// One value that was converted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coercion {
    /// JSON Pointer of the value.
    pub pointer: String,
    /// As it was.
    pub from: Value,
    /// As it is now.
    pub to: Value,
}

/// A value after coercion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Coerced {
    /// The value, with its keys and their order.
    pub value: Value,
    /// What was converted, in the order of the value.
    pub coercions: Vec<Coercion>,
}

/// Converts texts to what a schema wants of them, and numbers and booleans to texts.
///
/// Only values that do not have the wanted type are touched, and what cannot be converted stays as
/// it is. It never fails: parts of a schema that mean nothing convert nothing, and neither does a
/// schema or a value that is nested deeper than 128 levels.
///
/// # Example: what a form sends
///
/// ```
/// use serde_json::json;
///
/// let schema = json!({"properties": {"age": {"type": "integer"}}});
/// let coerced = hindscope::coerce(&schema, json!({"age": " 30 "}));
/// assert_eq!(coerced.value, json!({"age": 30}));
/// assert_eq!(coerced.coercions[0].pointer, "/age");
/// ```
pub fn coerce(schema: &Value, data: Value) -> Coerced {
    if depth::is_too_deep(schema) {
        return Coerced { value: data, coercions: Vec::new() };
    }
    let documents = BTreeMap::new();
    let library = Library::new(schema, &documents, Draft::default());
    Plan::new(&library).apply(data)
}

/// What a schema converts. If a schema names several types, a text becomes the first one that it fits.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    graph: Graph<Vec<JsonType>>,
}

type Node = graph::Node<Vec<JsonType>>;

/// What a text becomes that is wanted as another type.
fn taken(wanted: JsonType, text: &str) -> Option<Value> {
    match wanted {
        JsonType::Integer => integer(text).map(Value::Number),
        JsonType::Number => number(text).map(Value::Number),
        JsonType::Boolean => {
            let is_one = |words: [&str; 3]| words.iter().any(|w| w.eq_ignore_ascii_case(text));
            let is_true = is_one(["true", "1", "yes"]);
            (is_true || is_one(["false", "0", "no"])).then_some(Value::Bool(is_true))
        }
        JsonType::Array | JsonType::Null | JsonType::Object | JsonType::String => None,
    }
}

fn convert(wanted: &[JsonType], value: &Value) -> Option<Value> {
    match value {
        Value::String(_) if wanted.contains(&JsonType::String) => None,
        Value::String(text) => wanted.iter().find_map(|wanted| taken(*wanted, text)),
        Value::Number(number) if wanted == [JsonType::String] => Some(Value::String(text(number))),
        Value::Bool(is_true) if wanted == [JsonType::String] => {
            Some(Value::String(is_true.to_string()))
        }
        _ => None,
    }
}

impl Plan {
    /// Reads the schema of a library.
    pub(super) fn new(library: &Library<'_>) -> Self {
        Self { graph: Graph::new(library, wanted) }
    }

    /// Converts what the schema wants converted.
    pub(super) fn apply(&self, mut data: Value) -> Coerced {
        let mut coercions = Vec::new();
        if !self.graph.nodes.is_empty() && !depth::is_too_deep(&data) {
            self.convert(&[0], &mut data, &mut String::new(), &mut coercions);
        }
        Coerced { value: data, coercions }
    }

    /// All nodes that apply to a value are handled together, each once. One by one, they would visit
    /// the value once for every path through the schema that leads to it.
    fn convert(
        &self,
        numbers: &[usize],
        value: &mut Value,
        path: &mut String,
        coercions: &mut Vec<Coercion>,
    ) {
        let nodes = self.together(numbers);
        if let Some(to) = nodes.iter().find_map(|node| convert(&node.own, value)) {
            let from = std::mem::replace(value, to.clone());
            coercions.push(Coercion { pointer: path.clone(), from, to });
        }
        let mut numbers = Vec::new();
        match value {
            Value::Object(members) if nodes.iter().any(|node| node.has_members()) => {
                for (name, member) in members {
                    numbers.clear();
                    numbers.extend(nodes.iter().flat_map(|node| node.for_member(name)));
                    if !numbers.is_empty() {
                        below(path, name, |path| self.convert(&numbers, member, path, coercions));
                    }
                }
            }
            Value::Array(items) if nodes.iter().any(|node| node.has_items()) => {
                for (i, item) in items.iter_mut().enumerate() {
                    numbers.clear();
                    numbers.extend(nodes.iter().filter_map(|node| node.for_item(i)));
                    if !numbers.is_empty() {
                        let convert = |path: &mut String| {
                            self.convert(&numbers, item, path, coercions);
                        };
                        below(path, &i.to_string(), convert);
                    }
                }
            }
            _ => {}
        }
    }

    /// The nodes, and those that apply where they do: each once, in the order of the schema.
    fn together(&self, numbers: &[usize]) -> Vec<&Node> {
        let mut seen = BTreeSet::new();
        let mut nodes = Vec::new();
        let mut open: Vec<usize> = numbers.iter().rev().copied().collect();
        while let Some(number) = open.pop() {
            if seen.insert(number)
                && let Some(node) = self.graph.nodes.get(number)
            {
                open.extend(node.also.iter().rev());
                nodes.push(node);
            }
        }
        nodes
    }
}

/// `type`, as far as its words are known. A list of one is that word.
fn wanted(members: &Map<String, Value>) -> Vec<JsonType> {
    match members.get("type") {
        Some(Value::String(word)) => word.parse::<JsonType>().into_iter().collect(),
        Some(Value::Array(words)) => {
            words.iter().filter_map(|word| word.as_str()?.parse::<JsonType>().ok()).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn value(schema: &Value, data: Value) -> Value {
        coerce(schema, data).value
    }

    #[test]
    fn texts_become_what_is_wanted() {
        for (wanted, from, to) in [
            (json!("integer"), json!(" +42\n"), json!(42)),
            (json!("integer"), json!("3.0"), json!("3.0")),
            (json!("integer"), json!("9007199254740992"), json!("9007199254740992")),
            (json!("number"), json!(".5"), json!(0.5)),
            (json!("boolean"), json!("YES"), json!(true)),
            (json!("boolean"), json!("0"), json!(false)),
            (json!("boolean"), json!(" true "), json!(" true ")),
            (json!("string"), json!(2.5), json!("2.5")),
            (json!("string"), json!(1e21), json!("1e+21")),
            (json!("string"), json!(true), json!("true")),
            (json!("null"), json!("null"), json!("null")),
            (json!("array"), json!("a"), json!("a")),
            (json!("boolean"), json!(1), json!(1)),
            (json!("integer"), json!(null), json!(null)),
            (json!(["integer"]), json!("5"), json!(5)),
            (json!(["string"]), json!(5), json!("5")),
            (json!(["boolean", "integer"]), json!("1"), json!(true)),
            (json!(["integer", "boolean"]), json!("yes"), json!(true)),
            (json!(["integer", "string"]), json!("5"), json!("5")),
            (json!(["string", "null"]), json!(5), json!(5)),
            (json!("text"), json!("5"), json!("5")),
            (json!(7), json!("5"), json!("5")),
        ] {
            assert_eq!(value(&json!({"type": wanted}), from.clone()), to, "{wanted} {from}");
        }
    }

    #[test]
    fn every_way_down_is_taken_and_no_other() {
        let int = json!({"type": "integer"});
        for (schema, data, expected) in [
            (json!({"properties": {"a": int}}), json!({"a": "1"}), json!({"a": 1})),
            (json!({"patternProperties": {"^a": int}}), json!({"ab": "1"}), json!({"ab": 1})),
            (
                json!({"properties": {"a": {}}, "patternProperties": {"^b": {}},
                    "additionalProperties": int}),
                json!({"a": "1", "b": "1", "c": "1"}),
                json!({"a": "1", "b": "1", "c": 1}),
            ),
            (json!({"items": int}), json!(["1", "2"]), json!([1, 2])),
            (
                json!({"items": [int], "additionalItems": {"type": "boolean"}}),
                json!(["1", "1"]),
                json!([1, true]),
            ),
            (
                json!({"prefixItems": [int], "items": {"type": "boolean"}}),
                json!(["1", "1"]),
                json!([1, true]),
            ),
            (json!({"additionalItems": int}), json!(["1"]), json!(["1"])),
            (json!({"allOf": [{"properties": {"a": int}}]}), json!({"a": "1"}), json!({"a": 1})),
            (json!({"anyOf": [int]}), json!("1"), json!("1")),
            (json!({"oneOf": [int], "not": int, "if": int, "then": int}), json!("1"), json!("1")),
            (json!({"contains": int}), json!(["1"]), json!(["1"])),
            (json!({"enum": [1], "const": 1}), json!("1"), json!("1")),
            (json!(true), json!("1"), json!("1")),
            (json!("integer"), json!("1"), json!("1")),
        ] {
            assert_eq!(value(&schema, data), expected, "{schema}");
        }
    }

    #[test]
    fn references_are_followed_once_at_a_place() {
        let tree = json!({"$ref": "#/definitions/n", "definitions": {"n": {
            "properties": {"v": {"type": "integer"}, "n": {"$ref": "#/definitions/n"}}}}});
        let data = json!({"v": "1", "n": {"v": "2", "n": {"v": "3"}}});
        let expected = json!({"v": 1, "n": {"v": 2, "n": {"v": 3}}});
        assert_eq!(value(&tree, data), expected);
        let circle = json!({"$ref": "#", "type": "integer", "allOf": [{"$ref": "#"}]});
        assert_eq!(value(&circle, json!("1")), json!(1));
        let mut older = circle;
        older["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        assert_eq!(value(&older, json!("1")), json!("1"));
        assert_eq!(value(&json!({"$ref": "elsewhere.json"}), json!("1")), json!("1"));
        assert_eq!(value(&json!({"$ref": "#/nowhere"}), json!("1")), json!("1"));
    }

    #[test]
    fn every_change_is_listed_with_its_place_and_keys_keep_theirs() {
        let schema = json!({"properties": {"z": {"type": "integer"}, "a/b": {"items": {
            "type": ["boolean"]}}}});
        let coerced = coerce(&schema, json!({"z": "1", "m": "x", "a/b": [1, "no"]}));
        assert_eq!(coerced.value.to_string(), r#"{"z":1,"m":"x","a/b":[1,false]}"#);
        let change = |pointer: &str, from: Value, to: Value| Coercion {
            pointer: pointer.to_owned(),
            from,
            to,
        };
        assert_eq!(
            coerced.coercions,
            [change("/z", json!("1"), json!(1)), change("/a~1b/1", json!("no"), json!(false))]
        );
        // A value is converted once: what two schemas want differently fails at one of them.
        let both = json!({"allOf": [{"type": "integer"}, {"type": "string"}]});
        assert_eq!(value(&both, json!(5)), json!("5"));
        assert_eq!(value(&both, json!("5")), json!(5));
    }

    #[test]
    fn deep_and_many_branched_schemas_end() {
        // Said twice at each level, and so in 2^100 ways at the hundredth.
        let schema = json!({"allOf": [{"properties": {"a": {"$ref": "#"}}},
            {"properties": {"a": {"$ref": "#"}}}], "type": "integer"});
        let data = (0..100).fold(json!("1"), |inner, _| json!({"a": inner}));
        let coerced = coerce(&schema, data);
        assert_eq!(coerced.coercions.len(), 1);
        assert_eq!(coerced.coercions[0].pointer, "/a".repeat(100));
        let deep = (0..100_000).fold(json!("1"), |inner, _| Value::Array(vec![inner]));
        let unchanged = coerce(&json!({"items": {"type": "integer"}}), deep);
        assert!(unchanged.coercions.is_empty());
        depth::bury(unchanged.value);
    }
}
