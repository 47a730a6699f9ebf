//! Where values stand, by their RFC 6901 pointers: in text that is plain JSON, and in a tree.

use std::borrow::Cow;

use super::pointer::{below, unescape};
use super::scan::{NotPlain, Scan};
use super::tree::{Kind, Node, Tree};
use crate::sort::StableSort as _;

/// For each pointer, the offset of its value in plain JSON, or of the deepest ancestor that exists. One walk
/// finds all of them and builds nothing; the last member of a name counts.
///
/// [`Tree::offset_of`] tells the same of a tree.
pub(crate) fn offsets_of(text: &str, pointers: &[impl AsRef<str>]) -> Vec<usize> {
    let mut starts = vec![0; pointers.len()];
    let wanted = pointers.iter().enumerate();
    let wanted: Vec<(usize, &str)> =
        wanted.filter_map(|(at, p)| Some((at, p.as_ref().strip_prefix('/')?))).collect();
    if !wanted.is_empty() {
        // What stands behind a place that is not plain is not found.
        let _ = look_up(&mut Scan::new(text), 0, wanted, &mut starts);
    }
    starts
}

/// Passes over one value. `wanted` is what is looked for below it: the place in `starts`, and the pointer from
/// there on without its first slash.
fn look_up(
    scan: &mut Scan<'_>,
    depth: usize,
    wanted: Vec<(usize, &str)>,
    starts: &mut [usize],
) -> Result<(), NotPlain> {
    if wanted.is_empty() {
        return scan.skip_value(depth);
    }
    let parted = wanted.into_iter().map(|(at, pointer)| {
        let (part, rest) = pointer.split_once('/').map_or((pointer, None), |(p, r)| (p, Some(r)));
        (unescape(part), at, rest)
    });
    let mut parts: Vec<(Cow<'_, str>, usize, Option<&str>)> = parted.collect();
    parts.stable_sort_by(|a, b| a.0.cmp(&b.0));
    let mut value = |scan: &mut Scan<'_>, part: &str, depth: usize| {
        scan.skip_space();
        let from = parts.partition_point(|(other, ..)| **other < *part);
        let here = parts[from..].iter().take_while(|(other, ..)| **other == *part);
        for (_, at, _) in here.clone() {
            starts[*at] = scan.at();
        }
        let further = here.filter_map(|(_, at, rest)| Some((*at, (*rest)?)));
        look_up(scan, depth, further.collect(), starts)
    };
    scan.skip_space();
    match scan.peek() {
        Some(b'{') => {
            scan.members(depth, |scan, (_, name), depth| value(scan, &name.decode(), depth))
        }
        Some(b'[') => {
            let mut place = 0_usize;
            scan.items(depth, |scan, depth| {
                let part = place.to_string();
                place += 1;
                value(scan, &part, depth)
            })
        }
        _ => scan.skip_value(depth),
    }
}

impl Tree {
    /// Offset of the value at a pointer, or of the deepest ancestor that exists. [`offsets_of`] tells the same
    /// of plain JSON.
    pub(crate) fn offset_of(&self, pointer: &str) -> usize {
        self.node_at(pointer).start
    }

    /// The value at a pointer, or its deepest ancestor that exists.
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

    /// The values at many pointers, in one walk: records may deviate in 100,000 places. The pointers stand
    /// in their order, each once; nothing where no value is.
    pub(crate) fn nodes_at(&self, wanted: &[&str]) -> Vec<Option<&Node>> {
        let mut nodes = vec![None; wanted.len()];
        self.root.look_up(wanted, &mut String::new(), &mut nodes);
        nodes
    }
}

impl Node {
    fn look_up<'t>(&'t self, wanted: &[&str], path: &mut String, nodes: &mut [Option<&'t Self>]) {
        // The first that does not sort before a path is the path, or something below it, or
        // neither is wanted.
        let at = wanted.partition_point(|wanted| *wanted < path.as_str());
        match wanted.get(at) {
            Some(hit) if *hit == path.as_str() => nodes[at] = Some(self),
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
    fn finds_offsets_in_text() {
        let text = r#"{"a":[10,{"b/c":true}], "a2": 1}"#;
        let all = ["", "/a2", "/a/1/b~1c", "/a/1", "/none/b", "/a/7", "/a/1/b~1c/d", "a"];
        assert_eq!(offsets_of(text, &all), [0, 30, 16, 9, 0, 5, 16, 0]);
        assert_eq!(offsets_of(r#"{"a":1,"a":{"b":2}}"#, &["/a/b", "/a"]), [16, 11], "the last one");
    }

    #[test]
    fn finds_offsets_in_a_tree() {
        let tree = Tree::read(r#"{"a":[10,{"b/c":true}]}"#, false).expect("plain");
        assert_eq!(tree.offset_of("/a/1/b~1c"), 16);
        assert_eq!(tree.offset_of("/a/9"), 5);
        assert_eq!(tree.offset_of(""), 0);
        let nodes = tree.nodes_at(&["", "/a/0", "/a/1/b~1c", "/a/9"]);
        let starts: Vec<_> = nodes.into_iter().map(|node| node.map(|node| node.start)).collect();
        assert_eq!(starts, [Some(0), Some(6), Some(16), None]);
    }
}
