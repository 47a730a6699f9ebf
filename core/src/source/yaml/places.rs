//! Where values of a document stand, by their pointers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

use granit_parser::{Event, Marker};

use super::parser;
use crate::json::pointer::escape;

/// A collection while it is read.
struct Open {
    start: usize,
    /// Length of its pointer.
    len: usize,
    /// Items of a list so far.
    items: Option<usize>,
    /// A member is complete, and the next one begins with its name.
    is_at_name: bool,
    /// Aliases before it.
    aliases: usize,
}

/// Where the values at some pointers stand. A range begins at the start of its line if only spaces and
/// dashes stand before the value. Of members with the same name the last counts. A value that is or
/// contains an alias has no place.
pub(crate) fn places(text: &str, wanted: &BTreeSet<&str>) -> BTreeMap<String, Range<usize>> {
    let mut walk = Walk {
        text,
        wanted,
        path: String::new(),
        open: Vec::new(),
        found: BTreeMap::new(),
        aliases: 0,
    };
    for next in parser(text) {
        let Ok((event, span)) = next else { return BTreeMap::new() };
        let offset = |marker: &Marker| marker.byte_offset().unwrap_or(0);
        walk.take(&event, offset(&span.start), offset(&span.end));
    }
    walk.found
}

struct Walk<'a> {
    text: &'a str,
    wanted: &'a BTreeSet<&'a str>,
    path: String,
    open: Vec<Open>,
    found: BTreeMap<String, Range<usize>>,
    aliases: usize,
}

impl Walk<'_> {
    fn take(&mut self, event: &Event<'_>, start: usize, end: usize) {
        let is_list = matches!(event, Event::SequenceStart(..));
        match event {
            Event::Scalar(name, ..) if self.is_at_name() => self.name(&escape(name)),
            // Nothing that is wanted has such a name.
            Event::Alias(_) if self.is_at_name() => {
                self.aliases += 1;
                self.name("~");
            }
            Event::Scalar(..) => {
                self.item();
                self.close(start, end, self.aliases);
            }
            Event::Alias(_) => {
                self.item();
                self.aliases += 1;
                self.close(start, end, self.aliases - 1);
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                self.item();
                self.open.push(Open {
                    start,
                    len: self.path.len(),
                    items: is_list.then_some(0),
                    is_at_name: !is_list,
                    aliases: self.aliases,
                });
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(open) = self.open.pop() {
                    self.path.truncate(open.len);
                    self.close(open.start, end, open.aliases);
                }
            }
            _ => {}
        }
    }

    fn is_at_name(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_at_name)
    }

    fn name(&mut self, name: &str) {
        let Some(open) = self.open.last_mut() else { return };
        open.is_at_name = false;
        self.path.truncate(open.len);
        self.path.push('/');
        self.path.push_str(name);
    }

    /// A value of a list begins.
    fn item(&mut self) {
        let Some(Open { len, items: Some(items), .. }) = self.open.last_mut() else { return };
        self.path.truncate(*len);
        let _ = write!(self.path, "/{items}");
        *items += 1;
    }

    /// A value is complete.
    fn close(&mut self, start: usize, end: usize, aliases: usize) {
        if let Some(open) = self.open.last_mut() {
            open.is_at_name = open.items.is_none();
        }
        if !self.wanted.contains(self.path.as_str()) {
            return;
        }
        if self.aliases > aliases {
            self.found.remove(&self.path);
            return;
        }
        let head = self.text.get(..start).unwrap_or_default();
        let line_at = head.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let is_lead = head.bytes().skip(line_at).all(|b| matches!(b, b' ' | b'-'));
        let start = if is_lead { line_at } else { start };
        // A block ends where the next one begins.
        let len = self.text.get(start..end).unwrap_or_default().trim_end().len();
        self.found.insert(self.path.clone(), start..start + len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_where_their_lines_begin() {
        let text = "loops:\n  a/b:\n    task: x\n    n: [1, {m: 2}]\n\n  c: &c {task: y}\n  d: *c\nlist:\n- k: 1\n  l: 2\n-\n  k: 3\nlast: \"q\"\n";
        let of = |pointer: &str| {
            let places = places(text, &BTreeSet::from([pointer]));
            places.get(pointer).and_then(|at| text.get(at.clone()))
        };
        assert_eq!(of("/loops/a~1b"), Some("    task: x\n    n: [1, {m: 2}]"));
        assert_eq!(of("/loops/a~1b/n/1/m"), Some("2"));
        assert_eq!(of("/loops/c"), Some("{task: y}"));
        assert_eq!(of("/loops/d"), None);
        assert_eq!(of("/loops"), None);
        assert_eq!(of("/list/0"), Some("- k: 1\n  l: 2"));
        assert_eq!(of("/list/1/k"), Some("3"));
        assert_eq!(of("/last"), Some("\"q\""));
        assert_eq!(of("/none"), None);
        assert!(places("a: [", &BTreeSet::from(["/a"])).is_empty());
    }
}
