//! Any JSON, put into the order of a table.

use super::sort::{Kind, Member};
use crate::json::pointer::escape;
use crate::json::verbatim::{items, members, unquoted};
use crate::json::write::{Object, integer, is_nothing, lines, list, number, quoted};

/// New ids for old ones.
pub(crate) type Rename<'a> = &'a dyn Fn(&str) -> Option<String>;

/// One way through a value.
#[derive(Default)]
pub(crate) struct Pass<'a> {
    /// Originals are left out.
    pub(crate) is_lean: bool,
    pub(crate) source: Option<Rename<'a>>,
    pub(crate) run: Option<Rename<'a>>,
    /// Members that are not what they should be: their pointers, and what is expected there.
    pub(crate) unexpected: Vec<(String, &'static str)>,
    pub(crate) path: String,
}

impl Pass<'_> {
    /// A compact value in the order of a table.
    pub(crate) fn object(&mut self, json: &str, known: &'static [Member]) -> String {
        if !json.starts_with('{') {
            return self.unlike(json, "an object");
        }
        let mut given = members(json);
        let mut object = Object::new();
        for (name, kind) in known {
            // Of several members of one name the last one counts.
            let Some(at) = given.iter().rposition(|(n, _)| n == name) else { continue };
            let (_, value) = given[at];
            given.retain(|(n, _)| n != name);
            let is_left_out = self.is_lean && matches!(kind, Kind::Original | Kind::OriginalText);
            if is_left_out || value == "null" {
                continue;
            }
            let value = self.below(name, |pass| pass.value(value, kind));
            match kind {
                Kind::Original => object.verbatim(&quoted(name), &value),
                _ => drop(object.json(name, &value)),
            }
        }
        for (name, value) in given {
            object.verbatim(&quoted(&name), value);
        }
        object.end()
    }

    fn below<T>(&mut self, name: &str, inner: impl FnOnce(&mut Self) -> T) -> T {
        let len = self.path.len();
        self.path.push('/');
        self.path.push_str(&escape(name));
        let value = inner(self);
        self.path.truncate(len);
        value
    }

    fn unlike(&mut self, json: &str, expected: &'static str) -> String {
        self.unexpected.push((self.path.clone(), expected));
        json.to_owned()
    }

    fn value(&mut self, json: &str, kind: &'static Kind) -> String {
        match kind {
            Kind::Any | Kind::Original => json.to_owned(),
            Kind::Text | Kind::OriginalText if json.starts_with('"') => quoted(&unquoted(json)),
            Kind::Text | Kind::OriginalText => self.unlike(json, "a string"),
            Kind::Source => self.id(json, self.source),
            Kind::Run => self.id(json, self.run),
            Kind::Flag if matches!(json, "true" | "false") => json.to_owned(),
            Kind::Flag => self.unlike(json, "a boolean"),
            Kind::Number => spelled(json).unwrap_or_else(|| self.unlike(json, "a number")),
            Kind::Object(known) => self.object(json, known),
            Kind::List(kind) => self.list(json, kind, list),
            Kind::Lines(kind) => self.list(json, kind, lines),
            Kind::Map(kind) => {
                if !json.starts_with('{') {
                    return self.unlike(json, "an object");
                }
                let mut object = Object::new();
                for (name, value) in members(json) {
                    let value = self.below(&name, |pass| pass.value(value, kind));
                    if !is_nothing(&value) {
                        object.verbatim(&quoted(&name), &value);
                    }
                }
                object.end()
            }
        }
    }

    fn list(
        &mut self,
        json: &str,
        kind: &'static Kind,
        written: impl FnOnce(Vec<String>) -> String,
    ) -> String {
        if !json.starts_with('[') {
            return self.unlike(json, "an array");
        }
        let item = |(index, item): (usize, &str)| {
            self.below(&index.to_string(), |pass| pass.value(item, kind))
        };
        written(items(json).into_iter().enumerate().map(item).collect())
    }

    fn id(&mut self, json: &str, rename: Option<Rename<'_>>) -> String {
        if !json.starts_with('"') {
            return self.unlike(json, "an id");
        }
        let id = unquoted(json);
        let renamed = rename.and_then(|rename| rename(&id));
        quoted(renamed.as_deref().unwrap_or(&id))
    }
}

/// A number as we spell it; a text that is an integer beyond what doubles hold stays one.
fn spelled(json: &str) -> Option<String> {
    if json.starts_with('"') {
        return Some(integer(unquoted(json).parse().ok()?));
    }
    if let Ok(n) = json.parse::<i64>() {
        return Some(integer(n));
    }
    let x: f64 = json.parse().ok()?;
    number(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::hindscope_bundle::sort::RUN;
    use crate::json::verbatim::compact;

    fn canonical(text: &str, known: &'static [Member]) -> (String, Vec<(String, &'static str)>) {
        let mut pass = Pass::default();
        let json = compact(text, 600).expect("it is JSON");
        (pass.object(&json, known), pass.unexpected)
    }

    #[test]
    fn members_come_in_order_and_unknown_ones_last() {
        let text = r#"{ "x": [1.0, null], "key": "\u0061", "key": "b\/", "id": "r1", "base": {"value": 1.0, "y": 2.50},
            "aliases": [], "agent": null, "counter": 9007199254740993, "limits": {"iterations": 1e2},
            "records": [{"id": "c1", "json": {"z": 1.0, "a": []}, "line": 3}], "iterations": [{"number": 2}, {"number": 3}] }"#;
        let (json, unexpected) = canonical(text, RUN);
        assert_eq!(
            json,
            "{\"id\":\"r1\",\"key\":\"b/\",\"limits\":{\"iterations\":100},\"counter\":\"9007199254740993\",\
             \"base\":{\"value\":1,\"y\":2.50},\"records\":[{\"id\":\"c1\",\"line\":3,\"json\":{\"z\":1.0,\"a\":[]}}],\
             \"iterations\":[\n{\"number\":2},\n{\"number\":3}],\"x\":[1.0,null]}"
        );
        assert!(unexpected.is_empty());
        let again = compact(&json, 600).expect("it is JSON");
        assert_eq!(Pass::default().object(&again, RUN), json);
    }

    #[test]
    fn what_is_unexpected_stays_and_is_named() {
        let (json, unexpected) =
            canonical(r#"{"id":1,"task":["x"],"limits":{"minutes":"soon"}}"#, RUN);
        assert_eq!(json, r#"{"id":1,"task":["x"],"limits":{"minutes":"soon"}}"#);
        assert_eq!(
            unexpected,
            [
                ("/id".to_owned(), "an id"),
                ("/task".to_owned(), "a string"),
                ("/limits/minutes".to_owned(), "a number")
            ]
        );
    }

    #[test]
    fn ids_are_renamed_and_originals_left_out() {
        let text = r#"{"id":"r1","records":[{"id":"c1","source":"s1","json":null},{"source":"s2","text":"x"}]}"#;
        let source = |id: &str| (id == "s1").then(|| "s9".to_owned());
        let mut pass = Pass { is_lean: true, source: Some(&source), ..Pass::default() };
        assert_eq!(
            pass.object(text, RUN),
            r#"{"id":"r1","records":[{"id":"c1","source":"s9"},{"source":"s2"}]}"#
        );
    }
}
