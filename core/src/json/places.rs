//! Values of a tree by their RFC 6901 pointers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::pointer::{below, unescape};
use super::tree::{Kind, Node, Tree};

impl Tree {
    /// Offset of the value at an RFC 6901 pointer, or of the deepest ancestor that exists.
    pub(crate) fn offset_of(&self, pointer: &str) -> usize {
        self.node_at(pointer).start
    }

    /// The value at an RFC 6901 pointer, or its deepest ancestor that exists.
    pub(crate) fn node_at(&self, pointer: &str) -> &Node {
        let mut node = &self.root;
        for part in pointer.split('/').skip(1) {
            let name = unescape(part);
            let next = match &node.kind {
                Kind::Object(members) => {
                    members.iter().rev().find(|(n, _)| *n == name).map(|(_, v)| v)
                }
                Kind::List(items) => name.parse::<usize>().ok().and_then(|i| items.get(i)),
                _ => None,
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        node
    }

    /// The values at many pointers, in one walk: records may deviate in 100,000 places.
    pub(crate) fn nodes_at<'a>(&self, wanted: &BTreeSet<&'a str>) -> BTreeMap<&'a str, &Node> {
        let mut nodes = BTreeMap::new();
        self.root.look_up(wanted, &mut String::new(), &mut nodes);
        nodes
    }
}

impl Node {
    fn look_up<'t, 'a>(
        &'t self,
        wanted: &BTreeSet<&'a str>,
        path: &mut String,
        nodes: &mut BTreeMap<&'a str, &'t Self>,
    ) {
        // The first that does not sort before a path is the path, or something below it, or
        // neither is wanted.
        let from = (Bound::Included(path.as_str()), Bound::Unbounded);
        match wanted.range::<str, _>(from).next() {
            Some(hit) if *hit == path.as_str() => {
                nodes.insert(*hit, self);
            }
            Some(hit) if hit.starts_with(path.as_str()) => {}
            _ => return,
        }
        match &self.kind {
            Kind::Object(members) => {
                for (name, node) in members {
                    below(path, name, |path| node.look_up(wanted, path, nodes));
                }
            }
            Kind::List(items) => {
                for (i, node) in items.iter().enumerate() {
                    below(path, &i.to_string(), |path| node.look_up(wanted, path, nodes));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_offset_of_a_pointer() {
        let tree = Tree::read(r#"{"a":[10,{"b/c":true}]}"#, false).expect("plain");
        assert_eq!(tree.offset_of("/a/1/b~1c"), 16);
        assert_eq!(tree.offset_of("/a/9"), 5);
        assert_eq!(tree.offset_of(""), 0);
        let wanted = BTreeSet::from(["", "/a/0", "/a/1/b~1c", "/a/9"]);
        let starts =
            tree.nodes_at(&wanted).into_iter().map(|(pointer, node)| (pointer, node.start));
        assert_eq!(starts.collect::<Vec<_>>(), [("", 0), ("/a/0", 6), ("/a/1/b~1c", 16)]);
    }
}
