//! A part of a bundle in order, without what the records were.

use serde_json::Value;

use crate::format::hindscope_bundle::pass::Pass;
use crate::format::hindscope_bundle::sort::{self, Member};
use crate::json::scan::find;
use crate::json::tree::{Kind, Node, Tree};
use crate::json::value;
use crate::json::verbatim::{compact, members};
use crate::json::write::quoted;
use crate::model::finding::{Finding, Severity};
use crate::source::Chunk;
use crate::source::framing::{Content, Part};
use crate::source::position::Position;
use crate::validate::text::{read, set_place};

/// How deep a part of a bundle may be nested.
pub(super) const MAX_DEPTH: usize = 512;

/// Members of an object in order that a table does not name, as they stand.
pub(super) fn more(json: &str, known: &[Member]) -> String {
    let unknown = members(json).into_iter().filter(|(name, _)| !known.iter().any(|k| k.0 == name));
    unknown.map(|(name, value)| format!("{}:{value}", quoted(&name))).collect::<Vec<_>>().join(",")
}

/// A part of a bundle in order, without originals.
pub(super) struct Copy {
    pub(super) json: String,
    pub(super) value: Value,
    pub(super) is_repaired: bool,
}

impl Copy {
    pub(super) fn of(
        chunk: &Chunk<'_>,
        is_cut: bool,
        known: &'static [Member],
        about: &mut Vec<Finding>,
    ) -> Option<Self> {
        let plain = || compact(chunk.text, MAX_DEPTH);
        let plain = if chunk.stored.is_none() && !is_cut { plain() } else { None };
        let is_repaired = plain.is_none();
        let json = if let Some(json) = plain {
            json
        } else {
            let content =
                if is_cut { Content::CutPart(Part::Run) } else { Content::Part(Part::Run) };
            written(&read(chunk, content, about)?.root)
        };
        if !json.starts_with('{') {
            about.push(placed(
                unexpected_member("An item of the bundle is not an object. It is skipped."),
                chunk.start,
            ));
            return None;
        }
        let mut pass = Pass { is_lean: true, ..Pass::default() };
        let json = pass.object(&json, known);
        let mut ruler = chunk.ruler();
        let mut unexpected: Vec<_> = pass
            .unexpected
            .into_iter()
            .map(|(pointer, expected)| (find(chunk.text, &pointer), pointer, expected))
            .collect();
        unexpected.sort();
        for (at, pointer, expected) in unexpected {
            let finding = unexpected_member(format!(
                "Expected {expected}. The value is kept unchanged, but not used."
            ));
            about.push(placed(finding.pointer(pointer), ruler.place_of(at)));
        }
        let value = value::tolerant(&json)?;
        Some(Self { json, value, is_repaired })
    }
}

/// A run of a bundle as a value, without originals.
pub(in crate::history) fn value_of(text: &str) -> Option<Value> {
    let json = json_of(text)?;
    let mut pass = Pass { is_lean: true, ..Pass::default() };
    value::tolerant(&pass.object(&json, sort::RUN))
}

/// A run of a bundle as compact JSON; repaired, if it has to be.
pub(crate) fn json_of(text: &str) -> Option<String> {
    compact(text, MAX_DEPTH).or_else(|| Tree::read(text, true).ok().map(|tree| written(&tree.root)))
}

pub(super) fn unexpected_member(message: impl Into<String>) -> Finding {
    Finding::new("bundle/member", Severity::Warning, message)
}

pub(super) fn placed(mut finding: Finding, place: Position) -> Finding {
    set_place(&mut finding, place);
    finding
}

/// A value that was read with tolerance, as strict JSON.
fn written(node: &Node) -> String {
    match &node.kind {
        Kind::Null => "null".to_owned(),
        Kind::Bool(flag) => flag.to_string(),
        Kind::Number(lexeme) => lexeme.clone(),
        Kind::Text(text) => quoted(text),
        Kind::List(items) => crate::json::write::list(items.iter().map(written)),
        Kind::Object(members) => {
            let members =
                members.iter().map(|(name, v)| format!("{}:{}", quoted(name), written(v)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
    }
}
