//! Records of YAML documents: objects, lists of them, and what is left of broken ones.

use super::{Shared, Tally, is_mapping, place_of};
use crate::format::parsed_record::Context;
use crate::format::record::wrapped;
use crate::model::finding::{Finding, Severity};
use crate::model::reward::count;
use crate::sort::StableSort as _;
use crate::source::Chunk;
use crate::source::yaml::{BadYaml, Document, compose, next_item, offset};
use crate::validate::text;
use serde_json::Value;

/// Broken items of one list that are passed over; each costs another look at the rest.
const MAX_BROKEN: u32 = 100;

impl Tally {
    /// The records of a document.
    pub(super) fn yaml(
        &mut self,
        chunk: &Chunk<'_>,
        document: &Document,
        end: u64,
        shared: &mut Shared<'_>,
    ) {
        let repairs = repairs(chunk, document);
        let (name, items) = match &document.value {
            Value::Array(items) => ("", items.as_slice()),
            value => {
                let context = Context::default();
                let is_kept = shared.readings.read_value(value, &context, chunk.start);
                let list = wrapped(value).filter(|_| !is_kept);
                let Some((name, items)) = list else {
                    shared.readings.is_repaired = !repairs.is_empty();
                    shared.readings.findings.extend(repairs);
                    return self.keep(is_kept, false, chunk, end, shared);
                };
                self.find_wrapped(name, chunk.start);
                (name, items)
            }
        };
        let stretches = document.items.get(name).filter(|s| s.len() == items.len());
        let mut ruler = chunk.ruler();
        let mut repairs = repairs.into_iter().peekable();
        for (i, value) in items.iter().enumerate() {
            let stretch = stretches.and_then(|s| s.get(i)).filter(|range| {
                chunk.text.get((*range).clone()).is_some_and(|text| is_whole(text, value))
            });
            let (part, part_end) = match stretch {
                Some(range) => {
                    let part = chunk.part(range.start, range.end, &mut ruler);
                    (part, ruler.end_of(range.end))
                }
                None => (*chunk, end),
            };
            let context = Context { is_item: true, ..Context::default() };
            let is_kept = shared.readings.read_value(value, &context, part.start);
            // A repair is reported with the first item that ends behind it, or else with the last item.
            let mine =
                |f: &Finding| i + 1 == items.len() || f.offset.is_some_and(|at| at < part_end);
            let before = shared.readings.findings.len();
            while let Some(finding) = repairs.next_if(mine) {
                shared.readings.findings.push(finding);
            }
            shared.readings.is_repaired = shared.readings.findings.len() > before;
            if is_kept && stretch.is_none() {
                self.items.insert(self.got.kept, count(i));
            }
            self.keep(is_kept, true, &part, part_end, shared);
        }
    }

    /// A document that cannot be read as a whole. Of a list, the other items are.
    pub(super) fn broken_yaml(
        &mut self,
        chunk: &Chunk<'_>,
        bad: &BadYaml,
        end: u64,
        shared: &mut Shared<'_>,
    ) {
        let mut ruler = chunk.ruler();
        let Some(cut) = cut_of(chunk.text, bad).filter(|_| self.broken_items < MAX_BROKEN) else {
            self.skip(chunk.start, end);
            let place = ruler.place_of(offset(chunk.text, bad));
            let reason = format!("it {}, line {}: {}", bad.problem(), place.line, bad.message);
            self.reason = Some(reason);
            return self.find(
                unreadable(
                    bad,
                    "The document is kept as text. Other documents of the file are read.",
                ),
                place,
            );
        };
        self.broken_items += 1;
        let text = chunk.text;
        let next = bad.item.and_then(|_| next_item(text, cut));
        let head = chunk.part(0, cut, &mut ruler);
        let head_end = ruler.end_of(cut);
        if let Ok(document) = compose(head.text)
            && is_mapping(&document.value)
        {
            self.yaml(&head, &document, head_end, shared);
        }
        // What comes next begins a line of its own.
        let item_end = next.map_or(end, |next| chunk.ruler().end_of(next));
        let item = chunk.part(cut, next.unwrap_or(text.len()), &mut chunk.ruler());
        self.skip(item.start, item_end);
        let place =
            chunk.ruler().place_of(offset(text, bad).max(cut).min(next.unwrap_or(text.len())));
        self.find(unreadable(bad, "This item is skipped. The other items are read."), place);
        let Some(next) = next else { return };
        let mut ruler = chunk.ruler();
        let rest = chunk.part(next, text.len(), &mut ruler);
        let end = ruler.end_of(text.len());
        match compose(rest.text) {
            Ok(document) => self.yaml(&rest, &document, end, shared),
            Err(bad) => self.broken_yaml(&rest, &bad, end, shared),
        }
    }
}

/// Whether what cannot be read begins with a list of objects.
pub(super) fn is_list_of_mappings(text: &str, bad: &BadYaml) -> bool {
    let head = cut_of(text, bad).and_then(|cut| compose(text.get(..cut)?).ok());
    head.is_some_and(|document| match &document.value {
        Value::Array(items) => items.iter().all(Value::is_object),
        value => wrapped(value).is_some(),
    })
}

/// Where the unreadable item of a list begins: the last item that was met, or the one after it. If the
/// error is not in an item but after a list of records, where the unreadable line begins.
fn cut_of(text: &str, bad: &BadYaml) -> Option<usize> {
    let is_readable = |at: &usize| text.get(..*at).is_some_and(|head| compose(head).is_ok());
    if let Some(last) = bad.item {
        return next_item(text, last).filter(is_readable).or(Some(last));
    }
    // The place of an error may be behind the line that is to blame.
    let mut at = offset(text, bad);
    for _ in 0..3 {
        at = text.get(..at)?.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let head = text.get(..at).and_then(|head| compose(head).ok());
        if head.is_some_and(|document| wrapped(&document.value).is_some()) {
            return Some(at);
        }
        at = at.checked_sub(1)?;
    }
    None
}

/// Whether a stretch is read as the same value by itself.
fn is_whole(text: &str, value: &Value) -> bool {
    compose(text).is_ok_and(|document| match &document.value {
        Value::Array(items) => matches!(items.as_slice(), [item] if item == value),
        document => document == value,
    })
}

fn unreadable(bad: &BadYaml, hint: &'static str) -> Finding {
    let message = format!("The text {}: {}.", bad.problem(), bad.message);
    Finding::new(bad.rule, Severity::Error, message).hint(hint)
}

/// What was tolerated in a document, in its order.
pub(super) fn repairs(chunk: &Chunk<'_>, document: &Document) -> Vec<Finding> {
    let mut ruler = chunk.ruler();
    let mut findings = Vec::new();
    if chunk.is_lossy() {
        findings.push(text::lossy(chunk.text, &mut ruler));
    }
    findings.extend(document.repairs.iter().map(|repair| {
        let what = &repair.what;
        let (message, hint) = match repair.rule {
            "yaml/duplicate-key" => (
                format!("Key `{what}` occurs twice. The last value is used."),
                "Write each key once.",
            ),
            "yaml/tag" => {
                (format!("The tag {what} is not supported. It is ignored."), "Remove the tag.")
            }
            _ => (
                format!("{what} is not a JSON number. The value is treated as missing."),
                "Write null, or omit the key.",
            ),
        };
        let finding = Finding::new(repair.rule, Severity::Warning, message).hint(hint);
        place_of(finding, ruler.place_of(repair.at))
    }));
    findings.stable_sort_by_key(|f| f.offset);
    findings
}
