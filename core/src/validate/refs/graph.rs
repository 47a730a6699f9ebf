//! A schema with its references resolved, as nodes that refer to each other by number: a schema that
//! contains itself is no deeper than any other.

use std::collections::BTreeMap;

use hindscope_compiler::Pattern;
use serde_json::{Map, Value};

use super::{Library, SchemaNode};

/// Nodes by their numbers; the schema itself is the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph<T> {
    pub(crate) nodes: Vec<Node<T>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Node<T> {
    /// What its reader wants of a schema.
    pub(crate) own: T,
    /// Nodes that judge the same value, always.
    pub(crate) also: Vec<usize>,
    /// Nodes that judge the same value, perhaps: alternatives and conditions.
    pub(crate) perhaps: Vec<usize>,
    properties: BTreeMap<String, usize>,
    patterns: Vec<(Pattern, usize)>,
    /// `additionalProperties`.
    others: Option<usize>,
    /// The first items, one by one.
    tuple: Vec<usize>,
    /// All other items.
    rest: Option<usize>,
    /// `unevaluatedItems` and `unevaluatedProperties`: whatever nothing else judges.
    pub(crate) left: Vec<usize>,
}

impl<T> Node<T> {
    pub(crate) fn has_members(&self) -> bool {
        !self.properties.is_empty() || !self.patterns.is_empty() || self.others.is_some()
    }

    pub(crate) fn has_items(&self) -> bool {
        !self.tuple.is_empty() || self.rest.is_some()
    }

    /// Those that judge a member.
    pub(crate) fn for_member<'n>(&'n self, name: &str) -> impl Iterator<Item = usize> + use<'n, T> {
        let property = self.properties.get(name).copied();
        let by_pattern: Vec<usize> = self
            .patterns
            .iter()
            .filter(|(pattern, _)| pattern.is_match(name).unwrap_or(false))
            .map(|(_, number)| *number)
            .collect();
        let is_other = property.is_none() && by_pattern.is_empty();
        property.into_iter().chain(by_pattern).chain(self.others.filter(|_| is_other))
    }

    /// The one that judges an item.
    pub(crate) fn for_item(&self, index: usize) -> Option<usize> {
        self.tuple.get(index).copied().or(self.rest)
    }
}

impl<T: Default> Graph<T> {
    /// Reads the schema of a library. `own` is asked of each schema that has members.
    pub(crate) fn new(library: &Library<'_>, own: impl Fn(&Map<String, Value>) -> T) -> Self {
        let mut reader = Reader { library, numbers: BTreeMap::new(), places: Vec::new() };
        let mut nodes = Vec::new();
        if let Some(root) = library.root() {
            reader.number_of(root);
        }
        while let Some(place) = reader.places.get(nodes.len()).cloned() {
            nodes.push(reader.node(&place, &own));
        }
        Self { nodes }
    }
}

struct Reader<'l, 'a> {
    library: &'l Library<'a>,
    numbers: BTreeMap<*const Value, usize>,
    places: Vec<SchemaNode<'a>>,
}

impl<'a> Reader<'_, 'a> {
    /// The number of a schema's node; a schema is the same wherever it is met.
    fn number_of(&mut self, place: SchemaNode<'a>) -> usize {
        let next = self.places.len();
        let number = *self.numbers.entry(std::ptr::from_ref(place.schema)).or_insert(next);
        if number == next {
            self.places.push(place);
        }
        number
    }

    fn inside(&mut self, place: &SchemaNode<'a>, schema: &'a Value) -> usize {
        self.number_of(place.inside(schema))
    }

    fn list(&mut self, place: &SchemaNode<'a>, schemas: &'a [Value]) -> Vec<usize> {
        schemas.iter().map(|schema| self.inside(place, schema)).collect()
    }

    fn node<T: Default>(
        &mut self,
        place: &SchemaNode<'a>,
        own: impl Fn(&Map<String, Value>) -> T,
    ) -> Node<T> {
        let mut node = Node::default();
        let mut resolve = |target| {
            let place = self.library.resolve(place, target)?;
            Some(self.number_of(place))
        };
        node.also.extend(place.reference().and_then(&mut resolve));
        node.perhaps.extend(place.moving_references().filter_map(resolve));
        let Some(members) = place.schema.as_object().filter(|_| !place.is_only_reference()) else {
            return node;
        };
        node.own = own(members);
        for (keyword, value) in members {
            match (keyword.as_str(), value) {
                ("allOf", Value::Array(schemas)) => node.also.extend(self.list(place, schemas)),
                ("anyOf" | "oneOf", Value::Array(schemas)) => {
                    node.perhaps.extend(self.list(place, schemas));
                }
                ("then" | "else", Value::Object(_)) => node.perhaps.push(self.inside(place, value)),
                ("dependencies" | "dependentSchemas", Value::Object(named)) => {
                    let schemas = named.values().filter(|schema| schema.is_object());
                    node.perhaps.extend(schemas.map(|schema| self.inside(place, schema)));
                }
                ("properties", Value::Object(named)) => {
                    let named = named.iter();
                    node.properties =
                        named.map(|(name, s)| (name.clone(), self.inside(place, s))).collect();
                }
                ("patternProperties", Value::Object(named)) => {
                    for (pattern, schema) in named {
                        if let Ok(pattern) = Pattern::new(pattern) {
                            node.patterns.push((pattern, self.inside(place, schema)));
                        }
                    }
                }
                ("additionalProperties", Value::Object(_)) => {
                    node.others = Some(self.inside(place, value));
                }
                ("prefixItems" | "items", Value::Array(schemas)) => {
                    node.tuple = self.list(place, schemas);
                }
                ("items", Value::Object(_)) => node.rest = Some(self.inside(place, value)),
                ("additionalItems", Value::Object(_))
                    if members.get("items").is_some_and(Value::is_array) =>
                {
                    node.rest = Some(self.inside(place, value));
                }
                ("unevaluatedItems" | "unevaluatedProperties", Value::Object(_)) => {
                    node.left.push(self.inside(place, value));
                }
                _ => {}
            }
        }
        node
    }
}
