//! Names of the files in which the doctor of a memory keeps what could not be used.

/// The `NAME` and the `N` of `NAME.broken-N`, which holds what could not be used of the file `NAME`.
/// `None` for any other name.
pub(crate) fn kept_of(name: &str) -> Option<(&str, &str)> {
    let parts = name.rsplit_once(".broken-");
    parts.filter(|(file, digits)| {
        !file.is_empty() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_aside_names_its_file() {
        assert_eq!(kept_of("a.jsonl.broken-1"), Some(("a.jsonl", "1")));
        for name in ["x.broken-", ".broken-1", "x.broken-+1", "x.broken"] {
            assert_eq!(kept_of(name), None, "{name}");
        }
    }
}
