//! What it takes to list everything that a schema forbids in a value.
//!
//! A verdict is cheap: the compiler remembers what it found of a value at each schema that contains
//! itself. A list is not cheap: each alternative that fails lists everything inside the value again.
//! If two alternatives lead back to their schema, the work doubles with each level of the value.

use serde_json::Value;

use super::graph::Graph;
use super::{Library, exceeds};

/// Schemas that may be applied to a value of any size. If each of them finds an error, that takes some
/// tenths of a second and tens of megabytes.
const MAX_ASKED: u64 = 100_000;
/// Further schemas that may be applied, for the value itself and for each value inside it.
const MAX_ASKED_EACH: u64 = 100;

/// Schemas that may be active at once, each called by the one before. The stack of a wasm overflows at
/// three times as many.
const MAX_AT_WORK: usize = 2_000;

/// Which values a compiled schema may be asked about.
#[derive(Clone, Debug)]
pub(crate) struct Effort {
    /// Levels of lists and objects that a value may have: each may begin the longest chain anew.
    pub(crate) deepest: usize,
    /// Of a schema that may judge a value many times.
    graph: Option<Graph<()>>,
}

impl Effort {
    pub(crate) fn of(library: &Library<'_>) -> Self {
        let few = !library.is_recursive && library.visits <= MAX_ASKED_EACH;
        let deepest = (MAX_AT_WORK / library.chain).saturating_sub(1);
        Self { deepest, graph: (!few).then(|| Graph::new(library, |_| ())) }
    }

    /// Whether a verdict can be had: the compiler follows a value by calling itself.
    pub(crate) fn allows_verdict(&self, value: &Value) -> bool {
        !exceeds(value, self.deepest)
    }

    /// Whether all can be listed that is wrong with a value whose verdict can be had.
    pub(crate) fn allows_list(&self, value: &Value) -> bool {
        let Some(graph) = &self.graph else { return true };
        let each = MAX_ASKED_EACH.saturating_mul(size(value));
        spend(graph, 0, value, &mut Vec::new(), &mut MAX_ASKED.saturating_add(each))
    }
}

/// Goes every way that a list may go, and no further than `left` allows. `open` are the schemas that
/// judge the value already: the compiler enters none of them twice.
fn spend(
    graph: &Graph<()>,
    number: usize,
    value: &Value,
    open: &mut Vec<usize>,
    left: &mut u64,
) -> bool {
    if open.contains(&number) {
        return true;
    }
    let Some(node) = graph.nodes.get(number) else { return true };
    let Some(less) = left.checked_sub(1) else { return false };
    *left = less;
    open.push(number);
    let here = node.also.iter().chain(&node.perhaps);
    let is_within = here.clone().all(|to| spend(graph, *to, value, open, left));
    open.pop();
    let mut goes = |to: usize, value: &Value| spend(graph, to, value, &mut Vec::new(), left);
    is_within
        && match value {
            Value::Array(items) => items.iter().enumerate().all(|(at, item)| {
                let mut to = node.for_item(at).into_iter().chain(node.left.iter().copied());
                to.all(|to| goes(to, item))
            }),
            Value::Object(members) => members.iter().all(|(name, member)| {
                let mut to = node.for_member(name).chain(node.left.iter().copied());
                to.all(|to| goes(to, member))
            }),
            _ => true,
        }
}

/// A value and all inside it.
fn size(value: &Value) -> u64 {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::super::Draft;
    use super::*;

    fn effort(schema: &Value) -> Effort {
        Effort::of(&Library::new(schema, &BTreeMap::new(), Draft::V2020))
    }

    /// `levels` objects in each other, with this inside.
    fn nested(levels: usize, inside: Value) -> Value {
        (0..levels).fold(inside, |inner, _| json!({"a": inner}))
    }

    #[test]
    fn a_schema_that_judges_each_value_a_few_times_needs_no_count() {
        for schema in [json!(true), json!({"properties": {"a": {"anyOf": [{}, {}]}}})] {
            assert!(effort(&schema).graph.is_none(), "{schema}");
        }
        let branches = vec![json!({}); 200];
        assert!(effort(&json!({"anyOf": branches})).graph.is_some());
    }

    #[test]
    fn one_way_down_is_allowed_at_any_depth() {
        let list = json!({"properties": {"a": {"$ref": "#"}}});
        let maybe = json!({"anyOf": [{"type": "null"}, {"properties": {"a": {"$ref": "#"}}}]});
        let others = json!({"properties": {"a": {"$ref": "#"}},
            "additionalProperties": {"$ref": "#"}});
        for schema in [list, maybe, others] {
            assert!(effort(&schema).allows_list(&nested(126, json!(1))));
        }
    }

    #[test]
    fn ways_that_double_with_each_level_are_not() {
        let again = json!({"properties": {"a": {"$ref": "#"}}});
        let items = json!({"items": {"$ref": "#"}, "properties": {"a": {"$ref": "#"}}});
        for schema in [
            json!({"anyOf": [again, again]}),
            json!({"oneOf": [again, again]}),
            json!({"allOf": [again, again]}),
            json!({"properties": {"a": {"$ref": "#"}}, "patternProperties": {"a": {"$ref": "#"}}}),
            json!({"properties": {"a": {"$ref": "#"}}, "unevaluatedProperties": {"$ref": "#"}}),
            json!({"$dynamicAnchor": "n", "if": true, "then": {"properties": {
                "a": {"$dynamicRef": "#n"}}}, "dependentSchemas": {"a": again}}),
            json!({"anyOf": [items, items]}),
            // What leads back to itself at once is entered once.
            json!({"allOf": [{"$ref": "#"}], "anyOf": [again, again]}),
        ] {
            let effort = effort(&schema);
            assert!(effort.allows_list(&nested(10, json!(1))), "{schema}");
            assert!(!effort.allows_list(&nested(126, json!(1))), "{schema}");
        }
    }

    #[test]
    fn large_values_may_take_as_long_as_they_are_large() {
        let tree = json!({"anyOf": [{"type": "null"}, {"items": {"$ref": "#"}}]});
        let wide = Value::Array(vec![json!([1, 2, 3]); 100_000]);
        assert!(effort(&tree).allows_list(&wide));
    }
}
