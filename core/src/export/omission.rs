//! Texts that an export leaves out: what tools printed, what the agent was asked to do, and where
//! files lie.

use serde_json::Value;

use super::options::ExportOptions;

/// Members that hold what a tool, a check or a stack printed.
const OUTPUTS: [&str; 4] = ["stdout", "stderr", "output", "stack"];
/// Members that hold what the agent was asked to do.
const PROMPTS: [&str; 3] = ["task", "criteria", "prompt"];
/// Members whose slashes are no folders.
const POINTERS: [&str; 3] = ["pointer", "part", "rule"];
/// What stands for the folders of a path.
const FOLDERS: &str = "\u{2026}";

/// What is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Omission {
    outputs: bool,
    prompts: bool,
    paths: bool,
}

impl Omission {
    pub(super) fn of(options: &ExportOptions) -> Self {
        Self { outputs: !options.outputs, prompts: !options.prompts, paths: !options.paths }
    }

    pub(super) fn is_any(self) -> bool {
        self.outputs || self.prompts || self.paths
    }

    /// A value without it, as JSON.
    pub(super) fn json(self, json: &str) -> String {
        if !self.is_any() {
            return json.to_owned();
        }
        // We wrote this text, so it is always JSON.
        let value: Value = serde_json::from_str(json).unwrap_or_default();
        self.value("", value).to_string()
    }

    /// A text that is not JSON, with its paths shortened: nothing else can be recognized in it.
    pub(super) fn text(self, text: String) -> String {
        if self.paths { without_folders(&text) } else { text }
    }

    fn value(self, name: &str, value: Value) -> Value {
        match value {
            // In answers they are JSON in a text.
            Value::String(text) if name == "params" => {
                Value::String(match serde_json::from_str(&text) {
                    Ok(inner) => self.value("", inner).to_string(),
                    Err(_) => self.text(text),
                })
            }
            Value::String(text) if !POINTERS.contains(&name) => Value::String(self.text(text)),
            Value::Array(items) => {
                let kept = items.into_iter().filter(|item| !self.is_omitted(item));
                kept.map(|item| self.value("", item)).collect()
            }
            Value::Object(members) => {
                let is_kept = |(name, value): &(String, Value)| {
                    !(self.omits(name) && (value.is_string() || value.is_array()))
                };
                let kept = members.into_iter().filter(is_kept);
                let kept = kept.map(|(name, value)| {
                    let value = self.value(&name, value);
                    (name, value)
                });
                Value::Object(kept.collect())
            }
            value => value,
        }
    }

    /// Whether a member of this name is left out, or a text that is called so.
    fn omits(self, name: &str) -> bool {
        let name = name.rsplit('/').next().unwrap_or(name);
        (self.outputs && OUTPUTS.contains(&name)) || (self.prompts && PROMPTS.contains(&name))
    }

    /// Whether an item is a text with a name that is left out.
    fn is_omitted(self, item: &Value) -> bool {
        let text_of = |name| item.get(name).and_then(Value::as_str);
        text_of("text").is_some() && text_of("name").is_some_and(|name| self.omits(name))
    }
}

/// A text whose absolute paths have lost their folders: `…/name` is left of each, and only `…` of
/// one with fewer than three parts, such as a home folder. White space always ends a path.
fn without_folders(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut before) = (text, ' ');
    while let Some(next) = rest.chars().next() {
        let path = if is_border(before) { path_at(rest) } else { None };
        let (own, behind) = rest.split_at(path.as_ref().map_or(next.len_utf8(), |path| path.0));
        match path {
            Some((_, hidden)) => out.push_str(&hidden),
            None => out.push(next),
        }
        before = own.chars().next_back().unwrap_or(next);
        rest = behind;
    }
    out
}

/// Whether a path may begin after this character. After `<` it may not: `</` begins an end tag.
fn is_border(before: char) -> bool {
    before.is_whitespace() || "\"'`([{=,;|>".contains(before)
}

/// The length of the absolute path of at least two parts that a text begins with, and what is
/// left of it.
fn path_at(text: &str) -> Option<(usize, String)> {
    let bytes = text.as_bytes();
    let is_name = |at: usize| {
        bytes
            .get(at)
            .is_some_and(|b| b.is_ascii_alphanumeric() || b"._-@+~".contains(b) || *b > 127)
    };
    let (begin, is_windows) = match bytes {
        [b'/', ..] if is_name(1) => (0, false),
        [b'~', b'/', ..] if is_name(2) => (1, false),
        [b'f', b'i', b'l', b'e', b':', b'/', b'/', ..] => (7, true),
        [b'\\', b'\\', ..] if is_name(2) => (2, true),
        [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic() => (2, true),
        // Markdown marks the colon.
        [drive, b'\\', b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic() => (3, true),
        _ => return None,
    };
    let is_end = |c: char| c.is_whitespace() || "\"'`<>|,;:()[]{}".contains(c);
    let behind = text.get(begin..)?;
    let mut end = behind.find(is_end).unwrap_or(behind.len());
    // A drive behind `file:///`.
    if begin == 7 && behind.get(end..).is_some_and(|rest| rest.starts_with(":/")) {
        let more = behind.get(end + 1..)?;
        end += 1 + more.find(is_end).unwrap_or(more.len());
    }
    let path = behind.get(..end)?.trim_end_matches('.');
    if !is_windows && path.split('/').filter(|part| !part.is_empty()).count() < 2 {
        return None;
    }
    let len = begin + path.len();
    let is_divider = |c: char| c == '/' || (is_windows && c == '\\');
    let parts = text.get(..len)?.split(is_divider).filter(|part| !part.is_empty());
    let hidden = match parts.collect::<Vec<_>>().as_slice() {
        [_, _, .., last] => format!("{FOLDERS}/{last}"),
        _ => FOLDERS.to_owned(),
    };
    Some((len, hidden))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Omission = Omission { outputs: true, prompts: true, paths: true };
    const NONE: Omission = Omission { outputs: false, prompts: false, paths: false };

    #[test]
    fn absolute_paths_lose_their_folders() {
        for (text, hidden) in [
            ("/home/ann/shop/src/a.rs:12:3 failed", "\u{2026}/a.rs:12:3 failed"),
            ("cd /home/ann && make", "cd \u{2026} && make"),
            ("open(\"/srv/x/y z\")", "open(\"\u{2026}/y z\")"),
            ("~/code/shop/a.py", "\u{2026}/a.py"),
            (r"C:\Users\ann\shop\a.cs, line 3", "\u{2026}/a.cs, line 3"),
            (r"\\host\share\a", "\u{2026}/a"),
            ("see file:///C:/Users/ann/a.txt.", "see \u{2026}/a.txt."),
            ("<td>/home/ann/my_a/b</td>", "<td>\u{2026}/b</td>"),
            (r"/home/ann/my\_a/b\_c\.rs", "\u{2026}/b\\_c\\.rs"),
            ("It is in /srv/a/b.", "It is in \u{2026}/b."),
            ("/srv/größe/ü.txt", "\u{2026}/ü.txt"),
        ] {
            assert_eq!(without_folders(text), hidden, "{text}");
        }
        for plain in [
            "src/a.rs",
            "and/or",
            "a /b c",
            "1 / 2",
            "https://example.org/a/b",
            "</div></p>",
            "// a comment /* b */",
            "it's 3/4",
            "",
            "é",
        ] {
            assert_eq!(without_folders(plain), plain);
        }
    }

    #[test]
    fn what_is_left_out_goes_by_name_wherever_it_stands() {
        let json = r#"{"task":"do","criteria":["x"],"actions":[{"params":{"prompt":"p","n":1},"output":"o","success":true}],"checks":[{"tool":"t","stdout":"a","stderr":"b"}],"counters":{"output":3},"texts":[{"name":"a/prompt","text":"p"},{"name":"b","text":"/srv/a/b"}],"pointer":"/a/b/c","text":"1.0","x":1.0}"#;
        assert_eq!(NONE.json(json), json);
        assert_eq!(
            ALL.json(json),
            "{\"actions\":[{\"params\":{\"n\":1},\"success\":true}],\"checks\":[{\"tool\":\"t\"}],\"counters\":{\"output\":3},\"texts\":[{\"name\":\"b\",\"text\":\"\u{2026}/b\"}],\"pointer\":\"/a/b/c\",\"text\":\"1.0\",\"x\":1.0}"
        );
        let outputs = Omission { outputs: true, ..NONE };
        let kept = outputs.json(json);
        assert!(kept.contains(r#""task":"do""#) && kept.contains("/srv/a/b"), "{kept}");
        assert!(!kept.contains("stdout") && !kept.contains(r#""output":"o""#), "{kept}");
    }
}
