//! The start tags of an HTML page as a browser reads them, and where each stands.

use html5gum::{DefaultEmitter, Token, Tokenizer};

/// A start tag with its attributes.
#[derive(Debug)]
pub(super) struct Tag {
    /// The name in lower case.
    pub(super) name: String,
    /// Names in lower case, each once, and values with their entities decoded.
    attributes: Vec<(String, String)>,
    /// Where the tag's `<` is.
    pub(super) start: usize,
    /// Just behind the tag's `>`.
    pub(super) end: usize,
    /// Where the `</` of a script begins; equal to `end` for other tags.
    pub(super) body_end: usize,
}

impl Tag {
    /// All attributes, sorted by name.
    pub(super) fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of an attribute, empty if it has none.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes().find(|(candidate, _)| *candidate == name).map(|(_, value)| value)
    }
}

/// All start tags of the page, in order.
pub(super) fn tags(html: &str) -> Vec<Tag> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    // What stands in a script is no tag.
    emitter.naively_switch_states(true);
    let mut tags: Vec<Tag> = Vec::new();
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) => tags.push(Tag {
                name: text(&tag.name),
                attributes: tag
                    .attributes
                    .iter()
                    .map(|(name, value)| (text(name), text(value)))
                    .collect(),
                start: tag.span.start,
                end: tag.span.end,
                body_end: if &**tag.name == b"script" { html.len() } else { tag.span.end },
            }),
            Token::EndTag(tag) if &**tag.name == b"script" => {
                if let Some(script) = tags.last_mut().filter(|tag| tag.name == "script") {
                    script.body_end = tag.span.start;
                }
            }
            _ => {}
        }
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_text() {
        let html = "<!doctype html><!-- <b> -->\u{e4}<P a='1 > 0' C=d>&amp;<script>if (1 <c) '<d>'</SCRIPT><e>";
        let tags = tags(html);
        let shown: Vec<(&str, &str, &str)> = tags
            .iter()
            .map(|tag| (tag.name.as_str(), &html[tag.start..tag.end], &html[tag.end..tag.body_end]))
            .collect();
        assert_eq!(
            shown,
            [
                ("p", "<P a='1 > 0' C=d>", ""),
                ("script", "<script>", "if (1 <c) '<d>'"),
                ("e", "<e>", "")
            ]
        );
        assert_eq!(tags[0].attributes().collect::<Vec<_>>(), [("a", "1 > 0"), ("c", "d")]);
        assert_eq!(tags[0].attribute("b"), None);
    }

    #[test]
    fn a_script_without_an_end_goes_on_to_the_end_of_the_page() {
        let html = "<script>a <b>";
        assert_eq!(tags(html).iter().map(|tag| tag.body_end).collect::<Vec<_>>(), [html.len()]);
    }
}
