//! Finds tags in an HTML page: enough to judge scripts and the policy, no more.
//!
//! Comments are skipped, and so is what stands between `<script>` and `</script>`, as a browser
//! would. Entities in attributes are not decoded.

/// A start tag with its attributes.
#[derive(Debug)]
pub(super) struct Tag<'html> {
    /// The name in lower case.
    pub(super) name: String,
    /// Names in lower case, and values without their quotes.
    pub(super) attributes: Vec<(String, &'html str)>,
    /// Where the tag's `<` is.
    pub(super) start: usize,
    /// Just behind the tag's `>`.
    pub(super) end: usize,
    /// Where the `</` of a script begins; equal to `end` for other tags.
    pub(super) body_end: usize,
}

impl Tag<'_> {
    /// The value of an attribute, empty if it has none.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(candidate, _)| candidate == name).map(|(_, value)| *value)
    }
}

/// All start tags of the page, in order.
pub(super) fn tags(html: &str) -> Tags<'_> {
    Tags { html, at: 0 }
}

/// See [`tags`].
pub(super) struct Tags<'html> {
    html: &'html str,
    at: usize,
}

impl<'html> Iterator for Tags<'html> {
    type Item = Tag<'html>;

    fn next(&mut self) -> Option<Tag<'html>> {
        loop {
            let start = self.at + self.html[self.at..].find('<')?;
            let rest = &self.html[start + 1..];
            if let Some(comment) = rest.strip_prefix("!--") {
                self.at = self.html.len() - comment.len() + comment.find("-->")? + 3;
                continue;
            }
            if !rest.starts_with(|first: char| first.is_ascii_alphabetic()) {
                self.at = start + 1;
                continue;
            }
            let mut tag = read_tag(self.html, start)?;
            if tag.name == "script" {
                let lower = self.html[tag.end..].to_ascii_lowercase();
                tag.body_end = tag.end + lower.find("</script").unwrap_or(lower.len());
            }
            self.at = tag.body_end;
            return Some(tag);
        }
    }
}

/// Reads the start tag at `start`, or nothing if it never ends.
fn read_tag(html: &str, start: usize) -> Option<Tag<'_>> {
    let is_space = |c: char| c.is_ascii_whitespace() || c == '/';
    let name_end = start + html[start..].find(|c: char| is_space(c) || c == '>')?;
    let mut attributes = Vec::new();
    let mut at = name_end;
    loop {
        at += html[at..].find(|c| !is_space(c))?;
        if html[at..].starts_with('>') {
            return Some(Tag {
                name: html[start + 1..name_end].to_ascii_lowercase(),
                attributes,
                start,
                end: at + 1,
                body_end: at + 1,
            });
        }
        // At least one character, so that a stray `=` cannot hold us here.
        let first = html[at..].chars().next()?.len_utf8();
        let name_len = html[at + first..].find(|c: char| is_space(c) || matches!(c, '>' | '='))?;
        let name = html[at..at + first + name_len].to_ascii_lowercase();
        at += first + name_len;

        let after = html[at..].trim_start();
        let Some(value) = after.strip_prefix('=') else {
            attributes.push((name, ""));
            continue;
        };
        let value = value.trim_start();
        at = html.len() - value.len();
        let (value, len) = if let quote @ ('"' | '\'') = value.chars().next()? {
            let end = value[1..].find(quote)?;
            (&value[1..=end], end + 2)
        } else {
            let end = value.find(|c: char| c.is_ascii_whitespace() || c == '>')?;
            (&value[..end], end)
        };
        at += len;
        attributes.push((name, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(html: &str) -> Vec<String> {
        tags(html).map(|tag| tag.name).collect()
    }

    #[test]
    fn attributes_in_every_spelling() {
        let tag = tags("<META a=\"1 > 0\" b='x' C=plain d e = \"f\"/>").next().expect("a tag");
        assert_eq!(tag.name, "meta");
        let attributes: Vec<(&str, &str)> =
            tag.attributes.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        assert_eq!(attributes, [("a", "1 > 0"), ("b", "x"), ("c", "plain"), ("d", ""), ("e", "f")]);
        assert_eq!(tag.attribute("c"), Some("plain"));
        assert_eq!(tag.attribute("g"), None);
    }

    #[test]
    fn comments_and_script_bodies_hold_no_tags() {
        assert_eq!(
            names("<!doctype html><a><!-- <b> --><script>if (1 <c) '<d>'</SCRIPT><e>"),
            ["a", "script", "e"]
        );
    }

    #[test]
    fn broken_pages_end_without_a_panic() {
        let whole = "<a b=\"c\"><!-- d --><script x='y'>z</script><p =q r>ä</p>";
        for (end, _) in whole.char_indices() {
            let _ = names(&whole[..end]);
        }
        assert_eq!(names(whole), ["a", "script", "p"]);
    }
}
