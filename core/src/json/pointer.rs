//! Segments of RFC 6901 pointers.

use std::borrow::Cow;

/// Goes on with the pointer of a member or an item; afterwards it is as it was.
pub(crate) fn below<T>(path: &mut String, name: &str, inner: impl FnOnce(&mut String) -> T) -> T {
    let len = path.len();
    path.push('/');
    path.push_str(&escape(name));
    let value = inner(path);
    path.truncate(len);
    value
}

/// A name as a segment of an RFC 6901 pointer.
pub(crate) fn escape(name: &str) -> Cow<'_, str> {
    if name.contains(['~', '/']) {
        name.replace('~', "~0").replace('/', "~1").into()
    } else {
        name.into()
    }
}

/// The name that a segment stands for.
pub(crate) fn unescape(part: &str) -> Cow<'_, str> {
    if part.contains('~') { part.replace("~1", "/").replace("~0", "~").into() } else { part.into() }
}
