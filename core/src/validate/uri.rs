//! Addresses of schemas: resolved as RFC 3986 says, and never opened.

use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// A reference against a base, without its fragment. Dot segments are removed, as far as there is
/// something to go up from: what `../x` means without a base is for the host to say.
pub(crate) fn resolve(base: &str, reference: &str) -> String {
    let reference = without_fragment(reference);
    let (base, reference) = (Parts::of(without_fragment(base)), Parts::of(reference));
    if reference.scheme.is_some() {
        return reference.text(reference.scheme, reference.authority, &dotless(reference.path));
    }
    if reference.authority.is_some() {
        return reference.text(base.scheme, reference.authority, &dotless(reference.path));
    }
    if reference.path.is_empty() {
        let query = reference.query.or(base.query);
        return Parts { query, ..reference }.text(base.scheme, base.authority, base.path);
    }
    let path = if reference.path.starts_with('/') {
        dotless(reference.path)
    } else {
        let folder = base.path.rfind('/').map_or("", |end| &base.path[..=end]);
        let folder = if folder.is_empty() && base.authority.is_some() { "/" } else { folder };
        dotless(&format!("{folder}{}", reference.path))
    };
    reference.text(base.scheme, base.authority, &path)
}

pub(crate) fn without_fragment(uri: &str) -> &str {
    uri.split_once('#').map_or(uri, |(uri, _)| uri)
}

/// Behind the `#`, with percent-encoded bytes decoded; empty without one.
pub(crate) fn fragment(uri: &str) -> String {
    let text = uri.split_once('#').map_or("", |(_, fragment)| fragment);
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), Cow::into_owned)
}

/// Whether a text reply for this address is JSON; any other is YAML.
#[expect(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "an address is not a file's name, and the contract names these letters"
)]
pub(crate) fn is_json(uri: &str) -> bool {
    Parts::of(without_fragment(uri)).path.ends_with(".json")
}

#[derive(Clone, Copy)]
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(uri: &'a str) -> Self {
        let is_scheme = |text: &str| {
            text.starts_with(|c: char| c.is_ascii_alphabetic())
                && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        };
        let (scheme, rest) = match uri.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
            _ => (None, uri),
        };
        let (rest, query) = rest.split_once('?').map_or((rest, None), |(r, q)| (r, Some(q)));
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                (Some(&rest[..end]), &rest[end..])
            }
            None => (None, rest),
        };
        Self { scheme, authority, path, query }
    }

    /// With another scheme, authority and path, and this query.
    fn text(self, scheme: Option<&str>, authority: Option<&str>, path: &str) -> String {
        let mut text = scheme.map_or_else(String::new, |scheme| format!("{scheme}:"));
        if let Some(authority) = authority {
            text.push_str("//");
            text.push_str(authority);
        }
        text.push_str(path);
        if let Some(query) = self.query {
            text.push('?');
            text.push_str(query);
        }
        text
    }
}

fn dotless(path: &str) -> String {
    let (root, relative) = path.strip_prefix('/').map_or(("", path), |rest| ("/", rest));
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = relative.split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            ".." if kept.last().is_some_and(|last| *last != "..") => {
                kept.pop();
            }
            ".." if root.is_empty() => kept.push(".."),
            "." | ".." => {}
            _ => {
                kept.push(segment);
                continue;
            }
        }
        if is_last {
            kept.push("");
        }
    }
    format!("{root}{}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_as_rfc_3986_says() {
        let base = "http://a/b/c/d;p?q";
        for (reference, expected) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y#s", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../..", "http://a/"),
            ("../../../g", "http://a/g"),
            ("g/./h/../i", "http://a/b/c/g/i"),
        ] {
            assert_eq!(resolve(base, reference), expected, "{reference}");
        }
    }

    #[test]
    fn without_a_base_a_way_up_is_kept() {
        for (base, reference, expected) in [
            ("", "./a/b.json", "a/b.json"),
            ("", "a/../b.json#/x", "b.json"),
            ("", "../../x", "../../x"),
            ("a/b.json", "../c.json", "c.json"),
            ("a/b.json", "../../c.json", "../c.json"),
            ("a/b.json", "d.json", "a/d.json"),
            ("a.json", "#x", "a.json"),
            ("http://a", "b", "http://a/b"),
            ("urn:x:y", "#z", "urn:x:y"),
        ] {
            assert_eq!(resolve(base, reference), expected, "{base} {reference}");
        }
    }

    #[test]
    fn fragments_are_decoded() {
        for (uri, expected) in
            [("a#/b%20c", "/b c"), ("#", ""), ("a", ""), ("#%zz%4", "%zz%4"), ("#%ff", "%ff")]
        {
            assert_eq!(fragment(uri), expected);
        }
        assert!(is_json("a/b.json?x#y") && !is_json("a.yaml") && !is_json("b.json.txt"));
    }
}
