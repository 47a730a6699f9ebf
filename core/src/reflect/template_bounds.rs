//! What a template may hold, counted before the engine reads it.
//!
//! The engine limits nesting but not chains. Every link of a chain (`1 + 1 + 1`, `a.b.c`, `a|f|g`,
//! `f()()`, `not not a`, `elif`) adds a level to its syntax tree, and it compiles and drops that tree
//! recursively. The stack of wasm overflows after a few thousand levels, and that ends the instance.
//! To count the links, the text is split here as the engine splits it.

use std::str::Chars;

/// Bytes that one text may become.
pub(super) const MAX_LEN: usize = 256 << 20;
/// Longest chain in one expression: operators, attributes, calls, filters and tests count as links.
const MAX_LINKS: usize = 500;
/// Brackets in each other.
const MAX_BRACKETS: usize = 50;
/// `elif` tags of all `if` blocks that are open at one place, added together.
const MAX_BRANCHES: usize = 500;
/// Levels that all `set` tags of a template may add to values.
const MAX_SET: usize = 2_000;

/// What is too much in a template, as a sentence.
pub(super) fn exceeded(text: &str) -> Option<String> {
    let mut ifs: Vec<usize> = Vec::new();
    let mut set = 0_usize;
    for tag in chunks(text).filter_map(|chunk| chunk.tag) {
        if let Some(why) = tag.exceeded() {
            return Some(why);
        }
        match tag.word {
            "if" => ifs.push(0),
            "endif" => {
                ifs.pop();
            }
            "elif" => {
                if let Some(own) = ifs.last_mut() {
                    *own += 1;
                }
                if ifs.iter().sum::<usize>() > MAX_BRANCHES {
                    return Some(format!("more than {MAX_BRANCHES} `elif` in a row"));
                }
            }
            "set" => {
                set += tag.links;
                if set > MAX_SET {
                    let why = "`set` tags with more than";
                    return Some(format!("{why} {MAX_SET} operators in total"));
                }
            }
            _ => {}
        }
    }
    None
}

/// A part of a template as the engine cuts it: text, a comment, a block that is raw, or a tag.
pub(super) struct TemplateChunk<'a> {
    pub(super) text: &'a str,
    tag: Option<Tag<'a>>,
}

/// All of a text.
pub(super) fn chunks(text: &str) -> impl Iterator<Item = TemplateChunk<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let chunk = (!rest.is_empty()).then(|| TemplateChunk::first(rest))?;
        rest = rest.get(chunk.text.len()..).unwrap_or_default();
        Some(chunk)
    })
}

impl<'a> TemplateChunk<'a> {
    fn first(text: &'a str) -> Self {
        let mut tag = None;
        let behind = if let Some(inner) = text.strip_prefix("{#") {
            inner.split_once("#}").map_or("", |(_, behind)| behind)
        } else if let Some(inner) = text.strip_prefix("{{") {
            tag.insert(Tag { word: "", ..Tag::read(inner, "}}") }).rest
        } else if let Some(inner) = text.strip_prefix("{%") {
            let inner = inner.strip_prefix(['-', '+']).unwrap_or(inner);
            match basic(inner, "raw") {
                Some(raw) => behind_raw(raw),
                None => tag.insert(Tag::read(inner, "%}")).rest,
            }
        } else {
            let other = text.strip_prefix('{').unwrap_or(text);
            other.find('{').and_then(|at| other.get(at..)).unwrap_or_default()
        };
        let text = text.get(..text.len() - behind.len()).unwrap_or_default();
        Self { text, tag }
    }

    /// Whether it is a statement of this name.
    pub(super) fn is(&self, word: &str) -> bool {
        self.tag.as_ref().is_some_and(|tag| tag.word == word)
    }
}

/// What follows a tag that consists only of this name.
fn basic<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let space = |text: &'a str| text.trim_start_matches(|c: char| c.is_ascii_whitespace());
    let rest = space(space(tag).strip_prefix(name)?);
    rest.strip_prefix(['-', '+']).unwrap_or(rest).strip_prefix("%}")
}

fn behind_raw(mut raw: &str) -> &str {
    while let Some((_, tag)) = raw.split_once("{%") {
        if let Some(rest) = basic(tag.strip_prefix(['-', '+']).unwrap_or(tag), "endraw") {
            return rest;
        }
        raw = tag;
    }
    ""
}

/// An expression or a statement.
struct Tag<'a> {
    /// The first word of a statement.
    word: &'a str,
    /// Links in one expression, at most.
    links: usize,
    /// Brackets in each other, at most.
    brackets: usize,
    rest: &'a str,
}

/// What is inside one pair of brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Links since the last comma.
    links: usize,
    /// The longest chain in brackets since then, on which these links may stand.
    inner: usize,
    /// The longest chain before.
    before: usize,
}

impl Level {
    fn links(self) -> usize {
        self.before.max(self.links + self.inner)
    }
}

impl<'a> Tag<'a> {
    fn read(text: &'a str, end: &str) -> Self {
        let mut tag = Self { word: "", links: 0, brackets: 0, rest: "" };
        let mut level = Level::default();
        let mut outer: Vec<Level> = Vec::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if outer.is_empty() && rest.starts_with(end) {
                tag.rest = rest.get(end.len()..).unwrap_or_default();
                break;
            }
            let len = match c {
                '"' | '\'' => text_len(rest.chars(), c),
                _ if is_word(c) => {
                    let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                    let word = rest.get(..len).unwrap_or_default();
                    let is_operator =
                        matches!(word, "and" | "or" | "not" | "in" | "is" | "if" | "else");
                    level.links += usize::from(is_operator);
                    if tag.word.is_empty() {
                        tag.word = word;
                    }
                    len
                }
                '(' | '[' | '{' => {
                    level.links += 1;
                    outer.push(std::mem::take(&mut level));
                    tag.brackets = tag.brackets.max(outer.len());
                    1
                }
                ')' | ']' | '}' if !outer.is_empty() => {
                    let inner = level.links();
                    level = outer.pop().unwrap_or_default();
                    level.inner = level.inner.max(inner);
                    1
                }
                ',' => {
                    level = Level { before: level.links(), ..Level::default() };
                    1
                }
                _ => {
                    level.links += usize::from(!c.is_whitespace());
                    c.len_utf8()
                }
            };
            rest = rest.get(len..).unwrap_or_default();
        }
        // Brackets that are still open count as if they were closed here.
        outer.push(level);
        tag.links = outer
            .into_iter()
            .rev()
            .fold(0, |inner, level| level.before.max(level.links + level.inner.max(inner)));
        tag
    }

    fn exceeded(&self) -> Option<String> {
        if self.links > MAX_LINKS {
            return Some(format!("more than {MAX_LINKS} operators in one expression"));
        }
        let is_deep = self.brackets > MAX_BRACKETS;
        is_deep.then(|| format!("more than {MAX_BRACKETS} nested brackets"))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Bytes of a text in quotes.
fn text_len(chars: Chars<'_>, quote: char) -> usize {
    let mut is_escaped = false;
    let mut len = 0;
    for (at, c) in chars.enumerate() {
        len += c.len_utf8();
        match c {
            _ if at == 0 => {}
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => break,
            _ => {}
        }
    }
    len
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::super::template::render;
    use super::*;

    /// Each way to chain, of so many links.
    fn forms(count: usize) -> Vec<(&'static str, String)> {
        let chain = |first: &str, link: &str| format!("{{{{ {first}{} }}}}", link.repeat(count));
        vec![
            ("+", chain("1", "+1")),
            ("~", chain("1", " ~ 1")),
            ("*", chain("1", "*1")),
            ("**", chain("1", "**1")),
            ("<", chain("1", " < 1")),
            ("and", chain("1", " and 1")),
            ("in", chain("1", " in [1]")),
            ("is", chain("1", " is number")),
            ("not", format!("{{{{ {}1 }}}}", "not ".repeat(count))),
            ("-", format!("{{{{ {}1 }}}}", "-".repeat(count))),
            ("if", chain("1", " if 1 else 1")),
            ("()", chain("a", "()")),
            ("[]", chain("a", "[0]")),
            (".b", chain("a", ".b")),
            (".1", chain("a", ".1")),
            ("|", chain("a", "|upper")),
            ("elif", format!("{{% if a %}}{}{{% endif %}}", "{% elif a %}".repeat(count))),
            ("for", format!("{{% for x in 1{} %}}{{% endfor %}}", "+1".repeat(count))),
            ("filter", format!("{{% filter upper{} %}}{{% endfilter %}}", "|upper".repeat(count))),
            ("set", format!("{{% set a = 1{} %}}", "+1".repeat(count))),
            ("in brackets", format!("{{{{ [[1{}]] }}}}", "+1".repeat(count))),
            ("on brackets", {
                let half = "+1".repeat(count / 2 + 1);
                format!("{{{{ (1{half}){half} }}}}")
            }),
            ("after a comma", format!("{{{{ [1, 1{}] }}}}", "+1".repeat(count))),
            ("after a text", format!("{{{{ '}}}}\\'' ~ 1{} }}}}", "+1".repeat(count))),
            ("after raw", format!("{{% raw %}}{{{{ {{% endraw %}}{}", chain("1", "+1"))),
            ("after an object", format!("{{{{ {{'a': {{}}}}{} }}}}", "+1".repeat(count))),
        ]
    }

    fn code_of(template: &str) -> Option<&'static str> {
        let state = Map::from_iter([("a".to_owned(), json!("x"))]);
        render(template, &state).err().map(|error| error.code().as_str())
    }

    #[test]
    fn every_chain_has_an_end() {
        for count in [501, 6_000, 200_000] {
            for (name, template) in forms(count) {
                assert!(exceeded(&template).is_some(), "{name} {count}");
            }
        }
        let sets = "{% set a = [[a]] %}".repeat(30_000);
        assert!(exceeded(&sets).is_some());
        let deep = format!("{{{{ {}{} }}}}", "[".repeat(51), "]".repeat(51));
        assert!(exceeded(&deep).is_some());
        assert_eq!(code_of(&sets), Some("config_template"));
        for (name, template) in forms(10_000) {
            assert_eq!(code_of(&template), Some("config_template"), "{name}");
        }
    }

    #[test]
    fn what_people_write_is_let_through() {
        let list = format!("{{{{ [{}]|length }}}}", "a.b + 1, ".repeat(5_000));
        let many =
            "{% if a %}{{ a|upper ~ 1 }}{% elif b %}{% endif %}{% set c = a.b %}".repeat(600);
        let raw = format!("{{% raw %}}{{{{ {} }}}}{{% endraw %}}", "+1".repeat(9_000));
        let comment = format!("{{# {} #}}", "+1".repeat(9_000));
        let plain = format!("{{{{ a }}}} {{ {} }}", "+1".repeat(9_000));
        let quoted = format!("{{{{ '{}' }}}}", "+1".repeat(9_000));
        for template in [list, many, raw, comment, plain, quoted] {
            assert_eq!(exceeded(&template), None, "{}", template.get(..60).unwrap_or_default());
        }
    }
}
