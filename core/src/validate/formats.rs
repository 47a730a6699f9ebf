//! Formats on which `jsonschema` and ajv-formats differ, as ajv-formats 3 has them.
//!
//! The others (`ipv4`, `hostname`, `uri-reference`, `regex`, `json-pointer`, ...) are those of the
//! crate; a format that neither names is no constraint.

use super::refs::Draft;
use crate::model::datetime;

/// Whether a text is of a format.
#[cfg(test)]
type Check = fn(&str) -> bool;

/// Each with its name.
pub(crate) const ALL: [hindscope_compiler::Format; 6] = [
    ("date-time", datetime::is_date_time),
    ("date", is_date),
    ("time", is_time),
    ("email", is_email),
    ("uri", is_uri),
    ("uuid", is_uuid),
];

/// Whether texts are checked for a format of this name.
pub(crate) fn is_known(draft: Draft, name: &str) -> bool {
    ALL.iter().any(|(known, _)| *known == name)
        || hindscope_compiler::is_known_format(draft.compiled(), name)
}

fn is_date(text: &str) -> bool {
    datetime::read(text).is_some_and(|t| t.form == datetime::Form::DateOnly)
}

fn is_time(text: &str) -> bool {
    // The day decides nothing about a time.
    datetime::is_date_time(&format!("2000-01-01T{text}"))
}

/// Atoms with dots between them before the `@`, and at least two labels with dots between them after it.
fn is_email(text: &str) -> bool {
    let is_atom = |c: u8| c.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&c);
    let is_label = |label: &str| {
        let bytes = label.as_bytes();
        let is_edge = |c: Option<&u8>| c.is_some_and(u8::is_ascii_alphanumeric);
        is_edge(bytes.first())
            && is_edge(bytes.last())
            && bytes.iter().all(|&c| c.is_ascii_alphanumeric() || c == b'-')
    };
    text.split_once('@').is_some_and(|(name, domain)| {
        name.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_atom))
            && domain.contains('.')
            && domain.split('.').all(is_label)
    })
}

fn is_uuid(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let digits = lower.strip_prefix("urn:uuid:").unwrap_or(&lower);
    let lens = [8, 4, 4, 4, 12];
    let parts: Vec<&str> = digits.split('-').collect();
    parts.len() == lens.len()
        && parts
            .iter()
            .zip(lens)
            .all(|(part, len)| part.len() == len && part.bytes().all(|c| c.is_ascii_hexdigit()))
}

/// RFC 3986 with a scheme and, behind it, at least something.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|c| c.is_ascii_alphanumeric() || b"+-.".contains(&c));
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    is_scheme && is_hierarchy(path) && is_made_of(query, b":@/?") && is_made_of(fragment, b":@/?")
}

fn is_hierarchy(path: &str) -> bool {
    let is_path = is_made_of(path, b":@/");
    match path.strip_prefix('/') {
        None => !path.is_empty() && is_path,
        // ajv reads `//h:x` as a path, too: only brackets need an authority.
        Some(rest) => is_path || has_address(rest.strip_prefix('/').unwrap_or(rest)),
    }
}

/// An authority with an address in brackets, and a path if there is one.
fn has_address(text: &str) -> bool {
    let (authority, path) = text.split_at(text.find('/').unwrap_or(text.len()));
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let Some((address, port)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return false;
    };
    let is_port = |port: &str| port.bytes().all(|c| c.is_ascii_digit());
    is_made_of(user, b":")
        && is_address(address)
        && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
        && is_made_of(path, b":@/")
}

/// What may stand between brackets: IPv6, or the form kept for its successors.
fn is_address(text: &str) -> bool {
    match text.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.')) {
        Some((version, address)) => {
            let is_hex = version.bytes().all(|c| c.is_ascii_hexdigit());
            let is_plain = !address.contains('%') && is_made_of(address, b":");
            !version.is_empty() && is_hex && !address.is_empty() && is_plain
        }
        // Parses, and reaches no network.
        None => text.parse::<core::net::Ipv6Addr>().is_ok(),
    }
}

/// Unreserved characters, sub-delimiters, escapes, and a few more.
fn is_made_of(text: &str, more: &[u8]) -> bool {
    let mut bytes = text.bytes();
    while let Some(c) = bytes.next() {
        let fits = match c {
            b'%' => [bytes.next(), bytes.next()]
                .iter()
                .all(|digit| digit.is_some_and(|d| d.is_ascii_hexdigit())),
            _ => c.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&c) || more.contains(&c),
        };
        if !fits {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn judges(is_valid: Check, good: &[&str], bad: &[&str]) {
        for text in good {
            assert!(is_valid(text), "{text}");
        }
        for text in bad {
            assert!(!is_valid(text), "{text}");
        }
    }

    #[test]
    fn judges_as_ajv_formats_does() {
        judges(is_date, &["2024-02-29"], &["2023-02-29", "2024-2-29", "2024-02-29T00:00:00Z", ""]);
        judges(
            is_time,
            &["09:00:00Z", "23:59:60z", "09:00:00.5+0530"],
            &["09:00:00", "09:00Z", ""],
        );
        judges(
            is_email,
            &["a.b+c@d-e.fr", "A@b.c"],
            &["a@b", "a@b.c.", ".a@b.c", "a b@c.de", "a@-b.c", "é@b.c", "a@b@c.d", "\"a\"@b.c"],
        );
        let uuid = "123e4567-E89b-12d3-a456-426614174000";
        judges(
            is_uuid,
            &[uuid, &format!("urn:uuid:{uuid}")],
            &["", "123e4567e89b12d3a456426614174000", &uuid[1..], &format!("{{{uuid}}}")],
        );
        judges(
            is_uri,
            &[
                "https://a.b/c?d=e#f",
                "mailto:a@b.c",
                "urn:x",
                "file:///a",
                "http://[::1]:80/",
                "http://[v1.a:b]",
                "a:/b@c",
                "http://u:p@h:80",
                "x:%41",
                "http://",
            ],
            &["", "a", "//a/b", "a b:c", "1a:b", "http://a b", "http://[::g]", "x:%4", "x:", "x:é"],
        );
    }
}
