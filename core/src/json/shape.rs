//! What a record looks like, as a table.
//!
//! A [`Shape`] is declared beside a format, or comes from a JSON Schema. Both become a [`Table`]: a flat
//! list of nodes, so that a deviation can name its node in two bytes and its pointer is made on demand.

use std::fmt::Write as _;

use serde_json::Value;

use super::block::Quoted;
use super::pointer::escape;

/// The members of an object.
#[derive(Debug)]
pub(crate) struct Shape<S: 'static> {
    pub(crate) members: &'static [Member<S>],
    /// Whether other members pass without a second look.
    pub(crate) is_open: bool,
}

/// A member that is known by name.
#[derive(Debug)]
pub(crate) struct Member<S: 'static> {
    pub(crate) name: &'static str,
    pub(crate) is_required: bool,
    pub(crate) kind: Kind<S>,
    pub(crate) slot: S,
}

/// What a value must be.
#[derive(Debug)]
pub(crate) enum Kind<S: 'static> {
    Text,
    /// A text, or a list of its lines.
    Lines,
    /// `date-time`.
    Time,
    Integer,
    Number,
    Flag,
    Object(&'static Shape<S>),
    List(&'static Item<S>),
    Any,
}

/// What the items of a list are.
#[derive(Debug)]
pub(crate) struct Item<S: 'static> {
    pub(crate) kind: Kind<S>,
    pub(crate) slot: S,
}

/// A member that must be there.
pub(crate) const fn must<S>(name: &'static str, kind: Kind<S>, slot: S) -> Member<S> {
    Member { name, is_required: true, kind, slot }
}

/// A member that may be there.
pub(crate) const fn may<S>(name: &'static str, kind: Kind<S>, slot: S) -> Member<S> {
    Member { name, is_required: false, kind, slot }
}

/// A regular expression of a schema that comes with the core, and the function that decides for it.
pub(crate) type Pattern = (&'static str, fn(&str) -> bool);

/// The place of a node in its table.
pub(crate) type NodeId = u16;

/// What a value must be, with references into the table.
#[derive(Debug)]
pub(crate) enum Type {
    Text,
    Lines,
    Pattern(Pattern),
    Choice(Vec<Box<str>>),
    Time,
    /// An integer between two bounds, each of which is infinite where there is none.
    Integer(f64, f64),
    Number(f64, f64),
    Flag,
    Object {
        /// Where its members stand in [`Table::members`].
        first: u16,
        len: u16,
        is_open: bool,
        /// A bit for each member that must be there.
        required: u64,
    },
    List(NodeId),
    Any,
}

/// How a node is reached from the one above it.
#[derive(Clone, Copy, Debug)]
enum Step {
    Root,
    /// The member at this place of [`Table::members`].
    Member(u16),
    Item,
}

#[derive(Debug)]
pub(crate) struct Node<S> {
    pub(crate) is: Type,
    pub(crate) slot: S,
    above: NodeId,
    step: Step,
}

/// Every node of a shape; the first one is the record.
#[derive(Debug)]
pub(crate) struct Table<S> {
    pub(crate) nodes: Vec<Node<S>>,
    /// Those of one object beside each other.
    pub(crate) members: Vec<Known>,
}

/// A member that a table names.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) name: Box<str>,
    pub(crate) quoted: Quoted,
    pub(crate) node: NodeId,
}

/// The record itself.
pub(crate) const ROOT: NodeId = 0;

impl<S: Copy> Table<S> {
    /// The table of a shape.
    pub(crate) fn of_shape(shape: &Shape<S>, slot: S) -> Self {
        let mut table = Self { nodes: Vec::new(), members: Vec::new() };
        table.node(slot, (ROOT, Step::Root), |table, id| table.shape(shape, id));
        table
    }

    /// The table of a JSON Schema. `slot_of` says where the value at a pointer goes, in which `*` stands
    /// for an item; `patterns` are the regular expressions that the schema uses.
    ///
    /// Schemas that come with the core use the keywords that this reads, and a test holds that.
    pub(crate) fn of_schema(
        schema: &Value,
        patterns: &[Pattern],
        slot_of: &dyn Fn(&str) -> S,
    ) -> Self {
        let mut table = Self { nodes: Vec::new(), members: Vec::new() };
        let reader = SchemaReader { patterns, slot_of };
        reader.node(&mut table, schema, "", (ROOT, Step::Root));
        table
    }

    /// Adds a node, then what is below it.
    fn node(
        &mut self,
        slot: S,
        (above, step): (NodeId, Step),
        below: impl FnOnce(&mut Self, NodeId) -> Type,
    ) -> NodeId {
        let id = place(self.nodes.len());
        self.nodes.push(Node { is: Type::Any, slot, above, step });
        let is = below(self, id);
        if let Some(node) = self.nodes.get_mut(usize::from(id)) {
            node.is = is;
        }
        id
    }

    /// Adds members, whose nodes `add` makes.
    fn object<'n>(
        &mut self,
        names: impl ExactSizeIterator<Item = (&'n str, bool)>,
        is_open: bool,
        mut add: impl FnMut(&mut Self, usize, (u16, &'n str)) -> NodeId,
    ) -> Type {
        let first = self.members.len();
        let len = names.len();
        let mut required = 0;
        let mut listed = Vec::with_capacity(len);
        for (at, (name, is_required)) in names.enumerate() {
            required |= u64::from(is_required) << at;
            let quoted = Quoted::new(name);
            self.members.push(Known { name: name.into(), quoted, node: ROOT });
            listed.push(name);
        }
        for (at, name) in listed.into_iter().enumerate() {
            let id = add(self, at, (place(first + at), name));
            if let Some(member) = self.members.get_mut(first + at) {
                member.node = id;
            }
        }
        Type::Object { first: place(first), len: place(len), is_open, required }
    }

    fn shape(&mut self, shape: &Shape<S>, id: NodeId) -> Type {
        let names = shape.members.iter().map(|member| (member.name, member.is_required));
        self.object(names, shape.is_open, |table, at, (place, _)| {
            let member = &shape.members[at];
            table.node(member.slot, (id, Step::Member(place)), |table, id| {
                table.kind(&member.kind, id)
            })
        })
    }

    fn kind(&mut self, kind: &Kind<S>, id: NodeId) -> Type {
        match kind {
            Kind::Text => Type::Text,
            Kind::Lines => Type::Lines,
            Kind::Time => Type::Time,
            Kind::Integer => Type::Integer(f64::NEG_INFINITY, f64::INFINITY),
            Kind::Number => Type::Number(f64::NEG_INFINITY, f64::INFINITY),
            Kind::Flag => Type::Flag,
            Kind::Object(shape) => self.shape(shape, id),
            Kind::List(item) => Type::List(
                self.node(item.slot, (id, Step::Item), |table, id| table.kind(&item.kind, id)),
            ),
            Kind::Any => Type::Any,
        }
    }

    pub(crate) fn get(&self, id: NodeId) -> Option<&Node<S>> {
        self.nodes.get(usize::from(id))
    }

    /// The members of the object at a node; none for another type.
    pub(crate) fn members(&self, id: NodeId) -> &[Known] {
        match self.get(id).map(|node| &node.is) {
            Some(Type::Object { first, len, .. }) => self.members_of(*first, *len),
            _ => &[],
        }
    }

    /// The members of an object.
    pub(crate) fn members_of(&self, first: u16, len: u16) -> &[Known] {
        let first = usize::from(first);
        self.members.get(first..first + usize::from(len)).unwrap_or_default()
    }

    /// The place of a member among those of an object, and its node.
    pub(crate) fn member_at(&self, id: NodeId, name: &str) -> Option<(u8, NodeId)> {
        let mut members = (0..).zip(self.members(id));
        members.find(|(_, known)| *known.name == *name).map(|(at, known)| (at, known.node))
    }

    /// The name of a member of an object.
    pub(crate) fn member_name(&self, id: NodeId, at: u8) -> &str {
        match self.get(id).map(|node| &node.is) {
            Some(Type::Object { first, .. }) => {
                self.members.get(usize::from(*first) + usize::from(at)).map_or("", |m| &m.name)
            }
            _ => "",
        }
    }

    /// The JSON pointer of a node, with the places in the lists around it, the outermost one first.
    pub(crate) fn pointer(&self, id: NodeId, places: [u32; 2]) -> String {
        let mut steps = Vec::new();
        let mut at = id;
        while let Some(node) = self.get(at)
            && !matches!(node.step, Step::Root)
        {
            steps.push(node.step);
            at = node.above;
        }
        let mut pointer = String::new();
        let mut places = places.into_iter();
        for step in steps.into_iter().rev() {
            match step {
                Step::Root => {}
                Step::Item => drop(write!(pointer, "/{}", places.next().unwrap_or_default())),
                Step::Member(place) => {
                    let name =
                        self.members.get(usize::from(place)).map_or("", |member| &member.name);
                    pointer.push('/');
                    pointer.push_str(&escape(name));
                }
            }
        }
        pointer
    }

    /// Whether a node stands in a list.
    pub(crate) fn is_in_list(&self, id: NodeId) -> bool {
        let mut at = id;
        while let Some(node) = self.get(at)
            && !matches!(node.step, Step::Root)
        {
            if matches!(node.step, Step::Item) {
                return true;
            }
            at = node.above;
        }
        false
    }

    /// The node at a pointer that goes through no list and has no `~`.
    pub(crate) fn node_at(&self, pointer: &str) -> Option<NodeId> {
        let mut names = pointer.split('/').skip(1);
        names.try_fold(ROOT, |at, name| self.member_at(at, name).map(|(_, node)| node))
    }

    /// Whether a node stands at such a pointer.
    pub(crate) fn is_at(&self, id: NodeId, pointer: &str) -> bool {
        self.node_at(pointer) == Some(id)
    }
}

/// Tables have a few hundred nodes.
fn place(at: usize) -> u16 {
    u16::try_from(at).unwrap_or(u16::MAX)
}

struct SchemaReader<'a, S> {
    patterns: &'a [Pattern],
    slot_of: &'a dyn Fn(&str) -> S,
}

impl<S: Copy> SchemaReader<'_, S> {
    fn node(
        &self,
        table: &mut Table<S>,
        schema: &Value,
        pointer: &str,
        from: (NodeId, Step),
    ) -> NodeId {
        let slot = (self.slot_of)(pointer);
        table.node(slot, from, |table, id| self.type_of(table, schema, pointer, id))
    }

    fn type_of(&self, table: &mut Table<S>, schema: &Value, pointer: &str, id: NodeId) -> Type {
        let word = |name: &str| schema.get(name).and_then(Value::as_str);
        let bound =
            |name: &str, none: f64| schema.get(name).and_then(Value::as_f64).unwrap_or(none);
        let bounds = || (bound("minimum", f64::NEG_INFINITY), bound("maximum", f64::INFINITY));
        match word("type") {
            Some("object") => self.object(table, schema, pointer, id),
            Some("array") => match schema.get("items") {
                Some(items) => {
                    let pointer = format!("{pointer}/*");
                    Type::List(self.node(table, items, &pointer, (id, Step::Item)))
                }
                None => Type::List(table.node(
                    (self.slot_of)(&format!("{pointer}/*")),
                    (id, Step::Item),
                    |_, _| Type::Any,
                )),
            },
            Some("string") => {
                let pattern =
                    word("pattern").and_then(|text| self.patterns.iter().find(|p| p.0 == text));
                match (schema.get("enum").and_then(Value::as_array), pattern) {
                    (Some(words), _) => Type::Choice(
                        words.iter().filter_map(Value::as_str).map(Into::into).collect(),
                    ),
                    (None, Some(pattern)) => Type::Pattern(*pattern),
                    (None, None) if word("format") == Some("date-time") => Type::Time,
                    (None, None) => Type::Text,
                }
            }
            Some("integer") => Type::Integer(bounds().0, bounds().1),
            Some("number") => Type::Number(bounds().0, bounds().1),
            Some("boolean") => Type::Flag,
            _ => Type::Any,
        }
    }

    fn object(&self, table: &mut Table<S>, schema: &Value, pointer: &str, id: NodeId) -> Type {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            return Type::Object { first: 0, len: 0, is_open: true, required: 0 };
        };
        let required = schema.get("required").and_then(Value::as_array);
        let is_required =
            |name: &str| required.is_some_and(|names| names.iter().any(|n| n == name));
        let names: Vec<(&str, bool)> =
            properties.keys().map(|name| (name.as_str(), is_required(name))).collect();
        table.object(names.into_iter(), false, |table, _, (place, name)| {
            let pointer = format!("{pointer}/{}", escape(name));
            let below = properties.get(name).unwrap_or(&Value::Null);
            self.node(table, below, &pointer, (id, Step::Member(place)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape<u8> = Shape {
        is_open: true,
        members: &[
            must("a/b", Kind::Text, 1),
            may(
                "list",
                Kind::List(&Item {
                    kind: Kind::Object(&Shape {
                        is_open: false,
                        members: &[may(
                            "inner",
                            Kind::List(&Item { kind: Kind::Integer, slot: 3 }),
                            2,
                        )],
                    }),
                    slot: 0,
                }),
                0,
            ),
        ],
    };

    #[test]
    fn a_shape_and_its_schema_make_the_same_table() {
        let shape = Table::of_shape(&SHAPE, 0);
        let schema = serde_json::json!({"type": "object", "required": ["a/b"], "properties": {
            "a/b": {"type": "string"},
            "list": {"type": "array", "items": {"type": "object", "properties": {
                "inner": {"type": "array", "items": {"type": "integer"}}}}}}});
        let slots = |pointer: &str| match pointer {
            "/a~1b" => 1,
            "/list/*/inner" => 2,
            "/list/*/inner/*" => 3,
            _ => 0,
        };
        let of_schema = Table::of_schema(&schema, &[], &slots);
        // A schema without `additionalProperties` still names what it knows.
        let shown =
            |table: &Table<u8>| format!("{table:?}").replace("is_open: true", "is_open: false");
        assert_eq!(shown(&shape), shown(&of_schema));
    }

    #[test]
    fn pointers_name_members_and_places() {
        let table = Table::of_shape(&SHAPE, 0);
        let last = place(table.nodes.len() - 1);
        assert_eq!(table.pointer(last, [7, 2]), "/list/7/inner/2");
        assert_eq!(table.pointer(ROOT, [7, 2]), "");
        assert_eq!(table.pointer(1, [0, 0]), "/a~1b");
        let node = (1..=last).find(|id| table.is_at(*id, "/list")).expect("it is there");
        assert_eq!(table.pointer(node, [0, 0]), "/list");
        assert!(
            table.is_at(ROOT, "") && !table.is_at(ROOT, "/list") && !table.is_at(last, "/list")
        );
        assert_eq!(table.member_name(ROOT, 1), "list");
    }
}
