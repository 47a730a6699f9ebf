//! Numbers of iterations that are too large to keep (`number/beyond`).

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use super::parsed_record::ParsedRecord;
use super::slot::Slot;
use crate::json::numeric::{self, MOST_INTEGER, is_beyond};
use crate::json::pointer::below;
use crate::json::shape::Table;
use crate::json::value::tolerant;
use crate::model::finding::{Finding, Severity};
use crate::validate::labels::shown;

/// What such a number is, where a record says it.
const NUMBER: &str = "The number of the iteration";

/// The same where only the path says it.
const NUMBER_IN_PATH: &str = "The number of the iteration in the path";

/// The finding about such a number in a record, as it is written there.
pub(crate) fn number_beyond(written: Option<&Value>) -> Finding {
    let found = written.map_or_else(|| "a number beyond that".to_owned(), shown);
    finding(NUMBER, found)
}

/// The same of a record that was read along a table. `text` is the record.
pub(super) fn number_beyond_of(table: &Table<Slot>, text: &str) -> Option<Finding> {
    let (node, _) = (0..).zip(&table.nodes).find(|(_, node)| node.slot == Slot::Number)?;
    let pointer = table.pointer(node, [0; 2]);
    let record = tolerant(text);
    let written = record.as_ref().and_then(|record| record.pointer(&pointer));
    Some(number_beyond(written).pointer(pointer))
}

/// The finding about such a number in a path.
pub(crate) fn number_in_path_beyond(path: &str) -> Finding {
    let is_such = |digits: &&str| numeric::iteration_of_digits(digits).is_some_and(is_beyond);
    let digits = path.rsplit(|c: char| !c.is_ascii_digit()).find(is_such);
    finding(NUMBER_IN_PATH, digits.unwrap_or(path).to_owned())
}

fn finding(what: &str, found: String) -> Finding {
    let message = format!("{what} is beyond ±{MOST_INTEGER}. It is treated as missing.");
    Finding::new("number/beyond", Severity::Warning, message)
        .contrast(format!("from −{MOST_INTEGER} to {MOST_INTEGER}"), found)
        .hint("Programs that read numbers as doubles cannot tell larger ones apart.")
}

/// Takes such numbers from the attempts of a record. `value` is the record.
pub(super) fn refuse(parsed: &mut ParsedRecord, value: &Value) {
    let mut places: Option<BTreeMap<i64, VecDeque<Place<'_>>>> = None;
    for step in parsed.runs.iter_mut().flat_map(|run| &mut run.steps) {
        if let Some(number) = step.number.take_if(|number| is_beyond(*number)) {
            let places = places.get_or_insert_with(|| places_in(value));
            let finding = match places.get_mut(&number).and_then(next) {
                Some((pointer, written)) => number_beyond(Some(written)).pointer(pointer),
                None => number_beyond(None).pointer(String::new()),
            };
            parsed.findings.push(finding);
        }
    }
}

/// The pointer of a number, and how it is written.
type Place<'a> = (String, &'a Value);

/// The first place that is left. The last one stays: several attempts may have their number from there.
fn next<'a>(places: &mut VecDeque<Place<'a>>) -> Option<Place<'a>> {
    if places.len() > 1 { places.pop_front() } else { places.front().cloned() }
}

/// Where numbers stand that are too large, by number, in the order of the text.
fn places_in(value: &Value) -> BTreeMap<i64, VecDeque<Place<'_>>> {
    let mut places = BTreeMap::new();
    collect(value, &mut String::new(), &mut places);
    places
}

/// `pointer` is that of the value.
fn collect<'a>(
    value: &'a Value,
    pointer: &mut String,
    places: &mut BTreeMap<i64, VecDeque<Place<'a>>>,
) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                below(pointer, &at.to_string(), |pointer| collect(item, pointer, places));
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                below(pointer, name, |pointer| collect(value, pointer, places));
            }
        }
        value => {
            if let Some(number) = numeric::iteration(value).filter(|number| is_beyond(*number)) {
                places.entry(number).or_default().push_back((pointer.clone(), value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_number_has_its_place_and_is_said_as_it_is_written() {
        let value = json!({ "a/b": [-9_007_199_254_740_992_i64, 7, "9007199254740993"], "c": 1 });
        let places = places_in(&value);
        let pointers = |number: i64| -> Vec<_> {
            places.get(&number).into_iter().flatten().map(|(at, _)| at.as_str()).collect()
        };
        assert_eq!(places.len(), 2);
        assert_eq!(pointers(-9_007_199_254_740_992), ["/a~1b/0"]);
        let finding = number_beyond(value.pointer("/a~1b/0"));
        assert_eq!(finding.found.as_deref(), Some("-9007199254740992"));
        assert_eq!(finding.expected.as_deref(), Some("from −9007199254740991 to 9007199254740991"));
        let finding = number_in_path_beyond("run-3/iteration-9007199254740993.json");
        assert_eq!(finding.found.as_deref(), Some("9007199254740993"));
    }

    #[test]
    fn equal_numbers_have_their_places_in_order() {
        let value = json!([{ "n": 1e300 }, { "n": 1e300 }]);
        let mut places = places_in(&value);
        let places = places.get_mut(&i64::MAX).expect("both are as large");
        let mut at = || next(places).map(|(pointer, _)| pointer);
        assert_eq!(at().as_deref(), Some("/0/n"));
        assert_eq!(at().as_deref(), Some("/1/n"));
        assert_eq!(at().as_deref(), Some("/1/n"));
    }
}
