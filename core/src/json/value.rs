//! The value of a text, for formats whose records are read as one.
//!
//! Nearly every text is plain JSON. Its value is built by the strict scan, in one walk; only what the scan
//! does not accept, and what findings need the place of, goes through a [`Tree`].

use serde_json::{Map, Value};

use super::scan::{NotPlain, Scan};
use super::tree::{self, Tree};

/// The value of a text that is plain JSON and in which no name stands twice in one object.
pub(crate) fn plain(text: &str) -> Option<Value> {
    let mut scan = Scan::new(text);
    let value = value(&mut scan, 0).ok()?;
    scan.skip_space();
    (scan.at() == text.len()).then_some(value)
}

/// The value of an object that is plain JSON, its inner objects left empty, except for the members whose names
/// stand where `is_full` says. It tells what the object is by its members, in a part of the time.
pub(crate) fn outline(text: &str, is_full: impl Fn(usize) -> bool) -> Option<Value> {
    let mut scan = Scan::new(text);
    let mut members = Map::new();
    scan.skip_space();
    scan.members(0, |scan, (at, name), depth| {
        scan.skip_space();
        let value = if scan.peek() == Some(b'{') && !is_full(at) {
            scan.skip_value(depth)?;
            Value::Object(Map::new())
        } else {
            value(scan, depth)?
        };
        members.insert(name.decode().into_owned(), value);
        Ok(())
    })
    .ok()?;
    Some(Value::Object(members))
}

/// The value of a text, repaired where it is not plain JSON, and closed where it was cut off.
pub(crate) fn tolerant(text: &str) -> Option<Value> {
    plain(text).or_else(|| Tree::read(text, true).ok().map(|tree| tree.to_value()))
}

fn value(scan: &mut Scan<'_>, depth: usize) -> Result<Value, NotPlain> {
    scan.skip_space();
    Ok(match scan.peek() {
        Some(b'"') => Value::String(scan.text()?.decode().into_owned()),
        Some(b'{') => {
            let mut members = Map::new();
            scan.members(depth, |scan, (_, name), depth| {
                let before = members.insert(name.decode().into_owned(), value(scan, depth)?);
                // The last one wins, and people want to know.
                if before.is_some() { scan.not_plain() } else { Ok(()) }
            })?;
            Value::Object(members)
        }
        Some(b'[') => {
            let mut items = Vec::new();
            scan.items(depth, |scan, depth| {
                items.push(value(scan, depth)?);
                Ok(())
            })?;
            Value::Array(items)
        }
        Some(b'-' | b'0'..=b'9') => tree::number(scan.number()?),
        _ => match scan.word()? {
            "null" => Value::Null,
            word => Value::Bool(word == "true"),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_text_has_the_value_of_its_tree() {
        for text in [
            r#" {"b" : [1, -0, 2.50, 1e400, 9007199254740993, true, false, null, [], {}] , "a":"\u00e9\n\ud83d\ude00"} "#,
            r#"{"\u0061":{"a":{"a":"a"}}}"#,
            "\r\n12\t",
            r#""alone""#,
        ] {
            let tree = Tree::read(text, false).expect("readable");
            assert!(tree.repairs.is_empty(), "{text}");
            let value = plain(text).expect("plain");
            // The text says the order of members and how numbers are held as well.
            assert_eq!(value.to_string(), tree.to_value().to_string(), "{text}");
            assert_eq!(tolerant(text), Some(value));
        }
    }

    #[test]
    fn an_outline_leaves_inner_objects_empty() {
        let text = r#" {"a":{"b":1},"c":{"d":{"e":2}},"f":[{"g":3}],"h":"i"}"#;
        let at = text.find("\"c\"").expect("it is there");
        let value = outline(text, |name| name == at).expect("plain");
        let expected =
            serde_json::json!({"a": {}, "c": {"d": {"e": 2}}, "f": [{"g": 3}], "h": "i"});
        assert_eq!(value, expected);
        assert_eq!(outline("[1]", |_| true), None);
    }

    #[test]
    fn what_needs_a_closer_look_is_left_to_the_tree() {
        let deep = "[".repeat(600) + &"]".repeat(600);
        for odd in [
            r#"{"a":1,"a":2}"#,
            r#"{"a":1,"\u0061":2}"#,
            r#"{"a":NaN}"#,
            "[1,]",
            "[01]",
            "\"a\tb\"",
            r#""\ud800""#,
            "{} {}",
            r#"{"a":"#,
            "\u{feff}{}",
            "{}\u{a0}",
            "",
            &deep,
        ] {
            assert_eq!(plain(odd), None, "{odd}");
        }
        assert_eq!(tolerant("[1,2,"), Some(serde_json::json!([1, 2])));
        assert_eq!(tolerant("["), Some(serde_json::json!([])));
        assert_eq!(tolerant("}"), None);
    }
}
