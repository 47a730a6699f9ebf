//! Members of a bundle in their order (formats.md, 8.2), and any JSON put into that order.
//!
//! What the tables do not name is kept as it stands, behind what they do. Members at the end of
//! each table, below the line, are our additions to version 1: they are written only where the
//! others would not tell a reader all that we know.

use super::text::{Object, integer, is_nothing, number, quoted};
use super::verbatim::{items, members, unquoted};
use crate::source::pointer::escape;

/// What a member holds.
pub(crate) enum Kind {
    Text,
    Number,
    Flag,
    /// As it stands.
    Any,
    /// Id of a source, of a run.
    Source,
    Run,
    /// What a record was: as it stands, or a text. Left out of lean copies.
    Original,
    OriginalText,
    Object(&'static [Member]),
    List(&'static Kind),
    /// A list with a line for each item.
    Lines(&'static Kind),
    /// Names that people chose.
    Map(&'static Kind),
}

/// A member that is known.
pub(crate) type Member = (&'static str, Kind);

const TEXTS: Kind = Kind::List(&Kind::Text);
const NUMBERS: Kind = Kind::List(&Kind::Number);

/// The document, its three long lists aside.
pub(crate) const HEAD: &[Member] = &[
    ("format", Kind::Text),
    ("version", Kind::Number),
    ("created", Kind::Text),
    ("generator", Kind::Text),
    ("settings", Kind::Object(SETTINGS)),
    ("originals", Kind::Text),
];

const SETTINGS: &[Member] =
    &[("window", Kind::Object(SETTINGS_WINDOW)), ("profile", Kind::Text), ("rules", Kind::Text)];

const SETTINGS_WINDOW: &[Member] = &[
    ("omega", Kind::Number),
    ("policy", Kind::Text),
    ("budget_tokens", Kind::Number),
    ("half_life", Kind::Number),
    ("provenance", Kind::Text),
];

pub(crate) const SOURCE: &[Member] = &[
    ("id", Kind::Source),
    ("name", Kind::Text),
    ("path", Kind::Text),
    ("format", Kind::Text),
    ("framing", Kind::Text),
    ("encoding", Kind::Text),
    ("bytes", Kind::Number),
    ("sha256", Kind::Text),
    ("state", Kind::Text),
    // ---
    ("reason", Kind::Text),
    ("kept", Kind::Number),
    ("repaired", Kind::Number),
    ("skipped", Kind::Number),
];

pub(crate) const FINDING: &[Member] = &[
    ("rule", Kind::Text),
    ("severity", Kind::Text),
    ("source", Kind::Source),
    ("line", Kind::Number),
    ("column", Kind::Number),
    ("offset", Kind::Number),
    ("pointer", Kind::Text),
    ("message", Kind::Text),
    ("hint", Kind::Text),
    ("run", Kind::Run),
    ("iteration", Kind::Number),
    // ---
    ("expected", Kind::Text),
    ("found", Kind::Text),
    ("evidence", NUMBERS),
];

pub(crate) const RUN: &[Member] = &[
    ("id", Kind::Run),
    ("key", Kind::Text),
    ("aliases", TEXTS),
    ("title", Kind::Text),
    ("task", Kind::Text),
    ("criteria", TEXTS),
    ("agent", Kind::Text),
    ("model", Kind::Text),
    ("status", Kind::Text),
    ("outcome", Kind::Object(OUTCOME)),
    ("start", Kind::Text),
    ("start_text", Kind::Text),
    ("end", Kind::Text),
    ("time_text", Kind::Text),
    ("limits", Kind::Object(&[("iterations", Kind::Number), ("minutes", Kind::Number)])),
    ("counter", Kind::Number),
    ("omega", Kind::Object(SOURCED_NUMBER)),
    ("base", Kind::Object(SOURCED_NUMBER)),
    ("lessons", TEXTS),
    ("search", Kind::List(&Kind::Object(REFLECTION))),
    ("declared", Kind::Object(DECLARED)),
    ("reward", Kind::Object(REWARD)),
    ("records", RECORDS),
    ("snapshots", Kind::List(&Kind::Any)),
    ("iterations", Kind::Lines(&Kind::Object(ITERATION))),
    // ---
    ("group", Kind::Text),
    ("group_format", Kind::Text),
    ("format", Kind::Text),
    ("updated", Kind::Text),
    ("counters", COUNTERS),
    ("tags", TEXTS),
    ("related", TEXTS),
    ("texts", NAMED_TEXTS),
];

const SOURCED_NUMBER: &[Member] = &[("value", Kind::Number), ("provenance", Kind::Text)];

const OUTCOME: &[Member] = &[("value", Kind::Text), ("detail", Kind::Text), ("origin", Kind::Text)];

const DECLARED: &[Member] = &[
    ("best", Kind::Number),
    ("selected", Kind::Number),
    ("final", Kind::Number),
    ("trajectory", Kind::Text),
    ("diminishing", Kind::Number),
    ("reason", Kind::Text),
    ("tokens", Kind::Number),
    ("cost_usd", Kind::Number),
    ("ms", Kind::Number),
    // ---
    ("input_tokens", Kind::Number),
    ("output_tokens", Kind::Number),
    ("tool_calls", Kind::Number),
];

const REWARD: &[Member] = &[
    ("value", Kind::Number),
    ("raw", Kind::Text),
    ("scale", Kind::Text),
    ("origin", Kind::Text),
    ("pointer", Kind::Text),
    ("rule", Kind::Text),
];

const RECORDS: Kind = Kind::List(&Kind::Object(RECORD));

const RECORD: &[Member] = &[
    ("id", Kind::Text),
    ("source", Kind::Source),
    ("format", Kind::Text),
    ("line", Kind::Number),
    ("span", NUMBERS),
    ("pointer", Kind::Text),
    ("json", Kind::Original),
    ("text", Kind::OriginalText),
    ("base64", Kind::OriginalText),
    ("ref", Kind::Text),
];

const COUNTERS: Kind = Kind::Map(&Kind::Number);

const NAMED_TEXTS: Kind = Kind::List(&Kind::Object(&[("name", Kind::Text), ("text", Kind::Text)]));

const ITERATION: &[Member] = &[
    ("number", Kind::Number),
    ("ordinal", Kind::Number),
    ("label", Kind::Text),
    ("start", Kind::Text),
    ("start_text", Kind::Text),
    ("end", Kind::Text),
    ("time_text", Kind::Text),
    ("ms", Kind::Number),
    ("outcome", Kind::Object(OUTCOME)),
    ("reward", Kind::Object(REWARD)),
    ("breakdown", COUNTERS),
    ("series", Kind::Map(&Kind::Object(REWARD))),
    ("verification", Kind::Text),
    ("tests", Kind::Object(TESTS)),
    ("coverage", Kind::Number),
    ("counters", COUNTERS),
    ("checks", Kind::List(&Kind::Object(CHECK))),
    ("errors", Kind::List(&Kind::Object(ERROR))),
    ("actions", Kind::List(&Kind::Object(ACTION))),
    ("files", TEXTS),
    ("rationale", Kind::Text),
    ("strategy", Kind::Text),
    ("strategy_next", Kind::Text),
    (
        "steps",
        Kind::List(&Kind::Object(&[("number", Kind::Number), ("reward", Kind::Object(REWARD))])),
    ),
    ("reflections", Kind::List(&Kind::Object(REFLECTION))),
    ("window", Kind::Object(WINDOW)),
    ("stored", Kind::Object(STORED)),
    ("usage", Kind::Object(USAGE)),
    ("notes", TEXTS),
    ("flags", TEXTS),
    ("source", Kind::Text),
    ("records", RECORDS),
    // ---
    ("task", Kind::Text),
    ("retrieved", Kind::List(&Kind::Object(RETRIEVED))),
    ("texts", NAMED_TEXTS),
    ("columns", Kind::Object(COLUMNS)),
];

pub(crate) const TESTS: &[Member] = &[
    ("passed", Kind::Number),
    ("failed", Kind::Number),
    ("partial", Kind::Number),
    ("skipped", Kind::Number),
    ("total", Kind::Number),
];

const CHECK: &[Member] = &[
    ("tool", Kind::Text),
    ("status", Kind::Text),
    ("exit_code", Kind::Number),
    ("stdout", Kind::Text),
    ("stderr", Kind::Text),
    ("ms", Kind::Number),
];

const ERROR: &[Member] = &[
    ("type", Kind::Text),
    ("message", Kind::Text),
    ("file", Kind::Text),
    ("line", Kind::Number),
    ("column", Kind::Number),
    ("severity", Kind::Text),
    ("rule", Kind::Text),
    ("stack", Kind::Text),
];

const ACTION: &[Member] = &[
    ("type", Kind::Text),
    ("description", Kind::Text),
    ("path", Kind::Text),
    ("command", Kind::Text),
    ("tool", Kind::Text),
    ("params", Kind::Any),
    ("diff", Kind::Text),
    ("additions", Kind::Number),
    ("deletions", Kind::Number),
    ("time", Kind::Text),
    ("time_text", Kind::Text),
    ("success", Kind::Flag),
    ("output", Kind::Text),
    ("reasoning", Kind::Text),
    ("expected", Kind::Text),
    // ---
    ("credited", Kind::Flag),
];

const REFLECTION: &[Member] = &[
    ("text", Kind::Text),
    ("kind", Kind::Text),
    ("insights", TEXTS),
    ("lessons", TEXTS),
    ("root_cause", Kind::Text),
    ("category", Kind::Text),
    ("reasoning", Kind::Text),
    ("failing_actions", NUMBERS),
    ("confidence", Kind::Number),
    ("related", NUMBERS),
    ("effectiveness", Kind::Text),
    ("trigger", Kind::Text),
    ("time", Kind::Text),
    ("time_text", Kind::Text),
    // ---
    ("number", Kind::Number),
];

const WINDOW: &[Member] = &[
    ("omega", Kind::Number),
    ("policy", Kind::Text),
    ("after", NUMBERS),
    ("size", Kind::Number),
    ("total", Kind::Number),
    ("injected", NUMBERS),
    ("injected_flag", Kind::Flag),
    // ---
    ("empty", TEXTS),
];

const STORED: &[Member] = &[
    ("reward_change", Kind::Number),
    ("error_count_change", Kind::Number),
    ("is_improvement", Kind::Flag),
];

const USAGE: &[Member] = &[
    ("tokens", Kind::Number),
    ("input_tokens", Kind::Number),
    ("output_tokens", Kind::Number),
    ("tool_calls", Kind::Number),
    ("cost_usd", Kind::Number),
    // ---
    ("ms", Kind::Number),
];

const RETRIEVED: &[Member] = &[
    ("key", Kind::Text),
    ("number", Kind::Number),
    ("text", Kind::Text),
    ("reward", Kind::Number),
    ("similarity", Kind::Number),
];

const COLUMNS: &[Member] = &[
    ("errors", Kind::Any),
    ("omega", Kind::Any),
    ("assumed_omega", Kind::Any),
    ("time_ms", Kind::Any),
];

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
    pub(crate) odd: Vec<(String, &'static str)>,
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
        self.odd.push((self.path.clone(), expected));
        json.to_owned()
    }

    fn value(&mut self, json: &str, kind: &'static Kind) -> String {
        match kind {
            Kind::Any | Kind::Original => json.to_owned(),
            Kind::Text | Kind::OriginalText if json.starts_with('"') => quoted(&unquoted(json)),
            Kind::Text | Kind::OriginalText => self.unlike(json, "a text"),
            Kind::Source => self.id(json, self.source),
            Kind::Run => self.id(json, self.run),
            Kind::Flag if matches!(json, "true" | "false") => json.to_owned(),
            Kind::Flag => self.unlike(json, "true or false"),
            Kind::Number => spelled(json).unwrap_or_else(|| self.unlike(json, "a number")),
            Kind::Object(known) => self.object(json, known),
            Kind::List(kind) => {
                let Some(list) = self.list(json, kind) else { return self.unlike(json, "a list") };
                super::text::list(list)
            }
            Kind::Lines(kind) => {
                let Some(list) = self.list(json, kind) else { return self.unlike(json, "a list") };
                super::text::lines(list)
            }
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

    fn list(&mut self, json: &str, kind: &'static Kind) -> Option<Vec<String>> {
        if !json.starts_with('[') {
            return None;
        }
        let mut list = Vec::new();
        for (index, item) in items(json).into_iter().enumerate() {
            list.push(self.below(&index.to_string(), |pass| pass.value(item, kind)));
        }
        Some(list)
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
    use crate::export::verbatim::compact;

    fn canonical(text: &str, known: &'static [Member]) -> (String, Vec<(String, &'static str)>) {
        let mut pass = Pass::default();
        let json = compact(text, 600).expect("it is JSON");
        (pass.object(&json, known), pass.odd)
    }

    #[test]
    fn members_come_in_order_and_unknown_ones_last() {
        let text = r#"{ "x": [1.0, null], "key": "\u0061", "key": "b\/", "id": "r1", "base": {"value": 1.0, "y": 2.50},
            "aliases": [], "agent": null, "counter": 9007199254740993, "limits": {"iterations": 1e2},
            "records": [{"id": "c1", "json": {"z": 1.0, "a": []}, "line": 3}], "iterations": [{"number": 2}, {"number": 3}] }"#;
        let (json, odd) = canonical(text, RUN);
        assert_eq!(
            json,
            "{\"id\":\"r1\",\"key\":\"b/\",\"limits\":{\"iterations\":100},\"counter\":\"9007199254740993\",\
             \"base\":{\"value\":1,\"y\":2.50},\"records\":[{\"id\":\"c1\",\"line\":3,\"json\":{\"z\":1.0,\"a\":[]}}],\
             \"iterations\":[\n{\"number\":2},\n{\"number\":3}],\"x\":[1.0,null]}"
        );
        assert!(odd.is_empty());
        let again = compact(&json, 600).expect("it is JSON");
        assert_eq!(Pass::default().object(&again, RUN), json);
    }

    #[test]
    fn what_is_odd_stays_and_is_named() {
        let (json, odd) = canonical(r#"{"id":1,"task":["x"],"limits":{"minutes":"soon"}}"#, RUN);
        assert_eq!(json, r#"{"id":1,"task":["x"],"limits":{"minutes":"soon"}}"#);
        assert_eq!(
            odd,
            [
                ("/id".to_owned(), "an id"),
                ("/task".to_owned(), "a text"),
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
