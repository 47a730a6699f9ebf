//! Documents that are written again: unchanged values keep the spelling that they had in the file.
//!
//! A [`Value`] keeps neither the digits of a number that no double holds nor the escapes of a text. So
//! whatever a call leaves alone is copied from the file, and only what it changes is spelled here.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use super::Record;
use crate::json::tree::{Kind, Node, Tree};

/// Members by which an item of a list is known again when it has changed.
const IDENTITY: [&str; 3] = ["attempt_id", "id", "iteration"];

/// A record as the text of a document, two columns a level. `stored` is what `text` holds, which may be
/// damaged; a new document has none.
pub(super) fn document(record: &Record, stored: &Record, text: &str) -> String {
    let tree = Tree::read(text, true).ok();
    let is_whole = tree.as_ref().is_some_and(Tree::is_json);
    let mut speller = Speller { text, is_whole, out: String::with_capacity(text.len()) };
    speller.object(record, tree.as_ref().map(|tree| (stored, &tree.root)), 0);
    speller.out.push('\n');
    speller.out
}

/// A value as it was, and where it stands.
#[derive(Clone, Copy)]
struct Was<'a> {
    value: &'a Value,
    node: &'a Node,
}

/// A member as it was, and its name as it is spelled.
struct Member<'a> {
    name: Option<&'a str>,
    was: Was<'a>,
    /// Earlier members of the same name, as names and values: they do not count, but are kept.
    before: Vec<(&'a str, &'a str)>,
}

/// Items of lists, by what they are known by.
type Known<'a> = BTreeMap<String, VecDeque<Was<'a>>>;

struct Speller<'a> {
    text: &'a str,
    /// Whether every piece of the text is JSON.
    is_whole: bool,
    out: String,
}

impl<'a> Speller<'a> {
    /// `pool` has the items of lists beside this value: one of them may have moved here.
    fn value(&mut self, value: &Value, was: Option<Was<'a>>, pool: &Known<'a>, depth: usize) {
        let kept = was.filter(|was| was.value == value);
        if let Some(piece) = kept.and_then(|was| self.piece(was.node.start, was.node.end)) {
            self.out.push_str(piece);
            return;
        }
        match (value, was.map(|was| (was.value, was.node))) {
            (Value::Object(members), Some((Value::Object(stored), node))) => {
                self.object(members, Some((stored, node)), depth);
            }
            (Value::Object(members), _) => self.object(members, None, depth),
            (Value::Array(items), was) => {
                let was = match was {
                    Some((Value::Array(stored), Node { kind: Kind::List(nodes), .. })) => {
                        stored.iter().zip(nodes).map(|(value, node)| Was { value, node }).collect()
                    }
                    _ => Vec::new(),
                };
                self.list(items, &was, pool, depth);
            }
            _ => self.out.push_str(&value.to_string()),
        }
    }

    fn object(&mut self, members: &Record, was: Option<(&'a Record, &'a Node)>, depth: usize) {
        let was = was.map(|(stored, node)| self.members(stored, node)).unwrap_or_default();
        let pool = pool(&was);
        self.out.push('{');
        let mut written = 0;
        for (name, value) in members {
            let member = was.get(name.as_str());
            for (name, piece) in member.map_or(&[][..], |member| &member.before) {
                self.next(written, depth + 1);
                written += 1;
                self.out.extend([name, ": ", piece]);
            }
            self.next(written, depth + 1);
            written += 1;
            match member.and_then(|member| member.name) {
                Some(name) => self.out.push_str(name),
                None => self.out.push_str(&Value::from(name.as_str()).to_string()),
            }
            self.out.push_str(": ");
            self.value(value, member.map(|member| member.was), &pool, depth + 1);
        }
        self.close('}', members.len(), depth);
    }

    fn list(&mut self, items: &[Value], was: &[Was<'a>], pool: &Known<'a>, depth: usize) {
        let is_same = |(item, was): &(&Value, &Was<'_>)| was.value == *item;
        let head = items.iter().zip(was).take_while(is_same).count();
        let (rest, left) = (&items[head..], &was[head..]);
        let tail = rest.iter().rev().zip(left.iter().rev()).take_while(is_same).count();
        let (changed, between) = (rest.len() - tail, &left[..left.len() - tail]);
        let mut known = Known::new();
        for was in between {
            known.entry(identity(was.value)).or_default().push_back(*was);
        }
        self.out.push('[');
        for (at, item) in items.iter().enumerate() {
            self.next(at, depth + 1);
            let was = if at < head {
                was.get(at).copied()
            } else if at < head + changed {
                let id = identity(item);
                known.get_mut(&id).and_then(VecDeque::pop_front).or_else(|| {
                    let moved = pool.get(&id).into_iter().flatten();
                    moved.copied().find(|was| was.value == item)
                })
            } else {
                was.get(at + was.len() - items.len()).copied()
            };
            self.value(item, was, &Known::new(), depth + 1);
        }
        self.close(']', items.len(), depth);
    }

    /// The members of an object; of two of one name the last counts.
    fn members(&self, stored: &'a Record, node: &'a Node) -> BTreeMap<&'a str, Member<'a>> {
        let Kind::Object(all) = &node.kind else { return BTreeMap::new() };
        let mut members = BTreeMap::new();
        let mut end = node.start;
        for (name, node) in all {
            let between = self.text.get(end..node.start).unwrap_or_default();
            let quotes = between.find('"').zip(between.rfind('"'));
            let spelled = quotes.and_then(|(from, to)| self.piece(end + from, end + to + 1));
            end = node.end;
            if let Some(value) = stored.get(name) {
                let before =
                    members.remove(name.as_str()).map_or_else(Vec::new, |one| self.first(one));
                let was = Was { value, node };
                members.insert(name.as_str(), Member { name: spelled, was, before });
            }
        }
        members
    }

    /// [`Member::before`] for the next member of the same name: this one, and those before it.
    fn first(&self, Member { name, was, mut before }: Member<'a>) -> Vec<(&'a str, &'a str)> {
        before.extend(name.zip(self.piece(was.node.start, was.node.end)));
        before
    }

    /// A piece of the text, if it is JSON.
    fn piece(&self, start: usize, end: usize) -> Option<&'a str> {
        let piece = self.text.get(start..end)?;
        let is_json = || Tree::read(piece, false).is_ok_and(|tree| tree.is_json());
        (self.is_whole || is_json()).then_some(piece)
    }

    /// Goes to the line of the next member or item.
    fn next(&mut self, at: usize, depth: usize) {
        if at > 0 {
            self.out.push(',');
        }
        self.line(depth);
    }

    fn close(&mut self, bracket: char, len: usize, depth: usize) {
        if len > 0 {
            self.line(depth);
        }
        self.out.push(bracket);
    }

    fn line(&mut self, depth: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", depth));
    }
}

/// The items of all lists among the members, except texts.
fn pool<'a>(members: &BTreeMap<&str, Member<'a>>) -> Known<'a> {
    let mut pool = Known::new();
    for Member { was, .. } in members.values() {
        let (Value::Array(items), Kind::List(nodes)) = (was.value, &was.node.kind) else {
            continue;
        };
        for (value, node) in items.iter().zip(nodes).filter(|(value, _)| !value.is_string()) {
            pool.entry(identity(value)).or_default().push_back(Was { value, node });
        }
    }
    pool
}

/// What an item of a list is known by.
fn identity(item: &Value) -> String {
    let member = IDENTITY.iter().find_map(|name| Some((name, item.get(name)?)));
    member.map_or_else(|| item.to_string(), |(name, value)| format!("{name} {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What becomes of a text when its record is changed.
    fn spelled(text: &str, change: impl FnOnce(&mut Value)) -> String {
        let stored: Value = serde_json::from_str(text).expect("it is JSON");
        let mut value = stored.clone();
        change(&mut value);
        let of = |value: &Value| value.as_object().expect("an object").clone();
        document(&of(&value), &of(&stored), text)
    }

    #[test]
    fn a_new_document_is_spelled_as_serde_json_does() {
        let value = json!({"a": [], "b": {}, "c": [1, "é\n", {"d": [null, 0.5]}], "\"": true});
        let record = value.as_object().expect("an object");
        let pretty = serde_json::to_string_pretty(&value).expect("plain data");
        assert_eq!(document(record, &Record::new(), ""), format!("{pretty}\n"));
        assert_eq!(spelled(&pretty, |_| ()), format!("{pretty}\n"));
    }

    #[test]
    fn what_did_not_change_stands_as_it_stood() {
        let text = r#"{"n":18446744073709551617,"caf\u00e9" : 1.0,"id":1, "own": {"e" :1e2,"e":[ 0.10 ]},
            "deep":{"x":1.50,"y":1}}"#;
        let written = spelled(text, |value| {
            value["id"] = json!(2);
            value["deep"]["y"] = json!(2);
        });
        assert_eq!(
            written,
            "{\n  \"n\": 18446744073709551617,\n  \"caf\\u00e9\": 1.0,\n  \"id\": 2,\n  \
             \"own\": {\"e\" :1e2,\"e\":[ 0.10 ]},\n  \"deep\": {\n    \"x\": 1.50,\n    \"y\": 2\n  }\n}\n"
        );
    }

    #[test]
    fn members_of_one_name_all_stay() {
        let text = r#"{"a":1.0,"id":1,"a":2.0,"b":[],"a":3.0}"#;
        let compact = |change: fn(&mut Value)| -> String {
            spelled(text, change).split_whitespace().collect()
        };
        assert_eq!(
            compact(|value| value["id"] = json!(2)),
            r#"{"a":1.0,"a":2.0,"a":3.0,"id":2,"b":[]}"#
        );
        assert_eq!(
            compact(|value| value["a"] = json!(4)),
            r#"{"a":1.0,"a":2.0,"a":4,"id":1,"b":[]}"#
        );
        let gone = compact(|value| drop(value.as_object_mut().map(|all| all.shift_remove("a"))));
        assert_eq!(gone, r#"{"id":1,"b":[]}"#);
    }

    #[test]
    fn items_are_known_again_when_they_change_or_move() {
        let text = r#"{"attempts": [{"attempt_id":1,"cost":1.00},{"attempt_id":3,"cost":3.00},[1e0]],
            "running": ["a", {"id":"t","n":1E2}]}"#;
        let written = spelled(text, |value| {
            value["attempts"][1]["outcome"] = json!("failure");
            value["attempts"][0]["outcome"] = json!("success");
            let rows = value["attempts"].as_array_mut().expect("a list");
            rows.insert(1, json!({"attempt_id": 2, "cost": 1.0}));
            let moved = value["running"].as_array_mut().expect("a list").remove(1);
            value["failed"] = json!([moved]);
        });
        let compact: String = written.split_whitespace().collect();
        assert_eq!(
            compact,
            r#"{"attempts":[{"attempt_id":1,"cost":1.00,"outcome":"success"},{"attempt_id":2,"cost":1.0},{"attempt_id":3,"cost":3.00,"outcome":"failure"},[1e0]],"running":["a"],"failed":[{"id":"t","n":1E2}]}"#
        );
    }

    #[test]
    fn of_a_damaged_text_only_whole_pieces_are_taken() {
        let text = r#"{"a":1.0,"b":[1.0,],"c":{"d":1e1,"e":["#;
        let stored = Tree::read(text, true).expect("something").to_value();
        let stored = stored.as_object().expect("an object");
        let written = document(stored, stored, text);
        let compact: String = written.split_whitespace().collect();
        assert_eq!(compact, r#"{"a":1.0,"b":[1.0],"c":{"d":1e1,"e":[]}}"#);
    }
}
